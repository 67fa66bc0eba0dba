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
from castlelab.games.castlescape.board import RULES, occupied_words
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
        due = moves.Keep if step.kind == "keep" else _GIVING_UP
        return None if isinstance(move, due) else _due_first(state, step)
    if isinstance(move, _GIVING_UP):
        message = "Nobody has to give anything up now."
        mend = "That happens at an Inspection, or beyond 10 Infamy."
        return _breach("castlescape/inspection", message, (), mend)
    if not state.round and not isinstance(move, moves.Keep):
        message = "The turns have not begun; two of the four contracts are to be kept first."
        return _breach("castlescape/contracts-dealt", message, (), _trying(state.moves()))
    return None


_GIVING_UP = moves.Dismiss | moves.Discard | moves.Pay
_Offer = moves.Buy | moves.Acquire
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


def _due_first(state: ScapeState, step: AgendaStep) -> Breach:
    mend = _trying(state.moves())
    if step.kind == "keep":
        return _breach("castlescape/contract", "A contract is to be kept first.", (), mend)
    rule, why = _DEBTS[step.kind]
    return _breach(rule, f"{why} costs {step.number} more influence first.", (), mend)


#: The rule and the reason of something that is to be given up.
_DEBTS = {
    "levy": ("castlescape/over-ten", "Infamy beyond 10"),
    "give-up": ("castlescape/inspection", "The Inspection"),
}


def _judge_keep(state: ScapeState, move: moves.Keep) -> Iterator[Breach]:
    if state.round and not state.agenda:
        message, mend = "There is no contract to choose now.", "Buy New Contract for another one."
        yield _breach("castlescape/contract", message, (), mend)
        return
    seat = state.agenda[0].seat if state.agenda else state.chooser
    rule = "castlescape/contract" if state.round else "castlescape/contracts-dealt"
    if state.game.box.contract_places.get(move.contract) not in state.guilds[seat].dealt:
        message = f"{move.contract} is not among your contracts."
        yield _breach(rule, message, (), _trying(state.moves()))


def _judge_play(state: ScapeState, move: moves.Play) -> Iterator[Breach]:
    box, guild = state.game.box, state.guilds[state.active]
    place, where = box.places.get(move.card), (f"hand {move.card}",)
    if place is None or place not in guild.hand:
        mend = _trying(state.moves_of(moves.Play), "There is nothing that you could play.")
        yield _breach("castlescape/play-any", f"{move.card} is not in your hand.", where, mend)
        return
    if not state.may_play(place):
        message = f"{move.card} came this turn, and may not be played before your next one."
        yield _breach("castlescape/buy", message, where, _trying(state.moves_of(moves.Play)))
        return
    card = box.cards[place]
    if bool(move.way) != bool(card.choices) or not 0 <= move.way <= len(card.choices):
        message = f"{card} has no OR to choose from."
        if card.choices:
            message = f"{card} does one of {len(card.choices)} things."
        sides = [" ".join(effect.words for effect in way) for way in card.ways]
        mend = _gifts([*zip(state.game.play_moves[place], sides, strict=True)])
        yield _breach("castlescape/or", message, where, mend)


def _judge_wall(state: ScapeState, move: moves.Wall) -> Iterator[Breach]:
    bit = _bit(state, move.square)
    turn, where = state.turn, (move.square,)
    if not masonry.walls_left(turn.masonry):
        if turn.positioned:
            message = "A recruit was positioned this turn, and walls come before recruits."
            late = _means(state, "late-walls")
            mend = late if late[1] else "Build in your next turn."
            yield _breach("castlescape/walls-first", message, where, mend)
        else:
            mend = _means(state, "walls", "late-walls")
            yield _breach("castlescape/use-or-return", "You have no wall to build.", where, mend)
        return
    spots = state.wall_spots()
    if bit & spots:
        return
    nearest = state.board.nearest(bit, spots)
    words = "Your walls fit nowhere any more; they are forfeited."
    if nearest:
        words = f"Build on {nearest[0]} instead."
    message = f"A wall on {move.square} would not touch the other walls of its card."
    apart = _breach("castlescape/wall-contiguous", message, where)
    for breach in tuple(state.board.wall_breaches(bit)) or (apart,):
        yield replace(breach, mend=words, mends=tuple(map(moves.Wall, nearest)))


_NEVER_BACK = "Recruits are never taken back in the hardcore variant."


def _judge_recruit(state: ScapeState, move: moves.Recruit) -> Iterator[Breach]:
    turn, board, where = state.turn, state.board, (move.square,)
    if not turn.recruits and not turn.sentries:
        mend = _means(state, "recruits", "sentries")
        yield _breach("castlescape/use-or-return", "You have no recruit to position.", where, mend)
    elif not state.cubes(state.active):
        mend = _near(state, move.square, moves.Recall, state.recall_spots(), _NEVER_BACK)
        yield _breach("castlescape/cubes-out", "All your recruits are on the site.", where, mend)
    verdict = board.check_recruit(
        move.square,
        on_ground=bool(turn.recruits) or not turn.sentries,
        on_walls=bool(turn.sentries),
    )
    for breach in verdict.breaches:
        words, mends = _near(state, move.square, moves.Recruit, state.recruit_spots(), breach.mend)
        yield replace(breach, mend=words, mends=mends)


def _judge_move(state: ScapeState, move: moves.MoveRecruit) -> Iterator[Breach]:
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
        yield _breach("castlescape/adjacent", _not_yours(move.start), (move.start,), mend)
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


def _judge_oust(state: ScapeState, move: moves.Oust) -> Iterator[Breach]:
    bit = _bit(state, move.square)
    where, board, seat = (move.square,), state.board, state.active
    if not state.turn.ousts:
        message = "No card of this turn removes recruits."
        yield _breach("castlescape/stays", message, where, _means(state, "oust"))
        return
    spots = state.oust_spots()
    if bit & spots:
        return
    nobody = "No rival's recruit stands beside one of yours."
    mend = _near(state, move.square, moves.Oust, spots, nobody)
    if not bit & board.occupied() or bit & (board.ground[seat] | board.atop[seat]):
        message = f"No rival's recruit stands on {move.square}."
    else:
        message = f"None of your recruits stands beside {move.square}; corners are not enough."
    yield _breach("castlescape/adjacent", message, where, mend)


def _judge_recall(state: ScapeState, move: moves.Recall) -> Iterator[Breach]:
    bit = _bit(state, move.square)
    where, board, seat = (move.square,), state.board, state.active
    if state.game.hardcore:
        yield _breach("castlescape/cubes-out", _NEVER_BACK, where)
        return
    if not state.turn.recruits and not state.turn.sentries:
        message = "There is no recruit to position, so none may be taken back."
        mend = _means(state, "recruits", "sentries")
        yield _breach("castlescape/cubes-out", message, where, mend)
    elif left := state.cubes(seat):
        message, spots = f"You still have {left} recruits beside the site.", state.recruit_spots()
        mend = _near(state, move.square, moves.Recruit, spots, "Position one of those.")
        yield _breach("castlescape/cubes-out", message, where, mend)
    if not bit & (board.ground[seat] | board.atop[seat]):
        mend = _near(state, move.square, moves.Recall, state.recall_spots())
        yield _breach("castlescape/cubes-out", _not_yours(move.square), where, mend)


def _not_yours(square: str) -> str:
    return f"None of your recruits stands on {square}."


def _judge_buy(state: ScapeState, move: moves.Buy) -> Iterator[Breach]:
    yield from _offered(state, "castlescape/buy", move.card)
    game = state.game
    place = game.box.places.get(move.card)
    if place is None:
        return
    cost, gold = game.box.cards[place].cost, state.turn.gold
    if cost > gold:
        message = f"{move.card} costs {cost} gold, and you have {gold or 'none'}."
        mend = _means(state, "gold")
        if not mend[1]:
            mend = _trying(_dearest(state, moves.Buy), "No card of your hand brings gold.")
        yield _breach("castlescape/buy", message, (f"market {move.card}",), mend)


def _dearest(state: ScapeState, kind: type[_Offer]) -> list[_Offer]:
    """What may be bought or acquired now, the dearest first."""
    box = state.game.box
    return sorted(state.moves_of(kind), key=lambda move: -box.cards[box.places[move.card]].cost)


def _judge_acquire(state: ScapeState, move: moves.Acquire) -> Iterator[Breach]:
    where = (f"market {move.card}",)
    if not state.turn.acquires:
        message = "No card of this turn lets you acquire one."
        yield _breach("castlescape/acquire", message, where, _means(state, "acquire"))
        return
    yield from _offered(state, "castlescape/acquire", move.card)
    place = state.game.box.places.get(move.card)
    most = state.turn.acquires[-1]
    if place is not None and state.game.box.cards[place].cost > most:
        mend = _trying(_dearest(state, moves.Acquire), f"No card on offer costs {most} or less.")
        yield _breach("castlescape/acquire", f"{move.card} costs more than {most}.", where, mend)


def _offered(state: ScapeState, rule: str, name: str) -> Iterator[Breach]:
    game = state.game
    place = game.box.places.get(name)
    if place in state.offers():
        return
    where = (f"market {name}",)
    mend = _trying(_dearest(state, moves.Acquire if rule.endswith("acquire") else moves.Buy))
    if place == game.box.new_contract:
        yield _breach("castlescape/contract", "There are no contracts left.", where, mend)
    elif place in game.standard:
        yield _breach("castlescape/market", f"{name} is sold out.", where, mend)
    else:
        yield _breach(rule, f"{name} is not on offer now.", where, mend)


def _judge_destroy(state: ScapeState, move: moves.Destroy) -> Iterator[Breach]:
    guild, turn = state.guilds[state.active], state.turn
    rule, where = "castlescape/destroy", (f"{move.pile} {move.card}",)
    if move.pile not in PILES:
        pile = PILES[0] if turn.from_hand else PILES[1]
        message = f"Cards are destroyed in your hand or your discard pile, not in the {move.pile}."
        yield _breach(rule, message, where, _trying(_destroyable(state, pile)))
        return
    from_hand = move.pile == PILES[0]
    place = "your hand" if from_hand else "your discard pile"
    if not (turn.from_hand if from_hand else turn.from_discards):
        means = _means(state, "destroy-hand" if from_hand else "destroy-discard")
        yield _breach(rule, f"No card of this turn destroys cards of {place}.", where, means)
        return
    card = state.game.box.places.get(move.card)
    if card not in (guild.hand if from_hand else guild.discards):
        message = f"{move.card} is not in {place}."
        if card in turn.played:
            message = f"{move.card} is in play, and cannot be destroyed there."
        mend = _trying(_destroyable(state, move.pile), f"There is none in {place}.")
        yield _breach(rule, message, where, mend)


def _destroyable(state: ScapeState, pile: moves.Pile) -> list[Move]:
    """The cards of a pile that may be destroyed now."""
    return [move for move in state.moves_of(moves.Destroy) if move.pile == pile]


def _judge_shift(state: ScapeState, move: moves.Shift) -> Iterator[Breach]:
    rule, where = "castlescape/penalty", (f"alley {move.card}",)
    card = state.game.box.places.get(move.card)
    if not state.turn.blames:
        message = "No card of this turn takes cards out of the Back Alley."
        yield _breach(rule, message, where, _means(state, "shift-blame"))
    elif card not in state.guilds[state.active].alley:
        message = f"{move.card} is not in your Back Alley."
        if card in state.turn.played:
            message = (
                f"{move.card} was played this turn, and is not in the Back Alley before its end."
            )
        mend = _trying(state.moves_of(moves.Shift), "There is none in your Back Alley.")
        yield _breach(rule, message, where, mend)


def _judge_claim(state: ScapeState, move: moves.ClaimGoal) -> Iterator[Breach]:
    box, where = state.game.box, (f"goal {move.goal}",)
    place, mend = box.goal_places.get(move.goal), _trying(state.moves_of(moves.ClaimGoal))
    if place is None or place not in state.goals:
        yield _breach("castlescape/goal", f"{move.goal} is not face up.", where, mend)
        return
    goal = box.goals[place]
    if state.turn.goal_taken:
        message = "You have taken a goal this turn, and one is all."
        later = "Take it in your next turn, if it is still there."
        yield _breach("castlescape/goal", message, where, later)
    if not goal.met(state, state.active):
        count = goal.count(state, state.active)
        message = f"{goal.name} is not fulfilled: you stand at {count}. {goal.words}"
        yield _breach("castlescape/goal", message, where, mend)


def _judge_dismiss(state: ScapeState, move: moves.Dismiss) -> Iterator[Breach]:
    step, board = state.agenda[0], state.board
    recruits = board.ground[step.seat] | board.atop[step.seat]
    if not _bit(state, move.square) & recruits:
        near = _near(state, move.square, moves.Dismiss, recruits)
        mend = near if recruits else _trying(state.moves())
        yield _breach(_DEBTS[step.kind][0], _not_yours(move.square), (move.square,), mend)


def _recruits_first(state: ScapeState, step: AgendaStep) -> Iterator[Breach]:
    board = state.board
    recruits = board.ground[step.seat] | board.atop[step.seat]
    if recruits:
        message = "Recruits are given up first, as long as there are some on the site."
        yield _breach(_DEBTS[step.kind][0], message, board.names(recruits), _trying(state.moves()))


def _judge_discard(state: ScapeState, move: moves.Discard) -> Iterator[Breach]:
    step = state.agenda[0]
    yield from _recruits_first(state, step)
    hand = state.guilds[step.seat].hand
    if state.game.box.places.get(move.card) not in hand:
        message, where = f"{move.card} is not in your hand.", (f"hand {move.card}",)
        yield _breach(_DEBTS[step.kind][0], message, where, _trying(state.moves()))


def _judge_pay(state: ScapeState, _: moves.Pay) -> Iterator[Breach]:
    step = state.agenda[0]
    yield from _recruits_first(state, step)
    if step.kind == "give-up" and state.guilds[step.seat].hand:
        message = "At an Inspection the cards of your hand go before Renown does."
        yield _breach("castlescape/inspection", message, (), _trying(state.moves()))


def _bit(state: ScapeState, square: str) -> int:
    bit = state.game.bits.get(square)
    if bit is None:
        raise CastlelabError(f"there is no square {square} on a site of side {state.game.side}")
    return bit


_JUDGES: dict[type[Move], Callable[[ScapeState, Any], Iterator[Breach]]] = {
    moves.Keep: _judge_keep,
    moves.Play: _judge_play,
    moves.Wall: _judge_wall,
    moves.Recruit: _judge_recruit,
    moves.MoveRecruit: _judge_move,
    moves.Oust: _judge_oust,
    moves.Recall: _judge_recall,
    moves.Buy: _judge_buy,
    moves.Acquire: _judge_acquire,
    moves.Destroy: _judge_destroy,
    moves.Shift: _judge_shift,
    moves.ClaimGoal: _judge_claim,
    moves.Dismiss: _judge_dismiss,
    moves.Discard: _judge_discard,
    moves.Pay: _judge_pay,
    moves.EndTurn: lambda state, move: iter(()),
}
