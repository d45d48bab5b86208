"""From a movement of the hand to the painted frame, on every scene, and what it makes the browser send."""

from playwright.sync_api import Browser, Page

from benchmarks.browser.times import at_rest, say
from benchmarks.report import Report
from tests.browser.probe import answered, tab
from tests.browser.server import Server
from tests.browser.watch import open_page
from vitviz.pages import ON_BOARD

MODELS = ("demo", "vit_base_patch16_224")
ROUNDS = 3  # a moment further in each
PLACES = 8  # that the pointer visits in the photo, and in the scene, in a round
KEYS = ("ArrowRight", "ArrowDown", "l", "h", "ArrowLeft", "ArrowUp", "L", "H")


def measure(report: Report, browser: Browser, server: Server) -> None:
    """The scenes in turn, the small model and the large one in turn, a few movements each, and again."""
    report.section(f"Event to painted frame: pointer over photo and scene, keys; {ROUNDS} rounds over all scenes")
    times: dict[tuple[str, str], list[float]] = {(stem, model): [] for stem in ON_BOARD for model in MODELS}
    sent = 0
    with tab(browser, server) as small, tab(browser, server) as large:
        pages = dict(zip(MODELS, (small, large), strict=True))
        for model, page in pages.items():
            open_page(page, f"/heads?model={model}")
            page.wait_for_function("() => globalThis.__vitviz_drawn?.digest", timeout=120_000)
            at_rest(page)
        for turn in range(ROUNDS):
            for stem in ON_BOARD:
                for model, page in pages.items():
                    page.locator(f'.strip a[data-stem="{_address(stem)}"]').click()
                    for _ in range(turn):
                        page.keyboard.press("PageDown")
                    at_rest(page)
                    before = page.evaluate("() => __traffic.messages")
                    times[stem, model] += _point(page, turn)
                    sent += page.evaluate("() => __traffic.messages") - before
                    times[stem, model] += _press(page)
    for (stem, model), found in times.items():
        say(report, f"{stem}, {model}", found, 33)
    report.at_most("messages to Python while the pointer moves, all of it", sent, 0, "all scenes, both models")


def _point(page: Page, turn: int) -> list[float]:
    found = []
    for selector in (".photo canvas", ".scene"):
        box = page.locator(selector).bounding_box()
        assert box
        for place in range(PLACES):
            across, down = (0.06 + 0.11 * place + 0.03 * turn) % 1, (0.1 + 0.27 * place + 0.07 * turn) % 1
            x, y = box["x"] + across * box["width"], box["y"] + down * box["height"]
            found.append(answered(page, "pointermove", lambda x=x, y=y: page.mouse.move(x, y)))  # type: ignore[misc]
    return [time for time in found if time is not None]


def _press(page: Page) -> list[float]:
    found = [answered(page, "keydown", lambda key=key: page.keyboard.press(key)) for key in KEYS]  # type: ignore[misc]
    return [time for time in found if time is not None]


def _address(stem: str) -> str:
    return "" if stem == "overview" else stem
