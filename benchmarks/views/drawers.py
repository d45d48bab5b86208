"""What a page and its drawers say, as a server sends it to somebody without a browser."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.load.visitors import Page, Visitor
from benchmarks.views.addresses import page_of

FRONT = "overview"
DRAWERS = ("formula", "code", "details")
SAYING = {  # the fields of Streamlit's elements that are words for a reader
    "markdown": ("body",),
    "heading": ("body",),
    "text": ("body",),
    "code": ("code_text",),
    "alert": ("body",),
    "metric": ("label", "body", "delta"),
    "page_link": ("label", "page"),
    "exception": ("message",),
    "selectbox": ("label", "options"),
    "slider": ("label", "min", "max"),
    "checkbox": ("label",),
    "button": ("label",),
    "download_button": ("label",),
}


def say_all(url: str, views: Sequence[tuple[str, Path]]) -> None:
    """What the views say, written into their folders as `page.json`."""
    for view, folder in views:
        folder.mkdir(parents=True, exist_ok=True)
        try:
            said: dict[str, Any] = asyncio.run(_say(url, view))
        except Exception as error:
            said = {"refused": f"{type(error).__name__}: {error}"}
        (folder / "page.json").write_text(json.dumps(said, indent=1, ensure_ascii=False), encoding="utf-8")


async def _say(url: str, view: str) -> dict[str, list[str]]:
    page, query = page_of(view), view.partition("?")[2]
    stem = "" if page == FRONT else page
    visitor = Visitor(url)
    try:
        await visitor.come(stem, query)  # says, too, what it waits for
        plain = words(await visitor.run(stem, query))
        found = {"page": plain}
        for drawer in DRAWERS:
            opened = words(await visitor.run(stem, f"{query}&open={drawer}" if query else f"open={drawer}"))
            found[drawer] = [line for line in opened if line not in plain]
    finally:
        await visitor.leave()
    return found


def words(page: Page) -> list[str]:
    """The words of all elements of a page for a reader, in their order; a page that was drawn again says them once."""
    found = []
    for element in page.elements:
        kind = element.WhichOneof("type") or ""
        said = getattr(element, kind, None)
        parts = [str(getattr(said, name, "")) for name in SAYING.get(kind, ())]
        if any(parts):
            found.append(f"{kind}: {' · '.join(parts)}")
    return list(dict.fromkeys(found))
