"""Fields: maps, their symmetries, the orders in which a frontier sweeps them, and their clauses."""
