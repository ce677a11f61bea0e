"""Deductions that a person can follow: hints, grades, and trying a cell out."""
