"""``castlelab play``: a game in the terminal."""

from __future__ import annotations

import argparse

from castlelab.bots import seated
from castlelab.cli.arguments import Parser, add_game_arguments, chosen_options, number_between
from castlelab.cli.bots import BOT_HELP, named_bot
from castlelab.cli.table import play_at_table
from castlelab.game import load
from castlelab.record import Record


def add_arguments(parser: Parser) -> None:
    add_game_arguments(parser)
    parser.add_argument(
        "--players", type=number_between("players", 1), help="how many (2 where 2 may)"
    )
    parser.add_argument(
        "--bot", default="greedy", help=f"who plays the other seats (%(default)s): {BOT_HELP}"
    )


def run_command(arguments: argparse.Namespace) -> None:
    rival = seated(named_bot(arguments.bot))
    game = load(arguments.game, arguments.players, arguments.edition, **chosen_options(arguments))
    print(f"{game.title}. {game.about}")
    play_at_table(Record.start(game, arguments.seed), rival, arguments.edition)
