"""Notebook under AppTest: cells of the chapter, computed when they are in sight, each leading to its moment."""

import json
import re
from html import unescape
from pathlib import Path
from typing import Any, cast
from urllib.parse import parse_qs, urlsplit

import nbformat
import numpy as np
import pytest
from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.testing.v1 import AppTest

from tests.pages.app import ask, captions, healthy, heard, html, live_figures, shown, trace, visit
from tests.pages.test_secrecy import markup, strange
from vitviz.figures.marks import Heat
from vitviz.measures.attention import attention_weights
from vitviz.pages import GATHERS, PAGES
from vitviz.takeaway.file import File
from vitviz.ui.sidebar import checkpoints

STEM = GATHERS.stem
MOST_LOOKS = 600


def feet(app: AppTest) -> list[Any]:
    return [it.proto for it in app.get("bidi_component") if it.proto.component_name.endswith("vitviz.sight")]


def states(app: AppTest) -> list[str]:
    return [json.loads(foot.json)["state"] for foot in feet(app)]


def in_sight(app: AppTest, *which: int) -> AppTest:
    """The app after these cells have come into sight, and what they show was computed."""
    said = heard(app)
    for at in which:
        told = said.widgets.add(id=_make_trigger_id(feet(app)[at].id, "events"))
        told.json_trigger_value = json.dumps([{"event": "near", "value": ""}])
    app._run(said)
    for _ in range(MOST_LOOKS):
        if "waits" not in states(app):
            return healthy(app)
        app.run()
    raise AssertionError(states(app))


def links(app: AppTest) -> list[str]:
    return [unescape(it) for it in re.findall(r'href="([^"]*)"', html(app))]


def test_nothing_is_computed_unseen_and_each_cell_by_itself() -> None:
    app = healthy(visit(STEM, chapter="attention"))
    assert states(app) == ["wanted"] * 13
    assert {json.loads(foot.json)["page"] for foot in feet(app)} == {GATHERS.address}
    assert live_figures(app) == []
    assert len(app.code) == 13
    app = in_sight(app, 5)
    assert states(app) == ["wanted"] * 5 + ["there"] + ["wanted"] * 7
    (figure,) = live_figures(app)
    heat = cast("Heat", figure.rows[0][1].marks[0])
    np.testing.assert_allclose(heat.values, attention_weights(trace(shown(app)), 0)[0], atol=1e-6)
    assert "145 × 145, query × key" in captions(app)


def test_layer_and_head_move_cells_that_use_them_alone() -> None:
    app = in_sight(healthy(visit(STEM, chapter="attention")), *range(13))
    assert states(app) == ["there"] * 13
    app = healthy(ask(app, head="2"))
    assert [at for at, state in enumerate(states(app)) if state == "there"] == [6, 8, 9, 10, 11, 12], (
        "a rollout is of all heads, and so is a token"
    )
    assert len(live_figures(app)) == 13, "what was seen before stands until the new comes"
    assert any("layer, head = 0, 1" in it.value for it in app.code)
    app = in_sight(app, 5)
    heat = cast("Heat", live_figures(app)[5].rows[0][1].marks[0])
    np.testing.assert_allclose(heat.values, attention_weights(trace(shown(app)), 0)[1], atol=1e-6)


def test_a_sentence_leads_to_its_moment_with_all_words_of_the_address() -> None:
    app = healthy(visit(STEM, chapter="attention", layer="3", query="40", sample="fish", cell="heads.matrix"))
    (link,) = (it for it in links(app) if "moment=matrix" in it)
    assert urlsplit(link).path == "heads"
    words = {name: value for name, (value,) in parse_qs(urlsplit(link).query).items()}
    assert words == {"layer": "3", "query": "40", "sample": "fish", "moment": "matrix"}


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("heads.matrix", "heads.matrix"),
        ("heads.pair", "heads.wall"),
        ("depth.reach", "depth.reach"),
        ("depth.no", "depth.rollout"),
        ("no", ""),
    ],
)
def test_a_moment_leads_to_its_cell_or_to_the_first_of_its_page(asked: str, found: str) -> None:
    app = healthy(visit(STEM, chapter="attention", cell=asked))
    (top,) = (it.proto for it in app.get("bidi_component") if it.proto.component_name == "vitviz.cells")
    assert json.loads(top.json)[0]["cell"] == found


def test_the_whole_walk_has_cells_of_every_page_with_numbers() -> None:
    app = healthy(visit(STEM))
    titles = [unescape(it) for it in re.findall(r"<h2><a [^>]*>(.*?)</a>", html(app))]
    assert titles == [page.title for page in PAGES.values() if page.calculations]
    assert set(states(app)) == {"wanted"}


def test_a_chapter_that_there_is_not_is_said_and_the_whole_walk_is_shown() -> None:
    app = healthy(visit(STEM, chapter="nowhere"))
    assert "nowhere" in app.toast[0].value
    assert len(feet(app)) > 30


def test_counts_stand_as_tables_and_what_needs_a_head_says_so_in_its_place() -> None:
    app = in_sight(healthy(visit(STEM, chapter="counting", model="photo")), 0, 4)
    assert "All parameters, those that a layer table sees" in captions(app)
    assert 'aria-label="Memory"' in html(app)
    app = healthy(visit(STEM, chapter="laboratory", model="photo"))
    at = next(at for at, it in enumerate(app.code) if "laboratory.gradients" in it.value)
    app = in_sight(app, at)
    assert [it.value for it in app.warning] == [
        "This model has no head, so there is no answer; choose one with classes."
    ]


def test_an_untrained_model_says_so() -> None:
    app = in_sight(healthy(visit(STEM, chapter="attention", model="vit_tiny_patch16_224")), 1)
    charts = [it.proto for it in app.get("bidi_component") if "vitviz.chart" in it.proto.component_name]
    assert [json.loads(it.json)[0]["label"] for it in charts] == ["untrained parameters"]


def test_the_file_holds_the_cells_of_the_screen(served: list[File]) -> None:
    app = healthy(visit(STEM, chapter="attention", take=f"{STEM}.notebook.bare.1"))
    written = nbformat.reads(served[0].data.decode(), as_version=4).cells
    sources = [cell.source for cell in written if cell.cell_type == "code"]
    lines = [cell.value.splitlines() for cell in app.code]
    held = [next(at for at, it in enumerate(sources) if {*its} <= {*it.splitlines()}) for its in lines]
    assert len(held) == 13
    assert held == sorted(held)
    assert served[0].name == "query_key_value-what_a_token_knows-demo-Cat.ipynb"


def test_names_of_a_file_are_no_markup_in_a_cell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model, card = strange()
    (tmp_path / "strange.safetensors").write_bytes(model)
    (tmp_path / "config.json").write_bytes(card)
    monkeypatch.setenv(checkpoints.FOLDER, str(tmp_path))
    app = visit(STEM, model=checkpoints.FILE, chapter="overview")
    app = in_sight(healthy(app.selectbox(key="server_file").set_value("strange.safetensors").run()), 0)
    assert markup(app) == []
    assert "The answer is “\\!\\[x" in captions(app)


def test_a_chapter_that_there_is_not_is_told_once() -> None:
    app = healthy(visit(STEM, chapter="nowhere"))
    assert "there is only" in app.toast[0].value or "nowhere" in app.toast[0].value
    assert not healthy(app.run()).toast
