"""``castlelab classroom``: what a class has solved."""

from __future__ import annotations

import argparse

from castlelab.classroom.reading import read_class
from castlelab.cli.arguments import Parser


def add_arguments(parser: Parser) -> None:
    parser.add_argument("folder", metavar="FOLDER", help="with the exported progress files")
    parser.add_argument(
        "--out", metavar="FILE", help="the table as .csv, the heat map as .svg, all as .html"
    )


def run_command(arguments: argparse.Namespace) -> None:
    register = read_class(arguments.folder)
    if arguments.out:
        register.save(arguments.out)
    print(register)
    if arguments.out:
        print(f"Wrote {arguments.out}.")
