"""Who shares a screen: who is at it, what may be seen and heard there, what may be taken back."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from castlelab.draw.curtain import curtain_scene
from castlelab.draw.scene import Scene
from castlelab.game import SEAT_NAMES, State
from castlelab.record import Record
from castlelab.rules import listed
from castlelab.telling import hides
from castlelab.widgets.table.moment import Moment


class Seats:
    """One screen for the ``people`` of a game; whoever has the other seats moves elsewhere.

    At an open table all may look on. Otherwise, where people hide things from one another, a
    curtain falls between their turns.
    """

    def __init__(self, people: Collection[int], open_table: bool) -> None:
        self.people, self.open_table = sorted(people), open_table
        self.covered = False  # whether the curtain is closed
        self._viewer: int | None = None  # who of the people is at the screen

    def welcome(self, seat: int) -> None:
        """One more person, whom nobody has shown the screen yet."""
        self.people = sorted({*self.people, seat})

    def have_the_turn(self, state: State) -> bool:
        """Whether it is the turn of one of the people."""
        return state.to_move in self.people

    def next_person(self, state: State) -> int:
        """The person who is to move, or the first one after whoever is."""
        seat, players = state.to_move or 0, state.game.players
        return min(self.people, key=lambda person: (person - seat) % players)

    def next_name(self, state: State) -> str:
        """The name of that person."""
        return SEAT_NAMES[self.next_person(state)]

    # -- the curtain -------------------------------------------------------------------------

    def arrange(self, state: State) -> None:
        """Close the curtain if the screen must go to somebody else before anything is shown."""
        self.covered = self._must_pass(state)
        if not self.covered and self.have_the_turn(state):
            self._viewer = state.to_move

    def _must_pass(self, state: State) -> bool:
        if self.open_table or len(self.people) < 2 or state.over:
            return False
        is_other = self._viewer is None or (
            self.have_the_turn(state) and state.to_move != self._viewer
        )
        return is_other and hides(state, self.people)

    def open_curtain(self, state: State) -> int:
        """The next person is here."""
        self.covered, self._viewer = False, self.next_person(state)
        return self._viewer

    def leave_screen(self) -> None:
        """Whoever sits there now has yet to say so."""
        self.covered, self._viewer = False, None

    def _curtain(self, state: State) -> Scene:
        seat = self.next_person(state)
        picture = state.view(seat).picture()
        return curtain_scene(SEAT_NAMES[seat], seat, picture.width, picture.height)

    # -- what is seen and heard --------------------------------------------------------------

    def may_decide(self, record: Record, past: int | None) -> bool:
        """Whether somebody at the screen is to choose a move, and not looking back."""
        return past is None and not self.covered and self.have_the_turn(record.state)

    def moment(self, record: Record, past: int | None) -> Moment:
        """What may be seen and done now, or was seen after so many moves."""
        now = record.state
        if self.covered:
            words = f"Pass the screen to {self.next_name(now)}."
            return Moment(partial(self._curtain, now), lambda: words)
        state = record.states[-1 if past is None else past]
        eyes = self._eyes(state, is_over=now.over)
        if self.may_decide(record, past):
            return Moment.seen(state, eyes, now.point, now.moves)
        return Moment.seen(state, eyes)

    def _eyes(self, state: State, *, is_over: bool) -> int | None:
        """With whose eyes those at the screen see a state; nobody's when the game is over."""
        if len(self.people) == 1:
            return self.people[0]
        if not self.people or is_over:
            return None
        if not self.open_table:
            return self.people[0] if self._viewer is None else self._viewer
        return state.to_move if state.to_move in self.people else None

    def audience(self, state: State) -> list[int]:
        """The people who hear what is said now, and may not know everything."""
        is_one = len(self.people) == 1
        return self.people if is_one or not (self.open_table or state.over) else []

    def outcome(self, state: State) -> str:
        """Who won, once it is over; somebody alone among others is spoken to."""
        if not state.over:
            return ""
        winners = state.winners
        if len(self.people) == 1 and len(winners) < 2:
            return "You won!" if set(winners) == set(self.people) else "You lost."
        names = listed([SEAT_NAMES[seat] for seat in winners]) if winners else "Nobody"
        return f"A tie between {names}." if len(winners) > 1 else f"{names} won."

    # -- taking back -------------------------------------------------------------------------

    def last_decision(self, record: Record) -> int | None:
        """After how many moves a person decided last; what came before all of them stands."""
        return _last_turn(record, self.people)

    def undo(self, record: Record) -> Record:
        """The record without a person's last decision and all that followed.

        At an open table anything may be taken back, elsewhere nothing that brought something
        hidden to light.
        """
        back = self.last_decision(record)
        if back is None:
            return record
        if not self.open_table:
            record.refuse_to_forget(back, self.people, self.audience(record.state))
        for _ in range(len(record.moves) - back):
            record = record.undo()
        return record

    def redo(self, record: Record) -> Record:
        """The record with what was taken back, up to a person's next decision."""
        record = record.redo()
        while record.undone and not self.have_the_turn(record.state):
            record = record.redo()
        return record


def _last_turn(record: Record, seats: Collection[int]) -> int | None:
    """After how many moves it was last the turn of one of these, before now."""
    turns = [at for at, state in enumerate(record.states[:-1]) if state.to_move in seats]
    return turns[-1] if turns else None
