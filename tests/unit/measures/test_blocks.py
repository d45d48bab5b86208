"""What a block does to the residual stream, measured against the formulas written out."""

from typing import Literal

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from tests.checkpoints import TIMM, shaken
from vitviz.measures import blocks
from vitviz.model import ViT
from vitviz.trace import Trace, record

LAYER, TOKEN = 1, 4


@pytest.mark.parametrize("norm", ["norm1", "norm2"])
def test_layer_norm_is_its_formula(tiny_trace: Trace, norm: Literal["norm1", "norm2"]) -> None:
    normalised = blocks.layer_norm(tiny_trace, LAYER, norm, TOKEN)
    x = normalised.before.astype(np.float64)
    assert normalised.mean == pytest.approx(x.mean(), abs=1e-7)
    assert normalised.variance == pytest.approx(x.var(), rel=1e-5)
    written_out = (x - x.mean()) / np.sqrt(x.var() + tiny_trace.config.epsilon) * normalised.scale + normalised.shift
    np.testing.assert_allclose(normalised.after, written_out, atol=1e-5)


def test_the_two_norms_read_the_stream_before_and_after_the_attention(tiny_trace: Trace) -> None:
    inside = tiny_trace.inside(LAYER)
    before = [blocks.layer_norm(tiny_trace, LAYER, norm, TOKEN).before for norm in ("norm1", "norm2")]
    np.testing.assert_array_equal(before[0], tiny_trace.residual_stream(LAYER)[0, TOKEN])
    np.testing.assert_array_equal(before[1], inside["resid_mid"].tensor[0, TOKEN])


def test_additions_are_what_leads_from_one_edge_of_the_block_to_the_other(tiny_trace: Trace) -> None:
    flow = blocks.additions(tiny_trace, LAYER)
    entering, leaving = tiny_trace.residual_stream(LAYER)[0], tiny_trace.residual_stream(LAYER + 1)[0]
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


def test_hidden_values_pass_through_gelu(tiny_trace: Trace) -> None:
    hidden, active = blocks.hidden(tiny_trace, LAYER, TOKEN)
    assert hidden.shape == (tiny_trace.config.mlp_dim,)
    np.testing.assert_allclose(active, F.gelu(torch.tensor(hidden)), atol=1e-6)
    assert blocks.active_share(tiny_trace, LAYER)[TOKEN] == pytest.approx((hidden > 0).mean())


@pytest.fixture(scope="module")
def gated_trace() -> Trace:
    """A gated MLP and layer scales that are not 1."""
    model = ViT(TIMM.with_(activation="swiglu", layer_scale=True))
    shaken(model)
    return record(model, torch.randn(1, 3, 32, 32, generator=torch.Generator().manual_seed(0)))


def test_a_gate_after_silu_multiplies_the_hidden_values(gated_trace: Trace) -> None:
    (gate, through), (hidden, active) = (f(gated_trace, LAYER, TOKEN) for f in (blocks.gate, blocks.hidden))
    np.testing.assert_allclose(through, F.silu(torch.tensor(gate)), atol=1e-6)
    np.testing.assert_allclose(active, through * hidden, atol=1e-5)
    assert blocks.active_share(gated_trace, LAYER)[TOKEN] == pytest.approx((gate > 0).mean())


def test_layer_scales_turn_what_attention_and_mlp_give_into_what_is_added(
    tiny_trace: Trace, gated_trace: Trace
) -> None:
    flow, inside, block = blocks.additions(gated_trace, LAYER), gated_trace.inside(LAYER), gated_trace.block(LAYER)
    assert flow.unscaled
    assert flow.unscaled
    for unscaled, scaled, name, scale in zip(
        flow.unscaled, (flow.attention, flow.mlp), ("attn", "mlp"), (block.ls1, block.ls2), strict=True
    ):
        assert scale
        assert scale
        given = inside[f"{name}.unscaled"].tensor[0]
        np.testing.assert_allclose(unscaled, given.norm(dim=-1), rtol=1e-5)
        np.testing.assert_allclose(scaled, (given * scale.gamma.detach()).norm(dim=-1), rtol=1e-5)
    assert blocks.additions(tiny_trace, LAYER).unscaled is None


def test_similarity_is_a_cosine(tiny_trace: Trace) -> None:
    for layer in (0, tiny_trace.config.depth):
        cosines = blocks.token_similarity(tiny_trace, layer)
        x = tiny_trace.residual_stream(layer)[0]
        np.testing.assert_allclose(np.diag(cosines), 1, atol=1e-5)
        np.testing.assert_allclose(cosines[2, 3], F.cosine_similarity(x[2], x[3], dim=0), atol=1e-5)
    with pytest.raises(IndexError):
        blocks.token_similarity(tiny_trace, tiny_trace.config.depth + 1)


def test_mean_similarity_is_the_mean_over_pairs_of_different_tokens(tiny_trace: Trace) -> None:
    means = blocks.mean_similarity(tiny_trace)
    assert len(means) == tiny_trace.config.depth + 1
    for layer, mean in enumerate(means):
        cosines = blocks.token_similarity(tiny_trace, layer)
        pairs = cosines[~np.eye(len(cosines), dtype=bool)]
        assert mean == pytest.approx(pairs.mean(), abs=1e-5)


def test_the_values_of_a_block_add_up(tiny_trace: Trace) -> None:
    values = blocks.block_values(tiny_trace, 1)
    np.testing.assert_allclose(values["stream"] + values["attention"], values["middle"], rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(values["middle"] + values["mlp"], values["leaving"], rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(values["leaving"], blocks.block_values(tiny_trace, 2)["stream"])
