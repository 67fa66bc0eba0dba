"""Playing Castell by pointing: regions, castellers, the wheel, performances, festivals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from castlelab.game import Move, Pointing
from castlelab.games.castell.moves import (
    END_TURN,
    STAY_OUT,
    Deed,
    Enter,
    Go,
    Perform,
    Recruit,
    Special,
    Train,
)
from castlelab.games.castell.optimum import best_tower
from castlelab.games.castell.tower import SKILLS
from castlelab.rules import listed

if TYPE_CHECKING:
    from castlelab.games.castell.play import CastellState

# What can be pointed at besides regions, as the picture names it.
END, ONE, TOKEN, TOWER, OUT = "end", "recruit", "special", "tower", "stay out"
_CASTELLER, _TILE, _WHEEL, _SKILL = "casteller ", "tile ", "wheel ", "skill "
PRACTICE, TRAINED = f"{_WHEEL}practice", f"{_WHEEL}special"

_FIRST = "Pick the region where your pawn shall start."
_TURN = "Pick a region, castellers, a wheel tile or Special. Or end your turn."
_FESTIVAL = "Pick your best tower, choose another from the list, or stay out."


def casteller_id(place: int) -> str:
    """A casteller where the pawn is, counted from 1."""
    return f"{_CASTELLER}{place}"


def tile_id(place: int) -> str:
    """A performance where the pawn is, counted from 1."""
    return f"{_TILE}{place}"


def wheel_id(tile: str) -> str:
    """A tile that the wheel offers to the pawn."""
    return f"{_WHEEL}{tile}"


def skill_id(skill: str) -> str:
    """An own skill."""
    return f"{_SKILL}{skill}"


def point(state: CastellState, picks: tuple[str, ...]) -> Pointing:
    """What it means to have pointed at these targets of the table."""
    if state.over:
        return Pointing()
    if state.festival is not None:
        return _festival(state, picks)
    if not picks:
        return _fresh(state)
    *before, pick = picks
    held = before[-1] if before else ""
    if pick == held:
        return _fresh(state, "Put back. ")
    return _second(state, held, pick) or _first(state, pick)


def _festival(state: CastellState, picks: tuple[str, ...]) -> Pointing:
    """The best tower or none (``castell/festival-score``)."""
    assert state.festival is not None
    me = state.players[state.waiting[0]]
    if picks[-1:] == (OUT,):
        return Pointing(STAY_OUT)
    if picks[-1:] == (TOWER,):
        tower = best_tower(me.team, me.skills, state.calendar[state.festival].wanted)
        if tower is not None:
            return Pointing(Enter(tower))
    return Pointing(offers=(TOWER, OUT), words=_FESTIVAL)


def _fresh(state: CastellState, words: str = "") -> Pointing:
    """Nothing taken up: whatever begins a legal move is offered."""
    moves = state.moves()
    offers = [_beginning(state, move) for move in moves]
    prompt = _TURN if state.mover.pawn is not None else _FIRST
    return Pointing(
        offers=tuple(dict.fromkeys(each for some in offers for each in some)), words=words + prompt
    )


def _beginning(state: CastellState, move: Move) -> tuple[str, ...]:
    """The targets that a legal move can be begun with."""
    match move:
        case Go(region):
            return (region,)
        case Recruit(sizes):
            return _castellers(state, sizes[0])
        case Train(skill, practice):
            return (PRACTICE if practice else wheel_id(skill),)
        case Special(deed, trained):
            return (TRAINED,) if trained else (TOKEN, *_tiles(state, deed))
    return (END,)


def _first(state: CastellState, pick: str) -> Pointing:
    """One pick: a move, or a thing that is taken up."""
    if pick == END:
        return Pointing(END_TURN)
    if pick in state.game.box.regions:
        return Pointing(Go(pick))
    if (size := _size(state, pick)) is not None:
        return _taken_up(state, pick, size)
    if pick in (TOKEN, TRAINED):
        return _special(state, pick)
    if pick == PRACTICE:
        return _practice(state)
    if pick.startswith(_WHEEL):
        return Pointing(Train(pick.removeprefix(_WHEEL)))
    if (tile := _tile(state, pick)) is not None:
        return Pointing(Special(Perform(tile)))
    if pick == ONE:
        return _fresh(state, "Pick a casteller where your pawn is. ")
    return Pointing()


def _second(state: CastellState, held: str, pick: str) -> Pointing | None:
    """A pick together with what was taken up before; None if they have nothing in common."""
    first, second = _size(state, held), _size(state, pick)
    if first is not None:
        if pick == ONE:
            return Pointing(Recruit((first,)))
        if second is not None:
            return Pointing(Recruit((max(first, second), min(first, second))))
    if held in (TOKEN, TRAINED) and (deed := _deed(state, pick)) is not None:
        return Pointing(Special(deed, trained=held == TRAINED))
    if held == PRACTICE and pick.startswith(_SKILL):
        return Pointing(Train(pick.removeprefix(_SKILL), practice=True))
    return None


def _taken_up(state: CastellState, pick: str, size: int) -> Pointing:
    """A casteller is chosen: alone, or with another one (``castell/recruit``)."""
    alone = Recruit((size,))
    if not state.check(alone):
        return Pointing(alone)  # check tells why
    pawn = state.mover.pawn
    assert pawn is not None
    others = [casteller_id(at) for at in range(1, len(state.regions[pawn]) + 1)]
    offers = (*(each for each in others if each != pick), ONE)
    return Pointing(
        offers=offers,
        picks=(pick,),
        words=f"A casteller of size {size}. Pick another one to come along, or Recruit.",
    )


def _special(state: CastellState, pick: str) -> Pointing:
    """A step, a casteller or a performance (``castell/special-action``)."""
    trained = pick == TRAINED
    moves = [move for move in state.moves_of(Special) if move.trained == trained]
    if not moves:
        pawn = state.mover.pawn
        near = state.game.box.neighbours[pawn][0] if pawn is not None else 0
        return Pointing(Special(Go(state.game.box.regions[near]), trained))  # check tells why
    offers = [target for move in moves for target in _targets(state, move.deed)]
    return Pointing(
        offers=tuple(dict.fromkeys(offers)),
        picks=(pick,),
        words="A special action: pick a region to go to, one casteller, or a performance.",
    )


def _practice(state: CastellState) -> Pointing:
    """Practice raises a skill that is owned (``castell/practice``)."""
    skills = [move.skill for move in state.moves_of(Train) if move.practice]
    if not skills:
        return Pointing(Train(SKILLS[0], practice=True))  # check tells why
    return Pointing(
        offers=tuple(map(skill_id, skills)),
        picks=(PRACTICE,),
        words=f"Practise what? You may raise {listed(skills)}.",
    )


# -- names and things --------------------------------------------------------------------------


def _size(state: CastellState, pick: str) -> int | None:
    """The size of a casteller of the region."""
    pawn = state.mover.pawn
    at = _number(pick, _CASTELLER)
    here = () if pawn is None else tuple(state.regions[pawn])
    return here[at - 1] if 1 <= at <= len(here) else None


def _tile(state: CastellState, pick: str) -> str | None:
    """The notation of a performance of the region."""
    pawn = state.mover.pawn
    at = _number(pick, _TILE)
    here = () if pawn is None else state.tiles[pawn]
    return str(here[at - 1]) if 1 <= at <= len(here) else None


def _number(pick: str, start: str) -> int:
    number = pick.removeprefix(start)
    return int(number) if pick.startswith(start) and number.isdecimal() else 0


def _deed(state: CastellState, pick: str) -> Deed | None:
    """What a pick means as a special action."""
    if pick in state.game.box.regions:
        return Go(pick)
    if (size := _size(state, pick)) is not None:
        return Recruit((size,))
    tile = _tile(state, pick)
    return Perform(tile) if tile is not None else None


def _targets(state: CastellState, deed: Deed) -> tuple[str, ...]:
    """The targets that mean a special action, once it has begun."""
    if isinstance(deed, Go):
        return (deed.region,)
    return _castellers(state, deed.sizes[0]) if isinstance(deed, Recruit) else _tiles(state, deed)


def _castellers(state: CastellState, size: int) -> tuple[str, ...]:
    pawn = state.mover.pawn
    here = () if pawn is None else tuple(state.regions[pawn])
    return tuple(casteller_id(at) for at, each in enumerate(here, start=1) if each == size)


def _tiles(state: CastellState, deed: Deed) -> tuple[str, ...]:
    pawn = state.mover.pawn
    if pawn is None or not isinstance(deed, Perform):
        return ()
    return tuple(
        tile_id(at) for at, tile in enumerate(state.tiles[pawn], start=1) if str(tile) == deed.tile
    )
