"""Once Upon a Castle's puzzles: three kinds, five levels each, made from a seed and proved.

Every maker draws positions until one has what its level asks for. A moment of a real game
judges the answers: it places the tokens, clears the lines and counts the points.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, reduce
from itertools import combinations, permutations, zip_longest
from operator import or_
from typing import TYPE_CHECKING, Any

from castlelab.chance import Chance
from castlelab.edition import Edition
from castlelab.game import changed
from castlelab.games.once_upon_a_castle.board import TOKENS, Board, Layout, Line, Square, face_words
from castlelab.games.once_upon_a_castle.box import Track, house_layouts
from castlelab.games.once_upon_a_castle.castle import FLAG_ROOM, MOST, RULES, Castle
from castlelab.games.once_upon_a_castle.guests import POWERS, Guest
from castlelab.games.once_upon_a_castle.moves import EXTRAS, Clear, Lose, Use
from castlelab.games.once_upon_a_castle.picture import board_scene, castle_scene, table_scene
from castlelab.games.once_upon_a_castle.play import OnceState, OnceUponACastle
from castlelab.games.once_upon_a_castle.scoring import CLOUD, SMALL_CLOUD, SUN, guest_points, score
from castlelab.puzzles import Choose, Judgement, Maker, Puzzle, first_good, growing, not_yet
from castlelab.rules import (
    LEGAL,
    Breach,
    CastlelabError,
    NotationError,
    Verdict,
    either,
    listed,
    quoted,
)

if TYPE_CHECKING:
    from castlelab.draw.scene import Scene

NO_CASTLE = Castle()


def _within(span: range, chance: Chance) -> tuple[int, Chance]:
    number, chance = chance.below(len(span))
    return span[number], chance


def points_words(number: int) -> str:
    """A number of points in words: "1 point", "2 points"."""
    return f"{number} point{'s' * (number != 1)}"


# -- moments of a game -----------------------------------------------------------------------


@cache
def _opening(version: str, players: int) -> OnceState:
    edition = Edition.load("once_upon_a_castle")
    return OnceUponACastle(players, edition, version=version).start()


def track_of_residents() -> Track:
    """The residents' track of the house edition."""
    return _opening("apprentice", 2).game.box.track


def guests_named(*names: str) -> tuple[Guest, ...]:
    """Guests of the Great Architect by name."""
    known = _opening("architect", 2).game.guest_named
    return tuple(known[name] for name in names)


def moment(board: Board, *castles: Castle, shown: tuple[Guest, ...] = (), **more: Any) -> OnceState:
    """A moment in which player 1 decides: that board, and a castle for each player."""
    start = _opening(board.layout.name, len(castles))
    unseen = list(start.game.box.guests)
    for guest in (*shown, *(guest for castle in castles for guest in castle.guests)):
        if guest not in unseen:
            raise CastlelabError(f"the {board.layout.name} box has no {guest.name} for that")
        unseen.remove(guest)
    return changed(
        start,
        boards=(board, *start.boards[1:]),
        castles=castles,
        pile=tuple(unseen),
        shown=shown,
        active=0,
        seat=0,
        **more,
    )


# -- complete a line -------------------------------------------------------------------------

_LONGEST_TEXT = 100
_SQUARE = re.compile(r"[a-h][1-8]")
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
    for word in words:
        if not _SQUARE.fullmatch(word):
            raise NotationError(f"{quoted(word)} is not a square; write its column and row: b2")
    return Tokens(tuple(words))


@dataclass(frozen=True, slots=True)
class PlaceTokens:
    """An answer that is tokens: where two dice put them, so that so many lines can be cleared."""

    board: Board
    dice: tuple[str, str]
    lines: int = 1  # full, and no two of them cross
    guests: tuple[Guest, ...] = ()  # in the castle

    def read(self, text: str) -> Tokens:
        """Tokens in notation."""
        return read_tokens(text)

    def steps(self, answer: Tokens) -> tuple[Tokens, ...]:
        """Token by token."""
        return tuple(map(Tokens, growing(answer.squares)))

    def state(self) -> OnceState:
        """The moment of a game in which the dice are used."""
        castle = Castle(floors=len(self.guests), guests=self.guests)
        return moment(self.board, castle, NO_CASTLE, dice=self.dice, phase="dice")


@dataclass(frozen=True, slots=True)
class Placed:
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
        breaches: list[Breach] = []
        for die in self.state.left:
            if not set(self.state.uses(die)) & set(EXTRAS):
                breaches += self.state.check(Lose(die)).breaches
        return Verdict(tuple(breaches))


def place(ask: PlaceTokens, tokens: Tokens) -> Placed:
    """Place tokens until one is refused. Which die places which is settled for the best.

    >>> board = Board.parse("wsg.. / fgws. / ..fsg / ...fw")
    >>> place(PlaceTokens(board, ("any", "wood")), Tokens(("a1", "a2"))).board.tokens
    ('a1', 'a2')
    >>> place(PlaceTokens(board, ("gold", "wood")), Tokens(("a1", "a2"))).verdict.rules
    ('once_upon_a_castle/resource',)
    """
    tries = _tries(Placed(ask.state(), 0), tokens.squares)
    return max(tries, key=lambda placed: (placed.tokens, bool(placed.dice_left)))


def _tries(placed: Placed, squares: tuple[str, ...]) -> Iterator[Placed]:
    """Every way to give tokens to the dice, each as far as it goes."""
    state, number = placed.state, placed.tokens
    if not squares:
        yield placed
        return
    if state.phase != "dice":
        spent = Breach(
            RULES["once_upon_a_castle/roll"],
            "Both dice are used.",
            (squares[0],),
            "Each places one token.",
        )
        yield Placed(state, number, Verdict((spent,)))
        return
    uses = [Use(die, squares[0]) for die in state.left]
    verdicts = [state.check(use) for use in uses]
    for use, verdict in zip(uses, verdicts, strict=True):
        if verdict:
            yield from _tries(Placed(state.after(use), number + 1), squares[1:])
    if not any(verdicts):
        refused = dict.fromkeys(breach for verdict in verdicts for breach in verdict.breaches)
        yield Placed(state, number, Verdict(tuple(refused)))


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
    best: tuple[Line, ...] = ()
    for line in board.full_lines():
        found = (line, *clearable(board.clear(line)))
        if len(found) > len(best):
            best = found
    return best


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
    return Fraction(sum(len(clearable(board)) >= ask.lines for board in boards), len(boards))


def tokens_of(answer: object) -> Tokens:
    """The tokens of an answer; anything else is a ``NotationError``."""
    if not isinstance(answer, Tokens):
        raise NotationError(f"an answer is tokens such as {_EXAMPLE}, not {quoted(answer)}")
    return answer


def judge_tokens(ask: PlaceTokens) -> Callable[[object], Judgement]:
    """What judges tokens: may they be placed, are both dice used, is enough full?"""

    def judge(answer: object) -> Judgement:
        tokens = tokens_of(answer)
        placed = place(ask, tokens)
        laid = tokens.squares[: placed.tokens]
        if not placed.verdict:
            square, why = tokens.squares[placed.tokens], placed.verdict
            return not_yet(_toward(ask, placed, laid, why), f"A token on {square} is not allowed.")
        if not placed.dice_left:
            why = _toward(ask, placed, laid, placed.dice_left)
            return not_yet(why, "Not all of your dice are used.")
        return _measure(ask, placed.board)

    return judge


def _toward(ask: PlaceTokens, placed: Placed, laid: tuple[str, ...], why: Verdict) -> Verdict:
    """Why tokens are refused, each reason once; what mends it leads on to what is asked for."""
    state = placed.state
    uses = dict.fromkeys(
        move.what
        for move in state.moves()
        if isinstance(move, Use) and move.what not in EXTRAS and _leads(state.after(move), ask)
    )
    mends = tuple(Tokens((*laid, square)) for square in uses)
    mend = f"Try a token on {either(uses)}." if uses else ""
    reasons = dict.fromkeys(replace(breach, mend=mend, mends=mends) for breach in why.breaches)
    return Verdict(tuple(reasons))


def _leads(state: OnceState, ask: PlaceTokens) -> bool:
    """Whether enough lines may still be filled with the dice that are left."""
    return any(len(clearable(board)) >= ask.lines for board in _boards_from(state))


def _measure(ask: PlaceTokens, board: Board) -> Judgement:
    lines = clearable(board)
    if len(lines) >= ask.lines:
        told = [f"{line.name} gives {line.gift.words}" for line in lines]
        return Judgement(True, f"Full: {'; '.join(told)}.")
    full = board.full_lines()
    if len(full) >= ask.lines:
        names = listed([line.name for line in full]).capitalize()
        why = "but of two that cross only one is cleared [once_upon_a_castle/crossing]"
        return Judgement(False, f"{names} are full, {why}.")
    if full:
        return Judgement(False, f"Only {full[0].name} is full. {_nearest(board)}")
    return Judgement(False, f"No line is full. {_nearest(board)}")


def _nearest(board: Board) -> str:
    """The line that is nearest to being full, and what it misses."""
    missing = {line: board.layout.names(line.bits & ~board.filled) for line in board.lines}
    line = min((line for line in board.lines if missing[line]), key=lambda one: len(missing[one]))
    return f"{line.name.capitalize()} misses {listed(missing[line])}."


def draw_tokens(ask: PlaceTokens) -> Callable[[object], Scene]:
    """What shows the board with the tokens of an answer, as far as they go."""
    title = f"Dice: {listed([face_words(face) for face in ask.dice])}"

    def draw(answer: object) -> Scene:
        placed = place(ask, answer if isinstance(answer, Tokens) else NO_TOKENS)
        return board_scene(placed.board, lit=placed.verdict.where, title=title)

    return draw


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
    if not _are_apart(lines):
        return None
    needed = _bits(lines)
    holes, chance = _holes(lines, 2 - masks.count("idle"), chance)
    dice = [_masked(mask, hole) for mask, hole in zip_longest(masks, holes)]
    if "" in dice:
        return None
    others = [square.bit for square in layout.squares if not square.bit & needed]
    number, chance = _within(grade.strays, chance)
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


def make_complete_a_line(kind: str, level: int, seed: int, chance: Chance) -> Puzzle:
    """Place the tokens of two dice so that a line is full, or two that do not cross."""
    grade = LINE_GRADES[level]
    ask = first_good(lambda chance: _nearly_full(grade, chance), chance)
    solution = solve_tokens(ask)
    return Puzzle(
        kind,
        level,
        seed,
        prompt=_line_prompt(ask),
        start=ask,
        ask=ask,
        solution=solution,
        par=len(solution.squares),
        hints=_line_hints(ask, solution),
        rules=_line_rules(ask),
        judge=judge_tokens(ask),
        draw=draw_tokens(ask),
    )


def solve_tokens(ask: PlaceTokens) -> Tokens:
    """One right answer, found by trying every way to place the tokens."""
    found = (board for board in endings(ask) if len(clearable(board)) >= ask.lines)
    board = min(found, key=lambda board: (board.filled.bit_count(), board.filled))
    return Tokens(board.layout.names(board.filled & ~ask.board.filled))


def _line_prompt(ask: PlaceTokens) -> str:
    dice = listed([face_words(face) for face in ask.dice])
    helped = [f"{guest.name.capitalize()} ({_help(guest)})" for guest in ask.guests]
    guests = f" In your castle: {listed(helped)}." if helped else ""
    goal = "a line is full" if ask.lines == 1 else "two lines are full that do not cross"
    return f"Your dice show {dice}.{guests} Place your tokens so that {goal}."


def _help(guest: Guest) -> str:
    return POWERS[guest.power].words


def _line_hints(ask: PlaceTokens, solution: Tokens) -> tuple[str, str]:
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


def _line_rules(ask: PlaceTokens) -> tuple[str, ...]:
    return (
        "once_upon_a_castle/resource",
        "once_upon_a_castle/build-line",
        *["once_upon_a_castle/any"] * ("any" in ask.dice),
        *["once_upon_a_castle/residents"] * ("residents" in ask.dice),
        *["once_upon_a_castle/crossing"] * (ask.lines > 1),
        *["once_upon_a_castle/hourglass"] * bool(ask.guests),
        *[POWERS[guest.power].rule for guest in ask.guests],
    )


# -- row or column ---------------------------------------------------------------------------


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
    for part, there, more in (
        ("tower", gift.tower > 0, len(new.towers) > len(old.towers)),
        ("wall", gift.wall, new.walls > old.walls),
        ("floor", gift.floor, new.floors > old.floors),
    ):
        if there and not more:
            yield Clause(f"no {part}", 0, f"no fifth {part}", "once_upon_a_castle/parts")
        elif there and part == "tower":
            yield Clause(
                part, gift.tower, f"a tower worth {gift.tower}", "once_upon_a_castle/tower"
            )
        elif there:
            yield Clause(
                part, 0, f"a {part} without points", f"once_upon_a_castle/{_PART_RULES[part]}"
            )
    if gift.flag:
        if len(new.flags) > len(old.flags):
            yield Clause("flag", gift.flag, f"a flag worth {gift.flag}", "once_upon_a_castle/flags")
        else:
            yield Clause(
                "no flag", 0, "no flag, for want of a wall with room", "once_upon_a_castle/flags"
            )
    if gift.residents:
        more_points = now.residents - was.residents
        if more_points:
            words = f"for its residents {points_words(more_points)} more"
            yield Clause("residents", more_points, words, "once_upon_a_castle/score")
        else:
            yield Clause(
                "no residents", 0, "residents in no better group", "once_upon_a_castle/score"
            )
    if new.sun > old.sun:
        yield Clause("sun", SUN, f"the sun worth {SUN}", "once_upon_a_castle/sun")
    elif len(new.towers) == MOST > len(old.towers):
        yield Clause("no sun", 0, "no sun, which is gone", "once_upon_a_castle/sun")
    if new.cloud > old.cloud:
        yield Clause("cloud", CLOUD, f"the cloud worth {CLOUD}", "once_upon_a_castle/end")
    if now.guests > was.guests:
        more_points = now.guests - was.guests
        yield Clause(
            "guests", more_points, f"{more_points} by Crown guests", "once_upon_a_castle/crown"
        )


_PART_RULES = {"wall": "wall", "floor": "floor-guest"}


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
        return f"{words[0].upper()}{words[1:]}: {points_words(self.points)}."


@dataclass(frozen=True, slots=True)
class Crossing:
    """A board with full lines that cross, and the castle that they are for."""

    board: Board
    castle: Castle
    rival: Castle = NO_CASTLE

    def state(self) -> OnceState:
        """The moment of a game in which lines are cleared."""
        return moment(self.board, self.castle, self.rival, phase="build", left=())

    def choices(self) -> tuple[tuple[Line, ...], ...]:
        """The sets of full lines that can be cleared together; no other line goes with them."""
        full = self.board.full_lines()
        apart = [
            lines
            for number in range(1, len(full) + 1)
            for lines in combinations(full, number)
            if _are_apart(lines)
        ]
        return tuple(
            lines for lines in apart if not any(set(lines) < set(others) for others in apart)
        )

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


def _are_apart(lines: Sequence[Line]) -> bool:
    """Whether no two lines cross."""
    return _bits(lines).bit_count() == sum(len(line.squares) for line in lines)


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
        floors, chance = _within(range(MOST + 1), chance)
        walls, chance = _within(range(MOST + 1), chance)
        standing = range(MOST + 1)
    towers, chance = _worths((2, 5), standing, chance)
    flags, chance = _worths((1, 2), range(FLAG_ROOM[walls] + 1), chance)
    residents, chance = _within(range(2, 36), chance)
    if layout.name == "architect":
        guests, chance = chance.sample(guests_named(*_COUNTING_CROWNS), min(floors, 2))
    else:
        guests, chance = chance.sample(_opening(layout.name, 2).game.box.guests, floors)
    return Castle(floors, towers, walls, flags, residents, guests), chance


def _worths(values: tuple[int, ...], span: range, chance: Chance) -> tuple[tuple[int, ...], Chance]:
    number, chance = _within(span, chance)
    found = []
    for _ in range(number):
        worth, chance = chance.choice(values)
        found.append(worth)
    return tuple(found), chance


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
    known = [line for line in layout.lines if _is_known(line)]
    first, chance = chance.choice(known)
    across = [line for line in known if line != first and line.bits & first.bits]
    if castle.complete or len(across) < grade.lines - 1:
        return None
    others, chance = chance.sample(across, grade.lines - 1)
    crossing = Crossing(layout.board(_bits((first, *others))), castle, rival)
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


def _is_known(line: Line) -> bool:
    """Whether all that a line brings is known beforehand: no guest comes by it."""
    return not (line.gift.floor or line.gift.steal or line.gift.reactivate)


def _bits(lines: Iterable[Line]) -> int:
    """The squares of lines, each once."""
    return reduce(or_, (line.bits for line in lines))


def _printed(lines: Iterable[Line]) -> int:
    """The points that are printed beside lines."""
    return sum(line.gift.tower + line.gift.flag for line in lines)


ALL = "all"


def judge_crossing(crossing: Crossing) -> Callable[[object], Judgement]:
    """What judges a choice of lines: it clears them and counts."""
    offered = {_names(lines): crossing.clear(lines) for lines in crossing.choices()}
    most = max(done.points for done in offered.values())

    def judge(answer: object) -> Judgement:
        if answer == ALL:
            full = crossing.board.full_lines()
            breach = Breach(
                RULES["once_upon_a_castle/crossing"],
                f"{listed([line.name for line in full]).capitalize()} share squares.",
                tuple(line.name for line in full),
                "Choose some that do not cross.",
            )
            return Judgement(False, "They cannot all be cleared.", (breach,))
        if not isinstance(answer, str) or answer not in offered:
            raise NotationError(f"{quoted(answer)} is not one of the lines to choose from")
        if offered[answer].points < most:
            return Judgement(False, f"{offered[answer]} The other choice brings more.")
        others = [str(done) for names, done in offered.items() if names != answer]
        return Judgement(True, " ".join([str(offered[answer]), *others]))

    return judge


def draw_crossing(crossing: Crossing) -> Callable[[object], Scene]:
    """What shows the table before the choice or, with an answer, after the lines are cleared."""
    start = crossing.state()
    choices = {_names(lines): lines for lines in crossing.choices()}

    def draw(answer: object) -> Scene:
        if not isinstance(answer, str) or answer not in choices:
            return table_scene(start)
        after = crossing.clear(choices[answer]).state
        return table_scene(changed(start, boards=after.boards, castles=after.castles))

    return draw


def crossing_puzzle(kind: str, level: int, seed: int, crossing: Crossing) -> Puzzle:
    """The puzzle of full lines that cross."""
    choices = crossing.choices()
    cleared = {_names(lines): crossing.clear(lines) for lines in choices}
    best = max(cleared, key=lambda names: cleared[names].points)
    rules = [clause.rule for done in cleared.values() for clause in done.clauses]
    number = len(crossing.board.full_lines())
    everything = "Both" if number == 2 else f"All {number}"
    return Puzzle(
        kind,
        level,
        seed,
        prompt=_crossing_prompt(crossing),
        start=crossing,
        ask=Choose((*((names, names.capitalize()) for names in cleared), (ALL, everything))),
        solution=best,
        par=max(1, cleared[best].points),
        hints=_crossing_hints(cleared, best),
        rules=tuple(dict.fromkeys(("once_upon_a_castle/crossing", *rules))),
        judge=judge_crossing(crossing),
        draw=draw_crossing(crossing),
    )


def _crossing_prompt(crossing: Crossing) -> str:
    lines, castle = crossing.board.full_lines(), crossing.castle
    full = listed([line.name for line in lines])
    people = f" You have {_residents(castle)}." if any(one.gift.residents for one in lines) else ""
    crowns = [guest_card(guest) for guest in castle.guests if guest.symbol == "crown"]
    guests = f" Guests: {listed(crowns)}." if crowns else ""
    gone = " Another player has the sun." if crossing.rival.sun else ""
    return (
        f"{full.capitalize()} are full.{people}{guests}{gone} "
        "Which choice is worth more points right now?"
    )


def _residents(castle: Castle) -> str:
    """The residents of a castle, and what each number of them is worth."""
    return f"{castle.residents} residents ({track_words(track_of_residents())})"


def track_words(track: Track) -> str:
    """What the residents are worth, group by group.

    >>> track_words(Track((3, 6), (1, 5)))
    'up to 3: 1 point, 6: 5'
    """
    (first, *ends), (worth, *values) = track.ends, track.values
    later = "".join(f", {end}: {value}" for end, value in zip(ends, values, strict=True))
    return f"up to {first}: {points_words(worth)}{later}"


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


def _crossing_hints(cleared: dict[str, Cleared], best: str) -> tuple[str, str]:
    played = {clause.what for done in cleared.values() for clause in done.clauses}
    where = next((hint for what, hint in _LOOK.items() if what in played), "Compare the points.")
    (other,) = (names for names in cleared if names != best)
    return where, str(cleared[other])


def make_row_or_column(kind: str, level: int, seed: int, chance: Chance) -> Puzzle:
    """Say which of the full lines that cross are worth more."""
    grade = CROSSING_GRADES[level]
    crossing = first_good(lambda chance: _crossed(grade, chance), chance)
    return crossing_puzzle(kind, level, seed, crossing)


# -- count the score -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Slip:
    """A mistake in counting a castle, and how many points too many it makes."""

    extra: int
    words: str


def slips(castle: Castle, track: Track) -> Iterator[Slip]:
    """The mistakes that are made in counting a castle, some of them without effect."""
    yield from _resident_slips(castle.residents, track)
    towers, flags = castle.towers, castle.flags
    yield Slip(
        len(towers) - sum(towers), "a tower counts what is written on it [once_upon_a_castle/tower]"
    )
    yield Slip(castle.walls, "a wall itself has no points [once_upon_a_castle/wall]")
    yield Slip(
        castle.floors,
        "a floor itself has no points, only its guest [once_upon_a_castle/floor-guest]",
    )
    yield Slip(
        len(flags) - sum(flags), "a flag counts what is written on it [once_upon_a_castle/flags]"
    )
    yield Slip(-sum(flags), "flags count too [once_upon_a_castle/flags]")
    yield Slip(-SUN * castle.sun, f"the sun counts {SUN} [once_upon_a_castle/sun]")
    yield Slip(-CLOUD * castle.cloud, f"the cloud counts {CLOUD} [once_upon_a_castle/end]")
    small = castle.small_clouds
    yield Slip(
        (CLOUD - SMALL_CLOUD) * small,
        "a small cloud counts 2 [once_upon_a_castle/guest-shepherdess]",
    )
    for guest in castle.guests:
        yield from _guest_slips(guest, castle)
    worth = sum(guest_points(guest, castle) for guest in castle.guests)
    yield Slip(-worth, "guests count too [once_upon_a_castle/score]")


def _resident_slips(residents: int, track: Track) -> Iterator[Slip]:
    value = track.value(residents)
    met = [0, *(end for end in track.ends if end < residents)]
    earlier = [track.value(end) for end in met]
    yield Slip(
        residents - value, "only the group of the last resident counts [once_upon_a_castle/score]"
    )
    yield Slip(
        sum(earlier), "the groups before the last one do not count again [once_upon_a_castle/score]"
    )
    if residents not in track.ends:
        yield Slip(
            earlier[-1] - value, "the last group counts even if not full [once_upon_a_castle/score]"
        )
    yield Slip(-value, "residents count too [once_upon_a_castle/score]")


def _guest_slips(guest: Guest, castle: Castle) -> Iterator[Slip]:
    if not guest.power:
        yield Slip(
            -guest.points,
            f"the guest worth {guest.points} counts too [once_upon_a_castle/floor-guest]",
        )
        return
    rule, worth = POWERS[guest.power].rule, guest_points(guest, castle)
    yield Slip(-worth, f"the {guest.name} brings {points_words(worth)} [{rule}]")
    if guest.power == "per-crown":
        yield Slip(-1, f"the {guest.name} counts herself too [{rule}]")
    elif guest.power == "per-tower":
        more = sum(castle.towers) - len(castle.towers)
        yield Slip(more, f"the {guest.name} counts towers, not what is written on them [{rule}]")
    elif guest.power == "per-flag":
        more = sum(castle.flags) - len(castle.flags)
        yield Slip(more, f"the {guest.name} counts flags, not what is written on them [{rule}]")


def addends(castle: Castle) -> int:
    """How many numbers make up the score of a castle."""
    sky = castle.sun + castle.cloud + castle.small_clouds
    return len(castle.towers) + len(castle.flags) + len(castle.guests) + sky + 1


@dataclass(frozen=True, slots=True)
class ScoreGrade:
    """A level of count-the-score."""

    addends: range
    options: int
    residents: range
    floors: range = range(1)
    walls: range = range(1, 3)
    flags: bool = False
    sky: bool = False
    guests: tuple[str, ...] = ()  # of the Great Architect; the Apprentice has others


_BOLTS_AND_HOURGLASSES = ("miner", "magician", "cook", "guard", "troll")
SCORE_GRADES = {
    1: ScoreGrade(range(3, 5), 4, range(2, 11)),
    2: ScoreGrade(range(5, 7), 4, range(6, 21), flags=True),
    3: ScoreGrade(range(7, 10), 5, range(11, 31), range(1, 4), flags=True, sky=True),
    4: ScoreGrade(
        range(10, 12),
        5,
        range(11, 36),
        range(2, 5),
        range(2, 5),
        True,
        True,
        ("jester", "prince", "queen", *_BOLTS_AND_HOURGLASSES),
    ),
    5: ScoreGrade(
        range(12, 17),
        5,
        range(16, 41),
        range(3, 5),
        range(3, 5),
        True,
        True,
        ("courtesan", "king", "princess", "prince", "shepherdess", *_BOLTS_AND_HOURGLASSES),
    ),
}


def _to_count(grade: ScoreGrade, chance: Chance) -> Castle | None:
    """A castle with as much to add up as the level wants."""
    floors, chance = _within(grade.floors, chance)
    walls, chance = _within(grade.walls, chance)
    towers, chance = _worths((2, 5), range(2, MOST + 1), chance)
    flags, chance = _worths((1, 2), range(FLAG_ROOM[walls] * grade.flags + 1), chance)
    residents, chance = _within(grade.residents, chance)
    if grade.guests:
        guests, chance = chance.sample(guests_named(*grade.guests), floors)
    else:
        guests, chance = chance.sample(_opening("apprentice", 2).game.box.guests, floors)
    castle = Castle(floors, towers, walls, flags, residents, guests)
    if grade.sky:
        castle = changed(castle, sun=len(towers) == MOST, cloud=castle.complete)
    if any(guest.power == "cloud-for-any" for guest in guests):
        number, chance = _within(range(1, 3), chance)
        castle = changed(castle, small_clouds=number)
    if (len(towers) == MOST) != grade.sky:
        return None
    crowns = any(guest.symbol == "crown" for guest in guests)
    if addends(castle) not in grade.addends or (grade.guests and not crowns):
        return None
    return castle


def wrong_totals(castle: Castle) -> dict[int, tuple[str, ...]]:
    """The totals that mistakes lead to, and what is to be said about each."""
    track = track_of_residents()
    right = score(castle, track).total
    found: dict[int, tuple[str, ...]] = {}
    for slip in slips(castle, track):
        total = right + slip.extra
        if slip.extra and total > 0:
            found[total] = (*found.get(total, ()), slip.words)
    return found


def score_puzzle(
    kind: str, level: int, seed: int, castle: Castle, options: Iterable[int], prompt: str = ""
) -> Puzzle:
    """The puzzle of counting a castle: its score is among the options."""
    points = score(castle, track_of_residents())
    wrong = wrong_totals(castle)
    offered = {str(total): total for total in sorted(options)}

    def judge(answer: object) -> Judgement:
        if not isinstance(answer, str) or answer not in offered:
            raise NotationError(f"{quoted(answer)} is not one of the totals to choose from")
        if offered[answer] == points.total:
            return Judgement(True, _sum_words(castle))
        reasons = wrong.get(offered[answer], ())
        said = f" Remember: {'; or '.join(reasons[:2])}." if reasons else ""
        return Judgement(False, f"{answer} is not the score.{said}")

    def draw(answer: object) -> Scene:
        if not isinstance(answer, str) or answer not in offered:
            return castle_scene(castle, title="How many points?", counted=False)
        if offered[answer] != points.total:
            return castle_scene(castle, title=f"{answer} points?", counted=False)
        return castle_scene(castle, title=f"{answer} points")

    return Puzzle(
        kind,
        level,
        seed,
        prompt=prompt or _score_prompt(castle),
        start=castle,
        ask=Choose(tuple((text, points_words(total)) for text, total in offered.items())),
        solution=str(points.total),
        par=max(1, points.total),
        hints=(
            "Five parts count: towers, the sky, residents, flags and guests.",
            f"Towers and flags make {points.towers + points.flags}, residents {points.residents}.",
        ),
        rules=_score_rules(castle),
        judge=judge,
        draw=draw,
    )


def _sum_words(castle: Castle) -> str:
    """The score of a castle as a sum."""
    points = score(castle, track_of_residents())
    parts = {
        "towers": points.towers,
        "sun and clouds": points.sky,
        "residents": points.residents,
        "flags": points.flags,
        "guests": points.guests,
    }
    counted = [f"{name} {number}" for name, number in parts.items() if number]
    total = f" = {points.total}" if len(counted) > 1 else ""
    return f"{' + '.join(counted).capitalize()}{total}."


def _score_prompt(castle: Castle) -> str:
    guests = listed([guest_card(guest) for guest in castle.guests]) if castle.guests else ""
    visit = f" Guests: {guests}." if guests else ""
    return f"This castle has {_residents(castle)}.{visit} What is its score?"


def guest_card(guest: Guest) -> str:
    """A guest as far as it matters in counting.

    >>> guest_card(Guest("king", 0, "per-flag", "crown"))
    'King (Crown, 1 point for each flag)'
    """
    if not guest.power:
        return f"one worth {guest.points}"
    worth = points_words(guest.points) if guest.points else POWERS[guest.power].words
    return f"{guest.name.capitalize()} ({guest.symbol.capitalize()}, {worth})"


def _score_rules(castle: Castle) -> tuple[str, ...]:
    guests = [
        POWERS[guest.power].rule if guest.power else "once_upon_a_castle/floor-guest"
        for guest in castle.guests
    ]
    return tuple(
        dict.fromkeys(
            (
                "once_upon_a_castle/score",
                *["once_upon_a_castle/tower"] * bool(castle.towers),
                *["once_upon_a_castle/flags"] * bool(castle.flags),
                *["once_upon_a_castle/wall"] * bool(castle.walls),
                *["once_upon_a_castle/sun"] * castle.sun,
                *["once_upon_a_castle/end"] * castle.cloud,
                *guests,
            )
        )
    )


def make_count_the_score(kind: str, level: int, seed: int, chance: Chance) -> Puzzle:
    """Count a castle; the wrong totals are those of well-known mistakes."""
    grade = SCORE_GRADES[level]

    def position(chance: Chance) -> tuple[Castle, tuple[int, ...]] | None:
        castle = _to_count(grade, chance.split("castle"))
        if castle is None:
            return None
        wrong, _ = chance.shuffle(tuple(wrong_totals(castle)))
        if len(wrong) < grade.options - 1:
            return None
        return castle, wrong[: grade.options - 1]

    castle, wrong = first_good(position, chance)
    right = score(castle, track_of_residents()).total
    return score_puzzle(kind, level, seed, castle, (right, *wrong))


KINDS: dict[str, Maker] = {
    "once_upon_a_castle/complete-a-line": make_complete_a_line,
    "once_upon_a_castle/row-or-column": make_row_or_column,
    "once_upon_a_castle/count-the-score": make_count_the_score,
}
