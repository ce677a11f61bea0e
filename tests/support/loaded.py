"""What a process has loaded when its work is done; imports little itself, so that it can say so in a child."""

import sys

from twinproof.optim.process.tasks import Event, Finished, Found, Report, Task

__all__ = ["loaded_by", "watched"]


def loaded_by() -> frozenset[str]:
    """Give the top-level names of all modules of this process, and those of ours in full."""
    return frozenset(name if name.startswith("twinproof.") else name.partition(".")[0] for name in sys.modules)


def watched(task: Task) -> Task:
    """Give a task that does the same, and whose last layout is what its process had loaded at its end."""
    return Task(task.name, _run_and_look, (task,))


def _run_and_look(report: Report, task: Task) -> None:
    def pass_on(event: Event) -> None:
        if not isinstance(event, Finished):
            report(event)

    task.function(pass_on, *task.arguments)
    report(Found(None, loaded_by()))
