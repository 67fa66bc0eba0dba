"""The table of the benchmarks: one form for the terminal, one to paste, and honest ratios."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.__main__ import PARTS, heading
from benchmarks.browser import NAMES, find_chromium
from benchmarks.rounds import Timed, cold, in_turns
from benchmarks.table import Row, show, show_markdown

ROOT = Path(__file__).parent.parent
ROWS = (
    Row("towers", 0.002, 0.001, "forty of them", "Peer A"),
    Row("towers", 0.002, 0.5, "forty of them", "Peer B"),
    Row("rings", 0.000_015, None, "nobody else counts them"),
)


def test_a_ratio_above_one_says_that_we_are_faster() -> None:
    assert [row.ratio for row in ROWS] == ["0.50", "250", "—"]


def test_the_terminal_shows_a_line_for_each_peer(capsys: pytest.CaptureFixture[str]) -> None:
    show(ROWS)
    head, first, second, third = capsys.readouterr().out.splitlines()
    assert head.split() == ["ours", "peer", "ratio", "spread"]
    assert first.split()[:6] == ["towers", "2.00", "ms", "1.00", "ms", "0.50"]
    assert "Peer B; forty of them" in second
    assert third.split()[:4] == ["rings", "15.0", "µs", "—"]


def test_a_table_to_paste_has_a_line_for_each_measurement(
    capsys: pytest.CaptureFixture[str],
) -> None:
    show_markdown(ROWS)
    assert capsys.readouterr().out.splitlines()[2:] == [
        "| towers | 2.00 ms | **0.50** Peer A<br>**250** Peer B | 0% |",
        "| rings | 15.0 µs | **—** nobody else counts them | 0% |",
        "",
    ]


def test_a_row_that_varies_by_more_than_a_tenth_says_so(
    capsys: pytest.CaptureFixture[str],
) -> None:
    ours, peer = Timed.of([1.0, 1.02, 1.3]), Timed.of([2.0, 2.5, 9.0])
    row = Row.of("towers", ours, peer, "", "Peer A", "What is compared.")
    assert (row.ours_seconds, row.peer_seconds, row.ratio) == (1.0, 2.0, "2.00")
    show([row, ROWS[0]])
    varying, steady = capsys.readouterr().out.splitlines()[1:]
    assert "varies by 25%" in varying
    assert "varies" not in steady
    show_markdown([row])
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "What is compared."
    assert told[-2].endswith("| 25% ! |")


def test_works_are_timed_in_turns_and_who_begins_takes_turns() -> None:
    asked: list[str] = []

    def work(name: str, seconds: float) -> Callable[[], float]:
        return lambda: asked.append(name) or seconds

    ours, peer = in_turns([work("a", 1.0), work("b", 2.0)], rounds=3)
    assert asked == ["a", "b", "b", "a", "a", "b"]
    assert (ours.least, peer.least, ours.spread) == (1.0, 2.0, 0.0)


def test_what_is_timed_cold_is_forgotten_before_each_call() -> None:
    done: list[str] = []
    seconds = cold(lambda: done.append("work"), lambda: done.append("forget"))
    assert seconds >= 0
    assert done[:4] == ["forget", "work"] * 2
    assert done.count("forget") == done.count("work")


def test_the_heading_says_when_and_with_what() -> None:
    assert "Python 3." in heading()
    assert "castlelab 0." in heading()


def test_an_unknown_part_is_answered_in_words() -> None:
    command = [sys.executable, "-m", "benchmarks", "nonsense"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "there is no part 'nonsense'" in done.stderr


@pytest.mark.parametrize("part", PARTS)
def test_every_part_is_a_module(part: str) -> None:
    assert (ROOT / "benchmarks" / f"{part}.py").exists() or part == "pages"


def test_the_figures_are_told_with_how_to_repeat_them() -> None:
    page = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    assert "make bench" in page
    assert "peer ÷ ours" in page
    peers = "python-chess catanatron OpenSpiel PettingZoo RLCard scipy scikit-image networkx"
    for peer in peers.split():
        assert peer in page
    assert "CP-SAT" in page
    assert "import numpy" in page


@pytest.mark.parametrize("name", NAMES)
def test_chromium_is_found_under_any_of_its_names(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CASTLELAB_CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_chromium() is None
    program = tmp_path / (f"{name}.exe" if sys.platform == "win32" else name)
    program.touch(0o755)
    assert find_chromium() is not None
    assert Path(find_chromium() or "").samefile(program)
    monkeypatch.setenv("CASTLELAB_CHROMIUM", "/opt/own")
    assert find_chromium() == "/opt/own"
