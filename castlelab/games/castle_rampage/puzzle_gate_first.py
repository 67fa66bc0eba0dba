"""Castle Rampage's puzzle gate-first: strengthen card by card, and the Gate stays in front."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from castlelab.chance import Chance
from castlelab.counting import CountQuestion, KnownSlip, count_maker
from castlelab.draw.exhibit import ExhibitRow, Tag

_RULES = ("castle_rampage/strengthen", "castle_rampage/target")
_FILLS = {"Gate": "hue-brown", "Castle": "hue-purple"}
#: By how many cards the Gate must lead at least, and how that is said.
_AIMS = {
    0: "the Gate never has fewer cards than the Castle",
    1: "the Gate always has more cards than the Castle",
    -1: "the Gate is never more than one card behind the Castle",
}
#: The line in which people reflect by mistake.
_WRONG_LINE = {0: -1, 1: 0, -1: 0}

Way = tuple[str, ...]


def way_tags(way: Sequence[str]) -> tuple[Tag, ...]:
    """A tag for each card: where it goes."""
    return tuple(Tag(stack, _FILLS[stack]) for stack in way)


def lead_of(way: Sequence[str]) -> int:
    """By how many cards the Gate leads."""
    return way.count("Gate") - way.count("Castle")


def ways_ahead(lead: int, gate: int, castle: int, least: int) -> int:
    """Orders of so many cards for Gate and Castle in which the lead never falls below ``least``.

    A bad way touches the line below. Reflect it from there: all ways to another end.

    >>> ways_ahead(0, 4, 4, 0), ways_ahead(0, 3, 3, 0)
    (14, 5)
    """
    return comb(gate + castle, gate) - comb(gate + castle, gate + lead - least + 1)


def _question(begun: Way, gate: int, castle: int, least: int) -> CountQuestion:
    lead, cards = lead_of(begun), gate + castle
    every = comb(cards, gate)
    answer = ways_ahead(lead, gate, castle, least)
    wrong = ways_ahead(lead, gate, castle, _WRONG_LINE[least])
    fault = (*begun, *("Castle",) * (lead - least + 1))
    good = (*begun, *("Gate",) * gate, *("Castle",) * castle)
    known = [
        KnownSlip(
            every,
            "These are all orders. In some of them the Gate falls behind.",
            (ExhibitRow("Here it is too late.", way_tags(fault), "no"),),
        ),
        KnownSlip(
            every // 2,
            "Half of all? There is no such symmetry: the Gate must keep up all the time.",
            (ExhibitRow("One fault is enough.", way_tags(fault), "no"),),
        ),
        KnownSlip(
            wrong,
            "You have reflected in the wrong line. Where does a way first become bad?",
            (ExhibitRow("Bad with the last of these.", way_tags(fault), "no"),),
        ),
    ]
    rows = [
        ExhibitRow("Still to come, in any order.", way_tags(good[len(begun) :])),
    ]
    if begun:
        rows.insert(0, ExhibitRow("Played so far.", way_tags(begun)))
    return CountQuestion(
        prompt=f"One card after another goes to the Gate or to the Castle. In how many orders can "
        f"the cards still to come be laid, so that after each of them {_AIMS[least]}?",
        facts=(begun, gate, castle, least),
        answer=answer,
        because=f"{every} orders, less {every - answer} that go wrong somewhere: {answer}.",
        slips=tuple(known),
        hints=(
            (
                "Draw a way on squared paper: to the right for the Gate, up for the Castle. "
                "Which line must it not touch?"
            ),
            (
                f"There are {every} orders. Reflect the wrong ones from the first fault on, "
                f"{every - answer} in all."
            ),
        ),
        rules=_RULES,
        rows=tuple(rows),
    )


def _begun(lengths: Sequence[int], least: int, chance: Chance) -> tuple[Way, Chance]:
    """Some cards that have been laid already, none of them wrongly."""
    way: Way = ("Gate",) if least == 1 else ()
    length, chance = chance.choice(lengths)
    while len(way) < length:
        stack, chance = chance.choice(("Gate", "Castle"))
        if lead_of((*way, stack)) >= least:
            way = (*way, stack)
    return way, chance


def _drawn(
    lengths: Sequence[int], gates: Sequence[int], least: int, chance: Chance, less: int = 0
) -> CountQuestion:
    """A question with so many cards left, at least one of them for the Castle."""
    begun, chance = _begun(lengths, least, chance)
    gate, chance = chance.choice(gates)
    most = lead_of(begun) + gate - least - less
    castle, chance = chance.choice(range(2, max(3, most + 1)))
    castle = min(castle, max(most, 0))
    return _question(begun, gate, castle, least)


def _level_1(chance: Chance) -> CountQuestion:
    return _drawn(range(8), (2, 3), 0, chance)


def _level_2(chance: Chance) -> CountQuestion:
    return _drawn((0, 1, 2, 3, 4), (4, 5), 0, chance)


def _level_3(chance: Chance) -> CountQuestion:
    return _drawn((0, 1, 2, 3, 4), (4, 5, 6), 0, chance, less=1)


def _level_4(chance: Chance) -> CountQuestion:
    return _drawn((0, 1, 2, 3, 4), (3, 4, 5, 6), 1, chance)


def _level_5(chance: Chance) -> CountQuestion:
    return _drawn((0, 1, 2, 3, 4), (3, 4, 5), -1, chance)


make_gate_first = count_maker({1: _level_1, 2: _level_2, 3: _level_3, 4: _level_4, 5: _level_5})
