"""Worksheets to hand out, and what a class has solved."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from html import escape
from html.parser import HTMLParser
from pathlib import Path

import pytest
import segno

from castlelab.classroom import (
    ClassRegister,
    example_class,
    paper,
    read_class,
    read_files,
    worksheet,
)
from castlelab.classroom.guessing import GuessTally
from castlelab.classroom.paper import laid_out
from castlelab.classroom.reading import LARGEST_FILE, MOST_FILES
from castlelab.classroom.register import PupilRow
from castlelab.classroom.sheet import LONGEST_TITLE, pages_address
from castlelab.classroom.tally import Tally
from castlelab.draw.scene import Text
from castlelab.draw.svg import render
from castlelab.draw.theme import DARK, LIGHT
from castlelab.game import GAMES
from castlelab.progress import Attempt, Guesses, Progress, Solve
from castlelab.puzzles import LEVELS, ChooseOne, kinds, puzzle
from castlelab.rules import CastlelabError, rulebook

HOSTILE = "</style><script>alert('1')</script>\" onload=\"x & \\"


class Tags(HTMLParser):
    """The tags of a page with their attributes, and its words."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data: str) -> None:
        self.words += data

    def count(self, tag: str) -> int:
        return sum(name == tag for name, _ in self.tags)

    def pictures(self) -> int:
        return sum(attributes.get("class") == "picture" for _, attributes in self.tags)


# Worksheets


def test_the_same_arguments_give_the_same_sheet_everywhere() -> None:
    code = (
        "from castlelab.classroom import worksheet\n"
        "made = worksheet(['castle_keep', 'castell'], '1-3', 6, seed=7)\n"
        "print(*made.codes); print(hash((made.html(), made.key_html())))"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    done = [
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={**environment, "LC_ALL": language},
        ).stdout
        for language in ("C", "C.UTF-8")
    ]
    assert done[0] == done[1]
    made = worksheet("castell, castle_keep", [3, 1, 2], 6, 7)  # said in another way
    assert " ".join(made.codes) == done[0].splitlines()[0]


def test_another_seed_gives_another_sheet() -> None:
    sheets = {worksheet("castell", count=4, seed=seed).codes for seed in (0, 1, 2, "a", "b")}
    assert len(sheets) == 5


def test_levels_rise_and_kinds_take_turns() -> None:
    made = worksheet(count=2 * len(kinds()), levels="1-4")
    levels = [each.level for each in made.puzzles]
    assert levels == sorted(levels)
    each_level = [levels.count(level) for level in (1, 2, 3, 4)]
    assert max(each_level) - min(each_level) <= 1
    assert all([each.kind for each in made.puzzles].count(kind) == 2 for kind in kinds())


@pytest.mark.slow
@pytest.mark.parametrize("kind", kinds())
def test_no_two_puzzles_of_a_sheet_are_alike(kind: str) -> None:
    made = worksheet(kind, levels=1, count=40, seed=3)
    assert len(set(made.codes)) == 40
    looks = {(each.prompt, render(each.picture()), str(each.ask)) for each in made.puzzles}
    assert len(looks) == 40


def test_puzzles_that_look_alike_are_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    same = puzzle("castell/tallest-1-1")
    monkeypatch.setattr("castlelab.classroom.sheet.puzzle", lambda code: same)
    assert len(worksheet("castell/tallest", 1, 1).puzzles) == 1
    with pytest.raises(CastlelabError, match="too few different puzzles castell/tallest"):
        worksheet("castell/tallest", 1, 2)


def test_codes_lead_to_the_same_puzzles() -> None:
    made = worksheet("castlescape", count=4)
    for each in made.puzzles:
        assert puzzle(each.code).prompt == each.prompt


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"kinds": "chess"}, "no puzzles 'chess'; name a kind, such as castell/tallest, or a game"),
        ({"kinds": "castell/dance"}, "the kinds of castell are castell/spot-the-breach"),
        ({"kinds": ["castell", "castle_kep"]}, "'castle_kep'; did you mean castle_keep"),
        ({"kinds": ""}, "at least one kind"),
        ({"kinds": []}, "at least one kind"),
        ({"kinds": 7}, "kinds are names such as 'castell/tallest', not 7"),
        ({"kinds": [None]}, "there are no puzzles None"),
        ({"levels": "0-3"}, "levels go from 1 to 5, written as 3, 1-3 or 1,3, not '0-3'"),
        ({"levels": "3-1"}, "not '3-1'"),
        ({"levels": "easy"}, "not 'easy'"),
        ({"levels": ""}, "not ''"),
        ({"levels": 6}, "not 6"),
        ({"levels": [1, True]}, "levels go from 1 to 5"),
        ({"levels": range(10**12)}, "levels go from 1 to 5"),
        ({"levels": "1," * 10**5}, "levels go from 1 to 5"),
        ({"levels": None}, "not None"),
        ({"count": 0}, "1 to 100 puzzles, a whole number, not 0"),
        ({"count": 101}, "not 101"),
        ({"count": 2.5}, "not 2.5"),
        ({"count": True}, "not True"),
        ({"seed": None}, "a seed is a whole number or a text"),
        ({"title": "x" * (LONGEST_TITLE + 1)}, "a title is a text of at most 120 characters"),
        ({"title": None}, "a title is a text"),
        ({"address": "javascript:alert(1)"}, "starts with http:// or https://"),
        ({"address": "//castle"}, "starts with http:// or https://"),
        ({"address": "http://"}, "starts with http:// or https://"),
        ({"address": "http://castle:port/"}, "starts with http:// or https://"),
        ({"address": "http://[castle"}, "starts with http:// or https://"),
        ({"address": "http://castle/ x"}, "starts with http:// or https://"),
        ({"address": 7}, "starts with http:// or https://"),
    ],
)
def test_a_wrong_argument_is_one_clear_error(wrong: dict[str, object], words: str) -> None:
    with pytest.raises(CastlelabError, match=re.escape(words)) as caught:
        worksheet(**{"kinds": "castell", "count": 1, **wrong})  # type: ignore[arg-type]
    assert len(str(caught.value)) < 300
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("copied", "base"),
    [
        ("", ""),
        ("http://castle", "http://castle/voila/render/"),
        (" https://castle:8866/ ", "https://castle:8866/voila/render/"),
        ("http://castle/voila/render/classroom.ipynb?x=1#top", "http://castle/voila/render/"),
        ("http://[::1]:8866/voila/render", "http://[::1]:8866/voila/render/"),
        ("http://castle:8866/voila", "http://castle:8866/voila/render/"),
        ("http://castle/password?next=%2Fvoila%2Frender%2Fx.ipynb", "http://castle/voila/render/"),
        ("http://castle/voila/render/more/x.ipynb", "http://castle/voila/render/more/"),
        ("https://castle/short/welcome.ipynb", "https://castle/short/"),
        ("https://castle/behind", "https://castle/behind/voila/render/"),
        ("https://hub.example/user/a%20b/lab", "https://hub.example/user/a%20b/voila/render/"),
        ('http://castle/"><script>', "http://castle/%22%3E%3Cscript%3E/voila/render/"),
    ],
)
def test_the_address_is_whatever_was_copied(copied: str, base: str) -> None:
    assert pages_address(copied) == base
    made = worksheet("castell/tallest", 1, 1, address=copied)
    assert made.links() == (f"{base}puzzle.ipynb?code={made.codes[0]}",)


@pytest.mark.parametrize("game", GAMES)
def test_a_sheet_shows_each_puzzle_and_gives_nothing_away(game: str) -> None:
    made = worksheet(game, LEVELS, 5, address="http://castle/")
    page = Tags(made.html())
    assert page.count("article") == page.pictures() == 5
    links = [attributes["href"] for tag, attributes in page.tags if tag == "a"]
    assert links == list(made.links())
    for each in made.puzzles:
        assert each.prompt in page.words
        assert each.code in page.words
        if isinstance(each.ask, ChooseOne):
            assert all(words in page.words for _, words in each.ask.options)
        assert str(each.check(each.solution)) not in page.words
    assert not {"script", "link", "img", "iframe"} & {tag for tag, _ in page.tags}
    assert "@import" not in made.html()
    assert re.findall(r"url\(", made.html()) == []


@pytest.mark.parametrize("game", GAMES)
def test_a_key_tells_each_solution_in_words_with_its_picture_and_rules(game: str) -> None:
    made = worksheet(game, LEVELS, 5)
    page = Tags(made.key_html())
    assert page.count("article") == page.pictures() == 5
    for each in made.puzzles:
        words = dict(each.ask.options) if isinstance(each.ask, ChooseOne) else {}
        assert words.get(each.solution, str(each.solution)) in page.words
        assert all(rule in page.words for rule in each.rules)
        assert all(rulebook(game)[rule].title in page.words for rule in each.rules)


def test_pictures_on_paper_are_light_and_well_formed() -> None:
    made = worksheet(count=10)
    for svg in re.findall(r"<svg.*?</svg>", made.html(), flags=re.DOTALL):
        ElementTree.fromstring(svg)
        assert 'fill="#ffffff"' in svg
        assert DARK["ink"] not in svg


def test_paper_without_colours_says_whose_pieces_are_whose() -> None:
    made = worksheet("castlescape/who-claims", levels=5, count=1)
    page = made.html()
    assert page.count('<div class="legend">') == 1
    key = page[page.index('<div class="legend">') :]
    assert re.findall(r">(Blue|Orange|Green|Gold)</text>", key) == [
        "Blue",
        "Orange",
        "Green",
        "Gold",
    ]
    assert '<div class="legend">' not in worksheet("castlescape/close-it", 1, 1).html()
    assert '<div class="legend">' not in worksheet("castle_keep castle_rampage", count=4).html()


def test_without_an_address_there_are_codes_and_no_dead_links() -> None:
    made = worksheet("castell", count=2)
    assert Tags(made.html()).count("a") == 0
    assert all(code in made.html() for code in made.codes)
    assert made.links()[0] == f"puzzle.ipynb?code={made.codes[0]}"


def test_a_hostile_title_stays_words() -> None:
    made = worksheet("castell", count=1, title=HOSTILE)
    for page in (made.html(), made.key_html(), made._repr_html_()):
        tags = Tags(page)
        assert tags.count("script") == 0
        assert "<script" not in page
        assert not [attributes for _, attributes in tags.tags if "onload" in attributes]
        assert HOSTILE in tags.words


def test_a_sheet_is_kept_with_its_key(tmp_path: Path) -> None:
    made = worksheet("castell", count=1)
    assert [path.name for path in made.save(tmp_path)] == ["worksheet.html", "worksheet-key.html"]
    assert [path.name for path in made.save(tmp_path / "a.html", key=False)] == ["a.html"]
    assert (tmp_path / "a.html").read_text(encoding="utf-8") == made.html()
    with pytest.raises(CastlelabError, match=r"a\.pdf: a worksheet is saved as \.html"):
        made.save(tmp_path / "a.pdf")
    with pytest.raises(CastlelabError, match=r"b\.html cannot be written: No such file"):
        made.save(tmp_path / "missing" / "b.html")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "a.html",
        "worksheet-key.html",
        "worksheet.html",
    ]


def test_a_sheet_prints_as_a_list() -> None:
    made = worksheet("castell", count=2, title="Monday")
    assert str(made).splitlines()[0] == "Monday"
    assert all(code in str(made) for code in made.codes)


# A class, made by hand

AT = "2026-05-17T09:30:00Z"


def progress(name: str, *solves: tuple[object, ...]) -> Progress:
    made = [Solve(code, AT, *rest) for code, *rest in solves]  # type: ignore[arg-type]
    return Progress({solve.code: solve for solve in made}, name)


ADA = progress(
    "Ada",
    ("castell/tallest-1-1", 0, 1),
    ("castell/tallest-1-2", 1, 2),
    ("castell/tallest-2-1", 2, 4, True),
    ("castle_keep/which-fits-1-9",),
)
BO = progress("Bo", ("castell/tallest-1-5",), ("castell/tallest-2-8", 0, 5, True))
CY = progress("", ("castell/lesson-first-tower",), ("castell/tallest-2-8", 0, 0))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, made in (("1.json", ADA), ("2.json", BO), ("cy.json", CY)):
        (tmp_path / name).write_text(made.dumps(), encoding="utf-8")
    return tmp_path


@pytest.fixture
def register(folder: Path) -> ClassRegister:
    return read_class(folder)


def test_pupils_are_named_by_their_files_content_or_else_by_their_files(
    register: ClassRegister,
) -> None:
    assert [pupil.name for pupil in register.pupils] == ["Ada", "Bo", "cy"]
    assert register.skipped == ()


def test_the_table_has_a_row_for_each_pupil_kind_and_level(register: ClassRegister) -> None:
    assert register.table() == (
        PupilRow("Ada", "castell/tallest", 1, solved=2, hints=1, wrong=3, gave_up=0),
        PupilRow("Ada", "castell/tallest", 2, solved=0, hints=2, wrong=4, gave_up=1),
        PupilRow("Ada", "castle_keep/which-fits", 1, solved=1, hints=0, wrong=0, gave_up=0),
        PupilRow("Bo", "castell/tallest", 1, solved=1, hints=0, wrong=0, gave_up=0),
        PupilRow("Bo", "castell/tallest", 2, solved=0, hints=0, wrong=5, gave_up=1),
        PupilRow("cy", "castell/lessons", 0, solved=1, hints=0, wrong=0, gave_up=0),
        PupilRow("cy", "castell/tallest", 2, solved=1, hints=0, wrong=0, gave_up=0),
    )


def test_the_heat_map_has_the_numbers_of_the_class(register: ClassRegister) -> None:
    names = {target.id: target.name for target in register.heat_map().targets}
    every = len(kinds("castell")) + len(kinds("castle_keep"))
    assert len(names) == 3 * (1 + every)  # lessons, and the kinds of both games
    assert names["0 castell/tallest"] == (
        "Ada, Castell, tallest: 2 solved, 1 given up, 3 hints, 7 wrong answers"
    )
    assert names["1 castle_keep/which-fits"] == "Bo, Castle Keep, which fits: not tried"
    assert names["2 castell/lessons"] == "cy, Castell, lessons: 1 solved"
    inside = {target.id: target.name for target in register.heat_map("castell").targets}
    assert len(inside) == 3 * 5
    assert inside["0 castell/tallest 1"] == ("Ada, tallest, 1: 2 solved, 1 hint, 3 wrong answers")
    assert inside["1 castell/tallest 2"] == "Bo, tallest, 2: 0 solved, 1 given up, 5 wrong answers"


def test_every_cell_of_the_heat_map_is_written_not_only_coloured(register: ClassRegister) -> None:
    scene = register.heat_map()
    texts = [shape for shape in scene.shapes if isinstance(shape, Text)]
    for target in scene.targets:
        inside = [text.words for text in texts if target.contains(text.x, text.y)]
        numbers = [int(word) for word in re.findall(r"(\d+) (?:solved|given up)", target.name)]
        written = [int(words.strip("−")) for words in inside if words != "·"]
        assert written == numbers
        assert inside
    written = [text.words for text in texts]
    sums = written[written.index("Class") :]
    assert sums[:3] == ["Class", "1", "0"]  # lessons, then spot the breach
    assert sums[3:5] == ["4", "−2"]  # tallest
    assert "tallest, level 2" in scene.description
    for theme in (LIGHT, DARK):
        ElementTree.fromstring(render(scene, theme))


def test_the_class_is_stuck_where_puzzles_are_given_up(register: ClassRegister) -> None:
    words = (
        "Castell: tallest, level 2: 2 of 3 puzzles were given up, 3.0 wrong answers to a puzzle; "
        "1 of 3 who tried have solved one."
    )
    assert register.stuck() == (words,)


def test_the_class_is_stuck_where_many_answers_are_wrong() -> None:
    pupils = [progress(name, ("castell/festival-3-1", 0, 4)) for name in ("Ada", "Bo")]
    found = read_files((f"{p.name}.json", p.dumps().encode()) for p in pupils).stuck()
    assert len(found) == 1
    assert found[0].startswith("Castell: festival, level 3: 0 of 2 puzzles were given up, 4.0")


def test_one_pupil_alone_does_not_make_the_class_stuck(register: ClassRegister) -> None:
    alone = progress("Di", ("castle_keep/finish-it-5-1", 2, 9, True))
    files = [("di.json", alone.dumps().encode())]
    assert len(read_files(files).stuck()) == 1  # a class of one
    more = ClassRegister((*register.pupils, *read_files(files).pupils))
    assert more.stuck() == register.stuck()
    calm = read_files([("bo.json", progress("Bo", ("castell/tallest-1-5",)).dumps().encode())])
    assert calm.stuck() == ()
    assert "Nowhere: 1 puzzle tried, and all of them solved." in str(calm)


def test_nobody_is_told_that_all_is_solved_while_much_is_given_up() -> None:
    """19 of 63 given up, each place by one pupil alone: no class is stuck, and yet."""
    codes = [f"{kind}-{level}-1" for kind in kinds() for level in (1, 2)][:63]
    pupils = [
        progress(name, *((code, 0, 0, number % 3 == 0) for number, code in enumerate(part)))
        for name, part in (("Ada", codes[:30]), ("Bo", codes[30:57]))
    ]
    solved = progress("Cy", *((f"castell/tallest-4-{n}",) for n in range(6)))
    files = [(f"{p.name}.json", p.dumps().encode()) for p in (*pupils, solved)]
    register = read_files(files)
    assert register.stuck() == ()
    head, *places = register.trouble()
    assert head == "Nowhere as a class, but of 63 puzzles 19 given up."
    assert places[0] == "Castell: spot the breach, level 1: 1 of 1 given up, by Ada."
    assert len(places) == 5
    for told in (str(register), register.html(), register._repr_html_()):
        assert "of 63 puzzles 19 given up" in told
        assert "gets solved" not in told


def test_what_is_still_open_is_not_called_solved() -> None:
    code = "castell/tallest-3-1"
    made = progress("Bo", ("castell/tallest-1-5",)).merge(
        Progress(tried={code: Attempt(code, AT, wrong=4)})
    )
    register = read_files([("bo.json", made.dumps().encode())])
    assert register.trouble() == ("Nowhere as a class, but of 2 puzzles 1 still open.",)


def test_a_file_with_more_that_is_open_is_no_needless_copy() -> None:
    made = progress("Bo", ("castell/tallest-1-5",))
    code = "castell/tallest-3-1"
    later = made.merge(Progress(tried={code: Attempt(code, AT, wrong=4)}))
    register = read_files([("1.json", made.dumps().encode()), ("2.json", later.dumps().encode())])
    assert [each.reason for each in register.skipped] == ["it adds nothing to 2.json"]
    assert register.pupils[0].progress == later


def test_wrong_answers_on_the_way_are_told_too() -> None:
    made = progress("Bo", ("castell/tallest-1-5", 0, 2), ("castell/tallest-2-5",))
    register = read_files([("bo.json", made.dumps().encode())])
    assert register.trouble() == (
        "Nowhere: 2 puzzles tried, and all of them solved, after 2 wrong answers.",
    )
    assert ClassRegister().trouble() == ("Nothing has been tried yet.",)


def test_places_are_told_worst_first_and_not_too_many() -> None:
    codes = [f"{kind}-1-1" for kind in kinds()]
    pupils = [
        progress(name, *((code, 0, wrong, True) for wrong, code in enumerate(codes)))
        for name in ("Ada", "Bo")
    ]
    found = read_files((f"{p.name}.json", p.dumps().encode()) for p in pupils).stuck()
    assert len(found) == 5
    last = read_files((f"{p.name}.json", p.dumps().encode()) for p in pupils).trouble()[-1]
    assert last == f"And at {len(codes) - 5} more places."
    assert [each.split(" wrong")[0].rsplit(" ", 1)[1] for each in found] == [
        f"{number}.0" for number in range(len(codes) - 1, len(codes) - 6, -1)
    ]


# Files that are not what they should be

DAMAGED = {
    "cut.json": (b'{"castlelab-progress": 1, "solved": {', "not JSON"),
    "deep.json": (b"[" * 100_000, "not JSON"),
    "empty.json": (b" \n", "it is empty"),
    "foreign.json": (b'{"name": "Ada"}', "this is not a progress"),
    "future.json": (b'{"castlelab-progress": 2, "solved": {}}', "version 2"),
    "kind.json": (
        BO.dumps().replace("castell/tallest", "chess/mate").encode(),
        "no puzzles 'chess/mate'",
    ),
    "large.json": (b" " * (LARGEST_FILE + 1), "more than 1,000,000 bytes"),
    "latin.json": ('{"name": "Zoé"}'.encode("latin-1"), "it is not text in UTF-8"),
    "picture.png": (b"\x89PNG", "it is not a .json file"),
    "twin.json": (BO.dumps().encode(), "it adds nothing to 2.json"),
    "wrong.json": (
        ADA.dumps().replace('"wrong":1', '"wrong":-1').encode(),
        "castell/tallest-1-1: 'wrong' is -1",
    ),
}


def test_damaged_and_foreign_files_are_reported_one_by_one(folder: Path) -> None:
    for name, (content, _) in DAMAGED.items():
        (folder / name).write_bytes(content)
    (folder / "old").mkdir()
    (folder / ".hidden.json").write_text("{")
    register = read_class(folder)
    assert [pupil.name for pupil in register.pupils] == ["Ada", "Bo", "cy"]
    told = {skipped.file: skipped.reason for skipped in register.skipped}
    assert list(told) == sorted([*DAMAGED, "old"])
    for name, (_, reason) in DAMAGED.items():
        assert reason in told[name], name
        assert "\n" not in told[name]
        assert len(told[name]) < 300
        assert f"{name}: " in str(register)
        assert name in register._repr_html_()
    assert told["old"] == "it is a folder; only files right here are read"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs links and pipes")
def test_links_and_pipes_are_not_followed(folder: Path, tmp_path_factory: pytest.TempPathFactory):
    outside = tmp_path_factory.mktemp("outside") / "secret.json"
    outside.write_text(ADA.dumps(), encoding="utf-8")
    (folder / "a.json").symlink_to(outside)
    (folder / "b.json").symlink_to(folder / "b.json")
    os.mkfifo(folder / "c.json")
    told = {skipped.file: skipped.reason for skipped in read_class(folder).skipped}
    assert set(told) == {"a.json", "b.json", "c.json"}
    assert told["a.json"] == "it is a link that leads out of the folder"
    assert told["c.json"] == "it is not an ordinary file"


def test_only_so_many_files_are_read() -> None:
    files = [
        (f"{number}.json", progress(f"P{number}", ("castell/tallest-1-1",)).dumps().encode())
        for number in range(MOST_FILES + 3)
    ]
    register = read_files(files)
    assert len(register.pupils) == MOST_FILES
    assert str(register.skipped[0]) == "3 more files: at most 500 are read"


def test_two_pupils_of_one_name_are_told_apart() -> None:
    other = progress("ada", ("castell/festival-1-1",))
    files = [("a.json", ADA.dumps().encode()), ("b.json", other.dumps().encode())]
    names = [pupil.name for pupil in read_files(files).pupils]
    assert names == ["Ada (a.json)", "ada (b.json)"]
    again = read_files([("a.json", ADA.dumps().encode()), ("a.json", other.dumps().encode())])
    assert len({pupil.name for pupil in again.pupils}) == 2


def test_who_hands_in_again_counts_once_whatever_the_order() -> None:
    later = ADA.add(Solve("castell/tallest-2-1", AT, 2, 6)).add(Solve("castell/festival-1-1", AT))
    files = [("a.json", ADA.dumps().encode()), ("a (1).json", later.dumps().encode())]
    for handed_in in (files, files[::-1]):
        register = read_files(handed_in)
        assert [pupil.name for pupil in register.pupils] == ["Ada"]
        assert register.pupils[0].progress == later
        assert [str(each) for each in register.skipped] == ["a.json: it adds nothing to a (1).json"]


def test_pupils_without_names_who_have_not_begun_are_not_taken_for_one() -> None:
    files = [(f"{number}.json", Progress().dumps().encode()) for number in range(3)]
    assert len(read_files(files).pupils) == 3
    begun = progress("", ("castell/tallest-1-1",)).dumps().encode()
    more = progress("", ("castell/tallest-1-1",), ("castell/tallest-1-2",)).dumps().encode()
    assert len(read_files([("a.json", begun), ("b.json", more)]).pupils) == 2
    assert len(read_files([("a.json", begun), ("b.json", begun)]).pupils) == 1


def test_a_mark_at_the_start_of_a_file_does_no_harm() -> None:
    register = read_files([("a.json", ADA.dumps().encode("utf-8-sig"))])
    assert register.pupils[0].total() == Tally(3, 3, 7, 1)


def test_an_empty_folder_is_an_empty_class(tmp_path: Path) -> None:
    register = read_class(tmp_path)
    assert register.pupils == ()
    assert register.table() == ()
    assert register.stuck() == ()
    assert "no progress was read" in str(register)
    assert "no progress was read" in register._repr_html_()
    assert register.heat_map().description == "No puzzle has been tried yet."
    assert register.csv().count("\n") == 1


def test_pupils_who_have_not_begun_are_there(tmp_path: Path) -> None:
    (tmp_path / "new.json").write_text(Progress().dumps(), encoding="utf-8")
    register = read_class(tmp_path)
    assert [pupil.name for pupil in register.pupils] == ["new"]
    assert register.heat_map().targets == ()
    assert "1 pupil, 0 solved." in str(register)


@pytest.mark.parametrize("place", ["missing", "file.json"])
def test_what_is_no_folder_is_one_clear_error(tmp_path: Path, place: str) -> None:
    (tmp_path / "file.json").write_text("{}")
    with pytest.raises(CastlelabError, match=r"cannot be read: .*; name a folder"):
        read_class(tmp_path / place)


def test_a_game_that_is_not_there_has_no_heat_map(register: ClassRegister) -> None:
    with pytest.raises(CastlelabError, match="there is no game 'chess'; there are castell"):
        register.heat_map("chess")
    assert register.heat_map("castlescape").description == "No puzzle has been tried yet."


# What goes out


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@x", " =1", '=HYPERLINK("http://x")'])
def test_a_name_is_no_formula_in_a_spreadsheet(name: str, tmp_path: Path) -> None:
    made = progress(name, ("castell/tallest-1-1",))
    register = read_files([("a.json", made.dumps().encode())])
    register.to_csv(tmp_path / "table.csv")
    line = (tmp_path / "table.csv").read_text(encoding="utf-8-sig").splitlines()[1]
    assert line.lstrip('"').startswith("'")


def test_hostile_names_stay_words(tmp_path: Path) -> None:
    made = progress("<img src=x onerror=alert(1)>", ("castell/tallest-1-1",))
    odd = "<script>\n.json"
    register = read_files([("a.json", made.dumps().encode()), (odd, b"{")])
    for page in (register.html(), register._repr_html_(), render(register.heat_map())):
        tags = Tags(page)
        assert not {"img", "script"} & {tag for tag, _ in tags.tags}
    assert register.skipped[0].file == "<script>\N{REPLACEMENT CHARACTER}.json"


def test_a_class_is_kept_as_a_table_a_picture_or_a_page(
    register: ClassRegister, tmp_path: Path
) -> None:
    register.save(tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_bytes().startswith(b"\xef\xbb\xbfpupil,game,kind,level,solved")
    register.save(tmp_path / "t.svg")
    ElementTree.parse(tmp_path / "t.svg")
    register.save(tmp_path / "t.html")
    page = Tags((tmp_path / "t.html").read_text(encoding="utf-8"))
    assert page.count("svg") == 3  # all, Castell, Castle Keep
    assert "2 of 3 puzzles were given up" in page.words
    with pytest.raises(CastlelabError, match=r"t\.txt: a class is saved as"):
        register.save(tmp_path / "t.txt")


def test_a_class_prints_as_a_table(register: ClassRegister) -> None:
    assert str(register).splitlines()[:3] == [
        "The class: 3 pupils, 6 solved, 2 given up, 3 hints, 12 wrong answers.",
        "pupil  solved  hints  wrong  gave up",
        "Ada         3      3      7        1",
    ]
    assert repr(register) == str(register)


def test_the_example_is_a_class_that_never_changes() -> None:
    example = example_class()
    assert example == example_class()
    assert example.title == "An example class"
    assert len(example.pupils) == 12
    assert example.stuck()
    for pupil in example.pupils:
        assert Progress.loads(pupil.progress.dumps()) == pupil.progress
        json.loads(pupil.progress.dumps())


# What was guessed


RINGS, KEEPS = "In how many ways can guards stand?", "=How many keeps?"


def guesser(name: str, *made: Guesses) -> tuple[str, bytes]:
    guesses = {each.question: each for each in made}
    return f"{name}.json", Progress({}, name, guesses=guesses).dumps().encode()


@pytest.fixture
def guessers() -> ClassRegister:
    return read_files(
        [
            guesser("Ada", Guesses(RINGS, AT, ("55", "55", "47"), True, hints=1)),
            guesser("Bo", Guesses(RINGS, AT, ("55", "256"), gave_up=True), Guesses(KEEPS, AT)),
            guesser("Cy"),
        ]
    )


def test_a_question_is_told_with_its_tries_and_what_was_often_wrong(
    guessers: ClassRegister,
) -> None:
    keeps, rings = guessers.questions()
    assert (keeps.name, keeps.solved, keeps.still_open) == (KEEPS, 0, 1)
    assert rings == GuessTally(RINGS, 1, 1, 0, 5, 1, (("55", 2), ("256", 1)))
    for page in (guessers.html(), guessers.guesses_html()):
        assert "55 (2×), 256" in Tags(page).words
    assert str(guessers).splitlines()[-2:] == [
        "- Ada: 1 solved",
        "- Bo: 0 solved, 1 given up, 1 still open",
    ]


def test_what_was_given_up_is_nowhere_called_solved(guessers: ClassRegister) -> None:
    assert guessers.summary == (
        "3 pupils, 0 solved. Questions: 1 solved, 1 given up, 1 still open."
    )
    assert guessers.trouble() == ("No puzzle has been tried yet.",)
    head, *rows = guessers.guesses_csv().splitlines()
    assert head == "pupil,question,state,tries,hints,last,guesses"
    assert rows == [
        f"Ada,{RINGS},solved,3,1,{AT},55; 55; 47",
        f"Bo,'{KEEPS},open,0,0,{AT},",
        f"Bo,{RINGS},given up,2,0,{AT},55; 256",
    ]


def test_without_guesses_nothing_is_told_of_them(register: ClassRegister) -> None:
    assert register.guesses_html() == ""
    assert "Questions" not in str(register)


# Paper


def test_two_puzzles_lie_side_by_side_where_both_can_be_read() -> None:
    made = worksheet(count=12, levels="1-2", seed=1)
    page = made.html()
    rows = re.findall(r'<div class="row(?: alone)?">.*?</article></div>', page, flags=re.DOTALL)
    assert 6 <= len(rows) <= 8
    assert [each.count("<article") for each in rows].count(2) >= 5
    assert sum(each.count("<article") for each in rows) == 12


@pytest.mark.parametrize("kind", kinds())
def test_pictures_on_paper_are_large_enough_to_read(kind: str) -> None:
    """Words of 12 pixels print at 6 points or more: 0.176 mm to a pixel."""
    for level in LEVELS:
        asked = puzzle(f"{kind}-{level}-7")
        for answer in (None, asked.solution):
            laid = laid_out(asked, answer)
            assert laid.width / laid.scene.width >= 0.175
            assert laid.width <= (90 if laid.in_column else 186)


@pytest.mark.parametrize("kind", ["castell/tallest", "castle_rampage/lethal", "castell/festival"])
def test_paper_has_nothing_to_press(kind: str) -> None:
    asked = puzzle(f"{kind}-2-7")
    assert any(getattr(each, "screen_only", False) for each in asked.picture().shapes)
    page = worksheet(asked.code).html()
    for words in ("Play card", "+ new level", "Pick one, then a level"):
        assert words not in page


def test_a_box_of_rules_comes_on_request() -> None:
    made = worksheet("castell castlescape", count=4)
    assert "rule-box" not in made.html().partition("</style>")[2]
    page = made.html(rules=True)
    for rule in {rule for each in made.puzzles for rule in each.rules}:
        words = rulebook(rule.partition("/")[0])[rule]
        assert escape(words.text) in page
        assert page.count(f"<strong>{escape(words.title)}.</strong>") == 1


def test_versions_are_alike_in_kind_and_level_and_unlike_in_all_else() -> None:
    made = worksheet("castell castle_keep", "1-3", 6, 7, title="Monday")
    a, b, c = map(made.version, "ABC")
    assert a.codes == made.codes
    for one, other in ((a, b), (b, c), (a, c)):
        assert [(p.kind, p.level) for p in one.puzzles] == [
            (p.kind, p.level) for p in other.puzzles
        ]
        assert not set(one.codes) & set(other.codes)
        assert not {p.picture() for p in one.puzzles} & {p.picture() for p in other.puzzles}
    assert (a.title, b.title, b.codes) == ("Monday – A", "Monday – B", made.version("B").codes)
    page, answers = made.versions_html("AB"), made.versions_html("AB", key=True)
    assert page.count("<article") == answers.count("<article") == 12
    assert page.count('<div class="new-page">') == 1
    assert all(code in page for code in (*a.codes, *b.codes))
    assert "Monday – B: answers" in answers
    same = worksheet("castell/lesson-mix").version("B")
    assert same.codes == ("castell/lesson-mix",)
    for wrong in ("", "AB", "Z", "a", 1):
        with pytest.raises(CastlelabError, match="versions are called A to H"):
            made.version(wrong)  # type: ignore[arg-type]
    with pytest.raises(CastlelabError, match="versions are named by their letters"):
        made.versions_html("")


def test_square_codes_lead_to_the_puzzles_and_to_the_sheet() -> None:
    made = worksheet("castell", count=2, address="http://castle:8866")
    page = made.html()
    assert page.count('class="qr"') == 2 + 1
    for link in (*made.links(), made.link()):
        drawn = segno.make_qr(link, error="l").svg_inline(light="#ffffff", omitsize=True, border=4)
        assert drawn in page
    assert 'class="qr"' not in made.html(qr=False)
    assert 'class="qr"' not in worksheet("castell", count=2).html()
    with pytest.raises(CastlelabError, match="QR codes need to know where your pages are"):
        worksheet("castell", count=2).html(qr=True)


def test_a_link_that_is_too_long_has_no_square_code() -> None:
    assert paper.qr_code("http://castle/" + "x" * 900, 28) == ""
    assert paper.qr_code("http://castle/" + "x" * 9_000, 28) == ""


def test_without_the_package_there_are_links_and_no_square_codes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("castlelab.classroom.sheet.has", lambda package: False)
    monkeypatch.setattr("castlelab.system.packages.has", lambda package: False)
    made = worksheet("castell", count=1, address="http://castle:8866")
    assert 'class="qr"' not in made.html()
    with pytest.raises(CastlelabError, match=r'install it with: pip install "castlelab\[paper\]"'):
        made.html(qr=True)
