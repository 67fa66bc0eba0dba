"""Playing Once Upon a Castle by pointing: a die and a square, a line, a guest."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from castlelab.game import Move, Pointing
from castlelab.games.once_upon_a_castle import moves
from castlelab.games.once_upon_a_castle.moves import CHOICES, DICE, EXTRAS, TAKEN, read_move
from castlelab.rules import counted

if TYPE_CHECKING:
    from castlelab.games.once_upon_a_castle.play import OnceState

_BUTTONS = ("end", "pass", "stop")
_PROMPTS = {
    "dice": "Pick a die, then a square, or what else it brings.",
    "follow": "Pick one die, then a square or what else it brings. Or pass.",
    "build": "Pick a full line to clear it. Or end your turn.",
    "last": "Pick a full line to clear it for the last time. Or end.",
    "guest": "Pick one of the guests on show.",
    "steal": "Pick a guest of somebody else.",
    "reactivate": "Pick one of your Bolt guests.",
    "token": "Pick a square for the guest's token. Or stop.",
    "face": "Pick a square, or what else the face brings. Or stop.",
    "choose": "Pick the face that counts twice. Or stop.",
    "move": "Pick a token, then a free square. Or stop.",
}
#: The moves that a guest is picked for.
_OF_GUESTS: dict[str, Callable[[str], Move]] = {
    move.kind: move for move in (moves.Invite, moves.Steal, moves.Reactivate)
}


def picks_of(move: Move) -> tuple[str, ...]:
    """The targets that one points at, one after the other, to make a move.

    >>> picks_of(read_move("use 1 b2"))
    ('die 1', 'b2')
    """
    match move:
        case moves.Use(die, what):
            return (f"die {die}", what)
        case moves.Lose(die):
            return (f"die {die}",)
        case moves.Invite(guest) | moves.Steal(guest) | moves.Reactivate(guest):
            return (f"guest {guest}",)
        case moves.Clear(what) | moves.Place(what) | moves.Take(what) | moves.Choose(what):
            return (what,)
        case moves.Shift(source, goal):
            return (source, goal)
    return (str(move),)


def point(state: OnceState, picks: tuple[str, ...]) -> Pointing:
    """What it means to have pointed at these targets of the table."""
    if state.ending:
        return Pointing()
    if not picks:
        return _fresh(state)
    *before, pick = picks
    held = before[-1] if before else ""
    if pick in _BUTTONS:
        return Pointing(move=read_move(pick))
    if pick == held:
        return _fresh(state, "Put back. ")
    if state.moment in ("dice", "follow"):
        return _with_dice(state, held, pick)
    if state.moment == "move":
        return _shifting(state, held, pick)
    return _single(state, pick)


def _fresh(state: OnceState, words: str = "") -> Pointing:
    """Nothing taken up: everything that begins a legal move is offered."""
    offers = dict.fromkeys(picks_of(move)[0] for move in state.moves())
    free = DICE if state.phase == "follow" else state.left
    if "die 1" in offers and free == DICE and state.dice[0] == state.dice[1]:
        offers["die 2"] = None  # one of two alike is as good as the other
    return Pointing(offers=tuple(offers), words=words + _PROMPTS[state.moment])


def _single(state: OnceState, pick: str) -> Pointing:
    """The move that one pick means in this moment."""
    moment = state.moment
    kind, _, name = pick.partition(" ")
    if kind in ("row", "column"):
        return Pointing(move=moves.Clear(pick))
    if kind == "guest" and moment in _OF_GUESTS:
        return Pointing(move=_OF_GUESTS[moment](name))
    if moment == "choose" and pick in CHOICES:
        return Pointing(move=moves.Choose(pick))
    if moment in ("token", "face") and pick in TAKEN:
        return Pointing(move=moves.Take(pick))
    if moment in ("token", "face") and pick in state.boards[state.seat].layout.square_of:
        return Pointing(move=moves.Place(pick))
    return _fresh(state)


def _with_dice(state: OnceState, held: str, pick: str) -> Pointing:
    """A die was taken up, or is now, or something is picked without one."""
    if pick in ("die 1", "die 2"):
        return _taken_up(state, int(pick[-1]))
    if pick not in EXTRAS and pick not in state.boards[state.seat].layout.square_of:
        return _single(state, pick)  # a line, say: check tells that the dice come first
    if held in ("die 1", "die 2"):
        return Pointing(move=moves.Use(int(held[-1]), pick))
    # Without a die it is clear which one is meant if only one of them can be used so.
    legal = state.moves()
    meant = [move for die in DICE if (move := moves.Use(die, pick)) in legal]
    if len(meant) == 1:
        return Pointing(move=meant[0])
    return _fresh(state, "Pick a die first. ")


def _taken_up(state: OnceState, die: int) -> Pointing:
    """A die is in hand: what it can be used for is offered."""
    if state.phase == "dice":
        if die not in state.left:
            return Pointing(move=moves.Use(die, "residents"))  # check tells that it is used
        if not state.uses(die):
            return Pointing(move=moves.Lose(die))
    uses = state.uses(die)
    words = f"Die {die} can be used in {counted(len(uses), 'way')}."
    return Pointing(offers=uses, picks=(f"die {die}",), words=words)


def _shifting(state: OnceState, held: str, pick: str) -> Pointing:
    """The magician: a token, then where it goes."""
    board = state.boards[state.seat]
    square = board.layout.square_of.get(pick)
    if square is None:
        return _fresh(state)
    if held:
        return Pointing(move=moves.Shift(held, pick))
    if not board.filled & square.bit:
        return _fresh(state, "There is no token. ")
    goals = board.layout.names(board.layout.all_bits & ~board.filled)
    return Pointing(offers=goals, picks=(pick,), words=f"The token of {pick} may go anywhere.")
