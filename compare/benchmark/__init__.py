"""Measurements that no suite of questions can express; each module is a command, `python -m`."""
