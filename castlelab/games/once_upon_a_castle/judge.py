"""Which moves are refused, and why: the rule, the place, and what would mend it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from castlelab.game import Move
from castlelab.games.once_upon_a_castle.board import RESOURCES, TOKENS, Board, Line, face_words
from castlelab.games.once_upon_a_castle.castle import MOST, RULES, Castle
from castlelab.games.once_upon_a_castle.dice import face_uses, squares_for
from castlelab.games.once_upon_a_castle.guests import POWERS
from castlelab.games.once_upon_a_castle.moves import (
    DICE,
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
)
from castlelab.rules import LEGAL, Breach, CastlelabError, Verdict, listed, quoted

if TYPE_CHECKING:
    from castlelab.games.once_upon_a_castle.play import OnceState

#: The steps of a Bolt guest at work; the player may leave the rest of them alone.
AT_WORK = ("token", "face", "choose", "move")


def judge(state: OnceState, move: Move) -> Verdict:
    """Whether a move is legal now, with every breach explained."""
    found = _JUDGES.get(type(move))
    if found is None:
        raise CastlelabError(f"{quoted(move)} is not a move of Once Upon a Castle")
    if state.ending:
        return Verdict((Breach(RULES[state.ending], "The game is over."),))
    moments, judged = found
    if state.moment not in moments:
        return Verdict((_out_of_time(state, move),))
    breaches = tuple(judged(state, move))
    return Verdict(breaches) if breaches else LEGAL


def _out_of_time(state: OnceState, move: Move) -> Breach:
    """Why it is not the moment for a move."""
    if not state.steps and (reason := _SPECIAL.get(type(move))) is not None:
        return _no(*reason)
    if state.phase == "dice" and type(move) is Pass:
        return _no("once/roll", "On your own turn you use both dice.", ("die 1", "die 2"))
    if state.phase == "follow" and type(move) is Lose:
        return _no("once/roll", "On the turn of somebody else you may pass.", mend="Say pass.")
    rule, message, mend = _FIRST[state.moment]
    return _no(rule, message, mend=mend)


def _judge_use(state: OnceState, move: Use) -> Iterator[Breach]:
    die = move.die
    if die not in DICE or (state.phase == "dice" and die not in state.left):
        message = f"Die {quoted(die)} is not there to use."
        yield _no("once/roll", message, (f"die {die}",), "Use the other one.")
        return
    yield from _judge_face(state, state.dice[die - 1], move.what)


def _judge_face(state: OnceState, face: str, what: str) -> Iterator[Breach]:
    """Whether a face can be used for something, and why not."""
    castle, board = state.castles[state.seat], state.boards[state.seat]
    if what in face_uses(board, face, castle.powers, castle.flag_room > 0):
        return
    if what == "flag":
        yield _no_flag(state, face, castle)
    elif what == "cloud":
        if "cloud-for-any" not in castle.powers:
            yield _no("once/guest-shepherdess", "There is no shepherdess in your castle.")
        else:
            yield _no(
                "once/guest-shepherdess", f"Only a ? becomes a cloud, not {face_words(face)}."
            )
    elif what == "residents":
        if face == "food" and "resident-with-food" in castle.powers:
            yield _no(
                "once/guest-cook",
                "The cook's resident comes along with a token.",
                mend="Place the token on a Food square.",
            )
        else:
            yield _no("once/residents", f"{face_words(face)} brings no residents.")
    else:
        yield _no_square(state, face, what)


def _no_flag(state: OnceState, face: str, castle: Castle) -> Breach:
    if "flag-for-gold" not in castle.powers:
        return _no("once/guest-monk", "There is no monk in your castle.")
    if face not in ("gold", "any"):
        return _no("once/guest-monk", f"Only Gold becomes a flag, not {face_words(face)}.")
    mine = (f"castle {state.seat + 1}",)
    if castle.walls < MOST:
        return _no("once/flags", "No wall has room for a flag.", mine, "Draw a wall first.")
    return _no("once/flags", "All six flags are drawn.", mine)


def _no_square(state: OnceState, face: str, name: str) -> Breach:
    """Why a face puts no token on a square."""
    castle, board = state.castles[state.seat], state.boards[state.seat]
    square = board.layout.square_of.get(name)
    if square is None:
        return _no("once/resource", f"The board has no square {quoted(name)}.")
    if board.filled & square.bit:
        return _no("once/no-moving", f"{name} has a token already.", (name,))
    if face == "residents" and "token-for-residents" not in castle.powers:
        return _no("once/residents", "Residents bring no token.", mend="A knight would help.")
    if board.spare <= 0:
        return _no("once/no-token", f"All {TOKENS} tokens are on the board.", (name,))
    free = board.layout.names(squares_for(board, face, castle.powers))
    mend = f"Free for it: {', '.join(free)}." if free else "This chance is lost."
    message = f"{name} is {square.resource.capitalize()}, not {face_words(face)}."
    return _no("once/resource", message, (name,), mend)


def _judge_lose(state: OnceState, move: Lose) -> Iterator[Breach]:
    die = move.die
    if die not in state.left:
        yield _no("once/roll", f"Die {quoted(die)} is not there to lose.", (f"die {die}",))
        return
    if uses := state.uses(die):
        yield _no(
            "once/no-token",
            f"Die {die} can be used, so it must be.",
            (f"die {die}",),
            f"Use it for one of: {', '.join(uses)}.",
        )


def _judge_freely(_: OnceState, __: Move) -> Iterator[Breach]:
    yield from ()  # in its moment it is always allowed


def _judge_clear(state: OnceState, move: Clear) -> Iterator[Breach]:
    board = state.boards[state.seat]
    line = board.layout.line_of.get(move.line)
    if line is None:
        known = ", ".join(board.layout.line_of)
        yield _no("once/build-line", f"There is no {quoted(move.line)}.", mend=f"Lines: {known}.")
    elif line.bits & ~board.filled:
        yield _not_full(state, line, board)
    elif state.phase == "last" and line.name not in state.last_lines:
        yield _no(
            "once/end",
            f"{line.name.capitalize()} was not full when the game ended.",
            (line.name,),
        )
    elif state.phase == "last" and not state.castles[state.seat].can_draw(line.gift):
        yield _no("once/end", f"{line.name.capitalize()} draws no part any more.", (line.name,))


def _not_full(state: OnceState, line: Line, board: Board) -> Breach:
    missing = board.layout.names(line.bits & ~board.filled)
    if line.name in state.crossed:
        return _no(
            "once/crossing",
            f"{line.name.capitalize()} crossed a line that you have cleared.",
            missing,
            "Of two lines that cross only one is cleared.",
        )
    return _no(
        "once/build-line",
        f"{line.name.capitalize()} is not full.",
        missing,
        f"It misses a token on {listed(missing)}.",
    )


def _judge_invite(state: OnceState, move: Invite) -> Iterator[Breach]:
    if move.guest not in [guest.name for guest in state.shown]:
        yield _no(
            "once/guest-choice",
            f"No {quoted(move.guest)} is on show.",
            tuple(f"guest {guest.name}" for guest in state.shown),
            f"Choose {' or '.join(guest.name for guest in state.shown)}.",
        )


def _judge_steal(state: OnceState, move: Steal) -> Iterator[Breach]:
    prey = state.prey()
    if move.guest in [guest.name for guest in prey]:
        return
    where = (f"guest {move.guest}",)
    mend = f"You may steal {' or '.join(guest.name for guest in prey)}."
    for seat, castle in enumerate(state.castles):
        if move.guest in [guest.name for guest in castle.guests]:
            if seat == state.seat:
                message = f"The {move.guest} is yours already."
                yield _no("once/steal", message, where, mend)
            else:
                message = f"A guard protects the {move.guest}."
                yield _no("once/guest-guard", message, where, mend)
            return
    yield _no("once/steal", f"Nobody has a guest {quoted(move.guest)}.", mend=mend)


def _judge_reactivate(state: OnceState, move: Reactivate) -> Iterator[Breach]:
    bolts = [guest.name for guest in state.bolts()]
    if move.guest in bolts:
        return
    mend = f"Choose {' or '.join(bolts)}."
    if move.guest in [guest.name for guest in state.castles[state.seat].guests]:
        message = f"The {move.guest} is no Bolt guest."
        yield _no("once/bolt", message, (f"guest {move.guest}",), mend)
    else:
        yield _no("once/reactivate", f"You have no guest {quoted(move.guest)}.", mend=mend)


def _judge_place(state: OnceState, move: Place) -> Iterator[Breach]:
    kind, about = state.steps[0]
    if kind == "face":
        yield from _judge_face(state, about, move.square)
    elif move.square not in state.work(kind, about):
        breach = _no_square(state, about, move.square)
        if breach.rule == "once/resource" and about in _TOKEN_RULES:
            breach = _no(_TOKEN_RULES[about], breach.message, breach.where, breach.mend)
        yield breach


def _judge_take(state: OnceState, move: Take) -> Iterator[Breach]:
    yield from _judge_face(state, state.steps[0][1], move.what)


def _judge_choose(state: OnceState, move: Choose) -> Iterator[Breach]:
    if move.face not in state.choices():
        if move.face == "cloud":
            yield _no("once/guest-shepherdess", "There is no shepherdess in your castle.")
        else:
            yield _no("once/any", f"A die has no face {quoted(move.face)}.")


def _judge_shift(state: OnceState, move: Shift) -> Iterator[Breach]:
    board = state.boards[state.seat]
    source, goal = (board.layout.square_of.get(name) for name in (move.source, move.goal))
    if source is None or goal is None:
        wrong = move.source if source is None else move.goal
        yield _no("once/guest-magician", f"The board has no square {quoted(wrong)}.")
    elif not board.filled & source.bit:
        yield _no("once/guest-magician", f"{source.name} has no token.", (source.name,))
    elif board.filled & goal.bit:
        yield _no("once/guest-magician", f"{goal.name} is taken.", (goal.name,))


# -- what is said ---------------------------------------------------------------------------


def _no(rule: str, message: str, where: tuple[str, ...] = (), mend: str = "") -> Breach:
    return Breach(RULES[rule], message, where, mend)


#: Whose rule a token of a guest goes by.
_TOKEN_RULES = {resource: POWERS[f"two-{resource}"].rule for resource in RESOURCES} | {
    "any": POWERS["token-and-resident"].rule
}
#: What comes first in each moment: the rule, what is said, what would be right.
_FIRST = {
    "dice": ("once/roll", "The dice come first.", "Use both dice."),
    "follow": ("once/roll", "The dice come first.", "Use one of them, or pass."),
    "build": ("once/build-line", "The dice are used.", "Clear a full line, or end the turn."),
    "last": ("once/end", "The dice rest.", "Clear a full line, or end."),
    "guest": ("once/guest-choice", "A guest comes first.", "Choose one of those on show."),
    "steal": ("once/steal", "The theft comes first.", "Choose a guest of somebody else."),
    "reactivate": ("once/reactivate", "A Bolt guest acts first.", "Choose one of yours."),
    "token": ("once/bolt", "The guest's token comes first.", "Place it, or stop."),
    "face": ("once/guest-dagobert", "Dagobert's face comes first.", "Use it, or stop."),
    "choose": ("once/guest-dagobert", "Dagobert rolled a ?.", "Choose a face, or stop."),
    "move": ("once/guest-magician", "The magician is at work.", "Move a token, or stop."),
}
#: Moves that need a guest at work, and what is said while none is.
_SPECIAL: dict[type[Move], tuple[str, str]] = {
    Invite: ("once/guest-choice", "A guest is chosen when a floor is drawn."),
    Steal: ("once/steal", "Guests are stolen with a line that says so."),
    Reactivate: ("once/reactivate", "Guests act again with a line that says so."),
    Place: ("once/bolt", "No guest brings a token now."),
    Take: ("once/guest-dagobert", "Dagobert has rolled nothing."),
    Choose: ("once/guest-dagobert", "Dagobert has rolled nothing."),
    Shift: ("once/no-moving", "Tokens stay where they are."),
    Stop: ("once/bolt", "No guest is at work."),
}

#: Each kind of move: its moments and what judges it.
_JUDGES: dict[type[Move], tuple[tuple[str, ...], Callable[[OnceState, Any], Iterator[Breach]]]] = {
    Use: (("dice", "follow"), _judge_use),
    Lose: (("dice",), _judge_lose),
    Pass: (("follow",), _judge_freely),
    Clear: (("build", "last"), _judge_clear),
    End: (("build", "last"), _judge_freely),
    Invite: (("guest",), _judge_invite),
    Steal: (("steal",), _judge_steal),
    Reactivate: (("reactivate",), _judge_reactivate),
    Place: (("token", "face"), _judge_place),
    Take: (("face",), _judge_take),
    Choose: (("choose",), _judge_choose),
    Shift: (("move",), _judge_shift),
    Stop: (AT_WORK, _judge_freely),
}
