"""A game on the page: people and bots at one table, to its end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import ipywidgets

from castlelab.bots import (
    BUDGET,
    BotLike,
    Random,
    Seated,
    check_budget,
    is_one_bot,
    seated,
)
from castlelab.game import SEAT_NAMES, Game, Move, State, load
from castlelab.record import Record
from castlelab.rules import CastlelabError, IllegalMove, listed, quoted
from castlelab.telling import Meaning, is_secret, way_to
from castlelab.widgets.board.board import BOARD_LOCK, Action, BoardWidget, one_line
from castlelab.widgets.board.editor import in_lines
from castlelab.widgets.controls import button, discard, row
from castlelab.widgets.shown import ShownBox, Still
from castlelab.widgets.table.bots_at_work import BotsAtWork, luck
from castlelab.widgets.table.look_back import LookBack, branched, past_words
from castlelab.widgets.table.move_list import MoveList
from castlelab.widgets.table.move_picker import MovePicker
from castlelab.widgets.table.reasons import Reasons, explain_move, explain_target
from castlelab.widgets.table.record_desk import RecordDesk
from castlelab.widgets.table.seats import Seats

_ADVISER = "montecarlo"  # who is asked for a hint


class GameTable(ShownBox):
    """Play a game with people and bots: from its start, from a position, or on from a record.

    A game that is given by its name takes what ``castlelab.load`` takes:
    ``GameTable("castle_keep", players=3, way="empire")``.

    ``bots`` says who plays which seats, such as ``{1: "greedy"}`` or ``(None, MyBot())``, or is
    one bot for all of them. The other seats are for people, who share the screen: see
    :class:`Seats` for open tables. Moves are pointed at, chosen from the list or typed in
    notation. ``budget`` is how many seconds a bot of your own may take for a move.
    """

    def __init__(
        self,
        game: Game | State | Record | str = "castell",
        seed: int | str = 1,
        bots: Mapping[int, BotLike] | Sequence[BotLike | None] | BotLike | None = None,
        record: Record | None = None,
        *,
        budget: float = BUDGET,
        open_table: bool = True,
        on_change: Callable[[GameTable], object] = lambda table: None,
        on_again: Action | None = None,
        on_load: Callable[[Record], object] | None = None,
        **options: Any,
    ) -> None:
        self.record = _record_of(game if record is None else record, seed, options)
        seats = range(self.record.game.players)
        self.bots = _by_seat(bots, seats)
        self._players: dict[int, Seated] = {
            seat: seated(each, check_budget(budget)) for seat, each in self.bots.items()
        }
        self._on_change, self._on_load = on_change, on_load
        self._on_again = on_again or self._again
        self._past: int | None = None  # the number of moves that is looked back at
        self._heard: list[str] = []  # what is to be told once the bots have played
        self._shown = -1  # the number of moves when the table was shown last
        self._make_parts([seat for seat in seats if seat not in self._players], open_table)
        super().__init__(
            children=[
                *(self.board, self.picker.question, self._next_step, self.work.line),
                *(self.moves.choice, self._toolbar(), self.reasons.rules, self.panel),
            ]
        )
        self.add_class("castlelab-table")
        self._go_on([])

    def _make_parts(self, people: Iterable[int], open_table: bool) -> None:
        start = self.record.game.start("example")
        self.seats = Seats([*people], open_table)
        self.seats.arrange(self.record.state)
        self._moment = self.seats.moment(self.record, None)
        self.board = BoardWidget(
            self._moment.scene,
            on_pick=self._pick,
            on_text=self._typed,
            on_undo=self._undo,
            on_redo=self._redo,
            on_mend=self.play,
            label=self.record.game.title,
            # From another game of the kind: what can be played here may be a secret.
            text_hint=f"A move in notation, such as: {start.moves()[0]}",
        )
        is_pointed = bool(self.record.states[0].point(()).offers)
        self.moves = MoveList(self.play, self.board.fail, compact=is_pointed)
        self.picker = MovePicker(self.board, self._moment, self.play, self.moves.show_those_of)
        self.work = BotsAtWork(self._button)
        self.reasons = Reasons(self._why_changed)
        self.panel = ipywidgets.VBox()
        self._next_step = row()

    @property
    def bot_names(self) -> dict[int, str]:
        """The seats that bots play, and what these are called."""
        return {seat: player.label for seat, player in self._players.items()}

    def _toolbar(self) -> ipywidgets.HBox:
        back = (self.look, self.branch, self.board.fail)
        return row(
            *self.moves.buttons,
            self._button("Hint", self.hint),
            self.reasons.toggle,
            self._button("Look back", partial(self._open_panel, LookBack, *back)),
            self._button("Save or share", partial(self._open_panel, RecordDesk, self._load)),
        )

    def _button(self, words: str, act: Action, *, main: bool = False) -> ipywidgets.Button:
        def in_turn() -> None:
            with BOARD_LOCK:  # a bot may be in the middle of a step
                act()

        return button(words, in_turn, self.board.fail, main=main)

    def close_down(self) -> None:
        """Nobody sits here any more: no bot thinks on, nothing is told."""
        with BOARD_LOCK:
            self.work.stop()
            self._on_change = lambda table: None
            discard(self)

    def _refuse_if_idle(self) -> None:
        """Say why nothing can be decided now, if so."""
        if self._past is not None:
            raise CastlelabError("you are looking back; press Back to now to play on")
        state = self.record.state
        if self.seats.covered:
            name = self.seats.next_name(state)
            raise CastlelabError(f"the curtain is closed; it opens for {name}")
        if state.to_move in self._players:
            doing = "is thinking" if self.work.busy else "could not decide"
            raise CastlelabError(f"it is the turn of {SEAT_NAMES[state.to_move]}, who {doing}")

    # -- moves -------------------------------------------------------------------------------

    def play(self, move: Move | str) -> None:
        """Play a move; an illegal one raises and nothing changes."""
        with BOARD_LOCK:
            self._refuse_if_idle()
            self.work.stop()
            try:
                self.record = self.record.play(move)
            except IllegalMove as error:
                self.reasons.show_rules(breach.rule for breach in error.verdict.breaches)
                raise
            self._go_on([f"Played: {self.record.moves[-1]}."])

    def _pick(self, target: str) -> None:
        self.work.stop_hint()
        if self.reasons.wanted and self.seats.may_decide(self.record, self._past):
            self._tell(*explain_target(self.record.state, self.board.scene, target))
            return
        self.reasons.show_rules()
        if self.seats.covered:
            self._open_curtain()
        else:
            self.picker.pick(target)

    def _typed(self, text: str) -> None:
        if self.reasons.wanted:
            self._refuse_if_idle()
            self._tell(*explain_move(self.record.state, text))
        else:
            self.play(text)

    def _open_curtain(self) -> None:
        seat = self.seats.open_curtain(self.record.state)
        self._show(self.seats.news(self.record, seat))

    def _undo(self) -> None:
        self.record = self.seats.undo(self.record)
        self._show_anew("Taken back.")

    def _redo(self) -> None:
        self.record = self.seats.redo(self.record)
        self._show_anew("Done again.")

    # -- bots --------------------------------------------------------------------------------

    def _go_on(self, told: list[str]) -> None:
        """Let bots play until a person is to move, then show how things stand."""
        self.work.stop()
        self._heard = told
        if self.record.state.to_move in self._players:
            self.work.start(
                self._bots_play(),
                between=self._show_work,
                at_end=self._stop_for_people,
                at_failure=self._bot_failed,
            )
        else:
            self._show(in_lines(*told))

    def _bots_play(self) -> Iterator[None]:
        while (seat := self.record.state.to_move) in self._players:
            yield from self.work.think(self._players[seat], self.record.state, luck(self.record))
            if (thought := self.work.decide()) is None:
                raise CastlelabError("it thought of nothing")
            self._play_for_bot(thought.move, thought.reason if self._players[seat].is_own else "")
            yield

    def _play_for_bot(self, move: Move, reason: str = "") -> None:
        """Play a bot's move and tell it, with its reason unless others may not know the move."""
        before = self.record.state
        self.record = self.record.play(move)
        audience = self.seats.audience(self.record.state)
        told = self.record.told(len(self.record.moves) - 1, audience)
        if any(is_secret(before, move, seat) for seat in audience):
            reason = ""
        self._heard.append(f"{told} “{reason}”" if reason else told)

    def _stop_for_people(self) -> None:
        self.work.stop()
        self._show(in_lines(*self._heard))

    def _bot_failed(self, error: Exception) -> None:
        self._stop_for_people()
        seat = self.record.state.to_move
        if seat is None:
            raise error
        self.board.fail(f"{SEAT_NAMES[seat]} could not decide: {one_line(error)}")
        self._next_step.children = (
            self._button("Let it play any move", self._play_anything, main=True),
            self._button("Play for it from now on", partial(self._take_seat, seat)),
        )

    def _take_seat(self, seat: int) -> None:
        """A person takes the seat of a bot."""
        del self._players[seat], self.bots[seat]
        self.seats.welcome(seat)
        self._go_on([f"A person plays {SEAT_NAMES[seat]} now."])

    def _play_anything(self) -> None:
        """A move for a bot that failed."""
        self._heard = []
        self._play_for_bot(Random().choose(self.record.state, luck(self.record))[0])
        self._go_on(self._heard)

    def _show_work(self) -> None:
        """A bot is at work: for a hint, or because it is its turn."""
        told = "Thinking about a hint …"
        seat = self.record.state.to_move
        if not self.work.is_for_hint and seat is not None:
            told = f"{SEAT_NAMES[seat]} is thinking …"
            if len(self.record.moves) != self._shown:
                self._show(in_lines(*self._heard, told))
        self.work.show(told)

    # -- hints and reasons -------------------------------------------------------------------

    def hint(self) -> None:
        """Ask a bot what it would do here, and why."""
        with BOARD_LOCK:
            if self.record.state.over:
                raise CastlelabError("the game is over; there is nothing left to advise")
            self._refuse_if_idle()
            self.work.start(
                self.work.think(seated(_ADVISER), self.record.state, luck(self.record)),
                between=self._show_work,
                at_end=self._advise,
                at_failure=self._adviser_failed,
                is_for_hint=True,
            )

    def _advise(self) -> None:
        thought = self.work.decide()
        self.work.stop()
        if thought is None:
            self.board.fail("The bot thought of nothing.")
            return
        self.picker.begin_again(
            f"A bot would play: {thought.move}.\n{thought.reason}",
            offered=way_to(self.record.state, thought.move),
        )
        self.moves.select(str(thought.move))

    def _adviser_failed(self, error: Exception) -> None:
        self.work.stop()
        self.board.fail(f"There is no hint: {one_line(error)}")

    def _why_changed(self, words: str) -> None:
        with BOARD_LOCK:
            self.work.stop_hint()
            self.picker.begin_again(words or self._moment.start.words or self._moment.words)
            self.reasons.show_rules()

    def _tell(self, told: Meaning, said: Iterable[str]) -> None:
        self.picker.begin_again(in_lines(*said), lit=() if told.legal else told.where)
        self.reasons.show_rules(told.rules)

    # -- looking back and records ------------------------------------------------------------

    def look(self, number: int) -> None:
        """Show the game as it was after so many moves; after all of them it is now."""
        with BOARD_LOCK:
            self.work.stop_hint()
            if self.seats.covered:
                self._refuse_if_idle()
            is_now = number >= len(self.record.moves)
            self._past = None if is_now else number
            audience = self.seats.audience(self.record.state)
            self._show("Back to now." if is_now else past_words(self.record, number, audience))

    def branch(self, number: int) -> None:
        """Go on from an earlier moment, where that gives nobody an advantage."""
        with BOARD_LOCK:
            said = f"You go on after move {number}." if number else "You start again."
            self._put(branched(self.record, number, is_open=self.seats.open_table), said)

    def _open_panel(self, kind: type[LookBack] | type[RecordDesk], *handlers: Any) -> None:
        """Open a panel below the buttons, or close it if it is open."""
        before = self.panel.children
        is_open = any(isinstance(panel, kind) for panel in before)
        self.panel.children = () if is_open else (kind(*handlers),)
        for panel in before:
            discard(panel)
        if self._past is not None:
            self.look(len(self.record.moves))
        self._follow()

    def _follow(self) -> None:
        """Let the panel that is open know how far the game is."""
        for panel in self.panel.children:
            if isinstance(panel, RecordDesk):
                panel.follow(self.record, self._travelling(), self.seats.open_table)
            elif self._past is None:
                panel.follow(len(self.record.moves))

    def _travelling(self) -> dict[int, str]:
        """The bots that can be sent to others by name; elsewhere people take the other seats."""
        return {seat: each for seat, each in self.bots.items() if isinstance(each, str)}

    def _load(self, record: Record) -> None:
        """Put another game on the table."""
        if self._on_load is not None:
            self._on_load(record)
            return
        if repr(record.game) != repr(self.record.game):
            raise CastlelabError(f"this table is set for {self.record.game!r}, not {record.game!r}")
        self._put(record, "This is the game that was saved.")

    def _again(self) -> None:
        self._put(self.record.again(), "A new game.")

    def _put(self, record: Record, said: str) -> None:
        """Put another record on the table."""
        self.record = record
        self.seats.leave_screen()
        self._show_anew(said)

    # -- what is shown -----------------------------------------------------------------------

    def still(self) -> Still:
        return self.board.still()

    def _show_anew(self, said: str) -> None:
        """Show how things stand after a leap."""
        self._past = None
        if self.seats.covered:
            self.seats.leave_screen()
        self._go_on([said])

    def _show(self, said: str) -> None:
        if self._past is None:
            self.seats.arrange(self.record.state)
        self._shown = len(self.record.moves)
        self.reasons.show_rules()
        self._moment = moment = self.seats.moment(self.record, self._past)
        outcome = self.seats.outcome(self.record.states[-1 if self._past is None else self._past])
        told = (moment.words, "" if outcome in moment.words else outcome, moment.start.words)
        self.picker.show(moment, in_lines("" if self.seats.covered else said, *told))
        self.board.can_undo = self.seats.last_decision(self.record) is not None
        self.board.can_redo = bool(self.record.undone)
        self.moves.follow(moment.moves)
        self._next_step.children = self._next_steps()
        self._follow()
        self._on_change(self)

    def _next_steps(self) -> tuple[ipywidgets.Widget, ...]:
        """The one thing to do now, where there is only one."""
        state = self.record.state
        if state.over and self._past is None:
            return (self._button("Play again", self._on_again, main=True),)
        if self.seats.covered:
            name = self.seats.next_name(state)
            return (button(f"I am {name}", self._open_curtain, self.board.fail, main=True),)
        return ()


def _by_seat(bots: Any, seats: range) -> dict[int, BotLike]:
    """The bots by seat."""
    if bots is None:
        return {}
    if is_one_bot(bots):
        return dict.fromkeys(seats, bots)
    if isinstance(bots, Sequence):
        if len(bots) > len(seats):
            raise CastlelabError(f"{len(bots)} bots are too many for {len(seats)} seats")
        return {seat: each for seat, each in enumerate(bots) if each is not None}
    if not isinstance(bots, Mapping):
        wanted = 'a bot, one for each seat, or bots by seat such as {1: "greedy"}'
        raise CastlelabError(f"bots are {wanted}, not {quoted(bots)}")
    for seat in bots:
        if type(seat) is not int or seat not in seats:
            raise CastlelabError(f"no seat {seat!r} for a bot; seats go from 0 to {seats[-1]}")
    return dict(bots)


def _record_of(game: object, seed: int | str, options: dict[str, Any]) -> Record:
    """The record with which a table begins."""
    if options and not isinstance(game, str):
        raise CastlelabError(
            f"{listed(list(options))} cannot be chosen any more, for this game is set up already; "
            "options go with the name of a game, as in GameTable('castle_keep', way='empire')"
        )
    if isinstance(game, Record):
        return game
    if isinstance(game, State):
        return Record.begin_at(game)
    if isinstance(game, str):
        game = load(game, **options)
    if not isinstance(game, Game):
        wanted = "the name of a game, a game, a state or a record"
        raise CastlelabError(f"a table is for {wanted}, not {quoted(game)}")
    return Record.start(game, seed)
