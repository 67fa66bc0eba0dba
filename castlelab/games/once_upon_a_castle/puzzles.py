"""Once Upon a Castle's puzzles, five levels each, made from a seed and proved.

Every maker draws positions until one has what its level asks for. A moment of a real game
judges the answers: it places the tokens, clears the lines and counts the points.
"""

from __future__ import annotations

from castlelab.games.once_upon_a_castle.puzzle_complete_a_line import make_complete_a_line
from castlelab.games.once_upon_a_castle.puzzle_count_rolls import make_count_rolls
from castlelab.games.once_upon_a_castle.puzzle_count_the_score import make_count_the_score
from castlelab.games.once_upon_a_castle.puzzle_count_throws import make_count_throws
from castlelab.games.once_upon_a_castle.puzzle_row_or_column import make_row_or_column
from castlelab.puzzles import Maker

KINDS: dict[str, Maker] = {
    "once_upon_a_castle/complete-a-line": make_complete_a_line,
    "once_upon_a_castle/row-or-column": make_row_or_column,
    "once_upon_a_castle/count-the-score": make_count_the_score,
    "once_upon_a_castle/count-throws": make_count_throws,
    "once_upon_a_castle/count-rolls": make_count_rolls,
}
