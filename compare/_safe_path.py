"""Keeps the folder of installed scripts off the import path.

Python puts the folder of the command `twinproof` first on its path. PySAT installs its examples as scripts in the
same folder, and one of them is called `models.py`: it would hide the package `models`.
"""

import sys
import sysconfig
from pathlib import Path

__all__ = ["drop_scripts_folder"]


def drop_scripts_folder() -> None:
    """Do for the folder of scripts what Python's own option -P does."""
    scripts = Path(sysconfig.get_path("scripts")).resolve()
    if sys.path and sys.path[0] and Path(sys.path[0]).resolve() == scripts:
        del sys.path[0]
