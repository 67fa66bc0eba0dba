"""What other packages bring: games and bots, announced as entry points of their package.

In the ``pyproject.toml`` of such a package::

    [project.entry-points."castlelab.games"]
    watchtower = "watchtower.play:Watchtower"

    [project.entry-points."castlelab.bots"]
    watchman = "watchtower.watchman:Watchman"
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, TypeVar

from castlelab.rules import CastlelabError, listed

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint
    from importlib.resources.abc import Traversable

T = TypeVar("T")

GAMES = "castlelab.games"
BOTS = "castlelab.bots"


@cache
def announced(group: str) -> dict[str, tuple[EntryPoint, ...]]:
    """The entry points of a group by name, looked up once; two packages may claim one name."""
    from importlib.metadata import entry_points  # to read what is installed takes a while

    found: dict[str, tuple[EntryPoint, ...]] = {}
    for point in entry_points(group=group):
        found[point.name] = (*found.get(point.name, ()), point)
    return found


def packages(group: str, name: str) -> str:
    """The packages that announce a name, in words."""
    return listed([point.dist.name if point.dist else "?" for point in announced(group)[name]])


def loaded(group: str, name: str) -> Any:
    """What an entry point stands for; one that cannot be loaded is a ``CastlelabError``."""
    points = announced(group)[name]
    if len(points) > 1:
        raise unusable(group, name, "only one package may bring that name")
    return attempted(group, name, points[0].load)


def attempted(group: str, name: str, deed: Callable[[], T]) -> T:
    """What comes of code of another package; whatever goes wrong there is a ``CastlelabError``."""
    try:
        return deed()
    except Exception as error:
        told = " ".join(f"{type(error).__name__}: {error}".split())
        raise unusable(group, name, told) from error


def unusable(group: str, name: str, reason: str) -> CastlelabError:
    """The error for what a package brings and cannot be used, ready to raise."""
    kind = group.rpartition(".")[2].removesuffix("s")
    return CastlelabError(f"the {kind} {name!r} of {packages(group, name)} is no use: {reason}")


def room_file(game: str, name: str) -> Traversable:
    """A file of a game's room, such as its ``rules.toml``, whether or not it is there.

    The room is found without importing the game, which may just be on its way: its modules
    read their rules when they are imported.
    """
    ours = files("castlelab") / "games" / game
    if ours.is_dir() or game not in announced(GAMES):
        return ours.joinpath(name)
    return files(announced(GAMES)[game][0].module.rpartition(".")[0]).joinpath(name)
