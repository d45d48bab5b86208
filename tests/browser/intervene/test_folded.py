"""The switches beside heads, depth, class head and query-key-value: each scene says what Python says of the edits."""

import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.board import drawn, show, texts, written
from tests.browser.frame import rest
from tests.browser.intervene.hand import HERE, answer, drag, edited, expected, plain, switch
from tests.browser.watch import violations
from vitviz.config import PRESETS
from vitviz.counts import total_parameters
from vitviz.measures import attention
from vitviz.measures.classes import logit_lens
from vitviz.numbers import exact, small

BEST = "red ball left of blue ball"
EDITS = "h3.1*0 a5*0"
DROPPED = "d=0.3@7"


def beside(page: Page, link: str) -> None:
    """Open a page and its switches, and wait until this browser runs the model."""
    show(page, link)
    page.keyboard.press("w")
    page.locator(".folded .where", has_text=HERE).wait_for()


def settled(page: Page, edits: str) -> None:
    page.locator(f'.folded .happened[data-edits="{edits}"]').wait_for()
    page.wait_for_function("(edits) => (new URLSearchParams(location.search).get('edits') ?? '') === edits", arg=edits)
    drawn(page)


def reads(page: Page, words: str) -> None:
    """Wait until the line under the photo says this: its numbers come from the worker."""
    expect(page.locator(".readout")).to_contain_text(words)


def test_the_class_head_says_the_edited_answer_and_outlines_the_unedited(page: Page) -> None:
    beside(page, "/class_head?sample=left&moment=2&layer=3&head=1")
    switch(page, "head 1 of layer 3").click()
    switch(page, "attention of layer 5").press("Enter")
    settled(page, EDITS)
    assert switch(page, "attention of layer 5").evaluate("(it) => it.getRootNode().activeElement === it")
    row = page.locator(".scores tbody tr", has_text=BEST)
    now, before = expected(EDITS)[BEST][0], expected("")[BEST][0]
    assert row.locator("b").inner_text() == small(now)
    for which, value in ((".answer i:not(.ghost)", now), (".answer .ghost", before)):
        width = row.locator(which).evaluate("(bar) => parseFloat(bar.style.width)")
        assert width == pytest.approx(100 * value, abs=0.01)
    page.get_by_role("button", name=re.compile("^1 of 4")).click()
    page.wait_for_function("() => globalThis.__vitviz_drawn.moment === 'lens'")
    written(page, f"grey: unedited, {small(before)}")
    best = int(answer(plain()).argmax())
    page.keyboard.press("L")
    page.keyboard.press("L")
    reads(page, f"After layer 4: {BEST}, {small(float(logit_lens(edited(EDITS))[4][best]))}")
    written(page, f"grey: unedited, {small(float(logit_lens(plain())[4][best]))}")
    page.get_by_role("button", name=re.compile("^4 of 4")).click()
    written(page, "adds nothing: it is off")
    assert texts(page).split("\n").count("off") == 3  # the head that asks, the same of all heads, and layer 5
    page.keyboard.press("0")
    settled(page, "")
    assert "unedited" not in texts(page)


def test_the_maps_of_heads_and_depth_are_the_edited_runs_and_nothing_is_sent(page: Page) -> None:
    edits, sent = f"a3*0 {DROPPED}", list[object]()
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    beside(page, f"/heads?sample=left&edits={DROPPED}&layer=5&head=2&query=70")
    rest(page)
    before = len(sent)
    drag(page, "attention of layer 3", -60)
    settled(page, edits)
    page.mouse.move(3, 3)
    row = attention.attention_row(edited(edits), 4, 70)[1]
    reads(page, f": {small(float(row.max()))}, ")
    rest(page)
    assert len(sent) == before
    page.goto(page.url.replace("/heads", "/depth") + "&moment=2")
    settled(page, edits)
    found = attention.attention_by_layer(edited(edits))
    distance, nats = float(found.distance[4, 1]), float(found.entropy[4, 1])
    reads(page, f"distance {small(distance)} patches, entropy {small(nats)} nats")
    page.keyboard.press("PageUp")
    rolled = found.rollout[:, 70]
    others = np.delete(rolled, 70, axis=1)[:, 1:]
    written(page, f"rollout, all layers so far; brightest from {small(float(others.max()))}")


def test_query_key_value_shows_the_scores_of_the_edited_run(page: Page) -> None:
    beside(page, "/query_key_value?sample=left&edits=h2.1*0+t3=4&layer=3&moment=4&query=70")
    settled(page, "h2.1*0 t3=4")
    row = attention.attention_row(edited("h2.1*0 t3=4"), 2, 70)[0]
    reads(page, f"weight {small(float(row.max()))}")
    switch(page, "head 1 of layer 3").click()
    settled(page, "h2.1*0 h3.1*0 t3=4")
    page.get_by_role("slider", name="layer").press("ArrowLeft")
    written(page, "z: the sum, the output of the head, edited: times 0")


def test_folded_switches_leave_the_edits_in_words_and_a_way_back(page: Page) -> None:
    show(page, "/heads?sample=left&edits=h3.1*0+b4*0&layer=5&query=70")
    line = page.locator(".count .edited")
    line.wait_for()
    assert line.inner_text().startswith("edited: Head 1 of layer 3 off and 1 more")
    expect(line.locator("span")).to_have_attribute("title", re.compile("^edited: Head 1 of layer 3 off and 1 more"))
    counted = page.locator(".count .counted")
    expect(counted).to_have_text("parameters here, on or off:")
    expect(page.locator(".count .total")).to_have_text(exact(total_parameters(PRESETS["demo"])))
    row = attention.attention_row(edited("h3.1*0 b4*0"), 4, 70)[0]
    reads(page, f": {small(float(row.max()))}, ")
    assert not page.locator(".folded").is_visible()
    line.get_by_role("button", name="reset").click()
    row = attention.attention_row(plain(), 4, 70)[0]
    reads(page, f": {small(float(row.max()))}, ")
    expect(line).to_be_hidden()
    expect(counted).to_have_text("parameters of this step")


@pytest.mark.parametrize("stem", ["heads", "class_head"])
def test_everybody_reaches_the_switches_and_they_fit(page: Page, stem: str) -> None:
    beside(page, f"/{stem}?sample=left&edits=h3.1*0")
    assert violations(page) == []
    heights = page.evaluate("() => [document.documentElement.scrollHeight, innerHeight]")
    foot = page.locator(".count").bounding_box()
    assert foot
    assert foot["y"] + foot["height"] <= 720, heights
    opener = page.get_by_role("button", name=re.compile("switches"))
    assert opener.get_attribute("aria-expanded") == "true"
    page.set_viewport_size({"width": 390, "height": 844})
    drawn(page)
    for part in (".folded .switches", ".folded .said", ".folded .edits"):
        box = page.locator(part).bounding_box()
        assert box
        assert box["x"] + box["width"] <= 390
    opener.click()
    drawn(page)
    assert not page.locator(".folded").is_visible()
