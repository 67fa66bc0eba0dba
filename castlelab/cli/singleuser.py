"""``castlelab singleuser``: the pages of one person, started by a JupyterHub."""

from __future__ import annotations

import argparse
import os

from castlelab.cli.arguments import Parser, add_cull_after
from castlelab.server import launch


def add_arguments(parser: Parser) -> None:
    add_cull_after(parser, default=1800)


def run_command(arguments: argparse.Namespace) -> None:
    launch.serve_one(os.environ, arguments.cull_after)
