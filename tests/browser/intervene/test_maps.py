"""Maps that ask everything once, here and on the server, and what a click on a cell does."""

import re

import numpy as np
from playwright.sync_api import Page

from tests.browser.board import at, drawn
from tests.browser.intervene.hand import agrees, answer, intervene, on_the_server, plain
from vitviz.measures.interventions import heads_off, moved_share, occluded, put_in
from vitviz.numbers import small

LEFT, TOP = 52, 22  # pixels of the map of heads for names
DEPTH, HEADS, GRID = 6, 4, 12
# Whether a map is whole, or has more cells than it said it had.
ON = """([map, before]) => {
    const whole = /It falls most without/.test(map.querySelector("canvas").getAttribute("aria-label"));
    return whole || map.querySelector(".caption").textContent !== before;
}"""

TRACES = """([tracing, before]) => tracing.querySelector(".go").textContent === "traced"
    || tracing.querySelector(".caption").textContent !== before"""


def told(page: Page, which: int) -> str:
    """What a map says of itself once all its cells have come: 0 of the heads, 1 of the patches.

    Some cells come within a minute, however busy the machine is; all of them may take longer.
    """
    map = page.locator(".everything > div").nth(which)
    map.wait_for()
    while "It falls most without" not in (label := map.locator("canvas").get_attribute("aria-label") or ""):
        before = map.locator(".caption").text_content()
        page.wait_for_function(ON, arg=[map.element_handle(), before])
    return label


def traced(page: Page) -> None:
    """Wait until the causal trace is whole: some states come within a minute, however busy the machine is."""
    tracing = page.locator(".tracing")
    while tracing.locator(".go").inner_text() != "traced":
        page.wait_for_function(TRACES, arg=[tracing.element_handle(), tracing.locator(".caption").text_content()])


def falls(label: str) -> float:
    found = re.search(r": ([−+][\d.]+)\.$", label)
    assert found, label
    return float(found[1].replace("−", "-"))


def head(page: Page, layer: int, number: int, click: bool = False) -> None:
    """Point at a cell of the map of heads."""
    canvas = page.locator(".everything canvas").first
    box = canvas.bounding_box()
    assert box
    down = min((box["height"] - TOP) / DEPTH, 60)
    across = (box["width"] - LEFT) / HEADS
    x, y = LEFT + (number - 0.5) * across, TOP + (layer - 0.5) * down
    at(page, canvas, x / box["width"], y / box["height"], click)


def maps_are_right(page: Page) -> None:
    best = int(answer(plain()).argmax())
    heads = np.concatenate([heads_off(plain(), layer, 0, HEADS)[:, best] for layer in range(DEPTH)])
    patches = occluded(plain(), "grey", 0, GRID * GRID)[:, best]
    for which, (values, name) in enumerate(((heads, "head 1 of layer 2"), (patches, "patch"))):
        label = told(page, which)
        assert f"without {name}" in label
        assert abs(falls(label) - values.min()) < 1e-3
    assert int(heads.argmin()) == HEADS


def test_every_head_and_every_patch_once(page: Page) -> None:
    intervene(page, "/intervene?sample=left&moment=5")
    maps_are_right(page)
    head(page, 2, 1, click=True)
    agrees_without_bars(page, "h2.1*0")
    head(page, 2, 1, click=True)
    agrees_without_bars(page, "")
    at(page, page.locator(".everything canvas").nth(1), 3.5 / GRID, 7.5 / GRID, click=True)
    agrees_without_bars(page, "p88=grey")


def agrees_without_bars(page: Page, text: str) -> None:
    """The edit is there, and back in the first moment the bars are Python's."""
    page.locator(f'.happened[data-edits="{text}"]').wait_for()
    page.get_by_role("button", name=re.compile("^1 of 6")).click()
    agrees(page, text)
    page.get_by_role("button", name=re.compile("^5 of 6")).click()
    drawn(page)


def test_the_server_makes_the_same_maps(page: Page) -> None:
    on_the_server(page, "/intervene?sample=left&runs=server")
    page.get_by_role("button", name=re.compile("^5 of 6")).click()  # a link would be settled with its maps only
    maps_are_right(page)


def test_without_webassembly_the_server_runs_the_model(page: Page) -> None:
    page.add_init_script("delete globalThis.WebAssembly")
    on_the_server(page, "/intervene?sample=left")
    page.get_by_role("switch", name="block of layer 4: ").click()
    agrees(page, "b4*0")
    assert "runs=server" in page.url


def test_a_causal_trace_says_what_is_needed(page: Page) -> None:
    on_the_server(page, "/intervene?sample=left&moment=6&runs=server")
    page.get_by_role("button", name="Run (about 10 s)").click()
    traced(page)
    own, other = plain(), plain("right")
    logits = put_in(own, other, DEPTH - 1, 0, 1)
    wanted, against = int(answer(own).argmax()), int(answer(other).argmax())
    share = moved_share(logits, answer(own), answer(other), wanted, against)[0]
    canvas = page.locator(".tracing .trace")
    box = canvas.bounding_box()
    assert box
    cell = min((box["width"] / 3 - 14) / (GRID + 3.6), (box["height"] / 2 - 24) / GRID)
    x, y = 2 * box["width"] / 3 + cell, 24 + GRID * cell + 24 + cell
    at(page, canvas, x / box["width"], y / box["height"])
    assert f"[class] before layer 6: {small(float(share))}" in page.locator(".tracing .caption").inner_text()
    at(page, canvas, x / box["width"], y / box["height"], click=True)
    page.locator('.happened[data-edits="r6.x1"]').wait_for()
    assert "[class] of the second picture put in before layer 6" in page.locator(".happened").inner_text()
