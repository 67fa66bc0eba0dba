"""A message for the day the kernel dies, and a focus that is never lost."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import anywidget
import traitlets

from castlelab.widgets.browser.news import NEWS


class ConnectionWatch(anywidget.AnyWidget):
    """Asks the kernel now and then whether it lives; nothing is seen of it as long as it does.

    It also hands the focus on when the button that had it is gone. ``words`` say what happened.
    A page that runs by itself has a button for the way on, and JupyterLab the words ``in_lab``.
    """

    _esm = NEWS + (files(__package__) / "connection.js").read_text(encoding="utf-8")
    _css = (files(__package__) / "connection.css").read_text(encoding="utf-8")

    words = traitlets.Unicode().tag(sync=True)
    action = traitlets.Unicode("Load the page again").tag(sync=True)
    in_lab = traitlets.Unicode("Run the cell again to go on.").tag(sync=True)

    def __init__(self, words: str) -> None:
        super().__init__(words=words)
        self.on_msg(self._hear)

    def _hear(self, _: object, content: dict[str, Any], __: object) -> None:
        if content == {"do": "alive?"}:
            self.send({"do": "alive"})
