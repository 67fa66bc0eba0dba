"""Settings for every test, and servers for those that ask for one."""

from __future__ import annotations

import gc
import os
import queue
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import EntryPoint
from pathlib import Path

import comm
import pytest
from hypothesis import settings

import castlelab
from castlelab.system import entry_points

# The same examples on every run, and no stop-watch: machines that run tests are busy.
settings.register_profile("castlelab", deadline=None, derandomize=True)
settings.load_profile("castlelab")

# Every conftest.py is a module named conftest, so looking for doctests in them mixes them up.
collect_ignore_glob = ["conftest.py", "*/conftest.py"]
if sys.platform != "linux":
    # The page server is tried where it forks: these tests look at processes through /proc.
    collect_ignore_glob.append("server/*")
if sys.platform == "win32":
    collect_ignore_glob.append("test_binder.py")  # Binder builds with the shell of Linux


@pytest.fixture(scope="module", autouse=True)
def _leave_nothing_open() -> Iterator[None]:
    """A file or a line left open is an error: of the module that did it, not of a later one.

    What lives on after that, such as thousands of tests and what is cached, is not looked at again.
    """
    gc.freeze()
    yield
    gc.collect()


@pytest.fixture(autouse=True)
def _no_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Widgets talk to nobody, also after somebody imported ipykernel.

    ipykernel puts its own lines in the place of these when it is imported, and a widget whose line
    has no kernel sends nothing: what a test sees would hang on the tests before it.
    """
    monkeypatch.setattr(comm, "create_comm", comm.DummyComm)
    manager = comm.base_comm.CommManager()
    monkeypatch.setattr(comm, "get_comm_manager", lambda: manager)


#: Announce a game by its load name and the place of its class.
AddGame = Callable[[str, str], None]


@pytest.fixture
def add_game(monkeypatch: pytest.MonkeyPatch) -> AddGame:
    """Announce a game as the entry points of another package do, for one test."""

    def add(name: str, place: str) -> None:
        point = EntryPoint(name, place, entry_points.GAMES)
        monkeypatch.setattr(entry_points, "announced", lambda group: {name: (point,)})
        monkeypatch.setitem(vars(castlelab.GAMES), "_outside", {name: place})  # looked up once

    return add


#: Start a command, wait until it prints a web address, and return that address.
StartServer = Callable[..., str]


@pytest.fixture
def start_server() -> Iterator[StartServer]:
    """Servers for one test; all of them are ended after it."""
    running: list[subprocess.Popen[str]] = []

    def start(
        command: Sequence[str | Path],
        cwd: Path,
        env: dict[str, str] | None = None,
        seconds: float = 60,
    ) -> str:
        process = subprocess.Popen(
            command,
            cwd=cwd,
            env={**os.environ, **(env or {})},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        running.append(process)
        address = _address(process, seconds)
        _wait_for(address, seconds)
        return address

    yield start
    for process in running:
        process.terminate()
    for process in running:
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _address(process: subprocess.Popen[str], seconds: float) -> str:
    """The first address that a process prints."""
    lines: queue.Queue[str | None] = queue.Queue()

    def read() -> None:
        assert process.stdout is not None
        with process.stdout as output:
            for line in output:  # until the end, or the server would block on a full pipe
                lines.put(line)
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    said: list[str] = []
    deadline = time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0:
        try:
            line = lines.get(timeout=left)
        except queue.Empty:
            break
        if line is None:
            break
        said.append(line)
        if found := re.search(r"http://\S+?/(?=\s|$|lab)", line):
            return found[0]
    raise AssertionError("no address was printed:\n" + "".join(said))


def _wait_for(address: str, seconds: float) -> None:
    """Wait until somebody listens there: Jupyter prints its address before it does."""
    host, port = address.removeprefix("http://").rstrip("/").split(":")
    deadline = time.monotonic() + seconds
    while True:
        try:
            socket.create_connection((host, int(port)), timeout=5).close()
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)
        else:
            return
