"""Every way to set up a game, and random games to look at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from itertools import product
from typing import Any, ClassVar

import castlelab
from castlelab.chance import Chance
from castlelab.game import Game, State, game_class
from castlelab.testing.suite import Suite


@dataclass(frozen=True)
class Choice:
    """A number of players and a value for each option."""

    players: int
    options: tuple[tuple[str, Any], ...]

    def __str__(self) -> str:
        return "-".join((str(self.players), *(f"{name}={value}" for name, value in self.options)))


class EveryChoice(Suite):
    """Tests of a game for every choice of its options."""

    #: Of options with many values that differ in size only: some values that stand for all.
    some: ClassVar[Mapping[str, tuple[Any, ...]]] = {}

    def every_choice(self) -> Iterator[Choice]:
        """Every number of players with every combination of options.

        Of several switches none is on, or one, or all of them: so each meets each other one.
        """
        cls = game_class(self.game)
        names = [option.name for option in cls.option_list]
        allowed = [self.some.get(option.name, option.allowed) for option in cls.option_list]
        for values in product(*allowed):
            switches = [value for value in values if isinstance(value, bool)]
            if sum(switches) not in (0, 1, len(switches)):
                continue
            options = dict(zip(names, values, strict=True))
            for players in cls.seats_for(**options):
                yield Choice(players, tuple(options.items()))

    def load(self, choice: Choice) -> Game:
        """The game as it was chosen."""
        return castlelab.load(self.game, players=choice.players, **dict(choice.options))

    def load_usual(self) -> Game:
        """The game without any choice made."""
        return castlelab.load(self.game)


def whole(thing: Any) -> str:
    """All that a state is, field by field: its repr is only a line of sense.

    Also what is left out when states are compared, but not what a dataclass hides from its repr.
    The repr of anything else is whole already.
    """
    is_state = isinstance(thing, State)
    shown = [part.name for part in fields(thing) if part.repr] if is_state else ()
    return ", ".join(f"{name}={getattr(thing, name)!r}" for name in shown) or repr(thing)


def random_states(game: Game, seed: int) -> Iterator[State]:
    """A random game, state by state."""
    state, chance = game.start(seed), Chance.seeded(seed)
    yield state
    while not state.over:
        move, chance = chance.choice(state.moves())
        state = state.play(move)
        yield state
