"""The command `twinproof`."""
