"""What each kind of move does to a game of Castle Rampage: turns, effects, attacks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from castlelab.game import Move, changed, without
from castlelab.games.castle_rampage.attack import EVEN, HELD, PURPLE, Step, face_down_error, resolve
from castlelab.games.castle_rampage.card import STACKS, Card, StackName
from castlelab.games.castle_rampage.moves import Choose, EndTurn, Place, Play, Strengthen
from castlelab.games.castle_rampage.table import HIDDEN, Pause, Side, Stack
from castlelab.rules import CastlelabError

if TYPE_CHECKING:
    from castlelab.games.castle_rampage.play import RampageState

DEALT = 5
DEALS = 2
DRAWN, FIRST_DRAWN = 2, 1
LAST_TURN = 100
RENEWALS = 3


def deal(state: RampageState) -> RampageState:
    """Five cards for each player, none of them purple (``castle_rampage/deal``)."""
    if state.chance is None:
        raise _unknown_pile()
    plain = state.game.plain
    pile = list(reversed(state.pile))
    swapped: list[int] = []
    sides = []
    for side in state.sides:
        dealt: list[int] = []
        while len(dealt) < DEALT:
            card = pile.pop()
            (dealt if plain[card] else swapped).append(card)
        sides.append(side._replace(dealt=tuple(sorted(dealt))))
    chance = state.chance
    for card in swapped:  # into a shuffled pile: the same as shuffling anew, and quicker
        at, chance = chance.below(len(pile) + 1)
        pile.insert(at, card)
    return changed(
        state,
        sides=(sides[0], sides[1]),
        pile=tuple(reversed(pile)),
        chance=chance,
        deals=state.deals + 1,
    )


def _place(state: RampageState, move: Place) -> RampageState:
    """A card goes to a stack, the fifth to the hand (``castle_rampage/first-stacks``)."""
    seat = state.placing
    side = state.sides[seat].placed(move.stack, state.game.box.places[move.card])
    state = state.with_side(seat, side)
    if seat == 0 or side.dealt:
        return state
    return deal(state) if state.deals < DEALS else _begin_turn(state)


def _begin_turn(state: RampageState) -> RampageState:
    if not state.turn:
        return _drawn(state, state.starter, FIRST_DRAWN, turn=1)
    seat = 1 - state.active
    state = _drawn(
        state,
        seat,
        DRAWN + state.total(seat, "supply"),
        active=seat,
        turn=state.turn + 1,
        strengthened=0,
        rested=(),
        attacker=None,
        steps=(),
    )
    return _lifted(state) if state.exhausted else state


def _end(state: RampageState, _: EndTurn) -> RampageState:
    return _lifted(state) if state.turn >= LAST_TURN else _begin_turn(state)


def _lifted(state: RampageState) -> RampageState:
    """Nobody has won in time: the larger Castle has (``castle_rampage/long-siege``)."""
    ranks = [
        (len(side.castle.cards), len(side.gate.cards), seat != state.starter)
        for seat, side in enumerate(state.sides)
    ]
    return changed(state, loser=0 if ranks[0] < ranks[1] else 1)


def _drawn(state: RampageState, seat: int, number: int, **changes: Any) -> RampageState:
    """Cards from the pile, which is renewed when it is empty (``castle_rampage/draw``)."""
    cards, pile = state.pile[:number], state.pile[number:]
    if HIDDEN in cards:
        raise _unknown_pile()
    missing = number - len(cards)
    if missing and state.discards:
        if state.renewals == RENEWALS:
            changes["exhausted"] = True
        elif state.chance is None:
            raise _unknown_pile()
        else:
            pile, chance = state.chance.shuffle(state.discards)
            cards, pile = cards + pile[:missing], pile[missing:]
            changes |= {"discards": (), "chance": chance, "renewals": state.renewals + 1}
    return state.with_side(seat, state.sides[seat].with_cards(cards), pile=pile, **changes)


def _strengthen(state: RampageState, move: Strengthen) -> RampageState:
    seat, places = state.active, state.game.box.places
    card = places[move.card]
    paid = tuple(map(places.__getitem__, move.paid)) if move.paid else ()
    side = state.sides[seat].strengthened(move.stack, card, paid)
    number, discards = state.strengthened + 1, state.discards + paid
    return state.with_side(seat, side, strengthened=number, discards=discards)


def _play(state: RampageState, move: Play) -> RampageState:
    """Pay, then let the card act (``castle_rampage/play``)."""
    seat, box = state.active, state.game.box
    at = box.places[move.card]
    card = box.cards[at]
    strength, discards = card.attack or 0, state.discards
    if move.paid:
        paid = tuple(map(box.places.__getitem__, move.paid))
        discards += paid
        side = state.sides[seat].without((at, *paid))
        if len(paid) > len(card.pays) > 0:  # castle_rampage/scheme: the optional unit was added
            strength += card.bonus
    else:
        side = state.sides[seat].without((at,))
    if card.attack is not None and not card.when_played:  # the most common kind, at one go
        strength = _full_strength(state, card, strength)
        return _assault(state, at, strength, side, discards, ())
    attacker = None if card.attack is None else at
    state = state.with_side(seat, side, discards=discards, attacker=attacker, steps=())
    return _settled(_act(state, at, strength, 0))


def _choose(state: RampageState, move: Choose) -> RampageState:
    pause = state.pause
    assert pause is not None
    if pause.verb == "raise-discard":  # it is taken out; where it goes is asked next
        card = state.game.box.places[move.what]
        pile = (*without(state.discards, card), card)
        return changed(state, discards=pile, pause=replace(pause, verb="raise-top"))
    return _settled(_after_choice(state, pause, move.what))


def _after_choice(state: RampageState, pause: Pause, what: str) -> RampageState:
    """The effect with its choice made, and the rest of the card in play."""
    state = _chosen(changed(state, pause=None), pause.verb, what)
    card = pause.card
    if card is None:
        return state
    if state.loser is not None:
        return _discarded(state, card)
    if pause.fighting:
        return _assault_on(state, card, pause.strength)
    return _act(state, card, pause.strength, pause.effect)


def _settled(state: RampageState) -> RampageState:
    """A card has been played to its end: only now a pile without cards lifts the siege."""
    going_on = state.pause is not None or state.loser is not None
    return _lifted(state) if state.exhausted and not going_on else state


def _discarded(state: RampageState, card: int) -> RampageState:
    return changed(state, discards=(*state.discards, card))


def _act(state: RampageState, at: int, strength: int, done: int) -> RampageState:
    """The effects of the card in play that are still to come, then its attack."""
    card = state.game.box.cards[at]
    for effect in card.when_played[done:]:
        done += 1
        if effect.verb == "draw":
            state = _drawn(state, state.active, effect.number)
        elif effect.verb == "take-castle":  # castle_rampage/jester: it goes to the hand, openly
            top, side = _top_taken(state, state.active, "castle")
            strength += state.game.box.cards[top].castle
            state = _judged(state.with_side(state.active, side.with_shown(top)))
        elif effect.verb == "fell-castles":
            state = _castles_felled(state)
        else:
            verb, options = effect.verb, options_for(state, effect.verb)
            if verb == "raise-discard" and len(options) == 1:  # only where it goes is asked
                verb, options = "raise-top", STACKS
            if len(options) > 1:
                return changed(state, pause=Pause(verb, state.active, at, strength, done))
            if options:
                state = _chosen(state, verb, options[0])
        if state.loser is not None:
            return _discarded(state, at)
    if card.attack is not None:
        return _assault_on(state, at, _full_strength(state, card, strength))
    if card.permanent:
        side = state.sides[state.active].with_permanent(at)
        return state.with_side(state.active, side)
    return _discarded(state, at)


def _full_strength(state: RampageState, card: Card, strength: int) -> int:
    """The strength of an attack with all that permanent cards and the card itself add."""
    me, foe = state.active, 1 - state.active
    if state.sides[me].permanents:
        strength += state.total(me, "rally")
    if state.sides[foe].permanents:
        strength -= state.total(foe, "shield")
    if not state.sides[foe].gate.cards:
        strength += card.numbers.get("charge", 0)
    return max(0, strength)


def options_for(state: RampageState, verb: str) -> tuple[str, ...]:
    """What an effect lets its chooser choose from."""
    me, foe = state.sides[state.active], state.sides[1 - state.active]
    if verb == "raise-top":
        return STACKS
    if verb in ("reveal-top", "sabotage"):  # a Saboteur strikes at whoever attacked
        struck = foe if verb == "reveal-top" else me
        return tuple(name for name in STACKS if struck.stack(name).cards)
    from_which = {
        "destroy-permanent": foe.permanents,
        "raise-discard": state.discards,
        "spy": me.hand,
    }
    return state.game.names(tuple(sorted(set(from_which[verb]))))


def _chosen(state: RampageState, verb: str, what: str) -> RampageState:
    """The effect with its choice made."""
    seat = state.active
    foe = 1 - seat
    stack: StackName = "gate" if what == "gate" else "castle"
    match verb:
        case "reveal-top":
            side = state.sides[foe].turned_up(_top(state, foe, stack))
            return state.with_side(foe, side.with_stack(stack, side.stack(stack).revealed()))
        case "destroy-permanent":
            card = state.game.box.places[what]
            side = state.sides[foe]
            side = side._replace(permanents=without(side.permanents, card))
            return _discarded(state.with_side(foe, side), card)
        case "raise-top":  # castle_rampage/under; an Ogre costs nothing here
            side = state.sides[seat]
            raised = side.with_stack(stack, side.stack(stack).under(state.discards[-1]))
            return state.with_side(seat, raised, discards=state.discards[:-1])
        case "sabotage":
            card, side = _top_taken(state, seat, stack)
            return _judged(_discarded(state.with_side(seat, side), card))
        case _:  # spy
            card = state.game.box.places[what]
            robbed = state.sides[seat].without((card,))
            taker = state.sides[foe].with_shown(card)
            return changed(state, sides=(robbed, taker) if seat == 0 else (taker, robbed))


def _top(state: RampageState, seat: int, stack: StackName) -> Stack:
    """The top card of a stack as it is turned up; a view may not know it."""
    top = state.sides[seat].stack(stack).top(1)
    if HIDDEN in top.cards:
        raise face_down_error()
    return top


def _top_taken(state: RampageState, seat: int, stack: StackName) -> tuple[int, Side]:
    """The top card of a stack, and the side without it."""
    top = _top(state, seat, stack)
    side = state.sides[seat].turned_up(top)
    return top.cards[0], side.with_stack(stack, side.stack(stack).without_top())


def _castles_felled(state: RampageState) -> RampageState:
    """The top cards of both Castles are destroyed at once (``castle_rampage/summoner``)."""
    (first, left), (second, right) = (_top_taken(state, seat, "castle") for seat in (0, 1))
    fallen = (first, second) if state.active == 0 else (second, first)
    return _judged(changed(state, sides=(left, right), discards=state.discards + fallen))


def _judged(state: RampageState) -> RampageState:
    """Whether a Castle has fallen (``castle_rampage/castle-falls``); of two, the own counts."""
    seat = state.active
    for loser in (seat, 1 - seat):
        if not state.sides[loser].castle.cards:
            return changed(state, loser=loser)
    return state


def _assault_on(state: RampageState, at: int, strength: int) -> RampageState:
    """The attack of the card in play as things stand, or what is left of it."""
    return _assault(state, at, strength, state.sides[state.active], state.discards, state.steps)


def _assault(
    state: RampageState,
    at: int,
    strength: int,
    mine: Side,
    discards: tuple[int, ...],
    steps: tuple[Step, ...],
) -> RampageState:
    """An attack to its end or to the next choice of a purple card.

    ``mine`` is the side of the attacker, which has paid; ``steps`` is what came before.
    """
    game = state.game
    faces = game.faces
    foe = 1 - state.active
    side = state.sides[foe]
    gate, castle = side.gate, side.castle
    gate_cards, castle_cards = gate.cards, castle.cards
    result = resolve(
        strength,
        tuple(map(faces.__getitem__, gate_cards)),
        tuple(map(faces.__getitem__, castle_cards)),
        at_castle=game.past_gates[at],  # castle_rampage/target
        pause=True,
    )
    _, new_steps, gate_left, castle_left, left, _, castle_fell, paused = result
    fallen: tuple[int, ...] = ()
    if gates := len(gate_cards) - len(gate_left):
        fallen, gate = gate_cards[:gates], gate.without_top(gates)
    if castles := len(castle_cards) - len(castle_left):
        fallen, castle = fallen + castle_cards[:castles], castle.without_top(castles)
    last = new_steps[-1]
    rule = last.rule
    in_play, held = rule != EVEN, rule == HELD
    if side.shown:
        side = side.turned_up(side.gate.top(gates + (held and last.stack == "gate")))
        side = side.turned_up(side.castle.top(castles + (held and last.stack == "castle")))
    returns = held and game.returns[at]
    if held:  # castle_rampage/held: the defender was seen, and goes back
        if last.stack == "gate":
            gate = gate.revealed()
        else:
            castle = castle.revealed()
    struck = fallen[-1] if fallen else HIDDEN
    rested = state.rested
    if returns:
        mine = mine.with_shown(at)
        if game.rests_at_home[at]:
            rested = (*rested, at)
    elif game.stays[at] and not (rule == PURPLE or game.bombs[struck]):  # castle_rampage/permanent
        if not paused or not in_play:
            mine = mine.with_permanent(at)
    elif not in_play:  # castle_rampage/even: the attacker is discarded first
        fallen = (*fallen[:-1], at, fallen[-1])
    elif not paused:
        fallen = (*fallen, at)
    theirs = side.with_stacks(gate, castle)
    state = changed(
        state,
        sides=(theirs, mine) if foe == 0 else (mine, theirs),
        discards=discards + fallen,
        attacker=at,
        steps=steps + new_steps,
        rested=rested,
        loser=foe if castle_fell else None,
    )
    if paused:  # castle_rampage/purple
        verb = game.box.cards[struck].when_destroyed
        return _struck_back(state, verb, at if in_play else None, left)
    return state


def _struck_back(state: RampageState, verb: str, at: int | None, left: int) -> RampageState:
    """A Saboteur or a Spy has been destroyed: its owner decides, then the attack goes on."""
    if verb == "spy":  # its owner looks through the whole hand
        state = state.with_side(state.active, state.sides[state.active].opened())
    options = options_for(state, verb)
    if len(options) > 1:
        return changed(state, pause=Pause(verb, 1 - state.active, at, left, fighting=True))
    if options:
        state = _chosen(state, verb, options[0])
    if at is None:
        return state
    return _discarded(state, at) if state.loser is not None else _assault_on(state, at, left)


def _unknown_pile() -> CastlelabError:
    return CastlelabError("a view does not know what the pile brings; guess a state first")


#: What each kind of move does.
TURNS: dict[type[Move], Callable[[RampageState, Any], RampageState]] = {
    Place: _place,
    Strengthen: _strengthen,
    Play: _play,
    Choose: _choose,
    EndTurn: _end,
}
