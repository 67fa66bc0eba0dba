"""The canvas: few commands, in an order that looks like the scene's own."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from scenes import board, scenes, tower

from castlelab.draw import canvas
from castlelab.draw.scene import Circle, Path, Rect, Scene, Text
from castlelab.draw.theme import DARK, LIGHT, Theme
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


def paint(
    recorder: Recorder, scene: Scene, theme: Theme = LIGHT, *, scale: float = 2, **highlights: Any
) -> None:
    """Draw a whole scene."""
    canvas.carry_out(recorder, canvas.plan(scene, theme, **highlights), scale=scale)


def test_a_board_is_a_handful_of_commands() -> None:
    recorder = Recorder()
    paint(recorder, board())
    names = recorder.names()
    assert names.count("fill_styled_rects") == 1
    assert names.count("stroke_rects") == 1
    assert len([name for name in names if name != "fill_text"]) < 18


def test_the_background_comes_first_and_is_opaque() -> None:
    recorder = Recorder()
    paint(recorder, Scene(30, 20), DARK)
    assert recorder.names() == ["set_transform", "fill_style", "fill_polygons"]
    assert recorder.calls[0][1] == (2 / 16, 0, 0, 2 / 16, 0, 0)
    assert recorder.calls[1][1] == DARK["paper"]
    (points,) = recorder.calls[2][1]
    assert points.tolist() == [[[0, 0], [480, 0], [480, 320], [0, 320]]]


def test_words_are_written_in_whole_pixels_of_the_screen() -> None:
    recorder = Recorder()
    words = (Text(10.3, 20, "x", size=11.7), Text(float("nan"), 1, "y", size=11.5))
    paint(recorder, Scene(50, 50, words), scale=2)
    assert ("font", "23px system-ui") in recorder.calls
    assert recorder.names()[-3:] == ["text_align", "fill_text", "fill_text"]
    assert recorder.calls[-2][1] == ("x", 21, 40)
    assert math.isnan(recorder.calls[-1][1][1])


def test_a_colour_is_told_once_if_there_is_one() -> None:
    recorder = Recorder()
    lines = [Path(((x, 0), (x, 9)), stroke="ink") for x in range(5)]
    paint(recorder, Scene(50, 50, tuple(lines)))
    assert ("stroke_style", LIGHT["ink"]) in recorder.calls
    assert recorder.names()[-1] == "stroke_line_segments"
    paint(recorder, Scene(50, 50, (*lines, Path(((20, 0), (20, 9)), stroke="bad"))))
    assert recorder.names()[-1] == "stroke_styled_line_segments"
    assert bytes(recorder.calls[-1][1][1]).hex() == (LIGHT["ink"][1:] * 5 + LIGHT["bad"][1:])


def test_frames_of_every_width_share_a_command() -> None:
    """A frame is a filling with a core on it."""
    boxes = [Rect(x, x, 9, 9, "panel", "line", x / 10, radius=x % 3) for x in range(10, 50, 10)]
    discs = [Circle(x, 50, 4, "panel", "line", x / 20) for x in range(10, 50, 10)]
    plan = canvas.plan(Scene(90, 90, (*boxes, *discs)))
    assert [(command.pen.form, len(command.strokes)) for command in plan] == [
        ("polygon", 1 + 8),
        ("circle", 8),
    ]
    frame, core = (stroke.box for stroke in plan[0].strokes[1:3])
    assert (frame, core) == ((9.5, 9.5, 19.5, 19.5), (10.5, 10.5, 18.5, 18.5))


def test_the_frame_of_a_path_is_as_wide_as_its_line() -> None:
    """Outwards by half of it and inwards by half, whichever way the path goes round."""
    corners = ((10.0, 10.0), (30.0, 10.0), (30.0, 20.0), (50.0, 20.0), (50.0, 50.0), (10.0, 50.0))
    for points in (corners, corners[::-1], (*corners, corners[0])):
        path = Path(points, "panel", "line", 2, closed=True)
        frame, core = canvas._strokes(path, LIGHT)
        assert (frame.box, core.box) == ((9, 9, 51, 51), (11, 11, 49, 49))
        assert (31, 19) in list(zip(frame.numbers[::2], frame.numbers[1::2], strict=True))
        assert (29, 21) in list(zip(core.numbers[::2], core.numbers[1::2], strict=True))
        assert (frame.colour, core.colour) == (LIGHT["line"], LIGHT["panel"])


@pytest.mark.parametrize(
    "points",
    [
        ((0.0, 0.0), (9.0, 0.0), (0.0, 9.0), (9.0, 9.0)),  # crosses itself
        ((0.0, 0.0), (90.0, 0.0), (90.0, 2.0)),  # hardly more than its line
        ((0.0, 0.0), (float("nan"), 0.0), (0.0, float("inf"))),
        ((5.0, 5.0),),
        (),
    ],
)
def test_a_path_without_a_core_is_filled_and_lined(points: Any) -> None:
    filling, lining = canvas._strokes(Path(points, "panel", "line", closed=True), LIGHT)
    assert (filling.pen.act, lining.pen.act) == ("fill", "stroke")


def test_a_sharp_corner_does_not_run_away() -> None:
    tip = (20.0, 0.0)
    frame = canvas._widened(((0.0, 90.0), tip, (2.0, 90.0)), 1)
    assert min(y for _, y in frame) > -2.6


def test_many_dots_are_told_by_their_places_alone() -> None:
    recorder = Recorder()
    dots = [Circle(x, 5, 2, fill="good") for x in range(0, 400, 8)]
    paint(recorder, Scene(400, 40, (*dots, Circle(9, 30, 3, fill="bad"))))
    told = [call[1] for call in recorder.calls if call[0] == "fill_circles"]
    assert sorted(len(places) for places, *_ in told) == [1, 50]
    assert [5 * 16, 2 * 16] in [list(others) for _, *others in told]


def test_points_that_nobody_can_see_are_left_out() -> None:
    straight = tuple((float(x), 0.1 * (x % 2)) for x in range(20))
    corner = (*straight, (19.0, 9.0))
    assert canvas._seen(straight) == ((0.0, 0.0), (19.0, 0.1))
    assert canvas._seen(corner) == ((0.0, 0.0), (19.0, 0.1), (19.0, 9.0))
    round_trip = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 0.0))
    assert canvas._seen(round_trip) == round_trip


def test_attributes_are_set_only_when_they_change() -> None:
    recorder = Recorder()
    labels = tuple(Text(10, 20 * number, "x") for number in range(5))
    paint(recorder, Scene(100, 100, labels))
    assert recorder.names().count("font") == 1
    assert recorder.names().count("fill_style") == 2  # the paper's and the ink's
    assert recorder.names().count("fill_text") == 5


def test_dashes_of_the_picture_before_are_forgotten() -> None:
    recorder = Recorder()
    paint(recorder, Scene(50, 50, (Rect(0, 0, 9, 9, stroke="ink"),)))
    assert ("set_line_dash", ([],), {}) in recorder.calls


def test_an_unknown_colour_draws_nothing() -> None:
    recorder = Recorder()
    with pytest.raises(CastlelabError, match="no colour"):
        paint(recorder, Scene(9, 9, (Rect(0, 0, 9, 9, fill="colourless"),)))
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
        for x in range(0, 480, 40)
        for shape in (
            Rect(x, 0, 36, 36, fill="panel", stroke="line", radius=4),
            Rect(x + 9, 9, 18, 18, fill="accent", stroke="line", radius=4),
        )
    ]
    plan = canvas.plan(Scene(480, 40, tuple(cards)))
    assert [len(command.strokes) for command in plan] == [1] + [12] * 6
    assert {command.pen.form for command in plan[1:]} == {"rect"}
    few = canvas.plan(Scene(480, 40, tuple(cards[:6])))
    assert [(command.pen.form, len(command.strokes)) for command in few] == [("polygon", 13)]


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
                assert not canvas.touch(straight[earlier].box, straight[later].box)


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
    paint(Recorder(), scene, lit=[t.id for t in scene.targets], focus="x")


def test_round_corners_stay_in_the_rectangle() -> None:
    numbers = list(canvas._round_corners(Rect(10, 20, 30, 40, radius=8)))
    xs, ys = numbers[::2], numbers[1::2]
    assert (min(xs), max(xs)) == pytest.approx((10, 40))
    assert (min(ys), max(ys)) == pytest.approx((20, 60))
    assert len(xs) >= 12


def test_open_and_closed_paths_share_a_command() -> None:
    recorder = Recorder()
    corner = ((1.0, 1.0), (10.0, 1.0), (10.0, 10.0))
    field = tuple((x + 20, y) for x, y in corner)
    shapes = (
        Path(corner, stroke="ink"),
        Path(field, fill="good", stroke="ink", closed=True),
        Circle(50, 50, 5, fill="bad", stroke="ink"),
    )
    paint(recorder, Scene(90, 90, shapes), scale=1)
    drawn = {call[0]: call for call in recorder.calls if len(call) == 3}
    assert sorted(name for name in drawn if not name.startswith("set")) == [
        "fill_styled_circles",
        "fill_styled_polygons",
        "stroke_line_segments",
    ]
    _, (points,), options = drawn["stroke_line_segments"]
    assert options["points_per_line_segment"].tolist() == [3, 4]
    assert (points.reshape(-1, 2) / 16).tolist() == [list(p) for p in (*corner, *field, field[0])]


def test_closed_paths_alone_are_polygons() -> None:
    recorder = Recorder()
    corner = ((1.0, 1.0), (10.0, 1.0), (10.0, 10.0))
    paint(recorder, Scene(20, 20, (Path(corner, stroke="ink", closed=True),)))
    name, (points,), _ = recorder.calls[-1]
    assert (name, points.shape) == ("stroke_polygons", (1, 3, 2))


def test_planning_is_quick() -> None:
    """A large board is a few thousand comparisons, not millions."""
    plan = canvas.plan(board(13), lit=["0,0"], focus="1,1")
    assert len(plan) < 12
    assert sum(len(command.strokes) for command in plan) < 400
    assert math.isfinite(sum(sum(s.numbers) for c in plan for s in c.strokes))
    assert canvas.plan(tower())
