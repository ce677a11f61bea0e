"""Engines of others, which solve the models of maxsat: UWrMaxSAT, CASHWMaxSAT, EvalMaxSAT and clingo."""
