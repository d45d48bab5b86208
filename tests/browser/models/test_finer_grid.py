"""A finer grid is chosen beside the model and stands in the address; the second column has it by a list of its own."""

import re
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, expect

from tests.browser.frame import close_sidebar, open_board, open_sidebar, readout, rest
from tests.browser.watch import answered
from vitviz.images import open_image
from vitviz.measures import attention_weights
from vitviz.numbers import small
from vitviz.samples import samples
from vitviz.trace import record
from vitviz.weights import load

LAYER, QUERY = 9, 700  # from 1; the grid of 224 pixels has 256 patches


def asks(page: Page) -> dict[str, str]:
    """What the address asks for, by parameter."""
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def test_a_finer_grid_is_chosen_in_the_sidebar_and_its_numbers_are_pythons(page: Page) -> None:
    open_board(page, f"/heads?model=photo&sample=tabby&layer={LAYER}")
    open_sidebar(page)
    with answered(page):
        page.locator(".st-key-size").get_by_role("radio", name="448").click()
    rest(page)
    assert asks(page)["size"] == "448"
    close_sidebar(page)
    expect(page.locator(".strip a.box").nth(1)).to_contain_text("1,024")
    open_board(page, f"{page.url}&query={QUERY}")
    loaded = load("photo", image_size=448)
    trace = record(loaded.model, loaded.preprocess(open_image(samples()["tabby"].data)))
    weights = attention_weights(trace, LAYER - 1)[0, QUERY]
    expect(page.locator(".photo .readout")).not_to_contain_text("≈")
    most = int(weights.argmax())
    named = f"patch {most}" if most else "[class]"
    assert f"query patch {QUERY} · layer {LAYER} · head 1 looks most at {named}: {small(weights[most])}, " in readout(
        page
    )


def test_the_second_column_has_a_size_of_its_own_and_the_two_are_exchanged(page: Page) -> None:
    open_board(page, f"/heads?model=photo&sample=tabby&layer={LAYER}&b.model=photo")
    with answered(page):
        page.get_by_label("Pixels of a side of B").select_option("448")
    rest(page)
    assert asks(page)["b.size"] == "448"
    expect(page.locator(".difference")).to_contain_text(re.compile("16 × 16 patches beside 32 × 32"))
    with answered(page):
        page.get_by_role("button", name="Exchange A and B").click()
    rest(page)
    assert asks(page)["size"] == "448"
    expect(page.locator(".difference")).to_contain_text("32 × 32 patches beside 16 × 16")
    expect(page.locator(".of-column").first).to_contain_text("DINOv2-S/14 in 8 bits at 448 px")
