"""The table of Once Upon a Castle in letters, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from textwrap import wrap
from typing import TYPE_CHECKING

from castlelab.game import SEAT_NAMES
from castlelab.games.once_upon_a_castle.board import Board, Line, face_words
from castlelab.games.once_upon_a_castle.board_picture import gift_labels
from castlelab.games.once_upon_a_castle.moves import DICE
from castlelab.games.once_upon_a_castle.telling import rolled_words, todo, token_words
from castlelab.rules import counted, listed

if TYPE_CHECKING:
    from castlelab.games.once_upon_a_castle.play import OnceState

_WIDE = 80
_CELL = 8  # letters


def table_text(state: OnceState) -> str:
    """The table in letters: the dice, the board of whoever decides, all castles, the guests.

    A square with a token stands in brackets.
    """
    board = state.boards[state.seat]
    title = f"{SEAT_NAMES[state.seat]}'s board, {counted(board.spare, 'token')} left"
    squares = [title, *_squares(board)]
    beside = ["What the lines give", *(_line(board, line) for line in board.lines)]
    left = max(map(len, squares)) + 3
    lines = [
        *_heading(state),
        "",
        *(
            f"{one:{left}}{other}".rstrip()
            for one, other in zip_longest(squares, beside, fillvalue="")
        ),
        "",
        *(line for seat in range(state.game.players) for line in _castle(state, seat)),
        *_guests(state),
    ]
    return "\n".join(lines)


def _heading(state: OnceState) -> Iterator[str]:
    if state.ending:
        names = listed([SEAT_NAMES[winner] for winner in state.winners])
        yield f"The game is over after {state.round} rounds. {names} won."
        return
    left = {"dice": state.left, "follow": DICE}.get(state.phase, ())
    dice = ", ".join(
        f"{die} {face_words(face)}{'' if die in left else ' (used)'}"
        for die, face in enumerate(state.dice, start=1)
    )
    guest = f"{rolled_words(state)}. " if state.rolled else ""
    yield f"Round {state.round}: {SEAT_NAMES[state.active]}'s turn. Dice: {dice}."
    yield from wrap(f"{guest}{SEAT_NAMES[state.seat]}: {todo(state)}.", _WIDE)


def _squares(board: Board) -> Iterator[str]:
    """The board, row by row under the letters of its columns."""
    across = max(square.across for square in board.squares) + 1
    yield "  " + "".join(f"{letter:^{_CELL}}" for letter in "abcdefgh"[:across]).rstrip()
    for down in range(max(square.down for square in board.squares) + 1):
        row = [" " * _CELL] * across
        for square in board.squares:
            if square.down == down:
                word = square.resource.capitalize()
                word = f"[{word}]" if board.filled & square.bit else word
                row[square.across] = f"{word:^{_CELL}}"
        yield f"{down + 1} {''.join(row)}".rstrip()


def _line(board: Board, line: Line) -> str:
    """What a line gives, and how many tokens it misses."""
    gifts = ", ".join(words for _, words in gift_labels(line.gift))
    missing = (line.bits & ~board.filled).bit_count()
    return f"{line.name:9} {gifts:17} {f'misses {missing}' if missing else 'full'}"


def _castle(state: OnceState, seat: int) -> Iterator[str]:
    """The points, the tokens and the castle of a player."""
    castle, name = state.castles[seat], SEAT_NAMES[seat]
    worth = state.game.box.track.value(castle.residents)
    tokens = "" if seat == state.seat else f", tokens {token_words(state, seat)}"
    yield f"{name}: {counted(state.score(seat).total, 'point')}{tokens}"
    parts = [
        f"floors {castle.floors}",
        f"towers {_values(castle.towers)}",
        f"walls {castle.walls}",
        f"flags {_values(castle.flags)}",
        f"residents {castle.residents} (worth {worth})",
        *["sun"] * castle.sun,
        *["cloud"] * castle.cloud,
        *[f"small clouds {castle.small_clouds}"] * bool(castle.small_clouds),
    ]
    guests = ", ".join(
        guest.name.capitalize() if guest.power else str(guest.points) for guest in castle.guests
    )
    told = ", ".join(parts) + f"; guests {guests}" * bool(guests)
    yield from wrap(told, _WIDE, initial_indent="  ", subsequent_indent="  ")


def _values(worths: tuple[int, ...]) -> str:
    return " ".join(map(str, worths)) or "none"


def _guests(state: OnceState) -> Iterator[str]:
    """The guests to choose from, and how many are still to come."""
    if state.game.architect:
        shown = "; ".join(guest.words for guest in state.shown)
        yield from wrap(f"On show: {shown}. {len(state.pile)} to come.", _WIDE)
