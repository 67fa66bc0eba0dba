"""The walls that a turn still has to build, card by card.

The walls of one card must form one piece (``scape/wall-contiguous``), those of two cards need
not touch. Nobody is asked which card a wall belongs to: every way of sharing the walls built
so far among the cards is kept, and a wall is legal if one of these ways allows it. So cards
may be begun, left and taken up again in any order.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from castlelab.games.castlescape.board import Board

#: What one card still has to build: walls left, whether recruits may come before them, and
#: the squares of the walls it has built.
Piece = tuple[int, bool, int]
#: One way of sharing out the walls: the unfinished cards, sorted.
Sharing = tuple[Piece, ...]
#: Every way that fits.
Masonry = tuple[Sharing, ...]

NOTHING: Masonry = ((),)
# Seven cards of three walls, or four of mixed numbers, stay below this. With more wall cards in
# one turn, which is hardly ever seen, the ways are kept that leave most cards untouched: an
# untouched card may begin beside any wall, so they are the freest ones.
_MOST_WAYS = 600


def granted(masonry: Masonry, walls: int, *, late: bool = False) -> Masonry:
    """With the walls of one more card."""
    return _sorted([tuple(sorted((*sharing, (walls, late, 0)))) for sharing in masonry])


def walls_left(masonry: Masonry) -> int:
    """How many walls may still be built: the most that any way of sharing allows."""
    return max([sum([left for left, _, _ in sharing]) for sharing in masonry])


def only_late(masonry: Masonry) -> Masonry:
    """What is left once a recruit has been positioned (``scape/walls-first``)."""
    if masonry == NOTHING:
        return NOTHING
    return _sorted([tuple([piece for piece in sharing if piece[1]]) for sharing in masonry])


@lru_cache(maxsize=1 << 10)
def spots(board: Board, masonry: Masonry) -> int:
    """Where the next wall may be built: beside any wall for a new card, else beside its own."""
    pieces = {built for sharing in masonry for _, _, built in sharing}
    if not pieces:
        return 0
    if 0 in pieces:  # a new card may begin anywhere that the others may go on
        return board.wall_spots()
    found = 0
    for built in pieces:
        found |= board.wall_spots(built)
    return found


def after_wall(masonry: Masonry, bit: int, beside: int) -> Masonry:
    """With one wall more. ``beside`` are the squares that share a side with it."""
    if len(masonry) == 1 and len(masonry[0]) == 1:  # one card: nothing to share out
        left, late, built = masonry[0][0]
        return (((left - 1, late, built | bit),),) if left > 1 else NOTHING
    found = []
    for sharing in masonry:
        for at, (left, late, built) in enumerate(sharing):
            if built and not built & beside:
                continue
            others = sharing[:at] + sharing[at + 1 :]
            if left > 1:
                others = tuple(sorted((*others, (left - 1, late, built | bit))))
            found.append(others)
    return _sorted(found)


def _sorted(sharings: Iterable[Sharing]) -> Masonry:
    found = sorted(set(sharings))
    if len(found) > _MOST_WAYS:
        found.sort(key=_begun)
        found = sorted(found[:_MOST_WAYS])
    return tuple(found)


def _begun(sharing: Sharing) -> int:
    """How many of the unfinished cards have been begun."""
    return sum([built > 0 for _, _, built in sharing])
