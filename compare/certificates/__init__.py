"""Certificates: claims about a puzzle, with proofs that others can check."""
