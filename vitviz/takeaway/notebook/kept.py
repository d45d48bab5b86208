"""What was kept of a model's training, once more in plain PyTorch, from the file that it stands in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vitviz.config import ViTConfig
from vitviz.machine.pytorch import F, torch

if TYPE_CHECKING:
    from pathlib import Path

    Tensor = torch.Tensor


def plain_looked_at(file: Path, step: int, layer: int) -> Tensor:
    from safetensors.torch import load_file

    kept = load_file(file)
    squares = kept["attention"][kept["steps"].tolist().index(step), :, layer].float() ** 2  # scene head t, coded
    weights = squares / squares.sum(dim=-1, keepdim=True)
    return weights.mean(dim=1)[:, 1:]  # scene n, without what the class token looks at in itself


def plain_positions_then(file: Path, config: ViTConfig, step: int, patch: int) -> Tensor:
    from safetensors.torch import load_file

    kept = load_file(file)
    positions = kept["positions"][kept["steps"].tolist().index(step), 1:].float()  # n d
    return F.cosine_similarity(positions[patch], positions).view(config.grid)
