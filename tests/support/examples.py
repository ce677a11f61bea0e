"""How many examples hypothesis tries: `make test` a part of them, `make test-all` all.

pytest's option `--hypothesis-profile full` means all.
"""

import os

from hypothesis import HealthCheck, settings

__all__ = ["examples", "register_profiles"]

PERCENT = {"quick": 25, "full": 100}
"""By profile, how many of a hundred examples are tried."""

FEWEST = 5


def register_profiles() -> None:
    """Make the profiles known, and load the quick one."""
    # The same examples in every run of the gate; elsewhere hypothesis looks for new ones.
    same = bool(os.environ.get("CI"))
    for name, percent in PERCENT.items():
        settings.register_profile(name, max_examples=percent, deadline=None, derandomize=same)
    settings.load_profile("quick")


def examples(number: int) -> settings:
    """Try so many examples, in a quick run fewer, without a limit of time for one of them."""
    number = max(FEWEST, number * settings().max_examples // 100)
    return settings(max_examples=number, deadline=None, suppress_health_check=list(HealthCheck))
