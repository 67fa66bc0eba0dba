"""Castle Keep in sizes: words that can be read, targets that can be hit, wide and narrow."""

import pytest

from castlelab.draw.scene import NARROW, Text
from castlelab.puzzles import LEVELS, kinds, lessons, puzzle

COLUMN = {"lesson": 560, "table": 740}  # how wide a picture is shown at the narrowest
KINDS = [f"{kind}-{level}-1" for kind in kinds("castle_keep") for level in LEVELS]


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


@pytest.mark.parametrize("code", [*lessons("castle_keep"), *KINDS])
def test_puzzles_can_be_read_and_hit(code):
    asked = puzzle(code)
    assert_readable(asked.picture(), COLUMN["lesson"])
    assert_readable(asked.picture(asked.solution), COLUMN["lesson"])
