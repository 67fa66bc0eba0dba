"""What is in the box of Once Upon a Castle: the edition's tables, read and checked."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, pairwise

from castlelab.edition import Edition, Table
from castlelab.games.once_upon_a_castle.board import Gift, Layout, PatternError, make_layout
from castlelab.games.once_upon_a_castle.guests import POWERS, Guest
from castlelab.rules import NotationError, quoted

VERSIONS = ("apprentice", "architect")
APPRENTICE_GUESTS = 16
MOST_POINTS = 20
_MOST_RESIDENTS = 60  # on the track
_MOST_GROUPS = 20
_GIFT = re.compile(r"(floor|wall|reactivate|steal)|(tower|flag) ([1-9])|([1-9]) residents?")
_GIFT_WORDS = (
    "parts such as 'floor', 'wall', 'tower 5', 'flag 2', '3 residents', 'reactivate' or 'steal', "
    "joined by ' + '"
)
_NAME = re.compile(r"[a-z]{2,20}")


@dataclass(frozen=True)
class Track:
    """The residents' track: where each of its groups ends, and what it is worth."""

    ends: tuple[int, ...]
    values: tuple[int, ...]

    @property
    def length(self) -> int:
        return self.ends[-1]

    def value(self, residents: int) -> int:
        """The value of the group in which the last resident stands (once_upon_a_castle/score).

        >>> Track((3, 6), (1, 5)).value(4)
        5
        """
        group = bisect_left(self.ends, residents)
        return self.values[min(group, len(self.values) - 1)] if residents > 0 else 0


@dataclass(frozen=True)
class Box:
    """Everything that comes out of the box for one version."""

    layout: Layout
    track: Track
    guests: tuple[Guest, ...]


def read_box(edition: Edition, version: str) -> Box:
    """The box of an edition; whatever is wrong with it is an ``EditionError``.

    Both versions are read, so that a wrong file never waits for its moment.
    """
    layouts = {name: _read_layout(edition.table(f"{name}_board"), name) for name in VERSIONS}
    track = _read_track(edition.table("residents"))
    guests = {
        "apprentice": _read_visitors(edition.table("apprentice_guests")),
        "architect": _read_guests(edition.table("architect_guests")),
    }
    return Box(layouts[version], track, guests[version])


@cache
def house_box(version: str) -> Box:
    """The box of the house edition."""
    return read_box(Edition.load("once_upon_a_castle"), version)


def house_layouts() -> tuple[Layout, ...]:
    """The boards of the house edition, Apprentice first."""
    return tuple(house_box(version).layout for version in VERSIONS)


def house_guests() -> dict[str, Guest]:
    """The Great Architect's guests of the house edition by name."""
    return {guest.name: guest for guest in house_box("architect").guests}


def house_guest(name: str) -> Guest:
    """The Great Architect's guest of that name; anybody else is a ``NotationError``."""
    known = house_guests()
    if name not in known:
        raise NotationError(f"there is no guest {quoted(name)}; the guests are {', '.join(known)}")
    return known[name]


def _read_layout(table: Table, version: str) -> Layout:
    pattern = table.texts("pattern")
    gifts = {
        key: tuple(_read_gift(table, key, text) for text in table.texts(key))
        for key in ("rows", "columns")
    }
    table.finish()
    try:
        layout = make_layout(version, pattern, gifts["rows"], gifts["columns"])
    except PatternError as error:
        raise table.fail(error.key, error.problem) from None
    for part in ("floor", "tower", "wall"):
        if not any(getattr(line.gift, part) for line in layout.lines):
            raise table.fail("rows", f"and columns have no {part}; each main part needs a line")
    if version == "apprentice":
        for power in ("reactivate", "steal"):
            if any(getattr(line.gift, power) for line in layout.lines):
                raise table.fail(
                    "rows", f"or columns have '{power}'; it is for the architect_board only"
                )
    return layout


def _read_gift(table: Table, key: str, text: str) -> Gift:
    found: dict[str, int | bool] = {}
    for part in text.split("+"):
        match = _GIFT.fullmatch(part.strip())
        if match is None:
            raise table.fail(key, f"has {quoted(text)}; a gift is made of {_GIFT_WORDS}")
        word, valued, worth, residents = match.groups()
        name = word or valued or "residents"
        if name in found:
            raise table.fail(key, f"has {quoted(text)}; each part goes there once")
        found[name] = True if word else int(worth or residents)
    return Gift(**found)  # type: ignore[arg-type]


def _read_track(table: Table) -> Track:
    groups = table.integers("groups", 1, _MOST_RESIDENTS)
    if not 1 <= len(groups) <= _MOST_GROUPS or sum(groups) > _MOST_RESIDENTS:
        raise table.fail(
            "groups",
            f"has {len(groups)} groups and {sum(groups)} residents; "
            f"there must be 1 to {_MOST_GROUPS} groups of at most {_MOST_RESIDENTS} in all",
        )
    values = table.integers("values", 0, 99, length=len(groups))
    table.finish()
    if any(later < earlier for earlier, later in pairwise(values)):
        raise table.fail("values", f"is {list(values)}; a later group is never worth less")
    return Track(tuple(accumulate(groups)), values)


def _read_visitors(table: Table) -> tuple[Guest, ...]:
    values = table.integers("values", 0, MOST_POINTS, length=APPRENTICE_GUESTS)
    table.finish()
    return tuple(Guest("visitor", points) for points in values)


def _read_guests(table: Table) -> tuple[Guest, ...]:
    found: dict[str, Guest] = {}
    for entry in table.tables("guest"):
        name = entry.text("name")
        if not _NAME.fullmatch(name):
            raise entry.fail("name", f"is {quoted(name)}; it must be one word of small letters")
        if any(guest.name == name for guest in found.values()):
            raise entry.fail("name", f"is {name} once more; each guest has a name of its own")
        power = entry.text("power", POWERS)
        if power in found:
            raise entry.fail(
                "power", f"is {power} like that of {found[power].name}; each power is there once"
            )
        points = entry.integer("points", 0, MOST_POINTS)
        entry.finish()
        found[power] = Guest(name, points, power, POWERS[power].symbol)
    table.finish()
    if missing := [power for power in POWERS if power not in found]:
        raise table.fail("guest", f"has nobody with {', '.join(missing)}; each power is there once")
    return tuple(found.values())
