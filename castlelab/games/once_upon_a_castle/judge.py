"""Which moves are refused, and why: the rule, the place, and what would mend it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from castlelab.game import Move, Moves, refusal
from castlelab.games.once_upon_a_castle import moves
from castlelab.games.once_upon_a_castle.board import RESOURCES, TOKENS, Board, Line, face_words
from castlelab.games.once_upon_a_castle.castle import MOST, RULES, Castle
from castlelab.games.once_upon_a_castle.guests import POWERS
from castlelab.games.once_upon_a_castle.moves import CHOICES, DICE
from castlelab.rules import LEGAL, Breach, CastlelabError, Verdict, listed, quoted

if TYPE_CHECKING:
    from castlelab.games.once_upon_a_castle.play import OnceState

_no = partial(refusal, RULES)
#: The steps of a Bolt guest at work; the player may leave the rest of them alone.
AT_WORK = ("token", "face", "choose", "move")
Reason = tuple[str, str, tuple[str, ...]]  # the rule, what is said, and where it is
_NO_MORE_TOKENS = "The twelfth part is drawn, and a token counts no more."


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


def _deeds(state: OnceState) -> Moves:
    """The legal moves that do something, or what is left if there is none."""
    legal, idle = state.moves(), (moves.Stop, moves.Pass, moves.End)
    return tuple(move for move in legal if not isinstance(move, idle)) or legal


def _out_of_time(state: OnceState, move: Move) -> Breach:
    """Why it is not the moment for a move."""
    special = _SPECIAL if state.game.architect else _APPRENTICE
    if not state.steps and (reason := special.get(type(move))) is not None:
        return _no(*reason, mends=_of_the_dice(state, move))
    if state.phase == "dice" and type(move) is moves.Pass:
        where = tuple(f"die {die}" for die in state.left)
        message = "On your own turn you use both dice."
        return _no("once_upon_a_castle/roll", message, where, mends=state.moves())
    if state.phase == "follow" and type(move) is moves.Lose:
        message = "On the turn of somebody else you may pass."
        return _no("once_upon_a_castle/roll", message, mends=state.moves_of(moves.Pass))
    rule, message = _FIRST[state.moment]
    return _no(rule, message, mends=_deeds(state))


def _of_the_dice(state: OnceState, move: Move) -> Moves:
    """What a die can do of that which a guest's move would have done."""
    what = {moves.Place: "square", moves.Take: "what"}.get(type(move))
    if what is None or state.moment not in ("dice", "follow"):
        return ()
    wanted = getattr(move, what)
    return tuple(use for use in state.moves_of(moves.Use) if use.what == wanted)


# -- the dice --------------------------------------------------------------------------------


def _judge_use(state: OnceState, move: moves.Use) -> Iterator[Breach]:
    die = move.die
    if die not in DICE or (state.phase == "dice" and die not in state.left):
        message = f"Die {quoted(die)} is not there to use."
        same = tuple(use for use in state.moves_of(moves.Use) if use.what == move.what)
        yield _no("once_upon_a_castle/roll", message, (f"die {die}",), mends=same or state.moves())
        return
    face = state.dice[die - 1]
    if move.what not in state.uses(die):
        yield _no_use(state, face, move.what, _uses(state, die))


def _uses(state: OnceState, die: int) -> Moves:
    """The legal uses of a die, or its loss; of two alike the list names only the first."""
    face = state.dice[die - 1]
    alike = [move for move in state.moves() if isinstance(move, moves.Use | moves.Lose)]
    found = tuple(move for move in alike if state.dice[move.die - 1] == face)
    return found or state.moves_of(moves.Pass)


def _no_use(state: OnceState, face: str, what: str, mends: Moves) -> Breach:
    """Why a face cannot be used for something."""
    castle = state.castles[state.seat]
    if what == "flag":
        return _no(*_why_no_flag(state, face, castle), mends=mends)
    if what == "cloud":
        return _no(*_why_no_cloud(state, face, castle), mends=mends)
    if what != "residents":
        return _no(*_why_no_token(state, face, what), mends=mends)
    if face == "food" and "resident-with-food" in castle.powers:
        message = "The cook's resident comes along with a token."
        return _no("once_upon_a_castle/guest-cook", message, mends=mends)
    message = f"{face_words(face)} brings no residents."
    return _no("once_upon_a_castle/residents", message, mends=mends)


def _why_no_flag(state: OnceState, face: str, castle: Castle) -> Reason:
    if not state.game.architect:  # apprentices know nothing of monks
        return "once_upon_a_castle/build-line", "A flag comes with a line, not with a die.", ()
    if "flag-for-gold" not in castle.powers:
        return "once_upon_a_castle/guest-monk", "There is no monk in your castle.", ()
    if face not in ("gold", "any"):
        message = f"Only Gold becomes a flag, not {face_words(face)}."
        return "once_upon_a_castle/guest-monk", message, ()
    room = castle.walls < MOST
    message = "No wall has room for a flag." if room else "All six flags are drawn."
    return "once_upon_a_castle/flags", message, (f"castle {state.seat + 1}",)


def _why_no_cloud(state: OnceState, face: str, castle: Castle) -> Reason:
    if not state.game.architect:
        message = "The cloud comes with the twelfth part, not with a die."
        return "once_upon_a_castle/end", message, ()
    message = f"Only a ? becomes a cloud, not {face_words(face)}."
    if "cloud-for-any" not in castle.powers:
        message = "There is no shepherdess in your castle."
    return "once_upon_a_castle/guest-shepherdess", message, ()


def _why_no_token(state: OnceState, face: str, name: str) -> Reason:
    """Why a face puts no token on a square."""
    castle, board = state.castles[state.seat], state.boards[state.seat]
    square = board.layout.square_of.get(name)
    if square is None:
        return "once_upon_a_castle/resource", f"The board has no square {quoted(name)}.", ()
    if board.filled & square.bit:
        return "once_upon_a_castle/no-moving", f"{name} has a token already.", (name,)
    if face == "residents" and "token-for-residents" not in castle.powers:
        return "once_upon_a_castle/residents", "Residents bring no token.", ()
    if board.spare <= 0:
        return "once_upon_a_castle/no-token", f"All {TOKENS} tokens are on the board.", (name,)
    message = f"{name} is {square.resource.capitalize()}, not {face_words(face)}."
    return "once_upon_a_castle/resource", message, (name,)


def _judge_lose(state: OnceState, move: moves.Lose) -> Iterator[Breach]:
    die, where = move.die, (f"die {move.die}",)
    if die not in state.left:
        message = f"Die {quoted(die)} is not there to lose."
        yield _no("once_upon_a_castle/roll", message, where, mends=state.moves())
    elif state.uses(die):
        message = f"Die {die} can be used, so it must be."
        yield _no("once_upon_a_castle/roll", message, where, mends=_uses(state, die))


def _allowed(*_: object) -> tuple[Breach, ...]:
    return ()  # whenever it is the moment for it


# -- the lines -------------------------------------------------------------------------------


def _judge_clear(state: OnceState, move: moves.Clear) -> Iterator[Breach]:
    board = state.boards[state.seat]
    line = board.layout.line_of.get(move.line)
    if line is None:
        hint = f"Lines: {', '.join(board.layout.line_of)}."
        message = f"There is no {quoted(move.line)}."
        yield _no("once_upon_a_castle/build-line", message, (), hint, _deeds(state))
    elif line.bits & ~board.filled:
        yield _not_full(state, line, board)
    elif state.phase == "last" and line.name not in state.last_clears():
        name = line.name.capitalize()
        message = f"{name} draws no part any more."
        if line.name not in state.last_lines:
            message = f"{name} was not full when the game ended."
        yield _no("once_upon_a_castle/end", message, (line.name,), mends=_deeds(state))


def _not_full(state: OnceState, line: Line, board: Board) -> Breach:
    missing, name = board.layout.names(line.bits & ~board.filled), line.name.capitalize()
    if line.name in state.crossed:
        message = f"{name} crossed a line that you have cleared: of two only one goes."
        return _no("once_upon_a_castle/crossing", message, missing, mends=_deeds(state))
    message = f"{name} is not full: it misses a token on {listed(missing)}."
    return _no("once_upon_a_castle/build-line", message, missing, mends=_deeds(state))


# -- the guests ------------------------------------------------------------------------------


def _judge_invite(state: OnceState, move: moves.Invite) -> Iterator[Breach]:
    if move.guest not in [guest.name for guest in state.shown]:
        where = tuple(f"guest {guest.name}" for guest in state.shown)
        message = f"No {quoted(move.guest)} is on show."
        yield _no("once_upon_a_castle/guest-choice", message, where, mends=state.moves())


def _judge_steal(state: OnceState, move: moves.Steal) -> Iterator[Breach]:
    if move.guest in [guest.name for guest in state.prey()]:
        return
    where = (f"guest {move.guest}",)
    for seat, castle in enumerate(state.castles):
        if move.guest in [guest.name for guest in castle.guests]:
            if seat == state.seat:
                rule, message = "once_upon_a_castle/steal", f"The {move.guest} is yours already."
            else:
                rule = "once_upon_a_castle/guest-guard"
                message = f"A guard protects the {move.guest}."
            yield _no(rule, message, where, mends=state.moves())
            return
    message = f"Nobody has a guest {quoted(move.guest)}."
    yield _no("once_upon_a_castle/steal", message, mends=state.moves())


def _judge_reactivate(state: OnceState, move: moves.Reactivate) -> Iterator[Breach]:
    if move.guest in [guest.name for guest in state.bolts()]:
        return
    if move.guest in [guest.name for guest in state.castles[state.seat].guests]:
        message = f"The {move.guest} is no Bolt guest."
        yield _no("once_upon_a_castle/bolt", message, (f"guest {move.guest}",), mends=state.moves())
    else:
        message = f"You have no guest {quoted(move.guest)}."
        yield _no("once_upon_a_castle/reactivate", message, mends=state.moves())


def _judge_work(state: OnceState, move: moves.Place | moves.Take) -> Iterator[Breach]:
    """Whether a guest's token or face can be used for something."""
    kind, about = state.steps[0]
    what = move.what if isinstance(move, moves.Take) else move.square
    if what in state.work(kind, about):
        return
    mends = _deeds(state)
    if what in state.any_work(kind, about):
        yield _no("once_upon_a_castle/end", _NO_MORE_TOKENS, (what,), mends=mends)
    elif kind == "face":
        yield _no_use(state, about, what, mends)
    else:
        rule, message, where = _why_no_token(state, about, what)
        if rule == "once_upon_a_castle/resource":
            rule = _TOKEN_RULES.get(about, rule)
        yield _no(rule, message, where, mends=mends)


def _judge_choose(state: OnceState, move: moves.Choose) -> Iterator[Breach]:
    if move.face in state.choices():
        return
    rule, message = "once_upon_a_castle/any", f"A die has no face {quoted(move.face)}."
    if move.face == "cloud":
        rule = "once_upon_a_castle/guest-shepherdess"
        message = "There is no shepherdess in your castle."
    elif move.face in CHOICES:
        rule, message = "once_upon_a_castle/end", _NO_MORE_TOKENS
    yield _no(rule, message, mends=_deeds(state))


def _judge_shift(state: OnceState, move: moves.Shift) -> Iterator[Breach]:
    board = state.boards[state.seat]
    where: tuple[str, ...] = ()
    source, goal = (board.layout.square_of.get(name) for name in (move.source, move.goal))
    if source is None or goal is None:
        wrong = move.source if source is None else move.goal
        message = f"The board has no square {quoted(wrong)}."
    elif not board.filled & source.bit:
        message, where = f"{source.name} has no token.", (source.name,)
    elif board.filled & goal.bit:
        message, where = f"{goal.name} is taken.", (goal.name,)
    else:
        return
    shifts = state.moves_of(moves.Shift)
    near = tuple(m for m in shifts if m.source == move.source or m.goal == move.goal)
    yield _no("once_upon_a_castle/guest-magician", message, where, mends=near or shifts)


# -- what is said ---------------------------------------------------------------------------

#: Whose rule a token of a guest goes by.
_TOKEN_RULES = {resource: POWERS[f"two-{resource}"].rule for resource in RESOURCES} | {
    "any": POWERS["token-and-resident"].rule
}
#: What comes first in each moment: the rule, and what is said.
_FIRST = {
    "dice": ("once_upon_a_castle/roll", "The dice come first."),
    "follow": ("once_upon_a_castle/roll", "The dice come first; you may also pass."),
    "build": ("once_upon_a_castle/build-line", "The dice are used; now lines are cleared."),
    "last": ("once_upon_a_castle/end", "The dice rest; full lines are cleared for the last time."),
    "guest": ("once_upon_a_castle/guest-choice", "A guest comes first."),
    "steal": ("once_upon_a_castle/steal", "The theft comes first."),
    "reactivate": ("once_upon_a_castle/reactivate", "A Bolt guest acts first."),
    "token": ("once_upon_a_castle/bolt", "The guest's token comes first."),
    "face": ("once_upon_a_castle/guest-dagobert", "Dagobert's face comes first."),
    "choose": ("once_upon_a_castle/guest-dagobert", "Dagobert rolled a ?: choose a face first."),
    "move": ("once_upon_a_castle/guest-magician", "The magician is at work."),
}
#: Moves that need a guest at work, and what is said while none is.
_SPECIAL: dict[type[Move], tuple[str, str]] = {
    moves.Invite: ("once_upon_a_castle/guest-choice", "A guest is chosen when a floor is drawn."),
    moves.Steal: ("once_upon_a_castle/steal", "Guests are stolen with a line that says so."),
    moves.Reactivate: (
        "once_upon_a_castle/reactivate",
        "Guests act again with a line that says so.",
    ),
    moves.Place: ("once_upon_a_castle/bolt", "No guest brings a token now."),
    moves.Take: ("once_upon_a_castle/guest-dagobert", "Dagobert has rolled nothing."),
    moves.Choose: ("once_upon_a_castle/guest-dagobert", "Dagobert has rolled nothing."),
    moves.Shift: ("once_upon_a_castle/no-moving", "Tokens stay where they are."),
    moves.Stop: ("once_upon_a_castle/bolt", "No guest is at work."),
}
_FLOOR_GUEST = "once_upon_a_castle/floor-guest"
#: The same for Apprentices, whose guests bring points and nothing else.
_APPRENTICE: dict[type[Move], tuple[str, str]] = {
    moves.Invite: (_FLOOR_GUEST, "A floor brings the top guest; none is chosen."),
    moves.Steal: (_FLOOR_GUEST, "A guest stays in the castle to which it came."),
    moves.Reactivate: (_FLOOR_GUEST, "Guests bring points at the end, and nothing before."),
    moves.Place: ("once_upon_a_castle/resource", "Tokens come with the dice."),
    moves.Take: ("once_upon_a_castle/roll", "Only the dice bring something."),
    moves.Choose: (
        "once_upon_a_castle/any",
        "A ? is whatever it is used for; nothing is said before.",
    ),
    moves.Shift: ("once_upon_a_castle/no-moving", "Tokens stay where they are."),
    moves.Stop: (_FLOOR_GUEST, "Guests bring points at the end, and nothing before."),
}

_Judge = Callable[["OnceState", Any], Iterable[Breach]]
#: Each kind of move: its moments and what judges it.
_JUDGES: dict[type[Move], tuple[tuple[str, ...], _Judge]] = {
    moves.Use: (("dice", "follow"), _judge_use),
    moves.Lose: (("dice",), _judge_lose),
    moves.Pass: (("follow",), _allowed),
    moves.Clear: (("build", "last"), _judge_clear),
    moves.End: (("build", "last"), _allowed),
    moves.Invite: (("guest",), _judge_invite),
    moves.Steal: (("steal",), _judge_steal),
    moves.Reactivate: (("reactivate",), _judge_reactivate),
    moves.Place: (("token", "face"), _judge_work),
    moves.Take: (("face",), _judge_work),
    moves.Choose: (("choose",), _judge_choose),
    moves.Shift: (("move",), _judge_shift),
    moves.Stop: (AT_WORK, _allowed),
}
