"""``castlelab serve``: the pages in a browser."""

from __future__ import annotations

import argparse
import os
import warnings
from getpass import GetPassWarning, getpass

from castlelab.cli.arguments import Parser, add_cull_after, add_server_arguments, number_between
from castlelab.rules import CastlelabError
from castlelab.server import launch
from castlelab.server.terms import Terms

#: Where a password can be left: among the arguments, other users of the machine could read it.
_PASSWORD = "CASTLELAB_PASSWORD"


def add_arguments(parser: Parser) -> None:
    add_server_arguments(parser)
    parser.add_argument(
        "--preheat",
        type=number_between("preheat", 0, 50),
        default=1,
        metavar="N",
        help="copies of each page that wait for visitors (%(default)s); 0 runs nothing in advance",
    )
    parser.add_argument(
        "--max-visitors",
        type=number_between("max-visitors", 1),
        metavar="N",
        help="how many may be here at a time; who comes then is asked to wait",
    )
    add_cull_after(parser, default=3600)
    parser.add_argument(
        "--proxy",
        default="",
        metavar="NAME",
        help="your name in the network, such as castle.example, if a proxy here passes it on",
    )
    parser.add_argument(
        "--base-url",
        default="/",
        metavar="PATH",
        help="what all addresses begin with, such as /castle/ (%(default)s)",
    )
    parser.add_argument(
        "--password",
        action="store_true",
        help=f"ask visitors for a password: that in {_PASSWORD}, or one you type now",
    )


def run_command(arguments: argparse.Namespace) -> None:
    terms = Terms(
        preheat=arguments.preheat,
        max_visitors=arguments.max_visitors,
        cull_after=arguments.cull_after,
        proxy=arguments.proxy,
        base_url=arguments.base_url,
        password=_password() if arguments.password else "",
    )
    launch.serve(arguments.host, arguments.port, not arguments.no_browser, terms)


def _password() -> str:
    """The password that visitors will be asked for; an empty one is none."""
    password = os.environ.pop(_PASSWORD, "") or _typed_unseen("A password for visitors: ")
    if not password:
        raise CastlelabError("an empty password keeps nobody out; type one, or leave --password")
    return password


def _typed_unseen(prompt: str) -> str:
    """What is typed at a terminal that shows none of it; without such a one nothing is read."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", GetPassWarning)
            return getpass(prompt)
    except (EOFError, GetPassWarning):
        raise CastlelabError(
            f"there is no terminal to type a password at; set {_PASSWORD} to it instead"
        ) from None
