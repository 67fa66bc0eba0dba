"""Authored puzzles of Castle Rampage: the steps of the walk-through that ask for something."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from castlelab.authoring import Lesson, lesson_opener
from castlelab.games.castle_rampage.battle import Battle
from castlelab.games.castle_rampage.box import cards_named
from castlelab.games.castle_rampage.card import STACKS
from castlelab.games.castle_rampage.moves import EndTurn, Play
from castlelab.games.castle_rampage.play import RampageState
from castlelab.games.castle_rampage.puzzle_how_far import Onset, far_puzzle
from castlelab.games.castle_rampage.puzzle_lethal import (
    AttackTurn,
    Lethal,
    can_be_felled,
    felled,
    play_turn,
    refused_turn,
    still_stands,
)
from castlelab.games.castle_rampage.puzzle_stack_well import (
    Raid,
    StackWell,
    read_stacking,
    stack_puzzle,
)
from castlelab.puzzles import Code, Judgement, Puzzle


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackLesson(Lesson):
    """How does this attack end? Three or four endings to choose from."""

    move: str
    gate: str
    castle: str
    options: tuple[str, ...]

    def puzzle(self, code: Code) -> Puzzle:
        played = self.move.removeprefix("play ").replace(" for ", ", ")
        gate, castle, hand = map(cards_named, (self.gate, self.castle, played))
        battle = Battle(gate, castle, hand, own_castle=cards_named("Knight, Archer"))
        move = battle.state().game.move(self.move)
        assert isinstance(move, Play)
        found = far_puzzle(code, Onset(battle, move), self.options)
        return replace(found, hints=self.hints, rules=self.rules)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnLesson(Lesson):
    """A turn to find: it fells the Castle, unless another goal is set.

    ``point`` is what the lesson is about; it is said to whoever falls short. A goal says what
    is still missing, and nothing if it is reached.
    """

    prompt: str = "Fell the Castle this turn."
    hand: str
    solution: str
    point: str
    gate: str = ""
    castle: str = "Ogre, Ogre"
    own_gate: str = "Knight, Archer"
    own_castle: str = "Archer, Knight"
    goal: Callable[[RampageState], str] | None = None

    @property
    def battle(self) -> Battle:
        """Everything that lies on the table."""
        gate, castle, hand = map(cards_named, (self.gate, self.castle, self.hand))
        own_gate, own_castle = cards_named(self.own_gate), cards_named(self.own_castle)
        return Battle(gate, castle, hand, own_gate=own_gate, own_castle=own_castle)

    def judge(self, turn: AttackTurn) -> Judgement:
        """Play the turn, then see whether it does what was asked for."""
        played = play_turn(Lethal(self.battle.state()), turn)
        if not played.verdict:
            return refused_turn(
                turn, played, can_be_felled if self.goal is None else self._in_reach
            )
        if self.goal is not None and played.state.loser is None:
            missing = self.goal(played.state)
            return Judgement(not missing, f"{missing} {self.point}" if missing else self.point)
        if played.state.loser == 1:
            return felled(turn, played)
        short = still_stands(played)
        return Judgement(False, f"{short.message} {self.point}")

    def _in_reach(self, state: RampageState) -> bool:
        """Whether the goal may still be reached in this turn."""
        if self.goal is None or state.loser is not None or state.active:
            return False
        onward = (move for move in state.moves() if not isinstance(move, EndTurn))
        return not self.goal(state) or any(self._in_reach(state.after(move)) for move in onward)

    def puzzle(self, code: Code) -> Puzzle:
        battle = self.battle
        ask = Lethal(battle.state())
        solution = ask.read(self.solution)
        return self.asking(
            code,
            ask,
            prompt=self.prompt + (battle.tell() if self.goal is None else ""),
            start=ask.state,
            solution=solution,
            par=len(solution.moves),
            judge=self.judge,
            draw=ask.draw,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class StackLesson(Lesson):
    """Cards to stack against attacks."""

    cards: str
    gate: int
    castle: int
    attacks: tuple[Raid, ...]
    solution: str

    def puzzle(self, code: Code) -> Puzzle:
        ask = StackWell(cards_named(self.cards), self.gate, self.castle, self.attacks)
        found = stack_puzzle(code, ask, read_stacking(self.solution))
        return replace(found, hints=self.hints, rules=self.rules)


# -- goals that are not to fell a Castle -------------------------------------------------------


def _ogre_in_castle(state: RampageState) -> str:
    side = state.sides[0]
    if "Ogre" not in state.game.names(side.castle.cards):
        return "The Ogre is not in your Castle yet."
    if "Dragon" not in state.game.names(side.hand):
        return "The Ogre is in, but your Dragon has gone to pay for it."
    return ""


def _four_more(state: RampageState) -> str:
    if not state.strengthened:
        return "Nothing has been strengthened yet."
    cards, side = state.game.box.cards, state.sides[0]
    new = [(stack, cards[side.stack(stack).cards[-1]]) for stack in STACKS]
    reached = any(card.defence(stack) == 4 for stack, card in new)
    return "" if reached else "The new card defends only 2 there."


LESSONS: dict[str, AttackLesson | TurnLesson | StackLesson] = {
    "first-attack": AttackLesson(
        move="play Arrow storm for Knight, Archer",
        gate="Gatekeeper",
        castle="Ogre, Archer",
        options=("gate 1 holds", "castle 1 holds", "castle 1 even", "castle falls"),
        hints=(
            "9 meets the Gate first. What is left of it when the Gatekeeper has fallen?",
            "9 - 4 = 5. Compare that with the Ogre.",
        ),
        rules=("castle_rampage/reveal", "castle_rampage/broken", "castle_rampage/held"),
    ),
    "held": AttackLesson(
        move="play Knight",
        gate="Ogre, Archer",
        castle="Knight",
        options=("gate 1 holds", "gate 1 even", "gate 2 holds"),
        hints=(
            "Which is higher, the attack or the top card of the Gate?",
            "The Ogre defends 5 at the Gate, and the Knight attacks with 4.",
        ),
        rules=("castle_rampage/held",),
    ),
    "even": AttackLesson(
        move="play Knight",
        gate="Gatekeeper",
        castle="Archer, Knight",
        options=("gate 1 holds", "gate 1 even", "castle 1 holds"),
        hints=(
            "The attack and the top card are equal.",
            "Nobody wins: who is left when both are gone?",
        ),
        rules=("castle_rampage/even",),
    ),
    "broken": AttackLesson(
        move="play Knight",
        gate="Archer, Pikeman",
        castle="Castellan, Archer",
        options=("gate 1 holds", "gate 2 holds", "castle 1 even"),
        hints=(
            "The Archer falls. Does the attack go on as strong as before?",
            "4 - 2 = 2 is left for the Pikeman.",
        ),
        rules=("castle_rampage/broken",),
    ),
    "into-the-castle": AttackLesson(
        move="play Giant for Priest",
        gate="Knight",
        castle="Archer, Knight",
        options=("gate 1 even", "castle 1 holds", "castle 2 holds", "castle falls"),
        hints=(
            "When the Gate is used up, the rest of the strength meets the Castle.",
            "7 - 3 = 4 for the Archer. At the Castle he defends 3.",
        ),
        rules=("castle_rampage/broken", "castle_rampage/target"),
    ),
    "purple": AttackLesson(
        move="play Dragon for Priest, Scout",
        gate="Bomber",
        castle="Knight, Archer",
        options=("gate 1 holds", "gate 1 bomb", "castle 2 holds", "castle falls"),
        hints=(
            "The Bomber defends 2 and falls. What does it do when it falls?",
            "However strong the Dragon is, a Bomber that falls takes it along.",
        ),
        rules=("castle_rampage/purple",),
    ),
    "digger": TurnLesson(
        gate="Ogre, Knight",
        castle="Scout, Mercenary",
        hand="Archer, Digger, Knight",
        solution="play Digger",
        point="An attack meets the Gate first, but a Digger goes past it [castle_rampage/target].",
        hints=(
            "The Gate is too strong for this hand. Who need not care?",
            "The Castle defends 1 + 2, and the Digger attacks with 3.",
        ),
        rules=("castle_rampage/target", "castle_rampage/castle-falls"),
    ),
    "cost": TurnLesson(
        gate="Gatekeeper",
        castle="Castellan, Ogre",
        hand="Dragon, Knight, Priest, Spy",
        solution="play Knight; play Dragon for Priest, Spy",
        point="A Dragon costs two cards. Choose them well [castle_rampage/play].",
        hints=(
            "The Dragon is just strong enough for the Castle. Who opens the Gate?",
            "The Knight clears the Gate. The Priest and the Spy pay for the Dragon.",
        ),
        rules=("castle_rampage/play", "castle_rampage/even"),
    ),
    "scheme": TurnLesson(
        gate="Knight, Archer",
        castle="Giant, Ogre",
        hand="Arrow storm, Knight, Archer, Mercenary",
        solution="play Arrow storm for Knight, Archer, Mercenary",
        point="One more archer makes 14 of the 9 [castle_rampage/scheme].",
        hints=(
            "All together the enemy defends 3 + 2 + 3 + 6. How strong can the Scheme be?",
            "A Mercenary may count as an archer.",
        ),
        rules=("castle_rampage/scheme", "castle_rampage/unit"),
    ),
    "bomber": TurnLesson(
        gate="Bomber",
        castle="Archer, Ogre",
        hand="Dragon, Knight, Priest, Spy",
        solution="play Knight; play Dragon for Priest, Spy",
        point="A Bomber takes one attacker along, whoever that is [castle_rampage/purple].",
        hints=(
            "The Bomber will take an attacker with it. Which can you spare?",
            "Let the Knight meet the Bomber. The Dragon comes second.",
        ),
        rules=("castle_rampage/purple", "castle_rampage/play"),
    ),
    "permanent": TurnLesson(
        castle="Castellan, Pike wall",
        hand="Banner bearer, Knight",
        solution="play Banner bearer; play Knight",
        point="A Banner bearer stays, and each later attack gains 1 [castle_rampage/permanent].",
        hints=(
            "4 + 1 is needed, and the Knight has 4.",
            "Play the Banner bearer before the Knight.",
        ),
        rules=("castle_rampage/permanent",),
    ),
    "jester": TurnLesson(
        castle="Giant, Giant",
        hand="Jester, Knight",
        own_castle="Castellan",
        solution="strengthen castle Knight; play Jester",
        point="Somebody must stay in your own Castle [castle_rampage/jester].",
        hints=(
            "The Jester takes your last Castle card. What happens to you then?",
            "Put the Knight under your Castle first.",
        ),
        rules=("castle_rampage/jester", "castle_rampage/strengthen"),
    ),
    "summoner": TurnLesson(
        gate="Ogre, Ogre",
        castle="Ogre",
        hand="Summoner, Knight",
        own_castle="Archer",
        solution="strengthen castle Knight; play Summoner",
        point="The Summoner strikes both Castles [castle_rampage/summoner].",
        hints=(
            "One card is left in each Castle. Both would fall.",
            "Put the Knight under your Castle first.",
        ),
        rules=("castle_rampage/summoner", "castle_rampage/castle-falls"),
    ),
    "strengthen": TurnLesson(
        prompt="Strengthen a stack of yours with a card that defends 4 there.",
        hand="Castellan, Gatekeeper",
        solution="strengthen castle Castellan",
        point="One card a turn, and each has two values [castle_rampage/strengthen].",
        hints=(
            "Look at both values of each card: G for the Gate, C for the Castle.",
            "The Castellan defends 4 at the Castle, the Gatekeeper at the Gate.",
        ),
        rules=("castle_rampage/strengthen", "castle_rampage/under"),
        goal=_four_more,
    ),
    "ogre": TurnLesson(
        prompt="Put the Ogre under your Castle, and keep the Dragon.",
        hand="Ogre, Dragon, Spy, Priest",
        solution="strengthen castle Ogre for Priest, Spy",
        point="An Ogre costs two other cards [castle_rampage/ogre-cost].",
        hints=(
            "Other cards strengthen for nothing; the Ogre does not.",
            "Pick the Ogre, then your Castle, then the Priest and the Spy to pay for it.",
        ),
        rules=("castle_rampage/ogre-cost", "castle_rampage/strengthen"),
        goal=_ogre_in_castle,
    ),
    "stack-well-first": StackLesson(
        cards="Castellan, Gatekeeper",
        gate=1,
        castle=1,
        attacks=(Raid(7),),
        solution="gate Gatekeeper / castle Castellan",
        hints=(
            "Each card has a value for the Gate and one for the Castle.",
            "4 at the Gate and 4 at the Castle are more than 7.",
        ),
        rules=("castle_rampage/first-stacks", "castle_rampage/reveal"),
    ),
    "stack-bomber": StackLesson(
        cards="Knight, Archer, Bomber",
        gate=1,
        castle=2,
        attacks=(Raid(20),),
        solution="gate Bomber / castle Archer, Knight",
        hints=(
            "No wall holds 20. Who ends an attack of any strength?",
            "The Bomber must not be the last card of the Castle.",
        ),
        rules=("castle_rampage/purple", "castle_rampage/castle-falls"),
    ),
}


lesson = lesson_opener("castle_rampage", LESSONS)
