"""A whole game of Castle Rampage: preparation, turns, attacks, the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from castlelab.chance import Chance
from castlelab.game import Game, Move, Pointing, Prospect, State, changed
from castlelab.games.castle_rampage.attack import (
    EVEN,
    FACE_DOWN,
    HELD,
    PURPLE,
    Defender,
    Step,
    face_down_error,
    resolve,
)
from castlelab.games.castle_rampage.box import CARDS, Box, read_box
from castlelab.games.castle_rampage.card import (
    RULES,
    STACKS,
    VERBS,
    Card,
    StackName,
    cards_in_words,
    scheme_strength,
)
from castlelab.games.castle_rampage.moves import (
    END_TURN,
    Choose,
    EndTurn,
    Place,
    Play,
    Strengthen,
    read_move,
)
from castlelab.games.castle_rampage.table import FIRST, HIDDEN, Side, Stack, without
from castlelab.games.castle_rampage.worth import (
    estimate,
    hand_worth,
    prospects,
    standing_worth,
    wall_worth,
)
from castlelab.rules import LEGAL, Breach, CastlelabError, Verdict, listed

if TYPE_CHECKING:
    from castlelab.draw.scene import Scene
    from castlelab.edition import Edition

K = TypeVar("K")
T = TypeVar("T")

DEALT = 5
DEALS = 2
PER_STACK = 2  # of each deal
DRAWN, FIRST_DRAWN = 2, 1
LAST_TURN = 100
RENEWALS = 3
_MENDS = 3  # moves that are told to whoever made one that is not allowed
_FEW = 2  # hands of so few cards come up again and again; there are not many of them


@dataclass(frozen=True, slots=True)
class Pause:
    """A choice that somebody has to make before the card in play goes on."""

    verb: str  # the effect that asks
    chooser: int
    card: int | None  # the card in play; None if it has already left
    strength: int  # of the attack to come, or what is left of it
    effect: int = 0  # how many effects of the card have happened
    fighting: bool = False  # the attack has begun


class _Kept(dict[K, T]):
    """What belongs to a card, or to some: made when it is first asked for, then kept."""

    def __init__(self, make: Callable[[K], T]) -> None:
        self._make = make

    def __missing__(self, cards: K) -> T:
        made = self[cards] = self._make(cards)
        return made


class CastleRampage(Game):
    """Castle Rampage; it has no options."""

    name: ClassVar[str] = "castle_rampage"
    title: ClassVar[str] = "Castle Rampage"
    about: ClassVar[str] = "Strengthen your Gate and Castle, and bring the other Castle down."
    seats: ClassVar[range] = range(2, 3)
    futures = 300

    def __init__(
        self, players: int | None = None, edition: Edition | None = None, **options: Any
    ) -> None:
        super().__init__(players, edition, **options)
        assert edition is not None
        self.box: Box = read_box(edition)
        cards = self.box.cards
        self.cost = tuple(card.cost for card in cards)
        self.place_cost = tuple(card.place_cost for card in cards)
        self.purple = tuple(card.purple for card in cards)
        # The last one stands for HIDDEN: what comes of it, nobody can say.
        self.faces: tuple[Defender, ...] = (*cards, FACE_DOWN)
        # What a card may be that was placed in the preparation, and laid down for nothing.
        self.plain = tuple(not card.purple for card in cards)
        self.laid_free = tuple(not card.place_cost for card in cards)
        walls = tuple(map(wall_worth, cards))
        self.gate_worth = tuple(gate for gate, _ in walls)
        self.castle_worth = tuple(castle for _, castle in walls)
        self.hand_worth = tuple(map(hand_worth, cards))
        self.standing_worth = tuple(map(standing_worth, cards))
        # Moves are values, so those that come up all the time are made once.
        self._place = {stack: tuple(Place(stack, card.name) for card in cards) for stack in STACKS}
        self._strengthen = tuple(
            tuple(Strengthen(stack, card.name) for stack in STACKS) for card in cards
        )
        self._free_play = tuple(
            (Play(card.name),) if card.playable and not card.cost and not card.is_scheme else ()
            for card in cards
        )
        # What a card offers that costs nothing: to be played, and in either stack as well.
        self._free = tuple(
            (() if card.place_cost else strengthen) + play
            for card, strengthen, play in zip(cards, self._strengthen, self._free_play, strict=True)
        )
        # How many other cards it takes to play a card that costs something; 0 for the others.
        self._fewest_paid = tuple(
            (card.cost or len(card.pays)) if card.playable else 0 for card in cards
        )
        # … and to do anything at all with it that costs something; more than there are if none.
        self._fewest_spent = tuple(
            min(filter(None, spent), default=CARDS)
            for spent in zip(self.place_cost, self._fewest_paid, strict=True)
        )
        self._paid_plays = tuple(_Kept(partial(self._paid_play, card)) for card in cards)
        # The same few units are held again and again: how they pay is worth remembering.
        self._units = frozenset(at for at, card in enumerate(cards) if card.units)
        self._scheme_plays = {
            at: _Kept(partial(self._scheme_play, at))
            for at, card in enumerate(cards)
            if card.is_scheme
        }
        self._plays_for_one = tuple(_Kept(partial(self._play_for_one, card)) for card in cards)
        self._past_gates = tuple(card.does("target-castle") for card in cards)
        self._returns = tuple(card.does("return-when-held") for card in cards)
        self._rests_at_home = tuple(not card.cost and not card.pays for card in cards)
        self._stays = tuple(card.permanent for card in cards)
        self._bombs = (*(card.when_destroyed == "bomb" for card in cards), False)
        self._paid_strengthens = tuple(
            _Kept(partial(self._paid_strengthen, card)) for card in cards
        )
        self._moves_with_few = _Kept(partial(self._hand_moves, strengthening=True))
        self._plays_with_few = _Kept(partial(self._hand_moves, strengthening=False))
        self._totals = _Kept(self._total_of)
        self._choose: dict[str, Choose] = {}

    @classmethod
    def cover(cls) -> Scene:
        from castlelab.games.castle_rampage.picture import cover_scene

        return cover_scene()

    def move(self, text: str) -> Move:
        return read_move(text, self.box)

    def start(self, seed: int | str = 0) -> RampageState:
        """Shuffle, pick the starting player, deal the first five cards."""
        chance = Chance.seeded(seed)
        pile, chance = chance.shuffle(self.box.deck)
        starter, chance = chance.below(2)  # castle_rampage/starter
        state = RampageState(
            game=self,
            sides=(Side(), Side()),
            pile=pile,
            chance=chance,
            starter=starter,
            active=starter,
        )
        return state._dealt()

    # -- moves, made once ------------------------------------------------------------------

    def hand_moves(self, hand: tuple[int, ...], strengthening: bool) -> tuple[Move, ...]:
        """Everything that can be done with a hand: play, and strengthen if that is allowed."""
        if len(hand) > _FEW:
            return self._hand_moves(hand, strengthening)
        return self._moves_with_few[hand] if strengthening else self._plays_with_few[hand]

    def _hand_moves(self, hand: tuple[int, ...], strengthening: bool) -> tuple[Move, ...]:
        free = self._free if strengthening else self._free_play
        fewest_spent, others = self._fewest_spent, len(hand) - 1
        found: list[Move] = []
        last = HIDDEN
        for at, card in enumerate(hand):
            if card == last:  # the hand is sorted
                continue
            last = card
            found += free[card]
            if fewest_spent[card] <= others:
                rest = hand[:at] + hand[at + 1 :]
                if strengthening and self.place_cost[card]:
                    found += self.paid_strengthens(card, rest)
                if self._fewest_paid[card]:
                    found += self.paid_plays(card, rest)
        found.append(END_TURN)
        return tuple(found)

    def paid_plays(self, card: int, rest: tuple[int, ...]) -> Iterable[Play]:
        """Every way to pay for a card with the rest of the hand."""
        scheme_plays = self._scheme_plays.get(card)
        if scheme_plays is not None:
            return scheme_plays[tuple(filter(self._units.__contains__, rest))]
        if self.cost[card] == 1:  # the most common price
            return map(self._plays_for_one[card].__getitem__, dict.fromkeys(rest))
        payments = dict.fromkeys(combinations(rest, self.cost[card]))
        return map(self._paid_plays[card].__getitem__, payments)

    def _scheme_play(self, scheme: int, units: tuple[int, ...]) -> tuple[Play, ...]:
        """Every way to pay for an Attack Scheme with the units of a hand."""
        cards = self.box.cards
        card = cards[scheme]
        fewest = len(card.pays)
        return tuple(
            self._paid_plays[scheme][paid]
            for number in range(fewest, fewest + bool(card.extra) + 1)
            for paid in dict.fromkeys(combinations(units, number))
            if scheme_strength(card, [cards[unit] for unit in paid]) is not None
        )

    def _play_for_one(self, card: Card, paid: int) -> Play:
        return self._paid_play(card, (paid,))

    def _paid_play(self, card: Card, paid: tuple[int, ...]) -> Play:
        return Play(card.name, self._names(paid))

    def paid_strengthens(self, card: int, rest: tuple[int, ...]) -> Iterable[Strengthen]:
        """Every way to strengthen with a card that costs something, paid by the rest."""
        payments = dict.fromkeys(combinations(rest, self.place_cost[card]))
        return chain.from_iterable(map(self._paid_strengthens[card].__getitem__, payments))

    def _paid_strengthen(self, card: Card, paid: tuple[int, ...]) -> tuple[Strengthen, ...]:
        names = self._names(paid)
        return tuple(Strengthen(stack, card.name, names) for stack in STACKS)

    def _total_of(self, permanents: tuple[int, ...]) -> Counter[str]:
        """What permanent cards add up to: verb → number."""
        return sum((Counter(self.box.cards[card].numbers) for card in permanents), Counter())

    def choose(self, what: str) -> Choose:
        """The move that chooses something."""
        move = self._choose.get(what)
        if move is None:
            move = self._choose[what] = Choose(what)
        return move

    def _names(self, cards: tuple[int, ...]) -> tuple[str, ...]:
        """The names of cards; what a view hides has none."""
        return tuple([self.box.cards[card].name for card in cards if card != HIDDEN])


def _breach(
    rule: str, message: str, where: tuple[str, ...] = (), mends: tuple[Move, ...] = ()
) -> Breach:
    return with_mends(Breach(RULES[rule], message, where), mends)


def with_mends(breach: Breach, mends: tuple[Move, ...]) -> Breach:
    """The breach with these moves instead of the refused one, and a sentence made from them."""
    words = [f"“{move}”" for move in mends]
    mend = " or ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))
    return replace(breach, mend=f"Try {mend}." if mend else "", mends=mends)


def _parts(move: Move) -> tuple[str, str, Counter[str]]:
    """The card of a move, what it is for, and what pays for it, as far as it has them."""
    match move:
        case Place(stack, card):
            return card, stack, Counter()
        case Strengthen(stack, card, paid):
            return card, stack, Counter(paid)
        case Play(card, paid):
            return card, "play", Counter(paid)
    return "", "", Counter()


def _asking(pause: Pause) -> str:
    """The effect that a choice belongs to."""
    return "raise-discard" if pause.verb == "raise-top" else pause.verb


def stack_id(seat: int, stack: str) -> str:
    """What the picture and the breaches call a stack: "gate 1" is the Gate of seat 0."""
    return f"{stack} {seat + 1}"


def hand_id(card: str) -> str:
    """What the picture and the breaches call a card in the hand of whoever is to move."""
    return f"hand {card}"


def discard_id(card: str) -> str:
    """What the picture and the breaches call a card among the discards to choose from."""
    return f"discard {card}"


def permanent_id(seat: int, card: str) -> str:
    """What the picture and the breaches call a permanent card."""
    return f"permanent {seat + 1} {card}"


@dataclass(frozen=True)
class RampageState(State):
    """One moment of a game of Castle Rampage."""

    game: CastleRampage = field(compare=False)
    sides: tuple[Side, Side]
    pile: tuple[int, ...]  # top first
    chance: Chance | None  # what a new pile will be like; None in a view
    starter: int
    active: int  # the seat whose turn it is; before the first turn, the starter
    discards: tuple[int, ...] = ()  # top last
    deals: int = 0
    turn: int = 0  # 0 is the preparation
    strengthened: int = 0  # how often in this turn
    renewals: int = 0  # of the pile
    pause: Pause | None = None
    exhausted: bool = False  # the pile would have to be renewed once too often
    rested: tuple[int, ...] = ()  # what came home for nothing in this turn
    attacker: int | None = None  # the card that attacked last, …
    steps: tuple[Step, ...] = ()  # … and how that went
    loser: int | None = None

    # -- whose turn, what is where -----------------------------------------------------------

    @property
    def to_move(self) -> int | None:
        if self.loser is not None:
            return None
        if self.pause is not None:
            return self.pause.chooser
        if self.turn:
            return self.active
        return 0 if self.sides[0].dealt else 1

    @property
    def scores(self) -> tuple[int, ...]:
        """One point for the winner."""
        if self.loser is None:
            return 0, 0
        return (0, 1) if self.loser == 0 else (1, 0)

    @property
    def winners(self) -> tuple[int, ...]:
        return () if self.loser is None else (1 - self.loser,)

    @property
    def lifted(self) -> bool:
        """Whether the game is over and no Castle has fallen (``castle_rampage/long-siege``)."""
        return self.loser is not None and bool(self.sides[self.loser].castle.cards)

    @property
    def strengthens_left(self) -> int:
        """How often the player whose turn it is may still strengthen
        (``castle_rampage/strengthen``).
        """
        return 1 + self.total(self.active, "build") - self.strengthened

    def total(self, seat: int, verb: str) -> int:
        """What the permanent cards of a player add up to for an effect."""
        standing = self.sides[seat].permanents
        return self.game._totals[standing].get(verb, 0) if standing else 0

    def cards(self, places: tuple[int, ...]) -> tuple[Card | None, ...]:
        """Places in the box as cards; None for a hidden one."""
        known = self.game.box.cards
        return tuple([None if at == HIDDEN else known[at] for at in places])

    def options(self) -> tuple[str, ...]:
        """What may be chosen now: stacks or names of cards; nothing if no choice is due."""
        return self._options(self.pause.verb) if self.pause is not None else ()

    # -- legal moves -------------------------------------------------------------------------

    def moves(self) -> tuple[Move, ...]:
        if self.loser is not None:
            return ()
        if self.pause is not None:
            return tuple(map(self.game.choose, self._options(self.pause.verb)))
        return self._turn_moves() if self.turn else self._place_moves()

    def _turn_moves(self) -> tuple[Move, ...]:
        side = self.sides[self.active]
        strengthening = not self.strengthened or (  # only a permanent card allows it again
            bool(side.permanents) and self.strengthens_left > 0
        )
        hand = side.hand
        if self.chance is None and HIDDEN in hand:  # a view of the other's turn
            hand = tuple([card for card in hand if card != HIDDEN])
        moves = self.game.hand_moves(hand, strengthening)
        if not self.rested:
            return moves
        return tuple([m for m in moves if not (isinstance(m, Play) and self._rests(m.card))])

    def _rests(self, name: str) -> bool:
        """Whether all cards of a name have come home in this turn (``castle_rampage/held``)."""
        card = self.game.box.places[name]
        return 0 < self.sides[self.active].hand.count(card) <= self.rested.count(card)

    def _place_moves(self) -> tuple[Move, ...]:
        side = self.sides[0 if self.sides[0].dealt else 1]
        kinds, most = dict.fromkeys(side.dealt), PER_STACK * self.deals
        kinds.pop(HIDDEN, None)
        found: list[Move] = []
        for stack, cards in ((STACKS[0], side.gate.cards), (STACKS[1], side.castle.cards)):
            if len(cards) < most:
                found += map(self.game._place[stack].__getitem__, kinds)
        return tuple(found)

    # -- check -------------------------------------------------------------------------------

    def check(self, move: Move) -> Verdict:
        breaches = tuple(self._breaches(move))
        return Verdict(breaches) if breaches else LEGAL

    def _breaches(self, move: Move) -> Iterator[Breach]:
        if self.loser is not None:
            rule = "castle_rampage/long-siege" if self.lifted else "castle_rampage/castle-falls"
            yield _breach(rule, "The game is over.")
            return
        match move:
            case Choose():
                yield from self._check_choose(move)
            case _ if self.pause is not None:
                told = f"A choice is due first: {VERBS[_asking(self.pause)].words}"
                yield _breach(self._choice_rule(self.pause), told, (), self._nearest(move))
            case Place():
                yield from self._check_place(move)
            case Strengthen() | Play() | EndTurn() if not self.turn:
                yield _breach(
                    "castle_rampage/first-stacks",
                    "The turns have not begun: the dealt cards are placed first, "
                    "two at the Gate and two at the Castle.",
                    (),
                    self._nearest(move) or self.moves()[:_MENDS],
                )
            case Strengthen():
                yield from self._check_strengthen(move)
            case Play():
                yield from self._check_play(move)
            case EndTurn():
                pass
            case _:
                raise CastlelabError(f"{move!r} is not a move of Castle Rampage")

    def _nearest(self, move: Move, *, same_card: bool = False) -> tuple[Move, ...]:
        """The legal moves that are most like a refused one: with the same card, or to the same end.

        Where a choice is due, that comes first, whatever was tried.
        """
        if self.pause is not None:
            return self.moves()[:_MENDS]
        card, end, paid = _parts(move)
        liked: dict[tuple[bool, bool], list[Move]] = {}
        for other in self.moves():
            its_card, its_end, _ = _parts(other)
            if its_card and (card == its_card or (end == its_end and not same_card)):
                liked.setdefault((card == its_card, end == its_end), []).append(other)
        near = liked[max(liked)] if liked else []
        near.sort(key=lambda other: -(paid & _parts(other)[2]).total())
        return tuple(near[:_MENDS])

    @staticmethod
    def _choice_rule(pause: Pause) -> str:
        return "castle_rampage/purple" if pause.fighting else "castle_rampage/play"

    def _check_choose(self, move: Choose) -> Iterator[Breach]:
        if self.pause is None:
            yield _breach("castle_rampage/play", "There is nothing to choose now.")
        elif move.what not in self._options(self.pause.verb):
            what = f"{move.what[:1].upper()}{move.what[1:]}"
            yield _breach(
                self._choice_rule(self.pause),
                f"{what} cannot be chosen now: {VERBS[_asking(self.pause)].words}",
                (),
                self._nearest(move),
            )

    def _check_place(self, move: Place) -> Iterator[Breach]:
        rule = "castle_rampage/first-stacks"
        if self.turn:
            yield _breach(rule, "The first stacks are complete.", (), self._nearest(move))
            return
        seat = 0 if self.sides[0].dealt else 1
        side = self.sides[seat]
        if self.game.box.places.get(move.card) not in side.dealt:
            names = ", ".join(self.game._names(side.dealt)) or "face down"
            yield _breach(
                rule,
                f"{move.card} is not among the cards dealt to you. Those are {names}.",
                (),
                self._nearest(move),
            )
        if len(side.stack(move.stack).cards) >= PER_STACK * self.deals:
            yield _breach(
                rule,
                f"Two of these five are at the {move.stack.title()} already.",
                (stack_id(seat, move.stack),),
                self._nearest(move) or self.moves()[:_MENDS],
            )

    def _check_strengthen(self, move: Strengthen) -> Iterator[Breach]:
        if self.strengthens_left <= 0:
            yield _breach(
                "castle_rampage/strengthen",
                "You have already strengthened your defences this turn.",
                (stack_id(self.active, move.stack),),
                self._nearest(move) or (END_TURN,),
            )
        yield from self._check_held("castle_rampage/strengthen", move)
        card = self._in_box(move.card)
        if card is None or len(move.paid) == card.place_cost:
            return
        if card.place_cost:
            yield _breach(
                "castle_rampage/ogre-cost",
                f"Strengthening with the {card} costs {cards_in_words(card.place_cost)}, "
                f"not {len(move.paid)}.{self._short_of(card.name, card.place_cost)}",
                (hand_id(card.name),),
                self._nearest(move, same_card=True),
            )
        else:
            yield _breach(
                "castle_rampage/strengthen",
                f"Strengthening with the {card} costs nothing.",
                tuple(map(hand_id, move.paid)),
                self._nearest(move, same_card=True),
            )

    def _check_play(self, move: Play) -> Iterator[Breach]:
        yield from self._check_held("castle_rampage/play", move)
        card = self._in_box(move.card)
        if card is None:
            return
        if not card.playable:
            # castle_rampage/purple is about those that strike back, and an Ogre does not.
            rule = "castle_rampage/purple" if card.when_destroyed else "castle_rampage/play"
            yield _breach(
                rule,
                f"The {card} only defends; it cannot be played.",
                (hand_id(card.name),),
                self._nearest(move),
            )
        elif card.is_scheme:
            yield from self._check_scheme(card, move)
        elif len(move.paid) != card.cost:
            costs = cards_in_words(card.cost) if card.cost else "nothing"
            yield _breach(
                "castle_rampage/play",
                f"The {card} costs {costs}, not {len(move.paid)}."
                f"{self._short_of(card.name, card.cost)}",
                (hand_id(card.name),),
                self._nearest(move, same_card=True),
            )
        elif self.rested and self._rests(card.name):
            yield _breach(
                "castle_rampage/held",
                f"The {card} has come home this turn, and rests until the next: it costs nothing.",
                (hand_id(card.name),),
                self._nearest(move),
            )

    def _short_of(self, card: str, cost: int) -> str:
        """That the hand has too few cards to pay for one of them, if it is so."""
        hand = self.sides[self.active].hand
        others = len(hand) - (self.game.box.places[card] in hand)
        if others >= cost or HIDDEN in hand:
            return ""
        return f" You have {f'only {cards_in_words(others)}' if others else 'nothing'} to pay with."

    def _check_scheme(self, scheme: Card, move: Play) -> Iterator[Breach]:
        paid = move.paid
        units = [card for card in map(self._in_box, paid) if card is not None]
        if scheme_strength(scheme, units) is not None:
            return
        extra = f", and one more {scheme.extra} if you like" if scheme.extra else ""
        price = f"It is paid with {' + '.join(scheme.pays)}{extra}."
        where = tuple(map(hand_id, paid)) or (hand_id(scheme.name),)
        symbols = {symbol for unit in units for symbol in unit.units}
        # The symbols are all there, but a card would have to be two units at once.
        if set(scheme.pays) <= symbols and any(len(unit.units) > 1 for unit in units):
            told = ", ".join(f"{u} ({' or '.join(u.units) or 'no unit'})" for u in units)
            told = f"Each card counts as one unit only: {told}. {price}"
            yield _breach("castle_rampage/unit", told, where, self._nearest(move, same_card=True))
            return
        does = "does" if len(paid) == 1 else "do"
        told = f"{listed(paid)} {does} not pay" if paid else "Nothing has been paid yet"
        told = f"{told} for {scheme}. {price}"
        yield _breach("castle_rampage/scheme", told, where, self._nearest(move, same_card=True))

    def _check_held(self, rule: str, move: Strengthen | Play) -> Iterator[Breach]:
        """Whether the card and all that pays for it are in the hand, each for itself."""
        card, paid = move.card, move.paid
        hand = list(self.game._names(self.sides[self.active].hand))
        missing = []
        for name in (card, *paid):
            if name in hand:
                hand.remove(name)
            else:
                missing.append(name)
        if missing:
            held = ", ".join(self.game._names(self.sides[self.active].hand)) or "nothing"
            twice = card in paid and card not in hand
            told = (
                f"A card cannot pay for itself: {card}."
                if twice and missing == [card]
                else f"You do not have {', '.join(missing)} in hand for this."
            )
            where = tuple(map(hand_id, dict.fromkeys(missing)))
            yield _breach(rule, f"{told} Your hand: {held}.", where, self._nearest(move))

    def _in_box(self, name: str) -> Card | None:
        place = self.game.box.places.get(name)
        return None if place is None else self.game.box.cards[place]

    # -- play --------------------------------------------------------------------------------

    def after(self, move: Move) -> RampageState:
        return _AFTER[type(move)](self, move)

    def _seated(self, seat: int, side: Side) -> tuple[Side, Side]:
        """Both sides, one of them new."""
        return (side, self.sides[1]) if seat == 0 else (self.sides[0], side)

    def _dealt(self) -> RampageState:
        """Five cards for each player, none of them purple (``castle_rampage/deal``)."""
        if self.chance is None:
            raise _unknown_pile()
        purple = self.game.purple
        pile = list(reversed(self.pile))
        swapped: list[int] = []
        sides = []
        for side in self.sides:
            dealt: list[int] = []
            while len(dealt) < DEALT:
                card = pile.pop()
                (swapped if purple[card] else dealt).append(card)
            sides.append(side._replace(dealt=tuple(sorted(dealt))))
        chance = self.chance
        for card in swapped:  # into a shuffled pile: the same as shuffling anew, and quicker
            at, chance = chance.below(len(pile) + 1)
            pile.insert(at, card)
        return changed(
            self,
            sides=(sides[0], sides[1]),
            pile=tuple(reversed(pile)),
            chance=chance,
            deals=self.deals + 1,
        )

    def _after_place(self, move: Place) -> RampageState:
        """A card goes to a stack, the fifth to the hand (``castle_rampage/first-stacks``)."""
        seat = 0 if self.sides[0].dealt else 1
        side = self.sides[seat].placed(move.stack, self.game.box.places[move.card])
        state = changed(self, sides=self._seated(seat, side))
        if seat == 0 or side.dealt:
            return state
        return state._dealt() if state.deals < DEALS else state._begin_turn()

    def _begin_turn(self) -> RampageState:
        if not self.turn:
            return self._drawn(self.starter, FIRST_DRAWN, turn=1)
        seat = 1 - self.active
        state = self._drawn(
            seat,
            DRAWN + self.total(seat, "supply"),
            active=seat,
            turn=self.turn + 1,
            strengthened=0,
            rested=(),
            attacker=None,
            steps=(),
        )
        return state._lifted() if state.exhausted else state

    def _after_end(self, _: EndTurn) -> RampageState:
        return self._lifted() if self.turn >= LAST_TURN else self._begin_turn()

    def _lifted(self) -> RampageState:
        """Nobody has won in time: the larger Castle has (``castle_rampage/long-siege``)."""
        ranks = [
            (len(side.castle.cards), len(side.gate.cards), seat != self.starter)
            for seat, side in enumerate(self.sides)
        ]
        return changed(self, loser=0 if ranks[0] < ranks[1] else 1)

    def _drawn(self, seat: int, number: int, **changes: Any) -> RampageState:
        """Cards from the pile, which is renewed when it is empty (``castle_rampage/draw``)."""
        cards, pile = self.pile[:number], self.pile[number:]
        if HIDDEN in cards:
            raise _unknown_pile()
        missing = number - len(cards)
        if missing and self.discards:
            if self.renewals == RENEWALS:
                changes["exhausted"] = True
            elif self.chance is None:
                raise _unknown_pile()
            else:
                pile, chance = self.chance.shuffle(self.discards)
                cards, pile = cards + pile[:missing], pile[missing:]
                changes |= {"discards": (), "chance": chance, "renewals": self.renewals + 1}
        sides = self._seated(seat, self.sides[seat].with_cards(cards))
        return changed(self, sides=sides, pile=pile, **changes)

    def _after_strengthen(self, move: Strengthen) -> RampageState:
        seat, places = self.active, self.game.box.places
        card = places[move.card]
        paid = tuple(map(places.__getitem__, move.paid)) if move.paid else ()
        side = self.sides[seat].strengthened(move.stack, card, paid)
        return changed(
            self,
            sides=self._seated(seat, side),
            strengthened=self.strengthened + 1,
            discards=self.discards + paid,
        )

    def _after_play(self, move: Play) -> RampageState:
        """Pay, then let the card act (``castle_rampage/play``)."""
        seat, box = self.active, self.game.box
        at = box.places[move.card]
        card = box.cards[at]
        strength, discards = card.attack or 0, self.discards
        if move.paid:
            paid = tuple(map(box.places.__getitem__, move.paid))
            discards += paid
            side = self.sides[seat].without((at, *paid))
            if len(paid) > len(card.pays) > 0:  # castle_rampage/scheme: the optional unit was added
                strength += card.bonus
        else:
            side = self.sides[seat].without((at,))
        if card.attack is not None and not card.when_played:  # the most common kind, at one go
            strength = self._full_strength(card, strength)
            return self._assault(at, strength, side, discards, ())
        state = changed(
            self,
            sides=self._seated(seat, side),
            discards=discards,
            attacker=None if card.attack is None else at,
            steps=(),
        )
        return state._act(at, strength, 0)._settled()

    def _after_choose(self, move: Choose) -> RampageState:
        pause = self.pause
        assert pause is not None
        if pause.verb == "raise-discard":  # it is taken out; where it goes is asked next
            card = self.game.box.places[move.what]
            pile = (*without(self.discards, (card,)), card)
            return changed(self, discards=pile, pause=replace(pause, verb="raise-top"))
        return self._after_choice(pause, move.what)._settled()

    def _after_choice(self, pause: Pause, what: str) -> RampageState:
        """The effect with its choice made, and the rest of the card in play."""
        state = changed(self, pause=None)._chosen(pause.verb, what)
        card = pause.card
        if card is None:
            return state
        if state.loser is not None:
            return state._discarded(card)
        if pause.fighting:
            return state._assault_on(card, pause.strength)
        return state._act(card, pause.strength, pause.effect)

    def _settled(self) -> RampageState:
        """A card has been played to its end: only now a pile without cards lifts the siege."""
        going_on = self.pause is not None or self.loser is not None
        return self._lifted() if self.exhausted and not going_on else self

    def _discarded(self, card: int) -> RampageState:
        return changed(self, discards=(*self.discards, card))

    def _act(self, at: int, strength: int, done: int) -> RampageState:
        """The effects of the card in play that are still to come, then its attack."""
        card = self.game.box.cards[at]
        state = self
        for effect in card.when_played[done:]:
            done += 1
            if effect.verb == "draw":
                state = state._drawn(state.active, effect.number)
            elif effect.verb == "take-castle":
                top = state._top(state.active, "castle").cards[0]
                strength += state.game.box.cards[top].castle
                state = state._castle_taken()
            elif effect.verb == "fell-castles":
                state = state._castles_felled()
            elif effect.verb == "raise-discard":
                if state.discards:
                    several = len(set(state.discards)) > 1
                    verb = "raise-discard" if several else "raise-top"
                    pause = Pause(verb, state.active, at, strength, done)
                    return changed(state, pause=pause)
            else:
                options = state._options(effect.verb)
                if len(options) > 1:
                    pause = Pause(effect.verb, state.active, at, strength, done)
                    return changed(state, pause=pause)
                if options:
                    state = state._chosen(effect.verb, options[0])
            if state.loser is not None:
                return state._discarded(at)
        if card.attack is not None:
            return state._assault_on(at, state._full_strength(card, strength))
        if card.permanent:
            side = state.sides[state.active].with_permanent(at)
            return changed(state, sides=state._seated(state.active, side))
        return state._discarded(at)

    def _full_strength(self, card: Card, strength: int) -> int:
        """The strength of an attack with all that permanent cards and the card itself add."""
        me, foe = self.active, 1 - self.active
        if self.sides[me].permanents:
            strength += self.total(me, "rally")
        if self.sides[foe].permanents:
            strength -= self.total(foe, "shield")
        if not self.sides[foe].gate.cards:
            strength += card.numbers.get("charge", 0)
        return max(0, strength)

    # -- effects -----------------------------------------------------------------------------

    def _options(self, verb: str) -> tuple[str, ...]:
        """What an effect lets its chooser choose from."""
        me, foe = self.sides[self.active], self.sides[1 - self.active]
        match verb:
            case "reveal-top":
                return tuple(name for name in STACKS if foe.stack(name).cards)
            case "destroy-permanent":
                return self.game._names(tuple(dict.fromkeys(foe.permanents)))
            case "raise-discard":
                return self.game._names(tuple(sorted(set(self.discards))))
            case "raise-top":
                return STACKS
            case "sabotage":  # it strikes at whoever attacked
                return tuple(name for name in STACKS if me.stack(name).cards)
            case _:  # spy
                return self.game._names(tuple(dict.fromkeys(me.hand)))

    def _chosen(self, verb: str, what: str) -> RampageState:
        """The effect with its choice made."""
        seat = self.active
        foe = 1 - seat
        stack: StackName = "gate" if what == "gate" else "castle"
        match verb:
            case "reveal-top":
                side = self.sides[foe].turned_up(self._top(foe, stack))
                shown = side.with_stack(stack, side.stack(stack).revealed())
                return changed(self, sides=self._seated(foe, shown))
            case "destroy-permanent":
                card = self.game.box.places[what]
                standing = list(self.sides[foe].permanents)
                standing.remove(card)
                side = self.sides[foe]._replace(permanents=tuple(standing))
                return changed(self, sides=self._seated(foe, side))._discarded(card)
            case "raise-top":  # castle_rampage/under; an Ogre costs nothing here
                side = self.sides[seat]
                raised = side.with_stack(stack, side.stack(stack).under(self.discards[-1]))
                return changed(self, sides=self._seated(seat, raised), discards=self.discards[:-1])
            case "sabotage":
                top = self._top(seat, stack)
                side = self.sides[seat].turned_up(top)
                side = side.with_stack(stack, side.stack(stack).without_top())
                state = changed(self, sides=self._seated(seat, side))
                return state._discarded(top.cards[0])._judged()
            case _:  # spy
                card = self.game.box.places[what]
                robbed = self.sides[seat].without((card,))
                taker = self.sides[foe].with_shown(card)
                return changed(self, sides=(robbed, taker) if seat == 0 else (taker, robbed))

    def _top(self, seat: int, stack: StackName) -> Stack:
        """The top card of a stack as it is turned up; a view may not know it."""
        top = self.sides[seat].stack(stack).top(1)
        if HIDDEN in top.cards:
            raise face_down_error()
        return top

    def _castle_taken(self) -> RampageState:
        """The top card of the own Castle goes to the hand, openly (``castle_rampage/jester``)."""
        seat = self.active
        top = self._top(seat, "castle")
        side = self.sides[seat].turned_up(top)
        side = side.with_stack("castle", side.castle.without_top()).with_shown(top.cards[0])
        return changed(self, sides=self._seated(seat, side))._judged()

    def _castles_felled(self) -> RampageState:
        """The top cards of both Castles are destroyed at once (``castle_rampage/summoner``)."""
        tops = [self._top(seat, "castle") for seat in (0, 1)]
        sides = [
            side.turned_up(top).with_stack("castle", side.castle.without_top())
            for side, top in zip(self.sides, tops, strict=True)
        ]
        fallen = tuple([tops[seat].cards[0] for seat in (self.active, 1 - self.active)])
        return changed(self, sides=(sides[0], sides[1]), discards=self.discards + fallen)._judged()

    def _judged(self) -> RampageState:
        """Whether a Castle has fallen (``castle_rampage/castle-falls``); of two, the own counts."""
        seat = self.active
        for loser in (seat, 1 - seat):
            if not self.sides[loser].castle.cards:
                return changed(self, loser=loser)
        return self

    # -- attack ------------------------------------------------------------------------------

    def _assault_on(self, at: int, strength: int) -> RampageState:
        """The attack of the card in play as things stand, or what is left of it."""
        return self._assault(at, strength, self.sides[self.active], self.discards, self.steps)

    def _assault(
        self,
        at: int,
        strength: int,
        mine: Side,
        discards: tuple[int, ...],
        steps: tuple[Step, ...],
    ) -> RampageState:
        """An attack to its end or to the next choice of a purple card.

        ``mine`` is the side of the attacker, which has paid; ``steps`` is what came before.
        """
        game = self.game
        faces = game.faces
        foe = 1 - self.active
        side = self.sides[foe]
        gate, castle = side.gate, side.castle
        gate_cards, castle_cards = gate.cards, castle.cards
        result = resolve(
            strength,
            tuple(map(faces.__getitem__, gate_cards)),
            tuple(map(faces.__getitem__, castle_cards)),
            at_castle=game._past_gates[at],  # castle_rampage/target
            pause=True,
        )
        _, new_steps, gate_left, castle_left, left, _, castle_fell, paused = result
        fallen: tuple[int, ...] = ()
        if gates := len(gate_cards) - len(gate_left):
            fallen, gate = gate_cards[:gates], gate.without_top(gates)
        if castles := len(castle_cards) - len(castle_left):
            fallen, castle = fallen + castle_cards[:castles], castle.without_top(castles)
        last = new_steps[-1]
        rule = last.rule
        in_play, held = rule != EVEN, rule == HELD
        if side.shown:
            side = side.turned_up(side.gate.top(gates + (held and last.stack == "gate")))
            side = side.turned_up(side.castle.top(castles + (held and last.stack == "castle")))
        returns = held and game._returns[at]
        if held:  # castle_rampage/held: the defender was seen, and goes back
            if last.stack == "gate":
                gate = gate.revealed()
            else:
                castle = castle.revealed()
        struck = fallen[-1] if fallen else HIDDEN
        rested = self.rested
        if returns:
            mine = mine.with_shown(at)
            if game._rests_at_home[at]:
                rested = (*rested, at)
        elif game._stays[at] and not (
            rule == PURPLE or game._bombs[struck]
        ):  # castle_rampage/permanent
            if not paused or not in_play:
                mine = mine.with_permanent(at)
        elif not in_play:  # castle_rampage/even: the attacker is discarded first
            fallen = (*fallen[:-1], at, fallen[-1])
        elif not paused:
            fallen = (*fallen, at)
        theirs = side.with_stacks(gate, castle)
        state = changed(
            self,
            sides=(theirs, mine) if foe == 0 else (mine, theirs),
            discards=discards + fallen,
            attacker=at,
            steps=steps + new_steps,
            rested=rested,
            loser=foe if castle_fell else None,
        )
        if paused:  # castle_rampage/purple
            verb = game.box.cards[struck].when_destroyed
            return state._struck_back(verb, at if in_play else None, left)
        return state

    def _struck_back(self, verb: str, at: int | None, left: int) -> RampageState:
        """A Saboteur or a Spy has been destroyed: its owner decides, then the attack goes on."""
        state = self
        if verb == "spy":  # its owner looks through the whole hand
            opened = self.sides[self.active].opened()
            state = changed(self, sides=self._seated(self.active, opened))
        options = state._options(verb)
        if len(options) > 1:
            pause = Pause(verb, 1 - self.active, at, left, fighting=True)
            return changed(state, pause=pause)
        if options:
            state = state._chosen(verb, options[0])
        if at is None:
            return state
        return state._discarded(at) if state.loser is not None else state._assault_on(at, left)

    # -- what others may see -----------------------------------------------------------------

    def view(self, player: int) -> RampageState:
        """The own things, which one knows; of the others' what everybody has seen."""
        self.game.check_seat(player)
        foe = self.sides[1 - player].hidden(self.game.place_cost)
        return changed(
            self, sides=self._seated(1 - player, foe), pile=(HIDDEN,) * len(self.pile), chance=None
        )

    def guess(self, player: int, chance: Chance) -> RampageState:
        """What is hidden, drawn from the cards that the player has not seen."""
        view = self.view(player)
        cards, chance = chance.shuffle(view._unseen())
        unseen = list(cards)
        foe, chance = _with_shown_cards(view.sides[1 - player], self.game, unseen, chance)
        # What is bound by a rule is filled in first. All ways to do it are equally likely.
        first = partial(_taken, unseen, self.game.plain)
        free = partial(_taken, unseen, self.game.laid_free)
        gate, castle = _filled_in(foe.gate, FIRST, first), _filled_in(foe.castle, FIRST, first)
        dealt = _filled(foe.dealt, first)
        hand = foe.hand if self.turn else _filled(foe.hand, first)
        gate, castle = _filled_in(gate, None, free), _filled_in(castle, None, free)
        hand = _filled(hand, unseen.pop)
        foe = foe._replace(
            hand=tuple(sorted(hand)), gate=gate, castle=castle, dealt=tuple(sorted(dealt))
        )
        return changed(
            view,
            sides=view._seated(1 - player, foe),
            pile=_filled(view.pile, unseen.pop),
            chance=chance,
        )

    def _unseen(self) -> list[int]:
        """The cards that a view does not show."""
        left = list(self.game.box.copies)
        shown = [self.discards]
        if self.pause is not None and self.pause.card is not None:
            shown.append((self.pause.card,))
        for side in self.sides:
            shown += [side.hand, side.gate.cards, side.castle.cards, side.permanents, side.dealt]
        for cards in shown:
            for card in cards:
                if card != HIDDEN:
                    left[card] -= 1
        return [card for card, copies in enumerate(left) for _ in range(copies)]

    def conceals(self, move: Move) -> bool:
        """A card is laid face down, unless its cost tells which (``castle_rampage/secret``)."""
        return isinstance(move, Place) or (isinstance(move, Strengthen) and not move.paid)

    def estimate(self, player: int) -> float:
        """Walls, cards and permanent cards, mine less theirs."""
        return estimate(self, player)

    def prospects(self, player: int) -> tuple[Prospect, ...]:
        return prospects(self, player)

    def point(self, picks: tuple[str, ...]) -> Pointing:
        from castlelab.games.castle_rampage.pointing import point

        return point(self, picks)

    def picture(self) -> Scene:
        from castlelab.games.castle_rampage.picture import table_scene

        return table_scene(self)

    def describe(self) -> str:
        from castlelab.games.castle_rampage.picture import table_words

        return table_words(self)

    def __str__(self) -> str:
        return self.describe()


_AFTER: dict[type[Move], Callable[[RampageState, Any], RampageState]] = {
    Place: RampageState._after_place,
    Strengthen: RampageState._after_strengthen,
    Play: RampageState._after_play,
    Choose: RampageState._after_choose,
    EndTurn: RampageState._after_end,
}


def _filled(places: tuple[int, ...], take: Callable[[], int]) -> tuple[int, ...]:
    """The places with cards where something is hidden."""
    return tuple([take() if at == HIDDEN else at for at in places])


def _filled_in(stack: Stack, mark: int | None, take: Callable[[], int]) -> Stack:
    """The stack with cards where something is hidden; with a mark, only where that stands."""
    cards = [
        take() if card == HIDDEN and mark in (None, its) else card
        for card, its in zip(*stack, strict=True)
    ]
    return Stack(tuple(cards), stack.marks)


def _taken(unseen: list[int], fits: Sequence[bool]) -> int:
    """The next of the shuffled cards that may be where it is wanted."""
    for at in range(len(unseen) - 1, -1, -1):
        if fits[unseen[at]]:
            return unseen.pop(at)
    return unseen.pop()  # an edition of hardly anything else: better a poor guess than none


def _with_shown_cards(
    side: Side, game: CastleRampage, unseen: list[int], chance: Chance
) -> tuple[Side, Chance]:
    """A side as a view has it, with the cards that were seen in its hand and may have been laid.

    Each may be at several places, and those of a later one are among those of an earlier one:
    so the last is put somewhere first, and all find a place.
    """
    for card, laid in reversed(side.shown):
        if side.surely_holds(card, laid, game.place_cost):
            continue  # the view has it in the hand
        slots = [
            (name, at)
            for name in STACKS
            for at, mark in enumerate(side.stack(name).marks)
            if mark >= laid and side.stack(name).cards[at] == HIDDEN
        ]
        in_hand = side.hand.count(HIDDEN)
        pick, chance = chance.below(in_hand + len(slots))
        if pick < in_hand:
            side = side._replace(hand=(*side.hand[1:], card))  # what is hidden comes first
        else:
            name, at = slots[pick - in_hand]
            side = side.with_stack(name, side.stack(name).with_card(at, card))
        unseen.remove(card)
    return side, chance


def _unknown_pile() -> CastlelabError:
    return CastlelabError("a view does not know what the pile brings; guess a state first")
