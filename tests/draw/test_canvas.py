"""The canvas: few commands, in an order that looks like the scene's own."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from scenes import board, scenes, tower

from castlelab.draw import canvas
from castlelab.draw.scene import Circle, Path, Rect, Scene, Text
from castlelab.draw.theme import DARK, LIGHT
from castlelab.rules import CastlelabError


class Recorder:
    """A canvas that remembers what it was told."""

    def __init__(self) -> None:
        self.__dict__["calls"] = []

    def __setattr__(self, name: str, value: object) -> None:
        self.calls.append((name, value))

    def __getattr__(self, name: str) -> Any:
        return lambda *arguments, **options: self.calls.append((name, arguments, options))

    def names(self) -> list[str]:
        return [call[0] for call in self.calls]


def test_a_board_is_a_handful_of_commands() -> None:
    recorder = Recorder()
    canvas.paint(recorder, board())
    names = recorder.names()
    assert names.count("fill_styled_rects") == 1
    assert names.count("stroke_styled_rects") == 1
    assert len([name for name in names if name != "fill_text"]) < 16


def test_the_background_comes_first_and_is_opaque() -> None:
    recorder = Recorder()
    canvas.paint(recorder, Scene(30, 20), DARK)
    assert recorder.names() == ["set_transform", "fill_styled_rects"]
    assert recorder.calls[0][1] == (2 / 16, 0, 0, 2 / 16, 0, 0)
    xs, *others, colours = recorder.calls[1][1]
    assert (list(xs), others) == ([0], [0, 30 * 16, 20 * 16])
    assert bytes(colours).hex() == DARK["paper"][1:]


def test_attributes_are_set_only_when_they_change() -> None:
    recorder = Recorder()
    labels = tuple(Text(10, 20 * number, "x") for number in range(5))
    canvas.paint(recorder, Scene(100, 100, labels))
    assert recorder.names().count("font") == 1
    assert recorder.names().count("fill_style") == 1
    assert recorder.names().count("fill_text") == 5


def test_dashes_of_the_picture_before_are_forgotten() -> None:
    recorder = Recorder()
    canvas.paint(recorder, Scene(50, 50, (Rect(0, 0, 9, 9, stroke="ink"),)))
    assert ("set_line_dash", ([],), {}) in recorder.calls


def test_an_unknown_colour_draws_nothing() -> None:
    recorder = Recorder()
    with pytest.raises(CastlelabError, match="no colour"):
        canvas.paint(recorder, Scene(9, 9, (Rect(0, 0, 9, 9, fill="colourless"),)))
    assert recorder.calls == []


def test_what_lies_in_front_stays_in_front() -> None:
    square = Rect(0, 0, 20, 20, fill="panel")
    label = Text(10, 10, "under")
    lid = Rect(5, 5, 20, 20, fill="accent")
    aside = Rect(60, 60, 20, 20, fill="good")
    plan = canvas.plan(Scene(100, 100, (square, label, lid, aside)))
    acts = [(command.pen.act, len(command.strokes)) for command in plan]
    assert acts == [("fill", 3), ("write", 1), ("fill", 1)]


def test_things_side_by_side_share_the_commands_of_their_layers() -> None:
    """A card and a seal on it, each of a frame, a filling and a core: six layers for any number."""
    cards = [
        shape
        for x in range(0, 400, 40)
        for shape in (
            Rect(x, 0, 36, 36, fill="panel", stroke="line", radius=4),
            Rect(x + 9, 9, 18, 18, fill="accent", stroke="line", radius=4),
        )
    ]
    plan = canvas.plan(Scene(400, 40, tuple(cards)))
    assert [len(command.strokes) for command in plan] == [1] + [10] * 6


@given(scenes)
def test_no_stroke_slips_under_what_it_covers(scene: Scene) -> None:
    """Whatever was reordered does not overlap: the picture is the same."""
    straight = [
        stroke
        for shape in (Rect(0, 0, scene.width, scene.height, fill="paper"), *scene.shapes)
        for stroke in canvas._strokes(shape, LIGHT)
    ]
    planned = [stroke for command in canvas.plan(scene) for stroke in command.strokes]
    assert len(straight) == len(planned)
    position = {id(stroke): number for number, stroke in enumerate(planned)}
    rank = [position.get(id(stroke)) for stroke in straight]
    if None in rank:  # the plan made strokes of its own: compare by value instead
        rank = _ranks(straight, planned)
    for later in range(len(straight)):
        for earlier in range(later):
            if rank[earlier] > rank[later]:  # type: ignore[operator]
                assert not canvas._touch(straight[earlier].box, straight[later].box)


def _ranks(straight: list[canvas.Stroke], planned: list[canvas.Stroke]) -> list[int | None]:
    left = [repr(stroke) for stroke in planned]
    ranks: list[int | None] = []
    for stroke in straight:
        place = left.index(repr(stroke))
        left[place] = ""
        ranks.append(place)
    return ranks


@given(scenes)
def test_every_scene_can_be_painted(scene: Scene) -> None:
    canvas.paint(Recorder(), scene, lit=[t.id for t in scene.targets], focus="x")


def test_round_corners_stay_in_the_rectangle() -> None:
    numbers = list(canvas._round_corners(Rect(10, 20, 30, 40, radius=8)))
    xs, ys = numbers[::2], numbers[1::2]
    assert (min(xs), max(xs)) == pytest.approx((10, 40))
    assert (min(ys), max(ys)) == pytest.approx((20, 60))
    assert len(xs) >= 12


def test_open_and_closed_paths() -> None:
    recorder = Recorder()
    corner = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0))
    shapes = (
        Path(corner, stroke="ink"),
        Path(corner, fill="good", stroke="ink", closed=True),
        Circle(50, 50, 5, fill="bad", stroke="ink"),
    )
    canvas.paint(recorder, Scene(90, 90, shapes), scale=1)
    assert sorted(name for name in recorder.names() if "styled" in name) == [
        "fill_styled_circles",
        "fill_styled_polygons",
        "fill_styled_rects",
        "stroke_styled_circles",
        "stroke_styled_line_segments",
        "stroke_styled_polygons",
    ]


def test_planning_is_quick() -> None:
    """A large board is a few thousand comparisons, not millions."""
    plan = canvas.plan(board(13), lit=["0,0"], focus="1,1")
    assert len(plan) < 12
    assert sum(len(command.strokes) for command in plan) < 400
    assert math.isfinite(sum(sum(s.numbers) for c in plan for s in c.strokes))
    assert canvas.plan(tower())
