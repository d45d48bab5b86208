"""A bare link to a step leads to the step's page and words; its "step" is not that of an old link."""

from urllib.parse import urlencode

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from vitviz.lecture import LESSONS, lesson
from vitviz.ui.lecture.redirect import LessonLinks
from vitviz.ui.server.old_links import OldLinks


def let_through(request: Request) -> PlainTextResponse:
    return PlainTextResponse("page")


@pytest.fixture
def client() -> TestClient:
    inner = [Middleware(OldLinks), Middleware(LessonLinks)]
    return TestClient(Starlette(routes=[Route("/{path:path}", let_through)], middleware=inner))


@pytest.mark.parametrize("folder", ["/", "/vit/"])
def test_every_step_of_every_lesson_is_a_link(client: TestClient, folder: str) -> None:
    for name in LESSONS:
        for at, step in enumerate(lesson(name).steps, 1):
            answer = client.get(f"{folder}?lesson={name}&step={at}")
            page, _, words = step.view.address.partition("?")
            assert answer.url.path == folder + page
            expected = dict(step.view.words) | {"lesson": name, "step": str(at)}
            assert dict(answer.url.params) == expected
            assert answer.text == "page"
            assert words in str(answer.url)


def test_without_a_step_a_lesson_begins(client: TestClient) -> None:
    answer = client.get("/?lesson=what_a_head_looks_at")
    assert dict(answer.url.params)["step"] == "1"


@pytest.mark.parametrize(
    "query",
    [
        "lesson=no_such&step=1",
        "lesson=own-0123456789abcdef&step=1",
        "lesson=what_a_head_looks_at&step=99",
        "lesson=what_a_head_looks_at&step=0",
        "lesson=what_a_head_looks_at&step=x",
        "lesson=what_a_head_looks_at&step=3&layer=2",
        "lesson=what_a_head_looks_at&step=3&room=BCDF",
        "lesson=../../etc/passwd&step=1",
        "step=3&room=BCDF",
    ],
)
def test_any_other_link_stays_as_it_is(client: TestClient, query: str) -> None:
    answer = client.get(f"/?{query}", follow_redirects=False)
    assert answer.status_code == 200


def test_on_a_page_the_words_are_the_visitors_own(client: TestClient) -> None:
    asked = urlencode({"lesson": "what_a_head_looks_at", "step": "3"})
    assert client.get(f"/heads?{asked}", follow_redirects=False).status_code == 200
