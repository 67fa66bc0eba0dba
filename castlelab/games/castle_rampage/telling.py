"""What moves of Castle Rampage have done, in sentences, from what everybody has seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from castlelab.game import SEAT_NAMES, Emblem, Move, Sentence
from castlelab.games.castle_rampage.attack import BROKEN, EVEN, HELD, PURPLE, Step
from castlelab.games.castle_rampage.card import STACKS, Card
from castlelab.games.castle_rampage.moves import Choose, EndTurn, Place, Play, Strengthen
from castlelab.rules import counted, listed

if TYPE_CHECKING:
    from castlelab.games.castle_rampage.play import RampageState

_COMMA = (", ",)
_NAMED = 5  # cards that fall and are named before the rest are only counted
_FEW = 3  # the same in short

#: What one hears of a card that is laid face down (``castle_rampage/secret``).
CONCEALED: dict[str, Sentence] = {
    "place": ("placed a card face down",),
    "strengthen": ("strengthened a stack with a card face down",),
}

#: What signs and letters on the cards mean.
LEGEND = (
    ("red pennant", "strength of the attack"),
    ("4*", "it may be more: the card says when"),
    ("small card back", "another card to discard for it"),
    ("arch", "defence at the Gate"),
    ("tower", "defence at the Castle"),
    ("green flag", "stays in play"),
    ("purple edge", "strikes back when an attack destroys it, or costs cards to lay"),
    ("×2", "two of a kind"),
    ("+3", "three more cards below"),
)


def tell_move(state: RampageState, move: Move, after: Any) -> Sentence:
    """What a move has done. Cards that were drawn are counted and never named, so that all
    who were at the table hear the same.
    """
    return _told(state, move, after, _NAMED)


def tell_shorter(state: RampageState, move: Move, after: Any) -> Iterator[Sentence]:
    """The same without strength, and with cards that are paid or fall only counted.

    In the fewest words the end of the game is left to those that say who has won.
    """
    for named in (_FEW, 0):
        yield _told(state, move, after, named)


def tell_news(after: RampageState, before: Any, seat: int) -> Iterator[str]:
    """The cards that a seat has drawn itself."""
    drawn = _gone(after.sides[seat].hand, before.sides[seat].hand)
    if drawn:
        yield f"Drawn: {listed([str(card) for card in _cards(after, drawn)])}."
        yield f"{counted(len(drawn), 'new card')}."


def _told(state: RampageState, move: Move, after: RampageState, named: int) -> Sentence:
    """A move, with so many names of cards that fall."""
    match move:
        case Place(stack, name):
            told: Sentence = ("placed ", _card(state, name), f" at the {stack.title()}")
        case Strengthen(stack, name, ()):
            told = ("laid ", _card(state, name), f" face down under the {stack.title()}")
        case Strengthen(stack, name, paid):
            card = _card(state, name)
            told = (f"strengthened the {stack.title()} with ", card, *_cost(state, paid, named))
        case Play():
            told = _played(state, move, after, named)
        case Choose(what):
            told = _chose(state, what, after, named)
        case EndTurn():
            told = _ended(state, after)
        case _:
            told = (f"played {move}",)
    return told if not named else (*told, *_outcome(state, after))


def _card(state: RampageState, name: str) -> Emblem:
    return _emblem(state.game.box.card(name))


def _emblem(card: Card) -> Emblem:
    return Emblem(card.name, f"card {card.name}", named=True)


def _cards(state: RampageState, places: Sequence[int]) -> list[Emblem]:
    return [_emblem(state.game.box.cards[at]) for at in places]


def _listed(things: Sequence[Emblem | str]) -> Iterator[Emblem | str]:
    """Things with commas and an "and" between them."""
    for at, thing in enumerate(things):
        if at:
            yield " and " if at == len(things) - 1 else ", "
        yield thing


def _cost(state: RampageState, paid: Sequence[str], named: int) -> Sentence:
    if named < len(paid):
        return (f" for {counted(len(paid), 'card') if named else len(paid)}",)
    return (" for ", *_listed([_card(state, name) for name in paid])) if paid else ()


# -- a card that is played -------------------------------------------------------------------


def _played(state: RampageState, move: Play, after: RampageState, named: int) -> Sentence:
    """The card, what it cost, what it did."""
    card = state.game.box.card(move.card)
    cost = _cost(state, move.paid, named if named == _NAMED else 0)
    acted = _acted(card, 0, after)
    did = _deeds(state, after, card, named, spent=1 + len(move.paid), effects=acted)
    if not after.steps:
        stays = (", which stays",) if _stays(state, after) else ()
        return ("played ", _emblem(card), *cost, *stays, *((": ", *did) if did else ()))
    target = after.steps[0].stack.title()
    strength = f", strength {after.steps[0].before}" if named == _NAMED else ""
    return (
        *(f"attacked {SEAT_NAMES[1 - state.active]}'s {target} with ", _emblem(card), *cost),
        *(strength, *((" (", *did, ")") if did else ())),
        *(": ", *_fight(state, after, after.steps, card, named)),
    )


def _stays(state: RampageState, after: RampageState) -> bool:
    seat = state.active
    return len(after.sides[seat].permanents) > len(state.sides[seat].permanents)


def _acted(card: Card, done: int, after: RampageState) -> tuple[str, ...]:
    """The effects of a card that have happened since so many of them were done."""
    pause = after.pause
    waits = pause is not None and not pause.fighting
    upto = pause.effect - 1 if pause is not None and waits else None
    return tuple(effect.verb for effect in card.when_played[done:upto])


def _deeds(
    state: RampageState,
    after: RampageState,
    card: Card,
    named: int,
    *,
    spent: int,
    effects: Sequence[str],
) -> Sentence:
    """What the effects of a card have done, as everybody saw it."""
    me, foe = state.active, 1 - state.active
    told: list[Sentence] = []
    for verb in effects:
        match verb:
            case "reveal-top":
                told.append(_turned_up(state, after))
            case "destroy-permanent":
                gone = _gone(state.sides[foe].permanents, after.sides[foe].permanents)
                if gone:
                    told.append(("destroyed ", *_listed(_cards(state, gone))))
            case "take-castle":
                told.append(_taken(state, after, named))
            case "fell-castles":
                told.append(_felled(state, after, spent))
    came_home = after.steps[-1:] and after.steps[-1].rule == HELD and card.does("return-when-held")
    drawn = (
        *(len(after.sides[me].hand) - len(state.sides[me].hand), spent),
        *(-bool(came_home), -("take-castle" in effects)),
        len(after.sides[foe].hand) - len(state.sides[foe].hand),  # a Spy has taken it
    )
    if "draw" in effects and (number := sum(drawn)) > 0:
        told.append((f"drew {counted(number, 'card')}",))
    return tuple(
        part for at, deed in enumerate(filter(None, told)) for part in (*_COMMA[:at], *deed)
    )


def _turned_up(state: RampageState, after: RampageState) -> Sentence:
    foe = 1 - state.active
    for name in STACKS:
        before, now = state.sides[foe].stack(name), after.sides[foe].stack(name)
        if now.seen and not before.seen and len(now.cards) == len(before.cards):
            return ("turned up ", *_cards(state, now.cards[:1]), f" on the {name.title()}")
    return ()


def _gone(before: Sequence[int], after: Sequence[int]) -> list[int]:
    return [*(Counter(before) - Counter(after)).elements()]


def _taken(state: RampageState, after: RampageState, named: int) -> Sentence:
    """The card of the own Castle that has come to the hand, openly."""
    shown, before = after.sides[state.active].shown, state.sides[state.active].shown
    if len(shown) == len(before) + 1:
        where = " from their Castle" if named else ""
        return ("took ", *_cards(state, [shown[-1][0]]), where)
    return ("took the top card of their Castle" if named else "took their top card",)


def _felled(state: RampageState, after: RampageState, spent: int) -> Sentence:
    first = len(state.discards) + max(0, spent - 1)
    fallen = after.discards[first : first + 2]
    if after.renewals > state.renewals or len(fallen) < 2:
        return ("felled the top of both Castles",)
    return ("felled ", *_listed(_cards(state, fallen)), " from both Castles")


# -- attacks ---------------------------------------------------------------------------------


def _fight(
    state: RampageState, after: RampageState, steps: Sequence[Step], attacker: Card, named: int
) -> Sentence:
    """The comparisons of an attack in short, card by card."""
    told: list[str | Emblem] = []
    for stack, group in groupby(steps, key=lambda step: step.stack):
        here = list(group)
        if told:
            told.append(f"; at the {stack.title()} " if named else f"; {stack.title()}: ")
        fell = [_defender(step) for step in here if step.rule == BROKEN]
        if more := len(fell[named:]):
            fell = [*fell[:named], f"{more} more" if named else f"{more}"]
        last = here[-1]
        fall_alike = not named and last.rule == EVEN and not attacker.permanent
        if fell:
            told += [*_listed(fell), *([] if fall_alike else [" fell"])]
        if last.rule == PURPLE:
            told.append(f" and took the {attacker} along")
        elif last.rule != BROKEN:
            told += [*([", "] if fell else []), _defender(last), *_end(last, attacker, named)]
    return (*told, *_struck_back(state, after, steps, named))


def _defender(step: Step) -> str | Emblem:
    defender = step.defender
    return _emblem(defender) if isinstance(defender, Card) else str(defender)


def _end(last: Step, attacker: Card, named: int) -> Sentence:
    """What the defender did that ended an attack."""
    if last.rule == HELD:
        home = f" and the {attacker} came home" if named else f"; {attacker} home"
        return (f" held{home if attacker.does('return-when-held') else ''}",)
    both = f" and the {attacker} felled each other" if named else f" and {attacker} fell"
    return (" fell" if attacker.permanent else both,)


def _struck_back(
    state: RampageState, after: RampageState, steps: Sequence[Step], named: int
) -> Sentence:
    """Who struck back: its owner has to choose how, or there was only one way."""
    if after.pause is not None:
        return (" and now strikes back" if named else "; strikes back",)
    foe = 1 - state.active
    robbed = len(after.sides[foe].hand) > len(state.sides[foe].hand)
    struck = {"sabotage"} | ({"spy"} if robbed else set())
    fell = [s.defender for s in steps if s.rule in (BROKEN, EVEN) and isinstance(s.defender, Card)]
    names = dict.fromkeys(card.name for card in fell if card.when_destroyed in struck)
    the = "the " if named else ""
    return (f"; {the}{listed(list(names))} struck back",) if names and after.loser != foe else ()


def _chose(state: RampageState, what: str, after: RampageState, named: int) -> Sentence:
    """A choice, and what came of it."""
    pause = state.pause
    if pause is None:
        return (f"chose {what}",)
    whose = SEAT_NAMES[state.active]
    match pause.verb:
        case "reveal-top":
            foe = SEAT_NAMES[1 - state.active]
            seen = _turned_up(state, after)
            told: Sentence = (*seen[:2], f" on {foe}'s {what.title()}") if seen else ()
            told = told or (f"looked at the top of {foe}'s {what.title()}",)
        case "destroy-permanent":
            told = (f"destroyed {SEAT_NAMES[1 - state.active]}'s ", _card(state, what))
        case "raise-discard":
            told = ("picked ", _card(state, what), " from the discards")
        case "raise-top":
            told = (
                "put ",
                *_cards(state, state.discards[-1:]),
                f" from the discards under the {what.title()}",
            )
        case "sabotage":
            struck = _cards(state, after.discards[len(state.discards) :][:1])
            told = ("struck ", *struck, f" off {whose}'s {what.title()}")
        case _:  # a Spy
            told = ("took ", _card(state, what), f" from {whose}'s hand")
    if pause.card is None:
        return told
    card = state.game.box.cards[pause.card]
    if not pause.fighting:
        acted = _acted(card, pause.effect, after)
        did = _deeds(state, after, card, named, spent=0, effects=acted)
        told = (*told, *((", ", *did) if did else ()))
    steps = after.steps[len(state.steps) :]
    if not steps:
        return told
    went = " went on" if pause.fighting else " attacked"
    goes_on = f"; {whose}'s {card}{went if named else ''}"
    strength = f" with {steps[0].before}" if named else ""
    return (*told, f"{goes_on}{strength}: ", *_fight(state, after, steps, card, named))


# -- the end of a turn, and of the game ------------------------------------------------------


def _ended(state: RampageState, after: RampageState) -> Sentence:
    if after.active == state.active:
        return ("ended the turn",)
    seat = after.active
    drawn = len(after.sides[seat].hand) - len(state.sides[seat].hand)
    anew = ", the pile shuffled anew" if after.renewals > state.renewals else ""
    return (f"ended the turn; {SEAT_NAMES[seat]} drew {counted(drawn, 'card')}{anew}",)


def _outcome(state: RampageState, after: RampageState) -> Sentence:
    if after.loser is None or state.loser is not None:
        return ()
    if after.lifted:
        return (f". The siege is lifted: {SEAT_NAMES[1 - after.loser]} wins.",)
    return (f". {SEAT_NAMES[after.loser]}'s Castle has fallen!",)
