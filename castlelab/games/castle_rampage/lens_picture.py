"""A stack under a lens in pictures: its cards, the attack, and all orders as dots that melt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from castlelab.draw.layout import Frame, Part, button_part, centred, in_rows, joined, rows
from castlelab.draw.scene import Circle, Path, Piece, Rect, Shape, Target, Text, as_piece
from castlelab.games.castle_rampage.attack import resolve
from castlelab.games.castle_rampage.attack_picture import strength_bar
from castlelab.games.castle_rampage.pictogram_picture import pennant, stack_sign

_PLACES = ("on top", "second", "third", "fourth", "at the bottom")
#: The colour of an order by the cards that fall.
_MARKS = {True: "✓", False: "✕"}
_FALLEN = ("card", "ramp-2", "ramp-4", "ramp-6", "ramp-8")


class Looked(NamedTuple):
    """A stack as a lens shows it: the cards from the top, an attack, and the card in hand."""

    order: tuple[int, ...]
    attack: int
    lens: int
    in_hand: int | None


def attack_part(looked: Looked, width: float, weaker: str, stronger: str) -> Part:
    """How strong the attack is, with − and + beside it, and how it is paid off."""
    middle, said = width / 2, f"Attack {looked.attack}"
    words = Text(middle, 21, str(looked.attack), 22, "on-bad", "middle", bold=True)
    seen = looked.order[: looked.lens or len(looked.order)]
    steps = [step for step in resolve(looked.attack, seen, (1,)).steps if step.stack == "gate"]
    bar = [
        shape for part in strength_bar(looked.attack, steps, (0, 54, width, 24)) for shape in part
    ]
    cloth = 40.0 if width < 140 else 48.0  # there is room for the buttons beside it
    parts = [Part.of([pennant(middle - cloth / 2, 0, cloth), words, *bar])]
    if weaker:
        parts += [
            button_part(weaker, "−", (0, 2, 44, 40), "The attack", name=f"{said}, weaker"),
            button_part(
                stronger, "+", (width - 44, 2, 44, 40), "The attack", name=f"{said}, stronger"
            ),
        ]
    return joined(parts, width, 80)


def lens_stack_part(looked: Looked, width: float, pitch: float) -> Part:
    """The stack from the side, the top above; below the lens nobody looks."""
    high = pitch * len(looked.order)
    shapes: list[Shape] = [
        Rect(0, 0, width, high + 36, "field-sky", None, 1, 8),
        Rect(0, high + 10, width, 26, "field-ground", None, 1, 8),
        Path(((0, high + 10), (width, high + 10)), None, "line", 1.2),
        centred((0, high + 12, width, 24), "Gate", 13, "on-field-ground", bold=True),
    ]
    targets = []
    costs = list(accumulate(looked.order))
    for at, (card, cost) in enumerate(zip(looked.order, costs, strict=True)):
        seen = not looked.lens or at < looked.lens
        falls = cost <= looked.attack
        holds = not falls and (at == 0 or costs[at - 1] <= looked.attack)
        fate = ("falls" if falls else "holds" if holds else "") if seen else "any"
        frame = (10.0, 8 + at * pitch, width - 20, pitch - 6)
        is_held = card == looked.in_hand
        row = _card_row(card, fate, frame, is_held=is_held)
        shapes += as_piece(row, Piece(f"card {card}", f"card {card}"))
        told = f"Defence {card}, {_PLACES[at]}" + (f", {fate}" if fate not in ("", "any") else "")
        name = told + ", in your hand" * is_held
        targets.append(Target(f"card {card}", name, *frame, group="The stack", cell=(at, 0)))
    if looked.lens:
        frame = (4.0, 3.0, width - 8, looked.lens * pitch + 3)
        shapes.append(Rect(*frame, None, "chosen", 3, 10))
    return Part.of(shapes, targets, width, high + 36)


def _card_row(card: int, fate: str, frame: Frame, *, is_held: bool) -> Iterator[Shape]:
    x, y, width, height = frame
    middle = y + height / 2 - 1
    fill = {"falls": "sunk", "any": "hidden", "holds": "warn-soft"}.get(fate, "card")
    ink = "on-hidden" if fate == "any" else "muted" if fate == "falls" else "ink"
    edge, line = ("chosen", 3.0) if is_held else ("line", 1.2)
    yield Rect(x, y + 3, width, height - 3, "sunk", "line", 1, 6)
    yield Rect(x, y, width, height - 3, fill, edge, line, 6)
    yield stack_sign("gate", x + 10, middle - 8, 17, ink)
    yield Text(x + 38, middle, str(card), 20, ink, bold=True)
    if fate == "falls":
        yield Path(((x + 6, middle), (x + 60, middle)), None, "bad", 2)
        yield Text(x + width - 12, middle, f"falls: −{card}", 14, "bad", "end", bold=True)
    elif fate == "holds":
        plate = (x + width - 66, middle - 10, 56, 20)
        yield Rect(*plate, "warn", None, 1, 10)
        yield centred(plate, "holds", 13, "on-warn", bold=True)
    elif fate == "any":
        yield Text(x + width - 12, middle, "any order", 13, "on-hidden", "end")


class Dot(NamedTuple):
    """An order as a dot: how many cards fall, and whether that is known and lies before you."""

    falls: int
    is_known: bool
    is_here: bool


def dots_part(dots: Sequence[Dot], width: float, columns: int) -> Part:
    """All orders, one by one; who is known shows how many cards fall."""
    pitch = width / columns
    shapes: list[Shape] = []
    for dot, x, y in in_rows(dots, columns, pitch / 2, pitch / 2, pitch, pitch):
        radius = pitch * 0.4
        if dot.is_here:
            shapes.append(Circle(x, y, radius + 2, "paper", "chosen", 2.5))
        if dot.is_known:
            fill = _FALLEN[dot.falls]
            shapes.append(Circle(x, y, radius, fill, "ink", 1))
            ink = f"on-{fill}" if dot.falls else "ink"
            shapes.append(Text(x, y, str(dot.falls), 12, ink, "middle", bold=True))
        else:
            shapes.append(Circle(x, y, radius * 0.6, "sunk", "line", 1))
    return Part.of(shapes, (), width, pitch * rows(len(dots), columns))


class Block(NamedTuple):
    """All orders with the same cards on top: whether these fall, if that is known."""

    group: tuple[int, ...]
    orders: int
    falls: bool
    is_known: bool
    is_here: bool


def pairs_part(blocks: Sequence[Block], width: float, high: float) -> Part:
    """Pairs as they were found on top of the stack, each in its place."""
    step = (width + 6) / 5
    wide, deep = step - 6, high - 36
    shapes: list[Shape] = []
    for block, x, y in in_rows(blocks, 5, 0, 0, step, high + 6):
        shapes.append(_plate(block, (x, y, wide, high)))
        if not block.is_known:
            shapes.append(centred((x, y, wide, high), "?", 18, "muted", bold=True))
            continue
        for card, left, top in in_rows(block.group, 1, x + 8, y + 7, 0, deep / 2 + 2):
            frame = (left, top, wide - 16, deep / 2 - 1)
            shapes += [Rect(*frame, "card", "line", 1, 5), centred(frame, str(card), 15, bold=True)]
        total = f"{sum(block.group)} {_MARKS[block.falls]}"
        below = (x, y + high - 26, wide, 24.0)
        shapes.append(centred(below, total, 15, _block_colours(block)[1], bold=True))
    return Part.of(shapes, (), width, rows(len(blocks), 5) * (high + 6) - 6)


def blocks_part(blocks: Sequence[Block], width: float, columns: int, pitch: float) -> Part:
    """Dots that have melted into blocks, so many of them side by side in each."""
    step = (width + 6) / 5
    wide = step - 6
    high = 38 + pitch * rows(blocks[0].orders, columns)
    shapes: list[Shape] = []
    targets = []
    for block, x, y in in_rows(blocks, 5, 0, 0, step, high + 6):
        shapes.append(_plate(block, (x, y, wide, high)))
        between, letters = ("+", 15) if len(block.group) < 3 else (" ", 14)
        words, middle = between.join(map(str, block.group)), x + wide / 2 - 8 * block.is_known
        shapes.append(Text(middle, y + 18, words, letters, "ink", "middle", bold=True))
        known = "sunk"
        if block.is_known:
            known, role = ("good" if block.falls else "bad"), _block_colours(block)[1]
            mark = _MARKS[block.falls]
            shapes.append(Text(x + wide - 6, y + 18, mark, 14, role, "end", bold=True))
        left, top = x + (wide - (columns - 1) * pitch) / 2, y + 31 + pitch / 2
        spread = in_rows(range(block.orders), columns, left, top, pitch, pitch)
        shapes += (Circle(a, b, pitch * 0.34, known, "line", 0.8) for _, a, b in spread)
        fate = ("falls" if block.falls else "does not fall") if block.is_known else "not tried"
        name = f"{' and '.join(map(str, block.group))} on top: {fate}, {block.orders} orders"
        key = "group " + " ".join(map(str, block.group))
        targets.append(Target(key, name, x, y, wide, high, group="What the lens sees"))
    return Part.of(shapes, targets, width, rows(len(blocks), 5) * (high + 6) - 6)


def _plate(block: Block, frame: Frame) -> Rect:
    """What a block lies on; that of the stack as it lies now is framed."""
    x, y, width, height = frame
    fill, edge = _block_colours(block)
    role, line = ("chosen", 3.0) if block.is_here else (edge, 1.5)
    is_open = not block.is_known
    return Rect(x + 1, y + 1, width - 2, height - 2, fill, role, line, 8, dash=is_open)


def _block_colours(block: Block) -> tuple[str | None, str]:
    if not block.is_known:
        return None, "line"
    return ("good-soft", "good") if block.falls else ("bad-soft", "bad")


def lenses_part(names: Sequence[str], chosen: str, width: float) -> Part:
    """The lenses to choose from; the one that is in use stands out."""
    across = (width + 6) / len(names)
    shapes: list[Shape] = []
    targets = []
    for name, x, y in in_rows(names, len(names), 0, 0, across, 0):
        is_chosen = name == chosen
        frame = (x + 1.5, y + 1.5, across - 9, 38.0)
        fill, edge = ("accent-soft", "chosen") if is_chosen else ("card", "accent")
        shapes.append(Rect(*frame, fill, edge, 3 if is_chosen else 1.5, 8))
        shapes.append(centred(frame, name, 14, "ink", bold=True))
        said = f"Lens: {name}{', in use' if is_chosen else ''}"
        targets.append(Target(name, said, x, y, across - 6, 41, group="The lens"))
    return Part.of(shapes, targets, width, 41)


def shares_part(shares: Iterable[str], width: float) -> Part:
    """The chance that at least 1, 2, 3 cards fall, as far as it is known."""
    across = (width + 6) / 3
    shapes: list[Shape] = []
    for number, (share, x, y) in enumerate(in_rows(shares, 3, 0, 0, across, 0), start=1):
        frame = (x + 1, y + 1, across - 8, 36.0)
        fill, edge = ("good-soft", "good") if share else (None, "line")
        shapes.append(Rect(*frame, fill, edge, 1.5, 8, dash=not share))
        words = f"≥ {number}: {share or '?'}"
        shapes.append(centred(frame, words, 15, "ink" if share else "muted", bold=bool(share)))
    return Part.of(shapes, (), width, 38)
