"""How good a moment of CastleScape looks: what greedy players climb. A guide, not a rule.

Renown comes first. Then what may still come: rectangles whose rings of walls are nearly closed
and who leads there, the cards of a deck for the turns that are left, quests that are on their
way, and what the turn has brought and was not used yet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from castlelab.game import Move, Prospect
from castlelab.games.castlescape.board import ON_WALL
from castlelab.games.castlescape.guild import Guild
from castlelab.games.castlescape.masonry import walls_left
from castlelab.games.castlescape.moves import Recruit
from castlelab.games.castlescape.quests import COUNTS, GAINS, MEASURES, Gain, Quest
from castlelab.games.castlescape.rings import OpenRing, Rings

if TYPE_CHECKING:
    from castlelab.games.castlescape.board import Board
    from castlelab.games.castlescape.box import Box
    from castlelab.games.castlescape.card import Card
    from castlelab.games.castlescape.guild import TurnGains
    from castlelab.games.castlescape.play import ScapeState
    from castlelab.grid import Grid

_ALLEY = Guild._fields.index("alley")  # from here on a guild has what weighs on it besides cards
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
#: How sure a lead of so many points of influence is; a deficit is the same for the others.
_LEAD = (0.0, 0.45, 0.7, 0.8, 0.88)
_OPEN = 0.12  # nobody is there yet
_RIVAL = 0.8  # the Renown of others counts against one's own, shared among them
_ON_WALL, _ON_GROUND = 0.12, 0.05
_BUILT = 0.04  # every wall brings the game on
HELD = 0.6  # of the occupation bonuses to come
_MEMORY = 1 << 13


class Demand(NamedTuple):
    """A quest in a hurry."""

    counted: Callable[[ScapeState, int], int]
    number: int
    renown: int
    at_most: bool
    #: What a recruit adds; None where the quest does not look at the recruits on the site.
    gain: Gain | None


class WorthTables:
    """What is worked out once for a box and a site."""

    def __init__(self, box: Box, grid: Grid) -> None:
        self.box = box
        self.played = tuple(played_worth(card) for card in box.cards)
        self.in_hand = tuple(_IN_HAND * max(0.2, worth) for worth in self.played)
        self.penalty = tuple(
            _INFAMY * card.infamy + _CORRUPTION * card.corruption for card in box.cards
        )
        self.contracts = tuple(map(_demand, box.contracts))
        self.goals = tuple(map(_demand, box.goals))
        self.rings = Rings(grid)
        self.live = self.rings.live
        self.common = Common()
        self.sober: dict[tuple[object, ...], Sober] = {}  # what was found, by all that it hangs on


class Common:
    """What the moves of one state leave as it is, worked out once for all that follow from it.

    A wall changes no cards, and a card no site. Whatever hangs on the very same things as in the
    state that somebody looks from is worth the same.
    """

    def __init__(self) -> None:
        self._state: object = None
        self._guilds: object = None
        self._goals: object = None
        self._claims: object = None
        self._ground: object = None
        self._atop: object = None
        self._enclosed = 0
        self._live: tuple[OpenRing, ...] = ()
        self._sober: dict[tuple[int, float], Sober] = {}
        self._standing: dict[tuple[int, float], float] = {}
        self._site: dict[int, float] = {}
        self._held: dict[int, float] = {}

    def look_from(self, state: ScapeState) -> None:
        if state is self._state:
            return
        board, self._state = state.board, state
        self._guilds, self._goals, self._claims = state.guilds, state.goals, state.claims
        self._ground, self._atop, self._enclosed = board.ground, board.atop, state.enclosed
        self._live = state.game.worth_tables.live(board)
        self._sober, self._standing, self._site, self._held = {}, {}, {}, {}

    def sober(self, state: ScapeState, player: int, left: float) -> Sober:
        """What a player has in the state that is looked from."""
        found = self._sober.get((player, left))
        if found is None:
            found = self._sober[player, left] = _sober(state, player, left)
        return found

    def standing(self, state: ScapeState, player: int, left: float) -> float:
        board = state.board
        if (
            state.guilds is not self._guilds
            or state.claims is not self._claims
            or state.goals is not self._goals
        ):
            return _standing(state, player, left, _sober(state, player, left))
        key, sober = (player, left), self.sober(state, player, left)
        if (
            board.ground is not self._ground
            or board.atop is not self._atop
            or state.enclosed != self._enclosed
        ):
            return _standing(state, player, left, sober)
        found = self._standing.get(key)
        if found is None:
            found = self._standing[key] = _standing(state, player, left, sober)
        return found

    def site(self, state: ScapeState, player: int) -> float:
        board = state.board
        live = state.game.worth_tables.live(board)
        if board.ground is not self._ground or board.atop is not self._atop or live != self._live:
            return _site(state, player, live)
        found = self._site.get(player)
        if found is None:
            found = self._site[player] = _site(state, player, live)
        return found

    def held(self, state: ScapeState, player: int) -> float:
        board = state.board
        if (
            board.ground is not self._ground
            or board.atop is not self._atop
            or state.claims is not self._claims
        ):
            return _held(state, player)
        found = self._held.get(player)
        if found is None:
            found = self._held[player] = _held(state, player)
        return found


def _demand(quest: Quest) -> Demand:
    measure, at_most = quest.measure, MEASURES[quest.measure].at_most
    return Demand(COUNTS[measure], quest.number, quest.renown, at_most, GAINS.get(measure))


def played_worth(card: Card) -> float:
    """What playing a card once is worth, its penalty included."""
    best = max(sum(_EFFECTS[e.verb] * (e.number or 1) for e in way) for way in card.ways)
    return best - _INFAMY * card.infamy - _CORRUPTION * card.corruption


def time_left(state: ScapeState, built: int = 0) -> float:
    """The part of the King's walls that is still to be built, in tenths, after a few walls more."""
    if state.ending:
        return 0.0
    full, visits, quarry = state.game.quarry, state.game.inspections, max(0, state.quarry - built)
    return round(10 * (quarry + (state.marker - 1) * full) / (full * visits)) / 10


def estimate(state: ScapeState, player: int) -> float:
    """The worth of a state for a player, in Renown."""
    if state.finished:
        scores = state.scores
        best = max(points for seat, points in enumerate(scores) if seat != player)
        return 1_000.0 * (player in state.winners) + scores[player] - best
    common = state.game.worth_tables.common
    found = common.standing(state, player, time_left(state))
    found += common.site(state, player) + posted(state.board, player)
    if state.claims:
        found += HELD * state.marker * common.held(state, player)
    if state.agenda:
        found += _hand(state, player)
    if state.active == player and state.round:
        found += unused(state, player, state.turn, walls_left(state.turn.masonry))
    return found


class Sober(NamedTuple):
    """What a player has wherever walls and recruits are."""

    cards: float  # Renown and the deck, less the Renown of others
    burden: float
    quests: tuple[tuple[float, Demand, float | None], ...]  # weight, quest, what it promises


def _sober(state: ScapeState, player: int, left: float) -> Sober:
    """It is the same in all worlds that somebody imagines, as long as cards and claims are."""
    guild, known = state.guilds[player], state.game.worth_tables.sober
    renown = tuple([other.renown for other in state.guilds])
    key = (player, left, renown, state.goals, state.claims, guild.owned, *guild[_ALLEY:])
    found = known.get(key)
    if found is None:
        if len(known) >= _MEMORY:
            known.clear()
        found = known[key] = _sobered(state, player, left)
    return found


def _sobered(state: ScapeState, player: int, left: float) -> Sober:
    guild, tables = state.guilds[player], state.game.worth_tables
    asked = [(1.0, tables.contracts[at]) for at in guild.contracts if at >= 0]
    asked += [(0.5, tables.goals[at]) for at in state.goals]
    return Sober(
        guild.renown - _rivals(state, player) + _deck(tables, guild.owned, left),
        _burden(state, player),
        tuple(
            (
                weight,
                quest,
                weight * _quest(quest, state, player, left) if quest.gain is None else None,
            )
            for weight, quest in asked
        ),
    )


def _standing(state: ScapeState, player: int, left: float, sober: Sober) -> float:
    """Renown, cards and quests."""
    return sober.cards + (_promised(state, player, left, sober) - sober.burden)


def _promised(state: ScapeState, player: int, left: float, sober: Sober) -> float:
    found = 0.0
    for weight, quest, promise in sober.quests:
        found += weight * _quest(quest, state, player, left) if promise is None else promise
    return found


def look_from(state: ScapeState) -> None:
    """Whoever compares the moves of a state sees from there what they change."""
    tables = state.game.worth_tables
    tables.rings.look_from(state.board)
    tables.common.look_from(state)


def likeness(state: ScapeState) -> Callable[[Move], object]:
    """Recruits are alike on squares where they change the same: rings, baileys and quests.

    There may be hundreds of squares, and the estimate tells a dozen kinds of them apart.
    """
    look_from(state)
    kinds: dict[str, int] | None = None

    def alike(move: Move) -> object:
        nonlocal kinds
        if type(move) is not Recruit:
            return move
        if kinds is None:
            kinds = recruit_kinds(state)
        return kinds.get(move.square, -1)

    return alike


def recruit_kinds(state: ScapeState) -> dict[str, int]:
    """Squares by their kinds; those where a recruit makes no difference are left out."""
    parts, elsewhere = list[int](), state.recruit_spots()
    for place in _recruit_places(state):
        split = [elsewhere & place]
        elsewhere &= ~place
        for part in parts:
            if common := part & place:
                split.append(common)
                part ^= common
            if part:
                split.append(part)
        parts = [part for part in split if part]
    names, kinds = state.game.squares, dict[str, int]()
    for number, part in enumerate(parts):
        while part:
            lowest = part & -part
            kinds[names[lowest.bit_length() - 1]] = number
            part ^= lowest
    return kinds


def _recruit_places(state: ScapeState) -> Iterator[int]:
    """The sets of squares where a recruit of the player whose turn it is makes a difference."""
    board, game, seat = state.board, state.game, state.active
    yield board.walls
    for ring in game.worth_tables.live(board):
        yield ring.inside
        yield ring.walls
    for squares, walls, _, _ in state.claims:
        there = state.influence_in(squares, walls)
        # Where others lead by more than a recruit is worth, or the player does, nothing changes.
        if 0 <= max(there[:seat] + there[seat + 1 :]) - there[seat] <= ON_WALL:
            yield squares
            yield walls
    wanted = {game.box.contracts[at].measure for at in state.guilds[seat].contracts if at >= 0}
    wanted |= {game.box.goals[at].measure for at in state.goals}
    if "inside" in wanted:
        yield state.enclosed
    if "at-edge" in wanted:
        yield board.grid.border
    if "quarters" in wanted:
        placed, fresh = board.ground[seat] | board.atop[seat], 0
        for quarter in game.quarters:
            if not quarter & placed:
                fresh |= quarter
        yield fresh


def prospects(state: ScapeState, player: int) -> tuple[Prospect, ...]:
    """The same, part by part."""
    if state.finished:
        return (Prospect(estimate(state, player), "you have won", "others have won"),)
    left, guild, tables = time_left(state), state.guilds[player], state.game.worth_tables
    deck = _deck(tables, guild.owned, left)
    quests = _promised(state, player, left, _sober(state, player, left))
    held = HELD * state.marker * _held(state, player)
    hand = _hand(state, player) if state.agenda else 0.0
    brought = 0.0
    if state.active == player and state.round:
        brought = unused(state, player, state.turn, walls_left(state.turn.masonry))
    return (
        Prospect(guild.renown, "you gain Renown", "you lose Renown"),
        Prospect(-_rivals(state, player), "others lose Renown", "others gain Renown"),
        Prospect(deck, "your deck is better", "your deck is weaker"),
        Prospect(
            quests,
            "a contract or a goal comes nearer",
            "a contract or a goal goes further off",
        ),
        Prospect(
            -_burden(state, player),
            "you bear less Infamy and Corruption",
            "you bear more Infamy and Corruption",
        ),
        Prospect(
            tables.common.site(state, player) + posted(state.board, player),
            "your place on the site is stronger",
            "your place on the site is weaker",
        ),
        Prospect(held, "you hold more of the baileys", "you hold less of the baileys"),
        Prospect(hand + brought, "you have more to play", "you use up what the turn has brought"),
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


def posted(board: Board, player: int, ground: int = 0, atop: int = 0, walls: int = 0) -> float:
    """The recruits on the site and the walls that stand, and so many more of them."""
    found = _ON_WALL * (board.atop[player].bit_count() + atop)
    found += _ON_GROUND * (board.ground[player].bit_count() + ground)
    return found + _BUILT * (board.walls.bit_count() + walls)


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


def _quest(quest: Demand, state: ScapeState, player: int, left: float) -> float:
    """What a contract or goal promises: more, the nearer it is."""
    return promise_of(quest, quest.counted(state, player), left)


def promise_of(quest: Demand, count: int, left: float) -> float:
    """The same of a quest of which a player has so much."""
    _, number, renown, at_most, _ = quest
    if at_most:
        return renown * (0.9 - 0.5 * left) if count <= number else 0.0
    if count >= number:
        return renown * (0.95 - 0.2 * left)
    part = count / number
    return renown * (0.15 * left + 0.35 * part * part)


def _held(state: ScapeState, player: int) -> float:
    """The baileys that a player holds, less a part of those that others hold."""
    posts, found = posts_of(state, player), 0.0
    for squares, walls, _, _ in state.claims:
        found += hold_worth(lead(posts, squares, walls))
    return found


def hold_worth(lead: int) -> float:
    """What a bailey is worth to somebody with such a lead in it."""
    return 1.0 if lead > 0 else -0.3 if lead else 0.0


def _site(state: ScapeState, player: int, rings: tuple[OpenRing, ...]) -> float:
    """What the unfinished baileys promise to a player, less what they promise to others."""
    posts, found = posts_of(state, player), 0.0
    for promise, inside, walls, missing in rings:
        found += led(promise, lead(posts, inside, walls, missing))
    return found


def led(promise: float, lead: int) -> float:
    """What a ring promises to somebody with such a lead; below 0 others lead."""
    if lead > 0:
        return promise * _LEAD[min(lead, 4)]
    return -promise * _LEAD[min(-lead, 4)] if lead else promise * _OPEN


class Posts(NamedTuple):
    """Where the recruits of a player stand, on the ground and on walls; those of each of the
    others; and where there is anybody.
    """

    low: int
    high: int
    others: list[tuple[int, int]]
    somebody: int


def posts_of(state: ScapeState, player: int) -> Posts:
    ground, atop = state.board.ground, state.board.atop
    low, high = ground[player], atop[player]
    somebody = low | high
    others = []
    for seat in range(len(state.guilds)):
        if seat != player and (there := ground[seat] | atop[seat]):
            others.append((ground[seat], atop[seat]))
            somebody |= there
    return Posts(low, high, others, somebody)


def lead(posts: Posts, inside: int, walls: int, missing: int = 0) -> int:
    """By how much a player leads in a bailey, or in a ring that lacks walls; below 0 others do."""
    low, high, others, somebody = posts
    if not somebody & (inside | walls):
        return 0
    mine = (low & inside).bit_count() + ON_WALL * (high & walls | low & missing).bit_count()
    rivals = 0
    for ground, atop in others:
        there = (ground & inside).bit_count()
        there += ON_WALL * (atop & walls | ground & missing).bit_count()
        if there > rivals:
            rivals = there
    return mine - rivals


def unused(state: ScapeState, player: int, turn: TurnGains, walls: int) -> float:
    """What the turn has brought, with so many walls, and what the hand may still bring."""
    tables = state.game.worth_tables
    found = _GOLD * turn.gold + _RECRUIT * turn.recruits + _SENTRY * turn.sentries
    found += _WALL * walls
    found += _STEP * turn.moves + _CLIMB * turn.climbs + _OUST * turn.ousts
    found += _ACQUIRE * sum(turn.acquires) + _SHIFT * turn.blames
    found += _DESTROY * (turn.from_hand + turn.from_discards)
    if not state.agenda:
        found += _hand(state, player)
    return found - sum(map(tables.penalty.__getitem__, turn.played))
