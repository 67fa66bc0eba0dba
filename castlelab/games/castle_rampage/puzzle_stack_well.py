"""Castle Rampage's puzzle stack-well: stack cards so that the Castle outlives what comes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from castlelab.chance import Chance
from castlelab.games.castle_rampage.attack import (
    BROKEN,
    EVEN,
    HELD,
    PURPLE,
    Assault,
    check_strength,
    resolve,
)
from castlelab.games.castle_rampage.battle import DEFENDERS, drawn_from, tell_steps
from castlelab.games.castle_rampage.box import CardRow, cards_named
from castlelab.games.castle_rampage.card import STACKS, StackName
from castlelab.games.castle_rampage.picture import attack_scene, bench_scene
from castlelab.puzzles import Ask, Code, Hints, Judgement, Puzzle, first_good
from castlelab.rules import NotationError, counted, listed, quoted

if TYPE_CHECKING:
    from castlelab.draw.scene import Scene

_STACKING_EXAMPLE = "'gate Ogre, Knight / castle Archer'"
_LONGEST_STACKING = 600
_PARTS = re.compile(r"[/;\n]")
_NOTHING = "-"
_RAID = re.compile(r"([0-9]{1,9})(\s+past\s+the\s+gate)?", re.IGNORECASE)
_MOST_RAIDS = 8


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


def read_raids(text: str) -> tuple[Raid, ...]:
    """The attacks that a text means, one after the other; else it is a ``NotationError``.

    >>> read_raids("9, 3 past the Gate")
    (Raid(strength=9, target='gate'), Raid(strength=3, target='castle'))
    """
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not 1 <= len(parts) <= _MOST_RAIDS:
        raise NotationError(f"there are 1 to {_MOST_RAIDS} attacks, not {len(parts)}")
    found = []
    for part in parts:
        match = _RAID.fullmatch(part)
        if match is None:
            raise NotationError(f"an attack is '9' or '3 past the Gate', not {quoted(part)}")
        check_strength(strength := int(match[1]))
        found.append(Raid(strength, "castle" if match[2] else "gate"))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Stacking:
    """A Gate and a Castle, top card first. Prints as ``gate Ogre, Knight / castle Archer``."""

    gate: CardRow = ()
    castle: CardRow = ()

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
    found: dict[str, CardRow] = {}
    for part in filter(str.strip, _PARTS.split(text)):
        word, *names = part.split()
        name = word.lower()
        if name not in STACKS or name in found:
            raise NotationError(
                f"write the cards of the gate, then those of the castle, "
                f"such as {_STACKING_EXAMPLE}, not {quoted(' '.join(part.split()))}"
            )
        cards = " ".join(names)
        found[name] = () if cards.strip(" ,") == _NOTHING else cards_named(cards)
    if not found:
        raise NotationError(f"write which cards go where, such as {_STACKING_EXAMPLE}")
    return Stacking(*(found.get(name, ()) for name in STACKS))


@dataclass(frozen=True, slots=True)
class StackWell(Ask[Stacking]):
    """An answer that is a `Stacking`: these cards, so many at each stack, against these attacks.

    The attacks come one after the other, as in one turn: what one has destroyed is gone.
    """

    answers: ClassVar = Stacking
    example: ClassVar = f"stacks like {_STACKING_EXAMPLE}"
    editor: ClassVar = "castlelab.widgets.castle_rampage.stack_editor:editor_for"

    cards: CardRow
    gate: int  # how many of the cards go there
    castle: int
    attacks: tuple[Raid, ...]

    def read(self, text: str) -> Stacking:
        return read_stacking(text)

    def steps(self, answer: Stacking) -> tuple[Stacking, ...]:
        """Card by card, each stack from the bottom, as one lays it."""
        gates = [Stacking(answer.gate[at:]) for at in reversed(range(len(answer.gate)))]
        castles = [answer.castle[at:] for at in reversed(range(len(answer.castle)))]
        return (*gates, *(Stacking(answer.gate, castle) for castle in castles))

    def judge(self, stacking: Stacking) -> Judgement:
        """Judge stacks by attacking them."""
        if wrong := _wrong_cards(self, stacking):
            return Judgement(False, wrong)
        done = defend(stacking, self.attacks)
        told = [
            f"{f'Attack {at}' if self.attacks[1:] else 'The attack'} with {raid}: "
            f"{tell_steps(assault.steps)}"
            for at, (raid, assault) in enumerate(zip(self.attacks, done.assaults, strict=False), 1)
        ]
        if not done.stands:
            told.append("The Castle has fallen [castle_rampage/castle-falls].")
        else:
            left = listed([f"the {card}" for card in done.stacking.castle])
            told.append(f"The Castle stands, with {left}.")
        return Judgement(done.stands, " ".join(told))

    def draw(self, stacking: Stacking | None) -> Scene:
        """The cards that are to be placed, or the attack that decides."""
        if stacking is None or _wrong_cards(self, stacking):
            places = (None,) * self.gate, (None,) * self.castle
            return bench_scene(self.cards, *places, attacks=tuple(map(str, self.attacks)))
        assaults = defend(stacking, self.attacks).assaults
        before = defend(stacking, self.attacks[: len(assaults) - 1]).stacking
        return attack_scene(assaults[-1], before.gate, before.castle, hidden=False)


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
    for order in _orders(ask.cards):
        yield Stacking(order[: ask.gate], order[ask.gate :])


def _orders(cards: CardRow) -> Iterator[CardRow]:
    """Every order of cards, one after the other: there may be very many."""
    if not cards:
        yield ()
    for at, card in enumerate(cards):
        if card not in cards[:at]:
            for others in _orders(cards[:at] + cards[at + 1 :]):
                yield card, *others


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
            f"Put {counted(ask.gate, 'card')} at the Gate and {ask.castle} at the Castle, "
            f"not {len(stacking.gate)} and {len(stacking.castle)}."
        )
    return ""


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


def stack_puzzle(code: Code, ask: StackWell, solution: Stacking) -> Puzzle:
    """The task to stack cards so that the Castle outlives some attacks."""
    return Puzzle(
        *code,
        prompt=_stack_prompt(ask),
        start=ask,
        ask=ask,
        solution=solution,
        par=ask.gate + ask.castle,
        hints=_stack_hints(ask, solution),
        rules=_stack_rules(ask),
        judge=ask.judge,
        draw=ask.draw,
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


def _stack_hints(ask: StackWell, solution: Stacking) -> Hints:
    if any(card.when_destroyed == "bomb" for card in ask.cards):
        where = "A Bomber ends an attack, whatever is left of it. Where does it earn most?"
    elif len(ask.attacks) > 1:
        where = "A held attack destroys nothing more. Which card holds what is left?"
    else:
        where = "Which cards defend better at the Gate, which at the Castle?"
    return where, f"Put the {solution.castle[-1]} at the bottom of the Castle."


def make_stack_well(code: Code, chance: Chance) -> Puzzle:
    """Stack cards so that the Castle outlives what comes."""
    grade = STACK_GRADES[code.level]
    low, high = grade.share
    number = grade.gate + grade.castle

    def position(chance: Chance) -> tuple[StackWell, Stacking] | None:
        purple, chance = drawn_from(grade.purple, bool(grade.purple), chance)
        plain, chance = drawn_from(DEFENDERS, number - len(purple), chance)
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
        every = list(every_stacking(ask))
        holding = [one for one in every if defend(one, mixed).stands]
        return (ask, holding[0]) if low < len(holding) / len(every) <= high else None

    ask, solution = first_good(position, chance)
    return stack_puzzle(code, ask, solution)
