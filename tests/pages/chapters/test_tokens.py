"""The chapter from pixels to tokens: controls change what they should, and nothing is computed twice."""

import json
import re

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from tests.pages.app import array, captions, figures, healthy, shown, visit
from vitviz.addresses.old import translated
from vitviz.config import PRESETS, ViTConfig
from vitviz.model import ViT
from vitviz.pages import CHAPTERS
from vitviz.ui.server.client import engine

PAGES = [entry.stem for entry in CHAPTERS["Tokens"]]
MODELS = ["demo", "vit_tiny_patch16_224"]


def titles(app: AppTest) -> list[str]:
    return [figure["layout"]["title"].get("text", "") for figure in figures(app)]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("stem", PAGES)
def test_another_patch_is_shown_without_running_the_model_again(stem: str, model: str) -> None:
    app = visit(stem, model=model, query="3", open="details")
    before, computed = figures(app), engine().status().computed
    app.query_params["query"] = "20"
    app.run()
    assert not app.exception
    assert engine().status().computed == computed
    assert figures(app) != before
    assert any("20" in title for title in titles(app))


@pytest.mark.parametrize("stem", PAGES)
def test_a_page_draws_only_the_drawer_that_is_open(stem: str) -> None:
    drawn = {}
    for drawer in ("", "details", "formula", "code"):
        app = visit(stem, **({"open": drawer} if drawer else {}))
        assert not app.exception
        drawn[drawer] = (len(figures(app)) > 0, len(app.main.latex) > 0, len(app.main.code) > 0)
    assert drawn == {
        "": (False, False, False),
        "details": (True, False, False),
        "formula": (False, True, False),
        "code": (False, False, True),
    }


@pytest.mark.parametrize("name", ["patch", "query"])
def test_links_of_the_old_form_show_the_same_patch(name: str) -> None:
    app = visit("patch_embedding", open="details", **dict(translated([("number", "7"), (name, "30")])))
    assert {"Patch 30", "Component 7 of the token"} <= set(titles(app))


@pytest.mark.parametrize("query", [{}, {"query": "class"}, {"query": "145"}, {"query": "0"}, {"query": "x"}])
def test_without_a_patch_the_one_in_the_middle_is_shown(query: dict[str, str]) -> None:
    assert "Patch 66" in titles(visit("patch_embedding", open="details", **query))  # row 6, column 6 of 12


def test_the_grid_says_what_happened_to_a_photograph() -> None:
    said = captions(visit("patch_grid", model="vit_tiny_patch16_224", sample="launch", open="details"))
    assert "640 × 427 pixels, resized (bicubic) until the shorter side has 248 = ⌊224 / 0.9⌋" in said
    assert "(v / 255 − 0.5) / 0.5" in said
    assert "16 · 16 · 3 = 768 numbers" in said
    assert "Other code takes the colours of a pixel together, p₁ p₂ c: another order of the same numbers" in said


def test_the_grid_says_why_not_pixels() -> None:
    app = visit("patch_grid", model="vit_tiny_patch16_224", open="details")
    said = " ".join(text.value for text in app.main.markdown)
    assert "785 tokens for 197, × 3.98" in said
    assert "224 · 224 = 50,176 of them" in said
    assert "2,517,731,329 attention weights, 10.1 GB" in said


def test_a_model_of_pixels_is_not_told_to_halve_them() -> None:
    small = {"image_size": "4", "patch_size": "1", "dim": "8", "depth": "1", "heads": "1", "mlp_dim": "8"}
    app = visit("patch_grid", model="build-your-own", open="details", **small)
    assert not app.exception
    assert not any("Why not pixels" in text.value for text in app.main.markdown)


@pytest.mark.parametrize("model", MODELS)
def test_every_patch_size_that_is_tried_has_the_count_line_of_a_model_that_has_it(model: str) -> None:
    app = visit("patch_grid", model=model)
    (board,) = (it.proto for it in app.get("bidi_component") if it.proto.component_name == "vitviz.data")
    tried = json.loads(board.json)[0]["facts"]["sizes"]
    assert len(tried) >= 4
    for it in tried:
        with torch.device("meta"):
            built = ViT(shown(app).config.with_(patch_size=int(it["size"].split()[0])))
        total = f"{sum(parameter.numel() for parameter in built.parameters()):,}"
        assert it["count"]["after"] == f"1 × {built.config.patches:,} × {built.config.patch_values:,}"
        assert (it["count"]["here"], it["count"]["total"], it["parameters"]) == ("0", total, total)


def test_another_component_of_the_token_has_another_filter() -> None:
    app = visit("patch_embedding", component="2", open="details")
    assert "Component 2 of the token" in titles(app)
    app.query_params["component"] = "128"
    app.run()
    assert "Component 128 of the token" in titles(app)


def test_a_grey_picture_goes_through_one_channel_as_through_three() -> None:
    app = healthy(visit("patch_embedding", sample="cat", open="details"))
    said = " ".join(it.value for it in app.main.markdown)
    assert "64 × 128 in place of 192 × 128, 16,384 parameters fewer" in said
    strips = figures(app)[titles(app).index("The token of patch 66 in grey")]
    three, one, difference = (array(it["z"]) for it in strips["data"])
    np.testing.assert_allclose(three - one, difference, atol=1e-6)
    assert re.search(r"The answers are “(.+)” and “\1”; of 16 logits none differs", captions(app))


@pytest.mark.parametrize("patch_norm", [False, True])
def test_patch_norms_are_shown_as_strips_before_and_after(patch_norm: bool) -> None:
    small = {"image_size": "32", "patch_size": "8", "dim": "16", "depth": "1", "heads": "2", "mlp_dim": "8"}
    switch = {"patch_norm": "true"} if patch_norm else {}
    app = visit("patch_embedding", model="build-your-own", query="3", open="details", **small, **switch)
    assert not app.exception
    strips = [
        [trace.get("hovertemplate", "").partition("<br>")[0] for trace in figure["data"]] for figure in figures(app)
    ]
    assert (["patch", "x"] in strips) == (["x·E + b", "token"] in strips) == patch_norm
    assert (["x"] in strips) == (["x·E", "b", "token"] in strips) == (not patch_norm)
    formulas = visit("patch_embedding", model="build-your-own", open="formula", **small, **switch).main.latex
    assert any(r"\operatorname{LN}(x E + b)" in latex.value for latex in formulas) == patch_norm


@pytest.mark.parametrize("words", [["[class]"], ["[class]", "[distillation]"]], ids=len)
def test_prefix_tokens_are_left_out_by_name(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    small = ViTConfig(image_size=32, patch_size=8, dim=16, depth=1, heads=2, mlp_dim=8, distilled=len(words) == 2)
    monkeypatch.setitem(PRESETS, "deit_base_distilled_patch16_224", small)
    app = visit("position_embedding", model="deit_base_distilled_patch16_224", open="details")
    assert f"Left out, having no place on the grid: {', '.join(words)}." in captions(app)
    table = next(figure for figure in figures(app) if figure["layout"]["title"]["text"] == "The table")
    assert table["data"][0]["y"][: len(words) + 1] == [*words, "patch 1"]


def test_a_large_grid_shows_every_second_map_and_the_chosen_one_among_them() -> None:
    large = {"image_size": "100", "patch_size": "4", "dim": "8", "depth": "1", "heads": "1", "mlp_dim": "8"}
    app = visit("position_embedding", model="build-your-own", query="27", open="details", **large)
    assert not app.exception
    assert "12 × 12 maps of 25 × 25" in captions(app)
    assert re.search(r"patch 27 \(row 2, column 2\) has 1(\.00)? with itself", captions(app))
