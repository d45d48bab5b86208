"""The numbers that a model starts from."""

import torch
from torch import nn

INIT_STD = 0.02
DRAWN_AT_ONCE = 2**23  # numbers: PyTorch needs as much memory again beside them, and nothing ends it meanwhile


def initialise(model: nn.Module, seed: int) -> None:
    """Fill all parameters in place from `seed`: weights truncated normal, biases 0, scales 1."""
    generator = torch.Generator(next(model.parameters()).device).manual_seed(seed)
    for name, parameter in model.named_parameters():
        if name.endswith("bias"):
            nn.init.zeros_(parameter)
        elif "norm" in name or name.endswith("gamma"):
            nn.init.ones_(parameter)
        else:
            for part in parameter.detach().view(-1).split(DRAWN_AT_ONCE):
                nn.init.trunc_normal_(part, std=INIT_STD, generator=generator)
