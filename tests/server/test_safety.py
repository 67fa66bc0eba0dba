"""What a stranger who reaches the server can get at: the pages, and nothing else."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from castle_site import Answer, Site, serving

from castlelab import cli
from castlelab.server.password import PER_HOUR, Tries

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with serving(tmp_path_factory.mktemp("home"), "--preheat", "0", ready=False) as server:
        yield server


UP = ("../", "..%2f", "%2e%2e/", "%2e%2e%2f", "%252e%252e%252f", "..%5c", "..\\", "....//")
FOLDERS = (
    "/",
    "/voila/render/",
    "/voila/static/",
    "/voila/static/v-0123456789ab/",
    "/voila/templates/castlelab/static/",
    "/voila/templates/lab/static/",
    "/voila/labextensions/",
    "/voila/files/",
    "/voila/api/contents/",
    "/voila/api/themes/",
    "/files/",
    "/static/",
)


@pytest.mark.parametrize("folder", FOLDERS)
def test_nothing_outside_is_served(site: Site, folder: str) -> None:
    for up in UP:
        for target in ("etc/passwd", "pyproject.toml", "castlelab/game.py", ".git/config"):
            for depth in (1, 3, 8):
                path = f"{folder}{up * depth}{target}"
                answer = site.ask(path)
                assert answer.status in (400, 403, 404), path
                assert "root:" not in answer.body, path


@pytest.mark.parametrize("folder", FOLDERS)
@pytest.mark.parametrize(
    "name",
    [
        "",
        "castell.ipynb",
        ".castell.ipynb",
        "pages.py",
        "pyproject.toml",
        ".git/HEAD",
        ".ipynb_checkpoints/castell-checkpoint.ipynb",
        "conf.json",
        "package.json",
        "index.html.j2",
        "/etc/passwd",
        "%00.js",
        "castell.ipynb%00.svg",
    ],
)
def test_sources_are_not_served(site: Site, folder: str, name: str) -> None:
    if (folder, name) in {("/", ""), ("/voila/render/", ""), ("/voila/render/", "castell.ipynb")}:
        return  # these are the pages
    answer = site.ask(f"{folder}{name}")
    assert answer.status in (400, 403, 404)
    assert "nbformat" not in answer.body
    assert "import " not in answer.body


def test_a_page_shows_no_code(site: Site) -> None:
    page = site.ask("/voila/render/welcome.ipynb").body
    assert "show_games" not in page
    assert "nbformat" not in page


@pytest.mark.parametrize(
    "path",
    [
        "/api/contents",
        "/api/contents/castell.ipynb",
        "/api/kernels",
        "/api/kernelspecs",
        "/api/sessions",
        "/api/terminals",
        "/api/config/x",
        "/api/shutdown",
        "/lab",
        "/tree",
        "/terminals/1",
        "/nbconvert/html/castell.ipynb",
        "/voila/tree",
        "/voila/execution/0",
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_the_interfaces_of_jupyter_are_shut(site: Site, path: str, method: str) -> None:
    assert site.ask(path, method).status in (403, 404, 405)


def test_no_kernel_is_started_without_a_page(site: Site) -> None:
    site.ask("/voila/render/nothing.ipynb")
    token = {"X-XSRFToken": site.cookies["_xsrf"], "Content-Type": "application/json"}
    assert site.ask("/api/kernels", "POST", '{"name": "python3"}', token).status == 404


def test_code_of_others_is_not_run(site: Site, tmp_path: Path) -> None:
    """A page speaks with its widgets. A message that holds code is not passed on."""
    kernel_id = site.open()
    trace = tmp_path / "trace"
    request = {
        "header": {"msg_id": "1", "msg_type": "execute_request", "username": "", "session": "s"},
        "parent_header": {},
        "metadata": {},
        "content": {"code": f"open({str(trace)!r}, 'w')", "silent": False},
        "buffers": [],
        "channel": "shell",
    }
    info = {**request, "header": {**request["header"], "msg_type": "kernel_info_request"}}

    async def try_it() -> None:
        async with site.line(kernel_id) as line:
            line.write_message(json.dumps(request))
            line.write_message(json.dumps(info))
            while "kernel_info_reply" not in str(await asyncio.wait_for(line.read_message(), 60)):
                pass

    asyncio.run(try_it())
    assert not trace.exists()


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1"])
def test_pages_of_others_cannot_reach_a_kernel(site: Site, origin: str) -> None:
    kernel_id = site.open()
    assert site.ring(kernel_id, Origin=origin) == 403
    assert site.ring(kernel_id, Origin=site.url) == 101


def test_another_name_for_this_machine_is_a_trick(site: Site) -> None:
    for host in ("evil.example", "evil.example:8866", "127.0.0.1.evil.example"):
        assert site.ask("/voila/render/welcome.ipynb", headers={"Host": host}).status == 403
    assert site.ask("/voila/render/nothing.ipynb", headers={"Host": "localhost"}).status == 404


def test_the_address_chooses_neither_template_nor_theme(site: Site) -> None:
    page = site.ask("/voila/render/welcome.ipynb?template=reveal&theme=</script><b>x").body
    assert 'id="castlelab-bar"' in page
    assert "<b>x" not in page


def test_a_page_is_shut_only_with_its_token(site: Site) -> None:
    kernel_id = site.open()
    assert site.ask(f"/voila/api/shutdown/{kernel_id}", "POST").status == 403
    assert site.ask(f"/api/kernels/{kernel_id}", "DELETE").status == 403
    assert site.is_alive(kernel_id)
    token = {"X-XSRFToken": site.cookies["_xsrf"]}
    assert site.ask(f"/voila/api/shutdown/{kernel_id}", "POST", headers=token).status == 204
    assert not site.is_alive(kernel_id)


@pytest.mark.parametrize(
    "path",
    [
        "/voila/render/welcome.ipynb",
        "/voila/templates/castlelab/static/castlelab.js",
        "/nothing",
        "/password",
    ],
)
def test_browsers_are_told_to_be_careful(site: Site, path: str) -> None:
    headers = site.ask(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'self'" in policy
    assert "http" not in policy  # nobody else is trusted
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cross-origin-opener-policy"] == "same-origin"


def test_a_missing_page_is_said_in_words(site: Site) -> None:
    answer = site.ask("/nothing<script>")
    assert answer.status == 404
    assert "There is no such page" in answer.body
    assert "<script>" not in answer.body


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    flags = ("--preheat", "0", "--password")
    home = tmp_path_factory.mktemp("guarded")
    with serving(home, *flags, ready=False, CASTLELAB_PASSWORD="Drawbridge 9") as server:
        yield server


def try_password(site: Site, word: str, wanted: str = "/voila/render/welcome.ipynb") -> int:
    site.ask("/password")
    form = urlencode({"password": word, "next": wanted, "_xsrf": site.cookies["_xsrf"]})
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = site.ask("/password", "POST", form, kind)
    if answer.status == 302:
        assert answer.headers["location"].startswith("/")
        assert "evil" not in answer.headers["location"]
    return answer.status


def test_a_password_is_asked_for(guarded: Site) -> None:
    guarded.cookies.clear()
    page = guarded.ask("/voila/render/welcome.ipynb")
    assert page.status == 302
    assert page.headers["location"].startswith("/password?next=")
    assert try_password(guarded, "wrong") == 403
    guarded.cookies["castlelab-visitor"] = "2|1:0|10:1|17:castlelab-visitor|4:aW4=|forged"
    assert guarded.ask("/voila/render/welcome.ipynb").status == 302
    assert try_password(guarded, "Drawbridge 9") == 302
    kernel_id = guarded.open()
    assert guarded.is_alive(kernel_id)

    friend, guarded.cookies = guarded.cookies, {}
    assert guarded.ask(f"/api/kernels/{kernel_id}").status in (302, 403)
    assert guarded.ask(f"/voila/api/shutdown/{kernel_id}", "POST").status == 403
    assert guarded.ring(kernel_id) == 403
    guarded.cookies = friend
    assert guarded.is_alive(kernel_id)
    assert guarded.ring(kernel_id) == 101


@pytest.mark.parametrize("wanted", ["//evil.example", "http://evil.example", "/\\evil.example"])
def test_the_password_leads_nowhere_else(guarded: Site, wanted: str) -> None:
    guarded.cookies.clear()
    assert try_password(guarded, "Drawbridge 9", wanted) == 302


def guess(site: Site, word: str, **headers: str) -> Answer:
    """Try a password, and hang up before a long wait is over."""
    form = urlencode({"password": word, "_xsrf": site.cookies["_xsrf"]})
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    return site.ask("/password", "POST", form, {**kind, **headers}, patience=2)


def guess_on(site: Site, **headers: str) -> list[int]:
    """Guess until it is said to be enough; 0 stands for an answer that does not come."""
    statuses: list[int] = []
    while 429 not in statuses and len(statuses) < 20:
        try:
            statuses.append(guess(site, "guess", **headers).status)
        except TimeoutError:
            statuses.append(0)
    return statuses


def test_who_guesses_waits_and_the_next_one_gets_in(guarded: Site) -> None:
    """A pupil guesses and hangs up; the class behind the same address is let in between."""
    guarded.cookies.clear()
    guarded.ask("/password")
    statuses = [guess(guarded, "guess").status for _ in range(4)]
    assert statuses == [403] * 4  # with the one of another test, the last that comes at once
    with pytest.raises(TimeoutError):
        guess(guarded, "guess")
    assert guess(guarded, "Drawbridge 9").status == 302


def test_a_few_guesses_are_free_and_then_it_takes_for_ever() -> None:
    tries = Tries(free=2, within=600, pause=10, held=3)
    assert [tries.failed("a", now) for now in (0, 1, 2, 3, 4)] == [0, 0, 10, 10, 10]
    assert tries.wait("a", 5) == 7  # three are held back, the first until 12
    assert tries.wait("b", 5) == 0  # somebody else
    assert tries.wait("a", 12) == 0
    assert tries.failed("a", 700) == 0  # the old ones are forgotten


def test_guessing_is_hopeless() -> None:
    """An hour's worth of guesses, as fast as it goes, at the pace that the documentation says."""
    tries, now, done = Tries(), 0.0, 0
    while now < 3600:
        wait = tries.wait("a", now)
        if wait == 0:
            tries.failed("a", now)
            done += 1
        now += max(wait, 0.01)
    assert done <= PER_HOUR
    assert PER_HOUR == 1110
    assert 36**6 / PER_HOUR / 24 / 365 > 200  # years for six letters or digits


def test_the_password_is_not_among_the_arguments(guarded: Site) -> None:
    arguments = Path(f"/proc/{guarded.process.pid}/cmdline").read_bytes()
    assert b"Drawbridge" not in arguments


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    flags = ("--preheat", "0", "--password", "--proxy", "castle.example")
    home = tmp_path_factory.mktemp("proxied")
    with serving(home, *flags, ready=False, CASTLELAB_PASSWORD="Drawbridge 9") as server:
        yield server


def through(proxied: Site, visitor: str) -> dict[str, str]:
    """What a proxy says of a visitor."""
    proxied.ask("/password", headers={"Host": "castle.example"})
    return {
        "Host": "castle.example",
        "X-Forwarded-For": visitor,
        "X-Forwarded-Proto": "https",
        "Content-Type": "application/x-www-form-urlencoded",
        "X-XSRFToken": proxied.cookies["_xsrf"],
    }


def test_behind_a_proxy_the_server_answers_to_its_name(proxied: Site) -> None:
    for host, status in (("castle.example", 200), ("127.0.0.1", 200), ("evil.example", 403)):
        answer = proxied.ask("/password", headers={"Host": host})
        assert answer.status == status
        assert ("serve --proxy" in answer.body) == (status == 403)


def test_behind_a_proxy_everybody_has_tries_of_their_own(proxied: Site) -> None:
    def tried(word: str, visitor: str) -> Answer:
        form = urlencode({"password": word})
        return proxied.ask("/password", "POST", form, through(proxied, visitor))

    assert 429 in guess_on(proxied, **through(proxied, "2001:db8::7"))
    near = tried("Drawbridge 9", "2001:db8::8")  # another address of the same network
    assert near.status == 429
    let_in = tried("Drawbridge 9", "192.0.2.8")
    assert let_in.status == 302
    assert "secure" in let_in.headers["set-cookie"].lower()


@pytest.mark.parametrize("flags", ["--proxy https://castle", "--proxy x.y --host 0.0.0.0"])
def test_a_proxy_that_cannot_be_is_refused(flags: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["serve", "--no-browser", "--port", "0", *flags.split()]) == 2
    told = capsys.readouterr().err
    assert "castle.example" in told or "leave --host 0.0.0.0 out" in told
