"""What a block does to the residual stream, measured against the formulas written out."""

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from vitviz.measures import blocks

LAYER, TOKEN = 1, 4


@pytest.mark.parametrize("norm", ["norm1", "norm2"])
def test_layer_norm_is_its_formula(tiny_trace, norm):
    normed = blocks.layer_norm(tiny_trace, LAYER, norm, TOKEN)
    x = normed.before.astype(np.float64)
    assert normed.mean == pytest.approx(x.mean(), abs=1e-7)
    assert normed.variance == pytest.approx(x.var(), rel=1e-5)
    written_out = (x - x.mean()) / np.sqrt(x.var() + tiny_trace.config.epsilon) * normed.scale + normed.shift
    np.testing.assert_allclose(normed.after, written_out, atol=1e-5)


def test_the_two_norms_read_the_stream_before_and_after_the_attention(tiny_trace):
    inside = tiny_trace.inside(LAYER)
    before = [blocks.layer_norm(tiny_trace, LAYER, norm, TOKEN).before for norm in ("norm1", "norm2")]
    np.testing.assert_array_equal(before[0], tiny_trace.entering(LAYER)[0, TOKEN])
    np.testing.assert_array_equal(before[1], inside["resid_mid"].tensor[0, TOKEN])


def test_additions_are_what_leads_from_one_edge_of_the_block_to_the_other(tiny_trace):
    flow = blocks.additions(tiny_trace, LAYER)
    entering, leaving = tiny_trace.entering(LAYER)[0], tiny_trace.entering(LAYER + 1)[0]
    middle = tiny_trace.inside(LAYER)["resid_mid"].tensor[0]
    for measured, vectors in [
        (flow.entering, entering),
        (flow.attention, middle - entering),
        (flow.middle, middle),
        (flow.mlp, leaving - middle),
        (flow.leaving, leaving),
    ]:
        assert measured.shape == (tiny_trace.config.tokens,)
        np.testing.assert_allclose(measured, np.linalg.norm(vectors, axis=-1), atol=1e-5)


def test_hidden_values_pass_through_gelu(tiny_trace):
    hidden, active = blocks.hidden(tiny_trace, LAYER, TOKEN)
    assert hidden.shape == (tiny_trace.config.mlp_dim,)
    np.testing.assert_allclose(active, F.gelu(torch.tensor(hidden)), atol=1e-6)
    assert blocks.active_share(tiny_trace, LAYER)[TOKEN] == pytest.approx((hidden > 0).mean())


def test_similarity_is_a_cosine(tiny_trace):
    for layer in (0, tiny_trace.config.depth):
        cosines = blocks.token_similarity(tiny_trace, layer)
        x = tiny_trace.entering(layer)[0]
        np.testing.assert_allclose(np.diag(cosines), 1, atol=1e-5)
        np.testing.assert_allclose(cosines[2, 3], F.cosine_similarity(x[2], x[3], dim=0), atol=1e-5)
    with pytest.raises(IndexError):
        blocks.token_similarity(tiny_trace, tiny_trace.config.depth + 1)


def test_mean_similarity_is_the_mean_over_pairs_of_different_tokens(tiny_trace):
    means = blocks.mean_similarity(tiny_trace)
    assert len(means) == tiny_trace.config.depth + 1
    for layer, mean in enumerate(means):
        cosines = blocks.token_similarity(tiny_trace, layer)
        pairs = cosines[~np.eye(len(cosines), dtype=bool)]
        assert mean == pytest.approx(pairs.mean(), abs=1e-5)
