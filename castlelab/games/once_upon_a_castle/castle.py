"""A drawn castle: floors, towers, walls and flags, its sky, its residents and its guests."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from castlelab.game import changed, written
from castlelab.games.once_upon_a_castle.board import Gift
from castlelab.games.once_upon_a_castle.guests import Guest
from castlelab.rules import NotationError, counted, quoted, rulebook

RULES = rulebook("once_upon_a_castle")

MOST = 4  # floors, towers and walls; once_upon_a_castle/parts
MAIN_PARTS = 3 * MOST
#: How many flags so many walls carry: the first two carry two each (once_upon_a_castle/flags).
FLAG_ROOM = (0, 2, 4, 5, 6)


@dataclass(frozen=True)
class Castle:
    """What a player has drawn so far, part by part or from its text.

    >>> Castle().with_wall().with_flag(2).main_parts
    1
    """

    floors: int = 0
    towers: tuple[int, ...] = ()  # what each is worth
    walls: int = 0
    flags: tuple[int, ...] = ()  # what each is worth
    residents: int = 0
    guests: tuple[Guest, ...] = ()
    sun: bool = False
    cloud: bool = False  # of whoever ended the game
    small_clouds: int = 0  # once_upon_a_castle/guest-shepherdess

    if TYPE_CHECKING:  # the fields do not say that a text will do

        def __init__(
            self,
            floors: int | str = 0,
            towers: tuple[int, ...] = (),
            walls: int = 0,
            flags: tuple[int, ...] = (),
            residents: int = 0,
            guests: tuple[Guest, ...] = (),
            sun: bool = False,
            cloud: bool = False,
            small_clouds: int = 0,
        ) -> None: ...

    def __post_init__(self) -> None:
        text: Any = self.floors
        if isinstance(text, str):
            object.__setattr__(self, "__dict__", {**vars(self.parse(text))})

    @property
    def main_parts(self) -> int:
        """How many of the twelve main parts stand (once_upon_a_castle/parts)."""
        return self.floors + len(self.towers) + self.walls

    @property
    def complete(self) -> bool:
        return self.main_parts == MAIN_PARTS

    @property
    def flag_room(self) -> int:
        """How many more flags the standing walls carry (once_upon_a_castle/flags)."""
        return FLAG_ROOM[self.walls] - len(self.flags)

    @property
    def powers(self) -> frozenset[str]:
        """The powers that last while their guests stay (once_upon_a_castle/hourglass)."""
        if not self.guests:
            return _NO_POWERS
        return frozenset([guest.power for guest in self.guests if guest.symbol == "hourglass"])

    def with_floor(self) -> Castle:
        """A floor more, unless four stand (once_upon_a_castle/parts)."""
        return changed(self, floors=self.floors + 1) if self.floors < MOST else self

    def with_tower(self, worth: int) -> Castle:
        """A tower more, unless four stand (once_upon_a_castle/tower)."""
        return changed(self, towers=(*self.towers, worth)) if len(self.towers) < MOST else self

    def with_wall(self) -> Castle:
        """A wall more, unless four stand (once_upon_a_castle/wall)."""
        return changed(self, walls=self.walls + 1) if self.walls < MOST else self

    def with_flag(self, worth: int) -> Castle:
        """A flag more, if a standing wall has room for it (once_upon_a_castle/flags)."""
        return changed(self, flags=(*self.flags, worth)) if self.flag_room > 0 else self

    def with_residents(self, number: int, track: int) -> Castle:
        """Residents more, as far as the track goes (once_upon_a_castle/residents)."""
        return changed(self, residents=min(self.residents + number, track))

    def with_gift(self, gift: Gift, track: int) -> Castle:
        """Everything of a gift that can be drawn; a wall comes before the flag it carries."""
        castle = self.with_wall() if gift.wall else self
        castle = castle.with_flag(gift.flag) if gift.flag else castle
        castle = castle.with_residents(gift.residents, track) if gift.residents else castle
        castle = castle.with_tower(gift.tower) if gift.tower else castle
        return castle.with_floor() if gift.floor else castle

    def with_guest(self, guest: Guest) -> Castle:
        return changed(self, guests=(*self.guests, guest))

    def without_guest(self, guest: Guest) -> Castle:
        return changed(self, guests=tuple(other for other in self.guests if other != guest))

    def can_draw(self, gift: Gift, track: int) -> bool:
        """Whether a gift would draw a part here, flags among them.

        A wall's residents come even when four walls stand, as far as the track goes
        (once_upon_a_castle/wall).
        """
        return (
            (gift.floor and self.floors < MOST)
            or (gift.tower > 0 and len(self.towers) < MOST)
            or (gift.wall and self.walls < MOST)
            or (gift.wall and gift.residents > 0 and self.residents < track)
            or (gift.flag > 0 and self.flag_room > 0)
        )

    @property
    def stealable(self) -> tuple[Guest, ...]:
        """Guests to steal: a guard keeps those with a Crown (once_upon_a_castle/guest-guard)."""
        if "guard" in self.powers:
            return tuple(guest for guest in self.guests if guest.symbol != "crown")
        return self.guests

    @property
    def words(self) -> str:
        """The castle in words."""
        small = [counted(self.small_clouds, "small cloud")] * bool(self.small_clouds)
        sky = [*["the sun"] * self.sun, *["the cloud"] * self.cloud, *small]
        guests = ", ".join(g.name if g.power else g.words.lower() for g in self.guests)
        parts = (
            f"{counted(self.floors, 'floor')}, {counted(len(self.towers), 'tower')}"
            f"{_worth(self.towers)}, {counted(self.walls, 'wall')}, "
            f"{counted(len(self.flags), 'flag')}{_worth(self.flags)}, "
            f"{counted(self.residents, 'resident')}"
        )
        return "".join(
            [parts, *[f", {part}" for part in sky], *[f", guests: {guests}"] * bool(guests)]
        )

    def __str__(self) -> str:
        """The castle as text that reads back: a part, what there is of it, a semicolon."""
        found = [
            f"floors {self.floors}",
            f"towers {_listed(self.towers)}",
            f"walls {self.walls}",
            f"flags {_listed(self.flags)}",
            f"residents {self.residents}",
            *["sun"] * self.sun,
            *["cloud"] * self.cloud,
            *[f"clouds {self.small_clouds}"] * bool(self.small_clouds),
        ]
        if self.guests:
            found.append(f"guests {_listed(g.name if g.power else g.points for g in self.guests)}")
        return "; ".join(found)

    def __repr__(self) -> str:
        text = str(self)
        try:
            is_read = Castle(text) == self
        except NotationError:  # guests of another box, whose names are not known here
            is_read = False
        return f"Castle({text!r})" if is_read else written(self)

    @staticmethod
    def parse(text: str) -> Castle:
        """Read a castle; what is not named is not there. Guests are those of the house.

        An Apprentice guest is written as its points.

        >>> Castle("towers 5 2; walls 1; flags 2; sun; guests king 3").main_parts
        3
        """
        if not isinstance(text, str) or len(text) > _LONGEST_TEXT:
            raise NotationError(f"a castle is a short text such as {_EXAMPLE}, not {quoted(text)}")
        found: dict[str, Any] = {}
        for part in filter(None, (part.split() for part in text.lower().split(";"))):
            field, value = _read_part(part)
            if field in found:
                raise NotationError(f"{quoted(part[0])} is written twice")
            found[field] = value
        return Castle(**found)

    def _repr_svg_(self) -> str:
        from castlelab.draw.svg import still
        from castlelab.games.once_upon_a_castle.picture import castle_scene

        return still(castle_scene(self))


_LONGEST_TEXT = 500
_EXAMPLE = "'floors 2; towers 5 2; walls 1; flags 2; residents 7; sun; guests king'"
_SKY = ("sun", "cloud")
#: How many there may be, and how many things of which worth.
_COUNTS = {"floors": MOST, "walls": MOST, "residents": 60, "clouds": 99}
_LISTS = {"towers": MOST, "flags": FLAG_ROOM[-1]}
_NO_POWERS: frozenset[str] = frozenset()


def _listed(things: Iterable[object]) -> str:
    return " ".join(map(str, things)) or "none"


def _read_part(words: list[str]) -> tuple[str, Any]:
    """A part of a castle's text as a field and its value."""
    name, *rest = words
    if name in _SKY and not rest:
        return name, True
    if name in _COUNTS:
        if len(rest) == 1 and (number := _number(rest[0], _COUNTS[name])) is not None:
            return {"clouds": "small_clouds"}.get(name, name), number
        raise NotationError(f"{name} is a number from 0 to {_COUNTS[name]}: '{name} 2'")
    if name in _LISTS:
        values = [] if rest == ["none"] else [_number(word, 9) for word in rest]
        if rest and len(values) <= _LISTS[name] and all(values):
            return name, tuple(values)
        raise NotationError(f"{name} are up to {_LISTS[name]} values from 1 to 9: '{name} 2 1'")
    if name == "guests" and rest:
        return name, tuple(map(_read_guest, rest))
    raise NotationError(f"{quoted(' '.join(words))} is no part of a castle; write {_EXAMPLE}")


def _number(word: str, most: int) -> int | None:
    """A whole number in plain digits, if it is not too large."""
    if not (word.isascii() and word.isdigit() and len(word) <= 2) or int(word) > most:
        return None
    return int(word)


def _read_guest(word: str) -> Guest:
    from castlelab.games.once_upon_a_castle.box import house_guest

    points = _number(word, 20)
    return house_guest(word) if points is None else Guest("visitor", points)


def _worth(values: tuple[int, ...]) -> str:
    """What parts are worth, one by one: " (5, 2)"."""
    return f" ({', '.join(map(str, values))})" if values else ""
