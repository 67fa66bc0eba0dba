"""Authored puzzles of Once Upon a Castle: the steps of the walk-through."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from castlelab.authoring import Lesson, lesson_opener
from castlelab.game import Move, changed
from castlelab.games.once_upon_a_castle.board import Board
from castlelab.games.once_upon_a_castle.castle import Castle
from castlelab.games.once_upon_a_castle.guests import Guest
from castlelab.games.once_upon_a_castle.moment import NO_CASTLE, guests_named, moment
from castlelab.games.once_upon_a_castle.moves import Invite, Steal, read_move
from castlelab.games.once_upon_a_castle.picture import table_scene
from castlelab.games.once_upon_a_castle.play import Decision, OnceState
from castlelab.games.once_upon_a_castle.pointing import picks_of
from castlelab.games.once_upon_a_castle.puzzle_complete_a_line import PlaceTokens, read_tokens
from castlelab.games.once_upon_a_castle.puzzle_count_the_score import score_puzzle
from castlelab.games.once_upon_a_castle.puzzle_row_or_column import Crossing, crossing_puzzle
from castlelab.puzzles import ChooseOne, Code, Judgement, Puzzle, not_yet, unmended
from castlelab.rules import counted

if TYPE_CHECKING:
    from castlelab.draw.scene import Scene


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceLesson(Lesson):
    """Tokens to place: on which board, with which dice, how many lines are wanted."""

    board: str
    dice: tuple[str, str]
    solution: str
    lines: int = 1

    def puzzle(self, code: Code) -> Puzzle:
        ask = PlaceTokens(Board.parse(self.board), self.dice, self.lines)
        solution = read_tokens(self.solution)
        par = len(solution.squares)
        return self.asking(code, ask, solution=solution, par=par, judge=ask.judge, draw=ask.draw)


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossingLesson(Lesson):
    """Full lines that cross, and the castle that they are for."""

    board: str
    castle: Castle

    def puzzle(self, code: Code) -> Puzzle:
        found = crossing_puzzle(code, Crossing(Board.parse(self.board), self.castle))
        return replace(found, prompt=self.prompt, hints=self.hints, rules=self.rules)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreLesson(Lesson):
    """A castle to count, and the totals to choose from."""

    castle: Castle
    totals: tuple[int, ...]

    def puzzle(self, code: Code) -> Puzzle:
        found = score_puzzle(code, self.castle, self.totals)
        return replace(found, prompt=self.prompt, hints=self.hints, rules=self.rules)


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveLesson(Lesson):
    """A moment in which one of a few moves is worth most by the end of the turn."""

    board: str
    castle: Castle
    moves: tuple[str, ...]
    moral: str  # what the right move shows
    rivals: tuple[Castle, ...] = (NO_CASTLE,)
    steps: tuple[Decision, ...] = ()
    shown: tuple[str, ...] = ()  # guests on show

    def state(self) -> OnceState:
        """The moment of a game in which the move is made."""
        return moment(
            Board.parse(self.board),
            self.castle,
            *self.rivals,
            shown=guests_named(*self.shown),
            phase="build",
            left=(),
            steps=self.steps,
        )

    def puzzle(self, code: Code) -> Puzzle:
        state = self.state()
        options = {picks_of(move)[-1]: move for move in map(read_move, self.moves)}
        legal = {pick: move for pick, move in options.items() if state.check(move)}
        now = state.score(0).total
        worth = {pick: best_turn(state.after(move)) - now for pick, move in legal.items()}
        best = max(worth, key=lambda pick: worth[pick])

        def judge(answer: str) -> Judgement:
            if answer not in worth:
                return not_yet(unmended(state.check(options[answer])), "That is not allowed.")
            brings = f"Your turn brings {counted(worth[answer], 'point')}."
            if worth[answer] < worth[best]:
                return Judgement(False, f"{brings} Another move brings more.")
            return Judgement(True, f"{brings} {self.moral}")

        def draw(answer: str | None) -> Scene:
            if answer not in worth:
                return table_scene(state)
            after = state.after(options[answer])
            # The turn may be over by now; what is shown is still the table of player 1.
            return table_scene(changed(state, boards=after.boards, castles=after.castles, steps=()))

        return self.asking(
            code,
            ChooseOne(tuple((pick, _words(move)) for pick, move in options.items())),
            start=state,
            solution=best,
            par=max(1, worth[best]),
            judge=judge,
            draw=draw,
        )


def _words(move: Move) -> str:
    """A move as a choice: what a guest can do says more than its name."""
    if isinstance(move, Invite | Steal):
        (guest,) = guests_named(move.guest)
        return guest.words
    return str(move).capitalize()


def best_turn(state: OnceState) -> int:
    """The most points that player 1 can have when the turn is over, by trying everything."""
    if state.ending or state.seat or state.active:
        return state.score(0).total
    return max(best_turn(state.after(move)) for move in state.moves())


LESSONS: dict[str, PlaceLesson | CrossingLesson | ScoreLesson | MoveLesson] = {
    "first-roll": PlaceLesson(
        prompt="Your first roll: Food and Wood. Place both tokens so that a line is full.",
        board="wsg.. / fgws. / ..fsg / ...fw",
        dice=("food", "wood"),
        solution="d4, e4",
        hints=("Look for a line of two squares.", "Row 4 is Food and Wood, and nothing else."),
        rules=("once_upon_a_castle/roll", "once_upon_a_castle/resource"),
    ),
    "wild": PlaceLesson(
        prompt="Stone and a ?. Let the ? be what you need, and fill a line.",
        board="wsG.. / fgws. / ..fsg / ...fw",
        dice=("stone", "any"),
        solution="a1, b1",
        hints=("Row 1 has a token already. What else does it need?", "Stone on b1. The ? is Wood."),
        rules=("once_upon_a_castle/any",),
    ),
    "no-moving": PlaceLesson(
        prompt="Gold and Stone. Row 2 misses only one token. Use both dice, and fill a line.",
        board="wsg.. / FGWs. / ..fsG / ...fw",
        dice=("gold", "stone"),
        solution="c1, d2",
        hints=(
            "Two of the three Gold squares are taken, and tokens do not move.",
            "The Gold goes on c1, wherever the Stone goes.",
        ),
        rules=("once_upon_a_castle/no-moving", "once_upon_a_castle/roll"),
    ),
    "no-token": PlaceLesson(
        prompt=(
            "Three lines are full, and one token is left for Wood and Gold. "
            "Make it four lines that do not cross."
        ),
        board="wSG.. / FGWs. / ..FSg / ...FW",
        dice=("wood", "gold"),
        solution="a1",
        lines=4,
        hints=(
            "One die is lost, for there is no token for it. Which one?",
            "The last Gold square would fill lines that cross full ones.",
        ),
        rules=("once_upon_a_castle/no-token", "once_upon_a_castle/crossing"),
    ),
    "crossing": CrossingLesson(
        prompt="Row 3 and column 5 are full, and they cross. Which is worth more right now?",
        board="wsg.. / fgws. / ..FSG / ...fW",
        castle=Castle(walls=1, residents=2),
        hints=(
            "Read what is printed beside both lines.",
            "Column 5 is a flag worth 2. What is row 3 worth?",
        ),
        rules=("once_upon_a_castle/crossing", "once_upon_a_castle/build-line"),
    ),
    "tower-value": MoveLesson(
        prompt="Three towers stand. Rows 2 and 3 are full. Which do you clear first?",
        board="wsg.. / FGWS. / ..FSG / ...fw",
        castle=Castle(floors=1, towers=(5, 2, 2), walls=1, residents=4),
        moves=("clear row 2", "clear row 3"),
        moral="The fourth tower is the last one, so let it be worth 5 [once_upon_a_castle/tower].",
        hints=(
            "There is room for one tower more. The other row still brings its flag.",
            "Row 2 draws a tower worth 5, row 3 one worth 2.",
        ),
        rules=("once_upon_a_castle/tower", "once_upon_a_castle/parts", "once_upon_a_castle/sun"),
    ),
    "flags-need-walls": MoveLesson(
        prompt="No wall stands yet. Row 1 and column 5 are full. Which do you clear first?",
        board="WSG.. / fgws. / ..fsG / ...fW",
        castle=Castle(towers=(2,)),
        moves=("clear row 1", "clear column 5"),
        moral="The wall carries the flag, so it comes first [once_upon_a_castle/flags].",
        hints=("Where would the flag go?", "A wall first, then the flag."),
        rules=("once_upon_a_castle/flags", "once_upon_a_castle/wall"),
    ),
    "residents-group": ScoreLesson(
        prompt=(
            "Twelve residents. They stand in groups of five, worth 1, 2, 4, 6 and more. "
            "What do they score?"
        ),
        castle=Castle(residents=12),
        totals=(2, 4, 7, 12),
        hints=(
            "Find the group in which the last resident stands.",
            "The twelfth stands in the third group. It need not be full.",
        ),
        rules=("once_upon_a_castle/score", "once_upon_a_castle/residents"),
    ),
    "score-sheet": ScoreLesson(
        prompt=(
            "A castle at the end: count it. The 17 residents stand in the fourth group, worth 6. "
            "The guests are worth 3 and 1. What is the score?"
        ),
        castle=Castle(
            floors=2,
            towers=(5, 5, 2, 2),
            walls=3,
            flags=(2, 1, 2),
            residents=17,
            guests=(Guest("visitor", 3), Guest("visitor", 1)),
            sun=True,
        ),
        totals=(28, 31, 33, 36, 44),
        hints=(
            "Towers, sun, residents, flags, guests: five numbers.",
            "The towers make 14, the flags 5.",
        ),
        rules=(
            "once_upon_a_castle/score",
            "once_upon_a_castle/sun",
            "once_upon_a_castle/floor-guest",
            "once_upon_a_castle/wall",
        ),
    ),
    "bolt": MoveLesson(
        prompt="You have drawn a floor. Which guest is worth most by the end of this turn?",
        board="fG.. / sw.. / wFg. / .SfG / ..ws",
        castle=Castle(floors=2, towers=(2,), walls=1, residents=3),
        moves=("guest logger", "guest miner", "guest bohemian"),
        shown=("logger", "miner", "bohemian"),
        steps=(("guest", ""),),
        moral="A Bolt guest acts at once: its token fills column 2 [once_upon_a_castle/bolt].",
        hints=(
            "Look for lines that miss one token only.",
            "Column 2 misses Wood, and it draws a tower worth 5.",
        ),
        rules=(
            "once_upon_a_castle/bolt",
            "once_upon_a_castle/guest-choice",
            "once_upon_a_castle/guest-logger",
            "once_upon_a_castle/guest-miner",
        ),
    ),
    "steal-and-guard": MoveLesson(
        prompt="You may steal a guest. Which one is worth most to you?",
        board="fg.. / sw.. / wfg. / .sfg / ..ws",
        castle=Castle(floors=1, towers=(5, 2), walls=1, residents=3),
        rivals=(
            Castle(floors=2, guests=guests_named("guard", "queen")),
            Castle(floors=1, guests=guests_named("princess")),
        ),
        moves=("steal queen", "steal princess", "steal guard"),
        steps=(("steal", ""),),
        moral="The princess counts your own towers from now on [once_upon_a_castle/steal].",
        hints=("Who lives beside the guard?", "The queen is protected. Count your towers."),
        rules=(
            "once_upon_a_castle/steal",
            "once_upon_a_castle/guest-guard",
            "once_upon_a_castle/guest-princess",
        ),
    ),
    "crown": MoveLesson(
        prompt="Three Crown guests are on show. Who counts most in your castle?",
        board="fg.. / sw.. / wfg. / .sfg / ..ws",
        castle=Castle(floors=2, towers=(5, 2, 2), walls=1, residents=3),
        moves=("guest jester", "guest prince", "guest princess"),
        shown=("jester", "prince", "princess"),
        steps=(("guest", ""),),
        moral=(
            "The princess brings a point for each of the three towers [once_upon_a_castle/crown]."
        ),
        hints=("One counts floors, one walls, one towers.", "Of which do you have the most?"),
        rules=(
            "once_upon_a_castle/crown",
            "once_upon_a_castle/guest-jester",
            "once_upon_a_castle/guest-prince",
            "once_upon_a_castle/guest-princess",
        ),
    ),
}


lesson = lesson_opener("once_upon_a_castle", LESSONS)
