"""The one kind of move, and its notation: ``lay west 2``."""

from dataclasses import dataclass
from typing import ClassVar

from castlelab.game import Move
from castlelab.notation import reader_for
from castlelab.rules import NotationError, quoted


@dataclass(frozen=True, slots=True)
class Lay(Move):
    """A layer of stones is laid on a tower."""

    kind: ClassVar[str] = "lay"
    tower: str
    stones: int


TOWERS = ("west", "gate", "east")
LAYERS = {f"{tower} {n}": Lay(tower, n) for tower in TOWERS for n in (1, 2, 3)}  # watchtower/layer


def read_move(text: str) -> Lay:
    """The move that a text means, legal or not; anything else is a ``NotationError``."""
    _, words = reader_for(text, {"lay": Lay}, "'lay west 2'")
    if (layer := " ".join(words).lower()) not in LAYERS:
        raise NotationError(f"after 'lay' comes a layer, such as 'west 2', not {quoted(layer)}")
    return LAYERS[layer]
