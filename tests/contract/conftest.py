"""The puzzle of another distribution is found as if it were installed."""

from collections.abc import Iterator
from importlib.metadata import EntryPoint

import pytest

from twinproof.models import PUZZLES
from twinproof.models.catalogue import GROUP


@pytest.fixture(scope="package", autouse=True)
def tents_installed() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PUZZLES, "_from_outside", {"tents": EntryPoint("tents", "tents", GROUP)})
        patch.setattr(PUZZLES, "loaded", dict(PUZZLES.loaded))
        yield
