"""CastleScape's puzzle first-hand: what do the cards that you draw hold, and how likely?"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, perm, prod

from castlelab.chance import Chance
from castlelab.counting import CountQuestion, KnownSlip, count_maker
from castlelab.draw.exhibit import ExhibitRow, Tag
from castlelab.rules import counted

CARDS = ("Stone Walls", "Market Stall", "Train Apprentice", "Clumsy Thief")

_RULES = ("castlescape/starter-deck", "castlescape/cleanup")
_FILLS = ("hue-brown", "hue-yellow", "hue-teal", "hue-crimson")
_OPPOSITE = "Is the opposite easier: that none of them comes?"

Deck = tuple[int, ...]


def hand_tags(kinds: Sequence[int]) -> tuple[Tag, ...]:
    """A tag for each card of a hand."""
    return tuple(Tag(CARDS[kind], _FILLS[kind]) for kind in kinds)


def _deck_row(deck: Deck, drawn: int) -> ExhibitRow:
    cards = tuple(
        Tag(f"{count} × {CARDS[kind]}", _FILLS[kind]) for kind, count in enumerate(deck) if count
    )
    return ExhibitRow(f"You draw {drawn} cards of these {sum(deck)}, and put none back.", cards)


def none_of(deck: Deck, drawn: int, kinds: Sequence[int]) -> Fraction:
    """The chance that no card of some kinds is drawn.

    >>> none_of((4, 8), 3, [0])
    Fraction(14, 55)
    """
    cards = sum(deck)
    others = cards - sum(deck[kind] for kind in kinds)
    return Fraction(comb(others, drawn), comb(cards, drawn))


def all_of(deck: Deck, drawn: int, kinds: Sequence[int]) -> Fraction:
    """The chance that each of some kinds is drawn: taking out and putting in again.

    >>> all_of((4, 2, 2, 2), 5, range(4))
    Fraction(8, 21)
    """
    return sum(
        (
            (-1) ** number * none_of(deck, drawn, missed)
            for number in range(len(kinds) + 1)
            for missed in combinations(kinds, number)
        ),
        Fraction(0),
    )


def hands(deck: Deck, drawn: int) -> int:
    """How many different hands there are, if equal cards are alike.

    >>> hands((3, 2, 2, 1), 3), hands((4, 2, 2, 2), 5)
    (14, 25)
    """
    ways = [1] + [0] * drawn
    for count in deck:
        ways = [sum(ways[max(0, size - count) : size + 1]) for size in range(drawn + 1)]
    return ways[drawn]


def _put_back(value: Fraction, kind: int = 0) -> KnownSlip:
    return KnownSlip(
        value,
        "You have put cards back. A card that is drawn is gone.",
        (ExhibitRow("This very card twice?", hand_tags((kind, kind)), "no"),),
    )


def _at_least_one(deck: Deck, drawn: int) -> CountQuestion:
    cards, good = sum(deck), deck[0]
    missed = none_of(deck, drawn, [0])
    return CountQuestion(
        prompt=f"How likely is at least one {CARDS[0]} in your hand?",
        facts=("one", deck, drawn),
        answer=1 - missed,
        because=f"None comes in {comb(cards - good, drawn)} of {comb(cards, drawn)} hands.",
        slips=(
            _put_back(1 - Fraction(cards - good, cards) ** drawn),
            KnownSlip(
                Fraction(drawn * good, cards),
                "You have added the chances of the cards. Hands with two are counted twice.",
                (ExhibitRow("Counted twice.", hand_tags((0, 0)), "no"),),
            ),
            KnownSlip(
                missed,
                "That is the opposite: none comes.",
                (ExhibitRow("None.", hand_tags((1,) * drawn), "no"),),
            ),
        ),
        hints=(
            _OPPOSITE,
            (
                f"The first card is another with chance {cards - good}/{cards}, then the second "
                f"with {cards - good - 1}/{cards - 1}."
            ),
        ),
        rules=_RULES,
        rows=(_deck_row(deck, drawn),),
        fraction=True,
    )


def _exactly(deck: Deck, drawn: int, wanted: int) -> CountQuestion:
    cards, good = sum(deck), deck[0]
    every = comb(cards, drawn)
    fine = comb(good, wanted) * comb(cards - good, drawn - wanted)
    chance = Fraction(good, cards)
    first = Fraction(perm(good, wanted) * perm(cards - good, drawn - wanted), perm(cards, drawn))
    return CountQuestion(
        prompt=f"You draw {drawn} cards. How likely is {CARDS[0]} on exactly {wanted} of them?",
        facts=("exactly", deck, drawn, wanted),
        answer=Fraction(fine, every),
        because=f"{comb(good, wanted)} · {comb(cards - good, drawn - wanted)} of {every} hands.",
        slips=(
            _put_back(comb(drawn, wanted) * chance**wanted * (1 - chance) ** (drawn - wanted)),
            KnownSlip(
                Fraction(comb(good, wanted), every),
                "You have forgotten the other cards of the hand. They can be chosen in many ways.",
                (ExhibitRow("Which of these is it?", hand_tags((0,) * wanted + (1,))),),
            ),
            KnownSlip(
                first,
                "You have let them come first. They may come at any time.",
                (ExhibitRow("This counts, too.", hand_tags((1, *(0,) * wanted)), "yes"),),
            ),
        ),
        hints=(
            "How many hands are there? How many of them have the right cards?",
            (
                f"There are {every} hands. The {CARDS[0]} can be chosen in "
                f"{counted(comb(good, wanted), 'way')}."
            ),
        ),
        rules=_RULES,
        rows=(_deck_row(deck, drawn),),
        fraction=True,
    )


def _both(deck: Deck, drawn: int) -> CountQuestion:
    first, second = none_of(deck, drawn, [0]), none_of(deck, drawn, [1])
    neither = none_of(deck, drawn, [0, 1])
    return CountQuestion(
        prompt=f"How likely are at least one {CARDS[0]} and at least one {CARDS[1]} in your hand?",
        facts=("both", deck, drawn),
        answer=all_of(deck, drawn, (0, 1)),
        because=f"1 − {first} − {second} + {neither}: hands that miss both are taken off twice.",
        slips=(
            KnownSlip(
                (1 - first) * (1 - second),
                "You have multiplied the chances. But a card of the one leaves less room for the "
                "other.",
                (ExhibitRow("No room is left.", hand_tags((0,) * drawn), "no"),),
            ),
            KnownSlip(
                1 - first - second,
                "Hands that miss both were taken off twice: add them back once.",
                (ExhibitRow("Taken off twice.", hand_tags((2,) * drawn), "no"),),
            ),
            KnownSlip(
                1 - neither,
                "You have counted hands with only one of the two.",
                (ExhibitRow("One of the two only.", hand_tags((0,) * drawn), "no"),),
            ),
        ),
        hints=(
            "Take off the hands that miss the one, and those that miss the other. What then?",
            f"The one is missed with chance {first}, the other with {second}.",
        ),
        rules=_RULES,
        rows=(_deck_row(deck, drawn),),
        fraction=True,
    )


def _different(deck: Deck, drawn: int) -> CountQuestion:
    kinds = len(deck)
    answer = hands(deck, drawn)
    scarce = deck.index(min(deck))
    return CountQuestion(
        prompt="Cards with one name are alike. How many different hands are there?",
        facts=("hands", deck, drawn),
        answer=answer,
        because=f"Choose how many of each kind, {drawn} together: {answer} ways.",
        slips=(
            KnownSlip(
                comb(sum(deck), drawn),
                "You have told equal cards apart.",
                (ExhibitRow("The one or the other: it is the same.", hand_tags((0,)), "no"),),
            ),
            KnownSlip(
                comb(drawn + kinds - 1, drawn),
                "Of some kinds there are not enough cards.",
                (
                    ExhibitRow(
                        "There are too few of these.", hand_tags((scarce,) * (min(deck) + 1)), "no"
                    ),
                ),
            ),
            KnownSlip(
                kinds**drawn,
                "You have counted orders. A hand has none.",
                (
                    ExhibitRow("One hand,", hand_tags((0, 1)), "yes"),
                    ExhibitRow("and the same again.", hand_tags((1, 0)), "no"),
                ),
            ),
        ),
        hints=(
            "How many of the first kind may there be? For each of these, go on with the second.",
            (
                f"With enough of each kind there would be {comb(drawn + kinds - 1, drawn)} "
                "hands. Which of these cannot be?"
            ),
        ),
        rules=_RULES,
        rows=(_deck_row(deck, drawn),),
    )


def _all_kinds(deck: Deck, drawn: int) -> CountQuestion:
    every, cards = comb(sum(deck), drawn), sum(deck)
    kinds = range(len(deck))
    each = prod(deck)
    alone = prod((1 - none_of(deck, drawn, [kind]) for kind in kinds), start=Fraction(1))
    return CountQuestion(
        prompt="How likely are all four kinds of cards in your hand?",
        facts=("all", deck, drawn),
        answer=all_of(deck, drawn, tuple(kinds)),
        because="Hands that miss one kind are taken off, those that miss two are put back, and "
        f"so on: {all_of(deck, drawn, tuple(kinds)) * every} of {every} hands.",
        slips=(
            KnownSlip(
                Fraction(each * comb(cards - 4, drawn - 4), every),
                "You have chosen one of each first. Hands with two of a kind are counted twice.",
                (ExhibitRow("The first or the second?", hand_tags((0, 0, 1, 2, 3)), "no"),),
            ),
            KnownSlip(
                Fraction(each, every),
                "That is one of each, and the rest of the hand is forgotten.",
                (ExhibitRow("There is one card more.", hand_tags((0, 1, 2, 3)), "no"),),
            ),
            KnownSlip(
                alone,
                "You have multiplied the chances. But a card of the one leaves less room for the "
                "others.",
                (ExhibitRow("Little room is left.", hand_tags((0, 0, 0)), "no"),),
            ),
        ),
        hints=(
            "Which kind comes twice? Or take off the hands in which a kind is missing.",
            f"There are {every} hands. A kind comes twice in the good ones, the others once.",
        ),
        rules=_RULES,
        rows=(_deck_row(deck, drawn),),
        fraction=True,
    )


def _two_kinds(chance: Chance) -> tuple[Deck, Chance]:
    good, chance = chance.choice((2, 3, 4, 5))
    others, chance = chance.choice(range(4, 10))
    return (good, others), chance


def _four_kinds(chance: Chance) -> tuple[Deck, Chance]:
    deck: Deck = ()
    for _ in CARDS:
        count, chance = chance.choice((1, 2, 3, 4))
        deck = (*deck, count)
    return deck, chance


def _level_1(chance: Chance) -> CountQuestion:
    deck, chance = _two_kinds(chance)
    drawn, chance = chance.choice((2, 3))
    return _at_least_one(deck, drawn)


def _level_2(chance: Chance) -> CountQuestion:
    deck, chance = _two_kinds(chance)
    drawn, chance = chance.choice((3, 4, 5))
    wanted, chance = chance.choice((1, 2))
    return _exactly(deck, min(drawn, deck[1]), wanted)


def _level_3(chance: Chance) -> CountQuestion:
    deck, chance = _four_kinds(chance)
    drawn, chance = chance.choice((2, 3, 4, 5))
    return _both(deck, min(drawn, sum(deck)))


def _level_4(chance: Chance) -> CountQuestion:
    deck, chance = _four_kinds(chance)
    drawn, chance = chance.choice((3, 4, 5))
    return _different(deck, min(drawn, sum(deck)))


def _level_5(chance: Chance) -> CountQuestion:
    deck, chance = _four_kinds(chance)
    return _all_kinds((*deck[:3], deck[3] + (sum(deck) < 5)), 5)


make_first_hand = count_maker({1: _level_1, 2: _level_2, 3: _level_3, 4: _level_4, 5: _level_5})
