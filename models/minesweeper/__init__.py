"""Minesweeper: which hidden cells hold the mines that the revealed counts tell of."""
