"""A claim in words: one line of plain letters that says the whole question, whatever a name may hold.

Two questions never have the same words. An instance that everybody knows by its name, such as the field `disc:9`,
is called by it. Any other name stands in quotes, as it could be taken for one of these or for a claim, and behind
it stand the size of what is drawn, and its digest. Every option follows with its value, given by anybody or not.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from twinproof.compare.certificates.claims import Claim
from twinproof.models.puzzle import Puzzle
from twinproof.models.words import count_of

LONGEST_NAME = 80
"""Of a longer name the beginning is shown."""


def in_words(puzzle: Puzzle[Any], instance: Any, claim: Claim) -> str:
    """Say a claim in words.

    Parameters
    ----------
    puzzle : Puzzle
        The puzzle.
    instance : Any
        Its instance.
    claim : Claim
        The claim.

    Returns
    -------
    str
        One line of ASCII.
    """
    about = instance_in_words(puzzle, instance)
    if claim.kind == "optimum":
        return f"{about}: {claim.objective}: {claim.value}, and no layout is better"
    if claim.kind == "unique":
        return f"{about}: the layout is the only one"
    if claim.kind == "forced":
        return f"{about}: {_forced_in_words(claim)}"
    if claim.objective is None:
        return f"{about}: there is no layout"
    number = f"at least {claim.at_least}" if claim.at_least is not None else f"at most {claim.at_most}"
    return f"{about}: no layout has a value of {number} ({claim.objective})"


def _forced_in_words(claim: Claim) -> str:
    """Say how many cells are forced, and which marks they have in every layout."""
    cells, layout = (*claim.with_mark, *claim.without), claim.layouts[0] if claim.layouts else ()
    # Nothing is checked yet: there may be no layout, and a cell may be none.
    marks = Counter(layout[r][c] for r, c in cells if r < len(layout) and c < len(layout[r]))
    shown = ", ".join(f"{mark!a} in {number}" for mark, number in marks.items())
    return (
        f"{count_of(len(cells), 'forced cell')}"
        + (f" ({shown})" if shown else "")
        + "; all others are undetermined"
    )


def instance_in_words(puzzle: Puzzle[Any], instance: Any) -> str:
    """Name an instance, and say all that a claim about it rests on; see `in_words`.

    Parameters
    ----------
    puzzle : Puzzle
        The puzzle.
    instance : Any
        Its instance.

    Returns
    -------
    str
        Puzzle and instance, and in brackets what is drawn and every option.
    """
    plain = puzzle.to_json(instance)
    name = plain.pop("name", instance.name)
    drawings = {key: value for key, value in plain.items() if is_drawing(value)}
    said = [_option(key, value) for key, value in plain.items() if key not in drawings]
    if puzzle.is_named(instance):
        return f"{puzzle.name} {name} ({', '.join(said)})"
    if drawings:
        rows = next(iter(drawings.values()))
        said.insert(0, f"{len(rows)}x{max(map(len, rows))}, digest {drawing_digest(drawings)}")
    return f"{puzzle.name} {quoted(name)} ({', '.join(said)})"


def is_drawing(value: object) -> bool:
    """Whether a plain value of an instance is the rows of a drawing."""
    return isinstance(value, list) and bool(value) and all(isinstance(row, str) for row in value)


def drawing_digest(drawings: Mapping[str, Sequence[str]]) -> str:
    """Give the BLAKE2b digest, of 16 bytes, of drawings as JSON with sorted keys and without blanks."""
    plain = json.dumps(drawings, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(plain.encode("ascii"), digest_size=16).hexdigest()


def quoted(name: str) -> str:
    """Give a name in quotes, in plain letters: neither a terminal nor a reader takes it for something else."""
    return json.dumps(name[:LONGEST_NAME]) + ("..." if len(name) > LONGEST_NAME else "")


def _option(key: str, value: object) -> str:
    """Say what an option is; what is false, null or empty too, and each of them otherwise."""
    name = key.replace("_", " ")
    if isinstance(value, bool):
        return name if value else f"no {name}"
    return f"{name} {'not given' if value is None else 'none' if value == [] else json.dumps(value)}"
