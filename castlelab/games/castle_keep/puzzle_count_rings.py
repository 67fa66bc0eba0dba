"""Castle Keep's puzzle count-rings: how many ways to fill a gap, or to lay a whole ring?"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from castlelab.chance import Chance
from castlelab.counting import CountQuestion, KnownSlip, count_maker
from castlelab.draw.exhibit import ExhibitRow, Tag
from castlelab.games.castle_keep.castle import COLOURS, SHAPES
from castlelab.games.castle_keep.count import rings_by_formula

#: A colour and a shape in words. Walls and towers have them alike.
Face = tuple[str, str]
FACES: tuple[Face, ...] = tuple(product(COLOURS.values(), SHAPES.values()))

_ALL = "There are nine faces: red, yellow or blue, and curvy, zigzag or straight."
_RULES = ("castle_keep/match",)


def face_tags(*faces: Face | None) -> tuple[Tag, ...]:
    """A tag for each face in its colour; an empty one for a gap."""
    return tuple(Tag(" ".join(face), f"hue-{face[0]}") if face else Tag("") for face in faces)


def matches(one: Face, other: Face) -> bool:
    """Whether two faces may be neighbours: they share a colour or a shape."""
    return one[0] == other[0] or one[1] == other[1]


def fillings(first: Face, last: Face, gap: int, *, itself: bool = True) -> int:
    """In how many ways a gap between two faces can be filled, step by step.

    With ``itself=False`` a face does not match itself.

    >>> [fillings(("red", "curvy"), ("red", "curvy"), gap) for gap in (1, 2, 3)]
    [5, 17, 77]
    """
    ways = {face: int(face == first) for face in FACES}
    for _ in range(gap + 1):
        ways = {
            here: sum(
                number
                for there, number in ways.items()
                if matches(here, there) and (itself or here != there)
            )
            for here in FACES
        }
    return ways[last]


def _alike(first: Face, last: Face) -> str:
    shared = [a for a, b in zip(first, last, strict=True) if a == b]
    return {0: "share nothing", 1: f"are both {' '.join(shared)}", 2: "are alike"}[len(shared)]


def _gap_row(first: Face, last: Face, gap: int) -> ExhibitRow:
    missing = "A tile is missing" if gap == 1 else f"{gap} tiles are missing"
    return ExhibitRow(f"{missing} between these two.", face_tags(first, *[None] * gap, last))


def _bad_end(first: Face, last: Face, gap: int) -> ExhibitRow:
    """A filling that goes well until its last joint."""
    filling = next(
        faces
        for faces in product(FACES, repeat=gap)
        if all(map(matches, (first, *faces), faces)) and not matches(faces[-1], last)
    )
    return ExhibitRow("The last two do not match.", face_tags(first, *filling, last), "no")


def _one_gap(first: Face, last: Face) -> CountQuestion:
    answer = fillings(first, last, 1)
    either = sum(matches(face, first) or matches(face, last) for face in FACES)
    both = [face for face in FACES if matches(face, first) and matches(face, last)]
    only = next((f for f in FACES if matches(f, first) and not matches(f, last)), FACES[0])
    return CountQuestion(
        prompt="How many of the nine faces match both neighbours of the gap?",
        facts=("gap", first, last, 1),
        answer=answer,
        because=f"They are {', '.join(' '.join(face) for face in both)}.",
        slips=(
            KnownSlip(
                5,
                "So many match one of the two. A gap wants both.",
                (ExhibitRow("It matches one only.", face_tags(first, only, last), "no"),),
            ),
            KnownSlip(
                either,
                "So many match one or the other. A gap wants both.",
                (ExhibitRow("It matches one only.", face_tags(first, only, last), "no"),),
            ),
            KnownSlip(
                9,
                "These are all faces. They have to match.",
                (ExhibitRow("It matches one only.", face_tags(first, only, last), "no"),),
            ),
        ),
        hints=(
            "Which faces have a colour or a shape of the one? Which of these suit the other, too?",
            f"The neighbours {_alike(first, last)}. Go through the nine faces one by one.",
        ),
        rules=(*_RULES, "castle_keep/adv-last-both"),
        rows=(ExhibitRow(_ALL), _gap_row(first, last, 1)),
    )


def _long_gap(first: Face, last: Face, gap: int) -> CountQuestion:
    answer = fillings(first, last, gap)
    lone = fillings(first, last, gap - 1)
    return CountQuestion(
        prompt="In how many ways can the gap be filled, so that all neighbours match? A face may "
        "come again, for it matches itself.",
        facts=("gap", first, last, gap),
        answer=answer,
        because="From face to matching face, step by step, and the last step has to lead to the "
        f"other end: {answer} ways.",
        slips=(
            KnownSlip(
                5**gap,
                "You have looked at one end only. The last tile must match the other end, too.",
                (_bad_end(first, last, gap),),
            ),
            KnownSlip(
                round(Fraction(5 ** (gap + 1), 9)),
                "You have taken 5/9 of the lines, as if the ends knew nothing of each other.",
                (ExhibitRow("They do: the gap is short.", face_tags(first, None, last)),),
            ),
            KnownSlip(
                fillings(first, last, gap, itself=False),
                "A face matches itself: the same one may come twice in a row.",
                (ExhibitRow("These match.", face_tags(first, first), "yes"),),
            ),
        ),
        hints=(
            "Fill the gap from one end. Which faces can stand beside the other end?",
            (
                f"A gap with one tile fewer between these two has {lone} ways. Go on "
                "from face to face, and keep count for each of the nine."
            ),
        ),
        rules=(*_RULES, "castle_keep/adv-last-both"),
        rows=(ExhibitRow(_ALL), _gap_row(first, last, gap)),
    )


def rings_unlike(colours: int, shapes: int, places: int) -> int:
    """Rings in which neighbours match and are never the same face.

    >>> rings_unlike(2, 3, 4)
    114
    """
    return int(
        (colours + shapes - 2) ** places
        + (shapes - 1) * (colours - 2) ** places
        + (colours - 1) * (shapes - 2) ** places
        + (colours - 1) * (shapes - 1) * (-2) ** places
    )


def _faces_row(colours: Sequence[str], shapes: Sequence[str]) -> ExhibitRow:
    faces = face_tags(*product(colours, shapes))
    return ExhibitRow(f"Only these {len(faces)} faces are left, many tiles of each.", faces)


def _ring_row(places: int, laid: Face | None) -> ExhibitRow:
    words = f"{places} places, and the last one lies beside the first."
    first = face_tags(laid) if laid else (Tag("1"),)
    return ExhibitRow(words, (*first, *(Tag(f"{number}") for number in range(2, places + 1))))


_LAID = " The first tile is laid already."


def _ring(
    colours: Sequence[str], shapes: Sequence[str], places: int, laid: Face | None
) -> CountQuestion:
    faces, match = len(colours) * len(shapes), len(colours) + len(shapes) - 1
    share = faces if laid else 1  # every face is as good as the others
    answer = rings_by_formula(colours=len(colours), shapes=len(shapes), places=places) // share
    lines = faces * match ** (places - 1) // share
    first, other = (colours[0], shapes[0]), (colours[-1], shapes[-1])
    between = (colours[0], shapes[-1])
    return CountQuestion(
        prompt=f"How many rings of {places} places are there in which all neighbours match? Rings "
        "that can be turned into each other are different here, and a face matches itself."
        + _LAID
        * bool(laid),
        facts=("ring", tuple(colours), tuple(shapes), places, laid),
        answer=answer,
        because=f"Of the {lines} lines, {answer} close: their last tile matches the first.",
        slips=(
            KnownSlip(
                lines,
                "These are the lines. In a ring the last tile must match the first.",
                (ExhibitRow("A line whose ends do not match.", face_tags(first, between, other)),),
            ),
            KnownSlip(
                round(Fraction(match**places, share)),
                f"You have taken {match}/{faces} of the lines, as if the ends knew nothing of "
                "each other. In a short ring they do.",
                (ExhibitRow("From here it is not far back.", face_tags(first, first, None)),),
            ),
            KnownSlip(
                rings_unlike(len(colours), len(shapes), places) // share,
                "A face matches itself: the same one may come twice in a row.",
                (ExhibitRow("These match.", face_tags(first, first), "yes"),),
            ),
        ),
        hints=(
            "Lay a line first. How many of the lines have ends that match?",
            (
                f"There are {faces} faces for the first place, and each matches {match}. Count "
                "lines that end on the first face, on one that shares a thing, and on others."
            ),
        ),
        rules=(*_RULES, "castle_keep/adv-last-both"),
        rows=(_faces_row(colours, shapes), _ring_row(places, laid)),
    )


def _one_wrong(
    colours: Sequence[str], shapes: Sequence[str], places: int, laid: Face | None
) -> CountQuestion:
    faces, match = len(colours) * len(shapes), len(colours) + len(shapes) - 1
    share = faces if laid else 1
    closed = rings_by_formula(colours=len(colours), shapes=len(shapes), places=places) // share
    lines = faces * match ** (places - 1) // share
    answer = closed + places * (lines - closed)
    first, other = (colours[0], shapes[0]), (colours[-1], shapes[-1])
    between = (colours[0], shapes[-1])
    return CountQuestion(
        prompt=f"Neighbours in a ring of {places} places must match, but one joint may be wrong, "
        "wherever it is. How many rings are there? Turned ones are different, and a face matches "
        "itself." + _LAID * bool(laid),
        facts=("wrong", tuple(colours), tuple(shapes), places, laid),
        answer=answer,
        because=f"{closed} rings without a wrong joint, and {places} · {lines - closed} with one, "
        f"for it can be any joint: {answer}.",
        slips=(
            KnownSlip(
                closed,
                "No joint is wrong in these. One may be.",
                (ExhibitRow("This one counts, too.", face_tags(first, between, other), "yes"),),
            ),
            KnownSlip(
                lines,
                "You have allowed one certain joint to be wrong. It may be any of them.",
                (ExhibitRow("Or here.", face_tags(first, other, between), "yes"),),
            ),
            KnownSlip(
                places * lines,
                "A ring without a wrong joint is counted once for each joint.",
                (ExhibitRow("Counted once for each joint.", face_tags(*[first] * 3), "no"),),
            ),
        ),
        hints=(
            "Cut the ring at its wrong joint. What is left?",
            (
                f"There are {lines} lines, and {closed} of them close to a ring. The others have a "
                "wrong joint between their ends."
            ),
        ),
        rules=("castle_keep/last-tile", *_RULES),
        rows=(_faces_row(colours, shapes), _ring_row(places, laid)),
    )


def _two_faces(chance: Chance) -> tuple[Face, Face, Chance]:
    first, chance = chance.choice(FACES)
    last, chance = chance.choice(FACES)
    return first, last, chance


def _some_faces(chance: Chance) -> tuple[list[str], list[str], Face | None, Chance]:
    """At least two of the colours and of the shapes, in their order; one face may be laid."""
    kept = []
    for names in (tuple(COLOURS.values()), tuple(SHAPES.values())):
        number, chance = chance.choice((2, 3))
        some, chance = chance.sample(names, number)
        kept.append([name for name in names if name in some])
    colours, shapes = kept
    laid, chance = chance.choice((None, *product(colours, shapes)))
    return colours, shapes, laid, chance


def _level_1(chance: Chance) -> CountQuestion:
    first, last, chance = _two_faces(chance)
    return _one_gap(first, last)


def _level_2(chance: Chance) -> CountQuestion:
    colours, shapes, laid, chance = _some_faces(chance)
    places, chance = chance.choice((3, 4, 5))
    return _ring(colours, shapes, places, laid)


def _level_3(chance: Chance) -> CountQuestion:
    first, last, chance = _two_faces(chance)
    gap, chance = chance.choice((2, 3))
    return _long_gap(first, last, gap)


def _level_4(chance: Chance) -> CountQuestion:
    colours, shapes, laid, chance = _some_faces(chance)
    places, chance = chance.choice((6, 7, 8))
    return _ring(colours, shapes, places, laid)


def _level_5(chance: Chance) -> CountQuestion:
    colours, shapes, laid, chance = _some_faces(chance)
    places, chance = chance.choice((4, 5, 6, 8))
    return _one_wrong(colours, shapes, places, laid)


make_count_rings = count_maker({1: _level_1, 2: _level_2, 3: _level_3, 4: _level_4, 5: _level_5})
