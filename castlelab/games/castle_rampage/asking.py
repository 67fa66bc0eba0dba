"""What may be asked about the stacks of Castle Rampage: what one knows of each card of them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from castlelab.game import SEAT_NAMES, Question
from castlelab.games.castle_rampage.card import STACKS, StackName
from castlelab.rules import counted

if TYPE_CHECKING:
    from castlelab.games.castle_rampage.play import RampageState


def questions(state: RampageState, seat: int) -> tuple[Question, ...]:
    stacks = Question("stacks", "all stacks, a card a line", lambda _: _both(state, *STACKS))
    each = (
        Question(name, f"the {name.title()} of each, a card a line", partial(_of, state, name))
        for name in STACKS
    )
    return (
        Question("board", "the whole position, part by part", lambda _: _everything(state)),
        *(stacks, *each),
    )


def open_questions(state: RampageState, words: str) -> tuple[Question, ...]:
    """The same of a table whose stacks all lie face up, as these words tell of it."""
    everything = partial(_everything, state, words)
    board = Question("board", "the whole position, part by part", lambda _: everything())
    return (board, *questions(state, 0)[1:])


def _everything(state: RampageState, words: str = "") -> str:
    """The table in words, a line for each player and for each pile."""
    told = (words or state.describe()).replace(". ", ".\n")
    top = f", on top {state.game.box.cards[state.discards[-1]]}" if state.discards else ""
    piles = f"Draw pile: {len(state.pile)}. Discards: {len(state.discards)}{top}."
    return f"{told}\n{piles}"


def _of(state: RampageState, name: StackName, _: str) -> str:
    return _both(state, name)


def _both(state: RampageState, *names: StackName) -> str:
    """The cards of stacks from the top; what cannot be seen or remembered is face down."""
    told = []
    for seat, side in enumerate(state.sides):
        for name in names:
            cards = state.cards(side.stack(name).cards)
            told.append(f"{SEAT_NAMES[seat]}'s {name.title()}: {counted(len(cards), 'card')}")
            told += [
                f"{at}: {f'{card}, defence {card.defence(name)}' if card else 'face down'}"
                for at, card in enumerate(cards, start=1)
            ]
    return "\n".join(told)
