"""Castle Rampage's puzzle lethal: find the turn that fells a Castle."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from castlelab.chance import Chance
from castlelab.game import Move
from castlelab.games.castle_rampage.attack import BROKEN, PURPLE
from castlelab.games.castle_rampage.battle import (
    DEFENDERS,
    SCHEMES,
    Battle,
    drawn_from,
    tell_stack,
    tell_steps,
)
from castlelab.games.castle_rampage.box import cards_named, house_box
from castlelab.games.castle_rampage.card import STACKS
from castlelab.games.castle_rampage.judge import with_mends
from castlelab.games.castle_rampage.moves import Choose, EndTurn, Play, Strengthen
from castlelab.games.castle_rampage.picture import battle_scene
from castlelab.games.castle_rampage.play import RampageState
from castlelab.puzzles import Ask, Code, Hints, Judgement, Puzzle, first_good, growing, not_yet
from castlelab.rules import LEGAL, NotationError, Verdict, counted, listed, quoted

if TYPE_CHECKING:
    from castlelab.draw.scene import Scene

_TURN_EXAMPLE = "'play Knight; play Dragon for Archer, Spy'"
_LONGEST_TURN = 1_000
_MOST_MOVES = 20
_BREAK = re.compile(r"[;\n]")


@dataclass(frozen=True, slots=True)
class AttackTurn:
    """Moves, one after the other. Prints as ``play Knight; play Dragon for Archer, Spy``."""

    moves: tuple[Move, ...] = ()

    def __str__(self) -> str:
        return "; ".join(map(str, self.moves))


@dataclass(frozen=True, slots=True)
class Lethal(Ask[AttackTurn]):
    """An answer that is an `AttackTurn`: what fells the enemy's Castle from here.

    Everything is known in the state, and it is the middle of the attacker's turn.
    """

    answers: ClassVar = AttackTurn
    example: ClassVar = f"a turn such as {_TURN_EXAMPLE}"
    editor: ClassVar = "castlelab.widgets.castle_rampage.turn_editor:editor_for"

    state: RampageState

    def read(self, text: str) -> AttackTurn:
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
        return AttackTurn(tuple(map(self.state.game.move, parts)))

    def untouched(self) -> AttackTurn:
        return AttackTurn()

    def steps(self, answer: AttackTurn) -> tuple[AttackTurn, ...]:
        """Move by move."""
        return tuple(map(AttackTurn, growing(answer.moves)))

    def is_answer(self, thing: object) -> bool:
        """Whether it is a turn, and nothing but moves is in it."""
        return isinstance(thing, AttackTurn) and all(isinstance(one, Move) for one in thing.moves)

    def judge(self, turn: AttackTurn) -> Judgement:
        """Judge a turn by playing it."""
        played = play_turn(self, turn)
        if not played.verdict:
            return refused_turn(turn, played, can_be_felled)
        return felled(turn, played) if played.state.loser == 1 else still_stands(played)

    def draw(self, turn: AttackTurn | None) -> Scene:
        """The table after a turn, as far as it goes."""
        return battle_scene(play_turn(self, turn or AttackTurn()).state, face_up=(0, 1))


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """How far a turn came: the game then, the moves that were made, why it went no further."""

    state: RampageState
    moves: int
    verdict: Verdict = LEGAL


def play_turn(ask: Lethal, turn: AttackTurn) -> PlayedTurn:
    """Play the moves of a turn until the Castle falls, one is refused or the turn is over."""
    state = ask.state
    for number, move in enumerate(turn.moves):
        if state.loser is not None or isinstance(move, EndTurn):
            return PlayedTurn(state, number)
        verdict = state.check(move)
        if not verdict:
            return PlayedTurn(state, number, verdict)
        state = state.after(move)
    return PlayedTurn(state, len(turn.moves))


def refused_turn(
    turn: AttackTurn, played: PlayedTurn, on_the_way: Callable[[RampageState], bool]
) -> Judgement:
    """The judgement on a turn with a move that is not allowed: that move, and what was well.

    Of the moves that would mend it only those are told that may still lead to the goal.
    """
    before = str(AttackTurn(turn.moves[: played.moves]))
    well = f" Up to {before} all is well." if before else ""
    said = f"'{turn.moves[played.moves]}' is not allowed.{well}"
    breaches = []
    for breach in played.verdict.breaches:
        mends = [mend for mend in breach.mends if on_the_way(played.state.after(mend))]
        breaches.append(with_mends(breach, tuple(mends)))
    return not_yet(Verdict(tuple(breaches)), said)


def can_be_felled(state: RampageState) -> bool:
    """Whether the enemy's Castle may still fall in this turn."""
    return state.active == 0 and outlook(state, {}).moves is not None


def felled(turn: AttackTurn, played: PlayedTurn) -> Judgement:
    """The judgement on a turn that does it."""
    after = counted(played.moves, "move")
    more = " The rest is not needed." if len(turn.moves) > played.moves else ""
    told = f" {tell_steps(played.state.steps)}" if played.state.steps else ""
    fell = f"The Castle falls after {after} [castle_rampage/castle-falls]."
    return Judgement(True, f"{fell}{told}{more}")


#: Cards that may fell the Castle of whoever plays them, and the rules that say so.
_FATAL = {"Jester": "castle_rampage/jester", "Summoner": "castle_rampage/summoner"}


def still_stands(played: PlayedTurn) -> Judgement:
    """The judgement on a turn that keeps every rule and does not do it: what is left."""
    state = played.state
    if state.loser == 0:
        card = house_box().cards[state.discards[-1]]
        rule = _FATAL.get(card.name, "castle_rampage/castle-falls")
        return Judgement(False, f"Your own Castle has fallen, and you lose [{rule}].")
    told = ["The Castle still stands."]
    if state.attacker is not None and state.steps:
        told.append(f"The last attack: {tell_steps(state.steps)}")
    side = state.sides[1]
    cards = house_box().cards
    for stack in STACKS:
        told.append(tell_stack(stack, tuple(cards[at] for at in side.stack(stack).cards)))
    told.append(f"You hold {listed([cards[at].name for at in state.sides[0].hand])}.")
    return Judgement(False, " ".join(told))


class TurnOutlook(NamedTuple):
    """What a careless attacker, who plays any card, can hope for; and a careful one needs."""

    luck: float  # the chance that the Castle falls
    moves: int | None  # that it takes at least; None if it cannot be done


Known = dict[object, TurnOutlook]  # what a search has found out already


def _cards_played(state: RampageState) -> list[Move]:
    """The moves that may lead to a fallen Castle: strengthening fells nothing."""
    return [move for move in state.moves() if isinstance(move, Play | Choose)]


def outlook(state: RampageState, known: Known) -> TurnOutlook:
    """What a turn can come to, by search through the game; each card is as likely."""
    if state.loser is not None:
        return TurnOutlook(1.0, 0) if state.loser == 1 else TurnOutlook(0.0, None)
    key = state.sides, state.pause, len(state.pile)
    if key not in known:
        following = [outlook(state.after(move), known) for move in _cards_played(state)]
        fewest = min((one.moves for one in following if one.moves is not None), default=None)
        known[key] = TurnOutlook(
            sum(one.luck for one in following) / len(following) if following else 0.0,
            None if fewest is None else fewest + 1,
        )
    return known[key]


def shortest_turn(state: RampageState, known: Known | None = None) -> AttackTurn | None:
    """A turn that fells the Castle in as few moves as can be; None if there is none."""
    known = {} if known is None else known
    left = outlook(state, known).moves
    moves: list[Move] = []
    while left:
        left -= 1
        onward = ((move, state.after(move)) for move in _cards_played(state))
        move, state = next(one for one in onward if outlook(one[1], known).moves == left)
        moves.append(move)
    return AttackTurn(tuple(moves)) if moves else None


class TurnSearch(NamedTuple):
    """What came of looking for a turn: one that does it, and whether all there are were tried."""

    turn: AttackTurn | None
    whole: bool


def find_turn(
    state: RampageState, reached: Callable[[RampageState], bool], tries: int
) -> TurnSearch:
    """A turn that reaches something in as few moves as can be, after so many moves at most."""
    seen: set[object] = set()
    ways: deque[tuple[RampageState, tuple[Move, ...]]] = deque([(state, ())])
    while ways:
        before, moves = ways.popleft()
        for move in before.moves():
            if isinstance(move, EndTurn):
                continue
            if not tries:
                return TurnSearch(None, whole=False)
            tries -= 1
            after = before.after(move)
            if reached(after):
                return TurnSearch(AttackTurn((*moves, move)), whole=False)
            moment = _moment(after)
            if after.loser is None and moment not in seen:
                seen.add(moment)
                ways.append((after, (*moves, move)))
    return TurnSearch(None, whole=True)


def _moment(state: RampageState) -> object:
    """All that the rest of a turn hangs on; who was discarded first matters for one choice."""
    discards = state.discards if state.pause else tuple(sorted(state.discards))
    left = len(state.pile), state.strengthened, state.rested
    return state.sides, state.pause, discards, left


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
    3: LethalGrade(3, 3, 5, (*SCHEMES, *_COSTLY, "Spy"), 2, (0.08, 0.35), glances=2),
    4: LethalGrade(
        *(3, 4, 5, (*SCHEMES, *_COSTLY, "Digger", "Ram", "Banner bearer"), 3, (0.03, 0.15), 3),
        glances=4,
        purple=("Bomber", "Ogre"),
        guards=1,
    ),
    5: LethalGrade(
        *(3, 4, 6, (*SCHEMES, "Digger", "Summoner", "Jester", "Axe man", "Arsonist"), 3),
        *((0.0, 0.06), 3),
        glances=6,
        purple=("Bomber", "Ogre"),
        guards=2,
    ),
}


def _siege(grade: LethalGrade, chance: Chance) -> Battle | None:
    """A hand before stacks, as a level has them; None where the box has too few cards."""
    names = (*DEFENDERS, *grade.purple)
    defenders, chance = drawn_from(names, grade.gate + grade.castle, chance)
    special, chance = drawn_from(grade.special, grade.specials, chance)
    units, chance = drawn_from(_UNITS, grade.hand - grade.specials, chance)
    home, chance = drawn_from(DEFENDERS, 2, chance)
    guards, chance = chance.below(grade.guards + 1)
    # What is drawn is known only once, so one card may draw.
    drawing = sum(card.does("draw") for card in special)
    coming, chance = drawn_from((*_UNITS, "Ram"), min(drawing, 1), chance)
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
        moves = _cards_played(state)
        if not moves:
            return False
        move, chance = chance.choice(moves)
        state = state.after(move)
    return state.loser == 1


def lethal_rules(battle: Battle) -> tuple[str, ...]:
    """What a turn that fells a Castle practises."""
    found = ["castle_rampage/play", "castle_rampage/target", BROKEN, "castle_rampage/castle-falls"]
    if any(card.is_scheme for card in battle.hand):
        found += ["castle_rampage/scheme", "castle_rampage/unit"]
    if battle.guards or any(card.permanent for card in battle.hand):
        found.append("castle_rampage/permanent")
    if any(card.when_destroyed == "bomb" for card in (*battle.gate, *battle.castle)):
        found.append(PURPLE)
    held = [card.name for card in battle.hand]
    return (*found, *(rule for name, rule in _FATAL.items() if name in held))


def lethal_hints(battle: Battle, turn: AttackTurn) -> Hints:
    """What is to be overcome, and how a turn that does it begins."""
    gate = sum(card.gate for card in battle.gate)
    castle = sum(card.castle for card in battle.castle)
    sums = f"The Gate defends {gate} in all and the Castle {castle}."
    if any(card.when_destroyed == "bomb" for card in (*battle.gate, *battle.castle)):
        more = "A Bomber ends one attack: let a weak one meet it."
    elif any(card.is_scheme for card in battle.hand):
        more = "Units that pay for a Scheme cannot fight themselves."
    else:
        more = "An attack that is held is lost: which order wastes least?"
    moves = counted(len(turn.moves), "move")
    return f"{sums} {more}", f"{_first_step(turn.moves[0])}. {moves} will do."


def _first_step(move: Move) -> str:
    """How a turn begins, in words for those who point and for those who type.

    >>> _first_step(Play("Dragon", ("Digger", "Pike wall")))
    'Begin with Dragon, and give Digger and Pike wall for it'
    """
    match move:
        case Play(card, paid):
            begin = f"Begin with {card}"
        case Strengthen(stack, card, paid):
            begin = f"Begin with {card} under your {stack.title()}"
        case Choose(what):
            return f"First choose {what}"
        case _:
            return "End your turn"
    return f"{begin}, and give {listed(paid)} for it" if paid else begin


def make_lethal(code: Code, chance: Chance) -> Puzzle:
    """Find the turn that fells a Castle."""
    grade = LETHAL_GRADES[code.level]
    low, high = grade.luck

    def position(chance: Chance) -> tuple[Battle, AttackTurn] | None:
        battle = _siege(grade, chance.split("siege"))
        if battle is None:
            return None
        state = battle.state()
        # A glance spares most searches: what mere luck solves is too easy.
        if any(_careless_turn(state, chance.split(number)) for number in range(grade.glances)):
            return None
        known: Known = {}
        found = outlook(state, known)
        if found.moves is None or found.moves < grade.moves or not low < found.luck <= high:
            return None
        turn = shortest_turn(state, known)
        return None if turn is None else (battle, turn)

    battle, turn = first_good(position, chance)
    ask = Lethal(battle.state())
    return Puzzle(
        *code,
        prompt=f"Bring down the enemy's Castle this turn.{battle.tell()}",
        start=ask.state,
        ask=ask,
        solution=turn,
        par=len(turn.moves),
        hints=lethal_hints(battle, turn),
        rules=lethal_rules(battle),
        judge=ask.judge,
        draw=ask.draw,
    )
