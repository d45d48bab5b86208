"""The numbers that a model starts from."""

import torch
from torch import nn

INIT_STD = 0.02
DRAWN_AT_ONCE = 2**23  # numbers: PyTorch needs as much memory again beside them, and nothing ends it meanwhile


def initialise(model: nn.Module, seed: int, initial: str = "trunc_normal") -> None:
    """Fill all parameters in place from `seed`: biases 0, scales 1, all others as `initial` says."""
    generator = torch.Generator(next(model.parameters()).device).manual_seed(seed)
    for name, parameter in model.named_parameters():
        if name.endswith("bias"):
            nn.init.zeros_(parameter)
        elif "norm" in name or name.endswith("gamma"):
            nn.init.ones_(parameter)
        elif initial == "zeros":
            nn.init.zeros_(parameter)
        elif initial == "normal":
            nn.init.normal_(parameter, generator=generator)
        else:
            for part in parameter.detach().view(-1).split(DRAWN_AT_ONCE):
                nn.init.trunc_normal_(part, std=INIT_STD, generator=generator)
