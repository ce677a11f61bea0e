"""Measurements that are no comparison of answers."""
