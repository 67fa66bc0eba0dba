"""What ``import castlelab`` takes, side by side with numpy's, each in a fresh interpreter.

The interpreters take turns, so that a busy moment of the machine falls on both; the least is told.
"""

from __future__ import annotations

import subprocess
import sys
from functools import partial

from benchmarks.rounds import in_turns
from benchmarks.table import Row, show

TURNS = 15
COMPARED = "Imports, each in an interpreter of its own, in processor time."
CLOCKED = "import time; start = time.process_time(); import {}; print(time.process_time() - start)"


def seconds_to_import(module: str) -> float:
    command = [sys.executable, "-c", CLOCKED.format(module)]
    return float(subprocess.run(command, capture_output=True, check=True).stdout)


def rows() -> list[Row]:
    """All measurements, for this table or a larger one."""
    works = [partial(seconds_to_import, module) for module in ("castlelab", "numpy")]
    for work in works:
        work()  # so that all files have been read
    ours, peer = in_turns(works, TURNS)
    note = "in a fresh interpreter"
    return [Row.of("import castlelab", ours, peer, note, "import numpy", COMPARED)]


if __name__ == "__main__":
    show(rows())
