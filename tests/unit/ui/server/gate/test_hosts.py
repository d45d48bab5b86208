"""Who asks for a name that is not this server's is refused, on pages and on lines."""

import logging
from threading import Event
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
def of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    called(MACHINE.title(), "", monkeypatch)


def called(machine: str, full: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine has a name, and its network knows it by a full one."""
    monkeypatch.setattr(hosts.socket, "gethostname", lambda: machine)
    name = hosts.FullName(lambda: full)
    name.last()
    finish(name)
    monkeypatch.setattr(hosts, "_FULL_NAME", name)


def finish(name: hosts.FullName) -> None:
    assert name._asking.acquire(timeout=60), "the network was asked, and has answered"
    name._asking.release()


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


@pytest.mark.parametrize(
    ("machine", "full", "names"),
    [
        ("Annas-MBP.fritz.box", "", ("annas-mbp.fritz.box", "annas-mbp", "annas-mbp.local:8501")),
        ("lab-pc.cs.uni.example", "lab-pc.cs.uni.example", ("lab-pc", "lab-pc.local", "lab-pc.cs.uni.example")),
        ("lab-pc", "LAB-PC.cs.uni.example.", ("lab-pc", "lab-pc.local", "lab-pc.cs.uni.example:8501")),
    ],
)
def test_a_machine_is_known_by_its_name_alone_in_its_network_and_to_its_neighbours(
    machine: str, full: str, names: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    called(machine, full, monkeypatch)
    assert [it for it in names if not is_known(it)] == []
    for strange in ("evil.example", "fritz.box", "cs.uni.example", "lab-pc.evil.example", "annas-mbp.evil.example"):
        assert not is_known(strange)
    called("another", "", monkeypatch)
    assert [it for it in names if is_known(it)] == [], "the machine has gone to another network"


@pytest.mark.parametrize("full", ["evil.example", "lab-pcs.evil.example", "localhost"])
def test_a_network_that_calls_the_machine_otherwise_is_not_believed(full: str, monkeypatch: pytest.MonkeyPatch) -> None:
    called("lab-pc", full, monkeypatch)
    assert is_known(full) is (full == "localhost")


def test_nobody_waits_for_the_network_and_it_is_asked_once_a_minute() -> None:
    answers, asked, clock = Event(), 0, 0.0

    def ask() -> str:
        nonlocal asked
        asked += 1
        assert answers.wait(60)
        return f"lab-pc.net{asked}.example"

    name = hosts.FullName(ask, lambda: clock)
    assert [name.last(), name.last()] == ["", ""]
    answers.set()
    finish(name)
    clock = hosts.MINUTE - 1
    assert name.last() == "lab-pc.net1.example"
    finish(name)
    assert asked == 1
    clock = hosts.MINUTE
    answers.clear()
    assert name.last() == "lab-pc.net1.example", "until the network has answered"
    answers.set()
    finish(name)
    assert name.last() == "lab-pc.net2.example"


@pytest.mark.parametrize("error", [OSError, UnicodeError])
def test_a_network_that_knows_no_name_may_be_asked_again(error: type[Exception]) -> None:
    def ask() -> str:
        raise error

    name = hosts.FullName(ask)
    name.last()
    finish(name)
    assert name.last() == ""


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
    strange = {"host": "evil.example:8501"}
    with caplog.at_level(logging.WARNING):
        refused = client.get("/heads", headers=strange)
    assert (refused.status_code, refused.text) == (
        421,
        "this server is not known as “evil.example:8501”; "
        f"if that is a name of it, whoever runs it starts it with {hosts.SETTING}=evil.example\n",
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
    assert app.LAYERS[0] is KnownHosts
