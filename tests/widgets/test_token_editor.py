"""The token editor, worked through Python: picks, keys, words, undo, and explanations."""

import pytest
from keys import walk

from castlelab.games.once_upon_a_castle import Board
from castlelab.games.once_upon_a_castle.moment import guests_named
from castlelab.games.once_upon_a_castle.puzzle_complete_a_line import NO_TOKENS, PlaceTokens, Tokens
from castlelab.rules import CastlelabError, IllegalMove, NotationError
from castlelab.widgets import PuzzleCard, editors
from castlelab.widgets.once_upon_a_castle.token_editor import TokenEditor

START = "WSg.. / fgws. / ..fsg / ...fW"
ASK = PlaceTokens(Board.parse(START), ("gold", "food"))


@pytest.fixture
def editor():
    return TokenEditor(ASK)


def pick(editor, *targets):
    for target in targets:
        editor.board.pick(target)
    return str(editor.value)


def test_an_editor_starts_with_the_board_and_offers_what_the_dice_can_do(editor):
    assert editor.value == NO_TOKENS
    assert editor.tokens == Board.parse(START)
    assert set(editor.board.offered) == {"c1", "b2", "e3", "a2", "c3", "d4"}
    assert not editor.board.can_undo
    assert "Dice: Gold and Food." in editor.board.scene.description


def test_squares_take_tokens_and_full_lines_are_told(editor):
    assert pick(editor, "c1") == "c1"
    assert "A token lies on c1." in editor.board.said
    assert "Row 1, gives a wall and 2 residents: full." in editor.board.said
    assert set(editor.board.offered) == {"a2", "c3", "d4"}  # the gold is used
    assert pick(editor, "d4") == "c1, d4"
    assert editor.board.offered == ()


def test_a_crossing_is_told(editor):
    pick(editor, "c1", "a2")
    assert "crosses column 1: choose one" in editor.board.said
    assert "or" in [getattr(shape, "words", "") for shape in editor.board.scene.shapes]


def test_a_token_of_ones_own_comes_off_again(editor):
    assert pick(editor, "c1", "d4", "c1") == "d4"
    assert "The token of c1 is in your hand again." in editor.board.said


@pytest.mark.parametrize(
    ("squares", "rule"),
    [
        (("c2",), "once_upon_a_castle/resource"),
        (("a1",), "once_upon_a_castle/no-moving"),
        (("c1", "b2"), "once_upon_a_castle/resource"),
        (("c1", "d4", "b2"), "once_upon_a_castle/roll"),
    ],
)
def test_a_refusal_names_the_rule_and_lights_the_square(editor, squares, rule):
    *before, wrong = squares
    pick(editor, *before)
    kept = editor.value
    pick(editor, wrong)
    assert f"[{rule}]" in editor.board.said
    assert editor.board.said.startswith(f"A token on {wrong}: ")
    assert not editor.board.ok
    assert editor.board.lit == (wrong,)
    assert editor.value == kept


def test_guests_help_with_the_dice():
    board = Board.parse("fg.. / Sw.. / wfg. / .sfg / ..ws")
    editor = TokenEditor(PlaceTokens(board, ("wood", "residents"), guests=guests_named("troll")))
    assert "b4" in editor.board.offered  # Stone, by Wood
    assert "Troll" in editor.board.scene.description
    assert pick(editor, "b4") == "b4"


def test_a_line_says_what_it_gives(editor):
    pick(editor, "row 4")
    assert editor.board.said == "Row 4, gives a floor: misses d4."
    assert editor.value == NO_TOKENS


def test_undo_and_redo(editor):
    pick(editor, "c1", "d4")
    editor.board.undo()
    assert str(editor.value) == "c1"
    editor.board.press("u")
    assert editor.value == NO_TOKENS
    editor.board.undo()
    assert "nothing to undo" in editor.board.said
    editor.board.redo()
    editor.board.press("r")
    assert str(editor.value) == "c1, d4"
    editor.board.undo()
    pick(editor, "a2")
    assert not editor.board.can_redo


def test_squares_may_be_typed_and_are_one_undo(editor):
    editor.board.write("C1 and d4")
    assert str(editor.value) == "c1, d4"
    assert editor.board.draft == ""
    editor.board.write("clear")
    assert editor.value == NO_TOKENS
    editor.board.undo()
    editor.board.undo()
    assert not editor.board.can_undo


def test_of_several_squares_all_or_none_are_taken(editor):
    editor.board.write("c1, c2")
    assert "[once_upon_a_castle/resource]" in editor.board.said
    assert editor.board.draft == "c1, c2"
    assert editor.value == NO_TOKENS


@pytest.mark.parametrize("text", ["", "  ", "nonsense", "z9", "<b>c1</b>", "c1 " * 20, "c" * 9999])
def test_hostile_text_is_explained_and_changes_nothing(editor, text):
    editor.board.write(text)
    assert editor.board.said
    assert not editor.board.ok
    assert editor.value == NO_TOKENS


def test_build_places_a_whole_answer_on_the_first_board(editor):
    pick(editor, "c1")
    editor.build("b2, c3")
    assert editor.value == Tokens(("b2", "c3"))
    editor.build(NO_TOKENS)
    assert editor.tokens == Board.parse(START)
    editor.board.undo()
    editor.board.undo()
    assert str(editor.value) == "c1"


def test_build_refuses_from_python(editor):
    with pytest.raises(IllegalMove):
        editor.build("c2")
    with pytest.raises(NotationError):
        editor.build("nonsense")
    assert editor.value == NO_TOKENS


def test_those_who_follow_the_value_hear_of_each_token(editor):
    seen = []
    editor.observe(lambda change: seen.append(str(change["new"])), "value")
    pick(editor, "c1", "c2", "d4")  # the second is refused
    editor.board.undo()
    assert seen == ["c1", "c1, d4", "c1"]


def test_keys_alone_place_tokens(editor):
    board = editor.board
    for square in ("c1", "d4"):
        walk(board, square)
        assert board._companion.where.endswith("you may pick this")
        board.press("Enter")
    assert str(editor.value) == "c1, d4"


def test_targets_are_unique_and_inside(editor):
    for _ in range(2):
        scene = editor.board.scene
        ids = [target.id for target in scene.targets]
        assert len(set(ids)) == len(ids)
        assert all(target.x + target.width <= scene.width for target in scene.targets)
        assert scene.width <= 560
        assert scene.fitted(True).width <= 376
        pick(editor, "c1")


@pytest.mark.parametrize("level", range(1, 6))
def test_a_puzzle_is_solved_on_the_board(level):
    card = PuzzleCard(f"once_upon_a_castle/complete-a-line-{level}-7")
    assert isinstance(card.editor, TokenEditor)
    for square in card.puzzle.solution.squares:
        assert square in card.editor.board.offered
        card.editor.board.pick(square)
    assert card.check()
    assert card.solved


def test_an_editor_for_tokens_and_for_nothing_else():
    assert editors.editor_for(ASK).ask == ASK
    assert isinstance(editors.editor_for(ASK), TokenEditor)
    with pytest.raises(CastlelabError, match="no editor for"):
        editors.editor_for("tokens")
    with pytest.raises(CastlelabError, match="needs a PlaceTokens"):
        TokenEditor("tokens")
