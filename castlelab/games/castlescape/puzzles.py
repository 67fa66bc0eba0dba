"""CastleScape's puzzles, five levels each, made from a seed and proved solvable.

Every maker draws sites until one has what its level asks for. The board judges the answers:
its rules for walls, its baileys, the influence in them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from castlelab.chance import Chance
from castlelab.game import SEAT_NAMES
from castlelab.games.castlescape.board import (
    ON_GROUND,
    ON_WALL,
    RULES,
    Bits,
    Board,
    read_square,
    square_name,
)
from castlelab.games.castlescape.picture import board_scene
from castlelab.games.castlescape.puzzle_count_joints import make_count_joints
from castlelab.games.castlescape.puzzle_count_walls import make_count_walls
from castlelab.games.castlescape.puzzle_first_hand import make_first_hand
from castlelab.games.castlescape.puzzle_who_claims import make_who_claims
from castlelab.games.castlescape.sites import (
    Gap,
    castle,
    closed_castle,
    corner_gap,
    each,
    peopled,
    places_for_recruits,
    run_gap,
)
from castlelab.grid import Square
from castlelab.puzzles import (
    Ask,
    Code,
    Judgement,
    Maker,
    Puzzle,
    first_good,
    growing,
    not_yet,
    unmended,
)
from castlelab.rules import Breach, NotationError, Verdict, counted, listed, quoted

if TYPE_CHECKING:
    from castlelab.draw.scene import Scene

_LONGEST_TEXT = 2_000
_BREAK = re.compile(r"[\s,;]+")


# -- answers ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Spots:
    """Squares of a board, in the order in which they were chosen. Prints as ``c2 d2``."""

    squares: tuple[Square, ...] = ()

    def __str__(self) -> str:
        return " ".join(map(square_name, self.squares))


def read_spots(text: str) -> Spots:
    """The squares that a text names; anything else is a ``NotationError``.

    >>> read_spots("c2, d2").squares
    ((1, 2), (1, 3))
    """
    if not isinstance(text, str) or len(text) > _LONGEST_TEXT:
        raise NotationError(f"write squares such as 'c2 d2', not {quoted(text)}")
    names = [name for name in _BREAK.split(text) if name]
    if not names:
        raise NotationError("write one square or more, such as 'c2 d2'")
    return Spots(tuple(map(read_square, names)))


@dataclass(frozen=True, slots=True)
class AskSpots(Ask[Spots]):
    """An answer that is squares of this board."""

    board: Board

    answers: ClassVar = Spots
    example: ClassVar = "squares such as 'c2 d2'"
    editor: ClassVar = "castlelab.widgets.castlescape.spot_editor:SpotEditor"

    def read(self, text: str) -> Spots:
        return read_spots(text)

    def steps(self, answer: Spots) -> tuple[Spots, ...]:
        """Square by square."""
        return tuple(map(Spots, growing(answer.squares)))

    def accept(self, thing: object) -> Spots:
        """Squares of this board; off the board is an error."""
        spots = Ask.accept(self, thing)
        self.board.grid.bits(spots.squares)
        return spots


@dataclass(frozen=True, slots=True)
class FindSquares(AskSpots):
    """An answer that is squares of this board, in any order: those of a bailey."""

    def judge(self, spots: Spots) -> Judgement:
        """Judge squares that should be those of a bailey; a leak is shown."""
        board = self.board
        chosen = board.grid.bits(spots.squares)
        if not chosen:
            return Judgement(False, "No square is chosen yet.")
        if chosen & board.walls:
            names = listed(board.names(chosen & board.walls))
            return Judgement(False, f"A bailey is open ground, and there is a wall on {names}.")
        for bailey in board.baileys():
            if chosen == bailey.bits:
                said = (
                    f"{counted(bailey.size, 'square')}, enclosed on all sides and at all corners."
                )
                return Judgement(True, f"A bailey of {said}")
        leaking = chosen & ~board.enclosed()
        if leaking:
            verdict = Verdict((leak_breach(board, next(board.grid.squares(leaking))),))
            return not_yet(verdict, "That is not a bailey: it leaks.")
        whole = [bailey for bailey in board.baileys() if bailey.bits & chosen]
        if len(whole) > 1:
            return Judgement(False, "These squares belong to different baileys. Choose one bailey.")
        missing = board.names(whole[0].bits & ~chosen)
        breach = Breach(
            RULES["castlescape/bailey"],
            "Squares that touch at a side or a corner belong together.",
            missing,
            f"Add {counted(len(missing), 'square')}.",
        )
        return not_yet(Verdict((breach,)), "All of that is enclosed, but the bailey goes on.")

    def draw(self, spots: Spots | None, solved: bool | None = None) -> Scene:
        """Chosen squares, and the way by which they leak; all baileys once it is solved."""
        board = self.board
        if spots is None:
            return board_scene(board, baileys=False)
        chosen = board.grid.bits(spots.squares)
        leaking = chosen & ~board.enclosed() & ~board.walls
        leak = board.leak(next(board.grid.squares(leaking))) if leaking else ()
        shown = bool(self.judge(spots)) if solved is None else solved
        return board_scene(board, baileys=shown, chosen=chosen, path=leak)


@dataclass(frozen=True, slots=True)
class BuildWalls(AskSpots):
    """An answer that is walls to build here with one card, in order, at most so many."""

    walls: int

    def untouched(self) -> Spots:
        return Spots()

    def check(self, squares: tuple[Square, ...]) -> Verdict:
        """Whether these walls may be built. Which would be right is the question: no mends."""
        return unmended(self.board.check_walls(squares))

    def judge(self, spots: Spots) -> Judgement:
        """Judge walls by the rules alone, whatever is to come of them."""
        if len(spots.squares) > self.walls:
            return Judgement(False, f"The card gives {counted(self.walls, 'wall')}; build no more.")
        verdict = self.check(spots.squares)
        if not verdict:
            return not_yet(verdict, "These walls may not be built.")
        return Judgement(True, "Every wall is allowed.")

    def draw(self, spots: Spots | None, leaking: Square | None) -> Scene:
        """Walls, what is wrong with them, and where the ground still leaks."""
        board = self.board
        if spots is None:
            return board_scene(board)
        verdict = board.check_walls(spots.squares)
        for square in spots.squares:
            bit = board.grid.bit(square)
            if not bit & board.walls:
                board = board.with_wall(bit)
        leak = board.leak(leaking) if leaking and board.courts() == self.board.courts() else ()
        return board_scene(board, chosen=spots.squares, path=leak, lit=verdict.where)


@dataclass(frozen=True, slots=True)
class GiveUp(AskSpots):
    """An answer that is the recruits which this player gives up, by their squares."""

    player: int
    infamy: int

    def draw(self, spots: Spots | None) -> Scene:
        """The board without the recruits that are given up."""
        if spots is None:
            return board_scene(self.board)
        given = self.board.grid.bits(spots.squares)
        return board_scene(self.board.without_recruit(self.player, given), crosses=given)


# -- find the bailey -------------------------------------------------------------------------


def decoys(board: Board) -> list[Bits]:
    """Ground that only looks enclosed: shut in by sides, but it leaks through a corner."""
    ground = board.grid.all ^ board.walls
    shut = board.enclosed()
    return [
        part
        for part in board.grid.regions(ground)
        if not part & board.grid.border and not part & shut
    ]


@dataclass(frozen=True, slots=True)
class FindGrade:
    """A level of find-the-bailey."""

    side: int
    sizes: range  # of the bailey
    parts: int  # of the bailey, which hang together at corners
    decoys: int
    decoy_sizes: range


FIND_GRADES = {
    1: FindGrade(9, range(2, 4), 1, 1, range(1, 3)),
    2: FindGrade(9, range(3, 6), 1, 2, range(1, 4)),
    3: FindGrade(11, range(3, 6), 2, 2, range(2, 5)),
    4: FindGrade(11, range(4, 8), 2, 3, range(2, 5)),
    5: FindGrade(13, range(5, 10), 3, 4, range(2, 6)),
}


def _site_to_search(grade: FindGrade, chance: Chance) -> Board | None:
    """A castle with one bailey and with decoys."""
    sizes = []
    for _ in range(grade.decoys):
        size, chance = chance.choice(grade.decoy_sizes)
        sizes.append((size, 0, corner_gap))
    size, chance = chance.choice(grade.sizes)
    wanted = [(size, grade.parts - 1, None), *sizes]
    order, chance = chance.shuffle(wanted)
    board = castle(grade.side, order, chance)
    if board is None or len(board.courts()) != 1:
        return None
    (court,) = board.courts()
    parts = [*board.grid.regions(court)]  # by sides alone
    if court.bit_count() not in grade.sizes or len(parts) != grade.parts:
        return None
    return board if len(decoys(board)) == grade.decoys else None


def leak_breach(board: Board, square: Square) -> Breach:
    """The way from a square to the edge, as a breach: here it leaks."""
    path = board.leak(square)
    names = tuple(map(square_name, path))
    if len(path) == 1:
        return Breach(RULES["castlescape/bailey"], f"{names[0]} lies at the edge, outside.", names)
    gaps = [f"{square_name(one)} and {square_name(other)}" for one, other in board.gaps(path)]
    through = f", through the corner between {', then '.join(gaps)}" if gaps else ""
    message = f"From {names[0]} one gets to the edge at {names[-1]}{through}."
    return Breach(RULES["castlescape/bailey"], message, names)


def make_find_the_bailey(code: Code, chance: Chance) -> Puzzle:
    """Say which squares are the bailey."""
    grade = FIND_GRADES[code.level]
    board = first_good(lambda chance: _site_to_search(grade, chance), chance)
    ask = FindSquares(board)
    (bailey,) = board.baileys()
    parts = [*board.grid.regions(bailey.bits)]
    joined = f" in {len(parts)} parts that touch at corners" if len(parts) > 1 else ""
    number = len(decoys(board))
    seeming = (
        "One court only looks closed:" if number == 1 else f"{number} courts only look closed:"
    )
    row, _ = next(board.grid.squares(bailey.bits))
    return Puzzle(
        *code,
        prompt="One bailey is complete. Choose all its squares.",
        start=ask,
        ask=ask,
        solution=Spots(tuple(board.grid.squares(bailey.bits))),
        par=bailey.size,
        hints=(
            f"{seeming} look at the corners.",
            f"The bailey has {counted(bailey.size, 'square')}{joined}. One is in row {row + 1}.",
        ),
        rules=("castlescape/bailey",),
        judge=ask.judge,
        draw=ask.draw,
    )


# -- close it --------------------------------------------------------------------------------


class Closing(NamedTuple):
    """The best that walls can do: the size of the bailey, and the fewest walls that close it."""

    size: int
    walls: tuple[Square, ...]
    ways: int  # sets of walls that do as well
    tried: int  # sets of walls in all
    sizes: frozenset[int]  # of the largest baileys that all these sets close


def card_walls(board: Board, walls: int) -> Iterator[tuple[Board, tuple[Bits, ...]]]:
    """Whatever one card can build, fewest walls first: the site after it, and the walls in order.

    >>> board = Board.parse("... / #.. / ...")
    >>> [" ".join(board.names(sum(order))) for _, order in card_walls(board, 2)]
    ['a1', 'b2', 'a3', 'a1 b1', 'b1 b2', 'b2 c2', 'b2 b3', 'a3 b3']
    """
    grown: dict[Bits, tuple[Board, tuple[Bits, ...]]] = {0: (board, ())}
    for _ in range(walls):
        further: dict[Bits, tuple[Board, tuple[Bits, ...]]] = {}
        for card, (here, order) in grown.items():
            for bit in each(here.wall_spots(card)):
                if card | bit not in further:
                    further[card | bit] = here.with_wall(bit), (*order, bit)
                    yield further[card | bit]
        grown = further


def best_closing(board: Board, walls: int) -> Closing:
    """The largest bailey that so many walls of one card can close, by trying them all.

    >>> best_closing(Board.parse("..... / .###. / .#.#. / .#.#. / ....."), 3).size
    2
    """
    before = frozenset(board.courts())
    best: tuple[Bits, ...] = ()
    found = {0: 0}  # how many sets of walls close a bailey of which size
    for there, order in card_walls(board, walls):
        size = largest_new(before, there)
        if size > max(found):
            best = order
        found[size] = found.get(size, 0) + 1
    most = max(found)
    return Closing(
        most, in_turn(board, best), found[most], sum(found.values()), frozenset(found) - {0}
    )


def in_turn(board: Board, bits: Iterable[Bits]) -> tuple[Square, ...]:
    """Single squares in the order in which they were chosen."""
    return tuple(next(board.grid.squares(bit)) for bit in bits)


def largest_new(before: Iterable[Bits], board: Board) -> int:
    """The size of the largest bailey that was not there before."""
    return max((court.bit_count() for court in board.courts() if court not in before), default=0)


@dataclass(frozen=True, slots=True)
class CloseGrade:
    """A level of close-it."""

    side: int
    walls: int  # that the card gives
    courts: int  # with a gap
    sizes: range
    rivals: int  # other sizes of bailey that the same walls could close, at least


CLOSE_GRADES = {
    1: CloseGrade(9, 1, 2, range(1, 5), 1),
    2: CloseGrade(9, 2, 2, range(2, 6), 1),
    3: CloseGrade(11, 3, 3, range(2, 7), 2),
    4: CloseGrade(11, 4, 3, range(2, 8), 3),
    5: CloseGrade(13, 5, 4, range(3, 9), 4),
}


def _site_to_close(grade: CloseGrade, chance: Chance) -> tuple[Board, Closing] | None:
    """A castle whose largest bailey takes all the walls."""
    wanted: list[tuple[int, int, Gap | None]] = []
    for _ in range(grade.courts):
        size, chance = chance.choice(grade.sizes)
        length, chance = chance.choice(range(1, grade.walls + 1))
        wanted.append((size, 0, run_gap(length)))
    board = castle(grade.side, wanted, chance)
    if board is None or board.courts():
        return None
    found = best_closing(board, grade.walls)
    if found.size < 2 or len(found.walls) < grade.walls or len(found.sizes) <= grade.rivals:
        return None
    return board, found


def judge_walls(ask: BuildWalls, par: int, spots: Spots, leaking: Square | None) -> Judgement:
    """Judge walls of one card by the largest bailey that they close."""
    board = ask.board
    if not spots.squares:
        return Judgement(False, "Nothing is built yet.")
    allowed = ask.judge(spots)
    if not allowed:
        return allowed
    after = board.build(spots.squares)
    size = largest_new(board.courts(), after)
    if not size:
        if leaking is not None and after.leak(leaking):
            breach = leak_breach(after, leaking)
            return not_yet(Verdict((breach,)), "Every wall is allowed, but nothing is closed.")
        return Judgement(False, "Every wall is allowed, but nothing is closed.")
    if size < par:
        return Judgement(False, f"That closes {counted(size, 'square')}; {par} are possible.")
    return Judgement(True, f"A bailey of {counted(size, 'square')}: there is no larger one.")


def make_close_it(code: Code, chance: Chance) -> Puzzle:
    """Close the largest bailey with the walls of one card."""
    grade = CLOSE_GRADES[code.level]
    board, best = first_good(lambda chance: _site_to_close(grade, chance), chance)
    ask = BuildWalls(board, grade.walls)
    after = board.build(best.walls)
    court = max(after.courts(), key=int.bit_count)
    inside = next(board.grid.squares(court))
    one = "a wall" if grade.walls == 1 else f"up to {grade.walls} walls"
    return Puzzle(
        *code,
        prompt=f"Your card gives {one}. Close the largest bailey you can.",
        start=ask,
        ask=ask,
        solution=Spots(best.walls),
        par=best.size,
        hints=(
            f"Look round {square_name(inside)}: where does that ground get out?",
            f"The last wall goes on {square_name(best.walls[-1])}.",
        ),
        rules=("castlescape/bailey", "castlescape/wall-contiguous", "castlescape/wall-adjacent"),
        judge=lambda spots: judge_walls(ask, best.size, spots, inside),
        draw=partial(ask.draw, leaking=inside),
    )


# -- inspection ------------------------------------------------------------------------------


def worth_of(board: Board, player: int, bit: Bits) -> int:
    """What the recruit of a player on a square is worth; 0 if there is none."""
    if bit & board.atop[player]:
        return ON_WALL
    return ON_GROUND if bit & board.ground[player] else 0


def bonuses(board: Board, player: int) -> int:
    """The occupation bonus of a player: baileys where nobody else has as much influence."""
    return sum(bailey.leaders == (player,) for bailey in board.baileys())


def enough(values: Sequence[int], infamy: int) -> bool:
    """Whether recruits of these values pay for the Infamy, and none is given up for nothing.

    >>> enough([2, 2], 3), enough([2, 2], 2), enough([1], 2)
    (True, False, False)
    """
    return bool(values) and sum(values) >= infamy > sum(values) - max(values)


class Levy(NamedTuple):
    """The best that a player can do at an Inspection."""

    bonus: int  # baileys still led
    recruits: tuple[Square, ...]  # given up for it
    ways: int  # choices that do as well
    choices: int  # in all


def best_levy(
    board: Board, player: int, infamy: int, allowed: Callable[[Board], bool] = lambda left: True
) -> Levy:
    """Which recruits to give up so that most baileys are still led, by trying all choices.

    Only those count that leave a site which is ``allowed``.
    """
    own = [*each(board.ground[player] | board.atop[player])]
    best, ways, choices = -1, 0, 0
    best_choice: tuple[Bits, ...] = ()
    for number in range(1, min(len(own), infamy) + 1):  # one more would be for nothing
        for given in combinations(own, number):
            if not enough([worth_of(board, player, bit) for bit in given], infamy):
                continue
            left = board.without_recruit(player, sum(given))
            if not allowed(left):
                continue
            bonus = bonuses(left, player)
            choices += 1
            if bonus > best:
                best, best_choice, ways = bonus, given, 0
            ways += bonus == best
    return Levy(best, in_turn(board, best_choice), ways, choices)


@dataclass(frozen=True, slots=True)
class LevyGrade:
    """A level of inspection."""

    courts: int
    players: int
    own: int  # recruits
    idle: int  # of them that count in no bailey
    others: int
    infamy: range
    luck: tuple[float, float]  # the share of the choices that is right


LEVY_GRADES = {
    1: LevyGrade(1, 2, 3, 1, 1, range(1, 3), (0.3, 0.7)),
    2: LevyGrade(2, 2, 4, 1, 3, range(2, 4), (0.2, 0.5)),
    3: LevyGrade(2, 2, 6, 1, 4, range(3, 5), (0.1, 0.3)),
    4: LevyGrade(3, 3, 7, 1, 6, range(3, 6), (0.05, 0.15)),
    5: LevyGrade(3, 3, 8, 1, 8, range(4, 7), (0.0, 0.06)),
}


def _levy_to_pay(grade: LevyGrade, chance: Chance) -> tuple[GiveUp, Levy] | None:
    """A board where it matters which recruits are given up."""
    found = closed_castle(11, grade.courts, range(1, 5), chance)
    if found is None:
        return None
    board, chance = found
    counting, others = places_for_recruits(board)
    near = grade.own - grade.idle + grade.others
    if len(counting) < near:
        return None
    close, chance = chance.sample(counting, near)
    off, chance = chance.sample(others, grade.idle)
    placed = []
    for number, square in enumerate((*off, *close)):
        rival, chance = chance.choice(range(1, grade.players))
        placed.append((square, 0 if number < grade.own else rival))
    board = peopled(board, placed)
    infamy, chance = chance.choice(grade.infamy)
    if board.influence(0) <= infamy or bonuses(board, 0) < max(1, grade.courts - 1):
        return None
    best = best_levy(board, 0, infamy)
    low, high = grade.luck
    if best.bonus < 1 or not low <= best.ways / best.choices <= high:
        return None
    return GiveUp(board, 0, infamy), best


def judge_levy(ask: GiveUp, par: int, spots: Spots) -> Judgement:
    """Judge which recruits are given up, by the occupation bonus that is left."""
    board, player = ask.board, ask.player
    squares = tuple(dict.fromkeys(spots.squares))
    bits = [board.grid.bit(square) for square in squares]
    values = [worth_of(board, player, bit) for bit in bits]
    strange = [square_name(at) for at, worth in zip(squares, values, strict=True) if not worth]
    if strange:
        return Judgement(False, f"You have no recruit on {listed(strange)}.")
    worth = sum(values)
    if worth < ask.infamy:
        breach = Breach(
            RULES["castlescape/inspection"],
            f"The King asks for {ask.infamy} influence, and these recruits are worth {worth}.",
            tuple(map(square_name, squares)),
            f"Give up {ask.infamy - worth} more.",
        )
        return not_yet(Verdict((breach,)), "That is not enough.")
    if not enough(values, ask.infamy):
        return Judgement(False, f"That is more than needed: {worth} for an Infamy of {ask.infamy}.")
    after = board.without_recruit(player, sum(bits))
    bonus = bonuses(after, player)
    kept = f"You still lead in {counted(bonus, 'bailey')}"
    if bonus < par:
        breach = Breach(
            RULES["castlescape/occupation"],
            "Only the one player with most influence gets the bonus, and a tie gives nothing.",
            tuple(
                name
                for bailey in after.baileys()
                if bailey.leaders != (player,)
                for name in board.names(bailey.bits)
            ),
        )
        return not_yet(Verdict((breach,)), f"{kept}; the most is {par}.")
    return Judgement(True, f"{kept}, and that is the most: {bonus} Renown.")


def levy_puzzle(code: Code, ask: GiveUp, best: Levy) -> Puzzle:
    """The question which recruits to give up."""
    board, player = ask.board, ask.player
    led = [bailey for bailey in board.baileys() if bailey.leaders == (player,)]
    idle = board.ground[player] | board.atop[player]
    for bailey in board.baileys():
        idle &= ~(bailey.bits | bailey.wall_bits)
    first = best.recruits[0]
    return Puzzle(
        *code,
        prompt=(
            f"You are {SEAT_NAMES[player]}, and your Infamy is {ask.infamy}. "
            "Give up recruits, and lead in as many baileys as you can."
        ),
        start=ask,
        ask=ask,
        solution=Spots(best.recruits),
        par=best.bonus,
        hints=(
            f"You lead in {len(led)} now. {_idle_words(idle.bit_count())}",
            f"Begin with the recruit on {square_name(first)}.",
        ),
        rules=("castlescape/inspection", "castlescape/occupation", "castlescape/influence"),
        judge=lambda spots: judge_levy(ask, best.bonus, spots),
        draw=ask.draw,
    )


def _idle_words(idle: int) -> str:
    if not idle:
        return "Every recruit of yours counts somewhere: compare by how much you lead."
    if idle == 1:
        return "One recruit of yours counts in no bailey at all."
    return f"{idle} of your recruits count in no bailey at all."


def make_inspection(code: Code, chance: Chance) -> Puzzle:
    """Give up recruits and keep the most occupation bonuses."""
    grade = LEVY_GRADES[code.level]
    ask, best = first_good(lambda chance: _levy_to_pay(grade, chance), chance)
    return levy_puzzle(code, ask, best)


KINDS: dict[str, Maker] = {
    "castlescape/find-the-bailey": make_find_the_bailey,
    "castlescape/close-it": make_close_it,
    "castlescape/who-claims": make_who_claims,
    "castlescape/inspection": make_inspection,
    "castlescape/count-walls": make_count_walls,
    "castlescape/count-joints": make_count_joints,
    "castlescape/first-hand": make_first_hand,
}
