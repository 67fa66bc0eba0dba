"""A page asks nobody but its own server: scripts, styles, fonts and formulas come from there."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from looking import OLD_PROGRESS, remember, strangers
from servers import Server, free_port, lab_command, running

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[2]
FORMULA = "mjx-container, math"
TOKEN = "c0ffee"


@pytest.fixture(scope="module")
def binder(tmp_path_factory: pytest.TempPathFactory, served: Path) -> Iterator[Server]:
    """JupyterLab as Binder starts it: below a base url, with a token, with Binder's settings."""
    home, port = tmp_path_factory.mktemp("binder-home"), free_port()
    (home / "config").mkdir()
    shutil.copy(ROOT / "binder" / "jupyter_server_config.py", home / "config")
    below = "--ServerApp.base_url=/user/castle-1234/"
    command = lab_command(port, served, below, f"--IdentityProvider.token={TOKEN}")
    url = f"http://127.0.0.1:{port}/user/castle-1234"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BINDER_LAUNCH_HOST", "https://binder.example/")
        with running(command, url, "/api", home, served) as server:
            yield server


def visit(page: Any, address: str) -> list[str]:
    """Open a page until its last board is there; returns whom it asked besides its own server."""
    asked = strangers(page.context, urlsplit(address).netloc)
    page.goto(address, timeout=90_000)
    page.wait_for_selector(".castlelab-ready", timeout=90_000)
    page.wait_for_load_state("networkidle")
    return asked


def test_castlelab_serve(page: Any, site: Server) -> None:
    assert visit(page, f"{site.url}/voila/render/counting.ipynb") == []
    assert page.locator(FORMULA).count() > 0


def test_formulas_on_binder(page: Any, binder: Server) -> None:
    assert visit(page, f"{binder.url}/voila/render/notebooks/counting.ipynb?token={TOKEN}") == []
    assert page.locator(FORMULA).count() > 0


def test_a_page_on_binder(page: Any, binder: Server) -> None:
    remember(page, OLD_PROGRESS)
    assert visit(page, f"{binder.url}/voila/render/notebooks/welcome.ipynb?token={TOKEN}") == []
    # Everybody gets a new base url each time there, and has no name: the browser knows them.
    page.get_by_text("1 puzzle solved").wait_for()
    # Whether it has fallen asleep: it asks with its cookie, and is answered.
    kernel = page.evaluate(
        "JSON.parse(document.getElementById('jupyter-config-data').textContent).kernelId"
    )
    with page.expect_response(f"**/api/kernels/{kernel}") as answer:
        page.evaluate(f"castlelab.findOut('api/kernels/{kernel}')")
    assert answer.value.status == 200
    assert page.locator("#castlelab-gone").count() == 0


def test_a_page_that_asks_elsewhere_would_be_found_out(page: Any, site: Server) -> None:
    asked = strangers(page.context, urlsplit(site.url).netloc)
    page.route("**/*", lambda route: route.fulfill(body=""))
    page.set_content('<img src="http://elsewhere.example/a.png">')
    assert asked == ["http://elsewhere.example/a.png"]
