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
    for switch, words in (("head 3 of layer 4", "h4.3*0"), ("block of layer 2", "h4.3*0 b2*0")):
        page.get_by_label(f"{switch}: on").click()
        edits = Edits.parse(words, cat.loaded.config)
        expect(page.locator(f'.happened[data-edits="{edits}"]')).to_be_visible()
        edited = record(cat.loaded.model, cat.trace["image"].tensor, edits=edits)
        before, after = (read_out(trace, 6).probabilities for trace in (cat.trace, edited))
        expect(page.locator(".happened")).to_contain_text(small(float(before.max())))
        expect(page.locator(".happened")).to_contain_text(small(float(after[after.argmax()])))
        page.mouse.move(2, 2)
        off = attention_weights(edited, 3)[2, 0]
        said = f"query [class] · layer 4 · head 3 looks most at {strongest(off)} · adds nothing: it is off"
        expect(page.locator(".readout")).to_have_text(said)  # nothing leads away from what was looked at
        page.keyboard.press("l")
        weights = attention_weights(edited, 4)[2, 0]
        assert abs(weights - attention_weights(cat.trace, 4)[2, 0]).max() > 0.001
        expect(page.locator(".readout")).to_have_text(
            f"query [class] · layer 5 · head 3 looks most at {strongest(weights)}"
        )
        page.keyboard.press("L")


def test_a_model_that_cannot_be_read_leaves_the_heads(offline: Callable[..., Page], cat: Opened) -> None:
    whole = explore(cat.trace, cat.loaded, model="demo", picture="Cat", layer=3, weights=True).html
    page = offline(re.sub('(?<= id="parameters">).{100}', "", whole), complains=True)
    expect(page.locator(".cannot")).to_contain_text("The numbers in this file cannot be read")
    expect(page.locator(".readout")).to_contain_text("query [class] · layer 4 · head 1 looks most at")
    page.keyboard.press("l")
    expect(page.locator(".readout")).to_contain_text("layer 5")
    expect(page.locator(".cannot")).to_contain_text("The numbers in this file cannot be read")


def test_light_and_dark_and_a_phone(offline: Callable[..., Page], explorer: Explorer) -> None:
    page = offline(explorer.html, color_scheme="dark", viewport={"width": 390, "height": 844})
    background = "getComputedStyle(document.body).backgroundColor"
    expect(page.locator(".readout")).to_contain_text("patch 60")
    assert page.evaluate(background) == "rgb(14, 17, 23)"
    page.get_by_role("button", name="light / dark").click()
    assert page.evaluate(background) == "rgb(255, 255, 255)"
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


# What an editor may allow outputs of a notebook: scripts that stand in them, pictures in addresses, no blobs.
STRICT = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: https:"
STYLES = "canvas, .photo, .readout { display: none } #said { color: red } p { font-size: 3px }"


def notebook(*shown: Explorer, policy: str = "") -> str:
    """A page that shows some in cells, as a notebook does, with styles and names of its own."""
    cells = "".join(f"<div class=cell>{it._repr_html_()}</div>" for it in shown)
    rule = f'<meta http-equiv="Content-Security-Policy" content="{policy}">' if policy else ""
    return f"<!doctype html><meta charset=utf-8>{rule}<style>{STYLES}</style><p id=said>[1]</p>{cells}"


def frame(page: Page, place: int) -> FrameLocator:
    """What a cell shows, brought where it is seen: a browser draws nothing elsewhere."""
    page.locator(".cell iframe").nth(place - 1).scroll_into_view_if_needed()
    return page.frame_locator(f".cell:nth-of-type({place}) iframe")


def test_a_notebook_shows_several_that_leave_each_other_alone(
    offline: Callable[..., Page], explorer: Explorer, cat: Opened
) -> None:
    other = explore(record(cat.loaded.model, cat.trace["image"].tensor.flip(3)), cat.loaded, model="<b>x</b>")
    page = offline(notebook(explorer, other, explorer, policy=STRICT))
    first = frame(page, 1)
    expect(first.locator(".readout")).to_contain_text("query patch 60 · layer 4")
    second = frame(page, 2)
    expect(second.locator(".readout")).to_contain_text("query [class] · layer 1")
    expect(second.locator(".made")).to_contain_text("<b>x</b> on “a picture”")
    # A hand in the second, keys in the third: each answers its own, and the first neither.
    hover(second, 30)
    coded = dequantise(quantised_layer(other.trace, 0))[0, 30]
    expect(second.locator(".readout")).to_contain_text(strongest(coded, "≈ "))
    third = frame(page, 3)
    third.locator(".photo canvas").click(position={"x": 5, "y": 5})
    page.keyboard.press("l")
    weights = dequantise(quantised_layer(explorer.trace, 4))[0, 1]
    expect(third.locator(".readout")).to_have_text(
        f"query patch 1 · layer 5 · head 1 looks most at {strongest(weights, '≈ ')}"
    )
    expect(frame(page, 1).locator(".readout")).to_contain_text("query patch 60 · layer 4")
    expect(frame(page, 2).locator(".readout")).to_contain_text("layer 1 · head 1")
    assert page.locator("#said").inner_text() == "[1]"


def test_a_model_runs_in_a_cell_of_a_notebook_too(offline: Callable[..., Page], cat: Opened) -> None:
    running = explore(cat.trace, cat.loaded, model="demo", picture="Cat", weights=True)
    page = offline(notebook(running, running))
    second = frame(page, 2)
    second.get_by_role("button", name="switches").click()
    second.get_by_label("head 3 of layer 4: on").click()
    expect(second.locator('.happened[data-edits="h4.3*0"]')).to_be_visible()
    edited = record(cat.loaded.model, cat.trace["image"].tensor, edits=Edits.parse("h4.3*0", cat.loaded.config))
    expect(second.locator(".happened")).to_contain_text(small(float(read_out(edited, 6).probabilities.max())))
    expect(frame(page, 1).locator(".folded")).to_be_hidden()
