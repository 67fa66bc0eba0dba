"""CastleScape's puzzle who-claims: say who has most influence in a bailey."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from castlelab.chance import Chance
from castlelab.game import SEAT_NAMES
from castlelab.games.castlescape.board import ON_GROUND, ON_WALL, RULES, Bailey, Board, square_name
from castlelab.games.castlescape.picture import board_scene
from castlelab.games.castlescape.sites import (
    closed_castle,
    peopled,
    places_for_recruits,
    with_stubs,
)
from castlelab.grid import Square
from castlelab.puzzles import ChooseOne, Code, Judgement, Puzzle, first_good, not_yet
from castlelab.rules import Breach, Verdict, listed


@dataclass(frozen=True, slots=True)
class BaileyClaim:
    """A board whose bailey round this square is asked about."""

    board: Board
    square: Square

    @property
    def bailey(self) -> Bailey:
        """The bailey that is meant."""
        bit = self.board.grid.bit(self.square)
        return next(bailey for bailey in self.board.baileys() if bailey.bits & bit)


def misread(board: Board, bailey: Bailey) -> tuple[tuple[int, ...], ...]:
    """Who would lead by three ways of misreading the rule of influence.

    By heads, as if a wall were worth no more; by sides, as if corners of the ring did not
    count; and all over the site, as if it did not matter where a recruit stands.
    """
    sides = board.grid.neighbours(bailey.bits)
    players = range(len(board.ground))
    heads = [
        (board.ground[p] & bailey.bits | board.atop[p] & bailey.wall_bits).bit_count()
        for p in players
    ]
    by_sides = [
        ON_GROUND * (board.ground[p] & bailey.bits).bit_count()
        + ON_WALL * (board.atop[p] & bailey.wall_bits & sides).bit_count()
        for p in players
    ]
    everywhere = [board.influence(p) for p in players]
    return tuple(_leaders(counted) for counted in (heads, by_sides, everywhere))


def _leaders(influence: Sequence[int]) -> tuple[int, ...]:
    most = max(influence)
    return tuple(p for p, has in enumerate(influence) if has == most > 0)


@dataclass(frozen=True, slots=True)
class ClaimGrade:
    """A level of who-claims."""

    players: int
    courts: int
    near: int  # recruits on walls of baileys and inside
    off: int  # recruits elsewhere
    stubs: int  # walls that lead away from the baileys
    traps: int  # misreadings that give another answer, at least
    lead: range  # of the first over the second


CLAIM_GRADES = {
    1: ClaimGrade(2, 1, 3, 0, 0, 0, range(1, 6)),
    2: ClaimGrade(2, 1, 4, 1, 2, 1, range(1, 4)),
    3: ClaimGrade(3, 1, 6, 2, 3, 2, range(3)),
    4: ClaimGrade(3, 2, 8, 2, 3, 2, range(2)),
    5: ClaimGrade(4, 2, 10, 3, 4, 3, range(2)),
}


def _claim_to_judge(grade: ClaimGrade, chance: Chance) -> BaileyClaim | None:
    """A board where the answer is close and a misreading misleads."""
    found = closed_castle(9, grade.courts, range(2, 6), chance)
    if found is None:
        return None
    board, chance = found
    board, chance = with_stubs(board, grade.stubs, chance.split("stubs"))
    if len(board.courts()) != grade.courts:
        return None
    counting, others = places_for_recruits(board)
    near, chance = chance.sample(counting, min(grade.near, len(counting)))
    off, chance = chance.sample(others, grade.off)
    placed = []
    for number, square in enumerate((*near, *off)):
        player, chance = chance.below(grade.players)
        placed.append((square, number if number < grade.players else player))
    board = peopled(board, placed)
    bailey, chance = chance.choice(board.baileys())
    second, first = sorted(bailey.influence)[-2:]
    shared, chance = chance.below(4)  # ties are easy to come by, and would be too many
    if 0 in grade.lead and (first == second) != (shared == 0):
        return None
    traps = sum(leaders != bailey.leaders for leaders in misread(board, bailey))
    if not first or first - second not in grade.lead or traps < grade.traps:
        return None
    return BaileyClaim(board, next(board.grid.squares(bailey.bits)))


_NO_ONE_ALONE = (("shared", "Several players share it"), ("nobody", "Nobody"))


def claim_answer(bailey: Bailey) -> str:
    """The option that is right."""
    if not bailey.leaders:
        return "nobody"
    return SEAT_NAMES[bailey.leaders[0]].lower() if len(bailey.leaders) == 1 else "shared"


def judge_claim(claim: BaileyClaim, answer: str) -> Judgement:
    """Judge who claims a bailey."""
    bailey = claim.bailey
    most_first = sorted(enumerate(bailey.influence), key=lambda pair: -pair[1])
    said = [f"{SEAT_NAMES[player]} has {number}" for player, number in most_first if number]
    told = f"Influence: {listed(said) if said else 'nobody has any'}."
    if answer == claim_answer(bailey):
        share = bailey.size // max(len(bailey.leaders), 1)
        return Judgement(True, f"Right. {told} That scores {share} Renown for each who claims it.")
    breach = Breach(
        RULES["castlescape/influence"],
        "A recruit on a wall that touches the bailey counts 2, on its ground 1.",
        claim.board.names(bailey.wall_bits),
    )
    return not_yet(Verdict((breach,)), f"No. {told}")


def _counting(number: int, where: str, worth: int) -> str:
    """What recruits count together.

    >>> _counting(1, "the ground", 1), _counting(3, "walls", 2)
    ('1 on the ground counts 1', '3 on walls count 2 each')
    """
    return f"{number} on {where} {f'counts {worth}' if number == 1 else f'count {worth} each'}"


def claim_puzzle(code: Code, claim: BaileyClaim, players: int) -> Puzzle:
    """The question who claims a bailey."""
    bailey = claim.bailey
    on_walls = sum((atop & bailey.wall_bits).bit_count() for atop in claim.board.atop)
    inside = sum((ground & bailey.bits).bit_count() for ground in claim.board.ground)
    told = (_counting(on_walls, "walls", ON_WALL), _counting(inside, "the ground", ON_GROUND))
    return Puzzle(
        *code,
        prompt=f"The bailey at {square_name(claim.square)} is complete. Who claims it?",
        start=claim,
        ask=ChooseOne((*((name.lower(), name) for name in SEAT_NAMES[:players]), *_NO_ONE_ALONE)),
        solution=claim_answer(bailey),
        par=1,
        hints=(
            "Count only recruits on its ground and on walls that touch it, corners included.",
            f"{told[0]}, and {told[1]}.",
        ),
        rules=("castlescape/influence", "castlescape/bailey-score"),
        judge=partial(judge_claim, claim),
        # The picture of a bailey tells the influence in it: that comes with the answer.
        draw=lambda answer: board_scene(
            claim.board, baileys=answer is not None, chosen=bailey.bits
        ),
    )


def make_who_claims(code: Code, chance: Chance) -> Puzzle:
    """Say who has most influence in a bailey."""
    grade = CLAIM_GRADES[code.level]
    claim = first_good(lambda chance: _claim_to_judge(grade, chance), chance)
    return claim_puzzle(code, claim, grade.players)
