"""The last guard, against the page: guards in turn, never side by side, and the last one wins."""

from __future__ import annotations

import ipywidgets
import traitlets

from castlelab.draw.scene import Scene
from castlelab.game import SEAT_NAMES, Question
from castlelab.games.castle_keep.guard_picture import duel_scene
from castlelab.games.castle_keep.guards import FEWEST_SPOTS, MOST_SPOTS, GuardDuel, GuardWall
from castlelab.rules import CastlelabError, NotationError, counted, listed, quoted
from castlelab.widgets.board.editor import BoardEditor, in_lines
from castlelab.widgets.board.history import History
from castlelab.widgets.controls import button, labelled, row

_YOU, _PAGE = 0, 1
_NAME = SEAT_NAMES[_PAGE]
_WALLS = tuple(
    (f"{kind} of {spots}", (spots, closed))
    for kind, closed in (("ring", True), ("line", False))
    for spots in range(FEWEST_SPOTS, MOST_SPOTS + 1)
)


class LastGuard(BoardEditor[GuardDuel]):
    """A game of the last guard. ``value`` is how it stands; the page answers every guard at once.

    It wins wherever it can, and says so where it cannot any more.

    >>> game = LastGuard(7)
    >>> game.board.pick("1")
    >>> game.value.wall.guards
    (1, 4)
    """

    value = traitlets.Instance(GuardDuel)

    def __init__(
        self,
        spots: int = 8,
        *,
        closed: bool = True,
        page_begins: bool = False,
        label: str = "The last guard",
    ) -> None:
        self._wall = _choice("Wall", _WALLS, (spots, closed))
        seats = (("you", _YOU), (_NAME, _PAGE))
        self._first = _choice("First guard", seats, _PAGE if page_begins else _YOU)
        tools = row(
            self._wall,
            self._first,
            button("New game", self.new_game, self._fail),
            button("Hint", self.hint, self._fail),
        )
        super().__init__(
            _begun(GuardWall(spots, closed), self._first.value),
            below=[tools],
            label=label,
            text_label="Type a spot",
            text_hint="5, or hint, or new",
        )
        for control in (self._wall, self._first):
            control.observe(lambda _: self.new_game(), "value")
        self.add_class("castlelab-stage")
        self.new_game()

    def new_game(self) -> None:
        """Begin anew, on the wall that is chosen and with whoever is to begin."""
        spots, closed = self._wall.value
        self._steps = History(_begun(GuardWall(spots, closed), self._first.value))
        guards = self._now.wall.guards
        self._show_step(f"{_NAME} posts the first guard, on {guards[0]}." if guards else "")

    def hint(self) -> None:
        """Say whether there is a way to win from here, and one spot of it."""
        duel = self._now
        if duel.over:
            self._show("This game is over. Begin a new one.")
        elif winning := duel.wall.winning:
            self._show(f"You can win from here. One good spot: {winning[0]}.")
        else:
            self._show(
                f"{_NAME} has an answer to whatever you do now. Play on and look how, or take a "
                "guard back."
            )

    # -- what is picked and typed ----------------------------------------------------------

    def _pick(self, target: str) -> None:
        self._post(int(target))

    def _write(self, text: str) -> None:
        match text.strip().lower():
            case "hint":
                self.hint()
            case "new":
                self.new_game()
            case word if word.isdecimal() and len(word) < 4:
                self._post(int(word))
            case _:
                raise NotationError(f"{quoted(text)} is no spot; write its number, such as 5")

    def _post(self, spot: int) -> None:
        if self._now.over:
            raise CastlelabError("this game is over; begin a new one, or take a guard back")
        duel = self._now.post(spot)
        words = f"You post a guard on {spot}."
        if not duel.over:
            answer = duel.wall.best
            lost = not duel.wall.winning
            duel = duel.post(answer)
            words = in_lines(f"{words} {_NAME} posts one on {answer}.", _kindly(duel, lost))
        self._go(duel, words)

    # -- what is told ----------------------------------------------------------------------

    def _outlook(self) -> str:
        duel = self._now
        if duel.winner == _YOU:
            return f"No spot is free for {_NAME}: you have posted the last guard. You win!"
        if duel.winner == _PAGE:
            return f"No spot is free for you: {_NAME} wins. Take a guard back, or begin anew."
        return f"Your turn. {_free_words(duel)}"

    def _offers(self) -> tuple[str, ...]:
        return tuple(map(str, self._now.wall.free))

    def _closed(self) -> int:
        return int(self._now.winner == _YOU)

    def _may_ask(self) -> tuple[Question, ...]:
        return (
            Question("wall", "the wall in words", lambda _: self._wall_words()),
            Question("free", "the free spots", lambda _: _free_words(self._now)),
        )

    def _wall_words(self) -> str:
        return f"{duel_scene(self._now).description} {_free_words(self._now)}"

    def _scene(self) -> Scene:
        return duel_scene(self._now)


def _choice(words: str, options: object, value: object) -> ipywidgets.Dropdown:
    return labelled(ipywidgets.Dropdown, words, "190px", most="100%", options=options, value=value)


def _begun(wall: GuardWall, begins: int) -> GuardDuel:
    """A new game, with the first guard of the page if that is to begin."""
    duel = GuardDuel(wall, begins)
    return duel.post(wall.best) if begins == _PAGE else duel


def _free_words(duel: GuardDuel) -> str:
    free = [str(spot) for spot in duel.wall.free]
    return f"{counted(len(free), 'spot')} free: {listed(free)}." if free else "No spot is free."


def _kindly(duel: GuardDuel, lost: bool) -> str:
    """What the page says where it must lose, if its pupil goes on as well."""
    if not lost or duel.over:
        return ""
    return f"Well done: {_NAME} can only hope that you slip now."
