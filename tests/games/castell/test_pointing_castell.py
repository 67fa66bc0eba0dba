"""Castell by pointing: every kind of move, what is offered, what is refused and why."""

from dataclasses import replace

import pytest

import castlelab
from castlelab.bots import bot
from castlelab.chance import Chance
from castlelab.games.castell import Tower, festival_score
from castlelab.games.castell.moves import Enter, Go, Recruit, Special, Train
from castlelab.telling import way_to

GAME = castlelab.load("castell")


@pytest.fixture
def start():
    return GAME.start(3)


@pytest.fixture
def valls(start):
    return start.play(GAME.move("move Valls"))


def moments(seed=1, moves=200, **options):
    state = castlelab.load("castell", **options).start(seed)
    player, chance = bot("greedy"), Chance.seeded(seed)
    for _ in range(moves):
        if state.over:
            return
        yield state
        move, chance = player.choose(state, chance)
        state = state.after(move)


def test_the_pawn_is_set_down_anywhere(start):
    pointing = start.point(())
    assert set(pointing.offers) == {*GAME.box.regions, "end"}
    assert "start" in pointing.words
    assert start.point(("Valls",)).move == Go("Valls")
    assert start.point(("end",)).move == GAME.move("end")


def test_one_casteller_or_two_are_recruited(valls):
    first, second = tuple(valls.regions[valls.players[0].pawn])[:2]
    taken = valls.point(("casteller 1",))
    assert taken.picks == ("casteller 1",)
    assert {"casteller 2", "recruit"} <= set(taken.offers)
    assert "casteller 1" not in taken.offers
    assert valls.point(("casteller 1", "recruit")).move == Recruit((first,))
    both = valls.point(("casteller 1", "casteller 2")).move
    assert both == Recruit(tuple(sorted((first, second), reverse=True)))
    assert valls.check(both)


def test_the_same_again_is_put_back_and_another_thing_is_taken_instead(valls):
    back = valls.point(("casteller 1", "casteller 1"))
    assert back.picks == ()
    assert back.words.startswith("Put back.")
    assert valls.point(("casteller 1", "end")).move == GAME.move("end")


def test_a_special_action_is_a_step_a_casteller_or_a_performance(valls):
    begun = valls.point(("special",))
    assert begun.picks == ("special",)
    size = next(iter(valls.regions[valls.players[0].pawn]))
    assert valls.point(("special", "casteller 1")).move == Special(Recruit((size,)))
    region = GAME.box.regions[GAME.box.neighbours[valls.players[0].pawn][0]]
    assert region in begun.offers
    assert valls.point(("special", region)).move == Special(Go(region))
    assert str(valls.point(("special", "tile 1")).move).startswith("special perform ")


@pytest.mark.parametrize(
    ("picks", "rule"),
    [
        (("Mataró",), "castell/action-once"),
        (("tile 1",), "castell/performance"),
        (("wheel width",), "castell/train"),
        (("wheel practice",), "castell/practice"),
        (("wheel special",), "castell/special-skill"),
    ],
)
def test_what_cannot_be_done_is_a_move_that_check_explains(valls, picks, rule):
    move = valls.point(picks).move
    assert move is not None
    verdict = valls.check(move)
    assert not verdict
    assert any(each.startswith(rule) for each in verdict.rules)


def test_a_second_recruiting_is_refused_by_its_rule(valls):
    after = valls.play(valls.point(("casteller 1", "recruit")).move)
    assert "castell/action-once" in after.check(after.point(("casteller 1",)).move).rules
    assert not any(offer.startswith("casteller") for offer in after.point(()).offers)


def test_the_token_is_refused_when_none_is_left(valls):
    poor = replace(valls, players=(replace(valls.players[0], tokens=0), valls.players[1]))
    assert "castell/special-action" in poor.check(poor.point(("special",)).move).rules
    assert "special" not in poor.point(()).offers


@pytest.mark.parametrize(
    "pick", ["pile", "casteller 0", "casteller 99", "casteller x", "tile 9", "Blue", "recruit"]
)
def test_what_means_nothing_is_no_move(valls, pick):
    assert valls.point((pick,)).move is None


def test_practice_raises_an_own_skill():
    for state in moments(seed=2):
        practices = [m for m in state.moves() if isinstance(m, Train) and m.practice]
        if practices:
            pointing = state.point(("wheel practice",))
            assert pointing.offers == tuple(f"skill {move.skill}" for move in practices)
            assert state.point(("wheel practice", pointing.offers[0])).move == practices[0]
            return
    raise AssertionError("nobody could practise")


def test_the_best_tower_enters_a_festival():
    seen = 0
    for state in moments():
        if state.festival is None:
            continue
        seen += 1
        assert state.point(()).offers == ("tower", "stay out")
        entered = state.point(("tower",)).move
        wanted = state.calendar[state.festival].wanted
        assert state.check(entered)
        scores = [festival_score(m.tower, wanted) for m in state.moves() if isinstance(m, Enter)]
        assert festival_score(entered.tower, wanted) == max(scores)
        assert state.point(("stay out",)).move == GAME.move("stay out")
        assert isinstance(entered.tower, Tower)
    assert seen


@pytest.mark.parametrize("options", [{}, {"players": 4}, {"variant": "advanced"}])
def test_whatever_is_offered_is_in_the_picture_and_leads_to_a_legal_move(options):
    for state in moments(seed=5, moves=60, **options):
        shown = {target.id for target in state.view(state.to_move).picture().targets}
        first = state.point(())
        assert set(first.offers) <= shown
        for offer in first.offers:
            pointing = state.point((offer,))
            if pointing.move is not None:
                assert state.check(pointing.move), pointing.move
                continue
            assert pointing.picks == (offer,)
            assert pointing.offers
            assert set(pointing.offers) <= shown
            for other in pointing.offers:
                move = state.point((offer, other)).move
                assert move is not None
                assert state.check(move), move


def test_every_legal_move_but_lesser_towers_can_be_pointed_at():
    for state in moments(seed=6, moves=60):
        for move in state.moves():
            if not isinstance(move, Enter):
                assert way_to(state, move), move


def test_targets_are_told_apart():
    for state in moments(seed=7, moves=60):
        ids = [target.id for target in state.picture().targets]
        assert len(ids) == len(set(ids))
