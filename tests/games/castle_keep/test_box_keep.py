"""The box of Castle Keep: the house's tiles, an owner's tiles, and how mistakes are told."""

import json
from collections import Counter

import pytest

import castlelab
from castlelab.edition import EditionError
from castlelab.games.castle_keep.castle import TILES, Tile

HOUSE = castlelab.load("castle_keep")
EVEN = {"red": [4, 4, 4], "yellow": [4, 4, 4], "blue": [4, 4, 4]}
KINDS = {"towers": 36, "walls": 36, "keeps": 18}


@pytest.fixture
def own(tmp_path):
    """Load the game with an owner's file of these tables."""

    def load(way="classic", players=None, **tables):
        lines = ['game = "castle_keep"', 'name = "Mine"']
        for name, table in tables.items():
            lines.append(f"[{name}]")
            lines += [f"{json.dumps(key)} = {json.dumps(value)}" for key, value in table.items()]
        path = tmp_path / "own.toml"
        path.write_text("\n".join(lines), encoding="utf-8")
        return castlelab.load("castle_keep", players=players, edition=path, way=way)

    return load


def test_the_house_has_36_towers_36_walls_and_18_keeps():
    """castle_keep/deal: four of each tower, four of each wall, six of each keep."""
    assert Counter(tile.kind for tile in HOUSE.box) == {"tower": 36, "wall": 36, "keep": 18}
    assert Counter(HOUSE.box) == {tile: 6 if tile.kind == "keep" else 4 for tile in TILES}
    assert list(HOUSE.box) == sorted(HOUSE.box, key=TILES.index)


def test_an_owner_may_have_other_counts(own):
    game = own(towers=EVEN | {"red": [5, 3, 4]}, keeps={"red": 8, "yellow": 10, "blue": 0})
    box = Counter(game.box)
    assert (box[Tile("TRC")], box[Tile("TRZ")], box[Tile("TRS")]) == (5, 3, 4)
    assert (box[Tile("KR")], box[Tile("KY")], box[Tile("KB")]) == (8, 10, 0)
    assert len(game.box) == 90
    assert game.edition.sources()["keeps"] == "box"
    assert game.edition.sources()["walls"] == "house"


def test_shapes_are_listed_curvy_zigzag_straight(own):
    game = own(walls=EVEN | {"blue": [1, 4, 7]})
    box = Counter(game.box)
    assert [box[Tile(f"WB{shape}")] for shape in "CZS"] == [1, 4, 7]


def test_an_owner_may_have_another_total_too(own):
    game = own(kinds=KINDS | {"keeps": 30}, keeps={"red": 10, "yellow": 10, "blue": 10})
    assert len(game.box) == 102
    state = game.start(3)
    assert len(state.pile) + sum(map(len, state.hands)) == 102


@pytest.mark.parametrize(
    ("tables", "key", "says"),
    [
        # wrong totals
        ({"keeps": {"red": 6, "yellow": 6, "blue": 7}}, "keeps.blue", "makes 19 keeps in all"),
        ({"towers": EVEN | {"red": [4, 4, 3]}}, "towers.blue", "makes 35 towers in all"),
        ({"walls": EVEN | {"blue": [36, 0, 0]}}, "walls.blue", "must make 36"),
        ({"kinds": KINDS | {"walls": 35}}, "walls.blue", "makes 36 walls in all"),
        # unknown and missing keys
        ({"keeps": {"red": 6, "yellow": 6, "blue": 6, "green": 0}}, "keeps.green", "not known"),
        ({"towers": EVEN | {"violet": [0, 0, 0]}}, "towers.violet", "red, yellow"),
        ({"kinds": KINDS | {"gates": 2}}, "kinds.gates", "is not known here"),
        ({"gates": {"red": 1}}, "gates", "the tables are kinds, towers, walls, keeps"),
        ({"keeps": {"red": 9, "yellow": 9}}, "keeps.blue", "is missing"),
        ({"kinds": {"towers": 36, "walls": 36}}, "kinds.keeps", "is missing"),
        # wrong types
        ({"keeps": {"red": "6", "yellow": 6, "blue": 6}}, "keeps.red", "a whole number from 0"),
        ({"keeps": {"red": 6.0, "yellow": 6, "blue": 6}}, "keeps.red", "is 6.0"),
        ({"keeps": {"red": True, "yellow": 6, "blue": 6}}, "keeps.red", "is True"),
        ({"keeps": {"red": [2, 2, 2], "yellow": 6, "blue": 6}}, "keeps.red", "a whole number"),
        ({"towers": EVEN | {"red": 12}}, "towers.red", "a list of 3 whole numbers"),
        ({"towers": EVEN | {"red": [4, "4", 4]}}, "towers.red", "has '4' in place 2"),
        ({"towers": EVEN | {"red": [6, 6]}}, "towers.red", "has 2 entries"),
        ({"towers": EVEN | {"red": [3, 3, 3, 3]}}, "towers.red", "has 4 entries"),
        # wrong numbers
        ({"keeps": {"red": -1, "yellow": 9, "blue": 10}}, "keeps.red", "is -1"),
        ({"keeps": {"red": 19, "yellow": 0, "blue": -1}}, "keeps.red", "from 0 to 18"),
        ({"walls": EVEN | {"yellow": [5, -1, 8]}}, "walls.yellow", "has -1 in place 2"),
        ({"kinds": KINDS | {"towers": 0}}, "kinds.towers", "is 0"),
        ({"kinds": KINDS | {"towers": 91}}, "kinds.towers", "to 90"),
    ],
)
def test_mistakes_name_the_file_and_the_key(own, tmp_path, tables, key, says):
    with pytest.raises(EditionError) as caught:
        own(**tables)
    assert str(caught.value).startswith(f"{tmp_path / 'own.toml'}: {key} ") or (
        # A table of the house that no longer fits the owner's totals is told by its own file.
        str(caught.value).startswith(f"castle_keep/edition.toml: {key} ")
    )
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('name = "Mine"', "game is missing"),
        ('game = "castell"\nname = "Mine"', "game is 'castell'; write game = \"castle_keep\""),
        ('game = "castle_keep"', "name is missing"),
        ('game = "castle_keep"\nname = "Mine"\nkeeps = 18', "keeps is 18; it must be a table"),
        ('game = "castle_keep"\nname = "Mine"\n[keeps', "is not TOML"),
    ],
)
def test_a_file_says_which_game_it_is_for(tmp_path, text, says):
    path = tmp_path / "own.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(EditionError, match=r"own\.toml: ") as caught:
        castlelab.load("castle_keep", edition=path)
    assert says in str(caught.value)


@pytest.mark.parametrize(("way", "players"), [("solitaire", 1), ("classic", 4), ("empire", 4)])
def test_the_smallest_box_is_enough_to_deal_and_to_draw(own, way, players):
    """castle_keep/deal: whatever box is taken, everybody gets four tiles and can draw two."""
    least = {"towers": 8, "walls": 8, "keeps": 2}
    eight = {"red": [8, 0, 0], "yellow": [0, 0, 0], "blue": [0, 0, 0]}
    keeps = {"red": 2, "yellow": 0, "blue": 0}
    game = own(way, players, kinds=least, towers=eight, walls=eight, keeps=keeps)
    state = game.start(1)
    held = [len(hand) for hand in state.hands]
    assert sorted(held)[-1] == (5 if way == "solitaire" else 6)
    assert set(held) <= {4, sorted(held)[-1]}
    for kind in least:
        with pytest.raises(EditionError, match=rf"kinds.{kind} is {least[kind] - 1}; "):
            own(
                way,
                players,
                kinds=least | {kind: least[kind] - 1},
                towers=eight,
                walls=eight,
                keeps=keeps,
            )
