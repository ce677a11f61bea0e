"""The comparison of a whole suite: verdicts, planted bugs, a pool, a cluster, the command."""

import json
import os
import queue
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.support.running import Run
from tests.support.suites import SMALL, TINY, here, result_lines, suite_of, verdicts_of
from twinproof import Question
from twinproof.compare.campaign import pool
from twinproof.compare.campaign.case import Asked, Case, Known, Result, run_case
from twinproof.compare.campaign.cluster import run_on_cluster
from twinproof.compare.campaign.judge import judge
from twinproof.compare.campaign.pool import run_in_pool
from twinproof.compare.campaign.results import open_results
from twinproof.compare.campaign.run import judge_suite, run_suite
from twinproof.compare.certificates.verify import Certificate, verify_clauses
from twinproof.compare.certificates.verify import Verdict as ClauseVerdict
from twinproof.models import PUZZLES
from twinproof.models.lightup import maxsat as lightup_maxsat
from twinproof.models.sprinklers import cpsat as sprinklers_cpsat
from twinproof.models.sprinklers import maxsat as sprinklers_maxsat
from twinproof.optim import EngineError, InputError, Limits
from twinproof.optim import cpsat as optim_cpsat
from twinproof.optim.maxsat import MaxsatModel
from twinproof.optim.process.children import PATHS
from twinproof.optim.request import Threshold

# -- verdicts


def test_a_suite_without_a_bug_agrees(tmp_path: Path) -> None:
    verdicts = verdicts_of(suite_of(SMALL, tmp_path), tmp_path)
    assert [verdict.agree for verdict in verdicts] == [True] * 5
    # 3 and 4: OEIS A350823; two opposite corners light a ring of eight cells.
    assert [verdict.value for verdict in verdicts] == [3, 4, 2, None, None]
    assert not any(verdict.wrong or verdict.failed for verdict in verdicts)


def test_dropped_clauses_are_caught(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    build = sprinklers_maxsat.build_maxsat

    def without_three(*arguments: Any) -> MaxsatModel[Any]:
        model = build(*arguments)
        if len(model.counted) == 9:
            del model.clauses[:3]  # the first row of the 3x3 need not be watered
        return model

    monkeypatch.setattr(sprinklers_maxsat, "build_maxsat", without_three)
    verdicts = verdicts_of(suite_of(SMALL, tmp_path), tmp_path)
    assert [bool(verdict.wrong) for verdict in verdicts] == [True, False, False, False, False]
    assert "maxsat breaks a rule: unwatered" in verdicts[0].wrong[0]


def test_a_clause_too_many_is_caught(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    # All its layouts are valid; only the other engine, or what is known, can tell that better ones are missing.
    build = lightup_maxsat.build_maxsat

    def no_bulb_in_the_corners(*arguments: Any) -> MaxsatModel[Any]:
        model = build(*arguments)
        for corner in (1, 3, 6, 8):  # the variables of the eight cells, row by row
            model.clauses.append([-corner])
        return model

    monkeypatch.setattr(lightup_maxsat, "build_maxsat", no_bulb_in_the_corners)
    verdicts = verdicts_of(suite_of(SMALL, tmp_path), tmp_path)
    assert [bool(verdict.wrong) for verdict in verdicts] == [False, False, True, False, False]
    assert "cpsat says 2 is the best, maxsat says 4 is the best" in verdicts[2].wrong[0]


def test_a_wrong_offset_is_caught(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    build = sprinklers_cpsat.build_cpsat

    def with_an_offset(*arguments: Any) -> Any:
        model = build(*arguments)
        return replace(model, counted=model.counted + 1)

    monkeypatch.setattr(sprinklers_cpsat, "build_cpsat", with_an_offset)
    verdicts = verdicts_of(suite_of(SMALL, tmp_path), tmp_path)
    assert [bool(verdict.wrong) for verdict in verdicts] == [True, True, False, False, False]
    assert "its layout has 3" in verdicts[0].wrong[0]


def test_a_bug_in_the_wrong_way_of_a_yes_or_no_question_is_caught(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    post = optim_cpsat.post

    def without_threshold(model: Any, threshold: Threshold | None) -> Any:
        return post(model, None if threshold is None else Threshold(at_least=0))

    monkeypatch.setattr(optim_cpsat, "post", without_threshold)
    verdicts = verdicts_of(suite_of(SMALL, tmp_path), tmp_path)
    assert [bool(verdict.wrong) for verdict in verdicts] == [False, False, False, False, True]
    assert "which was not asked" in verdicts[4].wrong[0]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"value": 3, "bound": 3}, "its layout has 4"),
        ({"status": "infeasible", "layout": None, "value": None, "bound": None}, "there is no layout"),
        ({"status": "optimal", "bound": 3}, "called optimal at value 4 with bound 3"),
        ({"status": "unknown", "layout": None, "value": None, "bound": 5}, "none is better than 5"),
        ({"layout": ["SSSS", "....", "....", "...."], "value": 4}, "breaks a rule"),
        ({"layout": ["SSSS"]}, "the layout has 1 row"),
    ],
)
def test_a_forged_result_is_caught(change: dict[str, Any], reason: str, tmp_path: Path) -> None:
    asked = suite_of(SMALL, tmp_path).asked[1]
    results = [run_case(case, isolated=False) for case in asked.cases()]
    assert judge(asked, results).agree is True
    for forged in range(len(results)):
        mixed = [result | change if i == forged else result for i, result in enumerate(map(dict, results))]
        verdict = judge(asked, mixed)
        assert verdict.agree is False
        assert any(reason in text for text in verdict.wrong), verdict.wrong


def test_a_forged_value_that_was_not_asked_for_is_caught(tmp_path: Path) -> None:
    asked = suite_of(
        TINY.replace("engines = [", "at_most = 2\nengines = [").replace("= 4 }", "= 'solvable' }"), tmp_path
    )
    results = [dict(run_case(case, isolated=False)) for case in asked.asked[0].cases()]
    assert [result["status"] for result in results] == ["infeasible", "infeasible"]
    full = {"status": "feasible", "value": 16, "layout": ["SSSS"] * 4}
    verdict = judge(asked.asked[0], [result | full for result in results])
    assert verdict.agree is False
    assert "gives 16, which was not asked" in verdict.wrong[0]


def test_both_engines_wrong_alike_are_caught_by_what_is_known(tmp_path: Path) -> None:
    asked = suite_of(SMALL, tmp_path).asked[1]
    results = [run_case(case, isolated=False) for case in asked.cases()]
    for known in (Known(5, True, "a book"), Known(3), Known(None, False)):
        verdict = judge(replace(asked, known=known), results)
        assert (verdict.agree, len(verdict.wrong)) == (False, 2)
    assert "known is 5 (a book)" in judge(replace(asked, known=Known(5, True, "a book")), results).wrong[0]


def test_a_certificate_is_an_answer_like_others(tmp_path: Path) -> None:
    text = SMALL.replace("[[case]]", '[[case]]\nwith = ["certificate"]').replace(', "solution"]', "]")
    verdicts = verdicts_of(suite_of(text, tmp_path), tmp_path)
    assert [verdict.agree for verdict in verdicts] == [True] * 4
    found = [verdict.results["certificate"] for verdict in verdicts]
    assert [(result["status"], result["value"]) for result in found] == [
        ("optimal", 3),
        ("optimal", 4),
        ("optimal", 2),
        ("infeasible", None),
    ]
    assert all(result["steps"] > 0 for result in found)


def test_a_false_certificate_is_no_answer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    text = SMALL.replace("[[case]]", '[[case]]\nengines = ["certificate"]', 1)

    def refuses(one: Certificate) -> ClauseVerdict:
        return replace(verify_clauses(one), valid=False, reasons=("no",))

    monkeypatch.setattr("twinproof.compare.campaign.certified.verify_clauses", refuses)
    verdict = verdicts_of(suite_of(text, tmp_path), tmp_path)[0]
    assert (verdict.agree, verdict.failed) == (None, ("certificate: the certificate is not valid: no",))


def test_brackets_need_only_contain_each_other(tmp_path: Path) -> None:
    asked = suite_of(SMALL, tmp_path).asked[1]
    first, second = [dict(run_case(case, isolated=False)) for case in asked.cases()]
    open_ = second | {"status": "unknown", "layout": None, "value": None, "bound": 2, "stopped": "time limit"}
    verdict = judge(asked, [first, open_])
    assert (verdict.agree, verdict.wrong, verdict.settled, verdict.value) == (None, (), True, 4)


def test_a_failed_engine_is_no_agreement(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fails(*arguments: Any) -> Any:
        raise InputError("too hard for me")

    monkeypatch.setattr(sprinklers_maxsat, "build_maxsat", fails)
    verdict = verdicts_of(suite_of(SMALL, tmp_path), tmp_path)[0]
    assert (verdict.agree, verdict.wrong, verdict.failed) == (None, (), ("maxsat: too hard for me",))


# -- where cases run


def test_the_pool_runs_every_case_in_processes_of_its_own(tmp_path: Path) -> None:
    suite = suite_of(SMALL, tmp_path)
    cases = [case for asked in suite.asked for case in asked.cases()][:3]
    found = list(run_in_pool(cases, 2))
    assert {result["key"] for result in found} == {case.key for case in cases}
    assert {result["status"] for result in found} == {"optimal"}
    # An interpreter with a solver in it holds more than 20 MB, and so small a puzzle adds little.
    assert all(20 < result["peak_mb"] < 1000 for result in found)


def cases_of(text: str, folder: Path) -> list[Case]:
    return [case for asked in suite_of(text, folder).asked for case in asked.cases()]


READ = (
    f"{PATHS}import os, signal, time; signal.signal(signal.SIGINT, signal.SIG_IGN); "
    "pickle.load(sys.stdin.buffer)\n"
)
"""The beginning of a process of a pool, up to its first case."""


def started(monkeypatch: pytest.MonkeyPatch) -> list["subprocess.Popen[bytes]"]:
    """Remember the processes that are started from now on."""
    found: list[subprocess.Popen[bytes]] = []

    class Remembered(subprocess.Popen[bytes]):
        def __init__(self, *arguments: Any, **named: Any) -> None:
            super().__init__(*arguments, **named)
            found.append(self)

    monkeypatch.setattr(subprocess, "Popen", Remembered)
    return found


@pytest.mark.parametrize(
    ("does", "message"),
    [
        ("os._exit(3)", "a process of the pool died"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "a process of the pool died"),
        ("os.write(1, pickle.dumps({'key': 'x' * 99})[:50]); os._exit(0)", "a process of the pool died"),
        ("os.write(1, pickle.dumps('Traceback\\nKeyError: 7\\n')); time.sleep(3600)", "failed: KeyError: 7"),
    ],
)
def test_a_process_of_the_pool_that_dies_or_fails_ends_the_run(
    does: str, message: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(pool, "BOOTSTRAP", f"{READ}case = pickle.load(sys.stdin.buffer); {does}")
    processes = started(monkeypatch)
    with pytest.raises(EngineError, match=message):
        list(run_in_pool(cases_of(TINY, tmp_path), 2))
    assert len(processes) == 2
    assert all(process.returncode is not None for process in processes)


@pytest.mark.parametrize(
    "does",
    [
        "time.sleep(3600)",
        "os.write(1, pickle.dumps({'key': 'x' * 99})[:50]); time.sleep(3600)",
        "os.write(1, pickle.dumps({})); pickle.load(sys.stdin.buffer); time.sleep(3600)",
    ],
    ids=["searching", "in the midst of a result", "in the next case"],
)
def test_ctrl_c_ends_the_pool_whatever_its_processes_do(
    does: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(pool, "BOOTSTRAP", f"{READ}case = pickle.load(sys.stdin.buffer); {does}")
    processes = started(monkeypatch)
    get = queue.Queue.get

    def press_and_get(self: Any, *arguments: Any, **named: Any) -> Any:
        signal.raise_signal(signal.SIGINT)
        return get(self, *arguments, **named)

    monkeypatch.setattr(queue.Queue, "get", press_and_get)
    with pytest.raises(KeyboardInterrupt):
        list(run_in_pool(cases_of(TINY, tmp_path), 2))
    assert all(process.returncode is not None for process in processes)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_while_a_result_is_taken_in_waits_for_that(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    does = "os.write(1, pickle.dumps({'key': 'x'})); time.sleep(3600)"
    monkeypatch.setattr(pool, "BOOTSTRAP", f"{READ}case = pickle.load(sys.stdin.buffer); {does}")
    taken = []
    results = run_in_pool(cases_of(TINY, tmp_path), 1)
    for result in results:
        signal.raise_signal(signal.SIGINT)
        taken.append(result)
        break
    with pytest.raises(KeyboardInterrupt):
        next(results)
    assert taken == [{"key": "x"}]


def test_a_case_ends_at_its_limits(tmp_path: Path) -> None:
    scarecrow = PUZZLES["sprinklers"].read("scarecrow", {})
    asked = Asked(Question("sprinklers", scarecrow, "fewest-sprinklers"), ("maxsat",), Limits(time=0.001))
    result = run_case(asked.cases()[0])
    assert (result["status"], result["stopped"], result["error"]) == ("unknown", "time limit", None)


@pytest.fixture
def cluster() -> Iterator[tuple[str, list["subprocess.Popen[bytes]"]]]:
    """A Dask scheduler and two workers on this machine, each in a process of its own."""
    pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    port = _free_port()
    address = f"tcp://127.0.0.1:{port}"
    dask = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--no-dashboard"]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--no-dashboard", "--nthreads", "1"]
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    started = [subprocess.Popen([*dask, "--port", str(port)], **quiet)]
    # No nanny: a worker that is killed stays away.
    started += [subprocess.Popen([*worker, "--no-nanny"], **quiet) for _ in range(2)]
    try:
        yield address, started[1:]
    finally:
        for process in started:
            process.kill()
            process.wait()


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


def test_a_cluster_finishes_although_a_worker_is_killed(
    cluster: tuple[str, list["subprocess.Popen[bytes]"]], tmp_path: Path
) -> None:
    address, workers = cluster
    suite = suite_of(TINY, tmp_path)
    path = tmp_path / "results.jsonl"

    def killing(cases: Sequence[Case]) -> Iterator[Result]:
        for number, result in enumerate(run_on_cluster(cases, address)):
            if number == 1:
                workers[0].kill()
            yield result

    with open_results(path) as results:
        run_suite(suite, results, killing)
        verdicts = judge_suite(suite, results.found)
    assert [verdict.agree for verdict in verdicts] == [True] * 2
    assert len(result_lines(path)) == 4


def test_no_scheduler_is_a_clear_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    monkeypatch.setattr("twinproof.compare.campaign.cluster.CONNECT_SECONDS", 1)
    for address in ("nonsense", f"tcp://127.0.0.1:{_free_port()}"):
        with pytest.raises(InputError, match="no scheduler answers"):
            list(run_on_cluster([], address))


# -- the command


@pytest.fixture
def pool_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run all cases in this process, which is faster."""
    monkeypatch.setattr("twinproof.compare.campaign.pool.run_in_pool", lambda cases, jobs: here(cases))


def test_compare_gives_a_table_and_does_not_run_again(twinproof: Run, tmp_path: Path) -> None:
    suite_of(TINY, tmp_path)
    status, out, err = twinproof("compare", "small.toml")
    assert (status, out.count(" agree\n")) == (0, 2)
    assert "4 cases, 0 of them in compare-small.jsonl" in err
    assert err.count("[4/4]") == 1
    status, out, err = twinproof("compare", "small.toml", "--json")
    content = json.loads(out)
    assert (status, content["complete"], len(content["questions"])) == (0, True, 2)
    assert content["questions"][0]["engines"]["maxsat"]["value"] == 4
    assert "4 cases, 4 of them" in err


@pytest.mark.usefixtures("pool_here")
def test_compare_saves_a_disagreement_and_exits_1(twinproof: Run, tmp_path: Path) -> None:
    # What is "known" is wrong here, so all engines are told to be.
    suite_of(TINY.replace('"grid:4x4" = 4', '"grid:4x4" = 5'), tmp_path)
    status, out, err = twinproof("compare", "small.toml")
    assert (status, out.count(" DISAGREE\n"), out.count(" agree\n")) == (1, 1, 1)
    saved = list(tmp_path.glob("disagreement-*.toml"))
    assert len(saved) == 1
    assert f"saved as {saved[0].name}" in err
    assert "known is 5 (OEIS A350823)" in err
    assert twinproof("compare", saved[0].name)[0] == 1


def test_compare_without_a_proof_exits_3_and_shows_no_control_characters(twinproof: Run, tmp_path: Path) -> None:
    escapes = 'title = "\\u001b[31mred"\n[limits]\ntime = 0.001\n'
    name = 'puzzle = "lightup"\nname = "\\u001b\\n\\u0000"'
    suite_of(escapes + TINY.replace('puzzle = "lightup"', name), tmp_path)
    status, out, err = twinproof("compare", "small.toml")
    assert (status, out.count(" open\n")) == (3, 2)
    assert "\x1b" not in out + err
    assert "\\x1b[31mred" in err


@pytest.mark.usefixtures("pool_here")
def test_a_disagreement_that_cannot_be_saved_is_told_all_the_same(twinproof: Run, tmp_path: Path) -> None:
    suite = suite_of(TINY.replace('"grid:4x4" = 4', '"grid:4x4" = 5'), tmp_path)
    (tmp_path / f"disagreement-{suite.asked[0].key}.toml").mkdir()
    status, out, err = twinproof("compare", "small.toml")
    assert (status, out.count(" DISAGREE\n")) == (1, 1)
    assert "cannot be written: Is a directory" in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("gigantic",), "suite 'gigantic'"),
        (("smoke", "--results", "r.json"), "must end in .jsonl"),
        (("smoke", "--results", "no/r.jsonl"), "cannot be written"),
        (("smoke", "--jobs", "2", "--scheduler", "x"), "only one of them"),
        (("smoke", "--jobs", "0"), "--jobs"),
    ],
)
def test_compare_refuses_bad_input(twinproof: Run, words: tuple[str, ...], message: str, tmp_path: Path) -> None:
    status, out, err = twinproof("compare", *words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err
    assert list(tmp_path.iterdir()) == []


def test_compare_stopped_by_ctrl_c_goes_on_where_it_was(tmp_path: Path) -> None:
    suite_of(TINY, tmp_path)
    command = [sys.executable, "-m", "twinproof", "compare", "small.toml"]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2] / "src")}
    pipes: dict[str, Any] = {"cwd": tmp_path, "env": environment, "stderr": subprocess.PIPE, "text": True}
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, **pipes)
    assert running.stderr is not None
    with running.stderr as stream:
        for line in stream:
            if line.startswith("[1/4]"):
                running.send_signal(signal.SIGINT)
                break
        said = stream.read()
    assert running.wait() == 3
    assert "interrupted; the same command goes on" in said
    before = result_lines(tmp_path / "compare-small.jsonl")
    assert 1 <= len(before) < 4
    again = subprocess.run(command, stdout=subprocess.PIPE, check=True, **pipes)
    assert f"4 cases, {len(before)} of them" in again.stderr
    assert result_lines(tmp_path / "compare-small.jsonl")[: len(before)] == before
    assert again.stdout.count(" agree\n") == 2
