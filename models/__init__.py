"""The puzzles: one folder each, with the same rooms in each. Nothing here searches."""
