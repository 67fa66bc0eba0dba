"""What is painted over a picture makes the same picture as painting the new one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given, settings
from scenes import scenes

import castlelab
from castlelab.chance import Chance
from castlelab.draw.canvas import Extent, Stroke, gathered, strokes
from castlelab.draw.scene import Circle, Rect, Scene, Text
from castlelab.draw.touch_up import touch_up
from castlelab.game import State

Point = tuple[float, float]


def within(box: Extent, point: Point) -> bool:
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


def pile(painted: list[Stroke], point: Point) -> list[Stroke]:
    """What lies at a point, from the paper up."""
    return [stroke for stroke in painted if within(stroke.box, point)]


def points_of(*pictures: list[Stroke]) -> Iterator[Point]:
    """The middle and the corners of everything, a little inside, as far as there is paper."""
    paper = pictures[-1][0].box
    things = list({stroke for picture in pictures for stroke in picture})
    for stroke in things[:: max(1, len(things) // 100)]:
        left, top, right, bottom = stroke.box
        for point in (
            ((left + right) / 2, (top + bottom) / 2),
            (left + 0.1, top + 0.1),
            (right - 0.1, bottom - 0.1),
        ):
            if within(paper, point):
                yield point


def check(before: list[Stroke], after: list[Stroke]) -> tuple[Extent, ...]:
    """At every point there lies what should, whether it was painted anew or not."""
    commands, spots = touch_up(before, after)
    painted = [stroke for command in commands for stroke in command.strokes]
    everywhere = bool(commands) and not spots
    whole = [stroke for command in gathered(after) for stroke in command.strokes]
    for point in points_of(before, after):
        anew = everywhere or any(within(spot, point) for spot in spots)
        now = pile(painted if anew else before, point)
        wanted = pile(whole if anew else after, point)
        assert now == wanted
    return spots


def board(*shapes: object) -> list[Stroke]:
    paper = Rect(0, 0, 200, 100, fill="paper")
    return strokes(Scene(200, 100, (paper, *shapes), title="t", description="d."))  # type: ignore[arg-type]


def test_one_thing_more_is_painted_alone() -> None:
    rect, circle = Rect(10, 10, 20, 20, fill="ink"), Circle(150, 50, 10, "accent")
    before, after = board(rect), board(rect, circle)
    spots = check(before, after)
    assert spots == ((137, 37, 163, 63),)
    commands, _ = touch_up(before, after)
    fills = [stroke.colour for command in commands for stroke in command.strokes]
    assert len(fills) == 3  # twice the paper, and the circle; the square is elsewhere


def test_what_went_is_painted_over() -> None:
    rect, circle = Rect(10, 10, 20, 20, fill="ink"), Circle(150, 50, 10, "accent")
    check(board(rect, circle), board(rect))


def test_a_thing_under_another_keeps_its_place() -> None:
    over = Text(20, 20, "over", 12, "ink")
    check(
        board(Rect(10, 10, 20, 20, fill="ink"), over),
        board(Rect(10, 10, 20, 20, fill="accent"), over),
    )


def test_the_same_picture_needs_nothing() -> None:
    same = board(Rect(10, 10, 20, 20, fill="ink"))
    assert touch_up(same, list(same)) == ([], ())


def test_things_that_change_places_are_painted_with_all_else() -> None:
    one, other = Rect(10, 10, 20, 20, fill="ink"), Rect(15, 15, 20, 20, fill="accent")
    before, after = board(one, other), board(other, one)
    assert touch_up(before, after) == (gathered(after), ())


def test_another_size_or_an_unknown_picture_is_painted_whole() -> None:
    after = board(Circle(50, 50, 10, "accent"))
    larger = strokes(Scene(300, 100, (), title="t", description="d."))
    assert touch_up([], after) == (gathered(after), ())
    assert touch_up(larger, after) == (gathered(after), ())


def test_many_changes_are_few_spots() -> None:
    dots = [Circle(10 + 18 * column, 10, 2, "ink") for column in range(10)]
    assert len(check(board(), board(*dots[:5]))) == 5
    assert check(board(), board(*dots)) == ((5, 5, 177, 15),)


@settings(max_examples=25, deadline=None)
@given(scenes, scenes)
def test_any_scene_over_any_other(one: Scene, other: Scene) -> None:
    check(strokes(one), strokes(other))
    check(strokes(one), strokes(one, focus=next((t.id for t in one.targets), None)))


def looks(state: State, chance: Chance) -> Iterator[list[Stroke]]:
    """A few moments of a game, with something offered and something in focus."""
    while not state.over:
        picture, offered = state.picture(), state.point(()).offers
        yield strokes(picture, offered=offered)
        focus, chance = chance.choice(picture.targets)
        yield strokes(picture, offered=offered, focus=focus.id)
        for _ in range(7):
            if not state.over:
                move, chance = chance.choice(state.moves())
                state = state.after(move)


@pytest.mark.parametrize("name", castlelab.GAMES)
def test_a_game_is_touched_up_from_move_to_move(name: str) -> None:
    game = looks(castlelab.load(name).start(3), Chance.seeded(3))
    pairs = [pair for _, pair in zip(range(8), pairwise(game), strict=False)]
    spots = [check(before, after) for before, after in pairs]
    assert sum(map(bool, spots)) > len(spots) / 3
