"""The table of Castle Keep: castles, the own hand, the piles.

A plan says where everything lies; what lies there is drawn the same on every plan.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from castlelab.draw.layout import (
    BOLD_LETTER,
    LETTER,
    Frame,
    Part,
    button_part,
    caption,
    in_rows,
    joined,
    rows,
    wrapped,
)
from castlelab.draw.scene import (
    NARROW,
    Circle,
    Path,
    Piece,
    Point,
    Rect,
    Scene,
    Shape,
    Target,
    Text,
    as_piece,
)
from castlelab.game import SEAT_NAMES
from castlelab.games.castle_keep.castle_picture import castle_part, castle_width
from castlelab.games.castle_keep.moves import END, TURN_UP
from castlelab.games.castle_keep.telling import fell, holding, tiles, whose_hand
from castlelab.games.castle_keep.tile_picture import (
    back_shapes,
    nothing,
    tile_shapes,
    tile_words,
    tiles_part,
)

if TYPE_CHECKING:
    from castlelab.games.castle_keep.play import KeepState

_LABEL = 28.0  # a castle's name above it
_WIDE = 880.0
_WIDE_LETTERS = 14.5  # a wide table may be shown 752 pixels wide: words of 12 are left
_NARROW_LETTERS = 12.5
_WON_TILE = 40.0


class _Site(NamedTuple):
    """Where a castle stands, how large its tiles are, and the room for its name if not above."""

    x: float
    y: float
    size: float
    aside: tuple[float, float, float] | None = None  # left, top, width


class _Row(NamedTuple):
    """Where tiles lie in rows."""

    x: float
    y: float
    size: float
    columns: int


class _Plan(NamedTuple):
    """Where everything lies on a page of that size."""

    width: float
    height: float
    letters: float  # the least size of words
    castles: tuple[_Site, ...]  # the own ones first
    hand: _Row
    stacks: tuple[Point, Point, float]  # the pile, the discards, and how large they are
    button: Frame
    ground: float  # where the meadow ends, on which the castles stand
    rest: tuple[_Row, ...] = ()  # the siege, or what either side has won


def table_scene(state: KeepState) -> Scene:
    """The table as one player sees it: the own castle and hand, the piles, the opponents.

    Targets: the spots of every castle (``1.n``, in an empire ``1a.n``, where all share one
    plainly ``n``), ``hand 1``, ``won 1``, ``pile``, ``discards``, and as buttons ``end`` and
    ``turn`` where that is legal.
    """
    me = state.seat if state.viewer is None else state.viewer
    own = [number for number, _, _ in state.game.own[me]]
    behind = [n for seat in _others(state, me) for n, _, _ in state.game.own[seat] if n not in own]
    shown = partial(_drawn, state, me, (*own, *behind))
    won = max(map(len, state.won)) if state.game.way == "takeover" else None
    wide = _WIDE_PLANS[len(own), len(behind)] if won is None else _takeover_plan(won)
    if state.game.way == "king":  # nothing but the castle and the hands
        wide = wide._replace(rest=())
    narrow = _narrow_plan(len(own), len(behind), won, siege=bool(wide.rest))
    return replace(shown(wide), narrow=lambda: shown(narrow).keeping("hand "))


def _others(state: KeepState, me: int) -> list[int]:
    """Everybody else in the order of play."""
    return [(me + step) % state.game.players for step in range(1, state.game.players)]


# -- the plans -------------------------------------------------------------------------------


_wide = partial(_Plan, _WIDE, letters=_WIDE_LETTERS)

#: By the number of castles that are one's own, and of the others.
_WIDE_PLANS = {
    (1, 0): _wide(  # one large castle; what belongs to it on the right
        height=592,
        castles=(_Site(16, 40, 172),),
        hand=_Row(576, 40, 90, 3),
        stacks=((576, 264), (680, 264), 90),
        button=(780, 286, 84, 46),
        ground=592,
        rest=(_Row(576, 384, 56, 1),),
    ),
    (1, 1): _wide(
        height=610,
        castles=(_Site(16, 40, 132), _Site(446, 40, 132)),
        hand=_Row(16, 514, 82, 6),
        stacks=((562, 514), (656, 514), 82),
        button=(760, 532, 104, 46),
        ground=472,
    ),
    (1, 2): _wide(
        height=598,
        castles=(_Site(16, 40, 125), _Site(432, 40, 63), _Site(653, 40, 63)),
        hand=_Row(16, 496, 88, 6),
        stacks=((470, 312), (612, 312), 112),
        button=(744, 345, 104, 46),
        ground=450,
    ),
    (1, 3): _wide(
        height=624,
        castles=(
            *(_Site(16, 40, 138), _Site(468, 40, 56)),
            *(_Site(674, 40, 56), _Site(468, 272, 56)),
        ),
        hand=_Row(16, 526, 88, 6),
        stacks=((680, 314), (778, 314), 82),
        button=(760, 547, 104, 46),
        ground=482,
    ),
    (2, 2): _wide(
        height=624,
        castles=(
            *(_Site(16, 40, 86), _Site(306, 40, 86)),
            *(_Site(596, 40, 82), _Site(596, 344, 82)),
        ),
        hand=_Row(16, 360, 90, 6),
        stacks=((16, 500), (134, 500), 100),
        button=(456, 526, 126, 46),
        ground=624,
    ),
    (2, 4): _wide(
        height=594,
        castles=(
            *(_Site(16, 40, 92), _Site(324, 40, 92)),
            *(_Site(16 + 215 * place, 378, 60) for place in range(4)),
        ),
        hand=_Row(640, 40, 69, 3),
        stacks=((640, 224), (738, 224), 72),
        button=(640, 308, 120, 34),
        ground=594,
    ),
    (2, 6): _wide(
        height=632,
        castles=(
            *(_Site(16, 40, 70), _Site(258, 40, 70)),
            *(_Site(506 + 183 * (at % 2), 40 + 206 * (at // 2), 51) for at in range(6)),
        ),
        hand=_Row(16, 316, 96, 3),
        stacks=((332, 316), (418, 316), 74),
        button=(332, 430, 160, 46),
        ground=632,
    ),
}


def _takeover_plan(won: int) -> _Plan:
    """Two castles side by side, and below each what has been won."""
    low = 468 + max(1, rows(won, 8)) * (_WON_TILE + 6)
    return _wide(
        height=low + 124,
        castles=(_Site(16, 40, 126), _Site(464, 40, 126)),
        hand=_Row(16, low + 32, 82, 6),
        stacks=((562, low + 32), (656, low + 32), 82),
        button=(760, low + 50, 104, 46),
        ground=low,
        rest=(_Row(16, 464, _WON_TILE, 8), _Row(464, 464, _WON_TILE, 8)),
    )


_narrow = partial(_Plan, NARROW, letters=_NARROW_LETTERS)


def _narrow_plan(own: int, others: int, won: int | None, *, siege: bool) -> _Plan:
    """The own castle as large as can be; two others in a row.

    Where there are two, all of it, the hand too, is in the first window of a telephone.
    """
    if (own, others) == (1, 1):
        deep = 0.0 if won is None else _LABEL + max(1, rows(won, 8)) * (_WON_TILE + 6)
        return _narrow(
            height=499 + 2 * deep,
            castles=(_Site(122, 190, 74, (6, 192, 112)), _Site(6, 6, 52, (190, 8, 182))),
            hand=_Row(4, 439, 56, 6),
            stacks=((204, 100), (294, 100), 62),
            button=(6, 386, 108, 44),
            ground=435,
            rest=(_Row(6, 519, _WON_TILE, 8), _Row(6, 519 + deep, _WON_TILE, 8)) if deep else (),
        )
    low = 376.0
    behind = tuple(
        _Site(x, y, 52) for _, x, y in in_rows(range(others), 2, 6, low + _LABEL, 186, 210)
    )
    plan = _narrow(
        height=low + (140 if siege else 210 * rows(others, 2)),
        castles=(_Site(6, 32, 82), *behind),
        hand=_Row(4, 312, 56, 6),
        stacks=((298, 60), (298, 152), 62),
        button=(282, 256, 88, 44),
        ground=306,
        rest=(_Row(8, low + 22, 44, 1),) if siege else (),
    )
    if own == 1:
        return plan
    return plan._replace(
        castles=(_Site(6, 32, 52), _Site(192, 32, 52), *behind),
        hand=_Row(4, 222, 56, 6),
        stacks=((20, 310), (116, 310), 56),
        button=(250, 318, 120, 44),
        ground=216,
    )


# -- what is drawn ---------------------------------------------------------------------------


def _drawn(state: KeepState, me: int, numbers: tuple[int, ...], plan: _Plan) -> Scene:
    """Everything in its place; what all know of hands comes below it."""
    siege = state.game.way == "solitaire"
    known = _hands_of_others(state, me, plan)
    plan = plan._replace(height=plan.height + known.height)
    parts = [
        _landscape(plan),
        *(_castle(state, me, n, site, plan) for n, site in zip(numbers, plan.castles, strict=True)),
        _hand(state, me, plan),
        _piles(state, plan),
        _siege(state, plan) if siege else _won(state, me, plan),
        known,
        _button(state, plan),
    ]
    return joined(parts, plan.width, plan.height).scene(state.game.title, state.describe())


def _landscape(plan: _Plan) -> Part:
    """Sky, hills, and the ground that hand and piles lie on."""
    wide, tall = plan.width, plan.height
    top = min(plan.ground, tall) * 0.72
    heights = (0.1, 0.02, 0.08, 0, 0.07, 0.03, 0.11)
    ridge = [(wide * at / 6, top + tall * high) for at, high in enumerate(heights)]
    shapes: list[Shape] = [
        Rect(0, 0, wide, tall, "accent-soft"),
        Path(((0, tall), *ridge, (wide, tall)), "good-soft", closed=True),
    ]
    if plan.ground < tall:
        shapes.append(Rect(0, plan.ground, wide, tall - plan.ground, "panel"))
    return Part.of(shapes)


def _castle(state: KeepState, me: int, number: int, site: _Site, plan: _Plan) -> Part:
    """A castle with its name; a destroyed one is a heap of stones."""
    owner, wing = state.game.sites[number]
    whose, edge = "", "line"
    if owner is not None:
        whose = " ".join(filter(None, (f"{SEAT_NAMES[owner]}'s castle", wing)))
        edge = f"seat-{owner}"
    destroyed = owner is not None and state.out[owner]
    if destroyed:
        whose += ", destroyed"
    castle = castle_part(
        *(site.x, site.y, site.size, state.castles[number]),
        key=state.game.castle_names[number],
        whose=whose,
        edge=edge,
        group=whose or "The castle",
        letters=plan.letters,
    )
    ruin = _ruin(site.x, site.y, castle.width, plan.letters) if destroyed else []
    return joined([castle, Part.of([*_label(state, me, number, site, plan), *ruin])])


def _label(state: KeepState, me: int, number: int, site: _Site, plan: _Plan) -> Iterator[Shape]:
    """Whose castle it is and how far it has come: above it as much as has room, or aside."""
    name, notes = _name(state, me, number), _notes(state, me, number)
    owner = state.game.sites[number][0]
    size = plan.letters + 0.5
    if site.aside is not None:
        x, y, room = site.aside
        if owner is not None:
            yield from _sign(owner, x + 8, y + 9)
        first, *more = wrapped(name, room - 22, size * BOLD_LETTER)
        lines = [first, *more, *wrapped(notes[0], room, plan.letters * LETTER)]
        for at, line in enumerate(lines):
            left, bold = x + 22 * (at == 0), at <= len(more)
            ink, tall = ("ink", size) if bold else ("muted", plan.letters)
            yield Text(left, y + 9 + 19 * at, line, tall, ink, bold=bold)
        return
    left = site.x + 4 + 20 * (owner is not None)
    right, y = site.x + castle_width(site.size) - 4, site.y - 15
    if owner is not None:
        yield from _sign(owner, site.x + 12, y)
    yield Text(left, y, name, size, "ink", bold=True)
    room = right - left - len(name) * size * BOLD_LETTER - 8
    fitting = [note for note in notes if len(note) * plan.letters * LETTER <= room]
    if fitting:
        yield Text(right, y, fitting[0], plan.letters, "muted", "end")


def _name(state: KeepState, me: int, number: int) -> str:
    """What a castle is called."""
    owner, wing = state.game.sites[number]
    if owner is None:
        return "Your castle" if state.game.players == 1 else "The castle"
    mine = owner == me == state.viewer
    crowd = not mine and len(state.castles) > 2  # there is no room for more than names
    name = "Your castle" if mine else SEAT_NAMES[owner] + "'s castle" * (not crowd)
    return f"{name} {wing}".rstrip()


def _notes(state: KeepState, me: int, number: int) -> list[str]:
    """What is said of a castle and the hand of its owner, the longest first."""
    owner, wing = state.game.sites[number]
    standing = f"{len(state.castles[number])} of 9 tiles"
    if state.game.way == "king":  # a castle for two
        (owner,) = _others(state, me)
        return [f"{standing}, {SEAT_NAMES[owner]} holds {len(state.hands[owner])}"]
    if owner is None or owner == me:
        return [standing]
    if wing == "b":  # its hand is told of the first castle
        return [standing]
    held = f"holds {len(state.hands[owner])}"
    return [f"{standing}, {held}", held]


def _sign(seat: int, x: float, y: float) -> Iterator[Shape]:
    """The sign of a player, known by its form as well as by its colour."""
    role = f"seat-{seat}"
    if seat == 0:
        yield Circle(x, y, 8, role, "ink", 1)
    elif seat == 1:
        yield Rect(x - 7, y - 7, 14, 14, role, "ink", 1, 2)
    elif seat == 2:
        yield Path(((x - 8, y + 7), (x, y - 8), (x + 8, y + 7)), role, "ink", 1, closed=True)
    else:
        diamond = ((x - 9, y), (x, y - 9), (x + 9, y), (x, y + 9))
        yield Path(diamond, role, "ink", 1, closed=True)


def _ruin(x: float, y: float, side: float, letters: float) -> list[Shape]:
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
        Text(middle, y + side * 0.36, "destroyed", letters + 1, "muted", "middle", bold=True),
    ]


def _hand(state: KeepState, seat: int, plan: _Plan) -> Part:
    """The open hand, under its name where there is room for it."""
    label = whose_hand(state, seat)
    x, y, size, columns = plan.hand
    hand = tiles_part(x, y, size, state.hands[seat], columns, group=label, letters=plan.letters)
    if plan.width == NARROW:
        return hand
    words = "Your hand" if seat == state.viewer else label
    return joined([hand, Part.of([caption(x + 2, y - 15, words, plan.letters + 0.5)])])


def _piles(state: KeepState, plan: _Plan) -> Part:
    """What is left to draw, and the top of the discards."""
    left, gone = len(state.pile), len(state.discards)
    (x, y), (other, low), size = plan.stacks
    middle = size / 2
    shapes: list[Shape] = [
        Text(x + middle, y - 13, f"Pile {left}", plan.letters, "muted", "middle"),
        Text(other + middle, low - 13, f"Discards {gone}", plan.letters, "muted", "middle"),
        *(_stack(x, y, size) if left else nothing(x, y, size)),
        *(_top_of_discards(state, other, low, plan) if gone else nothing(other, low, size)),
    ]
    top = f", on top the {tile_words(state.discards[-1])}" if gone else ""
    words = f"Discards: {tiles(gone)}{top}"
    targets = (
        Target("pile", f"Pile: {tiles(left)}", x, y, size, size, group="Piles"),
        Target("discards", words, other, low, size, size, group="Piles"),
    )
    return Part.of(shapes, targets)


def _stack(x: float, y: float, size: float) -> Iterator[Shape]:
    """A pile of tiles face down."""
    for step in (4, 2):
        yield Rect(x + step, y + step, size, size, "hidden", "ink", 1, 5)
    yield from back_shapes(x, y, size)


def _top_of_discards(state: KeepState, x: float, y: float, plan: _Plan) -> tuple[Shape, ...]:
    tile = state.discards[-1]
    piece = Piece(tile_words(tile), "discards", quiet=True)
    return as_piece(tile_shapes(x, y, plan.stacks[2], tile, plan.letters), piece)


def _won(state: KeepState, me: int, plan: _Plan) -> Part:
    """The tiles that attacks have won: the own ones, then those of the other
    (castle_keep/takeover).
    """
    parts = []
    for seat, place in zip((me, *_others(state, me)), plan.rest, strict=False):
        won, mine = state.won[seat], seat == me
        label = "Won" if mine else f"{SEAT_NAMES[seat]} won"
        x, y, size, columns = place
        name = "won" if mine else label
        shown = tiles_part(x, y, size, won, columns, name=name, group=label, letters=plan.letters)
        # What the other has won is there to be seen, and not to be picked.
        picked = [replace(target, enabled=mine) for target in shown.targets]
        words = label if won else f"{label}: nothing yet"
        named = Text(x, y - 11, words, plan.letters, "ink" if won else "muted", bold=bool(won))
        parts.append(Part.of([*shown.shapes, named], picked))
    return joined(parts)


def _siege(state: KeepState, plan: _Plan) -> Part:
    """The tiles that the siege has turned up, and what fell by them (castle_keep/solitaire)."""
    (place,) = plan.rest
    x, top, size, _ = place
    shapes: list[Shape] = [caption(x, top - 13, "The siege", plan.letters + 0.5)]
    if not state.turned:
        shapes.append(Text(x, top + 10, "has turned up nothing yet.", plan.letters, "muted"))
    line = plan.letters * 1.3
    for number, (tile, spots) in enumerate(state.turned):
        waits = tile is state.hit and number == len(state.turned) - 1
        words = "hits … which one?" if waits else f"{fell(spots)}." if spots else "hits nothing."
        shown = Piece(f"siege {tile_words(tile)}", f"siege {number}", source="pile")
        shapes += as_piece(tile_shapes(x, top, size, tile, plan.letters), shown)
        room = plan.width - x - size - 22
        told = wrapped(words, room, plan.letters * LETTER)
        tall = max(size, len(told) * line)
        first = top + tall / 2 - (len(told) - 1) * line / 2
        ink = "bad" if spots else "ink"
        shapes += [
            Text(x + size + 12, first + at * line, text, plan.letters, ink)
            for at, text in enumerate(told)
        ]
        top += tall + 8
    return Part.of(shapes)


def _hands_of_others(state: KeepState, me: int, plan: _Plan) -> Part:
    """What all know of a hand: what was taken openly."""
    lines: list[str] = []
    for seat in _others(state, me):
        if state.known[seat]:
            words = f"{SEAT_NAMES[seat]} {holding(state, seat)}."
            lines += wrapped(words, plan.width - 20, plan.letters * LETTER)
    y, step = plan.height, plan.letters * 1.4
    told = [Text(10, y + 6 + step * at, line, plan.letters) for at, line in enumerate(lines)]
    return Part.of(told, height=step * len(lines) + 6 * bool(lines))


def _button(state: KeepState, plan: _Plan) -> Part:
    """What ends the turn, or goes on with the siege."""
    for move, words in ((END, "End turn"), (TURN_UP, "Turn up")):
        if not state.over and state.check(move):
            return button_part(str(move), words, plan.button, "Turn")
    return Part()
