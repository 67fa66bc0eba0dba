"""Who is here: a kernel for each open page, ended when its visitor has gone."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

import zmq
from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection
from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager
from traitlets import Float

LOOK_EVERY = 5.0  # seconds
PAGES_EACH = 12  # that somebody with a seat may have open
_SOCKETS = 1 << 14  # 0MQ allows a thousand unless told, and every page has five
#: The seat of whoever is being served: kernels that start meanwhile are theirs.
_SEAT: ContextVar[str] = ContextVar("seat", default="")


class VisitorKernelManager(AsyncMappingKernelManager):
    """Kernels of visitors, beside some that are kept for those who come.

    A page that is left says so, and its kernel ends. One that cannot say so, since the laptop
    was closed or the network failed, is missed after a while: its line to the kernel is cut.
    """

    abandon_after = Float(60.0, config=True, help="seconds without a page before a kernel ends")

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.context.set(zmq.MAX_SOCKETS, _SOCKETS)
        self.kept: set[str] = set()
        self._seat_of: dict[str, str] = {}
        self._arriving: Counter[str] = Counter()
        self._alone_since: dict[str, float] = {}

    def seats(self) -> Counter[str]:
        """The seats that are taken, each with the pages that are open there or about to be."""
        here = (one for one in self.list_kernel_ids() if one not in self.kept)
        return Counter(self._seat_of.get(one, one) for one in here) + self._arriving

    def has_room(self, seat: str, most: int) -> bool:
        """Whether a page may be opened at a seat: who has it, keeps it from page to page."""
        seats = self.seats()
        return seats[seat] < PAGES_EACH if seats[seat] else len(seats) < most

    @contextmanager
    def arrival(self, seat: str) -> Iterator[None]:
        """While somebody is served, the seat is taken, though there is no kernel yet."""
        self._arriving[seat] += 1
        before = _SEAT.set(seat)
        try:
            yield
        finally:
            _SEAT.reset(before)
            self._arriving -= Counter([seat])

    async def start_kernel(self, *, keep: bool = False, **kwargs: Any) -> str:
        kernel_id = str(await super().start_kernel(**kwargs))
        if keep:
            self.kept.add(kernel_id)
        else:
            self._seat_of[kernel_id] = _SEAT.get() or kernel_id
        return kernel_id

    async def hand_out(self, kernel_id: str) -> str:
        """A kernel that was kept is somebody's from now on."""
        self.kept.discard(kernel_id)
        self._seat_of[kernel_id] = _SEAT.get() or kernel_id
        self.get_kernel(kernel_id).last_activity = datetime.now(UTC)
        return kernel_id

    async def shutdown_kernel(self, kernel_id: str, now: bool = True, restart: bool = False) -> Any:
        """End a kernel at once: there is nothing in it that would have to be saved."""
        try:
            return await super().shutdown_kernel(kernel_id, now=True, restart=restart)
        finally:
            self._forget(kernel_id)

    async def shutdown_all(self, now: bool = True) -> None:
        await asyncio.gather(*map(self._end, self.list_kernel_ids()))

    async def _end(self, kernel_id: str) -> None:
        """End a kernel, or find that it has ended: neither may keep others from ending."""
        try:
            await self.shutdown_kernel(kernel_id)
        except Exception as error:
            self.log.debug("kernel %s had ended already: %s", kernel_id, error)

    def _handle_kernel_died(self, kernel_id: str) -> None:
        super()._handle_kernel_died(kernel_id)
        self._forget(kernel_id)

    def _forget(self, kernel_id: str) -> None:
        """Cut the line to pages of a kernel that is no more; they will tell their visitors."""
        self.kept.discard(kernel_id)
        self._seat_of.pop(kernel_id, None)
        self._alone_since.pop(kernel_id, None)
        for line in list(ZMQChannelsWebsocketConnection._open_sockets):
            if line.kernel_id == kernel_id:
                line.websocket_handler.close()

    async def cull_kernel_if_idle(self, kernel_id: str) -> None:
        if kernel_id not in self.kept:
            await super().cull_kernel_if_idle(kernel_id)

    async def watch(self) -> None:
        """End the kernels of those who have gone, for as long as the server runs."""
        while True:
            await asyncio.sleep(min(LOOK_EVERY, self.abandon_after / 2))
            for kernel_id in self.abandoned(time.monotonic()):
                await self._end(kernel_id)

    def abandoned(self, now: float) -> list[str]:
        """Kernels to which no page has spoken for too long."""
        for kernel_id in self.list_kernel_ids():
            busy = self.get_kernel(kernel_id).execution_state == "busy"
            if kernel_id in self.kept or busy or self._kernel_connections.get(kernel_id, 0):
                self._alone_since.pop(kernel_id, None)
            else:
                self._alone_since.setdefault(kernel_id, now)
        return [one for one, since in self._alone_since.items() if now - since > self.abandon_after]
