"""Streamlit's scripts and styles go compressed, once made, to whoever takes them so; all else goes as it is."""

import asyncio
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient
from starlette.types import Message

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


def test_who_hangs_up_leaves_the_whole_file_to_those_who_come_after(tmp_path: Path) -> None:
    """Starlette's answer with a file ends where it is told of it, and as if that were all."""
    file = tmp_path / "index.js"
    file.write_text(SCRIPT)
    app = CompressFiles(FileResponse(file, media_type="text/javascript"))
    path = "/static/js/index.1a2b.js"

    async def hang_up() -> Message:
        return {"type": "http.disconnect"}

    async def unheard(message: Message) -> None:
        pass

    headers = [(name.encode(), value.encode()) for name, value in ZIPPED.items()]
    asyncio.run(app({"type": "http", "method": "GET", "path": path, "headers": headers}, hang_up, unheard))
    assert TestClient(app).get(path, headers=ZIPPED).text == SCRIPT
