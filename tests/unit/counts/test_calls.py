"""What is counted against the calls of the built model: multiply-accumulates, layer norms and fused attention."""

from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode

from tests.unit.counts.random_models import CONFIGS
from vitviz.config import ViTConfig
from vitviz.counts import fused_macs, layer_normed, total_macs, total_parameters
from vitviz.model import ViT

LAYER_NORM, ATTENTION = F.layer_norm, F.scaled_dot_product_attention


def called(config: ViTConfig, patch: pytest.MonkeyPatch) -> tuple[float, int, int]:
    """Multiply-accumulates by PyTorch's own counter, numbers that layer norms make, and multiply-accumulates of fused
    attention, in one forward pass: of a large model on the meta device, where each step takes three times as long as
    with the numbers of a small one.
    """
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
    with torch.device("meta" if total_parameters(config) > 5_000_000 else "cpu"):
        model, image = ViT(config), torch.zeros(1, config.channels, *config.image_sides)
    with sdpa_kernel(SDPBackend.MATH), FlopCounterMode(display=False) as counter:  # no other has all its products
        model(image)
    return counter.get_total_flops() / 2, sum(normed), sum(fused)


def test_what_is_counted_is_what_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    for config in CONFIGS:
        counted = total_macs(config), layer_normed(config), fused_macs(config)
        assert counted == called(config, monkeypatch), config.key
