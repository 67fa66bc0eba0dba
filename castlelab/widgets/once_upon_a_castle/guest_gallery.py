"""The guests of the Great Architect: look at each, read its rule, try its power."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import ipywidgets

from castlelab.draw.scene import Scene
from castlelab.game import Move, Pointing, changed
from castlelab.games.once_upon_a_castle.board import Board, face_words
from castlelab.games.once_upon_a_castle.box import house_layouts
from castlelab.games.once_upon_a_castle.castle import Castle
from castlelab.games.once_upon_a_castle.guests import POWERS, SYMBOLS, Guest
from castlelab.games.once_upon_a_castle.moment import guests_named, moment
from castlelab.games.once_upon_a_castle.moves import Clear
from castlelab.games.once_upon_a_castle.picture import moment_scene
from castlelab.games.once_upon_a_castle.play import OnceState
from castlelab.games.once_upon_a_castle.scoring import guest_points
from castlelab.rules import LEGAL, CastlelabError, IllegalMove, Verdict, quoted
from castlelab.widgets.board.editor import BoardEditor, in_lines
from castlelab.widgets.board.history import History
from castlelab.widgets.card.rule_card import find_rule, html_card, rule_html, status_html
from castlelab.widgets.controls import button, html, labelled, row
from castlelab.widgets.once_upon_a_castle.castle_sheet import drawn_words
from castlelab.widgets.table.moment import Moment
from castlelab.widgets.table.move_picker import MovePicker

_ME = 0
#: The castle that guests come to: a bit of everything that they count.
_HOME = Castle(floors=1, towers=(5, 2), walls=2, flags=(1, 2, 2), residents=7)
#: Row 5 draws the floor that a guest comes with; row 2 is full so that the turn goes on.
_TOKENS = ("a2", "b2", "b3", "d4", "c5", "d5")
_STEALING = ("a2", "b2", "b4", "c4", "d4")
#: The dice on which the power of an Hourglass guest shows.
_DICE = {
    "cloud-for-any": ("any", "wood"),
    "token-for-residents": ("residents", "food"),
    "resident-with-food": ("food", "gold"),
    "flag-for-gold": ("gold", "stone"),
    "wood-as-stone": ("wood", "stone"),
}
#: How things are when the dice are used and lines may be cleared.
_USED: dict[str, Any] = {"phase": "build", "left": ()}


class Trial(NamedTuple):
    """A position in which a guest can be tried, and what to do in it."""

    state: OnceState
    task: str


@cache
def gallery() -> tuple[Guest, ...]:
    """The twenty guests of the house edition, symbol by symbol."""
    state = moment(_board(()), Castle(), Castle())
    return tuple(sorted(state.game.box.guests, key=lambda guest: SYMBOLS.index(guest.symbol)))


def find_guest(name: str) -> Guest:
    """The guest of that name."""
    for guest in gallery():
        if guest.name == name:
            return guest
    known = ", ".join(guest.name for guest in gallery())
    raise CastlelabError(f"there is no guest {quoted(name)}; the guests are {known}")


def trial_of(guest: Guest) -> Trial:
    """The position in which a guest is tried: it comes, it is there, or it keeps others off."""
    name = guest.name.capitalize()
    if guest.power == "guard":
        theirs = Castle(floors=3, guests=(guest, *guests_named("king", "merchant")))
        state = moment(_board(_STEALING), _HOME, theirs, **_USED)
        task = f"You may steal a guest from Orange, where {name} stands. Try to get the King."
        return Trial(_after(state, Clear("row 4")), task)
    if guest.symbol == "hourglass":
        home = changed(_HOME, guests=(guest,))
        dice = _DICE[guest.power]
        state = moment(_board(("b2", "d4")), home, Castle(), dice=dice, phase="dice")
        faces = " and ".join(map(face_words, dice))
        return Trial(state, f"{name} is in your castle, and you have rolled {faces}. Use both.")
    home = changed(_HOME, guests=guests_named("jester" if guest.power == "none" else "queen"))
    others = [other for other in gallery() if other not in (guest, *home.guests)]
    shown = (guest, *others[-2:])
    state = moment(_board(_TOKENS), home, Castle(), shown=shown, **_USED)
    task = f"You have drawn a floor. Pick {name} among the guests on show"
    end = " and watch your points." if guest.symbol == "crown" else "; it acts at once."
    return Trial(_after(state, Clear("row 5")), task + end)


def _board(tokens: tuple[str, ...]) -> Board:
    _, layout_ = house_layouts()
    return layout_.board(sum(layout_.square_of[name].bit for name in tokens))


def _after(state: OnceState, move: Move) -> OnceState:
    if not (verdict := state.check(move)):
        raise IllegalMove(move, verdict)
    return state.after(move)


class GuestGallery(BoardEditor[OnceState]):
    """Choose a guest, read its rule, and try it in a small position.

    ``choose("logger")`` does the same from Python. There is one board for all of them.
    """

    def __init__(self, guest: str = "logger") -> None:
        first = find_guest(guest)
        self.guest = first
        self._kind = ipywidgets.ToggleButtons(
            options=[(symbol.capitalize(), symbol) for symbol in SYMBOLS],
            value=first.symbol,
            description="Symbol",
            style={"button_width": "90px", "description_width": "56px"},
        )
        names = _named(first.symbol)
        self._name = labelled(
            ipywidgets.Dropdown, "Guest", "230px", "56px", options=names, value=first.name
        )
        self._kind.observe(lambda _: self._open_kind(), "value")
        self._name.observe(lambda _: self.try_again(), "value")
        self._rule, self._points = html_card(""), html()
        self._trial = trial_of(first)
        again = button("Try again", self.try_again, self._fail)
        super().__init__(
            self._trial.state,
            above=[row(self._kind, self._name, again), self._rule],
            below=[self._points],
            label="Try a guest",
            text_hint="guest logger, place b2, use 1 b2, stop",
        )
        self.picker = MovePicker(self.board, self._moment(), self.play, ticks=False)
        self.add_class("castlelab-puzzle")
        self.try_again()

    @property
    def state(self) -> OnceState:
        """The position as it stands."""
        return self._now

    def choose(self, name: str) -> None:
        """Show a guest of that name."""
        guest = find_guest(name)
        self._kind.value = guest.symbol
        self._name.value = guest.name

    def try_again(self) -> None:
        """Put the position of the guest as it was at first."""
        self.guest = find_guest(self._name.value)
        self._trial = trial_of(self.guest)
        self._steps = History(self._trial.state)
        self._rule.value = html_card(rule_html(find_rule(POWERS[self.guest.power].rule))).value
        self._show_step(f"{self.guest.words}.\n{self._trial.task}")

    def play(self, move: Move | str) -> None:
        """Play a move; an illegal one raises and nothing changes."""
        before, self.picker.picks = self.state, ()
        if _is_over(before):
            raise CastlelabError(_OVER)
        meant = before.game.move(move) if isinstance(move, str) else move
        after = _in_hand(before, _after(before, meant))
        if after == before:  # the turn would end, and with it the trial
            self.picker.begin_again(_OVER)
            return
        words = drawn_words(before.castles[_ME], after.castles[_ME])
        self._go(after, in_lines(f"Done: {meant}.", words))

    def _game(self) -> OnceState:
        return self.state

    # -- what is chosen, picked and taken back ---------------------------------------------

    def _open_kind(self) -> None:
        if self._name.value not in [name for _, name in _named(self._kind.value)]:
            self._name.options = _named(self._kind.value)

    def _pick(self, target: str) -> None:
        if _is_over(self.state):
            self.board.say(_OVER)
        else:
            self.picker.pick(target)

    def _write(self, text: str) -> None:
        self.play(text)

    # -- what is shown ---------------------------------------------------------------------

    def _scene(self) -> Scene:
        return moment_scene(self.state, tools=True)

    def _moment(self) -> Moment:
        """What to do next, as long as the power of the guest is not shown."""
        is_over = _is_over(self.state)
        point = (lambda _: Pointing(words=_OVER)) if is_over else self.state.point
        return Moment(self._scene, point=point)

    def _show(self, words: str, verdict: Verdict = LEGAL) -> None:
        moment = self._moment()
        self.picker.show(moment, in_lines(words, moment.start.words))
        crown = self.guest.symbol == "crown"
        self._points.value = status_html("hint", self.points) if crown else ""

    @property
    def points(self) -> str:
        """The points before the guest came and those of now, in words."""
        castle = self.state.castles[_ME]
        before, now = (state.score(_ME).total for state in (self._trial.state, self.state))
        words = f"Points before: {before}. Points now: {now}."
        if self.guest not in castle.guests:
            return words
        return f"{words} The {self.guest.name} is worth {guest_points(self.guest, castle)} here."


_OVER = "The power is shown. Try again, or choose another guest."


def _in_hand(before: OnceState, after: OnceState) -> OnceState:
    """The position after a move, held at the moment when the turn would pass on."""
    if (after.seat, after.turn, after.ending) == (_ME, before.turn, ""):
        return after
    return changed(before, boards=after.boards, castles=after.castles, steps=(), **_USED)


def _is_over(state: OnceState) -> bool:
    """Whether nothing is left but to end the turn."""
    return state.moment == "build" and not state.boards[_ME].full_lines()


def _named(symbol: str) -> list[tuple[str, str]]:
    """The guests of a symbol, as they are shown and as they are called."""
    return [(guest.name.capitalize(), guest.name) for guest in gallery() if guest.symbol == symbol]
