"""Baileys counted three ways: by formula, by trying every shape, and on a board."""

from __future__ import annotations

import random
from itertools import combinations, product
from math import ceil, isqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from castlelab.games.castlescape.board import Board
from castlelab.games.castlescape.count import (
    baileys_by_joints,
    baileys_by_walls,
    best_rectangle,
    can_be_walled,
    census,
    count_baileys,
    courts,
    example,
    fewest_by_search,
    fewest_walls,
    largest_bailey,
    most_walls,
    most_walls_without_block,
    walls_round,
    ways_without_block,
)
from castlelab.rules import CastlelabError

#: Fixed polykings, https://oeis.org/A006770.
POLYKINGS = (1, 4, 20, 110, 638, 3832, 23592, 147941)


@pytest.mark.parametrize("squares", range(1, 9))
def test_the_formula_is_what_a_search_of_every_shape_finds(squares):
    assert fewest_by_search(squares) == fewest_walls(squares)


@pytest.mark.parametrize("squares", range(1, 9))
def test_there_are_as_many_shapes_as_the_encyclopedia_says(squares):
    assert census(squares).shapes == POLYKINGS[squares - 1]


def test_the_fewest_walls_are_twice_the_half_perimeter_and_four_corners():
    # Half of https://oeis.org/A027709, from its list.
    least_perimeters = (4, 6, 8, 8, 10, 10, 12, 12, 12, 14, 14, 14, 16, 16, 16, 16, 18)
    for squares, perimeter in enumerate(least_perimeters, start=1):
        assert fewest_walls(squares) == perimeter + 4
    for squares in range(1, 3_000):
        sides = range(1, isqrt(squares) + 2)
        assert fewest_walls(squares) == min(2 * (a + ceil(squares / a)) + 4 for a in sides)


def naive_shapes(squares):
    """Shapes grown square by square, moved to the corner, each kept once."""
    found = {frozenset({(0, 0)})}
    for _ in range(squares - 1):
        found = {moved(shape | {square}) for shape in found for square in walls_round(shape)}
    return found


def moved(shape):
    top, left = min(row for row, _ in shape), min(column for _, column in shape)
    return frozenset((row - top, column - left) for row, column in shape)


def on_board(court):
    """A court with its walls, and room to spare, as the engine sees it."""
    lowest = min(min(square) for square in court) - 2
    side = max(max(square) for square in court) - lowest + 3
    grid = Board(side).grid
    walls = [(row - lowest, column - lowest) for row, column in walls_round(court)]
    return Board(side, grid.bits(walls))


def can_be_built(board):
    """Whether the walls can go up one after the other, by the rules, whatever comes first."""
    order = sorted(board.grid.squares(board.walls))
    built = Board(board.side, board.grid.bit(order[0]))
    while built.walls != board.walls:
        spots = built.wall_spots() & board.walls
        if not spots:
            return False
        built = built.with_wall(spots & -spots)
    return True


@pytest.mark.parametrize("squares", range(1, 6))
def test_the_shapes_and_the_baileys_are_those_of_a_naive_search_and_of_the_board(squares):
    shapes = naive_shapes(squares)
    assert {moved(court) for court in courts(squares)} == shapes
    baileys = 0
    for court in shapes:
        board = on_board(court)
        built = can_be_built(board)
        assert can_be_walled(court) == built, str(board)
        if built:
            baileys += 1
            (bailey,) = board.baileys()
            assert moved(bailey.squares) == court
            assert bailey.walls == set(board.grid.squares(board.walls))
    assert baileys == count_baileys(squares)


def test_fewer_than_eight_walls_enclose_nothing_and_eight_only_one_square():
    grid = Board(4, columns=5).grid
    bits = [1 << place for place in range(20)]
    for number in range(8):
        assert not any(grid.shut_in(grid.all ^ sum(walls)) for walls in combinations(bits, number))
    closed = [c for walls in combinations(bits, 8) if (c := grid.shut_in(grid.all ^ sum(walls)))]
    assert sorted(closed) == sorted(
        [grid.bit((row, column))] for row in (1, 2) for column in (1, 2, 3)
    )


@pytest.mark.parametrize("squares", [*range(1, 60), 200, 480, 500])
def test_an_example_has_one_bailey_with_the_fewest_walls(squares):
    board = example(squares)
    (bailey,) = board.baileys()
    assert bailey.size == squares
    assert bailey.wall_bits == board.walls
    assert board.walls.bit_count() == fewest_walls(squares)
    assert can_be_walled(bailey.squares)
    rows, columns = best_rectangle(squares)
    assert rows * columns >= squares > (rows - 1) * columns


@given(st.integers(1, 10**12))
def test_the_largest_bailey_is_the_other_way_round(squares):
    walls = fewest_walls(squares)
    assert largest_bailey(walls) >= squares
    assert largest_bailey(walls - 1) < squares
    assert largest_bailey(walls + 1) == largest_bailey(walls)  # an odd wall is of no use


@given(st.integers(8, 10**9))
def test_the_largest_bailey_can_be_walled_and_a_larger_one_not(walls):
    most = largest_bailey(walls)
    assert fewest_walls(most) <= walls < fewest_walls(most + 1)


def test_joints_tell_the_number_of_baileys():
    chance = random.Random(17)
    for _ in range(150):
        board = Board.start(chance.choice((7, 9, 13)))
        for _ in range(60):
            spots = list(board.grid.squares(board.wall_spots()))
            if not spots:
                break
            board = board.with_wall(board.grid.bit(chance.choice(spots)))
            assert baileys_by_joints(board) == len(board.baileys())


@pytest.mark.parametrize("count", [fewest_walls, best_rectangle, example, census, count_baileys])
@pytest.mark.parametrize("number", [0, -1, True, 1.5, "4", None, 10**40])
def test_bad_numbers_are_explained(count, number):
    with pytest.raises(CastlelabError, match="not") as caught:
        count(number)
    assert "\n" not in str(caught.value)


def test_too_few_walls_enclose_nothing():
    assert [largest_bailey(walls) for walls in range(8)] == [0] * 8
    with pytest.raises(CastlelabError, match="not -1"):
        largest_bailey(-1)


def test_an_empty_court_is_refused():
    with pytest.raises(CastlelabError, match="at least one square"):
        can_be_walled([])


@pytest.mark.parametrize("squares", range(1, 8))
def test_walls_go_from_the_fewest_to_the_most(squares):
    by_walls = baileys_by_walls(squares)
    assert list(by_walls) == sorted(by_walls)
    assert min(by_walls) == fewest_walls(squares)
    assert max(by_walls) == most_walls(squares)
    assert sum(by_walls.values()) == count_baileys(squares)
    if squares > 1:
        assert by_walls[most_walls(squares)] >= 2  # a diagonal, and the other one


@pytest.mark.parametrize("squares", range(1, 6))
def test_baileys_by_walls_are_those_of_a_naive_search(squares):
    naive = {}
    for court in naive_shapes(squares):
        if can_be_walled(court):
            walls = len(walls_round(court))
            naive[walls] = naive.get(walls, 0) + 1
    assert baileys_by_walls(squares) == naive


# -- no block of four ------------------------------------------------------------------------


def without_block(rows, columns):
    """Every way to build walls there, by trying all, with its number of walls."""
    corners = list(product(range(rows - 1), range(columns - 1)))
    for walls in product((0, 1), repeat=rows * columns):
        spots = ([row * columns + column, row * columns + column + 1] for row, column in corners)
        if not any(all(walls[at] and walls[at + columns] for at in pair) for pair in spots):
            yield sum(walls)


@pytest.mark.parametrize(
    ("rows", "columns"), [(1, 3), (2, 2), (3, 3), (2, 5), (5, 2), (3, 4), (4, 4)]
)
def test_ways_without_a_block_by_trying_all(rows, columns):
    assert ways_without_block(rows, columns) == sum(1 for _ in without_block(rows, columns))


def test_two_rows_follow_a_recurrence():
    ways = [ways_without_block(2, columns) for columns in range(1, 10)]
    assert ways[:4] == [4, 15, 57, 216]
    assert all(ways[n] == 3 * (ways[n - 1] + ways[n - 2]) for n in range(2, 9))


def most_by_lines(side):
    """The most walls, line by line, with the best that each line can stand on."""
    lines = range(1 << side)
    most = {line: line.bit_count() for line in lines}
    for _ in range(side - 1):
        most = {
            line: line.bit_count()
            + max(
                number for above, number in most.items() if not (both := line & above) & both << 1
            )
            for line in lines
        }
    return max(most.values())


@pytest.mark.parametrize("side", range(1, 8))
def test_the_most_walls_without_a_block_line_by_line(side):
    assert most_walls_without_block(side) == most_by_lines(side)
    if side < 5:
        assert most_walls_without_block(side) == max(without_block(side, side))
