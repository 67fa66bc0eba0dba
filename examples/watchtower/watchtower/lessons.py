"""Authored puzzles: the steps of the notebook that ask for something."""

from castlelab.authoring import lesson_opener
from watchtower.puzzle_forms import draft
from watchtower.puzzles import PROMPT

LESSONS = {
    "narrow": draft(
        PROMPT,
        towers="3 2 1 / 3 3 2 2 / 3 2 2 1",
        points=(8, 10),
        hints=("Look at the layer below.", "On one stone only one may lie."),
    ),
    "worth": draft(
        PROMPT,
        towers="3 3 2 / 1 1 1 / 1 1 1 1",
        points=(0, 4),
        hints=("Orange will top the other tower.", "Top the one with more stones."),
    ),
    "patience": draft(
        PROMPT,
        towers="3 3 / 1 / 1 1 1 1",
        points=(0, 4),
        hints=("A third layer invites the fourth.", "Lay on the narrow tower, and wait."),
    ),
}
lesson = lesson_opener("watchtower", LESSONS)
