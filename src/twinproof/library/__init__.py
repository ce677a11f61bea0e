"""What `import twinproof` gives: every question about a puzzle as a function, and the types of the answers.

The functions take an instance as the command does: a name, a file or a text. They print nothing, and raise
`InputError` for what the caller did wrong. Searches run in processes of their own, so that limits hold and Ctrl-C
gives the best answer so far.
"""

from twinproof.compare.certificates.certify import Certified
from twinproof.compare.certificates.verify import Verdict
from twinproof.compare.questions.answer import Answer, Question
from twinproof.compare.questions.count import Count
from twinproof.compare.questions.crosscheck import Crosscheck
from twinproof.compare.questions.explain import Explained
from twinproof.compare.questions.generate import Made
from twinproof.compare.questions.hint import Hinted
from twinproof.compare.questions.unique import Uniqueness
from twinproof.library.asking import (
    Checked,
    check,
    count,
    crosscheck,
    explain,
    generate,
    hint,
    solve,
    unique,
)
from twinproof.library.own import ask, deduce, front, play
from twinproof.library.proving import certify, verify
from twinproof.library.reading import read
from twinproof.models import PUZZLES
from twinproof.models.puzzle import Puzzle
from twinproof.models.questions import Said
from twinproof.models.violation import Violation
from twinproof.optim import EngineError, InputError, Outcome, OutputError, Status, Stop, TwinproofError

__all__ = [
    "PUZZLES",
    "Answer",
    "Certified",
    "Checked",
    "Count",
    "Crosscheck",
    "EngineError",
    "Explained",
    "Hinted",
    "InputError",
    "Made",
    "Outcome",
    "OutputError",
    "Puzzle",
    "Question",
    "Said",
    "Status",
    "Stop",
    "TwinproofError",
    "Uniqueness",
    "Verdict",
    "Violation",
    "ask",
    "certify",
    "check",
    "count",
    "crosscheck",
    "deduce",
    "explain",
    "front",
    "generate",
    "hint",
    "play",
    "read",
    "solve",
    "unique",
    "verify",
]
