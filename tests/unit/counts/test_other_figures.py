"""What other counters add or leave out: layer norms and fused attention, against the calls of the built model."""

from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from tests.unit.counts.random_models import CONFIGS
from vitviz.config import ViTConfig
from vitviz.counts import fused_macs, layer_normed
from vitviz.model import ViT

LAYER_NORM, ATTENTION = F.layer_norm, F.scaled_dot_product_attention


def called(config: ViTConfig, patch: pytest.MonkeyPatch) -> tuple[int, int]:
    """Numbers that layer norms make, and multiply-accumulates of fused attention, in one forward pass on meta."""
    normed: list[int] = []
    fused: list[int] = []

    def norm(x: Tensor, *rest: Any, **more: Any) -> Tensor:
        normed.append(x.numel())
        return LAYER_NORM(x, *rest, **more)

    def attention(q: Tensor, k: Tensor, v: Tensor, bias: Tensor | None = None) -> Tensor:
        fused.append(2 * q.numel() * k.shape[-2])
        return ATTENTION(q, k, v, bias)

    patch.setattr(F, "layer_norm", norm)
    patch.setattr(F, "scaled_dot_product_attention", attention)
    with torch.device("meta"):
        model = ViT(config)
    model(torch.empty(1, config.channels, *config.image_sides, device="meta"))
    return sum(normed), sum(fused)


def test_layer_norms_and_fused_attention_are_those_that_run(monkeypatch: pytest.MonkeyPatch) -> None:
    for config in CONFIGS:
        assert (layer_normed(config), fused_macs(config)) == called(config, monkeypatch), config.key
