"""The table of CastleScape: the site, the hand, the market, contracts and goals, the guilds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from castlelab.draw.layout import (
    BOLD_LETTER,
    LETTER,
    Frame,
    Part,
    button_part,
    caption,
    centred,
    grouped,
    in_rows,
    joined,
    rows,
)
from castlelab.draw.scene import NARROW, Circle, Rect, Scene, Shape, Target, Text
from castlelab.game import SEAT_NAMES
from castlelab.games.castlescape.agenda import STALLS
from castlelab.games.castlescape.card import Card
from castlelab.games.castlescape.card_picture import CardLook, card_part
from castlelab.games.castlescape.guild import CUBES, EMPTY_STALL, HIDDEN_CARD
from castlelab.games.castlescape.masonry import walls_left
from castlelab.games.castlescape.quest_picture import quest_chip, quest_sheet, sheet_lines
from castlelab.games.castlescape.sign_picture import Sign, signs_in_row, signs_width
from castlelab.games.castlescape.site_picture import LABELS, Marks, narrow_site, piece, site_part
from castlelab.rules import counted, in_figures

if TYPE_CHECKING:
    from castlelab.games.castlescape.play import ScapeState


class _Page(NamedTuple):
    """How wide the table is, how large its letters are, and its cards."""

    width: float
    letters: float  # none are smaller, so that they are read where the picture is made smaller
    reach: float  # the least height of what can be pointed at
    card: tuple[float, float]  # how wide and how high a card of the market is

    @property
    def is_narrow(self) -> bool:
        return self.width <= NARROW


_WIDE = _Page(880.0, 14.1, 28.2, (129.0, 98.0))
_NARROW = _Page(NARROW, 12.5, 40.0, (117.0, 102.0))
_EDGE, _GAP = 6.0, 6.0
_SITE = 452.0  # the side of the site on a wide table, with its labels
_CHIPS = 4  # for what may be used, side by side on a narrow page
_IN_ROW = 3  # cards of the market, side by side
_SLIM = 104.0  # a card of the hand is no less wide


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
    """The table: the site and the market, above them goals and guilds, below them the hand.

    Targets: squares (``d4``); ``hand NAME`` and, for the sides of an OR, ``hand NAME side 1``;
    ``market NAME``, ``goal NAME``, ``contract NAME``; ``discards NAME`` and ``alley NAME`` where
    a card asks for one; ``use walls``, ``use gold``, … for what is left of this turn's cards;
    ``guild 1``, ``quarry``, and as buttons ``end`` and ``pay``.
    """
    return replace(_wide(state), narrow=partial(_narrow, state))


def _wide(state: ScapeState) -> Scene:
    """The site at the left, the market at the right."""
    page, inner = _WIDE, _WIDE.width - 2 * _EDGE
    quarry = _quarry(state, _EDGE, 4, 184, page)
    goals = _goals(state, _EDGE + 190, 4, inner - 190, state.game.players + 1, page)
    guilds = _guilds(state, _EDGE, 51, inner, state.game.players, page)
    top = 51 + guilds.height + 4
    cell = (_SITE - LABELS) / state.game.side
    site = site_part(state.board, _EDGE, top, cell, _marks(state), least=page.letters)
    left = _EDGE + _SITE + 8
    market = _market(state, left, top, page)
    below = top + _SITE + 6
    purse = _purse(state, _EDGE, below, page)
    contracts = _contracts(state, page.width - _EDGE, below, page)
    start = _EDGE + purse.width + 8 * bool(purse.width)
    room = page.width - 2 * _EDGE - start - contracts.width
    hand = _hand(state, (start, below, room, page.card[1]), page)
    under = below + max(purse.height, hand.height, contracts.height) + 4
    loose = _loose_cards(state, under, page)
    parts = [
        purse,
        hand,
        loose,
        contracts,
        market,
        goals,
        quarry,
        guilds,
        grouped(site, "The site"),
    ]
    whole = joined(parts, page.width, under + loose.height)
    return whole.scene(state.game.title, state.describe())


def _narrow(state: ScapeState) -> Scene:
    """The same, one below the other, for fingers."""
    page, inner = _NARROW, _NARROW.width - 2 * _EDGE
    parts: list[Part] = []
    y = 4.0

    def below(part: Part) -> Part:
        nonlocal y
        if part.height:
            y += part.height + 8
        return part

    quarry = below(_quarry(state, _EDGE, y, inner, page))
    if not state.round:  # contracts are chosen, and the site is bare
        contracts = below(_contracts(state, page.width - _EDGE, y, page))
    cell, labels = narrow_site(state.board)
    site = below(site_part(state.board, 0, y, cell, _marks(state), labels))
    purse = below(_purse(state, _EDGE, y, page))
    hand = below(_hand(state, (_EDGE, y, inner, page.card[1]), page))
    loose = below(_loose_cards(state, y, page))
    if state.round:
        contracts = below(_contracts(state, page.width - _EDGE, y, page))
    market = below(_market(state, _EDGE, y, page))
    goals = below(_goals(state, _EDGE, y, inner, 2, page))
    guilds = below(_guilds(state, _EDGE, y, inner, 2, page))
    parts = [
        purse,
        hand,
        loose,
        contracts,
        market,
        goals,
        quarry,
        guilds,
        grouped(site, "The site"),
    ]
    whole = joined(parts, page.width, y).scene(state.game.title, state.describe())
    if not state.round:
        return whole.keeping("contract ")
    return whole.keeping("use ", "hand ", "discards ", "alley ", "pay", "market ")


def _marks(state: ScapeState) -> Marks:
    """What is shown on the site besides what stands there."""
    claims = {claim.squares: claim.seats for claim in state.claims}
    building = bool(state.round) and not state.agenda and not state.over
    return Marks(claims=claims, spots=state.wall_spots() if building else 0)


# -- the Quarry and the Inspections ----------------------------------------------------------


def _quarry(state: ScapeState, x: float, y: float, width: float, page: _Page) -> Part:
    """How many walls are left, as a bar, and the track of the Inspections below it."""
    size, full = page.letters, state.game.quarry
    words = f"Quarry {state.quarry}"
    bar = x + 92
    room = x + width - bar
    shapes: list[Shape] = [
        caption(x, y + 10, words, size),
        Rect(bar, y + 3, room, 14, "sunk", "line", 1.5),
        Rect(bar, y + 3, room * state.quarry / full, 14, "site-stone", "site-edge", 1.2),
        caption(x, y + 32, "Inspections", size),
    ]
    most = state.game.inspections
    for number in range(1, most + 1):
        here = number == state.marker
        at = x + width - 10 - (number - 1) * 23
        shapes.append(Circle(at, y + 32, 10, "accent" if here else None, "ink", 1.2))
        role = "on-accent" if here else "ink"
        shapes.append(Text(at, y + 32, str(number), size, role, "middle", bold=here))
    last = " In the last round walls come from the supply." if state.ending else ""
    spoken = f"Quarry: {state.quarry} of {full} walls.{last} Inspections to come: {state.marker}"
    target = Target("quarry", spoken, x, y, width, 44, group="Guilds")
    return Part.of(shapes, [target], width, 44)


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


def _guilds(state: ScapeState, x: float, y: float, width: float, columns: int, page: _Page) -> Part:
    """Every guild with its levels and the sizes of its piles, so many in a row."""
    wide = (width - _GAP * (columns - 1)) / columns
    seats = range(len(state.guilds))
    parts = [
        _guild(state, seat, (left, top, wide, 42), page)
        for seat, left, top in in_rows(seats, columns, x, y, wide + _GAP, 46)
    ]
    return grouped(joined(parts, width, rows(len(parts), columns) * 46 - 4), "Guilds")


def _guild(state: ScapeState, seat: int, frame: Frame, page: _Page) -> Part:
    """One line of levels, and one of cards."""
    x, top, width, _ = frame
    guild, mine = state.guilds[seat], seat == state.to_move
    size = page.letters
    levels = [
        Sign("renown", after=in_figures(guild.renown)),
        Sign("infamy", after=str(guild.infamy)),
        Sign("corruption", after=str(guild.corruption)),
        Sign("recruit", after=str(state.cubes(seat))),
    ]
    apart = min(52.0, (width - 30) / len(levels))
    cards = f"Hand {len(guild.hand)}, deck {len(guild.deck)}"
    alley = f"{cards}, Alley {len(guild.alley)}"
    if len(alley) * size * LETTER <= width - 12:
        cards = alley
    shapes: list[Shape] = [
        Rect(*frame, "accent-soft" if mine else "card", f"seat-{seat}", 3 if mine else 1.5),
        piece(seat, x + 14, top + 13, 8, 1),
        *(
            shape
            for at, level in enumerate(levels)
            for shape in signs_in_row([level], x + 28 + at * apart, top + 13, 16, size)
        ),
        Text(x + 8, top + 31, cards, size, "muted"),
    ]
    return Part.of(shapes, [Target(f"guild {seat + 1}", guild_words(state, seat), *frame)])


# -- what the turn has brought ---------------------------------------------------------------


class Chip(NamedTuple):
    """Something that may still be used in this turn: its target, its sign and its words."""

    key: str
    sign: Sign
    words: str


def purse(state: ScapeState) -> list[Chip]:
    """What is left of this turn's cards."""
    turn = state.turn
    walls = walls_left(turn.masonry)
    acquires = ", ".join(map(str, turn.acquires))
    recalls = state.recall_spots() if state.round and not state.agenda and not state.over else 0
    n = counted
    found = (
        ("gold", "gold", turn.gold, f"{turn.gold} gold"),
        ("walls", "wall", walls, n(walls, "wall")),
        ("recruits", "recruit", turn.recruits, n(turn.recruits, "recruit")),
        ("sentries", "sentry", turn.sentries, f"{n(turn.sentries, 'recruit')} on a wall"),
        ("moves", "move", turn.moves, n(turn.moves, "move")),
        ("climbs", "climb", turn.climbs, n(turn.climbs, "climb")),
        ("ousts", "oust", turn.ousts, f"{n(turn.ousts, 'recruit')} to oust"),
        ("acquires", "acquire", len(turn.acquires), f"acquire a card of up to {acquires} gold"),
        ("destroy-hand", "destroy-hand", turn.from_hand, f"destroy {turn.from_hand} of your hand"),
        (
            "destroy-discard",
            "destroy-discard",
            turn.from_discards,
            f"destroy {turn.from_discards} of your discard pile",
        ),
        ("blames", "shift-blame", turn.blames, f"shift {n(turn.blames, 'blame')}"),
        ("recall", "recall", recalls, "take a recruit back"),
    )
    return [
        Chip(f"use {key}", Sign(sign, after="" if key == "recall" else str(number)), words)
        for key, sign, number, words in found
        if number
    ]


def _purse(state: ScapeState, x: float, y: float, page: _Page) -> Part:
    """Chips for what may still be used, the cards that brought it, and the button."""
    if not state.round:
        return Part()
    chips = purse(state)
    if played := _names(state, state.turn.played):
        number = str(len(state.turn.played))
        chips.append(Chip("played", Sign("deck", after=number), f"Played: {', '.join(played)}"))
    high, wide = (page.reach, 56.0) if page.is_narrow else (page.reach + 2, 50.0)
    columns = _CHIPS if page.is_narrow else max(3, rows(len(chips), 2))
    width = columns * (wide + 4) - 4
    top = y
    parts: list[Part] = []
    if not page.is_narrow and len(chips) <= columns:  # room for a heading
        words = "This turn" if chips or state.over else "Nothing to use yet"
        parts.append(Part.of([caption(x, y + 10, words, page.letters)]))
        top += 24
    parts += [
        _chip(use, (left, down, wide, high), page)
        for use, left, down in in_rows(chips, columns, x, top, wide + 4, high + 4)
    ]
    bottom = y + page.card[1]
    if page.is_narrow:
        bottom = y + max(len(_buttons(state)), rows(len(chips), columns)) * (high + 4)
    for key, told in _buttons(state):
        if page.is_narrow:  # beside the chips
            left = x + (width + 8) * bool(chips)
            frame = (left, y, page.width - x - left, high + 2)
        else:
            frame = (x, bottom - high - 2, width, high + 2)
        parts.append(button_part(key, told, frame))
    return grouped(joined(parts, width, bottom - y), "This turn")


def _chip(use: Chip, frame: Frame, page: _Page) -> Part:
    x, y, width, height = frame
    is_played = use.key == "played"
    role, size = "muted" if is_played else "ink", 20.0
    left = x + (width - signs_width([use.sign], size, page.letters)) / 2
    shapes: list[Shape] = [
        Rect(*frame, None if is_played else "accent-soft", "line", 1.5, dash=is_played),
        *signs_in_row([use.sign], left, y + height / 2, size, page.letters, role),
    ]
    words = use.words if is_played else f"To use: {use.words}"
    return Part.of(shapes, [Target(use.key, words, *frame)])


def _buttons(state: ScapeState) -> list[tuple[str, str]]:
    """What there is to press now; there is never more than one of them."""
    if state.over or not state.round:
        return []
    if not state.agenda:
        return [("end", "End turn")]
    pay = state.agenda[0].kind == "levy" and not state.board.recruits(state.agenda[0].seat)
    return [("pay", "Pay 1 Renown")] * pay


def _names(state: ScapeState, cards: Sequence[int]) -> list[str]:
    """Cards by name, equal ones together."""
    return [
        f"{state.game.box.cards[at].name}{f' ×{cards.count(at)}' if cards.count(at) > 1 else ''}"
        for at in dict.fromkeys(cards)
        if at >= 0
    ]


# -- cards -----------------------------------------------------------------------------------


def _hand(state: ScapeState, frame: Frame, page: _Page) -> Part:
    """The cards in hand, equal ones together; of somebody else their backs."""
    if not state.round:
        return Part()
    x, y, room, height = frame
    seat = open_seat(state)
    hand, title = state.guilds[seat].hand, f"{SEAT_NAMES[seat]}'s hand"
    if HIDDEN_CARD in hand:
        return grouped(_backs(title, len(hand), frame, page), title)
    looks = list(_looks(state, seat, title, page))
    if not looks:
        words = "No cards in hand" if not state.over else ""
        high = 24.0 if page.is_narrow else height
        empty = centred((x, y, room, high), words, page.letters, "muted")
        return Part.of([empty] * bool(words), (), room, high)
    columns = _IN_ROW if page.is_narrow else max(1, int((room + _GAP) // (_SLIM + _GAP)))
    across = min(len(looks), columns) if not page.is_narrow else columns
    wide = min(page.card[0], (room - _GAP * (across - 1)) / across)
    parts = [
        card_part(card, (left, top, wide, height), page.letters, look)
        for (card, look), left, top in in_rows(looks, columns, x, y, wide + _GAP, height + _GAP)
    ]
    down = rows(len(looks), columns)
    return grouped(joined(parts, room, down * (height + _GAP) - _GAP), title)


def _looks(
    state: ScapeState, seat: int, title: str, page: _Page
) -> Iterator[tuple[Card, CardLook]]:
    """How each card of a hand is shown."""
    hand = state.guilds[seat].hand
    for at in dict.fromkeys(hand):
        card = state.game.box.cards[at]
        number, new = hand.count(at), 0
        if seat == state.active and at in state.turn.new:  # castlescape/buy
            new = max(0, number - state.older(at))
        sides = page.reach if card.choices and new < number else 0.0
        look = CardLook(f"hand {card}", number, sides=sides, new=new)
        yield card, look._replace(source=f"guild {seat + 1}", sink="played", group=title)


def _backs(title: str, number: int, frame: Frame, page: _Page) -> Part:
    """A hand that may not be seen."""
    x, y, room, height = frame
    wide = 58.0
    step = min(wide + _GAP, (room - wide) / max(1, number - 1))
    backs: list[Shape] = [
        Rect(x + at * step, y, wide, height - 24, "hidden", "ink", 1.2) for at in range(number)
    ]
    note = f"{counted(number, 'card')}, face down"
    backs.append(Text(x, y + height - 10, note, page.letters, "muted"))
    lying = Target("backs", f"{title}: {note}", x, y, step * (number - 1) + wide, height - 24)
    return Part.of(backs, [lying], room, height)


def _loose_cards(state: ScapeState, y: float, page: _Page) -> Part:
    """The discards or the Back Alley of the player to move, by name, where a card asks for one."""
    guild, turn, box = state.guilds[state.active], state.turn, state.game.box
    x, top, high = _EDGE, y, page.reach + 2
    shapes: list[Shape] = []
    targets: list[Target] = []
    for place, number, held, where in (
        ("discards", turn.from_discards, guild.discards, "discard pile"),
        ("alley", turn.blames, guild.alley, "Back Alley"),
    ):
        if not number:
            continue
        whose = f"Your {where}:" if held else f"Your {where} is empty."
        for name, words in [("", whose), *_piled(state, held)]:
            wide = len(words) * page.letters * BOLD_LETTER + (18 if name else 4)
            if x + wide > page.width - _EDGE:
                x, top = _EDGE, top + high + 4
            frame = (x, top, wide, high)
            shapes.append(centred(frame, words, page.letters, "ink", bold=not name))
            if name:
                shapes.insert(0, Rect(*frame, "card", "line", 1.5))
                spoken = f"{box.card(name).describe()} In your {where}"
                targets.append(Target(f"{place} {name}", spoken, *frame))
            x += wide + _GAP
    if not shapes:
        return Part()
    whole = Part.of(shapes, targets, page.width, top + high + 4 - y)
    return grouped(whole, "Discard pile and Back Alley")


def _piled(state: ScapeState, held: Sequence[int]) -> list[tuple[str, str]]:
    """The cards of a pile: each name, and with how many there are."""
    cards = [state.game.box.cards[at].name for at in dict.fromkeys(held)]
    return list(zip(cards, _names(state, held), strict=True))


def _market(state: ScapeState, x: float, y: float, page: _Page) -> Part:
    """The five stalls, then the standing offers with how many are left of each."""
    wide, high = page.card
    width = _IN_ROW * (wide + _GAP) - _GAP
    size = page.letters
    empty = state.stalls.count(EMPTY_STALL)
    note = f"{len(state.rotating)} to come"
    bare = f", {counted(empty, 'empty stall')}" if empty else ""
    parts = [Part.of([caption(x, y + 9, "Market stalls", size)])]
    top = y + 20
    stalls = list(_placed(state, x, top, page))
    taken = [frame for _, _, frame in stalls]
    places = [_place(at, x, top, page) for at in range(STALLS + 1)]
    *bare_stalls, rest = [frame for frame in places if frame not in taken]
    parts.append(Part.of(Rect(*each, None, "line", 1.5, dash=True) for each in bare_stalls))
    deck = Target("stalls", f"Rotating deck: {note}{bare}", *rest)
    parts += [_deck(len(state.rotating), rest, size), Part.of(targets=[deck])]
    parts += [card_part(card, frame, size, look) for card, look, frame in stalls]
    top += 2 * (high + _GAP)
    parts.append(Part.of([caption(x, top + 9, "Always on offer", size)]))
    top += 20
    standing = list(_standing(state))
    for at, (card, look) in enumerate(standing):
        parts.append(card_part(card, _place(at, x, top, page), size, look))
    if len(standing) % _IN_ROW:
        parts.append(_signs_told(_place(len(standing), x, top, page), size))
    top += rows(len(standing), _IN_ROW) * (high + _GAP) - _GAP
    return grouped(joined(parts, width, top - y), "Market")


def _place(at: int, x: float, y: float, page: _Page) -> Frame:
    """Where the card of that number lies on the market."""
    wide, high = page.card
    row, column = divmod(at, _IN_ROW)
    return x + column * (wide + _GAP), y + row * (high + _GAP), wide, high


def _placed(
    state: ScapeState, x: float, y: float, page: _Page
) -> Iterator[tuple[Card, CardLook, Frame]]:
    """The cards of the stalls, equal ones together."""
    for at in dict.fromkeys(state.stalls):
        if at == EMPTY_STALL:
            continue
        card = state.game.box.cards[at]
        look = CardLook(f"market {card}", state.stalls.count(at), priced=True)
        look = look._replace(source="stalls", sink=f"guild {state.active + 1}")
        yield card, look, _place(state.stalls.index(at), x, y, page)


def _standing(state: ScapeState) -> Iterator[tuple[Card, CardLook]]:
    """The cards that are always on offer, with how many there are."""
    box = state.game.box
    for place, left in zip(state.game.standard, state.piles, strict=True):
        if place == box.new_contract:
            left = len(state.contracts)
        yield box.cards[place], CardLook(f"market {box.cards[place]}", left, True, counted=True)


def _deck(number: int, frame: Frame, size: float) -> Part:
    """The cards that are still to come to the stalls, as a pile."""
    x, y, width, height = frame
    shapes: list[Shape] = []
    for behind in (4, 0) if number > 1 else (0,) * bool(number):
        box = (x + 10 + behind, y + 8 - behind, width - 26, height - 16)
        shapes.append(Rect(*box, "hidden", "ink", 1.2))
    front = (x + 10, y + 8, width - 26, height - 16)
    role = "on-hidden" if number else "muted"
    shapes.append(centred(front, f"{number} to come", size, role, bold=True))
    return Part.of(shapes)


def _signs_told(frame: Frame, size: float) -> Part:
    """What the signs mean that nobody would guess."""
    x, y, _, height = frame
    told = (
        ("renown", "Renown"),
        ("infamy", "Infamy"),
        ("corruption", "Corruption"),
        ("draw", "draw"),
    )
    step = (height - 8) / len(told)
    shapes: list[Shape] = [Rect(*frame, None, "line", 1.5, dash=True)]
    for number, (picture, words) in enumerate(told):
        level = y + 4 + step * (number + 0.5)
        shapes += signs_in_row([Sign(picture)], x + 8, level, 16, size)
        shapes.append(Text(x + 30, level, words, size, "muted"))
    return Part.of(shapes)


# -- contracts and goals ---------------------------------------------------------------------


def _goals(state: ScapeState, x: float, y: float, width: float, columns: int, page: _Page) -> Part:
    """The goals for all, with how far the player who looks is."""
    seat, box = open_seat(state), state.game.box
    wide = (width - _GAP * (columns - 1)) / columns
    goals = [box.goals[at] for at in state.goals]
    parts = [
        quest_chip(goal, (left, top, wide, 44), page.letters, "goal", state, seat)
        for goal, left, top in in_rows(goals, columns, x, y, wide + _GAP, 50)
    ]
    height = rows(len(goals), columns) * 50 - 6 if goals else 0
    return grouped(joined(parts, width, height), "Goals for all")


def _contracts(state: ScapeState, right: float, y: float, page: _Page) -> Part:
    """The contracts of whoever looks; those to choose from with their whole condition."""
    seat, box = open_seat(state), state.game.box
    guild = state.guilds[seat]
    own = [box.contracts[at] for at in (*guild.dealt, *guild.contracts) if at != HIDDEN_CARD]
    if not own:
        return Part()
    group, inner = f"{SEAT_NAMES[seat]}'s contracts", right - _EDGE
    if not state.round or page.is_narrow:
        columns = 1 if page.is_narrow else len(own)
        wide = (inner - _GAP * (columns - 1)) / columns
        high = page.card[1]
        if page.is_narrow:
            lines = [sheet_lines(one, wide, page.letters, state, seat) for one in own]
            high = 32 + 16.0 * max(map(len, lines))
        parts = [
            quest_sheet(one, (left, top, wide, high), page.letters, "contract", state, seat)
            for one, left, top in in_rows(own, columns, _EDGE, y, wide + _GAP, high + _GAP)
        ]
        height = rows(len(own), columns) * (high + _GAP) - _GAP
        return grouped(joined(parts, inner, height), group)
    columns, wide, high = min(3, rows(len(own), 2)), 150.0, 46.0
    width = columns * (wide + _GAP) - _GAP
    parts = [
        quest_chip(one, (left, top, wide, high), page.letters, "contract", state, seat)
        for one, left, top in in_rows(own, columns, right - width, y, wide + _GAP, high + _GAP)
    ]
    height = max(2, rows(len(own), columns)) * (high + _GAP) - _GAP
    return grouped(joined(parts, width, height), group)
