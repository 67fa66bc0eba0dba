"""CastleScape's puzzle count-walls: how many walls does a bailey need, and what do they enclose?"""

from __future__ import annotations

from collections.abc import Iterable
from math import comb, isqrt

from castlelab.chance import Chance
from castlelab.counting import CountQuestion, KnownSlip, count_maker
from castlelab.draw.exhibit import ExhibitRow, Tag
from castlelab.games.castlescape.count import fewest_walls, largest_bailey

_RULES = ("castlescape/bailey", "castlescape/wall-adjacent")
_CORNER = ("##", "#.")
_FULL = ("####", "#..#", "#..#", "####")


def square_rows(words: str, lines: Iterable[str]) -> tuple[ExhibitRow, ...]:
    """A small piece of a site: walls dark, ground bright, and nothing else."""
    signs = {"#": Tag("#", "sunk"), ".": Tag("")}
    first, *others = [tuple(signs[sign] for sign in line) for line in lines]
    return (ExhibitRow(words, first), *(ExhibitRow("", line) for line in others))


def _court_row(high: int, wide: int) -> ExhibitRow:
    return ExhibitRow("The ground inside.", (Tag(f"{high} high"), Tag(f"{wide} wide")))


def _corners_forgotten(value: int) -> KnownSlip:
    return KnownSlip(
        value,
        "You have forgotten the corners. Without them the bailey leaks.",
        square_rows("Each corner takes a wall, too.", _CORNER),
    )


def _court(high: int, wide: int) -> CountQuestion:
    answer = 2 * (high + wide) + 4
    return CountQuestion(
        prompt=f"A bailey is {high} squares high and {wide} wide inside. How many walls stand "
        "round it?",
        facts=("court", high, wide),
        answer=answer,
        because=f"2 · ({high} + {wide}) along the sides, and 4 at the corners: {answer}.",
        slips=(
            _corners_forgotten(answer - 4),
            KnownSlip(
                answer + 4,
                "You have counted the corners twice: each belongs to two sides.",
                square_rows("One wall, two sides.", _CORNER),
            ),
            KnownSlip(
                answer + high * wide,
                "You have counted the ground, too. Only the edge is walled.",
                square_rows("Four squares of ground, twelve walls.", _FULL),
            ),
        ),
        hints=(
            "Go round it once. What stands beside a side, and what at a corner?",
            f"Along the sides stand 2 · ({high} + {wide}) walls. And at the corners?",
        ),
        rules=_RULES,
        rows=(_court_row(high, wide),),
    )


def half_round(squares: int) -> int:
    """Height and width together, of the best rectangle round so many squares."""
    return (fewest_walls(squares) - 4) // 2


def _fewest(squares: int) -> CountQuestion:
    answer, half = fewest_walls(squares), half_round(squares)
    small = 2 * isqrt(4 * squares) + 4
    high = half // 2
    return CountQuestion(
        prompt=f"A bailey shall have {squares} squares of ground, in whatever shape. How few walls "
        "are enough?",
        facts=("fewest", squares),
        answer=answer,
        because=f"{squares} squares fit into {high} by {half - high}, and into nothing with a "
        f"shorter way round: 2 · {half} + 4 = {answer}.",
        slips=(
            _corners_forgotten(answer - 4),
            KnownSlip(
                2 * squares + 6,
                "That is a corridor. Other shapes need fewer.",
                square_rows("A corridor of two takes ten walls.", ("####", "#..#", "####")),
            ),
            KnownSlip(
                small,
                "You have rounded down: so small a rectangle has no room for all squares.",
                (ExhibitRow(f"{squares} squares do not fit."),),
            ),
        ),
        hints=(
            "Which rectangle has room for so many squares, and the shortest way round?",
            (
                f"A square of {isqrt(squares)} a side holds {isqrt(squares) ** 2}. How much "
                "larger must it be?"
            ),
        ),
        rules=_RULES,
        rows=(ExhibitRow("Squares of ground.", (Tag(f"{squares}"),)),),
    )


def _largest(walls: int) -> CountQuestion:
    answer, half = largest_bailey(walls), (walls - 4) // 2
    bare, less = walls // 2, (walls - 8) // 2
    odd = " One wall is left over." if walls % 2 else ""
    return CountQuestion(
        prompt=f"You have {walls} walls. What is the largest bailey, in squares of ground?",
        facts=("largest", walls),
        answer=answer,
        because=f"Four walls for the corners, so height and width are {half} together: "
        f"{half // 2} · {half - half // 2} = {answer}.{odd}",
        slips=(
            _corners_forgotten((bare // 2) * (bare - bare // 2)),
            KnownSlip(
                (walls - 6) // 2,
                "That is a corridor. Other shapes enclose more.",
                square_rows("A corridor wastes walls.", ("####", "#..#", "####")),
            ),
            KnownSlip(
                (less // 2) * (less - less // 2),
                "You have taken the corners off twice.",
                square_rows("One wall, two sides.", _CORNER),
            ),
        ),
        hints=(
            "How many walls do the corners take? And what shape is best for the others?",
            (
                "Four walls are for the corners. Of the others half go round one height "
                "and one width."
            ),
        ),
        rules=_RULES,
        rows=(ExhibitRow("Walls.", (Tag(f"{walls}", "sunk"),)),),
    )


def cuts(most: int, corners: int = 4) -> list[int]:
    """In how many ways 0, 1, 2 … squares can be cut off at the corners, in staircases.

    >>> cuts(4), cuts(4, corners=1)
    ([1, 4, 14, 40, 105], [1, 1, 2, 3, 5])
    """
    ways = [1] + [0] * most
    for part in [part for part in range(1, most + 1) for _ in range(corners)]:
        for size in range(part, most + 1):
            ways[size] += ways[size - part]
    return ways


_CUT = square_rows("A square cut off at a corner: no wall more.", ("###.", "#.##", "#..#", "####"))


def rectangles(squares: int) -> list[tuple[int, int]]:
    """The rectangles with the shortest way round that have room for so many squares."""
    half = half_round(squares)
    return [(high, half - high) for high in range(1, half) if high * (half - high) >= squares]


def _how_many(squares: int) -> CountQuestion:
    found = rectangles(squares)
    ways = [cuts(high * wide - squares)[-1] for high, wide in found]
    unturned = [way for (high, wide), way in zip(found, ways, strict=True) if high <= wide]
    told = ", ".join(
        f"{high} by {wide}: {way}" for (high, wide), way in zip(found, ways, strict=True)
    )
    return CountQuestion(
        prompt=f"How many different baileys of {squares} squares get by with the fewest walls, "
        f"{fewest_walls(squares)}? Turned and mirrored ones are different.",
        facts=("how many", squares),
        answer=sum(ways),
        because=f"Staircases are cut off at the corners of a rectangle. {told}.",
        slips=(
            KnownSlip(
                max(ways),
                "You have cut off only one rectangle. Others have room enough, too.",
                _CUT,
            ),
            KnownSlip(
                len(found),
                "These are the rectangles. How can squares be cut off at their corners?",
                _CUT,
            ),
            KnownSlip(
                sum(unturned),
                "You have forgotten the turned rectangles.",
                square_rows("Lying,", ("#####", "#...#", "#####"))
                + square_rows("and standing.", ("###", "#.#", "#.#", "#.#", "###")),
            ),
        ),
        hints=(
            (
                "Which rectangles take so many walls and have room enough? What can be cut off "
                "without another wall?"
            ),
            f"There are {len(found)} rectangles. Cut off squares at their corners only.",
        ),
        rules=_RULES,
        rows=(ExhibitRow("Squares of ground.", (Tag(f"{squares}"),)),),
    )


def _in_rectangle(high: int, wide: int, missing: int) -> CountQuestion:
    answer, one = cuts(missing)[-1], cuts(missing, corners=1)[-1]
    squares = high * wide - missing
    return CountQuestion(
        prompt=f"A bailey of {squares} squares fills {high} by {wide} but for {missing}, and "
        f"takes no more walls than that rectangle, {2 * (high + wide) + 4}. How many such baileys "
        "are there? Turned and mirrored ones are different.",
        facts=("rectangle", high, wide, missing),
        answer=answer,
        because=f"Staircases are cut off at four corners, {missing} squares together: {answer}.",
        slips=(
            KnownSlip(
                4 * one,
                "You have cut them all off at one corner. They may come off several.",
                _CUT,
            ),
            KnownSlip(
                one,
                "You have used one corner only. There are four.",
                _CUT,
            ),
            KnownSlip(
                comb(4, missing),
                "You have missed those where several squares go at one corner.",
                square_rows("Two at one corner.", ("####.", "#..##", "#...#")),
            ),
        ),
        hints=(
            "Where can a square be cut off without another wall? And a second one, after it?",
            f"At one corner alone there are {one} ways.",
        ),
        rules=_RULES,
        rows=(_court_row(high, wide),),
    )


def _in_a_row(courts: int, high: int, wide: int) -> CountQuestion:
    alone = 2 * (high + wide) + 4
    answer = courts * alone - (courts - 1) * (high + 2)
    return CountQuestion(
        prompt=f"{courts} baileys lie side by side, each {high} high and {wide} wide inside. Each "
        "shares a whole side of walls with the next. How many walls are there?",
        facts=("row", courts, high, wide),
        answer=answer,
        because=f"{courts} · {alone} walls, less {courts - 1} · {high + 2} shared ones: {answer}.",
        slips=(
            KnownSlip(
                courts * alone,
                "You have counted the shared walls twice.",
                square_rows("One side for both.", ("#####", "#.#.#", "#####")),
            ),
            KnownSlip(
                courts * alone - (courts - 1) * high,
                "The ends of a shared side are shared, too.",
                square_rows("Three walls are shared here.", ("#####", "#.#.#", "#####")),
            ),
            KnownSlip(
                courts * alone - 2 * (courts - 1) * (high + 2),
                "You have forgotten the walls between the baileys.",
                square_rows("Without it they are one.", ("#####", "#...#", "#####")),
            ),
        ),
        hints=(
            "Count each bailey alone first. Which walls have you counted twice?",
            f"One alone takes {alone} walls. A side that is shared has {high + 2}.",
        ),
        rules=_RULES,
        rows=(ExhibitRow("Baileys.", (Tag(f"{courts}"),)), _court_row(high, wide)),
    )


def _level_1(chance: Chance) -> CountQuestion:
    high, chance = chance.choice(range(2, 10))
    wide, chance = chance.choice(range(2, 10))
    return _court(high, wide)


def _level_2(chance: Chance) -> CountQuestion:
    squares, chance = chance.choice(range(7, 130))
    return _fewest(squares)


def _level_3(chance: Chance) -> CountQuestion:
    walls, chance = chance.choice(range(15, 101))
    return _largest(walls)


_MOST_CUT = 4
#: Numbers of squares in which no rectangle with the fewest walls is cut deeply.
_GOOD = tuple(
    squares
    for squares in range(5, 31)
    if 0 < max(high * wide - squares for high, wide in rectangles(squares)) <= _MOST_CUT
)


def _level_4(chance: Chance) -> CountQuestion:
    is_free, chance = chance.choice((True, False))
    if is_free:
        squares, chance = chance.choice(_GOOD)
        return _how_many(squares)
    missing, chance = chance.choice((2, 3, 4))
    high, chance = chance.choice(range(missing + 2, 9))
    wide, chance = chance.choice(range(missing + 2, 9))
    return _in_rectangle(high, wide, missing)


def _level_5(chance: Chance) -> CountQuestion:
    courts, chance = chance.choice(range(2, 7))
    high, chance = chance.choice(range(1, 7))
    wide, chance = chance.choice(range(1, 7))
    return _in_a_row(courts, high, wide)


make_count_walls = count_maker({1: _level_1, 2: _level_2, 3: _level_3, 4: _level_4, 5: _level_5})
