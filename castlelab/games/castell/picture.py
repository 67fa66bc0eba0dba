"""Castell in pictures: the cover, and whatever others show of it."""

from __future__ import annotations

from castlelab.draw.layout import COVER, wordless
from castlelab.draw.scene import Circle, Path, Rect, Scene, Shape
from castlelab.games.castell.bench_picture import bench_scene as bench_scene
from castlelab.games.castell.table_picture import table_scene as table_scene
from castlelab.games.castell.text_picture import table_text as table_text
from castlelab.games.castell.token_picture import emblem_scene as emblem_scene
from castlelab.games.castell.tower import Tower
from castlelab.games.castell.tower_picture import SPACE, level_height, level_shapes
from castlelab.games.castell.tower_picture import level_words as level_words
from castlelab.games.castell.tower_picture import people_words as people_words
from castlelab.games.castell.tower_picture import tower_scene as tower_scene


def cover_scene() -> Scene:
    """A festival day: a tower on the square, hills behind it, bunting above."""
    (width, height), ground = COVER, 226.0
    hills = ((0, 150), (90, 84), (170, 144), (260, 74), (360, 138), (360, 250), (0, 250))
    shapes: list[Shape] = [
        Rect(0, 0, width, height, "accent-soft"),
        Circle(306, 76, 24, "warn-soft", "warn", 1.5),
        Path(hills, "good-soft", closed=True),
        Rect(0, ground, width, height - ground, "panel"),
        Path(((0, ground), (width, ground)), None, "line", 2),
        Path(((0, 6), (180, 22), (360, 6)), None, "muted", 1.5),
    ]
    for place in range(11):
        x = 16 + place * 32.0
        y = 22 - abs(x - 180) / 11
        flag = ((x - 9, y), (x + 9, y), (x, y + 16))
        shapes.append(Path(flag, f"ramp-{10 - place % 10}", "ink", 1, closed=True))
    foot = ground + 8
    for level in Tower("10*4 8*3 6*2 4*2 1").levels:
        shapes += wordless(level_shapes(level, width / 2, foot, SPACE))
        foot -= level_height(level) - 2
    return Scene(width, height, tuple(shapes), (), "Castell", "A human tower of five levels.")
