"""The contract that a bot keeps, as tests that anybody can run."""

from __future__ import annotations

from itertools import islice
from typing import ClassVar

import castlelab
from castlelab.bots import BotLike, play_out, seated
from castlelab.chance import Chance
from castlelab.game import State, game_class
from castlelab.testing.choices import random_states
from castlelab.testing.seats import guesses
from castlelab.testing.suite import Suite

_POSITIONS = 6  # of a game, in which the bot is asked


class BotContract(Suite):
    """What everything else in castlelab relies on when it meets a bot, in one game."""

    bot: ClassVar[BotLike]  # what ``simulate`` would be given

    def test_it_plays_legal_moves_to_the_end(self) -> None:
        for players in game_class(self.game).seats_for():
            start = castlelab.load(self.game, players=players).start(1)
            end, _ = play_out(start, (type(self).bot,) * players, Chance.seeded(1))
            assert end.over

    def test_what_it_cannot_see_does_not_change_its_move(self) -> None:
        """Worlds that look alike, asked in turn and asked again: the same move."""
        for number, state in enumerate(self._positions()):
            assert state.to_move is not None
            alike = [state, *guesses(state, state.to_move, number, most=2), state]
            chance = Chance.seeded(number)
            moves = {str(seated(type(self).bot).choose(world, chance)[0]) for world in alike}
            assert len(moves) == 1, (
                "The same view and the same chance give the same move: draw from the chance that "
                f"is handed over, and keep nothing from one question to the next. {moves}"
            )

    def test_its_thoughts_end_with_what_it_chooses(self) -> None:
        for number, state in enumerate(self._positions()):
            chance, player = Chance.seeded(number), seated(type(self).bot)
            *_, last = player.think(state, chance)
            assert last.done == 1, "The last thought is done: give it a 1."
            assert last.move == player.choose(state, chance)[0], "think and choose must agree."

    def _positions(self) -> list[State]:
        states = [state for state in random_states(castlelab.load(self.game), 4) if not state.over]
        return list(islice(states, 0, None, max(1, len(states) // _POSITIONS)))
