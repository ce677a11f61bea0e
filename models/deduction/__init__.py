"""Deductions that a person can follow: hints, grades, and trying a cell out.

A puzzle with `words` has hints when its folder has a part `hints` with `HINTS`, a `HintRules` of two things: its
rules, functions under `@rule(...)` that yield a `Finding`; and a function that gives its `Position`, a subclass
that says when the puzzle is solved and what can no longer be met. What an engine proves comes from the clauses of
the puzzle's MaxSAT model. Stars, bulbs or mines are `*` in the layouts of such a puzzle.
"""
