"""Whether a move of CastleScape is legal, and if not, which rule says so.

Every answer names the rule, says why, where, and what could be done instead: legal moves of the
same kind, or the cards of the hand that would give what is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from castlelab.game import Move
from castlelab.games.castlescape import masonry, moves
from castlelab.games.castlescape.board import occupied_words
from castlelab.games.castlescape.card import RULES
from castlelab.games.castlescape.guild import HIDDEN_CARD, AgendaStep
from castlelab.games.castlescape.moves import PILES
from castlelab.rules import LEGAL, Breach, CastlelabError, Verdict, either

if TYPE_CHECKING:
    from castlelab.games.castlescape.play import ScapeState


def judge(state: ScapeState, move: Move) -> Verdict:
    """Whether a move is legal now, with every breach explained."""
    # Most moves that are asked about come from the list: those of the board are told
    # apart by a single bit.
    if not state.agenda and state.round and not state.finished:
        spots = 0
        if type(move) is moves.Wall:
            spots = state.wall_spots() & state.game.bits.get(move.square, 0)
        elif type(move) is moves.Recruit:
            spots = state.recruit_spots() & state.game.bits.get(move.square, 0)
        if spots:
            return LEGAL
    judged = _JUDGES.get(type(move))
    if judged is None:
        raise CastlelabError(f"{move!r} is not a move of CastleScape")
    if state.finished:
        return Verdict((_breach("castlescape/final-round", "The game is over."),))
    if breach := _out_of_time(state, move):
        return Verdict((breach,))
    breaches = tuple(judged(state, move))
    return Verdict(breaches) if breaches else LEGAL


def _out_of_time(state: ScapeState, move: Move) -> Breach | None:
    """Why it is not the moment for a move, if it is not."""
    if state.agenda:
        step = state.agenda[0]
        return None if isinstance(move, _DUE[step.kind]) else _due_first(state, step)
    if isinstance(move, moves.Dismiss | moves.Discard | moves.Pay):
        return _breach(
            "castlescape/inspection",
            "Nobody has to give anything up now.",
            (),
            "That happens at an Inspection, or beyond 10 Infamy.",
        )
    if not state.round and not isinstance(move, moves.Keep):
        return _breach(
            "castlescape/contracts-dealt",
            "The turns have not begun; two of the four contracts are to be kept first.",
            (),
            _trying(state.moves()),
        )
    return None


def card_id(place: str, card: str) -> str:
    """What the picture and the breaches call a card: "hand Ramparts", "market Ramparts"."""
    return f"{place} {card}"


#: What would mend a breach, in a sentence and as moves.
Mend = tuple[str, tuple[Move, ...]]
_NO_MEND: Mend = ("", ())
_NAMED = 3  # moves or cards that a mend names; there may be many more


def _breach(
    rule: str, message: str, where: tuple[str, ...] = (), mend: Mend | str = _NO_MEND
) -> Breach:
    words, mends = (mend, ()) if isinstance(mend, str) else mend
    return Breach(RULES[rule], message, where, words, mends)


def _trying(legal: Iterable[Move], otherwise: str = "") -> Mend:
    """Some legal moves as a mend; without any, only words."""
    some = tuple(legal)[:_NAMED]
    if not some:
        return otherwise, ()
    return f"Try {either([repr(str(move)) for move in some])}.", some


def _near(
    state: ScapeState, square: str, move: Callable[[str], Move], spots: int, otherwise: str = ""
) -> Mend:
    """The same move with the legal square that is nearest to one that is not."""
    return _trying(map(move, state.board.nearest(state.game.bits[square], spots)), otherwise)


def _gifts(plays: list[tuple[Move, str]]) -> Mend:
    """Cards to play, each with what it would do."""
    told = " Or ".join(f"{move}: {words[0].lower()}{words[1:]}" for move, words in plays)
    return f"{told[0].upper()}{told[1:]}", tuple(move for move, _ in plays)


def _means(state: ScapeState, *verbs: str) -> Mend:
    """The cards of the hand that would bring what is missing; else those of the market."""
    game, cards = state.game, state.game.box.cards
    found = []
    for at in dict.fromkeys(state.guilds[state.active].hand):
        if at != HIDDEN_CARD and state.may_play(at):
            for move, way in zip(game.play_moves[at], cards[at].ways, strict=True):
                found += [(-e.number, move, e.words) for e in way if e.verb in verbs]
    if found:
        found.sort(key=lambda gift: gift[0])
        return _gifts([(move, words) for _, move, words in found[:_NAMED]])
    sold = [
        cards[at].name
        for at in sorted(state.offers(), key=lambda at: cards[at].cost)
        if any(effect.verb in verbs for way in cards[at].ways for effect in way)
    ]
    if sold:
        return f"No card of your hand helps; {either(sold[:_NAMED])} of the market would.", ()
    return "No card of your hand helps.", ()


_DUE: dict[str, tuple[type[Move], ...]] = {
    "keep": (moves.Keep,),
    "levy": (moves.Dismiss, moves.Discard, moves.Pay),
    "give-up": (moves.Dismiss, moves.Discard, moves.Pay),
}


def _due_first(state: ScapeState, step: AgendaStep) -> Breach:
    mend = _trying(state.moves())
    if step.kind == "keep":
        return _breach("castlescape/contract", "A contract is to be kept first.", (), mend)
    rule, why = _debt(step)
    return _breach(rule, f"{why} costs {step.number} more influence first.", (), mend)


def _debt(step: AgendaStep) -> tuple[str, str]:
    """The rule and the reason of something that is to be given up."""
    if step.kind == "levy":
        return "castlescape/over-ten", "Infamy beyond 10"
    return "castlescape/inspection", "The Inspection"


def _keep(state: ScapeState, move: moves.Keep) -> Iterator[Breach]:
    if state.round and not state.agenda:
        yield _breach(
            "castlescape/contract",
            "There is no contract to choose now.",
            (),
            "Buy New Contract for another one.",
        )
        return
    seat = state.agenda[0].seat if state.agenda else state.chooser
    rule = "castlescape/contract" if state.round else "castlescape/contracts-dealt"
    if state.game.box.contract_places.get(move.contract) not in state.guilds[seat].dealt:
        mend = _trying(state.moves())
        yield _breach(rule, f"{move.contract} is not among your contracts.", (), mend)


def _plays(state: ScapeState) -> Iterator[Move]:
    """The cards of the hand, as they may be played."""
    for at in dict.fromkeys(state.guilds[state.active].hand):
        if at != HIDDEN_CARD and state.may_play(at):
            yield from state.game.play_moves[at]


def _play(state: ScapeState, move: moves.Play) -> Iterator[Breach]:
    box, guild = state.game.box, state.guilds[state.active]
    place, where = box.places.get(move.card), (card_id("hand", move.card),)
    if place is None or place not in guild.hand:
        mend = _trying(_plays(state), "There is nothing that you could play.")
        yield _breach("castlescape/play-any", f"{move.card} is not in your hand.", where, mend)
        return
    if not state.may_play(place):
        yield _breach(
            "castlescape/buy",
            f"{move.card} came this turn, and may not be played before your next one.",
            where,
            _trying(_plays(state)),
        )
        return
    card = box.cards[place]
    if bool(move.way) != bool(card.choices) or not 0 <= move.way <= len(card.choices):
        yield _breach(
            "castlescape/or",
            f"{card} does one of {len(card.choices)} things."
            if card.choices
            else f"{card} has no OR to choose from.",
            where,
            _gifts(
                [
                    (one, " ".join(effect.words for effect in way))
                    for one, way in zip(state.game.play_moves[place], card.ways, strict=True)
                ]
            ),
        )


def _wall(state: ScapeState, move: moves.Wall) -> Iterator[Breach]:
    bit = _bit(state, move.square)
    turn, where = state.turn, (move.square,)
    if not masonry.walls_left(turn.masonry):
        if turn.positioned:
            late = _means(state, "late-walls")
            yield _breach(
                "castlescape/walls-first",
                "A recruit was positioned this turn, and walls come before recruits.",
                where,
                late if late[1] else "Build in your next turn.",
            )
        else:
            yield _breach(
                "castlescape/use-or-return",
                "You have no wall to build.",
                where,
                _means(state, "walls", "late-walls"),
            )
        return
    spots = state.wall_spots()
    if bit & spots:
        return
    nearest = state.board.nearest(bit, spots)
    mends = tuple(map(moves.Wall, nearest))
    mend = (
        f"Build on {nearest[0]} instead."
        if nearest
        else "Your walls fit nowhere any more; they are forfeited."
    )
    found = tuple(state.board.wall_breaches(bit))
    for breach in found:
        yield replace(breach, mend=mend, mends=mends)
    if not found:
        yield _breach(
            "castlescape/wall-contiguous",
            f"A wall on {move.square} would not touch the other walls of its card.",
            where,
            (mend, mends),
        )


def _recruit(state: ScapeState, move: moves.Recruit) -> Iterator[Breach]:
    turn, board, where = state.turn, state.board, (move.square,)
    if not turn.recruits and not turn.sentries:
        yield _breach(
            "castlescape/use-or-return",
            "You have no recruit to position.",
            where,
            _means(state, "recruits", "sentries"),
        )
    elif not state.cubes(state.active):
        yield _breach(
            "castlescape/cubes-out",
            "All your recruits are on the site.",
            where,
            _near(
                state,
                move.square,
                moves.Recall,
                state.recall_spots(),
                "Recruits are never taken back in the hardcore variant.",
            ),
        )
    verdict = board.check_recruit(
        move.square,
        on_ground=bool(turn.recruits) or not turn.sentries,
        on_walls=bool(turn.sentries),
    )
    for breach in verdict.breaches:
        words, mends = _near(state, move.square, moves.Recruit, state.recruit_spots(), breach.mend)
        yield replace(breach, mend=words, mends=mends)


def _move(state: ScapeState, move: moves.MoveRecruit) -> Iterator[Breach]:
    start, end = _bit(state, move.start), _bit(state, move.end)
    turn, board, seat = state.turn, state.board, state.active
    mine = board.ground[seat] | board.atop[seat]
    place = start.bit_length() - 1
    if mine & start and end & state.move_spots(place):
        return
    where = (move.start, move.end)
    if not turn.moves and not turn.climbs:
        means = _means(state, "move", "climb")
        yield _breach("castlescape/stays", "A recruit stays where it is.", where, means)
        return
    steps = sorted(
        state.moves_of(moves.MoveRecruit),
        key=lambda other: (other.start != move.start, other.end != move.end),
    )
    mend = _trying(steps, "None of your recruits can go anywhere.")
    if not mine & start:
        message = f"None of your recruits stands on {move.start}."
        yield _breach("castlescape/adjacent", message, (move.start,), mend)
    if not end & state.game.beside[place]:
        message = f"{move.end} does not share a side with {move.start}."
        yield _breach("castlescape/adjacent", message, where, mend)
    if end & board.occupied():
        yield _breach("castlescape/position", occupied_words(move.end), (move.end,), mend)
    elif end & board.walls and not turn.climbs:
        message = f"There is a wall on {move.end}, and no card lets the recruit climb."
        yield _breach("castlescape/adjacent", message, (move.end,), mend)
    elif end & board.walls & ~start and start & board.atop[seat]:
        message = f"The recruit on {move.start} stands on a wall; it climbs from the ground."
        yield _breach("castlescape/adjacent", message, where, mend)
    elif not end & board.walls and not turn.moves:
        message = f"There is no wall on {move.end} to climb."
        yield _breach("castlescape/adjacent", message, (move.end,), mend)


def _oust(state: ScapeState, move: moves.Oust) -> Iterator[Breach]:
    bit = _bit(state, move.square)
    where, board, seat = (move.square,), state.board, state.active
    if not state.turn.ousts:
        yield _breach(
            "castlescape/stays",
            "No card of this turn removes recruits.",
            where,
            _means(state, "oust"),
        )
        return
    spots = state.oust_spots()
    if bit & spots:
        return
    mend = _near(
        state,
        move.square,
        moves.Oust,
        spots,
        "No rival's recruit stands beside one of yours.",
    )
    if not bit & board.occupied() or bit & (board.ground[seat] | board.atop[seat]):
        message = f"No rival's recruit stands on {move.square}."
    else:
        message = f"None of your recruits stands beside {move.square}; corners are not enough."
    yield _breach("castlescape/adjacent", message, where, mend)


def _recall(state: ScapeState, move: moves.Recall) -> Iterator[Breach]:
    bit = _bit(state, move.square)
    where, board, seat = (move.square,), state.board, state.active
    if state.game.hardcore:
        yield _breach(
            "castlescape/cubes-out", "Recruits are never taken back in the hardcore variant.", where
        )
        return
    if not state.turn.recruits and not state.turn.sentries:
        yield _breach(
            "castlescape/cubes-out",
            "There is no recruit to position, so none may be taken back.",
            where,
            _means(state, "recruits", "sentries"),
        )
    elif state.cubes(seat):
        yield _breach(
            "castlescape/cubes-out",
            f"You still have {state.cubes(seat)} recruits beside the site.",
            where,
            _near(
                state,
                move.square,
                moves.Recruit,
                state.recruit_spots(),
                "Position one of those.",
            ),
        )
    if not bit & (board.ground[seat] | board.atop[seat]):
        mend = _near(state, move.square, moves.Recall, state.recall_spots())
        yield _breach("castlescape/cubes-out", _not_yours(move.square), where, mend)


def _not_yours(square: str) -> str:
    return f"None of your recruits stands on {square}."


def _buy(state: ScapeState, move: moves.Buy) -> Iterator[Breach]:
    yield from _offered(state, "castlescape/buy", move.card)
    game = state.game
    place = game.box.places.get(move.card)
    if place is None:
        return
    cost, gold = game.box.cards[place].cost, state.turn.gold
    if cost > gold:
        more = _means(state, "gold")
        cheaper = _trying(_affordable(state))
        yield _breach(
            "castlescape/buy",
            f"{move.card} costs {cost} gold, and you have {gold or 'none'}.",
            (card_id("market", move.card),),
            more if more[1] else cheaper if cheaper[1] else "No card of your hand brings gold.",
        )


def _affordable(state: ScapeState) -> list[Move]:
    """What the gold of this turn can buy, the dearest first."""
    cards = state.game.box.cards
    found = [at for at in state.offers() if cards[at].cost <= state.turn.gold]
    found.sort(key=lambda at: -cards[at].cost)
    return [state.game.buy_moves[at] for at in found]


def _free(state: ScapeState) -> list[Move]:
    """What may be acquired, the dearest first."""
    cards, most = state.game.box.cards, max(state.turn.acquires, default=0)
    found = [at for at in state.offers() if cards[at].cost <= most]
    found.sort(key=lambda at: -cards[at].cost)
    return [moves.Acquire(cards[at].name) for at in found]


def _acquire(state: ScapeState, move: moves.Acquire) -> Iterator[Breach]:
    where = (card_id("market", move.card),)
    if not state.turn.acquires:
        yield _breach(
            "castlescape/acquire",
            "No card of this turn lets you acquire one.",
            where,
            _means(state, "acquire"),
        )
        return
    yield from _offered(state, "castlescape/acquire", move.card)
    place = state.game.box.places.get(move.card)
    most = state.turn.acquires[-1]
    if place is not None and state.game.box.cards[place].cost > most:
        mend = _trying(_free(state), f"No card on offer costs {most} or less.")
        yield _breach("castlescape/acquire", f"{move.card} costs more than {most}.", where, mend)


def _offered(state: ScapeState, rule: str, name: str) -> Iterator[Breach]:
    game = state.game
    place = game.box.places.get(name)
    if place in state.offers():
        return
    where = (card_id("market", name),)
    mend = _trying(_free(state) if rule == "castlescape/acquire" else _affordable(state))
    if place == game.box.new_contract:
        yield _breach("castlescape/contract", "There are no contracts left.", where, mend)
    elif place in game.standard:
        yield _breach("castlescape/market", f"{name} is sold out.", where, mend)
    else:
        yield _breach(rule, f"{name} is not on offer now.", where, mend)


def _destroy(state: ScapeState, move: moves.Destroy) -> Iterator[Breach]:
    guild, turn, box = state.guilds[state.active], state.turn, state.game.box
    where = (card_id(move.pile, move.card),)
    if move.pile not in PILES:
        held = guild.hand if turn.from_hand else guild.discards if turn.from_discards else ()
        pile = PILES[0] if turn.from_hand else PILES[1]
        yield _breach(
            "castlescape/destroy",
            f"Cards are destroyed in your hand or your discard pile, not in the {move.pile}.",
            where,
            _trying(
                moves.Destroy(pile, box.cards[at].name) for at in dict.fromkeys(held) if at >= 0
            ),
        )
        return
    from_hand = move.pile == PILES[0]
    number = turn.from_hand if from_hand else turn.from_discards
    held = guild.hand if from_hand else guild.discards
    place = "your hand" if from_hand else "your discard pile"
    if not number:
        yield _breach(
            "castlescape/destroy",
            f"No card of this turn destroys cards of {place}.",
            where,
            _means(state, "destroy-hand" if from_hand else "destroy-discard"),
        )
        return
    if box.places.get(move.card) not in held:
        in_play = box.places.get(move.card) in turn.played
        others = (box.cards[at].name for at in dict.fromkeys(held) if at != HIDDEN_CARD)
        yield _breach(
            "castlescape/destroy",
            f"{move.card} is in play, and cannot be destroyed there."
            if in_play
            else f"{move.card} is not in {place}.",
            where,
            _trying(
                (moves.Destroy(move.pile, name) for name in others), f"There is none in {place}."
            ),
        )


def _shift(state: ScapeState, move: moves.Shift) -> Iterator[Breach]:
    guild, where = state.guilds[state.active], (card_id("alley", move.card),)
    box = state.game.box
    if not state.turn.blames:
        yield _breach(
            "castlescape/penalty",
            "No card of this turn takes cards out of the Back Alley.",
            where,
            _means(state, "shift-blame"),
        )
    elif box.places.get(move.card) not in guild.alley:
        in_play = box.places.get(move.card) in state.turn.played
        others = (moves.Shift(box.cards[at].name) for at in dict.fromkeys(guild.alley))
        yield _breach(
            "castlescape/penalty",
            f"{move.card} was played this turn, and is not in the Back Alley before its end."
            if in_play
            else f"{move.card} is not in your Back Alley.",
            where,
            _trying(others, "There is none in your Back Alley."),
        )


def _claim(state: ScapeState, move: moves.ClaimGoal) -> Iterator[Breach]:
    box, where = state.game.box, (card_id("goal", move.goal),)
    place = box.goal_places.get(move.goal)
    if place is None or place not in state.goals:
        mend = _trying(_claims(state))
        yield _breach("castlescape/goal", f"{move.goal} is not face up.", where, mend)
        return
    goal = box.goals[place]
    if state.turn.goal_taken:
        yield _breach(
            "castlescape/goal",
            "You have taken a goal this turn, and one is all.",
            where,
            "Take it in your next turn, if it is still there.",
        )
    if not goal.met(state, state.active):
        count = goal.count(state, state.active)
        yield _breach(
            "castlescape/goal",
            f"{goal.name} is not fulfilled: you stand at {count}. {goal.words}",
            where,
            _trying(_claims(state)),
        )


def _claims(state: ScapeState) -> list[Move]:
    """The goals that may be taken now."""
    if state.turn.goal_taken:
        return []
    goals = [state.game.box.goals[at] for at in state.goals]
    return [moves.ClaimGoal(goal.name) for goal in goals if goal.met(state, state.active)]


def _dismiss(state: ScapeState, move: moves.Dismiss) -> Iterator[Breach]:
    step, board = state.agenda[0], state.board
    recruits = board.ground[step.seat] | board.atop[step.seat]
    if not _bit(state, move.square) & recruits:
        mend = _trying(state.moves())
        if recruits:
            mend = _near(state, move.square, moves.Dismiss, recruits)
        yield _breach(_debt(step)[0], _not_yours(move.square), (move.square,), mend)


def _recruits_first(state: ScapeState, step: AgendaStep) -> Iterator[Breach]:
    board = state.board
    recruits = board.ground[step.seat] | board.atop[step.seat]
    if recruits:
        yield _breach(
            _debt(step)[0],
            "Recruits are given up first, as long as there are some on the site.",
            board.names(recruits),
            _trying(state.moves()),
        )


def _discard(state: ScapeState, move: moves.Discard) -> Iterator[Breach]:
    step = state.agenda[0]
    yield from _recruits_first(state, step)
    hand = state.guilds[step.seat].hand
    if state.game.box.places.get(move.card) not in hand:
        yield _breach(
            _debt(step)[0],
            f"{move.card} is not in your hand.",
            (card_id("hand", move.card),),
            _trying(state.moves()),
        )


def _pay(state: ScapeState, _: moves.Pay) -> Iterator[Breach]:
    step = state.agenda[0]
    yield from _recruits_first(state, step)
    if step.kind == "give-up" and state.guilds[step.seat].hand:
        yield _breach(
            "castlescape/inspection",
            "At an Inspection the cards of your hand go before Renown does.",
            (),
            _trying(state.moves()),
        )


def _end(_: ScapeState, __: moves.EndTurn) -> Iterator[Breach]:
    yield from ()


def _bit(state: ScapeState, square: str) -> int:
    bit = state.game.bits.get(square)
    if bit is None:
        raise CastlelabError(f"there is no square {square} on a site of side {state.game.side}")
    return bit


_JUDGES: dict[type[Move], Callable[[ScapeState, Any], Iterator[Breach]]] = {
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
