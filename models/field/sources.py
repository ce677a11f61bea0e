"""Fields from names, files and texts."""

from pathlib import Path

from twinproof.models.field.maps import (
    FIELDS,
    OBSTACLE,
    OUTSIDE,
    TILE,
    Field,
    is_field_name,
    named_field,
    parse_map,
)
from twinproof.models.text.drawings import lines_of, plain, read_drawn
from twinproof.models.text.grids import Gaps, closed_up, gaps, looks_like_lists
from twinproof.models.text.sources import Source, read_text, show_name
from twinproof.optim import InputError

MAP, SPACED = "map", "spaced"

FORMS = {MAP: "a character a cell, blanks are outside", SPACED: "a character a cell, apart"}
"""The forms of a map by name."""

PLANTED = "SH"
"""The marks of layouts that stand on tiles: a sprinkler, a hop."""


def read_field(source: Source, form: str | None = None) -> Field:
    """Build a field from its name, a file with a map, `-` for standard input, or the text of a map.

    Parameters
    ----------
    source : Source
    form : str, optional
        That of the map, a key of `FORMS`; by default it is recognised.

    Raises
    ------
    InputError
        If there is neither such a name nor such a file, its content is no field, or may be two unless its form is
        named.
    """
    if form is not None and form not in FORMS:
        raise InputError(f"form {form!r}: unknown; known are {', '.join(FORMS)}")
    if isinstance(source, str):
        if is_field_name(source):
            if form is not None:
                raise InputError(f"--format {form}: the field {source} is a name, and no text")
            return named_field(source)
        if source != "-" and not Path(source).exists():
            names = ", ".join(FIELDS)
            raise InputError(f"field {source!r}: no field has this name ({names}) and there is no such file")
    name = show_name(source)
    text = _without_marks(read_text(source), name)
    return parse_map("\n".join(closed_up(text, name)) if _is_spaced(text, name, form) else text, name)


def _without_marks(text: str, name: str) -> str:
    """Give the map in what commands print, whatever stands on its tiles; any other text as it is."""
    if looks_like_lists(text) or not any(mark in text for mark in PLANTED):
        return text
    tiles = str.maketrans(dict.fromkeys(PLANTED, TILE))
    marks = PLANTED + TILE + OBSTACLE + OUTSIDE
    lines = lines_of(plain(text, name), name)
    first = next(number for number, line in enumerate(lines) if line.strip())
    if first and set(lines[first]) <= set(marks):
        raise InputError(
            f"{name}: blank lines above the drawing: rows of the map or not? Leave them out, or give the map alone"
        )
    return read_drawn(text, name, marks, lambda rows, _: "\n".join(rows).translate(tiles))


def _is_spaced(text: str, name: str, form: str | None) -> bool:
    if form is not None:
        return form == SPACED
    found = gaps(text, endless=True)
    if found is Gaps.EITHER:
        raise InputError(
            f"{name}: every second row or column, or more of them, are blank: --format {SPACED} takes them for "
            f"gaps between cells, --format {MAP} for the outside"
        )
    return found is Gaps.LAYOUT
