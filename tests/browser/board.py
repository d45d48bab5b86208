"""How browser tests point at the board of the demo model, and read off what it shows."""

from base64 import b64decode
from collections.abc import Callable

import numpy as np
from playwright.sync_api import Locator, Page, expect

from tests.browser.watch import go, open_page, pictured
from vitviz.scripts.sizes import weights_scale

TOKENS, GRID, LAYERS, HEADS = 145, 12, 6, 4
SHARED = 8 / TOKENS  # the shared scale's end
LEFT, TOP = 62, 24  # pixels of the wall for names
DARK = 0.68  # of the light of a patch of the photo goes where nobody looks

# As letters: a list of a million numbers takes Playwright a second.
PIXELS = """(canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let letters = "";
    for (let at = 0; at < data.length; at += 8192) letters += String.fromCharCode(...data.subarray(at, at + 8192));
    return { width: canvas.width, height: canvas.height, data: btoa(letters) };
}"""

LISTEN = """() => {
    globalThis.__painted = new Map();
    const paint = CanvasRenderingContext2D.prototype.fillText;
    const clear = CanvasRenderingContext2D.prototype.clearRect;
    CanvasRenderingContext2D.prototype.clearRect = function (...box) {
        globalThis.__painted.delete(this.canvas);
        return clear.apply(this, box);
    };
    CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
        const painted = globalThis.__painted;
        painted.set(this.canvas, [...(painted.get(this.canvas) ?? []), text]);
        return paint.call(this, text, ...rest);
    };
}"""


def show(page: Page, path: str, *, complete: bool = True) -> None:
    """Open a page of the board, or go there from another, and wait until it has drawn all that comes at once."""
    if page.evaluate("() => Boolean(globalThis.__painted)"):
        go(page, path)
    else:
        page.add_init_script(f"({LISTEN})()")
        open_page(page, path)
    pictured(page)
    if complete:
        arrived(page)
    drawn(page)


def arrived(page: Page) -> None:
    """Wait until nothing that is said on the board is on its way."""
    board = page.locator(".board").element_handle()
    page.wait_for_function("(board) => !/on (its|their) way/.test(board.innerText)", arg=board)


def drawn(page: Page) -> None:
    """Wait for the next frame but one: what was asked for is then on screen."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


STILL = """(seen) => {
    const { count } = globalThis.__vitviz_drawn;
    seen.frames = count === seen.count ? seen.frames + 1 : 0;
    seen.count = count;
    return seen.frames > 2;
}"""


def still(page: Page) -> None:
    """Wait until a movement has ended: three frames in which nothing is drawn anew."""
    drawn(page)
    page.wait_for_function(STILL, arg=page.evaluate_handle("() => ({ count: -1, frames: 0 })"), polling="raf")


WRITTEN = """(text) => [...globalThis.__painted].some(
    ([canvas, texts]) => canvas.closest?.(".scene") && texts.join("\\n").includes(text))"""


def written(page: Page, text: str) -> None:
    """Wait until a canvas of the scene says this: its numbers may come from elsewhere."""
    page.wait_for_function(WRITTEN, arg=text)


NOTE = """([board, selector]) => {
    const notes = [];
    const look = () => {
        const text = board.querySelector(selector)?.innerText.replaceAll(/\\s+/g, " ").trim();
        if (text !== undefined && text !== notes.at(-1)) notes.push(text);
    };
    look();
    new MutationObserver(look).observe(board, { childList: true, characterData: true, subtree: true });
    return notes;
}"""


def noted(page: Page, selector: str) -> Callable[[], list[str]]:
    """Write down from now on what a part of the board says; a function that tells all of it, in order."""
    notes = page.evaluate_handle(NOTE, [page.locator(".board").element_handle(), selector])
    return notes.json_value


def photo(page: Page) -> Locator:
    return page.locator(".photo:not(.second) canvas")


def readout(page: Page) -> str:
    return " ".join(page.locator(".photo:not(.second) .readout").inner_text().split())


def texts(page: Page) -> str:
    """What is written on the canvases of the scene now, one text per line."""
    drawn(page)
    painted = (
        """() => [...globalThis.__painted].filter(([canvas]) => canvas.closest?.(".scene")).flatMap(([, it]) => it)"""
    )
    return "\n".join(page.evaluate(painted))


def headline(page: Page) -> str:
    line = page.locator(".headline")
    expect(line).not_to_be_empty()
    return " ".join(line.inner_text().split())


def point(page: Page, patch: int, click: bool = False) -> None:
    """Point at a patch of the photo, counted from 1."""
    row, column = divmod(patch - 1, GRID)
    at(page, photo(page), (column + 0.5) / GRID, (row + 0.5) / GRID, click)


def at(page: Page, area: Locator, x: float, y: float, click: bool = False) -> None:
    """Point at a place of an area, in shares of its width and height."""
    box = area.bounding_box()
    assert box
    place = box["x"] + x * box["width"], box["y"] + y * box["height"]
    page.mouse.move(*place)
    if click:
        page.mouse.click(*place)
    drawn(page)


def away(page: Page) -> None:
    """Take the pointer off the board."""
    page.mouse.move(3, 3)
    drawn(page)


def tile(page: Page, layer: int, row: int, click: bool = False) -> None:
    """Point at a tile of the wall; layer and row count from 1, and the last row is the mean or the rollout."""
    wall = page.locator("canvas.wall")
    box = wall.bounding_box()
    assert box
    side = (box["width"] - LEFT) / LAYERS
    x, y = LEFT + (layer - 0.5) * side, TOP + (row - 0.5) * side
    at(page, wall, x / box["width"], y / box["height"], click)


def rgba(canvas: Locator) -> np.ndarray:
    """What a canvas shows: `h w rgba`."""
    image = canvas.evaluate(PIXELS)
    return np.frombuffer(b64decode(image["data"]), np.uint8).reshape(image["height"], image["width"], 4)


def wall_steps(page: Page) -> np.ndarray:
    """Steps of the colour scale in the middle of all cells of the wall, drawn in colours: `layer row patch`."""
    pixels = rgba(page.locator("canvas.wall"))
    side = (pixels.shape[1] - LEFT) // LAYERS
    size = side - max(1, round(side * 0.07))
    places = ((np.arange(GRID) + 0.5) * size / GRID).astype(int).clip(4, size - 5)  # not under the frame of a tile
    rows = []
    for layer in range(LAYERS):
        for row in range(HEADS + 1):
            across, down = LEFT + layer * side + places, TOP + row * side + places
            rows.append(steps(pixels[np.ix_(down, across)]))
    return np.array(rows).reshape(LAYERS, HEADS + 1, GRID * GRID)


def matrix_steps(page: Page) -> np.ndarray:
    """Steps of the colour scale in the middle of all cells of the matrix: `query key`."""
    pixels = rgba(page.locator("canvas.matrix"))
    places = ((np.arange(TOKENS) + 0.5) * pixels.shape[0] / TOKENS).astype(int)
    return steps(pixels[np.ix_(places, places)])


def steps(pixels: np.ndarray) -> np.ndarray:
    """The steps of the colour scale that pixels have, -1 where they are none."""
    scale = np.array(weights_scale(), np.uint8).reshape(256, 3)
    place = {tuple(colour): step for step, colour in enumerate(scale.tolist())}
    found = [place.get(tuple(rgb), -1) for *rgb, _ in pixels.reshape(-1, 4).tolist()]
    return np.array(found).reshape(pixels.shape[:2])


def close(shown: np.ndarray, weights: np.ndarray, top: float = SHARED) -> bool:
    """Whether steps are those of `weights`: one byte is off by up to √(a · row maximum) / 255, and both are rounded."""
    expected = np.minimum(255, np.round(255 * weights / top))
    return bool(np.abs(shown - expected).max() <= 2 + np.sqrt(max(1, weights.max() / top)))


def brightness(page: Page) -> np.ndarray:
    """Mean of the middle of every patch of the photo as it is painted: one number per patch."""
    pixels = rgba(photo(page))[..., :3].astype(float).mean(axis=2)
    cell = pixels.shape[0] / GRID
    spans = [slice(round((at + 0.25) * cell), round((at + 0.75) * cell)) for at in range(GRID)]
    return np.array([pixels[down, across].mean() for down in spans for across in spans])


def unlit(page: Page, query: int) -> tuple[np.ndarray, np.ndarray]:
    """`brightness` of the photo without light, and the patches that no frame around the query covers."""
    show(page, f"/patch_grid?query={query}&moment=3")
    away(page)
    row, column = np.divmod(np.arange(GRID * GRID), GRID)
    (down, across) = divmod(query - 1, GRID)
    far = np.maximum(np.abs(row - down), np.abs(column - across)) > 1
    return brightness(page), far


def asked(page: Page) -> set[str]:
    """What the address asks for."""
    return set(filter(None, page.url.partition("?")[2].split("&")))
