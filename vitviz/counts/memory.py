"""Bytes of the parameters, in use and in training, by the rules of thumb 2Φ and 20Φ; and what activations add."""

from dataclasses import dataclass
from math import prod

from vitviz.activations import KINDS, activation_names
from vitviz.config import ViTConfig
from vitviz.counts.formula import shape, symbols
from vitviz.counts.totals import total_parameters


@dataclass(frozen=True, slots=True)
class MemoryItem:
    """One copy of all parameters, or one number beside each of them: bytes per parameter, bytes in all."""

    name: str
    bytes_per_parameter: int
    bytes: int


INFERENCE = (("parameters, 16 bit", 2),)
TRAINING = (
    ("parameters, 16 bit", 2),
    ("parameters, 32 bit master copy", 4),
    ("gradients, 16 bit", 2),
    ("gradients, 32 bit", 4),
    ("AdamW first moment, 32 bit", 4),
    ("AdamW second moment, 32 bit", 4),
)


def inference_memory(config: ViTConfig) -> tuple[MemoryItem, ...]:
    """Bytes of the parameters in 16-bit inference: 2Φ. Activations come on top."""
    return _items(INFERENCE, config)


def training_memory(config: ViTConfig) -> tuple[MemoryItem, ...]:
    """Bytes held per parameter in mixed-precision training with AdamW: 20Φ. Activations come on top."""
    return _items(TRAINING, config)


def activation_memory(config: ViTConfig) -> dict[str, int]:
    """Numbers that one forward pass of one image makes, by kind, attention written out; they sum to all activations.

    A backward pass needs them all, unless it makes them again. Fused attention never stores "scores and weights".
    """
    kinds, numbers = dict.fromkeys(KINDS, 0), symbols(config)
    for it in activation_names(config).values():
        times = config.depth if it.name.startswith("blocks.") else 1
        kinds[it.kind] += times * prod(shape(it.axes, numbers))
    return kinds


def _items(lines: tuple[tuple[str, int], ...], config: ViTConfig) -> tuple[MemoryItem, ...]:
    count = total_parameters(config)
    return tuple(MemoryItem(name, size, size * count) for name, size in lines)
