"""Castle Keep's puzzles: three kinds, five levels each, made from a seed and proved solvable.

Every maker draws positions until one has what its level asks for. The castle, or the game
where an attack is asked for, judges the answers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from castlelab.chance import Chance
from castlelab.edition import Edition
from castlelab.games.castle_keep.castle import (
    CENTRE,
    RING,
    RULES,
    SPOT_WORDS,
    SPOTS,
    TILES,
    Castle,
    Tile,
    at_words,
    fits,
    fits_words,
    held_words,
    place_of,
    why_not,
)
from castlelab.games.castle_keep.count import finishes, luck_to_finish
from castlelab.games.castle_keep.moves import Attack, Build, Spot, read_spot
from castlelab.games.castle_keep.picture import bench_scene, castles_scene
from castlelab.games.castle_keep.play import CastleKeep, KeepState
from castlelab.games.castle_keep.worth import can_finish
from castlelab.puzzles import Choose, Judgement, Maker, Puzzle, first_good, growing, not_yet
from castlelab.rules import LEGAL, Breach, NotationError, Verdict, listed, quoted

if TYPE_CHECKING:
    from castlelab.draw.scene import Scene

Hand = tuple[Tile, ...]


def _tiles_of(bits: int) -> Hand:
    return tuple(tile for tile in TILES if tile.bit & bits)


# -- castles to begin with -------------------------------------------------------------------


def _grown(number: int, chance: Chance, both: bool = True) -> tuple[Castle, Chance]:
    """A castle of so many towers and walls in a row, laid by the rules."""
    start, chance = chance.below(8)
    castle = Castle()
    for place in ((start + step) % 8 for step in range(number)):
        tile, chance = chance.choice(_tiles_of(fits(castle.places, both)[place]))
        castle = castle.with_tile(tile, place)
    return castle, chance


def _with_keep(castle: Castle, chance: Chance) -> tuple[Castle, Chance]:
    """The castle with a keep of one of its colours."""
    keep, chance = chance.choice(_tiles_of(fits(castle.places)[CENTRE]))
    return castle.with_tile(keep, CENTRE), chance


def _beside(castle: Castle, place: int) -> list[tuple[str, Tile]]:
    """The towers and walls that a place of the ring touches."""
    if place == CENTRE:
        return []
    beside = ((place - 1) % 8, (place + 1) % 8)
    return [(SPOTS[at], tile) for at in beside if (tile := castle.places[at]) is not None]


def _all_match(castle: Castle) -> bool:
    """Whether all towers and walls that touch each other match."""
    return all(
        tile is None or all(tile.matches(other) for _, other in _beside(castle, place))
        for place, tile in enumerate(castle.places[:CENTRE])
    )


# -- which fits ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Gap:
    """A castle with one spot marked, and the tiles to choose from."""

    castle: Castle
    spot: str
    tiles: Hand = ()
    last_matches_both: bool = False

    def check(self, tile: Tile) -> Verdict:
        """Whether a tile may be laid on the marked spot."""
        return self.castle.check(tile, self.spot, self.last_matches_both)

    @property
    def kind(self) -> str:
        """What belongs on the marked spot."""
        place = place_of(self.spot)
        return "keep" if place == CENTRE else ("tower", "wall")[place % 2]

    @property
    def closing(self) -> bool:
        """Whether the marked spot is the last one of the ring."""
        return self.kind != "keep" and self.castle.places[:CENTRE].count(None) == 1

    @property
    def neighbours(self) -> list[tuple[str, Tile]]:
        """What the marked spot touches, the keep not counted."""
        return _beside(self.castle, place_of(self.spot))

    def matched(self, tile: Tile) -> int:
        """How many of the neighbours a tile matches."""
        return sum(tile.matches(there) for _, there in self.neighbours)


def _one_neighbour(chance: Chance) -> Gap:
    """A spot at an end of what stands."""
    number, chance = chance.choice(range(1, 4))
    castle, chance = _grown(number, chance)
    spot, _ = chance.choice(_open_spots(castle, 1))
    return Gap(castle, spot)


def _between(chance: Chance) -> Gap | None:
    """A spot between two tiles while the ring is open elsewhere, as after an attack."""
    castle, chance = _grown(8, chance)
    holes, chance = chance.sample(range(8), 3)
    castle = castle.without(holes)
    spots = _open_spots(castle, 2)
    return Gap(castle, chance.choice(spots)[0]) if spots else None


def _closing(chance: Chance) -> Gap:
    """The last spot of the ring; sometimes the keep stands already."""
    castle, chance = _grown(7, chance)
    (spot,) = _open_spots(castle, 2)
    keep, chance = chance.below(2)
    if keep:
        castle, chance = _with_keep(castle, chance)
    return Gap(castle, spot)


def _no_easy_ending(chance: Chance) -> Gap:
    return replace(_closing(chance), last_matches_both=True)


def _for_keep(chance: Chance) -> Gap:
    number, chance = chance.choice(range(3, 8))
    castle, _ = _grown(number, chance)
    return Gap(castle, "c")


def _lone_keep(chance: Chance) -> Gap:
    keep, chance = chance.choice([tile for tile in TILES if tile.kind == "keep"])
    spot, _ = chance.choice(RING)
    return Gap(Castle().with_tile(keep, CENTRE), spot)


def _open_spots(castle: Castle, neighbours: int) -> list[str]:
    """The open spots of the ring that touch so many towers and walls."""
    return [
        spot
        for place, spot in enumerate(RING)
        if castle.places[place] is None and len(_beside(castle, place)) == neighbours
    ]


@dataclass(frozen=True, slots=True)
class FitGrade:
    """A level of which-fits: the spots it asks about, and the tiles to choose from."""

    gaps: tuple[Callable[[Chance], Gap | None], ...]
    tiles: int
    kin: int  # wrong tiles of the right kind, at most; the others are of another kind
    near_misses: int = 0  # wrong tiles that match one of two neighbours, at least


FIT_GRADES = {
    1: FitGrade((_one_neighbour,), 4, kin=2),
    2: FitGrade((_between,), 4, kin=3, near_misses=2),
    3: FitGrade((_closing,), 5, kin=2),
    4: FitGrade((_for_keep, _lone_keep), 5, kin=2),
    5: FitGrade((_no_easy_ending, _between), 6, kin=5, near_misses=4),
}


def _tempting(gap: Gap, grade: FitGrade, chance: Chance) -> Gap | None:
    """The gap with tiles to choose from, one that fits and others that nearly do."""
    mixed, chance = chance.shuffle(TILES)
    fitting = [tile for tile in mixed if gap.check(tile)]
    wrong = [tile for tile in mixed if not gap.check(tile)]
    if gap.closing and not gap.last_matches_both:
        # What the relief is for: the tile matches one neighbour and not the other.
        fitting = [tile for tile in fitting if gap.matched(tile) == 1]
    kin = sorted((t for t in wrong if t.kind == gap.kind), key=gap.matched, reverse=True)
    kin = kin[: grade.kin]
    strangers = [tile for tile in wrong if _wrong_only_in_kind(gap, tile)]
    decoys = [*kin, *strangers][: grade.tiles - 1]
    near_misses = sum(gap.matched(tile) == 1 for tile in kin)
    if not fitting or not kin or len(decoys) < grade.tiles - 1 or near_misses < grade.near_misses:
        return None
    tiles, chance = chance.shuffle((fitting[0], *decoys))
    return replace(gap, tiles=tiles)


def _wrong_only_in_kind(gap: Gap, tile: Tile) -> bool:
    """Whether a tile would do if the marked spot were for its kind."""
    if tile.kind in (gap.kind, "keep"):
        return False
    if gap.neighbours:
        return gap.matched(tile) > 0
    return any(tile.colour == there.colour for there in gap.castle)


def _unmended(verdict: Verdict) -> Verdict:
    """Why an answer is wrong, and not which would be right: that is the question."""
    return Verdict(tuple(replace(breach, mend="", mends=()) for breach in verdict.breaches))


def make_which_fits(kind: str, level: int, seed: int, chance: Chance) -> Puzzle:
    """Say which of a few tiles fits on the marked spot."""
    grade = FIT_GRADES[level]

    def position(chance: Chance) -> Gap | None:
        make, chance = chance.choice(grade.gaps)
        gap = make(chance.split("gap"))
        return _tempting(gap, grade, chance.split("tiles")) if gap else None

    gap = first_good(position, chance)
    (right,) = (tile for tile in gap.tiles if gap.check(tile))
    offered = dict.fromkeys(tile.text for tile in gap.tiles)

    def judge(answer: object) -> Judgement:
        if not isinstance(answer, str) or answer not in offered:
            raise NotationError(f"{quoted(answer)} is not one of the tiles to choose from")
        tile = Tile(answer)
        verdict = gap.check(tile)
        if not verdict:
            return not_yet(_unmended(verdict), f"The {tile.words} does not fit there.")
        return Judgement(True, f"The {tile.words} fits: {_why_it_fits(gap, tile)}.")

    def draw(answer: object) -> Scene:
        if not isinstance(answer, str) or answer not in offered:
            return bench_scene(gap.castle, gap.tiles, marked_spot=gap.spot, by_letters=True)
        tile = Tile(answer)
        left = tuple(other for other in gap.tiles if other is not tile)
        castle = gap.castle.with_tile(tile, place_of(gap.spot))
        return bench_scene(castle, left, lit=gap.check(tile).where, by_letters=True)

    return Puzzle(
        kind,
        level,
        seed,
        prompt=_fit_prompt(gap),
        start=gap,
        ask=Choose(tuple((tile.text, tile.words.capitalize()) for tile in gap.tiles)),
        solution=right.text,
        par=1,
        hints=_fit_hints(gap),
        rules=_fit_rules(gap),
        judge=judge,
        draw=draw,
    )


def _fit_prompt(gap: Gap) -> str:
    where = f"{'in' if gap.kind == 'keep' else 'on'} the {SPOT_WORDS[gap.spot]}"
    if gap.castle.only_keep:
        return f"An attack has left only the keep. Which tile may be laid {where}?"
    if not gap.closing:
        return f"Which tile fits {where}?"
    if gap.last_matches_both:
        return f"The closing tile must match both neighbours. Which tile fits {where}?"
    return f"Which tile closes the ring {where}?"


def _fit_rules(gap: Gap) -> tuple[str, ...]:
    if gap.kind == "keep":
        return ("castle_keep/keep-colour", "castle_keep/spots")
    if gap.castle.only_keep:
        return ("castle_keep/lone-keep", "castle_keep/spots")
    if gap.closing:
        last = "castle_keep/adv-last-both" if gap.last_matches_both else "castle_keep/last-tile"
        return (last, "castle_keep/spots")
    return ("castle_keep/match", "castle_keep/spots")


def _fit_hints(gap: Gap) -> tuple[str, str]:
    if gap.kind == "keep":
        seen = dict.fromkeys(tile.colour for tile in gap.castle)
        return (
            "A keep looks for its colour, anywhere in the castle.",
            f"The colours of this castle: {listed([*seen])}.",
        )
    if gap.castle.only_keep:
        (keep,) = gap.castle
        return (
            "Look at the keep. What does it ask of the next tile?",
            f"You need a {keep.colour} {gap.kind}.",
        )
    places = listed([f"the {SPOT_WORDS[at]}" for at, _ in gap.neighbours])
    faces = [f"{there.colour} or {there.shape}" for _, there in gap.neighbours]
    joint = ", or it is " if gap.closing and not gap.last_matches_both else ", and it is "
    return (f"Look at what stands on {places}.", f"The {gap.kind} is {joint.join(faces)}.")


def _why_it_fits(gap: Gap, tile: Tile) -> str:
    if gap.kind == "keep":
        return f"something {tile.colour} stands in the castle"
    if gap.castle.only_keep:
        return f"it has the keep's colour, {tile.colour}"
    said = [
        f"the {there.words} in {listed(_common(tile, there))}"
        for _, there in gap.neighbours
        if tile.matches(there)
    ]
    relief = "; the closing tile needs no more" if len(said) < len(gap.neighbours) else ""
    return f"it matches {listed(said)}{relief}"


def _common(one: Tile, other: Tile) -> list[str]:
    """In what two tiles match."""
    return [name for name in ("colour", "shape") if getattr(one, name) == getattr(other, name)]


# -- finish it -------------------------------------------------------------------------------

_LONGEST_PLAN = 300
_MOST_STEPS = 9
_BREAK = re.compile(r"[,;\n]")
_PLAN_EXAMPLE = "'TRC ne, WRZ e, KR c'"


@dataclass(frozen=True, slots=True)
class Plan:
    """Tiles to lay, one after the other. Prints as ``TRC ne, WRZ e, KR c``."""

    steps: tuple[Build, ...] = ()

    def __str__(self) -> str:
        return ", ".join(f"{step.tile} {step.spot}" for step in self.steps)


def read_plan(text: str) -> Plan:
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
    return Plan(tuple(map(_read_step, parts)))


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
class Finish:
    """An answer that is a plan: what this hand lays on this castle."""

    castle: Castle
    hand: Hand
    last_matches_both: bool = False

    def read(self, text: str) -> Plan:
        """A plan in notation."""
        return read_plan(text)

    def steps(self, answer: Plan) -> tuple[Plan, ...]:
        """Tile by tile."""
        return tuple(map(Plan, growing(answer.steps)))


@dataclass(frozen=True, slots=True)
class Laid:
    """How far a plan came: what stands, what is left in hand, and why it went no further."""

    castle: Castle
    hand: Hand
    steps: int
    verdict: Verdict = LEGAL


def lay(ask: Finish, plan: Plan) -> Laid:
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
        at = hand.index(step.tile)
        hand = hand[:at] + hand[at + 1 :]
    return Laid(castle, hand, len(plan.steps))


def _check_step(castle: Castle, hand: Hand, step: Build, both: bool) -> Verdict:
    if step.tile not in hand:
        return Verdict(
            (
                Breach(
                    RULES["castle_keep/from-hand"],
                    f"You hold no {step.tile.words} now.",
                    (step.spot.spot,),
                    f"You hold {held_words(hand)}.",
                ),
            )
        )
    return castle.check(step.tile, step.spot.spot, both)


def plan_of(answer: object) -> Plan:
    """An answer that should be a plan for one castle."""
    if not isinstance(answer, Plan):
        raise NotationError(f"the answer is a plan such as {_PLAN_EXAMPLE}, not {quoted(answer)}")
    for step in answer.steps:
        if step.spot.castle or step.won:
            raise NotationError(f"there is one castle here; write {step.tile} {step.spot.spot}")
    return answer


def refused(plan: Plan, laid: Laid, ask: Finish | None = None) -> Judgement:
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
    at = laid.hand.index(step.tile)
    rest = laid.hand[:at] + laid.hand[at + 1 :]
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


def draw_plan(ask: Finish) -> Callable[[object], Scene]:
    """What shows a plan on the bench, as far as it goes."""

    def draw(answer: object) -> Scene:
        laid = lay(ask, answer if isinstance(answer, Plan) else Plan())
        return bench_scene(laid.castle, laid.hand, lit=laid.verdict.where)

    return draw


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


def make_finish_it(kind: str, level: int, seed: int, chance: Chance) -> Puzzle:
    """Complete a castle with the tiles of a hand."""
    grade = FINISH_GRADES[level]

    def position(chance: Chance) -> tuple[Finish, tuple[Castle, ...]] | None:
        strict, chance = chance.below(2) if grade.tricky else (0, chance)
        whole, chance = _grown(8, chance, both=not grade.tricky or bool(strict))
        whole, chance = _with_keep(whole, chance)
        holes, chance = chance.sample(range(9), grade.missing)
        castle = whole.without(holes)
        needed = [tile for place in holes if (tile := whole.places[place]) is not None]
        kinds = [tile.kind for tile in needed]
        others, chance = chance.sample(
            [tile for tile in TILES if tile.kind in kinds], grade.hand - grade.missing
        )
        hand, chance = chance.shuffle((*needed, *others))
        if not _all_match(castle) or castle.only_keep:
            return None
        ask = Finish(castle, hand, bool(strict))
        endings = finishes(castle, hand, ask.last_matches_both)
        if not 0 < len(endings) <= grade.endings:
            return None
        # An easy ending is a trick only if there is no other.
        if grade.tricky and not strict and any(map(_all_match, endings)):
            return None
        low, high = grade.luck
        luck = luck_to_finish(castle, hand, ask.last_matches_both)
        return (ask, endings) if low <= luck <= high else None

    ask, endings = first_good(position, chance)
    solution = _plan_to(ask, endings[0])

    def judge(answer: object) -> Judgement:
        plan = plan_of(answer)
        laid = lay(ask, plan)
        if not laid.verdict:
            return refused(plan, laid, ask)
        if not laid.castle.complete:
            return unfinished(ask, laid)
        return Judgement(True, f"The castle stands: {laid.steps} tiles, all nine spots filled.")

    strict = "The closing tile must match both neighbours. " if ask.last_matches_both else ""
    last = "castle_keep/adv-last-both" if ask.last_matches_both else "castle_keep/last-tile"
    return Puzzle(
        kind,
        level,
        seed,
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
        draw=draw_plan(ask),
    )


def _plan_to(ask: Finish, done: Castle) -> Plan:
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

    return Plan(next(orders(ask.castle)))


def _finish_hints(ask: Finish, endings: tuple[Castle, ...], plan: Plan) -> tuple[str, str]:
    """First where the trouble is, then the step to begin with."""
    first = plan.steps[0]
    start = f"Start with the {first.tile.words} on the {SPOT_WORDS[first.spot.spot]}."
    if not any(map(_all_match, endings)):
        closing = next(step.spot.spot for step in reversed(plan.steps) if step.spot.spot != "c")
        return (f"Close the ring on the {SPOT_WORDS[closing]}: there one match is enough.", start)
    gaps = [spot for spot in SPOTS if ask.castle[spot] is None]
    hardest = min(gaps, key=lambda spot: len(dict.fromkeys(done[spot] for done in endings)))
    return (f"Look at the {SPOT_WORDS[hardest]}: what could stand there in the end?", start)


# -- biggest blast ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Siege:
    """Castles of opponents, by the number of the player, and a hand to attack them with."""

    castles: tuple[tuple[str, Castle], ...]
    hand: Hand
    attack_towers: bool = False

    def state(self) -> KeepState:
        """The moment of a game in which the attack takes place."""
        start = _opening(len(self.castles) + 1, self.attack_towers)
        castles = (Castle(), *(castle for _, castle in self.castles))
        hands = (self.hand, *start.hands[1:])
        return replace(start, castles=castles, hands=hands, seat=0, phase="act", open=True)

    def standing(self) -> Iterator[tuple[str, Tile]]:
        """Every tile that stands, by its target."""
        for name, castle in self.castles:
            for spot in SPOTS:
                if (tile := castle[spot]) is not None:
                    yield f"{name}.{spot}", tile

    def at(self, target: str) -> Tile:
        """The tile that a target names."""
        return dict(self.standing())[target]

    def falls(self, target: str) -> tuple[str, ...]:
        """The targets that fall with one."""
        name, _, spot = target.partition(".")
        return tuple(f"{name}.{other}" for other in dict(self.castles)[name].blast(spot))

    def attack(self, target: str) -> Attack:
        """The attack on a target with the tile of the hand that comes nearest."""
        there = self.at(target)
        near = [tile for tile in self.hand if tile.kind == there.kind and tile.matches(there)]
        weapon = there if there in self.hand or not near else near[0]
        return Attack(weapon, read_spot(target))


@cache
def _opening(players: int, attack_towers: bool) -> KeepState:
    edition = Edition.load("castle_keep")
    return CastleKeep(players, edition, attack_towers=attack_towers).start()


@dataclass(frozen=True, slots=True)
class BlastGrade:
    """A level of biggest-blast."""

    castles: int
    attacks: int  # that are legal, at least
    options: int
    lead: range  # how many more tiles fall to the best attack than to the next
    keeps: bool = False  # a keep stands and the hand holds one like it
    towers: bool = False
    lure: bool = True  # something that is not allowed would bring down as much


BLAST_GRADES = {
    1: BlastGrade(1, 2, 3, range(2, 8), lure=False),
    2: BlastGrade(1, 2, 4, range(1, 3)),
    3: BlastGrade(1, 2, 5, range(1, 2), keeps=True),
    4: BlastGrade(2, 3, 6, range(1, 2), keeps=True),
    5: BlastGrade(2, 4, 6, range(1, 2), keeps=True, towers=True),
}


def _besieged(grade: BlastGrade, chance: Chance) -> Siege:
    """Castles of opponents, and a hand with tiles that hit some of what stands there."""
    castles = []
    for number in range(grade.castles):
        size, chance = chance.choice(range(5, 9))
        castle, chance = _grown(size, chance)
        if grade.keeps or size < 8:
            castle, chance = _with_keep(castle, chance)
        if castle.complete:  # nobody is left to attack it
            castle = castle.without([7])
        castles.append((str(number + 2), castle))
    siege = Siege(tuple(castles), (), grade.towers)
    kinds = ("wall", "tower") if grade.towers else ("wall",)
    targets = list(dict.fromkeys(tile for _, tile in siege.standing() if tile.kind in kinds))
    hits, chance = chance.sample(targets, min(grade.attacks, len(targets)))
    keeps: Hand = ()
    if grade.keeps:
        keep, chance = chance.choice([tile for _, tile in siege.standing() if tile.kind == "keep"])
        number, chance = chance.choice(range(1, 3))
        keeps = (keep,) * number
    others, chance = chance.sample(TILES, 6 - len(keeps) - len(hits))
    hand, chance = chance.shuffle((*hits, *keeps, *others))
    return replace(siege, hand=hand)


def _blast_options(siege: Siege, grade: BlastGrade) -> tuple[tuple[str, ...], str] | None:
    """The targets to choose from and the best of them, if they make a puzzle of that level."""
    legal = [str(move.spot) for move in siege.state().moves() if isinstance(move, Attack)]
    if not grade.attacks <= len(legal) <= grade.options:
        return None
    felled = {target: len(siege.falls(target)) for target, _ in siege.standing()}
    ranked = sorted(legal, key=lambda target: -felled[target])
    if felled[ranked[0]] - felled[ranked[1]] not in grade.lead:
        return None
    if len(dict.fromkeys(target.partition(".")[0] for target in legal)) < grade.castles:
        return None
    lures = sorted((t for t in felled if t not in legal), key=lambda target: -felled[target])
    if grade.keeps:  # a single keep is a trap
        lures.sort(key=lambda target: siege.at(target) not in siege.hand)
    if not grade.towers:
        lures = [target for target in lures if siege.at(target).kind != "tower"]
    lures = lures[: grade.options - len(legal)]
    if len(lures) + len(legal) < grade.options:
        return None
    if grade.lure and not any(felled[target] >= felled[ranked[0]] for target in lures):
        return None
    options = [target for target in felled if target in legal or target in lures]
    return tuple(options), ranked[0]


def make_biggest_blast(kind: str, level: int, seed: int, chance: Chance) -> Puzzle:
    """Say which attack brings down the most tiles."""
    grade = BLAST_GRADES[level]

    def position(chance: Chance) -> tuple[Siege, tuple[str, ...], str] | None:
        siege = _besieged(grade, chance)
        found = _blast_options(siege, grade)
        return (siege, *found) if found else None

    siege, options, best = first_good(position, chance)
    state = siege.state()
    par = len(siege.falls(best))

    def judge(answer: object) -> Judgement:
        if not isinstance(answer, str) or answer not in options:
            raise NotationError(f"{quoted(answer)} is not one of the targets to choose from")
        verdict = state.check(siege.attack(answer))
        if not verdict:
            return not_yet(_unmended(verdict), "That attack is not allowed.")
        falls = siege.falls(answer)
        said = f"{_tell_falls(siege, falls)} [{_attack_rule(siege.at(answer))}]"
        if len(falls) < par:
            return Judgement(False, f"{said} {par} are possible.")
        return Judgement(True, f"{said} No other attack brings down as many.")

    def draw(answer: object) -> Scene:
        lit: Iterable[str] = ()
        if isinstance(answer, str) and answer in options:
            verdict = state.check(siege.attack(answer))
            lit = siege.falls(answer) if verdict else (answer, *verdict.where)
        return castles_scene(dict(siege.castles), siege.hand, lit=lit)

    towers = "Towers may be attacked too. " if siege.attack_towers else ""
    return Puzzle(
        kind,
        level,
        seed,
        prompt=f"{towers}It is your turn to attack. Which attack brings down the most tiles?",
        start=siege,
        ask=Choose(tuple((target, _target_words(siege, target)) for target in options)),
        solution=best,
        par=par,
        hints=_blast_hints(siege, best),
        rules=_blast_rules(siege),
        judge=judge,
        draw=draw,
    )


def _attack_rule(tile: Tile) -> str:
    return {"keep": "castle_keep/attack-keep", "tower": "castle_keep/adv-towers"}.get(
        tile.kind, "castle_keep/attack-wall"
    )


def _blast_rules(siege: Siege) -> tuple[str, ...]:
    keeps = any(tile.kind == "keep" for tile in siege.hand)
    return (
        "castle_keep/attack-wall",
        *(["castle_keep/attack-keep"] if keeps else []),
        *(["castle_keep/adv-towers"] if siege.attack_towers else []),
        *(["castle_keep/one-opponent"] if len(siege.castles) > 1 else []),
    )


def _target_words(siege: Siege, target: str) -> str:
    name, _, spot = target.partition(".")
    return f"Castle {name}, {SPOT_WORDS[spot]}: {siege.at(target).words}"


def _tell_falls(siege: Siege, falls: tuple[str, ...]) -> str:
    where = listed([f"the {SPOT_WORDS[target.partition('.')[2]]}" for target in falls])
    colour = siege.at(falls[0]).colour
    if siege.at(falls[0]).kind == "keep":
        return "Only the keep falls: it takes nothing along."
    if len(falls) == 1:
        return f"Only {where} falls: nothing {colour} is joined to it."
    return f"{len(falls)} tiles fall, a {colour} run: {where}."


def _blast_hints(siege: Siege, best: str) -> tuple[str, str]:
    name, _, _ = best.partition(".")
    tile = siege.at(best)
    whose = f" of castle {name}" if len(siege.castles) > 1 else ""
    held = Counter(tile.kind for tile in siege.hand)
    what = "walls and towers" if siege.attack_towers else f"{held['wall']} walls"
    return (
        f"Compare your {what} with what stands there. What is identical?",
        f"Follow the {tile.colour} tiles{whose} round the corners.",
    )


KINDS: dict[str, Maker] = {
    "castle_keep/which-fits": make_which_fits,
    "castle_keep/finish-it": make_finish_it,
    "castle_keep/biggest-blast": make_biggest_blast,
}
