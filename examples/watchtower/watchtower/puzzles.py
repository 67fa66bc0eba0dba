"""One kind of puzzle with five levels: find the layer that wins by force."""

from functools import cache

from castlelab.chance import Chance
from castlelab.draw.scene import Scene
from castlelab.game import changed
from castlelab.puzzles import Choose, Judgement, Maker, Puzzle, first_good, not_yet
from castlelab.rules import NotationError, quoted
from watchtower.moves import LAYERS
from watchtower.play import Moment, Watchtower

GAME = Watchtower()


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


def puzzle_of(state: Moment, kind: str, level: int, seed: int, *hints: str) -> Puzzle:
    """Which layer wins? Every one may be chosen: the rules judge it, then the search does."""

    def judge(answer: object) -> Judgement:
        if not isinstance(answer, str) or answer not in LAYERS:
            raise NotationError(f"{quoted(answer)} is not a layer to choose")
        if not (verdict := state.check(LAYERS[answer])):
            return not_yet(verdict, "That is not allowed.")
        lost = "Orange has an answer, and Blue does not win."
        return Judgement(answer in (won := winning(state)), "Well laid." if answer in won else lost)

    def draw(answer: object) -> Scene:
        move = LAYERS.get(str(answer))
        return (state.after(move) if move and state.check(move) else state).picture()

    ask = Choose(tuple((layer, str(move).capitalize()) for layer, move in LAYERS.items()))
    prompt = "Blue moves. Which layer wins, whatever Orange does?"
    return Puzzle(
        kind, level, seed, prompt, start=state, ask=ask, solution=winning(state)[0], par=1,
        hints=(hints[0], hints[1]), rules=("watchtower/watch",), judge=judge, draw=draw,
    )  # fmt: skip


def by_force(kind: str, level: int, seed: int, chance: Chance) -> Puzzle:
    """The puzzle of a code."""
    state = first_good(lambda luck: position(level, luck), chance)
    where = "Who lays a third layer hands the top to the other."
    return puzzle_of(state, kind, level, seed, where, "Count the layers that are left to lay.")


KINDS: dict[str, Maker] = {"watchtower/by-force": by_force}
