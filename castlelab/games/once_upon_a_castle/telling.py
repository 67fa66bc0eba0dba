"""A table of Once Upon a Castle in words, and its moves: enough to play by without the picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from castlelab.game import SEAT_NAMES, Emblem, Move, Sentence
from castlelab.games.once_upon_a_castle import moves
from castlelab.games.once_upon_a_castle.board import RESOURCES, Line, face_words
from castlelab.games.once_upon_a_castle.castle import Castle
from castlelab.games.once_upon_a_castle.guests import POWERS, Guest
from castlelab.games.once_upon_a_castle.moves import DICE, EXTRAS
from castlelab.games.once_upon_a_castle.scoring import SMALL_CLOUD
from castlelab.rules import counted, either, listed

if TYPE_CHECKING:
    from castlelab.games.once_upon_a_castle.play import OnceState


def table_words(state: OnceState) -> str:
    """What is to do now, what everybody has, and which guests are still to come."""
    everybody = (_told(state, seat) for seat in range(state.game.players))
    return " ".join([_what_now(state), *everybody, *_to_come(state)])


def _what_now(state: OnceState) -> str:
    """Whose turn it is and what is to do, or how it ended."""
    rolled = f" {rolled_words(state)}." if state.rolled else ""
    if state.ending:
        won = listed([SEAT_NAMES[seat] for seat in state.winners])
        verb = "wins" if len(state.winners) == 1 else "share the victory"
        return f"The game is over: {won} {verb} with {max(state.scores)} points.{rolled}"
    one, other = map(face_words, state.dice)
    return (
        f"Turn {state.turn}, {SEAT_NAMES[state.active]}'s: dice {one} and {other}."
        f"{rolled} {SEAT_NAMES[state.seat]}: {todo(state)}."
    )


def rolled_words(state: OnceState) -> str:
    """What a guest rolled in this turn; "" if none did (once_upon_a_castle/guest-dagobert)."""
    guest, face = state.rolled or ("", "")
    return f"{guest.capitalize()} rolled {face_words(face)}" if guest else ""


def _told(state: OnceState, seat: int) -> str:
    """What a player has: the tokens, the full lines, the castle, the points so far."""
    name, board, points = SEAT_NAMES[seat], state.boards[seat], state.score(seat).total
    full = [f"{line.name} is full for {line.gift.words}" for line in board.full_lines()]
    return (
        f"{name}'s tokens: {', '.join([token_words(state, seat), *full])}. "
        f"{name}'s castle has {state.castles[seat].words}, {counted(points, 'point')}."
    )


def token_words(state: OnceState, seat: int) -> str:
    """Where the tokens of a player lie, and how many are left."""
    board = state.boards[seat]
    return f"{' '.join(board.tokens) or 'none'} on the board, {board.spare} left"


def _to_come(state: OnceState) -> Iterator[str]:
    """The guests that are still to come."""
    if state.shown:
        yield f"On show: {'; '.join(guest.words for guest in state.shown)}."
    yield f"{counted(len(state.pile), 'guest')} to come."


def full_words(full: Sequence[Line]) -> str:
    """Lines that are full, and what each gives: "Row 4 is full. It gives a floor."."""
    names = listed([line.name for line in full]).capitalize()
    if len(full) == 1:
        return f"{names} is full. It gives {full[0].gift.words}."
    gifts = "; ".join(f"{line.name} gives {line.gift.words}" for line in full)
    return f"{names} are full: {gifts}."


def todo(state: OnceState) -> str:
    """What is to be decided now, in words."""
    kind, about = state.steps[0] if state.steps else (state.phase, "")
    if kind == "dice":
        both = len(state.left) > 1
        return f"use {'the dice' if both else 'die'} {listed([*map(str, state.left)])}"
    if kind in ("token", "face"):
        return f"use {'a token on any square' if about == 'any' else face_words(about)}"
    if kind == "last":
        return f"clear {either(state.last_clears())} for the last time, or end"
    return _TODO[kind]


_TODO = {
    "follow": "use one of the dice, or pass",
    "build": "clear full lines, or end the turn",
    "guest": "choose a guest",
    "steal": "choose a guest to steal",
    "reactivate": "choose a Bolt guest to act again",
    "choose": "choose the face that counts twice",
    "move": "move a token",
}


# -- what a move has done --------------------------------------------------------------------


def tell_move(state: OnceState, move: Move, after: Any) -> Sentence:
    """What a move has done, told by what has changed on the table."""
    return _told_of(state, move, after)


def tell_shorter(state: OnceState, move: Move, after: Any) -> Iterator[Sentence]:
    """The same without what a line would have given if there had been room, and with lines that
    are kept only counted.
    """
    if isinstance(move, moves.Clear | moves.End | moves.Invite | moves.Steal):
        yield _told_of(state, move, after, terse=True)


def tell_news(after: OnceState, before: Any, seat: int) -> Iterator[str]:
    """The dice that are rolled for a seat: everybody else hears of them with their first use."""
    if after.seat == seat and after.phase == "dice" and after.left == DICE != before.left:
        yield f"Dice: {listed([*map(face_words, after.dice)])}."


def _told_of(state: OnceState, move: Move, after: OnceState, *, terse: bool = False) -> Sentence:
    drew = _drawn(state.castles[state.seat], after.castles[state.seat])
    match move:
        case moves.Use(die, what):
            did = (*_roll(state), *_spent(state, state.dice[die - 1], what, drew))
        case moves.Lose(die):
            did = (*_roll(state), "could not use ", _face(state.dice[die - 1]))
        case moves.Pass():
            did = (f"left {SEAT_NAMES[state.active]}'s dice alone",)
        case moves.Clear():
            did = _cleared(state, move, after, drew, terse=terse)
        case moves.Invite(name) | moves.Steal(name) | moves.Reactivate(name):
            did = _came(state, move, state.game.guest_named[name], after, drew)
        case moves.Place(what) | moves.Take(what):
            kind, about = state.steps[0]
            for_guest = (f"put a token on {what} for a guest", *_and(drew))
            did = _spent(state, about, what, drew) if kind == "face" else for_guest
        case moves.Choose(face):
            guest, _ = state.rolled or ("the guest", "")
            did = (f"made {guest.capitalize()}'s ? into ", _face(face), *_and(drew))
        case moves.Shift(source, goal):
            did = (f"moved a token from {source} to {goal}",)
        case moves.Stop():
            did = ("did not need the guest any more",)
        case _:
            full = [line.name for line in state.boards[state.seat].full_lines()]
            those = counted(len(full), "full line") if terse else listed(full)
            kept = f", and kept {those}" if full else ""
            did = (f"ended the turn{kept}" if state.phase == "build" else "cleared nothing more",)
    return (*did, *_so(state, after, terse=terse))


def _roll(state: OnceState) -> Sentence:
    """The dice, told with the first use of them."""
    if state.phase != "dice" or state.left != DICE:
        return ()
    one, other = map(_face, state.dice)
    return ("rolled ", one, " and ", other, ", and ")


def _face(face: str) -> Emblem:
    """A face of a die with its picture."""
    return Emblem(face_words(face), f"die {face}")


def _spent(state: OnceState, face: str, what: str, drew: Sequence[Emblem]) -> Sentence:
    """A face, and what it was used for: "used Orange's ? as Gold on c1"."""
    whose = f"{SEAT_NAMES[state.active]}'s " if state.moment == "follow" else ""
    used = (f"used {whose}", _face(face))
    if what in EXTRAS:
        return (*used, *(_and(drew, " to draw ") or (", but found no room",)))
    resource = state.boards[state.seat].layout.square_of[what].resource
    stood_for = (" as ", _face(resource)) if resource != face else ()
    return (*used, *stood_for, f" on {what}", *_and(drew))


def _named(words: str, picture: str) -> Emblem:
    """A thing whose picture alone would not tell how many there are, or what it is worth."""
    return Emblem(words, picture, named=True)


def _drawn(before: Castle, then: Castle) -> list[Emblem]:
    """What has come into a castle, without its guests."""
    people, clouds = (
        getattr(then, part) - getattr(before, part) for part in ("residents", "small_clouds")
    )
    drawn_clouds = counted(clouds, "small cloud") if clouds > 1 else "a small cloud"
    return [
        *[_named("a floor", "floor")] * (then.floors - before.floors),
        *(_named(f"a tower worth {worth}", "tower") for worth in _added(before, then, "towers")),
        *[_named("a wall", "wall")] * (then.walls - before.walls),
        *(_named(f"a flag worth {worth}", "flag") for worth in _added(before, then, "flags")),
        *[_named(counted(people, "resident"), "residents")] * (people > 0),
        *[_named(f"{drawn_clouds} worth {clouds * SMALL_CLOUD}", "cloud")] * (clouds > 0),
        *[_named("the sun", "sun")] * (then.sun > before.sun),
        *[_named("the cloud", "cloud")] * (then.cloud > before.cloud),
    ]


def _added(before: Castle, then: Castle, part: str) -> tuple[int, ...]:
    worths: tuple[int, ...] = getattr(then, part)
    return worths[len(getattr(before, part)) :]


def _and(drew: Sequence[Emblem], how: str = " and drew ") -> Sentence:
    """What was drawn by the way, if anything: " and drew a wall and 2 residents"."""
    if not drew:
        return ()
    *first, last = drew
    joined = [part for thing in first for part in (thing, ", ")][:-1]
    return (how, *joined, *[" and "] * bool(first), last)


def _cleared(
    state: OnceState,
    move: moves.Clear,
    after: OnceState,
    drew: Sequence[Emblem],
    *,
    terse: bool,
) -> Sentence:
    """A line that went, what it gave, and what of that found no room."""
    gift = state.boards[state.seat].layout.line_of[move.line].gift
    before, then = state.castles[state.seat], after.castles[state.seat]
    lost = [
        *["floor"] * (gift.floor and then.floors == before.floors),
        *["tower"] * (gift.tower > 0 and then.towers == before.towers),
        *["wall"] * (gift.wall and then.walls == before.walls),
        *["flag"] * (gift.flag > 0 and then.flags == before.flags),
    ]
    guests = then.guests[len(before.guests) :]
    did: Sentence = (f"cleared {move.line}", *_and(drew))
    for guest in guests:
        did = (*did, "; ", _named(f"a guest worth {guest.points}", "guest"), " moved in")
    return (*did, f", but had no room for the {listed(lost)}") if lost and not terse else did


_CAME = {"guest": "invited", "steal": "stole", "reactivate": "called again on"}
_WITH_A_NAME = ("dagobert",)  # the others are called by what they do


def _called(guest: Guest, the: str = "The") -> str:
    name = guest.name.capitalize()
    return name if guest.name in _WITH_A_NAME else f"{the} {name}"


def _came(
    state: OnceState, move: Move, guest: Guest, after: OnceState, drew: Sequence[Emblem]
) -> Sentence:
    """A guest who came or acted again, and what that brought at once, or will bring."""
    who = _named(_called(guest, "the"), f"guest {guest.symbol}")
    did: Sentence = (f"{_CAME[move.kind]} ", who)
    if move.kind == "steal":
        host = next(seat for seat, castle in enumerate(state.castles) if guest in castle.guests)
        did = (*did, f" from {SEAT_NAMES[host]}")
    brings = counted(guest.points, "point") if guest.power == "none" else POWERS[guest.power].words
    if guest.power == "roll-twice" and after.rolled:
        return (*did, ", who rolled ", _face(after.rolled[1]), *_and(drew))
    return (*did, *(_and(drew) or (f": {brings}",)))


def _so(state: OnceState, after: OnceState, *, terse: bool) -> Sentence:
    """What has come of it: lines that are full, a castle that is complete, the end."""
    before, then = state.boards[state.seat], after.boards[state.seat]
    full = [line.name for line in then.full_lines() if line not in before.full_lines()]
    found = [
        *[f"{listed(full).capitalize()} {'is' if len(full) == 1 else 'are'} full."] * bool(full),
        *[
            f"New: {_called(guest, 'the')}." if terse else f"{_called(guest)} is on show."
            for guest in _new_on_show(state, after)
        ],
        *["Castle complete." if terse else "The castle is complete."]
        * (after.ender != state.ender),
        *["The game is over."] * bool(after.ending),
    ]
    return (f". {' '.join(found)}",) if found else ()


def _new_on_show(state: OnceState, after: OnceState) -> list[Guest]:
    return [guest for guest in after.shown if guest not in state.shown]


# -- what the table shows --------------------------------------------------------------------


def legend(*, architect: bool) -> tuple[tuple[str, str], ...]:
    """What the letters and signs on the table mean."""
    guests = (
        ("Again", "a Bolt guest in your castle acts once more"),
        ("Steal", "take a guest out of another castle"),
        ("Bolt", "the guest acts at once, when coming"),
        ("Hourglass", "the guest helps as long as the guest stays"),
        ("Crown", "the guest counts at the end"),
    )
    return (
        ("?", f"{listed([*map(face_words, RESOURCES)])} or Residents, as you like"),
        ("Tower 5", "draw a tower worth 5 points"),
        ("Flag 2", "draw a flag worth 2 points, if a wall has room for it"),
        ("+3", "draw 3 residents"),
        ("or", "two full lines cross here: clear one of them"),
        *(guests if architect else (("Floor", "draw a floor; a guest moves in"),)),
    )
