"""Writes certificates: claims that a verifier can check without believing the engine that made them.

A frontier certificate holds the instance, the best layout, and why no layout has a hop more: the states at the cut
of the sweep, and for each round of pruning the potentials and the states that are left. See
`models.hops.frontier_verify`, which shares no code with the engine.
"""

import base64
import hashlib
import json
import lzma
from typing import Any

import numpy as np
import numpy.typing as npt

from twinproof.compare.catalogue import entry
from twinproof.compare.questions.answer import Question, answer
from twinproof.models.field.sweeps import Sweep
from twinproof.models.hops.frontier import choose_sweep, unpacked
from twinproof.models.hops.instance import HopsPuzzle
from twinproof.optim import InputError, Limits, OnProgress, Outcome, Status
from twinproof.optim.frontier.search import Evidence

__all__ = ["certify_hops", "check_certifiable", "digest"]

FORM = "twinproof frontier certificate 1"

Certificate = dict[str, Any]


def certify_hops(
    question: Question, command: str, limits: Limits | None = None, on_progress: OnProgress | None = None
) -> tuple[Certificate | None, Outcome[tuple[str, ...]]]:
    """Solve a hops puzzle by the frontier engine and put its proof into a certificate.

    Parameters
    ----------
    question : Question
    command : str
        What repeats this.
    limits, on_progress
        See `optim.engine.solve`.

    Returns
    -------
    tuple
        The certificate, None if the search was stopped, and the outcome.

    Raises
    ------
    InputError
        If it is not a hops puzzle for the most hops and without a symmetry, or too wide.
    """
    puzzle = check_certifiable(question)
    outcome = answer(question, "frontier", limits, on_progress, evidence=True).outcome
    if outcome.status is not Status.OPTIMAL or outcome.layout is None or outcome.value is None:
        return None, outcome
    field = puzzle.field
    sweep = choose_sweep(puzzle)
    content: Certificate = {
        "form": FORM,
        "command": command,
        "puzzle": question.name,
        "instance": {
            "name": field.name,
            "map": list(entry(question.name).rows(puzzle)),
            "kind": puzzle.kind.name,
            "nozzle": puzzle.kind.nozzle,
            "harvest": puzzle.harvest,
            "entrances": [[r + 1, c + 1] for r, c in sorted(puzzle.entrances)],
            "dry_paths": puzzle.dry_paths,
        },
        "value": outcome.value,
        "layout": list(outcome.layout),
        "target": outcome.value + 1,
        "sweep": {
            "order": [[r + 1, c + 1] for r, c in sweep.order],
            "period": sweep.period,
            "ring": sweep.is_ring,
        },
    }
    if sweep.is_ring:
        content |= _rounds(outcome.evidence, sweep)
    return content | {"digest": digest(content)}, outcome


def check_certifiable(question: Question) -> HopsPuzzle:
    """Give the puzzle of a question that can be certified.

    Raises
    ------
    InputError
        If it is not a hops puzzle for the most hops and without a symmetry, or too wide.
    """
    puzzle = question.puzzle
    if not isinstance(puzzle, HopsPuzzle) or question.objective != "most-hops" or question.yes_or_no:
        raise InputError("certify: frontier certificates are of hops puzzles, for the most hops")
    if puzzle.symmetry is not None:
        raise InputError("certify: not with a symmetry; the certificate says that no layout at all has more hops")
    choose_sweep(puzzle)
    return puzzle


def digest(content: Certificate) -> str:
    """Give the BLAKE2b digest, in hexadecimal digits, of a certificate without its own digest."""
    rest = {key: value for key, value in content.items() if key != "digest"}
    plain = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(plain.encode(), digest_size=32).hexdigest()


def _rounds(evidence: Evidence, sweep: Sweep) -> Certificate:
    """Give the states at the cut in the order of their bytes, and the rounds of pruning in the same order."""
    codes = unpacked(evidence.cut, sweep.cut)
    order = np.lexsort(codes.T[::-1])
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    stages = []
    for stage in evidence.stages:
        by_rank = np.argsort(rank[stage.alive])
        stages.append(
            {
                "potentials": _packed(stage.potential[by_rank].astype("<i4")),
                "kept": _packed(np.packbits(stage.kept[by_rank])),
            }
        )
    return {"count": len(order), "states": _packed(codes[order]), "stages": stages}


def _packed(array: npt.NDArray[Any]) -> str:
    return base64.b64encode(lzma.compress(np.ascontiguousarray(array).tobytes(), preset=9)).decode()
