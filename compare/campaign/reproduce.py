"""A disagreement as a suite of one case: a small file that shows it again."""

import json
from pathlib import Path
from typing import Any

from twinproof.compare.campaign.judge import QuestionVerdict
from twinproof.compare.output.records import write_file
from twinproof.models import PUZZLES


def save_disagreement(verdict: QuestionVerdict, folder: Path) -> Path:
    """Write a disagreement into `disagreement-KEY.toml`; gives the file's path.

    Parameters
    ----------
    verdict : QuestionVerdict
        On a question that is not answered by all alike.
    folder : Path
        It must exist.

    Returns
    -------
    Path
        The file's.
    """
    path = folder / f"disagreement-{verdict.asked.key}.toml"
    write_file(path, reproduction(verdict, path.name))
    return path


def reproduction(verdict: QuestionVerdict, name: str) -> str:
    """Give a disagreement as the text of a suite, with what the engines said as comments.

    Parameters
    ----------
    verdict : QuestionVerdict
    name : str
        The name of the file.
    """
    asked = verdict.asked
    question, limits = asked.question, asked.limits
    lines = [
        _comment(text)
        for text in (asked.title, *verdict.wrong, *verdict.failed, f"Once more: twinproof compare {name}")
    ]
    for engine, result in verdict.results.items():
        if result.get("layout") is not None:
            lines += [_comment(f"{engine}:"), *(_comment(f"  {row}") for row in result["layout"])]
    case: dict[str, Any] = {
        "puzzle": question.puzzle,
        "name": question.instance.name,
        "text": "\n".join(PUZZLES.find(question.puzzle).rows(question.instance)) + "\n",
        "objectives": [question.objective],
        "engines": list(asked.engines),
        "at_least": question.at_least,
        "at_most": question.at_most,
        "time": limits.time,
        "memory": limits.memory,
        "workers": limits.workers,
        "seed": limits.seed,
    }
    if asked.known is not None:
        case["expected"] = _expected(verdict)
        case["source"] = asked.known.source
    lines += ["", "[[case]]", *(f"{key} = {_toml(value)}" for key, value in case.items() if value is not None)]
    if options := _options(verdict):
        lines += ["[case.options]", *(f"{key} = {_toml(value)}" for key, value in options.items())]
    return "\n".join(lines) + "\n"


def _comment(text: str) -> str:
    """Give a text as one line of comment, whatever a file's name may hold."""
    return "# " + "".join(c if c.isprintable() else " " for c in text)


def _expected(verdict: QuestionVerdict) -> int | str:
    known = verdict.asked.known
    assert known is not None
    if not known.solvable:
        return "infeasible"
    return "solvable" if known.value is None else known.value


def _options(verdict: QuestionVerdict) -> dict[str, Any]:
    """Give what the text of the instance does not say."""
    question = verdict.asked.question
    said = PUZZLES.find(question.puzzle).as_options(question.instance)
    if "apart_from" in said:
        said["apart_from"] = "\n".join(said["apart_from"]) + "\n"
    return said


def _toml(value: Any) -> str:
    # A text in JSON is one in TOML too, and so are numbers, truth values and lists of them; but for one character.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
