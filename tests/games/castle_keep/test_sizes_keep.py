"""Castle Keep in sizes: words that can be read, targets that can be hit, wide and narrow."""

import pytest

import castlelab
from castlelab.chance import Chance
from castlelab.draw.scene import NARROW, Rect, Text
from castlelab.puzzles import LEVELS, kinds, lessons, puzzle

COLUMN = {"lesson": 424, "table": 752}  # how wide a picture is shown at the narrowest
KINDS = [f"{kind}-{level}-1" for kind in kinds("castle_keep") for level in LEVELS]


def assert_readable(scene, column):
    """Wide and narrow: words of 12 pixels, and targets for a pointer or for a finger."""
    narrow = scene.fitted(True)
    assert narrow.width <= NARROW
    assert {t.id: t.name for t in narrow.targets} == {t.id: t.name for t in scene.targets}
    for shown, least in ((scene, 24), (narrow, 40)):
        scale = min(1, column / shown.width)
        words = [
            s for s in shown.shapes if isinstance(s, Text) and s.words != "!"
        ]  # that is a sign
        assert all(s.size * scale >= 12 for s in words)
        sides = [min(t.width, t.height) for t in shown.targets if t.enabled]
        assert min(sides, default=least) * scale >= least


@pytest.mark.parametrize("code", [*lessons("castle_keep"), *KINDS])
def test_puzzles_can_be_read_and_hit(code):
    asked = puzzle(code)
    assert_readable(asked.picture(), COLUMN["lesson"])
    assert_readable(asked.picture(asked.solution), COLUMN["lesson"])


WAYS = [
    *(("classic", players) for players in (2, 3, 4)),
    *(("empire", players) for players in (2, 3, 4)),
    *(("takeover", 2), ("king", 2), ("solitaire", 1)),
]


@pytest.mark.parametrize(("way", "players"), WAYS)
def test_tables_can_be_read_and_hit(way, players):
    state = castlelab.load("castle_keep", players, way=way, draw_discard=True).start(3)
    chance = Chance.seeded(way)
    for number in range(120):
        if number % 7 == 0 or state.over:
            assert_readable(state.picture(), COLUMN["table"])
            assert_alike(state.picture())
            assert 1.25 <= state.picture().width / state.picture().height <= 1.5
        if state.over:
            break
        deeds = [move for move in state.moves() if move.kind in ("build", "attack", "discard")]
        move, chance = chance.choice(deeds or state.moves())
        state = state.play(move)


def test_two_castles_and_the_hand_are_in_the_first_window_of_a_telephone():
    """Of 800 pixels 180 stand above the board and 90 below it; 400 are as wide as NARROW."""
    for way in ("classic", "king"):
        scene = castlelab.load("castle_keep", way=way).start(3).picture().fitted(True)
        assert scene.height * 400 / NARROW <= 531


def assert_alike(scene):
    """The same things in the same order on either page, and nothing over anything else."""
    narrow = scene.fitted(True)
    assert [t.id for t in narrow.targets] == [t.id for t in scene.targets]
    assert (narrow.happenings, narrow.description) == (scene.happenings, scene.description)
    shown = [{s.piece for s in p.shapes if s.piece} for p in (scene, narrow)]
    assert shown[0] == shown[1]
    for page in (scene, narrow):
        assert all(page.at(*target.centre) == target for target in page.targets if target.enabled)
        for box in (*page.targets, *(s for s in page.shapes if isinstance(s, Rect))):
            assert 0 <= box.x <= box.x + box.width <= page.width
            assert 0 <= box.y <= box.y + box.height <= page.height
        for words in (s for s in page.shapes if isinstance(s, Text) and s.anchor == "start"):
            assert words.x + len(words.words) * words.size * 0.5 <= page.width
