"""A game on the page: the board, the legal moves, undo, and bots for the other seats."""

from __future__ import annotations

from collections.abc import Mapping

import ipywidgets

from castlelab.bots import Bot, bot
from castlelab.chance import Chance
from castlelab.game import Game, Move, load
from castlelab.record import Record
from castlelab.rules import CastlelabError
from castlelab.widgets.board import Board
from castlelab.widgets.controls import button, row

_LISTED = 12  # rows of the list of moves


class GameTable(ipywidgets.VBox):  # type: ignore[misc]
    """Play a game: pick a place to see its moves, choose one, or type it in notation.

    ``bots`` names a bot for each seat that it shall play, such as ``{1: "greedy"}``.
    """

    def __init__(
        self,
        game: Game | str = "castell",
        seed: int | str = 1,
        bots: Mapping[int, str] | None = None,
        record: Record | None = None,
    ) -> None:
        self.record = record or Record.start(load(game) if isinstance(game, str) else game, seed)
        self._bots: dict[int, Bot] = {seat: bot(name) for seat, name in (bots or {}).items()}
        for seat in self._bots:
            if seat not in range(self.record.game.players):
                last = self.record.game.players - 1
                raise CastlelabError(f"no seat {seat!r} for a bot; seats go from 0 to {last}")
        self._chance = Chance.seeded(f"table {seed}")
        self.board = Board(
            self.record.state.picture(),
            on_pick=self._pick,
            on_text=self.play,
            on_undo=self._undo,
            on_redo=self._redo,
            label=self.record.game.title,
            text_hint="A move in notation, such as: " + str(self.record.states[0].moves()[0]),
        )
        self._moves = ipywidgets.Select(
            description="Moves",
            rows=_LISTED,
            layout=ipywidgets.Layout(width="95%", max_width="520px"),
        )
        buttons = row(
            button("Play this move", self._play_chosen, self._fail, main=True),
            button("All moves", lambda: self._list(""), self._fail),
        )
        super().__init__(children=[self.board, self._moves, buttons])
        self.add_class("castlelab-table")
        self._let_bots_play()
        self._show("")

    @property
    def listed(self) -> tuple[str, ...]:
        """The moves on offer, in notation."""
        return tuple(self._moves.options)

    def play(self, move: Move | str) -> None:
        """Play a move; an illegal one raises and nothing changes."""
        self.record = self.record.play(move)
        words = f"Played: {self.record.moves[-1]}."
        self._show("\n".join([words, *self._let_bots_play()]))

    def _play_chosen(self) -> None:
        if self._moves.value is None:
            self._fail("Choose a move of the list first.")
            return
        self.play(self._moves.value)

    def _fail(self, words: str) -> None:
        self.board.say(words, ok=False)

    def _let_bots_play(self) -> list[str]:
        told = []
        while (seat := self.record.state.to_move) in self._bots:
            assert seat is not None
            move, self._chance = self._bots[seat].choose(self.record.state, self._chance)
            self.record = self.record.play(move)
            told.append(f"Seat {seat + 1} played: {move}.")
        return told

    def _pick(self, target: str) -> None:
        found = self.record.state.picture().target(target)
        self._list(target)
        self.board.say(found.name if found is not None else target)

    def _undo(self) -> None:
        self.record = self.record.undo()
        while self.record.state.to_move in self._bots:
            self.record = self.record.undo()
        self._show("Taken back.")

    def _redo(self) -> None:
        self.record = self.record.redo()
        while self.record.undone and self.record.state.to_move in self._bots:
            self.record = self.record.redo()
        self._show("Done again.")

    def _show(self, said: str) -> None:
        state = self.record.state
        self.board.show(state.picture(), "\n".join(filter(None, [said, state.describe()])))
        # What bots played before anybody else is not for taking back.
        self.board.can_undo = any(s.to_move not in self._bots for s in self.record.states[:-1])
        self.board.can_redo = bool(self.record.undone)
        self._list("")

    def _list(self, word: str) -> None:
        """Offer the moves that name a place, or all of them if none does."""
        moves = [str(move) for move in self.record.state.moves()]
        named = [move for move in moves if word and word.lower() in move.lower()]
        self._moves.options = named or moves
        self._moves.value = self._moves.options[0] if self._moves.options else None
