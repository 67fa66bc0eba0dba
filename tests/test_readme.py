"""The README tells the truth: its Python is run, its commands are understood."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from castlelab import cli

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def commands() -> list[str]:
    """Every castlelab command in a shell block or in backquotes."""
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    lines += re.findall(r"`([^`\n]+)`", README)
    return [line.partition("#")[0].strip() for line in lines if re.match(r"castlelab( |$)", line)]


def test_there_is_something_to_try() -> None:
    assert blocks("python")
    assert len(commands()) > 5


@pytest.mark.parametrize("block", blocks("python"))
def test_python_gives_the_results_shown(block: str) -> None:
    test = doctest.DocTestParser().get_doctest(block, {}, "README.md", "README.md", 0)
    assert test.examples, "a block without results proves nothing"
    report: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(test, out=report.append)
    assert result.failed == 0, "".join(report)


@pytest.mark.parametrize("command", commands())
def test_commands_are_understood(command: str) -> None:
    words = shlex.split(command)[1:]
    if "--help" in words:
        with pytest.raises(SystemExit, match="0"):
            cli.parse(words)
    else:
        assert callable(cli.parse(words).run)


@pytest.mark.parametrize("name", re.findall(r"^make (\w+)", "\n".join(blocks("sh")), re.MULTILINE))
def test_make_knows_its_targets(name: str) -> None:
    assert re.search(rf"^{name}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_lead_somewhere(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        assert target.startswith("https://") or (ROOT / target).exists(), target
