"""Formulas, proofs that they have no model, and the checker of these proofs."""
