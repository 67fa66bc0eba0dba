"""What happens by itself: draws and shuffles, penalties, the clean-up, the King's visits.

A state has an agenda of steps. Each step is done by one function here, which returns the next
state, or None where somebody has to decide first.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from castlelab.game import changed
from castlelab.games.castlescape.guild import (
    EMPTY_STALL,
    HAND_SIZE,
    HIDDEN_CARD,
    HIGHEST,
    AgendaStep,
    Guild,
)
from castlelab.rules import CastlelabError

if TYPE_CHECKING:
    from castlelab.games.castlescape.play import ScapeState

STALLS = 5
CONTRACTS_DRAWN = 2  # with New Contract; one of them is kept
WINTER = 3  # whole rounds in which nobody does anything (castlescape/long-winter)


def unknown(what: str = "what is drawn next") -> CastlelabError:
    """The answer of a view that is asked for what it does not see."""
    return CastlelabError(f"a view does not know {what}; guess a state first")


def clean_up(state: ScapeState) -> tuple[AgendaStep, ...]:
    """The end of a turn, after the cards were put away (``castlescape/cleanup``)."""
    empty = not state.quarry and not state.ending
    return _clean_up(state.active, empty, empty or EMPTY_STALL in state.stalls)


@cache
def _clean_up(seat: int, empty: bool, refill: bool) -> tuple[AgendaStep, ...]:
    """The steps of it, without those in which nothing would happen."""
    due = {"draw": True, "quarry-check": empty, "refill": refill, "next-turn": True}
    return tuple(AgendaStep(kind, seat, HAND_SIZE) for kind, needed in due.items() if needed)


# -- cards and levels ------------------------------------------------------------------------


def _draw(state: ScapeState, step: AgendaStep) -> ScapeState:
    """Cards from the deck, and a new deck if it runs out (``castlescape/reshuffle``)."""
    seat, number = step.seat, step.number
    guild = state.guilds[seat]
    cards, missing = guild.deck[:number], number - len(guild.deck)
    if HIDDEN_CARD in cards:
        raise unknown()
    if cards:
        hand = tuple(sorted(guild.hand + cards))
        guild = guild.with_cards(guild.deck[number:], hand, guild.discards, guild.alley)
    guilds = state.seated(seat, guild)
    if missing <= 0 or not (guild.discards or guild.alley):
        return state.done(guilds=guilds)
    return state.done(
        AgendaStep("penalties", seat),
        AgendaStep("shuffle", seat),
        step._replace(number=missing),
        guilds=guilds,
    )


def _shuffle(state: ScapeState, step: AgendaStep) -> ScapeState:
    if state.chance is None:
        raise unknown()
    guild = state.guilds[step.seat]
    deck, chance = state.chance.shuffle(sorted(guild.discards))
    guild = guild.with_cards(deck, guild.hand, (), guild.alley)
    return state.done(chance=chance, guilds=state.seated(step.seat, guild))


def _penalties(state: ScapeState, step: AgendaStep) -> ScapeState:
    """The penalties of the Back Alley count (``castlescape/penalty``).

    The cards are discarded before a shuffle only: a trigger leaves them (``castlescape/trigger``),
    and after the Final Inspection nobody asks.
    """
    cards, guild = state.game.box.cards, state.guilds[step.seat]
    alley = guild.alley
    state = state.done()
    if not alley:
        return state
    if step.kind == "penalties":
        state = state.with_guild(step.seat, alley=(), discards=guild.discards + alley)
    return _tainted(
        state,
        step.seat,
        sum([cards[at].infamy for at in alley]),
        sum([cards[at].corruption for at in alley]),
    )


def _tainted(state: ScapeState, seat: int, infamy: int, corruption: int) -> ScapeState:
    """More Infamy and Corruption; what is beyond ten has to be paid (``castlescape/over-ten``)."""
    if not infamy and not corruption:
        return state
    guild = state.guilds[seat]
    infamy, corruption = guild.infamy + infamy, guild.corruption + corruption
    state = state.with_guild(
        seat,
        infamy=min(infamy, HIGHEST),
        corruption=min(corruption, HIGHEST),
        renown=guild.renown - max(0, corruption - HIGHEST),
    )
    if infamy > HIGHEST:
        due = AgendaStep("levy", seat, infamy - HIGHEST)
        state = changed(state, agenda=(due, *state.agenda))
    return state


def _levels(state: ScapeState, step: AgendaStep) -> ScapeState:
    """Renown, Infamy and Corruption that a card changes."""
    guild, number = state.guilds[step.seat], step.number
    state = state.done()
    match step.kind:
        case "renown":
            return state.with_guild(step.seat, renown=guild.renown + number)
        case "less-infamy":
            return state.with_guild(step.seat, infamy=max(0, guild.infamy - number))
        case "less-corruption":
            return state.with_guild(step.seat, corruption=max(0, guild.corruption - number))
        case _:  # more-infamy
            return _tainted(state, step.seat, number, 0)


def _contract(state: ScapeState, step: AgendaStep) -> ScapeState:
    """Contracts to choose from (``castlescape/contract``); a single one needs no choice."""
    dealt, deck = state.contracts[:CONTRACTS_DRAWN], state.contracts[CONTRACTS_DRAWN:]
    if HIDDEN_CARD in dealt:
        raise unknown()
    if len(dealt) < CONTRACTS_DRAWN:
        kept = tuple(sorted(state.guilds[step.seat].contracts + dealt))
        return state.done(contracts=deck).with_guild(step.seat, contracts=kept)
    return state.done(step._replace(kind="keep"), contracts=deck).with_guild(
        step.seat, dealt=tuple(sorted(dealt))
    )


# -- what somebody decides -------------------------------------------------------------------


def _debt(state: ScapeState, step: AgendaStep) -> ScapeState | None:
    """Influence to give up, then cards, then Renown; None where there is a choice.

    At an Inspection ("give-up") cards come before Renown (``castlescape/inspection``); beyond ten
    ("levy") the player may choose between them (``castlescape/over-ten``).
    """
    seat, due = step.seat, step.number
    influence = state.board.influence(seat)
    if influence > due:
        return None
    if influence:  # all recruits have to go: no choice
        board = state.board.without_recruit(seat, state.board.grid.all)
        return state.done(step._replace(number=due - influence), board=board)
    guild = state.guilds[seat]
    cards = len(guild.hand)
    if due and cards and (step.kind == "levy" or cards > due):
        return None
    if due and cards:  # the whole hand has to go
        if HIDDEN_CARD in guild.hand:
            raise unknown("which cards a player has in hand")
        guild = guild._replace(hand=(), discards=guild.discards + guild.hand)
        due -= cards
    guild = guild._replace(renown=guild.renown - due)
    return state.done(guilds=state.seated(seat, guild))


# -- the end of a turn -----------------------------------------------------------------------


def _quarry_check(state: ScapeState, step: AgendaStep) -> ScapeState:
    """Whether the King comes (``castlescape/inspection-trigger``, ``castlescape/final-round``)."""
    if state.quarry or state.ending:
        return state.done()
    if state.marker == 1:  # the last time: only the Final Inspection is left
        return state.done(ending="quarry")
    return state.done(*_visit(state, step.seat), AgendaStep("reset", step.seat), **_cleared(state))


def _refill(state: ScapeState, _: AgendaStep) -> ScapeState:
    """The empty stalls are filled; the last card brings the last round."""
    missing = state.stalls.count(EMPTY_STALL)
    if not missing:
        return state.done()
    new = list(reversed(state.rotating[:missing]))
    if HIDDEN_CARD in new:
        raise unknown()
    rotating = state.rotating[missing:]
    stalls = tuple([new.pop() if at == EMPTY_STALL and new else at for at in state.stalls])
    ending = state.ending or ("" if rotating else "market")
    return state.done(stalls=stalls, rotating=rotating, ending=ending)


def _next_turn(state: ScapeState, step: AgendaStep) -> ScapeState:
    """The next player; after the last round the Final Inspection (``castlescape/final-round``)."""
    following = (step.seat + 1) % state.game.players
    if following != state.starter:
        return state.done(active=following)
    winter = state.quiet >= WINTER * state.game.players  # castlescape/long-winter
    if state.ending or winter:
        return state.done(
            *[AgendaStep("trigger", seat) for seat in state.game.around_table(following)],
            *_visit(state, step.seat),
            AgendaStep("judge", following),
            ending=state.ending or "winter",
            **_cleared(state),
        )
    return state.done(active=following, round=state.round + 1)


# -- an Inspection ---------------------------------------------------------------------------


def _cleared(state: ScapeState) -> dict[str, Any]:
    """The rotating market leaves the game (``castlescape/inspection``)."""
    left = [card for card in state.stalls if card != EMPTY_STALL]
    return {"stalls": (EMPTY_STALL,) * STALLS, "gone": tuple(sorted((*state.gone, *left)))}


def _visit(state: ScapeState, seat: int) -> list[AgendaStep]:
    """The King comes to everybody, from the next player on."""
    return [AgendaStep("tribute", other) for other in state.game.around_table(seat + 1)]


def _tribute(state: ScapeState, step: AgendaStep) -> ScapeState:
    """As much influence is due as there is Infamy."""
    infamy = state.guilds[step.seat].infamy
    return state.done(AgendaStep("give-up", step.seat, infamy)) if infamy else state.done()


def _settled(state: ScapeState) -> tuple[Guild, ...]:
    """Infamy is set to Corruption, then occupation is rewarded (``castlescape/occupation``)."""
    bonus = [0] * len(state.guilds)
    for claim in state.claims:
        seat = state.holder(claim)
        if seat is not None:
            bonus[seat] += 1
    return tuple(
        guild._replace(
            infamy=guild.corruption,
            renown=guild.renown + won,
            occupation=guild.occupation + won,
        )
        for guild, won in zip(state.guilds, bonus, strict=True)
    )


def _reset(state: ScapeState, _: AgendaStep) -> ScapeState:
    """The end of an Inspection: levels, occupation, marker and Quarry."""
    return state.done(guilds=_settled(state), marker=state.marker - 1, quarry=state.game.quarry)


def _judge(state: ScapeState, _: AgendaStep) -> ScapeState:
    """The end of the Final Inspection and of the game: the contracts are shown."""
    if any(HIDDEN_CARD in guild.contracts for guild in state.guilds):
        raise unknown("which contracts the others have kept")
    return state.done(guilds=_settled(state), finished=True)


STEPS: dict[str, Callable[[ScapeState, AgendaStep], ScapeState | None]] = {
    # effects of cards
    "draw": _draw,
    "renown": _levels,
    "less-infamy": _levels,
    "less-corruption": _levels,
    "more-infamy": _levels,
    "trigger": _penalties,
    "contract": _contract,
    # a new deck
    "penalties": _penalties,
    "shuffle": _shuffle,
    # what somebody decides
    "keep": lambda state, step: None,
    "levy": _debt,
    "give-up": _debt,
    # the end of a turn
    "quarry-check": _quarry_check,
    "refill": _refill,
    "next-turn": _next_turn,
    # an Inspection
    "tribute": _tribute,
    "reset": _reset,
    "judge": _judge,
}


def run_agenda(state: ScapeState) -> ScapeState:
    """Everything on the agenda, up to the next thing that somebody has to decide."""
    while state.agenda:
        step = state.agenda[0]
        following = STEPS[step.kind](state, step)
        if following is None:
            return state
        state = following
    return state
