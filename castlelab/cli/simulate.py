"""``castlelab simulate``: many games between bots."""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from castlelab.bots import BUDGET, check_budget
from castlelab.cli.arguments import Parser, add_game_arguments, chosen_options, number_between
from castlelab.cli.bots import BOT_HELP, lineup
from castlelab.cli.printing import complain
from castlelab.cli.signals import stopped_once
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
    parser.add_argument(
        *("--bots", "--bot"),
        help=f"one a seat, or one for all (greedy,random); {BOT_HELP}",
    )
    parser.add_argument(
        "--on-fault",
        choices=("stop", "skip"),
        default="stop",
        help="when a bot of your own fails: stop, or go on without that game (%(default)s)",
    )
    parser.add_argument(
        "--budget",
        type=_seconds,
        default=BUDGET,
        metavar="SECONDS",
        help="for a move of your own bot (%(default)g)",
    )
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
            lineup(arguments.bots, arguments.players) if arguments.bots else None,
            arguments.seed,
            stack.enter_context(dask(arguments.dask)) if arguments.dask else None,
            arguments.edition,
            players=arguments.players,
            workers=arguments.workers,
            out=as_it_goes,
            resume=arguments.resume,
            on_fault=arguments.on_fault,
            budget=arguments.budget,
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


def _seconds(text: str) -> float:
    try:
        return check_budget(float(text))
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"a budget is a number of seconds for a move, above 0, not {quoted(text)}"
        ) from None
