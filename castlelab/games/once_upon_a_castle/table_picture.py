"""The table of Once Upon a Castle: dice, a board, the guests on show, and every castle.

A whole table has its board at the left and all castles at the right, each in a place of its own
that stays the same whoever decides. On a narrow page the castles come below.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from castlelab.draw.layout import Frame, Part, caption, grouped, in_rows, joined, rows, wrapped
from castlelab.draw.scene import Circle, Rect, Scene, Shape, Target, Text
from castlelab.game import SEAT_NAMES
from castlelab.games.once_upon_a_castle.board_picture import (
    PAD,
    ROLES,
    board_name,
    board_part,
    cell_width,
    cell_within,
)
from castlelab.games.once_upon_a_castle.castle_picture import castle_part, legible
from castlelab.games.once_upon_a_castle.dice_picture import (
    LESSON,
    SLIM,
    TABLE,
    Measures,
    chip_part,
    choices_part,
    dice_part,
    drawn_at_once,
    on_show,
    spare_tokens,
)
from castlelab.games.once_upon_a_castle.telling import full_words, todo, token_words
from castlelab.rules import counted, listed

if TYPE_CHECKING:
    from castlelab.games.once_upon_a_castle.play import OnceState

_HIGH = 630.0  # a whole table
_LETTER = 0.62  # how wide a letter is beside its size
_CASTLE = 0.6  # how high a castle is beside its width


def table_scene(state: OnceState) -> Scene:
    """The table: the board of whoever decides, the dice, the guests and every castle.

    Targets: squares (``b2``) and lines (``row 1``) of that board, ``die 1``, ``die 2``, chips
    for what a face may bring (``residents``, ``flag``, ``wood``, …), ``guest king``,
    ``castle 1``, ``board 2``, and as buttons ``end``, ``pass`` and ``stop`` where they are legal.
    """
    return replace(_whole_table(state), narrow=partial(_column, state))


def moment_scene(state: OnceState, *, tools: bool = False) -> Scene:
    """A moment that a lesson asks about: the board, the guests on show, the castles.

    With ``tools`` it can be played on: the dice are there, the chips and the buttons.
    """
    return replace(_moment(state, tools), narrow=partial(_column, state, tools))


def _whole_table(state: OnceState) -> Scene:
    page, board, architect = TABLE, state.boards[state.seat], state.game.architect
    side, x = 404.0 if architect else 484.0, 2 * PAD
    heading = _heading(state, x, page, side - 2 * x)
    y = 72.0
    dice = dice_part(state, x, y, page)
    few = 2 if state.rolled is None else 1
    choices = choices_part(state, x + dice.width + 6, y, page, few)
    tokens = spare_tokens(state, x, y + page.die + 10, page, side - 2 * x)
    y += page.die + 42
    foot = 76.0 if architect else 0.0
    cell = min(cell_within(board, side - x - PAD, _HIGH - y - foot - PAD), 67.0)
    field = _own_board(state, x, y, cell, page)
    parts = [_panel(side), heading, dice, choices, tokens, field]
    if architect:
        parts.append(on_show(state, x, _HIGH - foot, page, 3))
    else:
        top = y + field.height + 10
        parts.append(_full_lines(state, (x, top, side - 2 * x, _HIGH - top - 10), page))
    castles = _abreast(state, (side + 12, 6.0, page.width - side - 20, _HIGH - 12), page)
    height = max(_HIGH, castles.height + 12)
    return joined([*parts, castles], page.width, height).scene(state.game.title, state.describe())


def _panel(width: float) -> Part:
    return Part.of([Rect(0, 0, width, _HIGH, "panel", None, 1, 10)])


def _moment(state: OnceState, tools: bool) -> Scene:
    """The castles beside the board, as a lesson has room for it."""
    page, board, architect = LESSON, state.boards[state.seat], state.game.architect
    cell = 50.0 if tools else 56.0 if architect else 54.0
    side = cell_width(board, cell)
    parts, y = _tools(state, PAD, PAD, page, side) if tools else ([], PAD)
    parts.append(_own_board(state, PAD, y, cell, page))
    y += parts[-1].height + 8
    if state.shown:
        parts.append(on_show(state, PAD, y, page, 2))
        y += parts[-1].height
    x = side + 3 * PAD
    room = page.width - x - PAD
    wide = room if state.game.players == 2 else room * 0.52
    top = PAD
    for seat in range(state.game.players):
        parts.append(_named_castle(state, seat, (x, top, room, 0.0), wide, page))
        top += parts[-1].height + 8
    return joined(parts, page.width, max(y, top)).scene(state.game.title, state.describe())


def _column(state: OnceState, tools: bool = True) -> Scene:
    """One below the other, for a narrow page."""
    page, board, width = SLIM, state.boards[state.seat], SLIM.width - 2 * PAD
    parts, y = [], PAD
    if tools:
        parts.append(_heading(state, PAD, page, width))
        dice, y = _tools(state, PAD, parts[0].height + 8, page, width)
        parts += dice
    kept = [target.id for part in parts for target in part.targets]
    parts.append(_own_board(state, PAD, y, min(57.0, cell_within(board, width)), page))
    y += parts[-1].height + 12
    if state.shown:
        parts.append(on_show(state, PAD, y, page, 3))
        y += parts[-1].height
    parts.append(_castles(state, y, page))
    whole = joined(parts, page.width, y + parts[-1].height + PAD)
    return whole.scene(state.game.title, state.describe()).keeping(*kept)


def _tools(
    state: OnceState, x: float, y: float, page: Measures, room: float
) -> tuple[list[Part], float]:
    """The dice, what may be chosen instead of a square, the tokens in hand; where they end."""
    dice = dice_part(state, x, y, page)
    chip = page.chip[0] + 4
    columns = 0 if state.moment == "choose" else int((room - dice.width + 4) // chip)
    if columns:
        choices = choices_part(state, x + dice.width, y, page, columns)
        y += max(page.die, choices.height)
    else:
        y += page.die + 20
        choices = choices_part(state, x, y, page, int((room + 4) // chip))
        y += choices.height
    tokens = spare_tokens(state, x, y + 6, page, room)
    return [dice, choices, tokens], y + tokens.height + 14


def _heading(state: OnceState, x: float, page: Measures, room: float) -> Part:
    """Whose turn it is, and what is to do."""
    if (seat := state.to_move) is None:
        first = f"The game is over. {listed([SEAT_NAMES[winner] for winner in state.winners])} won."
        second = f"After {state.round} rounds."
    else:
        first = f"Round {state.round}: {SEAT_NAMES[state.active]}'s turn"
        second = f"{SEAT_NAMES[seat]}: {todo(state)}."
    lines = wrapped(second, room, page.letters * _LETTER)
    pitch = page.letters * 1.25
    shapes = [
        caption(x, 17, first, 17),
        *(
            Text(x, 38 + pitch * number, line, page.letters, "muted")
            for number, line in enumerate(lines)
        ),
    ]
    return Part.of(shapes, (), room, 30 + pitch * len(lines))


def _own_board(state: OnceState, x: float, y: float, cell: float, page: Measures) -> Part:
    """The board of whoever decides."""
    field = board_part(state.boards[state.seat], x, y, cell, state.seat, page.letters)
    return grouped(field, board_name(state.seat))


def _full_lines(state: OnceState, frame: Frame, page: Measures) -> Part:
    """The lines that are full, and what clearing them brings."""
    if not (full := state.boards[state.seat].full_lines()):
        return Part()
    x, y, width, height = frame
    told = wrapped(full_words(full), width - 24, page.letters * _LETTER)[:3]
    pitch = height / (len(told) + 0.6)
    shapes: list[Shape] = [Rect(*frame, "good-soft", "good", 1.5, 9)]
    for number, line in enumerate(told):
        level = y + height / 2 + (number - (len(told) - 1) / 2) * min(pitch, 20)
        shapes.append(Text(x + 12, level, line, page.letters, "ink"))
    return Part.of(shapes)


# -- castles ---------------------------------------------------------------------------------


def _abreast(state: OnceState, frame: Frame, page: Measures) -> Part:
    """Every castle beside the board, one below the other, as large as there is room."""
    x, y, width, height = frame
    players, architect = state.game.players, state.game.architect
    gap = 8.0
    each = (height - gap * (players - 1)) / players
    foot = 0.0
    if players == 2:  # there is room for the guests or the residents below
        foot = 68.0 if architect else 60.0
    side = 0.0 if players == 2 and not architect else 8 + _glance_size(state, page)[0]
    side += (page.card[0] if architect else 40.0) * (players > 2)
    wide = min(width - side, (each - _CAPTION - foot) / _CASTLE)
    parts, top = [], y
    for seat in range(players):
        parts.append(_named_castle(state, seat, (x, top, width, each), wide, page))
        top += max(each, parts[-1].height) + gap
    return joined(parts, width, top - gap - y)


def _castles(state: OnceState, y: float, page: Measures) -> Part:
    """Every castle below the board: two in a row, or one where there are guests to name."""
    players = state.game.players
    columns = 1 if players == 2 or state.game.architect else 2
    width = (page.width - PAD - PAD * columns) / columns
    wide = width
    if columns == 1:
        wide = 236.0 if players == 2 else 128.0
    parts: list[Part] = []
    top = y
    for row in range(0, players, columns):
        seats = range(row, min(row + columns, players))
        for place, seat in enumerate(seats):
            frame = (PAD + place * (width + PAD), top, width, 0.0)
            parts.append(_named_castle(state, seat, frame, wide, page))
        top += max(castle.height for castle in parts[-len(seats) :]) + 10
    return joined(parts, page.width, top - y)


_CAPTION = 24.0


def _named_castle(state: OnceState, seat: int, frame: Frame, wide: float, page: Measures) -> Part:
    """A castle under its name and its points, with its residents, its guests and its tokens."""
    x, y, width, height = frame
    castle, points, name = state.castles[seat], state.score(seat).total, SEAT_NAMES[seat]
    level, high = y + _CAPTION, wide * _CASTLE
    right, under = x + wide + 8, level + high + 6
    box = (x, level, wide, high)
    across, down = _glance_size(state, page)
    crowded = page.width < TABLE.width and state.game.architect
    aside = right + across <= x + width and not crowded
    glance = _at_a_glance(
        state, seat, *((right, level) if aside else (x + wide - across, under)), page
    )
    ends = under + down if glance.shapes and not aside else level + high
    shapes: list[Shape] = [
        Circle(x + 8, y + 11, 7, f"seat-{seat}", "ink", 1),
        caption(x + 20, y + 11, name, 15),
        Text(x + width, y + 11, counted(points, "point"), 15, "ink", "end", bold=True),
        *legible(castle_part(castle, x, level, wide, key=name).shapes, page.letters),
        Rect(*box, None, f"seat-{seat}", 4 if seat == state.to_move else 1.5),
        *glance.shapes,
    ]
    words = f"{name}'s castle: {castle.words}, {counted(points, 'point')}"
    targets = [Target(f"castle {seat + 1}", words, *box), *glance.targets]
    people = _people(state, seat)
    if state.game.architect and width >= _LONG:
        shapes.append(Text(x + 92, y + 11, people, page.letters, "muted"))
    else:
        left, top, room = x + 2, under, wide - (across + 12) * bool(glance.shapes)
        if aside:
            left, top, room = right, level + down + 8, x + width - right
        elif right + across < x + width:
            left, top, room = right, level, x + width - right
        pitch = page.letters * 1.2
        lines = wrapped(people, room, page.letters * _LETTER)
        for number, line in enumerate(lines):
            shapes.append(Text(left, top + pitch * (number + 0.5), line, page.letters, "ink"))
        ends = max(ends, top + pitch * len(lines) + 4)
    if state.game.architect:
        chips = _guest_chips(
            state,
            seat,
            (right + (across + 8) * aside, level, x + width),
            (x, max(ends, under)),
            page,
        )
        shapes += chips.shapes
        targets += chips.targets
        ends = max(ends, level + chips.height)
    whole = Part.of(shapes, targets, width, max(height, ends - y))
    return grouped(whole, f"{name}'s castle")


_LONG = 330.0  # a caption that has room for the residents


def _people(state: OnceState, seat: int) -> str:
    """The residents and what they are worth, and the values of Apprentice guests."""
    castle = state.castles[seat]
    worth = state.game.box.track.value(castle.residents)
    people = f"{counted(castle.residents, 'resident')} worth {worth}"
    if state.game.architect or not castle.guests:
        return people
    return f"{people}, guests {', '.join(str(guest.points) for guest in castle.guests)}"


def _guest_chips(
    state: OnceState,
    seat: int,
    beside: tuple[float, float, float],
    below: tuple[float, float],
    page: Measures,
) -> Part:
    """The guests of a castle: at its side, or where no name fits there, below it."""
    guests, whose = state.castles[seat].guests, f"in {SEAT_NAMES[seat]}'s castle"
    left, level, right = beside
    wide, pitch = page.card[0] - 8, page.letters * 2 + 2
    if page.is_narrow:
        pitch = page.chip[1] + 4
    columns, top = int((right - left + 4) // (wide + 4)), level
    if columns < 1:
        left, top = below
        columns = int((right - left + 4) // (wide + 4))
    chips = [
        chip_part(guest, at, y, page, wide, whose)
        for guest, at, y in in_rows(guests, columns, left, top, wide + 4, pitch)
    ]
    high = top - level + rows(len(chips), columns) * pitch
    return drawn_at_once(chips, right - left, high * bool(chips))


# -- boards at a glance ------------------------------------------------------------------------

_SMALL_CELL = 0.92  # beside the letters of a page


def _glance_size(state: OnceState, page: Measures) -> tuple[float, float]:
    squares, step = state.boards[0].squares, page.letters * _SMALL_CELL
    across, down = (max(getattr(each, way) for each in squares) + 1 for way in ("across", "down"))
    return across * step, down * step


def _at_a_glance(state: OnceState, seat: int, x: float, y: float, page: Measures) -> Part:
    """Which squares of a board have a token. The board of whoever decides is large already."""
    if seat == state.seat:
        return Part()
    board, step = state.boards[seat], page.letters * _SMALL_CELL
    size = step - 1
    corner = {
        square: (x + square.across * step, y + square.down * step)
        for square in sorted(board.squares, key=lambda square: square.resource)
    }
    # Alike one after the other, so that they are drawn at once.
    shapes: list[Shape] = [
        Rect(*at, size, size, ROLES[square.resource]) for square, at in corner.items()
    ]
    shapes += [
        Circle(left + size / 2, top + size / 2, size * 0.4, f"seat-{seat}", "paper", 1)
        for square, (left, top) in corner.items()
        if board.filled & square.bit
    ]
    words = f"Tokens: {token_words(state, seat)}"
    target = Target(f"board {seat + 1}", words, x, y, *_glance_size(state, page))
    return Part.of(shapes, [target])
