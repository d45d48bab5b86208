"""A hidden layer before the head, which the paper has in pre-training."""

import torch
from torch import Tensor, nn

from vitviz.config import ViTConfig


class PreLogits(nn.Module):
    """Linear and tanh on what was read off the tokens; the head reads what they make (section 3.1)."""

    def __init__(self, config: ViTConfig) -> None:
        super().__init__()
        self.fc = nn.Linear(config.pooled, config.pre_logits)

    def forward(self, x: Tensor) -> Tensor:
        """`b d -> b r`"""
        return torch.tanh(self.fc(x))
