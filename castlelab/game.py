"""The contract that every game keeps.

A :class:`Game` is a set of rules with its options chosen. Its :class:`State` never
changes: ``play`` returns the next one, so undo, replay and search need no help.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from castlelab.rules import LEGAL, CastlelabError, IllegalMove, Rulebook, Verdict, quoted, rulebook

if TYPE_CHECKING:
    from castlelab.chance import Chance
    from castlelab.draw.scene import Scene
    from castlelab.edition import Edition

#: Every registered game: its load name and its class.
GAMES = {
    "castell": "castlelab.games.castell.play:Castell",
}

_KNOWN_GAMES = ", ".join(GAMES)


T = TypeVar("T")


def changed(thing: T, **changes: Any) -> T:
    """A frozen dataclass with some fields changed: ``dataclasses.replace`` in a hurry.

    Play makes a new state for every move, and this costs a tenth of ``replace``. It asks
    no questions: it is for classes without ``__slots__`` and without ``__post_init__``.
    """
    new = object.__new__(type(thing))
    new.__dict__.update(thing.__dict__)
    new.__dict__.update(changes)
    return new


class Move:
    """One small step of a turn. Its text, ``str(move)``, is its notation.

    Not an abstract class: ``isinstance`` is asked of moves all the time, and of abstract
    classes it is slow.
    """

    __slots__ = ()
    kind: ClassVar[str]  # what it is counted as: "recruit", "end", …

    def __str__(self) -> str:
        raise NotImplementedError(f"{type(self).__name__} has no notation")


@dataclass(frozen=True)
class Option:
    """A choice made when a game is loaded: its name, what is allowed, what is usual."""

    name: str
    allowed: tuple[Any, ...]
    usual: Any
    about: str


class Game(ABC):
    """A game with its options: where states come from and moves are read."""

    name: ClassVar[str]
    title: ClassVar[str]
    about: ClassVar[str]  # one inviting sentence
    seats: ClassVar[range]  # how many may play
    option_list: ClassVar[tuple[Option, ...]] = ()

    def __init__(self, players: int = 2, edition: Edition | None = None, **options: Any) -> None:
        if isinstance(players, bool) or not isinstance(players, int) or players not in self.seats:
            least, most = self.seats[0], self.seats[-1]
            raise CastlelabError(
                f"{self.name} is for {least} to {most} players, not {quoted(players)}"
            )
        known = {option.name: option for option in self.option_list}
        for name, value in options.items():
            if name not in known:
                choices = ", ".join(known) or "none"
                raise CastlelabError(
                    f"{self.name} has no option {quoted(name)}; its options: {choices}"
                )
            # `in` alone would take 1 for True.
            if not any(type(value) is type(a) and value == a for a in known[name].allowed):
                allowed = ", ".join(map(repr, known[name].allowed))
                raise CastlelabError(
                    f"{self.name}: {name} is one of {allowed}, not {quoted(value)}"
                )
        self.players = players
        self.options = {name: options.get(name, option.usual) for name, option in known.items()}
        self.edition = edition

    @cached_property
    def rules(self) -> Rulebook:
        """Every rule of the game by id."""
        return rulebook(self.name)

    @abstractmethod
    def start(self, seed: int | str = 0) -> State:
        """The first state; the same seed gives the same game on every machine."""

    @abstractmethod
    def move(self, text: str) -> Move:
        """Read a move; bad text is a ``NotationError`` that says what was expected."""

    @classmethod
    @abstractmethod
    def cover(cls) -> Scene:
        """A picture that makes one want to play."""

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"castlelab.load({self.name!r}, players={self.players}{options})"


class State(ABC):
    """One moment of a game. Immutable: a frozen dataclass, made anew by :func:`changed`."""

    game: Game

    @property
    @abstractmethod
    def to_move(self) -> int | None:
        """The seat that moves next (0, 1, …), or None when the game is over."""

    @abstractmethod
    def moves(self) -> tuple[Move, ...]:
        """Every legal move, complete up to what matters; empty when the game is over."""

    @abstractmethod
    def check(self, move: Move) -> Verdict:
        """Whether a move is legal now, with every breach explained."""

    def play(self, move: Move) -> State:
        """The state after a move. Raises :class:`IllegalMove` with the verdict of ``check``."""
        verdict = self.check(move)
        if verdict is not LEGAL and not verdict:
            raise IllegalMove(move, verdict)
        return self.after(move)

    @abstractmethod
    def after(self, move: Move) -> State:
        """The state after a move that is known to be legal: ``play`` without the check."""

    @property
    def over(self) -> bool:
        return self.to_move is None

    @property
    @abstractmethod
    def scores(self) -> tuple[int, ...]:
        """The points of each seat if the game ended now."""

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won; several share a tie, and nobody has won before the end."""
        if not self.over:
            return ()
        best = max(self.scores)
        return tuple(seat for seat, score in enumerate(self.scores) if score == best)

    @abstractmethod
    def view(self, player: int) -> State:
        """What that player may see; everything else is hidden."""

    @abstractmethod
    def guess(self, player: int, chance: Chance) -> State:
        """A full state that fits the player's view, its hidden parts drawn at random."""

    @abstractmethod
    def estimate(self, player: int) -> float:
        """How good the state looks for a player, in points; greedy bots climb it."""

    @abstractmethod
    def picture(self) -> Scene: ...

    @abstractmethod
    def describe(self) -> str:
        """A sentence or two for people who cannot see the picture."""

    def _repr_svg_(self) -> str:
        from castlelab.draw.svg import render

        return render(self.picture())


def game_class(name: str) -> type[Game]:
    """The class of a registered game."""
    if not isinstance(name, str) or name not in GAMES:
        raise CastlelabError(f"there is no game {quoted(name)}; the games are {_KNOWN_GAMES}")
    module, _, cls = GAMES[name].partition(":")
    found: type[Game] = getattr(import_module(module), cls)
    return found


def load(name: str, players: int = 2, edition: Any = None, **options: Any) -> Game:
    """A game ready to start.

    ``edition`` is None for the house edition, or the path of a TOML file of your own.

    >>> load("castell", players=3, variant="advanced")
    castlelab.load('castell', players=3, variant='advanced')
    """
    from castlelab.edition import Edition

    cls = game_class(name)
    return cls(players, Edition.load(name, edition), **options)
