"""A password for all visitors, asked for once in each browser."""

from __future__ import annotations

import asyncio
import hmac
import time
from collections import deque
from typing import Any

from jupyter_server.auth.decorator import allow_unauthenticated
from jupyter_server.auth.identity import IdentityProvider, User
from traitlets import Unicode
from voila.handler import BaseVoilaHandler

from castlelab.server.visitors import neighbourhood, set_cookie

_COOKIE = "castlelab-visitor"
_DAYS = 1
_FREE, _WITHIN = 5, 600.0  # wrong passwords from one address in so many seconds, answered at once
_PAUSE, _HELD = 10.0, 3  # seconds that others are held back, and how many at the same time
#: How often somebody at one address can guess.
PER_HOUR = int(3600 / _PAUSE * _HELD + 3600 / _WITHIN * _FREE)


class PasswordIdentity(IdentityProvider):
    """Lets everybody in, or whoever knows the password."""

    password = Unicode("", config=True, help="what visitors have to know; empty for nothing")

    @property
    def auth_enabled(self) -> bool:
        return bool(self.password)

    def get_user(self, handler: Any) -> User | None:
        if self.auth_enabled and not handler.get_signed_cookie(_COOKIE, max_age_days=_DAYS):
            return None
        return User("visitor")

    def get_handlers(self) -> list[tuple[str, object]]:
        return []  # the server has a page of its own for that


class Tries:
    """Slows down whoever tries passwords, and nobody else behind the same address.

    A few wrong ones are answered at once. After them the answer to each wrong one is held back,
    and only some can be held at the same time; who comes then is told to wait some seconds. The
    right one is never held back: a school behind one address gets in although a pupil guesses.

    >>> f"{PER_HOUR:,} tries an hour"
    '1,110 tries an hour'
    """

    def __init__(
        self, free: int = _FREE, within: float = _WITHIN, pause: float = _PAUSE, held: int = _HELD
    ) -> None:
        self._free, self._within, self._pause, self._most_held = free, within, pause, held
        self._wrong: dict[str, deque[float]] = {}  # when, by address
        self._held: dict[str, deque[float]] = {}  # until when
        self._tidied = 0.0

    def wait(self, address: str, now: float) -> float:
        """The seconds until this address may try again; zero if it may now."""
        held = _later_than(self._held.get(address, deque()), now)
        return held[0] - now if len(held) >= self._most_held else 0.0

    def failed(self, address: str, now: float) -> float:
        """Note a wrong password; returns the seconds for which the answer is held back."""
        self._tidy(now)
        wrong = _later_than(self._wrong.setdefault(address, deque()), now - self._within)
        wrong.append(now)
        if len(wrong) <= self._free:
            return 0.0
        # It counts as held to the end, even if the visitor hangs up before.
        self._held.setdefault(address, deque()).append(now + self._pause)
        return self._pause

    def _tidy(self, now: float) -> None:
        """Forget addresses that have been quiet, so that many of them take no memory."""
        if now - self._tidied < self._within:
            return
        self._tidied = now
        for book, oldest in ((self._wrong, now - self._within), (self._held, now)):
            for address in [one for one, times in book.items() if not _later_than(times, oldest)]:
                del book[address]


def _later_than(times: deque[float], moment: float) -> deque[float]:
    """The times after a moment; the others are dropped."""
    while times and times[0] <= moment:
        times.popleft()
    return times


class PasswordHandler(BaseVoilaHandler):
    """Asks for the password."""

    def initialize(self, tries: Tries, **kwargs: Any) -> None:
        super().initialize(**kwargs)
        self.tries = tries

    @allow_unauthenticated
    def get(self) -> None:
        if self.current_user:
            self.redirect(self.wanted())
        else:
            self.ask("")

    @allow_unauthenticated
    async def post(self) -> None:
        now, address = time.monotonic(), neighbourhood(self.request.remote_ip or "")
        if wait := self.tries.wait(address, now):
            self.set_status(429)
            seconds = int(wait) + 1
            self.set_header("Retry-After", str(seconds))
            self.ask(f"Somebody where you are tries passwords. Try again in {seconds} seconds.")
        elif hmac.compare_digest(
            self.get_body_argument("password", "", strip=False).encode(),
            self.identity_provider.password.encode(),
        ):
            set_cookie(self, _COOKIE, "in", _DAYS)
            self.redirect(self.wanted())
        else:
            await asyncio.sleep(self.tries.failed(address, now))
            self.set_status(403)
            self.ask("That is not the password. Ask whoever gave you this address.")

    def ask(self, told: str) -> None:
        self.set_header("Cache-Control", "no-store")
        self.write(self.render_template("password.html", told=told, wanted=self.wanted()))

    def wanted(self) -> str:
        """The page that was asked for; never one of another server."""
        page = self.get_argument("next", self.base_url)
        local = page.startswith(self.base_url) and page[1:2] not in ("/", "\\")
        return str(page if local and page.isprintable() else self.base_url)
