"""Playing CastleScape by pointing: a card, a square, a market card, or first what is to be used.

Every legal move is reached by targets of the table, one after the other; ``use walls`` and the
like say what a square or a card is picked for, where that is not clear by itself. Whatever leads
to no move is taken for the move that was probably meant, and ``check`` tells what is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from castlelab.game import Move, Pointing
from castlelab.games.castlescape import masonry, moves
from castlelab.games.castlescape.moves import END_TURN, PAY
from castlelab.rules import counted

if TYPE_CHECKING:
    from castlelab.games.castlescape.play import ScapeState

_END, _PAY = "end", "pay"  # the buttons of the table


class Way(NamedTuple):
    """How a move is pointed at: what is used for it, if it matters, and its targets."""

    use: str
    targets: tuple[str, ...]
    move: Move


#: The moves of a single target, by their kind: what is used for them, and where a card lies.
_USED: dict[str, tuple[str, str]] = {
    "wall": ("use walls", ""),
    "oust": ("use ousts", ""),
    "recall": ("use recall", ""),
    "dismiss": ("", ""),
    "buy": ("use gold", "market "),
    "acquire": ("use acquires", "market "),
    "shift": ("use blames", "alley "),
    "discard": ("", "hand "),
    "claim": ("", "goal "),
    "keep": ("", "contract "),
    "pay": ("", _PAY),
    "end": ("", _END),
}


def ways(state: ScapeState) -> Iterator[Way]:
    """Every legal move and how it is pointed at."""
    walls, bits = state.board.walls, state.game.bits
    for move in state.moves():
        match move:
            case moves.Play(card, way):
                sides = (f"hand {card} side {way}",) if way else ()
                yield Way("", (f"hand {card}", *sides), move)
            case moves.Recruit(square):
                yield Way(
                    f"use {'sentries' if walls & bits[square] else 'recruits'}", (square,), move
                )
            case moves.MoveRecruit(start, end):
                yield Way(f"use {'climbs' if walls & bits[end] else 'moves'}", (start, end), move)
            case moves.Destroy(pile, card):
                yield Way(f"use destroy-{pile.removesuffix('s')}", (f"{pile} {card}",), move)
            case _:
                use, place = _USED[move.kind]
                yield Way(use, (place + str(move).partition(" ")[2],), move)


def point(state: ScapeState, picks: tuple[str, ...]) -> Pointing:
    """What it means to have pointed at these targets of the table."""
    if state.over:
        return Pointing(words="The game is over." if picks else "")
    found = list(ways(state))
    if not picks:
        return _fresh(state, found)
    *before, pick = picks
    use, targets = _ordered(found, before)
    if pick == use or (targets and pick == targets[-1] and not _fits(found, use, (*targets, pick))):
        rest = ("", targets) if pick == use else (use, targets[:-1])
        return _said("Put back.", _asked(state, found, *rest))
    if pick.startswith("use "):
        return _with_use(state, found, pick, targets)
    for start in _beginnings(state, found, use, targets, pick):
        if _fits(found, *start):
            return _answered(state, found, *start)
    return _explained(state, found, use, targets, pick)


def _beginnings(
    state: ScapeState, found: list[Way], use: str, targets: tuple[str, ...], pick: str
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What a pick may mean: going on, or something new if it cannot be a slip."""
    yield use, (*targets, pick)
    site = state.game.bits
    if use and targets:
        yield use, (pick,)
    wanted = [way.targets[0] in site for way in found if way.use == use]
    if pick in site:
        if (use and any(wanted)) or (targets and not _is_own_recruit(state, pick)):
            return
    elif use and not all(wanted) and pick.partition(" ")[0] in _piles(found, use):
        return
    yield "", (pick,)
    yield "", (pick.rpartition(" side ")[0], pick)  # the side of an OR, picked at once


def _piles(found: list[Way], use: str) -> set[str]:
    """Where the cards lie that something can be used for: "hand", "market", …"""
    return {way.targets[0].partition(" ")[0] for way in found if way.use == use}


def _is_own_recruit(state: ScapeState, square: str) -> bool:
    bit, seat = state.game.bits[square], state.active
    return bool((state.board.ground[seat] | state.board.atop[seat]) & bit)


def _ordered(found: list[Way], picks: Iterable[str]) -> tuple[str, tuple[str, ...]]:
    """What the picks before came to: what is used, and the targets."""
    picks = tuple(picks)
    use = next((pick for pick in reversed(picks) if pick.startswith("use ")), "")
    targets = tuple(pick for pick in picks if not pick.startswith("use "))
    return (use, targets) if _fits(found, use, targets) else ("", ())


def _fits(found: list[Way], use: str, targets: tuple[str, ...]) -> list[Way]:
    """The moves that begin like this. A card of the hand is played unless it is said otherwise."""
    number = len(targets)
    fitting = [way for way in found if way.targets[:number] == targets and use in ("", way.use)]
    if not use and targets:
        return [way for way in fitting if not way.use] or fitting
    return fitting


def _with_use(state: ScapeState, found: list[Way], use: str, targets: tuple[str, ...]) -> Pointing:
    """It is said what the next pick is for, or what the one before was for."""
    for rest in (targets, ()):
        if _fits(found, use, rest):
            return _answered(state, found, use, rest)
    words = ""
    if use in _USES:
        granted = state.picture().target(use) is not None
        why = _NO_USE[use] if granted else "no card of this turn lets you."
        words = f"There is no way to {_USES[use]} now: {why}"
    return _said(words, _fresh(state, found))


def _answered(state: ScapeState, found: list[Way], use: str, targets: tuple[str, ...]) -> Pointing:
    """The move, if there is only one; else what can be picked next."""
    fitting = _fits(found, use, targets)
    if len(fitting) == 1 and fitting[0].targets == targets:
        return _made(state, fitting[0].move)
    return _asked(state, found, use, targets)


def _made(state: ScapeState, move: Move) -> Pointing:
    """A legal move; whoever would lose walls or recruits by it is asked first."""
    lost = _lost(state, move)
    if not lost:
        return Pointing(move)
    words = f"You would lose {lost} that you have not used. Pick it again to do so all the same."
    return Pointing(move, asks=True, words=words)


def _lost(state: ScapeState, move: Move) -> str:
    """What a move forfeits though it could be used: walls and recruits, in words."""
    turn, said = state.turn, []
    if isinstance(move, moves.Recruit | moves.EndTurn) and state.wall_spots():
        walls = masonry.walls_left(turn.masonry)
        if isinstance(move, moves.Recruit):  # castlescape/walls-first
            walls -= masonry.walls_left(masonry.only_late(turn.masonry))
        said = [counted(walls, "wall")] * bool(walls)
    if isinstance(move, moves.EndTurn) and state.recruit_spots():  # castlescape/use-or-return
        said.append(counted(turn.recruits + turn.sentries, "recruit"))
    return " and ".join(said)


# -- what may be picked next -----------------------------------------------------------------


def _fresh(state: ScapeState, found: list[Way]) -> Pointing:
    """Nothing picked: everything that leads to a move is offered."""
    first = dict.fromkeys(way.targets[0] for way in found)
    uses = dict.fromkeys(way.use for way in found if way.use)
    return Pointing(offers=(*first, *uses), words=_prompt(state))


def _asked(state: ScapeState, found: list[Way], use: str, targets: tuple[str, ...]) -> Pointing:
    """Something is picked, but not enough: what it was for, or what comes next."""
    if not use and not targets:
        return _fresh(state, found)
    fitting = _fits(found, use, targets)
    number, words = len(targets), _next_words(use, targets)
    uses = dict.fromkeys(way.use for way in fitting)
    offers = tuple(dict.fromkeys(w.targets[number] for w in fitting if len(w.targets) > number))
    if targets and not use and len(uses) > 1 and any(len(w.targets) == number for w in fitting):
        offers = (*uses, *offers)
        words = f"{targets[-1]}: {' or '.join(_USES[use] for use in uses)}? Pick it below."
    return Pointing(offers=offers, picks=(use, *targets) if use else targets, words=words)


_USES = {
    "use gold": "pay with gold",
    "use walls": "build a wall",
    "use recruits": "position a recruit",
    "use sentries": "position a recruit on the wall",
    "use moves": "move a recruit",
    "use climbs": "climb a wall",
    "use ousts": "remove a rival's recruit",
    "use acquires": "acquire it for nothing",
    "use destroy-hand": "destroy a card of your hand",
    "use destroy-discard": "destroy a card of your discard pile",
    "use blames": "discard a card of your Back Alley",
    "use recall": "take a recruit back",
}
_NO_USE = {
    "use gold": "nothing on offer costs so little.",
    "use walls": "your walls fit nowhere any more.",
    "use recruits": "all your recruits are on the site.",
    "use sentries": "there is no free wall, or no recruit beside the site.",
    "use moves": "none of your recruits has free ground beside it.",
    "use climbs": "none of your recruits on the ground has a free wall beside it.",
    "use ousts": "no rival's recruit stands beside one of yours.",
    "use acquires": "nothing on offer costs so little.",
    "use destroy-hand": "your hand is empty.",
    "use destroy-discard": "your discard pile is empty.",
    "use blames": "your Back Alley is empty.",
    "use recall": "that is for when all your recruits are on the site.",
}


def _next_words(use: str, targets: tuple[str, ...]) -> str:
    if not targets:
        return f"Pick: {_USES[use]}." if use in _OF_CARDS else f"Now pick where to {_USES[use]}."
    if targets[0].startswith("hand "):
        name = targets[0].removeprefix("hand ")
        return f"{name} does one of these things: pick a side of its OR."
    return f"The recruit of {targets[0]} is picked up. Pick where it goes."


_OF_CARDS = {"use gold", "use acquires", "use destroy-hand", "use destroy-discard", "use blames"}


def _prompt(state: ScapeState) -> str:
    """What there is to do."""
    if not state.round:
        return "Pick a contract to keep."
    if state.agenda:
        step = state.agenda[0]
        if step.kind == "keep":
            return "Pick the contract that you keep."
        if state.board.recruits(step.seat):
            return f"Pick recruits to give up: {step.number} more influence."
        pay = " or Pay" if step.kind == "levy" else ""
        return f"Pick cards{pay}: {step.number} more to give up."
    return "Pick a card of your hand, a square, a card of the market, or end your turn."


# -- what cannot be done ---------------------------------------------------------------------


def _explained(
    state: ScapeState, found: list[Way], use: str, targets: tuple[str, ...], pick: str
) -> Pointing:
    """A move that is not legal, for ``check`` to explain; or what there is to see."""
    move = _meant(state, use, targets, pick)
    if move is not None:
        return Pointing(move)
    return _said(_look(state, pick), _asked(state, found, use, targets))


def _meant(state: ScapeState, use: str, targets: tuple[str, ...], pick: str) -> Move | None:
    """The move that somebody probably meant."""
    if pick in state.game.bits:
        return _meant_square(state, use, targets, pick)
    place, _, name = pick.partition(" side ")[0].partition(" ")
    box, owes = state.game.box, bool(state.agenda) and state.agenda[0].kind != "keep"
    if place == "goal" and name in box.goal_places:
        return moves.ClaimGoal(name)
    if place == "contract" and name in box.contract_places:
        return moves.Keep(name)
    if name not in box.places:
        return {_END: END_TURN, _PAY: PAY}.get(pick)
    match place:
        case "hand" if owes:
            return moves.Discard(name)
        case "hand" if use == "use destroy-hand":
            return moves.Destroy("hand", name)
        case "hand":
            return state.game.play_moves[box.places[name]][0]
        case "market" if use == "use acquires" or (state.turn.acquires and not state.turn.gold):
            return moves.Acquire(name)
        case "market":
            return moves.Buy(name)
        case "discards":
            return moves.Destroy("discards", name)
        case "alley":
            return moves.Shift(name)
    return None


def _meant_square(state: ScapeState, use: str, targets: tuple[str, ...], square: str) -> Move:
    """What was to be done on a square: what there is means for, else what it looks made for."""
    if state.agenda and state.agenda[0].kind != "keep":
        return moves.Dismiss(square)
    if targets and targets[-1] in state.game.bits and len(targets) == 1:
        return moves.MoveRecruit(targets[0], square)
    turn, board, bit = state.turn, state.board, state.game.bits[square]
    for key, move, number in (
        ("use walls", moves.Wall(square), masonry.walls_left(turn.masonry)),
        ("use recruits", moves.Recruit(square), turn.recruits),
        ("use sentries", moves.Recruit(square), turn.sentries),
        ("use ousts", moves.Oust(square), turn.ousts),
        ("use recall", moves.Recall(square), 0),
    ):
        if use == key or (not use and number):
            return move
    if _is_own_recruit(state, square):
        beside = board.nearest(bit, state.game.grid.beside[bit])
        return moves.MoveRecruit(square, beside[0])
    if bit & board.occupied():
        return moves.Oust(square)
    return moves.Wall(square) if bit & board.wall_spots() else moves.Recruit(square)


def _look(state: ScapeState, pick: str) -> str:
    """What there is to say of a thing that no move begins or ends with."""
    target = state.picture().target(pick)
    if target is None:
        return ""
    name = f"{target.name.rstrip('.')}."
    return f"{name} {_FOR_LOOKING.get(pick.partition(' ')[0], '')}".strip()


_FOR_LOOKING = {
    "quarry": "Walls that you build come out of it; when it runs out, the King inspects.",
    "stalls": "A card of it comes into each empty stall at the end of a turn.",
    "played": "They lie there until the end of the turn.",
    "backs": "Only their owner may look at them.",
    "guild": "It is there to look at: cards and recruits are picked where they lie.",
}


def _said(words: str, pointing: Pointing) -> Pointing:
    """The same with some words before."""
    return replace(pointing, words=" ".join(filter(None, (words, pointing.words))))
