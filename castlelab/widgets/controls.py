"""Buttons with words, in rows that wrap; what goes wrong behind one is told on the page."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import cache

import ipywidgets

from castlelab.rules import CastlelabError

_LOG = logging.getLogger(__name__)


# A layout and a style are widgets of their own that a page must load, so all share one.
@cache
def _layouts() -> dict[str, ipywidgets.Layout]:
    return {
        "button": ipywidgets.Layout(width="auto", height="auto", min_width="80px"),
        "row": ipywidgets.Layout(flex_flow="row wrap", align_items="center"),
    }


@cache
def _style() -> ipywidgets.ButtonStyle:
    return ipywidgets.ButtonStyle()


def button(
    words: str,
    on_click: Callable[[], object],
    tell: Callable[[str], object],
    *,
    main: bool = False,
) -> ipywidgets.Button:
    """A button; ``tell`` is handed one line if its handler fails, for ipywidgets shows nothing."""

    def clicked(_: object) -> None:
        try:
            on_click()
        except CastlelabError as error:
            tell(str(error))
        except Exception as error:
            _LOG.exception("a button failed: %s", words)
            tell(f"Something went wrong: {error}")

    made = ipywidgets.Button(description=words, layout=_layouts()["button"], style=_style())
    made.add_class("castlelab-button")
    if main:
        made.add_class("castlelab-main-button")
    made.on_click(clicked)
    return made


def row(*children: ipywidgets.Widget) -> ipywidgets.HBox:
    """Widgets side by side, on more lines where the page is narrow."""
    return ipywidgets.HBox(children, layout=_layouts()["row"])
