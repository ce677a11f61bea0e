"""Makes clause certificates: a claim about a puzzle, its layouts, and a refutation of what would make it false.

The engines give the layouts. What is refuted is the verifier's own formula (see `compare.clauses`), by a SAT
solver whose proof is written down. So neither the engines nor the solver need be believed:
`compare.certificates.verify` checks what comes out.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from twinproof.compare.catalogue import entry
from twinproof.compare.certificates.claims import (
    CLAIMS,
    WITH_LEADERS,
    Claim,
    Layout,
    board_of,
    check_claim,
    counted_mark,
    refuted,
)
from twinproof.compare.certificates.instance import write_instance
from twinproof.compare.certificates.verify import ENCODINGS, FORM, PROOF_ENDING, in_words, text_digest
from twinproof.compare.output.records import write_file, write_json
from twinproof.compare.questions.answer import Question, answer
from twinproof.models.grid import Cell
from twinproof.models.hops.instance import HopsPuzzle
from twinproof.models.lightup.instance import LightUpPuzzle
from twinproof.models.minesweeper.instance import MinesweeperPuzzle
from twinproof.models.sprinklers.instance import SprinklerPuzzle
from twinproof.models.starbattle.instance import StarBattlePuzzle
from twinproof.optim import EngineError, InputError, Limits, OnProgress, Outcome, Status, Stop
from twinproof.optim.process.call import call
from twinproof.optim.proof.cnf import Board

__all__ = ["Certified", "Wanted", "certify_clauses", "check_wanted", "default_claim"]


@dataclass(frozen=True)
class Wanted:
    """What is to be certified.

    Parameters
    ----------
    name : str
        The puzzle's name.
    puzzle : Puzzle
    claim : {"optimum", "unique", "infeasible", "forced"}
    fallback : bool
        Whether to certify that there is no layout, if there is none.
    objective : str, optional
        What is optimal, or bounded by an infeasible claim.
    at_least, at_most : int, optional
        Of an infeasible claim.
    leaders : bool
        Whether to refute only layouts that are the first of those alike up to a symmetry, where that is possible.
    """

    name: str
    puzzle: Any
    claim: str
    fallback: bool = False
    objective: str | None = None
    at_least: int | None = None
    at_most: int | None = None
    leaders: bool = True


@dataclass(frozen=True)
class Certified:
    """What came of it.

    Parameters
    ----------
    message : str
        In words.
    written : bool
        Whether there is a certificate now.
    stopped : Stop, optional
        The limit that ended the work, if one did.
    """

    message: str
    written: bool = False
    stopped: Stop | None = None


class _AbandonedError(Exception):
    """There is nothing to write."""

    def __init__(self, came: Certified) -> None:
        super().__init__()
        self.came = came


def default_claim(name: str, bounded: bool) -> str:
    """Give the claim that is meant where none is named."""
    if bounded:
        return "infeasible"
    return {"sprinklers": "optimum", "hops": "optimum", "minesweeper": "forced"}.get(name, "unique")


def check_wanted(wanted: Wanted) -> None:
    """Refuse what cannot be certified, before any work.

    Raises
    ------
    InputError
        If it cannot.
    """
    bounded = wanted.at_least is not None or wanted.at_most is not None
    if wanted.claim not in CLAIMS:
        raise InputError(f"claim {wanted.claim!r}: unknown; known are {', '.join(CLAIMS)}")
    if bounded and wanted.claim != "infeasible":
        raise InputError(f"claim {wanted.claim}: --at-least and --at-most go with the claim infeasible only")
    if wanted.claim == "optimum" or bounded:
        objective = wanted.objective or next(iter(entry(wanted.name).objectives))
        counted_mark(wanted.name, objective)
        check_claim(wanted.name, wanted.puzzle, wanted.claim, objective)
        Question(wanted.name, wanted.puzzle, objective, wanted.at_least, wanted.at_most)
    elif wanted.objective is not None:
        raise InputError(f"objective {wanted.objective}: has no part in a claim {wanted.claim} without a number")
    check_claim(wanted.name, wanted.puzzle, wanted.claim, None)


def certify_clauses(
    wanted: Wanted,
    output: Path,
    command: str,
    limits: Limits | None = None,
    on_progress: OnProgress | None = None,
    isolated: bool = True,
) -> Certified:
    """Find what a claim needs, refute what would make it false, and write the certificate and its proof.

    Parameters
    ----------
    wanted : Wanted
    output : Path
        The certificate, NAME.json; the proof becomes NAME.lrat.xz beside it.
    command : str
        What repeats this.
    limits, on_progress
        See `optim.engine.solve`; of all the work together.
    isolated : bool
        Whether to work in child processes; only then do limits hold.

    Raises
    ------
    InputError
        If it cannot be certified.
    EngineError
        If an engine's answer is refuted, or a solver fails.
    """
    check_wanted(wanted)
    limits = limits or Limits()
    start = time.monotonic()
    claim = _claim(wanted, limits, on_progress, isolated)
    if isinstance(claim, Certified):
        return claim
    leaders = wanted.leaders and wanted.name in WITH_LEADERS and claim.kind in ("optimum", "infeasible")
    proof_path = output.with_name(output.stem + PROOF_ENDING)
    content: dict[str, Any] = {}

    def write_proof(temporary: Path) -> None:
        left = _left(limits, start)
        arguments = (wanted.name, wanted.puzzle, claim, leaders, temporary, limits.seed)
        called = call(_refute, *arguments, limits=left, isolated=isolated)
        if not called.results:
            raise _AbandonedError(Certified("", stopped=called.stopped))
        formula, proof, layout = called.results[0]
        if layout is not None:
            raise _AbandonedError(_contradicted(wanted, claim, layout))
        content.update(formula=formula, proof={"file": proof_path.name, **proof})

    try:
        write_file(proof_path, write_proof)
    except _AbandonedError as abandoned:
        return abandoned.came
    instance = write_instance(wanted.puzzle)
    write_json(
        output,
        {
            "form": FORM,
            "command": command,
            "puzzle": wanted.name,
            "instance": instance,
            "claim": _plain_claim(claim),
            "layouts": list(map(list, claim.layouts)),
            "encoding": next(name for name, with_leaders in ENCODINGS.items() if with_leaders == leaders),
            "instance_digest": text_digest(instance),
            **content,
        },
    )
    return Certified(in_words(wanted.name, wanted.puzzle, claim), written=True)


def _left(limits: Limits, start: float) -> Limits:
    """Give what is left of the time."""
    if limits.time is None:
        return limits
    return replace(limits, time=max(limits.time - (time.monotonic() - start), 0.001))


def _claim(wanted: Wanted, limits: Limits, on_progress: OnProgress | None, isolated: bool) -> Claim | Certified:
    """Find the claim, with its layouts; or say why there is none."""
    if wanted.claim == "infeasible":
        bounded = wanted.at_least is not None or wanted.at_most is not None
        objective = (wanted.objective or next(iter(entry(wanted.name).objectives))) if bounded else None
        return Claim("infeasible", objective, at_least=wanted.at_least, at_most=wanted.at_most)
    if wanted.claim == "forced":
        called = call(_forced, wanted.name, wanted.puzzle, limits=limits, isolated=isolated)
        if not called.results:
            return Certified("", stopped=called.stopped)
        if called.results[0] is not None:
            return called.results[0]
        return _no_layout(wanted)
    objectives = entry(wanted.name).objectives
    objective = "solution" if wanted.claim == "unique" else wanted.objective or next(iter(objectives))
    question = Question(wanted.name, wanted.puzzle, objective)
    outcome = answer(question, "cpsat", limits, on_progress, isolated=isolated).outcome
    if not outcome.settled:
        return Certified("", stopped=outcome.stopped)
    if outcome.status is Status.INFEASIBLE:
        return _no_layout(wanted)
    return _claim_from(wanted.claim, objective, outcome)


def _claim_from(kind: str, objective: str, outcome: Outcome[Layout]) -> Claim:
    assert outcome.layout is not None
    if kind == "unique":
        return Claim("unique", layouts=(outcome.layout,))
    return Claim("optimum", objective, outcome.value, layouts=(outcome.layout,))


def _no_layout(wanted: Wanted) -> Claim | Certified:
    if wanted.fallback:
        return Claim("infeasible")
    return Certified(f"there is no layout, so nothing {wanted.claim}; try --claim infeasible")


def _contradicted(wanted: Wanted, claim: Claim, layout: Layout) -> Certified:
    """Say what a layout means that a claim says cannot be."""
    drawn = "\n".join(layout)
    broken = entry(wanted.name).violations(wanted.puzzle, layout)
    if broken:
        raise EngineError(f"the verifier's clauses allow a layout that breaks a rule: {broken[0]}")
    if claim.kind == "unique":
        return Certified("\n".join((*claim.layouts[0], "another layout:", drawn, "not unique")))
    if claim.kind == "infeasible":
        return Certified(f"{drawn}\nnot infeasible: there is a layout")
    raise EngineError(f"what the engines found is refuted by this layout:\n{drawn}")


def _plain_claim(claim: Claim) -> dict[str, Any]:
    """Put a claim into plain values."""
    content: dict[str, Any] = {"kind": claim.kind}
    for key in ("objective", "value", "at_least", "at_most"):
        if getattr(claim, key) is not None:
            content[key] = getattr(claim, key)
    if claim.kind == "forced":
        content |= {"without": _pairs(claim.without), "with": _pairs(claim.with_mark)}
    return content


def _pairs(cells: Sequence[Cell]) -> list[list[int]]:
    return [[r + 1, c + 1] for r, c in cells]


# --- What runs in a child process; only that loads a solver
# -------------------------------------------------------


def _refute(
    name: str, puzzle: Any, claim: Claim, leaders: bool, path: Path, seed: int
) -> tuple[dict[str, Any], dict[str, Any], Layout | None]:
    """Refute what would make a claim false; gives what is to be said of formula and proof, or a layout."""
    from twinproof.optim.proof.refute import Refutation, refute  # noqa: PLC0415

    formula = refuted(name, puzzle, claim, leaders)
    said = {"variables": formula.variables, "clauses": len(formula.clauses), "digest": formula.digest()}
    came = refute(formula.clauses, path, seed)
    if isinstance(came, Refutation):
        return said, {"steps": came.steps, "digest": came.digest}, None
    return said, {}, _draw(puzzle, board_of(name, puzzle), came)


def _forced(name: str, puzzle: Any) -> Claim | None:
    """Find the cells that are alike in all layouts, and layouts that show that no others are."""
    from pysat.solvers import Solver  # noqa: PLC0415

    board = board_of(name, puzzle)
    layouts: list[Layout] = []
    # Literals that no layout has shown yet: of every cell, that the mark stands there, and that it does not.
    unseen = {literal for variable in board.marks.values() for literal in (variable, -variable)}
    forced: set[int] = set()
    with Solver(name="minisat22", bootstrap_with=[list(clause) for clause in board.formula.clauses]) as solver:
        if not solver.solve():
            return None
        while unseen:
            # The solver shall show what has not been seen yet, wherever it has a choice.
            solver.set_phases(sorted(unseen, key=abs))
            literal = min(unseen, key=lambda one: (abs(one), one))
            if solver.solve(assumptions=[literal]):
                model = set(solver.get_model() or [])
                shown = {one for one in unseen if one in model or (one < 0 and -one not in model)}
                layouts.append(_draw(puzzle, board, sorted(model)))
                unseen -= shown
            else:
                forced.add(-literal)
                unseen.discard(literal)
        if not layouts:  # there is no cell to ask about
            solver.solve()
            layouts.append(_draw(puzzle, board, solver.get_model() or []))
    cells = {variable: cell for (_, cell), variable in board.marks.items()}
    return Claim(
        "forced",
        layouts=tuple(layouts),
        without=tuple(sorted(cells[-literal] for literal in forced if literal < 0)),
        with_mark=tuple(sorted(cells[literal] for literal in forced if literal > 0)),
    )


def _draw(puzzle: Any, board: Board, model: Sequence[int]) -> Layout:
    """Draw the layout that a model says."""
    true = set(model)
    marks = {cell: mark for (mark, cell), variable in board.marks.items() if variable in true}
    if isinstance(puzzle, SprinklerPuzzle | HopsPuzzle):
        return puzzle.field.rows({tile: marks.get(tile, ".") for tile in puzzle.field.tiles})
    if isinstance(puzzle, StarBattlePuzzle):
        return puzzle.rows([[(r, c) in marks for c in range(puzzle.width)] for r in range(puzzle.height)])
    if isinstance(puzzle, LightUpPuzzle):
        return puzzle.layout(set(marks))
    assert isinstance(puzzle, MinesweeperPuzzle)
    return puzzle.rows(marks)
