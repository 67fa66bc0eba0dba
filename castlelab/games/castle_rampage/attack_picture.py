"""Attacks of Castle Rampage in pictures, and the bench where two stacks are built for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from castlelab.draw.layout import Part, caption, in_rows, joined, rows
from castlelab.draw.scene import (
    Circle,
    Path,
    Piece,
    Rect,
    Scene,
    Shape,
    Target,
    Text,
    as_piece,
)
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
from castlelab.games.castle_rampage.card import RULES, STACKS, Card, StackName
from castlelab.games.castle_rampage.card_picture import (
    CARD_HEIGHT,
    CARD_WIDTH,
    card_edge,
    card_shapes,
    defender_words,
    name_and_value,
    spoken,
    stack_words,
)
from castlelab.rules import counted

_STAGE = 372.0  # as wide as a small page
_COLUMN = 174.0
_COLUMNS = (8.0, 190.0)  # where the Gate and the Castle begin
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
    columns = [
        _column(name, _faced(name, cards, steps, hidden=hidden), x, top, height)
        for name, cards, x in zip(STACKS, (gate, castle), _COLUMNS, strict=True)
    ]
    room = min(_LAST_STEPS, len(gate) + len(castle) + 1)
    said = " ".join(f"{step_words(step, attacker)}." for step in steps)
    said = said or "Nothing is turned up yet."
    end = f" {ending_words(assault)}" if done else ""
    # Without colour and place only the words tell what stands: the columns say it too.
    stands = " ".join(f"{target.name}." for column in columns for target in column.targets)
    words = f"Attack with {assault.strength}. {stands} {said}{end}"
    parts = (
        Part.of(_strength_shapes(assault, steps, done, attacker)),
        *columns,
        Part.of(_comparisons(steps, room, top + height + 22, attacker)),
    )
    bottom = top + height + 10 + room * _STEP_HEIGHT
    return joined(parts, _STAGE, bottom).scene("An attack", words)


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


def _ground(words: str, x: float, y: float, height: float) -> list[Shape]:
    """What the cards of a column lie on, with battlements, and its name."""
    return [
        *(Rect(x + 6 + n * 24, y, 14, 8, "panel", "line", 1) for n in range(7)),
        Rect(x, y + 7, _COLUMN, height - 7, "panel", "line", 1, 6),
        caption(x + 10, y + 23, words),
    ]


def _column(stack: StackName, cards: Sequence[_Faced], x: float, y: float, height: float) -> Part:
    """A stack under attack: every card from the top, what fell struck out."""
    standing = sum(not card.fell for card in cards)
    count = counted(standing, "card") if standing else "fallen" if cards else "empty"
    shapes = _ground(f"{stack.title()}: {count}", x, y, height)
    # In a tall stack the cards that are of interest: the last that fell, and those below.
    first = max(0, min(len(cards) - standing - 2, len(cards) - _COLUMN_ROWS))
    seen = cards[first : first + _COLUMN_ROWS]
    for at, card in enumerate(seen):
        row = _card_row(stack, card, x + 8, y + 36 + at * _ROW)
        # What has fallen is no piece any more: its outline stays where it stood.
        standing_here = Piece(f"defender of {stack}", f"{stack} {first + at}")
        shapes += row if card.fell else as_piece(row, standing_here)
    below = len(cards) - first - len(seen)
    if first or below:
        told = [f"{first} above"] * bool(first) + [f"{below} below"] * bool(below)
        shapes.append(Text(x + _COLUMN - 10, y + 23, ", ".join(told), 12, "muted", "end"))
    return Part.of(shapes, [Target(stack, _column_words(stack, cards), x, y, _COLUMN, height)])


def _card_row(stack: StackName, faced: _Faced, x: float, y: float) -> list[Shape]:
    width, height = _COLUMN - 16, _ROW - 4
    middle = y + height / 2
    if not faced.known:
        return [
            Rect(x, y, width, height, "hidden", "ink", 1, 4),
            Text(x + width / 2, middle, "?", 14, "on-hidden", "middle", bold=True),
        ]
    name, value = name_and_value(faced.card, stack)
    frame, line = card_edge(faced.card, 2.5 if faced.holds else 1)
    ink = "muted" if faced.fell else "ink"
    fill = "warn-soft" if faced.holds else "paper"
    shapes: list[Shape] = [
        Rect(x, y, width, height, fill, frame, line, 4, faced.fell),
        Text(x + 8, middle, name or "a card", 13, ink, bold=not faced.fell),
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


def step_rows(steps: Sequence[Step], x: float, y: float) -> list[Shape]:
    """Steps in short, for the table."""
    shapes: list[Shape] = []
    for number, step in enumerate(steps):
        name = "" if isinstance(step.defender, int) else f"{step.defender.name} "
        row = f"{step.stack.title()}: {name}{step.defence} against {step.before}"
        row = step_words(step) if step.rule == PURPLE else f"{row}, {_OUTCOMES[step.rule]}"
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
    y = 8.0
    to_come: list[Shape] = []
    if attacks:
        to_come.append(caption(10, y + 10, "Attacks to come"))
        for at, words in enumerate(attacks):
            to_come.append(Text(10, y + 32 + at * 20, f"{at + 1}. {words}", 13, "ink"))
        y += 30 + 20 * len(attacks)
    stacks = tuple(zip(STACKS, (gate, castle), _COLUMNS, strict=True))
    height = 40 + max(len(gate), len(castle), 1) * _ROW
    columns = [_places(name, held, cards, x, y, height) for name, held, x in stacks]
    y += height + 36
    placed = {card for card in (*gate, *castle) if card is not None}
    across, down = CARD_WIDTH + 7, CARD_HEIGHT + 8
    row = [
        _bench_card(at, card, left, top, chosen=at == chosen, placed=at in placed)
        for (at, card), left, top in in_rows(enumerate(cards), 3, 10, y, across, down)
    ]
    words = " ".join(
        [
            *(f"Attack {at}: {words}." for at, words in enumerate(attacks, 1)),
            *(_places_words(name, held, cards) for name, held, _ in stacks),
        ]
    )
    parts = (Part.of(to_come), *columns, Part.of([caption(10, y - 16, "Cards")]), *row)
    y += rows(len(cards), 3) * down
    return joined(parts, _STAGE, y + 2).scene("Two stacks to build", words)


def _places(
    stack: StackName,
    held: Sequence[int | None],
    cards: Sequence[Card],
    x: float,
    y: float,
    height: float,
) -> Part:
    """The places of a stack, with the cards that are there already."""
    shapes = _ground(stack.title(), x, y, height)
    shapes.append(Text(x + _COLUMN - 10, y + 23, "top first", 12, "muted", "end"))
    targets = []
    left, width, tall = x + 8, _COLUMN - 16, _ROW - 4
    for at, number in enumerate(held):
        top = y + 36 + at * _ROW
        if number is None:
            shapes += [
                Rect(left, top, width, tall, "paper", "muted", 1, 4, dash=True),
                Text(left + width / 2, top + tall / 2, str(at + 1), 12, "muted", "middle"),
            ]
            words = "empty"
        else:
            row = _card_row(stack, _Faced(cards[number], known=True), left, top)
            shapes += as_piece(row, Piece(f"card {number}", f"{stack} {at + 1}"))
            words = defender_words(cards[number], stack)
        name = f"{stack.title()}, place {at + 1} from the top: {words}"
        targets.append(Target(f"{stack} {at + 1}", name, left, top, width, tall))
    return Part.of(shapes, targets)


def _places_words(stack: StackName, held: Sequence[int | None], cards: Sequence[Card]) -> str:
    told = ["empty" if number is None else cards[number].name for number in held]
    return f"{stack.title()} from the top: {', '.join(told) or 'no place'}."


def _bench_card(at: int, card: Card, x: float, y: float, *, chosen: bool, placed: bool) -> Part:
    """A card of the row; one that is in a stack has left its outline behind."""
    width, height = CARD_WIDTH, CARD_HEIGHT
    state = ", picked up" if chosen else ", already in a stack" if placed else ""
    target = Target(f"card {at + 1}", f"{spoken(card)}{state}", x, y, width, height)
    piece = Piece(f"card {at}", "row")
    if chosen:
        outline = Rect(x, y, width, height, None, "accent", 3, 7)
        lifted = card_shapes(card, x, y, lit=True)
        return Part.of([*(lifted if placed else as_piece(lifted, piece)), outline], [target])
    if not placed:
        return Part.of(as_piece(card_shapes(card, x, y), piece), [target])
    shapes = (
        Rect(x, y, width, height, None, "muted", 1, 7, dash=True),
        Text(x + width / 2, y + height / 2 - 9, card.name, 12, "muted", "middle"),
        Text(x + width / 2, y + height / 2 + 9, "in a stack", 12, "muted", "middle"),
    )
    return Part(shapes, (target,))
