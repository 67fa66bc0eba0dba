"""What every benchmark returns, and how it is printed."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple


class Row(NamedTuple):
    """One line of the table: what was measured, our time, the peer's, and what to know."""

    name: str
    ours_seconds: float
    peer_seconds: float | None
    note: str
    peer: str = ""  # who it is, where the name does not say so

    @property
    def ratio(self) -> str:
        """How many times as long the peer takes; above 1 we are faster."""
        if self.peer_seconds is None:
            return "—"
        ratio = self.peer_seconds / self.ours_seconds
        return f"{ratio:.2f}" if ratio < 10 else f"{ratio:,.0f}"


def show(rows: Iterable[Row]) -> None:
    """Print rows as they come; a ratio above 1 says that we are faster."""
    print(f"{'':42} {'ours':>12} {'peer':>12} {'ratio':>7}", flush=True)
    for row in rows:
        told = "; ".join(filter(None, (row.peer, row.note)))
        print(
            f"{row.name:42} {_time(row.ours_seconds):>12} {_time(row.peer_seconds):>12} "
            f"{row.ratio:>7}  {told}",
            flush=True,
        )


def show_markdown(rows: Iterable[Row]) -> None:
    """Print rows as a table to paste; all peers of one measurement share a line."""
    print("| | ours | peer ÷ ours |\n|---|---:|---|")
    for (name, ours), peers in groupby(rows, key=lambda row: (row.name, row.ours_seconds)):
        ratios = [f"**{row.ratio}** {row.peer or row.note}".rstrip() for row in peers]
        print(f"| {name} | {_time(ours)} | {'<br>'.join(ratios)} |", flush=True)


def _time(seconds: float | None) -> str:
    if seconds is None:
        return "—"
    if seconds >= 1:
        return f"{seconds:.2f} s"
    return f"{seconds * 1e3:.2f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.1f} µs"
