"""The contract that every game keeps, for every choice of its options."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass
from itertools import islice, product, takewhile
from typing import Any, ClassVar
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import castlelab
from castlelab.bots import Bot, Greedy, MonteCarlo, Random, play_out
from castlelab.chance import Chance
from castlelab.draw import svg, text
from castlelab.edition import Edition
from castlelab.game import Emblem, Game, Move, State, game_class
from castlelab.record import Record, RecordError
from castlelab.rules import CastlelabError, IllegalMove, NotationError
from castlelab.telling import hides, is_secret, sentence, told
from castlelab.testing.suite import Suite

_HEALTH = [HealthCheck.too_slow, HealthCheck.differing_executors]  # one suite, many games


@dataclass(frozen=True)
class Choice:
    """A number of players and a value for each option."""

    players: int
    options: tuple[tuple[str, Any], ...]

    def __str__(self) -> str:
        return "-".join((str(self.players), *(f"{name}={value}" for name, value in self.options)))


class GameContract(Suite):
    """What everything else in castlelab relies on when it meets a game."""

    #: Of options with many values that differ in size only: some values that stand for all.
    some: ClassVar[Mapping[str, tuple[Any, ...]]] = {}
    #: Where things lie that some may see and others not, and what kind of things: rows of a state
    #: by the names of the fields on the way, ``{"sides.hand": "card"}``. With it the suite looks
    #: whether players remember what they saw. Empty: nobody hides anything.
    hidden: ClassVar[Mapping[str, str] | None] = None
    #: The same for piles. In a pile things are shuffled: there none can be followed.
    piles: ClassVar[Mapping[str, str]] = {}

    def every_choice(self) -> Iterator[Choice]:
        """Every number of players and every combination of options."""
        cls = game_class(self.game)
        names = [option.name for option in cls.option_list]
        allowed = [self.some.get(option.name, option.allowed) for option in cls.option_list]
        for values in product(*allowed):
            options = dict(zip(names, values, strict=True))
            for players in cls.seats_for(**options):
                yield Choice(players, tuple(options.items()))

    def load(self, choice: Choice) -> Game:
        """The game as it was chosen."""
        return castlelab.load(self.game, players=choice.players, **dict(choice.options))

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

    # -- what a seat sees, remembers and hears -------------------------------------------------

    def test_a_view_hides_and_a_guess_fits_it(self, choice: Choice) -> None:
        """Nothing hidden can be read off a view: all worlds that fit it look the same."""
        states = list(random_states(self.load(choice), 12))
        for number, state in enumerate(states[:: max(15, len(states) // 6)]):
            for player in range(choice.players):
                view = state.view(player)
                worlds = [view.guess(player, Chance.seeded(f"{number} {n}")) for n in range(3)]
                for world in worlds:
                    seen = world.view(player)
                    assert seen == view, "A guess, seen by the same seat, is the same view."
                    assert whole(seen) == whole(view), "A field of a view tells what is hidden."
                    assert repr(seen) == repr(view), "The repr of a view tells what is hidden."
                    assert seen.picture() == view.picture(), "Draw only what a view shows."
                    assert seen.describe() == view.describe(), "Describe only what a view shows."
                if not view.over and view.to_move == player:
                    assert view.moves() == state.moves(), "A mover's view has the mover's moves."
                seeing = state.guess(player, Chance.seeded(f"{number} 0"))
                assert seeing == worlds[0], "guess must not look at what its seat cannot see."
                if not worlds[0].over:
                    bots = (Random(),) * choice.players
                    for move in play_out(worlds[0], bots, Chance.seeded(number))[1]:
                        assert state.game.move(str(move)) == move, (
                            f"{move} is played in a guess, which must fill in all that is hidden."
                        )

    def test_a_view_is_played_like_the_game_or_not_at_all(self, choice: Choice) -> None:
        """On a view a move has the outcome that it has in the game, or it is refused in words."""
        states = list(random_states(self.load(choice), 16))
        for state in states[:: max(6, len(states) // 10)]:
            if (seat := state.to_move) is None:
                continue
            view = state.view(seat)
            for move in state.moves()[:20]:
                with suppress(CastlelabError):
                    assert view.play(move).view(seat) == state.play(move).view(seat), (
                        f"{move} hangs on what is hidden: refuse it on a view, with words."
                    )

    def test_seats_that_do_not_exist_are_refused(self) -> None:
        state = castlelab.load(self.game).start(1)
        wrong: tuple[Any, ...] = (-1, state.game.players, 99, "0", None)
        for seat in wrong:
            with pytest.raises(CastlelabError):  # begin view with self.game.check_seat(player)
                state.view(seat)

    @pytest.mark.parametrize("thinker", [Greedy(), MonteCarlo(8)], ids=lambda bot: str(bot.name))
    @pytest.mark.parametrize("played", [0, 9, 20])
    def test_bots_never_peek(self, thinker: Bot, played: int) -> None:
        """States that look the same to the mover, and differ in what is hidden: the same move."""
        states = takewhile(lambda state: not state.over, random_states(self.load_usual(), 21))
        *_, state = islice(states, played + 1)  # the last before the end, where a game is shorter
        seat = state.to_move
        assert seat is not None
        alike = [state, *guesses(state, seat, "", most=3)]
        assert all(other.view(seat) == state.view(seat) for other in alike)
        moves = {str(thinker.choose(other, Chance.seeded(1))[0]) for other in alike}
        assert len(moves) == 1, "estimate and moves may hang only on what the mover can see."

    def load_usual(self) -> Game:
        """The game without any choice made."""
        return castlelab.load(self.game)

    def test_what_is_told_of_a_move_hangs_on_what_is_seen_alone(self, choice: Choice) -> None:
        """Worlds that a seat cannot tell apart, before and after: the same words."""
        states = list(random_states(self.load(choice), 15))
        for number, state in enumerate(states[:: max(6, len(states) // 8)]):
            if state.over:
                continue
            for seat in range(choice.players):
                worlds = [state, *guesses(state, seat, number)]
                for world in worlds:
                    for move in world.moves()[:40]:
                        after = world.after(move)
                        seen, words = whole(after.view(seat)), told(world, move, [seat])
                        for other in worlds:
                            heard = words_for(other, move, seat, seen)
                            assert not heard or words in heard, (
                                f"{words} tells seat {seat} what it cannot see: conceals({move})."
                            )

    def test_moves_are_told_in_sentences(self, choice: Choice) -> None:
        """Whatever is named with a picture has one, and a line of the log is a line."""
        for state in list(random_states(self.load(choice), 12))[:-1:4]:
            for move in state.moves()[:40]:
                for audience in ([], [0], list(range(choice.players))):
                    parts = sentence(state, move, audience)
                    line = "".join(map(str, parts))
                    assert line[-1:] in ".!?", f"{line!r}: tell_move is a sentence."
                    assert len(line) <= 240, f"{line!r}: say it in a line or two."
                    for part in parts:
                        if isinstance(part, Emblem):
                            scene = type(state.game).emblem(part.picture)
                            assert scene.height <= 32, "An emblem is as high as a line of words."

    def test_points_have_sources(self, choice: Choice) -> None:
        for state in list(random_states(self.load(choice), 13))[::5]:
            for seat in range(choice.players):
                found = state.sources(seat)
                points = sum(source.points for source in found)
                assert points == state.scores[seat], f"{found}: sources add up to the score."
                assert len({source.name for source in found}) == len(found)

    def test_players_remember_what_they_have_seen(self, choice: Choice) -> None:
        """What a seat saw and nobody has moved since in secret is in its view, and its guesses."""
        game, seats = self.load(choice), range(choice.players)
        if not (places := self.hidden):
            secrets = any(hides(state, seats) for state in random_states(game, 18))
            if secrets and self.hidden is None:
                pytest.skip("To have it looked at, say in `hidden` where hidden things lie.")
            assert not secrets, "Something is hidden; say in `hidden` where such things lie."
            return

        def known(state: State, seat: int, lie: Mapping[Way, Counter[Any]]) -> Rows:
            """What a seat knows of the things that lie at each place."""
            return {way: there & lie[way] for way, there in rows_of_state(state.view(seat), places)}

        state, chance = game.start(18), Chance.seeded(18)
        lie, piles = dict(rows_of_state(state, places)), dict(rows_of_state(state, self.piles))
        seen = [known(state, seat, lie) for seat in seats]
        for number in range(250):
            if state.over:
                break
            move, chance = chance.choice(state.moves())
            after = state.play(move)
            lie_after, piles_after = (
                dict(rows_of_state(after, places)),
                dict(rows_of_state(after, self.piles)),
            )
            drawn = total(piles[way] - piles_after[way] for way in piles)
            shuffled = any(piles_after[way] - piles[way] for way in piles)
            for seat in seats:
                secret = is_secret(state, move, seat)
                now = known(after, seat, lie_after)
                gone = total(seen[seat][way] - lie_after[way] for way in lie)
                for way, there in lie_after.items():
                    left, came = lie[way] - there, there - lie[way]
                    # Something has left in secret, and it may have been any of the things there.
                    stayed = Counter() if secret and left else seen[seat][way] - left - drawn
                    # What everybody saw leave one place has come to another.
                    moved = Counter() if secret or shuffled else (came - drawn) & gone
                    wanted = stayed + moved
                    forgets = f"seat {seat} forgets {wanted - now[way]} of {way}: {move}"
                    assert wanted <= now[way], forgets
                    for world in guesses(after, seat, number, most=2) if number % 10 == 0 else ():
                        assert wanted <= dict(rows_of_state(world, places))[way], forgets
                seen[seat] = now
            state, lie, piles = after, lie_after, piles_after

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
        for state in random_states(self.load(choice), 17):
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


def guesses(state: State, seat: int, seed: object, most: int = 3) -> list[State]:
    """Worlds that fit what a seat sees."""
    return [state.guess(seat, Chance.seeded(f"{seed} {n}")) for n in range(most)]


def words_for(world: State, move: Move, seat: int, seen: str) -> set[str]:
    """What a seat may hear in a world if that comes of it which it has seen.

    Two open ways to the same thing are told apart, so there may be several. Only where the
    same move does not lead there, all of its kind are looked through.
    """
    ways = (m for m in world.moves() if m.kind == move.kind)
    first = [move] if world.check(move) else []
    heard: set[str] = set()
    for way in (*first, *ways):
        if whole(world.after(way).view(seat)) == seen:
            heard.add(told(world, way, [seat]))
            if way == move:
                break
    return heard


Way = tuple[str | int, ...]
Rows = dict[Way, Counter[Any]]


def rows_of_state(
    part: Any, names: Mapping[str, str], way: Way = ()
) -> Iterator[tuple[Way, Counter[Any]]]:
    """The rows of a state at the places of these names: the way to each, and what lies there."""
    name = ".".join(step for step in way if isinstance(step, str))
    if type(part) is tuple:
        if name in names and not any(type(thing) is tuple for thing in part):
            yield way, Counter((names[name], thing) for thing in part)
        else:
            for at, inner in enumerate(part):
                yield from rows_of_state(inner, names, (*way, at))
    elif is_dataclass(part) or hasattr(part, "_fields"):
        inside: Sequence[str] = (
            [f.name for f in fields(part)] if is_dataclass(part) else part._fields
        )
        for step in inside:
            if any(n.startswith(".".join(filter(None, (name, step)))) for n in names):
                yield from rows_of_state(getattr(part, step), names, (*way, step))


def total(counters: Iterable[Counter[Any]]) -> Counter[Any]:
    return sum(counters, Counter())
