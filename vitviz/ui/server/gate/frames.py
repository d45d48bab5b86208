"""Frames and bytes of every WebSocket, Streamlit's and the lecture's: a connection that sends too many is closed.

Limits of messages say nothing of frames: a message may have endlessly many fragments, of no bytes at all, and each ping
wants a pong. So they are counted where uvicorn reads them, before the app hears of anything.
"""

import logging
from typing import Any

from starlette.types import Receive
from uvicorn.lifespan.on import LifespanOn
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from vitviz.lecture.rooms.limits import Bucket
from vitviz.numbers import exact

FRAMES = 100  # a second: a hand on a slider makes 60 at most, a lecturer 30
BYTES = 1_000_000  # a second; files do not come this way
BURST = 4.0  # seconds' worth of both that may come at once
READ = 2_000  # bytes that a read counts for at least: one byte at a time costs as much
SLICE = 1_024  # bytes between two counts; they hold 170 frames of nothing
PONGS = 100  # that a connection may leave unread
POLICY = 1008  # the code with which a connection is closed that is over its budget
PENALTY = 1.0  # seconds for which such a connection stays, unread: enough to hear why, and time until it can come back

_LOG = logging.getLogger(__name__)


class CountedWebSocket(WebSocketsSansIOProtocol):
    """uvicorn's end of a WebSocket, with a budget of frames and bytes a second."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._frames, self._bytes = Bucket(FRAMES, BURST), Bucket(BYTES, BURST)
        self._unread = 0  # pongs since all that was written had gone out
        self._is_over = False

    def data_received(self, data: bytes) -> None:
        """What was read, in slices, as one read may hold forty thousand frames."""
        if not self._bytes.take(self.loop.time(), max(len(data), READ)):
            self._close(f"more than {exact(BYTES)} bytes a second")
        for start in range(0, len(data), SLICE):
            if self._is_over:
                self.transport.pause_reading()
                return
            super().data_received(data[start : start + SLICE])

    def handle_events(self) -> None:
        """The frames of a slice, unless they are too many."""
        if self._frames.take(self.loop.time(), len(self.conn.events)):
            super().handle_events()
        else:
            self._close(f"more than {FRAMES} frames a second")

    def handle_ping(self) -> None:
        """Answer it, as long as the answers are read."""
        super().handle_ping()
        self._unread = self._unread + 1 if self.transport.get_write_buffer_size() else 0
        if self._unread > PONGS:
            self._close(f"more than {PONGS} pongs were not read")

    def _close(self, sentence: str) -> None:
        """Say why, tell the app that nobody is there any more, and hang up after the penalty."""
        if self._is_over:
            return
        self._is_over = self.disconnected = True
        _LOG.warning("A connection was closed: %s", sentence)
        if self.handshake_complete:
            self.conn.fail(POLICY, sentence)
            self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.queue.put_nowait({"type": "websocket.disconnect", "code": POLICY, "reason": sentence})
        if self.close_timer:
            self.close_timer.cancel()
        self.close_timer = self.loop.call_later(PENALTY, self.transport.abort)


def count_frames(receive: Receive) -> None:
    """Have the uvicorn that starts an app count; `receive` is that of its lifespan, before anybody is let in.

    `streamlit run` names uvicorn's protocol itself and has no setting for another.
    """
    server = getattr(receive, "__self__", None)
    if isinstance(server, LifespanOn):
        server.config.ws_protocol_class = CountedWebSocket
