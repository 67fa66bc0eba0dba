"""Whether the house deck of Castle Rampage is fair: many greedy games, counted.

Run by hand, ``python -m benchmarks.rampage_balance [games]``; some minutes for the usual 1,000.
It prints what was found beside what is wanted, each with its sampling error.
"""

from __future__ import annotations

import math
import statistics
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

import castlelab
from castlelab.bots import Greedy, play_out
from castlelab.chance import Chance
from castlelab.game import Move
from castlelab.games.castle_rampage.moves import Place, Play, Strengthen
from castlelab.games.castle_rampage.play import CastleRampage, RampageState

GAMES = 1_000
STARTER_WINS = (0.42, 0.58)
TURNS = (6, 40)
MOST_GAIN = 0.15  # of a card, in wins of those who drew it over those who did not


@dataclass
class Tally:
    """What was counted over many games."""

    turns: list[int] = field(default_factory=list)
    starter_wins: int = 0
    lifted: int = 0
    hands: list[tuple[Counter[int], bool]] = field(default_factory=list)  # by seat; who won
    uses: Counter[tuple[str, str]] = field(default_factory=Counter)  # (kind of move, card)


def received(states: Iterable[RampageState], seat: int) -> Counter[int]:
    """The cards that came to a seat, dealt or drawn or taken."""
    found: Counter[int] = Counter()
    before: Counter[int] = Counter()
    for state in states:
        side = state.sides[seat]
        now = Counter((*side.hand, *side.dealt))
        found += now - before
        before = now
    return found


def replayed(start: RampageState, moves: Iterable[Move]) -> list[RampageState]:
    states = [start]
    for move in moves:
        states.append(states[-1].after(move))
    return states


def count(game: CastleRampage, games: int) -> Tally:
    tally = Tally()
    for seed in range(games):
        start = game.start(seed)
        end, moves = play_out(start, (Greedy(), Greedy()), Chance.seeded(seed))
        assert isinstance(end, RampageState)
        winner = end.winners[0]
        tally.turns.append(end.turn)
        tally.starter_wins += winner == end.starter
        tally.lifted += all(len(side.castle.cards) for side in end.sides)
        states = replayed(start, moves)
        tally.hands += [(received(states, seat), seat == winner) for seat in (0, 1)]
        for move in moves:
            if isinstance(move, Place | Strengthen | Play):
                tally.uses[move.kind, move.card] += 1
    return tally


class Gain(NamedTuple):
    """How much more often a card's player wins, and the standard error of that."""

    share: float  # of the seats that had the card
    gain: float
    error: float


def gain_of(card: int, tally: Tally) -> Gain:
    """Those who had a card against those who had not, but saw as many cards in all.

    Whoever draws more sees more of every card and wins more often, so plain shares would
    praise each card for that.
    """
    strata: dict[int, tuple[list[bool], list[bool]]] = {}
    for hand, won in tally.hands:
        with_it, without = strata.setdefault(hand.total(), ([], []))
        (with_it if hand[card] else without).append(won)
    weights = gains = variance = 0.0
    for with_it, without in strata.values():
        if with_it and without:
            weight = len(with_it) * len(without) / (len(with_it) + len(without))
            both = statistics.mean(with_it + without)
            weights += weight
            gains += weight * (statistics.mean(with_it) - statistics.mean(without))
            variance += weight * both * (1 - both)
    had = sum(bool(hand[card]) for hand, _ in tally.hands) / len(tally.hands)
    weights = max(weights, 1e-9)
    return Gain(had, gains / weights, math.sqrt(variance) / weights)


def error_of(share: float, number: int) -> float:
    """The standard error of a share found in so many trials."""
    return math.sqrt(max(share * (1 - share), 1e-9) / max(number, 1))


def verdict(good: bool) -> str:
    return "ok" if good else "NOT OK"


def show_games(tally: Tally) -> None:
    games = len(tally.turns)
    share = tally.starter_wins / games
    low, high = STARTER_WINS
    print(
        f"starter wins   {share:6.1%} ± {error_of(share, games):.1%}   "
        f"wanted {low:.0%}–{high:.0%}   {verdict(low <= share <= high)}"
    )
    mean, spread = statistics.mean(tally.turns), statistics.stdev(tally.turns)
    low_turns, high_turns = TURNS
    within = sum(low_turns <= turns <= high_turns for turns in tally.turns) / games
    print(
        f"turns, mean    {mean:6.1f} ± {spread / math.sqrt(games):.1f}   "
        f"wanted {low_turns}–{high_turns}   {verdict(low_turns <= mean <= high_turns)}"
    )
    tenths = statistics.quantiles(tally.turns, n=20)
    print(
        f"turns, spread  5 % {tenths[0]:.0f}, median {statistics.median(tally.turns):.0f}, "
        f"95 % {tenths[-1]:.0f}, most {max(tally.turns)}; "
        f"{within:.1%} of the games within {low_turns}–{high_turns}"
    )
    print(f"sieges lifted  {tally.lifted} of {games}")


def show_cards(game: CastleRampage, tally: Tally) -> None:
    games = len(tally.turns)
    print("\na game: how often placed in the preparation, put under a stack, played")
    print(
        f"{'card':16} {'drawn':>7} {'gain':>7} {'error':>6}  "
        f"{'placed':>7} {'walls':>6} {'played':>6}"
    )
    for place, card in enumerate(game.box.cards):
        drawn, gain, error = gain_of(place, tally)
        uses = [tally.uses[kind, card.name] / games for kind in ("place", "strengthen", "play")]
        print(
            f"{card.name:16} {drawn:7.1%} {gain:+7.1%} {error:6.1%}  "
            f"{uses[0]:7.2f} {uses[1]:6.2f} {uses[2]:6.2f}  {verdict(gain <= MOST_GAIN)}"
        )


def main(games: int = GAMES) -> None:
    game = castlelab.load("castle_rampage")
    assert isinstance(game, CastleRampage)
    tally = count(game, games)
    print(f"{games} greedy games\n")
    show_games(tally)
    show_cards(game, tally)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
