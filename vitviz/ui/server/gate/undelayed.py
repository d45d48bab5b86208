"""No answer waits for an acknowledgement of the one before: Nagle's algorithm is switched off on every connection.

With it a small packet is held back while one before it is under way, and a browser says up to 40 ms late that it has
come: a head and its body, two messages of a script. asyncio switches it off only on a socket that names its protocol,
and Streamlit's names none.
"""

import asyncio
import socket

from starlette.types import Receive
from uvicorn.lifespan.on import LifespanOn

TCP = (socket.AF_INET, socket.AF_INET6)


class Undelayed(asyncio.Protocol):
    """Before uvicorn's end of a connection, which a WebSocket takes over as it is."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Switch it off; a socket that is a file has none."""
        its = transport.get_extra_info("socket")
        if its.family in TCP:
            its.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        super().connection_made(transport)


def send_undelayed(receive: Receive) -> None:
    """Have the uvicorn that starts an app send at once; `receive` is that of its lifespan, before anybody is let in."""
    server = getattr(receive, "__self__", None)
    if isinstance(server, LifespanOn):
        ours = type("UndelayedProtocol", (Undelayed, server.config.http_protocol_class), {})
        server.config.http_protocol_class = ours
