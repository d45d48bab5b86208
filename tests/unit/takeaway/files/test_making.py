"""Every file that a view can be taken away as: it opens, it is of that view, and it holds no picture unasked."""

import ast
import csv
import json
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO, StringIO
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from tests.unit.takeaway.opening import opened
from vitviz.demo.samples import BY_ID
from vitviz.edits.running import run_edited
from vitviz.forward import Forward, run_forward
from vitviz.takeaway.calculations import CALCULATIONS, PRINTED, values
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.file import File
from vitviz.takeaway.making import MAKERS, Wish, make, require_possible
from vitviz.takeaway.view import from_words
from vitviz.view import View
from vitviz.weights import Loaded

WORDS = {"sample": "cat", "layer": "3", "head": "2", "query": "40"}
Take = Callable[..., File]
OWN = {"picture": "own", "layer": "3", "query": "40"}


@pytest.fixture(scope="module")
def picture() -> Image.Image:
    return BY_ID["cat"].scene.image


@pytest.fixture(scope="module")
def forward(demo: Loaded, picture: Image.Image) -> Forward:
    return run_forward(demo, picture, with_maps=False)


def view_of(page: str, **words: str) -> View:
    return from_words(page, WORDS | words, CALCULATIONS)


@pytest.fixture
def taken(demo: Loaded, picture: Image.Image, forward: Forward) -> Take:
    """A function that makes a file of the demo model's run."""

    def made(what: str, *views: View, title: str = "Cat", with_picture: bool = False) -> File:
        wish = Wish(what, views, title, "heads?layer=3", with_picture)
        require_possible(wish)
        edited = run_edited(forward, demo, str(views[0].edits), None, None) if views[0].edits else forward
        return make(wish, demo, picture, forward, edited, None)

    return made


@pytest.mark.parametrize("page", PRINTED)
def test_every_page_of_the_board_goes_as_figure_data_and_notebook(taken: Take, page: str, forward: Forward) -> None:
    view = view_of(page)
    given = values(view, forward.trace).astype(np.float32)
    assert ElementTree.fromstring(taken("svg", view).data).tag.endswith("svg")
    with Image.open(BytesIO(taken("png", view).data)) as image:
        assert image.format == "PNG"
        assert image.width == 1920
    with np.load(BytesIO(taken("npz", view).data), allow_pickle=False) as file:
        np.testing.assert_array_equal(file["values"].reshape(given.shape), given)
    text = taken("csv", view).data.decode()
    rows = list(csv.DictReader(line for line in StringIO(text) if not line.startswith("#")))
    column = [np.float32(row["value"]) for row in rows if row.get("array", "values") == "values"]
    np.testing.assert_array_equal(np.array(column), given.ravel())
    notebook = json.loads(taken("notebook", view).data)
    assert notebook["nbformat"] == 4
    assert any("assert" in "".join(cell["source"]) for cell in notebook["cells"])
    assert "@misc{" in taken("cite", view).data.decode()


def test_a_chapter_is_one_notebook_of_the_same_model_and_picture(taken: Take) -> None:
    file = taken("chapter", *(view_of(page) for page in ("query_key_value", "heads", "depth")))
    cells = ["".join(cell["source"]) for cell in json.loads(file.data)["cells"]]
    assert [cell.splitlines()[0] for cell in cells if cell.startswith("# ")] == [
        "# Query, key, value",
        "# Heads",
        "# Depth",
    ]
    assert sum("parameters_digest(loaded.model)" in cell for cell in cells) == 1
    assert file.name == "query_key_value-depth-demo-Cat.ipynb"


def test_the_offline_file_is_called_what_it_shows_wherever_it_is_taken(taken: Take) -> None:
    here, there = taken("file", view_of("heads")), taken("file", view_of("class_head"))
    assert (here.name, here.data) == (there.name, there.data)
    assert taken("svg", view_of("class_head")).name.startswith("class_head-")


@pytest.mark.parametrize(("what", "most"), [("file", 1_000_000), ("file_weights", 4_500_000)])
def test_the_offline_file_is_as_small_as_is_said(taken: Take, what: str, most: int) -> None:
    file = taken(what, view_of("heads"))
    assert file.data.startswith(b"<!doctype html>")
    assert 100_000 < len(file.data) <= most
    assert file.name == f"heads-demo-Cat-layer3{'-with_model' if what == 'file_weights' else ''}.html"


def test_an_edited_view_is_that_of_the_edited_run(taken: Take, demo: Loaded, forward: Forward) -> None:
    view = view_of("heads", edits="h1.1*0 b2*0")
    with np.load(BytesIO(taken("npz", view).data), allow_pickle=False) as file:
        edited = run_edited(forward, demo, str(view.edits), None, None)
        np.testing.assert_array_equal(file["values"], values(view, edited.trace))
        assert abs(file["values"] - values(view_of("heads"), forward.trace)).max() > 0.01


def test_the_same_view_is_the_same_bytes(taken: Take) -> None:
    for what in ("svg", "png", "npz", "csv", "notebook", "file"):
        assert taken(what, view_of("heads")).data == taken(what, view_of("heads")).data


def test_an_own_picture_goes_with_the_tick_alone(taken: Take) -> None:
    view = from_words("heads", OWN, CALCULATIONS)
    bare, ticked = (taken("svg", view, title="your picture", with_picture=tick).data.decode() for tick in (False, True))
    assert "the picture is left out" in bare
    assert "the picture is left out" not in ticked
    framed = {(230, 230, 230), (0, 0, 0), (47, 126, 216)}  # the grey, and the frame of the query
    with Image.open(BytesIO(taken("png", view, title="your picture").data)) as image:
        patch = np.asarray(image.convert("RGB"))[120:560, 60:560]
        assert set(map(tuple, patch[::40, ::40].reshape(-1, 3).tolist())) <= framed
    notebook = taken("notebook", view, title="your picture").data.decode()
    assert "own.png" in notebook
    assert 'b64decode(\\"iVBOR' not in notebook
    assert "iVBOR" in taken("notebook", view, title="your picture", with_picture=True).data.decode()


@pytest.mark.parametrize(("what", "page"), [("file", "heads"), ("npz", "patch_grid"), ("notebook", "patch_grid")])
def test_what_is_made_of_an_own_picture_asks_for_the_tick(taken: Take, what: str, page: str) -> None:
    view = from_words(page, OWN, CALCULATIONS)
    with pytest.raises(TakeawayError, match="tick “with my picture”"):
        taken(what, view)
    assert taken(what, view, with_picture=True).data


EVIL = (
    "<img src=x onerror=alert(1)>\"'}}\n@misc{evil, x\n\nimport evil\n=1+1,=2+2;@evil()\\u2028<script>alert(1)</script>"
)


@pytest.mark.parametrize("what", [what for what in MAKERS if what != "file_weights"])  # as "file" is
def test_names_are_words_whatever_a_model_and_a_picture_are_called(what: str, taken: Take) -> None:
    tame = view_of("heads")
    evil = replace(tame, model=f"../{EVIL}.safetensors")
    one, other = taken(what, tame), taken(what, evil, title=EVIL)
    before, after = opened(what, one), opened(what, other)
    assert not set("/<>\\") & set(other.name)
    assert "evil" not in imported(other) - imported(one)
    if what == "cite":
        assert after.count("\n@") == before.count("\n@") > 0
    if what in ("svg", "file", "notebook", "chapter"):  # where markup is read as such
        assert "<script>alert" not in after
        assert "<img src=x" not in after


def imported(file: File) -> set[str]:
    """What the code of a notebook imports; nothing of another file."""
    if not file.name.endswith("ipynb"):
        return set()
    cells = [cell for cell in json.loads(file.data)["cells"] if cell["cell_type"] == "code"]
    lines = [line for cell in cells for line in "".join(cell["source"]).split("\n") if not line.startswith("%")]
    found = [it for it in ast.walk(ast.parse("\n".join(lines))) if isinstance(it, ast.Import | ast.ImportFrom)]
    return {name.name for it in found for name in it.names}
