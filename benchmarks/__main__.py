"""Print benchmarks as one table: all of them, or the parts that are named.

``python -m benchmarks``, ``python -m benchmarks random_play baileys``; with ``--markdown``
the table is one to paste. Progress goes to the standard error.
"""

from __future__ import annotations

import argparse
import platform
import sys
import time
from collections.abc import Iterable, Iterator
from datetime import date
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks.browser import find_chromium
from benchmarks.rounds import load
from benchmarks.table import Row, show, show_markdown

PARTS = (
    "random_play",
    "baileys",
    "castell_towers",
    "counting",
    "simulation",
    "long_studies",
    "imports",
    "pages",
)
ON_DEMAND = ("slow_pages",)  # which nobody waits for who asks for everything
PEERS = (
    *("castlelab", "chess", "catanatron", "open_spiel", "pettingzoo", "rlcard", "scipy"),
    *("scikit-image", "networkx"),
    *("ortools", "numpy", "voila", "ipycanvas"),
)


def heading() -> str:
    """When, with what and where: without that a figure says nothing."""
    return (
        f"{date.today().isoformat()}, Python {platform.python_version()}, "
        f"{', '.join(filter(None, map(_version, PEERS)))}; {_processor()}, {load()}"
    )


def _version(package: str) -> str:
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return ""


def _processor() -> str:
    """The processor as the system names it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{len(names)} × {names[0]}" if names else platform.processor() or platform.machine()


def rows_of(part: str) -> Iterator[Row]:
    """The rows of a part; what it lacks is told, and the others go on."""
    if part.endswith("pages") and find_chromium() is None:
        print("pages are left out: there is no Chromium", file=sys.stderr)
        return
    try:
        yield from import_module(f"benchmarks.{part}").rows()
    except ImportError as error:
        print(f"{part} is left out: {error}", file=sys.stderr)


def measured(parts: Iterable[str]) -> Iterator[Row]:
    for part in parts:
        start = time.perf_counter()
        print(f"measuring {part} …", file=sys.stderr, flush=True)
        yield from rows_of(part)
        spent = time.perf_counter() - start
        print(f"measured {part} in {spent:.0f} s, {load()}", file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS + ON_DEMAND))
    parser.add_argument("--markdown", action="store_true", help="a table to paste")
    asked = parser.parse_args()
    known = PARTS + ON_DEMAND
    if unknown := set(asked.parts) - set(known):
        parser.error(f"there is no part {min(unknown)!r}; there are {', '.join(known)}")
    print(heading(), end="\n\n", flush=True)
    rows = measured(asked.parts or PARTS)
    show_markdown(rows) if asked.markdown else show(rows)


if __name__ == "__main__":  # the processes of a simulation import this file again
    main()
