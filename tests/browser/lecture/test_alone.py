"""A lesson alone: on and back, the guess, the answer, and the address that holds where one is."""

from itertools import pairwise

from playwright.sync_api import Page, expect

from tests.browser.board import headline, point
from tests.browser.frame import rest, turn
from tests.browser.lecture.leading import bar, go_on, runs
from tests.browser.watch import open_page, settled
from vitviz.lecture import Step, lesson

LESSON = "what_a_head_looks_at"
STEPS = lesson(LESSON).steps
MANY = len(STEPS)
ASKS = next(
    at
    for at, (step, after) in enumerate(pairwise(STEPS), 1)
    if step.question and step.question.kind == "patch" and not after.question
)


def said(step: Step) -> str:
    return step.says.replace("{", "").replace("}", "")


def at(step: int) -> str:
    return f"Step {step} of {MANY}"


def open_step(page: Page, step: int) -> None:
    """Follow a link that says nothing but lesson and step."""
    open_page(page, f"/?lesson={LESSON}&step={step}")
    page.wait_for_function("() => globalThis.__vitviz_drawn?.digest")
    bar(page, at(step))


def test_next_and_back_walk_through_a_lesson_and_the_address_with_them(page: Page) -> None:
    open_page(page, "/lecture")
    page.locator(f".st-key-lesson-{LESSON}").get_by_role("link", name="Take it alone").click()
    bar(page, at(1))
    settled(page)
    assert headline(page) == said(STEPS[0])
    expect(page.locator(".strip")).to_contain_text("Red ball above blue ball")
    turn(page)
    bar(page, at(2))
    assert headline(page) == said(STEPS[1])
    assert f"/{STEPS[1].view.address}&lesson={LESSON}&step=2" in page.url
    page.get_by_role("button", name="‹ Back").click()
    bar(page, at(1))
    rest(page)
    page.go_back()
    bar(page, at(2))
    settled(page)
    assert headline(page) == said(STEPS[1])
    page.reload()
    settled(page)
    bar(page, at(2))
    page.keyboard.type("12")
    expect(page.locator(".lecture-bar .typed")).to_have_text("→ 12 ⏎")
    for key in ("Backspace", "Backspace", str(MANY), "Enter"):
        page.keyboard.type(key) if len(key) < 3 else page.keyboard.press(key)
    if STEPS[-1].question:
        page.keyboard.press("PageDown")
    bar(page, f"{at(MANY)} · The end")
    page.get_by_role("button", name="End the lesson", exact=True).first.click()
    expect(page.locator(".lecture-bar")).to_be_hidden()
    assert "lesson" not in page.url


def test_a_guess_is_checked_against_what_python_computed(page: Page) -> None:
    open_step(page, ASKS)
    rest(page)
    expect(page.locator(".scene")).to_be_hidden()
    before = runs(page)
    point(page, 1, click=True)
    page.get_by_role("button", name="Check").click()
    expect(page.locator(".scene")).to_be_visible()
    expect(page.locator(".asked")).to_contain_text("Your guess: patch 1")
    expect(page.locator(".asked")).to_contain_text("not right")
    assert headline(page) == STEPS[ASKS - 1].explains.replace("{", "").replace("}", "")
    assert runs(page) == before
    go_on(page)
    bar(page, at(ASKS + 1))
    rest(page)
    high = "it => it.getBoundingClientRect().height"
    assert page.locator(".scene").evaluate(high) == page.locator(".stage").evaluate(
        high
    )  # what came of the guess leaves all of its room to the scene


def test_a_touch_explores_and_the_step_is_one_key_away(page: Page) -> None:
    open_step(page, 2)
    rest(page)
    page.keyboard.press("l")
    back = page.get_by_role("button", name="Back to the step (G)")
    expect(back).to_be_visible()
    assert headline(page) == said(STEPS[1])
    page.locator('.strip a[data-stem="depth"]').click()
    rest(page)
    assert headline(page) != said(STEPS[1])
    assert f"lesson={LESSON}&step=2" in page.url
    page.keyboard.press("g")
    rest(page)
    expect(back).to_be_hidden()
    assert headline(page) == said(STEPS[1])
    page.get_by_role("button", name="End the lesson").click()
    expect(page.locator(".lecture-bar")).to_be_hidden()
    assert "lesson" not in page.url
    assert headline(page) != said(STEPS[1])
