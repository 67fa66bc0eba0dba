"""Whatever Once Upon a Castle shows can be read and hit, on a wide page and on a narrow one."""

import pytest
from once_moments import castle_with, moment

import castlelab
from castlelab.chance import Chance
from castlelab.draw.scene import NARROW, Text
from castlelab.games.once_upon_a_castle.box import house_layouts
from castlelab.games.once_upon_a_castle.lessons import LESSONS, lesson
from castlelab.games.once_upon_a_castle.picture import (
    board_scene,
    castle_scene,
    moment_scene,
    sheet_scene,
)
from castlelab.games.once_upon_a_castle.puzzles import KINDS
from castlelab.puzzles import Code

LESSON = 504  # the column of a page that is barely wide
TABLE = 752  # a whole table on a page that is barely wide
FINGER, MOUSE, LETTERS = 40, 24, 12


def too_small(scene, page, least):
    """What is too small on a page of that width, or cut off."""
    scale = min(1, page / scene.width)
    for shape in scene.shapes:
        if isinstance(shape, Text) and shape.size * scale < LETTERS:
            yield f"letters {shape.words!r} {shape.size * scale:.1f}"
    for target in scene.targets:
        if target.enabled and min(target.width, target.height) * scale < least - 0.01:
            yield f"target {target.id} {target.width * scale:.1f} × {target.height * scale:.1f}"
        if target.x < 0 or target.x + target.width > scene.width + 0.01:
            yield f"target {target.id} is cut off"


def assert_sized(scene, page):
    """Wide and narrow, where everything is the same but its place."""
    narrow = scene.fitted(True)
    assert narrow.width <= NARROW
    assert not list(too_small(scene, page, MOUSE))
    assert not list(too_small(narrow, NARROW, FINGER))
    both = (scene, narrow)
    told = [[(target.id, target.name, target.group) for target in each.targets] for each in both]
    assert told[0] == told[1]
    assert (scene.title, scene.description) == (narrow.title, narrow.description)
    assert scene.happenings == narrow.happenings
    pieces = [{shape.piece for shape in each.shapes} for each in both]
    assert pieces[0] == pieces[1]


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_can_be_read_and_hit(name):
    puzzle = lesson(name)
    for answer in (None, puzzle.solution):
        assert_sized(puzzle.picture(answer), LESSON)


@pytest.mark.parametrize("level", range(1, 6))
@pytest.mark.parametrize("kind", KINDS)
def test_a_puzzle_can_be_read_and_hit(kind, level):
    for seed in (3, 7):
        chance = Chance.seeded(f"puzzle {kind}-{level}-{seed}")
        puzzle = KINDS[kind](Code(kind, level, seed), chance)
        for answer in (None, puzzle.solution):
            assert_sized(puzzle.picture(answer), LESSON)


def test_boards_castles_and_sheets_can_be_read_and_hit():
    for layout in house_layouts():
        assert_sized(board_scene(layout.board(), title="Look", lit=["a1"]), LESSON)
    assert_sized(castle_scene(castle_with("queen", floors=2, residents=7), title="Mine"), LESSON)
    for version in ("apprentice", "architect"):
        for rolled in (True, False):
            assert_sized(sheet_scene(moment(version), rolled=rolled), LESSON)


@pytest.mark.parametrize("version", ["apprentice", "architect"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_table_can_be_read_and_hit(players, version):
    state = castlelab.load("once_upon_a_castle", players, version=version).start(3)
    chance, number = Chance.seeded(version), 0
    while not state.over:
        if number % 13 == 0:
            assert_sized(state.picture(), TABLE)
            assert_sized(moment_scene(state, tools=number % 2 == 0), LESSON)
        move, chance = chance.choice(state.moves())
        state = state.after(move)
        number += 1
    assert_sized(state.picture(), TABLE)


@pytest.mark.parametrize("version", ["apprentice", "architect"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_table_is_seen_in_one_window(players, version):
    """Whoever decides, and however the game stands, unless guests have been stolen for a castle."""
    state = castlelab.load("once_upon_a_castle", players, version=version).start(4)
    chance = Chance.seeded(version)
    tall = {2: 820, 3: 900, 4: 900} if version == "apprentice" else {2: 1080, 3: 1200, 4: 1400}
    number = 0
    while not state.over:
        if number % 9 == 0:
            scene = state.picture()
            stolen = max(len(castle.guests) for castle in state.castles) > 4
            assert scene.width == 880
            assert scene.height <= (700 if stolen else 630)
            assert scene.fitted(True).height <= tall[players]
        move, chance = chance.choice(state.moves())
        state = state.after(move)
        number += 1
