"""Castles on a turntable that are sorted into piles of equal ones: the figure from 11."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

from castlelab.draw.layout import (
    Part,
    both_widths,
    caption,
    in_rows,
    stacked,
)
from castlelab.draw.scene import Piece, Rect, Scene, Shape, Target, Text, as_piece
from castlelab.figures import Figure, LiveCount, Touched
from castlelab.games.castle_keep.castle import RING
from castlelab.games.castle_keep.count import Symmetry, symmetries
from castlelab.games.castle_keep.turntable_picture import (
    PAINTS,
    inset,
    look_words,
    moves_part,
    small_castle,
    table_and_moves,
    turntable_part,
)
from castlelab.rules import CastlelabError, counted

MOVES = {move.name: move for move in symmetries()}
_MOST_PILES = 8

Look = str  # the colours of four towers, clockwise from the north-west: "rrbb"


def turned(move: Symmetry, look: Look) -> Look:
    """How four towers stand after a move.

    >>> turned(symmetries()[1], "rbyy")
    'yrby'
    """
    return "".join(move.of([tower for tower in look for _ in (0, 1)])[::2])


def all_looks(colours: int) -> tuple[Look, ...]:
    """Four towers in so many colours, in every way.

    >>> len(all_looks(3))
    81
    """
    return tuple(map("".join, product(tuple(PAINTS)[:colours], repeat=4)))


@dataclass(frozen=True, kw_only=True)
class Piles(Figure):
    """Sixteen castles, some of them in piles; one stands on the turntable, its towers numbered."""

    first: Look = ""  # how it came on the turntable
    standing: str = "0123"
    move: str = ""  # the last one that it has made
    piles: tuple[tuple[Look, ...], ...] = ()

    @property
    def look(self) -> Look:
        """How the castle on the turntable looks now."""
        return "".join(self.first[int(tower)] for tower in self.standing) if self.first else ""

    @property
    def heap(self) -> tuple[Look, ...]:
        """The castles that are in no pile yet."""
        return tuple(look for look in all_looks(2) if self._pile_of(look) is None)

    # -- what a touch does --------------------------------------------------------------------

    def touch(self, target: str) -> Touched:
        if target in MOVES:
            return self._after(MOVES[target])
        if target.startswith("pile "):
            look = self.piles[int(target.removeprefix("pile ")) - 1][-1]
            return Touched(self._with_on_table(look), f"On the turntable: {look_words(look)}.")
        if len(self.piles) == _MOST_PILES:
            raise CastlelabError("there is no room for more piles: move the castles that you have")
        begun = replace(self._with_on_table(target), piles=(*self.piles, (target,)))
        return Touched(begun, f"{look_words(target).capitalize()}: a pile of its own.")

    def _with_on_table(self, look: Look) -> Piles:
        return replace(self, first=look, standing="0123", move="")

    def _after(self, move: Symmetry) -> Touched:
        if (here := self._pile_of(self.look)) is None:
            raise CastlelabError("first touch one of the castles: it comes on the turntable")
        made = replace(self, move=move.name, standing=turned(move, self.standing))
        if made.look == self.look:
            return Touched(made, "It looks as before.")
        there = self._pile_of(made.look)
        if here == there:
            return Touched(made, f"You know this look. It is on pile {here + 1}.")
        piles = list(self.piles)
        if there is None:
            piles[here] = (*piles[here], made.look)
            return Touched(replace(made, piles=tuple(piles)), f"A new look for pile {here + 1}!")
        first, second = sorted((here, there))
        piles[first] += piles.pop(second)
        words = f"That look is on pile {there + 1}. So both piles are one castle: put together."
        return Touched(replace(made, piles=tuple(piles)), words)

    def _pile_of(self, look: Look) -> int | None:
        return next((at for at, pile in enumerate(self.piles) if look in pile), None)

    @property
    def tally(self) -> LiveCount:
        left = len(self.heap)
        words = "pile" if len(self.piles) == 1 else "piles"
        return LiveCount(str(len(self.piles)), f"{words}, {counted(left, 'castle')} to sort")

    @property
    def told(self) -> str:
        if not self.first:
            return "The turntable is empty."
        return f"On the turntable: {look_words(self.look)}, clockwise from the north-west."

    # -- how it looks -------------------------------------------------------------------------

    def picture(self) -> Scene:
        return both_widths(self._drawn, "A castle on a turntable", self.told)

    def _drawn(self, is_narrow: bool) -> Part:
        size, button = (60.0, (77.0, 45.0)) if is_narrow else (80.0, (125.0, 60.0))
        small, step = (40.0, 47.0) if is_narrow else (54.0, 70.0)
        paints, labels, pieces = {}, {}, {}
        for spot, tower in zip(RING[::2], self.standing, strict=True) if self.first else ():
            paints[spot] = self.first[int(tower)]
            labels[spot] = PAINTS[paints[spot]][0]
            home = f"castle {self.first}"  # from there a tower comes, and back there it goes
            pieces[spot] = Piece(f"{home} {tower}", f"{home} {tower}", home, home)
        table = turntable_part(size, paints, labels, pieces, {}, MOVES.get(self.move))
        lit = (self.move,) if self.move else ()
        moves = moves_part(tuple(MOVES.values()), 2, button, lit, {})
        above = table_and_moves(table, moves, "Turn it or mirror it")
        whole = stacked([above, *self._sorting(small, step)], 8 if is_narrow else 14)
        return inset(whole, is_narrow=is_narrow)

    def _sorting(self, small: float, step: float) -> Iterator[Part]:
        """The castles that are still to be sorted, each in its place, and the piles below."""
        heap, width = self.heap, 8 * step - (step - small)
        shapes: list[Shape] = [caption(4, 10, "Castles to sort", 15)]
        targets = []
        for look, x, y in in_rows(all_looks(2), 8, 0, 24, step, small + 6):
            if look in heap:
                shapes += self._castle(look, x, y, small)
                name = f"Castle {look_words(look)}"
                targets.append(Target(look, name, x, y, small, small, group="Castles to sort"))
            else:
                shapes.append(_empty(x, y, small))
        yield Part.of(shapes, targets, width, 30 + 2 * small)
        yield self._piles_part(small, step, width)

    def _piles_part(self, small: float, step: float, width: float) -> Part:
        shapes: list[Shape] = [caption(4, 10, "Piles of equal castles", 15)]
        targets, apart, top = [], small * 0.34, 24.0
        for at in range(_MOST_PILES):
            x = at * step
            pile = self.piles[at] if at < len(self.piles) else ()
            if not pile:
                shapes.append(_empty(x, top, small))
                continue
            for number, look in enumerate(pile):
                shapes += self._castle(look, x, top + number * apart, small)
            deep = small + (len(pile) - 1) * apart
            many = counted(len(pile), "look")
            words = str(len(pile)) if small < 56 else many
            place = x + small / 2, top + deep + 11
            shapes.append(Text(*place, words, 14, "ink", "middle", bold=True))
            told = "; ".join(map(look_words, pile))
            name = f"Pile {at + 1}, {many}: {told}"
            targets.append(Target(f"pile {at + 1}", name, x, top, small, deep, group="Piles"))
        return Part.of(shapes, targets, width, top + small + 3 * apart + 22)

    def _castle(self, look: Look, x: float, y: float, side: float) -> tuple[Shape, ...]:
        edge = ("chosen", 3.0) if look == self.look else ("line", 1.0)
        piece = Piece(f"castle {look}", f"castle {look}")
        return as_piece(small_castle(x, y, side, look, edge), piece)


def _empty(x: float, y: float, side: float) -> Rect:
    return Rect(x + 1, y + 1, side - 2, side - 2, None, "line", 1, 8, dash=True)
