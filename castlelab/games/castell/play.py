"""A whole game of Castell: ten rounds of turns and festivals."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from operator import sub
from typing import TYPE_CHECKING, Any, ClassVar

from castlelab.chance import Chance
from castlelab.game import SEAT_NAMES, Game, Move, Option, Pointing, Prospect, State, changed
from castlelab.games.castell.box import Box, Performance, read_box
from castlelab.games.castell.moves import (
    EndTurn,
    Enter,
    Go,
    Perform,
    Recruit,
    Special,
    StayOut,
    Train,
    read_move,
)
from castlelab.games.castell.optimum import (
    attainable,
    exhibition_tower,
    exhibits,
    plain_sizes,
    tower_of_shape,
)
from castlelab.games.castell.scoring import Player, Score, prizes_for, score, token_owners
from castlelab.games.castell.tower import (
    MAX_RANK,
    MAX_WIDTH,
    RULES,
    SIZES,
    SKILLS,
    Skills,
    Team,
    Tower,
    check,
    check_entry,
    festival_score,
    skill_uses,
)
from castlelab.games.castell.worth import estimate, prospects
from castlelab.rules import LEGAL, Breach, CastlelabError, Verdict

if TYPE_CHECKING:
    from castlelab.draw.scene import Scene
    from castlelab.edition import Edition

ROUNDS = 10
REFILL_ROUNDS = (3, 5, 7, 9)
START_TEAM = 7
PER_REGION = {2: 3, 3: 4, 4: 5}

# The four actions of a turn, as bits of the state's `done`.
MOVE, RECRUIT, TRAIN, SPECIAL = 1, 2, 4, 8
_ACTION_NAMES = {
    MOVE: "moved",
    RECRUIT: "recruited",
    TRAIN: "trained",
    SPECIAL: "taken a special action",
}

DRAWN = "drawn"
_FIRST = {DRAWN: None} | {name.lower(): seat for seat, name in enumerate(SEAT_NAMES)}

END_TURN = EndTurn()
STAY_OUT = StayOut()


@dataclass(frozen=True, slots=True)
class Festival:
    """A festival on the calendar: when, where, and the sizes that the tokens ask for."""

    round: int
    region: int
    wanted: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a festival, by seat."""

    festival: Festival
    towers: dict[int, Tower]
    prizes: dict[int, str]
    tokens: tuple[int | None, ...]  # the seat that took each size token

    def __hash__(self) -> int:
        return hash((self.festival, tuple(self.towers.items())))


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

    def __init__(
        self, players: int | None = None, edition: Edition | None = None, **options: Any
    ) -> None:
        super().__init__(players, edition, **options)
        assert edition is not None
        self.box: Box = read_box(edition)
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
        self._region = {name: place for place, name in enumerate(self.box.regions)}
        self._sector = {region: 1 + at for at, region in enumerate(self.box.wheel_order)}
        # What the calendar is dealt from.
        self._spaces = [space for space in self.box.calendar if space.players <= self.players]
        self._size_tokens = [size for size in SIZES for _ in range(self.box.size_tokens[size - 1])]

    @classmethod
    def seats_for(cls, first: str = DRAWN, **options: Any) -> range:
        """As many as may play, and at least those up to the one who begins."""
        begins = _FIRST[first]
        return range(max(cls.seats.start, (begins or 0) + 1), cls.seats.stop)

    @classmethod
    def cover(cls) -> Scene:
        from castlelab.games.castell.picture import cover_scene

        return cover_scene()

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
            bag = _without(bag, drawn)
        wheel, chance = chance.shuffle(box.wheel_tiles)  # castell/wheel-side
        calendar, chance = self._deal_calendar(chance)  # castell/calendar
        dealt = 2 * len(box.regions)  # castell/performances-dealt
        tiles, chance = chance.sample(box.performances, dealt)
        players = []
        for _ in range(self.players):  # castell/start-team
            drawn, chance = chance.draw(bag, START_TEAM)
            players.append(Player(Team.of(drawn)))
            bag = _without(bag, drawn)
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


def _without(bag: tuple[int, ...], drawn: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(map(sub, bag, drawn))


# Keyed by plain counts: hashing and comparing a tuple of numbers costs next to nothing.
@lru_cache(maxsize=1 << 14)
def _recruits(region: tuple[int, ...]) -> tuple[Recruit, ...]:
    """Every way to take one or two castellers from a region."""
    sizes = [size for size in range(10, 0, -1) if region[size - 1]]
    pairs = [
        (large, small)
        for at, large in enumerate(sizes)
        for small in sizes[at:]
        if large != small or region[large - 1] > 1
    ]
    return tuple(Recruit(taken) for taken in [*((size,) for size in sizes), *pairs])


@lru_cache(maxsize=1 << 14)
def _special_recruits(region: tuple[int, ...], trained: bool) -> tuple[Special, ...]:
    """Every way to take one casteller by a special action."""
    return tuple(Special(one, trained) for one in _recruits(region) if len(one.sizes) == 1)


@lru_cache(maxsize=1 << 10)
def _castellers(sizes: tuple[int, ...]) -> Team:
    """The castellers of these sizes."""
    return Team.of(sizes.count(size) for size in SIZES)


def _performances(tiles: tuple[Performance, ...], me: Player, trained: bool) -> Iterator[Special]:
    """The special actions that fulfil one of the tiles: paid with a token, or trained."""
    able = [str(tile) for tile in tiles if can_perform(tile, me.team, me.skills)]
    return (_special_perform(name, trained) for name in dict.fromkeys(able))


@lru_cache(maxsize=1 << 10)
def _special_perform(tile: str, trained: bool) -> Special:
    """The special action of a performance."""
    return Special(Perform(tile), trained)


@lru_cache(maxsize=1 << 14)
def _raised(skills: Skills, skill: str) -> Skills:
    """The same as ``Skills.raised``, made once: there are few ways to be skilled."""
    return skills.raised(skill)


def performance_tower(tile: Performance, team: Team, skills: Skills) -> Tower | None:
    """A tower that fulfils a tile, if the team can build one."""
    if tile.is_shape:
        return tower_of_shape(tile.widths, team, skills)
    return exhibition_tower(tile.points, tile.shown, team, skills)


# What is known of each exhibition: who could show it with which skills, and who could not.
# More castellers and higher ranks never hurt, so the answer for one team often is the answer
# for another. Only yes or no is remembered: that is the same whatever was asked before.
_COULD: dict[Performance, deque[int]] = {}
_COULD_NOT: dict[Performance, deque[int]] = {}
_REMEMBERED = 16
_GUARDS = int.from_bytes(b"\x80" * (len(SIZES) + len(SKILLS)))


def _means(team: Team, skills: Skills) -> int:
    """Castellers and ranks, a byte each in one number; the top bit of each byte is free."""
    ranks = skills.balance, skills.base, skills.mix, skills.strength, skills.width
    return int.from_bytes(bytes((*team.counts, *ranks)))


def _as_much(means: int, needed: int) -> bool:
    """Whether each byte is at least the other's: then no guard is borrowed from."""
    return (means | _GUARDS) - needed & _GUARDS == _GUARDS


def can_perform(tile: Performance, team: Team, skills: Skills) -> bool:
    """Whether a team can build a tower that fulfils a tile."""
    if _out_of_reach(tile, team, skills):
        return False
    if tile.is_shape:
        if plain_sizes(tile.widths, team):
            return True
        # Only Mix and Strength could help now.
        helped = skills.mix > 0 or skills.strength > 0
        return helped and performance_tower(tile, team, skills) is not None
    if max(team.counts) > 127:
        return performance_tower(tile, team, skills) is not None
    means = _means(team, skills)
    could = _COULD.setdefault(tile, deque(maxlen=_REMEMBERED))
    if any(_as_much(means, known) for known in could):
        return True
    could_not = _COULD_NOT.setdefault(tile, deque(maxlen=_REMEMBERED))
    if any(_as_much(known, means) for known in could_not):
        return False
    tower = performance_tower(tile, team, skills)
    if tower is None:
        could_not.appendleft(means)
        return False
    ways = [way for way in skill_uses(tower) if skills.covers(way) and way.covers(tile.shown)]
    could.appendleft(_means(tower.team, ways[0] if ways else skills))
    return True


def _out_of_reach(tile: Performance, team: Team, skills: Skills) -> bool:
    """Whether a glance at the ranks and the team shows that no tower can fulfil a tile."""
    if skills.balance < tile.equal_levels or not skills.covers(tile.shown):
        return True
    # Every level has a width and a size of its own, but for Balance and for Strength.
    widest = MAX_WIDTH + skills.width
    levels = tile.levels
    if levels > widest + skills.base + skills.balance:
        return True
    counts = team.counts
    if levels > 10 - counts.count(0) + skills.strength:
        return True
    if sum(counts) < (tile.castellers or _fewest_castellers(levels, skills.balance)):
        return True
    if tile.widest > widest and sum(width > widest for width in tile.widths) > skills.base:
        return True
    # A wide level needs many of one size or, with Mix, of two.
    return not skills.mix and max(counts) < tile.widest


@lru_cache(maxsize=256)
def _fewest_castellers(levels: int, balance: int) -> int:
    """The castellers of the narrowest tower of so many levels: 1, 1, 1, 2, 3 from the top."""
    equal = min(balance, levels - 1)
    return equal + sum(range(1, levels - equal + 1))


_TRAIN = {skill: Train(skill) for skill in SKILLS}
_PRACTICE = {skill: Train(skill, practice=True) for skill in SKILLS}


@lru_cache(maxsize=1 << 14)
def _practices(skills: Skills) -> tuple[Train, ...]:
    """Every way to practise a skill that is owned."""
    return tuple(_PRACTICE[skill] for skill in SKILLS if 0 < skills.rank(skill) < MAX_RANK)


def check_performance(tile: Performance, tower: Tower, skills: Skills) -> Iterator[Breach]:
    """What keeps a tower from fulfilling a tile (that it stands is checked elsewhere)."""
    if tile.is_shape:
        if tower.widths != tile.widths:
            wrong = [
                f"level {number}"
                for number, level in enumerate(tower.levels, start=1)
                if number > len(tile.widths) or level.width != tile.widths[number - 1]
            ]
            yield _breach(
                "castell/performance-shape",
                f"The tower has the widths {'-'.join(map(str, tower.widths))}.",
                tuple(wrong),
                f"The tile shows {tile}, base first.",
            )
        return
    rule = "castell/performance-exhibition"
    if tower.height < tile.points:
        yield _breach(
            rule,
            f"The tower has {tower.height} levels.",
            (),
            f"The tile asks for {tile.points} or more.",
        )
    if not exhibits(tower, tile.shown, skills):
        yield _breach(
            rule,
            "The tower does not use every skill that the tile shows.",
            (),
            f"Build one that needs {tile.shown}.",
        )


def _as_moves(verdict: Verdict, move: Callable[[Tower], Move]) -> Iterator[Breach]:
    """The breaches of a tower as those of a move with it."""
    for breach in verdict.breaches:
        yield replace(breach, mends=tuple(map(move, breach.mends)))


def _check_fulfilled(tile: Performance, move: Special, me: Player) -> Iterator[Breach]:
    """What keeps a player from fulfilling a tile with a tower or, without one, with any."""
    assert isinstance(move.deed, Perform)
    tower = move.deed.tower
    if tower is not None:

        def fulfils(other: Tower) -> bool:
            return not any(check_performance(tile, other, me.skills))

        def perform(other: Tower) -> Special:
            return Special(Perform(str(tile), other), move.trained)

        yield from _as_moves(check(tower, me.skills, me.team, fulfils), perform)
        yield from check_performance(tile, tower, me.skills)
    elif not can_perform(tile, me.team, me.skills):
        kind = "shape" if tile.is_shape else "exhibition"
        yield _breach(
            f"castell/performance-{kind}",
            f"Your team cannot build for the tile {tile} now.",
            (),
            f"It asks for {tile.describe()}.",
        )


def _breach(rule: str, message: str, where: tuple[str, ...] = (), mend: str = "") -> Breach:
    return Breach(RULES[rule], message, where, mend)


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
    results: tuple[Result, ...] = ()

    # -- whose turn, what is where -------------------------------------------------------

    @property
    def to_move(self) -> int | None:
        if self.round > ROUNDS:
            return None
        if self.festival is not None:
            return self.waiting[0]
        return (self.first + self.turns) % self.game.players

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(score(player).total for player in self.players)

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

    def _name(self, region: int) -> str:
        return self.game.box.regions[region]

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
        found = [
            *_special_recruits(self.regions[pawn].counts, trained),
            *self.game._special_go_from[trained][pawn],
        ]
        if self.tiles[pawn]:
            found += _performances(self.tiles[pawn], me, trained)
        return found

    # -- check ---------------------------------------------------------------------------

    def check(self, move: Move) -> Verdict:
        breaches = tuple(self._breaches(move))
        if not breaches:
            return LEGAL
        from castlelab.games.castell.instead import with_mends  # only on the way to a refusal

        return Verdict(breaches if self.over else with_mends(self, move, breaches))

    def _breaches(self, move: Move) -> Iterator[Breach]:
        seat = self.to_move
        if seat is None:
            yield _breach("castell/turn-order", "The game is over after round 10.")
            return
        me = self.players[seat]
        at_festival = self.festival is not None
        match move:
            case Enter() | StayOut():
                if not at_festival:
                    yield _breach(
                        "castell/turn-order",
                        "No festival is being held now.",
                        (),
                        "Festivals come after everybody's turn, from round 3 on.",
                    )
                elif isinstance(move, Enter):
                    yield from self._check_enter(me, move.tower)
            case Go() | Recruit() | Train() | Special() | EndTurn() if at_festival:
                yield _breach("castell/turn-order", "The turns of this round are over.")
            case Go():
                yield from self._check_once(MOVE)
                yield from self._check_go(me, move)
            case Recruit():
                yield from self._check_once(RECRUIT)
                yield from self._check_recruit(me, move, 2)
            case Train():
                yield from self._check_once(TRAIN)
                yield from self._check_train(me, move)
            case Special():
                yield from self._check_special(me, move)
            case EndTurn():
                pass
            case Perform():
                yield _breach("castell/special-action", "A local performance is a special action.")
            case _:
                raise CastlelabError(f"{move!r} is not a move of Castell")

    def _check_once(self, action: int) -> Iterator[Breach]:
        if self.done & action:
            yield _breach(
                "castell/action-once",
                f"You have already {_ACTION_NAMES[action]} this turn.",
            )

    def _check_pawn(self, me: Player) -> Iterator[Breach]:
        if me.pawn is None:
            yield _breach(
                "castell/move",
                "Your pawn is not on the map yet.",
                (),
                "Move first: it may be set down in any region.",
            )

    def _check_go(self, me: Player, move: Go) -> Iterator[Breach]:
        region = self.game._region.get(move.region)
        if me.pawn is None:  # the first Move sets the pawn down anywhere
            if region is None:
                names = ", ".join(self.game.box.regions)
                yield _breach(
                    "castell/move", f"{move.region} is not a region.", (), f"There are {names}."
                )
            return
        near = self.game.box.neighbours[me.pawn]
        if region not in near:
            names = ", ".join(self._name(r) for r in near)
            there = (
                "is where your pawn stands"
                if region == me.pawn
                else (f"does not touch {self._name(me.pawn)}")
            )
            yield _breach(
                "castell/move",
                f"{move.region} {there}.",
                (move.region,),
                f"From {self._name(me.pawn)} it may go to {names}.",
            )

    def _check_recruit(self, me: Player, move: Recruit, most: int) -> Iterator[Breach]:
        if me.pawn is None:
            yield from self._check_pawn(me)
            return
        rule = "castell/recruit" if most == 2 else "castell/special-action"
        if not 1 <= len(move.sizes) <= most:
            wanted = "one or two castellers" if most == 2 else "one casteller"
            yield _breach(rule, f"That is {len(move.sizes)} castellers.", (), f"Take {wanted}.")
        here = self.regions[me.pawn]
        for size in sorted(set(move.sizes), reverse=True):
            if size not in SIZES:
                yield _breach(rule, f"There is no size {size}.", (), "Sizes go from 1 to 10.")
            elif move.sizes.count(size) > here.count(size):
                yield _breach(
                    rule,
                    f"{self._name(me.pawn)} has {here.count(size)} castellers of size {size}.",
                    (self._name(me.pawn),),
                    f"There are {here}." if len(here) else "Nobody is left there.",
                )

    def _check_train(self, me: Player, move: Train) -> Iterator[Breach]:
        if me.pawn is None:
            yield from self._check_pawn(me)
            return
        wanted = "practice" if move.practice else move.skill
        yield from self._check_offered(me.pawn, wanted)
        rank = me.skills.rank(move.skill)
        if move.practice and rank == 0:
            owned = any(me.skills.rank(skill) for skill in SKILLS)
            yield _breach(
                "castell/practice",
                f"You do not have {move.skill.title()} yet.",
                (),
                "" if owned else "You have no skill yet.",
            )
        if rank == MAX_RANK:
            rule = "castell/practice" if move.practice else "castell/train"
            yield _breach(rule, f"{move.skill.title()} has rank 5, the highest.")

    def _check_offered(self, pawn: int, wanted: str) -> Iterator[Breach]:
        offered = self.offered(pawn)
        if wanted not in offered:
            rule = {"practice": "castell/practice", "special": "castell/special-skill"}
            yield _breach(
                rule.get(wanted, "castell/train"),
                f"The wheel does not offer {wanted.title()} at {self._name(pawn)} now.",
                (self._name(pawn),),
                f"It offers {' or '.join(offered)}.",
            )

    def _check_special(self, me: Player, move: Special) -> Iterator[Breach]:
        yield from self._check_once(TRAIN if move.trained else SPECIAL)
        if me.pawn is None:
            yield from self._check_pawn(me)
            return
        if move.trained:
            yield from self._check_offered(me.pawn, "special")
        elif not me.tokens:
            yield _breach(
                "castell/special-action",
                "You have no action token left.",
                (),
                "Only training Special gives a special action without one.",
            )
        match move.deed:
            case Go():
                yield from self._check_go(me, move.deed)
            case Recruit():
                yield from self._check_recruit(me, move.deed, 1)
            case Perform(name, _):
                here = {str(tile): tile for tile in self.tiles[me.pawn]}
                if name not in here:
                    yield _breach(
                        "castell/performance-region",
                        f"{self._name(me.pawn)} has no performance {name}.",
                        (self._name(me.pawn),),
                        f"There: {', '.join(here) or 'none is left'}.",
                    )
                    return
                yield from _check_fulfilled(here[name], move, me)
            case _:
                yield _breach(  # type: ignore[unreachable]  # a move made by hand
                    "castell/special-action",
                    f"'{move.deed}' is not a special action.",
                    (),
                    "Recruit one casteller, move, or give a local performance.",
                )

    def _check_enter(self, me: Player, tower: Tower) -> Iterator[Breach]:
        assert self.festival is not None
        wanted = self.calendar[self.festival].wanted
        verdict = check(tower, me.skills, me.team, lambda one: bool(check_entry(one, wanted)))
        yield from _as_moves(verdict, Enter)
        yield from check_entry(tower, wanted).breaches

    # -- play ----------------------------------------------------------------------------

    def after(self, move: Move) -> CastellState:
        if isinstance(move, EndTurn):
            return self._end_turn()
        seat = self.to_move
        assert seat is not None
        match move:
            case Go():
                return self._go(seat, move, MOVE)
            case Recruit():
                return self._recruit(seat, move, RECRUIT)
            case Train():
                me = self.players[seat]
                me = changed(me, skills=_raised(me.skills, move.skill))
                return changed(self, players=self._seated(seat, me), done=self.done | TRAIN)
            case Special():
                return self._special(seat, move)
            case Enter(tower):
                return self._answer(((seat, tower),))
            case _:
                return self._answer(())

    def _seated(self, seat: int, player: Player) -> tuple[Player, ...]:
        return (*self.players[:seat], player, *self.players[seat + 1 :])

    def _go(self, seat: int, move: Go, action: int) -> CastellState:
        me = changed(self.players[seat], pawn=self.game._region[move.region])
        return changed(self, players=self._seated(seat, me), done=self.done | action)

    def _recruit(self, seat: int, move: Recruit, action: int) -> CastellState:
        me = self.players[seat]
        assert me.pawn is not None
        taken = _castellers(move.sizes)
        return changed(
            self,
            players=self._seated(seat, changed(me, team=me.team + taken)),
            regions=_put(self.regions, me.pawn, self.regions[me.pawn] - taken),
            done=self.done | action,
        )

    def _special(self, seat: int, move: Special) -> CastellState:
        action = TRAIN if move.trained else SPECIAL
        match move.deed:
            case Go():
                after = self._go(seat, move.deed, action)
            case Recruit():
                after = self._recruit(seat, move.deed, action)
            case Perform():
                after = self._perform(seat, move.deed, action)
        return after if move.trained else after._place_token(seat)

    def _perform(self, seat: int, move: Perform, action: int) -> CastellState:
        """Take the tile and every token there (``castell/performance-claim``), own ones too.

        The token that the action itself costs is placed after that.
        """
        me = self.players[seat]
        assert me.pawn is not None
        here = self.tiles[me.pawn]
        at = next(at for at, tile in enumerate(here) if str(tile) == move.tile)
        found = len(self.tokens[me.pawn])
        me = changed(
            me,
            performances=(*me.performances, here[at]),
            collected=_put(me.collected, me.pawn, me.collected[me.pawn] + found),
        )
        assert me.pawn is not None
        return changed(
            self,
            players=self._seated(seat, me),
            tiles=_put(self.tiles, me.pawn, (*here[:at], *here[at + 1 :])),
            tokens=_put(self.tokens, me.pawn, ()),
            done=self.done | action,
        )

    def _place_token(self, seat: int) -> CastellState:
        """One token goes where the pawn is after the action (``castell/special-action``)."""
        me = self.players[seat]
        assert me.pawn is not None
        return changed(
            self,
            players=self._seated(seat, changed(me, tokens=me.tokens - 1)),
            tokens=_put(self.tokens, me.pawn, (*self.tokens[me.pawn], seat)),
        )

    # -- rounds and festivals --------------------------------------------------------------

    def _end_turn(self) -> CastellState:
        if self.turns + 1 < self.game.players:
            return changed(self, turns=self.turns + 1, done=0)
        return self._open_festival(0)

    def _open_festival(self, start: int) -> CastellState:
        """The next festival of this round that somebody can enter, else the next round.

        One that nobody can enter has a result too (``castell/festival-entry``).
        """
        passed: list[Result] = []
        for at in range(start, len(self.calendar)):
            festival = self.calendar[at]
            if festival.round != self.round:
                continue
            waiting = tuple(seat for seat in self._turn_order() if self._may_enter(seat, festival))
            if waiting:
                return changed(
                    self,
                    turns=0,
                    done=0,
                    festival=at,
                    waiting=waiting,
                    entries=(),
                    results=(*self.results, *passed),
                )
            passed.append(Result(festival, {}, {}, (None,) * len(festival.wanted)))
        after = self._next_round()
        return changed(after, results=(*self.results, *passed)) if passed else after

    def _turn_order(self) -> list[int]:
        return [(self.first + turn) % self.game.players for turn in range(self.game.players)]

    def _may_enter(self, seat: int, festival: Festival) -> bool:
        me = self.players[seat]
        return me.pawn == festival.region and bool(attainable(me.team, me.skills, festival.wanted))

    def _answer(self, entry: tuple[tuple[int, Tower], ...]) -> CastellState:
        entries, waiting = self.entries + entry, self.waiting[1:]
        if waiting:
            return changed(self, entries=entries, waiting=waiting)
        assert self.festival is not None
        festival = self.calendar[self.festival]
        towers = dict(entries)
        scores = {seat: festival_score(tower, festival.wanted) for seat, tower in entries}
        result = Result(festival, towers, prizes_for(scores), token_owners(festival.wanted, towers))
        players = tuple(
            _rewarded(player, seat, scores[seat], result) if seat in towers else player
            for seat, player in enumerate(self.players)
        )
        after = changed(self, players=players, results=(*self.results, result))
        return after._open_festival(self.festival + 1)

    def _next_round(self) -> CastellState:
        """Pass the marker, refill the regions, let the wheel turn (it follows the round)."""
        next_round = self.round + 1
        regions, bag, chance = self.regions, self.bag, self.chance
        if next_round in REFILL_ROUNDS:  # castell/refill
            if chance is None:
                raise CastlelabError(
                    "a view does not know what the bag brings; guess a state first"
                )
            filled = []
            for region in regions:
                if missing := PER_REGION[self.game.players] - len(region):
                    drawn, chance = chance.draw(bag, missing)
                    region += Team.of(drawn)
                    bag = _without(bag, drawn)
                filled.append(region)
            regions = tuple(filled)
        first = self.first if next_round > ROUNDS else (self.first + 1) % self.game.players
        return changed(
            self,
            round=next_round,
            first=first,
            turns=0,
            done=0,
            regions=regions,
            bag=bag,
            chance=chance,
            festival=None,
            waiting=(),
            entries=(),
        )

    # -- what others may see -----------------------------------------------------------------

    def view(self, player: int) -> CastellState:
        """Everything lies open but what the bag will bring."""
        self.game.check_seat(player)
        return changed(self, chance=None)

    def guess(self, player: int, chance: Chance) -> CastellState:
        self.game.check_seat(player)
        return changed(self, chance=chance)

    def estimate(self, player: int) -> float:
        """Points so far, plus what the team could build at the festivals ahead."""
        return estimate(self, player)

    def prospects(self, player: int) -> tuple[Prospect, ...]:
        return prospects(self, player)

    def point(self, picks: tuple[str, ...]) -> Pointing:
        from castlelab.games.castell.pointing import point

        return point(self, picks)

    def picture(self) -> Scene:
        from castlelab.games.castell.picture import table_scene

        return table_scene(self)

    def describe(self) -> str:
        from castlelab.games.castell.picture import table_words

        return table_words(self)

    def __str__(self) -> str:
        return self.describe()


def _put(items: tuple[Any, ...], place: int, item: Any) -> tuple[Any, ...]:
    return (*items[:place], item, *items[place + 1 :])


def _rewarded(player: Player, seat: int, points: int, result: Result) -> Player:
    """A participant after the festival: best tower, prize, size tokens."""
    region = result.festival.region
    prize = result.prizes.get(seat)
    sizes = tuple(
        (size, region)
        for size, owner in zip(result.festival.wanted, result.tokens, strict=True)
        if owner == seat
    )
    return changed(
        player,
        best=max(player.best, points),  # castell/festival-score: only the best is kept
        prizes=player.prizes + (((prize, region),) if prize else ()),
        sizes=player.sizes + sizes,
    )
