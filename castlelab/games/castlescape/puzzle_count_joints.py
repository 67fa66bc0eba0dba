"""CastleScape's puzzle count-joints: baileys counted without a look at the ground."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from castlelab.chance import Chance
from castlelab.counting import CountQuestion, KnownSlip, count_maker
from castlelab.draw.exhibit import ExhibitRow, Tag
from castlelab.games.castlescape.puzzle_count_walls import square_rows
from castlelab.rules import counted

_RULES = ("castlescape/bailey", "castlescape/wall-adjacent")
_RING = square_rows("One bailey: eight walls, eight joints.", ("###", "#.#", "###"))
_WHERE = (
    "Build in your mind wall by wall, side by side. How many joints does each wall bring, and when "
    "does one close a ring?"
)

Walls = frozenset[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Masonry:
    """Some walls, and what can be counted of them without a look at the ground."""

    walls: Walls
    pieces: int = 1

    @property
    def joints(self) -> int:
        """The sides that two walls share."""
        return sum(
            (row + down, column + right) in self.walls
            for row, column in self.walls
            for down, right in ((0, 1), (1, 0))
        )

    @property
    def corners(self) -> int:
        """The corners at which two walls touch."""
        return sum(
            (row + 1, column + right) in self.walls
            for row, column in self.walls
            for right in (-1, 1)
        )

    @property
    def blocks(self) -> int:
        """The blocks of four walls."""
        return sum(
            {(row, column + 1), (row + 1, column), (row + 1, column + 1)} <= self.walls
            for row, column in self.walls
        )

    @property
    def baileys(self) -> int:
        """By Euler: each joint more than a tree needs closes a ring, or a block of four."""
        return self.joints - len(self.walls) + self.pieces - self.blocks

    def __str__(self) -> str:
        rows = [row for row, _ in self.walls]
        columns = [column for _, column in self.walls]
        return "/".join(
            "".join(
                ".#"[(row, column) in self.walls]
                for column in range(min(columns), max(columns) + 1)
            )
            for row in range(min(rows), max(rows) + 1)
        )


def _rooms(count: int, chance: Chance) -> tuple[Walls, Chance]:
    """Walls round so many courts in a row, neighbours sharing a side; some are cut across."""
    high, chance = chance.choice((1, 2, 3, 4))
    walls: set[tuple[int, int]] = set()
    left, made = 0, 0
    while made < count:
        wide, chance = chance.choice((1, 2, 3))
        frame = {
            (row, left + column)
            for row in range(high + 2)
            for column in range(wide + 2)
            if row in (0, high + 1) or column in (0, wide + 1)
        }
        walls |= frame
        made += 1
        if high > 2 and made < count:
            cut, chance = chance.choice((True, False))
            if cut:
                row, chance = chance.choice(range(2, high))
                walls |= {(row, left + column) for column in range(1, wide + 1)}
                made += 1
        left += wide + 1
    return frozenset(walls), chance


def _tail(walls: Walls, chance: Chance) -> tuple[Walls, Chance]:
    """The walls with a few more that enclose nothing."""
    length, chance = chance.choice(range(4))
    bottom = max(row for row, _ in walls)
    return walls | {(bottom + more, 0) for more in range(1, length + 1)}, chance


def _masonry(courts: int, chance: Chance) -> tuple[Masonry, Chance]:
    walls, chance = _rooms(courts, chance)
    walls, chance = _tail(walls, chance)
    return Masonry(walls), chance


def _two(courts: int, chance: Chance) -> tuple[Masonry, Chance]:
    """Two pieces apart from each other."""
    first, chance = chance.choice(range(1, courts))
    one, chance = _masonry(first, chance)
    other, chance = _masonry(courts - first, chance)
    below = max(row for row, _ in one.walls) + 2
    moved = {(row + below, column) for row, column in other.walls}
    return Masonry(one.walls | moved, 2), chance


def _thick(courts: int, chance: Chance) -> tuple[Masonry, Chance]:
    """Walls with blocks of four: some stand outside against a long side."""
    made, chance = _masonry(courts, chance)
    top = sorted(column for row, column in made.walls if row == 0)
    length, chance = chance.choice(range(2, len(top) + 1))
    return Masonry(made.walls | {(-1, column) for column in top[:length]}), chance


def _number_row(made: Masonry, *, joints: bool = True) -> ExhibitRow:
    told = [
        counted(len(made.walls), "wall"),
        counted(made.pieces, "piece"),
        counted(made.joints, "joint") if joints else counted(made.baileys, "bailey"),
        counted(made.blocks, "block") + " of four",
    ]
    return ExhibitRow(
        "A joint is a side that two walls share.", tuple(Tag(words) for words in told)
    )


def _how_many_baileys(made: Masonry) -> CountQuestion:
    walls, joints, blocks = len(made.walls), made.joints, made.blocks
    answer = made.baileys
    slips = [
        KnownSlip(
            joints - walls - (blocks if made.pieces > 1 else 0),
            "Walls without a ring have one joint fewer than walls: add one for each piece.",
            square_rows("Two walls, one joint, no bailey.", ("##",)),
        ),
        KnownSlip(
            answer + 1,
            "You have counted the ground outside, too.",
            _RING,
        ),
    ]
    if made.pieces > 1:
        slips.append(
            KnownSlip(
                joints - walls + 1,
                "Each piece has one joint fewer than walls before a ring closes.",
                square_rows("Two pieces, no joint, no bailey.", ("#.#",)),
            )
        )
    elif blocks:
        slips.append(
            KnownSlip(
                joints - walls + 1,
                "A block of four has a ring of joints, and no ground in it.",
                square_rows("Four walls, four joints, no bailey.", ("##", "##")),
            )
        )
    else:
        slips.append(
            KnownSlip(
                answer + made.corners,
                "Walls that touch at a corner have no joint.",
                square_rows("Two walls, no joint.", ("#.", ".#")),
            )
        )
    parts = f"{joints} − {walls} + {made.pieces}" + (f" − {blocks}" if blocks else "")
    return CountQuestion(
        prompt="You only hear the numbers. How many baileys do these walls enclose?",
        facts=("baileys", walls, made.pieces, joints, blocks, str(made)),
        answer=answer,
        because=f"{parts} = {answer}.",
        slips=tuple(slips),
        hints=(
            _WHERE,
            (
                f"Without a ring there would be {walls - made.pieces} joints. Each more closes a "
                "ring, or a block."
            ),
        ),
        rules=_RULES,
        rows=(_number_row(made),),
    )


def _how_many_joints(made: Masonry) -> CountQuestion:
    walls, baileys, answer = len(made.walls), made.baileys, made.joints
    return CountQuestion(
        prompt="You only hear the numbers. How many joints do these walls have?",
        facts=("joints", walls, made.pieces, baileys, str(made)),
        answer=answer,
        because=f"{walls} − {made.pieces} to hold together, {baileys} to close rings: {answer}.",
        slips=(
            KnownSlip(
                walls + baileys,
                "Walls without a ring have one joint fewer than walls, in each piece.",
                square_rows("Two walls, one joint.", ("##",)),
            ),
            KnownSlip(
                walls + baileys - 1,
                f"There are {made.pieces} pieces: each begins with a wall that has no joint yet.",
                square_rows("Two pieces, no joint.", ("#.#",)),
            ),
            KnownSlip(
                walls + baileys + made.pieces,
                "You have added the pieces. They have to be taken off.",
                square_rows("Two walls, one joint.", ("##",)),
            ),
        ),
        hints=(
            _WHERE,
            f"Without a ring there would be {walls - made.pieces} joints.",
        ),
        rules=_RULES,
        rows=(_number_row(made, joints=False),),
    )


def _some(numbers: Sequence[int], chance: Chance) -> tuple[int, Chance]:
    return chance.choice(numbers)


def _level_1(chance: Chance) -> CountQuestion:
    courts, chance = _some((2, 3), chance)
    return _how_many_baileys(_masonry(courts, chance)[0])


def _level_2(chance: Chance) -> CountQuestion:
    courts, chance = _some((4, 5, 6), chance)
    return _how_many_baileys(_masonry(courts, chance)[0])


def _level_3(chance: Chance) -> CountQuestion:
    courts, chance = _some((4, 5, 6, 7), chance)
    return _how_many_baileys(_two(courts, chance)[0])


def _level_4(chance: Chance) -> CountQuestion:
    courts, chance = _some((4, 5, 6, 7), chance)
    return _how_many_joints(_two(courts, chance)[0])


def _level_5(chance: Chance) -> CountQuestion:
    courts, chance = _some((4, 5, 6, 7, 8), chance)
    return _how_many_baileys(_thick(courts, chance)[0])


make_count_joints = count_maker({1: _level_1, 2: _level_2, 3: _level_3, 4: _level_4, 5: _level_5})
