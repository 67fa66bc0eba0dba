"""How good a moment of Castle Keep looks: what greedy players climb.

A judgement of our own, not a rule: more tiles are better, the last ones most of all; a spot
that many tiles fit is better than one that few do; a castle that falls to a single wall is
in danger; and tiles in hand count for what they may still do.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from castlelab.game import Prospect, changed_at
from castlelab.games.castle_keep.castle import CENTRE, Places, Tile, fits, run

if TYPE_CHECKING:
    from castlelab.games.castle_keep.play import KeepState

_VICTORY = 1_000.0
#: What a castle of so many tiles is worth: each tile more than the one before.
_STANDING = (0.0, 2.0, 4.4, 7.0, 9.8, 13.0, 16.8, 21.5, 28.0, 40.0)
#: How much of the way to a shared castle's end is a danger, since the opponent is next.
_SHARED = (0.0, 1.0, 2.0, 3.0, 4.0, 4.5, 3.5, -2.0, -12.0, 40.0)
_LONELY = 1.5  # the danger of a castle that one wall would bring down whole
_OUT = -16.0  # castle_keep/empire: a seat that has lost its last castle


def estimate(state: KeepState, player: int) -> float:
    """The worth of a state for a player, in points of our own."""
    return sum(part.worth for part in prospects(state, player))


def prospects(state: KeepState, player: int) -> tuple[Prospect, ...]:
    """The same, part by part."""
    if state.ending:
        worth = _VICTORY if player in state.victors else -_VICTORY
        drawn = len(state.victors) > 1
        return (Prospect(0.0 if drawn else worth, "you have won", "you have lost"),)
    missing = _way_to_finish(state, player)
    if missing is not None:
        near = "the castle can be finished in this very turn"
        far = "the castle is no longer as good as done"
        return (Prospect(_VICTORY / 2 - missing, near, far),)
    hand = Prospect(
        _hand_worth(state, player), "your hand is of more use", "your hand is of less use"
    )
    if state.game.way == "king":
        shared = _SHARED[len(state.castles[0])]
        return (Prospect(shared, "the castle grows well", "it helps whoever is next"), hand)
    mine = _castles_worth(state, player)
    others = [_castles_worth(state, seat) for seat in range(state.game.players) if seat != player]
    rival = -0.7 * max(others, default=0.0)
    return (
        Prospect(mine, "your castle is in better shape", "your castle is in worse shape"),
        Prospect(rival, "an opponent is set back", "an opponent gets on"),
        hand,
    )


def _way_to_finish(state: KeepState, player: int) -> int | None:
    """How many tiles are missing, if the hand can finish the castle in this very turn."""
    if state.seat != player or state.phase != "act" or state.deed == "attack":
        return None
    open_castles = [
        state.castles[number].places
        for number, _, _ in state.game.own[player]
        if not state.castles[number].complete
    ]
    if len(open_castles) != 1:  # the last castle of an empire, or the only one
        return None
    places = open_castles[0]
    tiles = (*state.hands[player], *state.won[player])
    missing = places.count(None)
    if missing > len(tiles) or not can_finish(places, tiles, state.game.last_matches_both):
        return None
    return missing


@lru_cache(maxsize=1 << 12)
def can_finish(places: Places, tiles: tuple[Tile, ...], both: bool) -> bool:
    """Whether these tiles complete the castle, laid in some order."""
    if None not in places:
        return True
    if places.count(None) > len(tiles):
        return False
    sets = fits(places, both)
    for number, tile in enumerate(tiles):
        if tile in tiles[:number]:
            continue
        rest = tiles[:number] + tiles[number + 1 :]
        for at, allowed in enumerate(sets):
            if allowed & tile.bit and can_finish(changed_at(places, at, tile), rest, both):
                return True
    return False


def _castles_worth(state: KeepState, seat: int) -> float:
    both = state.game.last_matches_both
    if state.out[seat]:
        return _OUT
    own = [state.castles[number].places for number, _, _ in state.game.own[seat]]
    return sum([_castle_worth(places, both) for places in own])


@lru_cache(maxsize=1 << 14)
def _castle_worth(places: Places, both: bool) -> float:
    standing = 9 - places.count(None)
    if not standing:
        return 0.0
    sets = fits(places, both)
    welcome = sum(allowed.bit_count() for allowed in sets)
    dead = sum(
        places[at] is None and not sets[at] and any(_beside(places, at)) for at in range(CENTRE)
    )
    runs = [len(run(places, at)) for at in range(1, CENTRE, 2) if places[at] is not None]
    longest = max(runs, default=0)
    # A castle of one run falls to one wall, and with it the game.
    danger = 0.25 * longest + (_LONELY if longest == standing > 2 else 0.0)
    return _STANDING[standing] + 0.06 * welcome - 1.5 * dead - danger


def _hand_worth(state: KeepState, player: int) -> float:
    """What the tiles of a hand may still do, at home and against others."""
    own = [state.castles[number].places for number, _, _ in state.game.own[player]]
    foes = [state.castles[number].places for number, _, _ in state.game.foes[player]]
    found, seen = 0.0, 0
    centres = sum([places[CENTRE] is None for places in own])  # each waits for one keep
    for tile in state.hands[player]:
        if tile.kind == "keep":
            wanted = centres > 0 and not seen & tile.bit
            seen |= tile.bit
            centres -= wanted
            hits = any(places[CENTRE] is tile for places in foes)
            found += 1.6 * wanted + 0.8 * hits
        else:
            found += max([_use(tile.matching, tile.bit, places) for places in own], default=0.0)
            if tile.bit & state.game.breakable:
                hits_there = [
                    len(run(places, at))
                    for places in foes
                    if tile in places
                    for at, there in enumerate(places)
                    if there is tile
                ]
                found += 0.5 * max(hits_there, default=0)
    return found + 0.3 * len(state.won[player])


@lru_cache(maxsize=1 << 14)
def _use(matching: int, bit: int, places: Places) -> float:
    """How many empty spots of its kind a wall or tower may come to fit."""
    spots = range(0, CENTRE, 2) if bit < 1 << 9 else range(1, CENTRE, 2)
    use = 0
    for at in spots:
        if places[at] is None:
            before, behind = _beside(places, at)
            use += (before is None or before.bit & matching > 0) and (
                behind is None or behind.bit & matching > 0
            )
    return 0.4 * min(use, 2)


def _beside(places: Places, at: int) -> tuple[Tile | None, Tile | None]:
    """What stands on the two sides of a place of the ring."""
    return places[(at - 1) % 8], places[(at + 1) % 8]
