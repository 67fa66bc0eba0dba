"""What a hand can finish, by trying every order; the chance to finish, by arithmetic."""

import random
from itertools import permutations, product
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from castlelab.chance import Chance
from castlelab.games.castle_keep.castle import RING, SPOTS, TILES, Castle, Tile
from castlelab.games.castle_keep.count import (
    Odds,
    _turns_to_finish,
    chance_to_finish,
    count_finishes,
    finishes,
    hand_of,
    ways_to_close,
)
from castlelab.rules import CastlelabError, NotationError

NEARLY = Castle.parse("TRC WRC TRC / WRC -- WRC / TRC -- TRC")


def some_positions(number: int, seed: int, missing: tuple[int, ...] = (1, 2, 3, 4)):
    """Castles with holes in them, and hands that may or may not fill those."""
    chance = random.Random(seed)
    for _ in range(number):
        castle = Castle()
        order = chance.sample(range(9), 9)
        for spot in (SPOTS[place] for place in sorted(order, key=lambda place: place == 8)):
            fitting = [tile for tile in TILES if castle.check(tile, spot)]
            if fitting:
                castle = castle.place(chance.choice(fitting), spot)
        standing = [place for place in range(9) if castle.places[place] is not None]
        empty = 9 - len(standing)
        holes = chance.sample(standing, max(chance.choice(missing) - empty, 0))
        hand = [castle.places[place] for place in holes]
        hand += chance.choices(TILES, k=chance.randint(0, 5 - min(len(hand), 5)))
        if len(hand) >= len(holes) + empty:
            yield castle.without(holes), tuple(hand)


def by_trying(castle: Castle, hand, both: bool):
    """Every order of laying that finishes, by trying all orders of tiles on all spots."""
    empty = [spot for spot in SPOTS if castle[spot] is None]
    orders = set()
    for tiles in permutations(hand, len(empty)):
        for spots in permutations(empty):
            grown = castle
            for tile, spot in zip(tiles, spots, strict=True):
                if not grown.check(tile, spot, both):
                    break
                grown = grown.place(tile, spot, both)
            else:
                orders.add(tuple(zip(tiles, spots, strict=True)))
    return orders


@pytest.mark.parametrize(
    ("castle", "hand"),
    [
        pytest.param(castle, hand, id=f"{number}")
        for number, (castle, hand) in enumerate(some_positions(150, seed=3))
    ],
)
@pytest.mark.parametrize("both", [True, False])
def test_finishes_by_trying_every_order(castle, hand, both):
    orders = by_trying(castle, hand, both)
    ends = set()
    for order in orders:
        grown = castle
        for tile, spot in order:
            grown = grown.place(tile, spot, both)
        ends.add(grown)
    found = finishes(castle, hand, both)
    assert set(found) == ends
    assert len(found) == len(ends) == count_finishes(castle, hand, both)
    assert count_finishes(castle, hand, both, in_order=True) == len(orders)


def test_the_trials_finish_some_castles_in_several_ways():
    """The test above would say little about positions that cannot be finished."""
    numbers = [count_finishes(castle, hand) for castle, hand in some_positions(150, seed=3)]
    assert sum(number > 0 for number in numbers) > 10
    assert max(numbers) > 1


def test_a_complete_castle_is_finished_in_one_way_and_needs_no_hand():
    (whole,) = finishes(NEARLY, "WRC KR")
    assert finishes(whole, "") == (whole,)
    assert count_finishes(whole, "TRC", in_order=True) == 1


def test_relief_makes_a_finish_that_the_stricter_rule_refuses():
    castle = Castle.parse("TRC WRC TRC / WRC KR WBC / TRC -- TBZ")
    assert count_finishes(castle, "WRZ") == 1
    assert count_finishes(castle, "WRS") == 1
    assert count_finishes(castle, "WRZ", last_matches_both=True) == 1
    assert count_finishes(castle, "WRS", last_matches_both=True) == 0  # not the blue zigzag


def test_six_tiles_from_three_are_counted_quickly():
    castle = Castle.parse("TRC WRC -- / WRC -- -- / -- -- --")
    assert count_finishes(castle, "TRC TRC TRZ WRC WRC KR") > 0
    assert count_finishes(castle, "TRC TRC TRZ WRC WRC") == 0


def test_equal_tiles_are_alike():
    castle = Castle.parse("TRC WRC -- / WRC KR WRC / TRC WRC --")
    assert count_finishes(castle, "TRC TRC") == 1
    assert count_finishes(castle, "TRC TRC", in_order=True) == 2


@pytest.mark.parametrize("hand", ["TRX", "TRC 7", 7, None, ["TRC"], b"TRC", "??", [None]])
def test_a_hand_is_made_of_tiles(hand):
    with pytest.raises(NotationError):
        finishes(NEARLY, hand)


def test_a_hand_may_be_text_or_tiles_but_not_the_whole_box():
    assert hand_of("trc, KR") == hand_of([Tile("TRC"), Tile("KR")]) == (Tile("TRC"), Tile("KR"))
    assert hand_of("") == ()
    with pytest.raises(CastlelabError, match="13 tiles is too many"):
        finishes(Castle(), TILES[:13])


# -- ways to close ---------------------------------------------------------------------------


@pytest.mark.parametrize("castle", [one for one, _ in some_positions(50, 5, (2, 3))], ids=str)
def test_ways_to_close_by_filling_in_everything(castle):
    empty = [place for place in range(8) if castle.places[place] is None]
    ways = 0
    for tiles in product(*(TILES[9 * (place % 2) :][:9] for place in empty)):
        places = list(castle.places[:8])
        for place, tile in zip(empty, tiles, strict=True):
            places[place] = tile
        ways += all(
            places[place].matches(places[(place + step) % 8]) for place in empty for step in (1, -1)
        )
    assert ways_to_close(castle) == ways


def test_ways_to_close_add_up_to_all_rings():
    assert ways_to_close(Castle()) == 391_653
    first = [Castle().place(tile, "nw") for tile in TILES[:9]]
    assert sum(map(ways_to_close, first)) == 391_653
    assert ways_to_close(first[0].place(Tile("KR"), "c")) == ways_to_close(first[0])


@settings(max_examples=60)
@given(st.data())
def test_no_castle_is_ever_stuck(data):
    """Between any two tiles something fits, so a legal step never leads into a blind alley."""
    castle = Castle()
    for spot in data.draw(st.permutations(RING)):
        fitting = [tile for tile in TILES if castle.check(tile, spot, True)]
        if fitting:
            castle = castle.place(data.draw(st.sampled_from(fitting)), spot, True)
        assert ways_to_close(castle) > 0


# -- the chance to finish --------------------------------------------------------------------


def test_one_tile_missing_is_a_matter_of_drawing_it():
    """Only a keep is missing: of 82 tiles left in the box the right ones are 6 or 12."""
    for text, good in [
        ("TRC WRC TRC / WRC -- WRC / TRC WRC TRC", 6),
        ("TRC WRC TRC / WYC -- WYC / TRC WRC TRC", 12),
    ]:
        odds = chance_to_finish(Castle.parse(text), "", turns=4, games=4000, seed=good)
        for turn, (share, error) in enumerate(zip(odds.shares, odds.errors, strict=True), 1):
            exact = 1 - comb(82 - good, 2 * turn) / comb(82, 2 * turn)
            assert abs(share - exact) < 4 * error


def test_a_hand_that_finishes_needs_one_turn():
    assert chance_to_finish(NEARLY, "WRC KR", turns=2, games=20).finished == (20, 20)


def test_the_stricter_ending_takes_longer():
    castle = Castle.parse("TRC WRC TRC / WRC KR WBC / TRC -- TBZ")
    easy, strict = (
        chance_to_finish(castle, "", turns=3, games=1500, last_matches_both=both)
        for both in (False, True)
    )
    for turn in range(3):
        gap = easy.shares[turn] - strict.shares[turn]
        assert gap > 3 * (easy.errors[turn] + strict.errors[turn])


def test_the_same_seed_gives_the_same_odds():
    start = Castle.parse("TRC WRC -- / -- -- -- / -- -- --")
    one, same, other = (
        chance_to_finish(start, "TRC KR", turns=8, games=200, seed=seed) for seed in (1, 1, 2)
    )
    assert one == same
    assert one != other
    assert list(one.finished) == sorted(one.finished)


def test_nobody_finishes_before_the_tiles_can_be_there():
    odds = chance_to_finish(Castle(), "", turns=30, games=200)
    assert odds.finished[:4] == (0, 0, 0, 0)  # eight tiles have been drawn, nine are needed
    assert odds.finished[-1] > 190


def test_discards_come_back_when_the_pile_is_used_up():
    """castle_keep/reshuffle: a keep that was thrown away too early is drawn again."""
    castle = Castle.parse("TRC WRC TRC / WRC -- WRC / TRC -- TRC")
    hand, pile = hand_of("KY KY KY KY"), hand_of("KB TBZ WBC TBZ")
    turns = [
        _turns_to_finish(castle, hand, pile, 20, False, Chance.seeded(seed)) for seed in range(30)
    ]
    assert None not in turns
    assert max(turns) > 2  # four tiles are two turns


def test_odds_print_as_a_table():
    text = str(chance_to_finish(NEARLY, "WRC KR", turns=2, games=10))
    assert text.splitlines()[1].split() == ["1", "100.0%", "±", "0.0%"]
    assert str(Odds(4, (1,))).endswith("4 games; ± is one standard error")


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"turns": 0}, "turns go from 1"),
        ({"turns": 401}, "turns go from 1"),
        ({"turns": True}, "turns go from 1"),
        ({"turns": 1, "games": 0}, "games go from 1"),
        ({"turns": 1, "games": "many"}, "games go from 1"),
        ({"turns": 1, "hand": "TRC TRC"}, "only 4 of TRC"),
        ({"turns": 1, "hand": "TRX"}, "not a tile"),
    ],
)
def test_odds_of_nonsense_are_refused(wrong, says):
    with pytest.raises(CastlelabError, match=says):
        chance_to_finish(NEARLY, **{"hand": "", **wrong})
