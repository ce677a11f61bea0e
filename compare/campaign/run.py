"""Runs a suite: what is not on file yet is run, and the results of all are judged."""

from collections.abc import Callable, Iterator, Sequence

from twinproof.compare.campaign.case import Case, Result
from twinproof.compare.campaign.judge import QuestionVerdict, judge, rebuilt
from twinproof.compare.campaign.results import Results, failed
from twinproof.compare.campaign.suite import Suite
from twinproof.optim import EngineError, InputError

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


def check_found(suite: Suite, found: Sequence[Result]) -> None:
    """Look anew at what can be looked at in the results on file, before others are added to them.

    Parameters
    ----------
    suite : Suite
        All questions.
    found : sequence of Result
        The results on file; those of other suites are not looked at.

    Raises
    ------
    InputError
        If a result is filed under another question or engine, or its layout is not what it says. No run can have
        written such a result: what an engine says wrongly is written as an error.
    """
    cases = {case.key: case for asked in suite.asked for case in asked.cases()}
    for result in found:
        case = cases.get(result["key"])
        if case is None:
            continue
        place = f"the result of {case.engine} for {case.asked.title}"
        if (result["asked"], result["engine"]) != (case.asked.key, case.engine):
            raise InputError(f"{place}: is that of {result['engine']} for {result['title']}")
        if result["error"] is None:
            try:
                rebuilt(case.asked, result)
            except (EngineError, InputError) as problem:
                raise InputError(f"{place}: {problem}") from problem


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
