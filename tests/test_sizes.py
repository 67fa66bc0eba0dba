"""Letters that can be read and targets that can be hit, on a telephone and on wider pages."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

import castlelab
from castlelab.draw.scene import Scene, Text
from castlelab.game import GAMES
from castlelab.puzzles import kinds, lessons, puzzle
from castlelab.widgets.card.puzzle_card import PuzzleCard

#: Pixels that a board has for its width in a window 400 wide, and in a lesson in one 1280 wide.
NARROW, BESIDE = 376, 563
#: The same for a whole table, in windows 400, 800 and 1280 wide.
TABLES = {400: 384, 800: 760, 1280: 816}
LETTERS = 12
FINGER, MOUSE = 40, 24
SQUARE = re.compile(r"[a-z]\d+\b")  # of a site, as it is spoken


def shown(scene: Scene, room: float) -> float:
    """By what a picture is shown smaller than it is; where there is more room, it only grows."""
    return min(1.0, room / scene.width)


def letters(scene: Scene, room: float) -> float:
    sizes = (shape.size for shape in scene.shapes if isinstance(shape, Text) and shape.words)
    return min(sizes, default=LETTERS) * shown(scene, room)


def targets(scene: Scene, room: float) -> Iterator[tuple[str, float]]:
    for target in scene.targets:
        if target.enabled:
            yield target.name, min(target.width, target.height) * shown(scene, room)


def too_small(scene: Scene, room: float, least: float) -> dict[str, float]:
    """Targets that are too small, by their names; the squares of a large site may be.

    Eleven squares of 40 pixels would be wider than a telephone: there a finger enlarges the site
    before it picks.
    """
    found = {name: side for name, side in targets(scene, room) if side < least - 0.5}
    columns = {name[0] for name in found if SQUARE.match(name)}
    if least == FINGER and len(columns) * FINGER > room:
        found = {name: side for name, side in found.items() if not SQUARE.match(name)}
    return found


def boards() -> Iterator[str]:
    for name in GAMES:
        yield from lessons(name)
        yield from (f"{kind}-{level}-1" for kind in kinds(name) for level in (1, 5))


@pytest.mark.parametrize("code", tuple(boards()))
def test_a_lesson_can_be_read_and_hit(code: str) -> None:
    card = PuzzleCard(puzzle(code), link=False)
    wide = card._shown_board.scene
    assert letters(wide, BESIDE) >= LETTERS - 0.05
    assert too_small(wide, BESIDE, MOUSE) == {}
    card.fit(True)
    narrow = card._shown_board.scene
    assert letters(narrow, NARROW) >= LETTERS - 0.05
    assert too_small(narrow, NARROW, FINGER) == {}
    if "/lesson-" in code:  # none of them has a large site
        assert min((side for _, side in targets(narrow, NARROW)), default=FINGER) >= FINGER - 0.5


@pytest.mark.parametrize("width", TABLES)
@pytest.mark.parametrize("name", GAMES)
def test_a_table_can_be_read_and_hit(name: str, width: int) -> None:
    scene = castlelab.load(name).start(7).picture().fitted(width <= 700)
    assert letters(scene, TABLES[width]) >= LETTERS - 0.05
    least = FINGER if width <= 700 else MOUSE
    assert too_small(scene, TABLES[width], least) == {}


@pytest.mark.parametrize("name", GAMES)
def test_a_narrow_table_keeps_in_sight_what_is_in_hand(name: str) -> None:
    scene = castlelab.load(name).start(7).picture()
    narrow = scene.fitted(True)
    assert scene.tray == ()
    kept = [narrow.target(target) for target in narrow.tray]
    assert kept
    assert all(each and min(each.width, each.height) >= FINGER for each in kept)
