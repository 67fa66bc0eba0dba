"""Long runs of greedy games in every game: how quick they are, and what memory they take.

Each run uses two processes, shows its progress and keeps every game in a file. Its memory is that
of all its processes together, asked for every second, in the second tenth of the run and in the
last; it should be flat. At last a file of many games is resumed. By default a run takes some
seconds; ``CASTLELAB_LONG=10000`` is as long as a real one: half an hour or more in all.
Linux alone tells of the memory of other processes; elsewhere that is left out.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import castlelab
from benchmarks.rounds import load
from benchmarks.table import Row, show
from castlelab.study import simulate

PROCESSES = 2
#: Games of a short run, so that each takes a few seconds.
SHORT = {"castell": 100, "castlescape": 20}
USUAL = 400
RESUMED = 100_000
COMPARED = "Long studies: greedy games in two processes, by the clock, with progress and a file."


class MemoryWatch:
    """The memory of this process and of all that it has started, asked for every second."""

    def __init__(self) -> None:
        self.samples: list[int] = []  # in megabytes
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> MemoryWatch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._done.wait(0.2 if len(self.samples) < 50 else 1.0):
            self.samples.append(memory_of_family(os.getpid()) >> 20)

    @property
    def told(self) -> str:
        """The memory of the second tenth of the run, and of the last."""
        tenth = len(self.samples) // 10
        if not tenth or not any(self.samples):
            return ""
        first = statistics.median(self.samples[tenth : 2 * tenth])
        last = statistics.median(self.samples[-tenth:])
        return f"{first:.0f} MB near the start, {last:.0f} MB at the end"


def memory_of_family(process: int) -> int:
    """The bytes that a process and its children take in memory; 0 where nobody tells."""
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE") + sum(map(memory_of_family, map(int, children)))


def games_of(name: str) -> int:
    """How many games of a kind a run has."""
    return int(os.environ.get("CASTLELAB_LONG", 0)) or SHORT.get(name, USUAL)


def study_row(name: str, folder: Path) -> Row:
    games = games_of(name)
    with MemoryWatch() as memory:
        start = time.perf_counter()
        simulate(
            *(name, games, "greedy", 1),
            progress=True,
            players=2,
            workers=PROCESSES,
            out=folder / f"{name}.jsonl",
        )
        took = time.perf_counter() - start
    told = filter(None, (f"{games:,} games, {games / took:.1f} a second", memory.told, load()))
    return Row(f"study of {name}", took / games, None, "; ".join(told), compared=COMPARED)


def resume_row(folder: Path) -> Row:
    """A whole file read again: what a run that was interrupted does first."""
    out = folder / "resumed.jsonl"
    study = ("castle_keep", RESUMED, "random", 1)
    simulate(*study, players=2, workers=PROCESSES, out=out)
    start = time.perf_counter()
    simulate(*study, players=2, workers=PROCESSES, out=out, resume=True)
    took = time.perf_counter() - start
    note = f"{RESUMED:,} games of castle_keep, wanted within 2 s; {load()}"
    return Row("resume a study", took, None, note, compared=COMPARED)


def rows() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        for name in castlelab.GAMES:
            yield study_row(name, Path(folder))
        yield resume_row(Path(folder))


if __name__ == "__main__":
    show(rows())
