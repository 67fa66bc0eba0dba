"""What takes the keyboard on to the next thing of a card."""

from __future__ import annotations

from importlib.resources import files

import anywidget
import traitlets

from castlelab.widgets.controls import layout


class FocusLead(anywidget.AnyWidget):
    """Puts the focus on ``place``, a selector within its card, whenever that changes.

    Whoever is busy elsewhere on the page is left alone.
    """

    _esm = (files(__package__) / "focus_lead.js").read_text(encoding="utf-8")

    place = traitlets.Unicode().tag(sync=True)

    def __init__(self) -> None:
        super().__init__(layout=layout())
