"""The lecturer's own window leads two others through a question and back, and a hall of twenty through another."""

import re
from collections.abc import Callable
from contextlib import ExitStack

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.board import photo, point
from tests.browser.frame import open_board
from tests.browser.lecture.leading import attending, bar, go_on, leading
from tests.browser.server import LECTURER, Server
from tests.browser.watch import open_page
from vitviz.images import open_image
from vitviz.lecture import LESSONS, lesson
from vitviz.measures import attention_weights
from vitviz.samples import samples
from vitviz.trace import record
from vitviz.weights import load

NAME = "what_a_head_looks_at"
STEPS = lesson(NAME).steps
ASKS = next(at for at, step in enumerate(STEPS, 1) if step.question and step.question.answer == "strongest_patch")
QUESTION = next(step.question.asks for step in STEPS[ASKS - 1 :] if step.question)
HALL, BROWSERS = 20, 3


@pytest.fixture(scope="module")
def weights() -> np.ndarray:
    """What the head of the step's question gives to each patch."""
    view, loaded = STEPS[ASKS - 1].view, load("demo")
    trace = record(loaded.model, loaded.preprocess(open_image(samples()[view.get("sample")].data)))
    shares: np.ndarray = attention_weights(trace, view.place.layer)[view.place.head, view.place.query, 1:]
    return shares


def press(window: Page, name: str) -> None:
    window.get_by_role("button", name=name).click()


def opened(window: Page, step: int) -> str:
    """Open a room at a step, and return its letters."""
    open_page(window, f"/lecturer?lesson={NAME}&step={step}")
    return opened_here(window)


def opened_here(window: Page) -> str:
    """Open a room with the lesson that the window is at."""
    window.get_by_label("The lecturer's secret").fill(LECTURER)
    press(window, "Open a room")
    expect(window.locator(".lecturer .room")).to_have_text(f"Room {code_of(window)}")
    return code_of(window)


def code_of(window: Page) -> str:
    window.wait_for_function("() => JSON.parse(localStorage.vitviz_lecture ?? '{}').code")
    code: str = window.evaluate("() => JSON.parse(localStorage.vitviz_lecture).code")
    return code


def follow(page: Page, code: str) -> None:
    open_board(page, f"/{STEPS[ASKS - 1].view.address}&room={code}")
    bar(page, f"Following · step {ASKS} of {len(STEPS)}")


def tap(page: Page, patch: int) -> None:
    """Tap a patch, counted from 0."""
    box = photo(page).bounding_box()
    assert box
    row, column = divmod(patch, 12)
    page.touchscreen.tap(box["x"] + (column + 0.5) / 12 * box["width"], box["y"] + (row + 0.5) / 12 * box["height"])


def cells(page: Page, row: int) -> list[str]:
    """A line of the table of guesses."""
    texts: list[str] = page.locator(".guesses tbody tr").nth(row).locator("th, td").all_inner_texts()
    return texts


def test_a_wrong_secret_opens_nothing(page: Page) -> None:
    open_page(page, f"/lecturer?lesson={NAME}")
    page.get_by_label("The lecturer's secret").fill("a guess at the secret")
    press(page, "Open a room")
    expect(page.locator(".trouble")).to_have_text("This is not the lecturer's secret.")
    expect(page.locator(".lecturer .room")).to_have_text("No room is open")
    expect(page.get_by_role("button", name="Ask")).to_be_hidden()


def test_a_lesson_that_is_chosen_in_the_window_stays_through_its_steps(page: Page) -> None:
    open_page(page, "/lecturer")
    expect(page.get_by_text("Choose one with Give it to a class, or its number.")).to_be_visible()
    expect(page.locator(f".st-key-give-{NAME} button")).to_be_visible()
    page.keyboard.press(str(LESSONS.index(NAME) + 1))
    page.wait_for_url(f"**/lecturer?lesson={NAME}&step=1")
    opened_here(page)
    for step in (2, 3):
        page.keyboard.press("PageDown")
        page.wait_for_url(f"**/lecturer?lesson={NAME}&step={step}")
    expect(page.locator(".lecturer .says")).to_have_text(STEPS[2].says.replace("{", "").replace("}", ""))
    expect(page.locator(".strip a.box[aria-current=step]")).to_have_attribute("data-stem", STEPS[2].view.page)
    expect(page.get_by_text("Which lesson?")).to_be_hidden()


def test_by_keys_alone_a_room_is_opened_looked_at_and_closed_at_the_end(page: Page) -> None:
    open_page(page, f"/lecturer?lesson={NAME}&step=1")
    page.keyboard.press("o")
    page.keyboard.type(LECTURER)
    page.keyboard.press("Enter")
    code = code_of(page)
    expect(page.locator(".hall")).to_contain_text("no screen open · ")
    with page.expect_popup() as screen:
        page.keyboard.press("v")
    bar(screen.value, f"{code} · step 1 of {len(STEPS)} · 0 follow")
    expect(page.locator(".hall")).to_contain_text(re.compile("^screen open · "))
    page.bring_to_front()
    page.keyboard.press("?")
    listed = page.locator(".help dl")
    for says in ("all screens black, or on", "go to step 12", "next step without the question"):
        expect(listed).to_contain_text(says)
    expect(listed).not_to_contain_text("moment")
    page.keyboard.press("Escape")
    page.keyboard.type(str(len(STEPS)))
    page.keyboard.press("Enter")
    for _ in range(3):
        page.keyboard.press("PageDown")
    end = page.get_by_role("region", name="The end")
    expect(end).to_contain_text("The end. Close the room?")
    expect(end.get_by_role("link", name="Take the lecture home")).to_have_attribute("href", f"/lecture?home={NAME}")
    assert page.url.endswith(f"/lecturer?lesson={NAME}&step={len(STEPS)}")
    page.keyboard.press("PageUp")
    expect(end).to_be_hidden()
    page.keyboard.press("PageDown")
    end.get_by_role("button", name="Close the room").click()
    expect(end.get_by_role("heading")).to_have_text("The end.")
    expect(screen.value.locator(".lecture-bar")).to_be_hidden()


def test_two_rounds_are_led_from_the_window_and_end_with_pythons_numbers(
    visit: Callable[..., Page], weights: np.ndarray
) -> None:
    window, first, second = visit(), visit(), visit(viewport={"width": 390, "height": 844}, has_touch=True)
    code = opened(window, ASKS)
    for page in (first, second):
        follow(page, code)
    expect(window.get_by_role("status").filter(has_text="follow").first).to_have_text("2 follow")
    best = int(weights.argmax())
    worst = int(weights.argmin())
    go_on(window)  # asks
    for page in (first, second):
        expect(page.locator(".asks")).to_have_text(QUESTION)
        expect(page.locator(".asked .phase")).to_contain_text(" the patch on the photo")  # open
    point(first, best + 1, click=True)
    expect(first.locator(".own")).to_contain_text(f"Your guess: patch {best + 1} ")
    tap(second, worst)
    expect(second.locator(".own")).to_contain_text(f"Your guess: patch {worst + 1} ")
    expect(window.locator(".question .phase")).to_have_text("Open: guesses come in. 2 of 2 have guessed.")
    expect(first.locator(".guesses")).to_have_count(0)
    go_on(window)  # locks
    expect(first.locator(".phase")).to_contain_text("Locked")
    point(first, worst + 1, click=True)
    expect(first.locator(".own")).to_contain_text(f"patch {best + 1} ")
    expect(window.locator(".advice")).to_have_text("1 of 2 right (50.0 %): let them talk, then ask again.")
    window.keyboard.press("a")
    expect(second.locator(".own")).to_contain_text(f"Your first guess: patch {worst + 1} ")
    for _ in range(3):
        second.keyboard.press("ArrowUp")  # by keys: from the patch that was tapped
    second.keyboard.press("Enter")
    expect(second.locator(".own")).to_contain_text("Your guess: patch")
    expect(window.locator(".question .phase")).to_contain_text("1 of 2 have guessed")
    go_on(window)
    expect(first.locator(".phase")).to_contain_text("Locked")
    expect(window.locator(".question .phase")).to_contain_text("Locked")
    go_on(window)  # shows
    for page in (first, second):
        expect(page.locator(".truth")).to_contain_text(f"patch {best + 1} ")
        expect(page.locator(".scene")).to_be_visible()
    clicked = weights[[best, worst]]
    two = np.sort(weights)[-2:]
    caught, most = f"{100 * clicked.sum():.1f} %", f"{100 * two.sum():.1f} %"
    held = f"the 2 guessed patches get {caught} of the light; the best 2 would get {most}."
    assert cells(first, 0) == ["first: 2 guesses", f"1 right: {held}"]
    assert cells(first, 1)[0] == "second: 1 guess"
    expect(first.locator(".result .own")).to_contain_text(f", {100 * weights[best]:.1f} % of it: right.")
    with window.expect_download() as table:
        press(window, "Guesses as CSV")
    assert QUESTION in table.value.path().read_text()
    press(window, "Close the room")
    press(window, "Close the room: its guesses are forgotten")
    expect(first.locator(".lecture-bar")).to_be_hidden()
    expect(first.locator(".lecture-notice h2")).to_have_text("The lecture is over")
    first.get_by_role("button", name="Close", exact=True).click()
    expect(first.locator(".lecture-notice")).to_be_hidden()
    expect(window.locator(".lecturer .room")).to_have_text("No room is open")


def test_the_window_comes_back_to_its_room_and_shows_the_way_in(visit: Callable[..., Page]) -> None:
    window, screen = visit(), visit()
    code = opened(window, 1)
    open_board(screen, f"/?room={code}")
    go_on(window)
    bar(screen, f"Following · step 2 of {len(STEPS)}")
    window.keyboard.press("q")
    expect(screen.locator(".invitation b")).to_have_text(code)
    expect(screen.locator(".invitation small")).to_have_text("Scan this, or open the address and type the letters:")
    expect(screen.locator(".invitation p")).to_have_text(re.compile(r"[\w.:]+/lecture"))
    window.reload()
    expect(window.locator(".lecturer .room")).to_have_text(f"Room {code}")
    expect(window.get_by_role("button", name="Hide the code")).to_be_visible()
    window.wait_for_function("() => location.search.includes('step=2')")
    window.keyboard.press("q")
    expect(screen.locator(".invitation")).to_be_hidden()
    window.keyboard.press("b")
    expect(screen.locator(".lecture-sheet")).to_be_visible()
    press(window, "Close the room")
    press(window, "Close the room: its guesses are forgotten")
    expect(screen.locator(".lecture-bar")).to_be_hidden()


def test_twenty_guess_and_the_browsers_among_them_see_the_same_sums(visit: Callable[..., Page], server: Server) -> None:
    asked = {"kind": "choose", "asks": "Which?", "options": ["one", "two", "three"]}
    with leading(server, "HBLL") as leader, ExitStack() as stack:
        leader.move(1, "tensor_shapes", "Guess.", asked)
        pages = [visit() for _ in range(BROWSERS)]
        for page in pages:
            page.goto("/tensor_shapes?room=HBLL", wait_until="commit")
        others = [stack.enter_context(attending(server, "HBLL", f"{at:032x}")) for at in range(BROWSERS, HALL)]
        for page in pages:
            page.get_by_text("Following · step 1 of 9").wait_for()
        leader.say(ask=1)
        for at, page in enumerate(pages):
            expect(page.locator(".asks")).to_have_text("Which?")
            expect(page.locator(".asked .phase")).to_contain_text("Click one")
            page.keyboard.press(str(at % 3 + 1))
        for at, other in enumerate(others, BROWSERS):
            other.say(vote=at % 3)
        votes = leader.hear("votes")
        while votes["voted"] < HALL:
            votes = leader.hear("votes")
        assert votes["choose"] == [7, 7, 6]
        leader.reveal(1, {"option": 1, "text": "Two."})
        for page in pages:
            expect(page.locator(".guesses b")).to_have_text(["7", "7", "6"])
            assert page.locator(".guesses tr.right th").inner_text() == "✓ two"
