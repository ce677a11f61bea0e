"""Where cases run: a Dask cluster. Its workers need this package in the same version.

References
----------
M. Rocklin, "Dask: parallel computation with blocked algorithms and task scheduling", SciPy 2015.
https://distributed.dask.org
"""

from collections.abc import Iterator, Sequence

from twinproof.compare.campaign.case import Case, Result, run_case
from twinproof.optim import EngineError, InputError

CONNECT_SECONDS = 10


def run_on_cluster(cases: Sequence[Case], scheduler: str) -> Iterator[Result]:
    """Run cases on the workers of a cluster, as many at once as they have threads, and give results as they come.

    A case whose worker dies is run again on another one. When the caller stops, cases that wait are withdrawn; one
    that runs on a worker goes on there to its end or its limits, and its result is lost.

    Parameters
    ----------
    cases : sequence of Case
    scheduler : str
        Its address, such as `tcp://127.0.0.1:8786`.

    Raises
    ------
    InputError
        If the package `distributed` is missing, or no scheduler answers.
    EngineError
        If a case cannot be run: every worker that took it died.
    """
    try:
        from distributed import Client, as_completed  # noqa: PLC0415 - an optional package
    except ImportError as error:
        message = "--scheduler: needs the package distributed: pip install 'twinproof[cluster]'"
        raise InputError(message) from error
    try:
        client = Client(scheduler, timeout=CONNECT_SECONDS)
    except (OSError, ValueError, TypeError) as error:
        raise InputError(f"--scheduler {scheduler}: no scheduler answers there") from error
    with client:
        # A key of its own for every run: the scheduler must not remember a result that is not on file.
        futures = [client.submit(run_case, case, pure=False) for case in cases]
        try:
            for future in as_completed(futures):
                try:
                    result: Result = future.result()
                except Exception as error:
                    raise EngineError(f"the cluster could not run a case: {error}") from error
                yield result
        finally:
            client.cancel(futures)
