"""A page below a base url, in a browser that has been at other castlelabs before."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from looking import OLD_PROGRESS, remember
from servers import Server, free_port, running

import castlelab

pytestmark = pytest.mark.browser

TILE = "castle_keep/which-fits-1-7"


@contextmanager
def serving(home: Path) -> Iterator[Server]:
    port = free_port()
    flags = ("--no-browser", f"--port={port}", "--base-url=/castle/", "--preheat=0")
    command = [sys.executable, "-m", "castlelab", "serve", *flags]
    with running(command, f"http://127.0.0.1:{port}/castle", "/voila/static/", home, home) as site:
        yield site


def visit(page: Any, address: str) -> None:
    page.goto(address, timeout=90_000)
    page.wait_for_selector(".castlelab-ready", timeout=90_000)


def test_pages_below_a_base_url_keep_to_themselves(page: Any, tmp_path: Path) -> None:
    remember(page, OLD_PROGRESS)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    with serving(tmp_path) as site:
        visit(page, f"{site.url}/")
        page.get_by_text("Nothing solved yet").wait_for()
        visit(page, f"{site.url}/voila/render/puzzle.ipynb?code={TILE}")
        puzzle = castlelab.puzzle(TILE)
        page.get_by_role("button", name=dict(puzzle.ask.options)[puzzle.solution]).click()
        page.wait_for_function(
            "code => (localStorage['/castle/ castlelab-progress'] ?? '').includes(code)", arg=TILE
        )
        assert page.evaluate("localStorage['castlelab-progress']") == OLD_PROGRESS
        page.get_by_role("button", name="Copy link").click()
        page.get_by_text("Copied.").wait_for()
        link = page.evaluate("navigator.clipboard.readText()")
        assert link == f"{site.url}/voila/render/puzzle.ipynb?code={TILE}"

        page.get_by_role("link", name="castlelab", exact=True).click()
        page.wait_for_url(f"{site.url}/voila/render/welcome.ipynb")
        page.get_by_text("1 puzzle solved").wait_for()
        visit(page, f"{site.url}/voila/render/classroom.ipynb")
        page.wait_for_function(
            "address => [...document.querySelectorAll('input')].some(box => box.value === address)",
            arg=f"{site.url}/voila/render/",
        )
        page.goto("about:blank")
