"""The room where games are played: choose one, play it, and find it again after a reload."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import ipywidgets

from castlelab.bots import BotLike
from castlelab.draw.card import card_scene
from castlelab.game import GAMES, game_class
from castlelab.record import Record
from castlelab.rules import CastlelabError
from castlelab.widgets.browser.connection import ConnectionWatch
from castlelab.widgets.browser.storage import BrowserStorage
from castlelab.widgets.card.rule_card import status_html, style
from castlelab.widgets.controls import html, layout
from castlelab.widgets.shown import ShownBox, Still
from castlelab.widgets.table.game_setup import CHOOSE, GameSetup, Setting
from castlelab.widgets.table.game_table import GameTable
from castlelab.widgets.table.last_games import LastGames
from castlelab.widgets.table.record_desk import RecordLoader
from castlelab.widgets.table.sitting import Sitting, game_in, read_query

_KEY = "castlelab-game"
_SAVED = "Go on with a game that was saved or shared."


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
        self.loader = RecordLoader(self._load, self.setup.own)
        self.lasts = LastGames(self._open, self._fail)
        saved = html(f'{style()}<h3>A saved game</h3><p class="castlelab-quiet">{_SAVED}</p>')
        beside = ipywidgets.VBox(children=[self.lasts, saved, self.loader], layout=layout())
        beside.add_class("castlelab-lasts")
        self._hall = ipywidgets.VBox(children=[self.setup, beside], layout=layout())
        self._hall.add_class("castlelab-hall")
        self._place = ipywidgets.VBox(layout=layout())  # empty, until it is known who comes
        self._place.add_class("castlelab-place")
        watch = ConnectionWatch(
            "The program behind this page has stopped. Your game is safe in this tab."
        )
        hidden = (self.storage, self.lasts.storage)
        super().__init__(children=[watch, self._said, self._place, *hidden], layout=layout())
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
        self._said.value = style()
        self.storage.kept = ""
        self._place.children = (self._hall,)
        if before is not None:
            self.setup.choose_like(before.sitting)
            before.close_down()

    def _start(self, setting: Setting) -> None:
        record = Record.start(setting.game, setting.seed)
        self._sit_down(Sitting(record, setting.bots, setting.open_table))

    def _sit_down(self, sitting: Sitting, welcome: str = "") -> None:
        before = self.table
        self._said.value = style()
        self.table = GameTable(
            record=sitting.record,
            bots=sitting.bots,
            open_table=sitting.open_table,
            own=self.setup.own,
            welcome=welcome,
            on_change=self._keep,
            on_again=self._again,
            on_load=self._load,
            on_leave=self.leave,
        )
        self._place.children = (self.table,)
        if before is not None:
            before.close_down()

    def _again(self) -> None:
        """The same game at the same table, with another number."""
        assert self.table is not None
        self._sit_down(replace(self.table.sitting, record=self.table.record.again()))

    def _load(self, sitting: Sitting) -> None:
        """A game from a file or a code; where that does not say who plays, it is as it was here."""
        if not sitting.has_seats:
            players = sitting.record.game.players
            bots, open_table = self.setup.bots(players), self.setup.open_table
            if self.table is not None and players == self.table.record.game.players:
                bots, open_table = self.table.bots, self.table.seats.open_table
            sitting = replace(sitting, bots=bots, open_table=open_table)
        self._sit_down(sitting, "This is the game that was saved.")

    def _open(self, query: str) -> None:
        """One of the last games."""
        found = read_query(query, self.setup.own)
        if found is not None:
            self._sit_down(found, "Going on with your game.")

    # -- the visitor's tab -------------------------------------------------------------------

    def _keep(self, table: GameTable) -> None:
        if not table.record.can_be_saved:
            return
        # This page knows its own bots by their names; nobody else does.
        mine = replace(table.sitting, bots=table.bot_names)
        self.storage.kept = mine.query
        if table.seats.have_the_turn(table.record.state) or table.record.state.over:
            self.lasts.note(mine)

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
            self._enter(f"The link cannot be opened: {error}.")
            return
        if shared is not None or game:
            self.storage.query = ""  # or a reload would go back to the moment of the link
        if shared is not None:
            self._sit_down(shared, "This game was shared with you.")
        elif game:
            self._enter()
        else:
            self._return_to(kept)

    def _enter(self, trouble: str = "") -> None:
        """Let somebody choose."""
        self._place.children = (self._hall,)
        if trouble:
            self._fail(trouble)

    def _return_to(self, kept: str) -> None:
        """Go on with the game that this tab has kept, if there is one."""
        try:
            found = read_query(kept, self.setup.own)
        except CastlelabError as error:
            self._enter(f"Your last game cannot be brought back: {error}.")
            return
        if found is None:
            self._enter()
        else:
            self._sit_down(found, "Going on with your game.")

    def _fail(self, words: str) -> None:
        self._said.value = style() + status_html("wrong", words)
