"""Once Upon a Castle's puzzle complete-a-line: place the tokens of two dice."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import zip_longest
from typing import TYPE_CHECKING, ClassVar

from castlelab.chance import Chance
from castlelab.games.once_upon_a_castle.board import TOKENS, Board, Line, Square, face_words
from castlelab.games.once_upon_a_castle.box import house_layouts
from castlelab.games.once_upon_a_castle.castle import RULES, Castle
from castlelab.games.once_upon_a_castle.guests import POWERS, Guest
from castlelab.games.once_upon_a_castle.moment import (
    NO_CASTLE,
    are_apart,
    guests_named,
    moment,
    squares_of,
)
from castlelab.games.once_upon_a_castle.moves import EXTRAS, Lose, Use, square_named
from castlelab.games.once_upon_a_castle.picture import bench_scene
from castlelab.games.once_upon_a_castle.play import OnceState
from castlelab.puzzles import Ask, Code, Hints, Judgement, Puzzle, first_good, growing, not_yet
from castlelab.rules import LEGAL, NotationError, Verdict, either, listed, quoted

if TYPE_CHECKING:
    from castlelab.draw.scene import Scene

_LONGEST_TEXT = 100
_EXAMPLE = "'b2, d4'"


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens on squares, one after the other. Prints as ``b2, d4``."""

    squares: tuple[str, ...] = ()

    def __str__(self) -> str:
        return ", ".join(self.squares)


NO_TOKENS = Tokens()


def read_tokens(text: str) -> Tokens:
    """The tokens that a text means; anything else is a ``NotationError``.

    >>> str(read_tokens("B2 and d4"))
    'b2, d4'
    """
    if not isinstance(text, str):
        raise NotationError(f"tokens are a text such as {_EXAMPLE}, not {quoted(text)}")
    if len(text) > _LONGEST_TEXT:
        raise NotationError(f"a text of {len(text)} characters is too long for a few tokens")
    words = [word for word in re.split(r"[\s,;]+", text.lower()) if word not in ("", "and")]
    if not words:
        raise NotationError(f"write the squares of your tokens, such as {_EXAMPLE}")
    if len(words) > TOKENS:
        raise NotationError(f"there are {TOKENS} tokens, not {len(words)}")
    return Tokens(tuple(map(square_named, words)))


@dataclass(frozen=True, slots=True)
class PlaceTokens(Ask[Tokens]):
    """An answer that is tokens: where two dice put them, and what the board must be then."""

    answers: ClassVar = Tokens
    example: ClassVar = f"tokens such as {_EXAMPLE}"
    editor: ClassVar = "castlelab.widgets.once_upon_a_castle.token_editor:TokenEditor"

    board: Board
    dice: tuple[str, str]
    lines: int = 1  # full, and no two of them cross
    guests: tuple[Guest, ...] = ()  # in the castle
    full: tuple[str, ...] = ()  # lines that must be
    #: What the board misses besides, in words; "" if nothing.
    missing: Callable[[Board], str] = field(default=lambda _: "", compare=False, repr=False)

    def read(self, text: str) -> Tokens:
        return read_tokens(text)

    def untouched(self) -> Tokens:
        return NO_TOKENS  # dice that bring residents may leave it at that

    def steps(self, answer: Tokens) -> tuple[Tokens, ...]:
        """Token by token."""
        return tuple(map(Tokens, growing(answer.squares)))

    def state(self) -> OnceState:
        """The moment of a game in which the dice are used."""
        castle = Castle(floors=len(self.guests), guests=self.guests)
        return moment(self.board, castle, NO_CASTLE, dice=self.dice, phase="dice")

    def judge(self, tokens: Tokens) -> Judgement:
        """Judge tokens: may they be placed, are both dice used, is enough full?"""
        placed = place(self, tokens)
        laid = tokens.squares[: placed.tokens]
        if not placed.verdict:
            square, why = tokens.squares[placed.tokens], placed.verdict
            return not_yet(_toward(self, placed, laid, why), f"A token on {square} is not allowed.")
        if not placed.dice_left:
            why = _toward(self, placed, laid, placed.dice_left)
            return not_yet(why, "Not all of your dice are used.")
        return self.measure(placed.board)

    def measure(self, board: Board) -> Judgement:
        """Judge a board on which all tokens lie: is enough full?"""
        if short := _short_of(self, board) or self.missing(board):
            return Judgement(False, short)
        told = [f"{line.name} gives {line.gift.words}" for line in clearable(board)]
        return Judgement(True, f"Full: {'; '.join(told)}." if told else "So it should be.")

    def draw(self, tokens: Tokens | None) -> Scene:
        """The bench with the tokens of an answer, as far as they go."""
        placed = place(self, tokens or NO_TOKENS)
        left = placed.state.left if placed.state.phase == "dice" else ()
        where = placed.verdict.where
        return bench_scene(placed.board, self.dice, left=left, guests=self.guests, lit=where)


@dataclass(frozen=True, slots=True)
class PlacedTokens:
    """How far tokens came: the moment after them, how many lie, and why no more do."""

    state: OnceState
    tokens: int
    verdict: Verdict = LEGAL

    @property
    def board(self) -> Board:
        return self.state.boards[0]

    @property
    def dice_left(self) -> Verdict:
        """Whether the dice that placed nothing may be left at that.

        They may be lost if nothing can be done with them, and they may bring residents, a
        flag or a cloud. Otherwise they put a token somewhere (once_upon_a_castle/roll).
        """
        if self.state.phase != "dice":
            return LEGAL
        idle = [die for die in self.state.left if not {*self.state.uses(die)} & {*EXTRAS}]
        verdicts = [self.state.check(Lose(die)) for die in idle]
        return Verdict(tuple(breach for verdict in verdicts for breach in verdict.breaches))


def place(ask: PlaceTokens, tokens: Tokens) -> PlacedTokens:
    """Place tokens until one is refused. Which die places which is settled for the best.

    >>> board = Board.parse("wsg.. / fgws. / ..fsg / ...fw")
    >>> place(PlaceTokens(board, ("any", "wood")), Tokens(("a1", "a2"))).board.tokens
    ('a1', 'a2')
    >>> place(PlaceTokens(board, ("gold", "wood")), Tokens(("a1", "a2"))).verdict.rules
    ('once_upon_a_castle/resource',)
    """
    tries = _tries(PlacedTokens(ask.state(), 0), tokens.squares)
    return max(tries, key=lambda placed: (placed.tokens, bool(placed.dice_left)))


def _tries(placed: PlacedTokens, squares: tuple[str, ...]) -> Iterator[PlacedTokens]:
    """Every way to give tokens to the dice, each as far as it goes."""
    state, number = placed.state, placed.tokens
    if not squares:
        yield placed
        return
    if state.phase != "dice":
        why = ("once_upon_a_castle/roll", "Both dice are used.")
        spent = RULES.breach(*why, squares[:1], "Each places one token.")
        yield PlacedTokens(state, number, Verdict((spent,)))
        return
    uses = [Use(die, squares[0]) for die in state.left]
    verdicts = [state.check(use) for use in uses]
    for use, verdict in zip(uses, verdicts, strict=True):
        if verdict:
            yield from _tries(PlacedTokens(state.after(use), number + 1), squares[1:])
    if not any(verdicts):
        refused = dict.fromkeys(breach for verdict in verdicts for breach in verdict.breaches)
        yield PlacedTokens(state, number, Verdict(tuple(refused)))


def next_squares(ask: PlaceTokens, tokens: Tokens = NO_TOKENS) -> tuple[str, ...]:
    """The squares that may take one more token.

    >>> board = Board.parse("wsg.. / fgws. / ..fsg / ...fw")
    >>> next_squares(PlaceTokens(board, ("gold", "residents")))
    ('c1', 'b2', 'e3')
    """
    return tuple(
        square.name
        for square in ask.board.squares
        if place(ask, Tokens((*tokens.squares, square.name))).verdict
    )


def clearable(board: Board) -> tuple[Line, ...]:
    """The most full lines that can be cleared one after the other.

    >>> [line.name for line in clearable(Board.parse("WSG.. / Fgws. / ..fsg / ...fw"))]
    ['row 1']
    """
    found = ((line, *clearable(board.clear(line))) for line in board.full_lines())
    return max(found, key=len, default=())


def endings(ask: PlaceTokens) -> frozenset[Board]:
    """Every board that the dice can lead to."""
    return frozenset(_boards_from(ask.state()))


def _boards_from(state: OnceState) -> Iterator[Board]:
    """The boards that the dice that are left can lead to."""
    if state.phase != "dice":
        yield state.boards[0]
        return
    for move in state.moves():
        yield from _boards_from(state.after(move))


def luck_to_complete(ask: PlaceTokens) -> Fraction:
    """The share of all ways to place the tokens that fill what is asked for.

    >>> board = Board.parse("wsg.. / fgws. / ..fsg / ...fw")
    >>> print(luck_to_complete(PlaceTokens(board, ("food", "wood"))))
    2/9
    """
    boards = endings(ask)
    return Fraction(sum(bool(ask.measure(board)) for board in boards), len(boards))


def _toward(ask: PlaceTokens, placed: PlacedTokens, laid: tuple[str, ...], why: Verdict) -> Verdict:
    """Why tokens are refused, each reason once; what mends it leads on to what is asked for."""
    state = placed.state
    uses = dict.fromkeys(
        use.what
        for use in state.moves_of(Use)
        if use.what not in EXTRAS and _leads(state.after(use), ask)
    )
    mends = tuple(Tokens((*laid, square)) for square in uses)
    mend = f"Try a token on {either(uses)}." if uses else ""
    reasons = dict.fromkeys(replace(breach, mend=mend, mends=mends) for breach in why.breaches)
    return Verdict(tuple(reasons))


def _leads(state: OnceState, ask: PlaceTokens) -> bool:
    """Whether enough lines may still be filled with the dice that are left."""
    return any(ask.measure(board) for board in _boards_from(state))


def _short_of(ask: PlaceTokens, board: Board) -> str:
    """Which lines are not full that should be, in words."""
    full = board.full_lines()
    missing = {line: board.layout.names(line.bits & ~board.filled) for line in board.lines}
    for line in map(board.line, ask.full):
        if line not in full:
            return f"{line.name.capitalize()} is not full: it misses {listed(missing[line])}."
    if len(clearable(board)) >= ask.lines:
        return ""
    names = listed([line.name for line in full]) if full else ""
    if len(full) >= ask.lines:
        why = "but of two that cross only one is cleared [once_upon_a_castle/crossing]"
        return f"{names.capitalize()} are full, {why}."
    near = min(filter(missing.get, missing), key=lambda line: len(missing[line]))
    so_far = f"Only {names} {'is' if len(full) == 1 else 'are'}" if full else "No line is"
    return f"{so_far} full. {near.name.capitalize()} misses {listed(missing[near])}."


_SWAPPED = {"wood": "stone", "stone": "wood"}
_IDLE_GUESTS = ("cook", "guard", "shepherdess", "monk")


@dataclass(frozen=True, slots=True)
class LineGrade:
    """A level of complete-a-line.

    A mask says how a die hides the token that is needed: not at all (plain), as a "?" (any),
    as what a troll or a knight changes. An idle die shows Residents and places nothing.
    """

    masks: tuple[tuple[str, str], ...]
    luck: tuple[Fraction, Fraction]  # of all ways to place the tokens, those that are right
    strays: range  # tokens that lie elsewhere
    lines: int = 1
    version: int = 0  # of the board: Apprentice, Great Architect


LINE_GRADES = {
    1: LineGrade((("plain", "plain"),), (Fraction(1, 4), Fraction(1)), range(1, 3)),
    2: LineGrade((("plain", "plain"),), (Fraction(1, 9), Fraction(1, 4)), range(1, 4)),
    3: LineGrade(
        (("any", "plain"), ("any", "idle")), (Fraction(1, 16), Fraction(1, 9)), range(1, 4)
    ),
    4: LineGrade(
        (("any", "plain"), ("any", "any")), (Fraction(1, 30), Fraction(1, 16)), range(1, 4), lines=2
    ),
    5: LineGrade(
        (("troll", "knight"), ("troll", "any"), ("knight", "any"), ("knight", "knight")),
        (Fraction(0), Fraction(1, 30)),
        range(3),
        lines=2,
        version=1,
    ),
}


def _nearly_full(grade: LineGrade, chance: Chance) -> PlaceTokens | None:
    """A board whose lines miss just what the dice can bring."""
    layout = house_layouts()[grade.version]
    masks, chance = chance.choice(grade.masks)
    lines, chance = chance.sample(layout.lines, grade.lines)
    if not are_apart(lines):
        return None
    needed = squares_of(lines)
    holes, chance = _holes(lines, 2 - masks.count("idle"), chance)
    dice = [_masked(mask, hole) for mask, hole in zip_longest(masks, holes)]
    if "" in dice:
        return None
    others = [square.bit for square in layout.squares if not square.bit & needed]
    number, chance = chance.choice(grade.strays)
    strays, chance = chance.sample(others, min(number, len(others)))
    board = layout.board((needed | sum(strays)) & ~sum(hole.bit for hole in holes))
    if board.full_lines():
        return None
    names, chance = _helpers(masks, chance)
    mixed, _ = chance.shuffle(dice)
    ask = PlaceTokens(board, (mixed[0], mixed[1]), grade.lines, guests_named(*names))
    if names and luck_to_complete(replace(ask, guests=())):
        return None  # it would do without them
    low, high = grade.luck
    return ask if low < luck_to_complete(ask) <= high else None


def _holes(lines: Sequence[Line], number: int, chance: Chance) -> tuple[tuple[Square, ...], Chance]:
    """So many squares that are left free: of one line, or one of each."""
    if len(lines) == 1:
        return chance.sample(lines[0].squares, number)
    holes = []
    for line in lines:
        hole, chance = chance.choice(line.squares)
        holes.append(hole)
    return tuple(holes), chance


def _masked(mask: str, hole: Square | None) -> str:
    """The face behind which a die hides the token for a square; "" if it cannot."""
    if hole is None or mask == "knight":
        return "residents"
    if mask == "troll":
        return _SWAPPED.get(hole.resource, "")
    return "any" if mask == "any" else hole.resource


def _helpers(masks: tuple[str, str], chance: Chance) -> tuple[tuple[str, ...], Chance]:
    """The guests that make the dice work, and one who does not help."""
    helpers = [mask for mask in dict.fromkeys(masks) if mask in ("troll", "knight")]
    if not helpers:
        return (), chance
    idle, chance = chance.choice(_IDLE_GUESTS)
    return chance.shuffle((*helpers, idle))


def make_complete_a_line(code: Code, chance: Chance) -> Puzzle:
    """Place the tokens of two dice so that a line is full, or two that do not cross."""
    grade = LINE_GRADES[code.level]
    ask = first_good(lambda chance: _nearly_full(grade, chance), chance)
    solution = solve_tokens(ask)
    return Puzzle(
        *code,
        prompt=_line_prompt(ask),
        start=ask,
        ask=ask,
        solution=solution,
        par=len(solution.squares),
        hints=_line_hints(ask, solution),
        rules=line_rules(ask),
        judge=ask.judge,
        draw=ask.draw,
    )


def solve_tokens(ask: PlaceTokens) -> Tokens:
    """One right answer, found by trying every way to place the tokens; no token only if need be."""

    def order(board: Board) -> tuple[bool, int, int]:
        return board == ask.board, board.filled.bit_count(), board.filled

    board = min(filter(ask.measure, endings(ask)), key=order)
    return Tokens(board.layout.names(board.filled & ~ask.board.filled))


def _line_prompt(ask: PlaceTokens) -> str:
    dice = listed([face_words(face) for face in ask.dice])
    helped = [f"{guest.name.capitalize()} ({POWERS[guest.power].words})" for guest in ask.guests]
    guests = f" In your castle: {listed(helped)}." if helped else ""
    goal = "a line is full" if ask.lines == 1 else "two lines are full that do not cross"
    return f"Your dice show {dice}.{guests} Place your tokens so that {goal}."


def _line_hints(ask: PlaceTokens, solution: Tokens) -> Hints:
    board = place(ask, solution).board
    names = listed([line.name for line in clearable(board)[: ask.lines]])
    verb = "is" if ask.lines == 1 else "are"
    square = board.square(solution.squares[0])
    return (
        f"{names.capitalize()} {verb} close to being full. What is missing there?",
        f"Put a token on {square.name}, {square.resource.capitalize()}{_how(ask, square)}.",
    )


def _how(ask: PlaceTokens, square: Square) -> str:
    """By which trick a token comes to a square, if there is need of one."""
    if square.resource in ask.dice:
        return ""
    powers = [guest.power for guest in ask.guests]
    if "wood-as-stone" in powers and _SWAPPED.get(square.resource) in ask.dice:
        return ": the troll lets you"
    if "token-for-residents" in powers and "residents" in ask.dice:
        return ": the knight lets you"
    return ": the ? may be anything"


def line_rules(ask: PlaceTokens) -> tuple[str, ...]:
    """The rules that such a question practises."""
    return (
        "once_upon_a_castle/resource",
        "once_upon_a_castle/build-line",
        *["once_upon_a_castle/any"] * ("any" in ask.dice),
        *["once_upon_a_castle/residents"] * ("residents" in ask.dice),
        *["once_upon_a_castle/crossing"] * (ask.lines > 1),
        *["once_upon_a_castle/hourglass"] * bool(ask.guests),
        *[POWERS[guest.power].rule for guest in ask.guests],
    )
