"""A file to the visitor's own disk, and one from there; neither touches the server's."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from typing import Any

import anywidget
import traitlets

from castlelab.rules import CastlelabError, quoted
from castlelab.widgets.controls import failures_told, layout

Receive = Callable[[str], object]
Tell = Callable[[str], object]


class FileTransfer(anywidget.AnyWidget):
    """A button that takes in a text file, and a way to hand one out.

    ``receive`` gets the text, which may be anything but large; ``tell`` gets one line if
    that fails.
    """

    _esm = (files(__package__) / "file_transfer.js").read_text(encoding="utf-8")

    words = traitlets.Unicode().tag(sync=True)
    most = traitlets.Int().tag(sync=True)  # bytes

    def __init__(self, words: str, receive: Receive, tell: Tell, most: int = 1_000_000) -> None:
        self._receive, self._tell = receive, tell
        super().__init__(words=words, most=most, layout=layout())
        self.on_msg(self._hear)

    def save(self, name: str, text: str) -> None:
        """Let the visitor's browser save a text as a file."""
        self.send({"do": "save", "name": name, "text": text})

    def _hear(self, _: object, content: dict[str, Any], __: object) -> None:
        match content:
            case {"do": "file", "name": str(name), "size": int(size), "text": str(text)}:
                with failures_told(self._tell, "a file is received"):
                    self._take(name, size, text)

    def _take(self, name: str, size: int, text: str) -> None:
        if max(size, len(text)) > self.most:
            raise CastlelabError(f"{quoted(name)} is too large: at most {self.most} bytes")
        self._receive(text)
