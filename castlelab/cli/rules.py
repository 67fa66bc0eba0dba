"""``castlelab rules``: all rules of a game, or one in full."""

from __future__ import annotations

import argparse
from difflib import get_close_matches

from castlelab.cli.arguments import Parser
from castlelab.cli.printing import rule_in_full
from castlelab.edition import Edition
from castlelab.game import Game, game_class
from castlelab.rules import CastlelabError, Rule, quoted

_SOURCES = {
    "rulebook": "from the rulebook",
    "house": "house data: ours, until you replace it with what is printed in your box",
    "box": "from your edition file",
}


def add_arguments(parser: Parser) -> None:
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("rule", metavar="ID", nargs="?", help="one rule in full")
    parser.add_argument("--edition", metavar="FILE", help="your own data, as TOML")


def run_command(arguments: argparse.Namespace) -> None:
    # An id as it stands in an answer names its game: castell/max-width.
    name, _, of_game = arguments.game.partition("/")
    rule = arguments.rule or of_game or None
    game = game_class(name)(edition=Edition.load(name, arguments.edition))
    if rule is not None:
        print(rule_in_full(rule_of(game, rule)))
        return
    print(f"{game.title}: {len(game.rules)} rules")
    width = max(map(len, game.rules))
    for section, rules in game.rules.sections().items():
        print(f"\n{section}")
        for rule in rules:
            print(f"  {rule.id:<{width}}  {rule.title}")
    if game.edition is not None:
        print(f"\nData of the edition “{game.edition.name}”")
        width = max(map(len, game.edition.tables), default=0)
        for table, source in game.edition.sources().items():
            print(f"  {table:<{width}}  {_SOURCES[source]}")


def rule_of(game: Game, rule_id: str) -> Rule:
    """A rule by its id, with or without the part before the slash."""
    for wanted in (rule_id, f"{game.name}/{rule_id}"):
        if wanted in game.rules:
            return game.rules[wanted]
    near = get_close_matches(f"{game.name}/{rule_id.rpartition('/')[2]}", game.rules, n=2)
    hint = f"did you mean {' or '.join(near)}? " if near else ""
    raise CastlelabError(
        f"{game.name} has no rule {quoted(rule_id)}; {hint}`castlelab rules {game.name}` lists them"
    )
