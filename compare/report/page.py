"""What the pages share: how one opens, a Markdown table, and reading a record."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from twinproof.optim import InputError

REPORTS = Path("reports")
RECORDS = REPORTS / "records"
CERTIFICATES = REPORTS / "certificates"

Record = Mapping[str, Any]
"""A JSON object, as a command wrote it with `--record`."""


def begin(title: str, finding: str) -> list[str]:
    """Open a page with its finding.

    Parameters
    ----------
    title : str
    finding : str
        One sentence.
    """
    origin = f"`make report` writes this page from [{RECORDS.name}/]({RECORDS.name}/)."
    return [f"# {title}", "", f"**{finding}**", "", origin, ""]


def table(head: Sequence[str], rows: Iterable[Sequence[object]], words: int = 1) -> list[str]:
    """Give a Markdown table, line by line.

    Parameters
    ----------
    head : sequence of str
    rows : iterable of sequences
        Each as long as the head.
    words : int
        How many columns at the left hold words; the others hold numbers, and stand to the right.
    """
    rule = ["---"] * words + ["---:"] * (len(head) - words)
    return [f"| {' | '.join(map(str, row))} |" for row in (head, rule, *rows)]


def read_record(path: Path) -> Record:
    """Read a record.

    Raises
    ------
    InputError
        If there is none, or it is no JSON.
    """
    try:
        content: Record = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}; `make records` makes it") from error
    except ValueError as error:
        raise InputError(f"{path}: no JSON") from error
    return content
