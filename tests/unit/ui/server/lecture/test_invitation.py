"""What a class scans: the address of the room, and its QR code."""

from unittest.mock import patch

import pytest
import segno
from starlette.applications import Starlette
from starlette.testclient import TestClient
from streamlit import net_util

from vitviz.ui.server.lecture import invitation

HOST = "vit.example.edu"


@pytest.fixture
def client() -> TestClient:
    return TestClient(Starlette(routes=invitation.ROUTES), base_url=f"http://{HOST}")


def test_the_code_leads_to_the_room_under_the_name_by_which_the_lecturer_came(client: TestClient) -> None:
    for folder in ("", "vit/"):
        told = client.get(f"/{folder}lecture/invitation/BCDF", params={"scheme": "https"}).json()
        assert told["address"] == f"https://{HOST}/{folder}?room=BCDF"
        drawn = segno.make(told["address"], micro=False, error="m")
        assert told["qr"] == drawn.svg_data_uri(scale=8, border=4, light="#fff")
        assert told["qr"].startswith("data:image/svg+xml")


def test_for_a_hall_that_asks_at_once_the_code_is_drawn_once(client: TestClient) -> None:
    invitation.qr.cache_clear()
    with patch.object(segno, "make", wraps=segno.make) as drawn:
        told = [client.get("/lecture/invitation/GHJK", params={"scheme": "https"}).json() for _ in range(20)]
    assert drawn.call_count == 1
    assert told[1:] == told[:-1]


@pytest.mark.parametrize("path", ["BCD?scheme=http", "bcdf?scheme=http", "BCDF", "BCDF?scheme=javascript"])
def test_what_is_no_code_gets_none(client: TestClient, path: str) -> None:
    assert client.get(f"/lecture/invitation/{path}").status_code == 404


@pytest.mark.parametrize(
    ("host", "seen"),
    [
        (HOST, HOST),
        (f"{HOST}:8501", f"{HOST}:8501"),
        ("localhost:8501", "192.168.1.5:8501"),
        ("127.0.0.1:8501", "192.168.1.5:8501"),
        ("[::1]:8501", "192.168.1.5:8501"),
        ("10.0.0.7:8501", "10.0.0.7:8501"),
    ],
)
def test_a_laptop_that_calls_itself_localhost_gives_its_address_in_the_network(
    host: str, seen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(net_util, "get_internal_ip", lambda: "192.168.1.5")
    assert invitation.seen_by_others(host) == seen
    monkeypatch.setattr(net_util, "get_internal_ip", lambda: "127.0.0.1")
    assert invitation.seen_by_others(host) == host
