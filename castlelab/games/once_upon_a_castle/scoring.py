"""What a castle is worth, part by part (once_upon_a_castle/score)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from castlelab.games.once_upon_a_castle.box import Track
from castlelab.games.once_upon_a_castle.castle import Castle
from castlelab.games.once_upon_a_castle.guests import Guest

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


def score(castle: Castle, track: Track) -> Score:
    """What a castle would be worth if the game ended now.

    >>> score(Castle(towers=(5, 2), sun=True), Track((3,), (1,))).total
    11
    """
    return Score(
        towers=sum(castle.towers),
        sky=SUN * castle.sun + CLOUD * castle.cloud + SMALL_CLOUD * castle.small_clouds,
        residents=track.value(castle.residents),
        flags=sum(castle.flags),
        guests=sum([guest_points(guest, castle) for guest in castle.guests]),
    )


def guest_points(guest: Guest, castle: Castle) -> int:
    """What a guest is worth: its points, and what it counts (once_upon_a_castle/crown)."""
    power = guest.power
    if power == "per-crown":
        return guest.points + sum(other.symbol == "crown" for other in castle.guests)
    if power == "per-floor":
        return guest.points + castle.floors
    if power == "per-wall":
        return guest.points + castle.walls
    if power == "per-tower":
        return guest.points + len(castle.towers)
    if power == "per-flag":
        return guest.points + len(castle.flags)
    return guest.points


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
    rows = [
        ("towers", [score.towers for score in scores]),
        ("sun, cloud", [score.sky for score in scores]),
        ("residents", [score.residents for score in scores]),
        ("flags", [score.flags for score in scores]),
        ("guests", [score.guests for score in scores]),
        ("total", [score.total for score in scores]),
    ]
    width = max([2, *(len(name) + 1 for name in names)])
    head = [" " * 10 + "".join(f" {name:>{width}}" for name in names)] if names else []
    body = [f"{name:10}" + "".join(f" {n:>{width}}" for n in numbers) for name, numbers in rows]
    return "\n".join([*head, *body])
