"""Castle Keep told as a story: a sentence for every kind of move, whoever hears it."""

import pytest

import castlelab
from castlelab.chance import Chance
from castlelab.game import Emblem, Source, changed
from castlelab.games.castle_keep.castle import TILES, Castle, Tile
from castlelab.telling import sentence, told

EMPTY = "-- -- -- / -- -- -- / -- -- --"
PAIR = "TRC WRZ -- / -- -- -- / -- -- --"
RUN = "-- WYC TYZ / -- KR WYS / TBC -- --"
WRAPPED = "TYZ WYC -- / WYS -- -- / TBC -- --"
NEARLY = "TRC WRC TRC / WRC KR WRC / TRC WRC --"
WAYS = [
    *(("classic", players) for players in (2, 3, 4)),
    *(("empire", players) for players in (2, 4)),
    *(("takeover", 2), ("king", 2), ("solitaire", 1)),
]


def tiles(text):
    return tuple(sorted(map(Tile, text.split()), key=TILES.index))


def table(*castles, hands=(), players=None, way="classic", changes=None, **switches):
    """Seat 0 is to act and attacks are open; what is not named is empty."""
    game = castlelab.load("castle_keep", players, way=way, **switches)
    laid = tuple(Castle.parse(text or EMPTY) for text in castles)
    held = tuple(map(tiles, hands))
    asked = {"seat": 0, "phase": "act", "open": True, **(changes or {})}
    return changed(
        game.start(7),
        castles=(*laid, *(Castle(),) * (len(game.sites) - len(laid))),
        hands=(*held, *((),) * (game.players - len(held))),
        **asked,
    )


def heard(state, text):
    """A move in words, which are the same for all who hear of it."""
    move = state.game.move(text)
    assert state.check(move)
    for seat in range(state.game.players):
        assert told(state, move, [seat]) == told(state, move)
    return told(state, move)


def test_building():
    state = table(PAIR, hands=("WRZ KR",))
    assert heard(state, "build WRZ w") == "Blue built a red zigzag wall in the west."
    assert heard(state, "build KR c") == "Blue built a red keep in the centre."


def test_things_are_named_with_their_pictures():
    state = table(PAIR, RUN, hands=("WRZ WYC KR KR",))
    parts = sentence(state, state.game.move("build WRZ w"))
    assert parts == ("Blue ", "built ", Emblem("a red zigzag wall", "WRZ"), " in the west.")
    assert Emblem("two red keeps", "KR", named=True) in sentence(
        state, state.game.move("attack KR 2.c")
    )


def test_the_tile_that_opens_attacks_and_the_one_that_wins():
    begun = table("-- WRC -- / -- -- -- / -- -- --", PAIR, hands=("TRC",), changes={"open": False})
    assert heard(begun, "build TRC ne").endswith("in the north-east. Attacks are open now.")
    done = table(NEARLY, PAIR, hands=("TRC",))
    assert heard(done, "build TRC se").endswith("The castle is finished: Blue wins!")


def test_attacks_tell_what_fell_along_the_ring():
    state = table(PAIR, RUN, hands=("WYC KR KR",))
    assert heard(state, "attack WYC 2.n") == (
        "Blue attacked Orange's castle with a yellow curvy wall: north, north-east and east fell."
    )
    assert heard(state, "attack KR 2.c") == (
        "Blue attacked Orange's castle with two red keeps: the keep fell."
    )
    over_the_corner = table(PAIR, WRAPPED, hands=("WYC",))
    assert heard(over_the_corner, "attack WYC 2.n").endswith("west, north-west and north fell.")


def test_the_attack_that_leaves_nothing_wins():
    state = table(PAIR, PAIR, hands=("WRZ",))
    assert heard(state, "attack WRZ 2.n") == (
        "Blue attacked Orange's castle with a red zigzag wall: nothing is left. Blue wins!"
    )


def test_towers_fall_where_they_may_be_attacked():
    state = table(PAIR, RUN, hands=("TBC",), attack_towers=True, many_attacks=True)
    assert heard(state, "attack TBC 2.sw").endswith("with a blue curvy tower: south-west fell.")


def test_the_end_of_a_turn():
    state = table(PAIR, hands=("WRZ KB KB KB KB KB",))
    assert heard(state, "end") == "Blue passed with tiles to discard."
    state = state.play("build WRZ w")
    assert heard(state, "end") == "Blue ended the turn with tiles to discard."
    assert heard(table(PAIR, hands=("KB",)), "end") == "Blue passed."
    state = state.play("end")
    assert heard(state, "discard KB") == "Blue discarded a blue keep."


def test_drawing():
    state = table(PAIR, draw_discard=True, changes={"phase": "draw", "discards": tiles("TYS KR")})
    assert heard(state, "draw pile") == "Blue drew two tiles."
    assert (
        heard(state, "draw discard") == "Blue took the red keep from the discards and drew a tile."
    )
    alone = table(PAIR, way="solitaire", draw_discard=True)
    alone = changed(alone, phase="draw", discards=tiles("KR"))
    assert heard(alone, "draw pile") == "Blue drew a tile."
    assert heard(alone, "draw discard") == "Blue took the red keep from the discards."


def test_the_discards_become_the_pile():
    """castle_keep/reshuffle"""
    state = table(PAIR, hands=("KB",), changes={"pile": (), "discards": tiles("TYS KR WBZ TBZ")})
    assert heard(state, "end") == "Blue passed. The discards are the new pile."
    last = table(PAIR, draw_discard=True)
    last = changed(last, phase="draw", pile=(), discards=tiles("TYS KR"))
    assert heard(last, "draw discard").endswith("and drew a tile. The discards are the new pile.")
    only = changed(last, discards=tiles("KR"))
    assert heard(only, "draw discard") == "Blue took the red keep from the discards."
    assert heard(changed(only, discards=()), "draw pile") == "Blue drew no tile."


def test_what_is_destroyed_is_taken_over():
    state = table(PAIR, RUN, hands=("WYC KR KR",), way="takeover")
    assert heard(state, "attack WYC 2.n").endswith("east fell. Blue takes 3 tiles.")
    assert heard(state, "attack KR 2.c").endswith("the keep fell. Blue takes 1 tile.")
    state = changed(state, won=(tiles("TRZ"), ()))
    assert heard(state, "rebuild TRZ ne") == (
        "Blue built with the won red zigzag tower in the north-east."
    )


def test_the_king_has_one_castle():
    state = table(RUN, hands=("WYC",), way="king")
    assert heard(state, "attack WYC n").startswith("Blue attacked the castle with a yellow")
    assert heard(
        table("-- WYC -- / -- -- -- / -- -- --", hands=("WYC",), way="king"), "attack WYC n"
    ) == ("Blue attacked the castle with a yellow curvy wall: nothing is left.")


def test_an_empire_has_two():
    state = table(PAIR, "-- WRC -- / -- -- -- / -- -- --", RUN, hands=("WYC",), way="empire")
    assert heard(state, "exchange a.n b.n") == (
        "Blue exchanged a red zigzag wall in the north of castle a "
        "for a red curvy wall in the north of castle b."
    )
    assert heard(state, "exchange a.nw b.ne") == (
        "Blue moved a red curvy tower from the north-west of castle a "
        "to the north-east of castle b."
    )
    assert heard(state, "exchange a.w b.n") == (
        "Blue moved a red curvy wall from the north of castle b to the west of castle a."
    )
    assert "attacked Orange's castle a with" in heard(state, "attack WYC 2a.n")
    assert heard(state.play("exchange a.n b.n"), "end") == "Blue ended the turn."
    built = table(PAIR, hands=("WRZ",), way="empire")
    assert heard(built, "build WRZ a.w").endswith("in the west of castle a.")


def test_an_empire_falls():
    three = table("", "", PAIR, "", PAIR, hands=("WRZ",), way="empire", players=3)
    assert heard(three, "attack WRZ 2a.n").endswith("nothing is left. Orange is out.")
    two = table("", "", PAIR, hands=("WRZ",), way="empire")
    assert heard(two, "attack WRZ 2a.n").endswith("Orange is out. Blue wins!")
    both = table(NEARLY, NEARLY.replace("--", "TRC"), hands=("TRC",), way="empire")
    assert heard(both, "build TRC a.se").endswith("Both castles are finished: Blue wins!")


def siege(castle, turned, **changes):
    state = table(castle, way="solitaire")
    pile = (*state.pile, *tiles(turned))
    return changed(state, phase="siege", flips=2, pile=pile, turned=(), **changes)


def test_the_siege():
    assert heard(siege(RUN, "TRS"), "turn") == (
        "Blue turned up a red straight tower: it hits nothing."
    )
    assert heard(siege(RUN, "WYC"), "turn").endswith("wall: north, north-east and east fell.")
    assert heard(siege(RUN, "KR"), "turn").endswith("a red keep: the keep fell.")
    twins = siege("TRC WRC TBZ / WRC -- -- / -- -- --", "WRC")
    assert heard(twins, "turn").endswith("red curvy wall, which hits one of several tiles.")
    assert heard(twins.play("turn"), "fall n") == (
        "Blue chose the north: west, north-west and north fell."
    )


def test_how_a_siege_ends():
    assert heard(siege(PAIR, "WRZ"), "turn").endswith("fell. The siege has won.")
    last = changed(siege(PAIR, ""), pile=tiles("KB"))
    assert heard(last, "turn").endswith("That was the last tile of the pile: the siege has won.")
    held = table(NEARLY, hands=("TRC",), way="solitaire")
    assert heard(held, "build TRC se").endswith("The castle is finished: you held it!")


def test_a_siege_without_end():
    """castle_keep/long-siege"""
    state = table(PAIR, changes={"turn": 400})
    assert heard(state, "end") == "Blue passed. After 400 turns the game is a draw."


@pytest.mark.parametrize(("way", "players"), WAYS)
def test_all_hear_the_same_in_every_way(way, players):
    switches = dict.fromkeys(("attack_towers", "draw_discard", "many_attacks"), True)
    state = castlelab.load("castle_keep", players, way=way, **switches).start(2)
    chance = Chance.seeded(way)
    for _ in range(60):
        if state.over:
            break
        move, chance = chance.choice(state.moves())
        line = heard(state, str(move))
        assert not any(tile.text in line for tile in TILES)  # never notation
        assert len(line) <= 200
        state = state.play(move)


def test_where_the_point_of_a_victory_comes_from():
    done = table(NEARLY, hands=("TRC",)).play("build TRC se")
    assert done.sources(0) == (Source("Castle finished", 1),)
    assert done.sources(1) == ()
    struck = table(PAIR, PAIR, hands=("WRZ",)).play("attack WRZ 2.n")
    assert struck.sources(0) == (Source("Castle destroyed", 1),)
    held = table(NEARLY, hands=("TRC",), way="solitaire").play("build TRC se")
    assert held.sources(0) == (Source("Siege held", 1),)


def test_every_tile_has_an_emblem():
    game = castlelab.game.game_class("castle_keep")
    for tile in TILES:
        scene = game.emblem(tile.text)
        assert scene.height <= 26
        assert scene.width <= 34
        assert scene.title == tile.words


def test_the_letters_of_every_tile_are_in_the_legend():
    legend = dict(castlelab.load("castle_keep").legend)
    for tile in TILES:
        assert " ".join(legend[letter] for letter in (*tile.text[1:], tile.text[0])) == tile.words
