"""A whole game of Castle Keep, in all its ways: draw, build or attack, discard."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from castlelab.chance import Chance
from castlelab.game import Game, Move, Option, Pointing, Prospect, State, changed
from castlelab.games.castle_keep.box import read_box
from castlelab.games.castle_keep.castle import (
    BACK,
    CENTRE,
    SPOTS,
    TILES,
    Castle,
    Tile,
    fits,
    openings,
    place_of,
    run,
    siege_run,
    standing,
)
from castlelab.games.castle_keep.judge import judge
from castlelab.games.castle_keep.moves import (
    EXCHANGES,
    HAND,
    Attack,
    Build,
    Discard,
    Draw,
    End,
    Exchange,
    Fall,
    Spot,
    Turn,
    read_move,
)
from castlelab.rules import CastlelabError, Verdict

if TYPE_CHECKING:
    from castlelab.draw.scene import Scene
    from castlelab.edition import Edition

LONGEST_SIEGE = 400  # turns; castle_keep/long-siege
_WAYS = ("classic", "takeover", "empire", "king", "solitaire")
_SEATS = {"takeover": range(2, 3), "king": range(2, 3), "solitaire": range(1, 2)}

Hand = tuple[Tile, ...]
T = TypeVar("T")
_by_index = attrgetter("index")

# Moves are values, so each of them is made once.
END, TURN, FROM_PILE, FROM_DISCARDS = End(), Turn(), Draw(), Draw(discard=True)
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

    def __init__(
        self, players: int | None = None, edition: Edition | None = None, **options: Any
    ) -> None:
        super().__init__(players, edition, **options)
        assert edition is not None
        self.box = read_box(edition)
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

    @classmethod
    def cover(cls) -> Scene:
        from castlelab.games.castle_keep.picture import cover_scene

        return cover_scene()

    def move(self, text: str) -> Move:
        return read_move(text)

    def start(self, seed: int | str = 0) -> KeepState:
        """Shuffle and deal (castle_keep/deal); the dealer is anybody (castle_keep/first-player)."""
        chance = Chance.seeded(seed)
        pile, chance = chance.shuffle(self.box)
        hands = []
        for _ in range(self.players):
            hands.append(tuple(sorted(pile[-HAND:], key=_by_index)))
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
        return _next_turn(ready)


def _first_place(tile: Tile) -> int:
    """Where the tile that is turned up first goes; castles look the same from all sides."""
    return {"tower": 0, "wall": 1, "keep": CENTRE}[tile.kind]


@dataclass(frozen=True)
class KeepState(State):
    """A moment of Castle Keep. A hand is sorted, so that alike moments are equal."""

    game: CastleKeep = field(compare=False, repr=False)
    castles: tuple[Castle, ...]
    hands: tuple[Hand, ...]
    pile: Hand  # the last one is drawn next
    seat: int
    chance: Chance | None  # None in a view: what it would bring is hidden
    won: tuple[Hand, ...]  # castle_keep/takeover: the tiles won by each seat
    out: tuple[bool, ...]  # castle_keep/empire: the seats whose last tile was attacked away
    known: tuple[Hand, ...]  # castle_keep/adv-discard-draw: tiles of each hand that all saw it take
    # castle_keep/reshuffle: the discards that became the piles; all have seen them
    shuffled: Hand = ()
    fresh: tuple[Hand, ...] = ()  # … and what each seat has drawn of them since
    viewer: int | None = None  # the seat whose view this is; None where everything is known
    discards: Hand = ()  # the last one is on top
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
        return (TURN,)

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
            hits = standing(places) & held
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
        return keep is not None and self.hands[self.seat].count(keep) >= keeps_needed(castle)

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

    def check(self, move: Move) -> Verdict:
        return judge(self, move)

    def spots(self, number: int, places: Iterable[int]) -> tuple[str, ...]:
        owner, wing = self.game.sites[number]
        return tuple(str(Spot(SPOTS[place], owner, wing)) for place in places)

    def number_of(self, spot: Spot, seat: int | None = None) -> int:
        """The number of the castle that a spot belongs to; ``seat`` is meant if it names none."""
        site = (spot.owner if spot.owner is not None else seat, spot.wing)
        return 0 if self.game.sites[0][0] is None else self.game.sites.index(site)

    # -- what is played --------------------------------------------------------------------

    def after(self, move: Move) -> KeepState:
        return _DEEDS[type(move)](self, move)

    def _draw(self, move: Draw) -> KeepState:
        if not move.discard:
            return _drawn(self, self.game.draws)
        seat, tile = self.seat, self.discards[-1]
        hand, known = (
            tuple(sorted((*tiles, tile), key=_by_index))
            for tiles in (self.hands[seat], self.known[seat])
        )
        taken = changed(
            self,
            hands=_changed_at(self.hands, seat, hand),
            known=_changed_at(self.known, seat, known),
            discards=self.discards[:-1],
        )
        return _drawn(taken, self.game.draws - 1)

    def _build(self, move: Build) -> KeepState:
        number = self.number_of(move.spot, self.seat)
        castle = self.castles[number].with_tile(move.tile, place_of(move.spot.spot))
        castles = (*self.castles[:number], castle, *self.castles[number + 1 :])
        if move.won:
            won = _changed_at(self.won, self.seat, _without(self.won[self.seat], move.tile))
            after = changed(self, castles=castles, won=won, deed="build")
        else:
            hands, known = self._without(move.tile)
            after = changed(self, castles=castles, hands=hands, known=known, deed="build")
        return after._built()

    def _exchange(self, move: Exchange) -> KeepState:
        first, second = (self.number_of(spot, self.seat) for spot in (move.first, move.second))
        here, there = place_of(move.first.spot), place_of(move.second.spot)
        tile, guest = self.castles[first].places[here], self.castles[second].places[there]
        castles = list(self.castles)
        castles[first] = castles[first].with_tile(guest, here)
        castles[second] = castles[second].with_tile(tile, there)
        # No tile is added, so no castle comes to its end by it and no attack opens.
        return changed(self, castles=tuple(castles), exchanged=self.exchanged + 1)

    def _built(self) -> KeepState:
        """See whether the castle is finished, or whether attacks may begin."""
        game = self.game
        if all(None not in self.castles[number].places for number, _, _ in game.own[self.seat]):
            rule = "castle_keep/empire" if game.way == "empire" else "castle_keep/win-build"
            return _ended(self, rule, (self.seat,))
        if not self.open and all(self.standing_of(seat) >= 2 for seat in range(game.players)):
            return changed(self, open=True)  # castle_keep/attack-open
        return self

    def standing_of(self, seat: int) -> int:
        """How many tiles a player has in castles."""
        return sum(len(self.castles[number]) for number, _, _ in self.game.own[seat])

    def _attack(self, move: Attack) -> KeepState:
        number = self.number_of(move.spot)
        castle, place = self.castles[number], place_of(move.spot.spot)
        played = keeps_needed(castle) if place == CENTRE else 1
        hands, known = self._without(move.tile, played)
        falling = run(castle.places, place)
        lost = tuple([tile for at in falling if (tile := castle.places[at]) is not None])
        discards, won = (*self.discards, *(move.tile,) * played), self.won
        if self.game.way == "takeover":
            mine = tuple(sorted((*won[self.seat], *lost), key=_by_index))
            won = _changed_at(won, self.seat, mine)
        else:
            discards += lost
        left = castle.without(falling)
        after = changed(
            self,
            castles=_changed_at(self.castles, number, left),
            hands=hands,
            known=known,
            discards=discards,
            won=won,
            deed="attack",
            prey=move.spot.owner,
        )
        if not len(left):
            after = after._destroyed(number)
        if after.ending or self.game.many_attacks:
            return after
        return _turn_over(after)

    def _destroyed(self, number: int) -> KeepState:
        """The last tile of a castle is gone."""
        if self.game.way == "king":
            return self  # nobody has won: it starts again
        if self.game.way != "empire":
            return _ended(self, "castle_keep/win-destroy", (self.seat,))
        owner = self.game.sites[number][0]
        assert owner is not None
        if self.standing_of(owner):
            return self  # castle_keep/empire: it may be begun again
        after = changed(self, out=_changed_at(self.out, owner, True))
        if after.out.count(False) == 1:
            return _ended(after, "castle_keep/empire", (self.seat,))
        return after

    def _end(self, _: End) -> KeepState:
        return _turn_over(self)

    def _discard(self, move: Discard) -> KeepState:
        hands, known = self._without(move.tile)
        after = changed(self, hands=hands, known=known, discards=(*self.discards, move.tile))
        return _turn_over(after) if len(after.hands[self.seat]) <= HAND else after

    def _turn(self, _: Turn) -> KeepState:
        """Turn up the next tile of the siege (castle_keep/solitaire)."""
        tile = self.pile[-1]
        if tile is BACK:
            raise CastlelabError("what is turned up now is hidden; guess before you play on")
        after = changed(
            self,
            pile=self.pile[:-1],
            discards=(*self.discards, tile),
            flips=self.flips - 1,
            turned=(*self.turned, (tile, ())),
        )
        places = self.identical(tile)
        if len(places) > 1:
            return _siege_goes_on(changed(after, hit=tile))
        return after._struck(places[0]) if places else _siege_goes_on(after)

    def _fall(self, move: Fall) -> KeepState:
        return changed(self, hit=None)._struck(place_of(move.spot.spot))

    def _struck(self, place: int) -> KeepState:
        """The siege brings a tile down with its run."""
        castle = self.castles[0]
        falling = siege_run(castle.places, place)
        lost = tuple([tile for at in falling if (tile := castle.places[at]) is not None])
        fell = (self.turned[-1][0], tuple(SPOTS[at] for at in falling))
        left = castle.without(falling)
        after = changed(
            self,
            castles=(left,),
            discards=(*self.discards, *lost),
            turned=(*self.turned[:-1], fell),
        )
        return _siege_goes_on(after) if len(left) else _ended(after, "castle_keep/solitaire", ())

    def _without(self, tile: Tile, times: int = 1) -> tuple[tuple[Hand, ...], tuple[Hand, ...]]:
        """The hands without what the mover plays, and what all know of them then.

        Of two alike nobody can say which was the one that all have seen.
        """
        seat = self.seat
        hand, seen = self.hands[seat], self.known[seat]
        for _ in range(times):
            hand = _without(hand, tile)
            if tile in seen:
                seen = _without(seen, tile)
        known = self.known if seen is self.known[seat] else _changed_at(self.known, seat, seen)
        return _changed_at(self.hands, seat, hand), known

    # -- the end, and what is seen -----------------------------------------------------------

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
        hands = tuple(
            hand if seat == player else (*known, *(BACK,) * (len(hand) - len(known)))
            for seat, (hand, known) in enumerate(zip(self.hands, self.known, strict=True))
        )
        fresh = tuple(
            drawn if seat == player else (BACK,) * len(drawn)
            for seat, drawn in enumerate(self.fresh)
        )
        pile = (BACK,) * len(self.pile)
        return changed(self, hands=hands, fresh=fresh, pile=pile, chance=None, viewer=player)

    def guess(self, player: int, chance: Chance) -> KeepState:
        seen = self.view(player)
        unseen = Counter(self.game.box)
        for castle in self.castles:
            unseen.subtract(castle)
        for tiles in (*seen.hands, self.discards, *self.won):
            unseen.subtract(tiles)
        seats: Iterable[int] = range(self.game.players)
        if seen.shuffled:
            hidden, chance = _recalled(seen, player, unseen, chance)
            seats = sorted(seats, key=lambda seat: bool(seen.fresh[seat]))
        else:
            hidden, chance = chance.shuffle(_listed(unseen))
        hands = list(seen.hands)
        for seat in seats:
            if backs := hands[seat].count(BACK):
                known = hands[seat][:-backs]  # what is face down lies behind
                hands[seat] = tuple(sorted((*known, *hidden[:backs]), key=_by_index))
                hidden = hidden[backs:]
        return changed(
            seen, hands=tuple(hands), pile=hidden, chance=chance.split("play"), viewer=None
        )

    def estimate(self, player: int) -> float:
        from castlelab.games.castle_keep.worth import worth

        return worth(self, player)

    def prospects(self, player: int) -> tuple[Prospect, ...]:
        from castlelab.games.castle_keep.worth import prospects

        return prospects(self, player)

    def point(self, picks: tuple[str, ...]) -> Pointing:
        from castlelab.games.castle_keep.pointing import point

        return point(self, picks)

    def picture(self) -> Scene:
        from castlelab.games.castle_keep.picture import table_scene

        return table_scene(self)

    def describe(self) -> str:
        from castlelab.games.castle_keep.telling import table_words

        return table_words(self)


def keeps_needed(castle: Castle) -> int:
    """How many keeps bring the keep of a castle down (castle_keep/attack-keep)."""
    return 1 if castle.only_keep else 2


# -- the course of the game ------------------------------------------------------------------


def _ended(state: KeepState, rule: str, victors: tuple[int, ...]) -> KeepState:
    return changed(state, phase="over", victors=victors, ending=rule)


def _turn_over(state: KeepState) -> KeepState:
    """After the deeds of a turn: discard if need be, then the siege or the next player."""
    if len(state.hands[state.seat]) > HAND:
        return changed(state, phase="discard")
    if state.game.way == "solitaire":
        return _siege_goes_on(changed(state, phase="siege", flips=2, turned=()))
    return _next_turn(state)


def _next_turn(state: KeepState) -> KeepState:
    """The turn of whoever is next and has a castle to play for."""
    players = state.game.players
    if state.turn >= LONGEST_SIEGE:
        return _ended(state, "castle_keep/long-siege", tuple(range(players)))
    seat = (state.seat + 1) % players
    while state.out[seat]:
        seat = (seat + 1) % players
    begun = {"seat": seat, "turn": state.turn + 1, "deed": "", "prey": None, "exchanged": 0}
    if state.game.draw_discard and state.discards:  # castle_keep/adv-discard-draw
        return changed(state, phase="draw", **begun)
    return _drawn(state, state.game.draws, **begun)


def _drawn(state: KeepState, number: int, **changes: Any) -> KeepState:
    """So many tiles come from the piles into the hand (castle_keep/draw-two,
    castle_keep/reshuffle).
    """
    pile, discards, chance = state.pile, state.discards, state.chance
    shuffled, fresh = state.shuffled, state.fresh
    seat = changes.get("seat", state.seat)
    tiles: Hand = ()
    drawn: Hand = ()  # of the piles that lie there now
    if len(pile) >= number:
        tiles, pile = pile[len(pile) - number :], pile[: len(pile) - number]
        drawn = tiles
    else:
        for _ in range(number):
            if not pile and state.game.way != "solitaire":
                if chance is None:
                    raise CastlelabError("what is shuffled now is hidden; guess before you play on")
                pile, chance = chance.shuffle(discards)
                shuffled, fresh = tuple(sorted(discards, key=_by_index)), ((),) * len(state.hands)
                discards, drawn = (), ()
            if pile:
                tiles, drawn, pile = (*tiles, pile[-1]), (*drawn, pile[-1]), pile[:-1]
    if tiles and seat == state.viewer:
        raise CastlelabError("what is drawn now is hidden; guess before you play on")
    if shuffled:
        mine = tuple(sorted((*fresh[seat], *drawn), key=_by_index))
        changes |= {"shuffled": shuffled, "fresh": _changed_at(fresh, seat, mine)}
    hand = tuple(sorted((*state.hands[seat], *tiles), key=_by_index))
    after = changed(
        state,
        hands=_changed_at(state.hands, seat, hand),
        pile=pile,
        discards=discards,
        chance=chance,
        phase="act",
        **changes,
    )
    if not pile and state.game.way == "solitaire":
        return _ended(after, "castle_keep/solitaire", ())  # the last tile is drawn
    return after


def _recalled(
    seen: KeepState, player: int, unseen: Counter[Tile], chance: Chance
) -> tuple[Hand, Chance]:
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


def _listed(tiles: Counter[Tile]) -> list[Tile]:
    """Tiles in their own order: the same view must give the same guess everywhere."""
    return [tile for tile in TILES for _ in range(tiles[tile])]


def _siege_goes_on(state: KeepState) -> KeepState:
    """The next tile to turn up, or the next turn, or the end with the piles
    (castle_keep/solitaire).
    """
    if not state.pile:  # with the last tile the siege has won
        return _ended(state, "castle_keep/solitaire", ())
    if state.flips or state.hit is not None:
        return state
    return _next_turn(changed(state, flips=0))


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


def _without(hand: Hand, tile: Tile) -> Hand:
    at = hand.index(tile)
    return hand[:at] + hand[at + 1 :]


def _changed_at(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    return (*items[:at], item, *items[at + 1 :])


#: What plays each kind of move.
_DEEDS: dict[type[Move], Callable[[KeepState, Any], KeepState]] = {
    Draw: KeepState._draw,
    Build: KeepState._build,
    Attack: KeepState._attack,
    Exchange: KeepState._exchange,
    End: KeepState._end,
    Discard: KeepState._discard,
    Turn: KeepState._turn,
    Fall: KeepState._fall,
}
