"""What a bot is: what it is asked and given, what it may answer, and how its faults are told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from castlelab.chance import Chance
from castlelab.game import Move, State
from castlelab.rules import CastlelabError

if TYPE_CHECKING:
    from castlelab.record import Record

BUDGET = 10.0  # seconds for a move, unless somebody says otherwise

#: The name of a bot, an object or a class with ``choose``, or a function that chooses.
BotLike = Any


class Thought(NamedTuple):
    """Where a bot's thinking has come to: it may go on, or be taken at its word."""

    done: float  # the share of its thinking that is done, from 0 to 1
    move: Move  # what it would play now
    reason: str  # why, in a sentence


class Budget(NamedTuple):
    """How much a bot may think about a move; a bot that takes twice the time has stalled.

    Whoever counts futures plays the same game on every machine. Seconds are for all others.
    """

    seconds: float
    futures: int  # that the game advises to imagine


class Bot(Protocol):
    """A bot as ours are made. Your own needs no more than ``choose``."""

    name: str

    def choose(self, view: State, chance: Chance) -> tuple[Move, Chance]:
        """A legal move for whoever is to move, and the chance that is left."""

    def think(self, view: State, chance: Chance) -> Iterator[Thought]:
        """The same choice in small steps; whoever waits may look at each, or stop."""


class BotFault(CastlelabError):
    """A bot raised, stalled or played what is illegal: which one, where it sat, and when."""

    record: Record | None = None  # the game so far, where somebody keeps one

    def __init__(self, bot: str, seat: int, reason: str, move: int = 0) -> None:
        self.bot, self.seat, self.reason = bot, seat, reason
        self.move = move  # the number of the move, from 1; 0 while nobody counts
        super().__init__(fault_words(bot, seat, reason, move))

    def at_move(self, move: int) -> BotFault:
        """The same fault with the number of the move, which the bot's seat does not know."""
        return BotFault(self.bot, self.seat, self.reason, move)

    def __reduce__(self) -> tuple[type[BotFault], tuple[str, int, str, int]]:
        return BotFault, (self.bot, self.seat, self.reason, self.move)


def fault_words(bot: str, seat: int, reason: str, move: int) -> str:
    """A fault in one line.

    >>> fault_words("Hasty", 1, "raised KeyError: 'wall'", 7)
    "Hasty (seat 2, move 7) raised KeyError: 'wall'"
    """
    at = f", move {move}" if move else ""
    return f"{bot} (seat {seat + 1}{at}) {reason}"


def mover_of(view: State) -> int:
    """The seat that is to move; there is one until the game is over."""
    if (seat := view.to_move) is None:
        raise CastlelabError("the game is over; there is nothing to choose")
    return seat
