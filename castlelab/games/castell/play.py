"""A whole game of Castell: ten rounds of turns and festivals."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

from castlelab.chance import Chance
from castlelab.game import SEAT_NAMES, Game, Move, Option, State, changed
from castlelab.games.castell import asking, pointing, telling, worth
from castlelab.games.castell.box import Performance, read_box
from castlelab.games.castell.judge import judge
from castlelab.games.castell.moves import (
    END_TURN,
    STAY_OUT,
    Enter,
    Go,
    Perform,
    Recruit,
    Special,
    Train,
    read_move,
)
from castlelab.games.castell.optimum import attainable
from castlelab.games.castell.performance import can_perform
from castlelab.games.castell.scoring import Festival, FestivalResult, Player, Score, score
from castlelab.games.castell.tower import MAX_RANK, SIZES, SKILLS, Skills, Team, Tower
from castlelab.games.castell.turns import (
    MOVE,
    PER_REGION,
    RECRUIT,
    ROUNDS,
    SPECIAL,
    TRAIN,
    TURNS,
    without_drawn,
)

if TYPE_CHECKING:
    from castlelab.edition import Edition

START_TEAM = 7

DRAWN = "drawn"
_FIRST = {DRAWN: None} | {name.lower(): seat for seat, name in enumerate(SEAT_NAMES)}


class Castell(Game):
    """Castell with its options."""

    name: ClassVar[str] = "castell"
    title: ClassVar[str] = "Castell"
    about: ClassVar[str] = "Recruit, train and build human towers at the festivals of Catalonia."
    seats: ClassVar[range] = range(2, 5)
    futures = 60
    option_list: ClassVar[tuple[Option, ...]] = (
        Option(
            "variant",
            ("standard", "advanced"),
            "standard",
            "standard: every region may use the wheel's special slot; advanced: none may",
        ),
        Option(
            "first",
            (DRAWN, *map(str.lower, SEAT_NAMES)),
            DRAWN,
            "who has the first turn: drawn by lot, or a colour",
        ),
    )

    def set_up(self, edition: Edition) -> None:
        self.box = read_box(edition)
        self.standard = self.options["variant"] == "standard"  # castell/wheel-side
        self.first = _FIRST[self.options["first"]]  # castell/start-team
        # Moves are values, so those that come up all the time are made once.
        self._go = tuple(Go(region) for region in self.box.regions)
        self._go_from = tuple(
            tuple(self._go[region] for region in near) for near in self.box.neighbours
        )
        self._special_go_from = {
            trained: tuple(tuple(Special(go, trained) for go in going) for going in self._go_from)
            for trained in (False, True)
        }
        self._sector = {region: 1 + at for at, region in enumerate(self.box.wheel_order)}
        # What the calendar is dealt from.
        self._spaces = [space for space in self.box.calendar if space.players <= self.players]
        self._size_tokens = [size for size in SIZES for _ in range(self.box.size_tokens[size - 1])]

    @classmethod
    def seats_for(cls, first: str = DRAWN, **options: Any) -> range:
        """As many as may play, and at least those up to the one who begins."""
        begins = _FIRST[first]
        return range(max(cls.seats.start, (begins or 0) + 1), cls.seats.stop)

    @property
    def legend(self) -> tuple[tuple[str, str], ...]:
        return telling.LEGEND

    def move(self, text: str) -> Move:
        return read_move(text, self.box.regions)

    def start(self, seed: int | str = 0) -> CastellState:
        """Set the game up: the draws are made in the order of the rulebook's steps."""
        box, chance = self.box, Chance.seeded(seed)
        bag = box.castellers
        regions: list[Team] = []
        for _ in box.regions:  # castell/regions-filled
            drawn, chance = chance.draw(bag, PER_REGION[self.players])
            regions.append(Team.of(drawn))
            bag = without_drawn(bag, drawn)
        wheel, chance = chance.shuffle(box.wheel_tiles)  # castell/wheel-side
        calendar, chance = self._deal_calendar(chance)  # castell/calendar
        dealt = 2 * len(box.regions)  # castell/performances-dealt
        tiles, chance = chance.sample(box.performances, dealt)
        players = []
        for _ in range(self.players):  # castell/start-team
            drawn, chance = chance.draw(bag, START_TEAM)
            players.append(Player(Team.of(drawn)))
            bag = without_drawn(bag, drawn)
        first = self.first
        if first is None:  # by a lot of its own, so that the rest is dealt alike whoever begins
            first, _ = chance.split("first").below(self.players)
        return CastellState(
            game=self,
            players=tuple(players),
            regions=tuple(regions),
            bag=bag,
            wheel=wheel,
            calendar=calendar,
            tiles=tuple(tiles[2 * r : 2 * r + 2] for r in range(len(box.regions))),
            tokens=((),) * len(box.regions),
            chance=chance,
            first=first,
        )

    def _deal_calendar(self, chance: Chance) -> tuple[tuple[Festival, ...], Chance]:
        places = {}
        for back, regions in self.box.festivals.items():
            dealt, chance = chance.shuffle(regions)
            places[back] = iter(dealt)
        number = sum(space.tokens for space in self._spaces)
        tokens, chance = chance.sample(self._size_tokens, number)
        calendar = []
        for space in self._spaces:
            wanted, tokens = tokens[: space.tokens], tokens[space.tokens :]
            calendar.append(
                Festival(space.round, next(places[space.back]), tuple(sorted(wanted, reverse=True)))
            )
        return tuple(calendar), chance


_RECRUIT = {
    sizes: Recruit(sizes)
    for large in SIZES
    for sizes in ((large,), *((large, small) for small in range(1, large + 1)))
}
_SPECIAL_RECRUIT = {
    trained: tuple(Special(_RECRUIT[size,], trained) for size in SIZES) for trained in (False, True)
}


# Keyed by plain counts: hashing and comparing a tuple of numbers costs next to nothing.
@lru_cache(maxsize=1 << 14)
def _recruits(region: tuple[int, ...]) -> tuple[Recruit, ...]:
    """Every way to take one or two castellers from a region."""
    sizes = [size for size in range(10, 0, -1) if region[size - 1]]
    pairs = [
        _RECRUIT[large, small]
        for at, large in enumerate(sizes)
        for small in sizes[at:]
        if large != small or region[large - 1] > 1
    ]
    return (*[_RECRUIT[size,] for size in sizes], *pairs)


@lru_cache(maxsize=1 << 14)
def _special_recruits(region: tuple[int, ...], trained: bool) -> tuple[Special, ...]:
    """Every way to take one casteller by a special action."""
    ways = _SPECIAL_RECRUIT[trained]
    return tuple([ways[size - 1] for size in range(10, 0, -1) if region[size - 1]])


@lru_cache(maxsize=1 << 10)
def _special_perform(tile: str, trained: bool) -> Special:
    """The special action of a performance."""
    return Special(Perform(tile), trained)


_TRAIN = {skill: Train(skill) for skill in SKILLS}
_PRACTICE = {skill: Train(skill, practice=True) for skill in SKILLS}


@lru_cache(maxsize=1 << 14)
def _practices(skills: Skills) -> tuple[Train, ...]:
    """Every way to practise a skill that is owned."""
    return tuple(_PRACTICE[skill] for skill in SKILLS if 0 < skills.rank(skill) < MAX_RANK)


@dataclass(frozen=True)
class CastellState(State):
    """One moment of a game of Castell."""

    game: Castell = field(compare=False)
    players: tuple[Player, ...]
    regions: tuple[Team, ...]
    bag: tuple[int, ...]  # what is left in it is no secret: the rest lies open
    wheel: tuple[str, ...]  # the tiles clockwise from the north
    calendar: tuple[Festival, ...]
    tiles: tuple[tuple[Performance, ...], ...]  # by region
    tokens: tuple[tuple[int, ...], ...]  # whose action tokens lie at each region
    chance: Chance | None  # what the bag will bring; None in a view
    round: int = 1
    first: int = 0
    turns: int = 0  # how many have finished their turn this round
    done: int = 0  # the actions of this turn, as bits
    festival: int | None = None  # the place in the calendar of the festival being held
    waiting: tuple[int, ...] = ()  # who may still build for it
    entries: tuple[tuple[int, Tower], ...] = ()
    results: tuple[FestivalResult, ...] = ()

    check = judge
    estimate, prospects = worth.estimate, worth.prospects
    point, describe = pointing.point, telling.table_words
    sources = telling.sources
    questions = asking.questions

    # -- whose turn, what is where -------------------------------------------------------

    @property
    def to_move(self) -> int | None:
        if self.round > ROUNDS:
            return None
        if self.festival is not None:
            return self.waiting[0]
        return (self.first + self.turns) % self.game.players

    @property
    def mover(self) -> Player:
        """The player who moves next."""
        seat = self.to_move
        assert seat is not None
        return self.players[seat]

    def how_far(self) -> str:
        return f"round {self.round}"

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(sheet.total for sheet in self.score_sheets)

    @property
    def score_sheets(self) -> tuple[Score, ...]:
        """The points of each seat by category."""
        return tuple(map(score, self.players))

    def skill_at(self, region: int) -> str:
        """The wheel tile at a region now (``castell/wheel-turns``)."""
        return self.wheel[(self.game._sector[region] + self.round) % 8]

    @property
    def special_slot(self) -> str:
        """The wheel tile at the special slot now."""
        return self.wheel[self.round % 8]

    def offered(self, region: int) -> tuple[str, ...]:
        """The wheel tiles that a pawn in a region may train (``castell/train``)."""
        here, slot = self.skill_at(region), self.special_slot
        return (here, slot) if slot != here and self.game.standard else (here,)

    # -- legal moves ---------------------------------------------------------------------

    def moves(self) -> tuple[Move, ...]:
        if self.round > ROUNDS:
            return ()
        if self.festival is not None:
            me = self.players[self.waiting[0]]
            towers = attainable(me.team, me.skills, self.calendar[self.festival].wanted)
            return (*map(Enter, towers.values()), STAY_OUT)
        game, done = self.game, self.done
        me = self.players[(self.first + self.turns) % game.players]
        pawn = me.pawn
        if pawn is None:
            return (*game._go, END_TURN)
        found: list[Move] = []
        if not done & MOVE:
            found += game._go_from[pawn]
        if not done & RECRUIT:
            found += _recruits(self.regions[pawn].counts)
        if not done & TRAIN:
            for tile in self.offered(pawn):
                if tile == "special":
                    found += self._special_moves(me, pawn, trained=True)
                elif tile == "practice":
                    found += _practices(me.skills)
                elif getattr(me.skills, tile) < MAX_RANK:
                    found.append(_TRAIN[tile])
        if not done & SPECIAL and me.tokens:
            found += self._special_moves(me, pawn, trained=False)
        found.append(END_TURN)
        return tuple(found)

    def _special_moves(self, me: Player, pawn: int, trained: bool) -> list[Special]:
        team, skills = me.team, me.skills
        able = [str(tile) for tile in self.tiles[pawn] if can_perform(tile, team, skills)]
        return [
            *_special_recruits(self.regions[pawn].counts, trained),
            *self.game._special_go_from[trained][pawn],
            *[_special_perform(name, trained) for name in dict.fromkeys(able)],
        ]

    def after(self, move: Move) -> CastellState:
        return TURNS[type(move)](self, move)

    tell_move, tell_shorter = telling.tell_move, telling.tell_shorter

    # -- what others may see -----------------------------------------------------------------

    def view(self, player: int) -> CastellState:
        """Everything lies open but what the bag will bring."""
        self.game.check_seat(player)
        return changed(self, chance=None)

    def guess(self, player: int, chance: Chance) -> CastellState:
        self.game.check_seat(player)
        return changed(self, chance=chance)
