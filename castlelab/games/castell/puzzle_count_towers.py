"""Castell's puzzle count-towers: how many towers can a team build?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from math import comb, factorial, prod

from castlelab.chance import Chance
from castlelab.counting import CountQuestion, KnownSlip, count_maker
from castlelab.draw.exhibit import ExhibitRow, Tag
from castlelab.games.castell.tower import SIZES
from castlelab.rules import counted, listed

_RULES = ("castell/level-one-size", "castell/level-smaller", "castell/level-shrinks")
_WHERE = "Choose sizes and widths apart. In how many orders can each of them stand in a tower?"

Sizes = tuple[int, ...]


def _some_sizes(numbers: range, chance: Chance) -> tuple[Sizes, Chance]:
    """Some sizes of castellers, the largest first."""
    number, chance = chance.choice(numbers)
    sizes, chance = chance.sample(SIZES, number)
    return tuple(sorted(sizes, reverse=True)), chance


def shirts(sizes: Sequence[int]) -> tuple[Tag, ...]:
    """A tag for each size, in the colour of its shirts."""
    return tuple(Tag(f"{size}", f"ramp-{size}") for size in sizes)


def _levels(sizes: Sequence[int], widths: Sequence[int]) -> tuple[Tag, ...]:
    """A tower as tags, base first: "9 × 2"."""
    pairs = zip(sizes, widths, strict=True)
    return tuple(Tag(f"{size} × {width}", f"ramp-{size}") for size, width in pairs)


def _team_row(sizes: Sizes, each: int) -> ExhibitRow:
    return ExhibitRow(f"Your team: {each} castellers of each of these sizes.", shirts(sizes))


def _order_slip(value: int, sizes: Sizes) -> KnownSlip:
    large, small = sizes[0], sizes[-1]
    return KnownSlip(
        value,
        "You have put the sizes in order, too. But the order is forced: the larger below.",
        (
            ExhibitRow("This tower, base first, stands.", _levels((large, small), (2, 1)), "yes"),
            ExhibitRow("This one does not.", _levels((small, large), (2, 1)), "no"),
        ),
    )


def by_height(sizes: int, widest: int) -> list[int]:
    """How many towers of 1, 2, 3 … levels there are without a skill.

    >>> by_height(5, 2)
    [10, 10]
    """
    return [comb(sizes, h) * comb(widest, h) for h in range(1, min(sizes, widest) + 1)]


def _sum_words(sizes: int, widest: int) -> str:
    parts = [f"{comb(sizes, h)} · {comb(widest, h)}" for h in range(1, min(sizes, widest) + 1)]
    return f"Level by level: {' + '.join(parts)} = {sum(by_height(sizes, widest))}."


def _all_towers(sizes: Sizes, widest: int) -> CountQuestion:
    number = len(sizes)
    towers = by_height(number, widest)
    in_order = sum(count * factorial(h) for h, count in enumerate(towers, 1))
    return CountQuestion(
        prompt=f"You have {widest} castellers of each size, and no skill. How many different "
        "towers can you build?",
        facts=("all", sizes, widest),
        answer=sum(towers),
        because=_sum_words(number, widest),
        slips=(
            KnownSlip(
                sum(towers) + 1,
                "You have counted the tower of nobody, too. It does not stand.",
                (ExhibitRow("Nobody is no tower.", (Tag(""),), "no"),),
            ),
            KnownSlip(
                towers[0],
                "These are the towers of one level. Higher ones count, too.",
                (ExhibitRow("This one is missing.", _levels(sizes[:2], (2, 1)), "yes"),),
            ),
            _order_slip(in_order, sizes),
        ),
        hints=(_WHERE, f"Towers of one level: {number} · {widest}. Go on with two levels."),
        rules=(*_RULES, "castell/own-castellers"),
        rows=(_team_row(sizes, widest),),
    )


def _of_height(sizes: Sizes, widest: int, height: int) -> CountQuestion:
    number = len(sizes)
    pick, wide = comb(number, height), comb(widest, height)
    words = {2: "two", 3: "three"}[height]
    return CountQuestion(
        prompt=f"You have no skill. How many different towers of {words} levels can you build?",
        facts=("height", sizes, widest, height),
        answer=pick * wide,
        because=f"{pick} ways to choose the sizes, {wide} to choose the widths: {pick * wide}.",
        slips=(
            _order_slip(pick * wide * factorial(height), sizes),
            KnownSlip(
                pick + wide,
                "You have added. But each choice of sizes goes with each choice of widths.",
                tuple(
                    ExhibitRow("", _levels(sizes[:height], widths), "yes")
                    for widths in list(combinations(range(widest, 0, -1), height))[:2]
                ),
            ),
            KnownSlip(
                pick * widest**height,
                "The widths must become smaller upwards.",
                (ExhibitRow("Too wide above.", _levels(sizes[:2], (1, 1)), "no"),),
            ),
        ),
        hints=(_WHERE, f"The sizes can be chosen in {pick} ways. And the widths?"),
        rules=_RULES,
        rows=(_team_row(sizes, widest),),
    )


def shrinking_widths(people: int, widest: int) -> list[tuple[int, ...]]:
    """The widths of towers with so many people, base first.

    >>> shrinking_widths(5, 4)
    [(4, 1), (3, 2)]
    """
    every = range(widest, 0, -1)
    found = (ways for h in every for ways in combinations(every, h))
    return sorted((ways for ways in found if sum(ways) == people), reverse=True)


def _level_ways(people: int, widest: int) -> list[tuple[int, ...]]:
    """Widths with so many people that need not become smaller, only not larger."""
    if not people:
        return [()]
    bases = range(min(people, widest), 0, -1)
    return [(base, *above) for base in bases for above in _level_ways(people - base, base)]


def _of_people(sizes: Sizes, widest: int, people: int) -> CountQuestion:
    number, shapes = len(sizes), shrinking_widths(people, widest)
    answer = sum(comb(number, len(widths)) for widths in shapes)
    level = sum(comb(number, len(widths)) for widths in _level_ways(people, widest))
    ordered = sum(prod(range(number - len(w) + 1, number + 1)) for w in shapes)
    told = [f"{'-'.join(map(str, widths))} in {comb(number, len(widths))}" for widths in shapes]
    skill = f"Width {widest - 3}" if widest > 3 else "no skill"
    return CountQuestion(
        prompt=f"You have {skill}, so at most {widest} stand in a level. How many different towers "
        f"of just {people} castellers can you build?",
        facts=("people", sizes, widest, people),
        answer=answer,
        because=f"Widths {listed(told)} ways: {answer}.",
        slips=(
            KnownSlip(
                len(shapes),
                "These are the shapes. Each can be built with other sizes, too.",
                tuple(
                    ExhibitRow("", _levels(some, shapes[0]), "yes")
                    for some in (sizes[: len(shapes[0])], sizes[-len(shapes[0]) :])
                ),
            ),
            KnownSlip(
                level,
                "You have let equal widths lie on one another.",
                (ExhibitRow("Not fewer above.", _levels(sizes[:2], (2, 2)), "no"),),
            ),
            _order_slip(ordered, sizes),
        ),
        hints=(
            "Which shapes are there, with fewer people on each level than below?",
            f"{counted(len(shapes), 'shape')}: for each choose as many sizes as it has levels.",
        ),
        rules=(*_RULES, "castell/max-width", *["castell/width"] * (widest > 3)),
        rows=(_team_row(sizes, widest),),
    )


def with_balance(sizes: int, spots: Callable[[int], int]) -> int:
    """Towers with Balance 1: h widths, or h − 1 of which one comes twice, in so many spots."""
    ways = range(1, 5)
    return sum(comb(sizes, h) * (comb(3, h) + spots(h) * comb(3, h - 1)) for h in ways)


def _balanced(sizes: Sizes) -> CountQuestion:
    number = len(sizes)
    plain, answer = sum(by_height(number, 3)), with_balance(number, lambda h: h - 1)
    return CountQuestion(
        prompt="With Balance 1, one level of a tower may be as wide as the one below it. How many "
        "different towers can you build?",
        facts=("balance", sizes),
        answer=answer,
        because=f"{plain} towers need no Balance, and {answer - plain} need it: together {answer}.",
        slips=(
            KnownSlip(
                plain,
                "You have forgotten those that need Balance.",
                (ExhibitRow("This stands, too.", _levels(sizes[:2], (2, 2)), "yes"),),
            ),
            KnownSlip(
                answer - plain,
                "You have counted only those that need Balance. Others stand as well.",
                (ExhibitRow("This stands, too.", _levels(sizes[:2], (2, 1)), "yes"),),
            ),
            KnownSlip(
                with_balance(number, lambda h: h),
                "Of the widths of a tower one comes twice. There is one width fewer than levels.",
                (ExhibitRow("Two widths, three levels.", _levels(sizes[:3], (2, 2, 1)), "yes"),),
            ),
        ),
        hints=(
            "Count the towers that need no Balance first, then those in which a width comes twice.",
            f"{plain} towers need no Balance. With two levels and Balance: {comb(number, 2)} · 3.",
        ),
        rules=("castell/balance", *_RULES),
        rows=(_team_row(sizes, 3),),
    )


def _level_1(chance: Chance) -> CountQuestion:
    sizes, chance = _some_sizes(range(4, 7), chance)
    return _all_towers(sizes, 2)


def _level_2(chance: Chance) -> CountQuestion:
    sizes, chance = _some_sizes(range(5, 8), chance)
    return _all_towers(sizes, 3)


def _level_3(chance: Chance) -> CountQuestion:
    sizes, chance = _some_sizes(range(5, 9), chance)
    height, chance = chance.choice((2, 3))
    return _of_height(sizes, 3, height)


def _level_4(chance: Chance) -> CountQuestion:
    sizes, chance = _some_sizes(range(5, 8), chance)
    widest, chance = chance.choice((3, 4, 5))
    people, chance = chance.choice(range(4, 2 * widest))
    return _of_people(sizes, widest, people)


def _level_5(chance: Chance) -> CountQuestion:
    sizes, chance = _some_sizes(range(5, 9), chance)
    return _balanced(sizes)


make_count_towers = count_maker({1: _level_1, 2: _level_2, 3: _level_3, 4: _level_4, 5: _level_5})
