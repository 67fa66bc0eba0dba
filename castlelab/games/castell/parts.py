"""The upper part of a tower, and how it can go on downwards: what every search is made of.

Castellers, widths and ranks are packed into numbers, which are quick to take from and to compare.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from struct import Struct
from typing import NamedTuple

from castlelab.games.castell.tower import (
    MAX_RANK,
    MIXES,
    SIZES,
    Level,
    Skills,
    Team,
    Tower,
    widest_allowed,
)

LARGEST = len(SIZES)
LESSER = dict(MIXES)  # the lesser size that Mix joins to a larger one
PARTNER = LESSER | {lesser: larger for larger, lesser in MIXES}

# --- castellers at hand, packed into one integer: quick to take from, to compare ---

BITS = 16  # for each size: far more castellers than a box holds
ONES = (1 << BITS) - 1
SHIFT = tuple(BITS * field for field in range(LARGEST + 8))
FROM = tuple(-1 << shift for shift in SHIFT)  # what is kept of the sizes from this one on
WIDE = ONES >> 2  # wider than any level
GUARDS = sum(1 << shift + BITS - 1 for shift in SHIFT)  # see `means_of`
_COUNTS = Struct(f"<{LARGEST + 1}H")  # by size; nobody has size 0


def unpacked(left: int) -> tuple[int, ...]:
    return _COUNTS.unpack(left.to_bytes(_COUNTS.size, "little"))


# The smallest size that may come below a level, looked up by whether Mix is left and by the
# level's size less the Strength left, which may be negative.
_PLAIN = {reach: max(1, reach + 1) for reach in range(-MAX_RANK, LARGEST + 1)}
SMALLEST = _PLAIN, {reach: LESSER.get(size, size) for reach, size in _PLAIN.items()}


# --- the upper part of a tower, and how it can go on downwards ---

Chain = tuple[int, int, int, "Chain | None"]  # a level's size, how many, how many lesser; above

# The upper part of a tower and what is left for the levels below it: the height, the width
# and the size of the lowest level so far, Balance, Base, Mix and Strength left, castellers
# left (packed), and the levels, the lowest first. A plain tuple: thousands are made and
# thrown away, and a class of its own would take longer to make than all the rest.
UpperPart = tuple[int, int, int, int, int, int, int, int, "Chain | None"]


def tower_of(part: UpperPart) -> Tower:
    """The part as a tower of its own."""
    levels = []
    chain = part[-1]
    while chain:
        size, own, other, chain = chain
        levels.append(level_of(size, own, other))
    return Tower.of(levels)


@lru_cache(maxsize=1024)
def level_of(size: int, own: int, other: int = 0) -> Level:
    """A level of so many of a size and of its lesser partner."""
    parts = (size, own), (size - 1, other)
    return Level(parts if other else parts[:1])


def means_of(part: UpperPart) -> int:
    """All that the levels below can draw on, packed: more of anything is never worse.

    A narrower and a smaller lowest level are more, too.
    """
    _, width, size, balance, base, mix, strength, left, _ = part
    ranks = (strength << BITS | mix) << 2 * BITS | base << BITS | balance
    return (ranks << BITS | LARGEST - size) << SHIFT[LARGEST + 1] | left | WIDE - width


def state_of(part: UpperPart, tall: int) -> tuple[int, ...]:
    """All that matters for the levels below, heights from ``tall`` on being alike.

    Of the castellers left, those too small to be used again are forgotten.
    """
    height, width, size, balance, base, mix, strength, left, _ = part
    useful = left & FROM[SMALLEST[mix > 0][size - strength]]
    height = height if height < tall else tall
    return height, width, size, balance, base, mix, strength, useful


def nothing_yet(team: Team, skills: Skills) -> UpperPart:
    """The part from which every tower starts: no level, all ranks, the whole team."""
    ranks = skills.balance, skills.base, skills.mix, skills.strength
    packed = int.from_bytes(_COUNTS.pack(0, *team.counts), "little")
    return 0, 0, 0, *ranks, packed, None


class MostMore(dict[tuple[int, ...], int]):
    """At most so many levels fit below one of this size and width, with these ranks left.

    A quick bound, not always reached: sizes grow, and Balance is used at once. Where sizes
    do not grow, each level of a size that was passed already costs Strength at least once;
    so each rank of it is taken to give a level of any size. A ``thorough`` bound also counts
    the castellers for those levels: that pays in long searches, not in short ones.
    """

    def __init__(self, team: Team, skills: Skills, thorough: bool = False) -> None:
        self.thorough = thorough
        self.counts = counts = (0, *team.counts)
        self.widest = widest_allowed(skills)
        # For each size the larger ones, each with what Mix could add to it, if anything.
        larger: tuple[tuple[int, int, int], ...] = ()
        self._larger = [larger] * (LARGEST + 1)
        for size in range(LARGEST, 0, -1):
            self._larger[size] = larger
            if own := counts[size]:
                larger = (size, own, own + counts[size - 1] if size in LESSER else 0), *larger
        self._larger[0] = self.sizes = larger
        self._known_rooms: dict[tuple[int, bool], _Rooms] = {}
        self.room = max(counts), max([max(each[1:]) for each in larger], default=0)

    def __missing__(self, level: tuple[int, int, int, int, int, int]) -> int:
        size, width, balance, base, mix, strength = level
        if not (mix or strength):  # nothing to choose: each time the smallest size that will do
            self[level] = most = self._plain(size, width, balance, base)
            return most
        if balance and width:
            balance -= 1
        else:
            width += 1
        if width > self.widest:
            base -= 1
        most = 0
        room = self.room[mix > 0]
        if base >= 0 and width <= room:
            if strength:
                most = 1 + self[size, width, balance, base, mix, strength - 1]
            # All that widths allow: who has that much need not look for more.
            enough = 1 + balance + min(max(0, self.widest - width) + base, room - width)
            may_mix = mix > 0
            for larger, own, mixed in self._larger[size]:
                if most == enough:
                    break
                if own >= width:
                    most = max(most, 1 + self[larger, width, balance, base, mix, strength])
                    break
                if may_mix and mixed >= width:
                    most = max(most, 1 + self[larger, width, balance, base, mix - 1, strength])
                    may_mix = False
            if self.thorough and strength and most > 1:
                most = self._manned(level, most)
        self[level] = most
        return most

    def _plain(self, size: int, width: int, balance: int, base: int) -> int:
        """So many levels fit there without Mix and Strength."""
        most, widest = 0, self.widest
        if balance and width:
            balance -= 1
        else:
            width += 1
        for _, own, _ in self._larger[size]:
            if own >= width:
                if width > widest:
                    if not base:
                        break
                    base -= 1
                most += 1
                if balance:
                    balance -= 1
                else:
                    width += 1
        return most

    def _manned(self, level: tuple[int, int, int, int, int, int], most: int) -> int:
        """So many levels below a level or, if castellers are too few for them, fewer."""
        size, width, balance, _, mix, strength = level
        asked = max(1, size + 1 - strength), mix > 0
        rooms = self._known_rooms.get(asked)
        if rooms is None:
            rooms = self._known_rooms[asked] = self._rooms(*asked)
        return _manned(narrowest(width, balance, most), rooms, strength)

    def _rooms(self, smallest: int, mix: bool) -> _Rooms:
        levels = []
        groups = []
        for each in range(LARGEST, smallest - 1, -1):
            if own := self.counts[each]:
                mixed = own + self.counts[LESSER[each]] if mix and each in LESSER else own
                levels.append(mixed)
                larger = PARTNER.get(each, 0)
                if not (mix and larger > each and self.counts[larger]):
                    groups.append(mixed)
        castellers = [0] * (max(groups, default=0) + 1)
        for room in groups:
            for width in range(room + 1):
                castellers[width] += room
        levels.sort()
        return _Rooms(levels, castellers)


@lru_cache(maxsize=1 << 8)
def most_more(team: Team, skills: Skills) -> MostMore:
    """The bounds for a team, which are the same for every festival that it looks at."""
    return MostMore(team, skills, thorough=True)


class _Rooms(NamedTuple):
    """How wide levels of some sizes can be."""

    levels: list[int]  # the room of each size, least first
    castellers: list[int]  # by width: how many stand ready where there is room for it


def _manned(widths: Iterable[int], rooms: _Rooms, strength: int) -> int:
    """How many of these growing widths, at most, can be given a size with room for it.

    A size serves one level, and Strength lets one more level share a size; but from any width
    on, all levels together need no more castellers than stand ready where there is such room.
    """
    levels, castellers = rooms
    taken = 0
    manned: list[int] = []
    for width in widths:
        while taken < len(levels) and levels[taken] < width:
            taken += 1
        if taken < len(levels):
            taken += 1
        elif strength and width < len(castellers):
            strength -= 1
        else:
            break
        manned.append(width)
    while manned:
        needed = 0
        for width in reversed(manned):
            needed += width
            if needed > castellers[width]:
                manned.pop()
                break
        else:
            break
    return len(manned)


def extended(part: UpperPart, widest: int, size: int, own: int, other: int) -> UpperPart | None:
    """The part with a level of so many of a size and of its lesser partner below.

    None if it is wider than the widest level and no Base is left to allow it.
    """
    height, width, above, balance, base, mix, strength, left, levels = part
    left -= own << SHIFT[size]
    chain = size, own, other, levels
    if other:
        left -= other << SHIFT[size - 1]
        mix -= 1
        own += other
    if own > widest:
        if not base:
            return None
        base -= 1
    if own == width:
        balance -= 1
    if above >= size:
        strength -= above - size + 1
    return height + 1, own, size, balance, base, mix, strength, left, chain


def narrowest(width: int, balance: int, levels: int) -> list[int]:
    """The least widths of so many levels below one of this width: Balance at once, then wider."""
    if not width:
        return [1, *narrowest(1, balance, levels - 1)] if levels > 0 else []
    equal = min(balance, levels)
    return [*[width] * equal, *range(width + 1, width + 1 + levels - equal)]
