"""Sheets as homework: their links, and the report pupil by task with points."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest

from castlelab.classroom import (
    SheetReport,
    curriculum,
    read_assignment,
    read_files,
    sheet_report,
    worksheet,
)
from castlelab.classroom.curriculum import from_age, words_of
from castlelab.games import castell
from castlelab.progress import Attempt, Progress, Solve
from castlelab.puzzles import LEVELS, kinds
from castlelab.rules import CastlelabError

AT = "2026-05-17T09:30:00Z"
SHEET = worksheet(["castell/tallest", "castle_keep/be-sure"], "1-2", 4, 3, title="Möwe & Co")
ONE, TWO, THREE, FOUR = SHEET.codes


def of(name: str, *solves: Solve, tried: tuple[Attempt, ...] = ()) -> tuple[str, bytes]:
    made = Progress({one.code: one for one in solves}, name, {one.code: one for one in tried})
    return f"{len(name)}-{name[:3]}.json".replace("/", ""), made.dumps().encode()


@pytest.fixture
def report() -> SheetReport:
    files = [
        of(
            "Ada Low",
            Solve(ONE, AT, seconds=90),
            Solve(TWO, AT, hints=1, wrong=2, seconds=5),
            Solve(THREE, AT, 2, 0, True),
            tried=(Attempt(FOUR, AT, 0, 3, 61),),
        ),
        of("bo", *(Solve(code, AT) for code in SHEET.codes)),
        of("=cy", Solve("castell/tallest-5-999", AT)),
    ]
    return sheet_report(SHEET, read_files(files), points=[1, 2, 3, 4], hint_cost=0.5)


def rows(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


# Links


def test_a_link_leads_to_the_same_sheet() -> None:
    for link in (SHEET.link("http://castle:8866"), SHEET.link(), SHEET.link().partition("?")[2]):
        found = read_assignment(link)
        assert (found.title, found.codes, found.id) == (SHEET.title, SHEET.codes, SHEET.id)
    assert SHEET.link("http://castle").startswith(
        f"http://castle/voila/render/puzzle.ipynb?sheet={ONE},{TWO},"
    )
    assert re.fullmatch("[2-9A-Z]{6}", SHEET.id)
    assert worksheet("castell", count=3, seed=1).id != worksheet("castell", count=3, seed=2).id


def test_puzzles_of_ones_own_and_lessons_may_be_homework() -> None:
    own = castell.puzzle("Build three levels.", team="9*3 8*2 7", levels=3)
    made = worksheet([own, "castell/lesson-mix"])
    assert read_assignment(made.link()).codes == made.codes


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ("", "leads to no sheet"),
        ("http://castle/puzzle.ipynb?code=castell/tallest-1-1", "leads to no sheet"),
        ("?sheet=", "leads to no sheet"),
        ("?sheet=,", "a sheet has 1 to 100 codes"),
        ("?sheet=castell/tallest-1-1,castell/tallest-1-1", "each of them once"),
        ("?sheet=castell/tallest", "codes of puzzles in it, and no kinds"),
        ("?sheet=castell/tallest-9-1", "levels go from 1 to 5"),
        ("?sheet=<script>", "there are no puzzles"),
        ("?sheet=" + ",".join(f"castell/tallest-1-{n}" for n in range(101)), "1 to 100 codes"),
        ("?" + "a=b&" * 100 + "sheet=castell/tallest-1-1", "leads to no sheet"),
        ("http://[x/?sheet=1", "leads to no sheet"),
        (None, "known by its link"),
    ],
)
def test_a_wrong_link_is_told_in_a_sentence(link: str, words: str) -> None:
    with pytest.raises(CastlelabError, match=words) as caught:
        read_assignment(link)
    assert "\n" not in str(caught.value)


# The report


def test_the_report_says_state_tries_hints_minutes_and_points(report: SheetReport) -> None:
    told = {pupil: [str(each) for each in row] for pupil, row in report.results.items()}
    assert told["Ada Low"] == [
        "solved, 1 try, 1.5 min",
        "solved, 3 tries, 1 hint, 0.1 min",
        "given up, 0 tries, 2 hints",
        "open, 3 tries, 1 min",
    ]
    assert told["=cy"] == ["not tried"] * 4
    assert [each.points for each in report.results["Ada Low"]] == [1, 1.5, 0, 0]
    assert (report.total("Ada Low"), report.total("bo"), report.most) == (2.5, 10, 10)
    assert report.summary == "3 pupils, 6 of 12 tasks solved. Nothing tried: =cy."
    assert "Ada Low  ✓✓✗…  2.5 of 10" in str(report)


def test_the_page_has_a_row_for_each_pupil_and_a_column_for_each_task(report: SheetReport) -> None:
    page = report.html()
    assert page.count('<th scope="row">') == 3 + 1  # pupils, and how many have solved it
    assert page.count("<td>") == 3 * 5 + 5
    assert "Möwe &amp; Co" in page
    assert SHEET.id in page
    assert all(code in page for code in SHEET.codes)


def test_the_table_is_for_a_spreadsheet(report: SheetReport) -> None:
    heads, *people = rows(report.csv())
    assert heads[:4] == ["pupil", "points", "of", f"1 {ONE}: points"]
    assert len(heads) == 3 + 4 * 5
    by_name = {row[0]: dict(zip(heads, row, strict=True)) for row in people}
    assert set(by_name) == {"Ada Low", "bo", "'=cy"}
    ada = by_name["Ada Low"]
    assert (ada["points"], ada["of"]) == ("2.5", "10")
    two = [ada[f"2 {TWO}: {part}"] for part in ("points", "state", "tries", "hints", "minutes")]
    assert two == ["1.5", "solved", "3", "1", "0.1"]


def test_a_gradebook_takes_names_and_points(report: SheetReport) -> None:
    heads, *people = rows(report.grade_csv())
    assert heads == ["Username", report.name, f"{report.name} feedback"]
    assert ["bo", "10", "4 of 4 tasks solved"] in people
    assert "'=cy" in {row[0] for row in people}
    mails = sheet_report(SHEET, read_files([of("bo@school.example")]))
    assert rows(mails.grade_csv())[0][0] == "Email address"


ROSTER = """\ufeffFirst name;Surname;ID number;Email address;Course total
Ada;LOW;7;ada@school.example;99
Bo;Ray;BO;bo@school.example;98
Di;Moor;9;di@school.example;97
"""


@pytest.mark.parametrize("divider", [";", ",", "\t"])
def test_with_a_list_of_the_class_the_rows_are_those_of_the_list(
    report: SheetReport, divider: str, tmp_path: Path
) -> None:
    listing = ROSTER.replace(";", divider)
    heads, *people = rows(report.grade_csv(listing))
    assert heads[:4] == ["First name", "Surname", "ID number", "Email address"]
    assert heads[4:] == [report.name, f"{report.name} feedback"]
    assert [(row[0], row[4]) for row in people] == [("Ada", "2.5"), ("Bo", "10"), ("Di", "")]
    assert report.unmatched(listing) == ("=cy",)
    (tmp_path / "list.csv").write_text(listing, encoding="utf-8")
    left = report.save_grades(tmp_path / "grades.csv", tmp_path / "list.csv")
    assert left == ("=cy",)
    assert rows((tmp_path / "grades.csv").read_text(encoding="utf-8")) == [heads, *people]


def test_who_is_meant_by_two_gets_no_points(report: SheetReport) -> None:
    twice = "Username,First name\n1,bo\n2,bo\n"
    assert [row[2] for row in rows(report.grade_csv(twice))[1:]] == ["", ""]
    assert "bo" in report.unmatched(twice)


@pytest.mark.parametrize("text", ["colour,size\nred,1\n", "\n", '"', "x" * 1_000_001])
def test_what_is_no_list_is_told(report: SheetReport, text: str) -> None:
    if text.strip():
        with pytest.raises(CastlelabError, match=r"a list of a class|no list of a class"):
            report.grade_csv(text)
    else:
        assert report.grade_csv(text) == report.grade_csv()


@pytest.mark.parametrize("points", [-1, True, "2", [1, 2], [1, 2, 3, "4"], float("nan"), None])
def test_points_are_numbers(points: object) -> None:
    with pytest.raises(CastlelabError, match="points are one number from 0 to 1000, or one for"):
        sheet_report(SHEET, read_files([]), points)  # type: ignore[arg-type]
    with pytest.raises(CastlelabError, match="a hint costs from 0"):
        sheet_report(SHEET, read_files([]), 1, -1)


def test_a_report_is_kept(report: SheetReport, tmp_path: Path) -> None:
    report.save(tmp_path / "a.html")
    report.save(tmp_path / "a.csv")
    assert (tmp_path / "a.html").read_text(encoding="utf-8") == report.html()
    with pytest.raises(CastlelabError, match=r"a\.pdf: a report is saved as \.html or \.csv"):
        report.save(tmp_path / "a.pdf")


def test_hostile_names_stay_words() -> None:
    evil = "<script>alert(1)</script>"
    made = sheet_report(worksheet("castell", count=1, title=evil), read_files([of(evil)]))
    assert "<script>" not in made.html() + made._repr_html_()


# Curriculum


def test_every_kind_of_ours_has_words_and_ages_that_rise() -> None:
    for kind in kinds():
        assert words_of(kind), kind
        ages = [from_age(kind, level) for level in LEVELS]
        assert ages == sorted(ages)
        assert 8 <= ages[0] <= ages[-1] <= 18
    assert {"permutations", "symmetry", "probability", "graphs", "pigeonhole"} <= set(curriculum())
    assert all(curriculum().values()), "each word has a kind"


def test_kinds_can_be_chosen_by_a_word_and_by_an_age() -> None:
    made = worksheet("symmetry Pigeonhole", "1-3", 6)
    assert {each.kind for each in made.puzzles} == {
        "castle_keep/count-castles",
        "castle_keep/be-sure",
    }
    young = worksheet("probability permutations castell", "1-5", 20, age=11)
    assert all(from_age(each.kind, each.level) <= 11 for each in young.puzzles)
    levels = [each.level for each in young.puzzles]
    assert levels == sorted(levels)
    with pytest.raises(CastlelabError, match="none of these puzzles suits an age of 9; from 11 on"):
        worksheet("symmetry", "1-3", 2, age=9)
    with pytest.raises(CastlelabError, match="ages of a sheet go from 6 to 99, not 'x'"):
        worksheet("symmetry", age="x")  # type: ignore[arg-type]
