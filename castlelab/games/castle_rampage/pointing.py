"""Playing Castle Rampage by pointing: a card, then a stack, or the cards that pay for it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from castlelab.game import Move, Pointing, without
from castlelab.games.castle_rampage.card import STACKS, Card, StackName
from castlelab.games.castle_rampage.moves import END_TURN, Choose, Place, Play, Strengthen
from castlelab.games.castle_rampage.table import discard_id, hand_id, permanent_id, stack_id
from castlelab.rules import counted

if TYPE_CHECKING:
    from castlelab.games.castle_rampage.play import RampageState

PLAY, END = "play", "end"  # the buttons of the table


def point(state: RampageState, picks: tuple[str, ...]) -> Pointing:
    """What it means to have pointed at these targets of the table."""
    if state.over:
        return Pointing()
    if state.pause is not None:
        return _choosing(state, picks)
    return _playing(state, picks) if state.turn else _preparing(state, picks)


# -- preparation -----------------------------------------------------------------------------

_PLACE_FIRST = "Pick one of the cards dealt to you, then your Gate or your Castle."


def _preparing(state: RampageState, picks: tuple[str, ...]) -> Pointing:
    """A dealt card, then a stack (``castle_rampage/first-stacks``)."""
    if not picks:
        cards = dict.fromkeys(move.card for move in state.moves_of(Place))
        return Pointing(offers=tuple(map(hand_id, cards)), words=_PLACE_FIRST)
    *before, pick = picks
    taken = _held(state, before[-1]) if before else None
    if (card := _held(state, pick)) is not None:
        if card == taken:
            return _said("Put back.", _preparing(state, ()))
        stacks = [move.stack for move in state.moves_of(Place) if move.card == card.name]
        return Pointing(
            offers=tuple(_own_id(state, stack) for stack in stacks),
            picks=(pick,),
            words=f"{card.describe()} Pick your Gate or your Castle.",
        )
    stack = _own_stack(state, pick)
    if stack is not None and taken is not None:
        return Pointing(Place(stack, taken.name))
    kept = (hand_id(taken.name),) if taken is not None else ()
    return _said(_foreign_words(state, pick), _preparing(state, kept))


# -- the turn --------------------------------------------------------------------------------

PLAY_FIRST = "Pick a card of your hand, or end your turn."


@dataclass(frozen=True, slots=True)
class _Order:
    """What has been picked so far: a card, where it goes, what pays for it."""

    card: Card
    stack: StackName | None = None  # to strengthen; None as long as it may be played
    paid: tuple[str, ...] = ()  # in the order of picking

    @property
    def takes_payment(self) -> bool:
        """Whether the next card that is picked pays; otherwise it is taken up instead."""
        if self.stack is not None:
            return bool(self.card.place_cost)
        return self.card.playable and bool(self.card.cost or self.card.is_scheme)

    def move(self) -> Move:
        """The order as a move, legal or not."""
        if self.stack is None:
            return Play(self.card.name, self.paid)
        return Strengthen(self.stack, self.card.name, self.paid)

    def picks(self, state: RampageState) -> tuple[str, ...]:
        """The picks that come to this order."""
        stack = () if self.stack is None else (_own_id(state, self.stack),)
        return (hand_id(self.card.name), *stack, *map(hand_id, self.paid))


def _playing(state: RampageState, picks: tuple[str, ...]) -> Pointing:
    """Strengthening, playing, ending: the last pick, and what was ordered before."""
    if not picks:
        return _fresh(state)
    *before, pick = picks
    if pick == END:
        return Pointing(END_TURN)
    order = _ordered(state, tuple(before))
    card = _held(state, pick)
    if order is None:
        if card is not None:
            return _asked(state, _Order(card))
        return _said(_look(state, pick), _fresh(state))
    if pick == PLAY or pick == _attacked(state, order):
        return Pointing(order.move())
    if card is not None:
        return _with_card(state, order, card)
    stack = _own_stack(state, pick)
    if stack is None:
        return _said(_look(state, pick), _asked(state, order))
    return _answered(state, replace(order, stack=stack))


def _ordered(state: RampageState, picks: tuple[str, ...]) -> _Order | None:
    """The order that the picks before came to."""
    order: _Order | None = None
    for pick in picks:
        card, stack = _held(state, pick), _own_stack(state, pick)
        if order is None:
            order = None if card is None else _Order(card)
        elif card is not None:
            if card.name in _next_payments(state, order):  # a card cannot pay for itself
                order = replace(order, paid=(*order.paid, card.name))
        elif stack is not None:
            order = replace(order, stack=stack)
    return order


def _with_card(state: RampageState, order: _Order, card: Card) -> Pointing:
    """One more card is picked: it pays, or goes back, or the order is done, or begins anew."""
    more = replace(order, paid=(*order.paid, card.name))
    if order.takes_payment and card.name in _next_payments(state, order):
        return _answered(state, more)
    if card.name in order.paid:  # all of them pay already
        less = replace(order, paid=without(order.paid, card.name))
        return _said(f"{card} put back.", _asked(state, less))
    if card == order.card:
        if _payments(state, order, whole=True):
            return Pointing(order.move())
        return _said("Put back.", _fresh(state))
    # A card that nobody could pay for is only put away for another one.
    if not order.takes_payment or not _payments(state, _Order(order.card, order.stack)):
        return _asked(state, _Order(card))
    return Pointing(more.move())


def _answered(state: RampageState, order: _Order) -> Pointing:
    """The move, if nothing more can be added to the order; else what can."""
    if _next_payments(state, order):
        return _asked(state, order)
    return Pointing(order.move())


def _fresh(state: RampageState) -> Pointing:
    """Nothing picked: every card that can do something by itself is offered."""
    cards = dict.fromkeys(move.card for move in _orders(state))
    return Pointing(offers=(*map(hand_id, cards), END), words=PLAY_FIRST)


def _asked(state: RampageState, order: _Order) -> Pointing:
    """An order that is not complete, or may be more: what can be picked next."""
    offers = [*map(hand_id, _next_payments(state, order))]
    if order.stack is None and not order.paid:
        stacks = dict.fromkeys(
            move.stack for move in state.moves_of(Strengthen) if move.card == order.card.name
        )
        offers += [_own_id(state, stack) for stack in stacks]
    if _payments(state, order, whole=True):
        offers += filter(None, (PLAY, _attacked(state, order)))
    return Pointing(offers=tuple(offers), picks=order.picks(state), words=_ask_words(state, order))


def _ask_words(state: RampageState, order: _Order) -> str:
    """What the card is, what has been paid, and what there is to do."""
    card, paid = order.card, order.paid
    said = [card.describe() if not paid and order.stack is None else f"{card}."]
    if paid:
        said.append(f"Paid so far: {', '.join(paid)}.")
    ways = []
    if _next_payments(state, order):
        ways.append(_payment_words(order))
    if _payments(state, order, whole=True):
        ways.append("pick Play")
    if not paid and order.stack is None:
        if any(move.card == card.name for move in state.moves_of(Strengthen)):
            ways.append("pick your Gate or Castle to strengthen it")
        if not ways:
            return " ".join([*said, "There is nothing to do with it now but to pay."])
    ask = ", or ".join(ways)
    return " ".join([*said, f"{ask[:1].upper()}{ask[1:]}."])


def _payment_words(order: _Order) -> str:
    """What is still to be paid, as something to do."""
    card, paid = order.card, len(order.paid)
    if order.stack is not None:
        return f"pick {counted(card.place_cost - paid, 'card')} to discard for it"
    if not card.is_scheme:
        return f"pick {counted(card.cost - paid, 'card')} to pay for it"
    if paid < len(card.pays):
        return f"pick the units that pay for it ({' + '.join(card.pays)})"
    return f"pick one more {card.extra} for +{card.bonus}"


def _attacked(state: RampageState, order: _Order) -> str:
    """The stack of the enemy that the card would hit: pointing at it plays the card."""
    if order.stack is not None or order.card.attack is None:
        return ""
    foe = 1 - state.active
    past_gate = order.card.does("target-castle") or not state.sides[foe].gate.cards
    return stack_id(foe, STACKS[past_gate])  # castle_rampage/target


# -- payments --------------------------------------------------------------------------------


def _payments(state: RampageState, order: _Order, *, whole: bool = False) -> list[Counter[str]]:
    """The payments of legal moves that begin with what is paid, or are just that."""
    paid = Counter(order.paid)
    found = []
    for move in _orders(state):
        stack = move.stack if isinstance(move, Strengthen) else None
        if (move.card, stack) == (order.card.name, order.stack):
            payment = Counter(move.paid)
            if payment == paid if whole else payment >= paid:
                found.append(payment)
    return found


def _next_payments(state: RampageState, order: _Order) -> tuple[str, ...]:
    """The cards that lead on to a legal payment."""
    paid = Counter(order.paid)
    more = {name for payment in _payments(state, order) for name in payment - paid}
    return tuple(sorted(more, key=state.game.box.places.__getitem__))


# -- choices ---------------------------------------------------------------------------------

_CHOICES = {
    "reveal-top": "Pick the enemy's Gate or Castle: everybody sees its top card.",
    "destroy-permanent": "Pick the permanent card of the enemy that is destroyed.",
    "raise-discard": "Pick the discarded card that goes under your Gate or Castle.",
    "raise-top": "Pick your Gate or Castle: the card goes under it.",
    "sabotage": "Your Saboteur strikes back: pick the attacker's Gate or Castle.",
    "spy": "Your Spy strikes back: pick the card that you take from the attacker's hand.",
}


def _choosing(state: RampageState, picks: tuple[str, ...]) -> Pointing:
    """A choice that an effect asks for: a stack or a card."""
    assert state.pause is not None
    verb = state.pause.verb
    offers = {_choice_id(state, verb, what): what for what in state.options()}
    pick = picks[-1] if picks else ""
    if pick in offers:
        return Pointing(Choose(offers[pick]))
    if (card := _held(state, pick)) is not None:
        return Pointing(Play(card.name))  # check tells that the choice comes first
    return Pointing(offers=tuple(offers), words=_CHOICES[verb])


def _choice_id(state: RampageState, verb: str, what: str) -> str:
    """Where on the table an option is."""
    foe = 1 - state.active
    if verb == "spy":
        return hand_id(what)
    if verb == "raise-discard":
        return discard_id(what)
    if verb == "destroy-permanent":
        return permanent_id(foe, what)
    return stack_id(foe if verb == "reveal-top" else state.active, what)


# -- what is where ---------------------------------------------------------------------------


def _orders(state: RampageState) -> list[Strengthen | Play]:
    return [*state.moves_of(Strengthen), *state.moves_of(Play)]


def _held(state: RampageState, pick: str) -> Card | None:
    """The card of a target such as "hand Knight", if the player to move has it."""
    seat = state.to_move
    assert seat is not None
    held = state.cards(state.sides[seat].dealt or state.sides[seat].hand)
    return next((card for card in held if card is not None and pick == hand_id(card.name)), None)


def _own_id(state: RampageState, stack: StackName) -> str:
    assert state.to_move is not None
    return stack_id(state.to_move, stack)


def _own_stack(state: RampageState, pick: str) -> StackName | None:
    return next((stack for stack in STACKS if pick == _own_id(state, stack)), None)


def _look(state: RampageState, pick: str) -> str:
    """What there is to say of a thing that nothing can be done with now."""
    for seat, side in enumerate(state.sides):
        for card in state.cards(side.permanents):
            if card is not None and pick == permanent_id(seat, card.name):
                return card.describe()
    if pick == "discards" and state.discards:
        from castlelab.games.castle_rampage.picture import discards_words

        return f"Discards: {discards_words(state)}."
    return _foreign_words(state, pick)


def _foreign_words(state: RampageState, pick: str) -> str:
    assert state.to_move is not None
    if pick in [stack_id(1 - state.to_move, stack) for stack in STACKS]:
        if state.turn and pick.startswith("castle"):
            return "That is the enemy's Castle. Attacks hit the Gate while it has cards."
        return "That stack is the enemy's."
    return ""


def _said(words: str, pointing: Pointing) -> Pointing:
    """The same with some words before."""
    return replace(pointing, words=" ".join(filter(None, (words, pointing.words))))
