"""What a token knows: from the hand to the painted frame, and how many bytes come, all parcels together."""

from playwright.sync_api import Browser, Page

from benchmarks.browser.times import at_rest, say
from benchmarks.report import Report
from tests.browser.probe import answered, tab
from tests.browser.server import Server
from tests.browser.watch import open_page

MODELS = {f"photograph model, {size} px": f"photo&sample=tabby&size={size}" for size in (224, 448)}
MOMENTS = ("alike", "elsewhere", "colours", "length")
PLACES = 16  # that the pointer visits in the photo
LAYERS = 26  # presses of the key, twice round and more
MOST = 1.5  # MB
SENT = """() => performance.getEntriesByType("resource")
    .filter(({ name }) => /\\/numbers\\//.test(name))
    .map(({ name, decodedBodySize }) => [name.split("?")[0].split("/").at(-1), decodedBodySize])"""


def measure(report: Report, browser: Browser, server: Server) -> None:
    """Each moment with each model: the pointer over the photo, then layer after layer, from numbers that lie here."""
    report.section(f"What a token knows: the pointer over the photo in {PLACES} places, {LAYERS} layers by key")
    for name, model in MODELS.items():
        with tab(browser, server) as page:
            for moment in MOMENTS:
                open_page(page, f"/what_a_token_knows?model={model}&moment={moment}")
                page.wait_for_function("() => globalThis.__vitviz_drawn?.digest", timeout=120_000)
                at_rest(page)
                if moment == MOMENTS[0]:
                    sent = {name: size for name, size in page.evaluate(SENT) if name.startswith("alike-")}
                    report.at_most(f"{name}: cosines", sum(sent.values()) / 1e6, MOST, ", ".join(sent), " MB")
                if moment == "elsewhere":  # whose layers come one by one
                    say(report, f"{name}, {moment}: pointer", _point(page), 33)
                    continue
                say(report, f"{name}, {moment}: pointer and layers", _point(page) + _press(page), 33)


def _point(page: Page) -> list[float]:
    box = page.locator(".photo canvas").bounding_box()
    assert box
    found = []
    for place in range(PLACES):
        across, down = (0.05 + 0.13 * place) % 1, (0.05 + 0.29 * place) % 1
        x, y = box["x"] + across * box["width"], box["y"] + down * box["height"]
        found.append(answered(page, "pointermove", lambda x=x, y=y: page.mouse.move(x, y)))  # type: ignore[misc]
    return [time for time in found if time is not None]


def _press(page: Page) -> list[float]:
    page.mouse.move(3, 3)
    found = [answered(page, "keydown", lambda: page.keyboard.press("l")) for _ in range(LAYERS)]
    return [time for time in found if time is not None]
