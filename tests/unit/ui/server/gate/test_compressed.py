"""Streamlit's scripts and styles go compressed, once made, to whoever takes them so; all else goes as it is."""

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from vitviz.ui.server.gate.compressed import CompressFiles

SCRIPT = "let one = 1;\n" * 1000
ZIPPED = {"accept-encoding": "gzip, br"}


@pytest.fixture
def asked() -> list[str]:
    """What the app behind was asked for."""
    return []


@pytest.fixture
def client(asked: list[str]) -> TestClient:
    def streamlit(request: Request) -> Response:
        asked.append(request.url.path)
        if "index" in request.url.path:
            headers = {"etag": "it", "cache-control": "public, immutable"}
            return Response(SCRIPT, media_type="text/javascript", headers=headers)
        return HTMLResponse("any other address is a page")

    return TestClient(Starlette(routes=[Route("/{path:path}", streamlit)], middleware=[Middleware(CompressFiles)]))


def test_a_script_is_compressed_once(client: TestClient, asked: list[str]) -> None:
    for _ in range(2):
        answer = client.get("/vit/static/js/index.1a2b.js", headers=ZIPPED)
        assert answer.text == SCRIPT
        assert answer.headers["content-encoding"] == "gzip"
        assert int(answer.headers["content-length"]) < len(SCRIPT) / 10
        assert answer.headers["cache-control"] == "public, immutable"
        assert answer.headers["vary"].lower() == "accept-encoding"
        assert "etag" not in answer.headers
    assert len(asked) == 1


@pytest.mark.parametrize("headers", [{"accept-encoding": "identity"}, {**ZIPPED, "range": "bytes=0-9"}])
def test_who_wants_a_file_as_it_lies_gets_it_so(client: TestClient, headers: dict[str, str]) -> None:
    client.get("/static/js/index.1a2b.js", headers=ZIPPED)
    answer = client.get("/static/js/index.1a2b.js", headers=headers)
    assert "content-encoding" not in answer.headers
    assert answer.headers["etag"] == "it"


def test_an_address_that_is_no_file_is_not_kept(client: TestClient, asked: list[str]) -> None:
    for _ in range(2):
        answer = client.get("/static/js/nosuch.js", headers=ZIPPED)
        assert answer.text == "any other address is a page"
        assert "content-encoding" not in answer.headers
    assert len(asked) == 2
