"""*Do this instead*: what the rules know to be right is offered, and works."""

import ipywidgets
import pytest

import castlelab
from castlelab.draw.scene import Scene, Target
from castlelab.games.castell import Skills, Tower
from castlelab.games.castell.lessons import lesson
from castlelab.progress import Solve
from castlelab.rules import Breach, IllegalMove, Rule, Verdict
from castlelab.widgets.board.board import BoardWidget
from castlelab.widgets.board.offers import INSTEAD, mend_words
from castlelab.widgets.card.progress_book import book
from castlelab.widgets.card.puzzle_card import PuzzleCard
from castlelab.widgets.castell.tower_editor import TowerEditor
from castlelab.widgets.castle_rampage.turn_editor import editor_for
from castlelab.widgets.castlescape.site_editor import SiteEditor
from castlelab.widgets.table.game_table import GameTable

RULE = Rule("castell/move", "Move", "Go on.", "The turn")


def buttons(widget):
    """The buttons on the page that offer something else, in order."""
    found = [widget] if isinstance(widget, ipywidgets.Button) else []
    for part in getattr(widget, "children", ()):
        found += buttons(part)
    return [each for each in found if each.description.startswith(INSTEAD)]


def press(widget, number=0):
    buttons(widget)[number].click()


# -- the board -------------------------------------------------------------------------------


def refusing_board(mends, on_mend):
    def pick(target):
        raise IllegalMove(target, Verdict((Breach(RULE, "No.", (target,), "", mends),)))

    scene = Scene(9, 9, targets=(Target("a", "A", 0, 0, 9, 9),))
    return BoardWidget(scene, on_pick=pick, on_mend=on_mend)


def test_a_refused_pick_offers_what_would_be_right():
    done = []
    board = refusing_board(("this", "that"), done.append)
    assert not buttons(board)
    board.pick("a")
    assert [each.description for each in buttons(board)] == [f"{INSTEAD}: this", f"{INSTEAD}: that"]
    assert board.mends == ("this", "that")
    press(board, 1)
    assert done == ["that"]


def test_offers_go_as_soon_as_something_else_is_said():
    board = refusing_board(("this",), print)
    board.pick("a")
    board.say("Something else.")
    assert not buttons(board)
    assert board.mends == ()
    assert len(board.children) == 2  # as before: nothing is left on the page


def test_a_board_that_cannot_mend_offers_nothing():
    board = refusing_board(("this",), None)
    board.pick("a")
    assert not buttons(board)


def test_a_mend_that_fails_is_told():
    def fail(mend):
        raise castlelab.CastlelabError(f"no {mend}")

    board = refusing_board(("this",), fail)
    board.pick("a")
    press(board)
    assert (board.said, board.ok) == ("no this", False)


def test_at_most_three_are_offered_and_those_alike_once():
    board = refusing_board(("a", "b", "c", "d"), print)
    board.pick("a")
    assert len(buttons(board)) == 3
    wide = refusing_board(("x\ny", "y\nx"), print)
    wide.pick("a")
    assert [each.description for each in buttons(wide)] == [INSTEAD]


def test_only_short_notation_stands_on_a_button():
    assert mend_words(Tower("9*3 8*2")) == f"{INSTEAD}: 9*3 8*2"
    assert mend_words("long " * 30) == INSTEAD


# -- a game ----------------------------------------------------------------------------------


@pytest.fixture
def table():
    return GameTable(castlelab.load("castell", first="blue"), seed=3)


def test_a_refused_move_is_played_otherwise_at_the_press_of_a_button(table):
    table.play("move Valls")
    table.board.write("move Tarragona")
    assert not table.board.ok
    assert buttons(table)[0].description == f"{INSTEAD}: special move Tarragona"
    press(table)
    assert table.record.moves[-1] == "special move Tarragona"
    assert not buttons(table)


def test_so_is_a_move_that_was_pointed_at(table):
    table.play("move Valls")
    table.board.pick("Mataró")  # the pawn has moved already, and it is far away
    assert not table.board.ok
    assert table.board.mends
    for mend in table.board.mends:
        assert table.record.state.check(mend)
    press(table)
    assert len(table.record.moves) == 2


@pytest.mark.parametrize("name", castlelab.GAMES)
def test_whatever_a_table_offers_can_be_played(name):
    """Strange moves, in notation, on the first table of each game."""
    game = castlelab.load(name)
    table = GameTable(game, seed=1)
    strange = {str(move) for seed in range(3) for move in game.start(seed).moves()}
    for text in sorted(strange)[:20]:
        if table.record.state.check(game.move(text)):
            continue
        table.board.write(text)
        for mend in table.board.mends:
            assert table.record.state.check(mend)


# -- the bench and the card ------------------------------------------------------------------


def test_a_bench_offers_a_tower_that_stands():
    bench = TowerEditor("9*3 8*3 7", tower="9*3 8*3")
    assert [each.description for each in buttons(bench)] == [
        f"{INSTEAD}: 9*3 8*2",
        f"{INSTEAD}: 9*3 8",
    ]
    press(bench)
    assert bench.value == Tower("9*3 8*2")
    assert not buttons(bench)
    bench.board.undo()
    assert bench.value == Tower("9*3 8*3")


def test_where_a_skill_is_to_be_found_out_nothing_is_offered():
    bench = TowerEditor("9*3 8*3 7", Skills(), "9*3 8*3", train=("balance",))
    assert not bench.board.ok
    assert not buttons(bench)


def test_in_a_puzzle_the_bench_leaves_it_to_the_learner():
    card = PuzzleCard(lesson("three-at-most"))
    said = card.editor.board.said
    assert "[castell/max-width]" in said
    assert "Use" not in said
    assert not buttons(card)


def test_a_card_offers_what_leads_to_its_goal():
    card = PuzzleCard(lesson("three-at-most"))
    card.check()
    assert [each.description for each in buttons(card)] == [INSTEAD]
    press(card)
    assert card.editor.value == Tower("10*3 8*2 7")
    assert not buttons(card)
    assert not card.solved  # one looks at it, and checks
    assert card.check()
    assert card.solved


def test_to_be_told_what_to_do_is_a_hint():
    book.cache_clear()  # nobody has solved it before
    card = PuzzleCard(lesson("three-at-most"))
    card.check()
    press(card)
    card.check()
    end = book().progress.solved[card.puzzle.id]
    assert isinstance(end, Solve)
    assert (end.hints, end.wrong, end.gave_up) == (2, 1, False)


def test_offers_of_a_card_go_with_the_next_words():
    card = PuzzleCard(lesson("three-at-most"))
    card.check()
    card.hint()
    assert not buttons(card)
    card.check()
    card.give_up()
    assert not buttons(card)


def test_a_card_with_choices_offers_none():
    card = PuzzleCard("castell/spot-the-breach-1-1")
    wrong = next(value for value, _ in card.puzzle.ask.options if value != card.puzzle.solution)
    card.answer(wrong)
    card.answer(card.puzzle.solution)
    assert not buttons(card)


def test_a_site_that_is_drawn_by_the_rules_draws_what_would_be_right(monkeypatch):
    """What a breach of walls names are the squares of one card; of a recruit, one square."""
    site = SiteEditor("..... / ..... / ..#.. / ..... / .....", by_rules=True)

    def no(mend):
        return lambda *_: Verdict((Breach(RULE, "No.", (), "", (mend,)),))

    with monkeypatch.context() as patch:
        patch.setattr(type(site.value), "check_walls", no(("c2", "c1")))
        site.board.pick("a1")
    assert [each.description for each in buttons(site)] == [f"{INSTEAD}: c2, c1"]
    press(site)
    assert site.value.walls.bit_count() == 3
    with monkeypatch.context() as patch:
        patch.setattr(type(site.value), "check_recruit", no("a1"))
        site.board.write("orange c3")
    press(site)
    assert [site.value.recruits(player) for player in (0, 1)] == [0, 1]


def test_a_move_of_a_moment_that_is_not_on_the_table_is_not_offered():
    """Of several moves that were typed, only the first is judged where the table stands."""
    editor = editor_for(castlelab.puzzle("castle_rampage/lethal-1-1").ask)
    first, *_ = editor.moves.listed
    editor.board.write(f"{first}; {first}; {first}; {first}")
    assert not editor.board.ok
    assert editor.board.mends == ()
