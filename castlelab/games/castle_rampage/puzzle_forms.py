"""What a puzzle of Castle Rampage can ask for: how an attack ends, a turn, stacks, an answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from castlelab.authoring import Lesson, drafter, puzzle_maker
from castlelab.games.castle_rampage.attack import BROKEN
from castlelab.games.castle_rampage.battle import Battle
from castlelab.games.castle_rampage.box import CardRow, cards_named, house_box
from castlelab.games.castle_rampage.card import STACKS, Card
from castlelab.games.castle_rampage.moves import Play, read_move
from castlelab.games.castle_rampage.picture import battle_scene
from castlelab.games.castle_rampage.play import RampageState
from castlelab.games.castle_rampage.puzzle_how_far import (
    Onset,
    all_endings,
    ending,
    far_puzzle,
    offered_endings,
)
from castlelab.games.castle_rampage.puzzle_lethal import (
    AttackTurn,
    Lethal,
    felled,
    find_turn,
    lethal_hints,
    lethal_rules,
    play_turn,
    refused_turn,
    still_stands,
)
from castlelab.games.castle_rampage.puzzle_stack_well import (
    Defence,
    Raid,
    Stacking,
    StackWell,
    defend,
    every_stacking,
    read_raids,
    read_stacking,
    stack_puzzle,
)
from castlelab.games.castle_rampage.table import LAID
from castlelab.puzzles import ChooseOne, Code, Judgement, Puzzle
from castlelab.rules import CastlelabError, NotationError, counted, listed, quoted

_MOST_CARDS = 8  # in a row: so many a picture shows by name
_TRIED = 50_000  # moves, on the way to a turn that does it
_TRIED_ON = 10_000  # … and to see whether a move may still lead there
_DONE = "That does it."
_OPTIONS = 4
_MOST_OPTIONS, _LONGEST_OPTION, _LONGEST_POINT = 8, 80, 300
_ENDINGS = "'gate 1 holds', 'castle 2 even', 'gate 2 bomb' or 'castle falls'"


def _row(text: str) -> str:
    """Cards as the box writes their names."""
    cards = cards_named(text)
    if len(cards) > _MOST_CARDS:
        raise NotationError(f"{len(cards)} cards are too many to show; {_MOST_CARDS} will do")
    return ", ".join(map(str, cards))


def _raids(text: str) -> str:
    return ", ".join(map(str, read_raids(text)))


def _stacks(text: str) -> str:
    return str(read_stacking(text)) if text else ""


def _read_play(text: str) -> Play:
    """The move that plays a card: "Giant for Priest", with or without the word "play"."""
    words = text.split()
    told = words[1:] if words[:1] and words[0].lower() == "play" else words
    move = read_move(" ".join(["play", *told]), house_box())
    assert isinstance(move, Play)
    return move


def _played(text: str) -> str:
    return str(_read_play(text)).removeprefix("play ")


_TABLE: dict[str, Callable[[str], str]] = dict.fromkeys(
    ("gate", "castle", "helpers", "guards", "own_gate", "own_castle"), _row
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _CardLesson(Lesson):
    """A lesson about cards: names, cards and rows of either are kept as one text."""

    notations: ClassVar[Mapping[str, Callable[[str], str]]] = {}  # field → how it is kept

    def __post_init__(self) -> None:
        for name in self.notations:
            if isinstance(given := getattr(self, name), list | tuple | int):
                row = (given,) if isinstance(given, int) else given
                texts = (
                    str(each) if isinstance(each, str | Card | Raid) else quoted(each)
                    for each in row
                )
                object.__setattr__(self, name, ", ".join(texts))
        Lesson.__post_init__(self)
        for name, kept in self.notations.items():
            try:
                object.__setattr__(self, name, kept(getattr(self, name)))
            except CastlelabError as error:
                raise NotationError(f"{name}: {error}") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class _TableLesson(_CardLesson):
    """A lesson about a table on which everything lies face up, top card first."""

    notations: ClassVar = _TABLE

    gate: str = ""
    castle: str
    helpers: str = ""
    guards: str = ""
    own_gate: str = "Knight, Archer"
    own_castle: str = "Archer, Knight"

    def battle_with(self, hand: CardRow, coming: CardRow = ()) -> Battle:
        """The middle of a turn with that hand; an error where the game would be over."""
        names = (self.gate, self.castle, self.helpers, self.guards, self.own_gate, self.own_castle)
        gate, castle, helpers, guards, own_gate, own_castle = map(cards_named, names)
        for name, cards in (("castle", castle), ("own_castle", own_castle)):
            if not cards:
                raise CastlelabError(f"{name} has no cards: such a Castle has fallen already")
        for name, cards in (("helpers", helpers), ("guards", guards)):
            for card in cards:
                if not card.permanent:
                    raise CastlelabError(
                        f"{name} are permanent cards, such as a Banner bearer; the {card} is none"
                    )
        return Battle(gate, castle, hand, helpers, guards, own_gate, own_castle, coming)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackLesson(_TableLesson):
    """when you ``play`` a card against a ``gate`` and a ``castle``, top cards first.

    ``play`` is a card with what pays for it, as in "Giant for Priest"; the prompt begins with
    it. ``helpers`` and ``guards`` are permanent cards of yours and of the enemy. ``options``
    are endings such as "gate 2 holds", "castle 1 even", "gate 1 bomb" and "castle falls";
    without them, likely ones are offered. There is no ``goal``: the attack itself decides.

    >>> from castlelab.games import castle_rampage
    >>> made = castle_rampage.puzzle(
    ...     "How does the attack end?", play="Knight", gate="Archer", castle="Castellan, Ogre"
    ... )
    >>> print(made)
    castle_rampage/own: You play Knight. How does the attack end?
    >>> made.solution
    'castle 1 holds'
    """

    about: ClassVar = "how an attack ends"
    notations: ClassVar = {**_TABLE, "play": _played}

    play: str
    options: tuple[str, ...] = ()
    own_gate: str = ""
    own_castle: str = "Knight, Archer"

    @property
    def onset(self) -> Onset:
        """The attack, if it is one that needs nobody's choice."""
        move = _read_play(self.play)
        cards = house_box().card
        battle = self.battle_with((cards(move.card), *map(cards, move.paid)))
        if breaches := battle.state().check(move).breaches:
            said = f"{breaches[0].message} [{breaches[0].rule}]"
            raise CastlelabError(f"play is {quoted(self.play)}: {said}")
        onset = Onset(battle, move)
        if onset.attacker.attack is None:
            raise CastlelabError(f"play is {quoted(self.play)}: the {move.card} does not attack")
        after = onset.after()
        if after.pause is not None:
            raise CastlelabError("this attack waits for somebody's choice; leave that card out")
        if after.loser == 0:
            raise CastlelabError("this attack fells your own Castle; put more cards into it")
        return onset

    def puzzle(self, code: Code) -> Puzzle:
        if self.goal is not None:
            raise CastlelabError("how an attack ends is no matter of a goal; leave goal=… out")
        onset = self.onset
        made = far_puzzle(code, onset, self._offered(onset))
        asked = f"You {onset.move}.{onset.battle.tell()} {self.prompt}"
        solution = made.read(self.solution) if self.solution else made.solution
        return replace(self.dressed(made), prompt=asked, solution=solution)

    def _offered(self, onset: Onset) -> tuple[str, ...]:
        """The endings to choose from; an error if one cannot be, or the true one is missing."""
        if not self.options:
            return offered_endings(onset, _OPTIONS)
        every, truth = all_endings(onset.battle), ending(onset.after(), onset.battle)
        options = tuple(dict.fromkeys(" ".join(each.lower().split()) for each in self.options))
        for option in options:
            if option not in every:
                gate, castle = len(onset.battle.gate), len(onset.battle.castle)
                raise CastlelabError(
                    f"{quoted(option)} is no ending of this attack; endings are like {_ENDINGS}, "
                    f"with {counted(gate, 'card')} at the Gate and {castle} at the Castle"
                )
        if truth not in options:
            raise CastlelabError(f"this cannot be solved: {truth!r} is not among the options")
        if len(options) < 2:
            raise CastlelabError("one ending alone is no choice; name two options or more")
        return options

    def find_solution(self) -> str:
        """How it ends: the attack tells."""
        onset = self.onset
        return ending(onset.after(), onset.battle)


@dataclass(frozen=True, slots=True, kw_only=True)
class _PointedLesson(_TableLesson):
    """A lesson with something to say to whoever falls short: what it is about."""

    besides: ClassVar = (*Lesson.besides, "point")

    point: str = ""

    def __post_init__(self) -> None:
        _CardLesson.__post_init__(self)
        if len(self.point) > _LONGEST_POINT or not self.point.isprintable():
            raise CastlelabError(
                f"{quoted(self.point)}: a point has at most {_LONGEST_POINT} letters"
            )

    def told(self, words: str) -> str:
        """Words with the point after them."""
        return f"{words} {self.point}".rstrip()


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnLesson(_PointedLesson):
    """with a ``hand`` against a ``gate`` and a ``castle``, top cards first.

    ``helpers`` and ``guards`` are permanent cards of yours and of the enemy, ``own_gate`` and
    ``own_castle`` your stacks, ``coming`` what the pile brings if something draws.

    It is solved when the Castle falls or, if that is asked for, when the Gate is gone
    (``opens``), when a card that defends so much ``strengthens`` a stack, when the hand ``lays``
    these cards ("castle Ogre"): by all that is named; ``keeps`` are cards that are still in hand
    then. ``point`` is said to whoever falls short. A ``goal`` is a function of the state of the
    game after the turn, in which you are seat 0; the Castle need not fall then.

    >>> from castlelab.games import castle_rampage
    >>> made = castle_rampage.puzzle(
    ...     "Bring the Castle down.", hand="Giant, Knight, Priest", gate="Archer", castle="Knight"
    ... )
    >>> str(made.solution)
    'play Knight'
    """

    about: ClassVar = "a turn to find"
    notations: ClassVar = {**_TABLE, "hand": _row, "coming": _row, "lays": _stacks, "keeps": _row}

    hand: str
    coming: str = ""
    opens: bool = False
    strengthens: int = 0
    lays: str = ""
    keeps: str = ""

    @property
    def battle(self) -> Battle:
        """Everything that lies on the table; an error if more would have to be known."""
        battle = self.battle_with(cards_named(self.hand), cards_named(self.coming))
        if self.strengthens < 0:
            raise CastlelabError(
                f"strengthens is {quoted(self.strengthens)}; a defence is no less than 0"
            )
        for card in (*battle.gate, *battle.castle):
            if card.when_destroyed in ("sabotage", "spy"):
                raise CastlelabError(
                    f"the {card} lets the enemy choose something in your turn; leave it out"
                )
        taken = battle.own_castle if any(card.does("take-castle") for card in battle.hand) else ()
        held = (*battle.hand, *battle.coming, *taken)
        drawn = sum(card.numbers.get("draw", 0) for card in held)
        if drawn > len(battle.coming):
            raise CastlelabError(
                f"{counted(drawn, 'card')} may be drawn in this turn, and {len(battle.coming)} "
                "are known; say with coming=… what the pile brings"
            )
        return battle

    @property
    def fells(self) -> bool:
        """Whether the Castle must fall: nothing else is asked for."""
        return self.goal is None and not (self.opens or self.strengthens or self.lays)

    @property
    def _practised(self) -> tuple[str, ...]:
        """The rules of a turn that need not fell a Castle."""
        builds = ("castle_rampage/strengthen",) * bool(self.strengthens or self.lays)
        attacks = ("castle_rampage/target", BROKEN) * self.opens
        return builds + attacks or ("castle_rampage/play",)

    def puzzle(self, code: Code) -> Puzzle:
        battle = self.battle
        ask = Lethal(battle.state())
        solution = ask.read(self.solution)
        made = self.asking(
            code,
            ask,
            start=ask.state,
            solution=solution,
            par=len(solution.moves),
            hints=lethal_hints(battle, solution) if self.fells else ("", ""),
            rules=lethal_rules(battle) if self.fells else self._practised,
            judge=self.judge,
            draw=ask.draw,
        )
        return replace(made, prompt=f"{self.prompt}{battle.tell()}")

    def judge(self, turn: AttackTurn) -> Judgement:
        """Play the turn, then see whether it does what was asked for."""
        played = play_turn(Lethal(self.battle.state()), turn)
        if not played.verdict:
            return refused_turn(turn, played, self._in_reach)
        loser = played.state.loser
        if loser == 0 or (self.fells and loser is None):
            return Judgement(False, self.told(still_stands(played).message))
        if short := self._short_of(played.state):
            return Judgement(False, self.told(short))
        return felled(turn, played) if loser == 1 else Judgement(True, self.point or _DONE)

    def _reached(self, state: RampageState) -> bool:
        if state.loser == 0 or (self.fells and state.loser is None):
            return False
        return not self._short_of(state)

    def _in_reach(self, state: RampageState) -> bool:
        """Whether it may still be reached in this turn."""
        if state.active != 0:
            return False
        return self._reached(state) or bool(find_turn(state, self._reached, _TRIED_ON).turn)

    def _short_of(self, state: RampageState) -> str:
        """What is missing besides a fallen Castle, in words; "" if nothing is."""
        return next(filter(None, self._shortcomings(state)), "")

    def _shortcomings(self, state: RampageState) -> Iterator[str]:
        if self.opens and state.sides[1].gate.cards:
            yield "The Gate still stands."
        laid = _laid(state)
        defences = [card.defence(stack) for stack in STACKS for card in getattr(laid, stack)]
        if self.strengthens and not defences:
            yield "Nothing has been strengthened yet."
        elif self.strengthens > max(defences, default=0):
            yield f"The new card defends only {max(defences)} there."
        wanted = read_stacking(self.lays) if self.lays else Stacking()
        for stack in STACKS:
            for card in Counter(getattr(wanted, stack)) - Counter(getattr(laid, stack)):
                yield f"The {card} is not in your {stack.title()} yet."
        yield self.missing(state)
        held = Counter(state.game.names(state.sides[0].hand))
        for name in Counter(card.name for card in cards_named(self.keeps)) - held:
            yield f"That is done, but your {name} has gone."
        if state.pause is not None:
            yield f"Something is still to be chosen: {listed(state.options())}."

    def find_solution(self) -> str:
        """The shortest turn that does it."""
        state = self.battle.state()
        if self._reached(state):
            return "end"  # and so it is solved before it begins
        fewest = len(state.sides[1].castle.cards)

        def reached(after: RampageState) -> bool:
            nonlocal fewest
            if after.loser != 0:
                fewest = min(fewest, len(after.sides[1].castle.cards))
            return self._reached(after)

        found = find_turn(state, reached, _TRIED)
        if found.turn is None:
            raise CastlelabError(self._why_not(found.whole, fewest))
        return str(found.turn)

    def _why_not(self, whole: bool, fewest: int) -> str:
        """Why no turn was found: all were tried or not, so many cards of the Castle are left."""
        if not whole:
            return f"none of {_TRIED:,} moves leads to what is asked for; name a turn, solution=…"
        if self.fells and fewest:
            return (
                "this cannot be solved: whatever this hand plays, "
                f"{counted(fewest, 'card')} of the Castle or more will stand"
            )
        return "this cannot be solved: no turn with this hand does all that is asked for"


def _laid(state: RampageState) -> Stacking:
    """The cards that have gone under the own stacks in this turn."""
    cards = state.game.box.cards
    rows = (
        tuple(cards[at] for at, mark in zip(*stack, strict=True) if mark != LAID)
        for stack in (state.sides[0].gate, state.sides[0].castle)
    )
    return Stacking(*rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class StackLesson(_CardLesson):
    """so many ``cards`` go ``at_gate``, the others to the Castle, against ``attacks``.

    The attacks are strengths, as in "9, 3 past the Gate" or (4, 6); they come one after the
    other. It is solved when so many cards of the Castle are left ``standing``. A ``goal`` is a
    function of the `Defence`: its ``assaults`` and, as ``stacking``, what they have left.

    >>> from castlelab.games import castle_rampage
    >>> made = castle_rampage.puzzle(
    ...     "Stack them.", cards="Knight, Archer, Ogre", at_gate=1, attacks="4, 6"
    ... )
    >>> str(made.solution)
    'gate Knight / castle Archer, Ogre'
    """

    about: ClassVar = "cards to stack"
    notations: ClassVar = {"cards": _row, "attacks": _raids}

    cards: str
    at_gate: int
    attacks: str
    standing: int = 1

    @property
    def ask(self) -> StackWell:
        """The cards, where they go, and what comes."""
        cards = cards_named(self.cards)
        castle = len(cards) - self.at_gate
        if self.at_gate < 0 or castle < 1:
            raise CastlelabError(
                f"at_gate is {quoted(self.at_gate)}; of {counted(len(cards), 'card')} "
                "at least one goes to the Castle"
            )
        if self.standing < 1:
            raise CastlelabError(
                f"standing is {quoted(self.standing)}; a Castle has at least one card"
            )
        return StackWell(cards, self.at_gate, castle, read_raids(self.attacks))

    def puzzle(self, code: Code) -> Puzzle:
        solution = read_stacking(self.solution)
        if not solution.castle:
            raise CastlelabError(f"the solution {solution} leaves the Castle without a card")
        made = stack_puzzle(code, self.ask, solution)
        return self.dressed(replace(made, judge=self.judge))

    def judge(self, stacking: Stacking) -> Judgement:
        """Judge stacks by attacking them, then by what is left."""
        judgement = self.ask.judge(stacking)
        if not judgement:
            return judgement
        short = self._short_of(defend(stacking, self.ask.attacks))
        return Judgement(False, f"{judgement.message} {short}") if short else judgement

    def _short_of(self, done: Defence) -> str:
        left = len(done.stacking.castle)
        if left < self.standing:
            kept = f"{counted(left, 'card')} of the Castle {_are(left)}"
            return f"Only {kept} left. Keep {quoted(self.standing)}."
        return self.missing(done)

    def find_solution(self) -> str:
        """The first stacks that hold, of all there are."""
        ask, most = self.ask, 0
        for stacking in every_stacking(ask):
            done = defend(stacking, ask.attacks)
            most = max(most, len(done.stacking.castle))
            if done.stands and not self._short_of(done):
                return str(stacking)
        if not most:
            raise CastlelabError(
                "this cannot be solved: the Castle falls, however these cards are stacked"
            )
        if most < self.standing:
            raise CastlelabError(
                f"this cannot be solved: {counted(most, 'card')} of the Castle {_are(most)} left "
                f"at best, and {quoted(self.standing)} are asked for"
            )
        raise CastlelabError("this cannot be solved: no stacks of these cards reach the goal")


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableQuestion(_PointedLesson):
    """with ``options`` to choose from, of which ``solution`` is right.

    It is about a table, as that of a turn: a ``hand``, a ``gate`` and a ``castle``, ``helpers``
    and ``guards``, ``own_gate`` and ``own_castle``. ``point`` is said of every answer. A
    ``goal``, instead of the solution, is a function of the option that was chosen.
    """

    about: ClassVar = "a question"
    notations: ClassVar = {**_TABLE, "hand": _row}

    options: tuple[str, ...]
    hand: str = ""

    @property
    def ask(self) -> ChooseOne:
        """What there is to choose from."""
        options = [" ".join(each.split()) for each in self.options]
        number = len({each.lower() for each in options})
        if not 2 <= number == len(options) <= _MOST_OPTIONS:
            raise CastlelabError(
                f"a question has 2 to {_MOST_OPTIONS} different options, not {quoted(self.options)}"
            )
        for each in options:
            if not 1 <= len(each) <= _LONGEST_OPTION or not each.isprintable():
                raise CastlelabError(
                    f"{quoted(each)}: an option has 1 to {_LONGEST_OPTION} letters"
                )
        return ChooseOne(tuple((each, each) for each in options))

    def puzzle(self, code: Code) -> Puzzle:
        state = self.battle_with(cards_named(self.hand)).state()
        return self.asking(
            code,
            self.ask,
            start=state,
            solution=self.ask.read(self.solution),
            par=1,
            judge=self.judge,
            draw=lambda _: battle_scene(state, face_up=(0, 1)),
        )

    def judge(self, option: str) -> Judgement:
        """Compare a choice with the one that is right, or ask the goal."""
        if self.goal is not None:
            short = self.missing(option)
        else:
            short = "" if option == self.ask.read(self.solution) else f"It is not “{option}”."
        return Judgement(not short, self.told(short or f"Yes: {option}."))

    def find_solution(self) -> str:
        """The first option that the goal accepts; nobody else can say which is right."""
        if self.goal is None:
            raise CastlelabError("say which of the options is right, with solution=…")
        right = [option for option, _ in self.ask.options if not self.missing(option)]
        if not right:
            raise CastlelabError("this cannot be solved: the goal accepts none of the options")
        return right[0]


draft = drafter(AttackLesson, TurnLesson, StackLesson, TableQuestion)
puzzle = puzzle_maker("castle_rampage", draft)
