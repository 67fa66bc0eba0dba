"""A whole game of Castle Keep, in all its ways: draw, build or attack, discard."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from castlelab.chance import Chance
from castlelab.game import SEAT_NAMES, Game, Move, Option, Pointing, Prospect, State, changed
from castlelab.games.castle_keep.box import read_box
from castlelab.games.castle_keep.castle import (
    BACK,
    CENTRE,
    RULES,
    SPOT_WORDS,
    SPOTS,
    TILES,
    Castle,
    Tile,
    at_words,
    fits,
    hand_words,
    openings,
    place_of,
    run,
    siege_run,
    standing,
)
from castlelab.games.castle_keep.moves import (
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
from castlelab.rules import LEGAL, Breach, CastlelabError, Verdict, listed, quoted

if TYPE_CHECKING:
    from castlelab.draw.scene import Scene
    from castlelab.edition import Edition

HAND = 4  # keep/deal, keep/hand-limit
LONGEST_SIEGE = 400  # turns; keep/long-siege
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
        self.draws = 1 if self.way == "solitaire" else 2  # keep/draw-two
        kinds = ("wall", "tower") if self.attack_towers else ("wall",)
        self.breakable = sum(tile.bit for tile in TILES if tile.kind in kinds)

    def _lay_out(self) -> tuple[tuple[int | None, str], ...]:
        if self.way in ("king", "solitaire"):
            return ((None, ""),)
        wings = ("a", "b") if self.way == "empire" else ("",)
        return tuple((seat, wing) for seat in range(self.players) for wing in wings)

    @classmethod
    def seats_for(cls, **options: Any) -> range:
        """Takeover and King are for two, solitaire for one (keep/takeover, keep/king)."""
        return _SEATS.get(options.get("way", "classic"), range(2, 5))

    @classmethod
    def cover(cls) -> Scene:
        from castlelab.games.castle_keep.picture import cover_scene

        return cover_scene()

    def move(self, text: str) -> Move:
        return read_move(text)

    def start(self, seed: int | str = 0) -> KeepState:
        """Shuffle and deal (keep/deal); the dealer is anybody (keep/first-player)."""
        chance = Chance.seeded(seed)
        pile, chance = chance.shuffle(self.box)
        hands = []
        for _ in range(self.players):
            hands.append(tuple(sorted(pile[-HAND:], key=_by_index)))
            pile = pile[:-HAND]
        dealer, chance = chance.below(self.players)
        castles = [Castle()] * len(self.sites)
        if self.way == "solitaire":  # keep/solitaire: the first tile is turned up
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
            fallen=(False,) * len(castles),
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
    won: tuple[Hand, ...]  # keep/takeover: the tiles won by each seat
    fallen: tuple[bool, ...]  # keep/empire: the castles that are destroyed for good
    discards: Hand = ()  # the last one is on top
    phase: str = "act"  # draw, act, discard, siege or over
    deed: str = ""  # what this turn is used for: build or attack
    prey: int | None = None  # the seat attacked in this turn
    settled: tuple[tuple[int, int], ...] = ()  # keep/empire: what was exchanged in this turn
    open: bool = False  # keep/attack-open
    turn: int = 0
    flips: int = 0  # keep/solitaire: tiles still to be turned up
    hit: Tile | None = None  # keep/solitaire: turned up, and several tiles are identical
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
            return tuple([_FALLS[place] for place in self._identical(self.hit)])
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
                if self.fallen[number]:
                    continue
                places = self.castles[number].places
                for place, allowed in openings(places, game.last_matches_both):
                    if found := allowed & held:
                        _gather(moves, found, builds[place])
                    if won and (found := allowed & won):
                        _gather(moves, found, rebuilds[place])
            if game.way == "empire":
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
            if keep is not None and keep.bit & hits and self._keeps_enough(number):
                moves.append(attacks[CENTRE][keep])

    def _keeps_enough(self, number: int) -> bool:
        """Whether the hand holds the keeps that the keep of a castle falls to."""
        castle = self.castles[number]
        keep = castle.places[CENTRE]
        return keep is not None and self.hands[self.seat].count(keep) >= keeps_needed(castle)

    def _exchanges(self) -> Iterator[Exchange]:
        """Every exchange between the own two castles that changes something (keep/empire)."""
        first, second = (number for number, _, _ in self.game.own[self.seat])
        if self.fallen[first] or self.fallen[second]:
            return
        both = self.game.last_matches_both
        mine, other = self.castles[first].places, self.castles[second].places
        lifted, other_lifted = (
            [fits((*places[:at], None, *places[at + 1 :]), both) for at in range(9)]
            for places in (mine, other)
        )
        settled = set(self.settled)
        for here, tile in enumerate(mine):
            for there in range(CENTRE, 9) if here == CENTRE else range(here % 2, CENTRE, 2):
                guest = other[there]
                if tile is guest or (settled and {(first, here), (second, there)} & settled):
                    continue
                if guest is not None and not lifted[here][here] & guest.bit:
                    continue
                if tile is not None and not other_lifted[there][there] & tile.bit:
                    continue
                yield _exchange(here, there)

    def _identical(self, turned: Tile) -> tuple[int, ...]:
        """The places of the besieged castle whose tile is identical to one turned up."""
        places = self.castles[0].places
        return tuple(place for place, tile in enumerate(places) if tile is turned)

    # -- what is refused -------------------------------------------------------------------

    def check(self, move: Move) -> Verdict:
        judge = _JUDGES.get(type(move))
        if judge is None:
            raise CastlelabError(f"{quoted(move)} is not a move of Castle Keep")
        if self.ending:
            return Verdict((Breach(RULES[self.ending], "The game is over."),))
        phase, judged = judge
        if self.phase != phase:
            return Verdict((self._out_of_time(move),))
        breaches = tuple(judged(self, move))
        return Verdict(breaches) if breaches else LEGAL

    def _out_of_time(self, move: Move) -> Breach:
        """Why it is not the moment for a move."""
        if isinstance(move, Turn | Fall) and self.game.way != "solitaire":
            return _no("keep/solitaire", "Tiles are turned up only in Siege Solitaire.")
        if self.phase == "draw":
            return _no("keep/draw-two", "Draw first.", mend="Say where the first tile comes from.")
        if self.phase == "discard":
            spare = len(self.hands[self.seat]) - HAND
            return _no("keep/hand-limit", f"The turn ends: discard {spare} more.", ("hand",))
        if self.phase == "siege":
            what = "Choose what is hit." if self.hit else "Turn up the next tile."
            return _no("keep/solitaire", "The siege comes first.", mend=what)
        if isinstance(move, Draw):
            if not self.game.draw_discard:
                return _no("keep/adv-discard-draw", "The tiles are drawn from the piles.")
            return _no("keep/draw-two", "The tiles of this turn are drawn.")
        if isinstance(move, Discard):
            return _no(
                "keep/hand-limit",
                "Tiles are discarded at the end of the turn.",
                mend="Say 'end' when you have built or attacked enough.",
            )
        return _no("keep/solitaire", "Tiles are turned up at the end of the turn.", mend="Say end.")

    def _judge_draw(self, _: Draw) -> Iterator[Breach]:
        yield from ()  # in this phase both ways are open

    def _judge_end(self, _: End) -> Iterator[Breach]:
        yield from ()

    def _judge_turn(self, _: Turn) -> Iterator[Breach]:
        if self.hit is not None:
            yield _no(
                "keep/solitaire",
                f"The {self.hit.words} hits one of several tiles.",
                self._spots(0, self._identical(self.hit)),
                "Choose which of them falls.",
            )

    def _judge_fall(self, move: Fall) -> Iterator[Breach]:
        if self.hit is None:
            yield _no("keep/solitaire", "Nothing is hit yet.", mend="Turn up the next tile.")
        elif (owner := self._misnamed(move.spot)) is not None:
            yield owner
        elif place_of(move.spot.spot) not in (places := self._identical(self.hit)):
            yield _no(
                "keep/solitaire",
                f"What stands there is not a {self.hit.words}.",
                (move.spot.spot,),
                f"Choose {' or '.join(self._spots(0, places))}.",
            )

    def _judge_discard(self, move: Discard) -> Iterator[Breach]:
        if move.tile not in self.hands[self.seat]:
            yield self._not_held(move.tile)

    def _judge_build(self, move: Build) -> Iterator[Breach]:
        if self.deed == "attack":
            yield _no("keep/one-of-three", "This turn is an attack; it cannot build too.")
        if move.won and self.game.way != "takeover":
            yield _no("keep/takeover", "Tiles are won only in a Takeover game.")
        elif move.won and move.tile not in self.won[self.seat]:
            yield _no("keep/takeover", f"You have won no {move.tile.words}.", ("won",))
        elif not move.won and move.tile not in self.hands[self.seat]:
            yield self._not_held(move.tile)
        if (misnamed := self._misnamed(move.spot, own=True)) is not None:
            yield misnamed
            return
        number = self._number(move.spot, self.seat)
        if self.fallen[number]:
            yield _no("keep/empire", "This castle is destroyed and stays so.")
            return
        castle = self.castles[number]
        verdict = castle.check(move.tile, move.spot.spot, self.game.last_matches_both)
        yield from self._told_of(number, verdict)

    def _judge_exchange(self, move: Exchange) -> Iterator[Breach]:
        if self.game.way != "empire":
            yield _no("keep/empire", "Tiles are exchanged only between the castles of an empire.")
            return
        if self.deed == "attack":
            yield _no("keep/one-of-three", "This turn is an attack; it cannot build too.")
        spots = (move.first, move.second)
        for spot in spots:
            if (misnamed := self._misnamed(spot, own=True)) is not None:
                yield misnamed
                return
        numbers = [self._number(spot, self.seat) for spot in spots]
        if numbers[0] == numbers[1]:
            yield _no("keep/empire", "An exchange is between your two castles, not within one.")
            return
        if any(self.fallen[number] for number in numbers):
            yield _no("keep/empire", "One of your castles is destroyed; there is no exchange.")
            return
        places = [place_of(spot.spot) for spot in spots]
        settled = set(zip(numbers, places, strict=True)) & set(self.settled)
        if settled:
            where = tuple(at for n, p in sorted(settled) for at in self._spots(n, (p,)))
            words = "This tile has been exchanged in this turn; it stays until the next."
            yield _no("keep/empire", words, where)
        tiles = [self.castles[n].places[p] for n, p in zip(numbers, places, strict=True)]
        if tiles[0] is None and tiles[1] is None:
            pairs = zip(numbers, places, strict=True)
            where = tuple(at for n, p in pairs for at in self._spots(n, (p,)))
            yield _no("keep/empire", "Both spots are empty.", where)
            return
        for number, place, tile in zip(numbers, places, reversed(tiles), strict=True):
            if tile is not None:
                left = self.castles[number].with_tile(None, place)
                verdict = left.check(tile, SPOTS[place], self.game.last_matches_both)
                yield from self._told_of(number, verdict)

    def _judge_attack(self, move: Attack) -> Iterator[Breach]:
        if self.game.way == "solitaire":
            yield _no("keep/solitaire", "There is nobody to attack.")
            return
        if not self.open:
            yield _no("keep/attack-open", *self._not_open())
        if self.deed == "build":
            yield _no("keep/one-of-three", "You have built in this turn; it cannot attack too.")
        elif self.deed == "attack" and not self.game.many_attacks:
            yield _no("keep/one-opponent", "You have attacked in this turn.", mend="Say end.")
        if move.tile not in self.hands[self.seat]:
            yield self._not_held(move.tile)
        if (misnamed := self._misnamed(move.spot)) is not None:
            yield misnamed
            return
        if move.spot.owner == self.seat:
            yield _no("keep/one-opponent", "That is your own castle; attack an opponent's.")
            return
        if self.prey is not None and move.spot.owner != self.prey:
            yield _no("keep/one-opponent", f"This turn attacks {SEAT_NAMES[self.prey]}.")
        yield from self._judge_hit(move)

    def _judge_hit(self, move: Attack) -> Iterator[Breach]:
        """Whether the tile that is played brings down the one that stands there."""
        number = self._number(move.spot)
        castle, spot = self.castles[number], move.spot.spot
        where, there = self._spots(number, (place_of(spot),)), castle[spot]
        if there is None:
            words = f"Nothing stands on the {SPOT_WORDS[spot]}."
            yield _no("keep/attack-wall", words, where, self._targets(move.tile, number))
        elif there.kind == "tower" and not self.game.attack_towers:
            words = f"The {there.words} is a tower, and only walls and keeps are attacked."
            yield _no("keep/adv-towers", words, where, self._targets(move.tile, number))
        elif there.kind == "keep":
            if there is not move.tile:
                words = f"A {there.words} falls only to keeps of its colour."
                yield _no("keep/attack-keep", words, where)
            elif move.tile in self.hands[self.seat] and not self._keeps_enough(number):
                yield _no(
                    "keep/attack-keep",
                    f"While walls or towers stand, two {there.words}s are needed.",
                    where,
                    "Bring the rest down first, or wait for another.",
                )
        elif there is not move.tile:
            words = f"A {move.tile.words} does not break a {there.words}: they must be identical."
            rule = "keep/adv-towers" if there.kind == "tower" else "keep/attack-wall"
            yield _no(rule, words, where, self._targets(move.tile, number))

    def _targets(self, tile: Tile, number: int) -> str:
        """Where in a castle a tile would hit something."""
        if tile.kind != "keep" and not tile.bit & self.game.breakable:
            return ""
        places = self.castles[number].places
        hits = [SPOTS[at] for at, there in enumerate(places) if there is tile]
        if not hits:
            return ""
        name = self.game.castle_names[number]
        whose = f" of castle {name}" if name else ""
        return f"It breaks the {tile.words} {' or '.join(map(at_words, hits))}{whose}."

    def _not_open(self) -> tuple[str, tuple[str, ...], str]:
        if self.game.way == "king":
            return ("The castle has not had two tiles yet.", (), "Build first.")
        waiting = [
            SEAT_NAMES[seat] for seat in range(self.game.players) if self._standing(seat) < 2
        ]
        return (
            "Attacks are not open yet.",
            (),
            f"They open when everybody has two tiles; {listed(waiting)} must build first.",
        )

    def _not_held(self, tile: Tile) -> Breach:
        held = f"You hold {hand_words(self.hands[self.seat])}."
        return _no("keep/from-hand", f"You hold no {tile.words}.", ("hand",), held)

    def _misnamed(self, spot: Spot, own: bool = False) -> Breach | None:
        """What is wrong with the castle in front of a spot, if anything is."""
        shared = self.game.sites[0][0] is None
        opponent = (self.seat + 1) % self.game.players + 1  # for advice
        if spot.wing and self.game.way != "empire":
            return _no("keep/empire", "Only in the empire has a player two castles, a and b.")
        if not spot.wing and self.game.way == "empire":
            right = f"a.{spot.spot} or b.{spot.spot}" if own else f"{opponent}a.{spot.spot}"
            return _no("keep/empire", "Everybody has two castles.", mend=f"Say which: {right}.")
        if own:
            if spot.owner not in (None, self.seat):
                return _no("keep/one-of-three", "You build on your own castle.")
        elif shared:
            if spot.owner is not None:
                rule = "keep/king" if self.game.way == "king" else "keep/solitaire"
                return _no(rule, "There is only one castle.", mend=f"Write {spot.spot} alone.")
        elif spot.owner is None:
            mend = f"Write {opponent}{spot.wing}.{spot.spot}."
            return _no("keep/one-opponent", "Whose castle?", mend=mend)
        elif spot.owner >= self.game.players:
            return _no("keep/one-opponent", f"There is no player {spot.owner + 1}.")
        return None

    def _told_of(self, number: int, verdict: Verdict) -> Iterator[Breach]:
        """A castle's breaches, their spots named as the whole table names them."""
        for breach in verdict.breaches:
            where = self._spots(number, map(place_of, breach.where))
            yield replace(breach, where=where)

    def _spots(self, number: int, places: Iterable[int]) -> tuple[str, ...]:
        owner, wing = self.game.sites[number]
        return tuple(str(Spot(SPOTS[place], owner, wing)) for place in places)

    def _number(self, spot: Spot, seat: int | None = None) -> int:
        """The number of the castle that a spot belongs to; ``seat`` is meant if it names none."""
        site = (spot.owner if spot.owner is not None else seat, spot.wing)
        return 0 if self.game.sites[0][0] is None else self.game.sites.index(site)

    # -- what is played --------------------------------------------------------------------

    def after(self, move: Move) -> KeepState:
        return _DEEDS[type(move)](self, move)

    def _draw(self, move: Draw) -> KeepState:
        if not move.discard:
            return _drawn(self, self.game.draws)
        hand = tuple(sorted((*self.hands[self.seat], self.discards[-1]), key=_by_index))
        taken = changed(
            self, hands=_changed_at(self.hands, self.seat, hand), discards=self.discards[:-1]
        )
        return _drawn(taken, self.game.draws - 1)

    def _build(self, move: Build) -> KeepState:
        number = self._number(move.spot, self.seat)
        castle = self.castles[number].with_tile(move.tile, place_of(move.spot.spot))
        castles = (*self.castles[:number], castle, *self.castles[number + 1 :])
        if move.won:
            won = _changed_at(self.won, self.seat, _without(self.won[self.seat], move.tile))
            after = changed(self, castles=castles, won=won, deed="build")
        else:
            hands = self._hands_without(move.tile)
            after = changed(self, castles=castles, hands=hands, deed="build")
        return after._built()

    def _exchange(self, move: Exchange) -> KeepState:
        first, second = (self._number(spot, self.seat) for spot in (move.first, move.second))
        here, there = place_of(move.first.spot), place_of(move.second.spot)
        tile, guest = self.castles[first].places[here], self.castles[second].places[there]
        castles = list(self.castles)
        castles[first] = castles[first].with_tile(guest, here)
        castles[second] = castles[second].with_tile(tile, there)
        arrived = [(second, there)] * (tile is not None) + [(first, here)] * (guest is not None)
        settled = tuple(sorted((*self.settled, *arrived)))
        return changed(self, castles=tuple(castles), deed="build", settled=settled)._built()

    def _built(self) -> KeepState:
        """See whether the castle is finished, or whether attacks may begin."""
        game = self.game
        if all(None not in self.castles[number].places for number, _, _ in game.own[self.seat]):
            rule = "keep/empire" if game.way == "empire" else "keep/win-build"
            return _ended(self, rule, (self.seat,))
        if not self.open and all(self._standing(seat) >= 2 for seat in range(game.players)):
            return changed(self, open=True)  # keep/attack-open
        return self

    def _standing(self, seat: int) -> int:
        """How many tiles a player has in castles."""
        return sum(len(self.castles[number]) for number, _, _ in self.game.own[seat])

    def _attack(self, move: Attack) -> KeepState:
        number = self._number(move.spot)
        castle, place = self.castles[number], place_of(move.spot.spot)
        played = keeps_needed(castle) if place == CENTRE else 1
        hands = self.hands
        for _ in range(played):
            hands = _changed_at(hands, self.seat, _without(hands[self.seat], move.tile))
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
            return _ended(self, "keep/win-destroy", (self.seat,))
        fallen = _changed_at(self.fallen, number, True)
        after = changed(self, fallen=fallen)
        if all(after._is_out(seat) for seat in range(self.game.players) if seat != self.seat):
            return _ended(after, "keep/empire", (self.seat,))
        return after

    def _is_out(self, seat: int) -> bool:
        """Whether all castles of a player are destroyed."""
        return all(self.fallen[number] for number, _, _ in self.game.own[seat])

    def _end(self, _: End) -> KeepState:
        return _turn_over(self)

    def _discard(self, move: Discard) -> KeepState:
        after = changed(
            self, hands=self._hands_without(move.tile), discards=(*self.discards, move.tile)
        )
        return _turn_over(after) if len(after.hands[self.seat]) <= HAND else after

    def _turn(self, _: Turn) -> KeepState:
        """Turn up the next tile of the siege (keep/solitaire)."""
        tile = self.pile[-1]
        after = changed(
            self,
            pile=self.pile[:-1],
            discards=(*self.discards, tile),
            flips=self.flips - 1,
            turned=(*self.turned, (tile, ())),
        )
        places = self._identical(tile)
        if len(places) > 1:
            return changed(after, hit=tile)
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
        return _siege_goes_on(after) if len(left) else _ended(after, "keep/solitaire", ())

    def _hands_without(self, tile: Tile) -> tuple[Hand, ...]:
        return _changed_at(self.hands, self.seat, _without(self.hands[self.seat], tile))

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
        self.game.check_seat(player)
        hands = tuple(
            hand if seat == player else (BACK,) * len(hand) for seat, hand in enumerate(self.hands)
        )
        return changed(self, hands=hands, pile=(BACK,) * len(self.pile), chance=None)

    def guess(self, player: int, chance: Chance) -> KeepState:
        seen = self.view(player)
        unseen = Counter(self.game.box)
        for castle in self.castles:
            unseen.subtract(castle)
        for tiles in (seen.hands[player], self.discards, *self.won):
            unseen.subtract(tiles)
        # Not by the Counter's order: the same view must give the same guess everywhere.
        hidden, chance = chance.shuffle([t for t in TILES for _ in range(unseen[t])])
        hands = []
        for seat, hand in enumerate(seen.hands):
            if seat != player:
                hand, hidden = (
                    tuple(sorted(hidden[: len(hand)], key=_by_index)),
                    hidden[len(hand) :],
                )
            hands.append(hand)
        return changed(seen, hands=tuple(hands), pile=hidden, chance=chance.split("play"))

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
        castles = ", ".join(
            f"{self._whose(number)} has {_tiles(len(castle))}"
            for number, castle in enumerate(self.castles)
        )
        return f"{self._what_now()} {castles[0].upper()}{castles[1:]}."

    def _whose(self, number: int) -> str:
        """A castle by its owner, and by the name that moves call it by."""
        name = self.game.castle_names[number]
        owner = self.game.sites[number][0]
        return "the castle" if owner is None else f"{SEAT_NAMES[owner]}'s castle {name}"

    def _what_now(self) -> str:
        """Whose turn it is and what is to do, or how it ended."""
        if self.ending:
            return f"The game is over: {_ENDINGS.get(self.ending, _RESULT)(self)}."
        hidden = self.hands[self.seat].count(BACK)
        held = [tile.text for tile in self.hands[self.seat] if tile is not BACK]
        hand = ", ".join([*held, *[f"{hidden} face down"] * bool(hidden)]) or "no tile"
        who = f", {SEAT_NAMES[self.seat]}" if self.game.players > 1 else ""
        return f"Turn {self.turn}{who}: {self._todo()}. Hand: {hand}."

    def _todo(self) -> str:
        if self.hit is not None:
            return "choose what is hit"
        if self.phase == "act" and (self.deed == "build" or not self.open):
            return "build or end the turn"
        return _TODO[self.phase]


def keeps_needed(castle: Castle) -> int:
    """How many keeps bring the keep of a castle down (keep/attack-keep)."""
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
        return _ended(state, "keep/long-siege", tuple(range(players)))
    seat = (state.seat + 1) % players
    while state.game.way == "empire" and state._is_out(seat):
        seat = (seat + 1) % players
    begun = {"seat": seat, "turn": state.turn + 1, "deed": "", "prey": None, "settled": ()}
    if state.game.draw_discard and state.discards:  # keep/adv-discard-draw
        return changed(state, phase="draw", **begun)
    return _drawn(state, state.game.draws, **begun)


def _drawn(state: KeepState, number: int, **changes: Any) -> KeepState:
    """So many tiles come from the piles into the hand (keep/draw-two, keep/reshuffle)."""
    pile, discards, chance = state.pile, state.discards, state.chance
    tiles: Hand = ()
    if len(pile) >= number:
        tiles, pile = pile[len(pile) - number :], pile[: len(pile) - number]
    else:
        for _ in range(number):
            if not pile and state.game.way != "solitaire":
                if chance is None:
                    raise CastlelabError("what is shuffled now is hidden; guess before you play on")
                pile, chance = chance.shuffle(discards)
                discards = ()
            if pile:
                tiles, pile = (*tiles, pile[-1]), pile[:-1]
    seat = changes.get("seat", state.seat)
    hand = tuple(sorted((*state.hands[seat], *tiles), key=_by_index))
    return changed(
        state,
        hands=_changed_at(state.hands, seat, hand),
        pile=pile,
        discards=discards,
        chance=chance,
        phase="act",
        **changes,
    )


def _siege_goes_on(state: KeepState) -> KeepState:
    """The next tile to turn up, or the next turn, or the end with the piles (keep/solitaire)."""
    if state.flips and state.pile:
        return state
    if not state.pile:
        return _ended(state, "keep/solitaire", ())
    return _next_turn(changed(state, flips=0))


_TODO = {
    "draw": "draw from the pile or from the discards",
    "act": "build, attack or end the turn",
    "discard": f"discard down to {HAND}",
    "siege": "turn up the next tile of the siege",
}


def _result(state: KeepState) -> str:
    if not state.victors:
        return "the castle is lost" if not len(state.castles[0]) else "the piles are used up"
    return f"{SEAT_NAMES[state.victors[0]]} wins"


_RESULT: Callable[[KeepState], str] = _result
_ENDINGS: dict[str, Callable[[KeepState], str]] = {
    "keep/win-build": lambda state: f"{SEAT_NAMES[state.victors[0]]} has finished the castle",
    "keep/win-destroy": lambda state: f"{SEAT_NAMES[state.victors[0]]} has destroyed a castle",
    "keep/long-siege": lambda state: f"a draw after {state.turn} turns",
}


def _tiles(number: int) -> str:
    return f"{number} tile{'s' * (number != 1)}"


# -- small pieces ----------------------------------------------------------------------------


def _no(rule: str, message: str, where: tuple[str, ...] = (), mend: str = "") -> Breach:
    return Breach(RULES[rule], message, where, mend)


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


#: Each kind of move: its phase, what judges it, what plays it.
_JUDGES: dict[type[Move], tuple[str, Callable[[KeepState, Any], Iterator[Breach]]]] = {
    Draw: ("draw", KeepState._judge_draw),
    Build: ("act", KeepState._judge_build),
    Attack: ("act", KeepState._judge_attack),
    Exchange: ("act", KeepState._judge_exchange),
    End: ("act", KeepState._judge_end),
    Discard: ("discard", KeepState._judge_discard),
    Turn: ("siege", KeepState._judge_turn),
    Fall: ("siege", KeepState._judge_fall),
}
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
