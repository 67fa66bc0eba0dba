"""A whole game of Castle Rampage: preparation, turns, attacks, the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from castlelab.chance import Chance
from castlelab.game import Game, Move, Pointing, Prospect, State, changed
from castlelab.games.castle_rampage.attack import EVEN, HELD, Step, resolve
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
from castlelab.games.castle_rampage.table import HIDDEN, Side, Stack
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
        starter, chance = chance.below(2)  # rampage/starter
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


def _breach(rule: str, message: str, where: tuple[str, ...] = (), mend: str = "") -> Breach:
    return Breach(RULES[rule], message, where, mend)


def _pay_words(number: int) -> str:
    """How a card is paid, for those who point and for those who write."""
    them = "it" if number == 1 else "them"
    return f"Pick {cards_in_words(number)} of your hand to pay, or write {them} after 'for'."


def stack_id(seat: int, stack: str) -> str:
    """What the picture and the breaches call a stack: "gate 1" is the Gate of seat 0."""
    return f"{stack} {seat + 1}"


def hand_id(card: str) -> str:
    """What the picture and the breaches call a card in the hand of whoever is to move."""
    return f"hand {card}"


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
    def strengthens_left(self) -> int:
        """How often the player whose turn it is may still strengthen (``rampage/strengthen``)."""
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
        return self.game.hand_moves(side.hand, strengthening)

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
            yield _breach("rampage/castle-falls", "The game is over.")
            return
        match move:
            case Choose():
                yield from self._check_choose(move)
            case _ if self.pause is not None:
                yield self._choice_first(self.pause)
            case Place():
                yield from self._check_place(move)
            case Strengthen() | Play() | EndTurn() if not self.turn:
                yield _breach(
                    "rampage/first-stacks",
                    "The turns have not begun.",
                    (),
                    "Place the dealt cards first: two at the Gate, two at the Castle.",
                )
            case Strengthen():
                yield from self._check_strengthen(move)
            case Play():
                yield from self._check_play(move)
            case EndTurn():
                pass
            case _:
                raise CastlelabError(f"{move!r} is not a move of Castle Rampage")

    def _choice_first(self, pause: Pause) -> Breach:
        rule = "rampage/purple" if pause.fighting else "rampage/play"
        wanted = " or ".join(self._options(pause.verb))
        told = f"A choice is due first: {VERBS[pause.verb].words}"
        return _breach(rule, told, (), f"Choose {wanted}.")

    def _check_choose(self, move: Choose) -> Iterator[Breach]:
        if self.pause is None:
            yield _breach("rampage/play", "There is nothing to choose now.")
        elif move.what not in (options := self._options(self.pause.verb)):
            rule = "rampage/purple" if self.pause.fighting else "rampage/play"
            yield _breach(
                rule,
                f"{move.what[:1].upper()}{move.what[1:]} cannot be chosen now.",
                (),
                f"Choose {' or '.join(options)}.",
            )

    def _check_place(self, move: Place) -> Iterator[Breach]:
        rule = "rampage/first-stacks"
        if self.turn:
            yield _breach(
                rule,
                "The first stacks are complete.",
                (),
                "Strengthen a stack with a card from your hand.",
            )
            return
        seat = 0 if self.sides[0].dealt else 1
        side = self.sides[seat]
        if self.game.box.places.get(move.card) not in side.dealt:
            names = ", ".join(self.game._names(side.dealt))
            yield _breach(
                rule, f"{move.card} is not among the cards dealt to you.", (), f"Those are {names}."
            )
        if len(side.stack(move.stack).cards) >= PER_STACK * self.deals:
            other = "castle" if move.stack == "gate" else "gate"
            yield _breach(
                rule,
                f"Two of these five are at the {move.stack.title()} already.",
                (stack_id(seat, move.stack),),
                f"The next one goes to the {other.title()}.",
            )

    def _check_strengthen(self, move: Strengthen) -> Iterator[Breach]:
        if self.strengthens_left <= 0:
            yield _breach(
                "rampage/strengthen",
                "You have already strengthened your defences this turn.",
                (stack_id(self.active, move.stack),),
                "Play a card, or end your turn.",
            )
        yield from self._check_held("rampage/strengthen", move.card, move.paid)
        card = self._in_box(move.card)
        if card is None or len(move.paid) == card.place_cost:
            return
        if card.place_cost:
            yield _breach(
                "rampage/ogre-cost",
                f"Strengthening with the {card} costs {cards_in_words(card.place_cost)}, "
                f"not {len(move.paid)}.",
                (hand_id(card.name),),
                _pay_words(card.place_cost),
            )
        else:
            yield _breach(
                "rampage/strengthen",
                f"Strengthening with the {card} costs nothing.",
                tuple(map(hand_id, move.paid)),
                "Leave the payment out.",
            )

    def _check_play(self, move: Play) -> Iterator[Breach]:
        yield from self._check_held("rampage/play", move.card, move.paid)
        card = self._in_box(move.card)
        if card is None:
            return
        if not card.playable:
            rule = "rampage/purple" if card.purple else "rampage/play"
            yield _breach(
                rule,
                f"The {card} only defends; it cannot be played.",
                (hand_id(card.name),),
                "Strengthen a stack with it, or pay with it.",
            )
        elif card.is_scheme:
            yield from self._check_scheme(card, move.paid)
        elif len(move.paid) != card.cost:
            costs = cards_in_words(card.cost) if card.cost else "nothing"
            yield _breach(
                "rampage/play",
                f"The {card} costs {costs}, not {len(move.paid)}.",
                (hand_id(card.name),),
                _pay_words(card.cost) if card.cost else "Leave the payment out.",
            )

    def _check_scheme(self, scheme: Card, paid: tuple[str, ...]) -> Iterator[Breach]:
        units = [card for card in map(self._in_box, paid) if card is not None]
        if scheme_strength(scheme, units) is not None:
            return
        extra = f", and one more {scheme.extra} if you like" if scheme.extra else ""
        mend = f"It is paid with {' + '.join(scheme.pays)}{extra}."
        where = tuple(map(hand_id, paid)) or (hand_id(scheme.name),)
        symbols = {symbol for unit in units for symbol in unit.units}
        # The symbols are all there, but a card would have to be two units at once.
        if set(scheme.pays) <= symbols and any(len(unit.units) > 1 for unit in units):
            told = ", ".join(f"{u} ({' or '.join(u.units) or 'no unit'})" for u in units)
            yield _breach(
                "rampage/unit", f"Each card counts as one unit only: {told}.", where, mend
            )
            return
        does = "does" if len(paid) == 1 else "do"
        told = f"{listed(paid)} {does} not pay" if paid else "Nothing has been paid yet"
        yield _breach("rampage/scheme", f"{told} for {scheme}.", where, mend)

    def _check_held(self, rule: str, card: str, paid: tuple[str, ...]) -> Iterator[Breach]:
        """Whether the card and all that pays for it are in the hand, each for itself."""
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
            yield _breach(
                rule,
                f"A card cannot pay for itself: {card}."
                if twice and missing == [card]
                else f"You do not have {', '.join(missing)} in hand for this.",
                tuple(map(hand_id, dict.fromkeys(missing))),
                f"Your hand: {held}.",
            )

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
        """Five cards for each player, none of them purple (``rampage/deal``)."""
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
        """A card goes to a stack; the fifth one goes to the hand (``rampage/first-stacks``)."""
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
        return self._drawn(
            seat,
            DRAWN + self.total(seat, "supply"),
            active=seat,
            turn=self.turn + 1,
            strengthened=0,
            attacker=None,
            steps=(),
        )

    def _after_end(self, _: EndTurn) -> RampageState:
        return self._lifted() if self.turn >= LAST_TURN else self._begin_turn()

    def _lifted(self) -> RampageState:
        """Nobody has won in all that time: the larger Castle has (``rampage/long-siege``)."""
        ranks = [
            (len(side.castle.cards), len(side.gate.cards), seat != self.starter)
            for seat, side in enumerate(self.sides)
        ]
        return changed(self, loser=0 if ranks[0] < ranks[1] else 1)

    def _drawn(self, seat: int, number: int, **changes: Any) -> RampageState:
        """Cards from the pile, which is renewed when it is empty (``rampage/draw``)."""
        cards, pile = self.pile[:number], self.pile[number:]
        if HIDDEN in cards:
            raise _unknown_pile()
        missing = number - len(cards)
        if missing and self.discards:
            if self.renewals == RENEWALS:
                return changed(self, **changes)._lifted()
            if self.chance is None:
                raise _unknown_pile()
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
        """Pay, then let the card act (``rampage/play``)."""
        seat, box = self.active, self.game.box
        at = box.places[move.card]
        card = box.cards[at]
        strength, discards = card.attack or 0, self.discards
        if move.paid:
            paid = tuple(map(box.places.__getitem__, move.paid))
            discards += paid
            side = self.sides[seat].without((at, *paid))
            if len(paid) > len(card.pays) > 0:  # rampage/scheme: the optional unit was added
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
        return state._act(at, strength, 0)

    def _after_choose(self, move: Choose) -> RampageState:
        pause = self.pause
        assert pause is not None
        state = changed(self, pause=None)._chosen(pause.verb, move.what)
        card = pause.card
        if card is None:
            return state
        if state.loser is not None:
            return state._discarded(card)
        if pause.fighting:
            return state._assault_on(card, pause.strength)
        return state._act(card, pause.strength, pause.effect)

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
                top = state.sides[state.active].castle.cards[0]
                strength += state.game.box.cards[top].castle
                state = state._castle_taken()
            elif effect.verb == "fell-castles":
                state = state._castles_felled()
            else:
                options = state._options(effect.verb)
                if len(options) > 1:
                    pause = Pause(effect.verb, state.active, at, strength, done)
                    return changed(state, pause=pause)
                if options:
                    state = state._chosen(effect.verb, options[0])
            if state.loser is not None:
                return state._discarded(at)
        if card.permanent:  # rampage/permanent
            seat = state.active
            side = state.sides[seat]
            standing = tuple(sorted((*side.permanents, at)))
            return changed(state, sides=state._seated(seat, side._replace(permanents=standing)))
        if card.attack is None:
            return state._discarded(at)
        return state._assault_on(at, state._full_strength(card, strength))

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
                return STACKS if self.discards else ()
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
                side = self.sides[foe]
                shown = side.with_stack(stack, side.stack(stack).revealed())
                return changed(self, sides=self._seated(foe, shown))
            case "destroy-permanent":
                card = self.game.box.places[what]
                standing = list(self.sides[foe].permanents)
                standing.remove(card)
                side = self.sides[foe]._replace(permanents=tuple(standing))
                return changed(self, sides=self._seated(foe, side))._discarded(card)
            case "raise-discard":  # rampage/under; an Ogre costs nothing here
                side = self.sides[seat]
                raised = side.with_stack(stack, side.stack(stack).under(self.discards[-1]))
                return changed(self, sides=self._seated(seat, raised), discards=self.discards[:-1])
            case "sabotage":
                side = self.sides[seat]
                top = side.stack(stack).cards[0]
                side = side.with_stack(stack, side.stack(stack).without_top())
                return changed(self, sides=self._seated(seat, side))._discarded(top)._judged()
            case _:  # spy
                card = self.game.box.places[what]
                robbed = self.sides[seat].without((card,))
                taker = self.sides[foe].with_cards((card,))
                return changed(self, sides=(robbed, taker) if seat == 0 else (taker, robbed))

    def _castle_taken(self) -> RampageState:
        """The top card of the own Castle goes to the hand (``rampage/jester``)."""
        seat = self.active
        side = self.sides[seat]
        taken = side.castle.cards[:1]
        side = side.with_cards(taken).with_stack("castle", side.castle.without_top())
        return changed(self, sides=self._seated(seat, side))._judged()

    def _castles_felled(self) -> RampageState:
        """The top cards of both Castles are destroyed at once (``rampage/summoner``)."""
        seat = self.active
        tops = tuple([self.sides[s].castle.cards[0] for s in (seat, 1 - seat)])
        sides = [side.with_stack("castle", side.castle.without_top()) for side in self.sides]
        return changed(self, sides=(sides[0], sides[1]), discards=self.discards + tops)._judged()

    def _judged(self) -> RampageState:
        """Whether a Castle has fallen (``rampage/castle-falls``); of two, one's own counts."""
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
        cards = self.game.box.cards
        foe = 1 - self.active
        side = self.sides[foe]
        gate, castle = side.gate, side.castle
        gate_cards, castle_cards = gate.cards, castle.cards
        result = resolve(
            strength,
            tuple(map(cards.__getitem__, gate_cards)),
            tuple(map(cards.__getitem__, castle_cards)),
            at_castle=self.game._past_gates[at],  # rampage/target
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
        returns = held and self.game._returns[at]
        if held:  # rampage/held: the defender was seen, and goes back
            if last.stack == "gate":
                gate = gate.revealed()
            else:
                castle = castle.revealed()
        if not in_play:  # rampage/even: the attacker is discarded first
            fallen = (*fallen[:-1], at, fallen[-1])
        elif not paused and not returns:
            fallen = (*fallen, at)
        if returns:
            mine = mine.with_cards((at,))
        theirs = side.with_stacks(gate, castle)
        state = changed(
            self,
            sides=(theirs, mine) if foe == 0 else (mine, theirs),
            discards=discards + fallen,
            attacker=at,
            steps=steps + new_steps,
            loser=foe if castle_fell else None,
        )
        if paused:  # rampage/purple
            verb = cards[fallen[-1]].when_destroyed
            return state._struck_back(verb, at if in_play else None, left)
        return state

    def _struck_back(self, verb: str, at: int | None, left: int) -> RampageState:
        """A Saboteur or a Spy has been destroyed: its owner decides, then the attack goes on."""
        options = self._options(verb)
        if len(options) > 1:
            pause = Pause(verb, 1 - self.active, at, left, fighting=True)
            return changed(self, pause=pause)
        state = self._chosen(verb, options[0]) if options else self
        if at is None:
            return state
        return state._discarded(at) if state.loser is not None else state._assault_on(at, left)

    # -- what others may see -----------------------------------------------------------------

    def view(self, player: int) -> RampageState:
        """Stacks and pile only as numbers, but for cards that were revealed and put back."""
        self.game.check_seat(player)
        pause = self.pause
        spying = pause is not None and pause.verb == "spy" and pause.chooser == player
        sides = [
            side.hidden(own=seat == player, hand_shown=spying)
            for seat, side in enumerate(self.sides)
        ]
        return changed(
            self, sides=(sides[0], sides[1]), pile=(HIDDEN,) * len(self.pile), chance=None
        )

    def guess(self, player: int, chance: Chance) -> RampageState:
        """What is hidden, drawn from the cards that the player has not seen."""
        view = self.view(player)
        unseen, purple = view._unseen(), self.game.purple
        # What comes from the preparation is never purple, and is filled in first.
        plain, chance = chance.shuffle([card for card in unseen if not purple[card]])
        left = list(plain)
        preparing = not self.turn
        sides = [
            side._replace(
                gate=_filled_first(side.gate, left),
                castle=_filled_first(side.castle, left),
                dealt=tuple(sorted(_filled(side.dealt, left))),
                hand=_filled(side.hand, left) if preparing else side.hand,
            )
            for side in view.sides
        ]
        rest, chance = chance.shuffle(left + [card for card in unseen if purple[card]])
        left = list(rest)
        sides = [
            side._replace(
                gate=side.gate._replace(cards=_filled(side.gate.cards, left)),
                castle=side.castle._replace(cards=_filled(side.castle.cards, left)),
                hand=tuple(sorted(_filled(side.hand, left))),
            )
            for side in sides
        ]
        return changed(
            view, sides=(sides[0], sides[1]), pile=_filled(view.pile, left), chance=chance
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

    def estimate(self, player: int) -> float:
        """Walls, cards and permanent cards, mine less theirs."""
        return estimate(self, player)

    def prospects(self, player: int) -> tuple[Prospect, ...]:
        return prospects(self, player)

    def point(self, picks: tuple[str, ...]) -> Pointing:
        from castlelab.games.castle_rampage.pointing import point

        return point(self, picks)

    def picture(self) -> Scene:
        from castlelab.games.castle_rampage.picture import game_scene

        return game_scene(self)

    def describe(self) -> str:
        from castlelab.games.castle_rampage.picture import game_words

        return game_words(self)

    def __str__(self) -> str:
        return self.describe()


_AFTER: dict[type[Move], Callable[[RampageState, Any], RampageState]] = {
    Place: RampageState._after_place,
    Strengthen: RampageState._after_strengthen,
    Play: RampageState._after_play,
    Choose: RampageState._after_choose,
    EndTurn: RampageState._after_end,
}


def _filled(places: tuple[int, ...], unseen: list[int]) -> tuple[int, ...]:
    """The places with unseen cards, taken off the list, where something is hidden."""
    return tuple([unseen.pop() if at == HIDDEN else at for at in places])


def _filled_first(stack: Stack, unseen: list[int]) -> Stack:
    """The stack with only its cards from the preparation filled in."""
    upper, lower = stack.cards[: stack.first], stack.cards[stack.first :]
    return stack._replace(cards=_filled(upper, unseen) + lower)


def _unknown_pile() -> CastlelabError:
    return CastlelabError("a view does not know what the pile brings; guess a state first")
