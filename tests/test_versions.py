"""What is declared is what is imported, and what is tested is what is declared."""

from __future__ import annotations

import ast
import importlib.metadata
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NEEDED = [Requirement(each) for each in PROJECT["dependencies"]]
EXTRAS = {
    name: [Requirement(each) for each in needed]
    for name, needed in PROJECT["optional-dependencies"].items()
}

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
SYSTEMS = {"Linux": ("linux", "posix"), "Darwin": ("darwin", "posix"), "Windows": ("win32", "nt")}


def pins(name: str) -> list[Requirement]:
    lines = (ROOT / "constraints" / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [Requirement(line) for line in lines if not line.startswith("#")]


def applies(requirement: Requirement, python: str, system: str) -> bool:
    platform, os_name = SYSTEMS[system]
    place = {
        "python_version": python,
        "python_full_version": f"{python}.9",
        "platform_system": system,
        "sys_platform": platform,
        "os_name": os_name,
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
    }
    return requirement.marker is None or requirement.marker.evaluate(place)


def pinned(name: str, requirement: Requirement, python: str, system: str) -> Version:
    """The one version that a file of constraints has for a package."""
    (pin,) = (
        each
        for each in pins(name)
        if canonicalize_name(each.name) == canonicalize_name(requirement.name)
        and applies(each, python, system)
    )
    (exactly,) = pin.specifier
    assert exactly.operator == "=="
    return Version(exactly.version)


def floor(requirement: Requirement) -> Version:
    (least,) = (each for each in requirement.specifier if each.operator == ">=")
    return Version(least.version)


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("python", PYTHONS)
def test_everything_has_one_tested_version_that_is_allowed(python: str, system: str) -> None:
    for needed in (*NEEDED, *(each for extra in EXTRAS.values() for each in extra)):
        if applies(needed, python, system):
            version = pinned("tested", needed, python, system)
            assert version in needed.specifier, f"{needed}, not {version}: run make constraints"


@pytest.mark.parametrize("needed", NEEDED, ids=lambda needed: needed.name)
def test_the_lowest_versions_that_are_tried_are_those_that_are_declared(
    needed: Requirement,
) -> None:
    for system in SYSTEMS:
        assert pinned("lowest", needed, PYTHONS[0], system) == floor(needed), "make constraints"


@pytest.mark.parametrize("name", ["tested", "lowest"])
def test_constraints_are_for_everybody(name: str) -> None:
    """They name neither a place on a machine nor a place to download from."""
    for pin in pins(name):
        assert pin.url is None
        assert {each.operator for each in pin.specifier} == {"=="}
    words = (ROOT / "constraints" / f"{name}.txt").read_text(encoding="utf-8")
    assert not re.search(r"://|[/\\@]|--", words)


def test_the_oldest_python_is_the_same_everywhere() -> None:
    told = subprocess.run(
        [sys.executable, "-c", "import constrain; print(constrain.OLDEST)"],
        cwd=ROOT / "tools",
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    assert PROJECT["requires-python"] == f">={told}"
    assert told == PYTHONS[0]


def sources() -> Iterator[str]:
    """All code that users run: the package, and the cells of its notebooks."""
    for path in (ROOT / "castlelab").rglob("*.py"):
        yield path.read_text(encoding="utf-8")
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "code":
                yield "".join(cell["source"])


def imported() -> set[str]:
    """The packages that castlelab imports, by the names of their modules."""
    found = set()
    for source in sources():
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module)
    modules = {name.partition(".")[0] for name in found}
    return modules - sys.stdlib_module_names - {"castlelab"}


def test_what_is_imported_is_declared_and_nothing_else() -> None:
    modules = importlib.metadata.packages_distributions()
    used = {canonicalize_name(name) for module in imported() for name in modules[module]}
    declared = {canonicalize_name(each.name) for each in NEEDED}
    extras = EXTRAS["distributed"] + EXTRAS["hub"] + EXTRAS["paper"] + EXTRAS["testing"]
    assert used - {canonicalize_name(each.name) for each in extras} == declared


def test_the_tests_end_with_the_versions_that_they_ran_with() -> None:
    said = subprocess.run(
        [sys.executable, "-m", "tools.versions"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert said.startswith("Tested with Python {}.{}.{}".format(*sys.version_info[:3]))
    assert "Chromium" in said or "Chrome" in said
    for needed in NEEDED:
        assert f"{needed.name} {importlib.metadata.version(needed.name)}" in said
