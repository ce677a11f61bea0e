"""Proven optima of grid puzzles, each puzzle modelled twice: OR-Tools CP-SAT and PySAT RC2 MaxSAT."""
