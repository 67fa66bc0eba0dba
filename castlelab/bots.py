"""Players that need no chair: Random, and Greedy by a game's own estimate."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol

from castlelab.chance import Chance
from castlelab.game import Move, State
from castlelab.rules import CastlelabError


class Thought(NamedTuple):
    """Where a bot's thinking has come to: it may go on, or be taken at its word."""

    done: float  # the share of its thinking that is done, from 0 to 1
    move: Move  # what it would play now
    reason: str  # why, in a sentence


class Bot(Protocol):
    """Something that chooses a move for whoever is to move, looking only at its own view."""

    name: str

    def choose(self, state: State, chance: Chance) -> tuple[Move, Chance]:
        """A legal move, and the chance that is left."""

    def think(self, state: State, chance: Chance) -> Iterator[Thought]:
        """The same choice in small steps; whoever waits may look at each, or stop."""


class Random:
    """Any legal move, each as likely as the others."""

    name = "random"

    def choose(self, state: State, chance: Chance) -> tuple[Move, Chance]:
        return chance.choice(state.moves())

    def think(self, state: State, chance: Chance) -> Iterator[Thought]:
        move, _ = self.choose(state, chance)
        yield Thought(1.0, move, "It is as good as any other, to somebody who does not look.")


class Greedy:
    """The move whose next state the game estimates best; ties fall at random.

    What is hidden is guessed once before the moves are compared, so that they are judged
    in the same world and nothing is peeked at.
    """

    name = "greedy"

    def choose(self, state: State, chance: Chance) -> tuple[Move, Chance]:
        seat = state.to_move
        if seat is None:
            raise CastlelabError("the game is over; there is nothing to choose")
        world = state.view(seat).guess(seat, chance.split("guess"))
        moves, chance = chance.shuffle(world.moves())
        return max(moves, key=lambda move: world.play(move).estimate(seat)), chance

    def think(self, state: State, chance: Chance) -> Iterator[Thought]:
        move, _ = self.choose(state, chance)
        yield Thought(1.0, move, "Of all moves it leaves you best placed at once.")


_BOTS: dict[str, Callable[[], Bot]] = {"random": Random, "greedy": Greedy}
NAMES = tuple(_BOTS)


def bot(name: str) -> Bot:
    """A bot by its name.

    >>> bot("greedy").name
    'greedy'
    """
    if not isinstance(name, str) or name not in _BOTS:
        raise CastlelabError(f"there is no bot {name!r}; the bots are {', '.join(NAMES)}")
    return _BOTS[name]()


def play_out(state: State, bots: tuple[Bot, ...], chance: Chance) -> tuple[State, list[Move]]:
    """A game played by bots, one for each seat, to its end: the last state and the moves."""
    if len(bots) < state.game.players:
        raise CastlelabError(f"{state.game.players} seats need as many bots, not {len(bots)}")
    played: list[Move] = []
    while (seat := state.to_move) is not None:
        move, chance = bots[seat].choose(state, chance)
        state = state.after(move)  # bots choose from the legal moves; no need to judge again
        played.append(move)
    return state, played
