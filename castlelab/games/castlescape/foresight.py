"""What a wall or a recruit leads to, in the eyes of whoever places it, without placing it.

A turn offers hundreds of squares, and one wall or recruit changes little of a state's worth. Here
the parts that stay are worked out once, and the others square by square. The sums are those of
:func:`castlelab.games.castlescape.worth.estimate`, in the same order, to the last digit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from castlelab.game import Move
from castlelab.games.castlescape import masonry, worth
from castlelab.games.castlescape.board import ON_WALL
from castlelab.games.castlescape.moves import Recruit, Wall
from castlelab.games.castlescape.rings import OpenRing

if TYPE_CHECKING:
    from castlelab.games.castlescape.play import ScapeState

#: The estimate of the state after a wall or a recruit on a square; None where that takes a look.
Foreseen = Callable[[int], float | None]

_FEW = 16  # squares, up to which it does not pay to tell their kinds apart


def forecast(state: ScapeState, player: int) -> Callable[[Move], float | None] | None:
    """What legal moves lead to in the eyes of the player whose turn it is."""
    if state.active != player or state.agenda or not state.round or state.finished:
        return None
    worth.look_from(state)
    bits = state.game.bits
    walls: Foreseen | None = None
    recruits: Callable[[str], float] | None = None

    def foreseen(move: Move) -> float | None:
        nonlocal walls, recruits
        if type(move) is Wall:
            walls = walls or _wall(state, player)
            return walls(bits[move.square])
        if type(move) is Recruit:
            recruits = recruits or _by_kinds(state, _recruit(state, player))
            return recruits(move.square)
        return None

    return foreseen


def _wall(state: ScapeState, player: int) -> Foreseen:
    """A wall changes rings and what the turn has left; one that does more takes a look."""
    board, turn, tables = state.board, state.turn, state.game.worth_tables
    ground = sum(board.ground)
    courts, enclosed, live = board.courts(), state.enclosed, tables.live
    standing = tables.common.standing(state, player, worth.time_left(state, built=1))
    posted = worth.posted(board, player, walls=1)
    held = worth.HELD * state.marker * tables.common.held(state, player) if state.claims else 0.0
    ring_worth, unused = _ring_worth(state, player), dict[int, float]()

    def foreseen(bit: int) -> float | None:
        if bit & ground:  # a recruit climbs
            return None
        grown = board.with_wall(bit)
        if grown.courts() is not courts and grown.enclosed() != enclosed:
            return None
        site = 0.0
        for ring in live(grown):
            site += ring_worth(ring)
        left = masonry.left_after_wall(turn.masonry, bit)
        if (brought := unused.get(left)) is None:
            brought = unused[left] = worth.unused(state, player, turn, left)
        return standing + (site + posted) + held + brought

    return foreseen


def _ring_worth(state: ScapeState, player: int) -> Callable[[OpenRing], float]:
    """What a ring promises while everybody stays where they are."""
    posts, known = worth.posts_of(state, player), dict[OpenRing, float]()

    def ring_worth(ring: OpenRing) -> float:
        if (found := known.get(ring)) is None:
            promise, inside, walls, missing = ring
            found = known[ring] = worth.led(promise, worth.lead(posts, inside, walls, missing))
        return found

    return ring_worth


def _by_kinds(state: ScapeState, foreseen: Callable[[int], float]) -> Callable[[str], float]:
    """The same by the names of squares. Once it is asked of many, alike ones are told apart."""
    asked, bits = 0, state.game.bits
    kinds: dict[str, int] | None = None
    known = dict[int, float]()

    def by_kinds(square: str) -> float:
        nonlocal asked, kinds
        if kinds is None:
            asked += 1
            if asked <= _FEW:
                return foreseen(bits[square])
            kinds = worth.recruit_kinds(state)
        kind = kinds.get(square, -1)
        if (found := known.get(kind)) is None:
            found = known[kind] = foreseen(bits[square])
        return found

    return by_kinds


def _recruit(state: ScapeState, player: int) -> Callable[[int], float]:
    """A recruit changes who leads where, quests that look at recruits, and what is left."""
    board, turn, tables = state.board, state.turn, state.game.worth_tables
    left, posts = worth.time_left(state), worth.posts_of(state, player)
    sober = tables.common.sober(state, player, left)
    quests = [
        (weight, quest, quest.counted(state, player) if promise is None else 0, promise or 0.0)
        for weight, quest, promise in sober.quests
    ]
    rings = []
    for promise, inside, walls, missing in tables.live(board):
        lead = worth.lead(posts, inside, walls, missing)
        rings.append((inside, walls, missing, [worth.led(promise, lead + n) for n in range(3)]))
    claims = []
    for squares, walls, _, _ in state.claims:
        lead = worth.lead(posts, squares, walls)
        claims.append((squares, walls, [worth.hold_worth(lead + n) for n in range(3)]))
    late = masonry.only_late(turn.masonry)
    walls_left = masonry.walls_left(late)
    # On the ground, and on a wall.
    posted = [worth.posted(board, player, ground=1), worth.posted(board, player, atop=1)]
    unused = [
        worth.unused(state, player, turn._replace(recruits=turn.recruits - 1), walls_left),
        worth.unused(state, player, turn._replace(sentries=turn.sentries - 1), walls_left),
    ]

    def foreseen(bit: int) -> float:
        atop = bool(bit & board.walls)
        promised = site = held = 0.0
        for weight, quest, count, promise in quests:
            if quest.gain is not None:
                count += quest.gain(state, player, bit, atop)
                promise = weight * worth.promise_of(quest, count, left)
            promised += promise
        for inside, walls, missing, worths in rings:
            if atop:
                site += worths[ON_WALL if bit & walls else 0]
            else:
                site += worths[ON_WALL if bit & missing else 1 if bit & inside else 0]
        for squares, walls, worths in claims:
            held += worths[(ON_WALL if bit & walls else 0) if atop else 1 if bit & squares else 0]
        found = sober.cards + (promised - sober.burden) + (site + posted[atop])
        if claims:
            found += worth.HELD * state.marker * held
        return found + unused[atop]

    return foreseen
