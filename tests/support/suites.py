"""Small suites, and running them in this process."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from twinproof.compare.campaign.case import Case, Result, run_case
from twinproof.compare.campaign.judge import QuestionVerdict
from twinproof.compare.campaign.results import open_results
from twinproof.compare.campaign.run import judge_suite, run_suite
from twinproof.compare.campaign.suite import Suite, read_suite

SMALL = """
title = "small"
[limits]
time = 60
[[case]]
puzzle = "sprinklers"
values = { "grid:3x3" = 3, "grid:4x4" = 4 }
source = "OEIS A350823"
[[case]]
puzzle = "lightup"
name = "ring"
objectives = ["fewest-bulbs", "solution"]
text = '''
...
.#.
...
'''
[[case]]
puzzle = "hops"
instance = "grid:2x3"
at_least = 7
expected = "infeasible"
"""


TINY = """
[[case]]
puzzle = "sprinklers"
values = { "grid:4x4" = 4 }
source = "OEIS A350823"
engines = ["cpsat", "maxsat"]
[[case]]
puzzle = "lightup"
text = '..'
"""


def suite_of(text: str, folder: Path) -> Suite:
    path = folder / "small.toml"
    path.write_text(text, encoding="utf-8")
    return read_suite(str(path))


def here(cases: Sequence[Case]) -> Iterator[Result]:
    """Run cases in this process, where planted bugs are."""
    for case in cases:
        yield run_case(case, isolated=False)


def verdicts_of(suite: Suite, folder: Path) -> list[QuestionVerdict]:
    with open_results(folder / "results.jsonl") as results:
        run_suite(suite, results, here)
        return judge_suite(suite, results.found)


def result_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
