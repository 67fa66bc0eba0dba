"""What becomes of words on a page: the elements that are made of them."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser

import ipywidgets
from hostile_text import MARKUP


class _Elements(HTMLParser):
    """Every element and every attribute of a piece of HTML."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.words = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "img" and (dict(attrs)["src"] or "").startswith("data:image/svg+xml,"):
            tag = "picture"  # one of ours: it is all there, and runs nothing
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)

    def handle_data(self, data: str) -> None:
        self.words += data


def elements(html: str) -> _Elements:
    reader = _Elements()
    reader.feed(html)
    reader.close()
    return reader


def assert_words_only(html: str) -> None:
    found = elements(html)
    assert not found.tags & {"img", "script", "iframe", "object"}, html
    assert not [name for name in found.attributes if name.startswith("on")], html


def widgets_in(widget: ipywidgets.Widget) -> Iterator[ipywidgets.Widget]:
    yield widget
    for child in getattr(widget, "children", ()):
        yield from widgets_in(child)


def html_in(widget: ipywidgets.Widget) -> str:
    """All the HTML that a widget hands to the page; other words are set as text there."""
    found = []
    for part in widgets_in(widget):
        if isinstance(part, (ipywidgets.HTML, ipywidgets.HTMLMath)):
            found.append(part.value)
        assert not getattr(part, "description_allow_html", False)
        assert not getattr(part, "tooltip_allow_html", False)
    return "\n".join(found)


def assert_told_as_words(widget: ipywidgets.Widget) -> None:
    """The markup is on the page, to be read."""
    html = html_in(widget)
    assert_words_only(html)
    assert MARKUP in elements(html).words
