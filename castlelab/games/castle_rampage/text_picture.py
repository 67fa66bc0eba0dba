"""The table of Castle Rampage in letters, for a terminal of 80 columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import zip_longest
from textwrap import wrap
from typing import TYPE_CHECKING

from castlelab.game import SEAT_NAMES
from castlelab.games.castle_rampage.attack import Defender
from castlelab.games.castle_rampage.battle_picture import (
    attack_words,
    hand_count,
    known_cards,
    moment_words,
    shown_hand,
    todo_words,
)
from castlelab.games.castle_rampage.card import STACKS, Card, StackName
from castlelab.games.castle_rampage.card_picture import name_and_value
from castlelab.games.castle_rampage.pictogram_picture import doing
from castlelab.games.castle_rampage.table import HIDDEN
from castlelab.rules import counted

if TYPE_CHECKING:
    from castlelab.games.castle_rampage.play import RampageState

_WIDTH, _LINES = 80, 32
_COLUMN = 18  # of a stack
_CARDS = 9  # of a stack that are listed
_TWO_COLUMNS = 10  # cards of a hand that stand one below the other


def table_text(state: RampageState) -> str:
    """The table: both castles with their stacks side by side, the piles, the last attack, the hand.

    The number behind a card of a stack is its defence there; "····" lies face down.
    """
    lines = [
        *_now(state),
        "",
        _ends(_player(state, 0), _player(state, 1)),
        *_castles(state),
        *_permanents(state),
        *_attack(state),
        "",
        *_hand(state),
    ]
    return "\n".join(line[:_WIDTH].rstrip() for line in lines[:_LINES])


def _now(state: RampageState) -> tuple[str, ...]:
    """Whose turn it is, what is to do, and the piles, in a line or in two."""
    moment, todo, piles = moment_words(state), todo_words(state), _piles(state)
    if len(moment) + len(todo) + len(piles) + 4 <= _WIDTH:
        return (_ends(f"{moment}  {todo}", piles),)
    return (_ends(moment, piles), todo)


def _ends(left: str, right: str) -> str:
    """Words at both ends of a line."""
    return f"{left}{right:>{_WIDTH - len(left)}}"


def _piles(state: RampageState) -> str:
    top = state.game.names(state.discards[-1:])
    discards = f"{len(state.discards)}, top {top[0]}" if top else "none"
    return f"Pile {len(state.pile)}  Discards {discards}"


def _player(state: RampageState, seat: int) -> str:
    turn = "> " if state.to_move == seat else ""
    return f"{turn}{SEAT_NAMES[seat]}: {hand_count(state, seat)}"


def _castles(state: RampageState) -> Iterator[str]:
    """The four stacks beside each other, the Gates in the middle, each from its top."""
    order: tuple[tuple[int, StackName], ...] = (
        (0, "castle"),
        (0, "gate"),
        (1, "gate"),
        (1, "castle"),
    )
    columns = []
    for seat, name in order:
        cards, _ = known_cards(state, state.sides[seat].stack(name), face_up=False)
        heading = f"{name.title()}: {counted(len(cards), 'card')}"
        shown = [_card(card, name) for card in cards[:_CARDS]]
        more = [f"and {len(cards) - _CARDS} more"] if len(cards) > _CARDS else []
        columns.append([heading, "-" * _COLUMN, *shown, *more])
    for row in zip_longest(*columns, fillvalue=""):
        one, two, three, four = (f"{cell:{_COLUMN}}" for cell in row)
        yield f"{one} {two}      {three} {four}"


def _card(card: Defender | None, stack: StackName) -> str:
    if card is None:
        return "····"
    name, value = name_and_value(card, stack)
    return f"{name[: _COLUMN - 3]:{_COLUMN - 3}} {value:2}"


def _permanents(state: RampageState) -> Iterator[str]:
    for seat, side in enumerate(state.sides):
        if side.permanents:
            standing = Counter(state.game.names(side.permanents))
            told = ", ".join(f"{name}{_times(number)}" for name, number in standing.items())
            yield from wrap(f"{SEAT_NAMES[seat]}'s permanent cards: {told}", _WIDTH)


def _times(number: int) -> str:
    return f" x{number}" if number > 1 else ""


def _attack(state: RampageState) -> Iterator[str]:
    if state.attacker is not None and state.steps:
        steps = " ".join(step.told(state.game.box.cards[state.attacker]) for step in state.steps)
        yield from wrap(f"{attack_words(state)}. {steps}", _WIDTH, max_lines=3, placeholder=" …")


def _hand(state: RampageState) -> Iterator[str]:
    """The cards that may be used now, and those to choose from."""
    label, held = shown_hand(state)
    hidden = held.count(HIDDEN)
    note = f" ({counted(hidden, 'card')} face down)" if hidden else "" if held else " (empty)"
    yield f"{label}{note}"
    kinds = {at: held.count(at) for at in held if at != HIDDEN}
    rows = [_held(state.game.box.cards[at], number) for at, number in kinds.items()]
    if len(rows) <= _TWO_COLUMNS:
        yield from rows
    else:
        yield from wrap(", ".join(row[:_NAME].strip() for row in rows), _WIDTH)
    if state.pause is not None:
        yield from wrap(f"Choose: {', '.join(state.options())}", _WIDTH)


_NAME = 20


def _held(card: Card, number: int) -> str:
    """A card of the hand: its values, what it costs, what it does."""
    name = f"{card.name}{_times(number)}"
    attack = f"attack {card.attack}" if card.attack is not None else ""
    if card.is_scheme:
        cost = f"{'+'.join(card.pays)}, {card.extra} +{card.bonus}"
    else:
        words = doing(card).words.replace("−", "-")
        cost = ", ".join(
            filter(None, (f"for {counted(card.cost, 'card')}" * bool(card.cost), words))
        )
    values = " ".join(f"{stack.title()} {card.defence(stack)}" for stack in STACKS)
    return f"  {name:{_NAME - 2}}{values}  {attack:10} {cost}"
