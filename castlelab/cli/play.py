"""``castlelab play``: a game in the terminal."""

from __future__ import annotations

import argparse
import secrets

from castlelab.bots import seated
from castlelab.cli.arguments import Parser, add_game_arguments, chosen_options, number_between
from castlelab.cli.bots import BOT_HELP, named_bot
from castlelab.cli.printing import wrapped_text
from castlelab.cli.table import Opposite, play_at_table
from castlelab.game import load
from castlelab.record import Record
from castlelab.speech import WAYS

_SEEDS = 1_000_000  # games that are told apart by a number that can be typed


def add_arguments(parser: Parser) -> None:
    add_game_arguments(parser, usual_seed=None)
    parser.add_argument(
        "--players", type=number_between("players", 1), help="how many (2 where 2 may)"
    )
    parser.add_argument(
        "--bot", default="greedy", help=f"who plays the other seats (%(default)s): {BOT_HELP}"
    )
    parser.add_argument(
        "--words",
        choices=WAYS,
        default="full",
        help="what is printed after a move (%(default)s): brief, what it did in the fewest "
        "words; normal, the same in a line; full, the table and the moves besides",
    )


def run_command(arguments: argparse.Namespace) -> None:
    rival = seated(named_bot(arguments.bot))
    game = load(arguments.game, arguments.players, arguments.edition, **chosen_options(arguments))
    print(wrapped_text(f"{game.title}. {game.about}"))
    seed = arguments.seed
    if seed is None:
        seed = secrets.randbelow(_SEEDS)
        print(f"This game has the seed {seed}; with --seed {seed} it is played again.")
    play_at_table(Record.start(game, seed), Opposite(rival, arguments.edition, arguments.words))
