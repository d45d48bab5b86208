"""The lecture's WebSocket: who comes says so first, and whoever breaks a rule is told which, and dropped."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import suppress
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.routing import WebSocketRoute
from starlette.types import Receive, Scope, Send

from vitviz.lecture.rooms import messages
from vitviz.lecture.rooms.limits import CONNECTIONS, HELLO, LONG, PER_SECOND, POINTER_PER_SECOND, SHORT, Bucket
from vitviz.lecture.rooms.messages import Hello
from vitviz.lecture.rooms.places import Places
from vitviz.lecture.rooms.shapes import MessageError
from vitviz.ui.server.lecture.connection import Connection
from vitviz.ui.server.lecture.hub import NO_RIGHT, TOO_MANY, Gathering, Hub, RefusedError, take_place
from vitviz.ui.server.lecture.origin import origin

BAD, SLOW = 4400, 4408
ELSEWHERE = 404  # for the proxy, which then asks the next server
CODE = re.compile("[BCDFGHJKLMNPQRSTVWXZ]{4}([BCDFGHJKLMNPQRSTVWXZ]{2})?")


class LectureSocket:
    """An ASGI application: one call is one browser in one room, for as long as it stays."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._places: Places[Connection] = Places()  # of all but lecturers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One connection."""
        await receive()  # what announces it
        code = scope["path_params"]["code"]
        if not (CODE.fullmatch(code) and is_ours(Headers(scope=scope))):
            await send({"type": "websocket.close"})  # 403, before anything is accepted
            return
        if self._hub.has_another(code):
            await send({"type": "websocket.http.response.start", "status": ELSEWHERE, "headers": []})
            await send({"type": "websocket.http.response.body", "body": b"another server has this room\n"})
            return
        connection = Connection(receive, send, origin(scope))
        await send({"type": "websocket.accept"})
        connection.take_at_most(LONG)
        try:
            take_place(self._places, connection, CONNECTIONS, "server")
            await self._stay(code, connection, receive)
        except MessageError as bad:
            connection.close(BAD, str(bad))
        except RefusedError as refused:
            await asyncio.sleep(refused.after)
            connection.close(refused.code, str(refused))
        except TimeoutError:
            connection.close(SLOW, f"nothing was said for {HELLO:g} seconds")
        finally:
            self._places.leave(connection)
        await connection.closed()

    async def _stay(self, code: str, connection: Connection, receive: Receive) -> None:
        texts = _texts(receive)
        with suppress(StopAsyncIteration):
            async with asyncio.timeout(HELLO):
                first = await anext(texts)
            hello = messages.hello(first)
            gathering = self._hub.come(code, connection, hello)
            if hello.leads:
                self._places.leave(connection)
            connection.take_at_most(LONG if hello.leads else SHORT)
            try:
                await _listen(texts, gathering, connection, hello)
            finally:
                gathering.leave(connection)


async def _listen(texts: AsyncIterator[str], gathering: Gathering, connection: Connection, hello: Hello) -> None:
    loop = asyncio.get_running_loop()
    usual, pointer = Bucket(PER_SECOND), Bucket(POINTER_PER_SECOND)
    async for text in texts:
        word, value = messages.read_message(text)
        points = word == "pointer" and hello.leads
        if not (pointer if points else usual).take(loop.time()):
            raise RefusedError(TOO_MANY, f"more than {PER_SECOND} messages a second")
        if hello.leads and word != messages.VOTE:
            gathering.lead(connection, word, value)
        elif hello.leads or word != messages.VOTE:
            raise RefusedError(NO_RIGHT, "this browser follows" if not hello.leads else "who leads does not vote")
        else:
            gathering.vote(connection, value)


async def _texts(receive: Receive) -> AsyncIterator[str]:
    """The messages of a browser until it hangs up."""
    while (message := await receive())["type"] == "websocket.receive":
        if (text := message.get("text")) is None:
            raise MessageError("a message is text")
        yield text


def is_ours(headers: Headers) -> bool:
    """Whether a page of this very site opens the connection."""
    host = headers.get("host", "")
    origin = urlsplit(headers.get("origin", ""))
    return origin.scheme in ("http", "https") and bool(host) and origin.netloc == host


ROUTES = [WebSocketRoute("/{folder:path}lecture/socket/{code}", LectureSocket(Hub()))]
