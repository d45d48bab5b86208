"""Old links, redirected."""

from urllib.parse import parse_qsl, urlencode

from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from vitviz.addresses.old import page_now, translated


class OldLinks:
    """Middleware that redirects; the browser's history then holds the address of today only, and Back is exact."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        words = parse_qsl(scope.get("query_string", b"").decode("latin-1"), keep_blank_values=True)
        name = scope.get("path", "").rpartition("/")[2]
        page, now = page_now(name), translated(words)
        if scope["type"] == "http" and (page, now) != (name, words):
            await RedirectResponse(f"{page}?{urlencode(now)}")(scope, receive, send)
        else:
            await self._app(scope, receive, send)
