"""Playing Castle Keep by pointing: a tile of the hand, then a spot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from castlelab.game import Move, Pointing
from castlelab.games.castle_keep import moves
from castlelab.games.castle_keep.castle import SPOT_WORDS, Tile
from castlelab.rules import NotationError, counted

if TYPE_CHECKING:
    from castlelab.games.castle_keep.play import KeepState


def point(state: KeepState, picks: tuple[str, ...]) -> Pointing:
    """What it means to have pointed at these targets of the table."""
    if state.ending:
        return Pointing()
    if state.phase == "act":
        return _acting(state, picks)
    words = _PROMPTS[state.phase] if state.hit is None else _CHOICE
    move = _single(state, picks[-1]) if picks else None
    return Pointing(offers=_offers(state), words=words) if move is None else Pointing(move)


_PROMPTS = {
    "draw": "Pick the pile or the discards.",
    "act": "Pick a tile of your hand, then a spot. Or end your turn.",
    "discard": "Pick a tile to discard.",
    "siege": "Pick the pile to turn up the next tile.",
}
_CHOICE = "Several tiles are identical: pick the one that falls."


def _offers(state: KeepState) -> tuple[str, ...]:
    """What one may point at first."""
    if state.phase == "draw":
        return ("pile", "discards")
    if state.phase == "discard":
        return tuple(f"hand {at}" for at in range(1, len(state.hands[state.seat]) + 1))
    if state.hit is None:
        return ("turn", "pile")
    return tuple(str(move.spot) for move in state.moves_of(moves.Fall))


def _single(state: KeepState, pick: str) -> Move | None:
    """The move that one pick means, outside building and attacking."""
    if state.phase == "draw":
        return {"pile": moves.FROM_PILE, "discards": moves.FROM_DISCARDS}.get(pick)
    if state.phase == "discard":
        tile = _tile(state, pick)
        return moves.Discard(tile) if tile is not None and pick.startswith("hand") else None
    if state.hit is None:
        return moves.TURN_UP if pick in ("turn", "pile") else None
    spot = _spot(pick)
    return moves.Fall(spot) if spot is not None else None


def _acting(state: KeepState, picks: tuple[str, ...]) -> Pointing:
    """Building, attacking, exchanging: the last pick, and what was taken up before."""
    if not picks:
        return _fresh(state)
    *before, pick = picks
    held = before[-1] if before else ""
    if pick == "end":
        return Pointing(move=moves.END)
    if pick == held:
        return _fresh(state, "Put back. ")
    if _tile(state, pick) is not None:
        return _taken_up(state, pick)
    spot = _spot(pick)
    if spot is None:
        return _fresh(state)
    if tile := _tile(state, held):
        return _laid(state, tile, held.startswith("won"), spot)
    if (other := _spot(held)) is not None and state.game.way == "empire":
        first, second = sorted((_own(state, other), _own(state, spot)), key=lambda s: s.wing)
        return Pointing(move=moves.Exchange(first, second))
    if state.game.way == "empire":
        partners = _partners(state, spot)
        if partners:
            return Pointing(
                offers=partners, picks=(pick,), words="Pick where it goes in your other castle."
            )
    return _fresh(state, "Pick a tile of your hand first. ")


def _fresh(state: KeepState, words: str = "") -> Pointing:
    """Nothing taken up: every tile that can do something is offered."""
    legal = state.moves()
    useful = {move.tile for move in legal if isinstance(move, moves.Attack)}
    useful |= {move.tile for move in legal if isinstance(move, moves.Build) and not move.won}
    won = {move.tile for move in legal if isinstance(move, moves.Build) and move.won}
    offers = [f"hand {at}" for at, t in enumerate(state.hands[state.seat], 1) if t in useful]
    offers += [f"won {at}" for at, tile in enumerate(state.won[state.seat], 1) if tile in won]
    for move in legal:
        if isinstance(move, moves.Exchange):
            offers += [_shown(state, move.first), _shown(state, move.second)]
    return Pointing(offers=(*dict.fromkeys(offers), "end"), words=words + _PROMPTS["act"])


def _taken_up(state: KeepState, pick: str) -> Pointing:
    """A tile is in hand: its spots are offered."""
    tile = _tile(state, pick)
    assert tile is not None
    won = pick.startswith("won")
    offers = [
        _shown(state, move.spot)
        for move in state.moves()
        if (isinstance(move, moves.Build) and move.tile is tile and move.won == won)
        or (isinstance(move, moves.Attack) and move.tile is tile and not won)
    ]
    words = f"The {tile.words} has {counted(len(offers), 'spot')} to go to."
    if not offers:
        words = f"No spot takes the {tile.words}."
    return Pointing(offers=tuple(offers), picks=(pick,), words=words)


def _laid(state: KeepState, tile: Tile, won: bool, spot: moves.Spot) -> Pointing:
    """A tile and a spot: building at home, attacking elsewhere."""
    game = state.game
    shared = game.sites[0][0] is None
    number = game.castle_names.index(spot.castle) if spot.castle in game.castle_names else 0
    castle = state.castles[number]
    if (shared and castle[spot.spot] is None) or (not shared and spot.owner == state.seat):
        return Pointing(move=moves.Build(tile, _own(state, spot), won))
    if won or game.way == "solitaire":  # nothing that attacks; check tells why it is no building
        return Pointing(move=moves.Build(tile, spot, won))
    attack = moves.Attack(tile, spot)
    if not state.check(attack):
        return Pointing(move=attack)
    falls = castle.blast(spot.spot)
    named = ", ".join(SPOT_WORDS[fallen] for fallen in falls)
    brought = f"This attack brings down {counted(len(falls), 'tile')}: {named}."
    return Pointing(
        move=attack,
        asks=True,
        falling=tuple(str(moves.Spot(fallen, spot.owner, spot.wing)) for fallen in falls),
        words=f"{brought} Pick the spot again to do it.",
    )


def _partners(state: KeepState, spot: moves.Spot) -> tuple[str, ...]:
    """Where a tile of an empire's castle may go, or what may come in its stead."""
    mine = _own(state, spot)
    legal = state.moves_of(moves.Exchange)
    found = [move.second for move in legal if move.first == mine]
    found += [move.first for move in legal if move.second == mine]
    return tuple(_shown(state, other) for other in found)


def _tile(state: KeepState, pick: str) -> Tile | None:
    """The tile of a target such as "hand 2" or "won 1"."""
    for place, tiles in (("hand", state.hands), ("won", state.won)):
        for at, tile in enumerate(tiles[state.seat], 1):
            if pick == f"{place} {at}":
                return tile
    return None


def _spot(pick: str) -> moves.Spot | None:
    try:
        return moves.read_spot(pick)
    except NotationError:
        return None


def _own(state: KeepState, spot: moves.Spot) -> moves.Spot:
    """A spot of the own castle as moves name it: without the owner."""
    return moves.Spot(spot.spot, None, spot.wing) if spot.owner == state.seat else spot


def _shown(state: KeepState, spot: moves.Spot) -> str:
    """A spot as the picture names it: with the owner, where castles have one."""
    if spot.owner is None and state.game.sites[0][0] is not None:
        return str(moves.Spot(spot.spot, state.seat, spot.wing))
    return str(spot)
