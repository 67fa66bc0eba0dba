"""The guests of the Great Architect: look at each, read its rule, try its power."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import ipywidgets

from castlelab.game import Move, changed
from castlelab.games.once_upon_a_castle.board import Board as TokenBoard
from castlelab.games.once_upon_a_castle.board import face_words
from castlelab.games.once_upon_a_castle.box import house_layouts
from castlelab.games.once_upon_a_castle.castle import Castle
from castlelab.games.once_upon_a_castle.guests import POWERS, SYMBOLS, Guest
from castlelab.games.once_upon_a_castle.moves import Clear
from castlelab.games.once_upon_a_castle.picture import table_scene
from castlelab.games.once_upon_a_castle.play import OnceState
from castlelab.games.once_upon_a_castle.puzzles import guests_named, moment
from castlelab.games.once_upon_a_castle.scoring import guest_points
from castlelab.rules import CastlelabError, IllegalMove, quoted
from castlelab.widgets.board.board import BoardWidget
from castlelab.widgets.board.history import History
from castlelab.widgets.card.rule_card import find_rule, html_card, rule_html, status_html
from castlelab.widgets.controls import button, html, layout, row
from castlelab.widgets.once_upon_a_castle.castle_sheet import drawn_words

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


def _board(tokens: tuple[str, ...]) -> TokenBoard:
    _, layout_ = house_layouts()
    return layout_.board(sum(layout_.square_of[name].bit for name in tokens))


def _after(state: OnceState, move: Move) -> OnceState:
    if not (verdict := state.check(move)):
        raise IllegalMove(move, verdict)
    return state.after(move)


class GuestGallery(ipywidgets.VBox):  # type: ignore[misc]
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
        self._name = ipywidgets.Dropdown(
            options=_named(first.symbol),
            value=first.name,
            description="Guest",
            style={"description_width": "56px"},
            layout=ipywidgets.Layout(width="230px"),
        )
        self._kind.observe(lambda _: self._open_kind(), "value")
        self._name.observe(lambda _: self._open(), "value")
        self._rule, self._points = html_card(""), html()
        self._trial = trial_of(first)
        self._history = History(self._trial.state)
        self._picks: tuple[str, ...] = ()
        self.board = BoardWidget(
            table_scene(self._trial.state),
            on_pick=self._pick,
            on_text=self.play,
            on_undo=self._undo,
            on_redo=self._redo,
            label="Try a guest",
            text_hint="guest logger, place b2, use 1 b2, stop",
        )
        again = button("Try again", self.try_again, self._fail)
        children = [row(self._kind, self._name, again), self._rule, self.board, self._points]
        super().__init__(children=children, layout=layout())
        self.add_class("castlelab-puzzle")
        self._open()

    @property
    def state(self) -> OnceState:
        """The position as it stands."""
        return self._history.now

    def choose(self, name: str) -> None:
        """Show a guest of that name."""
        guest = find_guest(name)
        self._kind.value = guest.symbol
        self._name.value = guest.name

    def try_again(self) -> None:
        """Put the position back as it was."""
        self._open()

    def play(self, move: Move | str) -> None:
        """Play a move; an illegal one raises and nothing changes."""
        before, self._picks = self.state, ()
        if _is_over(before):
            raise CastlelabError(_OVER)
        meant = before.game.move(move) if isinstance(move, str) else move
        after = _in_hand(before, _after(before, meant))
        if after == before:  # the turn would end, and with it the trial
            self.board.say(_OVER)
            return
        self._history.go(after)
        words = drawn_words(before.castles[_ME], after.castles[_ME])
        self._show("\n".join(filter(None, (f"Done: {meant}.", words))))

    # -- what is chosen, picked and taken back ---------------------------------------------

    def _open_kind(self) -> None:
        if self._name.value not in [name for _, name in _named(self._kind.value)]:
            self._name.options = _named(self._kind.value)

    def _open(self) -> None:
        self.guest = find_guest(self._name.value)
        self._trial = trial_of(self.guest)
        self._history = History(self._trial.state)
        self._rule.value = html_card(rule_html(find_rule(POWERS[self.guest.power].rule))).value
        self._show(f"{self.guest.words}.\n{self._trial.task}")

    def _pick(self, target: str) -> None:
        if _is_over(self.state):
            self.board.say(_OVER)
            return
        pointing = self.state.point((*self._picks, target))
        if pointing.move is not None:
            self._picks = ()
            self.board.show(self.board.scene, offered=self.state.point(()).offers)
            self.play(pointing.move)
            return
        self._picks = pointing.picks
        self.board.show(self.board.scene, pointing.words, offered=pointing.offers)

    def _undo(self) -> None:
        self._history.back()
        self._show("Taken back.")

    def _redo(self) -> None:
        self._history.again()
        self._show("Done again.")

    def _fail(self, words: str) -> None:
        self.board.say(words, ok=False)

    # -- what is shown ---------------------------------------------------------------------

    def _show(self, words: str) -> None:
        self._picks = ()
        over = _is_over(self.state)
        pointing = self.state.point(())
        prompt, offers = (_OVER, ()) if over else (pointing.words, pointing.offers)
        said = "\n".join(filter(None, (words, prompt)))
        self.board.show(table_scene(self.state), said, offered=offers)
        self._history.tell(self.board)
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
