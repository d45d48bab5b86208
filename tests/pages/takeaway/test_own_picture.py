"""Somebody's own picture leaves with the tick alone, on every page, and no file has the name that leads to it."""

import re
from base64 import b64decode
from io import BytesIO
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image
from streamlit.testing.v1 import AppTest

from tests.pages.app import ask, healthy, visit
from tests.pages.takeaway.test_asking import offered, told
from tests.pages.takeaway.test_every_entry import pictures
from tests.unit.takeaway.opening import opened
from vitviz.page import Page
from vitviz.pages import PAGES
from vitviz.takeaway.file import File

pytestmark = pytest.mark.usefixtures("few")
COLOUR = (233, 17, 171)  # of all of the picture, and of nothing else that vitviz draws
NEAR = 6  # what resizing and normalising may move it by
HEX = re.compile(r"#([0-9a-fA-F]{6})\b|rgb\((\d+), ?(\d+), ?(\d+)\)")
EMBEDDED = re.compile(r"data:image/png;base64,([A-Za-z0-9+/=]+)")
PICTURED = [entry for entry in PAGES.values() if entry.forward]


def bring(stem: str) -> AppTest:
    """A page with the picture of one colour that somebody brought."""
    file = BytesIO()
    Image.new("RGB", (96, 96), COLOUR).save(file, "PNG")
    app = visit(stem, open="details")
    app.segmented_control(key="source").set_value("Upload").run()
    return healthy(app.file_uploader(key="upload").upload("own.png", file.getvalue()).run())


def shows_it(svg: str) -> bool:
    """Whether the colour is in a figure, as a fill or in an image."""
    ElementTree.fromstring(svg)
    fills = [
        bytes.fromhex(found[1]) if found[1] else bytes(map(int, found.groups()[1:])) for found in HEX.finditer(svg)
    ]
    images = [
        np.asarray(Image.open(BytesIO(b64decode(it))).convert("RGB")).reshape(-1, 3) for it in EMBEDDED.findall(svg)
    ]
    seen = np.concatenate([np.array([list(it) for it in fills], dtype=int).reshape(-1, 3), *images])
    return bool((np.abs(seen.astype(int) - COLOUR).max(axis=1) <= NEAR).any())


@pytest.mark.parametrize("entry", PICTURED, ids=lambda it: it.stem)
def test_no_figure_and_no_name_of_it_leaves_without_the_tick(entry: Page, served: list[File]) -> None:
    app = bring(entry.stem)
    secret = "".join(app.query_params["picture"])
    menus = [(it["key"], it["files"], it.get("own")) for it in pictures(app)]
    if entry.on_board:
        menus.append((entry.stem, offered(app), True))
    number = 0
    for key, files, own in menus:
        for what in (it for it in ("svg", "csv", "notebook") if it in files):
            number += 1
            (said,) = told(healthy(ask(app, take=f"{key}.{what}.bare.{number}")))
            if "says" in said:
                assert "tick “with my picture”" in said["says"] or (what == "csv" and "take the .npz" in said["says"])
                continue
            text = opened(what, served[-1])
            assert secret not in served[-1].data.decode()
            assert what != "svg" or not shows_it(text), key
            assert own or not shows_it(text)


def test_with_the_tick_it_is_seen(served: list[File]) -> None:
    app = bring("patch_grid")
    keys = ["patch_grid", pictures(app)[0]["key"]]
    for number, key in enumerate(keys):
        (said,) = told(healthy(ask(app, take=f"{key}.svg.with.{number}")))
        assert "says" not in said
        assert shows_it(served[-1].data.decode())
    (said,) = told(healthy(ask(app, take=f"{keys[1]}.npz.with.9")))
    assert np.load(BytesIO(served[-1].data))["pixels"].shape[2] == 3
