"""The puzzles: each is a folder here, or comes from another distribution through an entry point.

>>> from twinproof.models import PUZZLES
>>> PUZZLES["hops"].title
'grow the most hops that can still be picked on foot'
"""

from twinproof.models.catalogue import Catalogue

__all__ = ["PUZZLES"]

PUZZLES = Catalogue(
    {
        "sprinklers": "twinproof.models.sprinklers",
        "hops": "twinproof.models.hops",
        "starbattle": "twinproof.models.starbattle",
        "lightup": "twinproof.models.lightup",
        "minesweeper": "twinproof.models.minesweeper",
    }
)
"""All puzzles by name; one is loaded when it is first asked for."""
