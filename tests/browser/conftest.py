"""A real browser, a real Voilà and a real JupyterLab, each started once for the session."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import pytest

PAGES = Path(__file__).parent / "pages"
NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
PATIENCE = 90  # seconds for a server to start; two busy cores are slow
STEP = 40_000  # milliseconds for whatever a page is waited for


@dataclass(frozen=True)
class Server:
    """A running server: its address, the folder it serves and the file with its log."""

    url: str
    folder: Path
    log: Path


def find_chromium() -> str | None:
    """The browser of the system: named by CASTLELAB_CHROMIUM or found on the path."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    return os.environ.get("CASTLELAB_CHROMIUM") or next(
        filter(None, map(shutil.which, names)), None
    )


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium; without one the tests are skipped at home and fail in continuous integration."""
    if (executable := find_chromium()) is None:
        _do_without("no Chromium found: install one or set CASTLELAB_CHROMIUM to its path")
    try:
        from playwright import sync_api
    except ImportError:
        _do_without("the package playwright is not installed: pip install castlelab[test]")
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=executable, args=["--no-sandbox", "--disable-gpu"]
        )
        yield chromium
        chromium.close()


def _do_without(reason: str) -> NoReturn:
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture
def open_page(browser: Any) -> Iterator[Callable[..., Any]]:
    """Open a page in a context of its own: ``open_page(viewport=…, color_scheme="dark")``."""
    contexts = []

    def open_one(**options: Any) -> Any:
        context = browser.new_context(**{"viewport": {"width": 1200, "height": 900}, **options})
        context.set_default_timeout(STEP)
        contexts.append(context)
        return context.new_page()

    yield open_one
    for context in contexts:
        for page in context.pages:
            page.goto("about:blank")  # a context that is only closed leaves its kernel behind
        context.close()


@pytest.fixture
def page(open_page: Callable[..., Any]) -> Any:
    """An ordinary page."""
    return open_page()


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copies of the test pages and of the notebooks, which servers may write to."""
    folder = tmp_path_factory.mktemp("served")
    for source in (PAGES, NOTEBOOKS):
        if source.is_dir():
            ignored = shutil.ignore_patterns(".ipynb_checkpoints", "__pycache__")
            shutil.copytree(source, folder / source.name, ignore=ignored)
    return folder


@pytest.fixture(scope="session")
def voila_server(
    served: Path, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Server]:
    """Voilà over the test pages: ``f"{voila_server.url}/voila/render/pages/board.ipynb"``."""
    port = free_port()
    options = (
        f"--port={port}",
        "--no-browser",
        "--Voila.ip=127.0.0.1",
        "--ServerApp.token=",
        "--MappingKernelManager.cull_idle_timeout=60",
        "--MappingKernelManager.cull_interval=10",
        "--VoilaExecutor.timeout=120",
        "--show_tracebacks=True",
    )
    command = [sys.executable, "-m", "voila", str(served), *options]
    home = tmp_path_factory.mktemp("voila-home")
    with running(command, f"http://127.0.0.1:{port}", "/voila/tree", home, served) as server:
        yield server
        _tell(server, request)


@pytest.fixture(scope="session")
def lab_server(
    served: Path, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Server]:
    """JupyterLab over the test pages: ``f"{lab_server.url}/lab/tree/pages/board.ipynb"``.

    ``window.jupyterapp`` is there, so a test can run a command by its name.
    """
    port = free_port()
    options = (
        f"--port={port}",
        "--ServerApp.port_retries=0",
        "--no-browser",
        "--allow-root",
        "--ServerApp.ip=127.0.0.1",
        "--IdentityProvider.token=",
        "--ServerApp.password=",
        "--ServerApp.disable_check_xsrf=True",
        f"--ServerApp.root_dir={served}",
        "--LabApp.expose_app_in_browser=True",
        "--LabApp.extension_manager=readonly",
        "--MappingKernelManager.cull_idle_timeout=120",
        "--MappingKernelManager.cull_interval=20",
    )
    command = [sys.executable, "-m", "jupyterlab", *options]
    home = tmp_path_factory.mktemp("lab-home")
    with running(command, f"http://127.0.0.1:{port}", "/api", home, served) as server:
        yield server
        _tell(server, request)


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
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    pytest.fail(f"{address} did not answer; the end of its log:\n{_end_of(log)}")


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a server; its kernels have groups of their own and end when they lose their parent."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, sign)
            process.wait(timeout=10)
        except ProcessLookupError:
            break
        except subprocess.TimeoutExpired:
            continue
    process.wait(timeout=10)


def _tell(server: Server, request: pytest.FixtureRequest) -> None:
    if request.session.testsfailed:
        print(f"\nThe end of {server.log}:\n{_end_of(server.log)}")


def _end_of(log: Path, lines: int = 60) -> str:
    return "\n".join(log.read_text(errors="replace").splitlines()[-lines:])
