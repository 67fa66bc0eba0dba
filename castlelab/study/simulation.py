"""Many games at once: who wins, how long it takes, what is played.

Every game of a run has its own stream of chance, named by its number, so the result
depends on the seed alone and not on how the work was shared out.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from castlelab.bots import bot
from castlelab.record import Record
from castlelab.rules import CastlelabError, quoted
from castlelab.study.journal import ENDING, Journal, JournalError
from castlelab.study.progress_bar import watched_bar
from castlelab.study.results import Played, Study, played_of, row_of
from castlelab.study.run import Run
from castlelab.study.workers import LostWork, check_executor, in_order

if TYPE_CHECKING:
    from concurrent.futures import Executor


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
    run = Run.prepared(game, bots, seed, edition, options)
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
            watched = stack.enter_context(watched_bar(progress, games, len(played)))
            left = range(len(played), games)
            work = in_order(run.play, left, executor, workers)
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
    run = Run.prepared(game, bots, seed, edition, options)
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
