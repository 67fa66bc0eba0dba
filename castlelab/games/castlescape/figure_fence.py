"""The fence: squares make a court, walls spring up round it, and a walker goes round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import combinations

from castlelab.draw.layout import Part, both_widths, button_part, in_rows, part_of, rows, stacked
from castlelab.draw.scene import Happening, Piece, Rect, Scene, Shape, Text, as_piece
from castlelab.figures import Figure, FigureTask, HandledFigure, LiveCount, Touched, WhyLine
from castlelab.games.castlescape.board import Board, square_name
from castlelab.games.castlescape.count import fewest_walls, largest_bailey
from castlelab.games.castlescape.picture import board_scene
from castlelab.games.castlescape.puzzle_count_walls import cuts
from castlelab.grid import Grid, Square
from castlelab.rules import CastlelabError, counted

_SIDE = 8  # of the site; a court keeps off its edge, where walls stand
_GRID = Grid(_SIDE, _SIDE)
_STEPS: tuple[tuple[str, Square], ...] = (
    ("→", (0, 1)),
    ("↓", (1, 0)),
    ("←", (0, -1)),
    ("↑", (-1, 0)),
)
_WALK, _REST = "walk round", "the rest"
_WORTH_HELP = 7  # who has found so many by hand may see the others

Court = frozenset[Square]
_SMALL = frozenset({(3, 3)})
_NINE = frozenset((row, column) for row in (2, 3, 4) for column in (2, 3, 4))


def fence() -> HandledFigure:
    """The fence at three ages: few walls, much ground, and all courts that are as good."""
    return HandledFigure(
        name="castlescape/fence",
        title="The fence",
        idea="the shortest way round",
        ages="11–14",
        minutes=8,
        tasks={11: _few_walls(7), 14: _much_ground(20), 17: _corners_cut(2)},
    )


def _few_walls(squares: int) -> FigureTask:
    answer = fewest_walls(squares)
    return FigureTask(
        question=f"A bailey has {squares} squares of ground, in whatever shape. How few walls are "
        "enough to close it?",
        answer=answer,
        slips={
            answer - 4: "The corners take walls, too: without them it leaks.",
            2 * squares + 6: "That is a corridor. Other shapes need fewer.",
            2 * squares: "Walls are shared: one can stand beside two squares.",
        },
        do=f"Touch squares until {squares} are ground. Walls spring up: get by with few.",
        first=Fence(_SMALL),
        counted=lambda figure: (
            isinstance(figure, Fence) and (len(figure.court), figure.number) == (squares, answer)
        ),
        hints=(
            "A corridor wastes walls. Which shape has much ground and a short way round?",
            "Fill three rows of three. Then take two corners away: what becomes of the walls?",
        ),
        because=f"{squares} squares fit into three by three, and the way round that is {answer} "
        "long. A corner that is cut off makes it no longer.",
        why=WhyLine(
            start="Cut off a corner square, and there are as many walls, because the walker",
            ends={
                "still goes as far up and down, left and right": "Only their order changes.",
                "takes a short cut": "Let the walker go, and count the arrows: nothing is shorter.",
                "meets fewer corners": "Look again: there is a new corner for each one cut off.",
            },
            right="still goes as far up and down, left and right",
        ),
        proof=(
            "A walker who comes home goes up as often as down, and left as often as right.",
            "Three rows: 4 up, 4 down. Three columns: 4 left, 4 right. Together 16.",
        ),
    )


def _much_ground(walls: int) -> FigureTask:
    answer, half = largest_bailey(walls), (walls - 4) // 2
    return FigureTask(
        question=f"You have {walls} walls. How many squares of ground can they enclose at most?",
        answer=answer,
        slips={
            (walls // 4) ** 2: "The corners take four walls, too.",
            (walls - 6) // 2: "That is a corridor. Other shapes enclose more.",
            ((walls - 8) // 4) ** 2: "You have taken the corners off twice.",
        },
        do=f"Touch squares to make them ground. Enclose as many as you can with {walls} walls.",
        first=Fence(_SMALL),
        counted=lambda figure: (
            isinstance(figure, Fence) and figure.number <= walls and len(figure.court) == answer
        ),
        hints=(
            "How many walls stand at corners? The others go along height and width, twice.",
            f"Height and width are {half} together. Which such numbers have the largest product?",
        ),
        because=f"Four walls for the corners leave {walls - 4}, so height and width are {half} "
        f"together: {half // 2} · {half - half // 2} = {answer}.",
        why=WhyLine(
            start=f"Of all rectangles with a + b = {half}, the square has most ground, because",
            ends={
                "4ab = (a + b)² − (a − b)²": "The first part is fixed, so the second must be 0.",
                "it has the most corners": "Every rectangle has four.",
                "a + b is largest there": f"It is always {half}: the walls fix it.",
            },
            right="4ab = (a + b)² − (a − b)²",
        ),
        proof=(
            "(a + b)² = (a − b)² + 4ab, so (a + b)² ≥ 4ab.",
            "n squares need ab ≥ n, so a + b ≥ 2√n: at least 2⌈2√n⌉ + 4 walls.",
            "No other shape is better: the walker goes round the rectangle that it fits into.",
        ),
    )


def _corners_cut(squares: int) -> FigureTask:
    answer, left = cuts(squares)[-1], 9 - squares
    return FigureTask(
        question=f"Turned and mirrored ones are different: in how many ways can you cut {squares} "
        "squares off a three by three bailey so that it needs no more walls?",
        answer=answer,
        slips={
            6: "You have cut two different corners. Both squares may come off the same one.",
            8: "You have cut both squares off one corner. They may come off two corners.",
            4: "There are more ways than corners.",
            22: "That counts other rectangles, too: stay in three by three.",
        },
        do=f"Find the baileys of {left} squares with {fewest_walls(left)} walls inside three by "
        "three. Each new one is kept.",
        first=Fence(_NINE, find=left),
        counted=lambda figure: isinstance(figure, Fence) and len(figure.found) == answer,
        hints=(
            "Cut one corner, then another. Then put one back, and cut its neighbour.",
            "At each corner a staircase is missing: none, one square, or two in a row or column.",
        ),
        because="Two corners with one each: 6. One corner with two: 4 · 2. Together 14.",
        why=WhyLine(
            start="What is cut off at a corner is a staircase, so it is counted by",
            ends={
                "a partition: rows that never grow": "Four corners, four partitions.",
                "a permutation: the order of the cuts": "The order leaves no trace.",
                "a subset of the edge squares": "Try the middle of an edge: it takes more walls.",
            },
            right="a partition: rows that never grow",
        ),
        proof=(
            "Four corners, four partitions: 1, 4, 14, 40, 105 ways to cut 0, 1, 2, 3, 4 squares.",
            "They are the coefficients of ∏ 1/(1 − qᵏ)⁴.",
            "Seven squares in 16 walls: 14 in three by three, and 4 + 4 in two by four: 22.",
        ),
    )


@dataclass(frozen=True)
class Fence(Figure):
    """A court on a small site, with the walls that it needs.

    With ``find`` the different courts of so many squares with the fewest walls are kept.
    """

    court: Court
    find: int = 0
    found: tuple[Court, ...] = ()
    walks: bool = False

    @cached_property
    def bits(self) -> int:
        return _GRID.bits(self.court)

    @cached_property
    def walls(self) -> int:
        """The squares round the court, as bits: it leaks through corners, so they count."""
        return _GRID.around(self.bits) & ~self.bits

    @property
    def number(self) -> int:
        return self.walls.bit_count()

    @property
    def way(self) -> tuple[Square, ...]:
        """The squares on which a walker goes once round the outside, the first one at the end."""
        return tuple(_round(self.walls))

    @property
    def steps(self) -> dict[str, int]:
        """How many steps the walker makes in each direction."""
        made = list(zip(self.way, self.way[1:], strict=False))
        return {
            sign: sum((b[0] - a[0], b[1] - a[1]) == step for a, b in made) for sign, step in _STEPS
        }

    # -- what a touch does --------------------------------------------------------------------

    def touch(self, target: str) -> Touched:
        if target == _WALK:
            told = ", ".join(f"{number} {sign}" for sign, number in self.steps.items())
            return Touched(replace(self, walks=True), f"The walker goes {told}.")
        if target == _REST:
            return Touched(replace(self, found=tuple(all_cuts(self.find))), "Here are all of them.")
        square = next(one for one in _GRID.squares(_GRID.all) if square_name(one) == target)
        court = self.court ^ {square}
        _check(court, square)
        made = replace(self, court=court, walks=False)
        what = "is ground of the bailey" if square in court else "is outside again"
        return made._kept(f"{target} {what}. {made.told}")

    def _kept(self, words: str) -> Touched:
        """This moment; where other courts are wanted, a new one is kept."""
        shape = _moved_home(self.court)
        if not self.find or len(shape) != self.find or self.number > fewest_walls(self.find):
            return Touched(self, words)
        if not _fits_nine(shape):
            return Touched(self, f"{words} But it does not fit into three by three.")
        if shape in self.found:
            return Touched(self, f"{words} You have this one already.")
        return Touched(replace(self, found=(*self.found, shape)), f"{words} A new one!")

    @property
    def tally(self) -> LiveCount:
        if self.find:
            return LiveCount(str(len(self.found)), "different baileys found")
        return LiveCount(str(self.number), f"walls round {counted(len(self.court), 'square')}")

    @property
    def told(self) -> str:
        return f"{counted(len(self.court), 'square')}, {counted(self.number, 'wall')}."

    @property
    def offers(self) -> tuple[str, ...]:
        return (_REST,) if self._may_have_the_rest else ()

    @property
    def _may_have_the_rest(self) -> bool:
        return _WORTH_HELP <= len(self.found) < len(all_cuts(self.find))

    # -- how it looks -------------------------------------------------------------------------

    def picture(self) -> Scene:
        told = f"{self.told} " + ", ".join(f"{n} {sign}" for sign, n in self.steps.items())
        return both_widths(self._drawn, "A fence", told)

    def _drawn(self, is_narrow: bool) -> Part:
        site = part_of(board_scene(self._board).fitted(is_narrow))
        if self.walks:
            site = replace(
                site,
                shapes=(*site.shapes, *self._walker(site)),
                happenings=(Happening("walk", self._walk, key=str(hash(self.court))),),
            )
        else:
            site = replace(site, happenings=())
        return stacked([site, self._steps_part(site.width), *self._found_part(site.width)], 6)

    @property
    def _board(self) -> Board:
        return Board.parse(_GRID.write(self.walls))

    @property
    def _walk(self) -> tuple[tuple[str, ...], ...]:
        return (("walker",), *((square_name(at),) for at in self.way))

    def _walker(self, site: Part) -> Iterator[Shape]:
        box = next(one for one in site.targets if one.id == square_name(self.way[0]))
        side = box.width * 0.36
        frame = (box.x + (box.width - side) / 2, box.y + (box.height - side) / 2, side, side)
        yield from as_piece(
            [Rect(*frame, "chosen", "paper", 2, side / 2)], Piece("walker", "walker", quiet=True)
        )

    def _steps_part(self, width: float) -> Part:
        """The button of the walker, and how often it goes each way."""
        go = button_part(_WALK, "Walk round", (8, 0, 118, 40))
        apart = (width - 140) / 4
        numbers = (
            Text(146 + at * apart, 20, f"{sign} {number}", 18, "ink", bold=True)
            for at, (sign, number) in enumerate(self.steps.items())
        )
        return Part.of([*go.shapes, *numbers], go.targets, width, 40)

    def _found_part(self, width: float) -> Iterator[Part]:
        """The courts that were found, small, and the others as empty places."""
        if not self.find:
            return
        across = (width - 16) / 7
        shapes: list[Shape] = []
        places = in_rows(range(len(all_cuts(self.find))), 7, 8, 0, across, across)
        for number, x, y in places:
            shapes.append(Rect(x, y, across - 6, across - 6, "panel", "line", 1, 5))
            if number < len(self.found):
                shapes += _small(self.found[number], x, y, across - 6)
        yield Part.of(shapes, (), width, across * rows(len(all_cuts(self.find)), 7))
        if self._may_have_the_rest:
            yield button_part(_REST, "Show the rest", (8, 0, 140, 40))


def _small(court: Court, x: float, y: float, side: float) -> Iterator[Shape]:
    cell = (side - 8) / 3
    for row, column in court:
        yield Rect(x + 4 + column * cell, y + 4 + row * cell, cell, cell, "good", "paper", 1)


def _check(court: Court, square: Square) -> None:
    """What cannot be a court is refused in words."""
    name = square_name(square)
    if not court:
        raise CastlelabError("one square of ground must be left")
    if _GRID.bit(square) & _GRID.border:
        raise CastlelabError(f"{name} is at the edge: there would be no room for a wall outside it")
    bits = _GRID.bits(court)
    if len(list(_GRID.regions(bits, corners=True))) > 1:
        if square in court:
            raise CastlelabError(f"{name} would be a bailey of its own: go on beside your ground")
        raise CastlelabError(f"without {name} the ground would fall in two")


def _round(walls: int) -> Iterator[Square]:
    """Once round the outside of a ring, keeping the outside at the left hand."""
    here = first = next(_GRID.squares(walls))
    facing = 0
    while True:
        yield here
        for turn in (-1, 0, 1, 2):  # left first
            way = (facing + turn) % 4
            down, right = _STEPS[way][1]
            there = here[0] + down, here[1] + right
            if min(there) >= 0 and max(there) < _SIDE and _GRID.bit(there) & walls:
                here, facing = there, way
                break
        if here == first:
            yield here
            return


def _moved_home(court: Iterable[Square]) -> Court:
    """The same shape in the upper left corner."""
    squares = list(court)
    top, left = min(row for row, _ in squares), min(column for _, column in squares)
    return frozenset((row - top, column - left) for row, column in squares)


def _fits_nine(shape: Court) -> bool:
    return max(map(max, shape)) < 3


@cache
def all_cuts(squares: int) -> tuple[Court, ...]:
    """Every court of so many squares that fills three by three but for its corners' staircases.

    >>> len(all_cuts(7)), cuts(2)[-1]
    (14, 14)
    """
    nine = [(row, column) for row in range(3) for column in range(3)]
    if not 0 < squares <= len(nine):
        return ()
    return tuple(filter(_is_cut, map(frozenset, combinations(nine, squares))))


def _is_cut(court: Court) -> bool:
    return (
        _moved_home(court) == court
        and {max(row for row, _ in court), max(column for _, column in court)} == {2}
        and Fence(frozenset((row + 1, column + 1) for row, column in court)).number
        == fewest_walls(9)
    )
