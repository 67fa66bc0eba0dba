"""The moves of Castle Rampage in sentences: what was done, what it cost, what came of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

import castlelab
from castlelab.game import Emblem
from castlelab.games.castle_rampage.play import CastleRampage, RampageState
from castlelab.games.castle_rampage.table import Side, Stack
from castlelab.telling import sentence, told

GAME = castlelab.load("castle_rampage")
assert isinstance(GAME, CastleRampage)
BOX = GAME.box
EVERYBODY = (0, 1)


def places(names: str) -> tuple[int, ...]:
    """Cards by their names: "Knight, Axe man"."""
    return tuple(BOX.place(name.strip()) for name in names.split(",")) if names else ()


def side(gate: str = "Ogre", castle: str = "Ogre, Ogre", permanents: str = "") -> Side:
    standing = tuple(sorted(places(permanents)))
    return Side((), Stack.of(places(gate)), Stack.of(places(castle)), standing)


def table(hand: str, foe: Side | None = None, *, discards: str = "", turn: int = 3) -> RampageState:
    """Blue's turn with this hand, against Orange's side."""
    mine = side()._replace(hand=tuple(sorted(places(hand))))
    start = GAME.start(1)
    assert isinstance(start, RampageState)
    return replace(
        start,
        sides=(mine, foe or side()),
        pile=places("Knight, Archer, Pikeman, Ram"),
        discards=places(discards),
        starter=0,
        active=0,
        deals=2,
        turn=turn,
    )


def lines(state: RampageState, *moves: str) -> list[str]:
    """What everybody at the table hears of some moves."""
    heard = []
    for text in moves:
        move = GAME.move(text)
        heard.append(told(state, move, EVERYBODY))
        assert {told(state, move, [seat]) for seat in EVERYBODY} == {heard[-1]}
        after = state.play(move)
        assert isinstance(after, RampageState)
        state = after
    return heard


def test_an_attack_is_told_card_by_card() -> None:
    """castle_rampage/broken, castle_rampage/held"""
    state = table("Dragon, Ram, Priest", side("Knight, Archer", "Castellan, Ogre"))
    assert lines(state, "play Dragon for Ram, Priest") == [
        (
            "Blue attacked Orange's Gate with Dragon for Priest and Ram, strength 10: "
            "Knight and Archer fell; at the Castle Castellan fell, Ogre held."
        )
    ]


@pytest.mark.parametrize(
    ("hand", "gate", "castle", "move", "ending"),
    [
        ("Axe man", "Archer", "Ogre", "play Axe man", "Archer and the Axe man felled each other."),
        ("Knight", "Bomber", "Ogre", "play Knight", "Bomber fell and took the Knight along."),
        ("Veteran, Ram", "Ogre, Ram", "Ogre", "play Veteran for Ram", "each other."),
        (
            "Veteran, Ram",
            "",
            "Ogre",
            "play Veteran for Ram",
            "Ogre held and the Veteran came home.",
        ),
        ("Knight", "", "Scout", "play Knight", "Scout fell. Orange's Castle has fallen!"),
        ("Digger", "Ogre", "Scout, Ogre", "play Digger", "Scout fell, Ogre held."),
        ("Giant, Ram", ",".join(["Herald"] * 7), "Ogre, Ogre", "play Giant for Ram", "held."),
    ],
)
def test_the_ends_of_attacks(hand: str, gate: str, castle: str, move: str, ending: str) -> None:
    (line,) = lines(table(hand, side(gate, castle)), move)
    assert line.endswith(ending)
    assert "Castle with" in line or gate not in ("", "Ogre")


def test_of_many_that_fall_only_some_are_named() -> None:
    (line,) = lines(table("Knight", side(",".join(["Herald"] * 9))), "play Knight")
    assert "Herald, Herald, Herald, Herald, Herald and 4 more fell; at the Castle" in line


def test_purple_cards_strike_back() -> None:
    """castle_rampage/purple, castle_rampage/spy"""
    saboteur = table("Giant, Ram, Archer", side("Saboteur, Knight", "Ogre, Ogre"))
    assert lines(saboteur, "play Giant for Ram", "choose castle") == [
        (
            "Blue attacked Orange's Gate with Giant for Ram, strength 7: "
            "Saboteur fell and now strikes back."
        ),
        (
            "Orange struck Ogre off Blue's Castle; Blue's Giant went on with 5: "
            "Knight fell; at the Castle Ogre held."
        ),
    ]
    spy = table("Knight, Ram, Archer", side("Spy, Ogre"))
    assert lines(spy, "play Knight", "choose Ram")[1] == (
        "Orange took Ram from Blue's hand; Blue's Knight went on with 2: Ogre held."
    )
    (alone,) = lines(table("Knight, Ram", side("Spy, Ogre")), "play Knight")
    assert alone.endswith("Spy fell, Ogre held; the Spy struck back.")


def test_effects_are_told() -> None:
    assert lines(table("Axe man", side("Ogre")), "play Axe man") == [
        "Blue attacked Orange's Gate with Axe man, strength 2 (drew 1 card): Ogre held."
    ]
    assert lines(table("Scout"), "play Scout", "choose gate") == [
        "Blue played Scout.",
        "Blue turned up Ogre on Orange's Gate, drew 1 card.",
    ]
    assert lines(table("Scout", side("")), "play Scout") == [
        "Blue played Scout: turned up Ogre on the Castle, drew 1 card."
    ]
    guards = side(permanents="Banner bearer, Moat warden")
    assert lines(table("Arsonist, Ram", guards), "play Arsonist for Ram", "choose Moat warden") == [
        "Blue played Arsonist for Ram.",
        "Blue destroyed Orange's Moat warden; Blue's Arsonist attacked with 3: Ogre held.",
    ]
    assert lines(table("Jester"), "play Jester") == [
        (
            "Blue attacked Orange's Gate with Jester, strength 8 (took Ogre from their Castle): "
            "Ogre fell; at the Castle Ogre held."
        )
    ]
    assert lines(table("Summoner"), "play Summoner") == [
        "Blue played Summoner: felled Ogre and Ogre from both Castles."
    ]
    assert lines(table("Banner bearer"), "play Banner bearer") == [
        "Blue played Banner bearer, which stays."
    ]
    assert lines(
        table("Priest, Ram", discards="Knight"), "play Priest for Ram", "choose Knight"
    ) == ["Blue played Priest for Ram.", "Blue picked Knight from the discards."]
    assert lines(
        table("Priest, Ram", discards="Knight"),
        *("play Priest for Ram", "choose Knight", "choose gate"),
    )[2:] == ["Blue put Knight from the discards under the Gate."]


def test_what_is_laid_face_down_is_told_to_its_owner_alone() -> None:
    """castle_rampage/secret, castle_rampage/ogre-cost"""
    state = table("Knight, Ram, Ogre")
    move = GAME.move("strengthen gate Knight")
    assert told(state, move, [0]) == "Blue laid Knight face down under the Gate."
    hidden = "Blue strengthened a stack with a card face down."
    assert {told(state, move, who) for who in ([1], EVERYBODY)} == {hidden}
    assert lines(state, "strengthen castle Ogre for Knight, Ram") == [
        "Blue strengthened the Castle with Ogre for Knight and Ram."
    ]
    start = GAME.start(3)
    place = start.moves()[0]
    assert told(start, place, [1]) == "Blue placed a card face down."
    assert told(start, place).startswith("Blue placed ")
    assert told(start, place).endswith(" at the Gate.")


def test_turns_end_and_sieges_are_lifted() -> None:
    """castle_rampage/draw, castle_rampage/long-siege"""
    assert lines(table("Knight"), "end") == ["Blue ended the turn; Orange drew 2 cards."]
    empty = replace(table("Knight", discards="Ram, Ram"), pile=places("Archer"))
    assert lines(empty, "end") == [
        "Blue ended the turn; Orange drew 2 cards, the pile shuffled anew."
    ]
    (line,) = lines(table("Knight", side("", "Ogre"), turn=100), "end")
    assert line == "Blue ended the turn. The siege is lifted: Blue wins."


def test_cards_in_sentences_are_tiny_cards() -> None:
    state = table("Dragon, Ram, Priest", side("Bomber, Archer"))
    parts = sentence(state, GAME.move("play Dragon for Ram, Priest"), EVERYBODY)
    emblems = [part for part in parts if isinstance(part, Emblem)]
    assert [str(emblem) for emblem in emblems] == ["Dragon", "Priest", "Ram", "Bomber"]
    pictures = {GAME.emblem(emblem.picture).shapes for emblem in emblems}
    assert len(pictures) == 4
    of_another_box = GAME.emblem("card Catapult")
    assert of_another_box.title == "Catapult"
    assert of_another_box.height == GAME.emblem("card Knight").height == 26


def test_the_point_has_a_source() -> None:
    won = table("Knight", side("", "Scout")).play("play Knight")
    assert won.sources(0)[0] == ("Brought the other Castle down", 1)
    assert [source.points for source in won.sources(1)] == [0, 0]
    lifted = table("Knight", side("", "Ogre"), turn=100).play("end")
    assert lifted.sources(0)[1] == ("Held the larger Castle to the end", 1)


def test_the_legend_names_what_stands_on_cards() -> None:
    signs = dict(GAME.legend)
    assert signs["4*"]
    assert all(meaning for meaning in signs.values())
