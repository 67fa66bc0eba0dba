"""What a move of Once Upon a Castle has done, in a sentence; what the signs and points mean."""

import pytest
from once_moments import building, castle_with, moment, played

import castlelab
from castlelab.bots import Greedy
from castlelab.chance import Chance
from castlelab.draw.theme import DARK, LIGHT
from castlelab.game import Emblem
from castlelab.games.once_upon_a_castle import Castle
from castlelab.games.once_upon_a_castle.picture import emblem_scene
from castlelab.rules import CastlelabError
from castlelab.telling import sentence, told

GAME = "once_upon_a_castle"


def story(state, *moves):
    """The last of some moves as everybody hears of it."""
    *before, last = moves
    state = played(state, *before)
    move = state.game.move(last)
    assert state.check(move)
    return told(state, move, range(state.game.players))


# -- the dice ------------------------------------------------------------------------------------


def test_a_roll_is_told_with_the_first_use_of_it():
    assert story(moment(), "use 1 a1") == "Blue rolled Wood and Stone, and used Wood on a1."
    assert story(moment(), "use 1 a1", "use 2 b1") == "Blue used Stone on b1."


def test_those_who_follow_use_the_dice_of_somebody_else():
    dice = ("use 1 a1", "use 2 b1")
    assert story(moment(), *dice, "use 2 d3") == "Orange used Blue's Stone on d3."
    assert story(moment(), *dice, "pass") == "Orange left Blue's dice alone."


def test_whatever_a_face_stands_for_is_told():
    wild = moment(dice=("any", "residents"))
    assert story(wild, "use 1 c1") == "Blue rolled ? and Residents, and used ? as Gold on c1."
    assert story(wild, "use 1 c1", "use 2 residents") == (
        "Blue used Residents to draw 2 residents."
    )
    troll = moment("architect", castles=[castle_with("troll")])
    assert story(troll, "use 1 a2").endswith("used Wood as Stone on a2.")
    knight = moment("architect", castles=[castle_with("knight")], dice=("gold", "residents"))
    assert story(knight, "use 2 a1").endswith("used Residents as Food on a1.")


def test_what_guests_add_to_a_face_is_told():
    friends = castle_with("cook", "monk", "shepherdess", walls=1)
    rich = moment("architect", castles=[friends], dice=("food", "any"))
    assert story(rich, "use 1 a1").endswith("used Food on a1 and drew 1 resident.")
    assert story(rich, "use 2 flag").endswith("used ? to draw a flag worth 2.")
    assert story(rich, "use 2 cloud").endswith("used ? to draw a small cloud worth 2.")
    full = moment(castles=[Castle(residents=40)], dice=("any", "any"))
    assert story(full, "use 1 residents").endswith("used ?, but found no room.")


def test_a_die_without_use():
    lost = moment(tokens=["a1 c2 e4"])
    assert story(lost, "lose 1") == "Blue rolled Wood and Stone, and could not use Wood."


def test_a_full_line_is_news():
    assert story(moment(tokens=["b1 c1"]), "use 1 a1").endswith("used Wood on a1. Row 1 is full.")
    both = moment(tokens=["b1 c1 a2"])
    assert story(both, "use 1 a1").endswith("Row 1 and column 1 are full.")


# -- the castle ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tokens", "castle", "line", "drawn"),
    [
        ("a1 b1 c1", Castle(), "row 1", "drew a wall and 2 residents."),
        ("b1 b2", Castle(), "column 2", "but had no room for the flag."),
        ("c3 d3 e3", Castle(walls=1), "row 3", "drew a tower worth 2 and a flag worth 1."),
        ("c3 d3 e3", Castle(towers=(5, 5, 5)), "row 3", "drew a tower worth 2 and the sun"),
        ("a1 b1 c1", Castle(walls=4), "row 1", "drew 2 residents, but had no room for the wall."),
    ],
)
def test_a_cleared_line_tells_what_it_drew(tokens, castle, line, drawn):
    words = story(building(tokens=[tokens], castles=[castle]), f"clear {line}")
    assert words.startswith(f"Blue cleared {line}")
    assert drawn in words


def test_a_guest_of_the_apprentice_moves_in():
    words = story(building(tokens=["d4 e4"]), "clear row 4")
    assert words.startswith("Blue cleared row 4 and drew a floor; a guest worth ")
    assert words.endswith(" moved in.")


def test_the_twelfth_part_ends_the_game():
    castle = Castle(3, (5, 5, 5, 5), 4)
    words = story(building(tokens=["d4 e4"], castles=[castle]), "clear row 4")
    assert "a floor and the cloud" in words
    assert words.endswith(". The castle is complete. The game is over.")
    last = building(tokens=["d4 e4", "b1 b2 e3 e4"], castles=[castle, Castle(walls=2)])
    assert story(last, "clear row 4").endswith("The castle is complete.")
    assert story(last, "clear row 4", "clear column 2") == (
        "Orange cleared column 2 and drew a flag worth 2."
    )
    assert story(last, "clear row 4", "end") == "Orange cleared nothing more. The game is over."


def test_lines_that_are_kept():
    kept = building(tokens=["d4 e4 b1 b2"])
    assert story(kept, "end") == "Blue ended the turn, and kept row 4 and column 2."


# -- guests --------------------------------------------------------------------------------------

#: A line that gives a floor, and others to clear after it.
FLOOR = {"tokens": ["c5 d5 a1 b1"]}


def invited(name, *moves):
    state = building("architect", **FLOOR, shown=[name, "king", "queen"])
    return story(state, "clear row 5", f"guest {name}", *moves)


def test_a_guest_is_told_with_what_they_bring():
    for name, brings in (
        ("cook", "the Cook: Food brings 1 resident too"),
        ("bohemian", "the Bohemian and drew 4 residents"),
        ("logger", "the Logger: 2 tokens on Wood"),
    ):
        told, _, another = invited(name).partition(". ")
        assert told == f"Blue invited {brings}"
        assert another.endswith(" is on show.")
    queen = building("architect", **FLOOR, shown=["queen", "king", "cook"])
    told = story(queen, "clear row 5", "guest queen")
    assert told.startswith("Blue invited the Queen: 3 points.")


def test_dagobert_rolls():
    assert invited("dagobert").startswith("Blue invited Dagobert, who rolled ")
    state = building("architect", **FLOOR, castles=[castle_with("dagobert")])
    roll = {"rolled": ("dagobert", "any"), "steps": (("choose", ""),)}
    choosing = castlelab.game.changed(state, **roll)
    assert story(choosing, "choose gold") == "Blue made Dagobert's ? into Gold."
    assert story(choosing, "choose gold", "place c3") == "Blue used Gold on c3."
    assert story(choosing, "stop") == "Blue did not need the guest any more."
    rich = castlelab.game.changed(choosing, castles=(castle_with("shepherdess"), Castle()))
    assert story(rich, "choose cloud") == (
        "Blue made Dagobert's ? into Cloud and drew 2 small clouds worth 4."
    )
    monk = castlelab.game.changed(choosing, castles=(castle_with("monk", walls=1), Castle()))
    assert story(monk, "choose gold", "take flag") == "Blue used Gold to draw a flag worth 2."


def test_a_token_of_a_guest_is_put_and_moved():
    state = building("architect", **FLOOR, castles=[castle_with("logger", "magician")])
    again = played(state, "clear row 1")
    assert story(again, "reactivate logger") == (
        "Blue called again on the Logger: 2 tokens on Wood."
    )
    assert story(again, "reactivate logger", "place a3") == "Blue put a token on a3 for a guest."
    assert story(again, "reactivate magician", "shift c5 a1") == "Blue moved a token from c5 to a1."


def test_a_stolen_guest_is_told_with_the_castle_they_leave():
    state = building("architect", tokens=["b4 c4 d4"], castles=[Castle(), castle_with("king")])
    assert story(state, "clear row 4", "steal king") == (
        "Blue stole the King from Orange: 1 point for each flag."
    )


# -- pictures, points and signs --------------------------------------------------------------------


def emblems_of(game):
    state, chance = game.start(2), Chance.seeded(2)
    while not state.over:
        move, chance = Greedy().choose(state, chance)
        yield from (part for part in sentence(state, move) if isinstance(part, Emblem))
        state = state.play(move)


@pytest.mark.parametrize("version", ["apprentice", "architect"])
def test_emblems_have_pictures_that_fit_into_a_line(version):
    found = {emblem.picture for emblem in emblems_of(castlelab.load(GAME, version=version))}
    assert {"die any", "tower", "wall", "floor", "flag", "residents"} <= found
    for picture in found:
        scene = emblem_scene(picture)
        assert scene.height <= 26
        for shape in scene.shapes:
            for role in (getattr(shape, "fill", None), getattr(shape, "stroke", None)):
                assert role is None or (role in LIGHT and role in DARK)
    with pytest.raises(CastlelabError, match="no picture of 'moat'"):
        emblem_scene("moat")


def test_points_have_the_categories_of_the_rulebook():
    state = moment(castles=[Castle(towers=(5, 2), sun=True, residents=7, flags=(1,))])
    assert state.sources(0) == (
        *(("Towers", 7), ("Sun and clouds", 4), ("Residents", 2), ("Flags", 1)),
        ("Guests", 0),
    )


def test_the_legend_explains_what_each_version_shows():
    apprentice, architect = (
        dict(castlelab.load(GAME, version=version).legend)
        for version in ("apprentice", "architect")
    )
    assert apprentice["?"].endswith("as you like")
    assert "Floor" in apprentice
    assert "Steal" not in apprentice
    assert {"Again", "Steal", "Bolt", "Hourglass", "Crown"} <= set(architect)


# -- the terminal ----------------------------------------------------------------------------------


@pytest.mark.parametrize("version", ["apprentice", "architect"])
@pytest.mark.parametrize("players", [2, 4])
def test_a_table_fits_into_a_terminal(players, version):
    state, chance = castlelab.load(GAME, players, version=version).start(6), Chance.seeded(6)
    while not state.over:
        lines = state.compact().splitlines()
        assert len(lines) <= 32
        assert max(map(len, lines)) <= 80
        move, chance = chance.choice(state.moves())
        state = state.after(move)
    assert state.compact().startswith("The game is over")


def test_a_terminal_shows_all_that_one_plays_by():
    table = building("architect", tokens=["a1 b1"], castles=[castle_with("king", floors=1)])
    words = table.compact()
    for part in (
        "Dice: 1 Wood (used), 2 Stone (used).",
        "Blue: clear full lines, or end the turn.",
        "1  [Food]  [Gold]",
        "row 1     Again             full",
        "column 2  Tower 5           misses 3",
        "floors 1, towers none, walls 0, flags none, residents 0 (worth 0); guests King",
        "Orange: 0 points, tokens none on the board, 10 left",
        "On show: Architect (Bolt): a token on any square and 1 resident;",
    ):
        assert part in " ".join(words.splitlines()) or part in words
