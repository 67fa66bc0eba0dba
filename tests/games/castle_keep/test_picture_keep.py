"""Castle Keep in pictures: what can be picked, what is said, and that it fits."""

from dataclasses import replace
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pictured import assert_sound

import castlelab
from castlelab.chance import Chance
from castlelab.draw import canvas, svg, text
from castlelab.draw.scene import NARROW, OFFERED_WORDS, Path, Rect, Scene
from castlelab.game import SEAT_NAMES
from castlelab.games.castell.picture import cover_scene as castell_cover
from castlelab.games.castle_keep import SPOTS, TILES, Castle, Tile
from castlelab.games.castle_keep.castle import BACK
from castlelab.games.castle_keep.castle_picture import castle_words
from castlelab.games.castle_keep.picture import (
    bench_scene,
    castle_scene,
    castles_scene,
    cover_scene,
    spot_words,
)
from castlelab.games.castle_keep.tile_picture import kind_for, tile_shapes

PART = Castle.parse("TRC WRZ -- / -- KR -- / -- WBC --")
HAND = tuple(map(Tile, ("TRS", "WBZ", "KB", "TYC", "WYC", "TBS")))

tiles = st.sampled_from((*TILES, BACK))
castles = st.lists(st.none() | st.sampled_from(TILES), min_size=9, max_size=9).map(
    lambda places: Castle(tuple(places))
)


def words_in(scene):
    return [shape.words for shape in scene.shapes if hasattr(shape, "words")]


def names(scene):
    return {target.id: target.name for target in scene.targets}


# -- tiles -------------------------------------------------------------------------------------


@pytest.mark.parametrize("tile", TILES, ids=str)
@pytest.mark.parametrize("size", [30, 84])
def test_a_tile_tells_its_kind_colour_and_shape_in_letters(tile, size):
    scene = Scene(size, size, tile_shapes(0, 0, size, tile))
    assert words_in(scene) == [tile.text]
    assert any(getattr(shape, "fill", None) == f"hue-{tile.colour}" for shape in scene.shapes)


def test_all_tiles_look_different_even_without_colour_and_letters():
    """The building tells the kind, its battlements and band the shape."""

    def outline(tile):
        return tuple(
            shape.points for shape in tile_shapes(0, 0, 60, tile) if isinstance(shape, Path)
        )

    assert len({outline(tile) for tile in TILES}) == 3 + 3 + 1


def test_a_tile_stays_in_its_square():
    for tile in (*TILES, BACK):
        for shape in tile_shapes(10, 20, 60, tile):
            if isinstance(shape, Path):
                assert all(10 <= x <= 70 and 20 <= y <= 80 for x, y in shape.points)
            elif isinstance(shape, Rect):
                assert 10 <= shape.x <= shape.x + shape.width <= 70
                assert 20 <= shape.y <= shape.y + shape.height <= 80.001


def test_a_tile_face_down_tells_nothing():
    assert words_in(Scene(60, 60, tile_shapes(0, 0, 60, BACK))) == ["?"]


# -- castles -----------------------------------------------------------------------------------


@settings(max_examples=60)
@given(castles)
def test_a_castle_has_a_target_for_each_spot(castle):
    scene = castle_scene(castle, title="Look")
    assert set(names(scene)) == set(SPOTS)
    assert_sound(scene)
    for tile in castle:
        assert tile.text in words_in(scene)


def test_spots_are_spoken_with_what_stands_there():
    found = names(castle_scene(PART))
    assert found["n"] == "North side: red zigzag wall"
    assert found["ne"] == "North-east corner: empty, for a tower"
    assert found["c"] == "Centre: red keep"
    assert spot_words("c", None) == "Centre: empty, for a keep"
    assert [kind_for(spot) for spot in ("nw", "n", "c")] == ["tower", "wall", "keep"]


def test_an_empty_spot_shows_what_goes_there():
    assert sorted(words_in(castle_scene(Castle()))) == ["keep"] + ["tower"] * 4 + ["wall"] * 4


def test_castles_in_words():
    assert castle_words(Castle()) == "An empty castle."
    assert castle_words(PART).startswith("A castle with 4 of 9 tiles: north-west corner red curvy")
    whole = Castle.parse("TRC WRC TRC / WRC KR WRC / TRC WRC TRC")
    assert castle_words(whole).startswith("A complete castle: ")


def test_a_castle_shows_itself_in_a_notebook():
    assert PART._repr_svg_() == svg.still(castle_scene(PART))


def test_lit_and_offered_spots_are_marked():
    assert "!" in words_in(castle_scene(PART, lit=("n", "hand")))
    scene = bench_scene(PART, HAND, offered=("ne", "hand 1"))
    frames = [shape for shape in scene.shapes if getattr(shape, "stroke", "") == "good"]
    assert len([frame for frame in frames if isinstance(frame, Rect)]) == 2
    assert names(scene)["ne"].endswith(OFFERED_WORDS)


# -- hands -------------------------------------------------------------------------------------


@settings(max_examples=40)
@given(castles, st.lists(tiles, max_size=10), st.sampled_from((None, *SPOTS)))
def test_a_bench_has_a_target_for_each_tile_of_the_hand(castle, hand, spot):
    scene = bench_scene(castle, hand, chosen=1, marked_spot=spot, title="Bench")
    assert set(names(scene)) == {*SPOTS, *(f"hand {n}" for n in range(1, len(hand) + 1))}
    assert_sound(scene)
    assert scene.width <= 560  # the column of a lesson shows it unshrunk
    assert scene.height <= 400
    narrow = scene.fitted(True)
    assert_sound(narrow)
    assert names(narrow) == names(scene)
    assert narrow.width <= NARROW
    assert narrow.height <= 460


def test_the_chosen_tile_and_the_marked_spot_are_spoken():
    found = names(bench_scene(PART, HAND, chosen=2, marked_spot="e"))
    assert found["hand 2"] == "Hand 2: blue zigzag wall, picked up"
    assert found["hand 1"] == "Hand 1: red straight tower"
    assert found["e"].endswith("marked with a question mark")
    assert "?" in words_in(bench_scene(PART, HAND, marked_spot="e"))


def test_a_hand_is_told_in_the_description():
    assert bench_scene(PART, HAND[:2]).description.endswith(
        "In hand: red straight tower, blue zigzag wall."
    )


def test_tiles_to_choose_from_may_be_called_by_their_letters():
    found = names(bench_scene(PART, (*HAND, HAND[0]), by_letters=True))
    assert {tile.text for tile in HAND} <= set(found)
    assert "hand 1" not in found


@settings(max_examples=30)
@given(st.lists(castles, min_size=1, max_size=4), st.lists(tiles, max_size=8))
def test_several_castles_side_by_side(standing, hand):
    scene = castles_scene({str(n): castle for n, castle in enumerate(standing, 1)}, hand)
    assert f"{len(standing)}.n" in names(scene)
    assert len(scene.targets) == 9 * len(standing) + len(hand)
    assert_sound(scene)
    assert scene.width <= 560
    assert names(scene.fitted(True)) == names(scene)
    assert scene.fitted(True).width <= NARROW


def test_castles_are_named_unless_they_have_no_name():
    scene = castles_scene({"2b": PART}, lit=("2b.n",))
    assert names(scene)["2b.n"] == "Castle 2b, north side: red zigzag wall"
    assert "Castle 2b" in words_in(scene)
    assert "!" in words_in(scene)
    plain = castles_scene({"": PART}, HAND)
    assert names(plain)["n"] == "North side: red zigzag wall"
    assert "" not in words_in(plain)


# -- the cover and the table -------------------------------------------------------------------


def test_the_cover_is_as_large_as_the_others():
    cover = cover_scene()
    assert (cover.width, cover.height) == (castell_cover().width, castell_cover().height)
    ElementTree.fromstring(svg.render(cover))
    assert cover == castlelab.game.game_class("castle_keep").cover()


WAYS = [
    *(("classic", players) for players in (2, 3, 4)),
    *(("empire", players) for players in (2, 3, 4)),
    *(("takeover", 2), ("king", 2), ("solitaire", 1)),
]


def moments(way, players, **options):
    """A game of random moves, every state of it."""
    state, chance = castlelab.load("castle_keep", players, way=way, **options).start(3), None
    chance = Chance.seeded(way)
    for _ in range(120):
        yield state
        if state.over:
            return
        deeds = [move for move in state.moves() if move.kind in ("build", "attack", "discard")]
        move, chance = chance.choice(deeds or state.moves())
        state = state.play(move)


@pytest.mark.parametrize(("way", "players"), WAYS)
def test_every_moment_of_a_game_can_be_pictured(way, players):
    for number, state in enumerate(moments(way, players, draw_discard=True)):
        scene = state.picture()
        castle_targets = {
            f"{name}.{spot}" if name else spot for name in state.game.castle_names for spot in SPOTS
        }
        held = {f"hand {n}" for n in range(1, len(state.hands[state.seat]) + 1)}
        won = {f"won {n}" for n in range(1, len(state.won[state.seat]) + 1)}
        buttons = set(names(scene)) & {"end", "turn"}
        assert set(names(scene)) == castle_targets | held | won | {"pile", "discards"} | buttons
        assert ("end" in buttons) == (not state.over and state.phase == "act")
        assert set(state.point(()).offers) <= set(names(scene))
        assert scene.description == state.describe()
        if number % 20 == 0:
            assert_sound(scene)
            assert len(canvas.plan(scene)) < 60  # however many tiles there are
            assert scene.height <= 720  # smaller than a window


@pytest.mark.parametrize(("way", "players"), WAYS)
def test_a_view_shows_only_the_own_hand(way, players):
    (*_, state) = moments(way, players)
    for seat in range(players):
        scene = state.view(seat).picture()
        held = [name for target, name in names(scene).items() if target.startswith("hand")]
        assert held == [f"Hand {n}: {t.words}" for n, t in enumerate(state.hands[seat], 1)]


def test_the_own_castle_comes_first_and_the_others_in_the_order_of_play():
    state = castlelab.load("castle_keep", 3).start(1)
    for seat in range(3):
        order = [t.id[0] for t in state.view(seat).picture().targets if t.id.endswith(".n")]
        assert order == [str((seat + step) % 3 + 1) for step in range(3)]


def test_castles_carry_their_players_name_and_what_is_held():
    state = castlelab.load("castle_keep").start(1)
    other = 1 - state.seat
    assert f"{SEAT_NAMES[state.seat]}'s castle" in words_in(state.picture())
    for page in (state.picture(), state.picture().fitted(True)):
        assert f"{SEAT_NAMES[other]}'s castle" in words_in(page)
        assert "0 of 9 tiles, holds 4" in words_in(page)
    assert "Your castle" in words_in(state.view(other).picture())
    assert "Your hand" in words_in(state.view(other).picture())
    assert names(state.picture())[f"{other + 1}.n"].startswith(f"{SEAT_NAMES[other]}'s castle, n")


def test_a_crowd_of_castles_is_called_by_names_alone():
    state = castlelab.load("castle_keep", 3, way="empire").start(1).view(0)
    words = words_in(state.picture())
    assert {"Your castle a", "Your castle b", "Orange a", "Green b"} <= set(words)
    assert words.count("holds 4") + words.count("0 of 9 tiles, holds 4") == 2


def test_king_shares_a_castle():
    state = castlelab.load("castle_keep", way="king").start(1)
    other = 1 - state.seat
    assert f"0 of 9 tiles, {SEAT_NAMES[other]} holds 4" in words_in(state.picture())


def test_a_view_with_empty_hands_belongs_to_whoever_sees():
    state = castlelab.load("castle_keep").start(1)
    mine = replace(state, hands=((), (Tile("KR"),) * 4), seat=1).view(0)
    assert next(iter(names(mine.picture()))) == "1.nw"
    assert mine.picture().target("hand 1") is None


def test_the_castles_of_who_is_out_of_an_empire_are_ruins():
    state = castlelab.load("castle_keep", 3, way="empire").start(1)
    state = replace(state, out=(False, True, False))
    assert words_in(state.picture()).count("destroyed") == 2
    assert "destroyed" in names(state.picture())["2a.n"]
    assert "destroyed" not in names(state.picture())["3a.n"]


def test_what_was_taken_openly_stays_in_the_picture():
    """castle_keep/adv-discard-draw"""
    state = castlelab.load("castle_keep", draw_discard=True).start(1)
    other = 1 - state.seat
    taken = state.hands[other][:1]
    known = tuple(taken if seat == other else () for seat in range(2))
    words = f"{SEAT_NAMES[other]} holds 4 tiles, among them a {taken[0].words}."
    assert words in words_in(replace(state, known=known).view(state.seat).picture())
    assert not any("among them" in said for said in words_in(state.view(state.seat).picture()))


def test_the_table_is_told_part_by_part():
    """What lies open is in the words: castles, hand, piles, and what either side has won."""
    state = castlelab.load("castle_keep", way="takeover").start(1)
    mine, theirs = (Tile("KR"),), (Tile("WBC"), Tile("TRS"))
    won = (mine, theirs) if state.seat == 0 else (theirs, mine)
    told = replace(state, won=won).view(state.seat).tell()
    me, other = SEAT_NAMES[state.seat], SEAT_NAMES[1 - state.seat]
    parts = {part.words: [each.words for each in part.parts] for part in told.parts}
    assert list(parts) == [
        *(f"{me}'s castle", f"{other}'s castle", f"{me}'s hand", "Piles"),
        *("Won", f"{other} won", "Turn"),
    ]
    assert len(parts[f"{me}'s castle"]) == 9
    assert parts["Won"] == ["Won 1: red keep"]
    assert parts[f"{other} won"] == [
        f"{other} won 1: blue curvy wall",
        f"{other} won 2: red straight tower",
    ]
    assert not replace(state, won=won).picture().target(f"{other} won 1").enabled


def test_the_siege_tells_what_fell():
    state = castlelab.load("castle_keep", way="solitaire").start(1)
    assert any("nothing yet" in words for words in words_in(state.picture()))
    turned = ((Tile("WRZ"), ("n", "ne")), (Tile("KB"), ()))
    words = words_in(replace(state, turned=turned).picture())
    assert "north and north-east fell." in words
    assert "hits nothing." in words


@pytest.mark.parametrize(("way", "players"), WAYS)
def test_a_terminal_shows_the_whole_table(way, players):
    for state in list(moments(way, players, draw_discard=True))[::15]:
        lines = state.view(0).compact().split("\n")
        assert len(lines) <= 32
        assert max(map(len, lines)) <= 80
        shown = " ".join(lines)
        for castle in state.castles:
            assert all(tile.text in shown for tile in castle)
        assert all(tile.text in shown for tile in state.hands[0])
        assert f"Pile: {len(state.pile)}." in shown


def test_the_text_hand_shows_every_tile():
    drawn = text.render(bench_scene(PART, HAND))
    for tile in (*PART, *HAND):
        assert tile.text in drawn
