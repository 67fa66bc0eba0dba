"""Castell's puzzle nobody-stays: a tower is built anew, and hardly anybody stands where before."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import comb, factorial, prod

from castlelab.chance import Chance
from castlelab.counting import CountQuestion, KnownSlip, count_maker
from castlelab.draw.exhibit import ExhibitRow, Tag
from castlelab.games.castell.puzzle_count_towers import shirts
from castlelab.games.castell.tower import SIZES
from castlelab.rules import counted

_WHERE = "Begin with few people and write all orders down. How does one more change the number?"
_RULES = ("castell/level-one-size", "castell/own-castellers")


@cache
def nobody_at_home(people: int) -> int:
    """In how many orders nobody has the old place.

    >>> [nobody_at_home(n) for n in range(7)]
    [1, 0, 1, 2, 9, 44, 265]
    """
    return 1 if people == 0 else people * nobody_at_home(people - 1) + (-1) ** people


def nobody_on_the_level(widths: Sequence[int]) -> int:
    """In how many ways people fill a tower anew, nobody on the level of before.

    Taking out and putting in: ``rooks[k]`` are the ways to fix k people on old levels.

    >>> nobody_on_the_level((3, 2, 1)), nobody_on_the_level((2, 2, 2))
    (36, 80)
    """
    rooks = [1]
    for width in widths:
        here = [comb(width, k) ** 2 * factorial(k) for k in range(width + 1)]
        rooks = [
            sum(rooks[i] * here[k - i] for i in range(len(rooks)) if 0 <= k - i < len(here))
            for k in range(len(rooks) + width)
        ]
    people = sum(widths)
    return sum((-1) ** k * ways * factorial(people - k) for k, ways in enumerate(rooks))


def _team(numbers: range, chance: Chance) -> tuple[tuple[int, ...], Chance]:
    number, chance = chance.choice(numbers)
    return chance.sample(SIZES, number)


def _row(team: Sequence[int]) -> ExhibitRow:
    return ExhibitRow(
        "They stood in this order. Each comes back to one of the places.", shirts(team)
    )


def _turned(team: Sequence[int], by: int = 1) -> tuple[Tag, ...]:
    return shirts((*team[by:], *team[:by]))


def _kept(team: Sequence[int]) -> tuple[Tag, ...]:
    """The first at the old place, the others exchanged."""
    return shirts((team[0], *team[2:], team[1]))


def _all_elsewhere(team: Sequence[int]) -> CountQuestion:
    number = len(team)
    answer, orders = nobody_at_home(number), factorial(number)
    before = nobody_at_home(number - 1)
    fewer = f"With one fewer: {counted(before, 'order')}"
    sign = "+" if number % 2 == 0 else "−"
    return CountQuestion(
        prompt="In how many orders can they come back so that nobody has the old place?",
        facts=("nobody", tuple(team)),
        answer=answer,
        because=f"{fewer}, and {number} · {before} {sign} 1 = {answer}.",
        slips=(
            KnownSlip(
                orders,
                "These are all orders. In many of them somebody has the old place.",
                (ExhibitRow("The first one stays.", _kept(team), "no"),),
            ),
            KnownSlip(
                orders - number,
                "You have taken off one order for each of them. There are many in which one stays.",
                (
                    ExhibitRow("The first one stays.", _kept(team), "no"),
                    ExhibitRow("And here, too.", shirts(team), "no"),
                ),
            ),
            KnownSlip(
                (number - 1) ** number,
                "Each has so many other places. But two cannot take the same one.",
                (ExhibitRow("Two at one place.", (Tag(f"{team[0]} {team[1]}"), Tag("")), "no"),),
            ),
        ),
        hints=(_WHERE, f"{fewer}. Multiply, then add or take off one."),
        rules=_RULES,
        rows=(_row(team),),
    )


def _some_stay(team: Sequence[int], stay: int) -> CountQuestion:
    number = len(team)
    chosen, rest = comb(number, stay), nobody_at_home(number - stay)
    who = "just one of them has" if stay == 1 else "just two of them have"
    return CountQuestion(
        prompt=f"In how many orders can they come back so that {who} the old place?",
        facts=("some", tuple(team), stay),
        answer=chosen * rest,
        because=f"{chosen} choices of who stays, and {rest} orders of the others: {chosen * rest}.",
        slips=(
            KnownSlip(
                chosen * factorial(number - stay),
                "The others may not stay.",
                (ExhibitRow("Everybody has stayed.", shirts(team), "no"),),
            ),
            KnownSlip(
                rest,
                "You have not chosen who stays.",
                (ExhibitRow("Another one may stay.", (*_turned(team[:-1]), *shirts(team[-1:]))),),
            ),
            KnownSlip(
                chosen,
                "These are the choices of who stays. The others have to take other places.",
                (ExhibitRow("One way for the others.", _kept(team), "yes"),),
            ),
        ),
        hints=(
            "First choose who stays. In how many orders can none of the others stay?",
            f"Who stays can be chosen in {chosen} ways.",
        ),
        rules=_RULES,
        rows=(_row(team),),
    )


def _at_least_one(team: Sequence[int]) -> CountQuestion:
    number = len(team)
    orders, none = factorial(number), nobody_at_home(number)
    one = number * nobody_at_home(number - 1)
    return CountQuestion(
        prompt="In how many orders can they come back so that at least one has the old place?",
        facts=("one", tuple(team)),
        answer=orders - none,
        because=f"All {orders} orders, but not the {none} in which nobody stays: {orders - none}.",
        slips=(
            KnownSlip(
                orders,
                "You have counted an order once for each one who stays.",
                (ExhibitRow("This would be counted often.", shirts(team), "no"),),
            ),
            KnownSlip(
                none,
                "That is the opposite: nobody stays.",
                (ExhibitRow("Nobody stays.", _turned(team), "no"),),
            ),
            KnownSlip(
                one,
                "That is just one. More may stay.",
                (ExhibitRow("All stay. This counts, too.", shirts(team), "yes"),),
            ),
        ),
        hints=(
            "Is it easier to count the opposite?",
            f"There are {orders} orders in all. In how many of them does nobody stay?",
        ),
        rules=_RULES,
        rows=(_row(team),),
    )


def _other_level(sizes: Sequence[int], widths: Sequence[int]) -> CountQuestion:
    people = sum(widths)
    answer = nobody_on_the_level(widths)
    alike = prod(map(factorial, widths))
    levels = tuple(
        ExhibitRow("", tuple(Tag(f"{size}", f"ramp-{size}") for _ in range(width)))
        for size, width in reversed(list(zip(sizes, widths, strict=True)))
    )
    small = tuple(Tag(f"{size}", f"ramp-{size}") for size in sizes[:2])
    return CountQuestion(
        prompt="A tower is taken down, and all its places are filled with the same people in "
        "another way, just for practice. Nobody comes to the level of before. They are "
        "different people: in how many ways?",
        facts=("level", tuple(sizes), tuple(widths)),
        answer=answer,
        because=f"All {factorial(people)} ways, less those with one on the old level, plus those "
        f"with two, and so on: {answer}.",
        slips=(
            KnownSlip(
                factorial(people),
                "These are all ways. In most of them somebody is on the old level.",
                (ExhibitRow("Everybody on the old level.", small, "no"),),
            ),
            KnownSlip(
                nobody_at_home(people),
                "Nobody has the old place, but somebody may have the old level.",
                (ExhibitRow("They have only changed places.", shirts((sizes[0], sizes[0])), "no"),),
            ),
            KnownSlip(
                answer // alike,
                "You have taken people of one size as alike. They are different people.",
                (ExhibitRow("Two different people.", shirts((sizes[0], sizes[0])), "yes"),),
            ),
        ),
        hints=(
            "Where must the people of the base go, and who takes their places?",
            f"Decide which size comes where: {answer // alike} ways. Then tell the people apart.",
        ),
        rules=("castell/level-shrinks", *_RULES),
        rows=(ExhibitRow("The tower before, its top above."), *levels),
    )


def _level_1(chance: Chance) -> CountQuestion:
    return _all_elsewhere(_team(range(3, 5), chance)[0])


def _level_2(chance: Chance) -> CountQuestion:
    return _all_elsewhere(_team(range(5, 8), chance)[0])


def _level_3(chance: Chance) -> CountQuestion:
    team, chance = _team(range(4, 8), chance)
    stay, chance = chance.choice((1, 2))
    return _some_stay(team, stay)


def _level_4(chance: Chance) -> CountQuestion:
    return _at_least_one(_team(range(4, 8), chance)[0])


def _level_5(chance: Chance) -> CountQuestion:
    widths, chance = chance.choice(((3, 2, 1), (4, 3, 1), (4, 3, 2), (3, 2, 1)))
    sizes, chance = chance.sample(SIZES, len(widths))
    return _other_level(sorted(sizes, reverse=True), widths)


make_nobody_stays = count_maker({1: _level_1, 2: _level_2, 3: _level_3, 4: _level_4, 5: _level_5})
