"""Simulations on a real cluster: a scheduler and two workers, each a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from castlelab import cli
from castlelab.rules import CastlelabError
from castlelab.study import Study, simulate, workers
from castlelab.study.run import Run

if not os.environ.get("CI"):
    pytest.importorskip("distributed")

from distributed import Client

pytestmark = pytest.mark.slow

RUN: dict[str, Any] = {"game": "castle_keep", "games": 60, "bots": ("greedy", "random"), "seed": 8}


class Cluster(NamedTuple):
    address: str  # HOST:PORT
    workers: list[subprocess.Popen[bytes]]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    folder = tmp_path_factory.mktemp("dask")
    file = folder / "scheduler.json"
    running: list[subprocess.Popen[bytes]] = []

    def start(program: str, *words: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.dask_{program}", "--host", "127.0.0.1"]
        command += ["--no-dashboard", "--scheduler-file", str(file), *words]
        with (folder / f"{len(running)}.log").open("wb") as log:
            running.append(subprocess.Popen(command, cwd=folder, stdout=log, stderr=log))
        return running[-1]

    try:
        scheduler = start("scheduler", "--port", "0")
        while not file.exists():
            assert scheduler.poll() is None, (folder / "0.log").read_text(encoding="utf-8")
            time.sleep(0.05)
        workers = [start("worker", "--nthreads", "1", "--no-nanny") for _ in range(2)]
        with Client(scheduler_file=str(file), set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)
            yield Cluster(client.scheduler.address.removeprefix("tcp://"), workers)
    finally:
        for process in reversed(running):
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> tuple[Study, bytes]:
    """The same run in this process, and its file."""
    path = tmp_path_factory.mktemp("alone") / "run.jsonl"
    return simulate(**RUN, workers=1, out=path), path.read_bytes()


def test_a_cluster_gives_the_same_result(
    cluster: Cluster, alone: tuple[Study, bytes], tmp_path: Path
) -> None:
    out = tmp_path / "run.jsonl"
    with workers.dask(cluster.address) as client:
        assert simulate(**RUN, executor=client, out=out) == alone[0]
        assert simulate(**RUN, executor=client.get_executor()) == alone[0]
    assert out.read_bytes() == alone[1]


def test_an_edition_needs_no_file_on_the_cluster(cluster: Cluster, box: Path) -> None:
    run: dict[str, Any] = {"game": "castell", "games": 3, "bots": ("random",) * 2, "edition": box}
    with workers.dask(cluster.address) as client:
        assert simulate(**run, executor=client) == simulate(**run, workers=1)


def test_the_command_line_plays_on_the_cluster(
    cluster: Cluster,
    alone: tuple[Study, bytes],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = tmp_path / "run.jsonl"
    out.write_bytes(b"".join(alone[1].splitlines(keepends=True)[:20]))  # it was interrupted
    words = f"simulate castle_keep --games 60 --seed 8 --dask {cluster.address} --resume"
    assert cli.main([*words.split(), "--out", str(out)]) == 0
    assert capsys.readouterr().out == f"{alone[0]}\n"
    assert out.read_bytes() == alone[1]


def test_a_cluster_with_other_rules_is_refused(cluster: Cluster) -> None:
    run = Run.prepared("castle_keep", ("random", "random"), 1, None, {})
    with (
        workers.dask(cluster.address) as client,
        pytest.raises(CastlelabError, match="a worker has another house edition of castle_keep"),
    ):
        list(workers.in_order(replace(run, digest="f00").play, range(3), client))


class Murder(Executor):
    """Hands work on, and in the middle of it does something terrible."""

    def __init__(self, executor: Any, after: int, deed: Callable[[], None]) -> None:
        self._executor = executor
        self._left = after
        self._deed = deed

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = self._executor.submit(fn, *args, **kwargs)
        self._left -= 1
        if self._left == 0:
            self._deed()
        return future


# Last, as nobody comes back from the dead.
def test_a_killed_worker_changes_nothing(
    cluster: Cluster, alone: tuple[Study, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "STRETCH_SECONDS", 0.05)  # many stretches, all along the run
    out, victim = tmp_path / "run.jsonl", cluster.workers[0]
    with workers.dask(cluster.address) as client:
        executor = Murder(client.get_executor(pure=False), after=8, deed=victim.kill)
        assert simulate(**RUN, executor=executor, out=out) == alone[0]
        assert victim.wait(60) != 0
        assert len(client.nthreads()) == 1
    assert out.read_bytes() == alone[1]


# Without a cluster


def test_nobody_answers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(workers, "CONNECT_SECONDS", 1)
    assert cli.main(["simulate", "castell", "--dask", "127.0.0.1:1"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("castlelab: there is no Dask scheduler at 127.0.0.1:1: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("address", ["", "here", "localhost:", ":8786", "localhost:http"])
def test_a_wrong_address_is_told(address: str) -> None:
    with pytest.raises(CastlelabError, match="named as HOST:PORT"), workers.dask(address):
        pass
