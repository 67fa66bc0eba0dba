"""Castle Keep's puzzle finish-it: complete a castle with the tiles of a hand."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from castlelab.chance import Chance
from castlelab.game import without
from castlelab.games.castle_keep.castle import (
    RULES,
    SPOT_WORDS,
    SPOTS,
    TILES,
    Castle,
    Tile,
    at_words,
    fits_words,
    held_words,
    place_of,
    why_not,
)
from castlelab.games.castle_keep.count import finishes, luck_to_finish
from castlelab.games.castle_keep.moves import Build, Spot
from castlelab.games.castle_keep.picture import bench_scene
from castlelab.games.castle_keep.random_castle import all_match, grown_castle, with_keep
from castlelab.games.castle_keep.worth import can_finish
from castlelab.puzzles import Ask, Code, Hints, Judgement, Puzzle, first_good, growing, not_yet
from castlelab.rules import LEGAL, NotationError, Verdict, listed, quoted

if TYPE_CHECKING:
    from castlelab.draw.scene import Scene

_LONGEST_PLAN = 300
_MOST_STEPS = 9
_BREAK = re.compile(r"[,;\n]")
_PLAN_EXAMPLE = "'TRC ne, WRZ e, KR c'"


@dataclass(frozen=True, slots=True)
class BuildPlan:
    """Tiles to lay, one after the other. Prints as ``TRC ne, WRZ e, KR c``."""

    steps: tuple[Build, ...] = ()

    def __str__(self) -> str:
        return ", ".join(f"{step.tile} {step.spot}" for step in self.steps)


def read_plan(text: str) -> BuildPlan:
    """The plan that a text means; anything else is a ``NotationError``.

    >>> str(read_plan("build TRC ne; wrz e"))
    'TRC ne, WRZ e'
    """
    if not isinstance(text, str):
        raise NotationError(f"a plan is a text such as {_PLAN_EXAMPLE}, not {quoted(text)}")
    if len(text) > _LONGEST_PLAN:
        raise NotationError(f"a plan of {len(text)} characters is too long to be real")
    parts = [words for part in _BREAK.split(text) if (words := part.split())]
    if not parts:
        raise NotationError(f"write what to lay where, such as {_PLAN_EXAMPLE}")
    if len(parts) > _MOST_STEPS:
        raise NotationError(f"a castle takes {_MOST_STEPS} tiles, not {len(parts)}")
    return BuildPlan(tuple(map(_read_step, parts)))


def _read_step(words: list[str]) -> Build:
    if words[0].lower() == "build":
        words = words[1:]
    if len(words) != 2:
        raise NotationError(
            f"{quoted(' '.join(words))} is not a step; write a tile and a spot, "
            f"and commas between the steps: {_PLAN_EXAMPLE}"
        )
    return Build(Tile(words[0]), Spot(SPOTS[place_of(words[1])]))


@dataclass(frozen=True, slots=True)
class Finish(Ask[BuildPlan]):
    """An answer that is a plan: what this hand lays on this castle."""

    answers: ClassVar = BuildPlan
    example: ClassVar = f"a plan such as {_PLAN_EXAMPLE}"
    editor: ClassVar = "castlelab.widgets.castle_keep.castle_editor:editor_for"

    castle: Castle
    hand: tuple[Tile, ...]
    last_matches_both: bool = False

    def read(self, text: str) -> BuildPlan:
        return read_plan(text)

    def untouched(self) -> BuildPlan:
        return BuildPlan()

    def steps(self, answer: BuildPlan) -> tuple[BuildPlan, ...]:
        """Tile by tile."""
        return tuple(map(BuildPlan, growing(answer.steps)))

    def accept(self, thing: object) -> BuildPlan:
        """A plan for one castle."""
        plan = Ask.accept(self, thing)
        for step in plan.steps:
            if step.spot.castle or step.won:
                raise NotationError(f"there is one castle here; write {step.tile} {step.spot.spot}")
        return plan

    def draw(self, plan: BuildPlan | None, chosen: int | None = None) -> Scene:
        """A plan on the bench, as far as it goes; ``chosen`` is the tile that is picked up."""
        laid, room = lay(self, plan or BuildPlan()), len(self.hand)
        where = laid.verdict.where
        return bench_scene(
            laid.castle, laid.hand, chosen=chosen, lit=where, room=room, title="Castle"
        )


@dataclass(frozen=True, slots=True)
class Laid:
    """How far a plan came: what stands, what is left in hand, and why it went no further."""

    castle: Castle
    hand: tuple[Tile, ...]
    steps: int
    verdict: Verdict = LEGAL


def lay(ask: Finish, plan: BuildPlan) -> Laid:
    """Lay the tiles of a plan until one is refused.

    >>> ask = Finish(Castle.parse("TRC -- -- / -- -- -- / -- -- --"), (Tile("WRZ"), Tile("KB")))
    >>> lay(ask, read_plan("WRZ n, KB c")).verdict.rules
    ('castle_keep/keep-colour',)
    """
    castle, hand = ask.castle, ask.hand
    for number, step in enumerate(plan.steps):
        verdict = _check_step(castle, hand, step, ask.last_matches_both)
        if not verdict:
            return Laid(castle, hand, number, verdict)
        castle = castle.with_tile(step.tile, place_of(step.spot.spot))
        hand = without(hand, step.tile)
    return Laid(castle, hand, len(plan.steps))


def _check_step(castle: Castle, hand: tuple[Tile, ...], step: Build, both: bool) -> Verdict:
    if step.tile not in hand:
        message, held = f"You hold no {step.tile.words} now.", f"You hold {held_words(hand)}."
        spot = step.spot.spot
        return Verdict((RULES.breach("castle_keep/from-hand", message, (spot,), held),))
    return castle.check(step.tile, step.spot.spot, both)


def plans(ask: Finish, deep: bool = False) -> Iterator[tuple[BuildPlan, Laid]]:
    """Every castle that a hand makes, each once, with a plan that makes it.

    Those of few tiles come first; ``deep``, a plan goes on as far as it can before the next.

    >>> ask = Finish(Castle.parse("TRC -- -- / -- -- -- / -- -- --"), (Tile("WRZ"), Tile("KR")))
    >>> [str(plan) for plan, _ in plans(ask)][:4]
    ['', 'WRZ n', 'WRZ w', 'KR c']
    """
    waiting = deque([(BuildPlan(), Laid(ask.castle, ask.hand, 0))])
    seen = {ask.castle}
    while waiting:
        plan, laid = waiting.pop() if deep else waiting.popleft()
        yield plan, laid
        for tile in dict.fromkeys(laid.hand):
            for spot in laid.castle.spots_for(tile, ask.last_matches_both):
                castle = laid.castle.with_tile(tile, place_of(spot))
                if castle not in seen:
                    seen.add(castle)
                    longer = BuildPlan((*plan.steps, Build(tile, Spot(spot))))
                    rest = without(laid.hand, tile)
                    waiting.append((longer, Laid(castle, rest, laid.steps + 1)))


def refused_plan(plan: BuildPlan, laid: Laid, ask: Finish | None = None) -> Judgement:
    """The judgement on a plan with a step that is not allowed: that step, and what stands.

    Where the castle is to be finished, only what leads there is said to be right instead.
    """
    step = plan.steps[laid.steps]
    verdict = laid.verdict
    if ask is not None and step.tile in laid.hand:
        verdict = _toward_the_end(laid, step, ask.last_matches_both)
    where = at_words(step.spot.spot)
    before = {0: "", 1: " The step before it is fine."}.get(
        laid.steps, f" The {laid.steps} steps before it are fine."
    )
    return not_yet(verdict, f"The {step.tile.words} {where} is not allowed.{before}")


def _toward_the_end(laid: Laid, step: Build, both: bool) -> Verdict:
    """Why a tile does not fit, and where it does so that the castle can still be finished."""
    rest = without(laid.hand, step.tile)
    spots = tuple(
        spot
        for spot in laid.castle.spots_for(step.tile, both)
        if can_finish(laid.castle.with_tile(step.tile, place_of(spot)).places, rest, both)
    )
    instead = fits_words(step.tile, spots) if spots else ""
    return why_not(laid.castle, step.tile, place_of(step.spot.spot), both, instead, spots)


def unfinished(ask: Finish, laid: Laid) -> Judgement:
    """The judgement on a plan that keeps every rule and stops too early."""
    gaps = listed([f"the {SPOT_WORDS[spot]}" for spot in SPOTS if laid.castle[spot] is None])
    if not laid.steps:
        return Judgement(False, f"Nothing is laid yet. Open: {gaps}.")
    lost = ""
    if not any(laid.castle.spots_for(tile, ask.last_matches_both) for tile in laid.hand):
        lost = " Nothing that is left in hand fits. Take a step back."
    return Judgement(False, f"So far every tile fits. Still open: {gaps}.{lost}")


@dataclass(frozen=True, slots=True)
class FinishGrade:
    """A level of finish-it."""

    missing: int
    hand: int
    luck: tuple[float, float]  # the chance to finish by laying whatever fits
    endings: int  # different complete castles, at most
    tricky: bool = False  # no easy ending, or no ending without it


FINISH_GRADES = {
    1: FinishGrade(2, 4, (0.9, 1.0), 6),
    2: FinishGrade(3, 5, (0.7, 0.9), 6),
    3: FinishGrade(4, 6, (0.5, 0.7), 4, tricky=True),
    4: FinishGrade(5, 6, (0.3, 0.5), 3, tricky=True),
    5: FinishGrade(6, 6, (0.0, 0.3), 2, tricky=True),
}


def make_finish_it(code: Code, chance: Chance) -> Puzzle:
    """Complete a castle with the tiles of a hand."""
    grade = FINISH_GRADES[code.level]

    def position(chance: Chance) -> tuple[Finish, tuple[Castle, ...]] | None:
        strict, chance = chance.below(2) if grade.tricky else (0, chance)
        whole, chance = grown_castle(8, chance, both=not grade.tricky or bool(strict))
        whole, chance = with_keep(whole, chance)
        holes, chance = chance.sample(range(9), grade.missing)
        castle = whole.without(holes)
        needed = [tile for place in holes if (tile := whole.places[place]) is not None]
        kinds = [tile.kind for tile in needed]
        others, chance = chance.sample(
            [tile for tile in TILES if tile.kind in kinds], grade.hand - grade.missing
        )
        hand, chance = chance.shuffle((*needed, *others))
        if not all_match(castle) or castle.only_keep:
            return None
        ask = Finish(castle, hand, bool(strict))
        endings = finishes(castle, hand, ask.last_matches_both)
        if not 0 < len(endings) <= grade.endings:
            return None
        # An easy ending is a trick only if there is no other.
        if grade.tricky and not strict and any(map(all_match, endings)):
            return None
        low, high = grade.luck
        luck = luck_to_finish(castle, hand, ask.last_matches_both)
        return (ask, endings) if low <= luck <= high else None

    ask, endings = first_good(position, chance)
    solution = _plan_to(ask, endings[0])

    def judge(plan: BuildPlan) -> Judgement:
        laid = lay(ask, plan)
        if not laid.verdict:
            return refused_plan(plan, laid, ask)
        if not laid.castle.complete:
            return unfinished(ask, laid)
        return Judgement(True, f"The castle stands: {laid.steps} tiles, all nine spots filled.")

    strict = "The closing tile must match both neighbours. " if ask.last_matches_both else ""
    last = "castle_keep/adv-last-both" if ask.last_matches_both else "castle_keep/last-tile"
    return Puzzle(
        *code,
        prompt=f"{strict}Finish this castle with tiles of your hand.",
        start=ask,
        ask=ask,
        solution=solution,
        par=grade.missing,
        hints=_finish_hints(ask, endings, solution),
        rules=(
            "castle_keep/build-many",
            "castle_keep/match",
            "castle_keep/keep-colour",
            last,
            "castle_keep/win-build",
        ),
        judge=judge,
        draw=ask.draw,
    )


def _plan_to(ask: Finish, done: Castle) -> BuildPlan:
    """An order of laying that makes this castle."""

    def orders(castle: Castle) -> Iterator[tuple[Build, ...]]:
        if castle.complete:
            yield ()
        for place, tile in enumerate(done.places):
            if castle.places[place] is None and tile is not None:
                spot = SPOTS[place]
                if castle.check(tile, spot, ask.last_matches_both):
                    for rest in orders(castle.with_tile(tile, place)):
                        yield (Build(tile, Spot(spot)), *rest)

    return BuildPlan(next(orders(ask.castle)))


def _finish_hints(ask: Finish, endings: tuple[Castle, ...], plan: BuildPlan) -> Hints:
    """First where the trouble is, then the step to begin with."""
    first = plan.steps[0]
    start = f"Start with the {first.tile.words} on the {SPOT_WORDS[first.spot.spot]}."
    if not any(map(all_match, endings)):
        closing = next(step.spot.spot for step in reversed(plan.steps) if step.spot.spot != "c")
        return (f"Close the ring on the {SPOT_WORDS[closing]}: there one match is enough.", start)
    gaps = [spot for spot in SPOTS if ask.castle[spot] is None]
    hardest = min(gaps, key=lambda spot: len(dict.fromkeys(done[spot] for done in endings)))
    return (f"Look at the {SPOT_WORDS[hardest]}: what could stand there in the end?", start)
