"""What is in the box of Castle Keep: the edition's tables, read and checked."""

from __future__ import annotations

from castlelab.edition import Edition
from castlelab.games.castle_keep.castle import COLOURS, SHAPES, TILES, Tile

#: Enough to deal four tiles to each of four players and to draw two (castle_keep/deal).
_LEAST = {"tower": 8, "wall": 8, "keep": 2}
_MOST_OF_A_KIND = 90
_KINDS = tuple(_LEAST)


def read_box(edition: Edition) -> tuple[Tile, ...]:
    """Every tile of the box, in the order of ``TILES``; wrong data is an ``EditionError``."""
    kinds = edition.table("kinds")
    wanted = {kind: kinds.integer(f"{kind}s", _LEAST[kind], _MOST_OF_A_KIND) for kind in _KINDS}
    kinds.finish()
    counts = {kind: _count(edition, kind, wanted[kind]) for kind in _KINDS}
    return tuple(tile for tile in TILES for _ in range(counts[tile.kind][tile.colour, tile.shape]))


def _count(edition: Edition, kind: str, wanted: int) -> dict[tuple[str, str], int]:
    """How many tiles of a kind there are of each colour and shape; keeps have no shape."""
    table = edition.table(f"{kind}s")
    found: dict[tuple[str, str], int] = {}
    for colour in COLOURS.values():
        if kind == "keep":
            found[colour, ""] = table.integer(colour, 0, wanted)
        else:
            numbers = table.integers(colour, 0, wanted, length=len(SHAPES))
            found |= {(colour, shape): n for shape, n in zip(SHAPES.values(), numbers, strict=True)}
    table.finish()
    if (total := sum(found.values())) != wanted:
        raise table.fail(
            "blue", f"makes {total} {kind}s in all; the colours together must make {wanted}"
        )
    return found
