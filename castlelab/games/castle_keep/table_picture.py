"""The table of Castle Keep: the own castle and hand, the piles, the opponents."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from castlelab.draw.layout import (
    BOLD_LETTER,
    LETTER,
    Part,
    button_part,
    caption,
    fitting,
    headline,
    in_rows,
    joined,
    moved,
    rows,
    wrapped,
)
from castlelab.draw.scene import NARROW, Piece, Point, Rect, Scene, Shape, Target, Text, as_piece
from castlelab.game import SEAT_NAMES
from castlelab.games.castle_keep.castle import SPOT_WORDS
from castlelab.games.castle_keep.castle_picture import castle_part, castle_width
from castlelab.games.castle_keep.moves import End, TurnUp
from castlelab.games.castle_keep.telling import holding, tiles, whose_hand
from castlelab.games.castle_keep.tile_picture import (
    back_shapes,
    nothing,
    tile_shapes,
    tile_words,
    tiles_part,
)

if TYPE_CHECKING:
    from castlelab.games.castle_keep.play import KeepState

_LABEL = 20.0  # a castle's name above it
_WON_TILE = 40.0
_BUTTON = 130.0
_LINE = 16.0  # from one line of small words to the next


class _Page(NamedTuple):
    """How wide a table is laid out, and where it begins below the words and the button."""

    width: float
    top: float
    is_narrow: bool = False


# A narrow page has room for two lines of what is to do beside the button, so nothing moves
# down when it comes.
_NARROW_PAGE = _Page(NARROW, 70, is_narrow=True)


def table_scene(state: KeepState) -> Scene:
    """The table as one player sees it: the own castle and hand, the piles, the opponents.

    Targets: the spots of every castle (``1.n``, in an empire ``1a.n``, where all share one
    plainly ``n``), ``hand 1``, ``won 1``, ``pile``, ``discards``, and as buttons ``end`` and
    ``turn`` where that is legal.
    """
    # Six or eight castles would be too small to hit on a table of the usual width.
    wide = _Page(620 if len(state.castles) > 4 else 500, 54)
    return replace(_laid_out(state, wide), narrow=partial(_laid_out, state, _NARROW_PAGE))


def _laid_out(state: KeepState, page: _Page) -> Scene:
    me = state.seat if state.viewer is None else state.viewer
    front = _front(state, me)
    lay = _hand_beside if len(front) == 1 else _hand_below
    if page.is_narrow:
        lay = _narrow_front
    parts = [lay(state, me, front, page)]
    y = page.top + parts[0].height
    for below in (_reserve, _siege, _opponents, _hands_of_others):
        parts.append(below(state, me, page, y))
        y += parts[-1].height
    parts.append(_heading(state, page))
    return joined(parts, page.width, y + 4).scene(state.game.title, state.describe())


def _own_castles(state: KeepState, seat: int) -> list[int]:
    """The numbers of the castles that a seat builds on."""
    return [number for number, _, _ in state.game.own[seat]]


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


def _heading(state: KeepState, page: _Page) -> Part:
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
    tall = 42 if page.is_narrow else 36
    buttons = [
        button_part(str(move), words, (page.width - _BUTTON - 8, 8, _BUTTON, tall), "Turn")
        for move, words in ((End(), "End turn"), (TurnUp(), "Turn up a tile"))
        if seat is not None and state.check(move)
    ]
    if not page.is_narrow:
        return joined([Part.of(headline(first, second)), *buttons])
    room = page.width - 20 - (_BUTTON + 6) * bool(buttons)
    size = fitting(first, room, 17, BOLD_LETTER)
    told = [caption(10, 17, first, size), *_lines(second, 10, 39, room, 13, "muted")]
    return joined([Part.of(told), *buttons])


def _lines(
    words: str, x: float, y: float, room: float, size: float = 13, ink: str = "ink"
) -> list[Text]:
    """Words in as many lines as they need, the first one at that height."""
    lines = wrapped(words, room, size * LETTER)
    return [Text(x, y + at * _LINE, line, size, ink) for at, line in enumerate(lines)]


def winner_words(state: KeepState) -> str:
    """Who won, by name."""
    if state.game.way == "solitaire":
        return "You held the castle!" if state.winners else "The siege has won."
    names = " and ".join(SEAT_NAMES[seat] for seat in state.winners)
    return f"{names} won." if len(state.winners) == 1 else "It is a draw."


def _named_castle(
    state: KeepState, me: int, number: int, x: float, y: float, size: float, page: _Page
) -> Part:
    """A castle with its name above it; a destroyed one is a heap of stones."""
    owner, wing = state.game.sites[number]
    whose, edge = "", "line"
    if owner is not None:
        whose = " ".join(filter(None, (f"{SEAT_NAMES[owner]}'s castle", wing)))
        edge = f"seat-{owner}"
    destroyed = owner is not None and state.out[owner]
    if destroyed:
        whose += ", destroyed"
    castle = castle_part(
        *(x, y + _LABEL, size, state.castles[number]),
        key=state.game.castle_names[number],
        whose=whose,
        edge=edge,
        group=whose or "The castle",
    )
    label = caption(x + 6, y + 9, _castle_label(state, me, number, page))
    ruin = _ruin(x, y + _LABEL, castle.width) if destroyed else []
    return joined([castle, Part.of([label, *ruin])])


def _castle_label(state: KeepState, me: int, number: int, page: _Page) -> str:
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
    # On a narrow page there is no room for it, and the tiles themselves lie below.
    told = state.won[owner] and not page.is_narrow
    won = f", won {len(state.won[owner])}" if told else ""
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


def _hand_beside(state: KeepState, me: int, front: Sequence[int], page: _Page) -> Part:
    """One castle at the left, hand and piles beside it."""
    size, tile = 64.0, 54.0
    x = castle_width(size) + 20
    parts = (
        _named_castle(state, me, front[0], 6, page.top, size, page),
        _held(state, me, x, page.top, tile, 4),
        _piles(state, x, page.top + 2 * _LABEL + 2 * (tile + 6) + 18, tile),
    )
    return joined(parts, height=_LABEL + castle_width(size) + 8)


def _hand_below(state: KeepState, me: int, front: Sequence[int], page: _Page) -> Part:
    """Castles side by side, hand and piles below them."""
    size, tile = (54.0, 50.0) if len(state.castles) > 2 else (72.0, 50.0)
    height = _LABEL + castle_width(size) + 8
    y = page.top + height
    across = castle_width(size) + 10
    castles = [
        _named_castle(state, me, number, 6 + place * across, page.top, size, page)
        for place, number in enumerate(front)
    ]
    hand = _held(state, me, 8, y, tile, 6)
    piles = _piles(state, 8 + 6 * (tile + 6) + 22, y + _LABEL, tile)
    return joined((*castles, hand, piles), height=height + _LABEL + tile + 10)


def _narrow_front(state: KeepState, me: int, front: Sequence[int], page: _Page) -> Part:
    """One castle with the piles beside it, or two with the piles below; then the hand."""
    tile, columns = 54.0, 6
    alone = len(front) == 1
    size = 72.0 if alone else _NARROW_TILE
    across = castle_width(size) + 8
    castles = [
        _named_castle(state, me, number, 6 + place * across, page.top, size, page)
        for place, number in enumerate(front)
    ]
    y = page.top + _LABEL + castle_width(size) + 8
    hand = _held(state, me, 10, y, tile, columns)
    y += _LABEL + max(1, rows(len(state.hands[me]), columns)) * (tile + 6) + 4
    if alone:
        left, first = across + 32, page.top + _LABEL + 36
        piles = _piles(state, left, first, tile, (left, first + tile + 36))
    else:
        piles = _piles(state, 18, y + _LABEL, tile)
        y += _LABEL + tile + 10
    return joined((*castles, hand, piles), height=y - page.top)


_NARROW_TILE = 52.0  # two castles fill a narrow page


def _held(state: KeepState, seat: int, x: float, y: float, size: float, columns: int) -> Part:
    """The open hand under its name."""
    label = whose_hand(state, seat)
    hand = tiles_part(x, y + _LABEL, size, state.hands[seat], columns, group=label)
    return joined([hand, Part.of([caption(x, y + 9, label)])])


def _piles(state: KeepState, x: float, y: float, size: float, second: Point | None = None) -> Part:
    """What is left to draw, and the top of the discards: beside it, or at a second place."""
    left, gone = len(state.pile), len(state.discards)
    other, low = second or (x + size + 18, y)
    shapes: list[Shape] = [
        Text(x + size / 2, y - 10, f"Pile {left}", 12, "muted", "middle"),
        Text(other + size / 2, low - 10, f"Discards {gone}", 12, "muted", "middle"),
        *(back_shapes if left else nothing)(x, y, size),
        *(_top_of_discards(state, other, low, size) if gone else nothing(other, low, size)),
    ]
    top = f", on top the {tile_words(state.discards[-1])}" if gone else ""
    words = f"Discards: {tiles(gone)}{top}"
    targets = (
        Target("pile", f"Pile: {tiles(left)}", x, y, size, size, group="Piles"),
        Target("discards", words, other, low, size, size, group="Piles"),
    )
    return Part.of(shapes, targets)


def _top_of_discards(state: KeepState, x: float, y: float, size: float) -> tuple[Shape, ...]:
    tile = state.discards[-1]
    piece = Piece(tile_words(tile), "discards", quiet=True)
    return as_piece(tile_shapes(x, y, size, tile), piece)


def _reserve(state: KeepState, me: int, page: _Page, y: float) -> Part:
    """The tiles that attacks have won: the own ones, then those of the other
    (castle_keep/takeover).
    """
    parts = []
    top = y
    for seat in (me, *(seat for seat in range(state.game.players) if seat != me)):
        if not (won := state.won[seat]):
            continue
        mine = seat == me
        label = "Won" if mine else f"{SEAT_NAMES[seat]} won"
        x = 10 if page.is_narrow else 70 if mine else 110
        middle = top + _WON_TILE / 2
        if page.is_narrow:  # the words above the tiles
            middle, top = top + 9, top + _LABEL
        columns = int((page.width - x - 4) // (_WON_TILE + 6))
        name = "won" if mine else f"{SEAT_NAMES[seat]} won"
        shown = tiles_part(x, top, _WON_TILE, won, columns, name=name, group=label)
        # What the other has won is there to be seen, and not to be picked.
        picked = [replace(target, enabled=mine) for target in shown.targets]
        parts.append(Part.of([*shown.shapes, caption(10, middle, label)], picked))
        top += shown.height + 4
    return joined(parts, height=top - y)


def _siege(state: KeepState, _: int, page: _Page, y: float) -> Part:
    """The tiles that the siege has turned up, and what fell by them (castle_keep/solitaire)."""
    if state.game.way != "solitaire":
        return Part()
    shapes: list[Shape] = [caption(10, y + 9, "The siege")]
    if not state.turned:
        shapes.append(Text(90, y + 9, "has turned up nothing yet.", 13, "muted"))
        return Part.of(shapes, height=_LABEL)
    top = y + _LABEL
    for place, (tile, spots) in enumerate(state.turned):
        fell = ", ".join(SPOT_WORDS[spot] for spot in spots)
        waits = tile is state.hit and place == len(state.turned) - 1
        words = "hits …" if waits else f"brings down: {fell}" if spots else "hits nothing"
        shown = Piece(f"siege {tile_words(tile)}", f"siege {place}", source="pile")
        shapes += as_piece(tile_shapes(12, top, _WON_TILE, tile), shown)
        told = _lines(words, 62, top, page.width - 70, ink="bad" if spots else "ink")
        tall = max(_WON_TILE, len(told) * _LINE)
        down = (tall - (len(told) - 1) * _LINE) / 2
        shapes += [moved(line, 0, down) for line in told]
        top += tall + 4
    return Part.of(shapes, height=top - y)


def _opponents(state: KeepState, me: int, page: _Page, y: float) -> Part:
    """The castles behind the front row, four in a row at most, on a narrow page two."""
    front = _front(state, me)
    behind = [number for number in _behind(state, me) if number not in front]
    if not behind:
        return Part()
    columns = 2 if page.is_narrow else min(len(behind), 4)
    room = (page.width - 12 - 8 * (columns - 1)) / columns
    size = min(54.0, math.floor((room - castle_width(0)) / 3))
    side = castle_width(size)
    across, down = side + 8, side + _LABEL + 6
    castles = [
        _named_castle(state, me, number, left, top, size, page)
        for number, left, top in in_rows(behind, columns, 6, y, across, down)
    ]
    return joined(castles, height=rows(len(behind), columns) * down)


def _hands_of_others(state: KeepState, me: int, page: _Page, y: float) -> Part:
    """What all know of a hand: what was taken openly, and in the king's game how many tiles."""
    shapes: list[Text] = []
    for seat in range(state.game.players):
        if seat != me and (state.known[seat] or state.game.way == "king"):
            words = f"{SEAT_NAMES[seat]} {holding(state, seat)}."
            shapes += _lines(words, 10, y + 9 + _LABEL * len(shapes), page.width - 18, 14)
    return Part.of(shapes, height=_LABEL * len(shapes))
