"""What every benchmark returns, and how it is printed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Row(NamedTuple):
    """One line of the table: what was measured, our time, the peer's, and what to know."""

    name: str
    ours_seconds: float
    peer_seconds: float | None
    note: str


def show(rows: Iterable[Row]) -> None:
    """Print rows as they come; a ratio above 1 says that we are faster."""
    print(f"{'':42} {'ours':>12} {'peer':>12} {'ratio':>7}", flush=True)
    for row in rows:
        peer = "—" if row.peer_seconds is None else _time(row.peer_seconds)
        ratio = "—" if row.peer_seconds is None else f"{row.peer_seconds / row.ours_seconds:.2f}"
        print(
            f"{row.name:42} {_time(row.ours_seconds):>12} {peer:>12} {ratio:>7}  {row.note}",
            flush=True,
        )


def _time(seconds: float) -> str:
    if seconds >= 1:
        return f"{seconds:.2f} s"
    return f"{seconds * 1e3:.2f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.1f} µs"
