"""``castlelab worksheet``: puzzles to print or to share."""

from __future__ import annotations

import argparse
import sys

from castlelab.classroom.curriculum import OLDEST, YOUNGEST
from castlelab.classroom.sheet import TITLE, worksheet
from castlelab.cli.arguments import Parser, number_between, seed
from castlelab.rules import CastlelabError


def add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "kinds",
        metavar="KIND",
        nargs="+",
        help="such as castell/tallest, a game: castell, or what is practised: permutations",
    )
    parser.add_argument("--levels", default="1-3", help="such as 2, 1-3 or 1,3 (%(default)s)")
    parser.add_argument(
        "--count", type=number_between("count", 1), default=10, help="how many (10)"
    )
    parser.add_argument("--seed", type=seed, default=0, help="the same seed, the same sheet (0)")
    parser.add_argument(
        "--age", type=number_between("age", YOUNGEST, OLDEST), help="only what suits an age"
    )
    parser.add_argument("--rules", action="store_true", help="a box with the rules that are needed")
    parser.add_argument(
        "--versions", metavar="AB", default="", help="several in one file, alike in kind and level"
    )
    parser.add_argument("--title", default=None, help="what stands at the top")
    parser.add_argument("--address", default="", help="of your pages: puzzles become links to them")
    parser.add_argument(
        "--out", metavar="FILE", help="the page to print (worksheet.html); the key goes beside it"
    )
    parser.add_argument(
        "--homework", action="store_true", help="print the link to the whole sheet, and its id"
    )
    parser.add_argument("--no-key", action="store_true", help="leave the answer key out")
    parser.add_argument(
        "--links", action="store_true", help="print links; no page is written without --out"
    )


def run_command(arguments: argparse.Namespace) -> None:
    if (arguments.links or arguments.homework) and not arguments.address.strip():
        asked = "--links" if arguments.links else "--homework"
        raise CastlelabError(
            f"{asked} needs to know where your pages are: add --address, such as "
            "--address http://localhost:8866"
        )
    sheet = worksheet(
        arguments.kinds,
        arguments.levels,
        arguments.count,
        arguments.seed,
        title=TITLE if arguments.title is None else arguments.title,
        address=arguments.address,
        age=arguments.age,
        progress=sys.stderr.isatty(),
    )
    if arguments.links:
        print("\n".join(sheet.links()))
    if arguments.homework:
        print(f"Sheet {sheet.id}: {sheet.link()}")
    has_links = arguments.links or arguments.homework
    if arguments.out or not has_links:
        written = sheet.save(
            arguments.out or "worksheet.html",
            key=not arguments.no_key,
            rules=arguments.rules,
            versions=arguments.versions,
        )
        # With --links the output is links alone, good to be passed on.
        told = sys.stderr if has_links else sys.stdout
        print(f"Wrote {' and '.join(map(str, written))}.", file=told)
