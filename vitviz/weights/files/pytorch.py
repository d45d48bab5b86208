"""PyTorch files from the server's own disk, opened by the reader that runs nothing."""

import argparse
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from vitviz.shown import quoted
from vitviz.weights.errors import WeightsError
from vitviz.weights.files.source import Source

WRAPPERS = ("model", "state_dict", "model_state_dict", "teacher", "model_ema", "module")
MOST_WRAPPERS = 3  # one in another


# Training programs save their settings beside the tensors. Here and not around each load: the list is the process's.
torch.serialization.add_safe_globals([argparse.Namespace])


def open_pickle(path: Path) -> Source:
    """All tensors, in memory at once; refuses what only some programs can read, or what is not there."""
    try:
        with warnings.catch_warnings(action="ignore"):  # it speaks of its own old formats
            content = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:  # the unpickler raises whatever the bytes make it raise
        raise WeightsError(
            f"{path.name} is not a whole PyTorch file of plain tensors; save its state_dict as safetensors"
        ) from error
    state = unwrapped(content)
    if not state:
        raise WeightsError(f"{path.name} holds no tensors by name; save the model's state_dict")
    for name, tensor in state.items():
        if not _is_plain(tensor):
            raise WeightsError(
                f"{quoted(name)} in {path.name} is no plain tensor that holds all its numbers; save its state_dict as "
                "safetensors"
            )
    return Source(path.name, {name: tuple(tensor.shape) for name, tensor in state.items()}, state.__getitem__)


def unwrapped(content: object, wrappers: int = MOST_WRAPPERS) -> dict[str, Tensor]:
    """The tensors by name, looking into the dictionaries that training programs put around them."""
    if not isinstance(content, Mapping):
        return {}
    tensors = {name: value for name, value in content.items() if isinstance(name, str) and isinstance(value, Tensor)}
    inner = (content[name] for name in WRAPPERS if name in content and wrappers)
    return tensors or next(filter(None, (unwrapped(value, wrappers - 1) for value in inner)), {})


def _is_plain(tensor: Tensor) -> bool:
    """Whether it is dense, here, and as large in memory as its shape says."""
    if tensor.is_nested or tensor.layout != torch.strided or tensor.device.type != "cpu" or tensor.is_quantized:
        return False
    return tensor.numel() * tensor.element_size() <= tensor.untyped_storage().nbytes()


def open_held(model: nn.Module | Mapping[str, Any]) -> Source:
    """The parameters of a model or state dict; each is copied when it is read, so that both keep their own.

    Raises `WeightsError` where there are none, or where one has no numbers here.
    """
    title = "this model" if isinstance(model, nn.Module) else "this state dict"
    state = unwrapped(model.state_dict() if isinstance(model, nn.Module) else model)
    if not state:
        raise WeightsError(f"{title} holds no tensors by name; give a model (nn.Module), or its state_dict()")

    def read(name: str) -> Tensor:
        if (tensor := state[name]).is_meta:
            raise WeightsError(f"{quoted(name)} in {title} has a shape and no numbers (device meta); load them first")
        return tensor.detach().to("cpu", copy=True)

    return Source(title, {name: tuple(tensor.shape) for name, tensor in state.items()}, read)
