"""What may be asked at a table or a board: by a word where moves are typed, or by a key.

Nothing that is asked changes anything. An answer has a line for each thing; it is in words or
in the letters that moves are written in, never in both at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple

from castlelab.game import SEAT_NAMES, Move, Moves, Question, State
from castlelab.rules import CastlelabError, NotationError, by_title, counted, listed, quoted
from castlelab.telling import judged, meaning

if TYPE_CHECKING:
    from castlelab.draw.scene import Scene, Target

#: Letters of a line of braille: rows of a grid and lists of moves keep to it.
BRAILLE = 40
_LONGEST = 200  # characters of a question
_NEAR = 3  # words that are suggested instead of one that nobody knows
_LIKE = 0.7  # how like they have to be
TIED = "\N{NO-BREAK SPACE}"  # instead of a space at which no line ends: within a move
_ALONE = "The table"  # where targets stand that belong to no group


@dataclass(frozen=True)
class Asked:
    """What is asked about: a picture, where the focus is and, at a table, who sees what.

    ``seen`` is the game as the ``seat`` sees it. ``deciding`` is the game itself while the seat
    is to move: what it may do hangs on nothing hidden. ``last`` tells what has happened last.
    A board without a game has questions of its ``own``, and ``refused`` tells why the last thing
    that was tried there was refused.
    """

    scene: Scene
    focus: str | None = None
    seen: State | None = None
    seat: int = 0
    deciding: State | None = None
    last: Callable[[], Sequence[str]] = tuple
    own: tuple[Question, ...] = ()
    refused: str = ""

    @property
    def here(self) -> Target | None:
        """The target under the focus."""
        return None if self.focus is None else self.scene.target(self.focus)

    @property
    def questions(self) -> tuple[Question, ...]:
        """What this game may be asked besides."""
        return self.own if self.seen is None else (*self.own, *self.seen.questions(self.seat))

    @property
    def groups(self) -> dict[str, list[Target]]:
        """The things in the picture, part by part."""
        groups: dict[str, list[Target]] = {}
        for target in self.scene.targets:
            groups.setdefault(target.group or _ALONE, []).append(target)
        return groups


class Topic(NamedTuple):
    """What every game may be asked: a word, a key, and whether it takes a game to answer."""

    word: str
    key: str
    about: str
    answer: Callable[[Asked, str], Iterable[str]]
    takes: str = ""
    needs_game: bool = True


def commands(asked: Asked) -> tuple[Topic, ...]:
    """What may be asked here, of any game."""
    return tuple(one for one in _COMMANDS if asked.seen is not None or not one.needs_game)


def answer(text: str, asked: Asked) -> str | None:
    """What is asked by a command or a question of the game; None if the text is neither."""
    word, _, rest = " ".join(text[:_LONGEST].lower().split()).partition(" ")
    for question in asked.questions:
        if word == question.word and bool(rest) <= bool(question.takes):
            return question.answer(rest)
    for command in commands(asked):
        if word == command.word and bool(rest) <= bool(command.takes):
            return _in_lines(command.answer(asked, rest))
    return None


def look_up(text: str, asked: Asked) -> str | None:
    """A thing of the picture, or a part of it, that is called like that; None if nothing is.

    Moves are read before: ``end`` is a move, even where a button is called so.
    """
    words = " ".join(text[:_LONGEST].lower().split())
    if (target := _named(words, asked)) is not None:
        return target.name
    begins = [name for name in asked.groups if words and _begins(name.lower(), words)]
    return _in_lines(_told(name, asked) for name in begins) if begins else None


def understood(text: str, asked: Asked) -> Move | str:
    """A text as a move or, if it asks something, the answer to it.

    What is neither is a ``NotationError`` that names the words that are near.
    """
    assert asked.seen is not None
    if (found := answer(text, asked)) is not None:
        return found
    try:
        return asked.seen.game.move(text)
    except NotationError as error:
        if (found := look_up(text, asked)) is not None:
            return found
        raise NotationError(f"{error}{near(text, asked)}") from None


def near(text: str, asked: Asked, otherwise: str = "; help lists what may be asked") -> str:
    """What may have been meant, as the end of an error."""
    word = (text[:_LONGEST].lower().split() or [""])[0]
    own = {one.word for one in asked.questions}
    known = [*own, *(one.word for one in commands(asked)), *(name.lower() for name in asked.groups)]
    found = get_close_matches(word, dict.fromkeys(known), n=_NEAR, cutoff=_LIKE)
    return f"; you may ask {listed(found)}" if found else otherwise


# -- the answers -----------------------------------------------------------------------------------


def _board(asked: Asked, _: str) -> Iterator[str]:
    """The table in a sentence or two, then part by part."""
    yield asked.scene.description if asked.seen is None else asked.seen.describe()
    shorter = {question.group: question for question in asked.questions if question.group}
    for name in asked.groups:
        yield shorter[name].answer("") if name in shorter else _told(name, asked)


def _told(name: str, asked: Asked) -> str:
    """A part of the table in a line; what each thing there shares with it is said once."""
    things = (
        target.name.removeprefix(name).lstrip(",: ").rstrip(".") for target in asked.groups[name]
    )
    return f"{name}: {'; '.join(things)}."


def _last(asked: Asked, _: str) -> Iterator[str]:
    yield from asked.last() or ("Nothing has happened yet.",)


def _turn(asked: Asked, _: str) -> Iterator[str]:
    assert asked.seen is not None
    if (seat := asked.seen.to_move) is None:
        yield "The game is over."
        return
    yield "Your turn." if seat == asked.seat else f"{SEAT_NAMES[seat]}'s turn."
    if asked.deciding is not None:
        yield asked.deciding.point(()).words


def _scores(asked: Asked, _: str) -> Iterator[str]:
    assert asked.seen is not None
    for seat, score in enumerate(asked.seen.scores):
        standing = asked.seen.standing(seat)
        if standing.unit and not asked.seen.over:  # a game without points before its end
            parts = "".join(f", {remark}" for remark in asked.seen.remarks(seat))
            yield f"{SEAT_NAMES[seat]} has {standing.number or 'no'} {standing.unit}{parts}."
            continue
        found = [f"{name} {points}" for name, points in asked.seen.sources(seat) if points]
        parts = f": {', '.join(found)}" if len(found) > 1 else ""
        yield f"{SEAT_NAMES[seat]} has {counted(score, 'point')}{parts}."


def _here(asked: Asked, place: str) -> Iterator[str]:
    """A thing, and the moves that it leads to."""
    target = _place(asked, place)
    yield f"{target.name.rstrip('.')}."
    if asked.deciding is not None:
        told = meaning(asked.deciding, target.id, [one.id for one in asked.scene.targets])
        yield from _kinds(told.legal) if told.legal else ("No move begins or ends here now.",)


def _why(asked: Asked, words: str) -> Iterator[str]:
    """Why a move may not be made, or what may be done with a thing and which rule says no."""
    if asked.seen is None:
        yield asked.refused or "Nothing has been refused."
        return
    if asked.deciding is None:
        raise CastlelabError("you can ask why when it is your turn")
    if words and _named(words, asked) is None:
        told = judged(asked.deciding, [asked.seen.game.move(words)])
        yield from told.words if told.refused else ("This may be played now.",)
        return
    target = _place(asked, words)
    told = meaning(asked.deciding, target.id, [one.id for one in asked.scene.targets])
    yield f"{target.name.rstrip('.')}."
    yield from told.words or ("No move begins or ends here now.",)


def _moves(asked: Asked, kind: str) -> Iterator[str]:
    """The moves in notation, kind by kind."""
    if asked.deciding is None:
        raise CastlelabError("there are moves to choose from when it is your turn")
    moves = asked.deciding.moves()
    if kind and not any(move.kind == kind for move in moves):
        kinds = list(dict.fromkeys(move.kind for move in moves))
        raise CastlelabError(f"there are no moves {quoted(kind)} now; there are {listed(kinds)}")
    yield from _kinds(tuple(move for move in moves if kind in ("", move.kind)))


def _kinds(moves: Moves) -> Iterator[str]:
    """Moves in notation, kind by kind, in lines that fit."""
    for kind in dict.fromkeys(move.kind for move in moves):
        those = [str(move) for move in moves if move.kind == kind]
        rest = [words.partition(" ")[2] for words in those if words.startswith(f"{kind} ")]
        named = rest if len(rest) == len(those) else those
        listing = ", ".join(words.replace(" ", TIED) for words in named)
        head = f"{kind} {len(those)}: " if len(those) > 1 or rest else ""
        yield from in_braille(f"{head}{listing}")


def in_braille(words: str) -> list[str]:
    """Words in lines that a braille display shows whole, broken where they are not ``TIED``.

    >>> in_braille(f"Vilafranca: 10 9 8; Wi; 3-2-1=2; 5+:{TIED}Bs{TIED}Mx×2")
    ['Vilafranca: 10 9 8; Wi; 3-2-1=2;', '5+: Bs Mx×2']
    """
    return [line.replace(TIED, " ") for line in wrap(words, BRAILLE, break_on_hyphens=False)]


def _hand(asked: Asked, _: str) -> Iterator[str]:
    """One's hand; in a game without hands all that is one's own."""
    own = f"{SEAT_NAMES[asked.seat]}'s hand", "Your hand"
    hands = [_told(name, asked) for name in own if name in asked.groups]
    yield from hands or _belongings(asked, (asked.seat,)) or ("Your hand is empty.",)


def _opponent(asked: Asked, _: str) -> Iterator[str]:
    assert asked.seen is not None
    others = [seat for seat in range(asked.seen.game.players) if seat != asked.seat]
    yield from _belongings(asked, others) or ("There is nobody else.",)


def _belongings(asked: Asked, seats: Sequence[int]) -> list[str]:
    """The parts of the table, and the things in others, that are called after these seats."""
    names = [SEAT_NAMES[seat] for seat in seats]
    found = []
    for group, targets in asked.groups.items():
        if any(group.startswith(f"{name}'s ") for name in names):
            found.append(_told(group, asked))
        elif not any(group.startswith(f"{name}'s ") for name in SEAT_NAMES):
            found += [
                f"{target.name.rstrip('.')}."
                for target in targets
                if any(_begins(target.name, name) for name in names)
            ]
    return found


def _legend(asked: Asked, _: str) -> Iterator[str]:
    """The letters that moves and grids are written in, and other signs."""
    assert asked.seen is not None
    yield from (f"{code}: {meaning}" for code, meaning in asked.seen.game.legend)
    if not asked.seen.game.legend:
        yield "Nothing here is short for anything."


def _at(asked: Asked, place: str) -> Iterator[str]:
    yield f"{_place(asked, place).name.rstrip('.')}."


def _help(asked: Asked, _: str) -> Iterator[str]:
    """The words that may be asked, with their keys."""
    by_word = {word: key for key, word in KEYS.items()}
    for words, about in inquiries(asked):
        key = by_word.get(words.split()[0])
        yield f"{words}{f', key {key}' if key else ''}: {about}"


def inquiries(asked: Asked) -> Iterator[tuple[str, str]]:
    """What may be asked here, as it is written, and what is answered."""
    own = {question.word for question in asked.questions}
    topics = [one for one in commands(asked) if one.word not in own]
    named: list[Question | Topic] = [*asked.questions, *topics]
    for one in named:
        yield f"{one.word} {one.takes}".strip(), one.about


_COMMANDS = (
    Topic("board", "b", "the whole position, part by part", _board, needs_game=False),
    Topic("last", "l", "what has happened since you moved", _last),
    Topic("now", "n", "whose turn it is, and what to do", _turn),
    Topic("scores", "s", "the points, and where they come from", _scores),
    Topic("here", "i", "what is at the focus, and its moves", _here, needs_game=False),
    Topic("at", "", "what is at a place", _at, "PLACE", needs_game=False),
    Topic("moves", "m", "the moves there are, kind by kind", _moves, "[KIND]"),
    Topic("hand", "h", "what you hold", _hand),
    Topic("opponent", "o", "what the others have", _opponent),
    Topic(
        "why", "y", "why not: here, a move, or what was refused", _why, "[MOVE]", needs_game=False
    ),
    Topic("legend", "", "what letters and signs mean", _legend),
    Topic("help", "?", "what may be asked", _help, needs_game=False),
)

#: What a key asks, without and with a game.
KEYS = {one.key: one.word for one in _COMMANDS if one.key}
BOARD_KEYS = {one.key: one.word for one in _COMMANDS if one.key and not one.needs_game}


# -- what is meant ---------------------------------------------------------------------------------


def _place(asked: Asked, words: str) -> Target:
    """The thing that is named or, without a name, the one under the focus."""
    found = _named(words, asked) if words else asked.here
    if found is not None:
        return found
    if not words:
        raise CastlelabError("nothing is in focus; name a place, or go to one by the arrow keys")
    known = [target.id.lower() for target in asked.scene.targets]
    close = get_close_matches(words, known, n=_NEAR)
    hint = f"; there is {listed(close)}" if close else ""
    raise CastlelabError(f"there is nothing called {quoted(words)} here{hint}")


def _named(words: str, asked: Asked) -> Target | None:
    """The thing of that id; in a game also by the beginning of its name."""
    targets = asked.scene.targets
    by_id = next((target for target in targets if target.id.lower() == words), None)
    if by_id is not None or not words:
        return by_id
    return next((target for target in targets if _begins(target.name.lower(), words)), None)


def _begins(name: str, words: str) -> bool:
    """Whether a name begins with these whole words."""
    return name.startswith(words) and not name[len(words) : len(words) + 1].isalnum()


def _in_lines(lines: Iterable[str]) -> str:
    return by_title("\n".join(filter(None, lines)))
