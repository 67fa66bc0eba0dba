"""What a face of the dice can be used for, and the moves that say so.

There are few boards and few faces, so every answer is worked out once.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import product

from castlelab.game import Move
from castlelab.games.once_upon_a_castle.board import FACES, Board
from castlelab.games.once_upon_a_castle.moves import END, EXTRAS, Clear, Place, Shift, Take, Use

#: All rolls of two dice, each as likely as the others.
ROLLS: tuple[tuple[str, str], ...] = tuple(product(FACES, FACES))

_use_move, clear_move = cache(Use), cache(Clear)


def squares_for(board: Board, resource: str, powers: frozenset[str]) -> int:
    """The free squares that take a token of a resource; ``any`` takes all of them.

    A troll makes no difference between Wood and Stone (once_upon_a_castle/guest-troll).
    """
    if resource == "any":
        return board.free
    bits_of = board.layout.bits_of
    bits = bits_of[resource]
    if "wood-as-stone" in powers and resource in ("wood", "stone"):
        bits = bits_of["wood"] | bits_of["stone"]
    return board.free & bits


@lru_cache(maxsize=1 << 15)
def face_uses(board: Board, face: str, powers: frozenset[str], room: bool) -> tuple[str, ...]:
    """What a face can be used for: the squares, and residents, a flag or a cloud.

    ``room`` says whether a wall has room for a flag. Nothing at all: the chance is lost
    (once_upon_a_castle/no-token).
    """
    if face == "residents":
        # once_upon_a_castle/guest-knight
        bits = board.free if "token-for-residents" in powers else 0
    else:
        bits = squares_for(board, face, powers)
    found = list(board.layout.names(bits))
    if face in ("residents", "any"):
        found.append("residents")
    elif face == "food" and not found and "resident-with-food" in powers:
        found.append("residents")  # once_upon_a_castle/guest-cook: the resident comes all the same
    if face in ("gold", "any") and room and "flag-for-gold" in powers:
        found.append("flag")  # once_upon_a_castle/guest-monk
    if face == "any" and "cloud-for-any" in powers:
        found.append("cloud")  # once_upon_a_castle/guest-shepherdess
    return tuple(found)


@lru_cache(maxsize=1 << 15)
def use_moves(
    board: Board, die: int, face: str, powers: frozenset[str], room: bool
) -> tuple[Use, ...]:
    return tuple(_use_move(die, what) for what in face_uses(board, face, powers, room))


@cache
def place_move(what: str) -> Place | Take:
    return Take(what) if what in EXTRAS else Place(what)


@lru_cache(maxsize=1 << 12)
def shift_moves(board: Board) -> tuple[Move, ...]:
    empty = board.layout.names(board.layout.all_bits & ~board.filled)
    return tuple(Shift(source, goal) for source in board.tokens for goal in empty)


@lru_cache(maxsize=1 << 12)
def clear_moves(board: Board) -> tuple[Move, ...]:
    return (*(clear_move(line.name) for line in board.full_lines()), END)
