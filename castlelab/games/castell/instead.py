"""What may be played instead of a move that the rules refuse: the legal moves most like it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from castlelab.game import Move
from castlelab.games.castell.moves import Enter, Go, Perform, Recruit, Special, StayOut, Train
from castlelab.games.castell.tower import SIZES
from castlelab.rules import Breach

if TYPE_CHECKING:
    from castlelab.games.castell.play import CastellState
    from castlelab.games.castell.tower import Tower

_MOST = 7  # moves that are named: as many as there are regions
_LONGEST = 3  # that are written out in a sentence


def with_mends(state: CastellState, move: Move, breaches: tuple[Breach, ...]) -> tuple[Breach, ...]:
    """The breaches of a refused move, each with what may be played instead.

    A tower that would do may still be no move: then something else is wrong as well.
    """
    mends = tuple(_instead(state, move))[:_MOST]
    found = []
    for breach in breaches:
        told = "" if breach.mends else breach.mend
        if not breach.mends or not all(map(state.check, breach.mends)):
            breach = replace(breach, mend=_words(told, mends), mends=mends)
        found.append(breach)
    return tuple(found)


def _words(told: str, mends: tuple[Move, ...]) -> str:
    """What was known already, and what may be played."""
    if not mends:
        return told
    *most, last = [f"'{mend}'" for mend in mends[:_LONGEST]]
    names = f"{', '.join(most)} or {last}" if most else last
    return f"{told} Play {names} instead.".lstrip()


def _instead(state: CastellState, move: Move) -> Iterator[Move]:
    """The legal moves that are most like a move, and like nothing else that is legal."""
    legal = state.moves()
    if state.festival is not None:
        towers = [each for each in legal if isinstance(each, Enter)]
        if isinstance(move, Enter):
            towers.sort(key=lambda each: _difference(each.tower, move.tower))
        yield from towers[:1]
        yield from legal[-1:]  # nobody has to enter
        return
    if isinstance(move, Enter | StayOut):
        yield from legal[-1:]  # festivals come when all have ended their turns
        return
    seat = state.to_move
    if seat is not None and state.players[seat].pawn is None:
        yield from legal[:-1]  # the first Move comes before everything else
        return
    for alike in _likenesses(move):
        if found := [each for each in legal if alike(each)]:
            if isinstance(deed := _deed(move), Recruit):
                found.sort(key=lambda each: _other_sizes(_deed(each), deed))
                found = [one for one in found if _as_near(found[0], one, deed)]
            yield from found
            return
    yield from legal[-1:]  # the end of the turn


def _likenesses(move: Move) -> Iterator[Callable[[Move], bool]]:
    """What a move may be like, the nearest first: the same deed, the same way, the same kind."""
    deed = _deed(move)
    yield lambda other: _deed(other) == deed
    if isinstance(deed, Perform):
        yield lambda other: isinstance(found := _deed(other), Perform) and found.tile == deed.tile
    if isinstance(deed, Train):
        yield lambda other: isinstance(other, Train) and other.skill == deed.skill
        yield lambda other: isinstance(other, Train) and other.practice == deed.practice
    yield lambda other: _way(other) == _way(move) and type(_deed(other)) is type(deed)
    if isinstance(deed, Go | Recruit | Perform):
        yield lambda other: type(_deed(other)) is type(deed)


def _deed(move: Move) -> Move:
    """What is done, however it is paid for."""
    return move.deed if isinstance(move, Special) else move


def _way(move: Move) -> tuple[str, bool]:
    """How a move is paid for."""
    return move.kind, isinstance(move, Special) and move.trained


def _other_sizes(move: Move, wanted: Recruit) -> int:
    """How far the castellers of a move are from those that were wanted, in sizes."""
    sizes = move.sizes if isinstance(move, Recruit) else ()
    missing = [size for size in wanted.sizes if size in SIZES]  # it may have been made up
    pairs = zip(sizes, missing, strict=False)
    return sum(abs(one - other) for one, other in pairs) + 20 * abs(len(sizes) - len(missing))


def _as_near(best: Move, other: Move, wanted: Recruit) -> bool:
    return _other_sizes(_deed(best), wanted) == _other_sizes(_deed(other), wanted)


def _difference(one: Tower, other: Tower) -> int:
    """How many castellers would have to change places."""
    return sum(abs(one.count(size) - other.count(size)) for size in SIZES)
