"""Authored puzzles of Castell: the steps of the walk-through that ask for a tower."""

from __future__ import annotations

from dataclasses import dataclass

from castlelab.games.castell.box import Performance
from castlelab.games.castell.performance import check_performance
from castlelab.games.castell.puzzles import BuildTower
from castlelab.games.castell.tower import Skills, Team, Tower, check, check_entry, festival_score
from castlelab.puzzles import Code, Judgement, Lesson, Puzzle, lesson_opener, not_yet


@dataclass(frozen=True, slots=True, kw_only=True)
class TowerLesson(Lesson):
    """A tower to build: from which team and start, how high, how good, for which tile."""

    team: str
    solution: str
    skills: Skills = Skills()
    start: str = ""
    levels: int = 1
    castellers: int = 1
    wanted: tuple[int, ...] = ()
    points: int = 0
    tile: Performance | None = None

    def puzzle(self, code: Code) -> Puzzle:
        team, start = Team(self.team), Tower(self.start)
        widths = self.tile.widths if self.tile else ()
        ask = BuildTower(team, self.skills, self.wanted, widths, start, self.is_goal)
        return self.asking(
            code,
            ask,
            start=start,
            solution=Tower(self.solution),
            par=self.points or self.levels,
            judge=self.judge,
            draw=ask.draw,
        )

    def judge(self, tower: Tower) -> Judgement:
        """Judge a tower: does it stand, may it enter, is it what was asked for?"""
        verdict = check(tower, self.skills, Team(self.team), self.is_goal)
        if not verdict:
            return not_yet(verdict, "This tower does not stand yet.")
        return self._compare(tower)

    def is_goal(self, tower: Tower) -> bool:
        """Whether a tower that stands is what was asked for."""
        return bool(self._compare(tower))

    def _compare(self, tower: Tower) -> Judgement:
        if self.wanted and not (entry := check_entry(tower, self.wanted)):
            return not_yet(entry, "It stands, but it may not enter the festival.")
        if self.tile and (missing := tuple(check_performance(self.tile, tower, self.skills))):
            return Judgement(False, "It stands, but the tile asks for something else.", missing)
        return self._measure(tower)

    def _measure(self, tower: Tower) -> Judgement:
        points = festival_score(tower, self.wanted)
        if tower.height < self.levels:
            return Judgement(False, f"It stands, {tower.height} high. Reach {self.levels} levels.")
        if len(tower.team) < self.castellers:
            return Judgement(
                False,
                f"It stands with {len(tower.team)} castellers. Use {self.castellers} of them.",
            )
        if points < self.points:
            return Judgement(False, f"It stands and scores {points}. Reach {self.points}.")
        scored = f" and scores {points}" if self.wanted else ""
        return Judgement(True, f"It stands, {tower.height} levels high{scored}.")


_TILE_F = Performance(points=6, shown=Skills(strength=1, base=1, mix=2))

LESSONS = {
    "first-tower": TowerLesson(
        prompt="Build a tower of three levels.",
        team="9*3 8*2 7*2 6 5",
        solution="9*3 8*2 7",
        levels=3,
        hints=("Start with the largest castellers.", "Three of size 9, two of size 8, then one."),
        rules=("castell/tower-stands", "castell/own-castellers"),
    ),
    "one-size": TowerLesson(
        prompt="Someone of another size has joined the base. Mend it and keep three levels.",
        team="9*3 8*2 7*2 6",
        start="9*2+6 8*2 7",
        solution="9*3 8*2 7",
        levels=3,
        hints=("Look at the base.", "Take size 6 off the base and put the third 9 there."),
        rules=("castell/level-one-size",),
    ),
    "smaller-on-top": TowerLesson(
        prompt="The big ones are standing on the small ones. Mend it and keep three levels.",
        team="9*3 8*3 7*2",
        start="8*3 9*2 7",
        solution="9*3 8*2 7",
        levels=3,
        hints=("Compare the sizes of level 1 and level 2.", "Let the 9s be the base."),
        rules=("castell/level-smaller",),
    ),
    "fewer-on-top": TowerLesson(
        prompt="Level 2 is wider than its base. Mend it and keep three levels.",
        team="9*3 8*3 7",
        start="9*2 8*3 7",
        solution="9*3 8*2 7",
        levels=3,
        hints=("Count the castellers of level 1 and level 2.", "Add a 9, take an 8 away."),
        rules=("castell/level-shrinks",),
    ),
    "three-at-most": TowerLesson(
        prompt="This base is too wide. Mend it and keep three levels.",
        team="10*4 8*3 7*2",
        start="10*4 8*3 7*2",
        solution="10*3 8*2 7",
        levels=3,
        hints=("The base may have three.", "Every level has to give up one casteller."),
        rules=("castell/max-width",),
    ),
    "balance": TowerLesson(
        prompt="You have Balance rank 2. Build five levels.",
        team="10*3 9*3 8*3 7*2 6*2",
        skills=Skills(balance=2),
        solution="10*3 9*3 8*3 7*2 6",
        levels=5,
        hints=("Two levels may be as wide as the one below.", "Start 3, 3, 3."),
        rules=("castell/balance",),
    ),
    "base": TowerLesson(
        prompt="You have Base rank 1, and the festival wants size 8. Score 11.",
        team="8*7 7*3 6*2 5 4",
        skills=Skills(base=1),
        solution="8*7 7*3 6*2 5",
        wanted=(8,),
        points=11,
        hints=("One level may be as wide as you like.", "Put all seven 8s on the ground."),
        rules=("castell/base", "castell/festival-score"),
    ),
    "mix": TowerLesson(
        prompt="You have Mix rank 1 and Balance rank 1. Build four levels with all nine.",
        team="10 9*2 8*3 7*2 6",
        skills=Skills(mix=1, balance=1),
        solution="10+9*2 8*3 7*2 6",
        levels=4,
        castellers=9,
        hints=("A 10 and a 9 have the same height.", "10, 9 and 9 make the base."),
        rules=("castell/mix", "castell/balance"),
    ),
    "strength": TowerLesson(
        prompt="You have Strength rank 2 and Balance rank 2. Use all six 5s in four levels.",
        team="5*6 4",
        skills=Skills(strength=2, balance=2),
        solution="5*2 5*2 5*2 4",
        levels=4,
        castellers=7,
        hints=("A 5 may stand on a 5, twice.", "Two and two and two, then the 4."),
        rules=("castell/strength", "castell/balance"),
    ),
    "width": TowerLesson(
        prompt="You have Width rank 4. Build four levels with sixteen castellers.",
        team="10*7 9*6 8*2 7*2",
        skills=Skills(width=4),
        solution="10*7 9*6 8*2 7",
        levels=4,
        castellers=16,
        hints=("The maximum width is now 7.", "Seven 10s, then six 9s."),
        rules=("castell/width",),
    ),
    "exhibition": TowerLesson(
        prompt="Show six levels that need Strength once, Base once and Mix twice.",
        team="10*2 9*2 8*5 7 6*2 5*2 4",
        skills=Skills(balance=2, base=1, mix=2, strength=1),
        solution="10*2+9*2 8*2+7 8*3 6*2 5*2 4",
        tile=_TILE_F,
        hints=(
            "A base of four needs Base; two mixed levels need Mix; equal sizes need Strength.",
            "Base 10, 10, 9, 9; above it 8, 8, 7; then three 8s.",
        ),
        rules=("castell/performance-exhibition",),
    ),
    "entry": TowerLesson(
        prompt="The festival wants sizes 8 and 6. This tower is too low. Build one that may enter.",
        team="8*2 7*2 6*2 5 4",
        skills=Skills(balance=2),
        start="8*2 6",
        solution="8*2 7*2 6 5",
        wanted=(8, 6),
        hints=("Four levels are needed.", "Balance lets 7, 7 stand on 8, 8."),
        rules=("castell/festival-entry",),
    ),
    "score-twelve": TowerLesson(
        prompt="The festival wants sizes 9 and 3. Score 12.",
        team="9*4 8*3 7*3 6*2 3*2 2",
        skills=Skills(balance=2, width=1),
        solution="9*4 8*3 7*3 6*2 3*2 2",
        wanted=(9, 3),
        points=12,
        hints=("Six levels, four 9s and two 3s make 12.", "Widths 4, 3, 3, 2, 2, 1."),
        rules=("castell/festival-score",),
    ),
}


lesson = lesson_opener("castell", LESSONS)
