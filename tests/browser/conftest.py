"""A real browser, a real Voilà and a real JupyterLab, each started once for the session."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from fonts import OWN, FontsMissing, settings
from needs import do_without
from servers import Server, end_of, free_port, lab_command, running

from benchmarks.browser import find_chromium

PAGES = Path(__file__).parent / "pages"
NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
STEP = 40_000  # milliseconds for whatever a page is waited for


@pytest.fixture(scope="session")
def launched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Any]]:
    """Chromium with one family of fonts, started once for each that is asked for.

    Without one the tests are skipped at home and fail in continuous integration.
    """
    if (executable := find_chromium()) is None:
        do_without("no Chromium found: install one or set CASTLELAB_CHROMIUM to its path")
    try:
        from playwright import sync_api
    except ImportError:
        do_without("the package playwright is not installed: pip install castlelab[test]")
    with sync_api.sync_playwright() as playwright:

        @cache
        def launch(family: str) -> Any:
            try:
                own = settings(family, tmp_path_factory.mktemp("fonts"))
            except FontsMissing as missing:
                do_without(str(missing))
            return playwright.chromium.launch(
                executable_path=executable,
                args=["--no-sandbox", "--disable-gpu"],
                env={**os.environ, **own},
            )

        yield launch


@pytest.fixture
def open_page(launched: Callable[[str], Any]) -> Iterator[Callable[..., Any]]:
    """Open a page in a context of its own: ``open_page(viewport=…, color_scheme="dark")``.

    It has the fonts of the machine; ``fonts="DejaVu"`` is for what must not hang on them. Nothing
    moves there unless it is asked for: ``reduced_motion="no-preference"``.
    """
    contexts = []

    def open_one(fonts: str = OWN, **options: Any) -> Any:
        usual = {"viewport": {"width": 1200, "height": 900}, "reduced_motion": "reduce"}
        context = launched(fonts).new_context(**{**usual, **options})
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
    command = lab_command(
        port,
        served,
        "--IdentityProvider.token=",
        "--ServerApp.password=",
        "--ServerApp.disable_check_xsrf=True",
        "--LabApp.expose_app_in_browser=True",
        "--LabApp.extension_manager=readonly",
        "--MappingKernelManager.cull_idle_timeout=120",
        "--MappingKernelManager.cull_interval=20",
    )
    home = tmp_path_factory.mktemp("lab-home")
    with running(command, f"http://127.0.0.1:{port}", "/api", home, served) as server:
        yield server
        _tell(server, request)


@pytest.fixture(scope="session")
def site(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Server]:
    """`castlelab serve`, as a visitor of an installed castlelab starts it."""
    port = free_port()
    command = [sys.executable, "-m", "castlelab", "serve", "--no-browser", "--port", str(port)]
    home = tmp_path_factory.mktemp("site-home")
    with running(command, f"http://127.0.0.1:{port}", "/voila/static/", home, home) as server:
        yield server
        _tell(server, request)


def _tell(server: Server, request: pytest.FixtureRequest) -> None:
    if request.session.testsfailed:
        print(f"\nThe end of {server.log}:\n{end_of(server.log)}")
