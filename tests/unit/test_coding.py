"""The code of attention weights: one byte each, and what it keeps."""

import numpy as np
import pytest
import torch

from vitviz.config import PRESETS
from vitviz.measures.attention import attention_weights
from vitviz.measures.coding import coded_bytes, coded_layer, coded_rows, coded_walk, decode, encode, exact_weights


def variation(one, other):
    """Total variation between rows: the share of weight that lies elsewhere."""
    return np.abs(one - other).sum(axis=-1) / 2


@pytest.mark.parametrize("spread", [0.01, 1, 4, 20])
def test_a_row_keeps_its_weights(spread):
    scores = spread * torch.randn(3, 50, 197, generator=torch.Generator().manual_seed(2))
    code, truth = encode(scores.clone()), scores.double().softmax(dim=-1).numpy()
    assert code.dtype == np.uint8
    assert (code.max(axis=-1) == 255).all()
    np.testing.assert_allclose(decode(code).sum(axis=-1), 1, atol=1e-12)
    assert variation(decode(code), truth).max() < 0.01
    share = truth / truth.max(axis=-1, keepdims=True)
    assert np.abs((code / 255) ** 2 - share).max() <= 1.001 / 255


def test_encoding_leaves_the_scores_alone():
    scores = torch.randn(2, 5, 5)
    kept = scores.clone()
    encode(scores)
    assert torch.equal(scores, kept)


def test_a_layer_is_the_code_of_its_attention_weights(tiny_trace):
    for layer in range(tiny_trace.config.depth):
        code = coded_layer(tiny_trace, layer)
        assert code.nbytes == coded_bytes(tiny_trace.config)
        assert variation(decode(code), attention_weights(tiny_trace, layer)).max() < 0.01


def test_a_walk_codes_in_passing_what_is_coded_afterwards(tiny_model, tiny_trace):
    trace, maps = coded_walk(tiny_model, tiny_trace["image"].tensor)
    assert len(maps) == tiny_trace.config.depth
    for layer, code in enumerate(maps):
        np.testing.assert_array_equal(code, coded_layer(tiny_trace, layer))
    for name in tiny_trace.names:
        assert torch.equal(trace[name].tensor, tiny_trace[name].tensor)


@pytest.mark.parametrize("query", [0, 9])
def test_rows_of_one_query_are_rows_of_the_layers(tiny_trace, query):
    layers = np.stack([coded_layer(tiny_trace, layer)[:, query] for layer in range(tiny_trace.config.depth)])
    assert np.abs(coded_rows(tiny_trace, query).astype(int) - layers).max() <= 1


def test_exact_numbers_are_those_of_the_measures(tiny_trace):
    weights = attention_weights(tiny_trace, 1)
    np.testing.assert_array_equal(exact_weights(tiny_trace, 1, 9), [weights[:, 9], weights[:, :, 9]])


def test_bytes_of_a_published_size():
    config = PRESETS["vit_base_patch16_224"]
    assert config.depth * coded_bytes(config) == 5_588_496
