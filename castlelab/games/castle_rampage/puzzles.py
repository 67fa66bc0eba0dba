"""Castle Rampage's puzzles, five levels each, made from a seed and proved solvable.

Every maker draws positions until one has what its level asks for. The attack, or the game
where a turn is asked for, judges the answers.
"""

from __future__ import annotations

from castlelab.games.castle_rampage.puzzle_count_orders import make_count_orders
from castlelab.games.castle_rampage.puzzle_gate_first import make_gate_first
from castlelab.games.castle_rampage.puzzle_how_far import make_how_far
from castlelab.games.castle_rampage.puzzle_lethal import make_lethal
from castlelab.games.castle_rampage.puzzle_pay_exactly import make_pay_exactly
from castlelab.games.castle_rampage.puzzle_stack_well import make_stack_well
from castlelab.puzzles import Maker

KINDS: dict[str, Maker] = {
    "castle_rampage/how-far": make_how_far,
    "castle_rampage/lethal": make_lethal,
    "castle_rampage/stack-well": make_stack_well,
    "castle_rampage/count-orders": make_count_orders,
    "castle_rampage/gate-first": make_gate_first,
    "castle_rampage/pay-exactly": make_pay_exactly,
}
