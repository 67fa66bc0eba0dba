"""The contract that every game keeps, for every choice of its options."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import suppress
from itertools import chain, islice
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import castlelab
from castlelab.bots import Random, play_out
from castlelab.chance import Chance
from castlelab.draw import svg, text
from castlelab.edition import Edition
from castlelab.game import Move, game_class
from castlelab.record import Record, RecordError
from castlelab.rules import IllegalMove, NotationError
from castlelab.testing.choices import Choice, random_states, whole
from castlelab.testing.seats import SeatContract

_RUN, _RUNS = 20, 6  # so many states on end are looked at, at so many places of a game
_HEALTH = [HealthCheck.too_slow, HealthCheck.differing_executors]  # one suite, many games


class GameContract(SeatContract):
    """What everything else in castlelab relies on when it meets a game."""

    # -- rules, moves and the end --------------------------------------------------------------

    def test_every_rule_has_an_id_a_title_and_a_sentence(self) -> None:
        for rule in castlelab.load(self.game).rules.values():
            assert rule.id.startswith(f"{self.game}/"), f"{rule}: begin ids with the load name."
            assert rule.title.strip(), f"{rule}: give it a title."
            assert rule.text.endswith("."), f"{rule}: its text is a sentence; end it."

    def test_a_game_is_made_as_every_game_is(self) -> None:
        cls, house = game_class(self.game), Edition.load(self.game)
        assert cls(edition=house).edition is house, "Keep the arguments of Game.__init__."
        for words in (cls.title, cls.about):
            assert words.strip(), "Give the class a title, and one sentence about the game."

    def test_random_legal_play_ends_with_scores_and_winners(self, choice: Choice) -> None:
        for seed in range(3):
            *_, end = random_states(self.load(choice), seed)
            assert end.over, "A game is over when to_move is None."
            assert end.to_move is None
            assert end.moves() == (), "After the end there are no moves; return ()."
            assert len(end.scores) == choice.players, "scores has a number for each seat."
            # Alone, one may lose to the game.
            assert end.winners or choice.players == 1, "Somebody wins; several share a tie."
            best = max(end.scores)
            assert all(end.scores[seat] == best for seat in end.winners), "Winners score most."

    def test_check_agrees_with_moves_and_every_move_is_different(self, choice: Choice) -> None:
        for state in random_states(self.load(choice), 5):
            moves = state.moves()
            assert len(set(map(str, moves))) == len(moves), "List every move once."
            for move in moves:
                assert state.check(move), f"{move} is listed and refused: {state.check(move)}"

    def test_what_check_refuses_play_refuses_with_the_same_words(self, choice: Choice) -> None:
        """Moves of other moments are the natural illegal moves: each is explained and refused."""
        game = self.load(choice)
        states = list(random_states(game, 6))
        strangers = [move for state in states[::7] for move in state.moves()[:4]][:60]
        refused = 0
        for state in [*states[::5][:12], states[-1]]:  # the end refuses everything
            for move in strangers:
                verdict = state.check(move)
                if verdict:
                    state.play(move)
                    continue
                refused += 1
                for breach in verdict.breaches:
                    assert breach.rule.id in game.rules, f"{breach}: take a rule of rules.toml."
                    assert breach.message, f"{move}: say in the breach what is wrong."
                with pytest.raises(IllegalMove) as caught:
                    state.play(move)
                assert caught.value.verdict == verdict, "play must refuse what check refuses."
                for breach in verdict.breaches:
                    assert breach.rule.id in str(caught.value)
        assert refused, "After the end check must refuse every move, with a rule that says so."

    def test_play_leaves_the_old_state_untouched(self, choice: Choice) -> None:
        for state in list(random_states(self.load(choice), 8))[::9]:
            before = (whole(state), state.moves(), state.scores, state.describe())
            for move in state.moves()[:10]:
                state.play(move)
            now = (whole(state), state.moves(), state.scores, state.describe())
            assert now == before, "after must return a new state and leave the old one alone."

    def test_every_mend_is_a_legal_move(self, choice: Choice) -> None:
        """Whatever is said to be right instead can be played at once."""
        game = self.load(choice)
        states = list(random_states(game, 14))
        strangers = [move for state in states[::5] for move in state.moves()[:6]][:80]
        for state in states[:: max(4, len(states) // 12)]:
            for move in strangers:
                for breach in state.check(move).breaches:
                    for mend in breach.mends:
                        verdict = state.check(mend)
                        assert verdict, f"{move}: mends must be legal; {mend} is not: {verdict}"
                        assert game.move(str(mend)) == mend

    def test_prospects_are_what_the_estimate_is_made_of(self, choice: Choice) -> None:
        game = self.load(choice)
        every = 9 if choice.players < 4 else 15
        for state in [*list(random_states(game, 10))[::every], game.start(1)]:
            for seat in range(choice.players):
                if not (parts := state.prospects(seat)):
                    continue
                whole = pytest.approx(state.estimate(seat))
                assert sum(part.worth for part in parts) == whole, (
                    "The worths of prospects add up to the estimate; or leave prospects out."
                )
                said = [words for part in parts for words in (part.better, part.worse)]
                assert len(set(said)) == len(said), "Each prospect needs words of its own."

    def test_moves_that_are_alike_are_estimated_alike(self, choice: Choice) -> None:
        game = self.load(choice)
        states = [state for state in random_states(game, 20) if not state.over]
        for state in states[:: max(5, len(states) // 12)]:
            alike, known = state.likeness(), dict[tuple[object, int], float]()
            for move in state.moves():
                after = state.after(move)
                for seat in range(choice.players):
                    found = after.estimate(seat)
                    usual = known.setdefault((alike(move), seat), found)
                    assert found == usual, f"{move}: likeness says too little of it."

    def test_forecasts_are_estimates(self, choice: Choice) -> None:
        states = [state for state in random_states(self.load(choice), 21) if not state.over]
        for state in states[:: max(5, len(states) // 12)]:
            for seat in range(choice.players):
                ahead = state.forecast(seat)
                for move in state.moves() if ahead else ():
                    found = ahead(move) if ahead else None
                    usual = state.after(move).estimate(seat)
                    assert found in (None, usual), f"{move}: it is worth {usual!r}, not {found!r}."

    # -- notation and records ------------------------------------------------------------------

    def test_notation_round_trips(self, choice: Choice) -> None:
        game = self.load(choice)
        for state in random_states(game, 9):
            for move in state.moves():
                assert game.move(str(move)) == move, f"game.move must read its own {move!s}."
                assert isinstance(move, Move), f"{move} must be a castlelab.Move."
                assert move.kind, f"{move} needs a kind: what it is counted as."

    @settings(deadline=None, suppress_health_check=_HEALTH)
    @given(words=st.text(max_size=40))
    def test_no_text_crashes_the_notation(self, words: str) -> None:
        with suppress(NotationError):  # the one answer to bad text
            castlelab.load(self.game).move(words)

    def test_the_same_seed_gives_the_same_game_in_another_process(self) -> None:
        script = (
            "import sys, castlelab; from castlelab.bots import Random, play_out;"
            "from castlelab.chance import Chance;"
            "end, moves = play_out(castlelab.load(sys.argv[1]).start(3), (Random(),) * 9,"
            " Chance.seeded(4)); print(*moves, end.scores, sep='\\n')"
        )
        outputs = [
            subprocess.run(
                [sys.executable, "-c", script, self.game],
                env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
                capture_output=True,
                encoding="utf-8",
                check=True,
            ).stdout
            for seed in ("1", "2")
        ]
        start = castlelab.load(self.game).start(3)
        end, moves = play_out(start, (Random(),) * 9, Chance.seeded(4))
        here = "\n".join([*map(str, moves), str(end.scores), ""])
        assert outputs == [here, here], "Draw from Chance alone, and list moves in a fixed order."

    @settings(max_examples=12, deadline=None, suppress_health_check=_HEALTH)
    @given(seed=st.integers(0, 10**6), data=st.data())
    def test_random_legal_play_with_undo_and_redo(self, seed: int, data: st.DataObject) -> None:
        record = Record.start(castlelab.load(self.game), seed)
        for _ in range(30):
            if record.state.over:
                break
            step = data.draw(st.sampled_from(("play", "play", "play", "undo", "redo")))
            if step == "play":
                before = record.state
                moves = before.moves()
                record = record.play(moves[data.draw(st.integers(0, len(moves) - 1))])
                assert record.undo().state == before, "Make the state a frozen dataclass."
                assert record.undo().redo().state == record.state
            else:
                record = record.undo() if step == "undo" else record.redo()
        assert Record.loads(record.dumps()).state == record.state

    def test_records_replay_and_branch(self) -> None:
        record = self.whole_game()
        again = Record.loads(record.dumps())
        assert again == record
        assert again.states == record.states, "The same seed and moves give the same states."
        half = again.at(len(again.moves) // 2)
        branch = half.play(half.state.moves()[-1])
        assert branch.moves[:-1] == record.moves[: len(record.moves) // 2]
        assert Record.loads(branch.dumps()).state == branch.state

    def test_a_damaged_record_names_the_move_and_the_reason(self) -> None:
        record = self.whole_game()
        table = json.loads(record.at(min(6, len(record.moves))).dumps())
        middle = len(table["moves"]) // 2
        for wrong in ("nonsense", 7, None, ["end"]):
            moves = [*table["moves"][:middle], wrong, *table["moves"][middle + 1 :]]
            with pytest.raises(RecordError, match=f"move {middle + 1}"):
                Record.loads(json.dumps(table | {"moves": moves}))
        endless = [*record.moves, record.moves[-1]]  # for after the end no move is legal
        with pytest.raises(RecordError, match=rf"move {len(endless)} .*\[{self.game}/[a-z0-9-]+\]"):
            Record.loads(json.dumps(table | {"moves": endless}))

    def whole_game(self) -> Record:
        """A record of random moves, from the start to the end."""
        record, chance = Record.start(castlelab.load(self.game), 11), Chance.seeded(11)
        while not record.state.over:
            move, chance = chance.choice(record.state.moves())
            record = record.play(move)
        return record

    # -- pictures, words and pointing ----------------------------------------------------------

    def test_pictures_and_words_for_every_state(self, choice: Choice) -> None:
        states = list(random_states(self.load(choice), 13))
        for state in [*states[:: max(10, len(states) // 8)], states[-1]]:
            scene = state.picture()
            assert ElementTree.fromstring(svg.render(scene)).tag.endswith("svg")
            assert text.render(scene).strip()
            assert scene.description, "Give the scene a description."
            assert state.describe().endswith("."), "describe() is a sentence or two; end it."
            ids = [target.id for target in scene.targets]
            assert len(set(ids)) == len(ids), f"Every target needs an id of its own: {ids}"
            for target in scene.targets:
                assert target.name, f"The target {target.id} needs a spoken name."
                inside = target.x >= 0 and target.x + target.width <= scene.width
                inside = inside and target.y >= 0 and target.y + target.height <= scene.height
                assert inside, f"The target {target.id} sticks out of the picture."

    def test_pictures_that_differ_have_different_words(self, choice: Choice) -> None:
        heard: dict[str, object] = {}
        states = list(random_states(self.load(choice), 17))
        # Neighbours, which are most alike, at several places; drawing all of a long game is slow.
        apart = max(_RUN, len(states) // _RUNS)
        runs = (states[first : first + _RUN] for first in range(0, len(states), apart))
        for state in chain.from_iterable(runs):
            scene = state.picture()
            words = str(state.tell())
            assert heard.setdefault(words, scene) == scene, (
                f"Two pictures differ and are told alike; put the difference into words: {words}"
            )

    def test_the_cover_is_a_picture_with_words(self) -> None:
        cover = game_class(self.game).cover()
        assert svg.render(cover)
        assert cover.description, "Give the cover a description."

    def test_what_pointing_offers_leads_to_legal_moves(self) -> None:
        for state in islice(random_states(self.load_usual(), 19), 12):
            if state.over:
                break
            there = {target.id for target in state.picture().targets}
            for first in state.point(()).offers[:12]:
                picks: tuple[str, ...] = (first,)
                for _ in range(12):  # on and on, until it is a move
                    assert picks[-1] in there, f"{picks[-1]} is offered, but no target."
                    pointing = state.point(picks)
                    if pointing.move is not None or not pointing.offers:
                        break
                    picks = (*picks, pointing.offers[0])
                else:
                    pytest.fail(f"Pointing at {picks} leads to no move.")
                assert pointing.move is None or state.check(pointing.move), (
                    f"Pointing at the offers {picks} must make a legal move, not {pointing.move}."
                )
