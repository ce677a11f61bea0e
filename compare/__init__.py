"""The judge: runs engines on puzzles, checks their layouts by the rules and compares their answers.

>>> from twinproof.compare import Question, crosscheck
>>> from twinproof.models.field.sources import read_field
>>> from twinproof.models.sprinklers.instance import SprinklerPuzzle
>>> question = Question("sprinklers", SprinklerPuzzle(read_field("grid:4x4")), "fewest-sprinklers")
>>> check = crosscheck(question, isolated=False)
>>> check.agree, check.answers["cpsat"].outcome.value
(True, 4)
"""

from twinproof.compare.questions.answer import Answer, Question, answer
from twinproof.compare.questions.crosscheck import Crosscheck, crosscheck

__all__ = ["Answer", "Crosscheck", "Question", "answer", "crosscheck"]
