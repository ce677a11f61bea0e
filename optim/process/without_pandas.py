"""Brings up OR-Tools without pandas, which takes longer to load than a small puzzle to solve.

`ortools.sat.python.cp_model` names two types of pandas in its annotations, and uses them in methods that take or
give a Series. While it is loaded, a module with types of those names stands for pandas. After that, it loads
pandas itself as soon as one of those methods is called, and a model that imports pandas gets pandas.

Only a child process does this, before anything in it can have loaded pandas: no other code runs there.
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType
from typing import Any

NAME = "ortools.sat.python.cp_model"


def load_ortools_without_pandas() -> None:
    """Load no pandas with OR-Tools in this process, whenever that is imported."""
    if NAME not in sys.modules:
        sys.meta_path.insert(0, _Finder)


class _Finder:
    @classmethod
    def find_spec(
        cls, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != NAME or "pandas" in sys.modules:
            return None
        sys.meta_path.remove(cls)
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Loader(spec.loader.name, spec.loader.path)
        return spec


class _Loader(SourceFileLoader):
    def exec_module(self, module: ModuleType) -> None:
        sys.modules["pandas"] = _Types("pandas")
        try:
            super().exec_module(module)
        finally:
            del sys.modules["pandas"]
        vars(module)["pd"] = _Pandas("pandas")


class _Types(ModuleType):
    """What annotations need of pandas."""

    Index = type("Index", (), {})
    Series = type("Series", (), {})


class _Pandas(ModuleType):
    """Pandas, loaded when the first thing of it is used."""

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module("pandas"), name)
