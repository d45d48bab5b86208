"""Streamlit's HTML, completed on its way to the browser."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
import streamlit as streamlit_package
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from vitviz.pages import PAGES
from vitviz.ui import styles
from vitviz.ui.server.first_page import BEGINNING, ON_EVERY_PAGE, SCRIPT, CompletePage, preloads
from vitviz.ui.sidebar import samples

STATIC = Path(streamlit_package.__file__).with_name("static")
HTML = f"<html><head><title>Streamlit</title></head><body>{'<p>some</p>' * 100}</body></html>"


def streamlit(request: Request) -> Response:
    """A server that, as Streamlit's, lets a browser keep its file, and zips what is long."""
    if request.headers.get("if-none-match") == "old":
        return Response(status_code=304)
    if request.url.path == "/_stcore/health":
        return PlainTextResponse("ok", headers={"etag": "old"})
    return HTMLResponse(HTML, headers={"etag": "old", "last-modified": "then"})


@pytest.fixture
def client() -> TestClient:
    inner = [Middleware(CompletePage), Middleware(GZipMiddleware, minimum_size=100)]
    return TestClient(Starlette(routes=[Route("/{path:path}", streamlit)], middleware=inner))


@pytest.mark.parametrize("headers", [{}, {"accept-encoding": "gzip"}, {"if-none-match": "old"}])
def test_a_page_comes_whole_with_script_and_style(client: TestClient, headers: Mapping[str, str]) -> None:
    for path in ("/", "/heads?layer=2"):
        answer = client.get(path, headers=headers)
        assert answer.status_code == 200
        head, body = answer.text.split("</head>")
        assert head.startswith(f"<html><head><script>{SCRIPT}</script>")
        assert body.startswith(f"<body>{BEGINNING.decode()}<p>some</p>")
        assert body.endswith(f"{styles.style()}{samples.style()}</body></html>")
        assert int(answer.headers["content-length"]) == answer.num_bytes_downloaded
        assert not {"etag", "last-modified"} & set(answer.headers)


def test_the_page_names_each_module_of_its_first_elements_once() -> None:
    page = (STATIC / "index.html").read_text()
    links = re.findall(r'<link rel="modulepreload" crossorigin href="\./([^"]*)">', preloads(page))
    assert {Path(it).name.partition(".")[0] for it in links} >= {*ON_EVERY_PAGE}
    assert all((STATIC / it).is_file() for it in links)
    assert not [it for it in links if it in page]
    assert len({*links}) == len(links)


def test_everything_else_goes_through_as_it_is(client: TestClient) -> None:
    answer = client.get("/_stcore/health")
    assert (answer.text, answer.headers["etag"]) == ("ok", "old")
    assert client.get("/static/index.js", headers={"if-none-match": "old"}).status_code == 304
    assert client.get("/static/index.html").text == HTML


@pytest.mark.parametrize(
    ("path", "word"), [("/nosuch", "nosuch"), ("/vit/head%20s?layer=2", "head+s"), ("/<b>", "%3Cb%3E")]
)
def test_an_unknown_page_leads_to_the_first_one_of_its_folder(client: TestClient, path: str, word: str) -> None:
    answer = client.get(path, follow_redirects=False)
    assert answer.status_code == 307
    assert answer.headers["location"] == f"./?unknown={word}"
    assert answer.content == b""


@pytest.mark.parametrize(
    ("path", "there"), [("/overview", "./"), ("/vit/overview?layer=2&edits=h3.1*0", "./?layer=2&edits=h3.1*0")]
)
def test_the_first_page_answers_to_its_name(client: TestClient, path: str, there: str) -> None:
    answer = client.get(path, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (307, there)


def test_every_page_is_one(client: TestClient) -> None:
    for entry in PAGES.values():
        assert client.get(f"/{entry.address}?layer=2", follow_redirects=False).status_code == 200
