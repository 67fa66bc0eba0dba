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
from struct import Struct
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


def _sizes(wanted: Iterable[int]) -> tuple[int, ...]:
    """The wanted sizes, largest first, or a clear error."""
    sizes = tuple(wanted)
    for size in sizes:
        if size.__class__ is not int or size not in SIZES:
            raise NotationError(
                f"wanted size {size!r}: sizes are whole numbers from 1 to {_LARGEST}"
            )
    return tuple(sorted(sizes, reverse=True))


# --- castellers at hand, packed into one integer: quick to take from, to compare ---

_BITS = 16  # for each size: far more castellers than a box holds
_ONES = (1 << _BITS) - 1
_SHIFT = tuple(_BITS * field for field in range(_LARGEST + 8))
_FROM = tuple(-1 << shift for shift in _SHIFT)  # what is kept of the sizes from this one on
_WIDE = _ONES >> 2  # wider than any level
_GUARDS = sum(1 << shift + _BITS - 1 for shift in _SHIFT)  # see `_means`
_COUNTS = Struct(f"<{_LARGEST + 1}H")  # by size; nobody has size 0


def _pack(team: Team) -> int:
    return int.from_bytes(_COUNTS.pack(0, *team.counts), "little")


def _unpack(left: int) -> tuple[int, ...]:
    return _COUNTS.unpack(left.to_bytes(_COUNTS.size, "little"))


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

# The upper part of a tower and what is left for the levels below it: the height, the width
# and the size of the lowest level so far, Balance, Base, Mix and Strength left, castellers
# left (packed), and the levels, the lowest first. A plain tuple: thousands are made and
# thrown away, and a class of its own would take longer to make than all the rest.
Part = tuple[int, int, int, int, int, int, int, int, "Chain | None"]


def _tower(part: Part) -> Tower:
    """The part as a tower of its own."""
    levels = []
    chain = part[-1]
    while chain:
        size, own, other, chain = chain
        levels.append(_level(size, own, other))
    return Tower.of(levels)


@lru_cache(maxsize=1024)
def _level(size: int, own: int, other: int = 0) -> Level:
    """A level of so many of a size and of its lesser partner."""
    parts = (size, own), (size - 1, other)
    return Level(parts if other else parts[:1])


def _means(part: Part) -> int:
    """All that the levels below can draw on, packed: more of anything is never worse.

    A narrower and a smaller lowest level are more, too.
    """
    _, width, size, balance, base, mix, strength, left, _ = part
    ranks = (strength << _BITS | mix) << 2 * _BITS | base << _BITS | balance
    return (ranks << _BITS | _LARGEST - size) << _SHIFT[_LARGEST + 1] | left | _WIDE - width


def _state(part: Part, tall: int) -> tuple[int, ...]:
    """All that matters for the levels below, heights from ``tall`` on being alike.

    Of the castellers left, those too small to be used again are forgotten.
    """
    height, width, size, balance, base, mix, strength, left, _ = part
    useful = left & _FROM[_SMALLEST[mix > 0][size - strength]]
    height = height if height < tall else tall
    return height, width, size, balance, base, mix, strength, useful


def _nothing_yet(team: Team, skills: Skills) -> Part:
    """The part from which every tower starts: no level, all ranks, the whole team."""
    ranks = skills.balance, skills.base, skills.mix, skills.strength
    return 0, 0, 0, *ranks, _pack(team), None


class _MostMore(dict[tuple[int, ...], int]):
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
        # Each size with what Mix could add to it, if anything.
        self.sizes = [
            (size, own, own + counts[size - 1] if size in _LESSER else 0)
            for size, own in enumerate(counts)
            if own
        ]
        self._known_rooms: dict[tuple[int, bool], _Rooms] = {}
        self.room = max(counts), max((max(sizes[1:]) for sizes in self.sizes), default=0)

    def __missing__(self, level: tuple[int, int, int, int, int, int]) -> int:
        size, width, balance, base, mix, strength = level
        if balance and width:
            balance -= 1
        else:
            width += 1
        if width > self.widest:
            base -= 1
        most = 0
        if base >= 0 and width <= self.room[mix > 0]:
            if strength:
                most = 1 + self[size, width, balance, base, mix, strength - 1]
            may_mix = mix > 0
            for larger, own, mixed in self.sizes:
                if larger <= size:
                    continue
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

    def _manned(self, level: tuple[int, int, int, int, int, int], most: int) -> int:
        """So many levels below a level or, if castellers are too few for them, fewer."""
        size, width, balance, _, mix, strength = level
        asked = max(1, size + 1 - strength), mix > 0
        rooms = self._known_rooms.get(asked)
        if rooms is None:
            rooms = self._known_rooms[asked] = self._rooms(*asked)
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


def _extend(part: Part, widest: int, size: int, own: int, other: int) -> Part | None:
    """The part with a level of so many of a size and of its lesser partner below.

    None if it is wider than the widest level and no Base is left to allow it.
    """
    height, width, above, balance, base, mix, strength, left, levels = part
    left -= own << _SHIFT[size]
    chain = size, own, other, levels
    if other:
        left -= other << _SHIFT[size - 1]
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


def _narrowest(width: int, balance: int, levels: int) -> Iterator[int]:
    """The least widths of so many levels below one of this width: Balance at once, then wider."""
    for _ in range(levels):
        if width and balance:
            balance -= 1
        else:
            width += 1
        yield width


# --- festivals: what a part is worth, and the levels worth trying below it ---

# What is known about the towers that a part can still become: the score of the part as it is;
# whether each wanted size is there; at most so many points more from wanted castellers; at most
# so many levels more.
Outlook = tuple[int, bool, int, int]


class _Festival:
    """The search for towers at a festival that wants some sizes and a number of levels."""

    def __init__(
        self,
        team: Team,
        skills: Skills,
        wanted: tuple[int, ...],
        levels: int,
        thorough: bool = False,
    ) -> None:
        self.counts = (0, *team.counts)
        self.widest = widest_allowed(skills)
        self.most_more = _MostMore(team, skills, thorough)
        self.levels = levels
        # How many tokens ask for each size, the largest size first.
        self.tokens = {size: wanted.count(size) for size in wanted}
        # A wanted size, how many tokens ask for it, and how many castellers the team has; then
        # where they and those who may stand with them by Mix are packed (nobody has size 0).
        # The smallest size first: from the top down it is the first to be out of reach.
        self.wanted = [
            (size, times, self.counts[size], _SHIFT[size], _SHIFT[_PARTNER.get(size, 0)])
            for size, times in reversed(self.tokens.items())
        ]
        self.wanted_mask = sum(_ONES << _SHIFT[size] for size in self.tokens)
        self.start = _nothing_yet(team, skills)
        self._known_most_with: dict[tuple[int, ...], int] = {}

    def result(self, shows: int) -> Result:
        """The result of a height and the castellers of wanted sizes that are left, packed."""
        counts = self.counts
        used = [counts[size] - (shows >> _SHIFT[size] & _ONES) for size in self.tokens]
        return shows & _ONES, *used

    def lowered(self, part: Part, height: int) -> Tower:
        """The part as a tower of a lesser height that shows as many of the wanted sizes."""
        levels = []
        spare, chain = part[0] - height, part[-1]
        while chain:
            size, own, other, chain = chain
            if spare and size not in self.tokens and not (other and size - 1 in self.tokens):
                spare -= 1
            else:
                levels.append(_level(size, own, other))
        return Tower.of(levels)

    def outlook(self, part: Part, floor: int = 0) -> Outlook | None:
        """What a part can become; None if it can never enter, or if ``floor`` levels do not fit."""
        score, width, size, balance, base, mix, strength, left, _ = part
        more = self.most_more[size, width, balance, base, mix, strength]
        missing = self.levels - score
        if missing < floor:
            missing = floor
        if more < missing:
            return None
        smallest = _SMALLEST[mix > 0][size - strength]
        least = width if balance else width + 1
        enters = True
        gain = 0
        for token, times, count, at, partners in self.wanted:
            here = room = left >> at & _ONES
            if mix:
                room += left >> partners & _ONES
            fits = room >= least and here and token >= smallest
            if here == count:
                if not fits:
                    return None
                enters = False
                # All levels above its own are narrower than its room, all below are larger.
                limit = balance + room - width + _LARGEST - token + strength
                if limit < more:
                    more = limit
                    if more < missing:
                        return None
            else:
                score += times * (count - here)
            if fits:
                gain += times * here
        return score, enters, gain, more

    def hope(self, part: Part, outlook: Outlook) -> int:
        """The most that a part can score, seen from each wanted size that is still to come."""
        _, width, size, *ranks, left, _ = part
        score, _, gain, more = outlook
        hope = more
        for token, times, count, at, _ in self.wanted:
            if left >> at & _ONES == count:
                asked = token, size, width, *ranks
                known = self._known_most_with.get(asked)
                if known is None:
                    known = self._known_most_with[asked] = self._most_with(*asked)
                hope = min(hope, known - times * count)
        return score + gain + hope

    def _most_with(
        self, token: int, size: int, width: int, balance: int, base: int, mix: int, strength: int
    ) -> int:
        """At most so many points for levels and castellers of a wanted size still to come."""
        times, count = self.tokens[token], self.counts[token]
        mixed = mix > 0 and token in _PARTNER
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
                narrower + self.most_more[token, widest, 0, base, mix, strength],
                smaller + self.most_more[token, widest, balance, base, mix, strength],
            )
            best = max(best, height + times * min(count, levels * widest))
        return best

    def below(self, part: Part, bare: bool, floor: int = 0) -> Iterator[tuple[Part, Outlook]]:
        """Every part with one level more that could matter, the most promising last.

        ``bare`` tells that only height counts; below the new level ``floor`` levels must fit.
        """
        for size, own, other in reversed(self._levels(part, bare)):
            longer = _extend(part, self.widest, size, own, other)
            if longer is not None and (outlook := self.outlook(longer, floor)) is not None:
                yield longer, outlook

    def _levels(self, part: Part, bare: bool) -> list[tuple[int, int, int]]:
        """The levels worth trying below a part: a size, how many, how many of the lesser."""
        _, width, above, balance, _, mix, strength, left, _ = part
        counts, tokens = _unpack(left), self.tokens
        least = width if balance and width else width + 1
        # Balance at once, where only height counts.
        widths = (least,) if bare or least > width else (least, width + 1)
        # Without Strength no size comes again: the smallest that serves a width serves best.
        served: set[int] = set()
        served_mixed: set[int] = set()
        found: list[tuple[int, int, int]] = []
        for size in range(max(1, above + 1 - strength), self._last(counts, mix, strength) + 1):
            own = counts[size]
            if not own:
                continue
            if size in tokens:
                found += [(size, count, 0) for count in range(own, least - 1, -1)]
            else:
                for count in widths:
                    if count <= own and count not in served:
                        found.append((size, count, 0))
                        if not strength:
                            served.add(count)
            if not (mix and size in _LESSER and (other := counts[size - 1])):
                continue
            if size in tokens or size - 1 in tokens:
                found += self._wanted_mixes(size, own, other, least, widths[-1])
                continue
            for count in widths:
                if 1 < count <= own + other and count not in served and count not in served_mixed:
                    spare = strength - max(0, above - size + 1)
                    found += _plain_mixes(size, own, other, count, spare, mix)
                    if not strength:
                        served_mixed.add(count)
        return found

    def _last(self, counts: tuple[int, ...], mix: int, strength: int) -> int:
        """The largest next size that does not leave a wanted size out of reach."""
        for size, _, count, _, _ in self.wanted:
            if counts[size] == count:
                return min(_LARGEST, size + max(0, strength - 1) + (mix > 0))
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
) -> list[tuple[int, int, int]]:
    """The ways to mix a level of this width that leave the best choice for levels below."""
    if not strength:  # neither size can come again: mix only in need
        return [(size, own, width - own)] if own < width else []
    if strength == 1 and mix == 1:  # only the larger size can come again
        lesser = min(other, width - 1)
        return [(size, width - lesser, lesser)]
    counts = range(max(1, width - other), min(own, width - 1) + 1)
    return [(size, count, width - count) for count in counts]


@lru_cache(maxsize=4096)
def _best(team: Team, skills: Skills, wanted: tuple[int, ...], levels: int) -> Tower | None:
    """Best first: always go on from a part that promises most, until none promises more."""
    festival = _Festival(team, skills, wanted, levels, thorough=True)
    outlook = festival.outlook(festival.start)
    if outlook is None:
        return None
    best: Part | None = None
    best_score = 0
    seen: dict[tuple[int, ...], int] = {}
    _, _, gain, more = outlook
    queue = {gain + more: [(festival.start, outlook)]}
    while queue and (promise := max(queue)) > best_score:
        part, known = queue[promise].pop()
        if not queue[promise]:
            del queue[promise]
        hope = festival.hope(part, known)
        if hope < promise:  # a closer look, worth its while only now
            queue.setdefault(hope, []).append((part, known))
            continue
        score, enters, gain, _ = known
        bare = enters and not gain
        for longer, outlook in festival.below(part, bare, best_score - score - gain):
            score, enters, gain, more = outlook
            hope = min(promise, score + gain + more)
            if hope <= best_score:
                continue
            state = _state(longer, levels)
            if seen.get(state, -1) >= score:
                continue
            seen[state] = score
            if enters and score > best_score and longer[0] >= levels:
                best, best_score = longer, score
            if hope > score:
                queue.setdefault(hope, []).append((longer, outlook))
    return _tower(best) if best else None


@lru_cache(maxsize=4096)
def _attainable(team: Team, skills: Skills, wanted: tuple[int, ...]) -> Mapping[Result, Tower]:
    """Every part that could become something new, each looked at once.

    A level without a wanted size may be left out of any tower. So a tower stands for all
    the lower ones that show as many castellers of the wanted sizes, down to the number of
    its levels that bear one; and the taller of two parts is the better one.
    """
    festival = _Festival(team, skills, wanted, FESTIVAL_LEVELS)
    # A result as one number: the castellers of wanted sizes that are left, and the height.
    found: dict[int, Part] = {}
    seen: dict[int, list[int]] = {}  # the merits of the parts that show as many castellers
    tokens, mask = festival.tokens, festival.wanted_mask
    parts = [(festival.start, not wanted, 0)] if festival.outlook(festival.start) else []
    while parts:
        part, bare, bearing = parts.pop()
        for longer, (_, enters, gain, more) in festival.below(part, bare):
            height, _, size, _, _, mix, strength, left, levels = longer
            assert levels is not None
            bears = bearing + (size in tokens or (levels[2] > 0 and size - 1 in tokens))
            shows = left & mask
            if enters:
                for lower in range(max(bears, FESTIVAL_LEVELS), height + 1):
                    found.setdefault(shows | lower, longer)
                taller = range(height + more, height, -1)
                if not gain and all(shows | each in found for each in taller):
                    continue  # it could only grow taller, and such towers are known
            merits = _means(longer) | (height << _BITS | _WIDE - bears) << _SHIFT[_LARGEST + 6]
            # Castellers too small to be used again do not matter.
            needed = merits & (_FROM[_SMALLEST[mix > 0][size - strength]] | _ONES)
            rivals = seen.setdefault(shows, [])
            for rival in reversed(rivals):
                # Every field of a rival is at least as large if no guard is borrowed from.
                if (rival | _GUARDS) - needed & _GUARDS == _GUARDS:
                    break
            else:
                rivals.append(merits)
                parts.append((longer, enters and not gain, bears))
    results = {festival.result(shows): (part, shows & _ONES) for shows, part in found.items()}
    return MappingProxyType(
        {result: festival.lowered(*results[result]) for result in sorted(results, reverse=True)}
    )


# --- local performances: given widths, or skills to show ---


class _Mans(dict[tuple[tuple[int, ...], int, int, int], bool]):
    """Whether a glance leaves hope that levels of these widths can stand below a size.

    Asked with Mix and Strength left; bounded in the same way as ``_MostMore``.
    """

    def __init__(self, most_more: _MostMore) -> None:
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


def _fillings(part: Part, counts: tuple[int, ...], width: int) -> Iterator[tuple[int, int, int]]:
    """Every way to man a level of this width below a part: a size, how many, how many lesser.

    The smallest size comes first: it leaves most to choose from.
    """
    _, _, above, _, _, mix, strength, _, _ = part
    for size in range(max(1, above - strength + 1), _LARGEST + 1):
        own = counts[size]
        if own >= width:
            yield size, width, 0
        if mix and own and size in _LESSER:
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
    size = _LARGEST + 1
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
    return Tower.of(map(_level, sizes, widths)) if sizes else None


@lru_cache(maxsize=4096)
def _tower_of_shape(widths: tuple[int, ...], team: Team, skills: Skills) -> Tower | None:
    """Try the sizes level by level from the top, never the same state twice."""
    if not widths or sum(widths) > len(team) or not _covered(widths, skills):
        return None
    plain = _plain_tower_of_shape(widths, team)
    if plain is not None or not (skills.mix or skills.strength):
        return plain
    part = _Shape(widths, team, skills).finished(_nothing_yet(team, skills))
    return _tower(part) if part else None


class _Shape:
    """The search for a tower of given widths, base first, that Balance and Base allow."""

    def __init__(self, widths: tuple[int, ...], team: Team, skills: Skills) -> None:
        self.downwards = widths[::-1]
        self.mans = _Mans(_MostMore(team, skills))
        self.seen: set[tuple[int, ...]] = set()

    def finished(self, part: Part) -> Part | None:
        """The part with all levels below it that are missing, or None."""
        height, _, size, _, _, mix, strength, left, _ = part
        if height == len(self.downwards):
            return part
        state = _state(part, height)
        if state in self.seen or not self.mans[self.downwards[height:], size, mix, strength]:
            return None
        self.seen.add(state)
        for level in _fillings(part, _unpack(left), self.downwards[height]):
            longer = _extend(part, _WIDE, *level)
            if longer is not None and (found := self.finished(longer)):
                return found
        return None


@lru_cache(maxsize=4096)
def _exhibition_tower(levels: int, shown: Skills, team: Team, skills: Skills) -> Tower | None:
    """Try every use of Width that would do, and with each the widths that could matter."""
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
        if part := search.finished(_nothing_yet(team, skills)):
            return _tower(part)
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


class _Exhibition:
    """The search for a tower that shows skills, Width used exactly as often as its rank says."""

    def __init__(self, levels: int, shown: Skills, team: Team, skills: Skills) -> None:
        self.levels = levels
        self.widest = widest_allowed(skills)
        self.just_so_wide = self.widest if skills.width else 0
        # What may be left of each skill in the end.
        self.balance, self.base = skills.balance - shown.balance, skills.base - shown.base
        self.mix, self.strength = skills.mix - shown.mix, skills.strength - shown.strength
        self.most_more = _MostMore(team, skills)
        self.mans = _Mans(self.most_more)
        self.seen: set[tuple[int, ...]] = set()

    def finished(self, part: Part) -> Part | None:
        """The part with levels below it until it shows everything asked for, or None."""
        missing = self._missing(part)
        if missing <= 0:
            return part
        _, width, size, balance, base, mix, strength, left, _ = part
        if missing > self.most_more[size, width, balance, base, mix, strength]:
            return None
        state = _state(part, self.levels)
        if state in self.seen:
            return None
        self.seen.add(state)
        to_come = self._wide_to_come(width, balance, base - self.base)
        if to_come and not self.mans[to_come, size, mix, strength]:
            return None
        counts = _unpack(left)
        for wide in self._telling_widths(part):
            for level in _fillings(part, counts, wide):
                longer = _extend(part, self.widest, *level)
                if longer is not None and (found := self._either(longer, wide == part[1])):
                    return found
        return None

    def _either(self, part: Part, again: bool) -> Part | None:
        """The same, with and without Base for a level that is just so wide as the one above."""
        if found := self.finished(part):
            return found
        height, width, size, balance, base, mix, strength, left, levels = part
        if not (again and width == self.just_so_wide and base):
            return None
        return self.finished((height, width, size, balance, base - 1, mix, strength, left, levels))

    def _missing(self, part: Part) -> int:
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

    def _telling_widths(self, part: Part) -> Iterator[int]:
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
            return tuple(_narrowest(width, balance, base))
        first = (self.widest,) if width < self.just_so_wide else ()
        if base <= 0:
            return first
        if self.just_so_wide:  # Base may have more levels of that width
            return *first, *_narrowest(self.widest, balance, base)
        return self.widest + 1, *_narrowest(self.widest + 1, balance, base - 1)
