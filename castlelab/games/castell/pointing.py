"""Playing Castell by pointing: regions, castellers, the wheel, performances, festivals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from castlelab.game import Move, Pointing
from castlelab.games.castell import moves
from castlelab.games.castell.optimum import best_tower
from castlelab.games.castell.tower import SKILLS
from castlelab.rules import listed

if TYPE_CHECKING:
    from castlelab.games.castell.play import CastellState

# What can be pointed at besides regions, as the picture names it: a casteller and a performance
# where the pawn is, counted from 1, a tile that the wheel offers, an own skill; and the buttons.
CASTELLER, PERFORMANCE, WHEEL_TILE, SKILL = "casteller {}", "tile {}", "wheel {}", "skill {}"
END, ONE, TOKEN, TOWER, OUT = "end", "recruit", "special", "tower", "stay out"
PRACTICE, TRAINED = WHEEL_TILE.format("practice"), WHEEL_TILE.format("special")

_FIRST = "Pick the region where your pawn shall start."
_TURN = "Pick a region, castellers, a wheel tile or Special. Or end your turn."
_FESTIVAL = "Build a tower, or stay out."


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
        return Pointing(moves.STAY_OUT)
    if picks[-1:] == (TOWER,):
        tower = best_tower(me.team, me.skills, state.calendar[state.festival].wanted)
        if tower is not None:
            return Pointing(moves.Enter(tower))
    return Pointing(offers=(TOWER, OUT), words=_FESTIVAL)


def _fresh(state: CastellState, words: str = "") -> Pointing:
    """Nothing taken up: whatever begins a legal move is offered."""
    deeds = _deeds(state)
    offers = [target for move in state.moves() for target in _beginning(deeds, move)]
    prompt = _TURN if state.mover.pawn is not None else _FIRST
    return Pointing(offers=tuple(dict.fromkeys(offers)), words=words + prompt)


def _beginning(deeds: dict[str, moves.Deed], move: Move) -> list[str]:
    """The targets that a legal move can be begun with."""
    match move:
        case moves.Go():
            return _targets(deeds, move)
        case moves.Recruit(sizes):
            return _targets(deeds, moves.Recruit(sizes[:1]))
        case moves.Train(skill, practice):
            return [PRACTICE if practice else WHEEL_TILE.format(skill)]
        case moves.Special(deed, trained):
            tiles = _targets(deeds, deed) if isinstance(deed, moves.Perform) else []
            return [TRAINED] if trained else [TOKEN, *tiles]
    return [END]


def _first(state: CastellState, pick: str) -> Pointing:
    """One pick: a move, or a thing that is taken up."""
    if pick == END:
        return Pointing(moves.END_TURN)
    match _deeds(state).get(pick):
        case moves.Go() as go:
            return Pointing(go)
        case moves.Recruit() as alone:
            return _taken_up(state, pick, alone)
        case moves.Perform() as deed:
            return Pointing(moves.Special(deed))
    if pick in (TOKEN, TRAINED):
        return _special(state, pick)
    if pick == PRACTICE:
        return _practice(state)
    if pick.startswith(WHEEL_TILE[:-2]):
        return Pointing(moves.Train(pick.removeprefix(WHEEL_TILE[:-2])))
    if pick == ONE:
        return _fresh(state, "Pick a casteller where your pawn is. ")
    return Pointing()


def _second(state: CastellState, held: str, pick: str) -> Pointing | None:
    """A pick together with what was taken up before; None if they have nothing in common."""
    deeds = _deeds(state)
    first, second = deeds.get(held), deeds.get(pick)
    if isinstance(first, moves.Recruit):
        if pick == ONE:
            return Pointing(first)
        if isinstance(second, moves.Recruit):
            sizes = sorted(first.sizes + second.sizes, reverse=True)
            return Pointing(moves.Recruit(tuple(sizes)))
    if held in (TOKEN, TRAINED) and second is not None:
        return Pointing(moves.Special(second, trained=held == TRAINED))
    if held == PRACTICE and pick.startswith(SKILL[:-2]):
        return Pointing(moves.Train(pick.removeprefix(SKILL[:-2]), practice=True))
    return None


def _taken_up(state: CastellState, pick: str, alone: moves.Recruit) -> Pointing:
    """A casteller is chosen: alone, or with another one (``castell/recruit``)."""
    if not state.check(alone):
        return Pointing(alone)  # check tells why
    deeds = _deeds(state).items()
    others = (each for each, deed in deeds if isinstance(deed, moves.Recruit) and each != pick)
    words = f"A casteller of size {alone.sizes[0]}. Pick another one to come along, or Recruit."
    return Pointing(offers=(*others, ONE), picks=(pick,), words=words)


def _special(state: CastellState, pick: str) -> Pointing:
    """A step, a casteller or a performance (``castell/special-action``)."""
    trained = pick == TRAINED
    legal = [move for move in state.moves_of(moves.Special) if move.trained == trained]
    if not legal:
        pawn = state.mover.pawn
        near = state.game.box.neighbours[pawn][0] if pawn is not None else 0
        go = moves.Go(state.game.box.regions[near])
        return Pointing(moves.Special(go, trained))  # check tells why
    deeds = _deeds(state)
    offers = [target for move in legal for target in _targets(deeds, move.deed)]
    return Pointing(
        offers=tuple(dict.fromkeys(offers)),
        picks=(pick,),
        words="A special action: pick a region to go to, one casteller, or a performance.",
    )


def _practice(state: CastellState) -> Pointing:
    """Practice raises a skill that is owned (``castell/practice``)."""
    skills = [move.skill for move in state.moves_of(moves.Train) if move.practice]
    if not skills:
        return Pointing(moves.Train(SKILLS[0], practice=True))  # check tells why
    return Pointing(
        offers=tuple(map(SKILL.format, skills)),
        picks=(PRACTICE,),
        words=f"Practise what? You may raise {listed(skills)}.",
    )


def _deeds(state: CastellState) -> dict[str, moves.Deed]:
    """What each target of the map means as a special action."""
    pawn = state.mover.pawn
    found: dict[str, moves.Deed] = {region: moves.Go(region) for region in state.game.box.regions}
    if pawn is not None:
        for at, size in enumerate(state.regions[pawn], start=1):
            found[CASTELLER.format(at)] = moves.Recruit((size,))
        for at, tile in enumerate(state.tiles[pawn], start=1):
            found[PERFORMANCE.format(at)] = moves.Perform(str(tile))
    return found


def _targets(deeds: dict[str, moves.Deed], wanted: moves.Deed) -> list[str]:
    """The targets that mean a special action."""
    return [target for target, deed in deeds.items() if deed == wanted]
