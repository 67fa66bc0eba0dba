"""Squares as bits, held against sets of squares and plain loops."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from castlelab.grid import Grid, parse
from castlelab.rules import NotationError

SIDES = ((-1, 0), (1, 0), (0, -1), (0, 1))
CORNERS = ((-1, -1), (-1, 1), (1, -1), (1, 1))


@st.composite
def boards(draw, sets=1):
    """A grid and sets of its squares; 64 columns and one-line boards come up too."""
    rows = draw(st.sampled_from((1, 2, 3, 5, 8)))
    columns = draw(st.sampled_from((1, 2, 3, 4, 7, 64)))
    everywhere = [(row, column) for row in range(rows) for column in range(columns)]
    found = [draw(st.sets(st.sampled_from(everywhere))) for _ in range(sets)]
    return Grid(rows, columns), everywhere, *found


def naive_steps(squares, everywhere, steps):
    beside = {(row + down, column + right) for row, column in squares for down, right in steps}
    return beside & set(everywhere)


def naive_flood(start, within, steps):
    reached, edge = set(start & within), list(start & within)
    while edge:
        row, column = edge.pop()
        for down, right in steps:
            there = row + down, column + right
            if there in within and there not in reached:
                reached.add(there)
                edge.append(there)
    return reached


@given(boards())
def test_squares_and_bits_are_two_ways_to_write_a_set(board):
    grid, _, squares = board
    bits = grid.bits(squares)
    assert list(grid.squares(bits)) == sorted(squares)
    assert bits.bit_count() == len(squares)


@given(boards())
def test_all_and_border_are_what_loops_find(board):
    grid, everywhere, _ = board
    assert grid.all == grid.bits(everywhere)
    edge = [
        (row, column)
        for row, column in everywhere
        if row in (0, grid.rows - 1) or column in (0, grid.columns - 1)
    ]
    assert grid.border == grid.bits(edge)


@given(boards())
def test_neighbours_share_a_side_and_never_wrap_round_the_edge(board):
    grid, everywhere, squares = board
    found = set(grid.squares(grid.neighbours(grid.bits(squares))))
    assert found == naive_steps(squares, everywhere, SIDES)


@given(boards())
def test_around_shares_a_side_or_a_corner_and_leaves_out_the_set(board):
    grid, everywhere, squares = board
    found = set(grid.squares(grid.around(grid.bits(squares))))
    assert found == naive_steps(squares, everywhere, SIDES + CORNERS) - squares


@given(boards(sets=2), st.booleans())
def test_flood_reaches_what_a_walk_reaches(board, corners):
    grid, _, start, within = board
    steps = SIDES + CORNERS if corners else SIDES
    found = grid.flood(grid.bits(start), grid.bits(within), corners=corners)
    assert set(grid.squares(found)) == naive_flood(start, within, steps)


@given(boards(), st.booleans())
def test_regions_are_the_parts_in_the_order_of_their_first_squares(board, corners):
    grid, _, squares = board
    steps = SIDES + CORNERS if corners else SIDES
    expected, left = [], set(squares)
    while left:
        part = naive_flood({min(left)}, left, steps)
        expected.append(part)
        left -= part
    parts = [set(grid.squares(part)) for part in grid.regions(grid.bits(squares), corners=corners)]
    assert parts == expected


@given(boards())
def test_what_is_shut_in_are_the_regions_that_do_not_reach_the_edge(board):
    grid, _, squares = board
    bits = grid.bits(squares)
    regions = [part for part in grid.regions(bits, corners=True) if not part & grid.border]
    assert grid.shut_in(bits) == regions


@given(boards())
def test_sets_move_right_and_left_and_fall_off_at_the_edge(board):
    grid, everywhere, squares = board
    bits = grid.bits(squares)
    assert set(grid.squares(grid.right_of(bits))) == naive_steps(squares, everywhere, [(0, 1)])
    assert set(grid.squares(grid.left_of(bits))) == naive_steps(squares, everywhere, [(0, -1)])


@given(boards())
def test_each_square_knows_what_is_beside_it(board):
    grid, everywhere, _ = board
    assert grid.beside == {
        grid.bit(square): grid.neighbours(grid.bit(square)) for square in everywhere
    }


@given(boards())
def test_a_board_reads_back_from_its_text(board):
    grid, _, squares = board
    bits = grid.bits(squares)
    again, where = parse(grid.write(bits))
    assert again == grid
    assert where == {"#": bits, ".": grid.all & ~bits}


def test_other_marks_can_be_written_and_read():
    grid = Grid(2, 2)
    assert grid.write(grid.bit((0, 1)), "X", "-") == "-X\n--"
    _, where = parse("aB\n.a", ".aB")
    assert where == {".": 0b0100, "a": 0b1001, "B": 0b0010}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "at least one line"),
        ("   \n ", "at least one line"),
        ("..\n.", "line 2 has 1 squares; the first line has 2"),
        ("..\n\n..", "line 2 has 0 squares"),
        (".x", "line 1, column 2 has 'x'; the marks are . #"),
        ("." * 65, "1 to 64 rows and columns, not 65"),
        (".\n" * 65, "1 to 64 rows and columns, not 65"),
        ("." * 10_000, "at most 64 lines"),
        (None, "a board is text"),
        (7, "a board is text"),
    ],
)
def test_bad_boards_are_explained(text, says):
    with pytest.raises(NotationError, match=says):
        parse(text)


@given(st.text(max_size=60))
def test_no_text_crashes_the_parser(text):
    said = ""
    try:
        grid, where = parse(text)
        assert where["."] ^ where["#"] == grid.all
    except NotationError as error:
        said = str(error)
    assert "\n" not in said


@pytest.mark.parametrize("square", [(-1, 0), (0, -1), (2, 0), (0, 3)])
def test_squares_off_the_board_are_refused(square):
    with pytest.raises(NotationError, match="off the board of 2 rows and 3 columns"):
        Grid(2, 3).bit(square)


@pytest.mark.parametrize("sides", [(0, 3), (3, 0), (65, 1), (1, -2)])
def test_grids_have_1_to_64_rows_and_columns(sides):
    with pytest.raises(NotationError, match="1 to 64"):
        Grid(*sides)


def test_the_largest_grid_works_to_its_last_square():
    grid = Grid(64, 64)
    assert list(grid.squares(grid.bit((63, 63)))) == [(63, 63)]
    assert grid.flood(1, grid.all) == grid.all
