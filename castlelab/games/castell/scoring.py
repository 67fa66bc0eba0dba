"""Who gets what: prizes and size tokens at a festival, and the points at the end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from castlelab.games.castell.box import Performance
from castlelab.games.castell.tower import Skills, Team, Tower

PRIZES = {"trophy": 5, "medal": 3, "ribbon": 1}
REGION_BONUS = (0, 0, 1, 3, 5, 7, 10, 14)  # for 0 to 7 regions (castell/final-score)
ACTION_TOKENS = 7


@dataclass(frozen=True)
class Player:
    """One player's area. Regions are given by their place in the box's list."""

    team: Team
    skills: Skills = Skills()
    pawn: int | None = None
    tokens: int = ACTION_TOKENS  # still available for special actions
    best: int = 0
    prizes: tuple[tuple[str, int], ...] = ()  # (prize, region)
    sizes: tuple[tuple[int, int], ...] = ()  # (size token, region)
    performances: tuple[Performance, ...] = ()
    collected: tuple[int, ...] = (0,) * 7  # action tokens collected at each region

    @property
    def regions(self) -> frozenset[int]:
        """The regions where something was earned."""
        return _earned_at(self.prizes, self.sizes, self.collected)


Earned = tuple[tuple[Any, int], ...]  # prizes or size tokens, each with the region it is from


def _earned_at(prizes: Earned, sizes: Earned, collected: tuple[int, ...]) -> frozenset[int]:
    earned = {region for _, region in prizes + sizes}
    return frozenset(earned | {r for r, number in enumerate(collected) if number})


@dataclass(frozen=True, slots=True)
class Festival:
    """A festival on the calendar: when, where, and the sizes that the tokens ask for."""

    round: int
    region: int
    wanted: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FestivalResult:
    """What came of a festival, by seat."""

    festival: Festival
    towers: dict[int, Tower]
    prizes: dict[int, str]
    tokens: tuple[int | None, ...]  # the seat that took each size token

    def __hash__(self) -> int:
        return hash((self.festival, tuple(self.towers.items())))


class Score(NamedTuple):
    """The points of one player by category (``castell/final-score``)."""

    tower: int
    regions: int
    prizes: int
    sizes: int
    performances: int

    @property
    def total(self) -> int:
        return sum(self)

    def __str__(self) -> str:
        return (
            f"best tower {self.tower} + regions {self.regions} + prizes {self.prizes} + "
            f"size tokens {self.sizes} + performances {self.performances} = {self.total}"
        )


def score(player: Player) -> Score:
    """What a player would have if the game ended now.

    >>> score(Player(Team(), best=18)).total
    18
    """
    earned = player.prizes, player.sizes, player.performances, player.collected
    return _score(player.best, *earned)


@lru_cache(maxsize=1 << 12)
def _score(
    best: int,
    prizes: Earned,
    sizes: Earned,
    performances: tuple[Performance, ...],
    collected: tuple[int, ...],
) -> Score:
    return Score(
        tower=best,
        regions=REGION_BONUS[len(_earned_at(prizes, sizes, collected))],
        prizes=sum(PRIZES[prize] for prize, _ in prizes),
        sizes=size_token_points([size for size, _ in sizes]),
        performances=sum(tile.points for tile in performances) + sum(collected),
    )


def size_token_points(sizes: list[int]) -> int:
    """Two points for each different size, one for each repeat.

    >>> size_token_points([9, 9, 9, 4])
    6
    """
    return len(sizes) + len(set(sizes))


def prizes_for(scores: Mapping[int, int]) -> dict[int, str]:
    """The prizes of a festival by seat (``castell/festival-prizes``).

    >>> prizes_for({0: 17, 1: 9, 2: 17})
    {0: 'medal', 2: 'medal', 1: 'ribbon'}
    """
    on_offer = tuple(PRIZES)[3 - min(len(scores), 3) :]
    won: dict[int, str] = {}
    place = 0
    for points in sorted(set(scores.values()), reverse=True):
        tied = [seat for seat, its in scores.items() if its == points]
        prize = place if len(tied) == 1 else place + 1
        if prize < len(on_offer):
            won.update(dict.fromkeys(tied, on_offer[prize]))
        place += len(tied)
    return won


def token_owners(wanted: tuple[int, ...], towers: Mapping[int, Tower]) -> tuple[int | None, ...]:
    """For each size token, the seat that takes it, or None (``castell/size-token``)."""
    owners: list[int | None] = []
    for size in wanted:
        most = max((tower.count(size) for tower in towers.values()), default=0)
        leaders = [seat for seat, tower in towers.items() if tower.count(size) == most]
        owners.append(leaders[0] if most and len(leaders) == 1 else None)
    return tuple(owners)
