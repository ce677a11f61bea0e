"""The pictures of `reports/compare.md`, drawn from the verdicts of a comparison."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from twinproof.compare.campaign.case import Result
from twinproof.compare.campaign.judge import QuestionVerdict
from twinproof.compare.output.records import write_file
from twinproof.compare.questions.crosscheck import TWINS
from twinproof.compare.report.charts import Curve, ScatterPoint, draw_cactus, draw_curves, draw_scatter
from twinproof.compare.report.measured import hard, is_settled, own_models, own_seconds

CACTUS, SCATTER = "compare-cactus.png", "compare-scatter.png"


def curve_name(number: int) -> str:
    """Give the file of a hard question's picture, numbered from 1."""
    return f"compare-curve-{number}.png"


def draw_pictures(verdicts: Sequence[QuestionVerdict], folder: Path) -> None:
    """Draw all pictures into a folder.

    Parameters
    ----------
    verdicts : sequence of QuestionVerdict
    folder : Path
        It must exist; files of the same names are replaced.
    """
    engines = own_models(verdicts)
    took = {engine: _settled_seconds(verdicts, engine) for engine in engines}
    cactus = partial(draw_cactus, seconds={engine: seconds for engine, seconds in took.items() if seconds})
    write_file(folder / CACTUS, cactus)
    write_file(folder / SCATTER, partial(draw_scatter, points=_points(verdicts), names=("CP-SAT", "MaxSAT (RC2)")))
    for number, verdict in enumerate(hard(verdicts), start=1):
        curves = [
            _curve(engine, verdict.results[engine]) for engine in (*TWINS, "frontier") if engine in verdict.results
        ]
        write_file(folder / curve_name(number), partial(draw_curves, title=verdict.asked.title, curves=curves))


def _settled_seconds(verdicts: Sequence[QuestionVerdict], engine: str) -> list[float]:
    return [own_seconds(verdict.results[engine]) for verdict in verdicts if is_settled(verdict, engine)]


def _points(verdicts: Sequence[QuestionVerdict]) -> list[ScatterPoint]:
    return [
        ScatterPoint(
            verdict.asked.question.puzzle,
            own_seconds(verdict.results["cpsat"]),
            own_seconds(verdict.results["maxsat"]),
            not is_settled(verdict, "cpsat"),
            not is_settled(verdict, "maxsat"),
        )
        for verdict in verdicts
        if set(TWINS) <= set(verdict.results) and not verdict.failed
    ]


def _curve(engine: str, result: Result) -> Curve:
    start = float(result.get("startup", 0.0))
    points = [(max(0.0, seconds - start), value, bound) for seconds, value, bound in result.get("trace", ())]
    return Curve(engine, points, own_seconds(result))
