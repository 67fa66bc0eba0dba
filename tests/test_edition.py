"""House data and owners' files: what replaces what, and how mistakes are told."""

import copy
import json
import tomllib
from datetime import date
from importlib.resources import files

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import castlelab
from castlelab.edition import Edition, EditionError, Table
from castlelab.games.castell.box import read_box
from castlelab.games.castell.play import Castell

HEAD = 'game = "castell"\nname = "Mine"\n'
HOUSE = tomllib.loads(
    (files("castlelab") / "games" / "castell" / "edition.toml").read_text(encoding="utf-8")
)


@pytest.fixture
def own(tmp_path):
    """Load a game with an owner's file of this text."""

    def load(text, head=HEAD, **options):
        path = tmp_path / "own.toml"
        path.write_text(head + text, encoding="utf-8")
        return castlelab.load("castell", edition=path, **options)

    return load


def toml(value):
    """A value as TOML; enough for the values of an edition and for nonsense."""
    match value:
        case bool():
            return str(value).lower()
        case str():
            return json.dumps(value)
        case list():
            return f"[{', '.join(map(toml, value))}]"
        case dict():
            return f"{{ {', '.join(f'{json.dumps(k)} = {toml(v)}' for k, v in value.items())} }}"
        case _:
            return str(value)


def table_text(name, values):
    lines = [f"{json.dumps(key)} = {toml(value)}" for key, value in values.items()]
    return "\n".join([f"[{name}]", *lines, ""])


def test_the_house_edition_holds_what_the_rulebook_lists():
    box = castlelab.load("castell").box
    assert sum(box.castellers) == 150
    assert len(box.castellers) == 10
    assert sum(box.size_tokens) == 30
    assert len(box.performances) == 32
    assert sum(map(len, box.festivals.values())) == 14
    assert len(box.regions) == 7
    assert len(box.wheel_tiles) == 8
    assert set(box.wheel_tiles) == {
        *("balance", "base", "mix", "strength", "width"),
        *("practice", "special"),
    }
    # With four players every festival tile and every size token lies on the calendar.
    assert len(box.calendar) == 14
    assert sum(space.tokens for space in box.calendar) == 30


def test_the_house_divides_evenly_and_doubles_balance():
    box = castlelab.load("castell").box
    assert set(box.castellers) == {15}
    assert set(box.size_tokens) == {3}
    assert box.wheel_tiles.count("balance") == 2


def test_the_house_map_is_the_one_of_the_rules_and_goes_both_ways():
    box = castlelab.load("castell").box
    near = {
        box.regions[region]: {box.regions[other] for other in around}
        for region, around in enumerate(box.neighbours)
    }
    assert near["Vilafranca"] == {"Tarragona", "Valls", "Vilanova", "Terrassa", "Barcelona"}
    assert near["Mataró"] == {"Terrassa", "Barcelona"}
    assert near["Valls"] == {"Tarragona", "Vilafranca"}
    assert sum(map(len, near.values())) == 2 * 11  # eleven borders, each seen from both sides
    assert all(here in near[there] for here, around in near.items() for there in around)


def test_every_house_table_says_where_it_comes_from():
    sources = Edition.load("castell").sources()
    assert set(sources.values()) == {"house"}  # the text names only four of the seven regions


def test_every_house_performance_has_a_name_of_its_own():
    names = [str(tile) for tile in castlelab.load("castell").box.performances]
    assert len(set(names)) == 32


def test_an_owners_table_replaces_that_table_and_no_other(own):
    game = own("[castellers]\nper_size = [150, 0, 0, 0, 0, 0, 0, 0, 0, 0]\n")
    assert game.edition.name == "Mine"
    assert game.edition.sources()["castellers"] == "box"
    assert game.edition.sources()["map"] == "house"
    state = game.start(1)  # and it changes the play: everybody is of size 1
    assert str(state.players[0].team) == "1*7"
    assert {str(region) for region in state.regions} == {"1*3"}
    assert game.box.size_tokens == castlelab.load("castell").box.size_tokens


def test_an_owners_map_decides_where_a_pawn_may_go(own):
    names = HOUSE["regions"]["names"]
    ring = [[one, other] for one, other in zip(names, [*names[1:], names[0]], strict=True)]
    game = own(f"[map]\nneighbours = {toml(ring)}\n", first="blue")
    state = game.start(1).play(game.move("move Barcelona")).play(game.move("end"))
    state = state.play(game.move("end")).play(game.move("end"))
    assert state.to_move == 0
    reached = [str(move) for move in state.moves() if move.kind == "move"]
    assert reached == ["move Mataró", "move Vilanova"]


def test_the_digest_changes_with_the_data_but_not_with_the_name(own):
    house = Edition.load("castell").digest
    assert own("").edition.digest == house
    text = "[size_tokens]\nper_size = [0, 0, 0, 0, 0, 0, 0, 10, 10, 10]\n"
    first = own(text).edition.digest
    assert first != house
    assert own(text, head='game = "castell"\nname = "Other"\n').edition.digest == first


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", ("game is missing", 'write game = "castell"')),
        ('game = "chess"\nname = "x"', ("game is 'chess'", 'write game = "castell"')),
        ('game = 7\nname = "x"', ("game is 7",)),
        ('game = "castell"', ("name is missing", "a name for your edition")),
        ('game = "castell"\nname = 3', ("name is 3",)),
    ],
)
def test_the_head_of_an_owners_file_is_asked_for(own, text, says):
    with pytest.raises(EditionError) as caught:
        own(text, head="")
    for words in ("own.toml: ", *says):
        assert words in str(caught.value)


SHAPES, SHOWN = HOUSE["performances"]["shape"], HOUSE["performances"]["exhibition"]
SPACES = HOUSE["calendar"]["space"]


def performances(shape=SHAPES, exhibition=SHOWN):
    return table_text("performances", {"shape": shape, "exhibition": exhibition})


def calendar(spaces):
    return table_text("calendar", {"space": spaces})


@pytest.mark.parametrize(
    ("text", "key", "wrong", "allowed"),
    [
        ("[castelers]\n", "castelers", "not known", "castellers"),
        ("castellers = 3\n", "castellers", "is 3", "a table [castellers]"),
        ("[castellers]\nper_sise = 3\n", "castellers.per_size", "missing", "10 whole numbers"),
        (
            f"[castellers]\nper_size = {[15] * 10}\nextra = 1\n",
            "castellers.extra",
            "not known",
            "per_size",
        ),
        (
            f'[castellers]\nsource = "house"\nper_size = {[15] * 10}\n',
            "castellers.source",
            "is 'house'",
            '"box"',
        ),
        ("[castellers]\nper_size = 15\n", "castellers.per_size", "is 15", "10 whole numbers"),
        ("[castellers]\nper_size = [150]\n", "castellers.per_size", "1 entries", "10 whole"),
        (
            f"[castellers]\nper_size = {[14] * 10}\n",
            "castellers.per_size",
            "adds up to 140",
            "150",
        ),
        (
            f"[castellers]\nper_size = {[-1, 16, *[15] * 8, 15]}\n",
            "castellers.per_size",
            "-1 in place 1",
            "0–150",
        ),
        (
            "[castellers]\nper_size = [true, 149, 0, 0, 0, 0, 0, 0, 0, 0]\n",
            "castellers.per_size",
            "True in place 1",
            "whole numbers",
        ),
        (f"[size_tokens]\nper_size = {[2] * 10}\n", "size_tokens.per_size", "up to 20", "30"),
        (
            '[map]\nneighbours = [["Valls", "Valls"]]\n',
            "map.neighbours[1]",
            "['Valls', 'Valls']",
            "pair of different regions out of Barcelona",
        ),
        (
            '[map]\nneighbours = [["Valls", "Paris"]]\n',
            "map.neighbours[1]",
            "Paris",
            "out of Barcelona",
        ),
        ('[map]\nneighbours = ["Valls"]\n', "map.neighbours", "'Valls' in place 1", "a list"),
        (
            '[map]\nneighbours = [["Valls", "Tarragona"]]\n',
            "map.neighbours",
            "leaves Barcelona",
            "neighbour",
        ),
        (
            '[wheel]\ntiles = ["flight"]\nclockwise = []\n',
            "wheel.tiles",
            "'flight' in place 1",
            "balance, base",
        ),
        (
            table_text("wheel", HOUSE["wheel"] | {"source": "box", "tiles": ["mix"] * 8}),
            "wheel.tiles",
            "has no balance",
            "each kind",
        ),
        (
            table_text("wheel", HOUSE["wheel"] | {"source": "box", "clockwise": ["Valls"] * 7}),
            "wheel.clockwise",
            "Valls twice",
            "each region once",
        ),
        ('[festivals]\nI = ["Valls"]\nII = []\n', "festivals.I", "have 1 tiles", "14"),
        (
            calendar([{"round": 2, "back": "I", "tokens": 1, "players": 2}]),
            "calendar.space[1].round",
            "is 2",
            "from 3 to 10",
        ),
        (
            calendar([{"round": 3, "back": "III", "tokens": 1, "players": 2}]),
            "calendar.space[1].back",
            "'III'",
            "one of I, II",
        ),
        (
            calendar([{"round": 3, "back": "I", "tokens": 4, "players": 2}]),
            "calendar.space[1].tokens",
            "is 4",
            "from 1 to 3",
        ),
        (
            calendar([*SPACES, {"round": 3, "back": "I", "tokens": 1, "players": 2}]),
            "calendar.space",
            "uses 8 tiles marked I",
            "there are 7",
        ),
        (calendar(SPACES[1:]), "calendar.space", "0 festivals in round 3", "1 or 2"),
        (
            calendar([space | {"tokens": 3} for space in SPACES]),
            "calendar.space",
            "shows 42 size tokens",  # 3 at each of 14 festivals
            "there are 30",
        ),
        (calendar([7]), "calendar.space", "7 in place 1", "tables"),
        (performances(SHAPES[1:]), "performances.shape", "31 tiles", "32"),
        (
            performances([{"widths": [2, 3], "points": 2}]),
            "performances.shape[1].widths",
            "[2, 3]",
            "never grow",
        ),
        (
            performances([{"widths": [], "points": 2}]),
            "performances.shape[1].widths",
            "[]",
            "1 to 20",
        ),
        (
            performances(exhibition=[{"points": 3, "skills": {}}]),
            "performances.exhibition[1].skills",
            "is empty",
            "balance",
        ),
        (
            performances(exhibition=[{"points": 3, "skills": {"streng": 1}}]),
            "performances.exhibition[1].skills.streng",
            "not known",
            "strength",
        ),
        (
            performances(exhibition=[{"points": 3, "skills": {"mix": 6}}]),
            "performances.exhibition[1].skills.mix",
            "is 6",
            "from 1 to 5",
        ),
        (
            performances([*SHAPES[1:], {"widths": SHAPES[1]["widths"], "points": 9}]),
            "performances.shape",
            "1-1-1 with different points",
            "name",
        ),
        (
            f"[regions]\nnames = {toml(['A b', *'CDEFGH'])}\n",
            "regions.names",
            "'A b'",
            "without spaces",
        ),
        (
            f"[regions]\nnames = {toml(['a', *'ACDEFG'])}\n",
            "regions.names",
            "'a'",
            "seven different",
        ),
        (f"[regions]\nnames = {toml([*'ABC'])}\n", "regions.names", "3 entries", "7 texts"),
    ],
)
def test_each_mistake_names_the_file_the_key_what_is_wrong_and_what_is_allowed(
    own, tmp_path, text, key, wrong, allowed
):
    with pytest.raises(EditionError) as caught:
        own(text)
    said = str(caught.value)
    assert said.startswith(f"{tmp_path / 'own.toml'}: {key} ")
    assert wrong in said
    assert allowed in said
    assert "\n" not in said


def test_other_regions_need_other_tables_and_the_error_names_the_one_that_lags(own):
    with pytest.raises(
        EditionError, match=r"castell/edition.toml: wheel.clockwise has 'Barcelona'"
    ):
        own(f"[regions]\nnames = {toml([*'ABCDEFG'])}\n")


def test_a_whole_box_with_other_regions_can_be_played(own):
    names = [*"ABCDEFG"]
    text = table_text("regions", {"names": names})
    text += table_text("map", {"neighbours": [["A", other] for other in names[1:]]})
    text += table_text("wheel", {"tiles": HOUSE["wheel"]["tiles"], "clockwise": names[::-1]})
    text += table_text("festivals", {"I": names, "II": names})
    game = own(text, players=4, first="blue")
    state = game.start(2).play(game.move("move g"))
    assert state.players[0].pawn == 6
    assert [str(move) for move in state.play(game.move("end")).moves()][:2] == ["move A", "move B"]


@pytest.mark.parametrize("key", ["a\nb", "x" * 500, "\u2028", "\x07"])
def test_odd_keys_are_told_in_one_line(own, key):
    for text in (
        f"{json.dumps(key)} = 1\n",
        f"[castellers]\nper_size = {[15] * 10}\n" + json.dumps(key) + " = 1\n",
    ):
        with pytest.raises(EditionError) as caught:
            own(text)
        said = str(caught.value)
        assert said.splitlines() == [said]
        assert len(said) < 300


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"\xff\xfe", "is not UTF-8 text"),
        (b"game = ", "is not TOML"),
        (b"game = 'castell'\ngame = 'castell'", "is not TOML"),
        (b"x = " + b"[" * 50_000, "is not TOML"),
        (b"x = " + b"9" * 5_000, "is not TOML"),
        (b"x = 2024-13-45", "is not TOML"),
        (b"#" * 1_000_001, "larger than 1000000 bytes"),
    ],
)
def test_files_that_are_no_toml(tmp_path, content, says):
    path = tmp_path / "odd.toml"
    path.write_bytes(content)
    with pytest.raises(EditionError, match=says) as caught:
        Edition.load("castell", path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


def test_paths_that_lead_nowhere(tmp_path):
    with pytest.raises(EditionError, match=r"gone.toml: cannot be read: No such file"):
        Edition.load("castell", tmp_path / "gone.toml")
    with pytest.raises(EditionError, match=r"cannot be read: (Is a directory|Permission denied)"):
        Edition.load("castell", tmp_path)
    for path in (5, b"x", ["own.toml"], {"castellers": 1}, "nul\0name"):
        with pytest.raises(EditionError):
            Edition.load("castell", path)


def paths_in(value, path=()):
    """The way to every value inside a value."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in items:
        if isinstance(inner, (dict, list)):
            yield from paths_in(inner, (*path, key))
        else:
            yield (*path, key)


TABLES = {name: table for name, table in HOUSE.items() if name != "name"}
PLACES = [path for path in paths_in(TABLES) if path]
odd = st.one_of(
    st.integers(-3, 200),
    st.integers(),
    st.booleans(),
    st.floats(),
    st.text(max_size=6),
    st.sampled_from(["balance", "I", "II", "Valls", "", " ", "a b", date(2024, 6, 24)]),
    st.lists(st.integers(0, 20), max_size=12),
    st.lists(st.sampled_from(HOUSE["regions"]["names"]), max_size=8),
    st.dictionaries(st.text(max_size=4), st.integers(0, 9), max_size=3),
    st.just([]),
    st.just([[]]),
    st.just({}),
)


@settings(max_examples=400)
@given(st.sampled_from(PLACES), odd)
def test_an_edition_with_one_value_changed_loads_or_is_explained(path, value):
    tables = copy.deepcopy(TABLES)
    inner = tables
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    said = ""
    edition = Edition("castell", "mutant", tables, dict.fromkeys(tables, "mutant.toml"))
    try:
        if isinstance(tables.get(path[0]), dict):
            box = read_box(edition)
            Castell(4, edition).start(1)
            assert sum(box.castellers) == 150
    except EditionError as error:
        said = str(error)
        assert said.startswith("mutant.toml: ")
    assert "\n" not in said


@settings(max_examples=150)
@given(st.data(), st.sampled_from(sorted(TABLES)), odd)
def test_an_owners_file_with_one_value_changed_loads_or_is_explained(
    tmp_path_factory, data, name, value
):
    table = copy.deepcopy(TABLES[name])
    table["source"] = "box"
    path = data.draw(st.sampled_from([path for path in paths_in(table) if path]))
    inner = table
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    file = tmp_path_factory.getbasetemp() / "mutant.toml"
    file.write_text(HEAD + table_text(name, table), encoding="utf-8")
    said = ""
    try:
        castlelab.load("castell", edition=file).start(1)
    except EditionError as error:
        said = str(error)
    assert "\n" not in said


@given(st.binary(max_size=60))
def test_no_bytes_crash_the_reader(tmp_path_factory, content):
    file = tmp_path_factory.getbasetemp() / "bytes.toml"
    file.write_bytes(content)
    with pytest.raises(EditionError) as caught:
        Edition.load("castell", file)
    assert "\n" not in str(caught.value)


def test_a_table_within_a_table_and_texts_of_any_kind_can_be_read():
    table = Table("x.toml", "top", {"inner": {"name": "n", "list": ["a", "b"]}, "source": "box"})
    inner = table.table("inner")
    assert inner.text("name") == "n"
    assert inner.texts("list") == ("a", "b")
    assert list(table) == ["inner"]
    inner.finish()
    table.finish()
    with pytest.raises(EditionError, match=r"top.inner.name is 'n'; it must be one of a, b"):
        inner.text("name", ("a", "b"))
    with pytest.raises(EditionError, match=r"x.toml: top.none is missing; it must be a table"):
        table.table("none")
