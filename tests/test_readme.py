"""The README and the pages in docs tell the truth: their Python is run, their commands are
understood, their links lead somewhere, and their pictures are what is there today."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest
from PIL import Image

from castlelab.cli.commands import read_command
from tools import pictures

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in (ROOT / "README.md", *sorted(DOCS.glob("*.md")))
}
README = PAGES["README.md"]


def blocks(language: str, text: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def examples() -> dict[str, str]:
    """Every block of Python, by its page and number."""
    return {
        f"{name} {number}": block
        for name, text in PAGES.items()
        for number, block in enumerate(blocks("python", text), start=1)
    }


def shell_lines() -> list[str]:
    """Every command of a shell block, without what is said about it."""
    lines = [line for text in PAGES.values() for line in "".join(blocks("sh", text)).splitlines()]
    return [part.partition("#")[0].strip() for line in lines for part in line.split("&&")]


def commands() -> list[str]:
    """Every castlelab command in a shell block or in backquotes."""
    quoted = [word for text in PAGES.values() for word in re.findall(r"`([^`\n]+)`", text)]
    found = [line for line in [*shell_lines(), *quoted] if re.match(r"castlelab( |$)", line)]
    return list(dict.fromkeys(found))


def test_there_is_something_to_try() -> None:
    assert len(examples()) > 5
    assert len(commands()) > 10
    assert {"make run", "make test", "castlelab"} <= set(shell_lines())


def test_the_readme_is_read_in_thirty_seconds() -> None:
    assert len(README.splitlines()) <= 120


@pytest.mark.parametrize("block", examples().values(), ids=examples())
def test_python_gives_the_results_shown(block: str) -> None:
    test = doctest.DocTestParser().get_doctest(block, {}, "page", "page", 0)
    assert test.examples, "a block without results proves nothing"
    report: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(test, out=report.append)
    assert result.failed == 0, "".join(report)


def test_shell_lines_begin_with_a_program_that_is_there() -> None:
    """Ours, make, or one that what is installed brings."""
    programs = {line.split()[0] for line in shell_lines() if line}
    assert programs <= {"castlelab", "make", "pip", "dask"}  # dask: castlelab[distributed]


@pytest.mark.parametrize("command", commands())
def test_commands_are_understood(command: str) -> None:
    words = shlex.split(command)[1:]
    if "--help" in words:
        with pytest.raises(SystemExit, match="0"):
            read_command(words)
    else:
        assert callable(read_command(words).run)


@pytest.mark.parametrize(
    "name", sorted({line.split()[1] for line in shell_lines() if line.startswith("make ")})
)
def test_make_knows_its_targets(name: str) -> None:
    assert re.search(rf"^{name}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)


def targets(text: str) -> set[str]:
    """Where a page leads to, and what it shows."""
    shown = re.findall(r'(?:src|srcset)="([^"]+)"', text)
    return {*re.findall(r"\]\(([^)\s]+)\)", text), *shown}


@pytest.mark.parametrize("page", [*PAGES, "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_lead_somewhere(page: str) -> None:
    path = ROOT / page
    for target in targets(path.read_text(encoding="utf-8")):
        assert target.startswith("https://") or (path.parent / target).is_file(), target


def test_the_readme_leads_to_everything_in_docs() -> None:
    there = {path.relative_to(ROOT).as_posix() for path in DOCS.iterdir()}
    assert there == {target for target in targets(README) if target.startswith("docs/")}


# Pictures


OLD = "the pictures have grown old; make pictures draws them anew"


@pytest.mark.parametrize("suffix", pictures.THEMES)
def test_the_picture_of_the_games_is_of_today(suffix: str) -> None:
    stored = (DOCS / f"games{suffix}.svg").read_text(encoding="utf-8")
    assert stored == pictures.games_svg(pictures.THEMES[suffix]), OLD


def test_the_lesson_is_told_as_it_goes_today() -> None:
    told = pictures.in_words()
    assert (DOCS / "lesson.txt").read_text(encoding="utf-8") == told, OLD
    *steps, wrong, _, _, _, end = told.splitlines()
    assert "(Smaller on top)" in wrong
    assert "Solved!" in end
    assert not [step for step in steps if "(" in step]


@pytest.mark.parametrize("suffix", pictures.THEMES)
def test_the_lesson_moves_and_is_light(suffix: str) -> None:
    path = DOCS / f"lesson{suffix}.webp"
    assert path.stat().st_size < 400_000
    with Image.open(path) as film, Image.open(DOCS / f"lesson{suffix}.png") as still:
        assert film.is_animated
        assert film.n_frames > len(pictures.STEPS)
        assert film.info["loop"] == 0
        assert film.size == still.size
        seen = set()
        for number in range(film.n_frames):
            film.seek(number)
            seen.add(hash(film.tobytes()))
        assert len(seen) > len(pictures.STEPS)
