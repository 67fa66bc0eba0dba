"""What a puzzle of Once Upon a Castle can ask for: tokens, lines that cross, a score, a move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, ClassVar

from castlelab.authoring import Lesson, drafter, puzzle_maker
from castlelab.game import Move, changed
from castlelab.games.once_upon_a_castle.board import FACES, Board, Line, face_words
from castlelab.games.once_upon_a_castle.castle import FLAG_ROOM, MOST, Castle
from castlelab.games.once_upon_a_castle.moment import guests_named, moment, track_of_residents
from castlelab.games.once_upon_a_castle.moves import (
    Clear,
    End,
    Invite,
    Reactivate,
    Steal,
    read_move,
)
from castlelab.games.once_upon_a_castle.picture import moment_scene
from castlelab.games.once_upon_a_castle.play import ON_SHOW, OnceState
from castlelab.games.once_upon_a_castle.pointing import picks_of
from castlelab.games.once_upon_a_castle.puzzle_complete_a_line import (
    PlaceTokens,
    clearable,
    endings,
    line_rules,
    luck_to_complete,
    read_tokens,
    solve_tokens,
)
from castlelab.games.once_upon_a_castle.puzzle_count_the_score import score_puzzle, wrong_totals
from castlelab.games.once_upon_a_castle.puzzle_row_or_column import (
    ALL,
    Crossing,
    crossing_puzzle,
)
from castlelab.games.once_upon_a_castle.scoring import score
from castlelab.puzzles import OWN, ChooseOne, Code, Judgement, Puzzle, not_yet, unmended
from castlelab.rules import CastlelabError, counted, listed, quoted

if TYPE_CHECKING:
    from castlelab.draw.scene import Scene

_GAME = "once_upon_a_castle"
_TRIED = 20_000  # moves after a move, until the turn is over
_MOST_MOVES = 6  # to choose from
_TOTALS = 4  # to choose from, where none are named
_MOST_TOTALS = 9
_LARGEST_TOTAL = 999
_MOST_RIVALS = 3


# -- tokens --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceLesson(Lesson):
    """on a ``board``, with two ``dice`` and the ``guests`` of the castle.

    It is solved by tokens that fill so many ``lines`` that do not cross, and these lines
    (``full``): by all that is named; where nothing is, one line will do. A ``goal`` is a function
    of the board with the tokens on it.

    >>> from castlelab.games import once_upon_a_castle
    >>> made = once_upon_a_castle.puzzle(
    ...     "Fill row 4.", board="wsg.. / fgws. / ..fsg / ...fw", dice="food wood", full="row 4"
    ... )
    >>> str(made.solution), made.check("a1, a2").message
    ('d4, e4', 'Row 4 is not full: it misses d4 and e4.')
    """

    about: ClassVar = "tokens to place"

    board: str
    dice: tuple[str, ...]
    lines: int = 0
    full: tuple[str, ...] = ()
    guests: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        Lesson.__post_init__(self)
        object.__setattr__(self, "dice", _faces(self.dice))
        is_enough = self.lines or self.full or self.goal
        object.__setattr__(self, "lines", self.lines if is_enough else 1)

    @property
    def ask(self) -> PlaceTokens:
        """Where the tokens are placed, and for what."""
        board, guests = Board.parse(self.board), guests_named(*self.guests)
        if len(guests) > MOST:
            raise CastlelabError(f"a castle has room for {MOST} guests, not {len(guests)}")
        full = tuple(board.line(name).name for name in self.full)
        first, second = self.dice
        return PlaceTokens(board, (first, second), self.lines, guests, full, self.missing)

    def puzzle(self, code: Code) -> Puzzle:
        ask = self.ask
        if luck_to_complete(ask) == 1:
            raise CastlelabError("this puzzle is solved before it begins: any tokens will do")
        solution = read_tokens(self.solution)
        return self.asking(
            code,
            ask,
            solution=solution,
            par=len(solution.squares),
            rules=line_rules(ask),
            judge=ask.judge,
            draw=ask.draw,
        )

    def find_solution(self) -> str:
        """Tokens that do it: every way to place them is tried."""
        ask = self.ask
        if not luck_to_complete(ask):
            raise CastlelabError(f"this cannot be solved: {_why_not(ask)}")
        found = str(solve_tokens(ask))
        if not found:
            raise CastlelabError("this puzzle is solved before it begins: it needs no token")
        return found


def _faces(words: Iterable[str]) -> tuple[str, ...]:
    """Two faces of dice, named one by one or in one text; "?" is a face too."""
    named = " ".join(words).lower().replace(",", " ").replace("?", " any ").split()
    if len(named) != 2 or not set(named) <= set(FACES):
        raise CastlelabError(
            f"dice are two faces, such as 'wood any', of {', '.join(FACES)}; "
            f"not {quoted(' '.join(named))}"
        )
    return tuple(named)


def _why_not(ask: PlaceTokens) -> str:
    """Why no tokens do what is asked for."""
    boards, dice = endings(ask), listed([face_words(face) for face in ask.dice])
    for line in map(ask.board.line, ask.full):
        if not any(line in board.full_lines() for board in boards):
            return f"{dice} cannot fill {line}"
    most = max(len(clearable(board)) for board in boards)
    if most < ask.lines:
        lines = counted(most, "line") + " that do not cross" * (most > 1)
        return f"{dice} fill at most {lines}, and {ask.lines} are asked for"
    return f"no way to place {dice} does all that is asked for"


# -- one answer among a few ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenLesson(Lesson):
    """An answer among a few, about a castle; the engine knows which is right."""

    castle: str

    def __post_init__(self) -> None:
        Lesson.__post_init__(self)
        object.__setattr__(self, "castle", _whole(self.castle))

    def chosen(self, made: Puzzle) -> Puzzle:
        """The puzzle in the lesson's own words, if some of its answers are right and some not."""
        # To clear all lines that cross is never right.
        open_ones = [value for value, _ in made.ask.options if value != ALL]
        right = [value for value in open_ones if made.judge(value)]
        if not right:
            raise CastlelabError(f"this cannot be solved: none of {listed(open_ones)} is right")
        if len(right) == len(open_ones):
            are = "is" if len(right) == 1 else "are all"
            raise CastlelabError(f"there is nothing to find out: {listed(right)} {are} right")
        usual = made.solution if made.solution in right else right[0]
        solution = made.ask.read(self.solution) if self.solution else usual
        return self.dressed(replace(made, solution=solution))

    def find_solution(self) -> str:
        """The right choice: all of them are tried."""
        return str(self.puzzle(Code(f"{_GAME}/{OWN}", 0, 0)).solution)


def _whole(text: str) -> str:
    """The text of a castle that can stand, with all of its parts."""
    castle = Castle.parse(text)
    room, track = FLAG_ROOM[castle.walls], track_of_residents().length
    if len(castle.flags) > room:
        carried = f"{counted(castle.walls, 'wall')} carry {counted(room, 'flag')}"
        raise CastlelabError(f"{carried}, not {len(castle.flags)} [once_upon_a_castle/flags]")
    if castle.residents > track:
        raise CastlelabError(f"a castle has at most {track} residents, not {castle.residents}")
    return str(castle)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildLesson(ChosenLesson):
    """A choice in the middle of a game: a board, and the castles of rivals."""

    board: str
    rivals: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        ChosenLesson.__post_init__(self)
        if len(self.rivals) > _MOST_RIVALS:
            raise CastlelabError(f"there are 1 to {_MOST_RIVALS} rivals, not {len(self.rivals)}")
        object.__setattr__(self, "rivals", tuple(map(_whole, self.rivals)))
        if any(castle.complete for castle in self.castles):
            raise CastlelabError("a castle with all twelve parts has ended the game")

    @property
    def castles(self) -> tuple[Castle, ...]:
        """The castles of everybody; there is somebody else in any case."""
        return tuple(map(Castle.parse, (self.castle, *(self.rivals or ("",)))))


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossingLesson(BuildLesson):
    """on a ``board``, for a ``castle``, beside those of ``rivals``.

    Right are the lines that bring most points or, with a ``goal``, those after which your castle
    is as it wants: a function of the castle.
    """

    about: ClassVar = "full lines that cross"

    def puzzle(self, code: Code) -> Puzzle:
        castle, *rivals = self.castles
        crossing = Crossing(Board.parse(self.board), castle, tuple(rivals))
        if len(crossing.choices()) < 2:
            raise CastlelabError(
                "this cannot be solved: no two full lines of the board cross, "
                "so there is nothing to choose"
            )
        for line in crossing.board.full_lines():
            _refuse_guests(line, castle)
        return self.chosen(crossing_puzzle(code, crossing, self.missing if self.goal else None))


def _refuse_guests(line: Line, castle: Castle) -> None:
    """Refuse a line whose worth hangs on who comes."""
    gift = line.gift
    if (gift.floor and castle.floors < MOST) or gift.steal or gift.reactivate:
        raise CastlelabError(
            f"{line} gives {gift.words}, and its worth hangs on the guest; ask for a move instead, "
            f"with moves=('clear {line}', …)"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreLesson(ChosenLesson):
    """of a ``castle``, among some ``totals``; usual mistakes are offered where none are named.

    Right is the score or, with a ``goal``, a total that it accepts: a function of the number.
    """

    about: ClassVar = "a score to count"

    totals: tuple[int, ...] = ()

    def puzzle(self, code: Code) -> Puzzle:
        castle = Castle.parse(self.castle)
        right = score(castle, track_of_residents()).total
        totals = tuple(dict.fromkeys(self.totals or (right, *wrong_totals(castle))[:_TOTALS]))
        if not 2 <= len(totals) <= _MOST_TOTALS or not set(totals) <= {*range(_LARGEST_TOTAL + 1)}:
            raise CastlelabError(
                f"name 2 to {_MOST_TOTALS} totals from 0 to {_LARGEST_TOTAL} to choose from, "
                f"not {quoted(totals)}"
            )
        made = score_puzzle(code, castle, totals)
        if self.goal is not None:
            return self.chosen(replace(made, par=1, judge=self._judge_by_goal))
        if right not in totals:
            named = listed([*map(str, totals)])
            raise CastlelabError(
                f"this cannot be solved: the castle scores {right}, and the totals are {named}"
            )
        return self.chosen(made)

    def _judge_by_goal(self, answer: str) -> Judgement:
        short = self.missing(int(answer))
        return Judgement(not short, short or f"Yes, {answer}.")


# -- moves ---------------------------------------------------------------------------------------

#: The moves that may be offered: what is to be decided then, and by which rule.
_OFFERED: dict[type[Move], tuple[str, str]] = {
    Clear: ("", "once_upon_a_castle/build-line"),
    End: ("", "once_upon_a_castle/build-line"),
    Invite: ("guest", "once_upon_a_castle/guest-choice"),
    Steal: ("steal", "once_upon_a_castle/steal"),
    Reactivate: ("reactivate", "once_upon_a_castle/reactivate"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveLesson(BuildLesson):
    """among ``moves``: lines to clear ("clear row 2"), or guests who come ("guest king"), are
    stolen ("steal king") or act again ("reactivate logger").

    The moment is a ``board``, your ``castle``, those of ``rivals`` and the guests on show
    (``shown``; those of the moves, if none are named). Right is the move that is worth most by
    the end of your turn or, with a ``goal``, one after which the turn can end as it wants: a
    function of your castle then. Cards that nobody sees play no part. The ``moral`` is told with
    the right move.
    """

    about: ClassVar = "a move to choose"

    moves: tuple[str, ...]
    moral: str = ""
    shown: tuple[str, ...] = ()

    @property
    def options(self) -> dict[str, Move]:
        """The moves by what one points at to make them."""
        return {picks_of(move)[-1]: move for move in map(read_move, self.moves)}

    def state(self) -> OnceState:
        """The moment of a game in which the move is made."""
        board, moves = Board.parse(self.board), self.options.values()
        kinds = {_OFFERED.get(type(move), ("?", ""))[0] for move in moves}
        if len(kinds) != 1 or "?" in kinds:
            raise CastlelabError(
                "moves are lines to clear ('clear row 2'), or guests: all 'guest king', "
                f"'steal king' or 'reactivate logger'; not {listed([*map(str, moves)])}"
            )
        if not 2 <= len(moves) <= _MOST_MOVES:
            raise CastlelabError(f"offer 2 to {_MOST_MOVES} moves, not {len(moves)}")
        (step,) = kinds
        if step and board.layout.name == "apprentice":
            raise CastlelabError(
                "guests are chosen, stolen and woken on the Great Architect's board only"
            )
        coming = dict.fromkeys(move.guest for move in moves if isinstance(move, Invite))
        shown = guests_named(*(self.shown or coming))
        if len(shown) > ON_SHOW:
            raise CastlelabError(f"{ON_SHOW} guests are on show, not {len(shown)}")
        return moment(
            board,
            *self.castles,
            shown=shown,
            phase="build",
            left=(),
            steps=((step, ""),) if step else (),
        )

    def puzzle(self, code: Code) -> Puzzle:
        state, options = self.state(), self.options
        ends = {
            pick: self._ends(state, move) for pick, move in options.items() if state.check(move)
        }
        if not ends:
            why = [str(state.check(move).breaches[0]) for move in options.values()]
            raise CastlelabError(f"this cannot be solved: no move is allowed. {why[0]}")
        now = _points(state.castles[0])
        worth = {pick: _points(castles[0]) - now for pick, castles in ends.items()}
        best = max(worth, key=lambda pick: worth[pick])

        def short_of(pick: str) -> str:
            if self.goal is None:
                return "Another move brings more." * (worth[pick] < worth[best])
            return min(map(self.missing, ends[pick]), key=bool)

        def judge(answer: str) -> Judgement:
            if answer not in ends:
                return not_yet(unmended(state.check(options[answer])), "That is not allowed.")
            brings = f"Your turn brings {counted(worth[answer], 'point')}."
            short = short_of(answer)
            return Judgement(not short, f"{brings} {short or self.moral}".rstrip())

        def draw(answer: str | None) -> Scene:
            if answer not in ends:
                return moment_scene(state)
            after = state.after(options[answer])
            # The turn may be over by now; what is shown is still the table of player 1.
            return moment_scene(
                changed(state, boards=after.boards, castles=after.castles, steps=())
            )

        return self.chosen(
            self.asking(
                code,
                ChooseOne(tuple((pick, _words(move)) for pick, move in options.items())),
                start=state,
                solution=best,
                par=max(1, worth[best]) if self.goal is None else 1,
                rules=tuple({_OFFERED[type(move)][1]: 0 for move in options.values()}),
                judge=judge,
                draw=draw,
            )
        )

    def _ends(self, state: OnceState, move: Move) -> tuple[Castle, ...]:
        """The castles with which the turn may end after a move, the best one first."""
        seen = changed(state, pile=())
        first = (seen, move, seen.after(move))
        ways = [first, *islice(ways_on(first[2]), _TRIED)]
        if len(ways) > _TRIED:
            raise CastlelabError(
                f"after “{move}” the turn goes on in more than {_TRIED:,} ways; "
                "ask about a simpler moment"
            )
        for way in ways:
            _refuse_luck(*way, guests_matter=self.goal is None)
        ends = dict.fromkeys(after.castles[0] for _, _, after in ways if _is_over(after))
        return tuple(sorted(ends, key=_points, reverse=True))


def _points(castle: Castle) -> int:
    return score(castle, track_of_residents()).total


def _words(move: Move) -> str:
    """A move as a choice: what a guest can do says more than its name."""
    if isinstance(move, Invite | Steal):
        (guest,) = guests_named(move.guest)
        return guest.words
    return str(move).capitalize()


def _is_over(state: OnceState) -> bool:
    """Whether the turn of player 1 is over."""
    return bool(state.ending or state.seat or state.active)


Way = tuple[OnceState, Move, OnceState]  # before, what is done, and after


def ways_on(state: OnceState) -> Iterator[Way]:
    """Every way to play on until the turn of player 1 is over; alike moments are met once."""
    seen, waiting = set(), [state]
    while waiting:
        here = waiting.pop()
        alike = here.boards[0], here.castles, here.shown, here.steps
        if alike in seen or _is_over(here):
            continue
        seen.add(alike)
        for move in here.moves():
            after = here.after(move)
            yield here, move, after
            waiting.append(after)


def _refuse_luck(before: OnceState, move: Move, after: OnceState, guests_matter: bool) -> None:
    """Refuse what nobody can foresee: a die, and the worth of a guest whom nobody has seen."""
    name = move.guest if isinstance(move, Invite | Steal | Reactivate) else ""
    if name and before.game.guest_named[name].power == "roll-twice":
        raise CastlelabError(f"nobody can say what “{move}” is worth: {name} rolls a die")
    is_higher = after.castles[0].floors > before.castles[0].floors
    if guests_matter and is_higher and after.moment != "guest":
        raise CastlelabError(
            f"nobody can say what “{move}” is worth: a floor is drawn, and its guest is not known; "
            "say what counts with goal=…, or leave that line out"
        )


draft = drafter(PlaceLesson, CrossingLesson, ScoreLesson, MoveLesson)
puzzle = puzzle_maker(_GAME, draft)
