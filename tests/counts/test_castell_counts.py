"""The numbers of towers that the rule sheet cites, by formula, by states and one by one."""

from fractions import Fraction
from itertools import product
from math import comb

import pytest

from castlelab.games.castell.count import (
    builders_for_match,
    count_by_height,
    count_towers,
    match_odds,
    mean_height,
    simulate_match,
    towers,
    vandermonde,
)
from castlelab.games.castell.tower import Skills, Team
from castlelab.rules import CastlelabError


def each_size(count: int) -> Team:
    return Team.of([count] * 10)


CITED = [
    (Skills(), 3, 285),
    (Skills(width=1), 4, 1000),
    (Skills(balance=1), 3, 1770),
    (Skills(mix=1), 3, 597),
    (Skills(strength=1), 6, 405),
]


@pytest.mark.parametrize(("skills", "count", "cited"), CITED, ids=[str(s) for s, _, _ in CITED])
def test_cited_number(skills: Skills, count: int, cited: int) -> None:
    team = each_size(count)
    listed = list(towers(skills, team))
    assert len(listed) == cited
    assert len(set(listed)) == cited
    assert count_towers(skills, team) == cited


@pytest.mark.parametrize("width", range(6))
def test_the_formula_counts_towers_by_width_alone(width: int) -> None:
    assert vandermonde(3 + width) == count_towers(Skills(width=width))


def test_the_formula_height_by_height() -> None:
    # C(10,h)·C(3,h): the sum that Vandermonde's identity closes.
    assert count_by_height() == (10 * 3, 45 * 3, 120 * 1)
    assert vandermonde() == 285
    assert vandermonde(4) == 1000


def test_more_castellers_than_a_tower_can_use_add_nothing() -> None:
    assert count_towers(Skills(), each_size(3)) == count_towers(Skills(), each_size(15))
    assert count_towers(Skills(), each_size(2)) < count_towers(Skills(), each_size(3))
    assert count_towers(Skills(strength=1), each_size(5)) == count_towers(Skills(strength=1))


def test_the_whole_box_with_rank_1_in_every_skill() -> None:
    assert count_towers(Skills(1, 1, 1, 1, 1)) == 4_805_174


def test_the_whole_box_with_rank_2_in_every_skill() -> None:
    skills = Skills(2, 2, 2, 2, 2)
    assert count_towers(skills) == 11_563_794_463
    assert sum(count_by_height(skills)) == 11_563_794_463


def test_counts_have_no_limit_of_machine_words() -> None:
    skills = Skills(balance=5, width=5)
    assert sum(count_by_height(skills)) == count_towers(skills)


# -- fewer sizes -------------------------------------------------------------------------------

#: C(2n, n) − 1, https://oeis.org/A030662.
AS_MANY_SIZES_AS_WIDTHS = (1, 5, 19, 69, 251, 923, 3431, 12869)


@pytest.mark.parametrize("number", range(1, 9))
def test_as_many_sizes_as_widths_are_in_the_encyclopedia(number: int) -> None:
    """By formula, and by states with a team of n sizes, n castellers each."""
    team = Team.of([number] * number + [0] * (10 - number))
    skills = Skills(width=max(0, number - 3))
    expected = AS_MANY_SIZES_AS_WIDTHS[number - 1]
    assert vandermonde(number, sizes=number) == expected
    assert count_towers(skills, team) == expected
    assert sum(comb(number, height) ** 2 for height in range(1, number + 1)) == expected


@pytest.mark.parametrize("number", range(1, 5))
def test_as_many_sizes_as_widths_one_by_one(number: int) -> None:
    team = Team.of([number] * number + [0] * (10 - number))
    skills = Skills(width=max(0, number - 3))
    assert sum(1 for _ in towers(skills, team)) == AS_MANY_SIZES_AS_WIDTHS[number - 1]


def test_one_rank_of_balance_by_formula() -> None:
    """h sizes; h widths, or h − 1 of which one comes twice."""
    by_height = [comb(10, h) * (comb(3, h) + (h - 1) * comb(3, h - 1)) for h in range(1, 5)]
    assert count_by_height(Skills(balance=1)) == tuple(by_height)
    assert sum(by_height) == 1770


# -- builders who think alike --------------------------------------------------------------------

#: https://oeis.org/A033810: people for an even chance that two share one of n birthdays.
BIRTHDAYS = (2, 2, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 7, 7, 7)


@pytest.mark.parametrize("number", [1, 2, 3, 5])
@pytest.mark.parametrize("builders", range(6))
def test_matches_by_letting_everybody_build_everything(builders: int, number: int) -> None:
    every = list(product(range(number), repeat=builders))
    matching = sum(len(set(built)) < builders for built in every)
    assert match_odds(builders, number) == Fraction(matching, len(every))


def test_builders_for_a_match_are_in_the_encyclopedia() -> None:
    assert tuple(map(builders_for_match, range(1, len(BIRTHDAYS) + 1))) == BIRTHDAYS
    assert builders_for_match(365) == 23


@pytest.mark.parametrize("number", [285, 1000, 1770, 391_653])
def test_one_builder_fewer_is_not_enough(number: int) -> None:
    enough = builders_for_match(number)
    assert match_odds(enough, number) >= Fraction(1, 2) > match_odds(enough - 1, number)


@pytest.mark.parametrize("builders", [5, 21, 40])
def test_building_very_often_comes_near(builders: int) -> None:
    found = simulate_match(builders, games=2000, seed=3)
    assert abs(found.share - match_odds(builders)) < 3.5 * found.error + 1e-9


@pytest.mark.parametrize("wrong", [-1, True, 1.5, "3", None])
def test_bad_numbers_of_builders_are_explained(wrong: object) -> None:
    for ask in (match_odds, builders_for_match, simulate_match):
        with pytest.raises(CastlelabError, match="not") as caught:
            ask(wrong)
        assert "\n" not in str(caught.value)
    with pytest.raises(CastlelabError, match="not 0"):
        builders_for_match(0)
    with pytest.raises(CastlelabError, match="sizes go from"):
        vandermonde(3, sizes=-2)


@pytest.mark.parametrize("skills", [Skills(), Skills(balance=1)])
def test_how_high_a_tower_is_on_average_one_by_one(skills: Skills) -> None:
    listed = [len(tower.levels) for tower in towers(skills, each_size(3))]
    assert mean_height(skills, each_size(3)) == Fraction(sum(listed), len(listed))


def test_cited_height_is_hypergeometric_without_the_empty_tower() -> None:
    assert mean_height() == Fraction(3 * 10, 13) * Fraction(286, 285) == Fraction(44, 19)
