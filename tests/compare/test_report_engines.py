"""The page on the engines: what its figures say of given results, and that it is the same each time."""

import re
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest

from twinproof import Question
from twinproof.compare.campaign.case import Asked, Result
from twinproof.compare.campaign.judge import QuestionVerdict, judge
from twinproof.compare.campaign.suite import read_suite
from twinproof.compare.report import __main__ as report
from twinproof.compare.report.charts import Curve, ScatterPoint, draw_curves, draw_scatter
from twinproof.compare.report.engines import engines_page, manual_lines
from twinproof.compare.report.fields import hops_page, sprinklers_page
from twinproof.compare.report.generated import generate_page
from twinproof.compare.report.measured import Duel, duel, gather, hard, is_settled, own_seconds
from twinproof.compare.report.pictures import draw_pictures
from twinproof.models import PUZZLES
from twinproof.optim import InputError, Limits

RESULTS = Path("results.jsonl")

# Minimum dominating sets of the 1x3 path and of the 1x6 path have 1 and 2 tiles.
LAYOUTS = {"grid:1x3": [".S."], "grid:1x6": [".S..S."]}


def asked(instance: str) -> Asked:
    puzzle = PUZZLES["sprinklers"].read(instance, {})
    return Asked(Question("sprinklers", puzzle, "fewest-sprinklers"), ("cpsat", "maxsat"), Limits(time=9))


def result(question: Asked, engine: str, seconds: float, **changes: Any) -> Result:
    """A settled answer that took so many seconds, one of them to start."""
    layout = LAYOUTS[question.question.instance.name]
    value = layout[0].count("S")
    return {
        "key": engine,
        "asked": question.key,
        "engine": engine,
        "status": "optimal",
        "value": value,
        "bound": value,
        "layout": layout,
        "seconds": seconds + 1.0,
        "startup": 1.0,
        "stopped": None,
        "trace": [[1.5, value + 1, 0], [1.6, value + 1, value], [seconds + 1, value, value]],
        "error": None,
        "versions": {"python": "3.11", "ortools": "9", "python-sat": "1"},
        "machine": {"cores": 2, "memory_gb": 8},
        **changes,
    }


def verdict(instance: str, cpsat: float, maxsat: float, **changes: Any) -> QuestionVerdict:
    question = asked(instance)
    given = [result(question, "cpsat", cpsat), result(question, "maxsat", maxsat, **changes)]
    return judge(question, given)


STOPPED: dict[str, Any] = {"status": "feasible", "bound": 0, "stopped": "time limit"}


def test_seconds_are_without_the_start_of_the_process() -> None:
    assert own_seconds(result(asked("grid:1x3"), "cpsat", 2.5)) == 2.5
    assert own_seconds({"seconds": 2.0}) == 2.0


def test_a_duel_counts_who_is_faster_by_a_factor_or_alone() -> None:
    verdicts = [
        verdict("grid:1x3", 1.0, 1.4),  # about equal
        verdict("grid:1x3", 1.0, 4.0),
        verdict("grid:1x6", 3.0, 1.5),
        verdict("grid:1x6", 100.0, 1.0, **STOPPED),  # only one settled it
    ]
    assert [is_settled(verdicts[3], engine) for engine in ("cpsat", "maxsat", "linear-search")] == [
        True,
        False,
        False,
    ]
    assert duel("sprinklers", verdicts) == Duel("sprinklers", 4, cpsat=2, maxsat=1, near=1, ratio=1.4)
    assert duel("sprinklers", verdicts).winner is None
    assert duel("sprinklers", verdicts[1:2]).winner == "cpsat"
    assert duel("hops", verdicts) == Duel("hops", 0, 0, 0, 0, None)


def test_the_page_says_what_the_results_say(tmp_path: Path) -> None:
    slow = verdict("grid:1x6", 20.0, 5.0)
    sweep = result(slow.asked, "linear-search", 40.0)
    verdicts = [verdict("grid:1x3", 1.0, 4.0), judge(slow.asked, [*slow.results.values(), sweep])]
    page = "\n".join(engines_page(verdicts, RESULTS))
    assert "| sprinklers | 2 | 0 | 2 | 0 | 0 | 0 |" in page
    # 40 s against 20 and 5.
    assert "2.0 times as long as CP-SAT (over 1 questions) and 8.0 times as long as MaxSAT" in page
    assert "| sprinklers grid:1x6 fewest-sprinklers | 2 | 20.00 | 5.00 | 40.00 |" in page
    assert [chosen.asked.title for chosen in hard(verdicts)] == ["sprinklers grid:1x6 fewest-sprinklers"]
    draw_pictures(verdicts, tmp_path)
    pictures = sorted(path.name for path in tmp_path.iterdir())
    assert pictures == ["compare-cactus.png", "compare-curve-1.png", "compare-scatter.png"]
    assert all(f"]({name})" in page for name in pictures)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    draw_pictures(verdicts, tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_disagreement_is_told_in_the_page_and_in_the_readme() -> None:
    question = asked("grid:1x6")
    forged = [result(question, "cpsat", 1.0), result(question, "maxsat", 1.0, status="infeasible", layout=None)]
    verdicts = [judge(question, [forged[0], dict(forged[1]) | {"value": None, "bound": None}])]
    page = "\n".join(engines_page(verdicts, RESULTS))
    assert "| sprinklers | 1 | 0 | 1 | 0 | 0 | 1 |" in page
    assert "**sprinklers grid:1x6 fewest-sprinklers: cpsat says 2 is the best" in page
    assert "1 of them NOT alike" in "\n".join(manual_lines(verdicts))


def test_an_open_question_shows_its_bracket() -> None:
    page = engines_page([verdict("grid:1x6", 3.0, 9.0, **STOPPED)], RESULTS)
    assert page[-3] == "| sprinklers grid:1x6 fewest-sprinklers | 2 | 3.00 | > 9 (2..0) |"


def test_figures_go_between_their_marks() -> None:
    readme = f"before\n{report.BEGIN}\nold\n{report.END}\nafter\n"
    assert report.with_figures(readme, ["new"]) == ["before", report.BEGIN, "new", report.END, "after"]
    for broken in ("no marks", report.BEGIN, f"{report.END}{report.BEGIN}"):
        with pytest.raises(InputError, match="no place for the figures"):
            report.with_figures(broken, [])


def test_empty_charts_can_be_drawn(tmp_path: Path) -> None:
    draw_scatter(tmp_path / "a.png", [ScatterPoint("hops", 1.0, 300.0, y_open=True)], ("a", "b"))
    draw_curves(tmp_path / "b.png", "nothing", [Curve("cpsat", [(0.0, None, None)], 1.0)])
    assert len(list(tmp_path.iterdir())) == 2


def test_the_page_on_new_puzzles_says_what_the_records_say() -> None:
    made = {
        "command": "make them",
        "generated": [{"size": 8, "stars": 1, "seconds": seconds, "attempts": 2} for seconds in (0.5, 9.0, 1.0)],
    }
    genetic = {
        "genetic": [{"size": 8, "stars": 1, "left": left, "regions in one piece": left != 1} for left in (0, 3, 4)]
    }
    graded = {
        "command": "grade them",
        "grades": {"lightup": {"puzzles": 3, "by_grade": {"grade 1": 2, "grade 4": 1}, "median_seconds": 0.25}},
        "stated": {
            "a maker": {
                "puzzles": 7,
                "grades": {"hard": {"grade 4": 1}},
                "correlation": 0.5,
                "by_cells": {"36": {"correlation": -0.125}, "64": {"correlation": None}},
                "conflicts": -0.25,
            }
        },
    }
    page = generate_page(made, genetic, graded)
    assert "| 8x8 | 1 | 3 | 1.00 | 9.00 | 2 |" in page
    assert "| 8x8 | 1 | 3 | 1 | 3 |" in page
    assert "| lightup | 3 | 2 | 0 | 0 | 1 | 0 | 0 | 0.250 |" in page
    assert "| a maker | hard | 0 | 0 | 0 | 1 | 0 | 0 |" in page
    assert "| a maker | 7 | 0.50 | -0.12 (36 cells), - (64 cells) | -0.25 |" in page
    assert page[2].startswith("**None of 3 Star Battle puzzles of up to 8x8 cells")


def test_results_under_an_old_name_of_an_engine_are_found() -> None:
    first = read_suite("standard").asked[0]
    unknown = {"status": "unknown", "value": None, "bound": None, "layout": None}
    (gathered,) = gather([result(asked("grid:1x3"), "ksweep", 1.0, **unknown, asked=first.key)])
    assert gathered.asked.key == first.key
    assert list(gathered.results) == ["linear-search"]


def test_memory_is_told_where_it_was_recorded() -> None:
    question = asked("grid:1x6")
    given = [result(question, "cpsat", 1.0, peak_mb=120), result(question, "maxsat", 1.0)]
    page = engines_page([judge(question, given)], RESULTS)
    assert "| cpsat | sprinklers grid:1x6 fewest-sprinklers | 1 | 120 | 120 |" in page
    assert not any(line.startswith("| maxsat | sprinklers") for line in page)
    assert "## Memory" not in engines_page([verdict("grid:1x6", 1.0, 1.0)], RESULTS)


def test_the_readme_of_the_reports_describes_what_is_there() -> None:
    reports = Path(__file__).parents[2] / "reports"
    described = re.findall(r"`([\w*-]+\.jsonl?)`", (reports / "README.md").read_text(encoding="utf-8"))
    kept = [path.name for path in (reports / "records").iterdir()]
    assert [name for name in kept if not any(fnmatch(name, pattern) for pattern in described)] == []
    assert [pattern for pattern in described if not any(fnmatch(name, pattern) for name in kept)] == []


def test_every_page_can_be_written_from_the_records_and_opens_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])
    for page in (hops_page(), sprinklers_page()):
        assert page[0].startswith("# ")
        assert page[2].startswith("**")
        assert page[2].endswith(".**")
        linked = re.findall(r"\]\((.+?)\)", "\n".join(page))
        assert [name for name in linked if not (Path("reports") / name).exists()] == []
