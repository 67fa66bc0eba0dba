"""Authored puzzles: the steps of the notebook that ask for something."""

from castlelab.puzzles import Puzzle
from castlelab.rules import NotationError, quoted
from watchtower.play import Moment
from watchtower.puzzles import GAME, puzzle_of

#: The towers, the points, where to look, and what to do.
LESSONS = {
    "narrow": (
        *(((3, 2, 1), (3, 3, 2, 2), (3, 2, 2, 1)), (8, 10)),
        *("Look at the layer below.", "On one stone only one may lie."),
    ),
    "worth": (
        *(((3, 3, 2), (1, 1, 1), (1, 1, 1, 1)), (0, 4)),
        *("Orange will top the other tower.", "Top the one with more stones."),
    ),
    "patience": (
        *(((3, 3), (1,), (1, 1, 1, 1)), (0, 4)),
        *("A third layer invites the fourth.", "Lay on the narrow tower, and wait."),
    ),
}


def lesson(name: str) -> Puzzle:
    """The authored puzzle of that name."""
    if name not in LESSONS:
        raise NotationError(f"there is no lesson {quoted(name)}; there are {', '.join(LESSONS)}")
    towers, points, where, what = LESSONS[name]
    state = Moment(GAME, towers, (6, 6), points, seat=0)
    return puzzle_of(state, f"watchtower/lesson-{name}", 0, 0, where, what)
