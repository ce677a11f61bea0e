"""Makes certificates: a claim about an instance, its layouts, and a proof that a verifier can check.

The engines give the layouts. What a clause certificate refutes is the verifier's own formula (see
`compare.certificates.claims`), by a SAT solver whose proof is written down. So neither the engines nor the solver
need be believed: `compare.certificates.verify` checks what comes out. A frontier certificate holds what the
frontier engine found; a puzzle whose folder has `frontier_certify` can make one, and `frontier_verify` checks it.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from twinproof.compare.certificates.claims import (
    CLAIMS,
    Claim,
    can_break_symmetries,
    check_claim,
    countable,
    encode,
    refuted,
)
from twinproof.compare.certificates.verify import ENCODINGS, FORM, PROOF_ENDING, text_digest
from twinproof.compare.certificates.words import in_words
from twinproof.compare.output.records import json_text, write_files, write_json
from twinproof.compare.questions.answer import Question, answer
from twinproof.models.grid import Cell
from twinproof.models.puzzle import Layout, Puzzle
from twinproof.optim import EngineError, InputError, Limits, OnProgress, Outcome, Status, Stop
from twinproof.optim.process.call import call
from twinproof.optim.proof.cnf import Encoding
from twinproof.optim.request import EngineOptions

WAYS = ("clauses", "frontier")
"""The ways to prove a claim: a refutation of clauses, or the states that the frontier engine went through."""

FRONTIER = "frontier_certify"
"""The part of a puzzle that makes frontier certificates."""

NO_LAYOUT = "there is no layout, so nothing {}; try --claim infeasible"


@dataclass(frozen=True)
class Wanted:
    """What is to be certified.

    Parameters
    ----------
    puzzle : Puzzle
    instance : instance
    claim : {"optimum", "unique", "infeasible", "forced"}
    fallback : bool
        Whether to certify that there is no layout, if there is none.
    objective : str, optional
        What is optimal, or bounded by an infeasible claim.
    at_least, at_most : int, optional
        The bound of an infeasible claim.
    symmetry_breaking : bool
        Whether to refute only the lexicographically first of the layouts that are alike up to a symmetry, where
        that is possible.
    """

    puzzle: Puzzle[Any]
    instance: Any
    claim: str
    fallback: bool = False
    objective: str | None = None
    at_least: int | None = None
    at_most: int | None = None
    symmetry_breaking: bool = True

    @property
    def bounded(self) -> bool:
        """Whether it is said that no layout has a value of at least or at most a number."""
        return self.at_least is not None or self.at_most is not None

    @property
    def claimed_objective(self) -> str | None:
        """The objective that the claim speaks of; None if there is no number in it."""
        return self.puzzle.objective(self.objective).name if self.claim == "optimum" or self.bounded else None


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


def default_claim(puzzle: Puzzle[Any], bounded: bool) -> str:
    """Give the claim that is meant where none is named.

    Parameters
    ----------
    puzzle : Puzzle
        The puzzle, whose first claim is the usual one.
    bounded : bool
        Whether a bound is given.

    Returns
    -------
    str
        One of `puzzle.claims`.
    """
    return "infeasible" if bounded else puzzle.claims[0]


def check_wanted(wanted: Wanted) -> None:
    """Refuse what cannot be certified, before any work.

    Raises
    ------
    InputError
        If it cannot.
    """
    puzzle, objective = wanted.puzzle, wanted.claimed_objective
    if wanted.claim not in CLAIMS:
        raise InputError(f"claim {wanted.claim!r}: unknown; known are {', '.join(CLAIMS)}")
    if wanted.bounded and wanted.claim != "infeasible":
        raise InputError(f"claim {wanted.claim}: --at-least and --at-most go with the claim infeasible only")
    if objective is not None:
        countable(puzzle, objective)
        check_claim(puzzle, wanted.instance, wanted.claim, objective)
        Question(puzzle.name, wanted.instance, objective, wanted.at_least, wanted.at_most)
    elif wanted.objective is not None:
        raise InputError(f"objective {wanted.objective}: has no part in a claim {wanted.claim} without a number")
    check_claim(puzzle, wanted.instance, wanted.claim, None)


def choose_way(wanted: Wanted, by: str | None = None) -> str:
    """Choose how a claim is proved: by the frontier engine where its puzzle can, otherwise by clauses.

    Parameters
    ----------
    wanted : Wanted
    by : {"clauses", "frontier"}, optional
        The way that is asked for.

    Raises
    ------
    InputError
        If there is no such way, or the claim cannot be proved in it.
    """
    if by is not None and by not in WAYS:
        raise InputError(f"--by {by}: unknown; known are {', '.join(WAYS)}")
    if by == "clauses":
        return _by_clauses(wanted)
    objective = wanted.claimed_objective
    optimum = wanted.claim == "optimum" and wanted.symmetry_breaking and not wanted.bounded
    part = wanted.puzzle.part(FRONTIER) if optimum and wanted.puzzle.has(FRONTIER) else None
    if part is not None and part.can_certify(wanted.instance, objective):
        part.check_certifiable(wanted.instance, objective)
        return "frontier"
    if by == "frontier":
        raise InputError(f"--by frontier: {wanted.puzzle.name} has no frontier certificate of this claim")
    return _by_clauses(wanted)


def _by_clauses(wanted: Wanted) -> str:
    """Refuse a puzzle that lacks the clauses, or the model for the layout of which something is claimed."""
    wanted.puzzle.part("clauses", "encode")
    if wanted.claim in ("optimum", "unique") and not wanted.puzzle.has("cpsat"):
        wanted.puzzle.part("cpsat")
    return "clauses"


def certify_frontier(
    wanted: Wanted,
    output: Path,
    command: str,
    limits: Limits | None = None,
    on_progress: OnProgress | None = None,
    isolated: bool = True,
) -> Certified:
    """Find the optimum by the frontier engine, and write what it proved into a certificate.

    Parameters
    ----------
    wanted : Wanted
    output : Path
        The certificate, NAME.json.
    command, limits, on_progress, isolated
        See `certify_clauses`.

    Raises
    ------
    InputError
        If it cannot be certified.
    EngineError
        If the engine's answer is refuted.
    """
    part, objective = wanted.puzzle.part(FRONTIER), wanted.puzzle.objective(wanted.objective).name
    part.check_certifiable(wanted.instance, objective)
    question = Question(wanted.puzzle.name, wanted.instance, objective)
    outcome = answer(question, "frontier", limits, on_progress, EngineOptions(evidence=True), isolated).outcome
    if not outcome.settled:
        return Certified("", stopped=outcome.stopped)
    if outcome.status is Status.INFEASIBLE:
        return Certified(NO_LAYOUT.format(wanted.claim))
    content = part.certify(wanted.instance, outcome, command)
    write_json(output, content)
    claim = Claim("optimum", objective, outcome.value)
    return Certified(in_words(wanted.puzzle, wanted.instance, claim), written=True)


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
    puzzle, instance = wanted.puzzle, wanted.instance
    limits = limits or Limits()
    start = time.monotonic()
    claim = _claim(wanted, limits, on_progress, isolated)
    if isinstance(claim, Certified):
        return claim
    breakable = claim.kind in ("optimum", "infeasible") and can_break_symmetries(puzzle)
    lex_leaders = wanted.symmetry_breaking and breakable
    proof_path = output.with_name(output.stem + PROOF_ENDING)
    content: dict[str, Any] = {}

    def write_proof(temporary: Path) -> None:
        left = _left(limits, start)
        arguments = (puzzle, instance, claim, lex_leaders, temporary, limits.seed)
        called = call(_refute, *arguments, limits=left, isolated=isolated)
        if not called.results:
            raise _AbandonedError(Certified("", stopped=called.stopped))
        formula, proof, layout = called.results[0]
        if layout is not None:
            raise _AbandonedError(_contradicted(wanted, claim, layout))
        content.update(formula=formula, proof={"file": proof_path.name, **proof})

    def write_certificate(temporary: Path) -> None:
        text = json_text(_certificate(wanted, command, claim, lex_leaders) | content)
        temporary.write_text(text, encoding="utf-8")

    try:
        # Both or none: a certificate that was there before must not end up beside a proof of another claim.
        write_files({proof_path: write_proof, output: write_certificate})
    except _AbandonedError as abandoned:
        return abandoned.came
    return Certified(in_words(puzzle, instance, claim), written=True)


def _certificate(wanted: Wanted, command: str, claim: Claim, lex_leaders: bool) -> dict[str, Any]:
    """Give a certificate but for formula and proof."""
    instance = wanted.puzzle.to_json(wanted.instance)
    return {
        "form": FORM,
        "command": command,
        "puzzle": wanted.puzzle.name,
        "instance": instance,
        "claim": _plain_claim(claim),
        "layouts": list(map(list, claim.layouts)),
        "encoding": next(name for name, with_leaders in ENCODINGS.items() if with_leaders == lex_leaders),
        "instance_digest": text_digest(instance),
    }


def _left(limits: Limits, start: float) -> Limits:
    """Give what is left of the time."""
    if limits.time is None:
        return limits
    return replace(limits, time=max(limits.time - (time.monotonic() - start), 0.001))


def _claim(wanted: Wanted, limits: Limits, on_progress: OnProgress | None, isolated: bool) -> Claim | Certified:
    """Find the claim, with its layouts; or say why there is none."""
    puzzle = wanted.puzzle
    if wanted.claim == "infeasible":
        objective = wanted.claimed_objective
        return Claim("infeasible", objective, at_least=wanted.at_least, at_most=wanted.at_most)
    if wanted.claim == "forced":
        called = call(_forced, puzzle, wanted.instance, limits=limits, isolated=isolated)
        if not called.results:
            return Certified("", stopped=called.stopped)
        return called.results[0] or _no_layout(wanted)
    objective = wanted.claimed_objective or _any_layout(puzzle)
    question = Question(puzzle.name, wanted.instance, objective)
    outcome = answer(question, "cpsat", limits, on_progress, isolated=isolated).outcome
    if not outcome.settled:
        return Certified("", stopped=outcome.stopped)
    if outcome.status is Status.INFEASIBLE:
        return _no_layout(wanted)
    return _claim_from(wanted.claim, objective, outcome)


def _any_layout(puzzle: Puzzle[Any]) -> str:
    """Give an objective under which any layout that keeps the rules is an answer, if there is one."""
    free = [one for one in puzzle.objectives if one.sense is None]
    return (free or puzzle.objectives)[0].name


def _claim_from(kind: str, objective: str, outcome: Outcome[Layout]) -> Claim:
    assert outcome.layout is not None
    if kind == "unique":
        return Claim("unique", layouts=(outcome.layout,))
    return Claim("optimum", objective, outcome.value, layouts=(outcome.layout,))


def _no_layout(wanted: Wanted) -> Claim | Certified:
    if wanted.fallback:
        return Claim("infeasible")
    return Certified(NO_LAYOUT.format(wanted.claim))


def _contradicted(wanted: Wanted, claim: Claim, layout: Layout) -> Certified:
    """Say what a layout means that a claim says cannot be."""
    drawn = "\n".join(layout)
    broken = wanted.puzzle.rules.violations(wanted.instance, layout)
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


# --- What runs in a child process; only that loads a solver ------------------------------------------------------


def _refute(
    puzzle: Puzzle[Any], instance: Any, claim: Claim, lex_leaders: bool, path: Path, seed: int
) -> tuple[dict[str, Any], dict[str, Any], Layout | None]:
    """Refute what would make a claim false; gives what is to be said of formula and proof, or a layout."""
    from twinproof.optim.proof.refute import Refutation, refute  # noqa: PLC0415

    formula = refuted(puzzle, instance, claim, lex_leaders)
    said = {"variables": formula.variables, "clauses": len(formula.clauses), "digest": formula.digest()}
    came = refute(formula.clauses, path, seed)
    if isinstance(came, Refutation):
        return said, {"steps": came.steps, "digest": came.digest}, None
    return said, {}, _draw(puzzle, instance, encode(puzzle, instance), came)


def _forced(puzzle: Puzzle[Any], instance: Any) -> Claim | None:
    """Find the cells that are alike in all layouts, and layouts that show that no others are."""
    from pysat.solvers import Solver  # noqa: PLC0415

    encoding = encode(puzzle, instance)
    if () in encoding.formula.clauses:  # PySAT would pass it over
        return None
    layouts: list[Layout] = []
    # Literals that no layout has shown yet: of every cell, that the mark stands there, and that it does not.
    unseen = {literal for variable in encoding.marks.values() for literal in (variable, -variable)}
    forced: set[int] = set()
    with Solver(name="minisat22", bootstrap_with=[list(clause) for clause in encoding.formula.clauses]) as solver:
        if not solver.solve():
            return None
        while unseen:
            # The solver shall show what has not been seen yet, wherever it has a choice.
            solver.set_phases(sorted(unseen, key=abs))
            literal = min(unseen, key=lambda one: (abs(one), one))
            if solver.solve(assumptions=[literal]):
                model = set(solver.get_model() or [])
                shown = {one for one in unseen if one in model or (one < 0 and -one not in model)}
                layouts.append(_draw(puzzle, instance, encoding, sorted(model)))
                unseen -= shown
            else:
                forced.add(-literal)
                unseen.discard(literal)
        if not layouts:  # there is no cell to ask about
            solver.solve()
            layouts.append(_draw(puzzle, instance, encoding, solver.get_model() or []))
    cells = {variable: cell for (_, cell), variable in encoding.marks.items()}
    return Claim(
        "forced",
        layouts=tuple(layouts),
        without=tuple(sorted(cells[-literal] for literal in forced if literal < 0)),
        with_mark=tuple(sorted(cells[literal] for literal in forced if literal > 0)),
    )


def _draw(puzzle: Puzzle[Any], instance: Any, encoding: Encoding, model: Sequence[int]) -> Layout:
    """Draw the layout that a model says."""
    true = set(model)
    return puzzle.draw(
        instance, {cell: mark for (mark, cell), variable in encoding.marks.items() if variable in true}
    )
