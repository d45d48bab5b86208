"""The offline file, and the explorer in a notebook, in a browser without a network: they say what Python says."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import FrameLocator, Page, expect

from tests.browser.takeaway.told import strongest
from vitviz.edits import Edits
from vitviz.measures.attention import attention_weights, rollout
from vitviz.measures.classes import answer as read_out
from vitviz.measures.quantised import dequantise, quantised_layer
from vitviz.numbers import small
from vitviz.takeaway.explorer.explorer import Explorer, explore
from vitviz.takeaway.opening import Opened, opened
from vitviz.takeaway.view import from_words
from vitviz.trace import record

CHOSEN = 60  # the query whose weights are in the file as they are


@pytest.fixture(scope="session")
def cat() -> Opened:
    return opened(from_words("heads", {"sample": "cat"}, {"heads": None}))


@pytest.fixture(scope="session")
def explorer(cat: Opened) -> Explorer:
    return explore(cat.trace, cat.loaded, model="demo", picture="Cat", layer=3, query=CHOSEN)


def hover(page: Page | FrameLocator, patch: int) -> None:
    """Point at a patch, the first being 1."""
    photo = page.locator(".photo canvas")
    photo.scroll_into_view_if_needed()
    box = photo.bounding_box()
    assert box
    row, column = divmod(patch - 1, 12)
    photo.hover(position={"x": (column + 0.5) * box["width"] / 12, "y": (row + 0.5) * box["height"] / 12})


def readout(page: Page | FrameLocator) -> str:
    return page.locator(".readout").inner_text()


def test_the_file_says_what_python_says(offline: Callable[..., Page], explorer: Explorer) -> None:
    page = offline(explorer.html)
    words = page.locator(".readout")
    weights = [attention_weights(explorer.trace, layer) for layer in range(6)]
    expect(words).to_have_text(f"query patch 60 · layer 4 · head 1 looks most at {strongest(weights[3][0, CHOSEN])}")
    # Side by side, on one screen.
    photo, wall, matrix = (page.locator(name).bounding_box() for name in (".photo canvas", ".wall", ".matrix"))
    assert photo
    assert wall
    assert matrix
    assert photo["x"] + photo["width"] < wall["x"] < wall["x"] + wall["width"] < matrix["x"]
    assert page.evaluate("document.documentElement.scrollHeight") <= 720

    hover(page, 41)
    coded = dequantise(quantised_layer(explorer.trace, 3))[0, 41]
    expect(words).to_have_text(f"query patch 41 · layer 4 · head 1 looks most at {strongest(coded, '≈ ')}")
    page.mouse.move(2, 2)
    expect(words).to_contain_text("query patch 60")

    page.keyboard.press("l")
    page.keyboard.press("h")
    expect(words).to_have_text(f"query patch 60 · layer 5 · head 2 looks most at {strongest(weights[4][1, CHOSEN])}")
    page.keyboard.press("ArrowRight")
    expect(words).to_contain_text("query patch 60")  # it is at the right edge
    page.keyboard.press("ArrowDown")
    coded = dequantise(quantised_layer(explorer.trace, 4))[1, CHOSEN + 12]
    expect(words).to_have_text(f"query patch 72 · layer 5 · head 2 looks most at {strongest(coded, '≈ ')}")

    page.get_by_role("button", name="rollout").click()
    exact = rollout(explorer.trace)[4, CHOSEN + 12]
    expect(words).to_contain_text(f"patch {exact.argmax()}: ≈ ")
    said = float(readout(page).split("≈ ")[1].split(",")[0])
    assert abs(said / exact.max() - 1) < 0.01


def test_the_model_in_the_file_is_switched_without_a_network(offline: Callable[..., Page], cat: Opened) -> None:
    page = offline(explore(cat.trace, cat.loaded, model="demo", picture="Cat", layer=3, head=2, weights=True).html)
    expect(page.locator(".readout")).to_contain_text("layer 4")
    page.keyboard.press("w")
    expect(page.locator(".where")).to_contain_text("runs in this browser")
    for press, words in (
        (lambda: page.get_by_label("head 3 of layer 4: on").click(), "h4.3*0"),
        (lambda: page.get_by_label("block of layer 2: on").click(), "h4.3*0 b2*0"),
    ):
        press()
        edits = Edits.parse(words, cat.loaded.config)
        expect(page.locator(f'.happened[data-edits="{edits}"]')).to_be_visible()
        edited = record(cat.loaded.model, cat.trace["image"].tensor, edits=edits)
        before, after = (read_out(trace, 6).probabilities for trace in (cat.trace, edited))
        expect(page.locator(".happened")).to_contain_text(small(float(before.max())))
        expect(page.locator(".happened")).to_contain_text(small(float(after[after.argmax()])))
        page.mouse.move(2, 2)
        layer, head = (int(number) - 1 for number in re.findall(r"(?:layer|head) (\d+)", readout(page)))  # it chose
        weights = attention_weights(edited, layer)[head, 0]
        assert abs(weights - attention_weights(cat.trace, layer)[head, 0]).max() > 0.001
        expect(page.locator(".readout")).to_contain_text(f"looks most at {strongest(weights)}")


def test_light_and_dark_and_a_phone(offline: Callable[..., Page], explorer: Explorer) -> None:
    page = offline(explorer.html, color_scheme="dark", viewport={"width": 390, "height": 844})
    background = "getComputedStyle(document.body).backgroundColor"
    expect(page.locator(".readout")).to_contain_text("patch 60")
    assert page.evaluate(background) == "rgb(14, 17, 23)"
    page.get_by_role("button", name="light / dark").click()
    assert page.evaluate(background) == "rgb(255, 255, 255)"
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_notebook_shows_several_that_leave_each_other_alone(
    offline: Callable[..., Page], explorer: Explorer, cat: Opened
) -> None:
    other = explore(record(cat.loaded.model, cat.trace["image"].tensor.flip(3)), cat.loaded, model="<b>x</b>")
    cells = "".join(f"<div class=cell>{it._repr_html_()}</div>" for it in (explorer, other))
    page = offline(f"<!doctype html><meta charset=utf-8><style>canvas {{ display: none }}</style>{cells}")
    first, second = (page.frame_locator(f".cell:nth-of-type({place}) iframe") for place in (1, 2))
    expect(first.locator(".readout")).to_contain_text("query patch 60 · layer 4")
    expect(second.locator(".readout")).to_contain_text("query [class] · layer 1")
    expect(second.locator("footer")).to_contain_text("<b>x</b> on “a picture”")
    hover(second, 30)
    coded = dequantise(quantised_layer(other.trace, 0))[0, 30]
    expect(second.locator(".readout")).to_contain_text(strongest(coded, "≈ "))
    expect(first.locator(".readout")).to_contain_text("query patch 60")
