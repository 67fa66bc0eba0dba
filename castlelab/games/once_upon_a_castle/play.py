"""A whole game of Once Upon a Castle: roll, place, clear lines, welcome guests."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from castlelab.chance import Chance
from castlelab.game import SEAT_NAMES, Game, Move, Option, Source, State, changed
from castlelab.games.once_upon_a_castle import asking, judge, moves, pointing, telling, worth
from castlelab.games.once_upon_a_castle.board import Board
from castlelab.games.once_upon_a_castle.box import VERSIONS, read_box
from castlelab.games.once_upon_a_castle.castle import FLAG_ROOM, Castle
from castlelab.games.once_upon_a_castle.dice import (
    clear_move,
    clear_moves,
    face_uses,
    place_move,
    shift_moves,
    squares_for,
    use_moves,
)
from castlelab.games.once_upon_a_castle.guests import FACE_DOWN_GUEST, Guest
from castlelab.games.once_upon_a_castle.moves import CHOICES, DICE, END, EXTRAS, PASS, STOP
from castlelab.games.once_upon_a_castle.scoring import Score, score, score_table, sources
from castlelab.games.once_upon_a_castle.turns import TURNS, rolled

if TYPE_CHECKING:
    from castlelab.edition import Edition

LONGEST_REIGN = 60  # turns of each player; once_upon_a_castle/long-reign
ON_SHOW = 3  # once_upon_a_castle/guest-choice

#: Something that is to be decided before the game goes on, and about what: a resource, a
#: face, or nothing.
Decision = tuple[str, str]

_LOSE = {die: moves.Lose(die) for die in DICE}
_CHOOSE = {face: moves.Choose(face) for face in CHOICES}


# -- the game --------------------------------------------------------------------------------


class OnceUponACastle(Game):
    """Once Upon a Castle in one of its two versions."""

    name: ClassVar[str] = "once_upon_a_castle"
    title: ClassVar[str] = "Once Upon a Castle"
    about: ClassVar[str] = "Roll two dice, fill rows and columns, and draw a castle part by part."
    seats: ClassVar[range] = range(2, 5)
    futures = 1000
    option_list: ClassVar[tuple[Option, ...]] = (
        Option("version", VERSIONS, "apprentice", "guests with points, or guests with powers"),
    )

    def set_up(self, edition: Edition) -> None:
        self.version: str = self.options["version"]
        self.architect = self.version == "architect"
        self.box = read_box(edition, self.version)
        self.guest_named = {guest.name: guest for guest in self.box.guests}
        self.last_turn = LONGEST_REIGN * self.players

    def move(self, text: str) -> Move:
        return moves.read_move(text)

    @property
    def legend(self) -> tuple[tuple[str, str], ...]:
        return telling.legend(architect=self.architect)

    def start(self, seed: int | str = 0) -> OnceState:
        """Shuffle the guests, draw the first player, roll the dice (once_upon_a_castle/roll)."""
        chance = Chance.seeded(seed)
        pile, chance = chance.shuffle(self.box.guests)
        first, chance = chance.below(self.players)
        shown: tuple[Guest, ...] = ()
        if self.architect:
            shown, pile = pile[-ON_SHOW:][::-1], pile[:-ON_SHOW]
        ready = OnceState(
            game=self,
            boards=(self.box.layout.board(),) * self.players,
            castles=(Castle(),) * self.players,
            pile=pile,
            shown=shown,
            active=first,
            seat=first,
            chance=chance,
        )
        return rolled(ready, first)


@dataclass(frozen=True)
class OnceState(State):
    """A moment of Once Upon a Castle."""

    game: OnceUponACastle = field(compare=False, repr=False)
    boards: tuple[Board, ...]
    castles: tuple[Castle, ...]
    pile: tuple[Guest, ...]  # the last one is drawn next
    shown: tuple[Guest, ...]  # the guests to choose from, none for Apprentices
    active: int  # whose turn it is
    seat: int  # who decides now
    chance: Chance | None  # None in a view: what it would bring is hidden
    dice: tuple[str, str] = ("any", "any")
    left: tuple[int, ...] = DICE  # the dice that the active player has still to use
    phase: str = "dice"  # dice, follow, build, last or over
    steps: tuple[Decision, ...] = ()  # to be decided before the phase goes on
    crossed: tuple[str, ...] = ()  # full lines of this turn that lost a token to another one
    last_lines: tuple[str, ...] = ()  # once_upon_a_castle/end: the lines that may still be cleared
    turn: int = 0
    #: Who rolled in this turn, and what (once_upon_a_castle/guest-dagobert).
    rolled: tuple[str, str] | None = None
    ender: int | None = None  # who has drawn the twelfth part
    ending: str = ""  # the rule that ended the game

    check = judge.judge
    estimate, prospects = worth.estimate, worth.prospects
    point, describe = pointing.point, telling.table_words

    @property
    def closed(self) -> int:
        """Full lines."""
        return sum(len(board.full_lines()) for board in self.boards)

    @property
    def to_move(self) -> int | None:
        return None if self.ending else self.seat

    @property
    def moment(self) -> str:
        """What is to be decided: a step if there is one, else the phase."""
        return self.steps[0][0] if self.steps else self.phase

    @property
    def round(self) -> int:
        """The round: in each of them every player has one turn."""
        return -(-self.turn // self.game.players)

    # -- moves -----------------------------------------------------------------------------

    def moves(self) -> tuple[Move, ...]:
        if self.ending:
            return ()
        if self.steps:
            return self.step_moves()
        if self.phase == "build":
            return clear_moves(self.boards[self.seat])
        if self.phase == "last":
            return (*[clear_move(name) for name in self.last_clears()], END)
        return self._dice_moves()

    def _dice_moves(self) -> tuple[Move, ...]:
        """The uses of the dice; two alike are as good as one of them."""
        castle, board, dice = self.castles[self.seat], self.boards[self.seat], self.dice
        powers = castle.powers
        room = FLAG_ROOM[castle.walls] > len(castle.flags)
        if self.phase == "follow":
            found: tuple[Move, ...] = use_moves(board, 1, dice[0], powers, room)
            if dice[0] != dice[1]:
                found += use_moves(board, 2, dice[1], powers, room)
            return (*found, PASS)
        left = self.left
        if len(left) == 1 or dice[0] == dice[1]:
            die = left[0]
            return use_moves(board, die, dice[die - 1], powers, room) or (_LOSE[die],)
        found = use_moves(board, 1, dice[0], powers, room) or (_LOSE[1],)
        return found + (use_moves(board, 2, dice[1], powers, room) or (_LOSE[2],))

    def uses(self, die: int) -> tuple[str, ...]:
        """What a die can be used for by whoever decides now: squares, residents, …"""
        castle, face = self.castles[self.seat], self.dice[die - 1]
        return face_uses(self.boards[self.seat], face, castle.powers, castle.flag_room > 0)

    def step_moves(self) -> tuple[Move, ...]:
        """The ways to decide what is to be decided first."""
        kind, about = self.steps[0]
        if kind == "guest":
            return tuple(moves.Invite(guest.name) for guest in self.shown)
        if kind == "steal":
            return tuple(moves.Steal(guest.name) for guest in self.prey())
        if kind == "reactivate":
            return tuple(moves.Reactivate(guest.name) for guest in self.bolts())
        if kind == "choose":
            return (*[_CHOOSE[face] for face in self.choices()], STOP)
        if kind == "move":
            return (*(shift_moves(self.boards[self.seat]) if self.ender is None else ()), STOP)
        return (*[place_move(what) for what in self.work(kind, about)], STOP)

    def prey(self) -> tuple[Guest, ...]:
        """Every guest that the player may steal (once_upon_a_castle/steal)."""
        return tuple(
            guest
            for seat, castle in enumerate(self.castles)
            if seat != self.seat
            for guest in castle.stealable
        )

    def bolts(self) -> tuple[Guest, ...]:
        """The own guests that may act again (once_upon_a_castle/reactivate)."""
        return tuple(guest for guest in self.castles[self.seat].guests if guest.symbol == "bolt")

    def choices(self) -> tuple[str, ...]:
        """What a "?" of Dagobert may be (once_upon_a_castle/guest-dagobert)."""
        with_cloud = "cloud-for-any" in self.castles[self.seat].powers
        found = CHOICES if with_cloud else CHOICES[:-1]
        if self.ender is None:
            return found
        return tuple([face for face in found if face == "cloud" or self.work("face", face)])

    def work(self, kind: str, about: str) -> tuple[str, ...]:
        """What a token or a face that a guest brings can be used for.

        Once the twelfth part is drawn no token counts any more, so none is asked for
        (once_upon_a_castle/bolt).
        """
        found = self.any_work(kind, about)
        if self.ender is None:
            return found
        if (kind, about) == ("face", "food"):
            # once_upon_a_castle/guest-cook: a resident without the token
            return ("residents",) * ("resident-with-food" in self.castles[self.seat].powers)
        return tuple([what for what in found if what in EXTRAS])

    def any_work(self, kind: str, about: str) -> tuple[str, ...]:
        """What it could be used for, whether or not that counts."""
        castle, board = self.castles[self.seat], self.boards[self.seat]
        if kind == "token":
            return board.layout.names(squares_for(board, about, castle.powers))
        return face_uses(board, about, castle.powers, castle.flag_room > 0)

    def last_clears(self) -> tuple[str, ...]:
        """The lines that may be cleared after the end: what was full and draws something."""
        castle, track = self.castles[self.seat], self.game.box.track.length
        return tuple(
            line.name
            for line in self.boards[self.seat].full_lines()
            if line.name in self.last_lines and castle.can_draw(line.gift, track)
        )

    # -- what happens ----------------------------------------------------------------------

    def after(self, move: Move) -> OnceState:
        return TURNS[type(move)](self, move)

    # -- the end, and what is seen -----------------------------------------------------------

    def score(self, seat: int) -> Score:
        """The points of a seat by category, if the game ended now (once_upon_a_castle/score)."""
        return score(self.castles[seat], self.game.box.track)

    def score_table(self) -> str:
        """The points of everybody by category, as a table to print."""
        seats = range(self.game.players)
        return score_table([self.score(seat) for seat in seats], SEAT_NAMES[: self.game.players])

    def how_far(self) -> str:
        return f"turn {self.turn}"

    questions = asking.questions
    tell_move, tell_shorter = telling.tell_move, telling.tell_shorter
    tell_news = telling.tell_news

    def sources(self, player: int) -> tuple[Source, ...]:
        return sources(self.score(player))

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(self.score(seat).total for seat in range(self.game.players))

    def view(self, player: int) -> OnceState:
        self.game.check_seat(player)
        return changed(self, pile=(FACE_DOWN_GUEST,) * len(self.pile), chance=None)

    def guess(self, player: int, chance: Chance) -> OnceState:
        seen = self.view(player)
        unseen = list(self.game.box.guests)
        for guest in (*self.shown, *(guest for castle in self.castles for guest in castle.guests)):
            unseen.remove(guest)
        pile, chance = chance.shuffle(unseen)
        return changed(seen, pile=pile, chance=chance.split("play"))
