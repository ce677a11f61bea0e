"""A question answered by a certificate: one is made, then checked by the verifier, and only that counts."""

import tempfile
from pathlib import Path
from time import monotonic
from typing import Any

from twinproof.compare.certificates.certify import Wanted, certify_clauses
from twinproof.compare.certificates.verify import read_certificate, verify_clauses
from twinproof.compare.questions.answer import Question
from twinproof.models import PUZZLES
from twinproof.models.text.json_values import json_object
from twinproof.optim import EngineError, Limits

CERTIFICATE = "certificate"
"""The name of this way to an answer among the engines of a suite."""


def certify_question(question: Question, limits: Limits, isolated: bool = True) -> dict[str, Any]:
    """Certify the optimum, or that no layout has the value asked for, and verify the certificate.

    Parameters
    ----------
    question : Question
    limits : Limits
        Of finding and refuting; checking comes on top.
    isolated : bool
        See `optim.engine.solve`.

    Returns
    -------
    dict
        As `compare.output.records.record` gives it, as far as it applies, and `steps` and `proof_bytes` of the
        proof.

    Raises
    ------
    InputError
        If the question is none that can be certified.
    EngineError
        If the certificate is not valid.
    """
    start = monotonic()
    wanted = Wanted(
        PUZZLES.find(question.puzzle),
        question.instance,
        "infeasible" if question.yes_or_no else "optimum",
        objective=question.objective,
        at_least=question.at_least,
        at_most=question.at_most,
    )
    said: dict[str, Any] = {"status": "unknown", "value": None, "bound": None, "layout": None, "stopped": None}
    with tempfile.TemporaryDirectory(prefix="twinproof-") as folder:
        path = Path(folder) / "certificate.json"
        came = certify_clauses(wanted, path, "", limits, isolated=isolated)
        if came.written:
            content = json_object(path.read_text(encoding="utf-8"), path.name)
            certificate = read_certificate(content, path.parent)
            verdict = verify_clauses(certificate)
            if not verdict.valid:
                raise EngineError(f"the certificate is not valid: {verdict.reasons[0]}")
            said |= _what_it_says(content)
            said |= {"steps": verdict.facts["steps"], "proof_bytes": certificate.proof_path.stat().st_size}
        elif came.stopped is not None:
            said["stopped"] = came.stopped.value
        else:
            raise EngineError(came.message.splitlines()[-1])
    return said | {"seconds": round(monotonic() - start, 3), "startup": 0.0, "peak_mb": None, "trace": []}


def _what_it_says(content: dict[str, Any]) -> dict[str, Any]:
    claim = content["claim"]
    if claim["kind"] == "infeasible":
        return {"status": "infeasible"}
    value = claim["value"]
    return {"status": "optimal", "value": value, "bound": value, "layout": content["layouts"][0]}
