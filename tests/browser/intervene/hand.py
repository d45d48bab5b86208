"""How browser tests intervene: the switches, the brush, and what the screen then says, beside what Python says."""

import re
from functools import cache
from typing import Any

import numpy as np
from playwright.sync_api import Locator, Page

from tests.browser.board import drawn, show
from vitviz.edits import Edits
from vitviz.images import open_image
from vitviz.samples import samples
from vitviz.trace import record
from vitviz.weights import load

START = "/intervene?sample=left"
HERE = "runs in this browser"
NEAR = 1e-4  # between logits of the browser and of PyTorch


def intervene(page: Page, link: str = START) -> None:
    """Open the page, and wait until this browser runs the model."""
    show(page, link)
    page.locator(".intervene .where", has_text=HERE).wait_for()
    page.locator(".intervene .everything").wait_for(state="attached")  # what the later moments are made of
    drawn(page)


def on_the_server(page: Page, path: str) -> None:
    """Open a page, and wait until it says that the server runs the model."""
    show(page, path)
    page.locator(".where", has_text="the server runs the model").wait_for()


def switch(page: Page, name: str) -> Locator:
    """A switch by what it is called: "head 1 of layer 3"."""
    return page.get_by_role("switch", name=f"{name}: ")


def drag(page: Page, name: str, by: int, steps: int = 8) -> None:
    """Drag a switch to the side by some pixels, 60 of which are from 0 to 1."""
    box = switch(page, name).bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + by, y, steps=steps)
    page.mouse.up()


def agrees(page: Page, text: str, donor: str = "") -> None:
    """The bars say what Python says with these edits, to the last digit that is shown."""
    settled(page, text)
    lines, right = page.locator(".answers:not([hidden]) .ghosts li").all(), expected(text, donor=donor)
    assert len(lines) == 5
    for line in lines:
        name = line.locator(".name").inner_text()
        for place, value in zip((".ghosts b", ".moved"), right[name], strict=True):
            shown = line.locator(place.removeprefix(".ghosts ")).inner_text()
            digits = re.sub("[^0-9.-]", "", shown.replace("−", "-"))
            unit = 10.0 ** -len(digits.partition(".")[2]) if digits != "0" else 1e-3
            assert abs(float(digits) - value) <= 0.5 * unit + NEAR, (text, name, shown, value)


def said(page: Page) -> str:
    """The sentence that says what happened, once the run is here."""
    return page.locator(".happened").inner_text()


def settled(page: Page, edits: str) -> None:
    """Wait until the address says these edits, and the run with them is on screen."""
    page.wait_for_function("(edits) => (new URLSearchParams(location.search).get('edits') ?? '') === edits", arg=edits)
    page.locator(f'.happened[data-edits="{edits}"]').wait_for()
    drawn(page)


@cache
def loaded() -> Any:
    return load("demo")


@cache
def plain(sample: str = "left") -> Any:
    """The run of a sample as it is."""
    model = loaded()
    return record(model.model, model.preprocess(open_image(samples()[sample].data)))


@cache
def edited(text: str, sample: str = "left", donor: str = "") -> Any:
    """The run of a sample with edits, in Python."""
    model = loaded()
    edits = Edits.parse(text, model.config)
    second = plain(donor) if donor else None
    return record(model.model, plain(sample)["image"].tensor, edits=edits, donor=second)


def answer(trace: Any) -> np.ndarray:
    """Logits of a run."""
    return trace["logits"].tensor[0].numpy()


def expected(text: str, sample: str = "left", donor: str = "") -> dict[str, tuple[float, float]]:
    """What `bars` should say of each class with these edits."""
    before, after = answer(plain(sample)), answer(edited(text, sample, donor) if text else plain(sample))
    powers = np.exp(after - after.max())
    shares = powers / powers.sum()
    return dict(zip(loaded().labels, zip(shares.tolist(), (after - before).tolist(), strict=True), strict=True))
