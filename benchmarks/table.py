"""What every benchmark returns, and how it is printed."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from benchmarks.rounds import Timed

UNSURE = 0.1  # a spread above which a row says so


class Row(NamedTuple):
    """One line of the table: what was measured, our time, the peer's, and what to know.

    ``spread`` is how far the middle round lay above the least, of the side that varied more.
    """

    name: str
    ours_seconds: float
    peer_seconds: float | None
    note: str
    peer: str = ""  # who it is, where the name does not say so
    spread: float = 0.0
    compared: str = ""  # what is compared, in a sentence

    @staticmethod
    def of(
        name: str, ours: Timed, peer: Timed | None, note: str, who: str = "", compared: str = ""
    ) -> Row:
        """A row of two sides that were timed in turns."""
        spread = max(ours.spread, peer.spread if peer else 0.0)
        return Row(name, ours.least, peer and peer.least, note, who, spread, compared)

    @property
    def ratio(self) -> str:
        """How many times as long the peer takes; above 1 we are faster."""
        if self.peer_seconds is None:
            return "—"
        ratio = self.peer_seconds / self.ours_seconds
        return f"{ratio:.2f}" if ratio < 10 else f"{ratio:,.0f}"

    @property
    def doubt(self) -> str:
        """What a row says of itself that varies by more than a tenth."""
        return f"varies by {self.spread:.0%}" if self.spread > UNSURE else ""


def show(rows: Iterable[Row]) -> None:
    """Print rows as they come; a ratio above 1 says that we are faster."""
    print(f"{'':42} {'ours':>12} {'peer':>12} {'ratio':>7} {'spread':>7}", flush=True)
    for row in rows:
        told = "; ".join(filter(None, (row.peer, row.note, row.doubt)))
        print(
            f"{row.name:42} {_time(row.ours_seconds):>12} {_time(row.peer_seconds):>12} "
            f"{row.ratio:>7} {row.spread:>7.1%}  {told}",
            flush=True,
        )


def show_markdown(rows: Iterable[Row]) -> None:
    """Print rows as tables to paste, one for each sentence on what is compared in it.

    All peers of one measurement share a line.
    """
    for compared, alike in groupby(rows, key=lambda row: row.compared):
        print(f"{compared}\n" if compared else "", end="\n" if compared else "")
        print("| | ours | peer ÷ ours | spread |\n|---|---:|---|---:|")
        for (name, ours), peers in groupby(alike, key=lambda row: (row.name, row.ours_seconds)):
            shown = list(peers)
            ratios = [f"**{row.ratio}** {row.peer or row.note}".rstrip() for row in shown]
            spread = max(row.spread for row in shown)
            mark = " !" if spread > UNSURE else ""
            print(f"| {name} | {_time(ours)} | {'<br>'.join(ratios)} | {spread:.0%}{mark} |")
        print(flush=True)


def _time(seconds: float | None) -> str:
    if seconds is None:
        return "—"
    if seconds >= 1:
        return f"{seconds:.2f} s"
    return f"{seconds * 1e3:.2f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.1f} µs"
