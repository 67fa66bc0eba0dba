"""The legal moves in groups, each with the number that plays it.

A group has its kind at the left, and what follows it in notation::

    build  1) TYS nw  2) TBC nw  3) WRZ n
    end    4)
"""

from __future__ import annotations

from collections.abc import Sequence

from castlelab.cli.printing import WIDTH, wrapped_text
from castlelab.game import Move, Moves
from castlelab.rules import CastlelabError, listed, quoted

PAGE = 30  # lines of a long list at a time
_GAP = "  "


def in_groups(moves: Moves) -> Moves:
    """The moves as they are numbered: those of a kind together, kinds as they come."""
    kinds = list(dict.fromkeys(move.kind for move in moves))
    return tuple(sorted(moves, key=lambda move: kinds.index(move.kind)))


def all_lines(moves: Moves, kind: str = "") -> list[str]:
    """Every move, or every one of a kind."""
    groups = _groups(moves)
    if not kind:
        return [line for lines in groups.values() for line in lines]
    if kind not in groups:
        raise CastlelabError(
            f"there are no moves {quoted(kind)} now; there are {listed(list(groups))}"
        )
    return groups[kind]


def few_lines(moves: Moves, room: int) -> list[str]:
    """The same in so many lines, where kinds are not more: of long groups the beginning."""
    groups = _groups(moves)
    lengths = list(map(len, groups.values()))
    if sum(lengths) <= room:
        return all_lines(moves)
    depths = (
        depth
        for depth in range(max(lengths), 1, -1)
        if sum(min(length, depth) for length in lengths) < room
    )
    deep = next(depths, 1)
    shown = [
        f"{line} …" if at == deep < len(lines) else line
        for lines in groups.values()
        for at, line in enumerate(lines[:deep], start=1)
    ]
    longest = max(groups, key=lambda kind: len(groups[kind]))
    return [
        *shown,
        f"There are {len(moves)}: type moves for all of them, moves {longest} for those alone.",
    ]


def _groups(moves: Moves) -> dict[str, list[str]]:
    """The lines of each kind."""
    entries: dict[str, list[str]] = {}
    digits = len(str(len(moves)))
    for number, move in enumerate(in_groups(moves), start=1):
        entry = f"{number:>{digits}}) {_after_kind(move)}"
        entries.setdefault(move.kind, []).append(entry.rstrip())
    margin = max(map(len, entries), default=0)
    return {kind: _rows(f" {kind:<{margin}}", each) for kind, each in entries.items()}


def _after_kind(move: Move) -> str:
    """A move in notation without the word that stands at the left of its group."""
    first, _, rest = str(move).partition(" ")
    return rest if first == move.kind else str(move)


def _rows(kind: str, entries: Sequence[str]) -> list[str]:
    """A group in columns; a move too long for a line goes on in the next."""
    room = WIDTH - len(kind) - 2 * len(_GAP)  # a sign that there are more has its place, too
    wide = max(map(len, entries))
    across = max(1, (room + len(_GAP)) // (wide + len(_GAP)))
    rows = []
    for at in range(0, len(entries), across):
        row = _GAP.join(entry.ljust(wide) for entry in entries[at : at + across])
        rows += [row.rstrip()] if len(row) <= room else wrapped_text(row, room).splitlines()
    blank = " " * len(kind)
    return [f"{blank if at else kind}{_GAP}{row}" for at, row in enumerate(rows)]
