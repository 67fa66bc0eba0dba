"""A password for all visitors, asked for once in each browser."""

from __future__ import annotations

import hmac
import time
from collections import defaultdict, deque
from typing import Any

from jupyter_server.auth.decorator import allow_unauthenticated
from jupyter_server.auth.identity import IdentityProvider, User
from traitlets import Unicode
from voila.handler import BaseVoilaHandler

_COOKIE = "castlelab-visitor"
_DAYS = 1
_TRIES, _WITHIN = 10, 60.0  # wrong passwords from one address, in seconds


class Doorkeeper(IdentityProvider):
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
    """Counts wrong passwords, so that nobody can try them all."""

    def __init__(self, most: int = _TRIES, within: float = _WITHIN) -> None:
        self._most, self._within = most, within
        self._wrong: defaultdict[str, deque[float]] = defaultdict(deque)

    def wait(self, address: str, now: float) -> float:
        """The seconds until this address may try again; zero if it may now."""
        wrong = self._wrong[address]
        while wrong and now - wrong[0] >= self._within:
            wrong.popleft()
        if not wrong:
            del self._wrong[address]
        return self._within - (now - wrong[0]) if len(wrong) >= self._most else 0.0

    def failed(self, address: str, now: float) -> None:
        self._wrong[address].append(now)


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
    def post(self) -> None:
        now, address = time.monotonic(), self.request.remote_ip or ""
        if wait := self.tries.wait(address, now):
            self.set_status(429)
            self.set_header("Retry-After", str(int(wait) + 1))
            self.ask(f"Too many wrong passwords. Try again in {int(wait) + 1} seconds.")
        elif hmac.compare_digest(
            self.get_body_argument("password", "", strip=False).encode(),
            self.identity_provider.password.encode(),
        ):
            secure = self.request.protocol == "https"
            self.set_signed_cookie(
                _COOKIE, "in", _DAYS, httponly=True, samesite="Lax", secure=secure
            )
            self.redirect(self.wanted())
        else:
            self.tries.failed(address, now)
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
