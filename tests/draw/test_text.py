"""Text: readable boxes, all the words, and no crash whatever the scene."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from scenes import board, scenes, tower

from castlelab.draw import text
from castlelab.draw.scene import Circle, Path, Rect, Scene, Text


@given(scenes, st.integers(-3, 200))
def test_no_scene_is_too_odd(scene: Scene, width: int) -> None:
    lines = text.render(scene, width).splitlines()
    assert all(line == line.rstrip() for line in lines)
    assert len(lines) <= 400


def test_a_grid_shares_its_lines() -> None:
    assert text.render(board(3)) == (
        " ┌───┬───┬───┐\n"
        " │▒a▒│   │   │\n"
        " ├───┼───┼───┤\n"
        " │   │▒▒▒│   │\n"
        " ├───┼───┼───┤\n"
        " │   │   │▒a▒│\n"
        " └───┴───┴───┘"
    )


def test_a_tower_reads_from_the_top() -> None:
    drawn = text.render(tower(), lit=["level 2"], focus="level 3")
    lines = [line.split() for line in drawn.splitlines()]
    assert drawn.index("Level 3") < drawn.index("Level 2") < drawn.index("Level 1")
    assert any(words.count("9") == 3 for words in lines)
    assert "!" in drawn
    assert "┏" in drawn


def test_it_fits_the_terminal() -> None:
    for width in (20, 40, 80):
        assert max(map(len, text.render(board(), width).splitlines())) <= width


def test_wide_letters_take_two_cells() -> None:
    scene = Scene(80, 32, (Text(0, 16, "塔a"),))
    assert text.render(scene).strip() == "塔a"


def test_small_shapes_and_slopes_leave_a_mark() -> None:
    shapes = (
        Circle(8, 16, 5, fill="ink"),
        Circle(32, 16, 5, fill="paper", stroke="line"),
        Rect(54, 14, 4, 4, fill="ink"),
        Path(((80, 0), (120, 80)), stroke="ink"),
        Path(((0, 48), (60, 48)), stroke="ink"),
    )
    drawn = text.render(Scene(160, 90, shapes))
    for mark in "●○■╲─":
        assert mark in drawn
