"""Initialisation: untrained models on a picture against models built so, and what makes heads learn apart."""

from math import log
from typing import Any

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from vitviz.config import ViTConfig
from vitviz.measures.laboratory.first_values import ALIKE, MATRICES, first_values, start
from vitviz.model import ViT
from vitviz.trace import Trace, record

LABEL, SEED = 1, 4


@pytest.mark.parametrize("initial", ["trunc_normal", "normal"])
def test_a_start_is_a_model_that_is_built_so(tiny_config: ViTConfig, tiny_trace: Trace, initial: str) -> None:
    model: Any = ViT(tiny_config.with_(initial=initial), SEED)
    image = tiny_trace["image"].tensor
    trace, found = record(model, image), start(tiny_trace, initial, SEED, LABEL)
    weights = trace.inside(0)["attn.weights"].tensor[0]
    np.testing.assert_allclose(found.maps, weights[:, 0, 1:], atol=1e-6)
    entropy = torch.distributions.Categorical(probs=weights.double()).entropy().mean(dim=-1)
    np.testing.assert_allclose(found.entropy, entropy, atol=1e-4)
    np.testing.assert_allclose(found.probabilities, trace["logits"].tensor[0].softmax(dim=-1), atol=1e-5)
    lengths = [float(trace.residual_stream(layer)[0].norm(dim=-1).mean()) for layer in range(4)]
    np.testing.assert_allclose(found.lengths, lengths, rtol=1e-5)
    F.cross_entropy(model(image), torch.tensor([LABEL])).backward()
    made = model.blocks[0].attn.qkv.weight.grad.reshape(3, 4, 6, 24)
    np.testing.assert_allclose(found.gradients[:3], made.norm(dim=(2, 3)), rtol=1e-3, atol=1e-7)
    out = model.blocks[0].attn.proj.weight.grad.reshape(24, 4, 6)
    np.testing.assert_allclose(found.gradients[3], out.norm(dim=(0, 2)), rtol=1e-3)
    assert found.gradients.shape == (len(MATRICES), 4)
    assert found.parameters == sum(it.numel() for it in model.parameters())


def test_zeros_look_everywhere_alike_and_move_nothing_but_the_heads_bias(tiny_trace: Trace) -> None:
    found = start(tiny_trace, "zeros", SEED, LABEL)
    np.testing.assert_allclose(found.entropy, log(17), rtol=1e-6)
    np.testing.assert_allclose(found.probabilities, 1 / 5)
    assert found.moved == 5
    assert not found.gradients.any()
    assert not found.lengths.any()


def test_heads_that_begin_alike_get_equal_gradients_and_stay_alike(tiny_trace: Trace) -> None:
    alike, usual = (start(tiny_trace, name, SEED, LABEL).gradients for name in (ALIKE, "trunc_normal"))
    np.testing.assert_allclose(alike, alike[:, :1].repeat(4, axis=1), rtol=1e-4)
    assert alike.min() > 0
    assert np.ptp(usual, axis=1).min() > 1e-3 * usual.max(axis=1).min()


def test_after_steps_of_learning_heads_that_began_alike_are_alike(tiny_config: ViTConfig, tiny_trace: Trace) -> None:
    model: Any = ViT(tiny_config)
    values = first_values(tiny_trace, ALIKE, SEED)
    model.load_state_dict(values)
    optimiser = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        optimiser.zero_grad()
        F.cross_entropy(model(tiny_trace["image"].tensor), torch.tensor([LABEL])).backward()
        optimiser.step()
    heads = model.blocks[1].attn.qkv.weight.detach().reshape(3, 4, 6, 24)
    assert not torch.equal(heads.flatten(), values["blocks.1.attn.qkv.weight"].flatten())
    torch.testing.assert_close(heads, heads[:, :1].expand(-1, 4, -1, -1), atol=1e-5, rtol=0)


def test_relative_positions_of_heads_begin_alike_too(tiny_config: ViTConfig, tiny_trace: Trace) -> None:
    trace = record(ViT(tiny_config.with_(positions="relative")), tiny_trace["image"].tensor)
    gradients = start(trace, ALIKE, SEED, LABEL).gradients
    np.testing.assert_allclose(gradients, gradients[:, :1].repeat(4, axis=1), rtol=1e-4)
