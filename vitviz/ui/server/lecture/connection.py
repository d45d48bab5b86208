"""The connection to one browser: it is told the newest, nobody waits for it, and it is cut where it takes nothing.

Written straight to uvicorn's transport, the same frame to all: two hundred cost a fifth of what awaiting each costs.
"""

import asyncio
import socket
from contextlib import suppress
from typing import Any

from starlette.types import Receive, Send
from websockets.frames import Frame, Opcode

from vitviz.lecture.rooms.limits import SLOW
from vitviz.lecture.rooms.places import Origin

LOOK = 0.05  # seconds until it is looked again whether a slow browser has taken what it was sent
FAREWELL = 1.0  # seconds in which a browser may hear why it is dropped
UNREAD = 65_536  # bytes that the system keeps for a browser that does not read; megabytes if it is not told
SENTENCE = 120  # bytes of a reason; a frame that closes has room for 123
REPLACES = {"state": ("view", "pointer")}  # what need not be told any more beside it


def frame(text: str) -> bytes:
    """A message as it goes over the connection."""
    return bytes(Frame(Opcode.TEXT, text.encode()).serialize(mask=False))


class Connection:
    """One browser's connection, and where it comes from; `receive` and `send` are uvicorn's."""

    def __init__(self, receive: Receive, send: Send, origin: Origin) -> None:
        self.origin = origin
        self._protocol: Any = receive.__self__  # type: ignore[attr-defined]
        self._send = send
        self._waiting: dict[str, bytes] = {}  # by word, at most one of each
        self._closing: asyncio.Task[None] | None = None
        self._protocol.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNREAD)

    def take_at_most(self, nbytes: int) -> None:
        """Refuse longer messages, with code 1009, before they are read."""
        self._protocol.conn.max_message_size = nbytes

    def tell(self, word: str, framed: bytes) -> None:
        """Send a message now, or, where the browser is slow, the newest of its word as soon as it can take it."""
        if self._closing or self._protocol.close_sent or self._protocol.transport.is_closing():
            return
        if not self._waiting and not self._is_behind():
            self._protocol.transport.write(framed)
            return
        if not self._waiting:
            self._look_later(asyncio.get_running_loop().time() + SLOW)
        for older in (word, *REPLACES.get(word, ())):
            self._waiting.pop(older, None)
        self._waiting[word] = framed

    def close(self, code: int, sentence: str) -> None:
        """Say what waits, and why, and hang up, whether that is heard or not."""
        if not self._closing:
            if self._waiting:  # that the room is over, it may be, and nobody will say so again
                self._protocol.transport.write(b"".join(self._waiting.values()))
            self._waiting.clear()
            self._closing = asyncio.create_task(self._close(code, sentence[:SENTENCE]))

    async def closed(self) -> None:
        """Wait until `close` has hung up, where it was called."""
        if self._closing:
            await self._closing

    def _abort(self) -> None:
        self._waiting.clear()
        self._protocol.transport.abort()

    async def _close(self, code: int, sentence: str) -> None:
        with suppress(OSError, RuntimeError, TimeoutError):  # it has hung up itself, or takes nothing
            async with asyncio.timeout(FAREWELL):
                await self._send({"type": "websocket.close", "code": code, "reason": sentence})
        loop = asyncio.get_running_loop()
        until = loop.time() + FAREWELL
        while loop.time() < until and not self._protocol.transport.is_closing():
            await asyncio.sleep(LOOK)
        self._protocol.transport.abort()

    def _is_behind(self) -> bool:
        return bool(self._protocol.transport.get_write_buffer_size())

    def _look_later(self, until: float) -> None:
        asyncio.get_running_loop().call_later(LOOK, self._look, until)

    def _look(self, until: float) -> None:
        loop = asyncio.get_running_loop()
        if self._protocol.transport.is_closing():
            self._waiting.clear()
        elif not self._is_behind():
            self._protocol.transport.write(b"".join(self._waiting.values()))
            self._waiting.clear()
        elif self._waiting and loop.time() < until:
            self._look_later(until)
        else:
            self._abort()
