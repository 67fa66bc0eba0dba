"""``castlelab simulate``: many games between bots."""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from castlelab.cli.arguments import Parser, add_game_arguments, chosen_options, number_between
from castlelab.cli.printing import complain
from castlelab.cli.signals import stopped_once
from castlelab.game import game_class
from castlelab.rules import CastlelabError, quoted
from castlelab.study import simulate
from castlelab.study.journal import ENDING
from castlelab.study.workers import dask
from castlelab.system.files import check_writable


def add_arguments(parser: Parser) -> None:
    add_game_arguments(parser)
    parser.add_argument(
        "--games", type=number_between("games", 1), default=100, help="how many (100)"
    )
    parser.add_argument("--players", type=number_between("players", 1), help="as many as bots")
    parser.add_argument("--bots", help="one a seat (greedy,random; alone, greedy)")
    parser.add_argument(
        "--out", metavar="FILE", help="to .jsonl while they are played; to .csv or .json at the end"
    )
    parser.add_argument("--resume", action="store_true", help="go on with the .jsonl file")
    parser.add_argument(
        "--workers", type=number_between("workers", 1), help="processes (one a core)"
    )
    parser.add_argument("--dask", metavar="HOST:PORT", help="play on the cluster of this scheduler")


def run_command(arguments: argparse.Namespace) -> None:
    out = arguments.out or ""
    as_it_goes = out if out.endswith(ENDING) else None
    if arguments.resume and as_it_goes is None:
        raise CastlelabError(f"--resume goes on with a file; name it with --out FILE{ENDING}")
    if out and as_it_goes is None and Path(out).suffix not in (".csv", ".json"):
        raise CastlelabError(f"--out is a {ENDING}, .csv or .json file, not {quoted(out)}")
    if arguments.dask and arguments.workers:
        raise CastlelabError("a cluster has its own workers; leave --workers or --dask out")
    if out and as_it_goes is None:
        check_writable(Path(out))  # at the end it would be too late to choose another name
    with ExitStack() as stack:
        stack.enter_context(stopped_once())
        stack.enter_context(_warnings_in_a_line())
        study = simulate(
            arguments.game,
            arguments.games,
            _bots(arguments.bots or _usual_bots(arguments), arguments.players),
            arguments.seed,
            stack.enter_context(dask(arguments.dask)) if arguments.dask else None,
            arguments.edition,
            workers=arguments.workers,
            out=as_it_goes,
            resume=arguments.resume,
            **chosen_options(arguments),
        )
    print(study)
    if out and as_it_goes is None:
        study.save(out)


@contextmanager
def _warnings_in_a_line() -> Iterator[None]:
    """Tell a warning as an error is told, and go on."""
    with warnings.catch_warnings():
        warnings.simplefilter("default", UserWarning)
        warnings.showwarning = lambda message, *_, **__: complain(str(message))
        yield


def _usual_bots(arguments: argparse.Namespace) -> str:
    """A clever and a careless player, or the clever one where one plays alone."""
    seats = game_class(arguments.game).seats_for(**chosen_options(arguments))
    return "greedy,random" if arguments.players != 1 and seats[-1] > 1 else "greedy"


def _bots(text: str, players: int | None) -> tuple[str, ...]:
    """The bot of each seat; the last one named also takes the seats that are left.

    >>> _bots("greedy,random", 4)
    ('greedy', 'random', 'random', 'random')
    """
    names = tuple(name.strip() for name in text.split(","))
    if players is None:
        return names
    if len(names) > players:
        raise CastlelabError(f"{len(names)} bots are too many for {players} players")
    return names + names[-1:] * (players - len(names))
