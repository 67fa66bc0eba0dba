"""A real `castlelab serve` for tests that ask it things."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from queue import Queue
from urllib.parse import urlsplit

from tornado.websocket import WebSocketClientConnection, websocket_connect

_START = """
import sys
from pathlib import Path
from castlelab import cli
from castlelab.server import pages
{}
sys.exit(cli.main(["serve", *sys.argv[1:]]))
"""
_RINGING = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Key": "Y2FzdGxlbGFiIGNhc3RsZQ==",
    "Sec-WebSocket-Version": "13",
}
PATIENCE = 120  # seconds; two busy cores are slow


@dataclass
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    body: str


@dataclass
class Site:
    """A running server: its address, its process, and the lines that it says."""

    url: str
    process: subprocess.Popen[str]
    lines: Queue[str] = field(default_factory=Queue)
    cookies: dict[str, str] = field(default_factory=dict)
    address: str = "127.0.0.1"  # from which it is asked
    said: list[str] = field(default_factory=list)  # until it said where it is

    def ask(
        self,
        path: str,
        method: str = "GET",
        body: str | None = None,
        headers: dict[str, str] | None = None,
        patience: float = PATIENCE,
    ) -> Answer:
        """Send a path as it is written, which no browser would; cookies are kept."""
        connection = http.client.HTTPConnection(
            urlsplit(self.url).netloc, timeout=patience, source_address=(self.address, 0)
        )
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        sent = {"Cookie": cookie, **(headers or {})}
        with closing(connection):
            told = {name: text for name, text in sent.items() if text}
            connection.request(method, path, body, told)
            answer = connection.getresponse()
            text = answer.read().decode(errors="replace")
        for name, value in answer.getheaders():
            if name.lower() == "set-cookie":
                key, _, rest = value.partition("=")
                self.cookies[key] = rest.partition(";")[0]
        heard = {name.lower(): value for name, value in answer.getheaders()}
        return Answer(answer.status, heard, text)

    def ring(self, kernel_id: str, **headers: str) -> int:
        """Ask for a line to a kernel, as a page does; returns the status: 101 if it is given."""
        return self.ask(channels(kernel_id), headers={**_RINGING, **headers}).status

    @asynccontextmanager
    async def line(self, kernel_id: str) -> AsyncIterator[WebSocketClientConnection]:
        """A line to a kernel; hung up, and the other side heard to do so, at the end."""
        line = await websocket_connect(f"ws{self.url.removeprefix('http')}{channels(kernel_id)}")
        try:
            yield line
        finally:
            line.close()
            while await asyncio.wait_for(line.read_message(), PATIENCE) is not None:
                pass  # what was still under way

    def stranger(self, address: str = "127.0.0.1") -> Site:
        """The same server, seen from a browser that was never here."""
        return replace(self, cookies={}, address=address)

    def open(self, page: str = "welcome.ipynb") -> str:
        """Open a page, as a visitor; returns the id of its kernel."""
        answer = self.ask(f"/voila/render/{page}")
        assert answer.status == 200
        return kernel_of(answer.body)

    def is_alive(self, kernel_id: str) -> bool:
        return self.ask(f"/api/kernels/{kernel_id}").status == 200

    def wait_for(self, words: str) -> str:
        """Wait until it says something; returns the line."""
        while words not in (line := self.lines.get(timeout=PATIENCE)):
            pass
        return line

    def visitors(self) -> int:
        """How many kernels there are beside those that are kept: the first, originals, copies."""
        return max(0, len(self.kernels()) - 3)

    def kernels(self) -> list[int]:
        """The processes of all kernels of this server."""
        mark = f"CASTLELAB_SERVER={self.process.pid}".encode()
        return [
            int(folder.name)
            for folder in Path("/proc").iterdir()
            if folder.name.isdigit() and mark in _environment(folder)
        ]


def _environment(process: Path) -> list[bytes]:
    try:
        return (process / "environ").read_bytes().split(b"\0")
    except OSError:
        return []


def channels(kernel_id: str) -> str:
    return f"/api/kernels/{kernel_id}/channels"


def kernel_of(html: str) -> str:
    """The kernel that a page speaks with."""
    by_script = re.search(r'castlelab\.kernel\("([\w-]+)"\)', html)
    if by_script:
        return by_script[1]
    settings = re.search(r'id="jupyter-config-data"[^>]*>(.*?)</script>', html, re.DOTALL)
    assert settings is not None
    return str(json.loads(settings[1])["kernelId"])


@contextmanager
def serving(
    home: Path,
    *flags: str,
    folder: Path | None = None,
    ready: bool = True,
    start: str = "",
    **environment: str,
) -> Iterator[Site]:
    """A server with a home of its own, once its pages are ready; on few pages, if told so.

    ``start`` is code that it runs first.
    """
    if folder:
        start = f"pages.PACKAGED = Path({str(folder)!r})\n{start}"
    process = subprocess.Popen(
        [sys.executable, "-c", _START.format(start), "--no-browser", "--port=0", *flags],
        cwd=home,
        env={**os.environ, "IPYTHONDIR": str(home), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    site = Site("", process)
    listener = threading.Thread(target=_listen, args=(site,), daemon=True)
    listener.start()
    try:
        while not site.url:
            site.said.append(line := site.lines.get(timeout=PATIENCE))
            if found := re.search(r"castlelab is at (http://\S+?)/? ", line):
                site.url = found[1]
        if ready:
            site.wait_for("All pages are ready")
        yield site
    finally:
        process.terminate()
        process.wait(30)
        listener.join(30)
        process.stdout.close()  # type: ignore[union-attr]


def _listen(site: Site) -> None:
    for line in site.process.stdout or ():
        site.lines.put(line)


def eventually(happened: Callable[[], bool], within: float = PATIENCE) -> bool:
    """Whether something comes to pass in time; returns as soon as it does."""
    end = time.monotonic() + within
    while not happened():
        if time.monotonic() > end:
            return False
        time.sleep(0.2)
    return True
