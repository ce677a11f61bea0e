"""The fewest rules that cannot hold together, from the rules that each layout breaks. Knows no puzzle."""

from collections.abc import Iterable, Sequence, Set


def fewest_in_conflict(broken: Iterable[Set[object]]) -> int | None:
    """The size of a smallest set of rules of which every layout breaks one; None if a layout breaks none."""
    sets: list[Set[object]] = []
    for rules in sorted(set(map(frozenset, broken)), key=len):
        if not any(smaller <= rules for smaller in sets):
            sets.append(rules)
    if sets and not sets[0]:
        return None
    return next(size for size in range(len(sets) + 1) if _can_be_met(sets, size))


def _can_be_met(sets: Sequence[Set[object]], size: int) -> bool:
    """Whether so many rules can be chosen that each set has one of them."""
    if not sets:
        return True
    return size > 0 and any(
        _can_be_met([rules for rules in sets if one not in rules], size - 1) for one in sets[0]
    )
