"""A run of games, as every worker needs to know it, and how its games are played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from castlelab import __version__
from castlelab.bots import bot, play_out
from castlelab.chance import Chance
from castlelab.edition import Edition
from castlelab.game import Game, game_class, load
from castlelab.rules import CastlelabError
from castlelab.study.results import Played

#: The games that this process has set up: reading a box takes longer than a move.
_SET_UP: dict[object, Game] = {}


class GameFailed(CastlelabError):
    """A game of a run could not be played to its end: which one, and how to see it again."""


@dataclass(frozen=True, slots=True)
class Run:
    """Everything that the games of a run depend on, ready to be sent to another machine."""

    version: str  # of castlelab
    game: str
    bots: tuple[str, ...]
    seed: int | str
    options: tuple[tuple[str, Any], ...]
    digest: str  # of the edition
    edition: Edition | None  # None for the house edition, which is everywhere

    @staticmethod
    def prepared(
        game: str,
        bots: Sequence[str],
        seed: int | str,
        edition: str | Path | None,
        options: Mapping[str, Any],
    ) -> Run:
        """A run whose arguments are right: nothing wrong is left for a worker to find."""
        for name in bots:
            bot(name)
        Chance.seeded(seed)
        ready = load(game, len(bots), edition, **options)
        data = ready.edition
        return Run(
            __version__,
            game,
            tuple(bots),
            seed,
            tuple(ready.options.items()),
            data.digest if data is not None else "",
            data if edition is not None else None,
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
        }

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

    def play(self, numbers: range) -> list[Played]:
        """Play the games of these numbers."""
        game, players = self.set_up(), tuple(map(bot, self.bots))
        played = []
        for number in numbers:
            stream = self.stream(number)
            try:
                end, moves = play_out(game.start(f"{stream.key}"), players, stream.split("bots"))
                kinds = Counter(move.kind for move in moves)
                played.append(Played(number, end.scores, end.winners, kinds))
            except Exception as error:
                raise GameFailed(
                    f"game {number} of {self.game} with seed {self.seed!r} failed: "
                    f"{type(error).__name__}: {error}; {self.replay_call(number)} plays it again"
                ) from error
        return played

    def replay_call(self, number: int) -> str:
        """What to type to see a game again."""
        options = "".join(f", {name}={value!r}" for name, value in self.options)
        own = ", edition=…" if self.edition is not None else ""
        return (
            f"castlelab.study.replay({self.game!r}, {number}, {self.bots!r}, "
            f"seed={self.seed!r}{own}{options})"
        )
