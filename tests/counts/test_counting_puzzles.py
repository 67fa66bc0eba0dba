"""Every answer of the counting puzzles once more: by listing, by trying, or by another sum.

Each kind has a function here that takes the facts of a question and counts in another way than
the room of the game does.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise, permutations, product

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


def count_rings(way: str, *facts: object) -> int:
    """By laying all fillings and rings, tile by tile; of kinds that are only numbers."""
    if way == "gap":
        first, last, gap = facts
        return _gaps(gap, *(first[part] == last[part] for part in (0, 1)))
    colours, shapes, places = facts
    wrong = _wrong_joints(len(colours), len(shapes), places)
    return wrong[0] + (wrong[1] if way == "wrong" else 0)


def _fit(a: tuple[int, int], b: tuple[int, int]) -> bool:
    return a[0] == b[0] or a[1] == b[1]


@cache
def _gaps(gap: int, same_colour: bool, same_shape: bool) -> int:
    faces = list(product(range(3), repeat=2))
    ends = (0, 0), (int(not same_colour), int(not same_shape))
    return sum(
        all(_fit(a, b) for a, b in pairwise((ends[0], *filling, ends[1])))
        for filling in product(faces, repeat=gap)
    )


@cache
def _wrong_joints(colours: int, shapes: int, places: int) -> Counter[int]:
    """How many rings have 0 or 1 wrong joints: the lines so far by their ends and their faults."""
    faces = list(product(range(colours), range(shapes)))
    lines = Counter({(face, face, 0): 1 for face in faces})
    for _ in range(places - 1):
        longer: Counter[tuple[tuple[int, int], tuple[int, int], int]] = Counter()
        for (first, last, faults), number in lines.items():
            for face in faces:
                more = faults + (not _fit(last, face))
                if more < 2:
                    longer[first, face, more] += number
        lines = longer
    found: Counter[int] = Counter()
    for (first, last, faults), number in lines.items():
        found[faults + (not _fit(last, first))] += number
    return found


def count_castles(way: str, paints: Sequence[str], *facts: int) -> int:
    """By listing all arrangements and turning each."""
    return _orbits(way, len(paints), facts)


@cache
def _orbits(way: str, paints: int, facts: tuple[int, ...]) -> int:
    places = {"corners": 4, "walls": 8}.get(way) or facts[0]
    step = 2 if way == "walls" else 1
    seen: set[tuple[int, ...]] = set()
    found = 0
    for ring in product(range(paints), repeat=places):
        if way == "round" and ring.count(0) != facts[1]:
            continue
        if way == "differ" and any(a == b for a, b in pairwise((*ring, ring[0]))):
            continue
        if ring in seen:
            continue
        found += 1
        for turned in (ring[by:] + ring[:by] for by in range(0, places, step)):
            seen.add(turned)
            if way != "corners" or facts[0]:
                seen.add((turned[0], *turned[:0:-1]))
    return found


def be_sure(way: str, things: Sequence[object], *facts: object) -> int:
    """By trying all that can be drawn without reaching the aim: the most, and one more."""
    if way == "match":
        return 1 + _most_unmatched(len(things), len(facts[0]))
    alike, others = facts[-1], facts[1] if way == "useless" else 0
    counts = {"plenty": [9] * len(things), "few": facts[0]}.get(way) or [facts[0]] * len(things)
    return 1 + others + _most_without(tuple(sorted(min(count, alike) for count in counts)), alike)


@cache
def _most_without(counts: tuple[int, ...], alike: int) -> int:
    hands = product(*(range(count + 1) for count in counts))
    return max(sum(hand) for hand in hands if max(hand) < alike)


@cache
def _most_unmatched(colours: int, signs: int) -> int:
    """The most tiles of which no two match: colour by colour, with the signs that are taken."""

    def most(colour: int, taken: frozenset[int]) -> int:
        if colour == colours:
            return 0
        free = (1 + most(colour + 1, taken | {s}) for s in range(signs) if s not in taken)
        return max((most(colour + 1, taken), *free))

    return most(0, frozenset())


SECOND_WAYS: dict[str, Callable[..., int | Fraction]] = {
    "castell/count-towers": count_towers,
    "castell/nobody-stays": nobody_stays,
    "castle_keep/count-rings": count_rings,
    "castle_keep/count-castles": count_castles,
    "castle_keep/be-sure": be_sure,
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
