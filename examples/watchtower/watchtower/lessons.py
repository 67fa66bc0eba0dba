"""Authored puzzles: the steps of the notebook that ask for something."""

from dataclasses import dataclass

from castlelab.authoring import Lesson, lesson_opener
from castlelab.puzzles import Code, Puzzle
from watchtower.play import Moment
from watchtower.puzzles import GAME, puzzle_of


@dataclass(frozen=True, slots=True, kw_only=True)
class TopLesson(Lesson):
    """A moment in which one layer wins."""

    rules: tuple[str, ...] = ("watchtower/watch",)
    towers: tuple[tuple[int, ...], ...]
    points: tuple[int, int]

    def puzzle(self, code: Code) -> Puzzle:
        """The lesson as a puzzle."""
        moment = Moment(GAME, self.towers, (6, 6), self.points, seat=0)
        return self.dressed(puzzle_of(moment, code))


LESSONS = {
    "narrow": TopLesson(
        towers=((3, 2, 1), (3, 3, 2, 2), (3, 2, 2, 1)),
        points=(8, 10),
        hints=("Look at the layer below.", "On one stone only one may lie."),
    ),
    "worth": TopLesson(
        towers=((3, 3, 2), (1, 1, 1), (1, 1, 1, 1)),
        points=(0, 4),
        hints=("Orange will top the other tower.", "Top the one with more stones."),
    ),
    "patience": TopLesson(
        towers=((3, 3), (1,), (1, 1, 1, 1)),
        points=(0, 4),
        hints=("A third layer invites the fourth.", "Lay on the narrow tower, and wait."),
    ),
}
lesson = lesson_opener("watchtower", LESSONS)
