"""What stays in the browser, with a page played by Python."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kept_page import Page
from traitlets import TraitError

from castlelab.rules import CastlelabError
from castlelab.widgets import BrowserStorage
from castlelab.widgets.browser.storage import LONGEST_KEPT


@pytest.fixture
def store() -> dict[str, str]:
    return {}


@pytest.fixture
def page(store: dict[str, str]) -> Page:
    return Page(BrowserStorage("progress"), store)


def add(word: str) -> Any:
    """Add a word to those that are kept; twice is the same as once."""
    return lambda text: " ".join(sorted({*text.split(), word}))


def test_nothing_is_known_and_nothing_sent_before_a_page_comes(page: Page) -> None:
    storage = page.storage
    assert (storage.kept, storage.query, storage.ready, storage.trouble) == ("", "", False, "")
    storage.kept = "early"
    assert not page.messages


def test_a_page_tells_what_it_keeps_and_its_address(page: Page, store: dict[str, str]) -> None:
    store["progress"] = "old"
    seen: list[tuple[str, str]] = []
    page.storage.on_ready(lambda: seen.append((page.storage.kept, page.storage.query)))
    assert not seen
    assert not page.is_welcome
    page.come("?code=castell/tallest-3-42")
    assert page.is_welcome
    assert page.storage.ready
    assert seen == [("old", "?code=castell/tallest-3-42")]
    page.storage.on_ready(lambda: seen.append(("late", "")))
    assert seen[1:] == [("late", "")]
    assert not page.messages


def test_a_page_may_say_twice_that_it_is_there(page: Page, store: dict[str, str]) -> None:
    seen: list[str] = []
    page.storage.on_ready(lambda: seen.append("ready"))
    page.come()
    page.storage.change(add("mine"))
    page.come()
    page.hear()
    page.come()
    page.hear()
    assert seen == ["ready"]
    assert page.kept == page.storage.kept == "mine"


def test_what_python_sets_is_stored(page: Page) -> None:
    page.come()
    page.storage.kept = "new"
    page.hear()
    assert page.kept == "new"
    page.storage.kept = "newer"
    page.storage.kept = "newest"
    page.hear()
    assert page.kept == page.storage.kept == "newest"
    page.storage.kept = ""
    page.hear()
    assert page.kept == ""


def test_what_was_set_before_a_page_came_is_stored_then(page: Page, store: dict[str, str]) -> None:
    store["progress"] = "old"
    page.storage.change(add("early"))
    assert page.storage.kept == "early"
    page.come()
    page.hear()
    assert page.kept == page.storage.kept == "early old"


def test_another_tab_is_heard(page: Page, store: dict[str, str]) -> None:
    page.come()
    seen: list[str] = []
    page.storage.observe(lambda change: seen.append(change["new"]), "kept")
    store["progress"] = "theirs"
    page.tell(do="kept", kept="theirs", trouble="")
    assert seen == ["theirs"]
    assert not page.messages  # what the page tells is not written back


def test_two_tabs_lose_nothing_to_each_other(store: dict[str, str]) -> None:
    one, two = Page(BrowserStorage("progress"), store), Page(BrowserStorage("progress"), store)
    one.come()
    two.come()
    for word in ("a", "c"):
        one.storage.change(add(word))
    for word in ("b", "d"):
        two.storage.change(add(word))
    one.hear()
    two.hear()
    assert store["progress"] == two.storage.kept == "a b c d"


def test_news_from_another_tab_comes_in_the_midst_of_a_change(
    page: Page, store: dict[str, str]
) -> None:
    page.come()
    page.storage.change(add("mine"))
    store["progress"] = "theirs"
    page.tell(do="kept", kept="theirs", trouble="")
    page.hear()
    assert page.kept == page.storage.kept == "mine theirs"


def test_whoever_hears_of_a_text_may_set_another(page: Page) -> None:
    page.storage.observe(lambda change: setattr(page.storage, "kept", "mended"), "kept")
    page.come()
    page.tell(do="kept", kept="damaged", trouble="")
    page.store["progress"] = "damaged"
    page.hear()
    assert page.kept == "mended"


def test_what_is_taken_back_at_once_is_not_stored(page: Page) -> None:
    page.come()
    page.storage.change(add("a"))
    page.storage.kept = ""
    page.hear()
    assert page.kept == page.storage.kept == ""


def test_a_text_that_was_stored_is_not_stored_again_over_another(
    page: Page, store: dict[str, str]
) -> None:
    page.come()
    page.storage.kept = "mine"
    page.storage.kept = "mine"
    page.hear()
    store["progress"] = "theirs"
    page.tell(do="kept", kept="theirs", trouble="")
    page.hear()
    assert page.kept == page.storage.kept == "theirs"


@given(st.lists(st.tuples(st.sampled_from("12"), st.sampled_from("abch")), max_size=14))
def test_whatever_two_tabs_do_in_whatever_order_nothing_is_lost(
    deeds: list[tuple[str, str]],
) -> None:
    """Each tab adds words or gets to work through its messages, in any order."""
    store: dict[str, str] = {}
    pages = {name: Page(BrowserStorage("progress"), store) for name in "12"}
    for page in pages.values():
        page.come()
    for name, deed in deeds:
        if deed == "h":
            pages[name].hear()
        else:
            pages[name].storage.change(add(deed))
    for page in pages.values():
        page.hear()
    assert set(store.get("progress", "").split()) == {deed for _, deed in deeds} - {"h"}
    for page in pages.values():
        page.tell(do="kept", kept=page.kept, trouble="")  # as the browser tells of other tabs
        assert page.storage.kept == page.kept
        assert not page.messages


def test_a_change_that_fails_is_forgotten(page: Page) -> None:
    page.come()
    with pytest.raises(CastlelabError, match="too long to keep"):
        page.storage.change(lambda _: "x" * (LONGEST_KEPT + 1))
    assert not page.messages
    page.storage.change(add("a"))
    page.hear()
    assert page.kept == page.storage.kept == "a"


def test_a_change_that_changes_nothing_sends_nothing(page: Page, store: dict[str, str]) -> None:
    store["progress"] = "a"
    page.come()
    page.storage.change(add("a"))
    assert not page.messages


def test_storage_that_is_full_is_told_and_all_else_goes_on(store: dict[str, str]) -> None:
    page = Page(BrowserStorage("progress"), store, full=True)
    page.come()
    page.storage.kept = "much"
    page.hear()
    assert page.storage.trouble == "the quota has been exceeded"
    assert page.storage.kept == "much"
    assert not page.messages


def test_storage_that_is_forbidden_is_told(page: Page) -> None:
    page.tell(do="ready", query="?a", kept="", trouble="Access is denied")
    assert (page.storage.ready, page.storage.query) == (True, "?a")
    assert page.storage.trouble == "Access is denied"


def test_the_address_shows_what_python_sets(page: Page) -> None:
    page.come("?code=one")
    assert not page.messages
    page.storage.query = "?code=two"
    page.hear()
    assert page.query == "?code=two"


@pytest.mark.parametrize(
    "content",
    [
        {},
        {"do": "ready"},
        {"do": "ready", "kept": 7, "query": "", "trouble": ""},
        {"do": "kept", "kept": ["x"], "trouble": ""},
        {"do": "swapped", "number": 99, "trouble": ""},
        {"do": "dance"},
    ],
)
def test_a_hostile_page_is_ignored(page: Page, content: dict[str, Any]) -> None:
    page.tell(**content)
    assert (page.storage.kept, page.storage.ready) == ("", False)


@pytest.mark.parametrize("kept", ["x" * (LONGEST_KEPT + 1), "half a \ud83d"])
def test_a_text_that_cannot_be_handled_is_not_taken(page: Page, kept: str) -> None:
    page.tell(do="ready", query="?" + kept, kept=kept, trouble="")
    assert (page.storage.kept, page.storage.query) == ("", "")
    assert page.storage.trouble == "what is stored cannot be read"


def test_a_text_that_is_too_long_is_refused(page: Page) -> None:
    page.come()
    with pytest.raises(CastlelabError, match="1000001 characters is too long"):
        page.storage.kept = "x" * (LONGEST_KEPT + 1)
    assert page.storage.kept == ""


def test_what_a_callback_raises_is_told_and_logged(
    page: Page, caplog: pytest.LogCaptureFixture
) -> None:
    calls: list[str] = []
    page.storage.on_ready(lambda: 1 // 0)
    page.storage.on_ready(lambda: calls.append("second"))
    with caplog.at_level(logging.ERROR):
        page.come()
    assert calls == ["second"]
    assert page.storage.trouble.startswith("Something went wrong: integer division")
    assert caplog.records


def test_a_storage_has_a_key_and_one_of_two_places() -> None:
    with pytest.raises(CastlelabError, match="needs a key"):
        BrowserStorage("")
    with pytest.raises(TraitError):
        BrowserStorage("a", where="server")
    assert BrowserStorage("a").where == "browser"


@pytest.mark.parametrize("host", [None, "https://binder.example/"])
def test_only_on_binder_people_have_no_name(
    monkeypatch: pytest.MonkeyPatch, host: str | None
) -> None:
    monkeypatch.delenv("BINDER_LAUNCH_HOST", raising=False)
    if host:
        monkeypatch.setenv("BINDER_LAUNCH_HOST", host)
    assert BrowserStorage("progress").nameless == bool(host)
