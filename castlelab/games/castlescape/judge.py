"""Whether a move of CastleScape is legal, and if not, which rule says so.

Every answer names the rule, says why, where, and what could be done instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from castlelab.game import Move
from castlelab.games.castlescape import masonry
from castlelab.games.castlescape.board import occupied_breach
from castlelab.games.castlescape.card import RULES
from castlelab.games.castlescape.guild import EMPTY, HIDDEN, Step
from castlelab.games.castlescape.moves import (
    Acquire,
    Buy,
    ClaimGoal,
    Destroy,
    Discard,
    Dismiss,
    EndTurn,
    Keep,
    MoveRecruit,
    Oust,
    Pay,
    Play,
    Recall,
    Recruit,
    Shift,
    Wall,
)
from castlelab.rules import Breach, CastlelabError

if TYPE_CHECKING:
    from castlelab.games.castlescape.play import ScapeState


def breaches(state: ScapeState, move: Move) -> Iterator[Breach]:
    """Every rule that a move breaks now."""
    judge = _JUDGES.get(type(move))
    if judge is None:
        raise CastlelabError(f"{move!r} is not a move of CastleScape")
    if state.finished:
        yield _breach("scape/final-round", "The game is over.")
    elif state.agenda:
        if isinstance(move, _DUE[state.agenda[0].kind]):
            yield from judge(state, move)
        else:
            yield _due_first(state, state.agenda[0])
    elif isinstance(move, Dismiss | Discard | Pay):
        yield _breach(
            "scape/inspection",
            "Nobody has to give anything up now.",
            (),
            "That happens at an Inspection, or beyond 10 Infamy.",
        )
    elif not state.round and not isinstance(move, Keep):
        yield _breach(
            "scape/contracts-dealt",
            "The turns have not begun.",
            (),
            "Keep two of the four contracts first.",
        )
    else:
        yield from judge(state, move)


def card_id(place: str, card: str) -> str:
    """What the picture and the breaches call a card: "hand Ramparts", "market Ramparts"."""
    return f"{place} {card}"


def _breach(rule: str, message: str, where: tuple[str, ...] = (), mend: str = "") -> Breach:
    return Breach(RULES[rule], message, where, mend)


_DUE: dict[str, tuple[type[Move], ...]] = {
    "keep": (Keep,),
    "levy": (Dismiss, Discard, Pay),
    "give-up": (Dismiss, Discard, Pay),
}


def _due_first(state: ScapeState, step: Step) -> Breach:
    options = " or ".join(f"'{move}'" for move in state.moves()[:3])
    if step.kind == "keep":
        return _breach("scape/contract", "A contract is to be kept first.", (), f"Play {options}.")
    rule, why = _debt(step)
    return _breach(rule, f"{why} costs {step.number} more influence first.", (), f"Play {options}.")


def _debt(step: Step) -> tuple[str, str]:
    """The rule and the reason of something that is to be given up."""
    if step.kind == "levy":
        return "scape/over-ten", "Infamy beyond 10"
    return "scape/inspection", "The Inspection"


def _named(state: ScapeState, cards: tuple[int, ...]) -> str:
    """Cards in words, each kind once."""
    names = [state.game.box.cards[at].name for at in dict.fromkeys(cards) if at != HIDDEN]
    return ", ".join(names) or "none"


def _keep(state: ScapeState, move: Keep) -> Iterator[Breach]:
    if state.round and not state.agenda:
        yield _breach(
            "scape/contract",
            "There is no contract to choose now.",
            (),
            "Buy New Contract for another one.",
        )
        return
    seat = state.agenda[0].seat if state.agenda else state.chooser
    rule = "scape/contract" if state.round else "scape/contracts-dealt"
    dealt = state.guilds[seat].dealt
    contracts = state.game.box.contracts
    if state.game.box.contract_places.get(move.contract) not in dealt:
        names = ", ".join(contracts[at].name for at in dealt if at != HIDDEN)
        yield _breach(
            rule, f"{move.contract} is not among your contracts.", (), f"Those are {names}."
        )


def _play(state: ScapeState, move: Play) -> Iterator[Breach]:
    box, guild = state.game.box, state.guilds[state.active]
    place = box.places.get(move.card)
    if place is None or place not in guild.hand:
        yield _breach(
            "scape/play-any",
            f"{move.card} is not in your hand.",
            (card_id("hand", move.card),),
            f"Your hand: {_named(state, guild.hand)}.",
        )
        return
    card = box.cards[place]
    if bool(move.way) != bool(card.choices) or move.way > len(card.choices):
        sides = "; ".join(
            f"{number}: {' '.join(effect.words for effect in choice)}"
            for number, choice in enumerate(card.choices, start=1)
        )
        yield _breach(
            "scape/or",
            f"{card} does one of {len(card.choices)} things."
            if card.choices
            else f"{card} has no OR to choose from.",
            (card_id("hand", move.card),),
            f"Choose one: {sides}" if card.choices else "Leave the number out.",
        )


def _wall(state: ScapeState, move: Wall) -> Iterator[Breach]:
    bit = _bit(state, move.square)
    turn, where = state.turn, (move.square,)
    if not masonry.walls_left(turn.masonry):
        if turn.positioned:
            yield _breach(
                "scape/walls-first",
                "A recruit was positioned this turn, and walls come before recruits.",
                where,
                "Build in your next turn.",
            )
        else:
            yield _breach(
                "scape/use-or-return",
                "There is no wall to build.",
                where,
                "Play a card that gives walls.",
            )
        return
    found = state.board.check_walls([move.square]).breaches
    yield from found
    if not found and not bit & state.wall_spots():
        spots = ", ".join(state.board.names(state.wall_spots())[:4])
        yield _breach(
            "scape/wall-contiguous",
            f"A wall on {move.square} would not touch the other walls of its card.",
            where,
            f"Build on {spots}." if spots else "The walls that are left are forfeited.",
        )


def _recruit(state: ScapeState, move: Recruit) -> Iterator[Breach]:
    turn, board, where = state.turn, state.board, (move.square,)
    if not turn.recruits and not turn.sentries:
        yield _breach(
            "scape/use-or-return",
            "There is no recruit to position.",
            where,
            "Play a card that gives recruits.",
        )
    elif not state.cubes(state.active):
        yield _breach(
            "scape/cubes-out",
            "All your recruits are on the site.",
            where,
            "Recruits are never taken back in the hardcore variant."
            if state.game.hardcore
            else "Take one of them back first, with 'recall' and its square.",
        )
    yield from board.check_recruit(
        move.square,
        on_ground=bool(turn.recruits) or not turn.sentries,
        on_walls=bool(turn.sentries),
    ).breaches


def _move(state: ScapeState, move: MoveRecruit) -> Iterator[Breach]:
    start, end = _bit(state, move.start), _bit(state, move.end)
    turn, board, seat = state.turn, state.board, state.active
    where = (move.start, move.end)
    if not turn.moves and not turn.climbs:
        yield _breach(
            "scape/stays",
            "A recruit stays where it is.",
            where,
            "Play a card that lets recruits move.",
        )
        return
    if not board.ground[seat] & start:
        atop = board.atop[seat] & start
        yield _breach(
            "scape/adjacent",
            f"Your recruit on {move.start} stands on a wall, and stays there."
            if atop
            else f"None of your recruits stands on {move.start}.",
            (move.start,),
            "Choose one of yours on the ground.",
        )
    if not end & state.game.beside[start.bit_length() - 1]:
        yield _breach(
            "scape/adjacent",
            f"{move.end} does not share a side with {move.start}.",
            where,
            "Go to the next square.",
        )
    if end & board.occupied():
        yield occupied_breach(move.end)
    elif end & board.walls and not turn.climbs:
        yield _breach(
            "scape/adjacent",
            f"There is a wall on {move.end}, and no card lets the recruit climb.",
            (move.end,),
            "Go to open ground.",
        )
    elif not end & board.walls and not turn.moves:
        yield _breach(
            "scape/adjacent",
            f"There is no wall on {move.end} to climb.",
            (move.end,),
            "Climb onto a wall.",
        )


def _oust(state: ScapeState, move: Oust) -> Iterator[Breach]:
    bit = _bit(state, move.square)
    where, board, seat = (move.square,), state.board, state.active
    if not state.turn.ousts:
        yield _breach(
            "scape/stays",
            "No card of this turn removes recruits.",
            where,
            "Play one that does.",
        )
    elif not bit & board.occupied() or bit & (board.ground[seat] | board.atop[seat]):
        yield _breach(
            "scape/adjacent",
            f"No rival's recruit stands on {move.square}.",
            where,
            "Choose one beside one of yours.",
        )
    elif not bit & state.oust_spots():
        yield _breach(
            "scape/adjacent",
            f"None of your recruits stands beside {move.square}; corners are not enough.",
            where,
            "Choose one beside one of yours.",
        )


def _recall(state: ScapeState, move: Recall) -> Iterator[Breach]:
    bit = _bit(state, move.square)
    where, board, seat = (move.square,), state.board, state.active
    if state.game.hardcore:
        yield _breach(
            "scape/cubes-out", "Recruits are never taken back in the hardcore variant.", where
        )
        return
    if not state.turn.recruits and not state.turn.sentries:
        yield _breach(
            "scape/cubes-out",
            "There is no recruit to position, so none may be taken back.",
            where,
            "Play a card that gives recruits.",
        )
    elif state.cubes(seat):
        yield _breach(
            "scape/cubes-out",
            f"You still have {state.cubes(seat)} recruits beside the site.",
            where,
            "Position one of those.",
        )
    if not bit & (board.ground[seat] | board.atop[seat]):
        yield _not_yours("scape/cubes-out", move.square)


def _not_yours(rule: str, square: str) -> Breach:
    return _breach(
        rule,
        f"None of your recruits stands on {square}.",
        (square,),
        "Choose one of yours.",
    )


def _buy(state: ScapeState, move: Buy) -> Iterator[Breach]:
    yield from _offered(state, "scape/buy", move.card)
    place = state.game.box.places.get(move.card)
    if place is None:
        return
    cost, gold = state.game.box.cards[place].cost, state.turn.gold
    if cost > gold:
        yield _breach(
            "scape/buy",
            f"{move.card} costs {cost} gold, and you have {gold}.",
            (card_id("market", move.card),),
            "Play more cards with gold, or buy something cheaper.",
        )


def _acquire(state: ScapeState, move: Acquire) -> Iterator[Breach]:
    if not state.turn.acquires:
        yield _breach(
            "scape/acquire",
            "No card of this turn lets you acquire one.",
            (card_id("market", move.card),),
            "Buy it with gold.",
        )
        return
    yield from _offered(state, "scape/acquire", move.card)
    place = state.game.box.places.get(move.card)
    most = state.turn.acquires[-1]
    if place is not None and state.game.box.cards[place].cost > most:
        yield _breach(
            "scape/acquire",
            f"{move.card} costs more than {most}.",
            (card_id("market", move.card),),
            f"Acquire a card that costs {most} or less.",
        )


def _offered(state: ScapeState, rule: str, name: str) -> Iterator[Breach]:
    game = state.game
    place = game.box.places.get(name)
    if place in state.offers():
        return
    where = (card_id("market", name),)
    if place == game.box.new_contract:
        yield _breach("scape/contract", "There are no contracts left.", where)
    elif place in game.standard:
        yield _breach("scape/market", f"{name} is sold out.", where, "Choose another card.")
    else:
        stalls = tuple(at for at in state.stalls if at != EMPTY)
        yield _breach(
            rule,
            f"{name} is not on offer now.",
            where,
            f"In the stalls: {_named(state, stalls)}.",
        )


def _destroy(state: ScapeState, move: Destroy) -> Iterator[Breach]:
    guild, turn = state.guilds[state.active], state.turn
    from_hand = move.pile == "hand"
    number = turn.from_hand if from_hand else turn.from_discards
    held = guild.hand if from_hand else guild.discards
    place = "your hand" if from_hand else "your discard pile"
    where = (card_id(move.pile, move.card),)
    if not number:
        yield _breach(
            "scape/destroy",
            f"No card of this turn destroys cards of {place}.",
            where,
            "Play one that does.",
        )
        return
    if state.game.box.places.get(move.card) not in held:
        in_play = state.game.box.places.get(move.card) in turn.played
        yield _breach(
            "scape/destroy",
            f"{move.card} is in play, and cannot be destroyed there."
            if in_play
            else f"{move.card} is not in {place}.",
            where,
            f"There are: {_named(state, held)}.",
        )


def _shift(state: ScapeState, move: Shift) -> Iterator[Breach]:
    guild, where = state.guilds[state.active], (card_id("alley", move.card),)
    if not state.turn.blames:
        yield _breach(
            "scape/penalty",
            "No card of this turn takes cards out of the Back Alley.",
            where,
            "Play one that does.",
        )
    elif state.game.box.places.get(move.card) not in guild.alley:
        in_play = state.game.box.places.get(move.card) in state.turn.played
        yield _breach(
            "scape/penalty",
            f"{move.card} was played this turn, and is not in the Back Alley before its end."
            if in_play
            else f"{move.card} is not in your Back Alley.",
            where,
            f"There are: {_named(state, guild.alley)}.",
        )


def _claim(state: ScapeState, move: ClaimGoal) -> Iterator[Breach]:
    box, where = state.game.box, (card_id("goal", move.goal),)
    place = box.goal_places.get(move.goal)
    if place is None or place not in state.goals:
        names = ", ".join(box.goals[at].name for at in state.goals) or "none"
        yield _breach(
            "scape/goal", f"{move.goal} is not face up.", where, f"The goals are: {names}."
        )
        return
    goal = box.goals[place]
    if state.turn.goal_taken:
        yield _breach(
            "scape/goal",
            "You have taken a goal this turn, and one is all.",
            where,
            "Take it in your next turn, if it is still there.",
        )
    if not goal.met(state, state.active):
        count = goal.count(state, state.active)
        yield _breach(
            "scape/goal",
            f"{goal.name} is not fulfilled: you stand at {count}.",
            where,
            goal.words,
        )


def _dismiss(state: ScapeState, move: Dismiss) -> Iterator[Breach]:
    step, board = state.agenda[0], state.board
    if not _bit(state, move.square) & (board.ground[step.seat] | board.atop[step.seat]):
        yield _not_yours(_debt(step)[0], move.square)


def _recruits_first(state: ScapeState, step: Step) -> Iterator[Breach]:
    board = state.board
    recruits = board.ground[step.seat] | board.atop[step.seat]
    if recruits:
        yield _breach(
            _debt(step)[0],
            "Recruits are given up first, as long as there are some on the site.",
            board.names(recruits),
            "Dismiss one of them.",
        )


def _discard(state: ScapeState, move: Discard) -> Iterator[Breach]:
    step = state.agenda[0]
    yield from _recruits_first(state, step)
    hand = state.guilds[step.seat].hand
    if state.game.box.places.get(move.card) not in hand:
        yield _breach(
            _debt(step)[0],
            f"{move.card} is not in your hand.",
            (card_id("hand", move.card),),
            f"Your hand: {_named(state, hand)}.",
        )


def _pay(state: ScapeState, _: Pay) -> Iterator[Breach]:
    step = state.agenda[0]
    yield from _recruits_first(state, step)
    if step.kind == "give-up" and state.guilds[step.seat].hand:
        yield _breach(
            "scape/inspection",
            "At an Inspection the cards of your hand go before Renown does.",
            (),
            "Discard a card.",
        )


def _end(_: ScapeState, __: EndTurn) -> Iterator[Breach]:
    yield from ()


def _bit(state: ScapeState, square: str) -> int:
    bit = state.game.bits.get(square)
    if bit is None:
        raise CastlelabError(f"there is no square {square} on a site of side {state.game.side}")
    return bit


_JUDGES: dict[type[Move], Callable[[ScapeState, Any], Iterator[Breach]]] = {
    Keep: _keep,
    Play: _play,
    Wall: _wall,
    Recruit: _recruit,
    MoveRecruit: _move,
    Oust: _oust,
    Recall: _recall,
    Buy: _buy,
    Acquire: _acquire,
    Destroy: _destroy,
    Shift: _shift,
    ClaimGoal: _claim,
    Dismiss: _dismiss,
    Discard: _discard,
    Pay: _pay,
    EndTurn: _end,
}
