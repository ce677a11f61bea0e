"""Bounds and best closed walks of systems whose graphs are small enough to be thrown away."""

from twinproof.optim.errors import EngineError
from twinproof.optim.frontier.closing import Closed, close
from twinproof.optim.frontier.graph import Graph, Growing
from twinproof.optim.frontier.pruning import potentials, prune
from twinproof.optim.frontier.system import System


class TooManyStatesError(EngineError):
    """A system has more states than were allowed."""


def bound_walks(graph: Graph, system: System, step: int = 1) -> int | None:
    """Bound what a closed walk of a system gains; None if there is no closed walk.

    Parameters
    ----------
    graph : Graph
        Of this system, or of one that differs in its gains only.
    system : System
        Without a refinement.
    step : int
        The bound is lowered in steps of this.
    """
    potential, bound = potentials(graph.successors, system.gains, system.periods)
    while bound >= system.least_gain:
        if prune(graph.successors, system.gains, potential, system.periods, bound - step + 1).size:
            return bound
        bound -= step
    return None


def best_walk(system: System, most_states: int) -> Closed | None:
    """Find the closed walk that gains most; None if there is none.

    Parameters
    ----------
    system : System
        Without a refinement.
    most_states : int

    Raises
    ------
    TooManyStatesError
        If there are more.
    """
    graph = graph_within(system, most_states)
    potential, bound = potentials(graph.successors, system.gains, system.periods)
    for target in range(bound, system.least_gain - 1, -1):
        survivors = prune(graph.successors, system.gains, potential, system.periods, target)
        if survivors.size:
            for closed in close(system, graph.cut, survivors):
                if closed is not None:
                    return closed
    return None


def graph_within(system: System, most_states: int) -> Graph:
    """Build the graph of a system.

    Parameters
    ----------
    system : System
    most_states : int

    Raises
    ------
    TooManyStatesError
        If there are more.
    """
    growing = Growing(system)
    while growing.pending:
        if growing.size + growing.pending > most_states:
            raise TooManyStatesError(f"more than {most_states:,} states")
        growing.grow()
    return growing.graph()
