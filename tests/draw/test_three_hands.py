"""One picture, three hands: SVG, canvas and text show the same words."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest
from scenes import board, tower

from castlelab.draw import canvas, svg, text
from castlelab.draw.scene import OFFERED_WORDS, Scene, Text


@pytest.mark.parametrize("scene", [tower(), board(5)], ids=["tower", "board"])
def test_the_same_words(scene: Scene) -> None:
    words = sorted(shape.words for shape in scene.shapes if isinstance(shape, Text))
    root = ElementTree.fromstring(svg.render(scene))
    assert sorted(t.text or "" for t in root.iter("{http://www.w3.org/2000/svg}text")) == words
    strokes = [stroke for command in canvas.plan(scene) for stroke in command.strokes]
    assert sorted(stroke.words for stroke in strokes if stroke.words) == words
    drawn = text.render(scene)
    for word in words:
        assert drawn.count(word) >= words.count(word)


@pytest.mark.parametrize(
    ("marks", "badge"),
    [
        ({"lit": ["level 1"], "focus": "level 3"}, "!"),
        ({"offered": ["level 2"]}, "+"),
    ],
)
def test_the_same_marks(marks: Any, badge: str) -> None:
    assert f">{badge}<" in svg.render(tower(), **marks)
    assert badge in text.render(tower(), **marks)
    plan = canvas.plan(tower(), **marks)
    assert any(stroke.words == badge for command in plan for stroke in command.strokes)


def test_an_offer_is_named_in_the_svg() -> None:
    assert f"{OFFERED_WORDS}</title>" in svg.render(tower(), offered=["level 2"])
