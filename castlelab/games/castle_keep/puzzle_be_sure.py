"""Castle Keep's puzzle be-sure: how many tiles must one draw to be sure, however unlucky?"""

from __future__ import annotations

from collections.abc import Sequence

from castlelab.chance import Chance
from castlelab.counting import CountQuestion, KnownSlip, count_maker
from castlelab.draw.exhibit import ExhibitRow, Tag
from castlelab.games.castle_keep.puzzle_count_castles import PAINTS, paint_tags
from castlelab.games.castle_keep.puzzle_count_rings import FACES, Face, face_tags
from castlelab.rules import either

_WHERE = "Think of the worst luck: how many tiles can you draw without what you want?"
_RULES = ("castle_keep/draw-two",)
_WORDS = {2: "two", 3: "three", 4: "four"}
_SIGNS = ("curvy", "zigzag", "straight", "dotted", "chequered", "striped")


def _luck(face: Face, alike: int) -> KnownSlip:
    another = next(each for each in FACES if each != face)
    return KnownSlip(
        alike,
        "That takes the best luck. You want to be sure.",
        (ExhibitRow("It may begin like this.", face_tags(face, another), "no"),),
    )


def _some_faces(numbers: range, chance: Chance) -> tuple[tuple[Face, ...], Chance]:
    number, chance = chance.choice(numbers)
    return chance.sample(FACES, number)


def surely(counts: Sequence[int], alike: int, others: int = 0) -> int:
    """How many tiles must be drawn for so many alike: all that help not, and one more.

    >>> surely((6, 1, 5, 6), 3), surely((4, 4, 4), 2, others=15)
    (8, 19)
    """
    return others + sum(min(count, alike - 1) for count in counts) + 1


def _plenty(faces: Sequence[Face], alike: int) -> CountQuestion:
    kinds = len(faces)
    answer = surely([alike] * kinds, alike)
    worst = " ".join(["all different"] * (alike == 2) + ["no three alike"] * (alike == 3))
    return CountQuestion(
        prompt="The tiles lie face down, many of each kind. How many must you draw to be sure that "
        f"{_WORDS[alike]} of them are alike?",
        facts=("plenty", tuple(faces), alike),
        answer=answer,
        because=f"{answer - 1} tiles may still be {worst or 'too different'}. One more decides.",
        slips=(
            KnownSlip(
                alike * kinds,
                f"So many are {_WORDS[alike]} of each kind. You want that of one kind only.",
                (ExhibitRow("This is enough already.", face_tags(*[faces[0]] * alike), "yes"),),
            ),
            KnownSlip(
                answer - 1,
                "With so many you may still be unlucky. One more decides.",
                (ExhibitRow("The worst luck.", face_tags(*faces, *faces[: alike - 2]), "no"),),
            ),
            _luck(faces[0], alike),
        ),
        hints=(
            _WHERE,
            f"Of each of the {kinds} kinds you may have {alike - 1} without reaching your aim.",
        ),
        rules=_RULES,
        rows=(ExhibitRow("The kinds of tiles.", face_tags(*faces)),),
    )


def _counted(faces: Sequence[Face], counts: Sequence[int]) -> tuple[Tag, ...]:
    return tuple(
        Tag(f"{count} × {' '.join(face)}", f"hue-{face[0]}")
        for face, count in zip(faces, counts, strict=True)
    )


def _few(faces: Sequence[Face], counts: Sequence[int], alike: int) -> CountQuestion:
    kinds = len(faces)
    answer = surely(counts, alike)
    short = next(face for face, count in zip(faces, counts, strict=True) if count < alike)
    return CountQuestion(
        prompt="These tiles lie face down. How many must you draw to be sure that "
        f"{_WORDS[alike]} of them are alike?",
        facts=("few", tuple(faces), tuple(counts), alike),
        answer=answer,
        because=f"At worst you draw {answer - 1} of which no {_WORDS[alike]} are alike. One more "
        "decides.",
        slips=(
            KnownSlip(
                alike * kinds,
                f"So many would be {_WORDS[alike]} of each kind. One kind is enough.",
                (ExhibitRow("This is enough already.", face_tags(*[faces[0]] * alike), "yes"),),
            ),
            KnownSlip(
                surely([alike] * kinds, alike),
                "Of one kind there are too few tiles for that much bad luck.",
                (ExhibitRow("There are not enough of these.", face_tags(short)),),
            ),
            _luck(faces[0], alike),
        ),
        hints=(_WHERE, f"Of each kind you may have {alike - 1}, if there are so many."),
        rules=_RULES,
        rows=(ExhibitRow("The tiles.", _counted(faces, counts)),),
    )


def _useless(faces: Sequence[Face], each: int, others: int, alike: int) -> CountQuestion:
    kinds = len(faces)
    answer = surely([each] * kinds, alike, others)
    blank = Tag(f"{others} × other")
    return CountQuestion(
        prompt=f"These tiles lie face down, and {others} other tiles among them that do not help "
        f"you. How many must you draw to be sure of {_WORDS[alike]} alike of the kinds shown?",
        facts=("useless", tuple(faces), each, others, alike),
        answer=answer,
        because=f"All {others} others, {alike - 1} of each of {kinds} kinds, and one more: "
        f"{answer}.",
        slips=(
            KnownSlip(
                others + alike * kinds,
                f"So many bring {_WORDS[alike]} of each kind. One kind is enough.",
                (ExhibitRow("This is enough already.", face_tags(*[faces[0]] * alike), "yes"),),
            ),
            KnownSlip(
                surely([each] * kinds, alike),
                "At worst the tiles that do not help come first.",
                (ExhibitRow("They may come first.", (blank,), "no"),),
            ),
            _luck(faces[0], alike),
        ),
        hints=(_WHERE, f"At worst all {others} others come first. And then?"),
        rules=_RULES,
        rows=(ExhibitRow("The tiles.", (*_counted(faces, [each] * kinds), blank)),),
    )


def _matching(paints: Sequence[str], signs: Sequence[str]) -> CountQuestion:
    a, b = len(paints), len(signs)
    answer = min(a, b) + 1
    differing = tuple(
        Tag(f"{paint} {sign}", f"hue-{paint}") for paint, sign in zip(paints, signs, strict=False)
    )
    same = tuple(Tag(f"{paints[0]} {sign}", f"hue-{paints[0]}") for sign in signs[:2])
    return CountQuestion(
        prompt="Each tile has one of the colours and one of the signs, and there are many of each "
        "kind. How many must you draw to be sure that two of them match: in colour or in sign?",
        facts=("match", tuple(paints), tuple(signs)),
        answer=answer,
        because=f"If no two match, all have different colours and different signs: at most "
        f"{answer - 1}. One more decides.",
        slips=(
            KnownSlip(
                a * b + 1,
                "That makes two tiles that are quite the same. Matching is easier.",
                (ExhibitRow("These match already.", same, "yes"),),
            ),
            KnownSlip(
                max(a, b) + 1,
                "With fewer tiles one of the two, colours or signs, has run out already.",
                (ExhibitRow("So many can differ in both.", differing, "no"),),
            ),
            KnownSlip(
                a + b,
                "You have added colours and signs. Each tile uses up one of both.",
                (ExhibitRow("Each uses up a colour and a sign.", differing),),
            ),
        ),
        hints=(
            "How many tiles can there be with no two of one colour, and no two of one sign?",
            f"There are {a} colours and {b} signs. A tile that matches none uses up one of each.",
        ),
        rules=("castle_keep/match", *_RULES),
        rows=(
            ExhibitRow("The colours.", paint_tags(paints)),
            ExhibitRow(f"The signs: {either(signs)}."),
        ),
    )


def _level_1(chance: Chance) -> CountQuestion:
    return _plenty(_some_faces(range(4, 10), chance)[0], 2)


def _level_2(chance: Chance) -> CountQuestion:
    return _plenty(_some_faces(range(4, 9), chance)[0], 3)


def _level_3(chance: Chance) -> CountQuestion:
    faces, chance = _some_faces(range(3, 6), chance)
    alike, chance = chance.choice((3, 4))
    few, chance = chance.choice(range(1, alike - 1))
    counts = [few]
    for _ in faces[1:]:
        count, chance = chance.choice(range(alike - 1, 8))
        counts.append(count)
    mixed, chance = chance.shuffle(counts[1:])
    order = (max(mixed[0], alike), *mixed[1:], few)
    return _few(faces, order, alike)


def _level_4(chance: Chance) -> CountQuestion:
    faces, chance = _some_faces(range(2, 6), chance)
    each, chance = chance.choice((3, 4, 5))
    others, chance = chance.choice(range(5, 31))
    alike, chance = chance.choice((2, 3))
    return _useless(faces, each, others, alike)


def _level_5(chance: Chance) -> CountQuestion:
    a, chance = chance.choice((2, 3, 4, 5, 6))
    b, chance = chance.choice((2, 3, 4, 5))
    paints, chance = chance.sample(PAINTS, a)
    signs, chance = chance.sample(_SIGNS, b)
    return _matching(paints, signs)


make_be_sure = count_maker({1: _level_1, 2: _level_2, 3: _level_3, 4: _level_4, 5: _level_5})
