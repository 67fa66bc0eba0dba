"""Castle Keep's puzzles, five levels each, made from a seed and proved solvable.

Every maker draws positions until one has what its level asks for. The castle, or the game
where an attack is asked for, judges the answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from castlelab.chance import Chance
from castlelab.edition import Edition
from castlelab.games.castle_keep.castle import (
    CENTRE,
    RING,
    SPOT_WORDS,
    SPOTS,
    TILES,
    Castle,
    Tile,
    place_of,
)
from castlelab.games.castle_keep.moves import Attack, read_spot
from castlelab.games.castle_keep.picture import bench_scene, castles_scene
from castlelab.games.castle_keep.play import CastleKeep, KeepState
from castlelab.games.castle_keep.puzzle_be_sure import make_be_sure
from castlelab.games.castle_keep.puzzle_count_castles import make_count_castles
from castlelab.games.castle_keep.puzzle_count_rings import make_count_rings
from castlelab.games.castle_keep.puzzle_finish_it import make_finish_it
from castlelab.games.castle_keep.puzzle_last_guard import make_last_guard
from castlelab.games.castle_keep.random_castle import grown_castle, with_keep
from castlelab.games.castle_keep.tile_picture import kind_for
from castlelab.puzzles import (
    ChooseOne,
    Code,
    Hints,
    Judgement,
    Maker,
    Puzzle,
    first_good,
    not_yet,
    unmended,
)
from castlelab.rules import Verdict, counted, listed

if TYPE_CHECKING:
    from castlelab.draw.scene import Scene

# -- which fits ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MarkedSpot:
    """A castle with one spot marked, and the tiles to choose from."""

    castle: Castle
    spot: str
    tiles: tuple[Tile, ...] = ()
    last_matches_both: bool = False

    def check(self, tile: Tile) -> Verdict:
        """Whether a tile may be laid on the marked spot."""
        return self.castle.check(tile, self.spot, self.last_matches_both)

    @property
    def kind(self) -> str:
        """What belongs on the marked spot."""
        return kind_for(self.spot)

    @property
    def closing(self) -> bool:
        """Whether the marked spot is the last one of the ring."""
        return self.kind != "keep" and self.castle.places[:CENTRE].count(None) == 1

    @property
    def neighbours(self) -> list[tuple[str, Tile]]:
        """What the marked spot touches, the keep not counted."""
        return self.castle.beside(place_of(self.spot))

    def matched(self, tile: Tile) -> int:
        """How many of the neighbours a tile matches."""
        return sum(tile.matches(there) for _, there in self.neighbours)

    def laid(self, tile: Tile) -> Castle:
        """The castle with a tile on the marked spot, allowed or not."""
        return self.castle.with_tile(tile, place_of(self.spot))

    def judge(self, answer: str) -> Judgement:
        """Judge the choice of a tile."""
        tile = Tile(answer)
        verdict = self.check(tile)
        if not verdict:
            return not_yet(unmended(verdict), f"The {tile.words} does not fit there.")
        return Judgement(True, f"The {tile.words} fits: {_why_it_fits(self, tile)}.")

    def draw(self, answer: str | None) -> Scene:
        """The castle with its mark or, with an answer, with that tile."""
        if answer is None:
            return bench_scene(self.castle, self.tiles, marked_spot=self.spot, by_letters=True)
        tile = Tile(answer)
        left = tuple(other for other in self.tiles if other is not tile)
        return bench_scene(self.laid(tile), left, lit=self.check(tile).where, by_letters=True)

    def puzzle(self, code: Code, right: Tile) -> Puzzle:
        """The question which of the tiles fits there."""
        return Puzzle(
            *code,
            prompt=_fit_prompt(self),
            start=self,
            ask=ChooseOne(tuple((tile.text, tile.words.capitalize()) for tile in self.tiles)),
            solution=right.text,
            par=1,
            hints=_fit_hints(self),
            rules=_fit_rules(self),
            judge=self.judge,
            draw=self.draw,
        )


def _one_neighbour(chance: Chance) -> MarkedSpot:
    """A spot at an end of what stands."""
    number, chance = chance.choice(range(1, 4))
    castle, chance = grown_castle(number, chance)
    spot, _ = chance.choice(_open_spots(castle, 1))
    return MarkedSpot(castle, spot)


def _between(chance: Chance) -> MarkedSpot | None:
    """A spot between two tiles while the ring is open elsewhere, as after an attack."""
    castle, chance = grown_castle(8, chance)
    holes, chance = chance.sample(range(8), 3)
    castle = castle.without(holes)
    spots = _open_spots(castle, 2)
    return MarkedSpot(castle, chance.choice(spots)[0]) if spots else None


def _closing(chance: Chance) -> MarkedSpot:
    """The last spot of the ring; sometimes the keep stands already."""
    castle, chance = grown_castle(7, chance)
    (spot,) = _open_spots(castle, 2)
    keep, chance = chance.below(2)
    if keep:
        castle, chance = with_keep(castle, chance)
    return MarkedSpot(castle, spot)


def _no_easy_ending(chance: Chance) -> MarkedSpot:
    return replace(_closing(chance), last_matches_both=True)


def _for_keep(chance: Chance) -> MarkedSpot:
    number, chance = chance.choice(range(3, 8))
    castle, _ = grown_castle(number, chance)
    return MarkedSpot(castle, "c")


def _lone_keep(chance: Chance) -> MarkedSpot:
    keep, chance = chance.choice([tile for tile in TILES if tile.kind == "keep"])
    spot, _ = chance.choice(RING)
    return MarkedSpot(Castle().with_tile(keep, CENTRE), spot)


def _open_spots(castle: Castle, neighbours: int) -> list[str]:
    """The open spots of the ring that touch so many towers and walls."""
    return [
        spot
        for place, spot in enumerate(RING)
        if castle.places[place] is None and len(castle.beside(place)) == neighbours
    ]


@dataclass(frozen=True, slots=True)
class FitGrade:
    """A level of which-fits: the spots it asks about, and the tiles to choose from."""

    gaps: tuple[Callable[[Chance], MarkedSpot | None], ...]
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


def _tempting(gap: MarkedSpot, grade: FitGrade, chance: Chance) -> MarkedSpot | None:
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


def _wrong_only_in_kind(gap: MarkedSpot, tile: Tile) -> bool:
    """Whether a tile would do if the marked spot were for its kind."""
    if tile.kind in (gap.kind, "keep"):
        return False
    if gap.neighbours:
        return gap.matched(tile) > 0
    return any(tile.colour == there.colour for there in gap.castle)


def make_which_fits(code: Code, chance: Chance) -> Puzzle:
    """Say which of a few tiles fits on the marked spot."""
    grade = FIT_GRADES[code.level]

    def position(chance: Chance) -> MarkedSpot | None:
        make, chance = chance.choice(grade.gaps)
        gap = make(chance.split("gap"))
        return _tempting(gap, grade, chance.split("tiles")) if gap else None

    gap = first_good(position, chance)
    (right,) = (tile for tile in gap.tiles if gap.check(tile))
    return gap.puzzle(code, right)


def _fit_prompt(gap: MarkedSpot) -> str:
    where = f"{'in' if gap.kind == 'keep' else 'on'} the {SPOT_WORDS[gap.spot]}"
    if gap.castle.only_keep:
        return f"An attack has left only the keep. Which tile may be laid {where}?"
    if not gap.closing:
        return f"Which tile fits {where}?"
    if gap.last_matches_both:
        return f"The closing tile must match both neighbours. Which tile fits {where}?"
    return f"Which tile closes the ring {where}?"


def _fit_rules(gap: MarkedSpot) -> tuple[str, ...]:
    rule = "castle_keep/match"
    if gap.kind == "keep":
        rule = "castle_keep/keep-colour"
    elif not len(gap.castle):
        rule = "castle_keep/first-tile"
    elif gap.castle.only_keep:
        rule = "castle_keep/lone-keep"
    elif gap.closing:
        rule = "castle_keep/adv-last-both" if gap.last_matches_both else "castle_keep/last-tile"
    return (rule, "castle_keep/spots")


def _fit_hints(gap: MarkedSpot) -> Hints:
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
    if not len(gap.castle):
        return ("What may a castle start with, and where?", f"You need a {gap.kind}.")
    places = listed([f"the {SPOT_WORDS[at]}" for at, _ in gap.neighbours])
    faces = [f"{there.colour} or {there.shape}" for _, there in gap.neighbours]
    joint = ", or it is " if gap.closing and not gap.last_matches_both else ", and it is "
    return (f"Look at what stands on {places}.", f"The {gap.kind} is {joint.join(faces)}.")


def _why_it_fits(gap: MarkedSpot, tile: Tile) -> str:
    if gap.kind == "keep":
        return f"something {tile.colour} stands in the castle"
    if gap.castle.only_keep:
        return f"it has the keep's colour, {tile.colour}"
    if not len(gap.castle):
        return f"a castle may start with any {gap.kind}"
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


# -- biggest blast ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Siege:
    """Castles of opponents, by the number of the player, and a hand to attack them with."""

    castles: tuple[tuple[str, Castle], ...]
    hand: tuple[Tile, ...]
    attack_towers: bool = False
    targets: tuple[str, ...] = ()  # to choose from; none named: all there are

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

    def left(self, target: str) -> Castle:
        """What is left of a castle after an attack."""
        name, _, spot = target.partition(".")
        castle = dict(self.castles)[name]
        return castle.without(map(place_of, castle.blast(spot)))

    def weapons(self, target: str) -> str:
        """What it takes to bring down a target, in words."""
        there = self.at(target)
        keeps = dict(self.castles)[target.partition(".")[0]].keeps_needed
        pair = there.kind == "keep" and keeps == 2
        return f"two {there.words}s" if pair else f"a {there.words}"

    def attack(self, target: str) -> Attack:
        """The attack on a target with the tile of the hand that comes nearest."""
        there = self.at(target)
        near = [tile for tile in self.hand if tile.kind == there.kind and tile.matches(there)]
        weapon = there if there in self.hand or not near else near[0]
        return Attack(weapon, read_spot(target))

    def allowed(self) -> list[str]:
        """The targets that may be attacked."""
        legal = [str(move.spot) for move in self.state().moves() if isinstance(move, Attack)]
        return [target for target in legal if not self.targets or target in self.targets]

    def most(self) -> int:
        """How many tiles fall to the best attack; 0 if there is none."""
        return max((len(self.falls(target)) for target in self.allowed()), default=0)

    def judge(self, answer: str, enough: int) -> Judgement:
        """Judge the choice of a target: so many tiles are to fall."""
        verdict = self.state().check(self.attack(answer))
        if not verdict:
            return not_yet(unmended(verdict), "That attack is not allowed.")
        falls = self.falls(answer)
        said = f"{_tell_falls(self, falls)} [{_attack_rule(self.at(answer))}]"
        if len(falls) < enough:
            return Judgement(False, f"{said} {enough} are possible.")
        return Judgement(True, f"{said}{self._compare(len(falls))}")

    def _compare(self, number: int) -> str:
        """How an attack that brings down so many tiles compares with the others."""
        as_good = [target for target in self.allowed() if len(self.falls(target)) >= number]
        if len(as_good) == 1:
            return " No other attack brings down as many."
        return " No attack brings down more." if number == self.most() else ""

    def draw(self, answer: str | None) -> Scene:
        """The castles or, with an answer, what falls there and why not."""
        lit: tuple[str, ...] = ()
        if answer is not None:
            verdict = self.state().check(self.attack(answer))
            lit = self.falls(answer) if verdict else (answer, *verdict.where)
        return castles_scene(dict(self.castles), self.hand, lit=lit)

    def puzzle(self, code: Code, best: str) -> Puzzle:
        """The question which of the targets to attack."""
        enough = len(self.falls(best))
        towers = "Towers may be attacked too. " if self.attack_towers else ""
        return Puzzle(
            *code,
            prompt=f"{towers}It is your turn to attack. Which attack brings down the most tiles?",
            start=self,
            ask=ChooseOne(tuple((target, _target_words(self, target)) for target in self.targets)),
            solution=best,
            par=enough,
            hints=_blast_hints(self, best),
            rules=_blast_rules(self),
            judge=lambda answer: self.judge(answer, enough),
            draw=self.draw,
        )


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
        castle, chance = grown_castle(size, chance)
        if grade.keeps or size < 8:
            castle, chance = with_keep(castle, chance)
        if castle.complete:  # nobody is left to attack it
            castle = castle.without([7])
        castles.append((str(number + 2), castle))
    siege = Siege(tuple(castles), (), grade.towers)
    kinds = ("wall", "tower") if grade.towers else ("wall",)
    targets = list(dict.fromkeys(tile for _, tile in siege.standing() if tile.kind in kinds))
    hits, chance = chance.sample(targets, min(grade.attacks, len(targets)))
    keeps: tuple[Tile, ...] = ()
    if grade.keeps:
        keep, chance = chance.choice([tile for _, tile in siege.standing() if tile.kind == "keep"])
        number, chance = chance.choice(range(1, 3))
        keeps = (keep,) * number
    others, chance = chance.sample(TILES, 6 - len(keeps) - len(hits))
    hand, chance = chance.shuffle((*hits, *keeps, *others))
    return replace(siege, hand=hand)


def _blast_options(siege: Siege, grade: BlastGrade) -> tuple[tuple[str, ...], str] | None:
    """The targets to choose from and the best of them, if they make a puzzle of that level."""
    legal = siege.allowed()
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


def make_biggest_blast(code: Code, chance: Chance) -> Puzzle:
    """Say which attack brings down the most tiles."""
    grade = BLAST_GRADES[code.level]

    def position(chance: Chance) -> tuple[Siege, str] | None:
        siege = _besieged(grade, chance)
        found = _blast_options(siege, grade)
        return (replace(siege, targets=found[0]), found[1]) if found else None

    siege, best = first_good(position, chance)
    return siege.puzzle(code, best)


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


def _blast_hints(siege: Siege, best: str) -> Hints:
    name, _, _ = best.partition(".")
    tile = siege.at(best)
    whose = f" of castle {name}" if len(siege.castles) > 1 else ""
    if tile.kind == "keep":
        return ("Count your keeps.", f"Look at the {tile.words}{whose}.")
    walls = sum(held.kind == "wall" for held in siege.hand)
    what = "walls and towers" if siege.attack_towers else counted(walls, "wall")
    return (
        f"Compare your {what} with what stands there. What is identical?",
        f"Follow the {tile.colour} tiles{whose} round the corners.",
    )


KINDS: dict[str, Maker] = {
    "castle_keep/which-fits": make_which_fits,
    "castle_keep/finish-it": make_finish_it,
    "castle_keep/biggest-blast": make_biggest_blast,
    "castle_keep/count-rings": make_count_rings,
    "castle_keep/count-castles": make_count_castles,
    "castle_keep/be-sure": make_be_sure,
    "castle_keep/last-guard": make_last_guard,
}
