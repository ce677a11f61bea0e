"""The page on the engines, `reports/compare.md`: who agrees, how long each took, and who is faster at what."""

from collections.abc import Sequence
from pathlib import Path
from statistics import median

from twinproof.compare.campaign.judge import QuestionVerdict
from twinproof.compare.questions.crosscheck import TWINS
from twinproof.compare.report.measured import (
    NEAR,
    QUICK,
    SUITES,
    Duel,
    duel,
    external,
    hard,
    is_settled,
    own_models,
    own_seconds,
    puzzles,
    settled_by,
)
from twinproof.compare.report.page import begin, table
from twinproof.compare.report.pictures import CACTUS, SCATTER, curve_name
from twinproof.optim.engine import BASELINE

LONGEST = 10
"""The seconds of linear search are listed for this number of questions."""

REASONS = {
    ("sprinklers", "maxsat"): "its cores are small sets of tiles that need a sprinkler each, and the bound starts "
    "high",
    (
        "sprinklers",
        "cpsat",
    ): "the model is small, and CP-SAT's core-guided worker does what RC2 does, beside others",
    (
        "hops",
        "cpsat",
    ): "it counts the sides that water, service and walking use up, which clauses cannot say; RC2's "
    "bound creeps up core by core",
    ("hops", "maxsat"): "vertex elimination makes the walks short in clauses while the field is small",
    ("starbattle", "cpsat"): "linear sums over lines and regions meet in its presolve",
    ("starbattle", "maxsat"): "the clauses propagate at once, and there is little to build",
    ("lightup", "cpsat"): "one at-most-one constraint a run is all that presolve needs",
    ("lightup", "maxsat"): "unit propagation does most of the work, and there is little to build",
    ("minesweeper", "cpsat"): "a clue is one linear sum there, and up to a hundred clauses here",
    ("minesweeper", "maxsat"): "unit propagation on the clues settles most cells before any search",
}
"""The likely reason why an engine is the faster one; it is given only where the figures say that it is."""


def engines_page(verdicts: Sequence[QuestionVerdict], path: Path) -> list[str]:
    """Write the page, line by line; `compare.report.pictures` draws its pictures.

    Parameters
    ----------
    verdicts : sequence of QuestionVerdict
        At least one, with results.
    path : Path
        Where the results are.
    """
    return [
        *begin("The engines compared", _finding(verdicts)),
        *_agreement(verdicts),
        *_duels(verdicts),
        *_linear_search(verdicts),
        *_external(verdicts),
        *_memory(verdicts),
        *_hard(verdicts),
        *_everything(verdicts),
        "",
        "Repeat it: " + " and ".join(f"`twinproof compare {suite} --results {path}`" for suite in SUITES),
    ]


def _finding(verdicts: Sequence[QuestionVerdict]) -> str:
    settled = sum(settled_by(verdict) >= 2 for verdict in verdicts)
    duels = [duel(puzzle, verdicts) for puzzle in puzzles(verdicts)]
    near, questions = sum(one.near for one in duels), sum(one.questions for one in duels)
    return (
        f"Of {len(verdicts)} questions two engines or more settled {settled}, {_alike(verdicts)}; CP-SAT and "
        f"MaxSAT took about the same time for {near} of the {questions} that one of them settled."
    )


def _alike(verdicts: Sequence[QuestionVerdict]) -> str:
    wrong = sum(bool(verdict.wrong) for verdict in verdicts)
    return f"{wrong} of them NOT alike" if wrong else "all of them alike"


def _agreement(verdicts: Sequence[QuestionVerdict]) -> list[str]:
    rows = []
    for puzzle in puzzles(verdicts):
        some = [verdict for verdict in verdicts if verdict.asked.question.puzzle == puzzle]
        settled = [settled_by(verdict) for verdict in some]
        known = sum(verdict.asked.known is not None for verdict in some)
        wrong = sum(bool(verdict.wrong) for verdict in some)
        several = sum(number >= 2 for number in settled)
        rows.append((puzzle, len(some), known, several, settled.count(1), settled.count(0), wrong))
    head = ("puzzle", "questions", "with a known answer", "settled by two or more", "by one", "by none", "wrong")
    return [
        "## Do they agree?",
        "",
        "Every layout is checked by rules that no model shares, every optimum against the other engines' and "
        "against what is known from elsewhere.",
        "",
        *table(head, rows),
        "",
        *(
            line
            for verdict in verdicts
            for text in verdict.wrong
            for line in (f"**{verdict.asked.title}: {text}**", "")
        ),
    ]


def _duels(verdicts: Sequence[QuestionVerdict]) -> list[str]:
    first = next(result for verdict in verdicts for result in verdict.results.values())
    versions, machine = first["versions"], first["machine"]
    duels = [duel(puzzle, verdicts) for puzzle in puzzles(verdicts)]
    rows = [(one.puzzle, one.questions, one.cpsat, one.maxsat, one.near, _ratio(one)) for one in duels]
    head = ("puzzle", "questions", "CP-SAT faster", "MaxSAT faster", "about equal", "median of MaxSAT / CP-SAT")
    reasons = [
        f"Where {'CP-SAT' if one.winner == 'cpsat' else 'MaxSAT'} is faster on {one.puzzle}, a likely reason is: "
        f"{REASONS[one.puzzle, one.winner]}."
        for one in duels
        if one.winner is not None and (one.puzzle, one.winner) in REASONS
    ]
    return [
        "## CP-SAT against MaxSAT",
        "",
        f"Seconds are those of one machine ({machine['cores']} cores, {machine['memory_gb']} GB), with Python "
        f"{versions['python']}, OR-Tools {versions['ortools']} and PySAT {versions['python-sat']}; each engine by "
        "itself, with two workers, from the puzzle to the proof, without the start of its process. Within a "
        f"factor {NEAR}, or where both took less than {QUICK} s, they count as about equal.",
        "",
        *table(head, rows),
        "",
        *(line for reason in reasons for line in (reason, "")),
        f"![how many questions are settled in how many seconds]({CACTUS})",
        "",
        f"![CP-SAT against MaxSAT]({SCATTER})",
        "",
    ]


def _ratio(one: Duel) -> str:
    return "-" if one.ratio is None else f"{one.ratio:.2f}"


def _linear_search(verdicts: Sequence[QuestionVerdict]) -> list[str]:
    """Tell what optimising directly gains over asking a SAT solver for one number after the other."""
    rows, ratios = [], {engine: list[float]() for engine in TWINS}
    for verdict in verdicts:
        if not is_settled(verdict, BASELINE):
            continue
        seconds = max(0.001, own_seconds(verdict.results[BASELINE]))
        for twin in TWINS:
            if is_settled(verdict, twin):
                ratios[twin].append(seconds / max(0.001, own_seconds(verdict.results[twin])))
        rows.append((seconds, (verdict.asked.title, *(_seconds(verdict, one) for one in (BASELINE, *TWINS)))))
    if not rows:
        return []
    gains = [
        f"{median(ratios[engine]):.1f} times as long as {name} (over {len(ratios[engine])} questions)"
        for engine, name in zip(TWINS, ("CP-SAT", "MaxSAT"), strict=True)
        if ratios[engine]
    ]
    longest = sorted(rows, reverse=True)[:LONGEST]
    return [
        "## What optimising directly gains",
        "",
        "The article's way is linear search: a totalizer, one SAT question after the other for each number, and "
        f"reachability step by step. In the median it takes {' and '.join(gains)}. The longest:",
        "",
        *table(("question", "linear search", "CP-SAT", "MaxSAT"), [row for _, row in longest]),
        "",
    ]


def _external(verdicts: Sequence[QuestionVerdict]) -> list[str]:
    engines = external(verdicts)
    if not engines:
        return []
    rows = [
        (verdict.asked.title, _value(verdict), *(_seconds(verdict, engine) for engine in ("maxsat", *engines)))
        for verdict in verdicts
        if set(engines) & set(verdict.results)
    ]
    return [
        "## External solvers",
        "",
        "Other solvers on the MaxSAT models; they share the formula, and nothing of the way to its optimum.",
        "",
        *table(("question", "value", "MaxSAT (RC2)", *engines), rows),
        "",
    ]


def _memory(verdicts: Sequence[QuestionVerdict]) -> list[str]:
    """Tell how much memory each engine held at most, where that was recorded."""
    rows = []
    for engine in own_models(verdicts):
        peaks = [
            (peak, verdict.asked.title)
            for verdict in verdicts
            if (peak := verdict.results.get(engine, {}).get("peak_mb")) is not None
        ]
        if peaks:
            most, title = max(peaks)
            rows.append((engine, title, len(peaks), f"{median(peak for peak, _ in peaks):.0f}", most))
    if not rows:
        return []
    return [
        "## Memory",
        "",
        "The most resident memory, in megabytes, that all processes of an engine held together:",
        "",
        *table(("engine", "question that took most", "questions", "median MB", "most MB"), rows, words=2),
        "",
    ]


def _hard(verdicts: Sequence[QuestionVerdict]) -> list[str]:
    chosen = hard(verdicts)
    if not chosen:
        return []
    return [
        "## Value and bound over time",
        "",
        "Of the questions that took longest; where the two lines meet is the proof.",
        "",
        *(
            line
            for number, verdict in enumerate(chosen, start=1)
            for line in (f"![{verdict.asked.title}]({curve_name(number)})", "")
        ),
    ]


def _everything(verdicts: Sequence[QuestionVerdict]) -> list[str]:
    engines = own_models(verdicts)
    rows = [
        (verdict.asked.title, _value(verdict), *(_seconds(verdict, engine) for engine in engines))
        for verdict in verdicts
    ]
    return [
        "## Every question",
        "",
        "Seconds; `>` where the engine was stopped by its limit, with its value and bound if it had them. Below "
        f"{QUICK} s they say little: MaxSAT's contain the start of its second process.",
        "",
        *table(("question", "value", *engines), rows),
    ]


def _value(verdict: QuestionVerdict) -> str:
    if verdict.value is not None:
        return str(verdict.value) if verdict.settled else f"{verdict.value}?"
    statuses = {result["status"] for result in verdict.results.values()}
    return "impossible" if "infeasible" in statuses else "found" if "feasible" in statuses else "?"


def _seconds(verdict: QuestionVerdict, engine: str) -> str:
    result = verdict.results.get(engine)
    if result is None:
        return ""
    if result["error"] is not None:
        return str(result["error"]["kind"])
    if is_settled(verdict, engine):
        return f"{own_seconds(result):.2f}"
    value, bound = result["value"], result["bound"]
    bracket = f" ({'-' if value is None else value}..{'-' if bound is None else bound})"
    return f"> {own_seconds(result):.0f}{'' if value is None and bound is None else bracket}"


def manual_lines(verdicts: Sequence[QuestionVerdict]) -> list[str]:
    """Sum the page up for the manual."""
    settled = sum(settled_by(verdict) >= 2 for verdict in verdicts)
    rows = []
    for puzzle in puzzles(verdicts):
        one = duel(puzzle, verdicts)
        rows.append((puzzle, _ratio(one), one.cpsat, one.maxsat, one.near))
    return [
        f"Of the {len(verdicts)} questions of the suites `{'` and `'.join(SUITES)}`, {settled} were settled by "
        f"two engines or more, {_alike(verdicts)}. Seconds of MaxSAT over those of CP-SAT, median of the "
        f"questions that both settled and one took {QUICK} s for:",
        "",
        *table(("puzzle", "MaxSAT / CP-SAT", "CP-SAT faster", "MaxSAT faster", "about equal"), rows),
    ]
