"""The boxes of the overview lead to their pages and keep the view; all of it stands on a projector's screen."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.board import DARK, SHARED, arrived, at, away, brightness, point, rgba, show, still
from tests.browser.frame import EXPANDED, drawn, open_board, rest, stem
from tests.browser.watch import violations
from vitviz import palette
from vitviz.images import open_image
from vitviz.measures.attention import attention_weights
from vitviz.measures.classes import logit_lens
from vitviz.numbers import small
from vitviz.samples import samples
from vitviz.trace import record
from vitviz.weights import load

LAPTOP = {"width": 1280, "height": 720}


@pytest.fixture
def page(stays: Page) -> Page:
    """That of a visitor who stays: what is told here hangs on the address alone."""
    return stays


@pytest.mark.parametrize("to", ["patch_grid", "heads", "class_head"])
def test_a_box_leads_to_its_page_with_the_same_picture(page: Page, to: Any) -> None:
    show(page, "/?sample=left&query=40&moment=2")
    digest = drawn(page)["digest"]
    page.locator(f'.scene a[href$="{to}"]').first.click()
    rest(page)
    assert stem(page) == to
    assert {"sample=left", "query=40"} <= set(page.url.partition("?")[2].split("&"))
    assert drawn(page)["digest"] == digest


@pytest.mark.parametrize("moment", [1, 2])
def test_the_first_screen_of_a_projector_holds_all_of_it(page: Any, moment: int) -> None:
    show(page, f"/?moment={moment}")
    scene = page.locator(".scene").bounding_box()
    for part in page.locator(".start button:visible, .stage-box:visible").all():
        box = part.bounding_box()
        assert box["y"] + box["height"] <= scene["y"] + scene["height"] + 1
    box = page.locator(".count").bounding_box()
    assert box["y"] + box["height"] <= page.viewport_size["height"]
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollHeight - main.clientHeight") <= 0


def test_a_newcomer_chooses_a_picture_and_starts(visit: Callable[..., Page]) -> None:
    page = visit(viewport=LAPTOP)
    open_board(page)
    expect(page.locator(".sentence")).to_have_text("Move over the picture. Light: what this patch looks at.")
    pictures = page.locator(".pictures button")
    expect(pictures).to_have_count(len(samples()))
    expect(pictures.first).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".tour")).to_contain_text("The Vision Transformer in 45 minutes")
    short = page.locator(".tour a").nth(1)
    expect(short).to_have_text("or 15 minutes ›")
    expect(short).to_have_attribute("href", re.compile("lesson=what_a_head_looks_at&step=1"))
    before = drawn(page)["digest"]
    pictures.nth(1).click()
    expect(pictures.nth(1)).to_have_attribute("aria-pressed", "true")
    rest(page)
    assert drawn(page)["digest"] != before
    assert "sample=left" in page.url
    assert violations(page) == []
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".sentence")).to_have_text("A picture goes in, an answer comes out. What happens between?")
    expect(page.locator(".choose")).to_contain_text("Red ball left of blue ball")


def test_the_photo_is_a_torch(page: Page) -> None:
    show(page, "/?moment=2")
    plain = brightness(page)
    page.keyboard.press("PageUp")
    expect(page.locator(".sentence")).to_have_text("Move over the picture. Light: what this patch looks at.")
    point(page, 66)
    expect(page.locator(".readout")).to_have_text("chosen patch 66, mean of 4 heads")
    still(page)
    at_66 = brightness(page)
    point(page, 3)
    expect(page.locator(".readout")).to_have_text("chosen patch 3, mean of 4 heads")
    still(page)
    at_3 = brightness(page)
    loaded = load("demo")
    weights = attention_weights(record(loaded.model, loaded.preprocess(open_image(samples()["cat"].data))), 0)
    for patch, shown in ((66, at_66), (3, at_3)):
        light = np.sqrt(np.minimum(1, weights.mean(axis=0)[patch, 1:] / SHARED))
        share = np.delete(shown / plain, patch - 1)  # it has a frame
        assert np.abs(share - np.delete(1 - DARK * (1 - light), patch - 1)).max() < DARK / 30 + 0.02
    page.keyboard.press("ArrowRight")
    expect(page.locator(".readout")).to_have_text("chosen patch 67, mean of 4 heads")


def test_a_file_that_the_zone_takes_is_shown_and_one_that_is_none_is_refused_in_words(
    visit: Callable[..., Page], tmp_path: Path
) -> None:
    page = visit(viewport=LAPTOP)
    open_board(page)
    photo, text = tmp_path / "half.png", tmp_path / "text.png"
    Image.new("RGB", (60, 40), "red").save(photo)
    text.write_text("no picture at all")
    files = page.locator(".start input[type=file]")
    files.set_input_files(photo)
    page.wait_for_url(re.compile("picture=[0-9a-f]{64}"))
    rest(page)
    before = drawn(page)["digest"]
    expect(page.locator(".start p").first).to_have_text(
        "Your picture is in. Move over it; Start opens the model step by step."
    )
    files.set_input_files(text)
    said = page.get_by_test_id("stMain").get_by_role("alert")
    expect(said).to_contain_text("The picture that you brought cannot be used: This file (17 B) is not an image")
    expect(said).to_contain_text("You still see your picture.")
    assert drawn(page)["digest"] == before
    expect(page.locator(EXPANDED)).to_have_count(0)


def test_a_patch_is_lit_in_every_picture_and_given_back(page: Page) -> None:
    show(page, "/?moment=2")
    chosen = np.array([int(palette.FRAME[start : start + 2], 16) for start in (1, 3, 5)])

    def lit() -> list[bool]:
        shown = [rgba(canvas)[..., :3] for canvas in page.locator(".stage-box canvas").all()]
        return [bool((np.abs(pixels.astype(int) - chosen).max(-1) < 3).sum() > 20) for pixels in shown]

    assert lit() == [False] * 5
    at(page, page.locator(".stage-box canvas").nth(1), 0.3, 0.3)  # the tokens
    assert lit() == [True] * 5
    expect(page.locator(".readout")).to_have_text("chosen patch 40, in every stage")
    away(page)
    assert lit() == [False] * 5


def test_a_class_says_how_it_grew_and_its_bar_leads_to_the_class_head(page: Page) -> None:
    show(page, "/?sample=left&moment=2")
    loaded = load("demo")
    lens = logit_lens(record(loaded.model, loaded.preprocess(open_image(samples()["left"].data))))
    place = int(np.argsort(-lens[-1])[1])
    arrived(page)
    still(page)  # or the bar may move away from under the pointer
    page.locator(".said .answer li").nth(1).hover()
    first, last = (small(float(lens[layer, place])) for layer in (0, -1))
    expect(page.locator(".readout")).to_have_text(f"{loaded.labels[place]}: {first} before layer 1, {last} at the end")
    line = page.locator(".said .answer li").nth(1)
    before = line.element_handle()
    page.locator(".stage-box canvas").nth(1).hover()
    line.hover()
    assert before.is_visible(), "a press and its release are on one line, whatever is drawn meanwhile"
    line.click()
    rest(page)
    assert stem(page) == "class_head"
    assert f"answer={place + 1}" in page.url


def test_the_answer_is_covered_where_the_address_says_so_and_uncovered_by_hand(page: Page) -> None:
    show(page, "/?moment=2&covered=yes")
    bars = page.locator(".said .answer")
    expect(bars).to_be_hidden()
    page.get_by_role("button", name="Guess first").click()
    expect(bars.locator("li").first).to_contain_text("cat")
    page.wait_for_function("!location.search.includes('covered')")


def test_attention_of_an_untrained_model_is_flat_and_dark(page: Page) -> None:
    show(page, "/?moment=2&model=vit_tiny_patch16_224")
    plain, attended = (rgba(page.locator(".stage-box canvas").nth(at))[..., :3].mean() for at in (0, 3))
    assert attended < 0.7 * plain
