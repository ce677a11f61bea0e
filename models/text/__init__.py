"""Text forms of puzzles."""
