"""What stands at a table, and how it shows the game; what is done there is in ``game_table``."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from html import escape
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import ipywidgets

from castlelab.asking import Asked, answer
from castlelab.bots import BotLike, Seated, seated
from castlelab.game import SEAT_NAMES
from castlelab.record import Record
from castlelab.rules import CastlelabError
from castlelab.widgets.board.board import BOARD_LOCK, Action, BoardWidget
from castlelab.widgets.card.rule_card import style
from castlelab.widgets.controls import button, discard, html, icon_button, row, tell_open
from castlelab.widgets.shown import ShownBox, Still
from castlelab.widgets.table.bots_at_work import BotsAtWork
from castlelab.widgets.table.end_screen import end_html, leaps, turning_point
from castlelab.widgets.table.log import Log, Story
from castlelab.widgets.table.look_back import LookBack
from castlelab.widgets.table.moment import Moment
from castlelab.widgets.table.move_picker import MovePicker
from castlelab.widgets.table.players import players_html
from castlelab.widgets.table.reasons import Reasons
from castlelab.widgets.table.record_desk import RecordDesk
from castlelab.widgets.table.seats import Seats
from castlelab.widgets.table.sitting import Sitting
from castlelab.widgets.table.voice import Voice
from castlelab.widgets.table.zoom import Zoom


class TableFrame(ShownBox):
    """The parts of a table: the board or what takes its place, whose turn it is, the players,
    the log, the tools.
    """

    record: Record
    bots: dict[int, BotLike]
    seats: Seats
    board: BoardWidget
    picker: MovePicker
    work: BotsAtWork
    reasons: Reasons
    zoom: Zoom
    happened: Log
    headline: str  # whose turn it is, or what else there is to know first
    stage: ipywidgets.VBox
    tools: ipywidgets.VBox
    panel: ipywidgets.VBox
    players: ipywidgets.HTML
    _players: dict[int, Seated]
    _budget: float
    _moment: Moment
    _past: int | None  # the number of moves that is looked back at
    _shown: int  # the number of moves when the table was shown last
    _ended: tuple[str, ...]  # the game whose end is on the stage, by its moves
    _voice: Voice
    _reasons: dict[int, str]  # what bots have said to their moves, by number
    _story: Story
    _heading: ipywidgets.HTML
    _steps: tuple[ipywidgets.Button, ...]
    _hint_sign: ipywidgets.Button
    _more_sign: ipywidgets.Button
    _openers: dict[type[ipywidgets.Widget], ipywidgets.Button]  # of panels
    _mains: dict[str, tuple[ipywidgets.Button, list[Action]]]
    _on_leave: Action | None
    _own: dict[str, BotLike]  # bots that the room has brought, by name

    def play(self, move: Any) -> None:
        """Play a move."""
        raise NotImplementedError

    def look(self, number: int) -> None:
        """Show the game as it was after so many moves."""
        raise NotImplementedError

    def _show(self, said: str = "") -> None:
        raise NotImplementedError

    def _next_steps(self) -> tuple[ipywidgets.Button, ...]:
        raise NotImplementedError

    def branch(self, number: int) -> None:
        """Go on from an earlier moment."""
        raise NotImplementedError

    def _load(self, sitting: Sitting) -> None:
        raise NotImplementedError

    @property
    def _all_seats(self) -> range:
        return range(self.record.game.players)

    def _seat_bots(self, bots: dict[int, BotLike]) -> None:
        self.bots = bots
        self._players: dict[int, Seated] = {
            seat: seated(each, self._budget) for seat, each in bots.items()
        }

    def _people(self) -> list[int]:
        return [seat for seat in self._all_seats if seat not in self._players]

    @property
    def bot_names(self) -> dict[int, str]:
        """The seats that bots play, and what these are called."""
        return {seat: player.label for seat, player in self._players.items()}

    @property
    def sitting(self) -> Sitting:
        """The game and who plays it, as others may have it."""
        return Sitting(self.record, self.bots, self.seats.open_table)

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

    def still(self) -> Still:
        return self.board.still()

    # -- buttons -----------------------------------------------------------------------------------

    def _button(self, words: str, act: Action, *, main: bool = False) -> ipywidgets.Button:
        return button(words, self._in_turn(act), self.board.fail, main=main)

    def _sign(self, words: str, icon: str, act: Action) -> ipywidgets.Button:
        return icon_button(words, icon, self._in_turn(act), self.board.fail)

    def _in_turn(self, act: Action) -> Action:
        def in_turn() -> None:
            with BOARD_LOCK:  # a bot may be in the middle of a step
                act()

        return in_turn

    def _main(self, words: str, act: Action, *, main: bool = True) -> ipywidgets.Button:
        """A button for the tools, made only once: they change with every move."""
        if words not in self._mains:
            acts: list[Action] = []
            self._mains[words] = self._button(words, lambda: acts[0](), main=main), acts
        found, acts = self._mains[words]
        acts[:] = [act]
        return found

    def _offer_tools(self, *instead: ipywidgets.Button) -> None:
        """What can be done now and nothing else, at the right the one main thing to do."""
        deciding = self.seats.may_decide(self.record, self._past)
        signs: list[ipywidgets.Widget] = []
        if self._past is None and not self.seats.covered:
            signs += self._steps
        if deciding:
            signs += (self._hint_sign, self.reasons.toggle)
        if self.zoom.is_of_use and not self.stage.children:
            signs.append(self.zoom)
        main = instead or self._next_steps()
        self.tools.children = (*signs, self._more_sign, self.picker.question, *main)

    def _menu_buttons(self) -> list[ipywidgets.Button]:
        found = [*self._record_buttons("Look back", "Save or share")]
        self._openers = dict(zip((LookBack, RecordDesk), found, strict=True))
        if self._on_leave is not None:
            found.append(self._button("New game", self._ask_to_leave))
        return found

    def _record_buttons(self, look: str, keep: str) -> tuple[ipywidgets.Button, ipywidgets.Button]:
        """Buttons for what has been played: to look back at it, and to keep it."""
        back = (self.look, self.branch, self.board.fail)
        desk = (self._load, self._own)
        return (
            self._button(look, partial(self._open_panel, LookBack, *back)),
            self._button(keep, partial(self._open_panel, RecordDesk, *desk)),
        )

    def _open_panel(self, kind: type[LookBack] | type[RecordDesk], *handlers: Any) -> None:
        """Open a panel under More, or close it if it is open."""
        self.add_class("castlelab-more-open")  # the end of a game has these buttons, too
        before = self.panel.children
        is_open = any(isinstance(panel, kind) for panel in before)
        self.panel.children = () if is_open else (kind(*handlers),)
        self._tell_open_panel()
        for panel in before:
            discard(panel)
        if self._past is not None:
            self.look(len(self.record.moves))
        self._follow()

    def _tell_open_panel(self) -> None:
        """Let the buttons of the menu say which panel is open, if one is."""
        tell_open(self._more_sign, "castlelab-more-open" in self._dom_classes)
        for kind, opener in self._openers.items():
            tell_open(opener, any(isinstance(panel, kind) for panel in self.panel.children))

    def _more(self) -> None:
        """Show or hide what is seldom wanted."""
        is_open = "castlelab-more-open" in self._dom_classes
        (self.remove_class if is_open else self.add_class)("castlelab-more-open")
        self._tell_open_panel()

    # -- what is said and asked --------------------------------------------------------------------

    @property
    def _number(self) -> int:
        """How many moves have been made in what is shown."""
        return len(self.record.moves) if self._past is None else self._past

    @property
    def _audience(self) -> list[int]:
        """Who listens: of several people who hide things from one another, one at a time."""
        heard, eyes = self.seats.audience(self.record.state), self._moment.eyes
        return heard if eyes is None or len(heard) < 2 else [eyes]

    def _to_say(self, said: str) -> list[str]:
        """What is said when something has happened; what a seat sees waits behind the curtain."""
        moment = self._moment
        if self.seats.covered:
            return [moment.words]
        news: list[str] = []
        if self._past is None:
            self.board.sound(*self._voice.cues(self.record, self._audience))
            news = self._voice.news(self.record, self._audience)
        more = [moment.start.words, moment.words] if self._voice.way == "full" else []
        return [said, *news, *more]

    def _ask(self, word: str) -> None:
        """Ask something by a key."""
        if self.seats.covered:
            self._refuse_if_idle()
        self.board.say(answer(word, self._asked()) or "")

    def _asked(self) -> Asked:
        """What is asked about now: what those at the screen see, and where the focus is."""
        seen = self._moment.state
        assert seen is not None
        seat = self._moment.eyes
        if seat is None:
            seat = (self.record.state.to_move if self._past is None else seen.to_move) or 0
        deciding = self.seats.may_decide(self.record, self._past)
        return Asked(
            *(self.board.scene, self.board.focus, seen, seat),
            deciding=self.record.state if deciding else None,
            last=partial(self._voice.since, self.record, seat, self._number, self._audience),
        )

    # -- what is shown -----------------------------------------------------------------------------

    def _next_moment(self) -> Moment:
        """What is shown now, with marks where something has changed since the last moment."""
        last, moment = self._moment, self.seats.moment(self.record, self._past)
        number = len(self.record.moves) if self._past is None else self._past
        is_seen = moment.state is not None and last.state is not None
        if is_seen and moment.eyes == last.eyes and self._past is None and self._shown < number:
            moment.before = last
        elif moment.state is not None and number:
            moment.before = Moment.seen(self.record.states[number - 1], moment.eyes)
        return moment

    def _tell_turn(self) -> None:
        """Whose turn it is, and what to do. It is said by the board: nothing is spoken twice."""
        state, count = self.record.state, len(self.record.moves)
        seat = state.to_move
        if self._past is not None:
            head, seat = f"Looking back: after move {self._past} of {count}", None
        elif self.seats.covered:
            head, seat = f"{self.seats.next_name(state)} is next", self.seats.next_person(state)
        elif seat is None:
            winners = state.winners
            head, seat = self.seats.outcome(state), winners[0] if len(winners) == 1 else None
        elif self.seats.people == [seat]:
            head = "Your turn"
        else:
            head = f"{SEAT_NAMES[seat]} is to move"
        self.headline = head
        self.board.tell_turn(head)
        colour = "" if seat is None else f" castlelab-seat-{seat}"
        to_do = escape(self._moment.start.words)
        self._heading.value = (
            f'{style()}<div class="castlelab-turn{colour}"><p>{escape(head)}</p>'
            f'<p class="castlelab-to-do">{to_do}</p></div>'
        )
        you = self.seats.people[0] if len(self.seats.people) == 1 else None
        seen = self._moment.state
        if seen is not None:
            self.players.value = players_html(seen, self.bot_names, you)

    def _tell_story(self) -> None:
        lines = self._story.lines(
            self.record, self.seats.audience(self.record.state), self._reasons
        )
        self.happened.has_bots = bool(self._players)
        self.happened.follow(lines, (len(lines) if self._past is None else self._past) - 1)

    def _ask_to_leave(self) -> None:
        """Leave the game, after a question if it goes on."""
        assert self._on_leave is not None
        if self.record.state.over or not self.record.moves:
            self._on_leave()
            return
        self.board.say("Leave this game? It stays among your last games.")
        self._offer_tools(
            self._main("Leave it", self._on_leave),
            self._main("Play on", self._show, main=False),
        )

    def _follow(self) -> None:
        """Let the panel that is open know how far the game is."""
        for panel in self.panel.children:
            if isinstance(panel, RecordDesk):
                panel.follow(self.sitting)
            elif self._past is None:
                panel.follow(len(self.record.moves))

    # -- what takes the place of the board ---------------------------------------------------------

    def _show_end(self) -> None:
        """Put the end on the stage, once for every game."""
        if self._ended == self.record.moves:
            return
        self._ended = self.record.moves
        turning = turning_point(self.record)
        looks = [("See the turning point", turning)] if turning is not None else []
        looks += [(leap.told(self.record), leap.number) for leap in leaps(self.record)]
        again = [self._button(words, partial(self.look, number)) for words, number in looks]
        next_ = [
            self._button("See the board", self._leave_end),
            *self._record_buttons("See it move by move", "Save this game"),
        ]
        if self._on_leave is not None:
            next_.append(self._button("Play with other seats", self._on_leave))
        screen = end_html(
            self.record, self.seats.outcome(self.record.state), turning, self.bot_names
        )
        self._set_stage(html(style() + screen), row(*again), row(*next_))

    def _leave_end(self) -> None:
        if self.record.state.over and self.stage.children:
            self._set_stage()
            self._offer_tools()

    def _see_end(self) -> None:
        self._ended = ()
        self._show()

    def _set_stage(self, *parts: ipywidgets.Widget) -> None:
        """Let something take the place of the board, or give that back."""
        before, self.stage.children = self.stage.children, parts
        (self.add_class if parts else self.remove_class)("castlelab-staged")
        for part in before:
            discard(part)

    def _set_editor(self) -> None:
        """Where a game brings an editor for the move to be made, it takes the board's place."""
        maker = _move_editor(self.record.game.name)
        may_decide = self.seats.may_decide(self.record, self._past)
        seen = self._moment.state
        found = maker(seen, self.play, self.board.fail) if maker and may_decide and seen else None
        if found is not None or not self.record.state.over:
            self._ended = ()
            if found is not None or self.stage.children:
                self._set_stage(*(() if found is None else (found,)))


def _move_editor(game: str) -> Callable[..., ipywidgets.Widget | None] | None:
    """What makes an editor for moves of this game, where one of ours has that."""
    place = f"castlelab.widgets.{game}"
    found = import_module(place) if find_spec(place) is not None else None
    return getattr(found, "move_editor", None)
