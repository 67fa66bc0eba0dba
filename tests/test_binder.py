"""Binder can open the pages, from its own files."""

from __future__ import annotations

import hashlib
import os
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


def test_binder_finds_its_files() -> None:
    assert (BINDER / "runtime.txt").read_text(encoding="utf-8").strip() == "python-3.11"
    assert (BINDER / "postBuild").stat().st_mode & stat.S_IXUSR


@pytest.fixture
def environment() -> Path:
    """An environment made by Binder's steps: requirements, then postBuild.

    It is new whenever what decides about it has changed, and otherwise
    kept beside the one that runs the tests; castlelab itself is always installed again.
    """
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    files = [path.read_bytes() for path in sorted(BINDER.iterdir()) if path.is_file()]
    decisive = repr((needed["dependencies"], files, sys.version))
    digest = hashlib.sha256(decisive.encode()).hexdigest()[:16]
    folder = Path(sys.prefix) / "binder-test" / digest
    ready = folder / "ready"
    python = folder / "bin" / "python"
    if not ready.exists():
        run(sys.executable, "-m", "venv", "--clear", folder)
    install = [python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    run(*install, "-r", "binder/requirements.txt")
    path = os.pathsep.join([str(folder / "bin"), os.environ["PATH"]])
    run("binder/postBuild", env={**os.environ, "PATH": path})
    ready.touch()
    return folder


def run(*command: str | Path, env: dict[str, str] | None = None) -> None:
    # From the root of the repository, as Binder does.
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


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
