"""The names under which this server is known: whoever asks it for another one is refused, and lines of other sites.

A page of a stranger's may let its own name lead to this machine, after it was loaded (DNS rebinding); the browser then
takes both for one site. An address says for itself where it leads, so addresses are let in.
"""

import logging
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from ipaddress import ip_address
from threading import Lock, Thread
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import config

from vitviz.shown import quoted
from vitviz.ui.private import is_host_allowed, starlette_websocket

SETTING = "STREAMLIT_SERVER_ALLOWED_HOSTS"
FORBIDDEN, MISDIRECTED = 403, 421
MINUTE = 60.0  # seconds

_LOG = logging.getLogger(__name__)


class KnownHosts:
    """Middleware that refuses, with a sentence, other names than this server's and lines from pages of other sites."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        _FULL_NAME.last()  # looked up before somebody comes
        # Streamlit's own line would answer the names of the list alone, and pages at an address would wait for ever.
        starlette_websocket.is_host_allowed = lambda host: True

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or one line."""
        headers = Headers(scope=scope) if scope["type"] in ("http", "websocket") else Headers()
        host, origin = headers.get("host", ""), headers.get("origin", "")
        if host and not is_known(host):  # no browser leaves it out
            status = MISDIRECTED
            name = quoted(_name(host)) or "its.name"
            why_not = (
                f"this server is not known as “{quoted(host)}”; "
                f"if that is a name of it, whoever runs it starts it with {SETTING}={name}"
            )
        elif scope["type"] == "websocket" and origin and is_foreign(origin, host):
            status = FORBIDDEN
            why_not = f"a page of “{quoted(origin)}” may open no line here"
        else:
            await self._app(scope, receive, send)
            return
        _LOG.warning("Refused: %s", why_not)
        await PlainTextResponse(f"{why_not}\n", status)(scope, receive, send)


def is_foreign(origin: str, host: str) -> bool:
    """Whether a page of another site asks: not of this host, this machine or the settings.

    Streamlit refuses those, too, but first asks the internet for its own address, and everybody waits.
    """
    there = origin.partition("://")[2]
    if there == host or not config.get_option("server.enableCORS"):
        return False
    name = _name(there)
    allowed = config.get_option("server.corsAllowedOrigins")
    return not (name in _own() or _is_loopback(name) or origin.rstrip("/") in {it.rstrip("/") for it in allowed})


def is_known(host: str) -> bool:
    """Whether a Host header names this server: an address, this machine's own name, or one of the settings."""
    name = _name(host)
    return (
        _is_address(name)
        or name in _own()
        or (bool(config.get_option("server.allowedHosts")) and is_host_allowed(host))
    )


def _name(host: str) -> str:
    """The name without its port; "" where it is none."""
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port  # raises where it is no number
    except ValueError:
        return ""
    return (parts.hostname or "").rstrip(".") if parts.netloc == host and "@" not in host else ""


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _is_loopback(name: str) -> bool:
    return _is_address(name) and ip_address(name).is_loopback


class FullName:
    """This machine's name with its network's, as the network tells it.

    The network may take seconds to say so, or never; it is asked once a minute at most, beside whoever comes, because a
    laptop goes from one to another. Until it has answered, its last answer holds.
    """

    def __init__(self, ask: Callable[[], str] = socket.getfqdn, now: Callable[[], float] = time.monotonic) -> None:
        self._ask, self._now = ask, now
        self._answer, self._time_asked = "", -MINUTE
        self._asking = Lock()

    def last(self) -> str:
        """The last answer, at once; "" before the first."""
        if self._now() - self._time_asked >= MINUTE and self._asking.acquire(blocking=False):
            self._time_asked = self._now()
            Thread(target=self._look_up, name="own name", daemon=True).start()
        return self._answer

    def _look_up(self) -> None:
        try:
            with suppress(OSError, UnicodeError):  # where this machine's name is none for a network
                self._answer = self._ask()
        finally:
            self._asking.release()


_FULL_NAME = FullName()


def _own() -> set[str]:
    """What this machine is called in its networks, and by Streamlit's settings.

    A Mac that has its name from a router (anna.fritz.box) still calls itself by the first word of it (anna.local). A
    network that calls this machine by another first word is not believed: it could be a stranger's page.
    """
    machine = socket.gethostname().rstrip(".")
    short = machine.partition(".")[0]
    full = _FULL_NAME.last().rstrip(".")
    full = full if full.lower().startswith(f"{short}.".lower()) else ""
    set_ = (config.get_option(name) or "" for name in ("server.address", "browser.serverAddress"))
    names = ("localhost", machine, short, f"{short}.local", full, *set_)
    return {it.lower() for it in names if it}
