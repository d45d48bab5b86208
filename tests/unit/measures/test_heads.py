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
