"""One browser leads a room with PgDn and its own hand; another follows it, also when the line breaks."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.board import headline, photo, point
from tests.browser.frame import open_board
from tests.browser.lecture.leading import bar, go_on, lead
from tests.browser.lecture.test_alone import LESSON, MANY, STEPS, said
from tests.browser.watch import open_page, settled

ASKS = next(at for at, step in enumerate(STEPS, 1) if step.question)


def room(code: str, step: int, follow: int) -> str:
    return f"{code} · step {step} of {MANY} · {follow} follow"


def lead_at_2(page: Page, code: str) -> None:
    """Let a page lead a room, at the second step."""
    lead(page, code)
    open_page(page, f"/{STEPS[1].view.address}&lesson={LESSON}&step=2&room={code}")
    bar(page, room(code, 2, 0))


def led_and_followed(visit: Callable[..., Page], code: str) -> tuple[Page, Page]:
    """One browser that leads a room, at the second step, and one that follows it."""
    leads, follows = visit(), visit()
    lead_at_2(leads, code)
    open_board(follows, f"/?room={code}")
    bar(follows, f"Following · step 2 of {MANY}")
    return leads, follows


def test_pgdn_alone_leads_a_class_through_a_question(visit: Callable[..., Page]) -> None:
    leads, follows = led_and_followed(visit, "CDFG")
    bar(leads, room("CDFG", 2, 1))
    leads.keyboard.type(str(ASKS))
    leads.keyboard.press("Enter")
    bar(follows, f"Following · step {ASKS} of {MANY}")
    assert headline(follows) == said(STEPS[ASKS - 1])
    asked = follows.locator(".asked")
    question = STEPS[ASKS - 1].question
    assert question
    expect(asked.locator(".asks")).to_have_text(question.asks)
    expect(asked.locator(".phase")).to_have_text("Think first: guesses open in a moment.")
    go_on(leads)
    expect(asked).to_contain_text("Click the patch on the photo")
    settled(follows)
    point(follows, 1, click=True)
    expect(asked).to_contain_text("Your guess: patch 1")
    expect(leads.locator(".asked .phase")).to_have_text("1 has guessed.")  # how many, and nothing of what
    locked = leads.locator(".asked .phase", has_text="Locked")
    go_on(leads)
    expect(asked).to_contain_text("Locked")
    expect(locked).to_be_visible()
    leads.keyboard.press("a")
    expect(asked).to_contain_text("Second guess.")
    expect(locked).to_be_hidden()
    go_on(leads)
    expect(asked).to_contain_text("Locked")
    expect(locked).to_be_visible()
    expect(leads.get_by_role("button", name="Ask again")).to_be_hidden()
    settled(leads)
    go_on(leads)
    expect(asked).to_contain_text("not right")
    expect(follows.locator(".scene")).to_be_visible()
    expect(leads.locator(".scene")).to_be_visible()
    go_on(leads)
    bar(follows, f"Following · step {ASKS + 1} of {MANY}")


def test_the_lecturers_own_choices_ring_and_black_screen_reach_who_follows(visit: Callable[..., Page]) -> None:
    leads, follows = led_and_followed(visit, "CDFH")
    leads.keyboard.press("h")
    follows.wait_for_function("() => location.search.includes('head=2')")
    leads.keyboard.press("p")
    box = photo(leads).bounding_box()
    assert box
    leads.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(follows.locator(".lecture-ring")).to_be_visible()
    leads.keyboard.press("Escape")
    expect(follows.locator(".lecture-ring")).to_be_hidden()
    leads.keyboard.press("b")
    expect(follows.locator(".lecture-sheet")).to_be_visible()
    leads.keyboard.press("b")
    expect(follows.locator(".lecture-sheet")).to_be_hidden()
    leads.context.set_offline(True)
    leads.keyboard.press("PageDown")
    leads.context.set_offline(False)
    bar(follows, f"Following · step 3 of {MANY}")
    leads.keyboard.press("g")
    expect(leads.locator(".lecture-bar b")).to_contain_text("step 3")


def test_help_lists_the_keys_that_work_here(page: Page) -> None:
    open_board(page, "/heads")
    page.keyboard.press("?")
    listed = page.locator(".help dl")
    for says in ("layer, with Shift back", "second model or picture beside", "switches of the model"):
        expect(listed).to_contain_text(says)
    expect(listed).not_to_contain_text("screens black")
    lead_at_2(page, "CDFJ")
    page.keyboard.press("?")
    expect(listed).to_contain_text("screens black")
    for says in ("next step; a question asks", "previous step"):
        expect(listed).to_contain_text(says)
    expect(listed).not_to_contain_text("keep this view")
    expect(listed).not_to_contain_text("next and previous moment")
