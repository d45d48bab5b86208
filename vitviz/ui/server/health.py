"""The health check: 503 before the server runs out of files to open, or without its engine, as Streamlit's is not."""

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from vitviz.numbers import exact
from vitviz.ui.server import open_files
from vitviz.ui.server.client import engine

HEALTH = "/_stcore/health"
FREE = 1 / 16  # of the files that may be open; sessions that were cut off have made room long before


class TellHealth:
    """Middleware that answers the health check with 503 and a sentence where something is wrong."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        is_health = scope["type"] == "http" and scope["path"].endswith(HEALTH)
        if is_health and (wrong := complaint()):
            await PlainTextResponse(wrong, 503, {"Cache-Control": "no-cache"})(scope, receive, send)
        else:
            await self._app(scope, receive, send)


def complaint() -> str:
    """What is wrong with the server and what to do about it, or nothing."""
    if trouble := engine().trouble():
        return f"{trouble}\n"
    if open_files.free_share() >= FREE:
        return ""
    there, limit = exact(open_files.open_now()), exact(int(open_files.limit()))
    return f"{there} of {limit} files and connections are open; start the server with a higher limit, `ulimit -n`\n"
