"""Why something else is shown than what was asked for covers nothing that is pressed, and a key closes it."""

from playwright.sync_api import Page, expect

from tests.browser.frame import drawn, open_board, rest
from tests.browser.models.conftest import NAME
from tests.browser.photographs.test_own_photograph import drop

HALL, PHONE = ((1024, 560), (1366, 625), (1280, 720)), (390, 844)
COVERED = """() => {
    const inside = ({ shadowRoot }) => (shadowRoot ? all(shadowRoot) : []);
    const all = (root) => [...root.querySelectorAll("*")].flatMap((it) => [it, ...inside(it)]);
    const notice = document.querySelector(".st-key-notices");
    return all(document).flatMap((it) => {
        if (!it.matches("button, a[href], input, select, summary") || it.closest(".st-key-notices")) return [];
        if (!it.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return []; // a closed menu
        const { left, top, width, height } = it.getBoundingClientRect();
        const hit = width && document.elementFromPoint(left + width / 2, top + height / 2);
        return hit && notice.contains(hit) ? [it.textContent || it.ariaLabel] : [];
    });
}"""


def covered(page: Page) -> list[str]:
    """What is pressed and lies under a notice, in the windows of a hall."""
    found = []
    for width, height in HALL:
        page.set_viewport_size({"width": width, "height": height})
        drawn(page)
        found += [f"{width}x{height} {it}" for it in page.evaluate(COVERED)]
    return found


def test_a_refusal_covers_nothing_that_is_pressed_and_is_closed_until_it_is_new(page: Page) -> None:
    open_board(page, "/heads")
    notice = page.locator(".st-key-notices").get_by_role("alert")
    close = page.locator(".st-key-notices").get_by_role("button", name="Close")
    drop(page, b"no picture")
    expect(notice).to_be_visible()
    rest(page)
    assert covered(page) == []
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    drawn(page)
    box = close.bounding_box()
    assert box
    assert min(box["width"], box["height"]) >= 24
    close.press("Enter")
    expect(notice).to_have_count(0)
    page.set_viewport_size({"width": HALL[0][0], "height": HALL[0][1]})
    page.keyboard.press("l")
    rest(page)
    expect(notice).to_have_count(0)
    drop(page, b"no picture")
    expect(notice).to_be_visible()


def test_an_offer_covers_nothing_that_is_pressed(page: Page) -> None:
    open_board(page, f"/heads?model={NAME}")
    expect(page.get_by_role("button", name="Stay with demo")).to_be_visible()
    assert covered(page) == []
