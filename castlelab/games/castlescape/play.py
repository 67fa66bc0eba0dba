"""A whole game of CastleScape: contracts, turns of cards, inspections, the final score."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from operator import is_
from typing import TYPE_CHECKING, Any, ClassVar

from castlelab.chance import Chance
from castlelab.game import Game, Move, Moves, Option, State, changed, changed_at
from castlelab.games.castlescape import (
    asking,
    foresight,
    judge,
    masonry,
    moves,
    pointing,
    telling,
    worth,
)
from castlelab.games.castlescape.agenda import STALLS
from castlelab.games.castlescape.board import SIDES, Board, square_name
from castlelab.games.castlescape.box import Box, read_box
from castlelab.games.castlescape.guild import (
    CONTRACTS_DEALT,
    CUBES,
    HAND_SIZE,
    HIDDEN_CARD,
    AgendaStep,
    ClaimedBailey,
    Guild,
    TurnGains,
)
from castlelab.games.castlescape.moves import (
    END_TURN,
    PAY,
    PILES,
    SquareMoves,
    read_move,
)
from castlelab.games.castlescape.quests import COUNTS, MEASURES
from castlelab.games.castlescape.turns import TURNS
from castlelab.games.castlescape.worth import WorthTables

if TYPE_CHECKING:
    from castlelab.edition import Edition


def indices(bits: int) -> Iterator[int]:
    """The numbers of the squares in a set."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


@lru_cache(maxsize=1 << 10)  # a turn asks for it after every card
def _purchases(
    game: CastleScape, offers: tuple[int, ...], gold: int, free: int
) -> tuple[Move, ...]:
    """What may be bought for so much gold, and acquired up to such a cost."""
    found = list[Move]()
    for at in offers:
        cost = game.box.cards[at].cost
        if cost <= gold:
            found.append(game.buy_moves[at])
        if cost <= free:
            found.append(moves.Acquire(game.box.cards[at].name))
    return tuple(found)


@lru_cache(maxsize=1 << 10)
def _offers(
    game: CastleScape, stalls: tuple[int, ...], piles: tuple[int, ...], contracts: bool
) -> tuple[int, ...]:
    """Every kind of card in the market, stalls first, each once; New Contract needs contracts."""
    found = dict.fromkeys([at for at in stalls if at >= 0])
    for place, left in zip(game.standard, piles, strict=True):
        if left and (contracts or place != game.box.new_contract):
            found[place] = None
    return tuple(found)


#: Where in a guild the levels begin, and what else goals look at besides its cards.
_GOALS = Guild._fields.index("goals")


class CastleScape(Game):
    """CastleScape with its options: the side of the site, and the hardcore variant.

    There is no game of two teams: the rulebook names one and prints no rules
    (``castlescape/coop``).
    """

    name: ClassVar[str] = "castlescape"
    title: ClassVar[str] = "CastleScape"
    about: ClassVar[str] = "Build the King's walls, close baileys, and claim them for your guild."
    seats: ClassVar[range] = range(2, 5)
    futures = 60
    option_list: ClassVar[tuple[Option, ...]] = (
        Option("side", tuple(SIDES), 13, "how many squares the site has on each side"),
        Option("hardcore", (False, True), False, "recruits are never taken back"),
    )

    def set_up(self, edition: Edition) -> None:
        self.box: Box = read_box(edition)
        self.side: int = self.options["side"]
        self.hardcore: bool = self.options["hardcore"]
        self.quarry = self.box.quarry_of(self.side)[self.players - 2]
        self.inspections = self.box.inspections[self.players - 2]
        cards = self.box.cards
        self.shady: tuple[bool, ...] = tuple(card.shady for card in cards)
        self.renown: tuple[int, ...] = tuple(card.renown for card in cards)
        self.from_market: tuple[bool, ...] = tuple(card.family != "starter" for card in cards)
        self.from_stalls: tuple[bool, ...] = tuple(card.family == "rotating" for card in cards)
        self.rotating = self.box.pack("rotating")
        #: The places of the cards with piles of their own.
        self.standard = tuple(p for p, card in enumerate(cards) if card.family == "standard")
        self.grid = Board.start(self.side).grid
        self.worth_tables = WorthTables(self.box, self.grid)
        self.squares = tuple(square_name(divmod(index, self.side)) for index in range(self.side**2))
        self.bits = {name: 1 << index for index, name in enumerate(self.squares)}
        self.beside = tuple(self.grid.neighbours(1 << i) for i in range(self.side**2))
        middle = self.side // 2
        self.quarters: tuple[int, ...] = tuple(
            self.grid.bits((r, c) for r in rows for c in columns)
            for rows in (range(middle), range(middle + 1, self.side))
            for columns in (range(middle), range(middle + 1, self.side))
        )
        # Moves are values, so those that come up all the time are made once.
        self.wall_moves = SquareMoves(map(moves.Wall, self.squares))
        self.recruit_moves = SquareMoves(map(moves.Recruit, self.squares))
        self.recall_moves = SquareMoves(map(moves.Recall, self.squares))
        self.dismiss_moves = SquareMoves(map(moves.Dismiss, self.squares))
        self.play_moves = tuple(
            tuple(moves.Play(card.name, way) for way in range(1, len(card.choices) + 1))
            or (moves.Play(card.name),)
            for card in cards
        )
        self.buy_moves = tuple(moves.Buy(card.name) for card in cards)
        self.goal_tests = tuple(
            (COUNTS[goal.measure], MEASURES[goal.measure].at_most, goal.number)
            for goal in self.box.goals
        )
        self.claim_moves = tuple(moves.ClaimGoal(goal.name) for goal in self.box.goals)
        self.last_claims: tuple[tuple[object, ...], Moves] = (None,), ()

    def move(self, text: str) -> Move:
        return read_move(text, self.box, self.side)

    @property
    def legend(self) -> tuple[tuple[str, str], ...]:
        """What the signs on cards and the numbers on the site mean."""
        return telling.LEGEND

    def start(self, seed: int | str = 0) -> ScapeState:
        """Set up the site, the market and the guilds; everybody is dealt four contracts."""
        chance = Chance.seeded(seed)
        starter, chance = chance.below(self.players)
        own = self.box.pack("starter")
        guilds = []
        contracts, chance = chance.shuffle(range(len(self.box.contracts)))
        for _ in range(self.players):
            deck, chance = chance.shuffle(own)  # castlescape/starter-deck
            dealt, contracts = contracts[:CONTRACTS_DEALT], contracts[CONTRACTS_DEALT:]
            hand = tuple(sorted(deck[:HAND_SIZE]))
            guilds.append(Guild(deck[HAND_SIZE:], hand, own, dealt=tuple(sorted(dealt))))
        rotating, chance = chance.shuffle(self.rotating)
        goals, chance = chance.sample(range(len(self.box.goals)), self.players + 1)
        return ScapeState(
            game=self,
            board=Board.start(self.side),  # castlescape/first-wall
            guilds=tuple(guilds),
            turn=TurnGains(),
            quarry=self.quarry,  # castlescape/quarry-setup
            marker=self.inspections,
            stalls=rotating[:STALLS],  # castlescape/market
            rotating=rotating[STALLS:],
            piles=tuple(self.box.copies[place] for place in self.standard),
            goals=tuple(sorted(goals)),  # castlescape/goals-dealt
            contracts=contracts,
            starter=starter,
            active=starter,
            chance=chance,
        )

    def around_table(self, first: int) -> Iterator[int]:
        """Every seat in the order of play, from one of them."""
        return (seat % self.players for seat in range(first, first + self.players))


@dataclass(frozen=True)
class ScapeState(State):
    """One moment of a game of CastleScape."""

    game: CastleScape = field(compare=False)
    board: Board
    guilds: tuple[Guild, ...]
    turn: TurnGains
    quarry: int
    marker: int  # Inspections to come, the last one being the Final Inspection
    stalls: tuple[int, ...]  # EMPTY_STALL where a card was bought this turn
    rotating: tuple[int, ...]  # the deck, top first
    piles: tuple[int, ...]  # what is left of each standard card
    goals: tuple[int, ...]
    contracts: tuple[int, ...]  # the deck
    starter: int
    active: int  # the seat whose turn it is
    chance: Chance | None  # what shuffling will bring; None in a view
    claims: tuple[ClaimedBailey, ...] = ()  # every completed bailey, in order
    enclosed: int = 0  # their squares
    gone: tuple[int, ...] = ()  # cards that have left the game
    agenda: tuple[AgendaStep, ...] = ()  # what must happen before the turn goes on
    round: int = 0  # 0 is the preparation
    quiet: int = 0  # turns in a row in which nothing was built, positioned, bought or claimed
    ending: str = ""  # why this round is the last: "quarry", "market" or "winter"
    finished: bool = False

    # -- whose turn, what is where -----------------------------------------------------------

    check = judge.judge
    estimate, likeness, prospects = worth.estimate, worth.likeness, worth.prospects
    forecast = foresight.forecast
    point, describe = pointing.point, telling.table_words
    questions = asking.questions
    tell_move, tell_shorter = telling.tell_move, telling.tell_shorter
    tell_news, tell_concealed = telling.tell_news, telling.tell_concealed
    sources = telling.sources
    __str__ = describe

    @property
    def closed(self) -> int:
        return len(self.claims)

    @property
    def to_move(self) -> int | None:
        if self.finished:
            return None
        if self.agenda:
            return self.agenda[0].seat
        return self.active if self.round else self.chooser

    @property
    def chooser(self) -> int:
        """In the preparation: the seat that chooses its contracts."""
        return next(s for s, guild in enumerate(self.guilds) if guild.dealt)

    def how_far(self) -> str:
        return f"round {self.round}" if self.round else "preparation"

    @property
    def scores(self) -> tuple[int, ...]:
        """Renown, fulfilled contracts and cards, less Corruption (``castlescape/final-score``)."""
        return tuple([self._score(seat) for seat in range(len(self.guilds))])

    def _score(self, seat: int) -> int:
        guild, box = self.guilds[seat], self.game.box
        kept = [box.contracts[at] for at in guild.contracts if at != HIDDEN_CARD]
        return (
            guild.renown
            + sum([contract.renown for contract in kept if contract.met(self, seat)])
            + sum(map(self.game.renown.__getitem__, guild.owned))
            - guild.corruption
        )

    @property
    def winners(self) -> tuple[int, ...]:
        """Most points; then the largest claimed bailey, influence, fewest shady cards."""
        if not self.finished:
            return ()
        ranks = [
            (
                score,
                max([claim.size for claim in self.claims if seat in claim.seats], default=0),
                self.board.influence(seat),
                -sum(map(self.game.shady.__getitem__, self.guilds[seat].owned)),
            )
            for seat, score in enumerate(self.scores)
        ]
        best = max(ranks)
        return tuple(seat for seat, rank in enumerate(ranks) if rank == best)

    def cubes(self, seat: int) -> int:
        """How many recruits a player has beside the site."""
        return CUBES - self.board.recruits(seat)

    def influence_in(self, squares: int, walls: int) -> list[int]:
        """The influence of each player in a bailey (``castlescape/influence``)."""
        board = self.board
        return [
            (board.ground[seat] & squares).bit_count() + 2 * (board.atop[seat] & walls).bit_count()
            for seat in range(len(self.guilds))
        ]

    def holder(self, claim: ClaimedBailey) -> int | None:
        """Who alone has most influence in a bailey now (``castlescape/occupation``)."""
        there = self.influence_in(claim.squares, claim.walls)
        best = max(there)
        return there.index(best) if best and there.count(best) == 1 else None

    def offers(self) -> tuple[int, ...]:
        """Every kind of card in the market, stalls first, each once."""
        return _offers(self.game, self.stalls, self.piles, bool(self.contracts))

    def older(self, card: int) -> int:
        """How many copies of a card, neither in play nor in the Back Alley, did not come this turn.

        Equal cards cannot be told apart. The older ones are taken to be drawn first.
        """
        guild, turn = self.guilds[self.active], self.turn
        elsewhere = (turn.new, turn.played, guild.alley)
        return guild.owned.count(card) - sum([cards.count(card) for cards in elsewhere])

    def may_play(self, card: int) -> bool:
        """Whether a card in hand may be played: not in the turn it came (``castlescape/buy``)."""
        return card not in self.turn.new or self.older(card) > 0

    # -- where recruits may go ---------------------------------------------------------------

    def wall_spots(self) -> int:
        """Where the player whose turn it is may build the next wall."""
        return masonry.spots(self.board, self.turn.masonry)

    def free_walls(self) -> int:
        """The walls without a recruit."""
        board = self.board
        a, b, c, d = board.atop
        return board.walls & ~(a | b | c | d)

    def recruit_spots(self) -> int:
        """Where a recruit may be positioned now: on the ground, or on walls by a card."""
        turn, found = self.turn, 0
        if (turn.recruits or turn.sentries) and self.cubes(self.active):
            if turn.recruits:
                found |= self.board.position_spots()
            if turn.sentries:
                found |= self.free_walls()
        return found

    def recall_spots(self) -> int:
        """The own recruits that may be taken back (``castlescape/cubes-out``)."""
        turn, seat = self.turn, self.active
        if self.game.hardcore or not (turn.recruits or turn.sentries) or self.cubes(seat):
            return 0
        return self.board.ground[seat] | self.board.atop[seat]

    def oust_spots(self) -> int:
        """The rivals' recruits that may be removed (``castlescape/adjacent``)."""
        if not self.turn.ousts:
            return 0
        board, seat = self.board, self.active
        rivals = 0
        for other in range(len(self.guilds)):
            if other != seat:
                rivals |= board.ground[other] | board.atop[other]
        return rivals & self.game.grid.neighbours(board.ground[seat] | board.atop[seat])

    def move_spots(self, start: int) -> int:
        """Where the own recruit on this square may move, or climb if it is on the ground."""
        turn, found = self.turn, 0
        if turn.moves:
            found |= self.board.position_spots()
        if turn.climbs and not self.board.walls >> start & 1:
            found |= self.free_walls()
        return found & self.game.beside[start]

    # -- legal moves -------------------------------------------------------------------------

    def moves(self) -> tuple[Move, ...]:
        if self.finished:
            return ()
        if self.agenda:
            return tuple(self._due_moves(self.agenda[0]))
        if not self.round:
            return tuple(self._keep_moves(self.chooser))
        return tuple(self._turn_moves())

    def _keep_moves(self, seat: int) -> list[Move]:
        contracts = self.game.box.contracts
        return [
            moves.Keep(contracts[at].name) for at in self.guilds[seat].dealt if at != HIDDEN_CARD
        ]

    def _due_moves(self, step: AgendaStep) -> Iterable[Move]:
        """The ways to do what is due: keep a contract, or give something up."""
        if step.kind == "keep":
            return self._keep_moves(step.seat)
        board, game = self.board, self.game
        recruits = board.ground[step.seat] | board.atop[step.seat]
        if recruits:
            return game.dismiss_moves.on(recruits)
        hand = dict.fromkeys(self.guilds[step.seat].hand)
        found: list[Move] = [
            moves.Discard(game.box.cards[at].name) for at in hand if at != HIDDEN_CARD
        ]
        return [*found, PAY] if step.kind == "levy" else found

    def _turn_moves(self) -> list[Move]:
        game, turn, guild = self.game, self.turn, self.guilds[self.active]
        found: list[Move] = []
        for card in dict.fromkeys(guild.hand):
            if card != HIDDEN_CARD and (not turn.new or self.may_play(card)):
                found += game.play_moves[card]
        if turn.masonry != masonry.NOTHING:
            found += game.wall_moves.on(self.wall_spots())
        if turn.recruits or turn.sentries:
            found += game.recruit_moves.on(self.recruit_spots())
        if turn.moves or turn.climbs:
            names = game.squares
            board, seat = self.board, self.active
            for start in indices(board.ground[seat] | board.atop[seat]):
                found += [
                    moves.MoveRecruit(names[start], names[end])
                    for end in indices(self.move_spots(start))
                ]
        if turn.ousts:
            found += [moves.Oust(game.squares[at]) for at in indices(self.oust_spots())]
        if turn.recruits or turn.sentries:
            found += game.recall_moves.on(self.recall_spots())
        if turn.gold or turn.acquires:
            most = turn.acquires[-1] if turn.acquires else 0
            found += _purchases(game, self.offers(), turn.gold, most)
        if turn.from_hand or turn.from_discards or turn.blames:
            found += self._cards_away()
        if not turn.goal_taken:
            found += self._claim_moves()
        found.append(END_TURN)
        return found

    def _claim_moves(self) -> tuple[Move, ...]:
        """The goals that may be taken. Most moves change nothing that goals look at, so the state
        that was looked at before is asked first.
        """
        game, seat = self.game, self.active
        guild = self.guilds[seat]
        looked_at = (self.goals, self.board, self.claims, guild.owned, *guild[_GOALS:], seat)
        last, found = game.last_claims
        if not all(map(is_, looked_at, last)):
            tests, claims = game.goal_tests, list[Move]()
            for at in self.goals:
                counted, at_most, number = tests[at]
                has = counted(self, seat)
                if has <= number if at_most else has >= number:
                    claims.append(game.claim_moves[at])
            found = tuple(claims)
            game.last_claims = looked_at, found
        return found

    def _cards_away(self) -> Iterator[Move]:
        """Cards that may be destroyed, and discarded from the Back Alley."""
        turn, guild, cards = self.turn, self.guilds[self.active], self.game.box.cards
        for pile, number, held in (
            (PILES[0], turn.from_hand, guild.hand),
            (PILES[1], turn.from_discards, guild.discards),
        ):
            if number:
                for at in dict.fromkeys(held):
                    if at != HIDDEN_CARD:
                        yield moves.Destroy(pile, cards[at].name)
        if turn.blames:
            for at in dict.fromkeys(guild.alley):
                yield moves.Shift(cards[at].name)

    # -- play --------------------------------------------------------------------------------

    def after(self, move: Move) -> ScapeState:
        return TURNS[type(move)](self, move)

    def seated(self, seat: int, guild: Guild) -> tuple[Guild, ...]:
        """All guilds, one of them new."""
        return changed_at(self.guilds, seat, guild)

    def with_guild(self, seat: int, **changes: Any) -> ScapeState:
        guild = self.guilds[seat]._replace(**changes)
        return changed(self, guilds=self.seated(seat, guild))

    def done(self, *instead: AgendaStep, **changes: Any) -> ScapeState:
        """The state with its first step done, or replaced by others."""
        return changed(self, agenda=instead + self.agenda[1:], **changes)

    # -- what others may see -----------------------------------------------------------------

    def view(self, player: int) -> ScapeState:
        """No decks, no hands and contracts of others; who owns which cards is known."""
        self.game.check_seat(player)
        guilds = [
            guild.hidden(own=seat == player, over=self.finished)
            for seat, guild in enumerate(self.guilds)
        ]
        return changed(
            self,
            guilds=tuple(guilds),
            rotating=(HIDDEN_CARD,) * len(self.rotating),
            contracts=(HIDDEN_CARD,) * len(self.contracts),
            chance=None,
        )

    def guess(self, player: int, chance: Chance) -> ScapeState:
        """What is hidden, dealt at random from what the player has not seen."""
        view = self.view(player)
        shown = {at for guild in view.guilds for at in guild.contracts + guild.dealt}
        number = len(view.game.box.contracts)
        packs = [tuple([at for at in range(number) if at not in shown])]
        for seat, guild in enumerate(view.guilds):
            played = view.turn.played if seat == view.active else ()
            packs.append(_less(guild.owned, (*guild.discards, *guild.alley, *guild.hand, *played)))
        owned = [card for guild in view.guilds for card in guild.owned]
        lying = (*view.stalls, *view.gone)  # the others are nobody's, and have not left the game
        packs.append(_less(view.game.rotating, (*lying, *owned)))
        (orders, *unseen, rotating), chance = chance.shuffle_each(packs)
        guilds = [
            guild._replace(
                hand=tuple(sorted(_filled(guild.hand, cards))),
                deck=_filled(guild.deck, cards),
                dealt=tuple(sorted(_filled(guild.dealt, orders))),
                contracts=tuple(sorted(_filled(guild.contracts, orders))),
            )
            for guild, cards in zip(view.guilds, unseen, strict=True)
        ]
        return changed(
            view,
            guilds=tuple(guilds),
            rotating=tuple(rotating),
            contracts=_filled(view.contracts, orders),
            chance=chance,
        )

    def conceals(self, move: Move) -> bool:
        """A contract is kept in secret (``castlescape/contract``)."""
        return type(move) is moves.Keep


@lru_cache(maxsize=1 << 6)  # a view is guessed again and again
def _less(cards: tuple[int, ...], seen: tuple[int, ...]) -> tuple[int, ...]:
    """The cards that are left without those that were seen, copy by copy."""
    gone = dict[int, int]()
    for card in seen:
        gone[card] = gone.get(card, 0) + 1
    left = []
    for card in cards:
        if gone.get(card):
            gone[card] -= 1
        else:
            left.append(card)
    return tuple(left)


def _filled(places: tuple[int, ...], unseen: list[int]) -> tuple[int, ...]:
    """The places with unseen cards, taken off the list, where something is hidden."""
    return tuple([unseen.pop() if at == HIDDEN_CARD else at for at in places])
