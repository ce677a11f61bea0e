"""The judge: runs engines on puzzles, checks their layouts by the rules and compares their answers.

>>> from twinproof.compare import Question, crosscheck
>>> from twinproof.models.field.sources import read_field
>>> from twinproof.models.sprinklers.instance import SprinklerPuzzle
>>> question = Question("sprinklers", SprinklerPuzzle(read_field("grid:4x4")), "fewest-sprinklers")
>>> check = crosscheck(question, isolated=False)
>>> check.agree, check.answers["cpsat"].outcome.value
(True, 4)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from twinproof.compare.questions.answer import Answer, Question, answer
    from twinproof.compare.questions.crosscheck import Crosscheck, crosscheck

__all__ = ["Answer", "Crosscheck", "Question", "answer", "crosscheck"]


def __getattr__(name: str) -> Any:
    """Load what is asked for: this package is also the way to the command line, which needs little of it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    place = "crosscheck" if name.lower() == "crosscheck" else "answer"
    return getattr(import_module(f"{__name__}.questions.{place}"), name)
