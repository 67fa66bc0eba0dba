"""Tiles and castles: every rule of building and of falling, and a second opinion on each."""

import copy
import pickle
import re
from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from castlelab.games.castle_keep.castle import (
    BACK,
    CENTRE,
    RING,
    ROWS,
    RULES,
    SPOT_WORDS,
    SPOTS,
    TILES,
    Castle,
    Tile,
    fits,
    openings,
    place_of,
    tile_bits,
)
from castlelab.rules import CastlelabError, IllegalMove, NotationError

TOWERS, WALLS, KEEPS = TILES[:9], TILES[9:18], TILES[18:]
EMPTY = "-- -- -- / -- -- -- / -- -- --"
ONE = "TRC -- -- / -- -- -- / -- -- --"

towers, walls, keeps = (st.none() | st.sampled_from(tiles) for tiles in (TOWERS, WALLS, KEEPS))
#: Any tiles on spots of their kind, whether or not they match; often the ring is nearly closed.
full = (st.sampled_from(TOWERS), st.sampled_from(WALLS)) * 4
nearly = st.builds(
    lambda places, hole: Castle(places).without([hole]), st.tuples(*full, keeps), st.integers(0, 7)
)
castles = st.tuples(*((towers, walls) * 4), keeps).map(Castle) | nearly
tiles = st.sampled_from(TILES)
spots = st.sampled_from(SPOTS)


def grown(text: str, *steps: str, both: bool = False) -> Castle:
    """A castle after some steps such as "TRC ne", each of which must be legal."""
    castle = Castle.parse(text)
    for step in steps:
        tile, spot = step.split()
        castle = castle.place(Tile(tile), spot, both)
    return castle


def refusal(text: str, tile: str, spot: str, both: bool = False) -> tuple[str, ...]:
    """The rules that refuse a tile; none if it may be laid."""
    return Castle.parse(text).check(Tile(tile), spot, both).rules


# -- the rules once more, in other words -------------------------------------------------------

BESIDE = {
    "nw": ("n", "w"),
    "n": ("nw", "ne"),
    "ne": ("n", "e"),
    "e": ("ne", "se"),
    "se": ("e", "s"),
    "s": ("sw", "se"),
    "sw": ("w", "s"),
    "w": ("nw", "sw"),
    "c": (),
}
HOME = {"tower": ("nw", "ne", "se", "sw"), "wall": ("n", "e", "s", "w"), "keep": ("c",)}


def alike(one: Tile, other: Tile) -> bool:
    return one.text[1] == other.text[1] or one.text[2] == other.text[2]


def may_lay(castle: Castle, tile: Tile, spot: str, both: bool) -> bool:
    """The written rules of building, one after the other."""
    stands = {at: there for at in SPOTS if (there := castle[at]) is not None}
    ring = {at: there for at, there in stands.items() if at != "c"}
    if spot in stands or spot not in HOME[tile.kind]:
        return False
    if tile.kind == "keep":
        return any(there.colour == tile.colour for there in ring.values())
    if not ring:
        return "c" not in stands or stands["c"].colour == tile.colour
    neighbours = [ring[at] for at in BESIDE[spot] if at in ring]
    if not neighbours:
        return False
    matched = [alike(tile, there) for there in neighbours]
    if len(ring) == 7 and not both:
        return any(matched)
    return all(matched)


@given(castles, st.booleans())
def test_fits_says_what_the_written_rules_say(castle: Castle, both: bool) -> None:
    sets = fits(castle.places, both)
    for tile, spot in product(TILES, SPOTS):
        legal = may_lay(castle, tile, spot, both)
        assert bool(sets[place_of(spot)] & tile.bit) == legal
        assert (spot in castle.spots_for(tile, both)) == legal


@given(castles, tiles, spots, st.booleans())
def test_a_verdict_is_legal_or_names_a_rule_a_place_and_a_reason(castle, tile, spot, both):
    verdict = castle.check(tile, spot, both)
    assert bool(verdict) == may_lay(castle, tile, spot, both)
    for breach in verdict.breaches:
        assert breach.rule.id in RULES
        assert spot in breach.where
        assert set(breach.where) <= set(SPOTS)
        assert breach.message.endswith(".")
        assert breach.mend.endswith(".")
        assert "  " not in str(breach)
        assert "{" not in str(breach)


@given(castles, tiles, spots, st.booleans())
def test_place_and_check_agree(castle, tile, spot, both):
    verdict = castle.check(tile, spot, both)
    if verdict:
        after = castle.place(tile, spot, both)
        assert after[spot] is tile
        assert len(after) == len(castle) + 1
        assert castle[spot] is None, "the old castle is untouched"
    else:
        with pytest.raises(IllegalMove) as caught:
            castle.place(tile, spot, both)
        assert caught.value.verdict == verdict


@given(castles, st.booleans())
def test_openings_and_standing_are_fits_and_tiles_in_short(castle, both):
    sets = fits(castle.places, both)
    assert dict(openings(castle.places, both)) == {
        place: allowed for place, allowed in enumerate(sets) if allowed
    }
    bits = tile_bits(castle.places)
    assert {tile for tile in TILES if tile.bit & bits} == set(castle)


def flood(castle: Castle, spot: str) -> set[str]:
    """What falls with a tile: spread to ring neighbours of the colour, again and again."""
    falling = {spot}
    while True:
        more = {
            beside
            for at in falling
            for beside in BESIDE[at]
            if (there := castle[beside]) is not None and there.colour == castle[spot].colour
        }
        if more <= falling:
            return falling
        falling |= more


@given(castles, st.sampled_from(RING))
def test_blast_is_a_flood_of_one_colour(castle, spot):
    if castle[spot] is None:
        with pytest.raises(CastlelabError, match="nothing stands"):
            castle.blast(spot)
        return
    fallen = castle.blast(spot)
    assert set(fallen) == flood(castle, spot)
    assert len(fallen) == len(set(fallen))
    assert list(fallen) == sorted(fallen, key=SPOTS.index)
    # Whichever tile of the run is hit, the same run falls.
    assert all(castle.blast(other) == fallen for other in fallen)


@given(castles)
def test_a_keep_falls_alone_but_in_solitaire_with_its_walls(castle):
    keep = castle["c"]
    if keep is None:
        for blast in (castle.blast, castle.siege_blast):
            with pytest.raises(CastlelabError, match="nothing stands in the centre"):
                blast("c")
        return
    assert castle.blast("c") == ("c",)
    fallen = {"c"}
    for side in HOME["wall"]:
        if (wall := castle[side]) is not None and wall.colour == keep.colour:
            fallen |= flood(castle, side)
    assert set(castle.siege_blast("c")) == fallen
    for spot in RING:
        if castle[spot] is not None:
            assert castle.siege_blast(spot) == castle.blast(spot)


# -- tiles -----------------------------------------------------------------------------------


def test_there_are_nine_towers_nine_walls_and_three_keeps():
    assert [tile.kind for tile in TILES] == ["tower"] * 9 + ["wall"] * 9 + ["keep"] * 3
    assert len({tile.text for tile in TILES}) == len({tile.bit for tile in TILES}) == 21
    assert Tile("wbz").words == "blue zigzag wall"
    assert Tile(" KR ").words == "red keep"
    assert Tile("KR").shape == ""


@given(tiles, tiles)
def test_matching_is_colour_or_shape_and_goes_both_ways(one, other):
    assert one.matches(other) == other.matches(one)
    if "keep" not in (one.kind, other.kind):
        assert one.matches(other) == alike(one, other)
        assert bool(one.matching & other.bit) == alike(one, other)
    else:
        assert one.matches(other) == (one.colour == other.colour)


@pytest.mark.parametrize("tile", [*TILES, BACK], ids=str)
def test_a_tile_stays_itself_when_copied_or_sent(tile):
    """Tiles are compared by identity, so there must be only one of each."""
    assert copy.copy(tile) is tile
    assert copy.deepcopy([tile])[0] is tile
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(tile, protocol)) is tile
    if tile is not BACK:
        assert Tile(str(tile)) is tile
        assert eval(repr(tile)) is tile


@pytest.mark.parametrize(
    "text",
    [
        *("", "T", "TR", "TRX", "XRC", "KRC", "K", "KX", "RTC", "TRCC", "--", "??", "T R C"),
        *("TRC\0", None, 7, b"TRC", ["TRC"], {}, Tile("TRC"), "T" * 10_000),
    ],
    ids=lambda text: repr(text)[:12],
)
def test_other_texts_are_no_tiles(text):
    with pytest.raises(NotationError, match="is not a tile; write T, W or K") as caught:
        Tile(text)
    assert len(str(caught.value)) < 300
    assert "\n" not in str(caught.value)


# -- castles as text -------------------------------------------------------------------------


@given(castles)
def test_a_castle_prints_and_parses_back(castle):
    text = str(castle)
    assert Castle.parse(text) == castle
    assert Castle.parse(text.replace("\n", " / ").lower()) == castle
    assert len(text.splitlines()) == 3
    assert pickle.loads(pickle.dumps(castle)) == castle
    assert copy.deepcopy(castle) == castle
    assert all(one is other for one, other in zip(castle, copy.deepcopy(castle), strict=True))


def test_a_castle_is_read_row_by_row():
    castle = Castle.parse("TRC WRZ TRS\nWYC KB WYZ\nTBC WBZ TBS")
    read = " ".join(str(castle[spot]) for row in ROWS for spot in row)
    assert read == "TRC WRZ TRS WYC KB WYZ TBC WBZ TBS"
    assert str(castle).splitlines()[1] == "WYC KB  WYZ"
    assert castle["ne"] is castle[" NE "] is Tile("TRS")
    assert [str(tile) for tile in castle][-1] == "KB"


def test_wrong_arrangements_can_be_parsed_and_are_still_judged():
    """A puzzle may show a wrong castle: a wall on a corner, a keep on a side."""
    wrong = Castle.parse("WRC KR -- / -- TBC -- / -- -- --")
    assert Castle.parse(str(wrong)) == wrong
    for tile, spot, both in product(TILES, SPOTS, (True, False)):
        for breach in wrong.check(tile, spot, both).breaches:
            assert breach.message.endswith((".",))
            assert " ." not in breach.message
    (breach,) = wrong.check(Tile("TYC"), "ne").breaches
    assert breach.message.endswith("the red keep on the north side: yellow is not red.")


@pytest.mark.parametrize(
    "text",
    [
        *("", "TRC", "TRC WRZ --", "-- -- --\n-- -- --", f"{EMPTY} / -- -- --"),
        *(
            "-- -- / -- -- -- / -- -- --",
            "-- -- -- -- / -- -- / -- -- --",
            EMPTY.replace("--", "-"),
        ),
        *("TRX -- -- / -- -- -- / -- -- --", "?? -- -- / -- -- -- / -- -- --", "/" * 100),
        *(EMPTY * 10, "x" * 100_000, "\0", None, 7, b"--", [EMPTY], Castle()),
    ],
    ids=lambda text: repr(text)[:20],
)
def test_other_texts_are_no_castles(text):
    with pytest.raises(NotationError) as caught:
        Castle.parse(text)
    assert len(str(caught.value)) < 300
    assert "\n" not in str(caught.value)


@given(st.text(max_size=60) | st.text("TWKRYBCZS-/ \n", max_size=40))
def test_no_text_crashes_the_reader_of_castles(text):
    try:
        castle = Castle.parse(text)
    except NotationError:
        return
    assert Castle.parse(str(castle)) == castle


@pytest.mark.parametrize("spot", ["", "north", "x", "nn", "2.n", None, 7, b"n", ["n"], "n" * 9999])
def test_other_texts_are_no_spots(spot):
    castle = Castle.parse(ONE)
    for use in (castle.blast, castle.siege_blast, castle.__getitem__, place_of):
        with pytest.raises(NotationError, match="is not a spot; the spots are nw, n"):
            use(spot)
    with pytest.raises(NotationError, match="is not a spot"):
        castle.check(Tile("WRC"), spot)


def test_complete_closed_and_lonely():
    ring = Castle.parse("TRC WRC TRC / WRC -- WRC / TRC WRC TRC")
    assert ring.ring_closed
    assert not ring.complete
    whole = ring.place(Tile("KR"), "c")
    assert whole.complete
    assert whole.ring_closed
    lonely = whole.without(range(CENTRE))
    assert lonely.only_keep
    assert not lonely.ring_closed
    assert not Castle().only_keep
    assert len(Castle()) == 0


# -- building, rule by rule --------------------------------------------------------------------


def test_spots_each_kind_has_its_place():
    """castle_keep/spots"""
    for tile, spot in product(TILES, SPOTS):
        rules = refusal(EMPTY, tile.text, spot)
        assert ("castle_keep/spots" in rules) == (spot not in HOME[tile.kind])


def test_spots_one_tile_on_each():
    """castle_keep/spots, K12 (no second keep) and K13 (no rearranging): what stands, stays."""
    castle = "TRC WRC -- / -- KR -- / -- -- --"
    assert refusal(castle, "TRC", "nw") == ("castle_keep/spots",)
    assert refusal(castle, "KR", "c") == ("castle_keep/spots",)
    (breach,) = Castle.parse(castle).check(Tile("WRZ"), "n").breaches
    assert breach.message == "The north side is taken by the red curvy wall."
    assert breach.mend == "The red zigzag wall fits on the west side."


def test_first_tile_goes_on_any_spot_of_its_kind():
    """castle_keep/first-tile, K31"""
    for tile in (*TOWERS, *WALLS):
        assert set(Castle().spots_for(tile)) == set(HOME[tile.kind])
    for keep in KEEPS:
        assert Castle().spots_for(keep) == ()
        assert refusal(EMPTY, keep.text, "c") == ("castle_keep/first-tile",)


def test_adjacent_edge_to_edge():
    """castle_keep/adjacent, K7: a diagonal is no neighbour, nor is the keep."""
    assert refusal(ONE, "WRC", "n") == ()
    assert refusal(ONE, "WRC", "s") == ("castle_keep/adjacent",)
    assert refusal(ONE, "TRC", "ne") == ("castle_keep/adjacent",)
    assert refusal("-- WRC -- / -- -- -- / -- -- --", "WRC", "e") == ("castle_keep/adjacent",)
    # The keep touches every side, but it does not count.
    assert refusal("TRC -- -- / -- KR -- / -- -- --", "WRC", "s") == ("castle_keep/adjacent",)
    (breach,) = Castle.parse(ONE).check(Tile("WRC"), "s").breaches
    assert breach.mend == "The red curvy wall fits on the north side or on the west side."


@pytest.mark.parametrize(
    ("tile", "rules"),
    [
        ("WRC", ()),  # colour and shape
        ("WRZ", ()),  # colour
        ("WYC", ()),  # shape
        ("WYZ", ("castle_keep/match",)),
        ("WBS", ("castle_keep/match",)),
    ],
)
def test_match_in_colour_or_shape(tile, rules):
    """castle_keep/match, K30: nothing but colour and shape counts, wherever the tile lies."""
    assert refusal(ONE, tile, "n") == refusal(ONE, tile, "w") == rules
    turned = "-- -- -- / -- -- -- / -- -- TRC"
    assert refusal(turned, tile, "e") == refusal(turned, tile, "s") == rules


def test_match_both_neighbours_while_the_ring_is_open():
    """castle_keep/match, K4 and K6: also between two parts that an attack has left."""
    parts = "TRC -- TYZ / WRC -- -- / -- -- --"
    assert refusal(parts, "WRZ", "n") == ()  # red on the left, zigzag on the right
    assert refusal(parts, "WYC", "n") == ()
    assert refusal(parts, "WRC", "n") == ("castle_keep/match",)
    assert refusal(parts, "WYZ", "n") == ("castle_keep/match",)
    verdict = Castle.parse(parts).check(Tile("WBS"), "n")
    assert [breach.where for breach in verdict.breaches] == [("n", "nw"), ("n", "ne")]


def test_both_parts_of_a_broken_ring_may_be_built_on():
    """castle_keep/adjacent, K8"""
    parts = Castle.parse("TRC -- -- / -- -- -- / -- -- TYZ")
    assert set(parts.spots_for(Tile("WRZ"))) == {"n", "e", "s", "w"}
    assert set(parts.spots_for(Tile("WRS"))) == {"n", "w"}
    assert set(parts.spots_for(Tile("WYS"))) == {"e", "s"}


SEVEN = "TRC WRC TRC / WRC -- WYC / TRC -- TYZ"
SEVEN_AND_KEEP = SEVEN.replace("WRC --", "WRC KY")


@pytest.mark.parametrize("castle", [SEVEN, SEVEN_AND_KEEP])
@pytest.mark.parametrize(
    ("tile", "plain", "strict"),
    [
        ("WRZ", (), ()),  # matches both
        ("WYC", (), ()),
        ("WRS", (), ("castle_keep/adv-last-both",)),  # only the red tower
        ("WYS", (), ("castle_keep/adv-last-both",)),  # only the yellow one
        ("WBC", (), ("castle_keep/adv-last-both",)),
        ("WBS", ("castle_keep/last-tile",), ("castle_keep/adv-last-both",)),  # neither
    ],
)
def test_the_closing_tile_and_no_easy_ending(castle, tile, plain, strict):
    """castle_keep/last-tile and castle_keep/adv-last-both, K5: with or without the keep."""
    assert refusal(castle, tile, "s") == plain
    assert refusal(castle, tile, "s", both=True) == strict


def test_the_relief_is_for_the_eighth_of_the_ring_not_for_the_ninth_tile():
    """castle_keep/last-tile, K5: two spots of the ring are open, so both neighbours count."""
    castle = "TRC WRC -- / WRC KY WYC / TRC -- TYZ"
    assert refusal(castle, "WRS", "s") == ("castle_keep/match",)
    assert refusal(castle, "WRS", "s", both=True) == ("castle_keep/match",)
    assert refusal(SEVEN_AND_KEEP, "WRS", "s") == ()


def test_the_keep_looks_for_its_colour_anywhere():
    """castle_keep/keep-colour, K9"""
    castle = "TRC WRZ -- / -- -- -- / -- -- TBZ"
    assert refusal(castle, "KR", "c") == ()
    assert refusal(castle, "KB", "c") == ()
    assert refusal(castle, "KY", "c") == ("castle_keep/keep-colour",)
    (breach,) = Castle.parse(castle).check(Tile("KY"), "c").breaches
    assert breach.message == "Nothing in the castle is yellow, so the yellow keep does not fit."
    assert breach.mend.startswith("Its colours are red and blue. ")
    (breach,) = Castle.parse("TRC -- -- / -- -- -- / -- -- --").check("KB", "c").breaches
    assert breach.mend.startswith("Its colour is red. ")


def test_the_keep_stays_when_its_colour_is_gone():
    """castle_keep/keep-colour, K10, K20: a run never takes the keep along."""
    castle = grown("TRC WRC TYC / -- -- -- / -- -- --", "KR c")
    left = castle.without(map(place_of, castle.blast("n")))
    assert left == Castle.parse("-- -- TYC / -- KR -- / -- -- --")
    assert refusal(str(left), "WYZ", "n") == ()  # and a ring tile that is not red may follow


@pytest.mark.parametrize("keep", ["KR", "KY", "KB"])
def test_a_lone_keep_wants_its_colour_first(keep):
    """castle_keep/lone-keep, K11: on any spot of its kind; afterwards the keep is forgotten."""
    lonely = f"-- -- -- / -- {keep} -- / -- -- --"
    for tile, spot in product((*TOWERS, *WALLS), RING):
        if spot in HOME[tile.kind]:
            wrong = tile.colour != Tile(keep).colour
            assert refusal(lonely, tile.text, spot) == (("castle_keep/lone-keep",) if wrong else ())
    first, second = f"T{keep[1]}Z n{'w'}", f"W{'B' if keep == 'KR' else 'R'}Z n"
    assert len(grown(lonely, first, second)) == 3


def test_many_tiles_one_after_the_other_make_a_castle():
    """castle_keep/build-many and castle_keep/win-build"""
    castle = grown(
        EMPTY, "TRC nw", "WRZ n", "TBZ ne", "WBS e", "KB c", "TYS se", "WYC s", "TYZ sw", "WYS w"
    )
    assert castle.complete
    assert not castle["w"].matches(castle["nw"])  # the easy ending
    assert castle["w"].matches(castle["sw"])


# -- falling ---------------------------------------------------------------------------------


def test_a_run_goes_both_ways_and_round_corners():
    """castle_keep/attack-wall, K18 and K19"""
    castle = Castle.parse("TRC WRZ TRS / WYC KR WRC / TYS -- TBC")
    assert castle.blast("n") == castle.blast("e") == ("nw", "n", "ne", "e")
    assert castle.blast("w") == ("sw", "w")


def test_a_run_all_the_way_round():
    castle = Castle.parse("TRC WRC TRC / WRC KR WRC / TRC WRC TRC")
    assert castle.blast("s") == RING
    assert castle.siege_blast("c") == SPOTS
    assert castle.without(map(place_of, castle.blast("s"))).only_keep


def test_a_run_ends_at_a_gap_and_at_another_colour():
    castle = Castle.parse("TRC -- TRC / WRC -- WRC / TYC WRC TRC")
    assert castle.blast("w") == ("nw", "w")
    assert castle.blast("s") == ("ne", "e", "se", "s")


def test_among_identical_walls_the_attacker_chooses():
    """castle_keep/attack-wall, K17: the same wall stands twice, and falls with different runs."""
    castle = Castle.parse("TRC WRZ TRC / WYC -- WYC / TBC WRZ TBC")
    assert castle["n"] is castle["s"]
    assert castle.blast("n") == ("nw", "n", "ne")
    assert castle.blast("s") == ("s",)


def test_a_run_is_of_one_colour_whatever_its_shapes():
    castle = Castle.parse("TRC WYC TRC / WRC -- WRC / TRC WYC TRC")
    assert castle.blast("n") == ("n",)


# -- words -----------------------------------------------------------------------------------


@given(castles, tiles, spots, st.booleans())
def test_a_refusal_names_the_neighbour_and_in_what_it_fails_to_match(castle, tile, spot, both):
    about = ("castle_keep/match", "castle_keep/last-tile", "castle_keep/adv-last-both")
    breaches = [b for b in castle.check(tile, spot, both).breaches if b.rule.id in about]
    strangers = {
        at
        for at in BESIDE[spot]
        if breaches and (there := castle[at]) is not None and not alike(tile, there)
    }
    assert {breach.where[1] for breach in breaches} == strangers
    for breach in breaches:
        there = castle[breach.where[1]]
        assert f"The {tile.words} does not match the {there.words}" in breach.message
        assert f"on the {SPOT_WORDS[breach.where[1]]}" in breach.message
        assert f"{tile.colour} is not {there.colour}" in breach.message
        assert f"{tile.shape} is not {there.shape}" in breach.message
        allowed = set(_tiles_described(breach.mend))
        assert allowed == {other for other in TILES if may_lay(castle, other, spot, both)}


def _tiles_described(words: str) -> Iterator[Tile]:
    """The tiles that are as a mend says: 'Here it takes a wall that is red or curvy. …'"""
    words, _, _ = words.partition(". ")
    kind, _, looks = words.removeprefix("Here it takes a ").rstrip(".").partition(" that is ")
    needs = [set(re.split(r", | or ", one)) for one in looks.split(", and ")]
    for tile in TILES:
        if tile.kind == kind and all({tile.colour, tile.shape} & need for need in needs):
            yield tile


@given(castles, tiles, st.booleans())
def test_where_a_tile_fits_instead_is_told_truly(castle, tile, both):
    for spot in HOME[tile.kind]:
        for breach in castle.check(tile, spot, both).breaches:
            if "fits on the" in breach.mend:
                named = {at for at in SPOTS if f"the {SPOT_WORDS[at]}" in breach.mend}
                assert named == set(castle.spots_for(tile, both))
            assert breach.mends == castle.spots_for(tile, both)
            assert ("fits nowhere" in breach.mend) == (breach.mends == ())


def test_nobody_can_lay_a_tile_that_is_face_down():
    """castle_keep/from-hand: what one sees of another's hand cannot be played."""
    for text, spot in product((EMPTY, ONE, SEVEN), SPOTS):
        assert Castle.parse(text).check(BACK, spot).rules == ("castle_keep/from-hand",)
        assert Castle.parse(text).spots_for(BACK) == ()


def test_tiles_may_be_written_and_spots_in_capitals():
    castle = Castle.parse("TRC WRZ -- / -- -- -- / -- -- --")
    assert castle.check("TBZ", "NE")
    assert castle.place("TBZ", "NE")["ne"] is Tile("TBZ")
    assert castle.spots_for("TBZ") == ("ne",)
    with pytest.raises(NotationError, match="is not a tile"):
        castle.check("T??", "ne")
