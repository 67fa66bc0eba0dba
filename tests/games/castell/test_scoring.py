"""Prizes, size tokens and final points, by the numbers of the rulebook."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from castlelab.games.castell import Team, Tower
from castlelab.games.castell.box import Performance
from castlelab.games.castell.scoring import (
    Player,
    prizes_for,
    score,
    size_token_points,
    token_owners,
)

some_scores = st.dictionaries(st.integers(0, 3), st.integers(4, 8), max_size=4)
towers = st.dictionaries(
    st.integers(0, 3),
    st.lists(st.integers(1, 10), min_size=1, max_size=8).map(
        lambda sizes: Tower("+".join(map(str, sizes)))
    ),
    max_size=4,
)


def player(**earned):
    return Player(Team(), **earned)


@pytest.mark.parametrize(
    ("scores", "prizes"),
    [
        ((), ()),
        ((9,), ("ribbon",)),
        ((9, 8), ("medal", "ribbon")),
        ((9, 9), ("ribbon", "ribbon")),
        ((9, 8, 7), ("trophy", "medal", "ribbon")),
        ((9, 9, 7), ("medal", "medal", "ribbon")),
        ((9, 7, 7), ("trophy", "ribbon", "ribbon")),
        ((9, 9, 9), ("medal", "medal", "medal")),  # C43: one step down, not two
        ((9, 8, 7, 6), ("trophy", "medal", "ribbon", None)),
        ((9, 8, 7, 7), ("trophy", "medal", None, None)),  # C42: tied for third, nothing
        ((9, 8, 8, 7), ("trophy", "ribbon", "ribbon", None)),
        ((9, 8, 8, 8), ("trophy", "ribbon", "ribbon", "ribbon")),
        ((9, 9, 8, 7), ("medal", "medal", "ribbon", None)),
        ((9, 9, 8, 8), ("medal", "medal", None, None)),
        ((9, 9, 9, 7), ("medal", "medal", "medal", None)),
        ((9, 9, 9, 9), ("medal",) * 4),
    ],
)
def test_festival_prizes_for_every_pattern_of_places_c42_c43(scores, prizes):
    """``castell/festival-prizes``: k who tie for a place take the next."""
    won = prizes_for(dict(enumerate(scores)))
    assert tuple(won.get(seat) for seat in range(len(scores))) == prizes


@given(some_scores)
def test_more_points_never_earn_a_lesser_prize(scores):
    worth = {"trophy": 5, "medal": 3, "ribbon": 1, None: 0}
    won = prizes_for(scores)
    for one, points in scores.items():
        for other, fewer in scores.items():
            if points > fewer:
                assert worth[won.get(one)] >= worth[won.get(other)]
            if points == fewer:
                assert won.get(one) == won.get(other)


@given(some_scores, st.integers(0, 4))
def test_prizes_depend_on_places_and_not_on_seats(scores, shift):
    moved = {(seat + shift) % 4: points for seat, points in scores.items()}
    expected = {(seat + shift) % 4: prize for seat, prize in prizes_for(scores).items()}
    assert prizes_for(moved) == expected


@given(towers, st.lists(st.integers(1, 10), min_size=1, max_size=3))
def test_size_token_goes_to_whoever_alone_has_most(built, wanted):
    """``castell/size-token``"""
    for size, owner in zip(wanted, token_owners(tuple(wanted), built), strict=True):
        counts = {seat: list(tower.team).count(size) for seat, tower in built.items()}
        most = max(counts.values(), default=0)
        leaders = [seat for seat, count in counts.items() if count == most > 0]
        assert owner == (leaders[0] if len(leaders) == 1 else None)


def test_a_token_of_a_size_that_nobody_shows_stays_away():
    assert token_owners((1, 9), {}) == (None, None)
    assert token_owners((1,), {0: Tower("9 8 7 6")}) == (None,)


@pytest.mark.parametrize(
    ("sizes", "points"),
    [((), 0), ((9,), 2), ((9, 8), 4), ((9, 9), 3), ((9, 9, 9), 4), ((9, 9, 8, 8, 1), 8)],
)
def test_size_tokens_two_for_each_size_and_one_for_each_repeat_c51(sizes, points):
    assert size_token_points(list(sizes)) == points
    # Where they were won does not matter, but for the regions' bonus.
    assert score(player(sizes=tuple((size, 0) for size in sizes))).sizes == points


@pytest.mark.parametrize(
    ("regions", "bonus"), [(0, 0), (1, 0), (2, 1), (3, 3), (4, 5), (5, 7), (6, 10), (7, 14)]
)
def test_the_bonus_for_regions(regions, bonus):
    """``castell/final-score``"""
    prizes = tuple(("ribbon", region) for region in range(regions))
    assert score(player(prizes=prizes)).regions == bonus


def test_prizes_size_tokens_and_collected_tokens_mark_regions_c47_c48():
    assert player().regions == frozenset()
    earned = player(
        prizes=(("medal", 0), ("ribbon", 0)),
        sizes=((9, 1), (8, 0)),
        collected=(0, 2, 0, 0, 0, 0, 1),
        performances=(Performance(5, (3, 2, 1)),),  # a tile alone marks nothing
        tokens=2,  # nor do tokens that were only placed
        pawn=5,
    )
    assert earned.regions == {0, 1, 6}
    sheet = score(earned)
    assert sheet.regions == 3
    assert sheet.prizes == 3 + 1
    assert sheet.sizes == 2 + 2
    assert sheet.performances == 5 + 3  # the tile, and three tokens collected
    assert sheet.total == 3 + 4 + 4 + 8
    assert str(sheet) == (
        "best tower 0 + regions 3 + prizes 4 + size tokens 4 + performances 8 = 19"
    )


def test_trophy_5_medal_3_ribbon_1():
    assert score(player(prizes=(("trophy", 0), ("medal", 0), ("ribbon", 0)))).prizes == 9


def test_unused_action_tokens_are_worth_nothing():
    assert score(player(tokens=7)).total == score(player(tokens=0)).total == 0
