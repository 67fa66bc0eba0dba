"""Pages in a real browser: until the first picture is seen and the first board lives, and from a
click to the picture, in a lesson and at the table of every game.

The peers are bare Voilà pages, served with kernels that are ready: one with a single slider, and
one with an ipycanvas, as large as a table of ours, that paints a rectangle at every click. The
pages take turns, each twice in a browser of its own: without a cache, and again with what the
first visit left there; the median is told, and the least and the most. All times are taken inside
the page. ``slow_pages`` does the same over a slow line.
"""

from __future__ import annotations

import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from typing import Any, NamedTuple

from benchmarks.browser import find_chromium
from benchmarks.table import Row, show
from castlelab import GAMES, load
from castlelab.bots import Greedy
from castlelab.chance import Chance
from castlelab.record import Record
from castlelab.widgets.table.sitting import Sitting

TURNS = 9
SETTLED = 2000  # milliseconds after which a page has asked for all that it keeps
VISITS = ("", ", again")  # what a row says of a visit: the first, and the second one
CLICKS = 30
NARROW = 400
MIDDLE = 20  # moves after which a table is measured
PAGES = ("welcome", "castell", "castlescape")
SLIDER = "import ipywidgets\nipywidgets.IntSlider()"
PAINTER = """\
from ipycanvas import Canvas
canvas = Canvas(width=1760, height=1280, layout={"width": "880px", "height": "640px"})
def paint(x, y):
    canvas.fill_style = "#123456" if canvas.fill_style == "#654321" else "#654321"
    canvas.fill_rect(0, 0, 1760, 1280)
canvas.on_mouse_down(paint)
canvas.on_client_ready(lambda: paint(0, 0))
canvas"""

#: Says in ``window.seen``, by name, after how many milliseconds each thing was there, looked for at
#: every frame; and in ``window.shift`` how far what was seen has moved by itself.
WATCH = """
  window.seen = Promise.all(Object.entries({%s}).map(([name, isThere]) => new Promise(tell => {
    const look = () => {
      if (isThere()) tell([name, performance.now()]);
      else requestAnimationFrame(look);
    };
    look();
  }))).then(Object.fromEntries);
  window.shift = 0;
  new PerformanceObserver(shifts => {
    for (const { value, hadRecentInput } of shifts.getEntries()) {
      if (!hadRecentInput) window.shift += value;
    }
  }).observe({ type: 'layout-shift', buffered: true });
"""
SLIDER_IS_THERE = "document.querySelector('.noUi-handle')?.offsetParent"
#: The picture that stands in for a board, or a board that was quicker.
PICTURED = """(picture => picture && picture.offsetParent && (picture.complete ?? true))(
  document.querySelector('.castlelab-picture, [class^=castlelab-still] img, canvas'))"""
PAINTED = """(canvas => canvas && canvas.offsetParent && canvas.width > 1
  && canvas.getContext('2d').getImageData(canvas.width / 2, 4, 1, 1).data[3] > 0
)(document.querySelector('canvas'))"""

#: Notes when something was last drawn. What was drawn is never read: that takes longer.
NOTE_DRAWING = """
  for (const act of ['clearRect', 'fillRect', 'fill', 'stroke', 'fillText', 'drawImage']) {
    const draw = CanvasRenderingContext2D.prototype[act];
    CanvasRenderingContext2D.prototype[act] = function (...parts) {
      draw.apply(this, parts);
      window.drawn = performance.now();
    };
  }
"""
#: Resolves with the milliseconds from a press to the end of the drawing that it leads to.
CLICK = """([x, y]) => new Promise(tell => {
  const canvas = document.querySelector('canvas');
  const box = canvas.getBoundingClientRect();
  const place = { clientX: box.left + x * box.width, clientY: box.top + y * box.height,
                  bubbles: true, cancelable: true, button: 0, buttons: 1 };
  const start = performance.now();
  const look = () => {
    const now = performance.now();
    if (window.drawn > start && now - window.drawn > 100) tell(window.drawn - start);
    else if (now - start > 5000) tell(null);
    else setTimeout(look, 10);
  };
  canvas.dispatchEvent(new MouseEvent('mousedown', place));
  canvas.dispatchEvent(new MouseEvent('mouseup', place));
  setTimeout(look, 10);
})"""


def notebook(source: str) -> str:
    """A notebook of one cell."""
    spec = {"name": "python3", "language": "python", "display_name": "Python 3"}
    cell = {
        "cell_type": "code",
        "id": "only",
        "source": source,
        "metadata": {},
        "outputs": [],
        "execution_count": None,
    }
    page = {"cells": [cell], "metadata": {"kernelspec": spec}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(page)


class Server:
    """A server of pages, and what it says."""

    def __init__(self, *command: str) -> None:
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        self.process = subprocess.Popen(
            [sys.executable, "-m", *command, "--no-browser", f"--port={port}"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._said: Queue[str] = Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for line in self.process.stdout or ():
            self._said.put(line)

    def wait_for(self, words: str) -> None:
        """Wait until it says something, from here on."""
        while words not in self._said.get(timeout=300):
            pass

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait(60)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@contextmanager
def chromium() -> Iterator[Any]:
    """The browser of this machine."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        yield browser
        browser.close()


class Line(NamedTuple):
    """What lies between a browser and a server. WebSockets pass it as if there were nothing."""

    latency: float  # milliseconds until an answer begins
    megabits: float  # a second, each way


def watching(looks: Mapping[str, str]) -> str:
    """A script that waits for things to be there; each is an expression."""
    return WATCH % ", ".join(f"{name}: () => {there}" for name, there in looks.items())


@contextmanager
def opened(browser: Any, address: str, there: str) -> Iterator[Any]:
    """A page in a browser without a cache, once something is there."""
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(watching({"there": there}) + NOTE_DRAWING)
    page.goto(address, wait_until="commit")
    page.evaluate("window.seen")
    yield page
    page.goto("about:blank")  # only then does the page say that it is left
    context.close()


def visits(
    browser: Any, address: str, looks: Mapping[str, str], line: Line | None = None
) -> Iterator[dict[str, float]]:
    """Visit a page twice: seconds until each thing is there, and how far the page has shifted."""
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(watching(looks))
    if line:
        emulate(context.new_cdp_session(page), line)
    for _ in VISITS:
        page.goto(address, wait_until="commit")
        seen = page.evaluate("window.seen")
        page.wait_for_timeout(SETTLED)
        shift = page.evaluate("window.shift")
        page.goto("about:blank")
        yield {name: milliseconds / 1000 for name, milliseconds in seen.items()} | {"shift": shift}
    context.close()


def emulate(session: Any, line: Line) -> None:
    """Let a page's requests go over a line."""
    throughput = line.megabits * 1e6 / 8
    conditions = {
        "offline": False,
        "latency": line.latency,
        "downloadThroughput": throughput,
        "uploadThroughput": throughput,
    }
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", conditions)


def rows() -> Iterator[Row]:
    """Each page against the bare slider, then clicks against the bare painter."""
    with served() as (ours, peer), chromium() as browser:
        yield from first_boards(browser, ours, peer)
        yield clicks(browser, ours, peer)
        for width in (None, NARROW):
            for name in GAMES:
                yield table_clicks(browser, ours, peer, name, width)


@contextmanager
def served() -> Iterator[tuple[Server, Server]]:
    """Our server and the peer, all pages ready."""
    with tempfile.TemporaryDirectory() as folder:
        for name, source in (("slider", SLIDER), ("painter", PAINTER)):
            Path(folder, f"{name}.ipynb").write_text(notebook(source))
        bare = ("voila", folder, "--preheat_kernel=True", "--pool_size=1")
        with Server("castlelab", "serve") as ours, Server(*bare) as peer:
            ours.wait_for("All pages are ready")
            yield ours, peer


def first_boards(
    browser: Any, ours: Server, peer: Server, line: Line | None = None
) -> Iterator[Row]:
    """From the beginning of the navigation to the first picture and board, or to the slider."""
    slider = f"{peer.url}/voila/render/slider.ipynb"
    looks = {"picture": PICTURED, "board": PAINTED}
    took: defaultdict[tuple[str, str, str], list[float]] = defaultdict(list)
    for _ in range(TURNS):
        bare = visits(browser, slider, {"slider": SLIDER_IS_THERE}, line)
        for visit in VISITS:
            peer.wait_for("slider.ipynb is filled")  # its kernel is ready, too
            time.sleep(1)
            took["slider", "", visit].append(next(bare)["slider"])
        next(bare, None)
        for name in PAGES:
            address = f"{ours.url}/voila/render/{name}.ipynb"
            for visit, seen in zip(VISITS, visits(browser, address, looks, line), strict=True):
                for look, measured in seen.items():
                    took[look, name, visit].append(measured)
    for visit in VISITS:
        slider_times = took["slider", "", visit]
        for look in looks:
            for name in PAGES:
                note = f"{_spread(took[look, name, visit])}; bare slider {_spread(slider_times)}"
                if look == "board":
                    note += f"; shift {max(took['shift', name, visit]):.3f}"
                ours_took = statistics.median(took[look, name, visit])
                bare_took = statistics.median(slider_times)
                row = f"first {look}{visit}: {name}"
                yield Row(row, ours_took, bare_took, f"{note}; {_load()}")


def _spread(times: Sequence[float]) -> str:
    return f"{min(times):.2f}–{max(times):.2f} s"


def clicks(browser: Any, ours: Server, peer: Server) -> Row:
    """From a press of the mouse to another picture; the places change, so the picture does."""
    places = (0.36, 0.93), (0.49, 0.93)
    return _clicks(browser, f"{ours.url}/voila/render/castell.ipynb", peer, places, "castell")


def table_clicks(
    browser: Any, ours: Server, peer: Server, name: str, width: int | None = None
) -> Row:
    """The same at a table in the middle of a game: something is picked, and put back again."""
    record, place = _to_pick(name, is_narrow=width is not None)
    query = Sitting(record, {1: "greedy"}).query
    address = f"{ours.url}/voila/render/play.ipynb?{query}"
    told = f"a table of {name}" + (f", {width} px" if width else "")
    return _clicks(browser, address, peer, (place, place), told, width)


def _to_pick(name: str, *, is_narrow: bool = False) -> tuple[Record, tuple[float, float]]:
    """A moment of a game, and where its picture has what can be picked before it is used."""
    record, chance = Record.start(load(name), 3), Chance.seeded(5)
    while True:
        state = record.state
        if len(record.moves) >= MIDDLE and state.to_move == 0:
            scene = state.view(0).picture().fitted(is_narrow)
            for offer in state.point(()).offers:
                meant = state.point((offer,)), state.point((offer, offer))
                is_put_back = all(each.move is None and each.offers for each in meant)
                if is_put_back and (target := scene.target(offer)) is not None:
                    x, y = target.centre
                    return record, (x / scene.width, y / scene.height)
        move, chance = Greedy().choose(state, chance)
        record = record.play(move)


def _clicks(
    browser: Any,
    address: str,
    peer: Server,
    places: tuple[tuple[float, float], tuple[float, float]],
    name: str,
    width: int | None = None,
) -> Row:
    our_page = opened(browser, address, PAINTED)
    bare_page = opened(browser, f"{peer.url}/voila/render/painter.ipynb", PAINTED)
    took: tuple[list[float], list[float]] = ([], [])
    with our_page as board, bare_page as canvas:
        for page in (board, canvas) if width else ():
            page.set_viewport_size({"width": width, "height": 2 * width})
        board.wait_for_timeout(3000)  # until the rest of the page is there, too
        for turn in range(CLICKS):
            for page, times in zip((board, canvas), took, strict=True):
                page.bring_to_front()
                times.append(page.evaluate(CLICK, places[turn % 2]) / 1000)
    medians = map(statistics.median, took)
    return Row(f"click to picture: {name}", *medians, f"bare ipycanvas, a rectangle; {_load()}")


def _load() -> str:
    return f"load {os.getloadavg()[0]:.1f}"


if __name__ == "__main__":
    show(rows())
