"""How large words and targets of Castle Rampage are, on a wide page and on a narrow one."""

from __future__ import annotations

from functools import partial

import pytest

import castlelab
from castlelab.chance import Chance
from castlelab.draw.scene import NARROW, Rect, Scene, Text
from castlelab.games.castle_rampage import attack
from castlelab.games.castle_rampage.lessons import LESSONS, lesson
from castlelab.games.castle_rampage.picture import attack_scene

COLUMN, TABLE = 560, 752  # pixels that a picture has at least on a wide page


def assert_readable(scene: Scene, room: float) -> None:
    for picture, scale, least in (
        (scene, min(1.0, room / scene.width), 24),
        (scene.fitted(True), 1.0, 40),
    ):
        words = [shape for shape in picture.shapes if isinstance(shape, Text)]
        assert min(text.size for text in words) * scale >= 12
        for target in filter(lambda each: each.enabled, picture.targets):
            assert min(target.width, target.height) * scale >= least, target.id
            assert picture.at(*target.centre) == target
            assert target.x >= 0
            assert target.x + target.width <= picture.width
            assert target.y + target.height <= picture.height
        for shape in picture.shapes:
            if isinstance(shape, Rect):
                assert -1 <= shape.x <= shape.x + shape.width <= picture.width + 1
                assert -1 <= shape.y <= shape.y + shape.height <= picture.height + 1
    narrow = scene.fitted(True)
    assert narrow.width <= NARROW
    assert {(t.id, t.name) for t in narrow.targets} == {(t.id, t.name) for t in scene.targets}
    assert narrow.description == scene.description
    assert narrow.happenings == scene.happenings


@pytest.mark.parametrize("name", LESSONS)
def test_lessons_can_be_read_and_picked(name: str) -> None:
    made = lesson(name)
    for answer in (None, made.solution):
        assert_readable(made.picture(answer), COLUMN)


@pytest.mark.parametrize("level", range(1, 6))
@pytest.mark.parametrize("kind", ["how-far", "lethal", "stack-well"])
def test_puzzles_can_be_read_and_picked(kind: str, level: int) -> None:
    for number in (1, 2):
        made = castlelab.puzzle(f"castle_rampage/{kind}-{level}-{number}")
        for answer in (None, made.solution):
            assert_readable(made.picture(answer), COLUMN)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_tables_can_be_read_and_picked(seed: int) -> None:
    state, chance = castlelab.load("castle_rampage").start(seed), Chance.seeded(seed)
    moment = 0
    while not state.over:
        if moment % 5 == 0:
            assert_readable(state.picture(), TABLE)
        move, chance = chance.choice(state.moves())
        state, moment = state.after(move), moment + 1
    assert_readable(state.picture(), TABLE)


def test_the_hand_lies_above_the_stacks_on_a_narrow_page() -> None:
    """So a card and what it is for are in one window; a puzzle has its cards below."""
    state = castlelab.load("castle_rampage").start(1)
    scene = state.picture().fitted(True)
    hand = [target for target in scene.targets if "dealt" in target.group]
    piles = [target for target in scene.targets if target.group == "Piles"]
    assert max(target.y for target in hand) < min(target.y for target in piles)
    cards = castlelab.puzzle("castle_rampage/lethal-1-1").picture().fitted(True)
    hand = [target for target in cards.targets if target.group.endswith("hand")]
    assert min(target.y for target in hand) > cards.height / 2


def test_an_attack_is_watched_card_by_card_on_both_pages() -> None:
    """Who holds sways, and a Castle that has lost its last card comes down."""
    gate, castle = [4, 3], [6]
    shown = partial(attack_scene, gate=gate, castle=castle)
    held, fallen = attack(9, gate, castle), attack(13, gate, castle)
    for steps in range(len(held.steps) + 1):
        assert_readable(shown(held, shown=steps), COLUMN)
    ways = [[h.way for h in shown(one).happenings] for one in (held, fallen)]
    assert ways == [["wobble"], ["topple"]]
    assert not shown(held, shown=1).happenings
