"""Answers as JSON objects, and files written whole or not at all."""

import json
import os
import tempfile
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

from twinproof.compare.questions.answer import Answer, JudgementError, Question
from twinproof.compare.questions.crosscheck import TWINS, Crosscheck
from twinproof.models import PUZZLES
from twinproof.models.puzzle import Layout
from twinproof.models.text.json_values import digits_of_any_number, written_twice
from twinproof.models.violation import Violation
from twinproof.optim import EngineError, InputError, Outcome, OutputError, Sense, Status
from twinproof.optim.engine import OWN
from twinproof.optim.errors import FULL

Record = dict[str, Any]

Content: TypeAlias = str | bytes | Callable[[Path], None]
"""What a file shall hold, or what writes it under the name that it is given."""

PICTURE_ENDINGS = (".png", ".svg")
TEMPORARY = ".twinproof-"


def record(check: Crosscheck) -> Record:
    """Put an answer, or several with their comparison, into one JSON object.

    Parameters
    ----------
    check : Crosscheck

    Returns
    -------
    dict
        The keys of a single engine's answer; with several engines they hold the best of all, and `engines`
        holds each one's own and `agree` the comparison.
    """
    answers = list(check.answers.values())
    if len(check.engines) == 1:
        return _record_answer(answers[0])
    return (
        _record_answer(best_answer(answers))
        | {"engine": engines_word(check.engines)}
        | _combined(answers)
        | {"engines": {answer.engine: _record_answer(answer) for answer in answers}, "agree": check.agree}
    )


def engines_word(engines: Sequence[str]) -> str:
    """Give the word that means these engines."""
    known = {TWINS: "both", OWN: "all"}
    return known.get(tuple(engines), "+".join(engines))


def best_answer(answers: Sequence[Answer]) -> Answer:
    """Choose the answer that says most: a settled one, else one with the best value, else the first."""

    def rank(answer: Answer) -> tuple[bool, bool, int]:
        outcome = answer.outcome
        if outcome.value is None or outcome.sense is None:
            return outcome.settled, outcome.layout is not None, 0
        sign = -1 if outcome.sense.better(0, 1) else 1
        return outcome.settled, True, sign * outcome.value

    return max(answers, key=rank)


def _combined(answers: Sequence[Answer]) -> Record:
    """Put the best value and the best bound of all together; they settle more than each alone."""
    best = best_answer(answers).outcome
    bounds = [answer.outcome.bound for answer in answers if answer.outcome.bound is not None]
    bound = None if not bounds else min(bounds) if best.sense is Sense.MAXIMIZE else max(bounds)
    status = Status.OPTIMAL if best.value is not None and best.value == bound else best.status
    seconds = sum(answer.outcome.seconds for answer in answers)
    # One engine runs after the other, so their seconds add up and their memory does not.
    peaks = [answer.outcome.peak_mb for answer in answers if answer.outcome.peak_mb is not None]
    peak = max(peaks, default=None)
    return {"status": status.value, "bound": bound, "seconds": round(seconds, 3), "peak_mb": peak}


def _record_answer(answer: Answer) -> Record:
    question, outcome = answer.question, answer.outcome
    result: Record = {
        "puzzle": question.puzzle,
        "instance": question.instance.name,
        "options": PUZZLES.find(question.puzzle).describe(question.instance),
        "objective": question.objective,
    }
    for asked, bound in (("at_least", question.at_least), ("at_most", question.at_most)):
        if bound is not None:
            result[asked] = bound
    if answer.first is not None:
        result[first_key(question)] = _record_outcome(answer.first)
    result |= {"engine": answer.engine} | _record_outcome(outcome)
    if outcome.layout is not None and question.asked.may_break:
        violations = PUZZLES.find(question.puzzle).rules.violations(question.instance, outcome.layout)
        result["violations"] = record_violations(violations)
    return result


def first_key(question: Question) -> str:
    """Name the part of a record that tells of the objective that comes first. It is `OBJECTIVE_first`."""
    return f"{question.asked.after}_first".replace("-", "_")


def _record_outcome(outcome: Outcome[Layout]) -> Record:
    return {
        "status": outcome.status.value,
        "value": outcome.value,
        "bound": outcome.bound,
        "layout": None if outcome.layout is None else list(outcome.layout),
        "seconds": outcome.seconds,
        "startup": outcome.startup,
        "peak_mb": outcome.peak_mb,
        "stopped": None if outcome.stopped is None else outcome.stopped.value,
        "trace": [[point.seconds, point.value, point.bound] for point in outcome.trace],
        # Only an objective that lets a layout break rules has some; see `compare.questions.answer.JudgementError`.
        "violations": [],
    }


def record_violations(violations: Sequence[Violation]) -> list[Record]:
    """Put broken rules into plain values, their cells counted from 1."""
    return [violation.to_json() for violation in violations]


def save_for_report(error: JudgementError) -> Path:
    """Save what a wrong answer was about, to be sent with a report; gives the file's path."""
    question = error.question
    content = {
        "error": str(error),
        "engine": error.engine,
        "puzzle": question.puzzle,
        "map": list(PUZZLES.find(question.puzzle).rows(question.instance)),
        "options": PUZZLES.find(question.puzzle).describe(question.instance),
        "objective": question.objective,
        "at_least": question.at_least,
        "at_most": question.at_most,
        "layout": list(error.layout),
    }
    return _save(json.dumps(content, indent=1), ".json")


def save_details(error: EngineError) -> Path | None:
    """Save the details of a failure, if it has any; gives the file's path."""
    details = "\n".join(getattr(error, "__notes__", ()))
    return _save(f"{error}\n\n{details}\n", ".txt") if details.strip() else None


def _save(text: str, ending: str) -> Path:
    descriptor, name = tempfile.mkstemp(prefix="twinproof-error-", suffix=ending, dir=".", text=True)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
    return Path(name)


def check_writable(path: Path, endings: Sequence[str]) -> None:
    """Refuse a file that could not be written in the end, before the work is done.

    Parameters
    ----------
    path : Path
        The file to be written.
    endings : sequence of str
        Such as `.json`.

    Raises
    ------
    InputError
        If its name has none of the endings, or its folder is missing or not writable.
    OutputError
        If the disk is full already.
    """
    if path.suffix not in endings:
        raise InputError(f"{path}: the name must end in {' or '.join(endings)}")
    if path.exists() and not path.is_file():
        raise InputError(f"{path}: is there already and is no file")
    if not path.parent.is_dir():
        raise InputError(f"{path}: the folder {path.parent} does not exist")
    try:
        _temporary_beside(path.resolve()).unlink()  # what `write_file` will make
    except OSError as error:
        kind = OutputError if error.errno in FULL else InputError
        raise kind(f"{path}: cannot be written: {error.strerror}") from error


def write_file(path: Path, content: Content) -> None:
    """Write a file whole or not at all; see `write_files`.

    Parameters
    ----------
    path : Path
        The file; a link stays a link.
    content : str, bytes or callable
        A text becomes UTF-8; a function writes the file of the name that it is given.

    Raises
    ------
    OutputError
        If it cannot be written.
    """
    write_files({path: content})


def write_files(contents: Mapping[Path, Content]) -> None:
    """Write files that belong together: each under a temporary name beside it, and renamed when all are complete.

    Parameters
    ----------
    contents : mapping
        What each file shall hold, or what writes it, one after the other; see `write_file`.

    Raises
    ------
    OutputError
        If one cannot be written; all are then as they were.
    """
    temporaries: dict[Path, Path] = {}
    now = next(iter(contents))
    try:
        for path, content in contents.items():
            now = path
            temporaries[path] = temporary = _temporary_beside(path.resolve())  # a link stays a link
            if callable(content):
                content(temporary)
            else:
                temporary.write_bytes(content.encode() if isinstance(content, str) else content)
            temporary.chmod(0o666 & ~_umask())
        for now, temporary in temporaries.items():
            temporary.replace(now.resolve())
    except OutputError:
        raise
    except OSError as error:
        raise OutputError(_unwritten(now, error, temporaries.values())) from error
    finally:
        for temporary in temporaries.values():
            with suppress(OSError):
                temporary.unlink(missing_ok=True)


def _unwritten(path: Path, error: OSError, temporaries: Collection[Path]) -> str:
    """Say why a file could not be written, and what is left of it."""
    elsewhere = error.filename is not None and Path(error.filename) not in temporaries
    place = f" ({error.filename})" if elsewhere else ""
    left = "what was there before is kept" if os.path.lexists(path) else "nothing is left of it"
    return f"{path}: cannot be written: {error.strerror or error}{place}; {left}"


def _temporary_beside(path: Path) -> Path:
    descriptor, name = tempfile.mkstemp(prefix=TEMPORARY, suffix=path.suffix, dir=path.parent)
    os.close(descriptor)
    return Path(name)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write a JSON object to a file; see `write_file`.

    Parameters
    ----------
    path : Path
        The file.
    content : mapping
        Plain values.
    """
    write_file(path, json_text(content))


def json_text(content: Mapping[str, Any]) -> str:
    """Give a JSON object as the text of a file."""
    with digits_of_any_number():
        return _pretty(content) + "\n"


def json_line(content: Mapping[str, Any]) -> str:
    """Give a JSON object in one line; see `models.text.json_values.written_twice` for its numbers."""
    with digits_of_any_number():
        return json.dumps(written_twice(content))


def _pretty(content: Any, indent: str = "") -> str:
    """Give JSON with a line for every key and every row of a layout, but not for every number of a trace."""
    inner = indent + " "
    if isinstance(content, Mapping):
        lines = [f"{inner}{json.dumps(key)}: {_pretty(value, inner)}" for key, value in content.items()]
        return "{\n" + ",\n".join(lines) + f"\n{indent}}}"
    if isinstance(content, list) and any(isinstance(item, str) for item in content):
        return "[\n" + ",\n".join(f"{inner}{json.dumps(item)}" for item in content) + f"\n{indent}]"
    return json.dumps(content)
