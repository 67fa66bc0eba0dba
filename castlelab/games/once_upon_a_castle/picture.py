"""Once Upon a Castle in pictures: the cover, and whatever others show of it."""

from __future__ import annotations

from castlelab.draw.layout import COVER, wordless
from castlelab.draw.scene import Rect, Scene, Shape
from castlelab.games.once_upon_a_castle.board_picture import board_scene as board_scene
from castlelab.games.once_upon_a_castle.board_picture import line_words as line_words
from castlelab.games.once_upon_a_castle.castle import MOST, Castle
from castlelab.games.once_upon_a_castle.castle_picture import castle_part
from castlelab.games.once_upon_a_castle.castle_picture import castle_scene as castle_scene
from castlelab.games.once_upon_a_castle.emblem_picture import emblem_scene as emblem_scene
from castlelab.games.once_upon_a_castle.sheet_picture import bench_scene as bench_scene
from castlelab.games.once_upon_a_castle.sheet_picture import sheet_scene as sheet_scene
from castlelab.games.once_upon_a_castle.table_picture import moment_scene as moment_scene
from castlelab.games.once_upon_a_castle.table_picture import table_scene as table_scene
from castlelab.games.once_upon_a_castle.text_picture import table_text as table_text


def cover_scene() -> Scene:
    """A finished castle under sun and cloud."""
    width, height = COVER
    castle = Castle(4, (5, 2, 5, 5), MOST, (1, 2, 2, 1, 2, 1), 20, (), True, True)
    shapes: list[Shape] = [
        Rect(0, 0, width, height, "story-hill"),
        Rect(0, 0, width, 60, "story-sky"),
        *wordless(castle_part(castle, 0, 34, width).shapes),
    ]
    words = "A castle with four towers, four walls and six flags."
    return Scene(width, height, tuple(shapes), (), "Once Upon a Castle", words)
