"""Whether futures say how a game will end: win shares made from them, against wins observed.

Four positions of every game between greedy players are looked at. MonteCarlo imagines futures for
each, and greedy players play it to its end. From the places where the futures end come win shares
that add up to one over the seats, in two ways:

- hopes: what the futures come to for each seat, as the search sees it, divided by their sum;
- estimates: those of the game, each share as high as ``exp(estimate / t)``. The ``t`` that fits
  best is found in one half of the games, and the shares of the other half are told.

Asked for, before a player is told a share: in every game it is off by at most 5 points on average
over the tenths of what is predicted, and by no more than chance alone would make it and 3 points.
So few games also miss by chance; how much is told. A share that is right and no better than equal
shares says nothing: by how much it is better is told, too.

Run it by hand: ``python -m benchmarks.win_shares [games]``, and with names of games after that to
look only at those. It takes half an hour.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Any, NamedTuple

import castlelab
from castlelab.bots import Greedy, MonteCarlo, play_out
from castlelab.chance import Chance
from castlelab.game import State

GAMES = 100  # of each kind
LOOKED_AT = 4  # positions of each
FUTURES = 40
MOST_OFF, BEYOND_CHANCE = 0.05, 0.03
SCALES = (0.5, 1, 2, 3, 4, 6, 8, 10, 12, 16, 20, 30, 40, 60, 100)

Shares = Sequence[float]


class Position(NamedTuple):
    """Where the futures of a position end, and who won when it was played out."""

    game: int
    estimates: list[Shares]
    hopes: list[Shares]
    won: Shares

    def by_hopes(self) -> Shares:
        hopes = [fmean(seat) for seat in zip(*self.hopes, strict=True)]
        return [hope / sum(hopes) for hope in hopes]

    def by_estimates(self, scale: float) -> Shares:
        return [
            fmean(seat)
            for seat in zip(*(_softmax(each, scale) for each in self.estimates), strict=True)
        ]


def _softmax(estimates: Shares, scale: float) -> Shares:
    powers = [math.exp((each - max(estimates)) / scale) for each in estimates]
    return [power / sum(powers) for power in powers]


class Remembering(MonteCarlo):
    """MonteCarlo that keeps what it found where its futures ended."""

    def __init__(self) -> None:
        super().__init__(FUTURES)
        self.estimates: list[Shares] = []
        self.hopes: list[Shares] = []

    def _imagine(self, world: State, tree: Any, scale: Any, chance: Chance) -> State:
        end = super()._imagine(world, tree, scale, chance)
        seats = range(end.game.players)
        self.hopes.append([scale.hope(end, seat) for seat in seats])
        sure = [1e6 * (seat in end.winners) for seat in seats]
        self.estimates.append(sure if end.over else [end.estimate(seat) for seat in seats])
        return end


def positions(name: str, players: int, games: int) -> Iterator[Position]:
    """Positions of so many games between greedy players, each played out in a way of its own."""
    game, greedy = castlelab.load(name, players), (Greedy(),) * players
    for number in range(games):
        seed = f"win shares {number}"
        state, chance = game.start(seed), Chance.seeded(seed)
        passed: list[State] = []
        while not state.over:
            passed.append(state)
            move, chance = Greedy().choose(state.view(state.to_move or 0), chance)
            state = state.after(move)
        choices = [state for state in passed if len(state.moves()) > 1]
        for part in range(LOOKED_AT):
            at, chance = chance.below(max(1, len(choices) // LOOKED_AT))
            state = choices[part * len(choices) // LOOKED_AT + at]
            thinker = Remembering()
            move, _ = thinker.choose(state.view(state.to_move or 0), chance.split("think"))
            end, _ = play_out(state.after(move), greedy, chance.split("play on"))
            won = [(seat in end.winners) / max(1, len(end.winners)) for seat in range(players)]
            yield Position(number, thinker.estimates, thinker.hopes, won)


class Tenth(NamedTuple):
    """Predictions that are about alike, and the wins that came of them."""

    predicted: float
    observed: float
    number: int

    @property
    def by_chance(self) -> float:
        """How far apart the two are expected to be if the prediction is right."""
        spread = self.predicted * (1 - self.predicted) / self.number
        return math.sqrt(2 / math.pi * spread)

    def __str__(self) -> str:
        return f"{self.predicted:.0%}: {self.observed:.0%} of {self.number}"


def tenths(told: Sequence[tuple[Shares, Shares]]) -> list[Tenth]:
    pairs = [pair for shares, won in told for pair in zip(shares, won, strict=True)]
    found = []
    for tenth in range(10):
        inside = [pair for pair in pairs if min(9, int(10 * pair[0])) == tenth]
        if inside:
            predicted, observed = map(fmean, zip(*inside, strict=True))
            found.append(Tenth(predicted, observed, len(inside)))
    return found


def _fault(told: Sequence[tuple[Shares, Shares]]) -> float:
    """The mean square by which predictions miss."""
    return fmean(
        sum((share - win) ** 2 for share, win in zip(shares, won, strict=True))
        for shares, won in told
    )


def lines(name: str, players: int, games: int) -> Iterator[str]:
    looked = list(positions(name, players, games))
    learnt, tried = ([each for each in looked if each.game % 2 == odd] for odd in (0, 1))
    scale = min(SCALES, key=lambda t: _fault([(e.by_estimates(t), e.won) for e in learnt]))
    yield f"{name}, {players} players: {len(looked)} positions"
    for way, told in (
        ("hopes", [(each.by_hopes(), each.won) for each in looked]),
        (f"estimates, t={scale:g}", [(each.by_estimates(scale), each.won) for each in tried]),
    ):
        found = tenths(told)
        total = sum(tenth.number for tenth in found)
        miss = sum(abs(t.predicted - t.observed) * t.number for t in found) / total
        chance = sum(t.by_chance * t.number for t in found) / total
        fits = miss <= MOST_OFF and miss <= chance + BEYOND_CHANCE
        gained = 1 - _fault(told) / (1 - 1 / players)
        yield (
            f"  {way}: off by {miss:.1%} on average, by chance {chance:.1%}; "
            f"{gained:.0%} better than equal shares ({'as asked' if fits else 'NOT AS ASKED'})"
        )
        yield "    " + "  ".join(
            f"{t.predicted:.0%}: {t.observed:.0%} of {t.number}" for t in found
        )


if __name__ == "__main__":
    words = sys.argv[1:]
    games = int(words.pop(0)) if words and words[0].isdigit() else GAMES
    for name in words or list(castlelab.GAMES):
        most = castlelab.game.game_class(name).seats[-1]
        for players in sorted({2, most}):
            for line in lines(name, players, games):
                print(line, flush=True)
