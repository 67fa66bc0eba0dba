"""The touches that lead from the first moment of each task of a figure to its end."""

from __future__ import annotations

from castlelab.games.castle_keep.count import symmetries

MOVES = tuple(move.name for move in symmetries())
#: What leads from the first moment of a task to its end, as one types it.
WAYS = {
    ("castle_keep/turntable", 11): "rrrr, rrrb, quarter turn, quarter turn, quarter turn, "
    "rrbb, quarter turn, quarter turn, quarter turn, rbrb, quarter turn, "
    "rbbb, quarter turn, quarter turn, quarter turn, bbbb",
    ("castle_keep/turntable", 14): ", ".join((*MOVES, "rrrr, rbrb, rrrb, rrby")),
    ("castle_keep/turntable", 17): ", ".join(("more", *MOVES)),
    ("castle_keep/ring-loom", 11): "red curvy, gap 1, gap 2, red zigzag, gap 1, gap 2, gap 3, "
    "red straight, gap 1, gap 2, yellow curvy, gap 1, blue curvy, gap 1, gap 3",
    ("castle_keep/ring-loom", 14): ", ".join(["red curvy, red zigzag, blue zigzag"] * 4),
    ("castle_keep/ring-loom", 17): ", ".join(
        ["one more"] * 1
        + ["none less"] * 2
        + ["one less"] * 3
        + ["none more"] * 3
        + ["one more"] * 6
        + ["none more"] * 3
    ),
    ("castle_rampage/stack-and-lens", 11): "card 1, card 5, card 4, card 5, card 3, card 4, "
    "card 2, card 3, card 1, card 5, card 3, card 4, card 4, card 3",
    ("castle_rampage/stack-and-lens", 14): "card 1, card 5, top 1, top 2, group 2 1, group 3 1, "
    "group 4 1, group 5 1, the rest",
    ("castle_rampage/stack-and-lens", 17): "group 5, group 4, group 3, group 2, the rest, "
    "top 2, the rest, top 3, the rest",
    ("castlescape/fence", 11): "d3, d5, c4, c3, e4, c5",
    ("castlescape/fence", 14): "c4, e4, f4, c3, d3, e3, f3, c5, d5, e5, f5, c6, d6, e6, f6",
    ("castlescape/fence", 17): "c3, e3, e3, c5, c3, e3, c5, e5, e3, c3, c3, c5, c5, d5, the rest",
    ("castell/tower-word", 11): (
        "size 10, size 9, size 8, size 7, size 10, size 8, width 2, size 9, the rest"
    ),
    ("castell/tower-word", 14): (
        "size 10, width 1, width 2, size 8, size 7, size 6, width 3, width 2, width 1"
    ),
    ("castell/tower-word", 17): (
        "size 10, width 3, width 3, size 9, size 8, width 2, size 7, width 1, "
        "mirror, size 10, width 3, size 10, width 2, size 5, width 1"
    ),
    ("castle_rampage/mirror-path", 11): "turn 3, turn 2, turn 4, turn 2",
    ("castle_rampage/mirror-path", 14): "mirror, turn 6, mirror, turn 1, mirror, the rest",
    ("castle_rampage/mirror-path", 17): "castle +, gate +, gate +, gate +, mirror",
    ("once_upon_a_castle/dice-board", 11): "1 wood, 1 ?, 2 wood, 2 ?",
    ("once_upon_a_castle/dice-board", 14): "no wood, no stone, ? gold, ? food, ? residents, "
    "gold ?, food ?, residents ?",
    ("once_upon_a_castle/dice-board", 17): "no wood, no stone, one ?, 3 stone, 3 gold, 3 food, "
    "3 residents, 3 ?",
    ("once_upon_a_castle/waiting-machine", 11): "drop wood, drop stone, drop gold, switch stone, "
    "drop food, drop residents, drop ?",
    ("once_upon_a_castle/waiting-machine", 14): "roll, roll, roll, the rest",
    ("once_upon_a_castle/waiting-machine", 17): "roll, roll, roll, the rest, switch later, roll, "
    "roll, roll, the rest",
}
