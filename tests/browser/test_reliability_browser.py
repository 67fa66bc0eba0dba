"""Pages that are broken on purpose, as kernels, servers and boards break by themselves."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from servers import Server, free_port, running

pytestmark = pytest.mark.browser

PAGES = Path(__file__).parent / "pages"

#: `castlelab serve` on the pages of these tests. The first of them stands for the welcome page.
SERVE = """
import sys
from pathlib import Path
from castlelab.server import launch, pages
pages.LANDING, pages.PACKAGED = "board.ipynb", Path(sys.argv[1])
launch.serve(port=int(sys.argv[2]), open_browser=False)
"""


def serve(home: Path, port: int) -> AbstractContextManager[Server]:
    command = [sys.executable, "-c", SERVE, str(PAGES), str(port)]
    return running(command, f"http://127.0.0.1:{port}", "/voila/static/", home, PAGES)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serve(tmp_path_factory.mktemp("reliable"), free_port()) as server:
        yield server


def visit(page: Any, site: Server) -> Any:
    """Open the page with the boards; returns the first of them."""
    page.goto(f"{site.url}/voila/render/board.ipynb", timeout=90_000)
    board = page.locator(".castlelab-board").first
    board.locator("canvas").wait_for(timeout=90_000)
    page.wait_for_selector(".castlelab-board[data-castlelab]")
    return board


def take(page: Any, board: Any, square: str, answer: str) -> None:
    """Type a square and wait for what the board says."""
    box = board.locator("input[type=text]")
    box.fill(square)
    box.press("Enter")
    board.locator(".castlelab-words", has_text=answer).wait_for()


def kernel_of(page: Any) -> str:
    """The kernel that a page speaks with, as Voilà was told."""
    return str(
        page.evaluate(
            "JSON.parse(document.getElementById('jupyter-config-data').textContent).kernelId"
        )
    )


def process_of(kernel: str) -> int:
    """The process that listens where the kernel's messages go."""
    sockets = {
        line.split()[6]
        for line in Path("/proc/net/unix").read_text().splitlines()
        if re.search(rf"kernel-{kernel}-ipc-1$", line)
    }
    assert sockets
    for process in Path("/proc").glob("[0-9]*"):
        try:
            held = {str(link.readlink()) for link in (process / "fd").iterdir()}
            command = (process / "cmdline").read_bytes()
        except OSError:
            continue
        if b"kernel" in command and any(f"socket:[{socket}]" in held for socket in sockets):
            return int(process.name)
    raise AssertionError(f"nobody listens for {kernel}")


def goes_on(page: Any) -> None:
    """The page says that its kernel has ended; Go on, with the keyboard, brings it back."""
    page.get_by_role("alert").filter(has_text="has ended").wait_for()
    before = kernel_of(page)
    with page.expect_navigation(timeout=90_000, wait_until="commit"):
        page.keyboard.press("Enter")  # the button has the focus
    page.wait_for_selector(".castlelab-board[data-castlelab]", timeout=90_000)
    assert kernel_of(page) != before
    assert page.get_by_role("alert").filter(has_text="has ended").count() == 0
    take(page, page.locator(".castlelab-board").first, "b2", "b2 taken")


def test_two_tabs_do_not_disturb_one_another_and_one_survives_the_other(
    open_page: Any, site: Server
) -> None:
    """A kernel that dies takes nobody with it, and says so on its own page only."""
    one, two = open_page(), open_page()
    first, second = visit(one, site), visit(two, site)
    take(one, first, "a1", "a1 taken")
    take(two, second, "a1", "a1 taken")  # free there, whatever the first has done
    take(two, second, "b1", "b1 taken")
    take(one, first, "b1", "b1 taken")
    assert kernel_of(one) != kernel_of(two)

    os.kill(process_of(kernel_of(one)), signal.SIGKILL)
    goes_on(one)
    take(two, second, "c1", "c1 taken")
    assert two.get_by_role("alert").filter(has_text="has ended").count() == 0


def test_a_handler_that_raises_leaves_the_board_usable(page: Any, site: Server) -> None:
    board = visit(page, site)
    take(page, board, "c3", "gave way")
    assert board.locator(".castlelab-words b").count() == 0
    take(page, board, "b2", "b2 taken")
    board.get_by_role("button", name="Undo").click()
    board.locator(".castlelab-words", has_text="Undone").wait_for()
    assert "Traceback" not in page.inner_text("body")


def test_a_page_comes_back_after_its_server_has(page: Any, tmp_path: Path) -> None:
    port = free_port()
    with serve(tmp_path, port) as site:
        visit(page, site)
    page.get_by_text("The server does not answer").wait_for()
    with serve(tmp_path, port):
        goes_on(page)
        page.goto("about:blank")


def test_a_page_that_lost_a_board_is_loaded_again_but_not_for_ever(page: Any, site: Server) -> None:
    """It looks every second for half a minute; here its seconds are short."""
    page.add_init_script(
        "sessionStorage.opened = Number(sessionStorage.opened ?? 0) + 1;"
        "const wait = window.setTimeout;"
        "window.setTimeout = (run, ms, ...rest) => wait(run, ms === 1000 ? 50 : ms, ...rest);"
    )
    page.goto(f"{site.url}/voila/render/lost.ipynb", timeout=90_000)
    page.wait_for_function("sessionStorage.opened === '3'", timeout=120_000)
    page.get_by_text("Loading widget...").wait_for(timeout=90_000)
    page.wait_for_timeout(3000)  # twice as long as it looks
    assert page.evaluate("sessionStorage.opened") == "3"


#: Releases of the widgets' front end as they may come: something is called otherwise.
RENAMED = ("_loadFromKernel", "_create_comm", "has_model")


@pytest.mark.parametrize("name", RENAMED)
def test_boards_come_plainly_where_the_front_end_has_changed(
    page: Any, site: Server, name: str
) -> None:
    told: list[str] = []
    page.on("console", lambda line: told.append(line.text))

    def rename(route: Any) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace(name, f"{name}Anew"))

    # What is missing from the one file is asked for by itself, as ever.
    nothing = {"content_type": "text/javascript", "body": ""}
    page.route("**/front-end-*.js", lambda route: route.fulfill(**nothing))
    page.route("**/labextensions/@jupyter-widgets/**/*.js*", rename)
    board = visit(page, site)
    take(page, board, "a1", "a1 taken")
    page.wait_for_selector("body.castlelab-ready", state="attached")
    plain = [line for line in told if line.startswith("castlelab: boards come as Voilà brings")]
    assert len(plain) == 1


def test_boards_come_in_turn_where_the_front_end_is_what_we_know(page: Any, site: Server) -> None:
    told: list[str] = []
    page.on("console", lambda line: told.append(line.text))
    visit(page, site)
    page.wait_for_selector("body.castlelab-ready", state="attached")
    assert not [line for line in told if line.startswith("castlelab:")]


def change(page: Any, script: str, old: str, new: str) -> None:
    """Let a script of ours be another one: where Jupyter changes, it no longer fits."""

    def answer(route: Any) -> None:
        found = route.fetch()
        assert old in found.text()
        route.fulfill(response=found, body=found.text().replace(old, new))

    page.route(f"**/{script}.js*", answer)


def spared(page: Any) -> int:
    """How many modules a page does without; its boards are all there."""
    page.wait_for_selector("body.castlelab-ready", state="attached", timeout=90_000)
    return int(page.evaluate("sparing.spared.size"))


def test_a_page_does_without_what_boards_do_not_need(page: Any, site: Server) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    board = visit(page, site)
    assert spared(page) > 5
    assert len([url for url in asked if re.search(r"/\d+\.voila\.js", url)]) == 0
    take(page, board, "a1", "a1 taken")


def test_formulas_and_late_outputs_ask_for_what_was_spared(page: Any, site: Server) -> None:
    page.goto(f"{site.url}/voila/render/late.ipynb", timeout=90_000)
    page.locator(".widget-output strong", has_text="Strong").wait_for(timeout=90_000)
    page.locator(".widget-output mjx-container").wait_for(timeout=90_000)
    page.locator("p mjx-container", has_text="b").first.wait_for(timeout=90_000)
    assert spared(page) > 5


def test_nothing_is_spared_where_an_output_needs_it(page: Any, site: Server) -> None:
    page.goto(f"{site.url}/voila/render/words.ipynb", timeout=90_000)
    page.locator("strong", has_text="Strong").wait_for(timeout=90_000)
    assert spared(page) == 0


def test_a_page_that_was_spared_too_much_comes_again_as_voila_has_it(
    page: Any, site: Server
) -> None:
    page.add_init_script("sessionStorage.opened = Number(sessionStorage.opened ?? 0) + 1")
    change(page, "sparing", "jupyterHighlightStyle: {}", "")
    visit(page, site)
    page.wait_for_function("sessionStorage.opened === '2'", timeout=90_000)
    assert spared(page) == 0
    take(page, page.locator(".castlelab-board").first, "a1", "a1 taken")
    assert page.evaluate("sessionStorage.opened") == "2"


def test_the_line_to_the_kernel_is_handed_over(page: Any, site: Server) -> None:
    lines: list[str] = []
    asked: list[str] = []
    page.on("websocket", lambda line: lines.append(line.url))
    page.on("request", lambda request: asked.append(request.url))
    board = visit(page, site)
    take(page, board, "a1", "a1 taken")
    kernel = kernel_of(page)
    assert len(lines) == 1
    assert len([url for url in asked if f"/api/kernels/{kernel}" in url]) == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [("v1.kernel.websocket", "v9.kernel.websocket"), ("api/kernels/", "api/colonels/")],
)
def test_a_line_that_does_not_fit_is_left_alone(
    page: Any, site: Server, old: str, new: str
) -> None:
    change(page, "line", old, new)
    board = visit(page, site)
    take(page, board, "a1", "a1 taken")
