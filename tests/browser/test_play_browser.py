"""Games on the page, on a real `castlelab serve`: to their end, passed on, shared, brought back."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from looking import box_of, text_box
from servers import Server, free_port, running

import castlelab
from castlelab.bots import Greedy
from castlelab.chance import Chance
from castlelab.record import Record
from castlelab.telling import way_to
from castlelab.widgets.table.sitting import Sitting, read_query

pytestmark = pytest.mark.browser

ON_BOARD = "() => document.activeElement?.matches('.castlelab-cell')"
BOX = ".castlelab-controls input[type=text]"
KEPT = "() => sessionStorage.getItem('castlelab-game') ?? ''"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """`castlelab serve`, as a visitor of an installed castlelab starts it."""
    port = free_port()
    command = [sys.executable, "-m", "castlelab", "serve", "--no-browser", "--port", str(port)]
    home = tmp_path_factory.mktemp("play-home")
    with running(command, f"http://127.0.0.1:{port}", "/voila/static/", home, home) as server:
        yield server


def visit(page: Any, site: Server, query: str = "") -> Any:
    """Open the page to play on; with a game in the address its table is waited for."""
    page.goto(f"{site.url}/voila/render/play.ipynb{query}", timeout=90_000)
    page.wait_for_selector(".castlelab-ready", timeout=90_000)
    return at_table(page) if query else page.wait_for_selector(".castlelab-setup")


def at_table(page: Any, *, typing: bool = True) -> Any:
    """The table, with the field for moves unfolded."""
    page.wait_for_selector(".castlelab-board[data-castlelab=ready] canvas", timeout=60_000)
    table = page.locator(".castlelab-table")
    if typing:
        table.get_by_role("button", name="More").click()
        table.locator(BOX).wait_for()
    return table


def link(record: Record, bots: dict[int, str], open_table: bool = False) -> str:
    return f"?{Sitting(record, bots, open_table).query}"


def kept(page: Any) -> Record | None:
    """The record that the tab holds."""
    found = read_query(page.evaluate(KEPT))
    return None if found is None else found.record


def wait_for(page: Any, holds: Callable[[Record], bool], table: Any = None) -> Record:
    """Wait until the game in the tab is as it should be; a table may ask whether it is meant."""
    record = None
    for _ in range(600):
        if table is not None and (yes := table.get_by_role("button", name="Yes, do it")).count():
            yes.click()
        record = kept(page)
        if record is not None and holds(record):
            return record
        page.wait_for_timeout(50)
    raise AssertionError(f"it never came to that; the moves are {record and record.moves}")


def type_move(page: Any, box: Any, move: object) -> None:
    """Type a move that is accepted: the box is empty again."""
    box.focus()
    page.keyboard.type(str(move))
    page.keyboard.press("Enter")
    page.wait_for_function("box => box.value === ''", arg=box.element_handle())


def is_answered(me: int, played: int, record: Record) -> bool:
    """Whether so many moves were made and it is my turn again, or nobody's."""
    return len(record.moves) >= played and record.state.to_move in (me, None)


def test_a_game_is_played_to_its_end_against_a_bot_with_the_keyboard_alone(
    page: Any, site: Server
) -> None:
    """Chosen, started and played by Tab, arrows, Enter and typing; then played again."""
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    visit(page, site)
    page.evaluate("document.activeElement.blur()")
    for _ in range(40):  # to the number of the game, which makes it the same every time
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.placeholder") == "a new game":
            break
    page.keyboard.type("11")
    page.keyboard.press("Enter")
    table = at_table(page, typing=False)
    record = wait_for(page, lambda record: record.state.to_move == 0)
    assert record.game.name == "castle_keep"
    assert record.seed == 11
    page.wait_for_function(ON_BOARD)  # the button with the focus is gone; the board has it now
    end = table.locator(".castlelab-cell[aria-label^='End turn']")
    while not end.evaluate("it => it === document.activeElement"):
        page.keyboard.press("F6")
    page.keyboard.press("Enter")  # a turn ends by pointing; the others are typed
    wait_for(page, lambda now: now.moves[len(record.moves) :][:1] == ("end",))
    while not table.get_by_role("button", name="More").evaluate(
        "it => it === document.activeElement"
    ):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    box = table.locator(BOX)
    box.wait_for()
    me, player, played = 0, Greedy(), len(record.moves) + 1
    for _ in range(120):
        record = wait_for(page, partial(is_answered, me, played))
        if record.state.over:
            break
        move, _ = player.choose(record.state, Chance.seeded(len(record.moves)))
        type_move(page, box, move)
        played = len(record.moves) + 1
    assert record.state.over
    table.locator(".castlelab-end").wait_for()
    outcome = "You won!" if record.state.winners == (me,) else "You lost."
    table.get_by_text(outcome).first.wait_for()
    table.get_by_role("button", name="Play again").focus()
    page.keyboard.press("Enter")
    wait_for(page, lambda record: record.seed == 12)
    page.wait_for_function("() => !document.body.innerText.includes('Where the points')")
    page.wait_for_function(ON_BOARD)
    assert not errors


def test_what_is_offered_instead_is_played_by_keys(page: Any, site: Server) -> None:
    record = Record.start(castlelab.load("castell", first="blue"), 3).play("move Valls")
    table = visit(page, site, link(record, {}))
    table.locator(BOX).focus()
    page.keyboard.type("move Tarragona")
    page.keyboard.press("Enter")
    offer = table.get_by_role("button", name="Do this instead: special move Tarragona")
    offer.wait_for()
    while not offer.evaluate("button => button === document.activeElement"):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    wait_for(page, lambda record: record.moves[-1:] == ("special move Tarragona",))
    offer.wait_for(state="detached")


def test_a_refused_move_why_hint_and_looking_back(page: Any, site: Server) -> None:
    record = Record.start(castlelab.load("castell"), 3).play("move Valls")
    table = visit(page, site, link(record, {1: "greedy"}))
    page.get_by_text("This game was shared with you").wait_for()
    assert "record" not in page.url  # a reload goes on with the game, not with the link
    box = table.locator(BOX)
    box.focus()
    for text, told in (("move <b>Mataró</b>", "is not a region"), ("move Tarragona", "already")):
        page.keyboard.press("Control+a")
        page.keyboard.type(text)
        page.keyboard.press("Enter")
        table.get_by_text(told).first.wait_for()
    table.get_by_text("castell/action-once").first.wait_for()
    table.locator(".castlelab-rule").get_by_text("once").first.wait_for()
    table.get_by_role("button", name="Why?").click()
    table.get_by_text("Pick anything").first.wait_for()
    table.locator(".castlelab-board > canvas").focus()
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    table.get_by_text("You may not: move Barcelona").first.wait_for()
    table.get_by_role("button", name="Why?").click()
    table.get_by_role("button", name="Hint").click()
    table.get_by_text("A bot would play:").first.wait_for()
    table.get_by_role("button", name="Look back").click()
    handle = table.locator(".castlelab-look-back .noUi-handle")
    handle.focus()
    page.keyboard.press("ArrowLeft")
    table.get_by_text("Looking back: after move 0").first.wait_for()
    table.get_by_role("button", name="Back to now").last.click()
    table.get_by_text("Back to now.").first.wait_for()


def test_a_curtain_falls_between_two_people(open_page: Any, site: Server) -> None:
    page = open_page(viewport={"width": 400, "height": 800}, color_scheme="dark")
    record = Record.start(castlelab.load("castle_keep"), 1)
    state = record.state
    names = ("Blue", "Orange")
    table = visit(page, site, link(record, {}))
    hand = [str(tile) for tile in state.hands[state.to_move]]
    table.get_by_text(f"Pass the screen to {names[state.to_move]}.").first.wait_for()
    assert not any(tile in table.inner_text() for tile in hand)
    assert table.locator(".castlelab-table-menu select option").count() == 0
    table.locator(".castlelab-board > canvas").focus()
    page.keyboard.press("Enter")
    table.get_by_text("Your turn").or_(table.get_by_text("is to move")).first.wait_for()
    box = table.locator(BOX)
    while state.to_move == record.state.to_move:
        moves = {move.kind: move for move in state.moves()}
        move = moves.get("discard") or moves["end"]
        type_move(page, box, move)
        state = state.play(move)
    table.get_by_text(f"Pass the screen to {names[state.to_move]}.").first.wait_for()
    table.get_by_role("button", name=f"I am {names[state.to_move]}").click()
    table.locator(".castlelab-log li[data-number]").last.wait_for(state="attached")
    assert page.evaluate("document.documentElement.scrollWidth") <= 400


@pytest.mark.parametrize("name", ["castle_rampage", "castlescape"])
def test_what_the_curtain_hides_is_not_even_sent(page: Any, site: Server, name: str) -> None:
    """The cards of a hand come to the page when their owner has opened the curtain."""
    record = Record.start(castlelab.load(name), 3)
    first = record.state.to_move
    while record.state.to_move == first:
        record = record.play(record.state.moves()[0])
    came: list[bytes] = []

    def note(frame: str | bytes) -> None:
        came.append(frame.encode() if isinstance(frame, str) else frame)

    def is_sent(words: str) -> bool:
        return any(words.encode() in frame for frame in came)

    page.on("websocket", lambda line: line.on("framereceived", note))
    page.goto(f"{site.url}/voila/render/play.ipynb{link(record, {})}", timeout=90_000)
    table = at_table(page, typing=False)
    for _ in range(2):
        seat = record.state.to_move
        owner = ("Blue", "Orange")[seat]
        table.get_by_text(f"Pass the screen to {owner}.").first.wait_for()
        hand = [
            each.name[:30]  # a longer one may be cut
            for each in record.state.view(seat).picture().targets
            if each.group == f"{owner}'s cards dealt" or each.id.startswith("contract ")
        ]
        assert hand
        assert not any(map(is_sent, hand))
        table.get_by_role("button", name=f"I am {owner}").click()
        table.get_by_text(f"{owner} is to move").wait_for()
        for _ in range(600):
            if all(map(is_sent, hand)):
                break
            page.wait_for_timeout(50)
        assert all(map(is_sent, hand))
        box = text_box(table)
        while record.state.to_move == seat:
            move = record.state.moves()[0]
            record = record.play(move)
            type_move(page, box, move)
        came.clear()


def test_a_thinking_bot_shows_progress_and_can_be_stopped(page: Any, site: Server) -> None:
    record = Record.start(castlelab.load("castell"), 3).play("move Valls")
    table = visit(page, site, link(record, {1: "montecarlo:9000"}))
    type_move(page, table.locator(BOX), "end")
    page.get_by_text("Orange is thinking").first.wait_for()
    bar = table.locator(".progress-bar, [role=progressbar], .jupyter-widgets .progress > div").first
    width = "bar => parseFloat(bar.style.width) || 0"
    before = bar.evaluate(width)
    # Meanwhile the page answers: the board can be walked on, and a look back is free.
    table.locator(".castlelab-board > canvas").focus()
    page.keyboard.press("Home")
    table.locator(".castlelab-where").get_by_text("Barcelona").wait_for()
    page.wait_for_function(
        f"([bar, before]) => ({width})(bar) > before", arg=[bar.element_handle(), before]
    )
    assert wait_for(page, lambda now: len(now.moves) > 1).moves == ("move Valls", "end")
    table.get_by_role("button", name="Play now").click()
    record = wait_for(page, lambda now: len(now.moves) > 2)
    assert record.states[2].to_move == 1
    table.get_by_role("button", name="Undo").first.click()
    table.get_by_text("Taken back.").first.wait_for()
    assert page.get_by_text("is thinking").count() == 0


def test_the_game_survives_a_reload_and_the_death_of_its_kernel(page: Any, site: Server) -> None:
    table = visit(page, site, link(Record.start(castlelab.load("castell"), 3), {1: "greedy"}))
    type_move(page, table.locator(BOX), "move Valls")
    record = wait_for(page, lambda now: now.moves == ("move Valls",))
    page.reload()
    page.get_by_text("Going on with your game").wait_for(timeout=90_000)
    table = at_table(page, typing=False)
    table.locator(".castlelab-log-lines").get_by_text("Valls").first.wait_for()  # it is kept
    at_table(page)
    assert kept(page) == record
    for kernel in kernels_of(site):
        os.kill(kernel, signal.SIGKILL)
    page.get_by_text("the program behind this page has ended").wait_for(timeout=90_000)
    page.get_by_role("button", name="Go on", exact=True).click()
    page.get_by_text("Going on with your game").wait_for(timeout=90_000)
    table = at_table(page)
    assert kept(page) == record

    # Saved to a file, forgotten, and loaded again.
    press_under_more(table, "Save or share")
    with page.expect_download() as saving:
        table.get_by_role("link", name="Save the game as a file").click()
    saved = Path(saving.value.path()).read_text(encoding="utf-8")
    assert Record.loads(saved) == record
    page.get_by_role("button", name="New game").click()
    page.get_by_text("Leave this game?").first.wait_for()
    page.get_by_role("button", name="Leave it").click()
    page.wait_for_selector(".castlelab-setup")
    page.wait_for_function(f"() => ({KEPT})() === ''")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Load a file").click()
    chooser.value.set_files(saving.value.path())
    page.get_by_text("This is the game that was saved.").wait_for()
    assert wait_for(page, lambda now: now == record)

    # The button copies a link that opens the same game.
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    table = at_table(page)
    press_under_more(table, "Save or share")
    table.get_by_role("button", name="Copy link").click()
    table.get_by_text("Copied.").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(page.url.partition("?")[0])
    assert read_query(copied.partition("?")[2]) == Sitting(record, {1: "greedy"})


def press_under_more(table: Any, words: str) -> None:
    """Press what is seldom wanted: it is there once More is open."""
    button = table.get_by_role("button", name=words, include_hidden=True)
    if not button.is_visible():
        table.get_by_role("button", name="More", exact=True).click()
    button.click()


def kernels_of(site: Server) -> list[int]:
    """The processes of the kernels that a server has started: they share its home."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words, places = (folder / "cmdline").read_bytes(), (folder / "environ").read_bytes()
        except OSError:
            continue
        if b"kernel" in words and str(site.log.parent).encode() in places:
            found.append(int(folder.name))
    assert found, "the server has no kernel"
    return found


@pytest.mark.parametrize("name", list(castlelab.GAMES))
def test_a_table_fits_into_its_window(open_page: Any, site: Server, name: str) -> None:
    """All of it at once where it is wide; where it is narrow nothing is cut off at the side."""
    record = Record.start(castlelab.load(name), 3)
    bots = {1: "greedy"}
    if name == "castle_keep":  # two bots have begun, and much is told of what they did
        record, bots = Record.start(castlelab.load(name, players=3), 7), {1: "greedy", 2: "greedy"}
    query = link(record, bots)
    for width, height, scheme in ((1366, 768, "light"), (400, 800, "dark")):
        page = open_page(viewport={"width": width, "height": height}, color_scheme=scheme)
        page.goto(f"{site.url}/voila/render/play.ipynb{query}", timeout=90_000)
        table = at_table(page, typing=False)
        table.get_by_role("button", name="More").wait_for()
        page.wait_for_function(f"() => document.documentElement.scrollWidth <= {width}")
        tools = box_of(table.locator(".castlelab-table-tools"))
        assert tools["y"] + tools["height"] <= height  # stuck to the bottom, or in view anyway
        if width > 1000:
            page.wait_for_function(f"() => document.documentElement.scrollHeight <= {height}")
            board = box_of(table.locator(".castlelab-board > canvas"))
            assert board["y"] + board["height"] <= height
            log, way, pace = (
                box_of(table.locator(f".castlelab-log{part}"))
                for part in ("", " .castlelab-way", " select >> nth=-1")
            )
            assert way["x"] + way["width"] <= pace["x"]
            assert pace["x"] + pace["width"] <= log["x"] + log["width"]
        else:
            sizes = table.locator(".castlelab-table-tools button:visible")
            heights = [box_of(each)["height"] for each in sizes.all()]
            assert min(heights) >= 44
            # What is under More comes up from the tools, wherever the page is.
            table.get_by_role("button", name="More").click()
            offered = box_of(table.get_by_role("button", name="Save or share"))
            assert 0 <= offered["y"] < offered["y"] + offered["height"] <= tools["y"]


def test_a_large_site_is_enlarged_and_moved_about(open_page: Any, site: Server) -> None:
    """By a finger on a narrow page and by the wheel on a wide one; what is hit is what is seen.

    A finger enlarges the site by tapping a square, and has the hand below it all the time.
    """
    record = Record.start(castlelab.load("castlescape", side=25), 3)
    for contract in (record.state.moves()[0], record.state.moves()[1]):
        record = record.play(contract)
    while record.state.to_move != 0 or not record.state.round:
        record = record.play(record.state.moves()[0])
    for width, height in ((400, 860), (1366, 768)):
        page = open_page(viewport={"width": width, "height": height}, has_touch=width < 700)
        page.goto(f"{site.url}/voila/render/play.ipynb{link(record, {1: 'greedy'})}")
        table = at_table(page, typing=False)
        canvas = table.locator(".castlelab-board > canvas")
        before = box_of(canvas)
        zoom = table.get_by_role("button", name="Zoom")
        x, y = width / 4, height / 2
        if width > 700:
            zoom.click()
        else:
            page.touchscreen.tap(x, y)
            table.locator(".castlelab-zoomed").wait_for()
            assert table.locator(".castlelab-where").inner_text() == ""  # nothing is picked yet
        after = box_of(canvas)
        assert after["width"] > 1.7 * before["width"]
        if width > 700:
            page.mouse.move(x, y)
            page.mouse.wheel(0, 90)
            page.wait_for_function(
                "was => document.querySelector('.castlelab-table canvas')"
                ".getBoundingClientRect().y < was - 80",
                arg=after["y"],
            )
            name = hovered(page, x, y)
            page.mouse.click(x, y)
        else:
            page.touchscreen.tap(x, y)
            name = table.locator(".castlelab-where").inner_text()
        scene = record.state.view(0).picture().fitted(width < 700)
        box = box_of(canvas)
        scale = box["width"] / scene.width
        hit = scene.at((x - box["x"]) / scale, (y - box["y"]) / scale)
        assert hit is not None
        table.locator(".castlelab-where").get_by_text(hit.name.rstrip(".")).wait_for()
        assert hit.name.rstrip(".") in name or not name
        zoom.click()
        assert box_of(canvas) == before
        if width < 700:
            tile = table.locator(".castlelab-tray canvas").first
            box = box_of(tile)
            assert box["y"] + box["height"] <= height
            page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + 20)
            moved = wait_for(page, lambda now: len(now.moves) > len(record.moves))
            assert moved.moves[len(record.moves)].startswith("play ")
        page.close()


def hovered(page: Any, x: float, y: float) -> str:
    """The name that a mouse at rest is shown, close to where it rests."""
    page.mouse.move(x + 1, y)
    tip = page.locator(".castlelab-tip")
    tip.wait_for()
    box = box_of(tip)
    assert box["x"] - 30 <= x <= box["x"] + box["width"] + 30
    assert abs(box["y"] + box["height"] / 2 - y) < 80
    return str(tip.inner_text())


#: Seeds of games that are short enough to be played whole.
SOON_OVER = {"castell": 3, "castle_keep": 1, "castle_rampage": 1}


@pytest.mark.parametrize("name", list(castlelab.GAMES))
def test_a_game_is_ended_by_mouse(page: Any, site: Server, name: str) -> None:
    options = {"side": 7} if name == "castlescape" else {}
    start = Record.start(castlelab.load(name, **options), SOON_OVER.get(name, 3))
    record = start if name in SOON_OVER else near_the_end(start)
    page.add_init_script("localStorage['castlelab-pace'] = 'off'")
    page.goto(f"{site.url}/voila/render/play.ipynb{link(record, {1: 'greedy'})}", timeout=90_000)
    table = at_table(page, typing=False)
    play_on(page, table, record, lambda canvas, at: canvas.click(position=at, force=True))
    table.locator(".castlelab-end").wait_for()
    table.get_by_role("button", name="Play again").wait_for()
    table.locator(".castlelab-log li[data-number='0'] button").click()
    table.get_by_text("Looking back: after move 1 of").first.wait_for()
    table.locator(".castlelab-log li[data-number='0'][aria-current]").wait_for()
    table.get_by_role("button", name="Back to now").last.click()
    table.get_by_role("button", name="See the result").click()
    table.locator(".castlelab-end").wait_for()


def test_a_whole_game_is_played_by_touch(open_page: Any, site: Server) -> None:
    page = open_page(viewport={"width": 400, "height": 800}, has_touch=True)
    game = castlelab.load("castle_keep", way="solitaire", players=1)
    record = Record.start(game, 12)  # which is over after eight moves
    page.goto(f"{site.url}/voila/render/play.ipynb{link(record, {})}", timeout=90_000)
    table = at_table(page, typing=False)
    play_on(page, table, record, lambda canvas, at: canvas.tap(position=at, force=True))
    table.locator(".castlelab-end").wait_for()


def near_the_end(record: Record) -> Record:
    """A game that leaves the first seat a few moves; a whole one if that is asked for."""
    if os.environ.get("CASTLELAB_WHOLE_GAMES"):
        return record
    chance, before = Chance.seeded(5), [record]
    while not record.state.over:
        if record.state.to_move == 0:
            before.append(record)
        move, chance = Greedy().choose(record.state, chance)
        record = record.play(move)
    return before[-6]


def play_on(page: Any, table: Any, record: Record, point: Callable[[Any, Any], Any]) -> None:
    """Play the first seat to the end by the canvas alone, where the pictures say things are."""
    chance, canvas = Chance.seeded(1), table.locator("> .castlelab-board > canvas")
    is_narrow = page.viewport_size["width"] < 700
    while not record.state.over:
        state, played = record.state, len(record.moves)
        if state.to_move == 0:
            move, chance = Greedy().choose(state, chance)
            if way := way_to(state, move):
                scene = state.view(0).picture().fitted(is_narrow)
                for target in way:
                    x, y = scene.target(target).centre  # type: ignore[union-attr]
                    canvas.scroll_into_view_if_needed()
                    scale = box_of(canvas)["width"] / scene.width
                    point(canvas, {"x": x * scale, "y": y * scale})
            else:  # a festival of Castell
                for words in ("Best tower", "Build it", "Enter, "):
                    table.get_by_role("button", name=words).click()
        record = wait_for(page, partial(is_answered, 0, played + 1), table)


def test_a_bot_thinks_in_jupyterlab_too(page: Any, lab_server: Server) -> None:
    """There some messages come to another thread of the kernel than others."""
    page.goto(f"{lab_server.url}/lab/tree/notebooks/play.ipynb?reset")
    page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=90_000)
    page.wait_for_function("window.jupyterapp?.shell.currentWidget?.context?.isReady")
    page.evaluate(
        "() => window.jupyterapp.shell.currentWidget.sessionContext.ready"
        ".then(() => window.jupyterapp.commands.execute('notebook:run-all-cells'))"
    )
    setup = page.locator(".castlelab-setup")
    setup.wait_for(timeout=120_000)
    setup.get_by_role("radio", name="Castell", exact=True).check()
    setup.get_by_label("Orange").select_option("a bot that thinks long")
    setup.get_by_text("standard: every region").wait_for()
    setup.get_by_label("First").select_option("blue")  # or the bot might begin
    setup.get_by_role("button", name="Start").click()
    table = at_table(page)
    box = table.locator(BOX)
    type_move(page, box, "end")
    table.get_by_text("Orange is thinking").first.wait_for()
    table.get_by_role("button", name="Play now").click()
    wait_for(page, lambda now: len(now.moves) > 1)
    table.get_by_role("button", name="Undo").first.click()
    table.get_by_text("Taken back.").first.wait_for()
    table.get_by_role("button", name="Look back").click()
    assert kept(page).moves == ()  # type: ignore[union-attr]
