"""What is stored in the notebooks: results and pictures to compare, and nothing else."""

import ast
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import nbformat
import pytest

import castlelab
from castlelab import widgets
from castlelab.figures import handled_figure, handled_figures
from castlelab.games.castell.count import Skills, builders_for_match, count_towers, vandermonde
from castlelab.games.castle_keep.count import count_colourings, doubles_odds, rings_by_formula
from castlelab.games.castle_rampage.count import count_orders
from castlelab.games.castlescape.count import fewest_walls, largest_bailey, most_walls
from castlelab.games.once_upon_a_castle.count import line_chain, roll_odds, throws_with
from castlelab.widgets import ChoiceCard, GuessCard
from castlelab.widgets.lab.figures import LiveFigure

FOLDER = Path(__file__).parents[1] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb")) + sorted(FOLDER.glob("examples/*.ipynb"))
LARGEST_NOTEBOOK, LARGEST_PICTURE = 800_000, 54_000  # bytes; 81 castles are the largest
LONGEST_CELL = 12  # lines: cells are there to be read


def code_cells(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def results(path):
    """What is stored as the results of a notebook's cells, each with its cell."""
    return [(cell, output) for cell in code_cells(path) for output in cell.outputs]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_only_what_needs_no_kernel_is_stored(path):
    kinds = ({"text/plain"}, {"text/plain", "image/svg+xml"}, {"text/plain", "text/html"})
    for _, output in results(path):
        assert output.output_type in ("stream", "execute_result", "display_data")
        assert set(output.get("data", {"text/plain"})) in kinds
        assert not output.get("metadata")
        assert not str(output.get("data", {}).get("text/plain")).startswith("HTML(")
    assert "widgets" not in nbformat.read(path, as_version=4).metadata


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_board_has_left_its_picture(path):
    """That it is today's picture is compared by nbval."""
    for cell in code_cells(path):
        called = ast.parse(cell.source).body[-1]
        if not (isinstance(called, ast.Expr) and isinstance(called.value, ast.Call)):
            continue
        if (name := getattr(called.value.func, "id", "")) in widgets.__all__:
            kind = "text/html" if name in ("show_rules", "show_games") else "image/svg+xml"
            assert any(kind in output.get("data", {}) for output in cell.outputs), cell.source


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_pictures_are_small(path):
    assert path.stat().st_size <= LARGEST_NOTEBOOK
    for cell, output in results(path):
        picture = output.get("data", {}).get("image/svg+xml", "")
        assert len(picture) <= LARGEST_PICTURE, cell.source


@pytest.mark.slow
@pytest.mark.parametrize("execute", [False, True])
def test_an_export_shows_every_board(execute, tmp_path):
    """As it is stored or run anew, as nbconvert writes it, and with no script to help it."""
    path = next(path for path in NOTEBOOKS if path.stem == "welcome")
    shown = sum("image/svg+xml" in output.get("data", {}) for _, output in results(path))
    options = ["--to", "html", "--output-dir", str(tmp_path), *(["--execute"] * execute)]
    run = [sys.executable, "-m", "nbconvert", str(path), *options]
    subprocess.run(run, capture_output=True, check=True)
    page = (tmp_path / "welcome.html").read_text(encoding="utf-8")
    assert (
        page.count('src="data:image/svg+xml') == shown + len(castlelab.GAMES) + 1
    )  # the covers, and the lab's
    assert "HTML(value=" not in page
    assert "model not found" not in page


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_cells_are_short_and_pages_start_with_a_title(path):
    notebook = nbformat.read(path, as_version=4)
    assert notebook.cells[0].source.startswith("# ")
    for cell in code_cells(path):
        assert len(cell.source.splitlines()) <= LONGEST_CELL, cell.source


def test_every_game_has_a_walk_through_with_results_to_compare():
    for game in castlelab.GAMES:
        path = next(path for path in NOTEBOOKS if path.stem == game)
        stored = [cell for cell in code_cells(path) if cell.outputs]
        assert len(stored) >= 8, "without stored results nbval compares nothing"
        assert all(cell.execution_count for cell in stored), "nbval passes over unrun cells"


# -- the counting lab ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def lab():
    """Everything that the cells of the counting lab name or show."""
    names, shown = {}, []
    for cell in code_cells(next(path for path in NOTEBOOKS if path.stem == "counting")):
        *steps, last = ast.parse(cell.source).body
        exec(compile(ast.Module(steps, []), "counting", "exec"), names)
        if isinstance(last, ast.Expr):
            shown.append(eval(compile(ast.Expression(last.value), "counting", "eval"), names))
        else:
            exec(compile(ast.Module([last], []), "counting", "exec"), names)
    return names, shown


@pytest.mark.slow
def test_the_answers_of_the_lab_are_those_of_the_engine(lab):
    cards = [thing for thing in lab[1] if isinstance(thing, GuessCard)]
    staying = [row[place] for place, row in enumerate(line_chain("wood stone").matrix[:-1])]
    enough = roll_odds("wood")
    plain_dice = next(n for n in range(9) if Fraction(throws_with(n, False), 6**n) >= enough)
    doubles = next(n for n in range(99) if doubles_odds(n) > Fraction(1, 2))
    assert [card._answer for card in cards] == [
        fewest_walls(100),
        round(largest_bailey(2 * 10**6) / largest_bailey(10**6)),
        most_walls(5),
        throws_with(3),
        plain_dice,
        vandermonde(5, sizes=5),
        count_towers(Skills(base=1)) - count_towers(),
        count_orders("Ogre, Knight, Knight, Archer, Archer"),
        count_colourings(3),
        count_colourings(2),
        Fraction(round(9 * rings_by_formula(places=40) / (9 * 5**39)), 9),
        rings_by_formula(places=4),
        Fraction(2, 5),
        max(staying),
        builders_for_match(),
        doubles,
        4,
        100,
    ]


@pytest.mark.slow
def test_every_exercise_of_the_lab_explains_what_is_wrong(lab):
    cards = [thing for thing in lab[1] if isinstance(thing, GuessCard)]
    choices = [thing for thing in lab[1] if isinstance(thing, ChoiceCard)]
    assert len(cards) >= 16
    assert len(choices) >= 4
    for card in cards:
        assert card._mistakes
        for wrong, words in card._mistakes.items():
            assert not card.guess(wrong)
            assert words
        assert card.guess(card._answer)
        assert card.solved
    for card in choices:
        assert all(card._choices.values())
        assert sum(map(card.choose, card._choices)) == 1


@pytest.mark.slow
def test_every_drawing_of_the_lab_has_words_wherever_its_sliders_stand(lab):
    drawings = [thing for thing in lab[0].values() if isinstance(thing, LiveFigure)]
    assert len(drawings) >= 12  # what can be handled is a figure instead
    for drawing in drawings:
        for name, control in drawing._controls.items():
            values = getattr(control, "options", None) or (control.min, control.max)
            for value in values:
                drawing.set(**{name: value})
                assert "cannot be drawn" not in drawing._shown.value, drawing.words
                assert drawing.words.endswith(".")
        if '<svg class="castlelab-plot"' in drawing._shown.value:
            assert "rotate(-90" in drawing._shown.value  # its upright axis says what it shows


def test_each_part_of_the_lab_ends_with_something_to_explore():
    path = next(path for path in NOTEBOOKS if path.stem == "counting")
    words = "\n".join(cell.source for cell in nbformat.read(path, as_version=4).cells)
    *_, parts = words.partition("\n## ")
    parts = parts.split("\n## ")
    front, *ideas = parts
    assert "LabFront(" in front
    assert len(ideas) == 10
    assert all("<summary>Explore next</summary>" in part for part in ideas)
    assert all("show_rules(" in part for part in ideas[:9])  # the last one is about simulation


def test_the_front_of_the_lab_leads_to_every_figure_in_the_order_of_the_page():
    path = next(path for path in NOTEBOOKS if path.stem == "counting")
    cells = nbformat.read(path, as_version=4).cells
    front = next(cell.source for cell in cells if cell.source.startswith("LabFront("))
    shown = [cell.source for cell in cells if cell.source.startswith("FigureCard(")]
    assert re.findall(r'"([\w/-]+)"', front) == re.findall(r'"([\w/-]+)"', " ".join(shown))
    assert sorted(handled_figures()) == sorted(re.findall(r'"([\w/-]+)"', front))
    headings = {cell.source.partition("\n")[0] for cell in cells if cell.source.startswith("## ")}
    titles = {re.sub(r"## \d+\. ", "", heading) for heading in headings}
    assert {handled_figure(name).title for name in handled_figures()} <= titles


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_guess_in_a_notebook_explains_its_slips(path):
    """At least one wrong number, and never the right one: nobody is told only *too low*."""
    calls = [call for cell in code_cells(path) for call in ast.walk(ast.parse(cell.source))]
    guesses = [c for c in calls if isinstance(c, ast.Call) and ast.unparse(c.func) == "GuessCard"]
    for guess in guesses:
        given = {keyword.arg: keyword.value for keyword in guess.keywords}
        assert given["mistakes"].keys, ast.unparse(guess)
        wrong = [ast.unparse(key) for key in given["mistakes"].keys]
        assert ast.unparse(given["answer"]) not in wrong
        assert len(set(wrong)) == len(wrong)
