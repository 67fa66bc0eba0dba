"""Castle Keep's puzzle count-castles: how many are really different, if they may be turned?"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, gcd

from castlelab.chance import Chance
from castlelab.counting import CountQuestion, KnownSlip, count_maker
from castlelab.draw.exhibit import ExhibitRow, Tag
from castlelab.games.castle_keep.count import count_colourings

PAINTS = ("red", "blue", "yellow", "teal", "brown", "purple", "crimson", "olive")

_RULES = ("castle_keep/spots",)
_WHERE = (
    "Do not count castles. Which arrangements look the same after a move? Their number, "
    "averaged over all moves, is the answer."
)
_SQUARE = "Four towers stand at the corners, one after the other round the castle."


def paint_tags(paints: Sequence[str]) -> tuple[Tag, ...]:
    """A tag for each colour."""
    return tuple(Tag(paint, f"hue-{paint}") for paint in paints)


def _some_paints(numbers: Sequence[int], chance: Chance) -> tuple[tuple[str, ...], Chance]:
    number, chance = chance.choice(numbers)
    return chance.sample(PAINTS, number)


def _same(one: Sequence[str], other: Sequence[str], words: str) -> tuple[ExhibitRow, ...]:
    return (
        ExhibitRow(words, paint_tags(one), "yes"),
        ExhibitRow("This is the same castle.", paint_tags(other), "no"),
    )


def _corners(paints: Sequence[str], *, mirrored: bool) -> CountQuestion:
    number = len(paints)
    moves = 8 if mirrored else 4
    answer = count_colourings(number, mirrored=mirrored)
    first, second = paints[0], paints[1]
    turned = ((first, first, first, second), (second, first, first, first))
    symmetric = ExhibitRow("It has one look only.", paint_tags((first,) * 4))
    across = (
        ExhibitRow("Two and two, side by side.", paint_tags((first, first, second, second)), "yes"),
        ExhibitRow("Two and two, across.", paint_tags((first, second, first, second)), "yes"),
    )
    fixed = answer * moves
    how = "turned and mirrored" if mirrored else "turned, but not mirrored,"
    return CountQuestion(
        prompt="Each tower gets one of the colours. How many different castles are there, if those "
        f"that can be {how} into each other are the same?",
        facts=("corners", tuple(paints), mirrored),
        answer=answer,
        because=f"All moves together leave {fixed} arrangements as they are, and {fixed} / {moves} "
        f"= {answer}.",
        slips=(
            KnownSlip(
                number**4,
                "These are all arrangements. Many of them look alike after a turn.",
                _same(*turned, "The towers, one after the other."),
            ),
            KnownSlip(
                number**4 // moves,
                f"You have divided by {moves}. But a castle with symmetry has fewer looks.",
                (symmetric,),
            ),
            KnownSlip(
                comb(number + 3, 4),
                "You have chosen the colours. But two and two can stand side by side or across.",
                across,
            ),
        ),
        hints=(
            _WHERE,
            f"Doing nothing leaves all {number**4} arrangements as they are, a quarter turn only "
            f"{number}, a half turn {number**2}."
            + (f" And two of the mirrors leave {number**3} each." if mirrored else ""),
        ),
        rules=_RULES,
        rows=(ExhibitRow("The colours.", paint_tags(paints)), ExhibitRow(_SQUARE)),
    )


def round_castles(towers: int, red: int) -> int:
    """Round castles with so many red towers of all, turned and mirrored ones the same.

    >>> round_castles(8, 4), round_castles(8, 3)
    (8, 5)
    """
    turns = 0
    for step in range(towers):
        size = towers // gcd(step, towers)  # that of a group which must be alike
        if red % size == 0:
            turns += comb(towers // size, red // size)
    if towers % 2:
        mirrors = towers * comb((towers - 1) // 2, red // 2)
    else:
        through_walls = comb(towers // 2, red // 2) if red % 2 == 0 else 0
        pairs = towers // 2 - 1
        if red % 2:
            through_towers = 2 * comb(pairs, red // 2)
        else:
            through_towers = comb(pairs, red // 2) + (comb(pairs, red // 2 - 1) if red else 0)
        mirrors = towers // 2 * (through_walls + through_towers)
    return (turns + mirrors) // (2 * towers)


def _round(paints: Sequence[str], towers: int, first: int) -> CountQuestion:
    one, other = paints
    answer = round_castles(towers, first)
    every = comb(towers, first)
    line = (one,) * first + (other,) * (towers - first)
    split = (one,) * (first - 1) + (other, one) + (other,) * (towers - first - 1)
    return CountQuestion(
        prompt=f"A round castle has {towers} towers: {first} shall be {one}, the others {other}. "
        "How many different castles are there, if those that can be turned or mirrored into each "
        "other are the same?",
        facts=("round", (one, other), towers, first),
        answer=answer,
        because=f"The gaps between the {one} towers decide: {answer} ways, or Burnside's average "
        f"over {2 * towers} moves.",
        slips=(
            KnownSlip(
                every,
                "These are all arrangements. Many of them look alike after a turn.",
                _same(line, (*line[1:], line[0]), "The towers, all round."),
            ),
            KnownSlip(
                every // (2 * towers),
                f"You have divided by {2 * towers}. But a castle with symmetry has fewer looks.",
                (ExhibitRow("Mirrored it is the same.", paint_tags(line)),),
            ),
            KnownSlip(
                -(-every // towers),
                "You have only turned. A mirror makes some of them equal.",
                _same(split, split[::-1], "The towers, all round."),
            ),
        ),
        hints=(
            f"How far are the {one} towers from each other? What matters is only these gaps.",
            (
                f"There are {every} arrangements, and {2 * towers} moves. Which arrangements look "
                "the same in a mirror?"
            ),
        ),
        rules=_RULES,
        rows=(
            ExhibitRow("One of the arrangements, all round.", paint_tags(line)),
            ExhibitRow("The last tower stands beside the first."),
        ),
    )


def _towers_and_walls(paints: Sequence[str]) -> CountQuestion:
    k = len(paints)
    answer, turned = (k**8 + 4 * k**5 + k**4 + 2 * k**2) // 8, (k**8 + k**4 + 2 * k**2) // 4
    first, second = paints[:2]
    one = (first, first, second, first)
    return CountQuestion(
        prompt="Four towers at the corners and four walls between them each get one of the "
        "colours. How many different castles are there, if those that can be turned or mirrored "
        "into each other are the same?",
        facts=("walls", tuple(paints)),
        answer=answer,
        because=f"({k**8} + 4 · {k**5} + {k**4} + 2 · {k**2}) / 8 = {answer}: all, the four "
        "mirrors, the half turn, two quarter turns.",
        slips=(
            KnownSlip(
                k**8,
                "These are all arrangements. Many of them look alike after a turn.",
                _same(one, (*one[2:], *one[:2]), "Tower, wall, tower, wall …"),
            ),
            KnownSlip(
                k**8 // 8,
                "You have divided by 8. But a castle with symmetry has fewer looks.",
                (ExhibitRow("It has one look only.", paint_tags((first, second) * 4)),),
            ),
            KnownSlip(
                turned,
                "You have only turned. A mirror makes some of them equal.",
                (ExhibitRow("In a mirror it runs the other way.", paint_tags(one)),),
            ),
        ),
        hints=(
            _WHERE,
            (
                f"A mirror leaves {k**5} arrangements as they are: two of the parts lie on its "
                "axis, and the other six make three pairs."
            ),
        ),
        rules=_RULES,
        rows=(
            ExhibitRow("The colours.", paint_tags(paints)),
            ExhibitRow("Eight parts go round the castle: tower, wall, tower, wall …"),
        ),
    )


def rings_that_differ(places: int, colours: int) -> int:
    """Rings in which neighbours differ; one place alone is its own neighbour.

    >>> rings_that_differ(8, 3), rings_that_differ(1, 3)
    (258, 0)
    """
    return int((colours - 1) ** places + (-1) ** places * (colours - 1))


def castles_that_differ(places: int, colours: int) -> int:
    """The same, turned and mirrored ones only once.

    >>> castles_that_differ(8, 3), castles_that_differ(6, 3)
    (30, 13)
    """
    turns = sum(rings_that_differ(gcd(step, places), colours) for step in range(places))
    half = places // 2
    mirrors = 0 if places % 2 else half * colours * (colours - 1) ** half
    return (turns + mirrors) // (2 * places)


def _differing(paints: Sequence[str], towers: int) -> CountQuestion:
    k = len(paints)
    every, answer = rings_that_differ(towers, k), castles_that_differ(towers, k)
    line = (*(*paints[:2],) * (towers // 2), *[paints[2]] * (towers % 2))
    ends = (*paints[:3], paints[1], paints[0])
    return CountQuestion(
        prompt=f"A round castle has {towers} towers, and neighbours have different colours. How "
        "many castles are there, if those that can be turned or mirrored into each other are the "
        "same?",
        facts=("differ", tuple(paints), towers),
        answer=answer,
        because=f"Of {every} arrangements, all {2 * towers} moves together leave "
        f"{answer * 2 * towers} as they are: on average {answer}.",
        slips=(
            KnownSlip(
                every,
                "These are all arrangements. Many of them look alike after a turn.",
                _same(line, (*line[1:], line[0]), "The towers, all round."),
            ),
            KnownSlip(
                every // (2 * towers),
                f"You have divided by {2 * towers}. But a castle with symmetry has fewer looks.",
                (ExhibitRow("It has few looks.", paint_tags(line)),),
            ),
            KnownSlip(
                k * (k - 1) ** (towers - 1),
                "These are lines. In a ring the last tower stands beside the first.",
                (ExhibitRow("The ends are neighbours.", paint_tags(ends), "no"),),
            ),
        ),
        hints=(
            "Count the rings whose neighbours differ first. Which of them does a turn leave alone?",
            (
                f"There are {every} arrangements. A turn leaves those that go on like a "
                "smaller ring; a mirror between towers leaves none."
            ),
        ),
        rules=_RULES,
        rows=(
            ExhibitRow("The colours.", paint_tags(paints)),
            ExhibitRow(f"{towers} towers, and the last stands beside the first."),
        ),
    )


def _level_1(chance: Chance) -> CountQuestion:
    return _corners(_some_paints((2, 3, 4), chance)[0], mirrored=False)


def _level_2(chance: Chance) -> CountQuestion:
    return _corners(_some_paints((2, 3, 4, 5), chance)[0], mirrored=True)


def _level_3(chance: Chance) -> CountQuestion:
    paints, chance = _some_paints((2,), chance)
    towers, chance = chance.choice((6, 7, 8, 9, 10))
    first, chance = chance.choice(range(2, towers - 1))
    return _round(paints, towers, first)


def _level_4(chance: Chance) -> CountQuestion:
    return _towers_and_walls(_some_paints((2, 3, 4), chance)[0])


def _level_5(chance: Chance) -> CountQuestion:
    paints, chance = _some_paints((3, 4), chance)
    towers, chance = chance.choice((4, 5, 6, 7, 8))
    return _differing(paints, towers)


make_count_castles = count_maker({1: _level_1, 2: _level_2, 3: _level_3, 4: _level_4, 5: _level_5})
