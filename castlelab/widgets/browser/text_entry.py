"""A field to write in, with a button that sends what is written."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from typing import Any

import anywidget
import traitlets

from castlelab.widgets.controls import failures_told, layout


class TextEntry(anywidget.AnyWidget):
    """A labelled field; ``receive`` gets its text at Enter or at a press of the button.

    ``tell`` gets one line if that fails. The text may be anything.
    """

    _esm = (files(__package__) / "text_entry.js").read_text(encoding="utf-8")
    _css = (files(__package__) / "text_entry.css").read_text(encoding="utf-8")

    label = traitlets.Unicode().tag(sync=True)
    words = traitlets.Unicode().tag(sync=True)  # of the button
    placeholder = traitlets.Unicode().tag(sync=True)
    main = traitlets.Bool(False).tag(sync=True)

    def __init__(
        self,
        label: str,
        words: str,
        receive: Callable[[str], object],
        tell: Callable[[str], object],
        *,
        placeholder: str = "",
        main: bool = False,
    ) -> None:
        self._receive, self._tell = receive, tell
        super().__init__(
            label=label, words=words, placeholder=placeholder, main=main, layout=layout()
        )
        self.on_msg(self._hear)

    def submit(self, text: str) -> None:
        """Send a text, as Enter does."""
        with failures_told(self._tell, self.words):
            self._receive(text)

    def _hear(self, _: object, content: dict[str, Any], __: object) -> None:
        match content:
            case {"do": "submit", "text": str(text)}:
                self.submit(text)
