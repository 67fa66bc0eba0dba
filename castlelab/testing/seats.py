"""What a seat sees, remembers and hears, for every choice of a game's options."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, is_dataclass
from itertools import islice, takewhile
from typing import Any, ClassVar

import pytest

import castlelab
from castlelab.asking import Asked, answer, commands
from castlelab.bots import Bot, Greedy, MonteCarlo, Random, play_out
from castlelab.chance import Chance
from castlelab.game import Emblem, Move, State
from castlelab.rules import CastlelabError
from castlelab.speech import LONGEST, said_aloud
from castlelab.telling import hides, is_secret, sentence, told
from castlelab.testing.choices import Choice, EveryChoice, random_states, whole


class SeatContract(EveryChoice):
    """Nothing hidden is shown, told or peeked at, and nothing that was seen is forgotten."""

    #: Where things lie that some may see and others not, and what kind of things: rows of a state
    #: by the names of the fields on the way, ``{"sides.hand": "card"}``. With it the suite looks
    #: whether players remember what they saw. Empty: nobody hides anything.
    hidden: ClassVar[Mapping[str, str] | None] = None
    #: The same for piles. In a pile things are shuffled: there none can be followed.
    piles: ClassVar[Mapping[str, str]] = {}

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

    def test_what_is_told_of_a_move_hangs_on_what_is_seen_alone(self, choice: Choice) -> None:
        """Worlds that a seat cannot tell apart, before and after: the same words."""
        states = list(random_states(self.load(choice), 15))
        for number, state in enumerate(states[:: max(6, len(states) // 5)]):
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

    def test_a_move_is_said_in_a_short_line(self, choice: Choice) -> None:
        """Whoever listens, alone or with others, hears it all in a line."""
        audiences = [[], [0], list(range(choice.players))]
        for number, before in enumerate(list(random_states(self.load(choice), 14))[:-1:5]):
            for move in before.moves()[number % 3 :: 7][:2]:
                after = before.after(move)
                for audience in (*audiences, [number % choice.players]):
                    said = said_aloud(before, move, after, audience)
                    assert len(said) <= LONGEST, (
                        f"{said!r}: tell_shorter says it in {LONGEST} characters."
                    )

    def test_what_is_asked_is_answered(self) -> None:
        for state in list(random_states(self.load_usual(), 15))[::20]:
            for seat in range(state.game.players):
                seen = state.view(seat)
                scene = seen.picture()
                deciding = state if state.to_move == seat else None
                focus = scene.targets[-1].id if scene.targets else None
                asked = Asked(scene, focus, seen, seat, deciding)
                for question in asked.questions:
                    assert question.answer(question.takes), "A question takes its own example."
                for topic in commands(asked):
                    with suppress(CastlelabError):  # where there is nothing to ask about
                        assert answer(topic.word, asked), f"{topic.word} has no answer."

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
