"""Where the server runs the model: what a hand sees while it drags, and what at rest."""

from playwright.sync_api import Page

from tests.browser.board import show
from tests.browser.intervene.hand import agrees, on_the_server, switch


def test_a_hand_that_drags_sees_the_newest_answer_and_at_rest_the_exact_one(page: Page) -> None:
    on_the_server(page, "/intervene?sample=left&runs=server")
    box = switch(page, "attention of layer 5").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    before = page.evaluate("() => __traffic.messages")
    page.mouse.move(x, y)
    page.mouse.down()
    positions = [*range(0, 60, 3), *range(60, -60, -3)]
    seen: dict[str, str] = {}
    for at in positions * 3:
        page.mouse.move(x + at, y)
        page.wait_for_timeout(25)
        shown, moved, where = page.evaluate(
            "(board) => ['.happened', '.moved', '.where'].map((it) => board.querySelector(it)).map("
            "(it, at) => (at ? it.textContent : it.dataset.edits ?? ''))",
            page.locator(".board").element_handle(),
        )
        seen[shown] = moved
        assert where.startswith("the server runs the model")
        if len(seen) > 3:
            break
    asked = page.evaluate("() => __traffic.messages") - before
    assert len([text for text in seen if text.startswith("a5*")]) >= 2, seen
    assert asked <= len(seen) + 2, "one question at a time"
    page.mouse.move(x - 30, y)
    page.mouse.up()
    agrees(page, "a5*0.5")
    assert page.locator(".where").inner_text() == "the server runs the model"


def test_a_large_model_is_dragged_on_its_server(page: Page) -> None:
    show(page, "/heads?sample=left&model=vit_tiny_patch16_224&switches=open")
    page.locator(".folded .where", has_text="the server runs the model").wait_for()
    switch(page, "block of layer 2").click()
    page.locator('.folded .happened[data-edits="b2*0"]').wait_for()
    assert page.locator(".folded .happened").inner_text().startswith("Layer 2 off: ")
