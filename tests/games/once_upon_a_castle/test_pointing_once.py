"""Playing by pointing: every legal move can be reached, and wrong picks are explained."""

from collections import Counter

import pytest
from once_moments import building, castle_with, moment, played

import castlelab
from castlelab.chance import Chance
from castlelab.games.once_upon_a_castle.moves import Lose, Pass, Use
from castlelab.games.once_upon_a_castle.pointing import picks_of


def random_states(version, players, seed):
    state = castlelab.load("once_upon_a_castle", players, version=version).start(seed)
    chance = Chance.seeded(seed)
    while not state.over:
        yield state
        move, chance = chance.choice(state.moves())
        state = state.play(move)
    yield state


@pytest.mark.parametrize(("version", "players"), [("apprentice", 2), ("architect", 3)])
def test_pointing_reaches_every_legal_move(version, players):
    met = Counter()
    for seed in range(4):
        for state in random_states(version, players, seed):
            met[state.moment] += 1
            if met[state.moment] > 25:
                continue
            targets = {target.id for target in state.picture().targets}
            for move in state.moves():
                picks = ()
                for pick in picks_of(move):
                    pointing = state.point(picks)
                    assert pick in pointing.offers, f"{pick} for {move} in {state.moment}"
                    assert pick in targets
                    picks = (*picks, pick)
                assert state.point(picks).move == move
    if version == "architect":
        assert {"guest", "steal", "reactivate", "token", "move"} <= set(met)


@pytest.mark.parametrize(("version", "players"), [("apprentice", 2), ("architect", 3)])
def test_every_pick_is_understood_or_explained(version, players):
    for number, state in enumerate(random_states(version, players, 5)):
        if number % 5:
            continue
        offers = set(state.point(()).offers)
        for target in [*state.picture().targets, None]:
            pointing = state.point((target.id if target else "nonsense",))
            if pointing.move is not None:
                verdict = state.check(pointing.move)  # legal, or told why not
                assert verdict or verdict.breaches[0].message
            elif not state.over:
                assert pointing.words
            if target and target.id in offers:
                assert pointing.move is None or state.check(pointing.move)


def test_a_die_and_a_square():
    state = moment()
    first = state.point(("die 1",))
    assert first.offers == ("a1", "c2", "e4")
    assert first.picks == ("die 1",)
    assert state.point(("die 1", "c2")).move == Use(1, "c2")
    assert state.point(("die 1", "b1")).move == Use(1, "b1")  # check explains
    assert state.point(("die 1", "die 1")).words.startswith("Put back.")
    assert state.point(("die 1", "die 2")).picks == ("die 2",)
    assert state.point(()).words.startswith("Pick a die")


def test_a_square_alone_where_only_one_die_fits():
    assert moment().point(("b1",)).move == Use(2, "b1")
    both = moment(dice=("wood", "any"))
    assert both.point(("a1",)).move is None
    assert both.point(("a1",)).words.startswith("Pick a die first.")
    assert both.point(("residents",)).move == Use(2, "residents")


def test_a_die_without_use_is_lost_by_pointing_at_it():
    state = moment(tokens=["a1 c2 e4"])
    assert state.point(("die 1",)).move == Lose(1)
    used = played(moment(), "use 1 a1")
    assert used.point(("die 1",)).move == Use(1, "residents")
    assert not used.check(used.point(("die 1",)).move)


def test_either_of_two_dice_alike_may_be_taken_up():
    state = moment(dice=("gold", "gold"))
    assert state.point(()).offers == ("die 1", "die 2")
    assert played(state, "use 2 c1").point(()).offers == ("die 1",)


def test_followers_are_not_offered_a_die_without_use():
    state = moment(tokens=["", "a1 c2 e4"], dice=("gold", "wood"), phase="follow", seat=1, left=())
    assert state.point(()).offers == ("die 1", "pass")
    assert state.point(("die 2",)).offers == ()


def test_followers_may_take_either_of_two_dice_alike():
    state = played(moment(dice=("gold", "gold")), "use 1 c1", "use 2 b2")
    assert state.point(()).offers == ("die 1", "pass", "die 2")
    assert state.point(("die 2", "c1")).move == Use(2, "c1")
    assert state.point(("pass",)).move == Pass()


def test_lines_and_buttons():
    state = building(tokens=["d4 e4"])
    assert state.point(()).offers == ("row 4", "end")
    assert str(state.point(("row 1",)).move) == "clear row 1"
    assert not state.check(state.point(("row 1",)).move)
    assert state.point(("castle 1",)).move is None


def test_the_magician_takes_up_a_token_first():
    state = building("architect", tokens=["a1 b1 a2"], castles=[castle_with("magician")])
    state = played(state, "clear row 1", "reactivate magician")
    assert state.point(()).offers == ("a2", "stop")
    taken = state.point(("a2",))
    assert len(taken.offers) == 11
    assert str(state.point(("a2", "d5")).move) == "shift a2 d5"
    assert state.point(("b1",)).words.startswith("There is no token.")
    assert state.point(("die 1",)).move is None


def test_nothing_is_offered_after_the_end():
    *_, end = random_states("apprentice", 2, 1)
    assert end.point(()).offers == ()
    assert end.point(("row 1",)).move is None
