"""Many games at once: who wins, how long it takes, what is played.

Every game of a run has its own stream of chance, named by its number, so the result
depends on the seed alone and not on how the work was shared out.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from castlelab import __version__
from castlelab.bots import bot, play_out
from castlelab.chance import Chance
from castlelab.edition import Edition
from castlelab.game import Game, game_class, load
from castlelab.record import Record
from castlelab.rules import CastlelabError, quoted
from castlelab.study.journal import ENDING, Journal, JournalError
from castlelab.study.progress_bar import bar
from castlelab.study.results import Played, Study, played_of, row_of
from castlelab.study.workers import LostWork, check_executor, in_order
from castlelab.system.packages import need

if TYPE_CHECKING:
    from concurrent.futures import Executor


class GameFailed(CastlelabError):
    """A game of a run could not be played to its end: which one, and how to see it again."""


def simulate(
    game: str,
    games: int = 100,
    bots: Sequence[str] = ("greedy", "random"),
    seed: int | str = 0,
    executor: Executor | Any = None,
    edition: str | Path | None = None,
    progress: bool | None = None,
    *,
    workers: int | None = None,
    out: str | Path | None = None,
    resume: bool = False,
    **options: Any,
) -> Study:
    """Play so many games between these bots, one for each seat.

    Long runs use every core; ``workers`` is how many processes instead, 1 for this one
    alone. ``executor`` is any executor of ``concurrent.futures``, or a Dask client. None of
    this changes the result.

    ``out`` names a ``.jsonl`` file that gets each game as it finishes. After an interruption
    the same call with ``resume=True`` goes on where the file ends.

    >>> simulate("castell", games=2, bots=("random", "random"), seed=1).played[0].number
    0
    """
    _check_whole("simulate at least 1 game", games)
    if workers is not None:
        _check_whole("use at least 1 worker", workers)
    if executor is not None:
        check_executor(executor)
        if workers is not None:
            raise CastlelabError("an executor has its own workers; leave workers out")
    if resume and out is None:
        raise CastlelabError("resume goes on with a file; name it with out")
    run = _Run.prepared(game, bots, seed, edition, options)
    played: list[Played] = []
    book: Journal | None = None
    try:
        with ExitStack() as stack:
            if out is not None:
                book = stack.enter_context(Journal.open(out, run.header(), resume))
                played.extend(played_of(book.path, book.rows, len(run.bots)))
                if len(played) > games:
                    raise JournalError(
                        f"{book.path.name} holds {len(played)} games already, more than {games}"
                    )
            watched = stack.enter_context(_bar(progress, games, len(played)))
            left = range(len(played), games)
            work = in_order(partial(_play, run), left, executor, workers)
            for some in stack.enter_context(closing(work)):
                if book is not None:
                    book.append(map(row_of, some))
                played.extend(some)
                if watched is not None:
                    watched.update(len(some))
    except KeyboardInterrupt as error:
        error.add_note(_what_is_kept(book, out))
        raise
    except LostWork as error:
        raise LostWork(f"{error}; {_what_is_kept(book, out)}") from error
    return Study(run.game, run.bots, seed, tuple(played), dict(run.options), run.digest)


def replay(
    game: str,
    number: int,
    bots: Sequence[str] = ("greedy", "random"),
    seed: int | str = 0,
    edition: str | Path | None = None,
    **options: Any,
) -> Record:
    """One game of a run, move by move: what ``simulate`` played under that number.

    >>> record = replay("castle_keep", 3, seed=1)
    >>> record.state.scores == simulate("castle_keep", games=4, seed=1).played[3].scores
    True
    """
    run = _Run.prepared(game, bots, seed, edition, options)
    _check_whole("games are numbered from 0; a number is at least 0", number, 0)
    stream, players = run.stream(number), tuple(map(bot, run.bots))
    record, chance = Record.start(run.set_up(), f"{stream.key}"), stream.split("bots")
    while (seat := record.state.to_move) is not None:
        move, chance = players[seat].choose(record.state, chance)
        record = record.play(move)
    return record


def _check_whole(wanted: str, number: Any, least: int = 1) -> None:
    if isinstance(number, bool) or not isinstance(number, int) or number < least:
        raise CastlelabError(f"{wanted}, not {quoted(number)}")


def _what_is_kept(book: Journal | None, out: str | Path | None) -> str:
    if out is None:
        return f"nothing was kept: out names a {ENDING} file that keeps finished games"
    if book is None:
        return f"{Path(out).name} is as it was"
    return f"{book.games} games are in {book.path.name}, and resume goes on with them"


def _bar(progress: bool | None, games: int, done: int) -> AbstractContextManager[Any]:
    """A progress bar; unless asked for, only for somebody who watches, and for long runs."""
    if progress is None and not (_in_a_notebook() or sys.stderr.isatty()):
        progress = False
    if progress is False:
        return nullcontext()
    if progress:
        need("a progress bar", "tqdm")
    return bar(games, "game", done=done, delay=0 if progress else 1)


def _in_a_notebook() -> bool:
    """Whether a Jupyter kernel runs this; asked without importing any of it."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return hasattr(shell, "kernel")


# What a worker needs to know, and does


@dataclass(frozen=True, slots=True)
class _Run:
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
    ) -> _Run:
        """A run whose arguments are right: nothing wrong is left for a worker to find."""
        for name in bots:
            bot(name)
        Chance.seeded(seed)
        ready = load(game, len(bots), edition, **options)
        data = ready.edition
        return _Run(
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
        """The game, made once in each process: reading a box takes longer than a move."""
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

    def replay_call(self, number: int) -> str:
        """What to type to see a game again."""
        options = "".join(f", {name}={value!r}" for name, value in self.options)
        own = ", edition=…" if self.edition is not None else ""
        return (
            f"castlelab.study.replay({self.game!r}, {number}, {self.bots!r}, "
            f"seed={self.seed!r}{own}{options})"
        )


_SET_UP: dict[object, Game] = {}


def _play(run: _Run, numbers: range) -> list[Played]:
    game, players = run.set_up(), tuple(map(bot, run.bots))
    played = []
    for number in numbers:
        stream = run.stream(number)
        try:
            end, moves = play_out(game.start(f"{stream.key}"), players, stream.split("bots"))
            kinds = Counter(move.kind for move in moves)
            played.append(Played(number, end.scores, end.winners, kinds))
        except Exception as error:
            raise GameFailed(
                f"game {number} of {run.game} with seed {run.seed!r} failed: "
                f"{type(error).__name__}: {error}; {run.replay_call(number)} plays it again"
            ) from error
    return played
