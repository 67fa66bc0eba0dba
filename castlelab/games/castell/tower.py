"""Castellers, teams, skills and towers, and the rules by which a tower stands.

A tower is read from the base up. A level is a multiset of castellers; a mixed level
behaves like a level of its larger size, seen from below and from above alike
(``castell/mix``), so the rules need only look at each level's ``size`` and ``width``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from operator import add, ge, sub
from typing import TYPE_CHECKING, Any, NamedTuple

from castlelab.rules import (
    LEGAL,
    Breach,
    NotationError,
    Verdict,
    counted,
    given,
    quoted,
    rulebook,
)
from castlelab.system.packages import widget

if TYPE_CHECKING:
    from castlelab.draw.scene import Scene

SIZES = range(1, 11)
MAX_RANK = 5
MAX_WIDTH = 3
CASTELLERS = 150  # in the whole box; no level, team or tower can hold more
MIXES = ((10, 9), (8, 7), (6, 5), (4, 3))  # pairs of one height
SKILLS = ("balance", "base", "mix", "strength", "width")
SKILL_LETTERS = {"balance": "Ba", "base": "Bs", "mix": "Mx", "strength": "St", "width": "Wi"}

RULES = rulebook("castell")
_LONGEST_TEXT = 2_000
_NOTHING = "no skills"
LevelParts = tuple[tuple[int, int], ...]
_PART = re.compile(r"([0-9]{1,3})(?:\*([0-9]{1,3}))?")


def _read_part(text: str, whole: str, thing: str) -> tuple[int, int]:
    """One ``9*3`` of a tower or a team: the size and how many."""
    match = _PART.fullmatch(text)
    if match is None:
        raise NotationError(
            f"cannot read {quoted(text)} in the {thing} {quoted(whole)}: "
            "write a size, or size*count such as 9*3"
        )
    size, count = int(match[1]), int(match[2] or 1)
    if size not in SIZES:
        raise NotationError(f"size {size} in the {thing} {quoted(whole)}: sizes go from 1 to 10")
    if not 1 <= count <= CASTELLERS:
        raise NotationError(
            f"{count} castellers of size {size} in the {thing} {quoted(whole)}: "
            f"the count goes from 1 to {CASTELLERS}"
        )
    return size, count


def _check_text(text: object, thing: str) -> str:
    if not isinstance(text, str):
        raise NotationError(f"a {thing} is written as text, not {quoted(text)}")
    if len(text) > _LONGEST_TEXT:
        raise NotationError(f"a {thing} of {len(text)} characters is too long to be real")
    return text


def _write_parts(parts: Iterable[tuple[int, int]], join: str) -> str:
    return join.join(str(size) if count == 1 else f"{size}*{count}" for size, count in parts)


@dataclass(frozen=True, slots=True, init=False)
class Team:
    """A multiset of castellers: ``counts[s - 1]`` of them have size s.

    >>> team = Team("10*2 9*4 8*3")
    >>> team.count(9), len(team), str(team)
    (4, 9, '10*2 9*4 8*3')
    """

    counts: tuple[int, ...]

    def __init__(self, text: str = "") -> None:
        counts = [0] * 10
        for part in _check_text(text, "team").split():
            size, count = _read_part(part, text, "team")
            counts[size - 1] += count
        if sum(counts) > CASTELLERS:
            raise NotationError(f"a team of {sum(counts)}: the box holds {CASTELLERS} castellers")
        object.__setattr__(self, "counts", tuple(counts))

    @staticmethod
    def of(counts: Iterable[int]) -> Team:
        """A team from its ten counts, size 1 first."""
        found = tuple(counts)
        if len(found) != 10 or min(found) < 0:
            raise NotationError(f"a team has ten counts of 0 or more, not {found}")
        team = object.__new__(Team)
        object.__setattr__(team, "counts", found)
        return team

    def count(self, size: int) -> int:
        """How many castellers of a size."""
        return self.counts[size - 1]

    def __len__(self) -> int:
        return sum(self.counts)

    def __iter__(self) -> Iterator[int]:
        """The sizes, largest first, each as often as it is there."""
        for size in reversed(SIZES):
            yield from [size] * self.counts[size - 1]

    def __add__(self, other: Team) -> Team:
        return Team.of(map(add, self.counts, other.counts))

    def __sub__(self, other: Team) -> Team:
        return Team.of(map(sub, self.counts, other.counts))

    def __ge__(self, other: Team) -> bool:
        """Whether the other team is part of this one."""
        return all(map(ge, self.counts, other.counts))

    def __str__(self) -> str:
        pairs = [(size, self.counts[size - 1]) for size in reversed(SIZES)]
        return _write_parts([pair for pair in pairs if pair[1]], " ")

    def __repr__(self) -> str:
        return f"Team({str(self)!r})"


@dataclass(frozen=True, slots=True)
class Skills:
    """The ranks, 0 to 5, of the five skills, by name or as text.

    >>> Skills("balance 1, width 2")
    Skills(balance=1, width=2)
    """

    balance: int = 0
    base: int = 0
    mix: int = 0
    strength: int = 0
    width: int = 0

    if TYPE_CHECKING:  # the fields do not say that a text will do

        def __init__(
            self,
            balance: int | str = 0,
            base: int = 0,
            mix: int = 0,
            strength: int = 0,
            width: int = 0,
        ) -> None: ...

    def __post_init__(self) -> None:
        for name in SKILLS:
            rank = getattr(self, name)
            if rank.__class__ is not int or not 0 <= rank <= MAX_RANK:
                self._read(name, rank)

    def _read(self, name: str, rank: object) -> None:
        """Become what a text says, if there is nothing but a text."""
        if not isinstance(rank, str) or any(getattr(self, skill) for skill in SKILLS[1:]):
            raise NotationError(f"{name} rank {rank!r}: a rank is a whole number from 0 to 5")
        read = Skills(**_read_ranks(rank))
        for skill in SKILLS:
            object.__setattr__(self, skill, getattr(read, skill))

    @staticmethod
    def parse(text: str) -> Skills:
        """Read what ``str`` writes: ``balance 1, width 2``; nothing means no skill."""
        return Skills(_check_text(text, "list of skills"))

    def rank(self, skill: str) -> int:
        """The rank of a skill by its name."""
        if skill not in SKILLS:
            raise NotationError(f"no skill {quoted(skill)}; the skills are {', '.join(SKILLS)}")
        return int(getattr(self, skill))

    def raised(self, skill: str) -> Skills:
        """The same with one skill a rank higher."""
        return replace(self, **{skill: self.rank(skill) + 1})

    def covers(self, needed: Skills) -> bool:
        """Whether every rank is at least the needed one."""
        # Written out, because searches ask it all the time.
        return (
            self.balance >= needed.balance
            and self.base >= needed.base
            and self.mix >= needed.mix
            and self.strength >= needed.strength
            and self.width >= needed.width
        )

    def __str__(self) -> str:
        return ", ".join(f"{name} {rank}" for name, rank in self._owned()) or _NOTHING

    def __repr__(self) -> str:
        return f"Skills({', '.join(f'{name}={rank}' for name, rank in self._owned())})"

    def _owned(self) -> list[tuple[str, int]]:
        return [(name, rank) for name in SKILLS if (rank := getattr(self, name))]


NO_SKILLS = Skills()


def _read_ranks(text: str) -> dict[str, int]:
    """The ranks in a list of skills, by skill."""
    ranks = dict.fromkeys(SKILLS, 0)
    for part in map(str.strip, _check_text(text, "list of skills").split(",")):
        if part in ("", _NOTHING):
            continue
        match = re.fullmatch(r"([A-Za-z]+)\s*([0-9])", part)
        if match is None or match[1].lower() not in SKILLS:
            raise NotationError(
                f"cannot read {quoted(part)}: write a skill and its rank such as "
                f"'balance 1'; the skills are {', '.join(SKILLS)}"
            )
        ranks[match[1].lower()] = int(match[2])
    return ranks


@dataclass(frozen=True, slots=True, init=False)
class Level:
    """One level: (size, count) pairs, the larger size first, or its text.

    >>> Level("9*2+10")
    Level('10+9*2')
    """

    parts: LevelParts

    def __init__(self, parts: LevelParts | str) -> None:
        if type(parts) is str:
            parts = _read_level(parts, parts)
        object.__setattr__(self, "parts", parts)

    @staticmethod
    def of(castellers: Iterable[int]) -> Level:
        """The level made of these castellers, given by their sizes."""
        return Level(tuple(sorted(Counter(castellers).items(), reverse=True)))

    @property
    def width(self) -> int:
        """How many castellers stand in it."""
        return sum(count for _, count in self.parts)

    @property
    def size(self) -> int:
        """The size that counts: of a mixed level the larger, for both its neighbours."""
        return self.parts[0][0]

    @property
    def mixed(self) -> bool:
        return len(self.parts) > 1

    @property
    def mixable(self) -> bool:
        """Whether its sizes may stand together by Mix."""
        return tuple(size for size, _ in self.parts) in MIXES

    def count(self, size: int) -> int:
        """How many castellers of a size are in it."""
        return dict(self.parts).get(size, 0)

    def __iter__(self) -> Iterator[int]:
        """The castellers' sizes, larger first."""
        for size, count in self.parts:
            yield from [size] * count

    def __str__(self) -> str:
        return _write_parts(self.parts, "+")

    def __repr__(self) -> str:
        return f"Level({str(self)!r})"


def _read_level(text: str, whole: str) -> LevelParts:
    """The parts of a level such as ``10+9*2``, as part of a whole text."""
    counts: Counter[int] = Counter()
    for word in _check_text(text, "level").split("+"):
        size, count = _read_part(word.strip(), whole, "tower")
        counts[size] += count
    return tuple(sorted(counts.items(), reverse=True))


@dataclass(frozen=True, init=False)
class Tower:
    """Levels from the base up, legal or not.

    >>> tower = Tower("10+9*2 8*3")
    >>> tower.height, tower.widths, tower.levels[0].mixed
    (2, (3, 3), True)
    >>> Tower(str(tower)) == tower
    True
    """

    levels: tuple[Level, ...]

    def __init__(self, text: str = "") -> None:
        words = _check_text(text, "tower").split()
        levels = [Level(_read_level(word, text)) for word in words]
        if sum(level.width for level in levels) > CASTELLERS:
            raise NotationError(f"the tower {quoted(text)} needs more than {CASTELLERS} castellers")
        object.__setattr__(self, "levels", tuple(levels))

    @staticmethod
    def of(levels: Iterable[Level]) -> Tower:
        """The tower of these levels, base first."""
        tower = object.__new__(Tower)
        object.__setattr__(tower, "levels", tuple(levels))
        return tower

    @property
    def height(self) -> int:
        return len(self.levels)

    @property
    def widths(self) -> tuple[int, ...]:
        """The silhouette: castellers per level."""
        return tuple(level.width for level in self.levels)

    @cached_property
    def team(self) -> Team:
        """The castellers who stand in it."""
        counts = [0] * 10
        for level in self.levels:
            for size, count in level.parts:
                counts[size - 1] += count
        return Team.of(counts)

    def count(self, size: int) -> int:
        """How many castellers of a size stand in it."""
        return self.team.count(size)

    def __str__(self) -> str:
        return " ".join(map(str, self.levels))

    def __repr__(self) -> str:
        return f"Tower({str(self)!r})"

    def edit(self, team: Team | str | None = None, **options: Any) -> Any:
        """An editor in a notebook that begins with this tower: ``TowerEditor(team, tower=…)``.

        Without a team there are three of every size, and whoever stands in the tower.
        """
        if team is None:
            team = Team.of(max(3, count) for count in self.team.counts)
        return widget("TowerEditor", team, tower=self, **options)

    def picture(self) -> Scene:
        """The tower as a scene."""
        from castlelab.games.castell.picture import tower_scene  # most towers are never drawn

        return tower_scene(self)

    def _repr_svg_(self) -> str:
        from castlelab.draw.svg import still

        return still(self.picture())


@dataclass(frozen=True, slots=True)
class SkillUse:
    """A skill spent on one level (numbered from 1 at the base)."""

    skill: str
    level: int
    times: int = 1

    def __str__(self) -> str:
        times = f" ×{self.times}" if self.times > 1 else ""
        return f"{self.skill.title()}{times} on level {self.level}"


def strength_spent(below: Level, above: Level) -> int:
    """How often Strength must help the lower level carry the upper (``castell/strength``).

    >>> strength_spent(*Tower("5*2 5*2").levels), strength_spent(*Tower("5*2 6").levels)
    (1, 2)
    """
    return max(0, above.size - below.size + 1)


def widest_allowed(skills: Skills) -> int:
    """The maximum width of a level without Base (``castell/max-width``, ``castell/width``)."""
    return MAX_WIDTH + skills.width


def uses_by_level(tower: Tower, width: int = 0) -> tuple[SkillUse, ...]:
    """What the tower spends, level by level, if Width has that rank; Base covers the rest."""
    uses = []
    for number, level in enumerate(tower.levels, start=1):
        if number > 1:
            below = tower.levels[number - 2]
            if level.width == below.width:
                uses.append(SkillUse("balance", number))
            if strength := strength_spent(below, level):
                uses.append(SkillUse("strength", number - 1, strength))
        if level.mixed:
            uses.append(SkillUse("mix", number))
        if level.width > MAX_WIDTH + width:
            uses.append(SkillUse("base", number))
    return tuple(uses)


def _needs(tower: Tower, width: int) -> Skills | None:
    """The exact ranks needed if Width is used so often, or None if no rank would do."""
    totals = dict.fromkeys(SKILLS, 0)
    for use in uses_by_level(tower, width):
        totals[use.skill] += use.times
    totals["width"] = width
    return Skills(**totals) if max(totals.values()) <= MAX_RANK else None


def skill_uses(tower: Tower | str) -> tuple[Skills, ...]:
    """The minimal skills that make a tower legal: several where Base and Width trade.

    Nothing is returned for a tower that no skill can save.

    >>> skill_uses("9*4 8*2 7")
    (Skills(width=1), Skills(base=1))
    """
    return _skill_uses(given(Tower, tower))


@lru_cache(maxsize=4096)
def _skill_uses(tower: Tower) -> tuple[Skills, ...]:
    if not tower.levels or any(level.mixed and not level.mixable for level in tower.levels):
        return ()
    widths = tower.widths
    if any(upper > lower for lower, upper in pairwise(widths)):
        return ()
    # Only widths that some level has can be worth training Width for.
    ranks = {0} | {w - MAX_WIDTH for w in widths if 0 < w - MAX_WIDTH <= MAX_RANK}
    options = [needed for rank in ranks if (needed := _needs(tower, rank)) is not None]
    minimal = [
        one for one in options if not any(other != one and one.covers(other) for other in options)
    ]
    return tuple(sorted(minimal, key=lambda s: (s.base, s.width)))


def stands(tower: Tower, skills: Skills, team: Team | None = None) -> bool:
    """Whether ``check`` has nothing to say against a tower: the same rules in a hurry.

    >>> stands(Tower("9*3 8*2 7"), Skills()), stands(Tower("9*3 8*3"), Skills())
    (True, False)
    """
    if not tower.levels:
        return False
    balance, base, mix, strength = skills.balance, skills.base, skills.mix, skills.strength
    widest = widest_allowed(skills)
    width, size = CASTELLERS + 1, len(SIZES) + 1  # the ground carries everybody
    for level in tower.levels:
        here = level.width
        if here >= width:
            if here > width:
                return False
            balance -= 1
        if here > widest:
            base -= 1
        if level.mixed:
            if not level.mixable:
                return False
            mix -= 1
        if level.size >= size:
            strength -= level.size - size + 1
        width, size = here, level.size
    return min(balance, base, mix, strength) >= 0 and (team is None or team >= tower.team)


def check(
    tower: Tower | str,
    skills: Skills | str | None = None,
    team: Team | str | None = None,
    goal: Callable[[Tower], bool] | None = None,
) -> Verdict:
    """Whether a tower may stand, with every breach explained.

    Breaches carry the towers that would mend them. ``goal`` tells a tower that is good for what
    is to be reached: then a mend also reaches it, or can be built up to one that does.

    >>> verdict = check("9*3 8*3")
    >>> print(verdict)
    Level 2 has 3 castellers, as many as level 1 below it. Use at most 2 there, or have \
Balance rank 1. [castell/level-shrinks]
    >>> [str(tower) for tower in verdict.breaches[0].mends]
    ['9*3 8*2', '9*3 8']
    >>> bool(check("9*3 8*3", skills="balance 1"))
    True
    """
    tower, skills = given(Tower, tower), given(Skills, skills or NO_SKILLS)
    team = None if team is None else given(Team, team)
    if stands(tower, skills, team):
        return LEGAL
    if not tower.levels:
        return Verdict((_no_level_yet(team, goal),))
    from castlelab.games.castell.mend import mended  # only needed on the way to a refusal

    return Verdict(tuple(mended(tower, flaws(tower, skills, team), skills, team, goal)))


def _no_level_yet(team: Team | None, goal: Callable[[Tower], bool] | None) -> Breach:
    sizes = SIZES if team is None else [size for size in SIZES if team.count(size)]
    alone = [Tower(str(size)) for size in reversed(sizes)]
    mend = "Put at least one casteller on the ground."
    mends = () if goal else tuple(alone[:1])
    return RULES.breach("castell/tower-stands", "There is no level yet.", (), mend, mends)


class Flaw(NamedTuple):
    """Something that keeps a tower from standing, and what is known of how to mend it."""

    rule: str
    message: str
    levels: tuple[int, ...]  # where, numbered from 1 at the base
    kind: str  # what is wrong there: "width", "size", "mix" or "team"
    ranks: tuple[tuple[str, int], ...] = ()  # each alone would allow it
    note: str = ""


def flaws(tower: Tower, skills: Skills, team: Team | None = None) -> list[Flaw]:
    """All that keeps a tower of some levels from standing, from the base up."""
    found = [
        *_check_sizes(tower, skills),
        *_check_widths(tower, skills),
        *_check_carrying(tower, skills),
        *_check_max_width(tower, skills),
    ]
    if team is not None:
        found += _check_team(tower, team)
    return sorted(found, key=lambda flaw: min(flaw.levels))


def level_name(number: int) -> str:
    """What a level is called in breaches and pictures."""
    return f"level {number}"


def _check_sizes(tower: Tower, skills: Skills) -> Iterator[Flaw]:
    """``castell/level-one-size`` and ``castell/mix``."""
    mixed = 0
    for number, level in enumerate(tower.levels, start=1):
        if not level.mixed:
            continue
        sizes = " and ".join(str(size) for size, _ in level.parts)
        if not level.mixable:
            rule = "castell/mix" if skills.mix else "castell/level-one-size"
            message = f"Level {number} has the sizes {sizes}."
            note = "Mix joins only 10/9, 8/7, 6/5 or 4/3"
            yield Flaw(rule, message, (number,), "mix", note=note)
            continue
        mixed += 1
        if mixed > skills.mix:
            message = f"Level {number} mixes the sizes {sizes}."
            yield Flaw("castell/level-one-size", message, (number,), "mix", (("mix", mixed),))


def _check_widths(tower: Tower, skills: Skills) -> Iterator[Flaw]:
    """``castell/level-shrinks`` and ``castell/balance``."""
    rule, equal = "castell/level-shrinks", 0
    for number, (below, here) in enumerate(pairwise(tower.widths), start=2):
        has = f"Level {number} has {counted(here, 'casteller')}"
        if here > below:
            message = f"{has}, more than the {below} of level {number - 1} below it."
            note = "no skill allows more than below"
            yield Flaw(rule, message, (number,), "width", note=note)
        elif here == below:
            equal += 1
            if equal > skills.balance:
                message = f"{has}, as many as level {number - 1} below it."
                yield Flaw(rule, message, (number,), "width", (("balance", equal),))


def _check_carrying(tower: Tower, skills: Skills) -> Iterator[Flaw]:
    """``castell/level-smaller`` and ``castell/strength``."""
    spent = 0
    for number, (below, here) in enumerate(pairwise(tower.levels), start=2):
        needed = strength_spent(below, here)
        spent += needed
        if needed and spent > skills.strength:
            message = f"Level {number} has size {here.size} on size {below.size}."
            ranks = (("strength", spent),)
            yield Flaw("castell/level-smaller", message, (number,), "size", ranks)


def _check_max_width(tower: Tower, skills: Skills) -> Iterator[Flaw]:
    """``castell/max-width``, ``castell/width`` and ``castell/base``."""
    widest = widest_allowed(skills)
    covered = 0
    for number, level in enumerate(tower.levels, start=1):
        if level.width <= widest:
            continue
        covered += 1
        if covered > skills.base:
            has = f"Level {number} has {counted(level.width, 'casteller')}"
            message = f"{has}; the maximum width is {widest}."
            ranks = (("width", level.width - MAX_WIDTH), ("base", covered))
            yield Flaw("castell/max-width", message, (number,), "width", ranks)


def _check_team(tower: Tower, team: Team) -> Iterator[Flaw]:
    """``castell/own-castellers``: a flaw for each size that the team is short of."""
    for size in reversed(SIZES):
        wanted, there = tower.count(size), team.count(size)
        if wanted > there:
            levels = tuple(
                number for number, level in enumerate(tower.levels, start=1) if level.count(size)
            )
            message = f"The tower uses {wanted} of size {size}; the team has {there}."
            yield Flaw("castell/own-castellers", message, levels, "team")


FESTIVAL_LEVELS = 4


def festival_score(tower: Tower | str, wanted: Iterable[int] = ()) -> int:
    """What a tower scores where these size tokens lie (``castell/festival-score``).

    >>> festival_score("9*4 8*2 7*2 6 3*2 2", wanted=(9, 3))
    12
    """
    tower = given(Tower, tower)
    return tower.height + sum(tower.count(size) for size in wanted)


def check_entry(tower: Tower, wanted: Iterable[int] = ()) -> Verdict:
    """Whether a tower that stands may enter a festival (``castell/festival-entry``)."""
    rule, breaches = "castell/festival-entry", []
    if (missing := FESTIVAL_LEVELS - tower.height) > 0:
        told = f"The tower has {tower.height} of the {FESTIVAL_LEVELS} levels"
        told = f"{told} that a festival asks for."
        breaches.append(RULES.breach(rule, told, mend=f"Add {missing} more."))
    for size in sorted(set(wanted), reverse=True):
        if not tower.count(size):
            told = f"Nobody of size {size} stands in the tower."
            mend = f"Build in at least one casteller of size {size}."
            breaches.append(RULES.breach(rule, told, mend=mend))
    return Verdict(tuple(breaches))
