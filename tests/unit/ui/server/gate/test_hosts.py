"""Who asks for a name that is not this server's is refused, on pages and on lines."""

import logging
from collections.abc import Iterator
from unittest.mock import create_autospec

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient, WebSocketDenialResponse
from starlette.websockets import WebSocket, WebSocketDisconnect
from streamlit import config, net_util
from streamlit.runtime import Runtime
from streamlit.web.server.starlette.starlette_websocket import create_websocket_routes

import app
from vitviz.ui.server.gate import hosts
from vitviz.ui.server.gate.hosts import KnownHosts, is_known

MACHINE = "lecturers-laptop"
ALLOWED = ["vit.example.edu", "*.class.example"]
LINE = "ws://localhost/_stcore/stream"


async def page(request: Request) -> Response:
    return PlainTextResponse("a page")


async def line(websocket: WebSocket) -> None:
    await websocket.accept()
    await websocket.send_text("a line")
    await websocket.close()


@pytest.fixture
def client() -> TestClient:
    routes = [Route("/{path:path}", page), WebSocketRoute("/{path:path}", line)]
    return TestClient(Starlette(routes=routes, middleware=[Middleware(KnownHosts)]), base_url="http://localhost")


@pytest.fixture(autouse=True)
def of_this_machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(hosts.socket, "gethostname", lambda: MACHINE.title())
    hosts._own.cache_clear()
    yield
    hosts._own.cache_clear()


OURS = (
    *("localhost", "localhost:8501", "LOCALHOST.", "127.0.0.1:8501", "[::1]:8501", "192.168.1.5", "[fe80::1]:80"),
    *(MACHINE, f"{MACHINE}:8501", f"{MACHINE}.local"),
)
STRANGE = (
    *(
        "evil.example",
        "evil.example:8501",
        f"{MACHINE}.evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
    ),
    *(
        "user@localhost",
        "localhost/",
        "localhost#",
        "localhost:x",
        "evil.example:80@localhost",
        "[::1",
        "2130706433",
        "",
        ".",
    ),
)


@pytest.mark.parametrize("host", OURS)
def test_addresses_and_this_machines_own_names_are_known(host: str) -> None:
    assert is_known(host)


@pytest.mark.parametrize("host", STRANGE)
def test_any_other_name_is_strange(host: str) -> None:
    assert not is_known(host)


def test_the_names_of_the_settings_are_known_beside_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    get = config.get_option
    monkeypatch.setattr(config, "get_option", lambda name: ALLOWED if name == "server.allowedHosts" else get(name))
    for host in ("vit.example.edu", "VIT.example.edu:443", "a.class.example", "127.0.0.1:8501"):
        assert is_known(host)
    for host in ("evil.example", "vit.example.edu.evil.example", "class.example"):
        assert not is_known(host)


@pytest.mark.parametrize(
    ("host", "opens"),
    [
        *((name, True) for name in ("localhost:8501", "127.0.0.1", "192.168.1.5:8501", MACHINE, "vit.example.edu")),
        ("evil.example", False),
    ],
)
def test_beside_names_of_the_settings_streamlits_own_line_opens_wherever_its_page_does(
    host: str, opens: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    get = config.get_option
    monkeypatch.setattr(config, "get_option", lambda name: ALLOWED if name == "server.allowedHosts" else get(name))
    routes = create_websocket_routes(create_autospec(Runtime, instance=True), None)
    asked = TestClient(Starlette(routes=routes, middleware=[Middleware(KnownHosts)]))
    headers = {"host": host, "origin": f"http://{host}"}
    try:
        with asked.websocket_connect(LINE, ["streamlit"], headers=headers) as stream:
            assert stream.accepted_subprotocol == "streamlit"
            opened = True
    except WebSocketDisconnect:  # a refusal with a sentence is one
        opened = False
    assert opened is opens


def test_a_page_and_a_line_are_refused_with_the_way_out_before_the_app_hears_of_it(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    strange = {"host": "evil.example"}
    with caplog.at_level(logging.WARNING):
        refused = client.get("/heads", headers=strange)
    assert (refused.status_code, refused.text) == (
        421,
        f"this server is not known as “evil.example”; whoever runs it lists its names in {hosts.SETTING}\n",
    )
    assert "evil.example" in caplog.text
    with pytest.raises(WebSocketDenialResponse) as denied, client.websocket_connect(LINE, headers=strange):
        pass
    assert denied.value.status_code == 421
    assert client.get("/heads").text == "a page"
    with client.websocket_connect(LINE) as known:
        assert known.receive_text() == "a line"


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "http://localhost.evil.example",
        "null",
        "http://x@localhost",
        "file://",
        "http://1.2.3.4",
    ],
)
def test_a_line_from_a_page_of_another_site_is_refused_and_nobody_asks_the_internet(
    client: TestClient, origin: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(net_util, "get_external_ip", pytest.fail)
    with pytest.raises(WebSocketDenialResponse) as denied, client.websocket_connect(LINE, headers={"origin": origin}):
        pass
    assert denied.value.status_code == 403
    assert client.get("/heads", headers={"origin": origin}).text == "a page"


@pytest.mark.parametrize(
    "origin", ["http://localhost", "http://localhost:3000", "http://127.0.0.1:8501", f"http://{MACHINE}"]
)
def test_a_line_from_a_page_of_this_machine_is_let_in(client: TestClient, origin: str) -> None:
    with client.websocket_connect(LINE, headers={"origin": origin}) as known:
        assert known.receive_text() == "a line"


def test_a_line_from_a_site_of_the_settings_is_let_in(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    get, named = config.get_option, ["https://course.example"]
    monkeypatch.setattr(config, "get_option", lambda name: named if name == "server.corsAllowedOrigins" else get(name))
    with client.websocket_connect(LINE, headers={"origin": "https://course.example"}) as known:
        assert known.receive_text() == "a line"


def test_the_app_asks_this_before_anything_else() -> None:
    assert app.ASKED[0] is KnownHosts
