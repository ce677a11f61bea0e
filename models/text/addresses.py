"""Addresses of pages that show a puzzle, and game IDs, as people copy and paste them.

Nothing is ever fetched: all of a puzzle stands in its address. Around it there may be blanks, quotes or brackets;
the scheme may be missing, scheme and host may be in capitals, and what is said to the page alone is passed over:
"www.", `type=editor&`, `_edit`, `_play`, a slash at the end, a fragment. `FORMS` lists what is read.

References
----------
The project pzprjs (sabo2, robx): parser.js and Boot.js; and the program that came before it, for `m+` and the
applet. The project penpa-edit (opt-pan, swaroopg92): general.js. Simon Tatham's Portable Puzzle Collection: its
pages take a game ID or a random seed behind `#`.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar
from urllib.parse import unquote

from twinproof.optim import InputError

PuzzleT = TypeVar("PuzzleT")

MAX_ADDRESS = 100_000
MAX_NESTED = 3
"""So many times an address may be percent-encoded, or stand in another one."""

PZPR, KANPEN, TATHAM, PENPA = "pzpr", "kanpen", "tatham", "penpa"
SITES = {
    PZPR: "pzpr, the program of puzz.link and pzv.jp",
    KANPEN: "kanpen.net",
    TATHAM: "Simon Tatham's collection",
    PENPA: "penpa-edit",
}
"""The programs whose addresses are known, and how messages call them."""

_AROUND = ("''", '""', "``", "<>", "()", "[]", "“”", "\u2018\u2019", "«»")
_SCHEME = re.compile(r"https?:/*", re.ASCII | re.IGNORECASE)
_ENCODED_SCHEME = re.compile(r"https?%(?:25)*3a", re.ASCII | re.IGNORECASE)
_WITHOUT_SCHEME = re.compile(r"(?:[a-z0-9-]+\.)+[a-z]{2,}(?::[0-9]+)?/[^\s?#]*[?#]", re.ASCII | re.IGNORECASE)
_BARE_ID = re.compile(r"[0-9]+x[0-9]+(?:[a-z][a-z0-9]*)?(?::|#[0-9]+$)", re.ASCII)
_ID_ON_PAGE = re.compile(r"[0-9]+(?:x[0-9]+)?[a-z0-9.]*(?:[:#]|$)", re.ASCII | re.IGNORECASE)
_OPTION = re.compile(r"\w+=\w*&", re.ASCII)
_KIND_MODE = re.compile(r"^[mp]\+|_(?:edit|play|test)$", re.ASCII)
_NAME_OF_PAGE = re.compile(r"([a-z0-9_-]+)(?:\.html?)?/?$", re.ASCII | re.IGNORECASE)
_APPLET = re.compile(r"([a-z0-9]+)/s[ac]/", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True)
class Address:
    """What an address says.

    Parameters
    ----------
    site : str
        A key of `SITES`.
    puzzle : str
        What the puzzle is called there; empty if the address does not say it.
    parts : tuple of str
        The puzzle: the parts between slashes, or one part, a game ID or what penpa-edit has compressed.
    """

    site: str
    puzzle: str
    parts: tuple[str, ...]


@dataclass(frozen=True)
class _Page:
    """An address without its scheme, cut at its first `?` and its first `#`."""

    path: str
    query: str
    fragment: str


@dataclass(frozen=True)
class AddressForm:
    """A form of addresses.

    Parameters
    ----------
    example : str
        Words in capitals stand for parts that differ.
    read : callable
        From a page and the name for messages to what the address says; None if it is of another form.
    """

    example: str
    read: Callable[[_Page, str], Address | None]


@dataclass(frozen=True)
class Reader(Generic[PuzzleT]):
    """How a puzzle is read from the addresses of one site.

    Parameters
    ----------
    kinds : collection of str
        What the puzzle is called there, in small letters.
    read : callable
        From the parts of an address and a name for messages to the puzzle; raises `InputError`.
    """

    kinds: Collection[str]
    read: Callable[[Sequence[str], str], PuzzleT]


def is_address(text: str) -> bool:
    """Whether a text begins as an address does; it may well be malformed, or of an unknown form, all the same."""
    text = _undressed(text)
    return any(begins.match(text) for begins in (_SCHEME, _ENCODED_SCHEME, _WITHOUT_SCHEME))


def is_game_id(text: str) -> bool:
    """Whether a text looks like a game ID, or a random seed, of Simon Tatham's collection."""
    return _BARE_ID.match(_undressed(text)) is not None


def title(text: str) -> str | None:
    """Say what a text is called in messages, if it is an address or a game ID; None if it is neither.

    The name does not depend on how the address is spelled, so that what is kept of a puzzle does not either.
    """
    return "an address" if is_address(text) else "a game ID" if is_game_id(text) else None


def read_address(text: str, name: str, readers: Mapping[str, Reader[PuzzleT]]) -> PuzzleT:
    """Read a puzzle from an address or a game ID.

    Parameters
    ----------
    text : str
    name : str
        What to call the text in messages.
    readers : mapping
        The puzzle's, by the site; its keys are some of `SITES`.

    Raises
    ------
    InputError
        If it is neither, or of an unknown form, or another puzzle's, or no such puzzle.
    """
    address = parse_address(text, name)
    reader = readers.get(address.site)
    if reader is None:
        of_puzzle = f"of the puzzle {address.puzzle[:40]!r} " if address.puzzle else ""
        raise InputError(f"{name}: {of_puzzle}from {SITES[address.site]}, which does not have this puzzle")
    if address.puzzle and address.puzzle not in reader.kinds:
        raise InputError(
            f"{name}: an address of the puzzle {address.puzzle[:40]!r}, not {' or '.join(sorted(reader.kinds))}"
        )
    return reader.read(address.parts, name)


def parse_address(text: str, name: str, nested: int = 0) -> Address:
    """Say what an address, or a game ID, says.

    Parameters
    ----------
    text : str
    name : str
        What to call the text in messages.
    nested : int
        How many addresses and encodings are around it.

    Raises
    ------
    InputError
        If it is neither, or of an unknown form.
    """
    if len(text) > MAX_ADDRESS:
        raise InputError(f"{name}: an address of more than {MAX_ADDRESS} characters")
    text = _undressed(text)
    if any(character.isspace() for character in text):
        raise InputError(f"{name}: blanks or line ends in an address: there must be one, and nothing else")
    if nested > MAX_NESTED:
        raise InputError(f"{name}: addresses in addresses, more than {MAX_NESTED} deep")
    if _ENCODED_SCHEME.match(text):
        return parse_address(unquote(text), name, nested + 1)
    if is_game_id(text):
        return Address(TATHAM, "", (game_id(text, name),))
    if not is_address(text):
        raise InputError(f"{name}: no address of the form {FORMS['pzpr'].example}")
    rest, _, fragment = text[_beginning(text) :].partition("#")
    path, _, query = rest.partition("?")
    page = _Page(path, query, fragment)
    inner = _wrapped(page)
    if inner is not None:
        return parse_address(inner, name, nested + 1)
    for form in FORMS.values():
        address = form.read(page, name)
        if address is not None:
            return address
    raise InputError(f"{name}: an address without a puzzle that is known: none of the forms {_examples()}")


def game_id(text: str, name: str) -> str:
    """Take off what is around a game ID of Simon Tatham's collection, and refuse what else its pages take.

    Parameters
    ----------
    text : str
    name : str
        What to call the text in messages.

    Raises
    ------
    InputError
        If it is a random seed, or says only how large a puzzle is to be.
    """
    text = _undressed(text).rstrip("/")
    parameters, colon, _ = text.partition(":")
    if "#" in parameters:
        raise InputError(
            f"{name}: a random seed, {text[:40]!r}: it names a puzzle only inside the program that draws it; "
            "there, 'Game ID' gives what can be read"
        )
    if not colon and _ID_ON_PAGE.fullmatch(text):
        raise InputError(f"{name}: {text[:40]!r} says only how large a puzzle is to be; its game ID is needed")
    return text


def closed(address: str) -> str:
    """End an address as pzpr does: with a slash if it ends in a sign such as `.`, which chat programs take off."""
    return address if address[-1].isalnum() else address + "/"


def _undressed(text: str) -> str:
    """Take blanks, quotes and brackets off both ends."""
    text = text.strip()
    for _ in range(MAX_NESTED):
        if len(text) < 2 or text[0] + text[-1] not in _AROUND:
            break
        text = text[1:-1].strip()
    return text


def _beginning(text: str) -> int:
    found = _SCHEME.match(text)
    return 0 if found is None else found.end()


def _examples() -> str:
    return ", ".join(form.example for form in FORMS.values())


def _wrapped(page: _Page) -> str | None:
    """Give the address that stands in a page's, as the value of an option: `?url=https%3A%2F%2F...`."""
    for said in (page.query, page.fragment):
        for found in re.finditer(r"(?:^|&)\w+=(?=https?(?::|%(?:25)*3a))", said, re.ASCII | re.IGNORECASE):
            value = said[found.end() :]
            if _ENCODED_SCHEME.match(value):
                return value.partition("&")[0]
            return value if said is page.fragment or not page.fragment else f"{value}#{page.fragment}"
    return None


def _penpa(page: _Page, name: str) -> Address | None:
    """Read `#m=edit&p=...`, or `?m=solve&p=...`: base64 of what zlib has deflated."""
    for said in (page.fragment, page.query):
        options = dict(option.partition("=")[::2] for option in said.split("&"))
        if "p" in options and ("m" in options or "penpa" in page.path.lower()):
            return Address(PENPA, "", (unquote(options["p"]),))
    return None


def _kanpen(page: _Page, name: str) -> Address | None:
    """Read `KIND.html?problem=ROWS/COLUMNS/...`, or `?pzpr=` and what pzpr writes behind the kind."""
    option, _, said = page.query.partition("=")
    if option not in ("problem", "pzpr"):
        return None
    kind = _name_of_page(page).replace("-", "")
    parts = _parts(unquote(said))
    return Address(KANPEN, kind, parts) if option == "problem" else Address(PZPR, kind, _unflagged(parts, name))


def _tatham(page: _Page, name: str) -> Address | None:
    """Read `KIND.html#7x7:...`; some have `?` for `#`."""
    query, fragment = unquote(page.query), unquote(page.fragment)
    if query and fragment and ":" not in query:
        query += f"#{fragment}"  # of a random seed
    for said in (fragment, query):
        if said and _ID_ON_PAGE.match(said):
            return Address(TATHAM, _name_of_page(page), (game_id(said, name),))
    return None


def _applet(page: _Page, name: str) -> Address | None:
    """Read `KIND/sa/q.html?COLUMNS/ROWS/...`, of the program before pzpr."""
    found = _APPLET.search(page.path)
    if found is None or "/" not in page.query:
        return None
    return Address(PZPR, found[1].lower(), _unflagged(_parts(unquote(page.query)), name))


def _pzpr(page: _Page, name: str) -> Address | None:
    """Read `?KIND/COLUMNS/ROWS/...`, perhaps with options such as `type=editor&` before it."""
    said = page.query
    while found := _OPTION.match(said):
        said = said[found.end() :]
    kind, *parts = _parts(unquote(said)) or ("",)
    if not kind or "=" in kind:  # an option of a site that is none of these
        return None
    if kind.startswith("pzprv3"):
        raise InputError(
            f"{name}: a whole file of pzpr in an address, as it duplicates a board; "
            "what its menu exports as a URL can be read"
        )
    return Address(PZPR, _KIND_MODE.sub("", kind.lower()), _unflagged(parts, name))


def _parts(said: str) -> tuple[str, ...]:
    return tuple(said.rstrip("/").split("/"))


def _unflagged(parts: Sequence[str], name: str) -> tuple[str, ...]:
    """Leave out the flags that pzpr may have before the size: none of them says anything of the puzzles here."""
    if parts and parts[0].startswith("v:"):
        raise InputError(f"{name}: {parts[0][:40]!r} in the address: a puzzle with other rules")
    return tuple(parts[1:] if parts and parts[0] in ("", "c") else parts)


def _name_of_page(page: _Page) -> str:
    found = _NAME_OF_PAGE.search(page.path)
    return "" if found is None else found[1].lower()


FORMS = {
    "penpa": AddressForm("https://swaroopg92.github.io/penpa-edit/#m=edit&p=BASE64", _penpa),
    "kanpen": AddressForm("http://www.kanpen.net/KIND.html?problem=ROWS/COLUMNS/CELLS", _kanpen),
    "tatham": AddressForm(
        "https://www.chiark.greenend.org.uk/~sgtatham/puzzles/js/KIND.html#GAME-ID",
        _tatham,
    ),
    "applet": AddressForm("http://indi.s58.xrea.com/KIND/sa/q.html?COLUMNS/ROWS/CELLS", _applet),
    "pzpr": AddressForm("https://puzz.link/p?KIND/COLUMNS/ROWS/CELLS", _pzpr),
}
"""The forms of addresses, the most particular first; game IDs without a page are read besides."""
