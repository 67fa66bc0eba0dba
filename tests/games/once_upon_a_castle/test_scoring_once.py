"""Scores as numbers and as a table."""

from once_moments import castle_with, moment

from castlelab.games.once_upon_a_castle import Castle, Score, score, score_table
from castlelab.games.once_upon_a_castle.box import Track

TRACK = Track((3, 6), (1, 5))


def test_an_empty_castle_is_worth_nothing():
    assert score(Castle(), TRACK).total == 0


def test_a_score_prints_as_a_table():
    found = score(Castle(towers=(5, 2), sun=True, residents=4, flags=(2,)), TRACK)
    assert found == Score(7, 4, 5, 2, 0)
    assert str(found).splitlines() == [
        "towers      7",
        "sun, cloud  4",
        "residents   5",
        "flags       2",
        "guests      0",
        "total      18",
    ]


def test_scores_stand_side_by_side():
    state = moment("architect", castles=[castle_with("queen"), Castle(small_clouds=1)])
    lines = state.score_table().splitlines()
    assert lines[0].split() == ["Blue", "Orange"]
    assert lines[-1].split() == ["total", "3", "2"]
    assert len({len(line) for line in lines}) == 1
    assert score_table([state.score(0)]) == str(state.score(0))


def test_beyond_the_track_the_last_group_counts():
    assert TRACK.value(99) == 5
