"""The command list: puzzles, their objectives and forms, and engines."""

from twinproof.compare.cli.command import print_result
from twinproof.compare.cli.options import SEVERAL
from twinproof.models import PUZZLES
from twinproof.optim.engine import BAND, BASELINE, EXTERNAL, OWN, TABLE


def list_puzzles() -> None:
    """List puzzles, objectives, instances with a name, text forms and engines."""
    lines = ["puzzles and objectives"]
    for name, puzzle in PUZZLES.items():
        lines.append(f"  {name:<12}{puzzle.title}")
        lines += [
            f"  {'':<12}{objective.name}" + (f" ({objective.sense})" if objective.sense else "")
            for objective in puzzle.objectives
        ]
    lines += [f"  {alias:<12}another name for {name}" for alias, name in PUZZLES.aliases.items()]
    lines += [f"  {name:<12}not there: {reason}" for name, reason in PUZZLES.broken.items()]
    for owners, named in _named().items():
        lines.append(f"instances of {owners}")
        lines += [f"  {name:<12}{what}" for name, what in named]
    lines.append("text forms")
    lines += [f"  {name:<12}{', '.join(forms)}" for name, forms in _forms().items()]
    lines.append(f"engines     {', '.join((*OWN, BAND, BASELINE, *SEVERAL))}")
    lines += [f"  {name:<12}an external solver{_where(name)}" for name in EXTERNAL]
    print_result("\n".join(lines))


def _named() -> dict[str, tuple[tuple[str, str], ...]]:
    """Give the instances with a name, by the puzzles that have them."""
    owners: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for name, puzzle in PUZZLES.items():
        if puzzle.named:
            owners.setdefault(tuple(puzzle.named.items()), []).append(name)
    return {", ".join(names): named for named, names in owners.items()}


def _forms() -> dict[str, list[str]]:
    forms = {name: list(puzzle.formats) for name, puzzle in PUZZLES.items() if puzzle.formats}
    for puzzle in PUZZLES.values():
        if puzzle.other_forms is not None:
            forms[""] = [f"{puzzle.other_forms.title}: {', '.join(puzzle.other_forms.names)}"]
    return forms


def _where(engine: str) -> str:
    """Say where an external solver is to be had, if it is not there."""
    return "" if TABLE[engine].installed else f", with {TABLE[engine].package}: pip install 'twinproof[third]'"
