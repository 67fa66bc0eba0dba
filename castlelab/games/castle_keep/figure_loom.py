"""Faces on a loom: gaps to fill, ways that are woven step by step, patterns that only grow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from castlelab.draw.layout import Part, both_widths, stacked
from castlelab.draw.scene import Scene, Text
from castlelab.figures import Figure, LiveCount, Touched
from castlelab.games.castle_keep.castle import TILES, Tile
from castlelab.games.castle_keep.count import rings_by_formula
from castlelab.games.castle_keep.loom_picture import (
    FaceCell,
    ShownGap,
    beside_loom,
    faces_part,
    gaps_part,
    patterns_part,
    ring_part,
    slider_part,
    table_part,
)
from castlelab.games.castle_keep.turntable_picture import inset
from castlelab.rules import CastlelabError

#: The nine faces, as walls, by colour and shape.
FACES: dict[str, Tile] = {FaceCell(tile).face: tile for tile in TILES if tile.kind == "wall"}
FIRST = "red curvy"  # where every way begins
_MOST_STEPS = 5
_LARGEST = 4
#: How many rings of n places each pattern adds, by what a step multiplies it by.
_TERMS = {5: "5ⁿ", 2: "4 · 2ⁿ", -1: "4 · (−1)ⁿ"}

Three = tuple[int, int, int]  # for faces that share both things with the first, one, or none


def things_shared(face: str, other: str = FIRST) -> int:
    """How many things two faces share.

    >>> things_shared("red curvy"), things_shared("red zigzag"), things_shared("blue zigzag")
    (2, 1, 0)
    """
    one, two = FACES[face], FACES[other]
    return (one.colour == two.colour) + (one.shape == two.shape)


def woven(ways: Three) -> Three:
    """The ways after one step more: each face adds up the five that it matches.

    >>> woven((1, 0, 0)), woven((17, 15, 12))
    ((1, 1, 0), (77, 71, 66))
    """
    same, one, none = ways
    return same + 4 * one, same + 2 * one + 2 * none, 2 * one + 3 * none


def matching(face: str) -> frozenset[str]:
    """The five faces that a face matches, itself among them."""
    return frozenset(other for other in FACES if things_shared(face, other))


def _place(face: str) -> int:
    """Where the number of a face stands among three."""
    return 2 - things_shared(face)


def _signed(number: int) -> str:
    return str(number).replace("-", "−")


def _sum_words(face: str, numbers: Three) -> str:
    """What a face adds up, kind by kind."""
    terms = []
    for place, number in enumerate(numbers):
        times = sum(_place(other) == place for other in matching(face))
        if times:
            terms.append(f"{times} · {_signed(number)}" if times > 1 else _signed(number))
    return f"{' + '.join(terms)} = {_signed(woven(numbers)[_place(face)])}"


# -- gaps, from 11 ---------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Gaps(Figure):
    """Walls are tried in three gaps, between towers that share both things, one, or nothing."""

    in_hand: str = ""
    laid: tuple[str, str, str] = ("", "", "")
    found: tuple[tuple[str, ...], ...] = ((), (), ())
    ends: ClassVar[tuple[str, ...]] = (FIRST, "red zigzag", "blue zigzag")

    @property
    def number(self) -> int:
        """How many fitting walls were found, in all gaps."""
        return sum(map(len, self.found))

    def touch(self, target: str) -> Touched:
        if target in FACES:
            if target == self.in_hand:
                return Touched(replace(self, in_hand=""), "You put it back.")
            return Touched(replace(self, in_hand=target), f"In your hand: {target}.")
        if not self.in_hand:
            raise CastlelabError("first take one of the nine walls")
        at, face = int(target.removeprefix("gap ")) - 1, self.in_hand
        for end in (FIRST, self.ends[at]):
            if not things_shared(face, end):
                raise CastlelabError(f"{face} and {end} share neither colour nor shape")
        made = replace(self, laid=_changed(self.laid, at, face))
        if face in self.found[at]:
            return Touched(made, "It fits, and you have found it before.")
        found = (*self.found[:at], (*self.found[at], face), *self.found[at + 1 :])
        return Touched(replace(made, found=found), f"It fits: {len(found[at])} in this gap.")

    @property
    def tally(self) -> LiveCount:
        return LiveCount(" + ".join(str(len(faces)) for faces in self.found), "walls that fit")

    @property
    def told(self) -> str:
        return f"In your hand: {self.in_hand}." if self.in_hand else "Your hand is empty."

    @property
    def held(self) -> str | None:
        return self.in_hand or None

    def picture(self) -> Scene:
        return both_widths(self._drawn, "Three gaps", f"{self.told} {self.tally}.")

    def _drawn(self, is_narrow: bool) -> Part:
        board = faces_part(
            [FaceCell(tile) for tile in FACES.values()], 56 if is_narrow else 100, held=self.in_hand
        )
        towers = {FaceCell(tile).face: tile for tile in TILES if tile.kind == "tower"}
        gaps = [
            ShownGap(
                towers[FIRST],
                towers[end],
                FACES.get(laid),
                tuple(FACES[face] for face in found),
            )
            for end, laid, found in zip(self.ends, self.laid, self.found, strict=True)
        ]
        beside = gaps_part(gaps, 62 if is_narrow else 70)
        gap = 6 if is_narrow else 22
        whole = beside_loom(board, beside, ("Nine walls", "What fits both?"), gap)
        return inset(whole, is_narrow=is_narrow)


def _changed(laid: tuple[str, str, str], at: int, face: str) -> tuple[str, str, str]:
    first, second, third = (face if here == at else each for here, each in enumerate(laid))
    return first, second, third


# -- weaving, from 14 ------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Weave(Figure):
    """The ways from the first face to each of nine, in so many steps; the next step is woven."""

    rows: tuple[Three, ...] = ((1, 0, 0),)
    known: frozenset[int] = frozenset()  # the kinds of faces whose next number is known
    lit: str = ""
    added: str = ""  # the last sum in words

    @property
    def steps(self) -> int:
        return len(self.rows) - 1

    def touch(self, target: str) -> Touched:
        if self.steps == _MOST_STEPS:
            raise CastlelabError(f"{_MOST_STEPS} steps are enough here")
        ways, known = self.rows[-1], self.known | {_place(target)}
        words = f"{target.capitalize()}: {_sum_words(target, ways)}"
        if len(known) < len(ways):
            return Touched(replace(self, known=known, lit=target, added=words), f"{words}.")
        made = Weave(rows=(*self.rows, woven(ways)), lit=target, added=words)
        return Touched(made, f"{words}. Step {made.steps} is woven.")

    @property
    def tally(self) -> LiveCount:
        if not self.steps:
            return LiveCount("1", "way to be where you begin")
        words = f"rings of {self.steps}: 9 · {self.rows[-1][0]}"
        return LiveCount(str(9 * self.rows[-1][0]), words)

    @property
    def told(self) -> str:
        same, one, none = self.rows[-1]
        return f"Step {self.steps}. Same face: {same}, one thing shared: {one}, nothing: {none}."

    def picture(self) -> Scene:
        return both_widths(self._drawn, "Ways from face to face", self.told)

    def _drawn(self, is_narrow: bool) -> Part:
        ways, following = self.rows[-1], woven(self.rows[-1])
        cells = [
            FaceCell(
                tile,
                str(ways[_place(face)]),
                str(following[_place(face)]) if _place(face) in self.known else "",
            )
            for face, tile in FACES.items()
        ]
        lit = matching(self.lit) if self.lit else ()
        board = faces_part(cells, 78 if is_narrow else 108, lit=lit)
        told = [tuple(map(str, row)) for row in self.rows]
        table = table_part(told, 0, 134 if is_narrow else 206, _MOST_STEPS + 1)
        gap = 6 if is_narrow else 18
        headings = ("Touch: five are added", "Ways" if is_narrow else "Ways to a face")
        same = ways[0]
        lines = [f"rings of {self.steps}:", f"9 · {same} = {9 * same}"] if self.steps else ["begin"]
        ring = ring_part(self.steps, lines, 206)
        beside = table if is_narrow else stacked([table, ring], 14)
        below = [ring] if is_narrow else []
        above = beside_loom(board, beside, headings, gap)
        added = _line_part(self.added or "Touch a face: who leads there is added up.", above.width)
        return inset(stacked([above, added, *below], 8), is_narrow=is_narrow)


# -- patterns, from 17 -----------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Patterns(Figure):
    """Numbers on the faces, 4 on the first; a step may only multiply them."""

    one: int = 0
    none: int = 0
    found: tuple[Three, ...] = ()
    lit: str = ""  # the face whose sum is shown
    sliders: ClassVar[dict[str, tuple[str, int]]] = {
        "one less": ("one", -1),
        "one more": ("one", 1),
        "none less": ("none", -1),
        "none more": ("none", 1),
    }

    @property
    def numbers(self) -> Three:
        return 4, self.one, self.none

    @property
    def factor(self) -> int | None:
        """What a step multiplies all numbers by, if it does nothing else.

        >>> Patterns(one=1, none=-2).factor, Patterns().factor
        (2, None)
        """
        return factor_of(self.numbers)

    def touch(self, target: str) -> Touched:
        if target in FACES:
            words = f"{target.capitalize()}: {_sum_words(target, self.numbers)}."
            return Touched(replace(self, lit=target), words)
        which, by = self.sliders[target]
        number = getattr(self, which) + by
        if abs(number) > _LARGEST:
            raise CastlelabError(f"numbers from −{_LARGEST} to {_LARGEST} are enough")
        changes = {which: number}
        made = replace(self, lit="", **changes)
        if made.factor is None:
            return Touched(made, made.told)
        if made.numbers in self.found:
            return Touched(made, f"{made.told} You know this pattern.")
        found = (*self.found, made.numbers)
        return Touched(replace(made, found=found), f"{made.told} All of it × {made.factor}!")

    @property
    def tally(self) -> LiveCount:
        return LiveCount(str(len(self.found)), "of 3 patterns found")

    @property
    def told(self) -> str:
        now, then = (
            ", ".join(map(_signed, numbers)) for numbers in (self.numbers, woven(self.numbers))
        )
        return f"{now}, a step later {then}."

    def picture(self) -> Scene:
        return both_widths(self._drawn, "Numbers on nine faces", self.told)

    def _drawn(self, is_narrow: bool) -> Part:
        then = woven(self.numbers)
        cells = [
            FaceCell(tile, _signed(self.numbers[_place(face)]), _signed(then[_place(face)]))
            for face, tile in FACES.items()
        ]
        lit = matching(self.lit) if self.lit else ()
        board = faces_part(cells, 78 if is_narrow else 108, lit=lit)
        beside = stacked(self._beside(134 if is_narrow else 206), 8)
        gap = 6 if is_narrow else 18
        above = beside_loom(board, beside, ("Sums of five", "Numbers for"), gap)
        return inset(
            stacked([above, _line_part(self._formula, above.width)], 8), is_narrow=is_narrow
        )

    def _beside(self, width: float) -> Iterator[Part]:
        words = ("one shared", "none shared") if width < 150 else ("one thing shared", "nothing")
        yield slider_part(words[0], _signed(self.one), ("one less", "one more"), width)
        yield slider_part(words[1], _signed(self.none), ("none less", "none more"), width)
        found = {factor_of(three) or 0: ", ".join(map(_signed, three)) for three in self.found}
        slots = [*found, *[0] * (3 - len(found))]
        yield patterns_part(found, slots, width)

    @property
    def _formula(self) -> str:
        """The sum that is shown, or what the patterns that were found tell of rings."""
        if self.lit:
            return f"{self.lit.capitalize()}: {_sum_words(self.lit, self.numbers)}"
        known = {factor_of(numbers) for numbers in self.found}
        terms = [words for factor, words in _TERMS.items() if factor in known]
        if len(terms) == len(_TERMS):
            return f"Rings of 8: {' + '.join(terms).replace('ⁿ', '⁸')} = {rings_by_formula():,}"
        return f"Rings of n: {' + '.join(terms)} + …" if terms else ""


def _line_part(words: str, width: float) -> Part:
    """A line of words below a board, kept free where there are none."""
    return Part.of([Text(2, 12, words, 14, "ink", bold=True)] if words else [], (), width, 26)


def factor_of(numbers: Three) -> int | None:
    """What a step multiplies three numbers by, if it multiplies all of them alike.

    >>> factor_of((4, 4, 4)), factor_of((4, -2, 1)), factor_of((4, 0, 0))
    (5, -1, None)
    """
    then = woven(numbers)
    factor = then[0] // numbers[0]
    return factor if then == tuple(factor * number for number in numbers) else None
