"""Best towers against a plain list of all towers, judged by ``check`` alone."""

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from operator import add, mul

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tower_lists import pile

from castlelab.games.castell.box import Performance
from castlelab.games.castell.count import towers
from castlelab.games.castell.optimum import (
    attainable,
    best_score,
    best_tower,
    may_enter,
    tallest_tower,
)
from castlelab.games.castell.performance import (
    can_perform,
    exhibition_tower,
    exhibits,
    tower_of_shape,
)
from castlelab.games.castell.tower import (
    SKILLS,
    Level,
    Skills,
    Team,
    Tower,
    check,
    check_entry,
    festival_score,
    strength_spent,
)
from castlelab.rules import NotationError


def small_case(seed: int) -> tuple[Team, Skills]:
    """A small team, mostly of neighbouring sizes so that Strength and Mix have work to do."""
    chance = random.Random(seed)
    sizes = chance.sample(range(1, 11), chance.randint(3, 6))
    if chance.random() < 0.6:
        lowest = chance.randint(1, 7)
        sizes = list(range(lowest, lowest + 4))
    most = chance.choice((6, 7, 7, 8, 8, 9))
    castellers = chance.choices(sizes, k=chance.randint(4, most))
    ranks = [chance.choice((0, 0, 1, 1, 2, 2, 3, 4)) for _ in range(5)]
    if len(castellers) > 7:  # keep the list short
        ranks = [min(rank, 2) for rank in ranks[:3]] + ranks[3:]
    return Team(" ".join(map(str, castellers))), Skills(*ranks)


def result_of(tower: Tower, wanted: tuple[int, ...]) -> tuple[int, ...]:
    return tower.height, *(tower.count(size) for size in sorted(set(wanted), reverse=True))


def uses(tower: Tower, rank: int) -> Iterator[dict[str, int]]:
    """Every exact account of the skills in a legal tower, counted straight from the rules.

    Base has so many of the widest levels, and Width is used for the widest of the others.
    """
    neighbours = list(pairwise(tower.levels))
    widths = sorted(tower.widths, reverse=True)
    for base in range(sum(width > 3 for width in widths) + 1):
        width = max(0, max(widths[base:], default=0) - 3)
        if width <= rank:
            yield {
                "balance": sum(below.width == above.width for below, above in neighbours),
                "base": base,
                "mix": sum(level.mixed for level in tower.levels),
                "strength": sum(strength_spent(below, above) for below, above in neighbours),
                "width": width,
            }


def shows(tower: Tower, shown: Skills, skills: Skills) -> bool:
    return any(
        all(shown.rank(skill) <= used[skill] <= skills.rank(skill) for skill in SKILLS)
        for used in uses(tower, skills.width)
    )


@pytest.mark.parametrize("seed", range(220))
def test_every_answer_equals_the_plain_list(seed: int) -> None:
    team, skills = small_case(seed)
    listed = list(pile((), sorted(team), skills))
    chance = random.Random(-seed)
    check_festivals(team, skills, listed, chance)
    check_shapes(team, skills, listed, chance)
    check_exhibitions(team, skills, listed, chance)
    tallest = tallest_tower(team, skills)
    assert tallest is not None
    assert check(tallest, skills, team)
    assert tallest.height == max(tower.height for tower in listed)


def check_festivals(team: Team, skills: Skills, listed: list[Tower], chance: random.Random) -> None:
    for number in (0, 1, 1, 2, 2, 3):
        wanted = tuple(chance.choices([*set(team), *team, chance.randint(1, 10)], k=number))
        entering = [tower for tower in listed if check_entry(tower, wanted)]
        found = attainable(team, skills, wanted)
        assert set(found) == {result_of(tower, wanted) for tower in entering}
        for result, tower in found.items():
            assert check(tower, skills, team)
            assert check_entry(tower, wanted)
            assert result_of(tower, wanted) == result
        best = best_tower(team, skills, wanted)
        if not entering:
            assert best is None
            continue
        assert best is not None
        assert check(best, skills, team)
        assert check_entry(best, wanted)
        top_score = max(festival_score(tower, wanted) for tower in entering)
        assert festival_score(best, wanted) == top_score


def check_shapes(team: Team, skills: Skills, listed: list[Tower], chance: random.Random) -> None:
    shapes = {tower.widths for tower in listed}
    others = {tuple(chance.choices(range(1, 5), k=chance.randint(1, 6))) for _ in range(10)}
    others |= {tuple(sorted(shape, reverse=True)) for shape in others}
    for shape in shapes | others:
        tower = tower_of_shape(shape, team, skills)
        assert (tower is not None) == (shape in shapes)
        if tower is not None:
            assert tower.widths == shape
            assert check(tower, skills, team)


def check_exhibitions(
    team: Team, skills: Skills, listed: list[Tower], chance: random.Random
) -> None:
    for _ in range(12):
        shown = Skills(*(chance.randint(0, skills.rank(skill)) for skill in SKILLS))
        if chance.random() < 0.5:  # show something that some tower does
            used = chance.choice(list(uses(chance.choice(listed), skills.width)))
            shown = Skills(**{skill: min(used[skill], skills.rank(skill)) for skill in SKILLS})
        levels = chance.randint(1, 5)
        fitting = [t for t in listed if t.height >= levels and shows(t, shown, skills)]
        tower = exhibition_tower(levels, shown, team, skills)
        assert (tower is not None) == bool(fitting)
        if tower is not None:
            assert check(tower, skills, team)
            assert tower.height >= levels
            assert shows(tower, shown, skills)
        for one in chance.sample(listed, min(5, len(listed))):
            assert exhibits(one, shown, skills) == shows(one, shown, skills)


def wide_case(seed: int) -> tuple[Team, Skills]:
    """A few sizes with many castellers each, and the skills that wide levels need."""
    chance = random.Random(seed)
    sizes = chance.sample(range(1, 11), chance.randint(3, 4))
    team = Team(" ".join(f"{size}*{chance.choice((2, 4, 4, 5, 5, 6))}" for size in sizes))
    mix, strength = (chance.choice((0, 0, 0, 1)) for _ in range(2))
    balance, base, width = (chance.randint(0, 2) for _ in range(3))
    return team, Skills(balance, base, mix, strength, width)


@pytest.mark.parametrize("seed", range(60))
def test_exhibitions_of_wide_levels_equal_the_plain_list(seed: int) -> None:
    team, skills = wide_case(seed)
    check_exhibitions(team, skills, list(towers(skills, team)), random.Random(-seed))


def plain_results(team: Team, skills: Skills, wanted: tuple[int, ...]) -> set[tuple[int, ...]]:
    """Every result at a festival by trying every level, for teams too large to list."""
    sizes = sorted(set(wanted), reverse=True)

    @cache
    def above(
        size: int, width: int, ranks: tuple[int, int, int, int], left: tuple[int, ...]
    ) -> frozenset[tuple[int, ...]]:
        balance, base, mix, strength = ranks
        found = {(0,) * (1 + len(sizes))}
        for level in every_level(left):
            here = level.width
            spent = (
                balance - (here == width),
                base - (here > 3 + skills.width),
                mix - level.mixed,
                strength - max(0, level.size - size + 1),
            )
            if here > width or min(spent) < 0:
                continue
            rest = tuple(n - level.count(s) for s, n in enumerate(left, start=1))
            shown = (1, *(level.count(s) for s in sizes))
            found |= {tuple(map(add, shown, more)) for more in above(level.size, here, spent, rest)}
        return frozenset(found)

    ranks = skills.balance, skills.base, skills.mix, skills.strength
    results = above(11, len(team) + 1, ranks, team.counts)
    return {result for result in results if result[0] >= 4 and min(result) > 0}


def every_level(left: tuple[int, ...]) -> Iterator[Level]:
    for larger in range(1, 11):
        for count in range(1, left[larger - 1] + 1):
            yield Level(((larger, count),))
            if larger in (4, 6, 8, 10):
                for lesser in range(1, left[larger - 2] + 1):
                    yield Level(((larger, count), (larger - 1, lesser)))


def middle_case(seed: int) -> tuple[Team, Skills, tuple[int, ...]]:
    chance = random.Random(seed)
    lowest = chance.randint(1, 6)
    sizes = [*range(lowest, lowest + 5)]
    castellers = chance.choices(sizes, k=chance.randint(9, 13))
    ranks = [chance.choice((0, 1, 1, 2, 2, 3)) for _ in range(5)]
    wanted = tuple(chance.choices(castellers, k=chance.randint(0, 3)))
    return Team(" ".join(map(str, castellers))), Skills(*ranks), wanted


@pytest.mark.parametrize("seed", range(80))
def test_festivals_of_larger_teams(seed: int) -> None:
    team, skills, wanted = middle_case(seed)
    results = plain_results(team, skills, wanted)
    found = attainable(team, skills, wanted)
    assert set(found) == results
    for tower in found.values():
        assert check(tower, skills, team)
    times = Counter(wanted)
    weights = [1, *(times[size] for size in sorted(times, reverse=True))]
    best = best_tower(team, skills, wanted)
    scores = [sum(map(mul, weights, result)) for result in results]
    assert (best is None) == (not scores)
    if best is not None:
        assert check(best, skills, team)
        assert festival_score(best, wanted) == max(scores)


@pytest.mark.parametrize("seed", range(40))
def test_wanted_sizes_on_many_levels(seed: int) -> None:
    # Lesser sizes stand in levels of their own and in mixed ones, so that low towers, from
    # which no level can be left out, are attainable in fewer ways than tall ones.
    chance = random.Random(seed)
    castellers = chance.choices(range(2, 9), k=13)
    ranks = chance.choice((1, 2)), chance.choice((0, 1)), 3, chance.choice((0, 1)), 2
    team, skills = Team(" ".join(map(str, castellers))), Skills(*ranks)
    wanted = tuple(size for size in (7, 5, 3) if size in castellers)
    found = attainable(team, skills, wanted)
    assert set(found) == plain_results(team, skills, wanted)
    for result, tower in found.items():
        assert check(tower, skills, team)
        assert result_of(tower, wanted) == result


@pytest.mark.parametrize("seed", range(0, 220, 10))
def test_the_two_references_agree(seed: int) -> None:
    team, skills = small_case(seed)
    wanted = tuple(sorted(set(team))[:2])
    listed = [tower for tower in pile((), sorted(team), skills) if check_entry(tower, wanted)]
    assert plain_results(team, skills, wanted) == {result_of(tower, wanted) for tower in listed}


def test_balance_is_kept_for_two_wanted_sizes() -> None:
    # To spend it at once, above them, would be right only if height alone counted.
    tower = best_tower(Team("9*4 8*4 7*2 6*2"), Skills(balance=1, width=1), wanted=(9, 8))
    assert str(tower) == "9*4 8*4 7*2 6"


def test_strength_is_kept_for_where_it_is_needed() -> None:
    # 5*2 on 5 would serve the second level from the top, but 7*3 and 7*4 need the Strength.
    tower = tallest_tower(Team("7*7 6*2 5*3"), Skills(strength=1, width=1))
    assert str(tower) == "7*4 7*3 6*2 5"


def test_a_wanted_size_comes_again_by_strength() -> None:
    team, skills = Team("2*2 1*4"), Skills(balance=2, strength=2)
    assert str(best_tower(team, skills, wanted=(1, 1))) == "2*2 1*2 1 1"


def test_one_larger_casteller_lifts_many_wanted_ones() -> None:
    # All seven are used only if the mixed level is wider than it need be.
    tower = best_tower(Team("8 7*7 5 4"), Skills(balance=1, mix=1, width=3), wanted=(7,))
    assert tower is not None
    assert festival_score(tower, (7,)) == 11
    assert tower.levels[0].mixed


def test_the_small_cases_reach_sizes_out_of_order() -> None:
    """The comparison above would be worth little if every tower were sorted by size."""
    out_of_order = 0
    for seed in range(30):
        team, skills = small_case(seed)
        out_of_order += any(
            below.size < above.size
            for tower in pile((), sorted(team), skills)
            for below, above in pairwise(tower.levels)
        )
    assert out_of_order >= 5


def test_sorting_sizes_within_a_width_would_lose_towers() -> None:
    # 4 on 5, 6 on 4 and 7 on 6 need Strength 0 + 3 + 2; with 6 below 4 it would be 2 + 0 + 4.
    team = Team("5*3 4*2 6*2 7")
    tower = tower_of_shape((3, 2, 2, 1), team, Skills(balance=1, strength=5))
    assert str(tower) == "5*3 4*2 6*2 7"
    assert tower_of_shape((3, 2, 2, 1), team, Skills(balance=1, strength=4)) is None


def test_base_and_width_trade_in_exhibitions() -> None:
    both = Skills(base=1, width=1)
    tower = Tower("9*4 8*2 7")
    assert exhibits(tower, Skills(width=1), both)
    assert exhibits(tower, Skills(base=1), both)
    assert not exhibits(tower, both, both)
    assert not exhibits(tower, Skills(base=1), Skills(width=1))
    assert exhibits(Tower("9*5 8*4 7"), both, both)
    # Width 2 is not truly used where nothing is five wide.
    assert not exhibits(tower, Skills(width=2), Skills(width=2))


def test_base_and_width_share_levels_of_one_width() -> None:
    """``castell/width``: of two levels that are five wide, Base may have one, Width the other."""
    tower = Tower("10*5 9*5 8*2 7")
    skills = Skills(balance=1, base=1, width=2)
    assert check(tower, skills)
    assert exhibits(tower, skills, skills)
    assert exhibits(tower, Skills(base=2), Skills(balance=1, base=2, width=2))
    # Each level counts once: Base cannot have both and leave Width something to do.
    both = Skills(balance=1, base=2, width=2)
    assert not exhibits(tower, both, both)
    # Nor does Base help a level that is within what Width allows the wider one below.
    assert not exhibits(Tower("10*5 9*4 8*2 7"), Skills(base=1, width=2), Skills(base=1, width=2))
    assert exhibition_tower(4, skills, tower.team, skills) == tower
    assert can_perform(Performance(4, shown=skills), tower.team, skills)


def test_two_wide_levels_may_be_of_one_width() -> None:
    team, skills = Team("10*4 9*4 8*2 7"), Skills(base=2, balance=1)
    assert str(exhibition_tower(4, Skills(base=2), team, skills)) == "10*4 9*4 8*2 7"


def test_an_illegal_tower_exhibits_nothing() -> None:
    everything = Skills(5, 5, 5, 5, 5)
    assert not exhibits(Tower("9 8*2"), Skills(), everything)
    assert not exhibits(Tower("9+7 6"), Skills(), everything)
    assert not exhibits(Tower(), Skills(), everything)


def test_example_f_of_the_rulebook_can_be_met() -> None:
    # Six levels, Strength 1, Base 1, Mix 2.
    shown = Skills(strength=1, base=1, mix=2)
    skills = Skills(balance=2, base=1, mix=2, strength=1)
    team = Team("10*3 9*3 8*3 7*3 6*3 5*3 4*2 3*2 2*2 1*2")
    tower = exhibition_tower(6, shown, team, skills)
    assert tower is not None
    assert check(tower, skills, team)
    assert exhibits(tower, shown, skills)
    assert exhibition_tower(6, shown, team, Skills(balance=2, base=1, mix=2)) is None


def test_nobody_builds_nothing() -> None:
    assert tallest_tower(Team()) is None
    assert best_tower(Team()) is None
    assert attainable(Team()) == {}
    assert tower_of_shape((1,), Team()) is None
    assert tower_of_shape((), Team("9")) is None
    assert exhibition_tower(1, Skills(), Team()) is None


def test_wanted_may_be_any_iterable_in_any_order() -> None:
    team, skills = Team("9*4 8*3 7*2 6*2"), Skills(width=1, balance=1)
    assert best_tower(team, skills, iter([7, 9])) == best_tower(team, skills, (9, 7))
    assert attainable(team, skills, [7, 9, 7]).keys() == attainable(team, skills, {9, 7}).keys()


@pytest.mark.parametrize("wanted", [(0,), (11,), ("9",), (True,), (2.0,)])
def test_a_wanted_size_must_exist(wanted: tuple[int, ...]) -> None:
    with pytest.raises(NotationError, match="wanted size"):
        best_tower(Team("9*4"), Skills(), wanted)
    with pytest.raises(NotationError, match="wanted size"):
        attainable(Team("9*4"), Skills(), wanted)


@pytest.mark.parametrize("widths", [(3, 0), (-1,), ("2",)])
def test_a_width_must_be_possible(widths: tuple[int, ...]) -> None:
    with pytest.raises(NotationError, match="width"):
        tower_of_shape(widths, Team("9*4"))


def test_answers_cannot_be_changed_from_outside() -> None:
    found = attainable(Team("9*4 8*3 7*2 6"), Skills(width=1), (9,))
    with pytest.raises(TypeError):
        found[4, 4] = Tower("9")  # type: ignore[index]


ranks = st.integers(0, 3)
skill_sets = st.builds(Skills, ranks, ranks, ranks, ranks, ranks)
teams = st.lists(st.integers(0, 4), min_size=10, max_size=10).map(Team.of)
tokens = st.lists(st.integers(1, 10), max_size=3).map(tuple)


def score(team: Team, skills: Skills, wanted: tuple[int, ...]) -> int:
    tower = best_tower(team, skills, wanted)
    return 0 if tower is None else festival_score(tower, wanted)


@settings(deadline=None, max_examples=60)
@given(teams, skill_sets, tokens)
def test_the_best_tower_is_legal_and_may_enter(
    team: Team, skills: Skills, wanted: tuple[int, ...]
) -> None:
    if tower := best_tower(team, skills, wanted):
        assert check(tower, skills, team)
        assert check_entry(tower, wanted)


@settings(deadline=None, max_examples=40)
@given(teams, skill_sets, tokens)
def test_the_best_tower_is_the_best_attainable_result(
    team: Team, skills: Skills, wanted: tuple[int, ...]
) -> None:
    scores = [festival_score(t, wanted) for t in attainable(team, skills, wanted).values()]
    assert score(team, skills, wanted) == max(scores, default=0)


@settings(deadline=None, max_examples=40)
@given(teams, skill_sets, tokens, st.sampled_from(SKILLS))
def test_a_rank_more_never_lowers_the_score(
    team: Team, skills: Skills, wanted: tuple[int, ...], skill: str
) -> None:
    assert score(team, skills.raised(skill), wanted) >= score(team, skills, wanted)


@settings(deadline=None, max_examples=40)
@given(teams, skill_sets, tokens, st.integers(1, 10))
def test_a_casteller_more_never_lowers_the_score(
    team: Team, skills: Skills, wanted: tuple[int, ...], size: int
) -> None:
    assert score(team + Team(str(size)), skills, wanted) >= score(team, skills, wanted)


@pytest.mark.parametrize("seed", range(12))
def test_scores_of_teams_that_grow_and_shrink_are_those_of_their_best_towers(seed: int) -> None:
    """Whatever was found for teams before, each is told what a plain search finds for it."""
    chance = random.Random(seed)
    team, skills = Team.of(chance.choices(range(4), k=10)), Skills(*chance.choices(range(3), k=5))
    wanted = tuple(chance.sample(sorted(set(team)), chance.randint(1, 2)))
    told = Counter[str]()
    for _ in range(60):
        match chance.randint(0, 3):
            case 0 | 1:
                counts = [*team.counts]
                at = chance.randrange(10)
                counts[at] = max(0, min(5, counts[at] + chance.choice((-1, -1, 1, 1, 1))))
                team = Team.of(counts)
            case 2:
                ranks = [getattr(skills, skill) for skill in SKILLS]
                at = chance.randrange(5)
                ranks[at] = max(0, min(3, ranks[at] + chance.choice((-1, 1))))
                skills = Skills(*ranks)
        tower = best_tower(team, skills, wanted)
        assert may_enter(team, skills, wanted) == (tower is not None)
        plain = None if tower is None else festival_score(tower, wanted)
        for above in (0, *sorted(chance.choices(range(1, 25), k=2))):
            found = best_score(team, skills, wanted, above)
            assert found == (None if plain is None else max(plain, above))
            told["none" if plain is None else "more" if plain > above else "no more"] += 1
    assert told["more"]
    assert told["no more"]


@settings(deadline=None, max_examples=40)
@given(teams, skill_sets)
def test_the_tallest_tower_is_as_tall_as_any_at_a_festival(team: Team, skills: Skills) -> None:
    tallest = tallest_tower(team, skills)
    assert (tallest is None) == (len(team) == 0)
    if best := best_tower(team, skills):
        assert tallest is not None
        assert best.height == tallest.height
