"""What CaDiCaL cannot be told through PySAT: its seed."""

import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def cadical_seed(seed: int) -> Iterator[None]:
    """Seed the CaDiCaL solvers that are made meanwhile: it reads its options from the environment."""
    name = "CADICAL_SEED"
    before = os.environ.get(name)
    os.environ[name] = str(seed)
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before
