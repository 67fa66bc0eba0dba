"""What a table says aloud after a move, how much of it, and what it answers."""

from __future__ import annotations

import importlib

import pytest

import castlelab
from castlelab.rules import by_title, quoted
from castlelab.speech import LONGEST
from castlelab.widgets.board.board import BoardWidget
from castlelab.widgets.card.puzzle_card import PuzzleCard
from castlelab.widgets.table.game_table import GameTable


def against_a_bot(name, seed=3, **options):
    """A table where Blue is a person and Orange a bot that moves at once."""
    return GameTable(castlelab.load(name, **options), seed=seed, bots={1: "random"})


def play_to_the_next_turn(table):
    """Play until the bot has moved; what the person's last move made the table say."""
    while True:
        before = len(table.record.moves)
        state = table.record.state
        ends = [move for move in state.moves() if move.kind == "end"]
        table.play((ends or state.moves())[0])
        if len(table.record.moves) > before + 1:
            return before, table.board.said.splitlines()


@pytest.mark.parametrize("name", ["castle_keep", "castle_rampage", "once_upon_a_castle"])
def test_the_moves_of_a_bot_are_said_with_ones_own_each_once(name):
    table = against_a_bot(name)
    before, said = play_to_the_next_turn(table)
    numbers = range(before, len(table.record.moves))
    last = numbers[-1]
    assert (
        said[-12:]
        == [table.record.spoken(number, [0], last=number == last) for number in numbers][-12:]
    )
    assert all(len(line) <= LONGEST for line in said)
    assert said[-1].endswith("Your turn.")
    play_to_the_next_turn(table)
    assert said[-1] not in table.board.said.splitlines()[:-1]


def test_a_prompt_stands_beside_the_turn_and_is_not_said():
    table = against_a_bot("castle_keep")
    prompt = table.record.state.point(()).words
    assert prompt in table.turn.children[0].value
    assert "role=" not in table.turn.children[0].value  # no second voice
    play_to_the_next_turn(table)
    assert table.record.state.point(()).words not in table.board.said


def test_how_much_is_said_can_be_chosen():
    table = against_a_bot("castle_keep")
    table.happened._hear(None, {"do": "say", "way": "full"}, [])
    table.play(table.record.state.moves()[0])
    assert table.record.state.view(0).describe() in table.board.said
    table.happened._hear(None, {"do": "say", "way": "brief"}, [])
    table.play(table.record.state.moves()[0])
    assert table.record.state.view(0).describe() not in table.board.said
    table.happened._hear(None, {"do": "say", "way": "shouted"}, [])  # nobody knows that
    assert table.board.ok


def test_whoever_comes_to_the_screen_hears_what_came_since():
    table = GameTable("castle_keep", seed=3, open_table=False)
    table.board.pick("curtain")
    first = table.record.state.to_move
    while table.record.state.to_move == first:
        moves = {move.kind: move for move in table.record.state.moves()}
        table.play(moves.get("end") or next(iter(moves.values())))
    assert "turn" not in table.board.said  # nobody hears anything at the curtain
    table.board.press("b")
    assert "the curtain is closed" in table.board.said
    table.board.pick("curtain")
    said = table.board.said.splitlines()
    assert len(said) == len(table.record.moves)
    assert said[-1].endswith("Your turn.")


def test_keys_and_words_ask_the_same():
    table = against_a_bot("castlescape", side=7)
    for key, word in (("b", "board"), ("s", "scores"), ("o", "opponent"), ("?", "help")):
        table.board.press(key)
        by_key = table.board.said
        table.board.write(word)
        assert table.board.said == by_key
        assert by_key
        assert table.board.draft == ""
    assert table.record.moves == ()
    table.board.write("row 4")
    assert table.board.said == "Row 4: d4 wall."
    table.board.write("leek")
    assert not table.board.ok
    assert "you may ask leak" in table.board.said


def test_last_tells_ones_own_last_move_and_all_since():
    table = against_a_bot("castle_keep")
    before, said = play_to_the_next_turn(table)
    table.board.pick(table.board.scene.targets[0].id)
    assert table.board.said.splitlines() != said
    table.board.press("l")
    full = [table.record.spoken(at, [0], "full", last=False) for at in range(before, before + 1)]
    assert table.board.said.splitlines()[0] == full[0]
    assert len(table.board.said.splitlines()) == len(table.record.moves) - before
    table.look(before)
    table.board.write("last")
    assert table.board.said.splitlines() != said


def test_here_follows_the_focus():
    table = against_a_bot("castle_keep")
    table.board.press("i")
    assert "nothing is in focus" in table.board.said
    table.board.press("home")
    table.board.press("i")
    name = table.board.scene.targets[0].name
    assert table.board.said.splitlines()[0] == f"{name}."
    table.board.press("y")
    assert table.board.said.splitlines()[0] == f"{name}."


def test_an_edge_makes_itself_known():
    board = BoardWidget(castlelab.games.castlescape.Board.start(7).edit().board.scene)
    board.press("home")
    assert not board._look.where.startswith("Edge.")
    board.press("ArrowUp")
    assert board._look.where.startswith("Edge. a1"), quoted(board._look.where)
    board.press("ArrowDown")
    assert not board._look.where.startswith("Edge.")


def test_a_lesson_answers_what_it_shows():
    editor = castlelab.games.castell.Tower("9*3 8*2 7").edit()
    editor.board.press("b")
    assert "Level 2" in editor.board.said
    editor.board.write("level 2")
    assert editor.board.ok
    assert editor.board.said.startswith("Level 2")
    editor.board.write("zzz")
    assert not editor.board.ok


LESSONS = {
    "first-bailey": ("row c", "walls", "rays c3", "grid"),
    "first-roll": ("row 2", "lines", "grid"),
    "digger": ("gate", "stacks", "scores", "hand"),
}


@pytest.mark.parametrize("game", ["castell", "castle_keep", "castle_rampage", "castlescape"])
def test_every_lesson_answers_at_its_board(game):
    lessons = importlib.import_module(f"castlelab.games.{game}.lessons")
    for name in lessons.LESSONS:
        card = PuzzleCard(lessons.lesson(name))
        board = card._shown_board
        board.press("home")
        for key in ("b", "i", "?"):
            board.press(key)
            assert board.ok, f"{name}: {key}"
            assert board.said, f"{name}: {key}"
        for words in LESSONS.get(name, ()):
            board.write(words)
            assert board.ok, f"{name}: {board.said}"


def test_what_a_puzzle_asks_for_is_not_told():
    card = PuzzleCard(castlelab.games.castlescape.lessons.lesson("first-bailey"))
    card.editor.board.write("rows")
    assert "bailey" not in card.editor.board.said
    card.editor.board.write("leak c3")
    assert not card.editor.board.ok


def test_an_editor_tells_again_why_something_was_refused():
    editor = castlelab.games.castlescape.Board.start(7).edit()
    editor.board.write("why")
    assert editor.board.said == "Nothing has been refused."
    editor.by_rules = True
    editor.board.write("wall a1")
    refused = editor.board.said
    assert not editor.board.ok
    editor.board.press("home")
    editor.board.press("y")
    assert editor.board.said == by_title(refused)
    editor.board.write("leek c3")
    assert editor.board.said.endswith("you may ask leak") or "leak c3" in editor.board.said
