"""A moment of CastleScape in words, for those who cannot see the picture."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from castlelab.game import SEAT_NAMES
from castlelab.games.castlescape.guild import HIDDEN_CARD
from castlelab.games.castlescape.masonry import walls_left
from castlelab.rules import counted

if TYPE_CHECKING:
    from castlelab.games.castlescape.play import ScapeState


#: What the signs and numbers of the table mean.
LEGEND = (
    ("coin", "gold: what a card costs, or what it brings"),
    ("shield", "Renown: at the end, or for a goal or contract"),
    ("mask", "Infamy that a card brings from the Back Alley; −3 takes it away"),
    ("drop", "Corruption, likewise"),
    ("wall", "a wall to build; with a clock, even after recruits"),
    ("person", "a recruit to position; on a wall, one that must stand on a wall"),
    ("person and arrow", "a recruit goes one square; with a wall, it climbs"),
    ("crossed person", "a rival's recruit beside yours is removed"),
    ("card with +", "draw a card"),
    ("card with a coin, ≤5", "take a card that costs at most 5, for nothing"),
    ("crossed card", "destroy a card of your hand; two cards: of your discard pile"),
    ("mask and arrow", "a card leaves your Back Alley"),
    ("mask over a drop", "your Back Alley's penalties count now"),
    ("sheet", "choose one of two new contracts"),
    ("1 or 2 on a recruit", "its influence: 2 on a wall"),
    ("6 over 4:2", "a bailey of 6 squares, with the influence of each guild there"),
)


def cards_words(state: ScapeState, cards: tuple[int, ...]) -> str:
    """Cards by name, equal ones counted; what is hidden only as a number."""
    found = Counter(cards)
    hidden = found.pop(HIDDEN_CARD, 0)
    box = state.game.box.cards
    said = [f"{n} × {box[at]}" if n > 1 else str(box[at]) for at, n in found.items()]
    if hidden:
        said.append(counted(hidden, "hidden card"))
    return ", ".join(said) or "nothing"


def turn_words(state: ScapeState) -> str:
    """What the turn has brought and was not used yet."""
    turn = state.turn
    number = walls_left(turn.masonry)
    said = [
        words
        for many, words in (
            (turn.gold, f"{turn.gold} gold"),
            (number, counted(number, "wall")),
            (turn.recruits, counted(turn.recruits, "recruit")),
            (turn.sentries, f"{counted(turn.sentries, 'recruit')} for walls"),
            (turn.moves, counted(turn.moves, "step")),
            (turn.climbs, counted(turn.climbs, "climb")),
            (turn.ousts, f"{counted(turn.ousts, 'recruit')} to oust"),
            (len(turn.acquires), f"{counted(len(turn.acquires), 'card')} to acquire"),
            (turn.from_hand, f"{counted(turn.from_hand, 'hand card')} to destroy"),
            (turn.from_discards, f"{counted(turn.from_discards, 'discard')} to destroy"),
            (turn.blames, f"{counted(turn.blames, 'blame')} to shift"),
        )
        if many
    ]
    return ", ".join(said)


def due_words(state: ScapeState) -> str:
    """What somebody has to decide before the game goes on; empty if nothing is due."""
    if not state.agenda:
        return ""
    step = state.agenda[0]
    if step.kind == "keep":
        return "keeps one of two contracts"
    why = "for Infamy beyond 10" if step.kind == "levy" else "at the Inspection"
    return f"gives up influence {why}: {step.number} to go"


#: Why a round is the last one.
ENDINGS = {
    "quarry": "the Quarry ran out for the last time",
    "market": "the last card of the rotating market was drawn",
    "winter": "nobody built, positioned, bought or claimed for three rounds",
}


def table_words(state: ScapeState) -> str:
    """A sentence or two about a moment of the game."""
    seat = state.to_move
    if seat is None:
        points = ", ".join(
            f"{SEAT_NAMES[other]} {score}" for other, score in enumerate(state.scores)
        )
        won = " and ".join(SEAT_NAMES[winner] for winner in state.winners)
        verb = "wins" if len(state.winners) == 1 else "win"
        rounds, why = counted(state.round, "round"), ENDINGS.get(state.ending, "")
        ended = f"{rounds}, because {why}" if why else rounds
        return f"The game is over after {ended}: {points}. {won} {verb}."
    guild, name = state.guilds[seat], SEAT_NAMES[seat]
    if not state.round:
        contracts = state.game.box.contracts
        dealt = ", ".join(str(contracts[at]) for at in guild.dealt if at != HIDDEN_CARD)
        return f"{name} keeps two contracts{f' of {dealt}' if dealt else ''}."
    last = f"Final round, because {ENDINGS[state.ending]}" if state.ending else ""
    said = f"{last or f'Round {state.round}'}. {name} "
    if due := due_words(state):
        said += f"{due}."
    else:
        use = turn_words(state)
        said += f"has {cards_words(state, guild.hand)} in hand{f', and {use}' if use else ''}."
    visits = counted(state.marker, "Inspection")
    renown = ", ".join(str(guild.renown) for guild in state.guilds)
    baileys = counted(len(state.claims), "bailey")
    return (
        f"{said} The Quarry holds {counted(state.quarry, 'wall')}, {visits} to come; "
        f"{baileys} complete; Renown {renown}."
    )
