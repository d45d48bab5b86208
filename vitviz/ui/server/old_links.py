"""Links from when the texts of buttons stood in them: who opens one is sent to the same view's address of today."""

from urllib.parse import parse_qsl, urlencode

from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

TODAY = {("shows", "looks at"): "row", ("shows", "is looked at by"): "column", ("scale", "per head"): "own"}


class OldLinks:
    """Middleware that redirects; the browser's history then holds the address of today only, and Back is exact."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        asked = parse_qsl(scope.get("query_string", b"").decode("latin-1"), keep_blank_values=True)
        if scope["type"] == "http" and any(parameter in TODAY for parameter in asked):
            now = urlencode([(key, TODAY.get((key, text), text)) for key, text in asked])
            await RedirectResponse(f"?{now}")(scope, receive, send)
        else:
            await self._app(scope, receive, send)
