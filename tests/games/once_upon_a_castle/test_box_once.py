"""The box of Once Upon a Castle: what the house prints, and what an owner may."""

import pytest

import castlelab
from castlelab.edition import EditionError
from castlelab.games.once_upon_a_castle import RESOURCES
from castlelab.games.once_upon_a_castle.box import house_layouts


def house(version="apprentice"):
    return castlelab.load("once_upon_a_castle", version=version)


def test_the_house_boards_keep_to_what_is_known():
    for layout in house_layouts():
        gifts = [line.gift for line in layout.lines]
        assert {gift.tower for gift in gifts if gift.tower} == {2, 5}
        assert {gift.flag for gift in gifts if gift.flag} == {1, 2}
        walls = [gift.residents for gift in gifts if gift.wall]
        assert len(walls) == len(set(walls)) == 3
        assert sum(gift.flag > 0 for gift in gifts) == 4
        by_length = [(line.is_row, len(line.squares), line.gift) for line in layout.lines]
        assert any(not row and n == 3 and gift.residents == 3 for row, n, gift in by_length)
        assert any(row and n == 2 and gift.floor for row, n, gift in by_length)
        for resource in RESOURCES:
            assert layout.bits_of[resource].bit_count() == 3


def test_the_special_lines_of_the_architect():
    apprentice, architect = house_layouts()
    found = {
        "reactivate": [line for line in architect.lines if line.gift.reactivate],
        "steal": [line for line in architect.lines if line.gift.steal],
    }
    (again,), (steal,) = found.values()
    assert sorted(square.resource for square in again.squares) == ["food", "gold"]
    assert sorted(square.resource for square in steal.squares) == ["food", "gold", "stone"]
    assert not any(line.gift.steal or line.gift.reactivate for line in apprentice.lines)


def test_there_are_as_many_guests_as_cards():
    assert len(house().box.guests) == 16
    assert len(house("architect").box.guests) == 20


def test_every_table_says_where_it_comes_from():
    assert house().edition.sources() == {
        "apprentice_board": "house",
        "architect_board": "house",
        "residents": "house",
        "apprentice_guests": "house",
        "architect_guests": "rulebook",
    }


BOARD = {
    "pattern": ["WSG..", "FGWS.", "..FSG", "...FW"],
    "rows": ["wall", "tower 5", "tower 2", "floor"],
    "columns": ["flag 1", "flag 2", "wall + 3 residents", "wall", "1 resident"],
}


def owner_file(tmp_path, text):
    path = tmp_path / "my-box.toml"
    path.write_text(f'game = "once_upon_a_castle"\nname = "My box"\n{text}', encoding="utf-8")
    return path


def board_table(name="apprentice_board", **changes):
    lines = [f"{key} = {value}" for key, value in (BOARD | changes).items()]
    return f"[{name}]\n" + "\n".join(lines)


def test_the_owner_of_a_box_may_replace_tables(tmp_path):
    text = board_table() + "\n[residents]\ngroups = [3, 3]\nvalues = [1, 9]\n"
    game = castlelab.load("once_upon_a_castle", edition=owner_file(tmp_path, text))
    assert game.box.track.length == 6
    assert game.box.track.value(4) == 9
    assert game.box.layout.lines[0].gift.words == "a wall"
    assert game.edition.sources()["residents"] == "box"
    state = game.start(1)
    while not state.over:
        state = state.play(state.moves()[0])


def test_guests_may_have_other_names(tmp_path):
    source = castlelab.load("once_upon_a_castle").edition.tables["architect_guests"]["guest"]
    rows = [
        f'{{ name = "{guest["name"].replace("king", "koenig")}", points = {guest["points"]}, '
        f'power = "{guest["power"]}" }}'
        for guest in source
    ]
    text = f"[architect_guests]\nguest = [{', '.join(rows)}]"
    path = owner_file(tmp_path, text)
    game = castlelab.load("once_upon_a_castle", version="architect", edition=path)
    assert "koenig" in game.guest_named
    assert game.guest_named["koenig"].power == "per-flag"


def guests(first):
    return f"[architect_guests]\nguest = [{first}]"


LOGGER = '{ name = "logger", points = 1, power = "two-wood" }'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            board_table(pattern=["WSG..", "FGWS.", "..FSG", "...WW"]),
            "pattern has 4 squares of wood",
        ),
        (board_table(pattern=["WSG..", "FGWS.", "..FSG", "...F."]), "2 squares of wood"),
        (board_table(pattern=["WSGFG", "FWSW.", "SGF.."]), "has a row of 5 at a1"),
        (board_table(pattern=["W.SG.", "FGWS.", "..FSG", "...FW"]), "has a row of 1 at a1"),
        (board_table(pattern=["WSG.", "FGWS.", "..FSG", "...FW"]), "rows of the same length"),
        (board_table(pattern=["WSG......"] * 3), "is wider than 8 squares"),
        (board_table(pattern=["WSX..", "FGWS.", "..FSG", "...FW"]), "has 'X'; a square is W, S"),
        (board_table(pattern=[7]), "pattern has 7 in place 1; it must be a text"),
        (
            board_table(rows=["wall", "tower 5", "floor"]),
            "rows has 3 gifts; the pattern has 4 rows",
        ),
        (board_table(columns=["wall"] * 6), "columns has 6 gifts; the pattern has 5 columns"),
        (board_table(rows=["wall", "tower 5", "tower 2", "wall"]), "have no floor"),
        (board_table(rows=["wall", "floor", "floor", "floor"]), "have no tower"),
        (
            board_table(rows=["floor"] * 3 + ["tower 2"], columns=["flag 1"] * 5),
            "have no wall; each main part needs a line",
        ),
        (board_table(rows=["keep", "tower 5", "tower 2", "floor"]), "rows has 'keep'; a gift is"),
        (board_table(rows=["tower", "tower 5", "tower 2", "floor"]), "rows has 'tower'"),
        (board_table(rows=["wall + wall", "tower 5", "tower 2", "floor"]), "each part goes there"),
        (board_table(rows=["steal", "tower 5", "tower 2", "floor"]), "'steal'; it is for the arch"),
        (board_table(rows=["reactivate", "tower 5", "tower 2", "floor"]), "'reactivate'; it is"),
        (board_table(rings=["wall"]), "apprentice_board.rings is not known here"),
        (board_table("architect_board", rows=["wall"]), "architect_board.rows has 1 gifts"),
        ("[residents]\ngroups = [0]\nvalues = [1]", "residents.groups has 0 in place 1"),
        ("[residents]\ngroups = []\nvalues = []", "residents.groups has 0 groups"),
        ("[residents]\ngroups = [50, 50]\nvalues = [1, 2]", "has 2 groups and 100 residents"),
        ("[residents]\ngroups = [5, 5]\nvalues = [1]", "residents.values has 1 entries"),
        ("[residents]\ngroups = [5, 5]\nvalues = [2, 1]", "a later group is never worth less"),
        ("[residents]\ngroups = [5]", "residents.values is missing"),
        ("[apprentice_guests]\nvalues = [1]", "apprentice_guests.values has 1 entries"),
        ("[apprentice_guests]\nvalues = [99]", "apprentice_guests.values has 99 in place 1"),
        (guests(LOGGER), "guest has nobody with token-and-resident"),
        (guests(LOGGER.replace("two-wood", "fly")), "guest[1].power is 'fly'; it must be one of"),
        (guests(LOGGER.replace("logger", "Log Ger")), "it must be one word of small letters"),
        (guests(LOGGER.replace("1", "-1")), "guest[1].points is -1"),
        (guests(f"{LOGGER}, {LOGGER}"), "guest[2].name is logger once more"),
        (
            guests(f"{LOGGER}, {LOGGER.replace('logger', 'miner')}"),
            "guest[2].power is two-wood like that of logger",
        ),
        (guests(LOGGER.replace("points", "worth")), "guest[1].points is missing"),
        (guests("7"), "guest has 7 in place 1"),
    ],
)
def test_wrong_tables_are_told_by_file_and_key(tmp_path, text, says):
    path = owner_file(tmp_path, text)
    for version in ("apprentice", "architect"):  # whichever is played
        with pytest.raises(EditionError) as caught:
            castlelab.load("once_upon_a_castle", version=version, edition=path)
        assert str(caught.value).startswith(f"{path}: ")
        assert says in str(caught.value)
        assert "\n" not in str(caught.value)
