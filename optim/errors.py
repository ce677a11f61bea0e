"""The exceptions of the project: one base, told apart by whose fault it is."""

import errno

FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""What the system says where nothing more can be written: disk, quota or file is full."""


class TwinproofError(Exception):
    """Base of every exception that the project raises on purpose."""


class InputError(TwinproofError, ValueError):
    """The caller's input breaks a rule; the message is one line that names the place and the rule."""


class OutputError(TwinproofError, OSError):
    """A file could not be written, though nothing was wrong with its name: the disk is full, say.

    The message is one line that names the file, and says what is left of it.
    """


class EngineError(TwinproofError, RuntimeError):
    """An engine failed, or gave an answer that it should not have given; never the caller's fault."""
