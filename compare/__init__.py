"""The judge: runs engines on puzzles, checks their layouts by the rules and compares their answers.

>>> from compare import Question, crosscheck
>>> from models.grid import named_field
>>> from models.sprinklers.puzzle import SprinklerPuzzle
>>> question = Question("sprinklers", SprinklerPuzzle(named_field("grid:4x4")), "fewest-sprinklers")
>>> check = crosscheck(question, isolated=False)
>>> check.agree, check.answers["cpsat"].outcome.value
(True, 4)
"""

from compare._safe_path import drop_scripts_folder

drop_scripts_folder()  # before anything imports `models`

from compare.answer import Answer, Question, answer  # noqa: E402
from compare.crosscheck import Crosscheck, crosscheck  # noqa: E402

__all__ = ["Answer", "Crosscheck", "Question", "answer", "crosscheck"]
