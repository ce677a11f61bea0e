"""Writes the model of a question as text for other solvers, before any solver has touched it."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from twinproof.compare.questions.answer import Question
from twinproof.models import PUZZLES
from twinproof.models.puzzle import Layout
from twinproof.optim import InputError, export
from twinproof.optim.export import FORMS

TOLD_VARIABLES = 500
"""The comments say what the first variables mean, up to this number of them."""


def export_lines(question: Question, form: str) -> Iterator[str]:
    """Build the model of a question and write it.

    Parameters
    ----------
    question : Question
    form : str
        A key of `FORMS`.

    Returns
    -------
    iterator of str
        Lines without their ends. At the top, comments say what the question is, how the value of a layout comes
        from what a solver says, and what the first variables mean.

    Raises
    ------
    InputError
        If the form is unknown, or has no words for the question, or the model cannot be built.
    """
    if form not in FORMS:
        raise InputError(f"form {form!r}: unknown; known are {', '.join(FORMS)}")
    puzzle = PUZZLES.find(question.puzzle)
    model = puzzle.build_model(FORMS[form], question.instance, question.objective)
    if FORMS[form] == "cpsat":
        from twinproof.optim.cpsat import post as post_cpsat  # noqa: PLC0415 - loads CP-SAT

        sense = post_cpsat(model, question.threshold)
        variables = range(len(model.model.proto.variables))
        comments = [*_told(question), *_left_out(model), *_meanings(model.read, variables)]
        return export.cpsat_lines(model.model, sense, comments)
    from twinproof.optim.maxsat import post  # noqa: PLC0415 - loads PySAT

    formula = post(model, question.threshold)
    writers: dict[str, Callable[..., Iterator[str]]] = {
        "wcnf": export.wcnf_lines,
        "wcnf-legacy": export.wcnf_legacy_lines,
        "opb": export.opb_lines,
        "cnf": export.cnf_lines,
    }
    # A question for worse layouts is asked of the model that leaves out none.
    asks_for_worse = question.threshold is not None and question.threshold.asks_for_worse(model.sense)
    left_out = () if model.complete is not None and asks_for_worse else _left_out(model)
    variables = range(1, formula.wcnf.nv + 1)
    return writers[form](formula, [*_told(question), *left_out, *_meanings(model.read, variables)])


def write_export(question: Question, form: str, path: Path) -> int:
    """Write the model of a question into a file; gives the number of lines. See `export_lines`.

    Parameters
    ----------
    question : Question
        The question.
    form : str
        A key of `FORMS`.
    path : Path
        The file; what it held is lost.

    Returns
    -------
    int
        The number of lines.
    """
    lines = 0
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for line in export_lines(question, form):
            file.write(line + "\n")
            lines += 1
    return lines


def _told(question: Question) -> Iterator[str]:
    puzzle = PUZZLES.find(question.puzzle)
    yield f"puzzle: {question.puzzle}: {puzzle.title}"
    yield f"instance: {question.instance.name}"
    options = {name: value for name, value in puzzle.describe(question.instance).items() if name != "apart_from"}
    if options:
        yield "options: " + ", ".join(f"{name} {value}" for name, value in options.items())
    yield f"objective: {question.objective}" + ("" if question.yes_or_no else f" ({_sense(question)})")
    if question.at_least is not None:
        yield f"question: is there a layout of value at least {question.at_least}?"
    if question.at_most is not None:
        yield f"question: is there a layout of value at most {question.at_most}?"


def _left_out(model: Any) -> Iterator[str]:
    if model.leaves_out:
        yield f"of layouts of which one is as good as another some may be left out: {model.leaves_out}"


def _sense(question: Question) -> str:
    sense = PUZZLES.find(question.puzzle).objective(question.objective).sense
    return "any" if sense is None else str(sense)


def _meanings(read: Callable[[Sequence[int]], Layout], variables: range) -> Iterator[str]:
    """Say which mark a variable puts where, found by setting it alone."""
    values = [0] * variables.stop
    plain = read(values)
    for variable in islice(variables, TOLD_VARIABLES):
        values[variable] = 1
        changed = _difference(plain, read(values))
        values[variable] = 0
        if changed:
            yield f"variable {variable} true: {'; '.join(changed)}"


def _difference(plain: Layout, layout: Layout) -> list[str]:
    return [
        f"{mark} at row {r} column {c}"
        for r, (before, after) in enumerate(zip(plain, layout, strict=True), start=1)
        if before != after
        for c, (old, mark) in enumerate(zip(before, after, strict=True), start=1)
        if old != mark
    ]
