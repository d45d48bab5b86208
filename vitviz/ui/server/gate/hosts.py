"""The names under which this server is known: whoever asks it for another one is refused, and lines of other sites.

A page of a stranger's may let its own name lead to this machine, after it was loaded (DNS rebinding); the browser then
takes both for one site. An address says for itself where it leads, so addresses are let in.
"""

import logging
import socket
from functools import cache
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import config
from streamlit.web.server.starlette import starlette_websocket
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

from vitviz.shown import quoted

SETTING = "STREAMLIT_SERVER_ALLOWED_HOSTS"
FORBIDDEN, MISDIRECTED = 403, 421

_LOG = logging.getLogger(__name__)


class KnownHosts:
    """Middleware that refuses, with a sentence, other names than this server's and lines from pages of other sites."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        # Streamlit's own line would answer the names of the list alone, and pages at an address would wait for ever.
        starlette_websocket.is_host_allowed = lambda host: True

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or one line."""
        headers = Headers(scope=scope) if scope["type"] in ("http", "websocket") else Headers()
        host, origin = headers.get("host", ""), headers.get("origin", "")
        if host and not is_known(host):  # no browser leaves it out
            status = MISDIRECTED
            why_not = f"this server is not known as “{quoted(host)}”; whoever runs it lists its names in {SETTING}"
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


@cache
def _own() -> frozenset[str]:
    """What this machine is called in its own network, and by Streamlit's settings."""
    machine = socket.gethostname()
    set_ = (config.get_option(name) or "" for name in ("server.address", "browser.serverAddress"))
    return frozenset(it.lower() for it in ("localhost", machine, f"{machine}.local", *set_) if it)
