"""Streamlit's own scripts and styles, a page's two megabytes, in a quarter of the bytes: it serves them as they lie.

Each is compressed when it is first asked for, and kept: its name holds a digest of what is in it. A proxy that
compresses, as `deploy/nginx.conf` does, passes these on as they are.
"""

import asyncio
import gzip

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

FOLDER = "/static/"
KINDS = (".js", ".css")
WHOLE = ("content-length", "etag", "last-modified", "accept-ranges")  # what is said of the file as it lies


class CompressFiles:
    """Middleware that answers for a file which browsers take compressed."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._responses: dict[str, Response] = {}
        self._making = asyncio.Lock()  # two hundred who ask at once wait for one

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http" or scope["method"] != "GET" or not _is_compressible(scope):
            await self._app(scope, receive, send)
            return
        path = scope["path"]
        async with self._making:
            answer = self._responses.get(path) or await self._read(scope)
            if "content-encoding" in answer.headers:
                self._responses[path] = answer
        await answer(scope, receive, send)

    async def _read(self, scope: Scope) -> Response:
        """What the app answers; compressed, where that is a file of its own and no other page.

        It is for all: the app is not told when the one who asks hangs up, since then it ends what it has begun to say.
        """
        start: Message = {}
        body: list[bytes] = []
        requests: list[Message] = [{"type": "http.request", "body": b"", "more_body": False}]

        async def ask() -> Message:
            return requests.pop() if requests else await asyncio.Future()

        async def read(message: Message) -> None:
            start.update(message if message["type"] == "http.response.start" else {})
            body.append(message.get("body", b""))

        await self._app(scope, ask, read)
        content, headers = b"".join(body), MutableHeaders(raw=start["headers"])
        kind = headers.get("content-type", "")
        if start["status"] == 200 and ("javascript" in kind or "css" in kind):
            content = await asyncio.to_thread(gzip.compress, content, 9, mtime=0)
            for name in WHOLE:
                del headers[name]
            headers.update({"content-encoding": "gzip", "content-length": str(len(content))})
            headers.add_vary_header("accept-encoding")
        answer = Response(content, start["status"])
        answer.raw_headers = headers.raw
        return answer


def _is_compressible(scope: Scope) -> bool:
    """Whether a whole file is asked for by somebody who takes it compressed."""
    headers, path = Headers(scope=scope), scope["path"]
    whole = not {"range", "if-none-match", "if-modified-since"} & set(headers)
    return FOLDER in path and path.endswith(KINDS) and whole and "gzip" in headers.get("accept-encoding", "")
