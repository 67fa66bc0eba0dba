"""Once Upon a Castle in pictures: the cover, and whatever others show of it."""

from __future__ import annotations

from castlelab.draw.scene import Rect, Scene, Shape
from castlelab.games.once_upon_a_castle.board_picture import (
    board_scene,
    crossings,
    gift_icon,
    gift_labels,
    line_words,
)
from castlelab.games.once_upon_a_castle.castle import MOST, Castle
from castlelab.games.once_upon_a_castle.castle_picture import castle_part, castle_scene
from castlelab.games.once_upon_a_castle.table_picture import (
    bench_scene,
    die_part,
    guest_part,
    sheet_scene,
    table_scene,
)

__all__ = [
    "bench_scene",
    "board_scene",
    "castle_scene",
    "cover_scene",
    "crossings",
    "die_part",
    "gift_icon",
    "gift_labels",
    "guest_part",
    "line_words",
    "sheet_scene",
    "table_scene",
]


def cover_scene() -> Scene:
    """A finished castle under sun and cloud, and the two dice that drew it."""
    width, height = 360.0, 380.0
    castle = Castle(4, (5, 2, 5, 5), MOST, (1, 2, 2, 1, 2, 1), 20, (), True, True)
    shapes: list[Shape] = [
        Rect(0, 0, width, height, "story-hill"),
        Rect(0, 0, width, 60, "story-sky"),
        *castle_part(castle, 0, 40, width).shapes,
        *die_part("food", 92, 286, 66).shapes,
        *die_part("any", 202, 286, 66).shapes,
    ]
    words = "A castle with four towers, four walls and six flags, and two dice."
    return Scene(width, height, tuple(shapes), (), "Once Upon a Castle", words)
