"""The exceptions of the project: one base, told apart by whose fault it is."""


class TwinproofError(Exception):
    """Base of every exception that the project raises on purpose."""


class InputError(TwinproofError, ValueError):
    """The caller's input breaks a rule; the message is one line that names the place and the rule."""


class EngineError(TwinproofError, RuntimeError):
    """An engine failed, or gave an answer that it should not have given; never the caller's fault."""
