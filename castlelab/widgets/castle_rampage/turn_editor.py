"""Find one turn of Castle Rampage: a table on which it is played, and taken back at will."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import ipywidgets
import traitlets

from castlelab.draw.scene import Scene
from castlelab.game import SEAT_NAMES, Move, Pointing, Question
from castlelab.games.castle_rampage.asking import open_questions
from castlelab.games.castle_rampage.moves import END_TURN, EndTurn
from castlelab.games.castle_rampage.picture import battle_scene, table_words
from castlelab.games.castle_rampage.play import RampageState
from castlelab.games.castle_rampage.pointing import END, PLAY_FIRST
from castlelab.games.castle_rampage.puzzle_lethal import AttackTurn, Lethal
from castlelab.record import Record
from castlelab.rules import LEGAL, CastlelabError, IllegalMove, Verdict, listed
from castlelab.widgets.board.editor import BoardEditor, in_lines
from castlelab.widgets.controls import layout, row
from castlelab.widgets.table.moment import Moment
from castlelab.widgets.table.move_list import MoveList
from castlelab.widgets.table.move_picker import MovePicker

_PROMPT = "Pick a card of your hand."
_NOTHING_MORE = "Nothing more can be done in this turn."
_ALL = (0, 1)  # in a puzzle the stacks of both lie open


class TurnEditor(BoardEditor[Record]):
    """A table for a single turn. ``value`` is what has been played; observe it to follow along.

    The stacks of the enemy lie face up. Moves are pointed at, chosen from the list or typed,
    several with semicolons between them. The turn is never ended: what counts is in it.
    """

    value = traitlets.Instance(AttackTurn, args=())

    def __init__(self, state: RampageState) -> None:
        self.ask = Lethal(state)
        self._start = Record(state.game, 0, (), (state,))
        super().__init__(
            self._start,
            on_mend=self.play,
            label="Turn",
            text_hint=f"A move in notation, such as: {state.moves()[0]}",
        )
        moment = _moment(state)
        self.moves = MoveList(
            self.play, self._fail, self.board.say, compact=bool(moment.start.offers)
        )
        self.picker = MovePicker(self.board, moment, self.play, self.moves.show_those_of)
        moves = ipywidgets.VBox([self.moves.choice, row(*self.moves.buttons)], layout=layout())
        moves.add_class("castlelab-moves")
        self.children = (self.board, self.picker.question, moves)
        self._show_step("")

    @property
    def record(self) -> Record:
        """What has been played."""
        return self._now

    @property
    def state(self) -> RampageState:
        """Where the turn stands."""
        state = self.record.state
        assert isinstance(state, RampageState)
        return state

    def play(self, move: Move | str) -> None:
        """Play a move, or several in notation: all of them or, if one is illegal, none."""
        moves = self.ask.read(move).moves if isinstance(move, str) else (move,)
        self._turn_to(_played(self.record, moves), len(moves))

    def build(self, turn: AttackTurn | str) -> None:
        """Play a whole turn from the start; undo brings back what was played before."""
        moves = (self.ask.read(turn) if isinstance(turn, str) else turn).moves
        self._turn_to(_played(self._start, moves), len(moves))

    # -- the rest --------------------------------------------------------------------------

    def _turn_to(self, record: Record, played: int) -> None:
        """Show where a turn stands, and tell the moves that were played last."""
        first = len(record.moves) - played
        told = [record.spoken(number, last=False) for number in range(first, len(record.moves))]
        if record.state.over:
            told.append(f"{listed([SEAT_NAMES[seat] for seat in record.state.winners])} has won.")
        self._go(record, in_lines(*told))

    def _pick(self, target: str) -> None:
        self.picker.pick(target)

    def _write(self, text: str) -> None:
        self.play(text)

    def _game(self) -> RampageState:
        return self.state

    def _may_ask(self) -> tuple[Question, ...]:
        return open_questions(self.state, table_words(self.state, face_up=_ALL))

    def _scene(self) -> Scene:
        return battle_scene(self.state, face_up=_ALL)

    def _made(self) -> AttackTurn:
        return AttackTurn(tuple(map(self.record.game.move, self.record.moves)))

    def _show(self, words: str, verdict: Verdict = LEGAL) -> None:
        moment = _moment(self.state)
        prompt = "" if words and moment.start.offers else moment.start.words  # said once
        self.picker.show(moment, in_lines(words, prompt))
        self.moves.follow(moment.moves)


def _moment(state: RampageState) -> Moment:
    """As in a game, but all lies open, and nobody is asked for the end of the turn."""
    return Moment(
        partial(battle_scene, state, face_up=_ALL),
        partial(table_words, state, face_up=_ALL),
        partial(_point, state),
        lambda: tuple(move for move in state.moves() if move != END_TURN),
    )


def _point(state: RampageState, picks: tuple[str, ...]) -> Pointing:
    pointing = state.point(picks)
    offers = tuple(offer for offer in pointing.offers if offer != END)
    prompt = _PROMPT if offers else _NOTHING_MORE
    return replace(pointing, offers=offers, words=pointing.words.replace(PLAY_FIRST, prompt))


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


def editor_for(ask: Lethal) -> TurnEditor:
    """The table for a puzzle that asks for a turn."""
    return TurnEditor(ask.state)
