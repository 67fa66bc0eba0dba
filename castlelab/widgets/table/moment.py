"""A moment of a game as a table shows it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from castlelab.draw.scene import Scene
from castlelab.game import Move, Pointing

_PointAt = Callable[[tuple[str, ...]], Pointing]


class Moment:
    """What is seen, said and offered at one moment; the game is asked only once for each.

    Without ``point`` and ``moves`` there is nothing to decide.
    """

    def __init__(
        self,
        picture: Callable[[], Scene],
        describe: Callable[[], str] = str,
        point: _PointAt = lambda _: Pointing(),
        moves: Callable[[], tuple[Move, ...]] = tuple,
    ) -> None:
        self._picture, self._describe, self._point, self._moves = picture, describe, point, moves

    @cached_property
    def scene(self) -> Scene:
        """The picture."""
        return self._picture()

    @cached_property
    def words(self) -> str:
        """The picture in a sentence or two."""
        return self._describe()

    @cached_property
    def start(self) -> Pointing:
        """What one may begin with, and the words that ask for it."""
        return self._point(())

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """What may be played."""
        return self._moves()

    def point(self, picks: tuple[str, ...]) -> Pointing:
        """What it means to have pointed at these targets."""
        return self._point(picks) if picks else self.start
