"""The published pages, on a real `castlelab serve`, as a learner meets them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from looking import IS_BLANK, box_of, turn_to
from servers import Server

import castlelab
from castlelab.bots import Greedy, play_out
from castlelab.chance import Chance
from castlelab.draw.scene import Scene
from castlelab.game import GAMES
from castlelab.games.castle_keep.guard_picture import duel_scene
from castlelab.games.castle_keep.guards import GuardDuel, GuardWall
from castlelab.games.castle_keep.lessons import lesson
from castlelab.games.castle_keep.picture import bench_scene
from castlelab.progress import Progress, Solve
from castlelab.puzzles import lessons
from castlelab.server.courses import course_of
from tools import pictures

pytestmark = pytest.mark.browser

BLANK_CANVASES = (
    f"() => [...document.querySelectorAll('.castlelab-board canvas')].filter({IS_BLANK}).length"
)


def visit(page: Any, address: str) -> Any:
    """Open a page and wait until its last board is there."""
    page.goto(address, timeout=90_000)
    page.wait_for_selector(".castlelab-ready", timeout=90_000)
    page.wait_for_selector(".castlelab-board canvas", state="attached", timeout=90_000)
    page.wait_for_timeout(300)  # the last board is there, and what is in it
    page.wait_for_function(f"({BLANK_CANVASES})() === 0", timeout=60_000)
    return page


def game_page(page: Any, site: Server, name: str) -> Any:
    return visit(page, f"{site.url}/voila/render/{name}.ipynb")


def castell(page: Any, site: Server) -> Any:
    return game_page(page, site, "castell")


def test_the_welcome_page_shows_each_game_and_leads_to_it(page: Any, site: Server) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    visit(page, site.url)
    cards = page.locator(".castlelab-game")
    assert cards.count() == len(GAMES) + 1  # and the counting lab
    assert cards.locator("img").count() == len(GAMES) + 1
    cards.first.click()
    page.wait_for_url("**/castell.ipynb", timeout=90_000, wait_until="commit")
    page.wait_for_selector("h1:has-text('Castell')", timeout=90_000)
    assert page.inner_text("h1").startswith("Castell")
    outside = [url for url in asked if not url.startswith((site.url, "data:", "blob:"))]
    assert not outside, "a page needs nothing from elsewhere"


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1366, 768)])
def test_the_welcome_page_is_seen_at_a_glance(
    open_page: Any, site: Server, width: int, height: int
) -> None:
    """The puzzle, all cards and the links under them are in the first window, and stay put."""
    page = open_page(viewport={"width": width, "height": height})
    page.add_init_script(
        "window.moved = 0;"
        "new PerformanceObserver(all => all.getEntries().forEach(one => moved += one.value))"
        ".observe({type: 'layout-shift', buffered: true})"
    )
    visit(page, f"{site.url}/voila/render/welcome.ipynb")
    for seen in (".castlelab-game", ".castlelab-hero canvas", ".castlelab-more a"):
        for part in page.locator(seen).all():
            box = box_of(part)
            assert 0 <= box["y"] <= height - box["height"], seen
            assert 0 <= box["x"] <= width - box["width"], seen
    assert page.locator(".castlelab-game").count() == len(GAMES) + 1
    tops = {box_of(part)["y"] for part in page.locator(".castlelab-game").all()}
    assert len(tops) == 1, "all cards in one row"
    assert page.evaluate("window.moved") < 0.02


def test_the_welcome_page_leads_on_from_where_one_left_off(page: Any, site: Server) -> None:
    visit(page, f"{site.url}/voila/render/welcome.ipynb")
    box = page.locator(".castlelab-resume")
    assert "Start here" in box.inner_text()
    assert box.get_by_role("link", name="Start").get_attribute("href") == "castell.ipynb"
    keep = page.locator(".castlelab-game[data-course=castle_keep]")
    assert f"{len(lessons('castle_keep'))} lessons" in keep.inner_text()
    assert " min" in keep.inner_text()

    first, second, third, *_ = course_of("castle_keep", "Castle Keep").places
    done = Progress()
    for number, place in enumerate((first, second)):
        done = done.add(Solve(place.lesson, f"2026-05-17T09:3{number}:00Z"))
    done = done.add(Solve("castell/lesson-first-tower", "2026-05-16T09:30:00Z"))
    page.evaluate(f"localStorage['castlelab-progress'] = {done.dumps()!r}")
    visit(page, page.url)
    assert "Where you left off" in box.inner_text()
    assert f"Castle Keep: {third.title}" in box.inner_text()
    assert f"2 of {len(lessons('castle_keep'))} solved" in keep.inner_text()
    assert "Continue" in keep.inner_text()
    assert box_of(page.locator(".castlelab-game-bar i").nth(1))["width"] > 5
    box.get_by_role("link", name="Continue").click()
    page.wait_for_url("**/castle_keep.ipynb#*", timeout=90_000, wait_until="commit")
    page.wait_for_selector(".castlelab-ready", timeout=90_000)
    page.locator(f"[id='{third.address}']").wait_for()  # in the chapter that is open


@pytest.mark.parametrize("name", GAMES)
def test_a_page_shows_every_board_and_no_code(page: Any, site: Server, name: str) -> None:
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    game_page(page, site, name)
    told = "".join(page.locator(".jp-OutputArea-output").all_text_contents())
    assert "Error displaying widget" not in told
    assert "Traceback" not in told
    assert "PuzzleCard(" not in page.inner_text("body")
    assert page.locator(".castlelab-board canvas").count() >= 15
    page.get_by_role("button", name="Show the code").click()
    page.locator(".castlelab-source:visible").first.wait_for()
    assert not errors


def test_a_wrong_answer_is_explained_and_hints_help(page: Any, site: Server) -> None:
    castell(page, site)
    card = turn_to(page.locator(".castlelab-lesson").nth(1))
    card.get_by_role("button", name="Check").click()
    told = card.locator(".castlelab-told")
    told.get_by_text("Not yet").wait_for()
    told.get_by_text("One size a level", exact=True).click()  # the rule is folded
    told.get_by_text("castell/level-one-size").wait_for()
    card.get_by_role("button", name="Hint").click()
    card.get_by_text("Hint 1: Look at the base").wait_for()
    card.get_by_role("button", name="More").click()
    card.get_by_role("button", name="Give up").click()
    card.get_by_role("button", name="Show a solution").click()
    card.get_by_text("Step 1 of 3: 9*3").wait_for()
    card.get_by_role("button", name="All", exact=True).click()
    card.get_by_text("One solution: 9*3 8*2 7").wait_for()


def test_a_typed_tower_that_cannot_be_read_is_answered_in_one_line(page: Any, site: Server) -> None:
    castell(page, site)
    card = page.locator(".castlelab-puzzle").first
    card.get_by_role("button", name="More").click()
    card.locator("input[type=text]").fill("<b>9**3</b>")
    page.keyboard.press("Enter")
    words = card.locator(".castlelab-words")
    words.get_by_text("cannot read").wait_for()
    assert "size*count such as 9*3" in words.inner_text()
    assert words.locator("b").count() == 0


def test_boards_that_come_late_are_waited_for(page: Any, site: Server) -> None:
    """The front end looks for its boards only once more, long after it would give them up."""
    page.add_init_script(
        "const wait = window.setTimeout;"
        "window.setTimeout = (run, ms, ...rest) => wait(run, ms === 100 ? 3000 : ms, ...rest);"
    )
    opened: list[str] = []
    page.on("framenavigated", lambda frame: opened.append(frame.url))
    game_page(page, site, "castle_keep")
    assert "model not found" not in page.inner_text("body")
    assert len(opened) == 1  # without loading the page again


def rule_title(rule: str) -> str:
    """What boards call a rule."""
    return castlelab.load(rule.partition("/")[0]).rules[rule].title


def point_at(card: Any, scene: Scene, target: str) -> None:
    """Click on a target of the picture, where the page shows it."""
    found = scene.target(target)
    assert found is not None
    box = box_of(card.locator("canvas"))
    x, y = found.centre
    scale = box["width"] / scene.width
    card.locator("canvas").click(position={"x": x * scale, "y": y * scale})


def test_the_first_castle_is_finished_by_pointing(page: Any, site: Server) -> None:
    """A tile is picked, its spots light up, a wrong spot is explained, the castle is complete."""
    game_page(page, site, "castle_keep")
    card = page.locator(".castlelab-puzzle").first
    ask = lesson("first-castle").ask
    scene = bench_scene(ask.castle, ask.hand)
    point_at(card, scene, "hand 1")
    card.get_by_text("fits on 1 spot").wait_for()
    point_at(card, scene, "se")
    card.get_by_text(rule_title("castle_keep/spots")).wait_for()  # refused, and still in hand
    point_at(card, scene, "s")
    card.get_by_text("stands on the south side").wait_for()
    for spot, told in (("se", "stands on"), ("c", "stands in")):  # what is left has moved up
        point_at(card, scene, "hand 1")
        card.get_by_text("fits on 1 spot").wait_for()
        point_at(card, scene, spot)
        card.get_by_text(told).wait_for()
    card.get_by_text("complete").first.wait_for()
    card.get_by_role("button", name="Check").click()
    card.get_by_text("Solved!").wait_for()


def test_an_attack_plays_step_by_step_on_the_page(page: Any, site: Server) -> None:
    """Who has guessed sees it: Next turns up a card and names its rule, the slider asks what if."""
    game_page(page, site, "castle_rampage")
    guess = turn_to(page.locator(".castlelab-puzzle", has_text="the least strength").first)
    stage = guess.locator(".castlelab-stage")
    assert not stage.count()
    guess.locator("input").fill("14")
    guess.get_by_role("button", name="Check").click()
    stage.get_by_role("button", name="Next").click()
    stage.get_by_text(rule_title("castle_rampage/broken")).first.wait_for()
    stage.get_by_role("button", name="All steps").click()
    stage.get_by_text(rule_title("castle_rampage/castle-falls")).first.wait_for()
    assert stage.get_by_role("button", name="Next").is_disabled()
    stage.locator(".noUi-handle").focus()
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    stage.get_by_text("An attack with 9").first.wait_for()
    stage.get_by_role("button", name="All steps").click()
    stage.get_by_text(rule_title("castle_rampage/even")).first.wait_for()


def tap_at(card: Any, scene: Scene, target: str) -> None:
    """Tap on a target of the picture, where the page shows it."""
    found = scene.target(target)
    assert found is not None
    box = box_of(card.locator("canvas"))
    x, y = found.centre
    scale = box["width"] / scene.width
    # The twin of the target lies over it.
    card.locator("canvas").tap(position={"x": x * scale, "y": y * scale}, force=True)


def test_the_last_guard_is_won_by_mouse_by_touch_and_by_keys(
    open_page: Callable[..., Any], site: Server
) -> None:
    """A ring of seven is won by who begins: first with hints, then by knowing them."""
    page = open_page(viewport={"width": 400, "height": 800}, has_touch=True)
    game_page(page, site, "castle_keep")
    scene = duel_scene(GuardDuel(GuardWall(7)))
    stage = turn_to(page.locator(".castlelab-stage", has_text="New game").first)
    stage.get_by_label("Wall").select_option("ring of 7")
    stage.get_by_text("7 spots free").first.wait_for()
    stage.get_by_role("button", name="Hint").click()
    stage.get_by_text("One good spot: 1.").first.wait_for()
    for pick in (point_at, tap_at):
        pick(stage, scene, "1")
        stage.get_by_text("can only hope that you slip").first.wait_for()
        pick(stage, scene, "2")
        stage.get_by_text("2 is shut: it lies beside the guard on 1").first.wait_for()
        pick(stage, scene, "6")
        stage.get_by_text("You win!").first.wait_for()
        stage.get_by_role("button", name="New game").click()
        stage.get_by_text("7 spots free").first.wait_for()
    stage.get_by_role("option", name="Spot 1: free").focus()
    page.keyboard.press("Enter")
    stage.get_by_text("Orange posts one on 4").first.wait_for()
    page.keyboard.press("u")
    stage.get_by_text("Taken back.").first.wait_for()


def test_a_castle_begins_to_grow_on_the_page(page: Any, site: Server) -> None:
    """The sheet that opens the page: roll, use both dice, with the keyboard alone."""
    game_page(page, site, "once_upon_a_castle")
    sheet = turn_to(page.locator(".castlelab-sheet").first)
    box = sheet.locator("input[type=text]")
    box.focus()
    page.keyboard.type("roll")
    page.keyboard.press("Enter")
    sheet.get_by_text("You rolled").first.wait_for()
    page.wait_for_function("box => box.value === ''", arg=box.element_handle())
    page.keyboard.type("use 1 z9")
    page.keyboard.press("Enter")
    sheet.get_by_text("a square such as b2").first.wait_for()
    assert "Traceback" not in page.inner_text("body")


def test_a_siege_is_played_to_its_end_with_the_keyboard_alone(page: Any, site: Server) -> None:
    """The solitaire of the page, in typed moves: the same as the engine plays."""
    game_page(page, site, "castle_keep")
    start = castlelab.load("castle_keep", way="solitaire").start(9)
    end, moves = play_out(start, (Greedy(),), Chance.seeded(1))
    table = turn_to(page.locator(".castlelab-table").nth(4))
    table.get_by_role("button", name="More").click()
    box = table.locator("input[type=text]")
    state = start
    for move in moves:
        state = state.play(move)
        box.focus()
        page.keyboard.type(str(move))
        page.keyboard.press("Enter")
        table.get_by_text(state.describe()).first.wait_for(state="attached")
        page.wait_for_function("box => box.value === ''", arg=box.element_handle())
    assert end.over
    table.get_by_text("Tiles over the game").first.wait_for()


def test_the_lab_explains_a_wrong_guess_reveals_with_the_right_one_and_redraws(
    page: Any, site: Server
) -> None:
    """With the keyboard alone: a known mistake, the answer and its plot, then a slider."""
    game_page(page, site, "counting")
    card = turn_to(page.locator(".castlelab-puzzle").filter(has_text="two with the same tower"))
    guess = card.locator("input[type=number]")
    plots = card.locator("svg.castlelab-plot")
    for number, told in (("23", "That is for birthdays"), ("21", "Yes, 21!")):
        assert plots.count() == 0
        guess.focus()
        page.keyboard.press("Control+a")
        page.keyboard.type(number)
        page.keyboard.press("Tab")  # on to Check
        page.keyboard.press("Enter")
        card.get_by_text(told).wait_for()
    plots.wait_for()
    assert "40 people, 285 towers" in plots.get_attribute("aria-label")
    card.locator(".noUi-handle").first.focus()
    page.keyboard.press("ArrowRight")
    card.get_by_text("41 people, 285 towers").wait_for()
    assert plots.count() == 1


@pytest.mark.parametrize("name", ["counting", *GAMES])
def test_a_notebook_runs_in_jupyterlab_with_its_code(
    page: Any, lab_server: Server, name: str
) -> None:
    page.goto(f"{lab_server.url}/lab/tree/notebooks/{name}.ipynb?reset")
    page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=90_000)
    page.wait_for_function("window.jupyterapp?.shell.currentWidget?.context?.isReady")
    page.evaluate(
        "() => window.jupyterapp.shell.currentWidget.sessionContext.ready"
        ".then(() => window.jupyterapp.commands.execute('notebook:run-all-cells'))"
    )
    page.wait_for_selector(".castlelab-board canvas", timeout=120_000)
    page.wait_for_function(f"({BLANK_CANVASES})() === 0", timeout=60_000)
    assert page.locator(".jp-InputArea-editor:visible").count() > 0
    assert (
        page.locator(".jp-RenderedText[data-mime-type='application/vnd.jupyter.stderr']").count()
        == 0
    )


def test_the_lesson_of_the_readme_goes_as_it_is_shown(page: Any, site: Server) -> None:
    castell(page, site)
    assert "Solved!" in pictures.play(page)
