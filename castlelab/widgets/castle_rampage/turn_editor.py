"""Find one turn of Castle Rampage: a table on which it is played, and taken back at will."""

from __future__ import annotations

from dataclasses import replace

import traitlets

from castlelab.draw.scene import Scene
from castlelab.game import Move, Pointing
from castlelab.games.castle_rampage.moves import END_TURN, EndTurn
from castlelab.games.castle_rampage.picture import table_scene, table_words
from castlelab.games.castle_rampage.play import RampageState
from castlelab.games.castle_rampage.pointing import END, PLAY_FIRST
from castlelab.games.castle_rampage.puzzle_lethal import AttackTurn, Lethal
from castlelab.record import Record
from castlelab.rules import CastlelabError, IllegalMove, Verdict
from castlelab.widgets.board.history import History
from castlelab.widgets.table.move_table import MoveTable

_PROMPT = "Pick a card of your hand. Leave the turn open: what counts is in it."
_NOTHING_MORE = "Nothing more can be done in this turn."
_ALL = (0, 1)  # in a puzzle the stacks of both lie open


class TurnEditor(MoveTable):
    """A table for a single turn. ``value`` is what has been played; observe it to follow along.

    The stacks of the enemy lie face up. Moves are pointed at, chosen from the list or typed,
    several with semicolons between them. The turn is never ended: what counts is in it.
    """

    value = traitlets.Instance(AttackTurn, args=())

    def __init__(self, state: RampageState) -> None:
        self.ask = Lethal(state)
        self._start = Record(state.game, 0, (), (state,))
        self._steps = History(self._start)
        super().__init__(self._start)

    @property
    def state(self) -> RampageState:
        """Where the turn stands."""
        state = self.record.state
        assert isinstance(state, RampageState)
        return state

    def play(self, move: Move | str) -> None:
        """Play a move, or several in notation: all of them or, if one is illegal, none."""
        moves = self.ask.read(move).moves if isinstance(move, str) else (move,)
        self._go_to(_played(self.record, moves), f"Played: {AttackTurn(moves)}.")

    def build(self, turn: AttackTurn | str) -> None:
        """Play a whole turn from the start; undo brings back what was played before."""
        moves = (self.ask.read(turn) if isinstance(turn, str) else turn).moves
        self._go_to(_played(self._start, moves), f"Played: {AttackTurn(moves)}." if moves else "")

    # -- what differs from a game ----------------------------------------------------------

    def _go_to(self, record: Record, words: str) -> None:
        self._steps.go(record)
        self.record = record
        self._show(words)

    def _undo(self) -> None:
        self.record = self._steps.back()
        self._show("Taken back.")

    def _redo(self) -> None:
        self.record = self._steps.again()
        self._show("Done again.")

    def _show(self, said: str) -> None:
        super()._show(said)
        # What was done at one go, such as a whole turn, is undone at one go.
        self._steps.tell(self.board)
        game = self.record.game
        self.value = AttackTurn(tuple(game.move(words) for words in self.record.moves))

    def _scene(self) -> Scene:
        return table_scene(self.state, face_up=_ALL)

    def _words(self) -> str:
        return table_words(self.state, face_up=_ALL)

    def _point(self, picks: tuple[str, ...]) -> Pointing:
        """As in a game, but for the end of the turn: nobody is asked for it."""
        pointing = super()._point(picks)
        offers = tuple(offer for offer in pointing.offers if offer != END)
        prompt = _PROMPT if offers else _NOTHING_MORE
        return replace(pointing, offers=offers, words=pointing.words.replace(PLAY_FIRST, prompt))

    def _legal(self) -> tuple[Move, ...]:
        return tuple(move for move in super()._legal() if move != END_TURN)


def _played(record: Record, moves: tuple[Move, ...]) -> Record:
    """The record with more moves of the same turn."""
    start = record
    for move in moves:
        if isinstance(move, EndTurn):
            raise CastlelabError("this is about one turn; leave it open and check what you have")
        try:
            record = record.play(move)
        except IllegalMove as error:
            if record is start:
                raise
            # What would mend it is a move of a moment that is not on the table.
            breaches = (replace(breach, mends=()) for breach in error.verdict.breaches)
            raise IllegalMove(move, Verdict(tuple(breaches))) from None
    return record


def editor_for(ask: object) -> TurnEditor:
    """The table for a puzzle that asks for a turn."""
    if not isinstance(ask, Lethal):
        raise CastlelabError(f"no editor for {ask!r}")
    return TurnEditor(ask.state)
