"""Cairn: lay one or two stones in turn; whoever lays the sixth wins."""

from dataclasses import dataclass, replace
from typing import ClassVar

from castlelab.draw.scene import Rect, Scene, Target
from castlelab.game import Game, Move, State
from castlelab.rules import LEGAL, Breach, NotationError, Rule, Verdict

FEW = Rule("cairn/few", "One or two", "Lay one stone or two.", "Play")


@dataclass(frozen=True, slots=True)
class Lay(Move):
    kind: ClassVar[str] = "lay"
    stones: int

    def __str__(self) -> str:
        return f"lay {self.stones}"


class Cairn(Game):
    name, title, about, seats = "cairn", "Cairn", "Stone upon stone.", range(2, 3)

    def start(self, seed: int | str = 0) -> "Heap":
        return Heap(self)

    def move(self, text: str) -> Lay:
        word, _, number = text.strip().partition(" ")
        if word != "lay" or not number.isdecimal():
            raise NotationError("write a move, such as lay 1")
        return Lay(int(number))

    @classmethod
    def cover(cls) -> Scene:
        return Scene(40, 40, (Rect(10, 10, 20, 20, "ink"),), title="A cairn")


@dataclass(frozen=True)
class Heap(State):
    game: Cairn
    laid: tuple[int, ...] = ()

    @property
    def to_move(self) -> int | None:
        return None if sum(self.laid) >= 6 else len(self.laid) % 2

    def moves(self) -> tuple[Move, ...]:
        return () if self.over else (Lay(1), Lay(2))

    def check(self, move: Move) -> Verdict:
        return LEGAL if move in self.moves() else Verdict((Breach(FEW, "Too many.", ("heap",)),))

    def after(self, move: Lay) -> "Heap":
        return replace(self, laid=(*self.laid, move.stones))

    @property
    def scores(self) -> tuple[int, ...]:
        last = (len(self.laid) - 1) % 2 if self.over else None
        return tuple(int(seat == last) for seat in range(2))

    def view(self, player: int) -> "Heap":
        return self

    def guess(self, player, chance) -> "Heap":
        return self

    def estimate(self, player: int) -> float:
        return 0.0

    def picture(self) -> Scene:
        return Scene(80, 80, (), (Target("heap", "The heap", 0, 0, 80, 80),), "Cairn")

    def describe(self) -> str:
        return f"{sum(self.laid)} stones lie there."
