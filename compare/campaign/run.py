"""Runs a suite: what is not on file yet is run, and the results of all are judged."""

from collections.abc import Callable, Iterator, Sequence

from twinproof.compare.campaign.case import Case, Result
from twinproof.compare.campaign.judge import QuestionVerdict, judge
from twinproof.compare.campaign.results import Results, failed
from twinproof.compare.campaign.suite import Suite

Runner = Callable[[Sequence[Case]], Iterator[Result]]
"""Runs cases and gives their results in any order; such as `compare.campaign.pool.run_in_pool`."""


def missing(suite: Suite, found: Sequence[Result]) -> list[Case]:
    """List the cases of a suite of which there is no result, or in which the engine failed.

    Parameters
    ----------
    suite : Suite
        All questions.
    found : sequence of Result
        The results on file.

    Returns
    -------
    list of Case
        In the order of the suite.
    """
    done = {result["key"] for result in found if not failed(result)}
    return [case for asked in suite.asked for case in asked.cases() if case.key not in done]


def run_suite(
    suite: Suite, results: Results, runner: Runner, on_result: Callable[[Result], None] = lambda result: None
) -> None:
    """Run the cases of a suite that are missing; every result is on file before the next is waited for.

    Parameters
    ----------
    suite : Suite
    results : Results
    runner : callable
    on_result : callable
        Told of every new result.
    """
    for result in runner(missing(suite, results.found)):
        results.append(result)
        on_result(result)


def judge_suite(suite: Suite, found: Sequence[Result]) -> list[QuestionVerdict]:
    """Give a verdict on every question of a suite, by the results of its own cases.

    Parameters
    ----------
    suite : Suite
        All questions.
    found : sequence of Result
        The results on file; those of other suites do not matter.

    Returns
    -------
    list of QuestionVerdict
        In the order of the suite.
    """
    by_key = {result["key"]: result for result in found}
    verdicts = []
    for asked in suite.asked:
        keys = [case.key for case in asked.cases()]
        verdicts.append(judge(asked, [by_key[key] for key in keys if key in by_key]))
    return verdicts
