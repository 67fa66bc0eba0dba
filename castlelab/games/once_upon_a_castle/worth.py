"""How good a moment of Once Upon a Castle looks: what greedy players climb.

A judgement of our own, not a rule: the points on the sheet, the parts that are still to come,
tokens that lie in lines worth having, and how near the end is for whoever leads.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from castlelab.game import Prospect
from castlelab.games.once_upon_a_castle.board import Board, Gift, Layout
from castlelab.games.once_upon_a_castle.box import Track
from castlelab.games.once_upon_a_castle.castle import MAIN_PARTS, MOST, Castle
from castlelab.games.once_upon_a_castle.scoring import guest_points, score

if TYPE_CHECKING:
    from castlelab.games.once_upon_a_castle.play import OnceState

_VICTORY = 1_000.0
_PART = 1.6  # what a main part is worth beyond its points: the cloud comes nearer
_WALL = 1.2  # a wall carries flags
_FLOOR = 2.0  # a floor brings a guest
_AGAIN = 1.8  # a Bolt guest acts again
_STOLEN = 3.2  # a guest changes sides
#: What the guests with powers may still bring, while the castle is unfinished.
_POWER = {
    "token-for-residents": 2.0,
    "cloud-for-any": 3.0,
    "resident-with-food": 1.6,
    "flag-for-gold": 2.0,
    "wood-as-stone": 1.6,
    "guard": 0.6,
}
_BOLT = 0.8  # a Bolt guest may act again
#: How much of a line's gift its tokens are worth, by the part of its squares that they fill.
_FULL, _NEARLY = 0.7, 0.55
#: What is still to come from a decision that waits.
_WAITING = {
    "guest": 2.6,
    "steal": 3.4,
    "reactivate": 2.0,
    "choose": 1.6,
    "token": 0.7,
    "face": 0.7,
    "move": 0.4,
}
_SPARE = (-2.0, -1.0, -0.4)  # without tokens in hand dice are lost


def estimate(state: OnceState, player: int) -> float:
    """The worth of a state for a player, in points."""
    if state.ending:
        scores = state.scores
        best = max(points for seat, points in enumerate(scores) if seat != player)
        return _VICTORY * (player in state.winners) + scores[player] - best
    return _standing(state, player) - _rival(state, player)


def prospects(state: OnceState, player: int) -> tuple[Prospect, ...]:
    """The same, part by part."""
    if state.ending:
        return (Prospect(estimate(state, player), "you have won", "others have won"),)
    drawn, needs = _look(state.castles[player], state.game.box.track)
    return (
        Prospect(drawn, "your castle is worth more", "your castle is worth less"),
        Prospect(
            _tokens(state, player, needs), "your tokens come nearer to gifts", "you use up tokens"
        ),
        Prospect(
            _waiting(state, player), "it lets you choose something more", "the choice is made"
        ),
        Prospect(-_rival(state, player), "others are set back", "others get on as well"),
    )


def _standing(state: OnceState, seat: int) -> float:
    drawn, needs = _look(state.castles[seat], state.game.box.track)
    return drawn + _tokens(state, seat, needs) + _waiting(state, seat)


def _rival(state: OnceState, player: int) -> float:
    others = [_standing(state, seat) for seat in range(state.game.players) if seat != player]
    return 0.5 * max(others)


def _tokens(state: OnceState, seat: int, needs: _Needs) -> float:
    """What lies on the board, and what is left beside it."""
    board = state.boards[seat]
    found = _SPARE[board.spare] if board.spare < len(_SPARE) else 0.0
    if state.ender is None or state.phase == "last":
        found += _promise(board, needs)
    return found


def _waiting(state: OnceState, seat: int) -> float:
    if not state.steps or state.seat != seat:
        return 0.0
    return sum([_WAITING[kind] for kind, _ in state.steps])


@lru_cache(maxsize=1 << 14)
def _look(castle: Castle, track: Track) -> tuple[float, _Needs]:
    """All that a castle tells, at one look."""
    return _drawn(castle, track), _needs(castle)


def _drawn(castle: Castle, track: Track) -> float:
    """The points of a castle, and what its parts and guests are good for."""
    points = score(castle, track)
    to_come = 1.0 - castle.main_parts / MAIN_PARTS
    found = points.total - points.residents + _people(castle.residents, track)
    found += _PART * castle.main_parts + _WALL * castle.walls
    for guest in castle.guests:
        if guest.symbol == "hourglass":
            found += to_come * _POWER.get(guest.power, 0.0)
        elif guest.symbol == "bolt":
            found += to_come * _BOLT
        elif guest.power in ("per-floor", "per-wall", "per-tower"):
            found += 0.7 * (MOST - guest_points(guest, castle))
    return found


def _people(residents: int, track: Track) -> float:
    """The value of residents, growing with each of them and not only from group to group."""
    start, below = 0, 0.0
    for end, value in zip(track.ends, track.values, strict=True):
        if residents <= end:
            return below + (value - below) * (residents - start) / (end - start)
        start, below = end, float(value)
    return below


_Needs = tuple[bool, bool, bool, int, bool, bool]


def _needs(castle: Castle) -> _Needs:
    """What a castle still has use for: a floor, a tower, a wall, flags, residents, a Bolt."""
    return (
        castle.floors < MOST,
        len(castle.towers) < MOST,
        castle.walls < MOST,
        min(castle.flag_room, 2),
        castle.residents < 30,
        any(guest.symbol == "bolt" for guest in castle.guests),
    )


@lru_cache(maxsize=1 << 15)
def _promise(board: Board, needs: _Needs) -> float:
    """What the tokens on a board are worth; each of them counts for one line only."""
    gifts = _gifts(board.layout, needs)
    found, tokens = 0.0, board.filled
    while tokens:
        best, taken = 0.0, 0
        for bits, length, value in gifts:
            part = (bits & tokens).bit_count() / length
            promised = value * (_FULL if part == 1 else _NEARLY * part * part)
            if promised > best:
                best, taken = promised, bits
        if not taken:
            break
        found += best
        tokens &= ~taken
    return found


@lru_cache(maxsize=1 << 12)
def _gifts(layout: Layout, needs: _Needs) -> tuple[tuple[int, int, float], ...]:
    """The lines of a layout whose gift is of use: squares, how many, and what it is worth."""
    lines = [(line.bits, len(line.squares), _gift(line.gift, needs)) for line in layout.lines]
    return tuple(line for line in lines if line[2] > 0)


def _gift(gift: Gift, needs: _Needs) -> float:
    floor, tower, wall, flags, residents, bolt = needs
    wall = wall and gift.wall
    found = (_PART + _FLOOR) * (gift.floor and floor)
    found += (_PART + gift.tower) * (gift.tower > 0 and tower)
    found += (_PART + _WALL) * wall
    found += gift.flag * (bool(flags) or wall)
    found += gift.residents * (0.4 if residents else 0.1)
    return found + _AGAIN * (gift.reactivate and bolt) + _STOLEN * gift.steal
