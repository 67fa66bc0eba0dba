"""What each kind of move does to the state.

What then happens by itself is on the agenda (see :mod:`castlelab.games.castlescape.agenda`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from castlelab.game import Move, changed, changed_at, without
from castlelab.games.castlescape import agenda, masonry, moves
from castlelab.games.castlescape.card import CardGains
from castlelab.games.castlescape.guild import (
    CONTRACTS_KEPT,
    EMPTY_STALL,
    AgendaStep,
    ClaimedBailey,
    TurnGains,
)

if TYPE_CHECKING:
    from castlelab.games.castlescape.play import ScapeState


def _keep(state: ScapeState, move: moves.Keep) -> ScapeState:
    """A contract is kept; the others go back when there are enough of them."""
    preparing = not state.agenda
    seat = state.chooser if preparing else state.agenda[0].seat
    guild = state.guilds[seat]
    contract = state.game.box.contract_places[move.contract]
    kept = tuple(sorted((*guild.contracts, contract)))
    left = without(guild.dealt, contract)
    if preparing and len(kept) < CONTRACTS_KEPT:
        return state.with_guild(seat, contracts=kept, dealt=left)
    state = state.with_guild(seat, contracts=kept, dealt=())
    if state.chance is None:
        raise agenda.unknown()
    deck, chance = state.chance.shuffle(state.contracts + left)
    state = changed(state, contracts=deck, chance=chance)
    if not preparing:
        return agenda.run_agenda(state.done())
    if any(guild.dealt for guild in state.guilds):
        return state
    return changed(state, round=1)


def _gained(state: ScapeState, turn: TurnGains, gains: CardGains, **changes: Any) -> ScapeState:
    """Effects of a card: some wait to be used, the others happen now, in order."""
    if gains.waiting:
        turn = turn.gains(gains.waiting)
    if not gains.at_once:
        return changed(state, turn=turn, **changes)
    steps = tuple([AgendaStep(e.verb, state.active, e.number) for e in gains.at_once])
    return agenda.run_agenda(changed(state, turn=turn, agenda=steps, **changes))


def _play(state: ScapeState, move: moves.Play) -> ScapeState:
    """A card of the hand is laid out, and does what it says (``castlescape/play-any``)."""
    seat, box = state.active, state.game.box
    at = box.places[move.card]
    guild = state.guilds[seat]
    guild = guild.with_cards(guild.deck, without(guild.hand, at), guild.discards, guild.alley)
    gains = box.cards[at].gains[max(0, move.way - 1)]
    return _gained(state, state.turn.after_card(at), gains, guilds=state.seated(seat, guild))


def _wall(state: ScapeState, move: moves.Wall) -> ScapeState:
    """A wall, out of the Quarry while it lasts; then perhaps a bailey is complete."""
    bit = state.game.bits[move.square]
    board = state.board.with_wall(bit)
    left = masonry.after_wall(state.turn.masonry, bit, board)
    quarry = state.quarry
    if quarry and not state.ending:  # in the last round all walls come from the supply
        quarry -= 1
    turn = state.turn.built(left)
    state = changed(state, board=board, turn=turn, quarry=quarry)
    enclosed = board.enclosed()
    return _claimed(state, enclosed) if enclosed != state.enclosed else state


def _claimed(state: ScapeState, enclosed: int) -> ScapeState:
    """Baileys that are new are claimed and scored (``castlescape/bailey-score``).

    One wall may complete two of them. The active player would choose which is scored
    first, but nothing comes between them and Renown only adds up: the order makes no
    difference.
    """
    guilds, claims = list(state.guilds), list(state.claims)
    for bailey in state.board.baileys():
        if bailey.bits & state.enclosed:
            continue
        seats, size = bailey.leaders, bailey.size
        claims.append(ClaimedBailey(bailey.bits, bailey.wall_bits, size, seats))
        for seat in seats:
            renown = guilds[seat].renown + size // len(seats)
            guilds[seat] = guilds[seat]._replace(renown=renown)
    return changed(state, guilds=tuple(guilds), claims=tuple(claims), enclosed=enclosed)


def _recruit(state: ScapeState, move: moves.Recruit) -> ScapeState:
    """A recruit on its square; no more walls this turn (``castlescape/walls-first``)."""
    bit, turn = state.game.bits[move.square], state.turn
    atop = bool(state.board.walls & bit)
    left = masonry.only_late(turn.masonry)
    turn = turn.placed(turn.recruits - (not atop), turn.sentries - atop, left)
    board = state.board.with_recruit(state.active, bit, atop=atop)
    return changed(state, board=board, turn=turn)


def _move(state: ScapeState, move: moves.MoveRecruit) -> ScapeState:
    start, end = state.game.bits[move.start], state.game.bits[move.end]
    turn = state.turn.used("climbs" if state.board.walls & end else "moves")
    return changed(state, board=state.board.moved(state.active, start, end), turn=turn)


def _oust(state: ScapeState, move: moves.Oust) -> ScapeState:
    bit, board = state.game.bits[move.square], state.board
    rival = next(
        seat for seat in range(len(state.guilds)) if (board.ground[seat] | board.atop[seat]) & bit
    )
    turn = state.turn.used("ousts")
    return changed(state, board=board.without_recruit(rival, bit), turn=turn)


def _recall(state: ScapeState, move: moves.Recall) -> ScapeState:
    bit = state.game.bits[move.square]
    return changed(state, board=state.board.without_recruit(state.active, bit))


def _buy(state: ScapeState, move: moves.Buy) -> ScapeState:
    """Gold for a card (``castlescape/buy``)."""
    card = state.game.box.places[move.card]
    gold = state.turn.gold - state.game.box.cards[card].cost
    return _taken(state, card, state.turn._replace(gold=gold))


def _acquire(state: ScapeState, move: moves.Acquire) -> ScapeState:
    """A card for nothing (``castlescape/acquire``), with the effect that just suffices."""
    card = state.game.box.places[move.card]
    cost, limits = state.game.box.cards[card].cost, state.turn.acquires
    used = next(limit for limit in limits if limit >= cost)
    return _taken(state, card, state.turn._replace(acquires=without(limits, used)))


def _taken(state: ScapeState, card: int, turn: TurnGains) -> ScapeState:
    """A market card goes to the discard pile; New Contract stays where it is."""
    game, seat = state.game, state.active
    changes: dict[str, Any] = {}
    turn = turn._replace(busy=True)
    if card in state.stalls:
        changes["stalls"] = changed_at(state.stalls, state.stalls.index(card), EMPTY_STALL)
    elif card != game.box.new_contract:
        at = game.standard.index(card)
        changes["piles"] = changed_at(state.piles, at, state.piles[at] - 1)
    if card != game.box.new_contract:
        guild = state.guilds[seat]
        guild = guild._replace(
            discards=(*guild.discards, card), owned=tuple(sorted((*guild.owned, card)))
        )
        changes["guilds"] = state.seated(seat, guild)
        turn = turn._replace(new=(*turn.new, card))
    return _gained(state, turn, game.box.cards[card].gains_on_purchase, **changes)


def _destroy(state: ScapeState, move: moves.Destroy) -> ScapeState:
    """A card leaves the game for ever (``castlescape/destroy``)."""
    seat, turn = state.active, state.turn
    card, guild = state.game.box.places[move.card], state.guilds[seat]
    if card in turn.new:  # if one that came this turn is there, it goes before an older one
        in_hand = max(0, guild.hand.count(card) - state.older(card))
        if in_hand if move.pile == "hand" else turn.new.count(card) > in_hand:
            turn = turn._replace(new=without(turn.new, card))
    pile: Any = without(getattr(guild, move.pile), card)
    guild = guild._replace(owned=without(guild.owned, card), **{move.pile: pile})
    turn = turn.used(f"from_{move.pile}")
    gone = tuple(sorted((*state.gone, card)))
    return changed(state, guilds=state.seated(seat, guild), turn=turn, gone=gone)


def _shift(state: ScapeState, move: moves.Shift) -> ScapeState:
    seat, card = state.active, state.game.box.places[move.card]
    guild = state.guilds[seat]
    guild = guild._replace(alley=without(guild.alley, card), discards=(*guild.discards, card))
    turn = state.turn.used("blames")
    return changed(state, guilds=state.seated(seat, guild), turn=turn)


def _claim(state: ScapeState, move: moves.ClaimGoal) -> ScapeState:
    """A goal is taken and not replaced (``castlescape/goal``)."""
    seat, goal = state.active, state.game.box.goal_places[move.goal]
    guild = state.guilds[seat]
    guild = guild._replace(
        goals=tuple(sorted((*guild.goals, goal))),
        renown=guild.renown + state.game.box.goals[goal].renown,
    )
    return changed(
        state,
        guilds=state.seated(seat, guild),
        goals=without(state.goals, goal),
        turn=state.turn._replace(goal_taken=True, busy=True),
    )


def _end(state: ScapeState, _: moves.EndTurn) -> ScapeState:
    """Clean up (``castlescape/cleanup``). What was not used is lost
    (``castlescape/use-or-return``).
    """
    seat, shady = state.active, state.game.shady
    guild, played = state.guilds[seat], state.turn.played
    guild = guild.with_cards(
        deck=guild.deck,
        hand=(),
        discards=guild.discards + tuple([card for card in played if not shady[card]]) + guild.hand,
        alley=guild.alley + tuple([card for card in played if shady[card]]),
    )
    steps = agenda.clean_up(state)
    quiet = 0 if state.turn.busy else state.quiet + 1
    guilds = state.seated(seat, guild)
    return agenda.run_agenda(
        changed(state, guilds=guilds, turn=TurnGains(), agenda=steps, quiet=quiet)
    )


# -- giving things up --------------------------------------------------------------------


def _paid_off(state: ScapeState, step: AgendaStep, worth: int) -> ScapeState:
    """Part of a debt is paid; what is left of it is due next."""
    left = step.number - worth
    return agenda.run_agenda(state.done(*[step._replace(number=left)] * (left > 0)))


def _dismiss(state: ScapeState, move: moves.Dismiss) -> ScapeState:
    step, bit = state.agenda[0], state.game.bits[move.square]
    worth = 2 if state.board.atop[step.seat] & bit else 1
    board = state.board.without_recruit(step.seat, bit)
    return _paid_off(changed(state, board=board), step, worth)


def _discard(state: ScapeState, move: moves.Discard) -> ScapeState:
    step, card = state.agenda[0], state.game.box.places[move.card]
    guild = state.guilds[step.seat]
    hand, discards = without(guild.hand, card), (*guild.discards, card)
    return _paid_off(state.with_guild(step.seat, hand=hand, discards=discards), step, 1)


def _pay(state: ScapeState, _: moves.Pay) -> ScapeState:
    step = state.agenda[0]
    renown = state.guilds[step.seat].renown - 1
    return _paid_off(state.with_guild(step.seat, renown=renown), step, 1)


#: What plays each kind of move.
TURNS: dict[type[Move], Callable[[ScapeState, Any], ScapeState]] = {
    moves.Keep: _keep,
    moves.Play: _play,
    moves.Wall: _wall,
    moves.Recruit: _recruit,
    moves.MoveRecruit: _move,
    moves.Oust: _oust,
    moves.Recall: _recall,
    moves.Buy: _buy,
    moves.Acquire: _acquire,
    moves.Destroy: _destroy,
    moves.Shift: _shift,
    moves.ClaimGoal: _claim,
    moves.Dismiss: _dismiss,
    moves.Discard: _discard,
    moves.Pay: _pay,
    moves.EndTurn: _end,
}
