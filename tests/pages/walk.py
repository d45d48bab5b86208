"""A walk over all pages and drawers with several models and uploads, as a program; it says whether PyTorch came along.

VITVIZ_ENGINE=process python -m tests.pages.walk FOLDER
"""

import sys

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.app import problems, time_few_sizes, visit
from vitviz.images import PHOTOS
from vitviz.machine import price
from vitviz.pages import PAGES
from vitviz.ui.server import startup
from vitviz.ui.server.client import engine
from vitviz.ui.sidebar import checkpoints

DRAWERS = ("details", "formula", "code")
OTHERS = (
    {"model": "shelf_none_0", "open": "details"},
    {"model": "build-your-own", "activation": "swiglu", "depth": "2", "dim": "64", "heads": "4", "open": "details"},
)
MOVED = {"sample": "coffee", "crop": "250-100-500", "moment": "5"}


def at(where: str) -> None:
    """Say where the walk is if PyTorch is there, and end it."""
    if "torch" in sys.modules:
        sys.exit(f"torch was imported {where}")


def look(app: AppTest, where: str) -> AppTest:
    """The page, which shows no error."""
    at(where)
    if found := problems(app):
        sys.exit(f"{where}: {found}")
    return app


def upload_a_picture() -> None:
    """A photo, then a file that is none."""
    app = visit("patch_grid")
    app.segmented_control(key="source").set_value("Upload").run()
    look(app.file_uploader(key="upload").upload("photo.jpg", PHOTOS[1].read()).run(), "with an upload")
    app.file_uploader(key="upload").upload("photo.png", b"<html>no picture</html>").run()
    assert "This is a web page" in app.warning[0].value
    at("with a bad upload")


def upload_a_checkpoint(folder: str) -> None:
    """A checkpoint of ours, then a file that is none."""
    for name, problem in (("good", ""), ("bad", "is damaged")):
        with open(f"{folder}/{name}.safetensors", "rb") as file:
            app = visit("overview", model=checkpoints.FILE, open="details")
            app.file_uploader(key="checkpoint_0").upload(f"{name}.safetensors", file.read())
        app.run()
        at(f"with a {name} checkpoint")
        if problem:
            assert app.error, "it was taken"
        else:
            look(app, "with a checkpoint")


def main(folder: str) -> None:
    """Walk. Formula and code are drawers of the board's pages alone."""
    startup.prepare()
    patch = pytest.MonkeyPatch()
    time_few_sizes(patch)
    at("at the start")
    for entry in PAGES.values():
        look(visit(entry.stem), f"on {entry.stem}")  # with all forward passes that it makes unasked
    assert "pandas" not in sys.modules, "a quarter of a second of the first page that does not only draw on the board"
    patch.setattr(price, "FREE_SECONDS", 0.01)
    for entry in PAGES.values():
        drawers = [{"open": drawer} for drawer in DRAWERS] if entry.on_board else []
        for query in (*OTHERS, *drawers, MOVED):
            look(visit(entry.stem, **query), f"on {entry.stem} with {query}")
    upload_a_picture()
    upload_a_checkpoint(folder)
    too_large = visit(model="build-your-own", image_size="4096", patch_size="4", depth="48")
    at("with a model that is too large")
    assert too_large.error
    assert engine().status().computed["run_forward"] > len(OTHERS)


if __name__ == "__main__":
    main(sys.argv[1])
