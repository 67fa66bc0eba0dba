"""The view of a class, with files handed over as the page hands them over."""

from datetime import UTC, datetime

import pytest

from castlelab.classroom import ClassRegister, example_class, read_files, worksheet
from castlelab.progress import Guesses, Progress, Solve
from castlelab.widgets import ClassView

AT = "2026-05-17T09:30:00Z"


def content(name, *codes):
    solves = {code: Solve(code, AT) for code in codes}
    return Progress(solves, name).dumps().encode()


def upload(view, **files):
    view._upload.value = tuple(
        {
            "name": name.replace("_", "."),
            "type": "application/json",
            "size": len(data),
            "content": memoryview(data),
            "last_modified": datetime(2026, 5, 17, tzinfo=UTC),
        }
        for name, data in files.items()
    )


@pytest.fixture
def view():
    return ClassView()


def test_an_example_is_shown_first_and_called_one(view):
    assert view.register == example_class()
    assert "This is an example: a made-up class." in view._told.value
    assert "<svg" in view._map.value
    assert "Where the class is stuck" in view._words.value
    assert "Amira" in view._words.value
    assert view._exports.offers == ()


def test_files_that_are_chosen_replace_the_example(view):
    upload(
        view,
        a_json=content("Ada", "castell/tallest-1-1", "castell/tallest-1-2"),
        b_json=b'{"castlelab-progress": 1, "sol',
        c_json=content("", "castle_keep/which-fits-1-1"),
    )
    assert [pupil.name for pupil in view.register.pupils] == ["Ada", "c"]
    assert "example" not in view._told.value
    assert "2 pupils, 3 solved." in view._told.value
    assert "<strong>b.json</strong>: the progress is not JSON" in view._told.value
    assert "Ada, Castell, tallest: 2 solved" in view._map.value
    assert "Amira" not in view._words.value


def test_one_game_shows_its_levels(view):
    titles = [words for words, _ in view._game.options[1:]]
    assert titles == ["Castell", "Castle Keep", "CastleScape"]
    view._game.value = "castell"
    assert "Amira, spot the breach, 1: 3 solved" in view._map.value
    upload(view, a_json=content("Ada", "castle_keep/which-fits-1-1"))
    assert [words for words, _ in view._game.options[1:]] == ["Castle Keep"]
    assert "Ada, Castle Keep, which fits: 1 solved" in view._map.value


def test_what_is_saved_is_what_python_saves(view):
    upload(view, a_json=content("=1+1", "castell/tallest-1-1"))
    table, report, printed = view._exports.offers
    assert table["text"] == f"\ufeff{view.register.csv()}"
    assert "'=1+1" in table["text"]
    assert report["text"] == printed["text"] == view.register.html()


def test_what_was_guessed_is_shown_folded_and_saved_as_a_table(view):
    assert "What was guessed" not in view._questions.value
    guessed = Guesses("How many <rings>?", AT, ("55", "=47"), gave_up=True)
    made = Progress({}, "Ada", guesses={guessed.question: guessed})
    upload(view, a_json=made.dumps().encode())
    assert "<summary>What was guessed</summary>" in view._questions.value
    assert "How many &lt;rings&gt;?" in view._questions.value
    assert "1 pupil, 0 solved. Questions: 0 solved, 1 given up." in view._told.value
    (table,) = (offer for offer in view._exports.offers if offer["label"] == "Save the guesses")
    assert table["text"] == f"\ufeff{view.register.guesses_csv()}"
    assert table["name"].startswith("class-guesses-")


def test_only_damaged_files_are_told_and_nothing_fails(view):
    upload(view, a_json=b"\xff\xfe")
    assert view.register.pupils == ()
    assert "No progress was read." in view._told.value
    assert "it is not text in UTF-8" in view._told.value
    assert view._words.value == ""


def test_hostile_names_stay_words(view):
    upload(
        view,
        **{"<img src=x>.json": b"{", "a_json": content("<script>alert(1)</script>")},
    )
    shown = view._told.value + view._map.value + view._words.value
    assert "<script" not in shown
    assert "<img" not in shown


def test_a_class_that_was_read_in_python_is_shown():
    register = read_files([("a.json", content("Ada", "castell/tallest-1-1"))])
    view = ClassView(register)
    assert "example" not in view._told.value
    view.show(ClassRegister())
    assert "No progress was read." in view._told.value


def test_what_goes_wrong_inside_is_told(view, monkeypatch, caplog):
    def fail(_):
        raise RuntimeError("no <file>")

    monkeypatch.setattr("castlelab.widgets.classroom.class_view.read_files", fail)
    upload(view, a_json=b"{}")
    assert "These files cannot be read: no &lt;file&gt;" in view._told.value
    assert caplog.records


def test_a_sheet_is_reported_task_by_task_with_points(view):
    sheet = worksheet("castell/tallest", 1, 2, 3, title="Monday")
    upload(view, a_json=content("Ada", sheet.codes[0]))
    view._sheet.value = sheet.link("http://castle")
    view._points.value = "2,3"
    report = view.report_sheet()
    assert report.total("Ada") == 2
    assert "1 pupil, 1 of 2 tasks solved." in view._report.value
    names = [offer["name"] for offer in view._grades.offers]
    assert names[1].startswith(f"Monday-{sheet.id}-20")
    assert view._grades.offers[-1]["text"] == report.grade_csv()


@pytest.mark.parametrize(
    ("link", "points", "words"),
    [("", "1", "leads to no sheet"), ("?sheet=castell/tallest-1-1", "many", "points are numbers")],
)
def test_what_is_wrong_with_a_sheet_is_told(view, link, points, words):
    view._sheet.value, view._points.value = link, points
    rows = [each.children for each in view.children if getattr(each, "children", ())]
    buttons = [one for row in rows for one in row if hasattr(one, "click")]
    next(one for one in buttons if one.description == "Report the sheet").click()
    assert words in view._report.value
    assert view._grades.offers == ()
