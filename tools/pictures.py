"""Draw the pictures of the README anew: all games, and a lesson as it happens on its page.

``make pictures``. The games are drawn from their covers; the lesson is played with the mouse in
Chromium, on a real ``castlelab serve``.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw
from playwright.sync_api import sync_playwright

from benchmarks.browser import find_chromium
from castlelab.draw.svg import render
from castlelab.draw.theme import DARK, FONT, LIGHT, Theme
from castlelab.game import GAMES, game_class
from castlelab.games.castell.lessons import lesson
from castlelab.rules import by_title
from castlelab.widgets import PuzzleCard

DOCS = Path(__file__).resolve().parent.parent / "docs"
THEMES = {"": LIGHT, "-dark": DARK}

# All games, side by side

_WIDTH, _GAP, _ROUND, _TITLE = 360, 30, 18, 60


def games_svg(theme: Theme) -> str:
    """The covers of all games in a row, each over its title."""
    covers = {game_class(name).title: game_class(name).cover() for name in GAMES}
    height = max(cover.height for cover in covers.values())
    step = _WIDTH + _GAP
    frame = f'<rect width="{_WIDTH}" height="{height:g}" rx="{_ROUND}"/>'
    drawn = [f'<clipPath id="cover">{frame}</clipPath>']
    for number, (title, cover) in enumerate(covers.items()):
        drawn.append(
            f'<g transform="translate({number * step})">'
            f'<g clip-path="url(#cover)">{render(cover, theme)}</g>'
            f'<text x="{_WIDTH / 2:g}" y="{height + 44:g}" font-size="30" font-weight="600"'
            f' text-anchor="middle" fill="{theme["ink"]}">{escape(title)}</text></g>'
        )
    size = f"{len(covers) * step - _GAP} {height + _TITLE:g}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" role="img"'
        f' font-family="{escape(FONT)}"><title>{escape(", ".join(covers))}</title>'
        f"{''.join(drawn)}</svg>\n"
    )


# A lesson as it happens

LESSON = "first-tower"
#: What is done, and for how many milliseconds its outcome is looked at. A size 8 on a size 7
#: breaks a rule; what follows mends it.
STEPS = (
    ("pick size 9", 400),
    ("pick level 1", 400),
    ("pick level 1", 400),
    ("pick level 1", 600),
    ("pick size 7", 400),
    ("pick level 2", 400),
    ("pick level 2", 600),
    ("pick size 8", 400),
    ("pick level 3", 4000),
    ("press Undo", 900),
    ("pick size 6", 400),
    ("pick level 3", 1600),
    ("press Check", 4000),
)
WRONG = 9  # after so many of them
_BEGIN = 1500  # milliseconds
#: Whatever is not the lesson is left out of the picture.
_ALONE = """card => {
  for (let at = card; at !== document.body; at = at.parentElement)
    for (const other of at.parentElement.children)
      if (other !== at) other.style.visibility = "hidden";
}"""


class Film:
    """Stills of a lesson, and where the pointer was when each of them came about."""

    def __init__(self, card: Any) -> None:
        self.card, self.page = card, card.page
        card.evaluate(_ALONE)
        self.stills: list[Image.Image] = []
        self.places: list[tuple[float, float]] = []
        self.times: list[int] = []
        box = card.bounding_box()
        self.shoot(box["x"] + box["width"] * 0.45, box["y"] + box["height"] * 0.75, _BEGIN)

    def shoot(self, x: float, y: float, time: int) -> None:
        """Wait until nothing changes any more, and keep that."""
        before, now = b"", self._still()
        while before != now:
            self.page.wait_for_timeout(100)
            before, now = now, self._still()
        box = self.card.bounding_box()
        self.stills.append(Image.open(BytesIO(now)).convert("RGB"))
        self.places.append((x - box["x"], y - box["y"]))
        self.times.append(time)

    def _still(self) -> bytes:
        return bytes(self.card.screenshot(animations="disabled", caret="hide"))

    def still(self, number: int) -> Image.Image:
        """What was seen after so many steps; all of them have the same size."""
        width = max(still.width for still in self.stills)
        height = max(still.height for still in self.stills)
        paper = self.stills[0].getpixel((0, 0))
        whole = Image.new("RGB", (width + 2 * _EDGE, height + 2 * _EDGE), paper)
        whole.paste(self.stills[number], (_EDGE, _EDGE))
        return whole

    def save(self, path: Path) -> None:
        """Write it with a pointer that glides from place to place and clicks there."""
        shown = list(self._shown())
        colours = self._colours()
        pictures = [
            picture.quantize(palette=colours, dither=_PLAIN).convert("RGB") for picture, _ in shown
        ]
        pictures[0].save(
            path,
            save_all=True,
            append_images=pictures[1:],
            duration=[time for _, time in shown],
            loop=0,
            lossless=True,
            quality=100,  # of the packing: nothing is lost
            method=4,
            minimize_size=True,
        )

    def _colours(self) -> Image.Image:
        """The colours of all stills: so few that it packs well, so many that nobody sees it."""
        stills = [self.still(number) for number in range(len(self.stills))]
        width, height = stills[0].size
        sheet = Image.new("RGB", (width, height * len(stills)))
        for number, still in enumerate(stills):
            sheet.paste(still, (0, height * number))
        return sheet.quantize(255, dither=_PLAIN)

    def _shown(self) -> Iterator[tuple[Image.Image, int]]:
        """Every picture of the film, and for how long."""
        stills = [self.still(number) for number in range(len(self.stills))]
        yield _pointed(stills[0], *self.places[0]), self.times[0]
        before, came_from = stills[0], self.places[0]
        for still, place, time in zip(stills[1:], self.places[1:], self.times[1:], strict=True):
            if place != came_from:
                for part in _GLIDE:
                    x, y = (
                        begin + (end - begin) * part
                        for begin, end in zip(came_from, place, strict=True)
                    )
                    yield _pointed(before, x, y), 40
            yield _pointed(before, *place, down=True), 160
            yield _pointed(still, *place), time
            before, came_from = still, place


_PLAIN = Image.Dither.NONE
_SHARP = 2  # pixels of the screen for one of the page
_EDGE = 12 * _SHARP
_GLIDE = [part * part * (3 - 2 * part) for part in (n / 8 for n in range(1, 8))]  # slow at the ends
_ARROW = ((0, 0), (0, 16), (3.8, 12.6), (6.4, 18.6), (9.2, 17.4), (6.6, 11.6), (11.6, 11.2))


def _pointed(picture: Image.Image, x: float, y: float, down: bool = False) -> Image.Image:
    """The picture with a pointer at a place of the page; ringed while its button is down."""
    fine = 4  # drawn larger, so that its edges are smooth
    side, middle = 36 * _SHARP, 18 * _SHARP * fine
    pointer = Image.new("RGBA", (side * fine, side * fine))
    pen = ImageDraw.Draw(pointer)
    if down:
        reach = 12 * _SHARP * fine
        pen.circle((middle, middle), reach, fill=(224, 138, 30, 150))
    corners = [tuple(middle + part * 0.9 * _SHARP * fine for part in corner) for corner in _ARROW]
    pen.polygon(corners, fill="white", outline="#222222", width=round(1.2 * _SHARP * fine))
    pointer = pointer.resize((side, side), Image.Resampling.LANCZOS)
    shown = picture.copy()
    at = [round(part * _SHARP + _EDGE - side / 2) for part in (x, y)]
    shown.paste(pointer, (at[0], at[1]), pointer)
    return shown


@dataclass(frozen=True)
class Told:
    """A step of the lesson: where it is done, and what is said to it."""

    step: str
    time: int
    place: tuple[float, float]  # in the picture, in parts of its width; no matter for a button
    words: tuple[str, ...]


def told(is_narrow: bool = False) -> Iterator[Told]:
    """The lesson as a card tells it that is on no page."""
    card = PuzzleCard(lesson(LESSON))
    board = card.editor.board
    board.fit(is_narrow)
    for step, time in STEPS:
        how, what = step.split(" ", 1)
        x, y = board.scene.target(what).centre if how == "pick" else (0, 0)
        place = x / board.scene.width, y / board.scene.width
        if step == "press Check":
            judgement = card.check()
            words = ("Solved!\n" if judgement else "Not yet.\n") + judgement.message
        else:
            board.undo() if step == "press Undo" else board.pick(what)
            words = by_title(board.said)
        yield Told(step, time, place, tuple(words.splitlines()))


def in_words() -> str:
    """The lesson for those who cannot see it; and what shows that the film has grown old."""
    return "".join(f"{each.step}: {' '.join(each.words)}\n" for each in told())


def play(page: Any, film: Film | None = None) -> str:
    """Do every step of the lesson with the mouse; what the page answers in the end."""
    card = first_card(page)
    for each in told(is_narrow=page.viewport_size["width"] <= 700):
        how, what = each.step.split(" ", 1)
        is_pick = how == "pick"
        pressed = card.locator("canvas") if is_pick else card.get_by_role("button", name=what)
        pressed.scroll_into_view_if_needed()  # the mouse reaches only what is in the window
        box = pressed.bounding_box()
        middle = box["width"] / 2, box["height"] / 2
        x, y = (part * box["width"] for part in each.place) if is_pick else middle
        x, y = box["x"] + x, box["y"] + y
        page.mouse.click(x, y)
        for line in each.words:
            card.locator(".castlelab-said, .castlelab-told", has_text=line).wait_for()
        if film:
            film.shoot(x, y, each.time)
    return str(card.locator(".castlelab-told").inner_text())


def first_card(page: Any) -> Any:
    """The first puzzle of a page, once it can be played."""
    card = page.locator(".castlelab-puzzle").first
    card.locator(".castlelab-board[data-castlelab=ready]").wait_for()
    return card


@contextmanager
def served() -> Iterator[str]:
    """The address of a ``castlelab serve`` that ends with the block."""
    words = ("serve", "--no-browser", "--port", "0", "--preheat", "0")
    command = [sys.executable, "-m", "castlelab", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield next(line.split()[3] for line in server.stdout if line.startswith("castlelab is"))
        finally:
            server.terminate()


def film_lesson(address: str, browser: Any, dark: bool) -> Film:
    """The lesson as it happens on the page, in a light or a dark one."""
    page = browser.new_page(
        viewport={"width": 566, "height": 1200},
        device_scale_factor=_SHARP,
        color_scheme="dark" if dark else "light",
    )
    page.goto(f"{address}voila/render/castell.ipynb", timeout=90_000)
    page.wait_for_selector(".castlelab-ready", timeout=90_000)
    film = Film(first_card(page))
    print(play(page, film).splitlines()[0])
    page.goto("about:blank")  # so that its kernel ends
    return film


def main() -> None:
    for suffix, theme in THEMES.items():
        (DOCS / f"games{suffix}.svg").write_text(games_svg(theme), encoding="utf-8")
    (DOCS / "lesson.txt").write_text(in_words(), encoding="utf-8")
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), args=["--no-sandbox", "--disable-gpu"]
        )
        for suffix in THEMES:
            film = film_lesson(address, browser, bool(suffix))
            film.save(DOCS / f"lesson{suffix}.webp")
            # For those who want nothing to move: the moment when the tower breaks a rule.
            film.still(WRONG).save(DOCS / f"lesson{suffix}.png", optimize=True)
        browser.close()


if __name__ == "__main__":
    main()
