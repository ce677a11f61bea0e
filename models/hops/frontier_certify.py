"""Frontier certificates of the hops puzzle: the most hops, so that a verifier need not believe the engine.

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

from twinproof.models.field.json_form import field_to_json
from twinproof.models.field.sweeps import Sweep
from twinproof.models.hops.frontier import choose_sweep, unpacked
from twinproof.models.hops.instance import HopsPuzzle
from twinproof.optim import InputError, Outcome
from twinproof.optim.frontier.search import Evidence
from twinproof.optim.frontier_outcome import frontier_outcome

FORM = "twinproof frontier certificate 1"

Certificate = dict[str, Any]


def can_certify(instance: HopsPuzzle, objective: str) -> bool:
    """Whether it is the most hops of all layouts: certificates say nothing of other questions.

    Parameters
    ----------
    instance : HopsPuzzle
        Neither with a symmetry nor with a fixed number of hops.
    objective : str
        Only `most-hops` can be certified.

    Returns
    -------
    bool
        Whether the field fits the engine is not asked here; see `check_certifiable`.
    """
    return objective == "most-hops" and instance.symmetry is None and instance.hops is None


def check_certifiable(instance: HopsPuzzle, objective: str) -> None:
    """Refuse what cannot be certified, before any work.

    Parameters
    ----------
    instance : HopsPuzzle
        The instance.
    objective : str
        The objective.

    Raises
    ------
    InputError
        If it is another question, or the field is too wide for the frontier engine.
    """
    if objective != "most-hops" or instance.hops is not None:
        raise InputError(f"certify: frontier certificates are of the most hops, and not of {objective}")
    if instance.symmetry is not None:
        raise InputError(
            f"certify: frontier certificates are of all layouts, not of those with {instance.symmetry}"
        )
    choose_sweep(instance)


def certify(instance: HopsPuzzle, outcome: Outcome[tuple[str, ...]], command: str) -> Certificate:
    """Put what the frontier engine proved into a certificate.

    Parameters
    ----------
    instance : HopsPuzzle
    outcome : Outcome
        An optimum, with its evidence.
    command : str
        What repeats this.
    """
    assert outcome.value is not None
    assert outcome.layout is not None
    sweep = choose_sweep(instance)
    content: Certificate = {
        "form": FORM,
        "command": command,
        "puzzle": "hops",
        "instance": {
            **field_to_json(instance.field),
            "kind": instance.kind.name,
            "nozzle": instance.kind.nozzle,
            "harvest": instance.harvest,
            "entrances": [[r + 1, c + 1] for r, c in sorted(instance.entrances)],
            "dry_paths": instance.dry_paths,
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
        content |= _rounds(frontier_outcome(outcome).evidence, sweep)
    return content | {"digest": _digest(content)}


def _digest(content: Certificate) -> str:
    """Give the BLAKE2b digest, in hexadecimal digits, of a certificate that has none yet."""
    plain = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(plain.encode(), digest_size=32).hexdigest()


def _rounds(evidence: Evidence, sweep: Sweep) -> Certificate:
    """Give the states at the cut in the order of their bytes, and the rounds of pruning in the same order."""
    codes = unpacked(evidence.cut, sweep.cut)
    # Nothing is left to tell states of no tile apart.
    order = np.lexsort(codes.T[::-1]) if codes.shape[1] else np.arange(len(codes))
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
