"""Authored puzzles of CastleScape: the steps of the walk-through that ask for something."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from castlelab.authoring import Lesson, lesson_opener
from castlelab.games.castlescape.board import Board, read_square
from castlelab.games.castlescape.box import card
from castlelab.games.castlescape.picture import Gauge, board_scene, cards_scene
from castlelab.games.castlescape.puzzle_who_claims import BaileyClaim, claim_puzzle
from castlelab.games.castlescape.puzzles import (
    BuildWalls,
    FindSquares,
    GiveUp,
    Spots,
    best_levy,
    judge_walls,
    levy_puzzle,
    read_spots,
)
from castlelab.puzzles import ChooseOne, Code, Judgement, Puzzle, not_yet

if TYPE_CHECKING:
    from castlelab.draw.scene import Scene


@dataclass(frozen=True, slots=True, kw_only=True)
class FindLesson(Lesson):
    """Which squares are the bailey?"""

    site: str
    solution: str

    def puzzle(self, code: Code) -> Puzzle:
        ask, solution = FindSquares(Board.parse(self.site)), read_spots(self.solution)
        par = len(solution.squares)
        return self.asking(code, ask, solution=solution, par=par, judge=ask.judge, draw=ask.draw)


@dataclass(frozen=True, slots=True, kw_only=True)
class WallLesson(Lesson):
    """Walls to build with one card: they close a bailey of so many squares, or reach a goal.

    A goal says what is still missing, and nothing if it is reached.
    """

    site: str
    walls: int
    solution: str
    squares: int = 0  # to enclose
    inside: str = ""  # a square whose leak is shown as long as nothing is closed
    goal: Callable[[Board], str] | None = None
    praise: str = ""

    @property
    def ask(self) -> BuildWalls:
        """What the walls are built on."""
        return BuildWalls(Board.parse(self.site), self.walls)

    def judge(self, spots: Spots) -> Judgement:
        """Judge walls: are they allowed, and do they do what was asked for?"""
        ask = self.ask
        if self.squares:
            closed = judge_walls(ask, self.squares, spots, read_square(self.inside))
            if not closed or self.goal is None:
                return closed
        if len(spots.squares) > ask.walls:
            return Judgement(False, f"The card gives {ask.walls}; build no more.")
        verdict = ask.check(spots.squares)
        if not verdict:
            return not_yet(verdict, "These walls may not be built.")
        missing = self.goal(ask.board.build(spots.squares)) if self.goal else ""
        return Judgement(not missing, missing or self.praise)

    def puzzle(self, code: Code) -> Puzzle:
        ask, solution = self.ask, read_spots(self.solution)
        return self.asking(
            code,
            ask,
            solution=solution,
            par=self.squares or len(solution.squares),
            judge=self.judge,
            draw=partial(ask.draw, leaking=read_square(self.inside) if self.inside else None),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimLesson(Lesson):
    """Who claims the bailey?"""

    site: str
    square: str
    players: int

    def puzzle(self, code: Code) -> Puzzle:
        claim = BaileyClaim(Board.parse(self.site), read_square(self.square))
        found = claim_puzzle(code, claim, self.players)
        return replace(found, hints=self.hints, rules=self.rules)


@dataclass(frozen=True, slots=True, kw_only=True)
class LevyLesson(Lesson):
    """Which recruits does the first player give up?"""

    site: str
    infamy: int

    def puzzle(self, code: Code) -> Puzzle:
        ask = GiveUp(Board.parse(self.site), 0, self.infamy)
        found = levy_puzzle(code, ask, best_levy(ask.board, 0, ask.infamy))
        return replace(found, hints=self.hints, rules=self.rules)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceLesson(Lesson):
    """A question with answers to choose from; the first one is right."""

    options: tuple[tuple[str, str], ...]  # what is typed, what is shown
    why: str
    shown: tuple[int, ...] = ()  # the order in which the answers are offered
    site: str = ""
    cards: tuple[str, ...] = ()
    levels: tuple[Gauge, ...] = ()

    def judge(self, answer: str) -> Judgement:
        """Judge an answer, and say why."""
        right = answer == self.options[0][0]
        return Judgement(right, f"{'Right.' if right else 'No.'} {self.why} [{self.rules[0]}]")

    def draw(self, answer: str | None) -> Scene:
        """What the question is about, and the answer above it."""
        words = dict(self.options)[answer] if answer else ""
        if not self.site:
            return cards_scene([card(name) for name in self.cards], self.levels, title=words)
        # The picture of a bailey tells its size and influence: that comes with the answer.
        return board_scene(Board.parse(self.site), title=words, baileys=bool(words))

    def puzzle(self, code: Code) -> Puzzle:
        order = self.shown or range(len(self.options))
        return self.asking(
            code,
            ChooseOne(tuple(self.options[at] for at in order)),
            start=self,
            solution=self.options[0][0],
            par=1,
            judge=self.judge,
            draw=self.draw,
        )


# -- goals -----------------------------------------------------------------------------------


def _both_up(board: Board) -> str:
    left = board.ground[0].bit_count()
    if not left:
        return ""
    return "A recruit is still on the ground." if left == 1 else "Both are still on the ground."


def _all_three(board: Board) -> str:
    built = board.walls.bit_count() - 1
    return "" if built == 3 else f"Every wall is allowed. Build three, not {built}."


def _first_player_leads(board: Board) -> str:
    (bailey,) = board.baileys()
    if bailey.leaders == (0,):
        return ""
    mine, rival = bailey.influence[:2]
    return f"The bailey is closed, but you have {mine} influence there against {rival}."


LESSONS: dict[str, FindLesson | WallLesson | ClaimLesson | LevyLesson | ChoiceLesson] = {
    # -- walls ---------------------------------------------------------------------------------
    "first-bailey": FindLesson(
        prompt="One of these two courts is a bailey: closed all round, corners included. Which?",
        site="......./.####../.#..###/.#..#.#/.####.#/....#.#/....##.",
        solution="c3 d3 c4 d4",
        hints=(
            "Go round each court, and look at every corner.",
            "The narrow court is open at its lower right corner.",
        ),
        rules=("castlescape/bailey",),
    ),
    "three-walls": WallLesson(
        prompt=(
            "A Ramparts card gives three walls. Build all of them: the first beside a wall that "
            "stands, and the three in one piece."
        ),
        site="......./......./......./...#.../......./......./.......",
        walls=3,
        solution="e4 f4 f3",
        goal=_all_three,
        praise="Three walls, side by side.",
        hints=(
            "A corner is not enough: walls go on where they share a side.",
            "Begin right of the first wall, and go on from there.",
        ),
        rules=(
            "castlescape/wall-adjacent",
            "castlescape/wall-contiguous",
            "castlescape/first-wall",
        ),
    ),
    "no-block": WallLesson(
        prompt="Close this court with three walls. No four walls may fill a block.",
        site="......./.####../.#..#../.##.#../......./......./.......",
        walls=3,
        solution="c5 d5 e5",
        squares=3,
        inside="d4",
        hints=(
            "Three squares of ground are to be enclosed, so the walls go below them.",
            "Leave b5 free: with it, four walls would stand in a block.",
        ),
        rules=("castlescape/no-two-by-two", "castlescape/bailey"),
    ),
    # -- baileys -------------------------------------------------------------------------------
    "corner": WallLesson(
        prompt="This court leaks. Stop the leak with one wall.",
        site="......./.####../.#..#../.#..#../.###.../......./.......",
        walls=1,
        solution="e5",
        squares=4,
        inside="c3",
        hints=(
            "All sides are closed. How does one get out?",
            "Squares also connect through corners. One corner has no wall.",
        ),
        rules=("castlescape/bailey", "castlescape/wall-adjacent"),
    ),
    "one-or-two": FindLesson(
        prompt="Is it one bailey or two? Choose all squares of one bailey.",
        site="......./.###.../.#.##../.##.#../..###../......./.......",
        solution="c3 d4",
        hints=(
            "The two open squares inside touch.",
            "They touch at a corner, and that is enough to belong together.",
        ),
        rules=("castlescape/bailey",),
    ),
    "edge": FindLesson(
        prompt="One court lies at the edge of the site. Choose the squares of the bailey.",
        site="#..#.../#..####/####..#/...#..#/...####/......./.......",
        solution="e3 f3 e4 f4",
        hints=("The edge of the site is not a wall.", "The upper court is open to the edge."),
        rules=("castlescape/bailey",),
    ),
    "bailey-in-bailey": ChoiceLesson(
        prompt="The small bailey was complete before. How many squares does the large one score?",
        site="#######/#.....#/#.###.#/#.#.#.#/#.###.#/#..#..#/#######",
        options=(("15", "15"), ("16", "16"), ("25", "25")),
        shown=(2, 0, 1),
        why="Only its own open ground counts: no walls, and no square that scored before.",
        hints=(
            "Walls inside do not score, and a square scores only once.",
            "Count the open squares between the two rings.",
        ),
        rules=("castlescape/bailey-score",),
    ),
    # -- influence and claiming ----------------------------------------------------------------
    "influence": ClaimLesson(
        site="......./.A#B#../.#..#../.#b.#../.A##B../......./.......",
        square="c3",
        players=2,
        hints=(
            "A recruit on a wall of the bailey is worth 2, one on its ground 1.",
            "Each has two on the walls. Who has more than that?",
        ),
        rules=("castlescape/influence", "castlescape/bailey-score"),
    ),
    "outside": ClaimLesson(
        site="......./.A#B#BB/.#a.#../.#..#../.####../......./.......",
        square="c3",
        players=2,
        hints=(
            "A wall counts if it touches the bailey, at a side or a corner.",
            "Two of the recruits stand on walls that only lead away from it.",
        ),
        rules=("castlescape/influence",),
    ),
    "inside": ClaimLesson(
        site="......./.#####./.#.a.#./.##B.#./.#...#./.#####./.......",
        square="c3",
        players=2,
        hints=(
            "A wall inside the bailey touches it as well.",
            "Compare a recruit on the ground with one on a wall.",
        ),
        rules=("castlescape/influence",),
    ),
    "tie": ClaimLesson(
        site="......./.A#B#../.#..#../.#.##../.###.../......./.......",
        square="c3",
        players=2,
        hints=("Count both, and do not look for a winner.", "2 against 2: who is first then?"),
        rules=("castlescape/bailey-score",),
    ),
    "share": ChoiceLesson(
        prompt="Two players tie in a bailey of 5 squares. How much Renown does each of them score?",
        site="......./.A#B#../.#..#../.#..#../.##.#../..###../.......",
        options=(("2", "2"), ("3", "3"), ("5", "5"), ("0", "0: a tie scores nothing")),
        shown=(3, 0, 1, 2),
        why="All who tie claim the bailey, and they share its Renown, rounded down.",
        hints=("They share.", "Half of 5, rounded down."),
        rules=("castlescape/bailey-score",),
    ),
    # -- recruits ------------------------------------------------------------------------------
    "climb": WallLesson(
        prompt="You are Blue. With three walls of one card, get both your recruits onto walls.",
        site="......./......./.....a./...#a../......./......./.......",
        walls=3,
        solution="e4 f4 f3",
        goal=_both_up,
        praise="A wall lifts whoever stands there. Both recruits are worth 2 now.",
        hints=(
            "A wall may be built where a recruit stands.",
            "Begin under the recruit beside the wall, and go on to the other one.",
        ),
        rules=("castlescape/wall-under-recruit", "castlescape/wall-contiguous"),
    ),
    "lifted": WallLesson(
        prompt="You are Blue. Close the court with one wall, and have most influence in it.",
        site="......./.####../.#b.###/.#..a../.######/......./.......",
        walls=1,
        solution="e4",
        squares=4,
        inside="c3",
        goal=_first_player_leads,
        praise="Your recruit was lifted: 2 on the wall against 1 on the ground.",
        hints=(
            "There are several places to close the passage. Where does your recruit stand?",
            "On the ground it is worth 1, like Orange's. On a wall it would be worth 2.",
        ),
        rules=(
            "castlescape/wall-under-recruit",
            "castlescape/influence",
            "castlescape/bailey-score",
        ),
    ),
    "walls-first": ChoiceLesson(
        prompt="You have played Stone Walls and Train Apprentice. In which order do you use them?",
        options=(
            ("walls", "First all walls, then the recruits"),
            ("recruits", "First all recruits, then the walls"),
            ("any order", "In any order"),
        ),
        shown=(1, 2, 0),
        cards=("Stone Walls", "Train Apprentice"),
        why="After the first recruit of a turn nothing is built, unless a card makes an exception.",
        hints=(
            "What would be too easy: to position a recruit and lift it in the same turn?",
            "Building comes first.",
        ),
        rules=("castlescape/walls-first", "castlescape/position"),
    ),
    # -- cards ---------------------------------------------------------------------------------
    "back-alley": ChoiceLesson(
        prompt="You play Clumsy Thief, a card with a penalty. When does the penalty count?",
        options=(
            ("later", "Later: when you reshuffle, or when something triggers it"),
            ("at once", "At once"),
            ("never", "Never, if you discard the card"),
        ),
        shown=(1, 2, 0),
        cards=("Clumsy Thief",),
        why="The card waits in your Back Alley until you reshuffle, or until the end.",
        hints=(
            "At the end of the turn the card does not go to your discards.",
            "It waits in your Back Alley. What empties the Back Alley?",
        ),
        rules=("castlescape/penalty", "castlescape/cleanup", "castlescape/reshuffle"),
    ),
    "reshuffle": ChoiceLesson(
        prompt="You must draw five cards, and your deck has two. What comes first?",
        options=(
            ("draw two", "Draw the two that are left"),
            ("shuffle", "Shuffle the discards under the deck"),
            ("stop", "Draw two, and no more this turn"),
        ),
        shown=(1, 0, 2),
        levels=(Gauge("Deck", 2, 10), Gauge("Discards", 6, 10), Gauge("Back Alley", 2, 10)),
        why="Then take your Back Alley's penalties, shuffle all discards, and draw three more.",
        hints=(
            "The deck is not empty yet.",
            "Only an empty deck is made anew, and the Back Alley pays for it.",
        ),
        rules=("castlescape/reshuffle",),
    ),
    "market": ChoiceLesson(
        prompt="You have played cards for 6 gold. What may you buy?",
        options=(
            ("several", "Several cards, as long as they cost 6 or less in all"),
            ("one card", "One card that costs 6 or less"),
            ("saved", "Nothing, to have more gold next turn"),
        ),
        shown=(1, 2, 0),
        cards=("Craftsman's Shop", "Hire a Fence", "Market Stall"),
        why="Gold of a turn is pooled. What is not spent is lost, and you need not spend it.",
        hints=("Gold does not keep.", "There is no limit to the number of purchases in a turn."),
        rules=("castlescape/buy", "castlescape/use-or-return", "castlescape/market"),
    ),
    "on-purchase": ChoiceLesson(
        prompt="You acquire a card for nothing that says what happens on purchase. Does it happen?",
        options=(
            ("yes", "It happens, at once and only now"),
            ("no", "It does not: nothing was paid"),
            ("when played", "It happens each time the card is played"),
        ),
        shown=(1, 2, 0),
        cards=("Royal Charter",),
        why="An acquired card counts as purchased; it only costs nothing.",
        hints=("What does 'acquire' save you?", "Only the gold."),
        rules=("castlescape/on-purchase", "castlescape/acquire"),
    ),
    # -- contracts and goals -------------------------------------------------------------------
    "goal": ChoiceLesson(
        prompt="In your turn the conditions of two goals hold. What may you take?",
        options=(
            ("one", "One of them"),
            ("both", "Both"),
            ("neither", "None before the end of the game"),
        ),
        shown=(1, 0, 2),
        levels=(Gauge("First Stones", 1, 1), Gauge("Manned Walls", 4, 4)),
        why="You may take a single goal in a turn. The other may be gone before your next one.",
        hints=("Goals score at once, contracts at the end.", "There is a limit for each turn."),
        rules=("castlescape/goal", "castlescape/contract"),
    ),
    # -- inspections ---------------------------------------------------------------------------
    "quarry": ChoiceLesson(
        prompt="Your wall was the last one of the Quarry, and your card gives two more. What now?",
        options=(
            ("supply", "Build them from the supply; the King inspects at the end of the turn"),
            ("forfeit", "They are forfeited; the King inspects at the end of the turn"),
            ("inspect", "The King inspects at once, then you build on"),
        ),
        shown=(1, 2, 0),
        cards=("Ramparts",),
        levels=(Gauge("Quarry", 0, 18),),
        why="The turn goes on as usual, and the Inspection is part of the clean-up.",
        hints=("An Inspection never interrupts a turn.", "Walls themselves never run out."),
        rules=("castlescape/inspection-trigger",),
    ),
    "inspection": LevyLesson(
        site="......./.###.a./.#.#A../.A##.../......./......./.......",
        infamy=3,
        hints=(
            "Which recruits count in no bailey?",
            "One on a wall and one on the ground are worth 3 together.",
        ),
        rules=("castlescape/inspection", "castlescape/occupation"),
    ),
    "occupation": LevyLesson(
        site="......./A###A#A/#a#.#b#/B##.###/......./......./.......",
        infamy=2,
        hints=(
            "You lead in both baileys. By how much?",
            "On the right you lead 4 against 1, so you can spare a recruit there.",
        ),
        rules=("castlescape/occupation", "castlescape/inspection"),
    ),
    "infamy-after": ChoiceLesson(
        prompt="An Inspection is over. Your Infamy was 2, your Corruption is 4. What is it now?",
        options=(("4", "Infamy 4"), ("0", "Infamy 0"), ("2", "Infamy 2")),
        shown=(1, 2, 0),
        levels=(Gauge("Infamy", 2, 10), Gauge("Corruption", 4, 10)),
        why="Infamy becomes equal to Corruption, even if that is more than before.",
        hints=("It is not a pardon.", "Corruption is what Infamy falls back to, or rises to."),
        rules=("castlescape/inspection",),
    ),
    "over-ten": ChoiceLesson(
        prompt="Your Infamy is 9, and a reshuffle adds 3. What happens?",
        options=(
            ("two influence", "You give up recruits worth 2 at once; Infamy stays at 10"),
            ("twelve", "Infamy rises to 12"),
            ("nothing", "Infamy stays at 10, and nothing else happens"),
        ),
        shown=(1, 0, 2),
        levels=(Gauge("Infamy", 9, 10),),
        why="Whatever goes beyond 10 costs as much influence, at once.",
        hints=("The track ends at 10.", "9 + 3 is 2 too many."),
        rules=("castlescape/over-ten",),
    ),
    # -- the end -------------------------------------------------------------------------------
    "end": ChoiceLesson(
        prompt="Three play. The second player empties the Quarry for the last time. Who goes on?",
        options=(
            ("third", "The third player has a turn, then comes the Final Inspection"),
            ("all", "Everybody has one more turn"),
            ("nobody", "Nobody: the Final Inspection comes at once"),
        ),
        shown=(1, 2, 0),
        levels=(Gauge("Quarry", 0, 24),),
        why="All are to have the same number of turns, so the round is finished, and no more.",
        hints=("All players get equally many turns.", "Who has not had a turn in this round?"),
        rules=("castlescape/final-round",),
    ),
    "final-score": ChoiceLesson(
        prompt=(
            "You have 20 Renown, contracts fulfilled for 7, cards with 3 Renown in your deck, and "
            "Corruption 4. What is your final score?"
        ),
        options=(("26", "26"), ("30", "30"), ("34", "34"), ("23", "23")),
        shown=(3, 0, 1, 2),
        levels=(
            Gauge("Renown", 20, 20),
            Gauge("Contracts", 7, 20),
            Gauge("Cards", 3, 20),
            Gauge("Corruption", 4, 10),
        ),
        why="20 + 7 + 3 - 4 = 26: contracts and cards are added, Corruption is taken off.",
        hints=("Corruption costs Renown at the end.", "20 + 7 + 3, and then?"),
        rules=("castlescape/final-score", "castlescape/contract"),
    ),
}


lesson = lesson_opener("castlescape", LESSONS)
