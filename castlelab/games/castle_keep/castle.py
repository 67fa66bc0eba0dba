"""Tiles and castles of Castle Keep: match, close the ring, bring it down.

A castle has nine spots: a ring of eight, whose corners are for towers and whose sides are
for walls, and the centre for a keep.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar

from castlelab.game import changed_at
from castlelab.rules import (
    LEGAL,
    Breach,
    CastlelabError,
    IllegalMove,
    NotationError,
    Verdict,
    either,
    listed,
    quoted,
    rulebook,
)
from castlelab.system.packages import widget

if TYPE_CHECKING:
    from castlelab.draw.scene import Scene

RULES = rulebook("castle_keep")

TILE_KINDS = {"T": "tower", "W": "wall", "K": "keep"}
COLOURS = {"R": "red", "Y": "yellow", "B": "blue"}
SHAPES = {"C": "curvy", "Z": "zigzag", "S": "straight"}

#: The ring, clockwise from the north-west corner: corners and sides take turns.
RING = ("nw", "n", "ne", "e", "se", "s", "sw", "w")
CENTRE = 8  # the place of the keep, after the eight of the ring
SPOTS = (*RING, "c")
#: The spots as they are read, row by row.
ROWS = (("nw", "n", "ne"), ("w", "c", "e"), ("sw", "s", "se"))
SPOT_WORDS = {
    "nw": "north-west corner",
    "n": "north side",
    "ne": "north-east corner",
    "e": "east side",
    "se": "south-east corner",
    "s": "south side",
    "sw": "south-west corner",
    "w": "west side",
    "c": "centre",
}


def at_words(spot: str) -> str:
    """Where a spot is, in words: "on the north side", "in the centre"."""
    return f"{'in' if spot == 'c' else 'on'} the {SPOT_WORDS[spot]}"


_PLACE = {spot: place for place, spot in enumerate(SPOTS)}
_HOMES = {"tower": RING[::2], "wall": RING[1::2], "keep": ("c",)}
_by_index = attrgetter("index")
_EMPTY = "--"
_LONGEST_TEXT = 200


class Tile:
    """A tower or a wall with its colour and shape, or a keep with its colour.

    There is one object for each kind of tile, so tiles are compared by identity.

    >>> Tile("TRC").words
    'red curvy tower'
    """

    __slots__ = ("bit", "colour", "index", "kind", "matching", "shape", "text", "words")
    _known: ClassVar[dict[str, Tile]] = {}

    text: str
    kind: str
    colour: str
    shape: str  # empty for a keep
    words: str
    index: int  # its place among TILES
    bit: int  # the set that holds only it
    matching: int  # the set of towers and walls that it matches

    def __new__(cls, text: str) -> Tile:
        found = cls._known.get(text.strip().upper()) if isinstance(text, str) else None
        if found is None:
            raise NotationError(
                f"{quoted(text)} is not a tile; write T, W or K, then the colour R, Y or B and "
                "the shape C, Z or S, such as TRC or WBZ; a keep has no shape: KR"
            )
        return found

    def matches(self, other: Tile) -> bool:
        """Whether two tiles have the colour or the shape in common."""
        return self.colour == other.colour or (self.shape != "" and self.shape == other.shape)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Tile({self.text!r})"

    def __reduce__(self) -> tuple[Callable[[str], Tile], tuple[str]]:
        return _same_tile, (self.text,)


def _make_tile(text: str, index: int, bit: int) -> Tile:
    tile = object.__new__(Tile)
    tile.text, tile.index, tile.bit, tile.matching = text, index, bit, 0
    tile.kind = TILE_KINDS.get(text[0], "hidden")
    tile.colour = COLOURS.get(text[1], "")
    tile.shape = SHAPES.get(text[2:], "")
    tile.words = " ".join(filter(None, (tile.colour, tile.shape, tile.kind)))
    return tile


def held_words(hand: Iterable[Tile]) -> str:
    """The tiles of a hand, each kind once.

    >>> held_words([Tile("WRC"), Tile("KR"), Tile("KR")])
    'a red curvy wall and a red keep'
    """
    return listed([f"a {tile.words}" for tile in dict.fromkeys(hand)])


def sorted_tiles(tiles: Iterable[Tile]) -> TileRow:
    """Tiles in the order of ``TILES``, so that the same tiles are the same hand."""
    return tuple(sorted(tiles, key=_by_index))


def the_tile(tile: Tile | str) -> Tile:
    """A tile that is given as such or as text."""
    return tile if tile.__class__ is Tile else Tile(tile)  # type: ignore[arg-type]


def _same_tile(text: str) -> Tile:
    """The one object of a tile that comes back from another process."""
    return BACK if text == BACK.text else Tile(text)


def _make_tiles() -> tuple[Tile, ...]:
    texts = [f"{kind}{colour}{shape}" for kind in "TW" for colour in COLOURS for shape in SHAPES]
    texts += [f"K{colour}" for colour in COLOURS]
    tiles = tuple(_make_tile(text, index, 1 << index) for index, text in enumerate(texts))
    ring = [tile for tile in tiles if tile.kind != "keep"]
    for tile in tiles:
        Tile._known[tile.text] = tile
        tile.matching = sum(other.bit for other in ring if tile.matches(other))
    return tiles


#: Every kind of tile: nine towers, nine walls, three keeps.
TILES = _make_tiles()
#: A tile that lies face down. No text means it: nobody can lay or play one.
BACK = _make_tile("??", len(TILES), 0)

_TOWERS, _WALLS = (
    sum(tile.bit for tile in TILES if tile.kind == kind) for kind in ("tower", "wall")
)
_KIND_BITS = (_TOWERS, _WALLS) * 4
_KEEP_BIT = {tile.colour: tile.bit for tile in TILES if tile.kind == "keep"}
_OF_COLOUR = {
    colour: sum(tile.bit for tile in TILES if tile.colour == colour and tile.kind != "keep")
    for colour in COLOURS.values()
}

TileRow = tuple[Tile, ...]
Places = tuple[Tile | None, ...]
Falls = Callable[[Places, int], tuple[int, ...]]


@lru_cache(maxsize=1 << 14)
def fits(places: Places, last_matches_both: bool = False) -> tuple[int, ...]:
    """For each place the set of tiles that may be laid there now, as bits.

    This is the whole law of building (castle_keep/spots, castle_keep/first-tile,
    castle_keep/adjacent, castle_keep/match,
    castle_keep/last-tile, castle_keep/keep-colour, castle_keep/lone-keep) in a form that is quick
    to ask.
    """
    ring, keep = places[:CENTRE], places[CENTRE]
    standing = sum(tile is not None for tile in ring)
    if not standing:
        allowed = _TOWERS | _WALLS if keep is None else _OF_COLOUR[keep.colour]
        return (*(allowed & kind for kind in _KIND_BITS), 0)
    found = [0] * 9
    closing = standing == 7 and not last_matches_both
    for place, tile in enumerate(ring):
        if tile is not None:
            if keep is None and tile.colour:
                found[CENTRE] |= _KEEP_BIT[tile.colour]
            continue
        before, after = ring[place - 1], ring[(place + 1) % 8]
        if before is None:
            allowed = 0 if after is None else after.matching
        elif after is None:
            allowed = before.matching
        elif closing:
            allowed = before.matching | after.matching
        else:
            allowed = before.matching & after.matching
        found[place] = allowed & _KIND_BITS[place]
    return tuple(found)


@lru_cache(maxsize=1 << 14)
def openings(places: Places, last_matches_both: bool = False) -> tuple[tuple[int, int], ...]:
    """The places that some tile fits now, each with the set of those tiles."""
    sets = fits(places, last_matches_both)
    return tuple([(place, allowed) for place, allowed in enumerate(sets) if allowed])


@lru_cache(maxsize=1 << 14)
def tile_bits(places: Places) -> int:
    """The set of tiles that stand in a castle, as bits."""
    found = 0
    for tile in places:
        if tile is not None:
            found |= tile.bit
    return found


def run(places: Places, place: int) -> tuple[int, ...]:
    """The places of the ring that fall with one: all of its colour, connected edge to edge."""
    hit = places[place]
    assert hit is not None
    if place == CENTRE:
        return (CENTRE,)
    found = [place]
    for step in (1, -1):
        at = (place + step) % 8
        while at != place and (tile := places[at]) is not None and tile.colour == hit.colour:
            if at in found:  # all the way round
                break
            found.append(at)
            at = (at + step) % 8
    return tuple(sorted(found))


def siege_run(places: Places, place: int) -> tuple[int, ...]:
    """What falls in solitaire: a keep takes along the walls of its colour that touch it."""
    if place != CENTRE:
        return run(places, place)
    keep = places[CENTRE]
    assert keep is not None
    found = {CENTRE}
    for side in range(1, CENTRE, 2):
        wall = places[side]
        if wall is not None and wall.colour == keep.colour:
            found.update(run(places, side))
    return tuple(sorted(found))


_NOTHING_YET: Places = (None,) * 9


@dataclass(frozen=True, slots=True, init=False)
class Castle:
    """A castle, whole or in parts, from its text; immutable. Prints as three rows.

    >>> castle = Castle("TRC WRZ -- / -- KR -- / -- -- --")
    >>> castle.place("TRS", "ne").blast("n")
    ('nw', 'n', 'ne')
    """

    places: Places  # the ring clockwise from the north-west, then the centre

    def __init__(self, places: Places | str = _NOTHING_YET) -> None:
        if type(places) is str:
            places = self.parse(places).places
        object.__setattr__(self, "places", places)

    @staticmethod
    def parse(text: str) -> Castle:
        """Read three rows of three tiles, ``--`` for an empty spot; legal or not."""
        if not isinstance(text, str) or len(text) > _LONGEST_TEXT:
            raise NotationError(f"a castle is three rows of three tiles, not {quoted(text)}")
        rows = [line.split() for line in text.replace("/", "\n").splitlines() if line.strip()]
        if len(rows) != 3 or any(len(row) != 3 for row in rows):
            raise NotationError(
                f"a castle is three rows of three tiles, {_EMPTY} for an empty spot, such as "
                f"'TRC WRZ -- / -- KR -- / -- -- --', not {quoted(text)}"
            )
        laid = {
            spot: Tile(word)
            for spots, words in zip(ROWS, rows, strict=True)
            for spot, word in zip(spots, words, strict=True)
            if word != _EMPTY
        }
        return Castle(tuple(laid.get(spot) for spot in SPOTS))

    def __getitem__(self, spot: str) -> Tile | None:
        """The tile on a spot, or None."""
        return self.places[place_of(spot)]

    def __len__(self) -> int:
        """How many tiles it has."""
        return 9 - self.places.count(None)

    def __iter__(self) -> Iterator[Tile]:
        return (tile for tile in self.places if tile is not None)

    def __str__(self) -> str:
        width = max((len(tile.text) for tile in self), default=2)
        return "\n".join(
            " ".join(str(self[spot] or _EMPTY).ljust(width) for spot in row).rstrip()
            for row in ROWS
        )

    def __repr__(self) -> str:
        rows = (" ".join(str(self[spot] or _EMPTY) for spot in row) for row in ROWS)
        return f"Castle({' / '.join(rows)!r})"

    @property
    def complete(self) -> bool:
        """Whether all nine spots are filled (castle_keep/win-build)."""
        return None not in self.places

    @property
    def ring_closed(self) -> bool:
        """Whether all eight walls and towers stand."""
        return None not in self.places[:CENTRE]

    @property
    def only_keep(self) -> bool:
        """Whether nothing but the keep stands."""
        return self.places[CENTRE] is not None and len(self) == 1

    @property
    def keeps_needed(self) -> int:
        """How many keeps bring its keep down (castle_keep/attack-keep)."""
        return 1 if self.only_keep else 2

    def spots_for(self, tile: Tile | str, last_matches_both: bool = False) -> tuple[str, ...]:
        """The spots where a tile may be laid now."""
        bit = the_tile(tile).bit
        sets = fits(self.places, last_matches_both)
        return tuple(spot for spot, allowed in zip(SPOTS, sets, strict=True) if allowed & bit)

    def check(self, tile: Tile | str, spot: str, last_matches_both: bool = False) -> Verdict:
        """Whether a tile may be laid on a spot, with every breach explained.

        What mends a breach are the spots where the tile fits.
        """
        tile, place = the_tile(tile), place_of(spot)
        if fits(self.places, last_matches_both)[place] & tile.bit:
            return LEGAL
        spots = self.spots_for(tile, last_matches_both)
        instead = fits_words(tile, spots) if spots else f"The {tile.words} fits nowhere now."
        return why_not(self, tile, place, last_matches_both, instead, spots)

    def place(self, tile: Tile | str, spot: str, last_matches_both: bool = False) -> Castle:
        """The castle with one more tile; a refused one raises ``IllegalMove``."""
        verdict = self.check(tile, spot, last_matches_both)
        if not verdict:
            raise IllegalMove(f"{tile} {spot}", verdict)
        return self.with_tile(the_tile(tile), place_of(spot))

    def blast(self, spot: str) -> tuple[str, ...]:
        """The spots that fall if the tile there is attacked (castle_keep/attack-wall,
        castle_keep/attack-keep).

        A keep falls alone. An empty spot is an error: there is nothing to attack.
        """
        return self._falling(spot, run)

    def siege_blast(self, spot: str) -> tuple[str, ...]:
        """The spots that fall in solitaire, where a keep takes its walls along."""
        return self._falling(spot, siege_run)

    def _falling(self, spot: str, falls: Falls) -> tuple[str, ...]:
        place = place_of(spot)
        if self.places[place] is None:
            raise CastlelabError(f"nothing stands {at_words(SPOTS[place])} to be attacked")
        return tuple(SPOTS[at] for at in falls(self.places, place))

    def beside(self, place: int) -> list[tuple[str, Tile]]:
        """The towers and walls that a place of the ring touches, each with its spot."""
        around = () if place == CENTRE else ((place - 1) % 8, (place + 1) % 8)
        return [(SPOTS[at], tile) for at in around if (tile := self.places[at]) is not None]

    def with_tile(self, tile: Tile | None, place: int) -> Castle:
        """The castle with a place changed, unasked."""
        return Castle(changed_at(self.places, place, tile))

    def without(self, places: Iterable[int]) -> Castle:
        """The castle with these places emptied."""
        left = list(self.places)
        for place in places:
            left[place] = None
        return Castle(tuple(left))

    def edit(self, hand: Iterable[Tile] | str | None = None, **options: Any) -> Any:
        """An editor in a notebook that begins with this castle: ``CastleEditor(castle, hand)``.

        Without a hand there is one tile of each kind.
        """
        return widget("CastleEditor", self, TILES if hand is None else hand, **options)

    def picture(self) -> Scene:
        """The castle as a scene."""
        from castlelab.games.castle_keep.picture import castle_scene

        return castle_scene(self)

    def _repr_svg_(self) -> str:
        from castlelab.draw.svg import still

        return still(self.picture())


def place_of(spot: str) -> int:
    """The number of a spot; anything else is a ``NotationError``."""
    place = _PLACE.get(spot.strip().lower()) if isinstance(spot, str) else None
    if place is None:
        raise NotationError(f"{quoted(spot)} is not a spot; the spots are {', '.join(SPOTS)}")
    return place


# -- why a tile is refused -----------------------------------------------------------------


def _refusals(castle: Castle, tile: Tile, place: int, both: bool) -> Iterator[Breach]:
    """Why a tile may not be laid, and what a spot would take: first itself, then around it."""
    spot = SPOTS[place]
    if tile is BACK:
        message = "A tile that lies face down cannot be laid."
        yield RULES.breach("castle_keep/from-hand", message, (spot,))
    elif spot not in _HOMES[tile.kind]:
        message = f"A {tile.kind} goes {_HOME_WORDS[tile.kind]}, not {at_words(spot)}."
        yield RULES.breach("castle_keep/spots", message, (spot,))
    elif (there := castle.places[place]) is not None:
        message = f"The {SPOT_WORDS[spot]} is taken by the {there.words}."
        yield RULES.breach("castle_keep/spots", message, (spot,))
    elif tile.kind == "keep":
        yield _keep_refusal(castle, tile)
    elif (keep := castle.places[CENTRE]) is not None and castle.only_keep:
        yield RULES.breach(
            "castle_keep/lone-keep",
            f"Only the {keep.words} is left, and the {tile.words} is not {keep.colour}.",
            (spot, "c"),
            f"It takes a {keep.colour} wall or tower.",
        )
    else:
        yield from _ring_refusals(castle, tile, place, both)


def why_not(
    castle: Castle,
    tile: Tile,
    place: int,
    both: bool,
    instead: str = "",
    mends: tuple[Any, ...] = (),
) -> Verdict:
    """The verdict on a tile that does not fit, with what would be right instead."""
    return Verdict(
        tuple(
            replace(breach, mend=f"{breach.mend} {instead}".strip(), mends=mends)
            for breach in _refusals(castle, tile, place, both)
        )
    )


def fits_words(tile: Tile, spots: Iterable[str]) -> str:
    """Where a tile fits, as a sentence."""
    return f"The {tile.words} fits {either(map(at_words, spots))}."


_HOME_WORDS = {"tower": "on a corner", "wall": "on a side", "keep": "in the centre"}


def _keep_refusal(castle: Castle, tile: Tile) -> Breach:
    if not len(castle):
        message = "A castle does not start with its keep."
        wanted = "It takes a wall or a tower first."
        return RULES.breach("castle_keep/first-tile", message, ("c",), wanted)
    colours = [colour for colour in COLOURS.values() if any(t.colour == colour for t in castle)]
    return RULES.breach(
        "castle_keep/keep-colour",
        f"Nothing in the castle is {tile.colour}, so the {tile.words} does not fit.",
        ("c",),
        f"Its colour{' is' if len(colours) == 1 else 's are'} {listed(colours)}.",
    )


def _ring_refusals(castle: Castle, tile: Tile, place: int, both: bool) -> Iterator[Breach]:
    spot = SPOTS[place]
    neighbours = castle.beside(place)
    if not neighbours:
        message = f"The {SPOT_WORDS[spot]} touches no wall or tower yet."
        yield RULES.breach("castle_keep/adjacent", message, (spot,))
        return
    rule = "castle_keep/match"
    if castle.places[:CENTRE].count(None) == 1:
        rule = "castle_keep/adv-last-both" if both else "castle_keep/last-tile"
    for at, there in neighbours:
        if tile.matches(there):
            continue
        # A wrong arrangement may have a keep there, which has no shape.
        shapes = f", {tile.shape} is not {there.shape}" if there.shape else ""
        yield RULES.breach(
            rule,
            f"The {tile.words} does not match the {there.words} on the {SPOT_WORDS[at]}: "
            f"{tile.colour} is not {there.colour}{shapes}.",
            (spot, at),
            _wanted(castle, place, both),
        )


def _wanted(castle: Castle, place: int, both: bool) -> str:
    """What a spot asks of a tile, by its neighbours."""
    if not fits(castle.places, both)[place]:
        return "No tile fits here for now."
    beside = [there for _, there in castle.beside(place)]
    looks = [[look for look in (there.colour, there.shape) if look] for there in beside]
    kind = ("tower", "wall")[place % 2]
    if castle.places[:CENTRE].count(None) == 1 and not both:  # castle_keep/last-tile
        return f"Here it takes a {kind} that is {either([look for one in looks for look in one])}."
    return f"Here it takes a {kind} that is {', and '.join(map(either, looks))}."
