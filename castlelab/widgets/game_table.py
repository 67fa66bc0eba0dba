"""A game on the page: people and bots at one table, to its end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import ipywidgets

from castlelab.bots import Bot, Random, Thought, bot
from castlelab.chance import Chance
from castlelab.draw.curtain import curtain_scene
from castlelab.draw.scene import Scene
from castlelab.draw.theme import SEAT_NAMES
from castlelab.explain import Meaning, judged, meaning, way_to
from castlelab.game import Game, Move, State, load
from castlelab.hindsight import hides, is_secret
from castlelab.record import Record
from castlelab.rules import CastlelabError, IllegalMove, Rule, listed
from castlelab.widgets.board import TURN
from castlelab.widgets.controls import button, html, row
from castlelab.widgets.look_back import LookBack
from castlelab.widgets.move_table import MoveTable
from castlelab.widgets.record_desk import RecordDesk
from castlelab.widgets.rule_card import rule_html, style
from castlelab.widgets.thinking import InSlices

_ADVISER = "montecarlo"  # who is asked for a hint
_NEWS = 12  # moves of the others that are told to somebody who comes back to the screen
_RULES = 3  # rules that are shown in full at once

Act = Callable[[], object]


class GameTable(MoveTable):
    """Play a game with people and bots.

    ``bots`` names a bot for each seat that it shall play, such as ``{1: "greedy"}``; all other
    seats are for people, who share the screen. At an open table anything may be taken back.
    Otherwise nothing is that brought something hidden to light, and where people hide things
    from one another a curtain falls between their turns.
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
        on_again: Act | None = None,
        on_load: Callable[[Record], object] | None = None,
    ) -> None:
        record = record or Record.start(load(game) if isinstance(game, str) else game, seed)
        self.bots = dict(bots or {})
        self.open_table = open_table
        self._players: dict[int, Bot] = {seat: bot(name) for seat, name in self.bots.items()}
        seats = range(record.game.players)
        for seat in self._players:
            if seat not in seats:
                raise CastlelabError(f"no seat {seat!r} for a bot; seats go from 0 to {seats[-1]}")
        self._people = [seat for seat in seats if seat not in self._players]
        self._on_change, self._on_load = on_change, on_load
        self._on_again = on_again or self._again
        self._viewer: int | None = None  # who of the people is at the screen
        self._covered = False  # whether the curtain is closed
        self._past: int | None = None  # the number of moves that is looked back at
        self._work: InSlices | None = None
        self._is_asking = False  # whether the work is for a hint
        self._hurry = False  # whether somebody wants to see the end of it
        self._thought: Thought | None = None
        self._told: list[str] = []
        self._next_step = row()
        self._working = row()
        self._rules = html(style())
        self._panel = ipywidgets.VBox()
        self._look_back: LookBack | None = None
        self._why = _toggle("Why?")
        self._why.observe(lambda _: self._why_changed(), "value")
        super().__init__(record)

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
            self._button("Look back", self._toggle_look_back),
            self._button("Save or share", self._toggle_desk),
        ]

    def _button(self, words: str, act: Act, *, main: bool = False) -> ipywidgets.Button:
        def in_turn() -> None:
            with TURN:  # a bot may be in the middle of a step
                act()

        return button(words, in_turn, self._fail, main=main)

    def _example(self) -> str:
        # From another game of the kind: what can be played here may be a secret.
        return str(self.record.game.start("example").moves()[0])

    def _begin(self) -> None:
        self._go_on([])

    # -- whose turn it is --------------------------------------------------------------------

    @property
    def covered(self) -> bool:
        """Whether the curtain is closed."""
        return self._covered

    @property
    def thinking(self) -> bool:
        """Whether a bot is thinking, for itself or for a hint."""
        return self._work is not None

    @property
    def _is_bots_turn(self) -> bool:
        return self.record.state.to_move in self._players

    @property
    def _may_decide(self) -> bool:
        """Whether somebody at the screen is to choose a move."""
        state = self.record.state
        return not (state.over or self._covered or self._is_bots_turn or self._past is not None)

    def _refuse_if_idle(self) -> None:
        """Say why nothing can be decided now, if so."""
        seat = self.record.state.to_move
        if self._past is not None:
            raise CastlelabError("you are looking back; press Back to now to play on")
        if self._covered and seat is not None:
            raise CastlelabError(f"the curtain is closed; it opens for {SEAT_NAMES[seat]}")
        if self._is_bots_turn and seat is not None:
            doing = "is thinking" if self.thinking else "could not decide"
            raise CastlelabError(f"it is the turn of {SEAT_NAMES[seat]}, who {doing}")

    def play(self, move: Move | str) -> None:
        """Play a move; an illegal one raises and nothing changes."""
        with TURN:
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
        self._told = told
        if self._is_bots_turn:
            self._start_work(self._bots_play(), self._stop_for_people, self._bot_failed)
        else:
            self._show("\n".join(told))

    def close_down(self) -> None:
        """Nobody sits here any more: no bot thinks on, nothing is told."""
        with TURN:
            self._rest()
            self._on_change = lambda table: None

    # -- bots --------------------------------------------------------------------------------

    def _start_work(
        self, steps: Iterator[object], at_end: Act, at_failure: Callable[[Exception], object]
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

    def _bots_play(self) -> Iterator[None]:
        while (seat := self.record.state.to_move) in self._players:
            assert seat is not None
            state = self.record.state
            yield from self._think(self._players[seat])
            if self._thought is None:
                raise CastlelabError("it thought of nothing")
            self._told.append(self._told_of(state, self._thought.move, self._audience))
            self.record = self.record.play(self._thought.move)
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

    def _stop_for_people(self) -> None:
        self._rest()
        self._show("\n".join(self._told))

    def _bot_failed(self, error: Exception) -> None:
        self._rest()
        self._show("\n".join(self._told))
        seat = self.record.state.to_move
        assert seat is not None
        self._fail(f"{SEAT_NAMES[seat]} could not decide: {' '.join(str(error).split())}")
        self._next_step.children = (
            self._button("Let it play any move", self._play_anything, main=True),
        )

    def _play_anything(self) -> None:
        """A move for a bot that failed."""
        move, _ = Random().choose(self.record.state, self._luck())
        told = self._told_of(self.record.state, move, self._audience)
        self.record = self.record.play(move)
        self._go_on([told])

    def _show_work(self) -> None:
        """A bot is at work: who, how far, and a button for those who will not wait."""
        if not self._working.children:
            words = "Tell me now" if self._is_asking else "Play now"
            self._working.children = (
                html(),
                ipywidgets.FloatProgress(min=0, max=1, layout={"width": "180px"}),
                self._button(words, self._hurry_up),
            )
        if self._is_asking:
            told = "Thinking about a hint …"
        else:
            seat = self.record.state.to_move
            told = f"{SEAT_NAMES[seat]} is thinking …" if seat is not None else ""
            if len(self.record.moves) != self._shown:
                self._show("\n".join([*self._told, told]))
        label, bar, _ = self._working.children
        label.value = f"<span>{told}</span>"
        bar.value = self._thought.done if self._thought is not None else 0.0

    def _hurry_up(self) -> None:
        """Take the best so far."""
        self._hurry = True

    # -- hints and reasons -------------------------------------------------------------------

    def hint(self) -> None:
        """Ask a bot what it would do here, and why."""
        with TURN:
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
        way = way_to(state, thought.move)
        self._begin_again(f"A bot would play: {thought.move}.\n{thought.reason}")
        if way:
            self.board.show(self._picture(), self.board.said, offered=way)
        self._list("")
        if str(thought.move) in self._moves.options:
            self._moves.value = str(thought.move)

    def _adviser_failed(self, error: Exception) -> None:
        self._rest()
        self._fail(f"There is no hint: {' '.join(str(error).split())}")

    def _why_changed(self) -> None:
        with TURN:
            # In words as well: a toggle tells its state by its looks alone.
            self._why.description = "Why? (on)" if self._why.value else "Why?"
            self._rest_from_asking()
            self._begin_again(
                "Pick anything, or type a move: you are told what may be done, and which rule "
                "says no. Press Why? again to play on."
                if self._why.value
                else self._prompt()
            )
            self._show_rules(())

    def _rest_from_asking(self) -> None:
        if self._is_asking:
            self._rest()

    def _explain(self, target: str) -> None:
        """Say what may be done with a thing of the picture, and why not more."""
        state = self.record.state
        found = self.board.scene.target(target)
        name = found.name if found is not None else target
        things = [each.id for each in self.board.scene.targets]
        told = meaning(state, target, things)
        said = list(told.words)
        if not said:
            said = [state.point((target,)).words or "No move begins or ends here now."]
        self._tell_meaning(told, [f"{name}." if name[-1:] not in ".!?" else name, *said])

    def _explain_move(self, text: str) -> None:
        told = judged(self.record.state, [self.record.game.move(text)])
        said = told.words if told.refused else (f"{text.strip()}: this may be played now.",)
        self._tell_meaning(told, said)

    def _tell_meaning(self, told: Meaning, said: list[str] | tuple[str, ...]) -> None:
        lit = () if told.legal else told.where
        self.board.show(self._picture(), "\n".join(said), lit=lit, offered=self._first_offers())
        self._show_rules(told.rules)

    def _show_rules(self, rules: Iterator[Rule] | tuple[Rule, ...]) -> None:
        """The rules that said no, in full."""
        cards = [rule_html(rule) for rule in dict.fromkeys(rules)]
        self._rules.value = style() + "".join(cards[:_RULES])

    # -- pointing and typing -----------------------------------------------------------------

    def _pick(self, target: str) -> None:
        if self._covered:
            self._open_curtain()
        elif not self._may_decide:
            found = self.board.scene.target(target)
            self.board.say(found.name if found is not None else target)
        elif self._why.value:
            self._rest_from_asking()
            self._explain(target)
        else:
            self._rest_from_asking()
            self._show_rules(())
            super()._pick(target)

    def _typed(self, text: str) -> None:
        if self._why.value:
            self._refuse_if_idle()
            self._explain_move(text)
        else:
            self.play(text)

    # -- taking back -------------------------------------------------------------------------

    def _last_decision(self) -> int | None:
        """After how many moves somebody decided last; what bots open with is not for undo."""
        states = self.record.states[:-1]
        decided = [at for at, state in enumerate(states) if state.to_move not in self._players]
        return decided[-1] if decided else None

    def _undo(self) -> None:
        back = self._last_decision()
        if back is None:
            return
        if not self.open_table:
            self._refuse_to_forget(back)
        self._rest()
        self._past = None
        for _ in range(len(self.record.moves) - back):
            self.record = self.record.undo()
        self._covered = False
        self._show("Taken back.")

    def _refuse_to_forget(self, back: int) -> None:
        """Hold the limits of taking back: whoever decides again must not know more."""
        number = self.record.revealed_since(back, self._people)
        if number is None:
            return
        moves = (*self.record.moves, *self.record.undone)
        raise CastlelabError(
            f"this cannot be taken back: move {number} ({moves[number - 1]}) brought to light "
            "what was hidden before, and nobody can forget it"
        )

    def _redo(self) -> None:
        self._rest()
        self._past = None
        self.record = self.record.redo()
        while self.record.undone and self._is_bots_turn:
            self.record = self.record.redo()
        self._covered = False
        if self._is_bots_turn:
            self._go_on(["Done again."])
        else:
            self._show("Done again.")

    # -- the curtain -------------------------------------------------------------------------

    def _must_pass(self) -> bool:
        """Whether the screen must go to somebody else before anything is shown."""
        state = self.record.state
        if self.open_table or len(self._people) < 2 or state.over:
            return False
        if self._viewer is None and self._is_bots_turn:
            return False
        return state.to_move in self._people and state.to_move != self._viewer and self._hides()

    def _hides(self) -> bool:
        return hides(self.record.state, self._people)

    def _open_curtain(self) -> None:
        self._covered = False
        self._viewer = self.record.state.to_move
        self._show("\n".join(self._news()))

    def _news(self) -> list[str]:
        """What happened since the person at the screen decided last."""
        states, seat = self.record.states, self._viewer
        decided = [at for at, state in enumerate(states[:-1]) if state.to_move == seat]
        since = range(decided[-1] + 1 if decided else 0, len(self.record.moves))
        audience = [] if seat is None else [seat]
        return [
            self._told_of(states[at], self.record.game.move(self.record.moves[at]), audience)
            for at in since
        ][-_NEWS:]

    @property
    def _audience(self) -> list[int]:
        """The people who hear what is said now."""
        if self.open_table:
            return self._people if len(self._people) == 1 else []
        return self._people

    def _told_of(self, state: State, move: Move, audience: list[int]) -> str:
        """A move as it is told; what is laid face down is not named."""
        seat = state.to_move
        assert seat is not None
        if any(is_secret(state, move, each) for each in audience):
            return f"{SEAT_NAMES[seat]} made a move that is hidden ({move.kind})."
        return f"{SEAT_NAMES[seat]} played: {move}."

    # -- looking back ------------------------------------------------------------------------

    def _toggle_look_back(self) -> None:
        if self._look_back is None:
            self._look_back = LookBack(self.look, self.branch, self._fail)
        self._open_panel(self._look_back)
        self._look_back.follow(len(self.record.moves))

    def look(self, number: int) -> None:
        """Show the game as it was after so many moves; after all of them it is now."""
        with TURN:
            if self._covered:
                self._refuse_if_idle()
            self._rest_from_asking()
            now = number >= len(self.record.moves)
            self._past = None if now else number
            self._show("Back to now." if now else self._words_of(number))

    def _words_of(self, number: int) -> str:
        if number == 0:
            return f"The start, before {len(self.record.moves)} moves."
        move = self.record.game.move(self.record.moves[number - 1])
        told = self._told_of(self.record.states[number - 1], move, self._lookers())
        return f"Move {number} of {len(self.record.moves)}. {told}"

    def _lookers(self) -> list[int]:
        if self.record.state.over or self.open_table or self._viewer is None:
            return []
        return [self._viewer]

    def branch(self, number: int) -> None:
        """Go on from an earlier moment, where that gives nobody an advantage."""
        with TURN:
            self._rest()
            if number == len(self.record.moves):
                raise CastlelabError("this is where the game stands; move the slider first")
            if not (self.open_table or self.record.state.over):
                raise CastlelabError(
                    "you may look at any moment, but go on only from now: finish the game first"
                )
            self._past, self._viewer = None, None
            self.record = self.record.at(number)
            self._go_on([f"You go on after move {number}." if number else "You start again."])

    # -- records -----------------------------------------------------------------------------

    def _toggle_desk(self) -> None:
        desk = RecordDesk(self.record, self.bots, self.open_table, self._load, self._fail)
        self._open_panel(desk)

    def _open_panel(self, panel: ipywidgets.Widget) -> None:
        """Open a panel below the buttons, or close it if it is open."""
        is_open = any(type(each) is type(panel) for each in self._panel.children)
        self._panel.children = () if is_open else (panel,)
        if self._past is not None:
            self.look(len(self.record.moves))

    def _load(self, record: Record) -> None:
        """Put another game on the table."""
        if self._on_load is not None:
            self._on_load(record)
            return
        if repr(record.game) != repr(self.record.game):
            raise CastlelabError(f"this table is set for {self.record.game!r}, not {record.game!r}")
        self._put(record, "This is the game that was saved.")

    def _put(self, record: Record, said: str) -> None:
        self._rest()
        self._past, self._viewer, self._covered = None, None, False
        self.record = record
        self._go_on([said])

    def _again(self) -> None:
        seed = self.record.seed
        next_seed = seed + 1 if isinstance(seed, int) else f"{seed} again"
        self._put(Record.start(self.record.game, next_seed), "A new game.")

    # -- what is shown -----------------------------------------------------------------------

    def _show(self, said: str) -> None:
        self._shown = len(self.record.moves)
        self._show_rules(())
        if self._past is None:
            self._covered = self._must_pass()
            if not self._covered and self.record.state.to_move in self._people:
                self._viewer = self.record.state.to_move
        super()._show("" if self._covered else said)
        self.board.can_undo = self._last_decision() is not None
        self._next_step.children = self._next_steps()
        if self._look_back is not None and self._past is None:
            self._look_back.follow(len(self.record.moves))
        self._on_change(self)

    def _next_steps(self) -> tuple[ipywidgets.Widget, ...]:
        seat = self.record.state.to_move
        if self._covered and seat is not None:
            return (self._button(f"I am {SEAT_NAMES[seat]}", self._open_curtain, main=True),)
        if seat is None and self._past is None:
            return (self._button("Play again", self._on_again, main=True),)
        return ()

    def _moment(self) -> State:
        """The state that is looked at: now, or an earlier one."""
        return self.record.states[-1 if self._past is None else self._past]

    def _seen(self) -> State:
        """What the people at the screen may see."""
        state = self._moment()
        if len(self._people) == 1:
            return state.view(self._people[0])
        if not self._people or self.record.state.over:
            return state
        if not self.open_table:
            return state.view(self._people[0] if self._viewer is None else self._viewer)
        seat = state.to_move
        return state if seat is None or seat in self._players else state.view(seat)

    def _scene(self) -> Scene:
        if not self._covered:
            return super()._scene()
        seat = self.record.state.to_move
        assert seat is not None
        picture = self.record.state.view(seat).picture()
        return curtain_scene(SEAT_NAMES[seat], seat, picture.width, picture.height)

    def _words(self) -> str:
        if not self._covered:
            return super()._words()
        seat = self.record.state.to_move
        assert seat is not None
        return f"Pass the screen to {SEAT_NAMES[seat]}."

    def _outcome(self) -> str:
        words = _outcome(self._moment(), self._people)
        return "" if words in self._words() else words

    def _prompt(self) -> str:
        return super()._prompt() if self._may_decide else ""

    def _first_offers(self) -> tuple[str, ...]:
        return super()._first_offers() if self._may_decide else ()

    def _legal(self) -> tuple[Move, ...]:
        return super()._legal() if self._may_decide else ()


def _toggle(words: str) -> ipywidgets.ToggleButton:
    made = ipywidgets.ToggleButton(
        description=words, layout=ipywidgets.Layout(width="auto", height="auto", min_width="80px")
    )
    made.add_class("castlelab-button")
    return made


def _outcome(state: State, people: list[int]) -> str:
    """Who won, once it is over; somebody alone among bots is spoken to."""
    if not state.over:
        return ""
    winners = state.winners
    if len(people) == 1 and len(winners) < 2:
        return "You won!" if set(winners) == set(people) else "You lost."
    names = listed([SEAT_NAMES[seat] for seat in winners]) if winners else "Nobody"
    return f"A tie between {names}." if len(winners) > 1 else f"{names} won."
