"""SVG: well-formed whatever the scene, complete, and safe."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

from hypothesis import given
from scenes import board, scenes, tower

from castlelab.draw import svg
from castlelab.draw.scene import Scene, Target, Text
from castlelab.draw.theme import DARK, LIGHT

NAMESPACE = "{http://www.w3.org/2000/svg}"


@given(scenes)
def test_every_scene_is_well_formed(scene: Scene) -> None:
    drawn = svg.render(scene, lit=[t.id for t in scene.targets], focus="x")
    root = ElementTree.fromstring(drawn.encode())
    assert root.tag == f"{NAMESPACE}svg"
    assert "nan" not in drawn.lower().split("<title>")[0]


def test_hostile_words_stay_words() -> None:
    words = "</text><script>alert('&')</script>\x00\x1b\ufffe"
    target = Target('"><script>', words, 0, 0, 10, 10)
    scene = Scene(10, 10, (Text(0, 0, words),), (target,), words, words)
    root = ElementTree.fromstring(svg.render(scene))
    assert not root.findall(f".//{NAMESPACE}script")
    text = root.find(f"{NAMESPACE}text")
    assert text is not None
    assert text.text == words.translate(dict.fromkeys([0, 0x1B, 0xFFFE], "\ufffd"))


def test_a_picture_is_named_sized_and_fits_a_narrow_page() -> None:
    root = ElementTree.fromstring(svg.render(tower()))
    assert root.get("viewBox") == "0 0 320 270"
    assert (root.get("width"), root.get("height"), root.get("role")) == ("320", "270", "img")
    assert "max-width:100%" in str(root.get("style"))
    assert root.findtext(f"{NAMESPACE}title") == "Tower"
    assert root.findtext(f"{NAMESPACE}desc") == "9*3 8*2 7"
    names = {r.get("data-target"): r.findtext(f"{NAMESPACE}title") for r in root if len(r)}
    assert names["level 2"] == "Level 2: 2 castellers of size 8"


def test_breaches_and_focus_are_drawn_in_both_themes() -> None:
    for theme in (LIGHT, DARK):
        drawn = svg.render(tower(), theme, lit=["level 1"], focus="level 2")
        assert f'fill="{theme["paper"]}"' in drawn
        assert f'stroke="{theme["bad"]}" stroke-width="3" stroke-dasharray=' in drawn
        assert f'stroke="{theme["focus"]}"' in drawn
        assert ">!</text>" in drawn


def test_a_large_board_stays_small() -> None:
    assert len(svg.render(board())) < 60_000
