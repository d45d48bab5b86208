"""A model without classes, edited: how far the class token moves is what Python says, on the server or in a browser."""

import re

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.watch import open_page
from vitviz.edits import Edits
from vitviz.images import open_image
from vitviz.measures.classes import result
from vitviz.measures.interventions import moved
from vitviz.numbers import small
from vitviz.samples import samples
from vitviz.trace import record
from vitviz.weights import Loaded, load

EDITS = "h6.1-3*0 m9*0"


@pytest.fixture(scope="module")
def photo() -> Loaded:
    return load("photo", device="cpu")


def shown(page: Page) -> Locator:
    """The numbers beside the bars."""
    return page.locator(".answers:not([hidden]) .ghosts li:not([hidden]) b")


def test_how_far_the_class_token_moves_is_what_python_says(page: Page, photo: Loaded) -> None:
    image = photo.preprocess(open_image(samples()["coffee"].data))
    plain = record(photo.model, image)
    trace = record(photo.model, image, edits=Edits.parse(EDITS, photo.config), plain=plain)
    cosine, length = (float(it) for it in moved(trace)[:, -1])
    open_page(page, f"/intervene?model=photo&sample=coffee&edits={EDITS}")
    said = page.locator(f'.happened[data-edits="{EDITS}"]')
    either = re.compile("runs in this browser|ms there and .* ms in this browser")  # whichever was quicker
    for where in ("the server runs the model", either):
        expect(page.locator(".said .where")).to_contain_text(where)
        expect(said).to_contain_text(
            f"class token at cosine {small(cosine)} to the unedited, {small(length)} of its length away."
        )
        expect(shown(page)).to_have_text([small(cosine), small(length), re.compile(r"^0\.\d+$")])
        if where != either:
            page.locator(".said .where").get_by_role("button").click()


def test_a_guess_is_of_the_class_token_and_python_says_what_came(page: Page, photo: Loaded) -> None:
    plain, second = (
        record(photo.model, photo.preprocess(open_image(samples()[it].data))) for it in ("coffee", "astronaut")
    )
    edits = Edits.parse(" ".join(f"m{layer}*0" for layer in range(1, photo.config.depth + 1)), photo.config)
    cosine = float(moved(record(photo.model, plain["image"].tensor, edits=edits, plain=plain))[0, -1])
    own, other = result(plain), result(second)
    scale = float(own @ other / np.linalg.norm(own) / np.linalg.norm(other))
    came = "Right: it moves as far" if cosine <= scale else "Not so: it moves, less far"
    open_page(page, "/intervene?model=photo&sample=coffee&donor=astronaut&moment=4")
    page.get_by_role("button", name="3. Every MLP is off.").click()
    hint = page.locator(".guess .hint")
    expect(hint).to_contain_text(f"at most that to “Astronaut”, {small(scale)}.")
    page.get_by_role("button", name="it moves as far as to another picture").click()
    expect(page.locator(".verdict")).to_contain_text(came)
    expect(page.locator(".verdict")).to_contain_text(f"cosine {small(cosine)}.")
    expect(page.get_by_role("button", name="the same, surer")).to_have_count(0)
