"""How good a moment of Castell looks: what greedy players climb. A guide, not a rule.

The points so far come first. Then the team, what it has learnt, and what it could build at the
festivals ahead: the best tower for each counts the less the further off the festival is, in
rounds and in steps of the pawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from castlelab.game import Prospect
from castlelab.games.castell.optimum import best_scores
from castlelab.games.castell.scoring import score

if TYPE_CHECKING:
    from castlelab.games.castell.play import CastellState
    from castlelab.games.castell.scoring import Player

_HORIZON = 3  # rounds that are looked ahead
_FADED = tuple(0.8**ahead for ahead in range(_HORIZON + 1))


def estimate(state: CastellState, player: int) -> float:
    """The worth of a state for a player, in points."""
    return sum(_worths(state, player))


def prospects(state: CastellState, player: int) -> tuple[Prospect, ...]:
    """The same, part by part."""
    worths = zip(_worths(state, player), _WORDS, strict=True)
    return tuple(Prospect(worth, *words) for worth, words in worths)


_WORDS = (
    ("you score points", "you lose points"),
    ("your team has more to build with", "your team is smaller"),
    ("your team is better trained", "your team is less trained"),
    ("you have an action token more", "you spend an action token"),
    (
        "a good tower at a festival comes within reach",
        "the next festivals promise you less",
    ),
)


def _worths(state: CastellState, player: int) -> tuple[float, ...]:
    me = state.players[player]
    counts, ranks = me.team.counts, me.skills
    trained = ranks.balance + ranks.base + ranks.mix + ranks.strength + ranks.width
    return (
        score(me).total,
        0.1 * (len(counts) - counts.count(0)) + 0.02 * sum(counts),
        0.4 * trained,
        0.3 * me.tokens,
        _festivals(state, me),
    )


def _festivals(state: CastellState, me: Player) -> float:
    """What the festivals of this and the next rounds may bring, in points."""
    promise = 0.0
    now, held, pawn, already = state.round, state.festival is not None, me.pawn, me.best
    scores = best_scores(me.team, me.skills, already)
    distances = None if pawn is None else state.game.box.distances[pawn]
    for festival in state.calendar:
        ahead = festival.round - now
        if not held <= ahead <= _HORIZON:  # what is being held is promised no more
            continue
        steps = 1 if distances is None else distances[festival.region]
        best = scores[festival.wanted]
        if best is None:
            promise -= 0.2 * steps / (1 + ahead)
            continue
        points = 4 + best - already
        reachable = steps <= 2 * ahead  # a Move a round, and now and then a special one
        promise += points * _FADED[ahead] * (0.6 if reachable else 0.15) / (1 + 0.3 * steps)
    return promise
