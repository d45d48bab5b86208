"""The pictures of the README: `make screenshots` makes `docs/heads.webp`, ten seconds of the page Heads, and
`docs/take_away.webp`, the menu of what can be taken away.

Nothing is filmed: each frame is a step of the hand, drawn to its end, so that a busy machine makes the same picture.
"""

import sys
from collections.abc import Iterator
from io import BytesIO
from itertools import pairwise

import numpy as np
from PIL import Image
from playwright.sync_api import Page

from tests.browser import chromium
from tests.browser.board import at, drawn, photo, show
from tests.browser.server import ROOT, serve
from tests.browser.watch import context_of

MOVING, MENU = ROOT / "docs" / "heads.webp", ROOT / "docs" / "take_away.webp"
LINK = "/heads?model=photo&sample=tabby&layer=1&head=2&query=120"
TAKEN = "/heads?sample=left&layer=5&head=2&query=40"
WINDOW = {"width": 1280, "height": 720}
SIZE = (960, 540)  # pixels
STEP = 125  # milliseconds
PATH = [(0.12, 0.15), (0.3, 0.45), (0.55, 0.4), (0.45, 0.6), (0.36, 0.88), (0.75, 0.6)]  # over the picture
ARROW = """() => {
    const arrow = document.createElement("div");
    arrow.style.cssText = "position: fixed; z-index: 1000000; pointer-events: none; width: 20px; height: 28px;"
        + "background: white; clip-path: polygon(0 0, 0 80%, 25% 62%, 42% 100%, 58% 92%, 42% 56%, 75% 56%)";
    document.body.append(arrow);
    addEventListener("pointermove", (event) => {
        arrow.style.left = `${event.clientX}px`;
        arrow.style.top = `${event.clientY}px`;
    }, true);
}"""


def main() -> None:
    """Draw the frames, and write both files."""
    path = chromium.find()
    if path is None:
        sys.exit(f"{chromium.MISSING}; `make test` tries to install one")
    with (
        serve() as server,
        chromium.launched(path) as browser,
        context_of(browser, server.url, viewport=WINDOW) as context,
    ):
        page = context.new_page()
        show(page, TAKEN)
        menu = with_menu(page)
        set_up(page)
        frames = [frame(page) for _ in moves(page)]
    menu.save(MENU, quality=80, method=6)
    frames[0].save(MOVING, save_all=True, append_images=frames[1:], duration=STEP, loop=0, quality=60, method=6)
    print(f"{MENU}: {MENU.stat().st_size:,} bytes")
    print(f"{MOVING}: {len(frames)} frames, {len(frames) * STEP / 1000:.1f} s, {MOVING.stat().st_size:,} bytes")


def with_menu(page: Page) -> Image.Image:
    """The page with its menu open."""
    page.keyboard.press("t")
    page.get_by_role("dialog", name="Take away").get_by_role("button", name="Notebook", exact=True).focus()
    return frame(page)


def set_up(page: Page) -> None:
    """The board, with an arrow where the pointer is, which screenshots leave out."""
    show(page, LINK)
    page.evaluate(ARROW)
    page.mouse.move(5, 700)


def moves(page: Page) -> Iterator[None]:
    """What the hand does, frame by frame: through layers and heads by keys, then with the pointer over the photo."""
    yield from [None] * 3
    for key in "llllllllhhhhhhlll":  # to layer 9, once through its heads, and to layer 12
        page.keyboard.press(key)
        drawn(page)
        yield from [None] * 3
    for (x, y), (to_x, to_y) in pairwise(PATH):
        for share in (1 - np.cos(np.linspace(0, np.pi, 7))) / 2:  # slower near the places
            at(page, photo(page), x + share * (to_x - x), y + share * (to_y - y))
            yield


def frame(page: Page) -> Image.Image:
    """What is on screen now."""
    with Image.open(BytesIO(page.screenshot(animations="disabled"))) as image:
        return image.convert("RGB").resize(SIZE, Image.Resampling.LANCZOS)


if __name__ == "__main__":
    main()
