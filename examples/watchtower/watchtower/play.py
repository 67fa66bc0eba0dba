"""The game from set-up to scores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from castlelab.chance import Chance
from castlelab.edition import Edition
from castlelab.game import SEAT_NAMES, Game, Move, Pointing, State, changed, changed_at
from castlelab.rules import Breach, Verdict, rulebook
from watchtower.moves import LAYERS, TOWERS, Lay, read_move

RULES = rulebook("watchtower")


class Watchtower(Game):
    """The rules with their numbers. A game with choices lists them in ``option_list``."""

    name: ClassVar[str] = "watchtower"
    title: ClassVar[str] = "Watchtower"
    about: ClassVar[str] = "Lay stones on three towers, and be the one who tops them."
    seats: ClassVar[range] = range(2, 3)

    def set_up(self, edition: Edition) -> None:
        building = edition.table("building")
        self.layers = building.integer("layers", 2, 6)
        self.stones = building.integer("stones", 1, 99)
        building.finish()  # whatever else stands there is misspelt

    def start(self, seed: int | str = 0) -> Moment:
        first, _ = Chance.seeded(seed).below(2)  # all luck comes from the seed
        return Moment(self, ((), (), ()), (self.stones, self.stones), (0, 0), first)

    def move(self, text: str) -> Lay:
        return read_move(text)


@dataclass(frozen=True)
class Moment(State):
    """A moment of the game; a tower is its layers from the ground up."""

    game: Watchtower = field(compare=False, repr=False)
    towers: tuple[tuple[int, ...], ...]
    supply: tuple[int, ...]
    points: tuple[int, ...]
    seat: int

    @property
    def to_move(self) -> int | None:  # watchtower/end
        topped = all(len(tower) == self.game.layers for tower in self.towers)
        return None if topped or not self.supply[self.seat] else self.seat

    @property
    def scores(self) -> tuple[int, ...]:
        return self.points

    def moves(self) -> tuple[Lay, ...]:
        return tuple(move for move in LAYERS.values() if self.check(move))

    def check(self, move: Move) -> Verdict:
        return Verdict(tuple(self._breaches(move)))

    def _breaches(self, move: Move) -> Iterator[Breach]:
        """Each rule that is broken: why, what to light up in the picture, what would mend it."""
        if self.to_move is None:
            yield RULES.breach("watchtower/end", "The game is over.")
            return
        assert isinstance(move, Lay)
        tower, left = self.towers[TOWERS.index(move.tower)], self.supply[self.seat]
        if len(tower) == self.game.layers:
            told = f"The {move.tower} tower is topped."
            yield RULES.breach("watchtower/topped", told, (move.tower,), "Build elsewhere.")
        elif move.stones > (most := min(tower, default=3)):
            told = f"A layer of {move.stones} is wider than the one below it."
            yield RULES.breach("watchtower/narrows", told, (move.tower,), f"Lay {most} at most.")
        if move.stones > left:
            yield RULES.breach("watchtower/supply", f"You have only {left} left.")

    def after(self, move: Move) -> Moment:
        assert isinstance(move, Lay)
        place, seat = TOWERS.index(move.tower), self.seat
        tower = (*self.towers[place], move.stones)
        won = sum(tower) if len(tower) == self.game.layers else 0  # watchtower/watch
        return changed(
            self,
            towers=changed_at(self.towers, place, tower),
            supply=changed_at(self.supply, seat, self.supply[seat] - move.stones),
            points=changed_at(self.points, seat, self.points[seat] + won),
            seat=1 - seat,
        )

    # Nothing is hidden: a view is the state itself, and there is nothing to guess.

    def view(self, player: int) -> Moment:
        self.game.check_seat(player)
        return self

    def guess(self, player: int, chance: Chance) -> Moment:
        return self.view(player)

    def estimate(self, player: int) -> float:
        return self.points[player] - self.points[1 - player]

    # Left out: `prospects`, so bots give no reasons, and `conceals`, for no move is secret.
    # Without `point` the game would be played from the list of its moves alone.

    def point(self, picks: tuple[str, ...]) -> Pointing:
        if picks and picks[-1] in LAYERS:
            return Pointing(LAYERS[picks[-1]], picks=picks)
        return Pointing(offers=tuple(str(move).removeprefix("lay ") for move in self.moves()))

    def describe(self) -> str:
        mover = "The game is over" if self.to_move is None else f"{SEAT_NAMES[self.seat]} moves"
        towers = zip(TOWERS, self.towers, strict=True)
        told = ", ".join(f"{name} {'-'.join(map(str, tower)) or 'empty'}" for name, tower in towers)
        return f"{mover}. Towers: {told}. {self.tell_seat(0)} {self.tell_seat(1)}"

    def tell_seat(self, seat: int) -> str:
        """What a player has, in words."""
        return f"{SEAT_NAMES[seat]}: points {self.points[seat]}, stones {self.supply[seat]}."
