"""Public cases with known answers, where they are at hand; they are no part of this repository."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

DATA = Path(os.environ.get("TWINPROOF_DATA", Path(__file__).parents[3] / "shared" / "data"))


def load(name: str) -> Any:
    """Read one of the files, or skip the test that asks for it."""
    path = DATA / name
    if not path.exists():
        pytest.skip(f"{name} is not there: set TWINPROOF_DATA to the folder with the public cases")
    return json.loads(path.read_text(encoding="utf-8"))
