"""Golden playthroughs: a whole game of each kind as a text that a person can read.

``python tests/playthrough.py`` writes them anew; look at the difference before you keep it.
"""

from __future__ import annotations

from pathlib import Path

import castlelab
from castlelab.bots import Random
from castlelab.chance import Chance
from castlelab.draw.text import render

GOLDEN = Path(__file__).parent / "golden"
SEED = 7


def playthrough(name: str) -> str:
    """A game of random moves: what was seen before each, what was played, how it ended."""
    state = castlelab.load(name).start(SEED)
    chance, bot = Chance.seeded("golden"), Random()
    lines = [f"# {name}, seed {SEED}, random moves", "", render(state.picture()), ""]
    number = 0
    while state.to_move is not None:
        number += 1
        move, chance = bot.choose(state, chance)
        lines += [f"{state.describe()}", f"{number}. seat {state.to_move + 1}: {move}", ""]
        state = state.play(move)
    lines += [state.describe(), f"scores {state.scores}, winners {state.winners}", ""]
    return "\n".join(lines)


def path(name: str) -> Path:
    return GOLDEN / f"{name}.txt"


if __name__ == "__main__":
    for game in castlelab.GAMES:
        path(game).write_text(playthrough(game), encoding="utf-8")
