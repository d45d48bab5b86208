"""A lecture can be read and pressed by everybody, in light and dark, on a projector and on a phone."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.lecture.leading import bar, go_on
from tests.browser.lecture.test_alone import ASKS, LESSON, at, open_step
from tests.browser.watch import open_page, settled, violations
from vitviz.lecture import LESSONS, lesson
from vitviz.lecture.payloads import link_to

TOUR = lesson(LESSONS[0])
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
BOXES = """() => {
    const root = document.querySelector(".st-key-board-place [data-testid=stBidiComponentIsolated]").shadowRoot;
    const boxes = [...root.querySelectorAll(".lecture-bar button, .lecture-recording button")]
        .filter((it) => it.checkVisibility()).map((it) => it.getBoundingClientRect());
    const said = [...root.querySelectorAll(".headline, .lecture-said")].find((it) => it.checkVisibility());
    return {
        wide: document.scrollingElement.scrollWidth,
        least: Math.min(...boxes.flatMap(({ width, height }) => [width, height])),
        right: Math.max(...boxes.map(({ right }) => right)),
        between: root.querySelector(".lecture-bar").getBoundingClientRect().top - said.getBoundingClientRect().bottom,
    };
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_step_a_question_and_what_is_kept_have_contrast_and_names(visit: Callable[..., Page], scheme: str) -> None:
    page = visit(color_scheme=scheme, viewport={"width": 1280, "height": 720})
    for step in (2, ASKS):
        open_step(page, step)
        settled(page)
        assert violations(page) == []
    open_page(page, "/growth?record=yes")
    page.get_by_role("button", name="Keep this view").wait_for()
    page.keyboard.press("k")
    expect(page.get_by_label("What is said at step 1")).to_be_focused()
    page.keyboard.press("k")
    expect(page.locator(".lecture-recording li")).to_have_count(1)  # the second one was typed into the first
    assert violations(page) == []


def test_on_a_phone_buttons_are_for_thumbs_and_cover_no_sentence(visit: Callable[..., Page]) -> None:
    page = visit(**PHONE)
    for path in (f"/?lesson={LESSON}&step={ASKS}", f"/growth?lesson={LESSON}&step=2", "/heads?record=yes"):
        open_page(page, path)
        page.locator(".lecture-bar").wait_for()
        settled(page)
        if f"step={ASKS}" in path:
            expect(page.locator(".asked .phase")).to_have_text("Tap the patch on the photo.")
        if "record" in path:
            page.get_by_role("button", name="Keep this view").tap()
        found = page.evaluate(BOXES)
        assert found["wide"] <= 390, path
        assert found["least"] >= 44, path
        assert found["right"] <= 390, path
        assert found["between"] > 0, path


def test_on_a_phone_the_next_sentence_comes_on_screen(visit: Callable[..., Page]) -> None:
    page = visit(**PHONE)
    open_step(page, 1)
    settled(page)
    page.locator(".count").scroll_into_view_if_needed()
    expect(page.locator(".sentence")).not_to_be_in_viewport()
    page.get_by_role("button", name="Next ›").tap()
    bar(page, at(2))
    expect(page.locator(".sentence")).to_be_in_viewport()


def longest(kind: str) -> int:
    """The step of the tour that asks like this, with most words, from 1."""
    words = {
        at: len(f"{step.says} {step.explains} {step.question}")
        for at, step in enumerate(TOUR.steps, 1)
        if step.question and step.question.kind == kind
    }
    return max(words, key=words.__getitem__)


def on_screen(page: Page, *parts: str) -> None:
    """These parts lie between the top of the window and the bar at its foot."""
    foot = page.locator(".lecture-bar").bounding_box()
    assert foot
    for part in parts:
        box = page.locator(part).bounding_box()
        assert box, part
        assert box["y"] >= 0, part
        assert box["y"] + box["height"] <= foot["y"], part


@pytest.mark.parametrize("kind", ["choose", "number", "patch", "pair"])
def test_on_a_phone_all_of_a_question_and_of_its_answer_is_on_the_first_screen(
    visit: Callable[..., Page], kind: str
) -> None:
    page = visit(**PHONE)
    step = longest(kind)
    open_page(page, f"/?lesson={TOUR.name}&step={step}")
    page.locator(".asks").wait_for()
    settled(page)
    photo = page.locator(".photo canvas")
    on_screen(page, ".sentence", ".asks", ".asked > :nth-child(2)", ".asked .phase", ".photo canvas")
    if kind == "choose":
        page.locator(".options button").first.tap()
    elif kind == "number":
        page.locator(".scale-guess input").tap()
        page.locator(".scale-guess .send").tap()
    else:
        for place in (60, 100)[: 1 + (kind == "pair")]:
            photo.tap(position={"x": place, "y": place})
    expect(page.locator(".asked .own")).to_contain_text("Your guess: ")
    go_on(page)
    expect(page.locator(".truth")).to_be_visible()
    settled(page)
    where = ".legend" if kind in ("patch", "pair") else ".sums"
    on_screen(page, ".sentence", ".asks", ".truth", ".result .own", where, ".photo canvas")


@pytest.mark.parametrize("stem", ["patch_grid", "position_embedding", "heads", "encoder_block", "intervene"])
def test_on_a_phone_what_a_step_speaks_of_is_on_the_first_screen(visit: Callable[..., Page], stem: str) -> None:
    page = visit(**PHONE)
    step = max(at for at, it in enumerate(TOUR.steps, 1) if it.view.page == stem and not it.question)
    open_page(page, f"/{link_to(TOUR.steps[step - 1].view, TOUR.name, step)}")
    settled(page)
    on_screen(page, ".sentence", ".photo canvas")
    scene, foot = page.locator(".scene").bounding_box(), page.locator(".lecture-bar").bounding_box()
    assert scene
    assert foot
    assert foot["y"] - scene["y"] > 300


def test_a_sentence_of_two_lines_leaves_all_of_the_board_on_the_projector(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    open_step(page, 2)
    size = page.locator(".headline").evaluate("(it) => parseFloat(getComputedStyle(it).fontSize)")
    assert size >= 28
    count, foot = page.locator(".count").bounding_box(), page.locator(".lecture-bar").bounding_box()
    assert count
    assert foot
    assert count["y"] + count["height"] <= foot["y"]
    assert page.evaluate("() => document.scrollingElement.scrollHeight") <= 720
