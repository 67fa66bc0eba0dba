"""The board through Python alone: what a person does, what is drawn, said and sent."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from ipycanvas import Canvas, hold_canvas
from ipycanvas.canvas import _CANVAS_MANAGER, COMMANDS

from castlelab.draw.scene import OFFERED_WORDS, Rect, Scene, Target, Text
from castlelab.draw.theme import DARK, LIGHT
from castlelab.rules import LEGAL, Breach, CastlelabError, IllegalMove, Rule, Verdict
from castlelab.widgets.board.board import BoardWidget


def picture(side: int = 3, taken: str = "") -> Scene:
    """Squares of 50 pixels; the last of them cannot be picked."""
    shapes: list[Rect | Text] = []
    targets = []
    for number in range(side * side):
        row, column = divmod(number, side)
        x, y, name = 50 * column, 50 * row, f"{'abcdefghijklm'[column]}{row + 1}"
        fill = "accent" if name == taken else "panel"
        shapes.append(Rect(x, y, 50, 50, fill=fill, stroke="line"))
        shapes.append(Text(x + 25, y + 25, name, anchor="middle"))
        is_last = number == side * side - 1
        targets.append(Target(name, f"Square {name}", x, y, 50, 50, enabled=not is_last))
    size = 50 * side
    return Scene(size, size, tuple(shapes), tuple(targets), "Squares", f"Taken: {taken or 'none'}")


def make_ready(board: BoardWidget) -> None:
    """What a page does once it has made its canvas."""
    tell(board, {"event": "client_ready"})


def tell(board: BoardWidget, content: dict[str, Any]) -> None:
    board._canvas._handle_frontend_event(board._canvas, content, [])


def hear(board: BoardWidget, content: dict[str, Any]) -> None:
    board._companion._handle_custom_msg(content, [])


class Wire:
    """The drawing messages that left for the page: their commands and their sizes."""

    def __init__(self) -> None:
        self.messages: list[list[Any]] = []
        self.sizes: list[int] = []

    def send(self, content: Any, buffers: Any = None) -> None:
        self.messages.append(json.loads(bytes(buffers[0])))
        self.sizes.append(sum(memoryview(buffer).nbytes for buffer in buffers))

    def canvases(self) -> list[str]:
        """The canvas that each message switches to."""
        return [message[0][1][0].removeprefix("IPY_MODEL_") for message in self.messages]


@pytest.fixture
def wire(monkeypatch: pytest.MonkeyPatch) -> Iterator[Wire]:
    wire = Wire()
    monkeypatch.setattr(_CANVAS_MANAGER, "send", wire.send)
    yield wire
    assert _CANVAS_MANAGER._caching is False
    assert _CANVAS_MANAGER._commands_cache == []


@pytest.fixture
def played() -> list[str]:
    return []


@pytest.fixture
def board(wire: Wire, played: list[str]) -> BoardWidget:
    """A board that a page shows and that takes whatever is picked or typed."""

    def take(name: str) -> None:
        played.append(name)
        made.show(picture(taken=name), said=f"{name} taken.")

    def undo() -> None:
        made.show(picture(), said=f"{played.pop()} given back.")

    made = BoardWidget(picture(), on_pick=take, on_text=take, on_undo=undo, label="Squares")
    make_ready(made)
    return made


# Drawing


def test_nothing_is_drawn_before_a_page_is_there(wire: Wire) -> None:
    board = BoardWidget(picture())
    board.show(picture(taken="a1"), said="Early.")
    board.press("ArrowDown")
    assert wire.messages == []
    make_ready(board)
    assert len(wire.messages) == 1


@pytest.mark.parametrize(
    "act",
    [
        lambda board: board.pick("a1"),
        lambda board: board.click(60, 10),
        lambda board: board.press("ArrowDown"),
        lambda board: board.write("b2"),
        lambda board: board.show(picture(taken="c1"), "Shown.", lit=["a1"]),
        lambda board: board.show(picture(), offered=["a1", "b2"]),
    ],
)
def test_a_redraw_is_one_small_message(
    board: BoardWidget, wire: Wire, act: Callable[[BoardWidget], None]
) -> None:
    before = len(wire.messages)
    act(board)
    assert len(wire.messages) == before + 1
    assert wire.sizes[-1] < 20_000


def test_a_large_board_is_one_message_below_twenty_kilobytes(wire: Wire) -> None:
    board = BoardWidget(picture(13))
    make_ready(board)
    board.show(picture(13, taken="c4"), lit=["a1", "b2"])
    assert len(wire.messages) == 2
    assert max(wire.sizes) < 20_000


def test_words_alone_redraw_nothing_and_are_one_message(
    board: BoardWidget, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    states: list[Any] = []
    monkeypatch.setattr(board._companion, "send_state", lambda key=None: states.append(set(key)))
    before = len(wire.messages)
    board.say("Think again.", ok=False)
    assert len(wire.messages) == before
    assert len(states) == 1


def test_words_and_buttons_of_one_act_are_one_message(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    def take(name: str) -> None:
        board.can_undo = True
        board.show(picture(taken=name), said="Taken.")

    board = BoardWidget(picture(), on_pick=take, on_undo=lambda: None)
    board.can_undo = False
    make_ready(board)
    states: list[Any] = []
    monkeypatch.setattr(board._companion, "send_state", lambda key=None: states.append(set(key)))
    board.pick("a1")
    assert len(states) == 1
    assert {"can_undo", "said", "where"} <= states[0]


def test_every_page_gets_the_picture_with_its_switch(board: BoardWidget, wire: Wire) -> None:
    """A reloaded page knows no current canvas, so each picture begins by naming it."""
    for _ in range(3):
        make_ready(board)
    switch = COMMANDS["switchCanvas"]
    assert all(message[0][0] == switch for message in wire.messages)
    assert len(wire.messages) == 4


def test_two_boards_do_not_disturb_one_another(wire: Wire) -> None:
    one, two = BoardWidget(picture()), BoardWidget(picture(4))
    make_ready(one)
    make_ready(two)
    one.show(picture(taken="a1"))
    two.show(picture(4, taken="a1"))
    one.show(picture(taken="b1"))
    ids = [board._canvas.model_id for board in (one, two, one, two, one)]
    assert wire.canvases() == ids


def test_what_others_hold_goes_where_it_belongs(board: BoardWidget, wire: Wire) -> None:
    theirs = Canvas(width=10, height=10)
    with hold_canvas():
        theirs.fill_rect(1, 2, 3, 4)
        board.show(picture(taken="a1"))
        theirs.fill_rect(5, 6, 7, 8)
    assert wire.canvases()[-2:] == [board._canvas.model_id, theirs.model_id]
    rects = [c[1] for c in wire.messages[-1] if c[0] == COMMANDS["fillRect"]]
    assert rects == [[1, 2, 3, 4], [5, 6, 7, 8]]


def test_threads_take_turns(wire: Wire) -> None:
    """JupyterLab speaks to widgets from more than one thread."""
    boards = [BoardWidget(picture(6)) for _ in range(3)]
    for board in boards:
        make_ready(board)
    places = ("a1", "b1", "c1", "d1") * 5

    def play(board: BoardWidget) -> None:
        for name in places:
            board.show(picture(6, taken=name))

    play(boards[0])  # what comes after the last place is another message than after none
    wire.messages.clear()
    play(boards[0])
    alone = [len(message) for message in wire.messages]
    for board in boards[1:]:
        play(board)
    wire.messages.clear()

    threads = [threading.Thread(target=play, args=(board,)) for board in boards]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    said = {board._canvas.model_id: [] for board in boards}
    for message, canvas in zip(wire.messages, wire.canvases(), strict=True):
        said[canvas].append(len(message))
        assert sum(command[0] == COMMANDS["switchCanvas"] for command in message) == 1
    assert list(said.values()) == [alone] * 3


def test_a_scene_that_cannot_be_drawn_is_told_and_the_hold_is_released(
    board: BoardWidget, wire: Wire
) -> None:
    before = len(wire.messages)
    bad = replace(picture(), shapes=(Rect(0, 0, 9, 9, fill="no such colour"),))
    board.show(bad, said="Here it comes.")
    assert len(wire.messages) == before
    assert board.said.startswith("Something went wrong: The light theme has no colour")
    assert not board.ok
    assert _CANVAS_MANAGER._caching is False
    board.show(picture(), said="Better.")
    assert len(wire.messages) == before, "the page still shows this one"
    board.show(picture(taken="a1"))
    assert len(wire.messages) == before + 1


def test_the_buffer_is_twice_the_layout_and_follows_the_scene(board: BoardWidget) -> None:
    canvas = board._canvas
    assert (canvas.width, canvas.height) == (300, 300)
    assert "150px" in canvas.layout.width
    board.show(picture(5))
    assert (canvas.width, canvas.height, canvas.layout.height) == (500, 500, "auto")
    assert "250px" in canvas.layout.width
    assert board.layout.align_items == "flex-start"
    assert all(widget.tooltip is None for widget in (board, canvas, board._companion))


def test_a_narrow_page_has_a_picture_of_its_own(board: BoardWidget, wire: Wire) -> None:
    board.show(replace(picture(5), narrow=lambda: picture(3)))
    hear(board, {"do": "width", "narrow": True})
    assert board.scene == picture(3)
    board.show(replace(picture(6), narrow=lambda: picture(4)))
    assert board.scene == picture(4)
    assert "castlelab-standin" in board.standin()  # both are left behind: the page decides
    hear(board, {"do": "width", "narrow": False})
    assert board.scene == picture(6)


def test_a_narrow_page_knows_what_stays_in_sight_and_a_tap_there_is_one_message(
    board: BoardWidget, wire: Wire
) -> None:
    board.show(replace(picture(5), narrow=lambda: picture(3).keeping("b")))
    assert board._companion.tray == []
    hear(board, {"do": "width", "narrow": True})
    ids = [target.id for target in board.scene.targets]
    assert [ids[number] for number in board._companion.tray] == ["b1", "b2", "b3"]
    before = len(wire.messages)
    x, y = board.scene.target("b2").centre
    hear(board, {"do": "click", "x": x, "y": y})
    assert board.focus == "b2"
    assert len(wire.messages) <= before + 1


def test_a_picture_without_a_narrow_form_stays_as_it_is(board: BoardWidget) -> None:
    board.fit(True)
    board.show(picture(5))
    assert board.scene == picture(5)


def test_a_dark_page_has_a_dark_board(board: BoardWidget, wire: Wire) -> None:
    before = len(wire.messages)
    hear(board, {"do": "theme", "dark": True})
    assert board.theme is DARK
    assert board._companion.palette["paper"] == DARK["paper"]
    assert len(wire.messages) == before + 1
    hear(board, {"do": "theme", "dark": False})
    assert board.theme is LIGHT
    own = BoardWidget(picture(), theme=DARK)
    hear(own, {"do": "theme", "dark": False})
    assert own.theme is DARK


# Playing


def test_a_click_picks_what_lies_there(board: BoardWidget, played: list[str]) -> None:
    tell(board, {"event": "mouse_down", "x": 2 * 75, "y": 2 * 25})
    assert played == ["b1"]
    assert board.said == "b1 taken."
    assert board.focus == "b1"
    board.click(-1, 10)
    assert played == ["b1"]


def test_a_tap_picks_once_though_the_browser_also_sends_a_press(
    board: BoardWidget, played: list[str]
) -> None:
    tell(board, {"event": "touch_start", "touches": [{"x": 20, "y": 20}]})
    tell(board, {"event": "mouse_down", "x": 20, "y": 20})
    assert played == ["a1"]
    tell(board, {"event": "mouse_down", "x": 220, "y": 20})
    assert played == ["a1", "c1"]


def test_two_fingers_pick_nothing(board: BoardWidget, played: list[str]) -> None:
    tell(board, {"event": "touch_start", "touches": [{"x": 20, "y": 20}, {"x": 90, "y": 20}]})
    tell(board, {"event": "touch_end", "touches": []})
    assert played == []


def test_keys_move_and_pick(board: BoardWidget, played: list[str]) -> None:
    board.press("ArrowRight")
    assert board.focus == "a1", "the first key enters the board"
    for key, expected in [
        ("ArrowRight", "b1"),
        ("ArrowDown", "b2"),
        ("ArrowLeft", "a2"),
        ("ArrowUp", "a1"),
        ("End", "c3"),
        ("Home", "a1"),
        ("x", "a1"),
        ("Escape", "a1"),
    ]:
        board.press(key)
        assert board.focus == expected
    assert board._companion.where == "Square a1"
    board.press("Enter")
    board.press("ArrowRight")
    board.press(" ")
    assert played == ["a1", "b1"]


def reach(board: BoardWidget, spot: int, deed: str = "", number: int = 1) -> None:
    """What the twin of a target tells: that it has the focus, and what was done there."""
    hear(board, {"do": "reach", "spot": spot, "deed": deed, "number": number})


def key(board: BoardWidget, name: str) -> None:
    reach(board, -1, name)


def test_undo_and_redo_by_key_and_button(wire: Wire) -> None:
    done: list[str] = []
    board = BoardWidget(
        picture(),
        on_undo=lambda: done.append("undo"),
        on_redo=lambda: done.append("redo"),
    )
    key(board, "u")
    key(board, "ctrl+z")
    key(board, "r")
    key(board, "ctrl+y")
    key(board, "ctrl+shift+Z")
    hear(board, {"do": "undo"})
    hear(board, {"do": "redo"})
    assert done == ["undo", "undo", "redo", "redo", "redo", "undo", "redo"]
    board.can_undo = board.can_redo = False
    board.press("u")
    assert board.said == "There is nothing to undo."
    hear(board, {"do": "redo"})
    assert board.said == "There is nothing to redo."
    assert len(done) == 7
    assert not BoardWidget(picture()).can_undo, "no handler, nothing to undo"


def test_an_editor_has_keys_of_its_own(wire: Wire) -> None:
    done: list[str] = []

    def fail() -> None:
        raise CastlelabError("not now")

    board = BoardWidget(
        picture(), keys={"w": lambda: done.append("w"), "x": fail}, keys_help="W walls."
    )
    assert board._companion.own_keys == ["w", "x"]
    key(board, "W")
    key(board, "q")
    assert done == ["w"]
    key(board, "x")
    assert (board.said, board.ok) == ("not now", False)


def test_the_focus_stays_with_its_target(board: BoardWidget) -> None:
    board.press("End")
    board.show(picture(4))
    assert board.focus == "c3"
    few = replace(picture(), targets=picture().targets[:5])
    board.show(few)
    assert board.focus == "b2", "the nearest to where the focus was"
    board.show(replace(picture(), targets=()))
    assert board.focus is None


def test_a_target_that_cannot_be_picked_says_so(board: BoardWidget, played: list[str]) -> None:
    board.pick("c3")
    assert board.said == "Square c3: this cannot be picked now."
    board.pick("z9")
    assert board.said == "There is nothing called 'z9' on this board."
    assert not board.ok
    assert played == []


def test_typed_moves(board: BoardWidget, played: list[str]) -> None:
    hear(board, {"do": "write", "text": "b2"})
    assert played == ["b2"]
    assert board.draft == ""
    assert board._companion.accepted == 1


def test_a_refused_text_stays_in_its_box(wire: Wire) -> None:
    board = BoardWidget(picture(), on_text=int)
    board.write("four <b>")
    assert board.said == "invalid literal for int() with base 10: 'four <b>'"
    assert board.draft == "four <b>"
    assert board._companion.accepted == 0
    BoardWidget(picture()).write("nobody listens")


def test_several_lines_and_the_same_words_twice(board: BoardWidget) -> None:
    board.say("One.\nTwo.", ok=False)
    assert board._companion.said == ["One.", "Two."]
    times = board._companion.times
    board.say("One.\nTwo.", ok=False)
    assert board._companion.times == times + 1


# Errors


def refuse(error: Exception) -> Callable[[str], None]:
    def handler(_: str) -> None:
        raise error

    return handler


def test_a_refusal_is_told_in_its_own_words(wire: Wire) -> None:
    board = BoardWidget(picture(), on_pick=refuse(CastlelabError("Not\nthere.")))
    board.pick("a1")
    assert (board.said, board.ok) == ("Not there.", False)


def test_an_illegal_move_lights_its_squares(wire: Wire) -> None:
    rule = Rule("test/rule", "A rule", "Do not.", "Rules")
    verdict = Verdict((Breach(rule, "It leans.", where=("a1", "b2"), mend="Move it."),))
    board = BoardWidget(picture(), on_pick=refuse(IllegalMove("a1", verdict)))
    board.pick("c1")
    assert board.lit == ("a1", "b2")
    assert "It leans. Move it. [test/rule]" in board.said
    assert LEGAL


def test_a_fault_is_told_logged_and_undone(wire: Wire, caplog: pytest.LogCaptureFixture) -> None:
    def fail(name: str) -> None:
        board.show(picture(taken=name), said="Half done.", lit=["a2"])
        raise RuntimeError("the <b>floor</b>\ngave way")

    board = BoardWidget(picture(), on_pick=fail)
    make_ready(board)
    with caplog.at_level(logging.ERROR):
        board.pick("a1")
    words = "Something went wrong: the <b>floor</b> gave way (the board is as it was)"
    assert (board.said, board.ok) == (words, False)
    assert board.scene == picture()
    assert board.lit == ()
    assert "RuntimeError" in caplog.text
    board.press("ArrowRight")
    assert board.focus == "b1"


def test_a_fault_without_words_is_named(wire: Wire, caplog: pytest.LogCaptureFixture) -> None:
    board = BoardWidget(picture(), on_undo=lambda: [][0], on_redo=refuse)  # type: ignore[arg-type]
    board.undo()
    assert "list index out of range" in board.said
    assert BoardWidget(picture(), on_pick=refuse(KeyError())).pick("a1") is None
    assert "KeyError" in caplog.text


# Without a page


def test_a_board_without_a_page_is_a_picture_and_a_line() -> None:
    board = BoardWidget(picture(taken="b2"))
    assert repr(board) == "Board(Squares: Taken: b2)"
    bundle = board._repr_mimebundle_()
    assert bundle["text/plain"] == "Squares. Taken: b2."
    assert bundle["image/svg+xml"].startswith("<svg")
    assert "application/vnd.jupyter.widget-view+json" in bundle


def test_nothing_is_fetched_from_the_network() -> None:
    companion = BoardWidget(picture())._companion
    for source in (companion._esm, companion._css):
        assert "http" not in source
        assert "import " not in source
        assert "innerHTML" not in source


# Offers


def test_offers_are_shown_until_the_next_picture(board: BoardWidget, wire: Wire) -> None:
    before = len(wire.messages)
    board.show(picture(), "Pick one.", offered=["b1", "c1", "nowhere"])
    assert board.offered == ("b1", "c1", "nowhere")
    assert len(wire.messages) == before + 1
    board.say("Well?")
    assert board.offered == ("b1", "c1", "nowhere")
    board.show(picture())
    assert board.offered == ()
    assert len(wire.messages) == before + 2


def test_the_name_of_an_offer_says_so(board: BoardWidget) -> None:
    board.show(picture(), offered=["b1"])
    board.press("Home")
    assert board._companion.where == "Square a1"
    board.press("ArrowRight")
    assert board._companion.where == f"Square b1, {OFFERED_WORDS}"
    board.show(picture())
    assert board._companion.where == "Square b1"


def test_a_saved_page_shows_the_offers(board: BoardWidget) -> None:
    board.show(picture(), offered=["b1"])
    plain = BoardWidget(picture())._repr_mimebundle_()["image/svg+xml"]
    shown = board._repr_mimebundle_()["image/svg+xml"]
    assert shown.count('stroke-width="4"') > plain.count('stroke-width="4"')  # bold corners


def test_what_fails_takes_its_offers_back(wire: Wire) -> None:
    def fail(_: str) -> None:
        board.show(picture(), offered=["c1"])
        raise RuntimeError("oh")

    board = BoardWidget(picture(), on_pick=fail)
    board.show(picture(), offered=["b1"])
    board.pick("a1")
    assert board.offered == ("b1",)


# Hands


def bench(*, groups: bool = False) -> tuple[BoardWidget, list[str]]:
    """A board where a1, b1 and c1 are things that can be taken up, and the others are places."""
    picks: list[str] = []
    scene = picture()
    if groups:
        hand = [replace(t, group="Hand" if t.id[1] == "1" else "Site") for t in scene.targets]
        scene = replace(scene, targets=tuple(hand))

    def take(name: str) -> None:
        picks.append(name)
        if name == "b2":
            raise CastlelabError("it does not fit there")
        made.show(scene, f"{name} picked.", held=name if name[1] == "1" else None)

    made = BoardWidget(scene, on_pick=take)
    make_ready(made)
    return made, picks


def press_at(board: BoardWidget, x: float, y: float) -> None:
    tell(board, {"event": "mouse_down", "x": 2 * x, "y": 2 * y})


def let_go(board: BoardWidget, x: float, y: float, *, again: bool = False) -> None:
    hear(board, {"do": "drop", "x": x, "y": y, "again": again})


def test_the_page_knows_where_the_targets_are_and_what_they_are_called(wire: Wire) -> None:
    long = "A square with a name that nobody reads to its end beside a pointer"
    first, *rest = picture().targets
    scene = replace(picture(), targets=(replace(first, name=long, x=0.4), *rest))
    board = BoardWidget(scene, on_pick=print)
    make_ready(board)
    companion = board._companion
    assert companion.boxes == [
        (0.4, y, 50, 50, 49.6, 0, 3) if not y else (0, y, 50, 50, 50, 0, 3) for y in (0, 50, 100)
    ]
    assert companion.names == [long, *(target.name for target in rest)]
    assert companion.disabled == [8]
    assert companion.answers
    assert not BoardWidget(scene)._companion.answers


def test_places_and_names_go_with_the_words_and_only_if_they_changed(
    board: BoardWidget, monkeypatch: pytest.MonkeyPatch
) -> None:
    states: list[set[str]] = []
    monkeypatch.setattr(board._companion, "send_state", lambda key=None: states.append(set(key)))
    board.pick("a1")
    board.show(picture(taken="b1"))
    spots = {"boxes", "names", "renamed", "disabled", "held"}
    assert all(not state & spots for state in states)
    states.clear()
    renamed = replace(picture().targets[0], name="Square a1, taken")
    board.show(replace(picture(), targets=(renamed, *picture().targets[1:])), "Taken.")
    assert [state & spots for state in states] == [{"renamed"}]
    assert board._companion.renamed == {"0": "Square a1, taken"}
    board.show(picture())
    assert board._companion.renamed == {}
    board.show(picture(7))
    assert len(board._companion.names) == 49


def test_a_drag_picks_a_thing_and_its_place(wire: Wire) -> None:
    board, picks = bench()
    press_at(board, 75, 25)
    assert board.held == "b1"
    assert board._companion.held["spot"] == 1
    let_go(board, 75, 125)
    assert picks == ["b1", "b3"]
    assert board.held is None
    assert board._companion.held == {}


@pytest.mark.parametrize("place", [(75, 25), (-9, 400)])
def test_what_is_dropped_on_nothing_or_on_itself_stays_in_hand(
    wire: Wire, place: tuple[float, float]
) -> None:
    board, picks = bench()
    press_at(board, 75, 25)
    let_go(board, *place)
    assert (picks, board.held) == (["b1"], "b1")


def test_what_was_refused_stays_in_hand_and_can_be_dragged_again(wire: Wire) -> None:
    board, picks = bench()
    press_at(board, 75, 25)
    let_go(board, 75, 75)
    assert (board.said, board.ok, board.held) == ("it does not fit there", False, "b1")
    let_go(board, 75, 125)
    assert picks == ["b1", "b2"], "no press has taken it up"
    let_go(board, 75, 125, again=True)
    assert picks == ["b1", "b2", "b3"]


def test_a_drag_across_places_picks_only_the_first(board: BoardWidget, played: list[str]) -> None:
    press_at(board, 25, 25)
    let_go(board, 25, 75)
    assert played == ["a1"]


def test_among_its_like_a_thing_is_only_put_down(wire: Wire) -> None:
    board, picks = bench(groups=True)
    press_at(board, 25, 25)
    let_go(board, 75, 25)
    assert (picks, board.held) == (["a1"], "a1")
    let_go(board, 75, 125, again=True)
    assert picks == ["a1", "b3"]


def test_a_press_that_the_page_kept_picks_at_last(board: BoardWidget, played: list[str]) -> None:
    hear(board, {"do": "click", "x": 25, "y": 75})
    assert played == ["a2"]


def test_every_drop_is_answered(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    board, _ = bench()
    sent: list[Any] = []
    monkeypatch.setattr(board._companion, "send", sent.append)
    let_go(board, 75, 25)
    press_at(board, 25, 25)
    let_go(board, 75, 75)
    assert sent == [{"dropped": True}] * 2


# The ring of the focus


def rings(wire: Wire) -> bool:
    """Whether the last message draws a ring."""
    return LIGHT["focus"] in json.dumps(wire.messages[-1])


def test_the_ring_is_for_keys_alone(board: BoardWidget, wire: Wire) -> None:
    press_at(board, 75, 25)
    assert board.focus == "b1"
    assert not rings(wire)
    board.press("ArrowRight")
    assert board.focus == "c1", "keys go on from there"
    assert rings(wire)
    board.press("Enter")
    make_ready(board)
    assert rings(wire)
    press_at(board, 25, 75)
    make_ready(board)
    assert not rings(wire)
    assert board._companion.where == "Square a2"
