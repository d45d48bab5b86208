"""Gradients of the loss: against finite differences and PyTorch's own backward pass through models as built."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from vitviz import results
from vitviz.config import ViTConfig
from vitviz.counts import total_parameters
from vitviz.engine import Engine
from vitviz.measures.laboratory.gradients import (
    NORMS,
    RESIDUAL,
    SCORES,
    USUAL,
    Gradients,
    backward,
    by_stage,
    changed,
    gradients,
    untrained,
    ways,
)
from vitviz.measures.relevance import maps_down_to
from vitviz.model import ViT
from vitviz.samples import samples
from vitviz.selection import FIRST_MODEL, Selection
from vitviz.trace import Trace, record

LABEL = 2


def of(config: ViTConfig, seed: int = 5) -> tuple[dict[str, Tensor], Tensor]:
    """Parameters and picture in 64 bits."""
    model = ViT(config, seed=seed).double()
    image = torch.randn(1, 3, 32, 32, generator=torch.Generator().manual_seed(2)).double()
    return {name: it.detach() for name, it in model.named_parameters()}, image


@pytest.mark.parametrize("way", [USUAL, RESIDUAL, NORMS, SCORES])
def test_the_gradient_is_the_slope_of_the_loss(tiny_config: ViTConfig, way: str) -> None:
    parameters, image = of(tiny_config)
    config, residual = changed(tiny_config, way), way != RESIDUAL
    found = backward(config, parameters, image, LABEL, residual)
    generator = torch.Generator().manual_seed(7)
    for name in ("patch_embed.proj.weight", "blocks.0.attn.qkv.weight", "blocks.2.mlp.fc1.bias", "head.weight"):
        along = torch.randn(parameters[name].shape, generator=generator, dtype=torch.float64)
        losses = [
            backward(config, parameters | {name: parameters[name] + step * along}, image, LABEL, residual).loss
            for step in (1e-5, -1e-5)
        ]
        slope = float((found.parameters[name] * along).sum())
        assert (losses[0] - losses[1]) / 2e-5 == pytest.approx(slope, rel=1e-4, abs=1e-9), name


@pytest.mark.parametrize("way", [USUAL, NORMS, SCORES])
def test_it_is_that_of_a_model_that_is_built_so(tiny_config: ViTConfig, tiny_trace: Trace, way: str) -> None:
    model: Any = ViT(changed(tiny_config, way), seed=3)
    loss = F.cross_entropy(model(tiny_trace["image"].tensor), torch.tensor([LABEL]))
    loss.backward()
    found = gradients(tiny_trace, LABEL, way, untrained(tiny_trace.model, "trunc_normal", seed=3))
    assert found.loss == pytest.approx(float(loss.detach()), rel=1e-6)
    for layer, length in enumerate(found.stages[1:-1]):
        slopes = [it.grad for it in model.blocks[layer].parameters() if it.grad is not None]
        assert length == pytest.approx(float(torch.cat([it.flatten() for it in slopes]).norm()), rel=1e-4)
        made = model.blocks[layer].attn.qkv.weight.grad
        assert found.scores[layer] == pytest.approx(float(made[:48].norm()), rel=1e-4)


def test_without_residual_connections_each_block_is_all_there_is(tiny_config: ViTConfig, tiny_trace: Trace) -> None:
    model: Any = ViT(tiny_config, seed=3)
    x = model.embed(tiny_trace["image"].tensor)
    for block in model.blocks:
        x = block.attn(block.norm1(x))
        x = block.mlp(block.norm2(x))
    loss = F.cross_entropy(model.classify(x), torch.tensor([LABEL]))
    loss.backward()
    found = gradients(tiny_trace, LABEL, RESIDUAL, untrained(tiny_trace.model, "trunc_normal", seed=3))
    assert found.loss == pytest.approx(float(loss.detach()), rel=1e-6)
    of_embedding = [model.cls_token, model.pos_embed, *model.patch_embed.parameters()]
    length = torch.cat([it.grad.flatten() for it in of_embedding]).norm()
    assert found.stages[0] == pytest.approx(float(length), rel=1e-4)


def test_streams_carry_what_a_changed_stream_costs(tiny_model: ViT, tiny_trace: Trace) -> None:
    found = gradients(tiny_trace, LABEL, USUAL)
    stream = tiny_trace.residual_stream(3).clone().requires_grad_()
    with torch.enable_grad():
        loss = F.cross_entropy(tiny_model.classify(stream), torch.tensor([LABEL]))
        (slope,) = torch.autograd.grad(loss, stream)
    assert found.streams[-1] == pytest.approx(float(slope.norm()), rel=1e-5)
    assert found.streams.shape == (4,)


def test_the_models_own_parameters_learn_nothing_of_it(tiny_model: ViT, tiny_trace: Trace) -> None:
    before = {name: it.detach().clone() for name, it in tiny_model.named_parameters()}
    wanted = {name: it.requires_grad for name, it in tiny_model.named_parameters()}
    first, second = (gradients(tiny_trace, LABEL, USUAL) for _ in range(2))
    np.testing.assert_array_equal(first.stages, second.stages)
    for name, it in tiny_model.named_parameters():
        assert torch.equal(it, before[name])
        assert it.grad is None
        assert it.requires_grad == wanted[name]


def test_every_parameter_belongs_to_one_stage(tiny_model: ViT) -> None:
    stages = by_stage(dict(tiny_model.named_parameters()), 3)
    assert sum(map(len, stages)) == len(list(tiny_model.parameters()))
    assert {len(left) == len(right) for left, right in pairwise(stages[1:-1])} == {True}
    assert len(stages[-1]) == 4  # the last norm and the head


def test_linear_attention_has_no_scores_to_divide(tiny_config: ViTConfig, tiny_trace: Trace) -> None:
    config = tiny_config.with_(attention="linear")
    assert ways(config) == (USUAL, RESIDUAL, NORMS)
    assert ways(tiny_config) == (USUAL, RESIDUAL, NORMS, SCORES)
    found: Gradients = gradients(record(ViT(config, 1), tiny_trace["image"].tensor), LABEL, USUAL)
    assert found.stages.min() > 0


def test_what_is_drawn_stays_as_it_is(tiny_trace: Trace) -> None:
    drawn = untrained(tiny_trace.model, "trunc_normal", seed=3)
    before = {name: it.clone() for name, it in drawn.items()}
    gradients(tiny_trace, LABEL, USUAL, drawn)
    maps_down_to(tiny_trace, 2, LABEL, drawn=drawn)
    assert all(torch.equal(it, before[name]) for name, it in drawn.items())
    assert drawn.keys() == dict(tiny_trace.model.named_parameters()).keys()


def test_an_engine_draws_a_model_once_for_all_beside_it_and_counts_its_bytes() -> None:
    selection, engine = Selection(FIRST_MODEL, samples()["fish"]), Engine()
    drawn = results.untrained(FIRST_MODEL, "trunc_normal", 3)
    losses = []
    for way in (USUAL, RESIDUAL):
        losses.append(engine.submit(results.measurement_beside(selection, gradients, LABEL, way, drawn)).result(60))
        assert engine.cached(drawn)
    assert losses[0].value.loss != losses[1].value.loss
    assert engine.submit(drawn).result(60).nbytes >= 4 * total_parameters(FIRST_MODEL.config)
