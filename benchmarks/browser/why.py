"""Why this answer: from the hand to the painted frame, and how long the trial takes in the reader's browser."""

from statistics import median

from playwright.sync_api import Browser, Page

from benchmarks.browser.times import at_rest, say
from benchmarks.report import Report
from tests.browser.probe import answered, tab
from tests.browser.server import Server
from tests.browser.watch import open_page

MOMENTS = {"sum": "lh", "maps": "r", "trial": "r", "randomised": "r"}  # with the keys that act
LARGER = {"sum": "lh", "maps": "r"}  # those that begin unasked with the photograph model
PLACES, PRESSES = 12, 10
SAMPLES, FILLS = ("cat", "fish"), ("blur", "mean colour")  # grey is made when the page is opened
# Another fill puts all maps to trial anew: from the click to the last point, in milliseconds.
TRY = """([begun, button]) => new Promise((done) => {
    const began = performance.now();
    let seen = false;
    const look = () => {
        seen ||= !begun.hidden;
        if (seen && begun.hidden) return done(performance.now() - began);
        requestAnimationFrame(look);
    };
    button.click();
    look();
})"""


def measure(report: Report, browser: Browser, server: Server) -> None:
    """Each moment with each model: the pointer over photo and scene, keys; then the trial, again and again."""
    report.section(f"Why this answer: {PLACES} places of photo and scene each, keys; the trial in the browser")
    for name, model, moments in (("demo", "demo", MOMENTS), ("photograph model", "photo&sample=tabby", LARGER)):
        with tab(browser, server) as page:
            for moment, keys in moments.items():
                open_page(page, f"/why_this_answer?model={model}&moment={moment}")
                page.wait_for_function("() => globalThis.__vitviz_drawn?.digest", timeout=120_000)
                at_rest(page)
                if name == "demo":
                    page.locator(".begun").wait_for(state="hidden", timeout=120_000)
                say(report, f"{name}, {moment}", _point(page) + _press(page, keys), 33)
    took = []
    with tab(browser, server) as page:
        for sample in SAMPLES:
            open_page(page, f"/why_this_answer?sample={sample}&moment=trial")
            at_rest(page)
            begun = page.locator(".begun")
            begun.wait_for(state="hidden", timeout=120_000)
            for fill in FILLS:
                button = page.get_by_role("button", name=fill, exact=True)
                took.append(page.evaluate(TRY, [begun.element_handle(), button.element_handle()]) / 1000)
                at_rest(page)
        cores = page.evaluate("() => navigator.hardwareConcurrency")
    why = f"six maps and chance, 13 points each way; median {median(took):.2f} s of {len(took)}, {cores} cores"
    report.at_most("demo: all curves, in the browser", min(took), 2, why, " s")


def _point(page: Page) -> list[float]:
    found = []
    for selector in (".photo canvas", ".scene canvas.fill"):
        box = page.locator(selector).bounding_box()
        assert box
        for place in range(PLACES):
            across, down = (0.06 + 0.11 * place) % 1, (0.1 + 0.27 * place) % 1
            x, y = box["x"] + across * box["width"], box["y"] + down * box["height"]
            found.append(answered(page, "pointermove", lambda x=x, y=y: page.mouse.move(x, y)))  # type: ignore[misc]
    return [time for time in found if time is not None]


def _press(page: Page, keys: str) -> list[float]:
    page.mouse.move(3, 3)
    presses = [key for _ in range(PRESSES) for key in keys]
    found = [answered(page, "keydown", lambda key=key: page.keyboard.press(key)) for key in presses]  # type: ignore[misc]
    return [time for time in found if time is not None]
