"""Once Upon a Castle's puzzle row-or-column: which of the full lines that cross bring more."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import TYPE_CHECKING

from castlelab.chance import Chance
from castlelab.game import changed
from castlelab.games.once_upon_a_castle.board import Board, Layout, Line
from castlelab.games.once_upon_a_castle.box import house_box, house_layouts
from castlelab.games.once_upon_a_castle.castle import FLAG_ROOM, MOST, RULES, Castle
from castlelab.games.once_upon_a_castle.moment import (
    NO_CASTLE,
    are_apart,
    guest_card,
    guests_named,
    moment,
    residents_words,
    squares_of,
    worths,
)
from castlelab.games.once_upon_a_castle.moves import Clear
from castlelab.games.once_upon_a_castle.picture import moment_scene
from castlelab.games.once_upon_a_castle.play import OnceState
from castlelab.games.once_upon_a_castle.scoring import CLOUD, SUN
from castlelab.puzzles import ChooseOne, Code, Hints, Judgement, Puzzle, first_good
from castlelab.rules import counted, listed

if TYPE_CHECKING:
    from castlelab.draw.scene import Scene


@dataclass(frozen=True, slots=True)
class Clause:
    """Something that a cleared line brings, or fails to bring: in points, in words, by a rule."""

    what: str  # tower, wall, flag, residents, floor, sun, cloud or guests; "no …" if in vain
    points: int
    words: str
    rule: str

    def __str__(self) -> str:
        return f"{self.words} [{self.rule}]"


def clauses(before: OnceState, after: OnceState, line: Line) -> Iterator[Clause]:
    """What the castle of player 1 gets out of a line that was cleared, part by part."""
    gift = line.gift
    old, new = before.castles[0], after.castles[0]
    was, now = before.score(0), after.score(0)
    for part, points, more, rule in (
        ("tower", gift.tower, len(new.towers) > len(old.towers), "once_upon_a_castle/tower"),
        ("wall", 0, new.walls > old.walls, "once_upon_a_castle/wall"),
        ("floor", 0, new.floors > old.floors, "once_upon_a_castle/floor-guest"),
    ):
        if more:
            worth = f"worth {points}" if points else "without points"
            yield Clause(part, points, f"a {part} {worth}", rule)
        elif getattr(gift, part):
            yield Clause(f"no {part}", 0, f"no fifth {part}", "once_upon_a_castle/parts")
    if len(new.flags) > len(old.flags):
        yield Clause("flag", gift.flag, f"a flag worth {gift.flag}", "once_upon_a_castle/flags")
    elif gift.flag:
        words = "no flag, for want of a wall with room"
        yield Clause("no flag", 0, words, "once_upon_a_castle/flags")
    if more_points := now.residents - was.residents:
        words = f"for its residents {counted(more_points, 'point')} more"
        yield Clause("residents", more_points, words, "once_upon_a_castle/score")
    elif gift.residents:
        words = "residents in no better group"
        yield Clause("no residents", 0, words, "once_upon_a_castle/score")
    if new.sun > old.sun:
        yield Clause("sun", SUN, f"the sun worth {SUN}", "once_upon_a_castle/sun")
    elif len(new.towers) == MOST > len(old.towers):
        yield Clause("no sun", 0, "no sun, which is gone", "once_upon_a_castle/sun")
    if new.cloud > old.cloud:
        yield Clause("cloud", CLOUD, f"the cloud worth {CLOUD}", "once_upon_a_castle/end")
    if now.guests > was.guests:
        more_points = now.guests - was.guests
        words = f"{more_points} by Crown guests"
        yield Clause("guests", more_points, words, "once_upon_a_castle/crown")


@dataclass(frozen=True, slots=True)
class Cleared:
    """Lines that were cleared one after the other, and what each of them brought."""

    state: OnceState  # afterwards
    points: int
    lines: tuple[tuple[Line, tuple[Clause, ...]], ...]

    @property
    def clauses(self) -> tuple[Clause, ...]:
        return tuple(clause for _, said in self.lines for clause in said)

    def __str__(self) -> str:
        told = [f"{line.name} gives {listed([*map(str, said)])}" for line, said in self.lines]
        words = "; ".join(told)
        return f"{words[0].upper()}{words[1:]}: {counted(self.points, 'point')}."


@dataclass(frozen=True, slots=True)
class Crossing:
    """A board with full lines that cross, and the castle that they are for."""

    board: Board
    castle: Castle
    rivals: tuple[Castle, ...] = (NO_CASTLE,)

    def state(self) -> OnceState:
        """The moment of a game in which lines are cleared."""
        return moment(self.board, self.castle, *self.rivals, phase="build", left=())

    def choices(self) -> tuple[tuple[Line, ...], ...]:
        """The sets of full lines that can be cleared together; no other line goes with them."""
        full = self.board.full_lines()
        apart = [
            lines
            for number in range(1, len(full) + 1)
            for lines in combinations(full, number)
            if are_apart(lines)
        ]
        return tuple(one for one in apart if not any(set(one) < set(other) for other in apart))

    def clear(self, lines: Iterable[Line]) -> Cleared:
        """Clear lines in the order that is worth most. The twelfth part ends it early."""
        return max(map(self._clear_in_order, permutations(lines)), key=lambda done: done.points)

    def _clear_in_order(self, lines: Iterable[Line]) -> Cleared:
        state = start = self.state()
        found = []
        for line in lines:
            move = Clear(line.name)
            if state.active != start.active or not state.check(move):
                break
            after = state.after(move)
            found.append((line, tuple(clauses(state, after, line))))
            state = after
        return Cleared(state, state.score(0).total - start.score(0).total, tuple(found))


def _names(lines: Iterable[Line]) -> str:
    return listed([line.name for line in lines])


@dataclass(frozen=True, slots=True)
class CrossingGrade:
    """A level of row-or-column."""

    lines: int  # full ones
    lead: range  # how much more the better choice is worth
    any_of: tuple[str, ...]  # what must play a part, in one choice or the other
    plain: bool = False  # everything is drawn, and neither sun nor cloud nor guest counts
    misleads: bool = False  # what is printed beside the lines speaks for the wrong choice
    late: bool = False  # the fourth tower or the twelfth part is near
    version: int = 0


CROSSING_GRADES = {
    1: CrossingGrade(2, range(2, 9), ("tower", "flag"), plain=True),
    2: CrossingGrade(2, range(1, 3), ("residents",), plain=True),
    3: CrossingGrade(2, range(1, 4), ("no flag", "no tower", "no wall"), misleads=True),
    4: CrossingGrade(3, range(1, 3), ("sun", "no sun", "cloud"), late=True),
    5: CrossingGrade(3, range(1, 3), ("guests",), misleads=True, version=1),
}
_PLAIN = frozenset(("tower", "wall", "flag", "residents", "no residents"))
_COUNTING_CROWNS = ("jester", "prince", "princess", "king", "queen", "courtesan")


_LATE = ((3, 2), (3, 3), (3, 4), (4, 3))  # towers and walls


def _some_castle(layout: Layout, late: bool, chance: Chance) -> tuple[Castle, Chance]:
    """A castle as it may stand in the middle of a game, or near its end."""
    if late:
        (number, walls), chance = chance.choice(_LATE)
        floors, standing = MOST, range(number, number + 1)
    else:
        floors, chance = chance.choice(range(MOST + 1))
        walls, chance = chance.choice(range(MOST + 1))
        standing = range(MOST + 1)
    towers, chance = worths((2, 5), standing, chance)
    flags, chance = worths((1, 2), range(FLAG_ROOM[walls] + 1), chance)
    residents, chance = chance.choice(range(2, 36))
    if layout.name == "architect":
        guests, chance = chance.sample(guests_named(*_COUNTING_CROWNS), min(floors, 2))
    else:
        guests, chance = chance.sample(house_box(layout.name).guests, floors)
    return Castle(floors, towers, walls, flags, residents, guests), chance


def _crossed(grade: CrossingGrade, chance: Chance) -> Crossing | None:
    """Full lines that leave two choices, and a castle to which they matter."""
    layout = house_layouts()[grade.version]
    castle, chance = _some_castle(layout, grade.late, chance)
    rival = NO_CASTLE
    if len(castle.towers) == MOST:
        castle = changed(castle, sun=True)
    elif len(castle.towers) == MOST - 1:
        gone, chance = chance.below(3)
        rival = NO_CASTLE if gone else Castle(towers=(2, 2, 5, 2), sun=True)
    gifts = {line: line.gift for line in layout.lines}
    # No guest comes by these lines, so all that they bring is known beforehand.
    known = [one for one, g in gifts.items() if not (g.floor or g.steal or g.reactivate)]
    first, chance = chance.choice(known)
    across = [line for line in known if line != first and line.bits & first.bits]
    if castle.complete or len(across) < grade.lines - 1:
        return None
    others, chance = chance.sample(across, grade.lines - 1)
    crossing = Crossing(layout.board(squares_of((first, *others))), castle, (rival,))
    choices = crossing.choices()
    if len(crossing.board.full_lines()) > grade.lines or len(choices) != 2:
        return None
    return crossing if _is_telling(grade, crossing, choices) else None


def _is_telling(
    grade: CrossingGrade, crossing: Crossing, choices: Sequence[tuple[Line, ...]]
) -> bool:
    """Whether the choices differ in the way that a level asks for."""
    winner, loser = sorted(choices, key=lambda lines: -crossing.clear(lines).points)
    best, other = crossing.clear(winner), crossing.clear(loser)
    played = {clause.what for clause in best.clauses + other.clauses}
    return (
        best.points - other.points in grade.lead
        and bool(played & set(grade.any_of))
        and not (grade.plain and played - _PLAIN)
        and not (grade.misleads and _printed(winner) > _printed(loser))
    )


def _printed(lines: Iterable[Line]) -> int:
    """The points that are printed beside lines."""
    return sum(line.gift.tower + line.gift.flag for line in lines)


ALL = "all"


def crossing_puzzle(
    code: Code, crossing: Crossing, missing: Callable[[Castle], str] | None = None
) -> Puzzle:
    """The puzzle of full lines that cross: which bring most, or a castle that misses nothing."""
    cleared = {_names(lines): crossing.clear(lines) for lines in crossing.choices()}
    most = max(done.points for done in cleared.values())
    other = "The other" if len(cleared) == 2 else "Another"

    def short_of(done: Cleared) -> str:
        if missing is not None:
            return missing(done.state.castles[0])
        return f"{done} {other} choice brings more." if done.points < most else ""

    short = {names: short_of(done) for names, done in cleared.items()}
    best = min(cleared, key=lambda names: (bool(short[names]), -cleared[names].points))
    rules = [clause.rule for done in cleared.values() for clause in done.clauses]
    full = crossing.board.full_lines()
    everything = "Both" if len(full) == 2 else f"All {len(full)}"
    start = crossing.state()

    def judge(answer: str) -> Judgement:
        if answer == ALL:
            breach = RULES.breach(
                "once_upon_a_castle/crossing",
                f"{_names(full).capitalize()} share squares.",
                tuple(line.name for line in full),
                "Choose some that do not cross.",
            )
            return Judgement(False, "They cannot all be cleared.", (breach,))
        if short[answer]:
            return Judgement(False, short[answer])
        others = [str(done) for names, done in cleared.items() if names != answer]
        return Judgement(True, " ".join([str(cleared[answer]), *others]))

    def draw(answer: str | None) -> Scene:
        """The table before the choice or, with an answer, after the lines are cleared."""
        if answer not in cleared:
            return moment_scene(start)
        after = cleared[answer].state
        return moment_scene(changed(start, boards=after.boards, castles=after.castles))

    return Puzzle(
        *code,
        prompt=_crossing_prompt(crossing),
        start=crossing,
        ask=ChooseOne((*((names, names.capitalize()) for names in cleared), (ALL, everything))),
        solution=best,
        par=max(1, cleared[best].points),
        hints=_crossing_hints(cleared, best),
        rules=tuple(dict.fromkeys(("once_upon_a_castle/crossing", *rules))),
        judge=judge,
        draw=draw,
    )


def _crossing_prompt(crossing: Crossing) -> str:
    lines, castle = crossing.board.full_lines(), crossing.castle
    peopled = any(line.gift.residents for line in lines)
    people = f" You have {residents_words(castle)}." if peopled else ""
    crowns = [guest_card(guest) for guest in castle.guests if guest.symbol == "crown"]
    guests = f" Guests: {listed(crowns)}." if crowns else ""
    gone = " Another player has the sun." if any(rival.sun for rival in crossing.rivals) else ""
    return (
        f"{_names(lines).capitalize()} are full.{people}{guests}{gone} "
        "Which choice is worth more points right now?"
    )


_LOOK = {
    "guests": "Look at your Crown guests: what do they count?",
    "cloud": "Count your main parts. How many are missing?",
    "sun": "Count your towers. What does the fourth one bring?",
    "no sun": "Look at the other castle: what has it drawn that you cannot draw any more?",
    "no flag": "How many flags do your walls carry?",
    "no tower": "How many towers may a castle have?",
    "no wall": "How many walls may a castle have?",
    "residents": "In which group would your last resident stand?",
}


def _crossing_hints(cleared: dict[str, Cleared], best: str) -> Hints:
    played = {clause.what for done in cleared.values() for clause in done.clauses}
    where = next((hint for what, hint in _LOOK.items() if what in played), "Compare the points.")
    return where, str(next(done for names, done in cleared.items() if names != best))


def make_row_or_column(code: Code, chance: Chance) -> Puzzle:
    """Say which of the full lines that cross are worth more."""
    grade = CROSSING_GRADES[code.level]
    crossing = first_good(lambda chance: _crossed(grade, chance), chance)
    return crossing_puzzle(code, crossing)
