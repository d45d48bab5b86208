"""How browser tests point at the explorer of the demo model, and read off what it shows."""

import numpy as np
from playwright.sync_api import Page

from tests.browser.watch import open_page
from vitviz.ui.explorer.messages import colours

TOKENS, GRID, LAYERS, HEADS = 145, 12, 6, 4
SHARED = 8 / TOKENS  # the shared scale's end

PIXELS = """(canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return { width: canvas.width, height: canvas.height, data: Array.from(data) };
}"""


def explore(page: Page, query: str = "") -> None:
    """Open the Heads page in a window that shows all of the explorer, and wait until it has drawn everything."""
    if page.viewport_size and page.viewport_size["width"] > 1000:
        page.set_viewport_size({"width": 1280, "height": 1700})
    open_page(page, f"/heads{query}")
    page.wait_for_function("() => globalThis.__vitviz?.drawn?.count > 0")
    drawn(page)


def drawn(page: Page) -> None:
    """Wait for the next frame but one: what was asked for is then on screen."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def choose(page: Page, layer: int, head: int, query: int, shows: str = "row") -> None:
    """Set the view by hand; layer, head and patch count from 1, and query 0 is the class token."""
    page.locator("[name=layer]").fill(str(layer))
    page.locator(f'[name=shows][value="{shows}"]').check(force=True)
    if shows != "rollout":
        page.locator("[name=head]").fill(str(head))
    page.locator("[data-area=picture]").press("Escape")
    if query:
        point(page, query)
    else:
        page.get_by_role("button", name="[class]").click()
    page.mouse.move(5, 5)
    drawn(page)


def point(page: Page, patch: int, click: bool = False) -> None:
    """Point at a patch of the picture, counted from 1."""
    box = page.locator("[data-area=picture]").bounding_box()
    row, column = divmod(patch - 1, GRID)
    at(page, "picture", (column + 0.5) / GRID, (row + 0.5) / GRID, click)
    assert box == page.locator("[data-area=picture]").bounding_box(), "the picture moved under the pointer"


def at(page: Page, area: str, x: float, y: float, click: bool = False) -> None:
    """Point at a place of an area, in shares of its width and height."""
    box = page.locator(f"[data-area={area}]").bounding_box()
    assert box
    place = box["x"] + x * box["width"], box["y"] + y * box["height"]
    page.mouse.move(*place)
    if click:
        page.mouse.click(*place)
    drawn(page)


def steps(page: Page, selector: str) -> np.ndarray:
    """The steps of the colour scale that a canvas shows, -1 where it is empty: h w."""
    image = page.locator(selector).evaluate(PIXELS)
    rgba = np.array(image["data"], np.uint8).reshape(image["height"], image["width"], 4)
    place = {tuple(colour): step for step, colour in enumerate(colours().tolist())}
    flat = [place[tuple(rgb)] if alpha == 255 else -1 for *rgb, alpha in rgba.reshape(-1, 4).tolist()]
    return np.array(flat).reshape(rgba.shape[:2])


def expected(weights: np.ndarray, top: float = SHARED) -> np.ndarray:
    """The steps that the colour scale has for weights."""
    return np.minimum(255, np.round(255 * weights / top))


def close(shown: np.ndarray, weights: np.ndarray, top: float = SHARED) -> bool:
    """Whether steps are those of `weights`: one byte is off by up to √(a · row maximum) / 255, and both are rounded."""
    return bool(np.abs(shown - expected(weights, top)).max() <= 2 + np.sqrt(max(1, weights.max() / top)))


def sentence(page: Page) -> str:
    return page.locator("[data-sentence]").inner_text()


def said(page: Page) -> str:
    return page.locator("[data-value]").inner_text()


def held(page: Page) -> bool:
    """Whether the instrument says, in words and with its switch, that the query is pinned."""
    assert page.get_by_text("pinned · Esc lets go").is_visible() == page.locator("[name=pinned]").is_checked()
    return page.locator("[name=pinned]").is_checked()


def shown(page: Page) -> tuple[str, str]:
    """Layer and head, as their sliders say."""
    return page.locator("[data-layer]").inner_text(), page.locator("[data-head]").inner_text()


def asked(page: Page) -> set[str]:
    """What the link asks for."""
    return set(page.url.partition("?")[2].split("&"))


def thumbnail(page: Page, layer: int, head: int, patch: int, click: bool = False) -> None:
    """Point at a patch of a map of the wall; all three count from 1."""
    row, column = divmod(patch - 1, GRID)
    x, y = (layer - 1 + (column + 0.5) / (GRID + 1)) / LAYERS, (head - 1 + (row + 0.5) / (GRID + 1)) / (HEADS + 1)
    at(page, "wall", x, y, click)
