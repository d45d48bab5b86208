"""A Unix socket between processes of one user, whose folder nobody else may enter; both ask the system who is there."""

import os
import signal
import socket
import sys
import time
from contextlib import suppress
from pathlib import Path
from struct import Struct
from typing import Any

from vitviz.engine.process.wire import Wire

LISTEN_TIMEOUT_S = 5.0  # seconds until an engine that is being restarted must listen again
LOOK = 0.1  # seconds between two looks whether it does
WAITING = 128  # connections
STALLED = 30  # seconds in which the other end must read something
BUFFER = 1 << 20  # bytes, as far as the system gives them
PEER, TIME = Struct("3i"), Struct("ll")  # process, user, group; seconds, microseconds


class Attached:
    """The engine that listens at `path`, which other processes may use as well."""

    shared = True

    def __init__(self, path: str) -> None:
        self._path = Path(path)
        self._socket: socket.socket | None = None
        self._left = False
        self._pid = 0
        self._why = "it hung up"

    def open(self) -> Wire:
        """The wire to it, as soon as it listens. Raises `OSError` where that takes too long, or it is another's."""
        try:
            require_private(self._path.parent)
            self._socket = self._connected()
            self._pid = require_same_user(self._socket)
        except PermissionError as error:
            print(f"vitviz: {error}", file=sys.stderr, flush=True)
            self._why = "its socket is open to others"
            raise
        except OSError:
            self._why = "nobody listens where it should be"
            raise
        return wire_of(self._socket)

    def leave(self) -> None:
        """Hang up."""
        self._left = True
        if self._socket:
            with suppress(OSError):  # where the other end did already
                self._socket.shutdown(socket.SHUT_RDWR)

    def kill(self) -> None:
        """End the engine's process; whoever started it starts another."""
        if self._pid:
            with suppress(ProcessLookupError):  # another was quicker
                os.kill(self._pid, signal.SIGKILL)
        self.leave()

    def bury(self) -> str:
        """Close the socket and say what was wrong."""
        if self._socket:
            self._socket.close()
        return self._why

    def _connected(self) -> socket.socket:
        until = time.monotonic() + LISTEN_TIMEOUT_S
        while True:
            connected = socket.socket(socket.AF_UNIX)
            try:
                connected.connect(str(self._path))
                return connected
            except (FileNotFoundError, ConnectionRefusedError):
                connected.close()
                if self._left or time.monotonic() > until:
                    raise
            time.sleep(LOOK)


def listening_at(path: Path) -> socket.socket:
    """A socket at `path`, in place of one that is left from before. Raises `PermissionError` for a folder of others."""
    require_private(path.parent)
    path.unlink(missing_ok=True)
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(path))
    path.chmod(0o600)
    listening.listen(WAITING)
    return listening


def wire_of(connected: socket.socket) -> Wire:
    """A wire over a socket; its files keep the socket open."""
    for option in (socket.SO_SNDBUF, socket.SO_RCVBUF):
        connected.setsockopt(socket.SOL_SOCKET, option, BUFFER)
    return Wire(connected.makefile("rb"), connected.makefile("wb"))


def drop_if_stalled(connected: socket.socket) -> None:
    """Have whoever sends get an `OSError` where the other end reads nothing for too long."""
    connected.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, TIME.pack(STALLED, 0))


def require_private(folder: Path) -> None:
    """Raise `PermissionError` for a folder that others than this user may enter."""
    state: Any = folder.stat()
    if state.st_uid != os.geteuid() or state.st_mode & 0o077:
        raise PermissionError(f"{folder} must be this user's alone: make it anew, or chmod 700")


def require_same_user(connected: socket.socket) -> int:
    """The number of the process at the other end, 0 where the system does not tell; `PermissionError` for another's."""
    if sys.platform != "linux":
        return 0
    credentials = connected.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, PEER.size)
    process, user, _ = PEER.unpack(credentials)
    if user != os.geteuid():
        raise PermissionError(f"the process at the other end is of user {user}, and this one of {os.geteuid()}")
    return int(process)
