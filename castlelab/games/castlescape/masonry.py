"""The walls that a turn still has to build, card by card.

The walls of one card must form one piece (``castlescape/wall-contiguous``), those of two cards need
not touch. Nobody is asked which card a wall belongs to: every way of sharing the walls built
so far among the cards is kept, and a wall is legal if one of these ways allows it. So cards
may be begun, left and taken up again in any order.

Of a card that was begun only matters how many walls it has left and which squares it reaches.
So a way is left out where another one has as many left of each card and reaches as much:
whatever is built from here on, the other way allows it too. What is kept is few, and nothing
legal is lost.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from castlelab.games.castlescape.board import Board

#: What one card still has to build: walls left, whether recruits may come before them, and the
#: squares beside its walls.
Piece = tuple[int, bool, int]
#: One way of sharing out the walls: the unfinished cards, sorted.
Sharing = tuple[Piece, ...]
#: Every way that fits.
Masonry = tuple[Sharing, ...]

NOTHING: Masonry = ((),)
EVERYWHERE = -1  # what an untouched card reaches: every bit is set
_MANY = 60  # ways, from which on it pays to look which of them are needed


def granted(masonry: Masonry, walls: int, *, late: bool = False) -> Masonry:
    """With the walls of one more card."""
    piece = (walls, late, EVERYWHERE)
    return _sorted({tuple(sorted((*sharing, piece))) for sharing in masonry})


def walls_left(masonry: Masonry) -> int:
    """How many walls may still be built: the most that any way of sharing allows."""
    if masonry == NOTHING:
        return 0
    return max([sum([left for left, _, _ in sharing]) for sharing in masonry])


def left_after_wall(masonry: Masonry, bit: int) -> int:
    """How many walls may still be built after one there."""
    if len(masonry) == 1:
        return walls_left(masonry) - 1
    fitting = [sharing for sharing in masonry if any(reach & bit for _, _, reach in sharing)]
    return walls_left(tuple(fitting)) - 1


@lru_cache(maxsize=1 << 6)  # it is asked for every square where a recruit may go
def only_late(masonry: Masonry) -> Masonry:
    """What is left once a recruit has been positioned (``castlescape/walls-first``)."""
    if masonry == NOTHING:
        return NOTHING
    return _sorted({tuple([piece for piece in sharing if piece[1]]) for sharing in masonry})


@lru_cache(maxsize=1 << 10)
def spots(board: Board, masonry: Masonry) -> int:
    """Where the next wall may be built: beside any wall for a new card, else beside its own."""
    found = 0
    for sharing in masonry:
        for _, _, reach in sharing:
            found |= reach
    return board.wall_spots() & found if found else 0


def after_wall(masonry: Masonry, bit: int, board: Board) -> Masonry:
    """With one wall more, which stands on the board already."""
    beside = board.grid.beside[bit]
    if len(masonry) == 1 and len(masonry[0]) == 1:  # one card: nothing to share out
        left, late, reach = masonry[0][0]
        if left == 1:
            return NOTHING
        return (((left - 1, late, beside if reach == EVERYWHERE else reach | beside),),)
    # Beside a wall, a square where none may be built now is closed for good.
    free = board.wall_spots()
    near = beside & free
    found: set[Sharing] = set()
    for sharing in masonry:
        others = [
            piece if piece[2] == EVERYWHERE else (piece[0], piece[1], piece[2] & free)
            for piece in sharing
        ]
        for at, (left, late, reach) in enumerate(sharing):
            if not reach & bit:
                continue
            way = others[:at] + others[at + 1 :]
            if left > 1:
                reach = 0 if reach == EVERYWHERE else reach & free
                way.append((left - 1, late, reach | near))
                way.sort()
            found.add(tuple(way))
    return _sorted(found)


def _sorted(sharings: Collection[Sharing]) -> Masonry:
    return tuple(sorted(_needed(sharings) if len(sharings) > _MANY else sharings))


def _needed(sharings: Collection[Sharing]) -> Iterator[Sharing]:
    """The ways that are not covered by others: as many walls left, and nowhere less reach.

    An untouched card reaches everything, but only once: where it has begun, it reaches less than
    one that had begun elsewhere and comes there too. For a last wall that does not matter.
    """
    alike: dict[tuple[tuple[int, bool, bool], ...], list[Sharing]] = {}
    for sharing in sharings:
        kind = [(left, late, reach == EVERYWHERE and left > 1) for left, late, reach in sharing]
        alike.setdefault(tuple(kind), []).append(sharing)
    for group in alike.values():
        group.sort(key=_width, reverse=True)  # only a wider way can cover another
        kept: list[list[int]] = []
        for sharing in group:
            reaches = [reach for _, _, reach in sharing]
            for wider in kept:
                for mine, other in zip(reaches, wider, strict=True):
                    if mine & ~other:
                        break
                else:
                    break  # covered
            else:
                kept.append(reaches)
                yield sharing


def _width(sharing: Sharing) -> tuple[int, Sharing]:
    """How much the cards of a way reach in all; of equals any order, but always the same."""
    most = 1 << 10  # more than the squares of any site
    return sum([most if r == EVERYWHERE else r.bit_count() for _, _, r in sharing]), sharing
