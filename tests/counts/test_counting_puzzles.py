"""Every answer of the counting puzzles once more: by listing, by trying, or by another sum.

Each kind has a function here that takes the facts of a question and counts in another way than
the room of the game does.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations

import pytest

from castlelab.games.castell.count import towers
from castlelab.games.castell.tower import Skills, Team
from castlelab.puzzles import LEVELS, Puzzle, puzzle

SEEDS = 200
DIFFERENT = 40  # of them, at least


def count_towers(way: str, sizes: Sequence[int], *rest: int) -> int:
    """By building every tower, one by one. Which sizes they are makes no difference."""
    widest = rest[0] if rest else 3
    skills = Skills(width=max(0, widest - 3), balance=int(way == "balance"))
    counted = _towers(len(sizes), widest, skills)
    if way == "height":
        return sum(number for (height, _), number in counted.items() if height == rest[1])
    if way == "people":
        return sum(number for (_, people), number in counted.items() if people == rest[1])
    return counted.total()


@cache
def _towers(sizes: int, widest: int, skills: Skills) -> Counter[tuple[int, int]]:
    team = Team(" ".join(f"{size}*{widest}" for size in range(1, sizes + 1)))
    return Counter((len(each.levels), len(each.team)) for each in towers(skills, team))


def nobody_stays(way: str, people: Sequence[int], more: object = None) -> int:
    """By trying all orders, or place by place with the set of those who have one."""
    if way == "level":
        return _on_other_levels(more)
    stay = _stay(len(people))
    return {"nobody": stay[0], "some": stay[more], "one": stay.total() - stay[0]}[way]


@cache
def _stay(people: int) -> Counter[int]:
    """How many orders leave so many at their places."""
    places = range(people)
    orders = permutations(places)
    return Counter(sum(a == b for a, b in zip(o, places, strict=True)) for o in orders)


@cache
def _on_other_levels(widths: Sequence[int]) -> int:
    level_of = [level for level, width in enumerate(widths) for _ in range(width)]

    @cache
    def fill(place: int, left: frozenset[int]) -> int:
        if place == len(level_of):
            return 1
        free = (who for who in left if level_of[who] != level_of[place])
        return sum(fill(place + 1, left - {who}) for who in free)

    return fill(0, frozenset(range(len(level_of))))


SECOND_WAYS: dict[str, Callable[..., int | Fraction]] = {
    "castell/count-towers": count_towers,
    "castell/nobody-stays": nobody_stays,
}
every_kind = pytest.mark.parametrize("kind", SECOND_WAYS)
every_level = pytest.mark.parametrize("level", LEVELS)


@cache
def made(kind: str, level: int) -> list[Puzzle]:
    return [puzzle(f"{kind}-{level}-{seed}") for seed in range(SEEDS)]


@every_kind
@every_level
def test_there_are_many_different_puzzles(kind: str, level: int) -> None:
    assert len({(each.prompt, str(each.start)) for each in made(kind, level)}) >= DIFFERENT


@every_kind
@every_level
def test_the_answer_is_the_same_in_another_way(kind: str, level: int) -> None:
    count = cache(SECOND_WAYS[kind])
    for each in made(kind, level):
        assert each.solution.value == count(*each.start), each.code


@every_kind
@every_level
def test_every_slip_is_told_apart_and_shown(kind: str, level: int) -> None:
    for each in made(kind, level)[:10]:
        question = each.judge.__self__
        assert len(question.slips) >= 2
        for slip in question.slips:
            said = each.check(str(Fraction(slip.value)))
            assert not said
            assert said.message.endswith(slip.words)
            assert slip.rows, f"{each.code}: no picture of {slip.words}"
            place = each.picture(str(slip.value)).target("answer")
            assert place is not None
            assert slip.rows[0].told in place.name


@every_kind
@every_level
def test_answers_and_slips_are_exact(kind: str, level: int) -> None:
    for each in made(kind, level):
        numbers = (each.judge.__self__.answer, *(s.value for s in each.judge.__self__.slips))
        assert all(isinstance(number, int | Fraction) for number in numbers)
        assert max(map(Fraction, numbers)) < 10**12  # what can be typed
