"""The overview, the encoder block and the class head: what they say, and what their controls change."""

import re
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.app import captions, drawn, figures, healthy, html, visit
from vitviz import counts
from vitviz.config import PRESETS
from vitviz.numbers import exact
from vitviz.shelf.measured import all_of
from vitviz.ui import page as form

TINY = "vit_tiny_patch16_224"


def said(app: AppTest) -> str:
    return " ".join(element.value for element in app.main.markdown)


@pytest.mark.parametrize("model", ["demo", TINY])
def test_the_overview_has_a_row_with_a_link_and_numbers_for_every_stage(model: Any) -> None:
    app = healthy(visit(model=model, open="details"))
    config = PRESETS[model]
    (table,) = [it for it in html_tables(app) if "The stages in the order" in it]
    rows = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in re.findall(r'<tr role="row"[^>]*>(<td.*?)</tr>', table)]
    attention, blocks = ["query_key_value", "heads"], ["depth", "what_a_token_knows"]
    rest = [attention, ["encoder_block"], blocks, ["class_head", "why_this_answer"]]
    linked = [re.findall(r'href="(\w+)\?', row[0]) for row in rows]
    assert linked == [["patch_grid"], ["patch_embedding"], ["position_embedding"], *rest]
    stages = ["patches", "patch_embedding", "position_embedding", "attention", "block", "blocks", "head"]
    for row, stage in zip(rows, stages, strict=True):
        line = counts.count_line(config, stage)
        assert row[1:3] == [" × ".join(map(exact, line.shape_out)), exact(line.here)]
    if model == "demo":
        assert [row[3] for row in rows[4:6]] == ["attention 66.0 k", "block 198 k"]


def test_the_overview_says_when_an_answer_means_little() -> None:
    assert not {"Untrained", "Outside"} & set(html(visit(open="details")).split())
    assert "Untrained: all parameters are random" in html(visit(model=TINY, open="details"))
    assert "unlike anything the demo model was trained on (16 classes of drawn scenes)" in html(
        visit(sample="coffee", open="details")
    )


@pytest.mark.parametrize("model", ["demo", TINY])
def test_every_step_of_the_block_follows_layer_and_token(model: Any) -> None:
    app = healthy(visit("encoder_block", model=model, open="details"))
    seen = [figures(app)]
    for step, layer, token in [
        ("norm", 3, "class"),
        ("norm", 3, "7"),
        ("stream", 3, "7"),
        ("stream", 4, "7"),
        ("stream", 4, "8"),
        ("activation", 4, "8"),
        ("activation", 2, "8"),
        ("activation", 2, "class"),
        ("similarity", 2, "class"),
        ("similarity", 3, "class"),
        ("similarity", 3, "9"),
    ]:
        app.query_params.update({"moment": step, "layer": str(layer), "query": token})
        app.run()
        assert [error.value for error in app.exception] == []
        seen.append(figures(app))
        assert len(seen[-1]) == 2
        assert seen[-1] != seen[-2]


def test_more_cosines_than_a_page_can_draw_are_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(form, "LARGEST_MATRIX", PRESETS["demo"].tokens - 1)
    app = healthy(visit("encoder_block", moment="4", open="details"))
    assert len(figures(app)) == 1
    assert any("the matrix is shown up to 144 tokens" in caption.value for caption in app.main.caption)


def test_an_unknown_moment_falls_back_and_says_so() -> None:
    app = healthy(visit("encoder_block", moment="Backpropagation", open="details"))
    assert any("Backpropagation" in toast.value for toast in app.toast)
    assert len(figures(app)) == 2


def test_the_class_head_reads_after_any_layer() -> None:
    app = healthy(visit("class_head", open="details"))
    strip, logits, probabilities, lens = figures(app)
    app.query_params["after"] = "0"
    app.run()
    assert [error.value for error in app.exception] == []
    strip_0, logits_0, probabilities_0, lens_0 = figures(app)
    assert strip["data"] != strip_0["data"]
    assert logits["data"] != logits_0["data"]
    assert probabilities["data"] != probabilities_0["data"]
    assert lens["data"] == lens_0["data"]
    assert lens["layout"]["shapes"] != lens_0["layout"]["shapes"]
    assert any("before the first layer" in caption.value for caption in app.main.caption)


def small(**changes: int | bool) -> None:
    """Overview and class head of a small model that no control of the app can ask for."""
    import streamlit as st

    from vitviz import samples
    from vitviz.config import ViTConfig
    from vitviz.pages import module_of
    from vitviz.selection import ModelChoice, Selection
    from vitviz.ui import navigation
    from vitviz.ui.selection import show

    st.navigation([navigation.streamlit_page(entry) for entry in navigation.PAGES.values()])
    config = ViTConfig(image_size=32, patch_size=8, dim=24, depth=2, heads=3, mlp_dim=48, classes=5)
    selection = Selection(ModelChoice("build-your-own", config.with_(**changes)), samples.first())
    show(selection)
    st.query_params["open"] = "details"
    for page in ("overview", "class_head"):
        module_of(navigation.PAGES[page], "shown").show(selection)


def test_the_head_of_pre_training_is_told_apart_where_there_is_a_head() -> None:
    words = "For pre-training the paper puts one hidden layer before it (Linear, tanh, Linear)"
    assert words in captions(visit("class_head", open="formula"))
    own = {"model": "build-your-own", "classes": "0"}
    assert words not in captions(healthy(visit("class_head", open="formula", **own)))


def test_a_model_without_a_head_shows_its_class_token() -> None:
    app = AppTest.from_function(small, kwargs={"classes": 0}, default_timeout=120).run()
    assert [error.value for error in app.exception] == []
    assert len(figures(app)) == 1


def test_a_distilled_model_shows_two_tokens_and_the_logits_of_both_heads() -> None:
    app = AppTest.from_function(small, kwargs={"distilled": True}, default_timeout=120).run()
    assert [error.value for error in app.exception] == []
    tokens, logits, _, _ = figures(app)
    assert len(drawn(tokens, "heatmap")) == 4
    assert len(drawn(logits, "bar")) == 1
    marks, keys = drawn(logits, "markers"), [it for it in logits["data"] if it.get("showlegend")]
    assert [key["name"] for key in keys] == ["class head", "distillation head"]
    for mark, key in zip(marks, keys, strict=True):
        assert key["name"] in mark["hovertemplate"]
        assert mark["marker"]["symbol"] == key["marker"]["symbol"]


def test_a_model_without_a_class_token_speaks_of_none() -> None:
    app = AppTest.from_function(small, kwargs={"pool": "attention"}, default_timeout=120).run()
    assert [error.value for error in app.exception] == []
    assert "class token" not in said(app)
    assert "class token" not in " ".join(caption.value for caption in app.caption)
    assert len(figures(app)) == 3


def test_a_figure_has_a_name_that_can_be_read_aloud() -> None:
    charts = healthy(visit("class_head", open="details")).get("plotly_chart")
    assert charts
    assert all(chart.proto.alt and "{" not in chart.proto.alt for chart in charts)


@pytest.mark.parametrize("model", ["demo", TINY])
def test_before_layer_1_the_class_token_says_the_same_of_every_picture(model: str) -> None:
    app = healthy(visit("class_head", model=model, open="details"))
    (table,) = [it for it in html_tables(app) if "before layer 1" in it]
    rows = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in re.findall(r'<tr role="row">(<td.*?)</tr>', table)]
    assert len(rows) == len({row[0] for row in rows}) > 5
    assert len({row[1] for row in rows}) == 1
    assert len({row[-1] for row in rows}) > 1
    assert [it.value for it in app.main.success] == [
        f"Read before layer 1, no probability differs between the {len(rows)} pictures by more than 0."
    ]


def test_why_bert_needs_a_class_token_and_a_vit_need_not_is_said_beside_what_was_measured() -> None:
    usual, mean = (it.mean("all") for it in all_of(["learned", "gap"]))
    for own in ({}, {"model": "build-your-own", "pool": "mean", "image_size": "32", "depth": "1"}):
        text = said(healthy(visit("class_head", open="details", **own)))
        assert f"{usual:.3f} of all scenes" in text
        assert f"{mean:.3f} with the mean" in text


def html_tables(app: AppTest) -> list[str]:
    return [it.proto.body for it in app.get("html") if "<table" in it.proto.body]


def test_fine_tuning_replaces_the_head_and_trains_the_rest_on() -> None:
    words = captions(healthy(visit("class_head", open="formula")))
    assert f"replace {exact(16 * 128 + 16)} parameters, and train {exact(1_235_344 - 16 * 128 - 16)} others" in words


def test_a_model_without_a_head_leads_to_classes_of_ones_own() -> None:
    links = [visit("class_head", model=name, open="details").main.get("page_link") for name in ("photo", "demo")]
    assert [[link.proto.page for link in found].count("five_shots") for found in links] == [1, 0]
