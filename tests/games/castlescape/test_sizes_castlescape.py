"""Whatever CastleScape shows can be read and hit, on a wide page and on a narrow one."""

from dataclasses import replace

import pytest

import castlelab
from castlelab.chance import Chance
from castlelab.draw.scene import NARROW, Text
from castlelab.games.castlescape.board import SIDES, Board
from castlelab.games.castlescape.lessons import LESSONS, lesson
from castlelab.games.castlescape.picture import board_scene
from castlelab.games.castlescape.puzzles import KINDS
from castlelab.puzzles import Code

LESSON, TABLE = 560, 752  # the columns of a page that is barely wide
FINGER, MOUSE, LETTERS = 40, 24, 12


def sizes(scene, page, least, squares=True):
    """What is too small on a page of that width, or not there at all."""
    scale = min(1, page / scene.width)
    for shape in scene.shapes:
        if isinstance(shape, Text) and shape.size * scale < LETTERS:
            yield f"letters {shape.words!r} {shape.size * scale:.1f}"
    for target in scene.targets:
        if not squares and target.group == "The site":
            continue
        if target.enabled and min(target.width, target.height) * scale < least - 0.01:
            yield f"target {target.id} {target.width * scale:.1f} × {target.height * scale:.1f}"
        if target.x < 0 or target.x + target.width > scene.width + 0.01:
            yield f"target {target.id} is cut off"


def assert_sized(scene, page, side=0):
    """Wide and narrow; the squares of a large site are for a page that can be zoomed."""
    narrow = scene.fitted(True)
    assert narrow.width <= NARROW
    assert not list(sizes(scene, page, MOUSE, squares=side <= (15 if page == TABLE else 21)))
    assert not list(sizes(narrow, NARROW, FINGER, squares=side <= 9))
    told = [
        [(target.id, target.name, target.group) for target in each.targets]
        for each in (scene, narrow)
    ]
    assert told[0] == told[1]
    assert (scene.title, scene.description) == (narrow.title, narrow.description)
    assert scene.happenings == narrow.happenings
    pieces = [{shape.piece for shape in each.shapes} for each in (scene, narrow)]
    assert pieces[0] == pieces[1]


def side_of(start):
    board = getattr(start, "board", start)
    return board.grid.columns if isinstance(board, Board) else 0


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_can_be_read_and_hit(name):
    puzzle = lesson(name)
    for answer in (None, puzzle.solution):
        assert_sized(puzzle.picture(answer), LESSON, side_of(puzzle.start))


@pytest.mark.parametrize("level", range(1, 6))
@pytest.mark.parametrize("kind", KINDS)
def test_a_puzzle_can_be_read_and_hit(kind, level):
    puzzle = KINDS[kind](Code(kind, level, 7), Chance.seeded(f"puzzle {kind}-{level}-7"))
    for answer in (None, puzzle.solution):
        assert_sized(puzzle.picture(answer), LESSON, side_of(puzzle.start))


@pytest.mark.parametrize("side", [3, 5, *SIDES])
def test_a_site_can_be_read_and_hit(side):
    board = Board.start(side) if side in SIDES else Board.parse(" / ".join(["." * side] * side))
    whole = board.grid.bits([(0, 0), (1, 1)])
    board = replace(board, ground=(whole, 0, 0, 0))
    assert_sized(board_scene(board, title="A title that is long " * 4, chosen=["a2"]), LESSON, side)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("players", [2, 4])
def test_a_table_can_be_read_and_hit(players, side):
    state = castlelab.load("castlescape", players=players, side=side).start(side)
    chance = Chance.seeded(side)
    for number in range(150):
        if number % 10 == 0:
            assert_sized(state.picture(), TABLE, side)
        if state.over:
            break
        move, chance = chance.choice(state.moves())
        state = state.after(move)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_table_has_the_shape_of_a_window(players, side):
    """A hand of five fits beside the rest; only one that grew needs a second row."""
    state = castlelab.load("castlescape", players=players, side=side, hardcore=True).start(side)
    chance = Chance.seeded(f"window {side}")
    for _ in range(60):
        scene = state.picture()
        assert scene.width <= 900
        if len(set(state.guilds[state.to_move].hand)) <= 4 and not state.turn.from_discards:
            assert 1.33 <= scene.width / scene.height <= 1.5
        move, chance = chance.choice(state.moves())
        state = state.after(move)
