"""What is said aloud after a move: what happened, what changed, whose turn it is."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Literal, get_args

from castlelab.game import SEAT_NAMES, Emblem, Move, Sentence, State
from castlelab.rules import listed
from castlelab.telling import sentences

#: How much is said: the fewest words; all that fits in a short line; all, and the table besides.
Way = Literal["brief", "normal", "full"]
WAYS: tuple[Way, ...] = get_args(Way)

#: Characters in which all that a move has changed has to be said.
LONGEST = 120

_TO_YOU = {
    "has": "have",
    "is": "are",
    "wins": "win",
    "claims": "claim",
    "takes": "take",
    "gets": "get",
    "gives": "give",
    "owes": "owe",
}
_STARTS = re.compile(r"(^|[.!?] )(you)")
_ENDS = re.compile(r"\b(wins?|has won|is a draw|held it)\b")  # words that have told the end already


def said_aloud(
    state: State,
    move: Move,
    after: State,
    audience: Collection[int] = (),
    way: Way = "normal",
    *,
    last: bool = True,
) -> str:
    """A legal move as these seats are told of it aloud.

    Somebody who listens alone is spoken to, and hears what that seat alone has learnt. Of the
    words that the game has, the most that fit are taken; in brief the fewest, in full all. Whose
    turn it is now is said after the ``last`` of several moves.
    """
    you = next(iter(audience)) if len(audience) == 1 else None
    told = [to_you(said, you) for said in sentences(state, move, audience, after)]
    news = [] if you is None else [*after.view(you).tell_news(state.view(you), you)]
    turn = _turn_after(state, after, you) if last else ""
    if way == "brief":
        told, news = [min(told, key=len)], news[-1:]
    if way == "full":
        return _with_turn([told[0], *news[:1]], turn)
    lines = [
        _with_turn([words, *([extra] * (extra.rstrip(".") not in words))], now)
        for now in (turn, "")
        for words in told
        for extra in (news if news else [""])
    ]
    return next((line for line in lines if len(line) <= LONGEST), min(lines, key=len))


def _with_turn(said: Sequence[str], turn: str) -> str:
    return " ".join(filter(None, (*said, "" if _ENDS.search(said[0]) else turn)))


def _turn_after(state: State, after: State, you: int | None) -> str:
    """Who is to move after a move, if that is somebody else now; who won, at the end."""
    if after.over:
        names = ["you" if seat == you else SEAT_NAMES[seat] for seat in after.winners]
        won = f"{listed(names) if names else 'nobody'} won."
        return won[0].upper() + won[1:]
    seat = after.to_move
    if seat is None or seat == state.to_move:
        return ""
    return "Your turn." if seat == you else f"{SEAT_NAMES[seat]}'s turn."


def to_you(sentence: Sentence, you: int | None) -> str:
    """A sentence in words, said to a seat that it may be about.

    >>> to_you(("Orange attacked Blue's castle. Blue has to give up 1 card.",), 0)
    'Orange attacked your castle. You have to give up 1 card.'
    """
    return _STARTS.sub(lambda found: f"{found[1]}Y{found[2][1:]}", "".join(_said(sentence, you)))


def _said(sentence: Sentence, you: int | None) -> Iterator[str]:
    for part in sentence:
        words = str(part)
        if you is None:
            yield words
            continue
        name = SEAT_NAMES[you]
        words = re.sub(rf"\b{name}'s\b", "your", words)
        if not isinstance(part, Emblem):  # a thing may be called like a seat: Gold
            words = re.sub(rf"\b{name} (\w+)", _addressed, words)
            words = re.sub(rf"\b{name}\b", "you", words)
        yield words


def _addressed(found: re.Match[str]) -> str:
    return f"you {_TO_YOU.get(found[1], found[1])}"
