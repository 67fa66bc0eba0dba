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
from castlelab.widgets import Keeper
from castlelab.widgets.keeper import LONGEST


@pytest.fixture
def store() -> dict[str, str]:
    return {}


@pytest.fixture
def page(store: dict[str, str]) -> Page:
    return Page(Keeper("progress"), store)


def add(word: str) -> Any:
    """Add a word to those that are kept; twice is the same as once."""
    return lambda text: " ".join(sorted({*text.split(), word}))


def test_nothing_is_known_and_nothing_sent_before_a_page_comes(page: Page) -> None:
    keeper = page.keeper
    assert (keeper.kept, keeper.query, keeper.ready, keeper.trouble) == ("", "", False, "")
    keeper.kept = "early"
    assert not page.messages


def test_a_page_tells_what_it_keeps_and_its_address(page: Page, store: dict[str, str]) -> None:
    store["progress"] = "old"
    seen: list[tuple[str, str]] = []
    page.keeper.on_ready(lambda: seen.append((page.keeper.kept, page.keeper.query)))
    assert not seen
    assert not page.is_welcome
    page.come("?code=castell/tallest-3-42")
    assert page.is_welcome
    assert page.keeper.ready
    assert seen == [("old", "?code=castell/tallest-3-42")]
    page.keeper.on_ready(lambda: seen.append(("late", "")))
    assert seen[1:] == [("late", "")]
    assert not page.messages


def test_a_page_may_say_twice_that_it_is_there(page: Page, store: dict[str, str]) -> None:
    seen: list[str] = []
    page.keeper.on_ready(lambda: seen.append("ready"))
    page.come()
    page.keeper.change(add("mine"))
    page.come()
    page.hear()
    page.come()
    page.hear()
    assert seen == ["ready"]
    assert page.kept == page.keeper.kept == "mine"


def test_what_python_sets_is_stored(page: Page) -> None:
    page.come()
    page.keeper.kept = "new"
    page.hear()
    assert page.kept == "new"
    page.keeper.kept = "newer"
    page.keeper.kept = "newest"
    page.hear()
    assert page.kept == page.keeper.kept == "newest"
    page.keeper.kept = ""
    page.hear()
    assert page.kept == ""


def test_what_was_set_before_a_page_came_is_stored_then(page: Page, store: dict[str, str]) -> None:
    store["progress"] = "old"
    page.keeper.change(add("early"))
    assert page.keeper.kept == "early"
    page.come()
    page.hear()
    assert page.kept == page.keeper.kept == "early old"


def test_another_tab_is_heard(page: Page, store: dict[str, str]) -> None:
    page.come()
    seen: list[str] = []
    page.keeper.observe(lambda change: seen.append(change["new"]), "kept")
    store["progress"] = "theirs"
    page.tell(do="kept", kept="theirs", trouble="")
    assert seen == ["theirs"]
    assert not page.messages  # what the page tells is not written back


def test_two_tabs_lose_nothing_to_each_other(store: dict[str, str]) -> None:
    one, two = Page(Keeper("progress"), store), Page(Keeper("progress"), store)
    one.come()
    two.come()
    for word in ("a", "c"):
        one.keeper.change(add(word))
    for word in ("b", "d"):
        two.keeper.change(add(word))
    one.hear()
    two.hear()
    assert store["progress"] == two.keeper.kept == "a b c d"


def test_news_from_another_tab_comes_in_the_midst_of_a_change(
    page: Page, store: dict[str, str]
) -> None:
    page.come()
    page.keeper.change(add("mine"))
    store["progress"] = "theirs"
    page.tell(do="kept", kept="theirs", trouble="")
    page.hear()
    assert page.kept == page.keeper.kept == "mine theirs"


def test_whoever_hears_of_a_text_may_set_another(page: Page) -> None:
    page.keeper.observe(lambda change: setattr(page.keeper, "kept", "mended"), "kept")
    page.come()
    page.tell(do="kept", kept="damaged", trouble="")
    page.store["progress"] = "damaged"
    page.hear()
    assert page.kept == "mended"


def test_what_is_taken_back_at_once_is_not_stored(page: Page) -> None:
    page.come()
    page.keeper.change(add("a"))
    page.keeper.kept = ""
    page.hear()
    assert page.kept == page.keeper.kept == ""


def test_a_text_that_was_stored_is_not_stored_again_over_another(
    page: Page, store: dict[str, str]
) -> None:
    page.come()
    page.keeper.kept = "mine"
    page.keeper.kept = "mine"
    page.hear()
    store["progress"] = "theirs"
    page.tell(do="kept", kept="theirs", trouble="")
    page.hear()
    assert page.kept == page.keeper.kept == "theirs"


@given(st.lists(st.tuples(st.sampled_from("12"), st.sampled_from("abch")), max_size=14))
def test_whatever_two_tabs_do_in_whatever_order_nothing_is_lost(
    deeds: list[tuple[str, str]],
) -> None:
    """Each tab adds words or gets to work through its messages, in any order."""
    store: dict[str, str] = {}
    pages = {name: Page(Keeper("progress"), store) for name in "12"}
    for page in pages.values():
        page.come()
    for name, deed in deeds:
        if deed == "h":
            pages[name].hear()
        else:
            pages[name].keeper.change(add(deed))
    for page in pages.values():
        page.hear()
    assert set(store.get("progress", "").split()) == {deed for _, deed in deeds} - {"h"}
    for page in pages.values():
        page.tell(do="kept", kept=page.kept, trouble="")  # as the browser tells of other tabs
        assert page.keeper.kept == page.kept
        assert not page.messages


def test_a_change_that_fails_is_forgotten(page: Page) -> None:
    page.come()
    with pytest.raises(CastlelabError, match="too long to keep"):
        page.keeper.change(lambda _: "x" * (LONGEST + 1))
    assert not page.messages
    page.keeper.change(add("a"))
    page.hear()
    assert page.kept == page.keeper.kept == "a"


def test_a_change_that_changes_nothing_sends_nothing(page: Page, store: dict[str, str]) -> None:
    store["progress"] = "a"
    page.come()
    page.keeper.change(add("a"))
    assert not page.messages


def test_storage_that_is_full_is_told_and_all_else_goes_on(store: dict[str, str]) -> None:
    page = Page(Keeper("progress"), store, full=True)
    page.come()
    page.keeper.kept = "much"
    page.hear()
    assert page.keeper.trouble == "the quota has been exceeded"
    assert page.keeper.kept == "much"
    assert not page.messages


def test_storage_that_is_forbidden_is_told(page: Page) -> None:
    page.tell(do="ready", query="?a", kept="", trouble="Access is denied")
    assert (page.keeper.ready, page.keeper.query) == (True, "?a")
    assert page.keeper.trouble == "Access is denied"


def test_the_address_shows_what_python_sets(page: Page) -> None:
    page.come("?code=one")
    assert not page.messages
    page.keeper.query = "?code=two"
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
    assert (page.keeper.kept, page.keeper.ready) == ("", False)


@pytest.mark.parametrize("kept", ["x" * (LONGEST + 1), "half a \ud83d"])
def test_a_text_that_cannot_be_handled_is_not_taken(page: Page, kept: str) -> None:
    page.tell(do="ready", query="?" + kept, kept=kept, trouble="")
    assert (page.keeper.kept, page.keeper.query) == ("", "")
    assert page.keeper.trouble == "what is stored cannot be read"


def test_a_text_that_is_too_long_is_refused(page: Page) -> None:
    page.come()
    with pytest.raises(CastlelabError, match="1000001 characters is too long"):
        page.keeper.kept = "x" * (LONGEST + 1)
    assert page.keeper.kept == ""


def test_what_a_callback_raises_is_told_and_logged(
    page: Page, caplog: pytest.LogCaptureFixture
) -> None:
    calls: list[str] = []
    page.keeper.on_ready(lambda: 1 // 0)
    page.keeper.on_ready(lambda: calls.append("second"))
    with caplog.at_level(logging.ERROR):
        page.come()
    assert calls == ["second"]
    assert page.keeper.trouble.startswith("Something went wrong: integer division")
    assert caplog.records


def test_a_keeper_has_a_key_and_one_of_two_places() -> None:
    with pytest.raises(CastlelabError, match="needs a key"):
        Keeper("")
    with pytest.raises(TraitError):
        Keeper("a", where="server")
    assert Keeper("a").where == "browser"


@pytest.mark.parametrize("host", [None, "https://binder.example/"])
def test_only_on_binder_people_have_no_name(
    monkeypatch: pytest.MonkeyPatch, host: str | None
) -> None:
    monkeypatch.delenv("BINDER_LAUNCH_HOST", raising=False)
    if host:
        monkeypatch.setenv("BINDER_LAUNCH_HOST", host)
    assert Keeper("progress").nameless == bool(host)
