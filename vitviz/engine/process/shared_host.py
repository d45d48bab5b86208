"""The process of an engine that several web processes share, at a socket in a folder that is this user's alone.

    python -m vitviz.engine.process.shared_host /run/user/1000/vitviz/engine.sock

Equal requests of all of them are computed once, and its budget holds for all. Whoever hangs up, sends what is no
message or reads nothing for too long is dropped, and the others notice nothing.
"""

import json
import signal
import socket
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from vitviz.engine.process.host import Host, end_process, start_engine
from vitviz.engine.process.private_socket import drop_if_stalled, listening_at, require_same_user, wire_of
from vitviz.machine.device import keep_ends_of_heaps, share_heaps

if TYPE_CHECKING:
    from vitviz.engine import Engine

ACCEPT_PAUSE_S = 0.1  # seconds, where no more files may be opened


def accept(listening: socket.socket, engine: "Callable[[], Engine]", hosts: set[Host]) -> None:
    """Serve everybody of this user who connects, each in threads of its own, until the socket is closed.

    `hosts` are those who serve at the moment.
    """
    while listening.fileno() >= 0:
        try:
            connected, _ = listening.accept()
        except OSError:
            time.sleep(ACCEPT_PAUSE_S)
        else:
            Thread(target=_serve, args=(connected, engine, hosts), name="guest", daemon=True).start()


def _serve(connected: socket.socket, engine: "Callable[[], Engine]", hosts: set[Host]) -> None:
    with connected:
        try:
            require_same_user(connected)
        except PermissionError as error:
            print(f"the engine hangs up: {error}", file=sys.stderr, flush=True)
            return
        drop_if_stalled(connected)
        host = Host(wire_of(connected), engine, partial(_hang_up, connected))
        hosts.add(host)
        host.serve()
        hosts.discard(host)


def _hang_up(connected: socket.socket) -> None:
    with suppress(OSError):  # where the other end did already
        connected.shutdown(socket.SHUT_RDWR)


def main(path: str, settings: str = "{}") -> None:
    """Listen at once, so that nobody is refused while PyTorch is imported; serve until the process is ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for whoever started this
    share_heaps()
    keep_ends_of_heaps()
    engine: Future[Engine] = Future()
    hosts: set[Host] = set()
    Thread(target=accept, args=(listening_at(Path(path)), engine.result, hosts), name="door", daemon=True).start()
    engine.set_result(start_engine(json.loads(settings), partial(end_process, hosts)))
    signal.pause()


if __name__ == "__main__":
    main(*sys.argv[1:])
