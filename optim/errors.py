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


class OptionError(InputError):
    """An option is wrong. To a caller of the library it has its name, on the command line dashes before it.

    Parameters
    ----------
    option : str
        As Python spells it; or two, with `and` between them.
    said : str
        What is said behind the option.
    before : str
        What is said before it.
    """

    def __init__(self, option: str, said: str, before: str = "") -> None:
        super().__init__(option, said, before)
        self.option, self.said, self.before = option, said, before

    def __str__(self) -> str:
        return f"{self.before}{self.option}{self.said}"

    def on_command_line(self) -> str:
        """Give the message with the option spelled as a word of a command."""
        flags = ("--" + name.replace("_", "-") for name in self.option.split(" and "))
        return f"{self.before}{' and '.join(flags)}{self.said}"


class EngineError(TwinproofError, RuntimeError):
    """An engine failed, or gave an answer that it should not have given; never the caller's fault."""
