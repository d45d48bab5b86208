"""Encoder block and class head under the hand: what is painted and said is the model's, and every part answers."""

import numpy as np
import pytest
from playwright.sync_api import Page

from tests.browser.board import at, away, drawn, headline, point, readout, show, still, texts
from vitviz import numbers
from vitviz.images import open_image
from vitviz.measures import attention_weights
from vitviz.measures.blocks import block_values, hidden
from vitviz.measures.classes import answer
from vitviz.samples import first, samples
from vitviz.trace import Trace, record
from vitviz.weights import load

LAYERS, GRID = 6, 12
small = numbers.small


@pytest.fixture
def page(stays: Page) -> Page:
    """That of a visitor who stays: what is told here hangs on the address alone."""
    return stays


def scene(page: Page, x: float, y: float, click: bool = False) -> None:
    """Point at a place of the scene's canvas, in shares of its width and height."""
    at(page, page.locator(".scene canvas.fill"), x, y, click)


def signed(value: float) -> str:
    """A number behind its sign."""
    return f"{'−' if value < 0 else '+'} {small(abs(value))}"


def test_the_streams_components_add_up_in_pythons_numbers(page: Page, trace: Trace) -> None:
    show(page, "/encoder_block?layer=3&query=40&component=60")
    values = {name: float(array[40, 59]) for name, array in block_values(trace, 2).items()}
    assert readout(page) == (
        f"chosen patch 40 · block 3 of 6 · component 60: {small(values['stream'])} {signed(values['attention'])} "
        f"{signed(values['mlp'])} = {small(values['leaving'])}"
    )
    lengths = [float(np.linalg.norm(block_values(trace, 2)[name][40])) for name in ("stream", "attention", "leaving")]
    painted = texts(page)
    for length in lengths:
        assert f"length {small(length)}" in painted
    before = readout(page)
    scene(page, 10.5 / 128, 0.1)
    assert " · component 11: " in readout(page)
    away(page)
    assert readout(page) == before
    scene(page, 10.5 / 128, 0.9, click=True)
    page.wait_for_function("() => location.search.includes('component=11')")


def test_the_diagram_is_the_control(page: Page, trace: Trace) -> None:
    show(page, "/encoder_block?layer=3&query=40&component=60")
    block = page.get_by_role("group", name="The encoder block")
    block.get_by_role("button", name="norm").first.hover()
    drawn(page)
    assert headline(page).startswith("2 of 4")
    values = {name: float(array[40, 59]) for name, array in block_values(trace, 2).items()}
    pairs = [f"{small(values[a])} → {small(values[b])}" for a, b in (("stream", "normed1"), ("middle", "normed2"))]
    assert f"component 60: {pairs[0]}, {pairs[1]}" in readout(page)
    away(page)
    assert headline(page).startswith("1 of 4")
    for name, moment in (("MLP", "3"), ("attention", "4"), ("norm", "2"), ("stream", "1")):
        block.get_by_role("button", name=name).first.click()
        away(page)
        assert headline(page).startswith(f"{moment} of 4")
        assert block.get_by_role("button", name=name).first.get_attribute("aria-pressed") == "true"


def test_the_hidden_units_of_every_patch_follow_the_hand(page: Page, trace: Trace) -> None:
    show(page, "/encoder_block?layer=3&query=40&moment=3")
    for patch in (40, 7):
        point(page, patch)
        before, _ = hidden(trace, 2, patch)
        painted = " ".join(texts(page).split("\n"))
        assert f"{(before > 0).sum()} of 512 units are above 0, the largest {small(float(before.max()))}. " in painted
        assert "Each dot: hidden units at this value under GELU; larger dot, more units." in painted
        assert f"ReLU, which makes the {(before <= 0).sum()} others 0." in painted


def test_a_heads_reach_stands_beside_a_convolutions(page: Page, trace: Trace) -> None:
    show(page, "/encoder_block?layer=2&query=40&moment=4&head=3")
    row, column = divmod(39, GRID)
    rows, columns = np.divmod(np.arange(GRID * GRID), GRID)
    field = (abs(rows - row) <= 2) & (abs(columns - column) <= 2)
    weights = attention_weights(trace, 1)[2, 40, 1:]
    painted = " ".join(texts(page).split("\n"))
    assert f"patch 40 has seen a 5 × 5 neighbourhood: {field.sum()} of 144 patches." in painted
    said = float(painted.partition("≈ ")[2].partition(" %")[0])
    assert said == pytest.approx(100 * weights[field].sum() / weights.sum(), abs=1.5)
    page.get_by_role("slider", name="head").press("ArrowRight")
    away(page)
    assert readout(page).endswith(" · head 4")


def test_a_column_and_a_line_of_the_logit_lens_are_choices(page: Page, trace: Trace) -> None:
    show(page, "/class_head")
    labels = load("demo").labels
    table = [answer(trace, layer).probabilities for layer in range(LAYERS + 1)]
    best = int(table[LAYERS].argmax())
    assert readout(page) == f"After layer 6: {labels[best]}, {small(float(table[6][best]))}"
    canvas = page.locator(".scene canvas.fill").bounding_box()
    assert canvas
    wide, tall = canvas["width"] - 40 - 230, canvas["height"] - 60
    second = int(np.argsort(-table[1])[0])
    x, y = 40 + wide / 6, 14 + tall * (1 - float(table[1][second]))
    scene(page, x / canvas["width"], y / canvas["height"])
    lead = int(table[1].argmax())
    assert readout(page).startswith(f"After layer 1: {labels[lead]}, {small(float(table[1][lead]))}")
    away(page)
    assert readout(page).startswith("After layer 6")
    scene(page, x / canvas["width"], y / canvas["height"], click=True)
    page.wait_for_function(
        f"() => location.search.includes('answer={second + 1}') && location.search.includes('after=1')"
    )
    page.keyboard.press("l")
    away(page)
    assert readout(page).startswith("After layer 2: ")
    assert f"after layer 2\n{labels[int(table[2].argmax())]}\n" in texts(page)


def test_logits_probabilities_and_what_speaks_for_a_class_are_the_models(page: Page, trace: Trace) -> None:
    show(page, "/class_head?moment=2&after=3")
    labels, given = load("demo").labels, answer(trace, 3)
    rows = page.locator(".scores tbody tr")
    for row, index in enumerate(given.best(7)):
        name, logit, _, probability = rows.nth(row).locator("th, td").all_inner_texts()
        assert (name, logit) == (labels[index], small(float(given.logits[index])))
        assert probability.split()[-1] == small(float(given.probabilities[index]))
    chosen = given.best(7)[2]
    rows.nth(2).get_by_role("button").click()
    page.wait_for_function(f"() => location.search.includes('answer={chosen + 1}')")
    said = texts(page)
    assert said.startswith(f"{labels[chosen]}: ")
    assert said.rstrip().endswith(f"= {small(float(given.logits[chosen]))}")
    assert rows.nth(2).get_attribute("class") == "here"


def test_before_layer_1_the_class_token_is_the_same_for_two_pictures(page: Page, trace: Trace) -> None:
    show(page, "/class_head?moment=3&after=0")
    loaded = load("demo")
    other = next(it for it in samples().values() if it.digest != first().digest)
    second = record(loaded.model, loaded.preprocess(open_image(other.data)))
    painted = texts(page)
    assert "difference: none, to the last bit" in painted
    assert f"of another picture: {other.title}" in painted
    scene(page, 5.5 / 7, 0.9, click=True)
    still(page)
    most = np.abs(answer(trace, 5).stream[0] - answer(second, 5).stream[0]).max()
    assert f"largest difference: {small(float(most))}" in texts(page)
    page.wait_for_function("() => location.search.includes('after=5')")
