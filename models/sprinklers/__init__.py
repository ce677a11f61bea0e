"""Sprinklers: water every tile of a field with as few sprinklers as possible."""
