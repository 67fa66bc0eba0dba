"""The numbers of rings and castles: by formula, by transfer matrix and one by one."""

from fractions import Fraction
from itertools import combinations, product

import pytest

from castlelab.games.castle_keep.castle import RING, TILES, Castle, Tile
from castlelab.games.castle_keep.count import (
    colourings,
    count_castles,
    count_colourings,
    count_rings,
    doubles_odds,
    fixed_rings,
    looks,
    matching_matrix,
    rings,
    rings_by_formula,
    symmetries,
)
from castlelab.rules import CastlelabError

TOWERS, WALLS = TILES[:9], TILES[9:18]
SMALL = [
    (colours, shapes, places)
    for colours, shapes, places in product((1, 2, 3), (1, 2, 3), (4, 6, 8))
    if (colours * shapes) ** places <= 70_000
]
both_ways = pytest.mark.parametrize("both", [True, False])


def wrong_joints(ring) -> int:
    """How many neighbours fail to match: the rule once more, in other words."""
    return sum(
        a.colour != b.colour and a.shape != b.shape
        for a, b in zip(ring, (*ring[1:], ring[0]), strict=True)
    )


def every_ring(colours: int, shapes: int, places: int):
    """All rings at all, matching or not."""
    towers, walls = (
        [tile for tile in tiles if tile.index % 9 // 3 < colours and tile.index % 3 < shapes]
        for tiles in (TOWERS, WALLS)
    )
    return product(*((towers, walls) * (places // 2)))


# -- the cited numbers -------------------------------------------------------------------------


def test_cited_rings_three_ways():
    assert count_rings() == rings_by_formula() == 391_653 == 5**8 + 4 * 2**8 + 4
    listed = list(rings())
    assert len(listed) == len(set(listed)) == 391_653
    assert not any(map(wrong_joints, listed))


@pytest.mark.slow
def test_cited_rings_and_castles_with_an_easy_ending():
    assert count_rings(False) == rings_by_formula(False) == 2_883_429
    number = wrong = keeps = 0
    for ring in rings(False):
        number += 1
        wrong += wrong_joints(ring)
        keeps += len({tile.colour for tile in ring})
    assert number == 2_883_429
    assert wrong == 2_883_429 - 391_653  # one each, in those that do not match all round
    assert count_castles(False) == keeps == 7_672_707


@pytest.mark.parametrize(("colours", "shapes", "places"), SMALL)
@both_ways
def test_small_rings_by_trying_everything(colours, shapes, places, both):
    size = {"colours": colours, "shapes": shapes, "places": places}
    allowed = 0 if both else 1
    good = {ring for ring in every_ring(**size) if wrong_joints(ring) <= allowed}
    listed = list(rings(both, **size))
    assert set(listed) == good
    assert len(listed) == len(good) == rings_by_formula(both, **size)


def test_the_eigenvalues_are_those_of_the_matrix():
    """A vector for each: all alike; rows apart; columns apart; both apart."""
    matrix = matching_matrix()
    vectors = {
        (1, 1, 1, 1, 1, 1, 1, 1, 1): 5,
        (1, 1, 1, -1, -1, -1, 0, 0, 0): 2,
        (1, -1, 0, 1, -1, 0, 1, -1, 0): 2,
        (1, -1, 0, -1, 1, 0, 0, 0, 0): -1,
    }
    for vector, value in vectors.items():
        image = [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]
        assert image == [value * entry for entry in vector]


def test_the_matrix_is_a_rooks_board():
    matrix = matching_matrix()
    for (row, one), (column, other) in product(enumerate(TOWERS), enumerate(WALLS)):
        assert matrix[row][column] == one.matches(other)
        assert matrix[row][column] == (row // 3 == column // 3 or row % 3 == column % 3)
    assert [sum(row) for row in matrix] == [5] * 9
    assert matching_matrix(2, 1) == [[1, 1], [1, 1]]


def test_four_of_each_tile_are_enough_for_every_ring():
    for ring in rings():
        assert ring[0] in TOWERS
        assert ring[1] in WALLS
        assert max(map(ring.count, ring)) <= 4


# -- castles ---------------------------------------------------------------------------------


def test_castles_by_giving_every_ring_its_keeps():
    keeps = sum(len({tile.colour for tile in ring}) for ring in rings())
    assert count_castles() == keeps == 977_571


def grows_whole(castle: Castle, done: Castle, both: bool) -> bool:
    """Whether the rules of building lead from one castle to another."""
    if castle == done:
        return True
    return any(
        castle[spot] is None
        and castle.check(done[spot], spot, both)
        and grows_whole(castle.place(done[spot], spot, both), done, both)
        for spot in (*RING, "c")
    )


@both_ways
def test_counted_castles_are_those_that_can_be_built(both):
    """Every 15000th arrangement at all: it is counted just when some order of laying builds it."""
    counted = 0
    for number, ring in enumerate(every_ring(2, 3, 8)):
        if number % 15_000:
            continue
        keep = Tile("K" + "RYB"[number // 15_000 % 3])
        done = Castle((*ring, keep))
        good = wrong_joints(ring) <= (not both) and keep.colour in {tile.colour for tile in ring}
        counted += good
        assert grows_whole(Castle(), done, both) == good, str(done)
    assert counted


# -- symmetries ------------------------------------------------------------------------------


def test_symmetries_keep_neighbours_and_corners():
    found = symmetries()
    assert len({symmetry.places for symmetry in found}) == 8
    assert len({symmetry.name for symmetry in found}) == 8
    for symmetry in found:
        assert sorted(symmetry.places) == list(range(8))
        for place in range(8):
            assert symmetry.places[place] % 2 == place % 2
            assert (symmetry.places[place] - symmetry.places[place - 1]) % 8 in (1, 7)


def test_symmetries_are_a_group():
    group = {symmetry.places for symmetry in symmetries()}
    for one, other in product(group, group):
        assert tuple(one[place] for place in other) in group


@pytest.mark.parametrize(
    ("name", "moved"),
    [
        ("quarter turn", {"nw": "ne", "n": "e"}),
        ("half turn", {"nw": "se", "n": "s"}),
        ("mirror n-s", {"n": "n", "s": "s", "e": "w", "nw": "ne"}),
        ("mirror nw-se", {"nw": "nw", "se": "se", "n": "w", "ne": "sw"}),
    ],
)
def test_symmetries_do_what_their_names_say(name, moved):
    symmetry = next(one for one in symmetries() if one.name == name)
    ring = next(rings())
    marked = [*ring]
    for source, to in moved.items():
        marked[RING.index(source)] = Tile("TBZ")
        assert symmetry.of(marked)[RING.index(to)] is Tile("TBZ")
        marked[RING.index(source)] = ring[RING.index(source)]


@pytest.mark.parametrize("both", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_burnsides_terms_on_all_two_coloured_rings(both):
    listed = list(rings(both, colours=2, shapes=3))
    for symmetry in symmetries():
        fixed = sum(symmetry.of(ring) == ring for ring in listed)
        assert fixed_rings(symmetry, both, colours=2) == fixed, symmetry.name


def digits(ring) -> int:
    """A ring as a number, which is quick to compare."""
    number = 0
    for tile in ring:
        number = 9 * number + tile.index % 9
    return number


@pytest.mark.slow
def test_rings_up_to_symmetry_by_turning_and_mirroring_every_one():
    group = symmetries()
    kinds: set[int] = set()
    keeps = 0
    for ring in rings():
        least = min(digits(symmetry.of(ring)) for symmetry in group)
        if least not in kinds:
            kinds.add(least)
            keeps += len({tile.colour for tile in ring})
    assert count_rings(up_to_symmetry=True) == len(kinds) == 51_867
    assert count_castles(up_to_symmetry=True) == keeps == 128_502


def test_one_wrong_joint_is_never_symmetrical():
    assert count_rings(False, True) == 363_339
    assert count_rings(False, True) - count_rings(True, True) == (
        (count_rings(False) - count_rings(True)) // 8
    )
    assert count_castles(False, True) == 965_394


@pytest.mark.parametrize(
    "wrong", [{"colours": 0}, {"shapes": 4}, {"places": 7}, {"places": 2}, {"colours": "3"}]
)
def test_other_rings_are_not_listed(wrong):
    with pytest.raises(CastlelabError):
        list(rings(**wrong))


# -- corners ---------------------------------------------------------------------------------

#: Colours for the corners of a square, turned and mirrored, https://oeis.org/A002817.
MIRRORED = (1, 6, 21, 55, 120, 231, 406, 666)
#: … and only turned, https://oeis.org/A006528.
TURNED = (1, 6, 24, 70, 165, 336, 616, 1044)


@pytest.mark.parametrize("colours", range(1, 9))
def test_colourings_are_in_the_encyclopedia(colours):
    assert count_colourings(colours) == MIRRORED[colours - 1]
    assert count_colourings(colours, mirrored=False) == TURNED[colours - 1]


def turned(corners):
    """The corners after a quarter turn: the rule once more, in other words."""
    return (corners[3], *corners[:3])


@pytest.mark.parametrize("mirrored", [True, False])
@pytest.mark.parametrize("colours", range(1, 6))
def test_colourings_one_by_one(colours, mirrored):
    kinds = set()
    for corners in product(range(colours), repeat=4):
        same = [corners]
        for _ in range(3):
            same.append(turned(same[-1]))
        if mirrored:
            same += [one[::-1] for one in same]
        kinds.add(min(same))
    assert set(colourings(colours, mirrored)) == kinds
    assert len(kinds) == count_colourings(colours, mirrored)


def test_looks_times_symmetries_are_always_eight():
    for number, ring in enumerate(rings()):
        if number % 997 == 0:
            staying = sum(symmetry.of(ring) == ring for symmetry in symmetries())
            assert len(looks(ring)) * staying == 8
            assert ring in looks(ring)
    assert len(looks(tuple(TOWERS[:8]))) == 8


@pytest.mark.parametrize("wrong", [0, -3, True, 2.0, "3", None, 10**9])
def test_bad_colours_are_explained(wrong):
    for count in (count_colourings, lambda colours: list(colourings(colours))):
        with pytest.raises(CastlelabError, match="colours go from 1 to"):
            count(wrong)


# -- doubles ---------------------------------------------------------------------------------


@pytest.mark.parametrize("copies", [(2, 3), (1, 1, 4), (2, 2, 2), (1, 0, 3, 2)])
def test_doubles_by_drawing_every_hand(copies):
    box = [kind for kind, number in enumerate(copies) for _ in range(number)]
    for tiles in range(len(box) + 1):
        hands = list(combinations(box, tiles))
        doubles = sum(len(set(hand)) < tiles for hand in hands)
        assert doubles_odds(tiles, copies) == Fraction(doubles, len(hands))


def test_doubles_in_the_house_box():
    """Two tiles: the same tower or wall has 3 fellows among 89 others, a keep has 5."""
    assert doubles_odds(2) == Fraction(72, 90) * Fraction(3, 89) + Fraction(18, 90) * Fraction(
        5, 89
    )
    assert doubles_odds(6) < Fraction(1, 2) < doubles_odds(7)
    assert doubles_odds(22) == 1  # there are 21 kinds


@pytest.mark.parametrize("wrong", [-1, 91, True, "6", None])
def test_bad_hands_are_explained(wrong):
    with pytest.raises(CastlelabError, match="tiles go from 0 to 90"):
        doubles_odds(wrong)
    with pytest.raises(CastlelabError, match="copies are whole numbers"):
        doubles_odds(2, [3, -1])
