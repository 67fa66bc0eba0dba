"""The best towers that a team can build: exact answers, found from the top down.

Read downwards, a tower widens and its sizes grow. A level that no size token asks for need
never be wider than the level above forces it to be: a narrower one uses fewer castellers and
asks less of every level below. So only wanted sizes leave a choice of widths, and few
towers remain to be looked at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

from castlelab.games.castell.tower import (
    FESTIVAL_LEVELS,
    MAX_RANK,
    MAX_WIDTH,
    MIXES,
    SIZES,
    SKILLS,
    Level,
    Skills,
    Team,
    Tower,
    skill_uses,
    uses_by_level,
    widest_allowed,
)
from castlelab.rules import NotationError

Result = tuple[int, ...]  # the height, then how many of each wanted size, largest size first

_NO_SKILLS = Skills()
_LARGEST = len(SIZES)
_LESSER = dict(MIXES)  # the lesser size that Mix joins to a larger one
_PARTNER = _LESSER | {lesser: larger for larger, lesser in MIXES}


def best_tower(team: Team, skills: Skills = _NO_SKILLS, wanted: Iterable[int] = ()) -> Tower | None:
    """A tower of the highest festival score that may enter, or None if no tower may.

    >>> str(best_tower(Team("9*4 8*2 7*3 6 3*2 2"), Skills(width=1, balance=1), wanted=(9, 3)))
    '9*4 7*2 3*2 2'
    >>> best_tower(Team("9*4 8*2 7"), wanted=(9,)) is None
    True
    """
    return _best(team, skills, _sizes(wanted), FESTIVAL_LEVELS)


def tallest_tower(team: Team, skills: Skills = _NO_SKILLS) -> Tower | None:
    """A tower of as many levels as the team can build, or None for a team of nobody.

    >>> str(tallest_tower(Team("9*4 8*2 7*3 6 5"), Skills(balance=1)))
    '9*3 7*2 6 5'
    """
    return _best(team, skills, (), 1)


def attainable(
    team: Team, skills: Skills = _NO_SKILLS, wanted: Iterable[int] = ()
) -> Mapping[Result, Tower]:
    """Every result that the team can show at a festival, each with one tower that shows it.

    A result is the height and then the number of castellers of each wanted size, the largest
    size first. A starting team without skills takes a fraction of a millisecond; the work
    grows with the wanted castellers (their numbers multiply) and above all with Strength and
    Mix, each rank of which multiplies it severalfold.

    >>> for result, tower in attainable(Team("9*4 8*3 7*2 6"), Skills(width=1), (9, 8)).items():
    ...     print(result, tower)
    (4, 4, 3) 9*4 8*3 7*2 6
    """
    return _attainable(team, skills, _sizes(wanted))


def tower_of_shape(widths: Iterable[int], team: Team, skills: Skills = _NO_SKILLS) -> Tower | None:
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


def exhibition_tower(
    levels: int, shown: Skills, team: Team, skills: Skills = _NO_SKILLS
) -> Tower | None:
    """A legal tower of at least so many levels that ``exhibits`` the shown skills, or None.

    >>> str(exhibition_tower(3, Skills(base=1), Team("9*5 8*3 7*2"), Skills(base=1)))
    '9*4 8*2 7'
    """
    return _exhibition_tower(levels, shown, team, skills)


def exhibits(tower: Tower, shown: Skills, skills: Skills) -> bool:
    """Whether a builder of these skills shows each skill as often as asked, and truly needs it.

    Where Base and Width could both cover a wide level, the builder chooses.

    >>> tower = Tower("9*4 8*2 7")
    >>> both = Skills(base=1, width=1)
    >>> exhibits(tower, Skills(base=1), both), exhibits(tower, both, both)
    (True, False)
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
        # Width counts as used so often only if a level without Base is just so wide.
        if not width or MAX_WIDTH + width in tower.widths:
            used = Counter({"width": width})
            for use in uses_by_level(tower, width):
                used[use.skill] += use.times
            yield used


def _sizes(wanted: Iterable[int]) -> tuple[int, ...]:
    """The wanted sizes, largest first, or a clear error."""
    sizes = tuple(wanted)
    for size in sizes:
        if size.__class__ is not int or size not in SIZES:
            raise NotationError(
                f"wanted size {size!r}: sizes are whole numbers from 1 to {_LARGEST}"
            )
    return tuple(sorted(sizes, reverse=True))


# --- castellers at hand, packed into one integer: quick to count, to take from, to compare ---

_BITS = 16  # for each size: far more castellers than a box holds
_ONES = (1 << _BITS) - 1
_SHIFT = tuple(_BITS * size for size in range(_LARGEST + 2))
_FROM = tuple(-1 << shift for shift in _SHIFT)  # what is kept of the sizes from this one on
_WIDE = _ONES >> 2  # wider than any level
_GUARDS = sum(1 << _BITS * field + _BITS - 1 for field in range(_LARGEST + 6))  # see `means`


def _pack(team: Team) -> int:
    return sum(count << _BITS * size for size, count in enumerate(team.counts, start=1))


def _smallest_of_use(reach: int, mix: bool) -> int:
    """The smallest size that may come below a level whose size less its Strength is this."""
    smallest = max(1, reach + 1)
    return _LESSER.get(smallest, smallest) if mix else smallest


# Looked up by whether Mix is left and by the size less the Strength left, which may be negative.
_SMALLEST = tuple(
    {reach: _smallest_of_use(reach, mix) for reach in range(-MAX_RANK, _LARGEST + 1)}
    for mix in (False, True)
)


# --- the upper part of a tower, and how it can go on downwards ---

Chain = tuple[int, int, int, "Chain | None"]  # a level's size, how many, how many lesser; above


class _Part(NamedTuple):
    """The upper part of a tower and what is left for the levels below it."""

    height: int
    width: int  # of the lowest level so far, as is the size
    size: int
    balance: int
    base: int
    mix: int
    strength: int
    left: int  # castellers, packed
    levels: Chain | None  # the lowest first

    @property
    def tower(self) -> Tower:
        """The part as a tower of its own."""
        levels = []
        chain = self.levels
        while chain:
            size, own, other, chain = chain
            parts = (size, own), (size - 1, other)
            levels.append(Level(parts if other else parts[:1]))
        return Tower.of(levels)

    @property
    def means(self) -> int:
        """All that the levels below can draw on, packed: more of anything is never worse.

        A narrower and a smaller lowest level are more, too.
        """
        _, width, size, balance, base, mix, strength, left, _ = self
        ranks = (strength << _BITS | mix) << 2 * _BITS | base << _BITS | balance
        return (ranks << _BITS | _LARGEST - size) << _SHIFT[_LARGEST + 1] | left | _WIDE - width

    def state(self, tall: int) -> tuple[int, ...]:
        """All that matters for the levels below, heights from ``tall`` on being alike.

        Of the castellers left, those too small to be used again are forgotten.
        """
        height, width, size, balance, base, mix, strength, left, _ = self
        useful = left & _FROM[_SMALLEST[mix > 0][size - strength]]
        return min(height, tall), width, size, balance, base, mix, strength, useful


def _nothing_yet(team: Team, skills: Skills) -> _Part:
    """The part from which every tower starts: no level, all ranks, the whole team."""
    ranks = skills.balance, skills.base, skills.mix, skills.strength
    return _Part(0, 0, 0, *ranks, _pack(team), None)


class _Builder:
    """Extends the upper parts of towers by one more level below, within the rules."""

    def __init__(self, team: Team, skills: Skills) -> None:
        self.counts = (0, *team.counts)
        self.widest = widest_allowed(skills)
        # Plain dictionaries: an lru_cache takes longer to set up than many a search takes.
        self._known_more: dict[tuple[int, ...], int] = {}
        self._known_manned: dict[tuple[object, ...], bool] = {}
        self._known_rooms: dict[tuple[int, bool], _Rooms] = {}

    def extend(
        self, part: _Part, size: int, own: int, other: int = 0, more: int = 0
    ) -> _Part | None:
        """The part with a level of so many of a size and of its lesser partner.

        None if Base does not allow it, or if so many levels more cannot fit below it.
        """
        height, width, above, balance, base, mix, strength, left, levels = part
        wide = own + other
        if wide > self.widest:
            if not base:
                return None
            base -= 1
        if wide == width:
            balance -= 1
        if above >= size:
            strength -= above - size + 1
        if other:
            mix -= 1
        if more and self.most_more(size, wide, balance, base, mix > 0, strength) < more:
            return None
        left -= own << _SHIFT[size]
        if other:
            left -= other << _SHIFT[size - 1]
        chain = size, own, other, levels
        return _Part(height + 1, wide, size, balance, base, mix, strength, left, chain)

    def most_more(self, *level: int) -> int:
        """At most so many levels fit below one of this size, width and ranks left."""
        known = self._known_more.get(level)
        if known is None:
            known = self._known_more[level] = self._most_more(*level)
        return known

    def rooms(self, smallest: int, mix: bool) -> _Rooms:
        """The rooms of all sizes from a smallest one on."""
        known = self._known_rooms.get((smallest, mix))
        if known is None:
            known = self._known_rooms[smallest, mix] = self._rooms(smallest, mix)
        return known

    def more(self, part: _Part) -> int:
        """At most so many levels fit below a part."""
        return self.most_more(
            part.size, part.width, part.balance, part.base, part.mix > 0, part.strength
        )

    def mans(self, widths: tuple[int, ...], part: _Part) -> bool:
        """Whether a glance leaves hope that levels of these widths can stand below a part."""
        asked = widths, part.size, part.mix > 0, part.strength
        known = self._known_manned.get(asked)
        if known is None:
            known = self._known_manned[asked] = self._all_manned(*asked)
        return known

    def _all_manned(self, widths: tuple[int, ...], size: int, mix: bool, strength: int) -> bool:
        """As ``mans``, below a level of this size."""
        if size + len(widths) > _LARGEST + strength:
            return False
        rooms = self.rooms(max(1, size + 1 - strength), mix)
        return _manned(widths, rooms, strength) == len(widths)

    def _most_more(
        self, size: int, width: int, balance: int, base: int, mix: bool, strength: int
    ) -> int:
        """A quick bound, not always reached."""
        # Sizes grow by one a level, but for what Strength gives.
        most = _LARGEST - size + strength
        if width <= self.widest:
            most = min(most, balance + self.widest - width + base)
        else:
            most = min(most, base)
        rooms = self.rooms(max(1, size + 1 - strength), mix)
        return _manned(_narrowest(width, balance, most), rooms, strength)

    def _rooms(self, smallest: int, mix: bool) -> _Rooms:
        levels = []
        groups = []
        for each in range(_LARGEST, smallest - 1, -1):
            if own := self.counts[each]:
                mixed = own + self.counts[_LESSER[each]] if mix and each in _LESSER else own
                levels.append(mixed)
                larger = _PARTNER.get(each, 0)
                if not (mix and larger > each and self.counts[larger]):
                    groups.append(mixed)
        castellers = [0] * (max(groups, default=0) + 1)
        for room in groups:
            for width in range(room + 1):
                castellers[width] += room
        levels.sort()
        return _Rooms(levels, castellers)


class _Rooms(NamedTuple):
    """How wide levels of some sizes can be."""

    levels: list[int]  # the room of each size, least first
    castellers: list[int]  # by width: how many stand ready where there is room for it


def _narrowest(width: int, balance: int, levels: int) -> Iterator[int]:
    """The least widths of so many levels below one of this width: Balance at once, then wider."""
    for _ in range(levels):
        if width and balance:
            balance -= 1
        else:
            width += 1
        yield width


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


# --- festivals: what a part is worth, and the levels worth trying below it ---


class _Wanted(NamedTuple):
    """A wanted size, how many tokens ask for it, and how many castellers the team has."""

    size: int
    times: int
    there: int


class _Outlook(NamedTuple):
    """What is known about the towers that a part can still become."""

    score: int  # of the part as it is
    enters: bool  # whether each wanted size is there
    gain: int  # at most so many points more from wanted castellers
    more: int  # at most so many levels more

    @property
    def bare(self) -> bool:
        """Whether nothing but height can still be gained."""
        return self.enters and not self.gain


class _Festival(_Builder):
    """The search for towers at a festival that wants some sizes and a number of levels."""

    def __init__(self, team: Team, skills: Skills, wanted: tuple[int, ...], levels: int) -> None:
        super().__init__(team, skills)
        self.most_with = lru_cache(maxsize=None)(self._most_with)
        self.levels = levels
        self.tokens = Counter(wanted)
        # The smallest size first: from the top down it is the first to be out of reach.
        self.wanted = [
            _Wanted(size, self.tokens[size], self.counts[size]) for size in sorted(self.tokens)
        ]
        self.wanted_mask = sum(_ONES << _SHIFT[size] for size in self.tokens)
        self.start = _nothing_yet(team, skills)

    def result(self, part: _Part) -> Result:
        """What a part shows as it is."""
        used = [
            self.counts[size] - (part.left >> _SHIFT[size] & _ONES)
            for size in sorted(self.tokens, reverse=True)
        ]
        return part.height, *used

    def outlook(self, part: _Part) -> _Outlook | None:
        """What a part can become, or None if it can never enter."""
        score, width, size, balance, base, mix, strength, left, _ = part
        more = self.most_more(size, width, balance, base, mix > 0, strength)
        missing = self.levels - score
        smallest = _SMALLEST[mix > 0][size - strength]
        least = width if balance else width + 1
        enters = True
        gain = 0
        for token, times, count in self.wanted:
            here = room = left >> _SHIFT[token] & _ONES
            if mix and token in _PARTNER:
                room += left >> _SHIFT[_PARTNER[token]] & _ONES
            fits = here > 0 and token >= smallest and room >= least
            if here == count:
                if not fits:
                    return None
                enters = False
                # All levels above its own are narrower than its room, all below are larger.
                limit = balance + room - width + _LARGEST - token + strength
                if limit < more:
                    more = limit
            else:
                score += times * (count - here)
            if fits:
                gain += times * here
        if more < missing:
            return None
        return _Outlook(score, enters, gain, more)

    def hope(self, part: _Part, outlook: _Outlook) -> int:
        """The most that a part can score, seen from each wanted size that is still to come."""
        _, width, size, balance, base, mix, strength, left, _ = part
        score, _, gain, more = outlook
        hope = more
        for token, times, count in self.wanted:
            if left >> _SHIFT[token] & _ONES == count:
                ranks = balance, base, mix > 0, strength
                with_token = self.most_with(token, size, width, *ranks) - times * count
                if with_token < hope:
                    hope = with_token
        return score + gain + hope

    def _most_with(
        self, token: int, size: int, width: int, balance: int, base: int, mix: bool, strength: int
    ) -> int:
        """At most so many points for levels and castellers of a wanted size still to come."""
        times, count = self.tokens[token], self.counts[token]
        mixed = mix and token in _PARTNER
        room = count + self.counts[_PARTNER[token]] if mixed else count
        lesser = mixed and token not in _LESSER  # then it can stand in one level more
        levels = 1 + strength + lesser
        smaller = token - size + strength + lesser
        best = 0
        for widest in range(width if balance and width else width + 1, room + 1):
            # Down to the lowest level with that size all are narrower and smaller than it, and
            # those below are neither; Balance helps on one side or on the other.
            narrower = widest - width + balance
            height = min(
                narrower + self.most_more(token, widest, 0, base, mix, strength),
                smaller + self.most_more(token, widest, balance, base, mix, strength),
            )
            best = max(best, height + times * min(count, levels * widest))
        return best

    def below(self, part: _Part, bare: bool, floor: int = 0) -> Iterator[_Part]:
        """Every part with one level more that could matter, the most promising last.

        ``bare`` tells that only height counts; below the new level ``floor`` levels must fit.
        """
        more = max(floor, self.levels - part.height - 1)
        for size, own, other in reversed(list(self._levels(part, bare))):
            if longer := self.extend(part, size, own, other, more):
                yield longer

    def _levels(self, part: _Part, bare: bool) -> Iterator[tuple[int, int, int]]:
        """The levels worth trying below a part: a size, how many, how many of the lesser."""
        _, width, above, balance, _, mix, strength, left, _ = part
        least = width if balance and width else width + 1
        usual = least if bare else width + 1  # Balance at once, where only height counts
        # Without Strength no size comes again: the smallest that serves a width serves best.
        served: set[int] = set()
        served_mixed: set[int] = set()
        for size in range(max(1, above + 1 - strength), self._last(part) + 1):
            own = left >> _SHIFT[size] & _ONES
            if not own:
                continue
            if size in self.tokens:
                for count in range(own, least - 1, -1):
                    yield size, count, 0
            else:
                for count in range(least, min(own, usual) + 1):
                    if count not in served:
                        yield size, count, 0
                        if not strength:
                            served.add(count)
            if mix and size in _LESSER and (other := left >> _SHIFT[size - 1] & _ONES):
                if size in self.tokens or size - 1 in self.tokens:
                    yield from self._wanted_mixes(size, own, other, least, usual)
                    continue
                spare = strength - max(0, above - size + 1)
                for count in range(max(2, least), min(usual, own + other) + 1):
                    if count not in served and count not in served_mixed:
                        yield from _plain_mixes(size, own, other, count, spare, mix)
                        if not strength:
                            served_mixed.add(count)

    def _last(self, part: _Part) -> int:
        """The largest next size that does not leave a wanted size out of reach."""
        for size, _, count in self.wanted:
            if part.left >> _SHIFT[size] & _ONES == count:
                return min(_LARGEST, size + max(0, part.strength - 1) + (part.mix > 0))
        return _LARGEST

    def _wanted_mixes(
        self, size: int, own: int, other: int, least: int, usual: int
    ) -> Iterator[tuple[int, int, int]]:
        """The ways to mix a level of a wanted size, at least so wide."""
        for count in range(1, own + 1):
            # Castellers whom nobody asks for only fill a level up to its usual width.
            free = size - 1 in self.tokens and (size in self.tokens or count == 1)
            most = other if free else min(other, usual - count)
            for lesser in range(max(1, least - count), most + 1):
                yield size, count, lesser


def _plain_mixes(
    size: int, own: int, other: int, width: int, strength: int, mix: int
) -> Iterator[tuple[int, int, int]]:
    """The ways to mix a level of this width that leave the best choice for levels below."""
    if not strength:  # neither size can come again: mix only in need
        if own < width:
            yield size, own, width - own
    elif strength == 1 and mix == 1:  # only the larger size can come again
        lesser = min(other, width - 1)
        yield size, width - lesser, lesser
    else:
        for count in range(max(1, width - other), min(own, width - 1) + 1):
            yield size, count, width - count


@lru_cache(maxsize=4096)
def _best(team: Team, skills: Skills, wanted: tuple[int, ...], levels: int) -> Tower | None:
    """Best first: always go on from a part that promises most, until none promises more."""
    festival = _Festival(team, skills, wanted, levels)
    outlook = festival.outlook(festival.start)
    if outlook is None:
        return None
    best: _Part | None = None
    best_score = 0
    seen: dict[tuple[int, ...], int] = {}
    queue = {outlook.gain + outlook.more: [(festival.start, outlook)]}
    while queue and (promise := max(queue)) > best_score:
        part, known = queue[promise].pop()
        if not queue[promise]:
            del queue[promise]
        hope = festival.hope(part, known)
        if hope < promise:  # a closer look, worth its while only now
            queue.setdefault(hope, []).append((part, known))
            continue
        floor = best_score - known.score - known.gain
        for longer in festival.below(part, known.bare, floor):
            outlook = festival.outlook(longer)
            if outlook is None:
                continue
            score, enters, gain, more = outlook
            hope = min(promise, score + gain + more)
            if hope <= best_score:
                continue
            state = longer.state(levels)
            if seen.get(state, -1) >= score:
                continue
            seen[state] = score
            if enters and score > best_score and longer.height >= levels:
                best, best_score = longer, score
            if hope > score:
                queue.setdefault(hope, []).append((longer, outlook))
    return best.tower if best else None


@lru_cache(maxsize=4096)
def _attainable(team: Team, skills: Skills, wanted: tuple[int, ...]) -> Mapping[Result, Tower]:
    """Every part that could become something new, each looked at once."""
    festival = _Festival(team, skills, wanted, FESTIVAL_LEVELS)
    # A result as one number: the height, and the castellers of wanted sizes that are left.
    found: dict[int, _Part] = {}
    seen: dict[int, list[int]] = {}  # the means of the parts that show a result
    parts = [(festival.start, not wanted)] if festival.outlook(festival.start) else []
    while parts:
        part, bare = parts.pop()
        for longer in festival.below(part, bare):
            outlook = festival.outlook(longer)
            if outlook is None:
                continue
            shows = longer.left & festival.wanted_mask | longer.height
            if shows not in seen:
                seen[shows] = [longer.means]
            elif _outdone(longer, seen[shows]):
                continue
            else:
                seen[shows].append(longer.means)
            if outlook.enters and longer.height >= FESTIVAL_LEVELS:
                found.setdefault(shows, longer)
            if outlook.bare and all(
                shows + levels in found for levels in range(1, outlook.more + 1)
            ):
                continue  # it could only grow taller, and such towers are known
            parts.append((longer, outlook.bare))
    results = {festival.result(part): part.tower for part in found.values()}
    return MappingProxyType({result: results[result] for result in sorted(results, reverse=True)})


def _outdone(part: _Part, rivals: list[int]) -> bool:
    """Whether one of these means allows all that a part allows."""
    # Castellers too small to be used again do not matter.
    needed = part.means & (_FROM[_SMALLEST[part.mix > 0][part.size - part.strength]] | _ONES)
    # Every field of a rival is at least as large if no guard is borrowed from.
    return any((rival | _GUARDS) - needed & _GUARDS == _GUARDS for rival in rivals)


# --- local performances: given widths, or skills to show ---


def _fillings(part: _Part, width: int) -> Iterator[tuple[int, int, int]]:
    """Every way to man a level of this width below a part: a size, how many, how many lesser.

    The smallest size comes last: it leaves most to choose from, and a stack takes it first.
    """
    left = part.left
    for size in range(_LARGEST, max(0, part.size - part.strength), -1):
        own = left >> _SHIFT[size] & _ONES
        if own >= width:
            yield size, width, 0
        if own and part.mix and size in _LESSER:
            other = left >> _SHIFT[size - 1] & _ONES
            for count in range(max(1, width - other), min(own, width - 1) + 1):
                yield size, count, width - count


def _covered(widths: Sequence[int], skills: Skills) -> bool:
    """Whether Balance, Base and Width allow these widths, base first."""
    steps = [lower - upper for lower, upper in pairwise(widths)]
    wide = sum(width > widest_allowed(skills) for width in widths)
    return min(steps, default=0) >= 0 and steps.count(0) <= skills.balance and wide <= skills.base


def _plain_tower_of_shape(widths: tuple[int, ...], team: Team) -> Tower | None:
    """The same without Mix and Strength: take the largest size that will do, each time."""
    levels = []
    size = _LARGEST + 1
    for width in widths:
        size -= 1
        while size and team.counts[size - 1] < width:
            size -= 1
        if not size:
            return None
        levels.append(Level(((size, width),)))
    return Tower.of(levels)


@lru_cache(maxsize=4096)
def _tower_of_shape(widths: tuple[int, ...], team: Team, skills: Skills) -> Tower | None:
    """Try the sizes level by level from the top, never the same state twice."""
    if not widths or sum(widths) > len(team) or not _covered(widths, skills):
        return None
    plain = _plain_tower_of_shape(widths, team)
    if plain is not None or not (skills.mix or skills.strength):
        return plain
    downwards = widths[::-1]
    builder = _Builder(team, skills)
    start = _nothing_yet(team, skills)
    if not builder.mans(downwards, start):
        return None
    seen: set[tuple[int, ...]] = set()
    parts = [start]
    while parts:
        part = parts.pop()
        if part.height == len(downwards):
            return part.tower
        for size, own, other in _fillings(part, downwards[part.height]):
            longer = builder.extend(part, size, own, other)
            if longer is None or not builder.mans(downwards[longer.height :], longer):
                continue
            state = longer.state(len(widths))
            if state not in seen:
                seen.add(state)
                parts.append(longer)
    return None


@lru_cache(maxsize=4096)
def _exhibition_tower(levels: int, shown: Skills, team: Team, skills: Skills) -> Tower | None:
    """Try every use of Width that would do, and with each the widths that could matter."""
    if not skills.covers(shown):
        return None
    if not (shown.mix or shown.strength):
        widths = _narrowest_exhibition(levels, shown, skills)
        plain = _plain_tower_of_shape(widths, team) if widths else None
        # Without Mix and Strength, a team that cannot man the narrowest tower can man none.
        if plain is not None or (widths and not (skills.mix or skills.strength)):
            return plain
    for width in range(shown.width, skills.width + 1):
        if part := _exhibition(levels, shown, team, replace(skills, width=width)):
            return part.tower
    return None


def _narrowest_exhibition(levels: int, shown: Skills, skills: Skills) -> tuple[int, ...]:
    """The least widths, base first, of a tower that shows Balance, Base and Width as asked.

    Nothing, if it would have to show other uses of them than those asked for.
    """
    widest = MAX_WIDTH + shown.width
    wide = [*range(widest + shown.base, widest, -1), *([widest] if shown.width else [])]
    narrow = [*_narrowest(0, skills.balance, levels - len(wide))]
    widths = (*wide, *reversed(narrow))
    equal = sum(lower == upper for lower, upper in pairwise(widths))
    fits = max(narrow, default=0) <= widest and shown.balance <= equal <= skills.balance
    return widths if fits else ()


def _exhibition(levels: int, shown: Skills, team: Team, skills: Skills) -> _Part | None:
    """The search with Width used exactly as often as its rank says."""
    builder = _Builder(team, skills)
    start = _nothing_yet(team, skills)
    if builder.more(start) < levels:
        return None
    seen: set[tuple[int, ...]] = set()
    parts = [start]
    while parts:
        part = parts.pop()
        for width in _telling_widths(part, skills):
            for size, own, other in _fillings(part, width):
                longer = builder.extend(part, size, own, other)
                if longer is None:
                    continue
                missing = _missing(longer, levels, shown, skills)
                if not missing:
                    return longer
                state = longer.state(levels)
                if state in seen or missing > builder.more(longer):
                    continue
                seen.add(state)
                if builder.mans(_wide_to_come(longer, shown, skills), longer):
                    parts.append(longer)
    return None


def _telling_widths(part: _Part, skills: Skills) -> Iterator[int]:
    """The widths worth trying below a part: levels of equal width can all be narrowed at once.

    Only what is to be shown stops that: a mixed level has two castellers, Width used so often
    needs a level just so wide, and Base one that is wider.
    """
    widest = widest_allowed(skills)
    widths = {part.width + 1, widest, widest + 1} | ({2} if not part.height else set())
    for width in sorted(widths, reverse=True):
        passed_by = skills.width and part.width < widest < width
        if width > part.width and not passed_by:
            yield width
    if part.balance and part.height:
        yield part.width


def _missing(part: _Part, levels: int, shown: Skills, skills: Skills) -> int:
    """At least so many levels more must come before a part shows everything asked for."""
    return max(
        levels - part.height,
        shown.balance - (skills.balance - part.balance),
        shown.base - (skills.base - part.base),
        shown.mix - (skills.mix - part.mix),
        # One level may show Strength more than once, or be as wide as Width asks at once.
        int(shown.strength > skills.strength - part.strength),
        int(skills.width > 0 and part.width < widest_allowed(skills)),
        0,
    )


def _wide_to_come(part: _Part, shown: Skills, skills: Skills) -> tuple[int, ...]:
    """The least widths of the levels by which a part has yet to show Width and Base."""
    widest = widest_allowed(skills)
    base = shown.base - (skills.base - part.base)
    if part.width > widest:
        return tuple(_narrowest(part.width, part.balance, base))
    just_so_wide = (widest,) if skills.width and part.width < widest else ()
    if base <= 0:
        return just_so_wide
    return *just_so_wide, widest + 1, *_narrowest(widest + 1, part.balance, base - 1)
