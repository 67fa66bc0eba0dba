"""What ``import castlelab`` takes, side by side with numpy's, each in a fresh interpreter.

The interpreters take turns, so that a busy moment of the machine falls on both; the median is told.
"""

from __future__ import annotations

import statistics
import subprocess
import sys

from benchmarks.table import Row, show

TURNS = 15
CLOCKED = "import time; start = time.perf_counter(); import {}; print(time.perf_counter() - start)"


def seconds_to_import(module: str) -> float:
    command = [sys.executable, "-c", CLOCKED.format(module)]
    return float(subprocess.run(command, capture_output=True, check=True).stdout)


def rows() -> list[Row]:
    """All measurements, for this table or a larger one."""
    modules = ("castlelab", "numpy")
    times = [tuple(map(seconds_to_import, modules)) for _ in range(TURNS + 1)][1:]  # files are read
    ours, peer = map(statistics.median, zip(*times, strict=True))
    return [Row("import castlelab", ours, peer, "in a fresh interpreter", "import numpy")]


if __name__ == "__main__":
    show(rows())
