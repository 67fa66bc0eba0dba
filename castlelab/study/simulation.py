"""Many games at once: who wins, how long it takes, what is played.

Every game of a run has its own stream of chance, named by its number, so the result
depends on the seed alone and not on how the work was shared out.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from castlelab.bots import BUDGET, BotFault, BotLike, seated
from castlelab.game import Game
from castlelab.record import Record
from castlelab.rules import CastlelabError, quoted
from castlelab.study.journal import ENDING, Journal, JournalError
from castlelab.study.progress_bar import watched_bar
from castlelab.study.results import Fault, Played, Study, games_of, row_of
from castlelab.study.run import GameFailed, Run
from castlelab.study.workers import LostWork, check_executor, in_order

if TYPE_CHECKING:
    from concurrent.futures import Executor


def simulate(
    game: str | Game,
    games: int = 100,
    bots: BotLike | Sequence[BotLike] | None = None,
    seed: int | str = 0,
    executor: Executor | Any = None,
    edition: str | Path | None = None,
    progress: bool | None = None,
    *,
    players: int | None = None,
    workers: int | None = None,
    out: str | Path | None = None,
    resume: bool = False,
    on_fault: Literal["stop", "skip"] = "stop",
    budget: float = BUDGET,
    **options: Any,
) -> Study:
    """Play so many games between these bots, one for each seat, or one for all seats.

    A bot is a name, an object or a class with ``choose``, or a function; without any, a greedy
    one plays against careless ones. ``budget`` is how many seconds a bot of your own may take
    for a move. One that raises, stalls or plays what is illegal stops the run; ``on_fault="skip"``
    goes on without its game, and tells it in ``faults``.

    Long runs use every core; ``workers`` is how many processes instead, 1 for this one
    alone. ``executor`` is any executor of ``concurrent.futures``, or a Dask client. None of
    this changes the result.

    ``out`` names a ``.jsonl`` file that gets each game as it finishes. After an interruption
    the same call with ``resume=True`` goes on where the file ends.

    >>> simulate("castell", games=2, bots="random", seed=1).played[0].number
    0
    """
    _check_arguments(games, executor, workers, out, resume, on_fault)
    run = Run.prepared(game, bots, seed, edition, options, players=players, budget=budget)
    done: list[Played | Fault] = []
    book: Journal | None = None
    try:
        with ExitStack() as stack:
            if out is not None:
                book = stack.enter_context(Journal.open(out, run.header(), resume))
                done.extend(games_of(book.path, book.rows, len(run.bots)))
                if len(done) > games:
                    raise JournalError(
                        f"{book.path.name} holds {len(done)} games already, more than {games}"
                    )
            watched = stack.enter_context(watched_bar(progress, games, len(done)))
            left = range(len(done), games)
            work = in_order(run.play, left, executor, workers)
            for some in stack.enter_context(closing(work)):
                fault = next((one for one in some if isinstance(one, Fault)), None)
                if fault is not None and on_fault == "stop":
                    some = some[: some.index(fault)]
                if book is not None:
                    book.append(map(row_of, some))
                done.extend(some)
                if fault is not None and on_fault == "stop":
                    raise _stopped(run, fault)
                if watched is not None:
                    watched.update(len(some))
    except KeyboardInterrupt as error:
        error.add_note(_what_is_kept(book, out))
        raise
    except (LostWork, GameFailed) as error:
        if out is not None or isinstance(error, LostWork):
            error.args = (f"{error}; {_what_is_kept(book, out)}",)
        raise
    return _study(run, done)


def _check_arguments(
    games: Any, executor: Any, workers: Any, out: Any, resume: bool, on_fault: Any
) -> None:
    _check_whole("simulate at least 1 game", games)
    if workers is not None:
        _check_whole("use at least 1 worker", workers)
    if executor is not None:
        check_executor(executor)
        if workers is not None:
            raise CastlelabError("an executor has its own workers; leave workers out")
    if resume and out is None:
        raise CastlelabError("resume goes on with a file; name it with out")
    if on_fault not in ("stop", "skip"):
        raise CastlelabError(f"on_fault is 'stop' or 'skip', not {quoted(on_fault)}")


def _stopped(run: Run, fault: Fault) -> GameFailed:
    error = run.failure(fault.number, str(fault))
    error.fault = fault
    return error


def _study(run: Run, done: Sequence[Played | Fault]) -> Study:
    played = tuple(one for one in done if isinstance(one, Played))
    faults = tuple(one for one in done if isinstance(one, Fault))
    if not played:
        raise _stopped(run, faults[0])
    return Study(run.game, run.bots, run.seed, played, dict(run.options), run.digest, faults)


def replay(
    game: str | Game,
    number: int,
    bots: BotLike | Sequence[BotLike] | None = None,
    seed: int | str = 0,
    edition: str | Path | None = None,
    *,
    players: int | None = None,
    budget: float = BUDGET,
    **options: Any,
) -> Record:
    """One game of a run, move by move: what ``simulate`` played under that number.

    Give it what the run was given: with other bots, another seed or other options it is another
    game. The record has its ``moves`` and the ``states`` between them, and ``record.table()``
    shows it in a notebook.

    Where a bot failed, the ``record`` of its :class:`BotFault` holds the game so far.

    >>> record = replay("castle_keep", 3, seed=1)
    >>> record.state.scores == simulate("castle_keep", games=4, seed=1).played[3].scores
    True
    """
    run = Run.prepared(game, bots, seed, edition, options, players=players, budget=budget)
    _check_whole("games are numbered from 0; a number is at least 0", number, 0)
    stream, sitting = run.stream(number), [seated(each, budget) for each in run.players]
    record, chance = Record.start(run.set_up(), f"{stream.key}"), stream.split("bots")
    while (seat := record.state.to_move) is not None:
        try:
            move, chance = sitting[seat].choose(record.state, chance)
        except BotFault as fault:
            told = fault.at_move(len(record.moves) + 1)
            told.record = record
            raise told from fault.__cause__
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
