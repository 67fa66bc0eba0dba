"""A castle whose places must be alike where a move exchanges them: the figure from 17."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from castlelab.draw.layout import Part, both_widths, button_part, joined, stacked
from castlelab.draw.scene import Rect, Scene, Shape, Text
from castlelab.figures import Figure, LiveCount, Touched
from castlelab.games.castle_keep.castle import RING, SPOT_WORDS
from castlelab.games.castle_keep.count import Symmetry
from castlelab.games.castle_keep.figure_turntable_piles import MOVES
from castlelab.games.castle_keep.turntable_picture import (
    PAINTS,
    inset,
    moves_part,
    table_and_moves,
    turntable_part,
)
from castlelab.rules import CastlelabError, counted

_FEWER, _MORE = "fewer", "more"
_RAISED = "⁰¹²³⁴⁵⁶⁷⁸"


def painted_castles(colours: int) -> int:
    """Castles of four towers and four walls in so many colours, turned and mirrored alike.

    >>> painted_castles(2), painted_castles(3)
    (51, 954)
    """
    return int(sum(colours**move.cycles for move in MOVES.values())) // len(MOVES)


@dataclass(frozen=True, kw_only=True)
class Cycles(Figure):
    """Eight places in some colours; a move binds those together that must be alike."""

    colours: int = 1
    paints: str = "r" * 8  # clockwise from the north-west
    move: str = ""
    tried: frozenset[str] = frozenset()

    @property
    def letters(self) -> tuple[str, ...]:
        """For each place the letter of its cycle; none before a move was pressed."""
        if not self.move:
            return ("",) * 8
        firsts = [min(MOVES[self.move].cycle(place)) for place in range(8)]
        known = sorted(set(firsts))
        return tuple("abcdefgh"[known.index(first)] for first in firsts)

    @property
    def stay(self) -> int:
        """How many castles stay, added up over the moves that were tried."""
        return sum(self._terms)

    @property
    def _terms(self) -> list[int]:
        return [self.colours**move.cycles for name, move in MOVES.items() if name in self.tried]

    # -- what a touch does --------------------------------------------------------------------

    def touch(self, target: str) -> Touched:
        if target in MOVES:
            return self._pressed(MOVES[target])
        if target in (_FEWER, _MORE):
            return self._of_colours(self.colours + (1 if target == _MORE else -1))
        if self.colours == 1:
            raise CastlelabError("there is only red: take more colours first")
        place = RING.index(target)
        known = tuple(PAINTS)[: self.colours]
        following = known[(known.index(self.paints[place]) + 1) % self.colours]
        alike = set(MOVES[self.move].cycle(place)) if self.move else {place}
        paints = "".join(following if at in alike else p for at, p in enumerate(self.paints))
        where = ", ".join(RING[at] for at in sorted(alike))
        return Touched(replace(self, paints=paints), f"Now {PAINTS[following][0]}: {where}.")

    def _pressed(self, move: Symmetry) -> Touched:
        paints = "".join(self.paints[min(move.cycle(place))] for place in range(8))
        made = replace(self, move=move.name, tried=self.tried | {move.name}, paints=paints)
        stay = counted(self.colours**move.cycles, "castle")
        words = f"{counted(move.cycles, 'cycle')}, each in one colour: {stay} stay as they are."
        return Touched(made, words)

    def _of_colours(self, number: int) -> Touched:
        if not 1 <= number <= len(PAINTS):
            raise CastlelabError(f"there are one to {len(PAINTS)} colours here")
        newest = tuple(PAINTS)[number - 1]  # for the walls: whatever is pressed, they may be alike
        paints = f"r{newest}" * 4
        made = replace(self, colours=number, paints=paints)
        return Touched(made, f"{counted(number, 'colour')}.")

    @property
    def tally(self) -> LiveCount:
        if len(self.tried) == len(MOVES):
            return LiveCount(str(self.stay // 8), f"different castles: {self.stay} / 8")
        return LiveCount(str(self.stay), f"castles stay, in {len(self.tried)} of 8 moves")

    @property
    def told(self) -> str:
        places = ", ".join(filter(None, self.letters))
        cycles = f" Cycles, clockwise from the north-west: {places}." if places else ""
        return f"{counted(self.colours, 'colour')}.{cycles}"

    # -- how it looks -------------------------------------------------------------------------

    def picture(self) -> Scene:
        return both_widths(self._drawn, "A castle on a turntable", self.told)

    def _drawn(self, is_narrow: bool) -> Part:
        size, button = (60.0, (77.0, 45.0)) if is_narrow else (96.0, (108.0, 72.0))
        labels = dict(zip(RING, self.letters, strict=True))
        paints = dict(zip(RING, self.paints, strict=True))
        names = {
            spot: f"{SPOT_WORDS[spot].capitalize()}: {PAINTS[paint][0]}"
            + (f", cycle {labels[spot]}" if self.move else "")
            for spot, paint in paints.items()
        }
        table = turntable_part(size, paints, labels, {}, names, MOVES.get(self.move))
        notes = {name: f"{self.colours}{_RAISED[MOVES[name].cycles]}" for name in self.tried}
        lit = (self.move,) if self.move else ()
        moves = moves_part(tuple(MOVES.values()), 2, button, lit, notes)
        above = table_and_moves(table, moves, "Same letter, alike")
        whole = stacked([above, *self._below(above.width, is_narrow=is_narrow)], 12)
        return inset(whole, is_narrow=is_narrow)

    def _below(self, width: float, *, is_narrow: bool) -> Iterator[Part]:
        """The slider of the colours, and the castles that stay, added up."""
        number = counted(self.colours, "colour")
        words = Text(102, 20, number, 15, "ink", "middle", bold=True)
        parts = (
            button_part(_FEWER, "−", (0, 0, 44, 40), "Colours", name=f"{number}, one fewer"),
            Part.of([words, *self._swatches(220)]),
            button_part(_MORE, "+", (160, 0, 44, 40), "Colours", name=f"{number}, one more"),
        )
        yield joined(parts, width, 40)
        if lines := list(self._sum(5 if is_narrow else 8)):
            shapes = (Text(4, 11 + at * 23, line, 15) for at, line in enumerate(lines))
            sums = [*shapes]
        else:
            sums = [Text(4, 11, "Press a move: who stays is added up here.", 14, "muted")]
        yield Part.of(sums, (), width, 68 if is_narrow else 45)

    def _sum(self, most: int) -> Iterator[str]:
        """The castles that stay, move by move, at most so many in a line, and their mean."""
        terms = list(map(str, self._terms))
        for start in range(0, len(terms), most):
            words = " + ".join(terms[start : start + most])
            is_last = start + most >= len(terms) > 1
            yield "+ " * (start > 0) + words + f" = {self.stay}" * is_last
        if len(terms) == len(MOVES):
            yield f"{self.stay} / 8 = {self.stay // 8}"

    def _swatches(self, x: float) -> Iterator[Shape]:
        for at, (colour, _) in enumerate(tuple(PAINTS.values())[: self.colours]):
            yield Rect(x + at * 34, 8, 26, 24, f"hue-{colour}", "ink", 1, 5)
            place, ink = (x + at * 34 + 13, 20), f"on-hue-{colour}"
            yield Text(*place, colour[0].upper(), 14, ink, "middle", bold=True)
