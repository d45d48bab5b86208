"""What heads read, multiply and add, against the attention that they make."""

import numpy as np

from vitviz import measures
from vitviz.measures import heads
from vitviz.trace import Trace


def test_the_shares_of_the_heads_add_up_to_what_attention_adds(tiny_trace: Trace) -> None:
    shares, values = heads.head_shares(tiny_trace, 1, 5), heads.layer_values(tiny_trace, 1)
    bias = tiny_trace.block(1).attn.proj.bias.detach().numpy()
    np.testing.assert_allclose(shares.sum(axis=0) + bias, values.added[5], rtol=1e-4, atol=1e-6)


def test_the_values_of_a_layer_lead_to_its_weights(tiny_trace: Trace) -> None:
    values = heads.layer_values(tiny_trace, 2)
    scores = values.q @ values.k.swapaxes(-1, -2) / values.q.shape[-1] ** 0.5
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    np.testing.assert_allclose(
        weights / weights.sum(axis=-1, keepdims=True), measures.attention_weights(tiny_trace, 2), rtol=1e-5
    )


def test_the_matrices_of_the_heads_make_its_queries_keys_and_values(tiny_trace: Trace) -> None:
    values = heads.layer_values(tiny_trace, 1)
    matrices = heads.projections(tiny_trace, 1)
    bias = tiny_trace.block(1).attn.qkv.bias.detach().numpy().reshape(3, values.q.shape[0], 1, -1)
    made = np.einsum("td,phde->phte", values.normalised, matrices) + bias
    np.testing.assert_allclose(made, np.stack([values.q, values.k, values.v]), rtol=1e-4, atol=1e-5)


def test_the_products_of_all_pairs_are_counted_once(tiny_trace: Trace) -> None:
    spread, values = heads.product_spread(tiny_trace, 1, bins=10), heads.layer_values(tiny_trace, 1)
    products = np.einsum("hqd,hkd->hqk", values.q, values.k)
    np.testing.assert_allclose(spread.deviation, products.std(axis=(1, 2)), rtol=1e-4)
    np.testing.assert_allclose(spread.reach, np.abs(products).max(axis=(1, 2)), rtol=1e-4)
    tokens = values.q.shape[1]
    assert spread.counts.sum(axis=1).tolist() == [tokens**2] * len(values.q)


def test_a_head_as_a_kernel_is_the_mean_of_its_rows_moved_onto_each_other(tiny_trace: Trace) -> None:
    rows, columns = tiny_trace.config.grid
    prefix = len(tiny_trace.config.prefix_tokens)
    weights = measures.attention_weights(tiny_trace, 1)[:, prefix:, prefix:]
    weights = weights / weights.sum(axis=-1, keepdims=True)
    found = heads.kernels(tiny_trace, 1, 5)
    assert found.shape == (tiny_trace.config.heads, 11, 11)
    np.testing.assert_allclose(found.sum(axis=(1, 2)), 1, atol=1e-5)
    for down, across in ((0, 0), (-1, 2), (3, -3)):
        pairs = [
            weights[:, row * columns + column, (row + down) * columns + column + across]
            for row in range(rows)
            for column in range(columns)
            if 0 <= row + down < rows and 0 <= column + across < columns
        ]
        np.testing.assert_allclose(found[:, 5 + down, 5 + across], sum(pairs) / (rows * columns), atol=1e-6)
    np.testing.assert_allclose(heads.kernels(tiny_trace, 1, 1), found[:, 4:7, 4:7])
