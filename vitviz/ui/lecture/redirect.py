"""A link to a step of a lesson, `/?lesson=NAME&step=7`, redirected to the page and the words of that step."""

from urllib.parse import parse_qsl, urlencode

from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from vitviz.lecture import LESSONS, lesson
from vitviz.lecture.payloads import link_to


def place(words: dict[str, str]) -> str | None:
    """Where a link that says nothing but a lesson that ships and its step leads to; None for any other link."""
    if not {"lesson"} <= words.keys() <= {"lesson", "step"} or words["lesson"] not in LESSONS:
        return None
    steps, text = lesson(words["lesson"]).steps, words.get("step", "1")
    if not (text.isascii() and text.isdecimal() and len(text) <= 3 and 1 <= int(text) <= len(steps)):
        return None  # the page says so
    return link_to(steps[int(text) - 1].view, words["lesson"], int(text))


class LessonLinks:
    """Middleware that redirects; the browser's history then holds the step's own address only."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        first = scope["type"] == "http" and scope.get("path", "").endswith("/")
        words = dict(parse_qsl(scope.get("query_string", b"").decode("latin-1"))) if first else {}
        there = place(words) if "lesson" in words else None
        if there and there != f"?{urlencode(words)}":
            await RedirectResponse(f"./{there}")(scope, receive, send)
        else:
            await self._app(scope, receive, send)
