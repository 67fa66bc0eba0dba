"""What a puzzle of Castle Keep can ask for: tiles to lay, the tile that fits, the best attack."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from castlelab.authoring import Lesson, drafter, puzzle_maker
from castlelab.games.castle_keep.castle import SPOTS, Castle, Tile, at_words, held_words, place_of
from castlelab.games.castle_keep.count import hand_of
from castlelab.games.castle_keep.moves import read_spot
from castlelab.games.castle_keep.puzzle_finish_it import (
    BuildPlan,
    Finish,
    Laid,
    lay,
    plans,
    read_plan,
    refused_plan,
    unfinished,
)
from castlelab.games.castle_keep.puzzles import MarkedSpot, Siege
from castlelab.games.castle_keep.tile_picture import kind_for
from castlelab.puzzles import Code, Hints, Judgement, Puzzle
from castlelab.rules import CastlelabError, counted, either, whole_number

_TRIED = 50_000  # castles: all that there are, of any but the largest hands
_MOST_CASTLES = 3  # of opponents: four play


def _in_line(row: Any) -> Any:
    """Pieces in a row as one text; what is no row stays what it is."""
    is_row = isinstance(row, Iterable) and not isinstance(row, str)
    return " ".join(map(str, row)) if is_row else row


def _standing_castle(text: str) -> Castle:
    """A castle in which every tile has a spot of its kind; attacks may have left the rest."""
    castle = Castle.parse(text)
    for place, tile in enumerate(castle.places):
        if tile is not None and tile.kind != kind_for(SPOTS[place]):
            breach = castle.check(tile, SPOTS[place]).breaches[0]
            raise CastlelabError(f"this castle cannot stand: {breach.message} [{breach.rule}]")
    return castle


# -- tiles to lay ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class TileLesson(Lesson):
    """on a ``castle``, from a ``hand``; ``last_matches_both`` as in the advanced game.

    The castle is to be finished, unless something else is named: so many ``tiles`` are laid, or
    the one that is ``wanted``, or a ``goal`` is reached, a function of the castle as it then
    stands.

    >>> from castlelab.games import castle_keep
    >>> made = castle_keep.puzzle(
    ...     "Finish the castle.", castle="TRC WRC TRC / WRC -- WRC / TRC -- TRC", hand="WBZ KR WYC"
    ... )
    >>> str(made.solution)
    'WYC s, KR c'
    """

    about: ClassVar = "tiles to lay"

    castle: str
    hand: str
    last_matches_both: bool = False
    tiles: int = 0
    wanted: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "hand", _in_line(self.hand))
        Lesson.__post_init__(self)
        whole_number(self.tiles, "the tiles to lay go", 0, len(SPOTS))

    @property
    def ask(self) -> Finish:
        """What the answer is laid on, and with what."""
        return Finish(_standing_castle(self.castle), hand_of(self.hand), self.last_matches_both)

    @property
    def to_finish(self) -> bool:
        """Whether nothing less than a whole castle is asked for."""
        return not (self.wanted or self.tiles) and self.goal is None

    def puzzle(self, code: Code) -> Puzzle:
        ask, solution = self.ask, read_plan(self.solution)
        return self.asking(
            code,
            ask,
            solution=solution,
            par=len(solution.steps),
            hints=_first_step(solution),
            rules=self._practised(solution),
            judge=self.judge,
            draw=ask.draw,
        )

    def _practised(self, solution: BuildPlan) -> tuple[str, ...]:
        """The rules that a solution meets."""
        ask = self.ask
        last = "castle_keep/adv-last-both" if ask.last_matches_both else "castle_keep/last-tile"
        closes = lay(ask, solution).castle.ring_closed and not ask.castle.ring_closed
        met = {
            "castle_keep/match": True,
            "castle_keep/keep-colour": any(step.tile.kind == "keep" for step in solution.steps),
            "castle_keep/lone-keep": ask.castle.only_keep,
            last: closes,
            "castle_keep/win-build": self.to_finish,
        }
        return tuple(rule for rule, is_met in met.items() if is_met)

    def judge(self, plan: BuildPlan) -> Judgement:
        """Judge a plan: is every step allowed, and does it reach what was asked for?"""
        laid = lay(self.ask, plan)
        if not laid.verdict:
            return refused_plan(plan, laid, self.ask if self.to_finish else None)
        return self._measure(laid)

    def _measure(self, laid: Laid) -> Judgement:
        if self.to_finish:
            if not laid.castle.complete:
                return unfinished(self.ask, laid)
            return Judgement(True, "The castle is complete. You win!")
        if short := self._short_of(laid) or self.missing(laid.castle):
            return Judgement(False, short)
        if self.wanted:
            return Judgement(True, f"The {Tile(self.wanted).words} stands.")
        done = f"{laid.steps} laid, and every tile fits." if laid.steps else "It is so already."
        return Judgement(True, done)

    def _short_of(self, laid: Laid) -> str:
        """What tiles that all fit lack, in words."""
        if self.wanted:
            tile = Tile(self.wanted)
            if laid.hand.count(tile) == hand_of(self.hand).count(tile):
                return f"Every tile fits, but the {tile.words} is not laid yet."
        if laid.steps < self.tiles:
            return f"Every tile fits. Lay {self.tiles}, not {laid.steps}."
        return ""

    def find_solution(self) -> str:
        """A plan that does it, with as few tiles as any."""
        if reason := self._cannot_begin():
            raise CastlelabError(f"this cannot be solved: {reason}")
        most, used = 0, set[Tile]()
        # Where it is known how many tiles it takes, no plan is too long.
        found = plans(self.ask, deep=not self.wanted and self.goal is None)
        for number, (plan, laid) in enumerate(found):
            if number == _TRIED:
                raise CastlelabError(
                    f"none of {_TRIED:,} castles is what is asked for; name one with solution=…"
                )
            if judgement := self._measure(laid):
                return _some_steps(plan, judgement)
            most = max(most, laid.steps)
            used.update(step.tile for step in plan.steps)
        raise CastlelabError(f"this cannot be solved: {self._why_not(most, used)}")

    def _cannot_begin(self) -> str:
        """What is wrong before anything is laid, in words."""
        ask = self.ask
        if self.wanted and Tile(self.wanted) not in ask.hand:
            return f"there is no {Tile(self.wanted).words} in the hand"
        for kind in ("tower", "wall", "keep") if self.to_finish else ():
            spots = [spot for spot in SPOTS if kind_for(spot) == kind]
            lacking = sum(ask.castle[spot] is None for spot in spots)
            held = sum(tile.kind == kind for tile in ask.hand)
            if held < lacking:
                needs = f"the castle lacks {counted(lacking, kind)}"
                return f"{needs}, and the hand has {held or 'none'}"
        return ""

    def _why_not(self, most: int, used: set[Tile]) -> str:
        """Why none of all castles does it, whose largest has so many tiles of the hand."""
        ask = self.ask
        never = [tile for tile in ask.hand if tile not in used]
        if self.wanted and Tile(self.wanted) in never:
            return f"the {Tile(self.wanted).words} never fits, whatever is laid before it"
        if not most:
            return "none of these tiles can be laid"
        wanted = len(SPOTS) - len(ask.castle) if self.to_finish else self.tiles
        if most < wanted:
            fits = "fit" if len({*never}) > 1 else "fits"
            idle = f"; {held_words(never)} never {fits}" if never else ""
            return f"at most {most} of these tiles can be laid, and {wanted} are asked for{idle}"
        return "no castle that these tiles make does all that is asked for"


def _some_steps(plan: BuildPlan, judgement: Judgement) -> str:
    """A plan that solves something in notation, which one without a step does not."""
    if not plan.steps:
        raise CastlelabError(f"this puzzle is solved before it begins: {judgement.message}")
    return str(plan)


def _first_step(plan: BuildPlan) -> Hints:
    first = plan.steps[0]
    start = f"Start with the {first.tile.words} {at_words(first.spot.spot)}."
    return ("Is there a spot that few of your tiles fit?", start)


# -- one to choose ---------------------------------------------------------------------------


def _check_choice(what: str, number: int) -> None:
    if number < 2:
        raise CastlelabError(f"a choice needs two {what} or more, not {number}")


def _refuse_free_choice(what: str, judgements: Iterable[Judgement]) -> None:
    if all(judgements):
        raise CastlelabError(f"this puzzle is solved before it begins: each of the {what} is right")


@dataclass(frozen=True, slots=True, kw_only=True)
class FitLesson(Lesson):
    """on the marked ``spot`` of a ``castle``: one tile of a ``hand`` is to be chosen.

    It is solved by any that may be laid there, with ``last_matches_both`` as in the advanced
    game. A ``goal`` is a function of the castle with that tile.

    >>> from castlelab.games import castle_keep
    >>> castle_keep.puzzle(
    ...     "Which fits?", castle="TRC WRC -- / -- -- WYZ / -- -- --", spot="ne", hand="TBZ TYC"
    ... ).solution
    'TYC'
    """

    about: ClassVar = "the tile that fits"

    castle: str
    spot: str
    hand: str
    last_matches_both: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "hand", _in_line(self.hand))
        Lesson.__post_init__(self)

    @property
    def gap(self) -> MarkedSpot:
        """The castle with its mark, and the tiles to choose from."""
        castle, spot = _standing_castle(self.castle), SPOTS[place_of(self.spot)]
        tiles = tuple(dict.fromkeys(hand_of(self.hand)))
        _check_choice("tiles", len(tiles))
        return MarkedSpot(castle, spot, tiles, self.last_matches_both)

    def puzzle(self, code: Code) -> Puzzle:
        gap = self.gap
        _refuse_free_choice("tiles", (self.judge(tile.text) for tile in gap.tiles))
        made = gap.puzzle(code, Tile(self.solution))
        return self.dressed(replace(made, judge=self.judge))

    def judge(self, answer: str) -> Judgement:
        """Judge the choice of a tile."""
        judgement = self.gap.judge(answer)
        short = self.missing(self.gap.laid(Tile(answer))) if judgement else ""
        return Judgement(False, short) if short else judgement

    def find_solution(self) -> str:
        """The first tile that will do; if there is none, what is wrong with each."""
        reasons = []
        for tile in self.gap.tiles:
            judgement = self.judge(tile.text)
            if judgement:
                return tile.text
            breaches = [breach.message for breach in judgement.breaches]
            reasons += breaches or [f"{tile.words.capitalize()}: {judgement.message}"]
        said = " ".join(dict.fromkeys(reasons))
        raise CastlelabError(f"this cannot be solved: none of these tiles is right. {said}")


@dataclass(frozen=True, slots=True, kw_only=True)
class BlastLesson(Lesson):
    """on the ``castles`` of opponents, called 2, 3 and 4, with a ``hand``.

    One of the ``targets`` is to be chosen, such as ``"2.n 2.e"``; none named, it is all that may
    be attacked, towers if you ``attack_towers``. It is solved by the attack to which most tiles
    fall, or so many as ``falls`` says, or by a ``goal``: a function of the castle that is left.

    >>> from castlelab.games import castle_keep
    >>> castle_keep.puzzle(
    ...     "Attack!", castles="TRC WRZ TYZ / WRC -- WYZ / TBC -- --", hand="WYZ WRC"
    ... ).solution
    '2.w'
    """

    about: ClassVar = "the best attack"

    castles: tuple[str, ...]
    hand: str
    targets: str = ""
    falls: int = 0
    attack_towers: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "castles", _castle_texts(self.castles))
        object.__setattr__(self, "hand", _in_line(self.hand))
        object.__setattr__(self, "targets", _in_line(self.targets))
        Lesson.__post_init__(self)
        whole_number(self.falls, "the tiles that fall go", 0, len(SPOTS))

    @property
    def siege(self) -> Siege:
        """The castles, the hand and the targets to choose from."""
        whole_number(len(self.castles), "the castles of opponents go", 1, _MOST_CASTLES)
        castles = tuple((str(name), _standing_castle(t)) for name, t in enumerate(self.castles, 2))
        for name, castle in castles:
            if castle.complete or not len(castle):
                over = "complete" if castle.complete else "empty"
                raise CastlelabError(f"castle {name} is {over}: nobody attacks it any more")
        siege = Siege(castles, hand_of(self.hand), self.attack_towers)
        named = [_read_target(siege, word) for word in self.targets.replace(",", " ").split()]
        usual = [at for at, tile in siege.standing() if tile.kind != "tower" or self.attack_towers]
        targets = tuple(dict.fromkeys(named or usual))
        _check_choice("targets", len(targets))
        return replace(siege, targets=targets)

    def puzzle(self, code: Code) -> Puzzle:
        siege = self.siege
        _refuse_free_choice("targets", map(self.judge, siege.targets))
        made = siege.puzzle(code, _read_target(siege, self.solution))
        return self.dressed(replace(made, judge=self.judge))

    def judge(self, answer: str) -> Judgement:
        """Judge the choice of a target."""
        siege = self.siege
        enough = self.falls or (siege.most() if self.goal is None else 1)
        judgement = siege.judge(answer, enough)
        short = self.missing(siege.left(answer)) if judgement else ""
        return Judgement(False, short) if short else judgement

    def find_solution(self) -> str:
        """The target of the attack that does it."""
        siege = self.siege
        found = next((target for target in siege.targets if self.judge(target)), None)
        if found is None:
            raise CastlelabError(f"this cannot be solved: {self._why_not(siege)}")
        return found

    def _why_not(self, siege: Siege) -> str:
        if not (most := siege.most()):
            return f"nothing can be attacked without {either(map(siege.weapons, siege.targets))}"
        if most < self.falls:
            return f"{most} tiles fall to the best attack, and {self.falls} are asked for"
        return "no attack does what is asked for"


def _castle_texts(given: Any) -> Any:
    """Castles as texts in a row; what is no row stays what it is."""
    row = (given,) if isinstance(given, str | Castle) else given
    return tuple(map(str, row)) if isinstance(row, Iterable) else row


def _read_target(siege: Siege, text: str) -> str:
    """A target at which something stands."""
    target, standing = str(read_spot(text)), dict(siege.standing())
    if target not in standing:
        raise CastlelabError(f"nothing stands at {target}; there is {either(standing)}")
    return target


draft = drafter(TileLesson, FitLesson, BlastLesson)
puzzle = puzzle_maker("castle_keep", draft)
