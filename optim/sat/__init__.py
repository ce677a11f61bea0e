"""What clauses are good for: encodings, backbones, and sets of clauses that contradict each other."""
