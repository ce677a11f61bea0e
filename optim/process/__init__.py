"""Searches in child processes: tasks, their limits, their events, and what is kept of an unfinished one."""
