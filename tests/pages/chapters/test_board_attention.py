"""What the pages of Attention hand to the board, compared with the model."""

from typing import Any

import numpy as np
import pytest

from tests.pages.app import healthy, numbers_sent, visit
from vitviz.measures import attention_weights, rollout
from vitviz.measures.attention import attention_by_layer
from vitviz.measures.heads import layer_values, projections
from vitviz.measures.quantised import dequantise
from vitviz.results import measure
from vitviz.samples import samples
from vitviz.selection import FIRST_MODEL, Selection

OWN = {"image_size": "192", "patch_size": "8", "dim": "64", "depth": "5", "heads": "16", "mlp_dim": "64"}


def parcels(stem: Any, **query: Any) -> Any:
    """What a page sends, in order: the arrays of each parcel by its name."""
    sent = numbers_sent(healthy(visit(stem, **query)))
    assert len({digest for digest, _ in sent}) == 1
    return {name: arrays for (_, name), arrays in sent.items()}


@pytest.fixture(scope="module")
def selection() -> Any:
    return Selection(FIRST_MODEL, next(iter(samples().values())))


@pytest.fixture(scope="module")
def weights(selection: Any) -> Any:
    """fp32 attention weights of the demo model on the first picture: `layer head q k`."""
    return np.stack([measure(selection, attention_weights, layer) for layer in range(selection.config.depth)])


def test_every_layer_is_sent_once_and_is_the_models(weights: Any) -> None:
    sent = parcels("heads", layer="3", head="2", query="40", shows="column", scale="own")
    layers = [name for name in sent if name.startswith("maps-")]
    assert layers[0] == "maps-2", "the layer that is looked at comes first"
    assert sorted(layers) == [f"maps-{layer}" for layer in range(6)]
    for layer in range(6):
        decoded = dequantise(sent[f"maps-{layer}"]["code"])
        assert np.abs(decoded - weights[layer]).sum(axis=-1).max() / 2 <= 0.01
        np.testing.assert_allclose(decoded.sum(axis=-1), 1, atol=1e-6)
    np.testing.assert_allclose(sent["exact-2-40"]["row"], weights[2, :, 40], rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(sent["exact-2-40"]["column"], weights[2, :, :, 40], rtol=1e-5, atol=1e-7)
    assert sent["opening"]["picture"].tobytes().startswith(b"\x89PNG")
    assert "rollouts" not in sent


def test_rollouts_are_sent_where_they_are_looked_at(selection: Any) -> None:
    for sent in (parcels("heads", shows="rollout"), parcels("depth")):
        np.testing.assert_array_equal(sent["rollouts"]["rows"], measure(selection, rollout))


@pytest.mark.parametrize("edits", ["h2.1*0", "d=0.1", "l=0.5@2", "h2.1*0 l=0.5@2"])
def test_of_an_edited_run_the_rollout_is_sent_that_the_browser_does_not_make(edits: str) -> None:
    sent = parcels("depth", edits=edits, switches="open")
    made_there = "l=" not in edits  # as `makes` of frontend/editing/arrays.js says
    assert (f"rollouts {edits}" in sent) is not made_there
    if not made_there:
        assert not np.array_equal(sent[f"rollouts {edits}"]["rows"], sent["rollouts"]["rows"])


def test_depth_has_the_reach_of_every_head(selection: Any, weights: Any) -> None:
    sent, found = parcels("depth", query="9"), measure(selection, attention_by_layer)
    np.testing.assert_array_equal(sent["by-layer"]["distance"], found.distance)
    np.testing.assert_array_equal(sent["by-layer"]["entropy"], found.entropy)
    np.testing.assert_allclose(sent["alone-9"]["rows"], weights[:, :, 9].mean(axis=1), rtol=1e-5, atol=1e-7)


def test_queries_keys_and_values_of_all_layers_lead_to_the_models_weights(selection: Any, weights: Any) -> None:
    sent = parcels("query_key_value", layer="5", query="40")
    for layer in range(6):
        arrays = sent[f"values-{layer}"]
        scores = np.einsum("hqd,hkd->hqk", arrays["q"], arrays["k"]) / np.sqrt(arrays["q"].shape[-1])
        exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
        found = exponentials / exponentials.sum(axis=-1, keepdims=True)
        np.testing.assert_allclose(found, weights[layer], rtol=2e-3, atol=1e-6)
    values = measure(selection, layer_values, 4)
    np.testing.assert_array_equal(sent["values-4"]["added"], values.added)
    found = measure(selection, projections, 4)
    full = np.quantile(np.abs(found), 0.995)
    coded = (sent["values-4"]["matrices"].astype(float) - 127) / 127 * full
    assert np.abs(coded - found.clip(-full, full)).max() <= full / 254 * 1.001
    assert sent["values-4"]["histogram"].sum(axis=1).tolist() == [selection.config.tokens**2] * selection.config.heads
    assert "shares-4-40" in sent


def test_a_large_model_sends_single_layers_and_the_rows_of_a_query() -> None:
    sent = parcels("heads", model="build-your-own", layer="4", query="7", **OWN)
    assert [name for name in sent if name.startswith("maps-")] == ["maps-3", "maps-4", "maps-2"]
    assert sent["rows-7"]["code"].shape == (5, 16, 577)
    assert sent["exact-3-7"]["row"].shape == (16, 577)


def test_a_model_with_two_prefix_tokens_is_asked_by_their_names() -> None:
    sent = parcels("heads", model="deit_base_distilled_patch16_224", query="distillation")
    assert "exact-0-1" in sent
    assert sent["maps-0"]["code"].shape == (12, 198, 198)
