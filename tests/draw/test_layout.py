"""Parts of a picture: joined, grouped, placed in rows, and their words kept within their room."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from castlelab.draw.layout import (
    BOLD_LETTER,
    LETTER,
    Part,
    button_part,
    caption,
    centred,
    fitting,
    grouped,
    headline,
    in_rows,
    joined,
    moved,
    rows,
    shrunk,
    wrapped,
)
from castlelab.draw.scene import Circle, Path, Rect, Target, Text

GATE = Part.of([Rect(0, 0, 9, 9)], [Target("gate", "Gate", 0, 0, 9, 9)], 9, 9)
KEEP = Part.of([Circle(20, 5, 4)], [Target("keep", "Keep", 16, 1, 8, 8)], 8, 8)


def test_joined_parts_keep_their_order() -> None:
    both = joined([GATE, KEEP], 24, 9)
    assert both.shapes == GATE.shapes + KEEP.shapes
    assert [target.id for target in both.targets] == ["gate", "keep"]
    assert (both.width, both.height) == (24, 9)
    assert joined([]) == Part()


def test_a_group_names_every_target_and_changes_nothing_else() -> None:
    named = grouped(joined([GATE, KEEP]), "Castle")
    assert {target.group for target in named.targets} == {"Castle"}
    assert grouped(named, "") == joined([GATE, KEEP])


def test_a_part_becomes_a_scene() -> None:
    scene = GATE.scene("A gate", "It is shut.")
    assert (scene.width, scene.height) == (9, 9)
    assert (scene.title, scene.description) == ("A gate", "It is shut.")
    assert scene.target("gate") == GATE.targets[0]


@given(st.integers(0, 40), st.integers(1, 7))
def test_things_fill_row_after_row(count: int, columns: int) -> None:
    things = [*in_rows(range(count), columns, 5, 7, 10, 20)]
    assert [thing for thing, _, _ in things] == list(range(count))
    found = [(x, y) for _, x, y in things]
    assert len(set(found)) == len(found) == count
    assert found == sorted(found, key=lambda place: (place[1], place[0]))
    assert len({y for _, y in found}) == rows(count, columns)
    assert all(x < 5 + 10 * columns for x, _ in found)


@pytest.mark.parametrize(
    "shape", [Rect(1, 2, 8, 6, radius=2), Circle(1, 2, 8), Path(((1, 2), (5, 6))), Text(1, 2, "9")]
)
def test_shapes_move_and_shrink(shape: Rect | Circle | Path | Text) -> None:
    assert moved(moved(shape, 3, 4), -3, -4) == shape
    assert shrunk(shape, 1, 2, 1) == shape
    half = shrunk(shape, 1, 2, 0.5)
    match half:
        case Rect():
            assert (half.width, half.height, half.radius) == (4, 3, 1)
        case Circle():
            assert (half.x, half.y, half.radius) == (1, 2, 4)
        case Path():
            assert half.points == ((1, 2), (3, 4))
        case Text():
            assert half.size == 12  # to be read


@given(st.text("abc ", max_size=60), st.floats(1, 300), st.floats(9, 20))
def test_fitting_words_are_never_too_large_nor_too_small(
    words: str, room: float, size: float
) -> None:
    for letter, step in ((LETTER, 0.5), (BOLD_LETTER, 0.5), (0.62, 1.5)):
        found = fitting(words, room, size, letter, step)
        assert 9 <= found <= max(size, 9)
        assert found == 9 or found * letter * len(words) <= room + 1e-6
        assert found % step == 0


@given(st.text("abc  ", max_size=60), st.integers(1, 30))
def test_wrapped_words_are_all_there_and_fit(words: str, room: int) -> None:
    lines = wrapped(words, room, 1)
    assert " ".join(lines).split() == words.split()
    assert all(len(line) <= room or " " not in line for line in lines)


def test_a_button_is_drawn_where_it_is_pressed() -> None:
    pressed = button_part("end", "End turn", (10, 20, 100, 36), "Turn")
    box, words = pressed.shapes
    assert isinstance(box, Rect)
    assert isinstance(words, Text)
    assert (words.x, words.y) == pressed.targets[0].centre == (60, 38)
    drawn = centred((10, 20, 100, 36), "End turn", 15, "on-accent", bold=True)
    assert words == replace(drawn, screen_only=True), "paper has no buttons"
    assert pressed.targets[0].group == "Turn"
    assert (pressed.width, pressed.height) == (100, 36)


def test_captions_and_headlines() -> None:
    assert caption(3, 4, "Hand") == Text(3, 4, "Hand", 14, "ink", bold=True)
    first, second = headline("Turn 1: Blue", "Draw a tile.")
    assert isinstance(first, Text)
    assert isinstance(second, Text)
    assert first.y < second.y
