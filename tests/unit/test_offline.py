"""No test reaches another machine, not even by accident."""

import re
import socket
import urllib.request

import pytest

from tests.offline import OfflineError


@pytest.mark.parametrize("host", ["192.0.2.1", "2001:db8::1", "example.org", "10.0.0.1"])
def test_another_machine_cannot_be_reached(host: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(OfflineError, match=re.escape(f"refused to reach {host}")):
        socket.create_connection((host, 443), timeout=1)
    assert host in capfd.readouterr().err


def test_nor_through_a_library() -> None:
    with pytest.raises(OSError, match=r"refused to reach example\.org"):
        urllib.request.urlopen("http://example.org", timeout=1)


def test_this_machine_can() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(("localhost", server.getsockname()[1]), timeout=5).close()
