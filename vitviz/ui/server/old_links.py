"""Old links, redirected: the one place that knows what parameters and their values were once called.

Names of parameters changed when the board came, and the texts of buttons stood in links before that.
"""

from collections.abc import Sequence
from urllib.parse import parse_qsl, urlencode

from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

NAMES = {"patch": "query", "number": "component", "step": "moment"}
VALUES = {
    ("shows", "looks at"): "row",
    ("shows", "is looked at by"): "column",
    ("scale", "per head"): "own",
    ("mean", "true"): "1",
    ("moment", "Residual stream"): "1",
    ("moment", "Layer norm"): "2",
    ("moment", "Activation"): "3",
    ("moment", "Similarity"): "4",
}
MOVED = {("positions", "off"): "placed", ("positions", "shuffled"): "placed"}  # "positions" is a model's kind of them
GONE = ("pinned",)
OF_LESSON = ("lesson", "room")  # beside these, "step" is that of a lesson

Parameters = Sequence[tuple[str, str]]


def translated(asked: Parameters) -> list[tuple[str, str]]:
    """The parameters of a link as they are called today; where old and new name are given, the new one holds."""
    given = {name for name, _ in asked}
    names = {old: new for old, new in NAMES.items() if old != "step" or given.isdisjoint(OF_LESSON)}
    kept = [(name, text) for name, text in asked if name not in GONE and names.get(name) not in given]
    renamed = [(names.get(name) or MOVED.get((name, text), name), text) for name, text in kept]
    return [(name, VALUES.get((name, text), text)) for name, text in renamed]


class OldLinks:
    """Middleware that redirects; the browser's history then holds the address of today only, and Back is exact."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        asked = parse_qsl(scope.get("query_string", b"").decode("latin-1"), keep_blank_values=True)
        now = translated(asked)
        if scope["type"] == "http" and now != asked:
            await RedirectResponse(f"?{urlencode(now)}")(scope, receive, send)
        else:
            await self._app(scope, receive, send)
