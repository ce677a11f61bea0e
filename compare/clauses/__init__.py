"""The verifier's own clauses: the rules of each puzzle, written from the rules and from nothing else.

No engine and no solver is used here, and nothing that the engines' models are made of.
"""
