"""The moves of Castell and their notation.

=================================  =====================================================
``move Valls``                     the pawn goes to a region (first time: is set down)
``recruit 9 8``                    one or two castellers from the pawn's region
``train balance``                  a skill that the wheel offers
``train practice balance``         Practice, raising a skill that is owned
``special recruit 9``              a special action: one casteller …
``special move Valls``             … or a step …
``special perform 3-2-1``          … or a local performance …
``special perform 3-2-1 9*3 8*2 7``  … with a tower of your own to be judged
``train special recruit 9``        the same by training Special, without a token
``end``                            the end of the turn
``enter 9*3 8*2 7 6``              a tower for the festival
``stay out``                       no tower for the festival
=================================  =====================================================
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import ClassVar

from castlelab.game import Move
from castlelab.games.castell.tower import SIZES, SKILLS, Tower
from castlelab.notation import reader_for
from castlelab.rules import NotationError


@dataclass(frozen=True, slots=True)
class Go(Move):
    """The pawn goes to a region."""

    kind: ClassVar[str] = "move"
    region: str


@dataclass(frozen=True, slots=True)
class Recruit(Move):
    """Castellers, larger first, join the team."""

    kind: ClassVar[str] = "recruit"
    sizes: tuple[int, ...]

    def __str__(self) -> str:
        return "recruit " + " ".join(map(str, self.sizes))


@dataclass(frozen=True, slots=True)
class Perform(Move):
    """A local performance: the tile's notation and, if one is shown, the tower for it.

    Which tower it is changes nothing in the game, so it may be left to the engine to find.
    """

    kind: ClassVar[str] = "perform"
    tile: str
    tower: Tower | None = None

    def __str__(self) -> str:
        return f"perform {self.tile}" if self.tower is None else f"perform {self.tile} {self.tower}"


Deed = Go | Recruit | Perform


@dataclass(frozen=True, slots=True)
class Train(Move):
    """A skill of the wheel rises by one; with ``practice``, an owned one does instead."""

    kind: ClassVar[str] = "train"
    skill: str
    practice: bool = False

    def __str__(self) -> str:
        return f"train practice {self.skill}" if self.practice else f"train {self.skill}"


@dataclass(frozen=True, slots=True)
class Special(Move):
    """A special action, paid with a token or, ``trained``, by training Special."""

    kind: ClassVar[str] = "special"
    deed: Deed
    trained: bool = False

    def __str__(self) -> str:
        return f"train special {self.deed}" if self.trained else f"special {self.deed}"


@dataclass(frozen=True, slots=True)
class EndTurn(Move):
    """The end of the turn."""

    kind: ClassVar[str] = "end"


@dataclass(frozen=True, slots=True)
class Enter(Move):
    """A tower for the festival."""

    kind: ClassVar[str] = "enter"
    tower: Tower


@dataclass(frozen=True, slots=True)
class StayOut(Move):
    """No tower for the festival."""

    kind: ClassVar[str] = "stay"

    def __str__(self) -> str:
        return "stay out"


END_TURN = EndTurn()
STAY_OUT = StayOut()

_TOWER_EXAMPLE = "enter 9*3 8*2 7 6"
_EXAMPLES = (
    "'move Valls', 'recruit 9 8', 'train balance', 'special recruit 9', 'end', "
    f"'{_TOWER_EXAMPLE}', 'stay out'"
)


def read_move(text: str, regions: tuple[str, ...]) -> Move:
    """The move that a text means; anything else is a ``NotationError``.

    >>> read_move("special move Valls", ("Valls",))
    Special(deed=Go(region='Valls'), trained=False)
    """
    readers: dict[str, Callable[[list[str], tuple[str, ...]], Move]] = {
        "move": _read_go,
        "recruit": _read_recruit,
        "train": _read_train,
        "special": lambda words, names: Special(_read_deed(words, names, "special")),
        "end": lambda words, _: _no_more(EndTurn(), words),
        "enter": lambda words, _: Enter(_read_tower(words)),
        "stay": _read_stay,
    }
    reader, rest = reader_for(text, readers, _EXAMPLES)
    return reader(rest, regions)


def _no_more(move: Move, words: list[str]) -> Move:
    if words:
        raise NotationError(f"nothing follows '{move}', but there is {' '.join(words)[:40]!r}")
    return move


def _read_go(words: list[str], regions: tuple[str, ...]) -> Go:
    name = " ".join(words)
    found = next((region for region in regions if region.lower() == name.lower()), None)
    if found is None:
        near = get_close_matches(name.title(), regions, n=1)
        hint = f"did you mean {near[0]}?" if near else f"the regions are {', '.join(regions)}"
        raise NotationError(f"{name[:40]!r} is not a region; {hint}")
    return Go(found)


def _read_recruit(words: list[str], _: tuple[str, ...], most: int = 2) -> Recruit:
    if not 1 <= len(words) <= most:
        wanted = "one size" if most == 1 else "one or two sizes"
        raise NotationError(f"recruit takes {wanted}, such as 'recruit 9', not {len(words)}")
    sizes = []
    for word in words:
        if not (word.isascii() and word.isdigit() and len(word) < 3 and int(word) in SIZES):
            raise NotationError(f"{word[:30]!r} is not a size; sizes go from 1 to 10")
        sizes.append(int(word))
    return Recruit(tuple(sorted(sizes, reverse=True)))


def _read_train(words: list[str], regions: tuple[str, ...]) -> Move:
    if not words:
        raise NotationError(f"train what? One of {', '.join(SKILLS)}, practice, special")
    skill, *rest = words[0].lower(), *words[1:]
    if skill == "special":
        return Special(_read_deed(rest, regions, "train special"), trained=True)
    if skill == "practice":
        if len(rest) != 1 or rest[0].lower() not in SKILLS:
            raise NotationError(f"practise what? Write 'train practice' and {', '.join(SKILLS)}")
        return Train(rest[0].lower(), practice=True)
    if skill not in SKILLS:
        raise NotationError(
            f"{words[0][:30]!r} is not a skill; train {', '.join(SKILLS)}, practice or special"
        )
    return _no_more(Train(skill), rest)


def _read_deed(words: list[str], regions: tuple[str, ...], start: str) -> Deed:
    kind, rest = (words[0].lower(), words[1:]) if words else ("", [])
    if kind == "move":
        return _read_go(rest, regions)
    if kind == "recruit":
        return _read_recruit(rest, regions, most=1)
    if kind == "perform":
        if not rest:
            raise NotationError("perform which tile? Write it: perform 3-2-1")
        return Perform(rest[0].lower(), Tower(" ".join(rest[1:])) if rest[1:] else None)
    raise NotationError(
        f"after '{start}' comes 'recruit 9', 'move Valls' or 'perform 3-2-1', "
        f"not {' '.join(words)[:40]!r}"
    )


def _read_tower(words: list[str]) -> Tower:
    if not words:
        raise NotationError(f"the tower is missing; write it base first: {_TOWER_EXAMPLE}")
    return Tower(" ".join(words))


def _read_stay(words: list[str], _: tuple[str, ...]) -> StayOut:
    if [word.lower() for word in words] != ["out"]:
        raise NotationError("write 'stay out' to leave the festival to the others")
    return StayOut()
