"""The room where games are played: choose one, play it, and find it again after a reload."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import ipywidgets

from castlelab.bots import BotLike
from castlelab.draw.card import card_scene
from castlelab.game import GAMES, game_class
from castlelab.record import Record
from castlelab.rules import CastlelabError
from castlelab.widgets.browser.connection import ConnectionWatch
from castlelab.widgets.browser.storage import BrowserStorage
from castlelab.widgets.card.rule_card import status_html, style
from castlelab.widgets.controls import button, html, layout, row
from castlelab.widgets.shown import ShownBox, Still
from castlelab.widgets.table.game_setup import CHOOSE, GameSetup, Setting
from castlelab.widgets.table.game_table import GameTable
from castlelab.widgets.table.record_desk import RecordLoader, game_in, read_query, shared_query

_KEY = "castlelab-game"
_SAVED = "Or go on with a game that was saved or shared, with who sits where as chosen above."


class GameRoom(ShownBox):
    """First the choices, then the table.

    A game in the address (``?record=…``) is put on the table, and ``?game=castell`` is chosen
    already. The running game is kept in the visitor's tab, so a page that is loaded again goes
    on with it. Your own ``bots`` can be chosen for any seat.
    """

    def __init__(self, bots: Sequence[BotLike] = ()) -> None:
        self.storage = BrowserStorage(key=_KEY, where="tab")
        self.setup = GameSetup(self._start, bots=bots)
        self.table: GameTable | None = None
        self._said = html(style())
        self._leaving = row(button("New game", self.leave, self._fail))
        saved = html(f'{style()}<p class="castlelab-quiet">{_SAVED}</p>')
        self.loader = RecordLoader(self._load)
        self._hall = (self.setup, saved, self.loader)
        self._place = ipywidgets.VBox(children=self._hall, layout=layout())
        watch = ConnectionWatch(
            "The program behind this page has stopped. Your game is safe in this tab."
        )
        super().__init__(children=[watch, self._said, self._place, self.storage], layout=layout())
        self.add_class("castlelab-room")
        self.storage.on_ready(self._welcome)

    def still(self) -> Still:
        if self.table is not None:
            return self.table.still()
        games = [game_class(name).title for name in GAMES]
        return Still.of(card_scene(CHOOSE, choices=games), CHOOSE)

    def leave(self) -> None:
        """Away from the table, back to the choices."""
        before, self.table = self.table, None
        self._say("")
        self.storage.kept = ""
        self._place.children = self._hall
        if before is not None:
            before.close_down()

    def _start(self, setting: Setting) -> None:
        record = Record.start(setting.game, setting.seed)
        self._sit_down(record, setting.bots, setting.open_table)

    def _sit_down(
        self, record: Record, bots: Mapping[int, BotLike], open_table: bool, said: str = ""
    ) -> None:
        before = self.table
        self._say(said)
        self.table = GameTable(
            record=record,
            bots=bots,
            open_table=open_table,
            on_change=self._keep,
            on_again=self._again,
            on_load=self._load,
        )
        self._place.children = (self.table, self._leaving)
        if before is not None:
            before.close_down()

    def _again(self) -> None:
        """The same game at the same table, with another number."""
        assert self.table is not None
        self._sit_down(self.table.record.again(), self.table.bots, self.table.seats.open_table)

    def _load(self, record: Record) -> None:
        if self.table is None:
            bots, open_table = self.setup.bots(record.game.players), self.setup.open_table
        else:
            same = record.game.players == self.table.record.game.players
            bots, open_table = (self.table.bots if same else {}), self.table.seats.open_table
        self._sit_down(record, bots, open_table, "This is the game that was saved.")

    # -- the visitor's tab -------------------------------------------------------------------

    def _keep(self, table: GameTable) -> None:
        self.storage.kept = shared_query(table.record, table.bot_names, table.seats.open_table)

    def _welcome(self) -> None:
        """Somebody has come: by a link, or back to a game."""
        if self.table is not None:
            return  # the page is faster than its storage, and a game has begun
        linked, kept = self.storage.query, self.storage.kept
        try:
            shared, game = read_query(linked, self.setup.own), game_in(linked)
            if game and shared is None:
                self.setup.choose(game)
        except CastlelabError as error:
            self._fail(f"The link cannot be opened: {error}.")
            return
        if shared is not None or game:
            self.storage.query = ""  # or a reload would go back to the moment of the link
        if shared is not None:
            self._sit_down(*shared, "This game was shared with you.")
        elif not game:
            self._return_to(kept)

    def _return_to(self, kept: str) -> None:
        """Go on with the game that this tab has kept, if there is one."""
        try:
            found = read_query(kept, self.setup.own)
        except CastlelabError as error:
            self._fail(f"Your last game cannot be brought back: {error}.")
            return
        if found is not None:
            self._sit_down(*found, "Going on with your game. New game, below, starts anew.")

    def _say(self, words: str) -> None:
        self._said.value = style() + (status_html("hint", words) if words else "")

    def _fail(self, words: str) -> None:
        self._said.value = style() + status_html("wrong", words)
