"""People and bots at one table: the curtain, hints, reasons, what may be taken back."""

import asyncio
import re
from itertools import pairwise

import ipywidgets
import pytest
from keys import walk
from tables import buttons, click, parts, shows, told

import castlelab
from castlelab.bots import Thought
from castlelab.chance import Chance
from castlelab.draw.curtain import CURTAIN
from castlelab.draw.scene import NARROW, Text
from castlelab.game import GAMES, SEAT_NAMES
from castlelab.record import Record
from castlelab.rules import CastlelabError
from castlelab.widgets.browser.link_button import LinkButton
from castlelab.widgets.table import thinking
from castlelab.widgets.table.bots_at_work import PACES
from castlelab.widgets.table.end_screen import course_scene, leaps, turning_point
from castlelab.widgets.table.game_table import GameTable
from castlelab.widgets.table.players import players_html


def closed(name="castle_keep", bots=None, seed=1, **options):
    return GameTable(castlelab.load(name, **options), seed=seed, bots=bots, open_table=False)


def play_turn(table):
    """Play a turn of Castle Keep; bots answer it."""
    turn = table.record.state.turn
    while table.record.state.turn == turn and not table.record.state.over:
        moves = {move.kind: move for move in table.record.state.moves()}
        kinds = ("build", "end", "discard")
        table.play(next(moves[kind] for kind in kinds if kind in moves))


class Slow:
    """A bot that needs five thoughts, and likes its last one best."""

    name = "slow"

    def choose(self, state, chance):
        return state.moves()[0], chance

    def think(self, state, chance):
        for number, move in enumerate((state.moves() * 5)[:5], start=1):
            yield Thought(number / 5, move, f"Thought {number}.")


class Broken(Slow):
    name = "broken"

    def think(self, state, chance):
        yield Thought(0.5, state.moves()[0], "Half.")
        raise RuntimeError("out of\nideas")


class Silent(Slow):
    def think(self, state, chance):
        return iter(())


@pytest.fixture
def sliced(monkeypatch):
    """One thought for each slice."""
    monkeypatch.setattr(thinking, "SLICE", 0)
    monkeypatch.setattr(thinking, "PAUSE", 0)


# -- a bot that thinks ---------------------------------------------------------------------------


def page(talk):
    """Run what happens on a page, with its event loop."""
    asyncio.run(talk())


async def until(condition):
    for _ in range(2000):
        if condition():
            return
        await asyncio.sleep(0)
    raise AssertionError("it never came to that")


def test_the_page_is_answered_while_a_bot_thinks(sliced):
    async def talk():
        table = GameTable("castell", seed=3, bots={1: Slow})
        table.play("move Valls")
        table.play("end")
        assert table.work.busy
        label, bar = table.work.line.children
        assert "Orange is thinking" in label.value
        assert "Play now" in buttons(table)
        assert 0 < bar.value < 1
        table.board.pick("Valls")  # is only looked at
        assert table.board.said.startswith("Valls: castellers")
        table.board.write("move Valls")
        assert "it is the turn of Orange, who is thinking" in table.board.said
        assert table.moves.listed == ()
        before = bar.value
        await until(lambda: bar.value != before)
        await until(lambda: not table.work.busy)
        assert table.record.state.to_move == 0
        assert table.work.line.children == ()
        assert "Orange" in table.happened.words[-1]

    page(talk)


def test_play_now_takes_the_best_so_far(sliced):
    async def talk():
        table = GameTable("castell", seed=3, bots={1: Slow})
        table.play("end")
        first = table.work.thought.move
        state = table.record.state
        click(table, "Play now")
        await until(lambda: len(table.record.moves) > 1)
        assert table.record.moves[1] == str(first) == str(state.moves()[0])

    page(talk)


def test_undo_while_a_bot_thinks_ends_the_thinking(sliced):
    async def talk():
        table = GameTable("castell", seed=3, bots={1: Slow})
        table.play("end")
        assert table.work.busy
        table.board.undo()
        assert not table.work.busy
        assert table.work.line.children == ()
        for _ in range(50):
            await asyncio.sleep(0)
        assert table.record.moves == ()
        assert table.record.state.to_move == 0
        table.board.redo()  # and the bot thinks again
        assert table.work.busy
        table.close_down()

    page(talk)


def test_a_hint_is_thought_about_and_a_move_meanwhile_forgets_it(sliced, monkeypatch):
    monkeypatch.setattr("castlelab.widgets.table.game_table._ADVISER", Slow)

    async def talk():
        table = GameTable("castell", seed=3)
        click(table, "Hint")
        assert table.work.busy
        assert "Tell me now" in buttons(table)
        table.play("move Valls")
        assert not table.work.busy
        for _ in range(30):
            await asyncio.sleep(0)
        assert "would play" not in table.board.said
        click(table, "Hint")
        click(table, "Tell me now")
        await until(lambda: not table.work.busy)
        assert "A bot would play: " in table.board.said
        assert "Thought 1." in table.board.said

    page(talk)


@pytest.mark.parametrize(
    ("own", "says"), [(Broken, "out of ideas"), (Silent, "thought of nothing")]
)
def test_a_bot_that_fails_is_told_and_the_game_goes_on(sliced, own, says):
    table = GameTable("castell", seed=3, bots={1: own})
    table.play("end")
    assert "Orange could not decide" in table.board.said
    assert says in table.board.said
    assert not table.board.ok
    assert not table.work.busy
    assert table.moves.listed == ()
    with pytest.raises(CastlelabError, match="Orange, who could not decide"):
        table.play("end")
    before = len(table.record.moves)
    click(table, "Let it play any move")
    assert len(table.record.moves) > before
    table.board.undo()
    assert table.record.state.to_move == 0


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (
            lambda view: 1 / 0,
            "raised ZeroDivisionError: division by zero (test_game_table_people.py",
        ),
        (lambda view: "recruit 9", "[castell/move]"),
        (lambda view: None, "gave nothing, which is no move"),
    ],
)
def test_a_person_may_take_the_seat_of_a_bot_that_fails(answer, says):
    def own(view, chance):
        return answer(view)

    table = GameTable("castell", seed=3, bots=(None, own))
    table.play("end")
    played = table.record.moves
    assert table.board.said.startswith("Orange could not decide: own (seat 2) ")
    assert says in table.board.said
    assert "Traceback" not in table.board.said
    assert table.board.said.count("\n") == 0
    click(table, "Play for it from now on")
    assert table.record.moves == played  # nothing is lost
    assert table.bot_names == {}
    assert "A person plays Orange now." in table.board.said
    table.play(table.moves.listed[0])
    assert table.record.moves[: len(played)] == played
    table.board.undo()
    assert table.record.moves == played


def test_at_a_closed_table_who_takes_a_seat_gets_the_screen_first():
    def own(view, chance):
        raise RuntimeError("no idea")

    table = closed("castle_keep", bots={1: own})
    while table.record.state.to_move == 0:
        moves = {move.kind: move for move in table.record.state.moves()}
        table.play(next(moves[k] for k in ("build", "end", "discard") if k in moves))
    click(table, "Play for it from now on")
    assert table.board.scene.targets[0].id == CURTAIN
    click(table, "I am Orange")
    table.play(table.moves.listed[0])


def test_a_bot_that_stalls_is_told_at_the_table():
    def dozes(view, chance):
        while True:
            pass

    table = GameTable("castell", seed=3, bots={1: dozes}, budget=0.05)
    table.play("end")
    assert "dozes (seat 2) took longer than 0.1 seconds" in table.board.said


def test_a_bot_of_ones_own_says_its_reasons():
    def own(view, chance):
        return view.moves()[0], "I <b>always</b> do."

    table = GameTable("castell", seed=3, bots={1: own})
    table.play("end")
    assert table.happened.words[-1].endswith("“I <b>always</b> do.”")


def test_reasons_for_a_hidden_move_are_hidden_too():
    def own(view, chance):
        return view.moves()[0], "It is my secret."

    table = closed("castle_rampage", bots={0: own})
    concealed = table.record.state.tell_concealed("place")[0]
    hidden = [line for line in table.happened.words if concealed in line]
    assert hidden
    assert not [line for line in hidden if "secret" in line]


@pytest.mark.parametrize(
    ("bots", "names"),
    [
        ("random", {0: "random", 1: "random"}),
        (Slow, {0: "slow", 1: "slow"}),
        (("random", None), {0: "random"}),
        ((None, Slow()), {1: "slow"}),
        ([None, "greedy"], {1: "greedy"}),
        ({1: Slow}, {1: "slow"}),
        ((), {}),
        (None, {}),
    ],
)
def test_bots_are_seated_in_many_ways(bots, names):
    assert GameTable("castle_keep", seed=3, bots=bots).bot_names == names


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"bots": ("random",) * 3}, "3 bots are too many for 2 seats"),
        ({"bots": 7}, "bots are a bot, one for each seat"),
        ({"bots": {1: 7}}, "a bot is the name of one"),
        ({"bots": {True: "random"}}, "no seat True for a bot"),
        ({"bots": {1: "greedy"}, "budget": 0}, "a budget is a number of seconds"),
    ],
)
def test_what_cannot_be_seated_is_told(arguments, says):
    with pytest.raises(CastlelabError, match=says):
        GameTable("castle_keep", **arguments)


def test_a_link_gives_the_seat_of_ones_own_bot_to_another_bot():
    """A person there would see its cards."""
    table = GameTable("castle_keep", seed=3, bots=("random", Slow))
    click(table, "Save or share")
    (link,) = [part for part in parts(table) if isinstance(part, LinkButton)]
    assert "seats=random,greedy" in link.query


def test_the_same_place_gives_the_same_bot_so_undo_does_not_roll_again():
    table = GameTable("castell", seed=3, bots={1: "random"})
    table.play("end")
    first = table.record.moves
    table.board.undo()
    table.play("end")
    assert table.record.moves == first


def test_a_closed_table_is_silent(sliced):
    changes = []
    table = GameTable("castell", seed=3, on_change=changes.append)
    assert len(changes) == 1
    table.close_down()
    table.play("end")
    assert len(changes) == 1


# -- hints and reasons ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_a_hint_is_a_legal_move_with_a_reason_and_its_targets(name):
    table = GameTable(name, seed=2)
    click(table, "Hint")
    said = table.board.said.splitlines()
    words, _, move = said[0].removeprefix("A bot would play").removesuffix(".").rpartition(": ")
    assert table.record.state.check(table.record.game.move(move))
    assert len(said) == 2
    assert said[1].endswith(".")
    if way := table.board.offered:
        assert str(table.record.state.point(way).move) == move
        named = [table.board.scene.target(pick).name for pick in way]
        assert all(
            name.startswith(begun[:6]) for name, begun in zip(named, quoted(words), strict=True)
        )
        assert words.endswith("To type it")
    table.play(move)


def quoted(words):
    """What stands between quotation marks."""
    return re.findall("“(.+?)”", words)


def test_a_hint_is_selected_in_the_list():
    table = GameTable("castell", seed=2)
    click(table, "Hint")
    assert table.moves.choice.value in table.board.said
    click(table, "Play this move")
    assert len(table.record.moves) == 1


def test_there_is_no_hint_when_it_is_over():
    table = GameTable("castell", seed=2, bots={0: "random", 1: "random"})
    assert not {"Hint", "Why?", "End turn"} & set(buttons(table))
    with pytest.raises(CastlelabError, match="the game is over"):
        table.hint()


def test_why_explains_a_spot_and_plays_nothing():
    table = GameTable("castle_keep", seed=1)
    table.reasons.toggle.value = True
    assert "Pick anything" in table.board.said
    seat = table.record.state.to_move + 1
    table.board.pick(f"{seat}.ne")
    assert "You may: build T" in table.board.said
    assert "[castle_keep/spots]" in table.board.said
    assert "A place for each kind." in table.reasons.rules.value
    table.board.write("build KB ne")
    assert "You may not: build KB ne." in table.board.said
    table.board.write(str(table.record.state.moves()[0]))
    assert "this may be played now" in table.board.said
    table.board.write("<b>")
    assert "no move starts with" in table.board.said
    assert table.record.moves == ()
    table.reasons.toggle.value = False
    table.board.pick("hand 1")
    assert table.picker.picks == ("hand 1",)


@pytest.mark.parametrize("name", GAMES)
def test_why_has_an_answer_for_everything_in_the_picture(name):
    options = {"side": 7} if name == "castlescape" else {}
    table = GameTable(castlelab.load(name, **options), seed=4)
    chance = Chance.seeded(name)
    for _ in range(6):
        move, chance = chance.choice(table.record.state.moves())
        table.play(move)
    table.reasons.toggle.value = True
    before = table.record.moves
    for target in table.board.scene.targets[::2]:
        table.board.pick(target.id)
        assert table.board.ok, table.board.said
        assert len(table.board.said.splitlines()) >= 2
    assert table.record.moves == before


def test_a_refused_move_shows_its_rule_in_full_until_the_next_one():
    table = GameTable("castell", seed=3)
    table.board.write("recruit 9")
    assert "castell/move" in table.reasons.rules.value
    rule = table.record.game.rules["castell/move"]
    assert rule.title in table.reasons.rules.value
    table.board.write("move Valls")
    assert "castell/move" not in table.reasons.rules.value


# -- taking back ---------------------------------------------------------------------------------


def test_at_a_closed_table_a_draw_stays_drawn():
    table = closed("once_upon_a_castle", bots={1: "greedy"})
    for _ in range(200):
        before = len(table.record.moves)
        table.play(table.record.state.moves()[0])
        if table.record.revealed_since(before, [0]) is not None:
            break
    moves = table.record.moves
    table.board.undo()
    assert table.record.moves == moves
    assert "this cannot be taken back: move" in table.board.said
    assert "hidden" in table.board.said
    assert not table.board.ok


def test_at_a_closed_table_own_steps_may_be_taken_back():
    table = closed("castle_keep", bots={1: "greedy"})
    before = table.record.moves
    build = next(move for move in table.record.state.moves() if move.kind == "build")
    table.play(build)
    table.board.undo()
    assert table.record.moves == before


def test_what_a_bot_showed_of_its_hand_stands():
    table = closed("castle_keep", bots={1: "greedy"}, seed=5)
    play_turn(table)
    moves = table.record.moves
    last = table.seats.last_decision(table.record)
    assert any(move.startswith("build") for move in moves[last + 1 :])
    table.board.undo()
    assert table.record.moves == moves
    assert "cannot be taken back" in table.board.said


def test_at_an_open_table_anything_is_taken_back():
    table = GameTable("once_upon_a_castle", seed=1, bots={1: "greedy"})
    start = table.record.moves
    for _ in range(20):
        table.play(table.record.state.moves()[0])
    for _ in range(20):
        table.board.undo()
    assert table.record.moves == start


# -- the curtain ---------------------------------------------------------------------------------


def hidden_from(table, seat):
    """Whether the page shows nothing of the hand of a seat."""
    hand = [str(tile) for tile in table.record.state.hands[seat]]
    shown = " ".join(
        (
            table.headline,
            table.board.said,
            table.turn.children[0].value,
            table.board._companion.where,
            table.board.scene.description,
            *(target.name for target in table.board.scene.targets),
            *(getattr(shape, "words", "") for shape in table.board.scene.shapes),
            *table.moves.listed,
        )
    )
    words = [tile.words for tile in table.record.state.hands[seat]]
    return not any(each in shown for each in (*hand, *words))


def test_the_curtain_covers_picture_words_and_moves_between_people():
    table = closed("castle_keep")
    seat = table.record.state.to_move
    name = ("Blue", "Orange")[seat]
    assert table.seats.covered
    assert table.board.said == f"Pass the screen to {name}."
    assert [target.id for target in table.board.scene.targets] == [CURTAIN]
    assert table.moves.listed == ()
    assert hidden_from(table, 0)
    assert hidden_from(table, 1)
    table.board.write("end")
    assert f"the curtain is closed; it opens for {name}" in table.board.said
    assert not {"Hint", "Undo", "End turn"} & set(buttons(table))
    table.board.pick(CURTAIN)
    assert not table.seats.covered
    assert shows(table, table.record.state.view(seat).picture())
    assert not hidden_from(table, seat)
    play_turn(table)
    assert table.seats.covered
    assert hidden_from(table, 0)
    assert hidden_from(table, 1)
    click(table, f"I am {('Blue', 'Orange')[1 - seat]}")
    assert not table.seats.covered
    assert table.happened.words[-1] == table.record.told(len(table.record.moves) - 1, [0, 1])
    assert shows(table, table.record.state.view(1 - seat).picture())


def test_the_curtain_opens_with_the_keyboard_alone():
    table = closed("castle_keep")
    walk(table.board, CURTAIN)
    table.board.press("Enter")
    assert not table.seats.covered


def test_whoever_passed_the_screen_may_still_take_back():
    table = closed("castle_keep")
    table.board.pick(CURTAIN)
    play_turn(table)
    assert table.seats.covered
    moves = len(table.record.moves)
    table.board.undo()
    assert table.seats.covered  # the screen may have changed hands already
    table.board.pick(CURTAIN)
    assert not table.seats.covered
    assert len(table.record.moves) == moves - 1


@pytest.mark.parametrize(
    ("name", "bots"),
    [("castell", None), ("once_upon_a_castle", None), ("castle_keep", {1: "greedy"})],
)
def test_no_curtain_where_nothing_is_hidden_or_one_is_alone(name, bots):
    table = closed(name, bots=bots)
    for _ in range(8):
        assert not table.seats.covered
        table.play(table.record.state.moves()[-1])


def test_bots_between_two_people_show_nothing_of_either():
    table = closed("castle_keep", bots={1: "greedy"}, players=3)
    for _ in range(3):
        assert table.seats.covered
        table.board.pick(CURTAIN)
        seat = table.record.state.to_move
        assert shows(table, table.record.state.view(seat).picture())
        play_turn(table)


def test_a_card_laid_face_down_is_not_named():
    table = closed("castle_rampage", seed=3)
    table.board.pick(CURTAIN)
    card = table.record.state.moves()[0].card
    while not table.seats.covered:
        table.play(table.record.state.moves()[0])
    table.board.pick(CURTAIN)
    assert table.record.state.tell_concealed("place")[0] in told(table)
    assert str(card) not in "".join(table.happened.words[:1])


# -- looking back --------------------------------------------------------------------------------


def test_the_slider_shows_each_moment_and_its_move():
    table = GameTable("castell", seed=3)
    for move in ("move Valls", "end", "move Mataró"):
        table.play(move)
    click(table, "Look back")
    slider = table.panel.children[0]
    assert slider.at == 3
    slider.stop_at(1)
    assert shows(table, table.record.states[1].picture())
    assert table.headline == "Looking back: after move 1 of 3"
    assert table.happened.marked == 0
    assert table.moves.listed == ()
    table.board.write("end")
    assert "you are looking back" in table.board.said
    table.board.pick("Valls")
    assert table.board.said.startswith("Valls")
    slider.stop_at(0)
    assert table.headline == "Looking back: after move 0 of 3"
    click(table, "One on")
    assert slider.at == 1
    click(table, "Back to now")
    assert shows(table, table.record.state.picture())
    assert table.moves.listed
    table.play("end")
    assert slider.at == 4


def test_going_on_from_an_earlier_moment():
    table = GameTable("castell", seed=3)
    for move in ("move Valls", "end", "move Mataró"):
        table.play(move)
    click(table, "Look back")
    table.panel.children[0].stop_at(1)
    click(table, "Go on from here")
    assert table.record.moves == ("move Valls",)
    assert table.panel.children[0].at == 1
    click(table, "Go on from here")
    assert "move the slider first" in table.board.said


def test_a_game_that_is_not_over_goes_on_from_now_only():
    table = closed("castell")
    table.play("move Valls")
    table.play("end")
    click(table, "Look back")
    table.panel.children[0].stop_at(1)
    click(table, "Go on from here")
    assert "finish the game first" in table.board.said
    assert len(table.record.moves) == 2


def test_looking_back_shows_only_what_one_may_see():
    table = closed("castle_keep", bots={1: "greedy"})
    for _ in range(2):
        play_turn(table)
    assert not table.record.state.over
    click(table, "Look back")
    for number in range(len(table.record.moves)):
        table.panel.children[0].stop_at(number)
        assert shows(table, table.record.states[number].view(0).picture())
        assert table.board.offered == ()


def test_a_finished_game_may_be_gone_on_with_and_played_again():
    table = GameTable("castell", seed=2, bots={0: "random", 1: "random"}, open_table=False)
    assert "won." in table.headline
    click(table, "Play again")
    assert table.record.seed == 3
    table.look(3)
    table.branch(3)
    assert table.record.state.over  # the bots have gone on to the end
    assert "Play again" in buttons(table)


# -- the keyboard alone --------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_with_the_keyboard_alone(name):
    """Arrow keys and Enter for what can be pointed at, typed moves where nothing is on offer."""
    options = {"side": 7} if name == "castlescape" else {}
    table = closed(name, bots={1: "random"}, seed=6, **options)
    chance, board = Chance.seeded(name), table.board
    pointed = 0
    for _ in range(4000):
        if table.record.state.over:
            break
        moves = len(table.record.moves)
        if board.offered and (table.picker.picks or (pointed % 7 != 6 and pointed < 150)):
            target, chance = chance.choice(board.offered)
            if table.picker.asked is not None:
                target = table.picker.asked
            walk(board, target)
            board.press("Enter")
            pointed += len(table.record.moves) > moves
        else:
            move, chance = chance.choice(table.record.state.moves())
            board.write(str(move))
            pointed += 1
        assert board.ok, board.said
    assert table.record.state.over
    assert table.headline == table.seats.outcome(table.record.state)
    assert Record.loads(table.record.dumps()) == table.record


# -- corners -------------------------------------------------------------------------------------


def test_a_bot_that_opens_and_thinks_long_is_waited_for(sliced):
    async def talk():
        table = GameTable("castell", seed=3, bots={0: Slow})
        assert table.work.busy
        assert "Blue is thinking" in table.work.line.children[0].value
        assert not table.board.can_undo
        await until(lambda: not table.work.busy)
        assert table.record.state.to_move == 1

    page(talk)


def test_a_bot_that_opens_before_two_people_shows_neither_hand(sliced):
    async def talk():
        first = castlelab.load("castle_keep", players=3).start(1).to_move
        table = closed("castle_keep", bots={first: Slow}, players=3)
        assert table.work.busy
        assert table.seats.covered
        assert [target.id for target in table.board.scene.targets] == [CURTAIN]
        table.board.pick(CURTAIN)  # somebody is quicker than the bot
        seat = (first + 1) % 3
        assert shows(table, table.record.state.view(seat).picture())
        await until(lambda: not table.work.busy)
        assert table.record.state.to_move == seat
        assert not table.seats.covered

    page(talk)


def test_looking_back_waits_for_the_curtain():
    table = closed("castle_keep")
    table.board.pick(CURTAIN)
    play_turn(table)
    click(table, "Look back")
    table.panel.children[0].stop_at(0)
    assert "the curtain is closed" in table.board.said
    assert [target.id for target in table.board.scene.targets] == [CURTAIN]


@pytest.mark.parametrize("name", ["castle_keep", "castle_rampage", "castlescape"])
def test_taking_back_at_the_curtain_shows_nobodys_hand(name):
    """Who presses undo there may be Blue or Orange: the curtain asks."""
    table = closed(name)
    table.board.pick(CURTAIN)
    first = table.record.state.to_move
    while not table.seats.covered:  # the shortest way to the next person's turn
        moves = {move.kind: move for move in table.record.state.moves()}
        table.play(moves.get("end") or next(iter(moves.values())))
    table.board.undo()
    assert table.record.undone, table.board.said
    assert [target.id for target in table.board.scene.targets] == [CURTAIN]
    assert SEAT_NAMES[first] in table.board.said
    table.board.redo()
    assert [target.id for target in table.board.scene.targets] == [CURTAIN]
    assert SEAT_NAMES[1 - first] in table.board.said


def test_what_is_to_save_follows_the_game():
    table = GameTable("castell", seed=3)
    click(table, "Save or share")
    (desk,) = table.panel.children
    assert "castell-0-moves.json" in desk._file_link.value
    table.play("move Valls")
    assert "castell-1-moves.json" in desk._file_link.value
    click(table, "Save or share")
    assert table.panel.children == ()


def test_a_record_of_the_same_game_is_loaded_at_a_table_by_itself():
    table = GameTable("castell", seed=3)
    click(table, "Save or share")
    (desk,) = table.panel.children
    record = Record.start(castlelab.load("castell"), 8).play("move Valls")
    desk.loader.entry.submit(record.share())
    assert table.record == record
    desk.loader.entry.submit(Record.start(castlelab.load("castle_keep"), 8).share())
    assert "this table is set for" in desk.loader._said.value
    assert table.record == record


# -- the pace of bots ------------------------------------------------------------------------------


def watched(pace="quick", **options):
    """A table at which a page has come, whose visitor wants to see bots at this pace."""
    table = GameTable("castell", seed=3, **options)
    table.happened._hear(None, {"do": "ready", "pace": pace}, [])
    return table


def test_moves_of_bots_are_shown_one_by_one(sliced, monkeypatch):
    monkeypatch.setitem(PACES, "quick", 1e-9)
    seen = []

    async def talk():
        table = watched(bots={1: "random"}, on_change=lambda now: seen.append(now.record.moves))
        table.play("move Valls")
        table.play("end")
        await until(lambda: not table.work.busy)
        assert table.record.state.to_move == 0
        assert seen[-1] == table.record.moves
        assert {len(moves) for moves in seen} == {*range(len(table.record.moves) + 1)}

    page(talk)


@pytest.mark.parametrize("act", ["pick", "button"])
def test_whoever_does_not_want_to_look_skips_the_round(sliced, monkeypatch, act):
    monkeypatch.setitem(PACES, "normal", 1e9)

    async def talk():
        table = watched("normal", bots={1: "random"})
        table.play("end")
        await asyncio.sleep(0)
        assert len(table.record.moves) == 1  # somebody looks at it
        if act == "pick":
            table.board.pick("Valls")
        else:
            click(table, "Play now")
        await until(lambda: not table.work.busy)
        assert table.record.state.to_move == 0
        assert not table.work.is_watched
        table.board.undo()
        table.play("end")  # and the next time it is shown again
        assert table.work.is_watched
        table.close_down()

    page(talk)


def test_play_now_ends_all_thinking_of_that_turn(sliced):
    async def talk():
        table = GameTable("castell", seed=3, bots={1: Slow})
        table.play("end")
        click(table, "Play now")
        await until(lambda: not table.work.busy)
        thought = [line for line in table.happened.lines if line.seat == 1]
        state = table.record.states[1]
        for line in thought:  # the first thought each time, which is the first move
            assert table.record.moves[line.number] == str(state.moves()[0])
            state = table.record.states[line.number + 1]

    page(talk)


def test_a_pace_that_is_none_is_as_usual():
    table = watched("at the speed of light")
    assert table.work.pace == "normal"
    table.happened._hear(None, {"do": "pace", "pace": "off"}, [])
    table.happened._hear(None, {"do": "pace", "pace": ["quick"]}, [])
    assert table.work.pace == "off"


# -- the log ---------------------------------------------------------------------------------------


def messages(table, monkeypatch):
    """What is sent to the log on the page, from now on."""
    sent = []
    monkeypatch.setattr(table.happened, "send", sent.append)
    return sent


def test_the_log_gets_new_lines_only_and_all_of_them_for_a_new_page(monkeypatch):
    table = GameTable("castle_keep", seed=3, bots={1: "greedy"})
    sent = messages(table, monkeypatch)
    table.play("end")
    assert sent == []  # there is no page yet
    table.happened._hear(None, {"do": "ready", "pace": "off"}, [])
    assert [each["keep"] for each in sent] == [0]
    before = len(table.happened.lines)
    sent.clear()
    table.play(table.moves.listed[-1])
    assert [each["keep"] for each in sent] == [before]
    assert len(sent[0]["lines"]) == len(table.record.moves) - before
    assert table.happened.marked == len(table.record.moves) - 1
    table.board.undo()
    assert sent[-1]["keep"] <= before
    assert sent[-1]["lines"] == []


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_log_travels_in_small_messages(name, monkeypatch):
    options = {"side": 7} if name == "castlescape" else {}
    table = GameTable(castlelab.load(name, **options), seed=2, bots=("greedy", "random"))
    assert len(table.happened.lines) == len(table.record.moves)
    sent = messages(table, monkeypatch)
    table.happened._hear(None, {"do": "ready", "pace": "off"}, [])
    told = [line for each in sent for line in each["lines"]]
    assert [line[0] for line in told] == [*range(len(table.record.moves))]
    pictures = {name for each in sent for name in each["emblems"]}
    named = {part[1] for line in told for part in line[3:] if not isinstance(part, str)}
    assert named <= pictures


def test_a_click_on_a_line_looks_back_at_that_moment():
    table = GameTable("castell", seed=3)
    for move in ("move Valls", "end", "move Mataró"):
        table.play(move)
    table.happened._hear(None, {"do": "look", "number": 0}, [])
    assert shows(table, table.record.states[1].picture())
    assert table.happened.marked == 0
    assert len(table.happened.lines) == 3
    table.happened._hear(None, {"do": "look", "number": 99}, [])
    table.happened._hear(None, {"do": "look", "number": -1}, [])
    assert table.happened.marked == 0
    click(table, "Back to now")
    assert table.happened.marked == 2
    assert table.moves.listed


def test_the_place_of_the_last_move_is_marked_and_only_that():
    table = GameTable("castle_keep", seed=1)
    state = table.record.state
    assert table.board.scene == state.view(state.to_move).picture()
    move = next(move for move in table.record.state.moves() if move.kind == "build")
    table.play(move)
    state = table.record.state
    marks = table.board.scene.shapes[len(state.view(state.to_move).picture().shapes) :]
    spot = next(t for t in table.board.scene.targets if t.id.endswith(f".{move.spot}"))
    assert marks
    assert any(spot.contains(x, y) for mark in marks for x, y in mark.points)


# -- the end ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_the_end_tells_where_the_points_came_from(name):
    options = {"side": 7} if name == "castlescape" else {}
    table = GameTable(castlelab.load(name, **options), seed=2, bots=("greedy", "greedy"))
    assert "castlelab-staged" in table._dom_classes
    screen = table.stage.children[0].value
    assert table.headline.rstrip(".") in screen
    for seat in range(2):
        for source in table.record.state.sources(seat):
            assert source.name in screen or not source.points
    assert {"Play again", "See the board"} <= set(buttons(table))
    if "See the turning point" in buttons(table):
        click(table, "See the turning point")
        assert table.headline.startswith("Looking back")
        click(table, "Back to now")
    else:
        click(table, "See the board")
    assert "castlelab-staged" not in table._dom_classes
    click(table, "See the result")
    assert "castlelab-staged" in table._dom_classes
    click(table, "Play again")
    assert len(table.record.moves) != 0


def test_the_course_of_points_is_a_picture_for_every_width():
    record = GameTable("castell", seed=2, bots="greedy").record
    scene = course_scene(record, turning_point(record))
    assert scene.fitted(True).width <= NARROW
    for each in (scene, scene.fitted(True)):
        for shape in each.shapes:
            if isinstance(shape, Text):
                assert shape.size >= 12
    assert str(record.state.scores[0]) in scene.description


@pytest.mark.parametrize("name", GAMES)
def test_the_greatest_leaps_are_named_and_lead_back_there(name):
    options = {"side": 7} if name == "castlescape" else {}
    table = GameTable(castlelab.load(name, **options), seed=2, bots=("greedy", "greedy"))
    states = table.record.states
    found = leaps(table.record)
    assert 1 <= len(found) <= 3
    changes = [
        abs(after.standing(seat).number - before.standing(seat).number)
        for before, after in pairwise(states)
        for seat in range(2)
    ]
    greatest = [change for change in sorted(changes)[:-4:-1] if change > 1]
    assert sorted((abs(leap.change) for leap in found), reverse=True) == greatest
    first = found[0]
    assert SEAT_NAMES[first.seat] in first.told(table.record)
    click(table, first.told(table.record))
    assert table.headline.startswith(f"Looking back: after move {first.number} ") or (
        first.number == len(table.record.moves)
    )


@pytest.mark.parametrize(
    ("name", "words"),
    [("castle_keep", "tiles"), ("castle_rampage", "cards"), ("castell", "points")],
)
def test_players_are_told_by_what_tells_how_they_stand(name, words):
    """Two games bring no point before their end: there it is what still stands."""
    record = GameTable(name, seed=2, bots="greedy").record
    state = record.states[len(record.moves) // 2]
    listed = players_html(state.view(0), {1: "greedy"}, 0)
    for seat in range(2):
        assert f'aria-label="{state.standing(seat).number} {words}"' in listed
        for remark in state.remarks(seat):
            assert f"<span>{remark}</span>" in listed
    assert any(state.standing(seat).number for seat in range(2))


def test_what_a_picture_does_not_tell_is_written_beside_it(monkeypatch):
    table = GameTable("castell", seed=3)
    sent = messages(table, monkeypatch)
    table.happened._hear(None, {"do": "ready", "pace": "off"}, [])
    for move in ("move Valls", "recruit 7", "train base"):
        table.play(move)
    told = [part for each in sent for line in each["lines"] for part in line[3:]]
    assert ("a 7", "casteller 7", False) in told
    assert ("Base", "skill base", True) in told


# -- an editor for a move --------------------------------------------------------------------------


def test_an_editor_takes_the_place_of_the_board_until_the_move_is_made(monkeypatch):
    asked = []

    def editor(state, play, fail):
        asked.append(state)
        made = ipywidgets.Button(description="Move there")
        made.on_click(lambda _: play("move Valls"))
        return made if state.to_move == 0 and not asked[1:] else None

    monkeypatch.setattr("castlelab.widgets.castell.move_editor", editor, raising=False)
    table = GameTable(castlelab.load("castell", first="blue"), seed=3)
    assert "castlelab-staged" in table._dom_classes
    assert asked == [table.record.state.view(0)]
    click(table, "Move there")
    assert table.record.moves == ("move Valls",)
    assert "castlelab-staged" not in table._dom_classes
    assert table.stage.children == ()
    table.look(0)
    assert len(asked) == 2  # nobody decides in the past
