"""A game on the page: people and bots at one table, to its end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

import ipywidgets

from castlelab.bots import Bot, Random, Thought, bot
from castlelab.chance import Chance
from castlelab.game import SEAT_NAMES, Game, Move, load
from castlelab.record import Record
from castlelab.rules import CastlelabError, IllegalMove, Rule
from castlelab.telling import Meaning, judged, meaning, way_to
from castlelab.widgets.board.board import BOARD_LOCK, one_line
from castlelab.widgets.card.rule_card import rule_html, style
from castlelab.widgets.controls import button, discard, html, row
from castlelab.widgets.table.record_desk import RecordDesk
from castlelab.widgets.table.shared_table import SharedTable
from castlelab.widgets.table.thinking import InSlices

_ADVISER = "montecarlo"  # who is asked for a hint
_RULES = 3  # rules that are shown in full at once
_WHY_WORDS = (
    "Pick anything, or type a move: you are told what may be done, and which rule says no. "
    "Press Why? again to play on."
)

Action = Callable[[], object]


class GameTable(SharedTable):
    """Play a game with people and bots.

    ``bots`` names a bot for each seat that it shall play, such as ``{1: "greedy"}``; all other
    seats are for people, who share the screen. See :class:`SharedTable` for open tables.
    """

    def __init__(
        self,
        game: Game | str = "castell",
        seed: int | str = 1,
        bots: Mapping[int, str] | None = None,
        record: Record | None = None,
        *,
        open_table: bool = True,
        on_change: Callable[[GameTable], object] = lambda table: None,
        on_again: Action | None = None,
        on_load: Callable[[Record], object] | None = None,
    ) -> None:
        record = record or Record.start(load(game) if isinstance(game, str) else game, seed)
        self.bots = dict(bots or {})
        self._players: dict[int, Bot] = {seat: bot(name) for seat, name in self.bots.items()}
        seats = range(record.game.players)
        for seat in self._players:
            if seat not in seats:
                raise CastlelabError(f"no seat {seat!r} for a bot; seats go from 0 to {seats[-1]}")
        self._on_change, self._on_load = on_change, on_load
        self._on_again = on_again or self._again
        self._work: InSlices | None = None
        self._is_asking = False  # whether the work is for a hint
        self._hurry = False  # whether somebody wants to see the end of it
        self._thought: Thought | None = None
        self._heard: list[str] = []  # what is to be told once the bots have played
        self._shown = -1  # the number of moves when the table was shown last
        self._working = row()
        self._rules = html(style())
        self._panel = ipywidgets.VBox()
        self._why = _toggle("Why?")
        self._why.observe(lambda _: self._why_changed(), "value")
        super().__init__(record, [seat for seat in seats if seat not in self._players], open_table)

    def _parts(self) -> list[ipywidgets.Widget]:
        board, question, moves, buttons = super()._parts()
        return [
            *(board, question, self._next_step, self._working),
            *(moves, buttons, self._rules, self._panel),
        ]

    def _buttons(self) -> list[ipywidgets.Widget]:
        return [
            *super()._buttons(),
            self._button("Hint", self.hint),
            self._why,
            self._button("Look back", lambda: self._open_panel(self._make_look_back())),
            self._button("Save or share", lambda: self._open_panel(self._make_desk())),
        ]

    def _button(self, words: str, act: Action, *, main: bool = False) -> ipywidgets.Button:
        def in_turn() -> None:
            with BOARD_LOCK:  # a bot may be in the middle of a step
                act()

        return button(words, in_turn, self._fail, main=main)

    def _begin(self) -> None:
        self._go_on([])

    def close_down(self) -> None:
        """Nobody sits here any more: no bot thinks on, nothing is told."""
        with BOARD_LOCK:
            self._rest()
            self._on_change = lambda table: None
            discard(self)

    # -- whose turn it is --------------------------------------------------------------------

    @property
    def thinking(self) -> bool:
        """Whether a bot is thinking, for itself or for a hint."""
        return self._work is not None

    @property
    def _is_bots_turn(self) -> bool:
        return self.record.state.to_move in self._players

    def _refuse_if_idle(self) -> None:
        super()._refuse_if_idle()
        seat = self.record.state.to_move
        if seat in self._players and seat is not None:
            doing = "is thinking" if self.thinking else "could not decide"
            raise CastlelabError(f"it is the turn of {SEAT_NAMES[seat]}, who {doing}")

    def play(self, move: Move | str) -> None:
        """Play a move; an illegal one raises and nothing changes."""
        with BOARD_LOCK:
            self._refuse_if_idle()
            self._rest()
            try:
                self.record = self.record.play(move)
            except IllegalMove as error:
                self._show_rules(breach.rule for breach in error.verdict.breaches)
                raise
            self._go_on([f"Played: {self.record.moves[-1]}."])

    def _go_on(self, told: list[str]) -> None:
        """Let bots play until a person is to move, then show how things stand."""
        self._rest()
        self._heard = told
        if self._is_bots_turn:
            self._start_work(self._bots_play(), self._stop_for_people, self._bot_failed)
        else:
            self._show("\n".join(told))

    def _show_anew(self, said: str) -> None:
        self._return_to_now()
        self._go_on([said])

    # -- bots --------------------------------------------------------------------------------

    def _start_work(
        self, steps: Iterator[object], at_end: Action, at_failure: Callable[[Exception], object]
    ) -> None:
        self._hurry, self._thought = False, None
        self._work = InSlices(steps, between=self._show_work, at_end=at_end, at_failure=at_failure)
        self._work.start()

    def _rest(self) -> None:
        """Give up what a bot is thinking about."""
        if self._work is not None:
            self._work.cancel()
        self._work, self._is_asking = None, False
        self._working.children = ()

    def _rest_from_asking(self) -> None:
        if self._is_asking:
            self._rest()

    def _bots_play(self) -> Iterator[None]:
        while (seat := self.record.state.to_move) in self._players:
            assert seat is not None
            yield from self._think(self._players[seat])
            if self._thought is None:
                raise CastlelabError("it thought of nothing")
            self._play_for_bot(self._thought.move)
            self._hurry, self._thought = False, None
            yield

    def _think(self, player: Bot) -> Iterator[None]:
        """What a bot thinks, until it is done or hurried."""
        for thought in player.think(self.record.state, self._luck()):
            self._thought = thought
            yield
            if self._hurry:
                break

    def _luck(self) -> Chance:
        """What a bot rolls: the same at the same place, so that undo does not roll again."""
        return Chance.seeded(f"table {self.record.seed}").split(len(self.record.moves))

    def _play_for_bot(self, move: Move) -> None:
        self.record = self.record.play(move)
        self._heard.append(self.record.told(len(self.record.moves) - 1, self._audience))

    def _stop_for_people(self) -> None:
        self._rest()
        self._show("\n".join(self._heard))

    def _bot_failed(self, error: Exception) -> None:
        self._stop_for_people()
        seat = self.record.state.to_move
        if seat is None:
            raise error
        self._fail(f"{SEAT_NAMES[seat]} could not decide: {one_line(error)}")
        self._next_step.children = (
            self._button("Let it play any move", self._play_anything, main=True),
        )

    def _play_anything(self) -> None:
        """A move for a bot that failed."""
        self._heard = []
        self._play_for_bot(Random().choose(self.record.state, self._luck())[0])
        self._go_on(self._heard)

    def _show_work(self) -> None:
        """A bot is at work: who, how far, and a button for those who will not wait."""
        told = "Thinking about a hint …"
        seat = self.record.state.to_move
        if not self._is_asking and seat is not None:
            told = f"{SEAT_NAMES[seat]} is thinking …"
            if len(self.record.moves) != self._shown:
                self._show("\n".join([*self._heard, told]))
        if not self._working.children:
            words = "Tell me now" if self._is_asking else "Play now"
            bar = ipywidgets.FloatProgress(min=0, max=1, layout={"width": "180px"})
            self._working.children = (html(), bar, self._button(words, self._hurry_up))
        label, bar, _ = self._working.children
        label.value = f"<span>{told}</span>"
        bar.value = self._thought.done if self._thought is not None else 0.0

    def _hurry_up(self) -> None:
        """Take the best so far."""
        self._hurry = True

    # -- hints and reasons -------------------------------------------------------------------

    def hint(self) -> None:
        """Ask a bot what it would do here, and why."""
        with BOARD_LOCK:
            if self.record.state.over:
                raise CastlelabError("the game is over; there is nothing left to advise")
            self._refuse_if_idle()
            self._rest()
            self._is_asking = True
            self._start_work(self._think(bot(_ADVISER)), self._advise, self._adviser_failed)

    def _advise(self) -> None:
        thought, state = self._thought, self.record.state
        self._rest()
        if thought is None:
            self._fail("The bot thought of nothing.")
            return
        self._begin_again(f"A bot would play: {thought.move}.\n{thought.reason}")
        if way := way_to(state, thought.move):
            self.board.show(self._picture(), self.board.said, offered=way)
        self._list("")
        if str(thought.move) in self._moves.options:
            self._moves.value = str(thought.move)

    def _adviser_failed(self, error: Exception) -> None:
        self._rest()
        self._fail(f"There is no hint: {one_line(error)}")

    def _why_changed(self) -> None:
        with BOARD_LOCK:
            # In words as well: a toggle tells its state by its looks alone.
            self._why.description = "Why? (on)" if self._why.value else "Why?"
            self._rest_from_asking()
            self._begin_again(_WHY_WORDS if self._why.value else self._prompt() or self._words())
            self._show_rules(())

    def _explain(self, target: str) -> None:
        """Say what may be done with a thing of the picture, and why not more."""
        state = self.record.state
        found = self.board.scene.target(target)
        name = found.name if found is not None else target
        told = meaning(state, target, [each.id for each in self.board.scene.targets])
        otherwise = state.point((target,)).words or "No move begins or ends here now."
        self._tell(
            told, [name if name[-1:] in ".!?" else f"{name}.", *(told.words or (otherwise,))]
        )

    def _explain_move(self, text: str) -> None:
        told = judged(self.record.state, [self.record.game.move(text)])
        self._tell(
            told, told.words if told.refused else [f"{text.strip()}: this may be played now."]
        )

    def _tell(self, told: Meaning, said: Iterable[str]) -> None:
        lit = () if told.legal else told.where
        self.board.show(self._picture(), "\n".join(said), lit=lit, offered=self._first_offers())
        self._show_rules(told.rules)

    def _show_rules(self, rules: Iterable[Rule]) -> None:
        """The rules that said no, in full."""
        cards = [rule_html(rule) for rule in dict.fromkeys(rules)]
        self._rules.value = style() + "".join(cards[:_RULES])

    # -- pointing and typing -----------------------------------------------------------------

    def _pick(self, target: str) -> None:
        self._rest_from_asking()
        if self._may_decide and self._why.value:
            self._explain(target)
        else:
            self._show_rules(())
            super()._pick(target)

    def _typed(self, text: str) -> None:
        if self._why.value:
            self._refuse_if_idle()
            self._explain_move(text)
        else:
            self.play(text)

    # -- looking back and records ------------------------------------------------------------

    def look(self, number: int) -> None:
        """Show the game as it was after so many moves; after all of them it is now."""
        with BOARD_LOCK:
            self._rest_from_asking()
            super().look(number)

    def _open_panel(self, panel: ipywidgets.Widget) -> None:
        """Open a panel below the buttons, or close it if it is open."""
        is_open = any(type(each) is type(panel) for each in self._panel.children)
        self._panel.children = () if is_open else (panel,)
        if self._past is not None:
            self.look(len(self.record.moves))

    def _make_desk(self) -> RecordDesk:
        desk = RecordDesk(self._load)
        desk.follow(self.record, self.bots, self.open_table)
        return desk

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

    def _show(self, said: str) -> None:
        self._shown = len(self.record.moves)
        self._show_rules(())
        super()._show(said)
        for panel in self._panel.children:
            if isinstance(panel, RecordDesk):
                panel.follow(self.record, self.bots, self.open_table)
        self._on_change(self)

    def _next_steps(self) -> tuple[ipywidgets.Widget, ...]:
        if self.record.state.over and self._past is None:
            return (self._button("Play again", self._on_again, main=True),)
        return super()._next_steps()


def _toggle(words: str) -> ipywidgets.ToggleButton:
    made = ipywidgets.ToggleButton(
        description=words, layout=ipywidgets.Layout(width="auto", height="auto", min_width="80px")
    )
    made.add_class("castlelab-button")
    return made
