"""The site editor, worked through Python: picks, keys, words, rules, leaks, undo, and lag."""

import json

import pytest
from ipycanvas.canvas import _CANVAS_MANAGER
from keys import walk

from castlelab.games.castlescape.board import Board
from castlelab.rules import CastlelabError, NotationError
from castlelab.widgets import SiteEditor
from castlelab.widgets.castlescape.site_editor import almost_bailey, without_wall

NEARLY = "....... / .###... / .#.#... / .##.... / ....... / ....... / ......."


@pytest.fixture
def editor():
    return SiteEditor(NEARLY, players=4)


def drawn(editor, *squares):
    for square in squares:
        editor.board.pick(square)
    return str(editor.value).splitlines()


def test_an_editor_starts_with_one_wall_or_with_a_board():
    assert SiteEditor().value == Board.start(13)
    assert SiteEditor(25).value == Board.start(25)
    assert SiteEditor("... / .#. / ...").value == Board.parse("... / .#. / ...")
    board = Board.parse(NEARLY)
    assert SiteEditor(board).value == board
    assert not SiteEditor(board).board.can_undo


def test_by_the_rules_it_shows_from_the_start_where_walls_may_go():
    """castlescape/wall-adjacent"""

    def spots(editor):
        shapes = editor.board.scene.shapes
        return [s for s in shapes if getattr(s, "stroke", "") == "site-edge" and s.line == 1.5]

    assert len(spots(SiteEditor(7, by_rules=True))) == 4
    assert spots(SiteEditor(7)) == []
    assert spots(SiteEditor(7, by_rules=True, mode="blue")) == []


@pytest.mark.parametrize("wrong", [12, 3, "", "xyz", True])
def test_a_wrong_board_is_explained(wrong):
    with pytest.raises(CastlelabError):
        SiteEditor(wrong)


@pytest.mark.parametrize("options", [{"players": 0}, {"players": 5}, {"mode": "green"}])
def test_wrong_options_are_explained(options):
    with pytest.raises(CastlelabError):
        SiteEditor(**options)


def test_a_wall_closes_a_bailey_which_is_filled_and_told_at_once(editor):
    """castlescape/bailey"""
    assert drawn(editor, "d4")[3] == ".###..."
    assert editor.board.said == "A wall on d4.\nA bailey: c3: 1 square, no influence."
    assert "ground of a bailey of 1 square" in editor.board.scene.target("c3").name
    assert "site-nobody" in {getattr(s, "fill", "") for s in editor.board.scene.shapes}
    drawn(editor, "d4")
    assert editor.board.said == "The wall of d4 is gone.\nA bailey is open again."


def test_recruits_count_and_climb(editor):
    """castlescape/influence, castlescape/wall-under-recruit"""
    editor.mode = "orange"
    assert drawn(editor, "c3", "d4", "b2")[1:4] == [".B##...", ".#b#...", ".##b..."]
    assert editor.board.said == "A recruit of Orange on b2, counts 2."
    editor.mode = "wall"
    assert drawn(editor, "d4")[3] == ".##B..."
    assert editor.board.said == (
        "A wall on d4, with the recruit on top.\nA bailey: c3: 1 square, influence Orange 5."
    )
    editor.mode = "blue"
    assert drawn(editor, "d4")[3] == ".##A..."
    assert drawn(editor, "d4")[3] == ".###..."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("wall b2", "There is a wall on b2 already."),
        ("blue a1", "There is a recruit of Blue on a1 already."),
        ("erase g7", "There is nothing on g7."),
    ],
)
def test_what_is_typed_is_there_afterwards_and_no_step_if_it_was_before(editor, text, said):
    editor.board.write("blue a1")
    before = editor.value
    editor.board.write(text)
    assert editor.board.said == said
    assert editor.value == before
    editor.board.undo()
    assert not editor.board.can_undo


def test_erasing_takes_the_recruit_first(editor):
    editor.mode = "green"
    drawn(editor, "b2")
    editor.mode = "erase"
    assert drawn(editor, "b2")[1] == ".###..."
    assert drawn(editor, "b2")[1] == "..##..."
    drawn(editor, "b2")
    assert editor.board.said == "There is nothing on b2."


def test_a_recruit_comes_down_with_its_wall():
    board = without_wall(Board.parse("... / .C. / ..."), 1 << 4)
    assert str(board) == "...\n.c.\n..."


# -- rules -------------------------------------------------------------------------------------


def test_free_drawing_tells_which_rule_would_be_broken(editor):
    """castlescape/wall-adjacent, castlescape/no-two-by-two"""
    assert drawn(editor, "g7")[6] == "......#"
    assert "in a game it would not be legal" in editor.board.said
    assert "[castlescape/wall-adjacent]" in editor.board.said
    assert editor.board.lit == ("g7",)
    assert not editor.board.ok
    assert drawn(editor, "c3")[2] == ".###..."
    assert "[castlescape/no-two-by-two]" in editor.board.said
    assert {"b2", "c2", "b3", "c3"} <= set(editor.board.lit)


@pytest.mark.parametrize(
    ("mode", "square", "rule"),
    [
        ("wall", "g7", "castlescape/wall-adjacent"),
        ("wall", "c3", "castlescape/no-two-by-two"),
        ("wall", "b2", "castlescape/wall-free-square"),
        ("blue", "b2", "castlescape/position"),
        ("blue", "a1", "castlescape/position"),
    ],
)
def test_by_the_rules_it_refuses(editor, mode, square, rule):
    editor.mode = "blue"
    drawn(editor, "a1")
    editor.by_rules, editor.mode = True, mode
    before = editor.value
    drawn(editor, square)
    assert f"[{rule}]" in editor.board.said
    assert square in editor.board.lit
    assert not editor.board.ok
    assert editor.value == before


def test_by_the_rules_the_walls_of_one_text_are_one_card(editor):
    """castlescape/wall-contiguous"""
    editor.by_rules = True
    editor.board.write("wall d4 d5")
    assert str(editor.value).splitlines()[3:5] == [".###...", "...#..."]
    editor.board.write("wall a2 e2")
    assert "[castlescape/wall-contiguous]" in editor.board.said
    editor.board.write("wall a2")
    assert editor.board.ok


@pytest.mark.parametrize(("text", "wrong"), [("blue a1 c2", "c2"), ("blue b1 b1", "b1")])
def test_by_the_rules_every_recruit_of_a_text_is_judged(editor, text, wrong):
    """castlescape/position"""
    editor.by_rules = True
    before = editor.value
    editor.board.write(text)
    assert "[castlescape/position]" in editor.board.said
    assert editor.board.lit == (wrong,)
    assert editor.value == before
    editor.board.write("blue a1 b1")
    assert editor.board.ok
    assert str(editor.value).startswith("aa")


def test_the_editor_says_what_the_game_says_of_a_recruit():
    editor = SiteEditor("... / .#. / ...", mode="blue", by_rules=True)
    editor.board.pick("b2")
    assert str(editor.value.check_recruit("b2")) in editor.board.said


@pytest.mark.parametrize(
    ("players", "help_"), [(1, "1 places recruits"), (2, "1 to 2 place recruits")]
)
def test_the_keys_are_those_of_the_players(players, help_):
    assert help_ in SiteEditor(7, players=players).board._companion.keys_help


def test_the_switch_and_the_modes_follow_each_other(editor):
    editor._rules.value = True
    assert editor.by_rules
    assert editor.board.said == "The rules refuse walls that are not legal."
    editor._buttons.value = "gold"
    assert editor.mode == "gold"
    assert editor.board.said == "Recruit of Gold: pick squares."
    editor.by_rules = False
    assert not editor._rules.value
    for wrong in ("purple", "green"):  # nobody plays Green where there are two
        two = SiteEditor(7)
        with pytest.raises(CastlelabError, match="a mode is one of wall, blue, orange, erase"):
            two.mode = wrong
        assert two.mode == "wall"


# -- leaks -------------------------------------------------------------------------------------


def test_the_leak_of_what_is_nearly_a_bailey(editor):
    """castlescape/bailey"""
    editor.show_leak()
    assert editor.board.said == (
        "From c3 one gets to the edge at e1, through the corner between c3 and d4. "
        "[castlescape/bailey]"
    )
    assert "bad" in {getattr(shape, "stroke", "") for shape in editor.board.scene.shapes}
    editor.show_leak()
    assert editor.board.said == "The leak is hidden."
    assert "bad" not in {getattr(shape, "stroke", "") for shape in editor.board.scene.shapes}


def test_the_leak_of_a_square(editor):
    editor.board.write("leak a1")
    assert editor.board.said == "a1 lies at the edge, outside. [castlescape/bailey]"
    editor.board.write("leak c3")
    assert "through the corner between c3 and d4" in editor.board.said
    editor.board.write("leak b2")
    assert editor.board.said == "b2, wall. Nothing leaks there."
    drawn(editor, "d4")
    editor.board.write("leak c3")
    assert editor.board.said == "c3, ground of a bailey of 1 square. Nothing leaks there."


def press_show_the_leak(editor):
    controls = editor.children[0]
    (found,) = (
        child for child in controls.children[1].children if child.description == "Show the leak"
    )
    found.click()


def test_who_has_drawn_the_last_wall_by_mouse_is_shown_the_leak():
    """The focus stays on that wall, but nobody asks whether a wall leaks."""
    site = SiteEditor("....... / .###... / .#..... / .##.... / ....... / ....... / .......")
    drawn(site, "d4")
    press_show_the_leak(site)
    assert site.board.said.startswith("From c3 one gets to the edge")


def test_a_square_to_look_at_is_picked_not_drawn_on():
    site = SiteEditor(7)
    drawn(site, "b2", "f6")
    before = site.value
    press_show_the_leak(site)
    assert site.board.said.endswith("Pick a square to see how it leaks.")
    drawn(site, "d3")
    assert site.board.said.startswith("From d3 one gets to the edge")
    assert site.value == before
    drawn(site, "d3")
    assert site.value != before  # drawing goes on


def test_whoever_draws_on_is_not_asked_for_a_square_any_more():
    site = SiteEditor(7)
    site.show_leak()
    site.mode = "blue"
    drawn(site, "a1")
    assert site.board.said == "A recruit of Blue on a1, counts 1."


def test_nothing_is_nearly_enclosed():
    fresh = SiteEditor(7)
    fresh.show_leak()
    assert fresh.board.said.startswith("No ground is nearly enclosed.")
    assert almost_bailey(fresh.value) == 0
    fresh.show_leak("d3")
    assert fresh.board.said.startswith("From d3 one gets to the edge")


# -- undo, text, keys --------------------------------------------------------------------------


def test_undo_redo_and_clear(editor):
    first = editor.value
    drawn(editor, "d4", "e4")
    editor.board.undo()
    editor.board.press("u")
    assert editor.value == first
    assert not editor.board.can_undo
    editor.board.redo()
    editor.board.press("r")
    assert str(editor.value).splitlines()[3] == ".####.."
    editor.clear()
    assert editor.value.walls == 0
    editor.board.undo()
    assert editor.value.walls
    editor.by_rules = True
    editor.clear()
    assert editor.value == Board.start(7)


def test_a_whole_board_may_be_typed(editor):
    editor.board.write("... / .#a / ...")
    assert editor.value == Board.parse("... / .#a / ...")
    editor.build(NEARLY)
    editor.board.undo()
    assert editor.value.side == 3
    with pytest.raises(NotationError):
        editor.build("nonsense")


@pytest.mark.parametrize(
    "text", ["", "  ", "wall", "wall z9", "dig c3", "<b>", "leak a1 b2", "clear all", "x" * 9999]
)
def test_hostile_text_is_explained_and_changes_nothing(editor, text):
    before = editor.value
    editor.board.write(text)
    assert editor.board.said
    assert not editor.board.ok
    assert editor.value == before


def test_keys_alone_draw(editor):
    board = editor.board
    walk(board, "d4")
    board.press("Enter")
    board.press("2")
    assert editor.mode == "orange"
    walk(board, "c3")
    board.press(" ")
    assert str(editor.value).splitlines()[2:4] == [".#b#...", ".###..."]
    board.press("e")
    board.press("Enter")
    board.press("w")
    assert editor.mode == "wall"
    assert {"w", "e", "l", "1", "2", "3", "4"} <= set(board._companion.own_keys)
    assert "W builds walls" in board._companion.keys_help
    board.press("l")
    assert "Nothing leaks there." in board.said


def test_those_who_follow_the_value_hear_of_each_change(editor):
    seen = []
    editor.observe(lambda change: seen.append(change["new"].walls.bit_count()), "value")
    drawn(editor, "d4", "e4", "e4")
    assert seen == [8, 9, 8]


# -- no lag ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("side", "most"), [(13, 16_000), (25, 24_000)])
def test_a_redraw_is_one_small_message(side, most, monkeypatch):
    """Even a site full of walls, baileys and recruits."""
    sizes = []

    def send(content, buffers=None):
        json.loads(bytes(buffers[0]))
        sizes.append(sum(memoryview(buffer).nbytes for buffer in buffers))

    rows = [
        "".join(
            "#" if (r % 4 == 1 or c % 4 == 1) and 0 < r < side - 1 and 0 < c < side - 1 else "."
            for c in range(side)
        )
        for r in range(side)
    ]
    board = Board.parse("\n".join(rows))
    for number in range(48):
        bit = 1 << number * 7 % (side * side)
        board = board.with_recruit(number % 4, bit, atop=bool(board.walls & bit))
    monkeypatch.setattr(_CANVAS_MANAGER, "send", send)
    editor = SiteEditor(board, players=4)
    editor.board._canvas._handle_frontend_event(editor.board._canvas, {"event": "client_ready"}, [])
    sizes.clear()
    editor.board.pick("a1")
    assert len(sizes) == 1
    assert sizes[0] < most
