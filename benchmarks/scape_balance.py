"""Whether the house edition of CastleScape makes a fair and lively game.

Greedy players play with two, three and four players, at least two hundred games of each.
Asked for:

- every game ends after 10 to 40 rounds;
- at least as many games end by the Quarry as by the market, and none by the long winter;
- most Renown comes from baileys: the squares that they enclose, and their occupation;
- no place in the order of play wins more than 1.25 times its share, beyond what chance
  explains (two standard errors);
- every card of the rotating market is bought in some game;
- greedy beats random in at least three of four games for two.

Run it by hand: ``python -m benchmarks.scape_balance [games of each number of players]``, and with
numbers of players after that to play only those.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from statistics import fmean
from typing import NamedTuple

import castlelab
from castlelab.bots import Bot, Greedy, Random
from castlelab.chance import Chance
from castlelab.games.castlescape.moves import Acquire, Buy
from castlelab.games.castlescape.play import CastleScape, ScapeState

GAMES = 200  # of each number of players, and of duels between greedy and random
FEWEST_ROUNDS, MOST_ROUNDS = 10, 40
UNFAIR = 1.25
GREEDY_WINS = 0.75


@dataclass
class Tally:
    """What many games came to."""

    players: int
    rounds: list[int] = field(default_factory=list)
    endings: Counter[str] = field(default_factory=Counter)
    wins: list[float] = field(default_factory=list)  # by place in the order of play
    bought: Counter[str] = field(default_factory=Counter)
    sizes: Counter[int] = field(default_factory=Counter)  # of the completed baileys
    points: list[int] = field(default_factory=list)
    sources: Counter[str] = field(default_factory=Counter)  # of Renown, and how much of it

    @property
    def of_baileys(self) -> float:
        """The part of all Renown that comes from baileys."""
        return (self.sources["baileys"] + self.sources["occupation"]) / self.sources.total()

    def faults(self) -> Iterator[str]:
        """What is not as it should be."""
        if min(self.rounds) < FEWEST_ROUNDS or max(self.rounds) > MOST_ROUNDS:
            yield f"games of {min(self.rounds)} to {max(self.rounds)} rounds"
        if self.endings["quarry"] < self.endings["market"] or self.endings["winter"]:
            yield f"games that end by {dict(self.endings)}"
        if self.of_baileys <= 1 / 2:
            yield f"{self.of_baileys:.0%} of the Renown from baileys"
        games, fair = len(self.rounds), 1 / self.players
        doubt = 2 * math.sqrt(fair * (1 - fair) / games)
        for place, won in enumerate(self.wins, start=1):
            if won / games - doubt > fair * UNFAIR:
                yield f"place {place} wins {won / games:.0%}"


def load(players: int) -> CastleScape:
    game = castlelab.load("castlescape", players)
    assert isinstance(game, CastleScape)
    return game


class Played(NamedTuple):
    """A game at its end."""

    state: ScapeState
    bought: Counter[str]  # or acquired
    occupation: int  # the Renown that all players got for it


def played(game: CastleScape, number: int, bots: tuple[Bot, ...]) -> Played:
    """One game to its end."""
    chance = Chance.seeded(f"balance {game.players} {number}")
    state, bought, occupation = game.start(f"balance {number}"), Counter[str](), 0
    while (seat := state.to_move) is not None:
        move, chance = bots[seat].choose(state, chance)
        if isinstance(move, Buy | Acquire):
            bought[move.card] += 1
        before, state = state, state.after(move)  # type: ignore[assignment]
        if (state.marker, state.finished) != (before.marker, before.finished):  # the King was there
            occupation += sum(state.holder(claim) is not None for claim in state.claims)
    return Played(state, bought, occupation)


def sources(end: Played) -> Counter[str]:
    """Where the Renown of all players came from. What was lost on the way is not taken off."""
    state, box = end.state, end.state.game.box
    found = Counter(occupation=end.occupation)
    for seat, guild in enumerate(state.guilds):
        met = [at for at in guild.contracts if box.contracts[at].met(state, seat)]
        found += Counter(
            baileys=sum(c.size // len(c.seats) for c in state.claims if seat in c.seats),
            goals=sum(box.goals[at].renown for at in guild.goals),
            contracts=sum(box.contracts[at].renown for at in met),
            cards=sum(box.cards[at].renown for at in guild.owned),
        )
    return found


def tally(players: int, games: int) -> Tally:
    """So many games between greedy players."""
    game = load(players)
    found = Tally(players, wins=[0.0] * players)
    for number in range(games):
        end = played(game, number, (Greedy(),) * players)
        state = end.state
        found.rounds.append(state.round)
        found.endings[state.ending] += 1
        found.bought += end.bought
        found.sources += sources(end)
        found.sizes.update(claim.size for claim in state.claims)
        found.points += state.scores
        for seat in state.winners:
            found.wins[(seat - state.starter) % players] += 1 / len(state.winners)
    return found


def duel(games: int) -> float:
    """The part of the games for two that greedy wins against random, on either seat."""
    game, won = load(2), 0.0
    for number in range(games):
        seat = number % 2
        bots = (Greedy(), Random()) if seat == 0 else (Random(), Greedy())
        state = played(game, number, bots).state
        won += (seat in state.winners) / len(state.winners)
    return won / games


def report(found: Tally) -> None:
    games = len(found.rounds)
    fair = 1 / found.players
    doubt = 2 * math.sqrt(fair * (1 - fair) / games)
    shares = ", ".join(f"{won / games:.1%}" for won in found.wins)
    rounds = f"{min(found.rounds)}–{max(found.rounds)} rounds, {fmean(found.rounds):.1f} on average"
    ends = ", ".join(f"{number} by {how}" for how, number in found.endings.most_common())
    print(f"{found.players} players, {games} games: {rounds}; ended {ends}")
    print(f"  wins by place: {shares} (a share is {fair:.1%} ± {doubt:.1%})")
    baileys = found.sizes.total() / games
    mean = sum(size * n for size, n in found.sizes.items()) / max(1, found.sizes.total())
    print(f"  {baileys:.1f} baileys a game, {mean:.1f} squares each")
    print(f"  {fmean(found.points):.1f} points, from {min(found.points)} to {max(found.points)}")
    seats = games * found.players
    parts = ", ".join(
        f"{what} {number / seats:.1f}" for what, number in found.sources.most_common()
    )
    print(f"  Renown of a player: {parts}; {found.of_baileys:.0%} of it from baileys")
    for fault in found.faults():
        print(f"  NOT AS ASKED FOR: {fault}")
    sys.stdout.flush()


def main(games: int = GAMES, *seats: int) -> None:
    bought: Counter[str] = Counter()
    for players in seats or (2, 3, 4):
        found = tally(players, games)
        report(found)
        bought += found.bought
    cards = [card.name for card in load(2).box.cards if card.family != "starter"]
    print("bought: " + ", ".join(f"{name} {bought[name]}" for name in cards))
    never = [name for name in cards if not bought[name]]
    print(f"never bought: {', '.join(never) or 'none'}")
    if not seats:
        share = duel(games)
        verdict = "as asked for" if share >= GREEDY_WINS else "NOT AS ASKED FOR"
        print(f"greedy against random: {share:.1%} of {games} games ({verdict})")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
