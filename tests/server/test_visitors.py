"""Kernels of visitors: copied when they come, ended when they go."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import resource
import signal
import socket
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from castle_site import Site, eventually, kernel_of, serving
from tornado.web import HTTPError
from tornado.websocket import WebSocketHandler

from castlelab.server import copies, kernel
from castlelab.server.copies import END_OF_BOARDS, CopyProcess, Original
from castlelab.server.front_end import ENTRY
from castlelab.server.static_files import StaticFiles
from castlelab.server.visitors import PAGES_EACH, Admission, Visitor, VisitorKernelManager
from castlelab.server.websocket import PageWebSocket

WELCOME = Path(__file__).parent / "pages"
#: Three seconds for a page to be heard of, instead of thirty.
IMPATIENT = """
from castlelab.server.visitors import VisitorKernelManager
VisitorKernelManager.arrive_within.default_value = 3.0
"""
needs_copies = pytest.mark.skipif(not copies.possible(), reason="this system copies no processes")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Room for two, and little patience."""
    flags = ("--max-visitors", "2", "--cull-after", "6")
    with serving(tmp_path_factory.mktemp("home"), *flags, folder=WELCOME) as server:
        yield server


def leave(site: Site, kernel_id: str) -> None:
    token = {"X-XSRFToken": site.cookies["_xsrf"]}
    assert site.ask(f"/voila/api/shutdown/{kernel_id}", "POST", headers=token).status == 204


@needs_copies
@pytest.mark.slow
def test_who_comes_when_all_seats_are_taken_is_asked_to_wait(site: Site) -> None:
    first, second, third = site.stranger(), site.stranger(), site.stranger()
    one, two = first.open(), second.open()
    assert one != two
    full = third.ask("/voila/render/welcome.ipynb")
    assert full.status == 503
    assert "All seats are taken" in full.body
    assert int(full.headers["retry-after"]) > 0
    assert 'http-equiv="refresh"' in full.body
    # A browser asks for the next page before it leaves the one it shows.
    next_one = first.open()
    leave(first, one)
    assert third.ask("/voila/render/welcome.ipynb").status == 503
    leave(first, next_one)
    three = third.open()
    leave(second, two)
    leave(third, three)


@needs_copies
@pytest.mark.slow
def test_of_those_who_come_together_only_as_many_as_have_seats_get_in(site: Site) -> None:
    crowd = [site.stranger() for _ in range(6)]
    with ThreadPoolExecutor(len(crowd)) as pool:
        answers = list(pool.map(lambda one: one.ask("/voila/render/welcome.ipynb"), crowd))
    assert sorted(answer.status for answer in answers) == [200] * 2 + [503] * 4
    for visitor, answer in zip(crowd, answers, strict=True):
        if answer.status == 200:
            leave(visitor, kernel_of(answer.body))


@needs_copies
@pytest.mark.slow
def test_nobody_has_pages_without_end(site: Site) -> None:
    """A seat is for one person, not for a thousand pages of theirs."""
    visitor = site.stranger()
    opened = [visitor.open() for _ in range(PAGES_EACH)]
    assert visitor.ask("/voila/render/welcome.ipynb").status == 503
    for kernel_id in opened:
        leave(visitor, kernel_id)


@needs_copies
@pytest.mark.slow
def test_a_kernel_that_no_page_speaks_with_ends(site: Site) -> None:
    kernel_id = site.open()
    assert eventually(lambda: not site.is_alive(kernel_id))
    # What stays: the first original, that of the page, and a copy that waits.
    assert eventually(lambda: len(site.kernels()) == 3)


@needs_copies
@pytest.mark.slow
def test_who_loads_a_page_slowly_keeps_the_seat(tmp_path: Path) -> None:
    """A page whose files take longer than we wait for its line is not given up meanwhile."""
    with serving(tmp_path, folder=WELCOME, start=IMPATIENT) as site:
        slow, gone = site.stranger(), site.stranger()
        kept, lost = slow.open(), gone.open()

        def both_wait() -> bool:
            assert slow.ask("/voila/templates/castlelab/static/castlelab.js").status == 200
            return gone.is_alive(lost)

        assert eventually(lambda: not both_wait())
        assert slow.is_alive(kept)


async def talk(site: Site, kernel_id: str, *messages: tuple[str, dict[str, Any]]) -> list[Any]:
    """Send messages on a kernel's shell channel; returns all that comes back until it is done."""
    heard = []
    async with site.line(kernel_id) as line:
        for number, (kind, content) in enumerate(messages):
            header = {"msg_id": f"{number}", "msg_type": kind, "session": "s", "username": ""}
            message = {"header": header, "parent_header": {}, "metadata": {}, "content": content}
            await line.write_message(json.dumps({**message, "channel": "shell", "buffers": []}))
            awaited = {"idle", "reply"}  # in either order: they come by different sockets
            while awaited:
                answer = json.loads(await asyncio.wait_for(line.read_message(), 60))
                heard.append(answer)
                if answer["parent_header"].get("msg_id") == f"{number}":
                    awaited.discard(answer["content"].get("execution_state", ""))
                    awaited.discard(answer["msg_type"].rpartition("_")[2])
    return heard


@needs_copies
@pytest.mark.slow
def test_a_copy_has_the_widgets_of_its_page(site: Site) -> None:
    page = site.ask("/voila/render/welcome.ipynb").body
    held = page.partition('<script id="castlelab-states" type="application/json">')[2]
    states = json.loads(held.partition("<")[0])["states"]
    kernel_id = page.partition('castlelab.kernel("')[2].partition('"')[0]
    question = {"target_name": "jupyter.widget"}
    heard = asyncio.run(talk(site, kernel_id, ("comm_info_request", question)))
    told = next(one for one in heard if one["msg_type"] == "comm_info_reply")
    assert set(told["content"]["comms"]) == set(states)
    leave(site, kernel_id)


@needs_copies
@pytest.mark.slow
def test_a_page_brings_its_front_end_along(site: Site) -> None:
    page = site.ask("/voila/render/welcome.ipynb").body
    address = page.partition('castlelab.run("/voila/static/v-')[2].partition('"')[0]
    answer = site.ask(f"/voila/static/v-{address}")
    assert answer.status == 200
    assert "immutable" in answer.headers["cache-control"]
    assert "webpackChunk" in answer.body
    assert page.index("front-end-") < page.index('"rendered_cells"'), "on its way soon"
    leave(site, page.partition('castlelab.kernel("')[2].partition('"')[0])
    assert page.rindex("front-end-") < page.rindex(f"/{ENTRY}"), "there before it is needed"


@needs_copies
@pytest.mark.slow
def test_a_lost_original_is_made_anew(site: Site) -> None:
    """With all kernels killed, the next visitor has to wait for a page, but gets one."""
    for process in site.kernels():
        os.kill(process, signal.SIGKILL)
    assert eventually(lambda: not site.kernels())
    answers = [site.ask("/voila/render/welcome.ipynb") for _ in range(2)]
    assert [answer.status for answer in answers] == [200, 200]
    assert "castlelab.again()" in answers[0].body or "kernelId" in answers[0].body
    assert eventually(lambda: "castlelab.kernel(" in site.ask("/voila/render/welcome.ipynb").body)


@needs_copies
@pytest.mark.slow
def test_no_kernel_outlives_its_server(tmp_path: Path) -> None:
    with serving(tmp_path, folder=WELCOME) as server:
        server.open()
        assert server.kernels()
        server.process.kill()
        server.process.wait(30)
        assert eventually(lambda: not server.kernels(), within=20)


def test_a_message_in_the_older_format_is_passed_on_as_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Read in the newer format, this one would be 216 million parts long."""
    sent: list[Any] = []
    monkeypatch.setattr(WebSocketHandler, "write_message", lambda _, *told: sent.append(told[0]))
    line = PageWebSocket.__new__(PageWebSocket)
    monkeypatch.setattr(PageWebSocket, "selected_subprotocol", None)
    monkeypatch.setattr(PageWebSocket, "is_open", True)
    for message in (b"\0\0\0\x0d" + b"\0" * 60, '{"msg_type": "status"}', '{"a": "execute_input"}'):
        line.write_message(message, isinstance(message, bytes))
    assert sent == [b"\0\0\0\x0d" + b"\0" * 60, '{"msg_type": "status"}']


def test_a_page_is_packed_once_and_ended_for_each_visitor() -> None:
    told = '{"kernelId": "old-kernel"}'
    html = f"<script>{told}</script><p>old-kernel</p>{END_OF_BOARDS}<script>start()</script>"
    original = Original("old-kernel", "", html, '{"a": {"state": {"value": "</script>"}}}')
    for packed in (False, True):
        for kernel_id in ("one", "two"):
            sent = original.body(packed) + original.end(kernel_id, packed)
            page = (gzip.decompress(sent) if packed else sent).decode()
            assert f'castlelab.kernel("{kernel_id}")' in page
            assert page.endswith("<script>start()</script>")
            assert "old-kernel" not in page
            assert page.count("</script>") == 4  # none that came with the states
    assert b"again()" in original.end(None, packed=False)
    with pytest.raises(zlib.error):
        zlib.decompress(original.body(packed=True)[:20])


@needs_copies
def test_a_socket_is_seen_only_once_it_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Slow(socket.socket):
        def listen(self, *backlog: int) -> None:
            assert not path.exists(), "whoever asked now would be refused"
            super().listen(*backlog)

    path = tmp_path / "original"
    monkeypatch.setattr(socket, "socket", Slow)
    with kernel.listening_at(str(path)), socket.socket(socket.AF_UNIX) as visitor:
        visitor.connect(str(path))


@needs_copies
def test_a_process_is_held_by_its_descriptor() -> None:
    process = os.fork()
    if process == 0:
        signal.pause()
    copy = CopyProcess(process)
    assert copy.poll() is None
    copy.kill()
    assert copy.wait() == 0
    os.waitpid(process, 0)
    assert copy.poll() == 0
    copy.kill()  # no more than with any process that has ended


@needs_copies
def test_a_process_that_has_ended_is_held_no_longer() -> None:
    process = os.fork()
    if process == 0:
        os._exit(0)
    copy = CopyProcess(process)
    os.waitpid(process, 0)
    before = len(list(Path("/proc/self/fd").iterdir()))
    assert copy.poll() == 0
    assert len(list(Path("/proc/self/fd").iterdir())) == before - 1


@needs_copies
def test_a_process_can_be_held_beside_a_thousand_open_files() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < 2_000:
        pytest.skip("this system allows no more than a thousand open files")
    process = os.fork()
    if process == 0:
        signal.pause()
    resource.setrlimit(resource.RLIMIT_NOFILE, (2_000, hard))
    opened = [os.open(os.devnull, os.O_RDONLY) for _ in range(1_100)]
    try:
        copy = CopyProcess(process)
        assert copy.poll() is None
        copy.kill()
        assert copy.wait() == 0
    finally:
        for file in opened:
            os.close(file)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        os.waitpid(process, 0)


def test_one_kernel_that_is_gone_keeps_no_other_from_ending(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    manager, ended = VisitorKernelManager(abandon_after=0.02), []

    async def shut_down(kernel_id: str) -> None:
        if kernel_id == "gone":
            raise HTTPError(404)
        ended.append(kernel_id)

    monkeypatch.setattr(manager, "abandoned", lambda now: ["gone", "left"])
    monkeypatch.setattr(manager, "list_kernel_ids", lambda: ["gone", "open"])
    monkeypatch.setattr(manager, "shutdown_kernel", shut_down)

    async def watch_and_stop() -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(manager.watch(), 0.3)
        await manager.shutdown_all()

    asyncio.run(watch_and_stop())
    assert ended.count("left") > 1
    assert ended[-1] == "open"


def test_a_seat_is_kept_from_page_to_page() -> None:
    manager = VisitorKernelManager()
    blue, orange = Visitor("blue", "192.0.2.1"), Visitor("orange", "192.0.2.2")
    assert manager.admission(blue, 1) is Admission.FREE
    with manager.arrival(blue):
        assert manager.admission(orange, 1) is Admission.FULL
        assert manager.admission(blue, 1) is Admission.FREE
        assert manager.seats() == {"blue": 1}
    assert manager.admission(orange, 1) is Admission.FREE


def test_one_address_has_a_share_of_the_seats_on_the_way() -> None:
    """Who only asks for pages cannot take the seats of those who play."""
    manager = VisitorKernelManager()
    with ExitStack() as coming:
        for number in range(10):
            assert manager.admission(Visitor(f"a{number}", "192.0.2.1"), 40) is Admission.FREE
            coming.enter_context(manager.arrival(Visitor(f"a{number}", "192.0.2.1")))
        assert manager.admission(Visitor("a10", "192.0.2.1"), 40) is Admission.CROWDED
        assert manager.admission(Visitor("b", "192.0.2.2"), 40) is Admission.FREE
        assert manager.admission(Visitor("a3", "192.0.2.1"), 40) is Admission.FREE  # who is here


def test_a_shelf_hands_out_scripts_and_nothing_else(tmp_path: Path) -> None:
    shown = tmp_path / "shown"
    shown.mkdir()
    for name in ("a.js", "b.py", ".hidden.js"):
        (shown / name).write_text("const a = 1")
    (tmp_path / "beside.js").write_text("secret")
    files = StaticFiles(lambda: [str(shown)])
    assert gzip.decompress(files.find("a.js").packed) == b"const a = 1"
    (shown / "a.js").write_text("other")
    assert files.find("a.js").content == b"const a = 1"  # it was read once
    for name in (
        "b.py",
        ".hidden.js",
        "../beside.js",
        "x/../../beside.js",
        "..\\beside.js",
        "/a.js",
        f"{'a' * 300}.js",
    ):
        with pytest.raises(KeyError):
            files.find(name)
