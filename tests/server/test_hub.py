"""One person's server behind a Hub: where it stands, what it tells, what it may take."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from tornado.httpserver import HTTPServer
from tornado.httputil import HTTPServerRequest
from tornado.testing import bind_unused_port
from tornado.web import Application, RequestHandler

from castlelab import cli
from castlelab.rules import CastlelabError
from castlelab.server.capacity import process_memory
from castlelab.server.copies import possible
from castlelab.server.hub import HubAddress, ServerMonitor

TOLD = {
    "JUPYTERHUB_SERVICE_URL": "http://127.0.0.1:4000/user/ada/",
    "JUPYTERHUB_SERVICE_PREFIX": "/user/ada/",
    "JUPYTERHUB_API_TOKEN": "secret",
}
LONG_AGO = datetime(2024, 1, 1, tzinfo=UTC)
SOON = datetime.now(UTC) + timedelta(hours=1)


class Kernels:
    """Kernels that take the memory of this very process, as far as anybody can see."""

    def __init__(self, deeds: dict[str, datetime], kept: set[str]) -> None:
        self.deeds, self.kept = deeds, kept
        self.ended: list[str] = []

    def list_kernel_ids(self) -> list[str]:
        return [*self.deeds, *self.kept]

    def get_kernel(self, one: str) -> Any:
        provisioner = SimpleNamespace(pid=os.getpid())
        return SimpleNamespace(last_activity=self.deeds.get(one, SOON), provisioner=provisioner)

    async def shutdown_kernel(self, one: str) -> None:
        self.ended.append(one)


def monitor(kernels: Kernels, **environment: str) -> ServerMonitor:
    return ServerMonitor(kernels, {**TOLD, **environment}, logging.getLogger(__name__))


# Where it stands


@pytest.mark.parametrize(
    ("service", "place"),
    [
        ("http://127.0.0.1:4000/user/ada/", ("127.0.0.1", 4000)),
        ("http://0.0.0.0:8888/user/ada/", ("0.0.0.0", 8888)),
        ("http://:8888/user/ada/", ("0.0.0.0", 8888)),  # in a pod: wherever it can be reached
        ("http://[::1]:8888/", ("::1", 8888)),
    ],
)
def test_the_hub_says_where(service: str, place: tuple[str, int]) -> None:
    asked = HubAddress.of({**TOLD, "JUPYTERHUB_SERVICE_URL": service})
    assert (asked.host, asked.port) == place
    assert asked.base_url == "/user/ada/"


@pytest.mark.parametrize("missing", TOLD)
def test_without_a_hub_there_is_another_command(missing: str) -> None:
    told = {name: value for name, value in TOLD.items() if name != missing}
    with pytest.raises(CastlelabError, match=rf"{missing}.*castlelab serve"):
        HubAddress.of(told)


def test_a_hub_that_speaks_https_with_its_servers_is_refused() -> None:
    with pytest.raises(CastlelabError, match="internal_ssl = False"):
        HubAddress.of({**TOLD, "JUPYTERHUB_SSL_CERTFILE": "/cert"})


def test_the_command_says_so_in_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("JUPYTERHUB_SERVICE_URL", raising=False)
    assert cli.main(["singleuser"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_what_is_not_installed_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "jupyterhub", None)
    monkeypatch.delitem(sys.modules, "castlelab.server.hub")
    assert cli.main(["singleuser"]) == 2
    assert "pip install 'castlelab[hub]'" in capsys.readouterr().err


# What it tells


def heard_by_a_hub(status: int, act: Callable[[str], Any]) -> list[HTTPServerRequest]:
    """What a Hub hears that answers with a status, while something is done with its address."""
    heard: list[HTTPServerRequest] = []

    class Activity(RequestHandler):
        def post(self) -> None:
            heard.append(self.request)
            self.set_status(status)

    async def run() -> None:
        socket, port = bind_unused_port()
        server = HTTPServer(Application([("/activity", Activity)]))
        server.add_socket(socket)
        await act(f"http://127.0.0.1:{port}/activity")
        server.stop()
        await server.close_all_connections()

    asyncio.run(run())
    return heard


def test_the_hub_is_told_of_the_last_deed_once() -> None:
    kernels = Kernels({"page": LONG_AGO, "other": SOON}, kept={"original"})

    async def act(url: str) -> None:
        one = monitor(kernels, JUPYTERHUB_ACTIVITY_URL=url)
        one.note_activity()
        kernels.deeds.clear()  # its page is closed
        one.note_activity()
        await one.tell_activity()
        await one.tell_activity()  # there is no news

    [request] = heard_by_a_hub(200, act)
    assert request.headers["Authorization"] == "token secret"
    told = json.loads(request.body)
    assert told["last_activity"] == told["servers"][""]["last_activity"] == SOON.isoformat()


def test_a_page_that_nobody_touches_is_no_activity() -> None:
    one = monitor(Kernels({"page": LONG_AGO}, kept={"original"}))  # the original is busy with us
    begun = one.last_activity
    one.note_activity()
    assert one.last_activity == begun


def test_a_hub_that_fails_is_told_again(caplog: pytest.LogCaptureFixture) -> None:
    async def act(url: str) -> None:
        one = monitor(Kernels({}, set()), JUPYTERHUB_ACTIVITY_URL=url)
        await one.tell_activity()
        await one.tell_activity()

    assert len(heard_by_a_hub(503, act)) == 2
    told = [record.message for record in caplog.records if record.name == __name__]
    assert len(told) == 2
    assert all(line.startswith("cannot tell the Hub of activity") for line in told)


# What it may take


@pytest.mark.skipif(not possible(), reason="this system does not tell what a process takes")
def test_the_page_longest_untouched_is_ended_when_memory_is_short() -> None:
    kernels = Kernels({"new": SOON, "old": LONG_AGO}, kept={"original"})
    here = process_memory(os.getpid())  # four times: the server and three kernels
    for limit, ended in ((10 * here, []), (4 * here, ["old"])):
        asyncio.run(monitor(kernels, MEM_LIMIT=str(limit)).keep_to_memory())
        assert kernels.ended == ended


def test_originals_are_never_ended() -> None:
    kernels = Kernels({}, kept={"original"})
    asyncio.run(monitor(kernels, MEM_LIMIT="1").keep_to_memory())
    assert kernels.ended == []


def test_without_a_limit_nothing_is_ended() -> None:
    kernels = Kernels({"page": LONG_AGO}, kept=set())
    asyncio.run(monitor(kernels).keep_to_memory())
    assert kernels.ended == []
