"""What may be asked about a site of CastleScape: its rows, walls and baileys, leaks and rays."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from castlelab.game import SEAT_NAMES, Question
from castlelab.games.castlescape.board import Board, read_square, square_name
from castlelab.rules import CastlelabError, counted, listed, quoted

if TYPE_CHECKING:
    from castlelab.games.castlescape.play import ScapeState

_AROUND = {
    "north": (-1, 0),
    "north-east": (-1, 1),
    "east": (0, 1),
    "south-east": (1, 1),
    "south": (1, 0),
    "south-west": (1, -1),
    "west": (0, -1),
    "north-west": (-1, -1),
}


def questions(state: ScapeState, seat: int) -> tuple[Question, ...]:
    board = state.board
    return (
        Question("grid", "the site in letters, row by row", lambda _: _grid(board)),
        Question("rows", "what stands in each row", lambda _: _rows(state), group="The site"),
        Question("row", "a row or, by its letter, a column", lambda to: _line(state, to), "3"),
        Question("column", "a column", lambda to: _line(state, to), "c"),
        Question("walls", "where walls stand, row by row", lambda _: _walls(board)),
        Question("baileys", "what is closed, and whose it is", lambda _: _baileys(state)),
        Question("leak", "how a square leaks to the edge", lambda to: _leak(board, to), "c3"),
        Question("rays", "what is next in all directions", lambda to: _rays(board, to), "c3"),
    )


def _grid(board: Board) -> str:
    """The site as boards are written: ``.`` ground, ``#`` wall, letters for recruits."""
    return "\n".join(f"{at:>2} {line}" for at, line in enumerate(str(board).splitlines(), start=1))


def _rows(state: ScapeState) -> str:
    """What is not bare ground, row by row."""
    side = state.game.side
    return "\n".join(_in_words(state, f"Row {row + 1}", row, None) for row in range(side))


def _line(state: ScapeState, name: str) -> str:
    side = state.game.side
    if name.isdigit() and 1 <= int(name) <= side:
        return _in_words(state, f"Row {name}", int(name) - 1, None)
    column = ord(name) - ord("a") if len(name) == 1 else -1
    if 0 <= column < side:
        return _in_words(state, f"Column {name}", None, column)
    last = square_name((0, side - 1))[0]
    raise CastlelabError(f"rows go from 1 to {side} and columns from a to {last}")


def _in_words(state: ScapeState, name: str, row: int | None, column: int | None) -> str:
    """A line of squares, those in a row that are alike together."""
    side = state.game.side
    squares = [(at if row is None else row, at if column is None else column) for at in range(side)]
    told = []
    for words, alike in groupby(squares, key=lambda square: _what(state, square)):
        here = [square_name(square) for square in alike]
        where = here[0] if len(here) == 1 else f"{here[0]} to {here[-1]}"
        if words:
            told.append(f"{where} {words}")
    return f"{name}: {', '.join(told) or 'ground'}."


def _what(state: ScapeState, square: tuple[int, int]) -> str:
    board = state.board
    bit = board.grid.bit(square)
    wall = "wall" if board.walls & bit else ""
    for seat, name in enumerate(SEAT_NAMES):
        if (board.ground[seat] | board.atop[seat]) & bit:
            return f"{name} on a wall" if wall else name
    return wall or ("bailey" if state.enclosed & bit else "")


def _walls(board: Board) -> str:
    told = []
    for row, squares in groupby(board.grid.squares(board.walls), key=lambda square: square[0]):
        told.append(f"Row {row + 1}: {' '.join(square_name(square) for square in squares)}")
    return "\n".join(told) or "No wall stands yet."


def _baileys(state: ScapeState) -> str:
    told = []
    for claim in state.claims:
        whose = listed([SEAT_NAMES[seat] for seat in claim.seats]) if claim.seats else "nobody"
        where = ", ".join(state.board.names(claim.squares)[:4])
        told.append(f"{counted(claim.size, 'square')} at {where}: {whose}.")
    return "\n".join(told) or "Nothing is closed yet."


def _leak(board: Board, name: str) -> str:
    square = _square(board, name)
    if board.walls & board.grid.bit(square):
        return f"{name} is a wall."
    path = board.leak(square)
    if not path:
        return f"{name} leaks nowhere: it is closed in."
    corners = [
        f"between the walls at the corner from {square_name(one)} to {square_name(other)}"
        for one, other in board.gaps(path)
    ]
    slips = f" It slips {listed(corners)}." if corners else ""
    return f"{name} leaks: {', '.join(map(square_name, path))}, the edge.{slips}"


def _rays(board: Board, name: str) -> str:
    return "\n".join(_ray(board, _square(board, name)))


def _ray(board: Board, square: tuple[int, int]) -> Iterator[str]:
    """How far it is to the next wall or the edge, along sides and corners."""
    grid = board.grid
    for words, (down, across) in _AROUND.items():
        row, column, steps = square[0] + down, square[1] + across, 0
        end = "the edge"
        while 0 <= row < grid.rows and 0 <= column < grid.columns:
            if board.walls & grid.bit((row, column)):
                end = f"wall {square_name((row, column))}"
                break
            row, column, steps = row + down, column + across, steps + 1
        yield f"{words}: {f'{steps} open, ' if steps else ''}{end}"


def _square(board: Board, name: str) -> tuple[int, int]:
    square = read_square(name) if name else None
    if square is None or not (square[0] < board.grid.rows and square[1] < board.grid.columns):
        raise CastlelabError(f"name a square of the site, such as c3, not {quoted(name)}")
    return square
