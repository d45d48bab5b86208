"""A checkpoint that is in memory already: a model of PyTorch, or its parameters by name."""

from collections.abc import Mapping
from typing import Any

from torch import Tensor, nn

from vitviz.shown import quoted
from vitviz.weights.errors import WeightsError
from vitviz.weights.files.pytorch import unwrapped
from vitviz.weights.files.source import Source


def open_held(held: nn.Module | Mapping[str, Any]) -> Source:
    """The parameters of a model or state dict; each is copied when it is read, so that both keep their own.

    Raises `WeightsError` where there are none, or where one has no numbers here.
    """
    title = "this model" if isinstance(held, nn.Module) else "this state dict"
    state = unwrapped(held.state_dict() if isinstance(held, nn.Module) else held)
    if not state:
        raise WeightsError(f"{title} holds no tensors by name; give a model (nn.Module), or its state_dict()")

    def read(name: str) -> Tensor:
        if (tensor := state[name]).is_meta:
            raise WeightsError(f"{quoted(name)} in {title} has a shape and no numbers (device meta); load them first")
        return tensor.detach().to("cpu", copy=True)

    return Source(title, {name: tuple(tensor.shape) for name, tensor in state.items()}, read)
