"""A class at once: many visitors open a page and make moves, some of them in real browsers.

    python -m benchmarks.visitors [VISITORS] [--moves N] [--browsers N]

A visitor without a browser does what the page does: it loads the page, connects to its kernel,
and sends what a press of a key on the first board sends, each time the last one is answered.
Told are failures, times, memory for each visitor, and how soon all kernels are gone.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import statistics
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from tornado.httpclient import AsyncHTTPClient
from tornado.websocket import WebSocketClientConnection, websocket_connect

from benchmarks.pages import PAINTED, Server, chromium, opened

PAGES = ("castell", "castle_keep", "castle_rampage", "castlescape", "once_upon_a_castle")
PATIENCE = 180
CULL_AFTER = 30


@dataclass
class Visit:
    """What a visitor saw: the seconds until the page was live, and those of each move."""

    opening: float
    moves: list[float]


def canvas_of(html: str) -> str:
    """The canvas of the first board."""
    held = html.partition('<script id="castlelab-states" type="application/json">')[2]
    states: dict[str, Any] = json.loads(held.partition("</script>")[0])
    return next(model for model, state in states.items() if state["model_name"] == "CanvasModel")


async def visit(url: str, page: str, moves: int) -> Visit:
    """Open a page, press keys on its first board, and leave without a word."""
    start = time.monotonic()
    answer = await AsyncHTTPClient().fetch(
        f"{url}/voila/render/{page}.ipynb", request_timeout=PATIENCE
    )
    html = answer.body.decode()
    kernel = re.search(r'castlelab\.kernel\("([\w-]+)"\)', html)
    assert kernel is not None, "the page had not run in advance"
    canvas = canvas_of(html)
    line = await websocket_connect(
        f"{url.replace('http', 'ws')}/api/kernels/{kernel[1]}/channels?session_id={uuid4()}"
    )
    await tell(line, canvas, event="client_ready")
    opening = time.monotonic() - start
    took = []
    for number in range(moves):
        began = time.monotonic()
        held = dict.fromkeys(("shift_key", "ctrl_key", "meta_key"), False)
        await tell(line, canvas, event="key_down", key="Home" if number % 2 else "End", **held)
        took.append(time.monotonic() - began)
        await asyncio.sleep(0.5)  # nobody plays faster
    line.close()
    return Visit(opening, took)


async def tell(line: WebSocketClientConnection, canvas: str, **event: Any) -> None:
    """Send what ipycanvas sends of an event."""
    data = {"method": "custom", "content": event}
    await say(line, "comm_msg", {"comm_id": canvas, "data": data})


async def say(line: WebSocketClientConnection, kind: str, content: dict[str, Any]) -> None:
    """Send a message and wait until the kernel has dealt with it."""
    ident = uuid4().hex
    header = {"msg_id": ident, "msg_type": kind, "username": "", "session": "s", "version": "5.3"}
    parts = {"header": header, "parent_header": {}, "metadata": {}, "content": content}
    await line.write_message(json.dumps({**parts, "buffers": [], "channel": "shell"}))
    while True:
        heard = await asyncio.wait_for(line.read_message(), PATIENCE)
        assert heard is not None, "the line was cut"
        message = json.loads(heard) if isinstance(heard, str) else {}
        idle = message.get("content", {}).get("execution_state") == "idle"
        if idle and message["parent_header"].get("msg_id") == ident:
            return


def browse(url: str, page: str, moves: int) -> Visit:
    """The same in a real browser, with real keys."""
    with (
        chromium() as browser,
        opened(browser, f"{url}/voila/render/{page}.ipynb", PAINTED) as (
            tab,
            opening,
        ),
    ):
        tab.locator(".castlelab-board canvas").first.focus()
        where = tab.locator(".castlelab-where").first
        took = []
        for number in range(moves):
            before, began = where.inner_text(), time.monotonic()
            tab.keyboard.press("Home" if number % 2 else "End")
            while where.inner_text() == before and time.monotonic() - began < PATIENCE:
                tab.wait_for_timeout(20)
            took.append(time.monotonic() - began)
        return Visit(opening, took)


def kernels(server: Server) -> Iterator[int]:
    """The processes of a server's kernels."""
    mark = f"CASTLELAB_SERVER={server.process.pid}".encode()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (folder / "environ").read_bytes().split(b"\0"):
                yield int(folder.name)
        except OSError:
            continue


def megabytes(processes: list[int]) -> float:
    """Their memory; what they share is counted once."""
    total = 0
    for process in processes:
        try:
            told = Path(f"/proc/{process}/smaps_rollup").read_text()
        except OSError:
            continue
        total += int(re.search(r"^Pss: +(\d+)", told, re.MULTILINE)[1])  # type: ignore[index]
    return total / 1024


async def crowd(server: Server, visitors: int, moves: int, browsers: int) -> None:
    """Let them all come at the same time, and tell what happened."""
    waiting = list(kernels(server))
    before = megabytes([*waiting, server.process.pid])
    most = 0.0

    async def watch() -> None:
        nonlocal most
        while True:
            now = await asyncio.to_thread(lambda: megabytes([*kernels(server), server.process.pid]))
            most = max(most, now)
            await asyncio.sleep(2)

    watching = asyncio.create_task(watch())
    loop = asyncio.get_running_loop()
    with ThreadPoolExecutor(max(1, browsers)) as pool:
        coming: list[Any] = [
            loop.run_in_executor(pool, browse, server.url, PAGES[number % len(PAGES)], moves)
            for number in range(browsers)
        ]
        coming += [
            visit(server.url, PAGES[number % len(PAGES)], moves)
            for number in range(visitors - browsers)
        ]
        came = await asyncio.gather(*coming, return_exceptions=True)
    left = time.monotonic()
    watching.cancel()

    good = [one for one in came if isinstance(one, Visit)]
    for failure in (one for one in came if not isinstance(one, Visit)):
        print(f"failed: {failure!r}")
    print(f"{len(good)} of {visitors} visitors made {moves} moves; load {os.getloadavg()[0]:.1f}")
    for who, some in (("browsers", good[:browsers]), ("others", good[browsers:])):
        if some:
            opening = [one.opening for one in some]
            took = [move for one in some for move in one.moves]
            print(
                f"{who}: page live after {statistics.median(opening):.1f} s "
                f"(at most {max(opening):.1f} s), a move {statistics.median(took) * 1e3:.0f} ms "
                f"(95 in 100 within {statistics.quantiles(took, n=20)[-1] * 1e3:.0f} ms)"
            )
    print(f"memory: {before:.0f} MB before, {most:.0f} MB at most", end="; ")
    print(f"{(most - before) / visitors:.1f} MB for each visitor")

    while len(list(kernels(server))) > len(waiting) and time.monotonic() - left < 4 * CULL_AFTER:
        await asyncio.sleep(0.5)
    gone = len(list(kernels(server))) <= len(waiting)
    told = f"gone {time.monotonic() - left:.0f} s after they left" if gone else "NOT gone"
    print(f"kernels: all {told} (--cull-after {CULL_AFTER})")


def main() -> None:
    """Serve the pages and let the visitors come."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("visitors", type=int, nargs="?", default=30)
    parser.add_argument("--moves", type=int, default=20)
    parser.add_argument("--browsers", type=int, default=3)
    asked = parser.parse_args()
    with Server("castlelab", "serve", f"--cull-after={CULL_AFTER}") as server:
        server.wait_for("All pages are ready")
        asyncio.run(crowd(server, asked.visitors, asked.moves, min(asked.browsers, asked.visitors)))


if __name__ == "__main__":
    main()
