"""Moves that are pointed at: one target of the picture after another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

from castlelab.draw.motion import has_piece
from castlelab.draw.scene import Circle, Rect, Scene, Shape, Target, Text
from castlelab.game import Move
from castlelab.rules import IllegalMove
from castlelab.widgets.board.board import BoardWidget
from castlelab.widgets.controls import button, row
from castlelab.widgets.table.moment import Moment


class MovePicker:
    """Follows what is picked on a board until it comes to a move, which ``play`` gets.

    What may be picked is outlined. Of a target that means nothing the name is said, and
    ``look_up`` is called with it. ``question`` holds the button for a yes while one is asked.
    """

    def __init__(
        self,
        board: BoardWidget,
        moment: Moment,
        play: Callable[[Move], object],
        look_up: Callable[[str], object] = lambda target: None,
        *,
        ticks: bool = True,
    ) -> None:
        self.picks: tuple[str, ...] = ()
        self.question = row()
        self.question.add_class("castlelab-asked")
        self._board, self._moment, self._play, self._look_up = board, moment, play, look_up
        self._ticks = ticks  # whether the picture marks what is picked so far
        self.asked: str | None = None  # the target that would mean yes, picked again
        self._grave: Move | None = None  # what waits for that yes
        self._yes = button("Yes, do it", self._do_it, board.fail, main=True)

    def show(self, moment: Moment, said: str) -> None:
        """Another moment is on the board."""
        self._moment = moment
        self.begin_again(said)

    def begin_again(
        self, said: str = "", *, lit: Iterable[str] = (), offered: Iterable[str] = ()
    ) -> None:
        """Nothing is picked, nothing is asked; what one may begin with is outlined."""
        self.picks = ()
        self._ask()
        offers = tuple(offered) or self._moment.start.offers
        self._board.show(self._moment.scene, said, lit=lit, offered=offers)

    def pick(self, target: str) -> None:
        """Point at one more target."""
        if target == self.asked:
            self._do_it()
            return
        pointing = self._moment.point((*self.picks, target))
        if pointing.move is not None and pointing.asks:
            self._ask(target, pointing.move)
            self._board.show(self._picture(), pointing.words, lit=pointing.falling)
        elif pointing.move is not None:
            self._play_pointed(pointing.move)
        elif pointing.offers or pointing.words:
            self._ask()
            self.picks = pointing.picks
            offers = pointing.offers if pointing.picks else self._moment.start.offers
            held = target if pointing.picks and self._is_thing(target) else None
            self._board.show(self._picture(), pointing.words, offered=offers, held=held)
        else:
            self._ask()
            self.picks = ()
            self._look_up(target)
            found = self._board.scene.target(target)
            self._board.say(found.name if found is not None else target)

    def _is_thing(self, target: str) -> bool:
        """Whether something lies there that can be dragged; an empty square cannot."""
        found = self._moment.scene.target(target)
        return found is not None and has_piece(self._moment.scene, found)

    def _picture(self) -> Scene:
        picks = self.picks if self._ticks else ()
        return self._moment.scene.redrawn(lambda scene: _with_picks(scene, picks))

    def _ask(self, target: str | None = None, move: Move | None = None) -> None:
        """Show the button for a yes only while there is a question."""
        self.asked, self._grave = target, move
        self.question.children = () if move is None else (self._yes,)

    def _do_it(self) -> None:
        if self._grave is not None:
            self._play_pointed(self._grave)

    def _play_pointed(self, move: Move) -> None:
        try:
            self._play(move)
        except IllegalMove:
            # The board tells why and where; pointing begins anew.
            self.begin_again()
            raise


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
