"""What is in the box of Castell: the edition's tables, read and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from castlelab.edition import Edition, Table
from castlelab.game import written
from castlelab.games.castell.tower import CASTELLERS, MAX_RANK, MAX_WIDTH, SIZES, SKILLS, Skills
from castlelab.rules import quoted

WHEEL_TILES = (*SKILLS, "practice", "special")
FESTIVAL_ROUNDS = range(3, 11)
BACKS = ("I", "II")
FESTIVAL_TILES = 14
SIZE_TOKENS = 30
PERFORMANCES = 32
_LONGEST_NAME = 24
_OUT_OF_REACH = 99  # steps to a region to which no way leads


@dataclass(frozen=True)
class Performance:
    """A local performance: a tower shape (``widths``) or a skill exhibition (``shown``)."""

    points: int
    widths: tuple[int, ...] = ()
    shown: Skills = Skills()

    @property
    def is_shape(self) -> bool:
        return bool(self.widths)

    @cached_property
    def levels(self) -> int:
        """The levels that a tower for it has at least."""
        return len(self.widths) or self.points

    @cached_property
    def equal_levels(self) -> int:
        """How many levels of a shape are as wide as the one below."""
        return sum(lower == upper for lower, upper in pairwise(self.widths))

    @cached_property
    def castellers(self) -> int:
        """How many castellers a shape has; an exhibition does not say."""
        return sum(self.widths)

    @cached_property
    def widest(self) -> int:
        """The widest level that a tower for it has at least."""
        shown = self.shown
        wide = max(shown.width, shown.base > 0)  # Base may have a second level of that width
        return max([*self.widths, MAX_WIDTH + wide if wide else 1])

    @cached_property
    def _hash(self) -> int:
        return hash((self.points, self.widths, self.shown))

    def __hash__(self) -> int:
        return self._hash  # tiles are looked up for every list of moves

    @cached_property
    def _word(self) -> str:
        if self.is_shape:
            return "-".join(map(str, self.widths))
        shown = [(skill, self.shown.rank(skill)) for skill in SKILLS if self.shown.rank(skill)]
        skills = "+".join(skill if rank == 1 else f"{skill}*{rank}" for skill, rank in shown)
        return f"{self.points}:{skills}"

    def __str__(self) -> str:
        """One word of notation: ``3-2-1``, or ``6:base+mix*2+strength``."""
        return self._word

    __repr__ = written

    def describe(self) -> str:
        """What the tile asks for, in words."""
        if self.is_shape:
            return f"a tower of exactly {', '.join(map(str, self.widths))} castellers, base first"
        return f"at least {self.points} levels, using {self.shown}"


@dataclass(frozen=True, slots=True)
class Space:
    """A space of the festival calendar."""

    round: int
    back: str
    tokens: int
    players: int


@dataclass(frozen=True)
class Box:
    """Everything that comes out of the box. Regions are known by their place in ``regions``."""

    regions: tuple[str, ...]
    neighbours: tuple[tuple[int, ...], ...]
    castellers: tuple[int, ...]
    size_tokens: tuple[int, ...]
    wheel_tiles: tuple[str, ...]
    wheel_order: tuple[int, ...]  # the regions clockwise from the special slot
    festivals: dict[str, tuple[int, ...]]  # back → regions
    calendar: tuple[Space, ...]
    performances: tuple[Performance, ...]

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Where each name stands in ``regions``."""
        return {name: place for place, name in enumerate(self.regions)}

    @cached_property
    def distances(self) -> tuple[tuple[int, ...], ...]:
        """Steps of the pawn from each region to each."""
        return tuple(self._distances(start) for start in range(len(self.regions)))

    def _distances(self, start: int) -> tuple[int, ...]:
        far = {start: 0}
        queue = [start]
        for here in queue:
            for there in self.neighbours[here]:
                if there not in far:
                    far[there] = far[here] + 1
                    queue.append(there)
        return tuple(far.get(region, _OUT_OF_REACH) for region in range(len(self.regions)))


def read_box(edition: Edition) -> Box:
    """The box of an edition; whatever is wrong with it is an ``EditionError``."""
    table = edition.table("regions")
    regions = table.texts("names", length=7)
    for name in regions:  # the notation tells them apart by word, in small or capital letters
        twice = [other.lower() for other in regions].count(name.lower()) > 1
        if twice or name.split() != [name] or len(name) > _LONGEST_NAME or not name.isprintable():
            raise table.fail(
                "names",
                f"has {quoted(name)}; it must be seven different names without spaces, "
                f"of at most {_LONGEST_NAME} letters",
            )
    table.finish()
    wheel_tiles, wheel_order = _read_wheel(edition.table("wheel"), regions)
    festivals = _read_festivals(edition.table("festivals"), regions)
    return Box(
        regions=regions,
        neighbours=_read_map(edition.table("map"), regions),
        castellers=_read_counts(edition.table("castellers"), CASTELLERS),
        size_tokens=_read_counts(edition.table("size_tokens"), SIZE_TOKENS),
        wheel_tiles=wheel_tiles,
        wheel_order=wheel_order,
        festivals=festivals,
        calendar=_read_calendar(edition.table("calendar"), festivals),
        performances=_read_performances(edition.table("performances")),
    )


def _read_map(table: Table, regions: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
    near: list[set[int]] = [set() for _ in regions]
    for place, pair in enumerate(table.lists("neighbours"), start=1):
        if len(pair) != 2 or pair[0] == pair[1] or any(name not in regions for name in pair):
            raise table.fail(
                f"neighbours[{place}]",
                f"is {quoted(pair)}; it must be a pair of different regions "
                f"out of {', '.join(regions)}",
            )
        one, other = map(regions.index, pair)
        near[one].add(other)
        near[other].add(one)
    table.finish()
    for region, around in zip(regions, near, strict=True):
        if not around:
            raise table.fail("neighbours", f"leaves {region} without a neighbour")
    return tuple(tuple(sorted(around)) for around in near)


def _read_counts(table: Table, total: int) -> tuple[int, ...]:
    counts = table.integers("per_size", 0, total, length=len(SIZES), total=total)
    table.finish()
    return counts


def _read_wheel(table: Table, regions: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    tiles = table.texts("tiles", WHEEL_TILES, length=8)
    order = table.texts("clockwise", regions, length=7)
    table.finish()
    if set(tiles) != set(WHEEL_TILES):
        missing = ", ".join(name for name in WHEEL_TILES if name not in tiles)
        raise table.fail("tiles", f"has no {missing}; each kind must be there")
    if len(set(order)) != 7:
        twice = next(name for name in order if order.count(name) > 1)
        raise table.fail("clockwise", f"has {twice} twice; it must name each region once")
    return tiles, tuple(map(regions.index, order))


def _read_festivals(table: Table, regions: tuple[str, ...]) -> dict[str, tuple[int, ...]]:
    tiles = {back: tuple(map(regions.index, table.texts(back, regions))) for back in BACKS}
    table.finish()
    if (number := sum(map(len, tiles.values()))) != FESTIVAL_TILES:
        raise table.fail(
            "I", f"and II have {number} tiles together; there must be {FESTIVAL_TILES}"
        )
    return tiles


def _read_calendar(calendar: Table, tiles: dict[str, tuple[int, ...]]) -> tuple[Space, ...]:
    spaces = []
    for entry in calendar.tables("space"):
        spaces.append(
            Space(
                round=entry.integer("round", FESTIVAL_ROUNDS[0], FESTIVAL_ROUNDS[-1]),
                back=entry.text("back", BACKS),
                tokens=entry.integer("tokens", 1, 3),
                players=entry.integer("players", 2, 4),
            )
        )
        entry.finish()
    calendar.finish()
    spaces.sort(key=lambda space: space.round)
    for back, regions_of_back in tiles.items():
        used = sum(space.back == back for space in spaces)
        if used > len(regions_of_back):
            raise calendar.fail(
                "space", f"uses {used} tiles marked {back}; there are {len(regions_of_back)}"
            )
    for round_ in FESTIVAL_ROUNDS:
        for players in (2, 3, 4):
            held = sum(s.round == round_ and s.players <= players for s in spaces)
            if held not in (1, 2):
                raise calendar.fail(
                    "space",
                    f"has {held} festivals in round {round_} for "
                    f"{players} players; there must be 1 or 2",
                )
    if (tokens := sum(space.tokens for space in spaces)) > SIZE_TOKENS:
        raise calendar.fail("space", f"shows {tokens} size tokens; there are {SIZE_TOKENS}")
    return tuple(spaces)


def _read_performances(table: Table) -> tuple[Performance, ...]:
    found = []
    for entry in table.tables("shape"):
        widths = entry.integers("widths", 1, 15)
        if not 1 <= len(widths) <= 20 or list(widths) != sorted(widths, reverse=True):
            raise entry.fail(
                "widths", f"is {list(widths)[:20]}; it must be 1 to 20 numbers that never grow"
            )
        found.append(Performance(entry.integer("points", 1, 20), widths))
        entry.finish()
    for entry in table.tables("exhibition"):
        points = entry.integer("points", 1, 20)
        skills = entry.table("skills")
        ranks = {skill: skills.integer(skill, 1, MAX_RANK) for skill in SKILLS if skills.has(skill)}
        skills.finish()
        if not ranks:
            raise entry.fail("skills", f"is empty; show at least one of {', '.join(SKILLS)}")
        found.append(Performance(points, shown=Skills(**ranks)))
        entry.finish()
    table.finish()
    for tile, name in ((tile, str(tile)) for tile in found):
        if any(str(other) == name and other != tile for other in found):
            raise table.fail("shape", f"has {name} with different points; its name must be enough")
    if len(found) != PERFORMANCES:
        raise table.fail(
            "shape",
            f"and exhibition have {len(found)} tiles together; there must be {PERFORMANCES}",
        )
    return tuple(found)
