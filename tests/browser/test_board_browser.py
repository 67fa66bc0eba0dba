"""Boards on real pages: drawn, clicked, tapped, played with keys, reloaded and shown twice."""

from __future__ import annotations

import re
from collections.abc import Callable
from shutil import copy
from typing import Any
from uuid import uuid4

import pytest
from looking import box_of

pytestmark = pytest.mark.browser

# The centre of a square of the first board, and of a number of the second, in its own pixels.
SQUARES = {"a1": (61, 86), "b1": (151, 86), "c1": (241, 86), "a2": (61, 176), "c3": (241, 266)}
ROW_WIDTH, SQUARES_WIDTH = 620, 310

COLOURS = """canvas => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const found = new Set();
    let clear = 0;
    for (let i = 0; i < data.length; i += 4) {
        if (data[i + 3] < 255) clear += 1;
        else found.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
    }
    return { colours: found.size, clear };
}"""
PIXEL = """(canvas, [x, y]) => {
    const data = canvas.getContext("2d").getImageData(x, y, 1, 1).data;
    return "#" + [...data.slice(0, 3)].map((b) => b.toString(16).padStart(2, "0")).join("");
}"""


class Pages:
    """One notebook with boards, on Voilà or in JupyterLab."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def board(self, number: int) -> Any:
        return self.page.locator(".castlelab-board").nth(number)

    def canvas(self, number: int) -> Any:
        return self.board(number).locator("canvas")

    def wait(self) -> None:
        """Wait until all three views are there and drawn."""
        for number in range(3):
            self.page.wait_for_function(
                "n => document.querySelectorAll('.castlelab-board')[n]?.dataset.castlelab",
                arg=number,
            )
            self.wait_until_drawn(number)

    def wait_until_drawn(self, number: int) -> None:
        self.page.wait_for_function(
            f"n => {{ const c = document.querySelectorAll('.castlelab-board > canvas')[n];"
            f" return c && c.checkVisibility() && ({COLOURS})(c).colours > 3; }}",
            arg=number,
        )

    def wait_for_words(self, number: int, words: str) -> None:
        pattern = re.compile(re.escape(words))
        self.board(number).locator(".castlelab-words", has_text=pattern).wait_for()

    def click(self, number: int, x: float, y: float, width: float, *, tap: bool = False) -> None:
        """Click at a point of the picture, wherever and however small it is shown."""
        canvas = self.canvas(number)
        canvas.scroll_into_view_if_needed()
        shown = box_of(canvas)["width"] / width
        place = {"x": x * shown, "y": y * shown}
        # On a touch screen the twin lies upon the canvas, and takes what a finger does.
        (canvas.tap if tap else canvas.click)(position=place, force=True)

    def colour(self, number: int, x: float, y: float) -> str:
        """The colour of the picture at a point; the buffer has two pixels for each of the page."""
        return str(self.canvas(number).evaluate(PIXEL, [x * 2, y * 2]))

    def wait_for_colour(self, number: int, x: float, y: float, colour: str) -> None:
        self.page.wait_for_function(
            f"([n, at, colour]) => ({PIXEL})("
            "document.querySelectorAll('.castlelab-board > canvas')[n], at) === colour",
            arg=[number, [x * 2, y * 2], colour],
        )


ACCENT, PANEL, ACCENT_DARK = "#1d5c74", "#f2ece1", "#7cc0da"
CORNER = (-25, -25)  # from the centre of a square to where no letter is


def near(square: str) -> tuple[float, float]:
    return SQUARES[square][0] + CORNER[0], SQUARES[square][1] + CORNER[1]


@pytest.fixture
def voila(voila_server: Any, open_page: Callable[..., Any]) -> Callable[..., Pages]:
    def visit(query: str = "", **options: Any) -> Pages:
        page = open_page(**options)
        page.goto(f"{voila_server.url}/voila/render/pages/board.ipynb{query}")
        pages = Pages(page)
        pages.wait()
        return pages

    return visit


@pytest.fixture
def lab(lab_server: Any, open_page: Callable[..., Any]) -> Callable[..., Pages]:
    def visit(**options: Any) -> Pages:
        page = open_page(**options)
        # A notebook of its own has a kernel of its own.
        name = f"board-{uuid4().hex}.ipynb"
        copy(lab_server.folder / "pages" / "board.ipynb", lab_server.folder / "pages" / name)
        page.goto(f"{lab_server.url}/lab/tree/pages/{name}?reset")
        page.locator(".jp-Notebook .jp-Cell").first.wait_for()
        page.wait_for_function("window.jupyterapp?.shell.currentWidget?.context?.isReady")
        page.evaluate(
            "() => window.jupyterapp.shell.currentWidget.sessionContext.ready"
            ".then(() => window.jupyterapp.commands.execute('notebook:run-all-cells'))"
        )
        pages = Pages(page)
        pages.wait()
        return pages

    return visit


@pytest.fixture(params=["voila", "lab"])
def visit(request: pytest.FixtureRequest) -> Callable[..., Pages]:
    opener: Callable[..., Pages] = request.getfixturevalue(request.param)
    return opener


def test_a_board_is_drawn_and_plays_in_every_view(visit: Callable[..., Pages]) -> None:
    pages = visit()
    for number in range(3):
        assert pages.canvas(number).evaluate(COLOURS)["clear"] == 0, "the background is painted"
    # A click is drawn and said in both views of the board, and only there.
    other = pages.canvas(2).evaluate("canvas => canvas.toDataURL()")
    assert pages.colour(0, *near("a1")) == PANEL
    pages.click(0, *SQUARES["a1"], SQUARES_WIDTH)
    for number in (0, 1):
        pages.wait_for_colour(number, *near("a1"), ACCENT)
        pages.wait_for_words(number, "a1 taken.")
        pages.wait_for_words(number, "Square a1, taken")
    # The other board is not disturbed, and works after that.
    assert pages.canvas(2).evaluate("canvas => canvas.toDataURL()") == other
    pages.click(2, 160, 40, ROW_WIDTH)
    pages.wait_for_words(2, "You picked 2.")
    # Back again, through the second view; and a picture of another size is not blank.
    pages.click(1, *SQUARES["c1"], SQUARES_WIDTH)
    for number in (0, 1):
        pages.wait_for_colour(number, *near("c1"), ACCENT)
        pages.wait_until_drawn(number)
        box = box_of(pages.canvas(number))
        assert (round(box["width"]), round(box["height"])) == (310, 330)


def test_keys_alone_move_play_undo_and_leave(visit: Callable[..., Pages]) -> None:
    pages = visit()
    page, keys = pages.page, pages.page.keyboard
    pages.canvas(0).focus()
    keys.press("ArrowRight")
    pages.wait_for_words(0, "Square b1, free")
    keys.press("Enter")
    pages.wait_for_words(0, "b1 taken.")
    pages.wait_for_colour(0, *near("b1"), ACCENT)
    keys.press("u")
    pages.wait_for_words(0, "Undone.")
    pages.wait_for_colour(0, *near("b1"), PANEL)
    keys.press("r")
    pages.wait_for_words(0, "Redone.")
    keys.press("Control+z")
    pages.wait_for_words(0, "Undone.")
    keys.press("ArrowDown")
    keys.press("Space")
    pages.wait_for_words(0, "b2 taken.")
    # The twin has the focus, and is where the picture is; of the canvas nothing is heard.
    twin = pages.board(0).get_by_role("group", name="Nine squares", exact=True)
    named = twin.get_by_role("option", name="Square b2, taken")
    assert named.evaluate("node => node === document.activeElement")
    on, box = box_of(pages.canvas(0)), box_of(named)
    middle = box["x"] + box["width"] / 2 - on["x"], box["y"] + box["height"] / 2 - on["y"]
    assert middle == pytest.approx((SQUARES["b1"][0], SQUARES["a2"][1]), abs=2)
    assert pages.canvas(0).get_attribute("aria-hidden") == "true"
    # Tab walks out of the twin, through the controls, to the next board, and back.
    focused = """() => document.activeElement.getAttribute("role")
      ?? (document.activeElement.textContent || document.activeElement.tagName)"""
    walk = []
    for _ in range(6):
        keys.press("Tab")
        walk.append(page.evaluate(focused))
    assert walk == ["Undo", "Redo", "INPUT", "Do it", "Show as text", "option"]
    for _ in range(15):  # JupyterLab has stops of its own between two outputs
        keys.press("Shift+Tab")
        if named.evaluate("node => node === document.activeElement"):
            break
    else:
        pytest.fail("Shift+Tab does not lead back to the board")
    # The button works by key too, though JupyterLab has a use of its own for Enter.
    keys.press("Tab")
    keys.press("Enter")
    pages.wait_for_words(0, "Undone.")


def test_typed_moves_and_refusals(visit: Callable[..., Pages]) -> None:
    pages = visit()
    box = pages.board(0).get_by_label("Type a move")
    box.fill("b2")
    box.press("Enter")
    pages.wait_for_words(0, "b2 taken.")
    pages.page.wait_for_function("input => input.value === ''", arg=box.element_handle())
    box.fill("z9 <i>")
    pages.board(0).get_by_role("button", name="Do it").click()
    pages.wait_for_words(0, "There is no square 'z9 <i>'.")
    assert box.input_value() == "z9 <i>"
    assert pages.board(0).get_by_role("alert").inner_text() == "There is no square 'z9 <i>'."


def test_what_a_handler_raises_is_told_in_one_line(voila: Callable[..., Pages]) -> None:
    pages = voila()
    pages.click(0, *SQUARES["c3"], SQUARES_WIDTH)
    words = "Something went wrong: <b>the floor</b> gave way (the board is as it was)"
    pages.wait_for_words(0, words)
    alert = pages.board(0).get_by_role("alert")
    assert alert.inner_text() == words
    assert alert.locator("b").count() == 0
    # A square that cannot be picked says so, and the board still plays.
    pages.click(0, SQUARES["c3"][0], SQUARES["a2"][1], SQUARES_WIDTH)
    pages.wait_for_words(0, "Square c2, free: this cannot be picked now.")
    pages.click(0, *SQUARES["a1"], SQUARES_WIDTH)
    pages.wait_for_words(0, "a1 taken.")
    assert alert.inner_text() == ""


def test_a_reloaded_page_is_not_blank(visit: Callable[..., Pages]) -> None:
    pages = visit()
    pages.click(0, *SQUARES["a1"], SQUARES_WIDTH)
    pages.wait_for_colour(0, *near("a1"), ACCENT)
    is_lab = "/lab/" in pages.page.url
    if is_lab:
        pages.page.evaluate("() => window.jupyterapp.commands.execute('docmanager:save')")
    pages.page.reload()
    pages.wait()
    if is_lab:  # the kernel lives on, and so does the game
        pages.wait_for_colour(0, *near("a1"), ACCENT)
    pages.click(0, *SQUARES["a2"], SQUARES_WIDTH)
    pages.wait_for_colour(1, *near("a2"), ACCENT)


def test_a_narrow_fine_screen(voila: Callable[..., Pages]) -> None:
    """At 400 pixels the wide board shrinks, clicks still hit, taps pick once, nothing overflows.

    A finger enlarges what is too small for it before it picks.
    """
    pages = voila(viewport={"width": 400, "height": 800}, device_scale_factor=2, has_touch=True)
    shown = box_of(pages.canvas(2))
    assert shown["x"] >= 0
    assert shown["x"] + shown["width"] <= 400 - shown["x"], "as far from both edges"
    assert shown["width"] / shown["height"] == pytest.approx(620 / 80, rel=0.02)
    pages.click(2, 10 + 60 * 7 + 30, 40, ROW_WIDTH)
    pages.wait_for_words(2, "You picked 7.")
    shown = box_of(pages.canvas(2))
    shrunk = shown["width"] / ROW_WIDTH
    nine = shown["x"] + (10 + 60 * 9 + 50) * shrunk, shown["y"] + 40 * shrunk
    pages.page.touchscreen.tap(*nine)  # too small for a finger: the picture becomes larger there
    pages.page.locator(".castlelab-zoomed").wait_for()
    pages.wait_for_words(2, "You picked 7.")
    pages.page.touchscreen.tap(*nine)
    pages.wait_for_words(2, "You picked 9.")
    smaller = pages.board(2).get_by_role("button", name="Smaller picture")
    for _ in range(4):
        smaller.tap()
    assert not pages.page.locator(".castlelab-zoomed").count()
    # Twice in a row a square is refused: a tap that counted twice would say so.
    pages.click(0, *SQUARES["a2"], SQUARES_WIDTH, tap=True)
    pages.wait_for_words(0, "a2 taken.")
    pages.click(0, *SQUARES["a1"], SQUARES_WIDTH, tap=True)
    pages.wait_for_words(0, "a1 taken.")
    assert pages.board(0).get_by_role("alert").inner_text() == ""
    size = pages.canvas(0).evaluate("c => [c.width / c.clientWidth, c.height / c.clientHeight]")
    assert size == pytest.approx([2, 2], rel=0.01)
    overflow = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert pages.page.evaluate(overflow) <= 0


def test_the_page_keeps_its_wheel_and_its_keys(voila: Callable[..., Pages]) -> None:
    pages = voila(viewport={"width": 800, "height": 400})
    canvas = pages.canvas(0)
    canvas.evaluate(
        "c => { window.prevented = [];"
        " for (const type of ['wheel', 'keydown']) window.addEventListener(type, (e) => 0, true);"
        " const board = c.closest('.castlelab-board');"
        " const cell = board.querySelector('.castlelab-cell[tabindex=\"0\"]');"
        " for (const key of ['Tab', 'F5', 'PageDown', 'a', 'ArrowUp']) {"
        "  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });"
        "  cell.dispatchEvent(event); if (event.defaultPrevented) window.prevented.push(key); }"
        " const wheel = new WheelEvent('wheel', { deltaY: 9, bubbles: true, cancelable: true });"
        " c.dispatchEvent(wheel); if (wheel.defaultPrevented) window.prevented.push('wheel'); }"
    )
    assert pages.page.evaluate("() => window.prevented") == ["ArrowUp"]
    # The right button does not pick.
    canvas.click(position={"x": SQUARES["a1"][0], "y": SQUARES["a1"][1]}, button="right")
    pages.click(0, *SQUARES["b1"], SQUARES_WIDTH)
    pages.wait_for_words(0, "b1 taken.")
    assert pages.colour(0, *near("a1")) == PANEL


def test_a_dark_page_has_a_dark_board(voila: Callable[..., Pages]) -> None:
    pages = voila("?theme=dark")
    pages.wait_for_colour(0, 3, 3, "#1b1816")
    pages.click(0, *SQUARES["a1"], SQUARES_WIDTH)
    pages.wait_for_colour(0, *near("a1"), ACCENT_DARK)


def test_the_board_follows_the_theme_of_the_lab(lab: Callable[..., Pages]) -> None:
    pages = lab()
    for square in ("a1", "b1", "a2"):
        pages.click(0, *SQUARES[square], SQUARES_WIDTH)
        pages.wait_for_colour(0, *near(square), ACCENT)
    touched_up = pages.canvas(0).evaluate("canvas => canvas.toDataURL()")
    for theme, paper in (("JupyterLab Dark", "#1b1816"), ("JupyterLab Light", "#fbf8f2")):
        pages.page.evaluate(
            "theme => window.jupyterapp.commands.execute('apputils:change-theme', { theme })", theme
        )
        pages.wait_for_colour(0, 3, 3, paper)
    # A theme is painted whole, and the squares were painted one by one: it is the same picture.
    assert pages.canvas(0).evaluate("canvas => canvas.toDataURL()") == touched_up


def test_few_and_small_messages(voila_server: Any, open_page: Callable[..., Any]) -> None:
    """A click is one message to the kernel; its answer on the page is one picture, one line."""
    page = open_page()
    sent: list[int] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda data: sent.append(len(data))))
    page.goto(f"{voila_server.url}/voila/render/pages/board.ipynb")
    pages = Pages(page)
    pages.wait()
    pages.canvas(2).hover()
    sent.clear()
    pages.click(2, 160, 40, ROW_WIDTH)
    pages.wait_for_words(2, "You picked 2.")
    assert len(sent) == 1, "hovering and releasing the button are not worth a message"
