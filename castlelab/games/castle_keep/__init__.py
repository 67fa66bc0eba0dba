"""Castle Keep: match, close the ring, or bring it down."""

from castlelab.games.castle_keep.castle import RING, SPOTS, TILES, Castle, Tile
from castlelab.games.castle_keep.count import (
    chance_to_finish,
    count_castles,
    count_finishes,
    count_rings,
    finishes,
)
from castlelab.system.facade import facade

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
]

__getattr__, __dir__ = facade(__name__)
