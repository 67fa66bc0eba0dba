"""How good a moment of Castell looks: what greedy players climb. A guide, not a rule.

The points so far come first. Then the team, what it has learnt, and what it could build at the
festivals ahead: the best tower for each counts the less the further off the festival is, in
rounds and in steps of the pawn.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from castlelab.game import Prospect
from castlelab.games.castell.optimum import best_score
from castlelab.games.castell.scoring import score

if TYPE_CHECKING:
    from castlelab.games.castell.box import Box
    from castlelab.games.castell.play import CastellState
    from castlelab.games.castell.scoring import Player

_HORIZON = 3  # rounds that are looked ahead


def estimate(state: CastellState, player: int) -> float:
    """The worth of a state for a player, in points."""
    return sum(part.worth for part in prospects(state, player))


def prospects(state: CastellState, player: int) -> tuple[Prospect, ...]:
    """The same, part by part."""
    me = state.players[player]
    team = 0.1 * sum(map(bool, me.team.counts)) + 0.02 * len(me.team)
    ranks = me.skills
    trained = ranks.balance + ranks.base + ranks.mix + ranks.strength + ranks.width
    return (
        Prospect(score(me).total, "you score points", "you lose points"),
        Prospect(team, "your team has more to build with", "your team is smaller"),
        Prospect(0.4 * trained, "your team is better trained", "your team is less trained"),
        Prospect(0.3 * me.tokens, "you have an action token more", "you spend an action token"),
        Prospect(
            _festivals(state, me),
            "a good tower at a festival comes within reach",
            "the next festivals promise you less",
        ),
    )


def _festivals(state: CastellState, me: Player) -> float:
    """What the festivals of this and the next rounds may bring, in points."""
    promise = 0.0
    for festival in state.calendar:
        ahead = festival.round - state.round
        if not 0 <= ahead <= _HORIZON or (ahead == 0 and state.festival is not None):
            continue
        steps = _steps(state.game.box, me.pawn, festival.region)
        best = best_score(me.team, me.skills, festival.wanted, above=me.best)
        if best is None:
            promise -= 0.2 * steps / (1 + ahead)
            continue
        points = 4 + best - me.best
        reachable = steps <= 2 * ahead  # a Move a round, and now and then a special one
        promise += points * (0.8**ahead) * (0.6 if reachable else 0.15) / (1 + 0.3 * steps)
    return promise


@lru_cache(maxsize=1024)
def _distances(neighbours: tuple[tuple[int, ...], ...], start: int) -> tuple[int, ...]:
    """Steps of the pawn from a region to every other."""
    far = {start: 0}
    queue = [start]
    for here in queue:
        for there in neighbours[here]:
            if there not in far:
                far[there] = far[here] + 1
                queue.append(there)
    return tuple(far.get(region, 99) for region in range(len(neighbours)))


def _steps(box: Box, pawn: int | None, region: int) -> int:
    return 1 if pawn is None else _distances(box.neighbours, pawn)[region]
