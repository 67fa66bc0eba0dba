"""One picture, three hands: SVG, canvas and text show the same words."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest
from scenes import board, tower

from castlelab.draw import canvas, svg, text
from castlelab.draw.scene import Scene, Text


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


def test_the_same_marks() -> None:
    marks = {"lit": ["level 1"], "focus": "level 3"}
    assert ">!<" in svg.render(tower(), **marks)  # type: ignore[arg-type]
    assert "!" in text.render(tower(), **marks)  # type: ignore[arg-type]
    plan = canvas.plan(tower(), **marks)  # type: ignore[arg-type]
    assert any(stroke.words == "!" for command in plan for stroke in command.strokes)
