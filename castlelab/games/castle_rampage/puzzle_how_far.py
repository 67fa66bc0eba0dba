"""Castle Rampage's puzzle how-far: say how an attack ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from castlelab.chance import Chance
from castlelab.games.castle_rampage.attack import BROKEN, EVEN, HELD, PURPLE, Step, resolve
from castlelab.games.castle_rampage.battle import (
    DEFENDERS,
    SCHEMES,
    Battle,
    drawn_from,
    tell_steps,
)
from castlelab.games.castle_rampage.box import CardRow, cards_named, house_box
from castlelab.games.castle_rampage.card import STACKS, Card
from castlelab.games.castle_rampage.moves import Play
from castlelab.games.castle_rampage.picture import attack_scene, battle_scene
from castlelab.games.castle_rampage.play import RampageState
from castlelab.puzzles import ChooseOne, Code, Hints, Judgement, Puzzle, first_good

if TYPE_CHECKING:
    from castlelab.draw.scene import Scene

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
        card, battle, after = self.attacker, self.battle, self.after()
        parts = [f"{card.attack}"]
        if self.has_extra:
            parts.append(f"+ {card.bonus} (one more {card.extra})")
        if card.does("take-castle"):
            parts.append(f"+ {battle.own_castle[0].castle} ({battle.own_castle[0]})")
        if card.does("charge") and not battle.gate:
            parts.append(f"+ {card.numbers['charge']} (no Gate)")
        parts += [
            f"+ {one.numbers['rally']} ({one})" for one in battle.helpers if one.does("rally")
        ]
        guards = filter(None, after.cards(after.sides[1].permanents))  # an Arsonist destroys one
        parts += [f"- {one.numbers['shield']} ({one})" for one in guards if one.does("shield")]
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
    def adding_rule(self) -> str:
        """The rule by which the strength is not just the number on the card."""
        if self.has_extra:
            return "castle_rampage/scheme"
        if self.attacker.does("take-castle"):
            return "castle_rampage/jester"
        added = self.battle.helpers or self.battle.guards
        return "castle_rampage/permanent" if added else "castle_rampage/play"


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


FAR_GRADES = {
    1: FarGrade(2, 1, ("Knight", "Archer", "Veteran"), range(1, 3), 3, 1),
    2: FarGrade(2, 2, ("Giant", "Veteran", "Dragon"), range(2, 4), 4, 1, purple=("Ogre",)),
    3: FarGrade(
        *(2, 3, SCHEMES, range(3, 6), 5, 2),
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
        *(4, 4, (*SCHEMES, "Grand assault"), range(4, 9), 6, 3),
        outcomes=("holds", "even", "falls", "bomb"),
        extra=True,
        purple=("Bomber", "Spy", "Ogre"),
        permanents=True,
    ),
}


def _defended(grade: FarGrade, wanted: str, chance: Chance) -> tuple[CardRow, CardRow, Chance]:
    """A Gate and a Castle, with a purple card or two where the level has them."""
    number = grade.gate + grade.castle
    purples: CardRow = ()
    if grade.purple:
        some, chance = chance.choice((1, 2))
        purples, chance = drawn_from(grade.purple, some, chance)
    if wanted == "bomb":
        purples = (*cards_named("Bomber"), *purples[1:])
    others, chance = drawn_from(DEFENDERS, number - len(purples), chance)
    cards, chance = chance.shuffle((*purples, *others))
    return cards[: grade.gate], cards[grade.gate :], chance


def _payment(card: Card, extra: bool, chance: Chance) -> tuple[CardRow, Chance]:
    """Cards that pay for a card: units for a Scheme, anything for another."""
    if not card.is_scheme:
        return drawn_from(("Priest", "Scout", "Quartermaster"), card.cost, chance)
    more, chance = chance.below(1 + extra)
    wanted = (*card.pays, card.extra) if more else card.pays
    return tuple(house_box().card(unit) for unit in wanted), chance


def _onset(grade: FarGrade, wanted: str, chance: Chance) -> Onset:
    """A card that is played against two stacks, with what stands beside them."""
    gate, castle, chance = _defended(grade, wanted, chance)
    name, chance = chance.choice(grade.attackers)
    attacker = house_box().card(name)
    paid, chance = _payment(attacker, grade.extra, chance)
    helpers: CardRow = ()
    guards: CardRow = ()
    if grade.permanents:
        number, chance = chance.below(3)
        helpers = cards_named("Banner bearer") * (number != 0)
        guards = cards_named("Moat warden") * (1 + (number == 2)) * (number != 1)
    battle = Battle(
        *(gate, castle, (attacker, *paid), helpers, guards), own_castle=cards_named("Knight")
    )
    move = Play(name, tuple(card.name for card in sorted(paid, key=house_box().cards.index)))
    return Onset(battle, move)


def all_endings(battle: Battle) -> list[str]:
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


def offered_endings(onset: Onset, number: int, others: Sequence[str] = ()) -> tuple[str, ...]:
    """So many endings to choose from, in the order of the cards.

    The true one is among them, then what mistakes lead to, then ``others``.
    """
    every = all_endings(onset.battle)
    truth = ending(onset.after(), onset.battle)
    # Even with a Bomber it would be true as well that it took the attacker along.
    true = {truth, truth.replace("even", "bomb")}
    wrong = [value for value in (*_lures(onset), *(others or every)) if value not in true]
    offered = {truth, *[*dict.fromkeys(wrong)][: number - 1]}
    return tuple(value for value in every if value in offered)


def _lures(onset: Onset) -> list[str]:
    """The endings that mistakes lead to."""
    truth = ending(onset.after(), onset.battle)
    believed = dict.fromkeys(believed_ending(onset, one) for one in MISTAKES)
    return [value for value in believed if value != truth]


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


def far_puzzle(code: Code, onset: Onset, options: Sequence[str]) -> Puzzle:
    """The question how the attack of an onset ends, with these endings to choose from."""
    battle, after = onset.battle, onset.after()
    steps, truth = after.steps, ending(after, battle)

    def judge(answer: str) -> Judgement:
        told = f"{onset.strength_words()} {tell_steps(steps)}"
        if truth == "castle falls":
            told += " The Castle falls [castle_rampage/castle-falls]."
        if answer == truth:
            return Judgement(True, told)
        slip = next((one for one in MISTAKES if believed_ending(onset, one) == answer), None)
        why = f" {slip.said} [{slip.rule or onset.adding_rule}]" if slip else ""
        return Judgement(False, f"{why} {told}".strip())

    def draw(answer: str | None) -> Scene:
        added = battle.helpers or battle.guards or onset.strength != onset.attacker.attack
        if added and answer is None:  # the other picture tells the strength
            return battle_scene(battle.state(), face_up=(1,))
        gate, castle, shown = battle.gate, battle.castle, 0 if answer is None else None
        assault = resolve(onset.strength, gate, castle, at_castle=onset.at_castle)
        return attack_scene(assault, gate, castle, shown, hidden=False, attacker=onset.attacker)

    return Puzzle(
        *code,
        prompt=f"You {onset.move}.{battle.tell()} How does the attack end?",
        start=onset,
        ask=ChooseOne(tuple((value, _ending_label(battle, value)) for value in options)),
        solution=truth,
        par=len(steps),
        hints=_far_hints(onset, steps),
        rules=_far_rules(onset, steps),
        judge=judge,
        draw=draw,
    )


def _far_hints(onset: Onset, steps: Sequence[Step]) -> Hints:
    first = steps[0]
    after = {
        HELD: "Is that more or less than the attack?",
        EVEN: "Compare it with the strength.",
        BROKEN: f"It falls, and {first.after} is left{' for the next card' if steps[1:] else ''}.",
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
    if onset.attacker.does("take-castle"):
        found.append("castle_rampage/jester")
    if onset.battle.helpers or onset.battle.guards:
        found.append("castle_rampage/permanent")
    if onset.at_castle or any(step.stack == "castle" for step in steps):
        found.append("castle_rampage/target")
    return tuple(found)


def make_how_far(code: Code, chance: Chance) -> Puzzle:
    """Say how an attack ends."""
    grade = FAR_GRADES[code.level]
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
        every = all_endings(onset.battle)
        if len(_lures(onset)) < grade.astray or len(every) < grade.options:
            return None
        mixed, _ = chance.split("others").shuffle(every)
        return onset, offered_endings(onset, grade.options, mixed)

    onset, options = first_good(position, chance)
    return far_puzzle(code, onset, options)
