"""A process that can reach nothing but this machine: whoever tries gets a sentence instead of a connection."""

import ipaddress
import socket
import sys
from typing import Any

REFUSAL = "vitviz is offline: refused to reach"


class OfflineError(OSError):
    """An attempt to reach another machine."""


def stay_offline() -> None:
    """From now on, connecting to or looking up another machine raises `OfflineError` and says so on stderr."""
    connect, connect_ex, look_up = socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo

    def guarded_connect(self: socket.socket, address: Any) -> None:
        _check(self.family, address)
        return connect(self, address)

    def guarded_connect_ex(self: socket.socket, address: Any) -> int:
        _check(self.family, address)
        return connect_ex(self, address)

    def guarded_look_up(host: str | bytes | None, *args: Any, **kwargs: Any) -> Any:
        _refuse_unless_here(host)
        return look_up(host, *args, **kwargs)

    socket.socket.connect = guarded_connect  # type: ignore[method-assign, assignment]
    socket.socket.connect_ex = guarded_connect_ex  # type: ignore[method-assign, assignment]
    socket.getaddrinfo = guarded_look_up


def _check(family: int, address: Any) -> None:
    if family in (socket.AF_INET, socket.AF_INET6):
        _refuse_unless_here(address[0])


def _refuse_unless_here(host: str | bytes | None) -> None:
    host = host.decode() if isinstance(host, bytes) else host
    if host is None or _is_here(host):
        return
    sentence = f"{REFUSAL} {host}"
    print(sentence, file=sys.stderr, flush=True)
    raise OfflineError(sentence)


def _is_here(host: str) -> bool:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host in ("", "localhost")
    return address.is_loopback or address.is_unspecified
