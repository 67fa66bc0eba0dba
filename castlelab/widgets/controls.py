"""Buttons with words, in rows that wrap; what goes wrong behind one is told on the page."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import ipywidgets
from ipywidgets.widgets.widget_string import HTMLStyle  # not among its public names

from castlelab.rules import CastlelabError

_LOG = logging.getLogger(__name__)


# A layout and a style are widgets of their own, which a page must load like any other.
# Widgets that look alike share them: it halves what a page with many boards has to load.
@cache
def layout(kind: str = "plain") -> ipywidgets.Layout:
    """The layout that all widgets of a kind share; nobody may change it."""
    return ipywidgets.Layout(
        **{
            "plain": {},
            "board": {"align_items": "flex-start", "overflow": "visible"},
            "button": {"width": "auto", "height": "auto", "min_width": "80px"},
            "sign": {"width": "40px", "height": "40px", "min_width": "40px"},
            "row": {"flex_flow": "row wrap", "align_items": "center"},
            "slider": {"width": "300px", "max_width": "100%"},
            "guess": {"width": "220px"},
            "line": {"width": "440px", "max_width": "100%"},
            "unseen": {"display": "none"},
        }[kind]
    )


@cache
def shared_style(kind: type[ipywidgets.Widget], **traits: str) -> ipywidgets.Widget:
    """The style that all widgets of a kind share; nobody may change it."""
    return kind(**traits)


def html(words: str = "") -> ipywidgets.HTML:
    """Words in HTML, their parts already escaped."""
    return ipywidgets.HTML(words, layout=layout(), style=shared_style(HTMLStyle))


@contextmanager
def failures_told(tell: Callable[[str], object], what: str) -> Iterator[None]:
    """Hand one line to ``tell`` if something fails inside, for ipywidgets shows nothing."""
    try:
        yield
    except CastlelabError as error:
        tell(str(error))
    except Exception as error:
        _LOG.exception("this failed: %s", what)
        tell(f"Something went wrong: {error}")


def button(
    words: str,
    on_click: Callable[[], object],
    tell: Callable[[str], object],
    *,
    main: bool = False,
) -> ipywidgets.Button:
    """A button; ``tell`` is handed one line if its handler fails."""

    def clicked(_: object) -> None:
        with failures_told(tell, words):
            on_click()

    look = {"layout": layout("button"), "style": shared_style(ipywidgets.ButtonStyle)}
    made = ipywidgets.Button(description=words, **look)
    made.add_class("castlelab-button")
    if main:
        made.add_class("castlelab-main-button")
    made.on_click(clicked)
    return made


def icon_button(
    words: str, icon: str, on_click: Callable[[], object], tell: Callable[[str], object]
) -> ipywidgets.Button:
    """A button that shows a sign of ``cards.css``; its words are read out and hovered."""
    made = button(words, on_click, tell)
    made.layout, made.tooltip = layout("sign"), words
    made.add_class("castlelab-sign")
    made.add_class(f"castlelab-sign-{icon}")
    return made


def tell_open(opener: ipywidgets.Button, is_open: bool) -> None:
    """Let a button say whether what it opens is open: the page has it as ``aria-expanded``."""
    opener.add_class("castlelab-opens")
    (opener.add_class if is_open else opener.remove_class)("castlelab-is-open")


def labelled(
    kind: type[ipywidgets.Widget],
    words: str,
    width: str,
    words_width: str = "initial",
    *,
    most: str | None = None,
    **traits: Any,
) -> Any:
    """A control with words before it; its width and that of the words are those of CSS."""
    return kind(
        description=words,
        style={"description_width": words_width},
        layout=ipywidgets.Layout(width=width, max_width=most),
        **traits,
    )


def row(*children: ipywidgets.Widget) -> ipywidgets.HBox:
    """Widgets side by side, on more lines where the page is narrow."""
    return ipywidgets.HBox(children, layout=layout("row"))


def discard(widget: ipywidgets.Widget) -> None:
    """Let a widget go that nobody will see again, and all that stands in it.

    Otherwise the kernel and the page would hold it for as long as they live. Layouts and
    styles are shared, and stay.
    """
    for part in getattr(widget, "children", ()):
        discard(part)
    widget.close()
