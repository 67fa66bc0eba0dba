"""What every picture has to keep, and how a table follows a finger."""

from __future__ import annotations

from xml.etree import ElementTree

from castlelab.draw import canvas, svg, text
from castlelab.draw.scene import Scene
from castlelab.draw.theme import DARK
from castlelab.game import Pointing, State

SMALLEST = 9  # size of words in a picture


def assert_sound(scene: Scene) -> None:
    """Targets lie inside and apart, everything can be drawn, no words are too small."""
    ids = [target.id for target in scene.targets]
    assert len(set(ids)) == len(ids)
    for target in scene.targets:
        assert target.x >= 0
        assert target.y >= 0
        assert target.x + target.width <= scene.width
        assert target.y + target.height <= scene.height
        assert scene.at(*target.centre) == target
        assert target.name
    assert all(shape.size >= SMALLEST for shape in scene.shapes if hasattr(shape, "words"))
    ElementTree.fromstring(svg.render(scene, DARK))
    assert canvas.plan(scene)
    assert text.render(scene)


def pointed(state: State, *picks: str) -> Pointing:
    """Point at one target after another, as a table does: only picks that count are kept."""
    kept: tuple[str, ...] = ()
    found = state.point(())
    for pick in picks:
        found = state.point((*kept, pick))
        kept = found.picks
    return found
