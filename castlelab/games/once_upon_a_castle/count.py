"""How likely the dice bring what a line needs, and how many rolls it takes.

A line that fills up is a Markov chain: what it still misses only shrinks, roll by roll. So the
expected number of rolls is known exactly, step by step from the full line backwards
(`expected_rolls`), as the solution of linear equations (`LineChain.expected_rolls`), and about
right by rolling very often (`simulate_rolls`). All exact numbers are fractions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import permutations
from math import inf, sqrt

from castlelab.chance import Chance
from castlelab.game import without
from castlelab.games.once_upon_a_castle.board import FACES, LINE_LENGTHS, RESOURCES, Board, Line
from castlelab.games.once_upon_a_castle.dice import ROLLS
from castlelab.rules import CastlelabError, NotationError, given, quoted, whole_number

Roll = tuple[str, str]
Missing = tuple[str, ...]  # resources in the order of the dice; a full line misses ()
Needs = str | Iterable[str]  # "wood stone stone", or the resources
StepChances = tuple[tuple[Fraction, ...], ...]

_CHOSEN = FACES[:-1]  # what a "?" may be
_MOST_GAMES = 1_000_000
_MOST_ROLLS = 500
_LONGEST_CYCLE = 4  # players at a table


# -- one roll --------------------------------------------------------------------------------


def good_rolls(*wanted: str, wild: bool = True) -> tuple[Roll, ...]:
    """The rolls in which each wanted face has a die of its own, found by looking at all 36.

    Without ``wild`` a "?" counts for nothing.

    >>> good_rolls("wood", "stone", wild=False)
    (('wood', 'stone'), ('stone', 'wood'))
    """
    faces = _wanted(wanted)
    return tuple(roll for roll in ROLLS if _offers(roll, faces, wild))


def _offers(roll: Roll, wanted: tuple[str, ...], wild: bool) -> bool:
    dealt = permutations(roll, len(wanted))
    return any(all(_fits(*pair, wild) for pair in zip(dice, wanted, strict=True)) for dice in dealt)


def _fits(face: str, wanted: str, wild: bool = True) -> bool:
    return face == wanted or (wild and face == "any")


def roll_odds(*wanted: str, wild: bool = True) -> Fraction:
    """The chance that two dice bring a wanted face, or both of two wanted faces, by formula.

    A die is good with chance p, which is 2/6 with the "?" and 1/6 without. Then one face
    comes with 1 − (1−p)², the same face twice with p², and two different ones with 2p² less
    what that counts twice: both dice show "?".

    >>> print(roll_odds("wood"), roll_odds("wood", wild=False))
    5/9 11/36
    >>> print(roll_odds("wood", "stone"), roll_odds("wood", "wood"))
    7/36 1/9
    """
    faces = _wanted(wanted)
    good = Fraction(1 + wild, len(FACES))
    if len(faces) == 1:
        return 1 - (1 - good) ** 2
    if faces[0] == faces[1]:
        return good**2
    return 2 * good**2 - Fraction(int(wild), len(ROLLS))


def throws_with(dice: int, wild: bool = True) -> int:
    """Of all throws of so many dice, how many show a wanted face at least once.

    All throws, less those in which every die fails: 6ⁿ − 4ⁿ, https://oeis.org/A248337. Without
    the "?" it is 6ⁿ − 5ⁿ, https://oeis.org/A005062.

    >>> [throws_with(dice) for dice in range(1, 6)]
    [2, 20, 152, 1040, 6752]
    """
    whole_number(dice, "dice go", 0, _MOST_ROLLS)
    faces = len(FACES)
    return int(faces**dice - (faces - 1 - wild) ** dice)


def _wanted(wanted: tuple[str, ...]) -> tuple[str, ...]:
    if not 1 <= len(wanted) <= 2:
        raise CastlelabError(f"two dice bring one or two wanted faces, not {len(wanted)}")
    for face in wanted:
        if face not in _CHOSEN:
            raise CastlelabError(f"a wanted face is {', '.join(_CHOSEN)}, not {quoted(face)}")
    return wanted


# -- from roll to roll -----------------------------------------------------------------------


def read_missing(needs: Needs) -> Missing:
    """What a line misses, from resources or from text; anything else is a ``NotationError``.

    >>> read_missing("stone, wood stone")
    ('wood', 'stone', 'stone')
    """
    if isinstance(needs, str):
        needs = needs.lower().replace(",", " ").split()
    found = tuple(needs) if isinstance(needs, Iterable) else (needs,)
    for resource in found:
        if resource not in RESOURCES:
            raise NotationError(
                f"what a line misses is {', '.join(RESOURCES)}, not {quoted(resource)}"
            )
    if len(found) > LINE_LENGTHS[-1]:
        raise CastlelabError(f"a line misses {LINE_LENGTHS[-1]} squares at most, not {len(found)}")
    return tuple(sorted(found, key=RESOURCES.index))


def missing_of(board: Board | str, line: Line | str) -> Missing:
    """The resources of the squares of a line that have no token yet.

    >>> missing_of("WSg.. / fgwS. / ..FSg / ...FW", "row 1")
    ('gold',)
    """
    board = given(Board, board)
    found = board.line(line) if isinstance(line, str) else line
    return read_missing(
        square.resource for square in found.squares if not square.bit & board.filled
    )


@cache
def _results(missing: Missing, roll: Roll, dice: int) -> frozenset[Missing]:
    """What a line may miss after a roll: every way to use one of the dice, or both."""
    found = {missing}
    for face in roll:
        used = {
            without(left, resource)
            for left in (found if dice == 2 else {missing})
            for resource in left
            if _fits(face, resource)
        }
        found |= used
    return frozenset(found)


Cycle = tuple[int, ...]  # how many dice are used in this roll, the next, …, then again


@cache
def _expected(missing: Missing, cycle: Cycle) -> tuple[Fraction, ...]:
    """The expected rolls if the next one is the first of the cycle, the second, …

    In each place of the cycle, t = 1 + p·(t in the next place) + what other results bring,
    where p is the chance that nothing fits. Going once round leaves one equation in one t.
    """
    if not missing:
        return (Fraction(0),) * len(cycle)
    stays, others = [], []
    for place in range(len(cycle)):
        steps = _steps(missing, cycle, place)
        stays.append(steps.pop(missing, Fraction(0)))
        following = (place + 1) % len(cycle)
        others.append(
            1 + sum(odds * _expected(left, cycle)[following] for left, odds in steps.items())
        )
    once_round, weight = Fraction(0), Fraction(1)
    for stay, other in zip(stays, others, strict=True):
        once_round += weight * other
        weight *= stay
    found = [once_round / (1 - weight)]
    for stay, other in zip(stays[:0:-1], others[:0:-1], strict=True):
        found.append(other + stay * found[-1])
    return (found[0], *found[:0:-1])


def _steps(missing: Missing, cycle: Cycle, place: int) -> dict[Missing, Fraction]:
    """What a line misses after the next roll, and how likely that is."""
    found = Counter(_best(missing, roll, cycle, place) for roll in ROLLS)
    return {left: Fraction(number, len(ROLLS)) for left, number in found.items()}


@cache
def _best(missing: Missing, roll: Roll, cycle: Cycle, place: int) -> Missing:
    """The result from which the fewest rolls are to be expected.

    A token more never hurts, so a roll goes by unused only if nothing fits.
    """
    following = (place + 1) % len(cycle)
    results = _results(missing, roll, cycle[place]) - {missing}
    return min(results, key=lambda left: (_expected(left, cycle)[following], left), default=missing)


def _read_cycle(dice: int | Sequence[int]) -> Cycle:
    cycle = (dice,) if isinstance(dice, int) else dice
    if (
        not isinstance(cycle, Sequence)
        or not 1 <= len(cycle) <= _LONGEST_CYCLE
        or any(isinstance(number, bool) or number not in (1, 2) for number in cycle)
    ):
        raise CastlelabError(
            "of each roll you use 2 dice or 1; write that number, or one for each turn such as "
            f"(2, 1, 1), not {quoted(dice)}"
        )
    return tuple(cycle)


def _read_dice(dice: int) -> Cycle:
    """A cycle of one roll: the chain and a single use know no turns."""
    if not isinstance(dice, int):
        raise CastlelabError(f"here dice is one number, 2 or 1, not {quoted(dice)}")
    return _read_cycle(dice)


def best_use(missing: Needs, roll: Roll, dice: int = 2) -> Missing:
    """What a line misses after a roll that is used as well as can be.

    On your own turn you use both dice, on the turns of others one.

    >>> best_use("wood stone stone", ("any", "wood"))
    ('stone',)
    >>> best_use("wood stone stone", ("any", "wood"), dice=1)
    ('wood', 'stone')
    """
    if roll not in ROLLS:
        raise CastlelabError(f"a roll is two of {', '.join(FACES)}, not {quoted(roll)}")
    return _best(read_missing(missing), roll, _read_dice(dice), 0)


def expected_rolls(missing: Needs, dice: int | Sequence[int] = 2) -> Fraction:
    """How many rolls it takes on average until a line is full, exactly.

    ``dice`` is how many of the two dice you use: 2 on your own turns, 1 on those of others.
    Several numbers are taken in turn: ``(2, 1, 1)`` is a game of three that begins with your
    turn. The "?" goes where it saves most. Tokens are taken not to run out.

    >>> print(expected_rolls("wood"), expected_rolls("wood stone"))
    9/5 8/3
    >>> round(float(expected_rolls("wood stone gold food", dice=(2, 1, 1))), 2)
    4.56
    """
    return _expected(read_missing(missing), _read_cycle(dice))[0]


# -- the chain -------------------------------------------------------------------------------


def foreseen_rolls(missing: Needs) -> Fraction:
    """The expected rolls if a "?" could wait until one knows what it is needed for.

    What a look into the future would be worth is the difference from :func:`expected_rolls`.

    >>> expected_rolls("wood stone") - foreseen_rolls("wood stone")
    Fraction(14, 135)
    """
    return _foreseen(read_missing(missing), 0)


@cache
def _foreseen(missing: Missing, saved: int) -> Fraction:
    """The same with so many saved: the line is full once they are enough for what it misses."""
    if len(missing) <= saved:
        return Fraction(0)
    steps = Counter(_with_saved(missing, saved, roll) for roll in ROLLS)
    stays = steps.pop((missing, saved), 0)
    rolls = sum((number * _foreseen(*left) for left, number in steps.items()), Fraction(len(ROLLS)))
    return rolls / (len(ROLLS) - stays)


def _with_saved(missing: Missing, saved: int, roll: Roll) -> tuple[Missing, int]:
    for face in roll:
        if face == "any":
            saved += 1
        elif face in missing:
            missing = without(missing, face)
    return missing, saved


@dataclass(frozen=True)
class LineChain:
    """A line that fills up as a Markov chain. The last state, (), is full and stays so.

    >>> print(line_chain("wood"))
    misses   wood  nothing  rolls
    wood      4/9      5/9    9/5
    nothing     0        1      0
    """

    states: tuple[Missing, ...]  # what is missing, the most first
    matrix: StepChances  # the chance of each step, from row to column

    def expected_rolls(self) -> tuple[Fraction, ...]:
        """The expected rolls from each state: the t that solves (I − Q)·t = 1.

        Q is the matrix without the full line.

        >>> [str(t) for t in line_chain("wood stone").expected_rolls()]
        ['8/3', '9/5', '9/5', '0']
        """
        size = range(len(self.states) - 1)
        equations = [
            [int(row == column) - self.matrix[row][column] for column in size] + [Fraction(1)]
            for row in size
        ]
        return (*_solved(equations), Fraction(0))

    def filled_by(self, rolls: int) -> tuple[Fraction, ...]:
        """The chance that the line is full after 1, 2, … rolls.

        >>> [str(odds) for odds in line_chain("wood").filled_by(3)]
        ['5/9', '65/81', '665/729']
        """
        whole_number(rolls, "rolls go", 1, _MOST_ROLLS)
        size = range(len(self.states))
        odds = [Fraction(int(state == 0)) for state in size]
        found = []
        for _ in range(rolls):
            odds = [
                sum((odds[at] * self.matrix[at][to] for at in size), Fraction(0)) for to in size
            ]
            found.append(odds[-1])
        return tuple(found)

    def __str__(self) -> str:
        names = [" ".join(state) or "nothing" for state in self.states]
        rows = zip(names, self.matrix, self.expected_rolls(), strict=True)
        body = [[name, *map(str, row), str(rolls)] for name, row, rolls in rows]
        return _table([["misses", *names, "rolls"], *body])


def _solved(equations: list[list[Fraction]]) -> list[Fraction]:
    """The solution of linear equations by Gauss and Jordan; the last column is the right side."""
    rows = [list(row) for row in equations]
    for at in range(len(rows)):
        pivot = next(place for place in range(at, len(rows)) if rows[place][at])
        rows[at], rows[pivot] = rows[pivot], rows[at]
        rows[at] = [entry / rows[at][at] for entry in rows[at]]
        for other, row in enumerate(rows):
            if other != at and row[at]:
                rows[other] = [a - row[at] * b for a, b in zip(row, rows[at], strict=True)]
    return [row[-1] for row in rows]


def line_chain(missing: Needs, dice: int = 2) -> LineChain:
    """The chain of a line from what it misses now until it is full.

    >>> line_chain("wood stone").states
    (('wood', 'stone'), ('wood',), ('stone',), ())
    """
    first, cycle = read_missing(missing), _read_dice(dice)
    steps: dict[Missing, dict[Missing, Fraction]] = {(): {(): Fraction(1)}}
    waiting = [first]
    while waiting:
        state = waiting.pop()
        if state not in steps:
            steps[state] = _steps(state, cycle, 0)
            waiting += steps[state]
    states = tuple(sorted(steps, key=lambda state: (-len(state), [*map(RESOURCES.index, state)])))
    return LineChain(
        states,
        tuple(tuple(steps[row].get(column, Fraction(0)) for column in states) for row in states),
    )


def ways_to_fill(missing: Needs, rolls: int, dice: int = 2) -> int:
    """How many of the 36ⁿ possible runs of so many rolls fill a line, well used.

    >>> [ways_to_fill("wood", rolls) for rolls in (1, 2)], 36 - 16, 36**2 - 16**2
    ([20, 1040], 20, 1040)
    """
    share = line_chain(missing, dice).filled_by(rolls)[-1]
    return int(share * len(ROLLS) ** rolls)


# -- by rolling ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sample:
    """How many rolls a line took in each of so many trials. Prints with its standard error.

    >>> print(Sample((1, 2, 3, 2)))
    2.00 ± 0.41 rolls in 4 games; ± is one standard error
    """

    rolls: tuple[int, ...]

    @property
    def mean(self) -> float:
        return sum(self.rolls) / len(self.rolls)

    @property
    def error(self) -> float:
        """The standard error of the mean; one trial alone says nothing about it."""
        if len(self.rolls) < 2:
            return inf
        mean = self.mean
        squares = sum((number - mean) ** 2 for number in self.rolls)
        return sqrt(squares / (len(self.rolls) - 1) / len(self.rolls))

    def filled_by(self, rolls: int) -> tuple[float, ...]:
        """The share of trials in which the line was full after 1, 2, … rolls."""
        return tuple(
            sum(number <= limit for number in self.rolls) / len(self.rolls)
            for limit in range(1, rolls + 1)
        )

    def __str__(self) -> str:
        return (
            f"{self.mean:.2f} ± {self.error:.2f} rolls in {len(self.rolls)} games; "
            "± is one standard error"
        )


def simulate_rolls(
    missing: Needs, games: int = 1000, seed: int | str = 0, dice: int | Sequence[int] = 2
) -> Sample:
    """Roll until the line is full, again and again.

    >>> sample = simulate_rolls("wood stone", games=400, seed=1)
    >>> abs(sample.mean - expected_rolls("wood stone")) < 3 * sample.error
    True
    """
    whole_number(games, "games go", 1, _MOST_GAMES)
    first, cycle = read_missing(missing), _read_cycle(dice)
    chance = Chance.seeded(seed)
    return Sample(tuple(_until_full(first, cycle, chance.split(game)) for game in range(games)))


def _until_full(missing: Missing, cycle: Cycle, chance: Chance) -> int:
    """How many rolls it takes until a line is full."""
    rolls = 0
    while missing:
        roll, chance = chance.choice(ROLLS)
        missing = _best(missing, roll, cycle, rolls % len(cycle))
        rolls += 1
    return rolls


# -- all lines of a board --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LineOdds:
    """A line of a board, what it misses, and how many rolls that takes on average."""

    line: Line
    missing: Missing
    rolls: Fraction | None  # None: there are not enough tokens left


@dataclass(frozen=True, slots=True)
class LineTable:
    """Every line of a board with its expected rolls. Prints as a table."""

    lines: tuple[LineOdds, ...]

    def __str__(self) -> str:
        rows = [["line", "misses", "rolls", "gives"]]
        for odds in self.lines:
            rolls = "never" if odds.rolls is None else f"{float(odds.rolls):.2f}"
            missing = " ".join(odds.missing) or "nothing"
            rows.append([odds.line.name, missing, rolls, odds.line.gift.words])
        return _table(rows, left=(0, 1, 3))


def line_table(board: Board | str, dice: int | Sequence[int] = 2) -> LineTable:
    """The lines of a board, those that fill up soonest first.

    >>> print(line_table("WSg.. / fgwS. / ..FSg / ...fw"))
    line      misses          rolls  gives
    row 1     gold             1.80  a wall and 2 residents
    row 3     gold             1.80  a tower worth 2 and a flag worth 1
    column 1  food             1.80  a flag worth 1 and 2 residents
    column 2  gold             1.80  a flag worth 2
    column 4  food             1.80  a wall and 4 residents
    row 4     wood food        2.67  a floor
    column 3  wood gold        2.67  a wall and 3 residents
    column 5  wood gold        2.67  a flag worth 2
    row 2     wood gold food   3.44  a tower worth 5
    """
    board = given(Board, board)
    found = []
    for line in board.lines:
        missing = missing_of(board, line)
        rolls = expected_rolls(missing, dice) if len(missing) <= board.spare else None
        found.append(LineOdds(line, missing, rolls))
    return LineTable(tuple(sorted(found, key=lambda odds: (odds.rolls is None, odds.rolls or 0))))


def _table(rows: list[list[str]], left: Sequence[int] = (0,)) -> str:
    """Rows of words in columns; those named stand on the left, numbers on the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            f"{word:<{width}}" if place in left else f"{word:>{width}}"
            for place, (word, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )
