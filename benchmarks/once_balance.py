"""Whether the house boards of Once Upon a Castle make a fair and lively game.

Greedy players play each version with two, three and four players, half a thousand games and
more of each version. Every roll is used by everybody, so the length of a game is told in rolls
(turns); a round of the table, in which each player rolls once, is told beside it. Asked for:

- every game ends by a finished castle, within 15 to 60 rolls;
- no place in the order of play wins more or less than 1.25 times its share, beyond what
  chance explains (two standard errors);
- no line is idle: each is at least 3 % of the lines that are cleared.

Run it by hand: ``python -m benchmarks.once_balance [games of each number of players]``.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import castlelab
from castlelab.bots import Greedy, Random, play_out
from castlelab.chance import Chance
from castlelab.games.once_upon_a_castle.box import VERSIONS
from castlelab.games.once_upon_a_castle.moves import Clear
from castlelab.games.once_upon_a_castle.play import OnceState, OnceUponACastle

GAMES = 200  # of each number of players in each version
FEWEST_ROLLS, MOST_ROLLS = 15, 60
UNFAIR = 1.25
IDLE = 0.03
DUELS = 200  # greedy against random


@dataclass
class Tally:
    """What many games of one version and one number of players came to."""

    version: str
    players: int
    rolls: list[int] = field(default_factory=list)
    rounds: list[int] = field(default_factory=list)
    endings: Counter[str] = field(default_factory=Counter)
    wins: list[float] = field(default_factory=list)  # by place in the order of play
    lines: Counter[str] = field(default_factory=Counter)
    points: list[int] = field(default_factory=list)

    def share(self, line: str) -> float:
        return self.lines[line] / self.lines.total()

    def faults(self, names: list[str]) -> Iterator[str]:
        """What is not as it should be."""
        if unfinished := self.endings.total() - self.endings["once_upon_a_castle/end"]:
            yield f"{unfinished} games without a finished castle"
        if min(self.rolls) < FEWEST_ROLLS or max(self.rolls) > MOST_ROLLS:
            yield f"games of {min(self.rolls)} to {max(self.rolls)} rolls"
        games, fair = len(self.rolls), 1 / self.players
        doubt = 2 * math.sqrt(fair * (1 - fair) / games)
        for place, won in enumerate(self.wins, start=1):
            share = won / games
            if share - doubt > fair * UNFAIR or share + doubt < fair / UNFAIR:
                yield f"place {place} wins {share:.0%}"
        for name in names:
            if self.share(name) < IDLE:
                yield f"{name} is idle"


def load(version: str, players: int) -> OnceUponACastle:
    game = castlelab.load("once_upon_a_castle", players, version=version)
    assert isinstance(game, OnceUponACastle)
    return game


def tally(version: str, players: int, games: int) -> Tally:
    """Greedy players among themselves."""
    game = load(version, players)
    found = Tally(version, players, wins=[0.0] * players)
    for seed in range(games):
        start = game.start(seed)
        end, moves = play_out(start, (Greedy(),) * players, Chance.seeded(f"balance {seed}"))
        assert isinstance(end, OnceState)
        found.rolls.append(end.turn)
        found.rounds.append(end.round)
        found.endings[end.ending] += 1
        found.lines.update(move.line for move in moves if isinstance(move, Clear))
        found.points += end.scores
        for seat in end.winners:
            found.wins[(seat - start.active) % players] += 1 / len(end.winners)
    return found


def duels(version: str, games: int) -> float:
    """The part of games that a greedy player wins against a random one, seats in turn."""
    game, won = load(version, 2), 0.0
    for seed in range(games):
        seat = seed % 2
        bots = (Greedy(), Random()) if seat == 0 else (Random(), Greedy())
        end, _ = play_out(game.start(seed), bots, Chance.seeded(f"duel {seed}"))
        won += (seat in end.winners) / len(end.winners)
    return won / games


def show(version: str, tallies: list[Tally]) -> list[str]:
    """Print a version as tables; returns its faults."""
    lines = load(version, 2).box.layout.lines
    games = sum(len(found.rolls) for found in tallies)
    print(f"{version}: {games} games of greedy players", flush=True)
    print(f"{'players':>8} {'rolls':>12} {'rounds':>12} {'points':>7}  wins by place")
    faults = []
    for found in tallies:
        count = len(found.rolls)
        rolls = f"{min(found.rolls)}–{sum(found.rolls) / count:.0f}–{max(found.rolls)}"
        rounds = f"{min(found.rounds)}–{sum(found.rounds) / count:.0f}–{max(found.rounds)}"
        points = sum(found.points) / len(found.points)
        wins = "  ".join(f"{won / count:.0%}" for won in found.wins)
        print(f"{found.players:>8} {rolls:>12} {rounds:>12} {points:>7.1f}  {wins}")
        names = [line.name for line in lines]
        faults += [f"{version}, {found.players}: {text}" for text in found.faults(names)]
    print(f"\n{'line':10} {'squares':24} {'gives':44} cleared with 2, 3, 4 players")
    for line in lines:
        squares = " ".join(square.resource for square in line.squares)
        shares = "  ".join(f"{found.share(line.name):5.1%}" for found in tallies)
        print(f"{line.name:10} {squares:24} {line.gift.words:44} {shares}")
    print(
        f"\ngreedy wins {duels(version, DUELS):.1%} of {DUELS} games against random\n", flush=True
    )
    return faults


def main(games: int = GAMES) -> int:
    faults: list[str] = []
    for version in VERSIONS:
        faults += show(version, [tally(version, players, games) for players in (2, 3, 4)])
    print("\n".join(faults) if faults else "Everything is as it should be.")
    return len(faults)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:2])))
