"""The worksheet maker and what it hands over, with a page played by Python."""

import re
from html import unescape

import pytest

from castlelab.classroom import lesson_plans, worksheet
from castlelab.classroom.curriculum import from_age
from castlelab.classroom.sheet import read_kinds as worksheet_kinds
from castlelab.game import GAMES
from castlelab.puzzles import kinds
from castlelab.widgets import WorksheetMaker
from castlelab.widgets.browser.export_buttons import (
    LONGEST_ADDRESS,
    ExportButtons,
    to_copy,
    to_print,
    to_save,
)
from castlelab.widgets.classroom.kind_boxes import KindBoxes


@pytest.fixture
def maker():
    return WorksheetMaker()


def click(maker, words):
    stack = [maker]
    while stack:
        widget = stack.pop()
        if getattr(widget, "description", None) == words and hasattr(widget, "click"):
            return widget.click()
        stack += getattr(widget, "children", ())
    raise AssertionError(f"there is no button {words!r}")


def kinds_of(maker, title):
    parts = [child for child in maker.children if isinstance(child, KindBoxes)]
    return next(part for part in parts if part.title == title)


def offers(maker):
    return {offer["label"]: offer for offer in maker._exports.offers}


def hear(maker, address):
    maker._exports._handle_custom_msg({"do": "address", "address": address}, [])


def test_there_is_a_box_for_each_kind_and_each_game(maker):
    assert tuple(maker._boxes) == kinds()
    for game in GAMES:
        assert all(box.description for kind, box in maker._boxes.items() if kind.startswith(game))
    assert maker._exports.offers == ()
    assert maker._shown.value == ""


def test_it_makes_the_sheet_that_python_makes(maker):
    maker._boxes["castle_keep/which-fits"].value = True
    maker._levels.value = (2, 3)
    maker._count.value = 4
    maker._seed.value = 9
    maker._title.value = "Monday"
    click(maker, "Make the worksheet")
    wanted = ["castell/spot-the-breach", "castle_keep/which-fits"]
    made = worksheet(wanted, "2-3", 4, 9, title="Monday")
    assert maker.sheet.codes == made.codes
    found = offers(maker)
    assert found["Save the sheet"]["text"] == found["Print the sheet"]["text"] == made.html()
    assert found["Save the answer key"]["text"] == made.key_html()
    assert found["Copy the links"]["text"].splitlines() == list(made.links())
    assert "4 puzzles, no two alike." in maker._told.value
    assert found["Copy the link to the whole sheet"]["text"] == made.link()
    assert made.id in found["Save the answer key"]["name"]
    assert found["Save the answer key"]["name"].startswith("Monday-")
    frame = re.search(r'<iframe[^>]* srcdoc="([^"]*)"', maker._shown.value)
    assert unescape(frame[1]) == made.html()


def test_a_whole_game_is_ticked_at_once(maker):
    game = kinds_of(maker, "Castle Keep").whole
    inside = [box for kind, box in maker._boxes.items() if kind.startswith("castle_keep/")]
    game.value = True
    assert all(box.value for box in inside)
    inside[0].value = False
    assert not game.value
    assert [box.value for box in inside] == [False, *[True] * (len(inside) - 1)]
    inside[0].value = True
    assert game.value
    game.value = False
    assert not any(box.value for box in inside)


def test_kinds_are_folded_and_their_button_tells_how_many_are_ticked(maker):
    """All boxes at once would be too many stops for whoever goes by Tab."""
    part = kinds_of(maker, "Castell")
    (opener,) = part.children
    total = len(part.boxes)
    assert opener.description == f"Castell: 1 of {total} kinds"
    assert "castlelab-is-open" not in opener._dom_classes
    opener.click()
    assert set(part.boxes.values()) < set(part.children[1].children)
    assert {"castlelab-opens", "castlelab-is-open"} <= set(opener._dom_classes)
    part.whole.value = True
    assert opener.description == f"Castell: {total} of {total} kinds"
    opener.click()
    assert part.children == (opener,)
    assert "castlelab-is-open" not in opener._dom_classes
    assert all(box.value for box in part.boxes.values())


def test_nothing_ticked_is_said_on_the_page_and_the_old_sheet_stays(maker):
    click(maker, "Make the worksheet")
    before = maker._shown.value
    for box in maker._boxes.values():
        box.value = False
    click(maker, "Make the worksheet")
    assert "a worksheet needs at least one kind" in maker._told.value
    assert "castlelab-told-wrong" in maker._told.value
    assert maker._shown.value == before


def test_a_script_is_no_address(maker):
    maker._address.value = "javascript:alert('<1>')"
    click(maker, "Make the worksheet")
    assert "starts with http:// or https://" in maker._told.value
    assert "<1>" not in maker._told.value
    assert maker.sheet is None


def test_the_page_tells_its_own_address(maker):
    hear(maker, "http://castle:8866/voila/render/classroom.ipynb?x=1")
    assert maker._address.value == "http://castle:8866/voila/render/"
    click(maker, "Make the worksheet")
    assert all(
        link.startswith("http://castle:8866/voila/render/puzzle.ipynb?code=")
        for link in offers(maker)["Copy the links"]["text"].splitlines()
    )
    assert "this computer only" not in maker._told.value


def test_an_address_that_was_written_stays(maker):
    maker._address.value = "https://school.example/"
    hear(maker, "http://castle:8866/voila/render/classroom.ipynb")
    assert maker._address.value == "https://school.example/"


@pytest.mark.parametrize("odd", ["", "file:///x", "x" * (LONGEST_ADDRESS + 1), 7, None])
def test_an_odd_address_of_the_page_is_passed_over(maker, odd):
    hear(maker, odd)
    assert maker._address.value == ""
    click(maker, "Make the worksheet")
    assert "The paper shows codes." in maker._told.value


def test_links_to_this_computer_are_pointed_out(maker):
    hear(maker, "http://127.0.0.1:8866/voila/render/classroom.ipynb")
    click(maker, "Make the worksheet")
    assert "lead to this computer only" in maker._told.value


def test_a_hostile_title_stays_words(maker):
    maker._title.value = "</iframe><script>alert(1)</script>"
    click(maker, "Make the worksheet")
    assert "<script" not in maker._shown.value
    assert maker._shown.value.count("<iframe") == maker._shown.value.count("</iframe>") == 1


def test_what_goes_wrong_inside_is_told(maker, monkeypatch, caplog):
    def fail(*_, **__):
        raise RuntimeError("no <paper>")

    monkeypatch.setattr("castlelab.widgets.classroom.worksheet_maker.worksheet", fail)
    click(maker, "Make the worksheet")
    assert "Something went wrong: no &lt;paper&gt;" in maker._told.value
    assert caplog.records


def test_offers_replace_each_other():
    shelf = ExportButtons()
    shelf.offer(to_copy("Copy", "a"), to_print("Print", "<p>"))
    assert [offer["deed"] for offer in shelf.offers] == ["copy", "open"]
    shelf.offer(to_print("Print", "<p>"), to_save("Save", "a.html", "text/html", "<p>"))
    assert shelf.texts == ["<p>"]  # which travels once
    shelf.offer(to_save("Save", "a.csv", "text/csv", "1"))
    assert [offer["name"] for offer in shelf.offers] == ["a.csv"]
    shelf._handle_custom_msg({"do": "address", "address": "http://castle/"}, [])
    shelf._handle_custom_msg("odd", [])


def test_what_is_practised_ticks_its_kinds_and_an_age_leaves_out_what_is_too_hard(maker):
    maker._practise.value = "symmetry"
    assert [kind for kind, box in maker._boxes.items() if box.value] == [
        "castle_keep/count-castles"
    ]
    maker._practise.value = "permutations"
    ticked = [kind for kind, box in maker._boxes.items() if box.value]
    assert ticked == list(worksheet_kinds("permutations"))
    maker._age.value = 13
    maker._levels.value = (1, 5)
    made = maker.make()
    assert all(from_age(each.kind, each.level) <= 13 for each in made.puzzles)


def test_versions_and_rules_come_when_they_are_ticked(maker):
    maker._versions.value = maker._rules.value = True
    maker._count.value = 2
    made = maker.make()
    found = offers(maker)
    assert found["Print the sheet"]["text"] == made.versions_html("AB", rules=True)
    assert found["Print the answer key"]["text"] == made.versions_html("AB", key=True)


def test_two_lessons_are_offered_to_print(maker):
    click(maker, "Two lessons to print")
    assert offers(maker)["Print the two lessons"]["text"] == lesson_plans()
