"""Authored puzzles of Castle Keep: the steps of the walk-through that ask for tiles."""

from __future__ import annotations

from dataclasses import dataclass

from castlelab.authoring import Lesson, lesson_opener
from castlelab.games.castle_keep.castle import Castle, Tile
from castlelab.games.castle_keep.count import hand_of
from castlelab.games.castle_keep.puzzle_finish_it import (
    BuildPlan,
    Finish,
    Laid,
    lay,
    read_plan,
    refused_plan,
    unfinished,
)
from castlelab.puzzles import Code, Judgement, Puzzle


@dataclass(frozen=True, slots=True, kw_only=True)
class TileLesson(Lesson):
    """Tiles to lay: on which castle, from which hand, and what is reached with them.

    The castle is to be finished, unless so many tiles are enough, or one tile is wanted.
    """

    castle: str
    hand: str
    solution: str
    last_matches_both: bool = False
    tiles: int = 0
    wanted: str = ""

    @property
    def ask(self) -> Finish:
        """What the answer is laid on, and with what."""
        return Finish(Castle.parse(self.castle), hand_of(self.hand), self.last_matches_both)

    def puzzle(self, code: Code) -> Puzzle:
        ask, solution = self.ask, read_plan(self.solution)
        par = len(solution.steps)
        return self.asking(code, ask, solution=solution, par=par, judge=self.judge, draw=ask.draw)

    def judge(self, plan: BuildPlan) -> Judgement:
        """Judge a plan: is every step allowed, and does it reach what was asked for?"""
        laid = lay(self.ask, plan)
        if not laid.verdict:
            to_finish = not (self.wanted or self.tiles)
            return refused_plan(plan, laid, self.ask if to_finish else None)
        return self._measure(laid)

    def _measure(self, laid: Laid) -> Judgement:
        if self.wanted:
            tile = Tile(self.wanted)
            if tile in laid.hand:
                return Judgement(False, f"Every tile fits, but the {tile.words} is not laid yet.")
            return Judgement(True, f"The {tile.words} stands.")
        if self.tiles:
            if laid.steps < self.tiles:
                return Judgement(False, f"Every tile fits. Lay {self.tiles}, not {laid.steps}.")
            return Judgement(True, f"{laid.steps} laid, and every tile fits.")
        if not laid.castle.complete:
            return unfinished(self.ask, laid)
        return Judgement(True, "The castle is complete. You win!")


LESSONS = {
    "first-castle": TileLesson(
        prompt="Three tiles are missing. Finish the castle.",
        castle="TRC WRZ TRC / WRS -- WRS / TYS -- --",
        hand="WYC TYS KR",
        solution="WYC s, TYS se, KR c",
        hints=(
            "A wall, a tower and a keep: where does each belong?",
            "The wall goes on the south.",
        ),
        rules=("castle_keep/build-many", "castle_keep/win-build"),
    ),
    "corners-and-sides": TileLesson(
        prompt="Start a castle. Lay all three tiles.",
        castle="-- -- -- / -- -- -- / -- -- --",
        hand="KB TBC WBZ",
        solution="WBZ n, TBC ne, KB c",
        tiles=3,
        hints=(
            "Towers go on corners, walls on sides. The keep does not come first.",
            "Lay the wall, then the tower right beside it.",
        ),
        rules=("castle_keep/spots", "castle_keep/first-tile", "castle_keep/adjacent"),
    ),
    "match": TileLesson(
        prompt="Neighbours have the colour or the shape in common. Lay all three tiles.",
        castle="TRC WRZ -- / -- -- -- / -- -- --",
        hand="TYC TBZ WBC",
        solution="TBZ ne, WBC e, TYC se",
        tiles=3,
        hints=(
            "Which tower has something in common with the red zigzag wall?",
            "The blue zigzag tower goes beside the wall. Blue goes on with blue.",
        ),
        rules=("castle_keep/match",),
    ),
    "between": TileLesson(
        prompt="An attack has left two parts. Join them with one tile.",
        castle="TRC WRC -- / -- -- WYZ / -- -- TYS",
        hand="TBZ TYC TRS",
        solution="TYC ne",
        tiles=1,
        hints=(
            "The north-east corner touches two walls. It must match both.",
            "Red or curvy for one, yellow or zigzag for the other.",
        ),
        rules=("castle_keep/match",),
    ),
    "keep": TileLesson(
        prompt="Give this castle its blue keep.",
        castle="TRC -- -- / WRZ -- -- / TYZ -- --",
        hand="KB TYS WBC",
        solution="WBC n, KB c",
        wanted="KB",
        hints=(
            "A keep wants to see its own colour somewhere in the castle.",
            "The blue wall is curvy, and so is the red tower.",
        ),
        rules=("castle_keep/keep-colour",),
    ),
    "closing": TileLesson(
        prompt="Finish the castle. Mind which tile comes last.",
        castle="TRC WRC TRZ / WRC KR WYZ / TBC -- --",
        hand="WYZ TYS",
        solution="TYS se, WYZ s",
        hints=(
            "The tile that closes the ring needs to match only one neighbour.",
            "The wall does not match the blue tower, so let it come last.",
        ),
        rules=("castle_keep/last-tile",),
    ),
    "lone-keep": TileLesson(
        prompt="An attack has left only the keep. Start again and lay all three tiles.",
        castle="-- -- -- / -- KR -- / -- -- --",
        hand="WYZ TYC TRZ",
        solution="TRZ nw, WYZ n, TYC ne",
        tiles=3,
        hints=(
            "The first tile must have the keep's colour.",
            "Begin with the red tower. Then only neighbours count.",
        ),
        rules=("castle_keep/lone-keep",),
    ),
    "no-easy-ending": TileLesson(
        prompt="Now the closing tile must match both neighbours. Finish the castle.",
        castle="TRC WRC TRZ / WRC KR WYZ / TBC -- --",
        hand="WYZ TYS WBS",
        solution="TYS se, WBS s",
        last_matches_both=True,
        hints=(
            "The wall on the south will touch two towers.",
            "It is blue or curvy, and it is yellow or straight.",
        ),
        rules=("castle_keep/adv-last-both",),
    ),
}


lesson = lesson_opener("castle_keep", LESSONS)
