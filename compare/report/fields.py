"""The pages on the field of a scarecrow, `reports/hops.md` and `reports/sprinklers.md`."""

from collections.abc import Mapping
from typing import Any

from twinproof.compare.report.page import CERTIFICATES, RECORDS, begin, read_record, table

ARTICLE_HOPS = 98
"""The most hops that the source article found."""

KINDS = {
    "basic": "sprinklers-scarecrow",
    "basic, nozzle": "sprinklers-scarecrow-nozzle",
    "quality": "sprinklers-scarecrow-quality",
    "quality, nozzle": "sprinklers-scarecrow-quality-nozzle",
    "iridium": "sprinklers-scarecrow-iridium",
    "iridium, nozzle": "sprinklers-scarecrow-iridium-nozzle",
}
"""The sprinklers, each with the name of its record."""

FRONTS = ("hops-disc-36-front", "hops-scarecrow-front")


def hops_page() -> list[str]:
    """Tell the most hops, how that was proved, how many layouts attain it, and the Pareto front."""
    best, count = (read_record(RECORDS / f"hops-scarecrow-{name}.json") for name in ("frontier", "count"))
    certificate = read_record(CERTIFICATES / "hops-scarecrow.json")
    return [
        *begin(
            "Hops on the field of a scarecrow",
            f"{best['value']} hops are the most that the field of a scarecrow can have; the article that the "
            f"puzzle comes from found {ARTICLE_HOPS} and left open whether there are more.",
        ),
        "![the layout](hops-scarecrow-frontier.png)",
        "",
        *_drawn(best["layout"]),
        "",
        "## The bound, stage by stage",
        "",
        "The frontier engine, a dynamic program, goes round the scarecrow tile by tile:",
        "",
        *table(
            ("seconds", "found", "bound"),
            [(f"{seconds:.0f}", value or "", bound) for seconds, value, bound in best["trace"]],
            words=0,
        ),
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
        *(line for name in FRONTS for line in _front(name)),
        "## What CP-SAT does alone",
        "",
        *_brackets(),
    ]


def _front(name: str) -> list[str]:
    front = read_record(RECORDS / f"{name}.json")
    most = front["front"][0]
    return [
        f"On the field `{front['instance']}`, for every number of hops the fewest sprinklers that allow it:",
        "",
        *table(
            ("hops", "fewest sprinklers"),
            [(point["hops"], point["sprinklers"]) for point in front["front"]],
            words=0,
        ),
        "",
        "Fewer hops need no fewer sprinklers." if front["complete"] else "The front is not complete.",
        "",
        f"{most['hops']} hops with {most['sprinklers']} sprinklers:",
        "",
        *_drawn(most["layout"]),
        "",
        f"Repeat it: `{front['command']}`",
        "",
    ]


def _brackets() -> list[str]:
    """Tell what a limited search left open: on the scarecrow's field, and on one that has been published."""
    scarecrow, greenhouse = (read_record(RECORDS / f"hops-{name}.json") for name in ("scarecrow", "greenhouse"))
    rows = [
        (field, said["value"], said["bound"], f"{said['seconds']:.0f}")
        for field, said in (
            ("the scarecrow's ([picture](hops-scarecrow.png))", scarecrow),
            ("the 9x11 greenhouse ([picture](hops-greenhouse.png))", greenhouse),
        )
    ]
    return [
        *table(("field", "found", "bound", "seconds"), rows),
        "",
        "The greenhouse is the walking puzzle of puzzling.stackexchange.com, question 107029; 57 is the published "
        "value.",
        "",
        f"Repeat it: `{scarecrow['command']}` and `{greenhouse['command']}`",
    ]


def sprinklers_page() -> list[str]:
    """Tell the fewest sprinklers of each kind, and how many layouts have as few of the basic kind."""
    count = read_record(RECORDS / "sprinklers-scarecrow-count.json")
    mirrored = read_record(RECORDS / "sprinklers-scarecrow-hsym.json")
    solved = {kind: read_record(RECORDS / f"{name}.json") for kind, name in KINDS.items()}
    rows = [
        (kind, "yes" if said["agree"] else "NO", said["value"], *_seconds(said["engines"]))
        for kind, said in solved.items()
    ]
    fewest = solved["basic"]["value"]
    agree = all(said["agree"] for said in solved.values())
    return [
        *begin(
            "Sprinklers on the field of a scarecrow",
            f"{fewest} basic sprinklers water all 248 tiles of the field of a scarecrow, and {fewest - 1} do not: "
            f"both models {'prove' if agree else 'DO NOT both prove'} this and the optimum of every other kind.",
        ),
        *table(("kind", "engines agree", "fewest", "CP-SAT s", "MaxSAT (RC2) s"), rows, words=2),
        "",
        f"{count['layouts']:,} layouts have {count['value']} basic sprinklers, {count['up_to_symmetry']:,} of "
        f"them different up to turning and mirroring. Layouts that are the same when mirrored need "
        f"{mirrored['value']} ([picture](sprinklers-scarecrow-hsym.png)).",
        "",
        f"![{fewest} basic sprinklers](sprinklers-scarecrow.png)",
        "",
        *_wide_fields(),
        "",
        "Repeat it:",
        "",
        *(f"    {said['command']}" for said in (*solved.values(), mirrored, count, *_wide_records())),
    ]


WIDE = {"20x20": "20 x 20", "24x30": "24 x 30", "deluxe": "deluxe scarecrow", "31x63": "31 x 63"}
"""The wide fields, by their records."""


def _wide_records() -> list[Mapping[str, Any]]:
    names = [f"{name}-{by}" for name in WIDE for by in ("band", "both")]
    return [read_record(RECORDS / f"sprinklers-{name}.json") for name in (*names, "deluxe-frontier")]


def _wide_fields() -> list[str]:
    """Tell how near three engines come on fields that are too wide for the fourth."""
    *records, deluxe = _wide_records()
    rows = [
        (
            field,
            _bracket(band),
            f"{band['seconds']:.0f}",
            *(_bracket(both["engines"][engine]) for engine in ("cpsat", "maxsat")),
        )
        for field, band, both in zip(WIDE.values(), records[::2], records[1::2], strict=True)
    ]
    seconds = max(given["seconds"] for both in records[1::2] for given in both["engines"].values())
    return [
        "## Wide fields",
        "",
        "How many basic sprinklers are enough, and how many are needed at least, by the engine `band`, and by the "
        f"two models in {seconds:.0f} s each. Proved numbers stand alone; those of rectangles are the ones of a "
        "theorem (Goncalves, Pinlou, Rao and Thomasse 2011, arXiv 1102.5206).",
        "",
        *table(("field", "band", "seconds", "CP-SAT", "MaxSAT (RC2)"), rows),
        "",
        f"The frontier engine proves {deluxe['value']} for the field of a deluxe scarecrow, in "
        f"{deluxe['seconds']:.0f} s and {deluxe['peak_mb'] / 1000:.1f} GB ([picture](sprinklers-deluxe.png)).",
    ]


def _bracket(said: Mapping[str, Any]) -> str:
    """Give the value where it is proved, else bound and value."""
    value, bound = said["value"], said["bound"]
    return str(value) if value == bound else f"{bound} to {'?' if value is None else value}"


def _seconds(engines: dict[str, dict[str, float]]) -> list[str]:
    return [f"{engines[engine]['seconds']:.1f}" for engine in ("cpsat", "maxsat")]


def _drawn(layout: list[str]) -> list[str]:
    return ["```", *layout, "```"]
