"""The commands that there are, and how one is read: a module of this package for each."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module

from castlelab import __version__
from castlelab.cli.arguments import Parser
from castlelab.rules import CastlelabError, quoted

MOST_WORDS = 200
#: Options that need no command.
_ALONE = ("-h", "--help", "-V", "--version")

#: Every command, and what its help says of it.
COMMANDS = {
    "serve": "show the pages in a browser (what castlelab does alone)",
    "lab": "open the notebooks in JupyterLab",
    "play": "play a game in the terminal",
    "puzzle": "solve a puzzle in the terminal",
    "rules": "list the rules of a game, or show one",
    "simulate": "let bots play many games and count",
    "worksheet": "puzzles to print or to share, with a key",
    "classroom": "what a class has solved, from its progress files",
    "singleuser": "the pages of one person; a JupyterHub starts it",
}


def read_command(argv: Sequence[str]) -> argparse.Namespace:
    """The command with its arguments; ``run`` is what carries it out."""
    words = list(argv) or ["serve"]
    if len(words) > MOST_WORDS:  # argparse takes minutes over many
        raise CastlelabError(f"a command of {len(words)} words is too long to be meant")
    if words[0].startswith("-") and words[0] not in _ALONE:
        meant = next((word for word in words if word in COMMANDS), "serve")
        right = " ".join(["castlelab", meant, *(word for word in words if word != meant)])
        raise CastlelabError(f"a command comes before its options; did you mean {quoted(right)}?")
    command = next((word for word in words if not word.startswith("-")), None)
    if command is not None and command not in COMMANDS:
        near = " or ".join(get_close_matches(command, COMMANDS, n=2))
        hint = f"did you mean {near}?" if near else f"there are {', '.join(COMMANDS)}"
        raise CastlelabError(f"there is no command {quoted(command)}; {hint}")
    parser = Parser(prog="castlelab", description="Learn castle games.", allow_abbrev=False)
    version = f"castlelab {__version__}"
    parser.add_argument("-V", "--version", action="version", version=version)
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, about in COMMANDS.items():
        sub = commands.add_parser(name, help=about, description=about, allow_abbrev=False)
        if name == command:
            module = import_module(f"castlelab.cli.{name}")  # what others need may be slow
            sub.words = tuple(words)
            sub.set_defaults(run=module.run_command)
            module.add_arguments(sub)
    return parser.parse_args(words)
