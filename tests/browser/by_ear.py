"""How somebody plays who hears a table and sees nothing: what is told is all there is to go by."""

from __future__ import annotations

import re
from collections.abc import Callable

#: The moves that were told, kind by kind.
Told = dict[str, list[str]]
#: Asks the table something by a word; what it answers.
Ask = Callable[[str], str]
#: Decides on a move.
Player = Callable[[Told, Ask], str]

_MIDDLE = (4, 4)  # of the smallest site


def moves_in(told: str) -> Told:
    """The moves as `moves` tells them, kind by kind."""
    found: Told = {}
    kind, left = "", 0
    for line in told.replace("\N{NO-BREAK SPACE}", " ").splitlines():
        head = re.match(r"([a-z]+)(?: (\d+))?: (.*)", line)
        if head:
            kind, left, line = head[1], int(head[2] or 1), head[3]
        elif not left:
            kind, left = "", 1
        for each in filter(None, line.rstrip(",").split(", ")):
            left -= 1
            found.setdefault(kind or each.split()[0], []).append(f"{kind} {each}".strip())
    return found


def first_of(*kinds: str) -> Player:
    """Makes the first move of the first of these kinds that there is, or else the last move."""

    def decide(moves: Told, ask: Ask) -> str:
        return next((moves[kind][0] for kind in kinds if kind in moves), _last(moves))

    return decide


def go_to_festivals(moves: Told, ask: Ask) -> str:
    """Castell: team and skills grow on the way to a festival, for the highest tower there."""
    if "enter" in moves:
        return max(moves["enter"], key=lambda move: len(move.split()))
    if "recruit" in moves:
        return max(moves["recruit"], key=len)
    if "train" in moves:
        return moves["train"][0]
    if "move" in moves:
        coming = re.search(r"Round \d+, (.+): sizes wanted", ask("festivals"))
        way = f"move {coming[1]}" if coming else ""
        if way in moves["move"]:
            return way
    return moves["end"][0] if "end" in moves else _last(moves)


def wall_in_the_middle(moves: Told, ask: Ask) -> str:
    """CastleScape: cards that build or recruit, put to use round the middle of the site."""
    for kind in ("keep", "claim", "recruit", "wall"):
        if kind in moves:
            return min(moves[kind], key=_from_the_middle)
    for move in moves.get("play", ()):
        card = re.sub(r" \d+$", "", move.removeprefix("play "))
        does = re.search(rf"{re.escape(card)}: ([^;]*)", ask("hand"))
        if does and re.search("Build|Position", does[1]):
            return move
    return moves["end"][0] if "end" in moves else _last(moves)


def _from_the_middle(move: str) -> int:
    """How far a move is from the middle; nearest, if it names no square."""
    squares = re.findall(r"\b([a-z])(\d+)\b", move)
    return min(
        (
            abs(ord(column) - 96 - _MIDDLE[0]) + abs(int(row) - _MIDDLE[1])
            for column, row in squares
        ),
        default=0,
    )


def _last(moves: Told) -> str:
    return [*moves.values()][-1][-1]


#: Who plays which game.
PLAYERS: dict[str, Player] = {
    "castell": go_to_festivals,
    "castle_keep": first_of("build", "discard", "end"),
    "castle_rampage": first_of(),
    "castlescape": wall_in_the_middle,
    "once_upon_a_castle": first_of(),
}
