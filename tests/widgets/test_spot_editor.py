"""The spot editor, worked through Python: squares found, walls built, recruits given up."""

import pytest
from keys import walk

from castlelab.games.castlescape.board import Board
from castlelab.games.castlescape.lessons import lesson
from castlelab.games.castlescape.puzzles import BuildWalls, FindSquares, GiveUp, Spots
from castlelab.rules import CastlelabError, IllegalMove, NotationError
from castlelab.widgets import PuzzleCard, SpotEditor, editors
from castlelab.widgets.castlescape.spot_editor import NO_SPOTS

RING = Board.parse("....... / .####.. / .#..#.. / .##.#.. / ..###.. / ....... / .......")
OPEN = Board.parse("....... / .####.. / .#..#.. / .##.... / ..##... / ....... / .......")
MANNED = Board.parse("....... / .##A#.. / .#ab#.. / .##.B.. / ..###.. / a...... / .......")


def pick(editor, *targets):
    for target in targets:
        editor.board.pick(target)
    return str(editor.value)


# -- find squares --------------------------------------------------------------------------------


def test_squares_are_chosen_and_given_back():
    editor = SpotEditor(FindSquares(RING))
    assert editor.value == NO_SPOTS
    assert pick(editor, "c3", "d3") == "c3 d3"
    assert editor.board.said == "d3 is chosen.\n2 squares chosen."
    assert pick(editor, "c3") == "d3"
    assert "c3 is given back." in editor.board.said


def test_the_bailey_is_not_given_away():
    """castlescape/bailey"""
    scene = SpotEditor(FindSquares(RING)).board.scene
    assert "bailey" not in scene.description
    assert not [target for target in scene.targets if "bailey" in target.name]
    fills = {getattr(shape, "fill", "") for shape in scene.shapes}
    assert not {"site-nobody", "site-0"} & fills


# -- build walls ---------------------------------------------------------------------------------


def test_walls_are_built_by_the_rules_and_close_baileys():
    """castlescape/wall-adjacent, castlescape/wall-contiguous"""
    editor = SpotEditor(BuildWalls(OPEN, 2))
    assert "e4" in editor.board.offered
    assert editor.board.said == "2 walls left."
    assert pick(editor, "e4") == "e4"
    assert editor.site.walls & OPEN.grid.bit((3, 4))
    assert pick(editor, "e5") == "e4 e5"
    assert "0 walls left." in editor.board.said
    assert "A bailey: c3, d3, d4: 3 squares, no influence." in editor.board.said
    assert editor.board.offered == ()
    pick(editor, "f5")
    assert editor.board.said == "There are only 2 walls. Pick one to take it back."
    assert str(editor.value) == "e4 e5"


@pytest.mark.parametrize(
    ("before", "wrong", "rule"),
    [
        ((), "g7", "castlescape/wall-adjacent"),
        ((), "c3", "castlescape/no-two-by-two"),
        ((), "b2", "castlescape/wall-free-square"),
        (("e4",), "b5", "castlescape/wall-contiguous"),
    ],
)
def test_a_refused_wall_names_the_rule(before, wrong, rule):
    editor = SpotEditor(BuildWalls(OPEN, 3))
    pick(editor, *before)
    kept = editor.value
    pick(editor, wrong)
    assert f"[{rule}]" in editor.board.said
    assert wrong in editor.board.lit
    assert editor.value == kept


def test_a_wall_that_others_lean_on_takes_them_along():
    editor = SpotEditor(BuildWalls(OPEN, 3))
    assert pick(editor, "e4", "f4", "g4") == "e4 f4 g4"
    assert pick(editor, "f4") == "e4"
    assert editor.board.said.startswith("f4 and g4 are given back.")
    assert pick(editor, "f4", "e4") == ""  # f4 has no other wall beside it


# -- give up -------------------------------------------------------------------------------------


def test_recruits_are_given_up_and_counted():
    """castlescape/inspection"""
    editor = SpotEditor(GiveUp(MANNED, 0, 3))
    assert set(editor.board.offered) == {"d2", "c3", "a6"}
    assert editor.board.said == "Influence given up: 0 of 3."
    assert pick(editor, "d2") == "d2"
    assert editor.board.said.endswith("Influence given up: 2 of 3.")
    assert pick(editor, "c3", "a6", "c3") == "d2 a6"
    assert editor.board.said.endswith("Influence given up: 3 of 3.")
    assert "bad" in {getattr(shape, "stroke", "") for shape in editor.board.scene.shapes}


@pytest.mark.parametrize("square", ["d3", "e4", "a1", "b2"])
def test_only_own_recruits_are_given_up(square):
    editor = SpotEditor(GiveUp(MANNED, 0, 3))
    pick(editor, square)
    assert editor.board.said == f"No recruit of Blue stands on {square}."
    assert not editor.board.ok
    assert editor.value == NO_SPOTS


@pytest.mark.parametrize(
    ("text", "said"), [("c3", "c3 is"), ("d3, c3", "d3 and c3 are"), ("c3 c3", "")]
)
def test_what_is_chosen_already_is_no_step(text, said):
    editor = SpotEditor(FindSquares(RING))
    editor.board.write("c3 d3")
    editor.board.write(text)
    assert editor.board.said.startswith(f"{said} chosen already.") or not said
    editor.board.undo()
    assert editor.value == NO_SPOTS


def test_what_is_told_begins_with_a_capital():
    editor = SpotEditor(FindSquares(RING))
    with pytest.raises(CastlelabError, match=r"^A square can be chosen only once"):
        editor.build(Spots(((2, 2), (2, 2))))


# -- all of them ---------------------------------------------------------------------------------

ASKS = [FindSquares(RING), BuildWalls(OPEN, 2), GiveUp(MANNED, 0, 3)]
GOOD = ["c3 d3", "e4 e5", "d2 a6"]
each = pytest.mark.parametrize(("ask", "good"), [*zip(ASKS, GOOD, strict=True)])


@each
def test_undo_redo_text_and_clear(ask, good):
    editor = editors.editor_for(ask)
    editor.board.write(good.upper().replace(" ", ", "))
    assert str(editor.value) == good
    editor.board.write("clear")
    assert editor.value == NO_SPOTS
    editor.board.undo()
    assert str(editor.value) == good
    editor.board.press("u")
    assert not editor.board.can_undo
    editor.board.press("r")
    assert str(editor.value) == good


@each
@pytest.mark.parametrize("text", ["", " ", "z9", "c3 y25", "<b>", "x" * 9999])
def test_hostile_text_is_explained_and_changes_nothing(ask, good, text):
    editor = editors.editor_for(ask)
    editor.board.write(text)
    assert editor.board.said
    assert not editor.board.ok
    assert editor.value == NO_SPOTS


@each
def test_keys_alone_choose(ask, good):
    editor = editors.editor_for(ask)
    for square in good.split():
        walk(editor.board, square)
        editor.board.press("Enter")
    assert str(editor.value) == good


@each
def test_build_takes_a_whole_answer(ask, good):
    editor = editors.editor_for(ask)
    editor.build(good)
    editor.build(ask.read(good))
    assert str(editor.value) == good
    with pytest.raises(NotationError):
        editor.build("nonsense")
    with pytest.raises(CastlelabError, match="only once"):
        editor.build(Spots(ask.read(good).squares * 2))
    assert str(editor.value) == good


def test_build_refuses_from_python():
    with pytest.raises(IllegalMove):
        SpotEditor(BuildWalls(OPEN, 2)).build("g7")


def test_an_editor_for_squares_and_for_nothing_else():
    for ask in ASKS:
        assert isinstance(editors.editor_for(ask), SpotEditor)
    with pytest.raises(CastlelabError, match="no editor for"):
        editors.editor_for("squares")
    with pytest.raises(CastlelabError, match="needs FindSquares"):
        SpotEditor("squares")


@pytest.mark.parametrize("level", [1, 3, 5])
@pytest.mark.parametrize("kind", ["find-the-bailey", "close-it", "inspection"])
def test_a_puzzle_is_solved_on_the_site(kind, level):
    card = PuzzleCard(f"castlescape/{kind}-{level}-7")
    assert isinstance(card.editor, SpotEditor)
    for square in str(card.puzzle.solution).split():
        card.editor.board.pick(square)
    assert card.check()
    assert card.solved


def test_a_wrong_answer_shows_where_the_ground_leaks():
    card = PuzzleCard(lesson("first-bailey"))
    before = card.editor.board.scene
    assert pick(card.editor, "f4", "g4") == "f4 g4"
    chosen = card.editor.board.scene
    assert not card.check()
    shown = card.editor.board.scene
    assert shown == card.puzzle.picture("f4 g4") != chosen
    assert card.editor.board.said == "g4 is chosen.\n2 squares chosen."
    card.editor.board.undo()  # and the bench goes on as before
    assert card.editor.value == Spots(((3, 5),))
    assert [target.id for target in before.targets] == [target.id for target in shown.targets]
