"""Bytes that stages move: against the tensors that a built model reads, holds and makes."""

from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from vitviz.config import ViTConfig
from vitviz.counts import mac_steps, total_traffic, traffic
from vitviz.counts.formula import symbols, value
from vitviz.measures import speed as clock
from vitviz.model import ViT
from vitviz.trace import Trace, record

TINY = ViTConfig(image_size=(16, 24), patch_size=8, dim=12, depth=2, heads=3, mlp_dim=20, classes=4)
CHANGES: list[dict[str, Any]] = [
    {},
    {"head_dim": 5, "heads": 2},
    {"activation": "swiglu"},
    {"pool": "attention"},
    {"pool": "flatten"},
    {"classes": 0},
    {"pre_logits": 7},
    {"distilled": True, "registers": 2},
    {"norm": "rms", "norm_order": "post"},
    {"patch_norm": True, "patch_bias": False, "qkv_bias": False},
    {"stem": "conv"},
    {"positions": "relative"},
    {"attention": "linear"},
    {"attention": "top_k", "top_k": 2},
    {"attention": "window", "window": 1},
    {"score_scale": 0.5, "positions": "relative"},
]


def moved(trace: Trace) -> Iterator[tuple[str, int]]:
    """Bytes of what each stage reads, holds and makes, of the tensors themselves."""
    model, block, inside = trace.model, trace.block(0), trace.inside(0)
    image, x, normed = trace["image"].tensor, trace.residual_stream(0), inside["norm1"].tensor
    q, k, v, scores, weights, active = (
        inside[name].tensor for name in ("attn.q", "attn.k", "attn.v", "attn.scores", "attn.weights", "mlp.active")
    )
    z = inside["attn.z"].tensor
    bias = [inside["attn.bias"].tensor] if trace.config.positions == "relative" else []
    hidden, pooled = block.mlp.fc1(normed), model.pool(x)
    read = pooled if model.pre_logits is None else model.pre_logits(pooled)
    reads: dict[str, tuple[list[Tensor], nn.Module | None]] = {
        "patch embedding": ([image], model.patch_embed),
        "layer norms": ([x], block.norm1),
        "q k v projections": ([normed], block.attn.qkv),
        "fused attention": ([q, k, v, *bias], None),
        "linear attention": ([q, k, v], None),
        "output projection": ([z], block.attn.proj),
        "MLP, first layer": ([normed], block.mlp.fc1),
        "activation": ([hidden], None),
        "MLP, second layer": ([active], block.mlp.fc2),
        "attention pooling": ([x], model.attn_pool),
        "head": ([read], model.head),
        "QKᵀ": ([q, k, *bias], None),
        "softmax": ([scores], None),
        "AV": ([weights, v], None),
    }
    for stage, work, _ in clock._stages(trace):
        if stage in reads:
            tensors, module = reads[stage]
            held = list(module.parameters()) if module is not None else []
            yield stage, sum(it.nbytes for it in (*tensors, *held, work()))
        else:
            tokens = normed.split(1, dim=1)
            assert stage == "q k v, token by token"
            held = list(block.attn.qkv.parameters())
            yield stage, sum(it.nbytes for it in chain(tokens, held * len(tokens), work()))


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
@pytest.mark.parametrize("changes", CHANGES, ids=str)
@torch.no_grad()
def test_a_stage_moves_the_bytes_of_its_tensors(changes: dict[str, Any], dtype: torch.dtype) -> None:
    config = TINY.with_(**changes)
    model = ViT(config, seed=1).to(dtype)
    trace = record(model, torch.randn(1, 3, *config.image_sides, dtype=dtype))
    counted = {stage: dtype.itemsize * it.count for stage, it in traffic(config).items()}
    found = dict(moved(trace))
    if not config.classes:
        assert "head" not in counted
        del found["head"]
    assert found == counted
    calls = {stage: times for stage, _, times in clock._stages(trace)}
    assert dtype.itemsize * total_traffic(config) == sum(calls[stage] * moves for stage, moves in found.items())


@pytest.mark.parametrize("changes", CHANGES, ids=str)
def test_the_formula_comes_to_the_count(changes: dict[str, Any]) -> None:
    config = TINY.with_(**changes)
    for it in traffic(config).values():
        assert value(it.formula, symbols(config)) == it.count > 0


def test_the_same_products_token_by_token_fetch_the_matrix_for_each_token() -> None:
    counted, tokens = traffic(TINY), TINY.tokens
    once, each = counted["q k v projections"].count, counted["q k v, token by token"].count
    matrix = 3 * 12 * 12 + 3 * 12
    assert each - once == (tokens - 1) * matrix
    assert mac_steps(TINY)["q k v projections"] == TINY.depth * tokens * 3 * 12 * 12
