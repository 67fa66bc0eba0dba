"""One kind of puzzle with five levels: find the layer that wins by force."""

from functools import cache

from castlelab.chance import Chance
from castlelab.draw.scene import Scene
from castlelab.edition import Edition
from castlelab.game import changed
from castlelab.puzzles import ChooseOne, Code, Hints, Judgement, Maker, Puzzle, first_good, not_yet
from watchtower.moves import LAYERS
from watchtower.play import Moment, Watchtower

GAME = Watchtower(edition=Edition.load("watchtower"))
PROMPT = "Blue moves. Which layer wins, whatever Orange does?"


@cache
def lead(state: Moment) -> int:
    """By how many points Blue wins if both play perfectly from here."""
    if state.over:
        return state.points[0] - state.points[1]
    best = max if state.to_move == 0 else min
    return best(lead(state.after(move)) for move in state.moves())


def winning(state: Moment) -> list[str]:
    """The layers with which Blue wins, whatever Orange does."""
    return [layer for layer, m in LAYERS.items() if state.check(m) and lead(state.after(m)) > 0]


def position(level: int, chance: Chance) -> Moment | None:
    """A moment with ``level + 1`` layers to come, in which few of Blue's moves win."""
    state = changed(GAME.start(), seat=(11 - level) % 2)
    for _ in range(11 - level):
        if state.over:
            return None
        move, chance = chance.choice(state.moves())
        state = state.after(move)
    return state if 0 < len(winning(state)) <= len(state.moves()) / 3 else None


def puzzle_of(state: Moment, code: Code, right: list[str], hints: Hints = ("", "")) -> Puzzle:
    """Which layer is right? Every one may be chosen: the rules judge it, then the search does."""

    def judge(answer: str) -> Judgement:
        if not (verdict := state.check(LAYERS[answer])):
            return not_yet(verdict, "That is not allowed.")
        lost = "That does not do it. Try another layer."
        return Judgement(answer in right, "Well laid." if answer in right else lost)

    def draw(answer: str | None) -> Scene:
        move = LAYERS[answer] if answer else None
        return (state.after(move) if move and state.check(move) else state).picture()

    return Puzzle(
        *code,
        prompt=PROMPT,
        start=state,
        ask=ChooseOne(tuple((layer, str(move).capitalize()) for layer, move in LAYERS.items())),
        solution=right[0],
        par=1,
        hints=hints,
        rules=("watchtower/watch",),
        judge=judge,
        draw=draw,
    )


def by_force(code: Code, chance: Chance) -> Puzzle:
    """The puzzle of a code."""
    state = first_good(lambda luck: position(code.level, luck), chance)
    where = "Who lays a third layer hands the top to the other."
    return puzzle_of(state, code, winning(state), (where, "Count the layers that are left to lay."))


KINDS: dict[str, Maker] = {"watchtower/by-force": by_force}
