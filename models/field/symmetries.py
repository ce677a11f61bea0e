"""Symmetries of a square grid, and of the fields on it."""

from collections.abc import Iterable, Sequence

from twinproof.models.field.maps import Field
from twinproof.models.grid import Cell, Permutation
from twinproof.optim import InputError

SYMMETRIES: dict[str, tuple[str, ...]] = {
    "hsym": ("left-right",),
    "vsym": ("up-down",),
    "both": ("left-right", "up-down"),
    "half-turn": ("half-turn",),
    "quarter-turn": ("quarter-turn",),
    "diagonal": ("diagonal",),
    "antidiagonal": ("antidiagonal",),
}
"""The symmetries that a layout may be asked to have, by the generators of their groups."""


def symmetry_group(field: Field, name: str | None) -> tuple[Permutation, ...]:
    """Give the generators of a named symmetry as permutations of a field's tiles.

    Parameters
    ----------
    field : Field
    name : str or None
        A key of `SYMMETRIES`; None asks for no symmetry.

    Raises
    ------
    InputError
        If the name is unknown, or the field does not have the symmetry.
    """
    if name is None:
        return ()
    if name not in SYMMETRIES:
        raise InputError(f"symmetry {name!r}: unknown; known are {', '.join(SYMMETRIES)}")
    generators = []
    for generator in SYMMETRIES[name]:
        image = field.square_symmetry(generator)
        if image is None:
            raise InputError(f"symmetry {name}: {field.name} is not symmetric under it ({generator})")
        generators.append(image)
    return tuple(generators)


def orbits(cells: Sequence[Cell], generators: Iterable[Permutation]) -> dict[Cell, Cell]:
    """Map every cell to the first cell of its orbit under the group that the generators span.

    Parameters
    ----------
    cells : sequence of Cell
        Those that are permuted.
    generators : iterable of mapping
        Permutations of the cells.

    Returns
    -------
    dict of Cell to Cell
        Two cells are alike just when they have the same value.
    """
    images = list(generators)
    if not images:
        return {cell: cell for cell in cells}
    import networkx as nx  # noqa: PLC0415 - takes long to load, and most commands do not need it

    graph: nx.Graph[Cell] = nx.Graph()
    graph.add_nodes_from(cells)
    for image in images:
        graph.add_edges_from(image.items())
    leader: dict[Cell, Cell] = {}
    for orbit in nx.connected_components(graph):
        first = min(orbit)
        leader.update(dict.fromkeys(orbit, first))
    return leader


def preserving(images: Iterable[Permutation], generators: Sequence[Permutation]) -> tuple[Permutation, ...]:
    """Keep the permutations that map every layout with a symmetry to a layout with that symmetry.

    Parameters
    ----------
    images : iterable of Permutation
    generators : sequence of Permutation
        Of the group under which a layout must not change. A permutation is kept if it maps orbits to orbits.
    """
    if not generators:
        return tuple(images)
    return tuple(
        image
        for image in images
        for leader in [orbits(list(image), generators)]
        if all(leader[image[cell]] == leader[image[leader[cell]]] for cell in image)
    )
