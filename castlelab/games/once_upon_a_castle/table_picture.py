"""The table of Once Upon a Castle: dice, chips and guests, every castle, and single sheets."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from castlelab.draw.layout import (
    Frame,
    Part,
    button_part,
    caption,
    grouped,
    headline,
    in_rows,
    joined,
    rows,
    wrapped,
)
from castlelab.draw.scene import (
    NARROW,
    Circle,
    Happening,
    Path,
    Piece,
    Rect,
    Scene,
    Shape,
    Target,
    Text,
    as_piece,
    marked,
)
from castlelab.game import SEAT_NAMES
from castlelab.games.once_upon_a_castle import storybook_picture as storybook
from castlelab.games.once_upon_a_castle.board import Board, face_words
from castlelab.games.once_upon_a_castle.board_picture import (
    LEAST,
    PAD,
    PAGE,
    ROLES,
    ROUND,
    board_name,
    board_part,
    board_words,
    cell_within,
    letter_size,
    resource_icon,
)
from castlelab.games.once_upon_a_castle.castle_picture import castle_part
from castlelab.games.once_upon_a_castle.guests import Guest
from castlelab.games.once_upon_a_castle.moves import (
    CHOICES,
    DICE,
    Choose,
    Take,
    Use,
    read_move,
)
from castlelab.games.once_upon_a_castle.telling import rolled_words, todo, token_words
from castlelab.rules import counted, listed

if TYPE_CHECKING:
    from castlelab.games.once_upon_a_castle.play import OnceState

_TOP = 54.0
_TABLE_CELL = 52.0
_DIE, _APART = 64.0, 6.0
_ROLLED = 44.0  # a die that a guest has rolled
_CARD_WIDTH, _CARD_HEIGHT = 105.0, 40.0
_LETTER = 0.62  # how wide a letter is beside its size


class _Page(NamedTuple):
    """How wide a picture is, and how high its chips and buttons are."""

    width: float
    chip: float
    button: float

    @property
    def is_narrow(self) -> bool:
        return self.width <= NARROW


_WIDE = _Page(PAGE[0], 30.0, 36.0)
_NARROW = _Page(NARROW, 40.0, 42.0)


# -- guests and dice -------------------------------------------------------------------------


def guest_part(
    guest: Guest, x: float, y: float, key: str = "", whose: str = "", *, faced: bool = True
) -> Part:
    """A guest card; with a key it can be picked. Without a face there is only a hat on it."""
    below = guest.symbol.capitalize() or f"worth {guest.points}"
    left = x + 25
    name, room = guest.name.capitalize(), _CARD_WIDTH - 27
    shapes: list[Shape] = [
        Rect(x, y, _CARD_WIDTH, _CARD_HEIGHT, "panel", "line", 1, ROUND),
        *(
            storybook.face(x + 13, y + _CARD_HEIGHT * 0.58, 16, guest.symbol)
            if faced
            else [storybook.hat(x + 13, y + _CARD_HEIGHT * 0.72, 17, guest.symbol)]
        ),
        Text(left, y + 13, name, letter_size(name, room, 13.5), "ink"),
        Text(left, y + 28, below, LEAST, "muted"),
    ]
    words = f"{guest.words}, {whose}" if whose else guest.words
    targets = [Target(key, words, x, y, _CARD_WIDTH, _CARD_HEIGHT)] if key else []
    piece = Piece(f"guest {guest.name}", f"guest {whose}")
    return Part.of(as_piece(shapes, piece), targets, _CARD_WIDTH, _CARD_HEIGHT)


def die_part(face: str, x: float, y: float, size: float, *, used: bool = False) -> Part:
    """A die that shows a face; one that is used is pale."""
    role = "panel" if used else ROLES[face]
    ink = "muted" if used else f"on-{role}"
    word, middle = face_words(face), x + size / 2
    shapes: list[Shape] = [Rect(x, y, size, size, role, "ink", 1, ROUND)]
    if face == "any":
        shapes.append(Text(middle, y + size / 2, "?", 30, ink, "middle", bold=True))
    else:
        # A word that does not fit on a small die would be too small to be read.
        has_word = len(word) * LEAST * 0.55 <= size - 3
        level = 0.38 if has_word else 0.5
        shapes += resource_icon(face, middle, y + size * level, size * 0.22, ink)
        if has_word:
            shapes.append(Text(middle, y + size - 10, word, LEAST, ink, "middle"))
    if used:
        corners = ((x + 6, y + size - 6), (x + size - 6, y + 6))
        shapes.append(Path(corners, None, "muted", 2))
    return Part.of(shapes, (), size, size)


def _dice_part(dice: Sequence[str], left: Sequence[int], x: float, y: float) -> Part:
    """Both dice side by side; those that are not left are crossed out."""
    parts = []
    for die, face in enumerate(dice, start=1):
        at = x + (die - 1) * (_DIE + _APART)
        used = die not in left
        words = f"Die {die}: {face_words(face)}{', used' * used}"
        target = Target(f"die {die}", words, at, y, _DIE, _DIE)
        drawn = as_piece(die_part(face, at, y, _DIE, used=used).shapes, _die(die))
        parts.append(Part.of(drawn, (target,)))
    return joined(parts, 2 * _DIE + _APART, _DIE)


def _die(die: int) -> Piece:
    """A die stays the same whatever it shows; it is no news that it lies there."""
    return Piece(f"die {die}", f"die {die}", quiet=True)


def _dice(state: OnceState, x: float, y: float) -> Part:
    """The dice as whoever decides now finds them: those who follow may use either.

    Beside them is what Dagobert has rolled in this turn, smaller, for it is not theirs to use.
    """
    left = {"dice": state.left, "follow": DICE}.get(state.phase, ())
    thrown = Happening("tumble", tuple((_die(die).spot,) for die in DICE), f"turn {state.turn}")
    parts = [replace(_dice_part(state.dice, left, x, y), happenings=(thrown,))]
    if state.rolled is not None:
        guest, face = state.rolled
        at, name = x + parts[0].width + 10, guest.capitalize()
        words = Text(at + _ROLLED / 2, y + _ROLLED + 9, name, LEAST, "ink", "middle")
        target = Target("rolled", rolled_words(state), at, y, _ROLLED, _ROLLED)
        shapes = [*die_part(face, at, y, _ROLLED).shapes, words]
        parts.append(Part.of(shapes, [target], _ROLLED, _DIE))
    return grouped(joined(parts, sum(each.width + 8 for each in parts), _DIE), "Dice")


_CHIP_WIDTH = 92.0
_CHIP_WORDS = {
    "residents": "Residents: draw residents",
    "flag": "Flag: draw a flag worth 2",
    "cloud": "Cloud: draw a small cloud worth 2",
}


def chips(state: OnceState) -> tuple[str, ...]:
    """What may be pointed at instead of a square, in this moment."""
    moves = state.moves()
    if state.moment == "choose":
        return tuple(face for face in CHOICES if Choose(face) in moves)
    if state.moment not in ("dice", "follow", "face"):
        return ()
    named = {move.what for move in moves if isinstance(move, Use | Take)}
    return ("residents", *(chip for chip in ("flag", "cloud") if chip in named))


def _chips(state: OnceState, x: float, y: float, page: _Page, columns: int = 2) -> Part:
    """The chips, so many in a row."""
    shapes: list[Shape] = []
    targets = []
    found = chips(state)
    high = page.chip
    for chip, left, top in in_rows(found, columns, x, y, _CHIP_WIDTH + 3, high + 4):
        role, middle = ROLES[chip], top + high / 2
        word = chip.capitalize()
        shapes += [
            Rect(left, top, _CHIP_WIDTH, high, role, "ink", 1, ROUND),
            *resource_icon(chip, left + 13, middle, 7),
            Text(left + 23, middle, word, LEAST, f"on-{role}", bold=True),
        ]
        words = _CHIP_WORDS.get(chip, word)
        targets.append(Target(chip, words, left, top, _CHIP_WIDTH, high))
    height = rows(len(found), columns) * (high + 4)
    whole = Part.of(shapes, targets, columns * (_CHIP_WIDTH + 3), height)
    return grouped(whole, "Instead of a token")


_BUTTONS = {"end": "End turn", "pass": "Pass", "stop": "Stop"}
_BUTTON_WIDTH = 116.0


def _buttons(state: OnceState, frame: Frame) -> list[Part]:
    """End, pass or stop, whichever is legal; there is never more than one of them."""
    if state.ending:
        return []
    return [
        button_part(key, words, frame, "Turn")
        for key, words in _BUTTONS.items()
        if state.check(read_move(key))
    ]


def _spare(seat: int, number: int) -> Piece:
    """A token in hand, on its way to a square."""
    return Piece(f"seat-{seat}", f"spare {number}", board=board_name(seat))


def _spare_tokens(state: OnceState, x: float, y: float) -> Part:
    """The tokens in hand, counted and in a row."""
    spare = state.boards[state.seat].spare
    role = f"seat-{state.seat}"
    shapes: list[Shape] = [
        Text(x, y + 7, f"{counted(spare, 'token')} left to place", 12, "ink"),
        *(
            Circle(x + 8 + n * 17, y + 26, 7, role, "ink", 1, _spare(state.seat, n))
            for n in range(spare)
        ),
    ]
    return Part.of(shapes, (), 176.0, 38.0)


# -- the whole table -----------------------------------------------------------------------


def table_scene(state: OnceState) -> Scene:
    """The table: the board of whoever decides, the dice, the guests and every castle.

    Targets: squares (``b2``) and lines (``row 1``) of that board, ``die 1``, ``die 2``, chips
    for what a face may bring (``residents``, ``flag``, ``wood``, …), ``guest king``,
    ``castle 1``, and as buttons ``end``, ``pass`` and ``stop`` where they are legal.
    """
    return replace(_wide_table(state), narrow=partial(_narrow_table, state))


def _wide_table(state: OnceState) -> Scene:
    """The dice and the guests beside the board, the castles below."""
    board, page = state.boards[state.seat], _WIDE
    cell = min(_TABLE_CELL, cell_within(board, page.width - 4 * PAD - _BESIDE))
    field = _own_board(state, _TOP, cell)
    beside = _beside(state, field.width + 2 * PAD + 4, _TOP, page)
    y = _TOP + max(field.height, beside.height) + 12
    parts = [_heading(state, page), field, beside, _castles(state, y, page)]
    whole = joined(parts, page.width, y + parts[-1].height)
    return whole.scene(state.game.title, state.describe())


def _narrow_table(state: OnceState) -> Scene:
    """One below the other: the dice, the board, the guests, the castles."""
    page = _NARROW
    heading = _heading(state, page)
    y = heading.height
    dice = _dice(state, PAD, y)
    instead = _chips(state, PAD, y + _DIE + 8, page, 3)
    tokens = _spare_tokens(state, PAD, y + _DIE + 10 + instead.height)
    y += _DIE + 10 + instead.height + tokens.height + 6
    field = _own_board(state, y, cell_within(state.boards[state.seat], NARROW - 2 * PAD))
    y += field.height + 12
    parts = [heading, field, dice, instead, tokens]
    if state.game.architect:
        parts.append(_on_show(state, PAD, y, 3))
        y += parts[-1].height + 12
    parts.append(_castles(state, y, page))
    whole = joined(parts, page.width, y + parts[-1].height)
    return whole.scene(state.game.title, state.describe())


def _own_board(state: OnceState, y: float, cell: float) -> Part:
    """The board of whoever decides."""
    field = board_part(state.boards[state.seat], PAD, y, cell, state.seat)
    return grouped(field, board_name(state.seat))


def _heading(state: OnceState, page: _Page) -> Part:
    """Whose turn it is, what is to do, and the buttons."""
    seat = state.to_move
    if seat is None:
        names = listed([SEAT_NAMES[winner] for winner in state.winners])
        first, second = f"The game is over. {names} won.", f"After {state.round} rounds."
    else:
        first = f"Round {state.round}: {SEAT_NAMES[state.active]}'s turn"
        second = f"{SEAT_NAMES[seat]}: {todo(state)}."
    if not page.is_narrow:
        frame = (page.width - _BUTTON_WIDTH - PAD, PAD, _BUTTON_WIDTH, page.button)
        words = Part.of(headline(first, second))
        return joined([words, *_buttons(state, frame)], page.width, _TOP)
    shapes: list[Shape] = []
    y = 4.0
    for told, size, is_first in ((first, 17.0, True), (second, 13.0, False)):
        for line in wrapped(told, page.width - 2 * PAD, size * _LETTER):
            y += size * 1.25
            role = "ink" if is_first else "muted"
            shapes.append(Text(PAD, y - size / 2, line, size, role, bold=is_first))
    y += 8
    buttons = _buttons(state, (PAD, y, page.width - 2 * PAD, page.button))
    height = y + (page.button + 8) * bool(buttons)
    return joined([Part.of(shapes), *buttons], page.width, height)


_BESIDE = 190.0  # the width of what lies beside a board


def _beside(state: OnceState, x: float, y: float, page: _Page) -> Part:
    """The dice, the chips for what they may bring, the tokens in hand, the guests on show."""
    parts = [_dice(state, x, y)]
    top = y + _DIE + 12
    parts.append(_chips(state, x, top, page))
    top += parts[-1].height + 6
    parts.append(_spare_tokens(state, x, top))
    top += parts[-1].height + 6
    if state.game.architect:
        parts.append(_on_show(state, x, top, 1))
        top += parts[-1].height + 6
    return joined(parts, _BESIDE, top - y)


def _on_show(state: OnceState, x: float, y: float, columns: int) -> Part:
    """The guests to choose from, and how many are still to come."""
    return _cards(state.shown, f"Guests: {len(state.pile)} to come", "on show", x, y, columns)


def _at_home(state: OnceState, x: float, y: float, columns: int) -> Part:
    """The guests in the castle of whoever decides."""
    guests = state.castles[state.seat].guests
    words = "Guests in your castle" if guests else "No guests in your castle yet"
    return _cards(guests, words, "in your castle", x, y, columns)


def _cards(
    guests: Sequence[Guest], title: str, whose: str, x: float, y: float, columns: int
) -> Part:
    """Guest cards in rows under a few words."""
    cards = _guest_cards(guests, whose, x, y + 18, columns, 6)
    words = Part.of([Text(x, y + 6, title, 12, "ink")])
    return grouped(joined([words, cards], cards.width, 18 + cards.height), f"Guests {whose}")


def _guest_cards(
    guests: Sequence[Guest],
    whose: str,
    x: float,
    y: float,
    columns: int,
    gap: float,
    *,
    faced: bool = True,
) -> Part:
    """Guest cards in rows; what is on them comes after all cards, so that it is drawn at once."""
    across, down = _CARD_WIDTH + gap, _CARD_HEIGHT + gap
    cards = [
        guest_part(guest, left, top, f"guest {guest.name}", whose, faced=faced)
        for guest, left, top in in_rows(guests, columns, x, y, across, down)
    ]
    whole = joined(cards, columns * across, rows(len(guests), columns) * down)
    faces = [shape for card in cards for shape in card.shapes[1:]]
    return replace(whole, shapes=(*(card.shapes[0] for card in cards), *faces))


def _castles(state: OnceState, y: float, page: _Page) -> Part:
    """Every castle with its guests, two in a row, or one on a narrow page."""
    players = state.game.players
    columns = 1 if page.is_narrow else 2
    room = (page.width - (columns + 1) * PAD) / columns
    parts = []
    top = y
    for row in range(0, players, columns):
        seats = range(row, min(row + columns, players))
        for place, seat in enumerate(seats):
            # Of three or four each is a little smaller.
            width = room if players == 2 or columns == 1 else room * 0.8
            parts.append(_named_castle(state, seat, PAD + place * (room + PAD), top, width))
        top += max(castle.height for castle in parts[-len(seats) :]) + 10
    return joined(parts, page.width, top - y)


def _named_castle(state: OnceState, seat: int, x: float, y: float, width: float) -> Part:
    """A castle under its name and its points."""
    castle, points = state.castles[seat], state.score(seat).total
    name = SEAT_NAMES[seat]
    drawn = castle_part(castle, x, y + 20, width, key=name)
    mine = seat == state.to_move
    box = (x, y + 20, width, drawn.height)
    shapes: list[Shape] = [
        caption(x + 2, y + 9, f"{seat + 1} · {name}"),
        Text(x + width - 2, y + 9, counted(points, "point"), 14, "ink", "end", bold=True),
        *drawn.shapes,
        Rect(*box, None, f"seat-{seat}", 4 if mine else 1.5),
    ]
    small = _small_board(state, seat, x + width, y + 26 + drawn.height)
    footer = _castle_footer(state, seat, x + 2, y + 26 + drawn.height, width - small.width - 10)
    shapes += [*small.shapes, *footer.shapes]
    words = f"{name}'s castle: {castle.words}, {counted(points, 'point')}"
    targets = [Target(f"castle {seat + 1}", words, *box), *small.targets]
    foot = 30 + drawn.height + max(small.height, footer.height)
    if state.game.architect:
        # Their faces are at the windows.
        place, whose = (x, y + foot + 2), f"in {name}'s castle"
        columns = int((width + 2) // (_CARD_WIDTH + 2))
        cards = _guest_cards(castle.guests, whose, *place, columns, 2, faced=False)
        shapes += cards.shapes
        targets += cards.targets
        foot += cards.height + 2
    return grouped(Part.of(shapes, targets, width, foot), f"{name}'s castle")


_SMALL_CELL = 11.0


def _small_board(state: OnceState, seat: int, right: float, y: float) -> Part:
    """A board at a glance, its right edge given: which squares have a token.

    The board of whoever decides is large already.
    """
    if seat == state.seat:
        return Part()
    board = state.boards[seat]
    width, height = (
        (max(getattr(square, way) for square in board.squares) + 1) * _SMALL_CELL
        for way in ("across", "down")
    )
    x = right - width
    size = _SMALL_CELL - 1
    corner = {
        square: (x + square.across * _SMALL_CELL, y + square.down * _SMALL_CELL)
        for square in sorted(board.squares, key=lambda square: square.resource)
    }
    # Alike one after the other, so that they are drawn at once.
    shapes: list[Shape] = [
        Rect(*at, size, size, ROLES[square.resource]) for square, at in corner.items()
    ]
    shapes += [
        Circle(left + size / 2, top + size / 2, 4, f"seat-{seat}", "paper", 1)
        for square, (left, top) in corner.items()
        if board.filled & square.bit
    ]
    words = f"Tokens: {token_words(state, seat)}"
    target = Target(f"board {seat + 1}", words, x, y, width, height)
    return Part.of(shapes, [target], width, height)


def _castle_footer(state: OnceState, seat: int, x: float, y: float, room: float) -> Part:
    """The residents and what they are worth, and the values of Apprentice guests."""
    castle = state.castles[seat]
    worth = state.game.box.track.value(castle.residents)
    words = f"{counted(castle.residents, 'resident')} worth {worth}"
    if castle.guests and not state.game.architect:
        words += f", guests {', '.join(str(guest.points) for guest in castle.guests)}"
    lines = wrapped(words, room, LEAST * _LETTER)
    shapes = [Text(x, y + 7 + 15 * at, line, LEAST, "ink") for at, line in enumerate(lines)]
    return Part.of(shapes, (), room, 15.0 * len(lines))


# -- one sheet -----------------------------------------------------------------------------


def sheet_scene(state: OnceState, *, rolled: bool = True) -> Scene:
    """The board and the dice of somebody alone; before the roll there is a button for it.

    Targets are those of the table, without the castles, and ``roll``.
    """
    narrow = partial(_sheet, state, rolled, _NARROW)
    return replace(_sheet(state, rolled, _WIDE), narrow=narrow)


def _sheet(state: OnceState, rolled: bool, page: _Page) -> Scene:
    dice = _dice(state, PAD, PAD) if rolled else _unrolled(PAD, PAD)
    # Chips lie beside the dice; where a guest has rolled one as well, they may lie below.
    side = PAD + dice.width + 12
    frame = (side, PAD + 11, _BUTTON_WIDTH + 24, page.button)
    top = PAD + _DIE + 50
    if rolled:
        columns = 2 if page.is_narrow else 3
        below = side + columns * (_CHIP_WIDTH + 3) > page.width
        left, level = (PAD, top) if below else (side, PAD)
        instead = _chips(state, left, level, page, columns)
        buttons = _buttons(state, (left, level + instead.height, *frame[2:]))
        ends = level + instead.height + (page.button + 8) * bool(buttons)
        top = max(top, ends + 6)
        parts = [dice, instead, *buttons]
    else:
        parts = [dice, button_part("roll", "Roll the dice", frame, "Turn")]
    parts.append(_spare_tokens(state, PAD, PAD + _DIE + 8))
    board = state.boards[state.seat]
    room = PAGE[1] - top - PAD if not page.is_narrow else math.inf
    field = _own_board(state, top, cell_within(board, page.width - 2 * PAD, room))
    parts.append(field)
    height = top + field.height
    if state.game.architect:
        columns = int((page.width - 2 * PAD) // (_CARD_WIDTH + 6))
        parts.append(_on_show(state, PAD, height + 8, columns))
        height += 8 + parts[-1].height
        parts.append(_at_home(state, PAD, height + 8, columns))
        height += 8 + parts[-1].height
    width = NARROW if page.is_narrow else max(field.width + 2 * PAD, 480.0)
    whole = joined(parts, width, height + PAD)
    words = board_words(board)
    if rolled and not state.ending:
        words = f"Dice: {' and '.join(map(face_words, state.dice))}. {words}"
    return whole.scene("Sheet", words)


def bench_scene(
    board: Board,
    dice: tuple[str, str],
    *,
    left: Sequence[int] = DICE,
    guests: Iterable[Guest] = (),
    lit: Iterable[str] = (),
    title: str = "Token board",
) -> Scene:
    """A board to place tokens on, the dice that place them, and the guests who help.

    Only squares and lines are targets.
    """
    helpers, alarms = tuple(guests), tuple(lit)

    def drawn(page: _Page) -> Scene:
        thrown = _dice_part(dice, left, PAD, PAD)
        beside = 2 * PAD + thrown.width
        columns = 2 if page.is_narrow else 3
        spread = in_rows(helpers, columns, beside, PAD, _CARD_WIDTH + 4, _CARD_HEIGHT + 4)
        cards = [guest_part(*guest) for guest in spread]
        top = PAD + max(_DIE, rows(len(helpers), columns) * (_CARD_HEIGHT + 4)) + 12
        room = math.inf if page.is_narrow else PAGE[1] - top - PAD
        field = board_part(board, PAD, top, cell_within(board, page.width - 2 * PAD, room))
        width = NARROW if page.is_narrow else max(field.width + 2 * PAD, 480.0)
        parts = (replace(thrown, targets=()), field, *cards)
        whole = joined(parts, width, top + field.height + PAD)
        here = f" In your castle: {', '.join(guest.words for guest in helpers)}." * bool(helpers)
        words = f"Dice: {' and '.join(map(face_words, dice))}.{here} {board_words(board)}"
        return marked(whole.scene(title, words), lit=alarms)

    return replace(drawn(_WIDE), narrow=partial(drawn, _NARROW))


def _unrolled(x: float, y: float) -> Part:
    """Two dice that wait for a hand."""
    shapes: list[Shape] = []
    for left in (x, x + _DIE + _APART):
        shapes += [
            Rect(left, y, _DIE, _DIE, "panel", "line", 1.5, 10, dash=True),
            Text(left + _DIE / 2, y + _DIE / 2, "…", 24, "muted", "middle"),
        ]
    return Part.of(shapes, (), 2 * _DIE + _APART, _DIE)
