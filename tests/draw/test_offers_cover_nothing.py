"""What is offered in a game is marked, and every letter on the table can still be read."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest

from castlelab.chance import Chance
from castlelab.draw.canvas import touch
from castlelab.draw.scene import Circle, Path, Rect, Scene, Shape, Text, marked
from castlelab.game import GAMES, load

Box = tuple[float, float, float, float]
_SLIM = " -·.,:;!'ilj1"


def letters(text: Text) -> Box:
    """The box of words, as wide as in a wide font and as high as its capitals."""
    width = text.size * sum(0.35 if letter in _SLIM else 0.56 for letter in text.words)
    left = text.x - width * {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor]
    return left, text.y - text.size * 0.37, left + width, text.y + text.size * 0.37


def covered(shape: Shape) -> Iterator[Box]:
    """The boxes that a mark covers: a disc, or the lines of a frame."""
    if isinstance(shape, Circle):
        reach = shape.radius * 0.7  # the square within
        yield shape.x - reach, shape.y - reach, shape.x + reach, shape.y + reach
        return
    if isinstance(shape, Rect):
        left, top, right, bottom = shape.x, shape.y, shape.x + shape.width, shape.y + shape.height
        corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
    else:
        assert isinstance(shape, Path)
        corners = [*shape.points]
    edge = shape.line / 2
    for (x, y), (to_x, to_y) in pairwise(corners):
        yield min(x, to_x) - edge, min(y, to_y) - edge, max(x, to_x) + edge, max(y, to_y) + edge


def hidden(scene: Scene, offered: tuple[str, ...]) -> set[str]:
    """The words that the marks of an offer would cover, wholly or in part."""
    marks = marked(scene, offered=offered).shapes[len(scene.shapes) :]
    assert len(marks) >= len(offered)
    boxes = [box for mark in marks for box in covered(mark)]
    texts = [shape for shape in scene.shapes if isinstance(shape, Text)]
    return {text.words for text in texts if any(touch(letters(text), box) for box in boxes)}


@pytest.mark.parametrize("name", GAMES)
def test_no_mark_of_an_offer_covers_a_letter(name: str) -> None:
    state, chance = load(name).start(seed=1), Chance.seeded("offers")
    for _ in range(40):
        if state.over:
            break
        picture, offers = state.picture(), tuple(state.point(()).offers)
        assert hidden(picture, offers) == set()
        if offers:
            pick, chance = chance.choice(offers)
            assert hidden(picture, tuple(state.point((pick,)).offers)) == set()
        move, chance = chance.choice(state.moves())
        state = state.after(move)
