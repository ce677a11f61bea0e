"""Fields from names, files and texts."""

from pathlib import Path

from twinproof.models.field.maps import FIELDS, Field, is_field_name, named_field, parse_map
from twinproof.models.text.sources import Inline, Source, read_text, show_name
from twinproof.optim import InputError


def read_field(source: Source) -> Field:
    """Build a field from its name, a file with a map, `-` for standard input, or the text of a map.

    Raises
    ------
    InputError
        If there is neither such a name nor such a file, or its content is no field.
    """
    if isinstance(source, Inline):
        return parse_map(source.text, source.name)
    if is_field_name(source):
        return named_field(source)
    if source != "-" and not Path(source).exists():
        names = ", ".join(FIELDS)
        raise InputError(f"field {source!r}: no field has this name ({names}) and there is no such file")
    return parse_map(read_text(source), show_name(source))
