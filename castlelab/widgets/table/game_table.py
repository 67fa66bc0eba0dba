"""A game on the page: people and bots at one table, to its end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import ipywidgets

from castlelab.asking import KEYS, understood
from castlelab.bots import (
    BUDGET,
    BotLike,
    Random,
    check_budget,
    is_one_bot,
    seated,
)
from castlelab.game import SEAT_NAMES, Game, Move, State, load
from castlelab.record import Record
from castlelab.rules import CastlelabError, IllegalMove, listed, quoted
from castlelab.telling import Meaning, in_words, is_secret, way_to
from castlelab.widgets.board.board import BOARD_LOCK, Action, BoardWidget, one_line
from castlelab.widgets.board.editor import in_lines
from castlelab.widgets.controls import discard, html
from castlelab.widgets.table.bots_at_work import BotsAtWork, luck
from castlelab.widgets.table.log import Log, Story
from castlelab.widgets.table.look_back import branched
from castlelab.widgets.table.menu import Menu
from castlelab.widgets.table.move_list import MoveList
from castlelab.widgets.table.move_picker import MovePicker
from castlelab.widgets.table.reasons import Reasons, explain_move, explain_target
from castlelab.widgets.table.seats import Seats
from castlelab.widgets.table.sitting import Sitting
from castlelab.widgets.table.table_frame import TableFrame
from castlelab.widgets.table.voice import Voice
from castlelab.widgets.table.zoom import Zoom

_ADVISER = "montecarlo"  # who is asked for a hint


class GameTable(TableFrame):
    """Play a game with people and bots: from its start, from a position, or on from a record.

    A game that is given by its name takes what ``castlelab.load`` takes:
    ``GameTable("castle_keep", players=3, way="empire")``.

    ``bots`` says who plays which seats, such as ``{1: "greedy"}`` or ``(None, MyBot())``, or is
    one bot for all of them. The other seats are for people, who share the screen: see
    :class:`Seats` for open tables. Moves are pointed at, chosen from the list or typed in
    notation. ``budget`` is how many seconds a bot of your own may take for a move.

    A room that the table stands in may bring its ``own`` bots by name, a ``welcome``, and what
    it wants to do when the game has changed, is to be played again or left, or another is loaded.
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
        own: Mapping[str, BotLike] | None = None,
        welcome: str = "",
        on_change: Callable[[GameTable], object] = lambda table: None,
        on_again: Action | None = None,
        on_load: Callable[[Sitting], object] | None = None,
        on_leave: Action | None = None,
        **options: Any,
    ) -> None:
        self.record = _record_of(game if record is None else record, seed, options)
        self._budget, self._own = check_budget(budget), dict(own or {})
        self._seat_bots(_by_seat(bots, self._all_seats))
        self._on_change, self._on_load = on_change, on_load
        self._on_again, self._on_leave = on_again or self._again, on_leave
        self._past: int | None = None  # the number of moves that is looked back at
        self._reasons: dict[int, str] = {}  # what bots have said to their moves, by number
        self._voice = Voice(self.record)
        self._shown = -1  # the number of moves when the table was shown last
        self._ended: tuple[str, ...] = ()  # the game whose end is on the stage, by its moves
        self._make_parts(open_table)
        super().__init__(
            children=[
                *(self.board, self.stage, self.turn, self.players, self.happened),
                *(self.menu, self.panel, self.reasons.rules, self.tools),
            ]
        )
        self.add_class("castlelab-table")
        if not self.moves.is_compact:
            self.add_class("castlelab-listed")
        self._tell_open_panel()
        self._go_on(welcome)

    def _make_parts(self, open_table: bool) -> None:
        start = self.record.game.start("example")
        self.seats = Seats(self._people(), open_table)
        self.seats.arrange(self.record.state)
        self._moment = self.seats.moment(self.record, None)
        self.board = BoardWidget(
            self._moment.scene,
            on_pick=self._pick,
            on_text=self._typed,
            on_undo=self._undo,
            on_redo=self._redo,
            on_mend=self.play,
            keys={key: partial(self._ask, word) for key, word in KEYS.items()},
            keys_help="Letters ask about the game: press ? to hear which; + enlarges the picture.",
            label=self.record.game.title,
            # From another game of the kind: what can be played here may be a secret.
            text_hint=f"A move in notation, such as: {start.moves()[0]}",
        )
        is_pointed = bool(self.record.states[0].point(()).offers)
        self.moves = MoveList(self.play, self.board.fail, self.board.say, compact=is_pointed)
        self.picker = MovePicker(self.board, self._moment, self.play, self.moves.show_those_of)
        self.work = BotsAtWork(self._button)
        self.reasons = Reasons(self._why_changed)
        self.zoom = Zoom(self.record.states[0].picture())
        self.stage, self.panel, self.tools = (ipywidgets.VBox() for _ in range(3))
        self._heading, self.players = html(), html()
        self.headline = ""  # whose turn it is, or what else there is to know first
        self.turn = ipywidgets.VBox([self._heading, self.work.line])
        self._story = Story()
        self.happened = Log(
            self.record.game, on_look=self.look, on_pace=self._set_pace, on_way=self._voice.speak
        )
        self.menu = Menu(self.record.game, self.moves, self._menu_buttons())
        self._mains: dict[str, tuple[ipywidgets.Button, list[Action]]] = {}
        self._steps = (
            self._sign("Undo", "undo", self.board.undo),
            self._sign("Redo", "redo", self.board.redo),
        )
        self._hint_sign = self._sign("Hint", "hint", self.hint)
        self._more_sign = self._sign("More", "more", self._more)
        for part, name in (
            *((self.stage, "stage"), (self.panel, "panel"), (self.tools, "tools")),
            *((self.turn, "turn"), (self.reasons.rules, "why")),
        ):
            part.add_class(f"castlelab-table-{name}")

    def close_down(self) -> None:
        """Nobody sits here any more: no bot thinks on, nothing is told."""
        with BOARD_LOCK:
            self.work.stop()
            self._on_change = lambda table: None
            discard(self)

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
            self._go_on()

    def _pick(self, target: str) -> None:
        self.work.stop_hint()
        self.work.skip()
        if self.reasons.wanted and self.seats.may_decide(self.record, self._past):
            self._tell(*explain_target(self.record.state, self.board.scene, target))
            return
        self.reasons.show_rules()
        if self.seats.covered:
            self._open_curtain()
        else:
            self.picker.pick(target)

    def _typed(self, text: str) -> None:
        if self.seats.covered:
            self._refuse_if_idle()
        found = understood(text, self._asked())
        if isinstance(found, str):
            self.board.say(found)
        elif self.reasons.wanted:
            self._refuse_if_idle()
            self._tell(*explain_move(self.record.state, text))
        else:
            self.play(found)

    def _open_curtain(self) -> None:
        self._voice.begin_for(self.record, self.seats.open_curtain(self.record.state))
        self._show()

    def _end_turn(self, move: Move) -> None:
        """Pick what ends a turn, as a hand would: the game may ask whether that is meant."""
        way = way_to(self.record.state, move)
        self.picker.begin_again()
        for target in way:
            self.picker.pick(target)
        if not way:
            self.play(move)

    def _undo(self) -> None:
        self.record = self.seats.undo(self.record)
        self._show_anew("Taken back.")

    def _redo(self) -> None:
        self.record = self.seats.redo(self.record)
        self._show_anew("Done again.")

    # -- bots --------------------------------------------------------------------------------

    def _set_pace(self, pace: str) -> None:
        self.work.pace = pace

    def _go_on(self, said: str = "") -> None:
        """Let bots play until a person is to move, then show how things stand."""
        self.work.stop()
        if self.record.state.to_move not in self._players:
            self._show(said)
            return
        self.work.start(
            self._bots_play(),
            between=self._show_work,
            at_end=partial(self._stop_for_people, said),
            at_failure=self._bot_failed,
        )

    def _bots_play(self) -> Iterator[object]:
        while (seat := self.record.state.to_move) in self._players:
            if self.work.is_watched:
                self._show()
            yield from self.work.think(self._players[seat], self.record.state, luck(self.record))
            if (thought := self.work.decide()) is None:
                raise CastlelabError("it thought of nothing")
            yield from self.work.look()
            self._play_for_bot(thought.move, thought.reason if self._players[seat].is_own else "")
            yield None

    def _play_for_bot(self, move: Move, reason: str = "") -> None:
        """Play a bot's move; its reason is told unless others may not know the move."""
        before = self.record.state
        self.record = self.record.play(move)
        audience = self.seats.audience(self.record.state)
        if reason and not any(is_secret(before, move, seat) for seat in audience):
            self._reasons[len(self.record.moves) - 1] = reason

    def _stop_for_people(self, said: str = "") -> None:
        self.work.stop()
        self._show(said)

    def _bot_failed(self, error: Exception) -> None:
        self._stop_for_people()
        seat = self.record.state.to_move
        if seat is None:
            raise error
        self.board.fail(f"{SEAT_NAMES[seat]} could not decide: {one_line(error)}")
        self._offer_tools(
            self._main("Let it play any move", self._play_anything),
            self._main("Play for it from now on", partial(self._take_seat, seat), main=False),
        )

    def _take_seat(self, seat: int) -> None:
        """A person takes the seat of a bot."""
        del self._players[seat], self.bots[seat]
        self.seats.welcome(seat)
        self._go_on(f"A person plays {SEAT_NAMES[seat]} now.")

    def _play_anything(self) -> None:
        """A move for a bot that failed."""
        self._play_for_bot(Random().choose(self.record.state, luck(self.record))[0])
        self._go_on()

    def _show_work(self) -> None:
        """A bot is at work: for a hint, or because it is its turn."""
        told = "Thinking about a hint …"
        seat = self.record.state.to_move
        if not self.work.is_for_hint and seat is not None:
            told = f"{SEAT_NAMES[seat]} is thinking …"
            if len(self.record.moves) != self._shown:
                self._show()
        hurry = self.work.hurry[self.work.is_for_hint]
        if hurry not in self.tools.children:
            self._offer_tools(hurry)
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
        self._offer_tools()
        if thought is None:
            self.board.fail("The bot thought of nothing.")
            return
        way = way_to(self.record.state, thought.move)
        advised = in_words(self.board.scene, way, thought.move)
        self.picker.begin_again(f"A bot would play: {advised}\n{thought.reason}", offered=way)
        self.moves.select(str(thought.move))

    def _adviser_failed(self, error: Exception) -> None:
        self.work.stop()
        self._offer_tools()
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
            self._past = None if number >= len(self.record.moves) else number
            self._leave_end()
            self._show("Back to now." if self._past is None else "")

    def branch(self, number: int) -> None:
        """Go on from an earlier moment, where that gives nobody an advantage."""
        with BOARD_LOCK:
            said = f"You go on after move {number}." if number else "You start again."
            self._put(branched(self.record, number, is_open=self.seats.open_table), said)

    def _load(self, sitting: Sitting) -> None:
        """Put another game on the table."""
        if self._on_load is not None:
            self._on_load(sitting)
            return
        game = sitting.record.game
        if repr(game) != repr(self.record.game):
            raise CastlelabError(f"this table is set for {self.record.game!r}, not {game!r}")
        if sitting.has_seats:
            self._seat_bots(dict(sitting.bots))
            self.seats = Seats(self._people(), sitting.open_table)
        self._put(sitting.record, "This is the game that was saved.")

    def _again(self) -> None:
        self._put(self.record.again(), "A new game.")

    def _put(self, record: Record, said: str) -> None:
        """Put another record on the table."""
        self.record = record
        self._reasons, self._ended = {}, ()
        self._voice.skip(record)
        self.seats.leave_screen()
        self._show_anew(said)

    # -- what is shown -----------------------------------------------------------------------

    def _show_anew(self, said: str) -> None:
        """Show how things stand after a leap."""
        self._past = None
        if self.seats.covered:
            self.seats.leave_screen()
        self._go_on(said)

    def _show(self, said: str = "") -> None:
        if self._past is None:
            self.seats.arrange(self.record.state)
        self.reasons.show_rules()
        self._moment = moment = self._next_moment()
        self._shown = len(self.record.moves) if self._past is None else self._past
        self._tell_turn()
        self.picker.show(moment, in_lines(*self._to_say(said)))
        self.board.can_undo = self.seats.last_decision(self.record) is not None
        self.board.can_redo = bool(self.record.undone)
        self.moves.follow(moment.moves)
        self._set_editor()
        if self.record.state.over and self._past is None:
            self._show_end()
        self._tell_story()
        self._offer_tools()
        self._follow()
        self._on_change(self)

    def _next_steps(self) -> tuple[ipywidgets.Button, ...]:
        """The one thing to do now, where there is only one."""
        state = self.record.state
        if self._past is not None:
            now = len(self.record.moves)
            return (self._main("Back to now", partial(self.look, now)),)
        if state.over:
            if not self.stage.children:
                return (self._main("See the result", self._see_end),)
            return (self._main("Play again", self._on_again),)
        if self.seats.covered:
            name = self.seats.next_name(state)
            return (self._main(f"I am {name}", self._open_curtain),)
        ends = [move for move in self._moment.moves if move.kind == "end"]
        if len(ends) != 1:
            return ()
        end = self._main("End turn", partial(self._end_turn, ends[0]))
        end.add_class("castlelab-end-turn")
        return (end,)


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
