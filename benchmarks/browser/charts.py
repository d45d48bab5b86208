"""From a movement of the hand to the painted frame on charts: handles that are dragged, planes, what is pointed at."""

from playwright.sync_api import Browser, Page

from benchmarks.browser.times import at_rest, say
from benchmarks.report import Report
from tests.browser.probe import tab
from tests.browser.server import Server
from tests.browser.watch import open_page

# By page: what the hand takes hold of, or "" for a plot that it only moves over.
CHARTS = {
    "growth": "[data-handle] path",
    "build_a_vit": "[data-handle] line",
    "find_the_model": "figure svg.anywhere",
    "arithmetic": "",
    "first_values": "",
}
MOVES = 24
# ms from the next movement of the pointer to the painted frame in which a chart has changed; null where none does.
ANSWERED = """() => {
    const MOST_FRAMES = 30; // frames
    const charts = [...document.querySelectorAll("[data-testid=stBidiComponentIsolated]")]
        .flatMap(({ shadowRoot }) => [...(shadowRoot?.querySelectorAll("figure") ?? [])]);
    const painted = (call) => requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = call;
        port2.postMessage(0);
    });
    globalThis.__chart = new Promise((done) => {
        addEventListener("pointermove", ({ timeStamp }) => {
            let changed = false;
            const watch = new MutationObserver(() => { changed = true; });
            for (const it of charts) watch.observe(it, { childList: true, subtree: true, characterData: true });
            const look = (frames) => painted(() => {
                if (changed) done(performance.now() - timeStamp);
                else if (frames < MOST_FRAMES) return look(frames + 1);
                else done(null);
                watch.disconnect();
            });
            look(0);
        }, { capture: true, once: true });
    });
}"""


def measure(report: Report, browser: Browser, server: Server) -> None:
    """A page after the other; the hand goes to and fro over a chart, with what it holds where there is a handle."""
    report.section(f"Charts: movement to painted frame, {MOVES} movements on each")
    for stem, handle in CHARTS.items():
        with tab(browser, server) as page:
            open_page(page, f"/{stem}?model=demo")
            at_rest(page)
            say(report, f"{stem}, {'dragged' if handle else 'pointed at'}", _moved(page, handle), 33)


def _moved(page: Page, handle: str) -> list[float]:
    held = page.locator(handle or "figure svg").first
    held.scroll_into_view_if_needed()
    plot, box = page.locator("figure svg").first.bounding_box(), held.bounding_box()
    assert plot
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    if handle:
        page.mouse.down()
    found = []
    for move in range(MOVES):
        away = (0.3 * plot["width"] * (move % 12 - 6) / 6, 0.3 * plot["height"] * (move % 8 - 4) / 4)
        page.evaluate(ANSWERED)
        page.mouse.move(x + away[0], y + away[1])
        found.append(page.evaluate("() => __chart"))
    if handle:
        page.mouse.up()
    return [time for time in found if time is not None]
