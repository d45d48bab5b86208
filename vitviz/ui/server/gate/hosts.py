"""The names under which this server is known: whoever asks it for another one is refused.

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
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

from vitviz.shown import quoted

SETTING = "STREAMLIT_SERVER_ALLOWED_HOSTS"
MISDIRECTED = 421

_LOG = logging.getLogger(__name__)


class KnownHosts:
    """Middleware that answers whoever asks for a name that is not this server's with 421 and a sentence."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or one line."""
        host = Headers(scope=scope).get("host", "") if scope["type"] in ("http", "websocket") else ""
        if not host or is_known(host):  # no browser leaves it out
            await self._app(scope, receive, send)
            return
        why_not = f"this server is not known as “{quoted(host)}”; whoever runs it lists its names in {SETTING}"
        _LOG.warning("Refused: %s", why_not)
        await PlainTextResponse(f"{why_not}\n", MISDIRECTED)(scope, receive, send)


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


@cache
def _own() -> frozenset[str]:
    """What this machine is called in its own network, and by Streamlit's settings."""
    machine = socket.gethostname()
    set_ = (config.get_option(name) or "" for name in ("server.address", "browser.serverAddress"))
    return frozenset(it.lower() for it in ("localhost", machine, f"{machine}.local", *set_) if it)
