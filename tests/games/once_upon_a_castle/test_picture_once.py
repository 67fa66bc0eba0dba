"""Once Upon a Castle in pictures: what can be picked, what is said, and that it fits."""

from dataclasses import replace
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from once_moments import GUESTS, building, castle_with, moment, played
from pictured import assert_sound

import castlelab
from castlelab.chance import Chance
from castlelab.draw import svg
from castlelab.draw.scene import Text
from castlelab.games.castell.picture import cover_scene as castell_cover
from castlelab.games.once_upon_a_castle import Board, Castle, Gift
from castlelab.games.once_upon_a_castle.board import FACES, make_layout
from castlelab.games.once_upon_a_castle.board_picture import crossings, gift_icon, gift_labels
from castlelab.games.once_upon_a_castle.box import Track, house_layouts
from castlelab.games.once_upon_a_castle.dice_picture import die_part, guest_part
from castlelab.games.once_upon_a_castle.picture import (
    bench_scene,
    board_scene,
    castle_scene,
    cover_scene,
    sheet_scene,
)

boards = st.tuples(st.sampled_from(house_layouts()), st.integers(0, (1 << 12) - 1)).map(
    lambda two: two[0].board(two[1])
)


worths = st.integers(1, 9)
castles = st.builds(
    Castle,
    floors=st.integers(0, 4),
    towers=st.lists(worths, max_size=4).map(tuple),
    walls=st.just(4),
    flags=st.lists(worths, max_size=6).map(tuple),
    residents=st.integers(0, 40),
    guests=st.lists(st.sampled_from(list(GUESTS.values())), unique=True, max_size=9).map(tuple),
    sun=st.booleans(),
    cloud=st.booleans(),
    small_clouds=st.integers(0, 12),
)


def words_in(scene):
    return [shape.words for shape in scene.shapes if hasattr(shape, "words")]


def names(scene):
    return {target.id: target.name for target in scene.targets}


@settings(max_examples=40)
@given(boards)
def test_a_board_has_a_target_for_each_square_and_line(board):
    scene = board_scene(board, title="Look")
    assert set(names(scene)) == {*board.layout.square_of, *board.layout.line_of}
    assert_sound(scene)
    assert scene.width <= 560  # the column of a lesson shows it unshrunk
    assert scene.fitted(True).width <= 376
    assert_sound(scene.fitted(True))
    for line in board.full_lines():
        assert ": full" in names(scene)[line.name]


def test_squares_and_lines_are_spoken():
    board = house_layouts()[0].board().place("d4")
    found = names(board_scene(board, offered=("d4",), lit=("row 4",)))
    assert found["a1"] == "a1, Wood: free"
    assert found["d4"].startswith("d4, Food: a token")
    assert found["row 4"] == "Row 4, gives a floor: misses e4"
    assert board_scene(board).description == "Tokens on d4; 9 left. Full lines: none."


def strokes(scene):
    return [getattr(shape, "stroke", None) for shape in scene.shapes]


def test_full_lines_stand_out():
    board = house_layouts()[0].board().place("d4").place("e4")
    scene = board_scene(board)
    assert [getattr(shape, "fill", None) for shape in scene.shapes].count("good") == 1
    assert strokes(scene).count("good") == 1  # an outline round the row
    assert "or" not in words_in(scene)


def test_crossing_lines_are_told_apart_and_their_choice_is_plain():
    board = Board.parse("WSG.. / Fgws. / ..fsg / ...fw")
    scene = board_scene(board)
    assert strokes(scene).count("good") == 1  # one stroke round the row
    assert strokes(scene).count("accent") == 1  # two round the column
    assert words_in(scene).count("or") == 1
    assert [(row.name, column.name, at.name) for row, column, at in crossings(board)] == [
        ("row 1", "column 1", "a1")
    ]
    assert names(scene)["row 1"].endswith("full, crosses column 1: choose one")
    assert "Row 1 and column 1 cross on a1: clear one of them." in scene.description


def test_a_pattern_with_holes_still_has_room_for_its_gifts():
    gift = Gift(wall=True)
    layout = make_layout("holes", ("WW.SS", "WG.SG", "FF.FG"), (gift,) * 6, (gift,) * 4)
    assert_sound(board_scene(layout.board()))


FULL = Castle(4, (5,) * 4, 4, (2,) * 6, 9, (), True, True, 3)


def test_a_castle_shows_what_stands():
    castle = castle_with("queen", floors=2, towers=(5, 2), walls=2, flags=(1, 2), residents=3)
    scene = castle_scene(castle, title="Mine")
    assert words_in(scene).count("5") == 1
    assert (
        "2 floors, 2 towers (5, 2), 2 walls, 2 flags (1, 2), 3 residents, guests: queen"
        in scene.description
    )
    assert "6 of 12 parts · 3 residents · 14 points" in words_in(scene)
    assert_sound(scene)


def test_a_castle_to_be_counted_keeps_its_points_to_itself():
    castle = Castle(2, (5,), residents=12)
    scene = castle_scene(castle, counted=False)
    assert "3 of 12 parts · 12 residents" in words_in(scene)
    assert "point" not in scene.description
    assert names(scene)["residents"] == "12 residents"
    assert not any(getattr(shape, "fill", None) == "good" for shape in scene.shapes)
    assert any(getattr(shape, "fill", None) == "good" for shape in castle_scene(castle).shapes)


def test_each_part_of_a_castle_is_spoken():
    castle = castle_with("queen", floors=2, towers=(5, 2), walls=2, flags=(1, 2), residents=3)
    spoken = names(castle_scene(castle))
    assert spoken["tower 2"] == "Tower 2: worth 2"
    assert spoken["tower 3"] == "Tower 3: not drawn yet"
    assert spoken["wall 1"] == "Wall 1: drawn, flags worth 1 and 2"
    assert spoken["wall 2"] == "Wall 2: drawn"
    assert spoken["floors"].startswith("Donjon: 2 of 4 floors, Queen (Crown)")
    assert spoken["residents"] == "3 residents, in a group worth 1"
    assert spoken["sun"] == "Sun, worth 4: not drawn yet"
    assert names(castle_scene(FULL))["cloud"] == "Cloud, worth 4: drawn"


def test_the_sky_has_a_cloud_for_each_or_counts_them():
    few = words_in(castle_scene(replace(FULL, flags=())))
    assert few.count("2") == 4  # three small clouds, and a group of residents
    assert few.count("4") == 3  # the sun, the cloud, and a group of residents
    assert "5×2" in words_in(castle_scene(replace(FULL, small_clouds=5)))


@settings(max_examples=30)
@given(castles)
def test_every_castle_can_be_pictured(castle):
    for width in (300, 376, 560):
        assert_sound(castle_scene(castle, width=width))


def test_what_is_missing_waits_in_pencil_and_nothing_is_missing_in_the_end():
    def dotted(castle):
        return sum(getattr(shape, "dash", False) for shape in castle_scene(castle).shapes)

    counts = [
        dotted(castle)
        for castle in (Castle(), Castle(1), Castle(1, (5,)), Castle(1, (5,), 1, (), 6))
    ]
    assert counts == sorted(set(counts), reverse=True)
    assert dotted(replace(FULL, residents=40)) == 0


def test_the_group_of_the_last_resident_is_lit():
    def star(residents):
        scene = castle_scene(Castle(residents=residents))
        return [shape.words for shape in scene.shapes if getattr(shape, "fill", "") == "on-good"]

    assert star(0) == []
    assert star(5) == ["1"]
    assert star(6) == ["2"]
    assert star(40) == ["15"]


def test_a_track_of_ones_own_can_be_walked():
    for track in (Track((60,), (3,)), Track(tuple(range(3, 61, 3)), tuple(range(20)))):
        scene = castle_scene(Castle(residents=7), track=track)
        assert_sound(scene)
        assert str(track.value(7)) in words_in(scene)


def test_every_face_looks_different_without_its_colour():
    def signs(face):
        return repr(
            [
                (
                    type(shape).__name__,
                    getattr(shape, "points", None),
                    getattr(shape, "words", None),
                )
                for shape in die_part(face, 0, 0).shapes
            ]
        )

    assert len({signs(face) for face in FACES}) == len(FACES)
    for face in FACES:
        assert die_part(face, 0, 0, used=True).shapes


def test_gifts_have_short_labels():
    for layout in house_layouts():
        for line in layout.lines:
            assert 1 <= len(gift_labels(line.gift)) <= 3
            assert all(len(words) <= 8 for _, words in gift_labels(line.gift))
            for kind, _ in gift_labels(line.gift):
                assert gift_icon(kind, 0, 0, 9, "ink")


def test_words_fit_into_their_boxes():
    """Gifts, cards and dice have words that are never wider than their boxes."""
    for name, guest in GUESTS.items():
        part = guest_part(guest, 0, 0, key=f"guest {name}")
        assert_inside([shape for shape in part.shapes if isinstance(shape, Text)], part.width)
    for layout in house_layouts():
        scene = board_scene(layout.board())
        assert_inside([shape for shape in scene.shapes if isinstance(shape, Text)], scene.width)


def assert_inside(texts, width):
    for text_ in texts:
        length = 0.62 * text_.size * len(text_.words)
        left = text_.x - {"start": 0, "middle": length / 2, "end": length}[text_.anchor]
        assert left >= 0, text_
        assert left + length <= width + 2, text_


def test_the_cover_is_as_large_as_the_others():
    cover = cover_scene()
    assert (cover.width, cover.height) == (castell_cover().width, castell_cover().height)
    ElementTree.fromstring(svg.render(cover))
    assert cover == castlelab.game.game_class("once_upon_a_castle").cover()


@pytest.mark.parametrize("version", ["apprentice", "architect"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_moment_of_a_game_can_be_pictured(version, players):
    state = castlelab.load("once_upon_a_castle", players, version=version).start(3)
    chance = Chance.seeded(version)
    number = 0
    while not state.over:
        if number % 31 == 0:
            scene = state.picture()
            assert_sound(scene)
            assert scene.description == state.describe()
            assert set(state.point(()).offers) <= set(names(scene))
            for each in (scene, scene.fitted(True)):
                words = [shape for shape in each.shapes if isinstance(shape, Text)]
                assert_inside(words, each.width)
        move, chance = chance.choice(state.moves())
        state = state.play(move)
        number += 1
    scene = state.picture()
    assert_sound(scene)
    assert "The game is over." in words_in(scene)[0]
    assert not {"end", "pass", "stop"} & set(names(scene))


def test_breaches_name_targets_of_the_picture():
    state = building(
        "architect",
        tokens=["b4 c4 d4 c5 d5"],
        castles=[Castle(), castle_with("guard", "king", walls=1)],
    )
    steal = played(state, "clear row 4")
    for here, wrong in ((state, "clear row 1"), (steal, "steal king")):
        verdict = here.check(here.game.move(wrong))
        assert verdict.where
        assert set(verdict.where) <= set(names(here.picture()))


def test_what_a_die_may_bring_besides_a_token_can_be_picked():
    plain = names(moment().picture())
    assert "residents" in plain
    assert "cloud" not in plain
    rich = moment(
        "architect", dice=("any", "gold"), castles=[castle_with("shepherdess", "monk", walls=1)]
    )
    assert {"residents", "cloud", "flag"} <= set(names(rich.picture()))


def test_every_board_is_seen_at_a_glance():
    """Everybody's tokens lie open, so all of them are drawn and told."""
    state = moment(players=3, tokens=["a1 b1", "c2", ""])
    told = names(state.picture())
    assert told["a1"] == "a1, Wood: a token"  # the own board is large
    assert "board 1" not in told
    assert told["board 2"] == "Tokens: c2 on the board, 9 left"
    assert told["board 3"] == "Tokens: none on the board, 10 left"
    other = moment(players=3, tokens=["a1 b1", "d2", ""])
    assert other.picture().shapes != state.picture().shapes


def test_the_table_is_told_part_by_part():
    state = building("architect", tokens=["a1 b1"], castles=[castle_with("dagobert")])
    told = replace(state, rolled=("dagobert", "gold")).tell()
    parts = {part.words: [each.words for each in part.parts] for part in told.parts}
    assert list(parts) == [
        *("Dice", "Turn", "Blue's board", "Guests on show", "Blue's castle", "Orange's castle")
    ]
    assert parts["Dice"][-1] == "Dagobert rolled Gold"
    assert "Row 1, gives a Bolt guest again: full" in parts["Blue's board"]
    assert (
        "Dagobert (Bolt): one die, and its face twice, in Blue's castle" in parts["Blue's castle"]
    )


def test_a_sheet_begins_with_a_roll():
    state = moment()
    before, after = sheet_scene(state, rolled=False), sheet_scene(state)
    assert "roll" in names(before)
    assert not {"die 1", "residents"} & set(names(before))
    assert "roll" not in names(after)
    assert set(state.point(()).offers) <= set(names(after))
    assert after.description.startswith("Dice: Wood and Stone. Tokens on none")
    for scene in (before, after):
        assert_sound(scene)
        assert scene.width <= 560
        assert scene.fitted(True).width <= 376


def test_a_sheet_of_the_great_architect_shows_the_guests():
    state = played(building("architect", tokens=["c5 d5"]), "clear row 5")
    assert set(state.point(()).offers) <= set(names(sheet_scene(state)))
    assert_sound(sheet_scene(state))
    again = building("architect", tokens=["a1 b1"], castles=[castle_with("logger", "king")])
    again = played(again, "clear row 1")
    assert names(sheet_scene(again))["guest logger"].endswith("in your castle")


def test_a_bench_shows_the_dice_and_the_helpers():
    board = house_layouts()[1].board().place("a1")
    scene = bench_scene(board, ("any", "wood"), left=(2,), guests=[GUESTS["troll"]])
    assert set(names(scene)) == {*board.layout.square_of, *board.layout.line_of}
    assert "Troll" in words_in(scene)
    assert scene.description.startswith("Dice: ? and Wood. In your castle: Troll (Hourglass)")
    assert_sound(scene)
    assert scene.width <= 560
    assert scene.fitted(True).width <= 376
