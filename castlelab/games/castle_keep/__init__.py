"""Castle Keep: match, close the ring, or bring it down."""

from typing import TYPE_CHECKING, Any

from castlelab.games.castle_keep.castle import RING, SPOTS, TILES, Castle, Tile
from castlelab.games.castle_keep.count import (
    chance_to_finish,
    count_castles,
    count_finishes,
    count_rings,
    finishes,
)

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


def __getattr__(name: str) -> Any:
    if name == "puzzle":  # puzzles show things, and who only counts loads no drawing
        from castlelab.games.castle_keep.puzzle_forms import puzzle

        return puzzle
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
