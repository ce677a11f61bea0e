"""One question of a suite, put to one engine: what is known of it beforehand, and what is kept of the answer."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from time import monotonic
from typing import Any

from twinproof.compare.campaign.certified import CERTIFICATE, certify_question
from twinproof.compare.campaign.machine import code_digest, machine, versions
from twinproof.compare.output.records import record
from twinproof.compare.output.words import printable
from twinproof.compare.questions.answer import JudgementError, Question, answer, identity
from twinproof.compare.questions.crosscheck import Crosscheck
from twinproof.models import PUZZLES
from twinproof.optim import EngineError, InputError, Limits

Result = Mapping[str, Any]
"""What is kept of a case: the keys of `compare.output.records.record`, and those that `run_case` adds."""


@dataclass(frozen=True)
class Known:
    """What is known of an answer from elsewhere.

    Parameters
    ----------
    value : int or None
        The optimum, where there is one.
    solvable : bool
        Whether there is a layout at all (for a yes/no question: one of such a value).
    source : str
        From where that is known.
    """

    value: int | None
    solvable: bool = True
    source: str = ""


@dataclass(frozen=True)
class Asked:
    """A question of a suite.

    Parameters
    ----------
    question : Question
    engines : tuple of str
    limits : Limits
        What each engine may spend.
    known : Known, optional
    """

    question: Question
    engines: tuple[str, ...]
    limits: Limits
    known: Known | None = None

    @property
    def key(self) -> str:
        """16 hexadecimal digits that are the question's own, whoever answers it and how long it may take."""
        return _digest([_said(self.question)])

    @property
    def title(self) -> str:
        """The question in a line."""
        question = self.question
        words = [question.puzzle, question.instance.name, question.objective]
        words += [f"at least {question.at_least}"] * (question.at_least is not None)
        words += [f"at most {question.at_most}"] * (question.at_most is not None)
        options = PUZZLES.find(question.puzzle).describe(question.instance)
        plain = {"kind": "basic", "nozzle": False, "harvest": 4, "trust_flags": True}
        for name, value in options.items():
            if name != "apart_from" and plain.get(name) != value:
                words.append(name.replace("_", " ") if value is True else f"{name} {value}")
        return printable(" ".join(words))

    def cases(self) -> "tuple[Case, ...]":
        """Give the question's runs, one an engine."""
        return tuple(Case(self, engine) for engine in self.engines)


@dataclass(frozen=True)
class Case:
    """A question and the engine that it is put to."""

    asked: Asked
    engine: str

    @property
    def key(self) -> str:
        """16 hexadecimal digits: of two cases with one key, the second need not be run.

        They differ with the question, the engine, the limits, the seed, the versions of Python and of the packages
        that solve, and the code of the engines and of the puzzle's models.
        """
        question, limits = self.asked.question, self.asked.limits
        spent = [limits.time, limits.memory, limits.workers, limits.seed]
        return _digest(
            [_said(question), self.engine, spent, versions(), code_digest(question.puzzle, self.engine)]
        )


def run_case(case: Case, isolated: bool = True) -> Result:
    """Put the question to the engine; the answer is judged by the rules, and whatever happens is in the result.

    Parameters
    ----------
    case : Case
    isolated : bool
        See `optim.engine.solve`.

    Returns
    -------
    mapping
        `key`, `asked` (the question's own key), `title`, the keys of `compare.output.records.record`, `map` (the
        instance as lines that can be read back), `limits`, `seed`, `error`, `versions`, `machine`, `code`, and
        when it `finished`.
        If the engine failed, or gave a layout that breaks a rule, `error` has a `kind` (`refused`, `failed`, or
        `wrong layout`) and a `message`, and `status` is `unknown`.
    """
    asked, engine = case.asked, case.engine
    question, limits = asked.question, asked.limits
    puzzle = PUZZLES.find(question.puzzle)
    start = monotonic()
    said: dict[str, Any] = {
        "puzzle": question.puzzle,
        "instance": question.instance.name,
        "options": puzzle.describe(question.instance),
        "objective": question.objective,
        "engine": engine,
        "status": "unknown",
        "value": None,
        "bound": None,
        "layout": None,
    }
    error = None
    try:
        if engine == CERTIFICATE:
            said |= certify_question(question, limits, isolated)
        else:
            answered = answer(question, engine, limits, isolated=isolated)
            said = record(Crosscheck((engine,), {engine: answered}, None))
    except JudgementError as problem:
        error = {"kind": "wrong layout", "message": str(problem)}
        said["layout"] = list(problem.layout)
    except InputError as problem:
        error = {"kind": "refused", "message": str(problem)}
    except EngineError as problem:
        error = {"kind": "failed", "message": str(problem)}
    said.setdefault("seconds", round(monotonic() - start, 3))
    said["at_least"], said["at_most"] = question.at_least, question.at_most
    return {
        "key": case.key,
        "asked": asked.key,
        "title": asked.title,
        **said,
        "map": list(puzzle.rows(question.instance)),
        "limits": {"time": limits.time, "memory": limits.memory, "workers": limits.workers},
        "seed": limits.seed,
        "error": error,
        "versions": versions(),
        "machine": machine(),
        "code": code_digest(question.puzzle, engine),
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def _said(question: Question) -> list[object]:
    return [identity(question, counting=False), question.at_least, question.at_most]


def _digest(parts: list[Any]) -> str:
    return hashlib.blake2b(json.dumps(parts, sort_keys=True).encode(), digest_size=8).hexdigest()
