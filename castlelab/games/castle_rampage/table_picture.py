"""The table of Castle Rampage: both sides, the piles between them, the hand below, and words."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING

from castlelab.draw.layout import Part, button_part, caption, centred, in_rows, joined, rows
from castlelab.draw.scene import Piece, Rect, Scene, Shape, Target, Text, as_piece
from castlelab.game import SEAT_NAMES
from castlelab.games.castle_rampage.attack import Defender
from castlelab.games.castle_rampage.attack_picture import step_rows
from castlelab.games.castle_rampage.card import STACKS
from castlelab.games.castle_rampage.card_picture import (
    CARD_HEIGHT,
    CARD_WIDTH,
    STACK_HEIGHT,
    STACK_WIDTH,
    card_shapes,
    spoken,
    stack_part,
    stack_words,
)
from castlelab.games.castle_rampage.table import (
    HIDDEN,
    OPEN,
    discard_id,
    hand_id,
    permanent_id,
    stack_id,
)
from castlelab.rules import counted, listed

if TYPE_CHECKING:
    from castlelab.games.castle_rampage.play import RampageState
    from castlelab.games.castle_rampage.table import Stack

_WIDTH = 500.0
_SIDE_HEIGHT = 240.0
_LEGEND = "K knight, A archer, P pikeman; G Gate, C Castle"


def table_scene(state: RampageState, *, face_up: Collection[int] = ()) -> Scene:
    """The table: each player's stacks and permanent cards, piles between, the hand below.

    ``face_up`` names the seats whose stacks are shown card by card: for puzzles, since in a
    game they are secret. Targets: ``gate 1`` and ``castle 1`` (the stacks of seat 0),
    ``permanent 1 NAME``, ``pile``, ``discards``, ``hand NAME`` for each kind of card that may
    be used now, ``discard NAME`` where a discarded one is chosen, and in a turn the buttons
    ``play`` and ``end``.
    """
    y = 52.0
    sides = [
        _side(state, seat, x, y, face_up=seat in face_up)
        for seat, x in enumerate((6, _WIDTH / 2 + 2))
    ]
    y += _SIDE_HEIGHT + 6
    parts = [_heading(state), *sides, _piles(state, y)]
    y += 104
    if state.pause is not None and state.pause.verb == "raise-discard":
        parts.append(_cards(state, "The discards", tuple(sorted(state.discards)), discard_id, y))
        y += parts[-1].height
    parts.append(_hand(state, y))
    words = table_words(state, face_up=face_up)
    return joined(parts, _WIDTH, y + parts[-1].height).scene("Castle Rampage", words)


_BUTTONS = (("play", "Play card"), ("end", "End turn"))


def _heading(state: RampageState) -> Part:
    """Whose turn it is and what is to do; in a turn, the buttons to work it with."""
    words = Part.of(
        [caption(10, 17, _headline(state), 16), Text(10, 38, _todo(state), 13, "muted")]
    )
    if state.over or state.pause is not None or not state.turn:
        return words
    buttons = [
        button_part(name, told, (_WIDTH - 206 + place * 102, 8, 96, 36), "Your turn")
        for place, (name, told) in enumerate(_BUTTONS)
    ]
    return joined([words, *buttons])


def _headline(state: RampageState) -> str:
    seat = state.to_move
    if seat is None:
        return f"{SEAT_NAMES[state.winners[0]]} has won."
    name = SEAT_NAMES[seat]
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


def _side(state: RampageState, seat: int, x: float, y: float, *, face_up: bool) -> Part:
    """A player: the Gates face each other, the Castles stand behind them."""
    side, name = state.sides[seat], SEAT_NAMES[seat]
    width = _WIDTH / 2 - 8
    on_turn = state.to_move == seat
    fill = "accent-soft" if on_turn else "paper"
    panel = Part.of(
        [
            Rect(x, y, width, _SIDE_HEIGHT, fill, f"seat-{seat}", 2.5 if on_turn else 1.5, 10),
            caption(x + 10, y + 15, f"{name}{' ▸' if on_turn else ''}"),
            Text(x + width - 10, y + 15, _hand_count(state, seat), 12, "ink", "end"),
        ]
    )
    stacks = [
        stack_part(
            *(cards, stack, x + 8 + column * (STACK_WIDTH + 6), y + 28, remembered),
            key=stack_id(seat, stack),
            whose=f"{name}'s ",
            group=f"{name}'s side",
        )
        for column, stack in zip((1, 0) if seat == 0 else (0, 1), STACKS, strict=True)
        for cards, remembered in [_known(state, side.stack(stack), face_up=face_up)]
    ]
    return joined([panel, *stacks, _permanents(state, seat, x + 8, y + 32 + STACK_HEIGHT)])


_LONGEST_COUNT = 26  # letters, beside the name of the player


def _hand_count(state: RampageState, seat: int) -> str:
    """How many cards a player holds, and which of them everybody has seen."""
    number, seen = len(state.sides[seat].hand), seen_in_hand(state, seat)
    if not seen:
        return f"{counted(number, 'card')} in hand"
    told = f"{number} in hand: {', '.join(seen)}{' …' if len(seen) < number else ''}"
    return told if len(told) <= _LONGEST_COUNT else f"{number} in hand, {len(seen)} seen"


def _permanents(state: RampageState, seat: int, x: float, y: float) -> Part:
    """The permanent cards of a player, equal ones together, two in a row."""
    standing, name = state.sides[seat].permanents, SEAT_NAMES[seat]
    kinds = list(dict.fromkeys(standing))
    width, height = STACK_WIDTH, 44.0 / max(2, rows(len(kinds), 2)) - 2
    shapes: list[Shape] = []
    targets = []
    for at, left, top in in_rows(kinds, 2, x, y, width + 6, height + 2):
        card, number = state.game.box.cards[at], standing.count(at)
        frame = (left, top, width, height)
        shown = f"{card.name}{f' ×{number}' if number > 1 else ''}"
        key = permanent_id(seat, card.name)
        plate = (Rect(*frame, "good-soft", "good", 1.5, 5), centred(frame, shown, 12))
        shapes += as_piece(plate, Piece(card.name, key, source=hand_id(card.name)))
        words = f"{name}'s permanent card {_many(number)}{spoken(card)}"
        targets.append(Target(key, words, *frame, group=f"{name}'s side"))
    return Part.of(shapes, targets)


def _many(number: int) -> str:
    return f"{number} × " if number > 1 else ""


def _known(
    state: RampageState, stack: Stack, *, face_up: bool
) -> tuple[tuple[Defender | None, ...], tuple[int, ...]]:
    """A stack as it is shown, and the places of the cards that are only remembered.

    A view shows what its player knows. The whole state knows more than anybody
    (``castle_rampage/secret``): it shows what everybody has seen.
    """

    cards = state.cards(stack.cards)
    if face_up:
        return cards, ()
    down = [at for at, mark in enumerate(stack.marks) if mark != OPEN]
    if state.chance is None:
        return cards, tuple(at for at in down if cards[at] is not None)
    return tuple(None if at in down else card for at, card in enumerate(cards)), ()


def _piles(state: RampageState, y: float) -> Part:
    """The draw pile, the discards with their top card, and how the last attack went."""
    narrow = 62.0
    pile = (8.0, y + 4, narrow, CARD_HEIGHT)
    shapes: list[Shape] = [
        Rect(*pile, "hidden", "ink", 1.5, 7),
        Text(8 + narrow / 2, y + 36, "Pile", 13, "on-hidden", "middle", bold=True),
        Text(8 + narrow / 2, y + 56, str(len(state.pile)), 14, "on-hidden", "middle", bold=True),
    ]
    x = 8 + narrow + 8
    discards = (x, y + 4, CARD_WIDTH, CARD_HEIGHT)
    if state.discards:
        top = state.game.box.cards[state.discards[-1]]
        piece = Piece(top.name, "discards", source=hand_id(top.name))
        shapes += as_piece(card_shapes(top, x, y + 4), piece)
        words = discards_words(state)
    else:
        shapes += [
            Rect(*discards, None, "line", 1.5, 7, dash=True),
            centred(discards, "Discards", 12, "muted"),
        ]
        words = "none"
    targets = (
        Target("pile", f"Draw pile: {counted(len(state.pile), 'card')}", *pile, group="Piles"),
        Target("discards", f"Discards: {words}", *discards, group="Piles"),
    )
    x += CARD_WIDTH + 12
    if state.discards:
        shapes.append(Text(x, y + 13, f"{len(state.discards)} discarded", 12, "muted"))
    if state.attacker is not None and state.steps:
        attacker = state.game.box.cards[state.attacker]
        told = f"{attacker.name} attacked with {state.steps[0].before}:"
        shapes += [caption(x, y + 33, told, 12), *step_rows(state.steps[-2:], x, y + 53)]
        if len(state.steps) > 2:
            shapes.append(Text(_WIDTH - 10, y + 13, "the last two steps:", 12, "muted", "end"))
    return Part.of(shapes, targets)


def discards_words(state: RampageState) -> str:
    """The whole discard pile from the top: everybody may look through it."""
    *below, top = (state.game.box.cards[at] for at in state.discards)
    under = f"; below it {', '.join(map(str, reversed(below)))}" if below else ""
    return f"{counted(len(state.discards), 'card')}, on top {spoken(top)}{under}"


def _hand(state: RampageState, y: float) -> Part:
    """The cards that may be used now: a Spy chooses from the hand of the attacker."""
    spied = state.pause is not None and state.pause.verb == "spy"
    seat = state.active if state.to_move is None or spied else state.to_move
    side = state.sides[seat]
    label = f"{SEAT_NAMES[seat]}'s {'cards dealt' if side.dealt else 'hand'}"
    return _cards(state, label, side.dealt or side.hand, hand_id, y)


def _cards(
    state: RampageState, label: str, held: tuple[int, ...], key: Callable[[str], str], y: float
) -> Part:
    """Cards in rows, equal ones together."""
    known = [at for at in held if at != HIDDEN]
    hidden = len(held) - len(known)
    note = f"{counted(hidden, 'card')} face down" if hidden else _LEGEND
    shapes: list[Shape] = [
        caption(10, y + 8, label),
        Text(_WIDTH - 10, y + 8, note, 12, "muted", "end"),
    ]
    if not held:
        shapes.append(Text(110, y + 8, "empty", 12, "muted"))
    targets = []
    across, down = CARD_WIDTH + 7, CARD_HEIGHT + 10
    columns = int((_WIDTH - 8) // across)
    kinds = list(dict.fromkeys(known))
    for at, x, top in in_rows(kinds, columns, 8, y + 24, across, down):
        card, number = state.game.box.cards[at], held.count(at)
        piece = Piece(card.name, key(card.name), source="pile", board=label)
        shapes += as_piece(card_shapes(card, x, top, count=number), piece)
        box = (x, top, CARD_WIDTH, CARD_HEIGHT)
        words = f"{_many(number)}{spoken(card)}"
        targets.append(Target(key(card.name), words, *box, group=label))
    height = 28 + max(1, rows(len(kinds), columns)) * down
    return Part.of(shapes, targets, _WIDTH, height)


# -- in words --------------------------------------------------------------------------------


def side_words(state: RampageState, seat: int, *, face_up: bool = False) -> str:
    """A player as it is spoken: stacks, number of cards, permanent cards."""
    side = state.sides[seat]
    told = []
    for name in STACKS:
        cards, remembered = _known(state, side.stack(name), face_up=face_up)
        told.append(stack_words(cards, name, remembered))
    told.append(f"{counted(len(side.hand), 'card')} in hand")
    told += _seen_words(state, seat)
    if side.permanents:
        told.append("permanent: " + ", ".join(state.game.names(side.permanents)))
    return f"{SEAT_NAMES[seat]}: {'; '.join(told)}."


def seen_in_hand(state: RampageState, seat: int) -> tuple[str, ...]:
    """The cards of a hand that everybody has seen and that have not left it since."""
    side, place_cost = state.sides[seat], state.game.place_cost
    held = [card for card, laid in side.shown if side.surely_holds(card, laid, place_cost)]
    return state.game.names(tuple(sorted(held)))


def _seen_words(state: RampageState, seat: int) -> Iterator[str]:
    """What everybody knows of a hand."""
    side, place_cost = state.sides[seat], state.game.place_cost
    if held := seen_in_hand(state, seat):
        yield f"seen in that hand: {listed(held)}"
    maybe = [card for card, laid in side.shown if not side.surely_holds(card, laid, place_cost)]
    if maybe:
        names = listed(state.game.names(tuple(sorted(maybe))))
        laid = "may have been laid" if side.hand else "laid"
        yield f"seen in that hand, and {laid} since: {names}"


def hand_words(state: RampageState, seat: int) -> str:
    """The cards that a player may use, as far as they are known."""

    side = state.sides[seat]
    held = side.dealt or side.hand
    if HIDDEN in held:
        return f"{counted(len(held), 'card')} that you cannot see"
    return ", ".join(state.game.names(held)) or "no cards"


def table_words(state: RampageState, *, face_up: Collection[int] = ()) -> str:
    """The moment in a sentence or two; ``face_up`` as in :func:`table_scene`."""
    both = " ".join(side_words(state, seat, face_up=seat in face_up) for seat in (0, 1))
    fight = _fight_words(state)
    seat = state.to_move
    if seat is None:
        why = f" {lifted}" if (lifted := lifted_words(state)) else ""
        return f"The game is over: {SEAT_NAMES[state.winners[0]]} has won.{why}{fight} {both}"
    name = SEAT_NAMES[seat]
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
    name, won, lost = SEAT_NAMES[winner], state.sides[winner], state.sides[1 - winner]
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
