"""Castle Keep: match, close the ring, or bring it down."""

from typing import TYPE_CHECKING

from castlelab.games.castle_keep.castle import RING, SPOTS, TILES, Castle, Tile
from castlelab.games.castle_keep.count import (
    chance_to_finish,
    count_castles,
    count_finishes,
    count_rings,
    finishes,
)
from castlelab.system.facade import facade

if TYPE_CHECKING:
    from castlelab.games.castle_keep.puzzle_forms import puzzle

__all__ = [
    "RING",
    "SPOTS",
    "TILES",
    "Castle",
    "Tile",
    "chance_to_finish",
    "count_castles",
    "count_finishes",
    "count_rings",
    "finishes",
    "puzzle",
]

# Puzzles show things, and who only counts loads no drawing.
__getattr__, __dir__ = facade(__name__, puzzle=f"{__name__}.puzzle_forms:puzzle")
