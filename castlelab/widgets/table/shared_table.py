"""A table that people share: who sees what, the curtain, what may be taken back, looking back."""

from __future__ import annotations

from collections.abc import Collection

import ipywidgets

from castlelab.draw.curtain import curtain_scene
from castlelab.draw.scene import Scene
from castlelab.game import SEAT_NAMES, Move, State
from castlelab.record import Record
from castlelab.rules import CastlelabError, listed
from castlelab.telling import hides
from castlelab.widgets.board.board import BOARD_LOCK
from castlelab.widgets.controls import button, row
from castlelab.widgets.table.look_back import LookBack
from castlelab.widgets.table.move_table import MoveTable

_NEWS = 12  # moves of the others that are told to somebody who comes back to the screen


class SharedTable(MoveTable):
    """One screen for the ``people`` of a game; whoever has the other seats moves elsewhere.

    At an open table anything may be taken back and all may look on. Otherwise nothing is taken
    back that brought something hidden to light, and where people hide things from one another
    a curtain falls between their turns.
    """

    def __init__(self, record: Record, people: Collection[int], open_table: bool) -> None:
        self.open_table = open_table
        self._people = sorted(people)
        self._viewer: int | None = None  # who of the people is at the screen
        self._covered = False  # whether the curtain is closed
        self._past: int | None = None  # the number of moves that is looked back at
        self._next_step = row()
        self._look_back: LookBack | None = None
        super().__init__(record)

    def _example(self) -> str:
        # From another game of the kind: what can be played here may be a secret.
        return str(self.record.game.start("example").moves()[0])

    @property
    def covered(self) -> bool:
        """Whether the curtain is closed."""
        return self._covered

    @property
    def _is_theirs(self) -> bool:
        """Whether it is the turn of one of the people."""
        return self.record.state.to_move in self._people

    @property
    def _may_decide(self) -> bool:
        """Whether somebody at the screen is to choose a move."""
        return self._is_theirs and not self._covered and self._past is None

    def _refuse_if_idle(self) -> None:
        """Say why nothing can be decided now, if so."""
        if self._past is not None:
            raise CastlelabError("you are looking back; press Back to now to play on")
        if self._covered:
            name = SEAT_NAMES[self._next_person()]
            raise CastlelabError(f"the curtain is closed; it opens for {name}")

    # -- the curtain -------------------------------------------------------------------------

    def _must_pass(self) -> bool:
        """Whether the screen must go to somebody else before anything is shown."""
        state = self.record.state
        if self.open_table or len(self._people) < 2 or state.over:
            return False
        is_other = self._viewer is None or (self._is_theirs and state.to_move != self._viewer)
        return is_other and hides(state, self._people)

    def _next_person(self) -> int:
        """The person who is to move, or the first one after whoever is."""
        seat, players = self.record.state.to_move or 0, self.record.game.players
        return min(self._people, key=lambda person: (person - seat) % players)

    def _open_curtain(self) -> None:
        self._covered = False
        self._viewer = self._next_person()
        self._show("\n".join(self._news(self._viewer)))

    def _news(self, seat: int) -> list[str]:
        """What happened since a person decided last."""
        states = self.record.states
        decided = [at for at, state in enumerate(states[:-1]) if state.to_move == seat]
        since = range(decided[-1] + 1 if decided else 0, len(self.record.moves))
        return [self.record.told(at, [seat]) for at in since][-_NEWS:]

    @property
    def _audience(self) -> list[int]:
        """The people who hear what is said now, and may not know everything."""
        is_one = len(self._people) == 1
        return self._people if is_one or not (self.open_table or self.record.state.over) else []

    # -- taking back -------------------------------------------------------------------------

    def _last_decision(self) -> int | None:
        """After how many moves a person decided last; what came before all of them stands."""
        states = self.record.states[:-1]
        decided = [at for at, state in enumerate(states) if state.to_move in self._people]
        return decided[-1] if decided else None

    def _undo(self) -> None:
        back = self._last_decision()
        if back is None:
            return
        if not self.open_table:
            self.record.refuse_to_forget(back, self._people, self._audience)
        for _ in range(len(self.record.moves) - back):
            self.record = self.record.undo()
        self._show_anew("Taken back.")

    def _redo(self) -> None:
        self.record = self.record.redo()
        while self.record.undone and not self._is_theirs:
            self.record = self.record.redo()
        self._show_anew("Done again.")

    def _show_anew(self, said: str) -> None:
        """Show how things stand after a leap."""
        self._return_to_now()
        self._show(said)

    def _return_to_now(self) -> None:
        if self._covered:
            self._viewer = None  # whoever sits there now has yet to say so
        self._past, self._covered = None, False

    # -- looking back ------------------------------------------------------------------------

    def look(self, number: int) -> None:
        """Show the game as it was after so many moves; after all of them it is now."""
        with BOARD_LOCK:
            if self._covered:
                self._refuse_if_idle()
            is_now = number >= len(self.record.moves)
            self._past = None if is_now else number
            self._show("Back to now." if is_now else self._words_of(number))

    def _words_of(self, number: int) -> str:
        count = len(self.record.moves)
        if number == 0:
            return f"The start, before {count} move{'s' * (count != 1)}."
        return f"Move {number} of {count}. {self.record.told(number - 1, self._audience)}"

    def branch(self, number: int) -> None:
        """Go on from an earlier moment, where that gives nobody an advantage."""
        with BOARD_LOCK:
            if number == len(self.record.moves):
                raise CastlelabError("this is where the game stands; move the slider first")
            if not (self.open_table or self.record.state.over):
                raise CastlelabError(
                    "you may look at any moment, but go on only from now: finish the game first"
                )
            said = f"You go on after move {number}." if number else "You start again."
            self._put(self.record.at(number), said)

    def _put(self, record: Record, said: str) -> None:
        """Put another record on the table."""
        self.record, self._viewer = record, None
        self._show_anew(said)

    def _make_look_back(self) -> LookBack:
        if self._look_back is None:
            self._look_back = LookBack(self.look, self.branch, self._fail)
        self._look_back.follow(len(self.record.moves))
        return self._look_back

    # -- what is shown -----------------------------------------------------------------------

    def _show(self, said: str) -> None:
        if self._past is None:
            self._covered = self._must_pass()
            if not self._covered and self._is_theirs:
                self._viewer = self.record.state.to_move
        super()._show("" if self._covered else said)
        self.board.can_undo = self._last_decision() is not None
        self._next_step.children = self._next_steps()
        if self._look_back is not None and self._past is None:
            self._look_back.follow(len(self.record.moves))

    def _next_steps(self) -> tuple[ipywidgets.Widget, ...]:
        """The one thing to do now, where there is only one."""
        if not self._covered:
            return ()
        words = f"I am {SEAT_NAMES[self._next_person()]}"
        return (button(words, self._open_curtain, self._fail, main=True),)

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
        return state.view(state.to_move) if state.to_move in self._people else state

    def _scene(self) -> Scene:
        if not self._covered:
            return super()._scene()
        seat = self._next_person()
        picture = self.record.state.view(seat).picture()
        return curtain_scene(SEAT_NAMES[seat], seat, picture.width, picture.height)

    def _words(self) -> str:
        if not self._covered:
            return super()._words()
        return f"Pass the screen to {SEAT_NAMES[self._next_person()]}."

    def _outcome(self) -> str:
        words = _outcome(self._moment(), self._people)
        return "" if words in self._words() else words

    def _prompt(self) -> str:
        return super()._prompt() if self._may_decide else ""

    def _first_offers(self) -> tuple[str, ...]:
        return super()._first_offers() if self._may_decide else ()

    def _legal(self) -> tuple[Move, ...]:
        return super()._legal() if self._may_decide else ()

    def _pick(self, target: str) -> None:
        if self._covered:
            self._open_curtain()
        elif self._may_decide:
            super()._pick(target)
        else:
            found = self.board.scene.target(target)
            self.board.say(found.name if found is not None else target)


def _outcome(state: State, people: Collection[int]) -> str:
    """Who won, once it is over; somebody alone among others is spoken to."""
    if not state.over:
        return ""
    winners = state.winners
    if len(people) == 1 and len(winners) < 2:
        return "You won!" if set(winners) == set(people) else "You lost."
    names = listed([SEAT_NAMES[seat] for seat in winners]) if winners else "Nobody"
    return f"A tie between {names}." if len(winners) > 1 else f"{names} won."
