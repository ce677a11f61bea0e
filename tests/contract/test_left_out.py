"""A model that does not say which layouts it may leave out has all of them; what `export` says rests on it."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import assume, given, note
from hypothesis import strategies as st
from ortools.sat.python import cp_model
from pysat.solvers import Solver

from tests.contract.trials import TRIALS
from tests.support.examples import examples
from twinproof.compare.output.export import export_lines
from twinproof.compare.questions.answer import Question
from twinproof.models.puzzle import Layout

MOST = 60
"""The number of layouts up to which they are listed."""


@pytest.mark.parametrize("name", TRIALS)
@examples(30)
@given(data=st.data())
def test_a_model_has_every_layout_unless_it_says_which_it_may_leave_out(name: str, data: st.DataObject) -> None:
    trial = TRIALS[name]
    puzzle, instance = trial.puzzle, data.draw(trial.small)
    note("\n".join(puzzle.rows(instance)))
    expected = set(trial.layouts(instance))
    assume(len(expected) <= MOST)
    for objective in puzzle.objectives:
        if objective.may_break or objective.relative or not is_asked(trial, instance, objective.name):
            continue
        for engine, form, listed in (("cpsat", "cpsat", by_cpsat), ("maxsat", "opb", by_sat)):
            model = puzzle.build_model(engine, instance, objective.name)
            found = listed(model)
            assert found <= expected
            assert found == expected or model.leaves_out
            comments = "\n".join(export_lines(Question(name, instance, objective.name), form))
            assert ("may be left out" in comments) == bool(model.leaves_out)


def is_asked(trial: Any, instance: Any, objective: str) -> bool:
    """Whether an objective goes with an instance by itself."""
    fixed = None if trial.puzzle.fixed is None else trial.puzzle.fixed(instance)
    after = trial.puzzle.objective(objective).after
    return trial.puzzle.fixed is None or (fixed is None) == (after is None)


def seen(read: Any, variables: Sequence[int]) -> list[int]:
    """Give the variables that a layout shows, each found by setting it alone."""
    values = [0] * (max(variables, default=0) + 1)
    plain, found = read(values), []
    for variable in variables:
        values[variable] = 1
        if read(values) != plain:
            found.append(variable)
        values[variable] = 0
    return found


def by_sat(model: Any) -> set[Layout]:
    found = set()
    shown = seen(model.read, range(1, model.top + 1))
    with Solver("cadical153", bootstrap_with=model.clauses) as solver:
        while solver.solve():
            true = {literal for literal in solver.get_model() if literal > 0}
            found.add(model.read([int(variable in true) for variable in range(model.top + 1)]))
            solver.add_clause([-variable if variable in true else variable for variable in shown])
    return found


def by_cpsat(model: Any) -> set[Layout]:
    found, solver = set(), cp_model.CpSolver()
    solver.parameters.num_workers = 1
    shown = [
        model.model.get_bool_var_from_proto_index(index)
        for index in seen(model.read, range(len(model.model.proto.variables)))
    ]
    while solver.solve(model.model) in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        found.add(model.read(solver.response_proto.solution))
        model.model.add_bool_or([~one if solver.boolean_value(one) else one for one in shown])
    return found
