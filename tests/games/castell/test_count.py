"""Counting towers against a plain list of them, judged by ``check`` alone."""

import random
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tower_lists import pile

from castlelab.games.castell.count import count_by_height, count_towers, towers
from castlelab.games.castell.tower import Skills, Team


def small_teams(number: int, seed: int, largest: int = 8) -> Iterator[tuple[Team, Skills]]:
    """Teams of a few neighbouring sizes, so that Strength and Mix have something to do."""
    chance = random.Random(seed)
    for _ in range(number):
        sizes = chance.sample(range(1, 11), chance.randint(2, 5))
        if chance.random() < 0.7:
            lowest = chance.randint(1, 8)
            sizes = list(range(lowest, lowest + 3))
        castellers = chance.choices(sizes, k=chance.randint(4, largest))
        ranks = [chance.choice((0, 0, 1, 1, 2, 3)) for _ in range(5)]
        yield Team(" ".join(map(str, castellers))), Skills(*ranks)


@pytest.mark.parametrize(("team", "skills"), list(small_teams(120, seed=1, largest=7)), ids=str)
def test_counts_equal_the_plain_list(team: Team, skills: Skills) -> None:
    listed = list(pile((), sorted(team), skills))
    assert len(set(listed)) == len(listed)
    assert count_towers(skills, team) == len(listed)
    heights = Counter(tower.height for tower in listed)
    assert count_by_height(skills, team) == tuple(heights[h] for h in sorted(heights))
    assert set(towers(skills, team)) == set(listed)


# Teams with more castellers than some sizes can use, where the states forget the surplus.
@pytest.mark.parametrize(
    ("team", "skills"),
    [
        (Team("6*9 5*9 4*9"), Skills(strength=1)),
        (Team("6*7 5*7"), Skills(strength=2, balance=1)),
        (Team("6*6 5*6"), Skills(mix=2, strength=1)),
        (Team("4*4 3*5 2*4"), Skills(mix=1, strength=1, balance=1)),
        (Team("6*8 5*8 4*8"), Skills(base=1, strength=1)),
        (Team("6*7 5*8"), Skills(base=2, mix=1)),
        (Team("8*6 7*6"), Skills(base=1, mix=1, strength=1, balance=1)),
        (Team("5*12"), Skills(base=2, strength=3, balance=2)),
        (Team("10*5 9*5"), Skills(width=2, mix=2, strength=2)),
        (Team("2*6 1*6"), Skills(width=1, mix=2, strength=3, balance=1)),
    ],
    ids=str,
)
def test_counts_with_castellers_to_spare(team: Team, skills: Skills) -> None:
    listed = [tower.height for tower in towers(skills, team)]
    assert count_towers(skills, team) == len(listed)
    assert sum(count_by_height(skills, team)) == len(listed)


def test_nobody_builds_nothing() -> None:
    assert count_towers(team=Team()) == 0
    assert count_by_height(team=Team()) == ()
    assert list(towers(team=Team())) == []


ranks = st.integers(0, 2)
skill_sets = st.builds(Skills, ranks, ranks, ranks, ranks, ranks)
teams = st.lists(st.integers(0, 4), min_size=10, max_size=10).map(Team.of)


@settings(deadline=None, max_examples=40)
@given(teams, skill_sets, st.integers(1, 10))
def test_one_casteller_more_never_lowers_the_count(team: Team, skills: Skills, size: int) -> None:
    more = count_towers(skills, team + Team(str(size)))
    # The newcomer may at least stand there alone, unless others of the size already could.
    assert more >= count_towers(skills, team) + (team.count(size) == 0)


@settings(deadline=None, max_examples=40)
@given(teams, skill_sets, st.sampled_from(["balance", "base", "mix", "strength", "width"]))
def test_one_rank_more_never_lowers_the_count(team: Team, skills: Skills, skill: str) -> None:
    assert count_towers(skills.raised(skill), team) >= count_towers(skills, team)
