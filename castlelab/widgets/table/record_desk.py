"""Save, share and load a game."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from html import escape
from types import MappingProxyType

import ipywidgets

from castlelab.bots import BotLike
from castlelab.widgets.browser.file_transfer import FileTransfer
from castlelab.widgets.browser.link_button import LinkButton
from castlelab.widgets.browser.text_entry import TextEntry
from castlelab.widgets.card.rule_card import status_html, style
from castlelab.widgets.controls import html, layout, row
from castlelab.widgets.table.sitting import Sitting, read_text

_POSITION = "This game began with a position. To save or share a game, begin it from its start."
_LARGEST_FILE = 1_000_000  # bytes


class RecordLoader(ipywidgets.VBox):  # type: ignore[misc]
    """A place for a file, a link or a code; ``on_load`` gets the :class:`Sitting` in it."""

    def __init__(
        self,
        on_load: Callable[[Sitting], object],
        own: Mapping[str, BotLike] = MappingProxyType({}),
    ) -> None:
        self._on_load, self._own = on_load, own
        self._said = html(style())
        self._file = FileTransfer("Load a file", self._load, self._refuse, _LARGEST_FILE)
        self.entry = TextEntry(
            *("Load a game", "Open it", self._load, self._refuse),
            placeholder="Paste a link or a code",
        )
        super().__init__(children=[row(self.entry, self._file), self._said], layout=layout())

    def _refuse(self, words: str) -> None:
        self._said.value = style() + status_html("wrong", f"This cannot be loaded: {words}.")

    def _load(self, text: str) -> None:
        """Load what a file holds, or what was pasted: a link, a code, even a whole file."""
        sitting = read_text(text, self._own)
        self._said.value = style()
        self._on_load(sitting)


class RecordDesk(ipywidgets.VBox):  # type: ignore[misc]
    """A file to save, a link to share, and a place for a file or a code to load."""

    def __init__(
        self,
        on_load: Callable[[Sitting], object],
        own: Mapping[str, BotLike] = MappingProxyType({}),
    ) -> None:
        self._file_link, self._link, self._packed = html(), LinkButton(), html()
        self.loader = RecordLoader(on_load, own)
        self._saving = row()
        super().__init__(children=[self._saving, self._packed, self.loader], layout=layout())
        self.add_class("castlelab-desk")

    def follow(self, sitting: Sitting) -> None:
        """What there is to save and to share now."""
        record = sitting.record
        if not record.can_be_saved:
            self._saving.children = ()
            self._packed.value = style() + status_html("hint", _POSITION)
            return
        self._saving.children = (self._file_link, self._link)
        packed = base64.b64encode(sitting.text.encode()).decode()
        name = f"{record.game.name}-{len(record.moves)}-moves.json"
        self._file_link.value = (
            f'{style()}<p class="castlelab-saving">'
            f'<a download="{escape(name)}" href="data:application/json;base64,{packed}">'
            "Save the game as a file</a></p>"
        )
        self._link.follow(sitting.query, sitting.code)
        self._packed.value = (
            f'{style()}<p class="castlelab-saving"><label>Or send this code: '
            f'<input type="text" readonly value="{escape(sitting.code)}" size="28"></label></p>'
        )
