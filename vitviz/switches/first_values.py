"""The numbers that a model starts from."""

import torch
from torch import nn

from vitviz.machine.wanted import while_wanted

INIT_STD = 0.02
DRAWN_AT_ONCE = 2**23  # numbers: PyTorch needs as much memory again beside them, and nothing ends it meanwhile


def initialise(model: nn.Module, seed: int, device: torch.device, initial: str = "trunc_normal") -> None:
    """Give all parameters, which have shapes alone, numbers from `seed`: biases 0, scales 1, others as `initial` says.

    Not with `to_empty`, which imports 480 modules of symbolic mathematics to find out what is empty.
    """
    numbers = {name: torch.empty(it.shape, dtype=it.dtype, device=device) for name, it in model.state_dict().items()}
    model.load_state_dict(numbers, assign=True)
    generator = torch.Generator(device).manual_seed(seed)
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
            for part in while_wanted(parameter.detach().view(-1).split(DRAWN_AT_ONCE)):
                nn.init.trunc_normal_(part, std=INIT_STD, generator=generator)
