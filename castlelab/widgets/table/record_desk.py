"""Save, share and load the record of a game."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from html import escape
from types import MappingProxyType
from urllib.parse import parse_qs, urlencode

import ipywidgets

from castlelab.bots import BotLike, MonteCarlo, bot
from castlelab.record import Record, RecordError
from castlelab.rules import quoted
from castlelab.widgets.browser.file_transfer import FileTransfer
from castlelab.widgets.browser.link_button import LinkButton
from castlelab.widgets.card.rule_card import status_html, style
from castlelab.widgets.controls import button, html, labelled, layout, row

_PERSON = "person"
_POSITION = "This game began with a position. To save or share a game, begin it from its start."
_LARGEST_FILE = 1_000_000  # bytes
_MOST_FUTURES = 10_000  # that a bot may imagine because an address says so


class RecordLoader(ipywidgets.VBox):  # type: ignore[misc]
    """A place for a file, a link or a code; ``on_load`` gets the record that it holds."""

    def __init__(self, on_load: Callable[[Record], object]) -> None:
        self._on_load = on_load
        self._said = html(style())
        self._file = FileTransfer("Load a file", self._load_text, self._refuse, _LARGEST_FILE)
        self._code = labelled(
            *(ipywidgets.Text, "Load", "95%", "46px"),
            most="420px",
            placeholder="Paste a link or a code",
            continuous_update=False,  # or a button might be quicker than the last letter
        )
        opener = button("Open it", self._load_code, self._refuse)
        loading = row(self._code, opener, self._file)
        super().__init__(children=[loading, self._said], layout=layout())

    def _refuse(self, words: str) -> None:
        self._said.value = style() + status_html("wrong", f"This cannot be loaded: {words}.")

    def _load_text(self, text: str) -> None:
        """Load what a file holds."""
        self._load(Record.loads(text))

    def _load_code(self) -> None:
        """Load what was pasted: a link, a code, or even a whole file."""
        text = self._code.value.strip()
        if text.startswith("{"):
            self._load_text(text)
        else:
            self._load(Record.from_share(shared_code(text)))

    def _load(self, record: Record) -> None:
        self._said.value = style()
        self._on_load(record)


class RecordDesk(ipywidgets.VBox):  # type: ignore[misc]
    """A file to save, a link to share, and a place for a file or a code to load."""

    def __init__(self, on_load: Callable[[Record], object]) -> None:
        self._file_link, self._link, self._packed = html(), LinkButton(), html()
        self.loader = RecordLoader(on_load)
        self._saving = row()
        super().__init__(children=[self._saving, self._packed, self.loader], layout=layout())
        self.add_class("castlelab-desk")

    def follow(self, record: Record, bots: Mapping[int, str], open_table: bool) -> None:
        """What there is to save and to share now."""
        if not record.can_be_saved:
            self._saving.children = ()
            self._packed.value = style() + status_html("hint", _POSITION)
            return
        self._saving.children = (self._file_link, self._link)
        code = record.share()
        packed = base64.b64encode(record.dumps().encode()).decode()
        name = f"{record.game.name}-{len(record.moves)}-moves.json"
        self._file_link.value = (
            f'{style()}<p class="castlelab-saving">'
            f'<a download="{escape(name)}" href="data:application/json;base64,{packed}">'
            "Save the game as a file</a></p>"
        )
        self._link.follow(shared_query(record, bots, open_table), code)
        self._packed.value = (
            f'{style()}<p class="castlelab-saving"><label>Or send this code: '
            f'<input type="text" readonly value="{escape(code)}" size="28"></label></p>'
        )


# -- a game in an address ----------------------------------------------------------------------


def shared_query(record: Record, bots: Mapping[int, str], open_table: bool) -> str:
    """What stands behind the question mark: the record, who plays, and whether all is open."""
    seats = [bots.get(seat, _PERSON) for seat in range(record.game.players)]
    known = {"record": record.share(), "seats": ",".join(seats)}
    return urlencode(known | ({"open": "1"} if open_table else {}), safe=",")


def shared_code(text: str) -> str:
    """The code in a link, or the text itself."""
    _, mark, query = text.partition("?")
    return _first(query, "record") if mark else text


def game_in(query: str) -> str:
    """The name of the game that an address asks for; it may be anything.

    >>> game_in("?game=castell")
    'castell'
    """
    return _first(query.removeprefix("?"), "game")


def read_query(
    query: str, own: Mapping[str, BotLike] = MappingProxyType({})
) -> tuple[Record, dict[int, BotLike], bool] | None:
    """The game that an address holds, if any: the record, its bots, whether all is open.

    An address knows bots by their names alone: those with names, and the ``own`` of this page.
    """
    query = query.removeprefix("?")
    code = _first(query, "record")
    if not code:
        return None
    record = Record.from_share(code)
    return record, read_seats(_first(query, "seats"), record, own), _first(query, "open") == "1"


def read_seats(
    text: str, record: Record, own: Mapping[str, BotLike] = MappingProxyType({})
) -> dict[int, BotLike]:
    """The bots by seat; an address without seats is for people."""
    names = text.split(",") if text else []
    if len(names) > record.game.players:
        raise RecordError(f"the address has {len(names)} seats, the game {record.game.players}")
    bots = {seat: name for seat, name in enumerate(names) if name != _PERSON}
    for name in set(bots.values()) - set(own):
        made = bot(name)
        if isinstance(made, MonteCarlo) and (made.rollouts or 0) > _MOST_FUTURES:
            raise RecordError(f"{quoted(name)} would think for hours")
    return {seat: own.get(name, name) for seat, name in bots.items()}


def _first(query: str, name: str) -> str:
    try:
        return parse_qs(query, max_num_fields=20).get(name, [""])[0]
    except ValueError:
        raise RecordError("the address has too many parts to be ours") from None
