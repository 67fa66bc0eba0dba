"""Castle Keep in pictures: the cover, and whatever others show of it."""

from __future__ import annotations

from castlelab.draw.layout import COVER
from castlelab.draw.scene import Circle, Path, Rect, Scene, Shape
from castlelab.games.castle_keep.castle import Tile
from castlelab.games.castle_keep.castle_picture import bench_scene as bench_scene
from castlelab.games.castle_keep.castle_picture import castle_scene as castle_scene
from castlelab.games.castle_keep.castle_picture import castles_scene as castles_scene
from castlelab.games.castle_keep.castle_picture import spot_words as spot_words
from castlelab.games.castle_keep.table_picture import table_scene as table_scene
from castlelab.games.castle_keep.text_picture import table_text as table_text
from castlelab.games.castle_keep.tile_picture import BUILDINGS, Ground, building_scene


def cover_scene() -> Scene:
    """A castle on its hill in all three colours."""
    width, height = COVER
    hills = (
        *((0, 250), (0, 136), (64, 72), (130, 130)),
        *((236, 60), (300, 108), (360, 80), (360, 250)),
    )
    shapes: list[Shape] = [
        Rect(0, 0, width, height, "accent-soft"),
        Circle(322, 36, 22, "warn-soft", "warn", 1.5),
        *(_bird(x, y) for x, y in ((40, 40), (66, 24), (262, 26))),
        Path(hills, "good-soft", closed=True),
        Path(((0, 214), (60, 192), (300, 192), (360, 214), (360, 250), (0, 250)), "panel", "line"),
    ]
    for text, left, foot, size in _COVER:
        tile = Tile(text)
        role = f"hue-{tile.colour}"
        box = Ground(left, foot - size, size, size)
        shapes += BUILDINGS[tile.kind](box, tile.shape, role, "ink", f"on-{role}")
    words = "A castle in red, yellow and blue on a hill."
    return Scene(width, height, tuple(shapes), (), "Castle Keep", words)


# The castle of the cover from back to front: a tile, its left edge, its foot, its size.
_COVER = (
    ("WRZ", 104.0, 144.0, 76.0),
    ("WRC", 180.0, 144.0, 76.0),
    ("TBS", 56.0, 152.0, 88.0),
    ("TRS", 216.0, 152.0, 88.0),
    ("KY", 117.0, 184.0, 126.0),
    ("WBZ", 86.0, 230.0, 94.0),
    ("WBC", 180.0, 230.0, 94.0),
    ("TYZ", 10.0, 238.0, 122.0),
    ("TRC", 228.0, 238.0, 122.0),
)


def _bird(x: float, y: float) -> Path:
    wings = ((x - 10, y - 5), (x - 4, y - 6), (x, y), (x + 4, y - 6), (x + 10, y - 5))
    return Path(wings, None, "muted", 2)


def emblem_scene(picture: str) -> Scene:
    """The building of a tile, as high as a line of words."""
    return building_scene(Tile(picture), 24)
