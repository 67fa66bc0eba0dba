"""Puzzle cards and ladders, worked through Python."""

from dataclasses import replace
from functools import cache
from html import escape

import ipywidgets
import pytest
from hostile_page import html_in
from kept_page import Page

from castlelab.progress import Solve
from castlelab.puzzles import LARGEST_SEED, LEVELS, ChooseOne, kinds, puzzle
from castlelab.rules import CastlelabError, NotationError, rulebook
from castlelab.widgets.card.answer_book import answer_book
from castlelab.widgets.card.progress_book import book
from castlelab.widgets.card.puzzle_card import PuzzleCard, PuzzleLadder

RULES = rulebook("castell")
every_kind = pytest.mark.parametrize("kind", kinds())
made = cache(puzzle)
CHOICES = [kind for kind in kinds() if isinstance(made(f"{kind}-1-3").ask, ChooseOne)]


def buttons(widget):
    """Every button inside a widget, by what is written on it."""
    found = {}
    for child in getattr(widget, "children", ()):
        if isinstance(child, ipywidgets.Button):
            found[child.description] = child
        found |= buttons(child)
    return found


def told(card):
    return card._answer.value


def shows(card, answer):
    """Whether a card shows what comes of an answer; its pictures may leave room below."""
    shown = card.board.scene
    return shown == replace(card.puzzle.picture(answer), height=shown.height)


def shape(scene):
    """The height of both layouts of a picture for their width."""
    fitted = (scene, scene.fitted(True))
    return [pytest.approx(each.height / each.width) for each in fitted]


@every_kind
def test_a_card_shows_the_prompt_and_the_code(kind):
    card = PuzzleCard(f"{kind}-1-3")
    words = html_in(card)
    assert escape(card.puzzle.prompt) in words
    assert f"{kind}-1-3" in words
    assert not card.solved
    assert told(card) == ""


@every_kind
def test_the_solution_solves_the_card(kind):
    card = PuzzleCard(made(f"{kind}-2-3"))
    seen = []
    card.observe(lambda change: seen.append(change["new"]), "solved")
    if card.editor is not None:
        card.editor.build(card.puzzle.solution)
        assert not card.solved  # only Check judges
        buttons(card)["Check"].click()
    else:
        words = dict(card.puzzle.ask.options)[card.puzzle.solution]
        buttons(card)[words].click()
    assert seen == [True]
    assert "Solved!" in told(card)
    assert "castlelab-told-right" in told(card)


@every_kind
def test_a_right_answer_may_be_typed_as_text(kind):
    card = PuzzleCard(made(f"{kind}-2-3"))
    assert card.answer(str(card.puzzle.solution).upper())
    assert card.solved
    if card.editor is None:
        assert shows(card, card.puzzle.solution)


@pytest.mark.parametrize("kind", ["castell/tallest", "castell/festival", "castell/silhouette"])
def test_a_wrong_tower_is_explained_by_rules(kind):
    card = PuzzleCard(made(f"{kind}-1-3"))
    card.editor.board.write("1 10*4")
    buttons(card)["Check"].click()
    assert not card.solved
    assert ">Not yet.<" in told(card)
    assert ">This tower does not stand.<" in told(card)
    for rule in ("castell/level-shrinks", "castell/level-smaller", "castell/max-width"):
        assert f"<summary>{RULES[rule].title}</summary>" in told(card)
        assert f">{rule}<" in told(card)
    assert "castlelab-told-wrong" in told(card)


@pytest.mark.parametrize("kind", ["castell/tallest", "castell/festival", "castell/silhouette"])
def test_an_empty_bench_is_no_answer(kind):
    card = PuzzleCard(made(f"{kind}-1-3"))
    assert not card.check()
    assert ">castell/tower-stands<" in told(card)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("kind", CHOICES)
def test_a_wrong_choice_is_explained_and_its_consequence_shown(kind, level):
    card = PuzzleCard(made(f"{kind}-{level}-3"))
    before = card.board.scene
    assert "Show the start" not in buttons(card)
    pictures = set()
    for value, words in card.puzzle.ask.options:
        if value != card.puzzle.solution:
            buttons(card)[words].click()
            assert "Not yet." in told(card)
            assert not card.solved
            assert shows(card, value)
            assert shape(card.board.scene) == shape(before)  # nothing below it moves
            pictures.add(card.board.scene)
            if card.board.scene != before:
                buttons(card)["Show the start"].click()
            assert card.board.scene == before
    assert pictures - {before}


def test_a_level_of_the_picture_is_an_answer_too():
    card = PuzzleCard(made("castell/spot-the-breach-2-3"))
    card.board.pick(card.puzzle.solution)
    assert card.solved
    assert shows(card, card.puzzle.solution)


def test_picking_what_is_no_answer_changes_nothing():
    card = PuzzleCard(made("castell/one-more-rank-2-3"))
    card.board.pick("level 1")
    assert told(card) == ""
    assert card.board.said.endswith("Choose an answer below.")
    assert not card.solved


@every_kind
@pytest.mark.parametrize("answer", [None, 7, "nonsense", "<b>9</b>", "9*3 \n 8"])
def test_hostile_answers_are_told_and_escaped(kind, answer):
    card = PuzzleCard(made(f"{kind}-1-3"))
    assert not card.answer(answer)
    assert "Not yet." in told(card)
    assert "<b>" not in told(card)


def test_once_solved_stays_solved():
    card = PuzzleCard(made("castell/tallest-1-3"))
    assert card.answer(card.puzzle.solution)
    assert not card.answer("1 2")
    assert card.solved


@every_kind
def test_hints_come_one_after_the_other(kind):
    card = PuzzleCard(made(f"{kind}-1-3"))
    button = buttons(card)["Hint"]
    button.click()
    assert "Hint 1: " in told(card)
    assert button.description == "Another hint"
    button.click()
    assert "Hint 2: " in told(card)
    assert card.hint() == card.puzzle.hint(2)  # and the second once more
    assert not card.solved


@every_kind
def test_giving_up_shows_a_solution_and_solves_nothing(kind):
    card = PuzzleCard(made(f"{kind}-2-3"))
    buttons(card)["Give up"].click()
    assert "Shall we show you a solution?" in told(card)
    buttons(card)["Show a solution"].click()
    if card.editor is not None:
        card.all_steps()
        assert card.editor.value == card.puzzle.solution
    else:
        assert shows(card, card.puzzle.solution)
    solution, ask = card.puzzle.solution, card.puzzle.ask
    words = dict(ask.options)[solution] if isinstance(ask, ChooseOne) else str(solution)
    assert f"One solution: {escape(words.rstrip('.'))}." in told(card)
    assert card.answer(solution)
    assert "Right, though you had given up." in told(card)
    assert not card.solved


def test_giving_up_asks_first():
    card = PuzzleCard(made("castell/tallest-1-3"))
    buttons(card)["Give up"].click()
    buttons(card)["Keep trying"].click()
    assert told(card) == ""
    assert "Show a solution" not in buttons(card)
    assert card.answer(card.puzzle.solution)
    assert card.solved


def test_a_verdict_goes_when_the_board_changes():
    card = PuzzleCard(made("castell/tallest-1-3"))
    card.editor.board.write("1 10*4")
    card.check()
    assert told(card)
    card.editor.board.undo()
    assert told(card) == ""
    assert not card._offers.children


def test_the_way_on_opens_with_a_right_answer():
    gone = []
    card = PuzzleCard(made("castell/tallest-1-3"), on_next=lambda: gone.append(1))
    assert "castlelab-solved" not in card._dom_classes
    card.answer(card.puzzle.solution)
    assert "castlelab-solved" in card._dom_classes
    buttons(card)["Next"].click()
    assert gone == [1]
    card.editor.board.write("9*3")
    assert "castlelab-solved" not in card._dom_classes  # there is something to check again


@every_kind
def test_checking_never_changes_the_size_of_a_bench(kind):
    for number in range(1, 4):
        card = PuzzleCard(made(f"{kind}-1-{number}"))
        if card.editor is None:
            return
        for part in card.puzzle.steps():
            card.editor.build(part)
            before = card.editor.board.scene
            card.check()
            after = card.editor.board.scene
            assert (after.width, after.height) == (before.width, before.height)


@pytest.mark.parametrize(
    "code",
    [
        "castle_keep/finish-it-1-1",
        "castle_keep/lesson-closing",
        "once_upon_a_castle/complete-a-line-1-1",
        "once_upon_a_castle/complete-a-line-5-1",
        "once_upon_a_castle/lesson-no-token",
    ],
)
def test_what_is_checked_looks_as_it_was_built(code):
    """Neither does a castle lose its heading nor do dice become words."""
    card = PuzzleCard(made(code))
    assert card.puzzle.picture() == card.editor.board.scene
    for part in card.puzzle.steps():
        card.editor.build(part)
        before = card.editor.board.scene
        assert card.puzzle.picture(part) == before
        card.check()
        assert card.editor.board.scene.shapes == before.shapes


def test_the_head_has_as_many_lines_before_it_is_solved_as_after():
    card = PuzzleCard(made("castell/tallest-1-78"))
    before = card.children[0].value
    card.answer(card.puzzle.solution)
    after = card.children[0].value
    assert "✓ Solved" in after
    assert before == after.replace("✓ Solved", "")


def test_the_last_choice_that_is_left_is_no_knowing():
    card = PuzzleCard(made("castell/one-more-rank-2-77"))
    wrong = [value for value, _ in card.puzzle.ask.options if value != card.puzzle.solution]
    for value in wrong:
        card.answer(value)
    card.answer(card.puzzle.solution)
    assert "the only one that was left" in told(card)
    assert book().progress.solved[card.puzzle.id].hints == 2


def test_a_solved_puzzle_comes_back_solved_with_its_board():
    first = PuzzleCard("castell/lesson-first-tower")
    first.editor.build("9*2 8 7")
    assert not first.check()  # its upper two levels are equally wide
    first.editor.build("9*3 8*2 7")
    assert first.check()
    again = PuzzleCard("castell/lesson-first-tower")
    again._come_back()
    assert str(again.editor.value) == "9*3 8*2 7"
    assert "castlelab-solved" in again._dom_classes
    assert not again.solved  # it counts once


@pytest.mark.parametrize("is_progress_first", [True, False])
def test_a_solved_puzzle_comes_back_whatever_the_browser_tells_first(is_progress_first):
    books = (book, answer_book)
    first = PuzzleCard("castell/lesson-first-tower")
    first.editor.build("9*3 8*2 7")
    assert first.check()
    store = {made()._storage.key: made()._storage.kept for made in books}
    for made in books:
        made.cache_clear()
    again = PuzzleCard("castell/lesson-first-tower")
    pages = [Page(made()._storage, store) for made in books]
    for page in pages if is_progress_first else reversed(pages):
        assert "castlelab-solved" not in again._dom_classes
        page.come()
    assert "castlelab-solved" in again._dom_classes
    assert str(again.editor.value) == "9*3 8*2 7"


@pytest.mark.parametrize("kept", ["", "nonsense", "1 2", "<b>"])
def test_what_a_browser_kept_may_be_anything(kept):
    card = PuzzleCard("castell/lesson-mix")
    book().note(Solve("castell/lesson-mix", "2026-05-17T09:30:00Z"))
    answer_book().keep("castell/lesson-mix", kept)
    card._come_back()
    assert str(card.editor.value) == ""
    assert "castlelab-solved" not in card._dom_classes


def test_checking_leaves_what_was_said_and_offered():
    card = PuzzleCard(made("castle_keep/finish-it-2-1"))
    board = card.editor.board
    board.pick("hand 1")
    said, offered = board.said, board.offered
    assert offered
    assert not card.check()
    assert (board.said, board.offered) == (said, offered)


def test_nothing_of_a_lethal_puzzle_is_hidden():
    card = PuzzleCard(made("castle_rampage/lethal-5-1"))
    before = card.editor.board.scene.description
    assert "face down" not in before
    card.check()
    assert card.editor.board.scene.description == before


def test_an_ask_that_nobody_can_build_is_an_error_at_once():
    strange = replace(made("castell/tallest-1-3"), ask="a pyramid")
    with pytest.raises(CastlelabError, match="there is no editor for 'a pyramid'"):
        PuzzleCard(strange)


def test_what_is_told_is_spoken_to_those_who_cannot_see_it():
    card = PuzzleCard(made("castell/tallest-1-3"))
    card.hint()
    assert 'class="castlelab-told ' in told(card), "that is what news.js speaks"


def test_a_wrong_code_is_an_error_at_once():
    with pytest.raises(NotationError, match="kind-level-seed"):
        PuzzleCard("castell/tallest")


# -- the ladder ------------------------------------------------------------------------------


@pytest.fixture
def ladder():
    return PuzzleLadder("castell")


def test_a_ladder_opens_the_first_puzzle_of_the_first_kind(ladder):
    assert ladder.card.puzzle.code == f"{kinds()[0]}-1-1"


def test_a_ladder_offers_every_kind_of_the_game_and_every_level(ladder):
    assert [kind for _, kind in ladder._kind.options] == [
        kind for kind in kinds() if kind.startswith("castell/")
    ]
    assert ("Spot the breach", "castell/spot-the-breach") in ladder._kind.options
    assert list(ladder._level.options) == [1, 2, 3, 4, 5]


def test_each_control_opens_another_puzzle(ladder):
    ladder._kind.value = "castell/silhouette"
    assert ladder.card.puzzle.code == "castell/silhouette-1-1"
    ladder._level.value = 3
    assert ladder.card.puzzle.code == "castell/silhouette-3-1"
    ladder._seed.value = 8
    assert ladder.card.puzzle.code == "castell/silhouette-3-8"
    buttons(ladder)["Next puzzle"].click()
    assert ladder.card.puzzle.code == "castell/silhouette-3-9"


def test_after_the_last_number_comes_the_first(ladder):
    ladder._seed.value = LARGEST_SEED
    ladder.next()
    assert ladder.card.puzzle.seed == 0


def test_a_new_puzzle_is_unsolved(ladder):
    ladder.card.answer(ladder.card.puzzle.solution)
    assert ladder.card.solved
    ladder.next()
    assert not ladder.card.solved


def test_a_ladder_may_start_anywhere():
    assert PuzzleLadder("castell", level=2, seed=5).card.puzzle.code == f"{kinds()[0]}-2-5"


@pytest.mark.parametrize("level", [0, 6, "1"])
def test_a_ladder_has_five_levels(level):
    with pytest.raises(CastlelabError, match="levels go from 1 to 5"):
        PuzzleLadder("castell", level=level)


@pytest.mark.parametrize("game", ["chess", "", "cast", "castell/"])
def test_a_ladder_is_for_a_game_that_there_is(game):
    with pytest.raises(CastlelabError, match=r"there is no game .*; the games are castell"):
        PuzzleLadder(game)


def test_more_tells_whether_it_is_open():
    card = PuzzleCard("castell/tallest-1-1")
    classes = card._more_button._dom_classes
    assert "castlelab-opens" in classes
    assert "castlelab-is-open" not in classes
    card.more()
    assert "castlelab-is-open" in card._more_button._dom_classes
    card.more()
    assert "castlelab-is-open" not in card._more_button._dom_classes
