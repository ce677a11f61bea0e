"""What generators of puzzles share."""
