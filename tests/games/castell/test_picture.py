"""Castell in pictures: what can be picked, what is said, and that it fits."""

from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import castlelab
from castlelab.bots import Random
from castlelab.chance import Chance
from castlelab.draw import svg, text
from castlelab.draw.scene import Rect, Text
from castlelab.games.castell import Skills, Team, Tower
from castlelab.games.castell.box import Performance
from castlelab.games.castell.moves import EndTurn
from castlelab.games.castell.picture import bench_scene, cover_scene, tower_scene
from castlelab.games.castell.scoring import Festival, Player
from castlelab.games.castell.telling import performance_words
from castlelab.games.castell.tower import Level
from castlelab.games.castell.tower_picture import tower_words

levels = st.lists(st.integers(1, 10), min_size=1, max_size=9).map(Level.of)
towers = st.lists(levels, max_size=7).map(Tower.of)


def words_in(scene):
    return [shape.words for shape in scene.shapes if hasattr(shape, "words")]


def names(scene):
    return {target.id: target.name for target in scene.targets}


def fits(scene):
    return all(
        target.x >= 0
        and target.y >= 0
        and target.x + target.width <= scene.width
        and target.y + target.height <= scene.height
        for target in scene.targets
    )


@settings(max_examples=60)
@given(towers)
def test_a_tower_shows_every_casteller_once(tower):
    scene = tower_scene(tower)
    assert sorted(word for word in words_in(scene) if word.isdigit()) == sorted(
        str(size) for level in tower.levels for size in level
    )
    assert list(names(scene)) == [f"level {n}" for n in range(1, tower.height + 1)]
    assert fits(scene)
    ElementTree.fromstring(svg.render(scene))


@settings(max_examples=60)
@given(towers, st.none() | st.integers(1, 10))
def test_a_bench_has_a_target_for_each_size_level_and_casteller(tower, hand):
    team = Team("10*2 9*4 5")
    scene = bench_scene(tower, team, Skills(mix=1, width=5), hand, wanted=(9,), widths=(3, 2, 1))
    found = names(scene)
    assert {"size 10", "size 9", "size 5"} <= set(found)
    assert f"level {tower.height + 1}" in found  # the level that is still empty
    people = [target for target in found if target.startswith("casteller")]
    assert len(people) == (len(tower.team) if hand is None else 0)
    assert len(found) == len(scene.targets)
    assert fits(scene)
    ElementTree.fromstring(svg.render(scene))


def test_levels_do_not_overlap_and_the_base_is_at_the_bottom():
    targets = tower_scene(Tower("10*3 6*2 1")).targets
    for lower, upper in pairwise(targets):
        assert upper.y + upper.height <= lower.y + 1


def test_a_casteller_of_the_tower_is_picked_before_its_level():
    scene = bench_scene(Tower("9*3 8"), Team("9*3 8"), Skills())
    place = scene.target("casteller 1 2")
    assert scene.at(*place.centre).id == "casteller 1 2"
    level = scene.target("level 1")
    assert scene.at(level.x + 2, level.y + level.height / 2).id == "level 1"


def test_sizes_say_how_many_are_free_and_whether_they_are_wanted():
    found = bench_scene(Tower("9*2"), Team("9*2 8"), Skills(), 8, wanted=(8,))
    assert names(found)["size 9"] == "Size 9: 0 of 2 free"
    assert not found.target("size 9").enabled
    assert names(found)["size 8"] == "Size 8: 1 of 1 free, wanted at the festival, in hand"


def test_the_skills_that_a_tower_spends_stand_beside_the_level():
    spent = words_in(tower_scene(Tower("10+9*2 8*3"), Skills(mix=1, balance=1)))
    assert "Mx" in spent
    assert "Ba" in spent
    assert "Mx" not in words_in(tower_scene(Tower("10*3 8*2")))


def test_where_base_and_width_trade_the_players_own_skill_is_shown():
    tower = Tower("9*4 8*2 7")
    assert "Bs" in words_in(tower_scene(tower, Skills(base=1)))
    assert "Bs" not in words_in(tower_scene(tower, Skills(width=1)))


def test_a_lit_level_is_marked():
    plain, lit = tower_scene(Tower("9 9")), tower_scene(Tower("9 9"), lit=("level 2",))
    assert words_in(lit).count("!") == 1
    assert "!" not in words_in(plain)
    band = next(shape for shape in lit.shapes if getattr(shape, "fill", "") == "bad-soft")
    level = lit.target("level 2")
    assert (band.y, band.height) == (level.y, level.height)


def test_towers_in_words():
    assert tower_words(Tower()) == "No tower yet."
    assert tower_words(Tower("9")) == "A tower of 1 level. Level 1: 1 of size 9."
    assert tower_words(Tower("10+9*2 8")) == (
        "A tower of 2 levels. Level 1: 1 of size 10 and 2 of size 9; Level 2: 1 of size 8."
    )


def test_tiles_in_few_letters():
    assert performance_words(Performance(2, (3, 2, 1))) == "3-2-1 · 2"
    assert performance_words(Performance(6, shown=Skills(base=1, mix=2))) == "6+: Bs Mx×2"


def test_a_silhouette_has_a_block_for_each_casteller():
    plain, scene = (
        bench_scene(Tower(), Team("9*4"), Skills(), widths=widths) for widths in ((), (4, 2, 1))
    )
    blocks = [shape for shape in scene.shapes if shape not in plain.shapes]
    assert sum(isinstance(shape, Rect) for shape in blocks) == 7


def test_the_cover_can_be_drawn():
    ElementTree.fromstring(svg.render(cover_scene()))
    assert cover_scene() == castlelab.game.game_class("castell").cover()


# -- the table -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def festival():
    state = castlelab.load("castell", first="blue").start(3)
    team = Player(Team("10*4 9*3 8*2 7"), Skills(width=1), pawn=4)
    calendar = (Festival(10, 4, (9, 7)),)
    state = replace(state, players=(team, team), calendar=calendar, round=10, turns=1)
    return state.play(EndTurn())


def test_every_region_and_player_can_be_picked(festival):
    found = names(festival.picture())
    assert set(festival.game.box.regions) <= set(found)
    assert {"tower", "stay out", "Blue", "Orange"} <= set(found)
    assert fits(festival.picture())


def test_a_region_says_who_and_what_is_there():
    game = castlelab.load("castell", first="blue")
    state = game.start(3).play(game.move("move Valls"))
    words = names(state.picture())["Valls"]
    assert words.startswith(f"Valls: castellers {state.regions[4]}.")
    assert f"Wheel: {state.skill_at(4)}." in words
    assert words.endswith("Here: Blue.")
    for tile in state.tiles[4]:
        assert tile.describe() in words
    assert "Here" not in names(state.picture())["Mataró"]


def test_an_empty_region_and_no_tiles_are_said():
    state = castlelab.load("castell").start(3)
    bare = replace(state, regions=(Team(),) * 7, tiles=((),) * 7, tokens=((0, 1),) * 7)
    words = names(bare.picture())["Valls"]
    assert "nobody left" in words
    assert "Performances: none left." in words
    assert words.endswith("Placed: Blue 1 token, Orange 1 token.")
    two = names(replace(bare, tokens=((1, 1),) * 7).picture())["Valls"]
    assert two.endswith("Placed: Orange 2 tokens.")


def test_the_words_of_turn_festival_and_end(festival):
    game = castlelab.load("castell", first="blue")
    start = game.start(3)
    assert start.describe().startswith("Round 1: Blue, not on the map, team ")
    assert "Done: move." in start.play(game.move("move Valls")).describe()
    assert festival.describe() == (
        "Round 10: festival at Valls, sizes wanted 9, 7. Blue may build. Points: Blue 0, Orange 0."
    )
    move = festival.moves()[0]
    end = festival.play(move).play(move)
    # Both tie: 4 levels + 3 nines + 1 seven = 8, a ribbon each, the size tokens go to nobody.
    assert end.describe() == (
        "The game is over. Points: Blue 9, Orange 9. Blue and Orange won. "
        "Last festival, round 10 at Valls: Blue built 4 levels for 8 and won a ribbon; "
        "Orange built 4 levels for 8 and won a ribbon."
    )
    assert str(end) == end.describe()


def test_a_festival_without_anybody_is_told(festival):
    out = festival.moves()[-1]
    assert "nobody built" in festival.play(out).play(out).describe()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_table_renders_for_every_number_of_players(players):
    state = castlelab.load("castell", players=players).start(1)
    scene = state.picture()
    # The regions, the wheel's slots, the festivals, the players, the end of the turn.
    assert len(scene.targets) == 7 + 8 + len(state.calendar) + players + 1
    assert fits(scene)
    ElementTree.fromstring(svg.render(scene))
    assert "Valls" in text.render(scene)
    assert state._repr_svg_() == svg.still(scene)


def test_actions_taken_are_ticked():
    game = castlelab.load("castell")
    state = game.start(3)
    assert "Move" in words_in(state.picture())
    assert "✓ Move" in words_in(state.play(game.move("move Valls")).picture())


def test_the_wheel_tells_what_comes_next_round():
    """``castell/wheel-turns``: each slot gets the tile of the slot after it."""
    game = castlelab.load("castell", players=2)
    state = game.start(4)
    told = names(state.picture())
    then = names(state.play(EndTurn()).play(EndTurn()).picture())
    for slot in range(8):
        where, now = told[f"slot {slot}"].split(": ")
        assert then[f"slot {slot}"].startswith(f"{where}: {now.rpartition(' ')[2]},")
    assert told["slot 0"].startswith("All regions")
    advanced = castlelab.load("castell", variant="advanced").start(4)
    assert names(advanced.picture())["slot 0"].startswith("No region")
    last = names(replace(state, round=10).picture())
    assert not any("next round" in last[f"slot {slot}"] for slot in range(8))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_whole_calendar_lies_open(players):
    """``castell/calendar``: every festival of the game with the sizes that it wants."""
    state = castlelab.load("castell", players=players).start(6)
    told = names(state.picture())
    assert len(state.calendar) == {2: 8, 3: 11, 4: 14}[players]
    for at, festival in enumerate(state.calendar, start=1):
        where = state.game.box.regions[festival.region]
        sizes = ", ".join(map(str, festival.wanted))
        assert told[f"festival {at}"] == f"Round {festival.round}, {where}: sizes wanted {sizes}"


def test_a_festival_that_is_over_tells_who_won_what(festival):
    now = names(festival.picture())["festival 1"]
    assert now == "Round 10, Valls: sizes wanted 9, 7, now"
    tower, out = festival.moves()[0], festival.moves()[-1]
    begun = festival.play(tower)  # Blue has built, in the open
    assert {"Festival at Valls", "8"} <= set(words_in(begun.picture()))
    assert names(begun.picture())["Blue"].endswith(f". Builds {tower.tower}")
    told = names(begun.play(out).picture())
    assert told["festival 1"] == (
        "Round 10, Valls: Blue built 4 levels for 8 and won a ribbon and the size 9 and 7"
    )
    assert (
        "best tower 8. Won: a ribbon at Valls, size 9 from Valls and size 7 from Valls"
        in (told["Blue"])
    )
    assert "nobody" in words_in(festival.play(out).play(out).picture())


def test_the_first_player_is_marked():
    """``castell/turn-order``"""
    state = castlelab.load("castell", players=3, first="green").start(1)
    assert words_in(state.picture()).count("1st") == 1
    assert names(state.picture())["Green"].startswith("Green, first player: ")
    assert ", first player" not in names(state.picture())["Blue"]


def test_the_table_is_told_part_by_part():
    state = castlelab.load("castell").start(1)
    told = state.tell()
    parts = ["Regions", "The wheel", "Festivals", "Players", "Your turn"]
    assert [part.words for part in told.parts] == parts


@pytest.mark.parametrize("players", [2, 3, 4])
def test_nothing_on_the_table_is_written_smaller_than_twelve(players):
    game = castlelab.load("castell", players=players)
    state, chance, bot = game.start(2), Chance.seeded(2), Random()
    while not state.over:
        scene = state.picture()
        assert fits(scene)
        assert all(shape.size >= 12 for shape in scene.shapes if isinstance(shape, Text))
        for _ in range(7):
            if not state.over:
                move, chance = bot.choose(state, chance)
                state = state.play(move)
