"""A hub behind a proxy of this machine, which lets nothing through in one way or another."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from huggingface_hub import close_session, constants

from tests.unit.weights.hub.service import NAME, Service
from vitviz.weights import WeightsError, hub

HUB = "{}://hub.test"
CLOSED = "the proxy of this server lets nothing of the mirror hub.test through; mend HTTPS_PROXY"
AWAY = "the mirror hub.test is out of reach through the proxy of this server; mend HTTPS_PROXY. Run `python -m vitviz"
NOTHING = 0  # it hangs up


class Proxy(BaseHTTPRequestHandler):
    """Answers every request with one status."""

    status = NOTHING

    def parse_request(self) -> bool:
        if super().parse_request() and self.status:
            self.send_error(self.status)
        self.close_connection = True
        return False

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def behind(server: Service, monkeypatch: pytest.MonkeyPatch) -> Iterator[ThreadingHTTPServer]:
    """A proxy that is asked for all of another hub, over TLS or without; this process forgets its open connections."""
    proxy = ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    Thread(target=proxy.serve_forever, args=[0.02], daemon=True).start()
    for word in ("http_proxy", "https_proxy"):
        monkeypatch.setenv(word, f"http://127.0.0.1:{proxy.server_port}")
        monkeypatch.setenv(word.upper(), f"http://127.0.0.1:{proxy.server_port}")
    for word in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(word, raising=False)
    close_session()
    yield proxy
    close_session()
    proxy.shutdown()
    proxy.server_close()


@pytest.mark.parametrize(
    ("scheme", "status", "sentence"),
    [
        ("https", 403, CLOSED),
        ("https", 407, CLOSED),
        ("https", NOTHING, AWAY),
        ("http", 407, CLOSED),
        ("http", 502, "the mirror hub.test answered 502 in place of Tiny; try again later"),
        ("http", NOTHING, AWAY),
    ],
)
def test_a_proxy_that_refuses_is_named(
    scheme: str, status: int, sentence: str, behind: ThreadingHTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    asks_for(HUB.format(scheme), monkeypatch)
    monkeypatch.setattr(Proxy, "status", status)
    with pytest.raises(WeightsError, match=sentence):
        hub.fetch(NAME, lambda done, total: None)
    assert hub.local(NAME) is None


@pytest.mark.parametrize("scheme", ["https", "http"])
def test_a_proxy_that_is_not_there_is_named(
    scheme: str, behind: ThreadingHTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    asks_for(HUB.format(scheme), monkeypatch)
    behind.shutdown()
    behind.server_close()
    with pytest.raises(WeightsError, match=AWAY):
        hub.fetch(NAME, lambda done, total: None)


def test_a_hub_that_needs_no_proxy_is_asked_without(
    server: Service, behind: ThreadingHTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for word in ("no_proxy", "NO_PROXY"):
        monkeypatch.setenv(word, "127.0.0.1")
    close_session()
    assert hub.fetch(NAME, lambda done, total: None).read_bytes() == server.weights


def asks_for(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this process ask another hub than its own."""
    monkeypatch.setattr(constants, "ENDPOINT", endpoint)
    template = endpoint + "/{repo_id}/resolve/{revision}/{filename}"
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
