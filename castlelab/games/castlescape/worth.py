"""How good a moment of CastleScape looks: what greedy players climb. A guide, not a rule.

Renown comes first. Then what may still come: rectangles whose rings of walls are nearly closed
and who leads there, the cards of a deck for the turns that are left, quests that are on their
way, and what the turn has brought and was not used yet.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from castlelab.game import Move, Prospect
from castlelab.games.castlescape.masonry import NOTHING, walls_left
from castlelab.games.castlescape.moves import Recruit
from castlelab.games.castlescape.quests import COUNTS, MEASURES, Quest

if TYPE_CHECKING:
    from castlelab.games.castlescape.board import Board
    from castlelab.games.castlescape.box import Box
    from castlelab.games.castlescape.card import Card
    from castlelab.games.castlescape.play import ScapeState
    from castlelab.grid import Grid

#: What an effect is worth when its card is played, for each of its number.
_EFFECTS = {
    "gold": 0.55,
    "walls": 0.5,
    "late-walls": 0.6,
    "recruits": 0.8,
    "sentries": 1.7,
    "move": 0.2,
    "climb": 0.5,
    "oust": 0.7,
    "acquire": 0.3,
    "destroy-hand": 0.8,
    "destroy-discard": 0.8,
    "shift-blame": 0.5,
    "draw": 0.8,
    "renown": 1.0,
    "less-infamy": 0.3,
    "less-corruption": 0.9,
    "more-infamy": -0.3,
    "trigger": -0.5,
    "contract": 3.0,
}
_INFAMY, _CORRUPTION = 0.4, 1.0  # a point of each, to come
_BALLAST = 0.9  # every card keeps others from being drawn
_CYCLES = 4.5  # how often a card is played in a whole game
_AGAIN = 0.85  # another card of the same kind is worth less
_IN_HAND = 0.25  # of what playing it is worth
#: What the turn has brought, before it is used. Walls come before recruits, so they weigh enough
#: to be built first.
_GOLD, _WALL, _RECRUIT, _SENTRY, _STEP, _CLIMB, _OUST = 0.3, 1.0, 1.6, 2.0, 0.2, 0.5, 0.6
_ACQUIRE, _DESTROY, _SHIFT = 0.2, 0.15, 0.2
#: The part of a bailey's squares that it promises, by the walls still missing.
_PROMISE = (1.0, 0.62, 0.45, 0.33, 0.24, 0.17, 0.11, 0.07)
_LARGEST = 3  # side of the rectangles that are looked at
_PICKED = 6  # rectangles that count
#: How sure a lead of so many points of influence is; a deficit is the same for the others.
_LEAD = (0.0, 0.45, 0.7, 0.8, 0.88)
_OPEN = 0.12  # nobody is there yet
_RIVAL = 0.8  # the Renown of others counts against one's own, shared among them
_ON_WALL, _ON_GROUND = 0.12, 0.05
_BUILT = 0.04  # every wall brings the game on
_HELD = 0.6  # of the occupation bonuses to come
_MEMORY = 1 << 13


class RingPlan(NamedTuple):
    """A rectangle of ground and the walls that would enclose it."""

    inside: int
    walls: int
    size: int


class OpenRing(NamedTuple):
    """A ring that is being built: what it promises, and what is missing."""

    promise: float
    inside: int
    walls: int
    missing: int


class WorthTables:
    """What is worked out once for a box and a site."""

    def __init__(self, box: Box, grid: Grid) -> None:
        self.box = box
        self.played = tuple(played_worth(card) for card in box.cards)
        self.in_hand = tuple(_IN_HAND * max(0.2, worth) for worth in self.played)
        self.penalty = tuple(
            _INFAMY * card.infamy + _CORRUPTION * card.corruption for card in box.cards
        )
        self.rings = tuple(_rings(grid))
        self._live: dict[int, tuple[OpenRing, ...]] = {}

    def live(self, board: Board) -> tuple[OpenRing, ...]:
        """The most promising rings of a board, best first; none of them overlap inside."""
        found = self._live.get(board.walls)
        if found is None:
            if len(self._live) >= _MEMORY:
                self._live.clear()
            found = self._live[board.walls] = self._find_live(board)
        return found

    def _find_live(self, board: Board) -> tuple[OpenRing, ...]:
        free, most = ~board.walls, len(_PROMISE)
        taken = board.walls | board.enclosed()
        near = [
            (ring, missing)
            for ring in self.rings
            if (missing := ring.walls & free).bit_count() < most and not ring.inside & taken
        ]
        never = board._corners() if near else 0  # castlescape/no-two-by-two
        found = [
            OpenRing(ring.size * _PROMISE[missing.bit_count()], ring.inside, ring.walls, missing)
            for ring, missing in near
            if not missing & never
        ]
        found.sort(reverse=True)
        picked: list[OpenRing] = []
        used = 0
        for live in found:
            if not live.inside & used:
                used |= live.inside
                picked.append(live)
                if len(picked) == _PICKED:
                    break
        return tuple(picked)


def played_worth(card: Card) -> float:
    """What playing a card once is worth, its penalty included."""
    best = max(sum(_EFFECTS[e.verb] * (e.number or 1) for e in way) for way in card.ways)
    return best - _INFAMY * card.infamy - _CORRUPTION * card.corruption


def _rings(grid: Grid) -> list[RingPlan]:
    found = []
    for height in range(1, _LARGEST + 1):
        for width in range(1, _LARGEST + 1):
            for top in range(1, grid.rows - height):
                for left in range(1, grid.columns - width):
                    inside = grid.bits(
                        (row, column)
                        for row in range(top, top + height)
                        for column in range(left, left + width)
                    )
                    found.append(RingPlan(inside, grid.around(inside), height * width))
    return found


def time_left(state: ScapeState) -> float:
    """The part of the King's walls that is still to be built, in tenths."""
    if state.ending:
        return 0.0
    full, visits = state.game.quarry, state.game.inspections
    return round(10 * (state.quarry + (state.marker - 1) * full) / (full * visits)) / 10


def estimate(state: ScapeState, player: int) -> float:
    """The worth of a state for a player, in Renown."""
    if state.finished:
        scores = state.scores
        best = max(points for seat, points in enumerate(scores) if seat != player)
        return 1_000.0 * (player in state.winners) + scores[player] - best
    left, guild = time_left(state), state.guilds[player]
    found = (
        guild.renown - _rivals(state, player) + _deck(state.game.worth_tables, guild.owned, left)
    )
    found += _quests(state, player, left) - _burden(state, player)
    found += _site(state, player) + _posted(state, player)
    if state.claims:
        found += _HELD * state.marker * _held(state, player)
    if state.agenda:
        found += _hand(state, player)
    if state.active == player and state.round:
        found += _unused(state, player)
    return found


def likeness(state: ScapeState) -> Callable[[Move], object]:
    """Recruits are alike on squares that lie in the same rings, baileys, quarters and walls.

    There may be hundreds of squares, and the estimate tells a dozen kinds of them apart.
    """
    board, game = state.board, state.game
    places = [board.walls, state.enclosed, board.grid.border, *game.quarters]
    for ring in game.worth_tables.live(board):
        places += (ring.inside, ring.walls, ring.missing)
    for claim in state.claims:
        places += (claim.squares, claim.walls)
    bits = game.bits

    def alike(move: Move) -> object:
        if type(move) is not Recruit:
            return move
        bit = bits[move.square]
        return tuple([bool(place & bit) for place in places])

    return alike


def prospects(state: ScapeState, player: int) -> tuple[Prospect, ...]:
    """The same, part by part."""
    if state.finished:
        return (Prospect(estimate(state, player), "you have won", "others have won"),)
    left, guild = time_left(state), state.guilds[player]
    deck = _deck(state.game.worth_tables, guild.owned, left)
    held = _HELD * state.marker * _held(state, player)
    hand = _hand(state, player) if state.agenda else 0.0
    unused = _unused(state, player) if state.active == player and state.round else 0.0
    return (
        Prospect(guild.renown, "you gain Renown", "you lose Renown"),
        Prospect(-_rivals(state, player), "others lose Renown", "others gain Renown"),
        Prospect(deck, "your deck is better", "your deck is weaker"),
        Prospect(
            _quests(state, player, left),
            "a contract or a goal comes nearer",
            "a contract or a goal goes further off",
        ),
        Prospect(
            -_burden(state, player),
            "you bear less Infamy and Corruption",
            "you bear more Infamy and Corruption",
        ),
        Prospect(
            _site(state, player) + _posted(state, player),
            "your place on the site is stronger",
            "your place on the site is weaker",
        ),
        Prospect(held, "you hold more of the baileys", "you hold less of the baileys"),
        Prospect(hand + unused, "you have more to play", "you use up what the turn has brought"),
    )


def _rivals(state: ScapeState, player: int) -> float:
    others = [guild.renown for seat, guild in enumerate(state.guilds) if seat != player]
    return _RIVAL * sum(others) / len(others)


def _burden(state: ScapeState, player: int) -> float:
    guild = state.guilds[player]
    found = _INFAMY * guild.infamy + guild.corruption
    if guild.alley:
        found += sum(map(state.game.worth_tables.penalty.__getitem__, guild.alley))
    return found


def _posted(state: ScapeState, player: int) -> float:
    """The recruits on the site, and the walls that stand."""
    board = state.board
    found = _ON_WALL * board.atop[player].bit_count()
    found += _ON_GROUND * board.ground[player].bit_count()
    return found + _BUILT * board.walls.bit_count()


def _quests(state: ScapeState, player: int, left: float) -> float:
    box, found = state.game.box, 0.0
    for at in state.guilds[player].contracts:
        if at >= 0:
            found += _quest(box.contracts[at], state, player, left)
    for at in state.goals:
        found += 0.5 * _quest(box.goals[at], state, player, left)
    return found


def _hand(state: ScapeState, player: int) -> float:
    worths = state.game.worth_tables.in_hand
    return sum([worths[at] for at in state.guilds[player].hand if at >= 0])


@lru_cache(maxsize=_MEMORY)
def _deck(tables: WorthTables, owned: tuple[int, ...], left: float) -> float:
    """The cards of a player: their Renown, and what they do in the turns that are left."""
    found, again, last = 0.0, 1.0, -1
    for card in owned:  # sorted
        again = again * _AGAIN if card == last else 1.0
        last = card
        use = tables.played[card] - _BALLAST
        found += tables.box.cards[card].renown + _CYCLES * left * use * (again if use > 0 else 1.0)
    return found


def _quest(quest: Quest, state: ScapeState, player: int, left: float) -> float:
    """What a contract or goal promises: more, the nearer it is."""
    number, renown = quest.number, quest.renown
    count = COUNTS[quest.measure](state, player)  # quest.count, in a hurry
    if MEASURES[quest.measure].at_most:
        return renown * (0.9 - 0.5 * left) if count <= number else 0.0
    if count >= number:
        return renown * (0.95 - 0.2 * left)
    part = count / number
    return renown * (0.15 * left + 0.35 * part * part)


def _held(state: ScapeState, player: int) -> float:
    """The baileys that a player holds, less a part of those that others hold."""
    ground, atop, seats = state.board.ground, state.board.atop, range(len(state.guilds))
    found = 0.0
    for squares, walls, _, _ in state.claims:
        mine = rivals = 0
        for seat in seats:
            there = (ground[seat] & squares).bit_count() + 2 * (atop[seat] & walls).bit_count()
            if seat == player:
                mine = there
            elif there > rivals:
                rivals = there
        if mine > rivals:
            found += 1.0
        elif mine < rivals:
            found -= 0.3
    return found


def _site(state: ScapeState, player: int) -> float:
    """What the unfinished baileys promise to a player, less what they promise to others."""
    board, seats = state.board, range(len(state.guilds))
    ground, atop = board.ground, board.atop
    found = 0.0
    for promise, inside, walls, missing in state.game.worth_tables.live(board):
        mine = rivals = 0
        for seat in seats:
            low = ground[seat]
            there = (low & inside).bit_count() + 2 * (
                (atop[seat] & walls) | (low & missing)
            ).bit_count()
            if seat == player:
                mine = there
            elif there > rivals:
                rivals = there
        lead = mine - rivals
        if lead > 0:
            found += promise * _LEAD[min(lead, 4)]
        elif lead < 0:
            found -= promise * _LEAD[min(-lead, 4)]
        else:
            found += promise * _OPEN
    return found


def _unused(state: ScapeState, player: int) -> float:
    """What the turn has brought and what the hand may still bring."""
    turn, tables = state.turn, state.game.worth_tables
    found = _GOLD * turn.gold + _RECRUIT * turn.recruits + _SENTRY * turn.sentries
    if turn.masonry != NOTHING:
        found += _WALL * walls_left(turn.masonry)
    found += _STEP * turn.moves + _CLIMB * turn.climbs + _OUST * turn.ousts
    found += _ACQUIRE * sum(turn.acquires) + _SHIFT * turn.blames
    found += _DESTROY * (turn.from_hand + turn.from_discards)
    if not state.agenda:
        found += _hand(state, player)
    return found - sum(map(tables.penalty.__getitem__, turn.played))
