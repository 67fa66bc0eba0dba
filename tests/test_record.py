"""Records: what they say, and what comes of damaged, hostile and foreign ones."""

import base64
import json
import string
import tracemalloc
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import castlelab
from castlelab.record import Record, RecordError
from castlelab.rules import CastlelabError, IllegalMove, NotationError

GAME = castlelab.load("castell", players=3, variant="advanced", first="blue")
RECORD = Record.start(GAME, "Sant Joan").play("move Valls").play("end").play("move Mataró")
TABLE = json.loads(RECORD.dumps())

plain = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
anything = st.recursive(
    plain, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner)
)


def refused(text, edition=None):
    """What is said about a record; any other error than ours fails the test."""
    try:
        Record.loads(text, edition)
    except RecordError as error:
        return str(error)
    return ""


def changed(**values):
    return json.dumps(TABLE | values)


def test_a_record_is_json_that_says_all_it_takes_to_replay():
    assert {
        "castlelab": 1,
        "game": "castell",
        "players": 3,
        "options": {"variant": "advanced", "first": "blue"},
        "edition": GAME.edition.digest,
        "seed": "Sant Joan",
        "moves": ["move Valls", "end", "move Mataró"],
    } == TABLE
    assert "Mataró" in RECORD.dumps()  # for people to read, not escaped


def test_what_is_loaded_is_what_was_dumped():
    again = Record.loads(RECORD.dumps())
    assert again == RECORD
    assert hash(again) == hash(RECORD)
    assert again.states == RECORD.states
    assert (again.game.players, again.game.options) == (3, GAME.options)


def test_records_that_differ_in_one_thing_are_different():
    start = Record.start(GAME, 1)
    assert start != Record.start(GAME, 2)
    assert start != start.play("move Valls")
    assert start != Record.start(castlelab.load("castell", players=3), 1)
    assert start != "a record"


def test_undo_and_redo_walk_along_the_moves_and_stop_at_both_ends():
    back = RECORD.undo().undo()
    assert back.moves == ("move Valls",)
    assert back.state == RECORD.states[1]
    assert back.undone == ("end", "move Mataró")
    assert back.redo().redo() == RECORD
    assert back.redo().redo().redo().moves == RECORD.moves
    start = back.undo()
    assert start.undo() is start
    assert RECORD.redo() is RECORD


def test_a_new_move_after_undo_forgets_what_was_undone():
    branch = RECORD.undo().play("move Vilanova")
    assert branch.undone == ()
    assert branch.redo() is branch
    assert RECORD.moves[-1] == "move Mataró"


def test_at_goes_back_and_refuses_numbers_that_are_not_there():
    assert RECORD.at(0).state == RECORD.states[0]
    assert RECORD.at(3) == RECORD
    for number in (-1, 4):
        with pytest.raises(RecordError, match=f"has 3 moves; there is no move {number}"):
            RECORD.at(number)


def test_play_takes_a_move_or_its_notation_and_writes_the_notation_down_clean():
    assert Record.start(GAME).play("  MOVE   valls ").moves == ("move Valls",)
    assert Record.start(GAME).play(GAME.move("move Valls")).moves == ("move Valls",)


def test_an_illegal_or_unreadable_move_leaves_the_record_as_it_was():
    with pytest.raises(IllegalMove):
        RECORD.play("move Mataró")
    with pytest.raises(NotationError):
        RECORD.play("fly Mataró")
    assert len(RECORD.moves) == 3


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ('{"a":' * 50_000, "not JSON"),
        ("9" * 5_000, "not JSON"),
        ("[]", "a record is a JSON object"),
        ("null", "a record is a JSON object"),
        ("NaN", "a record is a JSON object"),
        ('"' + "x" * 500 + '"', "a record is a JSON object"),
        ("{}", "version None"),
        (" " * 1_000_001, "at most a million"),
        (None, "a record is a JSON text"),
        (b"{}", "a record is a JSON text"),
    ],
)
def test_text_that_is_no_record(text, says):
    said = refused(text)
    assert says in said
    assert "\n" not in said
    assert len(said) < 300


@pytest.mark.parametrize("version", [0, 2, "1", None, True, 1.0, [1]])
def test_only_version_1_is_read(version):
    assert "this castlelab reads 1" in refused(changed(castlelab=version))


@pytest.mark.parametrize("key", [key for key in TABLE if key != "castlelab"])
def test_a_missing_key_is_named(key):
    assert f"no '{key}'" in refused(json.dumps({k: v for k, v in TABLE.items() if k != key}))


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("game", "chess", "there is no game 'chess'"),
        ("game", None, "there is no game None"),
        ("game", ["castell"], "there is no game"),
        ("game", "../castell", "there is no game"),
        ("players", 5, "2 to 4 players, not 5"),
        ("players", "3", "not '3'"),
        ("players", 3.0, "not 3.0"),
        ("players", True, "not True"),
        ("players", [], "not []"),
        ("options", [], "options is []; it must be an object"),
        ("options", None, "options is None; it must be an object"),
        ("options", {"variant": 1}, "variant is one of"),
        ("options", {"way": "king"}, "no option 'way'"),
        ("seed", None, "the seed is None"),
        ("seed", 1.5, "the seed is 1.5"),
        ("seed", True, "the seed is True"),
        ("seed", ["x" * 500], "the seed is ['xxx"),
        ("seed", "\ud800", "the seed is '\\ud800'"),
        ("edition", "0123", "played with edition '0123'"),
        ("edition", None, "played with edition None"),
        ("edition", {}, "played with edition {}"),
        ("moves", "end", "moves is 'end'; it must be a list"),
        ("moves", {}, "moves is {}; it must be a list"),
        ("moves", ["end", 7], "move 2 is 7; it must be a text"),
        ("moves", ["end", None], "move 2 is None; it must be a text"),
        ("moves", ["end", "jump\nhigh"], "move 2 ('jump\\nhigh')"),
    ],
)
def test_a_wrong_value_is_told_with_its_key_in_one_line(key, value, says):
    said = refused(changed(**{key: value}))
    assert says in said
    assert "\n" not in said
    assert len(said) < 400


@pytest.mark.parametrize("name", ["players", "edition", "name", "self", "cls", "options"])
def test_no_option_can_pass_for_an_argument_of_the_loader(name):
    assert f"no option '{name}'" in refused(changed(options={name: 3}))


@pytest.mark.parametrize("key", [key for key in TABLE if key != "castlelab"])
def test_values_nested_almost_too_deeply_to_read_are_refused_like_others(key):
    for depth in (*range(20, 900, 80), *range(900, 1000)):
        nested = "[" * depth + "]" * depth
        text = json.dumps(TABLE | {key: "here"}).replace('"here"', nested)
        assert refused(text)


@given(st.text(max_size=200))
def test_any_text_is_refused_in_one_line(text):
    assert "\n" not in refused(text)


@settings(max_examples=200)
@given(st.sampled_from(sorted(TABLE)), anything)
def test_any_value_of_any_key_is_read_or_refused_in_one_line(key, value):
    assert "\n" not in refused(changed(**{key: value}))


@given(st.integers(0, len(RECORD.dumps()) - 1), st.characters())
def test_one_wrong_character_is_read_or_refused_in_one_line(place, character):
    text = RECORD.dumps()
    assert "\n" not in refused(text[:place] + character + text[place + 1 :])


@given(st.lists(st.text(max_size=12) | st.sampled_from(["end", "move Valls"]), max_size=5))
def test_any_moves_are_played_or_refused_by_number(moves):
    said = refused(changed(moves=moves))
    assert not said or said.startswith("move ")
    assert "\n" not in said


def test_an_illegal_move_of_a_record_is_explained_by_its_rule():
    said = refused(changed(moves=["move Valls", "move Mataró"]))
    assert said.startswith("move 2 ('move Mataró')")
    assert "[castell/action-once]" in said
    assert "[castell/move]" in said


def test_nothing_in_a_record_is_executed(tmp_path):
    trap = tmp_path / "trap"
    code = f"__import__('pathlib').Path({str(trap)!r}).touch()"
    for key in TABLE:
        refused(changed(**{key: code}))
        refused(changed(**{key: {"__reduce__": code, "py/object": code}}))
    refused(changed(moves=[code, f"move {code}", f"enter {code}"]))
    assert not trap.exists()


def test_a_record_of_another_edition_asks_for_it(tmp_path):
    own = tmp_path / "own.toml"
    sizes = [30, 0, *[15] * 8]
    own.write_text(
        f'game = "castell"\nname = "Mine"\n[castellers]\nper_size = {sizes}\n', encoding="utf-8"
    )
    mine = Record.start(castlelab.load("castell", edition=own), 4).play("move Valls")
    assert "hand over the same edition file" in refused(mine.dumps())
    assert "hand over the same edition file" in refused(Record.start(GAME).dumps(), own)
    assert Record.loads(mine.dumps(), own).state == mine.state
    gone = tmp_path / "gone.toml"
    assert f"cannot be set up: {gone}: " in refused(mine.dumps(), gone)


def test_files_keep_a_record(tmp_path):
    path = tmp_path / "match.json"
    RECORD.save(path)
    assert Record.load(path) == RECORD
    assert Record.load(str(path)) == RECORD
    assert path.read_text(encoding="utf-8").endswith("}\n")


def test_a_full_disk_costs_no_older_record(tmp_path, monkeypatch):
    path = tmp_path / "match.json"
    RECORD.save(path)

    def full(self, text, **_):
        self.write_bytes(text.encode()[:9])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(CastlelabError, match=r"match\.json cannot be written: No space"):
        Record.start(GAME).save(path)
    assert [file.name for file in tmp_path.iterdir()] == ["match.json"]
    assert Record.load(path) == RECORD


def test_files_that_are_no_records(tmp_path):
    binary, large = tmp_path / "binary.json", tmp_path / "large.json"
    binary.write_bytes(bytes(range(256)))
    large.write_text(" " * 1_000_001, encoding="utf-8")
    for path, says in (
        (tmp_path / "missing.json", "missing.json cannot be read: No such file"),
        (tmp_path, "cannot be read: (Is a directory|Permission denied)"),
        (binary, "binary.json is not UTF-8 text"),
        (large, "large.json is too large"),
        ("nul\0name", "cannot be read"),
    ):
        with pytest.raises(RecordError, match=says) as caught:
            Record.load(path)
        assert "\n" not in str(caught.value)


def test_a_record_error_is_an_error_of_ours():
    assert issubclass(RecordError, CastlelabError)


# -- codes to share ----------------------------------------------------------------------------


def refused_code(code):
    """What is said about a code; any other error than ours fails the test."""
    try:
        Record.from_share(code)
    except RecordError as error:
        return str(error)
    return ""


def packed(text):
    return base64.urlsafe_b64encode(zlib.compress(text.encode())).decode().rstrip("=")


def test_a_code_holds_the_whole_record_in_signs_that_an_address_may_have():
    code = RECORD.share()
    assert Record.from_share(code) == RECORD
    assert Record.from_share(f"  {code}\n").states == RECORD.states
    assert set(code) <= set(string.ascii_letters + string.digits + "-_")
    assert len(code) < 300


@settings(max_examples=25, deadline=None)
@given(
    name=st.sampled_from(list(castlelab.GAMES)),
    seed=st.integers(0, 10**6) | st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
    steps=st.lists(st.integers(0, 10**6), max_size=12),
)
def test_every_record_comes_back_from_its_code(name, seed, steps):
    record = Record.start(castlelab.load(name), seed)
    for step in steps:
        if moves := record.state.moves():
            record = record.play(moves[step % len(moves)])
    again = Record.from_share(record.share())
    assert again == record
    assert again.state == record.state


@settings(max_examples=200, deadline=None)
@given(
    st.text(max_size=40)
    | st.binary(max_size=60).map(lambda b: base64.urlsafe_b64encode(b).decode())
)
def test_any_other_text_is_refused_in_one_line(text):
    said = refused_code(text)
    assert said
    assert "\n" not in said
    assert len(said) < 300


@settings(max_examples=100, deadline=None)
@given(at=st.integers(0, 10**6), sign=st.sampled_from(string.ascii_letters + string.digits))
def test_a_code_with_a_wrong_sign_is_refused_or_says_the_same(at, sign):
    code = RECORD.share()
    at %= len(code)
    wrong = code[:at] + sign + code[at + 1 :]
    assert refused_code(wrong) or Record.from_share(wrong) == RECORD


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("", "the code is empty"),
        (None, "a code is a text"),
        ("A" * 60_001, "at most 60000 characters"),
        ("abc$", "only letters, digits"),
        ("<script>", "not '<'"),
        ("é", "not 'é'"),
        (RECORD.share()[:-4], "damaged"),
        (RECORD.share() + "AAAA", "damaged"),
        (packed("{}"), "version None"),
        (packed("[]"), "a record is a JSON object"),
        (base64.urlsafe_b64encode(zlib.compress(b"\xff")).decode().rstrip("="), "damaged"),
    ],
)
def test_codes_that_are_no_record(code, says):
    assert says in refused_code(code)


def test_a_small_code_that_unpacks_without_end_is_cut_short():
    bomb = packed(" " * 30_000_000)
    assert len(bomb) < 60_000
    tracemalloc.start()
    try:
        assert "more than any game can be" in refused_code(bomb)
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


def test_a_record_shows_where_it_stands():
    assert RECORD._repr_svg_() == RECORD.state._repr_svg_()
    assert RECORD.at(0)._repr_svg_() == RECORD.states[0]._repr_svg_()


def test_a_move_is_told_openly_unless_somebody_listens_who_may_not_know():
    scape = castlelab.load("castlescape", players=2).start(seed=3)
    record = Record.begin_at(scape).play("keep Compass")
    assert record.told(0) == "Blue kept the contract Compass."
    assert "Compass" not in record.told(0, [1])
