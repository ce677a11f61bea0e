"""Answers as JSON objects, and files written whole or not at all."""

import json
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from compare.answer import Answer, JudgementError
from compare.catalogue import Layout
from compare.crosscheck import Crosscheck
from compare.instances import describe
from models.grid import Field
from optim import InputError

__all__ = [
    "PICTURE_ENDINGS",
    "best_answer",
    "check_writable",
    "map_rows",
    "record",
    "save_for_report",
    "write_file",
    "write_json",
]

Record = dict[str, Any]

PICTURE_ENDINGS = (".png", ".svg")


def record(check: Crosscheck, command: Sequence[str] | None = None) -> Record:
    """Put an answer, or several with their comparison, into one JSON object.

    Parameters
    ----------
    check : Crosscheck
    command : sequence of str, optional
        What repeats it.

    Returns
    -------
    dict
        The keys of a single engine's answer; with several engines they hold the best of all, and `engines`
        holds each one's own and `agree` the comparison.
    """
    answers = list(check.answers.values())
    if len(answers) == 1:
        result = _record_answer(answers[0])
    else:
        best = best_answer(answers)
        result = _record_answer(best) | {
            "engine": "both",
            "seconds": round(sum(answer.outcome.seconds for answer in answers), 3),
            "engines": {answer.engine: _record_answer(answer) for answer in answers},
            "agree": check.agree,
        }
    if command is not None:
        result["command"] = list(command)
    return result


def best_answer(answers: Sequence[Answer]) -> Answer:
    """Choose the answer that says most: a settled one, else one with the best value, else the first."""

    def rank(answer: Answer) -> tuple[bool, bool, int]:
        outcome = answer.outcome
        if outcome.value is None or outcome.sense is None:
            return outcome.settled, outcome.layout is not None, 0
        sign = -1 if outcome.sense.better(0, 1) else 1
        return outcome.settled, True, sign * outcome.value

    return max(answers, key=rank)


def _record_answer(answer: Answer) -> Record:
    question, outcome = answer.question, answer.outcome
    result: Record = {
        "puzzle": question.name,
        "instance": question.puzzle.field.name,
        "options": describe(question.puzzle),
        "objective": question.objective,
    }
    for asked, bound in (("at_least", question.at_least), ("at_most", question.at_most)):
        if bound is not None:
            result[asked] = bound
    return result | {
        "engine": answer.engine,
        "status": outcome.status.value,
        "value": outcome.value,
        "bound": outcome.bound,
        "layout": None if outcome.layout is None else list(outcome.layout),
        "seconds": outcome.seconds,
        "stopped": None if outcome.stopped is None else outcome.stopped.value,
        "trace": [[point.seconds, point.value, point.bound] for point in outcome.trace],
        # An answer with violations is never shown; see `compare.answer.JudgementError`.
        "violations": [],
    }


def map_rows(field: Field) -> Layout:
    """Give a field as the rows of its text map."""
    return field.rows(dict.fromkeys(field.tiles, "."))


def save_for_report(error: JudgementError) -> Path:
    """Save what a wrong answer was about, to be sent with a report; gives the file's path."""
    question = error.question
    content = {
        "error": str(error),
        "engine": error.engine,
        "puzzle": question.name,
        "map": list(map_rows(question.puzzle.field)),
        "options": describe(question.puzzle),
        "objective": question.objective,
        "at_least": question.at_least,
        "at_most": question.at_most,
        "layout": list(error.layout),
    }
    descriptor, name = tempfile.mkstemp(prefix="twinproof-error-", suffix=".json", dir=".", text=True)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(content, file, indent=1)
    return Path(name)


def check_writable(path: Path, endings: Sequence[str]) -> None:
    """Refuse a file that could not be written in the end, before the work is done.

    Raises
    ------
    InputError
        If its name has none of the endings, or its folder is missing or not writable.
    """
    if path.suffix not in endings:
        raise InputError(f"{path}: the name must end in {' or '.join(endings)}")
    if path.is_dir():
        raise InputError(f"{path}: is a folder")
    if not path.parent.is_dir():
        raise InputError(f"{path}: the folder {path.parent} does not exist")
    if not os.access(path.parent, os.W_OK):
        raise InputError(f"{path}: the folder {path.parent} is not writable")


def write_file(path: Path, write: Callable[[Path], None]) -> None:
    """Write a file under a temporary name beside it and rename it, so that it is never half-written."""
    descriptor, name = tempfile.mkstemp(prefix=f".{path.stem}-", suffix=path.suffix, dir=path.parent)
    os.close(descriptor)
    temporary = Path(name)
    try:
        write(temporary)
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write a JSON object to a file."""
    write_file(path, lambda temporary: _dump(temporary, content))


def _dump(path: Path, content: Mapping[str, Any]) -> None:
    path.write_text(_pretty(content) + "\n", encoding="utf-8")


def _pretty(content: Any, indent: str = "") -> str:
    """Give JSON with a line for every key and every row of a layout, but not for every number of a trace."""
    inner = indent + " "
    if isinstance(content, Mapping):
        lines = [f"{inner}{json.dumps(key)}: {_pretty(value, inner)}" for key, value in content.items()]
        return "{\n" + ",\n".join(lines) + f"\n{indent}}}"
    if isinstance(content, list) and any(isinstance(item, str) for item in content):
        return "[\n" + ",\n".join(f"{inner}{json.dumps(item)}" for item in content) + f"\n{indent}]"
    return json.dumps(content)
