"""The cards of Castle Rampage in pictures, alone and in stacks seen from the side."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import accumulate
from typing import NamedTuple

from castlelab.draw.layout import BOLD_LETTER, Frame, Part, fitting, shrunk
from castlelab.draw.scene import Happening, Path, Piece, Rect, Shape, Target, Text, as_piece
from castlelab.draw.theme import add_family
from castlelab.games.castle_rampage.attack import Defender
from castlelab.games.castle_rampage.card import Card, StackName
from castlelab.games.castle_rampage.pictogram_picture import (
    card_backs,
    doing,
    pennant,
    sign,
    stack_sign,
)
from castlelab.games.castle_rampage.table import hand_id
from castlelab.rules import counted

#: Walls, and the land that they stand on.
add_family(
    "field",
    {
        "sky": "#e6f0f3 #1d2429",
        "ground": "#e9dfcd #2d2822",
        "stone": "#d9cfc0 #5c544c",
        "shade": "#bfb2a0 #463f39",
        "dark": "#4a3f5c #171220",
    },
)

CARD_WIDTH, CARD_HEIGHT = 114.0, 108.0
_THICK = 9.0  # a face-down card seen from the side
_SLAB, _THIN_SLAB = 20.0, 14.0  # … and one that is known among others, or among many
_COVER = 14.0  # the back of the top card, seen from above
_FACE = 40.0  # a card that is known alone
_AIR = 20.0  # above the cards of a stack


class StackSize(NamedTuple):
    """How much room the picture of a stack takes."""

    width: float
    height: float


STACK = StackSize(110, 160)


def card_shapes(
    card: Card,
    x: float,
    y: float,
    *,
    count: int = 1,
    lit: bool = False,
    height: float = CARD_HEIGHT,
) -> list[Shape]:
    """A card face up: its strength on a pennant, what it does, its defence in the corners.

    A high one has a larger sign, a low one no words.
    """
    width = CARD_WIDTH
    frame, line = card_edge(card, 1.2)
    fill = "accent-soft" if lit else "card"
    shapes: list[Shape] = []
    if count > 1:  # more of them behind
        shapes.append(Rect(x + 4, y - 4, width, height, "panel", frame, 1, 9))
    shapes.append(Rect(x, y, width, height, fill, frame, line, 9))
    size = max(12.0, fitting(card.name, width - 10, 13, BOLD_LETTER))
    shapes.append(Text(x + width / 2, y + 14, card.name, size, "ink", "middle", bold=True))
    if card.attack is not None:
        star = "*" if card.does("take-castle") or card.does("charge") or card.is_scheme else ""
        shapes += [
            pennant(x + 8, y + 25, 28),
            Text(x + 22, y + 37, f"{card.attack}{star}", 14, "on-bad", "middle", bold=True),
        ]
    elif card.permanent:  # it stays
        shapes += [Rect(x + 8, y + 25, 24, 24, "good-soft", "good", 1.2, 6)]
        shapes += sign("flag", x + 12, y + 29, 16, "good")
    shapes += card_backs(card.cost, x + width - 8, y + 26)
    shapes += _deed(card, x, y, height)
    shapes += _defence(x + 7, y + height - 26, card.gate, "gate")
    shapes += _defence(x + width - 45, y + height - 26, card.castle, "castle")
    if count > 1:
        shapes.append(Text(x + width / 2, y + height - 15, f"×{count}", 13, "ink", "middle", True))
    return shapes


def large_card(card: Card, frame: Frame, count: int = 1) -> list[Shape]:
    """A card face up, enlarged until it is as wide as its frame."""
    x, y, width, height = frame
    scale = width / CARD_WIDTH
    drawn = card_shapes(card, x, y, count=count, height=height / scale)
    return [shrunk(shape, x, y, scale) for shape in drawn]


_WORDS_FROM = 100.0  # how high a card is that has room for words


def _deed(card: Card, x: float, y: float, height: float) -> list[Shape]:
    """What a card does, in signs, with a few words below."""
    signs, words = doing(card)
    ink = "hue-purple" if card.purple else "ink"
    left = 40.0 if card.attack is not None or card.permanent else 8.0
    room = CARD_WIDTH - left - (8 * card.cost + 10 if card.cost else 8)
    has_words = height >= _WORDS_FROM
    foot = 46.0 if has_words else 26.0  # words and values
    high = height - foot - 24
    size = min(high - 4 if has_words else high, room / len(signs), 56.0)
    across = y + 24 + high / 2
    alone = len(signs) == 1 and card.attack is None
    middle = x + (CARD_WIDTH / 2 if alone else left + room / 2)
    start = middle - size * len(signs) / 2
    shapes: list[Shape] = []
    for at, name in enumerate(signs):
        shapes += sign(name, start + at * size, across - size / 2, size - 2, ink)
    below = y + height - 37
    if not has_words:
        return shapes
    if card.is_scheme and card.extra:
        shapes += sign(card.extra, x + CARD_WIDTH / 2 - 24, below - 9, 18)
        shapes.append(Text(x + CARD_WIDTH / 2, below, f"+{card.bonus}", 13, "bad", bold=True))
    elif words:
        shapes.append(Text(x + CARD_WIDTH / 2, below, words, 12, "muted", "middle"))
    return shapes


def card_edge(card: Defender, line: float) -> tuple[str, float]:
    """The colour and the width of the edge of a card; a purple one stands out."""
    return ("hue-purple", 2.5) if isinstance(card, Card) and card.purple else ("line", line)


def _defence(x: float, y: float, value: int, stack: StackName) -> list[Shape]:
    """A defence value beside a little gate or a little tower."""
    return [
        Rect(x, y, 38, 20, "panel", "line", 1, 6),
        stack_sign(stack, x + 5, y + 4, 14),
        Text(x + 29, y + 10.5, str(value), 13, "ink", "middle", bold=True),
    ]


def legend_shapes(right: float, y: float, letters: float = 12) -> list[Shape]:
    """Which value counts where, in signs and words."""
    scale = letters / 12
    gate, castle = right - 190 * scale, right - 96 * scale
    return [
        stack_sign("gate", gate, y - 6, 14 * scale),
        Text(gate + 19 * scale, y, "at the Gate", letters, "muted"),
        stack_sign("castle", castle, y - 7, 14 * scale),
        Text(castle + 18 * scale, y, "at the Castle", letters, "muted"),
    ]


def spoken(card: Card) -> str:
    """A card as the name of a target: words may follow, so it does not end a sentence."""
    return card.describe().removesuffix(".")


def name_and_value(card: Defender, stack: StackName) -> tuple[str, int]:
    """What a card of a stack is called, and its defence there."""
    return ("", card) if isinstance(card, int) else (card.name, card.defence(stack))


def defender_words(card: Defender | None, stack: StackName) -> str:
    """A card of a stack as it is spoken; only its value where that is all there is."""
    if card is None:
        return "face down"
    name, value = name_and_value(card, stack)
    return f"{name}, defence {value}" if name else f"defence {value}"


# -- stacks ----------------------------------------------------------------------------------


def stack_part(
    cards: Sequence[Defender | None],
    stack: StackName,
    x: float,
    y: float,
    remembered: Collection[int] = (),
    *,
    key: str,
    whose: str,
    group: str,
    size: StackSize = STACK,
    flag: str = "bad",
) -> Part:
    """A stack before its walls in a box of fixed size, face up where cards are known.

    Those at the ``remembered`` places lie face down, and whoever looks knows what they are.
    """
    middle, ground = x + size.width / 2, y + size.height - 22
    count = f"{stack.title()}: {counted(len(cards), 'card')}"
    pile = stack_cards(cards, stack, (x, y, size.width, ground - y), remembered, key=key)
    shapes: list[Shape] = [
        Rect(x, y, size.width, size.height, "field-sky", None, 1, 8),
        *built_walls(stack, middle, ground, size.width - 10, size.height - 34, key=key, flag=flag),
        Rect(x, ground - 4, size.width, 26, "field-ground", None, 1, 8),
        Path(((x + 1, ground - 4), (x + size.width - 1, ground - 4)), None, "line", 1.2),
        Text(middle, y + size.height - 10, count, 12, "on-field-ground", "middle", bold=True),
        *pile,
    ]
    words = f"{whose}{stack_words(cards, stack, remembered)}"
    target = Target(key, words, x, y, size.width, size.height, group=group)
    return Part.of(shapes, [target], size.width, size.height)


def stack_cards(
    cards: Sequence[Defender | None],
    stack: StackName,
    frame: Frame,
    remembered: Collection[int] = (),
    *,
    key: str,
    letters: float = 12,
) -> list[Shape]:
    """The cards of a stack, one upon the other, on the ground at the bottom of their frame."""
    x, y, width, height = frame
    ground, room = y + height, height - _AIR
    heights = [thick * letters / 12 for thick in _thicknesses(cards, room * 12 / letters)]
    # A share of the room may be a hair too much.
    shown = sum(total <= room + 1e-6 for total in accumulate(heights))
    top = ground - 1 - sum(heights[:shown])
    shapes: list[Shape] = []
    for at, (card, high) in enumerate(zip(cards[:shown], heights, strict=False)):
        # Counted from below, where cards stay when others go from the top.
        place = len(cards) - at
        piece = Piece(f"defender of {key}", f"{key} {place}", source=_hand_of(card))
        lies = (x + 4, top, width - 8, high)
        if card is None:
            slab = _face_down(lies, place, is_top=at == 0)
        else:
            slab = _slab(card, stack, lies, letters, remembered=at in remembered)
        shapes += as_piece(slab, piece)
        top += high
    if shown < len(cards):
        middle, more = x + width / 2, f"+{len(cards) - shown}"
        high = letters * 17 / 12
        shapes += [
            Rect(middle - 1.4 * high, ground - 1 - high, 2.8 * high, high, "paper", "ink", 1, 4),
            Text(middle, ground - 1 - high / 2, more, letters, "ink", "middle", bold=True),
        ]
    return shapes


def built_walls(
    stack: StackName,
    x: float,
    ground: float,
    width: float,
    height: float,
    *,
    key: str,
    flag: str = "bad",
) -> list[Shape]:
    """The walls of a stack as pieces, so that they may come down."""
    built = walls(stack, x, ground, width, height, flag)
    flags = built[2:4] if stack == "castle" else []
    house = [shape for shape in built if shape not in flags]
    spot = _walls_spot(key)
    return [*as_piece(house, Piece("walls", spot)), *as_piece(flags, Piece("flag", f"{spot} flag"))]


def _walls_spot(key: str) -> str:
    """The spot of the walls of a stack; that of the flag upon them begins alike."""
    return f"walls-of-{key.replace(' ', '-')}"


def topples(key: str) -> Happening:
    """A Castle without cards comes down."""
    return Happening("topple", ((_walls_spot(key),), (f"{_walls_spot(key)} flag",)))


def _hand_of(card: Defender | None) -> str:
    """Where a card lies in a hand, from which it may have come into a stack."""
    return hand_id(card.name) if isinstance(card, Card) else ""


def _thicknesses(cards: Sequence[Defender | None], room: float) -> list[float]:
    """How high cards stand in the picture: one that is known alone has room for words."""
    known = sum(card is not None for card in cards)
    slab = min(_SLAB, max(_THIN_SLAB, room / max(len(cards), 1)))
    return [_THICK if card is None else _FACE if known == 1 else slab for card in cards]


def _face_down(frame: Frame, place: int, *, is_top: bool) -> list[Shape]:
    """A card from its side, not quite upon the one below; the top one shows its back, too."""
    x, y, width, height = frame
    left, wide = x + 4 + (place * 2) % 5, width - 16
    shapes: list[Shape] = [Rect(left, y, wide, height, "card", "ink", 1, 2.5)]
    if is_top:
        right, back = left + wide, y + 2 - _COVER
        cover = ((left, y + 2), (left + 9, back), (right + 6, back), (right, y + 2))
        low, high = y - 2, back + 4
        inner = ((left + 15, low), (left + 20, high), (right - 8, high), (right - 13, low))
        shapes += [
            Path(cover, "hidden", "ink", 1.2, closed=True),
            Path(inner, None, "on-hidden", 0.8, closed=True),
        ]
    return shapes


def _slab(
    card: Defender, stack: StackName, frame: Frame, letters: float, *, remembered: bool
) -> list[Shape]:
    """A card that is known: its name, and the value that counts here.

    One that its owner only remembers lies face down.
    """
    x, y, width, height = frame
    name, value = name_and_value(card, stack)
    edge, line = card_edge(card, 1.2)
    fill, ink = ("hidden", "on-hidden") if remembered else ("card", "ink")
    shapes: list[Shape] = [
        Rect(x, y + 2, width, height - 2, "sunk", edge, 1, 4),  # its thickness
        Rect(x, y, width, height - 3, fill, edge, line, 4),
    ]
    if height > 30 and not remembered:
        middle, half = x + width / 2, letters * 3.2
        return [
            *shapes,
            Text(middle, y + height * 0.28, name, letters, ink, "middle", bold=True),
            stack_sign(stack, middle - half, y + height / 2, letters + 1),
            Text(
                middle - half + 1.5 * letters, y + height * 0.68, f"defends {value}", letters, ink
            ),
        ]
    middle = y + (height - 3) / 2
    return [
        *shapes,
        Text(x + 5, middle + 0.5, name, letters, ink),
        Text(x + width - 5, middle + 0.5, str(value), letters, ink, "end", bold=True),
    ]


def walls(
    stack: StackName, x: float, ground: float, width: float, height: float, flag: str = "bad"
) -> list[Shape]:
    """What a stack lies before: a gate between two towers, or a keep between lower ones."""
    low = height * (0.82 if stack == "gate" else 0.68)
    side = width * 0.27
    shapes: list[Shape] = []
    if stack == "gate":
        shapes += [
            Rect(
                *(x - width / 2 + side - 1, ground - low * 0.8, width - 2 * side + 2, low * 0.8),
                "field-shade",
                "line",
            ),
            Rect(
                x - width * 0.16,
                ground - low * 0.55,
                width * 0.32,
                low * 0.55,
                "field-dark",
                None,
                1,
                width * 0.16,
            ),
        ]
    else:
        shapes += _tower(x, ground, width * 0.42, height - 16)
        top = ground - height + 8
        cloth = ((x, top - 14), (x + 17, top - 14), (x + 12, top - 9), (x + 17, top - 4))
        shapes += [
            Path(((x, top), (x, top - 14)), None, "ink", 1.5),
            Path((*cloth, (x, top - 4)), flag, "ink", 1, closed=True),
        ]
    for way in (-1, 1):
        shapes += _tower(x + way * (width - side) / 2, ground, side, low - 8)
    return shapes


def _tower(x: float, ground: float, width: float, height: float) -> list[Shape]:
    left, top, tooth = x - width / 2, ground - height, width / 5
    teeth = ((left + n * tooth, top - (8 if n % 2 == 0 else 0)) for n in range(5))
    outline = [(px + dx, py) for px, py in teeth for dx in (0, tooth)]
    return [
        Path(
            (*outline, (left + width, ground), (left, ground)),
            "field-stone",
            "line",
            1,
            closed=True,
        ),
        Rect(x - 3, top + 12, 6, 13, "field-dark", None, 1, 3),
    ]


def stack_words(
    cards: Sequence[Defender | None], stack: StackName, remembered: Collection[int] = ()
) -> str:
    """A stack as it is spoken."""
    name = stack.title()
    if not cards:
        return f"{name}: no cards"
    face = f"{name}: {counted(len(cards), 'card')} face"
    if None not in cards:
        told = "; ".join(defender_words(card, stack) for card in cards)
        known = "down, you remember" if remembered else "up,"
        return f"{face} {known} from the top {told}"
    told = "; ".join(
        f"{f'card {at} from the top' if at > 1 else 'on top'} {defender_words(card, stack)}"
        for at, card in enumerate(cards, 1)
        if card is not None
    )
    return f"{face} down, {told}" if told else f"{face} down"
