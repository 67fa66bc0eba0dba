"""A whole game of Castle Rampage: preparation, turns, attacks, the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from castlelab.chance import Chance
from castlelab.game import Game, Move, Sentence, Source, Standing, State, changed
from castlelab.games.castle_rampage import asking, pointing, telling, worth
from castlelab.games.castle_rampage.attack import FACE_DOWN, Defender, Step
from castlelab.games.castle_rampage.box import CARDS, Box, read_box
from castlelab.games.castle_rampage.card import STACKS, Card, scheme_strength
from castlelab.games.castle_rampage.judge import judge
from castlelab.games.castle_rampage.moves import (
    END_TURN,
    Choose,
    Place,
    Play,
    Strengthen,
    read_move,
)
from castlelab.games.castle_rampage.table import FIRST, HIDDEN, PER_STACK, Pause, Side, Stack
from castlelab.games.castle_rampage.turns import TURNS, deal, options_for

if TYPE_CHECKING:
    from castlelab.edition import Edition

K = TypeVar("K")
T = TypeVar("T")

_FEW = 2  # hands of so few cards come up again and again; there are not many of them


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

    def set_up(self, edition: Edition) -> None:
        self.box: Box = read_box(edition)
        cards = self.box.cards
        self.cost = tuple(card.cost for card in cards)
        self.place_cost = tuple(card.place_cost for card in cards)
        # The last one stands for HIDDEN: what comes of it, nobody can say.
        self.faces: tuple[Defender, ...] = (*cards, FACE_DOWN)
        # What a card may be that was placed in the preparation, and laid down for nothing.
        self.plain = tuple(not card.purple for card in cards)
        self.laid_free = tuple(not card.place_cost for card in cards)
        walls = tuple(map(worth.wall_worth, cards))
        self.gate_worth = tuple(gate for gate, _ in walls)
        self.castle_worth = tuple(castle for _, castle in walls)
        self.hand_worth = tuple(map(worth.hand_worth, cards))
        self.standing_worth = tuple(map(worth.standing_worth, cards))
        # Moves are values, so those that come up all the time are made once.
        self.place = {stack: tuple(Place(stack, card.name) for card in cards) for stack in STACKS}
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
        self.past_gates = tuple(card.does("target-castle") for card in cards)
        self.returns = tuple(card.does("return-when-held") for card in cards)
        self.rests_at_home = tuple(not card.cost and not card.pays for card in cards)
        self.stays = tuple(card.permanent for card in cards)
        self.bombs = (*(card.when_destroyed == "bomb" for card in cards), False)
        self._paid_strengthens = tuple(
            _Kept(partial(self._paid_strengthen, card)) for card in cards
        )
        self._moves_with_few = _Kept(partial(self._hand_moves, strengthening=True))
        self._plays_with_few = _Kept(partial(self._hand_moves, strengthening=False))
        self.totals = _Kept(self._total_of)
        self.choices = _Kept(Choose)

    @property
    def legend(self) -> tuple[tuple[str, str], ...]:
        return telling.LEGEND

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
        return deal(state)

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
        return Play(card.name, self.names(paid))

    def paid_strengthens(self, card: int, rest: tuple[int, ...]) -> Iterable[Strengthen]:
        """Every way to strengthen with a card that costs something, paid by the rest."""
        payments = dict.fromkeys(combinations(rest, self.place_cost[card]))
        return chain.from_iterable(map(self._paid_strengthens[card].__getitem__, payments))

    def _paid_strengthen(self, card: Card, paid: tuple[int, ...]) -> tuple[Strengthen, ...]:
        names = self.names(paid)
        return tuple(Strengthen(stack, card.name, names) for stack in STACKS)

    def _total_of(self, permanents: tuple[int, ...]) -> Counter[str]:
        """What permanent cards add up to: verb → number."""
        return sum((Counter(self.box.cards[card].numbers) for card in permanents), Counter())

    def names(self, cards: tuple[int, ...]) -> tuple[str, ...]:
        """The names of cards; what a view hides has none."""
        return tuple([self.box.cards[card].name for card in cards if card != HIDDEN])


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

    check = judge
    estimate, prospects = worth.estimate, worth.prospects
    point = pointing.point

    # -- whose turn, what is where -----------------------------------------------------------

    @property
    def to_move(self) -> int | None:
        if self.loser is not None:
            return None
        if self.pause is not None:
            return self.pause.chooser
        if self.turn:
            return self.active
        return self.placing

    @property
    def placing(self) -> int:
        """The seat that places its dealt cards, before the first turn."""
        return 0 if self.sides[0].dealt else 1

    def how_far(self) -> str:
        return f"turn {self.turn}" if self.turn else "preparation"

    @property
    def scores(self) -> tuple[int, ...]:
        """One point for the winner."""
        if self.loser is None:
            return 0, 0
        return (0, 1) if self.loser == 0 else (1, 0)

    def sources(self, player: int) -> tuple[Source, ...]:
        won = self.scores[player]
        return (
            Source("Brought the other Castle down", won * (not self.lifted)),
            Source("Held the larger Castle to the end", won * self.lifted),
        )

    def standing(self, player: int) -> Standing:
        """How many cards still defend a player: only the end brings a point."""
        side = self.sides[player]
        return Standing(len(side.gate.cards) + len(side.castle.cards), "cards")

    def remarks(self, player: int) -> tuple[str, ...]:
        side = self.sides[player]
        stands = (f"Gate {len(side.gate.cards)}", f"Castle {len(side.castle.cards)}")
        stays = [str(self.game.box.cards[at]) for at in side.permanents]
        return (*stands, f"{len(side.hand)} in hand", *stays)

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
        return self.game.totals[standing].get(verb, 0) if standing else 0

    def cards(self, places: tuple[int, ...]) -> tuple[Card | None, ...]:
        """Places in the box as cards; None for a hidden one."""
        known = self.game.box.cards
        return tuple([None if at == HIDDEN else known[at] for at in places])

    def options(self) -> tuple[str, ...]:
        """What may be chosen now: stacks or names of cards; nothing if no choice is due."""
        return options_for(self, self.pause.verb) if self.pause is not None else ()

    # -- legal moves -------------------------------------------------------------------------

    def moves(self) -> tuple[Move, ...]:
        if self.loser is not None:
            return ()
        if self.pause is not None:
            return tuple(map(self.game.choices.__getitem__, options_for(self, self.pause.verb)))
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
        return tuple([m for m in moves if not (isinstance(m, Play) and self.rests(m.card))])

    def rests(self, name: str) -> bool:
        """Whether all cards of a name have come home in this turn (``castle_rampage/held``)."""
        card = self.game.box.places[name]
        return 0 < self.sides[self.active].hand.count(card) <= self.rested.count(card)

    def _place_moves(self) -> tuple[Move, ...]:
        side = self.sides[self.placing]
        kinds, most = dict.fromkeys(side.dealt), PER_STACK * self.deals
        kinds.pop(HIDDEN, None)
        found: list[Move] = []
        for stack, cards in ((STACKS[0], side.gate.cards), (STACKS[1], side.castle.cards)):
            if len(cards) < most:
                found += map(self.game.place[stack].__getitem__, kinds)
        return tuple(found)

    def after(self, move: Move) -> RampageState:
        return TURNS[type(move)](self, move)

    def with_side(self, seat: int, side: Side, **changes: Any) -> RampageState:
        """The state with one side new, and whatever else has changed."""
        sides = (side, self.sides[1]) if seat == 0 else (self.sides[0], side)
        return changed(self, sides=sides, **changes)

    # -- what others may see -----------------------------------------------------------------

    def view(self, player: int) -> RampageState:
        """The own things, which one knows; of the others' what everybody has seen."""
        self.game.check_seat(player)
        foe = self.sides[1 - player].hidden(self.game.place_cost)
        return self.with_side(1 - player, foe, pile=(HIDDEN,) * len(self.pile), chance=None)

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
        pile = tuple(unseen[: -1 - len(view.pile) : -1])  # all of it is hidden
        return view.with_side(1 - player, foe, pile=pile, chance=chance)

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

    questions = asking.questions
    tell_move, tell_shorter = telling.tell_move, telling.tell_shorter
    tell_news = telling.tell_news

    def tell_concealed(self, kind: str) -> Sentence:
        return telling.CONCEALED[kind]


def _filled(places: tuple[int, ...], take: Callable[[], int]) -> tuple[int, ...]:
    """The places with cards where something is hidden."""
    return tuple([take() if at == HIDDEN else at for at in places])


def _filled_in(stack: Stack, mark: int | None, take: Callable[[], int]) -> Stack:
    """The stack with cards where something is hidden; with a mark, only where that stands."""
    if HIDDEN not in stack.cards:
        return stack
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
