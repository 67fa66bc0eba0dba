"""CastleScape in pictures: what can be picked, what is said, and that it fits."""

from xml.etree import ElementTree

import pytest

import castlelab
from castlelab.bots import bot
from castlelab.chance import Chance
from castlelab.draw import svg, text
from castlelab.draw.layout import LETTER, wrapped
from castlelab.draw.scene import Circle, Path, Rect, Text
from castlelab.draw.theme import DARK, LIGHT
from castlelab.game import changed
from castlelab.games.castlescape.board import Board
from castlelab.games.castlescape.box import house_box
from castlelab.games.castlescape.card import Effect
from castlelab.games.castlescape.card_picture import CardLook, card_part, cards_scene
from castlelab.games.castlescape.guild import Guild, TurnGains
from castlelab.games.castlescape.masonry import NOTHING, granted
from castlelab.games.castlescape.picture import cover_scene, table_scene
from castlelab.games.castlescape.sign_picture import Sign, effect_signs
from castlelab.games.castlescape.site_picture import (
    bailey_words,
    board_scene,
    board_words,
    piece,
    square_words,
)
from castlelab.games.castlescape.table_picture import purse

LEAKY = Board.parse("....... / .####.. / .#..#.. / .#a.#.. / .##B... / ....... / .......")
TWO = Board.parse("....... / .##A##. / .#.#.#. / .###B#. / ....... / ..c.... / .......")


def words(scene):
    return [shape.words for shape in scene.shapes if isinstance(shape, Text)]


def middle_game(players, side=13, moves=150, seed=4):
    state = castlelab.load("castlescape", players=players, side=side).start(seed)
    chance, greedy = Chance.seeded(seed), bot("greedy")
    for _ in range(moves):
        if state.over:
            break
        move, chance = greedy.choose(state, chance)
        state = state.play(move)
    return state


# -- the site ----------------------------------------------------------------------------------


def test_every_square_is_a_target_with_a_spoken_name():
    scene = board_scene(TWO)
    assert len(scene.targets) == 49
    names = {target.id: target.name for target in scene.targets}
    assert names["a1"] == "a1, ground"
    assert names["b2"] == "b2, wall"
    assert names["d2"] == "d2, wall with a recruit of Blue, counts 2"
    assert names["c6"] == "c6, ground with a recruit of Green, counts 1"
    assert names["c3"] == "c3, ground of a bailey of 1 square"


def test_a_site_is_told_in_words():
    assert board_words(TWO) == (
        "A site of 7 rows and 7 columns with 13 walls. Recruits: Blue 1, Orange 1, Green 1. "
        "2 baileys: c3: 1 square, influence Blue 2. e3: 1 square, influence Blue 2, Orange 2."
    )
    claims = {bailey.bits: (0, 1) for bailey in TWO.baileys()}
    assert "marked by Blue and Orange" in board_words(TWO, claims)
    assert "bailey" not in board_words(TWO, baileys=False)
    assert square_words(LEAKY, (3, 2)) == "c4, ground with a recruit of Blue, counts 1"


def test_recruits_differ_in_shape_and_say_what_they_count():
    """castlescape/influence"""
    shapes = [piece(player, 0, 0, 10) for player in range(4)]
    assert [type(shape) for shape in shapes] == [Circle, Rect, Path, Path]
    assert len({len(shape.points) for shape in shapes if isinstance(shape, Path)}) == 2
    assert [shape.fill for shape in shapes] == [f"seat-{player}" for player in range(4)]
    said = words(board_scene(Board.parse("ab.\n.A.\n...")))
    assert said.count("2") == 2  # a recruit on a wall, and the name of a row
    assert said.count("1") == 3


def test_baileys_are_filled_with_colour_and_pattern():
    """castlescape/bailey"""
    one = Board.parse("..... / .##A. / .#.#. / .###. / .....")
    scene = board_scene(one)
    assert "site-0" in {getattr(shape, "fill", "") for shape in scene.shapes}
    hatch = [shape for shape in scene.shapes if isinstance(shape, Path) and shape.stroke == "muted"]
    assert len(hatch) == 1
    nobody = board_scene(Board.parse("..... / .###. / .#.#. / .###. / ....."))
    assert "site-nobody" in {getattr(shape, "fill", "") for shape in nobody.shapes}
    plain = board_scene(one, baileys=False)
    assert not {"site-0", "site-nobody"} & {getattr(s, "fill", "") for s in plain.shapes}
    assert "bailey" not in plain.description
    assert all("bailey" not in target.name for target in plain.targets)


def test_a_tie_has_both_patterns_and_the_claimers_colours_win():
    """castlescape/bailey-score"""
    tie = Board.parse("..... / .#BA. / .#.#. / .###. / .....")
    hatch = [s for s in board_scene(tie).shapes if isinstance(s, Path) and s.stroke == "muted"]
    assert len(hatch) == 2
    claimed = board_scene(tie, claims={tie.courts()[0]: (2,)})
    assert "site-2" in {getattr(shape, "fill", "") for shape in claimed.shapes}


@pytest.mark.parametrize("side", [5, 7, 13, 25])
def test_the_tag_of_a_bailey_never_covers_a_recruit(side):
    rows = ["." * side] * side
    rows[1:4] = [f".###{'.' * (side - 4)}", f".#a#{'.' * (side - 4)}", f".###{'.' * (side - 4)}"]
    full = Board.parse("\n".join(rows))
    tags = [s for s in board_scene(full).shapes if isinstance(s, Rect) and s.fill == "paper"]
    assert tags == []
    assert bailey_words(full.baileys()[0]) == "c3: 1 square, influence Blue 1"


def test_a_leak_is_drawn_and_its_corner_is_ringed():
    """castlescape/bailey"""
    path = LEAKY.leak("c3")
    assert LEAKY.gaps(path)
    scene = board_scene(LEAKY, path=path)
    rings = [s for s in scene.shapes if isinstance(s, Circle) and s.stroke == "bad" and not s.fill]
    assert len(rings) == len(LEAKY.gaps(path)) == 1
    lines = [s for s in scene.shapes if isinstance(s, Path) and s.stroke == "bad" and s.dash]
    (line,) = lines
    assert len(line.points) == len(path) + 1  # one more: out of the site
    start = scene.target("c3").centre
    assert line.points[0] == start


@pytest.mark.parametrize("square", ["a1", "g1", "a4", "g4", "d7"])
def test_a_way_out_stays_inside_the_picture(square):
    scene = board_scene(LEAKY, path=[square])
    for shape in scene.shapes:
        if isinstance(shape, Path):
            assert all(0 <= x <= scene.width and 0 <= y <= scene.height for x, y in shape.points)


def test_squares_are_lit_ticked_and_crossed():
    scene = board_scene(
        TWO,
        spots=["a2"],
        crosses=TWO.grid.bit((5, 2)),
        chosen=["c3"],
        lit=["d4"],
        title="A title",
    )
    said = words(scene)
    assert {"✓", "!", "A title"} <= set(said)
    assert scene.title == "A title"


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize("side", [5, 13, 25])
def test_sites_of_every_size_fit_and_render(side, theme):
    rows = ["".join("#" if (r + c) % 3 == 0 else "." for c in range(side)) for r in range(side)]
    scene = board_scene(Board.parse("\n".join(rows)))
    assert scene.width <= 600
    assert all(t.x + t.width <= scene.width for t in scene.targets)
    assert all(t.width >= 20 for t in scene.targets)
    ElementTree.fromstring(svg.render(scene, theme))
    assert text.render(scene)


def test_walls_that_join_are_drawn_in_few_pieces():
    wall = Board.parse("##### / #.... / #.... / #.... / #....")
    stones = [s for s in board_scene(wall).shapes if getattr(s, "fill", "") == "site-stone"]
    assert len(stones) == 2


def test_a_board_shows_itself():
    assert Board.parse("... / .#. / ...")._repr_svg_().startswith("<svg")


# -- cards -------------------------------------------------------------------------------------


LOOKS = {
    "market": CardLook("market it", 10, priced=True),
    "hand": CardLook("hand it", 2, sides=28.2),
}


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
@pytest.mark.parametrize("width", [104.0, 129.0])
@pytest.mark.parametrize("card", house_box().cards, ids=str)
def test_every_card_fits_into_its_frame(card, width, look):
    part = card_part(card, (0, 0, width, 98), 14.1, look)
    for shape in part.shapes:
        if isinstance(shape, Text):
            assert 0 < shape.y - shape.size / 2 < shape.y + shape.size / 2 <= 98
            assert shape.size >= 14.1
            assert len(shape.words) * 7 <= width
        if isinstance(shape, Circle | Rect):
            right = shape.radius if isinstance(shape, Circle) else shape.width
            assert shape.x >= 0
            assert shape.x + right <= width + 1
    assert len(part.targets) == 1 + len(card.choices) * bool(look.sides)
    assert card.describe() in part.targets[0].name
    for target in part.targets:
        assert min(target.width, target.height) >= 24
        assert target.y + target.height <= 98


def test_a_card_shows_what_it_does():
    """castlescape/or, castlescape/penalty"""
    signs = {
        effect.verb: [sign.picture for sign in effect_signs(effect)]
        for card in house_box().cards
        for way in (*card.ways, card.on_purchase)
        for effect in way
    }
    assert signs["walls"] in (["wall"], ["wall"] * 2, ["wall"] * 3)
    assert len({pictures[0] for pictures in signs.values()}) >= 17
    assert effect_signs(Effect("less-infamy", 3)) == (Sign("infamy", after="−3"),)
    assert effect_signs(Effect("walls", 4)) == (Sign("wall", after="×4"),)
    barge = words(card_part(house_box().card("Stone Barge"), (0, 0, 129, 98), 14.1))
    assert {"×4", "×2"} <= set(barge)
    deal = words(card_part(house_box().card("Double Deal"), (0, 0, 129, 98), 14.1))
    assert deal == ["Double Deal", "4", "1", "1"]


def test_a_question_about_cards_has_their_signs_and_words():
    """Whoever meets the signs for the first time can read what they mean."""
    said = " ".join(words(cards_scene([house_box().card("Confession")])))
    for told in ("1 gold", "Infamy −3", "or", "Corruption −1"):
        assert told in said


def test_long_words_are_wrapped():
    lines = wrapped("Have 2 recruits on the ground of finished baileys.", 170, 13 * LETTER)
    assert " ".join(lines) == "Have 2 recruits on the ground of finished baileys."
    assert len(lines) > 1


# -- the table ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "side", "moves"), [(2, 7, 120), (3, 13, 200), (4, 13, 260), (4, 25, 60), (2, 13, 0)]
)
def test_the_table_fits_and_names_its_targets(players, side, moves):
    state = middle_game(players, side, moves)
    scene = state.picture()
    ids = [target.id for target in scene.targets]
    assert len(set(ids)) == len(ids)
    assert len([name for name in ids if name.startswith("guild ")]) == players
    assert all(t.x >= 0 and t.x + t.width <= scene.width for t in scene.targets)
    assert all(t.y >= 0 and t.y + t.height <= scene.height for t in scene.targets)
    assert scene.width <= 900
    assert side * side + players <= len(ids)
    for theme in (LIGHT, DARK):
        ElementTree.fromstring(svg.render(scene, theme))


def test_the_market_tells_prices_and_what_is_left():
    """castlescape/market"""
    scene = middle_game(2, moves=30).picture()
    names = {target.id: target.name for target in scene.targets}
    assert "On the market" in names["market Ramparts"]
    assert "New Contract" in names["market New Contract"]
    assert any(word.startswith("×") for word in words(scene))


def test_somebody_elses_cards_and_contracts_are_not_shown():
    """castlescape/contract"""
    state = middle_game(2, moves=60)
    other = 1 - state.to_move
    own, theirs = state.guilds[other], state.guilds[state.to_move]
    ids = {target.id for target in state.view(other).picture().targets}
    box = state.game.box
    for at in theirs.contracts:
        assert (f"contract {box.contracts[at].name}" in ids) == (at in own.contracts)
    hand = {f"hand {box.cards[at].name}" for at in own.hand}
    assert {name for name in ids if name.startswith("hand ") and " side " not in name} == hand


def test_a_hidden_hand_is_backs():
    state = middle_game(2, moves=4)
    hidden = state.view(0)
    nobody = changed(
        hidden, guilds=tuple(guild.hidden(own=False, over=False) for guild in hidden.guilds)
    )
    scene = nobody.picture()
    assert any("face down" in word for word in words(scene))
    assert not [target for target in scene.targets if target.id.startswith("hand ")]


def test_what_is_left_to_use_is_in_the_purse():
    """castlescape/use-or-return"""
    state = changed(
        middle_game(2, moves=60), agenda=(), turn=TurnGains(gold=3, recruits=2, ousts=1)
    )
    assert {use.key: use.words for use in purse(state)} == {
        "use gold": "3 gold",
        "use recruits": "2 recruits",
        "use ousts": "1 recruit to oust",
    }
    ids = {target.id for target in table_scene(state).targets}
    assert {"use gold", "use recruits", "use ousts", "end"} <= ids


def test_the_whole_table_is_told_part_by_part():
    """Whatever lies open is told: also markers, played cards and what is still to come."""
    state = middle_game(2, side=9, moves=230, seed=2)
    told = {part.words: [thing.words for thing in part.parts] for part in state.tell().parts}
    assert {"Goals for all", "The site", "Guilds", "Market", "This turn"} <= set(told)
    assert len(told["The site"]) == 81
    assert state.claims
    marked = [words for words in told["The site"] if "marked by" in words]
    assert len(marked) == state.enclosed.bit_count()
    assert f"Rotating deck: {len(state.rotating)} to come" in told["Market"][0]
    state = changed(state, turn=TurnGains(played=(0, 0)), agenda=(), active=0)
    assert "Played: Market Stall ×2" in str(state.tell())
    state = changed(state, turn=TurnGains(masonry=granted(NOTHING, 1)))
    assert str(state.tell()).count("a wall may go here") == state.wall_spots().bit_count()
    hidden = changed(state, turn=TurnGains(), active=1).view(0)
    assert "face down" in str(hidden.tell()) or hidden.guilds[0].hand


def test_a_card_that_came_this_turn_says_so():
    """castlescape/buy"""
    state = middle_game(2, side=9, moves=40)
    seat, card = state.active, house_box().places["Ramparts"]
    guild = Guild(deck=(), hand=(card,), owned=(card,))
    state = changed(state, guilds=state.seated(seat, guild), agenda=(), turn=TurnGains(new=(card,)))
    scene = state.picture()
    assert "not this turn" in words(scene)
    assert "It came this turn" in scene.target("hand Ramparts").name


def test_the_game_tells_its_end():
    state = changed(middle_game(2, moves=60), finished=True, agenda=())
    scene = state.picture()
    assert scene.description.startswith("The game is over")
    assert "end" not in {target.id for target in scene.targets}


def test_the_cover_is_a_picture_without_targets():
    scene = cover_scene()
    assert (scene.width, scene.height) == (360, 250)
    assert scene.targets == ()
    for shape in scene.shapes:
        if isinstance(shape, Rect):
            assert shape.x + shape.width <= scene.width + 1
            assert shape.y + shape.height <= scene.height + 1


def test_walls_are_shaded_in_a_terminal_and_the_ground_is_not():
    drawn = text.render(board_scene(Board.parse("..... / .###. / .#.#. / .###. / .....")))
    rows = [line for line in drawn.splitlines() if line.strip()[:1] in "12345"]
    assert [row.count("▒") > 0 for row in rows] == [False, True, True, True, False]
    middle = rows[2]
    centre = len(middle) // 2 + 1
    assert "▒" in middle[:centre]
    assert "▒" in middle[centre:]
