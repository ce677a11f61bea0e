"""The words of a claim say the whole question: two questions never have the same, whatever a name may hold."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.contract.trials import TRIALS
from tests.oracle.frontier import certify as certify_ring
from tests.support.examples import examples
from tests.support.frontier import DISC_9, disc_9, field_rows, line
from twinproof.compare.certificates.claims import Claim
from twinproof.compare.certificates.words import in_words, instance_in_words
from twinproof.models.field.maps import Field, named_field, parse_map
from twinproof.models.hops.frontier_verify import verify_frontier
from twinproof.models.hops.instance import HopsPuzzle
from twinproof.models.puzzle import Puzzle
from twinproof.models.sprinklers import PUZZLE as SPRINKLERS
from twinproof.models.sprinklers.instance import SprinklerKind, SprinklerPuzzle
from twinproof.optim import InputError

EVERY = pytest.mark.parametrize("name", TRIALS)

NASTY = (
    "scarecrow ",
    " scarecrow",
    "SCARECROW",
    "\u0455carecrow",  # a Cyrillic letter
    "disc:9\n",
    "disc:\u0669",  # an Arabic digit
    "disc:9: most-hops: 18, and no layout is better",
    'disc:9" (kind "basic")',
    "\x1b[2Kvalid",
    "\u202edilav",
    "a\rb\x00\x85\u2028c",
    "",
    "x" * 500,
)


def plain(puzzle: Puzzle[Any], instance: Any) -> dict[str, Any]:
    """All that the question rests on: the name is not."""
    content: dict[str, Any] = {**puzzle.to_json(instance)}
    content.pop("name", None)
    return content


def changed(puzzle: Puzzle[Any], instance: Any, data: st.DataObject) -> Any:
    """The same instance but for one value of it, if there is such a one."""
    content = json.loads(json.dumps(puzzle.to_json(instance)))
    key = data.draw(st.sampled_from(sorted(content.keys() - {"name"})))
    values: dict[type, list[object]] = {
        bool: [not content[key]],
        int: [0, 1, 2, 4, 8, None],
        type(None): [0, 1, 2, "hsym", "half-turn"],
        str: ["basic", "quality", "iridium", "hsym", None],
        list: [[], [[1, 1]], [[1, 2]], content[key][:-1] if isinstance(content[key], list) else []],
    }
    content[key] = data.draw(st.sampled_from(values[type(content[key])]))
    return puzzle.from_json(content)


@EVERY
@examples(80)
@given(data=st.data())
def test_two_questions_never_have_the_same_words(name: str, data: st.DataObject) -> None:
    trial = TRIALS[name]
    one = data.draw(trial.small)
    other = data.draw(trial.small)
    with suppress(InputError):
        if data.draw(st.booleans()):
            other = changed(trial.puzzle, one, data)
    same = plain(trial.puzzle, one) == plain(trial.puzzle, other)
    words = {instance_in_words(trial.puzzle, instance) for instance in (one, other)}
    assert (len(words) == 1) == (same and one.name == other.name)


@EVERY
def test_two_claims_never_have_the_same_words(name: str) -> None:
    trial = TRIALS[name]
    instance = trial.odd[0]
    claims = [Claim("unique"), Claim("infeasible"), Claim("forced")]
    for objective in trial.puzzle.objectives:
        claims += [Claim("optimum", objective.name, value) for value in (0, 1, 11)]
        claims += [Claim("infeasible", objective.name, at_least=number) for number in (0, 1, 11)]
        claims += [Claim("infeasible", objective.name, at_most=number) for number in (0, 1, 11)]
    assert len({in_words(trial.puzzle, instance, claim) for claim in claims}) == len(claims)


@EVERY
@examples(40)
@given(data=st.data())
def test_no_name_is_taken_for_anything_else(name: str, data: st.DataObject) -> None:
    trial = TRIALS[name]
    instance = data.draw(trial.small)
    called = data.draw(st.sampled_from(NASTY) | st.text(max_size=30))
    content = {**trial.puzzle.to_json(instance), "name": called}
    try:
        read = trial.puzzle.from_json(json.loads(json.dumps(content)))
    except InputError:
        assume(False)
    words = instance_in_words(trial.puzzle, read)
    assert words.isascii()
    assert words.isprintable()
    if not trial.puzzle.is_named(read):
        shown = json.dumps(called[:80]) + ("..." if len(called) > 80 else "")
        assert words.startswith(f"{trial.puzzle.name} {shown} (")
        assert json.JSONDecoder().raw_decode(words.removeprefix(f"{trial.puzzle.name} "))[0] == called[:80]


def test_only_the_field_itself_goes_by_its_name() -> None:
    nine, four = named_field("disc:9"), named_field("disc:4")
    for field, named in (
        (nine, True),
        (Field("disc:9", four.height, four.width, four.tiles, four.obstacles), False),
        (Field("disc:9 ", nine.height, nine.width, nine.tiles, nine.obstacles), False),
        (Field("disc:0", nine.height, nine.width, nine.tiles, nine.obstacles), False),
        (parse_map("...\n", "grid:1x3"), True),
        (parse_map("...\n", "grid:1X3"), True),
        (parse_map("...\n", "grid"), False),
    ):
        words = instance_in_words(SPRINKLERS, SprinklerPuzzle(field))
        assert words.startswith(f"sprinklers {field.name} (kind") == named
        assert words.startswith(f'sprinklers "{field.name}" (') != named
        assert ("digest" in words) != named


@pytest.mark.parametrize(
    ("puzzle", "words"),
    [
        (HopsPuzzle(named_field("disc:9")), ('kind "basic"', "no nozzle", "harvest 4", "entrances none")),
        (HopsPuzzle(named_field("disc:9"), hops=0), ("hops 0", "symmetry not given", "no dry paths")),
        (
            HopsPuzzle(
                named_field("grid:2x2"), SprinklerKind("iridium", True), 8, frozenset({(0, 1)}), True, "hsym"
            ),
            (
                *('kind "iridium"', "nozzle", 'symmetry "hsym"', "harvest 8", "entrances [[1, 2]]", "dry paths"),
                "hops not given",
            ),
        ),
    ],
)
def test_every_option_is_said_also_one_that_nobody_gave(puzzle: HopsPuzzle, words: tuple[str, ...]) -> None:
    said = instance_in_words(TRIALS["hops"].puzzle, puzzle)
    assert all(f" {word}, " in said.replace("(", " ").replace(")", ", ") for word in words)


@examples(60)
@given(data=st.data())
def test_both_verifiers_say_the_same(data: st.DataObject) -> None:
    puzzle = TRIALS["hops"].puzzle
    instance = data.draw(TRIALS["hops"].small)
    content = {**puzzle.to_json(instance), "name": data.draw(st.sampled_from((instance.name, *NASTY)))}
    assume(content["symmetry"] is None is content["hops"])
    try:
        read = puzzle.from_json(content)
    except InputError:
        assume(False)
    said = {key: value for key, value in content.items() if key not in ("symmetry", "hops")}
    verdict = verify_frontier({**disc_9(), "instance": said})
    assert not verdict.valid
    assert verdict.claim == in_words(puzzle, read, Claim("optimum", "most-hops", disc_9()["value"]))
    assert verdict.named == puzzle.is_named(read)


def test_a_certificate_of_another_question_does_not_sound_like_this_one() -> None:
    rows = field_rows("disc:9")
    sweep = line("disc:9", rows, kind="quality", harvest=8)
    other = verify_frontier(certify_ring(sweep, sweep.best_layout()))
    this = verify_frontier(disc_9())
    assert (this.valid, other.valid) == (True, True)
    assert this.claim.startswith('hops disc:9 (kind "basic", no nozzle, symmetry not given, harvest 4, ')
    assert other.claim.startswith('hops disc:9 (kind "quality", no nozzle, symmetry not given, harvest 8, ')
    spaced = verify_frontier({**disc_9(), "instance": {**disc_9()["instance"], "name": "disc:9 "}})
    assert spaced.claim.startswith('hops "disc:9 " (7x7, digest ')
    assert this.proves["layouts"] == [list(DISC_9)]
