"""A button that copies a link."""

from __future__ import annotations

from importlib.resources import files

import anywidget
import traitlets

from castlelab.widgets.controls import layout


class LinkButton(anywidget.AnyWidget):
    """Copies the address of this page with a query.

    Where the page has no address of its own, as in JupyterLab, it copies the code instead.
    """

    _esm = (files(__package__) / "link_button.js").read_text(encoding="utf-8")

    query = traitlets.Unicode().tag(sync=True)  # what stands behind the question mark
    code = traitlets.Unicode().tag(sync=True)

    def __init__(self) -> None:
        super().__init__(layout=layout())

    def follow(self, query: str, code: str) -> None:
        """From now on this is what is copied."""
        with self.hold_sync():
            self.query, self.code = query, code
