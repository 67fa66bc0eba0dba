"""Pages below a base url: every address, cookie and way back begins with it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from http.cookiejar import CookieJar
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener

import pytest
from castle_site import Site, serving

from castlelab import cli
from castlelab.rules import CastlelabError
from castlelab.server.terms import Terms

PAGE = "/castle/voila/render/welcome.ipynb"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    flags = ("--preheat=0", "--password", "--max-visitors=3", "--base-url=/castle/")
    home = tmp_path_factory.mktemp("home")
    with serving(home, *flags, ready=False, CASTLELAB_PASSWORD="Drawbridge 9") as server:
        yield server


@pytest.mark.slow
def test_the_way_in(site: Site) -> None:
    assert site.url.endswith("/castle"), "the address that is printed"
    for path, leads_to in {
        "/": "/castle/",
        "/castle": "/castle/",
        "/castle/": PAGE,
        "/castle/voila/render/": PAGE,
        PAGE: "/castle/password?next=%2Fcastle%2Fvoila%2Frender%2Fwelcome.ipynb",
    }.items():
        answer = site.ask(path)
        assert (answer.status, answer.headers["location"]) == (302, leads_to)


@pytest.mark.slow
def test_cookies_and_links_begin_with_it(site: Site) -> None:
    jar = CookieJar()
    browser = build_opener(HTTPCookieProcessor(jar))
    root = site.url.removesuffix("/castle")
    with browser.open(f"{root}{PAGE}", timeout=60) as answer:
        form = answer.read().decode()
    assert 'action="/castle/password"' in form
    xsrf = {cookie.name: cookie.value for cookie in jar}["_xsrf"]
    filled = urlencode({"password": "Drawbridge 9", "next": PAGE, "_xsrf": xsrf})
    with browser.open(f"{root}/castle/password", filled.encode(), timeout=120) as answer:
        page = answer.read().decode()
    assert answer.url == f"{root}{PAGE}"
    assert {cookie.name: cookie.path for cookie in jar} == dict.fromkeys(
        ("_xsrf", "castlelab-visitor", "castlelab-seat"), "/castle/"
    )
    absolute = re.findall(r'(?:href|src|data-base-url)="(/[^"]*)"', page)
    assert len(absolute) > 5
    assert [link for link in absolute if not link.startswith("/castle/")] == []
    site.cookies.update({cookie.name: cookie.value or "" for cookie in jar})
    for path in ("/voila/render/welcome.ipynb", "/password", "/castlevoila", "/x/castle/"):
        lost = site.ask(path)
        assert lost.status == 404, path
        assert 'href="/castle/"' in lost.body, "the way back"


@pytest.mark.parametrize(
    "text",
    ["http://castle.example/", "//evil.example", "/a//b", "/a/../b", "/a b", "/a?b", "C:/Git/a"],
)
def test_what_is_no_base_url_is_told_in_a_line(
    text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["serve", "--no-browser", "--port=0", f"--base-url={text}"]) == 2
    told = capsys.readouterr().err
    assert told == f"castlelab: a base url is a path such as /castle/, not {text!r}\n"


@pytest.mark.parametrize("text", ["castle", "/castle", "castle/", "/castle/"])
def test_slashes_may_be_left_out(text: str) -> None:
    assert Terms(base_url=text).base_url == "/castle/"


@pytest.mark.parametrize("text", ["/user/ada%20l/", "/user/ada@castle.example/", "/user/ada~1/"])
def test_the_names_of_people_may_be_in_it(text: str) -> None:
    assert Terms(base_url=text).base_url == text


def test_terms_are_checked_wherever_they_come_from() -> None:
    with pytest.raises(CastlelabError, match="such as /castle/"):
        Terms(base_url="/a?b")
