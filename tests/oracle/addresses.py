"""Addresses and game IDs, written and read once more from what their programs' sources say.

The reading of pzpr follows `src/pzpr/parser.js` and `src/variety-common/Encode.js` of the project pzprjs, the
writing of boards `maketext` in `docs/js/class_p.js` of the project penpa-edit. The puzzles' own code is not used.
"""

import base64
import json
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

Rows = Sequence[str]


def pzpr(address: str) -> tuple[str, int, int, str]:
    """Give kind, columns, rows and body as pzpr splits an address."""
    search = address.strip().partition("?")[2]
    assert search[-1].isalnum() or search.endswith("/"), "chat programs take the last sign off"
    kind, columns, rows, *body = search.split("/")
    if body and not body[-1]:
        body.pop()
    return kind, int(columns), int(rows), "/".join(body)


def lightup(address: str) -> list[str]:
    """Read a Light Up puzzle, one cell after the other, as decode4Cell does."""
    kind, columns, rows, body = pzpr(address)
    assert kind == "lightup"
    cells = ["."] * (columns * rows)
    at = 0
    for sign in body:
        if sign == ".":
            cells[at] = "#"
        elif sign in "01234":
            cells[at] = sign
        elif sign in "56789":
            cells[at] = str(int(sign) - 5)
            at += 1
        elif sign in "abcde":
            cells[at] = str("abcde".index(sign))
            at += 2
        else:
            at += int(sign, 36) - 16
        at += 1
    assert at >= len(cells)
    return ["".join(cells[r * columns : (r + 1) * columns]) for r in range(rows)]


def mines(address: str) -> list[str]:
    """Read a board in play, as decodeNumber16 does."""
    kind, columns, rows, body = pzpr(address)
    assert kind == "mines"
    cells = ""
    for sign in body:
        cells += "?" if sign == "." else sign if sign in "012345678" else "." * (int(sign, 36) - 15)
    assert len(cells) == columns * rows
    return [cells[r * columns : (r + 1) * columns] for r in range(rows)]


def starbattle(address: str) -> tuple[int, set[frozenset[tuple[int, int]]]]:
    """Give the number of stars, and the neighbours with no border between them, as decodeBorder does."""
    kind, columns, rows, body = pzpr(address)
    assert kind == "starbattle"
    stars, _, digits = body.partition("/")
    bits = [f"{int(digit, 32):05b}" for digit in digits]
    upright = [((r, c), (r, c + 1)) for r in range(rows) for c in range(columns - 1)]
    level = [((r, c), (r + 1, c)) for r in range(rows - 1) for c in range(columns)]
    cut = (len(upright) + 4) // 5
    first, second = "".join(bits[:cut]), "".join(bits[cut:])
    joined = [pair for pair, bit in zip(upright, first, strict=False) if bit == "0"]
    joined += [pair for pair, bit in zip(level, second, strict=False) if bit == "0"]
    return int(stars), {frozenset(pair) for pair in joined}


def kanpen(rows: Rows) -> str:
    """Write a Light Up puzzle as kanpen.net has it."""
    cells = "/".join("".join(f"{mark}_" for mark in row.replace("#", "5")) for row in rows)
    return f"http://www.kanpen.net/bijutsukan.html?problem={len(rows)}/{len(rows[0])}/{cells}/"


class Drawing:
    """A board of penpa-edit on which is drawn; its cells are numbered with two rows and columns around it."""

    def __init__(self, height: int, width: int, margins: tuple[int, int, int, int] = (0, 0, 0, 0)) -> None:
        self.height, self.width, self.margins = height, width, margins
        top, bottom, left, right = margins
        self.down, self.across = height + top + bottom + 4, width + left + right + 4
        self.layers: dict[str, Any] = {"surface": {}, "number": {}, "symbol": {}, "lineE": {}, "thermo": []}
        self.cells = [self.place(r, c) for r in range(height) for c in range(width)]

    def place(self, r: int, c: int, corner: bool = False) -> int:
        """Give the number of a cell, or of its lower right corner."""
        inside = (r + 2 + self.margins[0]) * self.across + c + 2 + self.margins[2]
        return inside + corner * self.down * self.across

    def border(self, one: tuple[int, int], other: tuple[int, int], style: int = 2) -> None:
        """Draw the line between two neighbours, the first left of the other or above it."""
        (r, c), (to_r, _) = one, other
        start = (r - 1, c) if to_r == r else (r, c - 1)
        ends = f"{self.place(*start, corner=True)},{self.place(r, c, corner=True)}"
        self.layers["lineE"][ends] = style

    def text(self, mode: str = "edit", tags: Sequence[str] = ()) -> str:
        """Write the lines that the address compresses."""
        top, bottom, left, right = self.margins
        short = {"surface": "zS", "number": "zN", "symbol": "zY", "lineE": "zE", "thermo": "zT"}
        drawn = json.dumps(self.layers, separators=(",", ":"))
        for long, abbreviation in short.items():
            drawn = drawn.replace(f'"{long}"', abbreviation)
        steps = [self.cells[0], *(b - a for a, b in zip(self.cells, self.cells[1:], strict=False))]
        lines = [
            f"square,{self.width + left + right},{self.height + top + bottom},38,0,1,1,418,418,286,286",
            json.dumps(self.margins),
            '{z9:zQ,"grid":["1","2","1"]}',
            drawn,
            "{zR:{z_:[]},zS:{}}" if mode == "edit" else "",
            json.dumps(steps),
            *["{}"] * 11,
            json.dumps(tags, separators=(",", ":")),
        ]
        return "\n".join(lines)

    def address(self, mode: str = "edit", tags: Sequence[str] = ()) -> str:
        """Write the address."""
        return f"https://swaroopg92.github.io/penpa-edit/#m={mode}&p={deflated(self.text(mode, tags))}"


def deflated(text: str) -> str:
    """Compress a text as penpa-edit does."""
    compressor = zlib.compressobj(wbits=-15)
    return base64.b64encode(compressor.compress(text.encode()) + compressor.flush()).decode()


def drawn_lightup(rows: Rows) -> Drawing:
    """Draw a Light Up puzzle, as penpa-edit imports one: black walls with white numbers."""
    board = Drawing(len(rows), len(rows[0]))
    for r, row in enumerate(rows):
        for c, mark in enumerate(row):
            if mark != ".":
                board.layers["surface"][str(board.place(r, c))] = 4
                board.layers["number"][str(board.place(r, c))] = [" " if mark == "#" else mark, 7, "1"]
    return board


def drawn_mines(rows: Rows) -> Drawing:
    """Draw a board in play."""
    board = Drawing(len(rows), len(rows[0]))
    board.layers["number"] = {
        str(board.place(r, c)): [mark, 1, "1"]
        for r, row in enumerate(rows)
        for c, mark in enumerate(row)
        if mark != "."
    }
    return board


def drawn_starbattle(regions: Sequence[Sequence[object]], stars: int) -> Drawing:
    """Draw a Star Battle as penpa-edit imports one: black borders, and the number of stars in the margin."""
    height, width = len(regions), len(regions[0])
    board = Drawing(height, width, (1, 1, 1, 1))
    for r in range(height):
        for c in range(width):
            for to in ((r, c + 1), (r + 1, c)):
                inside = to[0] < height and to[1] < width
                if not inside or regions[to[0]][to[1]] != regions[r][c]:
                    board.border((r, c), to)
    board.layers["number"][str(board.place(-1, width - 2))] = [str(stars), 1, "1"]
    board.layers["symbol"][str(board.place(-1, width - 1))] = [2, "star", 2]
    return board


def dressed(address: str) -> Mapping[str, str]:
    """Give an address as people have it: in quotes, in capitals, with what only the page needs."""
    scheme, _, rest = address.strip().partition("://")
    host, _, path = rest.partition("/")
    behind = {} if "#" in path else {"fragment": f"{scheme}://{rest}#board"}
    if "?" in path and "=" not in path and ":" not in path:
        page, _, said = path.partition("?")
        kind, _, parts = said.partition("/")
        behind |= {
            "edit": f"{scheme}://{host}/{page}?{kind}_edit/{parts}",
            "play": f"{scheme}://{host}/{page}?{kind}_play/{parts}",
            "type": f"{scheme}://{host}/{page}?type=editor&{said}",
            "old editor": f"http://pzv.jp/p.html?m+{said}",
            "empty flag": f"{scheme}://{host}/{page}?{kind}//{parts}",
            "mirror": f"http://pzplus.tck.mn/p.html?{said}",
            "slashes encoded": f"{scheme}://{host}/{page}?{said.replace('/', '%2F')}",
        }
    encoded = "".join(sign if sign.isalnum() else f"%{ord(sign):02X}" for sign in f"{scheme}://{rest}")
    return {
        "as it is": f"{scheme}://{rest}",
        "other scheme": f"http://{rest}",
        "capitals": f"{scheme.upper()}://{host.upper()}/{path}",
        "without scheme": rest,
        "www": f"{scheme}://www.{host.removeprefix('www.')}/{path}",
        "www without scheme": f"www.{host.removeprefix('www.')}/{path}",
        "blanks": f"  {scheme}://{rest} \n",
        "quotes": f'"{scheme}://{rest}"',
        "apostrophes": f"'{scheme}://{rest}'",
        "angles": f"<{scheme}://{rest}>",
        "curly quotes": f"\u201c{rest}\u201d",
        "both": f"(<{rest}>)",
        "encoded": encoded,
        "encoded twice": encoded.replace("%", "%25"),
        "wrapped": f"https://swaroopg92.github.io/penpa-edit/?p={encoded}",
        "wrapped and followed": f"https://example.org/go?url={encoded}&from=chat",
        "wrapped as it is": f"https://example.org/go?url={scheme}://{rest}",
        "slash": f"{scheme}://{rest}/",
        **behind,
    }
