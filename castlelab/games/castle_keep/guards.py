"""Guards on a wall, never two side by side: in how many ways they stand, and who posts the last.

In the game of the last guard two players post one in turn, and who finds no free spot loses. A
stretch of free spots is worth as much there as a pile of tiles (Sprague and Grundy); stretches
are added without carrying, and whoever leaves nothing wins.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, reduce
from itertools import combinations
from operator import xor
from typing import TYPE_CHECKING

from castlelab.rules import CastlelabError, listed, whole_number

if TYPE_CHECKING:
    from castlelab.draw.scene import Scene

FEWEST_SPOTS, MOST_SPOTS = 3, 13


@cache
def stretch_value(spots: int) -> int:
    """What a stretch of free spots is worth, as a pile.

    >>> [stretch_value(spots) for spots in range(16)]
    [0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5]
    """
    reached = {
        stretch_value(max(0, at - 1)) ^ stretch_value(max(0, spots - at - 2)) for at in range(spots)
    }
    return next(value for value in range(spots + 1) if value not in reached)


@dataclass(frozen=True, slots=True)
class GuardWall:
    """A wall of numbered spots, closed to a ring or open, and the guards in their order.

    >>> wall = GuardWall(8).post(1)
    >>> wall.free, wall.value, wall.winning
    ((3, 4, 5, 6, 7), 3, (5,))
    """

    spots: int = 8
    closed: bool = True
    guards: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        whole_number(self.spots, "the spots of a wall go", FEWEST_SPOTS, MOST_SPOTS)
        for number, guard in enumerate(self.guards):
            whole_number(guard, "spots go", 1, self.spots)
            if why := self._why_not(guard, self.guards[:number]):
                raise CastlelabError(why)

    def beside(self, spot: int) -> tuple[int, ...]:
        """The spots next to one."""
        if self.closed:
            return (spot - 2) % self.spots + 1, spot % self.spots + 1
        return tuple(near for near in (spot - 1, spot + 1) if 1 <= near <= self.spots)

    def why_not(self, spot: int) -> str:
        """Why no guard may be posted on a spot; "" if one may."""
        return self._why_not(spot, self.guards)

    def _why_not(self, spot: int, guards: tuple[int, ...]) -> str:
        if spot in guards:
            return f"there is a guard on {spot} already"
        if near := [guard for guard in self.beside(spot) if guard in guards]:
            return f"{spot} is shut: it lies beside the guard on {listed([*map(str, near)])}"
        return ""

    def post(self, spot: int) -> GuardWall:
        """One guard more; where none may stand is a :class:`CastlelabError`."""
        return replace(self, guards=(*self.guards, spot))

    @property
    def free(self) -> tuple[int, ...]:
        """The spots on which a guard may be posted."""
        return tuple(spot for spot in range(1, self.spots + 1) if not self.why_not(spot))

    @property
    def stretches(self) -> tuple[int, ...]:
        """How long the stretches of free spots are, of which the next guard changes one alone."""
        first = self.guards[0] if self.closed and self.guards else 1
        free = set(self.free)
        round_it = ((first + step - 1) % self.spots + 1 for step in range(self.spots))
        signs = "".join(".#"[spot not in free] for spot in round_it)
        return tuple(map(len, filter(None, signs.split("#"))))

    @property
    def value(self) -> int:
        """What the wall is worth as a pile: 0 if whoever posts the next guard will lose."""
        if self.closed and not self.guards:
            # The first guard of a ring leaves one stretch, wherever it stands.
            return int(not stretch_value(self.spots - 3))
        return reduce(xor, map(stretch_value, self.stretches), 0)

    @property
    def winning(self) -> tuple[int, ...]:
        """The spots from which one wins for sure."""
        return tuple(spot for spot in self.free if not self.post(spot).value)

    @property
    def best(self) -> int:
        """A spot that wins or, where none does, one after which few answers win."""
        if winning := self.winning:
            return winning[0]
        return min(self.free, key=lambda spot: len(self.post(spot).winning))

    def picture(self) -> Scene:
        """The wall as a scene."""
        from castlelab.games.castle_keep.guard_picture import guard_scene

        return guard_scene(self)

    def _repr_svg_(self) -> str:
        from castlelab.draw.svg import still

        return still(self.picture())


@dataclass(frozen=True, slots=True)
class GuardDuel:
    """A game of the last guard between seats 0 and 1.

    >>> duel = GuardDuel(GuardWall(3)).post(2)
    >>> duel.over, duel.to_move, duel.winner
    (True, 1, 0)
    """

    wall: GuardWall = GuardWall()
    begins: int = 0

    @property
    def to_move(self) -> int:
        return (self.begins + len(self.wall.guards)) % 2

    @property
    def over(self) -> bool:
        return not self.wall.free

    @property
    def winner(self) -> int | None:
        """Who has posted the last guard, once there is no room for another."""
        return 1 - self.to_move if self.over else None

    def owner(self, spot: int) -> int | None:
        """Whose guard stands on a spot."""
        guards = self.wall.guards
        return (self.begins + guards.index(spot)) % 2 if spot in guards else None

    def post(self, spot: int) -> GuardDuel:
        return replace(self, wall=self.wall.post(spot))


# -- in how many ways ------------------------------------------------------------------------


def ways_to_guard(spots: int = 8, closed: bool = True) -> int:
    """In how many ways guards can stand on a wall, none at all included.

    Look at the last spot: empty, or with a guard that empties its neighbour. So each number is
    the sum of the two before it; rings have those of Lucas, lines those of Fibonacci.

    >>> [ways_to_guard(spots) for spots in range(3, 10)]
    [4, 7, 11, 18, 29, 47, 76]
    >>> ways_to_guard(8, closed=False)
    55
    """
    one, other = (2, 1) if closed else (1, 2)
    for _ in range(whole_number(spots, "the spots of a wall go", FEWEST_SPOTS, 1_000)):
        one, other = other, one + other
    return one


def guarded_walls(spots: int = 8, closed: bool = True) -> Iterator[GuardWall]:
    """The same one by one, fewest guards first.

    >>> sum(1 for wall in guarded_walls())
    47
    """
    wall = GuardWall(spots, closed)
    for number in range(spots // 2 + 2):
        for guards in combinations(range(1, spots + 1), number):
            if not any(near in guards for guard in guards for near in wall.beside(guard)):
                yield replace(wall, guards=guards)
