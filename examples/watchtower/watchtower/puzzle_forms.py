"""What a puzzle of one's own can ask for; its code holds all of it."""

from dataclasses import dataclass, replace
from typing import ClassVar

from castlelab.authoring import Lesson, drafter, puzzle_maker
from castlelab.puzzles import Code, Puzzle
from castlelab.rules import CastlelabError
from watchtower.moves import LAYERS
from watchtower.play import Moment
from watchtower.puzzles import GAME, puzzle_of, winning


@dataclass(frozen=True, slots=True, kw_only=True)
class TopLesson(Lesson):
    """on ``towers`` such as "3 2 1 / 3 3 2 2 / 3 2", from the ground up, with ``points`` so far.

    Right is what wins by force or, with a ``goal``, what makes a moment that it accepts.
    """

    about: ClassVar = "a layer for Blue to lay"
    towers: str
    points: tuple[int, ...] = (0, 0)

    def puzzle(self, code: Code) -> Puzzle:
        """The lesson as a puzzle."""
        rows = [row.split() for row in self.towers.split("/")]
        good = [row == sorted(row, reverse=True) and set(row) <= {*"123"} for row in rows]
        if good != [True] * 3 or max(map(len, rows)) > 4 or sum(map(len, rows)) < 6:
            raise CastlelabError("write three towers that narrow, with 6 to 12 layers in all")
        if len(self.points) != 2:
            raise CastlelabError(f"points are two numbers, not {len(self.points)}")
        towers = tuple(tuple(map(int, row)) for row in rows)
        now = Moment(GAME, towers, (6, 6), self.points, seat=0)
        liked = [at for at, m in LAYERS.items() if now.check(m) and not self.missing(now.after(m))]
        if not (right := liked if self.goal else winning(now)):
            raise CastlelabError("this cannot be solved: no layer does it")
        made = puzzle_of(now, code, right)
        return self.dressed(replace(made, solution=made.read(self.solution or right[0])))

    def find_solution(self) -> str:
        """The first layer that is right."""
        return str(self.puzzle(Code("watchtower/own", 0, 0)).solution)


draft = drafter(TopLesson)
puzzle = puzzle_maker("watchtower", draft)
