"""Once Upon a Castle's puzzle count-the-score: the wrong totals are those of usual mistakes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING

from castlelab.chance import Chance
from castlelab.game import changed
from castlelab.games.once_upon_a_castle.box import Track, house_box
from castlelab.games.once_upon_a_castle.castle import FLAG_ROOM, MOST, Castle
from castlelab.games.once_upon_a_castle.guests import POWERS, Guest
from castlelab.games.once_upon_a_castle.moment import (
    guest_card,
    guests_named,
    residents_words,
    track_of_residents,
    worths,
)
from castlelab.games.once_upon_a_castle.picture import castle_scene
from castlelab.games.once_upon_a_castle.scoring import CLOUD, SMALL_CLOUD, SUN, guest_points, score
from castlelab.puzzles import ChooseOne, Code, Judgement, Puzzle, first_good
from castlelab.rules import counted, listed

if TYPE_CHECKING:
    from castlelab.draw.scene import Scene


@dataclass(frozen=True, slots=True)
class Slip:
    """A mistake in counting a castle, and how many points too many it makes."""

    extra: int
    words: str


def slips(castle: Castle, track: Track) -> Iterator[Slip]:
    """The mistakes that are made in counting a castle, some of them without effect."""
    yield from _resident_slips(castle.residents, track)
    flat, flags = len(castle.towers) - sum(castle.towers), castle.flags
    yield Slip(flat, "a tower counts what is written on it [once_upon_a_castle/tower]")
    yield Slip(castle.walls, "a wall itself has no points [once_upon_a_castle/wall]")
    words = "a floor itself has no points, only its guest [once_upon_a_castle/floor-guest]"
    yield Slip(castle.floors, words)
    flat = len(flags) - sum(flags)
    yield Slip(flat, "a flag counts what is written on it [once_upon_a_castle/flags]")
    yield Slip(-sum(flags), "flags count too [once_upon_a_castle/flags]")
    yield Slip(-SUN * castle.sun, f"the sun counts {SUN} [once_upon_a_castle/sun]")
    yield Slip(-CLOUD * castle.cloud, f"the cloud counts {CLOUD} [once_upon_a_castle/end]")
    small = (CLOUD - SMALL_CLOUD) * castle.small_clouds
    yield Slip(small, "a small cloud counts 2 [once_upon_a_castle/guest-shepherdess]")
    for guest in castle.guests:
        yield from _guest_slips(guest, castle)
    worth = sum(guest_points(guest, castle) for guest in castle.guests)
    yield Slip(-worth, "guests count too [once_upon_a_castle/score]")


def _resident_slips(residents: int, track: Track) -> Iterator[Slip]:
    value = track.value(residents)
    met = [0, *(end for end in track.ends if end < residents)]
    earlier = [track.value(end) for end in met]
    yield Slip(
        residents - value, "only the group of the last resident counts [once_upon_a_castle/score]"
    )
    yield Slip(
        sum(earlier), "the groups before the last one do not count again [once_upon_a_castle/score]"
    )
    if residents not in track.ends:
        yield Slip(
            earlier[-1] - value, "the last group counts even if not full [once_upon_a_castle/score]"
        )
    yield Slip(-value, "residents count too [once_upon_a_castle/score]")


def _guest_slips(guest: Guest, castle: Castle) -> Iterator[Slip]:
    if not guest.power:
        words = f"the guest worth {guest.points} counts too [once_upon_a_castle/floor-guest]"
        yield Slip(-guest.points, words)
        return
    rule, worth = POWERS[guest.power].rule, guest_points(guest, castle)
    yield Slip(-worth, f"the {guest.name} brings {counted(worth, 'point')} [{rule}]")
    if guest.power == "per-crown":
        yield Slip(-1, f"the {guest.name} counts herself too [{rule}]")
    elif guest.power in ("per-tower", "per-flag"):
        what = f"{guest.power.removeprefix('per-')}s"
        values = getattr(castle, what)
        words = f"the {guest.name} counts {what}, not what is written on them [{rule}]"
        yield Slip(sum(values) - len(values), words)


def addends(castle: Castle) -> int:
    """How many numbers make up the score of a castle."""
    sky = castle.sun + castle.cloud + castle.small_clouds
    return len(castle.towers) + len(castle.flags) + len(castle.guests) + sky + 1


@dataclass(frozen=True, slots=True)
class ScoreGrade:
    """A level of count-the-score."""

    addends: range
    options: int
    residents: range
    floors: range = range(1)
    walls: range = range(1, 3)
    flags: bool = False
    sky: bool = False
    guests: tuple[str, ...] = ()  # of the Great Architect; the Apprentice has others


_BOLTS_AND_HOURGLASSES = ("miner", "magician", "cook", "guard", "troll")
SCORE_GRADES = {
    1: ScoreGrade(range(3, 5), 4, range(2, 11)),
    2: ScoreGrade(range(5, 7), 4, range(6, 21), flags=True),
    3: ScoreGrade(range(7, 10), 5, range(11, 31), range(1, 4), flags=True, sky=True),
    4: ScoreGrade(
        range(10, 12),
        5,
        range(11, 36),
        range(2, 5),
        range(2, 5),
        True,
        True,
        ("jester", "prince", "queen", *_BOLTS_AND_HOURGLASSES),
    ),
    5: ScoreGrade(
        range(12, 17),
        5,
        range(16, 41),
        range(3, 5),
        range(3, 5),
        True,
        True,
        ("courtesan", "king", "princess", "prince", "shepherdess", *_BOLTS_AND_HOURGLASSES),
    ),
}


def _to_count(grade: ScoreGrade, chance: Chance) -> Castle | None:
    """A castle with as much to add up as the level wants."""
    floors, chance = chance.choice(grade.floors)
    walls, chance = chance.choice(grade.walls)
    towers, chance = worths((2, 5), range(2, MOST + 1), chance)
    flags, chance = worths((1, 2), range(FLAG_ROOM[walls] * grade.flags + 1), chance)
    residents, chance = chance.choice(grade.residents)
    if grade.guests:
        guests, chance = chance.sample(guests_named(*grade.guests), floors)
    else:
        guests, chance = chance.sample(house_box("apprentice").guests, floors)
    castle = Castle(floors, towers, walls, flags, residents, guests)
    if grade.sky:
        castle = changed(castle, sun=len(towers) == MOST, cloud=castle.complete)
    if any(guest.power == "cloud-for-any" for guest in guests):
        number, chance = chance.choice(range(1, 3))
        castle = changed(castle, small_clouds=number)
    crowns = any(guest.symbol == "crown" for guest in guests)
    good = (len(towers) == MOST) == grade.sky and addends(castle) in grade.addends
    return castle if good and (crowns or not grade.guests) else None


def wrong_totals(castle: Castle) -> dict[int, tuple[str, ...]]:
    """The totals that mistakes lead to, and what is to be said about each."""
    track = track_of_residents()
    right = score(castle, track).total
    found: dict[int, tuple[str, ...]] = {}
    for slip in slips(castle, track):
        total = right + slip.extra
        if slip.extra and total > 0:
            found[total] = (*found.get(total, ()), slip.words)
    return found


def score_puzzle(code: Code, castle: Castle, options: Iterable[int]) -> Puzzle:
    """The puzzle of counting a castle: its score is among the options."""
    points = score(castle, track_of_residents())
    wrong = wrong_totals(castle)

    def judge(answer: str) -> Judgement:
        if int(answer) == points.total:
            return Judgement(True, _sum_words(castle))
        reasons = wrong.get(int(answer), ())
        said = f" Remember: {'; or '.join(reasons[:2])}." if reasons else ""
        return Judgement(False, f"{answer} is not the score.{said}")

    def draw(answer: str | None) -> Scene:
        if answer is None:
            return castle_scene(castle, title="How many points?", counted=False)
        if int(answer) != points.total:
            return castle_scene(castle, title=f"{answer} points?", counted=False)
        return castle_scene(castle, title=f"{answer} points")

    return Puzzle(
        *code,
        prompt=_score_prompt(castle),
        start=castle,
        ask=ChooseOne(tuple((str(total), counted(total, "point")) for total in sorted(options))),
        solution=str(points.total),
        par=max(1, points.total),
        hints=(
            "Five parts count: towers, the sky, residents, flags and guests.",
            f"Towers and flags make {points.towers + points.flags}, residents {points.residents}.",
        ),
        rules=_score_rules(castle),
        judge=judge,
        draw=draw,
    )


def _sum_words(castle: Castle) -> str:
    """The score of a castle as a sum."""
    points = score(castle, track_of_residents())
    names = ("towers", "sun and clouds", "residents", "flags", "guests")
    parts = zip(names, astuple(points), strict=True)
    told = [f"{name} {number}" for name, number in parts if number]
    total = f" = {points.total}" if len(told) > 1 else ""
    return f"{' + '.join(told).capitalize() or 'Nothing counts'}{total}."


def _score_prompt(castle: Castle) -> str:
    guests = listed([guest_card(guest) for guest in castle.guests])
    visit = f" Guests: {guests}." if castle.guests else ""
    return f"This castle has {residents_words(castle)}.{visit} What is its score?"


def _score_rules(castle: Castle) -> tuple[str, ...]:
    guests = [
        POWERS[guest.power].rule if guest.power else "once_upon_a_castle/floor-guest"
        for guest in castle.guests
    ]
    found = [
        "once_upon_a_castle/score",
        *["once_upon_a_castle/tower"] * bool(castle.towers),
        *["once_upon_a_castle/flags"] * bool(castle.flags),
        *["once_upon_a_castle/wall"] * bool(castle.walls),
        *["once_upon_a_castle/sun"] * castle.sun,
        *["once_upon_a_castle/end"] * castle.cloud,
        *guests,
    ]
    return tuple(dict.fromkeys(found))


def make_count_the_score(code: Code, chance: Chance) -> Puzzle:
    """Count a castle; the wrong totals are those of well-known mistakes."""
    grade = SCORE_GRADES[code.level]

    def position(chance: Chance) -> tuple[Castle, tuple[int, ...]] | None:
        castle = _to_count(grade, chance.split("castle"))
        if castle is None:
            return None
        wrong, _ = chance.shuffle(tuple(wrong_totals(castle)))
        if len(wrong) < grade.options - 1:
            return None
        return castle, wrong[: grade.options - 1]

    castle, wrong = first_good(position, chance)
    right = score(castle, track_of_residents()).total
    return score_puzzle(code, castle, (right, *wrong))
