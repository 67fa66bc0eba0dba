"""Build a tower by picking: a casteller from the team, then a level."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import ipywidgets
import traitlets

from castlelab.draw.scene import Scene
from castlelab.games.castell.picture import bench_scene, level_words
from castlelab.games.castell.tower import MAX_RANK, SKILLS, Level, Skills, Team, Tower, check
from castlelab.puzzles import unmended
from castlelab.rules import LEGAL, Verdict, counted
from castlelab.widgets.board.editor import BoardEditor, in_lines, means_clear
from castlelab.widgets.board.offers import mends_of
from castlelab.widgets.board.picked_up import NOTHING_PICKED_UP, PickedUp
from castlelab.widgets.controls import row

if TYPE_CHECKING:
    from castlelab.games.castell.puzzles import BuildTower


@dataclass(frozen=True, slots=True)
class _Bench:
    """What undo goes back to: the tower, the size in hand and the level it was put on last."""

    tower: Tower
    hand: PickedUp[int, int] = NOTHING_PICKED_UP


def with_casteller(tower: Tower, number: int, size: int) -> Tower:
    """The tower with one more casteller on a level; one above the top is a new level.

    >>> str(with_casteller(Tower("9*3 8"), 2, 8)), str(with_casteller(Tower("9*3"), 2, 8))
    ('9*3 8*2', '9*3 8')
    """
    people = [each for level in tower.levels[number - 1 : number] for each in level]
    built = Level.of([*people, size])
    return Tower.of([*tower.levels[: number - 1], built, *tower.levels[number:]])


def without_casteller(tower: Tower, number: int, place: int) -> Tower:
    """The tower with one casteller of a level taken off; an empty level is gone.

    >>> str(without_casteller(Tower("9*3 8 7"), 2, 1))
    '9*3 7'
    """
    people = list(tower.levels[number - 1])
    del people[place - 1]
    rest = [Level.of(people)] if people else []
    return Tower.of([*tower.levels[: number - 1], *rest, *tower.levels[number:]])


class TowerEditor(BoardEditor[_Bench]):
    """A bench to build on. ``value`` is the tower as it stands; observe it to follow along.

    ``train`` names skills whose ranks the learner may change with sliders. With ``mends`` it is
    also said, and offered, what would put a wrong tower right.
    """

    value = traitlets.Instance(Tower)
    skills = traitlets.Instance(Skills)

    def __init__(
        self,
        team: Team | str,
        skills: Skills | None = None,
        tower: Tower | str = "",
        *,
        wanted: tuple[int, ...] = (),
        widths: tuple[int, ...] = (),
        train: tuple[str, ...] = (),
        mends: bool = True,
        label: str = "Tower editor",
    ) -> None:
        self.team = Team(team) if isinstance(team, str) else team
        self.wanted, self.widths = wanted, widths
        self._mends = mends and not train  # with sliders there is something to find out
        self._refusals = 0
        start = Tower(tower) if isinstance(tower, str) else tower
        self.skills = skills or Skills()
        self._sliders = {skill: self._slider(skill) for skill in train}
        super().__init__(
            _Bench(start),
            above=[row(*self._sliders.values())] if train else [],
            on_mend=self.build,
            label=label,
            text_label="Type a tower",
            text_hint="Base first: 9*3 8*2 7",
        )
        if start.levels:
            self._show_step("")

    # -- what is picked, typed and taken back ----------------------------------------------

    def _pick(self, target: str) -> None:
        kind, *numbers = target.split()
        first = int(numbers[0])
        if kind == "size":
            self._take_up(first)
        elif kind == "casteller":
            self._take_off(first, int(numbers[1]))
        elif (size := self._now.hand.thing) is not None:
            self._put(first, size)
        else:
            self._point_at(first)

    def _take_up(self, size: int) -> None:
        hand = self._now.hand.pick(size)
        bench = replace(self._now, hand=hand)
        if hand.thing is None:
            self._go(bench, f"Size {size} is put back.")
        else:
            self._steps.go(bench)
            words = f"Size {size} in hand. Now pick a level."
            self.board.show(self._scene(), words, held=self._held())
            self._steps.tell(self.board)

    def _put(self, level: int, size: int) -> None:
        if self.free(size) < 1:
            self._go(_Bench(self._now.tower), f"No casteller of size {size} is free.")
            return
        tower = with_casteller(self._now.tower, level, size)
        words = f"Size {size} stands on level {level}."
        if self.free(size) > 1:
            words += f" Pick level {level} again for another one."
            self._go(_Bench(tower, self._now.hand.put(level)), words)
        else:
            self._go(_Bench(tower), words)

    def _take_off(self, level: int, place: int) -> None:
        # Not into the hand: whoever takes castellers off one after the other would put the
        # first on the level of the second.
        size = list(self._now.tower.levels[level - 1])[place - 1]
        tower = without_casteller(self._now.tower, level, place)
        self._go(_Bench(tower), f"Size {size} is off level {level}, back in your team.")

    def _point_at(self, level: int) -> None:
        if level <= self._now.tower.height:
            words = level_words(level, self._now.tower.levels[level - 1])
            self.board.say(
                f"{words}. Pick a casteller of it to take it off, or one of the team to add."
            )
        else:
            self.board.say("Pick a casteller of your team first, then this level.")

    def _write(self, text: str) -> None:
        self.build("" if means_clear(text) else text)

    # -- the rest --------------------------------------------------------------------------

    def free(self, size: int) -> int:
        """How many castellers of a size are not in the tower."""
        return self.team.count(size) - self._now.tower.count(size)

    def build(self, tower: Tower | str) -> None:
        """Put a whole tower on the bench; undo brings back the old one."""
        built = Tower(tower) if isinstance(tower, str) else tower
        self._go(_Bench(built), f"The tower is now {str(built) or 'empty'}.")

    def _made(self) -> Tower:
        return self._now.tower

    def _show(self, words: str, verdict: Verdict = LEGAL) -> None:
        tower = self._now.tower
        if not tower.levels:
            self.board.show(self._scene(), words, held=self._held())
            return
        judged = check(tower, self.skills, self.team)
        if not self._mends:
            judged = unmended(judged)
        size = f"{counted(tower.height, 'level')}, {counted(len(tower.team), 'casteller')}"
        told = f"It stands: {size}." if judged else str(judged)
        self.board.show(self._scene(), in_lines(words, told), ok=bool(judged), held=self._held())
        self.board.offer(mends_of(judged.breaches))

    def refuse(self) -> None:
        """Let a tower that breaks a rule come down before one's eyes; it is there again after."""
        self._refusals += 1
        self.board.paint(self._scene(refused=self._refusals))

    def _held(self) -> str | None:
        size = self._now.hand.thing
        return None if size is None else f"size {size}"

    def _scene(self, *, refused: int = 0) -> Scene:
        tower = self._now.tower
        lit = check(tower, self.skills, self.team).where if tower.levels else ()
        return bench_scene(
            tower,
            self.team,
            self.skills,
            self._now.hand.thing,
            self._now.hand.at,
            lit=lit,
            wanted=self.wanted,
            widths=self.widths,
            refused=refused,
        )

    def _slider(self, skill: str) -> ipywidgets.IntSlider:
        slider = ipywidgets.IntSlider(
            value=self.skills.rank(skill),
            min=0,
            max=MAX_RANK,
            description=skill.title(),
            layout=ipywidgets.Layout(width="260px"),
        )
        slider.observe(self._train, "value")
        return slider

    def _train(self, _: object) -> None:
        ranks = {skill: self.skills.rank(skill) for skill in SKILLS}
        ranks |= {skill: slider.value for skill, slider in self._sliders.items()}
        self.skills = Skills(**ranks)
        self._show_step(f"Skills: {self.skills}.")


def editor_for(ask: BuildTower) -> TowerEditor:
    """The bench for a puzzle that asks for a tower."""
    return TowerEditor(
        ask.team, ask.skills, ask.start, wanted=ask.wanted, widths=ask.widths, mends=False
    )
