"""A real mouse on real boards: names, the pointer, drag and drop, and the ring of the focus."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from looking import box_of

import castlelab
from castlelab.widgets import CastleEditor, SiteEditor, TowerEditor

pytestmark = pytest.mark.browser

TOWER, CASTLE, SITE = range(3)
# The boards of the page, here: where their parts are, in pixels of the pictures.
SCENES = [
    TowerEditor("10*2 9*2 8 7").board.scene,
    CastleEditor("TRC -- -- / -- -- -- / -- -- --", "WRZ TRS").board.scene,
    SiteEditor("..... / .###. / .#.#. / .###. / .....").board.scene,
]


def centre(number: int, target: str) -> tuple[float, float]:
    found = SCENES[number].target(target)
    assert found is not None
    return found.centre


def beside(number: int) -> tuple[float, float]:
    """A point of a picture where nothing can be picked."""
    scene = SCENES[number]
    points = ((x, y) for y in range(8, int(scene.height), 8) for x in range(8, int(scene.width), 8))
    return next(point for point in points if scene.at(*point) is None)


SIZE_9, LEVEL_1, NOTHING = centre(TOWER, "size 9"), centre(TOWER, "level 1"), beside(TOWER)
WALL_TILE, NORTH, CENTRE = centre(CASTLE, "hand 1"), centre(CASTLE, "n"), centre(CASTLE, "c")
A1, A2, E1 = centre(SITE, "a1"), centre(SITE, "a2"), centre(SITE, "e1")
GHOST = ".castlelab-ghost"
SPOTS = castlelab.load("castle_keep").rules["castle_keep/spots"].title


class Hand:
    """A mouse over the page with three boards."""

    def __init__(self, page: Any, url: str) -> None:
        self.page, self.mouse = page, page.mouse
        page.goto(f"{url}/voila/render/pages/hands.ipynb")
        for number in range(len(SCENES)):
            page.wait_for_function(
                "n => document.querySelectorAll('.castlelab-board')[n]?.dataset.castlelab",
                arg=number,
            )
            self.wait_for_words(number, "")

    def board(self, number: int) -> Any:
        return self.page.locator(".castlelab-board").nth(number)

    def canvas(self, number: int) -> Any:
        return self.board(number).locator("> canvas")

    def place(self, number: int, point: tuple[float, float]) -> tuple[float, float]:
        """Where a point of a picture is in the window, however large the picture is shown."""
        box = box_of(self.canvas(number))
        shown = box["width"] / SCENES[number].width
        return box["x"] + point[0] * shown, box["y"] + point[1] * shown

    def over(self, number: int, point: tuple[float, float]) -> None:
        self.canvas(number).scroll_into_view_if_needed()
        self.mouse.move(*self.place(number, point))

    def take(self, number: int, point: tuple[float, float]) -> None:
        """Press upon something and begin to drag it."""
        self.over(number, point)
        self.mouse.down()
        x, y = self.place(number, point)
        self.mouse.move(x - 6, y + 12, steps=3)
        self.page.locator(GHOST).wait_for()

    def drop(self, number: int, point: tuple[float, float]) -> None:
        self.mouse.move(*self.place(number, point), steps=6)
        self.mouse.up()

    def click(self, number: int, point: tuple[float, float]) -> None:
        self.over(number, point)
        self.mouse.down()
        self.mouse.up()

    def cursor(self, number: int, point: tuple[float, float]) -> str:
        self.over(number, point)
        return str(self.canvas(number).evaluate("canvas => getComputedStyle(canvas).cursor"))

    def outline(self, number: int) -> str:
        return str(self.canvas(number).evaluate("canvas => getComputedStyle(canvas).outlineStyle"))

    def has_ring(self, number: int) -> bool:
        """Whether the picture has the colour of the focus anywhere."""
        return bool(
            self.board(number).evaluate(
                """board => {
                  const wanted = getComputedStyle(board).getPropertyValue('--castlelab-focus');
                  const pen = new OffscreenCanvas(1, 1).getContext('2d');
                  pen.fillStyle = wanted;
                  pen.fillRect(0, 0, 1, 1);
                  const [red, green, blue] = pen.getImageData(0, 0, 1, 1).data;
                  const canvas = board.querySelector('canvas');
                  const { data } = canvas.getContext('2d')
                    .getImageData(0, 0, canvas.width, canvas.height);
                  for (let at = 0; at < data.length; at += 4)
                    if (data[at] === red && data[at + 1] === green && data[at + 2] === blue)
                      return true;
                  return false;
                }"""
            )
        )

    def wait_for_words(self, number: int, words: str) -> None:
        self.board(number).locator(".castlelab-words", has_text=words).wait_for()

    def wait_for_no_ghost(self) -> None:
        self.page.wait_for_function(f"() => !document.querySelector('{GHOST}')")


@pytest.fixture
def hand(open_page: Callable[..., Any], voila_server: Any) -> Hand:
    return Hand(open_page(viewport={"width": 1200, "height": 1400}), voila_server.url)


def test_hovering_shows_a_name_and_asks_nobody(hand: Hand) -> None:
    sent: list[str] = []
    tip = hand.page.locator(".castlelab-tip")
    hand.page.on("request", lambda request: sent.append(request.url))
    hand.over(TOWER, SIZE_9)
    tip.wait_for()
    assert tip.inner_text() == "Size 9: 2 of 2 free"
    assert tip.get_attribute("aria-hidden") == "true"
    shown, top = box_of(tip), hand.place(TOWER, (0, SCENES[TOWER].target("size 9").y))[1]
    assert shown["y"] + shown["height"] <= top, "it does not cover what it names"
    hand.over(TOWER, LEVEL_1)
    tip.wait_for(state="detached")
    tip.wait_for()
    assert tip.inner_text() == "Level 1: empty"
    hand.over(TOWER, NOTHING)
    tip.wait_for(state="detached")
    hand.over(SITE, A1)
    tip.wait_for()
    assert tip.inner_text() == "a1, ground"
    hand.mouse.move(1190, 5)
    tip.wait_for(state="detached")
    # What is said by the name is what stands there now.
    hand.click(SITE, A1)
    hand.wait_for_words(SITE, "A wall on a1.")
    hand.over(SITE, A2)
    hand.over(SITE, A1)
    tip.wait_for()
    assert tip.inner_text() == "a1, wall"
    assert sent == []


def test_the_pointer_is_a_hand_only_where_it_picks(hand: Hand) -> None:
    assert hand.cursor(TOWER, SIZE_9) == "pointer"
    assert hand.cursor(TOWER, NOTHING) == "default"
    assert hand.cursor(CASTLE, NORTH) == "pointer"
    assert hand.cursor(SITE, beside(SITE)) == "default"


def test_a_casteller_is_dragged_from_the_team_to_a_level(hand: Hand) -> None:
    hand.take(TOWER, SIZE_9)
    hand.wait_for_words(TOWER, "Size 9 in hand.")
    hand.drop(TOWER, LEVEL_1)
    hand.wait_for_words(TOWER, "Size 9 stands on level 1.")
    hand.wait_for_no_ghost()


def test_a_tile_is_dragged_to_its_spot(hand: Hand) -> None:
    hand.take(CASTLE, WALL_TILE)
    hand.drop(CASTLE, NORTH)
    hand.wait_for_words(CASTLE, "The red zigzag wall stands")
    hand.wait_for_no_ghost()


def test_what_is_dropped_on_nothing_is_not_lost(hand: Hand) -> None:
    hand.take(CASTLE, WALL_TILE)
    hand.drop(CASTLE, beside(CASTLE))
    hand.wait_for_no_ghost()
    # It is in hand, and can be dragged again; a spot where it does not fit says why.
    hand.take(CASTLE, WALL_TILE)
    hand.drop(CASTLE, CENTRE)
    hand.board(CASTLE).get_by_role("alert").filter(has_text=SPOTS).wait_for()
    hand.wait_for_no_ghost()
    hand.take(CASTLE, WALL_TILE)
    hand.mouse.move(1190, 5)
    hand.mouse.up()
    hand.wait_for_no_ghost()
    hand.click(CASTLE, NORTH)
    hand.wait_for_words(CASTLE, "The red zigzag wall stands")


def test_two_clicks_still_pick_and_place_and_put_back(hand: Hand) -> None:
    hand.click(CASTLE, WALL_TILE)
    hand.wait_for_words(CASTLE, "fits on")
    hand.click(CASTLE, WALL_TILE)
    hand.wait_for_words(CASTLE, "is put back.")
    hand.click(CASTLE, WALL_TILE)
    hand.wait_for_words(CASTLE, "fits on")
    hand.click(CASTLE, NORTH)
    hand.wait_for_words(CASTLE, "The red zigzag wall stands")


def test_a_quick_hand_drops_before_the_kernel_has_answered(hand: Hand) -> None:
    hand.over(TOWER, SIZE_9)
    hand.mouse.down()
    hand.mouse.move(*hand.place(TOWER, LEVEL_1))
    hand.mouse.up()
    hand.wait_for_words(TOWER, "Size 9 stands on level 1.")


def test_a_drag_across_walls_draws_one(hand: Hand) -> None:
    hand.over(SITE, A1)
    hand.mouse.down()
    hand.mouse.move(*hand.place(SITE, A2), steps=4)
    hand.mouse.up()
    hand.wait_for_words(SITE, "A wall on a1.")
    hand.click(SITE, E1)
    hand.wait_for_words(SITE, "A wall on e1.")
    hand.over(SITE, A2)
    tip = hand.page.locator(".castlelab-tip")
    tip.wait_for()
    assert tip.inner_text() == "a2, ground"


def test_the_ring_is_for_keys(hand: Hand) -> None:
    box = hand.board(SITE).locator("input[type=text]")
    box.fill("nothing")  # whoever comes from a box where keys were pressed sees no ring either
    hand.click(SITE, A1)
    hand.wait_for_words(SITE, "A wall on a1.")
    assert hand.board(SITE).locator(".castlelab-twin :focus").count() == 1
    assert hand.outline(SITE) == "none"
    assert not hand.has_ring(SITE)
    hand.page.keyboard.press("ArrowDown")
    hand.wait_for_words(SITE, "a2, ground")
    hand.page.wait_for_timeout(100)
    assert hand.outline(SITE) == "solid"
    assert hand.has_ring(SITE)
    hand.click(SITE, A1)
    hand.wait_for_words(SITE, "The wall of a1 is gone.")
    hand.page.wait_for_timeout(100)
    assert hand.outline(SITE) == "none"
    assert not hand.has_ring(SITE)
