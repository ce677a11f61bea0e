"""The page on the engines, `reports/compare.md`: who agrees, how long each took, and who is faster at what."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import median

from twinproof.compare.campaign.case import Result
from twinproof.compare.campaign.judge import Verdict
from twinproof.compare.output.records import write_file
from twinproof.compare.questions.crosscheck import TWINS
from twinproof.compare.report.charts import Curve, Point, draw_cactus, draw_curves, draw_scatter
from twinproof.compare.report.measured import NEAR, QUICK, SUITES, duel, hard, is_settled, own_seconds
from twinproof.models import PUZZLES

__all__ = ["compare_page", "draw_charts", "readme_lines"]

REASONS = {
    (
        "sprinklers",
        "maxsat",
    ): "its cores are small sets of tiles that need a sprinkler each, and the bound starts high",
    (
        "sprinklers",
        "cpsat",
    ): "the model is small, and CP-SAT's core-guided worker does what RC2 does, beside others",
    ("hops", "cpsat"): "it counts the sides that water, service and walking use up, which clauses cannot say; "
    "RC2's bound creeps up core by core",
    ("hops", "maxsat"): "vertex elimination makes the walks short in clauses while the field is small",
    ("starbattle", "cpsat"): "linear sums over lines and regions meet in its presolve",
    ("starbattle", "maxsat"): "the clauses propagate at once, and there is little to build",
    ("lightup", "cpsat"): "one at-most-one constraint a run is all that presolve needs",
    ("lightup", "maxsat"): "unit propagation does most of the work, and there is little to build",
    ("minesweeper", "cpsat"): "a clue is one linear sum there, and up to a hundred clauses here",
    ("minesweeper", "maxsat"): "unit propagation on the clues settles most cells before any search",
}
"""Why an engine is the faster one; told only where the figures say that it is."""


def compare_page(verdicts: Sequence[Verdict]) -> list[str]:
    """Write the page, line by line; `draw_charts` draws its pictures."""
    results = [result for verdict in verdicts for result in verdict.results.values()]
    versions = results[0]["versions"]
    machine = results[0]["machine"]
    return [
        *_agreement(verdicts),
        "",
        "## CP-SAT against MaxSAT",
        "",
        f"Seconds are those of one machine ({machine['cores']} cores, {machine['memory_gb']} GB), with Python "
        f"{versions['python']}, OR-Tools {versions['ortools']} and PySAT {versions['python-sat']}; each engine by "
        "itself, with two workers, from the puzzle to the proof, without the start of its process.",
        f"Within a factor {NEAR}, or where both took less than {QUICK} s, they count as about equal.",
        "",
        *_duels(verdicts),
        "",
        "![how many questions are settled in how many seconds](compare-cactus.png)",
        "",
        "![CP-SAT against MaxSAT](compare-scatter.png)",
        "",
        *_sweep(verdicts),
        *_third(verdicts),
        *_hard(verdicts),
        "## Every question",
        "",
        *_table(verdicts),
    ]


def _agreement(verdicts: Sequence[Verdict]) -> list[str]:
    lines = [
        "## Do they agree?",
        "",
        "Every layout is checked by rules that no model shares, every optimum against the other engines' and "
        "against what is known from elsewhere.",
        "",
        "| puzzle | questions | with a known answer | settled by two or more | by one | by none | wrong |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for puzzle in PUZZLES:
        some = [verdict for verdict in verdicts if verdict.asked.question.name == puzzle]
        settled = [sum(is_settled(verdict, engine) for engine in verdict.results) for verdict in some]
        wrong = sum(bool(verdict.wrong) for verdict in some)
        known = sum(verdict.asked.known is not None for verdict in some)
        counts = (sum(n >= 2 for n in settled), settled.count(1), settled.count(0))
        lines.append(f"| {puzzle} | {len(some)} | {known} | {' | '.join(map(str, counts))} | {wrong} |")
    lines += ["", *(f"**{verdict.asked.title}: {text}**" for verdict in verdicts for text in verdict.wrong)]
    return lines


def _duels(verdicts: Sequence[Verdict]) -> list[str]:
    lines = [
        "| puzzle | questions | CP-SAT faster | MaxSAT faster | about equal | median of MaxSAT / CP-SAT |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    duels = [duel(puzzle, verdicts) for puzzle in PUZZLES]
    for one in duels:
        ratio = "-" if one.ratio is None else f"{one.ratio:.2f}"
        lines.append(f"| {one.puzzle} | {one.questions} | {one.cpsat} | {one.maxsat} | {one.near} | {ratio} |")
    lines.append("")
    for one in duels:
        told = f"CP-SAT is faster on {one.cpsat}, MaxSAT on {one.maxsat}, and on {one.near} they are about equal"
        reason = f": {REASONS[one.puzzle, one.winner]}" if one.winner is not None else ""
        lines.append(f"- **{one.puzzle}**: {told}{reason}.")
    return lines


def _sweep(verdicts: Sequence[Verdict]) -> list[str]:
    """Tell what optimising directly gains over asking a SAT solver for one K after the other."""
    rows, ratios = [], {engine: list[float]() for engine in TWINS}
    for verdict in verdicts:
        if "linear-search" not in verdict.results or not is_settled(verdict, "linear-search"):
            continue
        sweep = max(0.001, own_seconds(verdict.results["linear-search"]))
        cells = []
        for engine in TWINS:
            if is_settled(verdict, engine):
                ratios[engine].append(sweep / max(0.001, own_seconds(verdict.results[engine])))
            cells.append(_seconds(verdict, engine))
        rows.append(
            (sweep, f"| {verdict.asked.title} | {_seconds(verdict, 'linear-search')} | {' | '.join(cells)} |")
        )
    if not rows:
        return []
    gains = [
        f"{name} {median(ratios[engine]):.1f} times (over {len(ratios[engine])} questions)"
        for engine, name in zip(TWINS, ("CP-SAT", "MaxSAT"), strict=True)
        if ratios[engine]
    ]
    return [
        "## What optimising directly gains",
        "",
        "The article's way is a totalizer, one SAT question after the other for K, and reachability step by step. "
        f"In the median it takes as long as {' and '.join(gains)}. The longest:",
        "",
        "| question | sweep over K | CP-SAT | MaxSAT |",
        "| --- | ---: | ---: | ---: |",
        *(row for _, row in sorted(rows, reverse=True)[:10]),
        "",
    ]


def _third(verdicts: Sequence[Verdict]) -> list[str]:
    engines = [
        engine
        for engine in ("uwrmaxsat", "cashwmaxsat", "evalmaxsat", "clingo")
        if any(engine in verdict.results for verdict in verdicts)
    ]
    if not engines:
        return []
    lines = [
        "## Third opinions",
        "",
        "Other solvers on the MaxSAT models; they share the formula, and nothing of the way to its optimum.",
        "",
        f"| question | value | MaxSAT (RC2) | {' | '.join(engines)} |",
        f"| --- | ---: | ---: |{' ---: |' * len(engines)}",
    ]
    for verdict in verdicts:
        if any(engine in verdict.results for engine in engines):
            cells = [_seconds(verdict, engine) for engine in ("maxsat", *engines)]
            lines.append(f"| {verdict.asked.title} | {_value(verdict)} | {' | '.join(cells)} |")
    return [*lines, ""]


def _hard(verdicts: Sequence[Verdict]) -> list[str]:
    chosen = hard(verdicts)
    if not chosen:
        return []
    lines = [
        "## Value and bound over time",
        "",
        "Of the questions that took longest; where the two lines meet is the proof.",
        "",
    ]
    for number, verdict in enumerate(chosen, start=1):
        lines += [f"![{verdict.asked.title}](compare-curve-{number}.png)", ""]
    return lines


def _table(verdicts: Sequence[Verdict]) -> list[str]:
    engines = list(dict.fromkeys(engine for verdict in verdicts for engine in verdict.results))
    engines = [engine for engine in engines if engine in ("cpsat", "maxsat", "frontier", "linear-search")]
    lines = [
        "Seconds; `>` where the engine was stopped by its limit, with its value and bound if it had them. Below "
        f"{QUICK} s they say little: MaxSAT's contain the start of its second process.",
        "",
        f"| question | value | {' | '.join(engines)} |",
        f"| --- | ---: |{' ---: |' * len(engines)}",
    ]
    for verdict in verdicts:
        cells = [_seconds(verdict, engine) for engine in engines]
        lines.append(f"| {verdict.asked.title} | {_value(verdict)} | {' | '.join(cells)} |")
    return lines


def _value(verdict: Verdict) -> str:
    if verdict.value is not None:
        return str(verdict.value) if verdict.settled else f"{verdict.value}?"
    statuses = {result["status"] for result in verdict.results.values()}
    return "impossible" if "infeasible" in statuses else "found" if "feasible" in statuses else "?"


def _seconds(verdict: Verdict, engine: str) -> str:
    result = verdict.results.get(engine)
    if result is None:
        return ""
    if result["error"] is not None:
        return str(result["error"]["kind"])
    text = f"{own_seconds(result):.2f}"
    if is_settled(verdict, engine):
        return text
    value, bound = result["value"], result["bound"]
    bracket = f" ({'-' if value is None else value}..{'-' if bound is None else bound})"
    return f"> {own_seconds(result):.0f}{'' if value is None and bound is None else bracket}"


def draw_charts(verdicts: Sequence[Verdict], folder: Path) -> None:
    """Draw the pictures of the page into a folder."""
    took: dict[str, list[float]] = {"cpsat": [], "maxsat": [], "frontier": [], "linear-search": []}
    for verdict in verdicts:
        for engine, seconds in took.items():
            if is_settled(verdict, engine):
                seconds.append(own_seconds(verdict.results[engine]))
    write_file(
        folder / "compare-cactus.png", partial(_cactus, {name: times for name, times in took.items() if times})
    )
    points = [
        Point(
            verdict.asked.question.name,
            own_seconds(verdict.results["cpsat"]),
            own_seconds(verdict.results["maxsat"]),
            not is_settled(verdict, "cpsat"),
            not is_settled(verdict, "maxsat"),
        )
        for verdict in verdicts
        if set(TWINS) <= set(verdict.results) and not verdict.failed
    ]
    write_file(folder / "compare-scatter.png", partial(_scatter, points))
    for number, verdict in enumerate(hard(verdicts), start=1):
        curves = [
            _curve(engine, verdict.results[engine]) for engine in (*TWINS, "frontier") if engine in verdict.results
        ]
        write_file(folder / f"compare-curve-{number}.png", partial(_curves, verdict.asked.title, curves))


def _curve(engine: str, result: Result) -> Curve:
    start = float(result.get("startup", 0.0))
    points = [(max(0.0, seconds - start), value, bound) for seconds, value, bound in result.get("trace", ())]
    return Curve(engine, points, own_seconds(result))


def _cactus(seconds: Mapping[str, Sequence[float]], path: Path) -> None:
    draw_cactus(path, seconds)


def _scatter(points: Sequence[Point], path: Path) -> None:
    draw_scatter(path, points, ("CP-SAT", "MaxSAT (RC2)"))


def _curves(title: str, curves: Sequence[Curve], path: Path) -> None:
    draw_curves(path, title, curves)


def readme_lines(verdicts: Sequence[Verdict]) -> list[str]:
    """Sum the page up for the README."""
    settled = [verdict for verdict in verdicts if sum(is_settled(verdict, e) for e in verdict.results) >= 2]
    wrong = sum(bool(verdict.wrong) for verdict in verdicts)
    lines = [
        f"Of the {len(verdicts)} questions of the suites `{'` and `'.join(SUITES)}`, {len(settled)} were settled "
        f"by two engines or more, {f'{wrong} of them NOT alike' if wrong else 'all of them alike'}. Seconds "
        f"of MaxSAT over those of CP-SAT, median of the questions that both settled and one took {QUICK} s for:",
        "",
        "| puzzle | MaxSAT / CP-SAT | CP-SAT faster | MaxSAT faster | about equal |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for puzzle in PUZZLES:
        one = duel(puzzle, verdicts)
        ratio = "-" if one.ratio is None else f"{one.ratio:.2f}"
        lines.append(f"| {puzzle} | {ratio} | {one.cpsat} | {one.maxsat} | {one.near} |")
    return lines
