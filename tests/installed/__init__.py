"""Twinproof as users have it: built, installed into clean environments, and run there."""
