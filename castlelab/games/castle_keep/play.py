"""A whole game of Castle Keep, in all its ways: draw, build or attack, discard."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

from castlelab.chance import Chance
from castlelab.game import Game, Move, Option, State, changed
from castlelab.games.castle_keep import asking, judge, pointing, telling, worth
from castlelab.games.castle_keep.box import read_box
from castlelab.games.castle_keep.castle import (
    BACK,
    CENTRE,
    SPOTS,
    TILES,
    Castle,
    Tile,
    TileRow,
    fits,
    openings,
    sorted_tiles,
    tile_bits,
)
from castlelab.games.castle_keep.moves import (
    END,
    EXCHANGES,
    FROM_DISCARDS,
    FROM_PILE,
    HAND,
    TURN_UP,
    Attack,
    Build,
    Discard,
    Exchange,
    Fall,
    Spot,
    read_move,
)
from castlelab.games.castle_keep.turns import TURNS, next_turn

if TYPE_CHECKING:
    from castlelab.edition import Edition

_WAYS = ("classic", "takeover", "empire", "king", "solitaire")
_SEATS = {"takeover": range(2, 3), "king": range(2, 3), "solitaire": range(1, 2)}

# Moves are values, so each of them is made once.
_DISCARDS = {tile: Discard(tile) for tile in (*TILES, BACK)}
_FALLS = tuple(Fall(Spot(spot)) for spot in SPOTS)

#: For each place the moves that lay a tile there, by the tile's bit.
BuildTable = tuple[dict[int, Build], ...]
#: For each place the moves that attack a tile there, by the tile.
AttackTable = tuple[dict[Tile, Attack], ...]


@cache
def _build_table(wing: str, won: bool = False) -> BuildTable:
    return tuple(
        {tile.bit: Build(tile, Spot(spot, wing=wing), won) for tile in TILES} for spot in SPOTS
    )


@cache
def _attack_table(owner: int | None, wing: str) -> AttackTable:
    return tuple({tile: Attack(tile, Spot(spot, owner, wing)) for tile in TILES} for spot in SPOTS)


class CastleKeep(Game):
    """Castle Keep with its options."""

    name: ClassVar[str] = "castle_keep"
    title: ClassVar[str] = "Castle Keep"
    about: ClassVar[str] = "Match tiles round a keep, close the ring, or bring a castle down."
    seats: ClassVar[range] = range(1, 5)
    futures = 600
    option_list: ClassVar[tuple[Option, ...]] = (
        Option("way", _WAYS, "classic", "the classic game, or one of the other ways to play"),
        Option("attack_towers", (False, True), False, "towers may be attacked too"),
        Option("draw_discard", (False, True), False, "the first draw may be the top discard"),
        Option("last_matches_both", (False, True), False, "the closing tile matches both sides"),
        Option("many_attacks", (False, True), False, "several attacks on one opponent in a turn"),
    )

    def set_up(self, edition: Edition) -> None:
        self.box = read_box(edition)
        self.copies = dict(Counter(self.box))
        self.way: str = self.options["way"]
        self.attack_towers: bool = self.options["attack_towers"]
        self.draw_discard: bool = self.options["draw_discard"]
        self.last_matches_both: bool = self.options["last_matches_both"]
        self.many_attacks: bool = self.options["many_attacks"]
        #: The castles in play: whose each is (None: everybody's) and which wing of an empire.
        self.sites: tuple[tuple[int | None, str], ...] = self._lay_out()
        self.castle_names = tuple(Spot("c", *site).castle for site in self.sites)
        #: For each seat, its own castles with the moves that build there.
        self.own = tuple(
            tuple(
                (number, _build_table(wing), _build_table(wing, won=True))
                for number, (owner, wing) in enumerate(self.sites)
                if owner in (seat, None)
            )
            for seat in range(self.players)
        )
        #: For each seat, the castles that it may attack, whose they are, and with which moves.
        self.foes = tuple(
            tuple(
                (number, owner, _attack_table(owner, wing))
                for number, (owner, wing) in enumerate(self.sites)
                if owner != seat and self.way != "solitaire"
            )
            for seat in range(self.players)
        )
        self.draws = 1 if self.way == "solitaire" else 2  # castle_keep/draw-two
        kinds = ("wall", "tower") if self.attack_towers else ("wall",)
        self.breakable = sum(tile.bit for tile in TILES if tile.kind in kinds)

    def _lay_out(self) -> tuple[tuple[int | None, str], ...]:
        if self.way in ("king", "solitaire"):
            return ((None, ""),)
        wings = ("a", "b") if self.way == "empire" else ("",)
        return tuple((seat, wing) for seat in range(self.players) for wing in wings)

    @classmethod
    def seats_for(cls, **options: Any) -> range:
        """Takeover and King are for two, solitaire for one (castle_keep/takeover,
        castle_keep/king).
        """
        return _SEATS.get(options.get("way", "classic"), range(2, 5))

    def move(self, text: str) -> Move:
        return read_move(text)

    @property
    def legend(self) -> tuple[tuple[str, str], ...]:
        return telling.LEGEND

    def start(self, seed: int | str = 0) -> KeepState:
        """Shuffle and deal (castle_keep/deal); the dealer is anybody (castle_keep/first-player)."""
        chance = Chance.seeded(seed)
        pile, chance = chance.shuffle(self.box)
        hands = []
        for _ in range(self.players):
            hands.append(sorted_tiles(pile[-HAND:]))
            pile = pile[:-HAND]
        dealer, chance = chance.below(self.players)
        castles = [Castle()] * len(self.sites)
        if self.way == "solitaire":  # castle_keep/solitaire: the first tile is turned up
            castles = [Castle().with_tile(pile[-1], _first_place(pile[-1]))]
            pile = pile[:-1]
        ready = KeepState(
            game=self,
            castles=tuple(castles),
            hands=tuple(hands),
            pile=pile,
            seat=dealer,
            chance=chance,
            won=((),) * self.players,
            out=(False,) * self.players,
            known=((),) * self.players,
        )
        return next_turn(ready)


def _first_place(tile: Tile) -> int:
    """Where the tile that is turned up first goes; castles look the same from all sides."""
    return {"tower": 0, "wall": 1, "keep": CENTRE}[tile.kind]


@dataclass(frozen=True)
class KeepState(State):
    """A moment of Castle Keep. A hand is sorted, so that alike moments are equal."""

    game: CastleKeep = field(compare=False, repr=False)
    castles: tuple[Castle, ...]
    hands: tuple[TileRow, ...]
    pile: TileRow  # the last one is drawn next
    seat: int
    chance: Chance | None  # None in a view: what it would bring is hidden
    won: tuple[TileRow, ...]  # castle_keep/takeover: the tiles won by each seat
    out: tuple[bool, ...]  # castle_keep/empire: the seats whose last tile was attacked away
    # castle_keep/adv-discard-draw: tiles of each hand that all saw it take
    known: tuple[TileRow, ...]
    # castle_keep/reshuffle: the discards that became the piles; all have seen them
    shuffled: TileRow = ()
    fresh: tuple[TileRow, ...] = ()  # … and what each seat has drawn of them since
    viewer: int | None = None  # the seat whose view this is; None where everything is known
    discards: TileRow = ()  # the last one is on top
    phase: str = "act"  # draw, act, discard, siege or over
    deed: str = ""  # what this turn is used for: build or attack
    prey: int | None = None  # the seat attacked in this turn
    exchanged: int = 0  # castle_keep/empire: how often in this turn
    open: bool = False  # castle_keep/attack-open
    turn: int = 0
    flips: int = 0  # castle_keep/solitaire: tiles still to be turned up
    hit: Tile | None = None  # castle_keep/solitaire: turned up, and several tiles are identical
    turned: tuple[tuple[Tile, tuple[str, ...]], ...] = ()  # turned up last, and what fell
    victors: tuple[int, ...] = ()
    ending: str = ""  # the rule that ended the game

    check = judge.judge
    estimate, prospects = worth.estimate, worth.prospects
    point, describe = pointing.point, telling.table_words
    questions = asking.questions
    tell_move, tell_shorter = telling.tell_move, telling.tell_shorter
    tell_news, sources = telling.tell_news, telling.sources
    standing, remarks = telling.standing, telling.remarks

    @property
    def closed(self) -> int:
        """Rings of eight walls and towers."""
        return sum(castle.ring_closed for castle in self.castles)

    @property
    def to_move(self) -> int | None:
        return None if self.ending else self.seat

    # -- moves -----------------------------------------------------------------------------

    def moves(self) -> tuple[Move, ...]:
        if self.ending:
            return ()
        if self.phase == "act":
            return tuple(self._acts())
        if self.phase == "discard":
            return tuple([_DISCARDS[tile] for tile in dict.fromkeys(self.hands[self.seat])])
        if self.phase == "draw":
            return (FROM_PILE, FROM_DISCARDS)
        if self.hit is not None:
            return tuple([_FALLS[place] for place in self.identical(self.hit)])
        return (TURN_UP,)

    def _acts(self) -> list[Move]:
        game, seat = self.game, self.seat
        held = 0
        for tile in self.hands[seat]:
            held |= tile.bit
        moves: list[Move] = []
        if self.deed != "attack":
            won = 0
            for tile in self.won[seat]:
                won |= tile.bit
            for number, builds, rebuilds in game.own[seat]:
                places = self.castles[number].places
                for place, allowed in openings(places, game.last_matches_both):
                    if found := allowed & held:
                        _gather(moves, found, builds[place])
                    if won and (found := allowed & won):
                        _gather(moves, found, rebuilds[place])
        if game.way == "empire" and self.exchanged < EXCHANGES:
            moves += self._exchanges()
        if self.open and (not self.deed or (self.deed == "attack" and game.many_attacks)):
            self._gather_attacks(moves, held)
        moves.append(END)
        return moves

    def _gather_attacks(self, moves: list[Move], held: int) -> None:
        breakable = held & self.game.breakable
        for number, owner, attacks in self.game.foes[self.seat]:
            places = self.castles[number].places
            hits = tile_bits(places) & held
            if not hits or (self.prey is not None and owner != self.prey):
                continue
            if hits & breakable:
                for place, there in enumerate(places):
                    if there is not None and there.bit & breakable:
                        moves.append(attacks[place][there])
            keep = places[CENTRE]
            if keep is not None and keep.bit & hits and self.keeps_enough(number):
                moves.append(attacks[CENTRE][keep])

    def keeps_enough(self, number: int) -> bool:
        """Whether the hand holds the keeps that the keep of a castle falls to."""
        castle = self.castles[number]
        keep = castle.places[CENTRE]
        return keep is not None and self.hands[self.seat].count(keep) >= castle.keeps_needed

    def _exchanges(self) -> Iterator[Exchange]:
        """Every exchange between one's castles that changes something (castle_keep/empire)."""
        first, second = (number for number, _, _ in self.game.own[self.seat])
        both = self.game.last_matches_both
        mine, other = self.castles[first].places, self.castles[second].places
        lifted, other_lifted = (
            [fits((*places[:at], None, *places[at + 1 :]), both) for at in range(9)]
            for places in (mine, other)
        )
        for here, tile in enumerate(mine):
            for there in range(CENTRE, 9) if here == CENTRE else range(here % 2, CENTRE, 2):
                guest = other[there]
                if tile is guest:
                    continue
                if guest is not None and not lifted[here][here] & guest.bit:
                    continue
                if tile is not None and not other_lifted[there][there] & tile.bit:
                    continue
                yield _exchange(here, there)

    def identical(self, turned: Tile) -> tuple[int, ...]:
        """The places of the besieged castle whose tile is identical to one turned up."""
        places = self.castles[0].places
        return tuple(place for place, tile in enumerate(places) if tile is turned)

    def spots(self, number: int, places: Iterable[int]) -> tuple[str, ...]:
        owner, wing = self.game.sites[number]
        return tuple(str(Spot(SPOTS[place], owner, wing)) for place in places)

    def number_of(self, spot: Spot, seat: int | None = None) -> int:
        """The number of the castle that a spot belongs to; ``seat`` is meant if it names none."""
        site = (spot.owner if spot.owner is not None else seat, spot.wing)
        return 0 if self.game.sites[0][0] is None else self.game.sites.index(site)

    # -- what is played --------------------------------------------------------------------

    def after(self, move: Move) -> KeepState:
        return TURNS[type(move)](self, move)

    def standing_of(self, seat: int) -> int:
        """How many tiles a player has in castles."""
        return sum([len(self.castles[number]) for number, _, _ in self.game.own[seat]])

    # -- the end, and what is seen -----------------------------------------------------------

    def how_far(self) -> str:
        return f"turn {self.turn}"

    @property
    def scores(self) -> tuple[int, ...]:
        """One for a victory. A draw gives nobody a point."""
        winner = self.victors[0] if len(self.victors) == 1 else None
        return tuple(int(seat == winner) for seat in range(self.game.players))

    @property
    def winners(self) -> tuple[int, ...]:
        """Who won: nobody where a siege is lost, everybody where a game is drawn."""
        return self.victors

    def view(self, player: int) -> KeepState:
        """What a player sees and remembers: a tile taken openly is no secret."""
        self.game.check_seat(player)
        hands = [
            hand if seat == player else (*known, *(BACK,) * (len(hand) - len(known)))
            for seat, (hand, known) in enumerate(zip(self.hands, self.known, strict=True))
        ]
        fresh = [
            drawn if seat == player else (BACK,) * len(drawn)
            for seat, drawn in enumerate(self.fresh)
        ]
        hidden = {"hands": tuple(hands), "fresh": tuple(fresh), "pile": (BACK,) * len(self.pile)}
        return changed(self, **hidden, chance=None, viewer=player)

    def guess(self, player: int, chance: Chance) -> KeepState:
        seen = self.view(player)
        unseen = self.game.copies.copy()
        rows = [tuple(castle) for castle in self.castles]
        for row in (*rows, *seen.hands, self.discards, *self.won):
            for tile in row:
                if tile is not BACK:
                    unseen[tile] -= 1
        seats: Iterable[int] = range(self.game.players)
        if seen.shuffled:
            hidden, chance = _recalled(seen, player, Counter(unseen), chance)
            seats = sorted(seats, key=lambda seat: bool(seen.fresh[seat]))
        else:
            hidden, chance = chance.shuffle(_listed(unseen))
        hands = list(seen.hands)
        for seat in seats:
            if backs := hands[seat].count(BACK):
                known = hands[seat][:-backs]  # what is face down lies behind
                hands[seat] = sorted_tiles((*known, *hidden[:backs]))
                hidden = hidden[backs:]
        return changed(
            seen, hands=tuple(hands), pile=hidden, chance=chance.split("play"), viewer=None
        )


def _recalled(
    seen: KeepState, player: int, unseen: Counter[Tile], chance: Chance
) -> tuple[TileRow, Chance]:
    """What is hidden in an order to deal it, after the discards have been shuffled.

    All saw them, so the piles hold nothing else (castle_keep/reshuffle). Whoever has drawn nothing
    since has older tiles; these come first, then the other hands, then the pile.
    """
    fresh = unseen & (Counter(seen.shuffled) - Counter(seen.fresh[player]))
    new, chance = chance.shuffle(_listed(fresh))
    old, chance = chance.shuffle(_listed(unseen - fresh))
    left = len(new) - len(seen.pile)
    idle = sum(
        hand.count(BACK) for hand, drawn in zip(seen.hands, seen.fresh, strict=True) if not drawn
    )
    held = (*old, *new[:left])
    others, chance = chance.shuffle(held[idle:])
    return (*held[:idle], *others, *new[left:]), chance


def _listed(tiles: dict[Tile, int]) -> list[Tile]:
    """Tiles in their own order: the same view must give the same guess everywhere."""
    return [tile for tile in TILES if tile in tiles for _ in range(tiles[tile])]


# -- small pieces ----------------------------------------------------------------------------


def _gather(moves: list[Move], bits: int, table: dict[int, Build]) -> None:
    """Add the moves of a set of tiles."""
    while bits:
        lowest = bits & -bits
        moves.append(table[lowest])
        bits ^= lowest


@cache
def _exchange(here: int, there: int) -> Exchange:
    return Exchange(Spot(SPOTS[here], wing="a"), Spot(SPOTS[there], wing="b"))
