"""Two columns under one hand: numbers of both and their difference against Python's, the link, and what cannot be."""

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.board import arrived, at, away, drawn, photo, point, readout, show
from tests.browser.watch import settled, violations
from vitviz import numbers
from vitviz.counts import total_macs, total_parameters
from vitviz.images import open_image
from vitviz.measures import attention_weights
from vitviz.measures.attention import attention_by_layer
from vitviz.measures.classes import logit_lens
from vitviz.measures.tokens import position_maps
from vitviz.samples import first
from vitviz.shelf.rows import TITLES
from vitviz.trace import record
from vitviz.weights import load

SIBLING = "shelf_relative_0"
BESIDE = f"b.model={SIBLING}"
SMALLEST = 14  # pixels of a letter on a laptop

LETTERS = """() => {
    const root = document.querySelector(".st-key-board-place [data-testid=stBidiComponentIsolated]").shadowRoot;
    const stage = root.querySelector(".stage");
    const texts = [...stage.querySelectorAll("*")].filter((it) => it.checkVisibility() && it.clientWidth > 1
        && [...it.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()));
    return Math.min(...texts.map((it) => parseFloat(getComputedStyle(it).fontSize)));
}"""


@pytest.fixture(scope="module")
def sibling() -> Any:
    """The forward pass of a sibling on the first sample."""
    loaded = load(SIBLING)
    return record(loaded.model, loaded.preprocess(open_image(first().data)))


def beside(page: Page) -> str:
    """What is written under the second photo."""
    return " ".join(page.locator(".photo.second .readout").inner_text().split())


def difference(page: Page) -> str:
    """What is written in the strip below both."""
    return " ".join(page.locator(".difference").inner_text().split())


def both(page: Page) -> None:
    """Wait until the second column shows what Python said last."""
    settled(page)
    page.wait_for_function("() => globalThis.__vitviz_drawn?.second")
    arrived(page)
    drawn(page)


def told(name: str, a: float, b: float) -> str:
    """Two numbers and their difference as the strip writes them."""
    return f"{name}: A {numbers.small(a)}, B {numbers.small(b)}, B − A {numbers.small(b - a)}"


def asked(page: Page) -> dict[str, str]:
    """What the address asks for, by parameter."""
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def test_one_hand_moves_both_and_the_strip_subtracts(page: Page, trace: Any, sibling: Any) -> None:
    show(page, f"/heads?layer=6&head=2&{BESIDE}")
    both(page)
    own, other = (attention_weights(it, layer)[1] for it, layer in ((trace, 5), (sibling, 3)))
    point(page, 67)
    assert readout(page).startswith("query patch 67 · layer 6 · head 2 looks most at")
    assert beside(page).startswith("query patch 67 · layer 4 · head 2 looks most at")
    at(page, page.locator(".photo.second canvas"), 0.5 / 12, 0.5 / 12)
    assert readout(page).startswith("query patch 1 · layer 6")
    away(page)
    assert readout(page).startswith("query [class]"), "a preview is given back"
    point(page, 67, click=True)
    away(page)
    page.wait_for_function("() => location.search.includes('query=67')")
    for where in (".photo:not(.second)", ".photo.second"):
        expect(page.locator(f"{where} .readout")).not_to_contain_text("≈")
    for row, text in ((own[67], readout(page)), (other[67], beside(page))):
        assert f"looks most at patch {row.argmax()}: {numbers.small(row.max())}, " in text
    a, b = (np.asarray(row[67, 1:], np.float64) for row in (own, other))
    most = int(np.abs(b - a).argmax())
    assert told(f"patch {most + 1}", a[most], b[most]) in difference(page)
    assert f"Half the sum of all sizes: {numbers.small(np.abs(b - a).sum() / 2)}." in difference(page)
    assert f"+{numbers.small(_largest(trace, sibling))}, one scale" in difference(page)
    assert "B has 4 layers: layer 4 of 4 beside layer 6 of 6." in difference(page)


def _largest(trace: Any, sibling: Any) -> float:
    """The end of the scale of all differences of a layer: of every head, and of their mean."""
    own, other = (attention_weights(it, at)[:, 67, 1:].astype(float) for it, at in ((trace, 5), (sibling, 3)))
    return float(max(np.abs(other - own).max(), np.abs(other.mean(axis=0) - own.mean(axis=0)).max()))


def test_the_differences_of_the_other_pages_are_pythons(page: Page, trace: Any, sibling: Any) -> None:
    show(page, f"/class_head?{BESIDE}")
    both(page)
    a, b = (logit_lens(it)[-1].astype(float) for it in (trace, sibling))
    for place in np.abs(b - a).argsort()[::-1][:3]:
        line = page.locator(f'.changes tr[data-class="{place}"]').inner_text().split("\t")
        assert line[1:3] == [f"A {numbers.small(a[place])}", f"B {numbers.small(b[place])}"]
        assert line[-1].lstrip("+") == numbers.small(b[place] - a[place])
    page.locator('.strip a[data-stem="position_embedding"]').click()
    both(page)
    point(page, 40, click=True)
    page.keyboard.press("PageDown")
    drawn(page)
    maps = [position_maps(it).reshape(144, 144)[39].astype(float) for it in (trace, sibling)]
    change = np.abs(maps[1] - maps[0])
    change[39] = -1
    most = int(change.argmax())
    assert told(f"patch 40 with patch {most + 1}", maps[0][most], maps[1][most]) in difference(page)
    page.locator('.strip a[data-stem="depth"]').click()
    both(page)
    reach = [attention_by_layer(it).distance[0].astype(float).mean() for it in (trace, sibling)]
    says = f"attention distance A {numbers.small(reach[0])}, B {numbers.small(reach[1])}, "
    assert says + f"B − A {numbers.small(reach[1] - reach[0])} patches" in difference(page)
    page.locator('.strip a[data-stem=""]').click()
    page.keyboard.press("PageDown")
    both(page)
    for config in (trace.config, sibling.config):
        assert f"{total_parameters(config):,} {total_macs(config):,}" in difference(page)


def test_a_second_column_is_opened_changed_exchanged_and_closed(page: Page) -> None:
    show(page, "/heads?layer=3&edits=h1.1*0")
    page.keyboard.press("m")
    both(page)
    assert asked(page) == {"layer": "3", "edits": "h1.1*0", "b.model": "demo"}
    expect(page.get_by_role("button", name="switches: close B first")).to_be_disabled()
    page.get_by_label("Model of B").select_option(SIBLING)
    both(page)
    page.get_by_label("Picture of B").select_option("left")
    both(page)
    page.get_by_label("Edits of B").fill("h2.2*0")
    page.keyboard.press("Enter")
    both(page)
    before = asked(page)
    first_column, second_column = {"layer": "3", "edits": "h1.1*0"}, {"b.image": "left", "b.edits": "h2.2*0"}
    assert before == first_column | {"b.model": SIBLING} | second_column
    expect(page.locator(".difference .notes")).to_contain_text("Head 2 of layer 2 off")
    page.get_by_label("Exchange A and B").click()
    both(page)
    expect(page.locator(".of-column").first).to_contain_text(f"{TITLES[SIBLING]} · Red ball left of blue ball · h2.2*0")
    after = asked(page)
    assert (after["model"], after["sample"], after["edits"]) == (SIBLING, "left", "h2.2*0")
    assert (after["b.model"], after["b.image"], after["b.edits"]) == ("demo", first().id, "h1.1*0")
    page.go_back()
    both(page)
    assert asked(page) == before
    expect(page.locator(".of-column").first).to_contain_text(f"demo · {first().title} · h1.1*0")
    page.reload()
    both(page)
    assert asked(page) == before
    assert page.get_by_label("Model of B").input_value() == SIBLING
    page.locator('.strip a[data-stem="patch_grid"]').click()
    expect(page.locator(".one-column")).to_contain_text("One column here")
    settled(page)
    assert asked(page)["b.model"] == SIBLING
    page.go_back()
    both(page)
    page.get_by_label("Close B").click()
    settled(page)
    assert asked(page) == {"layer": "3", "edits": "h1.1*0"}
    expect(page.get_by_role("button", name=re.compile("switches$"))).to_be_enabled()
    expect(page.locator(".photo")).to_have_count(1)
    expect(page.locator(".steps")).to_be_visible()


def test_a_second_column_that_fails_is_a_sentence_and_the_first_stays(page: Page) -> None:
    show(page, "/heads?query=40&b.model=build-your-own&b.image_size=1024&b.patch_size=2", complete=False)
    expect(page.locator(".waits")).to_contain_text("The first column stays.")
    assert re.search(r"patch \d+: [\d.]+, [\d.]+ times uniform attention", readout(page))
    page.get_by_label("Model of B").select_option("vit_tiny_patch16_224")
    both(page)
    assert "12 × 12 patches beside 14 × 14: the patch that lies at the same place." in difference(page)
    assert "Untrained" in difference(page)
    point(page, 40)
    assert beside(page).startswith("query patch 61 "), "row 4, column 4 of 12 lies in row 5, column 5 of 14"


@pytest.mark.parametrize(
    "address", ["?moment=2", "position_embedding?moment=3", "heads?", "depth?", "class_head?moment=2"]
)
def test_two_columns_and_their_difference_fit_on_a_laptop(page: Page, address: str) -> None:
    show(page, f"/{address}&{BESIDE}")
    both(page)
    stage = page.locator(".stage")
    inside, outside = stage.evaluate("(it) => [it.scrollHeight, it.clientHeight]")
    assert inside <= outside
    assert page.evaluate("() => document.querySelector('[data-testid=stMain]').scrollHeight") <= 720
    assert page.evaluate(LETTERS) >= SMALLEST
    assert violations(page) == []


def test_a_phone_stacks_them(visit: Any) -> None:
    page = visit(viewport={"width": 390, "height": 844}, has_touch=True)
    show(page, f"/heads?query=40&{BESIDE}")
    both(page)
    upper, lower = photo(page).bounding_box(), page.locator(".photo.second canvas").bounding_box()
    assert upper
    assert lower
    assert lower["y"] > upper["y"] + upper["height"]
    assert upper["width"] == lower["width"] > 300
    assert violations(page) == []
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
