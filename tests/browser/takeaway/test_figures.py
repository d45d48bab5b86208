"""Figures of many pages, drawn in a bare page by the live reading alone: all of each is seen, and says what it is."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from tests.pages.app import visit
from vitviz.figures.figure import Figure
from vitviz.figures.live import message
from vitviz.figures.marks import Bars, Heat, Points, Says
from vitviz.installed import FRONTEND
from vitviz.scripts.bundle import bundle
from vitviz.ui.takeaway import pictures
from vitviz.ui.widgets.live.chart import HTML

STEMS = ("patch_grid", "patch_embedding", "position_embedding", "query_key_value", "heads", "depth", "encoder_block")
MORE = ("class_head", "norms", "gradients", "speed", "growth")
MODELS: tuple[dict[str, str], ...] = ({"model": "demo"}, {"model": "build-your-own", "distilled": "true"})
SHOWN = """([figure, width]) => {
    const root = document.getElementById("root");
    root.style.width = `${width}px`;
    root.innerHTML = window.HTML;
    const chart = new window.Chart(root, { held: false, ahead: false, send() {}, rest() {} }, { light() {}, go() {} });
    chart.take(figure, "A figure.", "#ffa600");
    window.chart = chart;
    const box = chart.svg.getBoundingClientRect();
    const texts = [...chart.svg.querySelectorAll("text")].map((it) => [it.textContent, it.getBoundingClientRect()]);
    const out = ({ left, right, top, bottom }) =>
        left < box.left - 1 || right > box.right + 1 || top < box.top - 1 || bottom > box.bottom + 1;
    return {
        texts: texts.map(([text]) => text),
        out: texts.filter(([text, it]) => it.width && out(it)).map(([text]) => text),
        bars: chart.svg.querySelectorAll(".bar").length,
        points: chart.svg.querySelectorAll(".point").length,
        places: chart.drawing.places,
        canvas: Boolean(root.querySelector("canvas")),
    };
}"""
POINTED = """([panel, x, y]) => {
    const { scale } = window.chart.drawing.placed[panel];
    const { left, top } = window.chart.svg.getBoundingClientRect();
    const place = { clientX: left + scale.x(x), clientY: top + scale.y(y), bubbles: true };
    window.chart.svg.dispatchEvent(new PointerEvent("pointermove", place));
    return document.querySelector("[role=status]").textContent;
}"""


@pytest.fixture(scope="module")
def figures() -> list[Figure]:
    """What the pages offer to take away, with their details open."""
    found: list[Figure] = []

    def watched(drawn: Figure | Callable[[], Figure], *_: str, **__: bool) -> None:
        found.append(drawn() if callable(drawn) else drawn)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pictures, "of_figure", watched)
        for model in MODELS:
            for stem in STEMS + MORE:
                visit(stem, **model, open="details")
    return found


@pytest.fixture
def page(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """A page that holds nothing but the live reading."""
    script = bundle(FRONTEND / "figures/chart.js").replace("export class Chart", "window.Chart = class Chart")
    sheet = (FRONTEND / "doors/live/chart.css").read_text(encoding="utf-8")
    (tmp_path / "page.html").write_text(
        f"<!doctype html><meta charset=utf-8><style>{sheet}</style><div id=root></div>"
        f"<script type=module>window.HTML = {json.dumps(HTML)};\n{script}</script>",
        encoding="utf-8",
    )
    page = browser.new_page(viewport={"width": 1100, "height": 900})
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto((tmp_path / "page.html").as_uri())
    page.wait_for_function("() => Boolean(window.Chart)")
    yield page
    page.close()
    assert wrong == []


def test_every_kind_of_figure_is_drawn_whole_on_a_screen_and_on_a_phone(page: Page, figures: list[Figure]) -> None:
    kinds = {type(mark).__name__ for figure in figures for row in figure.rows for panel in row for mark in panel.marks}
    assert kinds >= {"Heat", "Picture", "Bars", "Points", "Area", "Line", "Spot", "Text", "Rule", "Grid"}
    for figure in figures:
        panels = [panel for row in figure.rows for panel in row]
        marks = [mark for panel in panels for mark in panel.marks]
        for width in (1000, 360):
            seen = page.evaluate(SHOWN, [message(figure), width])
            assert seen["out"] == [], (figure.title, width)
            text = _plain(" ".join(seen["texts"]))
            assert _plain(figure.title) in text
            assert all(_plain(panel.title) in text for panel in panels)
            assert all(_plain(axis.title) in text for panel in panels for axis in (panel.across, panel.down))
            assert seen["bars"] == sum(len(mark.values) for mark in marks if isinstance(mark, Bars))
            assert seen["points"] == sum(len(mark.x) for mark in marks if isinstance(mark, Points))
            assert seen["places"] >= sum(mark.values.size for mark in marks if isinstance(mark, Heat))
            assert seen["canvas"] or not any(isinstance(mark, Heat) for mark in marks)


def test_a_figure_that_comes_again_stands_there_once(page: Page, figures: list[Figure]) -> None:
    figure = message(next(figure for figure in figures if figure.handles))
    page.evaluate(SHOWN, [figure, 1000])
    sliders = page.get_by_role("slider").count()
    page.evaluate("() => { window.chart.leave(); window.HTML = document.getElementById('root').innerHTML; }")
    page.evaluate(SHOWN, [figure, 1000])
    assert page.locator("svg").count() == 1
    assert page.get_by_role("slider").count() == sliders


def test_a_cell_says_what_plotly_says_there(page: Page, figures: list[Figure]) -> None:
    pointed = 0
    for figure in figures:
        panels = [panel for row in figure.rows for panel in row]
        for at, panel in enumerate(panels):
            for mark in panel.marks:
                if not isinstance(mark, Heat):
                    continue
                page.evaluate(SHOWN, [message(figure), 1000])
                row, column = mark.values.shape[0] // 2, mark.values.shape[1] // 3
                place = mark.x + column * mark.across, mark.y + row * mark.down
                assert page.evaluate(POINTED, [at, *place]) == _said(mark, row, column), panel.title
                pointed += 1
    assert pointed > 20


def test_keys_go_from_cell_to_cell_and_say_them(page: Page) -> None:
    from vitviz.figures.attention.maps import wall

    maps = np.arange(32, dtype=np.float32).reshape(2, 4, 4)
    page.evaluate(SHOWN, [message(wall(maps, "head", 31, 0)), 360])
    page.keyboard.press("Tab")
    places = page.get_by_role("slider", name="Place")
    for key, words in (
        ("ArrowRight", "head 1 · patch 2 (row 1, column 2) · 1.0000"),
        ("ArrowDown", "head 1 · patch 6 (row 2, column 2) · 5.0000"),
        ("End", "head 2 · patch 16 (row 4, column 4) · 31.0000"),
    ):
        page.keyboard.press(key)
        page.get_by_role("status").filter(has_text=words).wait_for()
        assert places.get_attribute("aria-valuetext") == words.replace(" · ", ", ")


def _plain(text: str) -> str:
    """Without spaces: a title may stand in several lines."""
    return re.sub(r"\s+", "", text)


def _said(mark: Heat, row: int, column: int) -> str:
    """The words of a cell as Plotly makes them of the same template and columns."""
    says: Says = mark.says
    here: dict[str, Any] = {
        "value": float(np.float32(mark.values[row, column])),
        "x": mark.columns[column] if mark.columns else mark.x + column * mark.across,
        "y": mark.called[row] if mark.called else mark.y + row * mark.down,
    }
    for name, values in says.columns.items():
        it = np.broadcast_to(np.asarray(values), mark.values.shape)[row, column]
        here[name] = it.item()
    plain = {name: it for name, it in here.items() if f"{{{name}}}" in says.words and isinstance(it, float)}
    words = says.words.format(**here | {name: int(it) for name, it in plain.items() if it == int(it)})
    return re.sub(r"-(?=\d)", "−", words.replace("\n", " · "))
