"""The cards and quests of CastleScape in pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

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
    Circle,
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
from castlelab.games.castlescape.site_picture import LEAST

if TYPE_CHECKING:
    from castlelab.games.castlescape.quests import Quest

TEXT = 13.0  # the usual size of letters at the table
ROW = 15.5
_SHORT = {
    "gold": "{n} gold",
    "walls": "{n} wall{s}",
    "late-walls": "{n} late wall{s}",
    "recruits": "{n} recruit{s}",
    "sentries": "{n} on a wall",
    "move": "{n} move{s}",
    "climb": "{n} climb{s}",
    "oust": "oust {n}",
    "acquire": "acquire to {n}",
    "destroy-hand": "destroy {n}, hand",
    "destroy-discard": "destroy {n}, pile",
    "shift-blame": "shift {n} blame",
    "draw": "draw {n}",
    "renown": "{n} Renown now",
    "less-infamy": "Infamy −{n}",
    "less-corruption": "Corruption −{n}",
    "more-infamy": "Infamy +{n}",
    "trigger": "trigger Alley",
    "contract": "contract",
}
#: The band at the top of a card, by its family.
_BANDS = {"starter": "hidden", "standard": "seat-0", "rotating": "seat-2"}


def short_words(effect: Effect) -> str:
    """An effect in two or three words.

    >>> short_words(Effect("walls", 3)), short_words(Effect("less-infamy", 2))
    ('3 walls', 'Infamy −2')
    """
    return _SHORT[effect.verb].format(n=effect.number, s="s" * (effect.number != 1))


class _Line(NamedTuple):
    """A line of a card: what it says, in which colour, and the side of the OR it is on."""

    words: str
    role: str = "ink"
    side: int = 0


def _card_lines(card: Card) -> list[_Line]:
    """What is written on a card below its name."""
    lines = [_Line(short_words(effect)) for effect in card.effects]
    for number, choice in enumerate(card.choices, start=1):
        lead = "or " if number > 1 else ""
        lines += [
            _Line(f"{lead if not at else ''}{short_words(effect)}", side=number)
            for at, effect in enumerate(choice)
        ]
    lines += [_Line(f"buy: {short_words(effect)}", "accent") for effect in card.on_purchase]
    if card.renown:
        lines.append(_Line(f"{card.renown} Renown", "good"))
    penalties = (("Infamy", card.infamy), ("Corruption", card.corruption))
    return lines + [_Line(f"! {name} {number}", "bad") for name, number in penalties if number]


_NOTE = 26.0  # the room for a price beside the name


def _name_lines(card: Card, width: float) -> list[str]:
    return wrapped(card.name, width - 8 - _NOTE, TEXT * BOLD_LETTER)


def letters(words: str, room: float, size: float = TEXT, letter: float = LETTER) -> float:
    """The size of letters for words in a room, but none that cannot be read."""
    return max(LEAST, fitting(words, room, size, letter))


class _Block(NamedTuple):
    """Lines of a card that belong together: those of one side of an OR, or a single one."""

    lines: tuple[_Line, ...]
    height: float
    side: int


def _blocks(card: Card, width: float, sides: float) -> list[_Block]:
    """What is written below the name; a side that can be picked is so high at the least."""
    found = []
    for side, given in groupby(_card_lines(card), key=lambda line: line.side):
        lines = [
            line._replace(words=words)
            for line in given
            for words in wrapped(line.words, width - 12, LEAST * LETTER)
        ]
        if side and sides:
            found.append(_Block(tuple(lines), max(sides, ROW * len(lines)), side))
        else:
            found += [_Block((line,), ROW, side) for line in lines]
    return found


def card_height(card: Card, width: float, *, foot: bool = False, sides: float = 0.0) -> float:
    """How much room a card needs, perhaps with one more line at its foot.

    ``sides`` is how high the sides of its OR are at the least, if they can be picked.
    """
    below = sum(block.height for block in _blocks(card, width, sides))
    return 18 + ROW * (len(_name_lines(card, width)) + foot) + below


class CardLook(NamedTuple):
    """How a card is shown: what it is called as a target, how many there are, and so on."""

    key: str = ""
    copies: int = 1
    priced: bool = False  # on the market; elsewhere it is told how many there are
    sides: float = 0.0  # how high the sides of its OR are at the least, if they can be picked
    foot: str = ""  # its last line: how many are left, or in which pile it lies
    new: int = 0  # how many of them came this turn and may not be played
    source: str = ""  # the target that it comes from …
    sink: str = ""  # … and the one that it goes to
    group: str = ""  # what it lies among


_PLAIN_CARD = CardLook()


def card_part(
    card: Card, x: float, y: float, width: float, height: float, look: CardLook = _PLAIN_CARD
) -> Part:
    """A card: its name and price, what it does, what it brings, what it costs later."""
    gone = not look.copies
    shapes: list[Shape] = [
        Rect(x, y, width, height, "panel" if gone else "paper", "line", 1.5),
        Rect(x, y, width, 5, _BANDS[card.family]),
    ]
    level = y + 19  # below the badge of an offer
    room = width - 8 - _NOTE
    for line in _name_lines(card, width):
        size = letters(line, room, TEXT, BOLD_LETTER)
        shapes.append(Text(x + 6, level, line, size, "muted" if gone else "ink", bold=True))
        level += ROW
    if look.priced:
        shapes.append(Circle(x + width - 13, y + 17, 9.5, "hue-yellow", "ink", 1))
        price = str(card.cost)
        shapes.append(Text(x + width - 13, y + 17, price, TEXT, "on-hue-yellow", "middle", True))
    elif look.copies > 1:
        shapes.append(Text(x + width - 5, y + 19, f"×{look.copies}", 14, "ink", "end", bold=True))
    targets = [Target(look.key, _spoken(card, look), x, y, width, height)] if look.key else []
    top = level - ROW / 2
    for lines, high, side in _blocks(card, width, look.sides):
        level = top + (high - ROW * (len(lines) - 1)) / 2
        for words, role, _ in lines:
            size = letters(words, width - 12)
            shapes.append(Text(x + 7, level, words, size, "muted" if gone else role))
            level += ROW
        if look.sides and side:
            box = (x + 3, top, width - 6, high)
            shapes.append(Rect(*box, None, "accent", 1, dash=True))
            effects = " ".join(effect.words for effect in card.choices[side - 1])
            targets.append(Target(f"{look.key} side {side}", f"{card}: {effects}", *box))
        top += high
    if look.foot:
        shapes.append(Text(x + width - 6, y + height - 9, look.foot, 12.5, "muted", "end"))
    piece = Piece(look.key, look.key, look.source, look.sink, board=look.group)
    return Part.of(as_piece(shapes, piece) if look.key else shapes, targets, width, height)


def _spoken(card: Card, look: CardLook) -> str:
    if look.priced:
        left = f"{look.copies} left" if look.copies else "sold out"
        return f"{card.describe()} On the market, {left}"
    many = f"{look.copies} × " if look.copies > 1 else ""
    if look.new:
        some = "It" if look.copies == 1 else f"{look.new} of them"
        return f"{many}{card.describe()} {some} came this turn, not to be played before the next"
    return f"{many}{card.describe()}{f' In your {look.foot}' if look.foot else ''}"


def quest_part(quest: Quest, x: float, y: float, width: float, *, place: str, has: int) -> Part:
    """A goal or a contract: name and Renown, and its condition; ``has`` is how far one is."""
    lines = wrapped(f"{place.capitalize()}: {quest.words}", width - 12, 12.5 * LETTER)
    # Beside others it is as high as they are; alone in its row it needs no more than it has.
    height = 14 + ROW * (1 + max(2 if width < 300 else 1, len(lines)))
    worth, now = f"{quest.renown}", f"now {has}"
    fill = "accent-soft" if place == "contract" else "paper"
    size = letters(quest.name, width - 90, TEXT, BOLD_LETTER)
    shapes: list[Shape] = [
        Rect(x, y, width, height, fill, "line", 1.5),
        Text(x + 6, y + 18, quest.name, size, "ink", bold=True),
        Text(x + width - 28, y + 18, now, 12.5, "muted", "end"),
        Circle(x + width - 14, y + 17, 9.5, "hue-purple", "ink", 1),
        Text(x + width - 14, y + 17, worth, TEXT, "on-hue-purple", "middle", True),
    ]
    for number, line in enumerate(lines):
        level = y + 18 + ROW * (number + 1)
        shapes.append(Text(x + 6, level, line, letters(line, width - 10, 12.5), "ink"))
    words = f"{place.capitalize()} {quest.describe()} Now {has}"
    target = Target(f"{place} {quest.name}", words, x, y, width, height)
    return Part.of(shapes, [target], width, height)


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
    height = max((card_height(card, width) for card in cards), default=0.0)
    parts = [Part.of(caption(8, 17 + 20 * number, line, TEXT) for number, line in enumerate(lines))]
    parts += [
        card_part(card, 8 + at * (width + gap), top, width, height, CardLook(f"card {card.name}"))
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
