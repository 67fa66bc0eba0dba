"""The table of Castell in letters, for a terminal: all that one needs to play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from castlelab.game import SEAT_NAMES
from castlelab.games.castell.box import FESTIVAL_ROUNDS, Performance
from castlelab.games.castell.scoring import PRIZES, Player, score
from castlelab.games.castell.telling import (
    performance_words,
    region_name,
    result_of,
    winners_words,
)
from castlelab.games.castell.tower import SIZES, SKILL_LETTERS, SKILLS
from castlelab.games.castell.turns import ACTIONS, ROUNDS
from castlelab.rules import counted, listed

if TYPE_CHECKING:
    from castlelab.games.castell.play import CastellState

_WIDTH = 80
_SIGNS = SKILL_LETTERS | {"practice": "+", "special": "★"}
_AHEAD = 3  # rounds of the wheel that are told


def table_text(state: CastellState) -> str:
    """The table in at most 32 lines of 80 letters."""
    lines = [
        *_moment(state),
        *_festivals(state),
        *_regions(state),
        *(line for seat in range(state.game.players) for line in _player(state, seat)),
    ]
    return "\n".join(_cut(line) for line in lines)


def _cut(line: str) -> str:
    line = line.rstrip()
    return line if len(line) <= _WIDTH else f"{line[: _WIDTH - 1]}…"


def _moment(state: CastellState) -> Iterator[str]:
    seat = state.to_move
    if seat is None:
        yield f"The game is over. {winners_words(state)}"
    elif state.festival is not None:
        festival = state.calendar[state.festival]
        where, sizes = region_name(state, festival.region), _numbers(festival.wanted)
        told = f"festival at {where}, wants {sizes}. {SEAT_NAMES[seat]} may build."
        yield f"Round {state.round}: {told}"
    else:
        left = [action for bit, action in enumerate(ACTIONS) if not state.done & 1 << bit]
        still = f" Still to do: {listed(left)}." if left else ""
        yield f"Round {state.round} of {ROUNDS}: {SEAT_NAMES[seat]}’s turn.{still}"


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _festivals(state: CastellState) -> Iterator[str]:
    """Round by round the festivals: whom they want or, once they are over, who won what."""
    for round_ in FESTIVAL_ROUNDS:
        held = [
            _festival(state, at)
            for at, festival in enumerate(state.calendar)
            if festival.round == round_
        ]
        mark = ">" if round_ == state.round else " "
        yield f"{mark}{round_:>2}  " + "".join(f"{each:<38}" for each in held)


def _festival(state: CastellState, at: int) -> str:
    festival, result = state.calendar[at], result_of(state, at)
    where = region_name(state, festival.region)
    if result is None:
        return f"{where}: {_numbers(festival.wanted)}"
    won = [f"{_short(seat)} {PRIZES[prize]}" for seat, prize in result.prizes.items()]
    return f"{where}: ({', '.join(won) or 'nobody'})"


def _short(seat: int) -> str:
    return SEAT_NAMES[seat][:2]


def _regions(state: CastellState) -> Iterator[str]:
    """Where castellers wait, what the wheel offers now and in the next rounds, what lies there."""
    yield f"{'':11}{'castellers':15}{'wheel →':9}{'performances':30}tokens"
    names = state.game.box.regions
    for slot, region in enumerate(state.game.box.wheel_order, start=1):
        tiles = ", ".join(map(_performance, state.tiles[region]))
        placed = Counter(state.tokens[region])
        tokens = " ".join(f"{_short(seat)}{placed[seat]}" for seat in sorted(placed))
        waiting = _numbers(state.regions[region])
        wheel = _ahead(state, slot)
        yield f"{names[region]:11}{waiting:15}{wheel:9}{tiles:30}{tokens}"
    where = "in all" if state.game.standard else "in none"
    yield f"{where:11}{'':15}{_ahead(state, 0)}"


def _performance(tile: Performance) -> str:
    return performance_words(tile).replace(" · ", "·")


def _ahead(state: CastellState, slot: int) -> str:
    """What a slot of the wheel offers now, and in the next rounds."""
    rounds = range(state.round, min(state.round + _AHEAD, ROUNDS + 1))
    return " ".join(_SIGNS[state.wheel[(slot + round_) % 8]] for round_ in rounds)


def _player(state: CastellState, seat: int) -> Iterator[str]:
    me = state.players[seat]
    mark = ">" if seat == state.to_move else " "
    where = f"at {region_name(state, me.pawn)}" if me.pawn is not None else "not on the map"
    told = [
        counted(score(me).total, "point"),
        counted(me.tokens, "token"),
        where,
        *([f"best tower {me.best}"] if me.best else []),
        *(["first player"] if seat == state.first else []),
    ]
    yield f"{mark}{SEAT_NAMES[seat]:8}{', '.join(told)}"
    team = _times((str(size), me.team.count(size)) for size in reversed(SIZES))
    skills = " ".join(
        f"{SKILL_LETTERS[skill]} {me.skills.rank(skill)}"
        for skill in SKILLS
        if me.skills.rank(skill)
    )
    yield f"{'':9}{team}  {skills}"
    if tower := dict(state.entries).get(seat):
        yield f"{'':9}builds {tower}"
    elif won := _won(me):
        yield f"{'':9}{won}"


def _times(things: Iterable[tuple[str, int]]) -> str:
    """Things with how many of each there are."""
    return " ".join(f"{name}×{many}" if many > 1 else name for name, many in things if many)


def _won(me: Player) -> str:
    """What a player has won so far."""
    prizes = Counter(prize for prize, _ in me.prizes)
    told = [
        _times((prize, prizes[prize]) for prize in PRIZES),
        f"sizes {_numbers(size for size, _ in me.sizes)}" if me.sizes else "",
        f"shows {score(me).performances}" if score(me).performances else "",
        counted(len(me.regions), "region") if me.regions else "",
    ]
    return ", ".join(filter(None, told))
