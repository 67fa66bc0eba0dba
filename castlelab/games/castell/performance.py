"""Local performances: towers of given widths, or that show skills, and who can build them."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from castlelab.games.castell.box import Performance
from castlelab.games.castell.parts import (
    LARGEST,
    LESSER,
    WIDE,
    MostMore,
    UpperPart,
    extended,
    level_of,
    narrowest,
    nothing_yet,
    state_of,
    tower_of,
    unpacked,
)
from castlelab.games.castell.tower import (
    MAX_WIDTH,
    NO_SKILLS,
    RULES,
    SIZES,
    SKILLS,
    Skills,
    Team,
    Tower,
    level_name,
    skill_uses,
    uses_by_level,
    widest_allowed,
)
from castlelab.rules import Breach, NotationError


def performance_tower(tile: Performance, team: Team, skills: Skills) -> Tower | None:
    """A tower that fulfils a tile, if the team can build one."""
    if tile.is_shape:
        return tower_of_shape(tile.widths, team, skills)
    return exhibition_tower(tile.points, tile.shown, team, skills)


# What is known of each exhibition: who could show it with which skills, and who could not.
# More castellers and higher ranks never hurt, so the answer for one team often is the answer
# for another. Only yes or no is remembered: that is the same whatever was asked before.
_COULD: dict[Performance, deque[int]] = {}
_COULD_NOT: dict[Performance, deque[int]] = {}
_REMEMBERED = 16
_GUARDS = int.from_bytes(b"\x80" * (len(SIZES) + len(SKILLS)))


def _means(team: Team, skills: Skills) -> int:
    """Castellers and ranks, a byte each in one number; the top bit of each byte is free."""
    ranks = skills.balance, skills.base, skills.mix, skills.strength, skills.width
    return int.from_bytes(bytes((*team.counts, *ranks)))


def _as_much(means: int, needed: int) -> bool:
    """Whether each byte is at least the other's: then no guard is borrowed from."""
    return (means | _GUARDS) - needed & _GUARDS == _GUARDS


def can_perform(tile: Performance, team: Team, skills: Skills) -> bool:
    """Whether a team can build a tower that fulfils a tile."""
    if _out_of_reach(tile, team, skills):
        return False
    if tile.is_shape:
        if plain_sizes(tile.widths, team):
            return True
        # Only Mix and Strength could help now.
        helped = skills.mix > 0 or skills.strength > 0
        return helped and performance_tower(tile, team, skills) is not None
    if max(team.counts) > 127:
        return performance_tower(tile, team, skills) is not None
    means = _means(team, skills)
    could = _COULD.setdefault(tile, deque(maxlen=_REMEMBERED))
    if any(_as_much(means, known) for known in could):
        return True
    could_not = _COULD_NOT.setdefault(tile, deque(maxlen=_REMEMBERED))
    if any(_as_much(known, means) for known in could_not):
        return False
    tower = performance_tower(tile, team, skills)
    if tower is None:
        could_not.appendleft(means)
        return False
    ways = [way for way in skill_uses(tower) if skills.covers(way) and way.covers(tile.shown)]
    could.appendleft(_means(tower.team, ways[0] if ways else skills))
    return True


def _out_of_reach(tile: Performance, team: Team, skills: Skills) -> bool:
    """Whether a glance at the ranks and the team shows that no tower can fulfil a tile."""
    if skills.balance < tile.equal_levels or not skills.covers(tile.shown):
        return True
    # Every level has a width and a size of its own, but for Balance and for Strength.
    widest = MAX_WIDTH + skills.width
    levels = tile.levels
    if levels > widest + skills.base + skills.balance:
        return True
    counts = team.counts
    if levels > 10 - counts.count(0) + skills.strength:
        return True
    if sum(counts) < (tile.castellers or _fewest_castellers(levels, skills.balance)):
        return True
    if tile.widest > widest and sum(width > widest for width in tile.widths) > skills.base:
        return True
    # A wide level needs many of one size or, with Mix, of two.
    return not skills.mix and max(counts) < tile.widest


@lru_cache(maxsize=256)
def _fewest_castellers(levels: int, balance: int) -> int:
    """The castellers of the narrowest tower of so many levels: 1, 1, 1, 2, 3 from the top."""
    equal = min(balance, levels - 1)
    return equal + sum(range(1, levels - equal + 1))


def check_performance(tile: Performance, tower: Tower, skills: Skills) -> Iterator[Breach]:
    """What keeps a tower from fulfilling a tile (that it stands is checked elsewhere)."""
    if tile.is_shape:
        asked, widths = tile.widths, tower.widths
        if widths != asked:
            told = f"The tower has the widths {'-'.join(map(str, widths))}."
            wrong = [at for at, width in enumerate(widths) if (width,) != asked[at : at + 1]]
            where = tuple(level_name(at + 1) for at in wrong)
            mend = f"The tile shows {tile}, base first."
            yield RULES.breach("castell/performance-shape", told, where, mend)
        return
    rule = "castell/performance-exhibition"
    if tower.height < tile.points:
        told = f"The tower has {tower.height} levels."
        yield RULES.breach(rule, told, mend=f"The tile asks for {tile.points} or more.")
    if not exhibits(tower, tile.shown, skills):
        told = "The tower does not use every skill that the tile shows."
        yield RULES.breach(rule, told, mend=f"Build one that needs {tile.shown}.")


def tower_of_shape(widths: Iterable[int], team: Team, skills: Skills = NO_SKILLS) -> Tower | None:
    """A legal tower of exactly these widths, base first, or None if there is none.

    >>> str(tower_of_shape((3, 2, 2), Team("9*2 8*3 7*2"), Skills(balance=1, strength=2)))
    '8*3 9*2 7*2'
    """
    shape = tuple(widths)
    for width in shape:
        if width.__class__ is not int or width < 1:
            raise NotationError(
                f"width {width!r}: a level has a whole number of castellers, 1 or more"
            )
    return _tower_of_shape(shape, team, skills)


def exhibits(tower: Tower, shown: Skills, skills: Skills) -> bool:
    """Whether a builder of these skills shows each skill as often as asked, and truly needs it.

    Where Base and Width could both cover a wide level, the builder chooses, and so for each of
    several levels of that width.

    >>> tower = Tower("9*4 8*2 7")
    >>> both = Skills(base=1, width=1)
    >>> exhibits(tower, Skills(base=1), both), exhibits(tower, both, both)
    (True, False)
    >>> exhibits(Tower("9*4 8*4 7"), both, Skills(balance=1, base=1, width=1))
    True
    """
    if not skill_uses(tower):
        return False  # no skill could make it legal
    return any(
        all(shown.rank(skill) <= used[skill] <= skills.rank(skill) for skill in SKILLS)
        for used in _exact_uses(tower, skills.width)
    )


def _exact_uses(tower: Tower, rank: int) -> Iterator[Counter[str]]:
    """What the tower spends for every use of Width up to a rank, and Base for the rest."""
    for width in range(rank + 1):
        # Width counts as used so often only if a level without Base is just so wide. Where
        # several are, Base may have all of them but one.
        just_so_wide = tower.widths.count(MAX_WIDTH + width)
        for by_base in range(just_so_wide if width else 1):
            used = Counter({"width": width, "base": by_base})
            for use in uses_by_level(tower, width):
                used[use.skill] += use.times
            yield used


# -- the searches ---


class _Mans(dict[tuple[tuple[int, ...], int, int, int], bool]):
    """Whether a glance leaves hope that levels of these widths can stand below a size.

    Asked with Mix and Strength left; bounded in the same way as ``MostMore``.
    """

    def __init__(self, most_more: MostMore) -> None:
        self.sizes, self.room = most_more.sizes, most_more.room

    def __missing__(self, asked: tuple[tuple[int, ...], int, int, int]) -> bool:
        widths, size, mix, strength = asked
        self[asked] = known = not widths or self._mans(widths, size, mix, strength)
        return known

    def _mans(self, widths: tuple[int, ...], size: int, mix: int, strength: int) -> bool:
        width, wider = widths[0], widths[1:]
        if width > self.room[mix > 0]:
            return False
        if strength and self[wider, size, mix, strength - 1]:
            return True
        may_mix = mix > 0
        for larger, own, mixed in self.sizes:
            if larger <= size:
                continue
            if own >= width:
                return self[wider, larger, mix, strength]
            if may_mix and mixed >= width:
                if self[wider, larger, mix - 1, strength]:
                    return True
                may_mix = False
        return False


def _fillings(
    part: UpperPart, counts: tuple[int, ...], width: int
) -> Iterator[tuple[int, int, int]]:
    """Every way to man a level of this width below a part: a size, how many, how many lesser.

    The smallest size comes first: it leaves most to choose from.
    """
    _, _, above, _, _, mix, strength, _, _ = part
    for size in range(max(1, above - strength + 1), LARGEST + 1):
        own = counts[size]
        if own >= width:
            yield size, width, 0
        if mix and own and size in LESSER:
            for count in range(max(1, width - counts[size - 1]), min(own, width - 1) + 1):
                yield size, count, width - count


def _covered(widths: Sequence[int], skills: Skills) -> bool:
    """Whether Balance, Base and Width allow these widths, base first."""
    steps = [lower - upper for lower, upper in pairwise(widths)]
    wide = sum(width > widest_allowed(skills) for width in widths)
    return min(steps, default=0) >= 0 and steps.count(0) <= skills.balance and wide <= skills.base


def plain_sizes(widths: Sequence[int], team: Team) -> list[int]:
    """Sizes for levels of these widths without Mix and Strength, or none if there are none.

    Take the largest size that will do, each time.
    """
    sizes = []
    size = LARGEST + 1
    for width in widths:
        size -= 1
        while size and team.counts[size - 1] < width:
            size -= 1
        if not size:
            return []
        sizes.append(size)
    return sizes


def _plain_tower_of_shape(widths: tuple[int, ...], team: Team) -> Tower | None:
    """The same without Mix and Strength."""
    sizes = plain_sizes(widths, team)
    return Tower.of(map(level_of, sizes, widths)) if sizes else None


@lru_cache(maxsize=4096)
def _tower_of_shape(widths: tuple[int, ...], team: Team, skills: Skills) -> Tower | None:
    """Try the sizes level by level from the top, never the same state twice."""
    if not widths or sum(widths) > len(team) or not _covered(widths, skills):
        return None
    plain = _plain_tower_of_shape(widths, team)
    if plain is not None or not (skills.mix or skills.strength):
        return plain
    downwards, mans = widths[::-1], _Mans(MostMore(team, skills))
    seen: set[tuple[int, ...]] = set()

    def finished(part: UpperPart) -> UpperPart | None:
        """The part with all levels below it that are missing, or None."""
        height, _, size, _, _, mix, strength, left, _ = part
        if height == len(downwards):
            return part
        state = state_of(part, height)
        if state in seen or not mans[downwards[height:], size, mix, strength]:
            return None
        seen.add(state)
        for level in _fillings(part, unpacked(left), downwards[height]):
            longer = extended(part, WIDE, *level)
            if longer is not None and (found := finished(longer)):
                return found
        return None

    part = finished(nothing_yet(team, skills))
    return tower_of(part) if part else None


@lru_cache(maxsize=4096)
def exhibition_tower(
    levels: int, shown: Skills, team: Team, skills: Skills = NO_SKILLS
) -> Tower | None:
    """A legal tower of at least so many levels that ``exhibits`` the shown skills, or None.

    Tries every use of Width that would do, and with each the widths that could matter.

    >>> str(exhibition_tower(3, Skills(base=1), Team("9*5 8*3 7*2"), Skills(base=1)))
    '9*4 8*2 7'
    """
    if not skills.covers(shown):
        return None
    if not (shown.mix or shown.strength):
        widths = _narrowest_exhibition(levels, shown, skills)
        plain = _plain_tower_of_shape(widths, team) if widths else None
        if plain is not None:
            return plain
        # Without Mix and Strength, a team that cannot man the narrowest tower can man none,
        # unless Balance could make several wide levels of one width.
        may_level = skills.balance and shown.base + (shown.width > 0) > 1
        if widths and not (skills.mix or skills.strength or may_level):
            return None
    for width in range(shown.width, skills.width + 1):
        search = _Exhibition(levels, shown, team, replace(skills, width=width))
        if part := search.finished(nothing_yet(team, skills)):
            return tower_of(part)
    return None


def _narrowest_exhibition(levels: int, shown: Skills, skills: Skills) -> tuple[int, ...]:
    """The least widths, base first, of a tower that shows Balance, Base and Width as asked.

    Nothing, if it would have to show other uses of them than those asked for.
    """
    widest = MAX_WIDTH + shown.width
    wide = [*range(widest + shown.base, widest, -1), *([widest] if shown.width else [])]
    narrow = narrowest(0, skills.balance, levels - len(wide))
    widths = (*wide, *reversed(narrow))
    equal = sum(lower == upper for lower, upper in pairwise(widths))
    fits = max(narrow, default=0) <= widest and shown.balance <= equal <= skills.balance
    return widths if fits else ()


class _Exhibition:
    """The search for a tower that shows skills, Width used exactly as often as its rank says."""

    def __init__(self, levels: int, shown: Skills, team: Team, skills: Skills) -> None:
        self.levels = levels
        self.widest = widest_allowed(skills)
        self.just_so_wide = self.widest if skills.width else 0
        # What may be left of each skill in the end.
        self.balance, self.base = skills.balance - shown.balance, skills.base - shown.base
        self.mix, self.strength = skills.mix - shown.mix, skills.strength - shown.strength
        self.most_more = MostMore(team, skills)
        self.mans = _Mans(self.most_more)
        self.seen: set[tuple[int, ...]] = set()

    def finished(self, part: UpperPart) -> UpperPart | None:
        """The part with levels below it until it shows everything asked for, or None."""
        missing = self._missing(part)
        if missing <= 0:
            return part
        _, width, size, balance, base, mix, strength, left, _ = part
        if missing > self.most_more[size, width, balance, base, mix, strength]:
            return None
        state = state_of(part, self.levels)
        if state in self.seen:
            return None
        self.seen.add(state)
        to_come = self._wide_to_come(width, balance, base - self.base)
        if to_come and not self.mans[to_come, size, mix, strength]:
            return None
        counts = unpacked(left)
        for wide in self._telling_widths(part):
            for level in _fillings(part, counts, wide):
                longer = extended(part, self.widest, *level)
                if longer is not None and (found := self._either(longer, wide == part[1])):
                    return found
        return None

    def _either(self, part: UpperPart, again: bool) -> UpperPart | None:
        """The same, with and without Base for a level that is just so wide as the one above."""
        if found := self.finished(part):
            return found
        height, width, size, balance, base, mix, strength, left, levels = part
        if not (again and width == self.just_so_wide and base):
            return None
        return self.finished((height, width, size, balance, base - 1, mix, strength, left, levels))

    def _missing(self, part: UpperPart) -> int:
        """At least so many levels more must come before a part shows everything asked for."""
        height, width, _, balance, base, mix, strength, _, _ = part
        return max(
            self.levels - height,
            balance - self.balance,
            base - self.base,
            mix - self.mix,
            # One level may show Strength more than once, or be as wide as Width asks at once.
            strength > self.strength or width < self.just_so_wide,
        )

    def _telling_widths(self, part: UpperPart) -> Iterator[int]:
        """The widths worth trying below a part: levels of equal width can be narrowed at once.

        Only what is to be shown stops that: a mixed level has two castellers, Width used so
        often needs a level just so wide, and Base one that is wider.
        """
        height, above, _, balance, *_ = part
        if balance and height:
            yield above
        for width in sorted({above + 1, above + 1 if height else 2, self.widest, self.widest + 1}):
            if width > above and not above < self.just_so_wide < width:
                yield width

    def _wide_to_come(self, width: int, balance: int, base: int) -> tuple[int, ...]:
        """The least widths of the levels by which Width has yet to be shown, and Base so often."""
        if width > self.widest:
            return tuple(narrowest(width, balance, base))
        first = (self.widest,) if width < self.just_so_wide else ()
        if base <= 0:
            return first
        if self.just_so_wide:  # Base may have more levels of that width
            return *first, *narrowest(self.widest, balance, base)
        return self.widest + 1, *narrowest(self.widest + 1, balance, base - 1)
