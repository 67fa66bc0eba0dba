"""The numbers of towers that the rule sheet cites, by formula, by states and one by one."""

import pytest

from castlelab.games.castell.count import count_by_height, count_towers, towers, vandermonde
from castlelab.games.castell.tower import Skills, Team


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
