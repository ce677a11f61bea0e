"""What is loaded, and what is not: most of the time of a small question goes by before anything is solved."""

import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from tests.support.loaded import watched
from twinproof.compare.questions.answer import Question, answer
from twinproof.models import PUZZLES
from twinproof.optim import Limits
from twinproof.optim.process.children import run_in_children
from twinproof.optim.process.tasks import Event, Found, Report, Task

SOLVERS = {"ortools", "pysat", "pysolvers", "pycard", "hermax", "clingo"}
HEAVY = {"numpy", "pandas", "networkx", "numba", "matplotlib", "scipy", "distributed", "psutil"}

LOADED = """
import sys
from twinproof.__main__ import main
try:
    main()
finally:
    from tests.support.loaded import loaded_by
    print(*sorted(loaded_by()), file=sys.stderr)
"""


def loaded_by_command(*words: str) -> set[str]:
    ended = subprocess.run([sys.executable, "-c", LOADED, *words], capture_output=True, text=True, check=True)
    return set(ended.stderr.split())


def test_the_packages_that_are_entered_first_import_nothing() -> None:
    script = "import sys; before = set(sys.modules); import twinproof; print(*(set(sys.modules) - before))"
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ended.stdout.split() == ["twinproof"]


@pytest.mark.parametrize("words", [["--help"], ["solve", "--help"], ["list"]], ids=" ".join)
def test_help_loads_no_solver(words: list[str]) -> None:
    loaded = loaded_by_command(*words)
    assert "twinproof.compare.cli.main" in loaded
    assert loaded & (SOLVERS | HEAVY) == set()


def test_the_parent_of_a_search_loads_no_solver() -> None:
    loaded = loaded_by_command("solve", "hops", "grid:3x3", "--engine", "both")
    # It looks at the memory of its children with psutil.
    assert loaded & (SOLVERS | HEAVY) == {"psutil"}


@pytest.mark.parametrize(
    ("engine", "expected"),
    # OR-Tools needs numpy, and would load pandas with it, were it not for the child.
    [("cpsat", {"ortools", "numpy"}), ("maxsat", {"pysat", "pysolvers", "pycard"})],
)
# The graph of a field of hops is one of networkx.
@pytest.mark.parametrize(("name", "more"), [("hops", {"networkx"}), ("sprinklers", set())])
def test_the_child_of_a_search_loads_its_solver_and_no_other(
    name: str, more: set[str], engine: str, expected: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    layouts: list[Any] = []

    def run_watched(
        tasks: Sequence[Task], limits: Limits, report: Report, settled: object, on_memory: Callable[[int], None]
    ) -> None:
        def take(event: Event) -> None:
            if isinstance(event, Found):
                layouts.append(event.layout)

        run_in_children([watched(tasks[0])], limits, take, lambda: False, on_memory)

    monkeypatch.setattr("twinproof.optim.engine.run_in_children", run_watched)
    puzzle = PUZZLES[name]
    answer(Question(name, puzzle.read("grid:3x3", {}), puzzle.objectives[0].name), engine)
    assert len(layouts) > 1, "it has solved nothing"
    loaded = layouts[-1]
    assert loaded & (SOLVERS | HEAVY) == expected | more
    assert loaded & {"typer", "rich"} == set()
    others = {f"twinproof.models.{other}" for other in ("starbattle", "lightup", "minesweeper")}
    assert loaded & others == set()


# --- OR-Tools without pandas ------------------------------------------------------------------------------------


def uses_pandas(report: Report) -> None:
    """Use OR-Tools with pandas, in a process where it was loaded without."""
    from ortools.sat.python import cp_model  # noqa: PLC0415

    before = "pandas" in sys.modules
    model = cp_model.CpModel()
    with_no_import = model.new_bool_var_series  # needs pandas only when it is called
    import pandas as pd  # type: ignore[import-untyped]  # noqa: PLC0415

    series = with_no_import("x", pd.Index(["a", "b"]))
    model.add(series["a"] + series["b"] == 2)
    solver = cp_model.CpSolver()
    solver.solve(model)
    values = solver.values(series)
    report(Found(None, (before, isinstance(values, pd.Series), values.to_dict())))


def test_a_child_that_uses_pandas_with_ortools_has_the_real_one() -> None:
    events: list[Event] = []
    run_in_children([Task("test", uses_pandas, ())], Limits(), events.append, lambda: False)
    assert events[0] == Found(None, (False, True, {"a": 1, "b": 1}))


def test_in_the_callers_process_ortools_is_left_alone() -> None:
    script = (
        "from twinproof.compare.questions.answer import Question, answer\n"
        "from twinproof.models import PUZZLES\n"
        "field = PUZZLES['sprinklers'].read('grid:2x2', {})\n"
        "answer(Question('sprinklers', field, 'fewest-sprinklers'), 'cpsat', isolated=False)\n"
        "import pandas\n"
        "from ortools.sat.python import cp_model\n"
        "print(cp_model.pd is pandas)\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ended.stdout == "True\n"
