"""A random id for every browser, in a cookie: uploaded pictures are given back to the same browser only."""

import secrets

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "vitviz_browser"
NOT_MODIFIED = 304


class NameBrowsers:
    """Middleware that sets the cookie with each page: HttpOnly, SameSite=Lax."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http" or COOKIE in HTTPConnection(scope).cookies:
            await self._app(scope, receive, send)
            return

        async def name(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                unchanged = message["status"] == NOT_MODIFIED  # a page that the browser has kept; the cookie it has not
                if unchanged or headers.get("content-type", "").startswith("text/html"):
                    headers.append("set-cookie", _cookie(secure=scope["scheme"] == "https"))
            await send(message)

        await self._app(scope, receive, name)


def _cookie(secure: bool) -> str:
    return f"{COOKIE}={secrets.token_urlsafe(18)}; Path=/; HttpOnly; SameSite=Lax" + ("; Secure" if secure else "")
