"""Exports, read back by strict readers and answered by other solvers: the answers must be those of brute force."""

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import text_format
from ortools.sat import cp_model_pb2
from ortools.sat.python import cp_model
from pysat.examples.rc2 import RC2
from pysat.formula import CNF, WCNF
from pysat.solvers import Solver

from tests.support.running import Run
from tests.support.small_questions import IMPOSSIBLE, OPTIMA, POSSIBLE, QUESTIONS, Answer
from twinproof.compare.output.export import export_lines
from twinproof.compare.questions.answer import Question
from twinproof.optim import InputError, Sense
from twinproof.optim.export import FORMS, cnf_lines, opb_lines, wcnf_legacy_lines, wcnf_lines
from twinproof.optim.maxsat import MaxsatFormula, MaxsatModel, post

Terms = list[tuple[int, int]]

EVERY = pytest.mark.parametrize(("question", "answer"), QUESTIONS.values(), ids=list(QUESTIONS))


def text_of(question: Question, form: str) -> str:
    return "".join(line + "\n" for line in export_lines(question, form))


def sense_of(question: Question) -> Sense | None:
    return None if question.yes_or_no else question.asked.sense


def strict_literals(words: list[str], variables: int | None) -> list[int]:
    assert words[-1] == "0"
    literals = [int(word) for word in words[:-1]]
    assert literals
    assert 0 not in literals
    assert variables is None or all(abs(literal) <= variables for literal in literals)
    return literals


def read_wcnf(text: str) -> tuple[list[list[int]], list[tuple[int, list[int]]], int]:
    """Read WCNF in the form of 2022: the hard clauses, the soft ones, and the highest variable."""
    hard: list[list[int]] = []
    soft: list[tuple[int, list[int]]] = []
    for line in text.splitlines():
        if line.startswith("c "):
            continue
        first, *rest = line.split(" ")
        if first == "h":
            hard.append(strict_literals(rest, None))
        else:
            assert re.fullmatch(r"[1-9]\d*", first)
            soft.append((int(first), strict_literals(rest, None)))
    return hard, soft, max((abs(v) for clause in [*hard, *(c for _, c in soft)] for v in clause), default=0)


def read_legacy(text: str) -> tuple[list[list[int]], list[tuple[int, list[int]]], int]:
    """Read WCNF with a `p` line, whose numbers must be right."""
    lines = [line for line in text.splitlines() if not line.startswith("c ")]
    header = re.fullmatch(r"p wcnf (\d+) (\d+) (\d+)", lines[0])
    assert header
    variables, clauses, top = map(int, header.groups())
    assert len(lines) == 1 + clauses
    weighted = [(int(line.split(" ")[0]), strict_literals(line.split(" ")[1:], variables)) for line in lines[1:]]
    assert all(1 <= weight <= top for weight, _ in weighted)
    soft = [(weight, clause) for weight, clause in weighted if weight < top]
    assert sum(weight for weight, _ in soft) < top
    return [clause for weight, clause in weighted if weight == top], soft, variables


def read_opb(text: str) -> tuple[Terms | None, list[tuple[Terms, int]], int]:
    """Read linear OPB by the letter of its grammar: the objective, the constraints, the number of variables."""
    lines = text.splitlines()
    header = re.fullmatch(r"\* #variable= (\d+) #constraint= (\d+)", lines[0])
    assert header
    variables, constraints = map(int, header.groups())
    rest = [line for line in lines[1:] if not line.startswith("*")]
    total = r"(?:[+-]\d+ x[1-9]\d* )+"

    def terms(words: str) -> Terms:
        found = [(int(weight), int(variable)) for weight, variable in re.findall(r"([+-]\d+) x(\d+) ", words)]
        assert all(variable <= variables for _, variable in found)
        assert len({variable for _, variable in found}) == len(found)
        return found

    objective = None
    if rest and rest[0].startswith("min:"):
        head = re.fullmatch(rf"min: ({total});", rest.pop(0))
        assert head
        objective = terms(head[1])
    found = []
    for line in rest:
        constraint = re.fullmatch(rf"({total})>= (-?\d+) ;", line)
        assert constraint, line
        found.append((terms(constraint[1]), int(constraint[2])))
    assert len(found) == constraints
    return objective, found, variables


def told(text: str, mark: str, sense: Sense, cost: int) -> int:
    """Turn a cost or an objective into a value, as the comment says."""
    line = next(line for line in text.splitlines() if line.startswith(f"{mark} value ({sense}) = "))
    formula = line.split(" = ")[1].split(";")[0]
    assert re.fullmatch(r"[-+ \d]*(cost|objective)", formula)
    first, sign, _ = formula.split(" ") if " " in formula else ("0", "+", "")
    return int(first) + cost if sign == "+" else int(first) - cost


def by_cpsat(objective: Terms | None, constraints: list[tuple[Terms, int]], variables: int) -> int | str:
    model = cp_model.CpModel()
    x = [model.new_bool_var("") for _ in range(variables + 1)]
    for terms, least in constraints:
        model.add(sum(weight * x[variable] for weight, variable in terms) >= least)
    if objective is not None:
        model.minimize(sum(weight * x[variable] for weight, variable in objective))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    status = solver.solve(model)
    if status == cp_model.INFEASIBLE:
        return IMPOSSIBLE
    assert status == cp_model.OPTIMAL
    return POSSIBLE if objective is None else round(solver.objective_value)


def clauses_by_cpsat(hard: list[list[int]], soft: list[tuple[int, list[int]]], variables: int) -> int | str:
    """Let CP-SAT minimise the cost; every soft clause has a variable of its own that is true if it is false."""

    def row(clause: list[int]) -> tuple[Terms, int]:
        return [(1 if v > 0 else -1, abs(v)) for v in clause], 1 - sum(v < 0 for v in clause)

    costly = [[*clause, variables + i] for i, (_, clause) in enumerate(soft, start=1)]
    objective = [(weight, variables + i) for i, (weight, _) in enumerate(soft, start=1)]
    return by_cpsat(objective, [row(clause) for clause in [*hard, *costly]], variables + len(soft))


def check(question: Question, answer: Answer, text: str, mark: str, cost: int | str) -> None:
    sense = sense_of(question)
    if isinstance(cost, str) or sense is None:
        assert (IMPOSSIBLE if cost == IMPOSSIBLE else POSSIBLE) == answer
    else:
        assert told(text, mark, sense, cost) == answer


@EVERY
@pytest.mark.parametrize(("form", "read"), [("wcnf", read_wcnf), ("wcnf-legacy", read_legacy)])
def test_wcnf_read_strictly_and_solved_by_cpsat(
    form: str, read: Callable[[str], Any], question: Question, answer: Answer
) -> None:
    text = text_of(question, form)
    check(question, answer, text, "c", clauses_by_cpsat(*read(text)))


@pytest.mark.parametrize(("question", "answer"), OPTIMA.values(), ids=list(OPTIMA))
@pytest.mark.parametrize("form", ["wcnf", "wcnf-legacy"])
def test_wcnf_read_and_solved_by_pysat(form: str, question: Question, answer: Answer) -> None:
    text = text_of(question, form)
    formula = WCNF(from_string=text)
    assert len(formula.soft) == (0 if sense_of(question) is None else len(read_wcnf(text_of(question, "wcnf"))[1]))
    with RC2(formula) as rc2:
        cost = IMPOSSIBLE if rc2.compute() is None else rc2.cost
    check(question, answer, text, "c", cost)


@EVERY
def test_opb_read_strictly_and_solved_by_cpsat(question: Question, answer: Answer) -> None:
    text = text_of(question, "opb")
    objective, constraints, variables = read_opb(text)
    assert (objective is None) == (sense_of(question) is None)
    check(question, answer, text, "*", by_cpsat(objective, constraints, variables))


@EVERY
def test_cnf_is_for_yes_or_no_questions(question: Question, answer: Answer) -> None:
    if sense_of(question) is not None:
        with pytest.raises(InputError, match="no words for an objective"):
            text_of(question, "cnf")
        return
    text = text_of(question, "cnf")
    header = next(line for line in text.splitlines() if line.startswith("p"))
    formula = CNF(from_string=text)
    assert header == f"p cnf {formula.nv} {len(formula.clauses)}"
    with Solver("glucose4", bootstrap_with=formula.clauses) as solver:
        assert (POSSIBLE if solver.solve() else IMPOSSIBLE) == answer


@EVERY
def test_cpsat_text_read_by_protobuf_and_solved(question: Question, answer: Answer) -> None:
    text = text_of(question, "cpsat")
    text_format.Parse(text, cp_model_pb2.CpModelProto())
    model = cp_model.CpModel()
    assert model.proto.parse_text_format(text)
    assert model.validate() == ""
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    status = solver.solve(model)
    if status == cp_model.INFEASIBLE:
        assert answer == IMPOSSIBLE
    else:
        assert status == cp_model.OPTIMAL
        assert answer == (POSSIBLE if sense_of(question) is None else round(solver.objective_value))


@pytest.mark.parametrize("form", ["opb", "wcnf-legacy"])
@pytest.mark.parametrize("name", ["sprinklers basic", "hops", "stars broken", "lights most", "mines apart"])
def test_clasp_reads_what_it_can_read(form: str, name: str, tmp_path: Path) -> None:
    pytest.importorskip(
        "clingo", reason="clingo, with clasp in it, is not installed: pip install 'twinproof[third]'"
    )
    question, answer = QUESTIONS[name]
    text, sense = text_of(question, form), sense_of(question)
    assert sense is not None
    path = tmp_path / "model"
    path.write_text(text, encoding="ascii")
    command = [sys.executable, "-m", "clingo", "--mode=clasp", str(path)]
    said = subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
    assert "s OPTIMUM FOUND" in said
    best = [int(line.split()[1]) for line in said if line.startswith("o ")][-1]
    assert told(text, "*" if form == "opb" else "c", sense, best) == answer


@pytest.mark.parametrize("form", ["wcnf", "opb"])
def test_comments_say_what_the_variables_mean(form: str) -> None:
    question = QUESTIONS["sprinklers grid:4x4"][0]
    text = text_of(question, form)
    meant = dict(re.findall(r"variable (\d+) true: (S at row \d column \d)$", text, re.MULTILINE))
    assert len(set(meant.values())) == 16
    with RC2(WCNF(from_string=text_of(question, "wcnf"))) as rc2:
        chosen = [meant[str(v)] for v in rc2.compute() if str(v) in meant]
    places = [tuple(map(int, re.findall(r"\d", place))) for place in chosen]
    assert len(places) == 4
    for r in range(1, 5):
        for c in range(1, 5):
            assert any(abs(r - a) + abs(c - b) <= 1 for a, b in places)


def odd_formulas() -> Iterator[MaxsatFormula[int]]:
    """Formulas that a careless writer spoils: no clause, an empty one, repeated and contrary literals."""
    cases: list[tuple[list[list[int]], list[int]]] = [
        ([], []),
        ([], [1, -1, -1, 2]),
        ([[]], [1]),
        ([[1, -1], [2, 2, -3], [3, 3]], [-2, -2, 3, -1]),
    ]
    for hard, soft in cases:
        top = max((abs(literal) for clause in [*hard, soft] for literal in clause), default=0)
        yield post(MaxsatModel(hard, top, tuple(soft), Sense.MAXIMIZE, lambda values: 0), None)


# By hand: nothing to count; of 1, -1, -1 and 2 three can hold; an empty clause; 3 forces 2, so that 3 and -1 hold.
@pytest.mark.parametrize(("formula", "answer"), list(zip(odd_formulas(), [0, 3, IMPOSSIBLE, 2], strict=True)))
def test_odd_formulas_keep_their_optimum(formula: MaxsatFormula[int], answer: Answer) -> None:
    costs = {}
    for form, lines, mark in (
        ("wcnf", wcnf_lines, "c"),
        ("legacy", wcnf_legacy_lines, "c"),
        ("opb", opb_lines, "*"),
    ):
        text = "".join(line + "\n" for line in lines(formula, ["two\nlines é"]))
        assert f"{mark} two\\nlines \\xe9\n" in text
        if form == "opb":
            cost = by_cpsat(*read_opb(text))
        else:
            cost = clauses_by_cpsat(*(read_wcnf if form == "wcnf" else read_legacy)(text))
        costs[form] = cost if isinstance(cost, str) else told(text, mark, Sense.MAXIMIZE, cost)
    assert costs == dict.fromkeys(costs, answer)


def test_an_empty_yes_or_no_question_is_possible() -> None:
    formula = post(MaxsatModel([], 0, (), None, lambda values: 0), None)
    assert list(cnf_lines(formula))[-1] == "p cnf 1 0"
    assert by_cpsat(*read_opb("\n".join(opb_lines(formula)))) == POSSIBLE


def test_export_writes_the_same_to_standard_output_and_to_a_file(twinproof: Run, tmp_path: Path) -> None:
    words = ("export", "sprinklers", "grid:4x4", "--to", "opb")
    status, out, err = twinproof(*words)
    assert (status, err) == (0, "")
    assert twinproof(*words, "--output", "model.opb") == (0, "", "")
    assert (tmp_path / "model.opb").read_text(encoding="ascii") == out
    assert by_cpsat(*read_opb(out)) == 4


def test_export_takes_the_options_of_solve(twinproof: Run, tmp_path: Path) -> None:
    (tmp_path / "board.txt").write_text("aabbb\naabbc\ndabcc\nddecc\ndeeee\n", encoding="utf-8")
    status, out, _ = twinproof("export", "starbattle", "board.txt", "--stars", "1", "--to", "cnf")
    assert status == 0
    with Solver("glucose4", bootstrap_with=CNF(from_fp=StringIO(out)).clauses) as solver:
        assert solver.solve()
    status, out, _ = twinproof(
        "export", "hops", "grid:3x3", "--entrance", "1,1", "--at-least", "9", "--to", "wcnf-legacy"
    )
    assert status == 0
    assert "c question: is there a layout of value at least 9?\n" in out
    assert clauses_by_cpsat(*read_legacy(out)) == IMPOSSIBLE


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("sprinklers", "grid:2x2", "--to", "lp"),
            "--to lp: unknown; known are wcnf, wcnf-legacy, opb, cnf, cpsat",
        ),
        (("sprinklers", "grid:2x2", "--to", "cnf"), "cnf: has no words for an objective"),
        (("sprinklers", "grid:2x2", "--hops", "3"), "--hops: not an option of sprinklers"),
        (
            ("sprinklers", "grid:2x2", "--output", "no/such/folder"),
            "no/such/folder: the folder no/such does not exist",
        ),
        (("hops", "grid:2x2", "--objective", "fewest-sprinklers"), "the number of hops must be fixed"),
        (("lightup",), "lightup: INSTANCE is missing"),
    ],
)
def test_export_refuses_bad_input_in_one_line(twinproof: Run, words: tuple[str, ...], said: str) -> None:
    status, out, err = twinproof("export", *words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert said in err


def test_a_file_that_cannot_be_filled_is_left_as_it_was(twinproof: Run, tmp_path: Path) -> None:
    kept = tmp_path / "kept.cnf"
    kept.write_text("before", encoding="ascii")
    assert twinproof("export", "sprinklers", "grid:2x2", "--to", "cnf", "--output", "kept.cnf")[0] == 2
    assert [path.name for path in tmp_path.iterdir()] == ["kept.cnf"]
    assert kept.read_text(encoding="ascii") == "before"


def test_every_form_is_written_by_one_of_the_twins() -> None:
    assert set(FORMS.values()) == {"cpsat", "maxsat"}
