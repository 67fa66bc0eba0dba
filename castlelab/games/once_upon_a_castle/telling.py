"""A table of Once Upon a Castle in words: enough to play by without the picture."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from castlelab.game import SEAT_NAMES
from castlelab.games.once_upon_a_castle.board import face_words
from castlelab.rules import counted, either, listed

if TYPE_CHECKING:
    from castlelab.games.once_upon_a_castle.play import OnceState


def table_words(state: OnceState) -> str:
    """What is to do now, what everybody has, and which guests are still to come."""
    everybody = (_told(state, seat) for seat in range(state.game.players))
    return " ".join([_what_now(state), *everybody, *_to_come(state)])


def _what_now(state: OnceState) -> str:
    """Whose turn it is and what is to do, or how it ended."""
    rolled = f" {rolled_words(state)}." if state.rolled else ""
    if state.ending:
        won = listed([SEAT_NAMES[seat] for seat in state.winners])
        verb = "wins" if len(state.winners) == 1 else "share the victory"
        return f"The game is over: {won} {verb} with {max(state.scores)} points.{rolled}"
    one, other = map(face_words, state.dice)
    return (
        f"Turn {state.turn}, {SEAT_NAMES[state.active]}'s: dice {one} and {other}."
        f"{rolled} {SEAT_NAMES[state.seat]}: {todo(state)}."
    )


def rolled_words(state: OnceState) -> str:
    """What a guest rolled in this turn; "" if none did (once_upon_a_castle/guest-dagobert)."""
    guest, face = state.rolled or ("", "")
    return f"{guest.capitalize()} rolled {face_words(face)}" if guest else ""


def _told(state: OnceState, seat: int) -> str:
    """What a player has: the tokens, the full lines, the castle, the points so far."""
    name, board, points = SEAT_NAMES[seat], state.boards[seat], state.score(seat).total
    full = [f"{line.name} is full for {line.gift.words}" for line in board.full_lines()]
    return (
        f"{name}'s tokens: {', '.join([token_words(state, seat), *full])}. "
        f"{name}'s castle has {state.castles[seat].words}, {counted(points, 'point')}."
    )


def token_words(state: OnceState, seat: int) -> str:
    """Where the tokens of a player lie, and how many are left."""
    board = state.boards[seat]
    return f"{' '.join(board.tokens) or 'none'} on the board, {board.spare} left"


def _to_come(state: OnceState) -> Iterator[str]:
    """The guests that are still to come."""
    if state.shown:
        yield f"On show: {'; '.join(guest.words for guest in state.shown)}."
    yield f"{counted(len(state.pile), 'guest')} to come."


def todo(state: OnceState) -> str:
    """What is to be decided now, in words."""
    kind, about = state.steps[0] if state.steps else (state.phase, "")
    if kind == "dice":
        both = len(state.left) > 1
        return f"use {'the dice' if both else 'die'} {listed([*map(str, state.left)])}"
    if kind in ("token", "face"):
        return f"use {'a token on any square' if about == 'any' else face_words(about)}"
    if kind == "last":
        return f"clear {either(state.last_clears())} for the last time, or end"
    return _TODO[kind]


_TODO = {
    "follow": "use one of the dice, or pass",
    "build": "clear full lines, or end the turn",
    "guest": "choose a guest",
    "steal": "choose a guest to steal",
    "reactivate": "choose a Bolt guest to act again",
    "choose": "choose the face that counts twice",
    "move": "move a token",
}
