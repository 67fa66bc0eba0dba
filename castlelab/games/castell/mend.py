"""What would put a tower right: first at the level that is wrong, else as near to it as can be.

Every mend is a tower that was tried out. It stands, and where something is to be reached with
it, a ``goal``, it has reached that or can still be built up to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from heapq import heappop, heappush
from itertools import combinations, count
from typing import NamedTuple

from castlelab.game import changed_at
from castlelab.games.castell.tower import (
    CASTELLERS,
    MAX_RANK,
    RULES,
    SIZES,
    Flaw,
    Level,
    Skills,
    Team,
    Tower,
    level_name,
    stands,
    widest_allowed,
)
from castlelab.rules import Breach, either, listed

TowerGoal = Callable[[Tower], bool]
LevelPlan = tuple[Level | None, ...]  # what becomes of each level; None: it is taken off

_BOX = Team.of([CASTELLERS // len(SIZES)] * len(SIZES))
_SEARCHED = 2_500  # parts of towers that are looked at on the way to the nearest ones
_ASKED = 60  # towers whose goal is asked after
_BUILT_UP = 250  # levels that are tried on top of a mend
_LEVELS = 8  # of which some are taken off if too much is wrong
_CHANGE, _OFF = 3, 6  # what it costs to touch a level, or to lose it, in castellers


def mended(
    tower: Tower, flaws: Iterable[Flaw], skills: Skills, team: Team | None, goal: TowerGoal | None
) -> Iterator[Breach]:
    """Each flaw as a breach with the towers that mend it and a sentence made from them."""
    right = _Right(skills, team, goal)
    nearest = cache(lambda: right.nearest(tower))
    for flaw in flaws:
        at = flaw.levels[0] - 1
        mends = {
            Tower.of(changed_at(tower.levels, at, level)): level for level in _instead(tower, flaw)
        }
        if found := [each for each in mends if right.is_right(each)]:
            words = _level_words(flaw, [mends[each] for each in found])
        elif plan := nearest():
            found, words = [_built(plan)], _plan_words(tower, plan, flaw)
        else:
            words = ""
        ranks = _helpful(tower, flaw, skills, team) if goal is None or goal(tower) else []
        where, mend = tuple(map(level_name, flaw.levels)), _sentence(words, ranks, flaw.note)
        yield RULES.breach(flaw.rule, flaw.message, where, mend, tuple(found))


def _built(plan: LevelPlan) -> Tower:
    return Tower.of(level for level in plan if level is not None)


class _Right(NamedTuple):
    """What a mend has to be: legal, and of use for what is to be reached."""

    skills: Skills
    team: Team | None
    goal: TowerGoal | None

    def is_right(self, tower: Tower) -> bool:
        return stands(tower, self.skills, self.team) and self._leads_on(tower)

    def _leads_on(self, tower: Tower) -> bool:
        """Whether the goal is reached, or can be by building higher."""
        if self.goal is None or self.goal(tower):
            return True
        parts = [tower]
        for _ in range(_BUILT_UP):
            if not parts:
                break
            part = parts.pop()
            if part is not tower and self.goal(part):
                return True
            parts += self._higher(part)
        return False

    def _higher(self, tower: Tower) -> list[Tower]:
        """The tower with one level more, the largest and widest last."""
        left = (self.team or _BOX) - tower.team
        below = tower.levels[-1].width
        levels = [Level(((s, w),)) for s in SIZES for w in range(1, min(below, left.count(s)) + 1)]
        higher = (Tower.of((*tower.levels, level)) for level in levels)
        return [each for each in higher if stands(each, self.skills, self.team)]

    # -- the nearest towers ----------------------------------------------------------------

    def nearest(self, tower: Tower) -> LevelPlan | None:
        """A plan that makes a tower right and changes least; None where none was found."""
        return self._cheapest(tower) or self._remains(tower)

    def _cheapest(self, tower: Tower) -> LevelPlan | None:
        """Level by level from the base, always going on with what has cost least.

        One level may mend another that is wrong, so none can be judged by itself. What may
        become of a level is tried in the order of its cost, the next only after the one before.
        """
        widest = widest_allowed(self.skills)
        team = self.team or _BOX
        above = range(tower.height - 1, -1, -1)
        options = [_options(*one, team) for one in zip(tower.levels, above, strict=True)]
        ranks = self.skills.balance, self.skills.base, self.skills.mix, self.skills.strength
        start = _Part(11, CASTELLERS + 1, ranks, team.counts, ())
        order = count()
        queue = [(0.0, next(order), start, 0)]
        seen: set[tuple[object, ...]] = set()
        asked = 0
        for _ in range(_SEARCHED):
            if not queue or asked > _ASKED:
                break
            cost, _, part, at = heappop(queue)
            here = options[len(part.plan)]
            if at + 1 < len(here):
                more = here[at + 1].price - here[at].price
                heappush(queue, (cost + more, next(order), part, at + 1))
            longer = part.with_option(here[at], widest)
            if longer is None:
                continue
            if len(longer.plan) == len(options):
                asked += 1
                if longer.size in SIZES and self._leads_on(_built(longer.plan)):
                    return longer.plan
                continue
            state = (len(longer.plan), *longer[:-1])
            if state not in seen:
                seen.add(state)
                heappush(queue, (cost, next(order), longer, 0))
        return None

    def _remains(self, tower: Tower) -> LevelPlan | None:
        """The tower without some of its levels: the first way that leaves it right.

        The last resort is somebody of the base, alone.
        """
        levels = tower.levels[:_LEVELS]
        off: LevelPlan = (None,) * (tower.height - len(levels))
        for number in range(1, len(levels) + 1):
            for gone in combinations(reversed(range(len(levels))), number):
                plan = *(None if at in gone else one for at, one in enumerate(levels)), *off
                if self.is_right(_built(plan)):
                    return plan
        others: LevelPlan = (None,) * (tower.height - 1)
        alone = ((Level(((size, 1),)), *others) for size in levels[0])
        return next((plan for plan in alone if self.is_right(_built(plan))), None)


class _Option(NamedTuple):
    """What may become of a level, and what it costs."""

    price: float
    level: Level | None  # None: it is taken off
    width: int = 0
    size: int = 0
    mixed: bool = False


class _Part(NamedTuple):
    """The lower levels of a mend, and what is left for those above."""

    size: int
    width: int
    ranks: tuple[int, ...]  # of Balance, Base, Mix and Strength
    left: tuple[int, ...]
    plan: LevelPlan

    def with_option(self, option: _Option, widest: int) -> _Part | None:
        """The part with the next level as an option has it, or None if that cannot stand."""
        _, level, width, size, mixed = option
        if level is None:
            return self._replace(plan=(*self.plan, None))
        balance, base, mix, strength = self.ranks
        ranks = (
            balance - (width == self.width),
            base - (width > widest),
            mix - mixed,
            strength - max(0, size - self.size + 1),
        )
        if width > self.width or min(ranks) < 0:
            return None
        left = list(self.left)
        for each, number in level.parts:
            left[each - 1] -= number
            if left[each - 1] < 0:
                return None
        return _Part(size, width, ranks, tuple(left), (*self.plan, level))


def _options(level: Level, above: int, team: Team) -> list[_Option]:
    """What may become of a level, the cheapest first: nothing, another one, or gone.

    Of two levels that could go, the upper one is easier to take off.
    """
    width = level.width
    others = [Level(((s, w),)) for s in SIZES for w in range(1, min(width + 2, team.count(s)) + 1)]
    if not level.mixed or level.mixable:
        others += [level, *_narrower(level)]
    found = [_Option(_OFF + width + above / CASTELLERS, None)]
    for other in dict.fromkeys(others):
        stay = sum(min(number, level.count(size)) for size, number in other.parts)
        price = 0 if other == level else _CHANGE + max(width, other.width) - stay
        found.append(_Option(price, other, other.width, other.size, other.mixed))
    return sorted(found, key=lambda option: (option.price, -option.width, -option.size))


# -- the level that is wrong -------------------------------------------------------------------


def _instead(tower: Tower, flaw: Flaw) -> list[Level]:
    """What a level could be instead, the most like it first."""
    if len(flaw.levels) > 1:
        return []
    level = tower.levels[flaw.levels[0] - 1]
    match flaw.kind:
        case "size":
            return [Level(((size, level.width),)) for size in range(level.size - 1, 0, -1)]
        case "mix":
            whole = [Level(((size, level.width),)) for size, _ in level.parts]
            return [*whole, *(Level((part,)) for part in level.parts)]
        case _:  # it is too wide, or somebody is not there
            return _narrower(level)


def _narrower(level: Level) -> list[Level]:
    """The level with one casteller off, two off, …; a mixed one stays so as long as it can."""
    found, people = [], list(level)
    while len(people) > 1:
        smallest = people[-1]
        people.remove(smallest if people.count(smallest) > 1 or len(people) < 3 else people[0])
        found.append(Level.of(people))
    return found


def _level_words(flaw: Flaw, found: Sequence[Level]) -> str:
    """The levels that would do, together."""
    by_width = flaw.kind not in ("size", "mix")
    numbers = sorted({level.width if by_width else level.size for level in found}, reverse=True)
    told = either(map(str, numbers))
    if flaw.kind == "mix":
        return f"Use only size {told} there"
    if numbers == [*range(len(numbers), 0, -1)] and len(numbers) > 1:
        return (
            f"Use at most {numbers[0]} there"
            if by_width
            else f"Use size {numbers[0]} or smaller there"
        )
    return f"Use {told} there" if by_width else f"Use size {told} there"


# -- the nearest towers in words ---------------------------------------------------------------


def _plan_words(tower: Tower, plan: LevelPlan, flaw: Flaw) -> str:
    """What to do, level by level; the level that is wrong is called "there"."""
    only = flaw.levels[0] if len(flaw.levels) == 1 else 0
    kept = [at for at, level in enumerate(plan, start=1) if level is not None]
    top = kept[-1] if kept else 0
    uses, deeds = [], []
    for at, (old, new) in enumerate(zip(tower.levels, plan, strict=True), start=1):
        if new is None:
            if at <= top or at == top + 1 == len(plan):
                deeds.append("take it off" if at == only else f"take level {at} off")
        elif new != old:
            uses.append(f"{_people(old, new)} {'there' if at == only else f'on level {at}'}")
    if top < len(plan) - 1:
        what = "it" if top + 1 == only else f"level {top + 1}"
        deeds.append(f"take {what} off with all that is above it")
    if uses:
        deeds.insert(0, f"use {listed(uses)}")
    words = listed(deeds)
    return words[:1].upper() + words[1:]


def _people(old: Level, new: Level) -> str:
    """Whom to use on a level, as far as it is not as before."""
    if not new.mixed and not old.mixed and new.size == old.size:
        return str(new.width)
    if not new.mixed and new.width == old.width:
        return f"size {new.size}"
    return " and ".join(f"{number} of size {size}" for size, number in new.parts)


def _helpful(tower: Tower, flaw: Flaw, skills: Skills, team: Team | None) -> list[str]:
    """The ranks that would make the tower right as it is."""
    return [
        f"have {skill.title()} rank {rank}"
        for skill, rank in flaw.ranks
        if rank <= MAX_RANK and stands(tower, replace(skills, **{skill: rank}), team)
    ]


def _sentence(words: str, ranks: list[str], note: str) -> str:
    told = ", or ".join(filter(None, (words, *ranks)))
    whole = "; ".join(filter(None, (told, note)))
    return f"{whole[:1].upper()}{whole[1:]}." if whole else ""
