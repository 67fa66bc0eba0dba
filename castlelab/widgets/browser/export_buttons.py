"""Buttons that hand a text over to the visitor: to save, to print, to paste."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from typing import Any, Literal, TypedDict

import anywidget
import traitlets

from castlelab.widgets.browser.news import NEWS
from castlelab.widgets.controls import layout

LONGEST_ADDRESS = 2_000


class Offer(TypedDict):
    """One button: its words, what it does, and the text with its name and type."""

    label: str
    deed: Literal["save", "open", "copy"]
    name: str
    type: str
    text: str


def to_save(label: str, name: str, kind: str, text: str) -> Offer:
    """Save a text as a file."""
    return Offer(label=label, deed="save", name=name, type=f"{kind};charset=utf-8", text=text)


def to_print(label: str, page: str) -> Offer:
    """Open a page of its own, which can be printed."""
    return Offer(label=label, deed="open", name="", type="text/html;charset=utf-8", text=page)


def to_copy(label: str, text: str) -> Offer:
    """Copy a text, to be pasted elsewhere."""
    return Offer(label=label, deed="copy", name="", type="", text=text)


class ExportButtons(anywidget.AnyWidget):
    """A row of such buttons. It also hears the address that the page was opened by.

    >>> shelf = ExportButtons()
    >>> shelf.offer(to_copy("Copy the link", "http://localhost:8866/"))
    >>> shelf.buttons[0]["deed"], shelf.texts[0]
    ('copy', 'http://localhost:8866/')
    """

    _esm = NEWS + (files(__package__) / "export_buttons.js").read_text(encoding="utf-8")

    # A text that two buttons hand over travels once: a button names it by its number.
    texts: traitlets.List[str] = traitlets.List().tag(sync=True)
    buttons: traitlets.List[dict[str, Any]] = traitlets.List().tag(sync=True)

    def __init__(self, on_address: Callable[[str], object] = lambda _: None) -> None:
        self._on_address = on_address
        super().__init__(layout=layout())
        self.on_msg(self._hear)

    def offer(self, *offers: Offer) -> None:
        """Show these buttons instead of those before."""
        texts = list(dict.fromkeys(offer["text"] for offer in offers))
        with self.hold_sync():
            self.texts = texts
            self.buttons = [{**offer, "text": texts.index(offer["text"])} for offer in offers]

    @property
    def offers(self) -> tuple[Offer, ...]:
        """What the buttons hand over."""
        return tuple(
            Offer(**{**button, "text": self.texts[button["text"]]})  # type: ignore[typeddict-item]
            for button in self.buttons
        )

    def _hear(self, _: object, content: Any, __: object) -> None:
        match content:
            case {"do": "address", "address": str(address)} if len(address) <= LONGEST_ADDRESS:
                self._on_address(address)
