"""Results on file: what is promised, what was changed, what was cut off."""

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.running import Run
from tests.support.suites import SMALL, TINY, result_lines, suite_of, verdicts_of
from twinproof.compare.campaign.case import run_case
from twinproof.compare.campaign.results import open_results, read_results
from twinproof.compare.campaign.run import judge_suite, missing
from twinproof.optim import InputError


def test_results_have_what_is_promised(tmp_path: Path) -> None:
    suite = suite_of(SMALL, tmp_path)
    verdicts_of(suite, tmp_path)
    lines = result_lines(tmp_path / "results.jsonl")
    assert len(lines) == len({line["key"] for line in lines}) == 10
    assert {"python", "ortools", "python-sat"} <= set(lines[0]["versions"])
    assert {"seed", "limits", "machine", "code", "digest", "finished", "map", "trace"} <= set(lines[0])
    assert read_results(tmp_path / "results.jsonl") == [
        {key: value for key, value in line.items() if key != "digest"} for line in lines
    ]


def test_no_case_runs_twice(tmp_path: Path) -> None:
    suite = suite_of(SMALL, tmp_path)
    verdicts_of(suite, tmp_path)
    with open_results(tmp_path / "results.jsonl") as results:
        assert missing(suite, results.found) == []
    longer = suite_of(SMALL.replace("time = 60", "time = 61"), tmp_path)
    assert len(missing(longer, read_results(tmp_path / "results.jsonl"))) == 10
    more = suite_of(SMALL + "[[case]]\npuzzle = 'sprinklers'\ninstance = 'grid:2x2'\n", tmp_path)
    assert len(missing(more, read_results(tmp_path / "results.jsonl"))) == 2


def test_a_killed_run_loses_at_most_the_line_in_hand(tmp_path: Path) -> None:
    suite = suite_of(SMALL, tmp_path)
    path = tmp_path / "results.jsonl"
    verdicts_of(suite, tmp_path)
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    kept = b"".join(lines[:3])
    for cut in (1, 5, 9, len(lines[3]) // 2, len(lines[3]) - 1):
        path.write_bytes(kept + lines[3][:cut])
        assert len(read_results(path)) == (4 if cut == len(lines[3]) - 1 else 3)
    path.write_bytes(kept + lines[3][:40])
    assert all(verdict.agree for verdict in verdicts_of(suite, tmp_path))
    assert path.read_bytes().startswith(kept + lines[3][:40] + b"\n")  # nothing is ever taken away
    assert len(read_results(path)) == 10


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda text: text.replace('"value": 4', '"value": 5', 1), "was changed since it was written"),
        (lambda text: text.replace('"optimal"', '"infeasible"', 1), "was changed since it was written"),
        (lambda text: "hello\n" + text, "line 1: no result"),
        (lambda text: text + "[]\n", "line 11: no result"),
        (lambda text: text + "{}\n", "line 11: no result"),
    ],
)
def test_a_file_that_was_changed_is_refused(spoil: Callable[[str], str], message: str, tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    verdicts_of(suite_of(SMALL, tmp_path), tmp_path)
    path.write_text(spoil(path.read_text(encoding="utf-8")), encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_results(path)


FIRST = {"status": "optimal", "value": 14, "bound": 14, "layout": ["H"], "seconds": 0.1}
"""What a result says of the objective that comes first."""


def sealed(result: dict[str, Any]) -> str:
    plain = json.dumps(result, sort_keys=True, separators=(",", ":"))
    digest = hashlib.blake2b(plain.encode(), digest_size=16).hexdigest()
    return json.dumps(result | {"digest": digest}) + "\n"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"key": ["x"]}, "line 1: no result"),
        ({"engine": ["x"]}, "line 1: engine: missing, or of a wrong kind"),
        ({"status": "bogus"}, "line 1: status: 'bogus' is none"),
        ({"layout": 7}, "line 1: layout: missing, or of a wrong kind"),
        ({"layout": [1, 2]}, "line 1: layout: must be a list of rows"),
        ({"error": "x"}, "line 1: error: missing"),
        ({"error": {}}, "line 1: error: must have a kind"),
        ({"seconds": None}, "line 1: seconds: missing"),
        ({"seconds": True}, "line 1: seconds: missing"),
        ({"seconds": -1}, "line 1: seconds: missing"),
        ({"seconds": float("nan")}, "line 1: seconds: missing"),
        ({"value": True}, "line 1: value: missing"),
        ({"value": 4.0}, "line 1: value: missing"),
        ({"peak_mb": "much"}, "line 1: peak_mb: missing"),
        ({"startup": float("inf")}, "line 1: startup: missing"),
        ({"stopped": 1}, "line 1: stopped: missing"),
        ({"trace": [[0.1, 4]]}, "line 1: trace: must be"),
        ({"trace": [[0.1, "4", None]]}, "line 1: trace: must be"),
        ({"status": "infeasible"}, "line 1: its status does not fit the rest: infeasible"),
        ({"status": "unknown"}, "line 1: its status does not fit the rest: unknown"),
        ({"layout": None}, "line 1: its status does not fit the rest: optimal"),
        ({"bound": 3}, "line 1: its status does not fit the rest: optimal"),
        ({"bound": None, "value": None}, "line 1: its status does not fit the rest: optimal"),
        ({"error": {"kind": "failed", "message": "x"}}, "line 1: its status does not fit the rest: optimal"),
        ({"most_hops_first": 14}, "line 1: most_hops_first: of a wrong kind"),
        ({"most_hops_first": {}}, "line 1: most_hops_first: status: missing"),
        ({"most_hops_first": FIRST | {"bound": 15}}, "line 1: most_hops_first: its status does not fit"),
    ],
)
def test_a_line_with_the_right_digest_and_wrong_content_is_refused(
    change: dict[str, Any], message: str, tmp_path: Path
) -> None:
    path = tmp_path / "results.jsonl"
    case = suite_of(TINY, tmp_path).asked[0].cases()[1]
    result = dict(run_case(case, isolated=False))
    path.write_text(sealed(result), encoding="utf-8")
    assert len(read_results(path)) == 1
    path.write_text(sealed(result | change), encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(message)):
        read_results(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"value": 3, "bound": 3},
            "sprinklers grid:4x4 fewest-sprinklers: says 3, its layout has 4",
        ),
        ({"layout": ["S..."] * 4}, "breaks a rule: unwatered"),
        ({"layout": ["SSSS"]}, "the layout has 1 row"),
        ({"layout": ["SSSS"] * 4, "value": 16, "bound": 16}, ""),
        ({"status": "feasible", "bound": 5}, "value 4 is better than the proven bound 5"),
        ({"engine": "cpsat"}, "sprinklers grid:4x4 fewest-sprinklers: is that of cpsat for"),
        ({"asked": "0123456789abcdef"}, "is that of maxsat for"),
    ],
)
def test_a_campaign_goes_on_from_no_result_that_is_not_its_own_or_not_what_it_says(
    change: dict[str, Any], message: str, twinproof: Run, tmp_path: Path
) -> None:
    path = tmp_path / "results.jsonl"
    cases = [case for asked in suite_of(TINY, tmp_path).asked for case in asked.cases()]
    results = [dict(run_case(case, isolated=False)) for case in cases]
    results[1] |= change
    path.write_text("".join(map(sealed, results)), encoding="utf-8")
    content = path.read_bytes()
    status, out, err = twinproof("compare", "small.toml", "--results", "results.jsonl")
    assert path.read_bytes() == content
    if message:
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert err.startswith("twinproof: results.jsonl: the result of maxsat for sprinklers grid:4x4")
        assert message in err
    else:  # a layout of the value that it says; that none is better is only said, and the other engine denies it
        assert status == 1
        assert "cpsat says 4 is the best, maxsat says 16 is the best" in err


def test_a_case_stands_once_in_a_file_unless_its_engine_failed(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    suite = suite_of(TINY, tmp_path)
    result = dict(run_case(suite.asked[0].cases()[1], isolated=False))
    failed = result | {"error": {"kind": "failed", "message": "killed"}, "status": "unknown", "layout": None}
    path.write_text(sealed(failed), encoding="utf-8")
    # What failed may do better another time.
    assert len(missing(suite, read_results(path))) == 4
    path.write_text(sealed(failed) + sealed(result), encoding="utf-8")
    assert len(missing(suite, read_results(path))) == 3
    assert judge_suite(suite, read_results(path))[0].failed == ()
    for order in ((result, result | {"value": 5, "bound": 5}), (result, failed)):
        path.write_text("".join(map(sealed, order)), encoding="utf-8")
        with pytest.raises(InputError, match="line 2: the same case as line 1"):
            read_results(path)


def test_two_runs_never_write_to_one_file(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    with open_results(path), pytest.raises(InputError, match="another run"), open_results(path):
        pass
