"""Binder can open the pages, from its own files."""

from __future__ import annotations

import hashlib
import os
import re
import socket
import stat
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from urllib.request import urlopen

import pytest

ROOT = Path(__file__).parent.parent
BINDER = ROOT / "binder"
TESTED = ROOT / "constraints" / "tested.txt"
WHOLE = "COPY --chown=1000:1000 src/ ${REPO_DIR}/"  # from here on the repository is there


def test_binder_finds_its_files() -> None:
    assert (BINDER / "runtime.txt").read_text(encoding="utf-8").strip() == "python-3.11"
    assert (BINDER / "postBuild").stat().st_mode & stat.S_IXUSR


@pytest.fixture(scope="module")
def dockerfile() -> str:
    """What repo2docker, the program behind Binder, would build from; nothing is built."""
    options = ("--no-build", "--debug", "--user-name=jovyan", "--user-id=1000")
    return run(sys.executable, "-m", "repo2docker", *options, ".")


def steps_of(dockerfile: str) -> list[str]:
    """The commands that Binder runs once the repository is there, in its words."""
    return re.findall(r"^RUN (.+)$", dockerfile[dockerfile.index(WHOLE) :], re.MULTILINE)


def test_repo2docker_reads_the_files_as_they_are_meant(dockerfile: str) -> None:
    assert "environment.py-3.11-" in dockerfile.replace("-2e", ".").replace("-2d", "-")
    assert steps_of(dockerfile) == [
        # After the whole repository was copied: the one requirement is the package in it.
        '${KERNEL_PYTHON_PREFIX}/bin/pip install --no-cache-dir -r "binder/requirements.txt"',
        "chmod +x binder/postBuild",
        "./binder/postBuild",
    ]
    assert re.findall(r"^USER (.+)$", dockerfile, re.MULTILINE)[-1] == "${NB_USER}"
    assert "EXPOSE 8888" in dockerfile


@pytest.fixture
def environment(dockerfile: str) -> Path:
    """An environment made by the steps of Binder's own Dockerfile.

    It is new whenever what decides about it has changed, and otherwise
    kept beside the one that runs the tests; castlelab itself is always installed again.
    """
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    files = [path.read_bytes() for path in (*sorted(BINDER.iterdir()), TESTED) if path.is_file()]
    decisive = repr((needed["dependencies"], files, sys.version))
    digest = hashlib.sha256(decisive.encode()).hexdigest()[:16]
    folder = Path(sys.prefix) / "binder-test" / digest
    ready = folder / "ready"
    if not ready.exists():
        run(sys.executable, "-m", "venv", "--clear", folder)
    path = os.pathsep.join([str(folder / "bin"), os.environ["PATH"]])
    settings = {"KERNEL_PYTHON_PREFIX": str(folder), "PATH": path, "PIP_QUIET": "1"}
    for step in steps_of(dockerfile):
        run("bash", "-c", step, env={**os.environ, **settings})
    ready.touch()
    return folder


def run(*command: str | Path, env: dict[str, str] | None = None) -> str:
    """What a command prints, run from the root of the repository as Binder does."""
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_binder_gets_the_versions_that_were_tested(environment: Path) -> None:
    asked = (environment / "bin" / "python", "-m", "pip", "list", "--format=freeze")
    installed = set(run(*asked).splitlines())
    tested = {line.partition(" ;")[0] for line in TESTED.read_text(encoding="utf-8").splitlines()}
    own = {line for line in installed if line.startswith(("castlelab==", "pip==", "setuptools=="))}
    assert {normal(line) for line in installed - own} <= tested


def normal(pin: str) -> str:
    """A pin with the name of its package as resolvers write it."""
    name, _, version = pin.partition("==")
    return f"{re.sub(r'[-_.]+', '-', name).lower()}=={version}"


@pytest.mark.slow
def test_binder_renders_a_page(
    environment: Path, tmp_path: Path, start_server: Callable[..., str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    # Binder starts JupyterLab in the repository and opens /voila/render/notebooks/….
    address = start_server(
        [
            environment / "bin" / "jupyter",
            "lab",
            "--no-browser",
            "--allow-root",
            "--ip=127.0.0.1",
            f"--port={port}",
            "--ServerApp.port_retries=0",
            "--IdentityProvider.token=",
            f"--ServerApp.root_dir={ROOT}",
        ],
        cwd=ROOT,
        # Nobody's own settings may help or hinder.
        env={"HOME": str(tmp_path), "JUPYTER_CONFIG_DIR": str(tmp_path), "JUPYTER_PATH": ""},
    )
    with urlopen(f"{address}voila/render/notebooks/welcome.ipynb", timeout=120) as answer:
        page = answer.read().decode()
    assert answer.status == 200
    assert 'id="castlelab-bar"' in page, "the page has our own frame"
    assert "vnd.voila.cell-output+json" in page, "its cells ran"
    assert "error when executing cell" not in page
    assert "//cdn." not in page
    with urlopen(f"{address}lab", timeout=60) as answer:
        assert "JupyterLab" in answer.read().decode()
