"""Castles that glow where a move leaves them as they are: the figure from 14."""

from __future__ import annotations

from dataclasses import dataclass, replace

from castlelab.draw.layout import Part, both_widths, in_rows, stacked
from castlelab.draw.scene import Circle, Rect, Scene, Shape, Target, Text
from castlelab.figures import Figure, LiveCount, Touched
from castlelab.games.castle_keep.figure_turntable_piles import MOVES, Look, all_looks, turned
from castlelab.games.castle_keep.turntable_picture import (
    inset,
    look_words,
    moves_part,
    small_castle,
    table_and_moves,
)
from castlelab.rules import counted

_COLOURS = 3


def looks_of(look: Look) -> frozenset[Look]:
    """All that a castle becomes by turning and mirroring.

    >>> sorted(looks_of("rbrb"))
    ['brbr', 'rbrb']
    """
    return frozenset(turned(move, look) for move in MOVES.values())


def staying_castles(move: str, colours: int = _COLOURS) -> int:
    """How many castles of four towers a move leaves as they are.

    >>> [staying_castles(move) for move in MOVES]
    [81, 3, 9, 3, 27, 9, 27, 9]
    """
    return sum(turned(MOVES[move], look) == look for look in all_looks(colours))


@dataclass(frozen=True, kw_only=True)
class Glow(Figure):
    """All 81 castles: a move lights those that stay, a castle lights its looks."""

    move: str = ""
    castle: Look = ""
    tried: frozenset[str] = frozenset()
    met: frozenset[int] = frozenset()  # the numbers of looks that were found

    @property
    def is_done(self) -> bool:
        """Whether all moves were pressed, and a castle was found for each number of looks."""
        return len(self.tried) == len(MOVES) and self.met == {1, 2, 4, 8}

    @property
    def glows(self) -> int:
        """How many castles have stayed, added up over the moves that were tried."""
        return sum(map(staying_castles, self.tried))

    def touch(self, target: str) -> Touched:
        if target in MOVES:
            made = replace(self, move=target, castle="", tried=self.tried | {target})
            return Touched(made, f"{staying_castles(target)} castles stay as they are.")
        number = len(looks_of(target))
        made = replace(self, castle=target, move="", met=self.met | {number})
        looks, moves = counted(number, "look"), counted(8 // number, "move")
        change = "changes" if number == 8 else "change"
        words = f"{look_words(target).capitalize()}: {looks}, and {moves} that {change} nothing."
        return Touched(made, words)

    @property
    def tally(self) -> LiveCount:
        return LiveCount(str(self.glows), f"glows in {len(self.tried)} of 8 moves")

    @property
    def told(self) -> str:
        found = ", ".join(f"{number} · {8 // number}" for number in sorted(self.met))
        return f"Looks times moves that change nothing: {found or 'none yet'}."

    # -- how it looks -------------------------------------------------------------------------

    def picture(self) -> Scene:
        return both_widths(self._drawn, "Eighty-one castles", f"{self.tally}. {self.told}")

    def _drawn(self, is_narrow: bool) -> Part:
        cell, button = (41.5, (87.0, 62.0)) if is_narrow else (40.0, (88.0, 84.0))
        notes = {name: str(staying_castles(name)) for name in self.tried}
        if self.castle:
            lit = [name for name, move in MOVES.items() if turned(move, self.castle) == self.castle]
        else:
            lit = [self.move]
        moves = moves_part(tuple(MOVES.values()), 4 if is_narrow else 2, button, lit, notes)
        grid = self._grid(cell)
        if is_narrow:
            parts = [moves, grid, self._found(grid.width)]
        else:
            above = table_and_moves(grid, moves, "Who stays, glows")
            parts = [above, self._found(above.width)]
        return inset(stacked(parts, 10), is_narrow=is_narrow)

    def _grid(self, cell: float) -> Part:
        shapes: list[Shape] = []
        targets = []
        move, looks = MOVES.get(self.move), looks_of(self.castle) if self.castle else frozenset()
        for at, (look, x, y) in enumerate(in_rows(all_looks(_COLOURS), 9, 0, 0, cell, cell)):
            stays = move is not None and turned(move, look) == look
            is_look = look in looks
            edge = ("good", 3.0) if stays else ("chosen", 3.0) if is_look else ("line", 0.8)
            pad = 1.5 if stays or is_look else 3.5
            shapes += small_castle(x + pad, y + pad, cell - 2 * pad, look, edge)
            if stays or look == self.castle:
                shapes.append(Circle(x + cell - 6, y + cell - 6, 5, edge[0], "paper", 1.5))
            name = look_words(look) + ", stays" * stays + ", one of its looks" * is_look
            box = x, y, cell, cell
            targets.append(Target(look, name, *box, group="The castles", cell=divmod(at, 9)))
        return Part.of(shapes, targets, 9 * cell, 9 * cell)

    def _found(self, width: float) -> Part:
        """Looks times moves that change nothing, for the castles that were touched."""
        across = (width + 8) / 4
        heading = "Looks · moves that change nothing"
        shapes: list[Shape] = [Text(4, 10, heading, 14, "ink", bold=True)]
        for number, x, y in in_rows((1, 2, 4, 8), 4, 0, 20, across, 0):
            is_met = number in self.met
            fill, edge = ("good-soft", "good") if is_met else (None, "line")
            frame = x + 1, y, across - 10, 38
            shapes.append(Rect(*frame, fill, edge, 1.5, 8, dash=not is_met))
            words = f"{number} · {8 // number} = 8" if is_met else f"{number} · ?"
            place, role = (x + across / 2 - 4, y + 19), "ink" if is_met else "muted"
            shapes.append(Text(*place, words, 15, role, "middle", bold=is_met))
        return Part.of(shapes, (), width, 60)
