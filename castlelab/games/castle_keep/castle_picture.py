"""The castles of Castle Keep in pictures, by themselves and with a hand of tiles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from castlelab.draw.layout import Part, caption, grouped, in_rows, joined, rows
from castlelab.draw.scene import NARROW, Piece, Rect, Scene, Shape, Target, as_piece, marked
from castlelab.games.castle_keep.castle import ROWS, SPOT_WORDS, Castle, Tile
from castlelab.games.castle_keep.tile_picture import (
    empty_spot,
    kind_for,
    question_mark,
    tile_shapes,
    tile_words,
    tiles_part,
)

_GAP = 3.0  # between the tiles of a castle
_PAD = 8.0  # between a castle and the edge of its ground
_HEAD = 24.0  # a line of words above it
_CASTLE_TILE, _BENCH_TILE, _PAIR_TILE, _HAND_TILE = 84.0, 104.0, 80.0, 52.0
_CAPTION = 16
_SHRUNK_LETTERS = 16.0  # beside words a wide board may be shown 424 pixels wide
_SPOTS = tuple(spot for row in ROWS for spot in row)


def spot_words(spot: str, tile: Tile | None) -> str:
    """A spot as it is spoken.

    >>> spot_words("ne", None)
    'North-east corner: empty, for a tower'
    """
    what = f"empty, for a {kind_for(spot)}" if tile is None else tile_words(tile)
    return f"{SPOT_WORDS[spot].capitalize()}: {what}"


def castle_words(castle: Castle) -> str:
    """A castle as it is spoken, row by row."""
    standing = [
        f"{SPOT_WORDS[spot]} {tile_words(tile)}"
        for spot in _SPOTS
        if (tile := castle[spot]) is not None
    ]
    if not standing:
        return "An empty castle."
    count = "A complete castle" if castle.complete else f"A castle with {len(castle)} of 9 tiles"
    return f"{count}: {', '.join(standing)}."


def castle_width(size: float) -> float:
    """How wide a castle of tiles of that size is, with the ground it stands on."""
    return 3 * size + 2 * _GAP + 2 * _PAD


def castle_part(
    x: float,
    y: float,
    size: float,
    castle: Castle,
    *,
    key: str = "",
    whose: str = "",
    edge: str = "line",
    marked_spot: str | None = None,
    group: str = "",
    letters: float = 12,
) -> Part:
    """A castle on its ground. ``key`` goes before the ids of its spots, ``whose`` before words."""
    side = castle_width(size)
    shapes: list[Shape] = [Rect(x, y, side, side, "panel", edge, 2 if edge != "line" else 1, 10)]
    targets = []
    step = size + _GAP
    for spot, left, top in in_rows(_SPOTS, 3, x + _PAD, y + _PAD, step, step):
        tile = castle[spot]
        spot_id = f"{key}.{spot}" if key else spot
        if tile is None:
            shapes += empty_spot(left, top, size, spot, letters)
        else:
            standing = Piece(tile_words(tile), spot_id)
            shapes += as_piece(tile_shapes(left, top, size, tile, letters), standing)
        name = spot_words(spot, tile)
        if spot == marked_spot:
            shapes += question_mark(left, top, size)
            name += ", marked with a question mark"
        if whose:
            name = f"{whose}, {name[0].lower()}{name[1:]}"
        cell = int((top - y) // step), int((left - x) // step)
        box, among = (left, top, size, size), group or whose
        targets.append(Target(spot_id, name, *box, group=among, cell=cell))
    return Part.of(shapes, targets, side, side)


def castle_scene(castle: Castle, *, lit: Iterable[str] = (), title: str = "") -> Scene:
    """A castle by itself, with a target for each of its nine spots."""
    return bench_scene(castle, lit=lit, title=title)


def in_hand_words(hand: Sequence[Tile]) -> str:
    """Tiles in hand as they are spoken."""
    return f"In hand: {', '.join(map(tile_words, hand))}." if hand else ""


def bench_scene(
    castle: Castle,
    hand: Sequence[Tile] = (),
    *,
    chosen: int | None = None,
    lit: Iterable[str] = (),
    offered: Iterable[str] = (),
    marked_spot: str | None = None,
    title: str = "",
    room: int = 0,
    by_letters: bool = False,
    narrow: bool = False,
) -> Scene:
    """A castle with a hand of tiles beside it, on a narrow page below it.

    Targets: the nine spots, and ``hand 1``, ``hand 2``, …, or the letters of the tiles where
    one of them is to be chosen. ``chosen`` is the number of the hand tile that is picked up,
    ``marked_spot`` the spot that a question is about. With ``room`` for so many tiles the
    picture keeps its size while the hand runs out.
    """
    lit, offered = tuple(lit), tuple(offered)
    in_hand = max(len(hand), room)
    size = _BENCH_TILE if in_hand and not narrow else _CASTLE_TILE
    top = _HEAD + 6 if title or in_hand else 6.0
    side = castle_width(size)
    x = (NARROW - side) / 2 if in_hand and narrow else 6.0
    letters = _SHRUNK_LETTERS if in_hand and not narrow else 12.0
    among = "The castle" if in_hand else ""
    ground = castle_part(
        *(x, top, size, castle), marked_spot=marked_spot, group=among, letters=letters
    )
    parts = [ground]
    width, height = side + 12, top + side + 6
    if title:
        parts.append(Part.of([caption(12, 18, title, _CAPTION)]))
    if in_hand:
        left, head, tile, columns = _hand_place(in_hand, side, height, narrow=narrow)
        tiles = tiles_part(left, head + 14, tile, hand, columns, chosen=chosen, letters=letters)
        if by_letters:
            tiles = replace(tiles, targets=_by_letters(tiles.targets, hand))
        parts += [
            Part.of([caption(left, head, "Hand" if hand else "Hand: empty", _CAPTION)]),
            grouped(tiles, "The hand"),
        ]
        width = NARROW if narrow else left + tiles.width + 2
        height = max(height, head + 18 + rows(in_hand, columns) * (tile + 6))
    words = " ".join(filter(None, (castle_words(castle), in_hand_words(hand))))
    scene = joined(parts, width, height).scene(title or "A castle", words)
    shown = marked(scene, lit=lit, offered=offered)
    if narrow:
        return shown
    again = partial(bench_scene, castle, hand, chosen=chosen, lit=lit, offered=offered, title=title)
    again = partial(again, marked_spot=marked_spot, room=room, by_letters=by_letters, narrow=True)
    return replace(shown, narrow=again)


def _hand_place(
    count: int, side: float, below: float, *, narrow: bool
) -> tuple[float, float, float, int]:
    """Where a hand begins, how large its tiles are, and how many lie in a row."""
    if narrow:
        return (8.0, below + 12, 66.0, 5) if count <= 5 else (10.0, below + 12, 54.0, 6)
    return (side + 20, 18.0, 92.0, 2) if count <= 6 else (side + 20, 18.0, 60.0, 3)


def _by_letters(targets: Iterable[Target], hand: Iterable[Tile]) -> tuple[Target, ...]:
    """The tiles of a hand called by their letters, alike ones only once."""
    found = {
        tile.text: replace(target, id=tile.text) for target, tile in zip(targets, hand, strict=True)
    }
    return tuple(found.values())


def castles_scene(
    castles: Mapping[str, Castle],
    hand: Sequence[Tile] = (),
    *,
    lit: Iterable[str] = (),
    narrow: bool = False,
) -> Scene:
    """Several castles side by side, two in a row, and a hand of tiles below.

    A castle's name goes before the ids of its spots, ``2.n``; one without a name, ``""``, has
    plain ids.
    """
    lit = tuple(lit)
    size = _CASTLE_TILE if len(castles) == 1 else _HAND_TILE
    if len(castles) == 2 and not narrow:
        size = _PAIR_TILE
    side = castle_width(size)
    letters = _SHRUNK_LETTERS if len(castles) > 1 and not narrow else 12.0
    parts = []
    head = _HEAD if any(castles) else 0.0
    down = side + head + 8
    for (key, castle), x, y in in_rows(castles.items(), 2, 6, 6 + head, side + 8, down):
        whose = f"Castle {key}" if key else ""
        parts.append(castle_part(x, y, size, castle, key=key, whose=whose, letters=letters))
        if whose:
            parts.append(Part.of([caption(x + 6, y - 12, whose, _CAPTION)]))
    width = 12 + side + (side + 8) * (len(castles) > 1)
    height = 6 + rows(len(castles), 2) * (side + head + 8)
    if hand:
        columns = max(1, int((width - 12) // (_HAND_TILE + 6)))
        tiles = tiles_part(10, height + _HEAD, _HAND_TILE, hand, columns, letters=letters)
        parts += [Part.of([caption(12, height + 12, "Hand", _CAPTION)]), grouped(tiles, "The hand")]
        height += _HEAD + 2 + tiles.height
    told = [f"{f'Castle {key}: ' * bool(key)}{castle_words(c)}" for key, c in castles.items()]
    words = " ".join(filter(None, (*told, in_hand_words(hand))))
    shown = marked(joined(parts, width, height).scene("Castles", words), lit=lit)
    if narrow:
        return shown
    return replace(shown, narrow=partial(castles_scene, castles, hand, lit=lit, narrow=True))
