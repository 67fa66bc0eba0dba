"""What may be asked about a site of CastleScape: its rows, walls and baileys, leaks and rays."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from castlelab.game import SEAT_NAMES, Question
from castlelab.games.castlescape.board import Bits, Board, read_square, square_name
from castlelab.grid import Square
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
    *lines, leak, rays = site_questions(state.board, state.enclosed)
    baileys = Question("baileys", "what is closed, and whose it is", lambda _: _baileys(state))
    return (*lines, baileys, leak, rays)


def site_questions(board: Board, enclosed: Bits = 0) -> tuple[Question, ...]:
    """What may be asked about a site; ``enclosed`` is the ground of its baileys."""
    site = _Site(board, enclosed)
    return (
        Question("grid", "the site in letters, row by row", lambda _: _grid(board)),
        Question("rows", "what stands in each row", lambda _: _rows(site), group="The site"),
        Question("row", "a row or, by its letter, a column", lambda to: _line(site, to), "3"),
        Question("column", "a column", lambda to: _line(site, to), "c"),
        Question("walls", "where walls stand, row by row", lambda _: _walls(board)),
        Question("leak", "how a square leaks to the edge", lambda to: _leak(board, to), "c3"),
        Question("rays", "what is next in all directions", lambda to: _rays(board, to), "c3"),
    )


class _Site(NamedTuple):
    """A board, and the ground of its baileys."""

    board: Board
    enclosed: Bits


def _grid(board: Board) -> str:
    """The site as boards are written: ``.`` ground, ``#`` wall, letters for recruits."""
    return "\n".join(f"{at:>2} {line}" for at, line in enumerate(str(board).splitlines(), start=1))


def _rows(site: _Site) -> str:
    """What is not bare ground, row by row; rows of ground together."""
    told = [_in_words(site, row, None) for row in range(site.board.grid.rows)]
    lines = []
    for words, alike in groupby(enumerate(told, start=1), key=lambda one: one[1]):
        numbers = [number for number, _ in alike]
        name = f"Row {numbers[0]}" if len(numbers) == 1 else f"Rows {numbers[0]} to {numbers[-1]}"
        lines.append(f"{name}: {words}.")
    return "\n".join(lines)


def _line(site: _Site, name: str) -> str:
    rows, columns = site.board.grid.rows, site.board.grid.columns
    if name.isascii() and name.isdigit() and 1 <= int(name) <= rows:
        return f"Row {name}: {_in_words(site, int(name) - 1, None)}."
    column = ord(name) - ord("a") if len(name) == 1 else -1
    if 0 <= column < columns:
        return f"Column {name}: {_in_words(site, None, column)}."
    last = square_name((0, columns - 1))[0]
    wanted = f"rows go from 1 to {rows} and columns from a to {last}"
    raise CastlelabError(f"{wanted}, not {quoted(name)}")


def _in_words(site: _Site, row: int | None, column: int | None) -> str:
    """A line of squares, those in a row that are alike together."""
    side = site.board.grid.columns if column is None else site.board.grid.rows
    squares = [(at if row is None else row, at if column is None else column) for at in range(side)]
    told = []
    for words, alike in groupby(squares, key=lambda square: _what(site, square)):
        here = [square_name(square) for square in alike]
        where = here[0] if len(here) == 1 else f"{here[0]} to {here[-1]}"
        if words:
            told.append(f"{where} {words}")
    return ", ".join(told) or "ground"


def _what(site: _Site, square: Square) -> str:
    board = site.board
    bit = board.grid.bit(square)
    wall = "wall" if board.walls & bit else ""
    for seat, name in enumerate(SEAT_NAMES[: len(board.ground)]):
        if (board.ground[seat] | board.atop[seat]) & bit:
            return f"{name} on a wall" if wall else name
    return wall or ("bailey" if site.enclosed & bit else "")


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


def _ray(board: Board, square: Square) -> Iterator[str]:
    """How far it is to the next wall or the edge, along sides and through corners.

    Where walls stand at both sides of a corner, it is told that one slips between them.
    """
    grid = board.grid
    for words, (down, across) in _AROUND.items():
        (row, column), steps, end, slips = square, 0, "the edge", ""
        while 0 <= row + down < grid.rows and 0 <= column + across < grid.columns:
            beside = (row, column + across), (row + down, column)
            if down and across and all(board.walls & grid.bit(one) for one in beside):
                slips = slips or f"between {square_name(beside[0])} and {square_name(beside[1])}, "
            row, column = row + down, column + across
            if board.walls & grid.bit((row, column)):
                end = f"wall {square_name((row, column))}"
                break
            steps += 1
        yield f"{words}: {slips}{f'{steps} open, ' if steps else ''}{end}"


def _square(board: Board, name: str) -> Square:
    square = read_square(name) if name else None
    if square is None or not (square[0] < board.grid.rows and square[1] < board.grid.columns):
        raise CastlelabError(f"name a square of the site, such as c3, not {quoted(name)}")
    return square
