"""What may be asked about a table of Castell: its regions, its festivals, the towers there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from castlelab.asking import TIED, in_braille
from castlelab.game import SEAT_NAMES, Question
from castlelab.games.castell.telling import festival_words, performance_words, region_words
from castlelab.games.castell.tower import SKILL_LETTERS
from castlelab.rules import CastlelabError, counted, listed, quoted

if TYPE_CHECKING:
    from castlelab.games.castell.play import CastellState

_SIGNS = SKILL_LETTERS | {"practice": "+", "special": "★"}


def questions(state: CastellState, seat: int) -> tuple[Question, ...]:
    names = state.game.box.regions
    return (
        Question("grid", "the regions in letters, row by row", lambda _: _grid(state)),
        Question("regions", "a region a line", lambda _: _regions(state), group="Regions"),
        Question("region", "a region", lambda name: _region(state, seat, name), names[0]),
        Question("festivals", "a festival a line", lambda _: _festivals(state), group="Festivals"),
        Question("towers", "the towers of this festival", lambda _: _towers(state)),
        Question("level", "a level of those towers", lambda name: _level(state, name), "2"),
    )


def _grid(state: CastellState) -> str:
    """Castellers, the wheel and performances of each region, in letters."""
    lines = []
    for region, name in enumerate(state.game.box.regions):
        tiles = [performance_words(tile).replace(" · ", "=") for tile in state.tiles[region]]
        here = f"{name}: {state.regions[region]}; {_SIGNS[state.skill_at(region)]}"
        lines += in_braille("; ".join([here, *(tile.replace(" ", TIED) for tile in tiles)]))
    return "\n".join(lines)


def _regions(state: CastellState) -> str:
    return "\n".join(region_words(state, at) for at in range(len(state.regions)))


def _region(state: CastellState, seat: int, name: str) -> str:
    """A region by its name or the beginning of it; without one, where the own pawn is."""
    names = state.game.box.regions
    if not name:
        if (pawn := state.players[seat].pawn) is None:
            raise CastlelabError(f"your pawn is not on the map; name a region: {listed(names)}")
        return region_words(state, pawn)
    found = [at for at, one in enumerate(names) if one.lower().startswith(name.lower())]
    if not found:
        raise CastlelabError(f"the regions are {listed(names)}, not {quoted(name)}")
    return "\n".join(region_words(state, at) for at in found)


def _festivals(state: CastellState) -> str:
    return "\n".join(f"{festival_words(state, at)}." for at in range(len(state.calendar)))


def _towers(state: CastellState) -> str:
    """The towers of the festival that is being held, from the base up."""
    built = [
        f"{SEAT_NAMES[seat]}, {counted(tower.height, 'level')}: {tower}."
        for seat, tower in state.entries
    ]
    return "\n".join(built) or _no_towers(state)


def _no_towers(state: CastellState) -> str:
    held = state.festival is not None
    return "Nobody has built for this festival yet." if held else "No festival is being held now."


def _level(state: CastellState, name: str) -> str:
    if not (name.isascii() and name.isdigit() and int(name)):
        raise CastlelabError(f"levels are counted from 1 at the base: level 2, not {quoted(name)}")
    told = []
    for seat, tower in state.entries:
        stands = tower.levels[int(name) - 1 :][:1]
        what = str(stands[0]) if stands else "none"
        told.append(f"{SEAT_NAMES[seat]}, level {name}: {what}.")
    return "\n".join(told) or _no_towers(state)
