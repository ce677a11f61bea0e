"""Writes the pages in `reports/` from the records there, and the figures of the README.

Usage: python -m twinproof.compare.report
"""

import json
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from twinproof.compare.campaign.judge import Verdict
from twinproof.compare.campaign.results import read_results
from twinproof.compare.output.records import write_file
from twinproof.compare.report.engines import compare_page, draw_charts, readme_lines
from twinproof.compare.report.generated import generate_page
from twinproof.compare.report.measured import SUITES, gather
from twinproof.optim import InputError

__all__ = ["engines_page", "hops_page", "main", "sprinklers_page", "with_figures"]

REPORTS = Path("reports")
RESULTS = REPORTS / "compare.jsonl"
MADE, GRADES = "benchmark-generate.json", "grades.json"
README = Path("README.md")
BEGIN, END = "<!-- figures: make report -->", "<!-- end of figures -->"

Record = Mapping[str, Any]

ARTICLE_HOPS = 98
"""The most that the source article found."""

SPRINKLERS = {
    "basic": "sprinklers-scarecrow",
    "basic, nozzle": "sprinklers-scarecrow-nozzle",
    "quality": "sprinklers-scarecrow-quality",
    "quality, nozzle": "sprinklers-scarecrow-quality-nozzle",
    "iridium": "sprinklers-scarecrow-iridium",
    "iridium, nozzle": "sprinklers-scarecrow-iridium-nozzle",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the pages; gives the exit status."""
    if sys.argv[1:] if arguments is None else arguments:
        print("twinproof: twinproof.compare.report takes no arguments", file=sys.stderr)
        return 2
    try:
        pages = {REPORTS / "hops.md": hops_page(), REPORTS / "sprinklers.md": sprinklers_page()}
        if RESULTS.exists():
            verdicts = gather(read_results(RESULTS))
            pages[REPORTS / "compare.md"] = engines_page(verdicts)
            pages[README] = with_figures(README.read_text(encoding="utf-8"), readme_lines(verdicts))
            draw_charts(verdicts, REPORTS)
        if (REPORTS / MADE).exists() and (REPORTS / GRADES).exists():
            lines = [*_head("New puzzles"), *generate_page(_load(MADE), _load(GRADES))]
            pages[REPORTS / "generate.md"] = "\n".join(lines) + "\n"
        for path, page in pages.items():
            write_file(path, partial(_write, page))
            print(path)
    except InputError as error:
        print(f"twinproof: {error}", file=sys.stderr)
        return 2
    return 0


def _write(page: str, path: Path) -> None:
    path.write_text(page, encoding="utf-8")


def hops_page() -> str:
    """Tell the record, how it was proved, how many layouts attain it, and the front."""
    best, count = _load("hops-scarecrow-frontier.json"), _load("hops-scarecrow-count.json")
    certificate = _load("certificates/hops-scarecrow.json")
    lines = [
        *_head("Hops on the field of a scarecrow"),
        f"The article that the puzzle comes from found {ARTICLE_HOPS} hops and left open whether there are more.",
        f"**The maximum is {best['value']}.** Here is a layout:",
        "",
        "![the layout](hops-scarecrow-frontier.png)",
        "",
        "```",
        *best["layout"],
        "```",
        "",
        "## The bound, stage by stage",
        "",
        "The frontier engine goes round the scarecrow, tile by tile; see the README.",
        "",
        "| seconds | found | bound |",
        "| ---: | ---: | ---: |",
        *(f"| {seconds:.0f} | {value or ''} | {bound} |" for seconds, value, bound in best["trace"]),
        "",
        f"Repeat it: `{best['command']}`",
        "",
        "## A certificate",
        "",
        f"[certificates/hops-scarecrow.json](certificates/hops-scarecrow.json) holds the "
        f"{certificate['count']:,} states at the cut and their potentials. `twinproof verify` checks it with a "
        "step of its own and shares no code with the engine.",
        "",
        f"Repeat it: `{certificate['command']}` and `twinproof verify reports/certificates/hops-scarecrow.json`",
        "",
        "## How many layouts there are",
        "",
        f"{count['layouts']:,} layouts have {count['value']} hops, {count['up_to_symmetry']:,} of them different "
        "up to turning and mirroring. In each of them every walkable tile is reached; one that nobody reaches "
        "could as well be a sprinkler, so such layouts are not counted.",
        "",
        f"Repeat it: `{count['command']}`",
        "",
        "## Hops against sprinklers",
        "",
        *_front(),
    ]
    return "\n".join(lines) + "\n"


def _front() -> list[str]:
    lines = []
    for name in ("disc-36", "scarecrow"):
        path = REPORTS / f"hops-{name}-front.json"
        if not path.exists():
            continue
        front = _load(path.name)
        lines += [
            f"On the field `{front['instance']}`, for every number of hops the fewest sprinklers that allow it:",
            "",
            "| hops | fewest sprinklers |",
            "| ---: | ---: |",
            *(f"| {point['hops']} | {point['sprinklers']} |" for point in front["front"]),
            "",
            "Fewer hops need no fewer sprinklers." if front["complete"] else "The front is not complete.",
            "",
            f"{front['front'][0]['hops']} hops with {front['front'][0]['sprinklers']} sprinklers:",
            "",
            "```",
            *front["front"][0]["layout"],
            "```",
            "",
            f"Repeat it: `{front['command']}`",
            "",
        ]
    return lines[:-1]


def sprinklers_page() -> str:
    """Tell the fewest sprinklers of each kind, and how many layouts have as few of the basic kind."""
    count = _load("sprinklers-scarecrow-count.json")
    rows, commands = [], []
    for kind, name in SPRINKLERS.items():
        solved = _load(f"{name}.json")
        engines = solved["engines"]
        seconds = " | ".join(f"{engines[engine]['seconds']:.1f}" for engine in ("cpsat", "maxsat"))
        rows.append(f"| {kind} | {solved['value']} | {'yes' if solved['agree'] else 'NO'} | {seconds} |")
        commands.append(f"    {solved['command']}")
    lines = [
        *_head("Sprinklers on the field of a scarecrow"),
        "The fewest sprinklers of each kind that water all 248 tiles, proved by both models:",
        "",
        "| kind | fewest | engines agree | CP-SAT s | RC2 s |",
        "| --- | ---: | --- | ---: | ---: |",
        *rows,
        "",
        f"{count['layouts']:,} layouts have {count['value']} basic sprinklers, {count['up_to_symmetry']:,} of "
        "them different up to turning and mirroring.",
        "",
        "![59 basic sprinklers](sprinklers-scarecrow.png)",
        "",
        "Repeat it:",
        "",
        *commands,
        f"    {count['command']}",
    ]
    return "\n".join(lines) + "\n"


def engines_page(verdicts: Sequence[Verdict]) -> str:
    """Tell what the comparison of the engines gave."""
    lines = [
        *_head("The engines compared"),
        *compare_page(verdicts),
        "",
        "Repeat it: " + " and ".join(f"`twinproof compare {suite} --results {RESULTS}`" for suite in SUITES),
    ]
    return "\n".join(lines) + "\n"


def with_figures(readme: str, lines: Sequence[str]) -> str:
    """Put lines between the marks for them in the README.

    Raises
    ------
    InputError
        If the marks are missing.
    """
    before, begin, rest = readme.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise InputError(f"{README}: has no place for the figures, {BEGIN} ... {END}")
    return "\n".join([before + BEGIN, *lines, END + after])


def _head(title: str) -> list[str]:
    return [
        f"# {title}",
        "",
        "Written by `python -m twinproof.compare.report` from the records in this folder.",
        "",
    ]


def _load(name: str) -> Record:
    try:
        content: Record = json.loads((REPORTS / name).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{REPORTS / name}: cannot be read: {error.strerror}; `make records` makes it") from error
    except ValueError as error:
        raise InputError(f"{REPORTS / name}: no JSON") from error
    return content


if __name__ == "__main__":
    sys.exit(main())
