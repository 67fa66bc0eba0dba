"""Once Upon a Castle's puzzle count-throws: how many throws bring what is wanted?"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb, perm

from castlelab.chance import Chance
from castlelab.counting import CountQuestion, KnownSlip, count_maker
from castlelab.draw.exhibit import ExhibitRow, Tag
from castlelab.rules import listed

WANTED = ("wood", "stone", "gold", "food", "residents")
SIDES = 6

_FILLS = {"wood": "hue-brown", "stone": "hue-blue", "gold": "hue-yellow", "food": "hue-olive"}
_RULES = ("once_upon_a_castle/roll",)
_WILD = ("once_upon_a_castle/any",)
_DIE = "A die shows Wood, Stone, Gold, Food, Residents or ?."

Wants = tuple[str, ...]


def side_tags(sides: Sequence[str]) -> tuple[Tag, ...]:
    """A tag for each die: what it shows."""
    return tuple(Tag(side.capitalize(), _FILLS.get(side, "card")) for side in sides)


def no_help(wants: Sequence[str]) -> str:
    """A side that is not wanted."""
    return next(side for side in WANTED if side not in wants)


def good_throws(wants: Sequence[str], dice: int, *, wild: bool) -> int:
    """The throws that bring all that is wanted, each from a die of its own.

    Without a ? by taking out and putting in again; with k of them, up to k wants may be missed.

    >>> good_throws(("wood", "stone"), 2, wild=True), good_throws(("wood",), 3, wild=False)
    (7, 91)
    """
    if not wild:
        return sum(
            (-1) ** out * comb(len(wants), out) * (SIDES - out) ** dice
            for out in range(len(wants) + 1)
        )
    found = 0
    for jokers in range(dice + 1):
        others = dice - jokers
        places = comb(dice, jokers)
        for met in range(max(0, len(wants) - jokers), len(wants) + 1):
            ways = comb(len(wants), met)
            useless = SIDES - 1 - len(wants)
            onto = sum(
                (-1) ** out * comb(met, out) * (met - out + useless) ** others
                for out in range(met + 1)
            )
            found += places * ways * onto
    return found


def _die_row(dice: int, wild: bool) -> ExhibitRow:
    joker = "A ? is whatever you like." if wild else "A ? does not help this time."
    tags = tuple(Tag(f"die {number}") for number in range(1, dice + 1))
    return ExhibitRow(f"{_DIE} {joker}", tags)


def _names(wants: Sequence[str]) -> str:
    return listed([want.capitalize() for want in wants])


def _one_wanted(want: str, dice: int, wild: bool, *, likely: bool) -> CountQuestion:
    every, sides = SIDES**dice, 2 if wild else 1
    answer = good_throws((want,), dice, wild=wild)
    misses, useless = every - answer, no_help((want,))
    other = "?" if wild else want
    scale = Fraction(1, every) if likely else 1
    prompt = (
        f"You throw {dice} dice. How likely is {want.capitalize()}, at least once?"
        if likely
        else f"You throw {dice} different dice. In how many of the {every} throws is there "
        f"{want.capitalize()}, at least once?"
    )
    told = f" = {answer * scale}" if likely else ""
    return CountQuestion(
        prompt=prompt,
        facts=((want,), dice, wild, likely),
        answer=answer * scale,
        because=f"{every} − {SIDES - sides}^{dice} = {answer} throws do not miss"
        + (f": {answer}/{every}{told}." if likely else "."),
        slips=(
            KnownSlip(
                dice * sides * SIDES ** (dice - 1) * scale,
                "You have added up the dice. A throw in which two of them help is counted twice.",
                (ExhibitRow("Counted twice.", side_tags((want, other)), "no"),),
            ),
            KnownSlip(
                good_throws((want,), dice, wild=not wild) * scale,
                "You have forgotten the ?: it helps, too."
                if wild
                else "The ? does not help this time.",
                (ExhibitRow("What about this?", side_tags(("?", useless))),),
            ),
            KnownSlip(
                misses * scale,
                "That is the opposite: no die helps.",
                (ExhibitRow("No die helps.", side_tags((useless,) * min(dice, 3)), "no"),),
            ),
        ),
        hints=(
            "Is it easier to count the throws in which no die helps?",
            f"A die has {SIDES - sides} sides that do not help. All {dice} dice must miss.",
        ),
        rules=(*_RULES, *_WILD * wild),
        rows=(_die_row(dice, wild),),
        fraction=likely,
    )


def _all_wanted(wants: Wants, dice: int, wild: bool) -> CountQuestion:
    number, every, useless = len(wants), SIDES**dice, no_help(wants)
    answer = good_throws(wants, dice, wild=wild)
    one = Fraction(good_throws(wants[:1], dice, wild=wild), every)
    sides = number + wild
    either = every - (SIDES - sides) ** dice
    if wild:
        # Each want is met by itself or a ?, as if one ? served all of them.
        together = sum(
            (-1) ** out * comb(len(wants), out) * (SIDES - 1 - out) ** dice
            for out in range(1, number + 1)
        )
        third = KnownSlip(
            every + together,
            "One ? cannot stand for two things at once.",
            (ExhibitRow("Only one of them.", side_tags(("?", useless)), "no"),),
        )
        second = KnownSlip(
            good_throws(wants, dice, wild=False),
            "You have forgotten the ?: it helps, too.",
            (ExhibitRow("This does it.", side_tags((*wants[:-1], "?")), "yes"),),
        )
    else:
        third = KnownSlip(
            either,
            "You have counted throws with only one of them.",
            (ExhibitRow("That is not all.", side_tags((wants[0], useless)), "no"),),
        )
        second = KnownSlip(
            good_throws(wants, dice, wild=True),
            "The ? does not help this time.",
            (ExhibitRow("Not enough.", side_tags((*wants[:-1], "?")), "no"),),
        )
    first = KnownSlip(
        round(every * one**number),
        "You have multiplied the chances. But a die that shows the one cannot show the other.",
        (ExhibitRow("No die is left.", side_tags(wants[:1] * 2), "no"),),
    )
    placed = KnownSlip(
        perm(dice, number) * SIDES ** (dice - number),
        "You have chosen dice for them first. Throws with more than enough are counted twice.",
        (ExhibitRow("Which Wood is it?", side_tags((wants[0], wants[0], wants[-1])), "no"),),
    )
    placed_words = placed.rows[0].words.replace("Wood", wants[0].capitalize())
    rows = (ExhibitRow(placed_words, placed.rows[0].tags, "no"),)
    return CountQuestion(
        prompt=f"You throw {dice} different dice. In how many of the {every} throws are there "
        f"{_names(wants)}, each on a die of its own?",
        facts=(wants, dice, wild, False),
        answer=answer,
        because="Take off the throws that miss one of them, put back those that miss two"
        + (", and mind that a ? serves once only" if wild else "")
        + f": {answer}.",
        slips=(first, second, third, KnownSlip(placed.value, placed.words, rows)),
        hints=(
            "Take off the throws without the first, without the second … What was taken off twice?",
            f"{(SIDES - 1 - wild) ** dice} throws miss {wants[0].capitalize()}"
            + (", with no ? either." if wild else "."),
        ),
        rules=(*_RULES, "once_upon_a_castle/resource", *_WILD * wild),
        rows=(_die_row(dice, wild),),
    )


def _some_wants(number: int, chance: Chance) -> tuple[Wants, Chance]:
    wants, chance = chance.sample(WANTED, number)
    return tuple(sorted(wants, key=WANTED.index)), chance


def _level_1(chance: Chance) -> CountQuestion:
    wants, chance = _some_wants(1, chance)
    dice, chance = chance.choice((2, 3, 4))
    wild, chance = chance.choice((True, False))
    likely, chance = chance.choice((True, False))
    return _one_wanted(wants[0], dice, wild, likely=likely)


def _level_2(chance: Chance) -> CountQuestion:
    wants, chance = _some_wants(1, chance)
    dice, chance = chance.choice((3, 4, 5, 6))
    wild, chance = chance.choice((True, False))
    likely, chance = chance.choice((True, False))
    return _one_wanted(wants[0], dice, wild, likely=likely)


def _level_3(chance: Chance) -> CountQuestion:
    number, chance = chance.choice((2, 2, 3))
    wants, chance = _some_wants(number, chance)
    dice, chance = chance.choice((3, 4, 5, 6, 7))
    return _all_wanted(wants, dice, wild=False)


def _level_4(chance: Chance) -> CountQuestion:
    wants, chance = _some_wants(2, chance)
    dice, chance = chance.choice(range(2, 10))
    return _all_wanted(wants, dice, wild=True)


def _level_5(chance: Chance) -> CountQuestion:
    number, chance = chance.choice((3, 3, 4))
    wants, chance = _some_wants(number, chance)
    dice, chance = chance.choice(range(number, 13))
    return _all_wanted(wants, dice, wild=True)


make_count_throws = count_maker({1: _level_1, 2: _level_2, 3: _level_3, 4: _level_4, 5: _level_5})
