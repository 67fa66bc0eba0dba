"""Golden playthroughs: a whole game as a text that a person can read."""

from __future__ import annotations

import castlelab
from castlelab.bots import Random
from castlelab.chance import Chance
from castlelab.draw.text import render
from castlelab.testing.suite import Suite

_SEED = 7


def playthrough(name: str) -> str:
    """A game of random moves: what was seen before each, what was played, how it ended."""
    state = castlelab.load(name).start(_SEED)
    chance, bot = Chance.seeded("golden"), Random()
    lines = [f"# {name}, seed {_SEED}, random moves", "", render(state.picture()), ""]
    number = 0
    while state.to_move is not None:
        number += 1
        move, chance = bot.choose(state, chance)
        lines += [f"{state.describe()}", f"{number}. seat {state.to_move + 1}: {move}", ""]
        state = state.play(move)
    lines += [state.describe(), f"scores {state.scores}, winners {state.winners}", ""]
    return "\n".join(lines)


class GoldenContract(Suite):
    """A stored game is played again, move by move and word by word."""

    def test_the_golden_playthrough_is_what_is_played(self) -> None:
        golden = self.folder() / "golden" / f"{self.game}.txt"
        write = f"python -m castlelab.testing {self.game} {golden.parent}"
        assert golden.is_file(), f"There is no {golden.name} yet. Write it: {write}"
        assert golden.read_text(encoding="utf-8") == playthrough(self.game), (
            f"The game is played or told otherwise than before. If that is meant, {write}"
        )
