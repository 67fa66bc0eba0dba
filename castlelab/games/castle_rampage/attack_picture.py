"""Attacks of Castle Rampage in pictures, and the bench where two stacks are built for them."""

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
    centred,
    grouped,
    in_rows,
    joined,
    rows,
)
from castlelab.draw.scene import (
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
    built_walls,
    card_edge,
    card_shapes,
    defender_words,
    large_card,
    name_and_value,
    spoken,
    stack_words,
    topples,
)
from castlelab.games.castle_rampage.pictogram_picture import pennant, stack_sign
from castlelab.rules import counted

_COLUMN_ROWS = 7  # cards that are shown of one; the rest is a number
_STEP_HEIGHT = 58.0
_ROOF = 46.0  # how high walls rise above the cards before them


class _Stage(NamedTuple):
    """How an attack is laid out, on a wide page or on a narrow one."""

    width: float
    columns: tuple[float, float]  # where the Gate and the Castle begin
    column: float
    row: float  # how high a card of a column is
    last_steps: int  # comparisons that stay to be read
    is_narrow: bool = False


_WIDE = _Stage(560, (250, 403), 150, 37, 2)
_NARROW = _Stage(372, (8, 190), 174, 30, 1, is_narrow=True)
_TALL = 366.0  # how high the land is beside which words stand
_ATTACKER = (152.0, 144.0)  # how large who attacks is there
_FIELD = 76.0  # where the land begins, below the strength
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
    stacks = tuple(
        _faced(name, cards, steps, hidden=hidden)
        for name, cards in zip(STACKS, (gate, castle), strict=True)
    )
    watched = _Watched(assault, steps, stacks, attacker)
    narrow = partial(_staged, watched, _NARROW)
    return replace(_staged(watched, _WIDE), narrow=narrow)


class _Watched(NamedTuple):
    """An attack as far as it has been watched."""

    assault: Assault
    steps: tuple[Step, ...]
    stacks: tuple[Sequence[_Faced], ...]
    attacker: Card | None

    @property
    def done(self) -> bool:
        return len(self.steps) == len(self.assault.steps)

    @property
    def left(self) -> int:
        """What is left of the strength."""
        return self.steps[-1].after if self.steps else self.assault.strength

    @property
    def attacker_fell(self) -> bool:
        attacker = self.attacker
        home = self.assault.held and attacker is not None and attacker.does("return-when-held")
        return self.done and not self.assault.attacker_survives and not home

    @property
    def happenings(self) -> tuple[Happening, ...]:
        """What is seen when the picture comes: who holds sways, a Castle without cards falls."""
        if self.done and self.assault.castle_fell:
            return (topples("castle"),)
        if self.steps and self.steps[-1].rule == HELD:
            stack = self.steps[-1].stack
            at = next(at for at, card in enumerate(self.stacks[STACKS.index(stack)]) if card.holds)
            return (Happening("wobble", ((f"{stack} {at}",),)),)
        return ()


def _staged(watched: _Watched, stage: _Stage) -> Scene:
    room = max(1, min(_COLUMN_ROWS, max(map(len, watched.stacks))))
    tall = _ROOF + 54 + room * stage.row
    if not stage.is_narrow:
        tall = max(tall, _TALL)
    columns = [
        _column(name, cards, (x, _FIELD, stage.column, tall), stage.row)
        for name, cards, x in zip(STACKS, watched.stacks, stage.columns, strict=True)
    ]
    said = " ".join(f"{step_words(step, watched.attacker)}." for step in watched.steps)
    said = said or "Nothing is turned up yet."
    end = f" {ending_words(watched.assault)}" if watched.done else ""
    # Without colour and place only the words tell what stands: the columns say it too.
    stands = " ".join(f"{target.name}." for column in columns for target in column.targets)
    words = f"Attack with {watched.assault.strength}. {stands} {said}{end}"
    bottom = _FIELD + tall
    if stage.is_narrow:
        beside = _comparisons(watched, stage, 8, bottom + 20)
        height = bottom + 8 + stage.last_steps * _STEP_HEIGHT
    else:
        beside = _onrush(watched, stage, _FIELD + tall)
        height = bottom + 8
    land = (
        Rect(4, _FIELD, stage.width - 8, tall, "field-sky", None, 1, 8),
        Rect(4, bottom - 26, stage.width - 8, 26, "field-ground", None, 1, 8),
        Path(((4, bottom - 26), (stage.width - 4, bottom - 26)), None, "line", 1.2),
    )
    parts = (
        Part(land),
        Part.of(_strength_shapes(watched, stage)),
        *columns,
        Part.of(beside),
        Part(happenings=watched.happenings),
    )
    return joined(parts, stage.width, height).scene("An attack", words)


def _onrush(watched: _Watched, stage: _Stage, bottom: float) -> list[Shape]:
    """Who attacks, with the last comparisons below; before the first, alone on the field."""
    begins = not watched.steps
    wide, high = _ATTACKER
    top = (_FIELD + bottom - 26 - high) / 2 if begins else _FIELD + 14
    shapes: list[Shape] = []
    piece = Piece("attacker", "attacker")
    if watched.attacker is not None:
        x = 32.0 if begins else 14.0
        shapes += as_piece(large_card(watched.attacker, (x, top, wide, high)), piece)
        if watched.attacker_fell:
            shapes += crossed(x, top, wide, high)
        x += wide + 8
    else:
        x = 116.0
        big = (
            pennant(34, top + 26, 74),
            Text(71, top + 57, str(watched.left), 32, "on-bad", "middle", bold=True),
        )
        shapes += as_piece(big, piece)
        if watched.attacker_fell:
            shapes += crossed(34, top + 26, 74, 80)
    if not watched.done or begins:
        y, end = top + high / 2, x + (44.0 if begins else 60.0)
        shapes.append(Path(((x, y), (end, y)), None, "bad", 3))
        shapes.append(Path(((end - 8, y - 7), (end, y), (end - 8, y + 7)), None, "bad", 3))
    return [*shapes, *_comparisons(watched, stage, 12, _FIELD + high + 44)]


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


def _strength_shapes(watched: _Watched, stage: _Stage) -> list[Shape]:
    """The strength as a bar that is paid off, card by card, and at last how it ended."""
    assault, left = watched.assault, watched.left
    told = ending_words(assault) if watched.done else ""  # what is left stands in the bar
    x = 56.0 if stage.is_narrow else 8.0
    shapes: list[Shape] = [
        Text(x, 16, f"Attack with {assault.strength}", 15, "ink", bold=True),
        *_paid_off(watched, (x, 30, stage.width - x - 8, 26)),
    ]
    if not stage.is_narrow:
        ending = Text(stage.width - 8, 16, told, 14, "ink", "end", bold=True)
        return [*shapes, ending] if told else shapes
    shapes += [
        pennant(8, 6, 42),
        Text(29, 24, str(left), 20, "on-bad", "middle", bold=True),
    ]
    if told:
        shapes.append(Text(x, 67, told, 13, "ink", bold=True))
    if watched.attacker_fell:
        shapes += crossed(8, 6, 42, 45)
    return shapes


def _paid_off(watched: _Watched, frame: Frame) -> list[Shape]:
    parts = strength_bar(watched.assault.strength, watched.steps, frame)
    return [shape for part in parts for shape in part]


def strength_bar(
    strength: int, steps: Sequence[Step], frame: Frame, letters: float = 12
) -> Iterator[list[Shape]]:
    """The strength of an attack: the bar, a part for each card that took some away, the rest."""
    x, y, width, height = frame
    each = width / max(strength, 1)
    yield [Rect(*frame, "sunk", "line", 1, 5)]
    for step in steps:
        if step.rule == PURPLE:
            continue
        wide = (step.before - step.after) * each
        name = "" if isinstance(step.defender, int) else step.defender.name
        said = _that_fits((f"{name} {step.defence}".strip(), str(step.defence)), wide, letters)
        part: list[Shape] = []
        if wide >= 3:
            part.append(Rect(x, y, wide, height, "sunk", "line", 1, 5))
        if said:
            part.append(Text(x + wide / 2, y + height / 2, said, letters, "muted", "middle"))
        yield part
        x += wide
    left = steps[-1].after if steps else strength
    if rest := left * each:
        words = _that_fits((f"{left} left", str(left)), rest, letters)
        place = x + rest / 2, y + height / 2
        said_left = Text(*place, words, letters + 1, "on-bad", "middle", bold=True)
        yield [Rect(x, y, rest, height, "bad", "ink", 1, 5), *([said_left] if words else [])]


def _that_fits(ways: Sequence[str], room: float, letters: float) -> str:
    """The first of some ways to say a thing for which there is room; nothing if there is none."""
    return next((words for words in ways if len(words) * letters * BOLD_LETTER + 6 <= room), "")


def crossed(x: float, y: float, width: float, height: float) -> list[Shape]:
    corners = ((x, y), (x + width, y + height)), ((x, y + height), (x + width, y))
    return [Path(line, None, "ink", 2) for line in corners]


def _ground(stack: StackName, words: str, frame: Frame) -> list[Shape]:
    """The walls that the cards of a column lie before, and the name of the stack below."""
    x, y, width, height = frame
    middle, ground = x + width / 2, y + height - 26
    return [
        *built_walls(stack, middle, ground, width - 8, height - 44, key=stack),
        Text(middle, y + height - 12, words, 13, "on-field-ground", "middle", bold=True),
    ]


def _column(stack: StackName, cards: Sequence[_Faced], frame: Frame, pitch: float) -> Part:
    """A stack under attack: every card from the top, what fell struck out."""
    x, y, width, height = frame
    standing = sum(not card.fell for card in cards)
    count = counted(standing, "card") if standing else "fallen" if cards else "empty"
    shapes = _ground(stack, f"{stack.title()}: {count}", frame)
    # In a tall stack the cards that are of interest: the last that fell, and those below.
    first = max(0, min(len(cards) - standing - 2, len(cards) - _COLUMN_ROWS))
    seen = cards[first : first + _COLUMN_ROWS]
    top = y + height - 30 - len(seen) * pitch
    for at, card in enumerate(seen):
        row = _card_row(stack, card, (x + 8, top + at * pitch, width - 16, pitch - 4))
        # What has fallen is no piece any more: its outline stays where it stood.
        standing_here = Piece(f"defender of {stack}", f"{stack} {first + at}")
        shapes += row if card.fell else as_piece(row, standing_here)
    below = len(cards) - first - len(seen)
    if first or below:
        told = [f"{first} above"] * bool(first) + [f"{below} below"] * bool(below)
        plate = (x + 14, top - 20, width - 28, 18)
        shapes += [
            Rect(*plate, "card", "line", 1, 5),
            centred(plate, ", ".join(told), 12, "muted"),
        ]
    return Part.of(shapes, [Target(stack, _column_words(stack, cards), *frame)])


def _card_row(stack: StackName, faced: _Faced, frame: Frame) -> list[Shape]:
    """A card of a stack from the side: what fell lies slanting and struck out."""
    x, y, width, height = frame
    middle = y + height / 2
    if not faced.known:
        return [
            Rect(x, y + 3, width, height, "card", "ink", 1, 5),
            Rect(x, y, width, height, "hidden", "ink", 1, 5),
            Text(x + width / 2, middle, "?", 14, "on-hidden", "middle", bold=True),
        ]
    name, value = name_and_value(faced.card, stack)
    edge, line = card_edge(faced.card, 2.5 if faced.holds else 1.2)
    if faced.fell:
        return fallen_row(faced.card, stack, frame)
    shapes: list[Shape] = [
        Rect(x, y + 3, width, height, "sunk", edge, 1, 5),
        Rect(x, y, width, height, "warn-soft" if faced.holds else "card", edge, line, 5),
        Text(x + 8, middle, name or "a card", 13, "ink", bold=True),
        Text(x + width - 8, middle, str(value), 14, "ink", "end", bold=True),
    ]
    if 13 * BOLD_LETTER * len(name) < width - 44:
        shapes.append(stack_sign(stack, x + width - 36, middle - 7, 15))
    if faced.holds:
        plate = (x + width - 88, y - 9, 46, 16)
        shapes += [Rect(*plate, "warn", None, 1, 8), centred(plate, "holds", 12, "on-warn")]
    return shapes


def fallen_row(card: Defender, stack: StackName, frame: Frame, letters: float = 13) -> list[Shape]:
    """A card that has fallen: it lies slanting and struck out."""
    x, y, width, height = frame
    middle, (name, value) = y + height / 2, name_and_value(card, stack)
    low, high = y + height - 2, y + 5
    slanting = ((x - 4, low), (x + 8, high), (x + width + 4, high), (x + width - 8, low))
    return [
        Path(slanting, "sunk", card_edge(card, 1.2)[0], 1, closed=True, dash=True),
        Text(x + 8, middle + 1, name or "a card", letters, "muted"),
        Text(x + width - 6, middle + 1, f"−{value}", 14, "bad", "end", bold=True),
        Path(((x + 4, middle + 1), (x + width - 28, middle + 1)), None, "bad", 1.5),
    ]


def _column_words(stack: StackName, cards: Sequence[_Faced]) -> str:
    """A stack under attack as it is spoken."""
    standing = [card.card if card.known else None for card in cards if not card.fell]
    fallen = [defender_words(card.card, stack) for card in cards if card.fell]
    told = stack_words(standing, stack)
    return f"{told}. Fallen: {'; '.join(fallen)}" if fallen else told


def _comparisons(watched: _Watched, stage: _Stage, x: float, y: float) -> list[Shape]:
    """The last comparisons, each with its rule below."""
    first = max(0, len(watched.steps) - stage.last_steps)
    shapes: list[Shape] = []
    for at, step in enumerate(watched.steps[first:]):
        mark, role = _MARKS[step.rule]
        line = y + at * _STEP_HEIGHT
        compared, outcome = _comparison(step, watched.attacker)
        words, beside = x + 22, x + 9
        if not stage.is_narrow:
            plate = (x - 4, line - 11, stage.columns[0] - x - 1, _STEP_HEIGHT - 5)
            shapes.append(Rect(*plate, "card", "line", 1, 7))
            words, beside = x + 3, stage.columns[0] - 20  # where the lines are short
        shapes += [
            Circle(beside, line + 24, 9, f"{role}-soft", role, 1.5),
            Text(beside, line + 24, mark, 12, role, "middle", bold=True),
            Text(words, line, f"{first + at + 1}. {compared}", 12, "ink"),
            Text(words, line + 16, f"→ {outcome}", 12, "ink", bold=True),
            Text(words, line + 32, RULES[step.rule].title, 12, "muted"),
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
    laid = _Laid(tuple(cards), (tuple(gate), tuple(castle)), chosen, tuple(attacks))
    return replace(_bench(laid, is_narrow=False), narrow=partial(_bench, laid, is_narrow=True))


class _Laid(NamedTuple):
    """What is on a bench."""

    cards: tuple[Card, ...]
    stacks: tuple[tuple[int | None, ...], ...]
    chosen: int | None
    attacks: tuple[str, ...]


def _bench(laid: _Laid, *, is_narrow: bool) -> Scene:
    """The stacks beside the cards or, on a narrow page, above them."""
    stage = _NARROW if is_narrow else _WIDE
    to_come = _to_come(laid.attacks, stage.width)
    y = to_come.height + 4
    pitch = 46.0
    tall = max(190 if is_narrow else 260, _ROOF + 34 + max(map(len, laid.stacks)) * pitch)
    across, down = CARD_WIDTH + 8, CARD_HEIGHT + 8
    wide = 3 if is_narrow else 2
    high = rows(len(laid.cards), wide) * down
    left, column = stage.columns, stage.column
    if not is_narrow:
        left, column = (258.0, 408.0), 146.0
        tall = max(tall, min(high + 16, tall + 90))
    land = (
        Rect(left[0] - 4, y, left[1] + column - left[0] + 8, tall, "field-sky", None, 1, 8),
        Rect(left[0] - 4, y + tall - 26, left[1] + column - left[0] + 8, 26, "field-ground"),
    )
    columns = [
        grouped(_places(name, held, laid.cards, (x, y, column, tall), pitch), name.title())
        for name, held, x in zip(STACKS, laid.stacks, left, strict=True)
    ]
    top = y + tall + 28 if is_narrow else y + 20
    placed = {card for held in laid.stacks for card in held if card is not None}
    row = [
        grouped(
            _bench_card(at, card, *place, chosen=at == laid.chosen, placed=at in placed), "Cards"
        )
        for (at, card), *place in in_rows(enumerate(laid.cards), wide, 8, top, across, down)
    ]
    stacks = zip(STACKS, laid.stacks, strict=True)
    words = " ".join(
        [
            *(f"Attack {at}: {words}." for at, words in enumerate(laid.attacks, 1)),
            *(_places_words(name, held, laid.cards) for name, held in stacks),
        ]
    )
    parts = (Part(land), to_come, *columns, Part.of([caption(10, top - 12, "Cards")]), *row)
    height = max(y + tall + 6, top + high + 2)
    return joined(parts, stage.width, height).scene("Two stacks to build", words)


def _to_come(attacks: Sequence[str], width: float) -> Part:
    """The attacks that the stacks must stand, one after the other."""
    if not attacks:
        return Part(height=4)
    shapes: list[Shape] = [caption(10, 16, "Attacks to come")]
    x, y = 8.0, 30.0
    for at, words in enumerate(attacks, 1):
        told = f"{at}. {words}"
        wide = len(told) * 13 * LETTER + 36
        if x > 8 and x + wide > width - 8:
            x, y = 8.0, y + 34
        frame = (x, y, wide, 28.0)
        shapes += [
            Rect(*frame, "bad-soft", "bad", 1.2, 7),
            pennant(x + 8, y + 5, 14),
            Text(x + 28, y + 14, told, 13, "ink", bold=True),
        ]
        x += wide + 8
    return Part.of(shapes, width=width, height=y + 34)


def _places(
    stack: StackName,
    held: Sequence[int | None],
    cards: Sequence[Card],
    frame: Frame,
    pitch: float,
) -> Part:
    """The places of a stack, with the cards that are there already."""
    x, y, width, height = frame
    shapes = _ground(stack, f"{stack.title()}, top first", frame)
    targets = []
    left, wide, tall = x + 8, width - 16, pitch - 4
    first = y + height - 30 - len(held) * pitch
    for at, number in enumerate(held):
        place = (left, first + at * pitch, wide, tall)
        if number is None:
            shapes += [
                Rect(*place, "paper", "muted", 1.2, 5, dash=True),
                centred(place, str(at + 1), 13, "muted"),
            ]
            words = "empty"
        else:
            row = _card_row(stack, _Faced(cards[number], known=True), place)
            shapes += as_piece(row, Piece(f"card {number}", f"{stack} {at + 1}"))
            words = defender_words(cards[number], stack)
        name = f"{stack.title()}, place {at + 1} from the top: {words}"
        targets.append(Target(f"{stack} {at + 1}", name, *place))
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
        outline = Rect(x, y, width, height, None, "chosen", 3.5, 9)
        lifted = card_shapes(card, x, y, lit=True)
        return Part.of([*(lifted if placed else as_piece(lifted, piece)), outline], [target])
    if not placed:
        return Part.of(as_piece(card_shapes(card, x, y), piece), [target])
    shapes = (
        Rect(x, y, width, height, None, "muted", 1, 9, dash=True),
        Text(x + width / 2, y + height / 2 - 9, card.name, 12, "muted", "middle"),
        Text(x + width / 2, y + height / 2 + 9, "in a stack", 12, "muted", "middle"),
    )
    return Part(shapes, (target,))
