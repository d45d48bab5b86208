"""The model for photographs in the browser: who asks for it fetches it, sees how much has come, and edits it there."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, Route, expect

from tests.browser.watch import open_page

INTERVENE = "/intervene?model=photo&sample=coffee"
HERE = re.compile(r"runs in this browser: \d+ ms")


def test_the_model_for_photographs_is_fetched_when_it_is_asked_for(visit: Callable[..., Page]) -> None:
    page = visit()
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url) if "/parameters-" in request.url else None)
    open_page(page, INTERVENE)
    where = page.locator(".said .where")
    button = where.get_by_role("button", name="run it in this browser (22 MB)")
    expect(where).to_contain_text("the server runs the model")
    expect(button).to_be_visible()
    assert fetched == []
    button.click()
    expect(where).to_have_text(HERE)
    assert len(fetched) == 1
    open_page(page, f"{INTERVENE}&edits=h6.1*0")
    expect(page.locator(".said .where")).to_contain_text("the server runs the model")


def test_a_fetch_that_breaks_off_is_said_and_the_server_goes_on(visit: Callable[..., Page]) -> None:
    page = visit()

    def cut(route: Route) -> None:
        route.fulfill(body=b"\0" * 1000, headers={"X-Length": "22000000"})

    page.route("**/parameters-*", cut)
    open_page(page, INTERVENE)
    where = page.locator(".said .where")
    where.get_by_role("button").click()
    expect(where).to_contain_text(
        "the server runs the model: this browser cannot: the connection broke off after 1000 of 22000000 bytes"
    )
