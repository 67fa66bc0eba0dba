"""Castell in sizes: words that can be read, targets that can be hit, wide and narrow."""

from itertools import islice

import pytest

import castlelab
from castlelab.bots import bot
from castlelab.chance import Chance
from castlelab.draw.layout import LETTER
from castlelab.draw.scene import NARROW, Text
from castlelab.puzzles import LEVELS, kinds, lessons, puzzle

COLUMN = {"lesson": 560, "table": 740}  # how wide a picture is shown at the narrowest
KINDS = [f"{kind}-{level}-1" for kind in kinds("castell") for level in LEVELS]


def assert_readable(scene, column):
    """Wide and narrow: words of 12 pixels, and targets for a pointer or for a finger."""
    narrow = scene.fitted(True)
    assert narrow.width <= NARROW
    assert {t.id: t.name for t in narrow.targets} == {t.id: t.name for t in scene.targets}
    for shown, least in ((scene, 24), (narrow, 40)):
        scale = min(1, column / shown.width)
        assert all(s.size * scale >= 12 for s in shown.shapes if isinstance(s, Text))
        sides = [min(t.width, t.height) for t in shown.targets if t.enabled]
        assert min(sides, default=least) * scale >= least


@pytest.mark.parametrize("code", [*lessons("castell"), *KINDS])
def test_puzzles_can_be_read_and_hit(code):
    asked = puzzle(code)
    assert_readable(asked.picture(), COLUMN["lesson"])
    assert_readable(asked.picture(asked.solution), COLUMN["lesson"])


def moments(players):
    """A game by somebody who builds whatever can be built, so that the table fills."""
    state = castlelab.load("castell", players=players).start(4)
    builder, chance = bot("greedy"), Chance.seeded(4)
    while not state.over:
        yield state
        move, chance = builder.choose(state, chance)
        state = state.after(move)
    yield state


@pytest.mark.parametrize("players", [2, 3, 4])
def test_tables_can_be_read_and_hit(players):
    for state in islice(moments(players), 0, None, 9):
        scene = state.picture()
        assert 1.33 <= scene.width / scene.height <= 1.5
        assert_readable(scene, COLUMN["table"])
        assert_inside(scene)
        assert_inside(scene.fitted(True))


def assert_inside(scene):
    """Nothing that is drawn or can be picked is cut off; words are as wide as usual."""
    for target in scene.targets:
        assert 0 <= target.x <= target.x + target.width <= scene.width, target
        assert 0 <= target.y <= target.y + target.height <= scene.height, target
    for shape in scene.shapes:
        if isinstance(shape, Text):
            wide = len(shape.words) * shape.size * LETTER
            before = {"start": 0, "middle": wide / 2, "end": wide}[shape.anchor]
            assert 0 <= shape.x - before <= shape.x - before + wide <= scene.width, shape
