"""The twin of a picture: its grids and lists, and the focus that it shares with the canvas."""

from __future__ import annotations

from typing import Any

import pytest

import castlelab
from castlelab.draw.scene import Scene, Target
from castlelab.puzzles import lessons
from castlelab.widgets.board.board import BoardWidget
from castlelab.widgets.board.twin import numbers_of, twin_of
from castlelab.widgets.card.puzzle_card import PuzzleCard

#: Three things in a list that turns a corner, and four in a grid.
LIST = tuple(
    Target(name, name.title(), x, y, 10, 10, group="List")
    for name, x, y in (("one", 0, 0), ("two", 20, 0), ("three", 0, 20))
)
GRID = tuple(
    Target(
        f"{row}{column}",
        f"{row}, {column}",
        100 + 10 * column,
        10 * row,
        10,
        10,
        True,
        "Grid",
        (row, column),
    )
    for row in (0, 1)
    for column in (0, 1)
)
SCENE = Scene(200, 100, targets=(*LIST, *GRID))


@pytest.fixture
def board() -> BoardWidget:
    return BoardWidget(SCENE, on_pick=lambda target: None)


def reach(board: BoardWidget, spot: int, deed: str = "", number: int = 1) -> None:
    content = {"do": "reach", "spot": spot, "deed": deed, "number": number}
    board._companion._handle_custom_msg(content, [])


def test_a_twin_has_a_part_for_each_group() -> None:
    listed, grid = twin_of(SCENE, "Board")
    assert (listed.name, listed.numbers, listed.cells) == ("List", [[0, 3]], [])
    assert (grid.name, grid.numbers, grid.cells) == ("Grid", [[3, 4]], [[0, 0, 2], [1, 0, 2]])


def test_a_group_that_is_scattered_is_one_part() -> None:
    mixed = Scene(200, 100, targets=(LIST[0], *GRID, *LIST[1:]))
    assert [part.numbers for part in twin_of(mixed, "Board")] == [[[0, 1], [5, 2]], [[1, 4]]]
    assert numbers_of(mixed, ["two", "one", "nobody"]) == [[0, 1], [5, 1]]


def test_what_has_no_group_is_called_like_the_board() -> None:
    alone = Scene(9, 9, targets=(Target("a", "A", 0, 0, 9, 9),))
    assert twin_of(alone, "Tower")[0].name == "Tower"


@pytest.mark.parametrize(
    ("keys", "there"),
    [
        ("Home ArrowRight", "two"),
        ("Home ArrowRight ArrowRight", "three"),  # a list leads on where nothing lies to the right
        ("Home ArrowDown ArrowUp", "one"),
        ("Home End ArrowDown", "three"),
        ("F6 F6", "00"),
        ("F6 F6 ArrowRight ArrowRight ArrowRight", "01"),  # a grid ends at its edge
        ("F6 F6 End ArrowLeft ArrowLeft", "10"),  # … and arrows stay inside it
        ("F6 F6 F6", "00"),
        ("F6 F6 End Shift+F6", "one"),
    ],
)
def test_keys_stay_in_a_part_until_f6(board: BoardWidget, keys: str, there: str) -> None:
    for key in keys.split():
        board.press(key)
    assert board.focus == there


def test_an_edge_makes_itself_known(board: BoardWidget) -> None:
    board.press("Home")
    edges = board._companion.edges
    board.press("ArrowLeft")
    assert board._companion.edges == edges + 1
    assert board._companion.where == "Edge. One"
    board.press("ArrowRight")
    assert board._companion.edges == edges + 1


def test_the_focus_of_the_twin_is_that_of_the_picture(board: BoardWidget) -> None:
    reach(board, 4)
    assert board.focus == "01"
    reach(board, -1, "ArrowDown", 2)
    assert board.focus == "11"
    assert (board._companion.focus, board._companion.answered) == (6, 2)
    reach(board, 99, "", 3)
    assert board.focus == "11"


def test_a_click_in_the_twin_picks() -> None:
    picked: list[str] = []
    board = BoardWidget(SCENE, on_pick=picked.append)
    reach(board, 1, "click")
    reach(board, -1, "Enter", 2)
    assert picked == ["two", "two"]


def test_what_is_offered_is_told_by_number(board: BoardWidget) -> None:
    board.show(SCENE, offered=("three", "00"))
    assert board._companion.offered == [[2, 2]]
    board.say("Nothing new.")
    assert board._companion.offered == [[2, 2]]


def test_taking_something_away_keeps_the_cursor() -> None:
    card = PuzzleCard("castell/lesson-first-tower")
    board: Any = card._shown_board
    for target in ("size 9", "level 1", "size 9", "casteller 1 1"):
        board.pick(target)
        assert board.focus is not None
    assert board.focus in {target.id for target in board.scene.targets}


def test_boards_are_called_like_their_lessons() -> None:
    def label(code: str) -> str:
        return PuzzleCard(code)._shown_board.label

    assert label("castell/lesson-first-tower") == "First tower: tower"
    assert label("castlescape/lesson-first-bailey") == "First bailey: site"
    assert label("castle_rampage/lesson-held") == "Held: picture"


@pytest.mark.parametrize("name", castlelab.GAMES)
def test_every_thing_on_a_table_has_a_part_of_its_own(name: str) -> None:
    scene = castlelab.load(name).start(3).picture()
    for laid_out in (scene, scene.fitted(True)):
        parts = twin_of(laid_out, name)
        numbers = [
            at
            for part in parts
            for first, count in part.numbers
            for at in range(first, first + count)
        ]
        assert sorted(numbers) == list(range(len(laid_out.targets)))
        assert len({part.name for part in parts}) == len(parts)
        assert all(target.group for target in laid_out.targets)


GRIDS = {"castlescape": "The site", "castle_keep": "castle", "once_upon_a_castle": "board"}


@pytest.mark.parametrize("name", GRIDS)
def test_the_boards_of_three_games_are_grids(name: str) -> None:
    scene = castlelab.load(name).start(3).picture()
    grids = [part for part in twin_of(scene, name) if part.cells]
    assert grids
    assert all(GRIDS[name] in part.name for part in grids)
    for part in grids:
        cells = [(row, column + at) for row, column, count in part.cells for at in range(count)]
        assert len(set(cells)) == len(cells) == sum(count for _, count in part.numbers)
        # What is told as a row lies in a row.
        by_cell = dict(
            zip(
                cells,
                (scene.targets[first + at] for first, count in part.numbers for at in range(count)),
                strict=True,
            )
        )
        for (row, column), target in by_cell.items():
            below, right = by_cell.get((row + 1, column)), by_cell.get((row, column + 1))
            assert below is None or below.y > target.y
            assert right is None or right.x > target.x


def test_lessons_have_boards_with_few_parts() -> None:
    for name in castlelab.GAMES:
        for lesson in lessons(name)[:12]:
            scene = PuzzleCard(lesson)._shown_board.scene
            assert len(twin_of(scene, name)) <= 6, lesson
