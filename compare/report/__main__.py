"""Writes the pages in `reports/` from the records there, and the figures of the manual.

Usage: python -m twinproof.compare.report
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from twinproof.compare.campaign.results import read_results
from twinproof.compare.output.records import write_file
from twinproof.compare.report.engines import engines_page, manual_lines
from twinproof.compare.report.fields import hops_page, sprinklers_page
from twinproof.compare.report.generated import generate_page
from twinproof.compare.report.measured import gather
from twinproof.compare.report.page import RECORDS, REPORTS, read_record
from twinproof.compare.report.pictures import draw_pictures
from twinproof.optim import InputError, OutputError

RESULTS = RECORDS / "compare.jsonl"
MANUAL = Path("docs/manual.md")
BEGIN, END = "<!-- figures: make report -->", "<!-- end of figures -->"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the pages; gives the exit status."""
    if sys.argv[1:] if arguments is None else arguments:
        print("twinproof: twinproof.compare.report takes no arguments", file=sys.stderr)
        return 2
    try:
        verdicts = gather(read_results(RESULTS))
        records = ("benchmark-generate", "benchmark-genetic", "grades")
        pages = {
            REPORTS / "hops.md": hops_page(),
            REPORTS / "sprinklers.md": sprinklers_page(),
            REPORTS / "compare.md": engines_page(verdicts, RESULTS),
            REPORTS / "generate.md": generate_page(*(read_record(RECORDS / f"{name}.json") for name in records)),
            MANUAL: with_figures(MANUAL.read_text(encoding="utf-8"), manual_lines(verdicts)),
        }
        draw_pictures(verdicts, REPORTS)
        for path, page in pages.items():
            write_file(path, "\n".join(page) + "\n")
            print(path)
    except (InputError, OutputError) as error:
        print(f"twinproof: {error}", file=sys.stderr)
        return 2 if isinstance(error, InputError) else 4
    return 0


def with_figures(manual: str, lines: Sequence[str]) -> list[str]:
    """Put lines between the marks for them in the manual.

    Parameters
    ----------
    manual : str
    lines : sequence of str

    Returns
    -------
    list of str
        The lines of the new manual.

    Raises
    ------
    InputError
        If the marks are missing.
    """
    before, begin, rest = manual.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise InputError(f"{MANUAL}: has no place for the figures, {BEGIN} ... {END}")
    return [*(before + BEGIN).splitlines(), *lines, *(END + after).splitlines()]


if __name__ == "__main__":
    sys.exit(main())
