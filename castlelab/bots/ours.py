"""Our own bots: Random, Greedy by a game's own estimate, and MonteCarlo.

What its seat cannot see, a bot guesses: once Greedy, and anew for every future that MonteCarlo
imagines.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from castlelab.bots.bot import Budget, Thought, mover_of
from castlelab.chance import Chance
from castlelab.game import Move, State
from castlelab.rules import CastlelabError, counted
from castlelab.telling import change


class Random:
    """Any legal move, each as likely as the others."""

    name = "random"

    def __repr__(self) -> str:
        return "Random()"

    def choose(self, view: State, chance: Chance) -> tuple[Move, Chance]:
        return chance.choice(view.moves())

    def think(self, view: State, chance: Chance) -> Iterator[Thought]:
        move, _ = self.choose(view, chance)
        yield Thought(1.0, move, "It is as good as any other, to somebody who does not look.")


class Greedy:
    """The move whose next state the game estimates best; ties fall at random.

    What is hidden is guessed once before the moves are compared, so that they are judged
    in the same world and nothing is peeked at.
    """

    name = "greedy"

    def __repr__(self) -> str:
        return "Greedy()"

    def choose(self, view: State, chance: Chance) -> tuple[Move, Chance]:
        seat, legal = mover_of(view), view.moves()
        if len(legal) == 1:
            return legal[0], chance
        world = view.guess(seat, chance.split("guess"))
        moves, chance = chance.shuffle(legal)
        return max(moves, key=_judged(world, seat, lambda after: after.estimate(seat))), chance

    def think(self, view: State, chance: Chance) -> Iterator[Thought]:
        move, _ = self.choose(view, chance)
        seat = mover_of(view)
        found = change(view.guess(seat, chance.split("guess")), move, seat)
        if found.gains:
            reason = f"Of all moves it leaves you best placed at once: {found.words}."
        elif found.losses:
            reason = f"Every move has its price, and this one's is the lowest: {found.words}."
        else:
            reason = "No other move does more for you at once."
        yield Thought(1.0, move, reason)


@dataclass(slots=True)
class _Step:
    """A move at one place of the tree, and how it fared in the worlds where it was met."""

    promise: float  # what the mover hoped of it at first sight, from 0 to 1
    visits: int = 0
    total: float = 0.0  # what came of those visits, in the mover's eyes
    met: int = 0  # how often it could have been chosen
    next: dict[Move, _Step] = field(default_factory=dict)
    # What was found when somebody was here last; most worlds offer the same moves.
    moves: Sequence[Move] = ()
    steps: list[_Step | None] = field(default_factory=list)  # of these moves; None is new
    known: list[_Known] = field(default_factory=list)  # those that are not new
    ranked: list[_Known] = field(default_factory=list)  # these, the most promising first

    def look_at(self, moves: Sequence[Move], steps: list[_Step | None]) -> None:
        """Remember what is known of the moves that a world offers here."""
        self.moves, self.steps, self.ranked = moves, steps, []
        self.known = [
            (step, move) for step, move in zip(steps, moves, strict=True) if step is not None
        ]

    @property
    def worth(self) -> float:
        """The mean of what came of it; the first sight counts as one visit."""
        return (self.total + self.promise) / (self.visits + 1)

    def urge(self, curiosity: float) -> float:
        """How much it asks to be tried: what it is worth, and more the less it was tried."""
        return self.worth + curiosity * math.sqrt(math.log(self.met + 1) / (self.visits + 1))


class MonteCarlo:
    """Imagines futures and plays the move that fares best in them.

    Information-set tree search (Cowling, Powley and Whitehouse, 2012): every future begins in
    a world of its own that fits what the seat can see, and all of them share one tree of moves.
    A move is first judged by the game's estimate, and the more promising ones are tried first;
    where a future leaves the tree, the estimate says what it is worth. So a future is a few
    moves long, and needs no random play to the end.

    A number of ``rollouts`` gives the same move on every machine; without one it is what the
    game advises. ``seconds`` may end the thinking about a move earlier. ``turn`` is a limit of
    seconds for all moves of a turn, kept wherever it sits at a table; it leaves to each move at
    least the futures that the game advises.
    """

    name = "montecarlo"

    def __init__(
        self,
        rollouts: int | None = None,
        seconds: float | None = None,
        *,
        turn: float | None = None,
        curiosity: float = 0.7,
        breadth: float = 1.0,
    ) -> None:
        if rollouts is not None and (type(rollouts) is not int or rollouts < 1):
            raise CastlelabError(f"rollouts are a whole number of at least 1, not {rollouts!r}")
        for limit in (seconds, turn):
            if limit is not None and not limit > 0:
                raise CastlelabError(f"seconds are a number above 0 or None, not {limit!r}")
        self.rollouts, self.seconds, self.turn = rollouts, seconds, turn
        self._curiosity, self._breadth = curiosity, breadth

    def __repr__(self) -> str:
        chosen = {"rollouts": self.rollouts, "seconds": self.seconds, "turn": self.turn}
        told = [f"{name}={value!r}" for name, value in chosen.items() if value is not None]
        return f"MonteCarlo({', '.join(told)})"

    def choose(self, view: State, chance: Chance) -> tuple[Move, Chance]:
        *_, (_, tree) = self._search(view, chance)
        return _favourite(tree), chance.split("next")

    def think(self, view: State, chance: Chance, limit: Budget | None = None) -> Iterator[Thought]:
        """The same choice in small steps; a limit ends it when both its parts are used up."""
        seat = mover_of(view)
        world = view.guess(seat, chance.split("reason"))
        told: dict[Move, str] = {}
        for done, tree in self._search(view, chance, limit):
            move = _favourite(tree)
            if move not in told:
                known = move in world.moves()
                told[move] = change(world, move, seat).words if known else ""
            yield Thought(done, move, _reason(tree, move, told[move]))

    def _search(
        self, view: State, chance: Chance, limit: Budget | None = None
    ) -> Iterator[tuple[float, _Step]]:
        """The tree after each future, and the share of the thinking that is done."""
        seat = mover_of(view)
        started = time.monotonic()
        scale = _Scale.of(view, seat, chance.split("scale"))
        tree = _Step(0.5)
        rollouts = self.rollouts or view.game.futures
        for number in range(1, rollouts + 1):
            luck = chance.split(number)
            self._imagine(view.guess(seat, luck), tree, scale, luck)
            done = number / rollouts
            if self.seconds is not None:
                done = max(done, (time.monotonic() - started) / self.seconds)
            if limit is not None:
                spent = (time.monotonic() - started) / limit.seconds
                done = max(done, min(spent, number / limit.futures))
            if len(tree.next) == 1:
                done = 1.0  # nothing to choose
            yield min(done, 1.0), tree
            if done >= 1.0:
                return

    def _imagine(self, world: State, tree: _Step, scale: _Scale, chance: Chance) -> State:
        """Follow the tree in one world, add what is new, and tell the moves what came of it.

        It ends where the world that is returned is judged.
        """
        place, way, hopes = tree, [(tree, 0)], dict[int, float]()
        while (mover := world.to_move) is not None:
            moves, seen = world.moves(), dict[Move, _Step]()
            if moves != place.moves:
                place.look_at(moves, list(map(place.next.get, moves)))
            if None in place.steps:
                new = [move for move, step in zip(moves, place.steps, strict=True) if step is None]
                if len(new) > _GLANCE and place is not tree:
                    new, chance = _glance(new, chance)
                hope = _judged(
                    world,
                    mover,
                    partial(scale.hope, seat=mover),
                    partial(scale.of_worth, seat=mover),
                )
                seen = {move: _Step(hope(move)) for move in new}
                place.next.update(seen)
                steps = [
                    seen.get(move) if step is None else step
                    for move, step in zip(moves, place.steps, strict=True)
                ]
                place.look_at(moves, steps)
            if not place.visits:
                # New here: the best of its moves shows what the place is worth.
                step, move = max(place.known, key=_promise)
                world = world.after(move)
                if move in seen:  # its promise is what it comes to in this very world
                    hopes[mover] = step.promise
                break
            place, move = self._choose(place)
            world = world.after(move)
            way.append((place, mover))
        for seat in range(world.game.players):
            if seat not in hopes:
                hopes[seat] = scale.hope(world, seat)
        for step, mover in way:
            step.visits += 1
            step.total += hopes[mover]
        return world

    def _choose(self, place: _Step) -> _Known:
        """The move that asks most to be tried, of the few that promise most."""
        known, few = place.known, max(2, int(self._breadth * math.sqrt(place.visits + 1)))
        if len(known) > few:
            if not place.ranked:
                place.ranked = sorted(known, key=_promise, reverse=True)
            known = place.ranked[:few]
        best, most = known[0], -math.inf
        for each in known:
            step = each[0]
            step.met += 1
            if (urge := step.urge(self._curiosity)) > most:
                best, most = each, urge
        return best


#: A move that may be chosen at a place of the tree, after the step that it is there.
_Known = tuple[_Step, Move]


def _promise(known: _Known) -> float:
    return known[0].promise


class _Scale(NamedTuple):
    """Turns a game's estimates into hopes from 0 (lost) to 1 (won)."""

    usual: tuple[float, ...]  # what the game estimates now, for each seat
    spread: float  # by how much a few moves change it

    @staticmethod
    def of(view: State, seat: int, chance: Chance, walks: int = 6, steps: int = 12) -> _Scale:
        """A scale for what may come, found by a few walks at random."""
        changes: list[float] = []
        for walk in range(walks):
            world, chance = view.guess(seat, chance.split(walk)), chance.split(f"walk {walk}")
            usual = tuple(world.estimate(each) for each in range(world.game.players))
            for _ in range(steps):
                if world.over:
                    break
                move, chance = chance.choice(world.moves())
                world = world.after(move)
            if not world.over:
                changes.append(min(abs(world.estimate(seat) - usual[seat]), _GREAT_CHANGE))
        return _Scale(usual, max(_SMALL_CHANGE, sum(changes) / max(1, len(changes))))

    def hope(self, state: State, seat: int) -> float:
        if state.over:
            winners = state.winners
            return 1 / len(winners) if seat in winners else 0.0
        return self.of_worth(state.estimate(seat), seat)

    def of_worth(self, worth: float, seat: int) -> float:
        """The hope of a state that is worth so much and is not over."""
        # Nearly won is still less than won.
        return 0.5 + 0.45 * math.tanh((worth - self.usual[seat]) / (2 * self.spread))


def _glance(moves: Sequence[Move], chance: Chance) -> tuple[list[Move], Chance]:
    """A few moves of each kind. There may be a hundred squares to choose from, and any of them
    shows well enough what a later move is worth; another glance shows others.
    """
    kinds: dict[str, list[Move]] = {}
    for move in moves:
        kinds.setdefault(move.kind, []).append(move)
    seen: list[Move] = []
    for alike in kinds.values():
        some, chance = chance.sample(alike, min(_GLANCE, len(alike)))
        seen += some
    return seen, chance


_GLANCE = 8  # moves of a kind that are new and looked at, at a place that is not the first
_SMALL_CHANGE, _GREAT_CHANGE = 0.5, 60.0  # estimates speak of a sure win in hundreds of points


def _judged(
    world: State,
    seat: int,
    judge: Callable[[State], float],
    of_worth: Callable[[float], float] = float,
) -> Callable[[Move], float]:
    """What comes of each legal move by a judge of states, who looks at alike ones only once.

    Where the game forecasts its own estimate, no state is made, and that is judged.
    """
    alike, known, ahead = world.likeness(), dict[object, float](), world.forecast(seat)

    def judged(move: Move) -> float:
        if ahead is not None and (worth := ahead(move)) is not None:
            return of_worth(worth)
        if (kind := alike(move)) is move:
            return judge(world.after(move))
        if (found := known.get(kind)) is None:
            found = known[kind] = judge(world.after(move))
        return found

    return judged


def _favourite(tree: _Step) -> Move:
    """The move that was tried most; of equals the one that fared best."""
    return max(tree.next, key=lambda move: (tree.next[move].visits, tree.next[move].worth))


def _reason(tree: _Step, move: Move, told: str) -> str:
    """Why a move, by its rank alone.

    What futures come to is good for comparing moves. It is no chance of winning: held against
    games that were played out, it may be worse than equal shares (``benchmarks/win_shares.py``).
    """
    others = {other: step for other, step in tree.next.items() if other != move}
    if not others:
        return "There is no other move."
    second = max(others, key=lambda other: (others[other].visits, others[other].worth))
    now = f"At once, {told}. " if told else ""
    if round(tree.next[move].worth, 2) <= round(others[second].worth, 2):
        # It was tried more often, for it looked better for longer.
        compared = f"as well as any; “{second}” is about as good"
    elif len(others) == 1:
        compared = f"better than “{second}”"
    else:
        compared = f"best of {len(tree.next)} moves; “{second}” comes next"
    return f"{now}In {counted(tree.visits, 'imagined future')} it fares {compared}."
