"""Every lesson of every page, done by a learner who does what the words say."""

import ast
import re
from fractions import Fraction
from functools import cache
from importlib import import_module
from pathlib import Path

import ipywidgets
import nbformat
import pytest
from keys import walk
from lesson_scripts import ANSWERS, ROUND_E4, SCRIPTS, THEN, TRIALS, named, put
from tables import told

import castlelab
from castlelab import widgets
from castlelab.game import GAMES
from castlelab.games.castell import Tower
from castlelab.games.castlescape import Board
from castlelab.puzzles import Puzzle, lessons, puzzle
from castlelab.widgets import ChoiceCard, GameTable, GuessCard
from castlelab.widgets.card.puzzle_card import PuzzleCard

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))


# -- what there is -----------------------------------------------------------------------------


@cache
def asked(name: str) -> Puzzle:
    """The puzzle that is remembered by a name."""
    game, _, lesson = name.partition("/lesson-")
    found = import_module(f"castlelab.games.{game}.lessons").lesson(lesson) if lesson else None
    return found or puzzle(name)


@cache
def cells(kind: str) -> tuple[str, ...]:
    """All cells of a kind of all pages."""
    notebooks = (nbformat.read(path, as_version=4) for path in NOTEBOOKS)
    return tuple(
        cell.source for notebook in notebooks for cell in notebook.cells if cell.cell_type == kind
    )


def calls(*names: str):
    """The calls of functions of these names on all pages."""
    for source in cells("code"):
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in names:
                yield node


def question(call: ast.Call) -> str:
    return str(ast.literal_eval(call.args[0]))


def plain(markdown: str) -> str:
    return " ".join(re.sub(r"[*`]", "", markdown).split())


def test_every_lesson_has_a_script():
    authored = {name for game in GAMES for name in lessons(game)}
    puzzles = [call for call in calls("PuzzleCard") if isinstance(call.args[0], ast.Constant)]
    assert len(authored) > 70
    assert puzzles
    assert set(SCRIPTS) == authored | set(map(question, puzzles))


def test_every_question_of_a_page_has_an_answer():
    asked = [question(call) for call in calls("GuessCard", "ChoiceCard")]
    assert len(asked) > 30
    for words in asked:
        assert sum(words.startswith(begun) for begun in ANSWERS) == 1, words
    for begun in ANSWERS:
        assert any(words.startswith(begun) for words in asked), begun


WAYS = [
    pytest.param(name, script, id=f"{name}{number or ''}")
    for name, scripts in SCRIPTS.items()
    for number, script in enumerate(scripts)
]
BUILT = [way for way in WAYS if way.values[1].button == "Check"]  # on an editor


@pytest.mark.parametrize(("name", "script"), WAYS)
def test_a_script_follows_words_that_a_learner_reads(name, script):
    one = asked(name)
    pages = (plain(source) for source in cells("markdown"))
    assert any(script.says in words for words in (one.prompt, *one.hints, *pages))


# -- hands -------------------------------------------------------------------------------------


def by_pointer(board, words):
    """Click, or tap, in the middle of what is called so."""
    target = named(board.scene, words)
    assert board.scene.at(*target.centre) == target, "something else lies in front of it"
    board.click(*target.centre)


def by_keys(board, words):
    """Go there with the arrow keys alone, and press Enter."""
    walk(board, named(board.scene, words).id)
    board.press("Enter")


def widgets_in(widget):
    for child in getattr(widget, "children", ()):
        yield child
        yield from widgets_in(child)


def press(card, words):
    """Press the button on which these words stand."""
    (button,) = (
        widget
        for widget in widgets_in(card)
        if isinstance(widget, ipywidgets.Button) and widget.description == words
    )
    button.click()


def do(card, script, hand):
    board = card.board if card.editor is None else card.editor.board
    for words in script.picks:
        hand(board, words)
    if script.button:
        press(card, script.button)


hands = pytest.mark.parametrize("hand", [by_pointer, by_keys])


@hands
@pytest.mark.parametrize(("name", "script"), WAYS)
def test_the_words_lead_to_the_solution(name, script, hand):
    card = PuzzleCard(asked(name))
    do(card, script, hand)
    assert card.solved, card._answer.value
    assert "Solved!" in card._answer.value


@hands
@pytest.mark.parametrize("times", range(1, 4))
def test_pick_a_casteller_then_pick_a_level_three_times(hand, times):
    card = PuzzleCard(asked("castell/lesson-first-tower"))
    for words in put(times, 9, 1).split(THEN):
        hand(card.editor.board, words)
    assert card.editor.value == Tower(f"9*{times}")


@hands
@pytest.mark.parametrize(("name", "script"), BUILT)
def test_a_script_may_be_taken_back_step_by_step_and_done_again(name, script, hand):
    card = PuzzleCard(asked(name))
    seen = [card.editor.value]
    board = card.editor.board
    for words in script.picks:
        hand(board, words)
        seen.append(card.editor.value)
    while board.can_undo:
        board.press("u")
        assert card.editor.value in seen
    assert card.editor.value == seen[0]
    while board.can_redo:
        board.press("r")
    assert card.editor.value == seen[-1]
    assert card.check()


@pytest.mark.parametrize(("name", "script"), BUILT)
def test_nothing_moves_when_an_answer_is_checked(name, script):
    card = PuzzleCard(asked(name))
    board = card.editor.board
    for words in script.picks:
        by_pointer(board, words)
        before = [(target.id, target.centre) for target in board.scene.targets]
        card.check()
        assert [(target.id, target.centre) for target in board.scene.targets] == before


# -- tables, sites and stages ------------------------------------------------------------------


PARTS = {"castlelab": castlelab, "Board": Board}


def made(words):
    """What the words of a cell make, as they do on the page."""
    return eval(words, {name: getattr(widgets, name) for name in widgets.__all__} | PARTS)


def on_pages(*names):
    return {ast.unparse(call) for call in calls(*names)}


def test_every_board_of_a_page_is_tried():
    tried = {trial.made for trial in TRIALS}
    assert tried == on_pages("GameTable", "SiteEditor", "RollAndDraw", "GuestGallery")


@hands
@pytest.mark.parametrize("trial", TRIALS, ids=lambda trial: trial.made)
def test_what_a_page_says_of_a_board_can_be_done(trial, hand):
    assert any(trial.says in plain(source) for source in cells("markdown"))
    shown = made(trial.made)
    board = shown.board
    for words in trial.picks:
        hand(board, words)
        assert board.ok, board.said
    assert trial.then in (told(shown) if isinstance(shown, GameTable) else board.said)


@pytest.mark.parametrize(
    ("says", "ranks"),
    [
        ("Raise Balance until it stands.", {"balance": 2}),
        ("A crowd on the ground: raise Base.", {"base": 1}),
        ("What do you need besides Mix?", {"mix": 1, "balance": 1}),
        ("Which two skills, and how much of each?", {"strength": 2, "balance": 2}),
        ("Seven below and six above: how much Width is that?", {"width": 4}),
    ],
)
def test_sliders_make_a_tower_stand(says, ranks):
    assert any(says in plain(source) for source in cells("markdown"))
    (bench,) = (
        bench
        for bench in map(made, on_pages("TowerEditor"))
        if {slider.description.lower() for slider in sliders(bench)} == set(ranks)
    )
    assert not bench.board.ok
    for slider in sliders(bench):
        for rank in range(1, ranks[slider.description.lower()] + 1):
            assert not bench.board.ok
            slider.value = rank
    assert "It stands" in bench.board.said


def sliders(widget):
    return [each for each in widgets_in(widget) if isinstance(each, ipywidgets.IntSlider)]


@pytest.mark.parametrize("words", sorted(on_pages("AttackStage")))
def test_press_next_then_move_the_slider(words):
    assert any("press Next, then move the slider." in plain(it) for it in cells("markdown"))
    stage = made(words)
    assert stage.board.said.endswith("Press Next.")
    while not stage.done:
        press(stage, "Next")
    assert stage.board.said.endswith("Start again, or change the strength.")
    (slider,) = sliders(stage)
    slider.value = 20
    assert stage.board.said.endswith("Press Next.")


def test_where_a_court_does_not_close_ask_for_the_leak():
    assert any("ask for the leak" in plain(source) for source in cells("markdown"))
    site = made("SiteEditor(Board.start(9))")
    for words in ROUND_E4.split(THEN)[:-1]:  # all but a corner
        by_pointer(site.board, words)
    press(site, "Show the leak")
    assert "e4" in site.board.said
    assert "d3" in site.board.said
    by_pointer(site.board, "d3")
    assert "A bailey: e4" in site.board.said


# -- questions ---------------------------------------------------------------------------------

KINDS = {"GuessCard": GuessCard, "ChoiceCard": ChoiceCard}


def card_of(call):
    """The card that a cell of a page makes, without what is shown after the answer."""
    parts = {part.arg: part.value for part in call.keywords if part.arg != "then"}
    given = {
        name: eval(compile(ast.Expression(value), "page", "eval"), {"Fraction": Fraction})
        for name, value in parts.items()
    }
    return KINDS[call.func.id](question(call), **given)


@pytest.mark.parametrize("call", [*calls(*KINDS)], ids=question)
def test_a_question_of_a_page_is_answered(call):
    card = card_of(call)
    answer = next(words for begun, words in ANSWERS.items() if question(call).startswith(begun))
    if isinstance(card, ChoiceCard):
        press(card, answer)
    else:
        (box,) = (box for box in widgets_in(card) if getattr(box, "description", "") == "My guess")
        box.value = answer if isinstance(box, ipywidgets.Text) else int(answer)
        press(card, "Check")
    assert card.solved
