"""The table of Once Upon a Castle: dice, chips and guests, every castle, and single sheets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from castlelab.draw.layout import (
    Part,
    button_part,
    caption,
    grouped,
    headline,
    in_rows,
    joined,
    rows,
)
from castlelab.draw.scene import (
    Circle,
    Happening,
    Path,
    Piece,
    Rect,
    Scene,
    Shape,
    Target,
    Text,
    as_piece,
    marked,
)
from castlelab.game import SEAT_NAMES
from castlelab.games.once_upon_a_castle import storybook_picture as storybook
from castlelab.games.once_upon_a_castle.board import Board, face_words
from castlelab.games.once_upon_a_castle.board_picture import (
    CELL,
    PAD,
    ROLES,
    ROUND,
    board_name,
    board_part,
    board_words,
    letter_size,
    resource_icon,
)
from castlelab.games.once_upon_a_castle.castle_picture import castle_part
from castlelab.games.once_upon_a_castle.guests import Guest
from castlelab.games.once_upon_a_castle.moves import (
    CHOICES,
    DICE,
    Choose,
    Take,
    Use,
    read_move,
)
from castlelab.games.once_upon_a_castle.telling import rolled_words, todo, token_words
from castlelab.rules import counted, listed

if TYPE_CHECKING:
    from castlelab.games.once_upon_a_castle.play import OnceState

_WIDTH = 560.0
_TOP = 54.0
_TABLE_CELL = 52.0
_DIE = 58.0
_ROLLED = 44.0  # a die that a guest has rolled
_CARD_WIDTH, _CARD_HEIGHT = 88.0, 36.0


# -- guests and dice -------------------------------------------------------------------------


def guest_part(
    guest: Guest, x: float, y: float, key: str = "", whose: str = "", *, faced: bool = True
) -> Part:
    """A guest card; with a key it can be picked. Without a face there is only a hat on it."""
    below = guest.symbol.capitalize() or f"worth {guest.points}"
    left = x + 25
    name, room = guest.name.capitalize(), _CARD_WIDTH - 27
    shapes: list[Shape] = [
        Rect(x, y, _CARD_WIDTH, _CARD_HEIGHT, "panel", "line", 1, ROUND),
        *(
            storybook.face(x + 13, y + _CARD_HEIGHT * 0.58, 16, guest.symbol)
            if faced
            else [storybook.hat(x + 13, y + _CARD_HEIGHT * 0.72, 17, guest.symbol)]
        ),
        Text(left, y + 12, name, letter_size(name, room, 13), "ink"),
        Text(left, y + 26, below, letter_size(below, room, 11), "muted"),
    ]
    words = f"{guest.words}, {whose}" if whose else guest.words
    targets = [Target(key, words, x, y, _CARD_WIDTH, _CARD_HEIGHT)] if key else []
    piece = Piece(f"guest {guest.name}", f"guest {whose}")
    return Part.of(as_piece(shapes, piece), targets, _CARD_WIDTH, _CARD_HEIGHT)


def die_part(face: str, x: float, y: float, size: float, *, used: bool = False) -> Part:
    """A die that shows a face; one that is used is pale."""
    role = "panel" if used else ROLES[face]
    ink = "muted" if used else f"on-{role}"
    word, middle = face_words(face), x + size / 2
    shapes: list[Shape] = [Rect(x, y, size, size, role, "ink", 1, ROUND)]
    if face == "any":
        shapes.append(Text(middle, y + size / 2, "?", 30, ink, "middle", bold=True))
    else:
        shapes += resource_icon(face, middle, y + size * 0.38, size * 0.22, ink)
        letters = letter_size(word, size - 4, 12)
        shapes.append(Text(middle, y + size - 10, word, letters, ink, "middle", bold=True))
    if used:
        corners = ((x + 6, y + size - 6), (x + size - 6, y + 6))
        shapes.append(Path(corners, None, "muted", 2))
    return Part.of(shapes, (), size, size)


def _dice_part(dice: Sequence[str], left: Sequence[int], x: float, y: float) -> Part:
    """Both dice side by side; those that are not left are crossed out."""
    parts = []
    for die, face in enumerate(dice, start=1):
        at = x + (die - 1) * (_DIE + 10)
        used = die not in left
        words = f"Die {die}: {face_words(face)}{', used' * used}"
        target = Target(f"die {die}", words, at, y, _DIE, _DIE)
        drawn = as_piece(die_part(face, at, y, _DIE, used=used).shapes, _die(die))
        parts.append(Part.of(drawn, (target,)))
    return joined(parts, 2 * _DIE + 10, _DIE)


def _die(die: int) -> Piece:
    """A die stays the same whatever it shows; it is no news that it lies there."""
    return Piece(f"die {die}", f"die {die}", quiet=True)


def _dice(state: OnceState, x: float, y: float) -> Part:
    """The dice as whoever decides now finds them: those who follow may use either.

    Beside them is what Dagobert has rolled in this turn, smaller, for it is not theirs to use.
    """
    left = {"dice": state.left, "follow": DICE}.get(state.phase, ())
    thrown = Happening("tumble", tuple((_die(die).spot,) for die in DICE), f"turn {state.turn}")
    parts = [replace(_dice_part(state.dice, left, x, y), happenings=(thrown,))]
    if state.rolled is not None:
        guest, face = state.rolled
        at, name = x + parts[0].width + 8, guest.capitalize()
        middle = at + _ROLLED / 2, y + _ROLLED + 8
        words = Text(*middle, name, letter_size(name, _ROLLED + 6, 11), "ink", "middle")
        target = Target("rolled", rolled_words(state), at, y, _ROLLED, _ROLLED)
        shapes = [*die_part(face, at, y, _ROLLED).shapes, words]
        parts.append(Part.of(shapes, [target], _ROLLED, _DIE))
    return grouped(joined(parts, sum(each.width + 8 for each in parts), _DIE), "Dice")


_CHIP_WIDTH, _CHIP_HEIGHT = 86.0, 30.0
_CHIP_WORDS = {
    "residents": "Residents: draw residents",
    "flag": "Flag: draw a flag worth 2",
    "cloud": "Cloud: draw a small cloud worth 2",
}


def chips(state: OnceState) -> tuple[str, ...]:
    """What may be pointed at instead of a square, in this moment."""
    moves = state.moves()
    if state.moment == "choose":
        return tuple(face for face in CHOICES if Choose(face) in moves)
    if state.moment not in ("dice", "follow", "face"):
        return ()
    named = {move.what for move in moves if isinstance(move, Use | Take)}
    return ("residents", *(chip for chip in ("flag", "cloud") if chip in named))


def _chips(state: OnceState, x: float, y: float) -> Part:
    """The chips, two in a row."""
    shapes: list[Shape] = []
    targets = []
    found = chips(state)
    for chip, left, top in in_rows(found, 2, x, y, _CHIP_WIDTH + 6, _CHIP_HEIGHT + 6):
        role, middle = ROLES[chip], top + _CHIP_HEIGHT / 2
        word = chip.capitalize()
        size = letter_size(word, _CHIP_WIDTH - 30, 12)
        shapes += [
            Rect(left, top, _CHIP_WIDTH, _CHIP_HEIGHT, role, "ink", 1, ROUND),
            *resource_icon(chip, left + 14, middle, 7),
            Text(left + 26, middle, word, size, f"on-{role}", bold=True),
        ]
        words = _CHIP_WORDS.get(chip, word)
        targets.append(Target(chip, words, left, top, _CHIP_WIDTH, _CHIP_HEIGHT))
    height = rows(len(found), 2) * (_CHIP_HEIGHT + 6)
    return grouped(Part.of(shapes, targets, 2 * _CHIP_WIDTH + 6, height), "Instead of a token")


_BUTTONS = {"end": "End turn", "pass": "Pass", "stop": "Stop"}
_BUTTON_WIDTH, _BUTTON_HEIGHT = 110.0, 36.0


def _button(key: str, words: str, x: float, y: float) -> Part:
    return button_part(key, words, (x, y, _BUTTON_WIDTH, _BUTTON_HEIGHT), "Turn")


def _buttons(state: OnceState, x: float, y: float) -> list[Part]:
    """End, pass or stop, whichever is legal; there is never more than one of them."""
    if state.ending:
        return []
    return [
        _button(key, words, x, y) for key, words in _BUTTONS.items() if state.check(read_move(key))
    ]


def _spare(seat: int, number: int) -> Piece:
    """A token in hand, on its way to a square."""
    return Piece(f"seat-{seat}", f"spare {number}", board=board_name(seat))


def _spare_tokens(state: OnceState, x: float, y: float) -> Part:
    """The tokens in hand, counted and in a row."""
    spare = state.boards[state.seat].spare
    role = f"seat-{state.seat}"
    shapes: list[Shape] = [
        Text(x, y + 7, f"{counted(spare, 'token')} left to place", 12, "ink"),
        *(
            Circle(x + 8 + n * 17, y + 26, 7, role, "ink", 1, _spare(state.seat, n))
            for n in range(spare)
        ),
    ]
    return Part.of(shapes, (), 176.0, 38.0)


# -- the whole table -----------------------------------------------------------------------


def table_scene(state: OnceState) -> Scene:
    """The table: the board of whoever decides, the dice, the guests and every castle.

    Targets: squares (``b2``) and lines (``row 1``) of that board, ``die 1``, ``die 2``, chips
    for what a face may bring (``residents``, ``flag``, ``wood``, …), ``guest king``,
    ``castle 1``, and as buttons ``end``, ``pass`` and ``stop`` where they are legal.
    """
    field = _own_board(state, _TOP, _TABLE_CELL)
    beside = _beside(state, field.width + 3 * PAD, _TOP)
    y = _TOP + max(field.height, beside.height) + 12
    parts = [_heading(state), field, beside, _castles(state, y)]
    # A board of somebody's own may be wider than ours.
    width = max(_WIDTH, field.width + 4 * PAD + beside.width)
    whole = joined(parts, width, y + parts[-1].height)
    return whole.scene(state.game.title, state.describe())


def _own_board(state: OnceState, y: float, cell: float = CELL) -> Part:
    """The board of whoever decides."""
    field = board_part(state.boards[state.seat], PAD, y, cell, state.seat)
    return grouped(field, board_name(state.seat))


def _heading(state: OnceState) -> Part:
    """Whose turn it is, what is to do, and the buttons."""
    seat = state.to_move
    if seat is None:
        names = listed([SEAT_NAMES[winner] for winner in state.winners])
        first, second = f"The game is over. {names} won.", f"After {state.round} rounds."
    else:
        first = f"Round {state.round}: {SEAT_NAMES[state.active]}'s turn"
        second = f"{SEAT_NAMES[seat]}: {todo(state)}."
    buttons = _buttons(state, _WIDTH - _BUTTON_WIDTH - PAD, PAD)
    return joined([Part.of(headline(first, second)), *buttons], _WIDTH, _TOP)


def _beside(state: OnceState, x: float, y: float) -> Part:
    """The dice, the chips for what they may bring, the tokens in hand, the guests on show."""
    parts = [_dice(state, x, y)]
    top = y + _DIE + 12
    pieces = [_chips, _spare_tokens, *[_on_show] * state.game.architect]
    for piece in pieces:
        parts.append(piece(state, x, top))
        top += parts[-1].height + 6
    return joined(parts, 178.0, top - y)


def _on_show(state: OnceState, x: float, y: float) -> Part:
    """The guests to choose from, and how many are still to come."""
    return _cards(state.shown, f"Guests: {len(state.pile)} to come", "on show", x, y, 2)


def _at_home(state: OnceState, x: float, y: float) -> Part:
    """The guests in the castle of whoever decides."""
    guests = state.castles[state.seat].guests
    words = "Guests in your castle" if guests else "No guests in your castle yet"
    return _cards(guests, words, "in your castle", x, y, 3)


def _cards(
    guests: Sequence[Guest], title: str, whose: str, x: float, y: float, columns: int
) -> Part:
    """Guest cards in rows under a few words."""
    cards = _guest_cards(guests, whose, x, y + 18, columns, 6)
    words = Part.of([Text(x, y + 6, title, 12, "ink")])
    return grouped(joined([words, cards], cards.width, 18 + cards.height), f"Guests {whose}")


def _guest_cards(
    guests: Sequence[Guest],
    whose: str,
    x: float,
    y: float,
    columns: int,
    gap: float,
    *,
    faced: bool = True,
) -> Part:
    """Guest cards in rows; what is on them comes after all cards, so that it is drawn at once."""
    across, down = _CARD_WIDTH + gap, _CARD_HEIGHT + gap
    cards = [
        guest_part(guest, left, top, f"guest {guest.name}", whose, faced=faced)
        for guest, left, top in in_rows(guests, columns, x, y, across, down)
    ]
    whole = joined(cards, columns * across, rows(len(guests), columns) * down)
    faces = [shape for card in cards for shape in card.shapes[1:]]
    return replace(whole, shapes=(*(card.shapes[0] for card in cards), *faces))


def _castles(state: OnceState, y: float) -> Part:
    """Every castle with its guests, two in a row."""
    players = state.game.players
    room = (_WIDTH - 3 * PAD) / 2
    parts = []
    top = y
    for row in range(0, players, 2):
        seats = range(row, min(row + 2, players))
        for place, seat in enumerate(seats):
            parts.append(_named_castle(state, seat, PAD + place * (room + PAD), top, room))
        top += max(castle.height for castle in parts[-len(seats) :]) + 10
    return joined(parts, _WIDTH, top - y)


def _named_castle(state: OnceState, seat: int, x: float, y: float, room: float) -> Part:
    """A castle under its name and its points; of three or four each is a little smaller."""
    castle, points = state.castles[seat], state.score(seat).total
    name = SEAT_NAMES[seat]
    width = room if state.game.players == 2 else room * 0.8
    drawn = castle_part(castle, x, y + 20, width, key=name)
    mine = seat == state.to_move
    box = (x, y + 20, width, drawn.height)
    shapes: list[Shape] = [
        caption(x + 2, y + 9, f"{seat + 1} · {name}"),
        Text(x + width - 2, y + 9, counted(points, "point"), 14, "ink", "end", bold=True),
        *drawn.shapes,
        Rect(*box, None, f"seat-{seat}", 4 if mine else 1.5),
    ]
    small = _small_board(state, seat, x + width, y + 26 + drawn.height)
    room = width - small.width - 10
    shapes += [*small.shapes, *_castle_footer(state, seat, x + 2, y + 30 + drawn.height, room)]
    words = f"{name}'s castle: {castle.words}, {counted(points, 'point')}"
    targets = [Target(f"castle {seat + 1}", words, *box), *small.targets]
    foot = 30 + drawn.height + max(small.height, 10)
    if state.game.architect:
        # Their faces are at the windows.
        place, whose = (x, y + foot + 2), f"in {name}'s castle"
        cards = _guest_cards(castle.guests, whose, *place, 3, 2, faced=False)
        shapes += cards.shapes
        targets += cards.targets
        foot += cards.height + 2
    return grouped(Part.of(shapes, targets, width, foot), f"{name}'s castle")


_SMALL_CELL = 11.0


def _small_board(state: OnceState, seat: int, right: float, y: float) -> Part:
    """A board at a glance, its right edge given: which squares have a token.

    The board of whoever decides is large already.
    """
    if seat == state.seat:
        return Part()
    board = state.boards[seat]
    width, height = (
        (max(getattr(square, way) for square in board.squares) + 1) * _SMALL_CELL
        for way in ("across", "down")
    )
    x = right - width
    size = _SMALL_CELL - 1
    corner = {
        square: (x + square.across * _SMALL_CELL, y + square.down * _SMALL_CELL)
        for square in sorted(board.squares, key=lambda square: square.resource)
    }
    # Alike one after the other, so that they are drawn at once.
    shapes: list[Shape] = [
        Rect(*at, size, size, ROLES[square.resource]) for square, at in corner.items()
    ]
    shapes += [
        Circle(left + size / 2, top + size / 2, 4, f"seat-{seat}", "paper", 1)
        for square, (left, top) in corner.items()
        if board.filled & square.bit
    ]
    words = f"Tokens: {token_words(state, seat)}"
    target = Target(f"board {seat + 1}", words, x, y, width, height)
    return Part.of(shapes, [target], width, height)


def _castle_footer(state: OnceState, seat: int, x: float, y: float, room: float) -> list[Shape]:
    """The residents and what they are worth, and the values of Apprentice guests."""
    castle = state.castles[seat]
    worth = state.game.box.track.value(castle.residents)
    words = f"{counted(castle.residents, 'resident')} worth {worth}"
    if castle.guests and not state.game.architect:
        words += f", guests {', '.join(str(guest.points) for guest in castle.guests)}"
    return [Text(x, y, words, letter_size(words, room, 13), "ink")]


# -- one sheet -----------------------------------------------------------------------------


def sheet_scene(state: OnceState, *, rolled: bool = True) -> Scene:
    """The board and the dice of somebody alone; before the roll there is a button for it.

    Targets are those of the table, without the castles, and ``roll``.
    """
    top = PAD + _DIE + 50
    field = _own_board(state, top)
    side = PAD + 2 * _DIE + 26
    if rolled:
        parts = [_dice(state, PAD, PAD), _chips(state, side, PAD)]
        under = parts[-1].height
        parts += _buttons(state, side, PAD + under)
    else:
        parts = [_unrolled(PAD, PAD), _button("roll", "Roll the dice", side, PAD + 11)]
    parts += [_spare_tokens(state, PAD, PAD + _DIE + 8), field]
    height = top + field.height
    if state.game.architect:
        for guests in (_on_show, _at_home):
            parts.append(guests(state, PAD, height + 8))
            height += 8 + parts[-1].height
    width = max(field.width + 2 * PAD, 374.0)
    whole = joined(parts, width, height + PAD)
    words = board_words(state.boards[state.seat])
    if rolled and not state.ending:
        words = f"Dice: {' and '.join(map(face_words, state.dice))}. {words}"
    return whole.scene("Sheet", words)


def bench_scene(
    board: Board,
    dice: tuple[str, str],
    *,
    left: Sequence[int] = DICE,
    guests: Iterable[Guest] = (),
    lit: Iterable[str] = (),
    title: str = "Token board",
) -> Scene:
    """A board to place tokens on, the dice that place them, and the guests who help.

    Only squares and lines are targets.
    """
    top = PAD + _DIE + 12
    field = board_part(board, PAD, top)
    thrown = _dice_part(dice, left, PAD, PAD)
    helpers = tuple(guests)
    beside = 2 * PAD + thrown.width
    spread = in_rows(helpers, 2, beside, PAD, _CARD_WIDTH + 6, _CARD_HEIGHT + 6)
    cards = [guest_part(*guest) for guest in spread]
    width = max(field.width + 2 * PAD, 3 * PAD + thrown.width + 2 * _CARD_WIDTH + 6)
    parts = (replace(thrown, targets=()), field, *cards)
    whole = joined(parts, width, top + field.height + PAD)
    here = f" In your castle: {', '.join(guest.words for guest in helpers)}." * bool(helpers)
    words = f"Dice: {' and '.join(map(face_words, dice))}.{here} {board_words(board)}"
    return marked(whole.scene(title, words), lit=lit)


def _unrolled(x: float, y: float) -> Part:
    """Two dice that wait for a hand."""
    shapes: list[Shape] = []
    for left in (x, x + _DIE + 10):
        shapes += [
            Rect(left, y, _DIE, _DIE, "panel", "line", 1.5, 10, dash=True),
            Text(left + _DIE / 2, y + _DIE / 2, "…", 24, "muted", "middle"),
        ]
    return Part.of(shapes, (), 2 * _DIE + 10, _DIE)
