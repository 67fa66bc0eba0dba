"""A link is a puzzle, and progress stays in the browser: on a real `castlelab serve`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from looking import box_of, turn_to
from servers import Server

import castlelab
from castlelab.widgets.card.puzzle_card import PuzzleCard

pytestmark = pytest.mark.browser

TOWER = "castell/tallest-1-42"
TILE = "castle_keep/which-fits-1-7"
BOARD_TOP = "document.querySelector('.castlelab-board').getBoundingClientRect().top + scrollY"
KEPT = "localStorage.getItem('castlelab-progress')"
FOCUSED = "() => (document.activeElement.innerText || document.activeElement.id || '').trim()"


def visit(page: Any, site: Server, name: str) -> Any:
    page.goto(f"{site.url}/voila/render/{name}", timeout=90_000)
    page.wait_for_selector(".castlelab-ready", timeout=90_000)
    return page


def open_puzzle(page: Any, site: Server, code: str) -> Any:
    visit(page, site, f"puzzle.ipynb?code={code}")
    page.get_by_text(f"Puzzle {code}").wait_for()
    page.wait_for_selector('.castlelab-board[data-castlelab="ready"]')
    return page


def tab_to(page: Any, words: str) -> None:
    """Press Tab until the focus is on what bears the words; there is no other way there."""
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate(FOCUSED).startswith(words):
            return
    raise AssertionError(f"Tab never leads to {words!r}")


def solved(page: Any) -> list[str]:
    """The puzzles that this browser holds as solved."""
    return sorted(json.loads(page.evaluate(KEPT) or '{"solved": {}}')["solved"])


def wait_until_kept(page: Any, code: str) -> None:
    page.wait_for_function(f"({KEPT} ?? '').includes({json.dumps(code)})")


def test_a_linked_puzzle_is_solved_and_progress_stays(page: Any, site: Server) -> None:
    open_puzzle(page, site, TOWER)
    # One tab, by the keyboard alone: wrong at first, then right.
    tab_to(page, "More")
    page.keyboard.press("Enter")
    page.locator("input[id^=castlelab-text]").wait_for()
    tab_to(page, "castlelab-text")
    page.keyboard.type("1 2")
    page.keyboard.press("Enter")
    page.get_by_text("The tower is now 1 2").wait_for()
    tab_to(page, "Check")
    page.keyboard.press("Enter")
    page.get_by_text("Not yet.").wait_for()
    assert "castell/level-smaller" in page.text_content(".castlelab-told")
    tab_to(page, "castlelab-text")
    page.keyboard.type(str(castlelab.puzzle(TOWER).solution))
    page.keyboard.press("Enter")
    page.get_by_text("It stands: 3 levels").wait_for()
    tab_to(page, "Check")
    page.keyboard.press("Enter")
    page.get_by_text("Solved!").wait_for()
    wait_until_kept(page, TOWER)

    # Another tab beside it solves another one; both count, in both.
    other = open_puzzle(page.context.new_page(), site, TILE)
    other.set_default_timeout(40_000)
    words = dict(castlelab.puzzle(TILE).ask.options)[castlelab.puzzle(TILE).solution]
    before = other.evaluate(BOARD_TOP)
    other.get_by_role("button", name=words).click()
    other.get_by_text("1 puzzle of Castle Keep solved").wait_for()
    wait_until_kept(other, TILE)
    assert other.evaluate(BOARD_TOP) == before, "what is told must not push the board down"
    assert solved(page) == solved(other) == [TOWER, TILE]
    other.get_by_role("button", name="Harder").click()
    other.wait_for_url("**?code=castle_keep/which-fits-2-7")
    other.get_by_role("button", name="Next puzzle").click()
    other.wait_for_url("**?code=castle_keep/which-fits-2-8")
    other.get_by_text("Puzzle castle_keep/which-fits-2-8").wait_for()

    # Each finds its own puzzle again, and what was solved.
    for tab, code in ((page, TOWER), (other, "castle_keep/which-fits-2-8")):
        tab.reload(timeout=90_000)
        tab.get_by_text(f"Puzzle {code}").wait_for(timeout=90_000)
    page.get_by_text("✓ Solved").wait_for()
    page.get_by_text("1 puzzle of Castell solved").wait_for()
    entry = json.loads(page.evaluate(KEPT))["solved"][TOWER]
    assert (entry["hints"], entry["wrong"], entry["gave_up"]) == (0, 1, False)

    # The way on, and nothing of it on the server's disk.
    visit(other, site, "welcome.ipynb")
    other.get_by_role("link", name="Go on with Castell, level 1").wait_for()
    for path in site.folder.rglob("*"):
        if path.is_file():
            assert TOWER.encode() not in path.read_bytes(), path


def test_progress_goes_out_as_a_file_and_comes_in_again(
    page: Any, site: Server, tmp_path: Path
) -> None:
    open_puzzle(page, site, TOWER)
    page.get_by_role("button", name="Hint").click()
    page.get_by_text("Hint 1: ").wait_for()
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("button", name="Show a solution").click()
    page.get_by_text("Step 1 of 3").wait_for()
    page.get_by_role("button", name="Next step").click()
    page.get_by_text("Step 2 of 3").wait_for()
    page.get_by_role("button", name="All", exact=True).click()
    page.get_by_text("One solution: ").wait_for()
    wait_until_kept(page, TOWER)

    visit(page, site, "castell.ipynb")
    ladder = page.locator(".castlelab-puzzle:has(> .widget-html .castlelab-tally)")
    turn_to(ladder)
    ladder.get_by_role("button", name="Next puzzle").click()
    ladder.get_by_text("Puzzle castell/spot-the-breach-1-2").wait_for(state="attached")
    kept = "JSON.stringify(sessionStorage).includes('castell/spot-the-breach-1-2')"
    page.wait_for_function(kept)
    page.reload(timeout=90_000)
    named = ladder.get_by_text("Puzzle castell/spot-the-breach-1-2")
    named.wait_for(timeout=90_000, state="attached")
    ladder.locator("canvas").first.wait_for()
    code = "castell/spot-the-breach-1-2"
    words = dict(castlelab.puzzle(code).ask.options)[castlelab.puzzle(code).solution]
    ladder.get_by_role("button", name=words).click()
    ladder.get_by_text("1 puzzle of Castell solved.").wait_for()
    wait_until_kept(page, code)

    visit(page, site, "welcome.ipynb")
    panel = page.locator(".castlelab-progress-panel")
    panel.get_by_text("1 puzzle solved").wait_for()
    panel.get_by_placeholder("if you like").fill("Ada")
    panel.get_by_placeholder("if you like").press("Tab")
    with page.expect_download() as download:
        panel.get_by_role("button", name="Export a file").click()
    saved = tmp_path / "saved.json"
    download.value.save_as(saved)
    table = json.loads(saved.read_text(encoding="utf-8"))
    assert (table["name"], sorted(table["solved"])) == ("Ada", [code, TOWER])
    assert table["solved"][TOWER]["gave_up"]

    panel.get_by_role("button", name="Forget everything").click()
    assert solved(page) == [code, TOWER]
    panel.get_by_role("button", name="Yes, forget it").click()
    panel.get_by_text("Nothing solved yet").wait_for()
    page.wait_for_function(f"{KEPT} === null")

    damaged = tmp_path / "damaged.json"
    damaged.write_text(saved.read_text(encoding="utf-8")[:-9], encoding="utf-8")
    panel.get_by_role("button", name="Bring progress from elsewhere").click()
    for file, says in ((damaged, "This file cannot be imported"), (saved, "2 puzzles in the file")):
        with page.expect_file_chooser() as chooser:
            panel.get_by_role("button", name="Import a file").click()
        chooser.value.set_files(file)
        panel.get_by_text(says).wait_for()
    wait_until_kept(page, code)
    assert solved(page) == [code, TOWER]


def test_a_wrong_code_is_answered_in_words_and_does_nothing(page: Any, site: Server) -> None:
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    visit(page, site, "puzzle.ipynb?code=<img src=x onerror=alert(1)><script>alert(2)</script>")
    page.get_by_text("This link leads to no puzzle").wait_for()
    told = page.inner_text(".castlelab-told")
    assert "<script>alert(2)</script>" in told
    assert "castell/tallest-3-42" in told
    assert page.locator(".castlelab-told img, .castlelab-told script").count() == 0
    page.get_by_role("button", name="Open").click()
    page.wait_for_url("**?code=castell/spot-the-breach-1-1")
    page.get_by_text("Puzzle castell/spot-the-breach-1-1").wait_for()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy link").click()
    page.get_by_text("Copied.").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    assert not dialogs


def test_a_finger_enlarges_a_large_site_before_it_picks(open_page: Any, site: Server) -> None:
    """Squares of 27 pixels are 40 and more once one of them is picked; and there is a way back."""
    code = "castlescape/find-the-bailey-5-1"
    page = open_page(viewport={"width": 400, "height": 800}, has_touch=True)
    open_puzzle(page, site, code)
    board = PuzzleCard(code)
    board.fit(True)
    assert board.editor is not None
    scene = board.editor.board.scene
    square = next(target for target in scene.targets if target.name.startswith("d4"))
    canvas, where = page.locator(".castlelab-board > canvas"), page.locator(".castlelab-where")
    smaller = page.get_by_role("button", name="Smaller picture")
    before = box_of(canvas)
    assert square.width * before["width"] / scene.width < 40
    assert not smaller.is_visible()
    x, y = (
        before[side] + at * before["width"] / scene.width
        for side, at in zip("xy", square.centre, strict=True)
    )
    page.touchscreen.tap(x, y)
    page.locator(".castlelab-zoomed").wait_for()
    assert where.inner_text() == ""  # nothing is picked yet
    assert square.width * box_of(canvas)["width"] / scene.width >= 40
    page.touchscreen.tap(x, y)
    where.get_by_text("d4").wait_for()
    while smaller.is_visible():
        smaller.tap()
    assert box_of(canvas) == before
