"""Targets: what lies where, where an arrow key leads, and how breaches and the focus look."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from castlelab.draw.scene import (
    OFFERED_WORDS,
    Circle,
    Path,
    Rect,
    Scene,
    Shape,
    Target,
    Text,
    marked,
)


def grid(side: int = 3) -> Scene:
    """Squares of 40 pixels, named by column and row."""
    return Scene(
        width=40 * side,
        height=40 * side,
        targets=tuple(
            Target(f"{'abcdef'[x]}{y + 1}", f"Square {x} {y}", 40 * x, 40 * y, 40, 40)
            for y in range(side)
            for x in range(side)
        ),
    )


@pytest.mark.parametrize(
    ("start", "direction", "end"),
    [
        ("b2", "left", "a2"),
        ("b2", "right", "c2"),
        ("b2", "up", "b1"),
        ("b2", "down", "b3"),
        ("a1", "left", "a1"),
        ("c3", "down", "c3"),
        (None, "down", "a1"),
        ("nowhere", "up", "a1"),
    ],
)
def test_an_arrow_leads_to_the_neighbour(start: str | None, direction: str, end: str) -> None:
    found = grid().beside(start, direction)  # type: ignore[arg-type]
    assert found is not None
    assert found.id == end


def test_an_empty_scene_leads_nowhere() -> None:
    assert Scene(10, 10).beside(None, "left") is None
    assert Scene(10, 10).at(5, 5) is None


def test_the_frontmost_target_is_hit_and_edges_belong_to_one_square() -> None:
    scene = grid()
    assert getattr(scene.at(39.9, 0), "id", None) == "a1"
    assert getattr(scene.at(40, 0), "id", None) == "b1"
    assert scene.at(120, 0) is None
    card = Target("card", "A card", 30, 30, 40, 40)
    covered = Scene(120, 120, targets=(*scene.targets, card))
    assert covered.at(35, 35) == card


def test_every_square_of_a_grid_is_reached_by_arrows() -> None:
    scene = grid(5)
    seen, todo = set(), ["a1"]
    while todo:
        here = todo.pop()
        if here in seen:
            continue
        seen.add(here)
        for direction in ("left", "right", "up", "down"):
            there = scene.beside(here, direction)
            assert there is not None
            todo.append(there.id)
    assert len(seen) == 25


def test_marks_do_not_rely_on_colour() -> None:
    shapes = marked(grid(), lit=["b2", "b2", "unknown"], focus="c3").shapes
    assert [shape.words for shape in shapes if isinstance(shape, Text)] == ["!"]
    assert [s.dash for s in shapes if isinstance(s, Rect)] == [False, True, False, False]
    assert sum(isinstance(shape, Circle) for shape in shapes) == 1
    assert marked(grid(), lit=["unknown"], focus="unknown") == grid()


def bold_corners(shapes: Iterable[Shape]) -> int:
    """How many corners of frames are bold: what is offered has four."""
    return sum(isinstance(shape, Path) and len(shape.points) == 3 for shape in shapes)


def test_an_offer_has_a_solid_frame_with_bold_corners_and_is_spoken() -> None:
    scene = marked(grid(), offered=["b2", "b2", "unknown"])
    assert bold_corners(scene.shapes) == 4
    assert not any(shape.dash for shape in scene.shapes if isinstance(shape, Rect))
    told = [target.id for target in scene.targets if target.name.endswith(OFFERED_WORDS)]
    assert told == ["b2"]
    assert marked(grid(), offered=["unknown"]) == grid()


def test_in_a_crowd_of_small_offers_each_has_a_dot() -> None:
    scene = grid(5)
    large = Target("large", "A card", 0, 0, 100, 60)
    scene = Scene(200, 200, targets=(*scene.targets, large))
    shapes = marked(scene, offered=[target.id for target in scene.targets]).shapes
    dots = [shape for shape in shapes if isinstance(shape, Circle) and not shape.stroke]
    assert len(dots) == 25
    assert bold_corners(shapes) == 4
    few = marked(scene, offered=[target.id for target in scene.targets[:12]]).shapes
    assert bold_corners(few) == 4 * 12


def test_what_is_offered_lit_and_focused_shows_all_three() -> None:
    shapes = marked(grid(), lit=["b2"], focus="b2", offered=["b2"]).shapes
    assert [shape.words for shape in shapes if isinstance(shape, Text)] == ["!"]
    assert bold_corners(shapes) == 4
    strokes = {shape.stroke for shape in shapes if isinstance(shape, Rect)}
    assert {"good", "bad", "focus"} <= strokes


def test_marks_stay_inside_the_picture() -> None:
    scene = grid()
    for shape in marked(scene, lit=["a1", "c3"], focus="c1", offered=["a1", "c2"]).shapes:
        if isinstance(shape, Rect):
            edge = shape.line / 2
            assert shape.x >= edge
            assert shape.y >= edge
            assert shape.x + shape.width <= scene.width - edge
            assert shape.y + shape.height <= scene.height - edge
        elif isinstance(shape, Circle):
            assert shape.radius <= shape.x <= scene.width - shape.radius


def test_a_picture_that_is_redrawn_is_redrawn_where_it_is_narrow() -> None:
    made: list[float] = []

    def lay_out() -> Scene:
        made.append(1.0)
        return Scene(30, 90)

    def crossed(scene: Scene) -> Scene:
        return scene.with_shapes(Path(((0, 0), (scene.width, scene.height)), None, "ink"))

    wide = Scene(90, 30, narrow=lay_out).redrawn(crossed)
    assert wide.shapes == (Path(((0, 0), (90, 30)), None, "ink"),)
    assert not made  # a wide page does not pay for the narrow one
    assert wide.fitted(True).shapes == (Path(((0, 0), (30, 90)), None, "ink"),)
    assert wide.redrawn(crossed).fitted(True).shapes == 2 * wide.fitted(True).shapes
    assert Scene(90, 30).redrawn(crossed).narrow is None
