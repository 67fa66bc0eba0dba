"""Guards on a wall: where they may stand, whose they are, and what the page's picture says."""

import pytest

from castlelab.draw.scene import NARROW
from castlelab.games.castle_keep.guard_picture import duel_scene
from castlelab.games.castle_keep.guards import GuardDuel, GuardWall
from castlelab.games.castle_keep.random_castle import all_match, matching_joints, thrown_castle
from castlelab.rules import CastlelabError


def test_a_guard_shuts_its_neighbours_also_round_the_ring():
    assert GuardWall(8).post(1).free == (3, 4, 5, 6, 7)
    assert GuardWall(8, closed=False).post(1).free == (3, 4, 5, 6, 7, 8)
    assert GuardWall(3).post(2).free == ()


def test_why_a_guard_may_not_stand_there():
    wall = GuardWall(8).post(1).post(3)
    assert wall.why_not(3) == "there is a guard on 3 already"
    assert wall.why_not(2) == "2 is shut: it lies beside the guard on 1 and 3"
    assert wall.why_not(5) == ""
    with pytest.raises(CastlelabError, match="4 is shut"):
        wall.post(4)
    with pytest.raises(CastlelabError, match="spots go from 1 to 8, not 9"):
        wall.post(9)
    with pytest.raises(CastlelabError, match="8 is shut"):
        GuardWall(8, guards=(1, 8))


def test_stretches_go_on_round_the_ring_and_end_on_a_line():
    assert GuardWall(9).stretches == (9,)
    assert GuardWall(9).post(5).stretches == (6,)
    assert GuardWall(9, closed=False).post(5).stretches == (3, 3)
    assert GuardWall(9).post(5).post(9).stretches == (1, 2)


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("spots", range(3, 14))
def test_who_plays_as_well_as_can_be_wins_from_wherever_there_is_a_way(spots, closed):
    """The other one tries every spot."""

    def all_end_well(wall):
        return all(end_well(wall.post(spot)) for spot in wall.free)

    def end_well(wall):
        return bool(wall.free) and all_end_well(wall.post(wall.best))

    wall = GuardWall(spots, closed)
    assert end_well(wall) if wall.value else all_end_well(wall)


def test_whose_turn_it_is_and_who_has_won():
    duel = GuardDuel(GuardWall(8), begins=1).post(1)
    assert (duel.owner(1), duel.owner(2), duel.to_move, duel.winner) == (1, None, 0, None)
    ended = duel.post(5).post(3).post(7)
    assert (ended.over, ended.winner) == (True, 0)


def test_the_picture_says_of_every_spot_what_there_is():
    scene = duel_scene(GuardDuel(GuardWall(8)).post(1).post(4))
    names = [target.name for target in scene.targets]
    assert names[:3] == ["Spot 1: your guard", "Spot 2: shut, beside a guard", names[2]]
    assert names[3:6] == ["Spot 4: Orange's guard", "Spot 5: shut, beside a guard", "Spot 6: free"]
    assert scene.description == "A ring of 8 spots round the keep, guards on 1 and 4."


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("spots", range(3, 14))
def test_spots_are_large_and_apart(spots, closed):
    scene = duel_scene(GuardDuel(GuardWall(spots, closed)))
    assert scene.width <= NARROW
    centres = [target.centre for target in scene.targets]
    for at, (x, y) in enumerate(centres):
        assert 24 <= x <= scene.width - 24
        assert 24 <= y <= scene.height - 24
        assert all((x - a) ** 2 + (y - b) ** 2 >= 50**2 for a, b in centres[:at])


def test_a_thrown_castle_has_a_ring_and_joints_that_match_or_not():
    found = {matching_joints(castle) for castle in map(thrown_castle, range(1, 31))}
    assert len(found) > 3
    for castle in map(thrown_castle, range(1, 31)):
        assert len(castle) == 8
        assert all_match(castle) == (matching_joints(castle) == 8)
