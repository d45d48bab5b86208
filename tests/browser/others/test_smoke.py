"""Firefox and WebKit do what Chromium does: a page of each kind, what is taken away, brought, and guessed."""

from io import BytesIO
from pathlib import Path
from urllib.parse import urlsplit
from zipfile import is_zipfile

import numpy as np
from selenium.webdriver.common.keys import Keys

from tests.browser.board import GRID
from tests.browser.intervene.hand import expected
from tests.browser.lecture.leading import leading
from tests.browser.others.tab import Tab
from tests.browser.scenes.left import addend
from tests.browser.server import Server
from tests.browser.takeaway.told import strongest
from vitviz.images import PHOTOS, open_image
from vitviz.lecture.payloads import map_payload
from vitviz.measures import tokens
from vitviz.measures.attention import attention_row
from vitviz.numbers import small
from vitviz.trace import Trace, record
from vitviz.weights import load

PHOTO, READOUT = ".photo canvas", ".readout"
BELOW = """
    const [above, below] = [...arguments].map((selector) => seen(selector).at(-1).getBoundingClientRect());
    return below.top >= above.bottom;
"""


def middle(patch: int) -> tuple[float, float]:
    """Where the middle of a patch lies, in shares of the photo's width and height; the first is 1."""
    row, column = divmod(patch - 1, GRID)
    return (column + 0.5) / GRID, (row + 0.5) / GRID


def test_heads(tab: Tab, trace: Trace) -> None:
    tab.open("/heads?layer=3&query=40")
    tab.sees(READOUT, f"query patch 40 · layer 3 · head 1 looks most at {strongest(attention_row(trace, 2, 40)[0])}")
    assert tab.look(BELOW, ".slide", READOUT)
    tab.point(PHOTO, at=middle(41))
    tab.sees(READOUT, "query patch 41 · layer 3")
    tab.click(PHOTO, at=middle(42))
    tab.address("query=42")
    tab.point(".sentence")
    tab.press("l", "h")
    tab.sees(READOUT, f"query patch 42 · layer 4 · head 2 looks most at {strongest(attention_row(trace, 3, 42)[1])}")
    tab.address("layer=4")
    tab.click("button", "rollout")
    tab.sees(READOUT, "rollout")


def test_intervene(tab: Tab) -> None:
    tab.open("/intervene?sample=left")
    tab.sees(".where", "runs in this browser")
    tab.click("[role=switch][aria-label^='head 1 of layer 3: ']")
    tab.sees('.happened[data-edits="h3.1*0"]')
    tab.drag("[role=switch][aria-label^='MLP of layer 2: ']", -30)
    tab.sees('.happened[data-edits="h3.1*0 m2*0.5"]')
    bars = dict(
        zip(tab.said(".answers:not([hidden]) .ghosts .name"), tab.said(".answers:not([hidden]) .ghosts b"), strict=True)
    )
    assert len(bars) == 5
    right = expected("h3.1*0 m2*0.5")
    for name, number in bars.items():
        assert abs(float(number) - right[name][0]) < 1e-3
    tab.press("z", "z")
    tab.sees('.happened[data-edits=""]', "Unedited")


def test_position_embedding(tab: Tab, trace: Trace) -> None:
    tab.open("/position_embedding?query=40&component=9")
    token = tokens.embedded(trace, "patch_tokens")[39, 8]
    position, total = tokens.patch_positions(trace)[39, 8], tokens.placed_tokens(trace)[40, 8]
    tab.sees(READOUT, f"patch 40: row 4, column 4 · component 9: {small(token)} + {addend(position)} = {small(total)}")
    tab.press(Keys.PAGE_DOWN)
    tab.address("moment=similarity")
    tab.point(".scene canvas", at=(0.01, 0.1))
    tab.sees(READOUT, "patch 1: row 1, column 1")
    tab.press(Keys.PAGE_DOWN)
    tab.click("button", "positions off")
    tab.sees("button[aria-pressed=true]", "positions off")
    assert len(tab.said(".answer b")) == 9


def test_what_is_taken_away_is_saved_and_copied(tab: Tab, trace: Trace, folder: Path) -> None:
    tab.open("/heads?layer=3&query=40")
    tab.press("t")
    tab.click(".takes button", "Data (.npz)")
    tab.sees(".takes [role=status]", "is in your downloads")
    file = folder / "downloads" / "heads-demo-Cat-layer3.npz"
    tab.until(lambda: is_zipfile(file), f"all of {file.name}")  # a browser begins with an empty one of that name
    with np.load(BytesIO(file.read_bytes()), allow_pickle=False) as data:
        np.testing.assert_allclose(data["values"], attention_row(trace, 2, 40), rtol=1e-5, atol=1e-8)
    tab.click(".takes button", "Cite")
    tab.sees(".takes [role=status]", "Copied.")
    tab.press(Keys.ESCAPE)
    tab.hidden(".takes")
    tab.look(
        "document.body.append(Object.assign(document.createElement('textarea'), { id: 'pasted' })); pasted.focus()"
    )
    tab.hold(Keys.CONTROL, "v")
    tab.sees("#pasted", "@misc{")


def test_ones_own_photograph(tab: Tab, tmp_path: Path) -> None:
    path, loaded = tmp_path / "photo.jpg", load("photo")
    path.write_bytes(PHOTOS[0].read())
    row = attention_row(record(loaded.model, loaded.preprocess(open_image(path.read_bytes()))), 2, 40)[0]
    tab.open("/")
    tab.give(".start input[type=file]", str(path))
    tab.sees(".coming", "Your picture is on its way.")
    tab.sees(".start .match", "Taken for a photograph")
    tab.hidden(".coming")
    tab.address("model=photo")
    tab.open(f"/heads?layer=3&query=40&{urlsplit(tab.driver.current_url).query}")
    tab.sees(".strip .words", "your picture")
    tab.sees(READOUT, strongest(row))
    tab.click('.strip a.box[data-stem="depth"]', "Depth")
    tab.address("/depth?")
    tab.driver.refresh()
    tab.sees(".strip .words", "your picture")


def test_who_follows_a_lecture_guesses(tab: Tab, trace: Trace, server: Server) -> None:
    with leading(server, "GHJK") as leader:
        leader.move(1, "overview", "A picture goes in.")
        tab.open("/?room=GHJK")
        tab.sees(".lecture-bar b", "Following · step 1 of 9")
        leader.move(2, "heads?layer=6&query=40", "Guess first.", {"kind": "patch", "asks": "Where does it look?"})
        tab.sees(".headline", "Guess first.")
        tab.hidden(".scene")
        leader.say(ask=1)
        tab.sees(".asks", "Where does it look?")
        tab.sees(".phase", "Click the patch on the photo; or arrows, then Enter.")
        tab.click(PHOTO, at=middle(7))
        tab.sees(".own", "Your guess: patch 7")
        while not leader.hear("votes")["voted"]:
            pass
        leader.reveal(2, {**map_payload(attention_row(trace, 5, 40)[1:]), "patch": 0, "text": "Patch 1."})
        tab.sees(".truth", "✓ Patch 1.")
        tab.sees(".scene")
        tab.sees(".headline", "Because it is so.")
    tab.hidden(".lecture-bar")
