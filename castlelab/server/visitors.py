"""Who is here: a kernel for each open page, ended when its visitor has gone."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from functools import partial
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any, Protocol

import zmq
from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager
from tornado.web import RequestHandler
from traitlets import Float

SEAT_COOKIE = "castlelab-seat"
_LOOK_EVERY = 5.0  # seconds
PAGES_EACH = 12  # that somebody with a seat may have open, where seats are counted
_EXPECTED_LEAST = 4  # pages of one address that may be on their way, however few the seats
_EXPECTED_SHARE = 4  # of so many seats, one
_SOCKETS = 1 << 14  # 0MQ allows a thousand unless told, and every page has five


class Connection(Protocol):
    """What a page and its kernel speak on."""

    def close(self) -> None: ...


class Admission(Enum):
    """Whether somebody who comes is let in."""

    FREE = "free"
    FULL = "full"  # all seats are taken
    CROWDED = "crowded"  # too many come from the same address at the same time


@dataclass(frozen=True)
class Visitor:
    """Somebody who opens a page: a browser, and where it is."""

    seat: str
    address: str


_NOBODY = Visitor("", "")
#: Whoever is being served: kernels that start meanwhile are theirs.
_VISITOR: ContextVar[Visitor] = ContextVar("visitor", default=_NOBODY)


def neighbourhood(address: str) -> str:
    """Where somebody is, as far as that cannot be changed at will: IPv6 by its network.

    >>> neighbourhood("192.0.2.7"), neighbourhood("2001:db8::7"), neighbourhood("::ffff:192.0.2.7")
    ('192.0.2.7', '2001:db8::/64', '192.0.2.7')
    """
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped:
            return str(found.ipv4_mapped)
        return str(ip_network((found, 64), strict=False))
    return address


def seat_of(handler: RequestHandler) -> str:
    """The seat of the browser that asks; nothing if it has none yet."""
    return str(handler.get_signed_cookie(SEAT_COOKIE) or b"", "ascii")


def set_cookie(handler: Any, name: str, value: str, days: int | None = None) -> None:
    """Let a browser keep a signed word for our pages alone, until it is closed or for some days."""
    handler.set_signed_cookie(
        name,
        value,
        days,
        path=handler.base_url,
        httponly=True,
        samesite="Lax",
        secure=handler.request.protocol == "https",
    )


class VisitorKernelManager(AsyncMappingKernelManager):
    """Kernels of visitors, beside some that are kept for those who come.

    A page that is left says so, and its kernel ends. One that cannot say so, since the laptop
    was closed or the network failed, is missed after a while: its line to the kernel is cut.
    One that never opened a line is missed sooner: it may have been no page at all.
    """

    abandon_after = Float(60.0, config=True, help="seconds without a page before a kernel ends")
    arrive_within = Float(30.0, config=True, help="seconds for a page to be heard of")

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.context.set(zmq.MAX_SOCKETS, _SOCKETS)
        self.kept: set[str] = set()
        self.on_death: Callable[[str], object] = lambda kernel_id: None
        self._visitor_of: dict[str, Visitor] = {}
        self._arriving: Counter[Visitor] = Counter()
        self._connections: defaultdict[str, set[Connection]] = defaultdict(set)
        self._met: set[str] = set()  # kernels to which a page has been connected
        self._alone_since: dict[str, float] = {}

    # -- seats -----------------------------------------------------------------------------

    def seats(self) -> Counter[str]:
        """The seats that are taken, each with the pages that are open there or about to be."""
        here = (one for one in self.list_kernel_ids() if one not in self.kept)
        taken = Counter(self._visitor_of[one].seat for one in here if one in self._visitor_of)
        for visitor, pages in self._arriving.items():
            taken[visitor.seat] += pages
        return taken

    def expected(self, address: str) -> int:
        """The pages at an address that were sent and have not opened their line yet."""
        sent = (who for one, who in self._visitor_of.items() if one not in self._met)
        return sum(who.address == address for who in sent) + sum(
            pages for who, pages in self._arriving.items() if who.address == address
        )

    def admission(self, visitor: Visitor, most: int, pages_each: int = PAGES_EACH) -> Admission:
        """Whether a page may be opened: who has a seat, keeps it from page to page.

        Everybody at one address together may have a share of the seats on the way, so that
        somebody who only asks, and never plays, cannot take all of them.
        """
        seats = self.seats()
        if seats[visitor.seat]:
            return Admission.FREE if seats[visitor.seat] < pages_each else Admission.FULL
        if len(seats) >= most:
            return Admission.FULL
        share = max(_EXPECTED_LEAST, most // _EXPECTED_SHARE)
        return Admission.FREE if self.expected(visitor.address) < share else Admission.CROWDED

    @contextmanager
    def arrival(self, visitor: Visitor) -> Iterator[None]:
        """While somebody is served, the seat is taken, though there is no kernel yet."""
        self._arriving[visitor] += 1
        before = _VISITOR.set(visitor)
        try:
            yield
        finally:
            _VISITOR.reset(before)
            self._arriving -= Counter([visitor])

    # -- kernels ---------------------------------------------------------------------------

    async def start_kernel(self, *, keep: bool = False, **kwargs: Any) -> str:
        kernel_id = str(await super().start_kernel(**kwargs))
        self.add_restart_callback(kernel_id, partial(self._died, kernel_id), "dead")
        if keep:
            self.kept.add(kernel_id)
        else:
            self._give(kernel_id)
        return kernel_id

    async def hand_out(self, kernel_id: str) -> str:
        """A kernel that was kept is somebody's from now on."""
        self.kept.discard(kernel_id)
        self._give(kernel_id)
        self.get_kernel(kernel_id).last_activity = datetime.now(UTC)
        return kernel_id

    def _give(self, kernel_id: str) -> None:
        visitor = _VISITOR.get()
        self._visitor_of[kernel_id] = visitor if visitor.seat else Visitor(kernel_id, "")

    async def shutdown_kernel(self, kernel_id: str, now: bool = True, restart: bool = False) -> Any:
        """End a kernel at once: there is nothing in it that would have to be saved."""
        try:
            return await super().shutdown_kernel(kernel_id, now=True, restart=restart)
        finally:
            self._forget(kernel_id)

    async def shutdown_all(self, now: bool = True) -> None:
        await asyncio.gather(*map(self.end, self.list_kernel_ids()))

    async def end(self, kernel_id: str) -> None:
        """End a kernel, or find that it has ended: neither may keep others from ending."""
        try:
            await self.shutdown_kernel(kernel_id)
        except Exception as error:
            self.log.debug("kernel %s had ended already: %s", kernel_id, error)

    def _died(self, kernel_id: str) -> None:
        self._forget(kernel_id)
        self.on_death(kernel_id)

    def _forget(self, kernel_id: str) -> None:
        """Cut the connections of a kernel that is no more; its pages will tell their visitors."""
        self.kept.discard(kernel_id)
        self._met.discard(kernel_id)
        self._visitor_of.pop(kernel_id, None)
        self._alone_since.pop(kernel_id, None)
        for connection in self._connections.pop(kernel_id, ()):
            connection.close()

    async def cull_kernel_if_idle(self, kernel_id: str) -> None:
        if kernel_id not in self.kept:
            await super().cull_kernel_if_idle(kernel_id)

    # -- connections -----------------------------------------------------------------------

    def connection_opened(self, kernel_id: str, connection: Connection) -> None:
        self._met.add(kernel_id)
        self._connections[kernel_id].add(connection)

    def heard_from(self, seat: str) -> None:
        """A browser loads what its page is made of, and that may take a while: it is coming."""
        for kernel_id, visitor in self._visitor_of.items():
            if visitor.seat == seat and kernel_id not in self._met:
                self._alone_since.pop(kernel_id, None)

    def connection_closed(self, kernel_id: str, connection: Connection) -> None:
        if connections := self._connections.get(kernel_id):
            connections.discard(connection)

    async def watch(self) -> None:
        """End the kernels of those who have gone, for as long as the server runs."""
        shortest = min(self.arrive_within, self.abandon_after)
        while True:
            await asyncio.sleep(min(_LOOK_EVERY, shortest / 2))
            for kernel_id in self.abandoned(time.monotonic()):
                await self.end(kernel_id)

    def abandoned(self, now: float) -> list[str]:
        """Kernels to which no page has spoken for too long."""
        for kernel_id in self.list_kernel_ids():
            busy = self.get_kernel(kernel_id).execution_state == "busy"
            if kernel_id in self.kept or busy or self._connections.get(kernel_id):
                self._alone_since.pop(kernel_id, None)
            else:
                self._alone_since.setdefault(kernel_id, now)
        return [
            one for one, since in self._alone_since.items() if now - since > self._patience(one)
        ]

    def _patience(self, kernel_id: str) -> float:
        if kernel_id in self._met:
            return float(self.abandon_after)
        return float(min(self.arrive_within, self.abandon_after))
