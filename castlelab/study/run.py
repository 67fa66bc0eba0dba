"""A run of games, as every worker needs to know it, and how its games are played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from castlelab import __version__
from castlelab.bots import (
    BUDGET,
    BotFault,
    BotLike,
    check_budget,
    is_one_bot,
    play_out,
    seated,
)
from castlelab.chance import Chance
from castlelab.edition import Edition
from castlelab.game import Game, game_class, load
from castlelab.rules import CastlelabError, counted, quoted
from castlelab.study.results import Fault, Played

#: The games that this process has set up: reading a box takes longer than a move.
_SET_UP: dict[object, Game] = {}


class GameFailed(CastlelabError):
    """A game of a run could not be played to its end: which one, and how to see it again.

    ``fault`` says which bot is to blame; None if it is none of them.
    """

    fault: Fault | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """Everything that the games of a run depend on, ready to be sent to another machine."""

    version: str  # of castlelab
    game: str
    bots: tuple[str, ...]  # as tables and files name them
    seed: int | str
    options: tuple[tuple[str, Any], ...]
    digest: str  # of the edition
    edition: Edition | None  # None for the house edition, which is everywhere
    players: tuple[BotLike, ...]  # the bots themselves
    budget: float | None  # seconds for a move; None where all bots are ours

    @staticmethod
    def prepared(
        game: str | Game,
        bots: BotLike | Sequence[BotLike] | None,
        seed: int | str,
        edition: str | Path | None,
        options: Mapping[str, Any],
        *,
        players: int | None = None,
        budget: float = BUDGET,
    ) -> Run:
        """A run whose arguments are right: nothing wrong is left for a worker to find."""
        Chance.seeded(seed)
        check_budget(budget)
        several = _several(bots)
        for each in several or ():
            seated(each)
        if players is None and several is not None and not isinstance(game, Game):
            players = len(several)
        ready = _ready(game, players, edition, options)
        lineup = several if several is not None else _for_all(bots, ready.players)
        if len(lineup) != ready.players:
            seats = counted(ready.players, "seat")
            raise CastlelabError(f"{seats} of {ready.name} need as many bots, not {len(lineup)}")
        sitting = [seated(each) for each in lineup]
        data = ready.edition
        return Run(
            __version__,
            ready.name,
            tuple(each.label for each in sitting),
            seed,
            tuple(ready.options.items()),
            data.digest if data is not None else "",
            None if edition is None and _is_house(ready) else data,
            lineup,
            float(budget) if any(each.is_own for each in sitting) else None,
        )

    def header(self) -> dict[str, Any]:
        """The run as the first line of its file tells it."""
        return {
            "version": self.version,
            "game": self.game,
            "bots": self.bots,
            "seed": self.seed,
            "options": dict(self.options),
            "edition": self.digest,
        } | ({} if self.budget is None else {"budget": self.budget})

    def stream(self, number: int) -> Chance:
        """The chance that belongs to one game alone."""
        return Chance.seeded(self.seed).split(number)

    def set_up(self) -> Game:
        """The game, made once in each process."""
        key = (self.version, self.game, len(self.bots), self.options, self.digest)
        if key not in _SET_UP:
            if len(_SET_UP) >= 4:
                _SET_UP.clear()
            _SET_UP[key] = self._made()
        return _SET_UP[key]

    def _made(self) -> Game:
        if self.version != __version__:
            raise CastlelabError(
                f"a worker has castlelab {__version__}, and the run is of {self.version}"
            )
        edition = self.edition or Edition.load(self.game)
        if self.digest not in ("", edition.digest):
            raise CastlelabError(f"a worker has another house edition of {self.game}")
        return game_class(self.game)(len(self.bots), edition, **dict(self.options))

    def play(self, numbers: range) -> list[Played | Fault]:
        """Play the games of these numbers; one that a bot has spoilt is told as its fault."""
        game, sitting = self.set_up(), [seated(each) for each in self.players]
        pairs = zip(self.players, sitting, strict=True)
        # Ours stay where they are; your own are seated anew for every game.
        bots = tuple(each if seat.is_own else seat for each, seat in pairs)
        return [self._play(game, bots, number) for number in numbers]

    def _play(self, game: Game, bots: tuple[BotLike, ...], number: int) -> Played | Fault:
        stream = self.stream(number)
        start, chance = game.start(f"{stream.key}"), stream.split("bots")
        try:
            end, moves = play_out(start, bots, chance, self.budget or BUDGET)
            return Played(number, end.scores, end.winners, Counter(move.kind for move in moves))
        except BotFault as fault:
            return Fault(number, fault.bot, fault.seat, fault.move, fault.reason)
        except Exception as error:
            raise self.failure(number, f"{type(error).__name__}: {error}") from error

    def failure(self, number: int, told: str) -> GameFailed:
        """The error for a game that could not be played, ready to raise."""
        return GameFailed(
            f"game {number} of {self.game} with seed {self.seed!r} failed: {told}; "
            f"{self.replay_call(number)} plays it again"
        )

    def replay_call(self, number: int) -> str:
        """What to type to see a game again."""
        options = "".join(f", {name}={value!r}" for name, value in self.options)
        own = ", edition=…" if self.edition is not None else ""
        names = zip(self.players, self.bots, strict=True)
        bots = ", ".join(repr(name) if isinstance(each, str) else name for each, name in names)
        bots = f"({bots},)" if len(self.bots) == 1 else f"({bots})"
        return (
            f"castlelab.study.replay({self.game!r}, {number}, {bots}, "
            f"seed={self.seed!r}{own}{options})"
        )


def _several(bots: Any) -> tuple[BotLike, ...] | None:
    """The bots, one for each seat; None where one is for all seats, or none is named."""
    if bots is None or is_one_bot(bots):
        return None
    if not isinstance(bots, Sequence):
        raise CastlelabError(f"bots are one for each seat, or one for all, not {quoted(bots)}")
    return tuple(bots)


def _for_all(bots: BotLike | None, players: int) -> tuple[BotLike, ...]:
    """One bot for all seats; the usual ones are a clever player and careless ones."""
    return ("greedy", *["random"] * (players - 1)) if bots is None else (bots,) * players


def _ready(
    game: str | Game, players: int | None, edition: str | Path | None, options: Mapping[str, Any]
) -> Game:
    """The game of a run, loaded now or before."""
    if not isinstance(game, Game):
        return load(game, players, edition, **options)
    if options or edition is not None or players not in (None, game.players):
        raise CastlelabError(
            f"{game!r} is loaded with its players, edition and options; leave those out"
        )
    game_class(game.name)  # workers load it by its name
    return game


def _is_house(game: Game) -> bool:
    return game.edition is None or game.edition.digest == Edition.load(game.name).digest
