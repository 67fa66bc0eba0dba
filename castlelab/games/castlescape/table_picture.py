"""The table of CastleScape: the site and the guilds, the hand, the market, the quests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from castlelab.draw.layout import (
    LETTER,
    Frame,
    Part,
    button_part,
    caption,
    grouped,
    headline,
    in_rows,
    joined,
    rows,
    wrapped,
)
from castlelab.draw.scene import NARROW, Circle, Rect, Scene, Shape, Target, Text
from castlelab.game import SEAT_NAMES
from castlelab.games.castlescape.card import Card
from castlelab.games.castlescape.card_picture import (
    ROW,
    TEXT,
    CardLook,
    card_height,
    card_part,
    letters,
    quest_part,
)
from castlelab.games.castlescape.guild import CUBES, EMPTY_STALL, HIDDEN_CARD, HIGHEST
from castlelab.games.castlescape.masonry import walls_left
from castlelab.games.castlescape.site_picture import (
    LABELS,
    SITE_PAD,
    Marks,
    narrow_site,
    piece,
    site_part,
)
from castlelab.games.castlescape.telling import ENDINGS
from castlelab.rules import counted

if TYPE_CHECKING:
    from castlelab.games.castlescape.play import ScapeState


class _Page(NamedTuple):
    """How wide the table is, and how its things lie in rows."""

    width: float
    cards: int  # in a row
    quests: int
    reach: float  # the least height of what can be pointed at
    chip: float  # the height of what is left to use

    @property
    def is_narrow(self) -> bool:
        return self.width <= NARROW


_WIDE = _Page(740.0, 5, 3, 24.0, 26.0)
_NARROW = _Page(NARROW, 3, 1, 40.0, 40.0)
_TOP = 82.0
_SITE = 530.0  # the most that a site takes beside the guilds
_BESIDE = 21  # a larger one has them below it


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
    return replace(_table(state, _WIDE), narrow=partial(_table, state, _NARROW))


def _table(state: ScapeState, page: _Page) -> Scene:
    heading = _heading(state, page)
    y, ground = _site_and_guilds(state, heading.height, page)
    parts = [heading, *ground]
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
        below = section(state, y, page)
        if below.height:
            parts.append(grouped(below, group))
            y += below.height + 8
    return joined(parts, page.width, y).scene(state.game.title, state.describe())


def _site_and_guilds(state: ScapeState, y: float, page: _Page) -> tuple[float, list[Part]]:
    """The site with the guilds beside it, or below where it takes all the width."""
    side = state.game.side
    claims = {claim.squares: claim.seats for claim in state.claims}
    spots = state.wall_spots() if not state.agenda and state.round and not state.over else 0
    marks = Marks(claims=claims, spots=spots)
    is_beside = not page.is_narrow and side <= _BESIDE
    if page.is_narrow:
        cell, labels = narrow_site(state.board)
        site = site_part(state.board, 0, y, cell, marks, labels)
    else:
        room = _SITE if is_beside else page.width - LABELS - 2 * SITE_PAD
        cell = min(72.0, room // side)
        site = site_part(state.board, SITE_PAD - 2, y, cell, marks)
    if is_beside:
        left = site.width + SITE_PAD + 6
        guilds = _guilds(state, left, y + LABELS, page.width - left - SITE_PAD, 1)
        bottom = y + max(site.height, guilds.height + LABELS) + 8
    else:
        columns = 2 if page.is_narrow else state.game.players
        below = y + site.height + 8
        guilds = _guilds(state, SITE_PAD, below, page.width - 2 * SITE_PAD, columns)
        bottom = below + guilds.height + 4
    return bottom, [site, grouped(guilds, "Guilds")]


def _heading(state: ScapeState, page: _Page) -> Part:
    """Whose turn it is, what is to do, the buttons, the Quarry and the Inspections to come."""
    first, second = _headline(state)
    width = page.width
    if not page.is_narrow:
        words = Part.of(headline(first, second, letters(second, width - 140, 13.5)))
        frame = (width - 124, 8.0, 116.0, 36.0)
        buttons = [button_part(key, told, frame) for key, told in _buttons(state)]
        return joined([words, *buttons, _quarry(state, 10, 52, page)], width, _TOP)
    lines = wrapped(second, width - 20, TEXT * LETTER)
    shapes: list[Shape] = [caption(10, 17, first, letters(first, width - 20, 17, 0.6))]
    shapes += [Text(10, 38 + 18 * at, line, TEXT, "muted") for at, line in enumerate(lines)]
    y = 34.0 + 18 * len(lines)
    buttons = [button_part(key, told, (10, y, width - 20, 42)) for key, told in _buttons(state)]
    y += 50 * bool(buttons)
    quarry = _quarry(state, 10, y, page)
    return joined([Part.of(shapes), *buttons, quarry], width, y + quarry.height + 6)


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


def _quarry(state: ScapeState, x: float, y: float, page: _Page) -> Part:
    """The walls that are left, one block each, and the track of the Inspections."""
    full = state.game.quarry
    words = f"Quarry {state.quarry} of {full}"
    width = page.width - 2 * x
    level, room = y + 12, width - 126 - (0 if page.is_narrow else 182)
    shapes: list[Shape] = [caption(x, level, words, TEXT)]
    left, pitch = x + 126, min(9.0, room / full)
    for number in range(full):
        fill = "site-stone" if number < state.quarry else None
        line = 1 if pitch > 4 else 0.5
        box = (left + number * pitch, level - 6, max(1.5, pitch - 2), 12)
        shapes.append(Rect(*box, fill, "site-edge", line))
    most = state.game.inspections
    right = x + width - 12
    if page.is_narrow:
        level, right = y + 34, left + 10 + (most - 1) * 22
    for number in range(1, most + 1):
        at = right - (number - 1) * 22
        here = number == state.marker
        shapes.append(Circle(at, level, 9, "accent" if here else None, "ink", 1.5))
        role = "on-accent" if here else "ink"
        shapes.append(Text(at, level, str(number), TEXT, role, "middle", bold=here))
    if page.is_narrow:
        shapes.append(caption(x, level, "Inspections", TEXT))
    else:
        shapes.append(Text(right - most * 22 + 6, level, "Inspections", TEXT, "ink", "end"))
    last = " In the last round walls come from the supply." if state.ending else ""
    spoken = f"Quarry: {state.quarry} of {full} walls.{last} Inspections to come: {state.marker}"
    height = 46.0 if page.is_narrow else 24.0
    return Part.of(shapes, [Target("quarry", spoken, x, y, width, height)], width, height)


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


def _guilds(state: ScapeState, x: float, y: float, width: float, columns: int) -> Part:
    """Every guild with its levels and the sizes of its piles, so many in a row."""
    wide = (width - 4 * (columns - 1)) / columns
    height = 25 + 13.9 * 6
    seats = range(len(state.guilds))
    parts = [
        _guild(state, seat, (left, top, wide, height))
        for seat, left, top in in_rows(seats, columns, x, y, wide + 4, height + 4)
    ]
    return joined(parts, width, rows(len(parts), columns) * (height + 4))


def _guild(state: ScapeState, seat: int, frame: Frame) -> Part:
    x, top, width, _ = frame
    guild, mine = state.guilds[seat], seat == state.to_move
    told = [
        f"Infamy {guild.infamy}{' !' * (guild.infamy >= HIGHEST)}",
        f"Corruption {guild.corruption}",
        f"Recruits {state.cubes(seat)}",
        f"Hand {len(guild.hand)} Deck {len(guild.deck)}",
        f"Discards {len(guild.discards)}",
        f"Back Alley {len(guild.alley)}",
    ]
    fill = "accent-soft" if mine else "paper"
    shapes: list[Shape] = [
        Rect(*frame, fill, f"seat-{seat}", 3 if mine else 1.5),
        piece(seat, x + 14, top + 14, 8, 1),
        caption(x + 27, top + 14, SEAT_NAMES[seat]),
        Text(x + width - 6, top + 14, str(guild.renown), 16, "ink", "end", bold=True),
    ]
    for number, row in enumerate(told):
        level = top + 30 + 13.9 * number
        shapes.append(Text(x + 7, level, row, letters(row, width - 10), "ink"))
    return Part.of(shapes, [Target(f"guild {seat + 1}", guild_words(state, seat), *frame)])


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


def _purse(state: ScapeState, y: float, page: _Page) -> Part:
    """Chips for what may still be used, and the cards that brought it."""
    chips = purse(state)
    played = _names(state, state.turn.played)
    if not chips and not played:
        return Part()
    width, high = page.width, page.chip
    x, top = 64.0, y
    shapes: list[Shape] = [caption(8, top + high / 2, "To use:", TEXT)]
    targets = []
    if not chips:
        shapes.append(Text(x, top + high / 2, "nothing", TEXT, "muted"))
    for key, words in chips.items():
        wide = 26 + len(words) * TEXT * LETTER
        if x + wide > width - 6:
            x, top = 64.0, top + high + 4
        shapes += [
            Rect(x, top, wide, high, "accent-soft", "accent", 1.5, 12),
            Text(x + wide / 2 + 3, top + high / 2, words, TEXT, "ink", "middle", bold=True),
        ]
        targets.append(Target(key, f"To use: {words}", x, top, wide, high))
        x += wide + 8
    top += high + 4
    if played:
        lines = wrapped(f"Played: {', '.join(played)}", width - 16, TEXT * LETTER)
        tall = max(page.reach, ROW * len(lines))
        targets.append(Target("played", f"Played: {', '.join(played)}", 8, top, width - 16, tall))
        first = top + (tall - ROW * (len(lines) - 1)) / 2
        shapes += [Text(8, first + ROW * at, line, TEXT, "muted") for at, line in enumerate(lines)]
        top += tall
    return Part.of(shapes, targets, width, top - y)


def _names(state: ScapeState, cards: Sequence[int]) -> list[str]:
    """Cards by name, equal ones together."""
    return [
        f"{state.game.box.cards[at].name}{f' ×{cards.count(at)}' if cards.count(at) > 1 else ''}"
        for at in dict.fromkeys(cards)
        if at >= 0
    ]


def _grid_of_cards(cards: Sequence[tuple[Card, CardLook]], y: float, page: _Page) -> Part:
    """Cards in rows; those of a row are equally high."""
    width, columns = page.width, page.cards
    wide = (width - 12 - 6 * (columns - 1)) / columns
    parts = []
    top = y
    for first in range(0, len(cards), columns):
        row = cards[first : first + columns]
        height = max(
            card_height(card, wide, foot=bool(look.foot), sides=look.sides) for card, look in row
        )
        for number, (card, look) in enumerate(row):
            parts.append(card_part(card, 6 + number * (wide + 6), top, wide, height, look))
        top += height + 6
    return joined(parts, width, top - y)


def _titled(words: str, y: float, below: Part, note: str = "", head: float = 20.0) -> Part:
    """Things in rows, and above them what they are called."""
    level = y + head / 2 - 2
    shapes: list[Shape] = [caption(8, level, words)]
    if note:
        shapes.append(Text(16 + len(words) * 8.6, level, note, TEXT, "muted"))
    return joined([Part.of(shapes), below], below.width, head + below.height)


def _hand(state: ScapeState, y: float, page: _Page) -> Part:
    """The cards in hand, equal ones together; of somebody else their backs."""
    if not state.round:
        return Part()
    seat = open_seat(state)
    hand = state.guilds[seat].hand
    title = f"{SEAT_NAMES[seat]}'s hand"
    if HIDDEN_CARD in hand:
        step = min(34.0, (page.width - 16) / len(hand))
        backs = [
            Rect(8 + number * step, y + 20, step - 6, 42, "hidden", "ink", 1.5, 4)
            for number in range(len(hand))
        ]
        note = f"{counted(len(hand), 'card')}, face down"
        box = (8.0, y + 20, max(page.reach, step * len(hand)), 42.0)
        lying = Target("backs", f"{title}: {note}", *box)
        return _titled(title, y, Part.of(backs, [lying], page.width, 46), note)
    cards = []
    for at in dict.fromkeys(hand):
        card = state.game.box.cards[at]
        number, new = hand.count(at), 0
        if seat == state.active and at in state.turn.new:  # castlescape/buy
            new = max(0, number - state.older(at))
        foot = f"{f'{new} ' * (new < number)}not this turn" if new else ""
        sides = page.reach + 2 if card.choices and new < number else 0.0
        look = CardLook(f"hand {card}", number, sides=sides, foot=foot, new=new)
        look = look._replace(source=f"guild {seat + 1}", sink="played", group=title)
        cards.append((card, look))
    return _titled(title, y, _grid_of_cards(cards, y + 20, page), "" if hand else "empty")


def _loose_cards(state: ScapeState, y: float, page: _Page) -> Part:
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
    return _titled("Discard pile and Back Alley", y, _grid_of_cards(cards, y + 20, page))


# -- quests and the market -------------------------------------------------------------------


def _quests(state: ScapeState, y: float, page: _Page) -> Part:
    """The contracts of whoever looks, and the goals for all."""
    seat = open_seat(state)
    guild, box = state.guilds[seat], state.game.box
    own = [at for at in (*guild.dealt, *guild.contracts) if at != HIDDEN_CARD]
    found = [("contract", box.contracts[at]) for at in own]
    found += [("goal", box.goals[at]) for at in state.goals]
    if not found:
        return Part()
    columns, width = page.quests, page.width
    wide = (width - 12 - 6 * (columns - 1)) / columns
    parts: list[Part] = []
    top = y + 20
    for first in range(0, len(found), columns):
        row = [
            quest_part(quest, x, top, wide, place=place, has=quest.count(state, seat))
            for (place, quest), x, _ in in_rows(
                found[first : first + columns], columns, 6, top, wide + 6, 0
            )
        ]
        parts += row
        top += max(quest.height for quest in row) + 6
    below = joined(parts, width, top - y - 20)
    return _titled(f"{SEAT_NAMES[seat]}'s contracts, and goals for all", y, below)


def _market(state: ScapeState, y: float, page: _Page) -> Part:
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
    head = page.reach + 2
    deck = Target("stalls", f"Rotating deck: {note}", 8, y, page.width - 16, page.reach)
    changing = _titled("Market stalls", y, _grid_of_cards(stalls, y + head, page), note, head)
    top = y + changing.height
    always = _titled("Always on offer", top, _grid_of_cards(standing, top + 20, page))
    parts = [Part.of(targets=[deck]), changing, always]
    return joined(parts, page.width, changing.height + always.height)
