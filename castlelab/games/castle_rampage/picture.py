"""Castle Rampage in pictures: cards, stacks from the side, attacks and the whole table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from castlelab.draw.scene import Circle, Path, Rect, Scene, Shape, Target, Text
from castlelab.games.castle_rampage.attack import (
    BROKEN,
    EVEN,
    HELD,
    PURPLE,
    Assault,
    Defender,
    Step,
    fate,
)
from castlelab.games.castle_rampage.card import RULES, STACKS, Card, StackName, cards_in_words
from castlelab.rules import listed

if TYPE_CHECKING:
    from castlelab.games.castle_rampage.play import RampageState
    from castlelab.games.castle_rampage.table import Stack

PLAYER_NAMES = ("Blue", "Orange")
_UNIT_LETTERS = {"knight": "K", "archer": "A", "pikeman": "P"}
_LEGEND = "K knight, A archer, P pikeman; G Gate, C Castle"
_WIDTH = 500.0
_CARD = (114.0, 84.0)
_THICK = 9.0  # a face-down card seen from the side
_SLAB, _THIN_SLAB = 18.0, 14.0  # … and one that is known among others, or among many
_STACK_WIDTH, _STACK_HEIGHT = 110.0, 160.0
_STACK_ROOM = 118.0  # for the cards of a stack; the rest is a number


def player_name(seat: int) -> str:
    return PLAYER_NAMES[seat]


# -- cards -----------------------------------------------------------------------------------


def card_shapes(
    card: Card, x: float, y: float, *, count: int = 1, lit: bool = False
) -> list[Shape]:
    """A card face up: symbols above, attack in the shield, defence in the lower corners."""
    width, height = _CARD
    frame = "hue-purple" if card.purple else "ink"
    fill = "accent-soft" if lit else "paper"
    shapes: list[Shape] = []
    if count > 1:  # more of them behind
        shapes.append(Rect(x + 4, y - 4, width, height, "panel", frame, 1, 7))
    shapes.append(Rect(x, y, width, height, fill, frame, 2.5 if card.purple else 1.5, 7))
    shapes.append(Text(x + width / 2 + 2, y + 14, card.name, 12, "ink", "middle", bold=True))
    marks = "".join(_UNIT_LETTERS[unit] for unit in card.units)
    if card.permanent:
        marks = "∞"
    if marks:
        shapes.append(Text(x + 7, y + 29, marks, 12, "muted", bold=True))
    if card.is_scheme:
        pays = "+".join(_UNIT_LETTERS[unit] for unit in card.pays)
        extra = f"(+{_UNIT_LETTERS[card.extra]})" if card.extra else ""
        shapes.append(Text(x + 7, y + 29, f"{pays}{extra}", 12, "muted", bold=True))
    elif card.cost:
        shapes.append(Text(x + width - 7, y + 29, f"costs {card.cost}", 12, "muted", "end"))
    if card.attack is not None:
        shapes += _shield(x + width / 2, y + 52, card)
    elif card.when_destroyed:
        shapes.append(Text(x + width / 2, y + 48, card.when_destroyed, 12, "ink", "middle"))
    elif card.effects:
        shapes.append(Text(x + width / 2, y + 48, str(card.effects[0]), 12, "ink", "middle"))
    elif card.place_cost:
        words = f"{card.place_cost} to place"
        shapes.append(Text(x + width / 2, y + 48, words, 12, "ink", "middle"))
    shapes += _defence(x + 17, y + height - 15, card.gate, "G")
    shapes += _defence(x + width - 17, y + height - 15, card.castle, "C")
    if count > 1:
        shapes.append(Text(x + width / 2, y + height - 12, f"× {count}", 13, "ink", "middle", True))
    return shapes


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


def _back(x: float, y: float, width: float) -> Rect:
    return Rect(x, y, width, _THICK - 1.5, "hidden", "ink", 1, 2)


def _spoken(card: Card) -> str:
    """A card as the name of a target: words may follow, so it does not end a sentence."""
    return card.describe().removesuffix(".")


def defender_words(card: Defender | None, stack: StackName) -> str:
    """A card of a stack as it is spoken; only its value where that is all there is."""
    if card is None:
        return "face down"
    if isinstance(card, int):
        return f"defence {card}"
    return f"{card.name}, defence {card.defence(stack)}"


# -- stacks ----------------------------------------------------------------------------------


def stack_shapes(
    cards: Sequence[Defender | None],
    stack: StackName,
    x: float,
    y: float,
    remembered: Collection[int] = (),
) -> list[Shape]:
    """A stack from the side in a box of fixed size, face up where cards are known.

    Those at the ``remembered`` places lie face down, and whoever looks knows what they are.
    """
    ground = y + _STACK_HEIGHT - 22
    shapes: list[Shape] = [
        Rect(x, y, _STACK_WIDTH, _STACK_HEIGHT, "panel", "line", 1, 8),
        *_silhouette(stack, x + _STACK_WIDTH / 2, ground),
        Path(((x + 3, ground), (x + _STACK_WIDTH - 3, ground)), None, "ink", 2),
        Text(
            x + _STACK_WIDTH / 2,
            y + _STACK_HEIGHT - 11,
            f"{stack.title()}: {cards_in_words(len(cards))}",
            12,
            "ink",
            "middle",
            bold=True,
        ),
    ]
    heights = _thicknesses(cards)
    shown = _fitting(heights, _STACK_ROOM)
    left, width = x + 3, _STACK_WIDTH - 6
    top = ground - 1 - sum(heights[:shown])
    for at, (card, height) in enumerate(zip(cards[:shown], heights, strict=False)):
        if card is None:
            shapes.append(_back(left, top, width))
        elif at in remembered:
            shapes += _remembered(card, stack, left, top, width, height - 1.5)
        else:
            shapes += _face_up(card, stack, left, top, width, height - 1.5)
        top += height
    if shown < len(cards):
        middle = x + _STACK_WIDTH / 2
        shapes += [
            Rect(middle - 16, ground - 17, 32, 16, "paper", "ink", 1, 4),
            Text(middle, ground - 9, f"+{len(cards) - shown}", 12, "ink", "middle", True),
        ]
    return shapes


def _thicknesses(cards: Sequence[Defender | None]) -> list[float]:
    """How high cards stand in the picture: one that is known alone has room for words."""
    known = sum(card is not None for card in cards)
    slab = min(_SLAB, max(_THIN_SLAB, _STACK_ROOM / max(len(cards), 1)))
    return [_THICK if card is None else 40.0 if known == 1 else slab for card in cards]


def _fitting(heights: Sequence[float], room: float) -> int:
    """How many cards from the top fit in a room."""
    shown = 0
    for height in heights:
        room -= height
        if room < -1e-6:  # a share of the room may be a hair too much
            break
        shown += 1
    return shown


def _face_up(
    card: Defender, stack: StackName, x: float, y: float, width: float, height: float
) -> list[Shape]:
    """A card that everybody knows: its name, and the value that counts here."""
    name = "" if isinstance(card, int) else card.name
    value = card if isinstance(card, int) else card.defence(stack)
    purple = isinstance(card, Card) and card.purple
    frame = "hue-purple" if purple else "ink"
    shapes: list[Shape] = [Rect(x, y, width, height, "warn-soft", frame, 2.5 if purple else 1.5, 4)]
    if height > 30:
        middle = x + width / 2
        return [
            *shapes,
            Text(middle, y + 12, name, 12, "ink", "middle", bold=True),
            Text(middle, y + 28, f"defends {value}", 12, "ink", "middle"),
        ]
    middle = y + height / 2
    return [
        *shapes,
        Text(x + 4, middle, name, 11, "ink"),
        Text(x + width - 4, middle, str(value), 12, "ink", "end", bold=True),
    ]


def _remembered(
    card: Defender, stack: StackName, x: float, y: float, width: float, height: float
) -> list[Shape]:
    """A card that lies face down, with what its owner remembers of it."""
    name = "" if isinstance(card, int) else card.name
    value = card if isinstance(card, int) else card.defence(stack)
    middle = y + height / 2
    return [
        Rect(x, y, width, height, "hidden", "ink", 1, 2),
        Text(x + 4, middle, name, 11, "on-hidden"),
        Text(x + width - 4, middle, str(value), 12, "on-hidden", "end", bold=True),
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
    shapes.append(Rect(x - 40, ground - 96, 80, 96, "paper", "line", 1))
    shapes += [Rect(x - 40 + n * 17, ground - 104, 12, 9, "paper", "line") for n in range(5)]
    shapes += [
        Path(((x, ground - 104), (x, ground - 126)), None, "line", 1.5),
        Path(
            ((x, ground - 126), (x + 16, ground - 120), (x, ground - 114)),
            "paper",
            "line",
            1,
            closed=True,
        ),
    ]
    return shapes


def stack_words(
    cards: Sequence[Defender | None], stack: StackName, remembered: Collection[int] = ()
) -> str:
    """A stack as it is spoken."""
    name = stack.title()
    if not cards:
        return f"{name}: no cards"
    counted = f"{name}: {cards_in_words(len(cards))} face"
    if None not in cards:
        told = "; ".join(defender_words(card, stack) for card in cards)
        face = "down, you remember" if remembered else "up,"
        return f"{counted} {face} from the top {told}"
    told = "; ".join(
        f"{f'card {at} from the top' if at > 1 else 'on top'} {defender_words(card, stack)}"
        for at, card in enumerate(cards, 1)
        if card is not None
    )
    return f"{counted} down, {told}" if told else f"{counted} down"


def stack_scene(cards: Sequence[Defender | None], stack: StackName) -> Scene:
    """One stack by itself; None is a card that nobody knows."""
    shapes = stack_shapes(cards, stack, 4, 4)
    target = Target(stack, stack_words(cards, stack), 4, 4, _STACK_WIDTH, _STACK_HEIGHT)
    words = stack_words(cards, stack) + "."
    size = (_STACK_WIDTH + 8, _STACK_HEIGHT + 8)
    return Scene(*size, tuple(shapes), (target,), f"A {stack.title()}", words)


# -- attacks ---------------------------------------------------------------------------------

_STAGE = 372.0  # as wide as a small page
_COLUMN = 174.0
_ROW = 28.0  # a card of a column
_COLUMN_ROWS = 7  # cards that are shown of one; the rest is a number
_LAST_STEPS = 2  # comparisons that stay to be read
_STEP_HEIGHT = 60.0
_MARKS = {HELD: ("✕", "bad"), BROKEN: ("✓", "good"), EVEN: ("=", "warn"), PURPLE: ("!", "bad")}
_OUTCOMES = {HELD: "holds", EVEN: "both fall", BROKEN: "falls"}


def step_words(step: Step, attacker: Card | None = None) -> str:
    """One comparison: who defends, against what, and what came of it."""
    return ": ".join(_comparison(step, attacker))


def _comparison(step: Step, attacker: Card | None = None) -> tuple[str, str]:
    """What is compared in a step, and what comes of it."""
    name = "" if isinstance(step.defender, int) else step.defender.name
    if step.rule == PURPLE:
        return f"{name} was destroyed", "it takes the attacker with it"
    defends = f"{name} defends {step.defence}" if name else f"Defence {step.defence}"
    if step.rule == BROKEN:
        outcome = f"broken, {step.after} left"
    else:
        end = fate(step, attacker).removesuffix(".")
        outcome = f"{'held' if step.rule == HELD else 'even'}, {end[0].lower()}{end[1:]}"
    return f"{defends}, strength {step.before}", outcome


def ending_words(assault: Assault) -> str:
    """How an attack ended."""
    if assault.castle_fell:
        return "The Castle has fallen!"
    if not assault.steps or assault.attacker_survives:
        return "The attack is over."
    return {
        HELD: "Held: the attacker is beaten off.",
        EVEN: "Even: both fall, the attack ends.",
    }.get(assault.steps[-1].rule, "The attacker falls.")


def attack_scene(
    assault: Assault,
    gate: Sequence[Defender],
    castle: Sequence[Defender],
    shown: int | None = None,
    *,
    hidden: bool = True,
    attacker: Card | None = None,
) -> Scene:
    """An attack on two stacks after so many steps, all of them unless told otherwise.

    ``gate`` and ``castle`` are the stacks as they were before it, face down unless ``hidden``
    is false; ``attacker`` is told where it has a fate of its own. The picture has the same size
    at every step. Targets: ``gate`` and ``castle``.
    """
    steps = assault.steps if shown is None else assault.steps[:shown]
    done = len(steps) == len(assault.steps)
    top = 84.0
    rows = max(2, min(_COLUMN_ROWS, max(len(gate), len(castle))))
    height = 40 + rows * _ROW
    shapes = _strength_shapes(assault, steps, done, attacker)
    targets = []
    for place, (name, cards) in enumerate(zip(STACKS, (gate, castle), strict=True)):
        x = 8 + place * (_COLUMN + 8)
        faced = _faced(name, cards, steps, hidden=hidden)
        shapes += _column_shapes(name, faced, x, top, height)
        targets.append(Target(name, _column_words(name, faced), x, top, _COLUMN, height))
    room = min(_LAST_STEPS, len(gate) + len(castle) + 1)
    shapes += _comparisons(steps, room, top + height + 22, attacker)
    said = " ".join(f"{step_words(step, attacker)}." for step in steps)
    said = said or "Nothing is turned up yet."
    end = f" {ending_words(assault)}" if done else ""
    # Without colour and place only the words tell what stands: the columns say it too.
    stands = " ".join(f"{target.name}." for target in targets)
    words = f"Attack with {assault.strength}. {stands} {said}{end}"
    bottom = top + height + 10 + room * _STEP_HEIGHT
    return Scene(_STAGE, bottom, tuple(shapes), tuple(targets), "An attack", words)


class _Faced(NamedTuple):
    """A card of a stack under attack, as the picture shows it."""

    card: Defender
    known: bool
    fell: bool = False
    holds: bool = False


def _faced(
    stack: StackName, cards: Sequence[Defender], steps: Sequence[Step], *, hidden: bool
) -> list[_Faced]:
    """The cards of a stack after some steps: those that fell first, in order."""
    here = [step.rule for step in steps if step.stack == stack]
    fallen = sum(rule in (BROKEN, EVEN) for rule in here)
    holds = HELD in here[-1:]
    return [
        _Faced(
            card,
            known=not hidden or at < fallen + holds,
            fell=at < fallen,
            holds=holds and at == fallen,
        )
        for at, card in enumerate(cards)
    ]


def _strength_shapes(
    assault: Assault, steps: Sequence[Step], done: bool, attacker: Card | None
) -> list[Shape]:
    """The attacker: a shield with what is left of its strength, and a row of points."""
    left = steps[-1].after if steps else assault.strength
    home = assault.held and attacker is not None and attacker.does("return-when-held")
    fell = done and not assault.attacker_survives and not home
    x, y = 36.0, 40.0
    outline = ((x - 24, y - 28), (x + 24, y - 28), (x + 24, y + 4), (x, y + 30), (x - 24, y + 4))
    shapes: list[Shape] = [
        Path(outline, "bad-soft", "bad", 2.5, closed=True),
        Text(x, y - 4, str(left), 24, "ink", "middle", bold=True),
        Text(72, 20, f"Attack with {assault.strength}", 15, "ink", bold=True),
        *_points(left, assault.strength, 72, 32),
        Text(72, 60, ending_words(assault) if done else f"{left} left", 14, "ink", bold=done),
    ]
    if fell:
        shapes += _crossed(x - 24, y - 28, 48, 58)
    return shapes


def _points(left: int, strength: int, x: float, y: float) -> list[Shape]:
    """A box for each point of strength; what is spent is an empty box."""
    wide = _STAGE - x - 12
    if strength * 5 > wide:  # too many to be told apart
        return [
            Rect(x, y, wide, 13, None, "line", 1),
            Rect(x, y, wide * left / strength, 13, "bad", "ink", 1),
        ]
    each = min(18.0, wide / max(strength, 1))
    return [
        Rect(x + at * each, y, each - 2, 13, *(("bad", "ink") if at < left else (None, "line")))
        for at in range(strength)
    ]


def _crossed(x: float, y: float, width: float, height: float) -> list[Shape]:
    corners = ((x, y), (x + width, y + height)), ((x, y + height), (x + width, y))
    return [Path(line, None, "ink", 2) for line in corners]


def _column_shapes(
    stack: StackName, cards: Sequence[_Faced], x: float, y: float, height: float
) -> list[Shape]:
    """A stack under attack: every card from the top, what fell struck out."""
    standing = sum(not card.fell for card in cards)
    count = cards_in_words(standing) if standing else "fallen" if cards else "empty"
    shapes: list[Shape] = [
        *(Rect(x + 6 + n * 24, y, 14, 8, "panel", "line", 1) for n in range(7)),
        Rect(x, y + 7, _COLUMN, height - 7, "panel", "line", 1, 6),
        Text(x + 10, y + 23, f"{stack.title()}: {count}", 14, "ink", bold=True),
    ]
    # In a tall stack the cards that are of interest: the last that fell, and those below.
    first = max(0, min(len(cards) - standing - 2, len(cards) - _COLUMN_ROWS))
    seen = cards[first : first + _COLUMN_ROWS]
    for at, card in enumerate(seen):
        shapes += _card_row(stack, card, x + 8, y + 36 + at * _ROW)
    below = len(cards) - first - len(seen)
    if first or below:
        told = [f"{first} above"] * bool(first) + [f"{below} below"] * bool(below)
        shapes.append(Text(x + _COLUMN - 10, y + 23, ", ".join(told), 12, "muted", "end"))
    return shapes


def _card_row(stack: StackName, faced: _Faced, x: float, y: float) -> list[Shape]:
    width, height = _COLUMN - 16, _ROW - 4
    middle = y + height / 2
    if not faced.known:
        return [
            Rect(x, y, width, height, "hidden", "ink", 1, 4),
            Text(x + width / 2, middle, "?", 14, "on-hidden", "middle", bold=True),
        ]
    card = faced.card
    name = "a card" if isinstance(card, int) else card.name
    value = card if isinstance(card, int) else card.defence(stack)
    purple = isinstance(card, Card) and card.purple
    frame = "hue-purple" if purple else "ink"
    ink = "muted" if faced.fell else "ink"
    fill = "warn-soft" if faced.holds else "paper"
    shapes: list[Shape] = [
        Rect(x, y, width, height, fill, frame, 2.5 if purple or faced.holds else 1, 4, faced.fell),
        Text(x + 8, middle, name, 13, ink, bold=not faced.fell),
        Text(x + width - 8, middle, str(value), 14, ink, "end", bold=True),
    ]
    if faced.holds:
        shapes.append(Text(x + width - 28, middle, "holds", 12, "ink", "end"))
    if faced.fell:
        shapes.append(Path(((x + 4, middle), (x + width - 30, middle)), None, "bad", 1.5))
    return shapes


def _column_words(stack: StackName, cards: Sequence[_Faced]) -> str:
    """A stack under attack as it is spoken."""
    standing = [card.card if card.known else None for card in cards if not card.fell]
    fallen = [defender_words(card.card, stack) for card in cards if card.fell]
    told = stack_words(standing, stack)
    return f"{told}. Fallen: {'; '.join(fallen)}" if fallen else told


def _comparisons(steps: Sequence[Step], room: int, y: float, attacker: Card | None) -> list[Shape]:
    """The last comparisons, each with its rule below."""
    first = max(0, len(steps) - room)
    shapes: list[Shape] = []
    for at, step in enumerate(steps[first:]):
        mark, role = _MARKS[step.rule]
        line = y + at * _STEP_HEIGHT
        rule, (compared, outcome) = RULES[step.rule], _comparison(step, attacker)
        shapes += [
            Circle(18, line + 9, 9, f"{role}-soft", role, 1.5),
            Text(18, line + 9, mark, 12, role, "middle", bold=True),
            Text(34, line, f"{first + at + 1}. {compared}", 13, "ink"),
            Text(34, line + 18, f"→ {outcome}", 13, "ink", bold=True),
            Text(34, line + 36, f"{rule.title} ({rule.id})", 12, "muted"),
        ]
    return shapes


def _step_rows(steps: Sequence[Step], x: float, y: float) -> list[Shape]:
    """Steps in short, for the table."""
    shapes: list[Shape] = []
    for number, step in enumerate(steps):
        name = "" if isinstance(step.defender, int) else f"{step.defender.name} "
        row = f"{step.stack.title()}: {name}{step.defence} against {step.before}, "
        row += _OUTCOMES.get(step.rule, "")
        if step.rule == PURPLE:
            row = step_words(step)
        mark, role = _MARKS[step.rule]
        shapes.append(Text(x, y + 20 * number, mark, 13, role, bold=True))
        shapes.append(Text(x + 16, y + 20 * number, row, 12, "ink"))
    return shapes


# -- a bench for two stacks ------------------------------------------------------------------


def bench_scene(
    cards: Sequence[Card],
    gate: Sequence[int | None],
    castle: Sequence[int | None],
    *,
    chosen: int | None = None,
    attacks: Sequence[str] = (),
) -> Scene:
    """Cards to be put into two stacks; a place holds the number of its card, or None.

    Targets: ``card 1`` and so on, and from the top ``gate 1``, ``castle 1`` and so on.
    """
    shapes: list[Shape] = []
    targets: list[Target] = []
    y = 8.0
    if attacks:
        shapes.append(Text(10, y + 10, "Attacks to come", 14, "ink", bold=True))
        for at, words in enumerate(attacks):
            shapes.append(Text(10, y + 32 + at * 20, f"{at + 1}. {words}", 13, "ink"))
        y += 30 + 20 * len(attacks)
    height = 40 + max(len(gate), len(castle), 1) * _ROW
    for place, (name, places) in enumerate(zip(STACKS, (gate, castle), strict=True)):
        x = 8 + place * (_COLUMN + 8)
        _add_places(name, places, cards, x, y, height, shapes, targets)
    y += height + 20
    shapes.append(Text(10, y, "Cards", 14, "ink", bold=True))
    y += 16
    placed = {card for card in (*gate, *castle) if card is not None}
    across, down = _CARD[0] + 7, _CARD[1] + 8
    for at, card in enumerate(cards):
        row, column = divmod(at, 3)
        x, top = 10 + column * across, y + row * down
        shapes += _bench_card(card, x, top, chosen=at == chosen, placed=at in placed)
        state = ", picked up" if at == chosen else ", already in a stack" if at in placed else ""
        targets.append(Target(f"card {at + 1}", f"{_spoken(card)}{state}", x, top, *_CARD))
    y += -(-len(cards) // 3) * down
    words = " ".join(
        [
            *(f"Attack {at}: {words}." for at, words in enumerate(attacks, 1)),
            *(
                _places_words(name, p, cards)
                for name, p in zip(STACKS, (gate, castle), strict=True)
            ),
        ]
    )
    return Scene(_STAGE, y + 2, tuple(shapes), tuple(targets), "Two stacks to build", words)


def _add_places(
    stack: StackName,
    places: Sequence[int | None],
    cards: Sequence[Card],
    x: float,
    y: float,
    height: float,
    shapes: list[Shape],
    targets: list[Target],
) -> None:
    shapes += [
        *(Rect(x + 6 + n * 24, y, 14, 8, "panel", "line", 1) for n in range(7)),
        Rect(x, y + 7, _COLUMN, height - 7, "panel", "line", 1, 6),
        Text(x + 10, y + 23, stack.title(), 14, "ink", bold=True),
        Text(x + _COLUMN - 10, y + 23, "top first", 12, "muted", "end"),
    ]
    for at, held in enumerate(places):
        left, top = x + 8, y + 36 + at * _ROW
        width, tall = _COLUMN - 16, _ROW - 4
        if held is None:
            shapes += [
                Rect(left, top, width, tall, "paper", "muted", 1, 4, dash=True),
                Text(left + width / 2, top + tall / 2, str(at + 1), 12, "muted", "middle"),
            ]
            words = "empty"
        else:
            shapes += _card_row(stack, _Faced(cards[held], known=True), left, top)
            words = defender_words(cards[held], stack)
        spoken = f"{stack.title()}, place {at + 1} from the top: {words}"
        targets.append(Target(f"{stack} {at + 1}", spoken, left, top, width, tall))


def _places_words(stack: StackName, places: Sequence[int | None], cards: Sequence[Card]) -> str:
    told = ["empty" if held is None else cards[held].name for held in places]
    return f"{stack.title()} from the top: {', '.join(told) or 'no place'}."


def _bench_card(card: Card, x: float, y: float, *, chosen: bool, placed: bool) -> list[Shape]:
    """A card of the row; one that is in a stack has left its outline behind."""
    width, height = _CARD
    if placed and not chosen:
        return [
            Rect(x, y, width, height, None, "muted", 1, 7, dash=True),
            Text(x + width / 2, y + height / 2 - 9, card.name, 12, "muted", "middle"),
            Text(x + width / 2, y + height / 2 + 9, "in a stack", 12, "muted", "middle"),
        ]
    shapes = card_shapes(card, x, y, lit=chosen)
    if chosen:
        shapes.append(Rect(x, y, width, height, None, "accent", 3, 7))
    return shapes


# -- the whole table -------------------------------------------------------------------------


def game_scene(state: RampageState, *, face_up: Collection[int] = ()) -> Scene:
    """The table: each player's stacks and permanent cards, piles between, the hand below.

    ``face_up`` names the seats whose stacks are shown card by card: for puzzles, since in a
    game they are secret. Targets: ``gate 1`` and ``castle 1`` (the stacks of seat 0),
    ``permanent 1 NAME``, ``pile``, ``discards``, ``hand NAME`` for each kind of card that may
    be used now, ``discard NAME`` where a discarded one is chosen, and in a turn the buttons
    ``play`` and ``end``.
    """
    shapes: list[Shape] = [
        Text(10, 17, _headline(state), 16, "ink", bold=True),
        Text(10, 38, _todo(state), 13, "muted"),
    ]
    targets: list[Target] = []
    _add_buttons(state, shapes, targets)
    y = 52.0
    for seat in (0, 1):
        x = 6 if seat == 0 else _WIDTH / 2 + 2
        _add_side(state, seat, x, y, shapes, targets, face_up=seat in face_up)
    y += _SIDE_HEIGHT + 6
    _add_piles(state, y, shapes, targets)
    y += 104
    y = _add_hand(state, y, shapes, targets)
    words = game_words(state, face_up=face_up)
    return Scene(_WIDTH, y, tuple(shapes), tuple(targets), "Castle Rampage", words)


def _headline(state: RampageState) -> str:
    seat = state.to_move
    if seat is None:
        return f"{player_name(state.winners[0])} has won."
    name = player_name(seat)
    if not state.turn:
        return f"Preparation, deal {state.deals} of 2: {name}"
    return f"Turn {state.turn}: {name}"


def _todo(state: RampageState) -> str:
    """What is to do, below the headline."""
    if state.over:
        return lifted_words(state) or f"After {state.turn} turns."
    if state.pause is not None:
        return f"{_PAUSED[state.pause.verb]} A choice is due."
    if not state.turn:
        return "Two of the five cards to the Gate, two to the Castle."
    left = state.strengthens_left
    if left <= 0:
        return "Has strengthened this turn."
    return "May strengthen once." if left == 1 else f"May strengthen {left} times."


# The card whose effect waits for somebody, in short.
_PAUSED = {
    "reveal-top": "A top card will be shown.",
    "destroy-permanent": "A permanent card will be destroyed.",
    "raise-discard": "A discarded card will rise.",
    "raise-top": "A discarded card will rise.",
    "sabotage": "The Saboteur strikes back.",
    "spy": "The Spy strikes back.",
}
_BUTTONS = (("play", "Play card"), ("end", "End turn"))


def _add_buttons(state: RampageState, shapes: list[Shape], targets: list[Target]) -> None:
    """What a turn can be worked with; elsewhere there are none."""
    if state.over or state.pause is not None or not state.turn:
        return
    for place, (name, words) in enumerate(_BUTTONS):
        box = (_WIDTH - 206 + place * 102, 8.0, 96.0, 36.0)
        shapes.append(Rect(*box, "accent", None, 1, 8))
        shapes.append(Text(box[0] + 48, 26, words, 15, "on-accent", "middle", bold=True))
        targets.append(Target(name, words, *box, group="Your turn"))


_SIDE_HEIGHT = 240.0


def _add_side(
    state: RampageState,
    seat: int,
    x: float,
    y: float,
    shapes: list[Shape],
    targets: list[Target],
    *,
    face_up: bool,
) -> None:
    from castlelab.games.castle_rampage.play import stack_id

    side, name = state.sides[seat], player_name(seat)
    width = _WIDTH / 2 - 8
    on_turn = state.to_move == seat
    fill = "accent-soft" if on_turn else "paper"
    shapes += [
        Rect(x, y, width, _SIDE_HEIGHT, fill, f"seat-{seat}", 2.5 if on_turn else 1.5, 10),
        Text(x + 10, y + 15, f"{name}{' ▸' if on_turn else ''}", 14, "ink", bold=True),
        Text(x + width - 10, y + 15, _hand_count(state, seat), 12, "ink", "end"),
    ]
    for place, stack in enumerate(STACKS):
        # The Gates face each other, the Castles stand behind them.
        column = 1 - place if seat == 0 else place
        left = x + 8 + column * (_STACK_WIDTH + 6)
        cards, remembered = _known(state, side.stack(stack), face_up=face_up)
        shapes += stack_shapes(cards, stack, left, y + 28, remembered)
        words = f"{name}'s {stack_words(cards, stack, remembered)}"
        target_id = stack_id(seat, stack)
        box = (left, y + 28, _STACK_WIDTH, _STACK_HEIGHT)
        targets.append(Target(target_id, words, *box, group=f"{name}'s side"))
    _add_permanents(state, seat, x + 8, y + 32 + _STACK_HEIGHT, shapes, targets)


_LONGEST_COUNT = 26  # letters, beside the name of the player


def _hand_count(state: RampageState, seat: int) -> str:
    """How many cards a player holds, and which of them everybody has seen."""
    number, seen = len(state.sides[seat].hand), seen_in_hand(state, seat)
    if not seen:
        return f"{cards_in_words(number)} in hand"
    told = f"{number} in hand: {', '.join(seen)}{' …' if len(seen) < number else ''}"
    return told if len(told) <= _LONGEST_COUNT else f"{number} in hand, {len(seen)} seen"


def _add_permanents(
    state: RampageState,
    seat: int,
    x: float,
    y: float,
    shapes: list[Shape],
    targets: list[Target],
) -> None:
    """The permanent cards of a player, equal ones together, two in a row."""
    from castlelab.games.castle_rampage.play import permanent_id

    standing = state.sides[seat].permanents
    kinds = list(dict.fromkeys(standing))
    rows = max(2, -(-len(kinds) // 2))
    width, height = _STACK_WIDTH, 44.0 / rows - 2
    for place, at in enumerate(kinds):
        row, column = divmod(place, 2)
        left, top = x + column * (width + 6), y + row * (height + 2)
        card, number = state.game.box.cards[at], standing.count(at)
        shown = f"{card.name}{f' ×{number}' if number > 1 else ''}"
        shapes.append(Rect(left, top, width, height, "good-soft", "good", 1.5, 5))
        shapes.append(Text(left + width / 2, top + height / 2, shown, 12, "ink", "middle"))
        many = f"{number} × " if number > 1 else ""
        words = f"{player_name(seat)}'s permanent card {many}{_spoken(card)}"
        box, name = (left, top, width, height), player_name(seat)
        targets.append(Target(permanent_id(seat, card.name), words, *box, group=f"{name}'s side"))


def _known(
    state: RampageState, stack: Stack, *, face_up: bool
) -> tuple[tuple[Defender | None, ...], tuple[int, ...]]:
    """A stack as it is shown, and the places of the cards that are only remembered.

    A view shows what its player knows. The whole state knows more than anybody
    (``castle_rampage/secret``): it shows what everybody has seen.
    """
    from castlelab.games.castle_rampage.table import OPEN

    cards = state.cards(stack.cards)
    if face_up:
        return cards, ()
    down = [at for at, mark in enumerate(stack.marks) if mark != OPEN]
    if state.chance is None:
        return cards, tuple(at for at in down if cards[at] is not None)
    return tuple(None if at in down else card for at, card in enumerate(cards)), ()


def _add_piles(state: RampageState, y: float, shapes: list[Shape], targets: list[Target]) -> None:
    """The draw pile, the discards with their top card, and how the last attack went."""
    width, height = _CARD
    narrow = 62.0
    shapes += [
        Rect(8, y + 4, narrow, height, "hidden", "ink", 1.5, 7),
        Text(8 + narrow / 2, y + 36, "Pile", 13, "on-hidden", "middle", bold=True),
        Text(8 + narrow / 2, y + 56, str(len(state.pile)), 14, "on-hidden", "middle", bold=True),
    ]
    pile = f"Draw pile: {cards_in_words(len(state.pile))}"
    targets.append(Target("pile", pile, 8, y + 4, narrow, height, group="Piles"))
    x = 8 + narrow + 8
    if state.discards:
        top = state.game.box.cards[state.discards[-1]]
        shapes += card_shapes(top, x, y + 4)
        words = f"Discards: {discards_words(state)}"
    else:
        shapes += [
            Rect(x, y + 4, width, height, None, "line", 1.5, 7, dash=True),
            Text(x + width / 2, y + 46, "Discards", 12, "muted", "middle"),
        ]
        words = "Discards: none"
    targets.append(Target("discards", words, x, y + 4, width, height, group="Piles"))
    x += width + 12
    if state.discards:
        shapes.append(Text(x, y + 13, f"{len(state.discards)} discarded", 12, "muted"))
    if state.attacker is not None and state.steps:
        attacker = state.game.box.cards[state.attacker]
        first = state.steps[0].before
        shapes.append(
            Text(x, y + 33, f"{attacker.name} attacked with {first}:", 12, "ink", bold=True)
        )
        shapes += _step_rows(state.steps[-2:], x, y + 53)
        if len(state.steps) > 2:
            shapes.append(Text(_WIDTH - 10, y + 13, "the last two steps:", 12, "muted", "end"))


def discards_words(state: RampageState) -> str:
    """The whole discard pile from the top: everybody may look through it."""
    *below, top = (state.game.box.cards[at] for at in state.discards)
    under = f"; below it {', '.join(map(str, reversed(below)))}" if below else ""
    return f"{cards_in_words(len(state.discards))}, on top {_spoken(top)}{under}"


def _add_hand(state: RampageState, y: float, shapes: list[Shape], targets: list[Target]) -> float:
    """The cards that may be used now; returns the end of the picture."""
    from castlelab.games.castle_rampage.play import discard_id, hand_id

    if state.pause is not None and state.pause.verb == "raise-discard":
        label, held = "The discards", tuple(sorted(state.discards))
        y = _add_cards(state, label, held, discard_id, y, shapes, targets)
    seat = _open_hand(state)
    side = state.sides[seat]
    label = f"{player_name(seat)}'s {'cards dealt' if side.dealt else 'hand'}"
    return _add_cards(state, label, side.dealt or side.hand, hand_id, y, shapes, targets)


def _add_cards(
    state: RampageState,
    label: str,
    held: tuple[int, ...],
    target_id: Callable[[str], str],
    y: float,
    shapes: list[Shape],
    targets: list[Target],
) -> float:
    """Cards in rows, equal ones together; returns where they end."""
    from castlelab.games.castle_rampage.table import HIDDEN

    shapes.append(Text(10, y + 8, label, 14, "ink", bold=True))
    known = [at for at in held if at != HIDDEN]
    if len(known) < len(held):
        hidden = f"{cards_in_words(len(held) - len(known))} face down"
        shapes.append(Text(_WIDTH - 10, y + 8, hidden, 12, "muted", "end"))
    else:
        shapes.append(Text(_WIDTH - 10, y + 8, _LEGEND, 12, "muted", "end"))
    if not held:
        shapes.append(Text(110, y + 8, "empty", 12, "muted"))
    width, height = _CARD
    columns = int((_WIDTH - 8) // (width + 7))
    kinds = list(dict.fromkeys(known))
    for place, at in enumerate(kinds):
        row, column = divmod(place, columns)
        x, top = 8 + column * (width + 7), y + 24 + row * (height + 10)
        card, number = state.game.box.cards[at], held.count(at)
        shapes += card_shapes(card, x, top, count=number)
        words = f"{f'{number} × ' if number > 1 else ''}{_spoken(card)}"
        targets.append(Target(target_id(card.name), words, x, top, width, height, group=label))
    rows = max(1, -(-len(kinds) // columns))
    return y + 28 + rows * (height + 10)


def _open_hand(state: RampageState) -> int:
    """Whose hand lies open below the table: a Spy chooses from that of the attacker."""
    if state.to_move is None or (state.pause is not None and state.pause.verb == "spy"):
        return state.active
    return state.to_move


def side_words(state: RampageState, seat: int, *, face_up: bool = False) -> str:
    """A player as it is spoken: stacks, number of cards, permanent cards."""
    side = state.sides[seat]
    told = []
    for name in STACKS:
        cards, remembered = _known(state, side.stack(name), face_up=face_up)
        told.append(stack_words(cards, name, remembered))
    told.append(f"{cards_in_words(len(side.hand))} in hand")
    told += _seen_words(state, seat)
    if side.permanents:
        told.append("permanent: " + ", ".join(state.game._names(side.permanents)))
    return f"{player_name(seat)}: {'; '.join(told)}."


def seen_in_hand(state: RampageState, seat: int) -> tuple[str, ...]:
    """The cards of a hand that everybody has seen and that have not left it since."""
    side, place_cost = state.sides[seat], state.game.place_cost
    held = [card for card, laid in side.shown if side.surely_holds(card, laid, place_cost)]
    return state.game._names(tuple(sorted(held)))


def _seen_words(state: RampageState, seat: int) -> Iterator[str]:
    """What everybody knows of a hand."""
    side, place_cost = state.sides[seat], state.game.place_cost
    if held := seen_in_hand(state, seat):
        yield f"seen in that hand: {listed(held)}"
    maybe = [card for card, laid in side.shown if not side.surely_holds(card, laid, place_cost)]
    if maybe:
        names = listed(state.game._names(tuple(sorted(maybe))))
        laid = "may have been laid" if side.hand else "laid"
        yield f"seen in that hand, and {laid} since: {names}"


def hand_words(state: RampageState, seat: int) -> str:
    """The cards that a player may use, as far as they are known."""
    from castlelab.games.castle_rampage.table import HIDDEN

    side = state.sides[seat]
    held = side.dealt or side.hand
    if HIDDEN in held:
        return f"{cards_in_words(len(held))} that you cannot see"
    return ", ".join(state.game._names(held)) or "no cards"


def game_words(state: RampageState, *, face_up: Collection[int] = ()) -> str:
    """The moment in a sentence or two; ``face_up`` as in :func:`game_scene`."""
    both = " ".join(side_words(state, seat, face_up=seat in face_up) for seat in (0, 1))
    fight = _fight_words(state)
    seat = state.to_move
    if seat is None:
        why = f" {lifted}" if (lifted := lifted_words(state)) else ""
        return f"The game is over: {player_name(state.winners[0])} has won.{why}{fight} {both}"
    name = player_name(seat)
    if state.pause is not None:
        wanted = " or ".join(state.options())
        return f"{_PAUSED[state.pause.verb]} {name} has to choose: {wanted}.{fight} {both}"
    held = hand_words(state, seat)
    if not state.turn:
        return f"Preparation, deal {state.deals} of 2: {name} places cards out of {held}. {both}"
    return f"Turn {state.turn}: {name} plays with {held}.{fight} {both}"


def lifted_words(state: RampageState) -> str:
    """Why a game is over in which no Castle has fallen (``castle_rampage/long-siege``)."""
    if not state.lifted:
        return ""
    winner = state.winners[0]
    name, won, lost = player_name(winner), state.sides[winner], state.sides[1 - winner]
    for stack in ("castle", "gate"):
        more, less = len(won.stack(stack).cards), len(lost.stack(stack).cards)
        if more > less:
            why = f"{name}'s {stack.title()} has {more} cards against {less}"
            break
    else:
        why = f"all is level, and {name} did not start"
    when = "the pile is used up" if state.exhausted else f"{state.turn} turns are over"
    return f"The siege is lifted, {when}: {why}."


def _fight_words(state: RampageState) -> str:
    if state.attacker is None or not state.steps:
        return ""
    attacker = state.game.box.cards[state.attacker]
    steps = " ".join(step.told(attacker) for step in state.steps)
    return f" {attacker.name} attacked with {state.steps[0].before}: {steps}"


# -- the cover -------------------------------------------------------------------------------


def cover_scene() -> Scene:
    """Two castles across a field, a ram between them and a dragon above."""
    width, height, ground = 360.0, 380.0, 318.0
    shapes: list[Shape] = [
        Rect(0, 0, width, height, "warn-soft"),
        Circle(180, 120, 44, "ramp-3", "ramp-5", 1.5),
        Path(
            ((0, 262), (70, 216), (150, 256), (230, 206), (300, 246), (360, 220), (360, 380)),
            "accent-soft",
        ),
        Rect(0, ground, width, height - ground, "good-soft"),
        Path(((0, ground), (width, ground)), None, "ink", 2),
        *_cover_castle(62, ground, "seat-0"),
        *_cover_castle(298, ground, "seat-1"),
        *_cover_ram(180, ground),
        *_cover_dragon(186, 112),
    ]
    words = "Two castles face each other; a ram rolls between them under a dragon."
    return Scene(width, height, tuple(shapes), (), "Castle Rampage", words)


def _cover_castle(x: float, ground: float, role: str) -> list[Shape]:
    shapes: list[Shape] = []
    for dx, wide, tall in ((-30, 30, 118), (30, 30, 118), (0, 44, 168)):
        left, top = x + dx - wide / 2, ground - tall
        shapes.append(Rect(left, top, wide, tall, "panel", "ink", 1.5))
        teeth = 3 if wide < 40 else 4
        gap = wide / (2 * teeth - 1)
        shapes += [
            Rect(left + 2 * n * gap, top - 9, gap, 10, "panel", "ink", 1.5) for n in range(teeth)
        ]
        shapes.append(Rect(x + dx - 3, top + 24, 6, 16, "ink", None, 1, 3))
    shapes += [
        Rect(x - 14, ground - 44, 28, 44, "ramp-6", "ink", 1.5, 10),
        *(
            Path(((x + dx, ground - 40), (x + dx, ground - 2)), None, "ink", 1.5)
            for dx in (-6, 0, 6)
        ),
        Path(((x, ground - 176), (x, ground - 216)), None, "ink", 2),
        Path(
            ((x, ground - 216), (x + 30, ground - 206), (x, ground - 195)), role, "ink", 1.5, True
        ),
    ]
    return shapes


def _cover_ram(x: float, ground: float) -> list[Shape]:
    roof = ((x - 46, ground - 36), (x, ground - 66), (x + 46, ground - 36))
    return [
        Path(roof, "ramp-7", "ink", 1.5, closed=True),
        Rect(x - 56, ground - 32, 112, 12, "ramp-5", "ink", 1.5, 5),
        Circle(x + 58, ground - 26, 8, "line", "ink", 1.5),
        *(Circle(x + dx, ground - 8, 10, "panel", "ink", 2) for dx in (-28, 28)),
        *(Circle(x + dx, ground - 8, 3, "ink") for dx in (-28, 28)),
    ]


def _cover_dragon(x: float, y: float) -> list[Shape]:
    body = (
        *((x - 66, y + 10), (x - 30, y - 2), (x + 20, y - 8), (x + 52, y - 22), (x + 72, y - 18)),
        *((x + 62, y - 8), (x + 44, y), (x + 10, y + 14), (x - 28, y + 10)),
    )
    wings = (
        ((x - 14, y), (x - 40, y - 54), (x - 16, y - 40), (x + 2, y - 58), (x + 16, y - 4)),
        ((x + 4, y + 4), (x - 4, y + 40), (x + 14, y + 30), (x + 26, y + 4)),
    )
    return [
        *(Path(wing, "ramp-8", "ink", 1.5, closed=True) for wing in wings),
        Path(body, "ramp-9", "ink", 1.5, closed=True),
        Circle(x + 60, y - 17, 2, "paper"),
    ]
