"""What may be asked about boards: their squares in rows, and what their lines give and miss."""

from __future__ import annotations

from typing import TYPE_CHECKING

from castlelab.game import Question
from castlelab.games.once_upon_a_castle.board import Board, Line, face_words
from castlelab.rules import CastlelabError, listed

if TYPE_CHECKING:
    from castlelab.games.once_upon_a_castle.play import OnceState


def questions(state: OnceState, seat: int) -> tuple[Question, ...]:
    return board_questions(state.boards[seat])


def board_questions(board: Board) -> tuple[Question, ...]:
    """What may be asked about a board, whoever's it is."""
    return (
        Question("grid", "your board in letters, row by row", lambda _: _grid(board)),
        Question("row", "a row of your board", lambda name: _named(board, "row", name), "3"),
        Question("column", "a column", lambda name: _named(board, "column", name), "2"),
        Question("lines", "what your lines give and miss", lambda _: _lines(board)),
    )


def _grid(board: Board) -> str:
    """The first letter of each resource, small; a token is a hash, no square a dot."""
    across = max(square.across for square in board.squares) + 1
    down = max(square.down for square in board.squares) + 1
    rows = [["."] * across for _ in range(down)]
    for square in board.squares:
        taken = board.filled & square.bit
        rows[square.down][square.across] = "#" if taken else square.resource[0]
    return "\n".join(f"{at} {' '.join(row)}" for at, row in enumerate(rows, start=1))


def _named(board: Board, kind: str, number: str) -> str:
    found = {line.name: line for line in board.lines if line.name.startswith(kind)}
    if (line := found.get(f"{kind} {number}")) is None:
        raise CastlelabError(f"there is {listed(list(found))}")
    squares = [
        f"{square.name} {'a token' if board.filled & square.bit else face_words(square.resource)}"
        for square in line.squares
    ]
    return f"{line.name.capitalize()}: {', '.join(squares)}.\n{_gives(board, line)}"


def _lines(board: Board) -> str:
    return "\n".join(_gives(board, line) for line in board.lines)


def _gives(board: Board, line: Line) -> str:
    missing = board.layout.names(line.bits & ~board.filled)
    state = f"misses {listed(missing)}" if missing else "is full"
    return f"{line.name.capitalize()} {state} and gives {line.gift.words or 'nothing'}."
