"""Goals and contracts of CastleScape in pictures: what they ask for, and how far one is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from castlelab.draw.layout import LETTER, Frame, Part, wrapped
from castlelab.draw.scene import Rect, Shape, Target, Text
from castlelab.games.castlescape.card_picture import WIDE_LETTER
from castlelab.games.castlescape.sign_picture import Sign, sign_shapes

if TYPE_CHECKING:
    from castlelab.games.castlescape.play import ScapeState
    from castlelab.games.castlescape.quests import Quest


def quest_chip(
    quest: Quest, frame: Frame, letters: float, place: str, state: ScapeState, seat: int
) -> Part:
    """A goal or a contract in two lines: its name and Renown, and how far a player is."""
    x, y, _, height = frame
    shapes = _framed(quest, frame, letters, state, seat)
    words = _progress(quest, state, seat)
    shapes.append(Text(x + 6, y + height - 13, words, letters, "muted"))
    return Part.of(shapes, [_target(quest, frame, place, state, seat)])


def quest_sheet(
    quest: Quest, frame: Frame, letters: float, place: str, state: ScapeState, seat: int
) -> Part:
    """The same with the whole condition in words, for one who has to choose."""
    x, y, width, _ = frame
    shapes = _framed(quest, frame, letters, state, seat)
    for number, line in enumerate(sheet_lines(quest, width, letters, state, seat)):
        shapes.append(Text(x + 6, y + 34 + number * (letters + 3), line, letters, "ink"))
    return Part.of(shapes, [_target(quest, frame, place, state, seat)])


def sheet_lines(
    quest: Quest, width: float, letters: float, state: ScapeState, seat: int
) -> list[str]:
    """What is written on a sheet of that width below the name."""
    words = f"{quest.words} Now {quest.count(state, seat)}."
    return wrapped(words, width - 12, letters * LETTER)


def _framed(
    quest: Quest, frame: Frame, letters: float, state: ScapeState, seat: int
) -> list[Shape]:
    """A sheet with the name and the Renown; green where a player has what it asks for."""
    x, y, width, _ = frame
    met = quest.met(state, seat)
    bold = len(quest.name) * letters * WIDE_LETTER <= width - 32
    return [
        Rect(*frame, "good-soft" if met else "card", "good" if met else "line", 1.5),
        *sign_shapes(Sign("renown", inside=str(quest.renown)), x + 14, y + 14, 19, letters),
        Text(x + 27, y + 13, quest.name, letters, "ink", bold=bold),
    ]


def _progress(quest: Quest, state: ScapeState, seat: int) -> str:
    tick = "✓ " if quest.met(state, seat) else ""
    return f"{tick}{quest.progress(state, seat)}"


def _target(quest: Quest, frame: Frame, place: str, state: ScapeState, seat: int) -> Target:
    words = f"{place.capitalize()} {quest.describe()} Now {quest.count(state, seat)}"
    return Target(f"{place} {quest.name}", words, *frame)
