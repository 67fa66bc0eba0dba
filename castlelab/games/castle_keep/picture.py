"""Castle Keep in pictures: the cover, and whatever others show of it."""

from __future__ import annotations

from castlelab.draw.scene import Circle, Path, Rect, Scene, Shape
from castlelab.games.castle_keep.castle import Tile
from castlelab.games.castle_keep.castle_picture import bench_scene as bench_scene
from castlelab.games.castle_keep.castle_picture import castle_scene as castle_scene
from castlelab.games.castle_keep.castle_picture import castles_scene as castles_scene
from castlelab.games.castle_keep.castle_picture import spot_words as spot_words
from castlelab.games.castle_keep.table_picture import table_scene as table_scene
from castlelab.games.castle_keep.tile_picture import BUILDINGS, Ground, tile_shapes


def cover_scene() -> Scene:
    """A castle on its hill in all three colours, and three tiles still in hand."""
    width, height = 360.0, 380.0
    hills = (
        *((0, 300), (0, 196), (64, 132), (130, 190)),
        *((236, 120), (300, 168), (360, 140), (360, 300)),
    )
    shapes: list[Shape] = [
        Rect(0, 0, width, height, "accent-soft"),
        Circle(306, 52, 28, "warn-soft", "warn", 1.5),
        *(_bird(x, y) for x, y in ((62, 62), (92, 44), (206, 34))),
        Path(hills, "good-soft", closed=True),
        Path(((0, 272), (60, 250), (300, 250), (360, 272), (360, 380), (0, 380)), "panel", "line"),
    ]
    for text, left, foot, size in _COVER:
        tile = Tile(text)
        role = f"hue-{tile.colour}"
        box = Ground(left, foot - size, size, size)
        shapes += BUILDINGS[tile.kind](box, tile.shape, role, "ink", f"on-{role}")
    for place, text in enumerate(("TBZ", "WYC", "KR")):
        shapes += tile_shapes(88 + place * 64, 306, 58, Tile(text))
    words = "A castle in red, yellow and blue on a hill, and three tiles in hand."
    return Scene(width, height, tuple(shapes), (), "Castle Keep", words)


# The castle of the cover from back to front: a tile, its left edge, its foot, its size.
_COVER = (
    ("WRZ", 104.0, 196.0, 76.0),
    ("WRC", 180.0, 196.0, 76.0),
    ("TBS", 56.0, 204.0, 88.0),
    ("TRS", 216.0, 204.0, 88.0),
    ("KY", 117.0, 236.0, 126.0),
    ("WBZ", 86.0, 282.0, 94.0),
    ("WBC", 180.0, 282.0, 94.0),
    ("TYZ", 10.0, 290.0, 122.0),
    ("TRC", 228.0, 290.0, 122.0),
)


def _bird(x: float, y: float) -> Path:
    wings = ((x - 10, y - 5), (x - 4, y - 6), (x, y), (x + 4, y - 6), (x + 10, y - 5))
    return Path(wings, None, "muted", 2)
