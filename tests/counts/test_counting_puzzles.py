"""Every answer of the counting puzzles once more: by listing, by trying, or by another sum.

Each kind has a function here that takes the facts of a question and counts in another way than
the room of the game does.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import accumulate, combinations, pairwise, permutations, product

import pytest

from castlelab.games.castell.count import towers
from castlelab.games.castell.tower import Skills, Team
from castlelab.games.castlescape.count import walls_round
from castlelab.puzzles import LEVELS, Puzzle, puzzle

SEEDS = 200
DIFFERENT = 40  # of them, at least
#: "There are 1", "1 ways", "1 other groups": not the end of a sum, and no fraction.
ONE_OF_MANY = re.compile(
    r"\bare 1\b(?![/\d]|[.,]\d)|(?<![-+·−*/=] )(?<![\d/.,])\b1 (?:[a-z]+ )?[a-z]+s\b"
)


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
    colours, shapes, places, laid = facts
    wrong = _wrong_joints(len(colours), len(shapes), places, bool(laid))
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
def _wrong_joints(colours: int, shapes: int, places: int, is_laid: bool) -> Counter[int]:
    """How many rings have 0 or 1 wrong joints: the lines so far by their ends and their faults."""
    faces = list(product(range(colours), range(shapes)))
    lines = Counter({(face, face, 0): 1 for face in faces[: 1 if is_laid else None]})
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


def count_orders(way: str, cards: Sequence[int], attack: int, fall: int = 0) -> int | Fraction:
    """By trying all orders."""
    fallen = [sum(paid <= attack for paid in accumulate(o)) for o in permutations(cards)]
    if way == "average":
        return Fraction(sum(fallen), len(fallen))
    orders = zip(permutations(cards), fallen, strict=True)
    enough = [order for order, number in orders if number >= fall]
    return len(set(enough)) if way == "twins" else len(enough)


def gate_first(begun: Sequence[str], gate: int, castle: int, least: int) -> int:
    """Card by card."""
    lead = begun.count("Gate") - begun.count("Castle")
    return _stays_ahead(lead, gate, castle, least)


@cache
def _stays_ahead(lead: int, gate: int, castle: int, least: int) -> int:
    if lead < least:
        return 0
    if not gate and not castle:
        return 1
    more = _stays_ahead(lead + 1, gate - 1, castle, least) if gate else 0
    return more + (_stays_ahead(lead - 1, gate, castle - 1, least) if castle else 0)


def pay_exactly(way: str, cards: Sequence[int], cost: int) -> int:
    """By trying how often each card may come."""
    most = {"exactly": 1, "at most": 1, "twice": 2, "many": cost}[way]
    tried = product(*(range(min(most, cost // card) + 1) for card in cards))
    paid = [sum(n * card for n, card in zip(times, cards, strict=True)) for times in tried]
    return sum(price <= cost if way == "at most" else price == cost for price in paid)


def count_walls(way: str, *facts: int) -> int:
    """By looking at the squares: rectangles, all that fit into them, rows of courts."""
    if way in ("court", "row"):
        courts = facts[0] if way == "row" else 1
        high, wide = facts[-2:]
        ground = {
            (row, number * (wide + 1) + column)
            for number in range(courts)
            for row in range(high)
            for column in range(wide)
        }
        return len(walls_round(ground))
    if way == "fewest":
        return min(_walls_of(high, -(-facts[0] // high)) for high in range(1, facts[0] + 1))
    if way == "largest":
        sides = range(1, facts[0])
        fit = (a * b for a, b in product(sides, repeat=2) if _walls_of(a, b) <= facts[0])
        return max(fit)
    if way == "rectangle":
        return _cut_courts(*facts)
    least = count_walls("fewest", *facts)
    found = 0
    for high in range(1, facts[0] + 1):
        wide = (least - 4) // 2 - high
        if wide > 0 and high * wide >= facts[0]:
            found += _cut_courts(high, wide, high * wide - facts[0])
    return found


def _walls_of(high: int, wide: int) -> int:
    return 2 * (high + wide) + 4


@cache
def _cut_courts(high: int, wide: int, missing: int) -> int:
    """By leaving out any squares of a rectangle whose walls then are no more than before.

    A square with ground on opposite sides of it becomes a wall inside; so what is left out grows
    from the corners, and a search that only takes corners of what is left misses none.
    """
    whole = frozenset(product(range(high), range(wide)))
    courts = {whole}
    for _ in range(missing):
        courts = {
            court - {square} for court in courts for square in court if _is_corner(court, square)
        }
    good = [court for court in courts if len(walls_round(court)) == _walls_of(high, wide)]
    full = [c for c in good if {r for r, _ in c} == set(range(high))]
    return sum({column for _, column in court} == set(range(wide)) for court in full)


def _is_corner(court: frozenset[tuple[int, int]], square: tuple[int, int]) -> bool:
    row, column = square
    beside = [(row, column - 1), (row, column + 1)], [(row - 1, column), (row + 1, column)]
    return all(any(each not in court for each in pair) for pair in beside)


def count_joints(way: str, *facts: object) -> int:
    """By pouring water round the walls and into what stays dry."""
    rows = str(facts[-1]).split("/")
    if way == "joints":
        across = sum(a == b == "#" for row in rows for a, b in pairwise(row))
        down = sum(a == b == "#" for pair in pairwise(rows) for a, b in zip(*pair, strict=True))
        return across + down
    wide = len(rows[0]) + 2
    padded = ["." * wide, *(f".{row}." for row in rows), "." * wide]
    dry = {(r, c) for r, row in enumerate(padded) for c, sign in enumerate(row) if sign == "."}
    found = 0
    while dry:
        waiting = [dry.pop()]
        found += 1
        while waiting:
            row, column = waiting.pop()
            for near in product((row - 1, row, row + 1), (column - 1, column, column + 1)):
                if near in dry:
                    dry.remove(near)
                    waiting.append(near)
    return found - 1


def first_hand(way: str, deck: Sequence[int], drawn: int, wanted: int = 0) -> int | Fraction:
    """By dealing all hands."""
    cards = [kind for kind, count in enumerate(deck) for _ in range(count)]
    dealt = [Counter(hand) for hand in combinations(cards, drawn)]
    if way == "hands":
        return len({tuple(sorted(hand.items())) for hand in dealt})
    good = {
        "one": lambda hand: hand[0] > 0,
        "exactly": lambda hand: hand[0] == wanted,
        "both": lambda hand: hand[0] and hand[1],
        "all": lambda hand: len(hand) == len(deck),
    }[way]
    return Fraction(sum(bool(good(hand)) for hand in dealt), len(dealt))


def count_throws(wants: Sequence[str], dice: int, wild: bool, likely: bool) -> int | Fraction:
    """Die by die: what is still wanted, and how many ? are kept for the end."""
    ways = Counter({(frozenset(wants), 0): 1})
    for _ in range(dice):
        after: Counter[tuple[frozenset[str], int]] = Counter()
        for (left, jokers), number in ways.items():
            for side in ("wood", "stone", "gold", "food", "residents", "?"):
                after[left - {side}, jokers + (wild and side == "?")] += number
        ways = after
    good = sum(number for (left, jokers), number in ways.items() if len(left) <= jokers)
    return Fraction(good, 6**dice) if likely else good


def count_rolls(missing: Sequence[str], dice: int, wild: bool, lines: int) -> float:
    """Roll after roll: the least average that can be had in 1, 2, 3 … rolls, until it stays."""
    return pytest.approx(lines * _waits(tuple(missing), dice, wild), rel=1e-9)


@cache
def _waits(missing: tuple[str, ...], dice: int, wild: bool) -> float:
    sides = ("wood", "stone", "gold", "food", "residents", "?")
    states = {tuple(part) for n in range(len(missing) + 1) for part in combinations(missing, n)}

    def uses(state: tuple[str, ...], roll: Sequence[str]) -> set[tuple[str, ...]]:
        if not roll:
            return {state}
        found = uses(state, roll[1:])
        for want in {w for w in state if w == roll[0] or (wild and roll[0] == "?")}:
            left = list(state)
            left.remove(want)
            found |= uses(tuple(left), roll[1:])
        return found

    rolls = list(product(sides, repeat=dice))
    ends = {state: [uses(state, roll) for roll in rolls] for state in states if state}
    worth = dict.fromkeys(states, 0.0)
    for _ in range(600):
        worth = {
            state: 1 + sum(min(worth[end] for end in may) for may in ends[state]) / len(rolls)
            if state
            else 0.0
            for state in states
        }
    return worth[missing]


def last_guard(way: str, *facts: object) -> int:
    """By playing all games to their ends."""
    if way == "few":
        tiles, most = facts
        wins = [n for n in range(1, most + 1) if not _wins_few(tiles - n, most)]
        assert len(wins) == 1
        return wins[0]
    if way in ("two", "three"):
        piles = facts if way == "two" else facts[0]
        place = 1 if way == "two" else facts[1]
        wins = [
            taken
            for taken in range(1, piles[place] + 1)
            if not _wins_piles(tuple(sorted((*_but(piles, place), piles[place] - taken))))
        ]
        assert len(wins) == 1
        return wins[0]
    spots = "#".join(facts[0])
    return sum(not _wins_guards(after) for after in _posted(_closed(spots)))


def _but(piles: Sequence[int], place: int) -> list[int]:
    return [pile for at, pile in enumerate(piles) if at != place]


@cache
def _wins_few(tiles: int, most: int) -> bool:
    return any(not _wins_few(tiles - n, most) for n in range(1, min(most, tiles) + 1))


@cache
def _wins_piles(piles: tuple[int, ...]) -> bool:
    return any(
        not _wins_piles(tuple(sorted((*_but(piles, at), left))))
        for at, pile in enumerate(piles)
        for left in range(pile)
    )


def _closed(spots: str) -> str:
    """Only what is free, #s between."""
    free = "".join(
        "." if sign == "." and "G" not in spots[max(0, at - 1) : at + 2] else "#"
        for at, sign in enumerate(spots)
    )
    return "#".join(sorted(filter(None, free.split("#"))))


def _posted(spots: str) -> Iterator[str]:
    for at, sign in enumerate(spots):
        if sign == ".":
            yield _closed(f"{spots[:at]}G{spots[at + 1 :]}")


@cache
def _wins_guards(spots: str) -> bool:
    return any(not _wins_guards(after) for after in _posted(spots))


SECOND_WAYS: dict[str, Callable[..., int | Fraction]] = {
    "castell/count-towers": count_towers,
    "castell/nobody-stays": nobody_stays,
    "castle_keep/count-rings": count_rings,
    "castle_keep/count-castles": count_castles,
    "castle_keep/be-sure": be_sure,
    "castle_keep/last-guard": last_guard,
    "castle_rampage/count-orders": count_orders,
    "castle_rampage/gate-first": gate_first,
    "castle_rampage/pay-exactly": pay_exactly,
    "castlescape/count-walls": count_walls,
    "castlescape/count-joints": count_joints,
    "castlescape/first-hand": first_hand,
    "once_upon_a_castle/count-throws": count_throws,
    "once_upon_a_castle/count-rolls": count_rolls,
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
        assert count(*each.start) == each.solution.value, each.code


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
def test_one_is_never_many(kind: str, level: int) -> None:
    for each in made(kind, level):
        question = each.judge.__self__
        slips = [slip.words for slip in question.slips]
        for told in (question.prompt, *question.hints, question.because, *slips):
            assert not ONE_OF_MANY.search(told), each.code


@every_kind
@every_level
def test_answers_and_slips_are_exact(kind: str, level: int) -> None:
    for each in made(kind, level):
        numbers = (each.judge.__self__.answer, *(s.value for s in each.judge.__self__.slips))
        assert all(isinstance(number, int | Fraction) for number in numbers)
        assert max(map(Fraction, numbers)) < 10**12  # what can be typed
