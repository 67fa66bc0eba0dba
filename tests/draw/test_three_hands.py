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


def test_the_same_marks() -> None:
    marks: Any = {"lit": ["level 1"], "focus": "level 3"}
    assert ">!<" in svg.render(tower(), **marks)
    assert "!" in text.render(tower(), **marks)
    plan = canvas.plan(tower(), **marks)
    assert any(stroke.words == "!" for command in plan for stroke in command.strokes)


def test_every_hand_frames_an_offer_with_bold_corners() -> None:
    def bold_lines(**marks: Any) -> int:
        strokes = [
            stroke for command in canvas.plan(tower(), **marks) for stroke in command.strokes
        ]
        return sum(stroke.pen.line == 4 and len(stroke.numbers) == 6 for stroke in strokes)

    offered = ["level 2"]
    assert (bold_lines(), bold_lines(offered=offered)) == (0, 4)
    plain, framed = (svg.render(tower(), offered=each) for each in ([], offered))
    assert framed.count('stroke-width="4"') > plain.count('stroke-width="4"')
    heavy = set("┏┓┗┛")
    assert not heavy & {*text.render(tower())}
    assert heavy & {*text.render(tower(), offered=offered)}


def test_an_offer_is_named_in_the_svg() -> None:
    assert f"{OFFERED_WORDS}</title>" in svg.render(tower(), offered=["level 2"])
