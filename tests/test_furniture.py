"""What stands round the code agrees with it: metadata, workflows, hooks, the Makefile."""

from __future__ import annotations

import os
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from trove_classifiers import classifiers as known_classifiers

import castlelab

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def jobs() -> dict[str, Any]:
    return {
        f"{path.name} {name}": job for path in WORKFLOWS for name, job in read(path)["jobs"].items()
    }


def runs(job: Any) -> list[str]:
    """The shell commands of a job."""
    return [line for step in job["steps"] for line in step.get("run", "").splitlines()]


def hooks() -> dict[str, Any]:
    (repository,) = read(ROOT / ".pre-commit-config.yaml")["repos"]
    assert repository["repo"] == "local", "what is fetched may be another version than ours"
    return {hook["id"]: hook for hook in repository["hooks"]}


def made() -> list[str]:
    """Every call of make that workflows, hooks and the build machine's script contain."""
    lines = [line for job in jobs().values() for line in runs(job)]
    lines += [hook["entry"] for hook in hooks().values()]
    lines += (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    return sorted({line.removeprefix("exec ") for line in lines if "make " in line})


def make(*words: str) -> str:
    """What make says."""
    # A make that runs these tests hands its own wishes down.
    environment = {name: word for name, word in os.environ.items() if "MAKE" not in name}
    done = subprocess.run(
        ["make", *words], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("call", made())
def test_make_knows_what_it_is_asked_for(call: str) -> None:
    program, *words = call.split()
    assert program == "make"
    assert make("--dry-run", *words)
    targets = [word for word in words if "=" not in word]
    listed = re.findall(r"make (\w+)", make("help"))
    assert targets
    assert set(targets) <= set(listed)


def test_everything_runs_on_every_system_and_python() -> None:
    tried = {
        (system, python, target)
        for job in jobs().values()
        for matrix in [job.get("strategy", {}).get("matrix", {})]
        for python in matrix.get("python", [])
        for system in matrix.get("os", [job["runs-on"]])
        for line in runs(job)
        for target in line.split()[-1:]
    }
    systems = ("ubuntu-latest", "macos-latest", "windows-latest")
    assert {(system, python, "unit") for system in systems for python in PYTHONS} <= tried
    assert {("ubuntu-latest", python, "test") for python in PYTHONS} <= tried


@pytest.mark.parametrize("job", jobs())
def test_a_job_ends_and_does_what_anybody_can(job: str) -> None:
    found = jobs()[job]
    assert found["timeout-minutes"] <= 60
    assert all(line.startswith("make ") for line in runs(found)), "let it be a target of make"
    for step in found["steps"]:
        assert re.fullmatch(r"actions/[a-z-]+@v\d+", step.get("uses", "actions/none@v0"))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_may_only_read(path: Path) -> None:
    assert read(path)["permissions"] == {"contents": "read"}


def test_hooks_need_nothing_from_elsewhere() -> None:
    assert set(hooks()) >= {"lint", "types"}
    for hook in hooks().values():
        assert hook["language"] == "system"
        assert hook["pass_filenames"] is False


@pytest.mark.parametrize(("system", "folder"), [("Windows_NT", "Scripts"), ("", "bin")])
def test_make_finds_the_commands_of_an_environment(system: str, folder: str) -> None:
    assert f".venv/{folder}/ruff check" in make("--dry-run", f"OS={system}", "lint")


def test_the_metadata_is_true() -> None:
    assert PROJECT["version"] == castlelab.__version__
    assert not set(PROJECT["classifiers"]) - set(known_classifiers)
    prefix = "Programming Language :: Python :: "
    named = [name.removeprefix(prefix) for name in PROJECT["classifiers"] if prefix in name]
    assert [name for name in named if "." in name] == PYTHONS
    assert PROJECT["requires-python"] == f">={PYTHONS[0]}"
    assert "Operating System :: OS Independent" in PROJECT["classifiers"]


def test_everybody_names_the_same_address() -> None:
    home = PROJECT["urls"]["Homepage"]
    owner = home.removeprefix("https://github.com/")
    for name, address in PROJECT["urls"].items():
        assert owner in address, name
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for address in re.findall(r"https://mybinder\.org/v2/gh/[^)]+", readme):
        assert address.startswith(f"https://mybinder.org/v2/gh/{owner}/HEAD?")
    assert PROJECT["urls"]["Try it"] in readme


def test_who_cites_it_cites_this() -> None:
    citation = read(ROOT / "CITATION.cff")
    assert citation["cff-version"] == "1.2.0"
    assert citation["title"] == PROJECT["name"]
    assert citation["version"] == PROJECT["version"]
    assert citation["license"] == PROJECT["license"]
    assert citation["abstract"] == PROJECT["description"]
    assert citation["repository-code"] == PROJECT["urls"]["Homepage"]
    assert [author["name"] for author in citation["authors"]] == [
        author["name"] for author in PROJECT["authors"]
    ]
