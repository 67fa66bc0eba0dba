"""Pages as ``pages`` opens them, over a line of 60 ms and 20 Mbit a second."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.pages import Line, chromium, first_boards, served
from benchmarks.table import Row, show

SLOW = Line(latency=60, megabits=20)


def rows() -> Iterator[Row]:
    """Each page against the bare slider, both over the slow line."""
    with served() as (ours, peer), chromium() as browser:
        for row in first_boards(browser, ours, peer, SLOW):
            yield row._replace(name=f"slow line, {row.name}")


if __name__ == "__main__":
    show(rows())
