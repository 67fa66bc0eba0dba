"""A moment of a game as a table shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, cached_property

from castlelab.draw.motion import changed_targets
from castlelab.draw.scene import Path, Scene, Shape, Target
from castlelab.game import Move, Pointing, State

_PointAt = Callable[[tuple[str, ...]], Pointing]
_MOST_MARKED = 6  # places that one move may change before their marks tell nothing


def _nowhere(picks: tuple[str, ...]) -> Pointing:
    """Nothing is pointed at."""
    return Pointing()


class Moment:
    """What is seen, said and offered at one moment; the game is asked only once for each.

    ``state`` is the game as it is seen, where it is seen at all, with whose ``eyes``. Without
    ``point`` and ``moves`` there is nothing to decide. What has changed since the moment
    ``before`` is marked.
    """

    def __init__(
        self,
        picture: Callable[[], Scene],
        describe: Callable[[], str] = str,
        point: _PointAt = _nowhere,
        moves: Callable[[], tuple[Move, ...]] = tuple,
        *,
        state: State | None = None,
        eyes: int | None = None,
    ) -> None:
        self._picture, self._describe, self._point, self._moves = picture, describe, point, moves
        self.state, self.eyes = state, eyes
        self.before: Moment | None = None

    @staticmethod
    def seen(
        state: State,
        eyes: int | None,
        point: _PointAt = _nowhere,
        moves: Callable[[], tuple[Move, ...]] = tuple,
    ) -> Moment:
        """A state as a seat sees it, or all of it; what may be done there, if anything."""
        seen = state if eyes is None else state.view(eyes)
        return Moment(seen.picture, seen.describe, point, moves, state=seen, eyes=eyes)

    @cached_property
    def plain(self) -> Scene:
        """The picture without marks."""
        picture = self._picture()
        # The same at every click: laid out only once, and known as the same by who draws it.
        return replace(picture, narrow=cache(picture.narrow)) if picture.narrow else picture

    @cached_property
    def scene(self) -> Scene:
        """The picture, with marks where the last move was made."""
        before, self.before = self.before, None  # its own past is of no interest
        if before is None:
            return self.plain
        ids = changed_targets(before.plain, self.plain)
        if not 0 < len(ids) <= _MOST_MARKED:
            return self.plain
        return self.plain.redrawn(lambda scene: _with_marks(scene, ids))

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


def _with_marks(scene: Scene, ids: tuple[str, ...]) -> Scene:
    """The picture with a bracket at each corner of these targets."""
    marks: list[Shape] = []
    for target in scene.targets:
        if target.id in ids:
            marks += _brackets(target)
    return replace(scene, shapes=scene.shapes + tuple(marks))


def _brackets(target: Target) -> Iterator[Shape]:
    arm = min(16.0, target.width / 4, target.height / 4)
    left, top = target.x + 1, target.y + 1
    right, bottom = target.x + target.width - 1, target.y + target.height - 1
    for role, line in (("paper", 5.0), ("warn", 3.0)):
        for x, across in ((left, arm), (right, -arm)):
            for y, down in ((top, arm), (bottom, -arm)):
                yield Path(((x + across, y), (x, y), (x, y + down)), None, role, line)
