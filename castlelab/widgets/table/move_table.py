"""A record on the page: point at the picture, choose from the list, or type a move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from typing import NamedTuple

import ipywidgets

from castlelab.draw.scene import Circle, Rect, Scene, Shape, Target, Text
from castlelab.game import Move, Pointing, State
from castlelab.record import Record
from castlelab.rules import IllegalMove
from castlelab.widgets.board.board import BoardWidget
from castlelab.widgets.controls import button, row

_LISTED = 12  # rows of the list of moves


class _Asked(NamedTuple):
    """A grave move that waits for a yes: picking its target again is one."""

    target: str
    move: Move


class MoveTable(ipywidgets.VBox):  # type: ignore[misc]
    """A board on which moves are made: pointed at, chosen from the list, typed in notation.

    Where the state says what pointing means, what may be picked is outlined; elsewhere a pick
    lists the moves of a place. The picture is what the player to move may see.
    """

    def __init__(self, record: Record) -> None:
        self.record = record
        self._picks: tuple[str, ...] = ()
        self._asked: _Asked | None = None
        self.board = BoardWidget(
            self._picture(),
            on_pick=self._pick,
            on_text=self._typed,
            on_undo=self._undo,
            on_redo=self._redo,
            on_mend=self.play,
            label=self.record.game.title,
            text_hint=f"A move in notation, such as: {self._example()}",
        )
        self._moves = _move_list(self.record.states[0])
        self._yes = button("Yes, do it", self._do_it, self._fail, main=True)
        self._question = row()
        super().__init__(children=self._parts())
        self.add_class("castlelab-table")
        self._begin()

    def _parts(self) -> list[ipywidgets.Widget]:
        """What stands on the page, from top to bottom."""
        return [self.board, self._question, self._moves, row(*self._buttons())]

    def _buttons(self) -> list[ipywidgets.Widget]:
        return [
            button("Play this move", self._play_chosen, self._fail, main=True),
            button("All moves", lambda: self._list(""), self._fail),
        ]

    def _begin(self) -> None:
        self._show("")

    def _example(self) -> str:
        """A move that could be typed now."""
        return str((self.record.state.moves() or self.record.states[0].moves())[0])

    @property
    def listed(self) -> tuple[str, ...]:
        """The moves on offer, in notation."""
        return tuple(self._moves.options)

    @property
    def picks(self) -> tuple[str, ...]:
        """The targets that were picked on the way to a move."""
        return self._picks

    def play(self, move: Move | str) -> None:
        """Play a move; an illegal one raises and nothing changes."""
        self.record = self.record.play(move)
        self._show(f"Played: {self.record.moves[-1]}.")

    def _typed(self, text: str) -> None:
        self.play(text)

    def _play_chosen(self) -> None:
        if self._moves.value is None:
            self._fail("Choose a move of the list first.")
            return
        self.play(self._moves.value)

    def _fail(self, words: str) -> None:
        self.board.say(words, ok=False)

    # -- pointing --------------------------------------------------------------------------

    def _pick(self, target: str) -> None:
        if self._asked is not None and target == self._asked.target:
            self._do_it()
            return
        pointing = self._point((*self._picks, target))
        if pointing.move is not None and pointing.asks:
            self._ask(_Asked(target, pointing.move))
            self.board.show(self._picture(), pointing.words, lit=pointing.falling)
        elif pointing.move is not None:
            self._play_pointed(pointing.move)
        elif pointing.offers or pointing.words:
            self._ask(None)
            self._picks = pointing.picks
            offers = pointing.offers if pointing.picks else self._first_offers()
            self.board.show(self._picture(), pointing.words, offered=offers)
        else:
            self._look_up(target)

    def _play_pointed(self, move: Move) -> None:
        try:
            self.play(move)
        except IllegalMove:
            # The board tells why and where; pointing begins anew.
            self._begin_again()
            raise

    def _begin_again(self, said: str = "") -> None:
        """Nothing is picked, nothing is asked; what one may begin with is outlined."""
        self._picks = ()
        self._ask(None)
        self.board.show(self._picture(), said, offered=self._first_offers())

    def _point(self, picks: tuple[str, ...]) -> Pointing:
        """What it means to have pointed at these targets."""
        return self.record.state.point(picks)

    def _first_offers(self) -> tuple[str, ...]:
        return self._point(()).offers

    def _ask(self, asked: _Asked | None) -> None:
        """Show the button for a yes only while there is a question."""
        self._asked = asked
        self._question.children = () if asked is None else (self._yes,)

    def _do_it(self) -> None:
        if self._asked is not None:
            self._play_pointed(self._asked.move)

    def _look_up(self, target: str) -> None:
        """Say what is there and list the moves that name it."""
        self._ask(None)
        self._picks = ()
        found = self.board.scene.target(target)
        self._list(target)
        self.board.say(found.name if found is not None else target)

    # -- what is shown ---------------------------------------------------------------------

    def _undo(self) -> None:
        self.record = self.record.undo()
        self._show("Taken back.")

    def _redo(self) -> None:
        self.record = self.record.redo()
        self._show("Done again.")

    def _seen(self) -> State:
        """What is to be seen: the view of whoever moves."""
        state = self.record.state
        return state if state.to_move is None else state.view(state.to_move)

    def _picture(self) -> Scene:
        """The picture, with what is picked so far marked in it."""
        return _with_picks(self._scene(), self._picks)

    def _scene(self) -> Scene:
        return self._seen().picture()

    def _words(self) -> str:
        return self._seen().describe()

    def _prompt(self) -> str:
        return self._point(()).words

    def _outcome(self) -> str:
        """Who won, once it is over, unless the game says so itself."""
        return ""

    def _show(self, said: str) -> None:
        words = (said, self._words(), self._outcome(), self._prompt())
        self._begin_again("\n".join(filter(None, words)))
        self.board.can_undo = bool(self.record.moves)
        self.board.can_redo = bool(self.record.undone)
        self._list("")

    def _legal(self) -> tuple[Move, ...]:
        return self.record.state.moves()

    def _list(self, word: str) -> None:
        """Offer the moves that name a place, or all of them if none does."""
        moves = [str(move) for move in self._legal()]
        named = [move for move in moves if word and word.lower() in move.lower()]
        self._moves.options = named or moves
        self._moves.value = self._moves.options[0] if self._moves.options else None


def _with_picks(scene: Scene, picks: Collection[str]) -> Scene:
    """The picture with a tick on what is picked, and how often if more than once."""
    counts = Counter(picks)
    shapes: list[Shape] = []
    targets = []
    for target in scene.targets:
        times = counts[target.id]
        if times:
            shapes += _tick(target, times)
            target = replace(target, name=f"{target.name}, picked")
        targets.append(target)
    return replace(scene.with_shapes(*shapes), targets=tuple(targets)) if shapes else scene


def _tick(target: Target, times: int) -> tuple[Shape, ...]:
    radius = min(10.0, target.height / 7)
    # Inside, where no ring crosses it; offers and breaches have their badges in the corners.
    x, y = target.x + radius + 3, target.y + target.height * 0.55
    return (
        Rect(
            *(target.x + 2, target.y + 2, target.width - 4, target.height - 4),
            stroke="accent",
            line=3,
            radius=5,
        ),
        Circle(x, y, radius, "accent", "paper", 1.5),
        Text(
            x, y, "✓" if times == 1 else f"{times}", radius * 1.3, "on-accent", "middle", bold=True
        ),
    )


def _move_list(start: State) -> ipywidgets.Select | ipywidgets.Dropdown:
    """The list of moves: one line where the picture is played, else open to see."""
    wide = ipywidgets.Layout(width="95%", max_width="520px")
    if start.point(()).offers:
        return ipywidgets.Dropdown(description="Moves", layout=wide)
    return ipywidgets.Select(description="Moves", rows=_LISTED, layout=wide)
