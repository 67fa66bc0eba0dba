"""The table of CastleScape: the site and the guilds, the hand, the market, the quests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from castlelab.draw.layout import (
    LETTER,
    Part,
    button_part,
    caption,
    fitting,
    grouped,
    headline,
    in_rows,
    joined,
    wrapped,
)
from castlelab.draw.scene import Circle, Rect, Scene, Shape, Target, Text
from castlelab.game import SEAT_NAMES
from castlelab.games.castlescape.card import Card
from castlelab.games.castlescape.card_picture import (
    ROW,
    TEXT,
    CardLook,
    card_height,
    card_part,
    quest_part,
)
from castlelab.games.castlescape.guild import CUBES, EMPTY_STALL, HIDDEN_CARD, HIGHEST
from castlelab.games.castlescape.masonry import walls_left
from castlelab.games.castlescape.site_picture import LABELS, SITE_PAD, Marks, piece, site_part
from castlelab.games.castlescape.telling import ENDINGS
from castlelab.rules import counted

if TYPE_CHECKING:
    from castlelab.games.castlescape.play import ScapeState

_WIDTH = 580.0
_COLUMN = 112.0  # the least width of the guilds beside the site
_TOP = 78.0
_CARDS = 5  # in a row


def open_seat(state: ScapeState) -> int:
    """Whose cards lie open: those of the player to move, if they may be seen."""
    first: int = state.active if state.to_move is None else state.to_move
    seats: list[int] = [first, *range(len(state.guilds))]
    for seat in seats:
        guild = state.guilds[seat]
        if HIDDEN_CARD not in guild.hand + guild.contracts + guild.dealt:
            return seat
    return first


def table_scene(state: ScapeState) -> Scene:
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
    site = site_part(state.board, SITE_PAD - 2, _TOP, cell, Marks(claims=claims, spots=spots))
    beside = site.width + SITE_PAD + 6
    width = max(_WIDTH, beside + _COLUMN + SITE_PAD)
    guilds = _guilds(state, beside, _TOP + LABELS, width - beside - SITE_PAD)
    y = _TOP + max(site.height, guilds.height + LABELS) + 8
    parts = [_heading(state, width), site, grouped(guilds, "Guilds")]
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
        below = section(state, y, width)
        if below.height:
            parts.append(grouped(below, group))
            y += below.height + 8
    return joined(parts, width, y).scene(state.game.title, state.describe())


def _heading(state: ScapeState, width: float) -> Part:
    """Whose turn it is, what is to do, the buttons, the Quarry and the Inspections to come."""
    first, second = _headline(state)
    words = Part.of(headline(first, second, fitting(second, width - 140, 13.5)))
    buttons = [button_part(key, told, (width - 124, 8, 116, 36)) for key, told in _buttons(state)]
    return joined([words, *buttons, _quarry(state, 10, 62, width - 20)], width, _TOP)


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
    last = " (the last)" if state.ending else ""
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
    shapes: list[Shape] = [caption(x, y, words, TEXT)]
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
        shapes.append(Text(at, y, str(number), TEXT, role, "middle", bold=here))
    shapes.append(Text(right - most * 22 + 6, y, "Inspections", TEXT, "ink", "end"))
    last = " In the last round walls come from the supply." if state.ending else ""
    spoken = f"Quarry: {state.quarry} of {full} walls.{last} Inspections to come: {state.marker}"
    return Part.of(shapes, [Target("quarry", spoken, x, y - 11, width, 22)], width, 22)


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
    targets = []
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
            caption(x + 27, top + 14, SEAT_NAMES[seat]),
            Text(x + width - 6, top + 14, str(guild.renown), 16, "ink", "end", bold=True),
        ]
        for number, row in enumerate(rows):
            level = top + 30 + 13.9 * number
            shapes.append(Text(x + 7, level, row, fitting(row, width - 10, TEXT), "ink"))
        targets.append(Target(f"guild {seat + 1}", guild_words(state, seat), x, top, width, height))
        top += height + 4
    return Part.of(shapes, targets, width, top - y)


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
    chips = purse(state)
    played = _names(state, state.turn.played)
    if not chips and not played:
        return Part()
    x, top = 64.0, y
    shapes: list[Shape] = [caption(8, top + 13, "To use:", TEXT)]
    targets = []
    if not chips:
        shapes.append(Text(x, top + 13, "nothing", TEXT, "muted"))
    for key, words in chips.items():
        wide = 26 + len(words) * TEXT * LETTER
        if x + wide > width - 6:
            x, top = 64.0, top + 30
        shapes += [
            Rect(x, top, wide, 26, "accent-soft", "accent", 1.5, 12),
            Text(x + wide / 2 + 3, top + 13, words, TEXT, "ink", "middle", bold=True),
        ]
        targets.append(Target(key, f"To use: {words}", x, top, wide, 26))
        x += wide + 8
    top += 30
    if played:
        lines = wrapped(f"Played: {', '.join(played)}", width - 16, TEXT * LETTER)
        box = (8.0, top, width - 16, ROW * len(lines))
        targets.append(Target("played", f"Played: {', '.join(played)}", *box))
        for line in lines:
            shapes.append(Text(8, top + 8, line, TEXT, "muted"))
            top += ROW
    return Part.of(shapes, targets, width, top - y)


def _names(state: ScapeState, cards: Sequence[int]) -> list[str]:
    """Cards by name, equal ones together."""
    return [
        f"{state.game.box.cards[at].name}{f' ×{cards.count(at)}' if cards.count(at) > 1 else ''}"
        for at in dict.fromkeys(cards)
        if at >= 0
    ]


def _grid_of_cards(cards: Sequence[tuple[Card, CardLook]], y: float, width: float) -> Part:
    """Cards in rows; those of a row are equally high."""
    wide = (width - 12 - 6 * (_CARDS - 1)) / _CARDS
    parts = []
    top = y
    for first in range(0, len(cards), _CARDS):
        row = cards[first : first + _CARDS]
        height = max(card_height(card, wide, foot=bool(look.foot)) for card, look in row)
        for number, (card, look) in enumerate(row):
            parts.append(card_part(card, 6 + number * (wide + 6), top, wide, height, look))
        top += height + 6
    return joined(parts, width, top - y)


def _titled(words: str, y: float, below: Part, note: str = "") -> Part:
    """Things in rows, and above them what they are called."""
    shapes: list[Shape] = [caption(8, y + 8, words)]
    if note:
        shapes.append(Text(16 + len(words) * 8.2, y + 8, note, TEXT, "muted"))
    return joined([Part.of(shapes), below], below.width, 20 + below.height)


def _hand(state: ScapeState, y: float, width: float) -> Part:
    """The cards in hand, equal ones together; of somebody else their backs."""
    if not state.round:
        return Part()
    seat = open_seat(state)
    hand = state.guilds[seat].hand
    title = f"{SEAT_NAMES[seat]}'s hand"
    if HIDDEN_CARD in hand:
        backs = [
            Rect(8 + number * 34, y + 20, 28, 38, "hidden", "ink", 1.5, 4)
            for number in range(len(hand))
        ]
        note = f"{counted(len(hand), 'card')}, face down"
        box = (8.0, y + 20, max(34.0 * len(hand), 34.0), 38.0)
        lying = Target("backs", f"{title}: {note}", *box)
        return _titled(title, y, Part.of(backs, [lying], width, 42), note)
    cards = []
    for at in dict.fromkeys(hand):
        card = state.game.box.cards[at]
        number, new = hand.count(at), 0
        if seat == state.active and at in state.turn.new:  # castlescape/buy
            new = max(0, number - state.older(at))
        foot = f"{f'{new} ' * (new < number)}not this turn" if new else ""
        sides = bool(card.choices) and new < number
        look = CardLook(f"hand {card}", number, sides=sides, foot=foot, new=new)
        look = look._replace(source=f"guild {seat + 1}", sink="played", group=title)
        cards.append((card, look))
    return _titled(title, y, _grid_of_cards(cards, y + 20, width), "" if hand else "empty")


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
        return Part()
    return _titled("Discard pile and Back Alley", y, _grid_of_cards(cards, y + 20, width))


# -- quests and the market -------------------------------------------------------------------


def _quests(state: ScapeState, y: float, width: float) -> Part:
    """The contracts of whoever looks, and the goals for all."""
    seat = open_seat(state)
    guild, box = state.guilds[seat], state.game.box
    own = [at for at in (*guild.dealt, *guild.contracts) if at != HIDDEN_CARD]
    found = [("contract", box.contracts[at]) for at in own]
    found += [("goal", box.goals[at]) for at in state.goals]
    if not found:
        return Part()
    wide = (width - 12 - 12) / 3
    parts: list[Part] = []
    top = y + 20
    for first in range(0, len(found), 3):
        row = [
            quest_part(quest, x, top, wide, place=place, has=quest.count(state, seat))
            for (place, quest), x, _ in in_rows(found[first : first + 3], 3, 6, top, wide + 6, 0)
        ]
        parts += row
        top += max(quest.height for quest in row) + 6
    below = joined(parts, width, top - y - 20)
    return _titled(f"{SEAT_NAMES[seat]}'s contracts, and goals for all", y, below)


def _market(state: ScapeState, y: float, width: float) -> Part:
    """The five stalls, then the standing offers with how many are left of each."""
    box = state.game.box
    stalls = []
    for at in dict.fromkeys(state.stalls):
        if at >= 0:
            card, number = box.cards[at], state.stalls.count(at)
            foot = f"{number} left" * (number > 1)
            look = CardLook(f"market {card}", number, True, foot=foot)
            sink = f"guild {state.active + 1}"
            stalls.append((card, look._replace(source="stalls", sink=sink)))
    standing = []
    for place, left in zip(state.game.standard, state.piles, strict=True):
        card = box.cards[place]
        if place == box.new_contract:
            left = len(state.contracts)
        standing.append((card, CardLook(f"market {card}", left, True, foot=f"{left} left")))
    empty = state.stalls.count(EMPTY_STALL)
    bare = f", {counted(empty, 'empty stall')}" if empty else ""
    note = f"{len(state.rotating)} to come{bare}"
    deck = Target("stalls", f"Rotating deck: {note}", 8, y, width - 16, 18)
    changing = _titled("Market stalls", y, _grid_of_cards(stalls, y + 20, width), note)
    top = y + changing.height
    always = _titled("Always on offer", top, _grid_of_cards(standing, top + 20, width))
    parts = [Part.of(targets=[deck]), changing, always]
    return joined(parts, width, changing.height + always.height)
