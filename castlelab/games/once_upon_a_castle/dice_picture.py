"""What lies beside a board of Once Upon a Castle: dice, chips, buttons, tokens, guest cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from castlelab.draw.layout import Part, button_part, grouped, in_rows, joined, rows
from castlelab.draw.scene import (
    NARROW,
    Circle,
    Happening,
    Path,
    Piece,
    Rect,
    Shape,
    Target,
    Text,
    as_piece,
)
from castlelab.games.once_upon_a_castle import storybook_picture as storybook
from castlelab.games.once_upon_a_castle.board import TOKENS, face_words
from castlelab.games.once_upon_a_castle.board_picture import (
    LEAST,
    LEAST_THERE,
    PAGE,
    ROLES,
    ROUND,
    board_name,
    letter_size,
    resource_icon,
)
from castlelab.games.once_upon_a_castle.guests import Guest
from castlelab.games.once_upon_a_castle.moves import CHOICES, DICE, Choose, Take, Use, read_move
from castlelab.games.once_upon_a_castle.telling import rolled_words
from castlelab.rules import counted

if TYPE_CHECKING:
    from castlelab.games.once_upon_a_castle.play import OnceState

APART = 6.0  # between the dice
_TOKEN = 17.5  # from one token in hand to the next
_ROLLED = 0.7  # how large a die is that a guest has rolled


class Measures(NamedTuple):
    """How wide a picture is, and how large the things are that lie on it."""

    width: float
    letters: float  # the smallest
    die: float
    chip: tuple[float, float]
    card: tuple[float, float]

    @property
    def is_narrow(self) -> bool:
        return self.width <= NARROW


#: A whole table may be shown 752 pixels wide, a lesson 504, and their letters are still read.
TABLE = Measures(880.0, 14.1, 72.0, (106.0, 34.0), (124.0, 48.0))
LESSON = Measures(PAGE[0], LEAST_THERE, 70.0, (102.0, 34.0), (126.0, 44.0))
SLIM = Measures(NARROW, LEAST, 58.0, (110.0, 40.0), (116.0, 42.0))


# -- guests ----------------------------------------------------------------------------------


def guest_part(
    guest: Guest, x: float, y: float, page: Measures = LESSON, key: str = "", whose: str = ""
) -> Part:
    """A guest card; with a key it can be picked."""
    (width, height), least = page.card, page.letters
    below = guest.symbol.capitalize() or f"worth {guest.points}"
    name, left = guest.name.capitalize(), x + 25
    shapes: list[Shape] = [
        Rect(x, y, width, height, "card", "line", 1, ROUND),
        *storybook.face(x + 13, y + height * 0.58, 16, guest.symbol),
        Text(left, y + height * 0.32, name, letter_size(name, width - 27, 15, least), "ink"),
        Text(left, y + height * 0.7, below, least, "muted"),
    ]
    return _guest(guest, shapes, (x, y, width, height), key, whose)


def chip_part(guest: Guest, x: float, y: float, page: Measures, width: float, whose: str) -> Part:
    """A guest in a castle, whose face is at the window: only a hat and the name."""
    height, name = page.chip[1] if page.is_narrow else page.letters * 2, guest.name.capitalize()
    size = letter_size(name, width - 24, 15, page.letters)
    shapes: list[Shape] = [
        Rect(x, y, width, height, "card", "line", 1, ROUND),
        storybook.hat(x + 12, y + height * 0.72, 15, guest.symbol),
        Text(x + 22, y + height / 2, name, size, "ink"),
    ]
    return _guest(guest, shapes, (x, y, width, height), f"guest {guest.name}", whose)


def _guest(
    guest: Guest,
    shapes: Sequence[Shape],
    frame: tuple[float, float, float, float],
    key: str,
    whose: str,
) -> Part:
    words = f"{guest.words}, {whose}" if whose else guest.words
    targets = [Target(key, words, *frame)] if key else []
    piece = Piece(f"guest {guest.name}", f"guest {whose}")
    return Part.of(as_piece(shapes, piece), targets, *frame[2:])


def cards_part(
    guests: Sequence[Guest],
    title: str,
    whose: str,
    x: float,
    y: float,
    page: Measures,
    columns: int,
) -> Part:
    """Guest cards in rows under a few words."""
    width, height = page.card[0] + 6, page.card[1] + 6
    cards = [
        guest_part(guest, left, top, page, f"guest {guest.name}", whose)
        for guest, left, top in in_rows(guests, columns, x, y + 20, width, height)
    ]
    words = Part.of([Text(x, y + 8, title, page.letters, "ink")])
    high = 20 + rows(len(guests), columns) * height
    return grouped(drawn_at_once([words, *cards], columns * width, high), f"Guests {whose}")


def drawn_at_once(cards: Sequence[Part], width: float, height: float) -> Part:
    """Cards as one part; what is on them comes after all cards, so that it is drawn at once."""
    whole = joined(cards, width, height)
    faces = [shape for card in cards for shape in card.shapes[1:]]
    return replace(whole, shapes=(*(card.shapes[0] for card in cards), *faces))


def on_show(state: OnceState, x: float, y: float, page: Measures, columns: int) -> Part:
    """The guests to choose from, and how many are still to come."""
    title = f"Guests: {len(state.pile)} to come"
    return cards_part(state.shown, title, "on show", x, y, page, columns)


# -- dice ------------------------------------------------------------------------------------


def die_part(face: str, x: float, y: float, page: Measures = LESSON, *, used: bool = False) -> Part:
    """A die that shows a face; one that is used is pale."""
    return _die_part(face, x, y, page.die, page.letters, used=used)


def _die_part(face: str, x: float, y: float, size: float, letters: float, *, used: bool) -> Part:
    role = "panel" if used else ROLES[face]
    ink = "muted" if used else f"on-{role}"
    word, middle = face_words(face), x + size / 2
    shapes: list[Shape] = [Rect(x, y, size, size, role, "ink", 1, ROUND)]
    if face == "any":
        shapes.append(Text(middle, y + size / 2, "?", 30, ink, "middle", bold=True))
    else:
        # A word that does not fit on a small die would be too small to be read.
        has_word = len(word) * letters * 0.55 <= size - 2
        level = 0.38 if has_word else 0.5
        shapes += resource_icon(face, middle, y + size * level, size * 0.22, ink)
        if has_word:
            shapes.append(Text(middle, y + size - 11, word, letters, ink, "middle"))
    if used:
        corners = ((x + 6, y + size - 6), (x + size - 6, y + 6))
        shapes.append(Path(corners, None, "muted", 2))
    return Part.of(shapes, (), size, size)


def both_dice(dice: Sequence[str], left: Sequence[int], x: float, y: float, page: Measures) -> Part:
    """Both dice side by side; those that are not left are crossed out."""
    parts = []
    for die, face in enumerate(dice, start=1):
        at = x + (die - 1) * (page.die + APART)
        used = die not in left
        words = f"Die {die}: {face_words(face)}{', used' * used}"
        target = Target(f"die {die}", words, at, y, page.die, page.die)
        drawn = as_piece(die_part(face, at, y, page, used=used).shapes, _die(die))
        parts.append(Part.of(drawn, (target,)))
    return joined(parts, 2 * page.die + APART, page.die)


def _die(die: int) -> Piece:
    """A die stays the same whatever it shows; it is no news that it lies there."""
    return Piece(f"die {die}", f"die {die}", quiet=True)


def dice_part(state: OnceState, x: float, y: float, page: Measures) -> Part:
    """The dice as whoever decides now finds them: those who follow may use either.

    Beside them is what Dagobert has rolled in this turn, smaller, for it is not theirs to use.
    """
    left = {"dice": state.left, "follow": DICE}.get(state.phase, ())
    thrown = Happening("tumble", tuple((_die(die).spot,) for die in DICE), f"turn {state.turn}")
    parts = [replace(both_dice(state.dice, left, x, y, page), happenings=(thrown,))]
    if state.rolled is not None:
        guest, face = state.rolled
        size = page.die * _ROLLED
        at = x + parts[0].width + 14
        name = Text(at + size / 2, y + size + 9, guest.capitalize(), page.letters, "ink", "middle")
        target = Target("rolled", rolled_words(state), at, y, size, size)
        die = _die_part(face, at, y, size, page.letters, used=False)
        parts.append(Part.of([*die.shapes, name], [target], size + 8, page.die))
    return grouped(joined(parts, sum(each.width + 8 for each in parts), page.die), "Dice")


# -- chips, buttons and tokens ---------------------------------------------------------------


_CHIP_WORDS = {
    "residents": "Residents: draw residents",
    "flag": "Flag: draw a flag worth 2",
    "cloud": "Cloud: draw a small cloud worth 2",
}
_BUTTONS = {"end": "End turn", "pass": "Pass", "stop": "Stop"}


def chips(state: OnceState) -> tuple[str, ...]:
    """What may be pointed at instead of a square, in this moment."""
    moves = state.moves()
    if state.moment == "choose":
        return tuple(face for face in CHOICES if Choose(face) in moves)
    if state.moment not in ("dice", "follow", "face"):
        return ()
    named = {move.what for move in moves if isinstance(move, Use | Take)}
    return ("residents", *(chip for chip in ("flag", "cloud") if chip in named))


def buttons(state: OnceState) -> tuple[str, ...]:
    """End, pass or stop, whichever is legal; there is never more than one of them."""
    return () if state.ending else tuple(key for key in _BUTTONS if state.check(read_move(key)))


def choices_part(state: OnceState, x: float, y: float, page: Measures, columns: int) -> Part:
    """The chips and the button of this moment, so many in a row."""
    width, height = page.chip
    found = (*chips(state), *buttons(state))
    parts = []
    for key, left, top in in_rows(found, columns, x, y, width + 4, height + 4):
        frame = (left, top, width, height)
        if key in _BUTTONS:
            parts.append(button_part(key, _BUTTONS[key], frame, "Turn"))
        else:
            parts.append(grouped(_chip(key, frame, page.letters), "Instead of a token"))
    return joined(parts, columns * (width + 4), rows(len(found), columns) * (height + 4))


def _chip(chip: str, frame: tuple[float, float, float, float], letters: float) -> Part:
    left, top, _, height = frame
    role, middle, word = ROLES[chip], top + height / 2, chip.capitalize()
    shapes: list[Shape] = [
        Rect(*frame, role, "ink", 1, ROUND),
        *resource_icon(chip, left + 13, middle, 7),
        Text(left + 23, middle, word, letters, f"on-{role}", bold=True),
    ]
    return Part.of(shapes, [Target(chip, _CHIP_WORDS.get(chip, word), *frame)])


def spare_tokens(state: OnceState, x: float, y: float, page: Measures, room: float) -> Part:
    """The tokens in hand, counted, and in a row beside the words or below them."""
    seat, spare = state.seat, state.boards[state.seat].spare
    words = f"{counted(spare, 'token')} left"
    first, level = x + 15 * page.letters * 0.56, y + 10
    if first - x + TOKENS * _TOKEN > room:
        first, level = x + 8, y + 30
    tokens = (
        # A token in hand, on its way to a square.
        Circle(
            *(first + n * _TOKEN, level, 7, f"seat-{seat}", "ink", 1),
            Piece(f"seat-{seat}", f"spare {n}", board=board_name(seat)),
        )
        for n in range(spare)
    )
    return Part.of([Text(x, y + 10, words, page.letters, "ink"), *tokens], (), room, level - y + 12)
