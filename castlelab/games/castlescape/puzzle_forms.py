"""What a puzzle of CastleScape can ask for: a bailey, walls, a claim, a levy, or an answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import chain, islice
from math import comb
from typing import TYPE_CHECKING, ClassVar

from castlelab.authoring import Lesson, drafter, puzzle_maker
from castlelab.game import SEAT_NAMES
from castlelab.games.castlescape.board import (
    LARGEST_SIDE,
    PLAYERS,
    Bailey,
    Bits,
    Board,
    read_square,
)
from castlelab.games.castlescape.box import card
from castlelab.games.castlescape.card import Card
from castlelab.games.castlescape.count import (
    best_rectangle,
    fewest_walls,
    largest_bailey,
    walls_round,
)
from castlelab.games.castlescape.picture import Gauge, board_scene, cards_scene
from castlelab.games.castlescape.puzzle_who_claims import BaileyClaim, claim_answer, claim_puzzle
from castlelab.games.castlescape.puzzles import (
    BuildWalls,
    FindSquares,
    GiveUp,
    Levy,
    Spots,
    best_levy,
    bonuses,
    card_walls,
    decoys,
    in_turn,
    judge_levy,
    judge_walls,
    largest_new,
    leak_breach,
    levy_puzzle,
    read_spots,
)
from castlelab.grid import Square
from castlelab.puzzles import ChooseOne, Code, Judgement, Puzzle
from castlelab.rules import CastlelabError, counted, either, listed, quoted, whole_number

if TYPE_CHECKING:
    from castlelab.draw.scene import Scene

_TRIED = 20_000  # ways to build, before a search gives up
_LOOKED_AT = 100_000  # baileys, for all the choices of a levy
_MOST_WALLS = 40
_MOST_SQUARES = (LARGEST_SIDE - 2) ** 2
_MOST_INFAMY = 10
_MOST_OPTIONS, _LONGEST_OPTION = 8, 120
_MOST_CARDS, _MOST_GAUGES = 3, 8  # as many as are legible in one picture
_GAUGE = re.compile(r"(\S.{0,19}?) +([0-9]{1,2})/([1-9][0-9]?)")

_read_site = lru_cache(maxsize=64)(Board.parse)
Way = tuple[Board, tuple[Bits, ...]]  # the site after some walls, and these walls in order


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteLesson(Lesson):
    """A question about a site."""

    site: str

    @property
    def board(self) -> Board:
        """The site as a board."""
        return _read_site(self.site)

    def place(self, name: str) -> Square:
        """The square of this site that an argument of that name means."""
        square, board = read_square(getattr(self, name)), self.board
        if square[0] >= board.grid.rows or square[1] >= board.grid.columns:
            size = f"{board.grid.rows} rows and {board.grid.columns} columns"
            raise CastlelabError(f"{name} is {getattr(self, name)}, and the site has {size}")
        return square


@dataclass(frozen=True, slots=True, kw_only=True)
class FindLesson(SiteLesson):
    """all its squares are to be chosen, on a ``site``.

    Any bailey will do, or only one of so many ``squares`` or more. A ``goal`` is a function of
    the :class:`Bailey`.

    >>> from castlelab.games import castlescape
    >>> leaks = "..... / .###. / .#.#. / .##.. / ....."
    >>> castlescape.puzzle("Which squares are the bailey?", site=leaks)
    Traceback (most recent call last):
    castlelab.rules.CastlelabError: this cannot be solved: there is no bailey on this site. \
From c3 one gets to the edge at e4, through the corner between c3 and d4.
    >>> closed = castlescape.Board.parse(leaks).build("d4")
    >>> str(castlescape.puzzle("Which squares are the bailey?", site=closed).solution)
    'c3'
    """

    about: ClassVar = "a bailey to find"
    usual_rules: ClassVar = ("castlescape/bailey",)

    squares: int = 0

    @property
    def ask(self) -> FindSquares:
        """Where it is to be found."""
        whole_number(self.squares, "the squares of a bailey go", 0, _MOST_SQUARES)
        return FindSquares(self.board)

    def puzzle(self, code: Code) -> Puzzle:
        ask, solution = self.ask, read_spots(self.solution or self.find_solution())
        par = len(solution.squares)
        return self.asking(code, ask, solution=solution, par=par, judge=self.judge, draw=self.draw)

    def judge(self, spots: Spots) -> Judgement:
        """Judge squares: are they a bailey, and the one that was asked for?"""
        found = self.ask.judge(spots)
        if not found:
            return found
        chosen = self.board.grid.bits(spots.squares)
        lacking = self._lacking(Bailey(chosen, self.board))
        return Judgement(not lacking, lacking or found.message)

    def draw(self, spots: Spots | None) -> Scene:
        """The squares that are chosen; no bailey is given away before it is solved."""
        return self.ask.draw(spots, solved=spots is not None and bool(self.judge(spots)))

    def _lacking(self, bailey: Bailey) -> str:
        if bailey.size < self.squares:
            size = counted(bailey.size, "square")
            return f"A bailey of {size}, that is right. Find one of {self.squares}."
        return self.missing(bailey)

    def find_solution(self) -> str:
        """The first bailey that will do."""
        baileys = self.board.baileys()
        for bailey in baileys:
            if not self._lacking(bailey):
                return str(Spots(tuple(self.board.grid.squares(bailey.bits))))
        raise CastlelabError(f"this cannot be solved: {self._why_not(baileys)}")

    def _why_not(self, baileys: tuple[Bailey, ...]) -> str:
        if not baileys:
            seeming = decoys(self.board)
            where = next(self.board.grid.squares(seeming[0])) if seeming else None
            leak = f". {leak_breach(self.board, where).message}" if where else ""
            return f"there is no bailey on this site{leak}"
        most = max(bailey.size for bailey in baileys)
        if most < self.squares:
            size = counted(most, "square")
            return f"the largest bailey of this site has {size}, and {self.squares} are asked for"
        return "no bailey of this site reaches the goal"


@dataclass(frozen=True, slots=True, kw_only=True)
class WallLesson(SiteLesson):
    """on a ``site``, with a card that gives so many ``walls``.

    It is solved by walls that close a bailey of so many ``squares``, after which the ``player``
    (Blue, if no other is named) ``leads`` in so many baileys, or has every recruit ``lifted``
    onto a wall, or by building ``all_walls``: by all that is named. If nothing is, they are to
    close the largest bailey. A ``goal`` is a function of the :class:`Board` after the walls. The
    leak of the square ``inside`` is shown as long as nothing is closed; who does it hears the
    ``praise``.

    >>> from castlelab.games import castlescape
    >>> site = "....... / .####.. / .#..#.. / .##.... / ..##... / ....... / ......."
    >>> made = castlescape.puzzle("Close the court with two walls.", site=site, walls=2)
    >>> str(made.solution), made.par
    ('e4 e5', 3)
    >>> castlescape.puzzle("And with four squares?", site=site, walls=2, squares=4)
    Traceback (most recent call last):
    castlelab.rules.CastlelabError: this cannot be solved: 2 walls close a bailey of 3 squares \
at most here, and 4 are asked for
    """

    about: ClassVar = "walls to build"

    walls: int
    squares: int = 0
    leads: int = 0
    lifted: bool = False
    all_walls: bool = False
    player: str = SEAT_NAMES[0]
    inside: str = ""
    praise: str = ""

    @property
    def ask(self) -> BuildWalls:
        """What the walls are built on."""
        whole_number(self.walls, "the walls of a card go", 1, _MOST_WALLS)
        whole_number(self.squares, "the squares of a bailey go", 0, _MOST_SQUARES)
        whole_number(self.leads, "the baileys to lead in go", 0, _MOST_SQUARES)
        return BuildWalls(self.board, self.walls)

    @property
    def is_open(self) -> bool:
        """Whether nothing is asked for but the largest bailey."""
        asked = self.squares or self.leads or self.lifted or self.all_walls
        return not asked and self.goal is None

    @property
    def closes(self) -> bool:
        """Whether a bailey is to be closed."""
        return self.is_open or bool(self.squares)

    @property
    def least(self) -> int:
        """How many squares are to be enclosed; as many as the solution does, where it is open."""
        return self._court().bit_count() if self.is_open else self.squares

    @property
    def leaking(self) -> Square | None:
        """The square whose leak is shown: one that the solution closes in, if none is named."""
        if self.inside:
            return self.place("inside")
        return next(self.board.grid.squares(self._court()), None) if self.closes else None

    def _court(self) -> Bits:
        """The largest court that the solution closes."""
        squares = read_spots(self.solution).squares
        if not self.board.check_walls(squares):
            return 0
        after, before = self.board.build(squares), self.board.courts()
        return max((it for it in after.courts() if it not in before), key=int.bit_count, default=0)

    @property
    def practised(self) -> tuple[str, ...]:
        """The rules that such a question practises."""
        asked = {
            "bailey": self.closes,
            "influence": self.leads,
            "wall-under-recruit": self.lifted,
            "wall-contiguous": True,
            "wall-adjacent": True,
        }
        return tuple(f"castlescape/{name}" for name, is_asked in asked.items() if is_asked)

    def puzzle(self, code: Code) -> Puzzle:
        ask, solution = self.ask, read_spots(self.solution)
        return self.asking(
            code,
            ask,
            solution=solution,
            par=self.least or len(solution.squares),
            rules=self.practised,
            judge=self.judge,
            draw=partial(ask.draw, leaking=self.leaking),
        )

    def judge(self, spots: Spots) -> Judgement:
        """Judge walls: are they allowed, and do they do what was asked for?"""
        ask = self.ask
        allowed = ask.judge(spots)
        if self.closes:
            allowed = judge_walls(ask, self.least, spots, self.leaking)
        if not allowed:
            return allowed
        after = ask.board.build(spots.squares)
        lacking = self._lacking(after)
        size = counted(largest_new(ask.board.courts(), after), "square")
        done = (
            f"A bailey of {size}, closed all round." if self.closes else "That is what was asked."
        )
        return Judgement(not lacking, lacking or self.praise or done)

    def _lacking(self, after: Board) -> str:
        """What walls that are allowed do not do yet, besides closing a bailey."""
        player, built = _seat(self.player), (after.walls & ~self.board.walls).bit_count()
        if self.all_walls and built < self.walls:
            return f"Every wall is allowed. Build all {self.walls}, not {built}."
        low = after.ground[player].bit_count()
        if self.lifted and low:
            return f"{counted(low, 'recruit is', 'recruits are')} still on the ground."
        if bonuses(after, player) < self.leads:
            return self._not_led(after, player)
        return self.missing(after)

    def _not_led(self, after: Board, player: int) -> str:
        """Where the player does not lead, and why."""
        for bailey in after.baileys():
            if bailey.leaders != (player,):
                influence = [*bailey.influence]
                mine = influence.pop(player)
                where = after.names(bailey.bits)[0]
                return (
                    f"The bailey at {where} is closed, but you have {mine} influence there "
                    f"against {max(influence)}."
                )
        led = counted(len(after.baileys()), "bailey")
        return f"You lead in {led}. Lead in {self.leads}."

    # -- the search ------------------------------------------------------------------------

    def find_solution(self) -> str:
        """Walls that do it: rings round new courts first, then all that the card can build."""
        self._refuse_too_few()
        enough = self._bound if self.is_open else self.squares
        most, best = 0, tuple[Bits, ...]()
        for size, order in self._sized(chain(self._rings(enough), self._ways())):
            if size >= enough:
                return str(Spots(in_turn(self.board, order)))
            if size > most:
                most, best = size, order
        if not (self.is_open and most and self._is_whole()):
            raise CastlelabError(self._why_not())
        return str(Spots(in_turn(self.board, best)))

    @property
    def _walls_in_all(self) -> int:
        return self.board.walls.bit_count() + self.ask.walls

    @property
    def _room(self) -> int:
        """How many squares do not lie at the edge of the site."""
        return max(self.board.grid.rows - 2, 0) * max(self.board.grid.columns - 2, 0)

    @property
    def _bound(self) -> int:
        """No bailey is larger, wherever these walls stand."""
        return min(largest_bailey(self._walls_in_all), self._room)

    def _ways(self) -> Iterator[Way]:
        return islice(card_walls(self.board, self.ask.walls), _TRIED)

    def _is_whole(self) -> bool:
        """Whether all that the card can build was tried."""
        ways = card_walls(self.board, self.walls)
        return next(islice(ways, _TRIED, None), None) is None

    def _sized(self, ways: Iterator[Way]) -> Iterator[tuple[int, tuple[Bits, ...]]]:
        """The ways that do what is asked for, each with the size of the bailey that it closes."""
        before = self.board.courts()
        for after, order in ways:
            if not self._lacking(after):
                yield largest_new(before, after), order

    def _rings(self, squares: int) -> Iterator[Way]:
        """Walls round a court of so many squares, as square as can be, wherever it fits."""
        if not squares:
            return
        columns = best_rectangle(squares)[1]
        court = [divmod(at, columns) for at in range(squares)]
        grid = self.board.grid
        for turned in (court, [(column, row) for row, column in court]):
            ring = walls_round(turned)
            height, width = (max(at[axis] for at in ring) for axis in (0, 1))
            for down in range(1, grid.rows - height):
                for right in range(1, grid.columns - width):
                    moved = ((row + down, column + right) for row, column in ring)
                    yield from self._built(grid.bits(moved) & ~self.board.walls)

    def _built(self, wanted: Bits) -> Iterator[Way]:
        """The way to build these walls with the card, if there is one."""
        after, built = self.board, 0
        order: tuple[Bits, ...] = ()
        if wanted.bit_count() > self.walls:
            return
        while spots := after.wall_spots(built) & wanted:
            bit = spots & -spots
            after, built, order = after.with_wall(bit), built | bit, (*order, bit)
        if built == wanted:
            yield after, order

    def _refuse_too_few(self) -> None:
        """Refuse what no walls can do, wherever they stand."""
        least = max(self.squares, int(self.closes))
        bailey = f"this cannot be solved: a bailey of {counted(least, 'square')}"
        if least > self._room:
            size = f"{self.board.grid.rows} rows and {self.board.grid.columns} columns"
            raise CastlelabError(f"{bailey} does not fit into {size}: at the edge nothing counts")
        if least and fewest_walls(least) > self._walls_in_all:
            raise CastlelabError(
                f"{bailey} takes {fewest_walls(least)} walls, and with the {self.walls} of the "
                f"card there are {self._walls_in_all}"
            )

    def _why_not(self) -> str:
        """Why no walls were found, and what would help."""
        ways = [*self._ways()]
        if not ways:
            return "this cannot be solved: no wall may be built here, beside one that stands"
        if not self._is_whole():
            return (
                f"there are more than {_TRIED:,} ways to build here, and not all were tried; "
                "name one that does it with solution=…"
            )
        most = max(largest_new(self.board.courts(), after) for after, _ in ways)
        if self.closes and most < max(self.squares, 1):
            closed = f"a bailey of {counted(most, 'square')} at most" if most else "no bailey"
            asked = f", and {self.squares} are asked for" if self.squares and most else ""
            walls = counted(self.walls, "wall closes", "walls close")
            return f"this cannot be solved: {walls} {closed} here{asked}"
        tried = counted(len(ways), "way")
        return f"this cannot be solved: nothing that is built here does all of it ({tried} tried)"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimLesson(SiteLesson):
    """who claims the bailey at this ``square`` of a ``site``?

    There are as many ``players`` to choose from as have recruits, if no number is named.

    >>> from castlelab.games import castlescape
    >>> site = "..... / .A#B. / .#a#. / .###. / ....."
    >>> print(castlescape.puzzle("Who claims it?", site=site, square="c3").check("blue"))
    Right. Influence: Blue has 3 and Orange has 2. That scores 1 Renown for each who claims it.
    """

    about: ClassVar = "a claim to judge"

    square: str
    players: int = 0

    @property
    def claim(self) -> BaileyClaim:
        """The bailey that is meant."""
        board, square = self.board, self.place("square")
        if not any(square in bailey.squares for bailey in board.baileys()):
            at = [board.names(bailey.bits)[0] for bailey in board.baileys()]
            others = f"there is one at {either(at)}" if at else "there is none on this site"
            raise CastlelabError(f"there is no bailey at {self.square}; {others}")
        return BaileyClaim(board, square)

    def puzzle(self, code: Code) -> Puzzle:
        _refuse_goal(self, "the rules say who claims a bailey")
        found = claim_puzzle(code, self.claim, self._number_of_players())
        solution = found.read(self.solution) if self.solution else found.solution
        return self.dressed(replace(found, solution=solution))

    def _number_of_players(self) -> int:
        board = self.board
        there = max([0, *(seat + 1 for seat in range(PLAYERS) if board.recruits(seat))])
        if not self.players:
            return max(there, 2)
        players = whole_number(self.players, "players go", 2, PLAYERS)
        if players < there:
            raise CastlelabError(
                f"players is {players}, and recruits of {SEAT_NAMES[there - 1]} are on the site"
            )
        return players

    def find_solution(self) -> str:
        return claim_answer(self.claim.bailey)


@dataclass(frozen=True, slots=True, kw_only=True)
class LevyLesson(SiteLesson):
    """which recruits does a ``player`` give up to the King, for so much ``infamy``?

    It is Blue who pays, if no other is named. It is solved by a choice after which the player
    leads in as many baileys as can be. A ``goal`` is a function of the :class:`Board` that is
    left; then only choices that reach it count.
    """

    about: ClassVar = "a levy to pay"

    infamy: int
    player: str = SEAT_NAMES[0]

    @property
    def ask(self) -> GiveUp:
        """Who has to pay, and how much; an error if that cannot be."""
        infamy = whole_number(self.infamy, "Infamy goes", 1, _MOST_INFAMY)
        board, player = self.board, _seat(self.player)
        if board.influence(player) < infamy:
            raise CastlelabError(
                f"this cannot be solved: the recruits of {SEAT_NAMES[player]} are worth "
                f"{board.influence(player)}, and the King asks for {infamy}"
            )
        recruits = board.recruits(player)
        choices = sum(comb(recruits, number) for number in range(1, infamy + 1))
        if choices * (1 + len(board.courts())) > _LOOKED_AT:
            raise CastlelabError(
                f"{recruits} recruits can be given up in {choices:,} ways for an Infamy of "
                f"{infamy}: too many to try; use fewer recruits or less Infamy"
            )
        return GiveUp(board, player, infamy)

    @property
    def best(self) -> Levy:
        """The best choice; an error if there is none, or if all are as good."""
        ask = self.ask
        found = best_levy(ask.board, ask.player, ask.infamy, lambda left: not self.missing(left))
        if not found.choices:
            raise CastlelabError("this cannot be solved: no choice reaches the goal")
        if not found.bonus and self.goal is None:
            raise CastlelabError(
                f"{SEAT_NAMES[ask.player]} leads in no bailey, whatever is given up: "
                "there is nothing to choose"
            )
        return found

    def puzzle(self, code: Code) -> Puzzle:
        ask, best = self.ask, self.best
        solution = read_spots(self.solution) if self.solution else Spots(best.recruits)
        found = levy_puzzle(code, ask, best)
        judge = partial(self.judge, best.bonus)
        return self.dressed(replace(found, solution=solution, judge=judge))

    def judge(self, par: int, spots: Spots) -> Judgement:
        """Judge which recruits are given up."""
        ask = self.ask
        paid = judge_levy(ask, par, spots)
        given = ask.board.grid.bits(spots.squares)
        lacking = self.missing(ask.board.without_recruit(ask.player, given)) if paid else ""
        return Judgement(False, lacking) if lacking else paid

    def find_solution(self) -> str:
        return str(Spots(self.best.recruits))


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceLesson(Lesson):
    """with ``options`` to choose from, of which the ``answer`` is right; the ``why`` is told then.

    An option may begin with what one types for it: ``"walls | First all walls"``. The question is
    about a ``site``, or about ``cards`` by their names and ``gauges`` such as ``"Infamy 9/10"``.

    >>> from castlelab.games import castlescape
    >>> made = castlescape.puzzle(
    ...     "How much Infamy is too much?", options=("9", "10", "11"), answer="11",
    ...     gauges="Infamy 9/10", why="The track ends at 10.", rules="castlescape/over-ten",
    ... )
    >>> print(made.check("9"))
    No. The track ends at 10. [castlescape/over-ten]
    """

    about: ClassVar = "a question"

    options: tuple[str, ...]
    answer: str
    why: str = ""
    site: str = ""
    cards: tuple[str, ...] = ()
    gauges: tuple[str, ...] = ()

    @property
    def ask(self) -> ChooseOne:
        """What there is to choose from."""
        whole_number(len(self.options), "the options to choose from go", 2, _MOST_OPTIONS)
        read = tuple(map(_read_option, self.options))
        for at in (0, 1):
            said = [option[at].lower() for option in read]
            if twice := [words for words in said if said.count(words) > 1]:
                raise CastlelabError(f"two options are {quoted(twice[0])}")
        return ChooseOne(read)

    def puzzle(self, code: Code) -> Puzzle:
        _refuse_goal(self, "the answer= says which option is right")
        solution = self.ask.read(self.solution or self.answer)
        return self.asking(
            code,
            self.ask,
            start=self.shown,
            solution=solution,
            par=1,
            judge=self.judge,
            draw=self.draw,
        )

    @property
    def shown(self) -> Board | tuple[Card | Gauge, ...]:
        """What it is about; an error if that is nothing, or more than one picture holds."""
        if bool(self.site) == bool(self.cards or self.gauges):
            raise CastlelabError("a question shows a site, or else cards and gauges: name what")
        if self.site:
            return _read_site(self.site)
        if len(self.cards) > _MOST_CARDS or len(self.gauges) > _MOST_GAUGES:
            raise CastlelabError(
                f"a question shows at most {_MOST_CARDS} cards and {_MOST_GAUGES} gauges"
            )
        shown: list[Card | Gauge] = [card(name) for name in self.cards]
        shown += map(_read_gauge, self.gauges)
        if twice := [each.name for each in shown if shown.count(each) > 1]:
            raise CastlelabError(f"{quoted(twice[0])} is shown twice; once is enough")
        return tuple(shown)

    def judge(self, answer: str) -> Judgement:
        """Judge an answer, and say why."""
        right = answer == self.ask.read(self.answer)
        rule = f"[{self.rules[0]}]" if self.rules else ""
        return Judgement(
            right, " ".join(filter(None, ("Right." if right else "No.", self.why, rule)))
        )

    def draw(self, answer: str | None) -> Scene:
        """What the question is about, and the answer above it."""
        words = dict(self.ask.options)[answer] if answer else ""
        shown = self.shown
        if isinstance(shown, Board):
            # The picture of a bailey tells its size and influence: that comes with the answer.
            return board_scene(shown, title=words, baileys=bool(words))
        cards = [each for each in shown if isinstance(each, Card)]
        gauges = [each for each in shown if isinstance(each, Gauge)]
        return cards_scene(cards, gauges, title=words)

    def find_solution(self) -> str:
        return self.ask.read(self.answer)


def _seat(player: str) -> int:
    """The seat of a player by name."""
    name = player.strip().capitalize()
    if name not in SEAT_NAMES:
        raise CastlelabError(f"player is {quoted(player)}; the players are {listed(SEAT_NAMES)}")
    return SEAT_NAMES.index(name)


def _read_option(text: str) -> tuple[str, str]:
    """What is typed for an option, and what is shown.

    >>> _read_option("15"), _read_option("walls | First all walls")
    (('15', '15'), ('walls', 'First all walls'))
    """
    typed, bar, shown = (" ".join(part.split()) for part in text.partition("|"))
    is_said = typed and (shown or not bar)
    if not is_said or len(text) > _LONGEST_OPTION or not (typed + shown).isprintable():
        raise CastlelabError(
            f"{quoted(text)}: an option has 1 to {_LONGEST_OPTION} letters, as 'yes' or "
            "'yes | It happens at once'"
        )
    return typed, shown or typed


def _read_gauge(text: str) -> Gauge:
    """A gauge from its name, how full it is, and the most.

    >>> _read_gauge("Back Alley 2/10")
    Gauge(name='Back Alley', value=2, most=10)
    """
    match = _GAUGE.fullmatch(text) if text.isprintable() else None
    if match is None or int(match[2]) > int(match[3]):
        raise CastlelabError(
            f"{quoted(text)}: a gauge is its name, how full it is and the most, as 'Infamy 9/10'"
        )
    return Gauge(match[1], int(match[2]), int(match[3]))


def _refuse_goal(lesson: Lesson, why: str) -> None:
    """Refuse a goal where there is nothing left to decide."""
    if lesson.goal is not None:
        raise CastlelabError(f"{lesson.about} takes no goal: {why}")


draft = drafter(FindLesson, WallLesson, ClaimLesson, LevyLesson, ChoiceLesson)
puzzle = puzzle_maker("castlescape", draft)
