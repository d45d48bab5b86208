"""What a page costs: two files, `page.py` and `scene.js`, which all readers of pages find; another name its
folder and a line; and nothing is left of it once its folder goes."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
PAGE = '''
"""Strongest: the largest attention weight of every head."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vitviz import palette
from vitviz.addresses.ranges import Number, to
from vitviz.calculation import Calculation, Calculations, Print
from vitviz.choice import Choice
from vitviz.page import Moment, Page
from vitviz.plain import ATTENDED, block, stream
from vitviz.sentences import Place

if TYPE_CHECKING:
    from vitviz.config import ViTConfig
    from vitviz.figures.figure import Figure
    from vitviz.measures.arrays import Array
    from vitviz.plain import Tensor, Weights
    from vitviz.trace import Trace


def strongest(trace: Trace, layer: int, rank: int) -> Array:
    from vitviz.measures.attention import attention_weights

    weights = attention_weights(trace, layer)
    return np.sort(weights.reshape(len(weights), -1))[:, -rank]


def plain_strongest(w: Weights, image: Tensor, config: ViTConfig, layer: int, rank: int) -> Tensor:
    weights = block(w, stream(w, image, config, layer), config, layer)[0].softmax(dim=-1)
    return weights.flatten(1).sort().values[:, -rank]


def bars_of_heads(values: Array) -> Figure:
    from vitviz.figures.strips import strips

    return strips({"largest weight": values})


PAGE = Page(
    __file__,
    "Strongest",
    order=304,
    stage="attention",
    label="Strongest",
    colour=palette.ATTENTION,
    shape="{heads} × {depth}",
    all_moments=(Moment("layers", "One layer after the other: first {half}."), Moment("heads", "One {key} alone.")),
    places={"half": Place("how many layers half of them are", lambda config: str(config.depth // 2))},
    choices=(Choice("rank", Number(to(3)), name="rank", label="Rank of the weight", usual=1),),
    calculations=Calculations(
        Calculation(
            "the largest weight of every head of one layer",
            "head",
            strongest,
            plain_strongest,
            ATTENDED,
            figure=bars_of_heads,
            printed=Print(bars_of_heads, below=True),
        )
    ),
)
'''
SCENE = """
// Strongest: the largest attention weight of every head.

/** @import { Column } from "#frontend/state/column.js" */
/** @import { Scene } from "#frontend/types/board.js" */

import { element } from "#frontend/draw/elements.js";

/** @param {HTMLElement} root @param {Column} column @returns {Scene} */
export function strongest(root, column) {
    const words = element("p");
    root.replaceChildren(words);
    return {
        draw({ layer }) {
            words.textContent = `layer ${layer + 1} of ${column.meta.depth}`;
        },
    };
}
"""
LESSON = """title = "The strongest"
about = "Where a head is most certain."

[[step]]
view = "strongest?sample=fish&layer=3&moment={moment}"
says = "Look at one head."
minutes = 1
notes = "Point at it."
"""
FOUND = '''
import contextlib
import io
import json

import numpy as np

from tests.pages.app import healthy, visit
from vitviz.addresses.old import moment_said
from vitviz.config import PRESETS
from vitviz.lecture.reading import LessonError, read_lesson
from vitviz.pages import CHAPTERS, ON_BOARD, PAGES
from vitviz.takeaway.calculations import CALCULATIONS, values
from vitviz.takeaway.data.named import about, named
from vitviz.takeaway.data.numpy_file import npz
from vitviz.takeaway.commands import words
from vitviz.takeaway.figures.drawing import sheet
from vitviz.figures.printed.svg import svg
from vitviz.takeaway.notebook.notebook import notebook
from vitviz.takeaway.opening import opened
from vitviz.takeaway.view import from_link
from vitviz.board.meta import strip

page, config = PAGES["strongest"], PRESETS["demo"]

assert page in CHAPTERS["Attention"] and page.address == "strongest"
assert ON_BOARD["strongest"] is page
(stage,) = (it for it in strip(config, False)["stages"] if it["stem"] == "strongest")
assert [it["name"] for it in stage["moments"]] == ["layers", "heads"]
assert stage["moments"][0]["sentence"] == "One layer after the other: first 3."
app = healthy(visit("strongest", moment="heads"))
assert "vitviz.strongest" in {it.proto.component_name for it in app.get("bidi_component")}
print("menu")

names = page.moment_names(config)
said = {it: moment_said(it, "strongest", names) for it in ("heads", "nowhere", "2", "")}
assert said == {"heads": "heads", "nowhere": None, "2": "layers", "": "layers"}, said  # it never was numbered
app = healthy(visit("strongest", rank="4"))
assert "rank" not in app.query_params and "there is only rank 1 to 3" in app.toast[0].value, app.toast
print("address")

lesson = """LESSON"""
assert read_lesson(lesson.replace("{moment}", "heads")).steps[0].view.page == "strongest"
try:
    read_lesson(lesson.replace("{moment}", "hands"))
except LessonError as error:
    assert "layers" in str(error)
try:
    read_lesson(lesson.replace("{moment}", "heads&rank=4"))
except LessonError as error:
    assert "rank “4”, and there is only rank 1 to 3" in str(error)
assert read_lesson(lesson.replace("{moment}", "heads&rank=3")).steps[0].view.get("rank") == "3"
print("lesson")

it = opened(from_link("strongest?sample=fish&layer=4&moment=heads&rank=2", CALCULATIONS))
numbers = values(it.view, it.trace)
assert numbers.shape == (config.heads,)
arrays = named(it.view, it.trace, it.loaded)
assert any(np.array_equal(array.values, numbers) for array in arrays)
assert npz(arrays, about(it))
print("data")

assert "largest weight" in svg(sheet(it, ""))
print("figure")

told = io.StringIO()
with contextlib.redirect_stdout(told):
    words.main([])
assert "strongest (Attention)" in told.getvalue() and "    layer ‹layer + 1› of ‹column.meta.depth›" in told.getvalue()
print("words")

cells = [cell for cell in json.loads(notebook(it))["cells"] if cell["cell_type"] == "code"]
known = {}
with contextlib.redirect_stdout(io.StringIO()):
    for cell in cells:
        exec("".join(cell["source"]), known)
assert any("bars_of_heads" in "".join(cell["source"]) for cell in cells)
assert any("rank = 2" in "".join(cell["source"]) for cell in cells)
print("notebook")
'''
RENAMED = """
from starlette.responses import Response
from starlette.testclient import TestClient

from vitviz.lecture.views import read_view
from vitviz.pages import PAGES
from vitviz.takeaway.view import from_link
from vitviz.ui.server.old_links import OldLinks

old, new = (f"{name}?layer=4&moment=heads&rank=2" for name in ("strongest", "most_certain"))
assert "strongest" not in PAGES
assert read_view(old) == read_view(new)
assert from_link(old, PAGES) == from_link(new, PAGES)
assert str(TestClient(OldLinks(Response())).get(f"/under/{old}").url).endswith(f"/under/{new}")
"""
GONE = """
from tests.pages.app import healthy, visit
from vitviz.pages import PAGES

assert "most_certain" not in PAGES
healthy(visit("heads"))
"""


def test_two_files_make_a_page(tmp_path: Path) -> None:
    for folder in ("vitviz", "pages", "tests", ".streamlit"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copyfile(ROOT / "app.py", tmp_path / "app.py")
    page = tmp_path / "pages" / "attention" / "strongest"
    page.mkdir()
    (page / "page.py").write_text(PAGE.lstrip(), encoding="utf-8")
    (page / "scene.js").write_text(SCENE.lstrip(), encoding="utf-8")

    def run(program: str) -> list[str]:
        ran = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout.split()

    found = ["menu", "address", "lesson", "data", "figure", "words", "notebook"]
    assert run(FOUND.replace('LESSON"', f'{LESSON}"', 1)) == found

    page = page.rename(page.with_name("most_certain"))
    (page / "scene.js").write_text(
        SCENE.lstrip().replace("function strongest", "function mostCertain"), encoding="utf-8"
    )
    links = tmp_path / "vitviz/addresses/old.py"
    line = 'PAGES: dict[str, str] = {"strongest": "most_certain"}'
    links.write_text(re.sub(r"^PAGES.*?}", line, links.read_text(), flags=re.MULTILINE), encoding="utf-8")
    run(RENAMED)

    shutil.rmtree(page)
    run(GONE)
