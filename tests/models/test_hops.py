"""Hops: what is special to them."""

from collections.abc import Sequence

from twinproof.compare.certificates.claims import encode
from twinproof.models import PUZZLES
from twinproof.models.field.maps import parse_map
from twinproof.models.hops import rules as hops_rules
from twinproof.models.hops.instance import HopsPuzzle
from twinproof.optim.proof.cnf import Encoding


def keeps(board: Encoding, layout: Sequence[str]) -> bool:
    """Whether a layout, with the auxiliary variables as they are read, makes the verifier's clauses true."""
    return board.formula.broken(board.formula.extend(board.chosen(layout))) is None


def test_hops_a_walk_may_be_as_long_as_the_field() -> None:
    # One way, without a branch, from the entrance to the only hop: every tile of it counts.
    rows = ["......", "XXXXX.", "......", ".XXXXX", "......"]
    puzzle = HopsPuzzle(parse_map("\n".join(rows), "snake"), entrances=frozenset({(0, 0)}), dry_paths=True)
    layout = ("......", "XXXXX.", "......", ".XXXXX", "...." + "HS")
    assert hops_rules.violations(puzzle, layout) == []
    board = encode(PUZZLES["hops"], puzzle)
    assert keeps(board, layout)
    assert not keeps(board, (*layout[:2], "..S...", *layout[3:]))
