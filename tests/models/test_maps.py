"""Fields: the sizes that are published, maps as people write them, symmetries, and what is refused."""

import pytest
from hypothesis import given

from tests.support.examples import examples
from tests.support.strategies import fields
from twinproof.models.field.maps import Field, named_field, parse_layout, parse_map
from twinproof.models.field.symmetries import SYMMETRIES, orbits, symmetry_group
from twinproof.models.grid import SQUARE_SYMMETRIES
from twinproof.optim import InputError


@pytest.mark.parametrize(
    ("name", "tiles"),
    # Stardew wiki: 248 and 888; the discs by counting lattice points (OEIS A057655, less the centre).
    [("scarecrow", 248), ("deluxe", 888), ("disc:1", 4), ("disc:2", 8), ("disc:25", 80), ("grid:9x11", 99)],
)
def test_named_field_has_the_published_number_of_tiles(name: str, tiles: int) -> None:
    assert len(named_field(name).tiles) == tiles


def test_scarecrow_has_the_published_half_widths() -> None:
    rows = named_field("scarecrow").rows(dict.fromkeys(named_field("scarecrow").tiles, "."))
    assert [row.count(".") + row.count("X") for row in rows[8:]] == [
        2 * half + 1 for half in (8, 8, 8, 8, 8, 7, 6, 5, 4)
    ]


def test_disc_has_all_symmetries_and_a_rectangle_three() -> None:
    assert len(named_field("disc:9").automorphisms) == 7
    assert len(named_field("grid:2x3").automorphisms) == 3
    assert len(named_field("grid:3x3").automorphisms) == 7


def test_map_with_ragged_lines_and_obstacles() -> None:
    field = parse_map("..X\n.\n\n  .\n", "drawing")
    assert field.cells == ((0, 0), (0, 1), (1, 0), (3, 2))
    assert field.obstacles == {(0, 2)}
    assert field.is_outside((2, 0))
    assert field.is_outside((-1, 0))
    assert (field.height, field.width) == (4, 3)


@examples(100)
@given(drawn=fields(14))
def test_map_is_read_back_as_written(drawn: tuple[Field, str | None]) -> None:
    field, _ = drawn
    rows = field.rows(dict.fromkeys(field.tiles, "."))
    again = parse_map("\n".join(rows), field.name)
    assert (again.tiles, again.obstacles) == (field.tiles, field.obstacles)
    assert parse_layout("\n".join(rows), field, {".": "crop"}, "layout") == dict.fromkeys(field.cells, ".")


def test_walking_distance_on_the_scarecrow_field_is_that_of_the_disc() -> None:
    field = named_field("scarecrow")
    distances = field.walking_distances(field.edge_tiles)
    # Next to the scarecrow at (8, 8): out along its row needs 7 more steps, and no way is shorter.
    assert distances[8, 7] == 7
    assert all(distances[tile] == 0 for tile in field.edge_tiles)
    assert len(distances) == 248


def test_edge_tiles_border_the_outside_and_not_just_an_obstacle() -> None:
    assert parse_map("X.X\n...\nX.X", "plus").edge_tiles == {(0, 1), (1, 0), (1, 2), (2, 1)}
    assert parse_map("XXX\nX.X\nXXX", "cell").edge_tiles == set()


@pytest.mark.parametrize("name", SYMMETRIES)
def test_every_named_symmetry_generates_a_group_of_the_right_size(name: str) -> None:
    sizes = {"hsym": 2, "vsym": 2, "both": 4, "half-turn": 2, "quarter-turn": 4, "diagonal": 2, "antidiagonal": 2}
    field = named_field("disc:4")
    leader = orbits(field.cells, symmetry_group(field, name))
    # Some tile of this disc is moved by every element, so its orbit is as large as the group, unless the
    # tile lies on a mirror.
    assert max(list(leader.values()).count(cell) for cell in leader) == sizes[name]


@pytest.mark.parametrize("name", SQUARE_SYMMETRIES)
def test_square_symmetries_are_permutations_of_a_square(name: str) -> None:
    image = named_field("grid:3x3").square_symmetry(name)
    assert image is not None
    assert set(image.values()) == set(image)
    assert image[1, 1] == (1, 1)
    assert any(image[cell] != cell for cell in image)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: parse_map("", "m"), "m: the map has no tile"),
        (lambda: parse_map("XX\n \n", "m"), "m: the map has no tile"),
        (lambda: parse_map("..\n.o", "m"), "m: row 2, column 2: 'o' is not in the legend"),
        (lambda: parse_map(".\t.", "m"), "m: row 1, column 2: '\\t' is not in the legend"),
        (lambda: parse_map(("." * 1000 + "\n") * 101, "m"), "m: 101000 tiles; at most 100000"),
        (lambda: named_field("grid:1000x1000"), "grid:1000x1000: 1000000 tiles; at most 100000"),
        (lambda: named_field("disc:99999999"), "disc:99999999: more than 100000 tiles"),
        (lambda: named_field("disc:0"), "disc:0: the squared radius must be at least 1"),
        (lambda: named_field("grid:0x3"), "grid:0x3: height and width must be at least 1"),
        (lambda: named_field("meadow"), "field 'meadow': no field has this name"),
        (lambda: named_field(9), "field 9: no field has this name"),  # type: ignore[arg-type]
        (lambda: named_field("grid:3"), "grid:3: a grid is written grid:MxN"),
        (lambda: named_field("disc:-4"), "disc:-4: '-4' is no whole number"),
        (lambda: named_field("disc:\uff19"), "disc:\uff19: '\uff19' is no whole number"),
        (
            lambda: symmetry_group(named_field("grid:2x3"), "diagonal"),
            "symmetry diagonal: grid:2x3 is not symmetric",
        ),
        (lambda: symmetry_group(parse_map("..\n.", "m"), "hsym"), "symmetry hsym: m is not symmetric under it"),
        (lambda: symmetry_group(named_field("grid:2x3"), "round"), "symmetry 'round': unknown; known are hsym"),
    ],
)
def test_bad_fields_are_refused_in_one_line(build: object, message: str) -> None:
    assert callable(build)
    with pytest.raises(InputError) as error:
        build()
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("..\n..\n..", "l: the layout has 3 rows and 2 columns, m has 2 and 3"),
        ("...\n.Q.", "l: row 2, column 2: 'Q' is not in the legend ('.' crop, 'X' obstacle, blank outside)"),
        ("...\nX..", "l: row 2, column 1: the layout has an obstacle ('X'), the field a tile"),
        ("...\n...", "l: row 2, column 3: the layout has a tile ('.'), the field an obstacle"),
        ("", "l: the layout has 0 rows and 0 columns, m has 2 and 3"),
    ],
)
def test_layouts_that_do_not_fit_are_refused_with_the_place(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        parse_layout(text, parse_map("...\n..X", "m"), {".": "crop"}, "l")
    assert str(error.value) == message
