"""The table of CastleScape in letters, for a terminal: the site, and what lies round it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from textwrap import wrap
from typing import TYPE_CHECKING

from castlelab.game import SEAT_NAMES
from castlelab.games.castlescape.card import Card, Effect
from castlelab.games.castlescape.guild import HIDDEN_CARD
from castlelab.games.castlescape.telling import cards_words, due_words, turn_words
from castlelab.rules import counted

if TYPE_CHECKING:
    from castlelab.games.castlescape.play import ScapeState

_WIDTH = 80
_ROOMY = 15  # a larger site has its squares close together, and the market beside it
_GAP = 3
_KEY = "# wall   : bailey   + a wall may go here   a, b … recruits, A, B … on walls"


def table_text(state: ScapeState) -> str:
    """The table in at most 80 columns and 32 lines."""
    site = _site(state)
    width = _WIDTH - _GAP - max(map(len, site))
    beside = [line for words in _beside(state) for line in _hung(words, width)]
    market = [f"{cost} {words}" for cost, words in _market(state)]
    below: list[str] = []
    if state.game.side > _ROOMY:
        beside += [line for words in ["Market", *market] for line in _hung(words, width)]
    else:
        below = ["Market", *_in_two(market)]
    across = max(map(len, site)) + _GAP
    rows = zip_longest(site, beside, fillvalue="")
    lines = [f"{left:{across}}{right}".rstrip() for left, right in rows]
    return "\n".join([*lines, *below, _KEY])


def _hung(words: str, width: int) -> list[str]:
    """Words in lines, those after the first a little to the right."""
    return wrap(words, width, subsequent_indent="  ")


def _in_two(things: Sequence[str]) -> Iterator[str]:
    """Things in two columns, one half beside the other."""
    wide = _WIDTH // 2 - 1
    half = (len(things) + 1) // 2
    for left, right in zip_longest(things[:half], things[half:], fillvalue=""):
        for one, other in zip_longest(_hung(left, wide), _hung(right, wide), fillvalue=""):
            yield f"{one:{wide + 2}}{other}".rstrip()


# -- the site ------------------------------------------------------------------------------------


def _site(state: ScapeState) -> list[str]:
    """The squares with the letters of their columns and the numbers of their rows."""
    side, board = state.game.side, state.board
    apart = " " if side <= _ROOMY else ""
    building = bool(state.round) and not state.agenda and not state.over
    signs = [(board.ground[seat], "abcd"[seat]) for seat in range(4)]
    signs += [(board.atop[seat], "ABCD"[seat]) for seat in range(4)]
    signs += [(board.walls, "#"), (state.enclosed, ":")]
    signs += [(state.wall_spots() if building else 0, "+"), (board.grid.all, ".")]
    lines = [f"   {apart.join(name[0] for name in state.game.squares[:side])}"]
    for row in range(side):
        bits = (1 << row * side + column for column in range(side))
        squares = (next(sign for where, sign in signs if where & bit) for bit in bits)
        lines.append(f"{row + 1:>2} {apart.join(squares)}")
    return lines


# -- beside it -----------------------------------------------------------------------------------


def _beside(state: ScapeState) -> Iterator[str]:
    """Levels, goals, contracts, what the turn has brought, and the hand."""
    seat = state.to_move
    yield f"Quarry {state.quarry}/{state.game.quarry}, Inspections to come {state.marker}"
    yield "Guild     Ren Inf Cor Rec Hand Deck Alley"
    for number, guild in enumerate(state.guilds):
        name = f"{'abcd'[number]} {SEAT_NAMES[number]}{'*' * (number == seat)}"
        levels = (guild.renown, guild.infamy, guild.corruption, state.cubes(number))
        piles = (len(guild.hand), len(guild.deck), len(guild.alley))
        yield "".join(
            [f"{name:10}", *(f"{n:<4}" for n in levels), *(f"{n:<5}" for n in piles)]
        ).rstrip()
    if state.claims:
        yield f"Baileys {', '.join(_baileys(state))}"
    viewer = _viewer(state)
    box, own = state.game.box, state.guilds[viewer]
    goals = [
        f"{goal.name} {goal.renown} ({goal.progress(state, viewer)})"
        for goal in (box.goals[at] for at in state.goals)
    ]
    yield f"Goals: {', '.join(goals) or 'none left'}"
    known = [at for at in (*own.dealt, *own.contracts) if at != HIDDEN_CARD]
    if known:
        contracts = (box.contracts[at] for at in known)
        told = [f"{one.name} {one.renown} ({one.progress(state, viewer)})" for one in contracts]
        yield f"Contracts: {', '.join(told)}"
    yield from _turn(state, viewer)


def _viewer(state: ScapeState) -> int:
    """Whose cards lie open: those of the player to move, if they may be seen."""
    first = state.active if state.to_move is None else state.to_move
    seats = [first, *range(len(state.guilds))]
    open_seats = (
        seat
        for seat in seats
        if HIDDEN_CARD not in state.guilds[seat].hand + state.guilds[seat].contracts
    )
    return next(open_seats, first)


def _baileys(state: ScapeState) -> Iterator[str]:
    """Each bailey by a square of it: how large it is, and who has marked it."""
    for claim in state.claims:
        first = state.game.squares[(claim.squares & -claim.squares).bit_length() - 1]
        whose = "".join("abcd"[seat] for seat in claim.seats)
        yield f"{first} {claim.size}{whose}"


def _turn(state: ScapeState, viewer: int) -> Iterator[str]:
    """What is to be done or may be used, the hand, and piles that a card asks for."""
    if not state.round or state.over:
        return
    guild, turn = state.guilds[viewer], state.turn
    if due := due_words(state):
        yield f"{SEAT_NAMES[state.agenda[0].seat]} {due}"
    elif use := turn_words(state):
        yield f"To use: {use}"
    hidden = HIDDEN_CARD in guild.hand
    hand = counted(len(guild.hand), "hidden card") if hidden else _cards(state, guild.hand)
    yield f"{SEAT_NAMES[viewer]}'s hand: {hand}"
    mine = state.guilds[state.active]
    if turn.from_discards:
        yield f"Discard pile: {cards_words(state, mine.discards)}"
    if turn.blames:
        yield f"Back Alley: {cards_words(state, mine.alley)}"


def _cards(state: ScapeState, cards: Sequence[int]) -> str:
    """Cards with what they do, equal ones counted."""
    box = state.game.box.cards
    told = []
    for at in dict.fromkeys(cards):
        many = f" ×{cards.count(at)}" if cards.count(at) > 1 else ""
        told.append(f"{box[at].name}{many} ({_does(box[at])})")
    return ", ".join(told) or "nothing"


def _does(card: Card) -> str:
    """What a card does and costs later, as short as can be."""

    def said(effects: Iterable[Effect]) -> str:
        return ", ".join(effect.short for effect in effects)

    parts = [said(card.effects)] * bool(card.effects)
    parts += [" or ".join(said(choice) for choice in card.choices)] * bool(card.choices)
    parts += [f"buy: {said(card.on_purchase)}"] * bool(card.on_purchase)
    for name, number in (("Infamy", card.infamy), ("Corruption", card.corruption)):
        parts += [f"{name} +{number}"] * bool(number)
    return ", ".join(parts)


# -- the market ----------------------------------------------------------------------------------


def _market(state: ScapeState) -> Iterator[tuple[int, str]]:
    """Each card on offer: its price; its name, what it does and how many there are."""
    game = state.game
    piles = dict(zip(game.standard, state.piles, strict=True))
    piles[game.box.new_contract] = len(state.contracts)
    for at in state.offers():
        card = game.box.cards[at]
        worth = f", {card.renown} Renown" if card.renown else ""
        left = piles.get(at, state.stalls.count(at))
        many = f" ×{left}" if left > 1 else ""
        yield card.cost, f"{card.name}{many}: {_does(card)}{worth}"
