"""How good a moment of Castell looks: what greedy players climb. A guide, not a rule.

The points so far come first. Then the team, what it has learnt, and what it could build at the
festivals ahead: the best tower for each counts the less the further off the festival is, in
rounds and in steps of the pawn.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from castlelab.game import Prospect
from castlelab.games.castell.optimum import best_scores
from castlelab.games.castell.scoring import score

if TYPE_CHECKING:
    from castlelab.games.castell.play import CastellState
    from castlelab.games.castell.scoring import Festival, Player
    from castlelab.games.castell.tower import Skills, Team

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


_Asked = tuple[int | None, int, bool]  # where the pawn is, the round, whether a festival is on
_Calendar = tuple["Festival", ...]


@lru_cache(maxsize=1 << 13)
def _promises(team: Team, skills: Skills, best: int) -> dict[_Asked, tuple[_Calendar, float]]:
    """What is known of what festivals promise a team, with the calendar that it is true of.

    A dictionary to write in: who imagines what may come asks the same again and again.
    """
    return {}


def _festivals(state: CastellState, me: Player) -> float:
    """What the festivals of this and the next rounds may bring, in points."""
    known = _promises(me.team, me.skills, me.best)
    asked = me.pawn, state.round, state.festival is not None
    if (found := known.get(asked)) is None or found[0] is not state.calendar:
        found = known[asked] = state.calendar, _promise(state, me)
    return found[1]


def _promise(state: CastellState, me: Player) -> float:
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
