"""Figures to handle: guess first, handle, count, and say why.

A figure lies on a board and answers every touch, and a number follows. It is met at one of three
ages, each with a task of its own. A room lists its figures in ``figures.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, NamedTuple

from castlelab.game import GAMES, part
from castlelab.rules import CastlelabError, NotationError, quoted

if TYPE_CHECKING:
    from castlelab.draw.scene import Scene

Age = Literal[11, 14, 17]
AGES: tuple[Age, ...] = (11, 14, 17)
Count = int | Fraction


class LiveCount(NamedTuple):
    """The number that follows every touch, and what it counts."""

    value: str
    words: str

    def __str__(self) -> str:
        return f"{self.value} {self.words}"


class Figure:
    """What lies on the board of a figure at one moment: immutable, a touch makes another.

    ``touch`` raises a ``CastlelabError`` where a target does nothing now, and says why.
    """

    __slots__ = ()

    def touch(self, target: str) -> Touched:
        """What comes of picking a target of the picture, and what is said of it."""
        raise NotImplementedError

    def picture(self) -> Scene:
        raise NotImplementedError

    @property
    def tally(self) -> LiveCount:
        raise NotImplementedError

    @property
    def told(self) -> str:
        """What there is to hear of this moment besides its number."""
        return ""

    @property
    def offers(self) -> tuple[str, ...]:
        """The targets that are worth a touch now; () where that gives nothing away or all are."""
        return ()

    @property
    def held(self) -> str | None:
        """The target whose thing is in hand and can be dragged."""
        return None

    def read(self, text: str) -> Touched:
        """Do what a text says: touch the targets that it names, one after the other."""
        figure, words = self, ""
        named = [name.strip() for name in text.split(",") if name.strip()]
        for name in named:
            figure, words = figure.touch(figure.target_called(name))
        if not named:
            raise NotationError("type what you would touch, such as " + self._example)
        return Touched(figure, words)

    def target_called(self, name: str) -> str:
        """The id of a target, in whatever letters somebody typed it."""
        known = {target.id.casefold(): target.id for target in self.picture().targets}
        if (found := known.get(name.casefold())) is None:
            raise NotationError(f"there is no {quoted(name)} here; there is {self._example}")
        return found

    @property
    def _example(self) -> str:
        return ", ".join(target.id for target in self.picture().targets[:4])


class Touched(NamedTuple):
    """What a touch has made, and what is said of it."""

    figure: Figure
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyLine:
    """The beginning of a sentence, and its ends to choose from, each with what it deserves."""

    start: str
    ends: Mapping[str, str]
    right: str

    @property
    def choices(self) -> tuple[str, ...]:
        """The ends in the order of their letters, which does not tell the right one."""
        return tuple(sorted(self.ends, key=str.casefold))

    def __post_init__(self) -> None:
        if self.right not in self.ends:
            raise CastlelabError(f"{quoted(self.right)} is no end of {quoted(self.start)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureTask:
    """What one age does with a figure.

    ``question`` asks for a guess before the first touch, ``slips`` explains wrong ones; ``do`` says
    what to do then, and ``counted`` whether that is done. ``because`` tells how the number comes
    about, ``why`` is the line to complete, ``proof`` follows it.
    """

    question: str
    answer: Count
    slips: Mapping[Count, str]
    do: str
    first: Figure
    counted: Callable[[Figure], bool]
    hints: tuple[str, str]
    because: str
    why: WhyLine
    proof: tuple[str, ...]

    def __post_init__(self) -> None:
        if self.answer in self.slips:
            raise CastlelabError(f"{self.answer} is the answer of {quoted(self.question)}, no slip")


@dataclass(frozen=True, slots=True, kw_only=True)
class HandledFigure:
    """A figure with its tasks, by age: ``tasks[14]`` is for who is 14 or older."""

    name: str  # such as castlescape/fence
    title: str
    idea: str  # what one finds out, in a few words
    ages: str  # for whom it is best, such as 11–14
    minutes: int
    tasks: Mapping[Age, FigureTask]


def handled_figures() -> tuple[str, ...]:
    """The names of all figures, game by game."""
    return tuple(name for game in GAMES for name in _makers(game))


def handled_figure(name: str) -> HandledFigure:
    """A figure by its name, such as ``castlescape/fence``."""
    game = name.partition("/")[0] if isinstance(name, str) else ""
    make = _makers(game).get(name) if game in GAMES else None
    if make is None:
        known = ", ".join(handled_figures())
        raise CastlelabError(f"there is no figure {quoted(name)}; there are {known}")
    return make()


def _makers(game: str) -> Mapping[str, Callable[[], HandledFigure]]:
    room = part(game, "figures")
    found: Mapping[str, Callable[[], HandledFigure]] = room.FIGURES if room else {}
    return found
