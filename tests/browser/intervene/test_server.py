"""Where the server runs the model: what a hand sees while it drags, and what at rest."""

from itertools import pairwise

from playwright.sync_api import Page

from tests.browser.board import show
from tests.browser.frame import rest
from tests.browser.intervene.hand import agrees, on_the_server, switch

# A hand that drags in steps of 16 ms, in the page, where no busy machine lets it rest. Written down: each question for
# the names of numbers, with those that had come before it; whose answer the screen shows; and where the model runs.
DRAG = """([board, button, x, y]) => {
    const drag = globalThis.__drag = { on: true, questions: [], shown: [], where: [] };
    const [{ fetch }, came] = [window, new Set()];
    window.fetch = async (url, how) => {
        const { pathname, searchParams } = new URL(url, location.href);
        const name = decodeURIComponent(pathname.split("/").at(-1));
        const edits = searchParams.get("edits") ?? "";
        if (pathname.includes("/numbers/") && !name)
            drag.questions.push({ edits, at: performance.now(), had: [...came] });
        const answer = await fetch(url, how);
        came.add(name);
        return answer;
    };
    const [happened, where] = [".happened", ".where"].map((it) => board.querySelector(it));
    const look = () => {
        drag.shown.push(happened.dataset.edits ?? "");
        drag.where.push(where.textContent);
    };
    new MutationObserver(look).observe(happened, { attributes: true, attributeFilter: ["data-edits"] });
    let step = 0;
    const move = () => {
        if (!drag.on) return;
        const off = Math.abs((++step % 40) - 20) * 3 - 57;
        const place = { clientX: x + off, clientY: y, buttons: 1, pointerId: 1, bubbles: true };
        button.dispatchEvent(new PointerEvent("pointermove", place));
        setTimeout(move, 16);
    };
    move();
}"""
LOST_AFTER_MS = 5000  # ms after which an answer may have been lost


def test_a_hand_that_drags_sees_the_newest_answer_and_at_rest_the_exact_one(page: Page) -> None:
    on_the_server(page, "/intervene?sample=left&runs=server")
    rest(page)
    button = switch(page, "attention of layer 5")
    box = button.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    before = page.evaluate("() => __traffic.messages")
    page.mouse.move(x, y)
    page.mouse.down()
    page.evaluate(DRAG, [page.locator(".board").element_handle(), button.element_handle(), x, y])
    page.wait_for_function("() => new Set(__drag.shown.filter(Boolean)).size > 3")
    drag = page.evaluate("() => { __drag.on = false; return __drag; }")
    assert all(where.startswith("the server runs the model") for where in drag["where"])
    questions = drag["questions"]
    asked = [question["edits"] for question in questions]
    assert set(drag["shown"]) <= {"", *asked}
    assert all(edits.startswith("a5*") for edits in asked)
    for earlier, later in pairwise(questions):
        whole = {"lens", "row"} == {name.split()[0] for name in later["had"] if name.endswith(f" {earlier['edits']}")}
        assert whole or later["at"] - earlier["at"] >= LOST_AFTER_MS, "one question at a time"
    page.mouse.move(x + 30, y)  # where the drag has never been
    page.mouse.up()
    agrees(page, "a5*1.5")
    assert page.locator(".where").inner_text() == "the server runs the model"
    rest(page)
    questions = page.evaluate("() => __drag.questions")
    assert page.evaluate("() => __traffic.messages") == before, "no script has run"
    asked = [question["edits"] for question in questions]
    assert asked.count("a5*1.5") == 1, asked


def test_a_large_model_is_dragged_on_its_server(page: Page) -> None:
    show(page, "/heads?sample=left&model=vit_tiny_patch16_224&switches=open")
    page.locator(".folded .where", has_text="the server runs the model").wait_for()
    switch(page, "block of layer 2").click()
    page.locator('.folded .happened[data-edits="b2*0"]').wait_for()
    assert page.locator(".folded .happened").inner_text().startswith("Layer 2 off: ")
