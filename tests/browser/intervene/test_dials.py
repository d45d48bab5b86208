"""What turns attention itself, the prepared experiments, and the curve and maps beside them."""

import re

import pytest
import torch
from PIL import Image
from playwright.sync_api import Page

from tests.browser.board import drawn, texts
from tests.browser.intervene.hand import agrees, answer, edited, expected, intervene, loaded, plain, said, settled
from tests.browser.scenes.left import on_patch
from tests.browser.watch import TIMEOUT_MS
from vitviz.demo.dataset import TEST, draw
from vitviz.demo.scenes import THINGS
from vitviz.edits import Edits
from vitviz.measures.attention import attention_row
from vitviz.measures.classes import logit_lens
from vitviz.numbers import small
from vitviz.trace import record

DIALS = "/intervene?sample=left&moment=3"


@pytest.fixture
def page(stays: Page) -> Page:
    """That of a visitor who stays: what is told here hangs on the address alone."""
    return stays


def turn(page: Page, name: str, steps: int) -> None:
    """Turn a dial by its keys."""
    dial = page.get_by_role("slider", name=name)
    dial.focus()
    for _ in range(abs(steps)):
        page.keyboard.press("ArrowRight" if steps > 0 else "ArrowLeft")
    drawn(page)


def test_every_dial_does_what_python_does(page: Page) -> None:
    intervene(page, DIALS)
    turn(page, "temperature", 3)
    agrees(page, "t=4")
    turn(page, "top-k", -5)
    agrees(page, "t=4 k=8")
    turn(page, "window", -8)
    agrees(page, "t=4 k=8 w=3")
    page.get_by_role("group", name="q·k divided by").get_by_role("button", name="dₕ", exact=True).click()
    agrees(page, "t=4 s=dh k=8 w=3")
    page.get_by_role("group", name="positions").get_by_role("button", name="off").click()
    agrees(page, "t=4 s=dh k=8 w=3 e=off")
    page.keyboard.press("0")
    agrees(page, "")
    turn(page, "dropout", 2)
    agrees(page, "d=0.2@1")
    page.keyboard.press("0")
    page.locator(".photo canvas").click(position=on_patch(page, 40))
    turn(page, "place of the chosen patch", 2)
    agrees(page, "o41=1")


def test_one_layer_may_have_its_own(page: Page) -> None:
    intervene(page, f"{DIALS}&layer=2")
    turn(page, "temperature", 2)
    page.get_by_role("button", name="layer 2", exact=True).click()
    turn(page, "temperature", -2)
    agrees(page, "t=2 t2=1")
    page.get_by_role("slider", name="temperature").focus()
    for key, moment in (("PageDown", "experiments"), ("PageUp", "attention")):  # a clicker goes on
        page.keyboard.press(key)
        page.wait_for_function("moment => location.search.includes(`moment=${moment}`)", arg=moment)
    agrees(page, "t=2 t2=1")


def test_an_experiment_begins_with_a_guess_and_ends_with_what_came(page: Page) -> None:
    intervene(page, "/intervene?sample=left&moment=4")
    page.get_by_role("button", name=re.compile("Every MLP is off")).click()
    settled(page, "")
    page.wait_for_function("location.search.includes('layer=6')")
    assert not page.locator(".verdict").inner_text()
    assert page.get_by_role("button", name="the same, surer").is_hidden(), "from 0.950 nothing rises by 0.1"
    page.get_by_role("button", name="the same, less sure").click()
    off = " ".join(f"m{layer}*0" for layer in range(1, 7))
    agrees(page, off)
    assert "layer=6" in page.url, "a guess changes nothing but the model"
    before, best = (expected(text)["red ball left of blue ball"][0] for text in ("", off))
    assert before - best >= 0.1
    assert page.locator(".verdict").inner_text() == (
        "Right: the same, less sure. It still comes first; what it lost came through the MLPs."
    )
    assert page.get_by_text("About as sure: its probability moves by less than 0.1.").is_visible()
    assert said(page).startswith("MLPs of 6 layers off: ")


def test_the_answer_of_now_stands_first_and_its_dashed_line_is_named(page: Page) -> None:
    intervene(page, "/intervene?sample=column&moment=4")
    page.get_by_role("button", name=re.compile("The position embeddings are off")).click()
    page.get_by_role("button", name="another answer").click()
    settled(page, "e=off")
    assert page.locator(".ghosts .name").first.inner_text() == "red ball left of blue ball"
    assert page.locator(".ghosts .was").first.inner_text().startswith("was 0.0")
    assert page.locator(".verdict").inner_text().startswith("Right: another answer. Without positions ")
    label = page.locator(".seen canvas").last.get_attribute("aria-label") or ""
    assert "; dashed, red ball left of blue ball: " in label


def test_maps_and_readout_are_those_of_the_edited_run(page: Page) -> None:
    intervene(page, "/intervene?sample=left&edits=h3.1*0+b4*0&layer=5&head=2&query=70")
    settled(page, "h3.1*0 b4*0")
    rows = [attention_row(trace, 4, 70)[1, 1:] for trace in (edited("h3.1*0 b4*0"), plain())]
    light, apart = max(row.max() for row in rows), abs(rows[0] - rows[1]).max()
    page.wait_for_function("() => globalThis.__painted")
    written = texts(page)
    assert f"brightest from {small(float(light))}" in written
    assert f"blue −, red +: {small(float(apart))}" in written
    best = int(rows[0].argmax())
    readout = page.locator(".readout").inner_text()
    assert f"looks most at patch {best + 1}: {small(float(rows[0][best]))}" in readout or "[class]" in readout
    assert said(page).startswith("2 changes: ")
    best = int(answer(plain()).argmax())
    lines = [logit_lens(trace)[:, best] for trace in (plain(), edited("h3.1*0 b4*0"))]
    before, after = (", ".join(small(float(value)) for value in line) for line in lines)
    label = page.locator(".seen canvas").last.get_attribute("aria-label") or ""
    assert label.endswith(f"after every layer: unedited {before}; edited {after}.")


def test_scenes_are_counted_on_request_things_and_relations_apart(page: Page) -> None:
    text = "a6*0"
    intervene(page, f"/intervene?sample=left&edits={text}")
    settled(page, text)
    page.get_by_role("button", name="Accuracy on 500 test scenes").click()
    pictures, model = draw(TEST[:500]), loaded()
    images = torch.cat([model.preprocess(Image.fromarray(it)) for it in pictures.image])
    before = record(model.model, images)
    after = record(model.model, images, edits=Edits.parse(text, model.config), plain=before)
    right = [trace["logits"].tensor.argmax(dim=1).numpy() == pictures.label for trace in (before, after)]
    relations = pictures.label >= len(THINGS)
    shares = [f"{each[which].mean():.3f}" for which in (~relations, relations) for each in right]
    words = page.locator(".measured [role=status]", has_text="scenes right")
    words.wait_for(timeout=5 * TIMEOUT_MS)  # a thousand forward passes
    assert words.inner_text() == "500 scenes right: things {} → {}, relations {} → {}".format(*shares)
