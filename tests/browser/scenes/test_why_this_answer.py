"""Why this answer on the board: the sum, the maps, their trial and random models are Python's, and follow the hand."""

from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.board import at, away, drawn, point, readout, show, texts, written
from vitviz.measures.deletion import trial
from vitviz.measures.logit_sum import logit_sum, two_classes
from vitviz.measures.relevance import randomised_maps, relevance
from vitviz.numbers import small
from vitviz.trace import Trace
from vitviz.weights import load

NONE = -1  # no class chosen
STEM = "/why_this_answer"
LAPTOP = {"width": 1280, "height": 720}
FROZEN = "norms and attention are frozen as in this run"


def signed(value: float) -> str:
    """A number with its sign."""
    return f"+{small(value)}" if value > 0 else small(value)


@pytest.fixture
def page(stays: Page) -> Page:
    """That of a visitor who stays: what is told here hangs on the address alone."""
    return stays


@pytest.fixture(scope="module")
def label(trace: Trace) -> str:
    """What the demo model answers."""
    labels = load("demo").labels
    assert labels
    return labels[two_classes(trace, NONE)[0]]


def says(page: Page, text: str) -> None:
    """Wait until the line under the photo says this."""
    expect(page.locator(".photo:not(.second) .readout")).to_have_text(text)


def test_a_sum_is_opened_into_layers_heads_and_patches(page: Page, trace: Trace, label: str) -> None:
    show(page, f"{STEM}?opened=head&layer=6&head=2&query=64")
    found = logit_sum(trace, NONE)
    written(page, f"logit, {label}: {small(float(found.logit))}")
    painted = texts(page).split("\n")
    heads = found.heads.astype(float).sum(axis=-1)
    assert {signed(float(value)) for value in heads.flat} <= set(painted)

    def through(layer: int, head: int, patch: int) -> str:
        values = found.heads[layer, head].astype(float)
        whole = small(values.sum())
        return f"chosen patch {patch}: {signed(values[patch])} of {whole} through layer {layer + 1}, head {head + 1}"

    says(page, through(5, 1, 64))
    full, on_photo = (small(float(np.abs(it).max())) for it in (heads, found.heads[5, 1, 1:]))
    assert f"red adds, blue takes away; full at ±{full}, on the photo ±{on_photo}" in painted
    for key, layer, head in (("h", 5, 2), ("l", 0, 2), ("L", 5, 2)):
        page.keyboard.press(key)
        drawn(page)
        assert readout(page) == through(layer, head, 64)
    page.get_by_role("button", name="a layer").click()
    away(page)
    layer = found.heads[5].astype(float).sum(axis=0)
    mlp = signed(float(found.mlps[5]))
    assert readout(page) == (
        f"chosen patch 64: {signed(layer[64])} of {small(layer.sum())} through all heads of layer 6 · its MLP {mlp}"
    )


def test_patches_that_the_hand_draws_over_are_taken_together(page: Page, trace: Trace, label: str) -> None:
    show(page, STEM)
    found = logit_sum(trace, NONE)
    written(page, f"logit, {label}: {small(float(found.logit))}")
    point(page, 53)
    page.mouse.down()
    for patch in (54, 66, 67):
        point(page, patch)
    page.mouse.up()
    away(page)
    values = found.embedding.astype(float) + found.heads.astype(float).sum(axis=(0, 1))
    together = sum(values[patch] for patch in (53, 54, 66, 67))
    assert readout(page) == (
        f"chosen 4 patches together {signed(together)} of {small(values.sum())} through the embedding and all heads"
    )


def test_maps_of_one_class_and_of_two(page: Page, trace: Trace, label: str) -> None:
    show(page, f"{STEM}?moment=maps&query=64")
    says(page, f"exact sum for {label} · chosen patch 64: {small(float(relevance(trace, 'sum', NONE)[63]))}")
    page.keyboard.press("r")
    away(page)
    attention = small(float(relevance(trace, "attention", NONE)[63]))
    assert readout(page) == f"attention, last layer: the same for every class · chosen patch 64: {attention}"
    assert texts(page).split("\n").count("the same for every class") == 3
    page.keyboard.press("R")
    other = next(at for at in range(16) if at != two_classes(trace, NONE)[0])
    page.get_by_label("Class B, against which").select_option(str(other))
    both = small(float(relevance(trace, "sum", NONE, other)[63]))
    says(page, f"exact sum for {label} − {load('demo').labels[other]} · chosen patch 64: {both}")
    page.wait_for_function(f"() => location.search.includes('against={other + 1}')")


def test_patches_vanish_and_appear_in_the_order_of_a_map(page: Page, trace: Trace, label: str) -> None:
    show(page, f"{STEM}?moment=trial&removed=12&query=64")
    found = trial(trace, "sum", NONE, "grey")
    place = list(found.order).index(63) + 1
    goes = f" · chosen patch 64 is number {place} of its order"
    point_at = list(found.counts).index(12)
    gone = small(float(found.deletion[point_at]))
    says(page, f"exact sum: 12 of 144 patches are gone · {label} {gone}{goes}")
    written(page, small(float(found.area[0])))
    page.get_by_role("slider", name="gone").press("ArrowRight")
    away(page)
    counts, curve = found.counts[point_at + 1], found.deletion[point_at + 1]
    assert readout(page) == f"exact sum: {counts} of 144 patches are gone · {label} {small(float(curve))}{goes}"
    page.get_by_role("button", name="patches appear").click()
    away(page)
    there = small(float(found.insertion[point_at + 1]))
    assert readout(page) == f"exact sum: {counts} of 144 patches are there · {label} {there}{goes}"


def test_curves_stay_covered_until_somebody_has_guessed(visit: Callable[..., Page]) -> None:
    page = visit(viewport=LAPTOP)  # on whose scene nothing stood before
    show(page, f"{STEM}?moment=trial&covered=yes")
    assert readout(page) == "Guess first."
    assert "exact sum" not in texts(page)
    page.get_by_role("button", name="Guess first").click()
    written(page, "1 exact sum")


def test_maps_of_random_models_are_told_by_how_alike_they_are(page: Page, trace: Trace) -> None:
    show(page, f"{STEM}?moment=randomised&randomised=2")
    found = randomised_maps(trace, NONE)
    alike = found.alike[list(found.maps).index("sum")]
    says(page, f"exact sum, random down to block 6: alike {small(float(alike[2]))}")
    at(page, page.locator(".scene canvas.fill"), 7.4 / 8, 0.87, click=True)
    away(page)
    assert readout(page) == f"exact sum, random down to block 1: alike {small(float(alike[7]))}"


def test_what_takes_long_is_begun_by_a_button_that_says_its_price(page: Page) -> None:
    show(page, f"{STEM}?model=photo&moment=maps", complete=False)
    begin = page.get_by_role("button", name="Hide every patch: 256 runs, some ")
    expect(begin).to_be_visible()
    written(page, "not begun: 256")
    begin.click()
    expect(page.locator(".begun")).to_contain_text(" of 256 patches hidden, the rest is on its way")
    page.wait_for_function("() => location.search.includes('begun=maps')")
    page.get_by_role("button", name="Stop").click()
    expect(begin).to_be_visible()
    page.keyboard.press("PageDown")
    written(page, "The maps are not put to trial unasked")
    page.keyboard.press("PageDown")
    written(page, "The model is not drawn anew unasked")


def test_two_narrow_columns_say_that_one_picture_names_no_winner(page: Page) -> None:
    show(page, f"{STEM}?moment=trial&b.model=shelf_relative_0", complete=False)
    page.wait_for_function("() => globalThis.__vitviz_drawn?.second")
    written(page, "One picture names no winner.")
    assert texts(page).split("\n").count("One picture names no winner.") == 2


def picture(page: Page) -> str | None:
    """What the picture is, for who does not see it."""
    return page.locator(".scene:not(.second) canvas.fill").get_attribute("aria-label")


def test_who_does_not_see_the_pictures_is_told_what_they_are(page: Page, trace: Trace, label: str) -> None:
    show(page, f"{STEM}?query=64")
    written(page, FROZEN)
    assert picture(page) == f"{label} as a sum, {FROZEN}; on the photo what came through the embedding and all heads."
    page.keyboard.press("PageDown")
    drawn(page)
    assert picture(page) == "Six maps and chance; exact sum is chosen."
    page.keyboard.press("PageDown")
    gone = small(float(trial(trace, "sum", NONE, "grey").deletion[0]))
    number = f"chosen patch 64 is number {place(trace)} of its order"
    says(page, f"exact sum: 0 of 144 patches are gone · {label} {gone} · {number}")
    assert picture(page) == f"{readout(page)}."
    page.keyboard.press("PageDown")
    written(page, "rank correlation with the map of the model as it is")
    value = small(float(relevance(trace, "sum", NONE)[63]))
    says(page, f"exact sum, the model as it is: alike {small(1.0)} · chosen patch 64: {value}")


def place(trace: Trace) -> int:
    """At which place of the exact sum's order patch 64 is."""
    return list(trial(trace, "sum", NONE, "grey").order).index(63) + 1


def test_on_a_phone_nothing_of_it_is_lacking(visit: Callable[..., Page]) -> None:
    page = visit(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    show(page, STEM)
    written(page, FROZEN)
    for moment, text in {
        "maps": "gradient × input",
        "trial": "most wanted are the first patches to vanish",
        "randomised": "rank correlation with the map of the model as it is",
    }.items():
        show(page, f"{STEM}?moment={moment}")
        written(page, text)
        wide = page.locator(".scene").evaluate("(it) => it.scrollWidth - it.clientWidth")
        assert wide <= 1, moment
        names = ("exact sum", "attention, last layer", "attention rollout", "gradient × attention", "gradient × input")
        painted = texts(page).replace("\n", " ")
        assert all(name in painted for name in names), moment
        assert ("One picture names no winner." in painted) is (moment == "trial")


def test_each_of_two_columns_tells_how_far_it_is_and_is_stopped(visit: Callable[..., Page]) -> None:
    page = visit(viewport=LAPTOP)
    show(page, f"{STEM}?moment=sum&b.model=photo", complete=False)
    page.wait_for_function("() => globalThis.__vitviz_drawn?.second")
    written(page, FROZEN)
    page.wait_for_function(
        "(text) => [...__painted].filter(([it, all]) => it.closest?.('.scene') && all.includes(text)).length === 2",
        arg=FROZEN,
    )
    page.keyboard.press("PageDown")
    begun = page.locator(".scene.second .begun")
    begin = begun.get_by_role("button", name="Hide every patch: 256 runs, some ")
    begin.click()
    expect(begun).to_contain_text(" of 256 patches hidden, the rest is on its way")
    expect(page.locator(".begun")).to_have_count(2)
    begun.get_by_role("button", name="Stop").click()
    expect(begin).to_be_visible()
