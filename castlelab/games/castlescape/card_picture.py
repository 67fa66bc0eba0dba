"""The cards and quests of CastleScape in pictures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from castlelab.draw.layout import (
    BOLD_LETTER,
    LETTER,
    Frame,
    Part,
    caption,
    fitting,
    joined,
    wrapped,
)
from castlelab.draw.scene import (
    NARROW,
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
from castlelab.games.castlescape.card import Card, Effect
from castlelab.games.castlescape.sign_picture import (
    BANDS,
    Sign,
    effect_signs,
    penalty_signs,
    signs_in_row,
    signs_width,
)
from castlelab.games.castlescape.site_picture import LEAST

TEXT = 13.0  # the usual size of letters at the table
ROW = 15.5
# -- a card at the table: signs ----------------------------------------------------------------


class CardLook(NamedTuple):
    """How a card is shown: what it is called as a target, how many there are, and so on."""

    key: str = ""
    copies: int = 1
    priced: bool = False  # on the market
    counted: bool = False  # it is said how many there are, even if there is only one
    sides: float = 0.0  # how high the sides of its OR are at the least, if they can be picked
    new: int = 0  # how many of them came this turn and may not be played
    source: str = ""  # the target that it comes from …
    sink: str = ""  # … and the one that it goes to
    group: str = ""  # what it lies among


_PLAIN_CARD = CardLook()
_SIGN, _SMALL_SIGN = 18.0, 15.0
_LONGEST = 12  # letters of a word that stay together
WIDE_LETTER = 0.63  # how wide a bold letter may be beside its size, in the widest font


def _short_lines(name: str, room: float, letters: float) -> list[str]:
    """A name in lines; a word that is too long for a line is broken in the middle."""
    longest = min(_LONGEST, int(room / (letters * LETTER)))
    words = []
    for word in name.split():
        half = (len(word) + 1) // 2
        words += [word] if len(word) <= longest else [f"{word[:half]}-", word[half:]]
    return wrapped(" ".join(words), room, letters * BOLD_LETTER)


def card_part(card: Card, frame: Frame, letters: float, look: CardLook = _PLAIN_CARD) -> Part:
    """A little card: its name, what it does in signs, below them its price and its penalties."""
    x, y, width, height = frame
    gone, idle = not look.copies, look.new >= max(1, look.copies)
    role = "muted" if gone or idle else "ink"
    shapes: list[Shape] = [
        Rect(*frame, "panel" if gone or idle else "card", "line", 1.5),
        Rect(x + 4, y + 6, 3, height - 12, BANDS[card.family]),
    ]
    lines = _short_lines(card.name, width - 16, letters)
    bold = max(map(len, lines)) * letters * WIDE_LETTER <= width - 12
    for number, line in enumerate(lines):
        level = y + 13 + number * (letters + 2)
        shapes.append(Text(x + 11, level, line, letters, role, bold=bold))
    targets = [Target(look.key, _spoken(card, look), *frame)] if look.key else []
    middle = y + max(13 + 2 * (letters + 2) + 8, 36 + look.sides / 2)
    if card.choices:
        sides = list(_sides(card, frame, middle, letters, look))
        shapes += [shape for part in sides for shape in part.shapes]
        targets += [target for part in sides for target in part.targets]
    else:
        signs = [sign for effect in card.effects for sign in effect_signs(effect)]
        if not card.effects:
            signs = [sign for effect in card.on_purchase for sign in effect_signs(effect)]
        left = x + 11 + max(0.0, (width - 16 - signs_width(signs, _SIGN, letters)) / 2)
        shapes += signs_in_row(signs, left, middle, _SIGN, letters)
    shapes += _foot(card, frame, letters, look)
    piece = Piece(look.key, look.key, look.source, look.sink, board=look.group)
    return Part.of(as_piece(shapes, piece) if look.key else shapes, targets, width, height)


def _sides(
    card: Card, frame: Frame, middle: float, letters: float, look: CardLook
) -> Iterator[Part]:
    """The sides of an OR, side by side; boxes where one of them can be picked.

    On the market, where there is no need for boxes, what comes before the choice stands at
    their left, and in the hand at the foot of the card.
    """
    x, _, width, _ = frame
    count = len(card.choices)
    if look.priced:
        before = [sign for effect in card.effects for sign in effect_signs(effect, most=1)]
        yield Part.of(signs_in_row(before, x + 11, middle, _SIGN, letters))
        lead = signs_width(before, _SIGN, letters)
        x, width = x + lead, width - lead
    sides = [[sign for e in choice for sign in effect_signs(e, most=1)] for choice in card.choices]
    room = width - 10 - 4 * (count - 1)
    size = _SIGN
    if sum(signs_width(signs, size, letters) for signs in sides) > room:
        size = _SMALL_SIGN
    filled = [signs_width(signs, size, letters) for signs in sides]
    spare = (room - sum(filled)) / count
    high = max(look.sides, _SIGN + 6)
    left = x + 8
    for number, (choice, signs) in enumerate(zip(card.choices, sides, strict=True), start=1):
        wide = filled[number - 1] + spare
        box = (left, middle - high / 2, wide, high)
        shapes: list[Shape] = signs_in_row(signs, left + spare / 2 + 1, middle, size, letters)
        if look.sides:
            words = f"{card}: {' '.join(effect.words for effect in choice)}"
            shapes.append(Rect(*box, None, "accent", 1.5, dash=True))
            yield Part.of(shapes, [Target(f"{look.key} side {number}", words, *box)])
        else:
            line = ((left - 2, middle - 11), (left - 2, middle + 11))
            yield Part.of([*shapes, *[Path(line, None, "line", 1.5)] * (number > 1)])
        left += wide + 4


def _foot(card: Card, frame: Frame, letters: float, look: CardLook) -> Iterator[Shape]:
    """The last line of a card: price and what comes with it, penalties, how many there are."""
    x, y, width, height = frame
    level, right = y + height - 14, x + width - 5
    many = f"×{look.copies}" if look.copies > 1 or look.counted else ""
    if many:
        yield Text(right, level, many, letters, "muted", "end")
        right -= len(many) * letters * LETTER + 8
    if look.new:
        some = "not this turn" if look.new == look.copies else f"{look.new} not now"
        yield Text(x + 11, level, some, letters, "muted")
        return
    first: list[Sign] = [Sign("gold", inside=str(card.cost))] if look.priced else []
    if look.priced and card.effects:
        first += [sign for effect in card.on_purchase for sign in effect_signs(effect)]
    if card.choices and not look.priced:
        first += [sign for effect in card.effects for sign in effect_signs(effect)]
    yield from signs_in_row(first, x + 10, level, _SIGN + 2 * look.priced, letters)
    last = penalty_signs(card)
    if card.renown:
        last = (Sign("renown", inside=str(card.renown)), *last)
    yield from signs_in_row(last, right - signs_width(last, _SIGN, letters), level, _SIGN, letters)


def _spoken(card: Card, look: CardLook) -> str:
    if look.priced:
        left = f"{look.copies} left" if look.copies else "sold out"
        return f"{card.describe()} On the market, {left}"
    many = f"{look.copies} × " if look.copies > 1 else ""
    if look.new:
        some = "It" if look.copies == 1 else f"{look.new} of them"
        return f"{many}{card.describe()} {some} came this turn, not to be played before the next"
    return f"{many}{card.describe()}"


# -- a card in a question: signs and words -------------------------------------------------------


class _Line(NamedTuple):
    """A line of a card: its sign, where it has one, what it says, and in which colour."""

    sign: Sign | None
    words: str
    role: str = "ink"


def _card_lines(card: Card) -> Iterator[_Line]:
    """What is written on a card below its name."""
    for effect in card.effects:
        yield _Line(_plain_sign(effect), effect.short)
    for number, choice in enumerate(card.choices, start=1):
        for at, effect in enumerate(choice):
            lead = "or " if number > 1 and not at else ""
            yield _Line(_plain_sign(effect), f"{lead}{effect.short}")
    for effect in card.on_purchase:
        yield _Line(_plain_sign(effect), f"buy: {effect.short}", "accent")
    if card.renown:
        yield _Line(Sign("renown"), f"{card.renown} Renown", "good")
    for name, number in (("Infamy", card.infamy), ("Corruption", card.corruption)):
        if number:
            yield _Line(Sign(name.lower()), f"{name} +{number}", "bad")


def _plain_sign(effect: Effect) -> Sign:
    """The sign of an effect without its number, which stands in the words."""
    return Sign(effect_signs(effect)[0].picture)


def _wrapped_lines(card: Card, width: float) -> list[_Line]:
    found = []
    for line in _card_lines(card):
        first, *more = wrapped(line.words, width - 34, LEAST * LETTER)
        found += [line._replace(words=first), *(_Line(None, words, line.role) for words in more)]
    return found


def _name_lines(card: Card, width: float) -> list[str]:
    return wrapped(card.name, width - 16, TEXT * BOLD_LETTER)


def letters(words: str, room: float, size: float = TEXT, letter: float = LETTER) -> float:
    """The size of letters for words in a room, but none that cannot be read."""
    return max(LEAST, fitting(words, room, size, letter))


_ROW = 20.0  # a line with a sign


def _card_height(card: Card, width: float) -> float:
    """How much room a card needs, with what it does in words."""
    return 20 + ROW * len(_name_lines(card, width)) + _ROW * len(_wrapped_lines(card, width))


def _worded_part(card: Card, frame: Frame) -> Part:
    """A card whose signs have their words beside them, for those who do not know them yet."""
    x, y, width, height = frame
    shapes: list[Shape] = [
        Rect(*frame, "card", "line", 1.5, 6),
        Rect(x + 4, y + 6, 3, height - 12, BANDS[card.family]),
    ]
    level = y + 17
    for words in _name_lines(card, width):
        shapes.append(Text(x + 12, level, words, TEXT, "ink", bold=True))
        level += ROW
    level += 3
    for line in _wrapped_lines(card, width):
        if line.sign is not None:
            shapes += signs_in_row([line.sign], x + 11, level, 15, TEXT)
        size = letters(line.words, width - 34)
        shapes.append(Text(x + 30, level, line.words, size, line.role))
        level += _ROW
    key = f"card {card.name}"
    target = Target(key, card.describe(), *frame)
    return Part.of(as_piece(shapes, Piece(key, key)), [target], width, height)


# -- a few things of a table -----------------------------------------------------------------


class Gauge(NamedTuple):
    """A row of boxes, so many of them full: Infamy, a pile of cards, the Quarry."""

    name: str
    value: int
    most: int


def cards_scene(
    cards: Sequence[Card], gauges: Sequence[Gauge] = (), title: str = "", *, narrow: bool = False
) -> Scene:
    """Some cards side by side and some gauges below them: what a question is about."""
    gap = 10.0
    width = min(154.0, (NARROW - 16 - 2 * gap) / 3) if narrow else 154.0
    named = max((len(f"{gauge.name} {gauge.value}") for gauge in gauges), default=0)
    names = max(130.0, 10 + named * TEXT * BOLD_LETTER)
    across = 16 + len(cards) * (width + gap) - gap
    page = NARROW if narrow else max(420.0, across, (names + 266) * bool(gauges))
    lines = wrapped(title, page - 16, TEXT * BOLD_LETTER)
    top = 10.0 + 20 * len(lines) if lines else 8.0
    height = max((_card_height(card, width) for card in cards), default=0.0)
    parts = [Part.of(caption(8, 17 + 20 * number, line, TEXT) for number, line in enumerate(lines))]
    parts += [
        _worded_part(card, (8 + at * (width + gap), top, width, height))
        for at, card in enumerate(cards)
    ]
    below = top + height + (gap if cards else 0)
    for gauge in gauges:
        level = _gauge_above(gauge, 8, below) if narrow else _gauge_beside(gauge, 8, below, names)
        parts.append(level)
        below += level.height + 4
    whole = joined(parts, page, below + 8)
    words = " ".join(f"{target.name.rstrip('.')}." for target in whole.targets)
    scene = whole.scene(title, words)
    again = partial(cards_scene, cards, gauges, title, narrow=True)
    return scene if narrow else replace(scene, narrow=again)


def _gauge_beside(gauge: Gauge, x: float, y: float, names: float) -> Part:
    """A gauge on one line: its name, then its boxes."""
    box = min(16.0, 250 / gauge.most)
    return _gauge_part(gauge, (x, y, names + box * gauge.most, 24), (x + names, y + 5), box)


def _gauge_above(gauge: Gauge, x: float, y: float) -> Part:
    """A gauge on two lines, for a narrow page."""
    wide = NARROW - 2 * x
    return _gauge_part(gauge, (x, y, wide, 42), (x, y + 24), min(18.0, wide / gauge.most))


def _gauge_part(gauge: Gauge, frame: Frame, boxes: Point, box: float) -> Part:
    x, y, width, height = frame
    shapes: list[Shape] = [caption(x, y + 12, f"{gauge.name} {gauge.value}", TEXT)]
    for at in range(gauge.most):
        fill = "accent" if at < gauge.value else "paper"
        place = boxes[0] + at * box, boxes[1]
        shapes.append(Rect(*place, max(1.0, box - 2), 14, fill, "line", 1))
    words = f"{gauge.name}: {gauge.value} of {gauge.most}"
    return Part.of(shapes, [Target(f"level {gauge.name}", words, *frame)], width, height)
