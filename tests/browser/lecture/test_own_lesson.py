"""A lesson of one's own is given as one that ships is: on the class's screen, loaded anew, beside one of its title."""

import re
from collections.abc import Callable
from urllib.parse import quote

from playwright.sync_api import Page, Route, expect

from tests.browser.lecture.test_lecturer import code_of, press
from tests.browser.server import LECTURER
from tests.browser.watch import open_page
from vitviz.images import digest
from vitviz.ui.lecture import own

STEP = '[[step]]\nview = "heads?layer={0}"\nsays = "Lesson {0}, {1}."\n'
ELSEWHERE = "The room is at another lesson, “My lesson”."


def brought(page: Page, layer: int) -> str:
    """Bring a lesson of two steps at a layer; its name."""
    text = 'title = "My lesson"\n' + "".join(STEP.format(layer, which) for which in ("first", "second"))
    name = own.BEGINS + digest(text.encode())[: own.LETTERS]
    page.locator(".st-key-lesson_file input[type=file]").set_input_files(
        {"name": "mine.toml", "mimeType": "application/toml", "buffer": text.encode()}
    )
    page.locator(f"[href*='{name}']").first.wait_for(state="attached")
    return name


def says(page: Page, sentence: str) -> None:
    """Wait until a screen of the room says this."""
    expect(page.locator(".headline")).to_have_text(sentence)


def arrive_before_anything_is_loaded(page: Page, address: str) -> None:
    """Open an address whose secret leaves it while all of the app's own files are still on their way."""
    waiting: list[Route] = []
    page.route("**/static/**", lambda route: waiting.append(route))
    page.goto(address, wait_until="commit")
    expect(page).not_to_have_url(re.compile("#"))
    assert waiting, "some files are asked for"
    for route in waiting:
        route.continue_()
    page.unroute("**/static/**")


def test_lessons_of_ones_own_are_given_and_a_room_changes_lesson_by_a_hand_alone(visit: Callable[..., Page]) -> None:
    window = visit()
    open_page(window, "/lecture")
    first, second = brought(window, 2), brought(window, 3)
    arrive_before_anything_is_loaded(window, f"/lecturer?lesson={first}&step=1#token={quote(LECTURER)}")
    expect(window.get_by_label("The lecturer's secret")).to_be_hidden()
    press(window, "Open a room")
    code_of(window)
    with window.expect_popup() as opened:
        window.get_by_role("link", name="The class's screen").click()
    screen = opened.value
    says(screen, "Lesson 2, first.")
    window.keyboard.press("PageDown")
    says(screen, "Lesson 2, second.")

    other = window.context.new_page()
    open_page(other, f"/lecturer?lesson={second}&step=1")
    expect(other.locator(".trouble")).to_have_text(ELSEWHERE)
    expect(other.get_by_role("button", name="Screens black")).to_be_visible()
    other.keyboard.press("PageDown")  # looks on, alone
    expect(other.locator(".says")).to_have_text("Lesson 3, second.")
    other.keyboard.press("b")
    expect(screen.locator(".lecture-sheet")).to_be_visible()
    expect(other.get_by_role("button", name="Screens on")).to_be_visible()  # it has heard of it, too
    other.keyboard.press("b")
    expect(screen.locator(".lecture-sheet")).to_be_hidden()
    says(screen, "Lesson 2, second.")
    press(other, "Give this lesson")
    says(screen, "Lesson 3, second.")
    expect(other.locator(".trouble")).to_be_hidden()
    expect(window.locator(".trouble")).to_have_text(ELSEWHERE)
    window.reload()
    expect(window.locator(".trouble")).to_have_text(ELSEWHERE)
    expect(window.locator(".says")).to_have_text("Lesson 2, second.")
    says(screen, "Lesson 3, second.")

    press(window, "Close the room")
    press(window, "Close the room: its guesses are forgotten")
    expect(other.get_by_label("The lecturer's secret")).to_be_visible()
    assert window.evaluate("localStorage.vitviz_lecture ?? null") is None
    back = window.context.new_cdp_session(window).send("Page.getNavigationHistory")["entries"]
    assert len(back) >= 3
    assert not any("token" in entry["url"] for entry in back)
