"""What moves between two pictures: all that changed its place, and nothing else."""

from __future__ import annotations

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from scenes import scenes

from castlelab.draw.motion import LASTS, MOST_MOVES, MOST_STEPS, STILL, motion
from castlelab.draw.scene import Circle, Happening, Piece, Rect, Scene, Shape, Target, as_piece

SMALL = 12_000  # bytes; a click is at most 20,000

places = st.tuples(st.integers(0, 9), st.integers(0, 9)).map(
    lambda at: (at[0] * 30.0, at[1] * 30.0)
)
layouts = st.dictionaries(st.integers(0, 12), places, max_size=MOST_MOVES // 2)
targets = tuple(Target(f"s{n}", f"Square {n}", n * 20, 0, 20, 20) for n in range(60))


def tile(number: int, x: float, y: float, **more: str) -> Rect:
    return Rect(x, y, 24, 24, "panel", "ink", 1, 4, piece=Piece(f"tile {number}", "table", **more))


def table(layout: dict[int, tuple[float, float]], *happenings: Happening) -> Scene:
    shapes = tuple(tile(number, *at) for number, at in layout.items())
    return Scene(400, 400, shapes, targets, "A table", happenings=happenings)


def picture(*shapes: Shape, happenings: tuple[Happening, ...] = ()) -> Scene:
    return Scene(400, 400, shapes, targets, "A table", happenings=happenings)


@given(layouts, layouts)
def test_all_that_changed_moves_and_nothing_else(
    before: dict[int, tuple[float, float]], after: dict[int, tuple[float, float]]
) -> None:
    found = motion(table(before), table(after))
    ways = [move.way for move in found.moves]
    stay = before.keys() & after.keys()
    assert ways.count("come") == len(after.keys() - before.keys())
    assert ways.count("fall") == len(before.keys() - after.keys())
    assert ways.count("fly") == sum(before[tile] != after[tile] for tile in stay)
    assert len(ways) == sum(ways.count(way) for way in ("come", "fall", "fly"))
    assert found == motion(table(before), table(after))
    assert all(move.lasts == LASTS[move.way] for move in found.moves)


@given(scenes, scenes)
def test_whatever_the_pictures_the_message_is_small(before: Scene, after: Scene) -> None:
    one, other = (
        replace(
            scene,
            title="",
            shapes=tuple(
                replace(shape, piece=Piece("piece", str(number)))
                for number, shape in enumerate(scene.shapes)
            ),
        )
        for scene in (before, after)
    )
    assert len(json.dumps(motion(one, other).data(), allow_nan=False)) < SMALL


@given(layouts)
def test_what_stays_is_still(layout: dict[int, tuple[float, float]]) -> None:
    happening = Happening("pave", (("s1",), ("s2",)))
    scene = table(layout, happening)
    assert motion(scene, scene) == STILL
    assert motion(scene, replace(scene, description="Other words.")) == STILL
    assert not STILL.data()


def test_another_picture_is_no_move() -> None:
    crowd = {number: (number * 10.0, 0.0) for number in range(MOST_MOVES + 1)}
    assert not motion(table({}), table(crowd))
    few = {1: (0.0, 0.0)}
    assert motion(table({}), table(few))
    assert not motion(replace(table({}), title="A curtain"), table(few))


def test_one_of_a_kind_that_is_gone_here_and_new_there_has_moved() -> None:
    hand = Rect(0, 0, 20, 20, "panel", piece=Piece("wall", "hand 1"))
    spot = Rect(100, 100, 40, 40, "panel", piece=Piece("wall", "north"))
    (move,) = motion(picture(hand), picture(spot)).moves
    assert (move.way, move.start, move.end) == ("fly", (0, 0, 20, 20), (100, 100, 40, 40))


def test_pieces_come_from_their_source_and_go_to_their_sink() -> None:
    piece = tile(1, 200, 200, source="s3", sink="s4")
    (come,) = motion(picture(), picture(piece)).moves
    assert come.way == "fly"
    assert come.start[:2] == (60, 0)
    (gone,) = motion(picture(piece), picture()).moves
    assert gone.way == "home"
    assert gone.end[:2] == (80, 0)


def test_the_top_of_a_pile_is_no_news() -> None:
    top = replace(tile(1, 0, 0), piece=Piece("tile 1", "pile", quiet=True))
    assert not motion(picture(), picture(top))
    assert not motion(picture(top), picture())
    (move,) = motion(picture(top), picture(tile(1, 90, 0))).moves
    assert move.way == "fly"


def test_nothing_is_said_of_a_board_that_another_has_covered() -> None:
    def board(name: str) -> Scene:
        shape = replace(tile(1, 0, 0), piece=Piece(name, name, board=name))
        group = Target("a1", "a1", 0, 0, 9, 9, group=name)
        return Scene(99, 99, (shape,), (group,), "A table")

    assert not motion(board("Blue"), board("Orange"))
    assert motion(replace(board("Blue"), shapes=()), board("Blue"))


def test_what_falls_together_falls_one_after_the_other_from_its_like() -> None:
    row = [replace(tile(n, n * 30, 90), piece=Piece(f"tile {n}", f"spot {n}")) for n in range(4)]
    weapon = replace(tile(0, 0, 0), piece=Piece("tile 2", "hand", sink="s9"))
    moves = motion(picture(*row, weapon), picture()).moves
    falls = [(move.end[0], move.delay) for move in moves if move.way == "fall"]
    assert falls[0] == (59, 0)
    assert [delay for _, delay in falls] == [0, 80, 160, 240]


def test_a_picture_that_grows_takes_along_what_stays() -> None:
    before = picture(tile(1, 0, 0), tile(2, 30, 0))
    after = replace(picture(tile(1, 0, 50), tile(2, 30, 50), tile(3, 60, 50)), height=450)
    found = motion(before, after)
    assert [move.way for move in found.moves] == ["come"]
    assert found.shift == (0, 50)


def test_a_happening_is_seen_once() -> None:
    paved = Happening("pave", tuple((f"s{n}",) for n in range(60)))
    wall = tile(1, 300, 0)
    first = motion(picture(), picture(wall, happenings=(paved,)))
    squares = [move for move in first.moves if move.way == "pave"]
    assert len(squares) == MOST_STEPS
    assert [move.delay for move in squares] == [40 * n for n in range(MOST_STEPS)]
    assert squares[0].end[0] == 300  # it begins where the wall came
    assert not motion(picture(wall, happenings=(paved,)), picture(wall, happenings=(paved,)))


def test_a_tower_gives_way_level_by_level() -> None:
    levels = [tile(n, 100, 300 - 30 * n) for n in range(4)]
    tower = [replace(t, piece=Piece("man", f"tower {n}")) for n, t in enumerate(levels)]
    fall = Happening("topple", (("tower 1",), ("tower 2",), ("tower 3",)))
    moves = motion(picture(*tower), picture(*tower, happenings=(fall,))).moves
    assert [move.delay for move in moves] == [0, 60, 120]
    assert {move.lasts for move in moves} == {700}
    assert all(move.end[1] > move.start[1] for move in moves)


def test_an_outline_has_no_more_than_what_is_seen_of_it() -> None:
    shapes = as_piece(
        [Rect(0, 0, 20, 20, "panel"), Circle(10, 10, 4, "ink"), Circle(10, -5, 5, "ink")],
        Piece("man", "here"),
    )
    (move,) = motion(picture(), picture(*shapes)).moves
    assert move.end == (0, -10, 20, 30)
    assert move.contours == ((0, 10, 20, 20, 0), (5, 0, 10, 10, 5))
