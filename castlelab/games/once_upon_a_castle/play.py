"""A whole game of Once Upon a Castle: roll, place, clear lines, welcome guests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from castlelab.chance import Chance
from castlelab.game import SEAT_NAMES, Game, Move, Option, Pointing, Prospect, State, changed
from castlelab.games.once_upon_a_castle.board import FACES, Board, Gift, face_words
from castlelab.games.once_upon_a_castle.box import VERSIONS, read_box
from castlelab.games.once_upon_a_castle.castle import FLAG_ROOM, MOST, Castle
from castlelab.games.once_upon_a_castle.dice import (
    clear_move,
    clear_moves,
    face_uses,
    place_move,
    shift_moves,
    squares_for,
    use_moves,
)
from castlelab.games.once_upon_a_castle.guests import BACK, Guest
from castlelab.games.once_upon_a_castle.judge import AT_WORK, judge
from castlelab.games.once_upon_a_castle.moves import (
    CHOICES,
    DICE,
    END,
    EXTRAS,
    PASS,
    STOP,
    Choose,
    Clear,
    End,
    Invite,
    Lose,
    Pass,
    Place,
    Reactivate,
    Shift,
    Steal,
    Stop,
    Take,
    Use,
    read_move,
)
from castlelab.games.once_upon_a_castle.scoring import Score, score, score_table
from castlelab.rules import CastlelabError, Verdict, either, listed

if TYPE_CHECKING:
    from castlelab.draw.scene import Scene
    from castlelab.edition import Edition

LONGEST_REIGN = 60  # turns of each player; once_upon_a_castle/long-reign
ON_SHOW = 3  # once_upon_a_castle/guest-choice
MONK_FLAG = 2  # what the flag of a monk is worth

T = TypeVar("T")

#: Something that is to be decided before the game goes on, and about what: a resource, a
#: face, or nothing.
Step = tuple[str, str]

_ROLLS = tuple((one, other) for one in FACES for other in FACES)
_LOSE = {die: Lose(die) for die in DICE}
_ONLY_RESIDENTS = (Take("residents"), STOP)
_CHOOSE = {face: Choose(face) for face in CHOICES}
_BOLT_STEPS: dict[str, tuple[Step, ...]] = {
    "token-and-resident": (("token", "any"),),
    "four-residents": (),
    "two-wood": (("token", "wood"),) * 2,
    "two-stone": (("token", "stone"),) * 2,
    "two-gold": (("token", "gold"),) * 2,
    "two-food": (("token", "food"),) * 2,
    "move-two": (("move", ""),) * 2,
}
_BOLT_RESIDENTS = {"token-and-resident": 1, "four-residents": 4}


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

    def __init__(
        self, players: int | None = None, edition: Edition | None = None, **options: Any
    ) -> None:
        super().__init__(players, edition, **options)
        assert edition is not None
        self.version: str = self.options["version"]
        self.architect = self.version == "architect"
        self.box = read_box(edition, self.version)
        self.guest_named = {guest.name: guest for guest in self.box.guests}
        self.last_turn = LONGEST_REIGN * self.players

    @classmethod
    def cover(cls) -> Scene:
        from castlelab.games.once_upon_a_castle.picture import cover_scene

        return cover_scene()

    def move(self, text: str) -> Move:
        return read_move(text)

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
        return _rolled(ready, first)


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
    steps: tuple[Step, ...] = ()  # to be decided before the phase goes on
    crossed: tuple[str, ...] = ()  # full lines of this turn that lost a token to another one
    last_lines: tuple[str, ...] = ()  # once_upon_a_castle/end: the lines that may still be cleared
    turn: int = 0
    rolled: tuple[str, str] | None = (
        None  # once_upon_a_castle/guest-dagobert: who rolled in this turn, and what
    )
    ender: int | None = None  # who has drawn the twelfth part
    ending: str = ""  # the rule that ended the game

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
            return self._step_moves()
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
        castle = self.castles[self.seat]
        face = self.dice[die - 1]
        return face_uses(self.boards[self.seat], face, castle.powers, castle.flag_room > 0)

    def _step_moves(self) -> tuple[Move, ...]:
        kind, about = self.steps[0]
        if kind == "guest":
            return tuple(Invite(guest.name) for guest in self.shown)
        if kind == "steal":
            return tuple(Steal(guest.name) for guest in self.prey())
        if kind == "reactivate":
            return tuple(Reactivate(guest.name) for guest in self.bolts())
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
        if (
            about == "food" and kind == "face"
        ):  # once_upon_a_castle/guest-cook: a resident without the token
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

    def check(self, move: Move) -> Verdict:
        return judge(self, move)

    # -- what happens ----------------------------------------------------------------------

    def after(self, move: Move) -> OnceState:
        return _DEEDS[type(move)](self, move)

    def _use(self, move: Use) -> OnceState:
        boards, castles = self._used(self.dice[move.die - 1], move.what)
        if self.phase == "dice":
            if len(self.left) == 2:
                left = (3 - move.die,)
                return changed(self, boards=boards, castles=castles, left=left)
            return changed(
                self,
                boards=boards,
                castles=castles,
                left=(),
                phase="follow",
                seat=(self.seat + 1) % len(boards),
            )
        return _followed(self, boards, castles)

    def _used(self, face: str, what: str) -> tuple[tuple[Board, ...], tuple[Castle, ...]]:
        """The boards and castles after a face was used for something."""
        seat = self.seat
        boards, castles = self.boards, self.castles
        castle, board = castles[seat], boards[seat]
        if what in EXTRAS:
            if what == "flag":
                castle = castle.with_flag(MONK_FLAG)
            elif what == "cloud":
                castle = changed(castle, small_clouds=castle.small_clouds + 1)
            else:  # once_upon_a_castle/residents, or the one that the cook brings without a token
                castle = self._peopled(castle, 1 if face == "food" else 2)
            return boards, _changed_at(castles, seat, castle)
        square = board.layout.square_of[what]
        boards = _changed_at(boards, seat, board.layout.board(board.filled | square.bit))
        if (
            castle.guests
            and square.resource == "food"
            and face in ("food", "any")
            and "resident-with-food" in castle.powers
        ):
            castles = _changed_at(
                castles, seat, self._peopled(castle, 1)
            )  # once_upon_a_castle/guest-cook
        return boards, castles

    def _peopled(self, castle: Castle, number: int) -> Castle:
        return castle.with_residents(number, self.game.box.track.length)

    def _lose(self, move: Lose) -> OnceState:
        if len(self.left) == 2:
            return changed(self, left=(3 - move.die,))
        return changed(self, left=(), phase="follow", seat=(self.seat + 1) % len(self.boards))

    def _pass(self, _: Pass) -> OnceState:
        return _followed(self, self.boards, self.castles)

    def _clear(self, move: Clear) -> OnceState:
        """A line goes and gives what it shows, as far as it can be drawn."""
        seat, board, before = self.seat, self.boards[self.seat], self.castles[self.seat]
        line = board.layout.line_of[move.line]
        castle = before.with_gift(line.gift, self.game.box.track.length)
        pile, steps, ender = self.pile, self._steps_of(line.gift), self.ender
        if castle.floors > before.floors and not self.game.architect and pile:
            castle, pile = (
                castle.with_guest(_known(pile[-1])),
                pile[:-1],
            )  # once_upon_a_castle/floor-guest
        if len(castle.towers) == MOST > len(before.towers) and not self._sun_drawn():
            castle = changed(castle, sun=True)  # once_upon_a_castle/sun
        if ender is None and castle.complete:
            castle, ender = changed(castle, cloud=True), seat  # once_upon_a_castle/end
        left = board.layout.board(board.filled & ~line.bits)
        return _settled(
            changed(
                self,
                boards=_changed_at(self.boards, seat, left),
                castles=_changed_at(self.castles, seat, castle),
                pile=pile,
                steps=steps,
                ender=ender,
                crossed=self.crossed + tuple([other.name for other in board.crossing(line)]),
                last_lines=_still_full(self.last_lines, left),
            )
        )

    def _steps_of(self, gift: Gift) -> tuple[Step, ...]:
        """What a gift leaves to decide; after the end only a floor's guest
        (once_upon_a_castle/end).
        """
        steps: tuple[Step, ...] = ()
        if gift.floor and self.game.architect and self.castles[self.seat].floors < MOST:
            steps = (("guest", ""),)
        if self.phase == "build":
            if gift.reactivate:
                steps = (*steps, ("reactivate", ""))
            if gift.steal:
                steps = (*steps, ("steal", ""))
        return steps

    def _sun_drawn(self) -> bool:
        return any(castle.sun for castle in self.castles)

    def _invite(self, move: Invite) -> OnceState:
        """A guest comes with a floor, and the next card takes its place
        (once_upon_a_castle/guest-choice).
        """
        guest = self.game.guest_named[move.guest]
        at = self.shown.index(guest)
        shown, pile = self.shown[:at] + self.shown[at + 1 :], self.pile
        if pile:
            shown = (*self.shown[:at], _known(pile[-1]), *self.shown[at + 1 :])
            pile = pile[:-1]
        castle = self.castles[self.seat].with_guest(guest)
        return _arrived(
            changed(
                self,
                castles=_changed_at(self.castles, self.seat, castle),
                shown=shown,
                pile=pile,
                steps=self.steps[1:],
            ),
            guest,
        )

    def _steal(self, move: Steal) -> OnceState:
        """A guest changes the castle; whatever it has brought stays (once_upon_a_castle/steal)."""
        guest = self.game.guest_named[move.guest]
        castles = tuple(
            castle.with_guest(guest) if seat == self.seat else castle.without_guest(guest)
            for seat, castle in enumerate(self.castles)
        )
        return _arrived(changed(self, castles=castles, steps=self.steps[1:]), guest)

    def _reactivate(self, move: Reactivate) -> OnceState:
        guest = self.game.guest_named[move.guest]
        return _arrived(changed(self, steps=self.steps[1:]), guest)

    def _place(self, move: Place) -> OnceState:
        return self._worked(move.square)

    def _take(self, move: Take) -> OnceState:
        return self._worked(move.what)

    def _worked(self, what: str) -> OnceState:
        """A token or a face of a guest is used for something."""
        kind, about = self.steps[0]
        boards, castles = self._used(about if kind == "face" else "", what)
        return _settled(changed(self, boards=boards, castles=castles, steps=self.steps[1:]))

    def _choose(self, move: Choose) -> OnceState:
        """A "?" of Dagobert is now a face, and counts twice (once_upon_a_castle/guest-dagobert)."""
        rest = self.steps[1:]
        if move.face != "cloud":
            return _settled(changed(self, steps=(("face", move.face),) * 2 + rest))
        castle = self.castles[self.seat]
        castle = changed(castle, small_clouds=castle.small_clouds + 2)
        castles = _changed_at(self.castles, self.seat, castle)
        return _settled(changed(self, castles=castles, steps=rest))

    def _shift(self, move: Shift) -> OnceState:
        board = self.boards[self.seat]
        square_of = board.layout.square_of
        filled = board.filled ^ square_of[move.source].bit ^ square_of[move.goal].bit
        boards = _changed_at(self.boards, self.seat, board.layout.board(filled))
        return _settled(changed(self, boards=boards, steps=self.steps[1:]))

    def _stop(self, _: Stop) -> OnceState:
        steps = self.steps
        while steps and steps[0][0] in AT_WORK:
            steps = steps[1:]
        return _settled(changed(self, steps=steps))

    def _end(self, _: End) -> OnceState:
        return _turn_over(self) if self.phase == "build" else _last_seat(self, self.seat)

    # -- the end, and what is seen -----------------------------------------------------------

    def score(self, seat: int) -> Score:
        """The points of a seat by category, if the game ended now (once_upon_a_castle/score)."""
        return score(self.castles[seat], self.game.box.track)

    def score_table(self) -> str:
        """The points of everybody by category, as a table to print."""
        seats = range(self.game.players)
        return score_table([self.score(seat) for seat in seats], SEAT_NAMES[: self.game.players])

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(self.score(seat).total for seat in range(self.game.players))

    def view(self, player: int) -> OnceState:
        self.game.check_seat(player)
        return changed(self, pile=(BACK,) * len(self.pile), chance=None)

    def guess(self, player: int, chance: Chance) -> OnceState:
        seen = self.view(player)
        unseen = list(self.game.box.guests)
        for guest in (*self.shown, *(guest for castle in self.castles for guest in castle.guests)):
            unseen.remove(guest)
        pile, chance = chance.shuffle(unseen)
        return changed(seen, pile=pile, chance=chance.split("play"))

    def estimate(self, player: int) -> float:
        from castlelab.games.once_upon_a_castle.worth import worth

        return worth(self, player)

    def prospects(self, player: int) -> tuple[Prospect, ...]:
        from castlelab.games.once_upon_a_castle.worth import prospects

        return prospects(self, player)

    def point(self, picks: tuple[str, ...]) -> Pointing:
        from castlelab.games.once_upon_a_castle.pointing import point

        return point(self, picks)

    def picture(self) -> Scene:
        from castlelab.games.once_upon_a_castle.picture import table_scene

        return table_scene(self)

    def describe(self) -> str:
        everybody = map(self._told, range(self.game.players))
        return " ".join([self._what_now(), *everybody, *self._to_come()])

    def _what_now(self) -> str:
        """Whose turn it is and what is to do, or how it ended."""
        rolled = f" {self.rolled_words()}." if self.rolled else ""
        if self.ending:
            won = listed([SEAT_NAMES[seat] for seat in self.winners])
            verb = "wins" if len(self.winners) == 1 else "share the victory"
            return f"The game is over: {won} {verb} with {max(self.scores)} points.{rolled}"
        one, other = map(face_words, self.dice)
        return (
            f"Turn {self.turn}, {SEAT_NAMES[self.active]}'s: dice {one} and {other}."
            f"{rolled} {SEAT_NAMES[self.seat]}: {self.todo()}."
        )

    def rolled_words(self) -> str:
        """What a guest rolled in this turn; "" if none did (once_upon_a_castle/guest-dagobert)."""
        guest, face = self.rolled or ("", "")
        return f"{guest.capitalize()} rolled {face_words(face)}" if guest else ""

    def _told(self, seat: int) -> str:
        """What a player has: the tokens, the full lines, the castle, the points so far."""
        name, board, points = SEAT_NAMES[seat], self.boards[seat], self.score(seat).total
        full = [f"{line.name} is full for {line.gift.words}" for line in board.full_lines()]
        return (
            f"{name}'s tokens: {', '.join([self.token_words(seat), *full])}. "
            f"{name}'s castle has {self.castles[seat].words}, {points} point{'s' * (points != 1)}."
        )

    def token_words(self, seat: int) -> str:
        """Where the tokens of a player lie, and how many are left."""
        board = self.boards[seat]
        return f"{' '.join(board.tokens) or 'none'} on the board, {board.spare} left"

    def _to_come(self) -> Iterator[str]:
        """The guests that are still to come."""
        if self.shown:
            yield f"On show: {'; '.join(guest.words for guest in self.shown)}."
        yield f"{len(self.pile)} guest{'s' * (len(self.pile) != 1)} to come."

    def todo(self) -> str:
        """What is to be decided now, in words."""
        kind, about = self.steps[0] if self.steps else (self.phase, "")
        if kind == "dice":
            both = len(self.left) > 1
            return f"use {'the dice' if both else 'die'} {listed([*map(str, self.left)])}"
        if kind in ("token", "face"):
            return f"use {'a token on any square' if about == 'any' else face_words(about)}"
        if kind == "last":
            return f"clear {either(self.last_clears())} for the last time, or end"
        return _TODO[kind]


# -- the course of the game ------------------------------------------------------------------


def _rolled(state: OnceState, seat: int) -> OnceState:
    """The turn of a player begins with the dice (once_upon_a_castle/roll)."""
    if state.chance is None:
        raise CastlelabError("what the dice will show is hidden; guess before you play on")
    number, chance = state.chance.below(len(_ROLLS))
    return changed(
        state,
        active=seat,
        seat=seat,
        dice=_ROLLS[number],
        left=DICE,
        phase="dice",
        crossed=(),
        rolled=None,
        turn=state.turn + 1,
        chance=chance,
    )


def _followed(
    state: OnceState, boards: tuple[Board, ...], castles: tuple[Castle, ...]
) -> OnceState:
    """Somebody has used a die of the active player: on to the next, or to the lines."""
    seat = (state.seat + 1) % len(boards)
    if seat != state.active:
        return changed(state, boards=boards, castles=castles, seat=seat)
    full = boards[seat].full_lines()
    after = changed(state, boards=boards, castles=castles, seat=seat, phase="build")
    return after if full else _turn_over(after)


def _turn_over(state: OnceState) -> OnceState:
    if state.turn >= state.game.last_turn:
        return changed(state, phase="over", ending="once_upon_a_castle/long-reign")
    return _rolled(state, (state.active + 1) % len(state.boards))


def _arrived(state: OnceState, guest: Guest) -> OnceState:
    """A guest comes, or is woken: a Bolt guest acts at once (once_upon_a_castle/bolt)."""
    if guest.symbol != "bolt":
        return _settled(state)
    power, chance, castles = guest.power, state.chance, state.castles
    if power == "roll-twice":
        if chance is None:
            raise CastlelabError("what the die will show is hidden; guess before you play on")
        face, chance = chance.choice(FACES)
        # For a "?" the face is chosen first and doubled then.
        steps: tuple[Step, ...] = (("choose", ""),) if face == "any" else (("face", face),) * 2
        state = changed(state, rolled=(guest.name, face))
    else:
        steps = _BOLT_STEPS[power]
    if number := _BOLT_RESIDENTS.get(power, 0):
        castle = state._peopled(castles[state.seat], number)
        castles = _changed_at(castles, state.seat, castle)
    return _settled(changed(state, castles=castles, chance=chance, steps=steps + state.steps))


def _settled(state: OnceState) -> OnceState:
    """Pass over the steps that leave nothing to decide, and go on after the last one."""
    while state.steps:
        moves = state._step_moves()
        if moves == _ONLY_RESIDENTS:
            _, castles = state._used(state.steps[0][1], "residents")
            state = changed(state, castles=castles)
        elif moves and moves[0] is not STOP:
            return state
        state = changed(state, steps=state.steps[1:])
    if state.phase == "last":
        return state if state.last_clears() else _last_seat(state, state.seat)
    if state.ender is not None:
        return _last_seat(state, state.seat)
    return state if state.boards[state.seat].full_lines() else _turn_over(state)


def _last_seat(state: OnceState, seat: int) -> OnceState:
    """After the end the others, in order, draw what lies full on their boards
    (once_upon_a_castle/end).
    """
    players = len(state.boards)
    while (seat := (seat + 1) % players) != state.ender:
        full = tuple(line.name for line in state.boards[seat].full_lines())
        after = changed(state, seat=seat, phase="last", last_lines=full, crossed=(), rolled=None)
        if after.last_clears():
            return after
    return changed(state, phase="over", ending="once_upon_a_castle/end", seat=seat, last_lines=())


# -- small pieces ----------------------------------------------------------------------------


def _still_full(lines: tuple[str, ...], board: Board) -> tuple[str, ...]:
    """Those of some lines that are full: what a guest fills up later does not count."""
    if not lines:
        return lines
    full = [line.name for line in board.full_lines()]
    return tuple(name for name in lines if name in full)


def _known(guest: Guest) -> Guest:
    """The top card, unless it is hidden."""
    if guest == BACK:
        raise CastlelabError("who comes next is hidden; guess before you play on")
    return guest


def _changed_at(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    return (*items[:at], item, *items[at + 1 :])


_TODO = {
    "follow": "use one of the dice, or pass",
    "build": "clear full lines, or end the turn",
    "guest": "choose a guest",
    "steal": "choose a guest to steal",
    "reactivate": "choose a Bolt guest to act again",
    "choose": "choose the face that counts twice",
    "move": "move a token",
}
#: What plays each kind of move.
_DEEDS: dict[type[Move], Callable[[OnceState, Any], OnceState]] = {
    Use: OnceState._use,
    Lose: OnceState._lose,
    Pass: OnceState._pass,
    Clear: OnceState._clear,
    End: OnceState._end,
    Invite: OnceState._invite,
    Steal: OnceState._steal,
    Reactivate: OnceState._reactivate,
    Place: OnceState._place,
    Take: OnceState._take,
    Choose: OnceState._choose,
    Shift: OnceState._shift,
    Stop: OnceState._stop,
}
