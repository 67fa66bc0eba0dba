"""The cards of Castle Rampage in pictures, alone and in stacks seen from the side."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import accumulate

from castlelab.draw.layout import Frame, Part
from castlelab.draw.scene import Path, Piece, Rect, Shape, Target, Text, as_piece
from castlelab.games.castle_rampage.attack import Defender
from castlelab.games.castle_rampage.card import Card, StackName
from castlelab.games.castle_rampage.table import hand_id
from castlelab.rules import counted

CARD_WIDTH, CARD_HEIGHT = 114.0, 84.0
STACK_WIDTH, STACK_HEIGHT = 110.0, 160.0
_UNIT_LETTERS = {"knight": "K", "archer": "A", "pikeman": "P"}
_THICK = 9.0  # a face-down card seen from the side
_SLAB, _THIN_SLAB = 18.0, 14.0  # … and one that is known among others, or among many
_STACK_ROOM = 118.0  # for the cards of a stack; the rest is a number


def card_shapes(
    card: Card, x: float, y: float, *, count: int = 1, lit: bool = False
) -> list[Shape]:
    """A card face up: symbols above, attack in the shield, defence in the lower corners."""
    width, height = CARD_WIDTH, CARD_HEIGHT
    frame, line = card_edge(card, 1.5)
    fill = "accent-soft" if lit else "paper"
    shapes: list[Shape] = []
    if count > 1:  # more of them behind
        shapes.append(Rect(x + 4, y - 4, width, height, "panel", frame, 1, 7))
    shapes.append(Rect(x, y, width, height, fill, frame, line, 7))
    shapes.append(Text(x + width / 2 + 2, y + 14, card.name, 12, "ink", "middle", bold=True))
    marks = "∞" if card.permanent else "".join(_UNIT_LETTERS[unit] for unit in card.units)
    if card.is_scheme:
        marks = "+".join(_UNIT_LETTERS[unit] for unit in card.pays)
        marks += f"(+{_UNIT_LETTERS[card.extra]})" if card.extra else ""
    if marks:
        shapes.append(Text(x + 7, y + 29, marks, 12, "muted", bold=True))
    if card.cost:
        shapes.append(Text(x + width - 7, y + 29, f"costs {card.cost}", 12, "muted", "end"))
    if card.attack is not None:
        shapes += _shield(x + width / 2, y + 52, card)
    elif words := _effect_words(card):
        shapes.append(Text(x + width / 2, y + 48, words, 12, "ink", "middle"))
    shapes += _defence(x + 17, y + height - 15, card.gate, "G")
    shapes += _defence(x + width - 17, y + height - 15, card.castle, "C")
    if count > 1:
        shapes.append(Text(x + width / 2, y + height - 12, f"× {count}", 13, "ink", "middle", True))
    return shapes


def _effect_words(card: Card) -> str:
    """What a card without a strength does, in short."""
    if card.when_destroyed:
        return card.when_destroyed
    if card.effects:
        return str(card.effects[0])
    return f"{card.place_cost} to place" if card.place_cost else ""


def card_edge(card: Defender, line: float) -> tuple[str, float]:
    """The colour and the width of the edge of a card; a purple one stands out."""
    return ("hue-purple", 2.5) if isinstance(card, Card) and card.purple else ("ink", line)


def _shield(x: float, y: float, card: Card) -> list[Shape]:
    star = "*" if card.does("take-castle") or card.does("charge") or card.is_scheme else ""
    points = ((x - 14, y - 13), (x + 14, y - 13), (x + 14, y + 3), (x, y + 14), (x - 14, y + 3))
    return [
        Path(points, "bad-soft", "bad", 1.5, closed=True),
        Text(x, y - 2, f"{card.attack}{star}", 14, "ink", "middle", bold=True),
    ]


def _defence(x: float, y: float, value: int, letter: str) -> list[Shape]:
    """A defence value; the letter says for which stack, whatever the colour."""
    return [
        Rect(x - 14, y - 10, 28, 20, "panel", "line", 1, 4),
        Text(x, y, f"{letter}{value}", 12, "ink", "middle", bold=True),
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
) -> Part:
    """A stack from the side in a box of fixed size, face up where cards are known.

    Those at the ``remembered`` places lie face down, and whoever looks knows what they are.
    """
    middle, ground = x + STACK_WIDTH / 2, y + STACK_HEIGHT - 22
    count = f"{stack.title()}: {counted(len(cards), 'card')}"
    shapes: list[Shape] = [
        Rect(x, y, STACK_WIDTH, STACK_HEIGHT, "panel", "line", 1, 8),
        *_silhouette(stack, middle, ground),
        Path(((x + 3, ground), (x + STACK_WIDTH - 3, ground)), None, "ink", 2),
        Text(middle, y + STACK_HEIGHT - 11, count, 12, "ink", "middle", bold=True),
    ]
    heights = _thicknesses(cards)
    # A share of the room may be a hair too much.
    shown = sum(total <= _STACK_ROOM + 1e-6 for total in accumulate(heights))
    left, width = x + 3, STACK_WIDTH - 6
    top = ground - 1 - sum(heights[:shown])
    for at, (card, height) in enumerate(zip(cards[:shown], heights, strict=False)):
        # Counted from below, where cards stay when others go from the top.
        piece = Piece(f"defender of {key}", f"{key} {len(cards) - at}", source=_hand_of(card))
        slab: Sequence[Shape] = [Rect(left, top, width, _THICK - 1.5, "hidden", "ink", 1, 2)]
        if card is not None:
            frame = (left, top, width, height - 1.5)
            slab = _slab(card, stack, frame, remembered=at in remembered)
        shapes += as_piece(slab, piece)
        top += height
    if shown < len(cards):
        shapes += [
            Rect(middle - 16, ground - 17, 32, 16, "paper", "ink", 1, 4),
            Text(middle, ground - 9, f"+{len(cards) - shown}", 12, "ink", "middle", True),
        ]
    words = f"{whose}{stack_words(cards, stack, remembered)}"
    target = Target(key, words, x, y, STACK_WIDTH, STACK_HEIGHT, group=group)
    return Part.of(shapes, [target], STACK_WIDTH, STACK_HEIGHT)


def _hand_of(card: Defender | None) -> str:
    """Where a card lies in a hand, from which it may have come into a stack."""
    return hand_id(card.name) if isinstance(card, Card) else ""


def _thicknesses(cards: Sequence[Defender | None]) -> list[float]:
    """How high cards stand in the picture: one that is known alone has room for words."""
    known = sum(card is not None for card in cards)
    slab = min(_SLAB, max(_THIN_SLAB, _STACK_ROOM / max(len(cards), 1)))
    return [_THICK if card is None else 40.0 if known == 1 else slab for card in cards]


def _slab(card: Defender, stack: StackName, frame: Frame, *, remembered: bool) -> list[Shape]:
    """A card that is known: its name, and the value that counts here.

    One that its owner only remembers lies face down.
    """
    x, y, width, height = frame
    name, value = name_and_value(card, stack)
    edge, line = card_edge(card, 1.5)
    if height > 30 and not remembered:
        middle = x + width / 2
        return [
            Rect(*frame, "warn-soft", edge, line, 4),
            Text(middle, y + 12, name, 12, "ink", "middle", bold=True),
            Text(middle, y + 28, f"defends {value}", 12, "ink", "middle"),
        ]
    back, ink = Rect(*frame, "hidden", "ink", 1, 2), "on-hidden"
    if not remembered:
        back, ink = Rect(*frame, "warn-soft", edge, line, 4), "ink"
    middle = y + height / 2
    return [
        back,
        Text(x + 4, middle, name, 11, ink),
        Text(x + width - 4, middle, str(value), 12, ink, "end", bold=True),
    ]


def _silhouette(stack: StackName, x: float, ground: float) -> list[Shape]:
    """What the stack stands for, faintly behind it: a gate between towers, or a keep."""
    shapes: list[Shape] = []
    if stack == "gate":
        for side in (-1, 1):
            tower = x + side * 37
            shapes.append(Rect(tower - 11, ground - 92, 22, 92, "paper", "line", 1))
            shapes += [Rect(tower - 11 + n * 8, ground - 99, 6, 8, "paper", "line") for n in (0, 2)]
        shapes.append(Rect(x - 26, ground - 74, 52, 12, "paper", "line", 1))
        return shapes
    flag = ((x, ground - 126), (x + 16, ground - 120), (x, ground - 114))
    shapes.append(Rect(x - 40, ground - 96, 80, 96, "paper", "line", 1))
    shapes += [Rect(x - 40 + n * 17, ground - 104, 12, 9, "paper", "line") for n in range(5)]
    shapes += [
        Path(((x, ground - 104), (x, ground - 126)), None, "line", 1.5),
        Path(flag, "paper", "line", 1, closed=True),
    ]
    return shapes


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
