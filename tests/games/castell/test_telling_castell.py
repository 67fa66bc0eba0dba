"""Castell in sentences: what each kind of move did, where points come from, little pictures."""

from dataclasses import replace

import pytest

import castlelab
from castlelab.draw.scene import Text
from castlelab.game import Emblem, Source
from castlelab.games.castell import Skills, Team, Tower
from castlelab.games.castell.box import Performance
from castlelab.games.castell.moves import Enter
from castlelab.games.castell.scoring import Festival, Player
from castlelab.rules import CastlelabError
from castlelab.telling import sentence, told

GAME = castlelab.load("castell", first="blue")
VALLS = GAME.box.places["Valls"]


@pytest.fixture
def valls():
    """Blue is in Valls, where two tiles and two tokens lie, and can do everything."""
    state = GAME.start(3)
    me = Player(Team("10*4 9*3 8*2 7"), Skills(balance=2), pawn=VALLS)
    return replace(
        state,
        players=(me, replace(me, pawn=None)),
        regions=(Team("9*2 8"),) * 7,
        tiles=((Performance(2, (3, 2, 1)), Performance(4, shown=Skills(balance=2))),) * 7,
        tokens=((0, 1),) * 7,
        calendar=(Festival(3, VALLS, (9, 7)), Festival(10, VALLS, (9, 7))),
    )


def heard(state, move):
    return told(state, GAME.move(move) if isinstance(move, str) else move, [1])


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("move Vilafranca", "Blue moved to Vilafranca."),
        ("recruit 9", "Blue recruited a 9 in Valls."),
        ("recruit 9 8", "Blue recruited a 9 and an 8 in Valls."),
        ("train base", "Blue trained Base, now rank 1."),
        ("train practice balance", "Blue practised Balance, now rank 3."),
        ("special move Tarragona", "Blue used a token and moved to Tarragona."),
        ("special recruit 8", "Blue used a token and recruited an 8 in Valls."),
        ("train special recruit 9", "Blue trained Special and recruited a 9 in Valls."),
        (
            "special perform 3-2-1",
            (
                "Blue used a token and performed the shape 3-2-1 in Valls for 2 points "
                "and took 2 tokens that lay there."
            ),
        ),
        (
            "special perform 4:balance*2",
            (
                "Blue used a token and performed 4 levels with Balance twice in Valls for 4 points "
                "and took 2 tokens that lay there."
            ),
        ),
        ("end", "Blue ended the turn."),
    ],
)
def test_every_kind_of_move_in_a_turn_is_told(valls, move, words):
    assert heard(valls, move) == words


def test_the_pawn_is_set_down():
    assert heard(GAME.start(3), "move Valls") == "Blue began in Valls."


def test_where_no_token_lies_none_is_told(valls):
    bare = replace(valls, tokens=((),) * 7)
    assert heard(bare, "special perform 3-2-1").endswith(" in Valls for 2 points.")


def test_a_view_of_another_seat_hears_of_whoever_moved(valls):
    assert told(valls, GAME.move("train practice balance"), [0, 1]) == (
        "Blue practised Balance, now rank 3."
    )


@pytest.fixture
def festival(valls):
    """Both are at the festival of the last round."""
    team = Player(Team("10*4 9*3 8*2 7"), Skills(width=1), pawn=VALLS)
    return replace(valls, players=(team, team), round=10, turns=1).play("end")


def test_the_end_of_the_round_tells_that_a_festival_begins(valls):
    last = replace(valls, round=10, turns=1)
    assert heard(last, "end") == "Orange ended the turn. The festival at Valls begins."


def test_a_festival_that_nobody_can_enter_is_told(valls):
    none = tuple(replace(player, team=Team()) for player in valls.players)
    last = replace(valls, players=none, round=3, turns=1)
    assert heard(last, "end") == ("Orange ended the turn. Nobody built at Valls. Round 4 begins.")


def test_towers_and_who_won_are_told(festival):
    tower = Tower("10*4 9*3 8*2 7")
    assert heard(festival, Enter(tower)) == "Blue built 4 levels at Valls for 8 points."
    begun = festival.play(Enter(tower))
    assert told(begun, GAME.move("stay out"), [0]) == (
        "Orange stayed out at Valls. Blue won a ribbon, token 9 and token 7."
    )
    assert told(begun, Enter(tower), [0]) == (
        "Orange built 4 levels at Valls for 8 points. Blue won a ribbon; Orange won a ribbon."
    )


def test_nobody_builds(festival):
    out = festival.play("stay out")
    assert told(out, GAME.move("stay out"), [0]) == (
        "Orange stayed out at Valls. Nobody built at Valls."
    )


def test_sentences_name_pieces_by_their_pictures(valls, festival):
    parts = sentence(valls, GAME.move("recruit 9 8"), [0])
    assert [part for part in parts if isinstance(part, Emblem)] == [
        Emblem("a 9", "casteller 9"),
        Emblem("an 8", "casteller 8"),
    ]
    tower = Tower("10*4 9*3 8*2 7")
    begun = festival.play(Enter(tower))
    kinds = [part.picture for part in sentence(begun, GAME.move("stay out")) if part != str(part)]
    assert kinds == ["prize ribbon", "size 9", "size 7"]


@pytest.mark.parametrize(
    "picture",
    [
        "casteller 10",
        "size 1",
        "prize trophy",
        "skill balance",
        "skill practice",
        "skill special",
        "tower 10*8 9*7 8*6 7*5 6*4 5*3 4*2 3 2",
        "tower 9*3 8*2 7",
        "tile 5-4-3-2-1",
        "tile 6:base+mix*2+strength",
    ],
)
def test_emblems_are_as_high_as_a_line(picture):
    scene = GAME.emblem(picture)
    assert scene.height <= 26
    assert scene.title
    for shape in scene.shapes:
        if isinstance(shape, Text):
            assert shape.size >= 12


def test_no_emblem_of_what_is_not_there():
    with pytest.raises(CastlelabError, match="no emblem 'dragon 3'"):
        GAME.emblem("dragon 3")


def test_points_come_from_five_sources(festival):
    tower = Tower("10*4 9*3 8*2 7")
    end = festival.play(Enter(tower)).play("stay out")
    assert end.sources(0) == (
        Source("Best tower", 8),
        Source("Regions", 0),
        Source("Prizes", 1),
        Source("Size tokens", 4),
        Source("Performances", 0),
    )


def test_the_legend_explains_every_sign_on_the_table(valls):
    meant = dict(GAME.legend)
    shown = [shape.words for shape in valls.picture().shapes if isinstance(shape, Text)]
    signs = {words for words in shown if len(words) == 2 and words.isalpha()} | {"+", "★", "1st"}
    assert signs <= set(meant)
    assert meant["Mx"] == "Mix"
