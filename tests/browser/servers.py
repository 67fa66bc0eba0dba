"""Servers for browser tests: started with a home of their own, ended with all they started."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

PATIENCE = 90  # seconds for a server to start; two busy cores are slow


@dataclass(frozen=True)
class Server:
    """A running server: its address, the folder it serves and the file with its log."""

    url: str
    folder: Path
    log: Path


@contextmanager
def running(command: list[str], url: str, ping: str, home: Path, folder: Path) -> Iterator[Server]:
    """A server with a home of its own, from its first answer until its process group ends."""
    log = home / "server.log"
    places = {
        "JUPYTER_CONFIG_DIR": home / "config",
        "JUPYTER_DATA_DIR": home / "data",
        "JUPYTER_RUNTIME_DIR": home / "runtime",
        "JUPYTERLAB_SETTINGS_DIR": home / "settings",
        "JUPYTERLAB_WORKSPACES_DIR": home / "workspaces",
        "IPYTHONDIR": home / "ipython",
    }
    environment = {
        **os.environ,
        **{name: str(place) for name, place in places.items()},
        "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", ""))),
        "JUPYTER_PREFER_ENV_PATH": "1",
        "PYTHONWARNINGS": "default",
    }
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=environment,
            cwd=home,
            start_new_session=True,
        )
    try:
        _wait_for(process, f"{url}{ping}", log)
        yield Server(url, folder, log)
    finally:
        _end(process)


def lab_command(port: int, folder: Path, *options: str) -> list[str]:
    """What starts JupyterLab on a port and a folder."""
    usual = (
        f"--port={port}",
        "--ServerApp.port_retries=0",
        "--no-browser",
        "--allow-root",
        "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.root_dir={folder}",
    )
    return [sys.executable, "-m", "jupyterlab", *usual, *options]


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def _wait_for(process: subprocess.Popen[bytes], address: str, log: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except urllib.error.HTTPError:
            return  # it answers, if only to say no
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    pytest.fail(f"{address} did not answer; the end of its log:\n{end_of(log)}")


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a server; its kernels have groups of their own and end when they lose their parent."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, sign)
            process.wait(timeout=30)  # a Hub first ends the servers that it has started
        except ProcessLookupError:
            break
        except subprocess.TimeoutExpired:
            continue
    process.wait(timeout=10)


def end_of(log: Path, lines: int = 60) -> str:
    """The last lines of a log."""
    return "\n".join(log.read_text(errors="replace").splitlines()[-lines:])
