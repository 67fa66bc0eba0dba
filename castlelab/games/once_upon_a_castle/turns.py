"""What each kind of move does to the state, and how the game goes on from there."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from castlelab.game import Move, changed, changed_at, without
from castlelab.games.once_upon_a_castle import moves
from castlelab.games.once_upon_a_castle.board import FACES, RESOURCES, Board, Gift
from castlelab.games.once_upon_a_castle.castle import MOST, Castle
from castlelab.games.once_upon_a_castle.dice import ROLLS
from castlelab.games.once_upon_a_castle.guests import FACE_DOWN_GUEST, Guest
from castlelab.games.once_upon_a_castle.judge import AT_WORK
from castlelab.games.once_upon_a_castle.moves import DICE, EXTRAS, STOP
from castlelab.rules import CastlelabError

if TYPE_CHECKING:
    from castlelab.games.once_upon_a_castle.play import Decision, OnceState

MONK_FLAG = 2  # what the flag of a monk is worth
_ONLY_RESIDENTS = (moves.Take("residents"), STOP)
_BOLT_STEPS: dict[str, tuple[Decision, ...]] = {
    "token-and-resident": (("token", "any"),),
    "four-residents": (),
    **{f"two-{resource}": (("token", resource),) * 2 for resource in RESOURCES},
    "move-two": (("move", ""),) * 2,
}
_BOLT_RESIDENTS = {"token-and-resident": 1, "four-residents": 4}


def _use(state: OnceState, move: moves.Use) -> OnceState:
    boards, castles = _used(state, state.dice[move.die - 1], move.what)
    if state.phase == "dice":
        if len(state.left) == 2:
            left = (3 - move.die,)
            return changed(state, boards=boards, castles=castles, left=left)
        seat = (state.seat + 1) % len(boards)
        return changed(state, boards=boards, castles=castles, left=(), phase="follow", seat=seat)
    return _followed(state, boards, castles)


def _used(state: OnceState, face: str, what: str) -> tuple[tuple[Board, ...], tuple[Castle, ...]]:
    """The boards and castles after a face was used for something."""
    seat = state.seat
    boards, castles = state.boards, state.castles
    castle, board = castles[seat], boards[seat]
    if what in EXTRAS:
        if what == "flag":
            castle = castle.with_flag(MONK_FLAG)
        elif what == "cloud":
            castle = changed(castle, small_clouds=castle.small_clouds + 1)
        else:  # once_upon_a_castle/residents, or the one that the cook brings without a token
            castle = _peopled(state, castle, 1 if face == "food" else 2)
        return boards, changed_at(castles, seat, castle)
    square = board.layout.square_of[what]
    boards = changed_at(boards, seat, board.layout.board(board.filled | square.bit))
    if (
        castle.guests
        and square.resource == "food"
        and face in ("food", "any")
        and "resident-with-food" in castle.powers
    ):
        # once_upon_a_castle/guest-cook
        castles = changed_at(castles, seat, _peopled(state, castle, 1))
    return boards, castles


def _peopled(state: OnceState, castle: Castle, number: int) -> Castle:
    return castle.with_residents(number, state.game.box.track.length)


def _lose(state: OnceState, move: moves.Lose) -> OnceState:
    if len(state.left) == 2:
        return changed(state, left=(3 - move.die,))
    return changed(state, left=(), phase="follow", seat=(state.seat + 1) % len(state.boards))


def _clear(state: OnceState, move: moves.Clear) -> OnceState:
    """A line goes and gives what it shows, as far as it can be drawn."""
    seat, board, before = state.seat, state.boards[state.seat], state.castles[state.seat]
    line = board.layout.line_of[move.line]
    castle = before.with_gift(line.gift, state.game.box.track.length)
    pile, steps, ender = state.pile, _steps_of(state, line.gift), state.ender
    if castle.floors > before.floors and not state.game.architect and pile:
        # once_upon_a_castle/floor-guest
        castle, pile = castle.with_guest(_known(pile[-1])), pile[:-1]
    night = not any(other.sun for other in state.castles)
    if night and len(castle.towers) == MOST > len(before.towers):
        castle = changed(castle, sun=True)  # once_upon_a_castle/sun
    if ender is None and castle.complete:
        castle, ender = changed(castle, cloud=True), seat  # once_upon_a_castle/end
    left = board.layout.board(board.filled & ~line.bits)
    return _settled(
        changed(
            state,
            boards=changed_at(state.boards, seat, left),
            castles=changed_at(state.castles, seat, castle),
            pile=pile,
            steps=steps,
            ender=ender,
            crossed=state.crossed + tuple([other.name for other in board.crossing(line)]),
            last_lines=_still_full(state.last_lines, left),
        )
    )


def _steps_of(state: OnceState, gift: Gift) -> tuple[Decision, ...]:
    """What a gift leaves to decide: a floor's guest even after once_upon_a_castle/end."""
    comes = gift.floor and state.game.architect and state.castles[state.seat].floors < MOST
    more = state.phase == "build"
    found = {"guest": comes, "reactivate": gift.reactivate and more, "steal": gift.steal and more}
    return tuple((kind, "") for kind, wanted in found.items() if wanted)


def _invite(state: OnceState, move: moves.Invite) -> OnceState:
    """A guest comes, and the next card takes its place (once_upon_a_castle/guest-choice)."""
    guest = state.game.guest_named[move.guest]
    shown, pile = without(state.shown, guest), state.pile
    if pile:
        shown = changed_at(state.shown, state.shown.index(guest), _known(pile[-1]))
        pile = pile[:-1]
    castle = state.castles[state.seat].with_guest(guest)
    castles = changed_at(state.castles, state.seat, castle)
    after = changed(state, castles=castles, shown=shown, pile=pile, steps=state.steps[1:])
    return _arrived(after, guest)


def _steal(state: OnceState, move: moves.Steal) -> OnceState:
    """A guest changes the castle; whatever it has brought stays (once_upon_a_castle/steal)."""
    guest = state.game.guest_named[move.guest]
    castles = tuple(
        castle.with_guest(guest) if seat == state.seat else castle.without_guest(guest)
        for seat, castle in enumerate(state.castles)
    )
    return _arrived(changed(state, castles=castles, steps=state.steps[1:]), guest)


def _reactivate(state: OnceState, move: moves.Reactivate) -> OnceState:
    guest = state.game.guest_named[move.guest]
    return _arrived(changed(state, steps=state.steps[1:]), guest)


def _worked(state: OnceState, move: moves.Place | moves.Take) -> OnceState:
    """A token or a face of a guest is used for something."""
    kind, about = state.steps[0]
    what = move.what if isinstance(move, moves.Take) else move.square
    boards, castles = _used(state, about if kind == "face" else "", what)
    return _settled(changed(state, boards=boards, castles=castles, steps=state.steps[1:]))


def _choose(state: OnceState, move: moves.Choose) -> OnceState:
    """A "?" of Dagobert is now a face, and counts twice (once_upon_a_castle/guest-dagobert)."""
    rest = state.steps[1:]
    if move.face != "cloud":
        return _settled(changed(state, steps=(("face", move.face),) * 2 + rest))
    castle = state.castles[state.seat]
    castle = changed(castle, small_clouds=castle.small_clouds + 2)
    castles = changed_at(state.castles, state.seat, castle)
    return _settled(changed(state, castles=castles, steps=rest))


def _shift(state: OnceState, move: moves.Shift) -> OnceState:
    board = state.boards[state.seat]
    square_of = board.layout.square_of
    filled = board.filled ^ square_of[move.source].bit ^ square_of[move.goal].bit
    boards = changed_at(state.boards, state.seat, board.layout.board(filled))
    return _settled(changed(state, boards=boards, steps=state.steps[1:]))


def _stop(state: OnceState, _: moves.Stop) -> OnceState:
    steps = state.steps
    while steps and steps[0][0] in AT_WORK:
        steps = steps[1:]
    return _settled(changed(state, steps=steps))


# -- the course of the game ------------------------------------------------------------------


def rolled(state: OnceState, seat: int) -> OnceState:
    """The turn of a player begins with the dice (once_upon_a_castle/roll)."""
    if state.chance is None:
        raise CastlelabError("what the dice will show is hidden; guess before you play on")
    number, chance = state.chance.below(len(ROLLS))
    return changed(
        state,
        active=seat,
        seat=seat,
        dice=ROLLS[number],
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
    after = changed(state, boards=boards, castles=castles, seat=seat, phase="build")
    return after if boards[seat].full_lines() else _turn_over(after)


def _turn_over(state: OnceState) -> OnceState:
    if state.turn >= state.game.last_turn:
        return changed(state, phase="over", ending="once_upon_a_castle/long-reign")
    return rolled(state, (state.active + 1) % len(state.boards))


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
        steps: tuple[Decision, ...] = (("choose", ""),) if face == "any" else (("face", face),) * 2
        state = changed(state, rolled=(guest.name, face))
    else:
        steps = _BOLT_STEPS[power]
    if number := _BOLT_RESIDENTS.get(power, 0):
        castle = _peopled(state, castles[state.seat], number)
        castles = changed_at(castles, state.seat, castle)
    return _settled(changed(state, castles=castles, chance=chance, steps=steps + state.steps))


def _settled(state: OnceState) -> OnceState:
    """Pass over the steps that leave nothing to decide, and go on after the last one."""
    while state.steps:
        choices = state.step_moves()
        if choices == _ONLY_RESIDENTS:
            _, castles = _used(state, state.steps[0][1], "residents")
            state = changed(state, castles=castles)
        elif choices and choices[0] is not STOP:
            return state
        state = changed(state, steps=state.steps[1:])
    if state.phase == "last":
        return state if state.last_clears() else _last_seat(state)
    if state.ender is not None:
        return _last_seat(state)
    return state if state.boards[state.seat].full_lines() else _turn_over(state)


def _last_seat(state: OnceState) -> OnceState:
    """After the end the others, in order, draw what lies full (once_upon_a_castle/end)."""
    seat = state.seat
    while (seat := (seat + 1) % len(state.boards)) != state.ender:
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
    if guest == FACE_DOWN_GUEST:
        raise CastlelabError("who comes next is hidden; guess before you play on")
    return guest


#: What plays each kind of move.
TURNS: dict[type[Move], Callable[[OnceState, Any], OnceState]] = {
    moves.Use: _use,
    moves.Lose: _lose,
    moves.Pass: lambda state, _: _followed(state, state.boards, state.castles),
    moves.Clear: _clear,
    moves.End: lambda state, _: (_turn_over if state.phase == "build" else _last_seat)(state),
    moves.Invite: _invite,
    moves.Steal: _steal,
    moves.Reactivate: _reactivate,
    moves.Place: _worked,
    moves.Take: _worked,
    moves.Choose: _choose,
    moves.Shift: _shift,
    moves.Stop: _stop,
}
