"""How well the bots play: who wins between two of them, in every game.

Asked for, in games for two, half of them from each seat:

- greedy beats random in at least 75 % of 200 games;
- montecarlo, at about a second a move or less, beats random in at least 85 % of 40 games or
  more, and greedy in at least 55 %.

Run it by hand: ``python -m benchmarks.duels [games of each duel of montecarlo]``, and with names
of games after that to play only those. It takes an hour or two. With a folder in
``CASTLELAB_DUELS`` every game is kept there, and a run that was interrupted goes on.
"""

from __future__ import annotations

import math
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import castlelab
from castlelab.bots import Greedy, bot
from castlelab.chance import Chance
from castlelab.game import game_class
from castlelab.study import simulate

GAMES = 40


def wins(game: str, first: str, second: str, games: int) -> float:
    """The share of games that the first bot wins, half of them from each seat."""
    won = 0.0
    for seat, bots in enumerate(((first, second), (second, first))):
        kept = os.environ.get("CASTLELAB_DUELS")
        name = f"{game} {' '.join(bots)}.jsonl".replace(":", "-")
        out = Path(kept) / name if kept else None
        resume = out is not None and out.exists()
        found = simulate(game, games // 2, bots, seed=f"duel {seat}", out=out, resume=resume)
        won += found.shares[seat] / 2
    return won


def seconds_a_move(game: str, name: str, looked_at: int = 12) -> float:
    """The mean over moves of one game between greedy players, forced ones left out."""
    state, chance, thinker = castlelab.load(game).start(1), Chance.seeded(1), bot(name)
    states = []
    while not state.over:
        if len(state.moves()) > 1:
            states.append(state)
        move, chance = Greedy().choose(state, chance)
        state = state.after(move)
    states = states[:: max(1, len(states) // looked_at)]
    start = time.process_time()
    for each in states:
        thinker.choose(each, chance)
    return (time.process_time() - start) / len(states)


def duels(games: int, names: list[str]) -> Iterator[str]:
    for game in names:
        thinker = f"montecarlo:{game_class(game).futures}"
        yield f"{game}: {thinker} takes {seconds_a_move(game, thinker):.2f} s a move"
        for first, second, number, wanted in (
            ("greedy", "random", 200, 0.75),
            (thinker, "greedy", games, 0.55),
            (thinker, "random", games, 0.85),
        ):
            share = wins(game, first, second, number)
            doubt = 1.96 * math.sqrt(max(share * (1 - share), 0.25 / number) / number)
            verdict = "as asked" if share >= wanted else f"asked for {wanted:.0%}"
            yield (
                f"{game}: {first} wins {share:.1%} ± {doubt:.1%} "
                f"of {number} against {second} ({verdict})"
            )


if __name__ == "__main__":
    words = sys.argv[1:]
    number = int(words.pop(0)) if words and words[0].isdigit() else GAMES
    for line in duels(number, words or list(castlelab.GAMES)):
        print(line, flush=True)
