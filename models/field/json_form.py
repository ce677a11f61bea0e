"""A field in plain JSON values."""

from collections.abc import Mapping
from typing import Any

from twinproof.models.field.maps import Field, is_field_name, parse_map
from twinproof.models.text.json_values import get, rows_of
from twinproof.optim import InputError


def field_rows(field: Field) -> tuple[str, ...]:
    """Give a field as the rows of its map."""
    return field.rows(dict.fromkeys(field.tiles, "."))


def field_to_json(field: Field) -> dict[str, Any]:
    """Give name and map."""
    return {"name": field.name, "map": list(field_rows(field))}


def field_from_json(content: Mapping[str, Any]) -> Field:
    """Read a field from name and map.

    Raises
    ------
    InputError
        If it is no field, or the name is that of another one.
    """
    name = get(content, "name", str, "instance")
    field = parse_map("\n".join(rows_of(content, "map", "instance")), name)
    # A claim names the field: it must be the one that this name means everywhere else.
    if is_field_name(name) and not field.is_named:
        raise InputError(f"instance: name: the map is not the field {name}")
    return field
