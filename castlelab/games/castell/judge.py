"""Which moves are refused, and why: the rule, the place, and what would mend it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from castlelab.game import Move
from castlelab.games.castell import moves
from castlelab.games.castell.performance import can_perform, check_performance
from castlelab.games.castell.tower import MAX_RANK, RULES, SIZES, SKILLS, Tower, check, check_entry
from castlelab.games.castell.turns import MOVE, RECRUIT, SPECIAL, TRAIN, TURNS
from castlelab.rules import LEGAL, Breach, CastlelabError, Verdict, either

if TYPE_CHECKING:
    from castlelab.games.castell.box import Performance
    from castlelab.games.castell.play import CastellState
    from castlelab.games.castell.scoring import Player

_DONE = {
    MOVE: "moved",
    RECRUIT: "recruited",
    TRAIN: "trained",
    SPECIAL: "taken a special action",
}
_MOST = 7  # moves that are named: as many as there are regions
_LONGEST = 3  # that are written out in a sentence

_no = RULES.breach


def judge(state: CastellState, move: Move) -> Verdict:
    """Whether a move is legal now, with every breach explained."""
    breaches = tuple(_breaches(state, move))
    if not breaches:
        return LEGAL
    return Verdict(breaches if state.over else _with_mends(state, move, breaches))


def _breaches(state: CastellState, move: Move) -> Iterator[Breach]:
    seat = state.to_move
    if seat is None:
        yield _no("castell/turn-order", "The game is over after round 10.")
        return
    me = state.players[seat]
    at_festival = state.festival is not None
    match move:
        case moves.Enter() | moves.StayOut():
            if not at_festival:
                mend = "Festivals come after everybody's turn, from round 3 on."
                yield _no("castell/turn-order", "No festival is being held now.", mend=mend)
            elif isinstance(move, moves.Enter):
                yield from _judge_enter(state, me, move.tower)
        case moves.Perform():
            yield _no("castell/special-action", "A local performance is a special action.")
        case _ if type(move) not in TURNS:
            raise CastlelabError(f"{move!r} is not a move of Castell")
        case _ if at_festival:
            yield _no("castell/turn-order", "The turns of this round are over.")
        case moves.Go():
            yield from _judge_once(state, MOVE)
            yield from _judge_go(state, me, move)
        case moves.Recruit():
            yield from _judge_once(state, RECRUIT)
            yield from _judge_recruit(state, me, move, 2)
        case moves.Train():
            yield from _judge_once(state, TRAIN)
            yield from _judge_train(state, me, move)
        case moves.Special():
            yield from _judge_special(state, me, move)


# -- the actions of a turn -------------------------------------------------------------------


def _judge_once(state: CastellState, action: int) -> Iterator[Breach]:
    if state.done & action:
        yield _no("castell/action-once", f"You have already {_DONE[action]} this turn.")


def _not_on_the_map() -> Breach:
    mend = "Move first: it may be set down in any region."
    return _no("castell/move", "Your pawn is not on the map yet.", mend=mend)


def _judge_go(state: CastellState, me: Player, move: moves.Go) -> Iterator[Breach]:
    box, name = state.game.box, move.region
    region = box.places.get(name)
    if me.pawn is None:  # the first Move sets the pawn down anywhere
        if region is None:
            mend = f"There are {', '.join(box.regions)}."
            yield _no("castell/move", f"{name} is not a region.", mend=mend)
        return
    near, here = box.neighbours[me.pawn], box.regions[me.pawn]
    if region not in near:
        there = "is where your pawn stands" if region == me.pawn else f"does not touch {here}"
        mend = f"From {here} it may go to {', '.join(box.regions[at] for at in near)}."
        yield _no("castell/move", f"{name} {there}.", (name,), mend)


def _judge_recruit(
    state: CastellState, me: Player, move: moves.Recruit, most: int
) -> Iterator[Breach]:
    if me.pawn is None:
        yield _not_on_the_map()
        return
    rule = "castell/recruit" if most == 2 else "castell/special-action"
    if not 1 <= len(move.sizes) <= most:
        wanted = "one or two castellers" if most == 2 else "one casteller"
        yield _no(rule, f"That is {len(move.sizes)} castellers.", mend=f"Take {wanted}.")
    here, name = state.regions[me.pawn], state.game.box.regions[me.pawn]
    for size in sorted(set(move.sizes), reverse=True):
        if size not in SIZES:
            yield _no(rule, f"There is no size {size}.", mend="Sizes go from 1 to 10.")
        elif move.sizes.count(size) > here.count(size):
            told = f"{name} has {here.count(size)} castellers of size {size}."
            mend = f"There are {here}." if len(here) else "Nobody is left there."
            yield _no(rule, told, (name,), mend)


def _judge_train(state: CastellState, me: Player, move: moves.Train) -> Iterator[Breach]:
    if me.pawn is None:
        yield _not_on_the_map()
        return
    yield from _judge_offered(state, me.pawn, "practice" if move.practice else move.skill)
    rank, skill = me.skills.rank(move.skill), move.skill.title()
    if move.practice and rank == 0:
        owned = any(me.skills.rank(each) for each in SKILLS)
        mend = "" if owned else "You have no skill yet."
        yield _no("castell/practice", f"You do not have {skill} yet.", mend=mend)
    if rank == MAX_RANK:
        rule = "castell/practice" if move.practice else "castell/train"
        yield _no(rule, f"{skill} has rank 5, the highest.")


def _judge_offered(state: CastellState, pawn: int, wanted: str) -> Iterator[Breach]:
    offered = state.offered(pawn)
    if wanted not in offered:
        rules = {"practice": "castell/practice", "special": "castell/special-skill"}
        rule, name = rules.get(wanted, "castell/train"), state.game.box.regions[pawn]
        told = f"The wheel does not offer {wanted.title()} at {name} now."
        yield _no(rule, told, (name,), f"It offers {' or '.join(offered)}.")


def _judge_special(state: CastellState, me: Player, move: moves.Special) -> Iterator[Breach]:
    yield from _judge_once(state, TRAIN if move.trained else SPECIAL)
    if me.pawn is None:
        yield _not_on_the_map()
        return
    rule = "castell/special-action"
    if move.trained:
        yield from _judge_offered(state, me.pawn, "special")
    elif not me.tokens:
        mend = "Only training Special gives a special action without one."
        yield _no(rule, "You have no action token left.", mend=mend)
    match move.deed:
        case moves.Go():
            yield from _judge_go(state, me, move.deed)
        case moves.Recruit():
            yield from _judge_recruit(state, me, move.deed, 1)
        case moves.Perform(tile):
            here = {str(each): each for each in state.tiles[me.pawn]}
            if tile in here:
                yield from _judge_performance(here[tile], move, me)
                return
            name, left = state.game.box.regions[me.pawn], ", ".join(here) or "none is left"
            told = f"{name} has no performance {tile}."
            yield _no("castell/performance-region", told, (name,), f"There: {left}.")
        case _:
            mend = "Recruit one casteller, move, or give a local performance."  # type: ignore[unreachable]  # a move made by hand
            yield _no(rule, f"'{move.deed}' is not a special action.", mend=mend)


# -- towers ----------------------------------------------------------------------------------


def _judge_performance(tile: Performance, move: moves.Special, me: Player) -> Iterator[Breach]:
    """What keeps a player from fulfilling a tile with a tower or, without one, with any."""
    assert isinstance(move.deed, moves.Perform)
    tower = move.deed.tower
    if tower is not None:

        def fulfils(other: Tower) -> bool:
            return not any(check_performance(tile, other, me.skills))

        def perform(other: Tower) -> moves.Special:
            return moves.Special(moves.Perform(str(tile), other), move.trained)

        yield from _as_moves(check(tower, me.skills, me.team, fulfils), perform)
        yield from check_performance(tile, tower, me.skills)
    elif not can_perform(tile, me.team, me.skills):
        rule = f"castell/performance-{'shape' if tile.is_shape else 'exhibition'}"
        told = f"Your team cannot build for the tile {tile} now."
        yield _no(rule, told, mend=f"It asks for {tile.describe()}.")


def _judge_enter(state: CastellState, me: Player, tower: Tower) -> Iterator[Breach]:
    assert state.festival is not None
    wanted = state.calendar[state.festival].wanted
    verdict = check(tower, me.skills, me.team, lambda one: bool(check_entry(one, wanted)))
    yield from _as_moves(verdict, moves.Enter)
    yield from check_entry(tower, wanted).breaches


def _as_moves(verdict: Verdict, move: Callable[[Tower], Move]) -> Iterator[Breach]:
    """The breaches of a tower as those of a move with it."""
    for breach in verdict.breaches:
        yield replace(breach, mends=tuple(map(move, breach.mends)))


# -- what may be played instead: the legal moves most like the refused one ---------------------


def _with_mends(
    state: CastellState, move: Move, breaches: tuple[Breach, ...]
) -> tuple[Breach, ...]:
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
    names = either(f"'{mend}'" for mend in mends[:_LONGEST])
    return f"{told} Play {names} instead.".lstrip()


def _instead(state: CastellState, move: Move) -> Iterator[Move]:
    """The legal moves that are most like a move, and like nothing else that is legal."""
    legal = state.moves()
    if state.festival is not None:
        towers = [each for each in legal if isinstance(each, moves.Enter)]
        if isinstance(move, moves.Enter):
            towers.sort(key=lambda each: _difference(each.tower, move.tower))
        yield from towers[:1]
        yield from legal[-1:]  # nobody has to enter
        return
    if isinstance(move, moves.Enter | moves.StayOut):
        yield from legal[-1:]  # festivals come when all have ended their turns
        return
    seat = state.to_move
    if seat is not None and state.players[seat].pawn is None:
        yield from legal[:-1]  # the first Move comes before everything else
        return
    for alike in _likenesses(move):
        if found := [each for each in legal if alike(each)]:
            if isinstance(deed := _deed(move), moves.Recruit):
                far = [_other_sizes(_deed(each), deed) for each in found]
                found = [each for each, off in zip(found, far, strict=True) if off == min(far)]
            yield from found
            return
    yield from legal[-1:]  # the end of the turn


def _likenesses(move: Move) -> Iterator[Callable[[Move], bool]]:
    """What a move may be like, the nearest first: the same deed, the same way, the same kind."""
    deed = _deed(move)
    yield lambda other: _deed(other) == deed
    if isinstance(deed, moves.Perform):
        tile = deed.tile
        yield lambda other: isinstance(one := _deed(other), moves.Perform) and one.tile == tile
    if isinstance(deed, moves.Train):
        yield lambda other: isinstance(other, moves.Train) and other.skill == deed.skill
        yield lambda other: isinstance(other, moves.Train) and other.practice == deed.practice
    yield lambda other: _way(other) == _way(move) and type(_deed(other)) is type(deed)
    if isinstance(deed, moves.Go | moves.Recruit | moves.Perform):
        yield lambda other: type(_deed(other)) is type(deed)


def _deed(move: Move) -> Move:
    """What is done, however it is paid for."""
    return move.deed if isinstance(move, moves.Special) else move


def _way(move: Move) -> tuple[str, bool]:
    """How a move is paid for."""
    return move.kind, isinstance(move, moves.Special) and move.trained


def _other_sizes(move: Move, wanted: moves.Recruit) -> int:
    """How far the castellers of a move are from those that were wanted, in sizes."""
    sizes = move.sizes if isinstance(move, moves.Recruit) else ()
    missing = [size for size in wanted.sizes if size in SIZES]  # it may have been made up
    pairs = zip(sizes, missing, strict=False)
    return sum(abs(one - other) for one, other in pairs) + 20 * abs(len(sizes) - len(missing))


def _difference(one: Tower, other: Tower) -> int:
    """How many castellers would have to change places."""
    return sum(abs(one.count(size) - other.count(size)) for size in SIZES)
