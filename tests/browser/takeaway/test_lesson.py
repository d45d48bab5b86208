"""A lesson is taken home from the app and opened without a network: one's guess, Python's answers, the explorer."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.board import point
from tests.browser.lecture.leading import bar, leading
from tests.browser.server import Server
from tests.browser.takeaway.told import strongest
from tests.browser.watch import open_page
from vitviz.lecture import lesson
from vitviz.lecture.payloads import question_payload
from vitviz.measures.attention import attention_weights
from vitviz.messages import Truth
from vitviz.takeaway.lesson.step_numbers import StepNumbers, give

LESSON = lesson("what_a_head_looks_at")
MANY = len(LESSON.steps)
ASKS, QUESTION = next(
    (at, asked) for at, step in enumerate(LESSON.steps, 1) if (asked := step.question) and asked.kind == "patch"
)
OPENS = next(at for at, step in enumerate(LESSON.steps, 1) if "moment=matrix" in step.view.address and at > 1)
CHOOSES = next(at for at, step in enumerate(LESSON.steps, 1) if step.question and step.question.kind == "choose")


def test_a_lesson_goes_home_with_the_guess_and_works_without_a_network(
    page: Page, offline: Callable[..., Page]
) -> None:
    given = give(LESSON)
    file = offline(taken_home(page))
    assert file.locator(".step").count() == MANY
    expect(file.locator(".score")).to_have_text(f"{MANY} steps, 5 questions. You guessed 1; right: 0.")
    asked = file.locator(f"#step-{ASKS}")
    expect(asked).to_contain_text("✗ Your guess: patch 1 (row 1, column 1), 0.0 % of it: not right.")
    expect(asked.locator(".right")).to_have_text(f"Right: {right(given, ASKS)['text']}")

    # Another one is answered here: it hides its picture until then.
    choice, answer = file.locator(f"#step-{CHOOSES}"), right(given, CHOOSES)
    expect(choice.locator(".picture")).to_be_hidden()
    choice.locator(".options button").nth(answer["option"]).click()
    expect(choice.locator(".guess")).to_contain_text("✓ Your guess: Still a cat: right.")
    expect(choice.locator(".picture")).to_be_visible()
    expect(file.locator(".score")).to_contain_text("You guessed 2; right: 1.")

    # The explorer opens where the step looks, with the number that Python says, and answers the hand.
    file.locator(f"#step-{OPENS} .explore").click()
    words = file.frame_locator("dialog iframe").locator(".readout")
    opened = given[OPENS - 1].opened
    assert opened
    view = opened.view
    row = attention_weights(opened.trace, view.layer)[view.head, view.query]
    expect(words).to_have_text(
        f"query patch {view.query} · layer {view.layer + 1} · head {view.head + 1} looks most at {strongest(row)}"
    )
    file.keyboard.press("h")
    first = attention_weights(opened.trace, view.layer)[0, view.query]
    expect(words).to_contain_text(f"head 1 looks most at {strongest(first)}")
    file.get_by_role("button", name="Back to the step").click()
    expect(file.locator("dialog iframe")).to_have_count(0)


def test_who_followed_takes_it_home_when_the_lecture_is_over(page: Page, server: Server) -> None:
    with leading(server, "HHHM") as leader:
        asked = {
            "question": question_payload(QUESTION),
            "view": LESSON.steps[ASKS - 1].view.address,
            "says": "Look.",
            "explains": "",
        }
        leader.say(move={"lesson": LESSON.name, "title": LESSON.title, "step": ASKS, "of": MANY, **asked})
        leader.say(ask=1)
        open_page(page, "/?room=HHHM")
        page.wait_for_function("() => globalThis.__vitviz_drawn?.digest")  # the photo stands
        guess_the_first_patch(page)
    expect(page.locator(".lecture-notice")).to_contain_text("The lecture is over")
    assert f'id="guesses">{{"{ASKS}":0}}<' in saved(page)
    expect(page.locator(".lecture-notice")).to_be_hidden()


def right(given: list[StepNumbers], step: int) -> Truth:
    truth = given[step - 1].truth
    assert truth
    return truth


def taken_home(page: Page) -> str:
    """The text of the file, taken at the end of the lesson; one question was answered on the way."""
    open_page(page, f"/?lesson={LESSON.name}&step={ASKS}")
    page.wait_for_function("() => globalThis.__vitviz_drawn?.digest")
    bar(page, f"Step {ASKS} of {MANY}")
    guess_the_first_patch(page)
    page.keyboard.type(str(MANY))
    page.keyboard.press("Enter")
    bar(page, f"Step {MANY} of {MANY} · The end")
    return saved(page)


def guess_the_first_patch(page: Page) -> None:
    expect(page.locator(".asked .asks")).to_have_text(QUESTION.asks)
    point(page, 1, click=True)
    expect(page.locator(".asked .own")).to_contain_text("Your guess: patch 1")


def saved(page: Page) -> str:
    """The text of the file that the browser saves."""
    with page.expect_download() as download:
        page.get_by_role("button", name="Take the lecture home").click()
    expect(page.get_by_text("Your browser saves What_does_a_head_look_at.html")).to_be_visible()
    return download.value.path().read_text(encoding="utf-8")
