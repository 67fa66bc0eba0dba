"""Somebody who wants to freeze or fill the server holds up nobody else."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from castle_site import PATIENCE, Site, channels, eventually, serving
from test_frames import newer as newer_frame
from tornado.websocket import WebSocketClosedError, websocket_connect

from castlelab.server import copies
from castlelab.server.frames import LONGEST_FRAME

WELCOME = Path(__file__).parent / "pages"
NEWER = "v1.kernel.websocket.jupyter.org"
HTTP = "HTTP/1.1\r\nHost: localhost\r\n"
PAGE = "/voila/render/welcome.ipynb"
#: Half-sent requests are given this many seconds instead of thirty, so that tests need not wait.
HASTY = "from castlelab.server import page_server as s; s.SLOWEST_HEADERS = s.SLOWEST_BODY = 1.0"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not copies.possible(), reason="this system copies no processes"),
]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    flags = ("--max-visitors", "40", "--cull-after", "8")
    home = tmp_path_factory.mktemp("home")
    with serving(home, *flags, folder=WELCOME, start=HASTY) as server:
        yield server


def memory(site: Site) -> int:
    """The bytes that the server has in memory."""
    pages = int(Path(f"/proc/{site.process.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def lines_said(site: Site) -> list[str]:
    """What the server has said since it was last asked."""
    said = []
    while not site.lines.empty():
        said.append(site.lines.get())
    return said


def attack(site: Site, kernel_id: str, *frames: str | bytes, newer: bool = True) -> int | None:
    """Send something on a line of one's own; returns the code with which it is closed, if any."""

    async def send_all() -> int | None:
        address = f"ws{site.url.removeprefix('http')}{channels(kernel_id)}"
        line = await websocket_connect(address, subprotocols=[NEWER] if newer else [])
        with suppress(WebSocketClosedError):
            for frame in frames:
                await line.write_message(frame, binary=isinstance(frame, bytes))
        while await asyncio.wait_for(line.read_message(), PATIENCE) is not None:
            pass
        line.close()
        return line.close_code

    return asyncio.run(send_all())


@pytest.mark.parametrize(
    ("frame", "newer"),
    [
        ((10**8).to_bytes(8, "little"), True),
        ((9 * 10**18).to_bytes(8, "little"), True),
        (b"", True),
        (bytes.fromhex("7fffffff"), False),
        ("[" * 100_000, False),
        ("{}", False),
    ],
    ids=["1e8 parts", "9e18 parts", "nothing", "old count", "nested", "no header"],
)
def test_a_malformed_frame_closes_its_own_line_and_holds_up_nobody(
    site: Site, frame: str | bytes, newer: bool
) -> None:
    visitor = site.stranger()
    kernel_id = visitor.open()
    lines_said(site)
    before = memory(site)
    assert attack(site, kernel_id, frame, newer=newer) == 1007
    assert site.stranger().ask("/nothing").status == 404
    assert visitor.is_alive(kernel_id)
    assert visitor.ring(kernel_id) == 101  # another line to the same kernel
    assert memory(site) - before < 50 << 20
    told: list[str] = []

    def has_told() -> bool:
        told.extend(line for line in lines_said(site) if line.strip())
        return bool(told)

    assert eventually(has_told)  # a busy server's line comes when it comes
    assert len(told) == 1
    assert told[0].startswith("line of 127.0.0.1 closed: it ")


def test_a_frame_without_end_is_not_read(site: Site) -> None:
    kernel_id = site.stranger().open()
    before = memory(site)
    assert attack(site, kernel_id, bytes(LONGEST_FRAME + 1)) in (None, 1006, 1009)
    assert memory(site) - before < 4 * LONGEST_FRAME
    assert site.stranger().ask("/nothing").status == 404


def test_a_flood_of_messages_is_stopped(site: Site) -> None:
    """Each of them would be passed on; so many of them no page sends."""
    kernel_id = site.stranger().open()
    assert attack(site, kernel_id, *[newer_frame(b"x" * (LONGEST_FRAME // 2))] * 20) == 1008
    assert site.stranger().ask("/nothing").status == 404


def send(site: Site, text: str) -> socket.socket:
    """Begin a request by hand, and leave it at that."""
    place = urlsplit(site.url)
    opened = socket.create_connection((place.hostname, place.port), timeout=PATIENCE)
    opened.sendall(text.encode())
    return opened


def hear(opened: socket.socket) -> str:
    """What is answered until the other side hangs up."""
    said = b""
    with opened:
        try:
            while part := opened.recv(1 << 16):
                said += part
        except ConnectionResetError:
            pass
    return said.decode(errors="replace")


@pytest.mark.parametrize(
    "head",
    [
        f"POST /password {HTTP}Content-Length: 104000000\r\n\r\n",
        f"POST /password {HTTP}Transfer-Encoding: chunked\r\n\r\n100000\r\n{'x' * 0x100000}\r\n",
        f"GET / {HTTP}X-Long: {'x' * 100_000}\r\n\r\n",
        f"GET / {HTTP}{'X: y' * 20_000}",
    ],
    ids=["body", "chunks", "header", "headers without end"],
)
def test_what_is_too_long_is_not_kept(site: Site, head: str) -> None:
    before = memory(site)
    answer = hear(send(site, head))
    assert re.match(r"HTTP/1.1 4\d\d |$", answer)
    assert memory(site) - before < 20 << 20
    assert site.stranger().ask("/nothing").status == 404


@pytest.mark.parametrize(
    "half",
    [
        "",
        "GET / HTTP/1.1\r\nHost: lo",
        f"POST /password {HTTP}Content-Length: 50\r\n\r\npass",
    ],
    ids=["nothing", "half a head", "half a body"],
)
def test_half_a_request_is_not_waited_for(site: Site, half: str) -> None:
    """All of them are hung up on, and meanwhile others are served."""
    opened = [send(site, half) for _ in range(200)]
    assert site.stranger().ask("/nothing").status == 404
    for one in opened:
        assert "200 OK" not in hear(one)


def test_whoever_only_asks_takes_a_share_of_the_seats_for_a_while(site: Site) -> None:
    """Sixty requests without cookies, as one would send them from a script."""
    crowd = [site.stranger() for _ in range(60)]
    assert eventually(lambda: not site.visitors())
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda one: one.ask(PAGE), crowd))
    let_in = [answer for answer in answers if answer.status == 200]
    assert 1 <= len(let_in) <= 10
    waiting = next(answer for answer in answers if answer.status == 503)
    assert "opens by itself" in waiting.body
    neighbour = site.stranger("127.0.0.2")
    assert neighbour.ask(PAGE).status == 200
    # None of them ever opened a line: their seats come free by themselves.
    assert eventually(lambda: not site.visitors())


def test_refused_lines_are_one_line_each_in_the_log(site: Site) -> None:
    kernel_id = site.stranger().open()
    nobody = "00000000-0000-0000-0000-000000000000"
    lines_said(site)
    assert site.ring(nobody) == 404
    assert site.ring(kernel_id, Origin="http://evil.example") == 403
    assert site.ask(channels(kernel_id)).status == 400
    assert eventually(lambda: site.lines.qsize() >= 3)
    told = lines_said(site)
    assert len(told) == 3
    assert all(line.startswith("line refused to 127.0.0.1: HTTP 4") for line in told)


def test_what_was_killed_comes_back_by_itself(site: Site) -> None:
    """With nobody there to ask for it: the first original, that of the page, and a copy."""
    assert eventually(lambda: not site.visitors() and len(site.kernels()) == 3)
    before = set(site.kernels())
    for process in before:
        os.kill(process, signal.SIGKILL)
    assert eventually(lambda: len(set(site.kernels()) - before) == 3)
    # While the page itself is still running, another kernel runs it for whoever asks.
    assert eventually(lambda: "castlelab.kernel(" in site.ask(PAGE).body)
