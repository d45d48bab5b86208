"""On a connection of a socket as Streamlit makes it, what is written goes out at once."""

import asyncio
import socket
from typing import Any

from uvicorn import Config
from uvicorn.lifespan.on import LifespanOn
from uvicorn.server import ServerState

from vitviz.ui.server.gate.undelayed import send_undelayed


def test_a_connection_does_not_wait_for_acknowledgements() -> None:
    config = Config(lambda *_: None)
    config.load()
    assert asyncio.run(delays(config))  # the fault that is mended is still there
    send_undelayed(LifespanOn(config).receive)  # type: ignore[arg-type]
    assert not asyncio.run(delays(config))


async def delays(config: Config) -> bool:
    """Whether the server's end of a connection waits for them."""
    from streamlit.web.server.starlette.starlette_server import _bind_socket

    made: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    def protocol() -> asyncio.Protocol:
        its: Any = config.http_protocol_class(config=config, server_state=ServerState(), app_state={})  # type: ignore[call-arg]
        made.set_result(its)
        return its

    listening = _bind_socket("127.0.0.1", 0, 1)
    async with await asyncio.get_running_loop().create_server(protocol, sock=listening):
        _, writer = await asyncio.open_connection(*listening.getsockname()[:2])
        its = await made
        while its.transport is None:
            await asyncio.sleep(0)
        end = its.transport.get_extra_info("socket")
        delayed = not end.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        writer.close()
        await writer.wait_closed()
    return delayed
