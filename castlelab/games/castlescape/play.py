"""A whole game of CastleScape: contracts, turns of cards, inspections, the final score."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import compress
from typing import TYPE_CHECKING, Any, ClassVar

from castlelab.chance import Chance
from castlelab.game import Game, Move, Option, Pointing, Prospect, State, changed
from castlelab.games.castlescape import agenda, judge, masonry
from castlelab.games.castlescape.board import Board, square_name
from castlelab.games.castlescape.box import Box, read_box
from castlelab.games.castlescape.card import Effect
from castlelab.games.castlescape.guild import (
    CUBES,
    EMPTY,
    HIDDEN,
    Claim,
    Guild,
    Step,
    Turn,
    without,
)
from castlelab.games.castlescape.moves import (
    END_TURN,
    PAY,
    PILES,
    Acquire,
    Buy,
    ClaimGoal,
    Destroy,
    Discard,
    Dismiss,
    EndTurn,
    Keep,
    MoveRecruit,
    Oust,
    Pay,
    Play,
    Recall,
    Recruit,
    Shift,
    Wall,
    read_move,
)
from castlelab.games.castlescape.worth import Judgement, estimate, prospects
from castlelab.rules import LEGAL, Verdict

if TYPE_CHECKING:
    from castlelab.draw.scene import Scene
    from castlelab.edition import Edition

HAND = 5
CONTRACTS_DEALT, CONTRACTS_KEPT = 4, 2
SIDES = tuple(range(7, 26, 2))


def indices(bits: int) -> Iterator[int]:
    """The numbers of the squares in a set."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def _picked(moves: tuple[Move, ...], squares: int) -> Iterator[Move]:
    """The moves of these squares, in a hurry: recruits may go nearly everywhere."""
    return compress(moves, map("1".__eq__, bin(squares)[:1:-1]))


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
        Option("side", SIDES, 13, "how many squares the site has on each side"),
        Option("hardcore", (False, True), False, "recruits are never taken back"),
    )

    def __init__(
        self, players: int | None = None, edition: Edition | None = None, **options: Any
    ) -> None:
        super().__init__(players, edition, **options)
        assert edition is not None
        self.box: Box = read_box(edition)
        self.side: int = self.options["side"]
        self.hardcore: bool = self.options["hardcore"]
        self.quarry = self.box.quarry_of(self.side)[self.players - 2]
        self.inspections = self.box.inspections[self.players - 2]
        cards = self.box.cards
        self.shady = tuple(card.shady for card in cards)
        self.renown = tuple(card.renown for card in cards)
        self.from_market = tuple(card.family != "starter" for card in cards)
        self.from_stalls = tuple(card.family == "rotating" for card in cards)
        #: The places of the cards with piles of their own.
        self.standard = tuple(p for p, card in enumerate(cards) if card.family == "standard")
        self.grid = Board.start(self.side).grid
        self.judgement = Judgement(self.box, self.grid)
        self.squares = tuple(square_name(divmod(index, self.side)) for index in range(self.side**2))
        self.bits = {name: 1 << index for index, name in enumerate(self.squares)}
        self.beside = tuple(self.grid.neighbours(1 << i) for i in range(self.side**2))
        middle = self.side // 2
        self.quarters = tuple(
            self.grid.bits((r, c) for r in rows for c in columns)
            for rows in (range(middle), range(middle + 1, self.side))
            for columns in (range(middle), range(middle + 1, self.side))
        )
        # Moves are values, so those that come up all the time are made once.
        self.wall_moves = tuple(map(Wall, self.squares))
        self.recruit_moves = tuple(map(Recruit, self.squares))
        self.dismiss_moves = tuple(map(Dismiss, self.squares))
        self.play_moves = tuple(
            tuple(Play(card.name, way) for way in range(1, len(card.choices) + 1))
            or (Play(card.name),)
            for card in cards
        )
        self.buy_moves = tuple(Buy(card.name) for card in cards)

    @classmethod
    def cover(cls) -> Scene:
        from castlelab.games.castlescape.picture import cover_scene

        return cover_scene()

    def move(self, text: str) -> Move:
        return read_move(text, self.box, self.side)

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
            hand = tuple(sorted(deck[:HAND]))
            guilds.append(Guild(deck[HAND:], hand, own, dealt=tuple(sorted(dealt))))
        rotating, chance = chance.shuffle(self.box.pack("rotating"))
        goals, chance = chance.sample(range(len(self.box.goals)), self.players + 1)
        return ScapeState(
            game=self,
            board=Board.start(self.side),  # castlescape/first-wall
            guilds=tuple(guilds),
            turn=Turn(),
            quarry=self.quarry,  # castlescape/quarry-setup
            marker=self.inspections,
            stalls=rotating[: agenda.STALLS],  # castlescape/market
            rotating=rotating[agenda.STALLS :],
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
    turn: Turn
    quarry: int
    marker: int  # Inspections to come, the last one being the Final Inspection
    stalls: tuple[int, ...]  # EMPTY where a card was bought this turn
    rotating: tuple[int, ...]  # the deck, top first
    piles: tuple[int, ...]  # what is left of each standard card
    goals: tuple[int, ...]
    contracts: tuple[int, ...]  # the deck
    starter: int
    active: int  # the seat whose turn it is
    chance: Chance | None  # what shuffling will bring; None in a view
    claims: tuple[Claim, ...] = ()  # every completed bailey, in order
    enclosed: int = 0  # their squares
    gone: tuple[int, ...] = ()  # cards that have left the game
    agenda: tuple[Step, ...] = ()  # what must happen before the turn goes on
    round: int = 0  # 0 is the preparation
    quiet: int = 0  # turns in a row in which nothing was built, positioned, bought or claimed
    ending: str = ""  # why this round is the last: "quarry", "market" or "winter"
    finished: bool = False

    # -- whose turn, what is where -----------------------------------------------------------

    @property
    def to_move(self) -> int | None:
        if self.finished:
            return None
        if self.agenda:
            return self.agenda[0].seat
        return self.active if self.round else self.chooser

    @property
    def final(self) -> bool:
        """Whether this round is the last (``castlescape/final-round``)."""
        return bool(self.ending)

    @property
    def chooser(self) -> int:
        """In the preparation: the seat that chooses its contracts."""
        return next(s for s, guild in enumerate(self.guilds) if guild.dealt)

    @property
    def scores(self) -> tuple[int, ...]:
        """Renown, fulfilled contracts and cards, less Corruption (``castlescape/final-score``)."""
        return tuple([self._score(seat) for seat in range(len(self.guilds))])

    def _score(self, seat: int) -> int:
        guild, box = self.guilds[seat], self.game.box
        kept = [box.contracts[at] for at in guild.contracts if at != HIDDEN]
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
        board = self.board
        return CUBES - (board.ground[seat] | board.atop[seat]).bit_count()

    def influence_in(self, squares: int, walls: int) -> list[int]:
        """The influence of each player in a bailey (``castlescape/influence``)."""
        board = self.board
        return [
            (board.ground[seat] & squares).bit_count() + 2 * (board.atop[seat] & walls).bit_count()
            for seat in range(len(self.guilds))
        ]

    def holder(self, claim: Claim) -> int | None:
        """Who alone has most influence in a bailey now (``castlescape/occupation``)."""
        there = self.influence_in(claim.squares, claim.walls)
        best = max(there)
        return there.index(best) if best and there.count(best) == 1 else None

    def offers(self) -> list[int]:
        """Every kind of card in the market, stalls first, each once."""
        found = dict.fromkeys(at for at in self.stalls if at >= 0)
        for place, left in zip(self.game.standard, self.piles, strict=True):
            if left and (place != self.game.box.new_contract or self.contracts):
                found[place] = None
        return list(found)

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
        return [Keep(contracts[at].name) for at in self.guilds[seat].dealt if at != HIDDEN]

    def _due_moves(self, step: Step) -> list[Move]:
        """The ways to do what is due: keep a contract, or give something up."""
        if step.kind == "keep":
            return self._keep_moves(step.seat)
        board, game = self.board, self.game
        recruits = board.ground[step.seat] | board.atop[step.seat]
        if recruits:
            return [game.dismiss_moves[at] for at in indices(recruits)]
        hand = dict.fromkeys(self.guilds[step.seat].hand)
        found: list[Move] = [Discard(game.box.cards[at].name) for at in hand if at != HIDDEN]
        return [*found, PAY] if step.kind == "levy" else found

    def _turn_moves(self) -> list[Move]:
        game, turn, guild = self.game, self.turn, self.guilds[self.active]
        found: list[Move] = []
        for card in dict.fromkeys(guild.hand):
            if card != HIDDEN and (not turn.new or self.may_play(card)):
                found += game.play_moves[card]
        if turn.masonry != masonry.NOTHING:
            found += [game.wall_moves[at] for at in indices(self.wall_spots())]
        if turn.recruits or turn.sentries:
            found += _picked(game.recruit_moves, self.recruit_spots())
        if turn.moves or turn.climbs:
            names = game.squares
            board, seat = self.board, self.active
            for start in indices(board.ground[seat] | board.atop[seat]):
                found += [
                    MoveRecruit(names[start], names[end]) for end in indices(self.move_spots(start))
                ]
        if turn.ousts:
            found += [Oust(game.squares[at]) for at in indices(self.oust_spots())]
        if turn.recruits or turn.sentries:
            found += [Recall(game.squares[at]) for at in indices(self.recall_spots())]
        found += self._card_moves()
        if not turn.goal_taken:
            found += [
                ClaimGoal(game.box.goals[at].name)
                for at in self.goals
                if game.box.goals[at].met(self, self.active)
            ]
        found.append(END_TURN)
        return found

    def _card_moves(self) -> Iterator[Move]:
        """What may be done with cards, besides playing them."""
        game, turn, guild = self.game, self.turn, self.guilds[self.active]
        cards = game.box.cards
        if turn.gold or turn.acquires:
            most = turn.acquires[-1] if turn.acquires else 0
            for at in self.offers():
                if cards[at].cost <= turn.gold:
                    yield game.buy_moves[at]
                if cards[at].cost <= most:
                    yield Acquire(cards[at].name)
        for pile, number, held in (
            (PILES[0], turn.from_hand, guild.hand),
            (PILES[1], turn.from_discards, guild.discards),
        ):
            if number:
                for at in dict.fromkeys(held):
                    if at != HIDDEN:
                        yield Destroy(pile, cards[at].name)
        if turn.blames:
            for at in dict.fromkeys(guild.alley):
                yield Shift(cards[at].name)

    # -- check -------------------------------------------------------------------------------

    def check(self, move: Move) -> Verdict:
        # Most moves that are asked about come from the list: those of the board are told
        # apart by a single bit.
        if not self.agenda and self.round and not self.finished:
            spots = 0
            if type(move) is Wall:
                spots = self.wall_spots() & self.game.bits.get(move.square, 0)
            elif type(move) is Recruit:
                spots = self.recruit_spots() & self.game.bits.get(move.square, 0)
            if spots:
                return LEGAL
        breaches = tuple(judge.breaches(self, move))
        return Verdict(breaches) if breaches else LEGAL

    # -- play --------------------------------------------------------------------------------

    def after(self, move: Move) -> ScapeState:
        return _AFTER[type(move)](self, move)

    def seated(self, seat: int, guild: Guild) -> tuple[Guild, ...]:
        """All guilds, one of them new."""
        guilds = self.guilds
        return (*guilds[:seat], guild, *guilds[seat + 1 :])

    def with_guild(self, seat: int, **changes: Any) -> ScapeState:
        guild = self.guilds[seat]._replace(**changes)
        return changed(self, guilds=self.seated(seat, guild))

    def _after_keep(self, move: Keep) -> ScapeState:
        """A contract is kept; the others go back when there are enough of them."""
        preparing = not self.agenda
        seat = self.chooser if preparing else self.agenda[0].seat
        guild = self.guilds[seat]
        contract = self.game.box.contract_places[move.contract]
        kept = tuple(sorted((*guild.contracts, contract)))
        left = without(guild.dealt, contract)
        if preparing and len(kept) < CONTRACTS_KEPT:
            return self.with_guild(seat, contracts=kept, dealt=left)
        state = self.with_guild(seat, contracts=kept, dealt=())
        if self.chance is None:
            raise agenda.unknown()
        deck, chance = self.chance.shuffle(self.contracts + left)
        state = changed(state, contracts=deck, chance=chance)
        if not preparing:
            return changed(state, agenda=self.agenda[1:])._run()
        if any(guild.dealt for guild in state.guilds):
            return state
        return changed(state, round=1)

    def _gained(self, turn: Turn, effects: tuple[Effect, ...], **changes: Any) -> ScapeState:
        """Effects of a card: some wait to be used, the others happen now, in order."""
        steps = tuple([Step(e.verb, self.active, e.number) for e in effects if not e.waits])
        if len(steps) < len(effects):
            turn = turn.gains([effect for effect in effects if effect.waits])
        state = changed(self, turn=turn, agenda=steps, **changes)
        return state._run() if steps else state

    def _after_play(self, move: Play) -> ScapeState:
        """A card of the hand is laid out, and does what it says (``castlescape/play-any``)."""
        seat, box = self.active, self.game.box
        at = box.places[move.card]
        guild = self.guilds[seat]
        guild = guild._replace(hand=without(guild.hand, at))
        turn = self.turn._replace(played=(*self.turn.played, at))
        effects = box.cards[at].ways[max(0, move.way - 1)]
        return self._gained(turn, effects, guilds=self.seated(seat, guild))

    def _after_wall(self, move: Wall) -> ScapeState:
        """A wall, out of the Quarry while it lasts; then perhaps a bailey is complete."""
        bit = self.game.bits[move.square]
        board = self.board.with_wall(bit)
        left = masonry.after_wall(self.turn.masonry, bit, board)
        quarry = self.quarry
        if quarry and not self.ending:  # in the last round all walls come from the supply
            quarry -= 1
        turn = self.turn._replace(masonry=left, busy=True)
        state = changed(self, board=board, turn=turn, quarry=quarry)
        enclosed = board.enclosed()
        return state._claimed(enclosed) if enclosed != self.enclosed else state

    def _claimed(self, enclosed: int) -> ScapeState:
        """Baileys that are new are claimed and scored (``castlescape/bailey-score``).

        One wall may complete two of them. The active player would choose which is scored
        first, but nothing comes between them and Renown only adds up: the order makes no
        difference.
        """
        guilds, claims = list(self.guilds), list(self.claims)
        for bailey in self.board.baileys():
            if bailey.bits & self.enclosed:
                continue
            seats, size = bailey.leaders, bailey.size
            claims.append(Claim(bailey.bits, bailey.wall_bits, size, seats))
            for seat in seats:
                renown = guilds[seat].renown + size // len(seats)
                guilds[seat] = guilds[seat]._replace(renown=renown)
        return changed(self, guilds=tuple(guilds), claims=tuple(claims), enclosed=enclosed)

    def _after_recruit(self, move: Recruit) -> ScapeState:
        """A recruit on its square; no more walls this turn (``castlescape/walls-first``)."""
        bit, turn = self.game.bits[move.square], self.turn
        atop = bool(self.board.walls & bit)
        turn = turn._replace(
            recruits=turn.recruits - (not atop),
            sentries=turn.sentries - atop,
            masonry=masonry.only_late(turn.masonry),
            positioned=True,
            busy=True,
        )
        board = self.board.with_recruit(self.active, bit, atop=atop)
        return changed(self, board=board, turn=turn)

    def _after_move(self, move: MoveRecruit) -> ScapeState:
        start, end = self.game.bits[move.start], self.game.bits[move.end]
        turn = self.turn
        if self.board.walls & end:
            turn = turn._replace(climbs=turn.climbs - 1)
        else:
            turn = turn._replace(moves=turn.moves - 1)
        return changed(self, board=self.board.moved(self.active, start, end), turn=turn)

    def _after_oust(self, move: Oust) -> ScapeState:
        bit, board = self.game.bits[move.square], self.board
        rival = next(
            seat
            for seat in range(len(self.guilds))
            if (board.ground[seat] | board.atop[seat]) & bit
        )
        turn = self.turn._replace(ousts=self.turn.ousts - 1)
        return changed(self, board=board.without_recruit(rival, bit), turn=turn)

    def _after_recall(self, move: Recall) -> ScapeState:
        bit = self.game.bits[move.square]
        return changed(self, board=self.board.without_recruit(self.active, bit))

    def _after_buy(self, move: Buy) -> ScapeState:
        """Gold for a card (``castlescape/buy``)."""
        card = self.game.box.places[move.card]
        gold = self.turn.gold - self.game.box.cards[card].cost
        return self._taken(card, self.turn._replace(gold=gold))

    def _after_acquire(self, move: Acquire) -> ScapeState:
        """A card for nothing (``castlescape/acquire``), with the effect that just suffices."""
        card = self.game.box.places[move.card]
        cost, limits = self.game.box.cards[card].cost, self.turn.acquires
        used = next(limit for limit in limits if limit >= cost)
        return self._taken(card, self.turn._replace(acquires=without(limits, used)))

    def _taken(self, card: int, turn: Turn) -> ScapeState:
        """A market card goes to the discard pile; New Contract stays where it is."""
        game, seat = self.game, self.active
        changes: dict[str, Any] = {}
        turn = turn._replace(busy=True)
        if card in self.stalls:
            at = self.stalls.index(card)
            changes["stalls"] = (*self.stalls[:at], EMPTY, *self.stalls[at + 1 :])
        elif card != game.box.new_contract:
            at = game.standard.index(card)
            changes["piles"] = (*self.piles[:at], self.piles[at] - 1, *self.piles[at + 1 :])
        if card != game.box.new_contract:
            guild = self.guilds[seat]
            guild = guild._replace(
                discards=(*guild.discards, card), owned=tuple(sorted((*guild.owned, card)))
            )
            changes["guilds"] = self.seated(seat, guild)
            turn = turn._replace(new=(*turn.new, card))
        return self._gained(turn, game.box.cards[card].on_purchase, **changes)

    def _after_destroy(self, move: Destroy) -> ScapeState:
        """A card leaves the game for ever (``castlescape/destroy``)."""
        seat, turn = self.active, self.turn
        card, guild = self.game.box.places[move.card], self.guilds[seat]
        if card in turn.new:  # if one that came this turn is there, it goes before an older one
            in_hand = max(0, guild.hand.count(card) - self.older(card))
            if in_hand if move.pile == "hand" else turn.new.count(card) > in_hand:
                turn = turn._replace(new=without(turn.new, card))
        guild = guild._replace(owned=without(guild.owned, card))
        if move.pile == "hand":
            guild = guild._replace(hand=without(guild.hand, card))
            turn = turn._replace(from_hand=turn.from_hand - 1)
        else:
            guild = guild._replace(discards=without(guild.discards, card))
            turn = turn._replace(from_discards=turn.from_discards - 1)
        gone = tuple(sorted((*self.gone, card)))
        return changed(self, guilds=self.seated(seat, guild), turn=turn, gone=gone)

    def _after_shift(self, move: Shift) -> ScapeState:
        seat, card = self.active, self.game.box.places[move.card]
        guild = self.guilds[seat]
        guild = guild._replace(alley=without(guild.alley, card), discards=(*guild.discards, card))
        turn = self.turn._replace(blames=self.turn.blames - 1)
        return changed(self, guilds=self.seated(seat, guild), turn=turn)

    def _after_claim(self, move: ClaimGoal) -> ScapeState:
        """A goal is taken and not replaced (``castlescape/goal``)."""
        seat, goal = self.active, self.game.box.goal_places[move.goal]
        guild = self.guilds[seat]
        guild = guild._replace(
            goals=tuple(sorted((*guild.goals, goal))),
            renown=guild.renown + self.game.box.goals[goal].renown,
        )
        return changed(
            self,
            guilds=self.seated(seat, guild),
            goals=without(self.goals, goal),
            turn=self.turn._replace(goal_taken=True, busy=True),
        )

    def _after_end(self, _: EndTurn) -> ScapeState:
        """Clean up (``castlescape/cleanup``). What was not used is lost
        (``castlescape/use-or-return``).
        """
        seat, shady = self.active, self.game.shady
        guild, played = self.guilds[seat], self.turn.played
        guild = guild._replace(
            hand=(),
            alley=guild.alley + tuple([card for card in played if shady[card]]),
            discards=guild.discards
            + tuple([card for card in played if not shady[card]])
            + guild.hand,
        )
        steps = tuple(Step(kind, seat, HAND) for kind in agenda.CLEAN_UP)
        quiet = 0 if self.turn.busy else self.quiet + 1
        return changed(
            self, guilds=self.seated(seat, guild), turn=Turn(), agenda=steps, quiet=quiet
        )._run()

    # -- giving things up --------------------------------------------------------------------

    def _paid_off(self, step: Step, worth: int) -> ScapeState:
        """Part of a debt is paid; what is left of it is due next."""
        left = step.number - worth
        rest = self.agenda[1:]
        due = (step._replace(number=left), *rest) if left > 0 else rest
        return changed(self, agenda=due)._run()

    def _after_dismiss(self, move: Dismiss) -> ScapeState:
        step, bit = self.agenda[0], self.game.bits[move.square]
        worth = 2 if self.board.atop[step.seat] & bit else 1
        board = self.board.without_recruit(step.seat, bit)
        return changed(self, board=board)._paid_off(step, worth)

    def _after_discard(self, move: Discard) -> ScapeState:
        step, card = self.agenda[0], self.game.box.places[move.card]
        guild = self.guilds[step.seat]
        return self.with_guild(
            step.seat, hand=without(guild.hand, card), discards=(*guild.discards, card)
        )._paid_off(step, 1)

    def _after_pay(self, _: Pay) -> ScapeState:
        step = self.agenda[0]
        renown = self.guilds[step.seat].renown - 1
        return self.with_guild(step.seat, renown=renown)._paid_off(step, 1)

    # -- what happens by itself --------------------------------------------------------------

    def _run(self) -> ScapeState:
        """Everything on the agenda, up to the next thing that somebody has to decide."""
        state = self
        while state.agenda:
            step = state.agenda[0]
            following = agenda.STEPS[step.kind](state, step)
            if following is None:
                return state
            state = following
        return state

    def done(self, *instead: Step, **changes: Any) -> ScapeState:
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
            rotating=(HIDDEN,) * len(self.rotating),
            contracts=(HIDDEN,) * len(self.contracts),
            chance=None,
        )

    def guess(self, player: int, chance: Chance) -> ScapeState:
        """What is hidden, dealt at random from what the player has not seen."""
        view = self.view(player)
        contracts, chance = chance.shuffle(view._unseen_contracts())
        orders = list(contracts)
        guilds = []
        for seat, guild in enumerate(view.guilds):
            played = view.turn.played if seat == view.active else ()
            unseen, chance = chance.shuffle(_unseen(guild, played))
            cards = list(unseen)
            guilds.append(
                guild._replace(
                    hand=tuple(sorted(_filled(guild.hand, cards))),
                    deck=_filled(guild.deck, cards),
                    dealt=tuple(sorted(_filled(guild.dealt, orders))),
                    contracts=tuple(sorted(_filled(guild.contracts, orders))),
                )
            )
        rotating, chance = chance.shuffle(view._unseen_rotating())
        return changed(
            view,
            guilds=tuple(guilds),
            rotating=rotating,
            contracts=_filled(view.contracts, orders),
            chance=chance,
        )

    def _unseen_contracts(self) -> list[int]:
        shown = {at for guild in self.guilds for at in guild.contracts + guild.dealt}
        return [at for at in range(len(self.game.box.contracts)) if at not in shown]

    def _unseen_rotating(self) -> list[int]:
        """The rotating cards that nobody owns, that lie in no stall and have not left."""
        left = list(self.game.box.pack("rotating"))
        seen = [*self.stalls, *self.gone]
        for guild in self.guilds:
            seen += guild.owned
        for card in seen:
            if card in left:
                left.remove(card)
        return left

    def estimate(self, player: int) -> float:
        """Renown, and what baileys, cards and quests promise."""
        return estimate(self, player)

    def prospects(self, player: int) -> tuple[Prospect, ...]:
        return prospects(self, player)

    def point(self, picks: tuple[str, ...]) -> Pointing:
        from castlelab.games.castlescape.pointing import point

        return point(self, picks)

    def conceals(self, move: Move) -> bool:
        """A contract is kept in secret (``castlescape/contract``)."""
        return type(move) is Keep

    def picture(self) -> Scene:
        from castlelab.games.castlescape.picture import table_scene

        return table_scene(self)

    def describe(self) -> str:
        from castlelab.games.castlescape.words import table_words

        return table_words(self)

    def __str__(self) -> str:
        return self.describe()


_AFTER: dict[type[Move], Callable[[ScapeState, Any], ScapeState]] = {
    Keep: ScapeState._after_keep,
    Play: ScapeState._after_play,
    Wall: ScapeState._after_wall,
    Recruit: ScapeState._after_recruit,
    MoveRecruit: ScapeState._after_move,
    Oust: ScapeState._after_oust,
    Recall: ScapeState._after_recall,
    Buy: ScapeState._after_buy,
    Acquire: ScapeState._after_acquire,
    Destroy: ScapeState._after_destroy,
    Shift: ScapeState._after_shift,
    ClaimGoal: ScapeState._after_claim,
    Dismiss: ScapeState._after_dismiss,
    Discard: ScapeState._after_discard,
    Pay: ScapeState._after_pay,
    EndTurn: ScapeState._after_end,
}


def _unseen(guild: Guild, played: tuple[int, ...]) -> list[int]:
    """The cards of a guild that a view does not show: they are in its deck and its hand."""
    left = list(guild.owned)
    for card in (*guild.discards, *guild.alley, *guild.hand, *played):
        if card != HIDDEN:
            left.remove(card)
    return left


def _filled(places: tuple[int, ...], unseen: list[int]) -> tuple[int, ...]:
    """The places with unseen cards, taken off the list, where something is hidden."""
    return tuple([unseen.pop() if at == HIDDEN else at for at in places])
