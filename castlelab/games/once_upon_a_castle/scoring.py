"""What a castle is worth, part by part (once_upon_a_castle/score)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from castlelab.game import Source
from castlelab.games.once_upon_a_castle.box import Track
from castlelab.games.once_upon_a_castle.castle import Castle
from castlelab.games.once_upon_a_castle.guests import Guest
from castlelab.rules import given

SUN = CLOUD = 4  # once_upon_a_castle/sun, once_upon_a_castle/end
SMALL_CLOUD = 2  # once_upon_a_castle/guest-shepherdess


@dataclass(frozen=True, slots=True)
class Score:
    """The points of one castle by category."""

    towers: int
    sky: int  # the sun and all clouds
    residents: int
    flags: int
    guests: int

    @property
    def total(self) -> int:
        return self.towers + self.sky + self.residents + self.flags + self.guests

    def __str__(self) -> str:
        return score_table((self,))


def score(castle: Castle | str, track: Track) -> Score:
    """What a castle would be worth if the game ended now.

    >>> score("towers 5 2; sun", Track((3,), (1,))).total
    11
    """
    castle = given(Castle, castle)
    return Score(
        towers=sum(castle.towers),
        sky=SUN * castle.sun + CLOUD * castle.cloud + SMALL_CLOUD * castle.small_clouds,
        residents=track.value(castle.residents),
        flags=sum(castle.flags),
        guests=sum([guest_points(guest, castle) for guest in castle.guests]),
    )


def sources(points: Score) -> tuple[Source, ...]:
    """The points with the names of their categories.

    >>> [source.points for source in sources(Score(7, 4, 2, 3, 5))]
    [7, 4, 2, 3, 5]
    """
    return (
        Source("Towers", points.towers),
        Source("Sun and clouds", points.sky),
        Source("Residents", points.residents),
        Source("Flags", points.flags),
        Source("Guests", points.guests),
    )


def guest_points(guest: Guest, castle: Castle) -> int:
    """What a guest is worth: its points, and what it counts (once_upon_a_castle/crown)."""
    count = _COUNTED.get(guest.power)
    return guest.points + count(castle) if count else guest.points


_COUNTED: dict[str, Callable[[Castle], int]] = {
    "per-crown": lambda castle: sum(guest.symbol == "crown" for guest in castle.guests),
    "per-floor": lambda castle: castle.floors,
    "per-wall": lambda castle: castle.walls,
    "per-tower": lambda castle: len(castle.towers),
    "per-flag": lambda castle: len(castle.flags),
}


def score_table(scores: Sequence[Score], names: Sequence[str] = ()) -> str:
    """The scores side by side, a line for each category.

    >>> print(score_table([Score(7, 4, 2, 3, 5)]))
    towers      7
    sun, cloud  4
    residents   2
    flags       3
    guests      5
    total      21
    """
    width = max([2, *(len(name) + 1 for name in names)])
    rows: list[tuple[str, Sequence[object]]] = [("", names)] if names else []
    for field in ("towers", "sky", "residents", "flags", "guests", "total"):
        words = "sun, cloud" if field == "sky" else field
        rows.append((words, [getattr(score, field) for score in scores]))
    return "\n".join(
        f"{words:10}" + "".join(f" {each:>{width}}" for each in row) for words, row in rows
    )
