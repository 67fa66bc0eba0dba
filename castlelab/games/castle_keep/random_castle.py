"""Castles laid at random by the rules: what puzzles begin with."""

from __future__ import annotations

from castlelab.chance import Chance
from castlelab.games.castle_keep.castle import CENTRE, TILES, Castle, Tile, fits


def _tiles_of(bits: int) -> tuple[Tile, ...]:
    return tuple(tile for tile in TILES if tile.bit & bits)


def grown_castle(number: int, chance: Chance, both: bool = True) -> tuple[Castle, Chance]:
    """A castle of so many towers and walls in a row, laid by the rules."""
    start, chance = chance.below(8)
    castle = Castle()
    for place in ((start + step) % 8 for step in range(number)):
        tile, chance = chance.choice(_tiles_of(fits(castle.places, both)[place]))
        castle = castle.with_tile(tile, place)
    return castle, chance


def with_keep(castle: Castle, chance: Chance) -> tuple[Castle, Chance]:
    """The castle with a keep of one of its colours."""
    keep, chance = chance.choice(_tiles_of(fits(castle.places)[CENTRE]))
    return castle.with_tile(keep, CENTRE), chance


def all_match(castle: Castle) -> bool:
    """Whether all towers and walls that touch each other match."""
    return all(
        tile is None or all(tile.matches(other) for _, other in castle.beside(place))
        for place, tile in enumerate(castle.places[:CENTRE])
    )


def thrown_castle(number: int) -> Castle:
    """A ring of towers and walls as they come, whether or not they match."""
    chance, castle = Chance.seeded(f"thrown {number}"), Castle()
    for place, faces in enumerate(fits(castle.places)[:CENTRE]):
        tile, chance = chance.choice(_tiles_of(faces))
        castle = castle.with_tile(tile, place)
    return castle


def matching_joints(castle: Castle) -> int:
    """How many neighbours in the ring match."""
    ring = castle.places[:CENTRE]
    pairs = zip(ring, (*ring[1:], *ring[:1]), strict=True)
    return sum(a is not None and b is not None and a.matches(b) for a, b in pairs)
