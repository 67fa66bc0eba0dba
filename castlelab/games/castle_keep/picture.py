"""Castle Keep in pictures: tiles, castles, the bench of the editor and the whole table."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from castlelab.draw.scene import Circle, Path, Rect, Scene, Shape, Target, Text, marked
from castlelab.game import SEAT_NAMES
from castlelab.games.castle_keep.castle import BACK, ROWS, SPOT_WORDS, Castle, Tile
from castlelab.games.castle_keep.moves import End, Turn
from castlelab.games.castle_keep.telling import holding, tiles, whose_hand

if TYPE_CHECKING:
    from castlelab.games.castle_keep.play import KeepState

Point = tuple[float, float]

_GAP = 3.0  # between the tiles of a castle
_PAD = 8.0  # between a castle and the edge of its ground
_HEAD = 24.0  # a line of words above it
_CASTLE_TILE, _BENCH_TILE, _HAND_TILE = 84.0, 72.0, 52.0
_HAND_COLUMNS = 2


# -- one tile ------------------------------------------------------------------------------


def tile_shapes(
    x: float, y: float, size: float, tile: Tile, *, faint: bool = False
) -> tuple[Shape, ...]:
    """A tile as a little picture: its building in its colour, its letters below.

    The battlements and the band under them have the tile's shape. A faint tile is only drawn
    in outline: it is not there any more, or not yet.
    """
    if tile is BACK:
        return _back(x, y, size)
    label = _label_height(size)
    box = _Box(x, y, size, size - label)
    role = f"hue-{tile.colour}"
    fill, edge = (None, "muted") if faint else (role, "ink")
    mark = "muted" if faint else f"on-{role}"
    letters = max(12.0, label * 0.72)
    return (
        Rect(x, y, size, size, "paper", "line", 1, 5, dash=faint),
        *_BUILDINGS[tile.kind](box, tile.shape, fill, edge, mark),
        Rect(x, y + size - label, size, label, "paper" if faint else role, edge, 1, 4),
        Text(x + size / 2, y + size - label / 2, tile.text, letters, mark, "middle", bold=True),
    )


class _Box(NamedTuple):
    """Where a building stands, and how far a part of its width or height reaches."""

    x: float
    y: float
    width: float
    height: float

    def at(self, across: float, down: float) -> Point:
        return self.x + across * self.width, self.y + down * self.height


def _label_height(size: float) -> float:
    return max(14.0, min(22.0, size * 0.27))


def _back(x: float, y: float, size: float) -> tuple[Shape, ...]:
    middle, inner = size / 2, size * 0.3
    diamond = (
        (x + middle, y + middle - inner),
        (x + middle + inner, y + middle),
        (x + middle, y + middle + inner),
        (x + middle - inner, y + middle),
    )
    return (
        Rect(x, y, size, size, "hidden", "ink", 1, 5),
        Path(diamond, None, "on-hidden", 1.5, closed=True),
        Text(x + middle, y + middle, "?", max(12, size * 0.3), "on-hidden", "middle", bold=True),
    )


def _battlements(
    box: _Box, left: float, right: float, top: float, low: float, shape: str
) -> list[Point]:
    """The upper edge of a building from left to right: waves, saw teeth or square merlons."""
    if shape == "curvy":
        steps = [(step / 15, math.sin(math.pi * (step % 5) / 5)) for step in range(16)]
    elif shape == "zigzag":
        steps = [(step / 6, float(step % 2)) for step in range(7)]
    else:
        steps = [((step + side) / 5, float(step % 2 == 0)) for step in range(5) for side in (0, 1)]
    return [box.at(left + (right - left) * far, low + (top - low) * high) for far, high in steps]


def _band(box: _Box, left: float, right: float, down: float, shape: str, role: str) -> Path:
    """A line across a building in the shape of the tile."""
    swing = {"curvy": 0.045, "zigzag": 0.06}.get(shape, 0.0)
    count = 18 if shape == "curvy" else 6
    points = []
    for step in range(count + 1):
        part = step / count
        high = math.sin(part * 6 * math.pi) if shape == "curvy" else (-1.0) ** step
        points.append(box.at(left + (right - left) * part, down + swing * high))
    if shape == "straight":
        points = [points[0], points[-1]]
    return Path(tuple(points), None, role, max(1.5, box.width / 40))


def _tower(box: _Box, shape: str, fill: str | None, edge: str, mark: str) -> list[Shape]:
    """A slender tower whose head is broader than its shaft."""
    outline = [
        box.at(0.3, 1.0),
        box.at(0.3, 0.55),
        box.at(0.2, 0.47),
        *_battlements(box, 0.2, 0.8, 0.08, 0.24, shape),
        box.at(0.8, 0.47),
        box.at(0.7, 0.55),
        box.at(0.7, 1.0),
    ]
    slit_x, slit_y = box.at(0.46, 0.64)
    return [
        Path(tuple(outline), fill, edge, 1.2, closed=True),
        _band(box, 0.25, 0.75, 0.37, shape, mark),
        Rect(slit_x, slit_y, box.width * 0.08, box.height * 0.2, mark),
    ]


def _wall(box: _Box, shape: str, fill: str | None, edge: str, mark: str) -> list[Shape]:
    """A broad, low wall from edge to edge."""
    outline = [
        box.at(0.03, 1.0),
        *_battlements(box, 0.03, 0.97, 0.26, 0.46, shape),
        box.at(0.97, 1.0),
    ]
    stones = [
        Path((box.at(across, top), box.at(across, top + 0.14)), None, mark, 1)
        for across, top in ((0.22, 0.84), (0.5, 0.84), (0.78, 0.84))
    ]
    course = Path((box.at(0.06, 0.82), box.at(0.94, 0.82)), None, mark, 1)
    return [
        Path(tuple(outline), fill, edge, 1.2, closed=True),
        _band(box, 0.07, 0.93, 0.64, shape, mark),
        course,
        *stones,
    ]


def _keep(box: _Box, _: str, fill: str | None, edge: str, mark: str) -> list[Shape]:
    """A great hall under a gable, with a flag on it."""
    hall = (
        *(box.at(0.12, 1.0), box.at(0.12, 0.56), box.at(0.04, 0.56), box.at(0.5, 0.24)),
        *(box.at(0.96, 0.56), box.at(0.88, 0.56), box.at(0.88, 1.0)),
    )
    pole = (box.at(0.5, 0.24), box.at(0.5, 0.03))
    flag = (box.at(0.5, 0.03), box.at(0.72, 0.09), box.at(0.5, 0.16))
    door = (
        *(box.at(0.4, 1.0), box.at(0.4, 0.78), box.at(0.45, 0.7), box.at(0.55, 0.7)),
        *(box.at(0.6, 0.78), box.at(0.6, 1.0)),
    )
    window_width, window_height = box.width * 0.09, box.height * 0.16
    return [
        Path(pole, None, edge, 1.2),
        Path(flag, fill, edge, 1, closed=True),
        Path(hall, fill, edge, 1.2, closed=True),
        Path(door, mark, None, 1, closed=True),
        Rect(*box.at(0.22, 0.64), window_width, window_height, mark),
        Rect(*box.at(0.69, 0.64), window_width, window_height, mark),
    ]


_BUILDINGS = {"tower": _tower, "wall": _wall, "keep": _keep}
# What an empty spot looks like, its left half: plain, for battlements would promise a shape.
_OUTLINES: dict[str, tuple[Point, ...]] = {
    "tower": ((0.3, 0.95), (0.3, 0.5), (0.2, 0.42), (0.2, 0.1)),
    "wall": ((0.06, 0.95), (0.06, 0.36)),
    "keep": ((0.14, 0.95), (0.14, 0.5), (0.06, 0.5), (0.5, 0.1)),
}


def kind_for(spot: str) -> str:
    """What goes on a spot: a tower on a corner, a wall on a side, the keep in the centre."""
    if spot == "c":
        return "keep"
    return "tower" if len(spot) == 2 else "wall"


def _empty_spot(x: float, y: float, size: float, spot: str) -> list[Shape]:
    kind = kind_for(spot)
    label = _label_height(size)
    box = _Box(x, y, size, size - label)
    half = _OUTLINES[kind]
    whole = (*half, *((1 - across, down) for across, down in reversed(half)))
    outline = tuple(box.at(*point) for point in whole)
    words = kind if size >= 44 else kind[0].upper()
    return [
        Rect(x, y, size, size, "paper", None, 1, 5),
        Path(outline, None, "muted", 1.2, closed=True, dash=True),
        Text(x + size / 2, y + size - label / 2, words, 12, "muted", "middle"),
    ]


def _question(x: float, y: float, size: float) -> list[Shape]:
    """The mark on the spot that a question is about."""
    middle = size / 2
    return [
        Rect(x + 2, y + 2, size - 4, size - 4, None, "accent", 3, 6),
        Circle(x + middle, y + size * 0.42, size * 0.25, "accent", "paper", 1.5),
        Text(x + middle, y + size * 0.42, "?", size * 0.36, "on-accent", "middle", bold=True),
    ]


# -- a castle ------------------------------------------------------------------------------


class _Part(NamedTuple):
    """A piece of a picture: what is drawn and what can be picked."""

    shapes: list[Shape]
    targets: list[Target]


def tile_words(tile: Tile) -> str:
    """A tile as it is spoken."""
    return "face-down tile" if tile is BACK else tile.words


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
        for row in ROWS
        for spot in row
        if (tile := castle[spot]) is not None
    ]
    if not standing:
        return "An empty castle."
    count = "A complete castle" if castle.complete else f"A castle with {len(castle)} of 9 tiles"
    return f"{count}: {', '.join(standing)}."


def castle_width(size: float) -> float:
    """How wide a castle of tiles of that size is, with the ground it stands on."""
    return 3 * size + 2 * _GAP + 2 * _PAD


def _castle(
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
) -> _Part:
    """A castle on its ground. ``key`` goes before the ids of its spots, ``whose`` before words."""
    side = castle_width(size)
    shapes: list[Shape] = [Rect(x, y, side, side, "panel", edge, 2 if edge != "line" else 1, 10)]
    targets: list[Target] = []
    for down, row in enumerate(ROWS):
        for across, spot in enumerate(row):
            left, top = x + _PAD + across * (size + _GAP), y + _PAD + down * (size + _GAP)
            tile = castle[spot]
            if tile is None:
                shapes += _empty_spot(left, top, size, spot)
            else:
                shapes += tile_shapes(left, top, size, tile)
            name = spot_words(spot, tile)
            if spot == marked_spot:
                shapes += _question(left, top, size)
                name += ", marked with a question mark"
            if whose:
                name = f"{whose}, {name[0].lower()}{name[1:]}"
            spot_id = f"{key}.{spot}" if key else spot
            targets.append(Target(spot_id, name, left, top, size, size, group=group or whose))
    return _Part(shapes, targets)


def castle_scene(castle: Castle, *, lit: Iterable[str] = (), title: str = "") -> Scene:
    """A castle by itself, with a target for each of its nine spots."""
    return bench_scene(castle, lit=lit, title=title)


# -- a hand of tiles -----------------------------------------------------------------------


def _tiles(
    x: float,
    y: float,
    size: float,
    tiles: Sequence[Tile],
    columns: int,
    *,
    name: str = "hand",
    chosen: int | None = None,
    group: str = "",
) -> _Part:
    """Tiles in rows, numbered from 1; the chosen one stands out."""
    shapes: list[Shape] = []
    targets: list[Target] = []
    for number, tile in enumerate(tiles, start=1):
        down, across = divmod(number - 1, columns)
        left, top = x + across * (size + 6), y + down * (size + 6)
        words = f"{name.capitalize()} {number}: {tile_words(tile)}"
        if number == chosen:
            shapes.append(Rect(left - 3, top - 3, size + 6, size + 6, "accent", "ink", 1, 7))
            words += ", picked up"
        shapes += tile_shapes(left, top, size, tile)
        targets.append(Target(f"{name} {number}", words, left, top, size, size, group=group))
    return _Part(shapes, targets)


def _tiles_height(count: int, size: float, columns: int) -> float:
    return math.ceil(count / columns) * (size + 6)


def hand_words(hand: Sequence[Tile]) -> str:
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
) -> Scene:
    """A castle with a hand of tiles beside it.

    Targets: the nine spots, and ``hand 1``, ``hand 2``, …, or the letters of the tiles where
    one of them is to be chosen. ``chosen`` is the number of the hand tile that is picked up,
    ``marked_spot`` the spot that a question is about. With ``room`` for so many tiles the
    picture keeps its size while the hand runs out.
    """
    places = max(len(hand), room)
    size = _BENCH_TILE if places else _CASTLE_TILE
    top = _HEAD + 6 if title or places else 6.0
    side = castle_width(size)
    shapes, targets = _castle(6, top, size, castle, marked_spot=marked_spot)
    width, height = side + 12, top + side + 6
    if title:
        shapes.append(Text(12, 18, title, 15, "ink", bold=True))
    if places:
        x = side + 20
        part = _tiles(x, top + 2, _HAND_TILE, hand, _HAND_COLUMNS, chosen=chosen)
        shapes += [Text(x, 18, "Hand" if hand else "Hand: empty", 15, "ink", bold=True)]
        shapes += part.shapes
        targets += _by_letters(part.targets, hand) if by_letters else part.targets
        width = x + _HAND_COLUMNS * (_HAND_TILE + 6) + 2
        height = max(height, top + 8 + _tiles_height(places, _HAND_TILE, _HAND_COLUMNS))
    words = " ".join(filter(None, (castle_words(castle), hand_words(hand))))
    scene = Scene(width, height, tuple(shapes), tuple(targets), title or "A castle", words)
    return marked(scene, lit, offered=offered)


def _by_letters(targets: Iterable[Target], hand: Iterable[Tile]) -> list[Target]:
    """The tiles of a hand called by their letters, alike ones only once."""
    found = {
        tile.text: replace(target, id=tile.text) for target, tile in zip(targets, hand, strict=True)
    }
    return list(found.values())


def castles_scene(
    castles: Mapping[str, Castle],
    hand: Sequence[Tile] = (),
    *,
    lit: Iterable[str] = (),
    offered: Iterable[str] = (),
) -> Scene:
    """Several castles side by side, two in a row, and a hand of tiles below.

    A castle's name goes before the ids of its spots, ``2.n``; one without a name, ``""``, has
    plain ids.
    """
    size = _HAND_TILE if len(castles) > 1 else _CASTLE_TILE
    side = castle_width(size)
    shapes: list[Shape] = []
    targets: list[Target] = []
    head = _HEAD if any(castles) else 0.0
    for place, (key, castle) in enumerate(castles.items()):
        down, across = divmod(place, 2)
        x, y = 6 + across * (side + 8), 6 + down * (side + head + 8) + head
        whose = f"Castle {key}" if key else ""
        part = _castle(x, y, size, castle, key=key, whose=whose)
        shapes += part.shapes
        if whose:
            shapes.append(Text(x + 6, y - 12, whose, 15, "ink", bold=True))
        targets += part.targets
    width = 12 + side + (side + 8) * (len(castles) > 1)
    height = 6 + math.ceil(len(castles) / 2) * (side + head + 8)
    if hand:
        columns = max(1, int((width - 12) // (_HAND_TILE + 6)))
        part = _tiles(10, height + _HEAD, _HAND_TILE, hand, columns)
        shapes += [Text(12, height + 12, "Hand", 15, "ink", bold=True), *part.shapes]
        targets += part.targets
        height += _HEAD + 2 + _tiles_height(len(hand), _HAND_TILE, columns)
    told = [f"{f'Castle {key}: ' * bool(key)}{castle_words(c)}" for key, c in castles.items()]
    words = " ".join(filter(None, (*told, hand_words(hand))))
    scene = Scene(width, height, tuple(shapes), tuple(targets), "Castles", words)
    return marked(scene, lit, offered=offered)


# -- the whole table -----------------------------------------------------------------------

_TABLE_TOP = 54.0  # below the words and the button
_LABEL = 20.0  # a castle's name above it
_WON_TILE = 40.0


def table_scene(state: KeepState) -> Scene:
    """The table as one player sees it: the own castle and hand, the piles, the opponents.

    Targets: the spots of every castle (``1.n``, in an empire ``1a.n``, where all share one
    plainly ``n``), ``hand 1``, ``won 1``, ``pile``, ``discards``, and as buttons ``end`` and
    ``turn`` where that is legal.
    """
    me = _who_looks(state)
    # Six or eight castles would be too small to hit on a table of the usual width.
    width = 620.0 if len(state.castles) > 4 else 500.0
    heading = _heading(state, width)
    front = _front(state, me)
    lay = _hand_beside if len(front) == 1 else _hand_below
    part, y = lay(state, me, front)
    parts = [part]
    for more in (_reserve, _siege, _opponents, _hands_of_others):
        part, y = more(state, me, width, y)
        parts.append(part)
    shapes, targets = _joined((*parts, heading))
    return Scene(width, y + 4, tuple(shapes), tuple(targets), state.game.title, state.describe())


def _who_looks(state: KeepState) -> int:
    """The seat that the table is shown to: whoever moves, unless this is somebody's view."""
    return state.seat if state.viewer is None else state.viewer


def _own_castles(state: KeepState, seat: int) -> list[int]:
    """The numbers of the castles that a seat builds on."""
    return [n for n, (owner, _) in enumerate(state.game.sites) if owner in (seat, None)]


def _front(state: KeepState, me: int) -> list[int]:
    """The castles in the front row: the own ones, and the other where there are only two."""
    own = _own_castles(state, me)
    return own + _behind(state, me) if len(state.castles) == 2 else own


def _behind(state: KeepState, me: int) -> list[int]:
    """The castles of everybody else, in the order of play."""
    order = [(me + step) % state.game.players for step in range(1, state.game.players)]
    own = _own_castles(state, me)
    return [n for seat in order for n in _own_castles(state, seat) if n not in own]


_TODO = {
    "draw": "Draw from the pile or from the discards.",
    "act": "Build or attack, then end the turn.",
    "discard": "Discard down to four.",
    "siege": "The siege turns up two tiles.",
}


def _heading(state: KeepState, width: float) -> _Part:
    """Whose turn it is, what is to do, and the button that ends it."""
    seat = state.to_move
    if seat is None:
        first = f"The game is over. {winner_words(state)}"
        second = f"After {state.turn} turns."
    else:
        alone = state.game.way == "solitaire"
        first = f"Turn {state.turn}" if alone else f"Turn {state.turn}: {SEAT_NAMES[seat]}"
        second = _TODO[state.phase] if state.hit is None else f"A {state.hit.words} hits: where?"
        if alone and state.phase == "act":
            second = "Build, then end the turn."
        elif state.phase == "act" and not state.open:
            second = "Build, then end the turn. No attacks yet."
    shapes: list[Shape] = [
        Text(10, 17, first, 17, "ink", bold=True),
        Text(10, 39, second, 13, "muted"),
    ]
    targets = []
    for move, words in ((End(), "End turn"), (Turn(), "Turn up a tile")):
        if seat is not None and state.check(move):
            box = (width - 138, 8.0, 130.0, 36.0)
            shapes.append(Rect(*box, "accent", None, 1, 8))
            middle = (width - 73, 26.0)
            shapes.append(Text(*middle, words, 15, "on-accent", "middle", bold=True))
            targets.append(Target(str(move), words, *box, group="Turn"))
    return _Part(shapes, targets)


def winner_words(state: KeepState) -> str:
    """Who won, by name."""
    if state.game.way == "solitaire":
        return "You held the castle!" if state.winners else "The siege has won."
    names = " and ".join(SEAT_NAMES[seat] for seat in state.winners)
    return f"{names} won." if len(state.winners) == 1 else "It is a draw."


def _named_castle(state: KeepState, me: int, number: int, x: float, y: float, size: float) -> _Part:
    """A castle with its name above it; a destroyed one is a heap of stones."""
    owner, wing = state.game.sites[number]
    key, castle = state.game.castle_names[number], state.castles[number]
    whose, edge = "", "line"
    if owner is not None:
        whose = " ".join(filter(None, (f"{SEAT_NAMES[owner]}'s castle", wing)))
        edge = f"seat-{owner}"
    destroyed = owner is not None and state.out[owner]
    if destroyed:
        whose += ", destroyed"
    part = _castle(
        x, y + _LABEL, size, castle, key=key, whose=whose, edge=edge, group=whose or "The castle"
    )
    label = _castle_label(state, me, number)
    part.shapes.append(Text(x + 6, y + 9, label, 14, "ink", bold=True))
    if destroyed:
        part.shapes.extend(_ruin(x, y + _LABEL, castle_width(size)))
    return part


def _castle_label(state: KeepState, me: int, number: int) -> str:
    """The name of a castle as moves write it, whose it is, and what that player holds."""
    owner = state.game.sites[number][0]
    if owner is None:
        return "The castle"
    label = f"{state.game.castle_names[number]} · {SEAT_NAMES[owner]}"
    if owner == me:
        return f"{label} (you)"
    held = f"holds {len(state.hands[owner])}"
    first, *rest = _own_castles(state, owner)
    if rest:  # an empire: its two castles share what is to say
        return label if number == first else f"{state.game.castle_names[number]} · {held}"
    won = f", won {len(state.won[owner])}" if state.won[owner] else ""
    return f"{label}, {held}{won}"


def _ruin(x: float, y: float, side: float) -> list[Shape]:
    """What covers a castle that is destroyed for good."""
    ground, middle = y + side * 0.72, x + side / 2
    stones = [
        Rect(
            middle + across * side, ground - down * side, side * 0.14, side * 0.09, "hidden", "ink"
        )
        for across, down in ((-0.32, 0), (-0.14, 0), (0.04, 0), (0.2, 0), (-0.22, 0.1), (0.0, 0.1))
    ]
    return [
        Rect(x + 4, y + 4, side - 8, side - 8, "panel", None, 1, 8),
        *stones,
        Text(middle, y + side * 0.36, "destroyed", 14, "muted", "middle", bold=True),
    ]


Placed = tuple[_Part, float]  # a part of the table, and where the next one may begin


def _hand_beside(state: KeepState, me: int, front: list[int]) -> Placed:
    """One castle at the left, hand and piles beside it."""
    size, tile = 64.0, 54.0
    x = castle_width(size) + 20
    parts = (
        _named_castle(state, me, front[0], 6, _TABLE_TOP, size),
        _held(state, me, x, _TABLE_TOP, tile, 4),
        _piles(state, x, _TABLE_TOP + 2 * _LABEL + 2 * (tile + 6) + 18, tile),
    )
    return _joined(parts), _TABLE_TOP + _LABEL + castle_width(size) + 8


def _hand_below(state: KeepState, me: int, front: list[int]) -> Placed:
    """Castles side by side, hand and piles below them."""
    size, tile = (54.0, 50.0) if len(state.castles) > 2 else (72.0, 50.0)
    y = _TABLE_TOP + _LABEL + castle_width(size) + 8
    castles = [
        _named_castle(state, me, number, 6 + place * (castle_width(size) + 10), _TABLE_TOP, size)
        for place, number in enumerate(front)
    ]
    hand = _held(state, me, 8, y, tile, 6)
    piles = _piles(state, 8 + 6 * (tile + 6) + 22, y + _LABEL, tile)
    return _joined((*castles, hand, piles)), y + _LABEL + tile + 10


def _joined(parts: Iterable[_Part]) -> _Part:
    parts = tuple(parts)
    return _Part([s for part in parts for s in part.shapes], [t for p in parts for t in p.targets])


def _held(state: KeepState, seat: int, x: float, y: float, size: float, columns: int) -> _Part:
    """The open hand under its name."""
    label = whose_hand(state, seat)
    part = _tiles(x, y + _LABEL, size, state.hands[seat], columns, group=label)
    part.shapes.append(Text(x, y + 9, label, 14, "ink", bold=True))
    return part


def _piles(state: KeepState, x: float, y: float, size: float) -> _Part:
    """What is left to draw, and the top of the discards."""
    left, gone = len(state.pile), len(state.discards)
    other = x + size + 12
    shapes: list[Shape] = [
        Text(x + size / 2, y - 10, f"Pile {left}", 12, "muted", "middle"),
        Text(other + size / 2, y - 10, f"Discards {gone}", 12, "muted", "middle"),
        *(_back(x, y, size) if left else _nothing(x, y, size)),
        *(tile_shapes(other, y, size, state.discards[-1]) if gone else _nothing(other, y, size)),
    ]
    top = f", on top the {tile_words(state.discards[-1])}" if gone else ""
    return _Part(
        shapes,
        [
            Target("pile", f"Pile: {tiles(left)}", x, y, size, size, group="Piles"),
            Target(
                "discards", f"Discards: {tiles(gone)}{top}", other, y, size, size, group="Piles"
            ),
        ],
    )


def _nothing(x: float, y: float, size: float) -> tuple[Shape, ...]:
    return (Rect(x, y, size, size, None, "muted", 1, 5, dash=True),)


def _reserve(state: KeepState, me: int, width: float, y: float) -> Placed:
    """The tiles that attacks have won: the own ones, then those of the other
    (castle_keep/takeover).
    """
    parts = []
    for seat in (me, *(seat for seat in range(state.game.players) if seat != me)):
        if not (won := state.won[seat]):
            continue
        mine = seat == me
        label = "Won" if mine else f"{SEAT_NAMES[seat]} won"
        x = 70 if mine else 110
        columns = int((width - x - 10) // (_WON_TILE + 6))
        name = "won" if mine else f"{SEAT_NAMES[seat]} won"
        part = _tiles(x, y, _WON_TILE, won, columns, name=name, group=label)
        part.shapes.append(Text(10, y + _WON_TILE / 2, label, 14, "ink", bold=True))
        y += _tiles_height(len(won), _WON_TILE, columns) + 4
        # What the other has won is there to be seen, and not to be picked.
        parts.append(_Part(part.shapes, [replace(t, enabled=mine) for t in part.targets]))
    return _joined(parts), y


def _siege(state: KeepState, _: int, __: float, y: float) -> Placed:
    """The tiles that the siege has turned up, and what fell by them (castle_keep/solitaire)."""
    if state.game.way != "solitaire":
        return _Part([], []), y
    shapes: list[Shape] = [Text(10, y + 9, "The siege", 14, "ink", bold=True)]
    if not state.turned:
        shapes.append(Text(90, y + 9, "has turned up nothing yet.", 13, "muted"))
        return _Part(shapes, []), y + _LABEL
    for place, (tile, spots) in enumerate(state.turned):
        top = y + _LABEL + place * (_WON_TILE + 4)
        fell = ", ".join(SPOT_WORDS[spot] for spot in spots)
        waits = tile is state.hit and place == len(state.turned) - 1
        words = f"brings down: {fell}" if spots else "hits nothing"
        shapes += tile_shapes(12, top, _WON_TILE, tile)
        shapes.append(
            Text(
                62, top + _WON_TILE / 2, "hits …" if waits else words, 13, "bad" if spots else "ink"
            )
        )
    return _Part(shapes, []), y + _LABEL + len(state.turned) * (_WON_TILE + 4)


def _opponents(state: KeepState, me: int, width: float, y: float) -> Placed:
    """The castles behind the front row, four in a row at most."""
    front = _front(state, me)
    behind = [number for number in _behind(state, me) if number not in front]
    if not behind:
        return _Part([], []), y
    columns = min(len(behind), 4)
    room = (width - 12 - 8 * (columns - 1)) / columns
    size = min(54.0, math.floor((room - castle_width(0)) / 3))
    side = castle_width(size)
    parts = []
    for place, number in enumerate(behind):
        down, across = divmod(place, columns)
        top = y + down * (side + _LABEL + 6)
        parts.append(_named_castle(state, me, number, 6 + across * (side + 8), top, size))
    return _joined(parts), y + math.ceil(len(behind) / columns) * (side + _LABEL + 6)


def _hands_of_others(state: KeepState, me: int, _: float, y: float) -> Placed:
    """What all know of a hand: what was taken openly, and in the king's game how many tiles."""
    shapes: list[Shape] = []
    for seat in range(state.game.players):
        if seat != me and (state.known[seat] or state.game.way == "king"):
            words = f"{SEAT_NAMES[seat]} {holding(state, seat)}."
            shapes.append(Text(10, y + 9, words, 14, "ink"))
            y += _LABEL
    return _Part(shapes, []), y


# -- the cover -----------------------------------------------------------------------------


def cover_scene() -> Scene:
    """A castle on its hill in all three colours, and three tiles still in hand."""
    width, height = 360.0, 380.0
    shapes: list[Shape] = [
        Rect(0, 0, width, height, "accent-soft"),
        Circle(306, 52, 28, "warn-soft", "warn", 1.5),
        *(_bird(x, y) for x, y in ((62, 62), (92, 44), (206, 34))),
        Path(
            (
                *((0, 300), (0, 196), (64, 132), (130, 190)),
                *((236, 120), (300, 168), (360, 140), (360, 300)),
            ),
            "good-soft",
            None,
            1,
            closed=True,
        ),
        Path(((0, 272), (60, 250), (300, 250), (360, 272), (360, 380), (0, 380)), "panel", "line"),
    ]
    for text, left, foot, size in _COVER:
        tile = Tile(text)
        role = f"hue-{tile.colour}"
        box = _Box(left, foot - size, size, size)
        shapes += _BUILDINGS[tile.kind](box, tile.shape, role, "ink", f"on-{role}")
    for place, text in enumerate(("TBZ", "WYC", "KR")):
        shapes += tile_shapes(88 + place * 64, 306, 58, Tile(text))
    words = "A castle in red, yellow and blue on a hill, and three tiles in hand."
    return Scene(width, height, tuple(shapes), (), "Castle Keep", words)


# The castle of the cover from back to front: a tile, its left edge, its foot, its size.
_COVER = (
    ("WRZ", 104.0, 196.0, 76.0),
    ("WRC", 180.0, 196.0, 76.0),
    ("TBS", 56.0, 204.0, 88.0),
    ("TRS", 216.0, 204.0, 88.0),
    ("KY", 117.0, 236.0, 126.0),
    ("WBZ", 86.0, 282.0, 94.0),
    ("WBC", 180.0, 282.0, 94.0),
    ("TYZ", 10.0, 290.0, 122.0),
    ("TRC", 228.0, 290.0, 122.0),
)


def _bird(x: float, y: float) -> Path:
    wings = ((x - 10, y - 5), (x - 4, y - 6), (x, y), (x + 4, y - 6), (x + 10, y - 5))
    return Path(wings, None, "muted", 2)
