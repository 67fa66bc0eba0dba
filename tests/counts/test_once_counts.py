"""Dice and lines of Once Upon a Castle: formula, listing, equations and the engine agree."""

from fractions import Fraction
from itertools import combinations_with_replacement, product

import pytest

from castlelab.chance import Chance
from castlelab.games.once_upon_a_castle.board import FACES, RESOURCES
from castlelab.games.once_upon_a_castle.box import house_layouts
from castlelab.games.once_upon_a_castle.count import (
    ROLLS,
    best_use,
    expected_rolls,
    foreseen_rolls,
    good_rolls,
    line_chain,
    line_table,
    missing_of,
    read_missing,
    roll_odds,
    simulate_rolls,
    throws_with,
    ways_to_fill,
)
from castlelab.rules import CastlelabError

CHOSEN = FACES[:5]
EVERY_MISSING = [
    missing
    for number in range(1, 5)
    for missing in combinations_with_replacement(RESOURCES, number)
]


# -- one roll --------------------------------------------------------------------------------


@pytest.mark.parametrize("wild", [True, False])
@pytest.mark.parametrize(
    "wanted", [(face,) for face in CHOSEN] + list(product(CHOSEN, CHOSEN)), ids="-".join
)
def test_the_formula_counts_the_good_rolls(wanted, wild):
    assert roll_odds(*wanted, wild=wild) == Fraction(len(good_rolls(*wanted, wild=wild)), 36)


def test_cited_odds():
    assert len(ROLLS) == len(set(ROLLS)) == 36
    assert roll_odds("wood") == Fraction(20, 36)
    assert roll_odds("wood", wild=False) == Fraction(11, 36)
    assert roll_odds("wood", "stone") == Fraction(7, 36)
    assert roll_odds("wood", "stone", wild=False) == Fraction(2, 36)
    assert roll_odds("wood", "wood") == Fraction(4, 36)
    assert roll_odds("residents", "residents", wild=False) == Fraction(1, 36)


def test_a_good_roll_has_a_die_for_each_face():
    """The rule once more, in other words: turn every "?" into whatever is best."""
    for wanted in product(CHOSEN, CHOSEN):
        for roll in ROLLS:
            turned = product(*(CHOSEN if face == "any" else (face,) for face in roll))
            assert (roll in good_rolls(*wanted)) == any(
                sorted(faces) == sorted(wanted) for faces in turned
            )


# -- the chain -------------------------------------------------------------------------------


def every_result(missing, roll, dice):
    """All that a line may miss after a roll, by giving each die a face and a use, or none."""
    found = set()
    uses = [[None, *(r for r in RESOURCES if face in (r, "any"))] for face in roll]
    for one, other in product(*uses):
        if dice == 1 and None not in (one, other):
            continue
        left = list(missing)
        for resource in (one, other):
            if resource in left:
                left.remove(resource)
        found.add(tuple(left))
    return found


@pytest.mark.parametrize("dice", [1, 2])
@pytest.mark.parametrize("missing", EVERY_MISSING, ids="-".join)
def test_equations_and_steps_backwards_agree(missing, dice):
    chain = line_chain(missing, dice)
    solved = dict(zip(chain.states, chain.expected_rolls(), strict=True))
    assert chain.states[0] == missing
    assert chain.states[-1] == ()
    for state, row in zip(chain.states, chain.matrix, strict=True):
        assert sum(row) == 1
        assert solved[state] == expected_rolls(state, dice)
    size = range(len(chain.states) - 1)
    for row in size:  # t = 1 + Q·t, put in
        waited = sum(chain.matrix[row][at] * solved[chain.states[at]] for at in size)
        assert solved[chain.states[row]] == 1 + waited
    for row in range(len(chain.states)):
        for column in range(row):
            assert not chain.matrix[row][column]  # what was filled stays filled


@pytest.mark.parametrize("dice", [1, 2, (2, 1), (1, 2), (2, 1, 1), (1, 1, 2, 1)])
def test_no_way_to_use_the_dice_is_better(dice):
    """What is expected is the best of all uses: Bellman's equation, roll by roll."""
    cycle = (dice,) if isinstance(dice, int) else dice
    later = cycle[1:] + cycle[:1]
    for missing in EVERY_MISSING:
        best = sum(
            min(expected_rolls(left, later) for left in every_result(missing, roll, cycle[0]))
            for roll in ROLLS
        )
        assert expected_rolls(missing, cycle) == 1 + best / 36


@pytest.mark.parametrize("dice", [1, 2])
def test_the_best_use_is_a_use_and_leaves_nothing_undone(dice):
    for missing, roll in product(EVERY_MISSING, ROLLS):
        left = best_use(missing, roll, dice)
        results = every_result(missing, roll, dice)
        assert left in results
        assert len(left) == min(map(len, results))


def test_cited_rolls():
    assert expected_rolls("wood") == expected_rolls("wood", dice=1) == Fraction(9, 5)
    assert expected_rolls("wood stone") == Fraction(8, 3)
    assert expected_rolls("wood stone", dice=1) == Fraction(47, 15)
    assert expected_rolls("stone stone") == Fraction(81, 25)
    assert expected_rolls("wood stone stone") == Fraction(2627, 675)
    assert expected_rolls(()) == 0


def test_a_line_of_different_resources_fills_sooner():
    """More kinds give more good faces; the same number of squares is not the same wait."""
    for number in (2, 3):
        different, alike = RESOURCES[:number], ("wood",) * number
        assert expected_rolls(different) < expected_rolls(alike)
    assert expected_rolls("wood stone") < expected_rolls("wood stone", dice=(2, 1))
    assert expected_rolls("wood stone", (2, 1)) < expected_rolls("wood stone", (1, 2))
    assert expected_rolls("wood stone", (2, 1, 1, 1)) < expected_rolls("wood stone", 1)


def test_names_of_resources_make_no_difference():
    for missing in EVERY_MISSING:
        swapped = [RESOURCES[(RESOURCES.index(resource) + 1) % 4] for resource in missing]
        assert expected_rolls(missing) == expected_rolls(swapped)


@pytest.mark.parametrize(
    ("missing", "dice"), [("wood", 1), ("wood stone", 2), ("stone stone food", 2)]
)
def test_the_chance_to_be_full_by_trying_all_rolls(missing, dice):
    """Every sequence of three rolls, one by one."""
    full = [0, 0, 0]
    for rolls in product(ROLLS, repeat=3):
        left = read_missing(missing)
        for number, roll in enumerate(rolls):
            left = best_use(left, roll, dice)
            full[number] += not left
    assert line_chain(missing, dice).filled_by(3) == tuple(Fraction(n, 36**3) for n in full)


def test_the_chances_add_up_to_the_expected_rolls():
    """E = Σ P(not yet full after n rolls): what is left after 120 of them is next to nothing."""
    for missing in ("wood", "wood stone", "stone stone food"):
        filled = line_chain(missing).filled_by(120)
        assert list(filled) == sorted(filled)
        waited = 1 + sum(1 - odds for odds in filled)
        assert 0 <= expected_rolls(missing) - waited < Fraction(1, 10**9)


@pytest.mark.parametrize("dice", [1, 2, (2, 1, 1)])
@pytest.mark.parametrize("missing", ["wood", "wood stone stone", "wood stone gold food"])
def test_rolling_very_often_comes_near(missing, dice):
    sample = simulate_rolls(missing, games=3000, seed=5, dice=dice)
    assert abs(sample.mean - expected_rolls(missing, dice)) < 3.5 * sample.error
    if isinstance(dice, int):
        exact = line_chain(missing, dice).filled_by(6)
        for share, odds in zip(sample.filled_by(6), exact, strict=True):
            assert abs(share - odds) < 3.5 * float(odds * (1 - odds) / 3000) ** 0.5 + 1e-9


# -- boards ----------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", house_layouts(), ids=lambda layout: layout.name)
def test_a_board_on_the_table_fills_as_fast(layout):
    """Tokens on a real board, square by square, for every line of it."""
    for odds in line_table(layout.board()).lines:
        total = squares = 0
        games = 400
        for game in range(games):
            chance, board, number = Chance.seeded(f"{odds.line} {game}"), layout.board(), 0
            while left := missing_of(board, odds.line):
                roll, chance = chance.choice(ROLLS)
                number += 1
                kept = list(best_use(left, roll))
                for square in odds.line.squares:
                    if square.name in board.tokens:
                        continue
                    if square.resource in kept:
                        kept.remove(square.resource)
                    else:
                        board = board.place(square.name)
            total += number
            squares += number * number
        mean = total / games
        error = ((squares / games - mean * mean) / games) ** 0.5
        assert abs(mean - odds.rolls) < 4 * error


# -- throws of many dice -------------------------------------------------------------------------

#: 6ⁿ − 4ⁿ, https://oeis.org/A248337, and 6ⁿ − 5ⁿ, https://oeis.org/A005062.
WITH_WILD = (0, 2, 20, 152, 1040, 6752, 42560)
WITHOUT_WILD = (0, 1, 11, 91, 671, 4651, 31031)


@pytest.mark.parametrize("dice", range(7))
def test_throws_are_in_the_encyclopedia_and_on_the_table(dice):
    assert throws_with(dice) == WITH_WILD[dice]
    assert throws_with(dice, wild=False) == WITHOUT_WILD[dice]
    throws = list(product(FACES, repeat=dice))
    assert sum("gold" in throw or "any" in throw for throw in throws) == WITH_WILD[dice]
    assert sum("gold" in throw for throw in throws) == WITHOUT_WILD[dice]


def test_ways_to_fill_are_throws_of_twice_as_many_dice():
    for rolls in range(1, 8):
        assert ways_to_fill("wood", rolls) == throws_with(2 * rolls)


@pytest.mark.parametrize("dice", [1, 2])
@pytest.mark.parametrize("missing", ["wood stone", "gold gold", "wood stone food"])
def test_ways_to_fill_by_trying_every_run(missing, dice):
    full = 0
    for run in product(ROLLS, repeat=2):
        left = read_missing(missing)
        for roll in run:
            left = best_use(left, roll, dice)
        full += not left
    assert ways_to_fill(missing, 2, dice) == full


@pytest.mark.parametrize("wrong", [-1, True, 2.0, "2", None, 10**6])
def test_bad_numbers_of_dice_are_explained(wrong):
    with pytest.raises(CastlelabError, match="dice go from 0 to"):
        throws_with(wrong)


# -- with a look into the future -------------------------------------------------------------


def test_a_look_into_the_future_by_throws_of_all_dice():
    """After n rolls the line is full if 2n dice show both, whatever each ? is taken for.

    Neither of them fails alone: 6ⁿ − 2·4ⁿ + 3ⁿ − n·3ⁿ⁻¹ throws of n dice show both.
    """
    for dice in range(1, 6):
        faces = product(FACES, repeat=dice)
        shown = sum(
            ("wood" in throw) + ("stone" in throw) + throw.count("any") >= 2 for throw in faces
        )
        assert shown == 6**dice - 2 * 4**dice + 3**dice - dice * 3 ** (dice - 1)
    waiting = (
        Fraction(6**n - (6**n - 2 * 4**n + 3**n - n * 3 ** (n - 1)), 6**n) if n else Fraction(1)
        for n in range(0, 400, 2)
    )
    assert float(sum(waiting)) == pytest.approx(float(foreseen_rolls("wood stone")), abs=1e-12)


def test_cited_worth_of_a_look_into_the_future():
    assert foreseen_rolls("wood stone") == Fraction(346, 135)
    assert expected_rolls("wood stone") - foreseen_rolls("wood stone") == Fraction(14, 135)


@pytest.mark.parametrize("missing", [missing for missing in EVERY_MISSING if len(missing) < 4])
def test_who_sees_the_future_is_never_slower(missing):
    assert foreseen_rolls(missing) <= expected_rolls(missing)
    if len(set(missing)) == 1:  # nothing to decide
        assert foreseen_rolls(missing) == expected_rolls(missing)
