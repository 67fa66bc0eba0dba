"""Guards on a wall and rings of all colours: the cited numbers, each by listing and by a sum."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest

from castlelab.games.castle_keep.count import expected_joints, matching_matrix, rings, rings_of_all
from castlelab.games.castle_keep.guards import (
    GuardWall,
    guarded_walls,
    stretch_value,
    ways_to_guard,
)
from castlelab.rules import CastlelabError

SIZES = range(3, 14)
WALLS = [GuardWall(spots, closed) for spots in SIZES for closed in (True, False)]


def by_steps(spots: int, closed: bool) -> int:
    """Walk along the wall: after a guard comes an empty spot; a ring comes home."""
    walks = np.linalg.matrix_power(np.array([[1, 1], [1, 0]], dtype=object), spots)
    return int(np.trace(walks) if closed else sum(walks[0]))


def by_listing(spots: int, closed: bool) -> int:
    rows = product((False, True), repeat=spots)
    joints = range(spots if closed else spots - 1)
    return sum(not any(row[at] and row[(at + 1) % spots] for at in joints) for row in rows)


@pytest.mark.parametrize("wall", WALLS, ids=str)
def test_ways_in_which_guards_stand(wall: GuardWall) -> None:
    found = ways_to_guard(wall.spots, wall.closed)
    assert found == by_listing(wall.spots, wall.closed) == by_steps(wall.spots, wall.closed)
    each = list(guarded_walls(wall.spots, wall.closed))
    assert len(each) == len(set(each)) == found


def test_cited_ways() -> None:
    assert [ways_to_guard(spots) for spots in range(3, 10)] == [4, 7, 11, 18, 29, 47, 76]
    assert ways_to_guard(8, closed=False) == 55


@cache
def wins(spots: int, closed: bool, guards: frozenset[int]) -> bool:
    """Whether who is to post wins, by trying every game to its end."""
    shut = {(guard + by) % spots if closed else guard + by for guard in guards for by in (-1, 0, 1)}
    free = (spot for spot in range(spots) if spot not in shut)
    return any(not wins(spots, closed, guards | {spot}) for spot in free)


@pytest.mark.parametrize("wall", WALLS, ids=str)
def test_who_wins_by_playing_every_game(wall: GuardWall) -> None:
    size = wall.spots, wall.closed
    assert bool(wall.value) == wins(*size, frozenset())
    for spot in range(1, wall.spots + 1):
        after = wall.post(spot)
        assert bool(after.value) == wins(*size, frozenset({spot - 1}))
        assert after.winning == tuple(
            there for there in after.free if not wins(*size, frozenset({spot - 1, there - 1}))
        )


def test_the_first_wins_on_few_rings_and_on_most_lines() -> None:
    assert [spots for spots in SIZES if GuardWall(spots).value] == [3, 7, 11]
    assert [spots for spots in SIZES if not GuardWall(spots, closed=False).value] == [4, 8]


def grundy(wall: frozenset[int]) -> int:
    """The value of a set of free spots, as it is defined."""
    return _grundy(tuple(sorted(wall)))


@cache
def _grundy(free: tuple[int, ...]) -> int:
    reached = {grundy(frozenset(free) - {spot - 1, spot, spot + 1}) for spot in free}
    return next(value for value in range(len(free) + 1) if value not in reached)


def test_values_of_lines_by_their_definition() -> None:
    values = [0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5]
    assert [stretch_value(spots) for spots in range(16)] == values
    assert [grundy(frozenset(range(spots))) for spots in range(16)] == values


@pytest.mark.parametrize("wrong", [2, 14, True, "8"])
def test_other_walls_are_refused(wrong: int) -> None:
    with pytest.raises(CastlelabError, match="the spots of a wall go from 3 to 13"):
        GuardWall(wrong)


# All colours, and joints that match


def test_rings_of_all_colours_and_shapes_one_by_one() -> None:
    coloured = shaped = 0
    for ring in rings():
        if len({tile.colour for tile in ring}) == 3:
            coloured += 1
            shaped += len({tile.shape for tile in ring}) == 3
    assert (coloured, shaped) == (rings_of_all(), rings_of_all(shapes=True)) == (213_948, 90_720)


@pytest.mark.parametrize(("colours", "shapes", "places"), [(2, 2, 4), (3, 2, 4), (2, 3, 5)])
def test_joints_on_average_by_throwing_every_ring(colours: int, shapes: int, places: int) -> None:
    faces = list(product(range(colours), range(shapes)))
    thrown = list(product(faces, repeat=places))
    joints = sum(
        a == c or b == d
        for ring in thrown
        for (a, b), (c, d) in zip(ring, ring[1:] + ring[:1], strict=True)
    )
    assert Fraction(joints, len(thrown)) == expected_joints(colours, shapes, places)


def test_joints_of_a_ring_of_eight_on_average() -> None:
    matching = sum(map(sum, matching_matrix()))
    assert expected_joints() == 8 * Fraction(matching, 81) == Fraction(40, 9)
