"""Every command takes every puzzle, and says no to those that it is not for."""

import json
from pathlib import Path

import pytest

from tests.contract.trial import count, first_of, with_file
from tests.contract.trials import TRIALS
from tests.support.running import Run, loaded
from twinproof.models.deduction.hints import Grade
from twinproof.models.text.sources import Inline
from twinproof.optim.engine import BAND, TABLE, available

EVERY = pytest.mark.parametrize("name", TRIALS)


@EVERY
def test_solve_equals_brute_force_and_check_says_so(name: str, twinproof: Run, tmp_path: Path) -> None:
    trial = TRIALS[name]
    instance, words = with_file(trial, tmp_path)
    assert trial.layouts(instance)
    for objective in trial.puzzle.objectives:
        if objective.relative:
            layout = sorted(trial.layouts(instance))[0]
            (tmp_path / "layout.txt").write_text("\n".join(layout), encoding="utf-8")
            asked = [*words, "--apart-from", "layout.txt"]
            values = trial.values_of(trial.puzzle.apart_from(instance, layout), objective)
        else:
            asked, values = words, trial.values_of(instance, objective)
        asked = [*asked, "--objective", objective.name]
        status, content = loaded(twinproof, "solve", *asked, "--engine", "both", "--record", "record.json")
        best = None if objective.sense is None else first_of(objective, values)
        assert (status, content["agree"], content["value"]) == (0, True, best)
        engines = ["linear-search", "frontier", BAND, *available()]
        for engine in (engine for engine in engines if TABLE[engine].model in trial.puzzle.engines):
            assert loaded(twinproof, "solve", *asked, "--engine", engine)[1]["value"] == best
        if objective.counts is not None and objective.after is None:
            assert count(objective, instance, tuple(content["layout"])) == best
            assert loaded(twinproof, "solve", *asked, "--at-least", str(max(values) + 1))[0] == 1
        status, content = loaded(twinproof, "check", *words, "record.json")
        assert (status, content["valid"]) == (0, True)
    broken = next(one for one in trial.drawings(instance, 0) if one not in trial.layouts(instance))
    (tmp_path / "broken.txt").write_text("\n".join(broken), encoding="utf-8")
    status, out, err = twinproof("check", *words, "broken.txt")
    assert (status, err, out.splitlines()[-1]) == (1, "", "invalid")


@EVERY
def test_unique_and_explain(name: str, twinproof: Run, tmp_path: Path) -> None:
    trial = TRIALS[name]
    instance, words = with_file(trial, tmp_path)
    if not any(objective.relative for objective in trial.puzzle.objectives):
        for command in ("unique", "explain"):
            status, out, err = twinproof(command, *words)
            assert (status, out, err.count("\n")) == (2, "", 1)
        return
    only = len(trial.layouts(instance)) == 1
    status, content = loaded(twinproof, "unique", *words, "--engine", "both")
    assert (status, content["unique"]) == (0 if only else 1, only)
    assert loaded(twinproof, "explain", *words)[0] == 0


@EVERY
def test_certify_and_verify(name: str, twinproof: Run, tmp_path: Path) -> None:
    trial = TRIALS[name]
    _, words = with_file(trial, tmp_path)
    for claim in trial.puzzle.claims:
        objectives = [one.name for one in trial.puzzle.objectives if one.counts is not None and one.after is None]
        if claim == "infeasible" or (claim == "optimum" and not objectives):
            continue  # there is a layout, and nothing to count
        of = ["--objective", objectives[0], "--by", "clauses"] if claim == "optimum" else []
        status, out, err = twinproof("certify", *words, "--claim", claim, *of, "--output", "made.json")
        assert (status, err) == (0, ""), out
        assert loaded(twinproof, "verify", "made.json")[1]["valid"] is True
        content = json.loads((tmp_path / "made.json").read_text(encoding="utf-8"))
        (tmp_path / "made.json").write_text(json.dumps(content | {"instance_digest": "0" * 64}))
        status, out, _ = twinproof("verify", "made.json")
        assert (status, out.splitlines()[-1]) == (1, "NOT VALID")
        (tmp_path / "made.json").unlink()


@EVERY
def test_export_and_convert(name: str, twinproof: Run, tmp_path: Path) -> None:
    trial = TRIALS[name]
    instance, words = with_file(trial, tmp_path)
    for form in ("wcnf", "wcnf-legacy", "opb", "cpsat"):
        status, out, err = twinproof("export", *words, "--to", form)
        assert (status, err) == (0, "")
        assert out
    kept = [word for pair in zip(words[2::2], words[3::2], strict=True) for word in pair if name != "hops"]
    for form, how in trial.puzzle.formats.items():
        status, out, err = twinproof("convert", name, "puzzle.txt", *kept, "--to", form)
        if status == 2:
            assert form not in trial.says_all
            assert (out, err.count("\n")) == ("", 1)
        else:
            assert (status, how.read(out, "converted")) == (0, instance)


@EVERY
def test_hint_and_generate(name: str, twinproof: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trial = TRIALS[name]
    _, words = with_file(trial, tmp_path)
    status, out, err = twinproof("hint", *words)
    assert (status, err.count("\n")) == ((0, 0) if trial.places is not None else (2, 1))
    asked = trial.example.generate or ("--size", "4x4")
    status, out, err = twinproof("generate", name, *asked, "--seed", "7")
    if trial.puzzle.generation is None:
        assert (status, out, err.count("\n")) == (2, "", 1)
    else:
        assert (status, bool(out)) == (0, True)
    if trial.generated is not None:
        made = trial.puzzle.read(Inline("new", out))
        assert len(trial.layouts(made)) == 1
        monkeypatch.setattr(trial.puzzle.part("hints"), "grade", lambda instance: Grade(None, ()))
        wish = ("--difficulty", "3-5", "--attempts", "2", "--out", "new", "--pdf", "new.pdf")
        status, out, err = twinproof("generate", name, *asked, *wish)
        assert (status, out, err.count("\n")) == (3, "", 1)
        assert err.endswith("; 2 boards made instead: 2 beyond the rules; finished: 0 of 1\n")
        assert not (tmp_path / "new").exists()
        assert not (tmp_path / "new.pdf").exists()


def test_list_names_every_puzzle_with_its_objectives(twinproof: Run) -> None:
    status, out, _ = twinproof("list")
    assert status == 0
    for trial in TRIALS.values():
        for word in (trial.puzzle.name, *(objective.name for objective in trial.puzzle.objectives)):
            assert word in out
