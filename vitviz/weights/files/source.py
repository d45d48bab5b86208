"""An open checkpoint of any format, and the sizes to which everything in it is held."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import isfinite

import torch
from torch import Tensor

from vitviz.config import LIMITS
from vitviz.shown import quoted
from vitviz.weights.errors import WeightsError

MOST_TENSORS = 5_000  # a Vision Transformer of a billion parameters has some 600, CLIP with its text model 1,300
LONGEST_NAME = 1_000  # letters; the longest of a parameter has 68
MOST_AXES = 8
LONGEST_AXIS = max(LIMITS.values())
LARGEST = 1e9  # of a parameter; those of trained models are below a thousand


@dataclass(frozen=True, slots=True)
class Source:
    """An open checkpoint: the shape of every tensor by name, and `read(name)`, which makes one in its own memory.

    Whatever is derived from a checkpoint may rely on its shapes: they are refused here, with a `WeightsError`, where a
    Vision Transformer has no such number of tensors or axes, and where an axis is empty or longer than any of its own.
    So are names that no program gives.
    """

    title: str
    shapes: Mapping[str, tuple[int, ...]]
    read: Callable[[str], Tensor]

    def __post_init__(self) -> None:
        require_count(self.title, len(self.shapes))
        for name, shape in self.shapes.items():
            if len(name) > LONGEST_NAME:
                raise WeightsError(
                    f"{self.title} holds {quoted(name)}, a name of {len(name):,} letters; that of a parameter has at "
                    f"most {LONGEST_NAME:,}, so it is none"
                )
            if len(shape) > MOST_AXES or not all(type(size) is int and 1 <= size <= LONGEST_AXIS for size in shape):
                raise WeightsError(
                    f"{quoted(name)} in {self.title} has the shape {quoted(shape)}; a parameter has at most "
                    f"{MOST_AXES} axes, each of 1 to {LONGEST_AXIS:,} numbers"
                )


def require_count(title: str, tensors: int) -> None:
    """Refuse a file of more tensors than a Vision Transformer has, before each of them is looked at."""
    if tensors > MOST_TENSORS:
        raise WeightsError(
            f"{title} holds {tensors:,} tensors; a Vision Transformer has at most {MOST_TENSORS:,}, so it is none"
        )


def require_unique(title: str, names: Iterable[str]) -> None:
    """Refuse a file in which a name stands twice."""
    twice = next((name for name, times in Counter(names).items() if times > 1), None)
    if twice is not None:
        raise WeightsError(f"{title} names {quoted(twice)} twice; which of the two is meant cannot be told")


def as_float(tensor: Tensor, name: str) -> Tensor:
    """The tensor in float32. Raises `WeightsError` where it holds what no parameter does: whole numbers, NaN, 10^30."""
    if not tensor.is_floating_point():
        raise WeightsError(
            f"{quoted(name)} holds {str(tensor.dtype).removeprefix('torch.')} numbers, not floating point"
        )
    tensor = tensor.float()
    ends = [float(end) for end in torch.aminmax(tensor)] if tensor.numel() else []
    if not all(map(isfinite, ends)):
        raise WeightsError(
            f"{quoted(name)} holds infinite numbers or none (NaN); the file is damaged or training diverged"
        )
    if any(abs(end) > LARGEST for end in ends):
        raise WeightsError(
            f"{quoted(name)} holds numbers beyond a billion, and those of trained models are below a thousand; the "
            "file is damaged or training diverged"
        )
    return tensor
