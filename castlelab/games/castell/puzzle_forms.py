"""What a puzzle of Castell can ask for: a tower, from a team, with what it must reach."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar

from castlelab.authoring import Lesson, drafter, puzzle_maker
from castlelab.games.castell.box import Performance
from castlelab.games.castell.count import towers
from castlelab.games.castell.optimum import best_tower, tallest_tower
from castlelab.games.castell.performance import check_performance, performance_tower
from castlelab.games.castell.puzzles import BuildTower
from castlelab.games.castell.tower import Skills, Team, Tower, check, check_entry, festival_score
from castlelab.puzzles import Code, Judgement, Puzzle, not_yet
from castlelab.rules import CastlelabError, counted, listed

_TRIED = 20_000  # towers, where no better way leads to a solution


@dataclass(frozen=True, slots=True, kw_only=True)
class TowerLesson(Lesson):
    """from a ``team``, with ``skills``, beginning with ``start``.

    It is solved by a tower of so many ``levels``, with so many ``castellers``, that scores so
    many ``points`` at a festival which wants these sizes (``wanted``), has this ``shape``
    (castellers a level, base first) or needs the skills that it ``shows``: by all that is named.
    A ``goal`` is a function of the tower.

    >>> from castlelab.games import castell
    >>> made = castell.puzzle("Build three levels.", team="9*3 8*2 7*2 6", levels=3)
    >>> str(made.solution), made.check("9*2 8").message
    ('9*3 7*2 6', 'It stands, 2 high. Reach 3 levels.')
    """

    about: ClassVar = "a tower to build"
    usual_rules: ClassVar = ("castell/tower-stands", "castell/own-castellers")

    team: str
    skills: str = ""
    start: str = ""
    levels: int = 0
    castellers: int = 0
    wanted: tuple[int, ...] = ()
    points: int = 0
    shape: tuple[int, ...] = ()
    shows: str = ""

    @property
    def ask(self) -> BuildTower:
        """What the tower is built from, and where."""
        start, ranks = Tower(self.start), Skills.parse(self.skills)
        return BuildTower(Team(self.team), ranks, self.wanted, self.shape, start, self.is_goal)

    @property
    def tile(self) -> Performance | None:
        """The performance tile that asks for such a tower, if one does."""
        if self.shape:
            return Performance(points=len(self.shape), widths=self.shape)
        return (
            Performance(points=self.levels, shown=Skills.parse(self.shows)) if self.shows else None
        )

    def puzzle(self, code: Code) -> Puzzle:
        ask = self.ask
        return self.asking(
            code,
            ask,
            start=ask.start,
            solution=Tower(self.solution),
            par=self.points or self.levels or len(self.shape) or 1,
            judge=self.judge,
            draw=ask.draw,
        )

    def judge(self, tower: Tower) -> Judgement:
        """Judge a tower: does it stand, may it enter, is it what was asked for?"""
        verdict = check(tower, Skills.parse(self.skills), Team(self.team), self.is_goal)
        if not verdict:
            return not_yet(verdict, "This tower does not stand yet.")
        return self._compare(tower)

    def is_goal(self, tower: Tower) -> bool:
        """Whether a tower that stands is what was asked for."""
        return bool(self._compare(tower))

    def _compare(self, tower: Tower) -> Judgement:
        if self.wanted and not (entry := check_entry(tower, self.wanted)):
            return not_yet(entry, "It stands, but it may not enter the festival.")
        ranks = Skills.parse(self.skills)
        if self.tile and (missing := tuple(check_performance(self.tile, tower, ranks))):
            return Judgement(False, "It stands, but the tile asks for something else.", missing)
        short = self._short_of(tower) or self.missing(tower)
        if short:
            return Judgement(False, short)
        scored = f" and scores {festival_score(tower, self.wanted)}" if self.wanted else ""
        return Judgement(True, f"It stands, {counted(tower.height, 'level')} high{scored}.")

    def _short_of(self, tower: Tower) -> str:
        """What a tower that stands lacks, in words."""
        if tower.height < self.levels:
            return f"It stands, {tower.height} high. Reach {self.levels} levels."
        if len(tower.team) < self.castellers:
            return f"It stands with {len(tower.team)} castellers. Use {self.castellers} of them."
        points = festival_score(tower, self.wanted)
        return (
            f"It stands and scores {points}. Reach {self.points}." if points < self.points else ""
        )

    def find_solution(self) -> str:
        """A tower that does it: the best ones first, then all there are."""
        found = next((tower for tower in self._candidates() if self.judge(tower)), None)
        if found is None:
            raise CastlelabError(self._why_not())
        return str(found)

    def _candidates(self) -> Iterator[Tower]:
        team, ranks = Team(self.team), Skills.parse(self.skills)
        likely = [performance_tower(self.tile, team, ranks)] if self.tile else []
        likely += [best_tower(team, ranks, self.wanted), tallest_tower(team, ranks)]
        yield from filter(None, likely)
        if not self.tile:  # those are exact
            yield from islice(towers(ranks, team), _TRIED)

    def _why_not(self) -> str:
        """Why no tower was found, and what would help."""
        team, ranks = Team(self.team), Skills.parse(self.skills)
        if self.tile:
            return f"this cannot be solved: no tower of this team shows {self.tile}"
        tallest = tallest_tower(team, ranks)
        height = tallest.height if tallest else 0
        if height < self.levels:
            return (
                f"this cannot be solved: with these people and skills nobody builds more than "
                f"{counted(height, 'level')}, and {self.levels} are asked for"
            )
        best = best_tower(team, ranks, self.wanted)
        if self.wanted and best is None:
            sizes = listed([*map(str, self.wanted)])
            return f"this cannot be solved: no tower may enter a festival that wants {sizes}"
        if best is not None and festival_score(best, self.wanted) < self.points:
            most = festival_score(best, self.wanted)
            return f"this cannot be solved: the best tower scores {most}, not {self.points}"
        whole = next(islice(towers(ranks, team), _TRIED, None), None) is None
        if whole:
            return "this cannot be solved: no tower of this team does all that is asked for"
        return f"none of {_TRIED:,} towers does what is asked for; name one with solution=…"


draft = drafter(TowerLesson)
puzzle = puzzle_maker("castell", draft)
