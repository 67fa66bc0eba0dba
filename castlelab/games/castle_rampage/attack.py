"""An attack, card by card: what is revealed, what holds, what falls."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from castlelab.games.castle_rampage.box import card
from castlelab.games.castle_rampage.card import STACKS, Card, StackName
from castlelab.rules import CastlelabError, quoted, whole_number
from castlelab.system.packages import widget


class _FaceDown(Card):
    """A card that a view hides: what it defends is not for a view to say."""

    def __getattribute__(self, name: str) -> object:
        if name in STACKS:
            raise face_down_error()
        return super().__getattribute__(name)

    def __repr__(self) -> str:
        return f"<{self.name}>"


FACE_DOWN = _FaceDown("a card that lies face down", gate=0, castle=0)


def face_down_error() -> CastlelabError:
    """What is said of a move on a view whose outcome hangs on a card that lies face down."""
    return CastlelabError(
        "a view does not know the card that would be turned up; guess a state first"
    )


#: A card, or only its defence value where that is all that matters.
Defender = Card | int
#: "Ogre, Knight, 4", or a list of cards, their names and defence values.
GivenCards = str | Iterable[Defender | str]

HELD, EVEN, BROKEN = "castle_rampage/held", "castle_rampage/even", "castle_rampage/broken"
PURPLE = "castle_rampage/purple"
_STRONGEST = 1_000
_made = tuple.__new__  # a tuple with names in half the time; see table.py


class Step(NamedTuple):
    """One card revealed (``castle_rampage/reveal``), and the rule that says what came of it."""

    rule: str
    stack: StackName
    defender: Defender
    defence: int
    before: int  # the strength of the attack …
    after: int  # … and what is left of it

    def __str__(self) -> str:
        return self.told()

    def told(self, attacker: Card | None = None) -> str:
        """The step in words; some attackers do not fall where others do."""
        name, compared = self.stack.title(), f"{self.defence} against {self.before}"
        told = {
            HELD: f"{name} holds: {compared}. {fate(self, attacker)}",
            EVEN: f"{name} even: {compared}. {fate(self, attacker)}",
            BROKEN: f"{name} breaks: {compared}. {self.after} strength is left.",
            PURPLE: f"{self.defender} takes the attacker with it.",
        }
        return told[self.rule]


def fate(step: Step, attacker: Card | None = None) -> str:
    """What becomes of an attacker that is held, or even with a defender."""
    held = step.rule == HELD
    if attacker is not None and held and attacker.does("return-when-held"):
        return f"The {attacker} comes home."
    bombed = isinstance(step.defender, Card) and step.defender.when_destroyed == "bomb"
    if (
        attacker is not None and attacker.permanent and (held or not bombed)
    ):  # castle_rampage/permanent
        return f"{'' if held else 'The defender falls. '}The {attacker} stays."
    return "The attacker falls." if held else "Both fall."


class Assault(NamedTuple):
    """An attack that has been resolved, or has come to a card whose owner must decide."""

    strength: int
    steps: tuple[Step, ...]
    gate: tuple[Defender, ...]  # what is left, top first
    castle: tuple[Defender, ...]
    left: int  # of the strength
    attacker_survives: bool
    castle_fell: bool
    paused: bool = False  # the last step destroyed a Saboteur or a Spy

    def __str__(self) -> str:
        told = [f"Attack with {self.strength}.", *map(str, self.steps)]
        if self.castle_fell:
            told.append("The Castle has fallen.")
        return "\n".join(told)

    @property
    def held(self) -> bool:
        """Whether the attacker was beaten off (a Veteran then returns to the hand)."""
        return bool(self.steps) and self.steps[-1].rule == HELD

    def watch(self, **options: Any) -> Any:
        """The attack in a notebook, step by step: ``AttackStage(strength, gate, castle, …)``."""
        fallen = [step for step in self.steps if step.rule in (EVEN, BROKEN)]
        gate, castle = (
            (*(step.defender for step in fallen if step.stack == name), *left)
            for name, left in zip(STACKS, (self.gate, self.castle), strict=True)
        )
        past_gate = bool(gate and self.steps) and self.steps[0].stack == "castle"
        target = "castle" if past_gate else "gate"
        return widget("AttackStage", self.strength, gate, castle, target=target, **options)


def cards_of(cards: GivenCards, called: str = "") -> tuple[Defender, ...]:
    """Cards, given by their names, as cards or as plain defence values.

    >>> cards_of("ogre, axe man, 4"), cards_of([3, "Ogre"])
    ((card('Ogre'), card('Axe man'), 4), (3, card('Ogre')))
    """
    if isinstance(cards, str):
        cards = [word for part in cards.split(",") if (word := part.strip())]
    try:
        return tuple([_defender(each, called) for each in cards])
    except TypeError:
        wanted = "a list of cards, their names or a defence value for each"
        raise CastlelabError(f"{called or 'a stack'} is {wanted}, not {quoted(cards)}") from None


def _defender(given: Defender | str, called: str) -> Defender:
    if isinstance(given, str):
        if not (given.isascii() and given.isdigit() and len(given) < 5):
            return card(given)
        given = int(given)
    if not isinstance(given, Card):
        check_strength(given, f"a defence value{' at ' * bool(called)}{called}")
    return given


def attack(
    strength: int,
    gate: GivenCards = (),
    castle: GivenCards = (),
    *,
    target: StackName = "gate",
) -> Assault:
    """Resolve an attack on two stacks, top card first; ``target="castle"`` goes past the Gate.

    Defenders are cards, their names or plain defence values: ``gate="Ogre, Knight"``. A Bomber
    acts; a Saboteur and a Spy do nothing to the attack itself.

    >>> result = attack(9, gate=[4], castle=[6])
    >>> print(result)
    Attack with 9.
    Gate breaks: 4 against 9. 5 strength is left.
    Castle holds: 6 against 5. The attacker falls.
    >>> result.gate, result.castle, result.attacker_survives, result.castle_fell
    ((), (6,), False, False)
    """
    check_strength(strength)
    stacks = cards_of(gate, "the Gate"), cards_of(castle, "the Castle")
    if not stacks[1]:
        raise CastlelabError("a Castle without cards has already fallen; give it at least one")
    if target not in STACKS:
        raise CastlelabError(f"the target is 'gate' or 'castle', not {quoted(target)}")
    return resolve(strength, *stacks, at_castle=target == "castle")


def check_strength(value: object, what: str = "the strength of an attack") -> None:
    """Refuse what cannot be the strength of an attack, or a defence."""
    whole_number(value, f"{what} is a whole number", 0, _STRONGEST)


def resolve(
    strength: int,
    gate: tuple[Defender, ...],
    castle: tuple[Defender, ...],
    *,
    at_castle: bool = False,
    pause: bool = False,
) -> Assault:
    """The same without questions. With ``pause`` it stops where an owner has to decide."""
    steps: list[Step] = []
    left, survives, paused = strength, True, False
    gates = castles = 0  # how many cards have fallen
    all_gates, all_castles = len(gate), len(castle)
    while survives and not paused and castles < all_castles:
        # castle_rampage/target: the Gate while it has cards, else the Castle.
        stack: StackName
        if at_castle or gates == all_gates:
            stack, defender = "castle", castle[castles]
            defence = defender if isinstance(defender, int) else defender.castle
        else:
            stack, defender = "gate", gate[gates]
            defence = defender if isinstance(defender, int) else defender.gate
        if defence > left:
            steps.append(_made(Step, (HELD, stack, defender, defence, left, 0)))
            left, survives = 0, False
            break
        survives = defence < left
        rule = BROKEN if survives else EVEN
        steps.append(_made(Step, (rule, stack, defender, defence, left, left - defence)))
        left -= defence
        if stack == "gate":
            gates += 1
        else:
            castles += 1
        if isinstance(defender, int) or not defender.purple or castles == all_castles:
            continue
        # castle_rampage/purple: it acts at once, whether it was broken or even.
        if defender.when_destroyed != "bomb":
            paused = pause and bool(defender.when_destroyed)
        elif survives:
            steps.append(_made(Step, (PURPLE, stack, defender, defence, left, 0)))
            left, survives = 0, False
    fell = castles == all_castles
    return _made(
        Assault,
        (strength, tuple(steps), gate[gates:], castle[castles:], left, survives, fell, paused),
    )
