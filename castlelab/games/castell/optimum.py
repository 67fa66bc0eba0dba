"""The best towers that a team can build: exact answers, found from the top down.

Read downwards, a tower widens and its sizes grow. A level that no size token asks for need
never be wider than the level above forces it to be: a narrower one uses fewer castellers and
asks less of every level below. So only wanted sizes leave a choice of widths, and few
towers remain to be looked at.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType

from castlelab.games.castell.parts import (
    BITS,
    FROM,
    GUARDS,
    LARGEST,
    LESSER,
    ONES,
    PARTNER,
    SHIFT,
    SMALLEST,
    WIDE,
    UpperPart,
    extended,
    level_of,
    means_of,
    most_more,
    nothing_yet,
    state_of,
    tower_of,
    unpacked,
)
from castlelab.games.castell.tower import (
    FESTIVAL_LEVELS,
    MAX_WIDTH,
    MIXES,
    NO_SKILLS,
    SIZES,
    Skills,
    Team,
    Tower,
    widest_allowed,
)
from castlelab.rules import NotationError, given

# The height, then how many of each wanted size, largest size first.
FestivalShow = tuple[int, ...]


def best_tower(
    team: Team | str, skills: Skills | str = NO_SKILLS, wanted: Iterable[int] = ()
) -> Tower | None:
    """A tower of the highest festival score that may enter, or None if no tower may.

    >>> best_tower("9*4 8*2 7*3 6 3*2 2", "width 1, balance 1", wanted=(9, 3))
    Tower('9*4 7*2 3*2 2')
    >>> best_tower("9*4 8*2 7", wanted=(9,)) is None
    True
    """
    return _best(given(Team, team), given(Skills, skills), _sizes(wanted), FESTIVAL_LEVELS)


def best_score(team: Team, skills: Skills, wanted: Iterable[int], above: int = 0) -> int | None:
    """The score of the best tower, or ``above`` if none scores more; None if no tower may enter.

    Whoever asks only for more than they have gets a quicker answer.

    >>> team, skills = Team("9*4 8*2 7*3 6 3*2 2"), Skills(width=1, balance=1)
    >>> best_score(team, skills, (9, 3)), best_score(team, skills, (9, 3), above=20)
    (10, 20)
    """
    return best_scores(team, skills, above)[_sizes(wanted)]


def may_enter(team: Team, skills: Skills, wanted: Iterable[int]) -> bool:
    """Whether any tower of a team may enter (``castell/festival-entry``).

    >>> may_enter(Team("9*4 8*2 7"), NO_SKILLS, (9,))
    False
    """
    sizes = _sizes(wanted)
    if not _at_a_glance(team, skills, sizes):
        return False
    enters, _, most = _SHOWN.between(_needs(nothing_yet(team, skills), skills.width), sizes)
    if enters or not most:
        return enters
    # Whoever may enter will be asked with which towers.
    return bool(_attainable(team, skills, sizes))


def tallest_tower(team: Team | str, skills: Skills | str = NO_SKILLS) -> Tower | None:
    """A tower of as many levels as the team can build, or None for a team of nobody.

    >>> tallest_tower("9*4 8*2 7*3 6 5", "balance 1")
    Tower('9*3 7*2 6 5')
    """
    return _best(given(Team, team), given(Skills, skills), (), 1)


def attainable(
    team: Team, skills: Skills = NO_SKILLS, wanted: Iterable[int] = ()
) -> Mapping[FestivalShow, Tower]:
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


def _sizes(wanted: Iterable[int]) -> tuple[int, ...]:
    """The wanted sizes, largest first, or a clear error."""
    sizes = tuple(wanted)
    for size in sizes:
        if size.__class__ is not int or size not in SIZES:
            raise NotationError(
                f"wanted size {size!r}: sizes are whole numbers from 1 to {LARGEST}"
            )
    return tuple(sorted(sizes, reverse=True))


# --- festivals: what a part is worth, and the levels worth trying below it ---

# What is known about the towers that a part can still become: the score of the part as it is;
# whether each wanted size is there; at most so many points more from wanted castellers; at most
# so many levels more.
Outlook = tuple[int, bool, int, int]


class _Festival:
    """The search for towers at a festival that wants some sizes and a number of levels."""

    def __init__(self, team: Team, skills: Skills, wanted: tuple[int, ...], levels: int) -> None:
        self.counts = (0, *team.counts)
        self.widest = widest_allowed(skills)
        self.most_more = most_more(team, skills)
        self.levels = levels
        # How many tokens ask for each size, the largest size first.
        self.tokens = {size: wanted.count(size) for size in wanted}
        # A wanted size, how many tokens ask for it, and how many castellers the team has; then
        # where they and those who may stand with them by Mix are packed (nobody has size 0).
        # The smallest size first: from the top down it is the first to be out of reach.
        self.wanted = [
            (size, times, self.counts[size], SHIFT[size], SHIFT[PARTNER.get(size, 0)])
            for size, times in reversed(self.tokens.items())
        ]
        self.wanted_mask = sum(ONES << SHIFT[size] for size in self.tokens)
        self.start = nothing_yet(team, skills)
        self._known_most_with: dict[tuple[int, ...], int] = {}

    def result(self, shows: int) -> FestivalShow:
        """The result of a height and the castellers of wanted sizes that are left, packed."""
        counts = self.counts
        used = [counts[size] - (shows >> SHIFT[size] & ONES) for size in self.tokens]
        return shows & ONES, *used

    def lowered(self, part: UpperPart, height: int) -> Tower:
        """The part as a tower of a lesser height that shows as many of the wanted sizes."""
        levels = []
        spare, chain = part[0] - height, part[-1]
        while chain:
            size, own, other, chain = chain
            if spare and size not in self.tokens and not (other and size - 1 in self.tokens):
                spare -= 1
            else:
                levels.append(level_of(size, own, other))
        return Tower.of(levels)

    def outlook(self, part: UpperPart, floor: int = 0) -> Outlook | None:
        """What a part can become; None if it can never enter, or if ``floor`` levels do not fit."""
        score, width, size, balance, base, mix, strength, left, _ = part
        more = self.most_more[size, width, balance, base, mix, strength]
        missing = self.levels - score
        if missing < floor:
            missing = floor
        if more < missing:
            return None
        smallest = SMALLEST[mix > 0][size - strength]
        least = width if balance else width + 1
        enters = True
        gain = 0
        for token, times, count, at, partners in self.wanted:
            here = room = left >> at & ONES
            if mix:
                room += left >> partners & ONES
            fits = room >= least and here and token >= smallest
            if here == count:
                if not fits:
                    return None
                enters = False
                # All levels above its own are narrower than its room, all below are larger.
                limit = balance + room - width + LARGEST - token + strength
                if limit < more:
                    more = limit
                    if more < missing:
                        return None
            else:
                score += times * (count - here)
            if fits:
                gain += times * here
        return score, enters, gain, more

    def hope(self, part: UpperPart, outlook: Outlook) -> int:
        """The most that a part can score, seen from each wanted size that is still to come."""
        _, width, size, *ranks, left, _ = part
        score, _, gain, more = outlook
        hope = more
        for token, times, count, at, _ in self.wanted:
            if left >> at & ONES == count:
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
        mixed = mix > 0 and token in PARTNER
        room = count + self.counts[PARTNER[token]] if mixed else count
        lesser = mixed and token not in LESSER  # then it can stand in one level more
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

    def below(
        self, part: UpperPart, bare: bool, floor: int = 0
    ) -> Iterator[tuple[UpperPart, Outlook]]:
        """Every part with one level more that could matter, the most promising last.

        ``bare`` tells that only height counts; below the new level ``floor`` levels must fit.
        """
        for size, own, other in reversed(self._levels(part, bare)):
            longer = extended(part, self.widest, size, own, other)
            if longer is not None and (outlook := self.outlook(longer, floor)) is not None:
                yield longer, outlook

    def _levels(self, part: UpperPart, bare: bool) -> list[tuple[int, int, int]]:
        """The levels worth trying below a part: a size, how many, how many of the lesser."""
        _, width, above, balance, _, mix, strength, left, _ = part
        counts, tokens = unpacked(left), self.tokens
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
            if not (mix and size in LESSER and (other := counts[size - 1])):
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
                return min(LARGEST, size + max(0, strength - 1) + (mix > 0))
        return LARGEST

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
    part, _ = _beyond(_Festival(team, skills, wanted, levels), 0)
    return tower_of(part) if part else None


def _at_a_glance(team: Team, skills: Skills, wanted: tuple[int, ...]) -> int:
    """A score that no tower can exceed: 0 if none may enter."""
    counts = team.counts
    widest = MAX_WIDTH + skills.width + skills.base
    room = max(counts)
    if skills.mix:
        room = max(room, *[counts[larger - 1] + counts[lesser - 1] for larger, lesser in MIXES])
    levels = skills.balance + min(widest, room)
    gain = 0
    for size in wanted:
        here = room = counts[size - 1]
        gain += here
        if skills.mix and size in PARTNER:
            room += counts[PARTNER[size] - 1]
        # All levels above its own are narrower than its room, all below are larger.
        levels = min(levels, skills.balance + room + LARGEST - size + skills.strength)
    return levels + gain if levels >= FESTIVAL_LEVELS else 0


class BestScores(dict[tuple[int, ...], int | None]):
    """The best scores of a team by the wanted sizes, largest first: see ``best_score``."""

    def __init__(self, team: Team, skills: Skills, above: int) -> None:
        self._team, self._skills, self._above = team, skills, above

    def __missing__(self, wanted: tuple[int, ...]) -> int | None:
        counts, sizes = self._team.counts, _sizes(wanted)
        # At a glance: there may be nobody to show.
        known = None if 0 in [counts[size - 1] for size in sizes] else self._found(sizes)
        self[wanted] = known
        return known

    def _found(self, wanted: tuple[int, ...]) -> int | None:
        team, skills, above = self._team, self._skills, self._above
        has = _needs(nothing_yet(team, skills), skills.width)
        enters, least, most = _SHOWN.between(has, wanted)
        least = max(above, least)
        most = min(most, _at_a_glance(team, skills, wanted))
        if most <= least:
            return least if enters or (most and _enters(team, skills, wanted)) else None
        festival = _Festival(team, skills, wanted, FESTIVAL_LEVELS)
        part, score = _beyond(festival, least)
        if part:
            _SHOWN.add_tower(has - _needs(part, 0), wanted, score)
        enters = enters or part is not None or (above > 0 and _enters(team, skills, wanted))
        _SHOWN.add_limit(has, wanted, score if enters else 0)
        return score if enters else None


#: The best scores of a team at all festivals: one look at the team serves for all of them.
best_scores = lru_cache(maxsize=1 << 13)(BestScores)


@lru_cache(maxsize=1 << 14)
def _enters(team: Team, skills: Skills, wanted: tuple[int, ...]) -> bool:
    """Whether any tower may enter: the first one that is found will do."""
    has = _needs(nothing_yet(team, skills), skills.width)
    enters, _, most = _SHOWN.between(has, wanted)
    if enters or not most:
        return enters
    festival = _Festival(team, skills, wanted, FESTIVAL_LEVELS)
    part, score = _beyond(festival, 0, at_once=True)
    if part:
        _SHOWN.add_tower(has - _needs(part, 0), wanted, score)
    else:
        _SHOWN.add_limit(has, wanted, 0)
    return part is not None


class _ShownTowers:
    """Towers that were found for festivals, as what they need and what they score; and what
    teams with so much cannot go beyond.

    A tower stands for every team that has its castellers and its ranks, and who has less than
    a team goes no further than that team. So a team with a casteller more than another need
    only be asked what it can do beyond the other's best, and many teams need not be asked.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[int, ...], tuple[deque[_Known], deque[_Known]]] = {}

    def between(self, has: int, wanted: tuple[int, ...]) -> tuple[bool, int, int]:
        """Whether a known tower can be built, the best score of those, and the highest score
        that is possible: 0 if no tower may enter.
        """
        enters, least, most = False, 0, _BEYOND
        if known := self._known.get(wanted):
            towers, limits = known
            guarded = has | GUARDS
            for needs, score in towers:
                if guarded - needs & GUARDS == GUARDS:
                    enters = True
                    if score > least:
                        least = score
            for other, score in limits:
                if score < most and (other | GUARDS) - has & GUARDS == GUARDS:
                    most = score
        return enters, least, most

    def add_tower(self, needs: int, wanted: tuple[int, ...], score: int) -> None:
        self._of(wanted)[0].append((needs, score))

    def add_limit(self, has: int, wanted: tuple[int, ...], score: int) -> None:
        self._of(wanted)[1].append((has, score))

    def _of(self, wanted: tuple[int, ...]) -> tuple[deque[_Known], deque[_Known]]:
        found = self._known.get(wanted)
        if found is None:
            if len(self._known) >= _FESTIVALS_KNOWN:
                self._known.clear()
            found = self._known[wanted] = deque(maxlen=_TOWERS_KNOWN), deque(maxlen=_LIMITS_KNOWN)
        return found


def _needs(part: UpperPart, widening: int) -> int:
    """The castellers and ranks that a part has left, packed."""
    *_, balance, base, mix, strength, left, _ = part
    ranks = (strength << BITS | mix) << 2 * BITS | base << BITS | balance
    return (ranks << BITS | widening) << SHIFT[LARGEST + 1] | left


_Known = tuple[int, int]  # castellers and ranks, packed, and a score
_FESTIVALS_KNOWN, _TOWERS_KNOWN, _LIMITS_KNOWN = 1 << 8, 24, 24
_BEYOND = 1 << 20  # more than any score
_SHOWN = _ShownTowers()


def _beyond(
    festival: _Festival, best_score: int, at_once: bool = False
) -> tuple[UpperPart | None, int]:
    """The best tower that scores more than so much, and its score; or the first one found.

    Best first: always go on from a part that promises most, until none promises more.
    """
    outlook = festival.outlook(festival.start)
    if outlook is None:
        return None, best_score
    levels = festival.levels
    best: UpperPart | None = None
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
            state = state_of(longer, levels)
            if seen.get(state, -1) >= score:
                continue
            seen[state] = score
            if enters and score > best_score and longer[0] >= levels:
                best, best_score = longer, score
                if at_once:
                    return best, best_score
            if hope > score:
                queue.setdefault(hope, []).append((longer, outlook))
    return best, best_score


@lru_cache(maxsize=4096)
def _attainable(
    team: Team, skills: Skills, wanted: tuple[int, ...]
) -> Mapping[FestivalShow, Tower]:
    """Every part that could become something new, each looked at once.

    A level without a wanted size may be left out of any tower. So a tower stands for all
    the lower ones that show as many castellers of the wanted sizes, down to the number of
    its levels that bear one; and the taller of two parts is the better one.
    """
    festival = _Festival(team, skills, wanted, FESTIVAL_LEVELS)
    # A result as one number: the castellers of wanted sizes that are left, and the height.
    found: dict[int, UpperPart] = {}
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
            merits = means_of(longer) | (height << BITS | WIDE - bears) << SHIFT[LARGEST + 6]
            # Castellers too small to be used again do not matter.
            needed = merits & (FROM[SMALLEST[mix > 0][size - strength]] | ONES)
            rivals = seen.setdefault(shows, [])
            for rival in reversed(rivals):
                # Every field of a rival is at least as large if no guard is borrowed from.
                if (rival | GUARDS) - needed & GUARDS == GUARDS:
                    break
            else:
                rivals.append(merits)
                parts.append((longer, enters and not gain, bears))
    results = {festival.result(shows): (part, shows & ONES) for shows, part in found.items()}
    return MappingProxyType(
        {result: festival.lowered(*results[result]) for result in sorted(results, reverse=True)}
    )
