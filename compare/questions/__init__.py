"""Questions about a puzzle, each with an answer that was judged: solve, unique, explain, count, hint, generate."""
