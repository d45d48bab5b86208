"""What somebody sees of views in a browser: the address, the words of the board, the menu, and a picture of it all."""

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, ViewportSize
from playwright.sync_api import Error as BrowserError

from benchmarks.views.addresses import page_of
from benchmarks.views.drawers import FRONT
from tests.browser.board import LISTEN
from tests.browser.watch import context_of, forget, open_page, settled

SCREEN = {"width": 1280, "height": 720}
TALL: ViewportSize = {"width": 1280, "height": 2400}
ARRIVES = 20_000  # ms
STILL = 600  # ms
MENU = 10_000  # ms; it is fetched when it is first opened
READ = {
    "headline": ".headline",
    "count": "footer.count",
    "strip": "nav.strip",
    "readout": ".readout",
    "board": ".board",
    "main": "[data-testid=stMain]",
}
WORDS = (
    """(all) => all.filter((it) => it.checkVisibility()).map((it) => it.innerText.replaceAll(/\\s+/g, " ").trim())"""
)
PAINTED = """() => [...globalThis.__painted].filter(([canvas]) => canvas.isConnected).flatMap(([, it]) => it).sort()"""
# A page has arrived when its board, where it has one, has drawn the picture, nothing says that it is on its way or has
# not begun, and nothing has been drawn or written anew for a while.
ARRIVED = """([board, seen, STILL]) => {
    const { digest, photo, count } = globalThis.__vitviz_drawn ?? {};
    const says = board?.innerText ?? "";
    if (count !== seen.count || says !== seen.says) Object.assign(seen, { count, says, since: performance.now() });
    if (performance.now() - seen.since < STILL) return false;
    if (!board?.querySelector(".photo")?.checkVisibility()) return true;
    return Boolean(digest) && photo.startsWith(digest) && !/on (its|their) way|\\b0 of \\d+ [a-z]|of … /.test(says);
}"""
# What a clock has measured is no part of a view.
UNTIMED = """() => {
    const untime = (root) => {
        for (const it of root.childNodes) {
            if (it.nodeType === Node.TEXT_NODE && /\\d (m|µ)?s\\b/.test(it.data)) {
                it.data = it.data.replaceAll(/[\\d.,]+ (m|µ)?s\\b/g, "# s");
            }
            untime(it);
            if (it.shadowRoot) untime(it.shadowRoot);
        }
    };
    untime(document.body);
}"""


def show_all(browser: Browser, url: str, views: Sequence[tuple[str, Path]]) -> None:
    """What each view shows a new visitor: `screen.json`, `board.png`, and `page.png` where there is no board."""
    with context_of(browser, url, viewport=SCREEN, reduced_motion="reduce") as context:
        context.add_init_script(f"({LISTEN})()")
        blank = context.new_page()  # stays, for `forget`
        open_page(blank)  # once, so that the model is there
        blank.goto("about:blank")
        for at, (view, folder) in enumerate(views, 1):
            folder.mkdir(parents=True, exist_ok=True)
            try:
                said = _show(context.new_page(), view, folder)
            except BrowserError as error:
                said = {"refused": str(error).splitlines()[0]}
            forget(context, url)
            (folder / "screen.json").write_text(json.dumps(said, indent=1, ensure_ascii=False), encoding="utf-8")
            print(f"  {at} of {len(views)}: {view}", flush=True)


def _show(page: Page, view: str, folder: Path) -> dict[str, Any]:
    stem, mark, query = view.partition("?")
    open_page(page, f"/{'' if page_of(view) == FRONT else stem}{mark}{query}")
    page.mouse.move(3, 3)
    late = not _arrived(page)
    page.evaluate(UNTIMED)
    said: dict[str, Any] = {"address": re.sub(r"^\w+://[^/]+", "", page.url), "title": page.title()}
    said |= {name: page.locator(selector).evaluate_all(WORDS) for name, selector in READ.items()}
    said["painted"] = page.evaluate(PAINTED)
    if late:
        said["late"] = f"after {ARRIVES / 1000:g} s something is still on its way"
    page.screenshot(path=folder / "board.png", animations="disabled")
    said["menu"] = _menu(page)
    if not said["headline"]:  # no board, but a page that is read downwards
        page.keyboard.press("Escape")
        page.set_viewport_size(TALL)
        settled(page)
        page.screenshot(path=folder / "page.png", animations="disabled")
    return said


def _arrived(page: Page) -> bool:
    board = page.locator(".board")
    handle = board.first.element_handle() if board.count() else None
    seen = page.evaluate_handle("() => ({ count: -1 })")
    with suppress(BrowserError):
        page.wait_for_function(ARRIVED, arg=[handle, seen, STILL], polling="raf", timeout=ARRIVES)
        settled(page)
        return True
    return False


def _menu(page: Page) -> list[str]:
    """Title and entries of what can be taken away; nothing where there is no menu."""
    page.keyboard.press("t")
    menu = page.locator(".takes")
    with suppress(BrowserError):
        menu.wait_for(timeout=MENU)
        return [str(menu.get_attribute("aria-label")), *menu.evaluate_all(WORDS)]
    return []
