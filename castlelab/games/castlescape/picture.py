"""CastleScape in pictures: cards, quests, guilds and the whole table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from castlelab.draw.scene import Circle, Rect, Scene, Shape, Target, Text
from castlelab.game import SEAT_NAMES
from castlelab.games.castlescape.board import Board
from castlelab.games.castlescape.card import Card, Effect
from castlelab.games.castlescape.guild import CUBES, EMPTY, HIDDEN, HIGHEST
from castlelab.games.castlescape.masonry import walls_left
from castlelab.games.castlescape.site_picture import (
    LABELS,
    LETTER,
    PAD,
    Marks,
    Part,
    board_part,
    fitting,
    piece,
)
from castlelab.games.castlescape.site_picture import board_scene as board_scene
from castlelab.games.castlescape.words import ENDINGS, counted

if TYPE_CHECKING:
    from castlelab.games.castlescape.play import ScapeState
    from castlelab.games.castlescape.quests import Quest

_BOLD = 0.6  # how wide a bold letter is beside its size

# -- cards -----------------------------------------------------------------------------------

_TEXT = 13.0  # the usual size of letters at the table: 9 pixels where the page has 400
_ROW = 15.5
_SHORT = {
    "gold": "{n} gold",
    "walls": "{n} wall{s}",
    "late-walls": "{n} late wall{s}",
    "recruits": "{n} recruit{s}",
    "sentries": "{n} on a wall",
    "move": "{n} move{s}",
    "climb": "{n} climb{s}",
    "oust": "oust {n}",
    "acquire": "acquire to {n}",
    "destroy-hand": "destroy {n}, hand",
    "destroy-discard": "destroy {n}, pile",
    "shift-blame": "shift {n} blame",
    "draw": "draw {n}",
    "renown": "{n} Renown now",
    "less-infamy": "Infamy −{n}",
    "less-corruption": "Corruption −{n}",
    "more-infamy": "Infamy +{n}",
    "trigger": "trigger Alley",
    "contract": "contract",
}
#: The band at the top of a card, by its family.
_BANDS = {"starter": "hidden", "standard": "seat-0", "rotating": "seat-2"}


def short_words(effect: Effect) -> str:
    """An effect in two or three words.

    >>> short_words(Effect("walls", 3)), short_words(Effect("less-infamy", 2))
    ('3 walls', 'Infamy −2')
    """
    return _SHORT[effect.verb].format(n=effect.number, s="s" * (effect.number != 1))


def wrapped(words: str, room: float, size: float = _TEXT) -> list[str]:
    """Words in lines that fit into a room.

    >>> wrapped("Have 4 recruits on walls.", 90)
    ['Have 4', 'recruits on', 'walls.']
    """
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and len(longer) * size * LETTER > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


class _Line(NamedTuple):
    """A line of a card: what it says, in which colour, and the side of the OR it is on."""

    words: str
    role: str = "ink"
    side: int = 0


def _card_lines(card: Card) -> list[_Line]:
    """What is written on a card below its name."""
    lines = [_Line(short_words(effect)) for effect in card.effects]
    for number, choice in enumerate(card.choices, start=1):
        lead = "or " if number > 1 else ""
        lines += [
            _Line(f"{lead if not at else ''}{short_words(effect)}", side=number)
            for at, effect in enumerate(choice)
        ]
    lines += [_Line(f"buy: {short_words(effect)}", "accent") for effect in card.on_purchase]
    if card.renown:
        lines.append(_Line(f"{card.renown} Renown", "good"))
    penalties = (("Infamy", card.infamy), ("Corruption", card.corruption))
    return lines + [_Line(f"! {name} {number}", "bad") for name, number in penalties if number]


_NOTE = 26.0  # the room for a price beside the name


def _name_lines(card: Card, width: float) -> list[str]:
    return wrapped(card.name, width - 8 - _NOTE, _TEXT * _BOLD / LETTER)


def card_height(card: Card, width: float, *, foot: bool = False) -> float:
    """How much room a card needs, perhaps with one more line at its foot."""
    return 18 + _ROW * (len(_name_lines(card, width)) + len(_card_lines(card)) + foot)


class CardLook(NamedTuple):
    """How a card is shown: what it is called as a target, how many there are, and so on."""

    key: str = ""
    copies: int = 1
    priced: bool = False  # on the market; elsewhere it is told how many there are
    sides: bool = False  # whether the sides of its OR can be picked
    foot: str = ""  # its last line: how many are left, or in which pile it lies
    new: int = 0  # how many of them came this turn and may not be played


_PLAIN_CARD = CardLook()


def card_part(
    card: Card, x: float, y: float, width: float, height: float, look: CardLook = _PLAIN_CARD
) -> Part:
    """A card: its name and price, what it does, what it brings, what it costs later."""
    gone = not look.copies
    shapes: list[Shape] = [
        Rect(x, y, width, height, "panel" if gone else "paper", "line", 1.5),
        Rect(x, y, width, 5, _BANDS[card.family]),
    ]
    level = y + 19  # below the badge of an offer
    room = width - 8 - _NOTE
    for line in _name_lines(card, width):
        size = fitting(line, room, _TEXT, _BOLD)
        shapes.append(Text(x + 6, level, line, size, "muted" if gone else "ink", bold=True))
        level += _ROW
    if look.priced:
        shapes.append(Circle(x + width - 13, y + 17, 9.5, "hue-yellow", "ink", 1))
        price = str(card.cost)
        shapes.append(Text(x + width - 13, y + 17, price, _TEXT, "on-hue-yellow", "middle", True))
    elif look.copies > 1:
        shapes.append(Text(x + width - 5, y + 19, f"×{look.copies}", 14, "ink", "end", bold=True))
    targets = [Target(look.key, _spoken(card, look), x, y, width, height)] if look.key else []
    lines = _card_lines(card)
    for at, (words, role, side) in enumerate(lines):
        size = fitting(words, width - 12, _TEXT)
        shapes.append(Text(x + 7, level, words, size, "muted" if gone else role))
        if look.sides and side and (at == 0 or lines[at - 1].side != side):
            of_side = sum(line.side == side for line in lines)
            box = (x + 3, level - _ROW / 2, width - 6, of_side * _ROW)
            shapes.append(Rect(*box, None, "accent", 1, dash=True))
            effects = " ".join(effect.words for effect in card.choices[side - 1])
            targets.append(Target(f"{look.key} side {side}", f"{card}: {effects}", *box))
        level += _ROW
    if look.foot:
        shapes.append(Text(x + width - 6, y + height - 9, look.foot, 12.5, "muted", "end"))
    return Part(shapes, targets, width, height)


def _spoken(card: Card, look: CardLook) -> str:
    if look.priced:
        left = f"{look.copies} left" if look.copies else "sold out"
        return f"{card.describe()} On the market, {left}"
    many = f"{look.copies} × " if look.copies > 1 else ""
    if look.new:
        some = "It" if look.copies == 1 else f"{look.new} of them"
        return f"{many}{card.describe()} {some} came this turn, not to be played before the next"
    return f"{many}{card.describe()}{f' In your {look.foot}' if look.foot else ''}"


def quest_part(quest: Quest, x: float, y: float, width: float, *, place: str, has: int) -> Part:
    """A goal or a contract: name and Renown, and its condition; ``has`` is how far one is."""
    lines = wrapped(f"{place.capitalize()}: {quest.words}", width - 12, 12.5)
    height = 14 + _ROW * (1 + max(2, len(lines)))
    worth, now = f"{quest.renown}", f"now {has}"
    fill = "accent-soft" if place == "contract" else "paper"
    size = fitting(quest.name, width - 90, _TEXT, _BOLD)
    shapes: list[Shape] = [
        Rect(x, y, width, height, fill, "line", 1.5),
        Text(x + 6, y + 18, quest.name, size, "ink", bold=True),
        Text(x + width - 28, y + 18, now, 12.5, "muted", "end"),
        Circle(x + width - 14, y + 17, 9.5, "hue-purple", "ink", 1),
        Text(x + width - 14, y + 17, worth, _TEXT, "on-hue-purple", "middle", True),
    ]
    for number, line in enumerate(lines):
        level = y + 18 + _ROW * (number + 1)
        shapes.append(Text(x + 6, level, line, fitting(line, width - 10, 12.5), "ink"))
    words = f"{place.capitalize()} {quest.describe()} Now {has}"
    return Part(
        shapes, [Target(f"{place} {quest.name}", words, x, y, width, height)], width, height
    )


# -- a few things of a table -----------------------------------------------------------------


class Level(NamedTuple):
    """A row of boxes, so many of them full: Infamy, a pile of cards, the Quarry."""

    name: str
    value: int
    most: int


def table_scene(cards: Sequence[Card], levels: Sequence[Level] = (), title: str = "") -> Scene:
    """Some cards side by side and some levels below them: what a question is about."""
    top, gap, width = 30.0 if title else 8.0, 10.0, 122.0
    height = max((card_height(card, width) for card in cards), default=0.0)
    parts = [
        card_part(card, 8 + at * (width + gap), top, width, height, CardLook(f"card {card.name}"))
        for at, card in enumerate(cards)
    ]
    below = top + height + (gap if cards else 0)
    parts += [_level_part(level, 8, below + 26 * at) for at, level in enumerate(levels)]
    shapes: list[Shape] = [Text(8, 17, title, _TEXT, "ink", bold=True)] if title else []
    whole = _joined(parts, 410, below + 26 * len(levels) + 8)
    return Scene(
        whole.width,
        whole.height,
        (*shapes, *whole.shapes),
        tuple(whole.targets),
        title,
        " ".join(f"{target.name.rstrip('.')}." for target in whole.targets),
    )


def _level_part(level: Level, x: float, y: float) -> Part:
    box = min(16.0, 250 / level.most)
    shapes: list[Shape] = [Text(x, y + 12, f"{level.name} {level.value}", _TEXT, "ink", bold=True)]
    for at in range(level.most):
        full = at < level.value
        shapes.append(
            Rect(x + 130 + at * box, y + 4, box - 2, 14, "accent" if full else "paper", "line", 1)
        )
    words = f"{level.name}: {level.value} of {level.most}"
    target = Target(f"level {level.name}", words, x, y, 130 + box * level.most, 22)
    return Part(shapes, [target], target.width, 24)


# -- the whole table -------------------------------------------------------------------------

_WIDTH = 580.0
_COLUMN = 112.0  # the least width of the guilds beside the site
_TOP = 78.0
_CARDS = 5  # in a row


def _joined(parts: Iterable[Part], width: float, height: float) -> Part:
    parts = tuple(parts)
    shapes = [shape for part in parts for shape in part.shapes]
    return Part(shapes, [target for part in parts for target in part.targets], width, height)


def _grouped(part: Part, group: str) -> Part:
    """A part whose things belong together."""
    return part._replace(targets=[replace(target, group=group) for target in part.targets])


def open_seat(state: ScapeState) -> int:
    """Whose cards lie open: those of the player to move, if they may be seen."""
    first: int = state.active if state.to_move is None else state.to_move
    seats: list[int] = [first, *range(len(state.guilds))]
    for seat in seats:
        guild = state.guilds[seat]
        if HIDDEN not in guild.hand + guild.contracts + guild.dealt:
            return seat
    return first


def game_scene(state: ScapeState) -> Scene:
    """The table: the site and the guilds, the hand, the market, goals and contracts.

    Targets: squares (``d4``); ``hand NAME`` and, for the sides of an OR, ``hand NAME side 1``;
    ``market NAME``, ``goal NAME``, ``contract NAME``; ``discards NAME`` and ``alley NAME`` where
    a card asks for one; ``use walls``, ``use gold``, … for what is left of this turn's cards;
    ``guild 1``, ``quarry``, and as buttons ``end`` and ``pay``.
    """
    side = state.game.side
    cell = float(max(19, min(54, 429 // side)))
    claims = {claim.squares: claim.seats for claim in state.claims}
    spots = state.wall_spots() if not state.agenda and state.round and not state.over else 0
    site = board_part(state.board, PAD - 2, _TOP, cell, Marks(claims=claims, spots=spots))
    beside = site.width + PAD + 6
    width = max(_WIDTH, beside + _COLUMN + PAD)
    guilds = _guilds(state, beside, _TOP + LABELS, width - beside - PAD)
    y = _TOP + max(site.height, guilds.height + LABELS) + 8
    parts = [_heading(state, width), site, _grouped(guilds, "Guilds")]
    whose = f"{SEAT_NAMES[open_seat(state)]}'s"
    sections = [
        (_purse, "This turn"),
        (_hand, f"{whose} hand"),
        (_loose_cards, "Discard pile and Back Alley"),
        (_market, "Market"),
    ]
    # The contracts lie on top while one is to be chosen.
    quests = (_quests, f"{whose} contracts, and goals for all")
    sections.insert(0 if state.guilds[open_seat(state)].dealt else 4, quests)
    for section, group in sections:
        part = section(state, y, width)
        if part.height:
            parts.append(_grouped(part, group))
            y += part.height + 8
    whole = _joined(parts, width, y)
    return Scene(
        width,
        y,
        tuple(whole.shapes),
        tuple(whole.targets),
        state.game.title,
        state.describe(),
    )


def _heading(state: ScapeState, width: float) -> Part:
    """Whose turn it is, what is to do, the buttons, the Quarry and the Inspections to come."""
    first, second = _headline(state)
    shapes: list[Shape] = [
        Text(10, 17, first, 17, "ink", bold=True),
        Text(10, 39, second, fitting(second, width - 140, 13.5), "muted"),
    ]
    targets: list[Target] = []
    for key, words in _buttons(state):
        box = (width - 124, 8.0, 116.0, 36.0)
        shapes.append(Rect(*box, "accent", None, 1, 8))
        shapes.append(Text(box[0] + 58, 26, words, 15, "on-accent", "middle", bold=True))
        targets.append(Target(key, words, *box))
    quarry = _quarry(state, 10, 62, width - 20)
    return Part([*shapes, *quarry.shapes], [*targets, *quarry.targets], width, _TOP)


def _headline(state: ScapeState) -> tuple[str, str]:
    seat = state.to_move
    if seat is None:
        names = " and ".join(SEAT_NAMES[winner] for winner in state.winners)
        why = f": {ENDINGS[state.ending]}" if state.ending else ""
        return f"The game is over. {names} won.", f"After {counted(state.round, 'round')}{why}."
    name = SEAT_NAMES[seat]
    if not state.round:
        left = 2 - len(state.guilds[seat].contracts)
        return f"Preparation: {name}", f"Keep {counted(left, 'contract')} of those dealt."
    last = " (the last)" if state.final else ""
    first = f"Round {state.round}{last}: {SEAT_NAMES[state.active]}'s turn"
    if not state.agenda and state.ending:
        return first, f"The last one: {ENDINGS[state.ending]}."
    if not state.agenda:
        return first, "Play cards, build, position, buy; then end your turn."
    step = state.agenda[0]
    if step.kind == "keep":
        return first, f"{name}: keep one of the new contracts."
    why = "Infamy beyond 10" if step.kind == "levy" else "The King inspects"
    return first, f"{why}. {name} gives up {step.number} more influence."


def _buttons(state: ScapeState) -> list[tuple[str, str]]:
    """What there is to press now; there is never more than one of them."""
    if state.over or not state.round:
        return []
    if not state.agenda:
        return [("end", "End turn")]
    pay = state.agenda[0].kind == "levy" and not state.board.recruits(state.agenda[0].seat)
    return [("pay", "Pay 1 Renown")] * pay


def _quarry(state: ScapeState, x: float, y: float, width: float) -> Part:
    """The walls that are left, one block each, and the track of the Inspections."""
    full = state.game.quarry
    words = f"Quarry {state.quarry} of {full}"
    shapes: list[Shape] = [Text(x, y, words, _TEXT, "ink", bold=True)]
    left, pitch = x + 126, min(9.0, (width - 308) / full)
    for number in range(full):
        fill = "site-stone" if number < state.quarry else None
        shapes.append(Rect(left + number * pitch, y - 6, pitch - 2, 12, fill, "site-edge", 1))
    most = state.game.inspections
    right = x + width - 12
    for number in range(1, most + 1):
        at = right - (number - 1) * 22
        here = number == state.marker
        shapes.append(Circle(at, y, 9, "accent" if here else None, "ink", 1.5))
        role = "on-accent" if here else "ink"
        shapes.append(Text(at, y, str(number), _TEXT, role, "middle", bold=here))
    shapes.append(Text(right - most * 22 + 6, y, "Inspections", _TEXT, "ink", "end"))
    spoken = f"Quarry: {state.quarry} of {full} walls. Inspections to come: {state.marker}"
    return Part(shapes, [Target("quarry", spoken, x, y - 11, width, 22)], width, 22)


# -- guilds ----------------------------------------------------------------------------------


def guild_words(state: ScapeState, seat: int) -> str:
    """A guild as it is spoken."""
    guild = state.guilds[seat]
    told = [
        f"{guild.renown} Renown",
        f"Infamy {guild.infamy}",
        f"Corruption {guild.corruption}",
        f"{state.cubes(seat)} of {CUBES} recruits beside the site",
        f"{len(guild.hand)} in hand",
        f"{len(guild.deck)} in the deck",
        f"{len(guild.discards)} discarded",
        f"{len(guild.alley)} in the Back Alley",
        counted(len(guild.contracts), "contract"),
    ]
    goals = [state.game.box.goals[at].name for at in guild.goals]
    if goals:
        told.append(f"goals taken: {', '.join(goals)}")
    return f"{SEAT_NAMES[seat]}: {', '.join(told)}"


def _guilds(state: ScapeState, x: float, y: float, width: float) -> Part:
    """Every guild with its levels and the sizes of its piles."""
    shapes: list[Shape] = []
    targets: list[Target] = []
    top = y
    for seat, guild in enumerate(state.guilds):
        mine = seat == state.to_move
        rows = [
            f"Infamy {guild.infamy}{' !' * (guild.infamy >= HIGHEST)}",
            f"Corruption {guild.corruption}",
            f"Recruits {state.cubes(seat)}",
            f"Hand {len(guild.hand)} Deck {len(guild.deck)}",
            f"Discards {len(guild.discards)}",
            f"Back Alley {len(guild.alley)}",
        ]
        height = 25 + 13.9 * len(rows)
        fill = "accent-soft" if mine else "paper"
        shapes += [
            Rect(x, top, width, height, fill, f"seat-{seat}", 3 if mine else 1.5),
            piece(seat, x + 14, top + 14, 8, 1),
            Text(x + 27, top + 14, SEAT_NAMES[seat], 14, "ink", bold=True),
            Text(x + width - 6, top + 14, str(guild.renown), 16, "ink", "end", bold=True),
        ]
        for number, row in enumerate(rows):
            level = top + 30 + 13.9 * number
            shapes.append(Text(x + 7, level, row, fitting(row, width - 10, _TEXT), "ink"))
        targets.append(Target(f"guild {seat + 1}", guild_words(state, seat), x, top, width, height))
        top += height + 4
    return Part(shapes, targets, width, top - y)


# -- the hand and what it has brought --------------------------------------------------------


def purse(state: ScapeState) -> dict[str, str]:
    """What is left of this turn's cards: what its target is called, and how it reads."""
    turn = state.turn
    walls = walls_left(turn.masonry)
    acquires = ", ".join(map(str, turn.acquires))
    recalls = state.recall_spots() if state.round and not state.agenda and not state.over else 0
    found = (
        ("use gold", turn.gold, f"{turn.gold} gold"),
        ("use walls", walls, counted(walls, "wall")),
        ("use recruits", turn.recruits, counted(turn.recruits, "recruit")),
        ("use sentries", turn.sentries, f"{turn.sentries} on a wall"),
        ("use moves", turn.moves, counted(turn.moves, "move")),
        ("use climbs", turn.climbs, counted(turn.climbs, "climb")),
        ("use ousts", turn.ousts, f"oust {turn.ousts}"),
        ("use acquires", len(turn.acquires), f"acquire to {acquires}"),
        ("use destroy-hand", turn.from_hand, f"destroy {turn.from_hand}, hand"),
        ("use destroy-discard", turn.from_discards, f"destroy {turn.from_discards}, pile"),
        ("use blames", turn.blames, f"shift {turn.blames} blame"),
        ("use recall", recalls, "take one back"),
    )
    return {key: words for key, number, words in found if number}


def _purse(state: ScapeState, y: float, width: float) -> Part:
    """Chips for what may still be used, and the cards that brought it."""
    shapes: list[Shape] = []
    targets: list[Target] = []
    chips = purse(state)
    played = _names(state, state.turn.played)
    if not chips and not played:
        return Part([], [], width, 0)
    x, top = 8.0, y
    shapes.append(Text(x, top + 13, "To use:", _TEXT, "ink", bold=True))
    x += 56
    if not chips:
        shapes.append(Text(x, top + 13, "nothing", _TEXT, "muted"))
    for key, words in chips.items():
        wide = 26 + len(words) * _TEXT * LETTER
        if x + wide > width - 6:
            x, top = 64.0, top + 30
        shapes += [
            Rect(x, top, wide, 26, "accent-soft", "accent", 1.5, 12),
            Text(x + wide / 2 + 3, top + 13, words, _TEXT, "ink", "middle", bold=True),
        ]
        targets.append(Target(key, f"To use: {words}", x, top, wide, 26))
        x += wide + 8
    top += 30
    if played:
        lines = wrapped(f"Played: {', '.join(played)}", width - 16)
        box = (8.0, top, width - 16, _ROW * len(lines))
        targets.append(Target("played", f"Played: {', '.join(played)}", *box))
        for line in lines:
            shapes.append(Text(8, top + 8, line, _TEXT, "muted"))
            top += _ROW
    return Part(shapes, targets, width, top - y)


def _names(state: ScapeState, cards: Sequence[int]) -> list[str]:
    """Cards by name, equal ones together."""
    return [
        f"{state.game.box.cards[at].name}{f' ×{cards.count(at)}' if cards.count(at) > 1 else ''}"
        for at in dict.fromkeys(cards)
        if at >= 0
    ]


def _grid_of_cards(
    cards: Sequence[tuple[Card, CardLook]], y: float, width: float, columns: int = _CARDS
) -> Part:
    """Cards in rows; those of a row are equally high."""
    wide = (width - 12 - 6 * (columns - 1)) / columns
    parts = []
    top = y
    for first in range(0, len(cards), columns):
        row = cards[first : first + columns]
        height = max(card_height(card, wide, foot=bool(look.foot)) for card, look in row)
        for number, (card, look) in enumerate(row):
            parts.append(card_part(card, 6 + number * (wide + 6), top, wide, height, look))
        top += height + 6
    return _joined(parts, width, top - y)


def _title(words: str, y: float, note: str = "") -> list[Shape]:
    shapes: list[Shape] = [Text(8, y + 8, words, 14, "ink", bold=True)]
    if note:
        shapes.append(Text(16 + len(words) * 8.2, y + 8, note, _TEXT, "muted"))
    return shapes


def _hand(state: ScapeState, y: float, width: float) -> Part:
    """The cards in hand, equal ones together; of somebody else their backs."""
    if not state.round:
        return Part([], [], width, 0)
    seat = open_seat(state)
    hand = state.guilds[seat].hand
    title = f"{SEAT_NAMES[seat]}'s hand"
    if HIDDEN in hand:
        backs = [
            Rect(8 + number * 34, y + 20, 28, 38, "hidden", "ink", 1.5, 4)
            for number in range(len(hand))
        ]
        note = f"{counted(len(hand), 'card')}, face down"
        box = (8.0, y + 20, max(34.0 * len(hand), 34.0), 38.0)
        lying = Target("backs", f"{title}: {note}", *box)
        return Part([*_title(title, y, note), *backs], [lying], width, 62)
    cards = []
    for at in dict.fromkeys(hand):
        card = state.game.box.cards[at]
        number, new = hand.count(at), 0
        if seat == state.active and at in state.turn.new:  # castlescape/buy
            new = max(0, number - state.older(at))
        foot = f"{f'{new} ' * (new < number)}not this turn" if new else ""
        sides = bool(card.choices) and new < number
        cards.append((card, CardLook(f"hand {card}", number, sides=sides, foot=foot, new=new)))
    part = _grid_of_cards(cards, y + 20, width)
    note = "" if hand else "empty"
    return Part([*_title(title, y, note), *part.shapes], part.targets, width, part.height + 20)


def _loose_cards(state: ScapeState, y: float, width: float) -> Part:
    """The discards or the Back Alley of the player to move, where a card asks for one."""
    guild, turn = state.guilds[state.active], state.turn
    cards = []
    for place, number, held, where in (
        ("discards", turn.from_discards, guild.discards, "discard pile"),
        ("alley", turn.blames, guild.alley, "Back Alley"),
    ):
        if number:
            for at in dict.fromkeys(held):
                card = state.game.box.cards[at]
                cards.append((card, CardLook(f"{place} {card}", held.count(at), foot=where)))
    if not cards:
        return Part([], [], width, 0)
    part = _grid_of_cards(cards, y + 20, width)
    title = _title("Discard pile and Back Alley", y)
    return Part([*title, *part.shapes], part.targets, width, part.height + 20)


# -- quests and the market -------------------------------------------------------------------


def _quests(state: ScapeState, y: float, width: float) -> Part:
    """The contracts of whoever looks, and the goals for all."""
    seat = open_seat(state)
    guild, box = state.guilds[seat], state.game.box
    own = [at for at in (*guild.dealt, *guild.contracts) if at != HIDDEN]
    found = [("contract", box.contracts[at]) for at in own]
    found += [("goal", box.goals[at]) for at in state.goals]
    if not found:
        return Part([], [], width, 0)
    wide = (width - 12 - 12) / 3
    title = f"{SEAT_NAMES[seat]}'s contracts, and goals for all"
    parts = [Part(_title(title, y), [], 0, 0)]
    top = y + 20
    for first in range(0, len(found), 3):
        row = [
            quest_part(
                quest,
                6 + number * (wide + 6),
                top,
                wide,
                place=place,
                has=quest.count(state, seat),
            )
            for number, (place, quest) in enumerate(found[first : first + 3])
        ]
        parts += row
        top += max(part.height for part in row) + 6
    return _joined(parts, width, top - y)


def _market(state: ScapeState, y: float, width: float) -> Part:
    """The five stalls, then the standing offers with how many are left of each."""
    box = state.game.box
    stalls: list[tuple[Card, CardLook]] = []
    for at in dict.fromkeys(state.stalls):
        if at >= 0:
            card, number = box.cards[at], state.stalls.count(at)
            stalls.append(
                (
                    card,
                    CardLook(f"market {card}", number, True, foot=f"{number} left" * (number > 1)),
                )
            )
    standing = []
    for place, left in zip(state.game.standard, state.piles, strict=True):
        card = box.cards[place]
        if place == box.new_contract:
            left = len(state.contracts)
        standing.append((card, CardLook(f"market {card}", left, True, foot=f"{left} left")))
    empty = state.stalls.count(EMPTY)
    bare = f", {counted(empty, 'empty stall')}" if empty else ""
    note = f"{len(state.rotating)} to come{bare}"
    top = y + 20
    deck = Target("stalls", f"Rotating deck: {note}", 8, y, width - 16, 18)
    parts = [Part(_title("Market stalls", y, note), [deck], 0, 0)]
    parts.append(_grid_of_cards(stalls, top, width))
    top += parts[-1].height
    parts.append(Part(_title("Always on offer", top), [], 0, 0))
    parts.append(_grid_of_cards(standing, top + 20, width))
    return _joined(parts, width, top + 20 + parts[-1].height - y)


# -- the cover -------------------------------------------------------------------------------

_COVER = """
.........
.###A##..
.#a...B..
.#..#.#..
.C.b###..
.####.#..
....#c#..
....#D#..
........d
"""


def cover_scene() -> Scene:
    """Two baileys and the recruits of four guilds."""
    width, height = 360.0, 380.0
    board = Board.parse(_COVER)
    site = board_part(board, 0, 0, 38, targets=False)
    # Without the letters and numbers: shift them out of the picture.
    shapes = [shape for shape in site.shapes if not _is_label(shape)]
    base: list[Shape] = [Rect(0, 0, width, height, "site-grass")]
    words = "Walls seen from above enclose two baileys; recruits of four guilds stand about."
    return Scene(width, height, (*base, *shapes), (), "CastleScape", words)


def _is_label(shape: Shape) -> bool:
    return isinstance(shape, Text) and shape.fill == "muted" and min(shape.x, shape.y) < LABELS
