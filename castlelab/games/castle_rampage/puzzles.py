"""Castle Rampage's puzzles: three kinds, five levels each, made from a seed and proved solvable.

Every maker draws positions until one has what its level asks for. The attack, or the game
where a turn is asked for, judges the answers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from typing import TYPE_CHECKING, Literal, NamedTuple

from castlelab.chance import Chance
from castlelab.edition import Edition
from castlelab.game import Move
from castlelab.games.castle_rampage.attack import BROKEN, EVEN, HELD, PURPLE, Assault, Step, resolve
from castlelab.games.castle_rampage.box import house_box
from castlelab.games.castle_rampage.card import STACKS, Card, StackName, cards_in_words
from castlelab.games.castle_rampage.moves import Choose as MakeChoice
from castlelab.games.castle_rampage.moves import EndTurn, Play
from castlelab.games.castle_rampage.picture import attack_scene, bench_scene, table_scene
from castlelab.games.castle_rampage.play import CastleRampage, RampageState, with_mends
from castlelab.games.castle_rampage.table import Side, Stack
from castlelab.puzzles import Choose, Judgement, Maker, Puzzle, first_good, growing, not_yet
from castlelab.rules import LEGAL, NotationError, Verdict, listed, quoted

if TYPE_CHECKING:
    from castlelab.draw.scene import Scene

Cards = tuple[Card, ...]


def cards_named(names: str) -> Cards:
    """Cards of the house box: ``cards_named("Ogre, Knight")``."""
    return tuple(map(house_box().card, filter(str.strip, names.split(","))))


def _names(cards: Sequence[Card]) -> str:
    return ", ".join(map(str, cards))


def tell_stack(stack: StackName, cards: Cards) -> str:
    """A stack with the values that count in it: "Gate: Knight 3, Spy 2."."""
    told = ", ".join(f"{card} {card.defence(stack)}" for card in cards) or "no cards"
    return f"{stack.title()}: {told}."


def tell_step(step: Step) -> str:
    """What became of one card, with the rule that says so."""
    who = f"the {step.defender}" if isinstance(step.defender, Card) else "a card"
    at = step.stack.title()
    told = {
        HELD: f"At the {at} {who} holds, {step.defence} against {step.before}",
        EVEN: f"At the {at} {who} is even, {step.defence} against {step.before}: both fall",
        BROKEN: f"At the {at} {who} falls, {step.defence} against {step.before}: {step.after} left",
        PURPLE: f"And {who} takes the attacker with it",
    }
    return f"{told[step.rule]} [{step.rule}]."


def tell_steps(steps: Sequence[Step]) -> str:
    """A whole attack in one line."""
    return " ".join(map(tell_step, steps))


# -- a battle with everything face up --------------------------------------------------------


@cache
def _game() -> CastleRampage:
    return CastleRampage(2, Edition.load("castle_rampage"))


@dataclass(frozen=True, slots=True)
class Battle:
    """The middle of an attacker's turn, with everything face up."""

    gate: Cards  # the enemy's stacks, top first
    castle: Cards
    hand: Cards  # the attacker's
    helpers: Cards = ()  # permanent cards of the attacker …
    guards: Cards = ()  # … and of the enemy
    own_gate: Cards = ()
    own_castle: Cards = ()
    coming: Cards = ()  # what the pile brings next

    def left_in_box(self) -> Counter[Card]:
        """How many of each card are somewhere else; less than nothing if the box has too few."""
        box = house_box()
        left = Counter(dict(zip(box.cards, box.copies, strict=True)))
        for cards in (self.gate, self.castle, self.hand, self.helpers, self.guards):
            left.subtract(cards)
        for cards in (self.own_gate, self.own_castle, self.coming):
            left.subtract(cards)
        return left

    def state(self) -> RampageState:
        """The game at this moment. The attacker is seat 0."""
        attacker = Side(
            tuple(sorted(_places(self.hand))),
            Stack.of(_places(self.own_gate)),
            Stack.of(_places(self.own_castle)),
            tuple(sorted(_places(self.helpers))),
        )
        enemy = Side(
            gate=Stack.of(_places(self.gate)),
            castle=Stack.of(_places(self.castle)),
            permanents=tuple(sorted(_places(self.guards))),
        )
        return RampageState(
            game=_game(),
            sides=(attacker, enemy),
            pile=_places((*self.coming, *self.left_in_box().elements())),
            chance=Chance.seeded(0),
            starter=0,
            active=0,
            deals=2,
            turn=3,
        )

    def tell(self) -> str:
        """What one must know and the picture does not show."""
        told = []
        if any(card.does("take-castle") or card.does("fell-castles") for card in self.hand):
            told.append(f" Your own {tell_stack('castle', self.own_castle)}")
        if self.coming:
            told.append(f" The next card of the pile: {self.coming[0]}.")
        return "".join(told)


def _places(cards: Cards) -> tuple[int, ...]:
    places = house_box().places
    return tuple([places[card.name] for card in cards])


def _drawn_from(names: Sequence[str], number: int, chance: Chance) -> tuple[Cards, Chance]:
    """So many cards of these names, as likely as they are in the box."""
    box = house_box()
    deck = [box.card(name) for name in names for _ in range(box.copies[box.places[name]])]
    cards, chance = chance.sample(deck, number)
    return cards, chance


#: Cards that stand in the stacks of puzzles: each has values of its own.
DEFENDERS = (
    *("Knight", "Archer", "Giant", "Mercenary", "Gatekeeper", "Castellan", "Scout"),
    *("Arrow storm", "Pike wall"),
)


# -- stacks to arrange -----------------------------------------------------------------------

_STACKING_EXAMPLE = "'gate Ogre, Knight / castle Archer'"
_LONGEST_STACKING = 600
_PARTS = re.compile(r"[/;\n]")
_NOTHING = "-"


@dataclass(frozen=True, slots=True)
class Raid:
    """An attack to come: how strong it is, and where it begins.

    >>> str(Raid(9)), str(Raid(3, "castle"))
    ('9', '3 past the Gate')
    """

    strength: int
    target: StackName = "gate"

    def __str__(self) -> str:
        return f"{self.strength} past the Gate" if self.target == "castle" else f"{self.strength}"


@dataclass(frozen=True, slots=True)
class Stacking:
    """A Gate and a Castle, top card first. Prints as ``gate Ogre, Knight / castle Archer``."""

    gate: Cards = ()
    castle: Cards = ()

    def __str__(self) -> str:
        told = (", ".join(map(str, cards)) or _NOTHING for cards in (self.gate, self.castle))
        return " / ".join(f"{name} {names}" for name, names in zip(STACKS, told, strict=True))


def read_stacking(text: str) -> Stacking:
    """The stacks that a text means; anything else is a ``NotationError``.

    >>> str(read_stacking("castle archer; GATE ogre,  axe  man"))
    'gate Ogre, Axe man / castle Archer'
    """
    if not isinstance(text, str):
        raise NotationError(f"stacks are a text such as {_STACKING_EXAMPLE}, not {quoted(text)}")
    if len(text) > _LONGEST_STACKING:
        raise NotationError(f"stacks of {len(text)} characters are too much to be real")
    found: dict[str, Cards] = {}
    for part in filter(str.strip, _PARTS.split(text)):
        word, *names = part.split()
        name = word.lower()
        if name not in STACKS or name in found:
            raise NotationError(
                f"write the cards of the gate, then those of the castle, "
                f"such as {_STACKING_EXAMPLE}, not {quoted(' '.join(part.split()))}"
            )
        found[name] = _read_cards(" ".join(names))
    if not found:
        raise NotationError(f"write which cards go where, such as {_STACKING_EXAMPLE}")
    return Stacking(*(found.get(name, ()) for name in STACKS))


def _read_cards(text: str) -> Cards:
    names = [name for name in text.split(",") if name.strip()]
    if names == [_NOTHING]:
        return ()
    return tuple(map(house_box().card, names))


@dataclass(frozen=True, slots=True)
class StackWell:
    """An answer that is a `Stacking`: these cards, so many at each stack, against these attacks.

    The attacks come one after the other, as in one turn: what one has destroyed is gone.
    """

    cards: Cards
    gate: int  # how many of the cards go there
    castle: int
    attacks: tuple[Raid, ...]

    def read(self, text: str) -> Stacking:
        """Stacks in notation."""
        return read_stacking(text)

    def steps(self, answer: Stacking) -> tuple[Stacking, ...]:
        """Card by card, each stack from the bottom, as one lays it."""
        gates = [Stacking(answer.gate[at:]) for at in reversed(range(len(answer.gate)))]
        castles = [answer.castle[at:] for at in reversed(range(len(answer.castle)))]
        return (*gates, *(Stacking(answer.gate, castle) for castle in castles))


# -- turns to find ---------------------------------------------------------------------------

_TURN_EXAMPLE = "'play Knight; play Dragon for Archer, Spy'"
_LONGEST_TURN = 1_000
_MOST_MOVES = 20
_BREAK = re.compile(r"[;\n]")


@dataclass(frozen=True, slots=True)
class Turn:
    """Moves, one after the other. Prints as ``play Knight; play Dragon for Archer, Spy``."""

    moves: tuple[Move, ...] = ()

    def __str__(self) -> str:
        return "; ".join(map(str, self.moves))


@dataclass(frozen=True, slots=True)
class Lethal:
    """An answer that is a `Turn`: what fells the enemy's Castle from here.

    Everything is known in the state, and it is the middle of the attacker's turn.
    """

    state: RampageState

    def read(self, text: str) -> Turn:
        """A turn in notation; anything else is a ``NotationError``."""
        if not isinstance(text, str):
            raise NotationError(f"a turn is a text such as {_TURN_EXAMPLE}, not {quoted(text)}")
        if len(text) > _LONGEST_TURN:
            raise NotationError(f"a turn of {len(text)} characters is too long to be real")
        parts = [part for part in _BREAK.split(text) if part.strip()]
        if not parts:
            raise NotationError(f"write what to play, such as {_TURN_EXAMPLE}")
        if len(parts) > _MOST_MOVES:
            raise NotationError(f"a turn of {len(parts)} moves is too long; {_MOST_MOVES} will do")
        return Turn(tuple(map(self.state.game.move, parts)))

    def steps(self, answer: Turn) -> tuple[Turn, ...]:
        """Move by move."""
        return tuple(map(Turn, growing(answer.moves)))


# -- how far ---------------------------------------------------------------------------------

Even = Literal["both fall", "it holds", "it breaks"]


@dataclass(frozen=True, slots=True)
class Belief:
    """A way to read the rules of an attack, and what is said to whoever reads them wrongly."""

    said: str = ""
    rule: str = ""  # the one that was read wrongly; nothing where it depends on the card
    subtracts: bool = True  # what falls takes its value off the strength
    even: Even = "both fall"
    stoppers: tuple[str, ...] = ("bomb",)  # what takes the attacker with it
    printed: bool = False  # only the number on the card counts
    gate_first: bool = False  # nobody goes past the Gate


TRUTH = Belief()
MISTAKES = (
    Belief("A card that falls takes its value off the strength.", BROKEN, subtracts=False),
    Belief("Equal values: both fall, and the attack is over.", EVEN, even="it breaks"),
    Belief("Equal values: the defender falls as well.", EVEN, even="it holds"),
    Belief("A Bomber that falls takes the attacker with it.", PURPLE, stoppers=()),
    Belief("A Spy does not stop the attack that destroys it.", PURPLE, stoppers=("bomb", "spy")),
    Belief("The number on the card is not all.", printed=True),
    Belief("The Digger goes past the Gate.", "castle_rampage/target", gate_first=True),
)


@dataclass(frozen=True, slots=True)
class Onset:
    """A battle and the card that is played in it."""

    battle: Battle
    move: Play

    @property
    def attacker(self) -> Card:
        return house_box().card(self.move.card)

    def after(self) -> RampageState:
        """The game when the card has been played."""
        state = self.battle.state().play(self.move)
        assert isinstance(state, RampageState)
        return state

    @property
    def at_castle(self) -> bool:
        """Whether the attack goes past the Gate."""
        return self.attacker.does("target-castle")

    def strength_words(self) -> str:
        """How the strength comes about: "9 + 5 (archer) - 1 (Moat warden) = 13"."""
        card = self.attacker
        parts = [f"{card.attack}"]
        if self.has_extra:
            parts.append(f"+ {card.bonus} (one more {card.extra})")
        parts += [f"+ {one.numbers['rally']} ({one})" for one in self.battle.helpers]
        parts += [f"- {one.numbers['shield']} ({one})" for one in self.battle.guards]
        if len(parts) == 1:
            return f"{card} attacks with {card.attack}."
        return f"{card} attacks with {' '.join(parts)} = {self.strength}."

    @property
    def strength(self) -> int:
        """The full strength of the attack, as the game has it."""
        return self.after().steps[0].before

    @property
    def has_extra(self) -> bool:
        """Whether a Scheme is paid with the optional unit."""
        return len(self.move.paid) > len(self.attacker.pays) > 0

    @property
    def put_together(self) -> bool:
        """Whether more than the number on the card makes the strength."""
        return self.has_extra or bool(self.battle.helpers or self.battle.guards)

    @property
    def strength_rule(self) -> str:
        """The rule by which the strength is not the number on the card."""
        return "castle_rampage/scheme" if self.has_extra else "castle_rampage/permanent"


def ending(state: RampageState, battle: Battle) -> str:
    """How the attack of a battle ended: "gate 2 holds", "castle 1 even", "castle falls"."""
    if state.loser == 1:
        return "castle falls"
    last = state.steps[-1]
    before = battle.gate if last.stack == "gate" else battle.castle
    fallen = len(before) - len(state.sides[1].stack(last.stack).cards)
    if last.rule == HELD:
        return f"{last.stack} {fallen + 1} holds"
    return f"{last.stack} {fallen} {'even' if last.rule == EVEN else 'bomb'}"


def believed_ending(onset: Onset, belief: Belief) -> str:
    """How the attack would end if the rules were as somebody believes.

    With ``TRUTH`` it is the attack once more in other words.
    """
    battle = onset.battle
    left = (onset.attacker.attack or 0) if belief.printed else onset.strength
    row = [("castle", at, card) for at, card in enumerate(battle.castle, 1)]
    if belief.gate_first or not onset.at_castle:
        row = [*(("gate", at, card) for at, card in enumerate(battle.gate, 1)), *row]
    for stack, at, card in row:
        defence = card.defence("gate" if stack == "gate" else "castle")
        last = (stack, at) == ("castle", len(battle.castle))
        if defence > left or (defence == left and belief.even == "it holds"):
            return f"{stack} {at} holds"
        if defence == left and belief.even == "both fall":
            return "castle falls" if last else f"{stack} {at} even"
        if card.when_destroyed in belief.stoppers and not last:
            return f"{stack} {at} bomb"
        left -= defence if belief.subtracts else 0
    return "castle falls"


@dataclass(frozen=True, slots=True)
class FarGrade:
    """A level of how-far."""

    gate: int
    castle: int
    attackers: tuple[str, ...]
    steps: range  # cards that are turned up
    options: int
    astray: int  # endings that a mistake leads to, at least
    outcomes: tuple[str, ...] = ("holds", "even")  # all as likely
    extra: bool = False  # a Scheme may come with the optional unit
    purple: tuple[str, ...] = ()  # some of these are among the defenders
    permanents: bool = False


_SCHEMES = ("Arrow storm", "Pike wall", "Cavalry charge")
FAR_GRADES = {
    1: FarGrade(2, 1, ("Knight", "Archer", "Veteran"), range(1, 3), 3, 1),
    2: FarGrade(2, 2, ("Giant", "Veteran", "Dragon"), range(2, 4), 4, 1, purple=("Ogre",)),
    3: FarGrade(
        *(2, 3, _SCHEMES, range(3, 6), 5, 2),
        outcomes=("holds", "even", "falls"),
        extra=True,
        purple=("Ogre",),
    ),
    4: FarGrade(
        *(2, 3, ("Digger", "Giant", "Dragon", "Arrow storm"), range(1, 6), 5, 2),
        outcomes=("holds", "even", "falls", "bomb"),
        purple=("Bomber", "Spy", "Ogre"),
        permanents=True,
    ),
    5: FarGrade(
        *(4, 4, (*_SCHEMES, "Grand assault"), range(4, 9), 6, 3),
        outcomes=("holds", "even", "falls", "bomb"),
        extra=True,
        purple=("Bomber", "Spy", "Ogre"),
        permanents=True,
    ),
}


def _defended(grade: FarGrade, wanted: str, chance: Chance) -> tuple[Cards, Cards, Chance]:
    """A Gate and a Castle, with a purple card or two where the level has them."""
    number = grade.gate + grade.castle
    purples: Cards = ()
    if grade.purple:
        some, chance = chance.choice((1, 2))
        purples, chance = _drawn_from(grade.purple, some, chance)
    if wanted == "bomb":
        purples = (*cards_named("Bomber"), *purples[1:])
    others, chance = _drawn_from(DEFENDERS, number - len(purples), chance)
    cards, chance = chance.shuffle((*purples, *others))
    return cards[: grade.gate], cards[grade.gate :], chance


def _payment(card: Card, extra: bool, chance: Chance) -> tuple[Cards, Chance]:
    """Cards that pay for a card: units for a Scheme, anything for another."""
    if not card.is_scheme:
        return _drawn_from(("Priest", "Scout", "Quartermaster"), card.cost, chance)
    more, chance = chance.below(1 + extra)
    wanted = (*card.pays, card.extra) if more else card.pays
    return tuple(house_box().card(unit) for unit in wanted), chance


def _onset(grade: FarGrade, wanted: str, chance: Chance) -> Onset:
    """A card that is played against two stacks, with what stands beside them."""
    gate, castle, chance = _defended(grade, wanted, chance)
    name, chance = chance.choice(grade.attackers)
    attacker = house_box().card(name)
    paid, chance = _payment(attacker, grade.extra, chance)
    helpers: Cards = ()
    guards: Cards = ()
    if grade.permanents:
        number, chance = chance.below(3)
        helpers = cards_named("Banner bearer") * (number != 0)
        guards = cards_named("Moat warden") * (1 + (number == 2)) * (number != 1)
    battle = Battle(
        *(gate, castle, (attacker, *paid), helpers, guards), own_castle=cards_named("Knight")
    )
    move = Play(name, tuple(card.name for card in sorted(paid, key=house_box().cards.index)))
    return Onset(battle, move)


def _all_endings(battle: Battle) -> list[str]:
    """Every ending that one could name, in the order of the cards."""
    found = []
    for stack, cards in zip(STACKS, (battle.gate, battle.castle), strict=True):
        for at, card in enumerate(cards, 1):
            found += [f"{stack} {at} holds", f"{stack} {at} even"]
            if card.when_destroyed in ("bomb", "spy"):
                found.append(f"{stack} {at} bomb")
    # Even with the last card of the Castle means that the Castle falls.
    found.remove(f"castle {len(battle.castle)} even")
    return [*found, "castle falls"]


def _where_it_ends(battle: Battle, value: str) -> Card:
    """The card that an ending is about."""
    if value == "castle falls":
        return battle.castle[-1]
    stack, number, _ = value.split()
    return (battle.gate if stack == "gate" else battle.castle)[int(number) - 1]


def _ending_label(battle: Battle, value: str) -> str:
    """An ending in words: "Gate card 2, the Archer, holds"."""
    if value == "castle falls":
        return "The Castle falls"
    stack, number, outcome = value.split()
    what = {
        "holds": "holds",
        "even": "is even: both fall",
        "bomb": "takes the attacker with it",
    }[outcome]
    return f"{stack.title()} card {number}, the {_where_it_ends(battle, value)}, {what}"


def far_puzzle(
    onset: Onset,
    options: Sequence[str],
    *,
    kind: str,
    level: int = 0,
    seed: int = 0,
    hints: tuple[str, str] | None = None,
) -> Puzzle:
    """The question how the attack of an onset ends, with these endings to choose from."""
    battle, after = onset.battle, onset.after()
    steps, truth = after.steps, ending(after, battle)

    def judge(answer: object) -> Judgement:
        if not isinstance(answer, str) or answer not in options:
            raise NotationError(f"{quoted(answer)} is not one of the endings to choose from")
        told = f"{onset.strength_words()} {tell_steps(steps)}"
        if truth == "castle falls":
            told += " The Castle falls [castle_rampage/castle-falls]."
        if answer == truth:
            return Judgement(True, told)
        slip = next((one for one in MISTAKES if believed_ending(onset, one) == answer), None)
        why = f" {slip.said} [{slip.rule or onset.strength_rule}]" if slip else ""
        return Judgement(False, f"Not so.{why} {told}")

    def draw(answer: object) -> Scene:
        answered = isinstance(answer, str) and answer in options
        if onset.put_together and not answered:  # the other picture tells the strength
            return table_scene(battle.state(), face_up=(1,))
        shown = None if answered else 0
        return attack_scene(
            _assault(onset, after),
            battle.gate,
            battle.castle,
            shown,
            hidden=False,
            attacker=onset.attacker,
        )

    return Puzzle(
        kind,
        level,
        seed,
        prompt=f"You {onset.move}.{battle.tell()} How does the attack end?",
        start=onset,
        ask=Choose(tuple((value, _ending_label(battle, value)) for value in options)),
        solution=truth,
        par=len(steps),
        hints=hints or _far_hints(onset, steps),
        rules=_far_rules(onset, steps),
        judge=judge,
        draw=draw,
    )


def _assault(onset: Onset, after: RampageState) -> Assault:
    """The attack as the picture wants it."""
    side = after.sides[1]
    gate, castle = onset.battle.gate, onset.battle.castle
    return Assault(
        onset.strength,
        after.steps,
        gate[len(gate) - len(side.gate.cards) :],
        castle[len(castle) - len(side.castle.cards) :],
        after.steps[-1].after,
        False,
        after.loser == 1,
    )


def _far_hints(onset: Onset, steps: Sequence[Step]) -> tuple[str, str]:
    first = steps[0]
    after = {
        HELD: "Is that more or less than the attack?",
        EVEN: "Compare it with the strength.",
        BROKEN: f"It falls, and {first.after} is left for the next card.",
    }[first.rule]
    start = (
        "past the Gate, at the Castle" if onset.at_castle and onset.battle.gate else "at the top"
    )
    return (
        f"Find the strength, then start {start}. Take off the value of each card that falls.",
        f"{onset.strength_words()} The first card defends {first.defence}. {after}",
    )


def _far_rules(onset: Onset, steps: Sequence[Step]) -> tuple[str, ...]:
    found = ["castle_rampage/reveal", *dict.fromkeys(step.rule for step in steps)]
    if onset.attacker.is_scheme:
        found.append("castle_rampage/scheme")
    if onset.battle.helpers or onset.battle.guards:
        found.append("castle_rampage/permanent")
    if onset.at_castle or any(step.stack == "castle" for step in steps):
        found.append("castle_rampage/target")
    return tuple(found)


def make_how_far(kind: str, level: int, seed: int, chance: Chance) -> Puzzle:
    """Say how an attack ends."""
    grade = FAR_GRADES[level]
    wanted, _ = chance.split("outcome").choice(grade.outcomes)

    def position(chance: Chance) -> tuple[Onset, tuple[str, ...]] | None:
        onset = _onset(grade, wanted, chance.split("onset"))
        after = onset.after()
        turned_up = sum(step.rule != PURPLE for step in after.steps)
        if after.pause is not None or turned_up not in grade.steps:
            return None
        truth = ending(after, onset.battle)
        if not truth.endswith(wanted):
            return None
        if wanted == "even" and _where_it_ends(onset.battle, truth).when_destroyed:
            return None  # it would be true as well that a Bomber took the attacker along
        lures = dict.fromkeys(believed_ending(onset, one) for one in MISTAKES)
        lures.pop(truth, None)
        every = _all_endings(onset.battle)
        if len(lures) < grade.astray or len(every) < grade.options:
            return None
        mixed, _ = chance.split("others").shuffle(every)
        others = [value for value in mixed if value != truth and value not in lures]
        offered = {truth, *[*lures, *others][: grade.options - 1]}
        return onset, tuple(value for value in every if value in offered)

    onset, options = first_good(position, chance)
    return far_puzzle(onset, options, kind=kind, level=level, seed=seed)


# -- lethal ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Played:
    """How far a turn came: the game then, the moves that were made, why it went no further."""

    state: RampageState
    moves: int
    verdict: Verdict = LEGAL


def play_turn(ask: Lethal, turn: Turn) -> Played:
    """Play the moves of a turn until the Castle falls, one is refused or the turn is over."""
    state = ask.state
    for number, move in enumerate(turn.moves):
        if state.loser is not None or isinstance(move, EndTurn):
            return Played(state, number)
        verdict = state.check(move)
        if not verdict:
            return Played(state, number, verdict)
        state = state.after(move)
    return Played(state, len(turn.moves))


def turn_of(answer: object) -> Turn:
    """An answer that should be a turn."""
    if not isinstance(answer, Turn) or not all(isinstance(move, Move) for move in answer.moves):
        raise NotationError(f"the answer is a turn such as {_TURN_EXAMPLE}, not {quoted(answer)}")
    return answer


def judge_turn(ask: Lethal) -> Callable[[object], Judgement]:
    """What judges a turn: by playing it."""

    def judge(answer: object) -> Judgement:
        turn = turn_of(answer)
        played = play_turn(ask, turn)
        if not played.verdict:
            return refused(turn, played, can_be_felled)
        return felled(turn, played) if played.state.loser == 1 else still_stands(played)

    return judge


def refused(turn: Turn, played: Played, on_the_way: Callable[[RampageState], bool]) -> Judgement:
    """The judgement on a turn with a move that is not allowed: that move, and what was well.

    Of the moves that would mend it only those are told that may still lead to the goal.
    """
    before = str(Turn(turn.moves[: played.moves]))
    well = f" Up to {before} all is well." if before else ""
    said = f"'{turn.moves[played.moves]}' is not allowed.{well}"
    breaches = []
    for breach in played.verdict.breaches:
        mends = [mend for mend in breach.mends if on_the_way(played.state.after(mend))]
        breaches.append(with_mends(breach, tuple(mends)))
    return not_yet(Verdict(tuple(breaches)), said)


def can_be_felled(state: RampageState) -> bool:
    """Whether the enemy's Castle may still fall in this turn."""
    return state.active == 0 and prospect(state, {}).moves is not None


def felled(turn: Turn, played: Played) -> Judgement:
    """The judgement on a turn that does it."""
    spare = len(turn.moves) - played.moves
    more = " The rest is not needed." if spare else ""
    told = f" {tell_steps(played.state.steps)}" if played.state.steps else ""
    return Judgement(
        True,
        f"The Castle falls after {_moves(played.moves)} [castle_rampage/castle-falls].{told}{more}",
    )


def _moves(number: int) -> str:
    return "1 move" if number == 1 else f"{number} moves"


def still_stands(played: Played) -> Judgement:
    """The judgement on a turn that keeps every rule and does not do it: what is left."""
    state = played.state
    if state.loser == 0:
        card = house_box().cards[state.discards[-1]]
        rule = {"Jester": "castle_rampage/jester", "Summoner": "castle_rampage/summoner"}.get(
            card.name
        )
        return Judgement(
            False,
            f"Your own Castle has fallen, and you lose [{rule or 'castle_rampage/castle-falls'}].",
        )
    told = ["The Castle still stands."]
    if state.attacker is not None and state.steps:
        told.append(f"The last attack: {tell_steps(state.steps)}")
    side = state.sides[1]
    cards = house_box().cards
    for stack in STACKS:
        told.append(tell_stack(stack, tuple(cards[at] for at in side.stack(stack).cards)))
    told.append(f"You hold {listed([cards[at].name for at in state.sides[0].hand])}.")
    return Judgement(False, " ".join(told))


def draw_turn(ask: Lethal) -> Callable[[object], Scene]:
    """What shows the table after a turn, as far as it goes."""

    def draw(answer: object) -> Scene:
        turn = answer if isinstance(answer, Turn) else Turn()
        return table_scene(play_turn(ask, turn).state, face_up=(0, 1))

    return draw


class Prospect(NamedTuple):
    """What a careless attacker, who plays any card, can hope for; and a careful one needs."""

    luck: float  # the chance that the Castle falls
    moves: int | None  # that it takes at least; None if it cannot be done


Known = dict[object, Prospect]  # what a search has found out already


def prospect(state: RampageState, known: Known) -> Prospect:
    """What a turn can come to, by search through the game.

    Strengthening fells nothing, so only cards are played, each possibility as likely.
    """
    if state.loser is not None:
        return Prospect(1.0, 0) if state.loser == 1 else Prospect(0.0, None)
    key = state.sides, state.pause, len(state.pile)
    if key not in known:
        following = [
            prospect(state.after(move), known)
            for move in state.moves()
            if isinstance(move, Play | MakeChoice)
        ]
        fewest = min((one.moves for one in following if one.moves is not None), default=None)
        known[key] = Prospect(
            sum(one.luck for one in following) / len(following) if following else 0.0,
            None if fewest is None else fewest + 1,
        )
    return known[key]


def shortest_turn(state: RampageState, known: Known | None = None) -> Turn | None:
    """A turn that fells the Castle in as few moves as can be; None if there is none."""
    known = {} if known is None else known
    left = prospect(state, known).moves
    moves: list[Move] = []
    while left:
        left -= 1
        move = next(
            move
            for move in state.moves()
            if isinstance(move, Play | MakeChoice)
            and prospect(state.after(move), known).moves == left
        )
        moves.append(move)
        state = state.after(move)
    return Turn(tuple(moves)) if moves else None


@dataclass(frozen=True, slots=True)
class LethalGrade:
    """A level of lethal."""

    gate: int
    castle: int
    hand: int
    special: tuple[str, ...]  # some of these are in hand, the others are units
    specials: int
    luck: tuple[float, float]  # the chance to fell the Castle by playing anything
    moves: int = 2  # that it takes, at least
    glances: int = 1  # careless turns that must fail
    purple: tuple[str, ...] = ()  # among the defenders
    guards: int = 0  # Moat wardens beside them, at most


_UNITS = ("Knight", "Archer", "Pikeman", "Mercenary")
_COSTLY = ("Giant", "Veteran", "Dragon")
_ONLY_PAYING = ("Spy", "Saboteur")  # in a hand they cannot be played
LETHAL_GRADES = {
    1: LethalGrade(2, 2, 3, ("Ram", "Gatekeeper", "Castellan"), 1, (0.4, 0.8)),
    2: LethalGrade(2, 3, 4, (*_COSTLY, *_ONLY_PAYING), 2, (0.2, 0.45)),
    3: LethalGrade(3, 3, 5, (*_SCHEMES, *_COSTLY, "Spy"), 2, (0.08, 0.35), glances=2),
    4: LethalGrade(
        *(3, 4, 5, (*_SCHEMES, *_COSTLY, "Digger", "Ram", "Banner bearer"), 3, (0.03, 0.15), 3),
        glances=4,
        purple=("Bomber", "Ogre"),
        guards=1,
    ),
    5: LethalGrade(
        *(3, 4, 6, (*_SCHEMES, "Digger", "Summoner", "Jester", "Axe man", "Arsonist"), 3),
        *((0.0, 0.06), 3),
        glances=6,
        purple=("Bomber", "Ogre"),
        guards=2,
    ),
}


def _siege(grade: LethalGrade, chance: Chance) -> Battle | None:
    """A hand before stacks, as a level has them; None where the box has too few cards."""
    names = (*DEFENDERS, *grade.purple)
    defenders, chance = _drawn_from(names, grade.gate + grade.castle, chance)
    special, chance = _drawn_from(grade.special, grade.specials, chance)
    units, chance = _drawn_from(_UNITS, grade.hand - grade.specials, chance)
    home, chance = _drawn_from(DEFENDERS, 2, chance)
    guards, chance = chance.below(grade.guards + 1)
    # What is drawn is known only once, so one card may draw.
    drawing = sum(card.does("draw") for card in special)
    coming, chance = _drawn_from((*_UNITS, "Ram"), min(drawing, 1), chance)
    battle = Battle(
        defenders[: grade.gate],
        defenders[grade.gate :],
        (*special, *units),
        guards=cards_named("Moat warden") * guards,
        own_castle=home,
        coming=coming,
    )
    return battle if drawing < 2 and min(battle.left_in_box().values()) >= 0 else None


def _careless_turn(state: RampageState, chance: Chance) -> bool:
    """Whether playing anything, once, fells the Castle."""
    while state.loser is None:
        moves = [move for move in state.moves() if isinstance(move, Play | MakeChoice)]
        if not moves:
            return False
        move, chance = chance.choice(moves)
        state = state.after(move)
    return state.loser == 1


def lethal_puzzle(battle: Battle, turn: Turn, *, kind: str, level: int, seed: int) -> Puzzle:
    """The task to fell the enemy's Castle from here, this turn."""
    ask = Lethal(battle.state())
    return Puzzle(
        kind,
        level,
        seed,
        prompt=f"Fell the enemy's Castle this turn.{battle.tell()}",
        start=ask.state,
        ask=ask,
        solution=turn,
        par=len(turn.moves),
        hints=_lethal_hints(battle, turn),
        rules=_lethal_rules(battle),
        judge=judge_turn(ask),
        draw=draw_turn(ask),
    )


def _lethal_rules(battle: Battle) -> tuple[str, ...]:
    found = ["castle_rampage/play", "castle_rampage/target", BROKEN, "castle_rampage/castle-falls"]
    if any(card.is_scheme for card in battle.hand):
        found += ["castle_rampage/scheme", "castle_rampage/unit"]
    if battle.guards or any(card.permanent for card in battle.hand):
        found.append("castle_rampage/permanent")
    if any(card.when_destroyed == "bomb" for card in (*battle.gate, *battle.castle)):
        found.append(PURPLE)
    for name, rule in (
        ("Jester", "castle_rampage/jester"),
        ("Summoner", "castle_rampage/summoner"),
    ):
        if any(card.name == name for card in battle.hand):
            found.append(rule)
    return tuple(found)


def _lethal_hints(battle: Battle, turn: Turn) -> tuple[str, str]:
    gate = sum(card.gate for card in battle.gate)
    castle = sum(card.castle for card in battle.castle)
    sums = f"The Gate defends {gate} in all and the Castle {castle}."
    if any(card.when_destroyed == "bomb" for card in (*battle.gate, *battle.castle)):
        more = "A Bomber ends one attack: let a weak one meet it."
    elif any(card.is_scheme for card in battle.hand):
        more = "Units that pay for a Scheme cannot fight themselves."
    else:
        more = "An attack that is held is lost: which order wastes least?"
    return f"{sums} {more}", f"Begin with '{turn.moves[0]}'. {_moves(len(turn.moves))} will do."


def make_lethal(kind: str, level: int, seed: int, chance: Chance) -> Puzzle:
    """Find the turn that fells a Castle."""
    grade = LETHAL_GRADES[level]
    low, high = grade.luck

    def position(chance: Chance) -> tuple[Battle, Turn] | None:
        battle = _siege(grade, chance.split("siege"))
        if battle is None:
            return None
        state = battle.state()
        # A glance spares most searches: what mere luck solves is too easy.
        if any(_careless_turn(state, chance.split(number)) for number in range(grade.glances)):
            return None
        known: Known = {}
        found = prospect(state, known)
        if found.moves is None or found.moves < grade.moves or not low < found.luck <= high:
            return None
        turn = shortest_turn(state, known)
        return None if turn is None else (battle, turn)

    battle, turn = first_good(position, chance)
    return lethal_puzzle(battle, turn, kind=kind, level=level, seed=seed)


# -- stack well ------------------------------------------------------------------------------


class Defence(NamedTuple):
    """What came of stacks under attacks: each attack in turn, and what is left."""

    assaults: tuple[Assault, ...]
    stacking: Stacking

    @property
    def stands(self) -> bool:
        """Whether the Castle is still there."""
        return not self.assaults[-1].castle_fell


def defend(stacking: Stacking, attacks: Sequence[Raid]) -> Defence:
    """Let attacks come, one after the other, until the Castle falls.

    >>> done = defend(read_stacking("gate Knight / castle Ogre, Archer"), [Raid(4), Raid(6)])
    >>> done.stands, str(done.stacking)
    (True, 'gate - / castle Archer')
    """
    assaults: list[Assault] = []
    gate, castle = stacking.gate, stacking.castle
    for raid in attacks:
        done = resolve(raid.strength, gate, castle, at_castle=raid.target == "castle")
        assaults.append(done)
        gate = gate[len(gate) - len(done.gate) :]
        castle = castle[len(castle) - len(done.castle) :]
        if done.castle_fell:
            break
    return Defence(tuple(assaults), Stacking(gate, castle))


def every_stacking(ask: StackWell) -> Iterator[Stacking]:
    """Every way to put the cards into the stacks; equal cards are alike."""
    for order in dict.fromkeys(permutations(ask.cards)):
        yield Stacking(order[: ask.gate], order[ask.gate :])


def share_that_holds(ask: StackWell) -> float:
    """The share of all ways to stack in which the Castle still stands at the end."""
    every = list(every_stacking(ask))
    return sum(defend(one, ask.attacks).stands for one in every) / len(every)


def stacking_of(answer: object) -> Stacking:
    """An answer that should be stacks."""
    if not isinstance(answer, Stacking):
        raise NotationError(f"the answer is stacks like {_STACKING_EXAMPLE}, not {quoted(answer)}")
    return answer


def judge_stacking(ask: StackWell) -> Callable[[object], Judgement]:
    """What judges stacks: by attacking them."""

    def judge(answer: object) -> Judgement:
        stacking = stacking_of(answer)
        wrong = _wrong_cards(ask, stacking)
        if wrong:
            return Judgement(False, wrong)
        done = defend(stacking, ask.attacks)
        told = [
            f"{_raid_words(number, raid, ask)}: {tell_steps(assault.steps)}"
            for number, (raid, assault) in enumerate(
                zip(ask.attacks, done.assaults, strict=False), 1
            )
        ]
        if not done.stands:
            return Judgement(
                False, " ".join([*told, "The Castle has fallen [castle_rampage/castle-falls]."])
            )
        left = listed([f"the {card}" for card in done.stacking.castle])
        return Judgement(True, " ".join([*told, f"The Castle stands, with {left}."]))

    return judge


def _raid_words(number: int, raid: Raid, ask: StackWell) -> str:
    return f"Attack {number} with {raid}" if len(ask.attacks) > 1 else f"The attack with {raid}"


def _wrong_cards(ask: StackWell, stacking: Stacking) -> str:
    """Why these are not the cards that were given, each in one place; nothing if they are."""
    used, given = Counter((*stacking.gate, *stacking.castle)), Counter(ask.cards)
    for card, number in used.items():
        if number > given[card]:
            return f"You have {given[card] or 'no'} {card}, not {number}."
    if missing := [*(given - used).elements()]:
        return f"Every card is needed. Still to be placed: {listed(list(map(str, missing)))}."
    if (len(stacking.gate), len(stacking.castle)) != (ask.gate, ask.castle):
        return (
            f"Put {cards_in_words(ask.gate)} at the Gate and {ask.castle} at the Castle, "
            f"not {len(stacking.gate)} and {len(stacking.castle)}."
        )
    return ""


def draw_stacking(ask: StackWell) -> Callable[[object], Scene]:
    """What shows the cards that are to be placed, or the attack that decides."""

    def draw(answer: object) -> Scene:
        if not isinstance(answer, Stacking) or _wrong_cards(ask, answer):
            places = (None,) * ask.gate, (None,) * ask.castle
            return bench_scene(ask.cards, *places, attacks=tuple(map(str, ask.attacks)))
        assaults = defend(answer, ask.attacks).assaults
        before = defend(answer, ask.attacks[: len(assaults) - 1]).stacking
        return attack_scene(assaults[-1], before.gate, before.castle, hidden=False)

    return draw


@dataclass(frozen=True, slots=True)
class StackGrade:
    """A level of stack-well."""

    gate: int
    castle: int
    attacks: int
    share: tuple[float, float]  # of all ways to stack that hold
    purple: tuple[str, ...] = ()
    digger: bool = False  # one of the attacks goes past the Gate


STACK_GRADES = {
    1: StackGrade(1, 2, 1, (0.3, 0.7)),
    2: StackGrade(2, 2, 1, (0.15, 0.4)),
    3: StackGrade(2, 2, 2, (0.1, 0.25), ("Bomber", "Ogre")),
    4: StackGrade(2, 3, 2, (0.04, 0.12), ("Bomber", "Ogre"), digger=True),
    5: StackGrade(2, 3, 3, (0.0, 0.05), ("Bomber", "Ogre"), digger=True),
}


def stack_puzzle(
    ask: StackWell,
    solution: Stacking,
    *,
    kind: str,
    level: int = 0,
    seed: int = 0,
    hints: tuple[str, str] | None = None,
) -> Puzzle:
    """The task to stack cards so that the Castle outlives some attacks."""
    return Puzzle(
        kind,
        level,
        seed,
        prompt=_stack_prompt(ask),
        start=ask,
        ask=ask,
        solution=solution,
        par=ask.gate + ask.castle,
        hints=hints or _stack_hints(ask, solution),
        rules=_stack_rules(ask),
        judge=judge_stacking(ask),
        draw=draw_stacking(ask),
    )


def _stack_prompt(ask: StackWell) -> str:
    raids = ", then ".join(map(str, ask.attacks))
    coming = (
        f"Attacks come one after the other, with {raids}; what falls is gone."
        if len(ask.attacks) > 1
        else f"An attack comes with {raids}."
    )
    return (
        f"{coming} Put {ask.gate} of these cards at the Gate and {ask.castle} at the Castle, "
        "top card first, so that the Castle still stands."
    )


def _stack_rules(ask: StackWell) -> tuple[str, ...]:
    found = ["castle_rampage/first-stacks", "castle_rampage/target", HELD, EVEN, BROKEN]
    if any(card.when_destroyed for card in ask.cards):
        found.append(PURPLE)
    return tuple(found)


def _stack_hints(ask: StackWell, solution: Stacking) -> tuple[str, str]:
    if any(card.when_destroyed == "bomb" for card in ask.cards):
        where = "A Bomber ends an attack, whatever is left of it. Where does it earn most?"
    elif len(ask.attacks) > 1:
        where = "A held attack destroys nothing more. Which card holds what is left?"
    else:
        where = "Which cards defend better at the Gate, which at the Castle?"
    return where, f"Put the {solution.castle[-1]} at the bottom of the Castle."


def make_stack_well(kind: str, level: int, seed: int, chance: Chance) -> Puzzle:
    """Stack cards so that the Castle outlives what comes."""
    grade = STACK_GRADES[level]
    low, high = grade.share
    number = grade.gate + grade.castle

    def position(chance: Chance) -> tuple[StackWell, Stacking] | None:
        purple, chance = _drawn_from(grade.purple, bool(grade.purple), chance)
        plain, chance = _drawn_from(DEFENDERS, number - len(purple), chance)
        cards, chance = chance.shuffle((*purple, *plain))
        total = sum(max(card.gate, card.castle) for card in cards)
        raids: list[Raid] = []
        for at in range(grade.attacks):
            past = grade.digger and at == 0
            strength, chance = chance.choice(range(3, 6) if past else range(3, total + 1))
            raids.append(Raid(strength, "castle" if past else "gate"))
        mixed, chance = chance.shuffle(raids)
        ask = StackWell(cards, grade.gate, grade.castle, mixed)
        if defend(Stacking(cards[: grade.gate], cards[grade.gate :]), mixed).stands:
            return None  # the order that the cards are shown in would do
        holding = [one for one in every_stacking(ask) if defend(one, mixed).stands]
        share = len(holding) / sum(1 for _ in every_stacking(ask))
        if not low < share <= high:
            return None
        return ask, holding[0]

    ask, solution = first_good(position, chance)
    return stack_puzzle(ask, solution, kind=kind, level=level, seed=seed)


KINDS: dict[str, Maker] = {
    "castle_rampage/how-far": make_how_far,
    "castle_rampage/lethal": make_lethal,
    "castle_rampage/stack-well": make_stack_well,
}
