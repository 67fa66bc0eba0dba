"""The engines need Python alone; whatever needs more says what it misses in one sentence."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from textwrap import indent

import pytest

from castlelab.game import GAMES
from castlelab.system.packages import MissingPackage, need

ROOT = Path(__file__).parents[2]
SITE = Path(sysconfig.get_path("platlib"))


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python of its own with castlelab and numpy, and nothing else."""
    folder = tmp_path_factory.mktemp("bare") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    for pattern in ("Lib/site-packages", "lib/python*/site-packages"):
        for site in folder.glob(pattern):
            for package in (ROOT / "castlelab", *SITE.glob("numpy"), *SITE.glob("numpy.libs")):
                _lend(package, site / package.name)
    (python,) = (*folder.glob("bin/python"), *folder.glob("Scripts/python.exe"))
    return python


def _lend(package: Path, target: Path) -> None:
    try:
        target.symlink_to(package, target_is_directory=True)
    except OSError:  # Windows lets only some people make links
        shutil.copytree(package, target)


def run(python: Path, *words: str, cwd: Path, typed: str = "") -> tuple[int, str, str]:
    # In UTF-8, which is not what every system would choose for a pipe.
    done = subprocess.run(
        [python, "-I", "-X", "utf8", *words],
        cwd=cwd,
        input=typed,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
    return done.returncode, done.stdout, done.stderr


def test_it_is_bare(bare: Path, tmp_path: Path) -> None:
    listing = "import json; from importlib.util import find_spec as find;"
    names = ["castlelab", "numpy", "ipywidgets", "IPython", "traitlets", "voila", "tqdm", "pip"]
    code = f"{listing} print(json.dumps([name for name in {names} if find(name)]))"
    assert json.loads(run(bare, "-c", code, cwd=tmp_path)[1]) == ["castlelab", "numpy"]


ENGINE = """
import sys
import castlelab
from castlelab.bots import bot, play_out
from castlelab.chance import Chance
from castlelab.draw import svg, text
from castlelab.puzzles import kinds
from castlelab.study import replay, simulate

name = sys.argv[1]
game = castlelab.load(name)
state = game.start(seed=7)
move = state.moves()[0]
assert state.check(move)
assert game.move(str(move)) == move
assert svg.render(state.picture()).startswith("<svg")
assert text.render(state.picture()).strip()
assert state.describe()

end, moves = play_out(state, (bot("random"), bot("greedy")), Chance.seeded(1))
assert end.over and moves and len(end.scores) == 2
assert svg.render(end.picture()).startswith("<svg")
assert not end.check(move)  # over is over, and a rule says so
assert castlelab.Record.start(game, 7).play(move).state == state.play(move)

for kind in kinds():
    if kind.startswith(f"{name}/"):
        asked = castlelab.puzzle(f"{kind}-1-1")
        assert asked.check(asked.solution), kind

result = simulate(name, games=4, bots=("random", "random"), seed=1, workers=2)
assert result == simulate(name, games=4, bots=("random", "random"), seed=1, workers=1)
assert replay(name, 2, ("random", "random"), seed=1).state.scores == result.played[2].scores
print(result)
"""


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_played_solved_drawn_and_simulated(bare: Path, tmp_path: Path, name: str) -> None:
    file = tmp_path / "engine.py"  # a file, since the processes of a run read it again
    body = indent(ENGINE, "    ")
    file.write_text(f'if __name__ == "__main__":\n{body}', encoding="utf-8")
    status, out, err = run(bare, str(file), name, cwd=tmp_path)
    assert (status, err) == (0, "")
    assert f"4 games of {name}" in out


COUNTS = """
from castlelab.draw import canvas
from castlelab.games import castell, castle_keep, castlescape, castle_rampage, once_upon_a_castle

assert castell.count_towers(castell.Skills(), castell.Team("9*3 8*2 7")) > 0
assert castle_keep.count_rings() == 391653
assert castlescape.fewest_walls(4) == 12
assert castle_rampage.attack(9, gate=[4], castle=[6]).steps
assert 0 < once_upon_a_castle.roll_odds("wood") < 1
"""


def test_the_games_are_counted(bare: Path, tmp_path: Path) -> None:
    assert run(bare, "-c", COUNTS, cwd=tmp_path) == (0, "", "")


@pytest.mark.parametrize(
    ("words", "typed", "part"),
    [
        ("rules castell max-width", "", "castell/max-width"),
        ("play castle_keep --seed 7", "moves\nquit\n", "Castle Keep"),
        ("puzzle castell/tallest-1-1", "hint\nquit\n", "the tallest tower"),
        ("simulate once_upon_a_castle --games 2 --out games.csv", "", "2 games of"),
        ("worksheet castlescape --count 2 --seed 7", "", "worksheet.html"),
        ("--version", "", "castlelab"),
    ],
)
def test_commands_without_pages_work(
    bare: Path, tmp_path: Path, words: str, typed: str, part: str
) -> None:
    status, out, err = run(bare, "-m", "castlelab", *words.split(), cwd=tmp_path, typed=typed)
    assert (status, err) == (0, "")
    assert part in out


@pytest.mark.parametrize(
    ("words", "missed", "wanted"),
    [
        ("serve", "serving pages needs voila", "castlelab"),
        ("lab", "opening the notebooks for editing needs jupyterlab", "castlelab"),
        (
            "simulate castell --dask head:8786",
            "a Dask cluster needs distributed",
            '"castlelab[distributed]"',
        ),
    ],
)
def test_commands_that_miss_a_package_say_which(
    bare: Path, tmp_path: Path, words: str, missed: str, wanted: str
) -> None:
    answer = run(bare, "-m", "castlelab", *words.split(), cwd=tmp_path)
    assert answer == (2, "", f"castlelab: {missed}; install it with: pip install {wanted}\n")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("code", "missed"),
    [
        (
            "import castlelab.widgets",
            "a board in a notebook needs anywidget, ipycanvas and ipywidgets; install them",
        ),
        (
            "from castlelab.study import simulate; simulate('castle_keep', 1).plot()",
            "a plot needs matplotlib; install it",
        ),
        (
            "from castlelab.study import simulate; simulate('castle_keep', 1, progress=True)",
            "a progress bar needs tqdm; install it",
        ),
    ],
)
def test_calls_that_miss_a_package_say_which(
    bare: Path, tmp_path: Path, code: str, missed: str
) -> None:
    status, _, err = run(bare, "-c", code, cwd=tmp_path)
    assert status == 1
    said = f"castlelab.system.packages.MissingPackage: {missed} with: pip install castlelab"
    assert err.splitlines()[-1] == said


def test_who_watches_waits_without_a_bar(bare: Path, tmp_path: Path) -> None:
    code = "from castlelab.classroom import worksheet; worksheet('castell', count=1, progress=True)"
    assert run(bare, "-c", code, cwd=tmp_path) == (0, "", "")


def test_a_missing_package_can_be_caught_as_any_failed_import() -> None:
    with pytest.raises(ImportError, match="flying needs wings and feathers; install them with"):
        need("flying", "math", "wings", "feathers")
    assert issubclass(MissingPackage, ValueError)
