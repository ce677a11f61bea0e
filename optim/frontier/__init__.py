"""The frontier engine: exact dynamic programming over the states of a moving frontier. Knows no puzzle."""
