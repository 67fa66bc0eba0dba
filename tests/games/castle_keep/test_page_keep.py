"""The walk-through of Castle Keep: its numbers are the engine's, its lessons are spelled out."""

import ast
from fractions import Fraction
from pathlib import Path

import nbformat
import numpy as np
import pytest

from castlelab.games import castle_keep
from castlelab.games.castle_keep import Castle, count_castles, count_finishes, count_rings
from castlelab.games.castle_keep.castle import TILES
from castlelab.games.castle_keep.count import (
    expected_joints,
    fixed_rings,
    matching_matrix,
    rings_of_all,
    symmetries,
)
from castlelab.games.castle_keep.guards import ways_to_guard
from castlelab.games.castle_keep.puzzle_be_sure import surely
from castlelab.puzzles import lessons
from castlelab.widgets import ChoiceCard, GuessCard

NOTEBOOK = Path(__file__).parents[3] / "notebooks" / "castle_keep.ipynb"
SHOWN = {"GuessCard": GuessCard, "ChoiceCard": ChoiceCard}
RED_CURVY, RED_ZIGZAG, BLUE_ZIGZAG = 0, 1, 7


@pytest.fixture(scope="module")
def page():
    return nbformat.read(NOTEBOOK, as_version=4).cells


def calls(page):
    """Every call of a cell, with the name of what is called."""
    for cell in page:
        if cell.cell_type == "code":
            for node in ast.walk(ast.parse(cell.source)):
                if isinstance(node, ast.Call):
                    yield ast.unparse(node.func), node


def read(value):
    """What is written in a call: words and numbers, fractions among them."""
    return eval(ast.unparse(value), {"Fraction": Fraction})


def cards(page, kind):
    """The cards of a kind, in the order of the page, without what they show at the end."""
    for name, call in calls(page):
        if name == kind:
            parts = {part.arg: part.value for part in call.keywords if part.arg != "then"}
            given = {name: read(value) for name, value in parts.items()}
            yield SHOWN[kind](ast.literal_eval(call.args[0]), **given)


def walks(steps):
    return np.linalg.matrix_power(np.array(matching_matrix()), steps)


def second_sum(steps):
    """The sum s + h - 2n of the page's table, after so many steps."""
    same, shares, nothing = walks(steps)[RED_CURVY][[RED_CURVY, RED_ZIGZAG, BLUE_ZIGZAG]]
    return same + shares - 2 * nothing


def test_the_answers_of_the_page_are_those_of_the_engine(page):
    _, quarter_turn, *_ = symmetries()
    corner_mirror = next(each for each in symmetries() if each.name == "mirror nw-se")
    unfinished = Castle.parse("TRC WRC TRZ / WRC -- WYZ / -- -- --")
    assert [card._answer for card in cards(page, "GuessCard")] == [
        1,
        surely([2] * len(TILES), 2),
        4,
        len(Castle.parse("TBC WBZ TBS / WYC KB WBS / -- -- TYS").blast("n")),
        sum(matching_matrix()[RED_CURVY]),
        expected_joints(),
        walks(7).sum(),
        walks(2)[RED_CURVY][RED_ZIGZAG],
        walks(2)[RED_CURVY][BLUE_ZIGZAG],
        walks(4)[RED_CURVY][RED_CURVY],
        second_sum(5) / second_sum(4),
        count_castles(),
        rings_of_all(),
        fixed_rings(quarter_turn),
        fixed_rings(corner_mirror),
        count_rings(up_to_symmetry=True),
        count_finishes(unfinished, "TBC TYS TBS WBS WYS KR"),
        ways_to_guard(8),
    ]


def test_wrong_answers_are_explained(page):
    for card in cards(page, "GuessCard"):
        assert len(card._mistakes) >= 2
        assert not any(map(card.guess, card._mistakes))
    for card in cards(page, "ChoiceCard"):
        assert all(card._choices.values())
        assert sum(map(card.choose, card._choices)) == 1


def test_most_puzzles_are_spelled_out_and_all_lessons_have_their_place(page):
    spelled = [call for name, call in calls(page) if name == "castle_keep.puzzle"]
    bare = [call for name, call in calls(page) if name == "PuzzleCard"]
    assert len(bare) * 2 <= len(spelled)
    ids = {
        eval(ast.unparse(call), {"castle_keep": castle_keep}).id
        for call in spelled
        if not any(part.arg == "goal" for part in call.keywords)
    }
    ids |= {
        f"castle_keep/lesson-{ast.literal_eval(call.args[0])}"
        for name, call in calls(page)
        if name == "lesson"
    }
    assert set(lessons("castle_keep")) <= ids
