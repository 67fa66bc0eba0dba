"""The tower word: marks on a line of chips, and each way to set them is a tower."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from math import comb
from typing import Literal

from castlelab.draw.layout import Part, both_widths, button_part, stacked, stepper_part, sum_part
from castlelab.draw.scene import Scene
from castlelab.figures import Figure, FigureTask, HandledFigure, LiveCount, Touched, WhyLine
from castlelab.games.castell.count import vandermonde
from castlelab.games.castell.tower import Tower
from castlelab.games.castell.tower_picture import tower_words
from castlelab.games.castell.tower_word_picture import (
    SUM,
    chip_number,
    chips_part,
    towers_part,
    word_page,
)
from castlelab.rules import CastlelabError, counted

Skill = Literal["balance", "strength"]
_SIZES, _WIDTHS = 10, 3  # of Castell
_REST, _MIRROR = "the rest", "mirror"
_WORTH_HELP = 7  # who has found so many by hand may see the others


def tower_word() -> HandledFigure:
    """The tower word at three ages: pairs of chips, Vandermonde, and its mirror image."""
    return HandledFigure(
        name="castell/tower-word",
        title="The tower word",
        idea="a tower is a few marks",
        ages="13–16",
        minutes=10,
        tasks={11: _pairs(), 14: _triples(), 17: _one_twice()},
    )


def _pairs() -> FigureTask:
    sizes, widths = 4, 2
    answer = vandermonde(widths, sizes=sizes)
    return FigureTask(
        question="Sizes 10, 9, 8, 7; levels 2 or 1 wide; upwards both get smaller. How many "
        "different towers are there?",
        answer=answer,
        slips={
            answer + 1: "Nothing at all is no tower.",
            sizes * widths: "These have one level. There are towers of two levels, too.",
            comb(sizes, 2): "These have two levels. One level is a tower, too.",
            20: "The order is no choice: the larger size stands below.",
        },
        do="Mark two chips. Marked castellers take the widths without a mark. Find all towers.",
        first=TowerWord(sizes, widths),
        counted=lambda figure: isinstance(figure, TowerWord) and len(figure.towers) == answer,
        hints=(
            "A third mark takes the oldest one away, so each touch makes another pair.",
            "How many pairs do six chips have? Does each of them build a tower?",
        ),
        because=f"Six chips have 6 · 5 / 2 = 15 pairs. Only both widths build nothing: {answer}.",
        why=WhyLine(
            start="Every pair of marks fits, because",
            ends={
                "each casteller marked frees a width": "Two marks: one more here, one less there.",
                "each chip is used": "Look at the line: some are not.",
                "there are always two levels": "With one casteller there is one level.",
            },
            right="each casteller marked frees a width",
        ),
        proof=(
            "Marked castellers and marked widths are two together.",
            "So one width is free for each marked casteller: both are sorted, and meet.",
            "The other way, each tower tells which chips are marked.",
        ),
    )


def _triples() -> FigureTask:
    answer = vandermonde()
    return FigureTask(
        question="Sizes 10 to 1; levels 3, 2 or 1 wide; upwards both get smaller. How many "
        "different towers are there?",
        answer=answer,
        slips={
            answer + 1: "Nothing at all is no tower.",
            _SIZES * _WIDTHS: "These have one level.",
            comb(_SIZES, 3): "These have three levels.",
            (2**_SIZES - 1) * (2**_WIDTHS - 1): "There must be as many sizes as widths.",
        },
        do="Mark three chips. Build one, two, three levels, and once nothing: each fills a line.",
        first=TowerWord(_SIZES, _WIDTHS, by_height=True),
        counted=lambda figure: (
            isinstance(figure, TowerWord)
            and (figure.sizes, figure.widths) == (_SIZES, _WIDTHS)
            and len(figure.heights) == _WIDTHS + 1
        ),
        hints=(
            "Marked castellers take the widths without a mark. How many marks are there always?",
            "One casteller and two widths marked: one level. For nothing, mark all widths.",
        ),
        because=f"Three of 13 chips: C(13, 3) = 286 ways. One of them builds nothing: {answer}.",
        why=WhyLine(
            start="Σ C(10, h) · C(3, h) = C(13, 3), because with h castellers marked",
            ends={
                "3 − h widths are marked, too": "Three marks, however high the tower is.",
                "h widths are marked, too": "Then there would be 2h marks, not three.",
                "each has three widths": "Only with one level does it: 10 · 3.",
            },
            right="3 − h widths are marked, too",
        ),
        proof=(
            "h levels: C(10, h) sizes and C(3, h) widths, in one order only.",
            "C(3, h) = C(3, 3 − h): choose the widths that are marked.",
            "Vandermonde: Σ C(s, h) · C(w, w − h) = C(s + w, w).",
        ),
    )


def _one_twice() -> FigureTask:
    answer, mirrored = (sum(terms(skill)) for skill in ("balance", "strength"))
    return FigureTask(
        question="Balance 1: once, a level may be as wide as the one below. How many towers of ten "
        "sizes, at most 3 wide, are there?",
        answer=answer,
        slips={
            vandermonde(): "These do without Balance.",
            answer - vandermonde(): "Towers that do without Balance count, too.",
            mirrored: "That is Strength 1: a size comes twice.",
            vandermonde(4): "That is a fourth width. Balance lets one of the three come twice.",
        },
        do="Touch a width twice to use it twice. Build 1 to 4 levels. Then mirror: use Strength.",
        first=MirroredWord(),
        counted=lambda figure: (
            isinstance(figure, MirroredWord)
            and all(len(figure.seen(skill)) == len(terms(skill)) for skill in _SKILLS)
        ),
        hints=(
            "Choose as many sizes as widths; one width may count twice.",
            "Four levels are 3, 3, 2, 1 wide. With Strength, a size comes twice.",
        ),
        because="h levels have C(10, h) choices of sizes, and C(3, h) + (h − 1) · C(3, h − 1) of "
        f"widths: {answer} together.",
        why=WhyLine(
            start=f"Strength 1 brings {mirrored}, by the same formula with 10 and 3 exchanged, "
            "because",
            ends={
                "sizes and widths follow the same rule": "Both shrink, and either may rest once.",
                "there are more widths than sizes": "There are three widths and ten sizes.",
                "a tower can stand upside down": "Then a narrow level would carry a wide one.",
            },
            right="sizes and widths follow the same rule",
        ),
        proof=(
            "h − 1 different widths, and one of them twice: (h − 1) · C(3, h − 1) ways.",
            "Strength: Σ C(3, h) · (C(10, h) + (h − 1) · C(10, h − 1)) = 405.",
            "Without skills the word is a path: three steps up, ten to the right.",
        ),
    )


# -- marked -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TowerWord(Figure):
    """Chips for sizes and widths, of which as many are marked as there are widths.

    ``built`` are the towers that were there, "" for nothing; ``by_height`` adds up all that are
    as high as those.
    """

    sizes: int
    widths: int
    marked: tuple[str, ...] = ()  # the oldest first
    built: tuple[str, ...] = ()
    by_height: bool = False

    @property
    def tower(self) -> Tower | None:
        """What the marks build; nothing, until there are enough."""
        if len(self.marked) < self.widths:
            return None
        return _tower(
            (size for size in _sizes(self.sizes) if f"size {size}" in self.marked),
            (width for width in _widths(self.widths) if f"width {width}" not in self.marked),
        )

    @property
    def towers(self) -> tuple[str, ...]:
        return tuple(filter(None, self.built))

    @property
    def heights(self) -> frozenset[int]:
        """How high the towers were, 0 for nothing."""
        return frozenset(len(text.split()) for text in self.built)

    def touch(self, target: str) -> Touched:
        if target == _REST:
            every = all_towers(self.sizes, self.widths)
            return Touched(replace(self, built=every), "Here are all of them.")
        kind, _, what = target.partition(" ")
        if what in ("−", "+"):
            return self._resized(kind, 1 if what == "+" else -1)
        if target in self.marked:
            marked = tuple(chip for chip in self.marked if chip != target)
            return Touched(replace(self, marked=marked), f"{target} is no longer marked.")
        marked = (*self.marked, target)[-self.widths :]
        return replace(self, marked=marked)._kept(f"{target} is marked.")

    def _resized(self, kind: str, step: int) -> Touched:
        most, now = (_SIZES, self.sizes) if kind == "sizes" else (_WIDTHS, self.widths)
        if not 1 <= now + step <= most:
            raise CastlelabError(f"there are 1 to {most} {kind}")
        sizes, widths = self.sizes, self.widths
        if kind == "sizes":
            sizes += step
        else:
            widths += step
        made = replace(self, sizes=sizes, widths=widths, marked=(), built=())
        return Touched(made, f"{now + step} {kind}.")

    def _kept(self, words: str) -> Touched:
        if (tower := self.tower) is None:
            return Touched(self, f"{words} {self.told}")
        text = str(tower) if tower.levels else ""
        if text in self.built:
            return Touched(self, f"{words} {self.told} You have had this one.")
        new = "" if self.by_height else " A new one!" if text else " That is no tower."
        return Touched(replace(self, built=(*self.built, text)), f"{words} {self.told}{new}")

    @property
    def tally(self) -> LiveCount:
        if not self.by_height:
            return LiveCount(str(len(self.towers)), "different towers found")
        number = sum(self._terms[height] for height in self.heights if height)
        return LiveCount(str(number), "towers as high as yours")

    @property
    def _terms(self) -> tuple[int, ...]:
        return tuple(
            comb(self.sizes, height) * comb(self.widths, height)
            for height in range(self.widths + 1)
        )

    @property
    def told(self) -> str:
        if (tower := self.tower) is None:
            return f"{counted(self.widths - len(self.marked), 'mark')} to go."
        return tower_words(tower) if tower.levels else "No size, no width left: nothing."

    @property
    def offers(self) -> tuple[str, ...]:
        return (_REST,) if self._may_have_the_rest else ()

    @property
    def _may_have_the_rest(self) -> bool:
        return not self.by_height and _WORTH_HELP <= len(self.towers) < sum(self._terms) - 1

    def picture(self) -> Scene:
        return both_widths(self._drawn, "A tower word", self.told)

    def _drawn(self, is_narrow: bool) -> Part:
        names = _chips(self.sizes, self.widths)
        line = chips_part(names, dict.fromkeys(self.marked, "✓"), is_narrow)
        kept = self._sum() if self.by_height else self._found(is_narrow)
        return word_page(line, self.tower, kept, is_narrow)

    def _sum(self) -> Part:
        lines = []
        for height, term in enumerate(self._terms):
            choices = f": {comb(self.sizes, height)} · {comb(self.widths, height)}"
            is_known = height in self.heights
            lines.append((counted(height, "level") + choices * is_known, term * is_known))
        table = sum_part(_added("ways to mark", lines), SUM, 5)
        steppers = [
            stepper_part("sizes", self.sizes, SUM),
            stepper_part("widths", self.widths, SUM),
        ]
        return stacked([table, *steppers], 6)

    def _found(self, is_narrow: bool) -> Part:
        grid = towers_part(self.towers, len(all_towers(self.sizes, self.widths)), is_narrow)
        if not self._may_have_the_rest:
            return replace(grid, height=grid.height + 46)
        return stacked([grid, button_part(_REST, "Show the rest", (0, 0, 140, 40))], 6)


# -- chosen, one of them twice ------------------------------------------------------------------

_SKILLS: tuple[Skill, ...] = ("balance", "strength")


def terms(skill: Skill) -> tuple[int, ...]:
    """The towers of 1, 2, … levels with one rank of a skill.

    >>> terms("balance"), terms("strength")
    ((30, 270, 840, 630), (30, 165, 210))
    """
    once, twice = (_SIZES, _WIDTHS) if skill == "balance" else (_WIDTHS, _SIZES)
    found = []
    for height in range(1, _WIDTHS + 2):
        found.append(comb(once, height) * sum(_choices(twice, height)))
    return tuple(filter(None, found))


def _choices(number: int, height: int) -> tuple[int, int]:
    """Choices of so many that are all different, and of those in which one comes twice."""
    return comb(number, height), (height - 1) * comb(number, height - 1)


@dataclass(frozen=True)
class MirroredWord(Figure):
    """Sizes and widths that are chosen, one width twice with Balance, one size with Strength."""

    skill: Skill = "balance"
    chosen: tuple[str, ...] = ()
    built: frozenset[tuple[Skill, int]] = frozenset()  # how high, with which skill

    @property
    def tower(self) -> Tower | None:
        sizes, widths = (
            sorted(
                (chip_number(chip) for chip in self.chosen if chip.startswith(kind)), reverse=True
            )
            for kind in ("size", "width")
        )
        return _tower(sizes, widths) if len(sizes) == len(widths) else None

    def seen(self, skill: Skill) -> frozenset[int]:
        """How high the towers with a skill were."""
        return frozenset(height for one, height in self.built if one == skill)

    def touch(self, target: str) -> Touched:
        if target == _MIRROR:
            other: Skill = "strength" if self.skill == "balance" else "balance"
            what = "a size" if other == "strength" else "a width"
            words = f"{other.capitalize()}: {what} may come twice."
            return Touched(replace(self, skill=other, chosen=()), words)
        times = self.chosen.count(target)
        is_off = times == 2 or (times and not self._may_double(target))
        chosen = tuple(chip for chip in self.chosen if chip != target) if is_off else self.chosen
        made = replace(self, chosen=chosen if is_off else (*chosen, target))
        if (tower := made.tower) is not None and tower.levels:
            made = replace(made, built=made.built | {(made.skill, tower.height)})
        state = "off" if is_off else "there twice" if times else "there"
        return Touched(made, f"{target} is {state}. {made.told}")

    def _may_double(self, chip: str) -> bool:
        kind = "width" if self.skill == "balance" else "size"
        return chip.startswith(kind) and len(set(self.chosen)) == len(self.chosen)

    @property
    def tally(self) -> LiveCount:
        balance, strength = (
            sum(terms(skill)[height - 1] for height in self.seen(skill)) for skill in _SKILLS
        )
        return LiveCount(str(balance), f"towers with Balance, {strength} with Strength")

    @property
    def told(self) -> str:
        if not self.chosen:
            return "Nothing is chosen."
        if (tower := self.tower) is None:
            return "Choose as many sizes as widths."
        return tower_words(tower)

    def picture(self) -> Scene:
        return both_widths(self._drawn, "A tower word", self.told)

    def _drawn(self, is_narrow: bool) -> Part:
        marks = {chip: "2×" if self.chosen.count(chip) == 2 else "✓" for chip in self.chosen}
        line = chips_part(_chips(_SIZES, _WIDTHS), marks, is_narrow)
        button = button_part(_MIRROR, f"{self.skill.capitalize()} 1: mirror it", (0, 0, SUM, 42))
        return word_page(line, self.tower, stacked([button, self._sum()], 8), is_narrow)

    def _sum(self) -> Part:
        once, twice = (_SIZES, _WIDTHS) if self.skill == "balance" else (_WIDTHS, _SIZES)
        lines = []
        for height, term in enumerate(terms(self.skill), start=1):
            different, doubled = _choices(twice, height)
            choices = f": {comb(once, height)} · ({different} + {doubled})"
            is_known = height in self.seen(self.skill)
            words = f"{height}{choices}" if is_known else counted(height, "level")
            lines.append((words, term * is_known))
        return sum_part(_added("towers", lines), SUM, 5)


def _added(total: str, lines: Sequence[tuple[str, int]]) -> list[tuple[str, str]]:
    """The lines of a sum; what is not yet known is 0."""
    shown = [(words, f"{'+ ' * (at > 0)}{term or '…'}") for at, (words, term) in enumerate(lines)]
    return [*shown, (total, f"= {sum(term for _, term in lines)}")]


# -- towers of chips ----------------------------------------------------------------------------


def _sizes(number: int) -> range:
    """So many sizes, the largest first."""
    return range(_SIZES, _SIZES - number, -1)


def _widths(number: int) -> range:
    return range(number, 0, -1)


def _chips(sizes: int, widths: int) -> list[str]:
    return [
        *(f"size {size}" for size in _sizes(sizes)),
        *(f"width {width}" for width in _widths(widths)),
    ]


def _tower(sizes: Iterable[int], widths: Iterable[int]) -> Tower:
    return Tower(" ".join(f"{s}*{w}" for s, w in zip(sizes, widths, strict=True)))


@cache
def all_towers(sizes: int, widths: int) -> tuple[str, ...]:
    """Every tower of so many sizes and widths, by the chips that are marked.

    >>> all_towers(2, 1)
    ('10', '9')
    """
    words = (
        TowerWord(sizes, widths, marked).tower
        for marked in combinations(_chips(sizes, widths), widths)
    )
    return tuple(str(tower) for tower in words if tower is not None and tower.levels)
