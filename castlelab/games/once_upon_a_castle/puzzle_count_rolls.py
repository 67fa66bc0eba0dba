"""Once Upon a Castle's puzzle count-rolls: how many rolls does it take on average?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod

from castlelab.chance import Chance
from castlelab.counting import CountQuestion, KnownSlip, count_maker
from castlelab.draw.exhibit import ExhibitRow, Tag
from castlelab.games.once_upon_a_castle.puzzle_count_throws import SIDES, side_tags

RESOURCES = ("wood", "stone", "gold", "food")

_RULES = ("once_upon_a_castle/roll", "once_upon_a_castle/resource")
_WILD = ("once_upon_a_castle/any",)
_WHERE = (
    "What happens with chance p takes 1/p rolls on average. What does the line miss after a roll?"
)

Missing = tuple[str, ...]


def _results(missing: Missing, roll: Sequence[str], wild: bool) -> frozenset[Missing]:
    """What may still be missing after a roll, however its dice are used."""
    found = {missing}
    for side in roll:
        for left in tuple(found):
            for number, want in enumerate(left):
                if side == want or (wild and side == "?"):
                    found.add((*left[:number], *left[number + 1 :]))
    return frozenset(found)


@cache
def average_rolls(missing: Missing, dice: int, *, wild: bool) -> Fraction:
    """The average number of rolls: one for sure, then what comes next. A ? goes where it helps.

    >>> [str(average_rolls(each, 2, wild=True)) for each in (("wood",), ("stone", "wood"))]
    ['9/5', '8/3']
    """
    if not missing:
        return Fraction(0)
    steps: Counter[Missing] = Counter()
    for roll in product((*RESOURCES, "residents", "?"), repeat=dice):
        better = [left for left in _results(missing, roll, wild) if left != missing]
        costs = {left: average_rolls(left, dice, wild=wild) for left in better}
        steps[min(costs, key=lambda left: (costs[left], left), default=missing)] += 1
    stays = Fraction(steps.pop(missing, 0), SIDES**dice)
    after = sum(
        (
            Fraction(number, SIDES**dice) * average_rolls(left, dice, wild=wild)
            for left, number in steps.items()
        ),
        Fraction(1),
    )
    return after / (1 - stays)


def _rows(missing: Missing, dice: int, wild: bool, lines: int) -> tuple[ExhibitRow, ...]:
    joker = "A ? is whatever you like." if wild else "A ? does not help this time."
    each = "A line misses" if lines == 1 else f"Each of {lines} lines misses"
    return (
        ExhibitRow(f"{each} these, each on a die of its own.", side_tags(missing)),
        ExhibitRow(
            f"A die shows Wood, Stone, Gold, Food, Residents or ?. {joker}",
            tuple(Tag(f"die {number}") for number in range(1, dice + 1)),
        ),
    )


def _prompt(dice: int, lines: int) -> str:
    thrown = "one die" if dice == 1 else f"{dice} dice"
    if lines == 1:
        return f"Each roll is {thrown}. How many rolls does it take on average to fill the line?"
    return (
        f"Each roll is {thrown}, and {lines} lines are filled one after the other. How many rolls "
        "does it take in all, on average?"
    )


def _one_missing(want: str, dice: int, wild: bool, lines: int) -> CountQuestion:
    sides = 2 if wild else 1
    chance = 1 - Fraction(SIDES - sides, SIDES) ** dice
    answer = lines / chance
    other = lines * average_rolls((want,), dice, wild=not wild)
    told = f", times {lines}" if lines > 1 else ""
    return CountQuestion(
        prompt=_prompt(dice, lines),
        facts=((want,), dice, wild, lines),
        answer=answer,
        because=f"A roll helps with chance {chance}, so it takes {1 / chance} rolls{told}.",
        slips=(
            KnownSlip(
                lines * chance,
                "That is the chance that a roll helps. The waiting time is one divided by it.",
                (ExhibitRow("The smaller the chance, the longer it takes.", side_tags((want,))),),
            ),
            KnownSlip(
                Fraction(lines * SIDES, dice * sides),
                "You have added the chances of the dice. Rolls in which both help count once."
                if dice > 1
                else "A die has six sides.",
                (ExhibitRow("Counted twice.", side_tags((want, want)), "no"),),
            ),
            KnownSlip(
                other,
                "You have forgotten the ?: it helps, too."
                if wild
                else "The ? does not help this time.",
                (ExhibitRow("What about this?", side_tags(("?",))),),
            ),
        ),
        hints=(
            "How likely does a roll help? What happens with chance p takes 1/p rolls on average.",
            f"{SIDES - sides} of {SIDES} sides of a die do not help. All dice of a roll must fail.",
        ),
        rules=(*_RULES, *_WILD * wild),
        rows=_rows((want,), dice, wild, lines),
        fraction=True,
    )


def _several_missing(missing: Missing, dice: int, wild: bool, lines: int) -> CountQuestion:
    one = average_rolls(missing, dice, wild=wild)
    alone = [average_rolls((want,), dice, wild=wild) for want in missing]
    once = prod((1 / average for average in alone), start=Fraction(1))
    number = len(missing)
    told = f"; {lines} lines take {lines * one}" if lines > 1 else ""
    return CountQuestion(
        prompt=_prompt(dice, lines),
        facts=(missing, dice, wild, lines),
        answer=lines * one,
        because=f"One roll is spent for sure, then fewer things are missing, or the same: {one} "
        f"rolls{told}.",
        slips=(
            KnownSlip(
                lines * sum(alone, Fraction(0)),
                "You have waited for one after the other. While you wait, another may come.",
                (ExhibitRow("It helps at once, too.", side_tags(missing[-1:]), "yes"),),
            ),
            KnownSlip(
                lines * alone[-1],
                "That is the wait for the last one only.",
                (ExhibitRow("These have to come before.", side_tags(missing[:-1])),),
            ),
            KnownSlip(
                lines / once,
                "You have waited for all at once. They may come one by one.",
                (ExhibitRow("Keep it and go on.", side_tags(missing[:1]), "yes"),),
            ),
        ),
        hints=(
            _WHERE,
            (
                f"If only one of them is missing, it takes {alone[0]} rolls. Now one step back, to "
                f"{'two' if number > 1 else 'one'} that are missing."
            ),
        ),
        rules=(*_RULES, *_WILD * wild),
        rows=_rows(missing, dice, wild, lines),
        fraction=True,
    )


def _wild_and_lines(chance: Chance) -> tuple[bool, int, Chance]:
    wild, chance = chance.choice((True, False))
    lines, chance = chance.choice((1, 2, 3, 4, 5))
    return wild, lines, chance


def _some_missing(number: int, chance: Chance) -> tuple[Missing, Chance]:
    """Different resources in their order."""
    some, chance = chance.sample(RESOURCES, number)
    return tuple(sorted(some)), chance


def _level_1(chance: Chance) -> CountQuestion:
    missing, chance = _some_missing(1, chance)
    dice, chance = chance.choice((2, 3))
    wild, lines, chance = _wild_and_lines(chance)
    return _one_missing(missing[0], dice, wild, lines)


def _level_2(chance: Chance) -> CountQuestion:
    missing, chance = _some_missing(2, chance)
    wild, lines, chance = _wild_and_lines(chance)
    return _several_missing(missing, 1, wild, lines)


def _level_3(chance: Chance) -> CountQuestion:
    number, chance = chance.choice((3, 4))
    missing, chance = _some_missing(number, chance)
    wild, lines, chance = _wild_and_lines(chance)
    return _several_missing(missing, 1, wild, lines)


def _level_4(chance: Chance) -> CountQuestion:
    twice, chance = chance.choice((True, False))
    missing, chance = _some_missing(1 if twice else 2, chance)
    wild, lines, chance = _wild_and_lines(chance)
    return _several_missing(missing * 2 if twice else missing, 2, wild, lines)


def _level_5(chance: Chance) -> CountQuestion:
    number, chance = chance.choice((2, 3, 4))
    missing, chance = _some_missing(number, chance)
    if number == 2:  # one of them is missing twice
        missing = tuple(sorted((*missing, missing[0])))
    wild, lines, chance = _wild_and_lines(chance)
    return _several_missing(missing, 2, wild, lines)


make_count_rolls = count_maker({1: _level_1, 2: _level_2, 3: _level_3, 4: _level_4, 5: _level_5})
