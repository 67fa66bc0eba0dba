"""Castle Rampage in pictures: the cover, and whatever others show of it."""

from __future__ import annotations

from castlelab.draw.layout import COVER
from castlelab.draw.scene import Circle, Path, Rect, Scene, Shape
from castlelab.games.castle_rampage.attack_picture import attack_scene as attack_scene
from castlelab.games.castle_rampage.attack_picture import bench_scene as bench_scene
from castlelab.games.castle_rampage.attack_picture import ending_words as ending_words
from castlelab.games.castle_rampage.attack_picture import step_words as step_words
from castlelab.games.castle_rampage.battle_picture import battle_scene as battle_scene
from castlelab.games.castle_rampage.battle_picture import discards_words as discards_words
from castlelab.games.castle_rampage.battle_picture import table_words as table_words
from castlelab.games.castle_rampage.box import house_box
from castlelab.games.castle_rampage.pictogram_picture import card_emblem
from castlelab.games.castle_rampage.table_picture import table_scene as table_scene
from castlelab.games.castle_rampage.text_picture import table_text as table_text


def emblem_scene(picture: str) -> Scene:
    """A tiny card with its sign: ``"card Knight"``. One of another box shows its back."""
    name = picture.removeprefix("card ")
    box = house_box()
    known = box.cards[box.places[name]] if name in box.places else None
    return Scene(20, 26, tuple(card_emblem(known)), title=name)


def cover_scene() -> Scene:
    """Two castles across a field, a ram between them and a dragon above."""
    (width, height), ground = COVER, 228.0
    shapes: list[Shape] = [
        Rect(0, 0, width, height, "warn-soft"),
        Circle(180, 76, 44, "ramp-3", "ramp-5", 1.5),
        Path(
            (
                (0, 250),
                (0, 172),
                (70, 126),
                (150, 166),
                (230, 116),
                (300, 156),
                (360, 130),
                (360, 250),
            ),
            "accent-soft",
        ),
        Rect(0, ground, width, height - ground, "good-soft"),
        Path(((0, ground), (width, ground)), None, "ink", 2),
        *_cover_castle(70, ground, "seat-0"),
        *_cover_castle(290, ground, "seat-1"),
        *_cover_ram(180, ground),
        *_cover_dragon(180, 72),
    ]
    words = "Two castles face each other; a ram rolls between them under a dragon."
    return Scene(width, height, tuple(shapes), (), "Castle Rampage", words)


def _cover_castle(x: float, ground: float, role: str) -> list[Shape]:
    shapes: list[Shape] = []
    for dx, wide, tall in ((-30, 30, 118), (30, 30, 118), (0, 44, 168)):
        left, top = x + dx - wide / 2, ground - tall
        shapes.append(Rect(left, top, wide, tall, "panel", "ink", 1.5))
        teeth = 3 if wide < 40 else 4
        gap = wide / (2 * teeth - 1)
        shapes += [
            Rect(left + 2 * n * gap, top - 9, gap, 10, "panel", "ink", 1.5) for n in range(teeth)
        ]
        shapes.append(Rect(x + dx - 3, top + 24, 6, 16, "ink", None, 1, 3))
    flag = ((x, ground - 216), (x + 30, ground - 206), (x, ground - 195))
    shapes += [
        Rect(x - 14, ground - 44, 28, 44, "ramp-6", "ink", 1.5, 10),
        *(
            Path(((x + dx, ground - 40), (x + dx, ground - 2)), None, "ink", 1.5)
            for dx in (-6, 0, 6)
        ),
        Path(((x, ground - 176), (x, ground - 216)), None, "ink", 2),
        Path(flag, role, "ink", 1.5, closed=True),
    ]
    return shapes


def _cover_ram(x: float, ground: float) -> list[Shape]:
    roof = ((x - 46, ground - 36), (x, ground - 66), (x + 46, ground - 36))
    return [
        Path(roof, "ramp-7", "ink", 1.5, closed=True),
        Rect(x - 56, ground - 32, 112, 12, "ramp-5", "ink", 1.5, 5),
        Circle(x + 58, ground - 26, 8, "line", "ink", 1.5),
        *(Circle(x + dx, ground - 8, 10, "panel", "ink", 2) for dx in (-28, 28)),
        *(Circle(x + dx, ground - 8, 3, "ink") for dx in (-28, 28)),
    ]


def _cover_dragon(x: float, y: float) -> list[Shape]:
    body = (
        *((x - 66, y + 10), (x - 30, y - 2), (x + 20, y - 8), (x + 52, y - 22), (x + 72, y - 18)),
        *((x + 62, y - 8), (x + 44, y), (x + 10, y + 14), (x - 28, y + 10)),
    )
    wings = (
        ((x - 14, y), (x - 40, y - 54), (x - 16, y - 40), (x + 2, y - 58), (x + 16, y - 4)),
        ((x + 4, y + 4), (x - 4, y + 40), (x + 14, y + 30), (x + 26, y + 4)),
    )
    return [
        *(Path(wing, "ramp-8", "ink", 1.5, closed=True) for wing in wings),
        Path(body, "ramp-9", "ink", 1.5, closed=True),
        Circle(x + 60, y - 17, 2, "paper"),
    ]
