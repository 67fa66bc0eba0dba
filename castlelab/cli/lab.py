"""``castlelab lab``: the notebooks in JupyterLab."""

from __future__ import annotations

import argparse

from castlelab.cli.arguments import Parser, add_server_arguments
from castlelab.server import launch


def add_arguments(parser: Parser) -> None:
    add_server_arguments(parser)
    parser.add_argument("--folder", help="where your copies of the notebooks are kept")
    parser.add_argument(
        "--allow-root", action="store_true", help="run it even as root, as in a container"
    )


def run_command(arguments: argparse.Namespace) -> None:
    where = (arguments.folder, arguments.host, arguments.port)
    launch.lab(*where, not arguments.no_browser, arguments.allow_root)
