"""The configuration for a JupyterHub, read as a Hub reads it, with each spawner."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from jupyterhub.app import JupyterHub
from jupyterhub.auth import Authenticator
from jupyterhub.proxy import ConfigurableHTTPProxy
from jupyterhub.spawner import SimpleLocalProcessSpawner, Spawner
from traitlets.config import PyFileConfigLoader

DEPLOY = Path(__file__).parent.parent / "deploy" / "jupyterhub"
SPAWNERS = {
    "simple": "simple",
    "systemd": "systemdspawner.SystemdSpawner",
    "kube": "kubespawner.KubeSpawner",
}


def read(folder: Path = DEPLOY) -> Any:
    """The settings of the configuration; no spawner has to be installed for it."""
    return PyFileConfigLoader("jupyterhub_config.py", path=str(folder)).load_config()


@pytest.fixture
def chosen(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("CASTLELAB_SPAWNER", request.param)
    return read()


@pytest.mark.parametrize(("chosen", "spawner"), SPAWNERS.items(), ids=SPAWNERS, indirect=["chosen"])
def test_the_spawner_is_all_that_changes(chosen: Any, spawner: str) -> None:
    assert chosen.JupyterHub.spawner_class == spawner
    own = {name for name in chosen if name.endswith("Spawner")} - {"Spawner"}
    assert len(own) == 1, "only the chosen one is set up"
    assert chosen.Spawner.mem_limit == "1G"
    [culler] = chosen.JupyterHub.services
    assert "jupyterhub_idle_culler" in culler["command"]
    assert [role["services"] for role in chosen.JupyterHub.load_roles] == [[culler["name"]]]
    command = chosen[next(iter(own))].get("cmd", chosen.Spawner.cmd)
    assert command[-1] == "singleuser"


@pytest.mark.parametrize("chosen", SPAWNERS, indirect=True)
def test_every_setting_is_one_that_there_is(chosen: Any) -> None:
    known = (JupyterHub, Spawner, Authenticator, ConfigurableHTTPProxy, SimpleLocalProcessSpawner)
    for kind in known:
        assert set(chosen.get(kind.__name__, {})) <= set(kind.class_trait_names(config=True))


def test_a_spawner_that_there_is_not_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CASTLELAB_SPAWNER", "docker")
    with pytest.raises(ValueError, match="simple, systemd or kube, not 'docker'"):
        read()


def test_a_person_gets_the_castlelab_of_the_hub() -> None:
    assert read().Spawner.cmd == [sys.executable, "-m", "castlelab", "singleuser"]


def test_the_proxy_beside_the_configuration_is_taken(tmp_path: Path) -> None:
    shutil.copy(DEPLOY / "jupyterhub_config.py", tmp_path)
    assert "ConfigurableHTTPProxy" not in read(tmp_path)
    proxy = tmp_path / "node_modules" / ".bin" / "configurable-http-proxy"
    proxy.parent.mkdir(parents=True)
    proxy.touch()
    assert read(tmp_path).ConfigurableHTTPProxy.command == [str(proxy)]


def test_the_proxy_has_one_version_and_no_address() -> None:
    text = (DEPLOY / "package.json").read_text(encoding="utf-8")
    [version] = json.loads(text)["dependencies"].values()
    assert re.fullmatch(r"\d+\.\d+\.\d+", version)
    assert "://" not in text
    assert not list(DEPLOY.glob("*lock*"))
