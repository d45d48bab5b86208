"""The chapter on attention: what stands in the drawers and goes to the board is what was measured."""

from types import SimpleNamespace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest
from vitviz.pages.attention.query_key_value import shown as query_key_value

from tests.pages.app import array, captions, drawn, figures, healthy, inline_only, shown, trace, visit
from vitviz import numbers
from vitviz.machine.device import DeviceError
from vitviz.measures import attention, attention_row, attention_weights
from vitviz.measures.attention import attention_by_layer, attention_steps

STEMS = QKV, HEADS, DEPTH = "query_key_value", "heads", "depth"
TINY = "vit_tiny_patch16_224"


def numbers_of(app: AppTest, kind: str, axis: str) -> list[np.ndarray]:
    """What all marks of a kind on the page show along an axis, in order."""
    return [array(mark[axis]) for figure in figures(app) for mark in drawn(figure, kind)]


@pytest.mark.parametrize("model", ["demo", TINY])
def test_a_query_is_walked_in_numbers(model: str) -> None:
    at = {"model": model, "layer": "2", "head": "3", "query": "7", "key": "class"}
    app = healthy(visit(QKV, open="details", **at))
    step = attention_steps(trace(shown(app)), 1, 2, 7)
    q, k, terms, scores, weights, *_, z = numbers_of(app, "bar", "y")
    np.testing.assert_array_equal(q, step.q)
    np.testing.assert_array_equal(k, step.keys[0])
    np.testing.assert_allclose(terms, step.q * step.keys[0], rtol=1e-6)
    np.testing.assert_array_equal(scores, step.scores)
    np.testing.assert_array_equal(weights, step.weights)
    np.testing.assert_array_equal(z, step.z)
    assert f"q · k = {numbers.small(float(step.products[0]))}" in captions(app)
    assert f"measured, {step.weights.sum(dtype=np.float64):.7f}" in captions(app)
    assert not app.latex
    formulas = healthy(visit(QKV, open="formula", **at)).latex
    assert any(numbers.small(step.denominator) in formula.value for formula in formulas)


def test_the_written_out_attention_is_ticked_with_what_was_measured() -> None:
    app = healthy(visit(QKV, model=TINY, open="details"))
    (tick,) = app.success
    assert "all 197 queries" in tick.value
    assert "10⁻" in tick.value


def test_a_difference_beyond_rounding_is_crossed_out(monkeypatch: pytest.MonkeyPatch) -> None:

    monkeypatch.setattr(query_key_value, "TOLERANCE", 0.0)
    app = visit(QKV, model="demo", open="details")
    assert not app.success
    assert app.error[0].value.startswith("Computing attention step by step like this")


def test_a_key_that_nobody_chose_is_the_strongest() -> None:
    app = healthy(visit(QKV, model="demo", layer="4", head="2", query="20", open="details"))
    step = attention_steps(trace(shown(app)), 3, 1, 20)
    assert f"the score is {numbers.small(float(step.scores.max()))}" in captions(app)
    assert f"asks {shown(app).token_name(int(step.weights.argmax()))}" in app.subheader[0].value


@pytest.mark.parametrize("stem", STEMS)
def test_closed_drawers_draw_nothing(stem: str) -> None:
    app = healthy(visit(stem, model="demo"))
    assert not app.get("plotly_chart")
    assert not app.main.caption
    assert not app.latex
    assert not app.slider


def test_heads_draws_what_the_address_says() -> None:
    app = healthy(visit(HEADS, model="demo", layer="3", head="2", query="40", open="details"))
    weights = attention_weights(trace(shown(app)), 2)
    row, column, matrix, *_ = numbers_of(app, "heatmap", "z")
    np.testing.assert_array_equal(row, weights[1, 40, 1:].reshape(12, 12))
    np.testing.assert_array_equal(column, weights[1, 1:, 40].reshape(12, 12))
    np.testing.assert_array_equal(matrix, weights[1])


@pytest.mark.parametrize(("model", "query"), [("demo", 30), (TINY, 0)])
def test_the_server_draws_a_head(model: str, query: int) -> None:
    app = AppTest.from_function(_server_drawn, args=(model, query), default_timeout=120)
    healthy(app.run())
    selection = shown(app)
    weights, grid = attention_weights(trace(selection), 1), selection.config.grid
    _, (row,), (column,), (matrix,), wall = (drawn(figure, "heatmap") for figure in figures(app))
    np.testing.assert_array_equal(array(row["z"]), weights[2, query, 1:].reshape(grid))
    np.testing.assert_array_equal(array(column["z"]), weights[2, 1:, query].reshape(grid))
    np.testing.assert_array_equal(array(matrix["z"]), weights[2])
    np.testing.assert_array_equal([array(head["z"]) for head in wall], weights[:, query, 1:].reshape(-1, *grid))
    assert row["zmax"] == column["zmax"] == max(weights[2, query].max(), weights[2, :, query].max())
    assert {head["zmax"] for head in wall} == {weights[:, query].max()}
    assert f"sum to {weights[2, :, query].sum():.4f}; the mean over all columns is 1" in captions(app)


def _server_drawn(model: str, query: int) -> None:
    from vitviz.pages.attention.heads.shown import server_drawn

    from vitviz.config import PRESETS
    from vitviz.samples import first
    from vitviz.selection import ModelChoice, Selection
    from vitviz.ui.selection import show

    shown = Selection(ModelChoice(model, PRESETS[model]), first())
    show(shown)
    server_drawn(shown, layer=1, head=2, query=query)


@pytest.mark.parametrize("model", ["demo", TINY])
def test_depth_shows_what_was_measured(model: str) -> None:
    app = healthy(visit(DEPTH, model=model, query="9", through="3", open="details"))
    selection = shown(app)
    by_layer, grid = attention_by_layer(trace(selection)), selection.config.grid
    _, (alone,), (rolled,), _, _, class_alone, class_rolled = (drawn(figure, "heatmap") for figure in figures(app))
    np.testing.assert_allclose(
        array(alone["z"]),
        attention_row(trace(selection), 2, 9).mean(axis=0)[1:].reshape(grid),
        rtol=1e-6,
    )
    np.testing.assert_array_equal(array(rolled["z"]), by_layer.rollout[2, 9, 1:].reshape(grid))
    assert by_layer.class_map is not None
    for maps, rows in ((class_alone, by_layer.class_map[:, 1:]), (class_rolled, by_layer.rollout[:, 0, 1:])):
        np.testing.assert_array_equal([array(layer["z"]) for layer in maps], rows.reshape(-1, *grid))
        assert {layer["zmax"] for layer in maps} == {rows.max()}
    dots = [mark for figure in figures(app) for mark in drawn(figure, "markers")]
    distance, entropy = (mark for mark in dots if "head" in mark.get("hovertemplate", ""))
    np.testing.assert_array_equal(array(distance["y"]), by_layer.distance.ravel())
    np.testing.assert_array_equal(array(entropy["y"]), by_layer.entropy.ravel())
    assert "sum 1.000000" in captions(app)


@inline_only
@pytest.mark.parametrize("stem", STEMS)
def test_attention_too_large_for_the_memory_is_a_sentence(stem: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(needed: int, what: str, where: object) -> None:
        raise DeviceError(f"{what} needs {needed / 1e6:.1f} MB, and this machine has 0 MB free; choose a smaller model")

    monkeypatch.setattr(attention, "device", SimpleNamespace(require=refuse))
    app = visit(stem, model=TINY, seed="11", open="details")
    assert [error.value for error in app.exception] == []
    assert {error.value for error in app.error} == {
        "attention of 3 × 197 × 197 weights needs 1.9 MB, and this machine has 0 MB free; choose a smaller model."
    }


def test_rollout_goes_through_the_layer_of_the_address() -> None:
    app = healthy(visit(DEPTH, model="demo", open="details"))
    first = numbers_of(app, "heatmap", "z")[1]
    assert "attention of layers 1 to 1, each averaged" in captions(app)
    app = healthy(visit(DEPTH, model="demo", through="6", open="details"))
    assert not np.array_equal(numbers_of(app, "heatmap", "z")[1], first)
    assert "attention of layers 1 to 6, each averaged" in captions(app)


FREE = {"image_size": "24", "patch_size": "8", "dim": "24", "depth": "1", "heads": "3", "mlp_dim": "8"}


def test_the_weights_of_one_head_are_counted_from_the_whole_token() -> None:
    said = captions(visit(QKV, open="details"))
    assert "from the whole token: d · 3 · dₕ = 128 · 3 · 32 = 12,288 weights" in said
    assert "3 · 32 · 32 = 3,072, and all 4 heads together 4 · 3,072 = 12,288 = d · 3 · dₕ, as much as one has" in said
    free = captions(visit(QKV, model="build-your-own", head_dim="16", **FREE, open="details"))
    assert "d · 3 · dₕ = 24 · 3 · 16 = 1,152 weights" in free
    assert "3 · 16 · 16 = 768, and all 3 heads together 3 · 768 = 2,304." in free
