"""A real JupyterHub with its proxy, run from deploy/jupyterhub: people with pages of their own."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
from looking import strangers, text_box
from needs import do_without
from servers import PATIENCE, Server, end_of, free_port, running

import castlelab

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[2]
CONFIG = ROOT / "deploy" / "jupyterhub" / "jupyterhub_config.py"
PROXY = Path(sys.prefix) / "proxy" / "node_modules" / ".bin" / "configurable-http-proxy"
TOWER = "castell/tallest-1-42"

#: The configuration as it is, but for who may come in, and ports that nobody else has.
SETTINGS = """
load_subconfig({config!r})
c = get_config()
c.JupyterHub.authenticator_class = "dummy"
c.JupyterHub.bind_url = "http://127.0.0.1:{ports[0]}"
c.JupyterHub.hub_port = {ports[1]}
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{ports[2]}"
c.ConfigurableHTTPProxy.command = [{proxy!r}]
"""

KERNEL = "JSON.parse(document.getElementById('jupyter-config-data').textContent).kernelId"

#: Whether a kernel has ended, as far as a page may know.
ENDED = """async kernel => {
  const base = document.body.dataset.baseUrl.replace(/voila\\/$/, '');
  const answer = await fetch(`${base}api/kernels/${kernel}`, {headers: castlelab.passes()});
  return answer.status === 404;
}"""

#: Whether a line to a kernel is given.
RING = """path => new Promise(resolve => {
  const line = new WebSocket(new URL(path, location.href.replace('http', 'ws')));
  line.onopen = () => { line.close(); resolve(true); };
  line.onerror = () => resolve(false);
})"""


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A Hub that lets in whoever says a name."""
    if not PROXY.exists():
        do_without("the proxy of JupyterHub is not there: it needs Node.js, then `make proxy`")
    home = tmp_path_factory.mktemp("hub")
    ports = [free_port() for _ in range(3)]
    settings = SETTINGS.format(config=str(CONFIG), ports=ports, proxy=str(PROXY))
    (home / "settings.py").write_text(settings, encoding="utf-8")
    command = [sys.executable, "-m", "jupyterhub", "--config=settings.py"]
    url = f"http://127.0.0.1:{ports[0]}"
    with running(command, url, "/hub/api/", home, home) as server:
        wait_for(server)
        yield server


def wait_for(hub: Server) -> None:
    """Wait until the Hub answers; before that its proxy does, to say that it is not there."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        with suppress(HTTPError), urlopen(f"{hub.url}/hub/api/", timeout=PATIENCE):
            return
        time.sleep(0.1)
    pytest.fail(f"the Hub did not answer; the end of its log:\n{end_of(hub.log)}")


def log_in(page: Any, hub: Server, name: str) -> None:
    """Come in by the front door; it leads to a server of one's own, started if need be."""
    page.goto(hub.url)
    page.fill("#username_input", name)
    page.fill("#password_input", "any")
    page.click("#login_submit")
    # The Hub counts its redirects in the address.
    page.wait_for_url(f"{hub.url}/user/{name}/voila/render/welcome.ipynb*", timeout=90_000)
    page.wait_for_selector(".castlelab-ready", timeout=90_000)


def log_out(page: Any) -> None:
    page.get_by_role("link", name="Log out").click()
    page.wait_for_selector("#username_input, #login-main, a:has-text('Login')")


def solve(page: Any) -> None:
    """Solve the puzzle of this page, on its board."""
    page.get_by_text(f"Puzzle {TOWER}").wait_for(timeout=90_000)
    board = page.locator('.castlelab-board[data-castlelab="ready"]')
    text_box(board).fill(str(castlelab.puzzle(TOWER).solution))
    text_box(board).press("Enter")
    page.get_by_text("It stands: 3 levels").wait_for()
    page.get_by_role("button", name="Check").click()
    page.get_by_text("Solved!").wait_for()


def find_out(page: Any) -> int:
    """Let a page find out whether its kernel is there; returns what it is answered."""
    kernel = page.evaluate(KERNEL)
    with page.expect_response(f"**/api/kernels/{kernel}") as answer:
        page.evaluate(f"castlelab.findOut('api/kernels/{kernel}')")
    page.wait_for_function("!castlelab.asking")
    return int(answer.value.status)


def test_two_people_with_one_browser(page: Any, hub: Server) -> None:
    asked = strangers(page.context, urlsplit(hub.url).netloc)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    puzzle = f"voila/render/puzzle.ipynb?code={TOWER}"

    # Ada plays, and copies a link.
    log_in(page, hub, "ada")
    left = page.evaluate(KERNEL)
    page.goto(f"{hub.url}/user/ada/{puzzle}")
    solve(page)
    page.wait_for_function(ENDED, arg=left)
    page.wait_for_function(
        "code => (localStorage['/user/ada/ castlelab-progress'] ?? '').includes(code)", arg=TOWER
    )
    page.get_by_role("button", name="Copy link").click()
    page.get_by_text("Copied.").wait_for()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == f"{hub.url}/hub/user-redirect/{puzzle}"
    log_out(page)

    # Bob sits down at the same browser, and follows the link to a page of his own.
    log_in(page, hub, "bob")
    page.get_by_text("Nothing solved yet").wait_for()
    page.goto(link)
    page.wait_for_url(f"{hub.url}/user/bob/{puzzle}*")
    page.get_by_text(f"Puzzle {TOWER}").wait_for(timeout=90_000)
    page.get_by_role("button", name="Check").wait_for()
    assert page.get_by_text("✓ Solved").count() == 0
    page.goto(f"{hub.url}/user/bob/voila/render/welcome.ipynb")
    page.wait_for_selector(".castlelab-ready")
    log_out(page)

    # Ada comes back to what she had.
    log_in(page, hub, "ada")
    page.get_by_text("1 puzzle solved").wait_for()
    page.goto(f"{hub.url}/user/ada/{puzzle}")
    page.get_by_text("✓ Solved").wait_for(timeout=90_000)
    assert asked == [], "nothing comes from elsewhere"


def test_nobody_sees_the_pages_of_others(open_page: Callable[[], Any], hub: Server) -> None:
    ada, bob = open_page(), open_page()
    log_in(ada, hub, "ada")
    log_in(bob, hub, "bob")
    her_kernel = f"/user/ada/api/kernels/{ada.evaluate(KERNEL)}"
    assert ada.evaluate(RING, f"{her_kernel}/channels")
    assert not bob.evaluate(RING, f"{her_kernel}/channels")
    for path in (her_kernel, "/user/ada/voila/render/welcome.ipynb"):
        refused = bob.evaluate("path => fetch(path).then(answer => answer.status)", path)
        assert refused in (403, 404)
    answer = bob.goto(f"{hub.url}/user/ada/voila/render/welcome.ipynb")
    assert answer.status == 403
    assert bob.locator("#castlelab-bar").count() == 0

    stranger = open_page()
    stranger.goto(f"{hub.url}/user/ada/voila/render/welcome.ipynb")
    assert urlsplit(stranger.url).path == "/hub/login"


def test_what_a_page_says_when_it_may_not_or_cannot_go_on(page: Any, hub: Server) -> None:
    log_in(page, hub, "ada")
    assert find_out(page) == 200
    assert page.locator("#castlelab-gone").count() == 0

    other = page.context.new_page()  # the same person, in another tab
    other.goto(f"{hub.url}/user/ada/logout")
    assert find_out(page) == 403
    page.get_by_role("alert").filter(has_text="You are logged out").wait_for()
    page.get_by_role("button", name="Log in").click()
    page.fill("#username_input", "ada")
    page.fill("#password_input", "any")
    page.click("#login_submit")
    page.wait_for_url(f"{hub.url}/user/ada/voila/render/welcome.ipynb*")
    page.wait_for_selector(".castlelab-ready")

    other.goto(f"{hub.url}/hub/home")
    other.wait_for_load_state("networkidle")  # only then its buttons do something
    other.click("#stop")
    page.get_by_role("alert").filter(has_text="The boards have fallen asleep").wait_for()
    page.get_by_role("button", name="Go on").click()
    page.locator("#start").click()
    page.wait_for_selector(".castlelab-ready", timeout=90_000)
    assert urlsplit(page.url).path == "/user/ada/voila/render/welcome.ipynb"

    log = hub.log.read_text(errors="replace")
    assert "200 POST /hub/api/users/ada/activity" in log, end_of(hub.log)
    assert "(idle-culler@" in log, "somebody looks for servers that do nothing"
