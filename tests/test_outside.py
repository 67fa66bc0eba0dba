"""Games and bots of other packages: found, played, shown, and harmless where they are broken."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "examples" / "watchtower"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the example installed in it; nothing is downloaded."""
    folder = tmp_path_factory.mktemp("site")
    wishes = ("--quiet", "--no-deps", "--no-build-isolation", "--disable-pip-version-check")
    command = [sys.executable, "-m", "pip", "install", *wishes, "--target", folder, EXAMPLE]
    subprocess.run(command, check=True, capture_output=True, cwd=folder)
    return folder


def run(site: Path, *words: str, cwd: Path | None = None, ok: bool = True) -> str:
    """What Python says where a folder of packages is installed."""
    path = os.pathsep.join((str(site), str(ROOT)))
    done = subprocess.run(
        [sys.executable, *words],
        env={**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"},
        cwd=cwd or site,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )
    assert (done.returncode == 0) == ok, done.stdout + done.stderr
    return done.stdout + done.stderr


def announce(site: Path, package: str, group: str, **points: str) -> None:
    """Install a package that announces these and has no code."""
    info = site / f"{package}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    lines = [f"[castlelab.{group}]", *(f"{name} = {place}" for name, place in points.items())]
    (info / "entry_points.txt").write_text("\n".join(lines))


# -- the example ------------------------------------------------------------------------------


@pytest.mark.slow
def test_its_own_tests_pass(site: Path) -> None:
    said = run(site, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests", cwd=EXAMPLE)
    assert " passed" in said
    assert "warning" not in said


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("simulate watchtower --games 5", "greedy"),
        ("puzzle watchtower/by-force-1-1", "Which layer wins"),
        ("puzzle", "watchtower/by-force"),
        ("rules watchtower", "Watchtower: 6 rules"),
        ("rules watchtower watchtower/narrows", "wider than the layer below"),
        ("play --help", "watchtower"),
    ],
)
def test_every_command_knows_it(site: Path, words: str, says: str) -> None:
    assert says in run(site, "-m", "castlelab", *words.split())


def test_pages_show_it(site: Path) -> None:
    script = """
from castlelab.widgets import GameTable, PuzzleCard, PuzzleLadder, show_games, show_rules
from castlelab.widgets.table.game_setup import GameSetup
from castlelab.widgets.table.game_room import GameRoom
from castlelab.server import pages
import castlelab, watchtower.lessons

assert list(castlelab.GAMES)[-1] == "watchtower"
assert castlelab.GAMES["watchtower"] == "watchtower.play:Watchtower"
cards = show_games().html
assert "<strong>Watchtower</strong>" in cards and 'href="watchtower.ipynb"' in cards
GameRoom()
chosen = []
setup = GameSetup(chosen.append, "watchtower")
setup.start()
assert ["watchtower", "Watchtower"] in [[*told[:2]] for told in setup._game.games]
table = GameTable(chosen[0].game, seed=1)
table.board.pick("west 2")
assert table.record.moves == ("lay west 2",)
table.board.write("lay west 3")
assert "[watchtower/narrows]" in table.board.said
assert "Towers narrow" in show_rules("watchtower/narrows").html
PuzzleCard(watchtower.lessons.lesson("narrow")), PuzzleLadder("watchtower")
folder = pages.served_folder()
assert {"welcome.ipynb", "watchtower.ipynb"} <= pages.page_names(folder)
assert folder != pages.notebooks_folder()
print("all is well", folder)
"""
    said = run(site, "-c", script)
    assert "all is well" in said
    assert not Path(said.split()[-1]).exists(), "copies of pages are cleared away"


def test_puzzles_of_ones_own_are_checked_when_they_are_made(site: Path) -> None:
    script = """
import castlelab, watchtower
from castlelab.widgets import PuzzleCard

asked = {"towers": "3 2 1 / 3 3 2 2 / 3 2 2 1", "points": (8, 10)}
made = watchtower.puzzle("Win.", **asked)
assert castlelab.puzzle(made.code) == made and made.check("west 1")
PuzzleCard(made)
assert watchtower.puzzle(watchtower.lessons.PROMPT, **asked).id == "watchtower/lesson-narrow"
like = watchtower.puzzle("Top it.", towers="3 2 1 / 1 / 2 2", goal=lambda now: now.points[0])
assert like.check("west 1") and not like.check("gate 1") and like.code == ""
for wrong in (
    {"towers": "3 2 1"},
    {"towers": "1 2 / 3 3 2 2 / 3"},
    {"towers": "3 2 / 3 / 3"},
    {**asked, "points": 8},
    {**asked, "points": (0, 50)},
    {**asked, "solution": "gate 1"},
):
    try: watchtower.puzzle("Win.", **wrong)
    except castlelab.CastlelabError as error: print("refused:", error)
"""
    refused = run(site, "-c", script).splitlines()
    assert (
        refused[:3] == ["refused: write three towers that narrow, with 6 to 12 layers in all"] * 3
    )
    assert refused[3:5] == [
        "refused: points are two numbers, not 1",
        "refused: this cannot be solved: no layer does it",
    ]
    assert refused[5].startswith("refused: the solution gate 1 does not solve this: ")


def test_its_notebook_runs_and_says_what_is_stored(site: Path, tmp_path: Path) -> None:
    stored = EXAMPLE / "watchtower" / "notebooks" / "watchtower.ipynb"
    copy = tmp_path / stored.name
    copy.write_bytes(stored.read_bytes())
    run(site, str(ROOT / "tools" / "store_results.py"), str(copy))
    assert copy.read_text(encoding="utf-8") == stored.read_text(encoding="utf-8")


def test_it_stays_small() -> None:
    """It is there to be copied, so one must be able to read it at one go."""
    files = [path for kind in ("py", "toml") for path in EXAMPLE.rglob(f"*.{kind}")]
    lines = [line for path in files for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(list(filter(None, lines))) <= 350


# -- broken and clashing packages -------------------------------------------------------------

BROKEN = {
    "gone": ("gone.play:Gone", "ModuleNotFoundError: No module named 'gone'"),
    "number": ("math:pi", "3.141592653589793 is not a subclass of castlelab.Game"),
    "stolen": ("watchtower.play:Watchtower", "its class must say name = 'stolen'"),
    "Loud": ("watchtower.play:Watchtower", "a load name is made of small letters"),
}


@pytest.fixture
def broken(tmp_path: Path, site: Path) -> Path:
    """The example, and a package in which everything is wrong."""
    announce(tmp_path, "rubble", "games", **{name: place for name, (place, _) in BROKEN.items()})
    announce(tmp_path, "rival", "games", castell="math:pi", watchtower="watchtower.play:Watchtower")
    return Path(os.pathsep.join((str(tmp_path), str(site))))


def test_broken_games_say_so_and_leave_the_others_alone(broken: Path) -> None:
    script = (
        "import sys, castlelab\n"
        "print(*castlelab.GAMES)\n"
        "print(castlelab.load('castell'), len(castlelab.puzzles.kinds()))\n"
        "for name in sys.argv[1:]:\n"
        "    try: castlelab.load(name)\n"
        "    except castlelab.CastlelabError as error: print('refused:', error)\n"
    )
    said = run(broken, "-c", script, *BROKEN, "watchtower", cwd=ROOT)
    refused = [line for line in said.splitlines() if line.startswith("refused: ")]
    for line, (name, (_, why)) in zip(refused, BROKEN.items(), strict=False):
        assert line.startswith(f"refused: the game {name!r} of rubble is no use: {why}")
    # Two packages bring it, so neither is believed.
    assert "'watchtower' of rival and castlelab-watchtower" in refused[-1]
    assert "castell castle_keep castle_rampage castlescape once_upon_a_castle\n" in said
    assert "Left out: the game 'gone' of rubble" in said
    assert "Left out: the game 'castell' of rival" in said
    assert "load('castell', players=2" in said


def test_puzzles_that_cannot_be_loaded_are_left_out(site: Path, tmp_path: Path) -> None:
    room = tmp_path / "moat"
    room.mkdir()
    (room / "__init__.py").touch()
    play = "from watchtower.play import Watchtower\nclass Moat(Watchtower): name = 'moat'\n"
    (room / "play.py").write_text(play)
    (room / "puzzles.py").write_text("raise RuntimeError('the moat\\nis dry')\n")
    announce(tmp_path, "moat", "games", moat="moat.play:Moat")
    both = Path(os.pathsep.join((str(tmp_path), str(site))))
    said = run(both, "-m", "castlelab", "puzzle", cwd=ROOT)
    assert "castell/tallest" in said
    assert "the game 'moat' of moat is no use: RuntimeError: the moat is dry" in said
    said = run(both, "-m", "castlelab", "rules", "moat", cwd=ROOT, ok=False)
    assert "edition.toml" in said


def test_bots_of_other_packages(tmp_path: Path) -> None:
    (tmp_path / "watchman.py").write_text(
        "from castlelab.bots import Random\nclass Watchman(Random): name = 'watchman'\n"
    )
    announce(tmp_path, "guards", "bots", watchman="watchman:Watchman", sleeper="math:pi")
    words = ("-m", "castlelab", "simulate", "castle_keep", "--games", "2", "--bots")
    assert "watchman" in run(tmp_path, *words, "watchman,random")
    said = run(tmp_path, *words, "sleeper,random", ok=False)
    assert (
        "the bot 'sleeper' of guards is no use: a bot is a class with choose, or a function" in said
    )
    said = run(tmp_path, *words, "nobody,random", ok=False)
    assert "the bots are random, greedy, montecarlo, watchman, sleeper" in said
    script = """
from castlelab.widgets import GameTable
from castlelab.widgets.table.game_setup import GameSetup

chosen = []
setup = GameSetup(chosen.append)
assert {"watchman", "sleeper"} <= {name for _, name in setup._seats[1].options}
setup._seats[1].value = "watchman"
setup.start()
assert chosen[0].bots == {1: "watchman"}
assert GameTable(chosen[0].game, bots=chosen[0].bots).bot_names == {1: "watchman"}
setup._seats[1].value = "sleeper"
setup.start()
assert "of guards is no use" in setup._said.value and len(chosen) == 1
print("all is well")
"""
    assert "all is well" in run(tmp_path, "-c", script)


def test_nobody_looks_for_other_packages_until_they_are_wanted(site: Path) -> None:
    script = (
        "import sys, castlelab; castlelab.load('castell').start(1); castlelab.GAMES['castell'];"
        "assert 'castell' in castlelab.GAMES;"
        "assert 'importlib.metadata' not in sys.modules and 'watchtower' not in sys.modules"
    )
    run(site, "-c", script)
