"""The classroom on a real `castlelab serve`, and its sheets as a printer gets them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fonts import FAMILIES
from servers import Server

from castlelab.classroom import worksheet
from castlelab.game import GAMES
from castlelab.progress import Progress, Solve
from castlelab.puzzles import kinds

pytestmark = pytest.mark.browser

MILLIMETRE = 96 / 25.4  # in CSS pixels
A4 = {"width": round(186 * MILLIMETRE), "height": round(275 * MILLIMETRE)}  # within its margins

CUT_OFF = """() => [...document.querySelectorAll('article *')].filter(part => {
  const whole = part.closest('article').getBoundingClientRect();
  const {left, right, bottom, width, height} = part.getBoundingClientRect();
  const isOut = left < whole.left - 1 || right > whole.right + 1 || bottom > whole.bottom + 1;
  return width + height > 0 && isOut;
}).map(part => part.outerHTML.slice(0, 80))"""

SMALLEST_WORDS = """() => Math.min(...[...document.querySelectorAll('svg text')].map(text =>
  parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a))"""


def printed_pages(page: Any) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True)))


def progress(name: str, *codes: str) -> bytes:
    solves = {code: Solve(code, "2026-05-17T09:30:00Z", wrong=1) for code in codes}
    return Progress(solves, name).dumps().encode()


def test_a_teacher_makes_a_sheet_follows_a_link_and_reads_the_class(
    open_page: Callable[..., Any], site: Server, tmp_path: Path
) -> None:
    page = open_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"{site.url}/voila/render/classroom.ipynb", timeout=90_000)
    page.wait_for_selector(".castlelab-ready", timeout=90_000)
    page.wait_for_selector(".castlelab-told:has-text('made-up class')")

    # A sheet of one kind, made with the keyboard alone.
    for game in ("Castell", "Castle Keep"):
        folded = page.get_by_role("button", name=re.compile(f"{game}: . of"), expanded=False)
        folded.press("Enter")
    page.get_by_label("spot the breach").focus()
    page.keyboard.press("Space")
    page.get_by_label("which fits").focus()
    page.keyboard.press("Space")
    how_many = page.get_by_label("How many")
    how_many.fill("3")
    how_many.press("Tab")
    page.get_by_role("button", name="Make the worksheet").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".castlelab-told:has-text('3 puzzles, no two alike.')")
    page.get_by_role("status").filter(has_text="3 puzzles, no two alike.").wait_for(
        state="attached"
    )  # it is spoken
    pages = f"{site.url}/voila/render/"
    made = worksheet("castle_keep/which-fits", "1-3", 3, 1, address=pages)
    paper = page.frame_locator(".castlelab-paper")
    paper.locator("article").nth(2).wait_for()
    assert paper.locator(".code").all_inner_texts() == list(made.codes)

    # It is saved and printed as Python would do it.
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the sheet").click()
    assert Path(saved.value.path()).read_text(encoding="utf-8") == made.html()
    with page.context.expect_page() as opened:
        page.get_by_role("button", name="Print the answer key").click()
    opened.value.wait_for_selector("h1:has-text('answers')")
    assert opened.value.locator("article").count() == 3
    opened.value.close()

    # A link leads to its puzzle.
    page.locator(".castlelab-links summary").click()
    link = page.locator(".castlelab-links a").first
    assert link.get_attribute("href") == made.links()[0]
    with page.context.expect_page() as followed:
        link.click()
    followed.value.wait_for_selector(f"text={made.puzzles[0].prompt}", timeout=90_000)
    followed.value.goto("about:blank")
    followed.value.close()

    # Three files, one of them damaged.
    files = {
        "a.json": progress("Ada", "castell/tallest-1-1", "castell/tallest-1-2"),
        "b.json": b'{"castlelab-progress": 1, "solved": {"cast',
        "bo.json": progress("", "castle_keep/which-fits-2-1"),
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose progress files").click()
    chooser.value.set_files([tmp_path / name for name in files])
    page.wait_for_selector(".castlelab-told:has-text('2 pupils, 3 solved, 3 wrong answers.')")
    assert "b.json: the progress is not JSON" in page.inner_text(".castlelab-class")
    page.wait_for_selector(".castlelab-figures tbody th:has-text('Ada')")  # a message later
    assert page.locator(".castlelab-figures tbody th").all_inner_texts() == ["Ada", "bo"]
    cells = page.locator(".castlelab-scroll svg title").all_text_contents()
    assert "Ada, Castell, tallest: 2 solved, 2 wrong answers" in cells
    page.get_by_label("Show").select_option("Castle Keep")
    page.wait_for_selector(
        ".castlelab-scroll svg title:has-text('which fits, 2')", state="attached"
    )
    with page.expect_download() as table:
        page.get_by_role("button", name="Save the table").click()
    lines = Path(table.value.path()).read_text(encoding="utf-8-sig").splitlines()
    assert lines[1:] == ["Ada,castell,tallest,1,2,0,2,0", "bo,castle_keep,which-fits,2,1,0,1,0"]
    assert not errors


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("family", FAMILIES)
def test_a_sheet_prints_on_a4_and_no_puzzle_is_torn(
    open_page: Callable[..., Any], family: str, game: str
) -> None:
    count = 3 * sum(kind.startswith(f"{game}/") for kind in kinds())
    sheet = worksheet(game, "1,3,5", count, 1, title="Five “castles” & more")
    page = open_page(fonts=family, viewport=A4)
    page.emulate_media(media="print")
    for words in (sheet.html(), sheet.key_html()):
        page.set_content(words)
        heights = page.locator("article").evaluate_all("all => all.map(one => one.offsetHeight)")
        assert len(heights) == count
        assert max(heights) <= A4["height"]
        assert page.evaluate("document.documentElement.scrollWidth") <= A4["width"]
        assert page.evaluate(CUT_OFF) == []
        assert page.evaluate(SMALLEST_WORDS) >= 7  # pixels, which are more than 5 points
        pages = printed_pages(page)
        rows = page.locator(".row").evaluate_all("all => all.map(one => one.offsetHeight)")
        assert sum(rows) / A4["height"] <= pages <= len(rows)
    page.set_content(worksheet(game, "1-2", 12, 1, address="http://castle:8866").html())
    assert page.locator(".qr").count() >= 12
    assert printed_pages(page) <= 4
