"""Single sheets of Once Upon a Castle: a board with its dice, for somebody alone."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from castlelab.draw.layout import Part, button_part, grouped, in_rows, joined, rows
from castlelab.draw.scene import NARROW, Rect, Scene, Shape, Text, marked
from castlelab.games.once_upon_a_castle.board import Board, face_words
from castlelab.games.once_upon_a_castle.board_picture import (
    PAD,
    PAGE,
    board_name,
    board_part,
    board_words,
    cell_within,
)
from castlelab.games.once_upon_a_castle.dice_picture import (
    APART,
    LESSON,
    SLIM,
    Measures,
    both_dice,
    cards_part,
    choices_part,
    dice_part,
    guest_part,
    on_show,
    spare_tokens,
)
from castlelab.games.once_upon_a_castle.guests import Guest
from castlelab.games.once_upon_a_castle.moves import DICE

if TYPE_CHECKING:
    from castlelab.games.once_upon_a_castle.play import OnceState


def sheet_scene(state: OnceState, *, rolled: bool = True) -> Scene:
    """The board and the dice of somebody alone; before the roll there is a button for it.

    Targets are those of the table, without the castles, and ``roll``.
    """
    narrow = partial(_sheet, state, rolled, SLIM)
    return replace(_sheet(state, rolled, LESSON), narrow=narrow)


def _sheet(state: OnceState, rolled: bool, page: Measures) -> Scene:
    dice = dice_part(state, PAD, PAD, page) if rolled else _unrolled(PAD, PAD, page)
    side, columns = PAD + dice.width + 12, 2
    # Chips lie beside the dice; where a guest has rolled one as well, they may lie below.
    top = PAD + page.die + 12
    if rolled:
        choices = choices_part(state, side, PAD, page, columns)
        if side + choices.width > page.width or choices.height > page.die + 16:
            choices = choices_part(state, PAD, top + 14, page, 3)
            top += 14
        else:
            choices = replace(choices, height=max(0.0, choices.height - page.die - 8))
        parts = [dice, choices]
        top += choices.height
    else:
        frame = (side, PAD + (page.die - 44) / 2, 150.0, 44.0)
        parts = [dice, button_part("roll", "Roll the dice", frame, "Turn")]
    parts.append(spare_tokens(state, PAD, top, page, page.width - 2 * PAD))
    top += 28
    board = state.boards[state.seat]
    room = PAGE[1] - top - PAD if not page.is_narrow else math.inf
    cell = cell_within(board, page.width - 2 * PAD, room)
    parts.append(
        grouped(board_part(board, PAD, top, cell, state.seat, page.letters), board_name(state.seat))
    )
    width, height = parts[-1].width, top + parts[-1].height
    if state.game.architect:
        columns = int((page.width - 2 * PAD) // (page.card[0] + 4))
        parts.append(on_show(state, PAD, height + 8, page, columns))
        height += 8 + parts[-1].height
        parts.append(_at_home(state, PAD, height + 8, page, columns))
        height += 8 + parts[-1].height
    whole = joined(parts, NARROW if page.is_narrow else max(width + 2 * PAD, 480.0), height + PAD)
    words = board_words(board)
    if rolled and not state.ending:
        words = f"Dice: {' and '.join(map(face_words, state.dice))}. {words}"
    return whole.scene("Sheet", words)


def _at_home(state: OnceState, x: float, y: float, page: Measures, columns: int) -> Part:
    """The guests in the castle of whoever decides."""
    guests = state.castles[state.seat].guests
    words = "Guests in your castle" if guests else "No guests in your castle yet"
    return cards_part(guests, words, "in your castle", x, y, page, columns)


def _unrolled(x: float, y: float, page: Measures) -> Part:
    """Two dice that wait for a hand."""
    shapes: list[Shape] = []
    for left in (x, x + page.die + APART):
        shapes += [
            Rect(left, y, page.die, page.die, "panel", "line", 1.5, 10, dash=True),
            Text(left + page.die / 2, y + page.die / 2, "…", 24, "muted", "middle"),
        ]
    return Part.of(shapes, (), 2 * page.die + APART, page.die)


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

    def drawn(page: Measures) -> Scene:
        thrown = both_dice(dice, left, PAD, PAD, page)
        beside = 2 * PAD + thrown.width
        across, down = page.card[0] + 4, page.card[1] + 4
        columns = int((page.width - beside) // across)
        spread = in_rows(helpers, columns, beside, PAD, across, down)
        cards = [guest_part(*each, page) for each in spread]
        top = PAD + max(page.die, rows(len(helpers), columns) * down) + 12
        room = math.inf if page.is_narrow else PAGE[1] - top - PAD
        cell = cell_within(board, page.width - 2 * PAD, room)
        field = board_part(board, PAD, top, cell, least=page.letters)
        width = NARROW if page.is_narrow else max(field.width + 2 * PAD, 480.0)
        parts = (replace(thrown, targets=()), field, *cards)
        whole = joined(parts, width, top + field.height + PAD)
        here = f" In your castle: {', '.join(guest.words for guest in helpers)}." * bool(helpers)
        words = f"Dice: {' and '.join(map(face_words, dice))}.{here} {board_words(board)}"
        return marked(whole.scene(title, words), lit=alarms)

    return replace(drawn(LESSON), narrow=partial(drawn, SLIM))
