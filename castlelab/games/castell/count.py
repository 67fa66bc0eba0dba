"""How many towers there are: by formula, by dynamic programming and one by one.

The dynamic programming walks up from the base. What may stand above a level depends on
little: its size and width, the ranks not yet spent, and the castellers left of the sizes
that may still be used, of whom more than could ever be used count as just enough. So an
astronomical number of towers folds into a few thousand states.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import comb, perm, sqrt
from typing import NamedTuple

from castlelab.chance import Chance
from castlelab.games.castell.parts import LESSER
from castlelab.games.castell.tower import (
    CASTELLERS,
    MAX_RANK,
    MAX_WIDTH,
    NO_SKILLS,
    SIZES,
    Level,
    Skills,
    Team,
    Tower,
    stands,
    widest_allowed,
)
from castlelab.rules import given, whole_number

WHOLE_BOX = Team.of([CASTELLERS // len(SIZES)] * len(SIZES))

_SMALLEST_MIX = min(LESSER)
_MOST_LEVELS = MAX_WIDTH + 3 * MAX_RANK  # each narrow width once; Width, Balance, Base add more
_GROUND = len(SIZES) + 1  # carries every size as if it were one size larger than all
_MOST = 1_000_000  # sizes, widths, builders or games: more would only take long
_MOST_TOWERS = 10**30

SomeSkills = Skills | str | None
SomeTeam = Team | str | None
Counts = tuple[int, ...]
_State = tuple[int, int, int, int, int, int, Counts]  # size, width, four ranks, castellers left


def vandermonde(max_width: int = MAX_WIDTH, sizes: int = len(SIZES)) -> int:
    """The number of towers of so many castellers at most in a level, without other skills.

    A tower of h levels is a choice of h sizes out of ten and of h widths, the largest of each
    at the base; Vandermonde's identity adds the products up. With as many sizes as widths it
    is https://oeis.org/A030662.

    >>> vandermonde(), vandermonde(max_width=4)
    (285, 1000)
    >>> [vandermonde(n, sizes=n) for n in range(1, 7)]
    [1, 5, 19, 69, 251, 923]
    """
    width = whole_number(max_width, "widths go", 0, 1000)
    return comb(whole_number(sizes, "sizes go", 0, 1000) + width, width) - 1


def count_towers(skills: SomeSkills = None, team: SomeTeam = None) -> int:
    """The exact number of legal towers, castellers of one size being alike.

    Without a team the whole box may be used: 15 castellers of every size. One rank more in
    all five skills at once takes some thirty times the work (21, 532, 17 899 states for the
    ranks 0, 1, 2), because with Strength and Mix more sizes must be remembered; rank 2 takes
    a second or two.

    >>> count_towers()
    285
    >>> count_towers("balance 1", team="10*2 9*2")
    7
    """
    return _census(_skills_or_none(skills), _team_or_box(team), 0) - 1


def count_by_height(skills: SomeSkills = None, team: SomeTeam = None) -> tuple[int, ...]:
    """The number of legal towers of 1, 2, 3, … levels, up to the tallest there is.

    >>> count_by_height()
    (30, 135, 120)
    """
    team = _team_or_box(team)
    # A level is one size or a pair, so there are at most as many levels to choose from as
    # there are pairs of castellers; a digit has room for that many choices at every height.
    digit = _MOST_LEVELS * (len(team) ** 2 + 1).bit_length()
    packed = _census(_skills_or_none(skills), team, digit) >> digit
    heights = []
    while packed:
        heights.append(packed & ((1 << digit) - 1))
        packed >>= digit
    return tuple(heights)


def mean_height(skills: SomeSkills = None, team: SomeTeam = None) -> Fraction:
    """How many levels a tower has on average, each legal tower as likely as the others.

    >>> mean_height()
    Fraction(44, 19)
    """
    counts = count_by_height(skills, team)
    return Fraction(sum(height * number for height, number in enumerate(counts, 1)), sum(counts))


def towers(skills: SomeSkills = None, team: SomeTeam = None) -> Iterator[Tower]:
    """Every legal tower, one by one: the plain search that the counts are checked against.

    >>> [str(tower) for tower in towers(team="9*2 8")]
    ['9', '9*2', '9*2 8', '8']
    """
    return _taller(Tower(), _skills_or_none(skills), _team_or_box(team))


def _taller(tower: Tower, skills: Skills, team: Team) -> Iterator[Tower]:
    """The legal towers that begin with this one: without its top, a tower still stands."""
    widest = tower.levels[-1].width if tower.levels else len(team)
    for level in _levels_of(team - tower.team):
        if level.width <= widest:
            taller = Tower.of((*tower.levels, level))
            if stands(taller, skills, team):
                yield taller
                yield from _taller(taller, skills, team)


def _levels_of(team: Team) -> Iterator[Level]:
    """Every level that these castellers can make, of one size or of two that Mix joins."""
    for size in reversed(SIZES):
        for count in range(1, team.count(size) + 1):
            yield Level(((size, count),))
            if lesser := LESSER.get(size):
                for lesser_count in range(1, team.count(lesser) + 1):
                    yield Level(((size, count), (lesser, lesser_count)))


# -- builders who think alike ------------------------------------------------------------------


def match_odds(builders: int, towers: int = vandermonde()) -> Fraction:
    """The chance that two builders or more build the same tower: the birthday problem.

    Each picks one of so many towers, all as likely. Nobody matches if the second avoids one
    tower, the third two, and so on: n (n − 1) (n − 2) … over n · n · n …

    >>> print(match_odds(2), match_odds(3, towers=5))
    1/285 13/25
    """
    number = whole_number(towers, "towers to choose from go", 1, _MOST_TOWERS)
    people = whole_number(builders, "builders go", 0, 100_000)
    return 1 - Fraction(perm(number, people), number**people)


def builders_for_match(towers: int = vandermonde()) -> int:
    """The fewest builders of whom two build the same tower as likely as not.

    It grows like the square root of the towers, see https://oeis.org/A033810. For a year of
    365 days it is the famous 23.

    >>> builders_for_match(), builders_for_match(365)
    (21, 23)
    """
    number = whole_number(towers, "towers to choose from go", 1, 10**8)
    different, every, builders = 1, 1, 0
    while 2 * different > every:
        different *= number - builders
        every *= number
        builders += 1
    return builders


class Share(NamedTuple):
    """The share of trials in which something happened, with its standard error."""

    share: float
    error: float


def simulate_match(
    builders: int, games: int = 1000, seed: int | str = 0, towers: int = vandermonde()
) -> Share:
    """How often two builders or more build the same tower, by letting them build.

    >>> found = simulate_match(20, games=500, seed=1)
    >>> abs(found.share - match_odds(20)) < 3 * found.error
    True
    """
    number = whole_number(towers, "towers to choose from go", 1, 2**64)
    people = whole_number(builders, "builders go", 0, _MOST)
    trials = whole_number(games, "games go", 1, _MOST)
    chance, matches = Chance.seeded(seed), 0
    for _ in range(trials):
        built: set[int] = set()
        for _ in range(people):
            tower, chance = chance.below(number)
            built.add(tower)
        matches += len(built) < people
    share = matches / trials
    return Share(share, sqrt(share * (1 - share) / trials))


# -- the dynamic programming -------------------------------------------------------------------


def _team_or_box(team: SomeTeam) -> Team:
    return WHOLE_BOX if team is None else given(Team, team)


def _skills_or_none(skills: SomeSkills) -> Skills:
    return given(Skills, skills or NO_SKILLS)


def states_visited(skills: SomeSkills = None, team: SomeTeam = None) -> int:
    """How many states the count folds all towers into: a measure of its work.

    >>> states_visited()
    21
    """
    skills = _skills_or_none(skills)
    census = _Census(widest_allowed(skills), 0)
    census.from_ground(skills, _team_or_box(team))
    return len(census.above_level)


@lru_cache(maxsize=256)
def _census(skills: Skills, team: Team, digit: int) -> int:
    """The towers, the empty one included, as a polynomial in the height, evaluated at 2**digit.

    At 1 that is their number; at a power of two beyond every coefficient the coefficients
    stand side by side in the binary digits.
    """
    return _Census(widest_allowed(skills), digit).from_ground(skills, team)


class _Census:
    """Counts what may stand on a level, remembering every state it has met."""

    def __init__(self, widest: int, digit: int) -> None:
        self.widest = widest
        self.digit = digit
        self.above_level: dict[_State, int] = {}
        self.with_level: dict[_State, int] = {}
        self.usable = lru_cache(maxsize=None)(self._usable)

    def from_ground(self, skills: Skills, team: Team) -> int:
        """The ways to build anything at all, nothing included."""
        ranks = skills.balance, skills.base, skills.mix, skills.strength
        return self.above(_GROUND, len(team) + 1, *ranks, team.counts)

    def above(
        self, size: int, width: int, balance: int, base: int, mix: int, strength: int, left: Counts
    ) -> int:
        """The ways to go on above a level, stopping included, with what is left to spend."""
        if width <= self.widest:
            base = 0  # no level above can be wide
        elif not base:
            width = self.widest + 1  # however wide it is, all above are narrow
        if width == 1:
            if not balance:
                return 1
            mix = 0
        largest = min(size - 1 + strength, len(SIZES))
        if largest < _SMALLEST_MIX:
            mix = 0
        usable = self.usable(size, width, balance, base, mix, strength)
        left = tuple(map(min, left, usable))
        state = size, width, balance, base, mix, strength, left
        ways = self.above_level.get(state)
        if ways is None:
            ways = 1
            for upper in range(1, largest + 1):
                if left[upper - 1]:
                    spent = max(0, upper - size + 1)
                    ways += self.level(upper, width, balance, base, mix, strength - spent, left)
            self.above_level[state] = ways
        return ways

    def level(
        self, size: int, below: int, balance: int, base: int, mix: int, strength: int, left: Counts
    ) -> int:
        """The ways to go on with a level of this size on one of width ``below``."""
        usable = self.usable(size, below, balance, base, mix, strength, own=True)
        left = tuple(map(min, left, usable))
        state = size, below, balance, base, mix, strength, left
        ways = self.with_level.get(state)
        if ways is None:
            ways = 0
            own = left[size - 1]
            lesser = LESSER.get(size, 0) if mix else 0
            other = left[lesser - 1] if lesser else 0
            widest = min(below if balance else below - 1, own + other)
            if not base:
                widest = min(widest, self.widest)
            for width in range(1, widest + 1):
                ranks = size, width, balance - (width == below), base - (width > self.widest)
                if width <= own:
                    rest = _without(left, size, width)
                    ways += self.above(*ranks, mix, strength, rest)
                for count in range(max(1, width - other), min(width - 1, own) + 1):
                    rest = _without(_without(left, size, count), lesser, width - count)
                    ways += self.above(*ranks, mix - 1, strength, rest)
            ways <<= self.digit
            self.with_level[state] = ways
        return ways

    def _usable(
        self,
        size: int,
        width: int,
        balance: int,
        base: int,
        mix: int,
        strength: int,
        own: bool = False,
    ) -> Counts:
        """How many castellers of each size could at most be used above a level of that width.

        Its size is given, or, as ``own``, the size of the level that comes next.
        """
        widths = _widest_above(width, balance, base, self.widest)
        caps = []
        for upper in SIZES:
            # To climb to a size costs Strength, and so does every return to it; only once
            # may it also come for nothing, as the lesser part of a mixed level.
            climb = 0 if own and upper == size else max(0, upper - size + 1)
            levels = max(0, strength + 1 - climb)
            if levels and mix and upper in LESSER.values():
                levels += 1
            caps.append(sum(widths[:levels]))
        return tuple(caps)


def _without(counts: Counts, size: int, number: int) -> Counts:
    """The counts after so many castellers of a size have left."""
    return (*counts[: size - 1], counts[size - 1] - number, *counts[size:])


def _widest_above(width: int, balance: int, base: int, widest: int) -> list[int]:
    """The greatest widths that levels above one of this width can have, lowest first."""
    widths: list[int] = []
    while True:
        if balance and (width <= widest or base):
            balance -= 1
        else:
            width -= 1
        if width > widest:
            if base:
                base -= 1
            else:
                width = widest
        if width < 1:
            return widths
        widths.append(width)
