"""The table of Castle Rampage on a wide page: two castles across a field, the hand below."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from castlelab.draw.layout import (
    BOLD_LETTER,
    LETTER,
    Part,
    button_part,
    caption,
    centred,
    in_rows,
    joined,
    rows,
    wrapped,
)
from castlelab.draw.scene import Circle, Path, Piece, Rect, Scene, Shape, Target, Text, as_piece
from castlelab.game import SEAT_NAMES
from castlelab.games.castle_rampage.attack import BROKEN, EVEN, HELD, PURPLE, Step
from castlelab.games.castle_rampage.attack_picture import crossed, fallen_row
from castlelab.games.castle_rampage.battle_picture import (
    BUTTONS,
    attack_happenings,
    attack_words,
    hand_count,
    known_cards,
    many,
    moment_words,
    narrow_table,
    pile_targets,
    shown_hand,
    strength_shapes,
    table_words,
    todo_words,
)
from castlelab.games.castle_rampage.card import RULES, STACKS, Card, StackName
from castlelab.games.castle_rampage.card_picture import (
    CARD_HEIGHT,
    CARD_WIDTH,
    built_walls,
    card_edge,
    large_card,
    legend_shapes,
    spoken,
    stack_cards,
    stack_words,
)
from castlelab.games.castle_rampage.pictogram_picture import doing, sign
from castlelab.games.castle_rampage.table import (
    HIDDEN,
    discard_id,
    hand_id,
    permanent_id,
    stack_id,
)
from castlelab.rules import counted

if TYPE_CHECKING:
    from castlelab.games.castle_rampage.play import RampageState

_WIDTH, _HEIGHT = 876.0, 640.0
_LETTERS = 14.0  # the least size of words: the table is also shown 752 pixels wide
_FIELD = 394.0  # where the field ends and the hand begins
_GROUND = 344.0  # what castles stand on
_STACK, _APART = 148.0, 154.0
_LEFT = {0: (166.0, 12.0), 1: (562.0, 716.0)}  # of the Gate and the Castle of each seat
_MIDDLE = (326.0, 224.0)  # the land between the Gates: where it begins, how wide it is
_SCALE = _LETTERS / 12
_CARD = (CARD_WIDTH * _SCALE, CARD_HEIGHT * _SCALE)


def table_scene(state: RampageState) -> Scene:
    """The table: each player's stacks and permanent cards, piles between, the hand below.

    Targets: ``gate 1`` and ``castle 1`` (the stacks of seat 0), ``permanent 1 NAME``, ``pile``,
    ``discards``, ``hand NAME`` for each kind of card that may be used now, ``discard NAME``
    where a discarded one is chosen, and in a turn the buttons ``play`` and ``end``.
    """
    hand = _held(state)
    height = max(_HEIGHT, hand.height)
    parts = [
        Part(_land(height)),
        _buttons(state),
        *(_side(state, seat) for seat in (0, 1)),
        _piles(state),
        Part.of(_middle(state)),
        hand,
        Part(happenings=attack_happenings(state)),
    ]
    scene = joined(parts, _WIDTH, height).scene("Castle Rampage", table_words(state))
    return replace(scene, narrow=partial(narrow_table, state))


def _land(height: float) -> tuple[Shape, ...]:
    """The field with its sky, and the ground below that cards are laid upon."""
    hills = (0, 300, 110, 236, 230, 292, 380, 214, 520, 286, 650, 228, 770, 290, 876, 246)
    ridge = tuple(zip(hills[::2], hills[1::2], strict=True))
    return (
        Rect(0, 0, _WIDTH, _FIELD, "field-sky"),
        Circle(_WIDTH / 2, 210, 74, "warn-soft"),
        Path((*ridge, (_WIDTH, _GROUND), (0, _GROUND)), "good-soft", closed=True),
        Rect(0, _GROUND, _WIDTH, _FIELD - _GROUND, "field-ground"),
        Path(((0, _GROUND), (_WIDTH, _GROUND)), None, "line", 1.2),
        Rect(0, _FIELD, _WIDTH, height - _FIELD, "panel"),
        Path(((0, _FIELD), (_WIDTH, _FIELD)), None, "line", 1.2),
    )


# -- the sides -------------------------------------------------------------------------------


def _side(state: RampageState, seat: int) -> Part:
    """A player: the Gates face each other, the Castles stand behind them."""
    group = f"{SEAT_NAMES[seat]}'s side"
    stacks = [
        _stack(state, seat, name, left, group)
        for name, left in zip(STACKS, _LEFT[seat], strict=True)
    ]
    return joined([Part.of(_name_plate(state, seat)), *stacks, _permanents(state, seat, group)])


def _name_plate(state: RampageState, seat: int) -> list[Shape]:
    """Whose side it is, and how many cards that player holds."""
    x, width, role = min(_LEFT[seat]), _APART + _STACK, f"seat-{seat}"
    on_turn = state.to_move == seat
    fill, line = ("accent-soft", 2.5) if on_turn else ("paper", 1.2)
    name = f"{SEAT_NAMES[seat]}{' ▸' if on_turn else ''}"
    mark = Circle(x + 17, 22, 8, role, "ink") if seat == 0 else Rect(x + 9, 14, 16, 16, role, "ink")
    return [
        Rect(x, 6, width, 32, fill, role if on_turn else "line", line, 8),
        mark,
        caption(x + 33, 22, name, 16),
        Text(x + width - 10, 22, hand_count(state, seat), _LETTERS, "ink", "end"),
    ]


def _permanents(state: RampageState, seat: int, group: str) -> Part:
    """The permanent cards of a player, equal ones together."""
    shapes: list[Shape] = []
    targets = []
    standing = Counter(state.sides[seat].permanents)
    places = in_rows(standing.items(), 2, min(_LEFT[seat]), 44, _APART, 34)
    for (at, number), left, top in places:
        card, frame = state.game.box.cards[at], (left, top, _STACK, 30.0)
        key = permanent_id(seat, card.name)
        plate: list[Shape] = [
            Rect(*frame, "good-soft", "good", 1.5, 8),
            *sign(doing(card).signs[0], left + 4, top + 7, 16, "good"),
            Text(left + 22, top + 15, card.name, _LETTERS),
        ]
        if number > 1:
            plate.append(Text(left + 145, top + 15, f"×{number}", _LETTERS, "ink", "end", True))
        shapes += as_piece(plate, Piece(card.name, key, source=hand_id(card.name)))
        words = f"{SEAT_NAMES[seat]}'s permanent card {many(number)}{spoken(card)}"
        targets.append(Target(key, words, *frame, group=group))
    return Part.of(shapes, targets)


_TOP = 116.0  # of a stack with its walls
_FALLEN_ROWS, _FALLEN = 3, 27.0  # cards that have fallen and are still seen; how high each lies


def _stack(state: RampageState, seat: int, name: StackName, x: float, group: str) -> Part:
    """A stack before its walls, and above it what the last attack felled there."""
    cards, remembered = known_cards(state, state.sides[seat].stack(name), face_up=False)
    key, middle, ground = stack_id(seat, name), x + _STACK / 2, _GROUND + 10
    fallen = _fallen(state, seat, name)
    high = _FALLEN * (len(fallen[-_FALLEN_ROWS:]) + (len(fallen) > _FALLEN_ROWS))
    frame = (x, _TOP + high, _STACK, ground - _TOP - high)
    lying = stack_cards(cards, name, frame, remembered, key=key, letters=_LETTERS)
    count = f"{name.title()}: {counted(len(cards), 'card')}"
    shapes = [
        *built_walls(name, middle, _GROUND, _STACK - 8, 214, key=key, flag=f"seat-{seat}"),
        *lying,
        *_fallen_rows(fallen, name, (x, _upper_edge(lying, ground) - high, _STACK)),
        Text(middle, _FIELD - 20, count, 15, "on-field-ground", "middle", bold=True),
    ]
    words = f"{SEAT_NAMES[seat]}'s {stack_words(cards, name, remembered)}"
    target = Target(key, words, x, _TOP, _STACK, _FIELD - 4 - _TOP, group=group)
    return Part.of(shapes, [target])


def _upper_edge(lying: list[Shape], ground: float) -> float:
    """How high the cards of a stack reach."""
    edges = [shape.y for shape in lying if isinstance(shape, Rect)]
    edges += [y for shape in lying if isinstance(shape, Path) for _, y in shape.points]
    return min(edges, default=ground) - 4


def _fallen(state: RampageState, seat: int, name: StackName) -> tuple[Step, ...]:
    """The steps of the last attack that felled a card of a stack."""
    if seat == state.active:
        return ()
    return tuple(s for s in state.steps if s.stack == name and s.rule in (BROKEN, EVEN))


def _fallen_rows(
    fallen: tuple[Step, ...], name: StackName, place: tuple[float, float, float]
) -> list[Shape]:
    x, y, width = place
    shown = fallen[-_FALLEN_ROWS:]
    shapes: list[Shape] = []
    if above := len(fallen) - len(shown):
        shapes.append(centred((x, y, width, _FALLEN), f"{above} more fell", _LETTERS, "muted"))
        y += _FALLEN
    for at, step in enumerate(shown):
        frame = (x, y + at * _FALLEN, width, _FALLEN - 3)
        shapes += fallen_row(step.defender, name, frame, _LETTERS)
    return shapes


# -- the land between ------------------------------------------------------------------------


def _middle(state: RampageState) -> list[Shape]:
    """Whose turn it is, what is to do, and the last attack."""
    x, width = _MIDDLE
    centre = x + width / 2
    told, _, _ = moment_words(state).partition(":")  # whose turn it is stands on the plates
    headline = wrapped(told, width + 20, 16 * BOLD_LETTER)
    todo = wrapped(todo_words(state), width, _LETTERS * LETTER)
    shapes: list[Shape] = [
        *(
            Text(centre, 18 + 20 * at, line, 16, "ink", "middle", bold=True)
            for at, line in enumerate(headline)
        ),
        *(
            Text(centre, 20 + 20 * at, line, _LETTERS, "muted", "middle")
            for at, line in enumerate(todo, len(headline))
        ),
    ]
    if state.attacker is None or not state.steps:
        return shapes
    last = state.steps[-1]
    attacker = state.game.box.cards[state.attacker]
    shapes += [
        Text(centre, 84, attack_words(state), _LETTERS, "ink", "middle"),
        *strength_shapes(state, (x, 96, width, 26), _LETTERS),
        *_onrush(state, attacker, last),
    ]
    return shapes


_OUTCOMES = {HELD: ("held", "bad"), EVEN: ("even", "warn"), BROKEN: ("broken", "good")}


def _onrush(state: RampageState, attacker: Card, last: Step) -> list[Shape]:
    """The attacker before the stack that it has run against, and what came of it."""
    (x, width), (wide, high), top = _MIDDLE, _CARD, 134.0
    left, way = (x, 1) if state.active == 0 else (x + width - wide, -1)
    piece = Piece(attacker.name, "attacker", source=hand_id(attacker.name))
    shapes = [*as_piece(large_card(attacker, (left, top, wide, high)), piece)]
    if _has_fallen(state, attacker, last):
        shapes += crossed(left, top, wide, high)
    # The arrow goes from the card to the stack; there is room for a few letters on it.
    start = left + wide + 6 if way == 1 else left - 6
    end, y = start + way * (width - wide - 10), top + high / 2
    middle = (start + end) / 2
    compared = "strikes back" if last.rule == PURPLE else f"{last.before} against {last.defence}"
    outcome, role = _OUTCOMES.get(last.rule, ("both fall", "bad"))
    head = ((end - way * 8, y - 7), (end, y), (end - way * 8, y + 7))
    first, *more = compared.rsplit(" ", 1)
    return [
        *shapes,
        Path(((start, y), (end, y)), None, "bad", 3),
        Path(head, None, "bad", 3),
        Text(middle, y - 34, first, _LETTERS, "ink", "middle"),
        *(Text(middle, y - 16, words, _LETTERS, "ink", "middle", bold=True) for words in more),
        Text(middle, y + 18, outcome, _LETTERS, role, "middle", bold=True),
        Text(x + width / 2, top + high + 14, RULES[last.rule].title, _LETTERS, "muted", "middle"),
    ]


def _has_fallen(state: RampageState, attacker: Card, last: Step) -> bool:
    """Whether the attacker lies on the discards, beaten."""
    going_on = state.pause is not None and state.pause.card is not None
    if going_on or attacker.permanent or last.rule == BROKEN:
        return False
    return not (last.rule == HELD and attacker.does("return-when-held"))


def _piles(state: RampageState) -> Part:
    """The draw pile, and the discards with their top card."""
    (x, width), top, high = _MIDDLE, 292.0, 78.0
    pile, discards = (x, top, 84.0, high), (x + 96, top, width - 96, high)
    middle = x + 42
    shapes: list[Shape] = [
        *(Rect(x + 2 * n, top - 2 * n, 80, high, "card", "ink", 1, 8) for n in (0, 1)),
        Rect(x + 4, top - 4, 80, high, "hidden", "ink", 1.5, 8),
        Text(middle + 2, top + 22, "Pile", 15, "on-hidden", "middle", bold=True),
        Text(middle + 2, top + 46, str(len(state.pile)), 18, "on-hidden", "middle", bold=True),
    ]
    if state.discards:
        card = state.game.box.cards[state.discards[-1]]
        plate = (
            Rect(*discards, "card", card_edge(card, 1.2)[0], 1.2, 8),
            Text(discards[0] + 64, top + 24, card.name, _LETTERS, "ink", "middle", bold=True),
            Text(
                *(discards[0] + 64, top + 50, f"{len(state.discards)} discarded"),
                *(_LETTERS, "muted", "middle"),
            ),
        )
        # The attacker has its own way: it is seen on the field.
        attacked = bool(state.steps) and state.discards[-1] == state.attacker
        source = "" if attacked else hand_id(card.name)
        shapes += as_piece(plate, Piece(card.name, "discards", source=source, quiet=attacked))
    else:
        shapes += [
            Rect(*discards, "field-ground", "line", 1.5, 8, dash=True),
            centred(discards, "Discards", _LETTERS, "on-field-ground"),
        ]
    return Part.of(shapes, pile_targets(state, pile, discards))


# -- the hand --------------------------------------------------------------------------------


def _buttons(state: RampageState) -> Part:
    """What works a turn."""
    if state.over or state.pause is not None or not state.turn:
        return Part()
    buttons = [
        button_part(name, told, (_WIDTH - 250 + 122 * place, _FIELD + 5, 114, 30), "Your turn")
        for place, (name, told) in enumerate(BUTTONS)
    ]
    return joined(buttons)


_ZONE = (_FIELD + 42, _HEIGHT - _FIELD - 50)  # where cards lie below the field: top, height
_ROW, _TWO_ROWS = 6, 12  # kinds of cards
_LARGEST = 165.0  # how wide a card is at most


def _held(state: RampageState) -> Part:
    """The cards that may be used now, or those to choose from with the hand below."""
    label, held = shown_hand(state)
    if state.pause is not None and state.pause.verb == "raise-discard":
        found = _plates(state, "The discards", state.discards, discard_id, _ZONE[0])
        low = found.height + 22
        hand = _plates(state, label, held, hand_id, low)
        shapes = [caption(14, low - 11, label, 15)]
        part = joined([found, Part.of(shapes), hand], _WIDTH, hand.height + 6)
        label = "The discards"
    elif len({card for card in held if card != HIDDEN}) > _TWO_ROWS:
        part = _plates(state, label, held, hand_id, _ZONE[0])
    else:
        part = _cards(state, label, held)
    hidden = held.count(HIDDEN)
    note = f"{counted(hidden, 'card')} face down" if hidden else "" if held else "empty"
    heading: list[Shape] = [
        caption(14, _FIELD + 21, label, 16),
        Text(180, _FIELD + 21, note, _LETTERS, "muted"),
    ]
    if any(target.height > _PLATE for target in part.targets):  # cards with their values
        heading += legend_shapes(600, _FIELD + 21, _LETTERS)
    return joined([Part.of(heading), part], _WIDTH, part.height)


def _cards(state: RampageState, label: str, held: tuple[int, ...]) -> Part:
    """The hand, equal cards together: as large as there is room for, in one row or in two."""
    kinds = [card for card in dict.fromkeys(held) if card != HIDDEN]
    top, room = _ZONE
    lines = max(1, rows(len(kinds), _ROW))
    columns = max(1, rows(len(kinds), lines)) if lines > 1 else max(len(kinds), 1)
    wide = min(_LARGEST, (_WIDTH - 20) / max(columns, _ROW if lines > 1 else 1) - 9)
    high = (room - 8 * (lines - 1)) / lines
    shapes: list[Shape] = []
    targets = []
    for at, x, y in in_rows(kinds, columns, 14, top, wide + 9, high + 8):
        card, number, key = state.game.box.cards[at], held.count(at), hand_id(_name(state, at))
        piece = Piece(card.name, key, source="pile", board=label)
        shapes += as_piece(large_card(card, (x, y, wide, high), number), piece)
        words = f"{many(number)}{spoken(card)}"
        targets.append(Target(key, words, x, y, wide, high, group=label))
    if not kinds:
        backs = in_rows(range(min(len(held), _BACKS)), _BACKS, 14, top, 64, 0)
        shapes += (Rect(x, y, 56, 78, "hidden", "ink", 1.2, 7) for _, x, y in backs)
    return Part.of(shapes, targets, _WIDTH, _HEIGHT)


_PLATE = 28.0  # how high a card is of which only the name is told
_BACKS = 13  # cards face down that are drawn beside each other


def _name(state: RampageState, at: int) -> str:
    return state.game.box.cards[at].name


def _plates(
    state: RampageState,
    label: str,
    held: tuple[int, ...],
    key: Callable[[str], str],
    y: float,
) -> Part:
    """Cards by their names alone, where there are too many for pictures."""
    kinds = [card for card in sorted(set(held)) if card != HIDDEN]
    shapes: list[Shape] = []
    targets = []
    for at, x, top in in_rows(kinds, _ROW, 12, y, 143, 32):
        card, number, frame = state.game.box.cards[at], held.count(at), (x, top, 137.0, _PLATE)
        plate: list[Shape] = [
            Rect(*frame, "card", *card_edge(card, 1.2), 6),
            Text(x + 7, top + 14, card.name, _LETTERS),
        ]
        if number > 1:
            plate.append(Text(x + 132, top + 14, f"×{number}", _LETTERS, "ink", "end"))
        shapes += as_piece(plate, Piece(card.name, key(card.name), board=label))
        words = f"{many(number)}{spoken(card)}"
        targets.append(Target(key(card.name), words, *frame, group=label))
    return Part.of(shapes, targets, _WIDTH, y + 32 * rows(len(kinds), _ROW))
