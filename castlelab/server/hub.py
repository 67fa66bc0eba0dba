"""One person's server behind a JupyterHub: its login, its place, its idleness and its memory."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from logging import Logger
from math import inf
from typing import Any
from urllib.parse import urlsplit

from jupyter_server.utils import url_path_join
from jupyterhub import __version__ as hub_version
from jupyterhub.singleuser.extension import JupyterHubIdentityProvider
from tornado.httpclient import AsyncHTTPClient, HTTPError
from tornado.ioloop import IOLoop

from castlelab.rules import CastlelabError
from castlelab.server.capacity import process_memory
from castlelab.server.page_server import PageServer
from castlelab.server.terms import base_path

_LOOK_EVERY = 10.0  # seconds
_TELL_EVERY = 300.0  # unless the Hub says otherwise
_PATIENCE = 20.0  # seconds for the Hub to answer
_FULL = 0.9  # of the memory there may be; the rest is for what grows until the next look

_PAGES_OF_ALL = "user-redirect/voila/render/"

#: What a Hub tells every server that it starts.
_TOLD = ("JUPYTERHUB_SERVICE_URL", "JUPYTERHUB_SERVICE_PREFIX", "JUPYTERHUB_API_TOKEN")


@dataclass(frozen=True)
class HubAddress:
    """Where the Hub wants a server: what it listens on, and what all its addresses begin with."""

    host: str
    port: int
    base_url: str

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> HubAddress:
        """Read it from the environment.

        >>> service = {"JUPYTERHUB_SERVICE_URL": "http://127.0.0.1:4000/user/ada/",
        ...     "JUPYTERHUB_SERVICE_PREFIX": "/user/ada/", "JUPYTERHUB_API_TOKEN": "…"}
        >>> HubAddress.of(service)
        HubAddress(host='127.0.0.1', port=4000, base_url='/user/ada/')
        """
        if missing := [name for name in _TOLD if not environment.get(name)]:
            raise CastlelabError(
                f"a JupyterHub starts this command and sets {missing[0]}, which is not there; "
                "to show the pages yourself: castlelab serve"
            )
        if environment.get("JUPYTERHUB_SSL_CERTFILE"):
            raise CastlelabError(
                "this JupyterHub wants its servers to speak https among themselves, which "
                "castlelab does not; set c.JupyterHub.internal_ssl = False"
            )
        service = urlsplit(environment["JUPYTERHUB_SERVICE_URL"])
        base_url = base_path(environment["JUPYTERHUB_SERVICE_PREFIX"])
        return cls(service.hostname or "0.0.0.0", service.port or 80, base_url)


class HubIdentity(JupyterHubIdentityProvider):
    """Lets in whom the Hub lets in: the person whose server it is."""

    def __init__(self, token: str = "", **kwargs: Any) -> None:
        super().__init__(**kwargs)  # the token is the Hub's

    def get_handlers(self) -> list[tuple[Any, ...]]:
        """The way back from the Hub's login, and the way out; Voilà adds no base url to them."""
        base_url = self.hub_auth.base_url
        return [(url_path_join(base_url, path), *rest) for path, *rest in super().get_handlers()]


class HubServer(PageServer):
    """Serves the pages to one person.

    Only the first page is run in advance: a server for each person has to be small. Others run
    when they are asked for, in a copy of a kernel that has all imports behind it.
    """

    @property
    def behind_proxy(self) -> bool:
        return True

    def init_settings(self) -> dict[str, Any]:
        self.identity_provider_class = HubIdentity
        settings = super().init_settings()
        settings["headers"] = {**settings["headers"], "X-JupyterHub-Version": hub_version}
        return settings

    def login_handlers(self) -> list[tuple[Any, ...]]:
        return []  # that is up to the Hub

    def page_settings(self, page_config: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        """With the name of the person, and where the Hub leads everybody to pages of their own."""
        hub = self.identity_provider.hub_auth
        return {
            **super().page_settings(page_config, **kwargs),
            "hubUser": os.environ.get("JUPYTERHUB_USER", ""),
            "hubPages": hub.hub_host + url_path_join(hub.hub_prefix, _PAGES_OF_ALL),
        }

    def pages_in_advance(self) -> list[str]:
        return [self.landing]

    def listen(self) -> None:
        monitor = ServerMonitor(self.kernel_manager, os.environ, self.log)
        IOLoop.current().add_callback(monitor.watch)
        super().listen()


class ServerMonitor:
    """Looks after one person's server: tells the Hub of activity, and keeps to the memory."""

    def __init__(self, manager: Any, environment: Mapping[str, str], log: Logger) -> None:
        self.manager, self.environment, self.log = manager, environment, log
        self.limit = float(environment.get("MEM_LIMIT") or "inf")  # bytes
        self.tell_every = float(environment.get("JUPYTERHUB_ACTIVITY_INTERVAL") or _TELL_EVERY)
        self.last_activity = datetime.now(UTC)
        self.told: datetime | None = None  # the last activity that the Hub knows of

    async def watch(self) -> None:
        """Do all of it, for as long as the server runs."""
        next_time = 0.0
        while True:
            self.note_activity()
            if (now := asyncio.get_running_loop().time()) >= next_time:
                await self.tell_activity()
                next_time = now + self.tell_every
            await self.keep_to_memory()
            await asyncio.sleep(min(_LOOK_EVERY, self.tell_every))

    def last_activities(self) -> dict[str, datetime]:
        """When something was last done on each page; the kernels that are kept have none."""
        return {
            one: self.manager.get_kernel(one).last_activity
            for one in self.manager.list_kernel_ids()
            if one not in self.manager.kept
        }

    def note_activity(self) -> None:
        """Remember the last activity, before its page is closed."""
        self.last_activity = max([self.last_activity, *self.last_activities().values()])

    async def tell_activity(self) -> None:
        """Tell the Hub, if there is news; a Hub that does not answer is told the next time."""
        url, now = self.environment.get("JUPYTERHUB_ACTIVITY_URL"), self.last_activity
        if not url or self.told == now:
            return
        when = {"last_activity": now.isoformat()}
        servers = {self.environment.get("JUPYTERHUB_SERVER_NAME", ""): when}
        try:
            await AsyncHTTPClient().fetch(
                url,
                method="POST",
                body=json.dumps({"servers": servers, **when}),
                headers={
                    "Authorization": f"token {self.environment['JUPYTERHUB_API_TOKEN']}",
                    "Content-Type": "application/json",
                },
                request_timeout=_PATIENCE,
            )
            self.told = now
        except (HTTPError, OSError) as error:
            self.log.error("cannot tell the Hub of activity: %s", error)

    async def keep_to_memory(self) -> None:
        """End a page before all of them, and the server, run out of memory.

        Its visitor is told so, and may go on. Some spawners hold the limit themselves, by ending
        whatever they like; others do not hold it at all.
        """
        if self.limit == inf:
            return
        taken = {one: self._taken(one) for one in self.manager.list_kernel_ids()}
        all_taken = process_memory(os.getpid()) + sum(taken.values())
        if all_taken < _FULL * self.limit:
            return
        if one := page_to_end(self.last_activities(), taken, self.limit):
            self.log.error(
                "%.0f MB of %.0f are taken; a page that takes %.0f is ended",
                *(size / 2**20 for size in (all_taken, self.limit, taken[one])),
            )
            await self.manager.shutdown_kernel(one)

    def _taken(self, kernel_id: str) -> int:
        """The memory of a kernel; none while it starts."""
        pid = getattr(self.manager.get_kernel(kernel_id).provisioner, "pid", None)
        return process_memory(pid) if pid else 0


def page_to_end(last: Mapping[str, datetime], taken: Mapping[str, int], limit: float) -> str | None:
    """The page to end: one that takes half of all there may be, or the one longest untouched.

    >>> long_ago, now = datetime(2024, 1, 1), datetime(2024, 1, 2)
    >>> page_to_end({"a": now, "b": long_ago}, {"a": 100, "b": 100}, 400)
    'b'
    >>> page_to_end({"a": now, "b": long_ago}, {"a": 300, "b": 100}, 400)
    'a'
    """
    if not last:
        return None
    large = (one for one in last if taken[one] > limit / 2)
    return next(large, min(last, key=lambda one: last[one]))
