"""Castle Keep's puzzle last-guard: two take turns, and the last one wins. How does one begin?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import xor

from castlelab.chance import Chance
from castlelab.counting import CountQuestion, KnownSlip, count_maker
from castlelab.draw.exhibit import ExhibitRow, Tag
from castlelab.games.castle_keep.guards import stretch_value
from castlelab.rules import counted

_TILES = ("castle_keep/draw-two",)
_SPOTS = ("castle_keep/spots",)
_GUARD = "guard"


def _pile_row(piles: Sequence[int], words: str) -> ExhibitRow:
    return ExhibitRow(words, tuple(Tag(counted(pile, "tile")) for pile in piles))


def _take_few(tiles: int, most: int) -> CountQuestion:
    round_of = most + 1
    answer = tiles % round_of
    return CountQuestion(
        prompt=f"You and Orange take turns, taking 1 to {most} tiles each time. Who takes the last "
        "one wins, and you begin. How many must you take first, to win for sure?",
        facts=("few", tiles, most),
        answer=answer,
        because=f"Leave {tiles - answer}, a multiple of {round_of}. Whatever Orange takes, fill "
        f"it up to {round_of}.",
        slips=(
            KnownSlip(
                tiles % most,
                f"You have left a multiple of {most}. Then Orange takes one, and you are stuck.",
                (_pile_row([most], "Orange can take them all."),),
            ),
            KnownSlip(
                most,
                "Taking as many as you can is no plan. What do you leave?",
                (_pile_row([tiles - most], "That is left, and Orange can win."),),
            ),
            KnownSlip(
                (tiles - 1) % round_of,
                "So you would play if the last one lost. Here it wins.",
                (ExhibitRow("Who takes this one wins.", (Tag("last tile", "accent"),)),),
            ),
        ),
        hints=(
            "Go back from the end. What must you leave, so that Orange cannot take all?",
            f"If you leave {round_of}, Orange cannot take all, and you can take what is left.",
        ),
        rules=_TILES,
        rows=(_pile_row([tiles], "One pile."),),
    )


def _two_piles(small: int, large: int) -> CountQuestion:
    answer = large - small
    return CountQuestion(
        prompt="You and Orange take turns, and take any number of tiles from one pile. Who takes "
        "the last one wins, and you begin. How many must you take from the larger pile?",
        facts=("two", small, large),
        answer=answer,
        because=f"Leave two equal piles of {small}. You can copy what Orange takes.",
        slips=(
            KnownSlip(
                large,
                "Then Orange takes the other pile, and wins.",
                (_pile_row([small], "Orange takes them all."),),
            ),
            KnownSlip(
                large - 1,
                "Then Orange makes the other pile as small, and copies you.",
                (_pile_row([small, 1], "Orange can win from here."),),
            ),
            KnownSlip(
                answer + 1,
                "One too many: the piles are not equal.",
                (_pile_row([small, small - 1], "Orange makes them equal."),),
            ),
        ),
        hints=(
            "What can you leave, so that you have an answer to whatever Orange does?",
            f"If both piles had {small}, you could do in one what Orange does in the other.",
        ),
        rules=_TILES,
        rows=(_pile_row([small, large], "Two piles."),),
    )


def _three_piles(piles: Sequence[int], place: int) -> CountQuestion:
    own = piles[place]
    others = [pile for at, pile in enumerate(piles) if at != place]
    kept = others[0] ^ others[1]
    answer = own - kept
    twins = min(others)
    return CountQuestion(
        prompt="You and Orange take turns, and take any number of tiles from one pile. Who takes "
        f"the last one wins, and you begin with the pile of {own}. How many must you take?",
        facts=("three", tuple(piles), place),
        answer=answer,
        because=f"Written with ones, twos, fours and eights, {others[0]} and {others[1]} leave "
        f"{kept} without a partner. So leave {kept}: then each has one.",
        slips=(
            KnownSlip(
                own,
                "Then two piles are left that are not equal, and Orange makes them so.",
                (_pile_row(others, "Orange can win from here."),),
            ),
            KnownSlip(
                abs(own - twins),
                "You have made two piles equal. Then Orange takes the third, and copies you.",
                (_pile_row([twins, twins, max(others)], "Orange takes the third pile."),),
            ),
            KnownSlip(
                abs(own - max(others)),
                "You have made two piles equal. Then Orange takes the third, and copies you.",
                (_pile_row([max(others)] * 2 + [twins], "Orange takes the third pile."),),
            ),
        ),
        hints=(
            "Split each pile into ones, twos, fours and eights. Which of these have no partner?",
            (
                f"{others[0]} and {others[1]} in twos are {others[0]:b} and {others[1]:b}. Equal "
                "digits cancel out."
            ),
        ),
        rules=_TILES,
        rows=(_pile_row(piles, "Three piles."),),
    )


def winning_spots(walls: Sequence[int]) -> int:
    """How many first spots win on walls of so many free spots.

    >>> winning_spots([6]), winning_spots([7]), winning_spots([6, 9])
    (4, 3, 6)
    """
    total = reduce(xor, map(stretch_value, walls), 0)
    return sum(
        total
        ^ stretch_value(spots)
        ^ stretch_value(max(0, at - 1))
        ^ stretch_value(max(0, spots - at - 2))
        == 0
        for spots in walls
        for at in range(spots)
    )


def free_walls(spots: str) -> list[int]:
    """The stretches of free spots of a wall on which guards (G) stand.

    >>> free_walls("..G....G.")
    [1, 2]
    """
    taken = {at for at, sign in enumerate(spots) if sign == "G"}
    shut = {at + by for at in taken for by in (-1, 0, 1)}
    signs = "".join("#" if at in shut else "." for at in range(len(spots)))
    return [len(part) for part in signs.split("#") if part]


def _spot_row(words: str, spots: str) -> ExhibitRow:
    tags = (Tag(_GUARD, "accent") if sign == "G" else Tag("") for sign in spots)
    return ExhibitRow(words, tuple(tags))


def _guards(walls: Sequence[str]) -> CountQuestion:
    free = [stretch for spots in walls for stretch in free_walls(spots)]
    answer, every = winning_spots(free), sum(free)
    middle = sum(stretch % 2 for stretch in free)
    second = sum((stretch + 1) // 2 for stretch in free)
    own = "G." if len(walls) == 1 else "G"
    return CountQuestion(
        prompt="You and Orange post guards in turn, never one beside another. Who cannot post one "
        "loses, and you begin. From how many spots can you win for sure?",
        facts=("guards", tuple(walls)),
        answer=answer,
        because=f"From {answer} of the {every} free spots you leave stretches in which you can "
        "answer whatever Orange does.",
        slips=(
            KnownSlip(
                every,
                "These are all free spots. From some of them Orange wins.",
                (_spot_row("A guard shuts its neighbours, too.", ".G."),),
            ),
            KnownSlip(
                middle,
                "In the middle you can copy Orange on the other side. There are other ways, too."
                if middle
                else "There is no spot in the middle. But there are other ways to win.",
                (_spot_row("The middle.", "..G.."),),
            ),
            KnownSlip(
                second,
                "Every second spot? Try a short wall, and play it to the end.",
                (_spot_row("Two guards, and it is over.", f"{own}.G"),),
            ),
        ),
        hints=(
            "Play short walls first, with one spot, two, three and so on. Who wins?",
            (
                "A stretch of four free spots is lost for who begins, and so is one of eight. "
                "Two equal stretches are lost, too."
            ),
        ),
        rules=_SPOTS,
        rows=tuple(_spot_row("A wall." if not at else "", spots) for at, spots in enumerate(walls)),
    )


def _wall(lengths: range, guards: Sequence[int], chance: Chance) -> tuple[str, Chance]:
    """A wall with some guards on it, never side by side."""
    length, chance = chance.choice(lengths)
    number, chance = chance.choice(guards)
    spots = "." * length
    for _ in range(number):
        at, chance = chance.below(length)
        if "G" not in spots[max(0, at - 1) : at + 2]:
            spots = f"{spots[:at]}G{spots[at + 1 :]}"
    return spots, chance


def _level_1(chance: Chance) -> CountQuestion:
    tiles, chance = chance.choice(range(11, 50))
    most, chance = chance.choice((3, 4, 5, 6))
    return _take_few(tiles, most)


def _level_2(chance: Chance) -> CountQuestion:
    small, chance = chance.choice(range(2, 12))
    more, chance = chance.choice(range(2, 9))
    return _two_piles(small, small + more)


def _level_3(chance: Chance) -> CountQuestion:
    one, chance = chance.choice(range(2, 13))
    other, chance = chance.choice(range(2, 13))
    more, chance = chance.choice(range(1, 9))
    place, chance = chance.below(3)
    piles = [one, other]
    piles.insert(place, (one ^ other) + more)
    return _three_piles(piles, place)


def _level_4(chance: Chance) -> CountQuestion:
    spots, chance = _wall(range(6, 14), (1, 1, 2), chance)
    return _guards([spots])


def _level_5(chance: Chance) -> CountQuestion:
    one, chance = _wall(range(5, 10), (0, 1), chance)
    other, chance = _wall(range(4, 10), (0, 1), chance)
    return _guards([one, other])


make_last_guard = count_maker({1: _level_1, 2: _level_2, 3: _level_3, 4: _level_4, 5: _level_5})
