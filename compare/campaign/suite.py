"""Suites: questions, engines, limits and known answers, read from a TOML file.

engines = ["cpsat", "maxsat"]      # for all cases; those that a puzzle has no model for are left out
[limits]                           # for all cases: time, memory, workers, seed
time = 20

[[case]]
puzzle = "PUZZLE"                  # as `twinproof list` names it
values = { "grid:4x4" = 4 }        # instances and their optima; or: instance = "grid:4x4"
source = "OEIS A350823"            # from where the values are known

[[case]]
puzzle = "PUZZLE"
objectives = ["solution"]          # by default the puzzle's first
text = '''...'''                   # the instance itself; or: instance = "FILE", as seen from the suite's folder
name = "an example"                # what to call it
options = { stars = 2 }            # the options of `twinproof solve`, without dashes in front
expected = "solvable"              # or a number, or "infeasible"
engines = ["cpsat"]                # or with = ["clingo"], besides the suite's; "certificate" is one too
time = 60                          # and the other limits
at_most = 3                        # or at_least: a yes/no question
"""

import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from twinproof.compare.campaign.case import Asked, Known
from twinproof.compare.campaign.certified import CERTIFICATE
from twinproof.compare.questions.answer import Question
from twinproof.models import PUZZLES
from twinproof.models.puzzle import Puzzle
from twinproof.models.text.sources import Inline, Source, read_text
from twinproof.optim import InputError, Limits
from twinproof.optim.engine import ALIASES, EXTERNAL, TABLE, Feature, available

FOLDER = Path(__file__).parent / "suites"
BUILT_IN = ("smoke", "standard", "full")

TOP = {"title": str, "engines": list, "limits": dict, "case": list}
LIMITS = {"time": (int, float), "memory": int, "workers": int, "seed": int}
CASE = {
    "puzzle": str,
    "instance": str,
    "values": dict,
    "text": str,
    "name": str,
    "options": dict,
    "objectives": list,
    "engines": list,
    "with": list,
    "at_least": int,
    "at_most": int,
    "expected": (int, str),
    "source": str,
    **LIMITS,
}
ENGINES = ("cpsat", "maxsat")


@dataclass(frozen=True)
class Suite:
    """Questions to put to engines.

    Parameters
    ----------
    name : str
    title : str
    asked : tuple of Asked
        No two of them are the same question.
    left_out : tuple of str
        Engines that it names and whose packages are not installed.
    """

    name: str
    title: str
    asked: tuple[Asked, ...]
    left_out: tuple[str, ...] = ()


def read_suite(name: str) -> Suite:
    """Read a suite: one that is built in, by its name, or a TOML file.

    Raises
    ------
    InputError
        If there is none, or something in it is wrong; the message names the case.
    """
    if name in BUILT_IN:
        path = FOLDER / f"{name}.toml"
        return _suite(name, path.read_text(encoding="utf-8"), path.parent)
    if name != "-" and not Path(name).exists():
        raise InputError(f"suite {name!r}: none has this name ({', '.join(BUILT_IN)}) and there is no such file")
    return _suite(name, read_text(name), Path(name).parent)


def _suite(name: str, text: str, folder: Path) -> Suite:
    try:
        content = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number can be too long to be one
        raise InputError(f"{name}: no TOML: {error}") from error
    _check(content, TOP, name)
    _check(content.get("limits", {}), LIMITS, f"{name}: limits")
    cases = content.get("case", [])
    if not cases:
        raise InputError(f"{name}: has no [[case]]")
    engines = _engine_names(content.get("engines", list(ENGINES)), f"{name}: engines")
    for engine in engines:
        if engine not in (*TABLE, CERTIFICATE):
            raise InputError(f"{name}: engine {engine!r}: unknown; known are {', '.join((*TABLE, CERTIFICATE))}")
    asked: dict[str, Asked] = {}
    for number, case in enumerate(cases, start=1):
        place = f"{name}: case {number}"
        if not isinstance(case, dict):
            raise InputError(f"{place}: must be a table, [[case]]")
        _check(case, CASE, place)
        try:
            read = _read_case(case, content.get("limits", {}), engines, folder)
        except InputError as error:
            raise InputError(f"{place}: {error}") from error
        for one in read:
            if one.key in asked:
                raise InputError(f"{place}: {one.title}: is asked already")
            asked[one.key] = one
    named = [*engines, *(engine for case in cases for engine in (*case.get("engines", ()), *case.get("with", ())))]
    left_out = tuple(engine for engine in EXTERNAL if engine in named and engine not in available())
    return Suite(Path(name).stem, content.get("title", name), tuple(asked.values()), left_out)


def _read_case(
    case: Mapping[str, Any], limits: Mapping[str, Any], engines: Sequence[str], folder: Path
) -> list[Asked]:
    """Give the questions of a case: every instance with every objective."""
    if "puzzle" not in case:
        raise InputError("puzzle: is missing")
    puzzle = PUZZLES.find(case["puzzle"])
    options = _options(case.get("options", {}), puzzle)
    chosen = _engines(case, engines, puzzle)
    spent = {name: case.get(name, limits.get(name)) for name in LIMITS}
    allowed = Limits(spent["time"], spent["memory"], spent["workers"], spent["seed"] or 0)
    objectives = _words(case.get("objectives", [puzzle.objective().name]), "objectives")
    found = []
    for source, expected in _instances(case, folder):
        instance = puzzle.read(source, options)
        if "name" in case and hasattr(instance, "apart_from"):
            instance = replace(instance, name=case["name"])
        for objective in objectives:
            question = Question(puzzle.name, instance, objective, case.get("at_least"), case.get("at_most"))
            known = None if expected is None else _known(question, expected, case.get("source", ""))
            found.append(Asked(question, chosen, allowed, known))
    return found


def _instances(case: Mapping[str, Any], folder: Path) -> list[tuple[Source | None, int | str | None]]:
    """Give the instances of a case, and what is known of each."""
    ways = [way for way in ("instance", "values", "text") if way in case]
    if len(ways) > 1:
        raise InputError(f"{' and '.join(ways)}: only one of them")
    expected = case.get("expected")
    if "text" in case:
        return [(Inline(case.get("name", "text"), case["text"]), expected)]
    if "values" not in case:
        return [(_place(case["instance"], folder) if "instance" in case else None, expected)]
    if expected is not None:
        raise InputError("values and expected: only one of them")
    if not case["values"]:
        raise InputError("values: must not be empty")
    return [(_place(instance, folder), value) for instance, value in case["values"].items()]


def _place(instance: str, folder: Path) -> Source:
    """Read a file beside the suite, which results call as the suite does; all else is taken as it is."""
    beside = folder / instance
    return Inline(instance, read_text(str(beside))) if beside.is_file() else instance


def _known(question: Question, expected: Any, source: str) -> Known:
    valued = (
        PUZZLES.find(question.puzzle).objective(question.objective).sense is not None and not question.yes_or_no
    )
    if expected == "infeasible":
        return Known(None, False, source)
    if expected == "solvable":
        return Known(None, True, source)
    if isinstance(expected, bool) or not isinstance(expected, int):
        raise InputError(f"expected {expected!r}: must be a number, solvable or infeasible")
    if not valued:
        raise InputError(f"expected {expected}: nothing is optimised here; solvable or infeasible?")
    return Known(expected, True, source)


def _engines(case: Mapping[str, Any], engines: Sequence[str], puzzle: Puzzle[Any]) -> tuple[str, ...]:
    """Choose a case's engines: of the suite's own, those that the puzzle has a model for."""
    everywhere = (*puzzle.engines, *EXTERNAL, CERTIFICATE)
    yes_or_no = bool({"at_least", "at_most"} & set(case))
    own = [
        engine for engine in engines if engine in everywhere and not (yes_or_no and not _answers_yes_or_no(engine))
    ]
    if "engines" in case:
        own = _engine_names(case["engines"], "engines")
    chosen = dict.fromkeys([*own, *(_engine_names(case["with"], "with") if "with" in case else [])])
    for engine in chosen:
        if engine not in everywhere:
            raise InputError(f"engine {engine!r}: {puzzle.name} has {', '.join(everywhere)}")
    there = tuple(engine for engine in chosen if engine not in EXTERNAL or engine in available())
    if not there:
        raise InputError(f"engines {', '.join(chosen)}: not installed: pip install 'twinproof[third]'")
    return there


def _answers_yes_or_no(engine: str) -> bool:
    return engine not in TABLE or Feature.THRESHOLD in TABLE[engine].supports


def _engine_names(listed: Collection[Any], place: str) -> list[str]:
    return [ALIASES.get(name, name) for name in _words(listed, place)]


def _options(given: Mapping[str, Any], puzzle: Puzzle[Any]) -> dict[str, Any]:
    known = {option.name: list if option.repeatable else option.type for option in puzzle.options}
    others = {option.name for other in PUZZLES.values() for option in other.options}
    for name in given:
        if name in others and name not in known:
            raise InputError(f"options: {name.replace('_', '-')}: not an option of {puzzle.name}")
    _check(given, known, "options")
    options = {
        name: _words(value, name) if known[name] is list else value
        for name, value in given.items()
        if value is not False
    }
    if "apart_from" in options:
        options["apart_from"] = Inline("apart_from", str(options["apart_from"]))
    return options


def _check(table: Mapping[str, Any], known: Mapping[str, Any], place: str) -> None:
    """Refuse keys that are unknown and values of another type."""
    for key, value in table.items():
        if key not in known:
            raise InputError(f"{place}: {key!r}: unknown; known are {', '.join(known)}")
        # To Python a truth value is a number.
        wrong = isinstance(value, bool) != (known[key] is bool)
        if wrong or not isinstance(value, known[key]):
            raise InputError(f"{place}: {key}: {value!r} is not {_kind(known[key])}")


def _kind(kinds: Any) -> str:
    names = {str: "a text", int: "a whole number", float: "a number", bool: "true or false"}
    names |= {list: "a list", dict: "a table"}
    return " or ".join(names[kind] for kind in (kinds if isinstance(kinds, tuple) else (kinds,)))


def _words(listed: Collection[Any], place: str) -> list[str]:
    if not listed or not all(isinstance(word, str) for word in listed):
        raise InputError(f"{place}: must be a list of texts, and not empty")
    return list(listed)
