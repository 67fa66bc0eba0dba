"""Which moves are refused, and why: the rule, the place, and what would mend it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from castlelab.game import Move, Moves
from castlelab.games.castle_rampage.card import RULES, VERBS, Card, scheme_strength
from castlelab.games.castle_rampage.moves import END_TURN, Choose, Place, Play, Strengthen
from castlelab.games.castle_rampage.table import HIDDEN, PER_STACK, Pause, hand_id, stack_id
from castlelab.games.castle_rampage.turns import TURNS, options_for
from castlelab.rules import LEGAL, Breach, CastlelabError, Verdict, counted, either, listed

if TYPE_CHECKING:
    from castlelab.games.castle_rampage.play import RampageState

_MENDS = 3  # moves that are told to whoever made one that is not allowed


def judge(state: RampageState, move: Move) -> Verdict:
    """Whether a move is legal now, with every breach explained."""
    breaches = tuple(_breaches(state, move))
    return Verdict(breaches) if breaches else LEGAL


def _no(rule: str, message: str, where: tuple[str, ...] = (), mends: Moves = ()) -> Breach:
    return with_mends(Breach(RULES[rule], message, where), mends)


def with_mends(breach: Breach, mends: Moves) -> Breach:
    """The breach with these moves instead of the refused one, and a sentence made from them."""
    mend = f"Try {either(f'“{move}”' for move in mends)}." if mends else ""
    return replace(breach, mend=mend, mends=mends)


def _breaches(state: RampageState, move: Move) -> Iterator[Breach]:
    if state.loser is not None:
        rule = "castle_rampage/long-siege" if state.lifted else "castle_rampage/castle-falls"
        yield _no(rule, "The game is over.")
        return
    match move:
        case Choose():
            yield from _judge_choose(state, move)
        case _ if state.pause is not None:
            told = f"A choice is due first: {_choice_words(state.pause)}"
            yield _no(_choice_rule(state.pause), told, mends=_nearest(state, move))
        case Place():
            yield from _judge_place(state, move)
        case _ if type(move) not in TURNS:
            raise CastlelabError(f"{move!r} is not a move of Castle Rampage")
        case _ if not state.turn:
            told = (
                "The turns have not begun: the dealt cards are placed first, "
                "two at the Gate and two at the Castle."
            )
            mends = _nearest(state, move) or state.moves()[:_MENDS]
            yield _no("castle_rampage/first-stacks", told, mends=mends)
        case Strengthen():
            yield from _judge_strengthen(state, move)
        case Play():
            yield from _judge_play(state, move)


def _parts(move: Move) -> tuple[str, str, Counter[str]]:
    """The card of a move, what it is for, and what pays for it, as far as it has them."""
    match move:
        case Place(stack, card):
            return card, stack, Counter()
        case Strengthen(stack, card, paid):
            return card, stack, Counter(paid)
        case Play(card, paid):
            return card, "play", Counter(paid)
    return "", "", Counter()


def _nearest(state: RampageState, move: Move, *, same_card: bool = False) -> Moves:
    """The legal moves that are most like a refused one: with the same card, or to the same end.

    Where a choice is due, that comes first, whatever was tried.
    """
    if state.pause is not None:
        return state.moves()[:_MENDS]
    card, end, paid = _parts(move)
    liked: dict[tuple[bool, bool], list[Move]] = {}
    for other in state.moves():
        its_card, its_end, _ = _parts(other)
        if its_card and (card == its_card or (end == its_end and not same_card)):
            liked.setdefault((card == its_card, end == its_end), []).append(other)
    near = liked[max(liked)] if liked else []
    near.sort(key=lambda other: -(paid & _parts(other)[2]).total())
    return tuple(near[:_MENDS])


# -- choices, and the first stacks -----------------------------------------------------------


def _choice_rule(pause: Pause) -> str:
    return "castle_rampage/purple" if pause.fighting else "castle_rampage/play"


def _choice_words(pause: Pause) -> str:
    """What the effect says that a choice belongs to."""
    return VERBS["raise-discard" if pause.verb == "raise-top" else pause.verb].words


def _judge_choose(state: RampageState, move: Choose) -> Iterator[Breach]:
    pause = state.pause
    if pause is None:
        yield _no("castle_rampage/play", "There is nothing to choose now.")
    elif move.what not in options_for(state, pause.verb):
        what = f"{move.what[:1].upper()}{move.what[1:]}"
        told = f"{what} cannot be chosen now: {_choice_words(pause)}"
        yield _no(_choice_rule(pause), told, mends=_nearest(state, move))


def _judge_place(state: RampageState, move: Place) -> Iterator[Breach]:
    rule = "castle_rampage/first-stacks"
    if state.turn:
        yield _no(rule, "The first stacks are complete.", mends=_nearest(state, move))
        return
    seat = state.placing
    side = state.sides[seat]
    if state.game.box.places.get(move.card) not in side.dealt:
        names = ", ".join(state.game.names(side.dealt)) or "face down"
        told = f"{move.card} is not among the cards dealt to you. Those are {names}."
        yield _no(rule, told, mends=_nearest(state, move))
    if len(side.stack(move.stack).cards) >= PER_STACK * state.deals:
        told = f"Two of these five are at the {move.stack.title()} already."
        mends = _nearest(state, move) or state.moves()[:_MENDS]
        yield _no(rule, told, (stack_id(seat, move.stack),), mends)


# -- the turn --------------------------------------------------------------------------------


def _judge_strengthen(state: RampageState, move: Strengthen) -> Iterator[Breach]:
    rule = "castle_rampage/strengthen"
    if state.strengthens_left <= 0:
        told = "You have already strengthened your defences this turn."
        mends = _nearest(state, move) or (END_TURN,)
        yield _no(rule, told, (stack_id(state.active, move.stack),), mends)
    yield from _judge_held(state, rule, move)
    card = _in_box(state, move.card)
    if card is None or len(move.paid) == card.place_cost:
        return
    costs, where = "nothing.", tuple(map(hand_id, move.paid))
    if card.place_cost:
        rule, where = "castle_rampage/ogre-cost", (hand_id(card.name),)
        costs = f"{counted(card.place_cost, 'card')}, not {len(move.paid)}."
        costs += _short_of(state, card.name, card.place_cost)
    told = f"Strengthening with the {card} costs {costs}"
    yield _no(rule, told, where, _nearest(state, move, same_card=True))


def _judge_play(state: RampageState, move: Play) -> Iterator[Breach]:
    yield from _judge_held(state, "castle_rampage/play", move)
    card = _in_box(state, move.card)
    if card is None:
        return
    where = (hand_id(card.name),)
    if not card.playable:
        # castle_rampage/purple is about those that strike back, and an Ogre does not.
        rule = "castle_rampage/purple" if card.when_destroyed else "castle_rampage/play"
        told = f"The {card} only defends; it cannot be played."
        yield _no(rule, told, where, _nearest(state, move))
    elif card.is_scheme:
        yield from _judge_scheme(state, card, move)
    elif len(move.paid) != card.cost:
        costs = counted(card.cost, "card") if card.cost else "nothing"
        short = _short_of(state, card.name, card.cost)
        told = f"The {card} costs {costs}, not {len(move.paid)}.{short}"
        yield _no("castle_rampage/play", told, where, _nearest(state, move, same_card=True))
    elif state.rested and state.rests(card.name):
        told = f"The {card} has come home this turn, and rests until the next: it costs nothing."
        yield _no("castle_rampage/held", told, where, _nearest(state, move))


def _short_of(state: RampageState, card: str, cost: int) -> str:
    """That the hand has too few cards to pay for one of them, if it is so."""
    hand = state.sides[state.active].hand
    others = len(hand) - (state.game.box.places[card] in hand)
    if others >= cost or HIDDEN in hand:
        return ""
    have = f"only {counted(others, 'card')}" if others else "nothing"
    return f" You have {have} to pay with."


def _judge_scheme(state: RampageState, scheme: Card, move: Play) -> Iterator[Breach]:
    paid = move.paid
    units = [card for name in paid if (card := _in_box(state, name)) is not None]
    if scheme_strength(scheme, units) is not None:
        return
    extra = f", and one more {scheme.extra} if you like" if scheme.extra else ""
    price = f"It is paid with {' + '.join(scheme.pays)}{extra}."
    symbols = {symbol for unit in units for symbol in unit.units}
    # The symbols are all there, but a card would have to be two units at once.
    if set(scheme.pays) <= symbols and any(len(unit.units) > 1 for unit in units):
        rule = "castle_rampage/unit"
        told = ", ".join(f"{u} ({' or '.join(u.units) or 'no unit'})" for u in units)
        told = f"Each card counts as one unit only: {told}"
    else:
        rule = "castle_rampage/scheme"
        does = "does" if len(paid) == 1 else "do"
        told = f"{listed(paid)} {does} not pay" if paid else "Nothing has been paid yet"
        told = f"{told} for {scheme}"
    where = tuple(map(hand_id, paid or (scheme.name,)))
    yield _no(rule, f"{told}. {price}", where, _nearest(state, move, same_card=True))


def _judge_held(state: RampageState, rule: str, move: Strengthen | Play) -> Iterator[Breach]:
    """Whether the card and all that pays for it are in the hand, each for itself."""
    card, paid = move.card, move.paid
    held = state.game.names(state.sides[state.active].hand)
    hand, missing = list(held), []
    for name in (card, *paid):
        if name in hand:
            hand.remove(name)
        else:
            missing.append(name)
    if missing:
        told = f"You do not have {', '.join(missing)} in hand for this."
        if missing == [card] and card in paid and card not in hand:
            told = f"A card cannot pay for itself: {card}."
        told = f"{told} Your hand: {', '.join(held) or 'nothing'}."
        where = tuple(map(hand_id, dict.fromkeys(missing)))
        yield _no(rule, told, where, _nearest(state, move))


def _in_box(state: RampageState, name: str) -> Card | None:
    place = state.game.box.places.get(name)
    return None if place is None else state.game.box.cards[place]
